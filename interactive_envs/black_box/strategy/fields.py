"""Strategies in numbers: the moves of each game are a menu."""

from __future__ import annotations

from typing import Any

from interactive_envs.black_box.base import Box
from interactive_envs.black_box.numeric.fields import Numbers
from interactive_envs.black_box.strategy.boxes import Match
from interactive_envs.black_box.strategy.games import ROCK_3, ROCK_7, Duel, of
from interactive_envs.black_box.strategy.opponents import Uniform


def widest(level: int) -> tuple[Any, ...]:
    """The games of generated opponents."""
    return tuple((game.public, game.lengths) for game in (ROCK_3, ROCK_7, Duel()))


def box_of(public: Any, partial: bool) -> Box:
    """A match in the game that is told, against anybody: menus and arrays do not depend on the opponent."""
    game = of(public[0])
    return Match(game=game, opponent=Uniform(game.theirs), partial=partial)


NUMBERS = Numbers(widest=widest, box_of=box_of)
