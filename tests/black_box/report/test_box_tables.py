"""The numbers of black boxes: by hand on made-up episodes, then through the command line on real ones."""

from __future__ import annotations

import dataclasses
import html
import json
import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from interactive_envs import catalog
from interactive_envs.black_box.base import Trial
from interactive_envs.black_box.env import read_setting
from interactive_envs.black_box.report import episodes as box_episodes
from interactive_envs.black_box.report import page as box_page
from interactive_envs.black_box.report import tables as box_tables
from interactive_envs.black_box.report.episodes import Episode, frozen
from interactive_envs.black_box.report.page import BoxTables
from interactive_envs.black_box.report.tables import curves, overlap, tables
from interactive_envs.cli.main import main
from interactive_envs.errors import ConfigError
from interactive_envs.reporting import charts
from interactive_envs.reporting.estimates import ratio, score
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.reporting.store import RunStore
from interactive_envs.reporting.tables import Table

CIRCUIT, CIPHER, RANDOM = (
    f"ibench/BlackBox-{name}-v1" for name in ("circuit-count", "cipher-atbash", "circuit-random")
)


def episode(case: int = 0, **changed: Any) -> Episode:
    """An episode of a circuit; ``setting`` and ``delayed`` change its conditions, too."""
    setting, delayed = changed.get("setting", "10@1"), changed.get("delayed", False)
    env_id = changed.get("env_id", CIRCUIT)
    feedback = "delayed" if delayed else "instant"
    made = Episode(
        player="llm:m",
        conditions={"setting": setting, "feedback": feedback},
        terms={"setting": setting, "feedback": feedback},
        setting=setting,
        allowed=read_setting(setting.partition("&")[0]),
        delayed=delayed,
        code=False,
        env_id=env_id,
        family="circuit",
        box="count",
        grade="easy",
        case=f"{env_id} {case}",
        run=(case, 0),
        marks=(1.0, 0.0),
        reward=0.5,
        turns=(10,),
        messages=12,
        invalid=0,
        asked=((1, 2, 3),),
        menu=None,
        left=(),
    )
    return dataclasses.replace(made, **changed)


def row(made: list[Table], name: str, number: int = 0) -> dict[str, Any]:
    return dict(next(table for table in made if table.name == name).rows[number])


def values(told: dict[str, Any], *names: str) -> list[Any]:
    return [told[name]["value"] for name in names]


def names(made: list[Table]) -> list[str]:
    return [table.name for table in made]


# Scores.


def test_overall_is_a_mean_over_episodes_clustered_by_box() -> None:
    played = [
        episode(0, marks=(1.0, 1.0), reward=1.0),
        episode(1, marks=(1.0, 0.0), reward=0.5, invalid=3),
        episode(0, env_id=CIPHER, family="cipher", marks=(0.0, 0.0), reward=0.0, turns=(4, 8)),
    ]
    told = row(tables(played), "overall")
    assert values(told, "score", "turns", "invalid") == [
        0.5,
        pytest.approx(26 / 3, abs=1e-5),
        pytest.approx(3 / 36, abs=1e-5),
    ]
    assert told["score"]["n"] == 3
    # Two boxes, (0.5, 0.5) and (-0.5) away from the mean: sqrt(2 * (0.5^2 + 0.5^2)) / 3 times t of one degree.
    assert told["score"]["low"] == 0.0
    assert "reward" not in told


def test_a_reward_that_is_no_score_is_told() -> None:
    told = row(tables([episode(n, reward=0.4) for n in range(3)]), "overall")
    assert values(told, "score", "reward") == [0.5, 0.4]


def test_intervals_are_by_box_by_case_where_boxes_are_generated_and_by_case_of_one_box() -> None:
    fixed = [episode(n) for n in range(3)]
    both = [*fixed, episode(0, env_id=CIPHER)]
    generated = [episode(n, env_id=RANDOM, box="random") for n in range(3)]
    assert [len(set(box_tables.cluster_numbers(part).tolist())) for part in (fixed, both, generated)] == [3, 2, 3]


def test_a_score_that_never_varies_has_wilson_s_interval_over_clusters() -> None:
    told = score([1.0] * 8, [0, 0, 1, 1, 2, 2, 3, 3])
    assert (told.value, told.high, told.n) == (1.0, 1.0, 8)
    assert told.low == pytest.approx(0.5101, abs=1e-4)  # 4 of 4
    assert (score([0.9, 1.0], [0, 1]).high, score([], []).n) == (1.0, 0)


def test_families_grades_and_boxes() -> None:
    played = [
        episode(0, marks=(1.0,)),
        episode(0, env_id=RANDOM, box="random", grade="level 3", marks=(0.0,)),
        episode(0, env_id="b", box="bits", grade="hard", marks=(0.5,)),
        episode(0, env_id=CIPHER, family="cipher", box="atbash", marks=(0.25,)),
    ]
    made = tables(played)
    assert values(row(made, "families"), "circuit", "cipher") == [0.5, 0.25]
    circuit, cipher, every = (row(made, "grades", number) for number in range(3))
    assert [line["family"] for line in (circuit, cipher, every)] == ["circuit", "cipher", "all"]
    assert values(circuit, "easy", "hard", "level_3", "every") == [1.0, 0.5, 0.0, 0.5]
    assert values(every, "easy", "every") == [0.625, 0.4375]
    shown = [(line["family"], line["box"], line["grade"]) for line in (row(made, "boxes", n) for n in range(4))]
    assert shown == [
        ("circuit", "count", "easy"),
        ("circuit", "bits", "hard"),
        ("circuit", "random", "level 3"),
        ("cipher", "atbash", "easy"),
    ]


def test_one_family_needs_no_table_of_families() -> None:
    assert names(tables([episode()])) == ["overall", "grades", "exploration", "boxes"]


# Comparisons.


def test_gain_is_paired_over_the_cases_met_under_both_settings() -> None:
    less = [episode(case, marks=(0.0,)) for case in range(4)]
    more = [episode(case, setting="20@2", marks=(float(case > 0),)) for case in range(4)]
    lonely = episode(9, setting="20@2", marks=(0.0,))
    other_terms = dataclasses.replace(
        episode(0, setting="20@2"), terms={"setting": "20@2", "feedback": "instant", "observability": "partial"}
    )
    made = tables([*more, lonely, other_terms, *less])
    told = row(made, "gain")
    assert (told["settings"], told["condition"], told["family"]) == ("10@1 to 20@2", "instant", "circuit")
    assert values(told, "before", "after", "gain", "easy_gain") == [0.0, 0.75, 0.75, 0.75]
    assert (told["after"]["n"], told["gain"]["n"]) == (4, 4)
    assert row(tables(less, more), "gain") == told  # the twins may lie in another run
    assert row(tables(less, [*more, *less]), "gain") == told  # what both played counts once
    assert "gain" not in names(tables([*less, lonely]))


def test_settings_are_compared_in_order_with_their_neighbours() -> None:
    played = [episode(0, setting=setting) for setting in ("20@2", "0@1", "10@1")]
    (table,) = [table for table in tables(played) if table.name == "gain"]
    assert [line["settings"] for line in table.rows] == ["0@1 to 10@1", "10@1 to 20@2"]


def test_feedback_is_paired_and_queries_overlap() -> None:
    instant = [episode(case, marks=(1.0,), asked=((1, 2, 3), ())) for case in range(2)]
    delayed = [episode(case, delayed=True, marks=(0.5,), asked=((2, 3, 4, 4), ())) for case in range(2)]
    told = row(tables([*instant, *delayed, episode(7)]), "feedback")
    assert told["condition"] == "10@1"
    assert values(told, "delayed", "instant", "difference", "overlap") == [0.5, 1.0, 0.5, 0.5]
    assert overlap(((1, 2), (5,)), ((1, 2), (6,))) == 0.5
    assert overlap(((),), ((),)) is None
    assert overlap((), ()) is None


# Exploration.


def test_exploration_counts_queries() -> None:
    played = [episode(0, asked=((1, 1, 2), (5,)), menu=8), episode(1, asked=((1, 2), (3, 4)), menu=8)]
    told = row(tables(played), "exploration")
    assert values(told, "queries", "distinct", "coverage") == [
        2.0,
        0.875,
        pytest.approx((1.5 / 8 + 2 / 8) / 2, abs=1e-5),
    ]
    assert (told["distinct"]["n"], told["coverage"]["n"]) == (8, 2)
    made = tables([episode(0, setting="0@1", asked=((),)), episode(0, setting="4@1", asked=())])
    assert "exploration" not in names(made)  # nothing to ask, and a game
    (table,) = [table for table in tables([episode()]) if table.name == "exploration"]
    assert [column.key for column in table.columns] == ["queries", "distinct"]  # no end of queries


def test_bits_left_at_the_start_the_middle_and_the_end() -> None:
    played = [
        episode(0, setting="4@1", turns=(4, 2), left=((4.0, 3.0, 2.0, 2.0, 1.0), (4.0, 0.0, 0.0))),
        episode(1, setting="4@1", turns=(4, 4), left=((4.0, 4.0, 4.0, 4.0, 4.0), (4.0, 4.0, 4.0, 4.0, 4.0))),
    ]
    told = row(tables(played), "bits")
    assert values(told, "start", "middle", "end", "rate") == [4.0, 2.5, 2.25, (0.75 + 2.0) / 4]
    (curve,) = curves(played)
    assert (curve["family"], curve["condition"]) == ("circuit", "4@1, instant")
    assert [point["value"] for point in curve["bits_left"]] == [4.0, 2.75, 2.5, 2.5, 2.25]
    assert curves([episode()]) == []


def gained(bits: float, case: int, player: str, delayed: bool = False, **changed: Any) -> Episode:
    return episode(case, player=player, delayed=delayed, left=((10.0, 10.0 - bits),), **changed)


def test_tiers_are_what_is_gained_beyond_random_and_beyond_a_fixed_plan() -> None:
    played = [
        *(gained(bits, case, "random") for case, bits in enumerate((2, 4))),
        *(gained(bits, case, "llm:m", delayed=True) for case, bits in enumerate((3, 6))),
        *(gained(bits, case, "llm:m") for case, bits in enumerate((5, 6))),
        *(gained(bits, case, "reference?k=1") for case, bits in enumerate((8, 8))),
    ]
    model, reference = (row(tables(played), "tiers", number) for number in range(2))
    assert (model["player"], model["condition"]) == ("llm:m", "10@1")
    assert values(model, "random", "planning", "adaptivity") == [3.0, 1.5, 1.0]
    assert values(model, "planning_share", "adaptivity_share", "beyond") == [0.3, 0.2, 0.5]
    assert values(reference, "planning", "adaptivity", "beyond") == [None, None, 1.0]
    # Another setting is another case.
    assert "tiers" not in names(tables([played[0], gained(5, 0, "llm:m", setting="20@2")]))
    assert values(row(tables(played[2:3], played[:2]), "tiers"), "planning") == [1.0]


def test_without_random_there_is_adaptivity_still() -> None:
    told = row(tables([gained(5, 0, "llm:m"), gained(4, 0, "llm:m", delayed=True)]), "tiers")
    assert values(told, "random", "adaptivity", "beyond") == [None, 1.0, None]


def test_the_interval_of_a_ratio_is_that_of_leaving_out_one_cluster_at_a_time() -> None:
    rng = np.random.default_rng(0)
    boxes = np.repeat(np.arange(50), 4)
    wholes = rng.gamma(4, 1, 200)
    parts = wholes * rng.beta(3, 3, 50)[boxes]
    told = ratio(parts, wholes, boxes)
    assert told.value == pytest.approx(parts.sum() / wholes.sum())
    without = np.array([parts[boxes != box].sum() / wholes[boxes != box].sum() for box in range(50)])
    jackknife = math.sqrt(49 / 50 * ((without - without.mean()) ** 2).sum())
    assert told.low is not None
    assert told.high is not None
    assert (told.high - told.low) / 2 == pytest.approx(2.01 * jackknife, rel=0.03)
    assert (ratio([], [], []).n, ratio([1.0], [-1.0], [0]).n) == (0, 0)


def test_qualification_is_the_mean_over_runs_of_the_baseline_test() -> None:
    ids = [name for name, unit in catalog.load()["units"].items() if unit["tags"].get("grade") == "baseline"]
    assert len(ids) == 3

    def baseline_run(number: int, *marks: tuple[float, ...]) -> list[Episode]:
        return [
            episode(number, env_id=env_id, grade="baseline", setting="12@1", marks=told)
            for env_id, told in zip(ids, marks, strict=True)
        ]

    right = (1.0, 1.0)
    played = [*baseline_run(0, right, right, right), *baseline_run(1, right, (1.0, 0.5), (1.0, 0.0))]
    told = row(tables([*played, episode(5, grade="baseline", marks=(0.0,))]), "qualification")
    assert (told["boxes"], told["qualified"], told["right"]["value"], told["right"]["n"]) == (
        "3 of 3",
        "yes",
        pytest.approx(5 / 6, abs=1e-5),
        2,
    )
    assert row(tables(baseline_run(0, right, (0.0, 1.0), (0.0, 0.0))), "qualification")["qualified"] == "no"
    assert row(tables(played[:2]), "qualification")["qualified"] == "not all boxes"
    four_of_five = [one for n in range(3) for one in baseline_run(n, right, right, (0.0,))]
    edge = row(tables(four_of_five), "qualification")
    assert (edge["right"]["value"], edge["qualified"]) == (pytest.approx(0.8), "no"), "over 80 % qualifies"


# Reading records.


def test_json_lists_become_tuples_again() -> None:
    assert frozen([[1, [2.5, None]], "ab"]) == ((1, (2.5, None)), "ab")


def test_every_count_is_made_once_and_what_is_decided_stays_so() -> None:
    calls: list[Any] = []

    def left(trial: Trial, heard: Any) -> int:
        calls.append((trial, heard))
        return int({0: 8, 1: 4}.get(len(heard), 1))

    counts = box_episodes.HypothesisCounts()
    box: Any = SimpleNamespace(left=left, n_queries=9)
    case: Any = SimpleNamespace(box=box, title="count")
    heard = ((1, 1), (2, 2), (3, 3))
    assert counts.bits(("key",), case, Trial(), heard) == (3.0, 2.0, 0.0, 0.0)
    assert len(calls) == 3
    assert counts.bits(("key",), case, Trial(), heard[:2]) == (3.0, 2.0, 0.0)
    assert counts.bits(("key",), case, Trial(), ((1, 1), (4, 4))) == (3.0, 2.0, 0.0)
    assert len(calls) == 4
    counts.bits(("key",), case, Trial(hidden=1), ())
    assert len(calls) == 5


@pytest.mark.parametrize("none", [None, 0])
def test_a_box_outside_of_the_class_has_no_bits(none: int | None) -> None:
    case: Any = SimpleNamespace(box=SimpleNamespace(left=lambda trial, heard: none))
    assert box_episodes.HypothesisCounts().bits((), case, Trial(), ((1, 1),)) is None


def cell(name: str, agent: str = "random", **arguments: Any) -> Cell:
    return Cell(f"ibench/BlackBox-{name}-v1", arguments, agent)


def test_games_stand_in_the_rows_of_the_settings_that_go_with_theirs() -> None:
    mixed = [cell("circuit-count"), cell("strategy-rps7-cycle"), cell("circuit-count", setting="20@2")]
    named = box_episodes.ConditionNames([*mixed, cell("strategy-rps7-cycle", setting="2@1")])
    assert [named.conditions(one) for one in mixed] == [
        {"setting": "10@1&1@1"},
        {"setting": "10@1&1@1"},
        {"setting": "20@2&2@1"},
    ]
    alone = box_episodes.ConditionNames(mixed[1:2])
    assert alone.conditions(mixed[1]) == {"setting": "1@1"}


def test_conditions_tell_what_varies() -> None:
    cells = [
        cell("circuit-count", feedback="delayed"),
        cell("circuit-count", observability="partial", no_interaction=True, items=3),
        cell("circuit-random", difficulty=4),
    ]
    named = box_episodes.ConditionNames(cells)
    told = [", ".join(named.conditions(one).values()) for one in cells]
    assert told == [
        "10@1, delayed, items=null, observability=full",
        "0@1, instant, items=3, observability=partial",
        "10@1, instant, items=null, observability=full",
    ]


def test_a_run_without_black_boxes_has_no_tables(tmp_path: Path) -> None:
    config = RunConfig((Cell("ibench/SituationPuzzle-v1", {}, "random"),), 1)
    assert not BoxTables().is_suite(config)
    RunStore.create(tmp_path / "run", config).close()
    with pytest.raises(ConfigError, match="holds no episode of a black box"):
        BoxTables().read_all([RunStore.read_only(tmp_path / "run")])
    told = ibench("tables", str(tmp_path / "run")).stderr
    assert "holds no episode of a black box" in told


# Pages.


def test_a_point_is_dominant_if_none_has_as_few_turns_and_as_high_a_score() -> None:
    points = [(10.0, 0.5), (5.0, 0.5), (20.0, 0.9), (20.0, 0.8), (5.0, 0.5)]
    assert box_page.dominant(points) == [False, True, True, False, True]


def many() -> list[Episode]:
    return [
        episode(
            case,
            player=player,
            setting=setting,
            delayed=delayed,
            left=((6.0, 4.0, 1.0),),
            env_id=env_id,
            family=family,
            marks=(1.0, float(case % 2)),
        )
        for player in ("llm:openrouter/some-vendor/a-model-with-a-long-name?temperature=0.7", "random", "reference")
        for setting in ("10@1", "20@2")
        for delayed in (False, True)
        for env_id, family in ((CIRCUIT, "circuit"), (CIPHER, "cipher"))
        for case in range(3)
    ]


def test_a_terminal_of_100_columns_is_wide_enough() -> None:
    made = tables(many())
    text = BoxTables().render(made)
    assert max(map(len, text.splitlines())) <= 100
    parts = {"overall", "families", "grades", "tools", "gain", "feedback", "exploration", "bits", "tiers", "boxes"}
    assert parts == set(names(made))


def test_long_tables_are_cut_in_the_terminal() -> None:
    played = [episode(0, env_id=f"{number}", box=f"box-{number:03}") for number in range(60)]
    assert "and 20 more rows on the page" in BoxTables().render(tables(played))


def test_the_page_shows_hostile_names_as_text_and_every_chart(tmp_path: Path) -> None:
    hostile = "</td><script>alert(1)</script>&\"'"
    played = [dataclasses.replace(one, player=f"llm:{hostile}") if one.player == "random" else one for one in many()]
    made = tables(played)
    with RunStore.create(tmp_path / "run", RunConfig((), 1)) as store:
        text = BoxTables().write_page(store, made, curves(played)).read_text(encoding="utf-8")
    assert "<script" not in text
    assert html.escape(hostile, quote=False).replace('"', "&#34;").replace("'", "&#39;") in text
    files = {path.stem for path in (tmp_path / "run" / "charts").iterdir()}
    assert files == {"score_by_family", "score_by_turns", "bits_by_query"}


def test_charts_are_the_same_bytes_each_time() -> None:
    played = many()[:8]
    first, second = (box_page.draw(tables(played), curves(played)) for _ in range(2))
    assert [chart.svg for chart in first] == [chart.svg for chart in second]
    assert all(isinstance(chart, charts.Chart) for chart in first)
    assert box_page.draw(tables([episode()]), [])[0].name == "score_by_family"


# The command line.


def ibench(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), catch_exceptions=False)


@pytest.fixture
def _no_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing takes longer than the episodes."""
    for drawn in ("reporting.charts", "black_box.report.page", "query_games.report.page"):
        monkeypatch.setattr(f"interactive_envs.{drawn}.draw", lambda *_: [])


@pytest.mark.usefixtures("_no_charts")
def test_a_sweep_over_boxes_ends_in_its_tables(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    result = ibench(
        "sweep",
        "ibench/BlackBox-puzzle-number-v1",
        "ibench/BlackBox-cipher-letter-number-v1",
        "--agent",
        "random",
        "--agent",
        "reference",
        "-x",
        'setting=["12@1"]',
        "-x",
        'feedback=["instant","delayed"]',
        "-k",
        "items=2",
        "--episodes",
        "2",
        "--workers",
        "1",
        "--out",
        str(folder),
    )
    assert result.exit_code == 0, result.output
    assert "Tiers of exploration" in result.stdout
    assert "boxes.html" in result.stdout
    told = json.loads((folder / "boxes.json").read_text(encoding="utf-8"))
    made = told["tables"]
    scores = {line["player"]: line["score"]["value"] for line in made["overall"]["rows"] if "inst" in line["condition"]}
    assert scores["reference"] > 0.9 > scores["random"]
    (puzzles,) = [
        line for line in made["bits"]["rows"] if line["player"] == "reference" and "inst" in line["condition"]
    ]
    assert puzzles["start"]["value"] == pytest.approx(math.log2(101), abs=1e-4)  # an integer from 0 to 100
    assert puzzles["end"]["value"] == 0.0
    assert made["tiers"]["rows"][0]["beyond"]["value"] == 1.0
    assert [line["boxes"] for line in made["qualification"]["rows"]] == ["1 of 3"] * 4
    overlaps = {(line["player"], line["family"]): line["overlap"]["value"] for line in made["feedback"]["rows"]}
    assert overlaps["random", "puzzle"] == 1.0 > overlaps["reference", "puzzle"]  # random takes no notice of replies
    assert [curve["bits_left"][0]["turn"] for curve in told["curves"]] == [0] * 4
    assert 'href="boxes.html"' in (folder / "report.html").read_text(encoding="utf-8")
    assert ibench("tables", str(folder), "--json").stdout == (folder / "boxes.json").read_text(encoding="utf-8")
    assert ibench("report", str(folder)).stdout == result.stdout


@pytest.mark.usefixtures("_no_charts")
def test_two_runs_are_compared(tmp_path: Path) -> None:
    for name, setting in (("short", "2@1"), ("long", "12@1")):
        told = ibench(
            "run",
            "ibench/BlackBox-puzzle-number-v1",
            "--agent",
            "random",
            "-k",
            f"setting={setting}",
            "-k",
            "items=1",
            "--episodes",
            "3",
            "--workers",
            "1",
            "--out",
            str(tmp_path / name),
        ).stdout
        assert "rounds" not in told  # to solve: a box is scored
    short, long = str(tmp_path / "short"), str(tmp_path / "long")
    assert not (tmp_path / "short" / "boxes.html").exists()  # one box is no suite: a line a cell
    tables = json.loads(ibench("tables", long, "--against", short, "--json").stdout)["tables"]
    (line,) = tables["gain"]["rows"]
    assert (line["settings"], line["before"]["n"], line["gain"]["n"]) == ("2@1 to 12@1", 3, 3)
    assert [line["condition"] for line in tables["overall"]["rows"]] == ["12@1"]


@pytest.mark.usefixtures("_no_charts")
def test_a_run_of_both_kinds_has_both_tables(tmp_path: Path) -> None:
    game = next(name for name in catalog.ids() if name.startswith("ibench/Query"))
    folder = str(tmp_path / "run")
    result = ibench(
        "run",
        "ibench/BlackBox-puzzle-number-v1",
        game,
        "--agent",
        "random",
        "--episodes",
        "1",
        "--workers",
        "1",
        "--out",
        folder,
    )
    assert "solved or reward" in result.stdout
    both = ibench("tables", folder).stdout
    assert "query.html" in both
    assert "boxes.html" in both
    assert set(json.loads(ibench("tables", folder, "--json").stdout)) == {"query", "boxes"}
    page = ibench("report", folder)
    assert page.exit_code == 0
    text = Path(folder, "report.html").read_text(encoding="utf-8")
    assert "The tables of the query games" in text
    assert "The tables of the black boxes" in text


def test_boxes_to_be_played_with_code_stand_apart() -> None:
    caesar = "ibench/BlackBox-cipher-caesar-v1"
    made = tables([episode(), episode(env_id=caesar, family="cipher", box="caesar", marks=(1.0, 1.0))])
    assert values(row(made, "tools"), "with_code", "without_tools") == [0.5, 1.0]
    assert not [table for table in tables([episode(env_id=caesar)]) if table.name == "tools"]


def test_a_summary_tells_them_apart_too(tmp_path: Path) -> None:
    ids = ["ibench/BlackBox-circuit-random-small-v1", "ibench/BlackBox-cipher-caesar-v1"]
    out = tmp_path / "run"
    arguments = ["run", *ids, "--agent", "random", "--episodes", "1", "--out", str(out), "-k", "setting=1@1"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    found = [(part["tools"], part["n_cells"], part["reward"]["value"]) for part in summary["tools"]]
    rewards = {cell["env"]: cell["reward"]["value"] for cell in summary["cells"]}
    assert found == [(None, 1, rewards[ids[1]]), ("with code", 1, rewards[ids[0]])]
