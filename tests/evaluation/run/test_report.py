"""The page and its files, without a browser."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
import runpy
import sys
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from interactive_envs.errors import MissingExtraError
from interactive_envs.evaluation.run import report
from interactive_envs.reporting import charts, metrics, page
from interactive_envs.reporting import summary as run_summary
from interactive_envs.reporting.estimates import mean
from interactive_envs.reporting.metrics import METRICS, Metric
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.reporting.store import RunStore
from interactive_envs.reporting.words import GAMES, TASKS

METRIC = {metric.key: metric for metric in METRICS}
FAKE = runpy.run_path(str(Path(__file__).parents[2] / "reporting" / "fake_run.py"))
AWKWARD = "llm:x/$\\frac{1}$%<b>_^\u202e漢字\x07"


class Outline(HTMLParser):
    """Tags and text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.said: list[str] = []
        self.feed(page)
        self.text = " ".join(" ".join(self.said).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.said.append(data)

    def links(self) -> list[str]:
        return [attributes["href"] or "" for tag, attributes in self.tags if tag == "a"]


def written(store: RunStore, *, figures: bool = False) -> tuple[str, Outline]:
    """The page; drawing its charts takes longer than all the rest."""
    with pytest.MonkeyPatch.context() as patch:
        if not figures:
            patch.setitem(sys.modules, "matplotlib", None)
        page = report.write(store).read_text(encoding="utf-8")
    return page, Outline(page)


def drawn(store: RunStore) -> dict[str, charts.Chart]:
    rows = store.rows()
    summary = run_summary.summarise(store.config, rows, run_summary.judges_of(store, rows))
    return {chart.name: chart for chart in charts.draw(store.config, summary, run_summary.timing(store.config, rows))}


@dataclass(frozen=True)
class Whole:
    """A page with everything."""

    folder: Path
    page: str
    outline: Outline
    figures: list[charts.Chart]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    folder, draw, figures = tmp_path_factory.mktemp("whole"), charts.draw, list[charts.Chart]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(charts, "draw", lambda *told: figures.extend(draw(*told)) or figures)
        page, outline = written(FAKE["build"](folder, FAKE["configuration"](episodes=4)), figures=True)
    return Whole(folder, page, outline, figures)


@pytest.fixture
def unpainted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Charts without pictures, for tests of their words and numbers."""
    monkeypatch.setattr(
        charts,
        "as_chart",
        lambda name, title, caption, figure, table: charts.Chart(name, title, caption, "<svg>", b"", table),
    )


def test_the_page_stands_alone_and_every_link_leads_to_a_file(whole: Whole) -> None:
    page, outline = whole.page, whole.outline
    assert page.startswith("<!DOCTYPE html>")
    assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:" in page
    assert not {tag for tag, _ in outline.tags} & {"script", "link", "img", "iframe", "object", "form"}
    assert not re.findall(r"""(?:src|href)=["']?(?:https?:|//)""", page)
    for link in outline.links():
        if not link.startswith("#"):
            assert (whole.folder / link).is_file(), link


def test_sections_come_in_order(whole: Whole) -> None:
    sections = [attributes.get("id") for tag, attributes in whole.outline.tags if tag == "section"]
    assert sections == ["results", "charts", "differences", "cases", "transcripts", "setup"]


def test_the_page_warns_of_missing_episodes_faults_and_estimates(tmp_path: Path) -> None:
    store = FAKE["build"](tmp_path, FAKE["configuration"](), skip={(0, 3), (1, 1)}, faults=3)
    _, outline = written(store)
    assert "2 of 144 episodes are missing" in outline.text
    assert "3 attempts broke" in outline.text
    assert "judge offline, whose verdicts are estimates" in outline.text


def test_a_finished_exact_run_has_no_warning(tmp_path: Path) -> None:
    config = FAKE["configuration"](agents=("rule",), modes=("menu",), twins=False, episodes=1)
    page, outline = written(FAKE["build"](tmp_path, config), figures=True)
    assert 'class="warning"' not in page
    assert "none: truth is exact" in outline.text
    assert "1 player, 1 cell of 1 episode, 1 of 1 played" in outline.text


def test_a_run_that_has_not_begun_is_reported_as_such(tmp_path: Path) -> None:
    config = FAKE["configuration"](episodes=1)
    everything = {(cell, 0) for cell in range(len(config.cells))}
    _, outline = written(FAKE["build"](tmp_path, config, skip=everything))
    assert "No episode has ended yet." in outline.text


def test_forced_finals_get_a_column_and_a_sign_of_their_own(tmp_path: Path) -> None:
    _, outline = written(FAKE["build"](tmp_path, FAKE["configuration"](), forced=True))
    assert "with forced final" in outline.text
    assert "(✓) solved by the forced final answer" in outline.text


def scored_run(folder: Path, *cells: Cell, action: str = "", rewards: tuple[float, ...] = (0.0, 0.0, 0.5)) -> Outline:
    """A run of a scored task, its page; every cell has the same rewards."""
    config = RunConfig(cells, len(rewards))
    with RunStore.create(folder, config) as store:
        for index, (case, reward) in itertools.product(range(len(cells)), enumerate(rewards)):
            record = FAKE["record"](config, index, case, 0, "", 0, False, True)
            step = {"action": action, "kind": "query", "observation": "Build it."}
            scored = {"outcome": "scored", "reward": reward, "won_by": None, "first_final": None}
            store.append(record | scored | {"steps": [step]})
    return written(RunStore.read_only(folder))[1]


def test_scored_tasks_have_their_mean_and_no_columns_without_a_value(tmp_path: Path) -> None:
    outline = scored_run(tmp_path, Cell("ibench/UI2Html-v1", {}, "rule"))
    assert "rule scored 0.17 [0.00, 0.88], n = 3." in outline.text
    assert "Reward : mean an episode" in outline.text
    for absent in ("Accuracy", "Turns to solve", "First final right", "Gain by interaction", "no data"):
        assert absent not in outline.text
    assert "The number is the reward; each sign" in outline.text
    assert "◆ 0.50" in outline.text


def test_beside_other_tasks_a_scored_one_leaves_their_columns_empty(tmp_path: Path) -> None:
    config = RunConfig((Cell("ibench/UI2Html-v1", {}, "rule"), Cell(FAKE["ENV"], {"mode": "menu"}, "rule")), 2)
    with RunStore.create(tmp_path, config) as store:
        for index, case in itertools.product((0, 1), (0, 1)):
            record = FAKE["record"](config, index, case, 0, "", 0, False, True)
            scored = {"outcome": "scored", "reward": 0.5, "won_by": None, "first_final": None}
            store.append(record | ({} if index else scored))
    _, outline = written(RunStore.read_only(tmp_path))
    assert "rule 2 of 2 2 cases \N{EN DASH} 0.50" in outline.text


def test_a_page_folds_by_itself_and_the_question_about_it_stays_in_sight(tmp_path: Path) -> None:
    html = f"<html><body>{'<p>A paragraph.</p>' * 60}</body></html>"
    cell = Cell("ibench/UI2Html-v1", {}, "rule")
    scored_run(tmp_path, cell, action=f"{html}\n<ask>Should I centre it?</ask>", rewards=(0.5,))
    page = (tmp_path / "transcripts" / "0-0-0.html").read_text(encoding="utf-8")
    assert '<div class="text" dir="auto">&lt;ask&gt;Should I centre it?&lt;/ask&gt;</div>' in page
    assert page.count('<details class="fold">') == 1
    assert '<span class="preview" dir="auto">&lt;html&gt;&lt;body&gt;' in page


def test_failures_come_first_and_the_players_take_turns(tmp_path: Path) -> None:
    page, _ = written(FAKE["build"](tmp_path, FAKE["configuration"](modes=("menu",), twins=False)))
    signs = re.findall(r'<details class="episode"><summary><span class="(\w+)">[^<]*</span>[^,]*, <bdi>(\w+)', page)
    tones = [tone for tone, _ in signs]
    assert len(signs) == 36
    assert {player for _, player in signs[:3]} == {"local", "rule", "random"}
    assert "ok" not in tones[: len(tones) - tones.count("ok")]


def test_a_transcript_shows_reasons_verdicts_raw_replies_tokens_and_the_solution(tmp_path: Path) -> None:
    config = FAKE["configuration"](agents=("local",), modes=("free",), twins=False)
    store = FAKE["build"](tmp_path, config)
    written(store)
    invalid = next(row for row in store.rows() if row.invalid and row.abstained)
    text = Outline((tmp_path / "transcripts" / report.file_name(invalid)).read_text(encoding="utf-8")).text
    record = store.record(invalid)
    for part in ("Not read: no <ask> or <answer> found", "nearest fact: cosine 0.61", "could not read the request"):
        assert part in text
    assert '{"verdict": "irrelevant"}' in text
    assert record["solution"] in text
    assert f"{record['steps'][0]['calls'][0]['usage']['prompt']} + " in text


def test_long_texts_are_folded_and_cut_in_the_page_only(tmp_path: Path) -> None:
    config = FAKE["configuration"](agents=("local",), modes=("menu",), twins=False, episodes=1)
    store = FAKE["build"](tmp_path, config, filler=9_000)
    page, _ = written(store)
    whole = (tmp_path / "transcripts" / "0-0-0.html").read_text(encoding="utf-8")
    assert "… (cut here)" in page
    assert '<details class="fold">' in whole
    assert "… (cut here)" not in whole


def test_many_epochs_share_a_cell_of_the_case_table(tmp_path: Path) -> None:
    config = FAKE["configuration"](agents=("rule",), modes=("menu",), twins=False, episodes=12)
    page, outline = written(FAKE["build"](tmp_path, config, cases=2))
    assert len([link for link in outline.links() if link.startswith("transcripts/")]) == 2 * report.EPOCHS
    assert re.search(r"<small>\d of 6 solved</small>", page)


def test_big_tables_are_cut_and_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "GLYPHS", 4)
    monkeypatch.setattr(report, "TABLE_ROWS", 1)
    monkeypatch.setattr(report, "FILES", 5)
    config = FAKE["configuration"](modes=("menu",), twins=False)
    _, outline = written(FAKE["build"](tmp_path, config))
    assert "5 further cases are left out here" in outline.text
    assert "The first 1 of 3 pairs" in outline.text
    assert "31 episodes have no file of their own" in outline.text
    assert len(list((tmp_path / "transcripts").iterdir())) == 5


def test_charts_leave_the_page_when_it_would_be_too_big(
    whole: Whole, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(charts, "draw", lambda *_: whole.figures)
    monkeypatch.setattr(report, "SIZE", 150_000)
    path = report.write(FAKE["build"](tmp_path, FAKE["configuration"]()))
    assert path.stat().st_size <= 150_000
    assert (tmp_path / "charts" / "accuracy_seconds.svg").is_file()


def test_without_matplotlib_the_page_says_how_to_get_charts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    store = FAKE["build"](tmp_path, FAKE["configuration"](episodes=1))
    with pytest.raises(MissingExtraError, match=r"pip install 'interactive-envs\[report\]'"):
        drawn(store)
    _, outline = written(store)
    assert "pip install 'interactive-envs[report]'" in outline.text


@pytest.mark.usefixtures("unpainted")
def test_an_unknown_price_is_called_unknown(tmp_path: Path) -> None:
    store = FAKE["build"](tmp_path, FAKE["configuration"](episodes=3), priced=False)
    _, outline = written(store)
    assert "of play, unknown" in outline.text
    # What is left to draw costs nothing, so there is no chart of it.
    assert "accuracy_cost" not in drawn(store)
    rows = store.rows()
    summary, timing = run_summary.summarise(store.config, rows), run_summary.timing(store.config, rows)
    timing["cells"][-1]["cost_per_episode"]["value"] = 0.1
    (chart,) = (chart for chart in charts.draw(store.config, summary, timing) if chart.name == "accuracy_cost")
    assert chart.caption.endswith("Left out: 4 of unknown price.")


def test_records_of_other_environments_may_lack_fields(tmp_path: Path) -> None:
    config = FAKE["configuration"](agents=("rule",), modes=("menu",), twins=False, episodes=1)
    with RunStore.create(tmp_path, config) as store:
        record = FAKE["record"](config, 0, 0, 0, "", 0, False, True)
        bare = {key: record[key] for key in record if key not in {"versions", "models", "wrappers", "solution", "env"}}
        bare["steps"] = [{"action": ["part", {"text": "seen"}], "kind": "query"}]
        store.append(bare | {"agent": None, "outcome": "scored", "reward": 2.5, "wrappers": [{"name": "Noise"}]})
    _, outline = written(RunStore.read_only(tmp_path))
    assert '["part",{"text":"seen"}]' in outline.text
    assert '{"name":"Noise"}' in outline.text
    assert "2.50" in outline.text


def test_half_a_surrogate_pair_does_not_break_the_page(tmp_path: Path) -> None:
    config = FAKE["configuration"](agents=("rule",), modes=("menu",), twins=False, episodes=1)
    FAKE["build"](tmp_path, config)
    path = tmp_path / "episodes.jsonl"
    record = json.loads(path.read_text(encoding="utf-8"))
    record["solution"] = "\ud800 half\x00 a pair"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    (tmp_path / "index.jsonl").unlink()
    _, outline = written(RunStore.read_only(tmp_path))
    assert "? half␀ a pair" in outline.text


def test_awkward_names_are_drawn_as_they_are(tmp_path: Path) -> None:
    agents = (AWKWARD, "rule", "a" * 300)
    store = FAKE["build"](tmp_path, FAKE["configuration"](agents=agents, modes=("menu",), episodes=3))
    figures = drawn(store)
    assert set(figures) >= {"accuracy", "turns", "gain", "success_by_round", "outcomes", "accuracy_seconds"}
    for figure in figures.values():
        assert "<b>" not in figure.svg
        assert "<!--" not in figure.inline


SWEEP = {"judges": ("offline", "llm:x"), "budgets": (5, 10)}
OF_SWEEP = {"sweep_1", "judges_1", "judges_2", "judges_turns_1", "judges_turns_2", "accuracy_cost", "accuracy_tokens"}


@pytest.mark.parametrize(
    ("settings", "names"), [({}, {"accuracy"}), pytest.param(SWEEP, OF_SWEEP, marks=pytest.mark.long)]
)
def test_charts_are_the_same_bytes_each_time(
    tmp_path: Path, settings: dict[str, tuple[Any, ...]], names: set[str]
) -> None:
    config = FAKE["configuration"](agents=("local",), modes=("free",), **settings, twins=False, episodes=4)
    store = FAKE["build"](tmp_path, config)
    first, second = drawn(store), drawn(store)
    assert set(first) >= names
    for name, figure in first.items():
        assert (figure.svg, figure.png, figure.csv) == (second[name].svg, second[name].png, second[name].csv)


@pytest.mark.usefixtures("unpainted")
def test_menu_mode_has_no_chart_of_judges(tmp_path: Path) -> None:
    config = FAKE["configuration"](agents=("local",), judges=("offline", "llm:x"), twins=False, episodes=2)
    store = FAKE["build"](tmp_path, config)
    figures = drawn(store)
    assert {name for name in figures if name.startswith("judges")} - {"judges_turns_1"} == {"judges_1"}
    assert {line[2] for line in figures["accuracy"].table if "mode=menu" in line} == {""}
    assert "mode=menu, judge" not in written(store, figures=True)[1].text


def test_turns_are_drawn_by_player_and_judge(tmp_path: Path) -> None:
    """Figure 10b of Interactive Benchmarks v2: mean turns of the solved episodes, players by judges."""
    judges = ("offline", "llm:x")
    config = FAKE["configuration"](agents=("rule", "local"), modes=("free",), judges=judges, twins=False, episodes=8)
    store = FAKE["build"](tmp_path, config)
    figure = drawn(store)["judges_turns_1"]
    header, *lines = figure.table
    assert header[:3] == ("player", "judge", "value")
    solved: dict[tuple[str, str | None], list[int]] = {}
    for row in store.rows():
        if row.outcome == "success":
            cell = store.config.cells[row.cell]
            solved.setdefault((cell.agent, cell.judge), []).append(row.turns)
    known = {(player, judge): value for player, judge, value, *_ in lines}
    assert known.keys() == {(player, judge) for player in ("rule", "local") for judge in judges}
    for place, value in known.items():
        turns = solved.get(place)
        assert value == (None if turns is None else pytest.approx(sum(turns) / len(turns)))
    assert "Mean turns of the episodes solved" in figure.caption


def test_charts_of_one_page_share_no_ids(whole: Whole) -> None:
    ids: dict[str, str] = {}
    for figure in whole.figures:
        own = set(re.findall(r'\bid="([^"]+)"', figure.inline))
        for name in own:
            assert ids.setdefault(name, figure.name) == figure.name
        assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', figure.inline)) <= own
    assert whole.page.count("<svg") == len([tag for tag, _ in whole.outline.tags if tag == "figure"]) > 5


@pytest.mark.usefixtures("unpainted")
def test_the_csv_holds_the_summarys_numbers(tmp_path: Path) -> None:
    store = FAKE["build"](tmp_path, FAKE["configuration"](modes=("menu",), twins=False))
    summary = run_summary.summarise(store.config, store.rows())
    lines = list(csv.DictReader(io.StringIO(drawn(store)["accuracy"].csv)))
    assert [(line["player"], float(line["accuracy_value"]), int(line["accuracy_n"])) for line in lines] == [
        (cell["agent"], cell["accuracy"]["value"], cell["accuracy"]["n"]) for cell in summary["cells"]
    ]


@pytest.mark.parametrize("start", ["=1+1", "+1", "-1", "@x", " =1", "\t=1"])
def test_no_cell_of_a_csv_starts_a_formula(start: str) -> None:
    chart = charts.Chart("x", "x", "x", "<svg></svg>", b"", (("player", "n"), (start, -1.5), ("plain", None)))
    assert list(csv.reader(io.StringIO(chart.csv))) == [["player", "n"], ["'" + start, "-1.5"], ["plain", ""]]


@pytest.mark.usefixtures("unpainted")
def test_a_crowd_is_drawn_in_part_and_the_csv_holds_all(tmp_path: Path) -> None:
    agents = tuple(f"agent-{number}" for number in range(45))
    store = FAKE["build"](tmp_path, FAKE["configuration"](agents=agents, modes=("menu",), twins=False, episodes=1))
    chart = drawn(store)["accuracy"]
    assert f"The first {charts.ROWS} of 45 are drawn" in chart.caption
    assert len(chart.table) == 46


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("money", None, "unknown"),
        ("money", 0.0, "$0"),
        ("money", 0.00004, "$0.00004"),
        ("money", 12.345, "$12.35"),
        ("seconds", 0.004, "4 ms"),
        ("seconds", 89.0, "89.0 s"),
        ("seconds", 600.0, "10.0 min"),
        ("seconds", 7200.0, "2.0 h"),
        ("points", -0.123, "\N{MINUS SIGN}12"),
        ("points", -0.001, "0"),
        ("score", -0.256, "\N{MINUS SIGN}0.26"),
        ("number", 1234.5, "1,234"),
        ("number", 2.25, "2.2"),
        ("times", {"low": 2.1, "high": 7.8}, "[2.1, 7.8 s]"),
        ("times", {"low": 0.5, "high": 7.8}, "[500 ms, 7.8 s]"),
        ("times", {"low": None, "high": None}, ""),
        ("short", "two\nlines " * 50, ("two lines " * 12)[:119] + "…"),
    ],
)
def test_numbers_are_written_for_people(name: str, value: Any, text: str) -> None:
    writers = {
        "money": page.as_dollars,
        "seconds": page.as_duration,
        "points": page.as_points,
        "score": page.as_score,
        "number": page.as_number,
        "short": page.short,
        "times": METRIC["seconds"].show_interval,
    }
    assert writers[name](value) == text


def test_a_metric_is_added_in_one_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the list alone: the files then hold it, and the page has a column."""
    deep = Metric(
        "deepest",
        "Deepest|round to {do}",
        "of episodes {done}",
        page.as_number,
        lambda rows: mean(rows.column("turns"), rows.case),
        unit=" r",
        applies=lambda cell: cell["cell"] > 0,
    )
    slow = Metric("slowness", "Slowness", "squares", page.as_number, lambda rows: None, timed=True, missing="who knows")
    monkeypatch.setattr(metrics, "METRICS", (*METRICS, deep, slow))
    monkeypatch.setattr(report, "METRICS", metrics.METRICS)
    store = FAKE["build"](tmp_path, FAKE["configuration"](episodes=4))
    text, outline = written(store)
    rows = store.rows()
    told = run_summary.summarise(store.config, rows)["cells"][1]["deepest"]
    mine = [row.turns for row in rows if row.cell == 1]
    assert (told["value"], told["n"]) == (pytest.approx(sum(mine) / len(mine), abs=1e-6), len(mine))
    assert run_summary.timing(store.config, rows)["cells"][1]["slowness"] is None
    assert "<em>Deepest round to solve</em>: of episodes solved." in text
    assert f"{page.as_number(told['value'])} r" in outline.text
    assert "Slowness" not in outline.text  # no cell has one


def test_every_metric_has_one_name_and_says_what_it_is() -> None:
    assert len({metric.key for metric in METRICS}) == len({metric.title for metric in METRICS}) == len(METRICS)
    for words in (TASKS, GAMES):
        for metric in METRICS:
            worded = metric.worded(words)
            assert worded.title
            assert not worded.note.endswith(".")
            assert not set("{}") & set(worded.title + worded.note)
