"""What is wrong with a set of puzzles beyond its format: what cannot be decided, and hints that give answers away."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from interactive_envs.dialogue import datasets
from interactive_envs.errors import DatasetError
from interactive_envs.situation_puzzle.puzzles import Puzzle, read_puzzle

HINTS = 5
"""Puzzles with a menu from which on the lengths of their explanations are compared."""


@dataclass(frozen=True)
class Finding:
    """Something that is wrong.

    Attributes:
        where: the puzzle's id, the place in a file where the puzzle cannot be read, or "" for the whole set.
        problem: what, in a sentence.
        fatal: whether the puzzle cannot be played, or cannot be solved by asking.
    """

    where: str
    problem: str
    fatal: bool = False


@dataclass(frozen=True)
class Report:
    """The result of :func:`check`: the puzzles that could be read, and what is wrong."""

    puzzles: tuple[Puzzle, ...]
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> int:
        """How many findings are fatal."""
        return sum(finding.fatal for finding in self.findings)


def check(dataset: str) -> Report:
    """Read a set of puzzles and look for what makes them unfair or unsolvable.

    Args:
        dataset: a ``.jsonl`` file (a puzzle a line) or a folder of ``.json`` files (a puzzle each).

    Raises:
        ConfigError: there is no such file or folder, or it is empty.
    """
    found, findings = [], []
    for item in datasets.read_each(dataset, read_puzzle, "a puzzle"):
        if isinstance(item, DatasetError):
            findings.append(Finding("", str(item), fatal=True))
        else:
            found.append(item)
            findings += of_puzzle(item)
    return Report(tuple(found), (*findings, *of_set(found)))


def of_puzzle(puzzle: Puzzle) -> Iterator[Finding]:
    """What is wrong with a puzzle whose format is right."""
    if not puzzle.has_menu:
        if puzzle.explanations:
            yield Finding(puzzle.id, "has explanations but no questions, so it has no menu", fatal=True)
        else:
            yield Finding(puzzle.id, "has no menu: only -k mode=free plays it, with a judge")
        if not any(fact.required for fact in puzzle.facts):
            yield Finding(puzzle.id, "has no required fact: the offline judge has little to go by")
        return
    columns = list(zip(*(question.labels for question in puzzle.questions), strict=True))
    for number, column in enumerate(columns[1:], 2):
        if column == columns[0]:
            yield Finding(puzzle.id, f"no question tells explanation {number} from the right one", fatal=True)
    alike = [str(number) for number, question in enumerate(puzzle.questions, 1) if len(set(question.labels)) == 1]
    if 2 * len(alike) > len(puzzle.questions):
        yield Finding(puzzle.id, f"most questions tell nothing: {', '.join(alike)} have one reply for all explanations")
    if puzzle.explanations[0] == max(puzzle.explanations, key=len) and len(puzzle.explanations[0]) > 1.5 * max(
        map(len, puzzle.explanations[1:])
    ):
        yield Finding(puzzle.id, "the right explanation is much longer than all others, which gives it away")


def of_set(puzzles: Sequence[Puzzle]) -> Iterator[Finding]:
    """What is wrong with puzzles that are right one by one."""
    stories = Counter(" ".join(puzzle.setup.lower().split()) for puzzle in puzzles)
    for puzzle in puzzles:
        if stories[" ".join(puzzle.setup.lower().split())] > 1:
            yield Finding(puzzle.id, "another puzzle has the same story")
    menus = [puzzle.explanations for puzzle in puzzles if puzzle.has_menu]
    chances = [1 / len(menu) for menu in menus]
    usual = sum(chances) + 2 * math.sqrt(sum(chance * (1 - chance) for chance in chances))  # two standard deviations
    for word, extreme in (("longest", max), ("shortest", min)):
        hits = sum(menu[0] == extreme(menu, key=len) for menu in menus)
        if len(menus) >= HINTS and hits > usual:
            yield Finding("", f"the right explanation is the {word} one in {hits} of {len(menus)} puzzles, a hint")
