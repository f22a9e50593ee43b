"""Tools: one typed method for each action, nothing else public; endings, faults and silence are told apart."""

from __future__ import annotations

import inspect
import typing
from typing import Any

import pytest

from interactive_envs import catalog
from interactive_envs.errors import ConfigError, JudgeError
from interactive_envs.training.llm.rows import rows
from interactive_envs.training.llm.tools import BROKEN, tools_of

PUZZLE, TRUST, PAGES = "ibench/SituationPuzzle-v1", "ibench/TrustGame-v1", "ibench/UI2Html-v1"
BOX = "ibench/BlackBox-cipher-01248-counts-v1"


def classes() -> list[str]:
    """One id of each class."""
    units = catalog.load()["units"]
    return list({catalog.entry(env_id)["entry_point"]: env_id for env_id in units}.values())


@pytest.mark.parametrize("env_id", classes())
def test_only_the_actions_are_public_and_each_is_typed_and_documented(env_id: str) -> None:
    cls = tools_of(env_id)
    public = {name: f for name, f in inspect.getmembers(cls, inspect.isfunction) if not name.startswith("_")}
    tools = {name: f for name, f in public.items() if name not in ("reset", "get_reward")}
    assert tools
    for name, tool in tools.items():
        hints = typing.get_type_hints(tool)
        parameters = list(inspect.signature(tool).parameters)
        assert hints == {**dict.fromkeys(parameters[1:], str), "return": str}
        documented = inspect.getdoc(tool) or ""
        assert documented.startswith(f"Send the action <{name}> of the rules.")
        assert all(f"    {parameter}: " in documented for parameter in parameters[1:])


def test_an_episode_is_played_with_tools_and_then_they_raise() -> None:
    tools: Any = tools_of(PUZZLE, {"budget": 3})()
    rules = tools.reset(seed=1)
    assert "3 rounds" in rules
    assert "Rounds left: 2." in tools.ask("2")
    tools.answer(text="A")
    assert tools.dialogue.over
    with pytest.raises(ConfigError, match="the episode is over"):
        tools.ask("1")
    assert tools.get_reward() == float(tools.dialogue.outcome == "success")
    with pytest.raises(TypeError):
        tools.ask()


def test_a_row_resets_with_the_rules_in_its_prompt() -> None:
    row = rows(PUZZLE, 1, actions="tools")[0]
    tools: Any = tools_of(PUZZLE)()
    assert tools.reset(**row) is None
    assert row["prompt"][-1]["content"] == tools.dialogue.env.unwrapped.observe()
    assert "Act by calling exactly one tool" in row["prompt"][0]["content"]
    with pytest.raises(ConfigError, match="these are the tools of ibench/TrustGame-v1"):
        tools_of(TRUST)().reset(**row)


def test_an_instance_plays_one_episode_after_another() -> None:
    tools: Any = tools_of(TRUST)()
    first = tools.reset(seed=1, arguments='{"matches": 1}')
    tools.move("COOPERATE")
    assert tools.reset(seed=1, arguments='{"matches": 1}') == first
    assert tools.dialogue.turns == 0
    assert tools.reset(seed=1, arguments='{"matches": 2}') != first


def test_a_tag_inside_an_argument_is_no_second_action() -> None:
    tools: Any = tools_of(PUZZLE)()
    tools.reset(seed=1)
    reply = tools.ask("1</ask><answer>A</answer>")
    assert reply.startswith("Not read:")


def test_an_action_with_nothing_inside_has_no_argument_and_braces_are_text() -> None:
    tools: Any = tools_of(BOX)()
    tools.reset(seed=1)
    assert "Not accepted" not in tools.query("Some plain text")
    assert "'{text}'" in tools.query("{text}")
    assert tools.ready().startswith("The exploration is over.")


def test_an_unfinished_episode_pays_what_silence_pays() -> None:
    tools: Any = tools_of(PUZZLE)()
    tools.reset(seed=1)
    tools.ask("1")
    assert tools.get_reward() == 0.0
    assert tools.dialogue.outcome == "unfinished"
    assert tools.dialogue.metrics == {
        "turns": 1, "query": 1, "final": 0, "move": 0, "invalid": 0, "unfinished": 1.0,
    }  # fmt: skip


def test_a_fault_ends_the_episode_without_a_reward(monkeypatch: pytest.MonkeyPatch) -> None:
    tools: Any = tools_of(PUZZLE)()
    tools.reset(seed=1)

    def fails(text: str) -> None:
        raise JudgeError("the judge is down")

    monkeypatch.setattr(tools.dialogue.env, "step", fails)
    assert tools.ask("1") == BROKEN
    with pytest.raises(ConfigError, match="the episode is over"):
        tools.ask("2")
    assert tools.get_reward() is None


def test_there_are_no_tools_before_an_episode_and_none_for_bare_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(catalog.load(), "units", {**catalog.load()["units"]})  # a stranger's is not remembered
    with pytest.raises(ConfigError, match="no episode has begun"):
        tools_of(PUZZLE)().get_reward()
    with pytest.raises(ConfigError, match="no text actions with tags"):
        tools_of("tests.foreign:Guess")


@pytest.mark.long
def test_a_page_stands_outside_its_tag() -> None:
    tools: Any = tools_of(PAGES, {"rounds": 2})()
    tools.reset(seed=1)
    page = "<!DOCTYPE html><html><body><h1>Welcome</h1></body></html>"
    assert "Rounds left: 1." in tools.ask("Compared with the target, should I add a table?", page)
    tools.answer(page)
    assert tools.dialogue.over
