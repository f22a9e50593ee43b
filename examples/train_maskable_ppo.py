"""Train MaskablePPO on generated situation puzzles and hold it against the rule player on unseen ones.

pip install "interactive-envs[train,report]", then run this file: python examples/train_maskable_ppo.py --help
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

import interactive_envs  # noqa: F401 - registers the ids
from interactive_envs.agents.situation_puzzle import RuleAgent
from interactive_envs.training.menu_policy import MenuPolicy

UNSEEN = 10_000_000
"""Training draws its seeds from the environment's own stream; evaluation names seeds from here on."""


def evaluate(env: gym.Env[Any, Any], choose: Any, episodes: int) -> dict[str, float]:
    """Mean reward over unseen seeds, with the half-width of its 95 % interval (normal)."""
    rewards = []
    for seed in range(UNSEEN, UNSEEN + episodes):
        observation, info = env.reset(seed=seed)
        over, total = False, 0.0
        while not over:
            observation, reward, over, _, info = env.step(choose(observation, info))
            total += float(reward)
        rewards.append(total)
    return {"mean": float(np.mean(rewards)), "half": float(1.96 * np.std(rewards) / episodes**0.5)}


def rule_player(env: gym.Env[Any, Any], episodes: int) -> dict[str, float]:
    """The same for the rule player, which reads the text."""
    player = RuleAgent()

    def choose(observation: str, info: dict[str, Any]) -> str:
        if not info["view"].exchanges:
            player.reset()
        return player.act(observation, info)

    return evaluate(env, choose, episodes)


class Evaluations(BaseCallback):
    """Every so many steps: how the policy does on unseen puzzles."""

    def __init__(self, env: gym.Env[Any, Any], every: int, episodes: int) -> None:
        super().__init__()
        self.curve: list[dict[str, float]] = []
        self._env, self._every, self._episodes = env, every, episodes

    def _on_training_start(self) -> None:
        self._look()

    def _on_step(self) -> bool:
        if self.num_timesteps % self._every == 0:
            self._look()
        return True

    def _look(self) -> None:
        def choose(observation: Any, info: dict[str, Any]) -> int:
            action, _ = self.model.predict(observation, action_masks=info["action_mask"], deterministic=True)
            return int(action)

        point = {"steps": self.num_timesteps, **evaluate(self._env, choose, self._episodes)}
        self.curve.append(point)
        print(f"{point['steps']:7d} steps: {point['mean']:.3f} +- {point['half']:.3f}", flush=True)


def draw(content: dict[str, Any], path: Path) -> None:
    """The curve as a picture."""
    import matplotlib.pyplot as plt

    steps, mean, half = (np.array([point[name] for point in content["curve"]]) for name in ("steps", "mean", "half"))
    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    axes.plot(steps, mean, color="tab:blue", label="MaskablePPO, MenuPolicy")
    axes.fill_between(steps, mean - half, mean + half, color="tab:blue", alpha=0.2)
    rule = content["rule"]
    axes.axhline(rule["mean"], color="tab:orange", label="rule player")
    axes.axhspan(rule["mean"] - rule["half"], rule["mean"] + rule["half"], color="tab:orange", alpha=0.2)
    axes.axhline(content["chance"], color="grey", linestyle=":", label="chance")
    axes.set(
        xlabel="environment steps", ylabel=f"solved, {content['episodes']} unseen puzzles", ylim=(0, 1), xlim=(0, None)
    )
    axes.set_title(f"Generated situation puzzles, difficulty {content['difficulty']}, budget {content['budget']}")
    axes.legend(loc="center right", frameon=False)
    figure.savefig(path, dpi=120)


def main() -> None:
    """Train, compare, and write the figures where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=60_000, help="environment steps, default %(default)s")
    parser.add_argument("--difficulty", type=int, default=3, help="1 to 5, default %(default)s")
    parser.add_argument("--budget", type=int, default=8, help="rounds an episode, default %(default)s")
    parser.add_argument("--episodes", type=int, default=300, help="unseen puzzles an evaluation, default %(default)s")
    parser.add_argument("--every", type=int, default=6_000, help="steps between evaluations, default %(default)s")
    parser.add_argument("--out", type=Path, help="folder for model.zip, curve.json and curve.png")
    arguments = parser.parse_args()

    game = {"split": "generated", "difficulty": arguments.difficulty, "budget": arguments.budget}
    rule = rule_player(gym.make("ibench/SituationPuzzle-v1", **game), arguments.episodes)
    print(f"rule player: {rule['mean']:.3f} +- {rule['half']:.3f}", flush=True)
    twin = gym.make("ibench/SituationPuzzle-v1", view="numeric", **game)
    unseen = gym.make("ibench/SituationPuzzle-v1", view="numeric", **game)
    candidates = len(unseen.reset(seed=0)[1]["view"].shown.candidates)
    model = MaskablePPO(
        MenuPolicy, twin, n_steps=1000, batch_size=250, n_epochs=4, learning_rate=1e-3, gamma=1.0, seed=0, device="cpu"
    )
    seen = Evaluations(unseen, arguments.every, arguments.episodes)
    model.learn(arguments.steps, callback=seen)
    content = game | {"episodes": arguments.episodes, "chance": 1 / candidates, "rule": rule, "curve": seen.curve}
    if arguments.out:
        arguments.out.mkdir(parents=True, exist_ok=True)
        model.save(arguments.out / "model.zip")
        (arguments.out / "curve.json").write_text(json.dumps(content, indent=1), encoding="utf-8")
        draw(content, arguments.out / "curve.png")
    last = seen.curve[-1]
    better = last["mean"] - last["half"] > rule["mean"] + rule["half"]
    print(f"{'better than' if better else 'not surely better than'} the rule player; chance {1 / candidates:.3f}")


if __name__ == "__main__":
    main()
