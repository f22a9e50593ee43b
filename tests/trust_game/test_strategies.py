"""Rule players: the fast loop beside the path through texts, seeds, and the players' arguments."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from interactive_envs.agent import Agent
from interactive_envs.agents import trust_game as trust
from interactive_envs.errors import ConfigError
from interactive_envs.trust_game.rules import Payoffs, TrustGame
from interactive_envs.trust_game.strategies import STRATEGIES, Coin, Draws, GenerousTitForTat, play_match

PLAYERS: dict[str, type[Agent]] = {
    cls.name: cls for cls in vars(trust).values() if isinstance(cls, type) and getattr(cls, "name", "") in STRATEGIES
}
Play = Callable[..., dict[str, Any]]


def test_every_strategy_has_its_player() -> None:
    assert set(PLAYERS) == set(STRATEGIES)
    assert {cls.family for cls in PLAYERS.values()} == {"trust"}


@pytest.mark.parametrize("first", sorted(STRATEGIES))
def test_the_fast_loop_makes_the_moves_of_the_path_through_texts(first: str, play: Play) -> None:
    for second, seed in itertools.product(STRATEGIES, (0, 7)):
        record = play(PLAYERS[first](), PLAYERS[second](), 35, seeds=(seed, seed + 1))
        played = play_match(STRATEGIES[first], STRATEGIES[second], 35, seeds=(seed, seed + 1))
        assert record["histories"] == list(played.moves), second
        assert record["totals"] == list(played.totals), second


def test_the_fast_loop_pays_what_the_game_pays_at_other_payoffs(play: Play) -> None:
    payoffs = (0.1, -0.7, 1.3, 0.01)
    record = play(PLAYERS["coin"](), PLAYERS["coin"](), 35, game=TrustGame(payoffs=payoffs, matches=1))
    played = play_match(STRATEGIES["coin"], STRATEGIES["coin"], 35, payoffs=Payoffs(*payoffs))
    assert record["totals"] == list(played.totals)


def test_pavlov_and_gradual_by_hand() -> None:
    other = "CDDCDDCCCC"
    by_hand = {
        "pavlov": "CCDCCDCCCC",
        # One D for the first defection, two calm rounds; the next answers three defections in all.
        "gradual": "CCDCCDDDCC",
    }
    for name, expected in by_hand.items():
        own = ""
        for played in range(len(other)):
            own += STRATEGIES[name](own, other[:played], Draws(0, 0))
        assert own == expected, name


def test_both_seats_of_one_seed_draw_different_numbers() -> None:
    assert len({Draws(seed, seat).random() for seed, seat in itertools.product((0, 1), (0, 1))}) == 4
    assert Draws(3, 1).random() == Draws(3, 1).random()
    assert Draws(None, 0).random() != Draws(None, 0).random()


def test_the_extremes_of_a_probability_are_the_simple_strategies() -> None:
    opponent = Coin(0.5)
    for extreme, simple in (
        (GenerousTitForTat(0), "tft"),
        (GenerousTitForTat(1), "all-c"),
        (Coin(0), "all-d"),
        (Coin(1), "all-c"),
    ):
        assert play_match(extreme, opponent, 200) == play_match(STRATEGIES[simple], opponent, 200)


def test_draws_come_with_the_probability_asked_for() -> None:
    moves, answers = play_match(Coin(0.3), GenerousTitForTat(0.25), 20_000).moves
    assert moves.count("C") / 20_000 == pytest.approx(0.3, abs=0.01)
    after = [answer for last, answer in zip(moves, answers[1:], strict=False) if last == "D"]
    assert after.count("C") / len(after) == pytest.approx(0.25, abs=0.01)


@pytest.mark.parametrize("value", [-0.1, 1.1, "half", True, float("nan"), None])
def test_what_is_no_probability_is_refused_with_its_name(value: Any) -> None:
    with pytest.raises(ConfigError, match="p must be a probability"):
        trust.CoinPlayer(p=value)
    with pytest.raises(ConfigError, match="generosity must be a probability"):
        trust.GenerousTitForTatPlayer(generosity=value)


def test_a_player_says_that_it_needs_the_trust_game() -> None:
    agent = trust.TitForTat()
    agent.reset(seed=0)
    with pytest.raises(ConfigError, match="plays the trust game only"):
        agent.act("", {})


def test_the_axelrod_library_is_imported_only_when_it_plays() -> None:
    code = "import sys, interactive_envs.agents.trust_game as t; t.TitForTat(); sys.exit('axelrod' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
