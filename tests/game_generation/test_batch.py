"""Requests and replies in the providers' batch format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from interactive_envs.errors import ConfigError
from interactive_envs.game_generation.batch import Reply, read_replies, write_requests
from interactive_envs.llm.calls import Usage


def test_requests_are_lines_that_a_batch_takes(tmp_path: Path) -> None:
    body = {"model": "gpt-5-mini", "messages": [{"role": "user", "content": "Ein Spiel für zwei."}]}
    assert write_requests(tmp_path / "requests.jsonl", [("game-0001-write-0", body)]) == 1
    (line,) = (tmp_path / "requests.jsonl").read_text("utf-8").splitlines()
    assert json.loads(line) == {
        "custom_id": "game-0001-write-0",
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": body,
    }


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
    ]
    (tmp_path / "replies.jsonl").write_text("\n\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert read_replies(tmp_path / "replies.jsonl") == {
        "a": Reply("Hello", "gpt-5-mini-2026", "length", Usage(7, 2)),
        "b": Reply("", fault="{'code': 'batch_expired'}"),
        "c": Reply("", fault="status 500"),
        "d": Reply("by hand"),
    }


@pytest.mark.parametrize(
    "line", ["no JSON", "[]", '{"text": "x"}', '{"custom_id": 3, "text": "x"}', '{"custom_id": "a", "text": 3}']
)
def test_a_line_that_is_no_reply_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "replies.jsonl").write_text(f'{{"custom_id": "a", "text": "x"}}\n{line}\n', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"replies.jsonl, line 2 is no reply: it needs custom_id, and text or"):
        read_replies(tmp_path / "replies.jsonl")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no replies can be read at"):
        read_replies(tmp_path / "none.jsonl")
