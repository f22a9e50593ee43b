"""The experiments of the papers: files that fit together, numbers that are right, and the table word for word."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from interactive_envs import catalog
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.evaluation.papers import experiment as experiments
from interactive_envs.evaluation.papers import play, table
from interactive_envs.evaluation.papers.experiment import Experiment, choose
from interactive_envs.evaluation.papers.metrics import METRICS
from interactive_envs.evaluation.papers.play import How, Number
from interactive_envs.evaluation.run import cells
from interactive_envs.evaluation.tournament import plan as tournaments
from interactive_envs.reporting.estimates import Estimate
from interactive_envs.reporting.store import RunStore

EVERY = experiments.experiments()
OPTIONS = {"workers": 1, "resume": False, "limit_cost": None, "backend": "thread"}

PAPERS = {
    "executable": {*(f"table {number}" for number in range(1, 10))},
    "gg-bench": {"table 2", "figure 3", "figure 6"},
    "interactive-v1": {"table 1", "table 3", "figure 2", "figure 3", "figure 4", "figure 5"},
    "interactive-v2": {"table 1", "table 2", "appendix A.4", *(f"figure {number}" for number in range(2, 13))},
    "oracle": {"figure 3", "figure 5", "figure 6", "figure 7", "figure 8", "figure 9", "figure 10"},
}
"""Every table and figure with results; the others are examples, methods, lists of models or statistics of texts."""


def test_every_table_and_figure_with_results_has_one_experiment() -> None:
    given: dict[str, list[str]] = {}
    for one in EVERY:
        given.setdefault(one.paper, []).extend(one.items)
    assert {paper: set(items) for paper, items in given.items()} == PAPERS
    assert all(len(items) == len(set(items)) for items in given.values())


@pytest.mark.parametrize("one", EVERY, ids=lambda one: one.name)
def test_an_experiment_fits_together(one: Experiment) -> None:
    assert set(one.metrics) <= set(METRICS)
    names = {player.name for player in one.players} | {"", "Grim", "TFT", "Random", "AllIn", "Fold"}
    for number in one.published:
        assert number.metric in one.metrics
        assert number.player in names
        assert len(number.group) == len(one.by)
    assert one.kind == "catalog" or len(one.players) > 2


@pytest.mark.parametrize("one", [one for one in EVERY if one.kind == "run"], ids=lambda one: one.name)
def test_a_run_of_a_paper_can_be_planned(one: Experiment) -> None:
    setting = How(quick=True).setting(one)
    conditions = setting.pop("conditions", {"": {}})
    for changes in conditions.values():
        config = play.plan({**setting, **changes}, ["random"], ())
        assert config.cells
        assert all(cells.asks_judge(cell.env_id, cell.arguments) in (True, False) for cell in config.cells[:2])


def test_who_judges_pages_writes_the_requests_too() -> None:
    """Figure 9 of Interactive Benchmarks v2 varies "the shared judge stack used for summarization, comparison, and
    final scoring"."""
    (one,) = choose("interactive-v2", ["figure 9"])
    judges = [*one.judges, "offline"]
    found = play.plan(How(quick=True).setting(one), ["random"], judges).cells
    assert [(cell.judge, cell.arguments["summarizer"]) for cell in found] == [(judge, judge) for judge in judges]
    mine = How(arguments={"summarizer": "offline"}).setting(one)
    assert {cell.arguments["summarizer"] for cell in play.plan(mine, ["random"], judges).cells} == {"offline"}


def test_examples_name_models_of_the_line_ups() -> None:
    """Of a provider's model another name is unknown there: a command that is copied fails."""
    known = {spec.partition("?")[0] for players in experiments.lineups().values() for spec in players.values()}
    for path in (Path(tournaments.__file__).parent / "data" / "tournaments").glob("*.toml"):
        assert set(re.findall(r"llm:[\w.-]+/[\w./-]+", path.read_text(encoding="utf-8"))) <= known, path


@pytest.mark.parametrize("one", [one for one in EVERY if one.kind == "tournament"], ids=lambda one: one.name)
def test_a_tournament_of_a_paper_can_be_planned(one: Experiment) -> None:
    setting = How(quick=True).setting(one)
    assert setting.pop("config") in tournaments.shipped()


def test_a_run_is_measured_as_its_files_say(tmp_path: Path) -> None:
    (one,) = choose("gg-bench", ["table 2"])
    numbers = play.reproduce(one, tmp_path, How(agents=("random",), quick=True, options=OPTIONS))
    outcomes = Counter(row.outcome for row in RunStore.read_only(tmp_path).rows())
    played = sum(outcomes.values())
    assert played == 10
    found = {number.metric: number.estimate.value for number in numbers}
    assert found == {
        "win_rate": outcomes["success"] / played,
        "loss_rate": outcomes["failure"] / played,
        "draw_rate": outcomes["draw"] / played,
        "forfeit_rate": 0.0,
    }


def test_an_episode_that_is_not_scored_counts_nowhere(tmp_path: Path) -> None:
    (one,) = choose("interactive-v1", ["figure 2"])
    how = How(agents=("rule",), judges=("offline?embeddings=false",), quick=True, options=OPTIONS)
    numbers = play.reproduce(one, tmp_path, how)
    assert [number.estimate for number in numbers] == [Estimate(None, None, None, 0)] * 2
    assert {row.outcome for row in RunStore.read_only(tmp_path).rows()} == {"unscored"}


def test_a_comparison_and_a_tournament_are_measured(tmp_path: Path) -> None:
    (mathematics,) = choose("interactive-v2", ["table 2"])
    how = How(agents=("random",), judges=("offline",), quick=True, options=OPTIONS)
    found = {one.metric: one.estimate for one in play.reproduce(mathematics, tmp_path / "passk", how)}
    content = json.loads((tmp_path / "passk" / "passk.json").read_text(encoding="utf-8"))
    assert found["k"].value == content["players"][0]["k"]
    assert found["interactive"].value == content["players"][0]["accuracy"]["value"]
    (trust,) = choose("interactive-v1", ["figure 5"])
    payoffs = {
        one.player: one.estimate.value
        for one in play.reproduce(trust, tmp_path / "trust", How(agents=("all-c",), quick=True, options=OPTIONS))
        if one.metric == "payoff"
    }
    assert set(payoffs) == {"all-c", "Grim", "TFT", "Random"}
    assert payoffs["Random"] > payoffs["all-c"]  # type: ignore[operator]


def test_the_catalogue_is_counted(tmp_path: Path) -> None:
    (one,) = choose("oracle", ["figure 3"])
    counts = {number.group: number.estimate.value for number in play.reproduce(one, tmp_path, How())}
    units = [unit["tags"] for unit in catalog.load()["units"].values() if "grade" in unit["tags"]]
    assert counts == dict(Counter((tags["family"], tags["grade"]) for tags in units))


def test_the_table_word_for_word() -> None:
    one = Experiment(
        "x",
        "interactive-v1",
        ("table 1",),
        "accuracy",
        "section 2",
        "run",
        ("success", "turns"),
        ("judge",),
        players=(experiments.Player("Model A", "llm:a/b"),),
        published=(experiments.Published("success", 0.304, "Model A", ("j",)),),
        differs="other puzzles.",
    )
    numbers = [
        Number("rule", ("j",), "success", Estimate(0.5, 0.25, 0.75, 8)),
        Number("rule", ("j",), "turns", Estimate(None, None, None, 0)),
    ]
    assert list(table.lines(one, numbers)) == [
        "Table 1: accuracy (section 2)",
        "player   judge  success                            turns",
        "                  paper                      ours   ours",
        "Model A  j        30.4%",
        "rule     j               50.0% [25.0%, 75.0%] n=8      -",
        "Ours: other puzzles.",
        "Blank under paper: the text does not give the number; it stands in a figure only, or was not measured.",
        "-: no episode counts: none was solved, or none is scored because the judge only estimates.",
    ]


def test_arguments_and_episodes_replace_the_papers() -> None:
    (one,) = choose("interactive-v2", ["figure 8"])
    setting = How(episodes=3, arguments={"difficulty": 2}).setting(one)
    assert setting["episodes"] == 3
    assert setting["arguments"] == {"preset": "paper", "difficulty": 2}
    (compared,) = choose("interactive-v2", ["figure 4"])
    assert How(episodes=3).setting(compared)["problems"] == 3


def test_what_does_not_exist_is_named() -> None:
    with pytest.raises(UnknownNameError, match="unknown paper 'orcale'; did you mean 'oracle'"):
        choose("orcale")
    with pytest.raises(UnknownNameError, match=re.escape("unknown table or figure of oracle: 'figure 4'")):
        choose("oracle", ["figure 4"])
    with pytest.raises(UnknownNameError, match="unknown key of the experiment x: 'titel'; did you mean 'title'"):
        Experiment.read("x", 'titel = "a"')
    with pytest.raises(ConfigError, match="the experiment x has no paper"):
        Experiment.read("x", 'title = "a"')
