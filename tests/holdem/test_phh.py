"""Hand histories: ours read by PokerKit, others' and PokerKit's own replayed here, to the chip."""

from __future__ import annotations

import ast
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pokerkit
import pytest
from pokerkit import HandHistory

from interactive_envs.errors import ConfigError
from interactive_envs.holdem import phh
from interactive_envs.holdem.rules import HoldemGame, HoldemState
from tests.holdem.hands import begin, deck

DATA = Path(__file__).parent / "data"
HAND = """
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 100]
actions = ["d dh p1 AcKd", "d dh p2 7h2s", "d dh p3 QdQc", "p3 cbr 6", "p1 cc", "p2 f",
  "d db Qs9c4s", "p1 cc", "p3 cc", "d db 9h", "p1 cc", "p3 cc", "d db 2d", "p1 cc", "p3 cc", "p1 sm", "p3 sm QdQc"]
finishing_stacks = [94, 98, 108]
"""


def check(*changes: tuple[str, str], rake: bool = False) -> phh.HandCheck:
    """The hand above with some texts replaced."""
    text = HAND
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    (result,) = phh.check_text(text, rake=rake)
    return result


def random_hand(rng: np.random.Generator) -> tuple[HoldemGame, HoldemState]:
    """A finished hand of random players, 2 to 10, any stacks."""
    seats, big = int(rng.integers(2, 11)), int(rng.choice([2, 3, 10, 100]))
    stacks = [int(stack) for stack in rng.integers(1, int(rng.choice([3, 20, 200])) * big, size=seats)]
    game = HoldemGame(
        players=seats,
        small_blind=int(rng.integers(1, big + 1)),
        big_blind=big,
        ante=int(rng.choice([0, 0, 1, big])),
        ante_by=str(rng.choice(["all", "big-blind"])),
        stack=stacks,
    )
    state = game.start(rng, {})
    while (seat := game.to_move(state)) is not None:
        view = game.view(state, seat)
        texts = ["check"] if not view.to_call else ["fold", "call", "call"]
        if view.min_raise_to is not None and view.max_raise_to is not None:
            texts += [f"raise to {rng.integers(view.min_raise_to, view.max_raise_to + 1)}", "all-in"]
        game.play(state, seat, game.read(state, seat, str(rng.choice(texts))))
    return game, state


def pokerkit_stacks(text: str) -> list[Any]:
    """Finishing stacks by PokerKit's own reader."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        *_, last = HandHistory.loads(text)
    assert not last.status
    return list(last.stacks)


@pytest.mark.parametrize("count", [30, pytest.param(200, marks=pytest.mark.long)])
def test_random_hands_of_ours_end_the_same_for_pokerkit_and_read_back(count: int) -> None:
    rng = np.random.default_rng(53_12)
    for _ in range(count):
        game, state = random_hand(rng)
        (hand,) = game.record(state)["hands"]
        order = [(hand["button"] + 1 + place) % game.seats for place in range(game.seats)]
        ended = [hand["stacks"][seat] + hand["net"][seat] for seat in order]
        text = phh.export_hand(game, hand)
        assert pokerkit_stacks(text) == ended, text
        (read,) = phh.check_text(text)
        assert (read.status, read.reason, list(read.stacks)) == ("ok", "", ended), text


def test_what_everybody_saw_is_enough_for_the_same_stacks() -> None:
    rng = np.random.default_rng(9)
    for _ in range(20):
        game, state = random_hand(rng)
        (hand,) = state.past
        text = phh.export_hand(game, hand, stacks=game.stacks)
        (read,) = phh.check_text(text)
        assert (read.status, read.reason) == ("ok", ""), (str(read), text)


def test_an_exported_hand_reads_like_this() -> None:
    game = HoldemGame(players=3, stack=1000)
    hole = {0: "AhAd", 1: "KsKd", 2: "7c2d"}
    said = ("raise to 300", "call", "fold", "check", "bet 150", "fold")
    state = begin(game, *said, deck=deck(3, 0, hole, "Qs 9c 4s"))
    (hand,) = game.record(state)["hands"]
    assert phh.export_hand(game, hand, players=["Zoë", "tag:looseness=0.3", 'a "b"']) == (
        'variant = "NT"\n'
        "ante_trimming_status = true\n"
        "antes = [0, 0, 0]\n"
        "blinds_or_straddles = [50, 100, 0]\n"
        "min_bet = 100\n"
        "starting_stacks = [1000, 1000, 1000]\n"
        'actions = ["d dh p1 KsKd", "d dh p2 7c2d", "d dh p3 AhAd", "p3 cbr 300", "p1 cc", "p2 f", "d db Qs9c4s", '
        '"p1 cc", "p3 cbr 150", "p1 f"]\n'
        "hand = 1\n"
        'players = ["tag:looseness=0.3", "a \\"b\\"", "Zoë"]\n'
        "finishing_stacks = [700, 900, 1400]\n"
    )


def test_several_hands_of_an_episode_are_one_file() -> None:
    game = HoldemGame(players=2, match=3, carry=True, stack=500)
    state = begin(game, *("fold",) * 3)
    text = phh.export_hands(game, game.record(state)["hands"])
    assert [hand.finishing_stacks for hand in HandHistory.loads_all(text)] == [[550, 450], [500, 500], [550, 450]]
    checks = list(phh.check_text(text, "three"))
    assert [str(one) for one in checks] == [f"three [{number}]: ok (against finishing stacks)" for number in (1, 2, 3)]


def test_a_hand_as_everybody_saw_it_needs_the_stacks() -> None:
    game = HoldemGame(players=2)
    state = begin(game, "fold")
    with pytest.raises(ConfigError, match="stacks must be 2, one a seat"):
        phh.export_hand(game, state.past[0])


@pytest.mark.parametrize("name", ["moneymaker-farha-2003.phh", "chan-seidel-1988.phh"])
def test_well_known_hands_end_as_they_are_told(name: str) -> None:
    (told,) = phh.check_files([DATA / name])
    assert (told.status, told.reason, told.against) == ("ok", "", "finishing stacks")


def cash(name: str, rake: bool = False) -> phh.HandCheck:
    (one,) = (one for one in phh.check_files([DATA / "cash.phhs"], rake=rake) if one.name.endswith(f"[{name}]"))
    return one


def test_half_chips_are_counted_in_halves() -> None:
    assert (cash("half-chips").status, cash("half-chips").reason) == ("ok", "")
    halved = cash("odd-chip-halved")
    assert (halved.status, halved.reason) == ("ok", "")
    assert halved.stacks == (99, Fraction(201, 2), Fraction(201, 2))


def test_odd_chips_that_lie_elsewhere_are_named() -> None:
    elsewhere = "odd chips of a split pot lie elsewhere, ours less the history's: "
    other = cash("odd-chip-right-of-the-button")
    assert (other.status, other.reason) == ("ok", elsewhere + "p2 +1, p3 -1")
    thirds = cash("thirds")
    assert (thirds.status, thirds.reason.startswith(elsewhere)) == ("ok", True)


def test_a_chip_that_nobody_shares_is_no_odd_chip() -> None:
    wrong = check(("[94, 98, 108]", "[95, 98, 107]"))
    assert (wrong.status, wrong.reason) == ("difference", "ours less the history's: p1 -1, p3 +1")


def test_a_rake_is_named_where_one_is_allowed() -> None:
    assert cash("rake", rake=True).reason == "the house kept a rake, ours less the history's: p1 +0.6"
    raked = check(("[94, 98, 108]", "[94, 98, 107.3]"), rake=True)
    assert (raked.status, raked.reason) == ("ok", "the house kept a rake, ours less the history's: p3 +0.7")
    robbed = check(("[94, 98, 108]", "[94, 98, 100]"), rake=True)
    assert (robbed.status, robbed.reason) == ("difference", "ours less the history's: p3 +8")


def test_a_winner_who_is_short_of_chips_is_a_difference_unless_a_rake_is_allowed() -> None:
    short = check(("[94, 98, 108]", "[94, 98, 107.3]"))
    assert short.status == "difference"
    assert short.reason == "ours less the history's: p3 +0.7; a rake would explain it: allow one (rake)"


def test_an_ante_of_the_big_blind_is_dead_money_in_the_main_pot() -> None:
    """Worked out by hand: p3 wins 6 from p1, and from p2 its blind of 2 and the table's ante of 2."""
    paid = check(("[0, 0, 0]", "[0, 2, 0]"), ("[94, 98, 108]", "[94, 96, 110]"))
    assert (paid.status, paid.reason, paid.stacks) == ("ok", "", (94, 96, 110))
    game = HoldemGame(players=3, stack=1000, ante=100, ante_by="big-blind")
    (hand,) = game.record(begin(game, "fold", "fold"))["hands"]
    text = phh.export_hand(game, hand)
    assert "ante_trimming_status = false\nantes = [0, 100, 0]\n" in text
    assert "finishing_stacks = [950, 1050, 1000]\n" in text
    assert [one.status for one in phh.check_text(text)] == ["ok"]


def test_winnings_may_count_an_uncalled_bet_or_not() -> None:
    for name in ("uncalled", "walk"):
        assert (cash(name).status, cash(name).reason, cash(name).against) == ("ok", "", "winnings")


def test_where_a_history_gives_no_result_pokerkit_says_it() -> None:
    settled = cash("side-pots")
    assert (settled.status, settled.against) == ("ok", "PokerKit")
    assert settled.stacks == (419, 0, 0, 132)
    (text,) = [part for part in (DATA / "cash.phhs").read_text().split("\n\n") if part.startswith("[side-pots]")]
    assert pokerkit_stacks(text.split("\n", 1)[1]) == [419, 0, 0, 132]


def test_cards_given_up_win_nothing() -> None:
    assert check().status == "ok"
    # p3 mucks three queens: p1 takes 14 with ace high.
    given_up = check(
        ('"p1 sm", "p3 sm QdQc"', '"p1 sm AcKd", "p3 sm"'), ("[94, 98, 108]", "[108, 98, 94]"), ("9h", "8h")
    )
    assert (given_up.status, given_up.reason) == ("ok", "")


def test_the_histories_in_pokerkits_own_tests() -> None:
    found = []
    for path in sorted((Path(pokerkit.__file__).parent / "tests").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and "variant = " in node.value:
                found += [*phh.check_text(node.value, path.name)]
    if not found:
        pytest.skip("this PokerKit comes without its tests")
    assert [str(one) for one in found if one.status != "unsupported"] == ["test_papers.py: ok (against PokerKit)"]
    (dwan,) = (one for one in found if one.status == "ok")
    assert dwan.stacks == (572_100, 1_997_500, 1_109_500)
    assert {one.reason.split(",")[0] for one in found if one.status == "unsupported"} == {
        f"the variant is {variant!r}" for variant in ("F2L3D", "FB", "NS", "PO")
    }


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (('"NT"', '"PO"'), "the variant is 'PO', not 'NT' for no-limit Texas hold'em"),
        (("[0, 0, 0]", "[0, 2, 2]"), "the antes differ: 0, 2, 2"),
        (
            ("[0, 0, 0]", "[0, 2, 0]\nante_trimming_status = true"),
            "the big blind alone posts an ante, and antes are trimmed to one another",
        ),
        (("[1, 2, 0]", "[1, 2, 4]"), "a straddle or a blind besides small and big: 1, 2, 4"),
        (("[1, 2, 0]", "[0, 2, 0]"), "the blinds are no small and big blind: 0, 2, 0"),
        (("min_bet = 2", "min_bet = 4"), "the smallest bet is 4, not the big blind of 2"),
        (("[0, 0, 0]", "[101, 101, 101]"), "a stack is smaller than the ante, and antes are not trimmed to it"),
        (("[100, 100, 100]", "[100, inf, 100]"), "starting_stacks: Decimal('Infinity') is no amount"),
        (("[100, 100, 100]", "[100, 1e-400, 100]"), "starting_stacks: Decimal('1E-400') is no amount"),
        (("[100, 100, 100]", "[100, 0, 100]"), "stack must be a whole number from 1 to 1000000000, got 0"),
        (("[100, 100, 100]", "[100, true, 100]"), "starting_stacks: True is no amount"),
        (("[100, 100, 100]", "[100]"), "1 players; the table has 2 to 10 seats"),
        (("[94, 98, 108]", "[94, 98]"), "finishing_stacks has 2 numbers for 3 players"),
        (("p3 cbr 6", "p3 cbr six"), "p3 cbr six: 'six' is no amount"),
        (("p3 cbr 6", "p3 sd"), "'p3 sd' is no action of no-limit hold'em"),
        (("p2 f", "p4 f"), "there is no player 'p4' among 3"),
        (("d db 2d", "d db 2d3d"), "6 board cards: the board was dealt more than once"),
        (("d db 2d", "d db ??"), "there is a showdown, and the board's five cards are not all known"),
        (("d db 2d", "d db 2x"), "'2x' are no cards"),
        (('"p3 cc", "d db 2d"', '"p3 f", "d db 2d"'), "'p3 f': a fold where checking is free"),
        (("sm QdQc", "sm"), "nobody's cards at the showdown are known"),
        (('"p1 cc", "p3 cc", "p1 sm", "p3 sm QdQc"', ""), "the history ends where p1 is to act"),
        (("Qs9c4s", "AhKhQh"), "ok"),
    ],
)
def test_what_the_table_cannot_play_is_said(change: tuple[str, str], reason: str) -> None:
    result = check(change)
    if reason == "ok":
        assert result.status == "ok"
    else:
        assert result.status == "unsupported"
        assert result.reason.startswith(reason), result.reason


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            ("p3 cbr 6", "p3 cbr 3"),
            "'p3 cbr 3': That amount is not allowed: your total for this street, from 4 to 100.",
        ),
        (('"p1 cc", "p2 f"', '"p2 f", "p1 cc"'), "'p2 f': it is p1's turn"),
        (
            ('d db Qs9c4s", "p1 cc", "p3 cc", "d db 9h', 'd db Qs9c", "p1 cc", "p3 cc", "d db 4s9h'),
            "'p1 cc': 2 board cards are dealt on the flop",
        ),
        (("QdQc", "QdQs"), "Qs is dealt twice"),
        (("p3 sm QdQc", "p3 sm QdQh"), "p3 shows QdQh and was dealt QdQc"),
        (('"p1 sm"', '"p1 cc", "p1 sm"'), "'p1 cc': the hand is over"),
    ],
)
def test_what_breaks_the_rules_is_a_difference(change: tuple[str, str], reason: str) -> None:
    result = check(change)
    assert (result.status, result.reason) == ("difference", reason)


def test_a_split_that_unknown_cards_cannot_lose_is_left_open() -> None:
    board = ("Qs9c4s", "AsKsQs"), ("9h", "Js"), ("2d", "Ts")
    result = check(*board, ("AcKd", "3c3d"))
    assert result.status == "unsupported"
    assert result.reason == "p1's cards are not shown, and no two cards lose for sure"


def test_text_that_is_no_history_is_said(tmp_path: Path) -> None:
    for number, content in enumerate((b"", b"variant = ", b"\xff\xfe", b"actions = 3", b"[1]\n[2]\nvariant = 7")):
        path = tmp_path / f"{number}.phh"
        path.write_bytes(content)
        assert {one.status for one in phh.check_files([path])} == {"unsupported"}
    with pytest.raises(ConfigError, match=r"cannot read .*none\.phh: No such file"):
        list(phh.check_files([tmp_path / "none.phh"]))


def test_counts_and_exit_status() -> None:
    ok, odd = check(), cash("thirds")
    wrong, other = check(("[94, 98, 108]", "[95, 98, 107]")), check(('"NT"', '"PO"'))
    assert phh.summary([ok, odd, wrong, other]) == "4 hands: 2 ok (1 with a note), 1 differ, 1 unsupported"
    assert [phh.exit_status(checks) for checks in ([ok, other], [ok, wrong], [other], [])] == [0, 1, 1, 1]
