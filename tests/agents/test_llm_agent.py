"""What a language model is sent, what is kept, and what happens when it does not fit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from interactive_envs.agent import resolve_agent
from interactive_envs.agents import llm
from interactive_envs.errors import ConfigError, ProviderError
from interactive_envs.llm.base import LONGEST_REPLY, CompletionRequest, cut_reply
from interactive_envs.llm.calls import ModelCall, Usage
from interactive_envs.llm.http import ContextOverflowError


class FakeClient:
    """Replies with numbered actions; refuses more than ``fits`` characters."""

    def __init__(self, model: str, fits: int = 10**9, **options: Any) -> None:
        self.model, self.fits, self.options = model, fits, options
        self.priced, self.speechless, self.long = True, False, False
        self.requests: list[CompletionRequest] = []
        self.overflows = 0

    def complete(self, request: CompletionRequest) -> ModelCall:
        if sum(len(str(message["content"])) for message in request.messages) > self.fits:
            self.overflows += 1
            raise ContextOverflowError("too long")
        self.requests.append(request)
        text = f"<think>{'hm ' * 9}</think>" + ("" if self.speechless else f"say {len(self.requests)}")
        text = cut_reply(text + "x" * LONGEST_REPLY) if self.long else text
        return ModelCall(self.model, tuple(request.messages), text, "stop", Usage(1, 1))

    def close(self) -> None:
        """Nothing to close."""


@pytest.fixture
def clients(monkeypatch: pytest.MonkeyPatch) -> list[FakeClient]:
    made: list[FakeClient] = []

    def make(model: str, **options: Any) -> FakeClient:
        made.append(FakeClient(model, **options))
        return made[-1]

    monkeypatch.setattr(llm, "client", make)
    return made


def contents(request: CompletionRequest) -> list[str]:
    return [str(message["content"]) for message in request.messages[1:]]


def play(agent: llm.LLMAgent, observations: list[str], **info: Any) -> list[str]:
    agent.reset(seed=7, info=info)
    return [agent.act(observation, info) for observation in observations]


def test_the_whole_dialogue_is_sent_without_the_model_s_thinking(clients: list[FakeClient]) -> None:
    agent = llm.LLMAgent("fake/model")
    replies = play(agent, ["rules", "no", "yes"])
    assert replies[0].endswith("</think>say 1")
    assert contents(clients[0].requests[-1]) == ["rules", "say 1", "no", "say 2", "yes"]
    assert clients[0].requests[-1].messages[0]["role"] == "system"
    assert [call.text[-5:] for call in agent.drain_calls()] == ["say 1", "say 2", "say 3"]
    assert agent.drain_calls() == []


def test_last_n_keeps_the_rules_and_n_exchanges(clients: list[FakeClient]) -> None:
    play(llm.LLMAgent("fake/model", history="last:1"), ["rules", "a", "b", "c"])
    assert contents(clients[0].requests[-1]) == ["rules", "say 1", "b", "say 3", "c"]


def test_without_history_the_view_s_text_is_the_only_message(clients: list[FakeClient]) -> None:
    agent = llm.LLMAgent("fake/model", history="none")
    assert agent.wants_view_text
    play(agent, ["rules", "a"], view_text="everything so far")
    assert contents(clients[0].requests[-1]) == ["everything so far"]


def test_a_full_context_drops_the_oldest_exchanges_but_never_the_rules(clients: list[FakeClient]) -> None:
    agent = llm.LLMAgent("fake/model")
    agent.reset(seed=1, info={})
    agent.act("rules", {})
    system = len(str(clients[0].requests[0].messages[0]["content"]))
    agent.act("aaaa", {})
    agent.act("bbbb", {})
    clients[0].fits = system + len("rules" + "say 1" + "bbbb" + "say 3" + "cccc")
    agent.act("cccc", {})
    assert contents(clients[0].requests[-1]) == ["rules", "say 1", "bbbb", "say 3", "cccc"]
    assert agent.describe()["trimmed"] == 1


@pytest.mark.parametrize("history", ["full", "last:20"])
def test_what_a_full_context_drops_stays_out(clients: list[FakeClient], history: str) -> None:
    agent = llm.LLMAgent("fake/model", history=history)
    agent.reset(seed=1, info={})
    clients[0].fits = len(agent.system_prompt) + 100
    for number in range(60):
        agent.act(f"observation {number}", {})
    said = contents(clients[0].requests[-1])
    assert said[:2] == ["observation 0", "say 1"]
    assert said[-3:] == ["observation 58", "say 59", "observation 59"]
    left_out = 60 - (len(said) + 1) // 2
    assert agent.describe()["trimmed"] == left_out == clients[0].overflows


def test_a_reply_that_was_only_thinking_is_no_empty_message(clients: list[FakeClient]) -> None:
    agent = llm.LLMAgent("fake/model")
    clients[0].speechless = True
    assert play(agent, ["rules", "no"])[0].endswith("</think>")
    assert contents(clients[0].requests[-1]) == ["rules", "(no answer)", "no"]


def test_a_reply_that_was_cut_is_play_but_no_history(clients: list[FakeClient]) -> None:
    agent = llm.LLMAgent("fake/model")
    clients[0].long = True
    replies = play(agent, ["rules", "no"])
    assert len(replies[0]) > LONGEST_REPLY
    assert contents(clients[0].requests[-1]) == ["rules", llm.NO_ANSWER, "no"]


def test_what_it_says_of_itself_can_be_written_down(tmp_path: Path) -> None:
    prompt = tmp_path / "prompt.txt"
    prompt.write_text("Play é.", encoding="utf-8")
    agent = llm.LLMAgent("openai/\udcff", base_url="http://127.0.0.1:9", stop="\ud800", prompt=str(prompt))
    said = json.dumps(agent.describe(), ensure_ascii=False).encode()
    assert json.loads(said)["parameters"] == {"temperature": 0, "stop": "?"}
    assert json.loads(said)["model"] == "openai/?"


def test_a_reply_that_came_too_late_leaves_the_history_but_not_its_question(clients: list[FakeClient]) -> None:
    agent = llm.LLMAgent("fake/model")
    agent.discard_last()
    agent.reset(seed=1, info={})
    agent.act("rules", {})
    agent.discard_last()
    agent.act("too late", {})
    agent.act("no", {})
    messages = clients[0].requests[-1].messages
    assert contents(clients[0].requests[-1]) == ["rules", "(no answer)", "too late", "say 2", "no"]
    assert [message["role"] for message in messages] == ["system", *["user", "assistant"] * 2, "user"]
    assert len(agent.drain_calls()) == 3  # it was paid for


def test_a_fault_leaves_its_question_unanswered(clients: list[FakeClient]) -> None:
    agent = llm.LLMAgent("fake/model")
    agent.reset(seed=1, info={})
    clients[0].fits = 0
    with pytest.raises(ProviderError):
        agent.act("rules", {})
    clients[0].fits = 10**9
    agent.discard_last()
    agent.act("too late", {})
    assert contents(clients[0].requests[-1]) == ["", "(no answer)", "too late"]


def test_keys_and_typos_in_a_players_spec_are_refused() -> None:
    for spec in ("llm:openai/gpt-5-mini?api_key=sk-0123456789", "local?auth_token=0123456789"):
        with pytest.raises(ConfigError, match="keys never go into a spec") as caught:
            resolve_agent(spec)()
        assert "0123456789" not in str(caught.value)
    with pytest.raises(ConfigError, match="'temprature'; did you mean 'temperature'"):
        resolve_agent("local?temprature=1")()


def test_rules_that_do_not_fit_are_cut_and_endless_refusal_is_a_fault(clients: list[FakeClient]) -> None:
    agent = llm.LLMAgent("fake/model")
    agent.reset(seed=1, info={})
    system = len(agent.system_prompt)
    clients[0].fits = system + 30
    agent.act("x" * 100, {})
    assert contents(clients[0].requests[-1]) == ["x" * 25]
    agent.act("no", {})
    assert contents(clients[0].requests[-1]) == ["x" * 12, "say 1", "no"]  # cut for good
    clients[0].fits = 0
    agent.reset(seed=1, info={})
    with pytest.raises(ProviderError):
        agent.act("x" * 100, {})


def test_options_are_split_between_client_and_provider(clients: list[FakeClient]) -> None:
    build = resolve_agent("llm:openai/gpt-5-mini?timeout=9&reasoning_effort=low&temperature=0.5")
    agent = build()
    assert isinstance(agent, llm.LLMAgent)
    play(agent, ["rules"])
    assert clients[-1].options == {"timeout": 9}
    assert clients[-1].requests[0].parameters == {"temperature": 0.5, "reasoning_effort": "low"}
    assert clients[-1].requests[0].salt == (7,)


def test_the_environment_s_preface_and_parts_are_sent(clients: list[FakeClient]) -> None:
    agent = llm.LLMAgent("fake/model")
    agent.reset(seed=1, info={"preface": [{"role": "user", "content": "an earlier game"}]})
    agent.act("rules", {"parts": [{"type": "text", "text": "look"}]})
    assert clients[0].requests[0].messages[1]["content"] == "an earlier game"
    assert clients[0].requests[0].messages[2]["content"] == [{"type": "text", "text": "look"}]


def test_the_local_agent_constrains_what_can_be_said(clients: list[FakeClient]) -> None:
    agent = llm.LocalAgent()
    agent.reset(seed=5, info={})
    agent.act("rules", {"legal_actions": ["<ask>1</ask>", "<answer>A</answer>"], "action_tags": ("ask", "answer")})
    agent.act("free", {"action_tags": ("answer",)})
    closed, free = clients[0].requests
    assert closed.constraint is not None
    assert closed.constraint.choices == ("<ask>1</ask>", "<answer>A</answer>")
    assert free.constraint is not None
    assert str(free.constraint.grammar).startswith("root ::= answer\n")
    assert (closed.parameters["seed"], free.parameters["seed"]) == (5, 6)


def test_a_prompt_file_replaces_the_prompt_and_changes_its_hash(tmp_path: Path, clients: list[FakeClient]) -> None:
    file = tmp_path / "prompt.txt"
    file.write_text("Play.\n")
    agent = llm.LLMAgent("fake/model", prompt=str(file))
    play(agent, ["rules"])
    assert clients[0].requests[0].messages[0]["content"] == "Play."
    assert agent.describe()["prompt_sha256"] != llm.LLMAgent("fake/model").describe()["prompt_sha256"]
    with pytest.raises(ConfigError, match="cannot be read"):
        llm.LLMAgent("fake/model", prompt=str(tmp_path / "none.txt"))


def test_a_history_that_does_not_exist_is_refused(clients: list[FakeClient]) -> None:
    with pytest.raises(ConfigError, match=r"history must be full, none or last:N, got 'last'"):
        llm.LLMAgent("fake/model", history="last")
