"""Numbers against hand computation, closed forms and independent implementations."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import random
import runpy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from interactive_envs.reporting import estimates
from interactive_envs.reporting import summary as run_summary
from interactive_envs.reporting.estimates import Estimate
from interactive_envs.reporting.metrics import METRICS
from interactive_envs.reporting.records import Cell, EpisodeRow, RunConfig
from tests.timing import growth

FAKE = runpy.run_path(str(Path(__file__).with_name("fake_run.py")))
ENV = "ibench/SituationPuzzle-v1"


def row(
    cell: int = 0, case: int = 0, epoch: int = 0, won: str | None = None, turns: int = 3, **changes: Any
) -> EpisodeRow:
    base = {
        **{"cell": cell, "case": f"case-{case}", "case_index": case, "epoch": epoch, "turns": turns, "won_by": won},
        **{
            "outcome": "success" if won else "failure",
            "reward": float(won is not None),
            "first_final": won is not None,
        },
        **{
            "queries": 2,
            "finals": 1,
            "invalid": 0,
            "illegal": 0,
            "abstained": 0,
            "prompt_tokens": 100,
            "completion_tokens": 10,
        },
        **{"reasoning_tokens": 0, "judge_tokens": 0, "cost": 0.0, "judge_cost": 0.0, "seconds": 1.0},
        **{"offset": 0, "length": 0},
    }
    return EpisodeRow(**(base | changes))


def configuration(*cells: Cell, episodes: int = 4) -> RunConfig:
    return RunConfig(cells or (Cell(ENV, {}, "rule"),), episodes)


def close(numbers: Sequence[float | None], expected: Sequence[Any]) -> bool:
    return bool(np.allclose(np.array(numbers, float), expected, atol=1e-6))


@given(st.integers(1, 300), st.data())
def test_one_episode_a_case_gives_wilson_as_scipy_computes_it(n: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, n))
    mine = estimates.proportion([1] * hits + [0] * (n - hits), range(n))
    theirs = stats.binomtest(hits, n).proportion_ci(method="wilson")
    assert mine.n == n
    assert mine.value == pytest.approx(hits / n)
    assert close((mine.low, mine.high), (theirs.low, theirs.high))


@given(st.lists(st.floats(-50, 50), min_size=2, max_size=40).filter(lambda x: np.std(x) > 1e-3))
def test_a_mean_over_distinct_cases_has_the_textbook_t_interval(values: list[float]) -> None:
    mine = estimates.mean(values, range(len(values)))
    low, high = stats.t.interval(0.95, len(values) - 1, np.mean(values), stats.sem(values))
    assert close((mine.value, mine.low, mine.high), (np.mean(values), low, high))


def test_several_epochs_are_clustered_by_case_as_computed_by_hand() -> None:
    # Two episodes of each of three cases: 2, 1 and 0 solved. Mean 1/2, cluster residuals 1, 0, -1,
    # variance 3/2 * 2 / 36 = 1/12.
    mine = estimates.proportion([1, 1, 1, 0, 0, 0], [0, 0, 1, 1, 2, 2])
    half = stats.t.ppf(0.975, 2) * math.sqrt(1 / 12)
    assert mine.value == 0.5
    assert mine.n == 6
    assert mine.low == max(0.0, 0.5 - half)
    assert mine.high == min(1.0, 0.5 + half)


def test_equal_numbers_of_epochs_give_the_t_interval_over_case_means() -> None:
    rng = np.random.default_rng(5)
    solved = rng.random((15, 4)) < rng.random((15, 1))
    mine = estimates.proportion(solved.ravel(), np.repeat(np.arange(15), 4))
    means = solved.mean(axis=1)
    low, high = stats.t.interval(0.95, 14, means.mean(), stats.sem(means))
    assert close((mine.low, mine.high), (low, high))


def test_clustered_intervals_agree_with_a_bootstrap_over_cases() -> None:
    rng = np.random.default_rng(11)
    sizes = rng.integers(1, 6, 80)
    cases = np.repeat(np.arange(80), sizes)
    hits = (rng.random(cases.size) < np.repeat(rng.random(80), sizes)).astype(float)
    mine = estimates.proportion(hits, cases)
    totals = np.bincount(cases, hits)
    drawn = rng.integers(0, 80, (4000, 80))
    boot = totals[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = np.quantile(boot, [0.025, 0.975])
    assert mine.low == pytest.approx(low, abs=0.015)
    assert mine.high == pytest.approx(high, abs=0.015)


def test_a_share_of_messages_is_a_ratio_clustered_by_case() -> None:
    mine = estimates.proportion([1, 0, 3], [0, 1, 2], of=[10, 5, 15])
    value = 4 / 30
    residuals = np.array([1 - 10 * value, 0 - 5 * value, 3 - 15 * value])
    half = stats.t.ppf(0.975, 2) * math.sqrt(3 / 2 * (residuals**2).sum()) / 30
    assert mine.n == 30
    assert close((mine.value, mine.high), (value, value + half))


@pytest.mark.parametrize(("hits", "clusters"), [([0] * 12, 4), ([1] * 12, 4), ([1, 0] * 4, 4), ([1, 1, 0], 1)])
def test_degenerate_clusters_fall_back_to_wilson_on_the_number_of_cases(hits: list[int], clusters: int) -> None:
    cases = np.repeat(np.arange(clusters), len(hits) // clusters)
    mine, plain = estimates.proportion(hits, cases), estimates.wilson(sum(hits) / len(hits) * clusters, clusters)
    assert mine == Estimate(sum(hits) / len(hits), plain.low, plain.high, len(hits))


def test_what_was_never_observed_has_no_number() -> None:
    assert estimates.proportion([], []) == estimates.mean([], []) == estimates.paired([], []) == estimates.wilson(0, 0)
    assert estimates.proportion([0.0], [0], of=[0.0]) == Estimate(None, None, None, 0)
    assert estimates.mean([4.0], [0]) == Estimate(4.0, None, None, 1)
    assert estimates.mean([4.0, 4.0], [0, 1]) == Estimate(4.0, None, None, 2)


def test_an_interval_of_turns_ends_where_turns_end() -> None:
    assert estimates.mean([1.0, 20.0], [0, 1], 1.0).low == 1.0


def test_paired_differences_have_the_t_interval_of_scipys_paired_test() -> None:
    rng = np.random.default_rng(2)
    left, right = (rng.random((2, 30)) < [[0.7], [0.4]]).astype(float)
    mine = estimates.paired(left - right, range(30))
    theirs = stats.ttest_rel(left, right).confidence_interval()
    assert close((mine.low, mine.high), (theirs.low, theirs.high))


@given(st.sampled_from([-1.0, 0.0, 0.5, 1.0]), st.integers(1, 60))
def test_equal_differences_bound_what_the_unseen_cases_could_do(gap: float, n: int) -> None:
    mine = estimates.paired([gap] * n, range(n))
    others = stats.binomtest(0, n).proportion_ci(method="wilson").high
    assert mine.low == pytest.approx(max(-1.0, gap * (1 - others) - others))
    assert mine.high == pytest.approx(min(1.0, gap * (1 - others) + others))
    assert mine.value == gap


def test_paired_epochs_weigh_alike_and_cluster_by_case() -> None:
    # Gaps 1, 1, 0 in one case and 0 in another: mean 1/2, cluster residuals 1/2 and -1/2.
    mine = estimates.paired([1, 1, 0, 0], [0, 0, 0, 1])
    half = stats.t.ppf(0.975, 1) * math.sqrt(2 / 1 * (0.25 + 0.25)) / 4
    assert (mine.value, mine.n) == (0.5, 2)
    assert close((mine.low, mine.high), (max(-1.0, 0.5 - half), min(1.0, 0.5 + half)))
    assert estimates.paired([1, 0, 1, 0], [0, 0, 3, 3]) == estimates.paired([0.5, 0.5], [0, 1])


def test_kendall_counts_pairs() -> None:
    left, right = {"a": 0.9, "b": 0.5, "c": 0.1, "only": 0.3}, {"a": 0.8, "b": 0.2, "c": 0.4}
    assert estimates.kendall(left, right) == pytest.approx(((2 - 1) / 3, 3))
    assert estimates.kendall(left, {"a": 1.0}) == (None, 1)
    assert estimates.kendall({"a": 1.0, "b": 1.0}, {"a": 0.0, "b": 1.0}) == (None, 2)


def test_only_rounds_count_for_accuracy_and_forced_finals_are_told_apart() -> None:
    rows = [row(case=0, won="round"), row(case=1, won="forced", turns=20), row(case=2), row(case=3, first_final=None)]
    cell = run_summary.summarise(configuration(), rows)["cells"][0]
    assert cell["accuracy"]["value"] == 0.25
    assert cell["accuracy_with_forced"]["value"] == 0.5
    assert cell["forced_wins"] == 1
    assert cell["turns_solved"] == {"value": 3.0, "low": None, "high": None, "n": 1}
    assert (cell["first_final"]["n"], cell["first_final"]["value"]) == (3, pytest.approx(2 / 3, abs=1e-6))
    assert cell["outcomes"] == {"success": 2, "failure": 2}


def test_what_an_approximate_judge_decided_counts_nowhere_and_the_reason_stands_in_its_place() -> None:
    unscored = [row(case=case, outcome="unscored") for case in range(3)]
    cell = run_summary.summarise(configuration(), unscored)["cells"][0]
    (accuracy,) = [metric for metric in METRICS if metric.key == "accuracy"]
    assert (cell["accuracy"]["value"], cell["accuracy"]["n"]) == (None, 0)
    assert accuracy.why_missing(cell) == "not scored (approximate judge)"
    mixed = run_summary.summarise(configuration(), [*unscored, row(case=3, won="round")])["cells"][0]
    assert (mixed["accuracy"]["value"], mixed["accuracy"]["n"]) == (1.0, 1)


def test_success_by_round_accumulates_and_ends_at_the_accuracy() -> None:
    rows = [row(case=k, won="round" if k < 3 else None, turns=turns) for k, turns in enumerate((1, 2, 2, 5))]
    cell = run_summary.summarise(configuration(), rows)["cells"][0]
    assert [point["value"] for point in cell["success_by_round"]] == [0.25, 0.75, 0.75, 0.75, 0.75]
    assert cell["success_by_round"][-1] == {"round": 5, **cell["accuracy"]}


def test_long_games_thin_out_their_curve() -> None:
    curve = run_summary.summarise(configuration(), [row(turns=5000, won="round")])["cells"][0]["success_by_round"]
    assert len(curve) == run_summary.ROUNDS_SHOWN
    assert curve[-1]["round"] == 5000


def test_missing_episodes_are_counted_and_empty_cells_have_no_numbers() -> None:
    config = configuration(Cell(ENV, {}, "rule"), Cell(ENV, {}, "random"))
    summary = run_summary.summarise(config, [row()])
    assert (summary["n_planned"], summary["n_valid"], summary["n_missing"]) == (8, 1, 7)
    empty = summary["cells"][1]
    assert (empty["n_missing"], empty["accuracy"]["value"], empty["success_by_round"]) == (4, None, [])
    assert summary["differences"][0]["n"] == 0


def test_gain_pairs_a_cell_with_its_twin_by_case() -> None:
    config = configuration(
        Cell(ENV, {"mode": "menu"}, "rule"),
        Cell(ENV, {"mode": "free"}, "rule"),
        Cell(ENV, {"mode": "menu", "no_interaction": True}, "rule"),
        Cell(ENV, {"mode": "menu", "no_interaction": True}, "random"),
    )
    wins = {0: (1, 1, 0, 1), 2: (0, 1, 0, 0)}
    rows = [
        row(cell, case, won="round" if won else None) for cell, part in wins.items() for case, won in enumerate(part)
    ]
    (gain,) = run_summary.summarise(config, rows)["gains"]
    theirs = stats.ttest_1samp([1, 0, 0, 1], 0).confidence_interval()
    assert (gain["cell"], gain["without"], gain["n"], gain["ahead"], gain["behind"]) == (0, 2, 4, 2, 0)
    assert close((gain["value"], gain["low"], gain["high"]), (0.5, theirs.low, 1.0))


@settings(max_examples=30)
@given(st.integers(1, 4), st.integers(1, 9), st.integers(0, 2**32 - 1))
def test_on_a_complete_run_a_gain_is_the_difference_of_the_accuracies(cases: int, episodes: int, seed: int) -> None:
    # Nine episodes of four cases: the first case is met once more than the others, and weighs more.
    config = configuration(
        Cell(ENV, {}, "rule"), Cell(ENV, {"no_interaction": True}, "rule"), Cell(ENV, {}, "random"), episodes=episodes
    )
    rng = random.Random(seed)
    rows = [
        row(cell, number % cases, number // cases, rng.choice(["round", "forced", None]))
        for cell, number in itertools.product(range(3), range(episodes))
    ]
    summary = run_summary.summarise(config, rows)
    solved = [cell["accuracy"]["value"] for cell in summary["cells"]]
    assert summary["gains"][0]["value"] == pytest.approx(solved[0] - solved[1], abs=2e-6)
    assert summary["differences"][0]["value"] == pytest.approx(solved[0] - solved[2], abs=2e-6)
    assert summary["gains"][0]["n"] == min(cases, episodes)


def test_differences_pair_episodes_and_skip_cases_that_one_did_not_meet() -> None:
    config = configuration(Cell(ENV, {}, "rule"), Cell(ENV, {}, "random"), Cell(ENV, {"mode": "free"}, "random"))
    rows = [
        *(row(0, 0, epoch, "round") for epoch in (0, 1)),
        *(row(1, 0, epoch, "round" if epoch else None) for epoch in (0, 1)),
        *(row(cell, 1, 0, None) for cell in (0, 1)),
        row(0, 2, 0, "round"),
    ]
    (pair,) = run_summary.summarise(config, rows)["differences"]
    assert (pair["left"], pair["right"], pair["n"], pair["value"], pair["ahead"]) == (0, 1, 2, 0.333333, 1)


def test_cases_that_differ_under_one_index_are_never_paired() -> None:
    config = configuration(Cell(ENV, {}, "rule"), Cell(ENV, {}, "random"))
    (pair,) = run_summary.summarise(config, [row(0), dataclasses.replace(row(1), case="another")])["differences"]
    assert pair["n"] == 0


def test_a_note_says_where_scores_depend_on_an_approximate_judge() -> None:
    config = configuration(Cell(ENV, {}, "rule"), Cell(ENV, {"mode": "menu"}, "rule", "offline"))
    judges = {0: {"spec": "offline", "approximate": True}, 1: None}
    summary = run_summary.summarise(config, [row(0), row(1)], judges)
    assert summary["notes"] == ["Scores depend on the judge offline, whose verdicts are estimates."]
    assert [cell["judge"] for cell in summary["cells"]] == ["offline", None]
    assert run_summary.summarise(config, [row(0)])["notes"] == []


def test_a_judge_that_the_environment_chose_is_called_by_its_name() -> None:
    summary = run_summary.summarise(
        configuration(), [row()], {0: {"spec": None, "name": "offline", "approximate": True}}
    )
    assert summary["cells"][0]["judge"] == "offline"
    assert summary["notes"] == ["Scores depend on the judge offline, whose verdicts are estimates."]


class Records:
    """Counts what is read; ``judged`` are the cases with a verdict."""

    def __init__(self, *judged: int) -> None:
        self.judged, self.read = judged, list[int]()

    def record(self, row: EpisodeRow) -> dict[str, Any]:
        self.read.append(row.case_index)
        return {"judge": {"spec": "offline"} if row.case_index in self.judged else None}


def test_judges_of_tells_judged_cells_from_others(tmp_path: Path) -> None:
    store = FAKE["build"](tmp_path, FAKE["configuration"](agents=("rule",), twins=False, episodes=2))
    judges = run_summary.judges_of(store, reversed(store.rows()))
    assert judges[0] is None
    assert judges[1] is not None
    assert judges[1]["approximate"] is True


def test_judges_of_walks_on_to_the_first_verdict() -> None:
    store: Any = Records(3, 4)
    assert run_summary.judges_of(store, [row(case=case) for case in (4, 3, 2, 1)]) == {0: {"spec": "offline"}}
    assert store.read == [1, 2, 3]


def test_judges_of_skips_the_unreadable_and_begins_where_the_row_tells_of_a_verdict() -> None:
    store: Any = Records(7)
    rows = [row(case=0, queries=0, finals=0), row(case=1), row(case=7, judge_tokens=5), row(1, queries=0, finals=0)]
    assert run_summary.judges_of(store, rows) == {0: {"spec": "offline"}, 1: None}
    assert store.read == [7]


def test_judges_of_reads_few_records_of_a_cell_without_a_judge() -> None:
    store: Any = Records()
    assert run_summary.judges_of(store, [row(case=case) for case in range(500)]) == {0: None}
    assert store.read == [*range(run_summary.RECORDS_READ)]


def test_rank_agreement_compares_judges_over_players() -> None:
    players, judges = ("a", "b", "c"), ("offline", "llm:x")
    cells = [Cell(ENV, {}, player, judge) for judge in judges for player in players]
    solved = {0: 4, 1: 2, 2: 0, 3: 3, 4: 4, 5: 1}
    rows = [row(cell, case, won="round" if case < n else None) for cell, n in solved.items() for case in range(4)]
    (agreement,) = run_summary.summarise(configuration(*cells), rows)["rank_agreement"]
    assert agreement == {"env": "SituationPuzzle-v1", "judges": ["offline", "llm:x"], "tau": 0.333333, "n": 3}


def test_rewards_end_where_the_environments_do_unless_arguments_move_them() -> None:
    def ends(env_id: str, **arguments: Any) -> tuple[float | None, float | None]:
        config = configuration(Cell(env_id, arguments, "rule"))
        rows = [row(case=case, outcome="scored", reward=reward) for case, reward in enumerate((0.0, 0.0, 1.0))]
        found = run_summary.summarise(config, rows)["cells"][0]["reward"]
        return found["low"], found["high"]

    box = "ibench/BlackBox-puzzle-number-v1"
    assert ends("ibench/UI2Html-v1", rounds=3) == ends(box) == ends(box, turns="all") == (0.0, 1.0)
    assert ends(box, turns="dynamic") == (pytest.approx(-1.0, abs=0.2), 1.0)
    low, high = ends("ibench/Holdem-v1", match=20)
    assert low is not None
    assert high is not None
    assert low < 0.0 < 1.0 < high


def test_judges_of_scored_tasks_are_compared_by_reward() -> None:
    config = configuration(
        *(Cell("ibench/UI2Html-v1", {}, agent, judge) for agent in ("a", "b") for judge in ("offline", "vlm:x"))
    )
    rows = [
        row(cell, case, outcome="scored", reward=(0.2, 0.3, 0.4, 0.1)[cell]) for cell in range(4) for case in (0, 1)
    ]
    (pair,) = run_summary.summarise(config, rows)["rank_agreement"]
    assert (pair["tau"], pair["n"]) == (-1.0, 2)


def test_where_nothing_was_judged_no_judge_is_named_or_compared() -> None:
    cells = [
        Cell(ENV, {"mode": mode}, player, judge)
        for mode, judge, player in itertools.product(("menu", "free"), ("offline", "llm:x"), ("rule", "random"))
    ]
    config = configuration(*cells)
    judges = {index: None if index < 4 else {"spec": cell.judge} for index, cell in enumerate(cells)}
    summary = run_summary.summarise(config, [row(cell) for cell in range(8)], judges)
    assert [cell["judge"] for cell in summary["cells"]] == [None] * 4 + ["offline"] * 2 + ["llm:x"] * 2
    assert [pair["env"] for pair in summary["rank_agreement"]] == ["mode=free"]
    assert [panel.env for panel in run_summary.judge_panels(config, summary["cells"])] == ["mode=free"]
    called = [name.setting for name in run_summary.names(config, summary["cells"])]
    assert called[::2] == ["mode=menu", "mode=menu", "mode=free, judge offline", "mode=free, judge llm:x"]


def test_an_unknown_price_makes_the_cost_unknown_and_nothing_else() -> None:
    config = configuration(Cell(ENV, {}, "rule"), Cell(ENV, {}, "llm:x"))
    rows = [row(0, 0, cost=0.5, judge_cost=0.25), row(0, 1, cost=0.25), row(1, 0, cost=None, seconds=3.0), row(1, 1)]
    timing = run_summary.timing(config, rows)
    assert timing["cost"] is None
    assert (timing["cells"][0]["cost"], timing["cells"][0]["cost_per_episode"]["value"]) == (1.0, 0.5)
    assert (timing["cells"][1]["cost"], timing["cells"][1]["player_cost"], timing["cells"][1]["judge_cost"]) == (
        None,
        None,
        0,
    )
    assert (timing["total_seconds"], timing["cells"][1]["median_seconds"]) == (6.0, 2.0)
    assert run_summary.timing(config, [])["cells"][0]["median_seconds"] is None


@settings(max_examples=20)
@given(st.integers(0, 2**32 - 1))
def test_the_summary_is_the_same_bytes_in_any_order_and_knows_no_time_or_cost(seed: int) -> None:
    config = configuration(Cell(ENV, {}, "rule"), Cell(ENV, {}, "random"))
    rng = random.Random(seed)
    rows = [
        row(cell, case, epoch, rng.choice(["round", "forced", None]), rng.randint(1, 9), seconds=rng.random())
        for cell, case, epoch in itertools.product((0, 1), range(5), (0, 1))
    ]
    other = [dataclasses.replace(one, seconds=7.0, cost=None, offset=99) for one in rng.sample(rows, len(rows))]
    assert estimates.dump(run_summary.summarise(config, rows)) == estimates.dump(run_summary.summarise(config, other))


def test_no_number_is_a_negative_zero_or_carries_float_noise() -> None:
    config = configuration(Cell(ENV, {}, "rule"), Cell(ENV, {}, "random"))
    text = estimates.dump(run_summary.summarise(config, [row(cell, case) for cell in (0, 1) for case in range(3)]))
    assert "-0.0," not in text
    assert all(value == round(value, 6) for value in _floats(json.loads(text)))


def _floats(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [number for part in value.values() for number in _floats(part)]
    if isinstance(value, list):
        return [number for part in value for number in _floats(part)]
    return [value] if isinstance(value, float) else []


def test_names_tell_cells_apart_and_say_no_more() -> None:
    config = configuration(
        Cell(ENV, {"mode": "menu", "budget": 20}, "rule"),
        Cell(ENV, {"mode": "free", "budget": 20, "no_interaction": True}, "rule", "offline"),
    )
    assert [name.setting for name in run_summary.names(config)] == [
        "mode=menu",
        "mode=free, judge offline, no interaction",
    ]
    two = configuration(
        Cell(ENV, {"level": 1}, "rule"), Cell(ENV, {"level": 2}, "rule"), Cell("ibench/Other-v0", {}, "rule")
    )
    assert [name.env for name in run_summary.names(two)] == [
        "SituationPuzzle-v1 (level=1)",
        "SituationPuzzle-v1 (level=2)",
        "Other-v0",
    ]


def test_sweeps_find_axes_in_arguments_and_in_specs() -> None:
    cells = [
        Cell(ENV, {"budget": budget}, f"llm:x?temperature={heat}", None, {"budget": budget, "temperature": heat})
        for budget, heat in itertools.product((5, 10), (0, 1))
    ]
    cells.append(Cell(ENV, {"budget": 5}, "rule", None, {"budget": 5, "temperature": "none"}))
    found = run_summary.sweeps(configuration(*cells))
    assert {axis: [line.points for line in lines] for axis, lines in found.items()} == {
        "budget": [((5.0, 0), (10.0, 2)), ((5.0, 1), (10.0, 3))],
        "temperature": [((0.0, 0), (1.0, 1)), ((0.0, 2), (1.0, 3))],
    }
    assert [line.label for line in found["temperature"]] == ["llm:x · budget=5", "llm:x · budget=10"]
    assert [line.label for line in found["budget"]] == ["llm:x?temperature=0", "llm:x?temperature=1"]


def test_sweeps_survive_specs_that_nobody_can_parse() -> None:
    cells = [Cell(ENV, {"budget": budget}, "<b>?odd", "j", {"budget": budget, "judge": "j"}) for budget in (5, 10)]
    assert [line.points for line in run_summary.sweeps(configuration(*cells))["budget"]] == [((5.0, 0), (10.0, 1))]


@pytest.mark.parametrize("small", [250, pytest.param(1_000, marks=pytest.mark.long)])
def test_many_rows_are_summarised_in_linear_time(small: int) -> None:
    def summarise(episodes: int) -> None:
        config = configuration(*(Cell(ENV, {"level": k % 4}, f"agent-{k // 4}") for k in range(20)), episodes=episodes)
        rows = [
            row(cell, case, 0, "round" if (case * 7 + cell) % 3 else None, 1 + case % 20)
            for cell, case in itertools.product(range(20), range(episodes))
        ]
        run_summary.summarise(config, rows)

    assert growth(summarise, small, 10 * small, tries=1) < 30  # 10 times the rows; quadratic: 100 times
