"""Seeds and keys: what decides an episode, computed in one place."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

NOT_KEY = ("view", "judge", "opponents", "seat", "render_mode", "no_interaction", "probes", "approximate")
"""Arguments that do not change what is played, so they are no part of an env key or a seed."""


def canonical_json(value: Any) -> str:
    """JSON with sorted keys and no spaces: equal values give equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def env_key(env_id: str, arguments: Mapping[str, Any], not_key: Sequence[str] = NOT_KEY) -> str:
    """Name a game: its id with the arguments that change it, as canonical JSON.

    >>> env_key("ibench/SituationPuzzle-v1", {"judge": "offline", "mode": "menu"})
    'ibench/SituationPuzzle-v1{"mode":"menu"}'
    """
    return env_id + canonical_json({name: value for name, value in arguments.items() if name not in not_key})


def episode_seed(run_seed: int, key: str, case_index: int, epoch: int) -> int:
    """The seed of one episode: the same for every agent that meets the case.

    Args:
        run_seed: the run's seed, not negative.
        key: the env key, see :func:`env_key`.
        case_index: position of the case in the environment's order.
        epoch: how many times the cases were walked before.
    """
    entropy = [run_seed, zlib.crc32(key.encode()), case_index, epoch]
    return int(np.random.SeedSequence(entropy).generate_state(1)[0])


class GameSeeds(NamedTuple):
    """What decides a game for several seats but for its players' choices.

    Attributes:
        game: seed of the luck: a deck, a horizon, who begins.
        players: a seed for the agent on each seat.
    """

    game: int
    players: tuple[int, ...] = ()


def game_seeds(source: int | np.random.Generator, seats: int) -> GameSeeds:
    """Draw the seeds of one game; every view of a game draws them here, so equal seeds give equal games.

    Args:
        source: a seed, or a generator that goes on from game to game.
        seats: of the game.

    >>> game_seeds(7, seats=2) == game_seeds(np.random.default_rng(7), seats=2)
    True
    """
    game, *players = np.random.default_rng(source).integers(2**63, size=1 + seats).tolist()
    return GameSeeds(game, tuple(players))
