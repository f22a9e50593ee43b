"""Sets as causes: how probable each is, and the outcome that is given first."""

from __future__ import annotations

import numpy as np

from interactive_envs.query_games.base import Prior, abductive
from interactive_envs.query_games.structures.set import deductive, queries

SUM_PRIOR = Prior("The probability of a {set} is proportional to the sum of its {numbers}.", lambda world: world.total)
SQUARES_PRIOR = Prior(
    "The probability of a {set} is proportional to the sum of the squares of its {numbers}.",
    lambda world: world.members @ world.numbers**2,
)
PRODUCT_PRIOR = Prior(
    "The probability of a {set} is proportional to the product of its {numbers}.",
    lambda world: np.where(world.members, world.numbers, 1).prod(axis=1),
)
CAUSES = (
    abductive(deductive.choice, "likely-choice", queries.remainder, SUM_PRIOR, 2),
    abductive(deductive.few, "likely-few", queries.multiples, SQUARES_PRIOR, 2),
    abductive(deductive.gapped, "likely-gapped", queries.size, PRODUCT_PRIOR),
    abductive(deductive.two_blocks, "likely-blocks", queries.remainder, SQUARES_PRIOR, 3),
    abductive(deductive.one_of_each, "likely-one-of-each", queries.multiples, PRODUCT_PRIOR, 2),
    abductive(deductive.without_divisors, "likely-without-divisors", queries.size, SUM_PRIOR),
    abductive(deductive.even_sums, "likely-even-sums", queries.multiples, SQUARES_PRIOR, 3),
    abductive(deductive.adding_up, "likely-adding-up", queries.size, PRODUCT_PRIOR),
)
