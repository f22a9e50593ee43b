"""Requests and replies as files, in the batch format of the providers: one JSON object a line with a ``custom_id``.

A batch costs half at the providers, works with a model that has no interface of its own, and lets anybody run the same
candidates again without a key.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interactive_envs.errors import ConfigError
from interactive_envs.llm.calls import Usage
from interactive_envs.llm.retry import TransientError, plain, read_reply
from interactive_envs.system import files
from interactive_envs.system.disk import write_atomically
from interactive_envs.system.files import make_private_folder

MOST_BYTES = 1 << 30
"""Of a file of replies."""
MOST_TOKENS = 16_000
"""Of a reply of Anthropic's, which wants a limit; the longest files here have about 5,000."""


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


def request_line(
    custom_id: str, spec: str, messages: Sequence[Mapping[str, Any]], parameters: Mapping[str, Any]
) -> dict[str, Any]:
    """A line of a file of requests: Anthropic's form for its models, and OpenAI's, which others read too.

    Args:
        custom_id: of the request.
        spec: of the model, ``provider/name``; the provider is whoever the file is sent to.
        messages: the talk so far.
        parameters: of the model.
    """
    provider, _, name = spec.partition("/")
    name = name or spec
    if provider != "anthropic":
        body = {"model": name, "messages": list(messages), **parameters}
        return {"custom_id": custom_id, "method": "POST", "url": "/v1/chat/completions", "body": body}
    system = "\n\n".join(str(one["content"]) for one in messages if one["role"] == "system")
    talk = [one for one in messages if one["role"] != "system"]
    params = {"model": name, "max_tokens": MOST_TOKENS, "system": system, "messages": talk, **parameters}
    return {"custom_id": custom_id, "params": params}


def write_requests(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    """Write a file of requests, each as :func:`request_line` has it; its folder is made where there is none."""
    make_private_folder(path.parent)
    write_atomically(path, "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines))


def read_replies(paths: Iterable[Path]) -> dict[str, Reply]:
    """Read files of replies by their ids: a batch's output in OpenAI's or Anthropic's form, or ids with a ``text``.

    A call that failed in one batch and was answered in another one is answered.

    Raises:
        ConfigError: a file cannot be read, a line is no reply, or two replies with one id differ.
    """
    replies: dict[str, Reply] = {}
    for path in paths:
        for number, (custom_id, reply) in _lines(path):
            known = replies.get(custom_id)
            if known is not None and not known.fault:
                if not reply.fault and reply.text != known.text:
                    raise ConfigError(
                        f"{path}, line {number} is a second reply to {custom_id}, other than the first; leave one out"
                    )
                continue
            replies[custom_id] = reply
    return replies


def _lines(path: Path) -> Iterator[tuple[int, tuple[str, Reply]]]:
    try:
        text = files.read_text(path, largest=MOST_BYTES).removeprefix("\ufeff")  # some editors begin a file with it
    except OSError as error:
        raise ConfigError(f"no replies can be read at {path}: {error.strerror or error}") from error
    except ValueError as error:
        raise ConfigError(f"no replies can be read at {path}: {error}") from error
    for number, line in enumerate(text.split("\n"), 1):  # a line separator in a text ends no line
        if not line.strip():
            continue
        try:
            found = _reply(json.loads(line))
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
            why = f"{error.msg} at character {error.pos + 1}" if isinstance(error, json.JSONDecodeError) else str(error)
            raise ConfigError(
                f"{path}, line {number} is no reply: it needs custom_id, and text or the response of a batch "
                f"({type(error).__name__}: {why})"
            ) from error
        yield number, found


def _reply(entry: Mapping[str, Any]) -> tuple[str, Reply]:
    custom_id = entry["custom_id"]
    if not isinstance(custom_id, str):
        raise TypeError(f"custom_id must be a text, got {custom_id!r}")
    if "text" in entry:
        model, finish = str(entry.get("model", "")), str(entry.get("finish", "stop"))
        return custom_id, Reply(_text(entry["text"]), plain(model), plain(finish))
    if "result" in entry:
        return custom_id, _of_anthropic(entry["result"])
    if entry.get("error"):
        return custom_id, Reply("", fault=_why(entry["error"]))
    response = entry["response"]
    if response["status_code"] != 200:
        body = response.get("body")
        told = body.get("error") if isinstance(body, dict) else None
        return custom_id, Reply("", fault=f"status {response['status_code']}{f': {_why(told)}' if told else ''}")
    try:
        read = read_reply(response["body"])
    except TransientError as error:
        return custom_id, Reply("", fault=str(error))
    return custom_id, Reply(read.text, read.model_version or "", read.finish_reason or "stop", read.usage)


def _of_anthropic(result: Mapping[str, Any]) -> Reply:
    """A result of a batch of messages; one that was cancelled, or came to no message, is a fault."""
    if result["type"] != "succeeded":
        return Reply("", fault=_why(result.get("error") or result["type"]))
    message = result["message"]
    text = "".join(_text(part["text"]) for part in message["content"] if part["type"] == "text")
    counts = message.get("usage") or {}
    cached = int(counts.get("cache_read_input_tokens") or 0)
    sent = cached + int(counts.get("input_tokens") or 0) + int(counts.get("cache_creation_input_tokens") or 0)
    usage = Usage(sent, int(counts.get("output_tokens") or 0), cached=cached)
    reason = str(message.get("stop_reason") or "end_turn")
    return Reply(text, plain(str(message.get("model", ""))), _ENDINGS.get(reason, plain(reason)), usage)


def _why(error: Any) -> str:
    """What a provider says about a call that failed, in its words."""
    while isinstance(error, dict) and isinstance(error.get("error"), dict):  # Anthropic's has another one inside
        error = error["error"]
    if not isinstance(error, dict):
        return plain(str(error))
    words = [str(error[name]) for name in ("code", "type", "message") if error.get(name)]
    return plain(": ".join(words) or str(error))


_ENDINGS = {"end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length"}
"""Anthropic's words for how a reply ended, and the usual ones."""


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a reply is a text, got {type(value).__name__}")
    return plain(value)
