"""Against the Axelrod library: its strategies played through our game, and our strategies beside its own.

To import the library takes ten seconds. Every day our strategies are held against matches that it played before, and
its player against a library of three strategies; ``python -m tests.trust_game.test_axelrod`` writes the matches anew.
"""

from __future__ import annotations

import importlib
import itertools
import json
import random
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from interactive_envs.agents.trust_game import AxelrodPlayer, CoinPlayer
from interactive_envs.errors import ConfigError, MissingExtraError, UnknownNameError
from interactive_envs.trust_game.reading import Move
from interactive_envs.trust_game.rules import TrustGame
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
RANDOM = "Random"
MATCHES = Path(__file__).parent / "axelrod_matches.json"
axelrod: Any = None
BY_NAME: dict[str, Any] = {}


@pytest.fixture(scope="module")
def _library() -> None:
    """Imported by the first test that needs it."""
    load()


def load() -> None:
    global axelrod
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its texts, when they are compiled
        axelrod = importlib.import_module("axelrod")
    BY_NAME.update((strategy.name, strategy) for strategy in axelrod.all_strategies)


needs_library = pytest.mark.usefixtures("_library")


class Player:
    """What our player needs of the library's strategies."""

    name = ""
    classifier = dict.fromkeys(("inspects_source", "manipulates_source", "manipulates_state"), False)

    def __init__(self) -> None:
        self.history: list[str] = []

    def set_match_attributes(self, *, length: float, game: Any, noise: float) -> None:
        self.game = game

    def set_seed(self, seed: int) -> None:
        self.random = random.Random(seed)

    def update_history(self, own: str, other: str) -> None:
        self.history.append(own)

    def strategy(self, other: Any) -> str:
        return "C"


class Copying(Player):
    name = "Copying"

    def strategy(self, other: Any) -> str:
        return other.history[-1] if other.history else "C"


class Tossing(Player):
    name = "Tossing"

    def strategy(self, other: Any) -> str:
        return self.random.choice("CD")


class Peeping(Player):
    name = "Peeping"
    classifier = Player.classifier | {"inspects_source": True}


class Particular(Player):
    name = "Particular"

    def set_match_attributes(self, *, length: float, game: Any, noise: float) -> None:
        raise ValueError("these payoffs")


SORTS = {
    "small": {"copying": "Copying", "tossing": "Tossing", "peeping": "Peeping", "particular": "Particular"},
    "whole": {"copying": "Tit For Tat", "tossing": "Random", "peeping": "Darwin", "particular": "ZD-GEN-2"},
}


@pytest.fixture(params=["small", pytest.param("whole", marks=pytest.mark.long)])
def sorts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A strategy of each sort, of a small library in the place of Axelrod's or of the whole one."""
    if request.param == "whole":
        load()
    else:
        small: Any = ModuleType("axelrod")
        small.__version__ = "0"
        small.all_strategies = [Copying, Tossing, Peeping, Particular]
        small.Action, small.MockPlayer, small.Game = SimpleNamespace(C="C", D="D"), Player, SimpleNamespace
        monkeypatch.setitem(sys.modules, "axelrod", small)
    return SORTS[request.param]


def theirs(
    first: Any, second: Any, rounds: int = ROUNDS, seed: int | None = None
) -> tuple[list[str], tuple[float, ...]]:
    """Moves and scores of a match in the library, at the paper's payoffs and without a known length."""
    game = axelrod.Game(r=2, s=-1, t=3, p=0)
    attributes = {"length": float("inf"), "game": game, "noise": 0}
    match = axelrod.Match((first, second), turns=rounds, game=game, match_attributes=attributes, seed=seed)
    moves = match.play()
    return ["".join(str(move) for move in seat) for seat in zip(*moves, strict=True)], match.final_score()


def matches() -> list[dict[str, Any]]:
    """Matches of the strategies that we have too, as the library plays them."""
    found = []
    for name, other in itertools.product(OURS.values(), (*OURS.values(), "Alternator", "Bully", "Prober", RANDOM)):
        for seed in (1, 2, 3) if other == RANDOM else (1,):
            moves, scores = theirs(BY_NAME[name](), BY_NAME[other](), seed=seed)
            found.append({"strategies": [name, other], "seed": seed, "moves": moves, "scores": [*map(int, scores)]})
    return found


def played_before() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(MATCHES.read_text(encoding="utf-8"))
    return found


@needs_library
@pytest.mark.long
def test_the_matches_played_before_are_those_of_the_library() -> None:
    assert matches() == played_before()


@needs_library
@pytest.mark.long
def test_the_library_calls_the_compared_strategies_deterministic() -> None:
    assert len(DETERMINISTIC) >= 12
    assert not any(axelrod.Classifiers["stochastic"](BY_NAME[name]()) for name in DETERMINISTIC)


@needs_library
@pytest.mark.long
@pytest.mark.parametrize("name", DETERMINISTIC)
def test_axelrods_strategies_make_the_same_moves_and_scores_here_as_in_the_library(
    name: str, play: Callable[..., dict[str, Any]]
) -> None:
    for other in DETERMINISTIC:
        record = play(AxelrodPlayer(name), AxelrodPlayer(other), ROUNDS)
        moves, scores = theirs(BY_NAME[name](), BY_NAME[other]())
        assert record["histories"] == moves, other
        assert record["totals"] == list(scores), other


@needs_library
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
        script = type("Script", (CoinPlayer,), {"_move": lambda self, view, draws: str(sequence[len(view.own)])})
        assert play(AxelrodPlayer(name), script(), len(sequence))["histories"] == moves, name


@pytest.mark.parametrize("name", sorted(OURS))
def test_our_strategies_are_axelrods_of_the_same_idea_move_by_move(name: str) -> None:
    known = [match for match in played_before() if match["strategies"][0] == OURS[name]]
    assert len(known) >= len(OURS)
    for match in known:
        ours, others = match["moves"]
        for played in range(ROUNDS):
            move = STRATEGIES[name](ours[:played], others[:played], None)  # type: ignore[arg-type]
            assert move == ours[played], (match, played)


def test_our_matches_have_axelrods_moves_and_scores() -> None:
    known = {tuple(match["strategies"]): match for match in played_before()}
    for first, second in itertools.product(OURS, repeat=2):
        played = play_match(STRATEGIES[first], STRATEGIES[second], ROUNDS)
        match = known[OURS[first], OURS[second]]
        assert (list(played.moves), list(played.totals)) == (match["moves"], match["scores"]), (first, second)


def formula(reward: float, sucker: float, temptation: float, punishment: float) -> float:
    """The library's, of how often a defection is forgiven."""
    return min(1 - (temptation - reward) / (reward - sucker), (reward - punishment) / (temptation - punishment))


def test_the_default_generosity_is_the_librarys_formula_at_the_papers_payoffs() -> None:
    assert GenerousTitForTat().generosity == pytest.approx(formula(2, -1, 3, 0))


@needs_library
@pytest.mark.long
def test_the_formula_is_the_librarys() -> None:
    assert axelrod.GTFT().p == pytest.approx(formula(3, 0, 5, 1))


def test_a_strategy_is_told_what_was_played(sorts: dict[str, str], play: Callable[..., dict[str, Any]]) -> None:
    own, other = play(AxelrodPlayer(sorts["copying"]), CoinPlayer(), 35)["histories"]
    assert own == "C" + other[:-1]
    assert {*other} == {*"CD"}


def assert_that_moves_repeat_with_the_seed_alone(name: str, play: Callable[..., dict[str, Any]]) -> None:
    def moves(seed: int) -> str:
        return str(play(AxelrodPlayer(name), CoinPlayer(), 35, seeds=(seed, 5))["histories"][0])

    assert moves(1) == moves(1)
    assert len({moves(seed) for seed in range(5)}) > 1


def test_stochastic_strategies_repeat_with_the_seed_and_differ_without(
    sorts: dict[str, str], play: Callable[..., dict[str, Any]]
) -> None:
    assert_that_moves_repeat_with_the_seed_alone(sorts["tossing"], play)


@needs_library
@pytest.mark.long
@pytest.mark.parametrize("name", ["GTFT", "First by Joss", "Bush Mosteller"])
def test_the_librarys_stochastic_strategies_repeat_with_the_seed_and_differ_without(
    name: str, play: Callable[..., dict[str, Any]]
) -> None:
    assert_that_moves_repeat_with_the_seed_alone(name, play)


def assert_that_late_and_early_players_agree(name: str) -> None:
    game = TrustGame()
    state = game.start(np.random.default_rng(0), {"rounds": 20})
    early, late = AxelrodPlayer(name), AxelrodPlayer(name)
    early.reset(seed=0)
    late.reset(seed=0)
    for move in "CDDCDCCC":
        info = {"view": game.view(state, 0)}
        assert early.act("", info) == early.act("", info)
        game.play(state, 0, "C" if "COOPERATE" in early.act("", info) else "D")
        game.play(state, 1, cast(Move, move))
    assert late.act("", {"view": game.view(state, 0)}) == early.act("", {"view": game.view(state, 0)})


@pytest.mark.parametrize("sort", ["copying", "tossing"])
def test_a_strategy_asked_twice_in_a_round_or_met_in_mid_match_says_the_same(sort: str, sorts: dict[str, str]) -> None:
    assert_that_late_and_early_players_agree(sorts[sort])


@needs_library
@pytest.mark.long
def test_a_strategy_with_a_long_memory_met_in_mid_match_says_the_same() -> None:
    assert_that_late_and_early_players_agree("Gradual")


def test_a_strategy_that_the_payoffs_leave_undefined_says_so(sorts: dict[str, str]) -> None:
    game = TrustGame()
    agent = AxelrodPlayer(sorts["particular"])
    agent.reset(seed=0)
    with pytest.raises(ConfigError, match=f"'{sorts['particular']}' is not defined for these payoffs"):
        agent.act("", {"view": game.view(game.start(np.random.default_rng(0), {}), 0)})


def test_a_record_names_the_strategy_and_the_librarys_version(sorts: dict[str, str]) -> None:
    version = sys.modules["axelrod"].__version__
    described = {"name": "axelrod", "strategy": sorts["copying"], "axelrod": version}
    assert AxelrodPlayer(sorts["copying"]).describe() == described


def test_an_unknown_strategy_is_answered_with_the_nearest_name(sorts: dict[str, str]) -> None:
    name = sorts["copying"]
    with pytest.raises(UnknownNameError, match=f"did you mean '{name}'"):
        AxelrodPlayer(name.replace("T", "t").replace("Cop", "Kop"))


def test_a_strategy_that_changes_its_opponent_is_refused(sorts: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match=f"'{sorts['peeping']}' reads or changes its opponent"):
        AxelrodPlayer(sorts["peeping"])


def test_without_the_library_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "axelrod", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'interactive-envs\[axelrod\]'"):
        AxelrodPlayer("Tit For Tat")


if __name__ == "__main__":
    load()
    MATCHES.write_text("[\n" + ",\n".join(map(json.dumps, matches())) + "\n]\n", encoding="utf-8")
