"""What is to be predicted, whatever the instances are: always about instances that cannot be asked about."""

from __future__ import annotations

import numpy as np

from interactive_envs.query_games.base import Codes, Form, Values, chosen, target
from interactive_envs.query_games.structures.induction.worlds import NEW, RuleWorld


def _first_greatest(outputs: Codes) -> Codes:
    """The number, from 1 on, of the first instance with the greatest output; 0 where all give 0."""
    return np.where(outputs.any(axis=1), outputs.argmax(axis=1) + 1, 0)


def _last_greatest(outputs: Codes) -> Codes:
    found = outputs.shape[1] - outputs[:, ::-1].argmax(axis=1)
    return np.where(outputs.any(axis=1), found, 0)


@target("the rule's outputs for N1, N2, N3, N4 and N5", Form("five numbers in this order"))
def five(world: RuleWorld) -> Values:
    return world.predictions[:, :5]


@target("the rule's outputs for N2, N4, N6 and N8", Form("four numbers in this order"))
def even_ones(world: RuleWorld) -> Values:
    return world.predictions[:, 1::2]


@target("the rule's outputs for N1 to N8", Form("eight numbers in this order"))
def all_eight(world: RuleWorld) -> Values:
    return world.predictions


@target(
    "three sums of the rule's outputs: for N1 and N2, for N3 to N5, and for N6 to N8",
    Form("three numbers in this order"),
)
def thirds(world: RuleWorld) -> Values:
    return np.stack([world.predictions[:, a:b].sum(axis=1) for a, b in ((0, 2), (2, 5), (5, 8))], axis=1)


@target(
    "two numbers: which new instance has the highest output (1 for N1, 2 for N2 and so on; the first one if "
    "there are several; 0 if all outputs are 0), and the sum of the outputs for N1 to N8",
    Form("two numbers in this order"),
)
def first_and_sum(world: RuleWorld) -> Values:
    return np.stack([_first_greatest(world.predictions), world.predictions.sum(axis=1)], axis=1)


@target(
    "two numbers: the first new instance with the highest output, and the last one (1 for N1, 2 for N2 and so on; the "
    "same number twice if there is only one; 0 and 0 if all outputs are 0)",
    Form("two numbers in this order"),
)
def first_and_last(world: RuleWorld) -> Values:
    return np.stack([_first_greatest(world.predictions), _last_greatest(world.predictions)], axis=1)


@target(
    "which of the new instances N1 to N7 have the same output as the next new instance (1 for N1, 2 for N2 and so on)",
    Form("the numbers in any order", ordered=False),
)
def equal_neighbours(world: RuleWorld) -> Values:
    return chosen(world.predictions[:, 1:] == world.predictions[:, :-1], range(1, NEW))


@target(
    "which of the new instances N3 to N8 have an output greater than 0 (3 for N3 and so on)",
    Form("the numbers in any order", ordered=False),
)
def some_that_get_more(world: RuleWorld) -> Values:
    return chosen(world.predictions[:, 2:] > 0, range(3, NEW + 1))
