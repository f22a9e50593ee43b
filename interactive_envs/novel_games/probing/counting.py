"""How many states a game has at least: those that random games come to."""

from __future__ import annotations

from typing import Any

import numpy as np

from interactive_envs.novel_games.host.adapter import Program
from interactive_envs.novel_games.probing.common import any_move
from interactive_envs.novel_games.search.exact import state_key

STALE = 2_000
"""Random games without a new state after which no more are played."""


def states_met(program: Program, enough: int) -> int:
    """Distinct states in random games, up to ``enough``: a lower bound of how many can be reached.

    Args:
        program: a game; its code runs in this process.
        enough: states after which counting ends.

    Returns:
        The number. States are told apart by the seat to move and by ``key()``, or by all attributes without it; ended
        games count as one state for each result.
    """
    rng = np.random.default_rng(0)
    met: set[Any] = set()
    game = stale = 0
    while stale < STALE and len(met) < enough:
        before = len(met)
        table = program.new(game)
        while table.result is None:
            met.add(state_key(table))
            table.play(any_move(table.legal(), rng))
        met.add(state_key(table))
        stale = 0 if len(met) > before else stale + 1
        game += 1
    return min(len(met), enough)
