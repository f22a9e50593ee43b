"""Learn from the search: a trained network plays itself with a search, and learns what that found.

Self-play by the policy alone leaves values that hold against the opponents it met, some of whose moves were random. A
search wants to know what comes of good play of both seats. So here both seats search, and policy and value follow what
the search did and expected, proven ends included (expert iteration; Anthony, Tian and Barber, 2017). No solution of the
game is used.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from interactive_envs.novel_games.host.adapter import Program
from interactive_envs.novel_games.search.chances import lists, search_of
from interactive_envs.novel_games.search.network import Network
from interactive_envs.novel_games.search.trees import Settings
from interactive_envs.training.ppo import Learner

SETTINGS = Settings(simulations=100, leaves=8, explore=0.25)
LISTED = replace(SETTINGS, chance="listed")
"""Where the game lists what chance may bring."""
ROUND = 2000
"""Positions between two times of learning."""
KEPT = 8
"""Rounds that are learnt from."""
EPOCHS, BATCH = 4, 256
RATES, LATE = (1e-3, 3e-4), 0.7
"""Learning rates, and after which share of the positions the second one holds."""
OPENING = 6
"""A game begins with fewer random moves than this; in a third of the games one seat plays at random all the way."""
BEST = 0.6
"""How often the search's move is played; otherwise one is drawn by visits."""

Position = tuple[Any, Any, Any, float]
"""What the seat to move saw, what was legal, how the search spread its visits, and what it expected."""


def polish(
    program: Program,
    network: Network,
    positions: int,
    seed: int,
    progress: Callable[[int, Network], None] | None = None,
) -> Network:
    """The network after it has learnt from so many searched positions, rounded up to whole games.

    Args:
        program: the game.
        network: trained for it.
        positions: in all.
        seed: decides everything random.
        progress: called after each round with the positions so far and the network.
    """
    rng = np.random.default_rng([seed, 2])
    learner, rounds, done = Learner.of(network), deque[list[Position]](maxlen=KEPT), 0
    while done < positions:
        found: list[Position] = []
        while len(found) < min(ROUND, positions - done):
            found += _game(program, network, rng)
        done += len(found)
        rounds.append(found)
        seen, masks, chances, values = (np.array(part) for part in zip(*chain.from_iterable(rounds), strict=True))
        rate = RATES[done > LATE * positions]
        for _ in range(EPOCHS):
            order = rng.permutation(len(values))
            for begin in range(0, len(order), BATCH):
                rows = order[begin : begin + BATCH]
                learner.imitate(seen[rows], masks[rows], chances[rows], values[rows].astype(np.float32), rate)
        network = learner.network(network.about)
        if progress is not None:
            progress(done, network)
    return network


def _game(program: Program, network: Network, rng: np.random.Generator) -> list[Position]:
    """The positions of one game that were searched."""
    table = program.new(int(rng.integers(2**31)))
    search = search_of(program, LISTED if lists(program) else SETTINGS, network)
    weak = int(rng.integers(2)) if rng.integers(3) == 0 else None
    opening = int(rng.integers(OPENING)) if weak is None else 0
    found: list[Position] = []
    while table.result is None:
        legal = table.legal()
        if table.seat == weak or table.turns < opening:
            table.say(legal[int(rng.integers(len(legal)))])
            continue
        chosen = search.choose(table.view(table.seat), int(rng.integers(2**31)))
        masks, chances = np.zeros(program.actions, np.bool_), np.zeros(program.actions, np.float32)
        masks[legal] = True
        for action, visits in chosen["visits"].items():
            chances[int(action)] = visits
        if chosen["proven"] or not chances.any():
            chances[:] = np.arange(program.actions) == chosen["action"]
        chances /= chances.sum()
        found.append((table.encoded(), masks, chances, chosen["value"]))
        drawn = rng.choice(program.actions, p=chances.astype(float) / chances.sum(dtype=float))
        table.say(chosen["action"] if rng.random() < BEST else int(drawn))
    return found
