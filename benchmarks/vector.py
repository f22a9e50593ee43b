"""Vector environments: arrays against Gymnasium's SyncVectorEnv on the same episodes, in alternating rounds.

Prints environment steps a CPU second, and the ratio within a round: medians, with their range.

    python benchmarks/vector.py [--rounds 5] [--copies 256] [--steps 100]
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Any

import gymnasium as gym
import numpy as np

import interactive_envs  # noqa: F401 - registers the ids

QUERY = "ibench/Query-set-deductive-adding-up-ends-by-count-mirror-neighbours-v1"
PLAYED: list[tuple[str, dict[str, Any]]] = [
    (QUERY, {"difficulty": 1}),
    (QUERY, {"difficulty": 5}),
    ("ibench/Holdem-v1", {}),
    ("ibench/Holdem-v1", {"opponents": "random"}),
    ("ibench/TrustGame-v1", {}),
    ("ibench/TrustGame-v1", {"opponents": "gradual"}),
    ("ibench/SituationPuzzle-v1", {}),
    ("ibench/SituationPuzzle-v1", {"split": "generated", "difficulty": 3}),
]


def speed(env: Any, copies: int, steps: int, seed: int) -> float:
    """Steps of all copies a CPU second, random legal actions; what chooses them is not counted."""
    rng, spent = np.random.default_rng(seed), 0.0
    _, info = env.reset(seed=seed)
    for _ in range(steps):
        mask = np.stack(list(info["action_mask"]))
        actions = (rng.random(mask.shape) * (mask + 1e-9)).argmax(axis=1)
        begun = time.process_time()
        *_, info = env.step(actions)
        spent += time.process_time() - begun
    return copies * steps / spent


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--copies", type=int, default=256)
    parser.add_argument("--steps", type=int, default=100)
    options = parser.parse_args()
    print(f"{options.copies} copies\n{'':52} {'arrays':>12} {'sync':>10} {'ratio':>8}")
    for env_id, arguments in PLAYED:
        arrays = gym.make_vec(env_id, num_envs=options.copies, vectorization_mode="vector_entry_point", **arguments)
        sync = gym.make_vec(env_id, num_envs=options.copies, vectorization_mode="sync", view="numeric", **arguments)
        found = []
        for number in range(options.rounds):
            ours = speed(arrays, options.copies, options.steps, number)
            theirs = speed(sync, options.copies, max(4, options.steps // 20), number)
            found.append((ours, theirs, ours / theirs))
        ours, theirs, ratio = (statistics.median(column) for column in zip(*found, strict=True))
        ratios = [row[2] for row in found]
        name = f"{env_id.removeprefix('ibench/')[:34]} {arguments or ''}"
        print(f"{name:52.52} {ours:12,.0f} {theirs:10,.0f} {ratio:7.0f}x  ({min(ratios):.0f} to {max(ratios):.0f})")


if __name__ == "__main__":
    main()
