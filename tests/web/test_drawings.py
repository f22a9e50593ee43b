"""Tables that families draw: well-formed, without styles or scripts, and with a name for screen readers."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import interactive_envs
from interactive_envs import catalog
from interactive_envs.web import looking_back

PLAYED: dict[str, tuple[str, dict[str, Any], str]] = {
    "black-box": ("ibench/BlackBox-circuit-random-v1", {"items": 2}, "circuit/reference"),
    "generated": ("ibench/Game-sum-shy-v1", {}, "random"),
    "holdem": ("ibench/Holdem-v1", {"match": 2, "players": 3}, "holdem/tag"),
    "query-games": ("ibench/Query-tree-deductive-bushy-all-children-by-parent-parity-height-v1", {}, "random"),
    "trust": ("ibench/TrustGame-v1", {"matches": 1}, "trust/tft"),
}


@pytest.mark.parametrize("family", PLAYED)
def test_every_frame_of_an_episode_is_a_picture_that_says_what_it_shows(family: str, tmp_path: Path) -> None:
    env_id, arguments, player = PLAYED[family]
    run = interactive_envs.evaluate((env_id, arguments), player, episodes=1, out=tmp_path / "run")
    (record,) = run.episodes
    drawn = [str(frame.drawing) for frame in looking_back.frames(record)]
    assert len(set(drawn)) > 1, "it changes as the episode goes on"
    for text in drawn:
        picture = ElementTree.fromstring(text)
        assert picture.tag.endswith("svg")
        assert picture.get("role") == "img"
        assert picture.get("aria-label") or picture.find("{*}title") is not None
        for part in picture.iter():
            assert not part.tag.endswith(("script", "style", "foreignObject", "image"))
            assert not [name for name in part.attrib if name == "style" or name.startswith("on")]


def test_every_family_that_draws_is_looked_at() -> None:
    assert {name for name, card in catalog.families().items() if card.drawing} == PLAYED.keys()
