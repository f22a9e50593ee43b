"""Vector environments: episode by episode those of Gymnasium's SyncVectorEnv."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from interactive_envs import catalog
from interactive_envs.errors import ConfigError
from tests.vectors import compare, pair

PUZZLE = "ibench/SituationPuzzle-v1"
QUERIES = [env_id for env_id in catalog.load()["units"] if env_id.startswith("ibench/Query-")]
TERMS: list[dict[str, Any]] = [
    {},
    {"budget": 3, "retries": 1},
    {"budget": 2, "forced_final": True},
    {"budget": 2, "forced_final": True, "retries": 2},
    {"strict": True},
    {"no_interaction": True, "retries": 1},
]


PLAYED = [(PUZZLE, terms) for terms in TERMS] + [(QUERIES[0], terms) for terms in TERMS if "forced_final" not in terms]


@pytest.mark.parametrize(("env_id", "terms"), PLAYED, ids=str)
def test_episodes_are_those_of_single_environments(env_id: str, terms: dict[str, Any]) -> None:
    assert compare(env_id, count=4, steps=25, seed=3, **terms) > 10


def compare_levels(env_ids: list[str]) -> None:
    for env_id in env_ids:
        for difficulty in (1, 4):
            assert compare(env_id, count=3, steps=20, seed=1, difficulty=difficulty)


def test_query_games_are_played_as_arrays() -> None:
    compare_levels(QUERIES[::150])


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_every_query_game_is_played_as_arrays() -> None:
    compare_levels(QUERIES)


def test_generated_puzzles_are_played_as_arrays() -> None:
    assert compare(PUZZLE, count=2, steps=12, seed=1, split="generated", difficulty=2)


def test_some_copies_can_be_reset_and_the_others_go_on() -> None:
    ours, _ = pair(QUERIES[0], 3)
    before, info = ours.reset(seed=5)
    actions = info["action_mask"].argmax(axis=1)
    stepped, *_ = ours.step(actions)
    after, _ = ours.reset(seed=[5, None, None], options={"reset_mask": np.array([True, False, False])})
    np.testing.assert_array_equal(after[0], before[0])
    np.testing.assert_array_equal(after[1:], stepped[1:])
    with pytest.raises(ConfigError, match="reset option 'case'"):
        ours.reset(options={"case": "1"})


@pytest.mark.parametrize(
    ("env_id", "arguments", "said"),
    [
        (PUZZLE, {"mode": "free"}, "cannot be played as arrays"),
        (PUZZLE, {"probes": ["noise"]}, "cannot be played as arrays"),
        (PUZZLE, {"view": "text"}, "view='text' cannot be played as arrays"),
        (PUZZLE, {"reward": "information"}, "reward='information' cannot be played as arrays"),
        (QUERIES[0], {"probes": ["delay"]}, "cannot be played as arrays"),
        ("ibench/Game-anvil-clock-v1", {}, "cannot be played as arrays"),
    ],
)
def test_what_cannot_be_played_as_arrays_says_so(env_id: str, arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        gym.make_vec(env_id, num_envs=2, vectorization_mode="vector_entry_point", **arguments)


def test_one_named_case_is_left_to_single_environments() -> None:
    case = gym.make(PUZZLE).unwrapped.cases[0]  # type: ignore[attr-defined]
    with pytest.raises(ConfigError, match="a single case is not drawn"):
        gym.make_vec(PUZZLE, num_envs=2, vectorization_mode="vector_entry_point", case=case)
