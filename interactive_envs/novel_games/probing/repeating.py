"""Whether the seed alone decides how a game goes."""

from __future__ import annotations

import random
from itertools import zip_longest
from typing import Any

import numpy as np

from interactive_envs.novel_games.host.adapter import Program, Table
from interactive_envs.novel_games.probing.common import (
    WATCHED,
    Facts,
    Settings,
    keep_generators,
    load_anew,
    seed_matters,
    seen,
    trace,
)

SHARED = ("random", "numpy.random")


def repeat(source: str, settings: Settings) -> Facts:
    """Whether the seed alone decides, and whether the generators that all code shares are left alone."""
    with keep_generators():
        random.seed(1)
        np.random.seed(1)
        before = random.getstate(), repr(np.random.get_state())
        program = load_anew(source, settings)
        first = [trace(program.new(seed), seed) for seed in range(WATCHED)]
        after = random.getstate(), repr(np.random.get_state())
        random.seed(2)
        np.random.seed(2)
        again = [trace(table, seed) for seed, table in enumerate(map(load_anew(source, settings).new, range(WATCHED)))]
        env = program.make()
        reused = []
        for seed in range(WATCHED):
            observation, _ = env.reset(seed=seed)
            reused.append(trace(Table(program, env, observation), seed))
        return {
            "shared": [name for name, *pair in zip(SHARED, before, after, strict=True) if pair[0] != pair[1]],
            "again": sum(one != two for one, two in zip(first, again, strict=True)),
            "reused": sum(one != two for one, two in zip(first, reused, strict=True)),
            "beside": sum(one != two for one, two in zip(first, _beside(program), strict=True)),
            "games": WATCHED,
            "seed_matters": seed_matters(program),
        }


def _beside(program: Program) -> list[list[Any]]:
    """The games of :func:`repeat` two at a time, a move each by turns: none may know of the other."""
    traces = []
    for seed in range(0, WATCHED, 2):
        steps = [*zip_longest(*(seen(program.new(number), number) for number in (seed, seed + 1)))]
        traces += [[step for step in trace if step is not None] for trace in zip(*steps, strict=True)]
    return traces
