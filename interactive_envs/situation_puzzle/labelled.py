"""Labelled requests about situation puzzles: the package's suites, and a user's files.

Most were written before there was an offline judge. Those of ``narrowing``, ``misled`` and ``neutral`` were written and
labelled from the stories alone, without asking that judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, NoReturn, Protocol

from interactive_envs.dialogue import free_text
from interactive_envs.dialogue.datasets import read_file
from interactive_envs.errors import ConfigError, DatasetError, UnknownNameError
from interactive_envs.judges.labelled import Item
from interactive_envs.seeds import canonical_json
from interactive_envs.situation_puzzle import puzzles
from interactive_envs.situation_puzzle.judge.requests import judge_request
from interactive_envs.situation_puzzle.puzzles import Puzzle
from interactive_envs.system.files import parse_json

LABELS: Mapping[str, tuple[str, ...]] = {"question": free_text.LABELS, "final": free_text.FINALS}
_CONTEXT = ("setup", "solution", "facts", "questions", "explanations", "wrong")
_FIELDS = ("kind", "text", "label", "attack", "case", "dataset", *_CONTEXT)


class CaseContext(Protocol):
    """Finds what a judge may know of a case; raises ConfigError where there is no such case."""

    def __call__(self, case_id: str, dataset: Path | None) -> Mapping[str, Any]:
        """The context of ``case_id``, from ``dataset`` or from the cases of this package."""


def paraphrases(own: Sequence[Puzzle] | None = None) -> Iterator[Item]:
    """Each question that has paraphrases, in those words, which no judge sees, with its label in the right world.

    Args:
        own: the puzzles; None for the package's.
    """
    for puzzle in puzzles.load() if own is None else own:
        for question in puzzle.questions:
            for text in question.paraphrases:
                label = free_text.LABELS[question.labels[0]]
                yield Item(0, label, judge_request("question", text, puzzle.judge_context()), None, puzzle.id)


def explanations(own: Sequence[Puzzle] | None = None) -> Iterator[Item]:
    """Every explanation of every puzzle, right ones, wrong ones and near misses, each unknown to the judge.

    Args:
        own: the puzzles; None for the package's.
    """
    for puzzle in puzzles.load() if own is None else own:
        context = puzzle.judge_context()
        for name, label in (("explanations", "correct"), ("wrong", "incorrect")):
            for text in context[name]:
                others = context | {name: [other for other in context[name] if other != text]}
                yield Item(0, label, judge_request("final", text, others), None, puzzle.id)


def fresh() -> Iterator[Item]:
    """Questions unlike any labelled one."""
    return _shipped("fresh")


def narrowing() -> Iterator[Item]:
    """Questions of players who narrow the last one down, on puzzles outside the tuning set."""
    return _shipped("narrowing")


def misled() -> Iterator[Item]:
    """Sincere explanations on the same puzzles: wrong ones of misled players, and right ones in new words."""
    return _shipped("misled")


def neutral() -> Iterator[Item]:
    """Questions and explanations in which words such as *denied*, *genius* or *system* mean just what they say."""
    return _shipped("neutral")


def adversarial() -> Iterator[Item]:
    """Texts that try to talk the judge round."""
    return _shipped("adversarial")


def tuning() -> Iterator[Item]:
    """Texts that the offline judge is tuned on."""
    return _shipped("tuning")


def calibration() -> Iterator[Item]:
    """Questions as players ask them, on the tuning puzzles: they say how sure each level of a match is."""
    return _shipped("calibration")


def case_context(case_id: str, dataset: Path | None) -> Mapping[str, Any]:
    """What a judge may know of a puzzle of the package, or of a dataset.

    Raises:
        UnknownNameError: there is no such puzzle.
    """
    known = {puzzle.id: puzzle for puzzle in puzzles.load(None if dataset is None else str(dataset))}
    if case_id not in known:
        raise UnknownNameError("case", case_id, known)
    return known[case_id].judge_context()


def read_items(path: Path, case_context: CaseContext | None = case_context) -> list[Item]:
    """Read a JSONL file of labelled requests.

    Each line has ``kind`` (question, final), ``text`` and ``label``, and either what the judge may know
    (``setup``, ``solution``, optional ``facts``, ``questions``, ``explanations``, ``wrong``) or ``case``, an id, with
    an optional ``dataset``, a path seen from this file's folder. A line with ``attack`` is an adversarial text: see
    :class:`~interactive_envs.judges.labelled.Item`.

    Args:
        path: the file.
        case_context: looks up the lines that name a case; None where none may.

    Raises:
        DatasetError: a line cannot be used; the message names file, line and field.
        ConfigError: it is a link, no regular file, or too large.
    """
    lines = read_file(path).splitlines()
    items = [_Reader(path, number, case_context).item(line) for number, line in enumerate(lines, 1) if line.strip()]
    if not items:
        raise DatasetError(path, None, None, "holds no items")
    return items


def _shipped(name: str) -> Iterator[Item]:
    with as_file(files("interactive_envs.situation_puzzle") / "data" / "judging" / f"{name}.jsonl") as path:
        yield from read_items(path)


class _Reader:
    """Reads one line; every complaint names its place."""

    def __init__(self, path: Path, line: int, case_context: CaseContext | None) -> None:
        self._path, self._line, self._case_context = path, line, case_context

    def item(self, raw: bytes) -> Item:
        try:
            content = parse_json(raw, "the line")
        except ConfigError as error:
            self._refuse(None, str(error))
        if not isinstance(content, dict):
            self._refuse(None, "is not a JSON object")
        for name in content:
            if name not in _FIELDS:
                self._refuse(name, f"is unknown; known are {', '.join(_FIELDS)}")
        kind: Any = self._choice(content, "kind", tuple(LABELS))
        label = self._choice(content, "label", LABELS[kind])
        text = self._text(content, "text")
        context = self._case(content) if "case" in content else self._inline(content)
        attack = self._text(content, "attack") if "attack" in content else None
        story = canonical_json([context.get(name) for name in ("setup", "solution")])
        return Item(self._line, label, judge_request(kind, text, context), attack, content.get("case"), story)

    def _case(self, content: Mapping[str, Any]) -> Mapping[str, Any]:
        for name in _CONTEXT:
            if name in content:
                self._refuse(name, "stands beside 'case'; give one of them")
        case_id = self._text(content, "case")
        dataset = self._path.parent / self._text(content, "dataset") if "dataset" in content else None
        if self._case_context is None:
            self._refuse("case", "cannot be looked up here; give setup and solution instead")
        try:
            return self._case_context(case_id, dataset)
        except ConfigError as error:
            field = "dataset" if isinstance(error, DatasetError) else "case"
            raise DatasetError(self._path, self._line, field, str(error)) from error

    def _inline(self, content: Mapping[str, Any]) -> Mapping[str, Any]:
        if "dataset" in content:
            self._refuse("dataset", "needs a 'case' beside it")
        context: dict[str, Any] = {name: self._text(content, name) for name in ("setup", "solution")}
        for name, members in (("facts", {"text": str}), ("questions", {"text": str, "label": str})):
            if name in content:
                context[name] = self._records(name, content[name], members)
        for name in ("explanations", "wrong"):
            if name in content:
                context[name] = self._list(name, content[name], str)
        return context

    def _records(self, name: str, value: Any, members: Mapping[str, type]) -> list[Any]:
        for position, entry in enumerate(self._list(name, value, dict)):
            for member, kind in members.items():
                if not isinstance(entry.get(member), kind):
                    self._refuse(f"{name}[{position}].{member}", "must be text")
            if "required" in entry and not isinstance(entry["required"], bool):
                self._refuse(f"{name}[{position}].required", "must be true or false")
            if name == "questions" and entry["label"] not in LABELS["question"]:
                self._refuse(f"{name}[{position}].label", f"must be one of {', '.join(LABELS['question'])}")
        return list(value)

    def _list(self, name: str, value: Any, kind: type) -> list[Any]:
        if not isinstance(value, list) or not all(isinstance(entry, kind) for entry in value):
            self._refuse(name, f"must be a list of {'texts' if kind is str else 'objects'}")
        return list(value)

    def _choice(self, content: Mapping[str, Any], name: str, allowed: Sequence[str]) -> str:
        value = self._text(content, name)
        if value not in allowed:
            self._refuse(name, f"must be one of {', '.join(allowed)}, got {value!r}")
        return value

    def _text(self, content: Mapping[str, Any], name: str) -> str:
        value = content.get(name)
        if not isinstance(value, str) or not value.strip():
            self._refuse(name, "is missing" if value is None else "must be text that is not empty")
        return value

    def _refuse(self, field: str | None, problem: str) -> NoReturn:
        raise DatasetError(self._path, self._line, field, problem)
