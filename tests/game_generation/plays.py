"""What a reader that makes no mistake writes: two random games of the code, with moves that are not legal there."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Mapping
from pathlib import Path

from interactive_envs.game_generation.pool import write_files
from interactive_envs.game_generation.reading import LEAST_ILLEGAL
from interactive_envs.novel_games.folder import read_folder
from interactive_envs.novel_games.host.adapter import WON, Program, Table


def plays(files: Mapping[str, str]) -> str:
    """The reply of such a reader; the code runs in this process."""
    with tempfile.TemporaryDirectory() as home:
        path = Path(home) / "game"
        write_files(path, files)
        folder = read_folder(path)
    program = Program(folder.source, **folder.options)
    return "\n\n".join(f"```trace\n{play(program.new(1), random.Random(seed))}```" for seed in (0, 1))


def play(table: Table, rng: random.Random) -> str:
    """A game to its end."""
    lines, seen = ["seed 1"], set[str]()
    while table.result is None:
        names = {table.name(action): action for action in table.legal()}
        lines += [f"illegal: {WON[table.seat]}: {name}" for name in sorted(seen - set(names))[:LEAST_ILLEGAL]]
        seen |= set(names)
        name = rng.choice(sorted(names))
        lines.append(f"{WON[table.seat]}: {name}")
        table.play(names[name])
    return "\n".join([*lines, f"winner: {table.result}"]) + "\n"
