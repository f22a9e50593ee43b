"""The example on query games: what its wrapper appends is true, and it trains and prints its table."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from interactive_envs.query_games.env import unit_of

EXAMPLE = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "train_query_games.py"))


@pytest.mark.parametrize("game", EXAMPLE["GAMES"])
def test_the_shares_are_the_odds_of_the_answers_that_are_left(game: str) -> None:
    env: Any = EXAMPLE["Shares"](gym.make(unit_of(game).id, view="numeric"))
    level = env.level
    observation, info = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    told = level.opening == info["view"].shown.opening
    answers = slice(-len(level.answers), None)
    expected = [level.weights[told & (level.right == answer)].sum() for answer in range(len(level.answers))]
    assert np.allclose(observation[answers], np.array(expected) / level.weights[told].sum())
    for query in range(env.get_wrapper_attr("view")().rounds_left - 1):
        observation, *_ = env.step(query)
        assert observation[answers].sum() == pytest.approx(1.0, abs=1e-5)
    answer = int(observation[answers].argmax())
    if observation[answers][answer] == 1.0:
        assert env.step(len(level.queries) + answer)[1] == 1.0


def test_a_short_run_prints_the_table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--steps", "1024", "--episodes", "4", "--games", EXAMPLE["GAMES"][1]]
    monkeypatch.setattr(sys, "argv", ["train_query_games.py", *arguments])
    EXAMPLE["main"]()
    printed = capsys.readouterr().out
    players = ("MaskablePPO", "reference", "greedy-random", "random")
    assert [line.split()[0] for line in printed.splitlines()[-6:-2]] == list(players)
    assert printed.splitlines()[-5].split()[1] == "1.000", "the reference is always right"
