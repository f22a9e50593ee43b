"""Today's judges on the messages of those players: what was answered right is answered the same or left open."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from interactive_envs.errors import ConfigError, MissingExtraError
from interactive_envs.making import make

EPISODES = [
    json.loads(line)
    for path in sorted(Path(__file__).parent.glob("*.jsonl"))
    for line in path.read_text(encoding="utf-8").splitlines()
]
OPEN = ("Not understood", "Refused")
PAGES = [one for one in EPISODES if one["env"] == "ibench/UI2Html-v1" and one["seed"] > 320]
"""Played since the rules say what a card is as they do now."""
READ_SINCE = {
    ("probability-hidden-ruin-1", "the probability of jumping down is greater than one half"): "Yes",  # 15 / 27
    ("probability-hidden-ruin-1", "the flea starts on a tile whose number is less than 2"): "Yes",  # s = 1
    ("probability-hidden-ruin-4", "the starting tile s is below 3"): "Yes",  # s = 1
    ("combinatorics-hidden-pavings-2", "There are c(1)^2 + c(2) coverings of a ribbon of length 2."): "Yes",
}
"""Verdicts that the players did not get, decided by hand from the hidden numbers."""


def of(env_id: str, step: int) -> Any:
    """The episodes of an environment, of which a daily run plays each step-th."""
    found = [episode for episode in EPISODES if episode["env"] == env_id]
    return [pytest.param(one, id=str(one["seed"]), marks=pytest.mark.every(step)) for one in found]


@pytest.mark.parametrize("episode", [*of("ibench/SituationPuzzle-v1", 24), *of("ibench/Math-v1", 18)])
def test_what_players_found_right_is_never_answered_wrong_since(episode: dict[str, Any]) -> None:
    env: Any = make(episode["env"], **episode["arguments"])
    env.reset(seed=episode["seed"], options={"case": episode["case"]} if episode["case"] else None)
    for message in episode["messages"]:
        text = message["text"].removeprefix("<ask>").removesuffix("</ask>")
        reply, then = (
            words.partition("\n")[0].partition(".")[0]
            for words in (str(env.step(message["text"])[0]), message["reply"])
        )
        if message["label"] in ("right", "unread"):
            since = READ_SINCE.get((env.case_id, text), OPEN[0])
            assert reply in (then, since) or reply.startswith(OPEN), (text, reply, then)
    env.close()


@pytest.mark.long
@pytest.mark.parametrize("episode", PAGES, ids=lambda episode: str(episode["seed"]))
def test_what_players_found_right_of_pages_is_never_answered_wrong_since(episode: dict[str, Any]) -> None:
    try:
        env: Any = make(episode["env"], **episode["arguments"])
        env.reset(seed=episode["seed"])
    except (ConfigError, MissingExtraError) as why:  # no Chromium
        pytest.skip(str(why))
    for message in episode["messages"]:
        reply, then = (
            words.partition("\n")[0].partition(".")[0]
            for words in (str(env.step(message["text"])[0]), message["reply"])
        )
        if message["label"] == "right":
            assert reply in (then, "Cannot tell"), (message["text"][-200:], reply, then)
    env.close()
