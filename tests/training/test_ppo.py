"""Masked PPO in NumPy, against torch, which differentiates the loss itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback

from interactive_envs.novel_games.search.network import Network, sample_masked
from interactive_envs.training.ppo import LONGEST_GRADIENT, TINY, Learner, Steps, advantages_of
from interactive_envs.training.selfplay import SelfPlay
from interactive_envs.training.trainer import TrainConfig, train
from tests.training.tiny_games import dice

SHAPES = (((16,), ()), ((), (16, 8)), ((16, 8), (4,)))


def learner(trunk: tuple[int, ...], heads: tuple[int, ...], activation: str) -> Learner:
    made = Learner(7, 5, trunk=trunk, heads=heads, activation=activation, rng=np.random.default_rng(1))
    made.weights += np.random.default_rng(2).normal(size=made.weights.shape).astype(np.float32) / 5
    return made


def steps(count: int = 64) -> Steps:
    rng = np.random.default_rng(3)
    masks = rng.random((count, 5)) < 0.6
    masks[:, 2] = True
    numbers = rng.normal(size=(3, count)).astype(np.float32)
    actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
    return Steps(rng.random((count, 7), np.float32), masks, actions, numbers[0] / 4 - 1, numbers[1], numbers[2])


def module(made: Learner, activation: str) -> tuple[list[torch.Tensor], Any]:
    """The same network in torch: its parameters in the order of ours, and its forward pass."""
    parts = made.network({}).parts
    tensors = {
        part: [tuple(torch.tensor(array, requires_grad=True) for array in layer) for layer in layers]
        for part, layers in parts.items()
    }
    bend = torch.tanh if activation == "tanh" else torch.relu

    def forward(values: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        for weights, biases in tensors["trunk"]:
            values = bend(values @ weights + biases)
        outs = []
        for part in ("policy", "value"):
            out = values
            for place, (weights, biases) in enumerate(tensors[part]):
                out = (bend(out) if place else out) @ weights + biases
            outs.append(out)
        return outs[0], outs[1][:, 0]

    return [tensor for layers in tensors.values() for layer in layers for tensor in layer], forward


@pytest.mark.parametrize("activation", ["tanh", "relu"])
@pytest.mark.parametrize(("trunk", "heads"), SHAPES)
def test_the_gradient_is_the_one_of_the_loss(trunk: tuple[int, ...], heads: tuple[int, ...], activation: str) -> None:
    made, batch = learner(trunk, heads, activation), steps()
    told = made.differentiate(batch, clip=0.2, entropy=0.1)

    parameters, forward = module(made, activation)
    logits, values = forward(torch.from_numpy(batch.observations))
    chances = MaskableCategoricalDistribution(5).proba_distribution(logits)
    chances.apply_masking(batch.masks)
    advantages = torch.from_numpy(batch.advantages)
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    ratio = torch.exp(chances.log_prob(torch.from_numpy(batch.actions)) - torch.from_numpy(batch.logs))
    policy = -torch.min(advantages * ratio, advantages * torch.clamp(ratio, 0.8, 1.2)).mean()
    value = torch.nn.functional.mse_loss(torch.from_numpy(batch.returns), values)
    loss = policy - 0.1 * chances.entropy().mean() + 0.5 * value
    loss.backward()
    wanted = torch.cat([tensor.grad.ravel() for tensor in parameters]).numpy()

    assert 0.1 < told["clip_fraction"] < 0.9
    assert told["loss"] == pytest.approx(loss.item(), rel=1e-4)
    assert np.allclose(made.gradient, wanted, rtol=1e-3, atol=1e-5)


def test_the_optimizer_is_torchs() -> None:
    made, batch = learner((16,), (), "tanh"), steps()
    weights = torch.tensor(made.weights, requires_grad=True)
    adam = torch.optim.Adam([weights], lr=0.01, eps=TINY)
    for _ in range(5):
        made.update(batch, rate=0.01, clip=0.2, entropy=0.1)
        gradient = made.gradient.copy()
        assert np.linalg.norm(gradient) <= LONGEST_GRADIENT * 1.0001
        weights.grad = torch.from_numpy(gradient)
        adam.step()
        assert np.allclose(made.weights, weights.detach().numpy(), atol=1e-6)


def test_what_is_illegal_is_never_played_and_counts_for_nothing() -> None:
    made, batch = learner((16,), (), "tanh"), steps()
    rng = np.random.default_rng(0)
    for _ in range(50):
        actions = made.choose(batch.observations, batch.masks, rng.random(64))
        assert batch.masks[np.arange(64), actions].all()
    only = np.zeros_like(batch.masks)
    only[np.arange(64), batch.actions] = True
    values, logs = made.judge(replace(batch, masks=only))
    assert not logs.any(), "the only action has probability 1"
    assert np.array_equal(values, made.values(batch.observations))


def test_advantages_are_sums_of_what_came_better_than_expected() -> None:
    rng = np.random.default_rng(0)
    rewards, values = rng.normal(size=(2, 6, 3)).astype(np.float32)
    starts, after = rng.random((6, 3)) < 0.3, rng.normal(size=3).astype(np.float32)
    over, gamma, trace = np.array([True, False, False]), 0.9, 0.8
    found = advantages_of(rewards, values, starts, after, over, gamma, trace)
    ends = np.vstack([starts[1:], over])
    for game in range(3):
        for step in range(6):
            total, weight = 0.0, 1.0
            for later in range(step, 6):
                following = values[later + 1, game] if later < 5 else after[game]
                goes_on = not ends[later, game]
                total += weight * (rewards[later, game] + gamma * following * goes_on - values[later, game])
                weight *= gamma * trace * goes_on
            assert found[step, game] == pytest.approx(total, abs=1e-5)


def test_the_first_weights_are_orthogonal() -> None:
    made = Learner(7, 5, trunk=(16,), heads=(), activation="tanh", rng=np.random.default_rng(1))
    parts = made.network({}).parts
    for part, gain in (("trunk", 2.0), ("policy", 0.01**2), ("value", 1.0)):
        ((weights, biases),) = parts[part]
        small = weights if weights.shape[0] >= weights.shape[1] else weights.T
        assert np.allclose(small.T @ small, gain * np.eye(small.shape[1]), atol=1e-5)
        assert not biases.any()


class Drawn(MaskableActorCriticPolicy):
    """Stable-Baselines3's policy, which draws its actions by given numbers."""

    uniforms: Any

    def forward(self, obs: torch.Tensor, deterministic: bool = False, action_masks: Any = None) -> Any:
        policy, value = self.mlp_extractor(self.extract_features(obs))
        logits = self.action_net(policy)
        actions = torch.from_numpy(np.asarray(sample_masked(logits.numpy(), action_masks, next(self.uniforms))))
        chances = self.action_dist.proba_distribution(logits)
        chances.apply_masking(action_masks)
        return actions, self.value_net(value), chances.log_prob(actions)


class Shuffled(MaskableRolloutBuffer):
    """Its buffer, in the order of ours."""

    rng: np.random.Generator

    def get(self, batch_size: int | None = None) -> Any:
        count = self.buffer_size * self.n_envs
        if not self.generator_ready:
            for name in ("observations", "actions", "values", "log_probs", "advantages", "returns", "action_masks"):
                setattr(self, name, getattr(self, name).reshape(count, -1))
            self.generator_ready = True
        order = self.rng.permutation(count)
        for begin in range(0, count, batch_size or count):
            yield self._get_samples(order[begin : begin + (batch_size or count)])


def test_training_is_maskable_ppos_step_for_step(tmp_path: Path) -> None:
    config = TrainConfig(steps=1280, games=16, rollout=128, batch=64, epochs=2, trunk=(), heads=(8, 8), seed=3)
    ours: list[Network] = []
    train(dice, tmp_path, config, log=(), until=lambda _, network: ours.append(network) or len(ours) == 8)

    env, rng = SelfPlay(dice(16), seed=config.seed), np.random.default_rng([config.seed, 1])
    first = Learner(9, 2, trunk=(), heads=(8, 8), activation="tanh", rng=rng).network({})
    model = MaskablePPO(
        *(Drawn, env),
        learning_rate=lambda left: config.rate[1] + (config.rate[0] - config.rate[1]) * left,
        **{"n_steps": 8, "batch_size": 64, "n_epochs": 2, "gamma": config.gamma, "gae_lambda": config.trace},
        **{"clip_range": config.clip, "ent_coef": config.entropy, "rollout_buffer_class": Shuffled, "device": "cpu"},
        policy_kwargs={"net_arch": [8, 8], "optimizer_kwargs": {"eps": TINY}},
    )
    policy, model.rollout_buffer.rng = model.policy, rng
    hidden = [*policy.mlp_extractor.policy_net[::2], policy.action_net, *policy.mlp_extractor.value_net[::2]]
    linear = [*hidden, policy.value_net]
    for layer, (weights, biases) in zip(linear, first.parts["policy"] + first.parts["value"], strict=True):
        layer.weight.data, layer.bias.data = torch.from_numpy(weights.T.copy()), torch.from_numpy(biases.copy())

    class Compare(BaseCallback):
        seen = 0

        def _on_step(self) -> bool:
            return self.seen < len(ours)

        def _on_rollout_start(self) -> None:
            env.epsilon = config.epsilon[0] + (config.epsilon[1] - config.epsilon[0]) * self.seen / 10
            policy.uniforms = iter(rng.random((8, 16)))
            for layer, own in zip(
                linear, ours[self.seen].parts["policy"] + ours[self.seen].parts["value"], strict=True
            ):
                assert np.allclose(layer.weight.detach().numpy().T, own[0], atol=1e-5)
                assert np.allclose(layer.bias.detach().numpy(), own[1], atol=1e-5)
            self.seen += 1

    compare = Compare()
    model.learn(config.steps, callback=compare)
    assert compare.seen == len(ours)
