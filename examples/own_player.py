"""A player of your own against the built-in ones: python examples/own_player.py."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from interactive_envs.agent import Agent
from interactive_envs.evaluation.run import pool
from interactive_envs.reporting.records import Cell, RunConfig

ENV = "ibench/SituationPuzzle-v1"


class HalfThenAnswer(Agent):
    """Asks the first questions of the list until half of the rounds are gone, then answers A."""

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Ask question 1, 2, 3, …, then answer A."""
        asked = len(info["view"].exchanges)
        return f"<ask>{asked + 1}</ask>" if info["rounds_left"] > 10 else "<answer>A</answer>"


def main() -> None:
    """Play every puzzle once with three players and print who solved how many."""
    agents = (f"{HalfThenAnswer.__module__}:HalfThenAnswer", "rule", "reference")
    config = RunConfig(tuple(Cell(ENV, {}, agent) for agent in agents), episodes=12)
    with tempfile.TemporaryDirectory() as folder:
        store = pool.run(config, Path(folder) / "run")
        for index, agent in enumerate(agents):
            rewards = [row.reward for row in store.rows() if row.cell == index]
            print(f"{agent.rpartition(':')[2]:<15} solved {sum(rewards):.0f} of {len(rewards)}")


if __name__ == "__main__":
    main()
