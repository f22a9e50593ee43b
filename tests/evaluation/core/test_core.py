"""The suite core: what it plays, and what its scores come to."""

from __future__ import annotations

import dataclasses
import json
import math
import tarfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from click.testing import CliRunner, Result

from interactive_envs import catalog
from interactive_envs.cli.main import main
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.evaluation.core import agreement, page, results, scoring, suite
from interactive_envs.evaluation.core.scoring import Case
from interactive_envs.evaluation.core.suite import Setting
from interactive_envs.evaluation.verify import verify
from interactive_envs.family import ABILITIES, Yardstick
from interactive_envs.reporting.estimates import student
from interactive_envs.reporting.store import RunStore
from tools.scores import agreement_table

ROOT = Path(__file__).parents[3]


def ibench(*words: str) -> Result:
    return CliRunner().invoke(main, words)


# What it plays.


def test_sizes_are_as_large_as_they_say_and_a_smaller_one_is_part_of_a_larger() -> None:
    sizes = {size: suite.settings(size) for size in suite.SIZES}
    totals = [sum(setting.episodes for setting in chosen) for chosen in sizes.values()]
    assert totals == [96, 1000, 10_000]
    for small, large in (("small", "standard"), ("standard", "full")):
        for less, more in zip(sizes[small], sizes[large], strict=True):
            for (one, own, few), (other, given, many) in zip(less.plays, more.plays, strict=False):
                assert (one, own) == (other, given)
                assert few <= many


@pytest.mark.parametrize("size", suite.SIZES)
def test_every_family_and_ability_is_in_every_size(size: str) -> None:
    chosen = suite.settings(size)
    assert {setting.family for setting in chosen} == set(catalog.families())
    assert {ability for setting in chosen for ability in setting.yardstick.abilities} == set(ABILITIES)
    assert all(len(label) <= 7 for label in page.labels().values()), "columns are seven wide"
    assert len({setting.title for setting in chosen}) == len(chosen)
    for family in catalog.families():
        assert sum(setting.episodes for setting in chosen if setting.family == family) == suite.SIZES[size]


def test_a_few_episodes_are_of_different_levels() -> None:
    title = "Query games, deductive, tight budget"
    (queries,) = [setting for setting in suite.settings("small") if setting.title == title]
    assert [own["difficulty"] for _, own, _ in queries.plays] == [3, 1, 5]
    assert len({env_id for env_id, _, _ in queries.plays}) == 3


def test_a_role_that_nobody_plays_is_played_by_the_next_weaker_one() -> None:
    config = suite.plan("small", ["rule", "random", "mine=query-games/greedy-random", "exact"])
    assert config.suite == "core-v1 small"
    assert config.total == 4 * 96
    played = {(cell.name, cell.env_id): cell.agent for cell in config.cells}
    circuit = "ibench/BlackBox-circuit-random-v1"
    assert played["rule", circuit] == played["random", circuit] == "circuit/random"
    assert played["exact", circuit] == "circuit/reference"
    assert played["rule", "ibench/Math-v1"] == "math/trial"
    assert played["mine", "ibench/Math-v1"] == "query-games/greedy-random"
    quiet = suite.plan("small", ["no interaction"])
    assert all(cell.arguments["no_interaction"] for cell in quiet.cells)
    assert not [cell for cell in quiet.cells if cell.env_id == "ibench/TrustGame-v1"]


def test_what_would_be_another_suite_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="size"):
        suite.settings("smal")
    with pytest.raises(ConfigError, match="is played with seed 0"):
        suite.plan("small", ["rule"], seed=3)
    with pytest.raises(ConfigError, match="name at least one player"):
        suite.plan("small", [])
    with pytest.raises(ConfigError, match=r"two players go by the name 'a'; name them: NAME=SPEC"):
        suite.plan("small", ["a=rule", "a=random"])
    for words, told in (
        (("-k", "budget=3"), "leave out -k"),
        (("--episodes", "2", "--per-cell", "1"), "leave out --episodes, --per-cell"),
        (("--judge", "offline"), "leave out --judge"),
        (("--gain",), "leave out --gain"),
        (("ibench/Math-v1",), "not both"),
    ):
        found = ibench("run", "--suite", "core", "--agent", "rule", *words)
        assert found.exit_code != 0
        assert told in found.output
    assert "--size is for the suite core" in ibench("run", "ibench/Math-v1", "--agent", "rule", "--size", "full").output


def test_what_this_machine_cannot_play_is_left_out_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IBENCH_CHROMIUM", "/no/browser")
    notes: list[str] = []
    config = suite.plan("small", ["rule"], on_note=notes.append)
    assert notes == [
        "Web pages is left out, so that there is no score of the suite: IBENCH_CHROMIUM names no program: '/no/browser'"
    ]
    assert config.total == 84
    assert not [cell for cell in config.cells if cell.env_id == "ibench/UI2Html-v1"]


# What a score is.


def setting(family: str, title: str, *, bounded: bool = True) -> Setting:
    yardstick = Yardstick(title, (), {"chance": "random", "reference": "rule"}, bounded=bounded, abilities=("asking",))
    return Setting(family, yardstick, ())


def cases(*values: float) -> dict[Case, float]:
    return {Case(0, number, 0): value for number, value in enumerate(values)}


def test_a_score_is_the_share_of_the_way_from_chance_to_the_best() -> None:
    chosen = [setting("a", "one"), setting("a", "two", bounded=False), setting("b", "three")]
    known = {
        "chance": {"one": cases(0, 0.2, 0, 0.2), "two": cases(-4, 0, -2, -2), "three": cases(0, 0, 0, 0)},
        "reference": {"one": cases(1, 0.6, 1, 0.8), "two": cases(4, 0, 2, 2), "three": cases(1, 1, 0, 1)},
    }
    scales = scoring.scales(known, [one.yardstick for one in chosen])
    assert [scales[title].worth for title in ("one", "two", "three")] == pytest.approx([0.75, 4, 0.75])
    mine = {"one": cases(0.6, 0.2, 0.5, 0.2), "two": cases(0, 0, 0, 0), "three": cases(1, 1)}
    found = scoring.score("mine", mine, chosen, scales, {})
    gaps, worth = [0.6, 0, 0.5, 0], 0.75
    one = 100 * sum(gaps) / 4 / worth
    assert found.settings["one"].value == pytest.approx(one)
    assert found.settings["two"].value == pytest.approx(50)
    assert found.settings["three"].value == pytest.approx(100 / worth)
    assert found.families["a"].value == pytest.approx((one + 50) / 2)
    assert found.score.value == pytest.approx(((one + 50) / 2 + 100 / worth) / 2)
    assert found.abilities["asking"].value == pytest.approx(found.score.value)
    mean = sum(gaps) / 4
    error = math.sqrt(sum((gap - mean) ** 2 for gap in gaps) / 3 / 4)
    assert found.settings["one"].low == pytest.approx(one - student(3) * 100 * error / worth)
    assert found.score.n == 10


def test_an_interval_of_several_settings_is_theirs_together() -> None:
    chosen = [setting("a", "one", bounded=False), setting("b", "two", bounded=False)]
    ends = {"chance": cases(*[0] * 9), "reference": cases(*[1] * 9)}
    known = {name: {"one": found, "two": found} for name, found in ends.items()}
    scales = scoring.scales(known, [one.yardstick for one in chosen])
    wide, narrow = [0, 1, 0, 1, 0, 1, 0, 1, 0.5], [0.4, 0.6, 0.4, 0.6, 0.4, 0.6, 0.4, 0.6, 0.5]
    found = scoring.score("mine", {"one": cases(*wide), "two": cases(*narrow)}, chosen, scales, {})
    variances = [sum((value - 0.5) ** 2 for value in values) / 8 / 9 for values in (wide, narrow)]
    total = sum(variances) / 4
    freedom = total**2 / sum((one / 4) ** 2 / 8 for one in variances)
    assert found.score.value == pytest.approx(50)
    assert found.score.high == pytest.approx(50 + 100 * student(round(freedom)) * math.sqrt(total))


def test_what_was_not_played_is_left_out_and_said() -> None:
    chosen = [setting("a", "one"), setting("b", "two")]
    known = {"chance": {"one": cases(0, 0), "two": cases(0, 0)}, "reference": {"one": cases(1, 1), "two": cases(1, 1)}}
    scales = scoring.scales(known, [one.yardstick for one in chosen])
    found = scoring.score("mine", {"one": cases(1, 0)}, chosen, scales, {})
    assert found.missing == ("two",)
    assert found.families["a"].value == pytest.approx(50)
    assert found.score.value is None, "it is no score of the suite"
    nothing = scoring.score("mine", {}, chosen, scales, {})
    assert nothing.score.value is None
    assert page.show(nothing.score) == ""


def test_of_known_players_chance_has_0_and_the_best_100() -> None:
    known = results.baselines()
    _, scores = results.table(known.size, {})
    by_name = {one.player: one for one in scores}
    assert by_name["chance"].score.value == pytest.approx(0)
    assert by_name["exact"].score.value == pytest.approx(100)
    for title, found in by_name["exact"].settings.items():
        assert found.value == pytest.approx(100), title
    order = [by_name[name].score.value or 0 for name in ("chance", "rule", "reference", "exact")]
    assert order == sorted(order)
    assert order[1] > 5
    assert by_name["no interaction"].missing
    asked, quiet = (by_name[name].abilities["asking"].value or 0 for name in ("rule", "no interaction"))
    assert abs(quiet) < asked
    if known.size != "full":
        with pytest.raises(ConfigError, match="'full' is not scored"):
            results.table("full", {})


@pytest.mark.long
def test_the_run_that_is_published_gives_the_results_of_the_package_and_verifies(tmp_path: Path) -> None:
    known = results.baselines()
    with tarfile.open(ROOT / f"releases/{suite.VERSION}/{known.size}.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    run = tmp_path / f"{suite.VERSION}-{known.size}"
    played = results.played(RunStore.read_only(run))
    assert played.keys() == known.players.keys()
    for name, one in known.players.items():
        assert played[name].results.keys() == one.results.keys()
        for title, found in one.results.items():
            assert played[name].results[title] == pytest.approx(found, abs=1e-6), (name, title)
    verified = verify(run, sample=60)
    assert (verified.episodes, verified.findings) == (60, ())


@pytest.mark.parametrize("name", ["README.md", "docs/core.md"])
def test_the_leaderboard_that_is_printed_is_that_of_the_package(name: str) -> None:
    _, known = results.table(results.baselines().size, {})
    assert "\n".join(page.lines([], known)) in Path(name).read_text("utf-8")


@pytest.mark.parametrize("size", ["small", "standard"])
def test_mixtures_of_chance_and_the_best_lie_between_them(size: str) -> None:
    found = agreement.agreement(size, draws=40)
    assert found.known == 1
    _, known = results.table(size, {})
    best = next(one.score.value for one in known if one.player == "exact")
    mixed, _ = agreement.mixtures(size, draws=40, seed=1)
    assert mixed[:, 0] == pytest.approx(0)
    assert mixed[:, -1] == pytest.approx(best)
    assert mixed[:, 5].mean() == pytest.approx((best or 0) / 2, abs=3)
    assert found.alike[40.0][0] == 1
    assert size == "small" or (found.ladder, found.alike[0.0][0]) == (1, 1), "a size ranks as it does itself"


def test_the_page_says_how_small_ranks_players() -> None:
    assert agreement_table("small") in (ROOT / "docs" / "core.md").read_text("utf-8")


# A run of it.


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("ibench/TrustGame-v1", "--episodes", "4"),
            "4 episodes of mine/x: about 8 calls that read 0.4 million tokens",
        ),
        (("ibench/TrustGame-v1", "--episodes", "1"), "1 episode of mine/x: about 2 calls that read 0.1 million tokens"),
    ],
)
def test_any_run_says_before_it_starts_what_a_model_will_do(
    words: tuple[str, ...], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    effort = {one.title: results.Effort(2, 100_000, 10) for one in suite.settings("small")}
    known = dataclasses.replace(results.baselines(), effort=effort)
    monkeypatch.setattr(results, "baselines", lambda: known)
    assert told in ibench("run", *words, "--dry-run", "--agent", "llm:mine/x").output
    assert "about" not in ibench("run", *words, "--dry-run", "--agent", "random").output


def test_a_run_has_a_leaderboard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(suite.SIZES, "small", 1)
    monkeypatch.setenv("IBENCH_CHROMIUM", "/no/browser")  # pages take longer than all else
    folder = tmp_path / "run"
    words = ("run", "--suite", "core", "--out", str(folder), "--workers", "1")
    found = ibench(*words, "--agent", "<b>me=rule", "--agent", "random")
    assert found.exit_code == 0, found.output
    assert "core-v1 small: 7 episodes for each of 2 players." in found.output
    content = json.loads((folder / "core.json").read_text("utf-8"))
    assert content["suite"] == "core-v1 small"
    assert "Web pages" in content["players"][0]["missing"]
    chance = next(one for one in content["players"] if one["player"] == "random")
    assert chance["score"]["value"] is None
    values = [one["value"] for one in chance["families"].values()]
    assert values == pytest.approx([0] * 7, abs=1e-4), "chance meets the cases of chance"
    text = (folder / "core.html").read_text("utf-8")
    assert "&lt;b&gt;me" in text
    assert "<b>me" not in text
    before = (folder / "core.json").read_bytes()
    again = ibench("report", str(folder))
    assert "Leaderboard: " in again.output
    assert (folder / "core.json").read_bytes() == before
    monkeypatch.setattr(results, "unscored", lambda size: "nobody known played it")
    large = ibench("report", str(folder)).output
    assert "No leaderboard: nobody known played it." in large
    assert "Report: " in large


def test_a_model_reads_what_was_said_before_again_in_every_call() -> None:
    said = [("rules" * 4, "a" * 8, None), ("reply" * 4, "b" * 4, None), ("anew" * 2, "c" * 4, 0)]
    steps = [SimpleNamespace(observation=saw, action=did, remember=kept) for saw, did, kept in said]
    record = cast(Any, SimpleNamespace(steps=steps))
    assert results.Effort.of(record, "full") == (3, (20 + (20 + 8 + 20) + 8) / 4, (8 + 4 + 4) / 4)
    record.steps = [SimpleNamespace(observation="o" * 4, action="a" * 4, remember=None)] * 4
    assert results.Effort.of(record, "last:1") == (4, (4 + 12 + 20 + 20) / 4, 4), "the rules and the last exchange"


def test_a_model_is_told_what_it_will_cost_before_it_plays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text('{"mine/x": {"input_cost_per_token": 1e-6, "output_cost_per_token": 1e-5}}', encoding="utf-8")
    monkeypatch.setenv("IBENCH_PRICES", str(prices))
    effort = {one.title: results.Effort(2, 1000, 10) for one in suite.settings("small")}
    known = dataclasses.replace(results.baselines(), effort=effort)
    monkeypatch.setattr(results, "baselines", lambda: known)
    words = ("run", "--suite", "core", "--dry-run", "--agent", "llm:mine/x?temperature=0", "--agent", "rule")
    found = ibench(*words).output
    assert "mine/x: about 192 calls that read 0.1 million tokens and write 960, if it plays as the reference" in found
    assert ": $0.11 without a cache." in found, "96 episodes of 1,000 tokens at $1 and 10 at $10 a million"
    assert "rule: about" not in found
    monkeypatch.delenv("IBENCH_PRICES")
    assert "; its price is unknown." in ibench(*words).output
