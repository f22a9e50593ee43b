"""A MaskablePPO policy for menus of questions and candidates, blind to the order in which they are listed.

The numeric twin shows a label matrix, question by candidate, whose rows and columns are shuffled in every episode.
A plain network has to learn each place of the matrix for itself. This one shares its weights over questions and over
candidates (Zaheer et al., Deep Sets, 2017; Hartford et al., exchangeable matrix layers, 2018): what it learns of one
place holds for all.
"""

from __future__ import annotations

from typing import Any

import torch
from gymnasium.spaces import Box, Discrete, Space
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

from interactive_envs.dialogue.free_text import LABELS
from interactive_envs.situation_puzzle.puzzles import MAX_EXPLANATIONS, MAX_QUESTIONS

_CELLS = MAX_EXPLANATIONS * len(LABELS)
_ROW = _CELLS + 1 + len(LABELS)


class MenuNetwork(BaseFeaturesExtractor):
    """Logits for every question and candidate, then a summary for the value.

    Args:
        space: the numeric twin's Box.
        width: units of each hidden layer.

    Returns of ``forward``: shape ``(batch, 64 + 12 + 2 * width + 6)``.
    """

    def __init__(self, space: Space[Any], width: int = 32) -> None:
        if not isinstance(space, Box) or space.shape[0] < MAX_QUESTIONS * _ROW:
            raise ValueError(f"this network reads the numeric twin of a situation-puzzle menu, not {space}")
        extra = space.shape[0] - MAX_QUESTIONS * _ROW
        super().__init__(space, MAX_QUESTIONS + MAX_EXPLANATIONS + 2 * width + extra)
        self._cell = _mlp(2 * len(LABELS) + 3, width, width)
        self._candidate = _mlp(2 * width + extra, width, width)
        self._pair = _mlp(width + len(LABELS) + 1, width, width)
        self._question = _mlp(2 * width + 1 + extra, width, width)
        self._ask = nn.Linear(width, 1)
        self._answer = nn.Linear(width, 1)

    def forward(self, observations: Tensor) -> Tensor:
        """Read a batch of observations, shape ``(batch, n)``."""
        batch = len(observations)
        rows = observations[:, : MAX_QUESTIONS * _ROW].reshape(batch, MAX_QUESTIONS, _ROW)
        extra = observations[:, MAX_QUESTIONS * _ROW :]
        matrix = rows[:, :, :_CELLS].reshape(batch, MAX_QUESTIONS, MAX_EXPLANATIONS, len(LABELS))
        asked, replies = rows[:, :, _CELLS : _CELLS + 1], rows[:, :, _CELLS + 1 :]
        there = matrix.sum(-1, keepdim=True)  # 1 where the menu has such a question and candidate
        replies_here = replies.unsqueeze(2).expand(-1, -1, MAX_EXPLANATIONS, -1)
        asked_here = asked.unsqueeze(2).expand(-1, -1, MAX_EXPLANATIONS, -1)
        agrees = (matrix * replies_here).sum(-1, keepdim=True)
        cells = self._cell(torch.cat([matrix, replies_here, asked_here, agrees, there], -1)) * there
        listed = there.amax(1)  # (batch, candidate, 1)
        weight = asked_here * there
        about = torch.cat([(cells * weight).sum(1), cells.sum(1) / there.sum(1).clamp(min=1)], -1)
        candidates = self._candidate(torch.cat([about, _each(extra, MAX_EXPLANATIONS)], -1)) * listed
        pairs = self._pair(
            torch.cat([candidates.unsqueeze(1).expand(-1, MAX_QUESTIONS, -1, -1), matrix, asked_here], -1)
        )
        pairs = pairs * there
        count = there.sum(2).clamp(min=1)
        mean = pairs.sum(2) / count
        spread = (pairs**2).sum(2) / count - mean**2
        questions = self._question(torch.cat([mean, spread, asked, _each(extra, MAX_QUESTIONS)], -1))
        logits = torch.cat([self._ask(questions).squeeze(-1), self._answer(candidates).squeeze(-1)], -1)
        summary = torch.cat([candidates.amax(1), questions.mean(1), extra], -1)
        return torch.cat([logits, summary], -1)


class _Split(nn.Module):  # type: ignore[misc]
    """The first features are the actor's logits already, the others are the critic's."""

    def __init__(self, actions: int, features: int, width: int) -> None:
        super().__init__()
        self._actions = actions
        self.latent_dim_pi, self.latent_dim_vf = actions, width
        self._critic = _mlp(features - actions, width, width)

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        return self.forward_actor(features), self.forward_critic(features)

    def forward_actor(self, features: Tensor) -> Tensor:
        return features[:, : self._actions]

    def forward_critic(self, features: Tensor) -> Tensor:
        value: Tensor = self._critic(features[:, self._actions :])
        return value


class MenuPolicy(MaskableActorCriticPolicy):
    """``MaskablePPO(MenuPolicy, env)``, with the numeric twin of a situation-puzzle menu as ``env``."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("features_extractor_class", MenuNetwork)
        kwargs["ortho_init"] = False
        super().__init__(*args, **kwargs)

    def _build_mlp_extractor(self) -> None:
        if not isinstance(self.action_space, Discrete):
            raise ValueError(f"this policy needs a Discrete action space, not {self.action_space}")
        self.mlp_extractor = _Split(int(self.action_space.n), self.features_dim, 64)

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net = nn.Identity()
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


def _mlp(inputs: int, width: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, outputs), nn.ReLU())


def _each(extra: Tensor, count: int) -> Tensor:
    return extra.unsqueeze(1).expand(-1, count, -1)
