"""Opponents for a made game: self-play training, a ladder of its checkpoints and searches, and whom a model meets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from interactive_envs.novel_games.folder import read_folder
from interactive_envs.novel_games.host.adapter import EXTRAS
from interactive_envs.novel_games.ladder import BEATABLE, LADDER, read_ladder
from interactive_envs.novel_games.rules import GeneratedGame
from interactive_envs.system.workers import Processes
from interactive_envs.training.ladders import GAMES, SOLUTION, make_ladder

FIRST = 15
"""The first checkpoint comes after this share of the steps; each interval is twice the one before."""
UNITS = 64
"""Of each of a network's two layers."""
MOST_BYTES = 22_300
"""Of a network's numbers, so that its file has at most 25 kB: games with hundreds of actions get fewer units."""


def train_and_rank(folder: Path, work: Path, steps: int) -> dict[str, Any]:
    """Train for a game and write ``ladder.json`` and the checkpoints into its folder; goes on where it was interrupted.

    Args:
        folder: of the game.
        work: of the training run.
        steps: of training.

    Returns:
        The opponent that models meet, see :func:`interactive_envs.training.ladders.make_ladder`.
    """
    # a process of its own: in threads, several games would share one core
    with Processes(1) as process:
        return process.submit(_train_and_rank, folder, work, steps, GAMES).result()


def units_for(inputs: int, actions: int) -> int:
    """How many units a layer has: :data:`UNITS`, or as many as :data:`MOST_BYTES` allow, in steps of four."""

    def size(units: int) -> int:
        weights = (inputs + units + actions + 1) * units
        return weights + 4 * (2 * units + actions + 1)  # 8 bits a weight; 16 each for a unit's bias and its step

    return next((units for units in range(UNITS, 4, -4) if size(units) <= MOST_BYTES), 4)


def _train_and_rank(folder: Path, work: Path, steps: int, games: int) -> dict[str, Any]:
    from interactive_envs.training.trainer import TrainConfig, train

    game = GeneratedGame(str(folder))
    units = units_for(game.program.size + EXTRAS, game.program.actions)
    config = TrainConfig(steps=steps, every=max(1, steps // FIRST), trunk=(units, units))
    checkpoints = train(str(folder), work, config, log=())
    if (folder / LADDER).exists():  # of a run that was stopped before it had noted this, or of other code
        ladder = read_ladder(folder)
        if (ladder["sha256"], ladder["games"]) == (read_folder(folder).code_sha256, games):
            return dict(ladder["opponent"])
    return dict(make_ladder(folder, checkpoints, games=games, any_opponent=False)["opponent"])


def faults(opponent: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What speaks against a game: no player separates from a trained opponent, so a score would measure luck."""
    if opponent.get("level") is not None and opponent["beaten_by"] != SOLUTION and opponent["level"] > 1:
        return []
    return [("not separated", f"no rung and no search beats a trained one in more than {BEATABLE:.0%} of games")]
