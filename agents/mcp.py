"""A player in another program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interactive_envs.agent import Agent
from interactive_envs.errors import ConfigError


class McpClient(Agent):
    """A client of the Model Context Protocol, which plays through the server ``ibench mcp``.

    Args:
        target: what it is called.
    """

    name = "mcp"
    interactive = True

    def __init__(self, target: str = "client") -> None:
        self._client = target

    @property
    def priced(self) -> bool:
        """False: nobody here knows what the client pays for its model."""
        return False

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Refuse: only the server hears of what the client does.

        Raises:
            ConfigError: always.
        """
        raise ConfigError(f"the client {self._client!r} plays through a server; start it with: ibench mcp ID")

    def describe(self) -> dict[str, Any]:
        """The client's name."""
        return {"name": self.name, "client": self._client}
