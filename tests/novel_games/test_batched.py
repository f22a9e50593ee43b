"""Games as arrays, held against the same games one by one."""

from __future__ import annotations

import numpy as np
import pytest

from interactive_envs.novel_games.folder import own, own_names
from interactive_envs.novel_games.host.adapter import Program
from interactive_envs.novel_games.search.batch import OVER, ArrayBatch, Batch

BATCHED = [name for name in own_names() if own(name).batched]


@pytest.mark.parametrize("name", BATCHED)
def test_a_game_as_arrays_is_the_game_one_by_one(name: str) -> None:
    """Games begin and are played in any order, up to the end and to the limit of turns."""
    folder = own(name)
    for limit in (folder.max_turns, 5):
        program = Program(folder.source, **(folder.options | {"max_turns": limit}))
        arenas = Batch(program, 24), ArrayBatch(program, folder.batched, 24)
        rng, ends = np.random.default_rng(0), 0
        seat = np.full(24, OVER)
        for _ in range(200):
            ended = np.flatnonzero(seat == OVER)
            ends += len(ended)
            if len(ended):
                rows = rng.permutation(ended)[: 1 + len(ended) // 2]
                seeds = rng.integers(2**31, size=len(rows))
                for arena in arenas:
                    arena.start(rows, seeds)
            rows = np.flatnonzero(arenas[0].seat != OVER)
            rows = rows[rng.random(len(rows)) < 0.7]
            if len(rows):
                actions = np.array([rng.choice(np.flatnonzero(arenas[0].masks[row])) for row in rows])
                for arena in arenas:
                    arena.play(rows, actions)
            seat = arenas[0].seat
            for part in ("seat", "masks", "observations", "scores"):
                assert np.array_equal(getattr(arenas[0], part), getattr(arenas[1], part)), part
        assert ends > 200


def test_the_benchmark_games_are_written_as_arrays() -> None:
    assert {"heron-and-minnows", "turnstile-runs", "undertow-tricks"} <= {*BATCHED}
