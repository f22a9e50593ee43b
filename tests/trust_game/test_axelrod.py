"""Against the Axelrod library: its strategies played through our game, and our strategies beside its own."""

from __future__ import annotations

import importlib
import itertools
import sys
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

from interactive_envs.agents.trust_game import AxelrodPlayer, CoinPlayer
from interactive_envs.errors import ConfigError, MissingExtraError, UnknownNameError
from interactive_envs.trust_game.rules import Move, TrustGame
from interactive_envs.trust_game.strategies import STRATEGIES, GenerousTitForTat, play_match

ROUNDS = 50
DETERMINISTIC = (
    "Adaptive Tit For Tat",
    "Alternator",
    "Bully",
    "Contrite Tit For Tat",
    "Cooperator",
    "Defector",
    "Forgiver",
    "Go By Majority 5",
    "Gradual",
    "Grudger",
    "Handshake",
    "Hard Tit For Tat",
    "Omega TFT",
    "Prober",
    "Punisher",
    "Tit For 2 Tats",
    "Tit For Tat",
    "Win-Stay Lose-Shift",
)
OURS = {
    "tft": "Tit For Tat",
    "grim": "Grudger",
    "all-c": "Cooperator",
    "all-d": "Defector",
    "pavlov": "Win-Stay Lose-Shift",
    "suspicious-tft": "Suspicious Tit For Tat",
    "tit-for-two-tats": "Tit For 2 Tats",
    "gradual": "Gradual",
}
axelrod: Any = None
BY_NAME: dict[str, Any] = {}


@pytest.fixture(scope="module", autouse=True)
def _library() -> None:
    """Imported by the first test that runs: it takes ten seconds, which every collection would wait for."""
    global axelrod
    axelrod = importlib.import_module("axelrod")
    BY_NAME.update((strategy.name, strategy) for strategy in axelrod.all_strategies)


def theirs(
    first: Any, second: Any, rounds: int = ROUNDS, seed: int | None = None
) -> tuple[list[str], tuple[float, ...]]:
    """Moves and scores of a match in the library, at the paper's payoffs and without a known length."""
    game = axelrod.Game(r=2, s=-1, t=3, p=0)
    attributes = {"length": float("inf"), "game": game, "noise": 0}
    match = axelrod.Match((first, second), turns=rounds, game=game, match_attributes=attributes, seed=seed)
    moves = match.play()
    return ["".join(str(move) for move in seat) for seat in zip(*moves, strict=True)], match.final_score()


def test_the_library_calls_the_compared_strategies_deterministic() -> None:
    assert len(DETERMINISTIC) >= 12
    assert not any(axelrod.Classifiers["stochastic"](BY_NAME[name]()) for name in DETERMINISTIC)


@pytest.mark.parametrize("name", DETERMINISTIC)
def test_axelrods_strategies_make_the_same_moves_and_scores_here_as_in_the_library(
    name: str, play: Callable[..., dict[str, Any]]
) -> None:
    for other in DETERMINISTIC:
        record = play(AxelrodPlayer(name), AxelrodPlayer(other), ROUNDS)
        moves, scores = theirs(BY_NAME[name](), BY_NAME[other]())
        assert record["histories"] == moves, other
        assert record["totals"] == list(scores), other


@pytest.mark.long
def test_every_deterministic_strategy_of_the_library_answers_a_random_sequence_as_in_the_library(
    play: Callable[..., dict[str, Any]],
) -> None:
    sequence = [axelrod.Action.from_char(move) for move in "CDDCCCDCDDDCDCCCCDDCDCDDDCCC"]
    for name, strategy in BY_NAME.items():
        player = strategy()
        if axelrod.Classifiers["stochastic"](player) or not axelrod.Classifiers.obey_axelrod(player):
            continue
        moves, _ = theirs(player, axelrod.MockPlayer(sequence), len(sequence))
        script = type("Script", (CoinPlayer,), {"_move": lambda self, view: str(sequence[len(view.own)])})
        assert play(AxelrodPlayer(name), script(), len(sequence))["histories"] == moves, name


@pytest.mark.parametrize("name", sorted(OURS))
def test_our_strategies_are_axelrods_of_the_same_idea_move_by_move(name: str) -> None:
    for other, seed in itertools.product((*OURS.values(), "Alternator", "Bully", "Random", "Prober"), (1, 2, 3)):
        (ours, others), _ = theirs(BY_NAME[OURS[name]](), BY_NAME[other](), seed=seed)
        for played in range(ROUNDS):
            move = STRATEGIES[name](ours[:played], others[:played], None)  # type: ignore[arg-type]
            assert move == ours[played], (other, seed, played)


def test_our_matches_have_axelrods_moves_and_scores() -> None:
    for first, second in itertools.product(OURS, repeat=2):
        played = play_match(STRATEGIES[first], STRATEGIES[second], ROUNDS)
        moves, scores = theirs(BY_NAME[OURS[first]](), BY_NAME[OURS[second]]())
        assert (list(played.moves), played.totals) == (moves, tuple(scores)), (first, second)


def test_the_default_generosity_is_the_librarys_formula_at_the_papers_payoffs() -> None:
    def formula(reward: float, sucker: float, temptation: float, punishment: float) -> float:
        return min(1 - (temptation - reward) / (reward - sucker), (reward - punishment) / (temptation - punishment))

    assert axelrod.GTFT().p == pytest.approx(formula(3, 0, 5, 1))
    assert GenerousTitForTat().generosity == pytest.approx(formula(2, -1, 3, 0))


@pytest.mark.parametrize("name", ["Random", "GTFT", "First by Joss", "Bush Mosteller"])
def test_stochastic_strategies_repeat_with_the_seed_and_differ_without(
    name: str, play: Callable[..., dict[str, Any]]
) -> None:
    def moves(seed: int) -> str:
        return str(play(AxelrodPlayer(name), CoinPlayer(), 35, seeds=(seed, 5))["histories"][0])

    assert moves(1) == moves(1)
    assert len({moves(seed) for seed in range(5)}) > 1


def test_a_strategy_asked_twice_in_a_round_or_met_in_mid_match_says_the_same() -> None:
    game = TrustGame()
    state = game.start(np.random.default_rng(0), {"rounds": 20})
    early, late = AxelrodPlayer("Gradual"), AxelrodPlayer("Gradual")
    early.reset(seed=0)
    late.reset(seed=0)
    for move in "CDDCDCCC":
        info = {"view": game.view(state, 0)}
        assert early.act("", info) == early.act("", info)
        game.play(state, 0, "C" if "COOPERATE" in early.act("", info) else "D")
        game.play(state, 1, cast(Move, move))
    assert late.act("", {"view": game.view(state, 0)}) == early.act("", {"view": game.view(state, 0)})


def test_a_strategy_that_the_payoffs_leave_undefined_says_so() -> None:
    game = TrustGame()
    agent = AxelrodPlayer("ZD-GEN-2")
    agent.reset(seed=0)
    with pytest.raises(ConfigError, match="'ZD-GEN-2' is not defined for these payoffs"):
        agent.act("", {"view": game.view(game.start(np.random.default_rng(0), {}), 0)})


def test_a_record_names_the_strategy_and_the_librarys_version() -> None:
    described = {"name": "axelrod", "strategy": "Tit For Tat", "axelrod": axelrod.__version__}
    assert AxelrodPlayer("Tit For Tat").describe() == described


def test_an_unknown_strategy_is_answered_with_the_nearest_name() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'Tit For Tat'"):
        AxelrodPlayer("Tit for Tat")


def test_a_strategy_that_changes_its_opponent_is_refused() -> None:
    with pytest.raises(ConfigError, match="'Darwin' reads or changes its opponent"):
        AxelrodPlayer("Darwin")


def test_without_the_library_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "axelrod", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'interactive-envs\[axelrod\]'"):
        AxelrodPlayer("Tit For Tat")
