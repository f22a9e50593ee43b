"""Opponents for the tests, each importable by its spec."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interactive_envs.agent import Agent
from interactive_envs.llm.calls import ModelCall


class Failing(Agent):
    """Has a bug."""

    name = "failing"

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        raise ZeroDivisionError("a bug")


class Paid(Agent):
    """Costs a quarter of a dollar a move, and nobody knows its price."""

    name = "paid"
    asked = 0

    @property
    def priced(self) -> bool:
        return False

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        type(self).asked += 1
        self._calls = [ModelCall("paid", (), "C", cost=0.25)]
        return "COOPERATE"

    def drain_calls(self) -> list[ModelCall]:
        return [self._calls.pop()] if getattr(self, "_calls", None) else []
