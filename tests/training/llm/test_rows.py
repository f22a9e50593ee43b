"""Rows: the runner's seeds, two splits that share nothing."""

from __future__ import annotations

import json

import pytest

from interactive_envs import catalog
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.evaluation.run.cells import plan_run
from interactive_envs.evaluation.run.episode import cell_key
from interactive_envs.seeds import episode_seed
from interactive_envs.training.llm.rows import id_split, read_row, rows, split_of

PUZZLE, BOX = "ibench/SituationPuzzle-v1", "ibench/BlackBox-cipher-01248-counts-v1"
QUERIES = [env_id for env_id in catalog.load()["units"] if env_id.startswith("ibench/Query-set-ded")]


def test_rows_are_episodes_of_a_run_with_the_same_seed() -> None:
    cell = plan_run([(BOX, {"items": 3})], ["random"], seed=4).cells[0]
    seeds = [episode_seed(4, cell_key(cell), number, 0) for number in range(40)]
    chosen = rows(BOX, 20, seed=4, items=3)
    assert {tuple(row) for row in chosen} == {("prompt", "seed", "case", "env_id", "arguments")}
    assert [row["seed"] for row in chosen] == [seed for seed in seeds if split_of(seed, None, False) == "train"][:20]
    assert {json.dumps(json.loads(row["arguments"])) for row in chosen} == {'{"items": 3}'}


def test_listed_cases_are_in_one_split_each_and_walked_in_turn() -> None:
    train, held_out = rows(PUZZLE, 200), rows(PUZZLE, 30, split="held-out")
    cases = [row["case"] for row in train]
    assert not {*cases} & {row["case"] for row in held_out}
    again = cases.index(cases[0], 1)
    assert len({*cases[:again]}) == again
    assert cases[again : 2 * again] == cases[:again]
    assert train[0]["seed"] != train[again]["seed"]


def test_drawn_episodes_of_the_two_splits_share_no_seed_with_any_run_seed() -> None:
    train = {row["seed"] for seed in range(3) for row in rows(BOX, 40, seed=seed)}
    held_out = {row["seed"] for seed in range(3) for row in rows(BOX, 6, seed=seed, split="held-out")}
    assert max(train) < 7 * 2**29 <= min(held_out)


def test_ids_are_in_one_split_each_with_all_their_versions() -> None:
    train = {row["env_id"] for row in rows(QUERIES[:40], 60, by="id")}
    held_out = {row["env_id"] for row in rows(QUERIES[:40], 20, split="held-out", by="id")}
    assert train
    assert held_out
    assert not train & held_out
    assert train | held_out == {*QUERIES[:40]}
    assert id_split("ibench/X-v1") == id_split("ibench/X-v12")


def test_what_cannot_be_chosen_is_said() -> None:
    with pytest.raises(UnknownNameError, match="unknown split 'test'"):
        rows(PUZZLE, 1, split="test")  # type: ignore[arg-type]
    alone = next(env_id for env_id in QUERIES if id_split(env_id) == "train")
    with pytest.raises(ConfigError, match="none of the ids is in the split 'held-out'"):
        rows(alone, 1, split="held-out", by="id")
    case = rows(PUZZLE, 1)[0]["case"]
    with pytest.raises(ConfigError, match=r"none of the 1 cases .* is in the split 'held-out'"):
        rows(PUZZLE, 1, split="held-out", case=case)
    with pytest.raises(ConfigError, match=r"a row needs env_id, arguments, seed and case.*KeyError\('seed'\)"):
        read_row({"env_id": PUZZLE})


def test_a_row_is_read_back_from_a_data_set() -> None:
    row = rows(PUZZLE, 1, budget=9)[0]
    assert read_row(json.loads(json.dumps(row))) == (PUZZLE, {"budget": 9}, row["seed"], row["case"])
