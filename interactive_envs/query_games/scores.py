"""Players by which scores of query games can be read."""

from __future__ import annotations

from interactive_envs import catalog
from interactive_envs.family import Yardstick
from interactive_envs.query_games.games import MODES
from interactive_envs.reporting.suites import choose_cells

_GAMES = (
    ((entry["tags"]["mode"], entry["tags"]["structure"]), env_id)
    for env_id, entry in catalog.load()["units"].items()
    if entry["family"] == "query-games" and "mode" in entry["tags"]
)
_CHOSEN = choose_cells(_GAMES, 4, 0)
YARDSTICKS = tuple(
    Yardstick(
        f"Query games, {mode}, tight budget",
        # With the standard budget everybody wins who reasons; what tells them apart is how many rounds they need.
        tuple((env_id, {"budget": "tight"}) for (one, _), ids in _CHOSEN if one == mode for env_id in ids),
        {
            "chance": "random",
            "no interaction": "query-games/reference",
            "rule": "query-games/greedy-random",
            "reference": "query-games/reference",
        },
        levels=(1, 2, 3, 4, 5),
        episodes=6,
    )
    for mode in MODES
)
