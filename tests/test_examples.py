"""The example of an answer that a text shows is for its form: copying it is worth no more than an answer at random."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from interactive_envs import catalog
from interactive_envs.agents.random import RandomAgent
from interactive_envs.making import make

EPISODES = 24
EXAMPLE = re.compile(r"<answer>(?!the page)([^<…]+)</answer>")
MESSAGES = 400


def one_of_each() -> list[str]:
    """An id of every family: the first, or the one in the middle where there are many."""
    families: dict[str, list[str]] = {}
    for env_id, entry in catalog.load()["units"].items():
        families.setdefault(entry["family"], []).append(env_id)
    return [ids[len(ids) // 2] for ids in families.values()]


def episode(env: Any, seed: int, act: Callable[[str, str, Mapping[str, Any]], str]) -> float:
    observation, info = env.reset(seed=seed)
    rules, total = str(observation), 0.0
    for _ in range(MESSAGES):
        observation, reward, over, _, info = env.step(act(rules, str(observation), info))
        total += reward
        if over:
            return total
    raise AssertionError("the episode does not end")


def copied(rules: str, observation: str, info: Mapping[str, Any]) -> str:
    """The newest example of an answer; where none is allowed yet, the end of the exploration."""
    tags = info["action_tags"]
    if "answer" not in tags and "ready" in tags:
        return "<ready></ready>"
    shown = EXAMPLE.findall(observation) or EXAMPLE.findall(rules)
    return f"<answer>{shown[-1]}</answer>" if shown else "<answer>0</answer>"


def at_random(info: Mapping[str, Any], seed: int) -> Callable[[str, str, Mapping[str, Any]], str]:
    """A player of legal answers, or of legal actions where answers are not listed."""
    player = RandomAgent()
    player.reset(seed=seed, info=info)

    def act(rules: str, observation: str, now: Mapping[str, Any]) -> str:
        answers = [text for text in now.get("legal_actions") or () if text.startswith("<answer>")]
        return player.act(observation, {**now, "legal_actions": answers} if answers else now)

    return act


@pytest.mark.parametrize("env_id", one_of_each())
def test_copying_the_format_example_is_worth_no_more_than_a_random_answer(env_id: str) -> None:
    env = make(env_id)
    if not EXAMPLE.search(str(env.reset(seed=0)[0])):
        return  # there is no answer to copy
    by_copying, by_chance = [], []
    for seed in range(EPISODES):
        by_copying.append(episode(env, seed, copied))
        by_chance.append(episode(env, seed, at_random(env.reset(seed=seed)[1], seed)))
    spread = np.sqrt((np.var(by_copying) + np.var(by_chance)) / EPISODES)
    assert np.mean(by_copying) <= np.mean(by_chance) + 3 * spread + 0.05
