"""The numeric twin is the same game: indices and the texts they stand for give equal episodes."""

from __future__ import annotations

import pickle
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given, settings
from hypothesis import strategies as st

from interactive_envs import catalog
from interactive_envs.errors import ConfigError
from interactive_envs.making import make
from interactive_envs.situation_puzzle.env import SituationPuzzleEnv
from interactive_envs.wrappers.numeric import NumericView

PUZZLE = "ibench/SituationPuzzle-v1"
VARIANTS = [catalog.entry(PUZZLE)["variants"][index] for index in catalog.entry(PUZZLE)["numeric_variants"]]
every_variant = pytest.mark.parametrize("arguments", VARIANTS, ids=str)


def twin(**arguments: Any) -> Any:
    return make(PUZZLE, view="numeric", **arguments)


@every_variant
@settings(max_examples=12)
@given(seed=st.integers(0, 9999), indices=st.lists(st.integers(0, 75), min_size=30, max_size=30))
def test_indices_and_their_texts_give_equal_episodes(arguments: Any, seed: int, indices: list[int]) -> None:
    numeric, text = twin(**arguments), make(PUZZLE, **arguments)
    array, info = numeric.reset(seed=seed)
    observation, text_info = text.reset(seed=seed)
    for index in indices:
        assert info["text"] == observation
        assert info["view"] == text_info["view"]
        assert array in numeric.observation_space
        assert np.array_equal(array, numeric.unwrapped.task.encode(text_info["view"]))
        action = numeric.decode(index)
        assert bool(action) == bool(info["action_mask"][index])
        array, reward, over, truncated, info = numeric.step(np.int64(index))
        observation, text_reward, text_over, text_truncated, text_info = text.step(action)
        assert (reward, over, truncated) == (text_reward, text_over, text_truncated)
        if over:
            assert info["outcome"] == text_info["outcome"]
            assert not info["action_mask"].any()
            return


@every_variant
def test_the_mask_is_the_list_of_legal_actions(arguments: Any) -> None:
    env = twin(**arguments)
    _, info = env.reset(seed=1)
    assert [env.decode(index) for index in np.flatnonzero(info["action_mask"])] == info["legal_actions"]
    assert info["action_mask"].dtype == np.int8
    assert info["action_mask"].shape == (76,)


def test_the_mask_is_a_fresh_copy() -> None:
    env = twin()
    _, info = env.reset(seed=1)
    info["action_mask"][:] = 0
    assert env.action_masks().sum() > 40
    assert env.step(0)[-1]["action_mask"].sum() > 40


def test_an_index_that_is_masked_out_costs_a_round() -> None:
    env = twin(budget=2)
    env.reset(seed=1)
    _, reward, over, _, info = env.step(63)
    assert (env.decode(63), reward, over, info["valid"], info["rounds_left"]) == ("", 0.0, False, False, 1)
    assert info["text"] == "Not read: The message is empty. It cost a round.\nRounds left: 1."


@every_variant
def test_a_masked_random_walk_solves_nothing_it_should_not(arguments: Any) -> None:
    env = twin(**arguments)
    rng = np.random.default_rng(0)
    rewards = []
    for seed in range(30):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            _, reward, over, _, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
            assert info["valid"]
        rewards.append(reward)
    assert sum(rewards) / 30 < 0.35


@settings(max_examples=30)
@given(seed=st.integers(0, 999), asked=st.lists(st.integers(0, 29), max_size=6), other=st.integers(0, 99))
def test_equal_views_have_equal_arrays_whatever_is_hidden(seed: int, asked: list[int], other: int) -> None:
    first, second = twin(), twin()
    array, _ = first.reset(seed=seed)
    for index in asked:
        array = first.step(index)[0]
    view = first.unwrapped.view()
    second.reset(seed=other)
    second.unwrapped.resample(view, np.random.default_rng(other))
    assert second.unwrapped.view() == view
    assert np.array_equal(second.unwrapped.task.encode(second.unwrapped.view()), array)
    assert np.array_equal(second.action_masks(), first.action_masks())


def test_the_wrapper_goes_outermost_and_over_other_wrappers() -> None:
    env = NumericView(gym.wrappers.TimeLimit(SituationPuzzleEnv(), 1))
    env.reset(seed=1)
    *_, truncated, info = env.step(0)
    assert truncated
    assert "outcome" not in info


def test_only_tasks_with_a_numeric_view_have_the_twin() -> None:
    with pytest.raises(ConfigError, match="FreeTask has no numeric view"):
        NumericView(SituationPuzzleEnv(mode="free"))


def test_before_the_first_reset_there_is_nothing_to_decode() -> None:
    with pytest.raises(gym.error.ResetNeeded, match="no episode has begun"):
        twin().decode(0)


@pytest.mark.filterwarnings("ignore:.*is different from the unwrapped version:UserWarning")
def test_the_official_checker_is_content() -> None:
    check_env(twin(), skip_render_check=True)


def test_the_twin_can_be_pickled_halfway() -> None:
    env = twin()
    env.reset(seed=1)
    env.step(0)
    again = pickle.loads(pickle.dumps(env))
    assert np.array_equal(again.step(1)[0], env.step(1)[0])
