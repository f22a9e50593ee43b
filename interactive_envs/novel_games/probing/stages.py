"""What one game does when it is tried: facts as JSON values, on which ``novel_games/admission.py`` decides.

Each stage is ``stage(source, settings) -> facts`` and stands alone, so that each can be asked with limits of its own.
The files of this folder run inside the sandbox, which loads them in the order of ``MODULES`` in
:mod:`interactive_envs.novel_games.host.sandboxed`; :mod:`interactive_envs.novel_games.host.adapter` says what they may
import.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from interactive_envs.novel_games.host.adapter import GameError, offers
from interactive_envs.novel_games.host.traces import Trace, TraceError, check
from interactive_envs.novel_games.probing.common import (
    DEFAULTS,
    Facts,
    Settings,
    load_program,
    observation_fault,
    space_sizes,
)
from interactive_envs.novel_games.probing.hiding import secrets
from interactive_envs.novel_games.probing.random_games import fuzz
from interactive_envs.novel_games.probing.repeating import repeat
from interactive_envs.novel_games.probing.shape import canonical
from interactive_envs.novel_games.probing.solving import exact
from interactive_envs.novel_games.probing.source import read


def build(source: str, settings: Settings) -> Facts:
    """Whether there is a game, and the sizes of its spaces."""
    begun = time.process_time()
    try:
        program = load_program(source, settings)
        seconds = time.process_time() - begun
        env = program.make()
        sizes = {space_sizes(env)}
        for seed in range(3):
            observation, _ = env.reset(seed=seed)
            sizes.add(space_sizes(env))
        board, moves = env.render(), env.valid_moves()
    except Exception as error:
        cause = error.__cause__ or error
        why = next((kind.__name__ for kind in (OSError, MemoryError) if isinstance(cause, kind)), "")
        message = str(error) if isinstance(error, GameError) else f"{type(error).__name__}: {error}"
        return {"error": message, "why": why}
    return {
        "actions": program.actions,
        "observed": program.size,
        "seconds": seconds,
        "sizes": sorted(map(list, sizes)),
        "board": isinstance(board, str),
        "moves": len(moves),
        "observation": observation_fault(env, observation),
        "player": program.player,
        "extensions": [
            name for name in ("move_name", "clone", "key", "view", "resample", "chance") if offers(env, name)
        ],
    }


def follow(source: str, settings: Settings) -> Facts:
    """Play the examples of the rules; a fault for each that goes another way."""
    program, asked = load_program(source, settings), {**DEFAULTS, **settings}
    faults = []
    for line, text in asked["traces"]:
        try:
            check(program, Trace(line, text))
        except TraceError as error:
            faults.append(" / ".join(str(error).splitlines()))
    return {"traces": len(asked["traces"]), "faults": faults}


STAGES: dict[str, Callable[[str, Settings], Facts]] = {
    stage.__name__: stage for stage in (read, build, repeat, fuzz, secrets, follow, exact, canonical)
}


def probe(source: str, settings: Settings) -> Facts:
    """All stages in this process, for games that are trusted; stops at the first that finds no game."""
    facts: Facts = {}
    for name, stage in STAGES.items():
        facts[name] = stage(source, settings)
        if "error" in facts[name]:
            break
    return facts
