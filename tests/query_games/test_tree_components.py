"""Everything about trees a second time, from the sentences, with trees as plain dictionaries from node to parent."""

import itertools
import math
import re

import numpy as np
import pytest

from interactive_envs.query_games.base import EDGE, LEVELS, NODES, NOTHING, Family, Kind, Target, components, trimmed
from interactive_envs.query_games.structures import induction, tree

DEDUCTIVE = components(tree.deductive, Family)
RULES = components(tree.inductive, Family)
ASKED = components(tree.queries, Kind)
SOUGHT = components(tree.targets, Target)
FAMILIES = {family.name: family for family in DEDUCTIVE}
SMALL = [
    pytest.param(name, level, marks=() if level == 1 else pytest.mark.long) for name in FAMILIES for level in (1, 2)
]


def up(t, x):
    """The ancestors of a node, the nearest first."""
    found = []
    while t[x] is not None:
        x = t[x]
        found.append(x)
    return found


def kids(t, x):
    return [v for v in sorted(t) if t[v] == x]


def down(t, x):
    return [v for child in kids(t, x) for v in (child, *down(t, child))]


def depth(t, x):
    return len(up(t, x))


def root(t):
    return next(v for v in t if t[v] is None)


def leaves(t):
    return [v for v in sorted(t) if not kids(t, v)]


def meet(t, x, y):
    return next(v for v in [x, *up(t, x)] if v in [y, *up(t, y)])


def steps(t, x, y):
    """A search, edge by edge."""
    reached, count = {x}, 0
    while y not in reached:
        reached |= {v for v in t if t[v] in reached} | {t[v] for v in reached if t[v] is not None}
        count += 1
    return count


def order(first, last):
    return 0 if first < last else 1 if first == last else 2


def reach(t, x):
    return max((depth(t, v) - depth(t, x) for v in down(t, x)), default=0)


def top(t, x):
    return next((v for v in kids(t, root(t)) if x == v or x in down(t, v)), None)


KINDS = {
    "parent": lambda t, x: t[x],
    "above": lambda t, x, y: x in up(t, y),
    "depth": depth,
    "children": lambda t, x: len(kids(t, x)),
    "below": lambda t, x: len(down(t, x)),
    "meet": meet,
    "distance": steps,
    "parity": lambda t, x, y: steps(t, x, y) % 2 == 1,
    "siblings": lambda t, x, y: t[x] is not None and t[x] == t[y],
    "linked": lambda t, x, y: t[x] == y or t[y] == x,
    "tips": lambda t, x: len([v for v in [x, *down(t, x)] if not kids(t, v)]),
    "deeper": lambda t, x, y: order(depth(t, x), depth(t, y)),
    "heavier": lambda t, x, y: order(len(down(t, x)), len(down(t, y))),
    "peers": lambda t, x, y: depth(t, x) == depth(t, y),
    "leaf": lambda t, x: not kids(t, x),
    "top": top,
    "grandparent": lambda t, x: t[t[x]] if t[x] is not None else None,
    "eldest": lambda t, x: min(kids(t, x), default=None),
    "reach": reach,
    "bare": lambda t, x, y: len([v for v in leaves(t) if x <= v <= y]),
    "depths": lambda t, x, y: sum(depth(t, v) for v in range(x, y + 1)),
    "layer": lambda t, d: len([v for v in t if depth(t, v) == d]),
    "forks": lambda t, k: len([v for v in t if len(kids(t, v)) == k]),
    "height": lambda t: max(depth(t, v) for v in t),
    "leaves": lambda t: len(leaves(t)),
    "branches": lambda t: len(kids(t, root(t))),
}


def tour(t, x):
    return [x, *(v for child in kids(t, x) for v in tour(t, child))]


def arrows(pairs):
    return sorted(above * EDGE + below for above, below in pairs)


TARGETS = {
    "everything": lambda t: arrows((t[v], v) for v in t if t[v] is not None),
    "way-down": lambda t: [*reversed(up(t, max(t))), max(t)],
    "all-depths": lambda t: [depth(t, v) for v in sorted(t)],
    "all-sizes": lambda t: [len(down(t, v)) for v in sorted(t)],
    "all-children": lambda t: [len(kids(t, v)) for v in sorted(t)],
    "by-size": lambda t: sorted(t, key=lambda v: (-len(down(t, v)), v)),
    "sibling-pairs": lambda t: arrows(
        (x, y) for x in t for y in t if x < y and None not in (t[x], t[y]) and t[x] == t[y]
    ),
    "tour": lambda t: tour(t, root(t)),
    "leaves-by-depth": lambda t: sorted(leaves(t), key=lambda v: (-depth(t, v), v)),
    "leaf-pairs": lambda t: arrows((t[v], v) for v in leaves(t)),
    "grand-pairs": lambda t: arrows((up(t, v)[1], v) for v in t if depth(t, v) > 1),
    "distances": lambda t: [steps(t, v, max(t)) for v in sorted(t)],
    "leaf-depths": lambda t: [depth(t, v) for v in leaves(t)],
}


def after(t):
    return all(t[v] is None or t[v] < v for v in t)


def run(nodes):
    return sorted(nodes) == list(range(min(nodes), max(nodes) + 1))


def monotone(t):
    return all(t[u] <= t[v] for u in t for v in t if 0 < u < v)


def hubs(t):
    return len(kids(t, 0)) == 2 and max(depth(t, v) for v in t) <= 2


def joined(t):
    """Whether each node but A has an edge to one of the two before it, and there are no others."""
    edges = [tuple(sorted((v, t[v]))) for v in t if t[v] is not None]
    return sorted(last for _, last in edges) == list(range(1, len(t))) and all(b - a <= 2 for a, b in edges)


SENTENCES = {
    "bushy": lambda t, c, d, **_: after(t) and all(len(kids(t, v)) <= c and depth(t, v) <= d for v in t),
    "near": lambda t, **_: all(0 < v - t[v] <= 3 for v in t if v) and all(len(kids(t, v)) <= 2 for v in t),
    "two-tips": lambda t, **_: after(t) and len(leaves(t)) == 2,
    "three-stars": lambda t, **_: after(t) and max(depth(t, v) for v in t) <= 2 and len(kids(t, 0)) <= 3,
    "short-legs": lambda t, **_: after(t) and all(depth(t, v) <= 2 and len(down(t, v)) <= 1 for v in t if v),
    "two-hubs": lambda t, **_: hubs(t),
    "depth-first": lambda t, **_: all(
        run([v, *down(t, v)]) and min([v, *down(t, v)]) == v and len(kids(t, v)) <= 2 for v in t
    ),
    "breadth-first": lambda t, **_: after(t) and monotone(t) and all(len(kids(t, v)) <= 3 for v in t),
    "caterpillars": lambda t, **_: (
        all(0 < v - t[v] <= 3 for v in t if v) and all(len([c for c in kids(t, v) if kids(t, c)]) <= 1 for v in t)
    ),
    "any-root": lambda t, **_: joined(t),
    "close": lambda t, **_: all(abs(v - t[v]) <= 2 for v in t if v),
}


def acyclic(parents):
    for node in range(len(parents)):
        seen = set()
        while parents[node] is not None:
            if node in seen:
                return False
            seen.add(node)
            node = parents[node]
    return True


def candidates(name, n):
    """All trees from which a sentence chooses, far more than it lets through."""
    if name == "any-root":
        choices = [[[None] if v == r else [u for u in range(n) if u != v] for v in range(n)] for r in range(n)]
    elif name == "close":
        choices = [[[None], *([u for u in range(max(0, v - 3), min(n, v + 4)) if u != v] for v in range(1, n))]]
    elif n < 7:
        choices = [[[None], *([u for u in range(n) if u != v] for v in range(1, n))]]
    else:
        choices = [[[None], *(range(v) for v in range(1, n))]]
    return (dict(enumerate(p)) for choice in choices for p in itertools.product(*choice) if acyclic(p))


def plain(world):
    return [{v: None if p == NOTHING else p for v, p in enumerate(row)} for row in world.parents.tolist()]


def code(value):
    return NOTHING if value is None else int(value)


@pytest.mark.parametrize(("name", "level"), SMALL)
def test_a_family_is_all_trees_of_its_sentence(name, level):
    family = FAMILIES[name]
    parameters = family.levels[level - 1]
    found = {tuple(t.values()) for t in candidates(name, parameters["n"]) if SENTENCES[name](t, **parameters)}
    states = [tuple(t.values()) for t in plain(family.world(level))]
    assert len(states) == len(set(states))
    assert set(states) == found


@pytest.mark.parametrize("name", ["near", "depth-first", "caterpillars"])
def test_sentences_imply_that_parents_come_first(name):
    for n in (5, 6):
        assert all(after(t) for t in candidates(name, n) if SENTENCES[name](t))


def motzkin(n):
    return sum(math.comb(n, 2 * k) * math.comb(2 * k, k) // (k + 1) for k in range(n // 2 + 1))


def involutions(n):
    return 1 if n < 2 else involutions(n - 1) + (n - 1) * involutions(n - 2)


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def at_most_three_blocks(n):
    return (3 ** (n - 1) + 1) // 2


COUNTS = {
    "two-tips": lambda n: 2 ** (n - 1) - n,
    "three-stars": lambda n: at_most_three_blocks(n - 1),
    "short-legs": lambda n: involutions(n - 1),
    "two-hubs": lambda n: math.comb(n - 1, 2) * 2 ** (n - 3),
    "depth-first": lambda n: motzkin(n - 1),
    "any-root": lambda n: n * 2 ** (n - 2),
    "close": lambda n: fibonacci(2 * n - 2),
}


@pytest.mark.parametrize("name", COUNTS)
def test_sizes_by_formula(name):
    family = FAMILIES[name]
    assert [len(family.world(level)) for level in LEVELS] == [COUNTS[name](p["n"]) for p in family.levels]


@pytest.mark.parametrize("name", FAMILIES)
def test_sizes_grow(name):
    sizes = [len(FAMILIES[name].world(level)) for level in LEVELS]
    assert 20 <= sizes[0] <= 100
    assert 1000 <= sizes[-1] <= 3500
    assert all(2 <= b / a <= 3.5 for a, b in itertools.pairwise(sizes))
    assert FAMILIES[name].levels[-1]["n"] <= 16


@pytest.mark.parametrize(("name", "level"), SMALL)
def test_kinds(name, level):
    world = FAMILIES[name].world(level)
    states = plain(world)
    assert set(KINDS) == {kind.name for kind in ASKED}
    for kind in ASKED:
        arguments = list(kind.arguments(world))
        assert len(set(arguments)) == len(arguments)
        for argument in arguments:
            expected = [code(KINDS[kind.name](t, *argument)) for t in states]
            assert kind.codes(world, argument).tolist() == expected, (kind.name, argument)
            assert all(said >= 0 or kind.reply.nodes for said in expected)


@pytest.mark.parametrize(("name", "level"), SMALL)
def test_targets(name, level):
    world = FAMILIES[name].world(level)
    assert set(TARGETS) == {target.name for target in SOUGHT}
    for target in SOUGHT:
        found = [trimmed(row) for row in target.rows(world).tolist()]
        assert found == [tuple(TARGETS[target.name](t)) for t in plain(world)], target.name


@pytest.mark.parametrize("name", FAMILIES)
def test_one_state_alone_answers_like_all(name):
    world = FAMILIES[name].world(2)
    for row in np.random.default_rng(0).integers(len(world), size=4).tolist():
        one = world.take([row])
        for kind in ASKED:
            for argument in kind.arguments(world):
                assert kind.codes(one, argument).tolist() == kind.codes(world, argument)[[row]].tolist()
        for target in SOUGHT:
            assert trimmed(target.rows(one)[0].tolist()) == trimmed(target.rows(world)[row].tolist())


@pytest.mark.parametrize("name", FAMILIES)
def test_forms_read_what_they_write(name):
    world = FAMILIES[name].world(1)
    for target in SOUGHT:
        for row in {trimmed(row) for row in target.rows(world).tolist()}:
            assert target.form.read(target.form.write(row, tree.WORDS)) == row
    for kind in ASKED:
        for argument in kind.arguments(world):
            assert kind.read(kind.write(argument, tree.WORDS)) == argument


def test_everything_tells_all_states_apart_and_kits_stay_small():
    whole = next(target for target in SOUGHT if target.name == "everything")
    for family in DEDUCTIVE:
        world = family.world(5)
        assert len(np.unique(whole.rows(family.world(2)), axis=0)) == len(family.world(2))
        assert all(len(list(kind.arguments(world))) <= 300 for kind in ASKED)


@pytest.mark.parametrize("target", SOUGHT, ids=lambda target: target.name)
def test_most_families_have_many_answers(target):
    many = [len(np.unique(target.rows(family.world(1)), axis=0)) >= 12 for family in DEDUCTIVE]
    assert sum(many) > len(many) / 2


PRIORS = {
    tree.abductive.DEPTH_PRIOR: lambda t: sum(depth(t, v) * (v + 1) for v in t),
    tree.abductive.PARENT_PRIOR: lambda t: sum((t[v] + 1) * (v + 1) for v in t if t[v] is not None),
    tree.abductive.PRODUCT_PRIOR: lambda t: math.prod(t[v] + 1 for v in t if t[v] is not None),
}


@pytest.mark.parametrize("family", tree.abductive.CAUSES, ids=lambda family: family.name)
def test_causes(family):
    world = family.world(1)
    weights = family.prior.weights(world).tolist()
    assert weights == [PRIORS[family.prior](t) for t in plain(world)]
    assert min(weights) > 0
    told = np.unique(family.opening.codes(world), return_counts=True)[1]
    assert 2 <= len(told) <= 5
    assert told.min() >= 5
    text = family.opening.tell(world.take([0]), tree.WORDS)
    assert "{" not in text
    for level in LEVELS:
        assert family.prior.weights(family.world(level)).astype(float).sum() < 2**53


def parsed(text):
    """A tree from its text, letter by letter."""
    found, open_ones, last = {}, [None], None
    for letter in text.removeprefix("{tree} "):
        if letter == "(":
            open_ones.append(last)
        elif letter == ")":
            open_ones.pop()
        elif letter != " ":
            last = NODES.index(letter)
            found[last] = open_ones[-1]
    return dict(sorted(found.items()))


def test_the_example_reads_as_it_is_explained():
    assert parsed("{tree} A(B C(D))") == {0: None, 1: 0, 2: 0, 3: 2}


def different(n, count):
    return itertools.permutations(range(n), count)


def rules(name, n, k=0, m=0, d=0):
    """All rules of a family's sentence, as functions of a tree."""
    if name == "marked":
        groups = [g for size in range(1, k + 1) for g in itertools.combinations(range(n), size)]
        return [lambda t, g=g: len(set(g) & set(leaves(t))) for g in groups]
    if name == "joined":
        return [lambda t, g=g: spanning(t, g) for g in itertools.combinations(range(n), k)]
    if name == "claims":
        triples = [(x, y, z) for x, y in different(n, 2) for z in range(n)]
        return [lambda t, x=x, y=y, z=z: y in down(t, x) or not kids(t, z) for x, y, z in triples]
    if name == "remainders":
        triples = [(a, b, e) for e in range(2, m + 1) for a in range(1, e) for b in range(e)]
        return [
            lambda t, a=a, b=b, e=e: (a * sum(depth(t, v) for v in t) + b * len(leaves(t))) % e for a, b, e in triples
        ]
    if name == "either":
        triples = itertools.product(range(n), range(n), range(1, d + 1))
        return [lambda t, x=x, y=y, e=e: depth(t, x) >= e or len(kids(t, y)) == 1 for x, y, e in triples]
    if name == "switched":
        return [lambda t, x=x, y=y, z=z: len(kids(t, z)) if kids(t, x) else depth(t, y) for x, y, z in different(n, 3)]
    assert name == "added"
    triples = [(x, y, e) for x, y in different(n, 2) for e in range(1, m + 1)]
    return [lambda t, x=x, y=y, e=e: depth(t, x) + e * len(kids(t, y)) for x, y, e in triples]


def spanning(t, group):
    """Take nodes that are not needed off the ends, one after the other."""
    left = set(t)
    while True:
        ends = [v for v in left - set(group) if len([u for u in left if t[u] == v]) + (t[v] in left) <= 1]
        if not ends:
            return len(left) - 1
        left.remove(ends[0])


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("family", RULES, ids=lambda family: family.name)
def test_rules(family, level):
    world = family.world(level)
    parameters = {name: value for name, value in family.levels[level - 1].items() if name not in ("pool", "shown")}
    texts = [*world.pool, *world.new]
    assert len(set(texts)) == len(texts)
    trees = [parsed(text) for text in texts]
    assert all(sorted(t) == list(range(parameters["n"])) for t in trees)
    expected = {tuple(int(rule(t)) for t in trees) for rule in rules(family.name, **parameters)}
    found = np.concatenate([world.outputs, world.predictions], axis=1)
    assert len(found) == len(expected)
    assert set(map(tuple, found.tolist())) == expected


@pytest.mark.parametrize("family", RULES, ids=lambda family: family.name)
def test_rule_spaces_grow(family):
    sizes = [len(family.world(level)) for level in LEVELS]
    assert 30 <= sizes[0] <= 80
    assert 800 <= sizes[-1] <= 2500
    assert all(1.8 <= b / a <= 3.2 for a, b in itertools.pairwise(sizes))
    assert "{" not in family.opening.tell(family.world(5).take([0]), tree.WORDS)


def test_a_rule_has_more_than_two_outputs():
    assert sum(family.world(1).outputs.max() > 1 for family in RULES) >= 3


def test_words_and_names():
    assert len(tree.WORDS) <= 16
    components = tree.STRUCTURE
    for named in (components.families, components.kinds, components.targets):
        names = [component.name for component in named]
        assert len(names) == len(set(names))
    assert all(re.fullmatch("[a-z]+", kind.name) for kind in ASKED)
    assert not {kind.name for kind in ASKED} & {kind.name for kind in induction.KINDS}
    for family in components.families:
        facts = {**tree.WORDS, **family.world(1).facts}
        assert "{" not in family.hides.format_map(facts)
        if family.mode != "inductive":
            for kind in ASKED:
                assert "{" not in kind.asks.format("A", "B", **facts) + kind.legal.format_map(facts)
            for target in SOUGHT:
                assert "{" not in target.asks.format_map(facts) + target.form.hint.format_map(facts)
