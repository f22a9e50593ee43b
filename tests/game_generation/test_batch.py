"""Requests and replies in the providers' batch format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from interactive_envs.errors import ConfigError
from interactive_envs.game_generation.batch import Reply, read_replies, request_line, write_requests
from interactive_envs.llm.calls import Usage


def test_requests_are_lines_that_a_batch_takes(tmp_path: Path) -> None:
    talk = [{"role": "user", "content": "Ein Spiel für zwei."}]
    write_requests(tmp_path / "requests.jsonl", [request_line("game-0001-write-0", "openai/gpt-5-mini", talk, {})])
    (line,) = (tmp_path / "requests.jsonl").read_text("utf-8").splitlines()
    assert json.loads(line) == {
        "custom_id": "game-0001-write-0",
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": {"model": "gpt-5-mini", "messages": talk},
    }


def test_replies_of_anthropics_batches_are_read(tmp_path: Path) -> None:
    usage = {"input_tokens": 7, "cache_read_input_tokens": 3, "output_tokens": 2}
    parts = [{"type": "thinking", "thinking": "…"}, {"type": "text", "text": "Hel"}, {"type": "text", "text": "lo"}]
    message = {"model": "claude-opus", "content": parts, "stop_reason": "max_tokens", "usage": usage}
    results = {
        "a": {"type": "succeeded", "message": message},
        "b": {"type": "succeeded", "message": message | {"stop_reason": "end_turn", "usage": None}},
        "c": {"type": "expired"},
        "d": {
            "type": "errored",
            "error": {"type": "error", "error": {"type": "overloaded_error", "message": "Later."}},
        },
    }
    lines = [{"custom_id": name, "result": result} for name, result in results.items()]
    (tmp_path / "replies.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert read_replies([tmp_path / "replies.jsonl"]) == {
        "a": Reply("Hello", "claude-opus", "length", Usage(10, 2, cached=3)),
        "b": Reply("Hello", "claude-opus", "stop"),
        "c": Reply("", fault="expired"),
        "d": Reply("", fault="overloaded_error: Later."),
    }


@pytest.mark.parametrize(
    ("message", "finish", "read"),
    [
        ({"content": None, "refusal": "I'm sorry."}, "stop", Reply("I'm sorry.")),
        ({"content": [{"type": "text", "text": "Hello"}]}, "stop", Reply("Hello")),
        ({"content": "a"}, "content_filter", Reply("", fault="the provider ended the reply with 'content_filter'")),
        ({"content": 3}, "stop", Reply("", fault="the body is no chat completion: its content is no text")),
        ({"content": "half \ud83d"}, "stop", Reply("half ?")),
        ({"content": "a\u2028b\u0085c"}, "stop", Reply("a\u2028b\u0085c")),
    ],
)
def test_an_odd_reply_of_a_batch_is_read_or_a_fault_of_its_own(
    tmp_path: Path, message: Any, finish: str, read: Reply
) -> None:
    body = {"choices": [{"message": message, "finish_reason": finish}]}
    line = json.dumps({"custom_id": "a", "response": {"status_code": 200, "body": body}})
    if "\u2028" in str(message):
        line = json.dumps(json.loads(line), ensure_ascii=False)
    (tmp_path / "replies.jsonl").write_text(line, encoding="utf-8")
    assert read_replies([tmp_path / "replies.jsonl"]) == {"a": read}


def test_replies_of_a_batch_are_read_with_tokens_endings_and_faults(tmp_path: Path) -> None:
    body = {
        "model": "gpt-5-mini-2026",
        "choices": [{"message": {"content": "Hello"}, "finish_reason": "length"}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 2},
    }
    lines: list[Any] = [
        {"custom_id": "a", "response": {"status_code": 200, "body": body}, "error": None},
        {"custom_id": "b", "response": None, "error": {"code": "batch_expired"}},
        {"custom_id": "c", "response": {"status_code": 500, "body": {}}},
        {"custom_id": "d", "text": "by hand"},
        {"custom_id": "e", "response": {"status_code": 400, "body": {"error": {"message": "Too long."}}}},
    ]
    (tmp_path / "replies.jsonl").write_text("\n\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert read_replies([tmp_path / "replies.jsonl"]) == {
        "a": Reply("Hello", "gpt-5-mini-2026", "length", Usage(7, 2)),
        "b": Reply("", fault="batch_expired"),
        "c": Reply("", fault="status 500"),
        "d": Reply("by hand"),
        "e": Reply("", fault="status 400: Too long."),
    }


@pytest.mark.parametrize(
    "line", ["no JSON", "[]", '{"text": "x"}', '{"custom_id": 3, "text": "x"}', '{"custom_id": "a", "text": 3}']
)
def test_a_line_that_is_no_reply_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "replies.jsonl").write_text(f'{{"custom_id": "a", "text": "x"}}\n{line}\n', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"replies.jsonl, line 2 is no reply: it needs custom_id, and text or"):
        read_replies([tmp_path / "replies.jsonl"])


def test_a_call_that_failed_takes_no_reply_away(tmp_path: Path) -> None:
    said, failed = '{"custom_id": "a", "text": "x"}', '{"custom_id": "a", "error": {"code": "batch_expired"}}'
    one, other = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    one.write_text("\n".join(["\ufeff" + failed, said, failed]), encoding="utf-8")
    other.write_text(f"{failed}\n{said}", encoding="utf-8")
    assert read_replies([one, other]) == {"a": Reply("x")}
    other.write_text('\n{"custom_id": "a", "text": "y"}', encoding="utf-8")
    with pytest.raises(
        ConfigError, match=r"2.jsonl, line 2 is a second reply to a, other than the first; leave one out"
    ):
        read_replies([one, other])


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no replies can be read at"):
        read_replies([tmp_path / "none.jsonl"])
