"""Circuits computed a second time: what each is for, from docs/black-boxes/circuit.md, and gates one by one."""

from __future__ import annotations

import itertools


def number(bits):
    """Bits as a binary number, the highest first."""
    return int("".join(map(str, bits)), 2)


def low_first(value, size):
    """The bits of a number, the lowest first."""
    return [value >> place & 1 for place in range(size)]


def runs(bits):
    """Lengths of the runs of ones."""
    return [len(list(run)) for bit, run in itertools.groupby(bits) if bit]


def consecutive(x):
    return ["11" in "".join(map(str, x))]


def palindrome(x):
    return [list(x) == list(x)[::-1] and x[:4] == x[4:]]


def random_small(x):
    x1, x2, x3, x4 = map(bool, x)
    return [((not x1 or x2) and not (x1 and x2 and (x3 or x4))) or x4]


def swap(x):
    return [*x[-4:], *x[:5]]


def xor_seq(x):
    return [sum(x[:size]) % 2 for size in range(2, 9)]


def add(x):
    return low_first(number(x[1:]) + x[0], 10)


def and_tree(x):
    return [min(x)]


def arbitrary(x):
    return [number(x) in {0, 85, 51, 106, 127, 42, 76, 29}]


def compare(x):
    return [number(x[:5]) > number(x[5:])]


def consecutive_k(x):
    return [max(runs(x + x), default=0) >= 4]


def count(x):
    return low_first(sum(x), 3)


def greater(x):
    return [sum(x) >= 3]


def matrix_product(x):
    rows = [x[:3], x[3:6], x[6:]]
    return [
        sum(a * b for a, b in zip(row, column, strict=True)) % 2 for row in rows for column in zip(*rows, strict=True)
    ]


def path(x):
    steps = {divmod(place, 3) for place, bit in enumerate(x) if bit}
    found = []
    for start in range(3):
        reached = {start}
        for _ in range(2):
            reached |= {end for node, end in steps if node in reached}
        found += [end in reached for end in range(3)]
    return found


def random_big(x):
    x1, x2, x3, x4, x5, x6, x7 = map(bool, x)
    both = not (x1 and x2 and (x2 or x3)) or not (x5 and x6 and (x6 or x7))
    return [not x1, not x7, both, not x4 and ((x3 and x4) or x4 or x5)]


OUTPUTS = {
    "consecutive": consecutive,
    "palindrome": palindrome,
    "random-small": random_small,
    "swap": swap,
    "xor-seq": xor_seq,
    "add": add,
    "and-tree": and_tree,
    "arbitrary": arbitrary,
    "compare": compare,
    "consecutive-k": consecutive_k,
    "count": count,
    "greater": greater,
    "matrix-product": matrix_product,
    "path": path,
    "random-big": random_big,
}


def gate(gates, n, x, place, known=None):
    """What a gate gives, found backwards from it: the wires as text, the values as truth."""
    known = {} if known is None else known
    if place not in known:
        kind, first, second = gates[place]
        values = [bool(x[wire]) if wire < n else gate(gates, n, x, wire - n, known) for wire in {first, second}]
        known[place] = {"and": all(values), "or": any(values), "not": not values[0]}[kind]
    return known[place]


def evaluate(gates, n, x):
    """What all gates give."""
    known = {}
    return tuple(int(gate(gates, n, x, place, known)) for place in range(len(gates)))


def wirings(n, told):
    """How many lists of gates give what was told, by trying each; ``told`` holds pairs of inputs and gates' values."""
    product = 1
    for place in range(len(told[0][1])):
        signals = [[*x, *values[:place]] for x, values in told]
        wanted = [values[place] for _, values in told]
        pairs = itertools.combinations_with_replacement(range(n + place), 2)
        product *= sum(
            [op(row[i], row[j]) for row in signals] == wanted for i, j in pairs for op in (lambda a, b: a * b, max)
        ) + sum([1 - row[i] for row in signals] == wanted for i in range(n + place))
    return product
