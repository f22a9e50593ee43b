"""Episodes of players who knew the rules alone: every verdict was labelled by its player once the truth was known."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

EPISODES = [
    json.loads(line)
    for path in sorted(Path(__file__).parent.glob("*.jsonl"))
    for line in path.read_text(encoding="utf-8").splitlines()
]
WANTED = {"ibench/SituationPuzzle-v1": 8, "ibench/Math-v1": 6, "ibench/UI2Html-v1": 4}


def test_there_are_episodes_of_every_family_with_a_judge_and_every_verdict_is_labelled() -> None:
    assert Counter(episode["env"] for episode in EPISODES) == WANTED
    labels = {message["label"] for episode in EPISODES for message in episode["messages"]}
    assert labels <= {"right", "wrong", "unread", "none"}


def test_of_what_the_judges_answered_at_most_a_tenth_was_wrong_and_no_correct_was_false() -> None:
    for env_id in WANTED:
        messages = [one for episode in EPISODES if episode["env"] == env_id for one in episode["messages"]]
        counts = Counter(message["label"] for message in messages)
        assert counts["wrong"] <= 0.1 * (counts["right"] + counts["wrong"])
        assert not [one for one in messages if one["label"] == "wrong" and one["reply"].startswith("Correct")]
