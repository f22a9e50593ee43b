"""Runs code that is not trusted: limits on time, memory and output, no files, no network, JSON in and out."""

from __future__ import annotations

from interactive_envs.sandbox.levels import Level, Part, best_level, level_in_use, parts
from interactive_envs.sandbox.run import Limits, Reason, Sandbox, SandboxError, Worker

__all__ = [
    "Level",
    "Limits",
    "Part",
    "Reason",
    "Sandbox",
    "SandboxError",
    "Worker",
    "best_level",
    "level_in_use",
    "parts",
]
