"""Graphs as causes: how probable each is, and the outcome that is given first."""

from __future__ import annotations

import numpy as np

from interactive_envs.query_games.base import Codes, Prior, abductive
from interactive_envs.query_games.structures.graph import deductive, queries
from interactive_envs.query_games.structures.graph.worlds import GraphWorld, edge_products, gap_counts


def _spread(world: GraphWorld) -> Codes:
    """The sum over the edges of the square of how many places both ends are apart."""
    return np.asarray(gap_counts(world) @ np.arange(1, world.n) ** 2)


_EDGE_PRIOR = "The probability of a {graph} is proportional to 1 plus the sum, over its {edges}, of "
_PLACE = "(A's place is 1, B's is 2 and so on)"
PRODUCT_PRIOR = Prior(
    f"{_EDGE_PRIOR}the product of the places of both ends in the alphabet {_PLACE}.",
    lambda world: 1 + edge_products(world),
)
SQUARES_PRIOR = Prior(
    f"{_EDGE_PRIOR}the square of the product of the places of both ends in the alphabet {_PLACE}.",
    lambda world: 1 + edge_products(world, 2),
)
SPREAD_PRIOR = Prior(
    f"{_EDGE_PRIOR}the square of the difference between the places of both ends in the alphabet {_PLACE}.",
    lambda world: 1 + _spread(world),
)
CROWD_PRIOR = Prior(
    "The probability of a {graph} is proportional to 1 plus the sum, over its {nodes}, of the {node}'s place in the "
    f"alphabet {_PLACE} times the square of its number of {{neighbours}}.",
    lambda world: 1 + world.degrees**2 @ world.places,
)
_A, _B, _C = range(3)
CAUSES = (
    abductive(deductive.ring, "likely-ring", queries.adjacent, PRODUCT_PRIOR, _A, _B),
    abductive(deductive.line, "likely-line", queries.connected, SQUARES_PRIOR, _A, _B),
    abductive(deductive.pairs, "likely-pairs", queries.compare_, SPREAD_PRIOR, _A, _B),
    abductive(deductive.teams, "likely-teams", queries.parity, PRODUCT_PRIOR, _A),
    abductive(deductive.split, "likely-split", queries.parity, CROWD_PRIOR, _B),
    abductive(deductive.bridge, "likely-bridge", queries.vital, SQUARES_PRIOR, _A),
    abductive(deductive.few_edges, "likely-edges", queries.parity, PRODUCT_PRIOR, _C),
    abductive(deductive.chords, "likely-chords", queries.parity, SQUARES_PRIOR, _A),
    abductive(deductive.roads, "likely-roads", queries.adjacent, CROWD_PRIOR, _A, _B),
    abductive(deductive.hubs, "likely-hubs", queries.compare_, SQUARES_PRIOR, _A, _B),
    abductive(deductive.loops, "likely-loops", queries.near, SQUARES_PRIOR, _A),
    abductive(deductive.steps, "likely-steps", queries.compare_, SPREAD_PRIOR, _A, _B),
)
