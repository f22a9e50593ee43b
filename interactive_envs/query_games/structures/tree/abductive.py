"""Trees as causes: how probable each is, and the outcome that is given first."""

from __future__ import annotations

import numpy as np

from interactive_envs.query_games.base import Codes, Prior, abductive
from interactive_envs.query_games.structures.tree import deductive, queries
from interactive_envs.query_games.structures.tree.worlds import TreeWorld


def _places(world: TreeWorld) -> Codes:
    return np.arange(1, world.n + 1)


def _parent_places(world: TreeWorld) -> Codes:
    """The place of each node's parent, 0 for the root."""
    return world.parents + 1


DEPTH_PRIOR = Prior(
    "The probability of a {tree} is proportional to a sum over all {nodes}: the {depth} of the {node} (0 for "
    "the {root}, 1 for its {children} and so on) times its place in the alphabet (1 for A, 2 for B and so "
    "on).",
    lambda world: world.depth @ _places(world),
)
PARENT_PRIOR = Prior(
    "The probability of a {tree} is proportional to a sum over all {nodes} except the {root}: the place of "
    "the {node} in the alphabet (1 for A, 2 for B and so on) times the place of its {parent}.",
    lambda world: _parent_places(world) @ _places(world),
)
PRODUCT_PRIOR = Prior(
    "The probability of a {tree} is proportional to a product over all {nodes} except the {root}: the place "
    "of the {parent} of the {node} in the alphabet (1 for A, 2 for B and so on).",
    lambda world: np.maximum(_parent_places(world), 1).prod(axis=1),
)
CAUSES = (
    abductive(deductive.bushy, "likely-bushy", queries.height, PARENT_PRIOR),
    abductive(deductive.near, "likely-near", queries.branches, PARENT_PRIOR),
    abductive(deductive.two_tips, "likely-two-tips", queries.branches, PARENT_PRIOR),
    abductive(deductive.three_stars, "likely-three-stars", queries.leaf, PARENT_PRIOR, 1),
    abductive(deductive.two_hubs, "likely-two-hubs", queries.leaf, PARENT_PRIOR, 1),
    abductive(deductive.depth_first, "likely-depth-first", queries.branches, DEPTH_PRIOR),
    abductive(deductive.breadth_first, "likely-breadth-first", queries.branches, PRODUCT_PRIOR),
    abductive(deductive.caterpillars, "likely-caterpillars", queries.branches, PRODUCT_PRIOR),
    abductive(deductive.any_root, "likely-any-root", queries.height, PRODUCT_PRIOR),
    abductive(deductive.close, "likely-close", queries.leaves, PARENT_PRIOR),
)
