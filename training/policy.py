"""The policy that MaskablePPO trains, shaped as :class:`interactive_envs.novel_games.search.network.Network`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from gymnasium.spaces import Space
from numpy.typing import NDArray
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

from interactive_envs.novel_games.search.network import Layer, Network

ACTIVATIONS: Mapping[str, type[nn.Module]] = {"tanh": nn.Tanh, "relu": nn.ReLU}
ILLEGAL = 1e4
"""What is taken off the logit of an illegal action: enough that its probability is 0 exactly."""
BELOW_ONE = 1 - 1e-6
"""Keeps a draw below the total also when the product is rounded; at the total, the last action would be drawn."""


class Trunk(BaseFeaturesExtractor):
    """Layers that policy and value share.

    Args:
        space: of the observations.
        widths: units of each layer, may be none.
        activation: after each of them.
    """

    def __init__(self, space: Space[Any], widths: Sequence[int], activation: type[nn.Module]) -> None:
        inputs = int(np.prod(space.shape or ()))
        super().__init__(space, [inputs, *widths][-1])
        layers: list[nn.Module] = []
        for width in widths:
            layers += [nn.Linear(inputs, width), activation()]
            inputs = width
        self.layers = nn.Sequential(*layers)

    def forward(self, observations: Tensor) -> Tensor:
        """The features of a batch."""
        features: Tensor = self.layers(observations)
        return features


class SharedPolicy(MaskableActorCriticPolicy):
    """A trunk with a policy head and a value head; one pass gives both.

    It does what its parent does, without the general distribution objects, which take longer than these networks, and
    draws from its own generator.

    Args:
        trunk: units of the shared layers.
        heads: units of each head's hidden layers.
        activation: ``tanh`` or ``relu``.
        seed: of the draws.
        arguments: the parent's.
    """

    def __init__(
        self,
        *arguments: Any,
        trunk: Sequence[int],
        heads: Sequence[int],
        activation: str,
        seed: int,
        **options: Any,
    ) -> None:
        kind = ACTIVATIONS[activation]
        options |= {
            "net_arch": {"pi": list(heads), "vf": list(heads)},
            "activation_fn": kind,
            "features_extractor_class": Trunk,
            "features_extractor_kwargs": {"widths": trunk, "activation": kind},
        }
        super().__init__(*arguments, **options)
        self.activation = activation
        self.draws = torch.Generator().manual_seed(seed)

    def forward(
        self, obs: Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Actions, values and the logarithms of the actions' probabilities."""
        values, logits = self.values_and_logits(obs, action_masks)
        if deterministic:
            actions = logits.argmax(1)
        else:
            totals = logits.softmax(1).cumsum(1)
            drawn = torch.rand(len(totals), 1, generator=self.draws) * totals[:, -1:] * BELOW_ONE
            actions = (totals <= drawn).sum(1)
        return actions, values, logits.log_softmax(1).gather(1, actions[:, None])[:, 0]

    def evaluate_actions(self, obs: Tensor, actions: Tensor, action_masks: Any = None) -> tuple[Tensor, Tensor, Tensor]:
        """Values, the logarithms of the actions' probabilities, and entropies."""
        values, logits = self.values_and_logits(obs, action_masks)
        logs = logits.log_softmax(1)
        # not logs.exp(): torch takes ten times longer for numbers that underflow there than in a softmax
        return values, logs.gather(1, actions[:, None])[:, 0], -(logits.softmax(1) * logs).sum(1)

    def network(self, about: Mapping[str, Any]) -> Network:
        """The weights as they are now."""
        trunk = layers(self.features_extractor)
        policy = layers(self.mlp_extractor.policy_net) + layers(self.action_net)
        value = layers(self.mlp_extractor.value_net) + layers(self.value_net)
        return Network(trunk, policy, value, activation=self.activation, about=about)

    def values_and_logits(self, observations: Tensor, masks: Any) -> tuple[Tensor, Tensor]:
        """Values, shape (rows, 1), and logits, shape (rows, actions); masked actions have none left."""
        policy, value = self.mlp_extractor(self.features_extractor(observations))
        logits = self.action_net(policy)
        if masks is not None:
            logits = logits + (torch.as_tensor(masks, dtype=torch.float32) - 1) * ILLEGAL
        return self.value_net(value), logits


class Rollouts(MaskableRolloutBuffer):
    """The rollout buffer, shuffled by its own generator.

    Args:
        rng: shuffles.
        arguments: the parent's.
    """

    def __init__(self, *arguments: Any, rng: np.random.Generator, **options: Any) -> None:
        self.rng = rng
        super().__init__(*arguments, **options)

    def get(self, batch_size: int | None = None) -> Any:
        """Batches of the whole rollout, each step once."""
        count = self.buffer_size * self.n_envs
        if not self.generator_ready:
            for name in ("observations", "actions", "values", "log_probs", "advantages", "returns", "action_masks"):
                setattr(self, name, self.swap_and_flatten(getattr(self, name)))
            self.generator_ready = True
        order: NDArray[np.int64] = self.rng.permutation(count)
        size = batch_size or count
        for start in range(0, count, size):
            yield self._get_samples(order[start : start + size])


def layers(module: nn.Module) -> list[Layer]:
    """The linear layers of a module, in their order, as plain arrays."""
    linear = [part for part in module.modules() if isinstance(part, nn.Linear)]
    return [(_array(part.weight).T.copy(), _array(part.bias)) for part in linear]


def _array(tensor: Tensor) -> NDArray[np.float32]:
    values: NDArray[np.float32] = tensor.detach().numpy().astype(np.float32)
    return values
