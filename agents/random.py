"""The player that does anything legal."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from interactive_envs.agent import Agent


class RandomAgent(Agent):
    """Plays a legal action, uniformly; where they cannot be listed, one of the environment's examples."""

    name = "random"
    from_view = True
    reads_text = reads_view = False

    def __init__(self) -> None:
        self.reset()

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Seed the draws and keep the examples."""
        # Another stream than the environment's, which draws its order of candidates from the same seed.
        self._random = np.random.default_rng(None if seed is None else [seed, zlib.crc32(b"random agent")])
        self._examples = tuple((info or {}).get("action_examples", ()))

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Draw an action."""
        actions = info.get("legal_actions") or self._fitting(info) or [""]
        return str(actions[int(self._random.integers(len(actions)))])

    def _fitting(self, info: Mapping[str, Any]) -> list[str]:
        """The examples with a tag that may be used now."""
        tags = tuple(f"<{tag}>" for tag in info.get("action_tags", ()))
        return [text for text in self._examples if not tags or text.startswith(tags)]
