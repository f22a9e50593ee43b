"""Every component of sequences against a second computation, written from its sentence."""

from __future__ import annotations

import itertools
from math import comb

import numpy as np
import pytest

from interactive_envs.query_games.base import NOTHING, Family, Kind, Target, components, trimmed
from interactive_envs.query_games.structures import induction
from interactive_envs.query_games.structures import sequence as module
from interactive_envs.query_games.structures.sequence import STRUCTURE
from interactive_envs.query_games.structures.sequence.abductive import CAUSES

RULES = components(module.inductive, Family)
KINDS = components(module.queries, Kind)
TARGETS = components(module.targets, Target)
DEDUCTIVE = [family for family in STRUCTURE.families if family.mode == "deductive"]
WORLDS = [
    pytest.param(family, level, id=f"{family.name}-{level}", marks=() if level == 1 else pytest.mark.long)
    for family in DEDUCTIVE
    for level in (1, 2)
]


def sign(a, b):
    return (a > b) - (a < b) + 1


def numbered(s):
    return list(enumerate(s, 1))


def first(s, x):
    return s.index(x) + 1 if x in s else NOTHING


def last(s, x):
    return len(s) - s[::-1].index(x) if x in s else NOTHING


def before(s, x, y):
    return x in s and y in s and first(s, x) < last(s, y)


def weighted(s):
    return sum(place * value for place, value in numbered(s))


def is_record(s, i):
    return all(value < s[i] for value in s[:i])


def is_rising(s):
    return all(a < b for a, b in itertools.pairwise(s))


def longest(s):
    stretches = [s[i:j] for i in range(len(s)) for j in range(i + 1, len(s) + 1)]
    return max(len(stretch) for stretch in stretches if is_rising(stretch))


NAIVE_KINDS = {
    "look": lambda s, i: s[i - 1],
    "compare": lambda s, i, j: sign(s[i - 1], s[j - 1]),
    "reaches": lambda s, i, x: s[i - 1] >= x,
    "large": lambda s, i, x: len([v for v in s[:i] if v >= x]),
    "times": lambda s, x: s.count(x),
    "where": first,
    "latest": last,
    "before": before,
    "total": lambda s, i, j: sum(v for place, v in numbered(s) if i <= place <= j),
    "parity": lambda s, i: sum(s[:i]) % 2 == 1,
    "rises": lambda s, i, j: len([p for p in range(i + 1, j + 1) if s[p - 1] > s[p - 2]]),
    "variety": lambda s, i, j: len(set(s[i - 1 : j])),
    "greatest": lambda s, i, j: max(s[i - 1 : j]),
    "smallest": lambda s, i, j: min(s[i - 1 : j]),
    "overtaken": lambda s, i: len([v for v in s[i:] if v < s[i - 1]]),
    "repeat": lambda s, i: s[i - 1] in s[: i - 1],
    "gap": lambda s, i, j: max(s[i - 1], s[j - 1]) - min(s[i - 1], s[j - 1]),
    "plus": lambda s, i, j: s[i - 1] + s[j - 1],
    "alike": lambda s, i, j: s[i - 1] % 2 == s[j - 1] % 2,
    "evens": lambda s, i, j: len([v for v in s[i - 1 : j] if v % 2 == 0]),
    "home": lambda s, i: len([place for place, v in numbered(s[:i]) if place == v]),
    "remainder": lambda s, d: weighted(s) % d,
    "peaks": lambda s: len([b for a, b, c in zip(s, s[1:], s[2:], strict=False) if a < b > c]),
    "spread": lambda s: max(s) - min(s),
    "summit": lambda s: first(s, max(s)),
    "longest": longest,
    "records": lambda s: len([i for i in range(len(s)) if is_record(s, i)]),
}

NAIVE_TARGETS = {
    "everything": lambda s, high: s,
    "weighted": lambda s, high: [weighted(s)],
    "products": lambda s, high: [sum(a * b for a, b in itertools.pairwise(s))],
    "beginning": lambda s, high: [v for place, v in numbered(s) if place <= len(s) - place + 1],
    "alternate": lambda s, high: [v for place, v in numbered(s) if place % 2],
    "outline": lambda s, high: [s[0], s[-1], max(s), first(s, max(s))],
    "ranking": lambda s, high: [place for _, place in sorted((v, place) for place, v in numbered(s))],
    "running": lambda s, high: [max(s[: i + 1]) for i in range(len(s))],
    "places": lambda s, high: [max(0, first(s, x)) for x in range(1, high + 1)],
    "parities": lambda s, high: [int(v % 2 == 0) for v in s],
    "heights": lambda s, high: [v for i, v in enumerate(s) if is_record(s, i)],
    "inversions": lambda s, high: [len([v for v in s[i + 1 :] if v < s[i]]) for i in range(len(s))],
    "neighbours": lambda s, high: [a + b for a, b in itertools.pairwise(s)],
    "halves": lambda s, high: [
        sum(v for place, v in numbered(s) if place % 2),
        sum(v for place, v in numbered(s) if place % 2 == 0),
        s[0],
    ],
}


def is_zigzag(s):
    def beyond(way):
        sides = [(i, j) for i in range(1, len(s), 2) for j in (i - 1, i + 1) if j < len(s)]
        return all((s[i] - s[j]) * way > 0 for i, j in sides)

    return beyond(1) or beyond(-1)


def is_peaked(s):
    return any(is_rising(s[: i + 1]) and is_rising(s[i:][::-1]) for i in range(len(s)))


def is_mistaken(s, high):
    def even(t):
        return len({b - a for a, b in itertools.pairwise(t)}) == 1

    changes = [(i, v) for i in range(len(s)) for v in range(1, high + 1) if v != s[i]]
    return any(even([*s[:i], v, *s[i + 1 :]]) for i, v in changes)


def is_cut(s):
    def rotated(t):
        return any(t == [*range(k + 1, len(t) + 1), *range(1, k + 1)] for k in range(len(t)))

    for i, j in itertools.combinations(range(len(s)), 2):
        t = list(s)
        t[i], t[j] = t[j], t[i]
        if rotated(t):
            return True
    return False


SENTENCES = {
    "distinct": lambda s, f: len(set(s)) == len(s),
    "nearly-sorted": lambda s, f: all(abs(v - place) <= 2 for place, v in numbered(s)),
    "swapped": lambda s, f: all(s[v - 1] == place for place, v in numbered(s)),
    "never-falling": lambda s, f: s == sorted(s),
    "walks": lambda s, f: all(abs(a - b) == 1 for a, b in itertools.pairwise(s)),
    "zigzag": lambda s, f: is_zigzag(s),
    "restless": lambda s, f: all(a != b for a, b in itertools.pairwise(s)),
    "parts": lambda s, f: sum(s) == f["s"],
    "peaked": lambda s, f: is_peaked(s),
    "mistaken": lambda s, f: is_mistaken(s, f["high"]),
    "mirrored": lambda s, f: s == s[::-1],
    "cut": lambda s, f: is_cut(s),
    "newcomers": lambda s, f: s[0] == 1 and all(v == 1 or v - 1 in s[:i] for i, v in enumerate(s)),
}
ORDERS = ("nearly-sorted", "swapped", "cut")
"""Families whose sequences have each of 1 to n once."""


def everything(family: Family, facts):
    if family.name in ORDERS:
        return itertools.permutations(range(1, facts["n"] + 1))
    return itertools.product(range(1, facts["high"] + 1), repeat=facts["n"])


def states(world):
    return world.values.tolist()


@pytest.mark.parametrize(("family", "level"), WORLDS)
def test_a_family_is_what_its_sentence_says(family, level):
    world = family.world(level)
    fits = [list(s) for s in everything(family, world.facts) if SENTENCES[family.name](list(s), world.facts)]
    assert sorted(states(world)) == fits


SIZES = {
    "distinct": lambda n, high: comb(high, n) * [1, 1, 2, 6, 24][n],
    "never-falling": lambda n, high: comb(high + n - 1, n),
    "restless": lambda n, high: high * (high - 1) ** (n - 1),
    "parts": lambda n, s: comb(s - 1, n - 1),
    "peaked": lambda n, high: sum(comb(2 * top - 2, n - 1) for top in range(1, high + 1)),
    "mirrored": lambda n, high: high ** -(-n // 2),
    "cut": lambda n: n * comb(n, 2),
    "newcomers": lambda n, high: (3 ** (n - 1) + 1) // 2,
    "swapped": lambda n: [1, 1, 2, 4, 10, 26, 76, 232, 764, 2620][n],
    "nearly-sorted": lambda n: [1, 1, 2, 6, 14, 31, 73, 172, 400, 932, 2177][n],
}


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("name", SIZES)
def test_sizes_follow_formulas(name, level):
    family = next(family for family in DEDUCTIVE if family.name == name)
    assert len(family.world(level)) == SIZES[name](**family.levels[level - 1])


@pytest.mark.parametrize("family", STRUCTURE.families, ids=lambda family: family.name)
def test_sizes_rise_and_no_state_is_there_twice(family):
    worlds = [family.world(level) for level in (1, 2, 3, 4, 5)]
    sizes = [len(world) for world in worlds]
    assert sizes == sorted(set(sizes))
    assert 25 <= sizes[0] <= 100
    assert 800 <= sizes[-1] <= 3500
    for world in worlds:
        table = np.hstack([world.outputs, world.predictions]) if family.mode == "inductive" else world.values
        assert len(np.unique(table, axis=0)) == len(world)


@pytest.mark.every(7)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@pytest.mark.parametrize(("family", "level"), WORLDS)
def test_a_kind_answers_as_it_says(family, level, kind):
    world = family.world(level)
    naive = NAIVE_KINDS[kind.name]
    arguments = list(kind.arguments(world))
    assert 0 < len(set(arguments)) == len(arguments) <= 300
    for argument in arguments[:: max(1, len(arguments) // 12)]:
        expected = [int(naive(s, *argument)) for s in states(world)]
        assert kind.codes(world, argument).tolist() == expected, argument
        for row in (0, len(world) // 2):
            assert kind.codes(world.take([row]), argument).tolist() == [expected[row]]


@pytest.mark.parametrize("family", DEDUCTIVE, ids=lambda family: family.name)
def test_no_kind_has_too_many_arguments(family):
    world = family.world(5)
    assert all(len(list(kind.arguments(world))) <= 300 for kind in KINDS)
    assert all(list(argument) == sorted(argument) for k in KINDS if k.unordered for argument in k.arguments(world))


@pytest.mark.every(5)
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
@pytest.mark.parametrize(("family", "level"), WORLDS)
def test_a_target_is_what_it_says(family, level, target):
    world = family.world(level)
    expected = [tuple(NAIVE_TARGETS[target.name](s, world.high)) for s in states(world)]
    assert [trimmed(row) for row in target.rows(world).tolist()] == expected
    for row in range(0, len(world), 7):
        assert trimmed(target.rows(world.take([row]))[0].tolist()) == expected[row]
        written = target.form.write(expected[row], STRUCTURE.words)
        assert target.form.read(written) == expected[row]


def test_everything_here_is_tested():
    assert set(NAIVE_KINDS) == {kind.name for kind in KINDS}
    assert set(NAIVE_TARGETS) == {target.name for target in TARGETS}
    assert set(SENTENCES) == {family.name for family in DEDUCTIVE}
    assert set(NAIVE_RULES) == {family.name for family in RULES}
    for parts in (STRUCTURE.families, STRUCTURE.kinds, STRUCTURE.targets):
        assert len({part.name for part in parts}) == len(parts)


@pytest.mark.parametrize("family", DEDUCTIVE, ids=lambda family: family.name)
def test_most_targets_have_many_answers(family):
    world = family.world(1)
    assert sum(len(np.unique(target.rows(world), axis=0)) >= 12 for target in TARGETS) >= 7


NAIVE_PRIORS = {
    module.abductive.WEIGHTED_PRIOR: weighted,
    module.abductive.SQUARES_PRIOR: lambda s: sum(value * place * place for place, value in numbered(s)),
    module.abductive.PRODUCTS_PRIOR: lambda s: sum(a * b for a, b in itertools.pairwise(s)),
}


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("family", CAUSES, ids=lambda family: family.name)
def test_causes_are_weighted_and_told_coarsely(family, level):
    world = family.world(level)
    assert family.prior.weights(world).tolist() == [NAIVE_PRIORS[family.prior](s) for s in states(world)]
    assert family.prior.weights(world).min() > 0
    told = family.opening.codes(world)
    assert 2 <= len(np.unique(told)) <= len(world) / 6
    assert all(family.opening.tell(world.take([row]), STRUCTURE.words).endswith(f" is {told[row]}.") for row in (0, 5))


def rule_mixed(f):
    for i, j in itertools.combinations(range(f["n"]), 2):
        for a, b, c in itertools.product(range(1, f["m"]), range(1, f["m"]), range(f["m"])):
            yield lambda s, i=i, j=j, a=a, b=b, c=c: (a * s[i] + b * s[j] + c) % f["m"]


def rule_contained(f):
    for length in range(1, f["k"] + 1):
        for pattern in itertools.product(range(1, f["high"] + 1), repeat=length):
            yield lambda s, p=pattern, k=length: p in itertools.combinations(s, k)


def rule_switched(f):
    for i, j, k in itertools.permutations(range(f["n"]), 3):
        for least in range(2, f["high"] + 1):
            yield lambda s, i=i, j=j, k=k, least=least: s[j] if s[i] >= least else s[k]


def rule_tallied(f):
    for a, b in itertools.combinations_with_replacement(range(1, f["n"] + 1), 2):
        for least in range(2, f["high"] + 1):
            yield lambda s, a=a, b=b, least=least: len([v for v in s[a - 1 : b] if v >= least])


def rule_stepped(f):
    steps = itertools.product(range(1, f["high"] + 1), repeat=2)
    for pair in itertools.combinations(steps, 2):
        yield lambda s, pair=pair: len([step for step in itertools.pairwise(s) if step in pair])


def rule_counted(f):
    def shows(s, reset, adds):
        counter = 0
        for value in s:
            counter = 0 if value == reset else counter + (value in adds)
        return counter

    for reset in range(1, f["high"] + 1):
        others = [value for value in range(1, f["high"] + 1) if value != reset]
        for size in range(1, len(others) + 1):
            for adds in itertools.combinations(others, size):
                yield lambda s, reset=reset, adds=adds: shows(s, reset, adds)


def rule_continued(f):
    for a, b, c in itertools.product(range(f["m"]), repeat=3):
        yield lambda s, a=a, b=b, c=c: (a * s[-1] + b * s[-2] + c * s[-3]) % f["m"]


def rule_ahead(f):
    for i, j in itertools.permutations(range(f["n"]), 2):
        for lead in range(f["e"]):
            yield lambda s, i=i, j=j, lead=lead: s[i] - s[j] >= lead


NAIVE_RULES = {
    "mixed": rule_mixed,
    "contained": rule_contained,
    "switched": rule_switched,
    "tallied": rule_tallied,
    "stepped": rule_stepped,
    "counted": rule_counted,
    "continued": rule_continued,
    "ahead": rule_ahead,
}


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("family", RULES, ids=lambda family: family.name)
def test_rules_give_what_their_sentence_says(family, level):
    world = family.world(level)
    instances = [tuple(map(int, text.split()[1:])) for text in (*world.pool, *world.new)]
    assert len(set(instances)) == len(instances)
    expected = {tuple(int(rule(s)) for s in instances) for rule in NAIVE_RULES[family.name](world.facts)}
    assert set(map(tuple, np.hstack([world.outputs, world.predictions]).tolist())) == expected


@pytest.mark.parametrize("family", STRUCTURE.families, ids=lambda family: family.name)
def test_texts_use_known_words_only(family):
    facts = family.world(1).facts
    assert "{" not in family.hides.format_map({**STRUCTURE.words, **facts})
    assert "{" not in family.prior.states.format_map(STRUCTURE.words)
    assert not set(facts) & set(STRUCTURE.words)
    inductive = family.mode == "inductive"
    for kind in induction.KINDS if inductive else KINDS:
        assert kind.asks.format("3", "4", **STRUCTURE.words, **facts)
        assert kind.legal.format_map({**STRUCTURE.words, **facts}) or kind.arguments(family.world(1)) == [()]
    for target in induction.TARGETS if inductive else TARGETS:
        assert target.asks.format_map({**STRUCTURE.words, **facts})
        assert target.form.hint.format_map(STRUCTURE.words)
