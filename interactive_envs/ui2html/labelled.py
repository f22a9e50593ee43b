"""Labelled questions about drafts of pages.

All but the played questions were written before the offline judge could read them.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from importlib.resources import files

from interactive_envs.judges.labelled import Item, read_lines
from interactive_envs.ui2html.rules import judge_request
from interactive_envs.ui2html.targets import designs

_LABELS = files("interactive_envs.ui2html.judge") / "data" / "labels"


def questions() -> Iterator[Item]:
    """Questions about a draft and its target."""
    return _items("questions")


def played() -> Iterator[Item]:
    """Questions as players ask them, written when the judge had long been tuned, on none of their targets."""
    return _items("played_questions")


def adversarial() -> Iterator[Item]:
    """Questions that try to talk the judge round: each wants a yes."""
    return _items("adversarial")


def _items(name: str) -> Iterator[Item]:
    for line, content in read_lines(_LABELS, name):
        design = designs.find(content["target"])
        target, page = {"html": designs.html(design)}, _draft(content["draft"])
        request = judge_request("question", content["question"], target, page, designs.request(design))
        yield Item(line, content.get("label", "yes"), request, content.get("attack"), content["target"])


@functools.cache
def _draft(name: str) -> str:
    for half in ("drafts_1", "drafts_2"):
        if (_LABELS / half / f"{name}.html").is_file():
            return (_LABELS / half / f"{name}.html").read_text(encoding="utf-8")
    raise FileNotFoundError(f"no draft {name!r}")
