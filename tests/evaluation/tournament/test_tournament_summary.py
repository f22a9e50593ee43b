"""What a tournament's summary says, against what the rules make certain; and that the controls are luck alone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from interactive_envs.evaluation.tournament import play as tournament
from interactive_envs.evaluation.tournament import summary as tournament_summary
from interactive_envs.evaluation.tournament.play import Player, Tournament, TournamentStore
from interactive_envs.holdem import luck as tournament_luck
from interactive_envs.holdem import report as holdem_report
from interactive_envs.holdem.hands.evaluator import DECK
from interactive_envs.holdem.rules import HoldemGame
from interactive_envs.holdem.statistics import read_hand
from interactive_envs.reporting.matches import MatchRow
from interactive_envs.trust_game.metrics import METRICS, Tally, tally

TRUST, HOLDEM = "ibench/TrustGame-v1", "ibench/Holdem-v1"


def summary(folder: Path, setup: Tournament) -> dict[str, Any]:
    tournament.run(setup, folder)
    return json.loads((folder / "summary.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def setup(env_id: str, *specs: str, **changes: Any) -> Tournament:
    return Tournament(env_id, tuple(Player(spec, spec) for spec in specs), **{"format": "round-robin", **changes})


def by(name: str, entries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {entry[name]: entry for entry in entries}


# Hold'em


def test_all_in_takes_the_blinds_of_fold_and_nothing_else(tmp_path: Path) -> None:
    """On the button Fold gives up half a big blind and AllIn never acts; on the other seat it gives up a whole one."""
    told = summary(tmp_path, setup(HOLDEM, "all-in", "fold", repeats=10, arguments={"players": 2}))
    (setting,) = told["settings"]
    players = by("player", setting["players"])
    shove, fold = (players[name]["statistics"] for name in ("all-in", "fold"))
    assert [players[name]["score"]["value"] for name in ("all-in", "fold")] == [0.75, -0.75]
    assert (shove["hands"], shove["bb_per_100"]["value"], shove["chips_per_hand"]) == (20, 75, 75)
    assert (shove["vpip"]["value"], shove["pfr"]["value"], shove["fold_rate"]["value"]) == (0.5, 0.5, 0)
    assert (fold["vpip"]["value"], fold["fold_rate"]["value"]) == (0, 1)
    assert (shove["showdown_rate"]["value"], shove["aggression"]) == (None, None)
    assert (fold["share_of_gains"], shove["share_of_gains"]) == (1, None)
    assert by("method", setting["winnings"][0]["reductions"]).keys() == {
        *("plain", "duplicate", "duplicate + all-in", "duplicate + all-in + controls"),
    }
    assert setting["without_variance"][0]["left"] == "all-in"
    assert setting["variance_ratios"] == []
    assert [rating["player"] for rating in setting["ratings"]["bradley_terry"]] == ["all-in", "fold"]
    assert setting["rated_matches"] == 10


def test_two_that_play_alike_are_exactly_equal_in_duplicate(tmp_path: Path) -> None:
    players = (Player("left", "call-station"), Player("right", "call-station"), Player("third", "all-in"))
    told = summary(tmp_path, Tournament(HOLDEM, players, "tables", {"players": 3}, hands=8, duplicate=True, tables=2))
    (pair,) = [pair for pair in told["settings"][0]["pairs"] if {pair["left"], pair["right"]} == {"left", "right"}]
    for reduction in pair["reductions"][1:]:
        assert reduction["value"] == 0
    assert pair["reductions"][0]["n"] == 16
    assert pair["reductions"][1]["n"] == 48
    assert all(reduction["hands_needed"] is None for reduction in pair["reductions"])


def test_the_share_of_the_gains_that_a_loser_paid(tmp_path: Path) -> None:
    told = summary(
        tmp_path,
        setup(
            HOLDEM,
            "all-in",
            "fold",
            "call-station",
            "tag",
            format="tables",
            hands=6,
            duplicate=True,
            arguments={"players": 4},
        ),
    )
    players = told["settings"][0]["players"]
    won = {player["player"]: player["score"]["value"] * player["matches"] for player in players}
    assert sum(won.values()) == pytest.approx(0)
    for player in players:
        gains = sum(max(0.0, won[name]) for name in won if name != player["player"])
        expected = max(0.0, -won[player["player"]]) / gains
        assert player["statistics"]["share_of_gains"] == pytest.approx(expected, abs=1e-5)


def test_means_and_deviations_over_tables_are_the_papers(tmp_path: Path) -> None:
    told = summary(
        tmp_path,
        setup(
            HOLDEM,
            "call-station",
            "holdem/random",
            "fold",
            format="tables",
            tables=3,
            hands=5,
            arguments={"players": 3},
        ),
    )
    records = [record.to_json() for record in TournamentStore.read_only(tmp_path).matches()]
    by_table = [
        np.mean(
            [record["scores"][record["players"].index("fold")] * 100 for record in records if record["table"] == name]
        )
        for name in ("t0", "t1", "t2")
    ]
    shown = by("player", told["settings"][0]["players"])["fold"]["statistics"]["tables"]
    assert shown["n"] == 3
    assert shown["winnings"]["mean"] == pytest.approx(np.mean(by_table))
    assert shown["winnings"]["sd"] == pytest.approx(np.std(by_table, ddof=1), abs=1e-5)


def test_very_many_deals_are_rated_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        MatchRow(
            f"{deal:02}-{replay}",
            f"{deal:02}",
            f"{deal:02}",
            0,
            "t0",
            players,
            scores,
            (),
            (),
            counts=None,
            seconds=0.0,
        )
        for deal in range(10)
        for replay, (players, scores) in enumerate(((("a", "b"), (3.0, -3.0)), (("b", "a"), (1.0, -1.0))))
    ]
    monkeypatch.setattr(holdem_report, "RATED", 4)
    rated = holdem_report.rate_deals(rows)
    assert [(result.cluster, result.players, result.scores) for result in rated] == [
        *(("00", ("a", "b"), (6.0, -6.0)), ("03", ("a", "b"), (6.0, -6.0)), ("06", ("a", "b"), (6.0, -6.0))),
        ("09", ("a", "b"), (2.0, -2.0)),
    ]


# Luck


def dealt(deck: Sequence[str], *texts: str, players: int = 2) -> dict[str, Any]:
    """A hand from its deck and what is said, in turn; the button is seat 0."""
    game = HoldemGame(players=players)
    state = game.start(np.random.default_rng(0), {"deck": list(deck), "button": 0})
    for text in texts:
        seat = game.to_move(state)
        assert seat is not None
        game.play(state, seat, game.read(state, seat, text))
    assert state.over
    return state.hands[0]


CHECKED = ("call", "check", "bet 300", "call", "check", "check", "check", "check")


def test_the_river_gives_each_seat_nothing_on_average() -> None:
    """Over every card that could have come the corrections add up to zero, and so do the seats."""
    rng = np.random.default_rng(1)
    deck = [DECK[card] for card in rng.permutation(52)]
    place, river = 2 * 2 + 7, []
    for card in [place, *range(place + 1, 52), *(2 * 2 + burnt for burnt in (0, 4, 6))]:
        other = list(deck)
        other[place], other[card] = other[card], other[place]
        hand, holes = read_hand(dealt(other, *CHECKED))
        river.append(tournament_luck.street_luck(hand, holes, rng)[:, 2])
    assert len(river) == 52 - 4 - 4
    assert np.array(river).sum(0) == pytest.approx(np.zeros(2), abs=1e-9)
    assert np.abs(river).max() > 100
    assert np.array(river).sum(1) == pytest.approx(np.zeros(len(river)), abs=1e-9)


def test_corrections_lead_from_the_pot_before_the_flop_to_what_was_won() -> None:
    """Where nobody bets after the flop, the streets' luck is all that separates winnings from the fair share."""
    rng = np.random.default_rng(2)
    deck = [DECK[card] for card in rng.permutation(52)]
    played = dealt(deck, "call", "check", *("check",) * 6)
    hand, holes = read_hand(played)
    luck = tournament_luck.street_luck(hand, holes, rng)
    before = tournament_luck.hole_luck(holes, np.random.default_rng(3))[:, 0] * 200
    # The first is estimated from a thousand boards.
    assert luck.sum(1) + before == pytest.approx(played["net"], abs=15)


def test_cards_after_an_all_in_are_no_control() -> None:
    rng = np.random.default_rng(3)
    deck = [DECK[card] for card in rng.permutation(52)]
    hand, holes = read_hand(dealt(deck, "call", "check", "check", "all-in", "call"))
    luck = tournament_luck.street_luck(hand, holes, rng)
    assert np.abs(luck[:, 0]).max() > 0
    assert not luck[:, 1:].any()
    hand, holes = read_hand(dealt(deck, "all-in", "call"))
    assert not tournament_luck.street_luck(hand, holes, rng).any()


@pytest.mark.parametrize("hands", [60, pytest.param(150, marks=pytest.mark.long)])
def test_luck_is_zero_on_average_among_players_who_fold_and_bet(tmp_path: Path, hands: int) -> None:
    played = setup(
        HOLDEM,
        "call-station",
        "holdem/random",
        "tag?samples=20",
        "fold",
        format="tables",
        hands=hands,
        arguments={"players": 4},
    )
    tournament.run(played, tmp_path)
    records = [record.to_json() for record in TournamentStore.read_only(tmp_path).matches()]
    for player in ("call-station", "holdem/random", "tag?samples=20"):
        controls = np.array([record["luck"]["controls"][record["players"].index(player)] for record in records])
        error = controls.std(0, ddof=1) / np.sqrt(len(controls))
        assert (np.abs(controls.mean(0)) < 4 * error).all()
        assert (np.abs(controls).max(0) > 0).all()


@pytest.mark.long
def test_reduced_estimates_take_a_third_of_the_hands_for_eight_rule_players(tmp_path: Path) -> None:
    told = summary(tmp_path, tournament.load("holdem-eight-max-rules"))
    (setting,) = told["settings"]
    ratio = setting["variance_ratios"][-1]
    assert (ratio["method"], ratio["pairs"]) == ("duplicate + all-in + controls", 28)
    assert ratio["median"] >= 3
    for pair in setting["pairs"]:
        gap = pair["reductions"][-1]["gap"]
        assert abs(gap["value"]) < 2 * (gap["high"] - gap["low"]) / 2


# Trust


def test_the_trust_games_metrics_are_those_of_all_matches_together(tmp_path: Path) -> None:
    told = summary(tmp_path, setup(TRUST, "tft", "coin?p=0.5", "all-d", repeats=4, seed=5))
    (setting,) = told["settings"]
    records = [record.to_json() for record in TournamentStore.read_only(tmp_path).matches()]
    for player in setting["players"]:
        name, shown = player["player"], player["statistics"]
        total = sum(
            (
                tally(record["game"], seat, record["players"][1 - seat])
                for record in records
                for seat in range(2)
                if record["players"][seat] == name
            ),
            Tally(),
        )
        assert shown["rounds"] == total.rounds
        for metric in METRICS:
            expected = getattr(total, metric)
            assert shown[metric]["value"] == (None if expected is None else pytest.approx(expected, abs=1e-6)), metric
            if expected is not None:
                assert shown[metric]["low"] is None or shown[metric]["low"] <= shown[metric]["high"]
    assert len(setting["horizons"]) == setting["clusters"] == 4 * 3
    assert setting["expected_rounds"] == 5


def test_a_sweep_is_told_by_the_expected_number_of_rounds(tmp_path: Path) -> None:
    told = summary(tmp_path, setup(TRUST, "tft", "grim", repeats=3, sweep={"delta": (0.5, 0.8)}))
    assert [(part["point"], part["expected_rounds"]) for part in told["settings"]] == [
        ({"delta": 0.5}, 2),
        ({"delta": 0.8}, 5),
    ]
    assert told["settings"][1]["expected_rounds_cut"] == pytest.approx(5 * (1 - 0.8**35), abs=1e-6)
    for part in told["settings"]:
        for player in part["players"]:
            assert player["statistics"]["score"]["value"] == 2


def test_who_meets_himself_is_counted_but_not_rated(tmp_path: Path) -> None:
    told = summary(tmp_path, setup(TRUST, "tft", "all-d", repeats=1, self_play=True, arguments={"matches": 1}))
    (setting,) = told["settings"]
    assert {player["player"]: player["matches"] for player in setting["players"]} == {"tft": 4, "all-d": 4}
    assert setting["rated_matches"] == 2
    assert by("player", setting["players"])["all-d"]["score"]["value"] == pytest.approx((3 + 3 + 0 + 0) / 4)
    (difference,) = setting["differences"]
    assert (difference["left"], difference["right"], difference["value"]) == ("all-d", "tft", 4)


# Any game, and the terminal


def test_nothing_played_yet_has_a_summary(tmp_path: Path) -> None:
    for played in (setup(TRUST, "tft", "grim"), setup(HOLDEM, "fold", "all-in", arguments={"players": 2})):
        told = tournament_summary.summarise(played, [], 2)
        assert (told["n_planned"], told["n_valid"], told["n_missing"]) == (2, 0, 2)
        assert told["settings"][0]["players"] == []
        tournament_summary.timing(played, [])
        assert tournament_summary.table(told).startswith("player")


def test_the_terminals_table(tmp_path: Path) -> None:
    told = summary(tmp_path, setup(TRUST, "all-d", "all-c", repeats=1, sweep={"delta": (0,)}))
    assert tournament_summary.table(told) == (
        "delta = 0\n"
        "player      score  95 % interval              n  cooperates     betrays      regret\n"
        "all-d       3.000  -                         10       0.000           -       0.000\n"
        "all-c      -1.000  -                         10       1.000           -       1.000"
    )


def test_the_terminals_table_has_players_without_a_score_last(tmp_path: Path) -> None:
    told = summary(tmp_path, setup(TRUST, "all-d", "all-c", repeats=1, sweep={"delta": (0,)}))
    first = next(player for player in told["settings"][0]["players"] if player["player"] == "all-d")
    for score in (first["score"], first["statistics"].get("score", {})):  # as where every match was broken off
        score.update(value=None, low=None, high=None, n=0)
    lines = tournament_summary.table(told).splitlines()
    assert lines[2].startswith("all-c      -1.000")
    assert lines[3].split()[:4] == ["all-d", "-", "-", "0"]
