"""A scripted model behind the LLM judge, and the frozen puzzles that the labelled files name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

import interactive_envs.llm.clients
import interactive_envs.llm.embeddings
from interactive_envs.judges.base import JudgeRequest
from interactive_envs.llm.base import CompletionRequest
from interactive_envs.llm.calls import ModelCall, Usage
from interactive_envs.situation_puzzle.judge.requests import judge_request


class ScriptedClient:
    """Says its lines in order; an exception among them is raised."""

    def __init__(self, model: str, lines: Sequence[str | Exception]) -> None:
        self.model = model
        self.priced = True
        self.lines = list(lines)
        self.requests: list[CompletionRequest] = []
        self.options: dict[str, Any] = {}

    def complete(self, request: CompletionRequest) -> ModelCall:
        self.requests.append(request)
        line = self.lines.pop(0)
        if isinstance(line, Exception):
            raise line
        return ModelCall(self.model, tuple(request.messages), line, "stop", Usage(10, 2))

    def close(self) -> None:
        raise AssertionError("the clients are shared: a judge does not close them")


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, ScriptedClient]]:
    """Replace the model clients: ``scripted(m=["yes"])`` gives the model ``m`` its lines."""

    def install(**lines: Sequence[str | Exception]) -> dict[str, ScriptedClient]:
        clients = {model: ScriptedClient(model, said) for model, said in lines.items()}

        def client(model: str, **options: Any) -> ScriptedClient:
            clients[model].options = options
            return clients[model]

        monkeypatch.setattr(interactive_envs.llm.clients, "client", client)
        return clients

    return install


@pytest.fixture
def without_embeddings(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the embeddings were not installed."""
    monkeypatch.setattr(interactive_envs.llm.embeddings, "available", lambda: False)


@pytest.fixture
def ask() -> Callable[..., JudgeRequest]:
    """Build a request about a situation puzzle: ``ask(text, kind, **context)``."""

    def build(text: str, kind: Any = "question", **context: Any) -> JudgeRequest:
        return judge_request(kind, text, context)

    return build
