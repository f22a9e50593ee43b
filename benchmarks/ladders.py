"""Games of a ladder a second: played whole where the game's code runs, against agents that play through their views.

    python benchmarks/ladders.py [--games 40]

Both play the same games with the same players, one after the other in turn, and must come to the same results. The game
lies in a folder of its own, so that its code runs in the sandbox, as a made game's does.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
import time
from pathlib import Path
from unittest import mock

from interactive_envs.agents.rung import placed
from interactive_envs.novel_games.folder import own
from interactive_envs.novel_games.ladder import read_ladder
from interactive_envs.novel_games.rules import GeneratedGame
from interactive_envs.training import ladders

GAMES = ("crossed-dials", "melting-shove", "timberfall")
ROUNDS = 3


def main() -> None:
    """Print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=40)
    options = parser.parse_args()
    for name in GAMES:
        with tempfile.TemporaryDirectory() as home:
            folder = Path(home) / name
            shutil.copytree(own(name).path, folder)
            game = GeneratedGame(str(folder))
            rungs = [placed(str(rung["agent"]), folder) for rung in read_ladder(folder)["rungs"]]
            policies = [spec for spec in rungs if spec.startswith("ppo:")][-2:]
            searches = [policies[-1], next(spec for spec in rungs if spec.startswith("mcts:"))]
            for what, pair in (("policies", policies), ("a policy and a search", searches)):
                ratios, rate = zip(*(measured(game, pair, options.games) for _ in range(ROUNDS)), strict=True)
                times, second = statistics.median(ratios), statistics.median(rate)
                print(f"{name}, {what}: {times:.1f} times, {second:.0f} games a second")


def measured(game: GeneratedGame, pair: list[str], games: int) -> tuple[float, float]:
    """How many times faster, and games a second."""
    players = (pair[0], pair[1])
    begun = time.perf_counter()
    inside = ladders.head_to_head(game, players, games)
    fast = time.perf_counter() - begun
    with mock.patch.object(ladders, "_contestant", return_value=None):
        begun = time.perf_counter()
        outside = ladders.head_to_head(game, players, games)
        slow = time.perf_counter() - begun
    if inside != outside:
        raise SystemExit(f"the games differ: {inside}, {outside}")
    return slow / fast, games / fast


if __name__ == "__main__":
    main()
