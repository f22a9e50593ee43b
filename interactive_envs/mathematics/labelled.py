"""Labelled claims and answers about the package's problems.

All but the played claims are older than the offline judge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from typing import Literal

from interactive_envs.judges.labelled import Item, read_lines
from interactive_envs.mathematics import problems
from interactive_envs.mathematics.judge.requests import judge_request


def claims() -> Iterator[Item]:
    """Claims about the problems."""
    return _items("claims", "claim")


def played() -> Iterator[Item]:
    """Claims as players send them, written when the judge had long been tuned, on all of its problems.

    They name no case, so that none is left out: the judge was tuned on other claims.
    """
    for item in _items("played_claims", "claim"):
        yield replace(item, case=None, story=str(item.case))


def answers() -> Iterator[Item]:
    """Final answers to them."""
    return _items("answers", "answer")


def adversarial() -> Iterator[Item]:
    """Texts that try to talk the judge round."""
    return _items("adversarial", "text")


def _items(name: str, text: str) -> Iterator[Item]:
    """The lines of the files of a name; ``text`` is the field with what the player says."""
    known = {problem.id: problem for problem in problems.fixed()}
    for line, content in read_lines(files("interactive_envs.mathematics.judge") / "data" / "labels", name):
        final = text == "answer" or content.get("kind") == "final"
        kind: Literal["question", "final"] = "final" if final else "question"
        request = judge_request(kind, content[text], known[content["problem"]])
        yield Item(line, content["label"], request, content.get("attack"), content["problem"])
