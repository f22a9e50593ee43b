"""The cache of completed calls: what is a hit, what is never stored, and what happens to a damaged file."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from interactive_envs.errors import ConfigError, ProviderError
from interactive_envs.llm.base import LONGEST_REPLY, CompletionRequest, Constraint
from interactive_envs.llm.cache import CachedClient, CallCache, default_path, request_key
from interactive_envs.llm.calls import ModelCall, Usage
from interactive_envs.llm.http import HttpClient
from tests.loopback import Answer, Loopback, completion

HELLO = CompletionRequest([{"role": "user", "content": "hello"}], {"temperature": 1}, salt=(7, 0))
KEY = "sk-test-0123456789abcdef"


def cached(server: Loopback, cache: CallCache, **options: object) -> CachedClient:
    settings = {"base_url": server.url, "backoff": 0.001, "max_wait": 20.0, "timeout": 20.0} | options
    return CachedClient(HttpClient("openai/test", **settings), cache)  # type: ignore[arg-type]


def test_a_hit_is_the_stored_call_at_no_time(tmp_path: Path) -> None:
    with Loopback(script=[Answer(500, b""), Answer(200, completion("once", prompt=9))]) as server:
        client = cached(server, CallCache(tmp_path / "a" / "calls.sqlite"))
        first, second = client.complete(HELLO), client.complete(HELLO)
        client.close()
    assert len(server.bodies) == 2
    assert (first.from_cache, first.attempts) == (False, 2)
    assert second == ModelCall(
        model="openai/test",
        messages=tuple(HELLO.messages),
        text="once",
        finish_reason="stop",
        usage=Usage(9, 1),
        model_version="fake-1",
        attempts=2,
        from_cache=True,
    )


def test_another_process_finds_what_the_first_stored(tmp_path: Path) -> None:
    path = tmp_path / "calls.sqlite"
    with Loopback() as server:
        client = cached(server, CallCache(path))
        child = os.fork()
        if child == 0:
            os._exit(1 if client.complete(HELLO).from_cache else 0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert client.complete(HELLO).from_cache
        client.close()


def test_unreadable_and_empty_play_is_stored() -> None:
    with Loopback(script=[Answer(200, completion("", finish="length"))]) as server:
        client = cached(server, CallCache())
        assert [client.complete(HELLO).text for _ in range(2)] == ["", ""]
        client.close()
    assert len(server.bodies) == 1


def test_faults_are_never_stored(tmp_path: Path) -> None:
    with Loopback(script=[Answer(200, completion(None, finish="content_filter"))] * 99) as server:
        client = cached(server, CallCache(tmp_path / "calls.sqlite"), backoff=60.0)
        with pytest.raises(ProviderError):
            client.complete(HELLO)
        client.close()
    assert stored_rows(tmp_path / "calls.sqlite") == 0


def stored_rows(path: Path) -> int:
    connection = sqlite3.connect(path)
    count = connection.execute("SELECT count(*) FROM calls").fetchone()[0]
    connection.close()
    return int(count)


def test_everything_that_decides_a_reply_is_in_the_key() -> None:
    different = [
        request_key("openai/test", "base", HELLO),
        request_key("openai/other", "base", HELLO),
        request_key("openai/test", "elsewhere", HELLO),
        request_key("openai/test", "base", CompletionRequest(HELLO.messages, {"temperature": 0}, salt=(7, 0))),
        request_key("openai/test", "base", CompletionRequest(HELLO.messages, {"temperature": 1}, salt=(7, 1))),
        request_key("openai/test", "base", CompletionRequest(HELLO.messages, {"temperature": 1}, Constraint(), (7, 0))),
        request_key("openai/test", "base", CompletionRequest([*HELLO.messages] * 2, {"temperature": 1}, salt=(7, 0))),
    ]
    assert len(set(different)) == len(different)


def test_equal_requests_have_equal_keys_in_any_process() -> None:
    request = CompletionRequest([{"content": "é\ud800", "role": "user"}], {"b": 1, "a": 2}, salt=(np.int64(3),))
    same = CompletionRequest(({"role": "user", "content": "é\ud800"},), {"a": 2, "b": 1}, salt=(3,))
    assert request_key("m", "b", request) == request_key("m", "b", same)
    constant = request_key("m", "b", CompletionRequest([]))
    assert constant == "3b8d7ed8058cef146f1419afe0dff3f3bfe0b319c4f87815ecca1541ad335833"


def test_a_request_that_is_no_json_is_the_programmers_mistake() -> None:
    with pytest.raises(TypeError, match="which is no JSON value"):
        request_key("m", "b", CompletionRequest([{"role": "user", "content": object()}]))


def test_the_file_holds_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    with Loopback() as server:
        client = cached(server, CallCache(tmp_path / "calls.sqlite"), api_key_env="MY_KEY")
        client.complete(HELLO)
        assert KEY not in repr(client)
        client.close()
    assert server.headers[0]["authorization"].endswith(KEY)
    assert all(KEY.encode() not in file.read_bytes() for file in tmp_path.iterdir())


@pytest.mark.parametrize("damage", ["text", "row"])
def test_a_damaged_file_is_one_error_with_the_remedy(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "calls.sqlite"
    if damage == "text":
        path.write_text("no database " * 1000)
    else:
        connection = sqlite3.connect(path)
        connection.execute("CREATE TABLE calls (key TEXT PRIMARY KEY, value TEXT NOT NULL)")
        key = request_key("openai/test", "http://127.0.0.1:1/v1", HELLO)
        connection.execute("INSERT INTO calls VALUES (?, ?)", (key, json.dumps({"usage": 3})))
        connection.commit()
        connection.close()
    cache = CallCache(path)
    client = CachedClient(HttpClient("openai/test", base_url="http://127.0.0.1:1/v1"), cache)
    with pytest.raises(ConfigError, match=r"calls\.sqlite cannot be used .*; delete it, set IBENCH_CACHE"):
        client.complete(HELLO)
    client.close()


def test_a_folder_that_cannot_be_made_is_the_same_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = CallCache(tmp_path / "file" / "calls.sqlite")
    with pytest.raises(ConfigError, match="set IBENCH_CACHE to another file"):
        cache.get("key")
    with pytest.raises(ConfigError, match="set IBENCH_CACHE to another file"):
        cache.put("key", ModelCall("m", (), "x"))


def test_nobody_else_may_read_the_cache(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        cache = CallCache(tmp_path / "new" / "folder" / "calls.sqlite")
        cache.put("key", ModelCall("m", (), "x"))
        modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "new").rglob("*")}
        cache.close()
    finally:
        os.umask(before)
    files = ("calls.sqlite", "calls.sqlite-wal", "calls.sqlite-shm")
    assert modes == {"folder": 0o700, **dict.fromkeys(files, 0o600)}
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700


def test_a_cut_reply_is_kept_as_cut(tmp_path: Path) -> None:
    with Loopback(script=[Answer(200, completion("é" * (2 * LONGEST_REPLY)))]) as server:
        client = cached(server, CallCache(tmp_path / "calls.sqlite"))
        first, second = client.complete(HELLO), client.complete(HELLO)
        client.close()
    assert (first.text, second.from_cache) == (second.text, True)
    assert second.text.endswith("[cut: 2,097,152 characters]")


def test_threads_that_ask_the_same_at_once_pay_once() -> None:
    with Loopback(latency=0.1) as server:
        client = cached(server, CallCache())
        with ThreadPoolExecutor(32) as pool:
            calls = list(pool.map(lambda _: client.complete(HELLO), range(32)))
        client.close()
    assert len(server.bodies) == 1
    assert sum(not call.from_cache for call in calls) == 1
    assert {call.text for call in calls} == {"heard: hello"}


def test_a_thread_that_waited_for_a_fault_asks_itself() -> None:
    bad, good = Answer(400, {"error": "no"}, hang=0.3), Answer(200, completion("good"))
    with Loopback(script=[bad, good]) as server:
        client = cached(server, CallCache())
        results: list[str] = []

        def ask() -> None:
            try:
                results.append(client.complete(HELLO).text)
            except ProviderError:
                results.append("fault")

        threads = [threading.Thread(target=ask) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        client.close()
    assert sorted(results) == ["fault", "good"]


def test_64_threads_write_one_file(tmp_path: Path) -> None:
    cache = CallCache(tmp_path / "calls.sqlite")
    with ThreadPoolExecutor(64) as pool:
        list(pool.map(lambda i: cache.put(f"key {i}", ModelCall("m", (), f"text {i}")), range(640)))
        texts = [call.text if call else None for call in pool.map(lambda i: cache.get(f"key {i}"), range(640))]
    cache.close()
    assert texts == [f"text {i}" for i in range(640)]


def test_what_is_stored_first_stays(tmp_path: Path) -> None:
    cache = CallCache(tmp_path / "calls.sqlite")
    cache.put("key", ModelCall("m", (), "first", refused_parameters=("seed",)))
    cache.put("key", ModelCall("m", (), "second"))
    call = cache.get("key")
    cache.close()
    assert call is not None
    assert (call.text, call.refused_parameters) == ("first", ("seed",))


def test_the_file_is_in_the_home_folder_unless_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("IBENCH_CACHE", str(tmp_path / "x"))
    assert default_path() == tmp_path / "x"
    monkeypatch.delenv("IBENCH_CACHE")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_path() == tmp_path / ".cache" / "ibench" / "calls.sqlite"
