"""Steps a recorded episode again, bit for bit: seed, actions and recorded verdicts decide everything."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from interactive_envs.agent import Agent
from interactive_envs.dialogue.view import Stage
from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.run import anytime
from interactive_envs.evaluation.run.stepping import Stack
from interactive_envs.judges.base import JudgeRequest
from interactive_envs.making import make
from interactive_envs.multiplayer.single_seat import SeatGame
from interactive_envs.reporting.records import EpisodeRecord, ForkedAnswer


@dataclass(frozen=True)
class Replayed:
    """One step as it came out again.

    Attributes:
        stage: where the episode stood before the step.
        before: the environment's info before the step.
        told: what the player was told beyond that, because it wants it.
        observation: what the player saw before it acted.
        remember: how many steps it kept of those before, None for all.
        request: what the judge was asked, None where the rules decided.
        info: the environment's info after the step.
        reply: the observation after the step.
        reward: what the step earned.
        forked: answers given before the step, without a trace, with what is decided of them now.
    """

    stage: Stage
    before: Mapping[str, Any]
    told: Mapping[str, Any]
    observation: str
    remember: int | None
    request: JudgeRequest | None
    info: Mapping[str, Any]
    reply: str
    reward: float
    forked: tuple[tuple[ForkedAnswer, str | None, float | None], ...] = ()


def steps(record: EpisodeRecord, *, agent: Agent | None = None, follow: bool = True) -> Iterator[Replayed]:
    """Step through a record with its own verdicts.

    Args:
        record: of the episode.
        agent: a player that is asked again, None where none is.
        follow: whether opponents say what the record has of them; else they play again.

    Raises:
        ConfigError: the record's data is not this version's, or a wrapper that took part cannot be put on again.
    """
    stack = Stack(make(record.env.id, **record.env.arguments))
    env = stack.base
    try:
        _check_wrappers(record, env)
        known = env.cases
        fixed = known is not None and record.case in known
        if record.env.data_sha256 != env.task.data_sha256():
            raise ConfigError(
                f"episode {record.case!r} was played with other data (sha256 {record.env.data_sha256[:12]}…); "
                "install the version it was recorded with"
            )
        if isinstance(env, SeatGame) and follow:
            if not record.game:
                raise ConfigError(f"episode {record.case!r} lacks its game; its opponents would play again")
            env.follow(record.game)
        observation, info = stack.reset(record.seed, record.case if fixed else None)
        answers = record.anytime.answers if record.anytime else ()
        for number, step in enumerate(record.steps):
            due = [one for one in answers if one.steps == number and not one.missing]
            forked = tuple((one, *anytime.again(env, one)) for one in due)
            before, told = info, stack.told(agent) if agent else {}
            stage: Stage = getattr(env.view(), "stage", "rounds")
            seen, remember = str(observation), info.get("remember")
            observation, reward, _, _, info = stack.step(step.action, functools.partial(_recorded, step.verdict))
            yield Replayed(
                stage, before, told, seen, remember, stack.judged.request, info, str(observation), float(reward), forked
            )
    finally:
        env.close()


def _recorded(verdict: Any, _: JudgeRequest) -> Any:
    return verdict


def _check_wrappers(record: EpisodeRecord, env: Any) -> None:
    """Refuse a record with wrappers that its arguments do not name: nobody knows how to put them on again."""
    named = record.env.arguments.get("wrappers", ())
    known = [*env.probes, *([named] if isinstance(named, str) else named)] if hasattr(env, "probes") else list(named)
    for wrapper in record.wrappers:
        if wrapper not in map(str, known):
            raise ConfigError(
                f"episode {record.case!r} was played with the wrapper {wrapper}, which its arguments do not name, "
                "so it cannot be replayed; name wrappers to evaluate(wrappers=…), or as -k wrappers"
            )


def mismatch(record: EpisodeRecord) -> str | None:
    """Replay a record and compare everything that was seen; None where all is equal."""
    info: Mapping[str, Any] = {}
    count = 0
    for count, (step, again) in enumerate(zip(record.steps, steps(record), strict=True), 1):
        for name, then, now in (
            ("observation", step.observation, again.observation),
            ("memory", step.remember, again.remember),
            ("reply", step.reply, again.reply),
            ("reward", step.reward, again.reward),
            ("validity", (step.valid, step.reason), (again.info["valid"], again.info["reason"])),
            ("legality", step.illegal, step.illegal and again.info.get("illegal", False)),  # older records have none
        ):
            if then != now:
                return f"step {count}: the {name} was {then!r}, now {now!r}"
        for answer, outcome, reward in again.forked:
            if (answer.outcome, answer.reward) != (outcome, reward):
                return f"before step {count}: the answer asked for was {answer.outcome}, now {outcome}"
        info = again.info
    if record.reward != sum(step.reward for step in record.steps):
        return f"the reward {record.reward!r} is not the sum of the steps' rewards"
    for name in ("outcome", "won_by", "first_final", "solution", "case"):
        then = getattr(record, name)
        if info.get(name) != then and (name != "case" or name in info):  # a game's deals have no ids
            return f"after {count} steps: {name} was {then!r}, now {info.get(name)!r}"
    return None
