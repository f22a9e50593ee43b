"""Replies that cannot be trusted at once: one that is corrected later, some that are false, all that come late."""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from interactive_envs.dialogue.probe import Probe, Probed, ProbeTask, falsifiable, whole
from interactive_envs.dialogue.task import PLAIN, DialogueTask, Falsifiable, Revisable, Terms, Vocabulary
from interactive_envs.dialogue.view import DelayedReply
from interactive_envs.judges.base import Verdict

TRIES = 20
"""Draws of a wrong fact: a task may draw the true one, or one that decides the answer."""


@dataclass(frozen=True)
class Asked:
    """A query that was replied to.

    Attributes:
        number: its index among the queries.
        query: its key.
        fact: the true reply.
    """

    number: int
    query: Any
    fact: Any


@dataclass(frozen=True)
class Revising:
    """What the revision probe remembers.

    Attributes:
        count: queries replied to.
        false: the one whose reply was false.
        corrected: whether the correction was sent.
    """

    count: int = 0
    false: Asked | None = None
    corrected: bool = False


class RevisionTask(ProbeTask):
    """The task with one false reply, which a later one corrects.

    Args:
        inner: the task inside.
        turn: the number of the query, from 1.
        after: how many queries later it is corrected, at the latest.
    """

    def __init__(self, inner: DialogueTask[Any, Any], turn: int, after: int) -> None:
        super().__init__(inner)
        self._source = falsifiable("revision", inner)
        self._turn, self._after = turn, after

    def remember(self, case: Any) -> Revising:
        """Nothing was asked yet."""
        return Revising()

    def reply(
        self, state: Probed, query: Any, rng: np.random.Generator, verdict: Verdict | None = None
    ) -> tuple[Any, Probed]:
        """The false reply at its turn, the correction when it is due, else the task's."""
        memory: Revising = state.memory
        fact, inner = self.inner.reply(state.inner, query, rng, verdict)
        now = dataclasses.replace(memory, count=memory.count + 1)
        if memory.false is None and now.count >= self._turn:
            for wrong in wrong_facts(self._source, state.inner, query, fact, rng):
                misheard = self._source.mishear(inner, wrong)
                if self._source.undecided(misheard):
                    return wrong, Probed(misheard, dataclasses.replace(now, false=Asked(memory.count, query, fact)))
        if memory.false is not None and not memory.corrected:
            due = memory.count - memory.false.number >= self._after
            # Where the false reply, believed, would now decide the answer, a player would give it: do not wait.
            if due or not self._source.undecided(inner):
                fact = DelayedReply(fact, ((memory.false.number, memory.false.fact),))
                now = dataclasses.replace(now, corrected=True)
        return fact, Probed(inner, now)

    def render(self, fact: Any, vocabulary: Vocabulary = PLAIN) -> str:
        """The new reply alone."""
        return self.inner.render(fact.fact if isinstance(fact, DelayedReply) else fact, vocabulary)

    def message(self, state: Probed, fact: Any, vocabulary: Vocabulary = PLAIN) -> str:
        """The reply, and the correction where there is one."""
        if not isinstance(fact, DelayedReply):
            return self.inner.message(state.inner, fact, vocabulary)
        false = state.memory.false
        return (
            f"{self.inner.message(state.inner, fact.fact, vocabulary)}\n"
            f"Correction: the reply to your query {false.number + 1} was wrong. The right reply is: "
            f"{self.inner.render(false.fact, vocabulary)}"
        )

    def own_record(self, state: Probed) -> dict[str, Any]:
        """The number of the query whose reply was false, None for none, and whether it was corrected."""
        false = state.memory.false
        return {"false_reply": None if false is None else false.number + 1, "corrected": state.memory.corrected}


@dataclass(frozen=True)
class CounterfactualRevision(Probe):
    """Answer one query falsely and correct it some queries later; the budget grows by the rounds that costs.

    The false reply fits all earlier replies, where one does, and leaves the answer open. The correction comes with the
    reply to the ``after``-th further query, or as soon as the replies so far, the false one included, would leave one
    answer only: nobody who reasons well answers before it, and who does is judged as always. It names the query by its
    number and does not repeat it: the player has to find out which of its conclusions depended on it. Where query
    ``turn`` has no such reply the next one is taken that has.

    Source: the paper on executable games, sections 3.4 and 3.5, counterfactual revision: the second query, corrected
    with the next reply.

    Args:
        turn: the number of the query, from 1.
        after: how many queries later the correction comes, at the latest.
    """

    name: ClassVar[str] = "revision"
    place: ClassVar[int] = 3
    changes_replies: ClassVar[bool] = True
    needs_queries: ClassVar[bool] = True
    built_in: ClassVar[type | None] = Revisable

    turn: int = 2
    after: int = 1

    def __post_init__(self) -> None:
        whole("turn", self.turn, 1)
        whole("after", self.after, 1)

    def decorate(self, inner: DialogueTask[Any, Any], terms: Terms) -> DialogueTask[Any, Any]:
        """The task with a false reply."""
        if isinstance(inner, Revisable):
            return inner.revised(self.turn, self.after)
        return RevisionTask(inner, self.turn, self.after)

    def extra_rounds(self, terms: Terms) -> int:
        """One for the false reply, and one for each query that was chosen while it was believed."""
        return self.after


@dataclass(frozen=True)
class Lying:
    """What the probe of lies remembers.

    Attributes:
        count: queries replied to.
        false: the numbers of those whose reply was false, from 1.
    """

    count: int = 0
    false: tuple[int, ...] = ()


class LiesTask(ProbeTask):
    """The task with false replies that nobody corrects.

    Args:
        inner: the task inside.
        k: how many at most.
        within: the first queries, among which they are.
    """

    def __init__(self, inner: DialogueTask[Any, Any], k: int, within: int) -> None:
        super().__init__(inner)
        self._source = falsifiable("lies", inner)
        self._k, self._within = k, within

    def remember(self, case: Any) -> Lying:
        """Nothing was asked yet."""
        return Lying()

    def rules(self, case: Any, terms: Terms, vocabulary: Vocabulary = PLAIN) -> str:
        """The rules, and how many replies may be false."""
        many = f"Up to {self._k} replies" if self._k > 1 else "Up to 1 reply"
        return f"{self.inner.rules(case, terms, vocabulary)}\n\n{many} may be false."

    def reply(
        self, state: Probed, query: Any, rng: np.random.Generator, verdict: Verdict | None = None
    ) -> tuple[Any, Probed]:
        """The task's reply, or where the case says so a false one."""
        memory: Lying = state.memory
        fact, inner = self.inner.reply(state.inner, query, rng, verdict)
        number = memory.count + 1
        if number in self._lies(self.case_of(state)):
            for wrong in wrong_facts(self._source, state.inner, query, fact, rng):
                return wrong, Probed(self._source.mishear(inner, wrong), Lying(number, (*memory.false, number)))
        return fact, Probed(inner, Lying(number, memory.false))

    def own_record(self, state: Probed) -> dict[str, Any]:
        """The numbers of the queries whose reply was false."""
        return {"false_replies": list(state.memory.false)}

    def _lies(self, case: Any) -> set[int]:
        rng = np.random.default_rng([zlib.crc32(b"lies"), zlib.crc32(self.case_id(case).encode()), self._k])
        return {int(index) + 1 for index in rng.permutation(self._within)[: self._k]}


@dataclass(frozen=True)
class Lies(Probe):
    """Answer up to ``k`` queries falsely and say so in the rules; the budget grows by 2 k.

    Which ones, the case decides: they are among the first half of the usual budget. A lie fits all earlier replies,
    where one does; the same query, asked again, may get the true reply.

    Args:
        k: how many replies may be false.
    """

    name: ClassVar[str] = "lies"
    place: ClassVar[int] = 2
    changes_replies: ClassVar[bool] = True
    needs_queries: ClassVar[bool] = True

    k: int = 1

    def __post_init__(self) -> None:
        whole("k", self.k, 1)

    def decorate(self, inner: DialogueTask[Any, Any], terms: Terms) -> LiesTask:
        """The task with lies."""
        return LiesTask(inner, self.k, max(self.k, terms.budget // 2))

    def extra_rounds(self, terms: Terms) -> int:
        """Two per lie: as many as it takes to find one out by asking again."""
        return 2 * self.k


@dataclass(frozen=True)
class Late:
    """What the probe of delay remembers.

    Attributes:
        count: queries asked.
        due: replies still to come.
        now: those that came with the last one.
    """

    count: int = 0
    due: tuple[Asked, ...] = ()
    now: tuple[Asked, ...] = ()


class DelayTask(ProbeTask):
    """The task with replies that come some queries later.

    Args:
        inner: the task inside.
        k: how many.
    """

    def __init__(self, inner: DialogueTask[Any, Any], k: int) -> None:
        super().__init__(inner)
        self._k = k

    def remember(self, case: Any) -> Late:
        """Nothing was asked yet."""
        return Late()

    def rules(self, case: Any, terms: Terms, vocabulary: Vocabulary = PLAIN) -> str:
        """The rules, and when replies come."""
        later = "your next query" if self._k == 1 else f"{self._k} further queries"
        return f"{self.inner.rules(case, terms, vocabulary)}\n\nThe reply to each query comes only after {later}."

    def reply(
        self, state: Probed, query: Any, rng: np.random.Generator, verdict: Verdict | None = None
    ) -> tuple[DelayedReply, Probed]:
        """What is due now, without the reply to this query."""
        memory: Late = state.memory
        fact, inner = self.inner.reply(state.inner, query, rng, verdict)
        waiting = (*memory.due, Asked(memory.count, query, fact))
        now = tuple(asked for asked in waiting if asked.number + self._k <= memory.count)
        due = tuple(asked for asked in waiting if asked.number + self._k > memory.count)
        now_due = DelayedReply(None, tuple((asked.number, asked.fact) for asked in now))
        return now_due, Probed(inner, Late(memory.count + 1, due, now))

    def message(self, state: Probed, fact: DelayedReply, vocabulary: Vocabulary = PLAIN) -> str:
        """The replies that are due."""
        lines = [
            f"The reply to your query {asked.number + 1}, {self.write_query(state, asked.query)}: "
            f"{self.inner.render(asked.fact, vocabulary)}"
            for asked in state.memory.now
        ]
        return "\n".join(lines) or "The reply comes later."


@dataclass(frozen=True)
class Delay(Probe):
    """Give each reply ``k`` queries later and say so in the rules.

    A reply comes with the round of the ``k``-th query after it; unreadable messages and final answers bring none. For
    nothing to be lost the budget grows so far that each query of a usual game can be asked ``k`` times more: a player
    that waits for every reply before it asks something new still has all its rounds.

    Args:
        k: how many queries later.
    """

    name: ClassVar[str] = "delay"
    place: ClassVar[int] = 4
    changes_replies: ClassVar[bool] = True
    needs_queries: ClassVar[bool] = True

    k: int = 1

    def __post_init__(self) -> None:
        whole("k", self.k, 1)

    def decorate(self, inner: DialogueTask[Any, Any], terms: Terms) -> DelayTask:
        """The task with late replies."""
        return DelayTask(inner, self.k)

    def extra_rounds(self, terms: Terms) -> int:
        """``k`` for every round in which a query can be asked: the last one is for the answer."""
        return self.k * (terms.budget - 1)


def wrong_facts(task: Falsifiable[Any], state: Any, query: Any, fact: Any, rng: np.random.Generator) -> Iterator[Any]:
    """Well-formed facts that are not the true one, as often as the task draws any.

    Args:
        task: the task.
        state: before the query.
        query: its key.
        fact: the true reply.
        rng: draws them.
    """
    for _ in range(TRIES):
        wrong = task.wrong_fact(state, query, rng)
        if wrong is None:
            return
        if wrong != fact:
            yield wrong
