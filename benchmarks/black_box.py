"""What a black box costs: reset, exploration and test of every id, beside a calibration loop.

Cold is the first reset of a box in a process that has loaded its family: its tables are built. Every figure of an id is
the median of some repeats of CPU time (of the first reset there is one a process, so it is what it is); printed are
median, 95th percentile and maximum over all ids and levels, in milliseconds and as multiples of one calibration loop (a
million additions), timed in between.

    python benchmarks/black_box.py [--every N] [--repeats 5]
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
from typing import Any

from cpu import calibration, show, timed
from tqdm import tqdm

from interactive_envs import catalog
from interactive_envs.black_box.base import LEVELS
from interactive_envs.black_box.env import BlackBoxEnv

PARTS = ("cold reset", "reset", "query", "begin test", "answer")
STEPS = 6


def cold(arguments: dict[str, Any]) -> float:
    """The first reset of a box in a process; a forked one that has loaded its family."""
    warm_up = {"program": "swap", "cipher": "letter-number", "mechanics": "uniform-motion"}
    other = warm_up.get(arguments["family"])
    if other and other != arguments["box"]:
        BlackBoxEnv(family=arguments["family"], box=other).reset(seed=0)
    return timed(lambda: BlackBoxEnv(**arguments).reset(seed=0))


def measure(arguments: dict[str, Any], repeats: int) -> dict[str, float]:
    """The medians of one box."""
    env = BlackBoxEnv(**arguments, setting=f"{STEPS + 1}@1")
    found: dict[str, list[float]] = {part: [] for part in PARTS[1:]}
    for repeat in range(repeats):
        found["reset"].append(timed(lambda seed=repeat: env.reset(seed=seed)))  # type: ignore[misc]
        queries = [text for text in env.task.action_examples if not text.startswith(("<answer", "<ready"))]
        for number in range(STEPS):
            text = queries[number % len(queries)]
            found["query"].append(timed(lambda text=text: env.step(text)))  # type: ignore[misc]
        found["begin test"].append(timed(lambda: env.step("<ready></ready>")))
        answers = [text for text in env.task.action_examples if text.startswith("<answer")] or queries
        found["answer"].append(timed(lambda text=answers[0]: env.step(text)))  # type: ignore[misc]
    return {part: statistics.median(figures) for part, figures in found.items()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, help="measure only every Nth id")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    units = [entry["arguments"] for name, entry in catalog.load()["units"].items() if "/BlackBox-" in name]
    chosen = [
        box | ({"difficulty": level} if box["box"] == "random" else {})
        for box in units[:: options.every]
        for level in (LEVELS if box["box"] == "random" else (1,))
    ]
    found: dict[str, list[tuple[float, str]]] = {part: [] for part in PARTS}
    loops = []
    context = multiprocessing.get_context("fork")
    for arguments in tqdm(chosen, disable=None):
        loops.append(timed(calibration))
        name = " ".join(str(value) for value in arguments.values())
        with context.Pool(1) as pool:
            found["cold reset"].append((pool.apply(cold, (arguments,)), name))
        for part, figure in measure(arguments, options.repeats).items():
            found[part].append((figure, name))
    show(found, loops, "boxes and levels")


if __name__ == "__main__":
    main()
