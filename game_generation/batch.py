"""Requests and replies as files, in the batch format of the providers: one JSON object a line with a ``custom_id``.

A batch costs half at the providers, works with a model that has no interface of its own, and lets anybody run the same
candidates again without a key.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interactive_envs.errors import ConfigError
from interactive_envs.llm.calls import Usage
from interactive_envs.system import files
from interactive_envs.system.disk import write_atomically

MOST_BYTES = 1 << 30
"""Of a file of replies."""


@dataclass(frozen=True)
class Reply:
    """What a model sent back.

    Attributes:
        text: the whole of it; empty for a call that failed.
        model: the name that the provider answered with.
        finish: the provider's word, ``stop`` or ``length`` for most.
        usage: tokens.
        cost: US dollars, None where the price is unknown.
        fault: why there is no reply; empty where there is one. A fault is nobody's mistake: the call is made again.
    """

    text: str
    model: str = ""
    finish: str = "stop"
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    fault: str = ""


def write_requests(path: Path, requests: Iterable[tuple[str, Mapping[str, Any]]]) -> int:
    """Write a file of requests, each with its id and the body of a chat completion; returns how many there are."""
    lines = [
        json.dumps(
            {"custom_id": custom_id, "method": "POST", "url": "/v1/chat/completions", "body": body}, ensure_ascii=False
        )
        for custom_id, body in requests
    ]
    write_atomically(path, "".join(f"{line}\n" for line in lines))
    return len(lines)


def read_replies(path: Path) -> dict[str, Reply]:
    """Read a file of replies by their ids: OpenAI's batch output, or lines of ``custom_id`` and ``text``.

    Raises:
        ConfigError: the file cannot be read, or a line is no reply.
    """
    replies: dict[str, Reply] = {}
    try:
        lines = files.read_text(path, largest=MOST_BYTES).splitlines()
    except (OSError, ValueError) as error:
        raise ConfigError(f"no replies can be read at {path}: {error}") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            custom_id, reply = _reply(entry)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
            raise ConfigError(
                f"{path}, line {number} is no reply: it needs custom_id, and text or the response of a batch "
                f"({type(error).__name__}: {error})"
            ) from error
        replies[custom_id] = reply
    return replies


def _reply(entry: Mapping[str, Any]) -> tuple[str, Reply]:
    custom_id = entry["custom_id"]
    if not isinstance(custom_id, str):
        raise TypeError(f"custom_id must be a text, got {custom_id!r}")
    if "text" in entry:
        return custom_id, Reply(_text(entry["text"]), str(entry.get("model", "")), str(entry.get("finish", "stop")))
    if entry.get("error"):
        return custom_id, Reply("", fault=str(entry["error"]))
    response = entry["response"]
    if response["status_code"] != 200:
        return custom_id, Reply("", fault=f"status {response['status_code']}")
    body = response["body"]
    choice, usage = body["choices"][0], body.get("usage") or {}
    tokens = Usage(int(usage.get("prompt_tokens", 0)), int(usage.get("completion_tokens", 0)))
    text = _text(choice["message"].get("content") or "")
    return custom_id, Reply(text, str(body.get("model", "")), str(choice.get("finish_reason", "stop")), tokens)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a reply is a text, got {type(value).__name__}")
    return value
