"""Providers through litellm: the same rules as over HTTP, tried with litellm's own mock replies."""

from __future__ import annotations

import importlib.util
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from interactive_envs.errors import ConfigError, IbenchError, MissingExtraError, ProviderError, UnknownNameError
from interactive_envs.llm import clients
from interactive_envs.llm.base import CompletionRequest, Constraint
from interactive_envs.llm.calls import Usage
from interactive_envs.llm.http import ContextOverflowError
from interactive_envs.llm.litellm_client import LitellmClient, load_litellm
from interactive_envs.llm.pricing import Price
from tests.loopback import Dripping, Loopback, Redirecting, ends

pytestmark = [
    # To import it here would let it ask the network for prices.
    pytest.mark.skipif(importlib.util.find_spec("litellm") is None, reason="pip install 'interactive-envs[llm]'"),
    pytest.mark.filterwarnings("ignore"),  # litellm's own models make pydantic warn
]
CLAUDE = "anthropic/claude-sonnet-4-5"


def request(**parameters: Any) -> CompletionRequest:
    return CompletionRequest([{"role": "user", "content": "hi"}], parameters)


def claude(**options: Any) -> LitellmClient:
    return LitellmClient(CLAUDE, **{"max_wait": 60.0, "timeout": 60.0, "backoff": 600.0} | options)


def test_a_reply_is_recorded() -> None:
    call = claude(price=Price(1.0, 2.0, 1.0, 2.0)).complete(request(mock_response="hello"))
    assert (call.model, call.text, call.finish_reason, call.attempts) == (CLAUDE, "hello", "stop", 1)
    assert call.usage == Usage(10, 20)
    assert call.cost == 50.0
    assert call.model_version == "claude-sonnet-4-5"


def test_an_empty_reply_is_asked_twice_more_and_then_is_play(monkeypatch: pytest.MonkeyPatch) -> None:
    client = claude(backoff=0.01)
    body = {"choices": [{"message": {"content": ""}, "finish_reason": "stop"}]}
    asked: list[Any] = []

    class Response:
        def model_dump(self) -> dict[str, Any]:
            return body

    def completion(**arguments: Any) -> Response:
        asked.append(arguments)
        return Response()

    monkeypatch.setattr(client.litellm, "completion", completion)
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


KEY = "sk-test-0123456789abcdef"
MODELS = (
    CLAUDE,
    "gemini/gemini-2.5-flash",
    "cohere_chat/command-r",
    "custom_openai/x",
    "azure/x",
    "bedrock/anthropic.claude-v2",
)
"""One for each way in which litellm sends a request: its own clients, and those of provider libraries."""


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC", "GEMINI", "COHERE", "OPENAI", "CUSTOM_OPENAI", "AZURE"):
        monkeypatch.setenv(f"{name}_API_KEY", KEY)
    monkeypatch.setenv("AZURE_API_VERSION", "2024-02-01")
    for name, value in (("ACCESS_KEY_ID", "AKIAXXXXXXXXXXXXXXXX"), ("SECRET_ACCESS_KEY", KEY), ("REGION_NAME", "x")):
        monkeypatch.setenv(f"AWS_{name}", value)


@pytest.mark.usefixtures("keys")
@pytest.mark.parametrize("status", [302, 307])
@pytest.mark.parametrize("model", MODELS)
def test_a_redirect_is_a_fault_and_the_key_stays(model: str, status: int) -> None:
    with Loopback() as elsewhere, Redirecting(status, elsewhere.url, {"error": "invalid api key"}) as server:
        client = LitellmClient(model, base_url=f"{server.url}/{model}", timeout=60.0, max_wait=60.0, backoff=600.0)
        problem = ends(lambda: client.complete(request()), 90.0)
        client.close()
    assert type(problem) is ProviderError
    assert f"HTTP {status}: the endpoint redirects" in str(problem)
    assert KEY not in str(problem)
    assert (server.connections, elsewhere.connections) == (1, 0)


def test_other_users_of_httpx_are_still_redirected() -> None:
    load_litellm()
    load_litellm()
    with Loopback() as elsewhere, Redirecting(307, f"{elsewhere.url}/chat/completions") as server:
        body = {"messages": [{"content": "hi"}]}
        assert httpx.post(f"{server.url}/x", json=body, follow_redirects=True).status_code == 200
        assert httpx.post(f"{server.url}/x", json=body).status_code == 307
    assert elsewhere.connections == 1


@pytest.mark.usefixtures("keys")
@pytest.mark.parametrize("model", [CLAUDE, "custom_openai/x"])
def test_a_reply_without_an_end_is_over_at_the_timeout(model: str) -> None:
    claude().complete(request(mock_response="litellm is loaded now"))
    with Dripping(b"HTTP/1.1 200 OK\r\nX-Long: ", b"a") as server:
        client = LitellmClient(model, base_url=server.url, timeout=1.0, max_wait=2.5, backoff=0.1)
        problem = ends(lambda: client.complete(request()))
    assert isinstance(problem, ProviderError)
    assert "no reply within" in str(problem)


@pytest.mark.usefixtures("keys")
def test_closing_ends_a_call_whose_endpoint_hangs() -> None:
    with Dripping(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n") as server, ThreadPoolExecutor(1) as pool:
        client = claude(base_url=server.url, timeout=900.0, max_wait=900.0)
        call = pool.submit(ends, lambda: client.complete(request()), 60.0)
        while not server.connections:
            time.sleep(0.01)
        client.close()
        problem = call.result()
    assert isinstance(problem, ProviderError)
    assert "the client was closed during a call" in str(problem)


@pytest.mark.usefixtures("keys")
def test_a_key_that_the_endpoint_repeats_reaches_no_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_TOKEN", "a common word")
    call = claude().complete(request(mock_response=f"a common word and {KEY}"))
    assert call.text == "a common word and ***"


def test_an_overflow_of_the_context_is_the_same_error_as_over_http() -> None:
    with pytest.raises(ContextOverflowError, match="trim the history"):
        claude().complete(request(mock_response="litellm.ContextWindowExceededError"))


def test_a_refused_parameter_is_dropped_remembered_and_reported() -> None:
    client = claude()
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
    client = claude()
    error = getattr(client.litellm.exceptions, name)("sk-ant-secret-12345 bad", model="m", llm_provider="anthropic")

    def completion(**_: Any) -> None:
        raise error

    monkeypatch.setattr(client.litellm, "completion", completion)
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
