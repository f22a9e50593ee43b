"""The pipeline: ask a model for a candidate, check it, have it repaired for the reasons that the check gives.

One engine for every kind of thing that is made; a kind says what is asked, and what the stages of its check are. The
engine asks, calls the stages, keeps the log and knows when to stop. What a candidate needs next follows from its log
alone, so that a run can be killed at any time and goes on where it was.
"""

from __future__ import annotations

import enum
import hashlib
import heapq
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from interactive_envs.errors import ConfigError, ProviderError
from interactive_envs.game_generation.answers import Answer, read_files
from interactive_envs.game_generation.batch import Reply
from interactive_envs.game_generation.pool import AGAIN, REPAIR, Call, Candidate, Pool, Ruling
from interactive_envs.system.workers import GRACE, LOOK, Stopping, Threads, abandon_all

PARSE = "parse"
"""The stage of every kind that reads the reply."""
NOTHING = "(nothing)"
"""Stands for a blank reply where it is told again, for providers refuse a message without content."""
CALLS = ("one", "three")
"""How many calls write the files."""


@dataclass(frozen=True)
class Ask:
    """A call that a candidate waits for.

    Attributes:
        custom_id: names it: the kind, the candidate, the stage and the round.
        stage: what for.
        round: repairs before it.
        messages: what is sent.
        reader: whether it is for the second model, which never sees the code.
    """

    custom_id: str
    stage: str
    round: int
    messages: tuple[Mapping[str, str], ...]
    reader: bool = False

    @property
    def sha256(self) -> str:
        """Hash of what is sent."""
        return hashlib.sha256(json.dumps(self.messages, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Work:
    """A stage that is to be run now."""

    stage: str


@dataclass(frozen=True)
class Done:
    """The end of a candidate.

    Attributes:
        admitted: whether it passed every stage.
        stage: the one that it failed last; empty where it passed.
    """

    admitted: bool
    stage: str = ""


@dataclass(frozen=True)
class Part:
    """What one of several calls is to write.

    Attributes:
        stage: of the call, one of :data:`interactive_envs.game_generation.pool.WRITING`.
        files: what its reply must hold.
        words: what is said for it, after the wish or the replies before it.
    """

    stage: str
    files: tuple[str, ...]
    words: str


class Kind(ABC):
    """What is made: how it is asked for, and how it is checked."""

    name: ClassVar[str]
    files: ClassVar[tuple[str, ...]]
    """What a reply must hold."""
    categories: ClassVar[tuple[str, ...]]
    """What a wish may ask for."""
    rules: ClassVar[str] = ""
    """The file by which candidates are grouped by theme; empty where they are not."""
    lasts: ClassVar[bool] = False
    """Whether a wish may say how many moves one lasts."""
    trains: ClassVar[bool] = False
    """Whether opponents can be trained."""
    three: ClassVar[tuple[Part, ...]] = ()
    """What each call writes where the files are asked for one after the other; () where that is not offered."""
    stages: tuple[str, ...]
    """Names of the check's stages after ``parse``, in their order."""
    filters: ClassVar[Mapping[str, Sequence[str]]] = {}
    """The paper's filters in their order: the kinds of reasons of the first stage that each of them would give."""
    ordered: ClassVar[frozenset[str]] = frozenset()
    """Stages that compare a candidate with all before it, and wait until these are done."""
    version: ClassVar[int] = 1
    """Of the prompts; a pool that was begun with another one is refused."""

    compares: ClassVar[bool] = False
    """Whether a set of the package can be named that candidates are compared with."""

    def __init__(self, calls: str = "one", steps: int = 0, home: Path = Path(), against: str | None = None) -> None:
        """Ask in one or three calls; train opponents for so many steps (0 for none) in a folder; compare with a set."""
        if calls not in CALLS or (calls == "three" and not self.three):
            raise ConfigError(
                f"calls of a {self.name} must be {' or '.join(CALLS[: 1 + bool(self.three)])}, got {calls!r}"
            )
        if steps and not self.trains:
            raise ConfigError(f"a {self.name} has no opponents to train; leave opponents out")
        if against is not None and not self.compares:
            raise ConfigError(f"a {self.name} is compared with all of the package; leave against out")
        self.calls, self.steps, self.home, self.against = calls, steps, home, against
        self.parts = self.three if calls == "three" else (Part("write", self.files, ""),)

    @abstractmethod
    def first(self, wish: Mapping[str, Any]) -> tuple[str, str]:
        """Instructions and the wish, as system and user message."""

    @abstractmethod
    def check(self, stage: str, candidate: Candidate, files: Mapping[str, str], earlier: Sequence[Candidate]) -> Ruling:
        """Run one stage.

        Args:
            stage: one of ``stages``.
            candidate: with all that came before.
            files: by name.
            earlier: the candidates with lower numbers, for a stage of ``ordered``.
        """

    @classmethod
    @abstractmethod
    def varied(cls, number: int, wish: Mapping[str, Any]) -> dict[str, Any]:
        """A wish with more drawn for the candidate of a number: a model gives the same few again and again."""

    @abstractmethod
    def title(self, files: Mapping[str, str]) -> str:
        """What a candidate is called; empty where it says nothing."""

    @abstractmethod
    def plays(self, files: Mapping[str, str]) -> str:
        """The id that plays a folder with these files with ``path=``."""

    def played(self, candidate: Candidate) -> Mapping[str, Any]:
        """How a candidate plays, for :meth:`alike`; empty where that is not known, or there is no play."""
        return {}

    def alike(self, one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
        """How similar two are in play, from 0 to 1."""
        return 0.0

    def filter_of(self, reason: str) -> str:
        """The paper's filter that a kind of reason belongs to; empty for one of ours."""
        return next((name for name, kinds in self.filters.items() if reason in kinds), "")

    def more_files(self, candidate: Candidate) -> Mapping[str, bytes]:
        """What is released beside a candidate's own files, by name."""
        return {}

    def question(self, stage: str, candidate: Candidate, files: Mapping[str, str]) -> tuple[str, str] | None:
        """What a stage asks the second model before it runs, as system and user message; None for nothing."""
        return None

    def unread(self, stage: str, candidate: Candidate) -> str:
        """What the second model is told where its reply for a stage cannot be read; empty where it can."""
        return ""

    def answer_of(self, candidate: Candidate) -> Answer:
        """The files of a candidate as far as it is written, or why there are none."""
        asked = [self.files] if candidate.rounds else [part.files for part in self.parts]
        found: list[tuple[str, str]] = []
        for names, call in zip(asked, candidate.written, strict=False):
            one = read_files(call.reply.text, names, cut=call.reply.finish == "length")
            if one.problem:
                return one
            found += one.files
        return Answer(tuple(found))


def step(kind: Kind, candidate: Candidate, repairs: int) -> Ask | Work | Done:
    """What a candidate needs next, by its log alone.

    Args:
        kind: of the pool.
        candidate: as far as it came.
        repairs: how often it may be repaired.
    """
    system, wish = kind.first(candidate.wish)
    opening = ({"role": "system", "content": system}, {"role": "user", "content": wish})
    written = candidate.written
    part = None if candidate.rounds else next(iter(kind.parts[len(written) :]), None)
    if part is not None and not kind.answer_of(candidate).problem:
        return Ask(_id(kind, candidate, part.stage, 0), part.stage, 0, _so_far(kind, opening, written))
    since, rounds = candidate.since_written(), candidate.rounds
    rulings = [entry for entry in since if isinstance(entry, Ruling)]
    failed = next((ruling for ruling in rulings if ruling.verdict == "fail"), None)
    if failed is not None:
        if rounds >= repairs:
            return Done(admitted=False, stage=failed.stage)
        reasons = "\n".join(f"- {name}: {text}" for name, text in failed.reasons)
        mend = f"The check refused it:\n{reasons}\n\nMend what is wrong, and send all files again, complete."
        messages = (
            *opening,
            {"role": "assistant", "content": "\n\n".join(call.reply.text for call in written).strip() or NOTHING},
            {"role": "user", "content": mend},
        )
        return Ask(_id(kind, candidate, REPAIR, rounds + 1), REPAIR, rounds + 1, messages)
    passed = [ruling.stage for ruling in rulings]
    left = [stage for stage in (PARSE, *kind.stages) if stage not in passed]
    if not left:
        return Done(admitted=True)
    stage = left[0]
    asked = None if stage == PARSE else kind.question(stage, candidate, dict(kind.answer_of(candidate).files))
    if asked is None:
        return Work(stage)
    to_reader: Messages = ({"role": "system", "content": asked[0]}, {"role": "user", "content": asked[1]})
    said, name = candidate.replies(stage), stage
    if said:
        unread = kind.unread(stage, candidate) if len(said) == 1 else ""
        if not unread:
            return Work(stage)
        reply = said[0].reply.text.strip() or NOTHING
        to_reader += ({"role": "assistant", "content": reply}, {"role": "user", "content": unread})
        name = f"{stage}{AGAIN}"
    return Ask(_id(kind, candidate, name, rounds), name, rounds, to_reader, reader=True)


Messages = tuple[Mapping[str, str], ...]


def _so_far(kind: Kind, opening: Messages, written: Sequence[Call]) -> Messages:
    """The talk in which the next part is asked for."""
    *before, last = opening
    words = [f"{last['content']}\n\n{kind.parts[0].words}".strip(), *(part.words for part in kind.parts[1:])]
    said = [*before, {"role": "user", "content": words[0]}]
    for call, asked in zip(written, words[1:], strict=False):
        said += [{"role": "assistant", "content": call.reply.text}, {"role": "user", "content": asked}]
    return tuple(said)


def _id(kind: Kind, candidate: Candidate, stage: str, round_: int) -> str:
    return f"{kind.name}-{candidate.number:04d}-{stage}-{round_}"


def call_id(kind: Kind, candidate: Candidate, call: Call) -> str:
    """The ``custom_id`` of the request that a reply answered."""
    return _id(kind, candidate, call.stage, call.round)


Answerer = Callable[[Ask], Reply | None]
"""Calls a model; None where the reply is still to come."""


def advance(
    kind: Kind,
    pool: Pool,
    answer: Answerer,
    *,
    repairs: int,
    workers: int = 4,
    report: Callable[[Candidate, str], None] = lambda candidate, news: None,
) -> list[Ask]:
    """Bring every candidate as far as the replies at hand reach.

    Args:
        kind: of the pool.
        pool: is read and appended to.
        answer: calls a model, or looks a reply up.
        repairs: how often a candidate may be repaired.
        workers: candidates at the same time; calls and checks spend their time outside of this process.
        report: is told of each step.

    Returns:
        What is still to be asked, in the order of the candidates.
    """
    ready, running = [one.number for one in pool.candidates()], dict[Future[Ask | _State], int]()
    waiting, stalled = dict[int, Ask](), set[int]()
    with Stopping() as stopping, Threads(workers, "candidate") as threads:
        try:
            while ready or running:
                while ready and len(running) < workers:
                    number = heapq.heappop(ready)
                    job = threads.submit(_step_on, kind, pool, pool.candidate(number), answer, repairs, report)
                    running[job] = number
                finished = wait(running, LOOK, return_when=FIRST_COMPLETED).done
                stopping.check()
                for job in finished:
                    number, found = running.pop(job), job.result()
                    if isinstance(found, Ask):
                        waiting[number] = found
                    elif found is _State.STALLED:
                        stalled.add(number)
                    else:  # who waits for another candidate looks again
                        for one in (*stalled, *([number] if found is _State.GOES_ON else [])):
                            heapq.heappush(ready, one)
                        stalled.clear()
        except BaseException:  # a call under way is paid for, so that its reply is worth a moment
            try:
                wait(running, min(GRACE, max(0.0, stopping.deadline - time.monotonic())))
            finally:  # also after another Ctrl-C
                abandon_all()
            raise
    return [waiting[number] for number in sorted(waiting)]


class _State(enum.Enum):
    """What became of a step, where it did not end in a call that is still to be answered."""

    GOES_ON = enum.auto()
    STALLED = enum.auto()
    DONE = enum.auto()


def _step_on(
    kind: Kind,
    pool: Pool,
    candidate: Candidate,
    answer: Answerer,
    repairs: int,
    report: Callable[[Candidate, str], None],
) -> Ask | _State:
    """One call or one stage of a candidate; the call, where there is no reply yet."""
    todo = step(kind, candidate, repairs)
    if isinstance(todo, Done):
        return _State.DONE
    if isinstance(todo, Ask):
        reply = answer(todo)
        if reply is None or reply.fault:
            return todo
        report(pool.append(candidate, Call(todo.stage, todo.round, todo.sha256, reply)), todo.stage)
        return _State.GOES_ON
    earlier: list[Candidate] = []
    if todo.stage in kind.ordered:
        earlier = [pool.candidate(number) for number in range(1, candidate.number)]
        if not all(_settled(kind, one, todo.stage, repairs) for one in earlier):
            return _State.STALLED
    report(pool.append(candidate, run_stage(kind, todo.stage, candidate, earlier)), todo.stage)
    return _State.GOES_ON


def _settled(kind: Kind, candidate: Candidate, stage: str, repairs: int) -> bool:
    """Whether a candidate is done, or past a stage: what comes after one that compares never asks for a repair."""
    rulings = (entry for entry in candidate.since_written() if isinstance(entry, Ruling) and entry.stage == stage)
    return any(one.verdict != "fail" for one in rulings) or isinstance(step(kind, candidate, repairs), Done)


def run_stage(kind: Kind, stage: str, candidate: Candidate, earlier: Sequence[Candidate]) -> Ruling:
    """The ruling of one stage, the parse included."""
    found = kind.answer_of(candidate)
    if stage != PARSE:
        return kind.check(stage, candidate, dict(found.files), earlier)
    if found.problem:
        return Ruling(PARSE, candidate.rounds, "fail", ((found.kind, found.problem),))
    return Ruling(PARSE, candidate.rounds, "pass")


def asking(client: Any, parameters: Mapping[str, Any]) -> Answerer:
    """An answerer that calls a model; a call that fails is made again in the next run.

    Args:
        client: see :func:`interactive_envs.llm.clients.client`.
        parameters: sampling and provider parameters.
    """
    from interactive_envs.llm.base import CompletionRequest

    def answer(ask: Ask) -> Reply:
        try:
            call = client.complete(CompletionRequest(ask.messages, parameters, salt=(ask.custom_id,)))
        except ProviderError as error:  # calls that came to nothing cost all the same
            return Reply("", fault=str(error), cost=sum(one.cost or 0.0 for one in error.calls))
        return Reply(call.text, call.model, call.finish_reason or "stop", call.usage, call.cost)

    return answer
