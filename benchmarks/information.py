"""Does the dense reward teach faster? MaskablePPO on generated puzzles with either reward, three seeds each.

Prints after how many steps a policy first solves 90 % of unseen puzzles, and draws the curves.

    python benchmarks/information.py [--difficulty 1] [--steps 20480] [--seeds 3] [--out docs/images/information]
"""

from __future__ import annotations

import argparse
import json
import statistics
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env

import interactive_envs  # noqa: F401 - registers the ids
from interactive_envs.training.menu_policy import MenuPolicy

UNSEEN = 10_000_000
"""Training draws lower seeds."""
REWARDS = ("outcome", "information")
GOAL = 0.9
LOOK = 1_024
"""Steps between two evaluations."""


def puzzles(difficulty: int, reward: str) -> gym.Env[Any, Any]:
    """The numeric twin of generated puzzles."""
    return gym.make(
        "ibench/SituationPuzzle-v1", split="generated", difficulty=difficulty, view="numeric", reward=reward
    )


class Curve(BaseCallback):
    """The share of unseen puzzles solved, every :data:`LOOK` steps."""

    def __init__(self, env: gym.Env[Any, Any], episodes: int) -> None:
        super().__init__()
        self.points: list[tuple[int, float]] = []
        self._env, self._episodes = env, episodes

    def _on_training_start(self) -> None:
        self._look()

    def _on_rollout_end(self) -> None:
        if self.num_timesteps - self.points[-1][0] >= LOOK:
            self._look()

    def _on_step(self) -> bool:
        return True

    def _look(self) -> None:
        solved = 0
        for seed in range(UNSEEN, UNSEEN + self._episodes):
            observation, info = self._env.reset(seed=seed)
            over = False
            while not over:
                action, _ = self.model.predict(observation, action_masks=info["action_mask"], deterministic=True)
                observation, _, over, _, info = self._env.step(int(action))
            solved += info["outcome"] == "success"
        self.points.append((self.num_timesteps, solved / self._episodes))


def learn(difficulty: int, reward: str, seed: int, steps: int, episodes: int) -> list[tuple[int, float]]:
    """Train one policy; both rewards have the same settings."""
    curve = Curve(puzzles(difficulty, "outcome"), episodes)
    model = MaskablePPO(
        MenuPolicy,
        make_vec_env(lambda: puzzles(difficulty, reward), n_envs=8, seed=seed + 1),
        n_steps=64,
        batch_size=128,
        n_epochs=4,
        learning_rate=3e-3,
        gamma=1.0,
        seed=seed,
        device="cpu",
    )
    model.learn(steps, callback=curve)
    return curve.points


def reached(points: list[tuple[int, float]]) -> int | None:
    """Steps at the first evaluation that meets the goal."""
    return next((steps for steps, share in points if share >= GOAL), None)


def draw(curves: dict[str, list[list[tuple[int, float]]]], path: Path, title: str) -> None:
    """All curves, and the medians thicker."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    for reward, colour in zip(REWARDS, ("tab:gray", "tab:blue"), strict=True):
        steps = [point[0] for point in curves[reward][0]]
        shares = np.array([[100 * share for _, share in points] for points in curves[reward]])
        axes.plot(steps, shares.T, color=colour, alpha=0.35, linewidth=1)
        axes.plot(steps, np.median(shares, axis=0), color=colour, linewidth=2.2, label=f'reward="{reward}"')
    axes.axhline(100 * GOAL, color="black", linewidth=0.8, linestyle=":")
    axes.set(xlabel="Environment steps", ylabel="Unseen puzzles solved (%)", ylim=(0, 102), title=title)
    axes.legend(loc="lower right")
    figure.savefig(path, dpi=120)


def main() -> None:
    """Train, print, draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--difficulty", type=int, default=1)
    parser.add_argument("--steps", type=int, default=20_480)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--episodes", type=int, default=200, help="unseen puzzles an evaluation")
    parser.add_argument("--out", type=Path, help="figure and numbers, without suffix")
    options = parser.parse_args()
    torch.set_num_threads(1)
    curves: dict[str, list[list[tuple[int, float]]]] = {reward: [] for reward in REWARDS}
    for seed in range(options.seeds):
        for reward in REWARDS:
            points = learn(options.difficulty, reward, seed, options.steps, options.episodes)
            curves[reward].append(points)
            print(
                f"seed {seed}, {reward}: {reached(points) or 'not reached'} steps, last {points[-1][1]:.0%}", flush=True
            )
    goals = {reward: [reached(points) for points in curves[reward]] for reward in REWARDS}
    for reward, steps in goals.items():
        met = [one for one in steps if one is not None]
        print(f"{reward}: {GOAL:.0%} after {steps} steps; median {statistics.median(met) if met else None}")
    if options.out:
        draw(curves, options.out.with_suffix(".png"), f"Generated puzzles, level {options.difficulty}")
        content = {"difficulty": options.difficulty, "episodes": options.episodes, "reached": goals, "curves": curves}
        options.out.with_suffix(".json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
