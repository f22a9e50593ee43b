"""The player of hidden circuits: learns each gate by elimination, and what gates have in common from the sure ones.

It knows that gates are AND or OR of two earlier signals or NOT of one, and nothing of the boxes. Which of the many
gates that agree are likely, it learns in the circuit itself: how far gates reach back, that most gates are taken by
another, and that parts repeat (gate g takes what gate g-P takes, moved on).
"""

from __future__ import annotations

import functools
import itertools
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from interactive_envs.black_box.rules import BoxShown
from interactive_envs.black_box.solving import QuerySolver

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

AND, OR, NOT = range(3)
KINDS = np.log([0.4, 0.4, 0.2])
FAR = 40
"""Reaching back further than this is all one."""
KEPT = 100
"""Candidates of a gate that predict."""
PERIODS = 20
"""Gates apart at most, in repetitions."""
MOVES = 100
"""Repetitions that are considered at once."""
SPARE = 0.08
"""How likely a gate that is taken already is to be taken again, against one that is not taken."""
COPY, DOUBLE_NOT = 0.4, 0.02
"""Factors for a gate that is the same function as an earlier signal; for one made by NOT."""
PLAIN = 0.3
"""How much doubts count, where queries are chosen, that there are before gates learn from each other."""
DESIGNED = 2
"""First queries, which do not depend on replies."""
CONSIDERED = 150
"""Queries compared."""


class Solver(QuerySolver):
    """Learns the odds of every gate and asks the inputs whose outputs they leave most in doubt.

    With partial observability it goes by simple functions of the inputs that agree with the replies. A second try at
    an item takes the most doubtful gate the other way.
    """

    _observations: tuple[Any, ...] = ()
    _trial = -1
    _asked: tuple[int, ...] = ()
    _model: Gates | Functions | None = None

    def ask(self, shown: BoxShown, turns_left: int) -> str | None:
        """A query that was not asked."""
        n = shown.public[0]
        model = self._learned(shown)
        asked = {*self._asked, *(_row(query) for query, _ in shown.observations)}
        left = np.setdiff1d(np.arange(2**n), list(asked))
        if not len(left):
            return None
        if len(shown.observations) < DESIGNED:
            # The second is the opposite of the first: each input is seen both ways.
            opposite = 2**n - 1 - self._asked[0] if len(self._asked) == 1 else -1
            row = opposite if opposite in left else int(self.random.choice(left))
        else:
            model.weigh(last=False)
            some = self.random.permutation(left)[:CONSIDERED]
            rows = np.union1d(some, np.intersect1d(left, [0, 2**n - 1]))
            row = int(rows[model.doubt(rows).argmax()])
        self._asked += (row,)
        return f"<query>{_spaced(_bits(row, n))}</query>"

    def answer(self, shown: BoxShown) -> str:
        """What the gates probably give, or a function that does."""
        model = self._learned(shown)
        model.weigh(last=True)
        if shown.code:
            return model.write()
        rows = np.array([_row(shown.item)])
        ones = model.predict(rows)[0]
        if shown.given:
            doubtful = np.abs(ones - 0.5).argsort(kind="stable")
            gate = int(doubtful[(len(shown.given) - 1) % len(doubtful)])
            ones = model.predict(rows, {gate: bool(ones[gate] <= 0.5)})[0]
        return _spaced((ones > 0.5).astype(int))

    def _learned(self, shown: BoxShown) -> Gates | Functions:
        """Learn from the observations."""
        if (
            self._trial != shown.trial_number
            or self._observations != shown.observations[: len(self._observations)]
            or self._model is None
        ):
            if self._trial != shown.trial_number:
                self._asked = ()
            n, gates, outputs = shown.public
            self._model = Functions(n, outputs) if shown.partial else Gates(n, gates)
            self._trial, self._observations = shown.trial_number, ()
        for query, fact in shown.observations[len(self._observations) :]:
            self._model.hear(query, fact)
        self._observations = shown.observations
        return self._model


class Moves(NamedTuple):
    """Repetitions: candidates that another gate's candidate becomes when it is moved.

    Attributes:
        size: how many kinds of moves there are.
        move: the kind, for each candidate found.
        found: the candidates.
        weight: of what was moved there.
    """

    size: int
    move: Ints
    found: Ints
    weight: Floats


class Gates:
    """All gates that agree with the replies, and how likely each is.

    A candidate is a gate's number ``g``, its kind ``k`` and the two signals ``i <= j`` that it takes, equal in a NOT;
    candidates are in this order.

    Args:
        n: inputs.
        m: gates.
    """

    def __init__(self, n: int, m: int) -> None:
        self.n, self.m = n, m
        parts = []
        for gate in range(m):
            pairs, alone = np.triu_indices(n + gate), (np.arange(n + gate),) * 2
            for kind, (first, second) in enumerate((pairs, pairs, alone)):
                parts.append(np.stack([np.full(len(first), gate), np.full(len(first), kind), first, second]))
        self.g, self.k, self.i, self.j = np.concatenate(parts, axis=1).astype(np.int64)
        self.weights: Floats = np.zeros(0)
        """How likely each candidate is, empty until they are weighed."""

    def hear(self, query: tuple[int, ...], fact: tuple[int, ...]) -> None:
        """Drop the candidates that a reply refutes."""
        signals = np.array([*query, *fact], dtype=bool)
        fits = _gate(self.k, signals[self.i], signals[self.j]) == signals[self.n + self.g]
        self.g, self.k, self.i, self.j = self.g[fits], self.k[fits], self.i[fits], self.j[fits]
        self.weights = np.zeros(0)

    # How likely each is.

    def weigh(self, *, last: bool) -> None:
        """Weigh the candidates, more carefully for the last time; each gate's weights have the sum 1."""
        if len(self.weights):
            return
        self._prepare()
        factor, shares = np.zeros(len(self.g)), (0.5, 0.3)
        self.weights = self.plain = self._scaled(np.log(self.recent + self.flat))
        for _ in range(8 if last else 6):
            shares = self._improve(factor, *shares)
        factor = self._copies()
        for _ in range(4 if last else 3):
            shares = self._improve(factor, *shares)

    def _prepare(self) -> None:
        n, m, g, k, i, j = self.n, self.m, self.g, self.k, self.i, self.j
        self.first = np.searchsorted(g, np.arange(m))
        self.end = np.append(self.first[1:], len(g))
        self.two = k != NOT
        self.key = ((g * 3 + k) * (n + m) + i) * (n + m) + j
        far_i, far_j = np.where(i >= n, np.minimum(n + g - i, FAR), 0), np.where(j >= n, np.minimum(n + g - j, FAR), 0)
        inputs = self.two & (j < n) & (i < j)
        # A form says the kind and how far back signals lie; of two inputs how far apart they are.
        self.form = (k * (FAR + 1) + far_j) * (FAR + 1 + n) + np.where(inputs, FAR + j - i, far_i)
        free = np.where(inputs, 1, ((i < n) & self.two).astype(int) + (j < n))
        beyond = ((far_i == FAR) & self.two).astype(int) + (far_j == FAR)
        self.within = n ** -free.astype(float) * float(FAR) ** -beyond
        # Two laws for gates of no known form: signals just before are likelier; all are equally likely.
        near = [np.where(far > 0, np.log(0.6) - 1 - np.log1p(far), np.log(0.4 / n)) for far in (far_i, far_j)]
        alone = np.where(self.two & (i == j), np.log(0.3), 0.0)
        self.recent = np.exp(KINDS[k] + near[0] * self.two + near[1] + alone)
        self.flat = np.exp(KINDS[k] + np.where(self.two, np.log(2) - 2 * np.log(n + g), -np.log(n + g)) + alone)

    def _scaled(self, log_weights: Floats) -> Floats:
        """Weights with the sum 1 for each gate."""
        weights = np.exp(log_weights - np.maximum.reduceat(log_weights, self.first)[self.g])
        scaled: Floats = weights / np.add.reduceat(weights, self.first)[self.g]
        return scaled

    def _improve(self, factor: Floats, recency: float, repeated: float) -> tuple[float, float]:
        """One round: learn from the weights what is common, weigh again; gates count as far as they are sure."""
        old = self.weights
        sure = np.add.reduceat(old * old, self.first)
        counted = old * sure[self.g]
        prior = recency * self.recent + (1 - recency) * self.flat
        recency = float(np.clip((old * recency * self.recent / prior).sum() / self.m, 0.05, 0.95))
        often = np.bincount(self.form, counted)[self.form] - counted
        law = (np.maximum(often, 0) * self.within + 2 * prior) / (sure.sum() + 2)
        total, moves = law, self._moves(sure)
        if moves is not None:
            share = np.full(moves.size, 1 / moves.size)
            for _ in range(3):
                part = share[moves.move] * moves.weight
                total = (1 - repeated) * law + repeated * np.bincount(moves.found, part, minlength=len(law))
                new = self._scaled(np.log(total) + factor)
                by = new[moves.found] * repeated * part / total[moves.found] * sure[self.g[moves.found]]
                votes = np.bincount(moves.move, by, minlength=moves.size)
                repeated = float(np.clip(votes.sum() / sure.sum(), 0.05, 0.9))
                share = (votes + 0.1 / moves.size) / (votes.sum() + 0.1)
        log_weights = np.log(total) + factor
        taken = np.bincount(self.i, old * self.two, minlength=self.n + self.m) + np.bincount(
            self.j, old, minlength=self.n + self.m
        )
        for signal, counts in ((self.i, self.two), (self.j, np.ones_like(self.two))):
            others = np.maximum(taken[signal] - old, 0)
            log_weights += counts * np.where(signal < self.n, np.log(0.5), np.log(SPARE + np.exp(-2 * others)))
        self.weights = self._scaled(log_weights)
        return recency, repeated

    def _best(self, many: int) -> tuple[Ints, Bools]:
        """The most likely candidates of each gate, shape (m, many), and which of them there are."""
        order = np.lexsort((-self.weights, self.g))
        place = self.first[:, None] + np.arange(many)
        return order[np.minimum(place, self.end[:, None] - 1)], place < self.end[:, None]

    def _moves(self, sure: Floats) -> Moves | None:
        """Repetitions that at least two gates speak for, and the candidates that they speak for elsewhere."""
        n, m, size = self.n, self.m, self.n + self.m
        best, there = self._best(2)
        weight = self.weights[best] * there * sure[:, None]
        k, i, j = self.k[best], self.i[best], self.j[best]
        base, keys, votes = 2 * size + 1, [], []
        for period in range(1, min(PERIODS, m - 1) + 1):
            for new, old in itertools.product(range(2), repeat=2):
                vote = weight[period:, new] * weight[:-period, old]
                alike = (k[period:, new] == k[:-period, old]) & (vote > 0.01)
                for signal in (i, j):
                    alike &= (signal[period:, new] >= n) == (signal[:-period, old] >= n)
                far = [signal[period:, new] - signal[:-period, old] + size for signal in (i, j)]
                keys.append(((period * base + far[0]) * base + far[1])[alike])
                votes.append(vote[alike])
        if not sum(map(len, keys)):
            return None
        kinds, which = np.unique(np.concatenate(keys), return_inverse=True)
        totals = np.bincount(which, np.concatenate(votes))
        most = np.argsort(-totals, kind="stable")[:MOVES]
        kinds = kinds[most[totals[most] >= 1.2]]
        if not len(kinds):
            return None
        # Forwards and backwards: what is sure in one place speaks for the others.
        move = np.stack([kinds // base // base, kinds // base % base - size, kinds % base - size])
        period, far_i, far_j = np.concatenate([move, -move], axis=1)[:, :, None, None]
        gate, first, second = np.arange(m)[:, None] + period, i + far_i, j + far_j
        low, high = np.minimum(first, second), np.maximum(first, second)
        legal = (gate >= 0) & (gate < m) & (low >= 0) & (high < n + gate) & (weight > 0.02)
        legal &= ((i >= n) == (first >= n)) & ((j >= n) == (second >= n))
        key = np.where(legal, ((gate * 3 + k) * size + low) * size + high, 0)
        found = np.minimum(np.searchsorted(self.key, key), len(self.key) - 1)
        move_of, gate_of, place = np.nonzero(legal & (self.key[found] == key))
        return Moves(2 * len(kinds), move_of, found[move_of, gate_of, place], weight[gate_of, place])

    def _copies(self) -> Floats:
        """Logarithms of factors for candidates that are the same function as an earlier signal, or constant."""
        inputs = _inputs(np.arange(2**self.n), self.n)
        signals = np.zeros((self.n + self.m, 2**self.n), dtype=bool)
        signals[: self.n] = inputs
        factor = np.zeros(len(self.g))
        known = {row.tobytes() for row in inputs} | {bytes(2**self.n), b"\x01" * 2**self.n}
        best, there = self._best(KEPT)
        for gate in range(self.m):
            some = best[gate][there[gate]]
            values = _gate(self.k[some][:, None], signals[self.i[some]], signals[self.j[some]])
            copies = np.array([row.tobytes() in known for row in values])
            punished = np.where(copies, np.where(self.k[some] == NOT, DOUBLE_NOT, COPY), 1.0)
            factor[some] = np.log(punished)
            weights = self.weights[some] * punished
            signals[self.n + gate] = weights @ values > weights.sum() / 2
            known.add(signals[self.n + gate].tobytes())
        return factor

    # What they say.

    def predict(self, rows: Ints, forced: dict[int, bool] | None = None) -> Floats:
        """How likely each gate gives 1 on each of some inputs, shape (rows, gates).

        Each gate is computed from its candidates from the likelier values of those before.

        Args:
            rows: numbers of inputs.
            forced: values of gates that are settled otherwise.
        """
        signals = np.zeros((self.n + self.m, len(rows)), dtype=bool)
        signals[: self.n] = _inputs(rows, self.n)
        ones = np.zeros((self.m, len(rows)))
        best, there = self._best(KEPT)
        for gate in range(self.m):
            some = best[gate][there[gate]]
            weights = self.weights[some]
            values = _gate(self.k[some][:, None], signals[self.i[some]], signals[self.j[some]])
            ones[gate] = weights @ values / weights.sum()
            if forced and gate in forced:
                ones[gate] = forced[gate]
            signals[self.n + gate] = ones[gate] > 0.5
        return ones.T

    def doubt(self, rows: Ints) -> Floats:
        """How much is in doubt on each of some inputs, in bits; what is learned from other gates may be too sure."""
        learned = self.weights
        doubts: Floats = _entropy(self.predict(rows)).sum(axis=1)
        self.weights = self.plain
        doubts += PLAIN * _entropy(self.predict(rows)).sum(axis=1)
        self.weights = learned
        return doubts

    def write(self) -> str:
        """The likeliest circuit as a function."""
        best = self._best(1)[0][:, 0]
        gates = [(int(self.k[at]), int(self.i[at]), int(self.j[at])) for at in best]
        return (
            f"def solution(bits):\n    signals = list(bits)\n    for kind, i, j in {gates}:\n"
            "        a, b = signals[i], signals[j]\n        signals.append((a & b, a | b, 1 - a)[kind])\n"
            f"    return signals[{self.n}:]\n"
        )


class Functions:
    """Simple functions of the inputs that agree with the replies for each output, for partial observability.

    Args:
        n: inputs.
        outputs: how many outputs are reported.
    """

    def __init__(self, n: int, outputs: int) -> None:
        self.n = n
        self.tables, self.prior = _simple(n)
        self.fits = np.ones((outputs, len(self.tables)), dtype=bool)
        self.replies: dict[int, tuple[int, ...]] = {}

    def hear(self, query: tuple[int, ...], fact: tuple[int, ...]) -> None:
        """Drop the functions that a reply refutes."""
        self.replies[_row(query)] = fact
        self.fits &= self.tables[:, _row(query)] == np.array(fact, dtype=bool)[:, None]

    def weigh(self, *, last: bool) -> None:
        """Nothing to be done: the prior holds."""

    def predict(self, rows: Ints, forced: dict[int, bool] | None = None) -> Floats:
        """How likely each output is 1 on each of some inputs, shape (rows, outputs).

        Where no function agrees, inputs nearby speak for it, less by half with every bit that differs.
        """
        weights = self.fits * self.prior
        replies = np.array(list(self.replies), dtype=np.int64)
        facts = np.array(list(self.replies.values()), dtype=float).reshape(len(replies), len(weights))
        apart = np.bitwise_count(rows[:, None] ^ replies).astype(float)
        near = 0.5**apart
        nearby = (near @ facts + 1e-9) / (near.sum(axis=1, keepdims=True) + 2e-9)
        total = weights.sum(axis=1)
        ones: Floats = np.where(total > 0, (weights @ self.tables[:, rows]).T / np.maximum(total, 1e-300), nearby)
        for output, value in (forced or {}).items():
            ones[:, output] = value
        return ones

    def doubt(self, rows: Ints) -> Floats:
        """How much is in doubt on each of some inputs, in bits."""
        doubts: Floats = _entropy(self.predict(rows)).sum(axis=1)
        return doubts

    def write(self) -> str:
        """The likelier values of all inputs as a function."""
        ones = self.predict(np.arange(2**self.n)) > 0.5
        tables = [sum(1 << int(row) for row in np.flatnonzero(column)) for column in ones.T]
        return (
            f"def solution(bits):\n    row = int(''.join(str(int(bit)) for bit in bits), 2)\n"
            f"    return [table >> row & 1 for table in {tables}]\n"
        )


@functools.lru_cache(maxsize=4)
def _simple(n: int) -> tuple[Bools, Floats]:
    """Tables of simple functions over all inputs, shape (functions, 2^n), and their weights.

    AND and OR of up to three inputs or negated inputs, parities of any inputs, how many inputs are 1: at least so many,
    and the bits of that number; all of them negated, too. Each sort of function has the same weight.
    """
    inputs = _inputs(np.arange(2**n), n)
    number = inputs.sum(axis=0)
    sorts = [[inputs[at]] for at in range(n)]
    literals = [(at, inputs[at] ^ negated) for at in range(n) for negated in (False, True)]
    for many in (2, 3):
        some = [c for c in itertools.combinations(literals, many) if len({at for at, _ in c}) == many]
        sorts.append([np.logical_and.reduce([table for _, table in c]) for c in some])
    for many in range(2, n + 1):
        sorts.append([np.logical_xor.reduce(c) for c in itertools.combinations(inputs, many)])
    sorts.append([number >= least for least in range(1, n + 1)])
    sorts.append([(number >> place & 1).astype(bool) for place in range(n.bit_length())])
    tables = np.array([table for sort in sorts for table in sort])
    prior = np.concatenate([np.full(len(sort), 1 / len(sort)) for sort in sorts])
    return np.concatenate([tables, ~tables]), np.concatenate([prior, prior])


def _gate(kinds: Ints, first: Bools, second: Bools) -> Bools:
    return np.where(kinds == AND, first & second, np.where(kinds == OR, first | second, ~first))


def _inputs(rows: Ints, n: int) -> Bools:
    """The bits of numbers, the first input the highest: shape (n, rows)."""
    return (rows >> np.arange(n)[::-1, None] & 1).astype(bool)


def _entropy(ones: Floats) -> Floats:
    """Doubts in bits, of weights made less sure than they are: they are surer than they should be."""
    likely = np.clip(ones, 1e-12, 1 - 1e-12)
    first, second = likely**0.6, (1 - likely) ** 0.6
    share = first / (first + second)
    doubts: Floats = -(share * np.log2(share) + (1 - share) * np.log2(1 - share))
    return doubts


def _row(bits: Any) -> int:
    return int("".join(map(str, bits)), 2)


def _bits(row: int, n: int) -> tuple[int, ...]:
    return tuple(row >> place & 1 for place in reversed(range(n)))


def _spaced(bits: Any) -> str:
    return " ".join(map(str, bits))
