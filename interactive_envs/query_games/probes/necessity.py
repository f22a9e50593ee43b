"""Necessity judgment: all the evidence at once, then the question which of it the answer needs."""

from __future__ import annotations

import dataclasses
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from interactive_envs.dialogue.probe import Probe, Probed, ProbeTask, core_of, whole
from interactive_envs.dialogue.task import PLAIN, DialogueTask, Terms, Vocabulary
from interactive_envs.errors import ConfigError
from interactive_envs.judges.base import Verdict
from interactive_envs.parsing import Illegal, Unreadable, action_forms
from interactive_envs.query_games import solver
from interactive_envs.query_games.base import Codes, Level
from interactive_envs.query_games.rules import QueryTask

MESSAGES = 6
"""Budget: three messages are needed, three more may be unreadable."""
MAX_EVIDENCE = 60
NODES = 20_000
"""Nodes that the search for the smallest supporting set may visit."""


@dataclass(frozen=True)
class Supporting:
    """A set of observations that decides the answer.

    Attributes:
        numbers: of the observations, from 1, rising.
        smallest: whether no smaller set does; else the search was cut short, and only none of its own parts does.
    """

    numbers: tuple[int, ...]
    smallest: bool


@dataclass(frozen=True)
class NecessityShown:
    """What the player may know.

    Attributes:
        game: what the task inside shows.
        phase: what is asked for: ``answer``, from all observations and later from those that were kept, or
            ``redundant``.
        evidence: the observations that it sees, as pairs of a query's index and the code of its reply.
    """

    game: Any
    phase: str
    evidence: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Judging:
    """What the probe remembers.

    Attributes:
        evidence: all observations, as in :class:`NecessityShown`.
        first: the answer from all of it.
        kept: the numbers of the observations that were kept.
        final: the answer after that.
    """

    evidence: tuple[tuple[int, int], ...]
    first: Any = None
    kept: tuple[int, ...] | None = None
    final: Any = None

    @property
    def phase(self) -> Literal["answer", "redundant"]:
        """What is asked for now."""
        return "redundant" if self.first is not None and self.kept is None else "answer"

    @property
    def seen(self) -> tuple[tuple[int, int], ...]:
        """The observations that the player sees."""
        return self.evidence if self.kept is None else tuple(self.evidence[number - 1] for number in self.kept)


class NecessityTask(ProbeTask):
    """The rules show all the evidence; the player answers, prunes it, and answers again without a memory of both.

    Args:
        inner: the task inside.
        evidence: how many observations, where there are so many.
    """

    query_tags = ("redundant",)

    def __init__(self, inner: DialogueTask[Any, Any], evidence: int) -> None:
        super().__init__(inner)
        core = core_of(inner)
        if not isinstance(core, QueryTask):
            raise ConfigError(
                f"probe 'necessity' needs a task with a level of query games, and {type(core).__name__} has none"
            )
        self._core = core
        self._evidence = evidence
        self.query_tags, self.concludes = type(self).query_tags, False
        self.empty_tags = ("redundant",)
        self.short_forms = {tag: (tag,) for tag in (*self.query_tags, self.answer_tag)}
        examples = ("<redundant>1</redundant>", "<redundant></redundant>")
        self.action_examples = (*self._core.level.answer_texts[:1], *examples)

    @property
    def action_forms(self) -> Mapping[str, str]:
        """The numbers, of which there may be none, and the answer; there are no queries."""
        return action_forms((*self.query_tags, self.answer_tag))

    def remember(self, case: Any) -> Judging:
        """The evidence."""
        return Judging(self.evidence(case))

    def evidence(self, case: Any) -> tuple[tuple[int, int], ...]:
        """The observations of a case, as pairs of a query's index and the code of its reply."""
        level = self._core.level
        rng = np.random.default_rng([zlib.crc32(b"evidence"), case.state])
        pool = evidence_pool(level, case.state, self._evidence, rng)
        return tuple((query, level.reply(case.state, level.queries[query])) for query in pool)

    def rules(self, case: Any, terms: Terms, vocabulary: Vocabulary = PLAIN) -> str:
        """The game without its queries, and all the evidence; nothing of what comes later."""
        return self._core.rules_with(case, self.evidence(case), vocabulary)

    def tags_at(self, state: Probed) -> tuple[str, ...]:
        """The one thing that is asked for."""
        return (state.memory.phase,)

    def is_final(self, state: Probed, tag: str) -> bool:
        """Whether this is the answer from what was kept."""
        return state.memory.kept is not None

    def read_query(self, state: Probed, body: str, tag: str = "redundant") -> Any | Unreadable:
        """The first answer, or the numbers that are not needed."""
        if tag == self.answer_tag:
            return self.inner.read_answer(state.inner, body)
        count = len(state.memory.evidence)
        if not re.fullmatch(r"[\d\s,;.]*|none", body.strip(), re.I):
            return Unreadable(f"Give numbers of observations, 1 to {count}, or nothing; that was {body[:40]!r}.")
        found = tuple(sorted({int(number) for number in re.findall(r"\d{1,9}", body)}))
        if any(not 1 <= number <= count for number in found):
            return Illegal(f"The observations are numbered 1 to {count}; that was {body[:40]!r}.")
        return found

    def why_unreadable(self, tag: str, body: str, vocabulary: Vocabulary = PLAIN) -> str | None:
        """The task's, for answers."""
        return None if tag == "redundant" else self._core.why_unreadable(self.answer_tag, body, vocabulary)

    def reply(
        self, state: Probed, query: Any, rng: np.random.Generator, verdict: Verdict | None = None
    ) -> tuple[Any, Probed]:
        """What is asked for next; of the evidence what was kept."""
        memory: Judging = state.memory
        if memory.phase == "answer":
            return None, Probed(state.inner, dataclasses.replace(memory, first=query))
        kept = tuple(number for number in range(1, len(memory.evidence) + 1) if number not in query)
        return kept, Probed(state.inner, dataclasses.replace(memory, kept=kept))

    def begins_anew(self, state: Probed) -> bool:
        """Once the evidence is pruned, the player meets the game as for the first time."""
        return state.memory.kept is not None

    def render(self, fact: Any, vocabulary: Vocabulary = PLAIN) -> str:
        """The numbers of what was kept."""
        return " ".join(map(str, fact or ())) or "none"

    def message(self, state: Probed, fact: Any, vocabulary: Vocabulary = PLAIN) -> str:
        """The request to prune the evidence, then the rules with what is left of it."""
        memory: Judging = state.memory
        if memory.kept is None:
            return _PRUNE
        return self._core.rules_with(self.inner.case_of(state.inner), memory.seen, vocabulary)

    def after_answer(self, state: Probed, answer: Any) -> Probed:
        """The last answer is remembered."""
        return Probed(state.inner, dataclasses.replace(state.memory, final=answer))

    def payoff(self, state: Probed) -> float:
        """Of the observations that could be removed, the share that was; see :class:`NecessityJudgment`."""
        memory: Judging = state.memory
        patterns, count, needed = self._needed(state)
        right = memory.final is not None and self.inner.check(state.inner, memory.final)
        if memory.kept is None or needed is None or not right or not decides(patterns, memory.kept):
            return 0.0
        spare = count - len(needed.numbers)
        return min(1.0, (count - len(memory.kept)) / spare) if spare else 1.0

    def show(self, state: Probed) -> NecessityShown:
        """What is asked for, and the observations that the player sees."""
        memory: Judging = state.memory
        return NecessityShown(self.inner.show(state.inner), memory.phase, memory.seen)

    def n_actions(self, state: Probed) -> None:
        """There are too many sets of observations to list."""

    def queries(self, state: Probed) -> None:
        """There are too many sets of observations to list."""

    def hypotheses(self, view: Any) -> None:
        """There is nothing left to find out by asking."""

    @property
    def numeric_actions(self) -> None:
        """A set of observations is no number: there is no twin."""

    @property
    def numeric_shape(self) -> None:
        """A set of observations is no number: there is no twin."""

    def own_record(self, state: Probed) -> dict[str, Any]:
        """How the player judged the evidence; None where it did not come so far.

        Returns:
            ``evidence``: how many observations there were; ``complete``: whether the first answer was right;
            ``removed``: what the player removed; ``needed_smallest``: of the smallest sets that decide the answer the
            one nearest to what was kept; ``smallest_is_exact``: whether it is proved that no set is smaller;
            ``pruned_sufficient``: whether what was kept decides the answer; ``precision`` and ``recall`` of what was
            kept against ``needed_smallest``, None where nothing was kept or needed; ``after_pruning``: whether the last
            answer was right; ``score``: what the episode pays.
        """
        memory: Judging = state.memory
        patterns, count, needed = self._needed(state)
        judged: dict[str, Any] = {
            "evidence": count,
            "complete": None if memory.first is None else self.inner.check(state.inner, memory.first),
            "removed": None,
            "needed_smallest": None if needed is None else list(needed.numbers),
            "smallest_is_exact": None if needed is None else needed.smallest,
            "pruned_sufficient": None,
            "precision": None,
            "recall": None,
            "after_pruning": None if memory.final is None else self.inner.check(state.inner, memory.final),
            "score": self.payoff(state),
        }
        if memory.kept is not None:
            kept = set(memory.kept)
            judged["removed"] = [number for number in range(1, count + 1) if number not in kept]
            judged["pruned_sufficient"] = decides(patterns, memory.kept)
            if needed is not None:
                shared = len(kept & set(needed.numbers))
                judged["precision"] = shared / len(kept) if kept else None
                judged["recall"] = shared / len(needed.numbers) if needed.numbers else None
        return judged

    def _needed(self, state: Probed) -> tuple[list[int], int, Supporting | None]:
        """The patterns of the evidence, its size, and the smallest set that decides the answer."""
        memory: Judging = state.memory
        patterns = excluding(self._core.level, self.inner.case_of(state.inner).state, memory.evidence)
        return patterns, len(memory.evidence), supporting(patterns, len(memory.evidence), memory.kept or ())


@dataclass(frozen=True)
class NecessityJudgment(Probe):
    """Show all the evidence, have the player answer, remove what the answer does not need, and ask again without it.

    Three messages. The rules show the evidence and ask for the answer, no more. Then the player names the observations
    that the answer does not need. Then the dialogue begins anew (``info["remember"]`` is 0): the same rules with the
    observations that are left, renumbered, and again they ask for the answer. There are no queries.

    The reward is the share of the observations that could be removed (all but the smallest set that decides the answer)
    that were; it is 0 where the last answer is wrong, and where what was kept does not decide it: a right answer is
    then a guess, or remembered in spite of the new beginning. Removing nothing pays 0 (unless nothing can be removed),
    keeping a smallest set 1. The outcome is ``scored``. The record's ``game`` says how the evidence was judged.

    The evidence is every legal query with its reply; where there are too many, the reference player's queries and
    others that the case decides, in the usual order.

    Source: the paper on executable games, sections 3.4 and 3.5, necessity judgment.

    Args:
        evidence: how many observations at most; more where the reference player needs more.
    """

    name: ClassVar[str] = "necessity"
    place: ClassVar[int] = 1
    changes_replies: ClassVar[bool] = True
    needs_queries: ClassVar[bool] = True

    evidence: int = 24

    def __post_init__(self) -> None:
        whole("evidence", self.evidence, 1, MAX_EVIDENCE)

    def decorate(self, inner: DialogueTask[Any, Any], terms: Terms) -> NecessityTask:
        """The task that shows its evidence."""
        return NecessityTask(inner, self.evidence)

    def extra_rounds(self, terms: Terms) -> int:
        """What makes the budget six messages."""
        return MESSAGES - terms.budget


def evidence_pool(level: Level, state: int, size: int, rng: np.random.Generator) -> list[int]:
    """Queries whose replies decide the answer for a hidden state, in the level's order.

    Args:
        level: the game at its level.
        state: the hidden state.
        size: how many queries, where there are more; the reference player's are always among them.
        rng: draws the others.
    """
    if len(level.queries) <= size:
        return list(range(len(level.queries)))
    left = np.flatnonzero(level.opening == level.opening[state])
    own: list[int] = []
    while (query := solver.choose(level, left)) is not None:
        own.append(query)
        left = left[level.table[left, query] == level.table[state, query]]
    others = [int(query) for query in rng.permutation(len(level.queries)) if query not in own]
    return sorted(own + others[: max(0, size - len(own))])


def excluding(level: Level, state: int, evidence: Sequence[tuple[int, int]]) -> list[int]:
    """Which observations exclude each hidden state with another right answer, as bits; only the patterns that matter.

    Bit ``i`` stands for observation ``i + 1``. A pattern that contains another is left out: what meets that one meets
    it too. A set of observations decides the answer when it meets every pattern.
    """
    others = np.flatnonzero((level.opening == level.opening[state]) & (level.right != level.right[state]))
    queries: Codes = np.array([query for query, _ in evidence], dtype=np.int64)
    replies: Codes = np.array([code for _, code in evidence], dtype=np.int64)
    rows = np.unique(level.table[np.ix_(others, queries)] != replies, axis=0)
    found = sorted((sum(1 << int(bit) for bit in np.flatnonzero(row)) for row in rows), key=int.bit_count)
    minimal: list[int] = []
    for pattern in found:
        if not any(pattern & smaller == smaller for smaller in minimal):
            minimal.append(pattern)
    return minimal


def decides(patterns: Sequence[int], numbers: Sequence[int]) -> bool:
    """Whether a set of observations meets every pattern."""
    chosen = _bits(numbers)
    return all(pattern & chosen for pattern in patterns)


def supporting(patterns: Sequence[int], count: int, near: Sequence[int] = (), nodes: int = NODES) -> Supporting | None:
    """A smallest set of observations that decides the answer, of several the one that shares most with another set.

    Iterative deepening: the smallest size at which some set meets every pattern. Where that takes too long, a set of
    which nothing can be left out.

    Args:
        patterns: as :func:`excluding` finds them.
        count: how many observations there are.
        near: the other set.
        nodes: how many partial sets may be tried.

    Returns:
        None where all of the observations together do not decide it.
    """
    everything = range(1, count + 1)
    if not decides(patterns, everything):
        return None
    preferred = _bits(near)
    budget = iter(range(nodes))
    try:
        for size in range(count + 1):
            found = list(_meeting(list(patterns), 0, (1 << count) - 1, size, budget))
            if found:
                best = max(found, key=lambda chosen: ((chosen & preferred).bit_count(), -chosen))
                return Supporting(_numbers(best), True)
    except _CutShortError:
        pass
    chosen = list(everything)
    for number in sorted(everything, key=lambda number: (preferred >> (number - 1) & 1, -number)):
        fewer = [other for other in chosen if other != number]
        if decides(patterns, fewer):
            chosen = fewer
    return Supporting(tuple(chosen), False)


class _CutShortError(Exception):
    """The search visited as many nodes as it may."""


def _meeting(patterns: list[int], chosen: int, allowed: int, size: int, budget: Iterator[int]) -> Iterator[int]:
    """Every set of at most ``size`` further observations that meets the patterns, with what is chosen already."""
    if next(budget, None) is None:
        raise _CutShortError
    if not patterns:
        yield chosen
        return
    if _apart(patterns, allowed) > size:
        return
    fewest = min((pattern & allowed for pattern in patterns), key=int.bit_count)
    while fewest:
        bit = fewest & -fewest
        fewest ^= bit
        left = [pattern for pattern in patterns if not pattern & bit]
        yield from _meeting(left, chosen | bit, allowed, size - 1, budget)
        allowed &= ~bit  # sets with it were all tried


def _apart(patterns: Sequence[int], allowed: int) -> int:
    """How many patterns share no observation, found greedily: as many are needed at least."""
    met, count = 0, 0
    for pattern in patterns:
        if not pattern & met:
            met |= pattern & allowed
            count += 1
    return count


def _bits(numbers: Sequence[int]) -> int:
    return sum(1 << (number - 1) for number in set(numbers))


def _numbers(chosen: int) -> tuple[int, ...]:
    return tuple(bit + 1 for bit in range(chosen.bit_length()) if chosen >> bit & 1)


_PRUNE = """\
Noted. Which observations can be left out, all at once, so that the others still decide the answer? Your score \
is how many you leave out, divided by the most that can be left out. It is 0 if the others do not decide the answer, \
or if your answer is wrong.
Give the numbers of the observations to leave out: <redundant>2 5</redundant>, or <redundant></redundant> for none."""
