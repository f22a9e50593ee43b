"""Opponents are trained for what passed all else, and travel with the game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from interactive_envs import evaluate, generate
from interactive_envs.errors import FaultError, ForeignCodeError
from interactive_envs.game_generation import certifying, opponents, reading
from interactive_envs.game_generation.engine import Done
from interactive_envs.game_generation.making import look
from interactive_envs.game_generation.novel_games import NovelGames
from interactive_envs.game_generation.pool import Candidate, Ruling
from interactive_envs.novel_games import admission
from interactive_envs.novel_games.search.network import Layer, Network
from tests.game_generation.test_making import own, read, replies


@pytest.mark.long
def test_a_made_game_gets_a_ladder_and_a_model_meets_a_rung(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opponents, "GAMES", 20)
    pool = tmp_path / "pool"
    generate("games", pool, opponents=30_000, replies=[replies(tmp_path / "a.jsonl", game_0001_write_0=own())])
    made = generate("games", pool, replies=[read(pool)])
    ((candidate, end),) = made.ends()
    last = candidate.entries[-1]
    assert isinstance(last, Ruling)
    assert (end, last.stage) == (Done(admitted=True), "opponents")
    assert "opponents         1" in made.funnel()
    (folder,) = made.release(tmp_path / "suite", flagged=True)
    ladder = json.loads((folder / "ladder.json").read_text("utf-8"))
    assert len(ladder["rungs"]) > 4
    run = evaluate(
        # so few games a pair do not always separate two rungs
        ("ibench/Game-v1", {"path": str(folder), "opponents": "rung" if ladder["opponent"]["level"] else "rung:1"}),
        "random",
        episodes=2,
        seed=1,
        out=tmp_path / "run",
    )
    assert len(run.episodes) == 2


@pytest.mark.parametrize(("inputs", "actions"), [(13, 6), (139, 31), (77, 444), (1, 2000), (3000, 1), (3000, 3000)])
def test_a_game_with_many_inputs_or_actions_gets_fewer_units(tmp_path: Path, inputs: int, actions: int) -> None:
    rng = np.random.default_rng(0)
    units = opponents.units_for(inputs, actions)
    assert 4 <= units <= 64

    def layer(before: int, after: int) -> Layer:
        return rng.uniform(-1, 1, (before, after)), rng.standard_normal(after)  # hard to compress

    trunk = [layer(inputs, units), layer(units, units)]
    network = Network(trunk, [layer(units, actions)], [layer(units, 1)])
    network.save(tmp_path / "checkpoint.npz", small=True)
    size = (tmp_path / "checkpoint.npz").stat().st_size
    assert size <= 25_000 or units == 4
    assert size > 12_000 or units == 64  # four units more may be half of it


@pytest.mark.parametrize(
    ("opponent", "kinds"),
    [
        ({"level": 5, "beaten_by": "mcts:x", "win_rate": 0.9}, []),
        ({"level": None}, ["not separated"]),
        ({"level": 1, "beaten_by": "ppo:x"}, ["not separated"]),
        ({"level": 4, "beaten_by": "solution"}, ["not separated"]),
    ],
)
def test_a_game_in_which_nobody_beats_a_trained_rung_is_flagged(opponent: dict[str, Any], kinds: list[str]) -> None:
    assert [kind for kind, _ in opponents.faults(opponent)] == kinds


@pytest.mark.parametrize(("times", "verdict"), [(1, "pass"), (2, "flag")])
def test_what_fails_once_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int, verdict: str
) -> None:
    left = [times]

    def train_and_rank(*given: object) -> dict[str, Any]:
        if left[0]:
            left[0] -= 1
            raise ForeignCodeError("the game's code failed: timeout: 120 s on the clock")
        return {"level": 4, "beaten_by": "ppo:x"}

    monkeypatch.setattr(opponents, "train_and_rank", train_and_rank)
    monkeypatch.setattr(NovelGames, "stages", ())
    made = generate("games", tmp_path, opponents=1, replies=[replies(tmp_path / "a.jsonl", game_0001_write_0=own())])
    ((candidate, end),) = made.ends()
    last = candidate.entries[-1]
    assert isinstance(last, Ruling)
    assert (end, last.stage, last.verdict) == (Done(admitted=True), "opponents", verdict)


@pytest.mark.parametrize("stage", ["admission", "certification", "opponents"])
def test_a_fault_of_the_machine_ends_the_run_and_rules_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    def fail(*given: object) -> Any:
        raise FaultError("the sandbox cannot start a process: EAGAIN")

    broken = {"admission": (reading, "positions"), "certification": (certifying, "probe")}
    monkeypatch.setattr(admission, "check", lambda folder: admission.Admission(folder, (), {"canonical": {}}))
    monkeypatch.setattr(*broken.get(stage, (opponents, "train_and_rank")), fail)
    monkeypatch.setattr(NovelGames, "stages", () if stage == "opponents" else (stage,))
    if stage == "certification":
        monkeypatch.setattr(Candidate, "facts", lambda self, stage: {"exact": {}})
    answers = [replies(tmp_path / "a.jsonl", game_0001_write_0=own())]
    with pytest.raises(FaultError, match="EAGAIN"):
        generate("games", tmp_path / "pool", opponents=int(stage == "opponents") or None, replies=answers)
    (candidate,) = look(tmp_path / "pool").pool.candidates()
    assert [entry.stage for entry in candidate.entries] == ["write", "parse"]
