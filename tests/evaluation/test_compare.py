"""Two runs compared case by case."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from interactive_envs.cli.main import main
from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.compare import compare
from interactive_envs.evaluation.run import pool
from interactive_envs.reporting.estimates import mean
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.reporting.store import RunStore

PUZZLE, MATHS = "ibench/SituationPuzzle-v1", "ibench/Math-v1"


def ibench(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def run(folder: Path, agents: dict[str, str], episodes: int = 8, ids: tuple[str, ...] = (PUZZLE, MATHS)) -> RunStore:
    cells = [Cell(env_id, {}, spec, name=name) for env_id in ids for name, spec in agents.items()]
    return pool.run(RunConfig(tuple(cells), episodes), folder, workers=1)


def test_players_are_compared_on_the_cases_that_both_met(tmp_path: Path) -> None:
    one = run(tmp_path / "one", {"mine": "random"}, episodes=8)
    two = run(tmp_path / "two", {"yours": "situation-puzzle/reference"}, episodes=5, ids=(PUZZLE,))
    found = compare(one, two)
    left, right = ([row.reward for row in store.rows() if row.cell == 0][:5] for store in (one, two))
    gaps = [b - a for a, b in zip(left, right, strict=True)]
    assert found.whole.gap.n == 5
    assert found.whole.gap.value == pytest.approx(sum(gaps) / 5)
    assert found.whole.gap == mean(gaps, range(5))
    assert (found.whole.better, found.whole.worse) == (sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps))
    assert found.alone == 16 - 5
    assert found.parts == ()
    assert found.left == f"mine, {tmp_path / 'one'}"


def test_a_run_against_itself_differs_in_nothing(tmp_path: Path) -> None:
    store = run(tmp_path / "one", {"a": "random", "b": "random"}, episodes=3)
    found = compare(store, store, ("a", "b"))
    assert (found.left, found.right) == ("a", "b")
    assert {part.name for part in found.parts} == {"situation-puzzle", "math"}
    assert [part.gap.value for part in (found.whole, *found.parts)] == [0, 0, 0]
    assert found.alone == 0
    shown = ibench("compare", str(store.folder), "--agent", "a", "--agent", "b")
    assert shown.exit_code == 0, shown.output
    lines = shown.output.splitlines()
    assert lines[:2] == ["A  a", "B  b"]
    assert lines[3].split()[0] == "all"
    assert len({len(line) for line in lines[2:]}) == 1, "columns stand under each other"


def test_comparing_pairs_the_same_cases_whatever_the_order_of_cells_and_the_number_of_epochs(tmp_path: Path) -> None:
    cells = [Cell(PUZZLE, {"split": "generated", "difficulty": level}, "random") for level in (1, 2, 3)]
    one = pool.run(RunConfig(tuple(cells), 4), tmp_path / "one", workers=1)
    turned = tuple(replace(cell, agent="reference") for cell in reversed(cells))
    other = pool.run(RunConfig(turned, 3), tmp_path / "other", workers=1)
    found = compare(one, other)
    left, right = one.rows(), other.rows()
    assert [left[at].key for at in found.pairs[:, 0]] == [(c, k, 0) for c in range(3) for k in range(3)]
    assert [right[at].key for at in found.pairs[:, 1]] == [(2 - c, k, 0) for c in range(3) for k in range(3)]
    gaps = [right[b].reward - left[a].reward for a, b in found.pairs]
    assert found.whole.gap == mean(gaps, range(9))
    assert found.alone == 3
    assert found.differing.tolist() == [pair for pair, gap in zip(found.pairs.tolist(), gaps, strict=True) if gap]


def test_who_is_meant_must_be_clear(tmp_path: Path) -> None:
    one = run(tmp_path / "one", {"a": "random", "b": "random"}, episodes=1, ids=(PUZZLE,))
    other = run(tmp_path / "other", {"c": "random"}, episodes=1, ids=(MATHS,))
    with pytest.raises(ConfigError, match=r"name the players to compare: --agent A --agent B, out of a, b"):
        compare(one, one)
    with pytest.raises(ConfigError, match="player 'x' is not in the run; it has a, b"):
        compare(one, one, ("a", "x"))
    with pytest.raises(ConfigError, match="no case was met by both"):
        compare(one, other, ("a", None))
    assert "two are compared" in ibench("compare", str(one.folder)).output


def test_a_dry_run_plays_nothing(tmp_path: Path) -> None:
    words = ("run", PUZZLE, MATHS, "--agent", "me=random", "--agent", "rule", "--episodes", "3")
    shown = ibench(*words, "--out", str(tmp_path / "run"), "--dry-run")
    assert shown.exit_code == 0, shown.output
    assert shown.output.splitlines() == [
        "math              me         3 episodes",
        "math              rule       3 episodes",
        "situation-puzzle  me         3 episodes",
        "situation-puzzle  rule       3 episodes",
        "12 episodes in 4 cells. Nothing was played.",
    ]
    assert not (tmp_path / "run").exists()


def test_a_file_may_say_what_a_run_plays(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    lines = [
        f'environments = ["{PUZZLE}"]',
        'agent = ["me=random", "rule"]',
        "episodes = 2",
        "[arguments]",
        "budget = 4",
    ]
    file.write_text("\n".join(lines))
    shown = ibench("run", "--config", str(file), "--dry-run")
    assert shown.output.splitlines()[-1] == "4 episodes in 2 cells. Nothing was played.", shown.output
    over = ibench("run", "--config", str(file), "--dry-run", "--episodes", "5")
    assert over.output.splitlines()[-1] == "10 episodes in 2 cells. Nothing was played.", "what is given counts more"
    assert ibench("run", "--config", str(file), "--out", str(tmp_path / "run")).exit_code == 0
    assert RunStore.read_only(tmp_path / "run").config.cells[0].arguments == {"budget": 4}
    for text, told in (
        ("agnet = 3", "did you mean 'agent'"),
        ("arguments = 3", "arguments must be a table"),
        ("agent = ", "cannot be read"),
        ("episodes = 'many'", "not a valid integer"),
    ):
        file.write_text(text)
        refused = ibench("run", "--config", str(file), "--dry-run")
        assert refused.exit_code == 2
        assert told in refused.output
    assert "cannot be read" in ibench("run", "--config", str(tmp_path / "none.toml")).output


def test_a_run_tells_players_by_their_names(tmp_path: Path) -> None:
    words = ("run", PUZZLE, "--agent", "one=random", "--agent", "two=random", "--episodes", "2", "--out")
    shown = ibench(*words, str(tmp_path / "run"))
    assert shown.exit_code == 0, shown.output
    assert "one" in shown.output
    assert "two" in shown.output
    assert "one" in (tmp_path / "run" / "report.html").read_text("utf-8")
