"""An episode as a sample of inspect_ai, in plain JSON values: messages, events, scores, usage; a fault as its error."""

from __future__ import annotations

import datetime
import hashlib
import itertools
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from interactive_envs.llm.calls import Usage
from interactive_envs.llm.retry import plain_values
from interactive_envs.outcome import Outcome
from interactive_envs.reporting.records import CallRecord, EpisodeRecord, Step
from interactive_envs.seeds import canonical_json

Json: TypeAlias = dict[str, Any]

STOP_REASONS = {
    "stop": "stop",
    "length": "max_tokens",
    "tool_calls": "tool_calls",
    "content_filter": "content_filter",
}
"""What inspect_ai calls a provider's ``finish_reason``; any other is ``unknown`` there."""
UNSCORED = "approximate judge"
"""Why an episode with the outcome ``unscored`` has no score."""
NOT_PLAYED = "(no episode: infrastructure broke every attempt; see the error)"
"""Stands where a sample has its input."""


@dataclass(frozen=True)
class Broken:
    """An episode that infrastructure broke for good.

    Attributes:
        case_index: position of the case in the environment's order.
        epoch: how often the cases were walked before.
        faults: of every attempt its kind and message, in order.
    """

    case_index: int
    epoch: int
    faults: tuple[tuple[str, str], ...]


def identifier(*parts: Any) -> str:
    """A name of 22 letters, as long as inspect_ai's own: equal parts have equal names, so that exports repeat."""
    return hashlib.sha256(canonical_json(parts).encode("utf-8", "replace")).hexdigest()[:22]


def chat(message: Mapping[str, Any], **more: Any) -> Json:
    """A message of ours as one of inspect_ai's: pictures are parts of their own kind, all else stays text.

    Args:
        message: ``{"role", "content"}``, the content a text or parts as in the OpenAI API.
        more: further fields, such as ``id`` and ``metadata``.
    """
    content = message["content"]
    parts = content if isinstance(content, str) else list(map(_part, content))
    return {"role": message["role"], "content": parts, **more}


def usage_json(usage: Usage, cost: float | None) -> Json:
    """Tokens as inspect_ai counts them: what was read from the provider's cache stands apart from the input."""
    return {
        "input_tokens": usage.prompt - usage.cached,
        "output_tokens": usage.completion,
        "total_tokens": usage.prompt + usage.completion,
        "input_tokens_cache_read": usage.cached or None,
        "reasoning_tokens": usage.reasoning or None,
        "total_cost": cost,
    }


def scores_of(outcome: str, reward: float, turns: int, invalid: int, won_by: str | None, answer: str | None) -> Json:
    """The scores of an episode by name: ``reward``, ``success``, ``turns`` and ``invalid``.

    An episode that is unscored has NaN as reward and success, which inspect_ai keeps out of every mean. Of one that is
    paid rather than solved (outcome ``scored``) there is no success. A win by a forced final is none, as in reports.
    """
    said = f"outcome: {outcome}" + (f", won by: {won_by}" if won_by else "")
    unscored = outcome == Outcome.UNSCORED
    values: dict[str, float] = {"reward": reward, "turns": turns, "invalid": invalid}
    if outcome != Outcome.SCORED:
        values["success"] = float(outcome == Outcome.SUCCESS and won_by != "forced")
    scores: Json = {}
    for name in ("reward", "success", "turns", "invalid"):
        if name in values:
            left_out = unscored and name in ("reward", "success")
            scores[name] = {
                "value": math.nan if left_out else values[name],
                "answer": answer if name in ("reward", "success") else None,
                "explanation": said,
                "reason": UNSCORED if left_out else None,
            }
    return scores


def scores_of_record(record: EpisodeRecord) -> Json:
    """:func:`scores_of` a recorded episode; the answer is the player's last final, or its last message."""
    finals = [step.action for step in record.steps if step.kind == "final"]
    said = finals or [step.action for step in record.steps]
    answer = said[-1] if said else None
    return scores_of(record.outcome, record.reward, record.turns, record.invalid, record.won_by, answer)


def metadata_of(record: EpisodeRecord) -> Json:
    """What a record says of an episode beside its messages and scores."""
    names = ("case", "case_index", "epoch", "seed", "outcome", "turns", "won_by", "first_final", "queries", "finals")
    more = ("invalid", "abstained", "judge", "wrappers", "game", "models", "cost", "judge_cost", "paid", "versions")
    found: Json = {name: getattr(record, name) for name in (*names, *more)}
    return found | {"env_key": record.env.key, "data_sha256": record.env.data_sha256}


def dialogue_of(record: EpisodeRecord, name: str) -> list[Json]:
    """The messages of an episode, from the player's side: prompt and preface, then what it saw and what it said.

    A message of the player has as metadata how the environment read it, what it earned, and the judge's verdict.

    Args:
        record: of the episode.
        name: what the messages' ids begin with.
    """
    messages = [chat(message, id=f"{name}-p{place}") for place, message in enumerate(_prefix(record))]
    for place, step in enumerate(record.steps):
        asked: Mapping[str, Any] = {"role": "user", "content": step.observation}
        if step.calls and isinstance(_last(step)["content"], list):
            asked = _last(step)  # with the pictures that came with the text
        said = {"role": "assistant", "content": step.action}
        messages += [
            chat(asked, id=f"{name}-u{place}"),
            chat(said, id=f"{name}-a{place}", metadata=reading_of(step)),
        ]
    return [*messages, chat({"role": "user", "content": record.final_observation}, id=f"{name}-u{len(record.steps)}")]


def reading_of(step: Step) -> Json:
    """How the environment read a message of the player, and what came of it."""
    verdict = step.to_json()["verdict"]
    read: Json = {name: getattr(step, name) for name in ("kind", "valid", "reason", "reward")}
    return read | ({"verdict": verdict} if verdict else {})


def sample_of(record: EpisodeRecord, model: str, faults: Sequence[tuple[str, str]] = (), run: str = "") -> Json:
    """A recorded episode as inspect_ai's ``EvalSample``.

    Args:
        record: of the episode.
        model: what inspect_ai calls the player.
        faults: of the attempts that infrastructure broke before, kind and message: they stand as retries.
        run: what tells the run from others, for the ids.
    """
    name = identifier(run, record.cell, record.case_index, record.epoch)
    ended = datetime.datetime.fromisoformat(record.ended)
    started = ended - datetime.timedelta(seconds=record.seconds)
    messages, scores = dialogue_of(record, name), scores_of_record(record)
    last = next((call for step in reversed(record.steps) for call in reversed(step.calls)), None)
    solution = record.solution
    usage = usage_json(record.tokens, record.cost)
    return _clean(
        {
            "id": record.case_index + 1,
            "epoch": record.epoch + 1,
            "uuid": name,
            "input": messages[_first_of_user(messages)]["content"],
            "target": "" if solution is None else solution if isinstance(solution, str) else canonical_json(solution),
            "messages": messages,
            "output": _said(model, record) if last is None else output_of(last),
            "scores": scores,
            "metadata": metadata_of(record),
            "events": list(_events(record, name, started, scores)),
            "model_usage": {model: usage} if record.tokens.prompt + record.tokens.completion else {},
            "role_usage": {"judge": usage_json(record.judge_tokens, record.judge_cost)}
            if record.judge_tokens.prompt + record.judge_tokens.completion
            else {},
            "started_at": started.isoformat(),
            "completed_at": ended.isoformat(),
            "total_time": record.seconds,
            "working_time": record.seconds,
            "turn_count": len(record.steps),
            "error_retries": [error_of(*fault) for fault in faults] or None,
        }
    )


def broken_sample(broken: Broken, run: str, cell: int, when: str) -> Json:
    """An episode that infrastructure broke for good: a sample with an error, and no score.

    Args:
        broken: the episode.
        run: what tells the run from others, for the ids.
        cell: position of its cell.
        when: a time for its event, ISO 8601: faults have none of their own.
    """
    name = identifier(run, cell, broken.case_index, broken.epoch)
    *earlier, last = broken.faults
    timed = {"timestamp": when, "working_start": 0.0}
    return _clean(
        {
            "id": broken.case_index + 1,
            "epoch": broken.epoch + 1,
            "uuid": name,
            "input": NOT_PLAYED,
            "target": "",
            "metadata": {"case_index": broken.case_index, "epoch": broken.epoch, "fault": last[0]},
            "events": [{"event": "error", "uuid": f"{name}-e0", "error": error_of(*last), **timed}],
            "error": error_of(*last),
            "error_retries": [error_of(*fault) for fault in earlier] or None,
        }
    )


def error_of(kind: str, message: str) -> Json:
    """A fault of infrastructure as inspect_ai's ``EvalError``; no record keeps a traceback, its text stands there."""
    text = f"{kind}: {message}"
    return {"message": text, "traceback": text, "traceback_ansi": text}


def output_of(call: CallRecord) -> Json:
    """A model call's reply as inspect_ai's ``ModelOutput``."""
    model = call.model_version or call.model
    message = {"role": "assistant", "content": call.text, "source": "generate", "model": model}
    return {
        "model": model,
        "choices": [{"message": message, "stop_reason": STOP_REASONS.get(call.finish_reason or "", "unknown")}],
        "completion": call.text,
        "usage": usage_json(call.usage, call.cost),
        "time": call.latency,
    }


def _said(model: str, record: EpisodeRecord) -> Json:
    """The last message of a player that is no language model, as an output."""
    text = record.steps[-1].action if record.steps else ""
    message = {"role": "assistant", "content": text, "source": "generate", "model": model}
    return {"model": model, "choices": [{"message": message, "stop_reason": "stop"}], "completion": text}


def _events(record: EpisodeRecord, name: str, started: datetime.datetime, scores: Json) -> Iterator[Json]:
    """What happened in order: a span a turn, in it the calls of player and judge, and what the environment said."""
    count, passed = itertools.count(), 0.0
    sent: list[Json] = []

    def event(kind: str, span: str | None, **fields: Any) -> Json:
        time = started + datetime.timedelta(seconds=passed)
        common = {"event": kind, "uuid": f"{name}-e{next(count)}", "span_id": span, "timestamp": time.isoformat()}
        return common | {"working_start": passed} | fields

    def called(call: CallRecord, messages: list[Json], span: str, role: str | None) -> Json:
        done = started + datetime.timedelta(seconds=passed + call.latency)
        return event(
            "model",
            span,
            model=call.model,
            role=role,
            input=messages,
            tools=[],
            tool_choice="none",
            config={},
            output=output_of(call),
            retries=max(0, call.attempts - 1) or None,
            cache="read" if call.from_cache else None,
            completed=done.isoformat(),
            working_time=call.latency,
        )

    for place, step in enumerate(record.steps):
        span = f"{name}-s{place}"
        yield event("span_begin", None, id=span, name=f"turn {place + 1}: {step.kind}")
        for call in step.calls:
            sent = [*sent[: call.messages_before], *map(chat, call.messages)]
            yield called(call, _with_ids(sent, name), span, None)
        if not step.calls:
            yield event("info", span, source="player", data={"message": step.action})
        for call in step.judge_calls:
            yield called(call, _with_ids(list(map(chat, call.messages)), f"{span}-j"), span, "judge")
        yield event("info", span, source="environment", data=reading_of(step) | {"reply": step.reply})
        passed += step.seconds
        yield event("span_end", None, id=span)
    for scorer, score in scores.items():
        yield event("score", None, score=score, scorer=scorer)


def _with_ids(messages: Sequence[Json], name: str) -> list[Json]:
    """Messages with ids that follow from their content: equal ones are stored once."""
    return [message | {"id": identifier(name, place, message)} for place, message in enumerate(messages)]


def _prefix(record: EpisodeRecord) -> Iterator[Mapping[str, Any]]:
    """What a model was sent before the first observation: its prompt and the environment's preface."""
    call = next((call for step in record.steps for call in step.calls), None)
    if call is None or not record.steps:
        return
    for message in call.messages:
        if message["role"] == "user" and _text(message) == record.steps[0].observation:
            return
        if message["role"] != "system" and not any(
            _text(other) == record.steps[0].observation for other in call.messages
        ):
            return  # the first observation was cut or timed out: only the prompt is sure to be one
        yield message


def _last(step: Step) -> Mapping[str, Any]:
    """The newest message that the last call of a step sent."""
    messages = step.calls[-1].messages
    return messages[-1] if messages else {"role": "user", "content": step.observation}


def _first_of_user(messages: Sequence[Json]) -> int:
    """Where the first observation stands; the preface may hold messages of the user too, but has other ids."""
    return next(place for place, message in enumerate(messages) if "-u" in message["id"])


def _part(part: Mapping[str, Any]) -> Json:
    """A part of a message's content."""
    if part.get("type") == "image_url":
        return {"type": "image", "image": part["image_url"]["url"]}
    return {"type": "text", "text": part["text"] if part.get("type") == "text" else canonical_json(part)}


def _text(message: Mapping[str, Any]) -> str:
    """The text of a message, without its pictures."""
    content = message["content"]
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _clean(sample: Json) -> Json:
    """Texts that every file can hold, values that JSON has; NaN stays, which inspect_ai means as no score."""
    cleaned: Json = plain_values(json.loads(json.dumps(sample, default=list)))
    return cleaned
