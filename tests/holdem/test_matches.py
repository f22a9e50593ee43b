"""Matches side by side against the rules on PokerKit, as both serve self-play."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from interactive_envs.holdem.batch.arena import HoldemArena
from interactive_envs.holdem.numeric import MAX_ACTIONS
from interactive_envs.holdem.rules import HoldemGame
from interactive_envs.training.arena import MatchArena, open_arena

TABLES: list[dict[str, Any]] = [
    {"match": 3},
    {"players": 3, "match": 4, "carry": True, "stack": [4000, 600, 9999], "ante": 10},
    {"players": 9, "match": 2, "carry": True, "memory": False, "ante": 30, "ante_by": "big-blind"},
]


def compare(game: HoldemGame, games: int, rounds: int, *, only: int | None = None) -> int:
    """Play some of the games in each round at random, or by one numeric action; return how many decisions it were."""
    ours, theirs = HoldemArena(game, games, most=25_000), MatchArena(game, games, most=25_000)
    rng, decisions = np.random.default_rng(1), 0
    for _ in range(rounds):
        rows = np.flatnonzero(theirs.seat >= 0)
        np.testing.assert_array_equal(ours.seat, theirs.seat)
        np.testing.assert_array_equal(ours.scores, theirs.scores)
        np.testing.assert_array_equal(ours.masks[rows], theirs.masks[rows])
        np.testing.assert_array_equal(ours.observations[rows], theirs.observations[rows])
        if not len(rows):
            rows, seeds = np.arange(games), rng.integers(2**31, size=games)
            ours.start(rows, seeds)
            theirs.start(rows, seeds)
            continue
        rows = rows[rng.random(len(rows)) < 0.8]
        if len(rows):
            actions = (rng.random((len(rows), ours.masks.shape[1])) * ours.masks[rows]).argmax(axis=1)
            if only is not None:
                actions = np.where(ours.masks[rows, only], only, 1)
            ours.play(rows, actions)
            theirs.play(rows, actions)
            decisions += len(rows)
    return decisions


@pytest.mark.parametrize("arguments", TABLES, ids=str)
def test_self_play_sees_and_scores_the_same_in_lockstep(arguments: dict[str, Any]) -> None:
    assert compare(HoldemGame(**arguments), games=6, rounds=60) > 100


def test_of_more_actions_than_an_array_holds_the_latest_are_kept() -> None:
    game = HoldemGame(players=10, stack=10**9, small_blind=1, big_blind=1, bet_sizes=[1e-6], ante=1)
    assert compare(game, games=1, rounds=3 * MAX_ACTIONS, only=3) > MAX_ACTIONS


def test_holdem_is_trained_in_lockstep() -> None:
    assert isinstance(open_arena("ibench/Holdem-v1", 2), HoldemArena)
