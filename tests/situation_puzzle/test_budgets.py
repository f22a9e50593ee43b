"""Budgets of the menu: what the reference needs, counted a second time, and how players do with them."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from interactive_envs.agent import resolve_agent
from interactive_envs.errors import ConfigError
from interactive_envs.situation_puzzle import budgets, puzzles
from interactive_envs.situation_puzzle.env import SituationPuzzleEnv
from interactive_envs.situation_puzzle.generator import LEVELS, generate
from interactive_envs.situation_puzzle.puzzles import Puzzle
from tools import menu_budgets

PUZZLE = "ibench/SituationPuzzle-v1"


def counted(puzzle: Puzzle, right: int) -> int:
    """The reference's rounds, by dictionaries and logarithms of counts; the answer is one."""
    alive, rounds = list(range(len(puzzle.explanations))), 1
    while True:
        best, most = None, 0.0
        for question in puzzle.questions:
            counts = Counter(question.labels[world] for world in alive)
            bits = math.log2(len(alive)) - sum(n * math.log2(n) for n in counts.values()) / len(alive)
            if bits > most + 1e-9:
                best, most = question, bits
        if best is None:
            return rounds
        alive = [world for world in alive if best.labels[world] == best.labels[right]]
        rounds += 1


def test_the_references_rounds_counted_a_second_time() -> None:
    for puzzle in (*puzzles.load(), *(generate(7, difficulty) for difficulty in LEVELS)):
        again = [counted(puzzle, right) for right in range(len(puzzle.explanations))]
        assert budgets.measure([puzzle], every_world=True) == again, puzzle.id
        assert budgets.measure([puzzle]) == again[:1]


def test_the_references_rounds_are_those_it_plays() -> None:
    for puzzle in puzzles.load()[::12]:
        for seed in range(3):
            env = SituationPuzzleEnv(case=puzzle.id)
            rounds, reward = play(env, "reference", seed)
            matrix = np.array(env.state.case.shown.matrix)
            assert (rounds, reward) == (budgets.rounds_needed(matrix, env.state.case.right), 1.0)


def test_the_budgets_of_the_own_puzzles_are_those_of_the_command() -> None:
    assert budgets.table()["own"] == menu_budgets.own()


@pytest.mark.parametrize("count", [15, pytest.param(menu_budgets.PUZZLES, marks=pytest.mark.long)])
def test_the_budgets_of_generated_puzzles_are_those_of_the_command(count: int) -> None:
    known, found = budgets.table()["generated"], menu_budgets.generated(count)
    if count == menu_budgets.PUZZLES:
        assert known == found
    for level, needed in found.items():
        assert abs(needed.percentile - known[level].percentile) <= 1
        assert abs(needed.median - known[level].median) <= 1


def test_a_budget_is_one_and_a_half_times_the_95th_percentile_and_rises_with_the_level() -> None:
    for entries in budgets.table().values():
        assert all(entry.budget == math.ceil(1.5 * entry.percentile) for entry in entries.values())
    levels = [budgets.table()["generated"][str(level)] for level in LEVELS]
    for lower, higher in itertools.pairwise(levels):
        assert lower.median < higher.median
        assert lower.budget < higher.budget


@pytest.mark.parametrize(
    ("arguments", "rounds"),
    [
        ({}, 8),
        ({"difficulty": 4}, 6),
        ({"split": "generated", "difficulty": 1}, 5),
        ({"split": "generated", "difficulty": 5}, 18),
        ({"split": "generated"}, 15),
        ({"mode": "free"}, 20),
        ({"mode": "free", "split": "generated", "difficulty": 5}, 20),
        ({"budget": 9}, 9),
        ({"preset": "paper"}, 20),
    ],
)
def test_the_standard_budget_follows_from_split_and_level(arguments: dict[str, Any], rounds: int) -> None:
    env = gym.make(PUZZLE, disable_env_checker=True, **arguments).unwrapped
    assert isinstance(env, SituationPuzzleEnv)
    assert env.terms.budget == rounds


def test_the_budget_of_a_users_puzzles_is_what_they_need(tmp_path: Path) -> None:
    """Each question sets one of four explanations apart, and the right one is left over: 4 rounds; 6 are given."""
    content = {
        "id": "lamp",
        "title": "The Lamp",
        "setup": "She lit the lamp at noon.",
        "solution": "It was a signal.",
        "explanations": ["It was a signal.", "She was blind.", "It was a habit.", "There was an eclipse."],
        "questions": [
            {"text": "Did anybody see it?", "labels": "nnyn"},
            {"text": "Was she blind?", "labels": "nynn"},
            {"text": "Was it dark?", "labels": "nnny"},
        ],
    }
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps(content) + "\n", encoding="utf-8")
    env = SituationPuzzleEnv(dataset=str(path))
    assert env.terms.budget == 6
    assert play(env, "reference", 0) == (4, 1.0)


def test_another_word_than_standard_is_refused() -> None:
    with pytest.raises(ConfigError, match="budget must be a whole number or 'standard', got 'generous'"):
        SituationPuzzleEnv(budget="generous")  # type: ignore[arg-type]


# How players do.


def play(env: SituationPuzzleEnv, spec: str, seed: int) -> tuple[int, float]:
    """The rounds and the reward of an episode."""
    agent = resolve_agent(spec, PUZZLE)()
    observation, info = env.reset(seed=seed)
    agent.reset(seed=seed, info=info)
    over, rounds, reward = False, 0, 0.0
    while not over:
        observation, reward, over, _, info = env.step(agent.act(observation, info))
        rounds += 1
    return rounds, float(reward)


def score(spec: str, difficulty: int, episodes: int, **arguments: Any) -> float:
    env = SituationPuzzleEnv(split="generated", difficulty=difficulty, **arguments)
    return float(np.mean([play(env, spec, seed)[1] for seed in range(episodes)]))


@pytest.mark.parametrize("episodes", [8, pytest.param(300, marks=pytest.mark.long)])
def test_a_reader_scores_less_at_each_level_and_the_reference_always_finds_out(episodes: int) -> None:
    """The reference's limit is the budget alone, and 1.5 times the 95th percentile hardly binds: it is the ceiling.
    The levels are calibrated on a reader who misreads seven labels in a hundred."""
    scores = [score("reader", level, episodes) for level in LEVELS]
    assert scores[0] > scores[4]
    assert all(0.45 < one <= 1 for one in scores)
    if episodes == 300:
        assert scores == sorted(scores, reverse=True)
        assert all(0.6 <= one <= 0.98 for one in scores)
    for level in (1, 5):
        assert score("reference", level, episodes // 5) == 1


@pytest.mark.every(5)
@pytest.mark.parametrize("difficulty", [1, 5])
@pytest.mark.parametrize(("spec", "arguments"), [("random", {}), ("reader", {"no_interaction": True})])
def test_who_does_not_ask_or_does_not_think_is_near_chance(
    spec: str, difficulty: int, arguments: dict[str, Any]
) -> None:
    chance, episodes = 1 / LEVELS[difficulty].explanations, 100
    assert score(spec, difficulty, episodes, **arguments) < chance + 3 * math.sqrt(chance * (1 - chance) / episodes)


@pytest.mark.parametrize("option", ["misread=2", "sure=-1", "misread=true"])
def test_a_readers_options_are_shares(option: str) -> None:
    with pytest.raises(ConfigError, match="must be a share from 0 to 1"):
        resolve_agent(f"reader?{option}", PUZZLE)()


def test_a_reader_who_misreads_nothing_plays_as_the_reference() -> None:
    env = SituationPuzzleEnv(split="generated", difficulty=3)
    for seed in range(5):
        assert play(env, "reader?misread=0", seed) == play(env, "reference", seed)
