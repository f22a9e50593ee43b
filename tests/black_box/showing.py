"""What a solver is shown, for tests that play a box without an environment."""

from __future__ import annotations

from typing import Any

from interactive_envs.black_box.base import Box
from interactive_envs.black_box.rules import BoxShown

PLAIN: dict[str, Any] = {
    "trial": None,
    "trial_number": 0,
    "trials": 1,
    "observations": (),
    "seen": None,
    "item": None,
    "item_number": 0,
    "items": 6,
    "shots_left": 1,
    "given": (),
    "marks": (),
    "exploring": True,
    "code": False,
}


def shown_of(family: str, box: Box, **fields: Any) -> BoxShown:
    """A box while it is explored for the first time, unless fields say otherwise."""
    return BoxShown(family=family, public=box.public, partial=box.partial, **{**PLAIN, **fields})
