"""Names to clients: which transport a name means, what is shared, and what a wrong option says."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from interactive_envs.errors import ConfigError, ProviderError
from interactive_envs.llm.base import CompletionRequest
from interactive_envs.llm.cache import CachedClient
from interactive_envs.llm.clients import OPTIONS, client, close_all, split_options
from interactive_envs.llm.http import PROVIDERS, HttpClient
from tests.loopback import Answer, Loopback, ends

HELLO = CompletionRequest([{"role": "user", "content": "hello"}])


def test_a_name_with_options_is_one_shared_cached_client() -> None:
    with Loopback() as server, ThreadPoolExecutor(16) as pool:
        spec = f"openai/test?base_url={server.url}&timeout=5"
        found = set(pool.map(lambda _: client(spec), range(64)))
        (one,) = found
        assert one is client("openai/test", base_url=server.url, timeout=5)
        assert isinstance(one, CachedClient)
        assert [one.complete(HELLO).from_cache for _ in range(2)] == [False, True]
        assert repr(one) == "CachedClient(HttpClient('openai/test'))"
        close_all()
        assert client(spec) is not one


def test_closing_all_ends_calls_whose_endpoints_hang_and_a_fresh_client_works() -> None:
    with Loopback(script=[Answer(hang=900.0)] * 2) as server, ThreadPoolExecutor(2) as pool:
        spec = f"openai/test?base_url={server.url}&timeout=900&max_wait=900"
        held = [client(spec), client(f"{spec}&cache=false")]
        calls = [pool.submit(ends, lambda one=one: one.complete(HELLO), 60.0) for one in held]  # type: ignore[misc]
        while len(server.bodies) < 2:
            time.sleep(0.005)
        close_all()
        assert {type(call.result()) for call in calls} == {ProviderError}
        assert client(spec).complete(HELLO).text == "heard: hello"


def test_names_and_parameters_become_such_as_a_record_can_hold() -> None:
    own, parameters = split_options(
        "openai/x", {"base_url": "http://a\udcff/", "stop": ["\ud800"], "a\ud800": {"b": 1}}
    )
    assert (own, parameters) == ({"base_url": "http://a?/"}, {"stop": ["?"], "a?": {"b": 1}})
    assert client("openai/te\udcffst", base_url="http://127.0.0.1:9").model == "openai/te?st"


def test_cache_false_asks_every_time() -> None:
    with Loopback() as server:
        one = client("openai/test", base_url=server.url, cache=False)
        assert isinstance(one, HttpClient)
        assert [one.complete(HELLO).from_cache for _ in range(2)] == [False, False]


def test_a_providers_model_is_priced_and_an_own_endpoint_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    assert client("openai/gpt-4o").priced
    assert not client("openai/gpt-4o", base_url="http://127.0.0.1:1/v1").priced
    assert not client("openai/no-such-model").priced


@pytest.mark.parametrize(
    ("model", "options", "words"),
    [
        ("openai/test", {"api_key": "sk-test-0123456789"}, "keys never go into a spec"),
        ("openai/test", {"time_out": 3}, "did you mean 'timeout'"),
        ("openai/test", {"cache": "no"}, "cache must be true or false"),
        ("openai/test?timeout", {}, "is not key=value"),
        ("local", {"base_url": "http://x"}, "unknown option of local"),
        ("local/smollm", {}, "did you mean 'local/smollm2-135m'"),
        ("local?threads=0", {}, "threads of the local model must be 1 to"),
        ("local?threads=true", {}, "threads of the local model must be 1 to"),
        ("local?context_length=9000", {}, "must be 256 to 8192, got 9000"),
    ],
)
def test_a_wrong_option_says_what_would_be_right(model: str, options: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        client(model, **options)
    assert words in str(caught.value)
    assert "0123456789" not in str(caught.value)


def test_options_are_told_from_parameters() -> None:
    assert {"base_url", "api_key_env", "grammar", "timeout", "cache", "threads"} <= OPTIONS
    given = {"timeout": 3, "temperature": 0, "api_key_env": "MY_VARIABLE", "max_tokens": 5, "stop_token_ids": [2]}
    own, parameters = split_options("openai/test", given)
    assert own == {"timeout": 3, "api_key_env": "MY_VARIABLE"}
    assert parameters == {"temperature": 0, "max_tokens": 5, "stop_token_ids": [2]}


@pytest.mark.parametrize(
    "options",
    [
        {"api_key": "hidden-0123456789"},
        {"openai_api_key": "hidden-0123456789"},
        {"apiKey": "hidden-0123456789"},
        {"auth_token": "hidden-0123456789"},
        {"client_secret": "hidden-0123456789"},
        {"password": "hidden-0123456789"},
        {"extra_headers": {"Authorization": "hidden-0123456789"}},
        {"extra_body": {"providers": [{"x-api-key": "hidden-0123456789"}]}},
        {"api_key_env": "sk-hidden-0123456789"},
        {"stop": ["Bearer hidden-0123456789"]},
    ],
)
def test_what_holds_a_key_is_refused_and_not_repeated(options: dict[str, Any]) -> None:
    for use in (lambda: split_options("openai/test", options), lambda: client("openai/test", **options)):
        with pytest.raises(ConfigError, match="keys never go into a spec") as caught:
            use()
        assert "0123456789" not in str(caught.value)


@pytest.mark.parametrize("model", ["local", "local/smollm2-135m", "local?threads=1"])
@pytest.mark.parametrize(
    ("typo", "right"), [("temprature", "temperature"), ("max_token", "max_tokens"), ("thread", "threads")]
)
def test_the_local_model_knows_what_it_can_be_told(model: str, typo: str, right: str) -> None:
    with pytest.raises(ConfigError) as caught:
        split_options(model, {typo: 1})
    assert str(caught.value).startswith("unknown option of local")
    assert f"{typo!r}; did you mean {right!r}?" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert split_options(model, {"temperature": 1, "threads": 2}) == ({"threads": 2}, {"temperature": 1})


def test_a_forked_child_has_a_registry_of_its_own() -> None:
    with Loopback() as server:
        spec = f"openai/test?base_url={server.url}"
        one = client(spec)
        child = os.fork()
        if child == 0:
            os._exit(0 if client(spec) is not one and client(spec).complete(HELLO).text else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert client(spec) is one


def test_importing_the_clients_imports_nothing_heavy() -> None:
    heavy = "{'litellm', 'xllamacpp', 'tokenizers', 'scipy.special', 'torch'}"
    script = f"import sys, interactive_envs.llm.clients; print({heavy} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout == "set()\n"
    assert PROVIDERS["openai"].key == "OPENAI_API_KEY"
