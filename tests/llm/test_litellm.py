"""Providers through litellm: the same rules as over HTTP, tried with litellm's own mock replies."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

from interactive_envs.core import Usage
from interactive_envs.errors import ConfigError, IbenchError, MissingExtraError, ProviderError, UnknownNameError
from interactive_envs.llm import clients
from interactive_envs.llm.base import CompletionRequest, Constraint
from interactive_envs.llm.http import ContextOverflowError
from interactive_envs.llm.litellm_client import LitellmClient
from interactive_envs.llm.pricing import Price

pytestmark = [
    # To import it here would let it ask the network for prices.
    pytest.mark.skipif(importlib.util.find_spec("litellm") is None, reason="pip install 'interactive-envs[llm]'"),
    pytest.mark.filterwarnings("ignore"),  # litellm's own models make pydantic warn
]
CLAUDE = "anthropic/claude-sonnet-4-5"


def request(**parameters: Any) -> CompletionRequest:
    return CompletionRequest([{"role": "user", "content": "hi"}], parameters)


def claude(**options: Any) -> LitellmClient:
    return LitellmClient(CLAUDE, **{"max_wait": 0.05, "timeout": 0.05, "backoff": 0.01} | options)


def test_a_reply_is_recorded() -> None:
    call = claude(price=Price(1.0, 2.0, 1.0, 2.0)).complete(request(mock_response="hello"))
    assert (call.model, call.text, call.finish_reason, call.attempts) == (CLAUDE, "hello", "stop", 1)
    assert call.usage == Usage(10, 20)
    assert call.cost == 50.0
    assert call.model_version == "claude-sonnet-4-5"


def test_an_empty_reply_is_asked_twice_more_and_then_is_play(monkeypatch: pytest.MonkeyPatch) -> None:
    client = claude(timeout=5.0)
    body = {"choices": [{"message": {"content": ""}, "finish_reason": "stop"}]}
    asked: list[Any] = []

    class Response:
        def model_dump(self) -> dict[str, Any]:
            return body

    def completion(**arguments: Any) -> Response:
        asked.append(arguments)
        return Response()

    monkeypatch.setattr(client._litellm, "completion", completion)
    schema = {"type": "object"}
    call = client.complete(CompletionRequest(request().messages, {"seed": 1}, Constraint(json_schema=schema)))
    assert (call.text, call.attempts) == ("", 3)
    assert asked[0]["response_format"]["json_schema"]["schema"] == schema
    assert (asked[0]["num_retries"], asked[0]["max_retries"], asked[0]["seed"]) == (0, 0, 1)


@pytest.mark.parametrize(
    ("mock", "words"),
    [
        ("litellm.RateLimitError", "HTTP 429"),
        ("litellm.InternalServerError", "HTTP 500"),
        (RuntimeError("boom"), "boom"),
    ],
)
def test_transient_faults_are_retried_and_end_as_provider_error(mock: Any, words: str) -> None:
    with pytest.raises(ProviderError, match="gave up after") as caught:
        claude().complete(request(mock_response=mock))
    assert words in str(caught.value)


def test_an_overflow_of_the_context_is_the_same_error_as_over_http() -> None:
    with pytest.raises(ContextOverflowError, match="trim the history"):
        claude().complete(request(mock_response="litellm.ContextWindowExceededError"))


def test_a_refused_parameter_is_dropped_remembered_and_reported() -> None:
    client = claude(timeout=5.0)
    first, second = (client.complete(request(seed=3, mock_response="x")) for _ in range(2))
    assert (first.attempts, first.refused_parameters) == (2, ("seed",))
    assert (second.attempts, second.refused_parameters) == (1, ("seed",))


@pytest.mark.parametrize(
    ("name", "status", "kind", "words"),
    [
        ("AuthenticationError", 401, ConfigError, "set ANTHROPIC_API_KEY"),
        ("NotFoundError", 404, ConfigError, "check its name"),
        ("ContentPolicyViolationError", 400, ProviderError, "filter refused"),
        ("BadRequestError", 400, ProviderError, "HTTP 400"),
        ("UnsupportedParamsError", 400, ProviderError, "HTTP 400"),
    ],
)
def test_what_another_try_cannot_mend_is_asked_once(
    name: str, status: int, kind: type[IbenchError], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    client = claude(timeout=5.0)
    error = getattr(client._litellm.exceptions, name)("sk-ant-secret-12345 bad", model="m", llm_provider="anthropic")

    def completion(**_: Any) -> None:
        raise error

    monkeypatch.setattr(client._litellm, "completion", completion)
    with pytest.raises(kind) as caught:
        client.complete(request())
    assert words in str(caught.value)
    assert "secret" not in str(caught.value)
    assert error.status_code == status


def test_a_missing_key_is_a_config_error(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    client = LitellmClient("gemini/gemini-2.5-flash", max_wait=20.0, timeout=20.0)
    with pytest.raises(ConfigError, match="GEMINI_API_KEY"):
        client.complete(request())


def test_a_credentials_error_with_a_key_set_says_to_check_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-0123456789")
    assert claude().key_remedy() == "check the key in the environment"


@pytest.mark.parametrize(
    ("model", "words"), [("anthropi/claude", "did you mean 'anthropic'"), ("claude", "write provider/name")]
)
def test_an_unknown_provider_is_named(model: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        clients.client(model)


def test_without_litellm_the_install_line_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'interactive-envs\[llm\]'"):
        LitellmClient(CLAUDE)


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ProviderError):
        claude().complete(request(mock_response=RuntimeError("boom")))
    with pytest.raises(UnknownNameError):
        LitellmClient("nosuch/model")
    assert capfd.readouterr() == ("", "")
