"""Rows as columns say what the rows say: each thing is counted a second time, on the rows themselves."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from interactive_envs.evaluation.run import report
from interactive_envs.outcome import Outcome
from interactive_envs.reporting.compact import rows as compact
from interactive_envs.reporting.compact.rows import Rows
from interactive_envs.reporting.metrics import CellRows
from interactive_envs.reporting.records import Cell, EpisodeRow

CELL = Cell("ibench/SituationPuzzle-v1", {}, "random")


def some(count: int, seed: int, *, cells: int = 3) -> list[EpisodeRow]:
    """Rows in any order, no two of one episode, with every kind of value."""
    draw = random.Random(seed)
    keys = draw.sample(
        [(cell, case, epoch) for cell in range(cells) for case in range(count) for epoch in range(3)], count
    )
    return [
        EpisodeRow(
            cell,
            f"case {case % 7}" if draw.random() < 0.9 else "Σ\0",
            case,
            epoch,
            draw.choice(list(Outcome)).value,
            draw.choice((0.0, 1.0, -0.25, 2.0**52)),
            draw.choice((0, 3, 300, 2**40)),
            draw.choice(("round", "forced", None)),
            draw.choice((True, False, None)),
            *(draw.choice((0, 1, 255, 256)) for _ in range(5)),
            *(draw.randrange(2**33) for _ in range(4)),
            draw.choice((None, 0.5)),
            draw.choice((None, 0.0)),
            draw.random(),
            draw.randrange(2**40),
            draw.randrange(1, 2**20),
            draw.randrange(2**32),
        )
        for cell, case, epoch in keys
    ]


@pytest.mark.parametrize("count", [0, 1, 40, 250])
def test_rows_come_back_as_they_were_sorted(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compact, "_CHUNK", 64)
    given = some(count, seed=count)
    made, wanted = Rows(iter(given)), sorted(given, key=lambda row: row.key)
    assert list(made) == wanted
    assert made == wanted
    assert [made[place] for place in range(-count, count)] == [wanted[place] for place in range(-count, count)]
    assert made[3:30:4] == wanted[3:30:4]
    for cell in range(4):
        assert made.part(cell) == [row for row in wanted if row.cell == cell]
    with pytest.raises(IndexError):
        made[count]
    assert wanted == [] or made != wanted[1:]


def test_columns_count_what_the_rows_have() -> None:
    given = sorted((row for row in some(200, seed=1) if row.cell == 1), key=lambda row: row.key)
    made = CellRows(CELL, given)
    assert dict(made.outcomes) == Counter(row.outcome for row in given)
    assert made.in_rounds.tolist() == [row.outcome == "success" and row.won_by != "forced" for row in given]
    assert made.counted.tolist() == [row.outcome != "unscored" for row in given]
    first, is_given = made.first_finals()
    assert first.tolist() == [float(row.first_final is True) for row in given]
    assert is_given.tolist() == [row.first_final is not None for row in given]
    assert made.costs("cost") is None
    assert made.column("turns").tolist() == [row.turns for row in given]


def test_cells_share_the_scored_episodes_of_the_same_case_and_epoch() -> None:
    for seed in range(20):
        given = some(60, seed, cells=2)
        left, right = ([row for row in sorted(given, key=lambda row: row.key) if row.cell == cell] for cell in (0, 1))
        counted = {(row.case, row.case_index, row.epoch): row for row in right if row.outcome != "unscored"}
        wanted = [
            (row, counted[key])
            for row in left
            if row.outcome != "unscored" and (key := (row.case, row.case_index, row.epoch)) in counted
        ]
        mine, others = CellRows(CELL, left).shared(CellRows(CELL, right))
        assert [(left[one], right[two]) for one, two in zip(mine, others, strict=True)] == wanted
    assert wanted


def test_transcripts_are_failures_first_and_the_players_take_turns() -> None:
    given = sorted(some(120, seed=3), key=lambda row: row.key)
    place: Counter[tuple[bool, int]] = Counter()
    order = []
    for row in given:
        solved = row.outcome == "success"
        order.append((solved, place[solved, row.cell], row.cell, row))
        place[solved, row.cell] += 1
    wanted = [entry[-1] for entry in sorted(order, key=lambda entry: entry[:3])]
    assert report.failures_first(Rows(given), 500) == wanted
    assert report.failures_first(Rows(given), 7) == wanted[:7]
