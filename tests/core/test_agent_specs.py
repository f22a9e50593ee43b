"""Spec strings: how they are read, what they resolve to, and what is said of a wrong one."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interactive_envs.agent import Agent, resolve_agent
from interactive_envs.agents.random import RandomAgent
from interactive_envs.agents.situation_puzzle import RuleAgent
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.judges.base import Judge, JudgeRequest, resolve_judge
from interactive_envs.specs import Spec, parse_spec, resolve

PUZZLE = "ibench/SituationPuzzle-v1"


class Parrot(Agent):
    """Says its target."""

    name = "parrot"

    def __init__(self, target: str, *, times: int = 1) -> None:
        if times < 1:
            raise ValueError(f"times must be at least 1, got {times}")
        self.said = target * times

    def act(self, observation: str, info: Any) -> str:
        return self.said


class Anything(Agent):
    """Takes any option."""

    name = "anything"

    def __init__(self, target: str = "none", **options: Any) -> None:
        self.target, self.options = target, options


class Refusing(Agent):
    """Has a reason of its own."""

    name = "refusing"

    def __init__(self) -> None:
        raise ConfigError("no key")


class Yes(Judge):
    """No agent."""

    name = "yes"

    def __init__(self) -> None:
        pass


TABLE = {name: f"test_agent_spec_classes:{cls.__name__}" for name, cls in (("parrot", Parrot), ("anything", Anything))}


@pytest.fixture(autouse=True)
def _importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the classes above where a spec can name them."""
    package, module = ModuleType("spec_classes"), ModuleType("spec_classes.players")
    for name in ("Parrot", "Anything", "Refusing", "Yes", "RandomAgent"):
        setattr(module, name, globals()[name])
    vars(module)["number"] = 3
    monkeypatch.setitem(sys.modules, "spec_classes", package)
    monkeypatch.setitem(sys.modules, "spec_classes.players", module)
    monkeypatch.setitem(sys.modules, "test_agent_spec_classes", module)


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("random", Spec("random")),
        ("trust/tft", Spec("trust/tft")),
        ("llm:openai/gpt-5-mini?temperature=0", Spec("llm", "openai/gpt-5-mini", {"temperature": 0})),
        ("llm:a:b", Spec("llm", "a:b")),
        ("llm:", Spec("llm", "")),
        ("llm:http://h/v1?x=1?temperature=0.5", Spec("llm", "http://h/v1?x=1", {"temperature": 0.5})),
        ("a?b=true&c=null&d=text&e=%22q%22&f=1%262&g=a%20b", None),
        ("a?list=[1,2]", Spec("a", None, {"list": [1, 2]})),
        ("a?empty=", Spec("a", None, {"empty": ""})),
        ("a?", Spec("a")),
        (" a ?k=v", Spec("a", None, {"k": "v"})),
        ("a?k=" + "9" * 5000, Spec("a", None, {"k": "9" * 5000})),
        ("a?k=" + "[" * 100_000, Spec("a", None, {"k": "[" * 100_000})),
        ("module.path:ClassName", Spec("module.path", "ClassName")),
    ],
)
def test_specs_are_read(text: str, spec: Spec | None) -> None:
    options = {"b": True, "c": None, "d": "text", "e": "q", "f": "1&2", "g": "a b"}
    assert parse_spec(text) == (spec or Spec("a", None, options))


@pytest.mark.parametrize("text", ["", "  ", ":target", "?k=v", " :t?k=v"])
def test_a_spec_needs_a_name(text: str) -> None:
    with pytest.raises(ConfigError, match="has no name"):
        parse_spec(text)


@pytest.mark.parametrize("text", ["a?k", "a?=v", "a?k=1&l"])
def test_an_option_needs_a_value(text: str) -> None:
    with pytest.raises(ConfigError, match=r"is not key=value$"):
        parse_spec(text)


@given(st.text())
def test_any_text_is_a_spec_or_a_config_error(text: str) -> None:
    try:
        spec = parse_spec(text)
    except ConfigError:
        return
    assert spec.name


def test_short_names_resolve_by_family_and_where_they_are_unique() -> None:
    assert type(resolve_agent("random")()) is RandomAgent
    assert type(resolve_agent("situation-puzzle/rule")()) is RuleAgent
    assert type(resolve_agent("rule", PUZZLE)()) is RuleAgent
    assert type(resolve_agent("rule?questions=3")()) is RuleAgent


def test_a_name_of_two_families_needs_one() -> None:
    table = {"a/fool": "spec_classes.players:Parrot", "b/fool": "spec_classes.players:Anything"}
    with pytest.raises(UnknownNameError, match=r"unknown agent 'fool'; did you mean '[ab]/fool'"):
        resolve("agent", "fool", table, object)
    assert type(resolve("agent", "fool", table, object, families=("b",))()) is Anything


def test_target_and_options_reach_the_constructor() -> None:
    assert resolve("agent", "parrot:ab?times=2", TABLE, object)().said == "abab"
    assert resolve("agent", "anything?x=1", TABLE, object)().options == {"x": 1}
    assert resolve("agent", "anything:t?x=1", TABLE, object)().target == "t"
    assert resolve_agent("spec_classes.players:Anything?x=NaN")() is not None
    assert math.isnan(resolve("agent", "spec_classes.players:Anything?x=NaN", TABLE, object)().options["x"])


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("parot:ab", "unknown agent 'parot'; did you mean 'parrot'?"),
        ("parrot", "agent 'parrot' needs a target: parrot:…"),
        ("parrot?target=x", "agent 'parrot' needs a target: parrot:…"),
        ("parrot:ab?tines=2", "unknown option of agent 'parrot': 'tines'; did you mean 'times'?"),
        ("spec_classes.players:Parot", "agent spec_classes.players:Parot cannot be imported: "),
        ("spec_classes.nothing:Parrot", "agent spec_classes.nothing:Parrot cannot be imported: ModuleNotFoundError: "),
        ("spec_classes.players:number", "agent 'spec_classes.players:number' is no class derived from"),
        ("spec_classes.players:Parrot", "agent 'spec_classes.players' needs a target: "),
        ("spec_classes.players:not a name", "unknown agent 'spec_classes.players'; known: anything, parrot"),
    ],
)
def test_wrong_specs_are_refused_before_anything_is_made(spec: str, message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        resolve("agent", spec, TABLE, object)
    assert str(raised.value).startswith(message)


def test_a_target_where_none_is_wanted_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"agent 'random' takes no target, got 'x'; write 'random'"):
        resolve_agent("random:x")


def test_constructor_errors_name_the_spec(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interactive_envs.catalog.table", lambda kind: TABLE)
    with pytest.raises(ConfigError, match=r"^agent 'parrot:a\?times=0': times must be at least 1, got 0$"):
        resolve_agent("parrot:a?times=0")()
    with pytest.raises(ConfigError, match=r"^agent 'parrot:a\?times=x': '<' not supported"):
        resolve_agent("parrot:a?times=x")()
    with pytest.raises(ConfigError, match=r"^no key$"):
        resolve_agent("spec_classes.players:Refusing")()


def test_only_agents_are_agents_and_only_judges_judges() -> None:
    with pytest.raises(ConfigError, match=r"is no class derived from interactive_envs.agent.Agent$"):
        resolve_agent("spec_classes.players:Yes")()
    with pytest.raises(ConfigError, match=r"is no class derived from interactive_envs.judges.base.Judge$"):
        resolve_judge("spec_classes.players:RandomAgent")()
    assert type(resolve_judge("spec_classes.players:Yes")()) is Yes


def test_a_spec_calls_no_function(tmp_path: Path) -> None:
    made = tmp_path / "made"
    for spec in (f"os:mkdir?path={made}", f"subprocess:call?args=[%22mkdir%22,%22{made}%22]"):
        with pytest.raises(ConfigError, match=r"is no class derived from interactive_envs.agent.Agent$"):
            resolve_agent(spec)
        with pytest.raises(ConfigError, match=r"is no class derived from interactive_envs.judges.base.Judge$"):
            resolve_judge(spec)
    assert not made.exists()


def test_judge_specs_name_the_nearest_match() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown judge 'ofline'; did you mean 'offline'\?"):
        resolve_judge("ofline")


def test_judge_constructor_errors_name_the_spec() -> None:
    class Plain(Yes):
        def __init__(self, times: int = 1) -> None:
            if times < 1:
                raise ValueError("too few")
            raise ConfigError("no key")

    sys.modules["spec_classes.players"].__dict__["Plain"] = Plain
    with pytest.raises(ConfigError, match=r"^judge 'spec_classes.players:Plain\?times=0': too few$"):
        resolve_judge("spec_classes.players:Plain?times=0")()
    with pytest.raises(ConfigError, match=r"^no key$"):
        resolve_judge("spec_classes.players:Plain")()


def test_an_agent_has_defaults_and_must_say_how_it_acts() -> None:
    agent = Agent()
    agent.reset(seed=1, info={})
    agent.finish("", 1.0, {})
    agent.close()
    assert (agent.priced, agent.wants_view_text, agent.drain_calls(), agent.describe()) == (
        True,
        False,
        [],
        {"name": ""},
    )
    with pytest.raises(ConfigError, match="agent class Agent has no act method"):
        agent.act("", {})


def test_a_judge_has_defaults_and_must_say_how_it_judges() -> None:
    judge = Yes()
    judge.close()
    assert (judge.priced, judge.describe()) == (True, {"name": "yes"})
    with pytest.raises(ConfigError, match="judge class Yes has no judge method"):
        judge.judge(JudgeRequest("question", "", ("yes",), {}))


@pytest.mark.parametrize("spec", ["rule", "situation-puzzle/rule"])
def test_a_player_of_another_family_is_refused_with_the_familys_own(spec: str) -> None:
    with pytest.raises(
        ConfigError, match=r"agent situation-puzzle/rule does not play math; of its own it has math/bisec"
    ):
        resolve_agent(spec, "ibench/Math-v1")
    assert resolve_agent("bisect", "ibench/Math-v1")().name == "bisect"
