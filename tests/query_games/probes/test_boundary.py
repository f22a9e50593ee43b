"""After an earlier game the game is the same, and players get the earlier one's transcript."""

from __future__ import annotations

import re
from typing import Any

import pytest

from interactive_envs.agents.llm import LLMAgent
from interactive_envs.errors import ConfigError
from interactive_envs.llm.base import CompletionRequest
from interactive_envs.making import make
from interactive_envs.query_games import games
from interactive_envs.query_games.probes.boundary import ANNOUNCEMENT, BoundaryControl
from tests.wrappers.small import cases, names, play, query_game, small

PUZZLE = "ibench/SituationPuzzle-v1"
GAME = next(name for name in games.every() if name.startswith("set/deductive"))


@pytest.mark.parametrize(("name", "level"), cases())
def test_nothing_marks_the_boundary(name: str, level: int) -> None:
    clean, after = play(query_game(name, level), 6), play(query_game(name, level, "boundary"), 6)
    assert after[0] == clean[0]
    assert (after[1], after[2]["outcome"]) == (clean[1], "success")
    assert after[2]["case"] == clean[2]["case"]
    info = query_game(name, level, "boundary").reset(seed=6)[1]
    texts = [message["content"] for message in info["preface"]]
    assert not any(re.search(r"new game|\bCorrect|Incorrect|is over|previous game", text) for text in texts)


@pytest.mark.parametrize("name", names())
def test_the_boundary_is_announced_where_it_is_asked_for(name: str) -> None:
    clean, after = play(query_game(name, 1), 6), play(query_game(name, 1, "boundary?announced=true"), 6)
    assert after[0] == [f"{ANNOUNCEMENT}\n\n{clean[0][0]}", *clean[0][1:]]


@pytest.mark.parametrize("name", names())
def test_the_preface_is_a_whole_game_up_to_its_last_message(name: str) -> None:
    env = query_game(name, 1, "boundary")
    rules, info = env.reset(seed=8)
    preface = info["preface"]
    assert [message["role"] for message in preface] == ["user", "assistant"] * (len(preface) // 2)
    assert preface[0]["content"] != rules
    assert preface[-1]["content"].startswith("<answer>")
    assert not any(message["content"].startswith("<answer>") for message in preface[:-1])
    assert env.reset(seed=8)[1]["preface"] == preface
    assert any(env.reset(seed=seed)[1]["preface"] != preface for seed in range(9, 14))


def test_the_earlier_game_is_drawn_of_any_structure_level_and_skill_but_never_the_same_game() -> None:
    task: Any = query_game(GAME, 1, BoundaryControl()).unwrapped.task
    drawn = [task.earlier_game(seed) for seed in range(80)]
    levels = [env.unwrapped.task.level for env, _ in drawn]
    assert {level.game.structure for level in levels} == set(games.STRUCTURES)
    assert {level.game.mode for level in levels} == set(games.MODES)
    assert {level.difficulty for level in levels} == {1, 2, 3, 4, 5}
    assert {player.name for _, player in drawn} == {"reference", "greedy-random", "random"}
    assert games.find(GAME) not in [level.game for level in levels]


def test_the_earlier_game_is_not_always_won() -> None:
    """A transcript that always ends well would be told from a game by that."""
    task: Any = query_game(GAME, 1, BoundaryControl()).unwrapped.task
    outcomes = set()
    for seed in range(12):
        env, player = task.earlier_game(seed)
        outcomes.add(play(env, seed, player)[2]["outcome"])
    assert outcomes == {"success", "failure"}


def test_the_earlier_game_can_be_named() -> None:
    env = small(f"boundary?previous={PUZZLE}&announced=true")
    observation, info = env.reset(seed=3)
    assert observation == f"{ANNOUNCEMENT}\n\nA divisor is hidden.\n\nAsk: <ask>6</ask>.\n\nRounds: 6."
    assert info["preface"][0]["content"].startswith("This is a situation puzzle.")
    assert "preface" not in env.step("<ask>7</ask>")[4]
    assert env.step("<answer>5</answer>")[4]["solution"] == "5"


def test_a_puzzle_keeps_its_title() -> None:
    env: Any = make(PUZZLE, probes="boundary").unwrapped
    env.reset(seed=3)
    assert env.case_title
    assert env.case_title not in ("None", env.case_id)


def test_the_earlier_game_needs_a_reference_player() -> None:
    with pytest.raises(ConfigError, match="ibench/Holdem-v1 has no reference player, so it cannot be the earlier game"):
        small("boundary?previous=ibench/Holdem-v1")


def test_without_query_games_the_earlier_game_must_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    env = small("boundary")
    monkeypatch.setattr(games, "every", dict)
    with pytest.raises(ConfigError, match="name the earlier game: boundary"):
        env.reset(seed=1)


def test_language_models_are_sent_the_earlier_game(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[CompletionRequest] = []

    class Client:
        model, priced = "p/m", True

        def complete(self, request: CompletionRequest) -> Any:
            sent.append(request)
            return type("Call", (), {"text": "<answer>5</answer>"})()

    monkeypatch.setattr("interactive_envs.agents.llm.client", lambda target, **options: Client())
    env = small("boundary")
    observation, info = env.reset(seed=3)
    agent = LLMAgent("p/m")
    agent.reset(seed=3, info=info)
    agent.act(observation, info)
    messages = list(sent[0].messages)
    assert messages[0]["role"] == "system"
    assert messages[1:-1] == info["preface"]
    assert messages[-1] == {"role": "user", "content": observation}
