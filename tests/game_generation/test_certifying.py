"""What good play says of a game: exact where it is small, searches in both seats otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from interactive_envs.game_generation import certifying
from interactive_envs.novel_games.folder import own


def searched(against_random: int, first: int, second: int) -> dict[str, Any]:
    return {"method": "search", "games": 16, "against_random": against_random, "first": first, "second": second}


def test_a_solved_game_needs_no_search() -> None:
    found = certifying.probe(own("sum-shy").path, {"solved": True, "states": 77, "value": -1.0})
    assert found == {"method": "exact", "states": 77, "value": -1.0}
    assert certifying.faults(found) == []


def test_other_games_are_played_by_search_in_both_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certifying, "GAMES", 4)
    found = certifying.probe(own("melting-shove").path, {"solved": False})
    assert (found["method"], found["games"]) == ("search", 4)
    assert found["against_random"] >= 3
    assert 0 <= found["first"] + found["second"] <= 4


@pytest.mark.parametrize(
    ("found", "kinds"),
    [
        (searched(16, 9, 7), []),
        (searched(11, 8, 8), ["luck"]),
        (searched(16, 0, 0), ["draws"]),
        (searched(16, 16, 0), ["seat"]),
        (searched(16, 0, 16), ["seat"]),
        (searched(16, 13, 3), []),
        (searched(8, 0, 16), ["luck", "seat"]),
    ],
)
def test_what_luck_or_a_seat_decides_is_flagged(found: dict[str, Any], kinds: list[str]) -> None:
    assert [kind for kind, _ in certifying.faults(found)] == kinds
