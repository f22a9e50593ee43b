"""Rules about sequences. A family is a function: the output of every rule for every instance."""

from __future__ import annotations

import itertools

import numpy as np

from interactive_envs.query_games.base import Codes, levels
from interactive_envs.query_games.structures.induction.worlds import Instances, inductive
from interactive_envs.query_games.structures.sequence.worlds import SequenceWorld


def _dealt(rng: np.random.Generator, count: int, n: int, high: int, **_: int) -> SequenceWorld:
    """Different sequences of values from 1 to high."""
    drawn: dict[tuple[int, ...], None] = {}
    while len(drawn) < min(count, high**n):
        drawn[tuple(rng.integers(1, high + 1, n).tolist())] = None
    return SequenceWorld({"n": n, "high": high}, np.array(list(drawn)))


def _residues(rng: np.random.Generator, count: int, n: int, m: int, **_: int) -> SequenceWorld:
    """Different sequences of values from 0 to m - 1."""
    return SequenceWorld({"n": n, "high": m - 1}, _dealt(rng, count, n, m).values - 1)


def _written(world: SequenceWorld) -> list[str]:
    return ["{sequence} " + " ".join(map(str, row)) for row in world.values.tolist()]


SEQUENCES = Instances(_dealt, _written)
RESIDUES = Instances(_residues, _written)


@inductive(
    "a rule with two secret {places} i and j (i is smaller than j) and three secret whole numbers less than "
    "{m}: a and b are at least 1, and c is at least 0. Its output for a {sequence} is the remainder when a * "
    "X + b * Y + c is divided by {m}, where X is the {value} {at} {place} i and Y is the {value} {at} "
    "{place} j",
    levels(n=(4, 6, 5, 5, 7), high=6, m=(3, 3, 4, 5, 5), pool=(13, 15, 21, 21, 21), shown=1),
    SEQUENCES,
)
def mixed(made: SequenceWorld, m: int, **_: int) -> Codes:
    first, last = np.triu_indices(made.n, 1)
    pairs, a, b, c = np.meshgrid(np.arange(len(first)), np.arange(1, m), np.arange(1, m), np.arange(m))
    a, b, c, pair = (part.reshape(-1, 1) for part in (a, b, c, pairs))
    values = made.values.T
    return (a * values[first[pair[:, 0]]] + b * values[last[pair[:, 0]]] + c) % m


@inductive(
    "a rule with a secret pattern: 1 to {k} {values} from 1 to {high} in a certain order, in which a {value} "
    "may occur more than once. Its output for a {sequence} is 1 if the pattern is left when some of the "
    "{values} (perhaps none) are removed from the {sequence}, and 0 otherwise",
    levels(n=(6, 8, 11, 14, 17), high=(3, 3, 4, 5, 6), k=(3, 4, 4, 4, 4), pool=(25, 41, 52, 60, 50), shown=1),
    SEQUENCES,
)
def contained(made: SequenceWorld, k: int, **_: int) -> Codes:
    """Whether each pattern occurs: its earliest occurrence, grown value by value, must end within the sequence."""
    rows, n = np.arange(len(made)), made.n
    # next_end[row, value - 1, p]: where the value's first occurrence after the first p places ends; n + 1 is never.
    next_end = np.full((len(made), made.high, n + 2), n + 1)
    for place in range(n, 0, -1):
        next_end[:, :, place - 1] = np.where(made.stands[:, place - 1], place, next_end[:, :, place])
    ends = np.zeros((1, len(made)), dtype=np.int64)
    found = []
    for _length in range(k):
        ends = next_end[rows, :, ends].transpose(0, 2, 1).reshape(-1, len(made))
        found.append(ends <= n)
    return np.concatenate(found)


@inductive(
    "a rule with three different secret {places} i, j and k and a secret minimum m from 2 to {high}. Its "
    "output for a {sequence} is the {value} {at} {place} j if the {value} {at} {place} i is m or greater, "
    "and the {value} {at} {place} k otherwise",
    levels(n=(4, 4, 5, 6, 7), high=(4, 8, 8, 8, 9), pool=(20, 23, 27, 30, 30), shown=(2, 1, 2, 2, 1)),
    SEQUENCES,
)
def switched(made: SequenceWorld, high: int, **_: int) -> Codes:
    places = np.array(list(itertools.permutations(range(made.n), 3)))
    asked, then, other = (made.values.T[places[:, part]] for part in range(3))
    return np.concatenate([np.where(asked >= least, then, other) for least in range(2, high + 1)])


@inductive(
    "a rule with a secret range of one or more {places}, from a to b within 1 to {n}, and a secret minimum m "
    "from 2 to {high}. Its output for a {sequence} is how many of the {values} {at} {places} a to b "
    "inclusive are m or greater",
    levels(n=(5, 7, 9, 12, 15), high=(4, 5, 7, 9, 12), pool=(22, 24, 23, 31, 33), shown=1),
    SEQUENCES,
)
def tallied(made: SequenceWorld, high: int, **_: int) -> Codes:
    counts = np.pad(
        (made.values[None] >= np.arange(2, high + 1)[:, None, None]).cumsum(axis=2), ((0, 0), (0, 0), (1, 0))
    )
    first, last = np.triu_indices(made.n + 1, 1)
    return np.asarray((counts[:, :, last] - counts[:, :, first]).transpose(0, 2, 1).reshape(-1, len(made)))


@inductive(
    "a rule with two different secret steps. A step is a {value} from 1 to {high} followed directly by "
    "another, perhaps equal, {value} from 1 to {high}. The rule's output for a {sequence} is how often one "
    "of the two steps occurs in it",
    levels(n=(7, 9, 11, 13, 15), high=(3, 4, 5, 6, 7), pool=(19, 22, 28, 37, 44), shown=(2, 1, 1, 1, 1)),
    SEQUENCES,
)
def stepped(made: SequenceWorld, high: int, **_: int) -> Codes:
    step = (made.values[:, :-1] - 1) * high + made.values[:, 1:] - 1
    taken = (step[None] == np.arange(high**2)[:, None, None]).sum(axis=2)
    first, last = np.triu_indices(high**2, 1)
    return np.asarray(taken[first] + taken[last])


@inductive(
    "a rule with a counter that starts at 0 and reads the {values} from first to last. One secret {value} "
    "from 1 to {high} resets the counter to 0. One or more other {values}, also secret, add 1 to it. The "
    "rest leave it as it is. The rule's output for a {sequence} is the counter at the end",
    levels(n=(6, 7, 8, 9, 10), high=(5, 6, 7, 8, 9), pool=(19, 23, 25, 30, 29), shown=1),
    SEQUENCES,
)
def counted(made: SequenceWorld, high: int, **_: int) -> Codes:
    """The counter after all values, for every value that resets it and every choice of values that add 1."""
    choices = np.array(list(itertools.product((0, 1), repeat=high - 1)))[1:]
    # The value that resets stands at its own index; what it would add is never asked for.
    adds = np.concatenate([np.insert(choices, reset, 0, axis=1) for reset in range(high)]).T.astype(np.int16)
    resets = np.repeat(np.arange(high), len(choices))
    counter = np.zeros((len(made), len(resets)), dtype=np.int16)
    for value in made.values.T - 1:
        counter = np.where(value[:, None] == resets, 0, counter + adds[value])
    return counter.T.astype(np.int64)


@inductive(
    "a rule with three secret whole numbers a, b and c, each at least 0 and less than {m}. Its output for a "
    "{sequence} is the next {value}: the remainder when a * X + b * Y + c * Z is divided by {m}, where X is "
    "the last {value}, Y the second to last and Z the third to last",
    levels(n=4, m=(4, 5, 7, 9, 12), pool=(15, 15, 18, 18, 24), shown=1),
    RESIDUES,
)
def continued(made: SequenceWorld, m: int, **_: int) -> Codes:
    a, b, c = (part.reshape(-1, 1) for part in np.meshgrid(*[np.arange(m)] * 3))
    return np.asarray((a * made.values[:, -1] + b * made.values[:, -2] + c * made.values[:, -3]) % m)


@inductive(
    "a rule with two different secret {places} i and j and a secret margin, a whole number that is at least "
    "0 and less than {e}. Its output for a {sequence} is 1 if the {value} {at} {place} i is greater than or "
    "equal to the {value} {at} {place} j plus the margin, and 0 otherwise",
    levels(n=(6, 8, 11, 14, 20), high=(6, 6, 6, 12, 12), e=(2, 3, 3, 4, 4), pool=(30, 37, 46, 59, 59), shown=1),
    SEQUENCES,
)
def ahead(made: SequenceWorld, e: int, **_: int) -> Codes:
    first, last = np.array(list(itertools.permutations(range(made.n), 2))).T
    lead = made.values.T[first] - made.values.T[last]
    return np.concatenate([lead >= least for least in range(e)])
