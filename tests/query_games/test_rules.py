"""A query game as a player meets it: exact transcripts, what can be read, how it ends."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from interactive_envs.agent import resolve_agent
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.making import make
from interactive_envs.query_games import games, proofs
from interactive_envs.query_games.env import QueryGameEnv

GAMES = games.every()
SAMPLE = sorted(GAMES)[::29]
PLAYERS = ("reference", "greedy-random", "query-games/random")


def env_id(name: str) -> str:
    return f"ibench/Query-{name.replace('/', '-')}-v1"


def play(name: str, agent: str, *, seed: int = 0, **arguments: Any) -> tuple[list[str], float, dict[str, Any]]:
    env: Any = make(env_id(name), **arguments)
    player = resolve_agent(agent, env_id(name))()
    observation, info = env.reset(seed=seed)
    player.reset(seed=seed, info=info)
    story, over, reward = [str(observation)], False, 0.0
    while not over:
        action = player.act(observation, info)
        observation, reward, over, _, info = env.step(action)
        story += [action, str(observation)]
    return story, reward, info


@pytest.mark.every(3)
@pytest.mark.parametrize("name", SAMPLE)
@pytest.mark.parametrize("difficulty", [1, 4])
def test_the_reference_wins_within_the_budget_and_as_fast_as_proved(name: str, difficulty: int) -> None:
    turns = []
    for seed in range(8):
        _, reward, info = play(name, "reference", seed=seed, difficulty=difficulty)
        assert (reward, info["outcome"]) == (1.0, "success")
        turns.append(info["turns"])
    proof = proofs.of_game(name, difficulty)
    assert max(turns) <= proof.budget
    assert abs(np.mean(turns) - proof.turns) < 2.5


def test_players_without_a_plan_do_worse() -> None:
    rows = [[play(name, agent, seed=seed)[2] for name in SAMPLE for seed in range(2)] for agent in PLAYERS]
    reference, greedy, random = ([info["turns"] for info in row] for row in rows)
    assert np.mean(reference) < np.mean(greedy) < np.mean(random)
    assert all(info["turns"] == info["view"].budget for info in rows[2])
    solved = [np.mean([info["outcome"] == "success" for info in row]) for row in rows]
    assert solved[0] == 1
    assert solved[1] > 0.9
    assert solved[2] < 0.15


@pytest.mark.parametrize("name", SAMPLE)
def test_all_that_is_listed_is_read_back(name: str) -> None:
    env = QueryGameEnv(game=name)
    env.reset(seed=3)
    level, task, state = env.task.level, env.task, env.state.task_state
    for index, text in enumerate(level.query_texts):
        tag, _, rest = text[1:].partition(">")
        assert task.read_query(state, rest.partition("<")[0], tag) == index
    for answer, text in zip(level.answers, level.answer_texts, strict=True):
        assert task.read_answer(state, text.removeprefix("<answer>").removesuffix("</answer>")) == answer


@pytest.mark.parametrize("name", SAMPLE)
def test_a_reply_is_that_of_the_table(name: str) -> None:
    env = QueryGameEnv(game=name, difficulty=2, budget=50)
    rng = np.random.default_rng(5)
    for seed in range(4):
        env.reset(seed=seed)
        level, case = env.task.level, env.state.case
        for query in rng.integers(len(level.queries), size=8).tolist():
            env.step(level.query_texts[query])
            exchange = env.view().exchanges[-1]
            assert (exchange.key, exchange.fact.code) == (query, level.table[case.state, query])
        assert level.answers[level.right[case.state]] == case.right


@pytest.mark.parametrize("name", SAMPLE)
def test_a_state_drawn_from_the_view_looks_the_same(name: str) -> None:
    env = QueryGameEnv(game=name, difficulty=2, budget=50)
    env.reset(seed=1)
    rng = np.random.default_rng(2)
    for query in (0, 3, 5):
        env.step(env.task.level.query_texts[query % len(env.task.level.queries)])
        view = env.view()
        for _ in range(3):
            env.resample(view, rng)
            assert env.view() == view
        assert env.state.case.right in env.task.hypotheses(view)


def test_a_level_that_is_none_is_named() -> None:
    with pytest.raises(ConfigError, match="difficulty must be a whole number from 1 to 5, got 6"):
        QueryGameEnv(game=SAMPLE[0], difficulty=6)
    with pytest.raises(
        ConfigError, match="budget must be a whole number, 'standard', 'generous' or 'tight', got 'lavish'"
    ):
        QueryGameEnv(game=SAMPLE[0], budget="lavish")  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="unknown query game"):
        QueryGameEnv(game=SAMPLE[0] + "x")


def test_cases_are_numbers_of_hidden_states() -> None:
    env = QueryGameEnv(game=SAMPLE[0], case="5")
    assert [env.reset(seed=seed)[1]["view"] for seed in (1, 2)] == [env.view()] * 2
    assert env.case_id == "5"
    states = len(env.task.level.world)
    with pytest.raises(ConfigError, match=f"the numbers 0 to {states - 1}, got '{states}'"):
        env.reset(options={"case": str(states)})


def test_a_generous_budget_is_three_times_the_standard_one() -> None:
    standard = QueryGameEnv(game=SAMPLE[0]).terms.budget
    assert QueryGameEnv(game=SAMPLE[0], budget="generous").terms.budget == 3 * standard
    assert proofs.of_game(SAMPLE[0], 1).budget == standard


@pytest.mark.long
def test_a_tight_budget_brings_the_reference_below_certainty_and_further_down_with_the_level() -> None:
    """Its share of right answers over all hidden states, where it guesses at the last round, is found by play."""
    means = []
    for difficulty in (1, 5):
        won = [
            play(name, "reference", seed=seed, difficulty=difficulty, budget="tight")[1]
            for name in SAMPLE[::2]
            for seed in range(12)
        ]
        means.append(float(np.mean(won)))
    assert 0.6 <= means[1] < means[0] <= 0.98
    proof = proofs.of_game(SAMPLE[0], 3)
    assert proof.turns <= QueryGameEnv(game=SAMPLE[0], difficulty=3, budget="tight").terms.budget < proof.turns + 1


def test_the_paper_s_protocol_ends_on_the_first_message_that_cannot_be_parsed() -> None:
    env: Any = make(env_id(SAMPLE[0]), preset="paper")
    rules, _ = env.reset(seed=4)
    assert "A message that cannot be parsed, or that breaks these rules, ends the game." in rules
    *_, over, _, info = env.step("Is it large?")
    assert (over, info["outcome"]) == (True, "format_error")
    kind = make(env_id(SAMPLE[0]), preset="paper", strict=False)
    kind.reset(seed=4)
    assert not kind.step("Is it large?")[2]


def test_a_pickled_environment_plays_on() -> None:
    env = QueryGameEnv(game=SAMPLE[0])
    env.reset(seed=4)
    env.step(env.task.level.query_texts[0])
    copy = pickle.loads(pickle.dumps(env))
    action = env.task.level.answer_texts[0]
    assert copy.step(action)[:4] == env.step(action)[:4]
