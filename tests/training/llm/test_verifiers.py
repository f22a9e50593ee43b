"""verifiers: rewards of runs, nothing recorded where something broke; with the real package in a long test."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from interactive_envs.errors import ConfigError, FaultError, MissingExtraError
from interactive_envs.making import make
from interactive_envs.training.llm.dialogue import Dialogue, system_prompt
from interactive_envs.training.llm.rows import rows
from tests.environments import environment, run_tests
from tests.loopback import Answer, Loopback
from tests.training.llm import stand_ins
from tests.training.llm.stand_ins import Talker
from tests.training.llm.test_rollout import played

PUZZLE, TRUST = "ibench/SituationPuzzle-v1", "ibench/TrustGame-v1"
MATCH = {"matches": 1, "max_rounds": 3}


@pytest.fixture
def ours() -> Iterator[Any]:
    with stand_ins.adapter("verifiers", **stand_ins.verifiers()) as module:
        yield module


def task(ours: Any, number: int = 0, **config: Any) -> Any:
    tasks = ours.Episodes(ours.EpisodesConfig(**config)).load()
    made = next(islice(tasks, number, None))
    made.data.idx = number
    return made


def play(ours: Any, one: Any, player: Talker) -> None:
    asyncio.run(ours.DialogueEnv(ours.DialogueConfig()).run(one, SimpleNamespace(player=player)))


def test_tasks_are_rows(ours: Any) -> None:
    config = ours.EpisodesConfig(env_ids=[PUZZLE, TRUST], arguments={}, seed=3, split="held-out")
    tasks = list(islice(ours.Episodes(config).load(), 6))
    for one, row in zip(tasks, rows([PUZZLE, TRUST], 6, seed=3, split="held-out"), strict=True):
        assert {name: getattr(one.data, name) for name in ("env_id", "arguments", "seed", "case")} == {
            name: row[name] for name in ("env_id", "arguments", "seed", "case")
        }
        assert one.data.system_prompt == row["prompt"][0]["content"] == system_prompt()
    assert len({one.key for one in tasks}) == 6
    with pytest.raises(ConfigError, match=r"no environment is named; give --env\.taskset\.env-ids"):
        next(ours.Episodes(ours.EpisodesConfig()).load())


def test_an_episode_pays_as_in_a_run(ours: Any) -> None:
    one = task(ours, 2, env_ids=[PUZZLE])
    record = played(PUZZLE, {}, one.data.seed, one.data.case)
    player = Talker([step.action for step in record.steps])
    play(ours, one, player)
    assert player.heard == [step.observation for step in record.steps]
    assert player.trace.rewards == {"reward": record.reward}
    assert player.trace.info == {"outcome": record.outcome}
    assert player.trace.metrics["turns"] == len(record.steps)


@pytest.mark.parametrize("end", ["fault", "late"])
def test_a_provider_that_fails_or_is_late_leaves_an_error_and_no_reward(ours: Any, end: str) -> None:
    player = Talker(["<ask>1</ask>"], end)
    play(ours, task(ours, env_ids=[PUZZLE]), player)
    assert player.trace.errors
    assert not player.trace.ok
    assert player.trace.rewards == player.trace.metrics == player.trace.info == {}


def test_an_episode_at_its_limit_is_unfinished_and_pays_what_silence_pays(ours: Any) -> None:
    one = task(ours, env_ids=[TRUST], arguments=MATCH)
    player = Talker(["<move>COOPERATE</move>"], "max_turns")
    play(ours, one, player)
    silent = Dialogue(TRUST, MATCH)
    silent.begin(one.data.seed)
    silent.step("<move>COOPERATE</move>")
    silent.leave()
    assert player.trace.rewards == {"reward": silent.paid}
    assert player.trace.info == {"outcome": "unfinished"}
    assert player.trace.metrics["turns"] == player.trace.metrics["unfinished"] == 1


def test_an_environment_that_fails_leaves_an_error_and_no_reward(ours: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Dialogue, text: str) -> str:
        raise FaultError("the judge is down")

    monkeypatch.setattr(Dialogue, "step", broken)
    player = Talker(["<ask>1</ask>"])
    with pytest.raises(FaultError, match="the judge is down"):
        play(ours, task(ours, env_ids=[PUZZLE]), player)
    assert [str(error) for error in player.trace.errors] == ["the judge is down"]
    assert player.trace.rewards == {}


def sit(ours: Any, one: Any, player: Talker, other: Talker, **config: Any) -> None:
    agents = SimpleNamespace(player=player, other=other)
    env = ours.TableEnv(ours.TableConfig(**config))
    asyncio.run(env.setup(agents))
    asyncio.run(env.run(one, agents))


@pytest.mark.parametrize("number", [0, 1])
def test_two_agents_are_paid_as_their_seats_are_against_the_same_moves(ours: Any, number: int) -> None:
    one = task(ours, number, env_ids=[TRUST], arguments=MATCH)
    player, other = Talker(["<move>DEFECT</move>"] * 9), Talker(["<move>COOPERATE</move>"] * 9)
    sit(ours, one, player, other)
    env = make(TRUST, **MATCH, opponents="all-c", seat=number)
    env.reset(seed=one.data.seed)
    total, over = 0.0, False
    while not over:
        _, reward, over, _, _ = env.step("<move>DEFECT</move>")
        total += float(reward)
    assert player.trace.rewards["reward"] == pytest.approx(total)
    assert other.trace.rewards["reward"] < player.trace.rewards["reward"]
    assert (player.trace.metrics["seat"], other.trace.metrics["seat"]) == (number, 1 - number)
    assert "You" in player.heard[0]
    assert (player.trainable, other.trainable) == (True, False)


def test_both_seats_may_be_trained_and_a_seat_may_be_kept(ours: Any) -> None:
    player, other = Talker(["<move>DEFECT</move>"] * 9), Talker(["<move>DEFECT</move>"] * 9)
    sit(ours, task(ours, 1, env_ids=[TRUST], arguments=MATCH), player, other, frozen=False, seat=0)
    assert other.trainable
    assert player.trace.metrics["seat"] == 0


def test_where_one_seat_fails_neither_is_paid(ours: Any) -> None:
    player, other = Talker(["<move>DEFECT</move>"] * 9), Talker(["<move>DEFECT</move>"], "fault")
    sit(ours, task(ours, env_ids=[TRUST], arguments=MATCH), player, other)
    assert player.trace.rewards == other.trace.rewards == {}
    assert [str(error) for error in player.trace.errors] == ["the agent on the other seat failed"]
    assert [str(error) for error in other.trace.errors] == ["502"]


def test_a_seat_at_its_limit_is_silent_from_then_on(ours: Any) -> None:
    player, other = Talker(["<move>DEFECT</move>"] * 9), Talker(["<move>DEFECT</move>"], "max_turns")
    sit(ours, task(ours, env_ids=[TRUST], arguments=MATCH), player, other)
    assert (player.trace.info, other.trace.info) == ({"outcome": "scored"}, {"outcome": "unfinished"})
    assert other.trace.metrics["turns"] == 1
    assert other.trace.rewards.keys() == player.trace.rewards.keys() == {"reward"}


def test_games_for_more_than_two_are_refused(ours: Any) -> None:
    with pytest.raises(ConfigError, match="here two agents play"):
        sit(ours, task(ours, env_ids=["ibench/Holdem-v1"], arguments={}), Talker([]), Talker([]))


def test_a_message_is_asked_for_without_a_process_of_its_own(ours: Any) -> None:
    data = SimpleNamespace(system_prompt="Be brief.", prompt=[{"role": "user", "content": "Go."}])
    with Loopback(lambda messages: "<ask>1</ask>", script=[Answer(401, {"error": {"message": "no key"}})]) as server:
        ctx = SimpleNamespace(model="fake-1")
        failed, good = (
            asyncio.run(ours.Messages().launch(ctx, None, None, server.url, "key", {}, data)) for _ in range(2)
        )
    assert (failed.exit_code, good.exit_code) == (1, 0)
    assert "no key" in failed.stderr
    assert [message["content"] for message in server.bodies[-1]["messages"]] == ["Be brief.", "Go."]
    assert server.headers[-1]["authorization"] == "Bearer key"


def test_without_verifiers_the_remedy_is_named() -> None:
    with (
        pytest.raises(MissingExtraError, match=r"pip install 'interactive-envs\[verifiers\]'"),
        stand_ins.adapter("verifiers", verifiers=None, verifiers__v1=None),
    ):
        pass


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_with_verifiers() -> None:
    run_tests(environment("verifiers", ["verifiers==0.4.0"]), Path(__file__).with_name("with_verifiers.py"))
