"""A scripted model behind the LLM judge, and the frozen puzzles that the labelled files name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import interactive_envs.llm.clients
import interactive_envs.llm.embeddings
from interactive_envs.core import JudgeRequest, ModelCall, Usage
from interactive_envs.evaluation.judge_check import CaseContext
from interactive_envs.judges import offline
from interactive_envs.llm.base import CompletionRequest

DATA = Path(__file__).with_name("data")
LABELS = {"question": ("yes", "no", "both", "irrelevant"), "final": ("correct", "incorrect")}


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
def embedded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sentence embeddings that count words: alike texts are near, and nothing need be installed."""

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), 384), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in offline._words(text):
                vectors[row, sum(map(ord, word)) * 7 % 384] += 1
        return vectors

    monkeypatch.setattr(interactive_envs.llm.embeddings, "available", lambda: True)
    monkeypatch.setattr(interactive_envs.llm.embeddings, "embed", embed)


@pytest.fixture
def without_embeddings(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the embeddings were not installed."""
    monkeypatch.setattr(interactive_envs.llm.embeddings, "available", lambda: False)


@pytest.fixture(scope="session")
def cases() -> dict[str, dict[str, Any]]:
    """The frozen puzzles by id."""
    return json.loads((DATA / "cases.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


@pytest.fixture(scope="session")
def case_context(cases: dict[str, dict[str, Any]]) -> CaseContext:
    """Looks a case up among them."""

    def look_up(case_id: str, dataset: Path | None) -> Mapping[str, Any]:
        return cases[case_id]

    return look_up


@pytest.fixture
def ask() -> Callable[..., JudgeRequest]:
    """Build a request: ``ask(text, kind, **context)``."""

    def build(text: str, kind: Any = "question", **context: Any) -> JudgeRequest:
        return JudgeRequest(kind, text, LABELS[kind], context)

    return build


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of labelled files."""
    return DATA
