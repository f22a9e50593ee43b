"""Hidden circuits of AND, OR and NOT gates: a query sets the input bits, the reply is what the gates give.

Source: ORACLE, appendix H.2 (circuit rule inference). Its gate lists are not printed; ours are built from the rules and
have its numbers of gates, except where docs/black-boxes/circuit.md says why not.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from interactive_envs.black_box.base import AnswerBox, Entry, Family, Function, Observations, Trial
from interactive_envs.parsing import Unreadable

Bits = tuple[int, ...]
MOST_INPUTS = 12
MOST_ASKED = 10
"""Gates asked about at most where every answer is listed, for numeric twins."""
FEW_ITEMS = 50
"""More test items than these (code) are drawn without a choice."""

_PUNCTUATION = str.maketrans("", "", " \t\r\n,;()[]{}")


class Gate(NamedTuple):
    """A gate. Signals 0 to n-1 are the inputs, signal n+j is gate j; ``second`` of a NOT repeats ``first``."""

    kind: Literal["and", "or", "not"]
    first: int
    second: int


@dataclass(frozen=True, kw_only=True)
class Circuit(AnswerBox):
    """A circuit.

    Attributes:
        n: inputs.
        gates: in an order in which each takes inputs or earlier gates.
        outputs: gates by number from 0, ascending; partial observability shows and asks these only.
    """

    n: int
    gates: tuple[Gate, ...]
    outputs: tuple[int, ...]

    partial_marks = True

    def __post_init__(self) -> None:
        """Check the wiring.

        Raises:
            ValueError: it is no circuit.
        """
        if not 1 <= self.n <= MOST_INPUTS:
            raise ValueError(f"n must be from 1 to {MOST_INPUTS}, got {self.n}")
        for signal, gate in enumerate(self.gates, self.n):
            if gate.kind not in ("and", "or", "not") or not all(0 <= wire < signal for wire in gate[1:]):
                raise ValueError(
                    f"gate {signal - self.n} takes what is no earlier signal, or is of no known kind: {gate}"
                )
        if not self.outputs or self.outputs != tuple(sorted(set(self.outputs) & set(range(len(self.gates))))):
            raise ValueError(f"outputs must be some of the {len(self.gates)} gates in order, got {self.outputs}")

    # Computing.

    @property
    def reported(self) -> tuple[int, ...]:
        """The gates that replies tell and items ask, by number from 0."""
        return self.outputs if self.partial else tuple(range(len(self.gates)))

    def run(self, bits: Sequence[int]) -> Bits:
        """What all gates give."""
        signals = list(bits)
        for kind, first, second in self.gates:
            if kind == "not":
                signals.append(1 - signals[first])
            elif kind == "and":
                signals.append(signals[first] & signals[second])
            else:
                signals.append(signals[first] | signals[second])
        return tuple(signals[self.n :])

    # Texts.

    @property
    def public(self) -> tuple[int, int, int]:
        """Numbers of inputs, of gates and of output gates."""
        return self.n, len(self.gates), len(self.outputs)

    def introduction(self) -> str:
        """The rules of wiring, the form of queries and of replies."""
        if self.partial:
            shown = f"the outputs of {len(self.reported)} gates, always the same ones"
            wiring, which = ", g3 = g1 OR g2", " and only g1 and g3 were shown"
        else:
            shown, wiring, which = "the output of every gate", "", ""
        return (
            f"A circuit of AND, OR and NOT gates is hidden. It has {self.n} inputs, x1 to x{self.n}, each 0 or 1, and "
            f"{len(self.gates)} gates, g1 to g{len(self.gates)}. AND and OR gates take two signals, NOT gates take "
            "one; a signal is an input or an earlier gate. The circuit never changes.\n"
            f"A query sets the inputs: {self.n} bits, x1 first, such as {self.examples[0]}. The reply gives {shown}, "
            "in the order of their numbers. For example, if a circuit had two inputs and the gates g1 = x1 AND x2, "
            f'g2 = NOT x1{wiring}{which}, the reply to <query>0 1</query> would be "0 1 gives 0 1".'
        )

    def examination(self) -> str:
        """What items ask."""
        which, size = "each gate that is shown" if self.partial else "every gate", len(self.reported)
        return (
            f"Each question sets the inputs. Answer with the output of {which}: {_plural(size)} in the order of the "
            f"replies, such as {_answer(_alternating(size))}. In each question every gate has a weight, and all "
            "weights together are 1. The mark is the sum of the weights of the gates that you get right, minus those "
            "of the gates that you get wrong; it is never less than 0. A gate weighs more when it gives the value "
            "that it gives for fewer inputs. A gate that always gives the same value weighs nothing."
        )

    @property
    def examples(self) -> tuple[str, ...]:
        """Some inputs, and some answer."""
        return _query(_alternating(self.n)), _query((1,) * self.n), _answer(_alternating(len(self.reported)))

    # Exploration.

    def read_query(self, tag: str, body: str, seen: Any) -> Bits | Unreadable:
        """The inputs."""
        return _read_bits(body, self.n, "one per input")

    def reply(self, trial: Trial, memory: Any, query: Bits, rng: np.random.Generator) -> tuple[Bits, Any]:
        """What the gates give."""
        return self.value(trial, query), memory

    def tell(self, query: Bits, fact: Bits) -> str:
        """Inputs and gates as bits."""
        return f"{_spaced(query)} gives {_spaced(fact)}"

    # Test items.

    def arguments(self, trial: Trial, asked: Sequence[Bits], rng: np.random.Generator, count: int) -> tuple[Bits, ...]:
        """Inputs that were not asked, far from each other and from those asked in what the gates give.

        Where every input was asked, they are asked again: nothing else is left.
        """
        known = sorted({_row(bits) for bits in asked})
        left = np.setdiff1d(np.arange(2**self.n), known)
        if not len(left):
            known, left = [], np.arange(2**self.n)
        if len(left) <= count or count > FEW_ITEMS:
            rows = rng.permutation(left)[:count]
        else:
            rows = rng.permutation(_spread(self, left, known, rng, count))
        return tuple(_bits(int(row), self.n) for row in rows)

    def value(self, trial: Trial, argument: Bits) -> Bits:
        """Return the values of the reported gates."""
        values = self.run(argument)
        return tuple(values[gate] for gate in self.reported)

    def question(self, trial: Trial, argument: Bits) -> str:
        """Sets the inputs."""
        which = "the gates that are shown" if self.partial else "all gates"
        return f"The inputs are {_spaced(argument)}. What are the outputs of {which}?"

    def read_answer(self, argument: Bits, body: str) -> Bits | Unreadable:
        """What the gates would give."""
        return _read_bits(body, len(self.reported), "one per gate that is shown")

    def mark(self, truth: Bits, answer: Bits) -> float:
        """Gates right less gates wrong, by weight, as a part of all weights, at least 0.

        A gate weighs as much as the share of all inputs on which it gives the other value. So a constant gate weighs
        nothing, and over all inputs an answer that ignores them gets as much as it loses.
        """
        ones = _table(self.n, self.gates).mean(axis=0)[list(self.reported)]
        right = np.array(truth) == np.array(answer)
        weights = np.where(np.array(truth) == 1, 1 - ones, ones)
        total = float(weights.sum())
        if total == 0:
            return float(right.all())
        return 1.0 if right.all() else max(0.0, float(np.where(right, weights, -weights).sum()) / total)

    def show_answer(self, truth: Bits) -> str:
        """Bits with blanks between them."""
        return _spaced(truth)

    @property
    def function(self) -> Function:
        """From inputs to gates."""
        which = "the gates that are shown" if self.partial else "all gates"
        about = (
            f"bits holds the {self.n} inputs, x1 first, each 0 or 1. Return the outputs of {which}: a list of "
            f"{_plural(len(self.reported))} in the order of the replies."
        )
        return Function("solution(bits: list[int]) -> list[int]", about)

    def as_json(self, argument: Bits) -> list[int]:
        """A list of bits."""
        return list(argument)

    def mark_value(self, truth: Bits, value: Any) -> float:
        """The mark of the bits; booleans are bits, and a bit alone is a list of one."""
        given = value if isinstance(value, list) else [value]
        bits = len(given) == len(truth) and all(isinstance(bit, int | float) and bit in (0, 1) for bit in given)
        return self.mark(truth, tuple(map(int, given))) if bits else 0.0

    # Menus and numbers.

    @property
    def queries(self) -> Sequence[str]:
        """All inputs."""
        return _menu("query", self.n)

    @property
    def answers(self) -> Sequence[str] | None:
        """All answers, where few gates are asked about."""
        return _menu("answer", len(self.reported)) if len(self.reported) <= MOST_ASKED else None

    @property
    def turn_size(self) -> int:
        """Count the inputs and the reported gates."""
        return self.n + len(self.reported)

    def encode_turn(self, query: Bits, fact: Bits) -> Sequence[float]:
        """The bits."""
        return tuple(map(float, (*query, *((0,) * len(self.reported) if fact is None else fact))))

    @property
    def state_size(self) -> int:
        """Inputs, and whether there is an item."""
        return self.n + 1

    def encode_state(self, public: Any, seen: Any, item: Bits | None) -> Sequence[float]:
        """Whether there is an item, and its inputs."""
        return (0.0,) * (self.n + 1) if item is None else tuple(map(float, (1, *item)))

    def reveal(self, trial: Trial) -> str:
        """The gates."""
        names = [f"x{i + 1}" for i in range(self.n)] + [f"g{j + 1}" for j in range(len(self.gates))]
        gates = [
            f"{name} = NOT {names[kind.first]}"
            if kind.kind == "not"
            else f"{name} = {names[kind.first]} {kind.kind.upper()} {names[kind.second]}"
            for name, kind in zip(names[self.n :], self.gates, strict=True)
        ]
        return f"The circuit: {'; '.join(gates)}."

    def left(self, trial: Trial, observations: Observations) -> int | None:
        """How many lists of as many gates agree, the order of a gate's two signals aside; None where some are hidden.

        What each gate takes is independent of what others take once all of them are reported, so the number is the
        product over gates of the numbers of AND, OR and NOT of signals before it that agree with the replies.
        """
        if self.partial:
            return None
        signals = np.array([[*query, *fact] for query, fact in observations], dtype=bool).reshape(
            -1, self.n + len(self.gates)
        )
        return math.prod(
            int(kinds.sum()) for kinds in (agreeing(signals, at) for at in range(self.n, signals.shape[1]))
        )


def agreeing(signals: NDArray[np.bool_], at: int) -> NDArray[np.bool_]:
    """Which gates could have given a signal.

    Args:
        signals: the observations, shape (queries, signals).
        at: the signal.

    Returns:
        Whether AND of i and j, OR of i and j, NOT of i agree, shape (3, at, at); false for i > j, and for NOT off the
        diagonal.
    """
    before, words = np.tri(at, dtype=bool).T, _words(signals)
    found = np.stack([before, before, np.eye(at, dtype=bool)])
    for word in words:
        earlier = word[:at]
        found[0] &= (earlier[:, None] & earlier) == word[at]
        found[1] &= (earlier[:, None] | earlier) == word[at]
    if len(signals):
        found[2] &= (signals[:, :at] != signals[:, at : at + 1]).all(axis=0)
    return found


def _words(signals: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """The columns as numbers, 64 rows a number: shape (numbers, signals)."""
    packed = np.packbits(signals, axis=0)
    packed = np.pad(packed, ((0, -len(packed) % 8), (0, 0)))
    return np.ascontiguousarray(packed.T).view(np.uint64).T


# Bits and texts.


def _read_bits(body: str, size: int, what: str) -> Bits | Unreadable:
    plain = body.translate(_PUNCTUATION)
    given = f"{body[:40]!r}"
    if set(plain) - {"0", "1"} or not plain:
        return Unreadable(f"I cannot read {given} as bits; write {_plural(size)}, 0 or 1, {what}.")
    if len(plain) != size:
        return Unreadable(f"{given} has {_plural(len(plain))}; write {size}, {what}.")
    return tuple(map(int, plain))


def _plural(size: int) -> str:
    return "1 bit" if size == 1 else f"{size} bits"


def _spaced(bits: Iterable[int]) -> str:
    return " ".join(map(str, bits))


def _query(bits: Iterable[int]) -> str:
    return f"<query>{_spaced(bits)}</query>"


def _answer(bits: Iterable[int]) -> str:
    return f"<answer>{_spaced(bits)}</answer>"


def _alternating(size: int) -> Bits:
    return tuple((place + 1) % 2 for place in range(size))


@functools.cache
def _menu(tag: str, size: int) -> tuple[str, ...]:
    write = _query if tag == "query" else _answer
    return tuple(write(bits) for bits in itertools.product((0, 1), repeat=size))


def _row(bits: Iterable[int]) -> int:
    """Bits as a number, the first the highest: where they stand among all inputs."""
    return int("".join(map(str, bits)), 2)


def _bits(row: int, n: int) -> Bits:
    return tuple(row >> place & 1 for place in reversed(range(n)))


# Which items to ask.


def columns(n: int) -> tuple[int, ...]:
    """Each input over all 2^n inputs, as a number whose bit r is its value at row r."""
    return tuple(sum(1 << row for row in range(2**n) if row >> place & 1) for place in reversed(range(n)))


@functools.lru_cache(maxsize=32)
def _table(n: int, gates: tuple[Gate, ...]) -> NDArray[np.bool_]:
    """What all gates give on all inputs, shape (2^n, gates)."""
    rows = np.arange(2**n)
    signals = [(rows >> place & 1).astype(bool) for place in reversed(range(n))]
    for kind, first, second in gates:
        if kind == "not":
            signals.append(~signals[first])
        else:
            signals.append(signals[first] & signals[second] if kind == "and" else signals[first] | signals[second])
    table = np.stack(signals[n:], axis=1)
    table.flags.writeable = False
    return table


def _spread(
    circuit: Circuit, left: NDArray[np.int64], known: Sequence[int], rng: np.random.Generator, count: int
) -> list[int]:
    """Rows one after another, each far from those known and chosen; at most half with the same outputs.

    Two rows are as far apart as the gates that differ; one that is nearly always the same counts more.
    """
    table = _table(circuit.n, circuit.gates)
    ones = table.mean(axis=0)
    rarer = np.minimum(ones, 1 - ones)
    weights = np.where(rarer > 0, -np.log2(np.maximum(rarer, 0.5 / len(table))), 0.0)
    kinds = np.unique(table[:, circuit.outputs], axis=0, return_inverse=True)[1].reshape(-1)[left]
    values = table[left]
    # What no row has: infinitely far, so that the first row is any where nothing was asked.
    distance = np.full(len(left), weights.sum() + 1.0)
    free, chosen, often = np.ones(len(left), dtype=bool), [], np.zeros(kinds.max() + 1, dtype=int)
    for row in known:
        distance = np.minimum(distance, (values != table[row]) @ weights)
    for _ in range(count):
        rare = free & (often[kinds] < max(1, count // 2))
        open_ = rare if rare.any() else free
        score = np.where(open_, distance * rng.uniform(0.75, 1.0, len(left)), -1.0)
        best = int(score.argmax())
        free[best] = False
        often[kinds[best]] += 1
        distance = np.minimum(distance, (values != values[best]) @ weights)
        chosen.append(int(left[best]))
    return chosen


# The fixed circuits.


class Wires:
    """Builds a circuit gate by gate; each method returns a signal."""

    def __init__(self, n: int) -> None:
        self.x = range(n)
        self.gates: list[Gate] = []

    def add(self, kind: Literal["and", "or", "not"], first: int, second: int) -> int:
        """One gate."""
        self.gates.append(Gate(kind, first, second))
        return len(self.x) + len(self.gates) - 1

    def both(self, first: int, second: int) -> int:
        """AND."""
        return self.add("and", first, second)

    def either(self, first: int, second: int) -> int:
        """OR."""
        return self.add("or", first, second)

    def no(self, signal: int) -> int:
        """NOT."""
        return self.add("not", signal, signal)

    def xor(self, first: int, second: int) -> int:
        """Exclusive or in 5 gates: NOT, NOT, the two ANDs, OR."""
        not_first, not_second = self.no(first), self.no(second)
        return self.either(self.both(first, not_second), self.both(not_first, second))

    def differ(self, first: int, second: int) -> int:
        """Exclusive or in 4 gates: OR, AND, its NOT, AND."""
        some, all_ = self.either(first, second), self.both(first, second)
        return self.both(some, self.no(all_))

    def same(self, first: int, second: int) -> int:
        """Equality in 4 gates: AND, OR, its NOT, OR."""
        all_, some = self.both(first, second), self.either(first, second)
        return self.either(all_, self.no(some))

    def every(self, signals: Iterable[int]) -> int:
        """AND of all, one after another."""
        return functools.reduce(self.both, signals)

    def some(self, signals: Iterable[int]) -> int:
        """OR of all, one after another."""
        return functools.reduce(self.either, signals)

    def circuit(self, *outputs: int) -> Circuit:
        """The circuit, given its output signals; they must be gates."""
        return Circuit(n=len(self.x), gates=tuple(self.gates), outputs=tuple(out - len(self.x) for out in outputs))


def consecutive() -> Circuit:
    """Whether two neighbours are both 1: AND of each pair, then the OR of them one after another."""
    w = Wires(8)
    return w.circuit(w.some([w.both(i, i + 1) for i in w.x[:-1]]))


def palindrome() -> Circuit:
    """Whether x reads the same backwards and its halves are equal.

    A constant 1 (x1 OR NOT x1), then for each of the first four places both equalities, each followed by its AND with
    what held so far.
    """
    w = Wires(8)
    so_far = w.either(0, w.no(0))
    for i in range(4):
        so_far = w.both(so_far, w.same(i, 7 - i))
        so_far = w.both(so_far, w.same(i, i + 4))
    return w.circuit(so_far)


def random_small() -> Circuit:
    """Eight gates for no purpose."""
    w = Wires(4)
    x1, x2, x3, x4 = w.x
    g1, g2, g3 = w.both(x1, x2), w.either(x3, x4), w.no(x1)
    g4, g5 = w.both(g1, g2), w.either(g3, x2)
    return w.circuit(w.either(w.both(g5, w.no(g4)), x4))


def swap() -> Circuit:
    """The last four inputs, then the first five; a copy is x AND x."""
    w = Wires(9)
    return w.circuit(*[w.both(i, i) for i in (*w.x[5:], *w.x[:5])])


def xor_seq() -> Circuit:
    """The parities of the first 2, 3, ... 8 inputs."""
    w = Wires(8)
    return w.circuit(*list(itertools.accumulate(w.x, w.xor))[1:])


def add() -> Circuit:
    """The binary number x2..x10 (x2 highest) plus the bit x1: from the low end a sum bit and a carry at each place."""
    w = Wires(10)
    carry, sums = 0, []
    for i in reversed(w.x[1:]):
        sums.append(w.xor(i, carry))
        carry = w.both(i, carry)
    return w.circuit(*sums, carry)


def and_tree() -> Circuit:
    """Whether all are 1: AND of pairs, of the pairs' ANDs, of both halves."""
    w = Wires(8)
    level: Sequence[int] = w.x
    while len(level) > 1:
        level = [w.both(left, right) for left, right in zip(level[::2], level[1::2], strict=True)]
    return w.circuit(level[0])


MINTERMS = ("0000000", "1010101", "0110011", "1101010", "1111111", "0101010", "1001100", "0011101")


def arbitrary() -> Circuit:
    """Whether x is one of eight words: each the AND, one after another, of inputs and of NOTs made for it; then OR."""
    w = Wires(7)

    def word(bits: str) -> int:
        return w.every([i if bit == "1" else w.no(i) for i, bit in zip(w.x, bits, strict=True)])

    return w.circuit(w.some([word(bits) for bits in MINTERMS]))


def compare() -> Circuit:
    """Whether x1..x5 is more than x6..x10, both binary with the highest bit first.

    At each place 'greater' (NOT, AND) and 'equal' (4 gates), highest first; then from the low end: greater here, or
    equal here and greater below.
    """
    w = Wires(10)
    places = [(w.both(i, w.no(i + 5)), w.same(i, i + 5)) for i in range(5)]
    above = places[-1][0]
    for greater_here, equal_here in reversed(places[:-1]):
        above = w.either(greater_here, w.both(equal_here, above))
    return w.circuit(above)


def consecutive_k() -> Circuit:
    """Whether four neighbours on the ring are all 1: ANDs of two, of four, then OR, which begins with a copy."""
    w = Wires(10)
    two = [w.both(i, (i + 1) % 10) for i in w.x]
    four = [w.both(two[i], two[(i + 2) % 10]) for i in w.x]
    return w.circuit(w.some([four[0], *four]))


def count() -> Circuit:
    """How many are 1: a number of three bits to which each input is added in 14 gates, the lowest bit first.

    The number begins as 0 (x1 AND NOT x1), for which the first input's addition does without its two carries.
    """
    w = Wires(7)
    zero = w.both(0, w.no(0))
    bits = [w.differ(zero, 0), w.differ(zero, zero), w.differ(zero, zero)]
    for i in w.x[1:]:
        carry, sums = i, []
        for bit in bits[:2]:
            sums.append(w.differ(bit, carry))
            carry = w.both(bit, carry)
        bits = [*sums, w.differ(bits[2], carry)]
    return w.circuit(*bits)


def greater() -> Circuit:
    """Whether at least three are 1: the AND of each three, then OR."""
    w = Wires(6)
    return w.circuit(w.some([w.every(three) for three in itertools.combinations(w.x, 3)]))


def matrix_product() -> Circuit:
    """The square of a 3 by 3 matrix modulo 2, row by row: at each place three ANDs, then two exclusive ors."""
    w = Wires(9)
    return w.circuit(
        *[
            functools.reduce(w.xor, [w.both(3 * i + k, 3 * k + j) for k in range(3)])
            for i, j in itertools.product(range(3), repeat=2)
        ]
    )


def path() -> Circuit:
    """From where one comes where in at most two steps of a graph of three nodes; x is its matrix, row by row.

    From i to another j: the AND of both steps by the third node, then its OR with the edge. From i to i, always: NOT of
    the loop, then its OR with the loop.
    """
    w = Wires(9)
    found = []
    for i, j in itertools.product(range(3), repeat=2):
        k, edge = 3 - i - j, 3 * i + j
        detour = w.no(edge) if i == j else w.both(3 * i + k, 3 * k + j)
        found.append(w.either(edge, detour))
    return w.circuit(*found)


def random_big() -> Circuit:
    """Sixteen gates for no purpose."""
    w = Wires(7)
    x1, x2, x3, x4, x5, x6, x7 = w.x
    g1, g2, g3 = w.both(x1, x2), w.both(x3, x4), w.both(x5, x6)
    g4, g5, g6 = w.either(x2, x3), w.either(x4, x5), w.either(x6, x7)
    g7, g8, g9 = w.no(x1), w.no(x4), w.no(x7)
    g10, g11, g12 = w.both(g1, g4), w.either(g2, g5), w.both(g3, g6)
    g13, g14 = w.no(g10), w.no(g12)
    return w.circuit(g7, g9, w.either(g13, g14), w.both(g8, g11))


def _fixed(make: Callable[[], Circuit]) -> Callable[[], Circuit]:
    return functools.cache(make)


BOXES = {
    "consecutive": Entry("easy", _fixed(consecutive), "whether two neighbours of 8 are both 1"),
    "palindrome": Entry(
        "easy", _fixed(palindrome), "whether 8 bits read the same backwards and their halves are equal"
    ),
    "random-small": Entry("easy", _fixed(random_small), "8 gates on 4 inputs for no purpose; 6 items of 16 inputs", 6),
    "swap": Entry("easy", _fixed(swap), "the last 4 of 9 inputs, then the first 5"),
    "xor-seq": Entry("easy", _fixed(xor_seq), "parities of the first 2 to 8 inputs; ORACLE's text has 6 inputs"),
    "add": Entry("hard", _fixed(add), "a number of 9 bits plus a bit"),
    "and-tree": Entry("hard", _fixed(and_tree), "the AND of 8 inputs as a balanced tree"),
    "arbitrary": Entry("hard", _fixed(arbitrary), "whether 7 bits are one of 8 words"),
    "compare": Entry("hard", _fixed(compare), "whether one number of 5 bits is more than another"),
    "consecutive-k": Entry("hard", _fixed(consecutive_k), "whether 4 neighbours on a ring of 10 are all 1"),
    "count": Entry("hard", _fixed(count), "how many of 7 inputs are 1, as a binary number"),
    "greater": Entry("hard", _fixed(greater), "whether at least 3 of 6 inputs are 1"),
    "matrix-product": Entry("hard", _fixed(matrix_product), "the square of a 3 by 3 matrix modulo 2"),
    "path": Entry("hard", _fixed(path), "where 2 steps lead on 3 nodes; tells its inner gates too, unlike ORACLE's"),
    "random-big": Entry("hard", _fixed(random_big), "16 gates on 7 inputs for no purpose"),
}


# The generator.


class Size(NamedTuple):
    """Inputs, gates and outputs of a level."""

    n: int
    gates: int
    outputs: int


SIZES = (Size(6, 10, 1), Size(6, 15, 2), Size(6, 22, 2), Size(6, 34, 3), Size(7, 44, 3))
"""Of levels 1 to 5."""
RAREST = 1 / 16
"""Each gate gives its rarer value on at least this share of all inputs."""
_DRAWS = 1000


def generate(rng: np.random.Generator, level: int) -> Circuit:
    """A circuit in which no two signals are the same function, none is constant, and all reach an output.

    Raises:
        RuntimeError: a thousand draws gave none; about half of them are good.
    """
    for _ in range(_DRAWS):
        circuit = _drawn(rng, SIZES[level - 1])
        if circuit is not None:
            return circuit
    raise RuntimeError(f"no circuit of level {level} in {_DRAWS} draws")


def _drawn(rng: np.random.Generator, size: Size) -> Circuit | None:
    """A circuit gate by gate, None where one cannot go on."""
    n, rows = size.n, 2**size.n
    tables, gates = list(columns(n)), []
    unused = list(range(n))
    for at in range(n, n + size.gates):
        gates_left = n + size.gates - at
        for _ in range(30):
            kind = ("and", "or", "not")[int(rng.choice(3, p=(0.4, 0.4, 0.2)))]
            # Signals that no gate takes must be taken in time: each gate but a NOT can lower their number by one.
            must = len(unused) - size.outputs >= gates_left
            first = unused[int(rng.integers(len(unused)))] if must or rng.random() < 0.5 else int(rng.integers(at))
            second = unused[int(rng.integers(len(unused)))] if must else int(rng.integers(at))
            if kind == "not":
                second = first
            elif first == second:
                continue
            first, second = min(first, second), max(first, second)
            left = [signal for signal in unused if signal not in (first, second)] + [at]
            if len(left) - size.outputs > gates_left - 1:
                continue
            table = _joined(kind, tables[first], tables[second], rows)
            if min(table.bit_count(), rows - table.bit_count()) >= RAREST * rows and table not in tables:
                break
        else:
            return None
        gates.append(Gate(kind, first, second))  # type: ignore[arg-type]
        tables.append(table)
        unused = left
    if len(unused) != size.outputs or unused[0] < n:
        return None
    return Circuit(n=n, gates=tuple(gates), outputs=tuple(signal - n for signal in unused))


def _joined(kind: str, first: int, second: int, rows: int) -> int:
    """A gate over all inputs, as a number whose bit r is its value at row r."""
    if kind == "not":
        return first ^ ((1 << rows) - 1)
    return first & second if kind == "and" else first | second


_PARTIAL = {"observability": "partial"}

FAMILY = Family(
    name="circuit",
    boxes=BOXES,
    generate=generate,
    hides="the inner gates: replies tell the output gates alone, and items ask those alone",
    section="H.2",
    items=10,
    with_code=(*BOXES, "random"),
    listed={name: _PARTIAL for name in BOXES if name not in ("random-small", "swap", "and-tree")},
)
