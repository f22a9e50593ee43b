"""After another game the game is the same, and players get the other one's transcript."""

from __future__ import annotations

from typing import Any

import pytest

from interactive_envs.agents.llm import LLMAgent
from interactive_envs.errors import ConfigError
from interactive_envs.llm.base import CompletionRequest
from interactive_envs.making import make
from interactive_envs.query_games import games
from interactive_envs.query_games.probes.boundary import NEW_GAME, BoundaryControl
from tests.wrappers.small import cases, names, play, query_game, small

PUZZLE = "ibench/SituationPuzzle-v1"


@pytest.mark.parametrize(("name", "level"), cases())
def test_the_game_is_the_same_but_for_a_sentence(name: str, level: int) -> None:
    clean, after = play(query_game(name, level), 6), play(query_game(name, level, "boundary"), 6)
    assert after[0] == [f"Correct.\n\n{NEW_GAME}\n\n{clean[0][0]}", *clean[0][1:]]
    assert (after[1], after[2]["outcome"]) == (clean[1], "success")
    assert after[2]["case"] == clean[2]["case"]


@pytest.mark.parametrize("name", names())
def test_the_preface_is_a_whole_game_of_another_structure(name: str) -> None:
    env = query_game(name, 1, "boundary")
    rules, info = env.reset(seed=8)
    preface = info["preface"]
    assert [message["role"] for message in preface] == ["user", "assistant"] * (len(preface) // 2)
    assert rules.startswith("Correct.\n\n")
    assert not any(message["content"] in rules for message in preface)
    hidden = [text.partition(" ")[0] for text in rules.split("\n\n") if text.startswith("Hidden")]
    assert hidden
    assert env.reset(seed=8)[1]["preface"] == preface
    assert any(env.reset(seed=seed)[1]["preface"] != preface for seed in range(9, 14))


def test_the_game_before_is_never_of_the_same_structure() -> None:
    for structure in games.STRUCTURES:
        name = next((name for name in games.every() if name.startswith(structure)), None)
        if name is not None:
            task: Any = query_game(name, 1, BoundaryControl()).unwrapped.task
            chosen = {task.game_before(seed)[0].unwrapped.task.level.game.structure for seed in range(20)}
            assert structure not in chosen


def test_the_game_before_can_be_named() -> None:
    env = small(f"boundary?previous={PUZZLE}")
    observation, info = env.reset(seed=3)
    assert observation == f"Correct.\n\n{NEW_GAME}\n\nA divisor is hidden.\n\nAsk: <ask>6</ask>.\n\nRounds: 6."
    assert info["preface"][0]["content"].startswith("A situation puzzle.")
    assert "preface" not in env.step("<ask>7</ask>")[4]
    assert env.step("<answer>5</answer>")[4]["solution"] == "5"


def test_a_puzzle_keeps_its_title() -> None:
    env: Any = make(PUZZLE, probes="boundary").unwrapped
    env.reset(seed=3)
    assert env.case_title
    assert env.case_title not in ("None", env.case_id)


def test_the_game_before_needs_a_reference_player() -> None:
    with pytest.raises(ConfigError, match="ibench/Holdem-v1 has no reference player, so it cannot be the game before"):
        small("boundary?previous=ibench/Holdem-v1")


def test_without_query_games_the_game_before_must_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    env = small("boundary")
    monkeypatch.setattr(games, "every", dict)
    with pytest.raises(ConfigError, match="name the game before: boundary"):
        env.reset(seed=1)


def test_language_models_are_sent_the_game_before(monkeypatch: pytest.MonkeyPatch) -> None:
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
