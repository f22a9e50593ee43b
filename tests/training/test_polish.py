"""Learning from a search, against exact values."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from interactive_envs.errors import ConfigError
from interactive_envs.novel_games.folder import own
from interactive_envs.novel_games.host.adapter import Program, Table
from interactive_envs.novel_games.rules import program_of
from interactive_envs.novel_games.search.chances import search_of
from interactive_envs.novel_games.search.exact import Solution, solve
from interactive_envs.novel_games.search.network import Network, checkpoints_in
from interactive_envs.novel_games.search.trees import Search, Settings
from interactive_envs.training import polish as module
from interactive_envs.training.polish import polish
from interactive_envs.training.ppo import LONGEST_GRADIENT, Learner
from interactive_envs.training.trainer import TrainConfig, train
from tests.novel_games.small_games import COIN
from tests.training.test_trainer import arrays
from tests.training.tiny_games import TAKE, dice


def untrained(program: Program) -> Network:
    rng = np.random.default_rng(0)
    shape = program.new(0).encoded().size, program.actions
    return Learner(*shape, trunk=(32,), heads=(), activation="tanh", rng=rng).network({"steps": 0})


def positions(program: Program) -> list[Table]:
    found = []
    for seed in range(30):
        rng, table = random.Random(seed), program.new(seed)
        while table.result is None:
            found.append(table.clone())
            table.play(rng.choice(table.legal()))
    return found


def error(network: Network, truth: Solution, tables: list[Table]) -> float:
    """Of the values, in the mean."""
    wanted = [truth.value_of(table) * (1 - 2 * table.seat) for table in tables]
    return float(np.abs(network.forward(np.stack([table.encoded() for table in tables]))[1] - wanted).mean())


def test_values_come_near_the_true_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROUND", 150)
    program = Program(TAKE)
    truth, tables, before = solve(program), positions(program), untrained(program)
    assert truth is not None
    seen: list[int] = []
    after = polish(program, before, 900, 1, lambda done, _: seen.append(done))
    assert error(after, truth, tables) < 0.6 < 1.2 < error(before, truth, tables)
    assert len(seen) >= 5
    assert 900 <= seen[-1] < 1000


def test_chance_is_weighed_where_the_game_lists_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Settings] = []

    def noted(program: Program, settings: Settings, network: Network) -> Any:
        asked.append(settings)
        return search_of(program, replace(settings, simulations=8), network)

    monkeypatch.setattr(module, "search_of", noted)
    for program, chance in (
        (Program(COIN, hidden=False), "listed"),
        (Program(COIN), "drawn"),
        (Program(TAKE), "drawn"),
    ):
        asked.clear()
        polish(program, untrained(program), 10, 0)
        assert {(settings.chance, settings.explore > 0) for settings in asked} == {(chance, True)}


def test_the_step_of_imitation_follows_torchs_gradient() -> None:
    rng = np.random.default_rng(0)
    made = Learner(6, 4, trunk=(8,), heads=(), activation="tanh", rng=rng)
    seen, values = rng.random((32, 6), np.float32), rng.normal(size=32).astype(np.float32)
    masks = rng.random((32, 4)) < 0.7
    masks[:, 0] = True
    chances = np.where(masks, rng.random((32, 4), np.float32), 0)
    chances /= chances.sum(axis=1, keepdims=True)
    parts = made.network({}).parts
    tensors = [torch.tensor(array, requires_grad=True) for part in parts.values() for layer in part for array in layer]
    features = torch.tanh(torch.from_numpy(seen) @ tensors[0] + tensors[1])
    logits = (features @ tensors[2] + tensors[3]).masked_fill(~torch.from_numpy(masks), -1e4)
    loss = -(torch.from_numpy(chances) * logits.log_softmax(1)).sum(1).mean()
    loss = loss + torch.nn.functional.mse_loss((features @ tensors[4] + tensors[5])[:, 0], torch.from_numpy(values))
    loss.backward()
    wanted = torch.cat([tensor.grad.ravel() for tensor in tensors]).numpy()
    made.imitate(seen, masks, chances, values, 1e-3)
    wanted *= LONGEST_GRADIENT / np.linalg.norm(wanted)  # it is longer
    assert np.allclose(made.gradient, wanted, rtol=1e-3, atol=1e-5)


def test_a_polished_checkpoint_follows_the_last_one(tmp_path: Path) -> None:
    small = {"steps": 512, "every": 256, "games": 8, "rollout": 64, "batch": 64, "epochs": 1, "trunk": (8,)}
    config = TrainConfig(**small, polish=40)
    paths = train("sum-shy", tmp_path / "one", config, log=())
    assert [path.stem for path in paths] == ["checkpoint-256", "checkpoint-512", "checkpoint-552"]
    assert arrays(paths[-1]) != arrays(paths[-2])
    assert Network.load(paths[-1]).about["steps"] == 552
    paths[-1].unlink()  # as if it had been interrupted there
    assert train("sum-shy", tmp_path / "one", config, log=()) == paths
    again = train("sum-shy", tmp_path / "two", config, log=())
    assert [arrays(path) for path in again] == [arrays(path) for path in paths]
    with pytest.raises(ConfigError, match="polish is for two-player games of the package"):
        train(dice, tmp_path / "other", config, log=())


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_a_polished_network_loses_no_value_on_crossed_dials() -> None:
    """The shipped one does on 3 % of its moves, searched with 200 simulations."""
    name = "crossed-dials"
    program = program_of(name)
    assert isinstance(program, Program)
    truth, network = solve(program), polish(program, Network.load(checkpoints_in(own(name).path)[-1]), 16_000, 0)
    assert truth is not None
    lost = moves = 0
    for number in range(80):
        rng, table, seat = random.Random(number // 2), program.new(number // 2), number % 2
        search = Search(program, Settings(simulations=200), network)
        while table.result is None:
            if table.seat == seat:
                chosen = search.choose(table.view(seat), number)["action"]
                lost += chosen not in truth.best(table)
                moves += 1
            else:
                chosen = rng.choice(truth.best(table) if number // 2 % 2 else table.legal())
            table.say(chosen)
    assert lost <= 0.01 * moves
