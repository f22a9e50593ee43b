"""Players by which scores of query games can be read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interactive_envs import catalog
from interactive_envs.family import Ability, Role, Yardstick
from interactive_envs.query_games.games import MODES
from interactive_envs.reporting.suites import choose_cells

_GAMES = (
    ((entry["tags"]["mode"], entry["tags"]["structure"]), env_id)
    for env_id, entry in catalog.load()["units"].items()
    if entry["family"] == "query-games" and "mode" in entry["tags"]
)
_CHOSEN = choose_cells(_GAMES, 4, 0)


def _yardstick(mode: str, title: str, arguments: Mapping[str, Any], abilities: tuple[Ability, ...]) -> Yardstick:
    # With the standard budget everybody wins who reasons; what tells them apart is how many rounds they need.
    given = {"budget": "tight", **arguments}
    players: dict[Role, str] = {
        "chance": "random",
        "no interaction": "query-games/reference",
        "rule": "query-games/greedy-random",
        "reference": "query-games/reference",
    }
    if "probes" in arguments:  # of which nothing is seen without a query
        del players["no interaction"]
    return Yardstick(
        f"Query games, {title}, tight budget",
        tuple((env_id, given) for (one, _), ids in _CHOSEN if one == mode for env_id in ids),
        players,
        levels=(1, 2, 3, 4, 5),
        episodes=6,
        abilities=abilities,
    )


YARDSTICKS = (
    *(_yardstick(mode, mode, {}, ("asking", "inferring")) for mode in MODES),
    _yardstick(
        "deductive",
        "deductive, one reply is false and corrected later",
        {"probes": ["revision"]},
        ("asking", "inferring", "revising"),
    ),
)
