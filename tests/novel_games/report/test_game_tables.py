"""The numbers of generated games: by hand on made-up plays, then through the command line on real ones."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from interactive_envs import catalog
from interactive_envs.agent import Agent
from interactive_envs.cli.main import main
from interactive_envs.errors import ConfigError
from interactive_envs.making import make
from interactive_envs.novel_games.folder import CATEGORIES
from interactive_envs.novel_games.report import page as game_page
from interactive_envs.novel_games.report.page import GameTables
from interactive_envs.novel_games.report.tables import Play, length_of, reason_of, tables
from interactive_envs.novel_games.report.transcripts import split_observation
from interactive_envs.novel_games.suites import GAMES_V0, games_suite
from interactive_envs.reporting import charts
from interactive_envs.reporting.estimates import wilson
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.reporting.store import RunStore
from interactive_envs.reporting.tables import Table


class Clumsy(Agent):
    """Begins well as First; as Second it never says a legal move."""

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """A text."""
        return "<move>castle</move>" if info["view"].seat else str(info["legal_actions"][0])


def play(number: int = 0, **changed: Any) -> Play:
    """A play of ten moves, unlike those with other numbers."""
    made = Play(
        player="llm:m",
        condition="against rung",
        game="a",
        title="Alpha",
        name="alpha",
        category="board",
        seat=0,
        outcome="success",
        moves=(f"open {number}", *map(str, range(9))),
        reason=None,
        messages=5,
        invalid=0,
    )
    return dataclasses.replace(made, **changed)


def lost(number: int = 0, **changed: Any) -> Play:
    return play(number, outcome="failure", **changed)


def forfeit(number: int = 0, **changed: Any) -> Play:
    return play(number, **{"outcome": "forfeit", "reason": "illegal move", "moves": (), "invalid": 2, **changed})


def rows(made: list[Table], name: str) -> list[dict[str, Any]]:
    return [dict(row) for table in made if table.name == name for row in table.rows]


def value(row: Mapping[str, Any], *names: str) -> list[Any]:
    return [row[name]["value"] for name in names]


# Rates.


def test_a_draw_and_a_forfeit_are_no_wins_and_a_forfeit_has_no_score() -> None:
    plays = [play(0), play(1), lost(2), play(3, outcome="draw"), play(4, outcome="timeout"), forfeit(5)]
    (told,) = rows(tables(plays), "overall")
    assert value(told, "win", "draws", "too_long", "forfeits") == [pytest.approx(n / 6, abs=1e-5) for n in (2, 1, 1, 1)]
    assert (told["score"]["value"], told["score"]["n"], told["win"]["n"]) == (pytest.approx(3 / 5), 5, 6)


def test_a_game_s_interval_is_wilson_s_over_different_plays() -> None:
    (told,) = rows(tables([*(play(n) for n in range(6)), *(lost(n) for n in range(6, 10))]), "games")
    plain = wilson(6, 10)
    assert value(told, "win", "score") == [0.6, 0.6]
    assert (told["win"]["low"], told["win"]["high"]) == (
        pytest.approx(plain.low, abs=1e-5),
        pytest.approx(plain.high, abs=1e-5),
    )


def test_thirty_times_the_same_play_is_one_observation() -> None:
    plays = [play(0, seat=seat) for seat in (0, 1) for _ in range(15)]
    (told,) = rows(tables(plays), "games")
    assert told["different"]["value"] == pytest.approx(2 / 30, abs=1e-5)
    assert told["win"]["low"] == pytest.approx(wilson(2, 2).low, abs=1e-5)
    (one,) = rows(tables(plays[:15]), "games")
    assert one["win"]["low"] == pytest.approx(wilson(1, 1).low, abs=1e-5)


def test_every_game_weighs_the_same_and_is_the_unit_of_sampling() -> None:
    plays = [*(play(n) for n in range(8)), lost(0, game="b", title="Beta"), lost(1, game="b", title="Beta")]
    (told,) = rows(tables(plays), "overall")
    assert (told["win"]["value"], told["win"]["n"], told["games"]) == (0.5, 10, "2")
    # Two games, 1/2 away from the mean: t of one degree reaches beyond both ends.
    assert (told["win"]["low"], told["win"]["high"]) == (0.0, 1.0)
    assert [row["game"] for row in rows(tables(plays), "games")] == ["Alpha", "Beta"]


def test_a_player_that_forfeits_every_play_has_no_score() -> None:
    made = tables([forfeit(n) for n in range(3)])
    (told,) = rows(made, "overall")
    assert (told["win"]["value"], told["score"]["n"]) == (0.0, 0)
    assert "-" in GameTables().render(made)
    assert isinstance(game_page.draw(made), list)


# Groups.


def test_categories_lengths_and_seats() -> None:
    plays = [
        play(0, category="card"),
        lost(1, game="b", category="number", moves=tuple(map(str, range(25)))),
        lost(2, game="b", category="number", moves=tuple(map(str, range(23))), seat=1),
    ]
    made = tables(plays)
    assert [(row["category"], *value(row, "win")) for row in rows(made, "categories")] == [("number", 0), ("card", 1)]
    assert [(row["length"], row["win"]["n"]) for row in rows(made, "lengths")] == [("short", 1), ("middle", 2)]
    assert [(row["seat"], row["games"]) for row in rows(made, "seats")] == [("first", "2"), ("second", "1")]


@pytest.mark.parametrize(("turns", "name"), [(12, "short"), (13, "middle"), (24, "middle"), (25, "long")])
def test_length_goes_by_mean_turns_without_forfeits(turns: int, name: str) -> None:
    plays = [play(moves=("x",) * (turns - 1)), play(moves=("x",) * (turns + 1)), forfeit()]
    assert length_of(plays) == name
    assert length_of([forfeit()]) == "short"


def test_a_game_has_one_length_for_all_players() -> None:
    quick, slow = play(moves=("x",) * 4), play(moves=("x",) * 24, player="other")
    assert [row["length"] for row in rows(tables([quick, slow]), "games")] == ["middle", "middle"]


# Ends.


def test_reasons_are_counted() -> None:
    plays = [play(0), forfeit(1), forfeit(2, reason="empty"), forfeit(3)]
    made = tables(plays)
    told = [(row["reason"], row["plays"], row["games"], row["share"]["value"]) for row in rows(made, "faults")]
    assert told == [("illegal move", "2", "1", 0.5), ("empty", "1", "1", 0.25)]
    assert rows(made, "games")[0]["reasons"] == "2 illegal move, 1 empty"
    (ends,) = rows(made, "ends")
    assert value(ends, "won", "lost", "forfeits", "invalid") == [0.25, 0.0, 0.75, 0.3]


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("'castle' is not one of the legal moves.", "illegal move"),
        ("I found no action; write <move>…</move>.", "no move"),
        ("I found 2 different actions; give exactly one.", "several moves"),
        ("The message is empty.", "empty"),
        ("The time limit for this action was exceeded.", "too slow"),
        ("The message is longer than 9 characters.", "unreadable"),
        (None, "unreadable"),
    ],
)
def test_a_reason_is_that_of_the_seat_s_last_text(said: str | None, reason: str) -> None:
    texts = [{"seat": 1, "reason": "The message is empty."}, {"seat": 0, "reason": said}, {"seat": 1, "reason": None}]
    assert reason_of(texts, 0) == reason
    assert reason_of([], 0) == "unreadable"


def test_columns_of_ends_that_never_came_are_left_out() -> None:
    shown = {table.name: [column.key for column in table.columns] for table in tables([play(0), lost(1)])}
    assert shown["seats"] == ["win", "score"]
    assert shown["overall"] == ["win", "score", "draws", "too_long", "forfeits", "turns"]


def test_two_runs_are_compared_by_game() -> None:
    here = [play(0), play(1, game="b"), play(2, game="c")]
    there = [lost(0), play(1, game="b"), lost(2, game="d"), forfeit(3, game="c"), lost(4, player="other")]
    (told,) = rows(tables(here, [dataclasses.replace(one, condition="against random") for one in there]), "comparison")
    assert (told["other"], *value(told, "here", "there", "difference")) == ("against random", 1.0, 0.5, 0.5)
    assert told["difference"]["n"] == 2


# The suite.


def test_the_suite_has_every_game_from_both_seats() -> None:
    suite = games_suite(["games-v0"])
    ours = {env_id for env_id in catalog.ids() if catalog.entry(env_id)["tags"].get("set") == "games-v0"}
    assert Counter(env_id for env_id, _ in suite) == dict.fromkeys(ours, 2)
    assert {arguments["opponents"] for _, arguments in suite} == {"rung"}
    assert [arguments["seat"] for _, arguments in suite[:4]] == [0, 1, 0, 1]
    assert "ibench/Game-v1" not in dict(suite)
    small = games_suite(["games-v0"], 1, "random")
    assert len(small) == 2 * len(CATEGORIES)
    assert {env_id for env_id, _ in small} < {env_id for env_id, _ in games_suite(["games-v0"], 2)}
    with pytest.raises(ConfigError, match="at least 1 game a category"):
        games_suite(["games-v0"], 0)


def test_conditions_tell_the_opponent_and_what_differs_but_no_seat(tmp_path: Path) -> None:
    cells = tuple(
        Cell("ibench/Game-sum-shy-v1", {"seat": seat, "preset": preset}, "random")
        for seat in (0, 1)
        for preset in ("default", "paper")
    )
    store = _played(tmp_path / "run", cells)
    (plays,) = GameTables().read([store])
    assert {one.condition for one in plays} == {
        "against random, answers=name, log=true, lone=false, retries=1",
        "against rung:rollout, answers=number, log=false, lone=true, retries=4",  # as the preset has it
    }
    assert not GameTables().is_suite(store.config)
    assert GameTables().is_played(store.config)


def test_a_run_without_games_has_no_tables(tmp_path: Path) -> None:
    config = RunConfig((Cell("ibench/SituationPuzzle-v1", {}, "random"),), 1)
    assert not GameTables().is_played(config)
    assert not GameTables().is_suite(config)
    RunStore.create(tmp_path / "run", config).close()
    with pytest.raises(ConfigError, match="holds no episode of a generated game"):
        GameTables().read_all([RunStore.read_only(tmp_path / "run")])


def test_games_of_one_title_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    """Two games of games-v1 are called Toll Stairs."""
    games = ("toll-stairs", "toll-stairs-171", "sum-shy")
    cells = tuple(Cell(f"ibench/Game-{name}-v1", {"opponents": "random"}, "random") for name in games)
    (plays,) = GameTables().read([_played(tmp_path / "run", cells)])
    told = [row["game"] for row in rows(tables(plays), "games")]
    assert told == ["Sum Shy", "Toll Stairs (toll-stairs)", "Toll Stairs (toll-stairs-171)"]


def test_charts_are_the_same_bytes_each_time() -> None:
    plays = [play(0), lost(1, game="b", title="Beta", category="card"), play(2, player="$other$ <b>")]
    first, second = (game_page.draw(tables(plays)) for _ in range(2))
    assert [chart.svg for chart in first] == [chart.svg for chart in second]
    assert [chart.name for chart in first] == ["game_scores", "score_by_game"]
    assert all(isinstance(chart, charts.Chart) for chart in first)


# Transcripts.


@pytest.mark.parametrize("turn", ["You are First. It is your move.", "You are First and to move."], ids=["v1", "v0"])
def test_an_observation_is_told_in_parts(turn: str) -> None:
    first = f"# Rules\n\nYou are First.\n\n a b\n1 . .\n\n{turn} Legal moves: x, y"
    assert split_observation(first) == {
        "rules": "# Rules\n\nYou are First.",
        "notice": "",
        "moves": "",
        "board": " a b\n1 . .",
        "rest": f"{turn} Legal moves: x, y",
    }
    later = "Not read: 'z' is none. Try again.\n\nMoves so far:\n1. First: x\n2. Second: y\n\n. .\n\nhand: 3\nover"
    told = split_observation(later)
    assert told["notice"] == "Not read: 'z' is none. Try again."
    assert told["moves"].splitlines()[-1] == "2. Second: y"
    assert (told["board"], told["rest"]) == (". .\n\nhand: 3\nover", "")
    assert split_observation("")["board"] == ""


# The command line.


def ibench(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), catch_exceptions=False)


def _played(folder: Path, cells: tuple[Cell, ...]) -> RunStore:
    from interactive_envs.evaluation.run import pool

    return pool.run(RunConfig(cells, 1), folder, workers=1)


def test_two_games_end_in_their_tables(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    result = ibench(
        "run",
        "ibench/Game-sum-shy-v1",
        "ibench/Game-dictated-steps-v1",
        "--agent",
        "random",
        "--agent",
        f"{__name__}:Clumsy",
        "-k",
        "seat=1",
        "--episodes",
        "2",
        "--workers",
        "1",
        "--out",
        str(folder),
    )
    assert result.exit_code == 0, result.output
    assert "Why plays were forfeited" in result.stdout
    assert "solved" not in result.output, "games are won"
    assert f"Tables: {folder / 'games.html'}" in result.stdout
    made = json.loads((folder / "games.json").read_text(encoding="utf-8"))["tables"]
    good, bad = made["overall"]["rows"]
    assert (good["forfeits"]["value"], bad["forfeits"]["value"], bad["score"]["n"]) == (0.0, 1.0, 0)
    assert (good["condition"], good["games"], good["win"]["n"]) == ("against random", "2", 4)
    assert [(row["reason"], row["plays"]) for row in made["faults"]["rows"]] == [("illegal move", "4")]
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert 'href="games.html"' in page
    assert '<th scope="col">Win rate' in page
    assert "Accuracy" not in page
    assert "solved" not in page, "games are won"
    assert "<bdi>opponents=&#34;random&#34; (the default)</bdi>, <bdi>seat=1</bdi>" in page
    text = (folder / "transcripts" / "1-0-0.html").read_text(encoding="utf-8")
    assert 'class="text board"' in text
    assert "not legal, forfeited" in text
    assert "who was First" in text
    assert "8 of 8 episodes replay exactly" in ibench("replay", str(folder)).output
    assert ibench("tables", str(folder), "--json").stdout == (folder / "games.json").read_text(encoding="utf-8")


def test_the_suite_plays_half_of_a_game_s_plays_from_each_seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interactive_envs.novel_games.suites.GAMES_V0", dataclasses.replace(GAMES_V0, episodes=2))
    for drawn in ("reporting.charts.draw", "novel_games.report.page.draw"):  # which takes longer than the plays
        monkeypatch.setattr(f"interactive_envs.{drawn}", lambda *_: [])
    folder = tmp_path / "run"
    result = ibench(
        "run",
        "--suite",
        "games-v0",
        "--per-cell",
        "1",
        "--agent",
        "random",
        "-k",
        "opponents=random",
        "-k",
        "preset=paper",
        "--workers",
        "1",
        "--out",
        str(folder),
    )
    assert result.exit_code == 0, result.output
    config = RunStore.read_only(folder).config
    assert (config.episodes, len(config.cells)) == (2, 2 * len(CATEGORIES))
    assert {cell.arguments["preset"] for cell in config.cells} == {"paper"}
    told = json.loads((folder / "games.json").read_text(encoding="utf-8"))["tables"]
    assert [row["category"] for row in told["categories"]["rows"]] == list(CATEGORIES)
    assert [row["win"]["n"] for row in told["seats"]["rows"]] == [2 * len(CATEGORIES)] * 2
    assert [row["win"]["n"] for row in told["games"]["rows"]] == [4] * len(CATEGORIES)
    refused = ibench("run", "--suite", "games", "--agent", "random", "--difficulty", "3")
    assert "have no levels" in refused.stderr


def test_the_first_message_of_a_game_as_it_is_now_is_split() -> None:
    env = make("ibench/Game-timberfall-v1", opponents="random")
    told = split_observation(env.reset(seed=1)[0])
    env.close()
    assert told["rules"].startswith("# Timberfall")
    assert told["rules"].endswith("you lose the game.")
    assert told["board"].startswith("4  .  .  .  .\n")
    assert told["rest"].startswith("You are First. It is your move.")
