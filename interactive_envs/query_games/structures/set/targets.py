"""What is to be found out about a hidden set. A target is a function: the answer of every set."""

from __future__ import annotations

import numpy as np

from interactive_envs.query_games.base import NOTHING, ONE_NUMBER, SOME_NUMBERS, Codes, Form, Values, chosen, target
from interactive_envs.query_games.structures.set.worlds import SetWorld, smallest_and_largest


@target("all {numbers} of the {set}", SOME_NUMBERS)
def everything(world: SetWorld) -> Values:
    return world.ranked()


@target("the sum of all {numbers} of the {set}", ONE_NUMBER)
def total(world: SetWorld) -> Values:
    return world.total


@target("the sum of the squares of all {numbers} of the {set}", ONE_NUMBER)
def squares(world: SetWorld) -> Values:
    return world.members @ world.numbers**2


@target(
    "the smallest and the largest {number} of the {set} (the same one twice if there is only one)",
    Form("two numbers in this order"),
)
def ends(world: SetWorld) -> Values:
    return smallest_and_largest(world)


@target(
    "the two largest {numbers} of the {set}, the larger one first (just one if the {set} has only one)",
    Form("one or two numbers in this order"),
)
def two_largest(world: SetWorld) -> Codes:
    mirrored = chosen(world.members[:, ::-1], range(world.n))[:, :2]
    return np.where(mirrored == NOTHING, NOTHING, world.n - mirrored)


@target("the even {numbers} of the {set}", SOME_NUMBERS)
def evens(world: SetWorld) -> Values:
    return chosen(world.members[:, 1::2], world.numbers[1::2])


@target("the odd {numbers} of the {set}", SOME_NUMBERS)
def odds(world: SetWorld) -> Values:
    return chosen(world.members[:, ::2], world.numbers[::2])


@target("the {numbers} of the {set} that are {half} or smaller", SOME_NUMBERS)
def small_ones(world: SetWorld) -> Values:
    return chosen(world.members[:, : world.n // 2], world.numbers[: world.n // 2])


@target("how many {numbers} the {set} has, and their sum", Form("two numbers in this order"))
def size_and_total(world: SetWorld) -> Values:
    return np.stack([world.size, world.total], axis=1)


@target(
    "the differences between neighbouring {numbers} when the {set} is sorted from smallest to largest, or "
    "none if it has only one {number}",
    Form("numbers in this order"),
)
def differences(world: SetWorld) -> Codes:
    ranked = world.ranked()
    return np.where(ranked[:, 1:] == NOTHING, NOTHING, ranked[:, 1:] - ranked[:, :-1])
