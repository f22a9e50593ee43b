"""Necessity judgment: all the evidence at once, then the question which of it the answer needs."""

from __future__ import annotations

import dataclasses
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from interactive_envs.dialogue.probe import Probe, Probed, ProbeTask, core_of, whole
from interactive_envs.dialogue.task import PLAIN, DialogueTask, Terms, Vocabulary
from interactive_envs.errors import ConfigError
from interactive_envs.judges.base import Verdict
from interactive_envs.parsing import Unreadable
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
        phase: what is asked for: ``first``, ``redundant`` or ``answer``.
        evidence: the observations as pairs of a query's index and the code of its reply.
        kept: the numbers of the observations that the player kept, None before its message.
    """

    game: Any
    phase: str
    evidence: tuple[tuple[int, int], ...]
    kept: tuple[int, ...] | None


@dataclass(frozen=True)
class Judging:
    """What the probe remembers.

    Attributes:
        evidence: as in :class:`NecessityShown`.
        first: the answer from all of it.
        kept: the numbers of the observations that were kept.
        final: the answer after that.
    """

    evidence: tuple[tuple[int, int], ...]
    first: Any = None
    kept: tuple[int, ...] | None = None
    final: Any = None

    @property
    def phase(self) -> Literal["first", "redundant", "answer"]:
        """What is asked for now."""
        if self.first is None:
            return "first"
        return "redundant" if self.kept is None else "answer"


class NecessityTask(ProbeTask):
    """The rules show all the evidence, the player prunes it.

    Args:
        inner: the task inside.
        evidence: how many observations, where there are so many.
    """

    query_tags = ("first", "redundant")

    def __init__(self, inner: DialogueTask[Any, Any], evidence: int) -> None:
        super().__init__(inner)
        core = core_of(inner)
        if not isinstance(core, QueryTask):
            raise ConfigError(
                f"probe 'necessity' needs a task with a level of query games, and {type(core).__name__} has none"
            )
        self._core = core
        self._evidence = evidence
        self.query_tags = type(self).query_tags
        self.empty_tags = ("redundant",)
        self.short_forms = {tag: (tag,) for tag in (*self.query_tags, self.answer_tag)}
        answers = self._core.level.answer_texts[:1]
        firsts = [text.replace(self.answer_tag, "first") for text in answers]
        self.action_examples = (*firsts, "<redundant>1</redundant>", "<redundant></redundant>", *answers)

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
        """The game without its queries, the evidence, and what is asked of the player."""
        game = self.inner.rules(case, dataclasses.replace(terms, interaction=False), vocabulary)
        evidence = self.evidence(case)
        listed = self._listed(evidence, range(1, len(evidence) + 1), vocabulary)
        return f"{game}\n\nThis was observed:\n{listed}\n\n{_TASKS.format(budget=terms.budget)}"

    def read_query(self, state: Probed, body: str, tag: str = "first") -> Any | Unreadable:
        """The first answer, or the numbers that are not needed, each in its turn."""
        if tag != state.memory.phase:
            return Unreadable(self._wanted(state))
        if tag == "first":
            return self.inner.read_answer(state.inner, body)
        count = len(state.memory.evidence)
        if not re.fullmatch(r"[\d\s,;.]*|none", body.strip(), re.I):
            return Unreadable(f"Give numbers of observations, 1 to {count}, or nothing; that was {body[:40]!r}.")
        found = tuple(sorted({int(number) for number in re.findall(r"\d{1,9}", body)}))
        if any(not 1 <= number <= count for number in found):
            return Unreadable(f"The observations are numbered 1 to {count}; that was {body[:40]!r}.")
        return found

    def read_answer(self, state: Probed, body: str) -> Any | Unreadable:
        """The last answer, when it is its turn."""
        if state.memory.phase != "answer":
            return Unreadable(self._wanted(state))
        return self.inner.read_answer(state.inner, body)

    def why_unreadable(self, tag: str, body: str, vocabulary: Vocabulary = PLAIN) -> str | None:
        """The task's, for answers."""
        return None if tag == "redundant" else self._core.why_unreadable(self.answer_tag, body, vocabulary)

    def reply(
        self, state: Probed, query: Any, rng: np.random.Generator, verdict: Verdict | None = None
    ) -> tuple[Any, Probed]:
        """What is asked for next; of the evidence what was kept."""
        memory: Judging = state.memory
        if memory.phase == "first":
            return None, Probed(state.inner, dataclasses.replace(memory, first=query))
        kept = tuple(number for number in range(1, len(memory.evidence) + 1) if number not in query)
        return kept, Probed(state.inner, dataclasses.replace(memory, kept=kept))

    def render(self, fact: Any, vocabulary: Vocabulary = PLAIN) -> str:
        """The numbers of what was kept."""
        return " ".join(map(str, fact or ())) or "none"

    def message(self, state: Probed, fact: Any, vocabulary: Vocabulary = PLAIN) -> str:
        """What is asked for next, with the evidence that was kept."""
        memory: Judging = state.memory
        if memory.kept is None:
            return f"That is noted. {_PRUNE}"
        listed = self._listed(memory.evidence, memory.kept, vocabulary) or "(nothing)"
        return f"What you kept:\n{listed}\n\n{_AGAIN}"

    def after_answer(self, state: Probed, answer: Any) -> Probed:
        """The last answer is remembered."""
        return Probed(state.inner, dataclasses.replace(state.memory, final=answer))

    def show(self, state: Probed) -> NecessityShown:
        """The evidence and how far the player came."""
        memory: Judging = state.memory
        return NecessityShown(self.inner.show(state.inner), memory.phase, memory.evidence, memory.kept)

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
            kept against ``needed_smallest``, 1 where there is nothing to be shared; ``after_pruning``: whether the last
            answer was right.
        """
        memory: Judging = state.memory
        patterns = excluding(self._core.level, self.inner.case_of(state.inner).state, memory.evidence)
        count = len(memory.evidence)
        needed = supporting(patterns, count, memory.kept or ())
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
        }
        if memory.kept is not None:
            kept = set(memory.kept)
            judged["removed"] = [number for number in range(1, count + 1) if number not in kept]
            judged["pruned_sufficient"] = decides(patterns, memory.kept)
            if needed is not None:
                shared = len(kept & set(needed.numbers))
                judged["precision"] = shared / len(kept) if kept else 1.0
                judged["recall"] = shared / len(needed.numbers) if needed.numbers else 1.0
        return judged

    def _listed(self, evidence: Sequence[tuple[int, int]], numbers: Sequence[int], vocabulary: Vocabulary) -> str:
        lines = (f"{number}. {self._core.observation(*evidence[number - 1], vocabulary)}" for number in numbers)
        return "\n".join(lines)

    def _wanted(self, state: Probed) -> str:
        tag = state.memory.phase
        return f"What is asked for now is <{tag}>…</{tag}>."


@dataclass(frozen=True)
class NecessityJudgment(Probe):
    """Tell all the evidence, have the player answer, remove what the answer does not need, and answer again.

    Three messages in one dialogue: ``<first>``, the answer; ``<redundant>``, the numbers of the observations that are
    not needed; ``<answer>``, the answer from what was kept, which alone decides the reward. There are no queries. The
    record's ``game`` says how the evidence was judged.

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


_TASKS = """\
Nothing can be asked. Three things are wanted of you, a message each, and {budget} messages are all you have:
First the answer from everything that was observed, in the form shown above but between <first> and </first>.
Then the numbers of the observations that the answer does not need: <redundant>2 5</redundant>, or none of them: \
<redundant></redundant>. They will be taken away together.
Then the answer from what is left: <answer>…</answer>. Only this one counts."""
_PRUNE = "Which observations does the answer not need? Give their numbers: <redundant>2 5</redundant>."
_AGAIN = "Give the answer from these observations alone: <answer>…</answer>."
