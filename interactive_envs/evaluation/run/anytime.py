"""Asks a player for its answer between its turns, in a dialogue of its own of which nothing comes back."""

from __future__ import annotations

import dataclasses
import functools
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from interactive_envs.agent import Agent
from interactive_envs.dialogue.handover import check_concludes
from interactive_envs.errors import ConfigError, FaultError
from interactive_envs.evaluation.run.stepping import Stack, guarded
from interactive_envs.judges.base import JudgeRequest, Verdict
from interactive_envs.outcome import Outcome
from interactive_envs.reporting.records import Anytime, ForkedAnswer, Step

if TYPE_CHECKING:
    from interactive_envs.evaluation.run.episode import Ledger, Thinking

WHO = "anytime"
"""What refuses an environment, in messages."""
MOST_SAID = 1_000
"""Messages of a fork at most: a test may be a whole game."""
UNCLEAR = "the judge did not understand it"
ESTIMATED = "not scored, because the judge's verdicts are estimates"
STILL_THINKING = "the player was still thinking about its last turn"


def check(env: Any, player: Agent, wrapped: bool) -> None:
    """Refuse what cannot be asked between its turns; ``player`` has been reset.

    Raises:
        ConfigError: there is nothing to conclude, a wrapper stands in between, or the player cannot be copied.
    """
    check_concludes(env, WHO)
    _check_dialogues(env)
    if wrapped:
        raise ConfigError(f"{WHO} cannot look through wrappers of your own, which may change messages; leave them out")
    player.fork()


def _check_dialogues(env: Any) -> None:
    """Refuse an episode whose questions begin anew: what was spent of the budget then says nothing of an answer.

    Raises:
        ConfigError: they do.
    """
    count = env.protocol.dialogues(env.state)
    if count > 1:
        raise ConfigError(f"{WHO} needs one dialogue an episode, and this one begins anew ({count} parts)")


class Forks:
    """The answers of one episode between its turns.

    Args:
        stack: the environment, just reset.
        agent: the player.
        thinking: calls it.
        ledger: of the episode; theirs is another one with the same limit.

    Attributes:
        ledger: what they cost.
        seconds: how long they took.
    """

    def __init__(self, stack: Stack, agent: Agent, thinking: Thinking, ledger: Ledger) -> None:
        self._stack, self._agent, self._thinking, self._main = stack, agent, thinking, ledger
        self.ledger = type(ledger)(ledger.spending)
        self.seconds = 0.0
        self._most = stack.handover(WHO).questions
        _check_dialogues(stack.base)
        self._answers: list[ForkedAnswer] = []

    def ask(self, observation: str, info: Mapping[str, Any], steps: Sequence[Step]) -> None:
        """Ask for the answer, if a question may be asked instead: else the player answers anyway.

        Args:
            observation: what the player is about to see.
            info: that goes with it.
            steps: what it did before.

        Raises:
            ConfigError: the player failed, or cannot be copied.
        """
        handover = self._stack.handover(WHO)
        if not handover.asking:
            return
        begun = time.perf_counter()
        asked = sum(step.kind == "query" for step in steps)
        empty = ForkedAnswer(len(steps), asked, self._most - handover.questions)
        if self._thinking.busy:
            self._answers.append(dataclasses.replace(empty, missing=STILL_THINKING))
        else:
            self._answers.append(self._answer(empty, observation, info))
        self.seconds += time.perf_counter() - begun

    def record(self) -> Anytime:
        """What the episode's record says of them."""
        paid = self.ledger
        return Anytime(self._most, tuple(self._answers), paid.usage, paid.judge_usage, paid.cost, paid.judge_cost)

    def _answer(self, empty: ForkedAnswer, observation: str, info: Mapping[str, Any]) -> ForkedAnswer:
        from interactive_envs.evaluation.run.episode import decide

        ledger, agent = self.ledger, self._thinking.call(self._agent.fork)
        ledger.sent = self._main.sent
        thinking = self._thinking.of(agent)
        twin: Any = guarded(self._stack.base.fork)
        said: list[str] = []
        verdicts: list[Verdict | None] = []
        calls, judge_calls = list[Any](), list[Any]()

        def speak(seen: str, told: dict[str, Any]) -> str:
            try:
                text = thinking.act(seen, told, final=handover.at_any_time)
            except FaultError as error:
                ledger.pay([*agent.drain_calls(), *error.calls])
                raise
            thinking.wait()
            made = agent.drain_calls()
            ledger.pay(made)
            calls.extend(ledger.note(made))
            said.append(text)
            return text

        def judge(request: JudgeRequest) -> Verdict:
            verdict = decide(self._stack.base, ledger, request)
            judge_calls.extend(ledger.note_judge(verdict.calls))
            return verdict

        handover = twin.handover()
        try:
            seen, told = self._begin(twin, agent, observation, info)
            over = False
            while not over and len(said) < MOST_SAID:
                seen, reward, over, told, verdict = _step(twin, speak(seen, told), judge)
                verdicts.append(verdict and dataclasses.replace(verdict, calls=()))
                told |= self._wanted(twin, agent)
        except FaultError as error:
            missing = f"{error.fault}: {error}"
            return _with(empty, said, verdicts, calls, judge_calls, missing=missing)
        outcome = told.get("outcome")
        missing = UNCLEAR if handover.at_any_time and any(one and one.abstained for one in verdicts) else ""
        missing = ESTIMATED if outcome == Outcome.UNSCORED else missing
        if missing or outcome is None:
            return _with(empty, said, verdicts, calls, judge_calls, missing=missing or "it did not end")
        known = {"valid": told["valid"], "outcome": outcome, "reward": float(reward)}
        return _with(empty, said, verdicts, calls, judge_calls, **known)

    def _begin(self, twin: Any, agent: Agent, observation: str, info: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """Ask the twin's player to conclude; where an action ends the questions, that action is taken for it."""
        handover = twin.handover()
        if handover.at_any_time:
            seen, told = handover.closing(observation, info, view_text=agent.wants_view_text, own=True)
            twin.close_questions()
            return seen, told | ({"handover": twin.handover()} if agent.wants_handover else {})
        ending = handover.protocol.ends_asking
        now = {**info, **self._wanted(twin, agent)}
        self._thinking.call(lambda: agent.witness(observation, now, ending))
        seen, _, _, told, _ = _step(twin, ending, None)
        return seen, told | self._wanted(twin, agent)

    def _wanted(self, twin: Any, agent: Agent) -> dict[str, Any]:
        """What the player wants beyond the environment's info."""
        text = {"view_text": twin.view_text()} if agent.wants_view_text else {}
        return text | ({"handover": twin.handover()} if agent.wants_handover else {})


def again(env: Any, answer: ForkedAnswer) -> tuple[str | None, float | None]:
    """Outcome and reward of a recorded answer, decided anew with its recorded verdicts; ``env`` stands where it was."""
    twin: Any = guarded(env.fork)
    if twin.handover().at_any_time:
        twin.close_questions()
    else:
        _step(twin, twin.handover().protocol.ends_asking, None)
    told: dict[str, Any] = {}
    reward = 0.0
    for text, verdict in zip(answer.said, answer.verdicts, strict=True):
        _, reward, _, told, _ = _step(twin, text, functools.partial(_recorded, verdict))
    return told.get("outcome"), reward


def _recorded(verdict: Any, _: JudgeRequest) -> Any:
    return verdict


def _step(
    twin: Any, text: str, judge: Callable[[JudgeRequest], Verdict] | None
) -> tuple[str, float, bool, dict[str, Any], Verdict | None]:
    """Step a twin; the judge decides where one must."""
    request = guarded(lambda: twin.submit(text))
    verdict = judge(request) if request is not None and judge else None
    seen, reward, terminated, truncated, info = guarded(lambda: twin.resolve(verdict))
    return str(seen), float(reward), terminated or truncated, info, verdict


def _with(
    empty: ForkedAnswer,
    said: Sequence[str],
    verdicts: Sequence[Verdict | None],
    calls: Sequence[Any],
    judge_calls: Sequence[Any],
    **known: Any,
) -> ForkedAnswer:
    given = {"said": said, "verdicts": verdicts, "calls": calls, "judge_calls": judge_calls}
    known |= {name: tuple(values) for name, values in given.items()}
    return dataclasses.replace(empty, **known)
