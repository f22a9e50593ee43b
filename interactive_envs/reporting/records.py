"""What a run writes down: its configuration, its episodes step by step, and a short row an episode for summaries.

:class:`EpisodeRecord` is one line of ``episodes.jsonl`` (schema 1); :class:`EpisodeRow` is its row of ``index.jsonl``.
Reading and writing the files is :mod:`interactive_envs.reporting.store`'s.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import operator
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from interactive_envs.errors import ConfigError
from interactive_envs.judges.base import Verdict
from interactive_envs.llm.calls import ModelCall, Usage
from interactive_envs.outcome import Outcome

SCHEMA = 1
NUMBERS = 2**53
"""No number of a record is as large, and no whole one is less than 0."""


@dataclass(frozen=True)
class Cell:
    """One combination that a run plays: every cell meets the same cases with the same seeds.

    Attributes:
        env_id: the registered id.
        arguments: its keyword arguments.
        agent: the player's spec.
        judge: the judge's spec, None where the environment has its own default or no judge.
        axes: the sweep's axis values of this cell, for grouping in reports.
        episodes: where they differ from the run's.
        name: what the player goes by; "" for its spec.
    """

    env_id: str
    arguments: Mapping[str, Any]
    agent: str
    judge: str | None = None
    axes: Mapping[str, Any] = field(default_factory=dict)
    episodes: int | None = None
    name: str = ""

    @property
    def player(self) -> str:
        """What reports call the player."""
        return self.name or self.agent


@dataclass(frozen=True)
class RunConfig:
    """What a run plays: equal configurations with deterministic players give equal summaries.

    Attributes:
        cells: what is compared.
        episodes: episodes a cell; cases in order, then further epochs.
        seed: the run's seed.
        time_limit: seconds an action may take, None for no limit.
        content: per cell the hash of its data and what its player and judge say of themselves, filled in by the
            runner: a changed dataset or prompt file is a changed configuration.
        anytime: whether every player is also asked for its answer after each of its turns.
        suite: version and size of the suite that it plays, such as ``core-v1 small``; "" where its results are no
            score of a suite.
    """

    cells: tuple[Cell, ...]
    episodes: int
    seed: int = 0
    time_limit: float | None = None
    content: tuple[Mapping[str, Any], ...] = ()
    suite: str = ""
    anytime: bool = False

    def planned(self, cell: int) -> int:
        """Episodes of a cell."""
        own = self.cells[cell].episodes
        return self.episodes if own is None else own

    @property
    def planned_text(self) -> str:
        """The episodes a cell in words: ``1 episode``, ``up to 8 episodes``."""
        counts = set(map(self.planned, range(len(self.cells)))) or {self.episodes}
        most = max(counts)
        return f"{'up to ' if len(counts) > 1 else ''}{most:,} episode{'' if most == 1 else 's'}"

    @property
    def total(self) -> int:
        """Episodes of all cells."""
        return sum(map(self.planned, range(len(self.cells))))

    def as_json(self) -> dict[str, Any]:
        """The content of ``config.json``; ``anytime`` only where it is true."""
        content = {"schema": SCHEMA, **dataclasses.asdict(self)}
        return content if self.anytime else {name: content[name] for name in content if name != "anytime"}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> RunConfig:
        """Read ``config.json`` back.

        Raises:
            ConfigError: it has another schema, or a value cannot be.
        """
        if content.get("schema") != SCHEMA:
            raise ConfigError(f"config.json has schema {content.get('schema')!r}, this version reads {SCHEMA}")
        cells = tuple(Cell(**cell) for cell in content["cells"])
        seed, limit, described = content["seed"], content["time_limit"], tuple(content["content"])
        suite, anytime = content.get("suite", ""), content.get("anytime", False)
        config = cls(cells, content["episodes"], seed, limit, described, suite, anytime)
        for name, value in itertools.chain(vars(config).items(), *(vars(cell).items() for cell in cells)):
            if not isinstance(value, _CONFIG_KINDS[name]) or isinstance(value, bool) != (name == "anytime"):
                raise ConfigError(f"{name} is {ascii(value)[:60]}")
        if config.episodes is None or any(config.planned(index) < 0 for index in range(len(cells))):
            raise ConfigError("episodes is no number of episodes")
        if any(not isinstance(described, Mapping) for described in config.content):
            raise ConfigError("content is no list of objects")
        return config


_CONFIG_KINDS: dict[str, tuple[type, ...]] = {
    "cells": (tuple,),
    "content": (tuple,),
    "suite": (str,),
    "anytime": (bool,),
    "episodes": (int, type(None)),
    "seed": (int,),
    "time_limit": (int, float, type(None)),
    "env_id": (str,),
    "agent": (str,),
    "name": (str,),
    "judge": (str, type(None)),
    "arguments": (Mapping,),
    "axes": (Mapping,),
}
"""What the values of a configuration and its cells are."""


@dataclass(frozen=True, slots=True)
class EpisodeRow:
    """The index row of one finished episode: all that summaries need.

    Attributes:
        cell: position of its cell in the configuration.
        case: the case's id.
        case_index: position of the case in the environment's order.
        epoch: how often the cases were walked before.
        outcome: an :class:`interactive_envs.outcome.Outcome` value.
        reward: the episode's return.
        turns: rounds spent, a forced final not counted.
        won_by: ``round``, ``forced`` or None.
        first_final: whether the first final answer was right, None without one.
        queries: readable queries.
        finals: readable finals.
        invalid: messages that could not be read, or were not legal.
        illegal: those of them that could be read.
        abstained: verdicts in which the judge could not read the request.
        prompt_tokens: the player's tokens sent.
        completion_tokens: the player's tokens generated, reasoning included.
        reasoning_tokens: the part spent on hidden reasoning.
        judge_tokens: all of the judge's tokens.
        cost: the player's US dollars, None where a price is unknown.
        judge_cost: the judge's.
        seconds: wall-clock time of the episode.
        offset: where its line begins in ``episodes.jsonl``, in bytes.
        length: how long it is, newline included.
        crc: its checksum, newline included.
    """

    cell: int
    case: str
    case_index: int
    epoch: int
    outcome: str
    reward: float
    turns: int
    won_by: str | None
    first_final: bool | None
    queries: int
    finals: int
    invalid: int
    illegal: int
    abstained: int
    prompt_tokens: int
    completion_tokens: int
    reasoning_tokens: int
    judge_tokens: int
    cost: float | None
    judge_cost: float | None
    seconds: float
    offset: int
    length: int
    crc: int = 0

    @property
    def key(self) -> tuple[int, int, int]:
        """What identifies the episode in its run: cell, case index, epoch."""
        return (self.cell, self.case_index, self.epoch)


ROW_FIELDS = tuple(field.name for field in dataclasses.fields(EpisodeRow))
_KINDS: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "str": (str,),
    "float": (float, int),
    "bool | None": (bool, type(None)),
    "str | None": (str, type(None)),
    "float | None": (float, int, type(None)),
}
ROW_KINDS = tuple(str(one.type) for one in dataclasses.fields(EpisodeRow))
ROW_TYPES = tuple((_KINDS[kind], 0 if kind == "int" else -NUMBERS) for kind in ROW_KINDS)
_OUTCOMES = frozenset(Outcome)


def row_of(record: Mapping[str, Any], offset: int, line: bytes) -> EpisodeRow:
    """The index row of a record, which lies at ``offset`` as ``line``."""
    tokens, judge_tokens = record["tokens"], record["judge_tokens"]
    named = (name for name in ROW_FIELDS[: ROW_FIELDS.index("prompt_tokens")] if name != "illegal")
    return EpisodeRow(
        **{name: record[name] for name in named},
        illegal=sum(step.get("illegal") is True for step in record["steps"]),
        prompt_tokens=tokens["prompt"],
        completion_tokens=tokens["completion"],
        reasoning_tokens=tokens["reasoning"],
        judge_tokens=judge_tokens["prompt"] + judge_tokens["completion"],
        cost=record["cost"],
        judge_cost=record["judge_cost"],
        seconds=record["seconds"],
        offset=offset,
        length=len(line),
        crc=zlib.crc32(line),
    )


def row_flaw(values: Sequence[Any], cells: int) -> str:
    """Why no row of a run with so many cells has these values; '' where one may."""
    kinds = tuple(map(type, values))
    numbers = _sound_kinds.get(kinds)
    if numbers is None or not _within(numbers(values), _WHOLE(values)):
        if flaw := _value_flaw(values):
            return flaw
        places = [place for place, kind in enumerate(kinds) if kind in (int, float)]
        _sound_kinds[kinds] = operator.itemgetter(*places)
    cell, outcome = values[0], values[_OUTCOME]
    if cell >= cells:
        return f"there is no cell {cell}"
    return "" if outcome in _OUTCOMES else f"outcome is {outcome[:60]!a}"


_sound_kinds: dict[tuple[type, ...], Callable[[Sequence[Any]], tuple[float, ...]]] = {}
"""Kinds of values that a row was found to have, and what takes the numbers out of such a row: an index has 100,000."""
_WHOLE = operator.itemgetter(*(place for place, (_, least) in enumerate(ROW_TYPES) if least == 0))
_OUTCOME = ROW_FIELDS.index("outcome")


def _within(numbers: Sequence[float], whole: Sequence[int]) -> bool:
    """Whether no number is NaN or too large, and no whole one below 0; a sum shows NaN, which compares with nothing."""
    return sum(numbers) < math.inf and min(numbers) >= -NUMBERS and max(numbers) < NUMBERS and min(whole) >= 0


def _value_flaw(values: Sequence[Any]) -> str:
    """Which value is of the wrong kind or out of bounds; '' where none is."""
    for name, value, (kinds, least) in zip(ROW_FIELDS, values, ROW_TYPES, strict=True):
        if type(value) not in kinds or (type(value) in (int, float) and not least <= value < NUMBERS):
            return f"{name} is {ascii(value)[:60]}"
    return ""


@dataclass(frozen=True)
class CallRecord:
    """A model call as a record keeps it.

    Attributes:
        messages: those that the call before it had not sent.
        messages_before: how many it shares with that call.

    The others are those of :class:`~interactive_envs.llm.calls.ModelCall`.
    """

    model: str
    messages: tuple[Mapping[str, Any], ...]
    messages_before: int
    text: str
    finish_reason: str | None
    usage: Usage
    cost: float | None
    latency: float
    model_version: str | None
    refused_parameters: tuple[str, ...]
    attempts: int
    from_cache: bool
    part: str = ""

    @classmethod
    def of(cls, call: ModelCall, sent: Sequence[Mapping[str, Any]] = ()) -> CallRecord:
        """The record of a call; messages at the beginning that equal those ``sent`` before are only counted."""
        known = 0
        while known < min(len(sent), len(call.messages)) and sent[known] == call.messages[known]:
            known += 1
        kept = {name: getattr(call, name) for name in _CALL_FIELDS if name not in ("messages", "messages_before")}
        return cls(messages=call.messages[known:], messages_before=known, **kept | {"latency": round(call.latency, 4)})

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values, in the record's order; ``part`` only where there is one."""
        values = {name: value for name, value in vars(self).items() if name != "part" or value}
        return values | {
            "messages": [dict(message) for message in self.messages],
            "usage": tokens_json(self.usage),
            "refused_parameters": list(self.refused_parameters),
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> CallRecord:
        """Read :meth:`to_json` back."""
        given = {name: content[name] for name in _CALL_FIELDS if name != "part"} | {"part": content.get("part", "")}
        changed = {
            "messages": tuple(given["messages"]),
            "usage": Usage(**given["usage"]),
            "refused_parameters": tuple(given["refused_parameters"]),
        }
        return cls(**given | changed)


_CALL_FIELDS = tuple(one.name for one in dataclasses.fields(CallRecord))


@dataclass(frozen=True)
class Step:
    """One action and what came of it.

    Attributes:
        observation: what the player saw before it acted.
        action: its text.
        kind: how the environment read it: ``query``, ``final``, ``move``, ``invalid``, ``retry`` or ``punished``.
        valid: whether it could be read and was legal.
        reason: why not, None where it was.
        reply: the observation after it.
        reward: what it earned.
        seconds: wall-clock time, judge included.
        verdict: the judge's, None where the rules decided; without its calls.
        calls: the player's model calls.
        judge_calls: the judge's.
        remember: how many of the steps before it, of those it still remembered, the player kept when it read the
            observation; None for all.
        illegal: whether it could be read and was not legal; not told apart in records before this was.
    """

    observation: str
    action: str
    kind: str
    valid: bool
    reason: str | None
    reply: str
    reward: float
    seconds: float
    verdict: Verdict | None = None
    calls: tuple[CallRecord, ...] = ()
    judge_calls: tuple[CallRecord, ...] = ()
    remember: int | None = None
    illegal: bool = False

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values, in the record's order; ``remember`` only where it is a number, ``illegal`` where true."""
        optional = {"remember": None, "illegal": False}
        values = {name: value for name, value in vars(self).items() if optional.get(name, ...) != value}
        return values | {
            "verdict": None if self.verdict is None else _verdict_json(self.verdict),
            "calls": [call.to_json() for call in self.calls],
            "judge_calls": [call.to_json() for call in self.judge_calls],
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Step:
        """Read :meth:`to_json` back."""
        optional = ("remember", "illegal")
        given = {one.name: content[one.name] for one in dataclasses.fields(cls) if one.name not in optional}
        changed = {
            "remember": content.get("remember"),
            "illegal": content.get("illegal", False),
            "verdict": None if given["verdict"] is None else _read_verdict(given["verdict"]),
            "calls": tuple(map(CallRecord.from_json, given["calls"])),
            "judge_calls": tuple(map(CallRecord.from_json, given["judge_calls"])),
        }
        return cls(**given | changed)


@dataclass(frozen=True)
class ForkedAnswer:
    """What a player would have answered between two of its turns; the episode knows nothing of it.

    Attributes:
        steps: actions of the episode before it.
        questions: readable questions among them.
        spent: of the budget, in questions: unreadable messages spend it, too, and what is free does not.
        said: its messages: one, or all those of a test.
        valid: whether the last one could be read.
        outcome: how the episode would have ended; None where there is no answer.
        reward: what it would have paid; None where there is no answer.
        missing: why there is none: what infrastructure did, or that the judge did not understand it; else "".
        verdicts: the judge's of each message, None where the rules decided.
        calls: the player's model calls; their messages are those that its last call in the episode had not sent.
        judge_calls: the judge's.
    """

    steps: int
    questions: int
    spent: int
    said: tuple[str, ...] = ()
    valid: bool = False
    outcome: str | None = None
    reward: float | None = None
    missing: str = ""
    verdicts: tuple[Verdict | None, ...] = ()
    calls: tuple[CallRecord, ...] = ()
    judge_calls: tuple[CallRecord, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values, in the record's order."""
        return vars(self) | {
            "said": list(self.said),
            "verdicts": [None if one is None else _verdict_json(one) for one in self.verdicts],
            "calls": [call.to_json() for call in self.calls],
            "judge_calls": [call.to_json() for call in self.judge_calls],
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> ForkedAnswer:
        """Read :meth:`to_json` back."""
        changed = {
            "said": tuple(content["said"]),
            "verdicts": tuple(None if one is None else _read_verdict(one) for one in content["verdicts"]),
            "calls": tuple(map(CallRecord.from_json, content["calls"])),
            "judge_calls": tuple(map(CallRecord.from_json, content["judge_calls"])),
        }
        return cls(**{**content, **changed})


@dataclass(frozen=True)
class Anytime:
    """The answers of an episode between its turns, and what they cost; nothing of it counts in the other fields.

    Attributes:
        most: questions that the episode allows before something must be concluded.
        answers: in their order.
        tokens: the player's.
        judge_tokens: the judge's.
        cost: the player's US dollars, None where a price is unknown.
        judge_cost: the judge's.
    """

    most: int
    answers: tuple[ForkedAnswer, ...]
    tokens: Usage
    judge_tokens: Usage
    cost: float | None
    judge_cost: float | None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values, in the record's order."""
        return vars(self) | {
            "answers": [answer.to_json() for answer in self.answers],
            "tokens": tokens_json(self.tokens),
            "judge_tokens": tokens_json(self.judge_tokens),
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Anytime:
        """Read :meth:`to_json` back."""
        changed = {
            "answers": tuple(map(ForkedAnswer.from_json, content["answers"])),
            "tokens": Usage(**content["tokens"]),
            "judge_tokens": Usage(**content["judge_tokens"]),
        }
        return cls(**{**content, **changed})


@dataclass(frozen=True)
class EnvRecord:
    """What was played.

    Attributes:
        id: the environment's id.
        arguments: its arguments with their defaults; a default that changes later does not change the record.
        key: what its seeds follow from, see :func:`interactive_envs.seeds.env_key`.
        data_sha256: hash of its data.
    """

    id: str
    arguments: Mapping[str, Any]
    key: str
    data_sha256: str


@dataclass(frozen=True)
class EpisodeRecord:
    """One finished episode, whole.

    Attributes:
        cell: position of its cell in the configuration.
        case: the case's id.
        case_index: position of the case in the environment's order.
        epoch: how often the cases were walked before.
        seed: what the environment and the player were reset with.
        env: what was played.
        wrappers: specs of the probes and wrappers around it, the innermost first.
        agent: ``spec``, and what the player says of itself.
        judge: ``spec``, ``approximate``, and what the judge says of itself; None where none decided anything.
        steps: the actions.
        final_observation: what the player saw at the end.
        solution: the case's solution, None where it has none.
        game: what the environment adds, None where it adds nothing.
        outcome: an :class:`interactive_envs.outcome.Outcome` value.
        reward: the episode's return.
        turns: rounds spent, a forced final not counted.
        won_by: ``round``, ``forced`` or None.
        first_final: whether the first final answer was right, None without one.
        queries: readable queries and moves.
        finals: readable finals.
        invalid: messages that could not be read, or were not legal.
        abstained: verdicts in which the judge could not read the request.
        tokens: the player's.
        judge_tokens: the judge's.
        cost: the player's US dollars, None where a price is unknown.
        judge_cost: the judge's.
        paid: US dollars of all calls that were not read from the cache, those between the turns included.
        seconds: wall-clock time.
        models: names the providers answered with.
        versions: of the software, and the sandbox's level where foreign code ran.
        ended: when, ISO 8601 in UTC.
        anytime: what it would have answered between its turns, None where it was not asked.
    """

    cell: int
    case: str
    case_index: int
    epoch: int
    seed: int
    env: EnvRecord
    wrappers: tuple[str, ...]
    agent: Mapping[str, Any]
    judge: Mapping[str, Any] | None
    steps: tuple[Step, ...]
    final_observation: str
    solution: Any
    game: Mapping[str, Any] | None
    outcome: str
    reward: float
    turns: int
    won_by: str | None
    first_final: bool | None
    queries: int
    finals: int
    invalid: int
    abstained: int
    tokens: Usage
    judge_tokens: Usage
    cost: float | None
    judge_cost: float | None
    paid: float
    seconds: float
    models: tuple[str, ...]
    versions: Mapping[str, str]
    ended: str
    anytime: Anytime | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values: what a line of ``episodes.jsonl`` holds, in its order; ``anytime`` only where it was."""
        values = {name: value for name, value in vars(self).items() if name != "anytime"}
        changed = {
            "env": dict(vars(self.env)),
            "wrappers": list(self.wrappers),
            "steps": [step.to_json() for step in self.steps],
            "tokens": tokens_json(self.tokens),
            "judge_tokens": tokens_json(self.judge_tokens),
            "models": list(self.models),
        }
        extra = {} if self.anytime is None else {"anytime": self.anytime.to_json()}
        return {"schema": SCHEMA, **values, **changed, **extra}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> EpisodeRecord:
        """Read :meth:`to_json` back.

        Raises:
            ConfigError: it has another schema, or is no episode; the message says why.
        """
        if content.get("schema") != SCHEMA:
            raise ConfigError(f"the record has schema {content.get('schema')!r}, this version reads {SCHEMA}")
        try:
            given = {one.name: content[one.name] for one in dataclasses.fields(cls) if one.name != "anytime"}
            forked = content.get("anytime")
            changed = {
                "anytime": None if forked is None else Anytime.from_json(forked),
                "env": EnvRecord(**given["env"]),
                "wrappers": tuple(given["wrappers"]),
                "steps": tuple(map(Step.from_json, given["steps"])),
                "tokens": Usage(**given["tokens"]),
                "judge_tokens": Usage(**given["judge_tokens"]),
                "models": tuple(given["models"]),
            }
        except KeyError as error:
            raise ConfigError(f"the record is no episode: it has no {error}") from None
        except (TypeError, AttributeError) as error:
            raise ConfigError(f"the record is no episode: {error}") from None
        return cls(**given | changed)


def tokens_json(usage: Usage) -> dict[str, int]:
    """Tokens as a record keeps them."""
    return dict(vars(usage))


def _read_verdict(content: Mapping[str, Any]) -> Verdict:
    votes = content.get("votes")
    return Verdict(**{**content, "votes": None if votes is None else tuple(votes)})


def _verdict_json(verdict: Verdict) -> dict[str, Any]:
    content = {name: getattr(verdict, name) for name in ("label", "detail", "confidence", "source", "abstained")}
    content |= {} if verdict.scores is None else {"scores": dict(verdict.scores)}
    content |= {} if verdict.votes is None else {"votes": list(verdict.votes)}
    return content | ({"approximate": True} if verdict.approximate else {})
