"""The reference player's arithmetic, against games small enough to be worked out by hand and by brute force."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict

import numpy as np
import pytest

from interactive_envs.query_games import games, solver
from interactive_envs.query_games.base import Level

GAMES = games.every()
SAMPLE = sorted(GAMES)[::41]


def naive_entropy(shares: list[float]) -> float:
    return -sum(share * math.log2(share) for share in shares if share)


def naive_information(level: Level, states: list[int], query: int, values: list[int]) -> float:
    """Entropy of the value minus its mean entropy after the reply, over dictionaries."""

    def bits(members: list[int]) -> float:
        mass: dict[int, int] = defaultdict(int)
        for state in members:
            mass[values[state]] += int(level.weights[state])
        total = sum(mass.values())
        return naive_entropy([weight / total for weight in mass.values()])

    weight = {state: int(level.weights[state]) for state in states}
    groups: dict[int, list[int]] = defaultdict(list)
    for state in states:
        groups[int(level.table[state, query])].append(state)
    total = sum(weight.values())
    after = sum(sum(weight[s] for s in group) / total * bits(group) for group in groups.values())
    return bits(states) - after


@pytest.mark.parametrize("name", SAMPLE)
def test_information_is_the_fall_of_entropy_that_is_expected(name: str) -> None:
    level = GAMES[name].level(1)
    rng = np.random.default_rng(1)
    values = level.right.tolist()
    for size in (len(level.world), 7, 2):
        states = np.sort(rng.permutation(len(level.world))[:size])
        told = solver.information(level.table[states], level.right[states], level.weights[states])
        for query in range(0, len(level.queries), 3):
            assert told[query] == pytest.approx(naive_information(level, states.tolist(), query, values), abs=1e-8)


@pytest.mark.parametrize("name", SAMPLE)
def test_the_reference_is_right_in_every_state_and_asks_nothing_that_tells_nothing(name: str) -> None:
    level = GAMES[name].level(2)
    solution = solver.solve(level)
    assert solution.right.all()
    for state in range(0, len(level.world), 7):
        heard: list[tuple[int, int]] = []
        opening = int(level.opening[state])
        while True:
            left = solver.remaining(level, opening, heard)
            assert state in left
            query = solver.choose(level, left)
            if query is None:
                break
            assert len(np.unique(level.table[left, query])) > 1
            heard.append((query, int(level.table[state, query])))
        assert len(heard) + 1 == solution.turns[state]
        assert level.right[left].tolist() == [level.right[state]] * len(left)


def test_entropy_of_distributions_that_are_known() -> None:
    assert solver.entropy(np.array([1, 1, 1, 1])) == 2
    assert solver.entropy(np.array([5, 0])) == 0
    assert solver.entropy(np.array([1, 3])) == pytest.approx(0.811278, abs=1e-6)


def test_where_a_reply_was_false_the_states_that_agree_with_most_are_left() -> None:
    level = GAMES[SAMPLE[0]].level(1)
    state = 3
    opening = int(level.opening[state])
    true = [(query, int(level.table[state, query])) for query in range(len(level.queries))]
    wrong = next(
        (query, int(code))
        for query in range(len(level.queries))
        for code in np.unique(level.table[level.opening == opening, query])
        if code != level.table[state, query]
    )
    heard = [wrong if query == wrong[0] else (query, code) for query, code in true]
    left = solver.remaining(level, opening, heard)
    disagree = Counter(
        {
            other: sum(level.table[other, query] != code for query, code in heard)
            for other in np.flatnonzero(level.opening == opening).tolist()
        }
    )
    fewest = min(disagree.values())
    assert left.tolist() == [other for other in sorted(disagree) if disagree[other] == fewest]


@pytest.mark.parametrize("name", SAMPLE)
def test_the_reference_is_not_faster_than_counting_allows(name: str) -> None:
    """A bound by counting: replies of two queries cannot tell more answers apart than there are pairs of replies."""
    level = GAMES[name].level(1)
    solution = solver.solve(level)
    widest = max(len(np.unique(column)) for column in level.table.T)
    for opening in np.unique(level.opening):
        states = level.opening == opening
        answers = len(np.unique(level.right[states]))
        most = int(solution.turns[states].max())
        assert widest ** (most - 1) >= answers


@pytest.mark.parametrize("name", SAMPLE[:6])
def test_two_states_are_told_apart_where_some_query_differs_and_only_there(name: str) -> None:
    level = GAMES[name].level(1)
    for first, second in itertools.islice(itertools.combinations(range(len(level.world)), 2), 0, 400, 13):
        left = np.array([first, second])
        chosen = solver.choose(level, left)
        tells = (level.table[first] != level.table[second]).any()
        if level.right[first] == level.right[second]:
            assert chosen is None
        else:
            assert (chosen is not None) == tells


def test_the_answer_is_the_one_with_the_greatest_weight_not_with_the_most_states() -> None:
    """Counted in Python over every pair and triple of states of an abductive game, in which causes are unequal."""
    name = next(name for name in GAMES if "/abductive/" in name)
    level = GAMES[name].level(1)
    differs = 0
    for left in itertools.islice(itertools.combinations(range(len(level.world)), 3), 4000):
        mass: Counter[int] = Counter()
        for state in left:
            mass[int(level.right[state])] += int(level.weights[state])
        top = max(mass.values())
        assert mass[solver.best_answer(level, np.array(left))] == top
        differs += mass[Counter(int(level.right[state]) for state in left).most_common(1)[0][0]] < top
    assert differs, "no case tells weights from counts"
