"""Labelled requests that the package's own puzzles give, to measure a judge by.

``paraphrases``: labelled questions in other words, which no judge sees. ``explanations``: right ones and near misses
and wrong ones, each taken out of what the judge is told. ``fresh``: questions unlike any labelled one. ``adversarial``:
texts that try to talk the judge round. ``tuning``: honest and adversarial texts that the offline judge is tuned on.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from interactive_envs.core import JudgeRequest
from interactive_envs.errors import UnknownNameError
from interactive_envs.evaluation.judge_check import LABELS, Item, read_items
from interactive_envs.situation_puzzle import puzzles
from interactive_envs.situation_puzzle.puzzles import Puzzle


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
                label = puzzles.LABELS[question.labels[0]]
                yield Item(0, label, JudgeRequest("question", text, LABELS["question"], puzzle.judge_context()))


def explanations(own: Sequence[Puzzle]) -> Iterator[Item]:
    """Every explanation of every puzzle, right ones, wrong ones and near misses, each unknown to the judge."""
    for puzzle in own:
        context = puzzle.judge_context()
        for name, label in (("explanations", "correct"), ("wrong", "incorrect")):
            for text in context[name]:
                told = context | {name: [other for other in context[name] if other != text]}
                yield Item(0, label, JudgeRequest("final", text, LABELS["final"], told))


def _file(name: str) -> Callable[[Sequence[Puzzle]], Iterator[Item]]:
    def items(own: Sequence[Puzzle]) -> Iterator[Item]:
        wanted = {puzzle.id for puzzle in own}
        with as_file(files("interactive_envs.situation_puzzle") / "data" / "judging" / f"{name}.jsonl") as path:
            yield from (item for item in read_items(path, case_context) if item.case in wanted)

    return items


SUITES: Mapping[str, Callable[[Sequence[Puzzle]], Iterator[Item]]] = {
    "paraphrases": paraphrases,
    "explanations": explanations,
    "fresh": _file("fresh"),
    "adversarial": _file("adversarial"),
    "tuning": _file("tuning"),
}


def items(suite: str, without: Collection[str] = ()) -> list[Item]:
    """The items of a suite.

    Args:
        suite: one of :data:`SUITES`.
        without: ids of puzzles to leave out, such as those that a judge was tuned on.

    Raises:
        UnknownNameError: there is no such suite.
    """
    if suite not in SUITES:
        raise UnknownNameError("suite", suite, SUITES)
    return list(SUITES[suite]([puzzle for puzzle in puzzles.load() if puzzle.id not in without]))
