"""SkyRL-gym: an episode pays as in a run; with the real package in a long test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interactive_envs.errors import FaultError, MissingExtraError
from interactive_envs.training.llm.dialogue import Dialogue
from interactive_envs.training.llm.rows import rows
from tests.environments import environment, run_tests
from tests.training.llm import stand_ins
from tests.training.llm.test_rollout import played

PUZZLE = "ibench/SituationPuzzle-v1"


@pytest.fixture
def ours() -> Iterator[Any]:
    with stand_ins.adapter("skyrl", **stand_ins.skyrl()) as module:
        yield module


@pytest.mark.parametrize("nested", [False, True])
def test_an_episode_pays_as_in_a_run(ours: Any, nested: bool) -> None:
    row = rows(PUZZLE, 3)[2]
    record = played(PUZZLE, {}, row["seed"], row["case"])
    env = ours.TextEnv({}, {"max_turns": 9, "extra_info": row} if nested else row)
    assert env.init(row["prompt"]) == (row["prompt"], {})
    steps = [env.step(step.action) for step in record.steps]
    assert sum(step["reward"] for step in steps) == record.reward
    assert [step["done"] for step in steps] == [False] * (len(steps) - 1) + [True]
    said = [message["content"] for step in steps for message in step["observations"]]
    assert said == [step.reply for step in record.steps[:-1]]
    assert steps[-1]["metadata"] == {"outcome": record.outcome}
    assert env.turns == len(steps)
    assert env.get_metrics() == {**env.get_metrics(), "outcome": record.outcome, "unfinished": 0.0}
    env.close()


def test_what_was_not_played_to_its_end_is_unfinished(ours: Any) -> None:
    row = rows(PUZZLE, 1)[0]
    env = ours.TextEnv({}, row)
    env.init(row["prompt"])
    env.step("<ask>1</ask>")
    assert env.get_metrics() == {**env.get_metrics(), "outcome": "unfinished", "unfinished": 1.0, "query": 1}


def test_a_fault_is_raised_and_never_a_reward(ours: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    row = rows(PUZZLE, 1)[0]
    env = ours.TextEnv({}, row)
    env.init(row["prompt"])

    def broken(self: Dialogue, text: str) -> str:
        raise FaultError("the judge is down")

    monkeypatch.setattr(Dialogue, "step", broken)
    with pytest.raises(FaultError, match="the judge is down"):
        env.step("<ask>1</ask>")


def test_registering_twice_is_once(ours: Any) -> None:
    ours.register()
    ours.register()
    registry = ours.skyrl_gym.envs.registration.registry
    assert registry == {"ibench": "interactive_envs.training.llm.skyrl:TextEnv"}


def test_without_skyrl_the_remedy_is_named() -> None:
    with (
        pytest.raises(MissingExtraError, match=r"pip install 'interactive-envs\[skyrl\]'"),
        stand_ins.adapter("skyrl", skyrl_gym=None),
    ):
        pass


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_with_skyrl() -> None:
    run_tests(environment("skyrl", ["skyrl-gym==0.4.0"]), Path(__file__).with_name("with_skyrl.py"))
