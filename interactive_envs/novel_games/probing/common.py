"""What the stages share: what they are asked with, programs, random play and what can be seen of it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import numpy as np

from interactive_envs.novel_games.host.adapter import Program, Table, bounds_of

Facts = dict[str, Any]
Settings = Mapping[str, Any]
DEFAULTS: dict[str, Any] = {
    "max_turns": 100,
    "zero_reward": "draw",
    "player": None,
    "minus_ten": "",
    "games": 200,
    "states": 20_000,
    "seconds": 5.0,
    "hidden": False,
    "traces": [],
}
"""What a stage is asked with: the first four as in :class:`Program`; games played; states searched; seconds for play
that may stop early; whether the game says that it has secrets; the examples of the rules."""
WATCHED = 20
"""Games in which every attribute is followed, and seeds that are compared: enough for a coin to fall both ways."""


@lru_cache(maxsize=1)
def _loaded(source: str, max_turns: int, zero_reward: str, player: str | None, minus_ten: str) -> Program:
    return Program(source, max_turns=max_turns, zero_reward=zero_reward, player=player, minus_ten=minus_ten)


def load_program(source: str, settings: Settings) -> Program:
    """The game, loaded once for all stages of a process that ask for it with the same settings."""
    return _loaded(source, *_options(settings))


def load_anew(source: str, settings: Settings) -> Program:
    """The code run once more, for what it draws when it is loaded."""
    return _loaded.__wrapped__(source, *_options(settings))


def _options(settings: Settings) -> tuple[Any, ...]:
    asked = {**DEFAULTS, **settings}
    return asked["max_turns"], asked["zero_reward"], asked["player"], asked["minus_ten"]


@contextmanager
def keep_generators() -> Iterator[None]:
    """Put the generators that all code shares back, for the sake of who asked."""
    states = random.getstate(), np.random.get_state()
    try:
        yield
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])


def space_sizes(env: Any) -> tuple[int, int]:
    """How many actions there are, and how many numbers an observation has."""
    return int(env.action_space.n), int(np.prod(env.observation_space.shape))


def observation_fault(env: Any, observation: Any) -> str:
    """Why an observation is not in its space; ``""`` where it is."""
    try:
        values = np.asarray(observation, np.float64)
    except (TypeError, ValueError):
        return f"no array of numbers: {type(observation).__name__}"
    space = env.observation_space
    if values.shape != space.shape:
        return f"shape {values.shape}, space {space.shape}"
    if not np.isfinite(values).all():
        return "not finite"
    # a float32 bound and the same number in float64 differ in the last places
    low, high = bounds_of(space)
    outside = (values < low - 1e-6) | (values > high + 1e-6)
    return (
        f"entry {int(np.argmax(outside.ravel()))} is {values.ravel()[np.argmax(outside.ravel())]:g}"
        if outside.any()
        else ""
    )


def any_move(moves: list[int], rng: Any) -> int:
    """One of the moves, all equally likely."""
    return int(moves[int(rng.integers(len(moves)))])


def mean(values: Any) -> float:
    """The mean, 0 of nothing."""
    return float(np.mean(values)) if len(values) else 0.0


def trace(table: Table, seed: int) -> list[Any]:
    """A random game, as everything that a player can see of it."""
    return [*seen(table, seed)]


def seen(table: Table, seed: int) -> Iterator[Any]:
    """What can be seen before each move of a random game, and its result at last."""
    rng = np.random.default_rng(seed)
    try:
        while table.result is None:
            legal = sorted(table.legal())
            yield visible(table), table.seat
            table.play(legal[int(rng.integers(len(legal)))])
    except Exception as error:
        yield type(error).__name__
    yield table.result or ""


def seed_matters(program: Program) -> bool:
    """Whether games of other seeds go another way by the same moves."""
    return len({repr(trace(program.new(seed), 0)) for seed in range(WATCHED)}) > 1


def visible(table: Table) -> str:
    """What can be seen of a position: observation, board and legal moves."""
    seen = np.asarray(table.observation, np.float64).ravel().tolist()
    return repr((seen, str(table.env.render()), sorted(table.env.valid_moves())))


def shuffle_generators(env: Any, seed: int) -> None:
    """Give a game other generators, so that its chance goes another way."""
    for name, value in list(vars(env).items()):
        if isinstance(value, np.random.Generator):
            setattr(env, name, np.random.default_rng(seed))
        elif isinstance(value, np.random.RandomState):
            setattr(env, name, np.random.RandomState(seed))
        elif isinstance(value, random.Random):
            setattr(env, name, random.Random(seed))  # noqa: S311  play, not secrets
