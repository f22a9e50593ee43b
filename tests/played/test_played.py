"""Episodes of players who knew the rules alone: every verdict was labelled by its player once the truth was known."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

PLAYERS = {
    path.stem: [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for path in sorted(Path(__file__).parent.glob("*.jsonl"))
}
EPISODES = [episode for episodes in PLAYERS.values() for episode in episodes]
WANTED = {"ibench/SituationPuzzle-v1": 8, "ibench/Math-v1": 6, "ibench/UI2Html-v1": 4}
TOGETHER = ("player_a", "player_b")
"""Played half as much each, on earlier versions of the judges."""


def test_each_player_played_every_family_with_a_judge_and_every_verdict_is_labelled() -> None:
    played = {name: Counter(episode["env"] for episode in episodes) for name, episodes in PLAYERS.items()}
    assert sum((played.pop(name) for name in TOGETHER), Counter()) == WANTED
    assert played == {"player_c": WANTED, "player_d": WANTED}
    labels = {message["label"] for episode in EPISODES for message in episode["messages"]}
    assert labels <= {"right", "wrong", "unread", "none"}


@pytest.mark.parametrize("names", [TOGETHER, ("player_c",), ("player_d",)], ids="+".join)
def test_of_what_the_judges_answered_at_most_a_tenth_was_wrong_and_no_false_correct_was_scored(
    names: tuple[str, ...],
) -> None:
    for env_id in WANTED:
        episodes = [one for name in names for one in PLAYERS[name] if one["env"] == env_id]
        counts = Counter(message["label"] for episode in episodes for message in episode["messages"])
        assert counts["wrong"] <= 0.1 * (counts["right"] + counts["wrong"])
        for episode in episodes:
            for message in episode["messages"]:
                if message["label"] == "wrong" and message["reply"].startswith("Correct"):
                    assert "This episode is not scored" in message["reply"]
