"""A match of two agents through texts, as every environment plays it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from interactive_envs.agent import Agent
from interactive_envs.multiplayer.match import Match
from interactive_envs.seeds import GameSeeds
from interactive_envs.trust_game.rules import TrustGame

Play = Callable[..., dict[str, Any]]


@pytest.fixture
def play() -> Play:
    """Play two agents for one match of some rounds and return its record."""

    def run(
        first: Agent, second: Agent, rounds: int, *, seeds: tuple[int, int] = (0, 0), game: TrustGame | None = None
    ) -> dict[str, Any]:
        game = game or TrustGame(max_rounds=max(35, rounds), matches=1)
        match = Match(game)
        match.begin(GameSeeds(0), {"rounds": rounds})
        agents = (first, second)
        for agent, seed in zip(agents, seeds, strict=True):
            agent.reset(seed=seed)
        while (seat := match.to_move) is not None:
            said = agents[seat].act(match.observe(seat), {"view": game.view(match.state, seat)})
            assert match.act(said).valid
        (record,) = game.record(match.state)["matches"]
        return dict(record)

    return run
