"""Masked PPO in NumPy (Schulman et al., 2017): a framework takes longer for networks this small than they compute.

The loss is that of ``sb3_contrib.MaskablePPO``, and so are the constants that no setting names; a test holds its
gradient against the one that torch finds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactive_envs.novel_games.search.network import PARTS, Layer, Network, sample_masked

Floats = NDArray[np.float32]

HIDDEN_GAIN = float(np.sqrt(2))
GAINS = {"trunk": HIDDEN_GAIN, "policy": 0.01, "value": 1.0}
"""Of a part's last layer at the beginning; the layers before it have :data:`HIDDEN_GAIN`."""
VALUE_WEIGHT = np.float32(0.5)
"""Of the squared error of the values in the loss."""
LONGEST_GRADIENT = 0.5
"""Norm to which a longer gradient is cut."""
DECAYS, TINY = (0.9, 0.999), 1e-5
"""Adam's."""
ILLEGAL = np.float32(1e4)
"""Taken off the logit of an illegal action: enough that its probability is 0 exactly."""


@dataclass(frozen=True)
class Steps:
    """Decisions to learn from, one a row.

    Attributes:
        observations: (n, inputs).
        masks: what was legal, (n, actions) bool.
        actions: what was played, (n,).
        logs: logarithms of their probabilities when they were played, (n,).
        advantages: how much better they came out than was expected, (n,).
        returns: what the values should have been, (n,).
    """

    observations: Floats
    masks: NDArray[np.bool_]
    actions: NDArray[np.int64]
    logs: Floats
    advantages: Floats
    returns: Floats

    def take(self, rows: NDArray[np.int64] | slice) -> Steps:
        """Some of them."""
        return Steps(*(part[rows] for part in vars(self).values()))


class Learner:
    """A network in training, with its optimizer.

    Args:
        inputs: numbers in an observation.
        actions: how many there are.
        trunk: units of the layers that policy and value share, may be none.
        heads: units of each head's hidden layers, may be none.
        activation: ``tanh`` or ``relu``.
        rng: draws the first weights, which are orthogonal.

    Attributes:
        weights: all weights and biases in a row.
        gradient: of the loss, in the same order.
        memory: Adam's running means of the gradient and of its square, (2, weights).
        updates: how many there were.
    """

    def __init__(
        self,
        inputs: int,
        actions: int,
        *,
        trunk: Sequence[int],
        heads: Sequence[int],
        activation: str,
        rng: np.random.Generator,
    ) -> None:
        features = [inputs, *trunk][-1]
        widths = {"trunk": [inputs, *trunk], "policy": [features, *heads, actions], "value": [features, *heads, 1]}
        count = sum((above + 1) * below for wide in widths.values() for above, below in pairwise(wide))
        self.weights, self.gradient = np.zeros(count, np.float32), np.zeros(count, np.float32)
        self.memory, self.updates = np.zeros((2, count), np.float32), 0
        self._layers, self._slopes = _layers(self.weights, widths), _layers(self.gradient, widths)
        self._activation = activation
        for part, layers in self._layers.items():
            for place, (weights, _) in enumerate(layers, 1):
                weights[:] = _orthogonal(weights.shape, rng) * (GAINS[part] if place == len(layers) else HIDDEN_GAIN)

    @classmethod
    def of(cls, network: Network) -> Learner:
        """Go on from a network, with an optimizer that remembers nothing."""
        parts = network.parts
        trunk, heads = ([weights.shape[1] for weights, _ in part] for part in (parts["trunk"], parts["policy"][:-1]))
        shape = network.inputs, network.actions
        made = cls(*shape, trunk=trunk, heads=heads, activation=network.activation, rng=np.random.default_rng(0))
        for part, layers in made._layers.items():
            for own, other in zip(layers, parts[part], strict=True):
                own[0][:], own[1][:] = other
        return made

    def network(self, about: Mapping[str, Any]) -> Network:
        """The weights as they are now."""
        parts = [[(weights.copy(), biases.copy()) for weights, biases in self._layers[part]] for part in PARTS]
        return Network(*parts, activation=self._activation, about=about)

    def choose(self, observations: Floats, masks: NDArray[np.bool_], uniforms: Any) -> NDArray[np.int64]:
        """An action a row, drawn from the policy by numbers in [0, 1)."""
        logits = self._up("policy", self._up("trunk", observations)[-1])[-1]
        return np.asarray(sample_masked(logits, masks, uniforms))

    def judge(self, steps: Steps) -> tuple[Floats, Floats]:
        """What the seat to move expects, (n,), and the logarithm of what was played, (n,)."""
        features = self._up("trunk", steps.observations)[-1]
        logs, _ = _logs(self._up("policy", features)[-1], steps.masks)
        return self._up("value", features)[-1][:, 0], logs[np.arange(len(logs)), steps.actions]

    def values(self, observations: Floats) -> Floats:
        """What the seat to move expects, (n,)."""
        return self._up("value", self._up("trunk", observations)[-1])[-1][:, 0]

    def update(self, steps: Steps, *, rate: float, clip: float, entropy: float) -> dict[str, float]:
        """One step of the optimizer.

        Args:
            steps: to learn from.
            rate: how far.
            clip: of the probability ratio.
            entropy: weight of the policy's entropy.

        Returns:
            The parts of the loss by name.
        """
        told = self.differentiate(steps, clip=clip, entropy=entropy)
        self._follow(rate)
        return told

    def imitate(
        self, observations: Floats, masks: NDArray[np.bool_], chances: Floats, values: Floats, rate: float
    ) -> None:
        """One step of the optimizer towards given policies and values.

        Args:
            observations: (n, inputs).
            masks: what was legal, (n, actions) bool.
            chances: of the actions, (n, actions), 0 where illegal.
            values: what the seat to move gets, (n,).
            rate: how far.
        """
        count = np.float32(len(values))
        trunk = self._up("trunk", observations)
        policy, value = self._up("policy", trunk[-1]), self._up("value", trunk[-1])
        slope = self._down("policy", policy, (_logs(policy[-1], masks)[1] - chances) / count)
        slope += self._down("value", value, (2 / count * (value[-1][:, 0] - values))[:, None])
        self._down("trunk", trunk, slope, inputs=False)
        self._follow(rate)

    def _follow(self, rate: float) -> None:
        """Adam's step along the gradient."""
        gradient, (means, squares) = self.gradient, self.memory
        length = float(np.sqrt(gradient @ gradient))
        if length > LONGEST_GRADIENT:
            gradient *= np.float32(LONGEST_GRADIENT / length)
        self.updates += 1
        for memory, news, decay in ((means, gradient, DECAYS[0]), (squares, gradient * gradient, DECAYS[1])):
            memory *= np.float32(decay)
            memory += np.float32(1 - decay) * news
        first, second = (1 - decay**self.updates for decay in DECAYS)
        spread = np.sqrt(squares)
        spread *= np.float32(second**-0.5)
        spread += np.float32(TINY)
        self.weights -= np.float32(rate / first) * means / spread

    def differentiate(self, steps: Steps, *, clip: float, entropy: float) -> dict[str, float]:
        """Set :attr:`gradient`; arguments and result are those of :meth:`update`."""
        count = np.float32(len(steps.actions))
        trunk = self._up("trunk", steps.observations)
        policy, value = self._up("policy", trunk[-1]), self._up("value", trunk[-1])
        logs, chances = _logs(policy[-1], steps.masks)
        rows = np.arange(len(logs))
        changes = logs[rows, steps.actions] - steps.logs
        ratios = np.exp(changes)
        advantages = steps.advantages
        if len(advantages) > 1:
            advantages = (advantages - advantages.mean()) / (advantages.std(ddof=1) + np.float32(1e-8))
        gains, clipped = ratios * advantages, ratios.clip(1 - clip, 1 + clip) * advantages
        logs *= chances
        entropies = -logs.sum(axis=1)
        errors = value[-1][:, 0] - steps.returns

        # by the logit j: of log p(a) it is [j = a] - p(j), of the entropy -p(j) (log p(j) + entropy)
        weights = np.where(gains <= clipped, gains, 0) / count
        logs += chances * entropies[:, None]
        logs *= np.float32(entropy) / count
        logs += chances * weights[:, None]
        logs[rows, steps.actions] -= weights
        slope = self._down("policy", policy, logs)
        slope += self._down("value", value, (2 * VALUE_WEIGHT / count * errors)[:, None])
        self._down("trunk", trunk, slope, inputs=False)

        loss = {"policy_gradient_loss": -np.minimum(gains, clipped).mean(), "value_loss": (errors * errors).mean()}
        loss["entropy_loss"] = -entropies.mean()
        told = {name: float(value) for name, value in loss.items()}
        told["loss"] = told["policy_gradient_loss"] + entropy * told["entropy_loss"] + told["value_loss"] / 2
        told["approx_kl"] = float((ratios - 1 - changes).mean())
        told["clip_fraction"] = float((np.abs(ratios - 1) > clip).mean())
        return told

    def _up(self, part: str, values: Floats) -> list[Floats]:
        """What enters each layer of a part, and what comes out in the end."""
        seen, layers = [values], self._layers[part]
        for place, (weights, biases) in enumerate(layers, 1):
            values = values @ weights
            values += biases
            if self._bends(part, place):
                np.tanh(values, out=values) if self._activation == "tanh" else np.maximum(values, 0, out=values)
            seen.append(values)
        return seen

    def _down(self, part: str, seen: Sequence[Floats], slope: Floats, *, inputs: bool = True) -> Floats:
        """Fill in the gradient of a part; the slope by what entered it, where that is wanted."""
        for place in range(len(seen) - 1, 0, -1):
            above, below = seen[place], seen[place - 1]
            if self._bends(part, place):
                slope *= 1 - above * above if self._activation == "tanh" else above > 0
            weights, biases = self._slopes[part][place - 1]
            np.matmul(below.T, slope, out=weights)
            slope.sum(axis=0, out=biases)
            if inputs or place > 1:
                slope = slope @ self._layers[part][place - 1][0].T
        return slope

    def _bends(self, part: str, place: int) -> bool:
        """Whether the layer at a place, from 1, is activated: all but the last of a head."""
        return part == "trunk" or place < len(self._layers[part])


def advantages_of(
    rewards: Floats, values: Floats, starts: NDArray[np.bool_], after: Floats, over: Any, gamma: float, trace: float
) -> Floats:
    """Generalised advantage estimates (Schulman et al., 2016).

    Args:
        rewards: paid by each step, (steps, games).
        values: expected before it, (steps, games).
        starts: whether a game began with it, (steps, games).
        after: values after the last step, (games,).
        over: whether a game ended with the last step, (games,).
        gamma: discount a step.
        trace: λ.

    Returns:
        (steps, games).
    """
    found, last = np.zeros_like(rewards), np.zeros(len(after), np.float32)
    for step in reversed(range(len(rewards))):
        ahead = np.float32(gamma) * (after + np.float32(trace) * last)
        found[step] = last = rewards[step] + np.where(over, 0, ahead) - values[step]
        after, over = values[step], starts[step]
    return found


def _logs(logits: Floats, masks: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Logarithms of the probabilities, far below 0 where illegal, and the probabilities, (n, actions) each."""
    logs = np.where(masks, logits, logits - ILLEGAL)
    logs -= logs.max(axis=1, keepdims=True)
    chances = np.exp(logs)
    totals = chances.sum(axis=1, keepdims=True)
    chances /= totals
    logs -= np.log(totals)
    return logs, chances


def _layers(flat: Floats, widths: Mapping[str, Sequence[int]]) -> dict[str, list[Layer]]:
    """The layers of each part as views of one array."""
    layers: dict[str, list[Layer]] = {part: [] for part in PARTS}
    begin = 0
    for part in PARTS:
        for above, below in pairwise(widths[part]):
            weights = flat[begin : begin + above * below].reshape(above, below)
            begin += weights.size + below
            layers[part].append((weights, flat[begin - below : begin]))
    return layers


def _orthogonal(shape: tuple[int, int], rng: np.random.Generator) -> Any:
    """A drawn matrix whose shorter side is orthonormal (Saxe et al., 2014)."""
    rows, columns = max(shape), min(shape)
    q, r = np.linalg.qr(rng.standard_normal((rows, columns)))
    q *= np.sign(np.diag(r))
    return q if shape == (rows, columns) else q.T
