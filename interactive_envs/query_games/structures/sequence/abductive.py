"""Sequences as causes: how probable each is, and the outcome that is given first."""

from __future__ import annotations

import numpy as np

from interactive_envs.query_games.base import Prior, abductive
from interactive_envs.query_games.structures.sequence import deductive, queries
from interactive_envs.query_games.structures.sequence.worlds import neighbour_products

WEIGHTED_PRIOR = Prior(
    "The probability of a {sequence} is proportional to the sum of each {value} times the number of its {place}.",
    lambda world: world.weighted,
)
SQUARES_PRIOR = Prior(
    "The probability of a {sequence} is proportional to the sum of each {value} times the square of the "
    "number of its {place}.",
    lambda world: world.values @ np.arange(1, world.n + 1) ** 2,
)
PRODUCTS_PRIOR = Prior(
    "The probability of a {sequence} is proportional to the sum of the products of neighbouring {values}: "
    "the first times the second, plus the second times the third, and so on.",
    neighbour_products,
)
CAUSES = (
    abductive(deductive.distinct, "likely-distinct", queries.summit, SQUARES_PRIOR),
    abductive(deductive.nearly_sorted, "likely-nearly-sorted", queries.peaks, SQUARES_PRIOR),
    abductive(deductive.swapped, "likely-swapped", queries.peaks, PRODUCTS_PRIOR),
    abductive(deductive.never_falling, "likely-never-falling", queries.spread, SQUARES_PRIOR),
    abductive(deductive.walks, "likely-walks", queries.spread, SQUARES_PRIOR),
    abductive(deductive.zigzag, "likely-zigzag", queries.remainder, PRODUCTS_PRIOR, 3),
    abductive(deductive.restless, "likely-restless", queries.longest, SQUARES_PRIOR),
    abductive(deductive.parts, "likely-parts", queries.records, WEIGHTED_PRIOR),
    abductive(deductive.peaked, "likely-peaked", queries.summit, SQUARES_PRIOR),
    abductive(deductive.mistaken, "likely-mistaken", queries.remainder, SQUARES_PRIOR, 2),
)
