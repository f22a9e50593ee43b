"""Labelled claims and answers about the package's problems; all older than the offline judge."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from typing import Literal

from interactive_envs.judges.labelled import Item, read_lines
from interactive_envs.mathematics import problems
from interactive_envs.mathematics.judge.requests import judge_request


def claims() -> Iterator[Item]:
    """Claims about the problems."""
    return _items("claims", "claim")


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
