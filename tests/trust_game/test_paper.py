"""The ten matches of Interactive Benchmarks v1, appendix A.4: Gemini against DeepSeek, five repeats, seats swapped."""

from __future__ import annotations

from dataclasses import astuple

import gymnasium as gym
import numpy as np
import pytest

from interactive_envs.trust_game.env import TrustGameEnv
from interactive_envs.trust_game.reading import MOVES
from interactive_envs.trust_game.rules import TrustGame

TRACES = {
    "1a": (6, (2, 2), "CDDDDD", "DCDDDD"),
    "1b": (6, (0, 8), "DCDCDC", "CDDDDD"),
    "2a": (12, (24, 24), "CCCCCCCCCC", "CCCCCCCCCC"),
    "2b": (12, (5, 1), "DDCDDDDDDDD", "CDDCDDDDDDDD"),
    "3a": (5, (-1, 3), "CDDDD", "DDDDD"),
    "3b": (5, (10, 10), "CCCCC", "CCCCC"),
    "4a": (2, (4, 4), "CC", "CC"),
    "4b": (2, (4, 4), "CC", "CC"),
    "5a": (8, (2, 2), "CDDDDDD", "DCDDDDDD"),
    "5b": (8, (16, 16), "CCCCCCCC", "CCCCCCCC"),
}
"""Rounds, total payoffs and moves as printed; a is Gemini in the first seat, b DeepSeek."""
INCONSISTENT = {
    "2a": ("12 rounds and totals of 12 mutual cooperations, but 10 moves a seat", "CC", "CC"),
    "2b": ("12 rounds, but only 11 moves in the first seat", "D", ""),
    "5a": ("8 rounds, but only 7 moves in the first seat", "D", ""),
}
"""Why a trace cannot be played as printed, and the moves at the end that would mend it."""


def totals(first: str, second: str) -> tuple[float, ...]:
    game = TrustGame(matches=1)
    state = game.start(np.random.default_rng(0), {"rounds": len(first)})
    for pair in zip(first, second, strict=True):
        for seat, move in enumerate(pair):
            played = game.read(state, seat, move)
            assert played in MOVES
            game.play(state, seat, played)
    assert game.to_move(state) is None
    return game.returns(state)


@pytest.mark.parametrize("name", [name for name in TRACES if name not in INCONSISTENT])
def test_seven_traces_of_the_paper_reproduce(name: str) -> None:
    rounds, printed, first, second = TRACES[name]
    assert len(first) == rounds
    assert totals(first, second) == printed


@pytest.mark.parametrize("name", sorted(INCONSISTENT))
def test_three_traces_of_the_paper_print_fewer_moves_than_rounds(name: str) -> None:
    rounds, printed, first, second = TRACES[name]
    reason, first_lost, second_lost = INCONSISTENT[name]
    assert len(first) < rounds, reason
    assert len(first + first_lost) == len(second + second_lost) == rounds
    assert totals(first + first_lost, second + second_lost) == printed


def test_the_preset_is_the_papers_run() -> None:
    """Five matches that nobody remembers, the last 20 moves and the own total on the screen, unreadable: COOPERATE."""
    env = gym.make("ibench/TrustGame-v1", preset="paper", opponents="grim", disable_env_checker=True).unwrapped
    assert isinstance(env, TrustGameEnv)
    game = env.game
    assert isinstance(game, TrustGame)
    assert (game.delta, game.max_rounds, game.matches, game.memory, game.screen) == (0.8, 35, 5, False, "paper")
    assert (astuple(game.payoffs), env.on_invalid) == ((2, -1, 3, 0), "cooperate")
    first, _ = env.reset(seed=1234, options={"rounds": [2, 1, 1, 1, 1]})
    observation, _, _, _, info = env.step("DEFECT")
    assert "Your total: 3.\nCooperation rates: you 0%, the other player 100%.\n" in observation
    assert "remember" not in info
    observation, _, _, _, info = env.step("DEFECT")
    assert (observation, info["remember"], info["view"].past) == (first, 0, ())
