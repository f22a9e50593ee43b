"""What is to be found out about a hidden sequence. A target is a function: the answer of every sequence."""

from __future__ import annotations

import numpy as np

from interactive_envs.query_games.base import (
    NOTHING,
    NUMBERS_IN_ORDER,
    ONE_NUMBER,
    WORDS_IN_ORDER,
    Codes,
    Form,
    Values,
    target,
)
from interactive_envs.query_games.structures.sequence.worlds import SequenceWorld, neighbour_products


def _half(world: SequenceWorld) -> int:
    return (world.n + 1) // 2


@target("all {values} of the {sequence}", Form("the {values} in order"))
def everything(world: SequenceWorld) -> Values:
    return world.values


@target("the sum of each {value} times the number of its {place}", ONE_NUMBER)
def weighted(world: SequenceWorld) -> Values:
    return world.weighted


@target(
    "the sum of the products of neighbouring {values}: the first times the second, plus the second times the "
    "third, and so on",
    ONE_NUMBER,
)
def products(world: SequenceWorld) -> Values:
    return neighbour_products(world)


@target(
    "the {values} {at} the first half of the {places}, including the middle {place} if there is one",
    Form("the {values} in order"),
)
def beginning(world: SequenceWorld) -> Values:
    return world.values[:, : _half(world)]


@target("the {values} {at} {places} 1, 3, 5 and so on", Form("the {values} in order"))
def alternate(world: SequenceWorld) -> Values:
    return world.values[:, ::2]


@target(
    "the first {value}, the last {value}, the greatest {value}, and the number of the first {place} with the "
    "greatest {value}",
    Form("four numbers in this order"),
)
def outline(world: SequenceWorld) -> Values:
    return np.stack(
        [world.values[:, 0], world.values[:, -1], world.values.max(axis=1), world.values.argmax(axis=1) + 1], axis=1
    )


@target(
    "the numbers of all {places}, sorted by {value} from smallest to greatest (where {values} are equal, the "
    "earlier {place} first)",
    NUMBERS_IN_ORDER,
)
def ranking(world: SequenceWorld) -> Values:
    return np.argsort(world.values, axis=1, kind="stable") + 1


@target(
    "for each {place} in order, the greatest {value} up to and including this {place}",
    NUMBERS_IN_ORDER,
)
def running(world: SequenceWorld) -> Values:
    return world.running


@target(
    "for each {value} from 1 to {high} in order, the number of the first {place} with this {value}, or 0 if "
    "there is none",
    NUMBERS_IN_ORDER,
)
def places(world: SequenceWorld) -> Values:
    return np.maximum(world.firsts, 0)


@target("for each {place} in order, whether its {value} is even", WORDS_IN_ORDER)
def parities(world: SequenceWorld) -> Values:
    return np.asarray(world.values % 2 == 0)


@target(
    "the {values} that are greater than every {value} before them, starting with the first {value}",
    Form("these {values} in order"),
)
def heights(world: SequenceWorld) -> Codes:
    """The records rise, so sorting moves them to the front in their order."""
    absent = world.high + 1
    found = np.sort(np.where(world.records, world.values, absent), axis=1)
    return np.where(found == absent, NOTHING, found)


@target("for each {place} in order, how many later {places} have a smaller {value}", NUMBERS_IN_ORDER)
def inversions(world: SequenceWorld) -> Values:
    return world.smaller_later


@target(
    "for each {place} except the last, in order, the sum of its {value} and the next {value}",
    NUMBERS_IN_ORDER,
)
def neighbours(world: SequenceWorld) -> Values:
    return world.values[:, 1:] + world.values[:, :-1]


@target(
    "three numbers: the sum of the {values} {at} {places} 1, 3, 5 and so on, the sum of all other {values}, "
    "and the first {value}",
    Form("three numbers in this order"),
)
def halves(world: SequenceWorld) -> Values:
    return np.stack([world.values[:, ::2].sum(axis=1), world.values[:, 1::2].sum(axis=1), world.values[:, 0]], axis=1)
