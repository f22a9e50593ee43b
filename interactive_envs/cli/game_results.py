"""What the folders of games and of their training hold, for ``ibench report``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from interactive_envs.errors import ConfigError
from interactive_envs.system.terminal import echo
from interactive_envs.training import RUN


def report(folder: Path) -> bool:
    """Print what a game's folder or a training run holds; whether it is one of these.

    Raises:
        ConfigError: a file in it cannot be read, or it is a folder around several training runs.
    """
    if (folder / RUN).exists():
        _training(folder)
    elif (folder / "game.toml").exists():
        _game(folder)
    elif inside := sorted(path.parent.name for path in folder.glob(f"*/{RUN}")):
        raise ConfigError(f"{folder} holds training runs: name one of {', '.join(inside)}")
    else:
        return False
    return True


def _training(folder: Path) -> None:
    from interactive_envs.novel_games.search.network import checkpoints_in
    from interactive_envs.system.files import read_json

    settings: Any = read_json(folder / RUN)
    try:
        game, steps = settings["game"]["name"], int(settings["config"]["steps"])
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigError(f"{folder / RUN} is not what ibench train writes: {error!r}") from None
    found = checkpoints_in(folder)
    echo(f"{game}: trained for {steps:,} steps, {len(found)} checkpoints")
    for path in found:
        echo(f"  {path.name}")
    echo(f"Rate them: ibench games ladder {game} --runs {folder.parent}" if found else "Go on: the same ibench train")


def _game(folder: Path) -> None:
    from interactive_envs.novel_games.folder import read_folder
    from interactive_envs.novel_games.ladder import LADDER, read_ladder

    game = read_folder(folder)
    if not (folder / LADDER).exists():
        raise ConfigError(
            f"{folder} holds the game {game.title} and no results: ibench games check says whether it can be played, "
            "ibench train and ibench games ladder make its opponents"
        )
    ladder = read_ladder(folder)
    chosen = ladder["opponent"].get("level")
    echo(f"{game.title}: {len(ladder['rungs'])} rungs, the weakest first")
    try:
        lines = [
            (
                str(rung["level"]),
                rung["agent"].replace("{folder}/", ""),
                f"{rung['rating']:+.2f}",
                f"{rung['low']:+.2f} to {rung['high']:+.2f}",
                "models meet this one" if rung["level"] == chosen else "",
            )
            for rung in ladder["rungs"]
        ]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ConfigError(f"{folder / LADDER} is not what ibench games ladder writes: {error!r}") from None
    width = max(len(line[1]) for line in lines)
    echo(f"{'':>3}  {'player':<{width}}  {'rating':>6}  95 % interval")
    for level, agent, rating, interval, note in lines:
        echo(f"{level:>3}  {agent:<{width}}  {rating:>6}  {interval}  {note}".rstrip())
