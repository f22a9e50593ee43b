"""Train on the numeric twin with action masks: pip install "interactive-envs[train]", then run this file."""

from __future__ import annotations

import sys

import gymnasium as gym
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy

import interactive_envs  # noqa: F401 - registers the ids


def main(steps: int = 20_000) -> None:
    """Train for ``steps`` environment steps and print the mean reward over 100 episodes."""
    env = gym.make("ibench/SituationPuzzle-v0", view="numeric", budget=8)
    model = MaskablePPO("MlpPolicy", env, n_steps=1024, batch_size=256, seed=0, device="cpu")
    model.learn(steps)
    mean, spread = evaluate_policy(model, env, n_eval_episodes=100)
    print(f"mean reward {mean:.2f}, standard deviation {spread:.2f}, chance 0.125")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
