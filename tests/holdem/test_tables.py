"""Runs of one seat: every deal from every seat, winnings without luck, players and memory on the same deals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from interactive_envs.cli.main import main
from interactive_envs.evaluation.run import cells, plan, pool
from interactive_envs.evaluation.run.report import write_with_pages
from interactive_envs.evaluation.tournament import plan as tournament
from interactive_envs.holdem import luck
from interactive_envs.holdem.statistics import PlayStatistics
from interactive_envs.holdem.tables import Episode, Hand, HoldemTables, fill_arguments
from interactive_envs.making import make
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.reporting.store import RunStore

HOLDEM = "ibench/Holdem-v1"


def rows(store: RunStore, table: str) -> list[dict[str, Any]]:
    made, _ = HoldemTables().write(store)
    return [dict(row) for one in made if one.name == table for row in one.rows]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> RunStore:
    """Two players in both seats of a heads-up table, with memory and without, three matches of ten hands each."""
    given = {"players": 2, "match": 10, "opponents": "habit"}
    config = RunConfig(
        tuple(
            Cell(HOLDEM, {**given, "seat": seat, "memory": memory}, agent)
            for agent in ("reader", "call-station")
            for seat in (0, 1)
            for memory in (True, False)
        ),
        3,
    )
    return pool.run(config, tmp_path_factory.mktemp("holdem"))


def hands_of(store: RunStore, agent: str, memory: bool = True) -> dict[tuple[int, int], dict[str, Any]]:
    """The game's record by deal and seat."""
    found = {}
    for one in store.rows():
        cell = store.config.cells[one.cell]
        if (cell.agent, cell.arguments["memory"]) == (agent, memory):
            found[one.case_index, cell.arguments["seat"]] = dict(store.episode(one).game or {})
    return found


def test_a_deal_is_the_same_in_every_seat_for_every_player_with_memory_and_without(store: RunStore) -> None:
    decks: dict[int, set[str]] = {}
    for agent in ("reader", "call-station"):
        for memory in (True, False):
            for (deal, _), record in hands_of(store, agent, memory).items():
                dealt = [(hand["deck"], hand["button"], hand["hole"]) for hand in record["game"]["hands"]]
                decks.setdefault(deal, set()).add(json.dumps(dealt))
    assert [len(dealt) for _, dealt in sorted(decks.items())] == [1, 1, 1]
    assert len(set.union(*decks.values())) == 3


def test_winnings_are_those_of_all_seats_with_all_in_boards_at_their_expectation(store: RunStore) -> None:
    records = hands_of(store, "call-station")
    won = [hand["net"][seat] / 100 for (_, seat), record in records.items() for hand in record["game"]["hands"]]
    adjusted = [one["adjusted"][seat] / 100 for (_, seat), record in records.items() for one in record["luck"]]
    (row,) = [row for row in rows(store, "winnings") if row["player"] == "call-station" and not row["condition"]]
    assert (row["seats"], row["plain"]["n"]) == ("2", 60)
    assert row["plain"]["value"] == pytest.approx(np.mean(won), abs=1e-6)
    assert row["adjusted"]["value"] == pytest.approx(np.mean(adjusted), abs=1e-6)


def test_the_luck_of_a_hand_stands_in_its_record_and_is_that_of_a_tournament(store: RunStore) -> None:
    record = next(iter(hands_of(store, "reader").values()))
    for played, told in zip(record["game"]["hands"], record["luck"], strict=True):
        other = luck.luck_of({"hands": [played]}, seed=1)  # drawn with another seed, exact where nothing is drawn
        assert told["adjusted"] == pytest.approx(other["adjusted"], abs=400)
        assert np.array(told["controls"]).shape == (2, 4)


def test_players_are_compared_hand_by_hand_on_the_same_deals(store: RunStore) -> None:
    mine, others = hands_of(store, "call-station"), hands_of(store, "reader")
    gaps = [
        (left["net"][seat] - right["net"][seat]) / 100
        for (deal, seat), record in mine.items()
        for left, right in zip(record["game"]["hands"], others[deal, seat]["game"]["hands"], strict=True)
    ]
    (row,) = [row for row in rows(store, "pairs") if row["against"] == "reader" and not row["condition"]]
    assert row["player"] == "call-station"
    assert row["plain"]["value"] == pytest.approx(np.mean(gaps), abs=1e-6)


def test_memory_is_worth_nothing_to_a_player_that_uses_none(store: RunStore) -> None:
    pairs = {row["against"]: row for row in rows(store, "pairs")}
    assert pairs["call-station without memory"]["plain"] == {"value": 0.0, "low": None, "high": None, "n": 60}
    assert pairs["reader without memory"]["plain"]["n"] == 60


def test_another_run_stands_below_for_comparison(store: RunStore) -> None:
    ((episodes, others),) = [HoldemTables().read([store, store])]
    made = {table.name: table.rows for table in HoldemTables().tables(episodes, others)}
    assert made["others"] == made["winnings"]


def test_a_match_is_shown_by_its_parts(store: RunStore) -> None:
    parts = [row["hands"] for row in rows(store, "learning") if row["player"] == "reader" and not row["condition"]]
    assert parts == ["1 to 2", "3 to 4", "5 to 6", "7 to 8", "9 to 10"]


def test_the_report_links_to_the_page(store: RunStore) -> None:
    page = write_with_pages(store)
    assert "holdem.html" in page.read_text()
    assert "Luck<br>reduced" in (store.folder / "holdem.html").read_text()


# The estimator, on matches made up


def made_up(rng: np.random.Generator, *, deals: int, size: int = 40) -> list[Episode]:
    """Matches of a player that wins 0.1 per hand; its luck is four times what the cards gave."""
    found = []
    for deal in range(deals):
        hands = []
        for number in range(size):
            given, share = rng.normal(0, 2, 3), rng.normal(0, 0.1)
            won = 0.1 + 20 * share + 4 * given.sum() + rng.normal(0, 3)
            hands.append(Hand(number, won, won, (share, *given, *given), PlayStatistics(hands=1)))
        found.append(Episode(("player", ""), True, deal, 0, tuple(hands)))
    return found


def winnings(episodes: list[Episode]) -> dict[str, Any]:
    (table,) = [table for table in HoldemTables().tables(episodes) if table.name == "winnings"]
    (row,) = table.rows
    return dict(row)


def test_reduced_winnings_are_unbiased_and_vary_less() -> None:
    rng = np.random.default_rng(3)
    found = [winnings(made_up(rng, deals=12)) for _ in range(60)]
    plainly, reduced = (np.array([row[name]["value"] for row in found]) for name in ("plain", "reduced"))
    assert reduced.mean() == pytest.approx(0.1, abs=3 * reduced.std() / 60**0.5)
    assert reduced.std() < plainly.std() / 3
    covered = [row["reduced"]["low"] <= 0.1 <= row["reduced"]["high"] for row in found]
    assert 50 <= sum(covered) <= 60
    assert np.median([row["ratio"]["value"] for row in found]) > 9


def test_one_wild_pot_of_a_player_who_rarely_sees_a_flop_does_not_spoil_the_estimate() -> None:
    rng, found = np.random.default_rng(1), []
    for deal in range(3):
        hands = [Hand(n, float(rng.normal()), 0.0, (0.0,) * 7, PlayStatistics(hands=1)) for n in range(50)]
        hands = [Hand(h.number, h.won, h.won, h.controls, h.counts) for h in hands]
        hands[7] = Hand(7, 30.0, 30.0, (0, 3.0, 0, 0, 3.0, 0, 0), PlayStatistics(hands=1))
        found.append(Episode(("player", ""), True, deal, 0, tuple(hands)))
    wild = Hand(9, 249.0, 249.0, (0.37, 99.0, 0, 0, 0, 0, 0), PlayStatistics(hands=1))
    found[0] = Episode(("player", ""), True, 0, 0, (*found[0].hands[:9], wild, *found[0].hands[10:]))
    row = winnings(found)
    plainly, reduced = (row[name]["high"] - row[name]["low"] for name in ("plain", "reduced"))
    assert reduced < 1.2 * plainly


def test_from_few_deals_the_worth_of_the_estimators_is_not_told() -> None:
    assert winnings(made_up(np.random.default_rng(0), deals=4))["ratio"]["n"] == 0


# The defaults


def test_a_run_deals_a_thousand_hands_and_the_suite_every_deal_from_every_seat() -> None:
    config = cells.plan_run([(HOLDEM, {})], ["tag"])
    arguments = make(HOLDEM).unwrapped.game
    assert config.total * arguments.match == 1_000
    assert arguments.match >= 50
    chosen = plan.choose_suite("holdem")
    assert [given["seat"] for _, given in chosen] == [0, 1, 2, 3, 4, 5]
    assert len({json.dumps(given["opponents"]) for _, given in chosen}) == 1
    assert cells.suite_episodes("holdem") * 6 * 50 == 1_200


def test_a_run_of_one_seat_prints_winnings_without_luck(tmp_path: Path) -> None:
    said = ["-k", "players=2", "-k", "match=3", "--agent", "call-station", "--episodes", "2", "--workers", "1"]
    result = CliRunner().invoke(main, ["run", HOLDEM, *said, "--out", str(tmp_path / "run")])
    assert result.exit_code == 0, result.output
    assert "Winnings\n--------\n" in result.output
    assert "All-in" in result.output
    assert "n 6" in result.output


def test_the_papers_preset_is_its_match_of_500_hands_with_a_bankroll() -> None:
    env = make(HOLDEM, preset="paper", opponents="fold").unwrapped
    game = env.game
    assert (game.seats, game.match, game.carry, game.memory, env.retries) == (6, 500, True, False, 1)
    assert (game.stacks, game.small_blind, game.big_blind, game.ante) == ((10_000,) * 6, 50, 100, 0)
    filled = fill_arguments(Cell(HOLDEM, {"preset": "paper"}, "tag"))
    assert (filled["match"], filled["memory"], filled["ante"], "preset" in filled) == (500, False, 0, False)
    observation, info = env.reset(seed=0)
    assert "You play 500 hands against the same opponents." in observation
    assert '"reasoning" is for yourself, at most 20 words.' in observation
    buttons, over = [], False
    for _ in range(40):
        buttons.append((info["view"].hand, info["view"].button))
        _, _, over, _, info = env.step("call")
    assert not over
    assert {(button - hand) % 6 for hand, button in buttons} == {(buttons[0][1] - buttons[0][0]) % 6}
    assert info["view"].starting_stacks != game.stacks
    for name, tables, hands in (("holdem-six-max", 10, 500), ("holdem-eight-max", 10, 100)):
        config = tournament.load(name, [f"p{place}=fold" for place in range(6)])
        assert (config.tables, config.hands, config.carry, config.duplicate) == (tables, hands, True, False)
