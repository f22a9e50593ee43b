"""The policy for menus: blind to the order of questions and candidates, and able to learn."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest
import torch
from gymnasium.spaces import Box
from sb3_contrib import MaskablePPO

import interactive_envs  # noqa: F401 - registers the ids
from interactive_envs.situation_puzzle.puzzles import MAX_EXPLANATIONS, MAX_QUESTIONS
from interactive_envs.training.menu_policy import MenuNetwork, MenuPolicy


def twin(**arguments: Any) -> gym.Env[Any, Any]:
    return gym.make("ibench/SituationPuzzle-v1", view="numeric", split="generated", difficulty=2, **arguments)


def shuffled(row: np.ndarray[Any, Any], questions: np.ndarray[Any, Any], candidates: np.ndarray[Any, Any]) -> Any:
    """The same observation with questions and candidates listed in another order."""
    width = MAX_EXPLANATIONS * 4 + 5
    table = row[: MAX_QUESTIONS * width].reshape(MAX_QUESTIONS, width)[questions]
    matrix = table[:, : MAX_EXPLANATIONS * 4].reshape(MAX_QUESTIONS, MAX_EXPLANATIONS, 4)[:, candidates]
    table = np.concatenate([matrix.reshape(MAX_QUESTIONS, -1), table[:, MAX_EXPLANATIONS * 4 :]], axis=1)
    return np.concatenate([table.ravel(), row[MAX_QUESTIONS * width :]])


def test_another_order_of_questions_and_candidates_only_moves_the_logits() -> None:
    env = twin()
    observation, info = env.reset(seed=3)
    for _ in range(2):
        observation, _, _, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    torch.manual_seed(0)
    network = MenuNetwork(env.observation_space)
    draw = np.random.default_rng(0)
    questions, candidates = draw.permutation(MAX_QUESTIONS), draw.permutation(MAX_EXPLANATIONS)
    other = shuffled(observation, questions, candidates).astype(np.float32)
    with torch.no_grad():
        here, there = network(torch.tensor(np.stack([observation, other]))).numpy()
    asks, answers = slice(0, MAX_QUESTIONS), slice(MAX_QUESTIONS, MAX_QUESTIONS + MAX_EXPLANATIONS)
    assert np.allclose(here[asks][questions], there[asks], atol=1e-5)
    assert np.allclose(here[answers][candidates], there[answers], atol=1e-5)
    assert np.allclose(here[answers.stop :], there[answers.stop :], atol=1e-5)
    assert len(here) == network.features_dim


def test_a_policy_plays_legal_actions_learns_and_is_saved(tmp_path: Any) -> None:
    env = twin(budget=4)
    model = MaskablePPO(MenuPolicy, env, n_steps=64, batch_size=32, n_epochs=1, seed=0, device="cpu")
    before = [parameter.clone() for parameter in model.policy.parameters()]
    model.learn(128)
    assert any(not torch.equal(old, new) for old, new in zip(before, model.policy.parameters(), strict=True))
    model.save(tmp_path / "model")
    loaded = MaskablePPO.load(tmp_path / "model", device="cpu")
    observation, info = env.reset(seed=5)
    for _ in range(4):
        action, _ = loaded.predict(observation, action_masks=info["action_mask"], deterministic=True)
        assert info["action_mask"][action] == 1
        assert action == model.predict(observation, action_masks=info["action_mask"], deterministic=True)[0]
        observation, _, over, _, info = env.step(int(action))
        if over:
            break


def test_other_environments_are_refused() -> None:
    with pytest.raises(ValueError, match="this network reads the numeric twin"):
        MenuNetwork(Box(0.0, 1.0, (8,), np.float32))
    small = gym.make("CartPole-v1")
    with pytest.raises(ValueError, match="this network reads the numeric twin"):
        MaskablePPO(MenuPolicy, small, device="cpu")
