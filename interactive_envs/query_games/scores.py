"""Players by which scores of query games can be read."""

from __future__ import annotations

from interactive_envs import catalog
from interactive_envs.family import Yardstick
from interactive_envs.reporting.suites import choose_cells

_GAMES = (
    ((entry["tags"]["structure"], entry["tags"]["mode"]), env_id)
    for env_id, entry in catalog.load()["units"].items()
    if entry["family"] == "query-games"
)
YARDSTICKS = tuple(
    Yardstick(
        f"Query games, {structure}, {mode}",
        tuple((env_id, {}) for env_id in ids),
        {
            "chance": "random",
            "no interaction": "query-games/reference",
            "rule": "query-games/greedy-random",
            "reference": "query-games/reference",
        },
        levels=(1, 2, 3, 4, 5),
        perfect=True,
        episodes=10,
    )
    for (structure, mode), ids in choose_cells(_GAMES, 3, 0)
)
