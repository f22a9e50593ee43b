"""Players of known strength, by which a score can be read: from chance to the best that is possible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Role: TypeAlias = Literal["chance", "no interaction", "rule", "reference", "exact"]
"""``no interaction`` plays as the reference does, and may not ask."""
ROLES: tuple[Role, ...] = ("chance", "no interaction", "rule", "reference", "exact")
"""From the weakest to the strongest; only the first two may be equal."""


@dataclass(frozen=True)
class Yardstick:
    """Players of one setting, weakest first; a family names its own on its card.

    Attributes:
        title: of the setting, as docs/scores.md has it.
        environments: pairs of an id and its arguments, a sample where there are many.
        players: specs by role; a role that nothing fills is left out.
        levels: values of ``difficulty`` over which the reference's score falls; empty where there are no levels.
        asks: whether asking is the point, so that a player that may not ask is near chance.
        bounded: whether rewards lie between 0 and 1, so that the reference's can be said to be neither too low nor too
            high.
        perfect: whether the budget follows from what the reference needs, so that it wins nearly always; the turns it
            takes then rise with the level.
        episodes: per environment, level and player.
    """

    title: str
    environments: tuple[tuple[str, Mapping[str, Any]], ...]
    players: Mapping[Role, str]
    levels: tuple[int, ...] = ()
    asks: bool = True
    bounded: bool = True
    perfect: bool = False
    episodes: int = 40
