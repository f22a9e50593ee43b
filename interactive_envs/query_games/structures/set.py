"""Sets of whole numbers: hidden sets, sets as causes, and rules about sets."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from interactive_envs.query_games.base import (
    NOTHING,
    NUMBER,
    NUMBER_OR_NONE,
    ONE_NUMBER,
    ORDER,
    SOME_NUMBERS,
    Codes,
    Family,
    Form,
    Kind,
    Prior,
    Row,
    Structure,
    Target,
    World,
    abductive,
    chosen,
    compare,
    no_argument,
)
from interactive_envs.query_games.structures import induction
from interactive_envs.query_games.structures.induction import inductive

WORDS = {"set": "set", "sets": "sets", "number": "number", "numbers": "numbers"}


@dataclass(frozen=True)
class SetWorld(World):
    """Sets of numbers from 1 to n.

    Attributes:
        members: whether each number is in the set, booleans of shape (sets, n).
    """

    members: NDArray[np.bool_]
    per_state: ClassVar[tuple[str, ...]] = ("members",)

    @property
    def n(self) -> int:
        """The greatest number there may be."""
        return int(self.members.shape[1])

    @property
    def numbers(self) -> Codes:
        """1 to n."""
        return np.arange(1, self.n + 1)

    @property
    def size(self) -> Codes:
        """How many numbers each set has."""
        return np.asarray(self.members.sum(axis=1))

    @property
    def total(self) -> Codes:
        """The sum of each set."""
        return self.members @ self.numbers

    def part(self, first: int, last: int) -> NDArray[np.bool_]:
        """The members from ``first`` to ``last``."""
        return self.members[:, first - 1 : last]

    def ranked(self) -> Codes:
        """Each set's numbers in order, filled with NOTHING."""
        return chosen(self.members, range(1, self.n + 1))


def of_sizes(n: int, sizes: Iterable[int], **facts: int) -> SetWorld:
    """All sets of the given sizes of numbers from 1 to n."""
    numbers = range(1, n + 1)
    return listed(n, (some for size in sizes for some in itertools.combinations(numbers, size)), **facts)


def listed(n: int, sets: Iterable[Sequence[int]], **facts: int) -> SetWorld:
    """A world of the sets listed; its facts also say how much half of n is, and how many groups of three there are."""
    rows = list(sets)
    members = np.zeros((len(rows), n), dtype=bool)
    lengths = [len(row) for row in rows]
    members[np.repeat(np.arange(len(rows)), lengths), np.fromiter(itertools.chain(*rows), int) - 1] = True
    return SetWorld({"n": n, "half": n // 2, "thirds": -(-n // 3), **facts}, members)


def _choice(n: int, k: int) -> SetWorld:
    return of_sizes(n, [k], k=k)


def _few(n: int, k: int) -> SetWorld:
    return of_sizes(n, range(1, k + 1), k=k)


def _gapped(n: int) -> SetWorld:
    """Sizes k without neighbours: k of n - k + 1 places, spread."""
    sizes = range(1, (n + 1) // 2 + 1)
    spread = (itertools.combinations(range(n - size + 1), size) for size in sizes)
    return listed(n, ([place + 1 + i for i, place in enumerate(places)] for kind in spread for places in kind))


def _two_blocks(n: int) -> SetWorld:
    ends = itertools.combinations(range(1, n + 2), 4)
    return listed(n, ([*range(a, b), *range(c, d)] for a, b, c, d in ends))


def _one_of_each(groups: int) -> SetWorld:
    rows = itertools.product(*([3 * group + 1, 3 * group + 2, 3 * group + 3] for group in range(groups)))
    return listed(3 * groups, rows, groups=groups)


def _adding_up(n: int, s: int) -> SetWorld:
    sets: list[list[tuple[int, ...]]] = [[()], *([] for _ in range(s))]
    for number in range(1, n + 1):
        for total in range(s, number - 1, -1):
            sets[total] += [(*smaller, number) for smaller in sets[total - number]]
    return listed(n, sorted(sets[s]), s=s)


def _without_divisors(n: int) -> SetWorld:
    found: list[tuple[int, ...]] = [()]
    for number in range(1, n + 1):
        found += [(*one, number) for one in found if all(number % smaller for smaller in one)]
    return listed(n, found[1:])


def _even_sums(n: int) -> SetWorld:
    world = of_sizes(n, range(1, n + 1))
    return world.take(world.total % 2 == 0)


CHOICE = Family(
    "choice", "deductive", "a {set} of {k} different {numbers} from 1 to {n}",
    ({"n": 7, "k": 3}, {"n": 10, "k": 3}, {"n": 11, "k": 4}, {"n": 14, "k": 4}, {"n": 14, "k": 5}), _choice,
)  # fmt: skip
FEW = Family(
    "few", "deductive", "a {set} of at least 1 and at most {k} different {numbers} from 1 to {n}",
    ({"n": 6, "k": 3}, {"n": 9, "k": 3}, {"n": 13, "k": 3}, {"n": 18, "k": 3}, {"n": 23, "k": 3}), _few,
)  # fmt: skip
GAPPED = Family(
    "gapped", "deductive",
    "a {set} of one or more {numbers} from 1 to {n}, in which no two {numbers} differ by exactly 1",
    ({"n": 8}, {"n": 10}, {"n": 12}, {"n": 14}, {"n": 16}), _gapped,
)  # fmt: skip
TWO_BLOCKS = Family(
    "two-blocks", "deductive",
    "a {set} of {numbers} from 1 to {n} that consists of exactly two runs of consecutive {numbers}, with at least one "
    "{number} missing between them; a run may be a single {number}",
    ({"n": 7}, {"n": 9}, {"n": 11}, {"n": 14}, {"n": 17}), _two_blocks,
)  # fmt: skip
ONE_OF_EACH = Family(
    "one-of-each", "deductive",
    "a {set} with exactly one {number} from each group of three: from 1 to 3, from 4 to 6 and so on up to {n}",
    ({"groups": 3}, {"groups": 4}, {"groups": 5}, {"groups": 6}, {"groups": 7}), _one_of_each,
)  # fmt: skip
ADDING_UP = Family(
    "adding-up", "deductive", "a {set} of different {numbers} from 1 to {n} that add up to {s}",
    ({"n": 9, "s": 20}, {"n": 11, "s": 30}, {"n": 13, "s": 38}, {"n": 14, "s": 48}, {"n": 16, "s": 60}), _adding_up,
)  # fmt: skip
WITHOUT_DIVISORS = Family(
    "without-divisors", "deductive",
    "a {set} of one or more {numbers} from 1 to {n}, in which no {number} divides another one without remainder",
    ({"n": 8}, {"n": 10}, {"n": 12}, {"n": 14}, {"n": 16}), _without_divisors,
)  # fmt: skip
EVEN_SUMS = Family(
    "even-sums", "deductive", "a {set} of one or more {numbers} from 1 to {n}, whose sum is even",
    ({"n": 6}, {"n": 8}, {"n": 9}, {"n": 10}, {"n": 12}), _even_sums,
)  # fmt: skip


def _one(world: SetWorld) -> list[Row]:
    return [(number,) for number in range(1, world.n + 1)]


def _pairs(world: SetWorld) -> list[Row]:
    return list(itertools.combinations(range(1, world.n + 1), 2))


def _thirds(world: SetWorld) -> list[Row]:
    return [(block,) for block in range(1, -(-world.n // 3) + 1)]


def _two_thirds(world: SetWorld) -> list[Row]:
    return list(itertools.combinations([block for (block,) in _thirds(world)], 2))


def _third_sum(world: SetWorld, block: int) -> Codes:
    chosen_block = slice(3 * block - 3, 3 * block)
    return world.members[:, chosen_block] @ world.numbers[chosen_block]


def _divisors(world: SetWorld) -> list[Row]:
    return [(divisor,) for divisor in range(2, max(3, world.n // 2) + 1)]


_NUMBER = "any {number} from 1 to {n}"
_PAIR = "any two different {numbers} from 1 to {n}, in any order"
_RANGE = "any two different {numbers} from 1 to {n}, the smaller first"
_DIVISOR = "any whole number from 2 to {half}"
_GROUPS = (
    "when 1 to {n} is cut into groups of three (group 1 is 1 to 3, group 2 is 4 to 6 and so on; the last may be "
    "smaller)"
)


def _next(world: SetWorld, number: int) -> Codes:
    later = world.part(number, world.n)
    return np.where(later.any(axis=1), later.argmax(axis=1) + number, NOTHING)


KINDS = (
    Kind("contains", "whether {0} is in the {set}", _NUMBER, _one, lambda w, x: w.members[:, x - 1]),
    Kind(
        "count", "how many {numbers} of the {set} lie from {0} to {1}, both included", _RANGE, _pairs,
        lambda w, a, b: w.part(a, b).sum(axis=1), NUMBER,
    ),
    Kind(
        "some", "whether at least one {number} of the {set} lies from {0} to {1}, both included", _RANGE, _pairs,
        lambda w, a, b: w.part(a, b).any(axis=1),
    ),
    Kind(
        "pair", "whether {0} and {1} are both in the {set}", _PAIR, _pairs,
        lambda w, a, b: w.members[:, a - 1] & w.members[:, b - 1], unordered=True,
    ),
    Kind(
        "one", "whether exactly one of {0} and {1} is in the {set}", _PAIR, _pairs,
        lambda w, a, b: w.members[:, a - 1] ^ w.members[:, b - 1], unordered=True,
    ),
    Kind(
        "next", "the smallest {number} of the {set} that is at least {0}, or none if there is none", _NUMBER, _one,
        _next, NUMBER_OR_NONE,
    ),
    Kind(
        "upto", "the sum of those {numbers} of the {set} that are at most {0} (0 if there are none)", _NUMBER, _one,
        lambda w, x: w.part(1, x) @ w.numbers[:x], NUMBER,
    ),
    Kind(
        "balance", "whether the count of the {set}'s {numbers} below {0} is less than, equal to or greater than the "
        "count of those above {0}", _NUMBER, _one,
        lambda w, x: compare(w.members[:, : x - 1].sum(axis=1), w.members[:, x:].sum(axis=1)), ORDER,
    ),
    Kind(
        "multiples", "how many {numbers} of the {set} are divisible by {0}", _DIVISOR, _divisors,
        lambda w, d: w.members[:, d - 1 :: d].sum(axis=1), NUMBER,
    ),
    Kind(
        "remainder", "the remainder when the sum of the {set}'s {numbers} is divided by {0}", _DIVISOR, _divisors,
        lambda w, d: w.total % d, NUMBER,
    ),
    Kind(
        "parity", "whether the count of the {set}'s {numbers} from {0} to {1}, both included, is odd", _RANGE, _pairs,
        lambda w, a, b: w.part(a, b).sum(axis=1) % 2,
    ),
    Kind(
        "third", "how many {numbers} of the {set} are in group {0}, " + _GROUPS, "any group from 1 to {thirds}",
        _thirds,
        lambda w, i: w.members[:, 3 * i - 3 : 3 * i].sum(axis=1), NUMBER,
    ),
    Kind(
        "heavier", "whether the sum of the {set}'s {numbers} in group {0} is less than, equal to or greater than the "
        "sum of those in group {1}, " + _GROUPS, "any two different groups from 1 to {thirds}, the smaller first",
        _two_thirds, lambda w, i, j: compare(_third_sum(w, i), _third_sum(w, j)), ORDER,
    ),
    Kind(
        "residue", "how many {numbers} of the {set} leave the remainder {1} when divided by {0}",
        "2, 3 or 4, then any remainder from 0 to one less",
        lambda w: [(d, r) for d in (2, 3, 4) for r in range(d)],
        lambda w, d, r: w.members[:, w.numbers % d == r].sum(axis=1), NUMBER,
    ),
    Kind(
        "mirror", "whether {0} and its mirror, which is as far from {n} as {0} is from 1, are both in the {set} or "
        "both missing", "any {number} from 1 to {half}",
        lambda w: [(x,) for x in range(1, w.n // 2 + 1)], lambda w, x: w.members[:, x - 1] == w.members[:, -x],
    ),
    Kind(
        "neighbours", "for how many {numbers} below {0} both the {number} itself and the next {number}, which is "
        "greater by 1, are in the {set}", _NUMBER, _one,
        lambda w, x: (w.members[:, : x - 1] & w.members[:, 1:x]).sum(axis=1), NUMBER,
    ),
    Kind(
        "span", "the difference between the largest and the smallest {number} of the {set}", "", no_argument,
        lambda w: _ends(w) @ np.array([-1, 1]), NUMBER,
    ),
    Kind("size", "how many {numbers} the {set} has", "", no_argument, lambda w: w.size, NUMBER),
    Kind(
        "smallest", "the smallest {number} of the {set}", "", no_argument, lambda w: w.members.argmax(axis=1) + 1,
        NUMBER,
    ),
    Kind("largest", "the largest {number} of the {set}", "", no_argument, lambda w: _ends(w)[:, 1], NUMBER),
)  # fmt: skip


def _ends(world: SetWorld) -> Codes:
    smallest, largest = world.members.argmax(axis=1) + 1, world.n - world.members[:, ::-1].argmax(axis=1)
    return np.stack([smallest, largest], axis=1)


def _differences(world: SetWorld) -> Codes:
    ranked = world.ranked()
    return np.where(ranked[:, 1:] == NOTHING, NOTHING, ranked[:, 1:] - ranked[:, :-1])


def _two_largest(world: SetWorld) -> Codes:
    mirrored = chosen(world.members[:, ::-1], range(world.n))[:, :2]
    return np.where(mirrored == NOTHING, NOTHING, world.n - mirrored)


TARGETS = (
    Target("everything", "all {numbers} of the {set}", SetWorld.ranked, SOME_NUMBERS),
    Target("total", "the sum of all {numbers} of the {set}", lambda w: w.total, ONE_NUMBER),
    Target("squares", "the sum of the squares of the {set}'s {numbers}", lambda w: w.members @ w.numbers**2,
        ONE_NUMBER),
    Target(
        "ends", "the smallest and the largest {number} of the {set}, the same one twice if it is the only one", _ends,
        Form("two numbers in this order"),
    ),
    Target(
        "two-largest", "the two largest {numbers} of the {set}, the larger first; if it has only one, that one alone",
        _two_largest,
        Form("one or two numbers in this order"),
    ),
    Target(
        "evens", "the even {numbers} of the {set}", lambda w: chosen(w.members[:, 1::2], w.numbers[1::2]), SOME_NUMBERS,
    ),
    Target(
        "odds", "the odd {numbers} of the {set}", lambda w: chosen(w.members[:, ::2], w.numbers[::2]), SOME_NUMBERS,
    ),
    Target(
        "small-ones", "the {numbers} of the {set} that are at most {half}",
        lambda w: chosen(w.members[:, : w.n // 2], w.numbers[: w.n // 2]), SOME_NUMBERS,
    ),
    Target(
        "size-and-total", "how many {numbers} the {set} has, and their sum",
        lambda w: np.stack([w.size, w.total], axis=1), Form("two numbers in this order"),
    ),
    Target(
        "differences", "the differences between each {number} of the {set} and the next larger one of the {set}, from "
        "the smallest {number} on, or none if the {set} has only one {number}", _differences,
        Form("numbers in this order"),
    ),
    *induction.TARGETS,
)  # fmt: skip

SUM_PRIOR = Prior("The probability of a {set} is proportional to the sum of its {numbers}.", lambda w: w.total)
SQUARES_PRIOR = Prior(
    "The probability of a {set} is proportional to the sum of the squares of its {numbers}.",
    lambda w: w.members @ w.numbers**2,
)
PRODUCT_PRIOR = Prior(
    "The probability of a {set} is proportional to the product of its {numbers}.",
    lambda w: np.where(w.members, w.numbers, 1).prod(axis=1),
)


def _kind(name: str) -> Kind:
    return next(kind for kind in KINDS if kind.name == name)


CAUSES = (
    abductive(CHOICE, "likely-choice", _kind("remainder"), SUM_PRIOR, 2),
    abductive(FEW, "likely-few", _kind("multiples"), SQUARES_PRIOR, 2),
    abductive(GAPPED, "likely-gapped", _kind("size"), PRODUCT_PRIOR),
    abductive(TWO_BLOCKS, "likely-blocks", _kind("remainder"), SQUARES_PRIOR, 3),
    abductive(ONE_OF_EACH, "likely-one-of-each", _kind("multiples"), PRODUCT_PRIOR, 2),
    abductive(WITHOUT_DIVISORS, "likely-without-divisors", _kind("size"), SUM_PRIOR),
    abductive(EVEN_SUMS, "likely-even-sums", _kind("multiples"), SQUARES_PRIOR, 3),
    abductive(ADDING_UP, "likely-adding-up", _kind("size"), PRODUCT_PRIOR),
)


def _instances(rng: np.random.Generator, count: int, n: int, **_: int) -> SetWorld:
    """Different sets of 1 to 4 numbers, larger ones where there are many numbers."""
    most = max(4, n // 3)
    drawn: dict[tuple[int, ...], None] = {}
    while len(drawn) < min(count, sum(math.comb(n, size) for size in range(1, most + 1))):
        drawn[tuple(sorted(rng.permutation(n)[: rng.integers(1, most + 1)] + 1))] = None
    return listed(n, drawn)


def _written(world: SetWorld) -> list[str]:
    return ["{set} (" + ", ".join(map(str, row[row != NOTHING])) + ")" for row in world.ranked()]


def _hidden_sets(n: int, sizes: Iterable[int]) -> NDArray[np.int64]:
    return of_sizes(n, sizes).members.astype(np.int64)


def _shared(made: SetWorld, n: int, k: int) -> Codes:
    return _hidden_sets(n, [k]) @ made.members.T.astype(np.int64)


def _majority(made: SetWorld, n: int, k: int) -> Codes:
    inside = _hidden_sets(n, range(2, k + 1)) @ made.members.T.astype(np.int64)
    return np.asarray(2 * inside > made.size, dtype=np.int64)


def _remainders(made: SetWorld, n: int, m: int) -> Codes:
    rules = [(a, b, d) for d in range(2, m + 1) for a in range(1, d) for b in range(d)]
    a, b, d = np.array(rules).T[:, :, None]
    return np.asarray((a * made.total + b * made.size) % d)


def _crowded(made: SetWorld, n: int, t: int) -> Codes:
    ranges = [(a, b, least) for least in range(1, t + 1) for a in range(1, n + 1) for b in range(a + least - 1, n + 1)]
    return np.stack([made.part(a, b).sum(axis=1) >= least for a, b, least in ranges])


def _either(made: SetWorld, n: int) -> Codes:
    has = made.members.T
    numbers = range(n)
    return np.stack([(has[x] & has[y]) | has[z] for x, y in itertools.combinations(numbers, 2) for z in numbers])


def _conditions(made: SetWorld, n: int) -> Codes:
    has = made.members.T
    kept = [~has[x] | has[y] for x, y in itertools.permutations(range(n), 2)]
    return np.stack([first & second for first, second in itertools.combinations_with_replacement(kept, 2)])


RULES = (
    inductive(
        "shared", "a rule that counts: it gives a {set} as many points as it has {numbers} in common with a secret "
        "{set} of {k} different {numbers} from 1 to {n}",
        ({"n": 7, "k": 3, "pool": 16, "shown": 1}, {"n": 9, "k": 3, "pool": 11, "shown": 1},
         {"n": 12, "k": 3, "pool": 13, "shown": 1}, {"n": 16, "k": 3, "pool": 18, "shown": 1},
         {"n": 21, "k": 3, "pool": 20, "shown": 1}), _instances, _written, _shared,
    ),
    inductive(
        "majority", "a rule that votes: it gives a {set} 1 if more than half of its {numbers} are in a secret {set} "
        "of 2 to {k} different {numbers} from 1 to {n}, otherwise 0",
        ({"n": 6, "k": 3, "pool": 20, "shown": 2}, {"n": 8, "k": 4, "pool": 25, "shown": 2},
         {"n": 9, "k": 5, "pool": 36, "shown": 2}, {"n": 10, "k": 6, "pool": 36, "shown": 2},
         {"n": 11, "k": 7, "pool": 43, "shown": 2}), _instances, _written, _majority,
    ),
    inductive(
        "remainders", "a rule of three secret whole numbers, a divisor d from 2 to {m}, a from 1 to d - 1 and b from 0 "
        "to d - 1: it gives a {set} the remainder when a times the sum of its {numbers} plus b times the count of its "
        "{numbers} is divided by d",
        ({"n": 9, "m": 6, "pool": 15, "shown": 1}, {"n": 9, "m": 8, "pool": 18, "shown": 1},
         {"n": 9, "m": 10, "pool": 18, "shown": 1}, {"n": 9, "m": 13, "pool": 12, "shown": 1},
         {"n": 9, "m": 16, "pool": 14, "shown": 1}), _instances, _written, _remainders,
    ),
    inductive(
        "crowded", "a rule of a secret least count from 1 to {t} and a secret range a to b within 1 to {n} that holds "
        "at least so many {numbers}: it gives a {set} 1 if at least so many of its {numbers} lie from a to b, both "
        "included, otherwise 0",
        ({"n": 8, "t": 2, "pool": 16, "shown": 2}, {"n": 10, "t": 3, "pool": 40, "shown": 2},
         {"n": 13, "t": 4, "pool": 44, "shown": 2}, {"n": 16, "t": 4, "pool": 56, "shown": 2},
         {"n": 18, "t": 6, "pool": 58, "shown": 2}), _instances, _written, _crowded,
    ),
    inductive(
        "either", "a rule of three secret {numbers} x, y and z from 1 to {n}, of which only x and y must differ: it "
        "gives a {set} 1 if it has both x and y, or if it has z, otherwise 0",
        ({"n": 6, "pool": 25, "shown": 2}, {"n": 7, "pool": 32, "shown": 2}, {"n": 8, "pool": 37, "shown": 2},
         {"n": 10, "pool": 43, "shown": 2}, {"n": 11, "pool": 54, "shown": 2}), _instances, _written, _either,
    ),
    inductive(
        "conditions", "a rule of one or two secret conditions of the form 'if x is there, y is there too', each with "
        "its own two different {numbers} x and y from 1 to {n}: it gives a {set} 1 if every condition holds, "
        "otherwise 0",
        ({"n": 5, "pool": 22, "shown": 2}, {"n": 6, "pool": 27, "shown": 2}, {"n": 7, "pool": 38, "shown": 2},
         {"n": 8, "pool": 44, "shown": 2}, {"n": 9, "pool": 41, "shown": 2}), _instances, _written, _conditions,
    ),
)  # fmt: skip

TABLE = """
choice | upto heavier smallest | ends
choice | one balance largest | everything
choice | next mirror | size-and-total
choice | upto third heavier | squares
choice | next residue span | total
few | one span smallest | differences
few | one upto size | ends
few | count multiples neighbours | squares
few | count | total
few | contains some mirror | two-largest
gapped | next parity heavier | evens
gapped | parity heavier mirror | odds
gapped | some balance parity | size-and-total
gapped | some smallest largest | squares
gapped | some pair residue | total
gapped | upto balance span | two-largest
two-blocks | upto remainder span | differences
two-blocks | upto remainder smallest | everything
two-blocks | upto remainder mirror | odds
two-blocks | some neighbours | total
two-blocks | count parity heavier | two-largest
one-of-each | upto multiples neighbours | differences
one-of-each | some multiples span | evens
one-of-each | contains pair largest | everything
one-of-each | contains remainder residue | odds
adding-up | count mirror neighbours | ends
adding-up | count pair span | evens
adding-up | pair multiples largest | everything
adding-up | one parity residue | odds
adding-up | some one neighbours | small-ones
without-divisors | pair balance smallest | differences
without-divisors | next remainder third | size-and-total
without-divisors | contains one residue | squares
without-divisors | next third size | total
without-divisors | one third smallest | two-largest
even-sums | contains residue size | differences
even-sums | contains balance size | ends
even-sums | parity | everything
even-sums | multiples parity third | size-and-total
even-sums | contains next largest | squares
shared | test any both | all-eight
shared | test odd both | equal-neighbours
shared | more any odd | even-ones
shared | test odd first | first-and-last
shared | same sum both | first-and-sum
shared | sum both | first-and-sum
shared | test more any | five
shared | more sum first | thirds
majority | any odd | all-eight
majority | more any | equal-neighbours
majority | any both | even-ones
majority | same odd first | first-and-last
majority | test more both | first-and-sum
majority | odd both | five
majority | test more | some-that-get-more
majority | test same more | thirds
remainders | sum any both | all-eight
remainders | sum any | even-ones
remainders | more sum both | first-and-last
remainders | test same both | first-and-last
remainders | same more sum | first-and-sum
remainders | same sum any | five
remainders | sum odd both | thirds
crowded | both first | all-eight
crowded | same first | equal-neighbours
crowded | odd first | first-and-sum
crowded | more first | some-that-get-more
crowded | test sum first | some-that-get-more
crowded | sum | thirds
either | any first | all-eight
either | first | equal-neighbours
either | more | five
either | odd | some-that-get-more
either | test odd | some-that-get-more
either | test same first | thirds
conditions | same sum | all-eight
conditions | more sum | equal-neighbours
conditions | same both first | even-ones
conditions | test more first | even-ones
conditions | test more sum | thirds
likely-few | balance third neighbours | ends
likely-few | third neighbours smallest | ends
likely-few | balance neighbours size | everything
likely-few | balance remainder mirror | everything
likely-few | balance size largest | size-and-total
likely-few | balance multiples smallest | squares
likely-few | heavier neighbours span | squares
likely-few | balance span size | total
likely-few | third neighbours largest | two-largest
likely-gapped | third mirror span | evens
likely-gapped | heavier mirror largest | everything
likely-gapped | third mirror largest | everything
likely-gapped | balance heavier span | size-and-total
likely-gapped | third mirror smallest | size-and-total
likely-gapped | third heavier mirror | squares
likely-gapped | balance third span | total
likely-blocks | some size smallest | differences
likely-blocks | one | ends
likely-blocks | balance size smallest | everything
likely-blocks | some mirror | odds
likely-blocks | balance remainder heavier | size-and-total
likely-blocks | balance smallest | size-and-total
likely-blocks | balance heavier size | squares
likely-blocks | one | squares
likely-blocks | some smallest | total
likely-blocks | some span largest | total
likely-without-divisors | some third smallest | ends
likely-without-divisors | some smallest largest | everything
likely-without-divisors | some largest | size-and-total
likely-without-divisors | some span | squares
likely-without-divisors | balance third smallest | total
likely-without-divisors | heavier neighbours smallest | two-largest
likely-even-sums | remainder third neighbours | differences
likely-even-sums | some heavier | differences
likely-even-sums | remainder neighbours | squares
likely-adding-up | heavier mirror span | differences
likely-adding-up | some balance largest | ends
likely-adding-up | balance heavier neighbours | everything
likely-adding-up | neighbours | everything
likely-adding-up | third heavier neighbours | odds
"""

STRUCTURE = Structure(
    "set",
    WORDS,
    families=(
        CHOICE, FEW, GAPPED, TWO_BLOCKS, ONE_OF_EACH, ADDING_UP, WITHOUT_DIVISORS, EVEN_SUMS, *CAUSES, *RULES,
    ),
    kinds=KINDS + induction.KINDS,
    targets=TARGETS,
    table=TABLE,
)  # fmt: skip
