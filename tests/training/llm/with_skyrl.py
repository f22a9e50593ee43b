"""SkyRL-gym itself with our environment. Runs where SkyRL-gym is, see test_skyrl.py."""

from __future__ import annotations

import json
from typing import Any

import pytest
import skyrl_gym

from interactive_envs.agent import resolve_agent
from interactive_envs.evaluation.run.episode import Job, play_episode
from interactive_envs.making import make
from interactive_envs.reporting.records import Cell
from interactive_envs.training.llm import skyrl
from interactive_envs.training.llm.rows import rows

IDS: list[tuple[str, dict[str, Any]]] = [
    ("ibench/SituationPuzzle-v1", {}),
    ("ibench/TrustGame-v1", {"matches": 1}),
    ("ibench/Query-set-deductive-few-total-by-count-v1", {"reward": "information"}),
]


@pytest.mark.parametrize(("env_id", "arguments"), IDS)
def test_an_episode_made_by_skyrl_gym_pays_as_in_a_run(env_id: str, arguments: dict[str, Any]) -> None:
    skyrl.register()
    row = json.loads(json.dumps(rows(env_id, 2, **arguments)[1]))  # as it comes out of a file
    agent = resolve_agent("random", env_id)()
    job = Job(0, Cell(env_id, {}, "random", ""), row["case"], 0, 0, row["seed"])
    record = play_episode(make(env_id, **arguments), agent, job)
    env = skyrl_gym.make("ibench", env_config={}, extras={**row, "max_turns": 100})
    messages, _ = env.init(row["prompt"])
    assert messages == row["prompt"]
    total, done = 0.0, False
    for number, step in enumerate(record.steps):
        assert not done
        out = env.step(step.action)
        total, done = total + out["reward"], out["done"]
        assert out["observations"] == ([] if done else [{"role": "user", "content": step.reply}])
        assert env.turns == number + 1
    assert done
    assert total == pytest.approx(record.reward)
    metrics = env.get_metrics()
    assert metrics["outcome"] == record.outcome
    assert env.aggregate_metrics([metrics, metrics])["turns"] == len(record.steps)
    env.close()
