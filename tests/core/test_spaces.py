"""The text space, and the observations that official checkers accept."""

from __future__ import annotations

import copy
import json
import pickle

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from interactive_envs.spaces import TextObservation, TextSpace


def test_contains_any_text_up_to_its_length_and_nothing_else() -> None:
    space = TextSpace(3)
    assert [space.contains(x) for x in ("", "abc", "äß🙂", "abcd", 3, None, b"abc")] == [True] * 3 + [False] * 4
    assert "abc" in space
    assert TextObservation("abc") in space


def test_samples_are_examples_four_times_in_five_and_can_all_be_written() -> None:
    space = TextSpace(10, examples=("ask 1", "ask 2"), seed=5)
    drawn = [space.sample() for _ in range(2000)]
    assert all(text in space for text in drawn)
    assert 0.77 < sum(text in space.examples for text in drawn) / len(drawn) < 0.83
    assert {"ask 1", "ask 2"} <= set(drawn)
    for text in drawn:
        text.encode("utf-8")


def test_samples_without_examples_are_short_and_seeded() -> None:
    first, second = TextSpace(1000, seed=1), TextSpace(1000, seed=1)
    drawn = [first.sample() for _ in range(100)]
    assert drawn == [second.sample() for _ in range(100)]
    assert max(map(len, drawn)) == 40
    assert max(len(TextSpace(2, seed=seed).sample()) for seed in range(50)) == 2


def test_masks_are_refused() -> None:
    with pytest.raises(ValueError, match="neither mask nor probability"):
        TextSpace(3).sample(mask=np.ones(3))
    with pytest.raises(ValueError, match="neither mask nor probability"):
        TextSpace(3).sample(probability=np.ones(3))


def test_wrong_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="max_length must be at least 1, got 0"):
        TextSpace(0)
    with pytest.raises(ValueError, match=r"example is longer than max_length=3: 'abcd'"):
        TextSpace(3, examples=("abc", "abcd"))


def test_equal_spaces_are_equal_hash_alike_and_survive_copies() -> None:
    space = TextSpace(5, examples=("a",))
    assert space == TextSpace(5, examples=["a"])
    assert space != TextSpace(5)
    assert space != TextSpace(6, examples=("a",))
    assert space != gym.spaces.Text(5)
    assert len({space, TextSpace(5, examples=("a",))}) == 1
    assert copy.deepcopy(space) == pickle.loads(pickle.dumps(space)) == space
    assert repr(space) == "TextSpace(5)"


def test_it_is_no_array_and_shared_memory_fails_loudly() -> None:
    assert TextSpace(5).is_np_flattenable is False
    with pytest.raises(gym.error.CustomSpaceError):
        gym.vector.utils.create_shared_memory(TextSpace(5), n=2)


def test_an_observation_is_text_with_dtype_and_shape() -> None:
    observation = TextObservation("Yes.")
    assert observation == "Yes."
    assert observation.dtype == np.dtype(str)
    assert observation.shape == ()
    assert type(observation + "") is str
    assert type(observation.lower()) is str
    assert json.dumps(observation) == '"Yes."'
    again = pickle.loads(pickle.dumps(observation))
    assert type(again) is TextObservation
    assert data_equivalence(again, observation)
