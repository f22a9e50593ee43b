"""What a page gets that was made from the request alone: the zero of the scale.

Six pages are drafted from the request, as different as designers' first guesses are: plain, bookish, loud, dense, airy
and typewritten. In each dimension their mean is the floor: a score is what lies above it, as a part of what there is
above it. So a player that asks nothing gets near 0, whatever the target is, and the target itself gets everything.
Target and request alone decide the floor; nothing in it is drawn by chance.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from interactive_envs.ui2html.judge.scoring import Floor, Scores, explain
from interactive_envs.ui2html.reference_page import Draft, draft_of
from interactive_envs.ui2html.rendering.browser import HtmlError, Render
from interactive_envs.ui2html.rendering.drawing import drawn, drawn_target

KEPT = 256
"""Floors that are kept."""


def floor_of(target: Mapping[str, str], request: str) -> Floor:
    """What the request alone gives, 0 to 1 in each dimension.

    Args:
        target: as judges know it, ``{"html": …}`` or ``{"png": base64}``.
        request: what the player was told of it.

    Raises:
        HtmlError: the target breaks a limit.
        FaultError: the browser failed.
    """
    return _floor(tuple(target.items()), request)


@functools.lru_cache(KEPT)
def _floor(target: tuple[tuple[str, str], ...], request: str) -> Floor:
    known = drawn_target(dict(target))
    found = [[float(explain(known, page)[name]) for name in Scores._fields] for page in _pages(request)]  # type: ignore[arg-type]
    return tuple(np.mean(found, axis=0).tolist()) if found else (0.0,) * len(Scores._fields)


def _pages(request: str) -> Iterator[Render]:
    for guess in guesses(request):
        with contextlib.suppress(HtmlError):
            yield drawn(guess.html())


def guesses(request: str) -> tuple[Draft, ...]:
    """The pages that the floor is made of.

    >>> [guess.family for guess in guesses("A page for a tea house.")]
    ['sans-serif', 'serif', 'sans-serif', 'sans-serif', 'sans-serif', 'monospace']
    """
    plain = draft_of(request)
    return (
        plain,
        replace(plain, family="serif", titles="serif", square=True, align="center", bold=False),
        replace(plain, titles="serif", heading=48, square=True, border=3, base=16, small=14),
        replace(plain, base=14, small=12, padding=14, top=22, heading=34, links=3),
        replace(plain, base=16, small=15, padding=28, top=64, align="center", shadow=True, border=0, heading=43),
        replace(plain, family="monospace", titles="monospace", base=14, small=13, heading=29, square=True),
    )
