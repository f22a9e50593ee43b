"""Interactive reasoning environments for Gymnasium and PettingZoo.

Importing this package registers the ``ibench/…`` ids and nothing heavy. ``__all__`` is the public list, whose names are
imported when they are first used; everything else may change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interactive_envs.registration import register_all

if TYPE_CHECKING:
    from interactive_envs.agent import Agent
    from interactive_envs.api import (
        Difference,
        Run,
        TournamentRun,
        check_game,
        evaluate,
        passk,
        suite,
        tournament,
        train,
    )
    from interactive_envs.game_generation.making import generate
    from interactive_envs.judges.base import Judge
    from interactive_envs.making import make

__all__ = [
    "Agent",
    "Difference",
    "Judge",
    "Run",
    "TournamentRun",
    "check_game",
    "evaluate",
    "generate",
    "make",
    "passk",
    "register_all",
    "suite",
    "tournament",
    "train",
]
__version__ = "0.1.0"

register_all()


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from interactive_envs import agent, making
    from interactive_envs.judges import base

    light = {"Agent": agent.Agent, "Judge": base.Judge, "make": making.make}
    if name in light:
        return light[name]
    if name == "generate":
        from interactive_envs.game_generation.making import generate

        return generate
    from interactive_envs import api

    return getattr(api, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
