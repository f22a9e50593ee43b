"""Training: the same seed gives the same checkpoints, interrupted or not, and no file is unpickled as objects."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import threadpoolctl

from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.novel_games.search.network import Network
from interactive_envs.training import trainer
from interactive_envs.training.ppo import Learner, Steps
from interactive_envs.training.selfplay import duel
from interactive_envs.training.trainer import Progress, TrainConfig, train
from tests.full_disk import full_disk
from tests.training.tiny_games import dice, take

SMALL = TrainConfig(steps=1024, every=300, games=16, rollout=128, batch=64, epochs=2, trunk=(16,))


class Poison:
    """Leaves a mark where it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.mark,)


def arrays(path: Path) -> dict[str, Any]:
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name].tolist() for name in file.files}


def test_an_interrupted_run_ends_as_one_that_was_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trainer, "SAVE_SECONDS", 0.0)
    paths = {name: train(dice, tmp_path / name, SMALL, log=()) for name in ("whole", "again")}

    def stop(now: Progress) -> None:
        if now.steps in stops:
            stops.remove(now.steps)
            raise KeyboardInterrupt

    stops = [128, 384, 896]
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            train(dice, tmp_path / "cut", SMALL, progress=stop, log=())
        monkeypatch.setattr(trainer, "SAVE_SECONDS", 1e9)  # later stops lose what came after a checkpoint
    paths["cut"] = train(dice, tmp_path / "cut", SMALL, progress=stop, log=())
    assert [path.name for path in paths["cut"]] == [f"checkpoint-{steps}.npz" for steps in (300, 900, 1024)]
    for whole, again, cut in zip(*paths.values(), strict=True):
        assert arrays(whole) == arrays(again) == arrays(cut)
    other = train(dice, tmp_path / "other", TrainConfig.preset("default", **vars(SMALL) | {"seed": 1}), log=())
    assert arrays(other[-1]) != arrays(paths["whole"][-1])


@pytest.mark.parametrize("room", [50, 2000])
def test_a_full_disk_is_told_with_the_way_to_go_on(tmp_path: Path, room: int) -> None:
    with full_disk(room), pytest.raises(ConfigError) as raised:
        train(dice, tmp_path / "run", SMALL, log=())
    full = f"the disk is full (File too large): nothing more can be written in {tmp_path}/run"
    assert str(raised.value) == f"{full}; free some space, then go on with: the same command"
    train(dice, tmp_path / "run", SMALL, log=())


@pytest.mark.parametrize("content", ["[]", "{}", '{"game": 1, "config": {}}', "\0", "["])
def test_a_damaged_record_of_a_run_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "run.json").write_text(content)
    with pytest.raises(ConfigError, match=r"run\.json is no record of a run"):
        train(dice, tmp_path, SMALL, log=())


def test_nothing_global_is_drawn_or_changed(tmp_path: Path) -> None:
    def told() -> tuple[Any, ...]:
        return random.getstate(), np.random.get_state()[1].tolist()

    def threads() -> list[int]:
        return [pool["num_threads"] for pool in threadpoolctl.threadpool_info()]

    many, before = threads(), told()
    train(dice, tmp_path, SMALL, log=())
    assert told() == before
    assert threads() == many


def test_it_learns_and_the_checkpoint_plays_what_was_learnt(tmp_path: Path) -> None:
    config = TrainConfig(steps=16_000, every=8_000, games=32, rollout=1024, batch=256)
    reports: list[Progress] = []
    paths = train(take, tmp_path, config, progress=reports.append, log=())
    network = Network.load(paths[-1])
    assert network.about["run"]["seed"] == 0
    assert duel(take(64), network, None, 1024, 1) > 0.7
    assert reports[-1].steps == 16_384
    assert reports[-1].checkpoints == 2
    assert train(take, tmp_path, config, log=()) == paths, "what is done is not done again"


def test_a_run_that_is_enough_ends_early_and_can_go_on(tmp_path: Path) -> None:
    whole = train(dice, tmp_path / "whole", SMALL, log=())
    seen: list[int] = []

    def enough(steps: int, network: Network) -> bool:
        seen.append(steps)
        assert network.about["source"]
        return len(seen) == 3

    early = train(dice, tmp_path / "early", SMALL, until=enough, log=())
    assert len(early) < len(whole)
    assert seen == sorted(set(seen))
    rest = train(dice, tmp_path / "early", SMALL, log=())
    assert [arrays(path) for path in rest] == [arrays(path) for path in whole]


def test_a_checkpoint_is_the_policy_that_was_trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learners: list[Learner] = []

    def noted(*arguments: Any, **options: Any) -> Learner:
        learners.append(Learner(*arguments, **options))
        return learners[-1]

    monkeypatch.setattr(trainer, "Learner", noted)
    for name, trunk, heads in (("shared", (8,), ()), ("apart", (), (8, 8)), ("both", (8,), (4,))):
        config = TrainConfig(steps=64, games=16, rollout=64, batch=64, epochs=1, trunk=trunk, heads=heads)
        learners.clear()
        (path,) = train(dice, tmp_path / name, config, log=())
        (run,) = learners
        observations = np.random.default_rng(0).random((5, 9), np.float32)
        masks = np.ones((5, 2), np.bool_)
        nothing = np.zeros(5, np.float32)
        values, logs = run.judge(Steps(observations, masks, np.zeros(5, np.int64), nothing, nothing, nothing))
        told, value = Network.load(path).forward(observations)
        chances = np.exp(told) / np.exp(told).sum(axis=1, keepdims=True)
        assert np.allclose(chances[:, 0], np.exp(logs), atol=1e-5)
        assert np.allclose(value, values.clip(-1, 1), atol=1e-5)


def test_poisoned_files_are_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark, folder = tmp_path / "mark", tmp_path / "run"

    def stop(now: Progress) -> None:
        if now.steps >= 512:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(dice, folder, SMALL, progress=stop, log=())
    checkpoint, state = folder / "checkpoint-300.npz", folder / "state.npz"
    sound = state.read_bytes()

    def refused() -> None:
        with pytest.raises(ConfigError, match="cannot be resumed"):
            train(dice, folder, SMALL, log=())
        assert not mark.exists()

    state.write_bytes(pickle.dumps(Poison(mark)))
    refused()
    with state.open("wb") as file:
        np.savez(file, weights=np.array([Poison(mark)], object), told=np.zeros(1, np.uint8))
    refused()
    state.write_bytes(sound)
    checkpoint.write_bytes(pickle.dumps(Poison(mark)))
    refused()
    with checkpoint.open("wb") as file:
        np.savez(file, trunk_0_weights=np.array([Poison(mark)], object), told=np.zeros(1, np.uint8))
    refused()
    pickle.loads(pickle.dumps(Poison(mark)))
    assert mark.exists(), "the poison works"


def test_a_folder_belongs_to_one_run(tmp_path: Path) -> None:
    train(dice, tmp_path, SMALL, log=())
    with pytest.raises(ConfigError, match="holds a run for dice; use another folder, or remove this one"):
        train(take, tmp_path, SMALL, log=())
    with pytest.raises(ConfigError, match=r"holds a run with steps=1024, every=300, .*; use another folder"):
        train(dice, tmp_path, TrainConfig(), log=())
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "run.json").write_text((tmp_path / "run.json").read_text())
    train(take, tmp_path / "new", SMALL, log=())  # nothing had been trained there
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(ConfigError, match="no record of a run"):
        train(dice, tmp_path, SMALL, log=())


def test_tensorboard_gets_a_log(tmp_path: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    train(dice, tmp_path / "run", SMALL, log=["tensorboard", f"tensorboard:{tmp_path}/all"])
    read = EventAccumulator(str(tmp_path / "run" / "tensorboard"))
    read.Reload()
    steps = [event.step for event in read.Scalars("rollout/ep_rew_mean")]
    assert steps == sorted(steps)
    assert steps[-1] == SMALL.steps
    assert "train/loss" in read.Tags()["scalars"]
    (config,) = read.Tensors("config")[0].tensor_proto.string_val
    assert b'"rollout": 128' in config
    assert list((tmp_path / "all" / "run").iterdir())


def test_presets_and_their_checkpoints() -> None:
    assert TrainConfig.preset("paper").marks() == [250_000, 500_000, 750_000, 1_000_000]
    assert TrainConfig.preset("default").marks() == [20_000, 60_000, 140_000, 300_000, 600_000]
    assert TrainConfig.preset("paper", steps=50_000).marks() == [50_000]
    assert TrainConfig(steps=9, every=4, growth=1.15).marks() == [4, 9]
    with pytest.raises(UnknownNameError):
        TrainConfig.preset("papr")
    for wrong in ({"games": 0}, {"rollout": 100}, {"growth": 0.5}, {"activation": "sine"}):
        with pytest.raises(ConfigError):
            TrainConfig.preset("default", **wrong)


@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("rate", "abc", "rate must be two numbers, at the beginning and at the end, got 'abc'"),
        ("epsilon", (0.1,), "epsilon must be two numbers"),
        ("games", 2.5, "games must be a whole number, at least 1, got 2.5"),
        ("steps", 0, "steps must be a whole number, at least 1, got 0"),
        ("seed", -1, "seed must be a whole number, at least 0, got -1"),
        ("growth", "abc", "growth must be a number from 1 to 100, got 'abc'"),
        ("gamma", 1.5, "gamma must be a number from 0 to 1, got 1.5"),
        ("clip", None, "clip must be a number from 0.001 to 10, got None"),
        ("entropy", float("nan"), "entropy must be a number from 0 to 10, got nan"),
        ("epsilon", (0.2, 1.5), "epsilon must be two numbers"),
        ("trunk", 64, r"trunk must be a list of numbers of units, such as \[64, 64\], got 64"),
        ("heads", (8, 0), "heads must be a list"),
        ("prioritised", "no", "prioritised must be true or false, got 'no'"),
    ],
)
def test_settings_that_cannot_work_are_refused(setting: str, value: Any, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        TrainConfig.preset("default", **{setting: value})
