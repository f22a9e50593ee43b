"""The tables of query games: numbers by hand, then the command line on runs of real games."""

from __future__ import annotations

import dataclasses
import html
import itertools
import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from interactive_envs.cli import progress
from interactive_envs.cli.main import main
from interactive_envs.dialogue.view import Kind
from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.run import pool
from interactive_envs.query_games.report.information import Turn
from interactive_envs.query_games.report.page import QueryTables
from interactive_envs.query_games.report.tables import Episode, Table, curves, efficiency, tables
from interactive_envs.query_games.suites import query_suite
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.reporting.store import RunStore

PLAYERS = ("query-games/reference", "query-games/greedy-random", "query-games/random")


def episode(**changed: Any) -> Episode:
    made = Episode(
        player="query-games/reference",
        condition="clean",
        probed=False,
        interactive=True,
        game="ibench/Query-set-deductive-a-v1",
        cluster=0,
        structure="set",
        mode="deductive",
        level=1,
        outcome="success",
        rounds=4,
        messages=4,
        pair="a",
        score=100.0,
        turns=(),
        necessity=None,
    )
    return dataclasses.replace(made, **changed)


def turns(*bits: float, kind: Kind = "query") -> tuple[Turn, ...]:
    """Queries after which so many bits are left; the first number is before all, and an answer follows."""
    pairs = itertools.pairwise(bits)
    queries = [Turn(kind, before, before - after, before - after, 1.0) for before, after in pairs]
    return (*queries, Turn("final", bits[-1], premature=bits[-1] > 0))


def row(made: list[Table], name: str, number: int = 0) -> dict[str, Any]:
    return dict(next(table for table in made if table.name == name).rows[number])


def test_overall_is_the_paper_s_table_2() -> None:
    played = [
        episode(cluster=game, outcome=outcome, rounds=rounds, score=score)
        for game, outcome, rounds, score in (
            (0, "success", 4, 100.0),
            (0, "success", 6, 100.0),
            (1, "failure", 9, -10.0),
            (1, "success", 5, 100.0),
        )
    ]
    told = row(tables(played), "overall")
    assert (told["player"], told["condition"]) == ("query-games/reference", "clean")
    assert (told["success"]["value"], told["success"]["n"]) == (0.75, 4)
    assert (told["turns"]["value"], told["turns"]["n"]) == (5.0, 3)
    assert told["efficiency"]["value"] == 15.0
    assert told["score"]["value"] == 72.5
    assert told["success"]["low"] < 0.75 < told["success"]["high"]


def test_the_interval_of_efficiency_is_that_of_leaving_out_one_game_at_a_time() -> None:
    rng = np.random.default_rng(0)
    games = np.repeat(np.arange(60), 5)
    solved = rng.random(300) < rng.beta(4, 2, 60)[games]
    rounds = rng.integers(3, 12, 300)
    told = efficiency(solved.tolist(), rounds.tolist(), games.tolist())

    def plain(kept: Any) -> float:
        return float(100 * solved[kept].mean() / rounds[kept & solved].mean())

    assert told.value == pytest.approx(plain(games >= 0))
    without = np.array([plain(games != game) for game in range(60)])
    jackknife = np.sqrt(59 / 60 * ((without - without.mean()) ** 2).sum())
    assert told.high is not None
    assert told.low is not None
    assert (told.high - told.low) / 2 == pytest.approx(2.001 * jackknife, rel=0.03)


def test_efficiency_without_a_success_is_zero() -> None:
    assert (efficiency([False, False], [3, 4], [0, 1]).value, efficiency([], [], []).n) == (0.0, 0)


def test_levels_structures_and_ends() -> None:
    played = [
        episode(level=1, structure="set", mode="deductive"),
        episode(level=1, structure="tree", mode="abductive", outcome="timeout", cluster=1),
        episode(level=3, structure="tree", mode="abductive", outcome="format_error", cluster=1),
        episode(level=3, structure="tree", mode="deductive", outcome="failure", cluster=2),
    ]
    made = tables(played)
    assert [row(made, "levels")[f"level_{level}"]["value"] for level in (1, 3)] == [0.5, 0.0]
    assert "level_2" not in row(made, "levels")
    shown = [
        (line["structure"], line["deductive"]["value"], line["abductive"]["value"], line["every"]["value"])
        for line in (row(made, "structures", number) for number in range(3))
    ]
    assert shown == [("set", 1.0, None, 1.0), ("tree", 0.0, 0.0, 0.0), ("all", 0.5, 0.0, 0.25)]
    ends = row(made, "ends")
    assert [ends[end]["value"] for end in ("success", "failure", "format_error", "timeout")] == [0.25] * 4


def test_information_counts_messages_queries_and_answers() -> None:
    first = turns(2.0, 1.0, 0.0)
    wasted = (*turns(2.0, 2.0)[:1], Turn("query", 0.0, redundant=True, decided=True), Turn("invalid", 1.0))
    told = row(
        tables([episode(turns=first), episode(turns=(*wasted, Turn("final", 1.0, premature=True)))]), "information"
    )
    assert (told["bits"]["value"], told["bits"]["n"]) == (pytest.approx(2 / 5), 5)
    assert (told["regret"]["value"], told["regret"]["n"]) == (0.25, 4)
    assert (told["redundant"]["value"], told["wasted"]["value"]) == (0.25, 0.25)
    assert (told["premature"]["value"], told["premature"]["n"]) == (0.5, 2)


def test_probes_are_paired_with_their_clean_twins() -> None:
    clean = [episode(pair=f"p{number}", cluster=number) for number in range(4)]
    noise = [
        dataclasses.replace(one, condition="noise", probed=True, outcome="success" if number < 3 else "failure")
        for number, one in enumerate(clean)
    ]
    lonely = episode(condition="noise", probed=True, outcome="failure", pair="elsewhere")
    told = row(tables([*clean, *noise, lonely]), "probes")
    assert told["condition"] == "noise"
    assert (told["clean"]["value"], told["probed"]["value"], told["difference"]["value"]) == (1.0, 0.75, -0.25)
    assert (told["probed"]["n"], told["difference"]["n"]) == (4, 4)
    assert told["difference"]["low"] < -0.25 < told["difference"]["high"]
    assert row(tables([*noise, lonely], clean), "probes") == told  # the twins may lie in another run, on either side
    assert row(tables(clean, noise), "probes") == told
    assert "probes" not in [table.name for table in tables(noise)]


def test_necessity_is_the_paper_s_table_8() -> None:
    judged = [
        {
            "evidence": 8,
            "complete": True,
            "removed": [1, 2],
            "needed_smallest": [3],
            "pruned_sufficient": True,
            "after_pruning": True,
            "score": 2 / 7,
        },
        {
            "evidence": 8,
            "complete": True,
            "removed": [1, 3, 4, 5],
            "needed_smallest": [2, 3],
            "pruned_sufficient": False,
            "after_pruning": False,
            "score": 0.0,
        },
        {
            "evidence": 4,
            "complete": None,
            "removed": None,
            "needed_smallest": None,
            "pruned_sufficient": None,
            "after_pruning": None,
            "score": 0.0,
        },
    ]
    made = tables([episode(necessity=one, cluster=place) for place, one in enumerate(judged)])
    told = {
        key: (value["value"], value["n"]) for key, value in row(made, "necessity").items() if isinstance(value, dict)
    }
    assert told == {
        "complete": (pytest.approx(2 / 3), 3),
        "removed": (6 / 16, 16),
        "removable": (13 / 16, 16),
        "pruned_sufficient": (0.5, 2),
        "after_pruning": (pytest.approx(1 / 3), 3),
        "score": (pytest.approx(2 / 21), 3),
    }


def test_curves_keep_what_an_ended_episode_had() -> None:
    quick = episode(turns=turns(2.0, 0.0), messages=2)
    slow = episode(turns=turns(2.0, 2.0, 1.0), messages=3, outcome="failure", cluster=1)
    (curve,) = curves([quick, slow, episode(interactive=False, turns=turns(2.0), condition="no interaction")])
    assert [point["value"] for point in curve["bits_left"]] == [2.0, 1.0, 0.5, 0.5]
    assert [(point["turn"], point["value"]) for point in curve["solved"]] == [(1, 0.0), (2, 0.5), (3, 0.5)]


def test_a_terminal_of_100_columns_is_wide_enough() -> None:
    played = [
        episode(
            player=f"llm:openrouter/some-vendor/{name}?temperature=0.7",
            level=level,
            cluster=cluster,
            turns=turns(3, 0.5),
            condition="noise?rules=3&seed=4, budget=12",
            outcome=outcome,
            structure=structure,
        )
        for name in ("a-model-with-a-long-name-mini", "a-model-with-a-long-name-maxi")
        for structure, cluster in (("sequence", 1), ("graph", 2))
        for level in (1, 2, 3, 4, 5)
        for outcome in ("success", "failure")
    ]
    text = QueryTables().render(tables(played))
    assert max(map(len, text.splitlines())) <= 100
    assert "…" in text


def test_a_run_without_query_games_has_no_tables(tmp_path: Path) -> None:
    config = RunConfig((Cell("ibench/SituationPuzzle-v1", {}, "random"),), 1)
    assert not QueryTables().is_suite(config)
    RunStore.create(tmp_path / "run", config).close()
    with pytest.raises(ConfigError, match="holds no episode of a query game"):
        QueryTables().read_all([RunStore.read_only(tmp_path / "run")])


HOSTILE = "</td><script>alert(1)</script>&\"'"


def test_the_page_shows_hostile_names_as_text(tmp_path: Path) -> None:
    played = [
        episode(player=f"llm:{HOSTILE}", condition=HOSTILE, turns=turns(2, 0), structure=s) for s in ("set", "tree")
    ]
    made = tables(played)
    with RunStore.create(tmp_path / "run", RunConfig((), 1)) as store:
        text = QueryTables().write_page(store, made, curves(played)).read_text(encoding="utf-8")
    assert "<script" not in text
    assert html.escape(HOSTILE, quote=False).replace('"', "&#34;").replace("'", "&#39;") in text
    assert {"bits_by_turn.svg", "solved_by_turn.csv"} <= {path.name for path in (tmp_path / "run" / "charts").iterdir()}


def ibench(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), catch_exceptions=False)


def agents(*players: str) -> list[str]:
    return [part for player in players for part in ("--agent", player)]


@pytest.fixture
def _no_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing takes longer than the episodes."""
    for drawn in ("reporting.charts.draw", "query_games.report.page.draw"):
        monkeypatch.setattr(f"interactive_envs.{drawn}", lambda *_: [])


@pytest.mark.usefixtures("_no_charts")
def test_a_suite_is_played_and_ends_in_its_tables(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    result = ibench(
        "run",
        "--suite",
        "query",
        "--per-cell",
        "1",
        "--difficulty",
        "1-2",
        *agents(*PLAYERS),
        "--episodes",
        "1",
        "-k",
        "budget=12",
        "--workers",
        "1",
        "--out",
        str(folder),
    )
    assert result.exit_code == 0
    config = RunStore.read_only(folder).config
    assert {cell.arguments["difficulty"] for cell in config.cells} == {1, 2}
    assert len(config.cells) == len({cell.env_id for cell in config.cells}) * 2 * len(PLAYERS)
    total = len(config.cells)
    assert re.search(rf"^{total} cells {total} episodes, \d+ solved$", result.stderr, re.MULTILINE)
    assert result.stderr.count("\n") == 1
    assert "Success by structure and mode" in result.stdout
    assert "ibench/Query" not in result.stdout
    told = json.loads((folder / "query.json").read_text(encoding="utf-8"))["tables"]
    success = {line["player"]: line["success"]["value"] for line in told["overall"]["rows"]}
    assert success[PLAYERS[0]] > 0.9 > 0.2 > success[PLAYERS[2]]
    regret = {line["player"]: line["regret"]["value"] for line in told["information"]["rows"]}
    assert regret[PLAYERS[0]] == 0.0 < regret[PLAYERS[1]]
    assert told["information"]["rows"][0]["wasted"]["value"] == 0.0
    assert 'href="query.html"' in (folder / "report.html").read_text(encoding="utf-8")
    assert ibench("tables", str(folder), "--json").stdout == (folder / "query.json").read_text(encoding="utf-8")
    assert ibench("report", str(folder)).stdout == result.stdout


@pytest.mark.usefixtures("_no_charts")
def test_a_probed_run_is_compared_with_a_clean_one(tmp_path: Path) -> None:
    clean, noisy = tmp_path / "clean", tmp_path / "noisy"
    cells = tuple(Cell(env_id, arguments, PLAYERS[0]) for env_id, arguments in query_suite(1, (1,)))
    pool.run(RunConfig(cells, 2), clean)
    ibench(
        "run",
        "--suite",
        "query",
        "--per-cell",
        "1",
        "--difficulty",
        "1",
        *agents(PLAYERS[0]),
        "--episodes",
        "2",
        "--probe",
        "noise",
        "--out",
        str(noisy),
    )
    assert "probes" not in json.loads((noisy / "query.json").read_text(encoding="utf-8"))["tables"]
    told = json.loads(ibench("tables", str(noisy), "--against", str(clean), "--json").stdout)["tables"]
    (line,) = told["probes"]["rows"]
    assert (line["condition"], line["clean"]["n"], line["difference"]["n"]) == ("noise", 2 * len(cells), len(cells))
    assert line["clean"]["value"] == line["probed"]["value"]
    assert [line["condition"] for line in told["overall"]["rows"]] == ["noise"]


@pytest.mark.usefixtures("_no_charts")
def test_twins_without_interaction_and_other_budgets_are_conditions_of_their_own(tmp_path: Path) -> None:
    from interactive_envs import catalog

    env_id = next(name for name in catalog.ids() if name.startswith("ibench/Query"))
    folder = tmp_path / "run"
    result = ibench(
        "sweep", env_id, "-x", "budget=[6,12]", "--gain", *agents(PLAYERS[1]), "--episodes", "3", "--out", str(folder)
    )
    assert "95 % interval" in result.stdout  # one game is no suite: a line a cell
    assert not (folder / "query.html").exists()
    told = json.loads(ibench("tables", str(folder), "--json").stdout)
    conditions = [line["condition"] for line in told["tables"]["overall"]["rows"]]
    assert conditions == [
        "clean, budget=6",
        "no interaction, budget=6",
        "clean, budget=12",
        "no interaction, budget=12",
    ]
    assert [curve["condition"] for curve in told["curves"]] == ["clean, budget=6", "clean, budget=12"]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["ibench/SituationPuzzle-v1", "--suite", "query"], "name environments or a suite, not both"),
        ([], "name at least one environment; see ibench list, or give --suite query"),
        (["--per-cell", "2"], "per_cell and difficulty choose from a suite"),
        (["--suite", "query", "--difficulty", "7"], "difficulty '7' is not written like 3, 1-5 or 1,3,5"),
        (["--suite", "query", "-k", "difficulty=2"], "difficulty is no argument of a suite's environments"),
        (["--suite", "query", "--resume", "--out", "x", "--agent", "no"], "unknown agent 'no'"),
    ],
)
def test_a_mistake_is_one_line(
    arguments: list[str], line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = ibench("run", *arguments, *agents("random"))
    assert (result.exit_code, result.stderr.splitlines()[-1].startswith(f"ibench: {line}")) == (2, True), result.stderr


def test_more_cells_than_fit_on_a_terminal_share_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    count = progress.MAX_BARS + 1
    cells = tuple(Cell("ibench/SituationPuzzle-v1", {"budget": number + 1}, "random") for number in range(count))
    bars = progress.RunBars(RunConfig(cells, 2))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    for index in range(count):
        bars.advance(SimpleNamespace(cell_index=index), None)
    (bar,) = bars.bars.values()
    assert (bar.n, bar.total, bar.desc) == (count, 2 * count, f"{count} cells")
    bars.close()
