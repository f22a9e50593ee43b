"""The reference player of the puzzles: knows each kind's rules and all that may be hidden, asks what tells most."""

from __future__ import annotations

import functools
import itertools
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from interactive_envs.black_box.base import Observations
from interactive_envs.black_box.puzzle.base import Listed, Puzzle, letters, marks, marks_codes, text_of
from interactive_envs.black_box.puzzle.boxes import from_public
from interactive_envs.black_box.puzzle.coins import Coins
from interactive_envs.black_box.puzzle.coins_solver import climbed, planned, weights
from interactive_envs.black_box.puzzle.equations import Equation
from interactive_envs.black_box.puzzle.equations_solver import consistent
from interactive_envs.black_box.puzzle.made import MadePuzzle
from interactive_envs.black_box.puzzle.things import ARMS, Arms, Grid, Integer, Nuts, Ships
from interactive_envs.black_box.puzzle.words import Digits, Words, words
from interactive_envs.black_box.rules import BoxShown
from interactive_envs.black_box.solving import QuerySolver
from interactive_envs.parsing import Unreadable

SAMPLE = 1_500
"""Hypotheses that a query is judged by, at most."""
TRIED = 60
"""Queries that are judged each turn where there are many."""

P = TypeVar("P", bound=Puzzle)


class Solver(QuerySolver):
    """Counts the hypotheses that agree with all replies and asks what splits them best.

    Machines: the best plan for the turns left, exactly. Coins under false replies: the best plan among even splits.
    """

    _kept: tuple[int, Mind[Any]] | None = None

    def start(self, random: np.random.Generator) -> None:
        """Forget the last episode."""
        super().start(random)
        self._kept = None

    def ask(self, shown: BoxShown, turns_left: int) -> str | None:
        """The query that is expected to tell most; none when one hypothesis is left."""
        query = self._mind(shown).ask(shown.observations, turns_left)
        return None if query is None else f"<query>{query}</query>"

    def answer(self, shown: BoxShown) -> str:
        """The most probable answer that was not wrong yet."""
        mind = self._mind(shown)
        wrong = {_known(mind.box, text) for text in shown.given}
        return str(mind.box.show_answer(mind.answer(shown.observations, wrong)))

    def _mind(self, shown: BoxShown) -> Mind[Any]:
        if self._kept is None or self._kept[0] != shown.trial_number:
            box = from_public(shown.public, shown.partial)
            self._kept = shown.trial_number, _MINDS[type(box)](box, self.random)
        return self._kept[1]


def _known(box: Puzzle, text: str) -> Any:
    found = box.read_answer(None, re.sub(r"</?answer>", "", text))
    return None if isinstance(found, Unreadable) else found


class Mind(ABC, Generic[P]):
    """What is thought about one hidden thing."""

    def __init__(self, box: P, random: np.random.Generator) -> None:
        self.box, self.random = box, random
        self._asked = 0

    def ask(self, observations: Observations, turns_left: int) -> str | None:
        """The inside of the next query's tag, None where no query can tell anything."""
        # Where replies come later nothing is known: then queries are to be different, and that they are random helps.
        asked, self._asked = self._asked, self._asked + 1
        telling = [n for n in range(asked + 1, asked + turns_left + 1) if not self.box.every or n % self.box.every]
        return self.best(observations, max(1, len(telling)), asked > len(observations))

    @abstractmethod
    def best(self, observations: Observations, telling: int, blind: bool) -> str | None:
        """A good query with so many replies to come; ``blind`` where earlier replies are put off."""

    @abstractmethod
    def answer(self, observations: Observations, wrong: set[Any]) -> Any:
        """A good answer, none of the wrong ones."""


def spread(codes: NDArray[np.int64], last: bool) -> float:
    """What a query is worth whose replies have these codes: bits, or for the last one how many kinds there are."""
    counts = np.unique(codes, return_counts=True)[1]
    if last:
        return float(len(counts))
    shares = counts / len(codes)
    return float(-(shares * np.log2(shares)).sum())


class _ListedMind(Mind[Listed]):
    """Of a puzzle whose hypotheses are listed."""

    def __init__(self, box: Listed, random: np.random.Generator) -> None:
        super().__init__(box, random)
        self._observations: Observations = ()
        self._rows = box.hypotheses()

    def rows(self, observations: Observations) -> NDArray[Any]:
        """Those that agree; what agrees with none is left out, for it may be corrected."""
        if observations[: len(self._observations)] != self._observations:
            self._observations, self._rows = (), self.box.hypotheses()
        for one in observations[len(self._observations) :]:
            kept = self.box.agreeing((one,), self._rows)
            self._rows = kept if len(kept) else self._rows
        self._observations = observations
        return self._rows

    def best(self, observations: Observations, telling: int, blind: bool) -> str | None:
        """By bits; of several best ones any."""
        rows = self.rows(observations)
        if len(rows) == 1:
            return None
        judged = rows
        if len(rows) > SAMPLE:
            judged = rows[self.random.integers(len(rows), size=SAMPLE)]
        several = list(self.candidates(rows))
        if blind:
            several = [several[i] for i in self.random.permutation(len(several))[:3]]
        worth = [spread(self.box.codes(judged, query), telling == 1) for query in several]
        best = np.flatnonzero(np.array(worth) > max(worth) - 1e-9)
        return self.box.show_query(several[int(self.random.choice(best))])

    def candidates(self, rows: NDArray[Any]) -> Iterable[Any]:
        """Queries to judge."""
        box, random = self.box, self.random
        if isinstance(box, Integer):
            return range(box.largest + 1)
        if isinstance(box, MadePuzzle):
            return box.table.queries
        if isinstance(box, Grid | Ships):
            return [(x, y) for y in range(1, box.height + 1) for x in range(1, box.width + 1)]
        if isinstance(box, Digits):
            some = random.integers(10, size=(TRIED // 3, box.length))
            hidden = [box.answer_at(rows[i]) for i in random.integers(len(rows), size=TRIED)]
            return [*hidden, *("".join(map(str, row)) for row in some)]
        if isinstance(box, Nuts):
            # A nut is compared with a bolt it may yet fit, near the middle of those.
            several = []
            for _ in range(TRIED):
                nuts = random.choice(box.count, box.pairs, replace=box.pairs > box.count)
                bolts = rows[random.integers(len(rows), size=box.pairs), nuts]
                several.append(tuple((int(nut) + 1, int(bolt)) for nut, bolt in zip(nuts, bolts, strict=True)))
            return several
        raise TypeError(f"no queries are known for {type(box).__name__}")

    def answer(self, observations: Observations, wrong: set[Any]) -> Any:
        """Any that agrees; of ships the cells that are more often one of a ship than not, which is worth most."""
        rows = self.rows(observations)
        if isinstance(self.box, Ships) and not wrong:
            judged = rows if len(rows) <= 20 * SAMPLE else rows[self.random.integers(len(rows), size=20 * SAMPLE)]
            bits = np.arange(self.box.width * self.box.height, dtype=np.uint64)
            likely = ((judged[:, None] >> bits) & np.uint64(1)).mean(axis=0) > 0.5
            return self.box.answer_at(sum(1 << int(bit) for bit in np.flatnonzero(likely)))
        for i in self.random.permutation(len(rows))[: len(wrong) + 1]:
            answer = self.box.answer_at(rows[i])
            if answer not in wrong:
                return answer
        return self.box.answer_at(rows[0])


class _WordsMind(Mind[Words]):
    """Of hidden words: each has its own list of words that agree."""

    def __init__(self, box: Words, random: np.random.Generator) -> None:
        super().__init__(box, random)
        self._observations: Observations = ()
        self._words = words(box.length)
        self._boards = [np.arange(len(self._words)) for _ in range(box.count)]

    def boards(self, observations: Observations) -> list[NDArray[np.intp]]:
        """The numbers of words that agree; a word that is known on one board is on no other."""
        box = self.box
        if observations[: len(self._observations)] != self._observations:
            self._observations = ()
            self._boards = [np.arange(len(self._words)) for _ in range(box.count)]
        for one in observations[len(self._observations) :]:
            several = [kept[box.agreeing(self._words[kept], (one,), board)] for board, kept in enumerate(self._boards)]
            self._boards = [found if len(found) else kept for found, kept in zip(several, self._boards, strict=True)]
        self._observations = observations
        for board, kept in enumerate(self._boards):
            if len(kept) == 1:
                self._boards = [
                    other[other != kept[0]] if number != board and len(other) > 1 else other
                    for number, other in enumerate(self._boards)
                ]
        return self._boards

    def best(self, observations: Observations, telling: int, blind: bool) -> str | None:
        """By the bits of all boards together."""
        boards = self.boards(observations)
        open_ones = [board for board in boards if len(board) > 1]
        if not open_ones:
            return None
        if not observations and not blind:
            return _first(self.box.length, self.box.partial)
        pool = np.unique(np.concatenate(open_ones))
        tried = self.random.permutation(pool)[:TRIED]
        tried = np.concatenate([tried, self.random.integers(len(self._words), size=1 if blind else TRIED)])
        worth = []
        for number in tried[-1:] if blind else tried:
            query = text_of(self._words[number])
            values = [spread(self.box.codes(self._words[board[:SAMPLE]], query), telling == 1) for board in open_ones]
            worth.append(sum(map(math.log, values)) if telling == 1 else sum(values))
        return text_of(self._words[(tried[-1:] if blind else tried)[int(np.argmax(worth))]])

    def answer(self, observations: Observations, wrong: set[Any]) -> Any:
        """Any different words that agree."""
        boards = self.boards(observations)
        answer: tuple[str, ...] = ()
        for _ in range(50 + len(wrong)):
            answer = tuple(text_of(self._words[self.random.choice(board)]) for board in boards)
            if answer not in wrong and len(set(answer)) == len(answer):
                break
        return answer


@functools.cache
def _first(length: int, counted: bool) -> str:
    """A good first word."""
    listed = words(length)
    some = np.random.default_rng(0).permutation(len(listed))[:150]
    return text_of(
        listed[max(some, key=lambda i: spread(marks_codes(marks(listed[:SAMPLE], listed[i]), counted), False))]
    )


class _ArmsMind(Mind[Arms]):
    """Of machines: the plan that is best for the turns left, or for as many as can be planned."""

    def _counts(self, observations: Observations) -> list[tuple[int, int]]:
        replies = [(query, fact) for query, fact in observations if fact is not None]
        return [
            (sum(q == arm and f for q, f in replies), sum(q == arm and not f for q, f in replies))
            for arm in ARMS[: len(self.box.chances)]
        ]

    def best(self, observations: Observations, telling: int, blind: bool) -> str | None:
        """The machine after which most is won."""
        counts = self._counts(observations)
        if blind:
            return ARMS[self._asked % len(counts)]
        turns = min(telling, {2: 20, 3: 12}.get(len(counts), 8))
        worth = [_after(self.box.chances, counts, arm, turns) for arm in range(len(counts))]
        return ARMS[int(np.argmax(worth))]

    def answer(self, observations: Observations, wrong: set[Any]) -> Any:
        """The machine that is most probably the best."""
        right = _best_weights(self.box.chances, tuple(self._counts(observations)))
        open_ones = [arm for arm in range(len(right)) if ARMS[arm] not in wrong]
        return ARMS[max(open_ones, key=lambda arm: right[arm])]


Counts = tuple[tuple[int, int], ...]


def _after(chances: tuple[float, ...], counts: list[tuple[int, int]], arm: int, turns: int) -> float:
    won, lost = counts[arm]
    rest = [*counts[:arm], *counts[arm + 1 :]]
    return sum(_worth(chances, tuple(sorted([*rest, new])), turns - 1) for new in ((won + 1, lost), (won, lost + 1)))


@functools.lru_cache(maxsize=200_000)
def _worth(chances: tuple[float, ...], counts: Counts, turns: int) -> float:
    """The probability of these rewards and of being right in the end; their order among machines does not matter."""
    if not turns:
        return max(_best_weights(chances, counts))
    # Machines with the same rewards are worth the same.
    return max(_after(chances, list(counts), counts.index(count), turns) for count in set(counts))


@functools.lru_cache(maxsize=200_000)
def _best_weights(chances: tuple[float, ...], counts: Counts) -> list[float]:
    """For each machine, the probability of the rewards and of its being the best."""
    found = [0.0] * len(counts)
    powers = [[chance**won * (1 - chance) ** lost for won, lost in counts] for chance in chances]
    for order in itertools.permutations(range(len(counts))):  # the machine of each chance
        found[order[0]] += math.prod(powers[i][arm] for i, arm in enumerate(order))
    return found


class _CoinsMind(Mind[Coins]):
    """Of coins and a balance."""

    def best(self, observations: Observations, telling: int, blind: bool) -> str | None:
        """Even splits: by climbing, or by a plan where replies may be false."""
        if self.box.lies:
            query = planned(self.box, observations, telling, self.random)
        else:
            left = self.box.agreeing(observations)
            query = None if left.sum() == 1 else climbed(self.box, left, self.random)
        return None if query is None else self.box.show_query(query)

    def answer(self, observations: Observations, wrong: set[Any]) -> Any:
        """A most probable one."""
        box = self.box
        answer: Any = None
        if box.lies:
            weight = weights(box, observations)
            for coin in np.argsort(-weight, kind="stable") + 1:
                if int(coin) not in wrong:
                    return int(coin)
        pairs = np.argwhere(box.agreeing(observations))
        for i in self.random.permutation(len(pairs))[: len(wrong) + 1]:
            heavy, light = map(int, pairs[i])
            answer = (heavy, light)
            if box.sought != "both":
                answer = heavy if box.sought == "heavy" else (heavy, "heavy") if heavy else (light, "light")
            if answer not in wrong:
                return answer
        return answer


class _EquationMind(Mind[Equation]):
    """Of equations: some that agree are found by drawing."""

    def __init__(self, box: Equation, random: np.random.Generator) -> None:
        super().__init__(box, random)
        self._observations: Observations = ()
        self._pool: list[str] = []
        self._others: list[str] = []

    def pool(self, observations: Observations) -> list[str]:
        """Some equations that agree."""
        if not self._others or observations != self._observations:
            self._pool, self._others = consistent(self.box, observations, self._pool, self.random)
            self._observations = observations
        return self._pool

    def best(self, observations: Observations, telling: int, blind: bool) -> str | None:
        """By bits over those found; where none was, one that was not asked."""
        if observations and observations[-1][1] in ("A" * self.box.length, (self.box.length, 0)):
            return None
        pool = self.pool(observations)
        if not pool:
            asked = {query for query, _ in observations}
            fresh = [one for one in self._others if one not in asked] or self._others
            return fresh[int(self.random.integers(len(fresh)))]
        rows = np.array([letters(one) for one in pool])
        tried = [int(i) for i in self.random.permutation(len(pool))[: 1 if blind else 40]]
        counted = self.box.partial
        return pool[max(tried, key=lambda i: spread(marks_codes(marks(rows, rows[i]), counted), telling == 1))]

    def answer(self, observations: Observations, wrong: set[Any]) -> Any:
        """One that agrees, or any."""
        several = [*self.pool(observations), *self._others]
        return next((one for one in several if one not in wrong), several[0])


_MINDS: dict[type[Puzzle], type[Mind[Any]]] = {
    Arms: _ArmsMind,
    Coins: _CoinsMind,
    Digits: _ListedMind,
    Equation: _EquationMind,
    Grid: _ListedMind,
    Integer: _ListedMind,
    MadePuzzle: _ListedMind,
    Nuts: _ListedMind,
    Ships: _ListedMind,
    Words: _WordsMind,
}
