"""Labelled requests, by which judges are measured."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Any

from interactive_envs.judges.base import JudgeRequest

UNREAD = "unread"
"""The label of a request that no honest reader could decide: the right reply to it is to abstain."""


@dataclass(frozen=True)
class Item:
    """One labelled request and where it stands in its file.

    An item with an ``attack``, the kind of trick it tries, is an adversarial text: ``label`` is then what it wants
    to hear, and the judge rejects it by saying anything else.

    Attributes:
        line: of its file, counted from 1; 0 where it comes from none.
        label: the right verdict, or :data:`UNREAD`.
        request: what the judge is asked.
        attack: the kind of trick, None for an honest text.
        case: id of the case it is about.
        story: what the items about one case have in common, where the case has no id.
    """

    line: int
    label: str
    request: JudgeRequest
    attack: str | None = None
    case: str | None = None
    story: str = ""


def read_lines(folder: Traversable, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The lines of a family's JSONL files whose names begin so, in order, with their numbers."""
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.startswith(name) and file.name.endswith(".jsonl"):
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                yield number, json.loads(line)
