"""Queries and targets about instances, computed anew from their sentences, and how instances are dealt."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from interactive_envs.query_games import games
from interactive_envs.query_games.base import LEVELS, NOTHING, Family, levels, trimmed
from interactive_envs.query_games.structures import induction
from interactive_envs.query_games.structures.induction.queries import APART
from interactive_envs.query_games.structures.induction.worlds import NEW, SPARE, Instances, RuleWorld, inductive

FAMILIES = [
    pytest.param(family, id=f"{name}-{family.name}")
    for name in games.STRUCTURES
    for family in games.structure(name).families
    if family.mode == "inductive"
]

Outputs = list[int]


def order(first: int, second: int) -> int:
    return 0 if first < second else 1 if first == second else 2


NAIVE: dict[str, Callable[..., int]] = {
    "test": lambda o, i: o[i - 1],
    "same": lambda o, i, j: o[i - 1] == o[j - 1],
    "more": lambda o, i, j: order(o[i - 1], o[j - 1]),
    "sum": lambda o, i, j: sum(o[i - 1 : j]),
    "any": lambda o, i, j: any(o[i - 1 : j]),
    "odd": lambda o, i, j: sum(o[i - 1 : j]) % 2,
    "both": lambda o, i, j: o[i - 1] > 0 and o[j - 1] > 0,
    "first": lambda o, i: next((k for k in range(i, len(o) + 1) if o[k - 1] > 0), NOTHING),
}


def greatest(o: Outputs) -> list[int]:
    """Numbers of the instances that get the most, none where all get 0."""
    return [k for k, output in enumerate(o, 1) if output == max(o) > 0]


VALUES: dict[str, Callable[[Outputs], Outputs]] = {
    "five": lambda o: o[:5],
    "even-ones": lambda o: [o[1], o[3], o[5], o[7]],
    "all-eight": lambda o: o,
    "thirds": lambda o: [o[0] + o[1], o[2] + o[3] + o[4], o[5] + o[6] + o[7]],
    "first-and-sum": lambda o: [min(greatest(o), default=0), sum(o)],
    "first-and-last": lambda o: [min(greatest(o), default=0), max(greatest(o), default=0)],
    "equal-neighbours": lambda o: [k for k in range(1, 8) if o[k - 1] == o[k]],
    "some-that-get-more": lambda o: [k for k in range(3, 9) if o[k - 1] > 0],
}


@pytest.mark.parametrize("kind", induction.KINDS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("family", FAMILIES[::4])
def test_a_reply_is_what_the_sentence_says(kind: Any, family: Family) -> None:
    world: Any = family.world(1)
    for argument in kind.arguments(world):
        expected = [int(NAIVE[kind.name](outputs, *argument)) for outputs in world.outputs.tolist()]
        assert kind.codes(world, argument).tolist() == expected
        assert kind.codes(world.take([3]), argument).tolist() == expected[3:4]


@pytest.mark.parametrize("target", induction.TARGETS, ids=lambda target: target.name)
@pytest.mark.parametrize("family", FAMILIES[::4])
def test_an_answer_is_what_the_sentence_says(target: Any, family: Family) -> None:
    world: Any = family.world(1)
    found = [list(trimmed(row)) for row in target.rows(world).tolist()]
    assert found == [VALUES[target.name](outputs) for outputs in world.predictions.tolist()]


@pytest.mark.every(5)
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("level", LEVELS)
def test_the_pool_decides_what_is_to_be_predicted(family: Family, level: int) -> None:
    world = family.world(level)
    assert isinstance(world, RuleWorld)
    assert world.predictions.shape == (len(world), NEW)
    assert world.outputs.shape == (len(world), len(world.pool))
    rows = np.hstack([world.outputs, world.predictions])
    assert len(np.unique(rows, axis=0)) == len(rows), "two rules are the same"
    assert len(np.unique(world.outputs, axis=0)) == len(rows), "the pool does not tell two rules apart"
    assert len({*world.pool, *world.new}) == len(world.pool) + NEW


def test_two_instances_of_a_query_are_close_together() -> None:
    world: Any = FAMILIES[0].values[0].world(1)  # type: ignore[union-attr]
    pairs = [argument for kind in induction.KINDS for argument in kind.arguments(world) if len(argument) == 2]
    assert max(j - i for i, j in pairs) == APART
    assert min(j - i for i, j in pairs) == 1
    numbers = range(1, len(world.pool) + 1)
    close = [(i, j) for i, j in itertools.combinations(numbers, 2) if j - i <= APART]
    assert set(pairs) == set(close)


def test_a_pool_that_decides_too_little_is_refused() -> None:
    family: Any = FAMILIES[0].values[0]
    world: Any = family.world(1)

    def too_many(made: Any, **_: int) -> Any:
        """Rules that know no pattern: each instance on its own."""
        return np.eye(len(world.pool) + SPARE, dtype=np.int64)

    instances = Instances(lambda rng, count: range(count), lambda made: list(map(str, made)))
    bad = inductive("", levels(pool=4, shown=1), instances)(too_many)
    with pytest.raises(ValueError, match=r"the pool decides 0 other instances, and 8 are needed; make it larger"):
        bad.world(1)
