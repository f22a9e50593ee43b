"""Every set is rebuilt as a plain Python set, and everything about it is computed anew from the sentences."""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from interactive_envs.query_games.base import LEVELS, NOTHING, Family, Kind, components, trimmed
from interactive_envs.query_games.structures import set as sets
from interactive_envs.query_games.structures.set.worlds import SetWorld

DEDUCTIVE = [family for family in sets.STRUCTURE.families if family.mode == "deductive"]
RULES = {family.name: family for family in components(sets.inductive, Family)}
KINDS = {kind.name: kind for kind in components(sets.queries, Kind)}


def plain(world: SetWorld) -> list[set[int]]:
    return [{number for number in range(1, world.n + 1) if row[number - 1]} for row in world.members.tolist()]


def everything(n: int) -> Iterator[set[int]]:
    for size in range(n + 1):
        yield from map(set, itertools.combinations(range(1, n + 1), size))


def runs(some: set[int]) -> int:
    return sum(number - 1 not in some for number in some)


def group(n: int, number: int) -> set[int]:
    return set(range(3 * number - 2, min(3 * number, n) + 1))


SENTENCES: dict[str, Callable[..., bool]] = {
    "choice": lambda s, n, k: len(s) == k,
    "few": lambda s, n, k: 1 <= len(s) <= k,
    "gapped": lambda s, n: len(s) > 0 and not any(x + 1 in s for x in s),
    "two-blocks": lambda s, n: runs(s) == 2,
    "one-of-each": lambda s, n, groups: all(len(s & group(n, g)) == 1 for g in range(1, groups + 1)),
    "adding-up": lambda s, n, s_: sum(s) == s_,
    "without-divisors": lambda s, n: len(s) > 0 and not any(y % x == 0 for x in s for y in s if x != y),
    "even-sums": lambda s, n: len(s) > 0 and sum(s) % 2 == 0,
}


@pytest.mark.parametrize("family", DEDUCTIVE, ids=lambda family: family.name)
@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_family_holds_what_its_sentence_says_and_nothing_else(family: Family, level: int) -> None:
    world: Any = family.world(level)
    facts = {"s_" if name == "s" else name: value for name, value in family.levels[level - 1].items()}
    facts["n"] = world.n
    expected = [some for some in everything(world.n) if SENTENCES[family.name](some, **facts)]
    found = plain(world)
    assert sorted(map(sorted, found)) == sorted(map(sorted, expected))


SIZES: dict[str, Callable[..., int]] = {
    "choice": lambda n, k: math.comb(n, k),
    "few": lambda n, k: sum(math.comb(n, size) for size in range(1, k + 1)),
    "gapped": lambda n: round(((1 + 5**0.5) / 2) ** (n + 2) / 5**0.5) - 1,
    "two-blocks": lambda n: math.comb(n + 1, 4),
    "one-of-each": lambda n, groups: 3**groups,
    "even-sums": lambda n: 2 ** (n - 1) - 1,
}


@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize("level", LEVELS)
def test_a_family_has_as_many_sets_as_its_formula_says(name: str, level: int) -> None:
    world = next(family for family in DEDUCTIVE if family.name == name).world(level)
    parameters = inspect.signature(SIZES[name]).parameters
    assert len(world) == SIZES[name](**{parameter: world.facts[parameter] for parameter in parameters})


def order(first: int, second: int) -> int:
    return 0 if first < second else 1 if first == second else 2


NAIVE: dict[str, Callable[..., int]] = {
    "contains": lambda s, n, x: x in s,
    "count": lambda s, n, a, b: len([x for x in s if a <= x <= b]),
    "some": lambda s, n, a, b: any(a <= x <= b for x in s),
    "pair": lambda s, n, x, y: {x, y} <= s,
    "one": lambda s, n, x, y: len({x, y} & s) == 1,
    "next": lambda s, n, x: min((y for y in s if y >= x), default=NOTHING),
    "upto": lambda s, n, x: sum(y for y in s if y <= x),
    "balance": lambda s, n, x: order(len([y for y in s if y < x]), len([y for y in s if y > x])),
    "multiples": lambda s, n, d: len([x for x in s if x % d == 0]),
    "remainder": lambda s, n, d: sum(s) % d,
    "parity": lambda s, n, a, b: len([x for x in s if a <= x <= b]) % 2,
    "third": lambda s, n, g: len(s & group(n, g)),
    "heavier": lambda s, n, g, h: order(sum(s & group(n, g)), sum(s & group(n, h))),
    "residue": lambda s, n, d, r: len([x for x in s if x % d == r]),
    "mirror": lambda s, n, x: (x in s) == (n + 1 - x in s),
    "neighbours": lambda s, n, x: len([y for y in range(1, x) if y in s and y + 1 in s]),
    "span": lambda s, n: max(s) - min(s),
    "size": lambda s, n: len(s),
    "smallest": lambda s, n: min(s),
    "largest": lambda s, n: max(s),
}


@pytest.mark.every(5)
@pytest.mark.parametrize("level", [1, pytest.param(2, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("family", DEDUCTIVE, ids=lambda family: family.name)
def test_a_reply_is_what_the_sentence_says(name: str, family: Family, level: int) -> None:
    world: Any = family.world(level)
    arguments = list(KINDS[name].arguments(world))
    assert len(arguments) == len(set(arguments))
    states = plain(world)
    for argument in arguments[:: 1 + len(arguments) // 20]:
        expected = [int(NAIVE[name](some, world.n, *argument)) for some in states]
        assert KINDS[name].codes(world, argument).tolist() == expected
        for row in (0, len(world) // 2, len(world) - 1):
            assert KINDS[name].codes(world.take([row]), argument).tolist() == [expected[row]]


def two_largest(some: set[int]) -> list[int]:
    return sorted(some, reverse=True)[:2]


VALUES: dict[str, Callable[[set[int], int], list[int]]] = {
    "everything": lambda s, n: sorted(s),
    "total": lambda s, n: [sum(s)],
    "squares": lambda s, n: [sum(x * x for x in s)],
    "ends": lambda s, n: [min(s), max(s)],
    "two-largest": lambda s, n: two_largest(s),
    "evens": lambda s, n: sorted(x for x in s if x % 2 == 0),
    "odds": lambda s, n: sorted(x for x in s if x % 2),
    "small-ones": lambda s, n: sorted(x for x in s if x <= n / 2),
    "size-and-total": lambda s, n: [len(s), sum(s)],
    "differences": lambda s, n: [y - x for x, y in itertools.pairwise(sorted(s))],
}


@pytest.mark.every(5)
@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("family", DEDUCTIVE, ids=lambda family: family.name)
def test_an_answer_is_what_the_sentence_says(name: str, family: Family) -> None:
    target = next(target for target in sets.STRUCTURE.targets if target.name == name)
    for level in (1, 2):
        world: Any = family.world(level)
        expected = [VALUES[name](some, world.n) for some in plain(world)]
        assert [list(trimmed(row)) for row in target.rows(world).tolist()] == expected
        for row in (0, len(world) // 3, len(world) - 1):
            assert list(trimmed(target.rows(world.take([row]))[0].tolist())) == expected[row]


def test_every_kind_and_target_is_tested_here() -> None:
    assert set(NAIVE) == set(KINDS)
    assert {target.name for target in sets.STRUCTURE.targets} - {
        target.name for target in sets.induction.TARGETS
    } == set(VALUES)


def conditions(n: int) -> list[Callable[[set[int]], bool]]:
    singles = [(x, y) for x in range(1, n + 1) for y in range(1, n + 1) if x != y]
    both = itertools.combinations_with_replacement(singles, 2)
    return [lambda s, p=pairs: all(y in s or x not in s for x, y in p) for pairs in both]  # type: ignore[misc]


def secret(n: int, sizes: list[int]) -> list[set[int]]:
    return [some for some in everything(n) if len(some) in sizes]


def naive_rules(name: str, n: int, facts: dict[str, int]) -> list[Callable[[set[int]], int]]:
    """The rules of a family, from its sentence."""
    if name == "shared":
        return [lambda s, k=k: len(s & k) for k in secret(n, [facts["k"]])]  # type: ignore[misc]
    if name == "majority":
        hidden = secret(n, list(range(2, facts["k"] + 1)))
        return [lambda s, k=k: 2 * len(s & k) > len(s) for k in hidden]  # type: ignore[misc]
    if name == "remainders":
        triples = [(d, a, b) for d in range(2, facts["m"] + 1) for a in range(1, d) for b in range(d)]
        return [lambda s, t=t: (t[1] * sum(s) + t[2] * len(s)) % t[0] for t in triples]  # type: ignore[misc]
    if name == "crowded":
        ranges = [(a, b, t) for a in range(1, n + 1) for b in range(a, n + 1) for t in range(1, facts["t"] + 1)]
        fitting = [(a, b, t) for a, b, t in ranges if b - a + 1 >= t]
        return [lambda s, r=r: len([x for x in s if r[0] <= x <= r[1]]) >= r[2] for r in fitting]  # type: ignore[misc]
    if name == "either":
        numbers = range(1, n + 1)
        triples = [(x, y, z) for x, y in itertools.combinations(numbers, 2) for z in numbers]
        return [lambda s, t=t: {t[0], t[1]} <= s or t[2] in s for t in triples]  # type: ignore[misc]
    return conditions(n)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("level", [1, 2])
def test_the_rules_of_a_family_are_those_of_its_sentence(name: str, level: int) -> None:
    world: Any = RULES[name].world(level)
    texts = [*world.pool, *world.new]
    assert all(text.startswith("{set} (") and text.endswith(")") for text in texts)
    instances = [set(map(int, text.removeprefix("{set} (").strip(")").split(", "))) for text in texts]
    rules = naive_rules(name, world.facts["n"], dict(world.facts))
    expected = {tuple(int(rule(some)) for some in instances) for rule in rules}
    found = np.hstack([world.outputs, world.predictions]).tolist()
    assert {tuple(row) for row in found} == expected
    assert len(found) == len(expected)
