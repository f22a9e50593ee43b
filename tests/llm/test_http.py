"""The HTTP client: what is play, what is a fault, what is refused, and that keys stay secret."""

from __future__ import annotations

import gzip
import json
import os
import threading
import time
import traceback
import tracemalloc
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from interactive_envs.errors import ConfigError, IbenchError, ProviderError, UnknownNameError
from interactive_envs.llm import http
from interactive_envs.llm.base import LONGEST_REPLY, CompletionRequest, Constraint
from interactive_envs.llm.calls import ModelCall, Usage
from interactive_envs.llm.http import Connections, ContextOverflowError, HttpClient, _Call
from interactive_envs.llm.pricing import Price
from tests.loopback import FAULTS, Answer, Dripping, Loopback, Redirecting, completion, ends
from tests.processes import until

KEY = "sk-test-0123456789abcdef"
HELLO = CompletionRequest([{"role": "user", "content": "hello"}])


@contextmanager
def endpoint(*script: Answer, **options: Any) -> Iterator[tuple[Loopback, HttpClient]]:
    settings = {"timeout": 20.0, "max_wait": 60.0, "backoff": 0.001} | options
    with Loopback(script=script, hang=2.0) as server:
        client = HttpClient("openai/test", base_url=server.url, **settings)
        yield server, client
        client.close()


def ask(*script: Answer, request: CompletionRequest = HELLO, **options: Any) -> ModelCall:
    with endpoint(*script, **options) as (_, client):
        return client.complete(request)


def failed(*script: Answer, request: CompletionRequest = HELLO, **options: Any) -> IbenchError:
    with endpoint(*script, **options) as (_, client):
        with pytest.raises(IbenchError) as caught:
            client.complete(request)
        return caught.value


def error(status: int, message: str, **fields: Any) -> Answer:
    return Answer(status, {"error": {"message": message, **fields}})


def test_a_call_records_what_was_sent_and_what_came_back() -> None:
    body = completion("<ask>Is it?</ask>", prompt=100)
    body["usage"] = {
        "prompt_tokens": 100,
        "completion_tokens": 30,
        "total_tokens": 130,
        "completion_tokens_details": {"reasoning_tokens": 20},
        "prompt_tokens_details": {"cached_tokens": 40},
    }
    with endpoint(Answer(200, body), price=Price(0.01, 0.1, 0.001, 0.1)) as (server, client):
        call = client.complete(CompletionRequest(HELLO.messages, {"temperature": 0, "extra_body": {"top_k": 1}}))
    assert server.bodies == [{"model": "test", "messages": HELLO.messages, "temperature": 0, "top_k": 1}]
    assert call.messages == tuple(HELLO.messages)
    assert (call.model, call.text, call.finish_reason) == ("openai/test", "<ask>Is it?</ask>", "stop")
    assert call.usage == Usage(100, 30, 20, 40)
    assert call.cost == pytest.approx(60 * 0.01 + 40 * 0.001 + 30 * 0.1)
    assert (call.model_version, call.attempts, call.from_cache, call.refused_parameters) == ("fake-1", 1, False, ())
    assert call.latency > 0


def test_reasoning_counted_beside_the_completion_is_added_to_it() -> None:
    usage = {
        "prompt_tokens": 32,
        "completion_tokens": 9,
        "total_tokens": 135,
        "completion_tokens_details": {"reasoning_tokens": 94},
    }
    assert ask(Answer(200, completion("x") | {"usage": usage})).usage == Usage(32, 103, 94, 0)


@pytest.mark.parametrize(
    "usage", [None, [], {"prompt_tokens": "many", "completion_tokens": -3}, {"prompt_tokens": 10**400}]
)
def test_a_reply_without_readable_usage_is_play_of_unknown_cost(usage: Any) -> None:
    call = ask(Answer(200, completion("x") | {"usage": usage}), price=Price(1.0, 1.0, 1.0, 1.0))
    assert (call.text, call.usage, call.cost) == ("x", Usage(), None)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": "no tags at all"}, "no tags at all"),
        ({"content": [{"type": "thinking", "thinking": []}, {"type": "text", "text": "<ask>?</ask>"}]}, "<ask>?</ask>"),
        ({"content": None, "refusal": "I cannot help."}, "I cannot help."),
        ({"content": "half a \ud800 pair"}, "half a ? pair"),
    ],
)
def test_any_text_is_play(message: dict[str, Any], text: str) -> None:
    body = completion("") | {"choices": [{"message": message, "finish_reason": "stop"}]}
    call = ask(Answer(200, body))
    assert (call.text, call.attempts) == (text, 1)


def test_empty_with_length_is_play_at_once() -> None:
    call = ask(Answer(200, completion("", finish="length")))
    assert (call.text, call.attempts, call.finish_reason) == ("", 1, "length")


def test_empty_with_stop_is_asked_twice_more_and_then_is_play() -> None:
    call = ask(*[Answer(200, completion("", prompt=10))] * 3)
    assert (call.text, call.attempts, call.usage.prompt) == ("", 3, 30)


def test_null_with_stop_is_an_empty_reply_and_the_next_one_counts() -> None:
    call = ask(Answer(200, completion(None)), Answer(200, completion("now")))
    assert (call.text, call.attempts) == ("now", 2)


@pytest.mark.parametrize(
    "fault",
    [
        error(429, "slow down"),
        error(408, "timeout"),
        error(409, "conflict"),
        error(500, "oops"),
        Answer(503, b"<html>"),
        Answer(200, b"not JSON"),
        Answer(200, b"[" * 100_000),
        Answer(200, completion("x"), cut=True),
        Answer(200, {"choices": []}),
        Answer(200, {"choices": [{"message": None}]}),
        Answer(200, {"choices": [{"message": {"content": 7}}]}),
        Answer(200, ["no object"]),
        Answer(200, {"error": {"message": "upstream failed", "code": 502}}),
        Answer(200, completion(None, finish="content_filter")),
        Answer(200, completion("so far", finish="content_filter")),
        Answer(200, completion("half", finish="error")),
    ],
    ids=lambda answer: f"{answer.status}-{str(answer.body)[:40]}",
)
def test_a_fault_is_asked_again_and_ends_as_provider_error(fault: Answer) -> None:
    call = ask(fault)
    assert (call.text, call.attempts) == ("heard: hello", 2)
    problem = failed(*[fault] * 60, max_wait=0.15, backoff=0.05)
    assert isinstance(problem, ProviderError)
    assert "gave up after" in str(problem)


def test_a_reply_that_comes_too_late_is_asked_again_and_ends_as_provider_error() -> None:
    late = Answer(200, completion("x"), hang=60.0)
    call = ask(late, timeout=1.0)
    assert (call.text, call.attempts > 1) == ("heard: hello", True)  # a busy machine may be late once more
    problem = failed(*[late] * 60, timeout=0.1, max_wait=0.15, backoff=0.05)
    assert isinstance(problem, ProviderError)
    assert "gave up after" in str(problem)
    assert "asks to wait" not in str(problem)


def test_a_refused_connection_is_a_fault() -> None:
    client = HttpClient("openai/test", base_url="http://127.0.0.1:9/v1", max_wait=20.0, backoff=60.0)
    with pytest.raises(ProviderError, match="the connection failed"):
        client.complete(HELLO)
    client.close()


HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
DRIPS = {
    "status": (b"HTTP/1.1 200 ", b"a", 0.05),
    "headers": (HEAD + b"X-Long: ", b"a", 0.05),
    "early hints": (b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 9, 0.0),
    "slow hints": (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n", 0.05),
    "continue": (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 9, 0.0),
    "body": (HEAD + b"Content-Length: 9000000\r\n\r\n", b" ", 0.05),
    "chunks": (CHUNKED, b"1\r\n \r\n", 0.05),
    "chunk header": (CHUNKED + b"5;x=", b"a", 0.05),
    "trailers": (CHUNKED + b"2\r\n{}\r\n0\r\nX-Long: ", b"a", 0.05),
}
"""Replies without an end: what they begin with, what follows for ever, and the pause in between."""


@pytest.mark.parametrize("drip", DRIPS)
def test_a_reply_without_an_end_is_over_at_the_timeout_and_holds_no_thread(drip: str) -> None:
    with Dripping(*DRIPS[drip]) as server:
        client = HttpClient("openai/test", base_url=server.url, timeout=1.0, max_wait=1.0, backoff=60.0)
        problem = ends(lambda: client.complete(HELLO))
        assert isinstance(problem, ProviderError)
        assert "no reply within 1 s" in str(problem)
        until = time.monotonic() + 30
        while any(thread.name == "ibench-call" for thread in threading.enumerate()) and time.monotonic() < until:
            time.sleep(0.05)
        assert time.monotonic() < until
        client.close()


def test_a_connection_that_comes_after_its_call_was_cut_is_closed() -> None:
    with Loopback() as server:
        call, connections = _Call(), Connections(server.url, {})
        opened: list[Any] = []
        told = call.trace

        def cut_late(event: str, details: Mapping[str, Any]) -> None:
            if event.endswith("connect_tcp.complete"):
                opened.append(details["return_value"].get_extra_info("socket"))
                call.cut()
            told(event, details)

        call.trace = cut_late  # type: ignore[method-assign]
        with pytest.raises(httpx.ConnectError, match="nobody waits any more"):
            connections.post(f"{server.url}/chat/completions", b"{}", 5.0, call)
        assert [one.fileno() for one in opened] == [-1]


def test_all_tries_of_a_reply_without_an_end_are_over_when_no_more_waiting_is_allowed() -> None:
    with Dripping(*DRIPS["headers"]) as server:
        client = HttpClient("openai/test", base_url=server.url, timeout=0.5, max_wait=3.0, backoff=0.1)
        problem = ends(lambda: client.complete(HELLO))
        client.close()
    assert "gave up after" in str(problem)
    assert server.connections > 1


def test_a_reply_that_unpacks_to_too_much_is_a_fault_before_it_is_in_memory() -> None:
    bomb = gzip.compress(b" " * (200 << 20), 1)
    for body, encoding, words in (
        (bomb, "gzip", "the reply is too large"),
        (gzip.compress(bomb), "gzip, gzip", "the reply comes as 'gzip, gzip'"),
        (b"no gzip", "gzip", "the reply is no gzip"),
    ):
        tracemalloc.start()
        try:
            problem = failed(Answer(200, body, {"Content-Encoding": encoding}), max_wait=60.0, backoff=600.0)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert words in str(problem)
        assert peak < 128 << 20


def test_a_reply_in_gzip_is_read() -> None:
    body = gzip.compress(json.dumps(completion("packed")).encode())
    with endpoint(Answer(200, body, {"Content-Encoding": "gzip"})) as (server, client):
        assert client.complete(HELLO).text == "packed"
    assert server.headers[0]["accept-encoding"] == "gzip"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_a_fault_and_the_key_stays(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SETTING", KEY)
    body = {"error": {"message": "invalid api key; maximum context length"}}
    with Loopback() as elsewhere, Redirecting(status, f"{elsewhere.url}/chat/completions?k={KEY}", body) as server:
        client = HttpClient("openai/test", base_url=server.url, api_key_env="MY_SETTING", timeout=20.0)
        problem = ends(lambda: client.complete(HELLO))
        client.close()
    assert type(problem) is ProviderError
    assert f"HTTP {status}: the endpoint redirects" in str(problem)
    assert KEY not in str(problem)
    assert (len(server.bodies), elsewhere.connections) == (1, 0)


def test_a_key_that_the_endpoint_repeats_reaches_no_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SETTING", KEY)
    body = completion(f"<ask>{KEY}?</ask> Authorization: Bearer {KEY}", finish=f"stop {KEY}") | {"model": KEY}
    with endpoint(Answer(200, body), api_key_env="MY_SETTING") as (_, client):
        call = client.complete(HELLO)
    assert call.text == "<ask>***?</ask> Authorization: Bearer ***"
    assert (call.finish_reason, call.model_version) == ("stop ***", "***")


def test_a_word_in_place_of_a_key_may_be_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SETTING", "none")
    assert ask(Answer(200, completion("none of it")), api_key_env="MY_SETTING").text == "none of it"


def test_a_reply_above_a_million_characters_is_cut_and_says_how_long_it_was() -> None:
    fits, long = "é" * LONGEST_REPLY, "<ask>?</ask>" + "é" * LONGEST_REPLY
    call = ask(Answer(200, completion(fits)))
    assert call.text == fits
    call = ask(Answer(200, completion(long) | {"model": "m" * 10**6}))
    assert (call.finish_reason, call.attempts) == ("stop", 1)
    assert call.text == f"{long[:LONGEST_REPLY]}\n[cut: 1,048,588 characters]"
    assert call.model_version == "m" * 200


def test_a_body_without_end_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interactive_envs.llm.http.LARGEST_BODY", 1000)
    assert "the reply is too large" in str(failed(Answer(200, b" " * 5000), max_wait=20.0, backoff=60.0))


@pytest.mark.parametrize("pause", ["0.2", "soon"])
def test_retry_after_is_honoured(pause: str) -> None:
    value = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 3)) if pause == "soon" else pause
    call = ask(Answer(429, {"error": {"message": "wait"}}, {"Retry-After": value}))
    assert call.attempts == 2
    assert call.latency >= 0.2


@pytest.mark.parametrize("value", ["nan", "-5", "tomorrow", "Mon, 99 Foo 2020"])
def test_a_senseless_retry_after_is_ignored(value: str) -> None:
    assert ask(Answer(429, {}, {"Retry-After": value})).latency < 10


def test_a_wait_longer_than_the_cap_ends_the_call_at_once() -> None:
    problem = failed(Answer(429, {"error": {"message": "wait"}}, {"Retry-After": "3600"}), max_wait=10.0)
    assert "asks to wait 3600 s" in str(problem)
    assert "max_wait is 10 s" in str(problem)


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (error(400, "malformed"), ProviderError, "HTTP 400: malformed"),
        (Answer(422, {"detail": [{"loc": ["body"]}]}), ProviderError, "HTTP 422"),
        (Answer(405, b""), ProviderError, "HTTP 405"),
        (Answer(302, b"", {"Location": "http://127.0.0.1:9/"}), ProviderError, "HTTP 302"),
        (error(402, "pay first"), ProviderError, "no credit left"),
        (error(429, "You exceeded your current quota", code="insufficient_quota"), ProviderError, "no credit left"),
        (error(403, "Your input was flagged", code="moderation"), ProviderError, "filter refused"),
        (error(400, "filtered", code="content_filter"), ProviderError, "filter refused"),
        (error(401, "Incorrect API key provided"), ConfigError, "api_key_env=NAME"),
        (error(403, "no access"), ConfigError, "refused the credentials"),
        (Answer(400, {"code": "bad", "error": "Incorrect API key provided: x***y"}), ConfigError, "credentials"),
        (error(404, "The model `test` does not exist"), ConfigError, "check its name and base_url"),
        (error(400, "Model Not Exist", code="model_not_found"), ConfigError, "check its name"),
        (error(500, "image input is not supported"), ConfigError, "takes no images"),
        (error(400, "Invalid 'temperature': too high", param="temperature"), ConfigError, "'temperature'"),
        (Answer(200, {"error": {"message": "bad token", "code": 401}}), ConfigError, "credentials"),
        (Answer(400, {"error": ["odd"]}), ProviderError, "odd"),
    ],
)
def test_what_another_try_cannot_mend_is_asked_once(answer: Answer, kind: type[Exception], words: str) -> None:
    request = CompletionRequest(HELLO.messages, {"temperature": 9})
    with endpoint(answer) as (server, client):
        with pytest.raises(kind) as caught:
            client.complete(request)
        assert words in str(caught.value)
        assert len(server.bodies) == 1


@pytest.mark.parametrize("status", [401, 403, 404])
def test_what_a_client_that_worked_is_refused_is_a_fault_of_one_try(status: int) -> None:
    with endpoint(Answer(200, completion("hi")), error(status, "no")) as (server, client):
        client.complete(HELLO)
        with pytest.raises(ProviderError):
            client.complete(HELLO)
        assert len(server.bodies) == 2


def test_a_fault_names_the_empty_replies_that_were_paid_for() -> None:
    empty = Answer(200, completion("", prompt=10))
    problem = failed(empty, empty, error(400, "malformed"), price=Price(0.5, 1.0, 0.5, 1.0))
    assert isinstance(problem, ProviderError)
    assert [(call.usage, call.cost, call.attempts) for call in problem.calls] == [(Usage(20, 0), 10.0, 3)]
    unpaid = failed(error(400, "malformed"))
    assert isinstance(unpaid, ProviderError)
    assert unpaid.calls == ()


@pytest.mark.parametrize(
    "answer",
    [
        error(400, "This model's maximum context length is 10 tokens.", code="context_length_exceeded"),
        error(400, "prompt is too long: 210000 tokens"),
        Answer(413, {"error": "Please reduce the length of the messages"}),
    ],
)
def test_an_overflow_of_the_context_has_an_error_of_its_own(answer: Answer) -> None:
    problem = failed(answer)
    assert isinstance(problem, ContextOverflowError)
    assert "trim the history" in str(problem)


def test_llama_cpp_says_how_long_the_dialogue_was() -> None:
    problem = failed(error(400, "too long", type="exceed_context_size_error", n_prompt_tokens=9000, n_ctx=8192))
    assert isinstance(problem, ContextOverflowError)
    assert (problem.tokens, problem.limit) == (9000, 8192)


def test_a_refused_parameter_is_dropped_remembered_and_reported() -> None:
    refusal = error(
        400,
        "Unsupported value: 'temperature' does not support 0 with this model.",
        param="temperature",
        code="unsupported_value",
    )
    request = CompletionRequest(HELLO.messages, {"temperature": 0, "seed": 1})
    with endpoint(refusal) as (server, client):
        first, second = client.complete(request), client.complete(request)
        third = client.complete(HELLO)
    assert [body.keys() - {"model", "messages"} for body in server.bodies] == [
        {"temperature", "seed"},
        {"seed"},
        {"seed"},
        set(),
    ]
    assert (first.attempts, first.refused_parameters) == (2, ("temperature",))
    assert (second.attempts, second.refused_parameters) == (1, ("temperature",))
    assert third.refused_parameters == ()


def test_a_renamed_parameter_is_sent_under_its_new_name() -> None:
    refusal = error(
        400,
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        param="max_tokens",
    )
    with endpoint(refusal) as (server, client):
        call = client.complete(CompletionRequest(HELLO.messages, {"max_tokens": 5}))
    assert server.bodies[1]["max_completion_tokens"] == 5
    assert "max_tokens" not in server.bodies[1]
    assert call.refused_parameters == ("max_tokens (sent as max_completion_tokens)",)


def test_an_endpoint_that_refuses_both_names_gets_neither() -> None:
    with endpoint(
        error(400, "'max_tokens' is not supported, use max_completion_tokens"),
        error(400, "'max_completion_tokens' is not supported, use max_tokens"),
    ) as (server, client):
        call = client.complete(CompletionRequest(HELLO.messages, {"max_tokens": 5}))
    assert server.bodies[2].keys() == {"model", "messages"}
    assert call.attempts == 3


@pytest.mark.parametrize(
    ("message", "dropped"),
    [
        ("Model grok-4 does not support parameter reasoningEffort.", "reasoning_effort"),
        ("property 'stop' is unsupported", "stop"),
        ("Extra inputs are not permitted, field: 'seed'", "seed"),
    ],
)
def test_refusals_are_read_in_the_words_of_several_providers(message: str, dropped: str) -> None:
    request = CompletionRequest(HELLO.messages, {"reasoning_effort": "low", "stop": ["x"], "seed": 1})
    assert ask(Answer(400, {"error": message}), request=request).refused_parameters == (dropped,)


def test_an_everyday_word_in_an_error_names_no_parameter() -> None:
    request = CompletionRequest(HELLO.messages, {"stop": ["x"]})
    problem = failed(error(400, "unexpected: please stop sending this"), request=request)
    assert isinstance(problem, ProviderError)


def test_a_schema_is_sent_as_response_format_and_dropped_where_refused() -> None:
    schema = {"type": "object", "additionalProperties": False}
    request = CompletionRequest(HELLO.messages, constraint=Constraint(choices=("a", "b"), json_schema=schema))
    with endpoint(error(400, "Invalid schema", param="response_format")) as (server, client):
        call = client.complete(request)
    assert server.bodies[0]["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "reply", "schema": schema, "strict": True},
    }
    assert "response_format" not in server.bodies[1]
    assert call.refused_parameters == ("response_format",)


def test_a_grammar_is_sent_only_where_the_endpoint_takes_one() -> None:
    choices = CompletionRequest(HELLO.messages, constraint=Constraint(choices=("<ask>1</ask>", 'say "no"\n')))
    grammar = CompletionRequest(HELLO.messages, constraint=Constraint(grammar='root ::= "a"', choices=("b",)))
    with endpoint(grammar=True) as (server, client):
        client.complete(choices)
        client.complete(grammar)
    assert server.bodies[0]["grammar"] == 'root ::= "<ask>1</ask>" | "say \\"no\\"\\n"'
    assert server.bodies[1]["grammar"] == 'root ::= "a"'
    with endpoint() as (server, client):
        client.complete(grammar)
    assert server.bodies[0].keys() == {"model", "messages"}


def test_parts_pass_through() -> None:
    parts = [{"type": "text", "text": "look"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}]
    with endpoint() as (server, client):
        client.complete(CompletionRequest([{"role": "user", "content": parts}]))
    assert server.bodies[0]["messages"][0]["content"] == parts


def test_lone_surrogates_are_sent_as_question_marks() -> None:
    with endpoint() as (server, client):
        client.complete(CompletionRequest([{"role": "user", "content": "a\ud800b"}]))
    assert server.bodies[0]["messages"][0]["content"] == "a?b"


@pytest.mark.parametrize("name", ["model", "messages", "stream", "api_key"])
def test_what_the_client_sets_itself_is_no_parameter(name: str) -> None:
    with endpoint() as (_, client), pytest.raises(ConfigError, match=f"parameter '{name}' cannot be set"):
        client.complete(CompletionRequest(HELLO.messages, {"extra_body": {name: "x"}}))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"model": "gpt-5-mini"}, "write provider/name"),
        ({"model": "opnai/gpt-5-mini"}, "did you mean 'openai'"),
        ({"model": "xai/grok-4"}, "set XAI_API_KEY"),
        ({"base_url": "ftp://x/v1"}, "must start with http"),
        ({"base_url": 5}, "must start with http"),
        ({"base_url": f"http://user:{KEY}@host/v1"}, "must hold no key"),
        ({"base_url": f"http://host/v1?key={KEY}"}, "must hold no key"),
        ({"timeout": 0}, "timeout must be a positive number"),
        ({"max_wait": "long"}, "max_wait must be a positive number"),
        ({"backoff": True}, "backoff must be a positive number"),
        ({"api_key_env": "MY_ODD_VARIABLE"}, "characters no key has"),
    ],
)
def test_a_client_that_cannot_work_says_why(
    arguments: dict[str, Any], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XAI_API_KEY", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("MY_ODD_VARIABLE", f"{KEY}\nX-Evil: 1")
    with pytest.raises(ConfigError) as caught:
        HttpClient(**({"model": "openai/test"} | arguments))
    assert words in str(caught.value)
    assert KEY not in str(caught.value)


def test_an_unknown_provider_with_a_base_url_is_fine() -> None:
    with Loopback() as server:
        client = HttpClient("mine/test", base_url=server.url)
        assert client.complete(HELLO).text == "heard: hello"
        client.close()


def test_a_providers_key_never_goes_to_another_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with endpoint() as (server, client):
        client.complete(HELLO)
    assert "authorization" not in server.headers[0]
    with endpoint(api_key_env="OPENAI_API_KEY") as (server, client):
        client.complete(HELLO)
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_keys_are_in_no_error_and_no_repr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SETTING", KEY)
    monkeypatch.setenv("OTHER_TOKEN", "another-secret-value")
    echo = f"you sent Bearer {KEY} and another-secret-value and sk-foreign-key-123456"
    for status in (400, 401, 404, 422, 500, 503):
        with endpoint(*[error(status, echo)] * 9, api_key_env="MY_SETTING", max_wait=5.0, backoff=60.0) as (_, client):
            with pytest.raises(IbenchError) as caught:
                client.complete(HELLO)
            told = "".join(traceback.format_exception(caught.value)) + repr(caught.value) + repr(client)
            for secret in (KEY, "another-secret-value", "foreign-key"):
                assert secret not in told


def test_a_providers_words_reach_messages_as_one_short_printable_line() -> None:
    text = str(failed(error(400, "a\nb\x1b[31m" + "c" * 1000)))
    assert "a b?[31mccc" in text
    assert "\n" not in text
    assert len(text) < 400


def test_closing_ends_a_call_that_waits_for_its_next_try() -> None:
    slow = endpoint(*[error(500, "oops")] * 9, backoff=60.0, max_wait=600.0)
    with slow as (server, client), ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(client.complete, HELLO)
        while not server.bodies:
            time.sleep(0.005)
        time.sleep(0.05)
        client.close()
        with pytest.raises(ProviderError, match="the client was closed"):
            waiting.result(timeout=30)


def test_closing_ends_calls_whose_endpoint_hangs_and_later_ones() -> None:
    with Loopback(script=[Answer(hang=900.0)] * 4) as server:
        client = HttpClient("openai/test", base_url=server.url, timeout=900.0, max_wait=900.0)
        with ThreadPoolExecutor(5) as pool:
            calls = [pool.submit(ends, lambda: client.complete(HELLO), 60.0) for _ in range(4)]
            while len(server.bodies) < 4:
                time.sleep(0.005)
            client.close()
            problems = [call.result() for call in calls]
        assert {type(problem) for problem in problems} == {ProviderError}
        assert "the client was closed during a call" in str(problems[0])
        assert client.connections.value is None
        with pytest.raises(ProviderError, match="the client was closed"):
            client.complete(HELLO)
        assert len(server.bodies) == 4


def dialogues(count: int) -> Sequence[CompletionRequest]:
    return [CompletionRequest([{"role": "user", "content": f"number {i}"}]) for i in range(count)]


def test_64_threads_keep_their_replies_apart_and_their_connections() -> None:
    with Loopback(latency=0.05) as server:
        client = HttpClient("openai/test", base_url=server.url)
        with ThreadPoolExecutor(64) as pool:
            texts = [call.text for call in pool.map(client.complete, dialogues(256))]
        client.close()
    assert texts == [f"heard: number {i}" for i in range(256)]
    assert 1 < server.connections <= 64


def test_results_under_thirty_percent_faults_equal_the_clean_runs() -> None:
    with Loopback() as clean, Loopback(fault_rate=0.3, seed=7, hang=3.0) as faulty:
        results = []
        for server in (clean, faulty):
            client = HttpClient("openai/test", base_url=server.url, timeout=1.0, max_wait=120.0, backoff=0.001)
            with ThreadPoolExecutor(16) as pool:
                results.append([(call.text, call.usage) for call in pool.map(client.complete, dialogues(200))])
            client.close()
    assert results[0] == results[1]
    assert set(faulty.served) == {"good", *FAULTS}


def test_a_forked_child_opens_connections_of_its_own() -> None:
    with Loopback() as server:
        client = HttpClient("openai/test", base_url=server.url)
        client.complete(HELLO)
        child = os.fork()
        if child == 0:
            os._exit(0 if client.complete(HELLO).text == "heard: hello" else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert client.complete(HELLO).text == "heard: hello"
        client.close()
    assert server.connections == 2


def test_the_global_random_generator_is_left_alone() -> None:
    import random

    random.seed(1)
    state = random.getstate()
    ask(error(500, "oops"))
    assert random.getstate() == state


def test_an_unknown_provider_names_the_nearest() -> None:
    with pytest.raises(UnknownNameError):
        HttpClient("grok/x")
    assert threading.active_count() < 50


def test_a_call_that_nobody_waits_for_any_more_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    post, begun, late = http.Connections.post, threading.Event(), threading.Event()

    def delayed(*given: Any) -> Any:  # as on a busy machine, on a connection that is open already
        begun.set()
        late.wait(60)
        try:
            return post(*given)
        finally:
            late.clear()

    with Loopback() as server:
        client = HttpClient("openai/fake", base_url=server.url, timeout=0.5, max_wait=0.6)
        client.complete(HELLO)
        sent = server.served.total()
        monkeypatch.setattr(http.Connections, "post", delayed)
        with pytest.raises(ProviderError, match="no reply within"):
            client.complete(HELLO)
        assert begun.is_set()
        late.set()
        until(lambda: not late.is_set(), "the end of the thread")
        assert server.served.total() == sent
