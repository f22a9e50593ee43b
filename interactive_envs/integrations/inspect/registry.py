"""What inspect_ai finds of this package by its entry point: the task, and the provider of players."""

from __future__ import annotations

from interactive_envs.integrations.inspect.provider import Players
from interactive_envs.integrations.inspect.task import ibench, invalid, play_environment, reward, success, turns

__all__ = ["Players", "ibench", "invalid", "play_environment", "reward", "success", "turns"]
