"""Networks as plain arrays: the same numbers as PyTorch gives, in files that hold no code."""

from __future__ import annotations

import itertools
import os
import pickle
from pathlib import Path

import numpy as np
import pytest
import torch

from interactive_envs.novel_games.search.network import MOST_BYTES, Network, masked_softmax, sample_masked


def layers(*sizes: int) -> list[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(len(sizes))
    return [
        (rng.normal(size=pair).astype(np.float32), rng.normal(size=pair[1]).astype(np.float32))
        for pair in itertools.pairwise(sizes)
    ]


@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_it_computes_what_pytorch_computes(activation: str) -> None:
    trunk, policy, value = layers(7, 8, 9), layers(9, 5, 4), layers(9, 1)
    network = Network(trunk, policy, value, activation=activation)
    observations = np.random.default_rng(0).random((6, 7), np.float32)
    act = torch.tanh if activation == "tanh" else torch.relu

    def run(parts: list[tuple[np.ndarray, np.ndarray]], x: torch.Tensor, last: bool) -> torch.Tensor:
        for place, (weights, biases) in enumerate(parts):
            x = x @ torch.from_numpy(weights) + torch.from_numpy(biases)
            x = act(x) if last or place < len(parts) - 1 else x
        return x

    shared = run(trunk, torch.from_numpy(observations), True)
    logits, values = network.forward(observations)
    np.testing.assert_allclose(logits, run(policy, shared, False).numpy(), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(values, run(value, shared, False).numpy()[:, 0].clip(-1, 1), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(network.logits(observations[0]), logits[0], rtol=1e-5, atol=1e-5)


def test_a_file_gives_the_same_network_back(tmp_path: Path) -> None:
    network = Network(layers(3, 4), layers(4, 2), layers(4, 1), about={"game": "sum-shy", "steps": 7})
    network.save(tmp_path / "a.npz")
    again = Network.load(tmp_path / "a.npz")
    observation = np.ones(3, np.float32)
    assert np.array_equal(again.logits(observation), network.logits(observation))
    assert again.about == {"game": "sum-shy", "steps": 7}
    assert Network.from_json(network.as_json()).logits(observation).tolist() == network.logits(observation).tolist()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.npz"]


def test_a_small_file_has_weights_of_8_bits(tmp_path: Path) -> None:
    network = Network(layers(60, 64), layers(64, 9), layers(64, 1))
    idle = network.parts["policy"][0][0]
    idle[:, 3] = 0
    for path, given in (("whole", network), ("small", network), ("again", None)):
        given = given or Network.load(tmp_path / "small.npz")
        given.save(tmp_path / f"{path}.npz", small=path != "whole")
    small = Network.load(tmp_path / "small.npz")
    for part, given_layers in network.parts.items():
        for (weights, biases), (near, shifted) in zip(given_layers, small.parts[part], strict=True):
            assert (np.abs(weights - near) <= np.abs(weights).max(axis=0) * 0.501 / 127).all()
            np.testing.assert_allclose(shifted, biases, rtol=1e-3)
    assert not small.parts["policy"][0][0][:, 3].any()
    assert (tmp_path / "small.npz").read_bytes() == (tmp_path / "again.npz").read_bytes()
    assert (tmp_path / "small.npz").stat().st_size < (tmp_path / "whole.npz").stat().st_size / 2


class Bomb:
    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, ("exploded",)


def test_a_poisoned_checkpoint_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pickle.npz").write_bytes(pickle.dumps(Bomb()))
    np.savez("objects.npz", policy_0_weights=np.array([Bomb()], dtype=object), told=np.frombuffer(b"{}", np.uint8))
    np.save("array.npy", np.array([Bomb()], dtype=object))
    Path("array.npy").rename("array.npz")
    Path("text.npz").write_text("hello")
    for name in ("pickle.npz", "objects.npz", "array.npz", "text.npz"):
        with pytest.raises(ValueError, match=f"{name} is no checkpoint"):
            Network.load(name)
    assert not Path("exploded").exists()


def test_a_file_that_unpacks_to_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "much.npz"
    np.savez_compressed(path, more=np.zeros(MOST_BYTES, np.uint8))
    assert path.stat().st_size < 1 << 20
    monkeypatch.setattr(np, "load", None)
    with pytest.raises(ValueError, match=r"much.npz is no checkpoint: it unpacks to more than 64 MB"):
        Network.load(path)


def test_draws_are_legal_and_follow_the_probabilities() -> None:
    logits = np.array([0.0, 1.0, 50.0, 2.0], np.float32)
    masks = np.tile([True, True, False, True], (20_000, 1))
    drawn = sample_masked(np.tile(logits, (20_000, 1)), masks, (np.arange(20_000) + 0.5) / 20_000)
    wanted = np.zeros(4)
    wanted[[0, 1, 3]] = masked_softmax(logits, [0, 1, 3])
    np.testing.assert_allclose(np.bincount(drawn, minlength=4) / 20_000, wanted, atol=1e-4)
    edge = sample_masked(logits[None].repeat(2, 0), masks[:2], np.array([0.0, np.nextafter(1, 0)]))
    assert edge.tolist() == [0, 3]


def test_weights_that_are_no_numbers_are_refused() -> None:
    layer = (np.full((2, 3), np.nan, np.float32), np.zeros(3, np.float32))
    with pytest.raises(ValueError, match="a weight is no finite number"):
        Network([], [layer], [layer])
