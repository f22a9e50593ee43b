"""Every state is rebuilt as a plain set of pairs, and everything about it is computed anew from the sentences."""

import functools
import itertools
import math
import string

import numpy as np
import pytest

from interactive_envs.query_games.base import EDGE, NODES, NOTHING, Family, Kind, Target, components, trimmed
from interactive_envs.query_games.structures import graph
from interactive_envs.query_games.structures.graph.abductive import CAUSES

DEDUCTIVE = [family for family in graph.STRUCTURE.families if family.mode == "deductive"]
RULES = components(graph.inductive, Family)
KINDS = {kind.name: kind for kind in components(graph.queries, Kind)}
TARGETS = {target.name: target for target in components(graph.targets, Target)}


class Plain:
    """A graph as a set of pairs."""

    def __init__(self, n, pairs):
        self.n, self.pairs = n, {frozenset(pair) for pair in pairs}
        self.nodes = list(range(n))

    def joined(self, one, other):
        return frozenset((one, other)) in self.pairs

    def neighbours(self, node):
        return [other for other in self.nodes if self.joined(node, other)]

    def degree(self, node):
        return len(self.neighbours(node))

    def from_node(self, start, avoid=None):
        """Distances from a node, of all that can be reached from it."""
        found, rim = {start: 0}, [start]
        while rim:
            node = rim.pop(0)
            for other in self.neighbours(node):
                if other not in found and other != avoid:
                    found[other] = found[node] + 1
                    rim.append(other)
        return found

    def distance(self, one, other):
        return self.from_node(one).get(other, NOTHING)

    def parts(self):
        return {frozenset(self.from_node(node)) for node in self.nodes}

    def triangles(self):
        threes = itertools.combinations(self.nodes, 3)
        return [three for three in threes if all(self.joined(*pair) for pair in itertools.combinations(three, 2))]

    def between(self, some, others):
        return sum(bool(pair & set(some)) and bool(pair & set(others)) for pair in self.pairs)

    def rising(self):
        return sorted(tuple(sorted(pair)) for pair in self.pairs)


def plain(world):
    assert (world.edges == world.edges.swapaxes(1, 2)).all()
    pairs = list(itertools.combinations(range(world.n), 2))
    return [Plain(world.n, [(i, j) for i, j in pairs if row[i][j]]) for row in world.edges.tolist()]


def some_states(family, level):
    """All states of level 1, some of level 2."""
    world = family.world(level)
    return world if level == 1 else world.take(slice(0, None, 3))


@functools.cache
def plain_states(family, level):
    return plain(some_states(family, level))


def splits(n):
    """All sets of nodes with A, but for the set of all."""
    return [{0, *rest} for size in range(n - 1) for rest in itertools.combinations(range(1, n), size)]


def is_split(g, k=0):
    pairs = [frozenset(pair) for pair in itertools.combinations(g.nodes, 2)]
    return any(g.pairs == {pair for pair in pairs if len(pair & side) == 1} for side in splits(g.n))


def is_bridge(g, k=0):
    pairs = [frozenset(pair) for pair in itertools.combinations(g.nodes, 2)]

    def fits(side):
        within = {pair for pair in pairs if len(pair & side) != 1}
        return within <= g.pairs and len(g.pairs - within) == 1

    return any(map(fits, splits(g.n)))


def roads(m):
    at = {(row, column): row * m + column for row in range(2) for column in range(m)}
    return {frozenset((at[p], at[q])) for p in at for q in at if abs(p[0] - q[0]) + abs(p[1] - q[1]) == 1}


def is_roads(g, m, k):
    return g.pairs <= roads(m) and len(roads(m) - g.pairs) <= k and len(g.parts()) == 1


def is_steps(g, a, b):
    upper, lower = range(a), list(range(a, a + b))
    counts = [g.degree(node) for node in upper]
    return (
        all(g.neighbours(node) == lower[: g.degree(node)] for node in upper)
        and counts == sorted(counts, reverse=True)
        and all(set(g.neighbours(node)) <= set(upper) for node in lower)
    )


def is_chords(g, n):
    return all(g.joined(node, (node + 1) % n) for node in g.nodes) and len(g.pairs) == n + 2


def is_ring(g, n, k):
    inside = [node for node in g.nodes if g.degree(node)]
    return len(inside) == k and all(g.degree(node) == 2 for node in inside) and set(inside) in g.parts()


def is_line(g, n, k):
    inside = [node for node in g.nodes if g.degree(node)]
    degrees = sorted(g.degree(node) for node in inside)
    return set(inside) in g.parts() and degrees == [1, 1] + [2] * (k - 2)


def is_teams(g, n, k):
    cliques = all(g.joined(*pair) for part in g.parts() for pair in itertools.combinations(part, 2))
    return cliques and len(g.parts()) == k


def is_hubs(g, n):
    return not g.joined(0, 1) and all(g.neighbours(node) in ([0], [1], [0, 1]) for node in range(2, n))


def is_loops(g, n):
    return all(g.degree(node) % 2 == 0 for node in g.nodes) and all(max(pair) - min(pair) <= 2 for pair in g.pairs)


def is_all_or_none(g, n):
    return all(sum(g.joined(node, e) for e in range(node)) in (0, node) for node in g.nodes)


SENTENCES = {
    "ring": (is_ring, [{"n": 5, "k": 3}, {"n": 5, "k": 4}, {"n": 5, "k": 5}]),
    "line": (is_line, [{"n": 5, "k": 3}, {"n": 5, "k": 4}, {"n": 5, "k": 5}]),
    "pairs": (lambda g, n: all(g.degree(node) <= 1 for node in g.nodes), [{"n": 4}, {"n": 5}]),
    "teams": (is_teams, [{"n": 5, "k": 2}, {"n": 5, "k": 3}]),
    "split": (lambda g, n: is_split(g), [{"n": 4}, {"n": 5}]),
    "bridge": (lambda g, n: is_bridge(g), [{"n": 4}, {"n": 5}]),
    "few-edges": (lambda g, n, k: len(g.pairs) == k, [{"n": 5, "k": 2}, {"n": 5, "k": 4}]),
    "chords": (is_chords, [{"n": 5}, {"n": 6}]),
    "roads": (is_roads, [{"m": 3, "k": 1}, {"m": 3, "k": 2}]),
    "hubs": (is_hubs, [{"n": 4}, {"n": 5}]),
    "loops": (is_loops, [{"n": 4}, {"n": 5}]),
    "steps": (is_steps, [{"a": 2, "b": 3}, {"a": 3, "b": 2}]),
    "all-or-none": (is_all_or_none, [{"n": 4}, {"n": 5}]),
}


@pytest.mark.parametrize("sizes", [slice(1), pytest.param(slice(1, None), marks=pytest.mark.long)])
@pytest.mark.parametrize("family", DEDUCTIVE, ids=lambda family: family.name)
def test_a_family_holds_exactly_the_graphs_of_its_sentence(family, sizes):
    fits, known = SENTENCES[family.name]
    for parameters in known[sizes]:
        world = family.build(**parameters)
        pairs = list(itertools.combinations(range(world.n), 2))
        everything = (itertools.compress(pairs, bits) for bits in itertools.product((0, 1), repeat=len(pairs)))
        expected = {frozenset(g.pairs) for g in (Plain(world.n, some) for some in everything) if fits(g, **parameters)}
        found = [frozenset(g.pairs) for g in plain(world)]
        assert len(found) == len(set(found))
        assert set(found) == expected


def stirling(n, k):
    return sum((-1) ** i * math.comb(k, i) * (k - i) ** n for i in range(k + 1)) // math.factorial(k)


def open_roads(m, k):
    closed = [gone for size in range(k + 1) for gone in itertools.combinations(roads(m), size)]
    return sum(len(Plain(2 * m, roads(m) - set(gone)).parts()) == 1 for gone in closed)


SIZES = {
    "ring": lambda n, k: math.comb(n, k) * math.factorial(k - 1) // 2,
    "line": lambda n, k: math.perm(n, k) // 2,
    "pairs": lambda n: sum(math.comb(n, 2 * i) * math.prod(range(1, 2 * i, 2)) for i in range(n // 2 + 1)),
    "teams": stirling,
    "split": lambda n: 2 ** (n - 1) - 1,
    "bridge": lambda n: sum(math.comb(n, a) * a * (n - a) for a in range(1, n)) // 2,
    "few-edges": lambda n, k: math.comb(math.comb(n, 2), k),
    "chords": lambda n: math.comb(n * (n - 3) // 2, 2),
    "roads": open_roads,
    "hubs": lambda n: 3 ** (n - 2),
    "loops": lambda n: 2 ** (n - 2),
    "steps": lambda a, b: math.comb(a + b, a),
    "all-or-none": lambda n: 2 ** (n - 1),
}


@pytest.mark.parametrize("family", DEDUCTIVE, ids=lambda family: family.name)
def test_a_family_has_as_many_states_as_its_formula_says_and_every_level_more(family):
    sizes = [len(family.world(level)) for level in range(1, 6)]
    known = 3 if family.name == "roads" else 5
    assert sizes[:known] == [SIZES[family.name](**parameters) for parameters in family.levels[:known]]
    assert all(1.9 < larger / smaller < 3.6 for smaller, larger in itertools.pairwise(sizes))
    assert 24 <= sizes[0] <= 100
    assert 1000 <= sizes[-1] <= 3500
    assert all(family.world(level).n <= 13 for level in range(1, 6))
    first, last = plain(family.world(1).take([0, -1]))
    fits, _ = SENTENCES[family.name]
    assert fits(first, **family.levels[0])
    assert fits(last, **family.levels[0])


def order(first, second):
    return 1 + (first > second) - (first < second)


def vital(g, x):
    """Whether some two others with a way lose every way without x."""
    others = [node for node in g.nodes if node != x]
    return any(q in g.from_node(p) and q not in g.from_node(p, avoid=x) for p, q in itertools.combinations(others, 2))


NAIVE_KINDS = {
    "adjacent": lambda g, x, y: g.joined(x, y),
    "degree": lambda g, x: g.degree(x),
    "distance": lambda g, x, y: g.distance(x, y),
    "connected": lambda g, x, y: y in g.from_node(x),
    "common": lambda g, x, y: len(set(g.neighbours(x)) & set(g.neighbours(y))),
    "within": lambda g, x: sum(max(pair) <= x for pair in g.pairs),
    "crossing": lambda g, x: sum(min(pair) <= x < max(pair) for pair in g.pairs),
    "upto": lambda g, x, y: sum(node <= y for node in g.neighbours(x)),
    "smallest": lambda g, x: min(g.neighbours(x), default=NOTHING),
    "next": lambda g, x, y: min((node for node in g.neighbours(x) if node > y), default=NOTHING),
    "compare": lambda g, x, y: order(g.degree(x), g.degree(y)),
    "parity": lambda g, x: g.degree(x) % 2,
    "trio": lambda g, *xyz: sum(g.joined(*pair) for pair in itertools.combinations(xyz, 2)),
    "touching": lambda g, x, y: sum(x in pair or y in pair for pair in g.pairs),
    "triangles": lambda g, x: sum(x in triangle for triangle in g.triangles()),
    "near": lambda g, x: sum(far in (1, 2) for far in g.from_node(x).values()),
    "part": lambda g, x: len(g.from_node(x)),
    "farthest": lambda g, x: max(g.from_node(x).values()),
    "vital": vital,
    "having": lambda g, count: sum(g.degree(node) == count for node in g.nodes),
    "edges": lambda g: len(g.pairs),
    "most": lambda g: max(map(g.degree, g.nodes)),
    "parts": lambda g: len(g.parts()),
    "trios": lambda g: len(g.triangles()),
}
ARGUMENTS = {
    "upto": lambda n: n * (n - 1),
    "next": lambda n: (n - 1) ** 2,
    "trio": lambda n: math.comb(n, 3),
    "within": lambda n: n - 1,
    "crossing": lambda n: n - 1,
    **{name: lambda n: 1 for name in ("edges", "most", "parts", "trios")},
    **{name: lambda n: math.comb(n, 2) for name in "adjacent distance connected common compare touching".split()},
}


@pytest.mark.parametrize("level", [1, pytest.param(2, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", KINDS)
def test_a_kind_answers_what_its_sentence_says(name, level):
    kind, naive = KINDS[name], NAIVE_KINDS[name]
    for family in DEDUCTIVE:
        world = some_states(family, level)
        arguments = list(kind.arguments(world))
        assert len(set(arguments)) == len(arguments) == ARGUMENTS.get(name, lambda n: n)(world.n)
        if kind.unordered:
            assert all(list(argument) == sorted(argument) for argument in arguments)
        states = plain_states(family, level)
        for argument in arguments[:: 3 if level > 1 else len(arguments) // 10 + 1]:
            expected = [naive(g, *argument) for g in states]
            assert kind.codes(world, argument).tolist() == expected, (family.name, argument)


def named(pairs):
    return [one * EDGE + other for one, other in pairs]


def most_neighbours(g):
    return max(g.nodes, key=lambda node: (g.degree(node), -node))


def farthest(g):
    found = g.from_node(0)
    return sorted(node for node, far in found.items() if far == max(found.values()) > 0)


NAIVE_TARGETS = {
    "everything": lambda g: named(g.rising()),
    "degrees": lambda g: [g.degree(node) for node in g.nodes],
    "hub": lambda g: g.neighbours(most_neighbours(g)),
    "edges-of-two": lambda g: named(pair for pair in g.rising() if pair[0] in (0, 1)),
    "edges-without-a": lambda g: named(pair for pair in g.rising() if 0 not in pair),
    "distances": lambda g: [g.from_node(0).get(node, 0) for node in g.nodes[1:]],
    "farthest-ones": farthest,
    "odd-ones": lambda g: [node for node in g.nodes if g.degree(node) % 2],
    "busiest": lambda g: [node for node in g.nodes if g.degree(node) == max(map(g.degree, g.nodes))],
    "quietest": lambda g: [node for node in g.nodes if g.degree(node) == min(map(g.degree, g.nodes))],
    "corners": lambda g: sorted({node for triangle in g.triangles() for node in triangle}),
    "first-in-part": lambda g: [min(g.from_node(node)) for node in g.nodes],
    "first-neighbours": lambda g: [min(g.neighbours(node), default=node) for node in g.nodes],
    "later-neighbours": lambda g: [sum(other > node for other in g.neighbours(node)) for node in g.nodes[:-1]],
    "cuts": lambda g: [g.between(g.nodes[: node + 1], g.nodes[node + 1 :]) for node in g.nodes[:-1]],
    "gaps": lambda g: [sum(max(pair) - min(pair) == gap for pair in g.pairs) for gap in range(1, g.n)],
    "products": lambda g: [sum((one + 1) * (other + 1) for one, other in g.rising())],
    "consecutive": lambda g: [int(g.joined(node, node + 1)) for node in g.nodes[:-1]],
}


@pytest.mark.parametrize("level", [1, pytest.param(2, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", TARGETS)
def test_a_target_is_what_its_sentence_says_and_can_be_written_and_read(name, level):
    target = TARGETS[name]
    for family in DEDUCTIVE:
        world = some_states(family, level)
        answers = [trimmed(row) for row in target.rows(world).tolist()]
        assert answers == [tuple(NAIVE_TARGETS[name](g)) for g in plain_states(family, level)], family.name
        assert all(target.form.read(target.form.write(answer, {})) == answer for answer in answers)


@pytest.mark.parametrize("family", DEDUCTIVE, ids=lambda family: family.name)
def test_one_state_alone_answers_as_it_does_among_all(family):
    world = family.world(1)
    for row in (0, len(world) // 2, len(world) - 1):
        alone = world.take([row])
        for kind in KINDS.values():
            for argument in list(kind.arguments(world))[::4]:
                assert kind.codes(alone, argument).tolist() == [kind.codes(world, argument)[row]]
        for target in TARGETS.values():
            assert trimmed(target.rows(alone)[0].tolist()) == trimmed(target.rows(world)[row].tolist())


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_takes_many_values_in_many_families(name):
    many = [family for family in DEDUCTIVE if len(np.unique(TARGETS[name].rows(family.world(1)), axis=0)) >= 12]
    assert len(many) >= 3


def test_everything_tells_all_states_apart():
    for family in DEDUCTIVE:
        world = family.world(3)
        assert len(np.unique(TARGETS["everything"].rows(world), axis=0)) == len(world)


NAIVE_PRIORS = {
    graph.abductive.PRODUCT_PRIOR: lambda g: 1 + sum((one + 1) * (other + 1) for one, other in g.rising()),
    graph.abductive.SQUARES_PRIOR: lambda g: 1 + sum(((one + 1) * (other + 1)) ** 2 for one, other in g.rising()),
    graph.abductive.SPREAD_PRIOR: lambda g: 1 + sum((other - one) ** 2 for one, other in g.rising()),
    graph.abductive.CROWD_PRIOR: lambda g: 1 + sum((node + 1) * g.degree(node) ** 2 for node in g.nodes),
}


@pytest.mark.parametrize("family", CAUSES, ids=lambda family: family.name)
def test_a_cause_is_as_probable_as_its_prior_says_and_its_outcome_leaves_several(family):
    world = family.world(1)
    weights = family.prior.weights(world).tolist()
    assert weights == [NAIVE_PRIORS[family.prior](g) for g in plain(world)]
    assert min(weights) > 0
    codes, counts = np.unique(family.opening.codes(world), return_counts=True)
    assert len(codes) > 1
    assert min(counts) >= 6
    assert "{" not in family.opening.tell(world.take([0]), graph.WORDS)


def read(text, n):
    words = text.split()
    assert words[0] == "{graph}"
    return Plain(n, [map(NODES.index, word.split("-")) for word in words[1:]])


def sets(n, sizes):
    return [set(some) for size in sizes for some in itertools.combinations(range(n), size)]


def both_ends(g, some):
    return sum(pair <= some for pair in g.pairs)


def across(gs, n, k):
    return [[sum(len(pair & some) == 1 for pair in g.pairs) for g in gs] for some in sets(n, [k])]


def club(gs, n, k):
    return [[both_ends(g, some) % 2 for g in gs] for some in sets(n, range(2, k + 1))]


def colours(gs, n, k):
    painted = [colour for colour in itertools.product(range(k), repeat=n) if len(set(colour)) == k]
    return [[sum(len({colour[node] for node in pair}) == 1 for pair in g.pairs) for g in gs] for colour in painted]


def gathering(gs, n, k):
    parts = [g.parts() for g in gs]
    return [[max(len(part & some) for part in found) for found in parts] for some in sets(n, [k])]


def two_edges(gs, n):
    pairs = itertools.combinations(map(frozenset, itertools.combinations(range(n), 2)), 2)
    return [[(one in g.pairs) + (other in g.pairs) for g in gs] for one, other in pairs]


def nearer(gs, n):
    far = [{x: g.from_node(x) for x in g.nodes} for g in gs]
    rules = [(x, y, z) for x, y, z in itertools.permutations(range(n), 3) if y < z]
    return [[order(d[x].get(y, math.inf), d[x].get(z, math.inf)) for d in far] for x, y, z in rules]


def heaviest(gs, n, w):
    weighed = itertools.product(range(1, w + 1), repeat=n)
    return [[max(sum(weight[node] for node in pair) for pair in g.pairs) for g in gs] for weight in weighed]


def busy(gs, n, k, t):
    rules = [(some, least) for some in sets(n, [k]) for least in range(1, t + 1)]
    return [[sum(g.degree(node) >= least for node in some) for g in gs] for some, least in rules]


NAIVE_RULES = {
    "across": across,
    "club": club,
    "colours": colours,
    "gathering": gathering,
    "two-edges": two_edges,
    "nearer": nearer,
    "heaviest": heaviest,
    "busy": busy,
}


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("family", RULES, ids=lambda family: family.name)
def test_a_family_of_rules_holds_what_its_sentence_says(family, level):
    parameters = dict(family.levels[level - 1])
    pool, _ = parameters.pop("pool"), parameters.pop("shown")
    world = family.world(level)
    instances = [read(text, parameters["n"]) for text in world.pool + world.new]
    assert len({frozenset(g.pairs) for g in instances}) == len(instances)
    expected = {tuple(map(int, outputs)) for outputs in NAIVE_RULES[family.name](instances, **parameters)}
    found = np.concatenate([world.outputs, world.predictions], axis=1)
    assert world.outputs.shape[1] == pool
    assert len(found) == len(expected)
    assert set(map(tuple, found.tolist())) == expected


@pytest.mark.parametrize("family", RULES, ids=lambda family: family.name)
def test_a_family_of_rules_grows_with_its_level(family):
    sizes = [len(family.world(level)) for level in range(1, 6)]
    assert 28 <= sizes[0] <= 85
    assert 800 <= sizes[-1] <= 2500
    assert all(1.9 < larger / smaller < 3.5 for smaller, larger in itertools.pairwise(sizes))


def test_texts_need_only_the_structures_words_and_the_levels_parameters():
    for family in graph.STRUCTURE.families:
        known = {*graph.WORDS, *family.world(1).facts}
        assert {field for _, field, _, _ in string.Formatter().parse(family.hides) if field} <= known, family.name
        assert {field for _, field, _, _ in string.Formatter().parse(family.prior.states) if field} <= known
    for kind in KINDS.values():
        fields = {
            field for text in (kind.asks, kind.legal) for _, field, _, _ in string.Formatter().parse(text) if field
        }
        assert fields <= {*graph.WORDS, "n", "0", "1", "2"}, kind.name
    for target in TARGETS.values():
        fields = {
            field for text in (target.asks, target.form.hint) for _, field, _, _ in string.Formatter().parse(text)
        }
        assert fields - {None} <= {*graph.WORDS, "n"}, target.name


def test_names_are_unique_and_arguments_few():
    for parts in (graph.STRUCTURE.families, graph.STRUCTURE.kinds, graph.STRUCTURE.targets):
        names = [part.name for part in parts]
        assert len(set(names)) == len(names)
    assert len(graph.WORDS) <= 16
    for family in DEDUCTIVE:
        assert all(len(list(kind.arguments(family.world(5)))) <= 300 for kind in KINDS.values())
