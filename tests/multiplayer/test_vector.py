"""Seats of games as arrays against Gymnasium's SyncVectorEnv of the same seeds, number by number."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from interactive_envs.agents.holdem import CallStation
from interactive_envs.errors import ConfigError
from interactive_envs.holdem.batch.matches import Matches
from interactive_envs.holdem.view import HoldemView
from interactive_envs.trust_game.strategies import STRATEGIES
from tests.vectors import compare, pair

HOLDEM, TRUST = "ibench/Holdem-v1", "ibench/TrustGame-v1"
TABLES: list[dict[str, Any]] = [
    {"match": 2},
    {"match": 3, "opponents": "random", "players": 4, "memory": False},
    {
        "players": 3,
        "match": 3,
        "carry": True,
        "stack": [4000, 600, 9999],
        "ante": 10,
        "opponents": ["all-in", "random"],
        "seat": 1,
        "retries": 0,
    },
    {
        "players": 2,
        "match": 3,
        "ante": 100,
        "ante_by": "big-blind",
        "opponents": "random",
        "bet_sizes": [0.33, 0.75, 1.5],
    },
    {
        "players": 9,
        "match": 4,
        "carry": True,
        "stack": [300] * 4 + [5000] * 5,
        "ante": 7,
        "opponents": ["call-station", "fold", "random", "all-in"] * 2,
        "seat": 3,
    },
]
GAMES: list[dict[str, Any]] = [
    *({"opponents": name, "seat": place % 2} for place, name in enumerate(STRATEGIES)),
    {"opponents": "trust/coin?p=0.2", "on_invalid": "cooperate", "retries": 2},
    {"delta": 0.5, "max_rounds": 10, "payoffs": [3, 0, 5, 1], "matches": 1, "retries": 0},
    {"preset": "paper", "opponents": "gradual"},
    {"delta": 0.9, "memory": False, "seat": 1, "payoffs": [0.1, 0.7, -3.3, 1.1], "opponents": "generous-tft"},
]


@pytest.mark.every(2)
@pytest.mark.parametrize("arguments", TABLES, ids=str)
def test_hands_are_those_of_single_environments(arguments: dict[str, Any]) -> None:
    assert compare(HOLDEM, count=3, steps=40, seed=5, **arguments) > 10


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("arguments", TABLES, ids=str)
def test_thousands_of_hands_are_those_of_single_environments(arguments: dict[str, Any]) -> None:
    for seed in range(4):
        assert compare(HOLDEM, count=16, steps=120, seed=seed, **arguments | {"match": 9}) > 40


@pytest.mark.every(3)
@pytest.mark.parametrize("arguments", GAMES, ids=str)
def test_trust_games_are_those_of_single_environments(arguments: dict[str, Any]) -> None:
    assert compare(TRUST, out_of_range=0.03, count=4, steps=80, seed=2, **arguments) >= 5


def test_the_comparison_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    look = Matches.look

    def shifted(self: Matches, rows: Any, seats: Any) -> None:
        self.won[rows] += 1
        look(self, rows, seats)

    monkeypatch.setattr(Matches, "look", shifted)
    with pytest.raises(AssertionError):
        compare(HOLDEM, count=2, steps=5, seed=1, match=3)


def test_some_copies_can_be_reset_and_the_others_go_on() -> None:
    ours, _ = pair(HOLDEM, 3)
    before, info = ours.reset(seed=5)
    stepped, *_ = ours.step(info["action_mask"].argmax(axis=1))
    after, _ = ours.reset(seed=[5, None, None], options={"reset_mask": np.array([True, False, False])})
    np.testing.assert_array_equal(after[0], before[0])
    np.testing.assert_array_equal(after[1:], stepped[1:])
    with pytest.raises(ConfigError, match="reset option 'deck'"):
        ours.reset(options={"deck": "AhKd"})
    with pytest.raises(ConfigError, match="a numeric action is a whole number from 0 to 4, got 5"):
        ours.step(np.array([1, 5, 1]))


class Cautious(CallStation):
    """Chooses in a way of its own, for a single table alone."""

    def choose(self, view: HoldemView) -> str:
        return "fold" if view.to_call > 1_000 else super().choose(view)


@pytest.mark.parametrize(
    ("env_id", "opponent"),
    [
        (HOLDEM, "tag"),
        (HOLDEM, f"{__name__}:Cautious"),
        (TRUST, "learner"),
        (TRUST, "random"),
        (TRUST, "tft?generosity=1"),
    ],
)
def test_opponents_that_decide_for_one_table_are_refused(env_id: str, opponent: str) -> None:
    with pytest.raises(ConfigError):
        gym.make_vec(env_id, num_envs=2, vectorization_mode="vector_entry_point", opponents=opponent)


def test_a_seat_that_never_decides_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interactive_envs.multiplayer.vector.MAX_DEALS", 5)
    arguments = {"players": 2, "match": 1, "stack": [50, 50]}
    env = gym.make_vec(HOLDEM, num_envs=2, vectorization_mode="vector_entry_point", **arguments)
    with pytest.raises(ConfigError, match="seat 0 had nothing to decide in 5 episodes"):
        env.reset(seed=1)
