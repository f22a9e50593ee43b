"""Likeness of code by fingerprints, and the page of a pool."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from interactive_envs import evaluate, generate
from interactive_envs.cli.main import main
from interactive_envs.game_generation import page
from interactive_envs.game_generation.batch import Reply
from interactive_envs.game_generation.diversity import (
    Neighbour,
    correlation,
    fingerprints,
    nearest,
    similarity,
    tokens,
)
from interactive_envs.game_generation.pool import Call, Ruling
from interactive_envs.llm.calls import Usage
from interactive_envs.novel_games.folder import own, own_names
from tests.game_generation.folders import in_file, replies, reply
from tests.game_generation.test_query_games import FILES, same
from tests.query_games.fixtures import TIDE_MARKS

CODE = own("sum-shy").source


def test_names_numbers_and_texts_are_tokens_of_a_kind() -> None:
    assert tokens("def f(a):\n    return a + 10, 'b'") == tokens("def go(x):\n    return x + 7, 'text'  # or so")
    assert tokens("a = (") == ["N", "=", "("]


def test_a_rank_correlation_has_an_interval_and_none_without_variation() -> None:
    rising = [(1.0, 2.0), (2.0, 3.0), (3.0, 5.0), (4.0, 8.0), (5.0, 9.0), (6.0, 10.0)]
    found = correlation(rising)
    assert found["rho"] == pytest.approx(1)
    mixed = correlation([(1.0, 3.0), (2.0, 1.0), (3.0, 4.0), (4.0, 2.0), (5.0, 5.0)])
    assert mixed["rho"] == pytest.approx(0.5)  # 1 - 6 (4 + 1 + 1 + 4 + 0) / (5 * 24)
    assert mixed["low"] < 0.5 < mixed["high"]
    assert correlation([(1.0, 0.0), (2.0, 0.0), (3.0, 0.0), (4.0, 0.0)]) == {"rho": 0.0, "low": -1.0, "high": 1.0}


def test_renamed_code_is_the_same_and_other_code_is_not() -> None:
    renamed = CODE.replace("board", "field").replace("self", "this").replace("9", "8")
    own_print = fingerprints(CODE)
    assert similarity(own_print, fingerprints(renamed)) == 1.0
    assert similarity(own_print, fingerprints(CODE.replace("    ", "  "))) == 1.0
    others = [similarity(own_print, fingerprints(own(name).source)) for name in own_names() if name != "sum-shy"]
    assert max(others) < 0.6
    assert similarity(own_print, frozenset()) == 0.0


def test_a_shared_run_of_tokens_shares_a_fingerprint() -> None:
    """Winnowing promises it for runs of 23 + 17 - 1 tokens."""
    shared = " + ".join(["a"] * 20)  # 39 tokens
    first = fingerprints(f"x = {shared}\nwhile x: pass\n" + "y = [x]\n" * 30)
    second = fingerprints("z = {1: 2}\n" * 30 + f"if z: q = {shared}")
    assert first & second


def test_the_nearest_of_each_is_the_first_of_equals() -> None:
    found = nearest([0.0, 0.1, 0.2, 5.0], lambda one, other: 1 - abs(one - other) / 10)
    assert found == [Neighbour(1, 0.99), Neighbour(0, 0.99), Neighbour(1, 0.99), Neighbour(2, pytest.approx(0.52))]
    assert nearest([1.0], lambda one, other: 1.0) == [None]


def pool(tmp_path: Path) -> Path:
    hostile = in_file("game.toml", "Tide Marks", "<script>alert(1)</script>")
    broken = in_file("game.py", "return sum", "return 1 / 0 + sum")
    texts = {
        f"query_game_{number:04d}_write_0": reply(TIDE_MARKS, FILES, change)
        for number, change in enumerate((same, hostile, broken), 1)
    }
    answers = replies(tmp_path / "written.jsonl", **texts, query_game_0004_write_0="I will not.")
    folder = tmp_path / "pool"
    generate("query-games", folder, repairs=0, replies=[answers], count=5, category="set")
    return folder


def test_the_report_is_a_page_and_a_text(tmp_path: Path) -> None:
    folder = pool(tmp_path)
    done = CliRunner().invoke(main, ["generate", "report", str(folder)])
    assert done.exit_code == 0, done.output
    assert f"Page: {folder / 'report.html'}" in done.output
    html = (folder / "report.html").read_text("utf-8")
    assert "<h1>Generated query games</h1>" in html
    assert "&lt;script&gt;alert(1)" in html
    assert "<script" not in html
    assert "gg-bench" not in html.partition("<main>")[2].partition("Similarity to the nearest")[0]


def test_the_report_as_markdown_has_whole_tables(tmp_path: Path) -> None:
    from interactive_envs.game_generation.making import look

    page.write(look(pool(tmp_path)), tmp_path / "report.md")
    text = (tmp_path / "report.md").read_text()
    assert "<" not in text
    assert page.as_words("[a](http://x) ![b](c) **d** | `e`") == r"\[a\](http:\//x) \!\[b\](c) \*\*d\*\* / \`e\`"
    for before, line in itertools.pairwise(text.splitlines()):
        if line.startswith("|"):  # no row has more or fewer cells than its head
            assert line.count("|") == before.count("|") or not before.startswith("|")


def test_the_page_says_what_became_of_each_candidate(tmp_path: Path) -> None:
    from interactive_envs.game_generation.making import look

    content = page.as_json(look(pool(tmp_path)))
    assert [(row.number, row.end) for row in content["rows"]] == [
        (1, "under way"),
        (2, "under way"),
        (3, "tables"),
        (4, "parse"),
        (5, "under way"),
    ]
    assert content["rows"][0].code == Neighbour(2, 1.0)
    assert content["rows"][3].code is None
    assert [(row["name"], row["count"]) for row in content["funnel"][:3]] == [
        ("candidates", 5),
        ("parse", 3),
        ("tables", 2),
    ]
    assert [(row["name"], row["count"]) for row in content["reasons"]] == [("no tables", 1), ("refusal", 1)]
    assert content["lengths"][1]["parsed"]["n"] == 3
    assert content["lengths"][1]["released"] is None
    (model,) = content["models"]
    assert (model["model"], model["candidates"], model["admitted"], model["cost"]) == ("not named", 4, 0, None)
    assert json.dumps(content["similarity"]["play"]) == "null"


def test_models_are_compared_by_what_they_admit_and_what_that_costs(tmp_path: Path) -> None:
    """The cheap one is refused once, then once admitted after a repair; the dear one is admitted at once."""
    from interactive_envs.game_generation.making import look

    generate("query-games", tmp_path / "pool", count=3, category="set")
    made = look(tmp_path / "pool")

    def written(number: int, model: str, cost: float, *verdicts: str) -> None:
        candidate = made.pool.candidate(number)
        for round_, verdict in enumerate(verdicts):
            said = Reply(reply(TIDE_MARKS, FILES), model, usage=Usage(10, 5), cost=cost)
            candidate = made.pool.append(candidate, Call("repair" if round_ else "write", round_, "", said))
            for stage in ("parse", *made.kind.stages) if verdict == "pass" else ("parse",):
                candidate = made.pool.append(candidate, Ruling(stage, round_, verdict))

    written(1, "cheap", 0.25, "fail", "fail", "fail", "fail")
    written(2, "cheap", 0.25, "fail", "pass")
    written(3, "dear", 2.0, "pass")
    cheap, dear = page.as_json(made)["models"]
    assert (cheap["model"], cheap["candidates"], cheap["admitted"], cheap["by_rounds"]) == ("cheap", 2, 1, [(1, 1)])
    assert (cheap["tokens"], cheap["cost"], cheap["each"]) == (90, 1.5, 1.5)
    assert (dear["model"], dear["admitted"], dear["by_rounds"], dear["each"]) == ("dear", 1, [(0, 1)], 2.0)
    assert made.funnel().splitlines()[-1] == "Cost: 3.500 US dollars, 1.750 an admitted one."


def test_scores_are_set_against_novelty_and_length(tmp_path: Path) -> None:
    """Of two players who met eight games, of which one was no candidate."""
    games = own_names("games-v0")[: page.LEAST_GROUPED + 1]
    evaluate([f"ibench/Game-{name}-v1" for name in games], ["random"], episodes=1, out=tmp_path / "run")
    numbers = range(1, len(games))
    rows = [
        page.Row(number, "", "", "admitted", "", 0, Neighbour(1, number / 10), Neighbour(1, 0.5)) for number in numbers
    ]
    made = SimpleNamespace(
        released=lambda: [SimpleNamespace(number=number) for number in numbers],
        names=lambda: dict(zip(numbers, games, strict=False)),
        kind=SimpleNamespace(played=lambda one: {"lengths": [[one.number, 3], [one.number + 2, 3]]}),
    )
    found = page.trends(made, rows, tmp_path / "run")
    assert [(row["agent"], row["against"], row["n"]) for row in found] == [
        ("random", "novelty of the code", 8),
        ("random", "novelty of play", 8),
        ("random", "length", 8),
    ]
    assert found[0]["rho"] == pytest.approx(-found[2]["rho"])  # here the longer are the less novel
    assert (found[1]["rho"], found[1]["low"], found[1]["high"]) == (0.0, -1.0, 1.0)


def test_the_report_as_json_has_the_verdicts_and_as_markdown_the_funnel(tmp_path: Path) -> None:
    folder = pool(tmp_path)
    for name in ("verdicts.json", "page.md"):
        done = CliRunner().invoke(main, ["generate", "report", str(folder), "--out", str(tmp_path / name)])
        assert done.exit_code == 0
    assert json.loads((tmp_path / "verdicts.json").read_text())["4"] == [["parse", "fail", "refusal"]]
    text = (tmp_path / "page.md").read_text()
    assert "| stage | passed | share | without a flag |" in text
    assert "\n\n\n" not in text
