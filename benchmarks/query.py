"""What a query game costs: reset and step of every game at every level, beside a calibration loop.

Cold is the first reset of a game in a process: its hidden states are enumerated. Every figure of a game is the median
of some repeats of CPU time, so that a busy machine changes little; printed are median, 95th percentile and maximum over
all games and levels, in milliseconds and as multiples of one calibration loop (a million additions), timed in between.

    python benchmarks/query.py [--every N] [--repeats 5]
"""

from __future__ import annotations

import argparse
import statistics

import numpy as np
from cpu import calibration, show, timed
from tqdm import tqdm

from interactive_envs.query_games import base, games
from interactive_envs.query_games.env import QueryGameEnv
from interactive_envs.query_games.rules import QueryTask

STEPS = 6


def measure(name: str, level: int, repeats: int) -> dict[str, float]:
    """The medians of one game at one level."""
    env, rng = QueryGameEnv(game=name, difficulty=level), np.random.default_rng(level)
    task = env.task
    assert isinstance(task, QueryTask)
    queries = task.level.query_texts
    cold, warm, step, answer = [], [], [], []
    for repeat in range(repeats):
        base.cached_world.cache_clear()
        base.cached_level.cache_clear()
        cold.append(timed(lambda: QueryGameEnv(game=name, difficulty=level).reset(seed=0)))
        warm.append(timed(lambda seed=repeat: env.reset(seed=seed)))  # type: ignore[misc]
        for index in rng.integers(len(queries), size=STEPS).tolist():
            if env.terms.budget - len(env.view().exchanges) > 1:
                step.append(timed(lambda index=index: env.step(queries[index])))  # type: ignore[misc]
        answer.append(timed(lambda: env.step(f"<answer>{task.solution(env.state.case)}</answer>")))
    parts = {"cold reset": cold, "reset": warm, "query": step, "answer": answer}
    return {part: statistics.median(figures) for part, figures in parts.items()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, help="measure only every Nth game")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    found: dict[str, list[tuple[float, str]]] = {"cold reset": [], "reset": [], "query": [], "answer": []}
    loops = []
    for name in tqdm(list(games.every())[:: options.every], disable=None):
        loops.append(timed(calibration))
        for level in base.LEVELS:
            for part, figure in measure(name, level, options.repeats).items():
                found[part].append((figure, f"{name}, level {level}"))
    show(found, loops, "games x levels")


if __name__ == "__main__":
    main()
