"""Labelled requests that the package's own cases give, to measure a judge by.

Stories: ``paraphrases``, labelled questions in other words, which no judge sees; ``explanations``, right ones and near
misses and wrong ones, each taken out of what the judge is told; ``fresh``, questions unlike any labelled one;
``adversarial``, texts that try to talk the judge round; ``tuning``, texts that the offline judge is tuned on.
Mathematics: ``claims``, ``answers`` and ``math-adversarial``. Pages: ``page-questions`` and ``page-adversarial``, each
about a draft of a page and its target. All were written before there was an offline judge to read them.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Literal

from interactive_envs.dialogue import free_text
from interactive_envs.errors import UnknownNameError
from interactive_envs.evaluation.judging.check import LABELS, Item, read_items
from interactive_envs.judges.base import JudgeRequest
from interactive_envs.mathematics import problems
from interactive_envs.mathematics import rules as mathematics
from interactive_envs.situation_puzzle import puzzles
from interactive_envs.situation_puzzle.puzzles import Puzzle
from interactive_envs.ui2html.targets import designs as targets

YES_NO = ("yes", "no")


def case_context(case_id: str, dataset: Path | None) -> Mapping[str, Any]:
    """What a judge may know of a puzzle of the package, or of a dataset.

    Raises:
        UnknownNameError: there is no such puzzle.
    """
    known = {puzzle.id: puzzle for puzzle in puzzles.load(None if dataset is None else str(dataset))}
    if case_id not in known:
        raise UnknownNameError("case", case_id, known)
    return known[case_id].judge_context()


def paraphrases(own: Sequence[Puzzle]) -> Iterator[Item]:
    """Each question that has paraphrases, in those words, with its label in the right world."""
    for puzzle in own:
        for question in puzzle.questions:
            for text in question.paraphrases:
                label = free_text.LABELS[question.labels[0]]
                request = JudgeRequest("question", text, LABELS["question"], puzzle.judge_context())
                yield Item(0, label, request, None, puzzle.id)


def explanations(own: Sequence[Puzzle]) -> Iterator[Item]:
    """Every explanation of every puzzle, right ones, wrong ones and near misses, each unknown to the judge."""
    for puzzle in own:
        context = puzzle.judge_context()
        for name, label in (("explanations", "correct"), ("wrong", "incorrect")):
            for text in context[name]:
                told = context | {name: [other for other in context[name] if other != text]}
                yield Item(0, label, JudgeRequest("final", text, LABELS["final"], told), None, puzzle.id)


def _stories(name: str) -> Iterator[Item]:
    with as_file(files("interactive_envs.situation_puzzle") / "data" / "judging" / f"{name}.jsonl") as path:
        yield from read_items(path, case_context)


def _mathematics(name: str, text: str) -> Iterator[Item]:
    """The lines of a file of labels; ``text`` is the field with what the player says."""
    contexts = {problem.id: mathematics.judge_context(problem) for problem in problems.fixed()}
    for line, content in _lines("mathematics", name):
        final = text == "answer" or content.get("kind") == "final"
        kind: Literal["question", "final"] = "final" if final else "question"
        context = contexts[content["problem"]]
        request = JudgeRequest(kind, content[text], LABELS[kind], context, mathematics.TASK)
        yield Item(line, content["label"], request, content.get("attack"), content["problem"])


def _pages(name: str) -> Iterator[Item]:
    """Questions about drafts; adversarial ones want a yes."""
    for line, content in _lines("ui2html", name):
        design = targets.find(content["target"])
        context = {
            "target": {"html": targets.html(design)},
            "page": _draft(content["draft"]),
            "request": targets.request(design),
        }
        request = JudgeRequest("question", content["question"], YES_NO, context, "ui2html")
        yield Item(line, content.get("label", "yes"), request, content.get("attack"), content["target"])


def _lines(family: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    folder = files("interactive_envs") / family / "judge" / "data" / "labels"
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.startswith(name) and file.name.endswith(".jsonl"):
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                yield number, json.loads(line)


@functools.cache
def _draft(name: str) -> str:
    folder = files("interactive_envs.ui2html") / "judge" / "data" / "labels"
    for half in ("drafts_1", "drafts_2"):
        if (folder / half / f"{name}.html").is_file():
            return (folder / half / f"{name}.html").read_text(encoding="utf-8")
    raise FileNotFoundError(f"no draft {name!r}")


SUITES: Mapping[str, Callable[[], Iterator[Item]]] = {
    "paraphrases": lambda: paraphrases(puzzles.load()),
    "explanations": lambda: explanations(puzzles.load()),
    "fresh": lambda: _stories("fresh"),
    "adversarial": lambda: _stories("adversarial"),
    "tuning": lambda: _stories("tuning"),
    "claims": lambda: _mathematics("claims", "claim"),
    "answers": lambda: _mathematics("answers", "answer"),
    "math-adversarial": lambda: _mathematics("adversarial", "text"),
    "page-questions": lambda: _pages("questions"),
    "page-adversarial": lambda: _pages("adversarial"),
}


def items(suite: str, without: Collection[str] = ()) -> list[Item]:
    """The items of a suite.

    Args:
        suite: one of :data:`SUITES`.
        without: ids of cases to leave out, such as those that a judge was tuned on.

    Raises:
        UnknownNameError: there is no such suite.
    """
    if suite not in SUITES:
        raise UnknownNameError("suite", suite, SUITES)
    return [item for item in SUITES[suite]() if item.case not in without]
