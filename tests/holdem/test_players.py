"""Rule players for hold'em: what they say at given moments, that it is legal, and whom they beat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest

from interactive_envs.agents.holdem import (
    AllIn,
    CallStation,
    Fold,
    Habit,
    HoldemAgent,
    RandomPlayer,
    Reader,
    TightAggressive,
    hand_share,
)
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.holdem.hands.evaluator import DECK
from interactive_envs.holdem.rules import HoldemGame, HoldemState
from interactive_envs.holdem.statistics import all_in_adjusted, read_hand
from interactive_envs.holdem.view import HandAction, HandResult, HoldemView
from interactive_envs.making import make
from interactive_envs.parsing import Unreadable

PLAYERS = (AllIn, Fold, CallStation, RandomPlayer, Habit, Reader, TightAggressive)


def view_after(
    *said: str, hole: str = "AsAh", board: str = "", seats: int = 6, stack: int | list[int] = 10_000
) -> HoldemView:
    """The View of the seat to move after these actions; it holds ``hole``. The button is the last seat."""
    game = HoldemGame(players=seats, stack=stack)
    state = play_on(game, deck_for(hole, board, seats, 0), *said)
    seat = game.to_move(state)
    assert seat is not None
    # Seat 0 is the first to get a card, except heads-up, where that is the big blind: seat 0 as well.
    return game.view(play_on(game, deck_for(hole, board, seats, seat), *said), seat)


def play_on(game: HoldemGame, deck: list[str], *said: str) -> HoldemState:
    state = game.start(np.random.default_rng(0), {"deck": deck, "button": game.seats - 1})
    for text in said:
        say(game, state, text)
    return state


def say(game: HoldemGame, state: HoldemState, text: str) -> None:
    seat = game.to_move(state)
    assert seat is not None
    move = game.read(state, seat, text)
    assert not isinstance(move, Unreadable), (text, move.reason)
    game.play(state, seat, move)


def deck_for(hole: str, board: str, seats: int, seat: int) -> list[str]:
    """A deck that deals these cards."""
    cards = {seat: hole[:2], seats + seat: hole[2:]}
    places = [2 * seats + place for place in (1, 2, 3, 5, 7)]
    cards |= {place: board[2 * i : 2 * i + 2] for i, place in enumerate(places) if board[2 * i :]}
    rest = (card for card in DECK if card not in cards.values())
    return [cards[place] if place in cards else next(rest) for place in range(52)]


def says(player: HoldemAgent, view: HoldemView, seed: int = 1) -> str:
    player.reset(seed=seed)
    return player.act("", {"view": view})


def test_all_in_moves_all_in_whenever_it_can() -> None:
    assert says(AllIn(), view_after()) == "all-in"
    assert says(AllIn(), view_after("call", "raise to 400")) == "all-in"


def test_all_in_calls_where_there_is_nothing_left_to_raise() -> None:
    assert says(AllIn(), view_after("all-in", "fold", "fold", "fold", "fold")) == "call"


def test_fold_folds_to_every_bet_and_checks_where_it_is_free() -> None:
    assert says(Fold(), view_after()) == "fold"
    assert says(Fold(), view_after("call", "call", "call", "call", "call")) == "check"


def test_call_station_never_bets_and_never_folds() -> None:
    assert says(CallStation(), view_after("all-in")) == "call"
    assert says(CallStation(), view_after("call", "call", "call", "call", "call")) == "check"


def test_random_draws_a_kind_then_a_size() -> None:
    view = view_after()
    said = [says(RandomPlayer(), view, seed) for seed in range(3_000)]
    kinds = Counter(text.split()[0] for text in said)
    assert kinds.keys() == {"fold", "call", "raise"}
    assert min(kinds.values()) > 900
    sizes = [int(text.rpartition(" ")[2]) for text in said if text.startswith("raise")]
    assert min(sizes) >= 200
    assert max(sizes) <= 10_000
    assert np.mean(sizes) == pytest.approx(5_100, abs=400)


def test_random_does_not_fold_where_checking_is_free() -> None:
    view = view_after("call", "call", "call", "call", "call")
    assert {says(RandomPlayer(), view, seed).split()[0] for seed in range(50)} == {"check", "raise"}


@pytest.mark.parametrize("player", [RandomPlayer, TightAggressive])
def test_a_player_depends_on_its_seed_and_view_alone(player: type[HoldemAgent]) -> None:
    before, board = ("fold", "fold", "fold", "fold", "call", "check"), "Qd7s2h"
    views = [view_after(*before, hole=hole, board=board) for hole in ("AsKh", "JsTh", "5s5h")]
    first, second = player(), player()
    first.reset(seed=8)
    second.reset(seed=8)
    forth = [first.choose(view) for view in views]
    assert [second.choose(view) for view in reversed(views)] == forth[::-1]


def test_without_a_seed_players_differ() -> None:
    view, said = view_after(), set()
    for _ in range(40):
        player = RandomPlayer()
        player.reset()
        said.add(player.choose(view))
    assert len(said) > 5


@pytest.mark.parametrize("looseness", [0.1, 0.35])
def test_looseness_is_the_share_of_hands_raised_first_in_with_five_opponents(looseness: float) -> None:
    view, player = view_after(), TightAggressive(looseness=looseness)
    player.reset(seed=1)
    raised = sum(
        player.choose(HoldemView(**{**view.__dict__, "hole": hole})) == "raise to 288" for hole in combinations(DECK, 2)
    )
    # Suited or not, hands of a kind are played or not together.
    assert raised / 1326 == pytest.approx(looseness, abs=12 / 1326)


@pytest.mark.parametrize(
    ("hole", "said", "board", "expected"),
    [
        ("AsAh", (), "", "raise to 288"),
        ("7s2h", (), "", "fold"),
        ("7s2h", ("fold", "fold", "fold", "fold", "call"), "", "check"),
        ("AsAh", ("raise to 300", "raise to 900"), "", "raise to 2588"),
        ("QsJh", ("raise to 300", "raise to 900"), "", "fold"),
        ("AsAh", ("all-in", "all-in"), "", "call"),
        ("9s8h", ("all-in", "all-in"), "", "fold"),
        # A flopped set is bet, and raised when bet into; nothing gives way.
        ("5s5h", ("fold", "fold", "fold", "fold", "call", "check"), "Qd7s5d", "bet"),
        ("5s5h", ("fold", "fold", "fold", "fold", "call", "check", "bet 200"), "Qd7s5d", "raise"),
        ("4s3h", ("fold", "fold", "fold", "fold", "call", "check", "bet 200"), "QdJsTd", "fold"),
        # A middle pair pays a tenth of a big pot and not half of it: the price decides.
        ("7c6h", ("fold", "fold", "fold", "raise to 1000", "fold", "call", "check", "bet 200"), "Qd7s2d", "call"),
        ("7c6h", ("fold", "fold", "fold", "raise to 1000", "fold", "call", "check", "bet 6000"), "Qd7s2d", "fold"),
    ],
)
def test_tight_aggressive_says(hole: str, said: Sequence[str], board: str, expected: str) -> None:
    view = view_after(*said, hole=hole, board=board)
    assert view.hole == (hole[:2], hole[2:])
    answer = says(TightAggressive(bluff=0), view)
    assert answer.startswith(expected.replace("bet", "raise to"))


@pytest.mark.parametrize(("stack", "expected"), [(10_000, "fold"), (200, "call")])
def test_a_bet_beyond_the_stack_improves_no_odds(stack: int, expected: str) -> None:
    # Heads-up, big blind: 9,900 to win 10,100 or 100 to win 300.
    view = view_after("all-in", hole="6s4h", seats=2, stack=[stack, 10_000])
    assert says(TightAggressive(), view) == expected
    deeper = view_after("all-in", hole="6s4h", seats=2, stack=[stack, 1_000_000])
    assert says(TightAggressive(), deeper) == expected


def test_bluffs_are_bets_with_nothing_and_as_frequent_as_asked() -> None:
    view = view_after("fold", "fold", "fold", "fold", "call", "check", "check", hole="4s3h", board="QdJs9d")
    for bluff in (0.0, 0.3, 1.0):
        bets = sum(says(TightAggressive(bluff=bluff), view, seed) == "raise to 150" for seed in range(100))
        assert bets == pytest.approx(100 * bluff, abs=15 if 0 < bluff < 1 else 0)


def test_more_aggression_raises_more_and_bigger() -> None:
    view = view_after("fold", "fold", "fold", "fold", "call", "check", hole="Qh9s", board="QdJs5d")
    assert says(TightAggressive(aggression=0.0, bluff=0), view) == "raise to 100"
    assert says(TightAggressive(aggression=1.0, bluff=0), view) == "raise to 200"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"looseness": 1.5}, "looseness must be a number from 0 to 1, got 1.5"),
        ({"aggression": "high"}, "aggression must be a number from 0 to 1, got 'high'"),
        ({"bluff": True}, "bluff must be a number from 0 to 1, got True"),
        ({"samples": 0}, "samples must be a whole number of at least 1, got 0"),
    ],
)
def test_parameters_that_cannot_work_are_refused(options: dict[str, float], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        TightAggressive(**options)  # type: ignore[arg-type]


def test_parameters_are_described() -> None:
    described = TightAggressive(looseness=0.3).describe()
    assert described == {"name": "tag", "looseness": 0.3, "aggression": 0.5, "bluff": 0.1, "samples": 200}


def test_every_player_is_legal_at_every_table() -> None:
    rng, spoken = np.random.default_rng(2), Counter[str]()
    for table in range(60):
        seats = int(rng.integers(2, 8))
        stacks = [int(chips) for chips in rng.integers(1, 3_000, seats)]
        game = HoldemGame(players=seats, stack=stacks, ante=int(rng.integers(0, 30)), match=2)
        players = [PLAYERS[i]() for i in rng.integers(1, len(PLAYERS), seats - 1)] + [TightAggressive(samples=20)]
        for player in players:
            player.reset(seed=table)
        state = game.start(rng, {})
        while (seat := game.to_move(state)) is not None:
            said = players[seat].act("", {"view": game.view(state, seat)})
            say(game, state, said)
            spoken[said.split()[0]] += 1
    assert min(spoken[word] for word in ("fold", "check", "call", "raise", "all-in")) > 20


@pytest.mark.parametrize("decks", [50, pytest.param(500, marks=pytest.mark.long)])
@pytest.mark.parametrize("opponent", [AllIn, Fold, CallStation, RandomPlayer])
def test_tight_aggressive_beats_the_simple_players(opponent: type[HoldemAgent], decks: int) -> None:
    # Each deck is played from both seats, all-ins count with their expectation.
    game, rng, won = HoldemGame(players=2), np.random.default_rng(6), []
    for deck in range(decks):
        cards = [DECK[i] for i in rng.permutation(52)]
        results = []
        for seat in (0, 1):
            players: list[HoldemAgent] = [opponent(), opponent()]
            players[seat] = TightAggressive(samples=50)
            for player in players:
                player.reset(seed=deck)
            state = game.start(rng, {"deck": cards, "button": 0})
            while (mover := game.to_move(state)) is not None:
                say(game, state, players[mover].choose(game.view(state, mover)))
            hand, holes = read_hand(game.record(state)["hands"][0])
            results.append(all_in_adjusted(hand, holes, rng=rng, samples=500)[seat])
        won.append(np.mean(results))
    assert np.mean(won) > 2 * np.std(won) / len(won) ** 0.5


RIVER = ("call", *["check"] * 6)
"""Heads-up: the button calls, then everybody checks until the big blind opens the river."""


@pytest.mark.parametrize(
    ("hole", "board", "bluffs", "honest"),
    [
        ("3s2h", "QdJs9d8h4c", "raise to 600", "check"),
        ("QsQh", "QdJs9d8h4c", "check", "raise to 600"),
        ("9s4h", "QdJs9d8h2c", "check", "check"),
    ],
)
def test_a_habit_bets_three_pots_on_the_river_with_its_hands_alone(
    hole: str, board: str, bluffs: str, honest: str
) -> None:
    view = view_after(*RIVER, hole=hole, board=board, seats=2)
    assert (view.street, view.pot) == ("river", 200)
    share = hand_share(view.hole, view.board)
    assert (share < 1 / 3, share > 2 / 3) == (bluffs != "check", honest != "check")
    assert says(Habit(kind="bluffs"), view) == bluffs
    assert says(Habit(kind="honest"), view) == honest


def test_a_habit_is_drawn_for_each_match_and_kept() -> None:
    player, drawn = Habit(), []
    for seed in range(40):
        player.reset(seed=seed)
        drawn.append(player.kind)
    assert 10 < drawn.count("bluffs") < 30
    with pytest.raises(UnknownNameError, match="unknown kind 'bluff'; did you mean 'bluffs'"):
        Habit(kind="bluff")


def showdown(number: int, cards: str, board: str) -> HandResult:
    """A hand in which seat 0 bet on the river and showed its cards."""
    shown = ((cards[:2], cards[2:]), ())
    places = tuple(board[place : place + 2] for place in range(0, 10, 2))
    return HandResult(number, 0, (100, -100), places, shown, (HandAction("river", 0, "bet", 100),))


def test_a_reader_calls_a_bettor_who_showed_bad_hands_and_folds_to_one_who_showed_good_ones() -> None:
    view = view_after("call", "check", *["check"] * 4, "bet 600", hole="9s4h", board="QdJs9d8h2c", seats=2)
    assert (view.seat, view.to_call) == (1, 600)  # 600 to win 800: it needs 3/7
    before = {kind: tuple(showdown(n, cards, "QdJs9d8h4c") for n in range(3)) for kind, cards in KINDS.items()}
    answers = {kind: says(Reader(), HoldemView(**{**view.__dict__, "past": past})) for kind, past in before.items()}
    assert answers == {"bluffs": "call", "honest": "fold"}


KINDS = {"bluffs": "3s2h", "honest": "QsQh"}


@pytest.mark.long
@pytest.mark.parametrize("matches", [40])
def test_who_learns_an_opponents_habit_at_showdowns_earns_more_than_the_same_player_without_memory(
    matches: int,
) -> None:
    """Opponent modelling is measurable: the same deals and the same opponents, with memory and without."""
    gains = []
    for seed in range(matches):
        won = {}
        for memory in (True, False):
            env = make("ibench/Holdem-v1", players=2, opponents="habit", memory=memory)
            observation, info = env.reset(seed=seed)
            player, over = Reader(), False
            while not over:
                observation, _, over, _, info = env.step(player.act(observation, info))
            won[memory] = sum(hand["net"][0] for hand in env.unwrapped.record()["game"]["hands"]) / 5_000
            assert info["view"].hands == 50
        gains.append(won[True] - won[False])
    assert np.mean(gains) > 0.2  # big blinds per hand
    assert np.mean(gains) > 2.5 * np.std(gains, ddof=1) / matches**0.5
