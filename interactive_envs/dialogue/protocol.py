"""Protocols of a dialogue: what a player may say when, what it costs, and how the episode ends. Pure: no Gymnasium."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, TypeVar

import numpy as np

from interactive_envs.dialogue.probe import Probe, decorate
from interactive_envs.dialogue.task import DialogueTask, Inferable, Menu, Terms
from interactive_envs.dialogue.view import DialogueView, Exchange, Kind, Stage
from interactive_envs.errors import ConfigError, JudgeError
from interactive_envs.judges.base import JudgeRequest, Verdict
from interactive_envs.outcome import Outcome
from interactive_envs.parsing import Illegal, Unreadable, read_action
from interactive_envs.system.frozen import changed, made

UNSCORED = "This episode is not scored, because the verdicts of its judge are estimates."

UNREAD = "(a message that could not be read)"
"""What stands for one where another player sees the dialogue."""

CaseT = TypeVar("CaseT")
StateT = TypeVar("StateT")


@dataclass(frozen=True)
class EpisodeState(Generic[CaseT, StateT]):
    """Everything that changes during an episode; replaced, never mutated.

    Attributes:
        case: the task's case.
        task_state: the task's state.
        rounds_left: rounds not yet spent.
        retries_left: unreadable messages still free of charge in this round.
        stage: see :class:`interactive_envs.dialogue.view.DialogueView`.
        exchanges: every action with its reply that the player remembers.
        forgotten: those that it no longer remembers, see :meth:`Protocol.rewind`.
        remember: how many exchanges the player keeps before it reads the last message, None for all.
        opening: the message that opened the dialogue, where it was begun anew.
        unclear_left: messages that a judge does not understand and that still cost nothing.
        finals: final answers that were judged.
        estimated: whether a verdict so far was an estimate.
        outcome: how the episode ended, None before.
        won_by: whether a round's or the forced final answer was right, None where none was.
        first_final: whether the first final answer was right, None before.
    """

    case: CaseT
    task_state: StateT
    rounds_left: int
    retries_left: int
    stage: Stage = "rounds"
    exchanges: tuple[Exchange, ...] = ()
    forgotten: tuple[Exchange, ...] = ()
    remember: int | None = None
    opening: str | None = None
    unclear_left: int = 0
    finals: int = 0
    estimated: bool = False
    outcome: Outcome | None = None
    won_by: Literal["round", "forced"] | None = None
    first_final: bool | None = None


@dataclass(frozen=True)
class Submission:
    """An action as it was read, which waits for its verdict if it needs one.

    Attributes:
        kind: ``query``, ``final`` or ``invalid``.
        text: the action's text, for the transcript.
        key: the query or answer as the task read it; the reason of an invalid action.
        request: what the judge must decide, None where the rules decide.
        illegal: whether an invalid action could be read, and is not legal now.
    """

    kind: Kind
    text: str
    key: Any
    request: JudgeRequest | None = None
    illegal: bool = False

    @property
    def refusal(self) -> str:
        """What an invalid action is told first: that it was not read, or not legal, and why."""
        return f"Not {'legal' if self.illegal else 'read'}: {self.key}"


class Protocol(ABC, Generic[CaseT, StateT]):
    """How a task is played; an environment calls these functions in turn and keeps the state between them.

    Args:
        task: the pure rules.
        terms: as the user gave them.
        probes: decorate the task, the innermost first.

    Raises:
        ConfigError: a probe cannot be used here.
    """

    max_action: ClassVar[int] = 20_000
    """Characters of an action; a longer one is unreadable."""
    refuses_probes: ClassVar[str] = ""
    """Who takes no probe but what the task can do itself, as the subject of the message that refuses one; empty where
    probes are taken."""

    def __init__(self, task: DialogueTask[CaseT, StateT], terms: Terms, probes: Sequence[Probe] = ()) -> None:
        for probe in probes if self.refuses_probes else ():
            if probe.built_in is None or not isinstance(task, probe.built_in):
                problem = f"{self.refuses_probes} cannot be played with the probe {probe.spec!r}; leave it out"
                raise ConfigError(problem)
        self.task, self.terms = decorate(task, self.settle(terms), probes)

    def settle(self, terms: Terms) -> Terms:
        """The terms that hold: without interaction there is one round."""
        return terms if terms.interaction else changed(terms, budget=1, forced_final=False)

    # Before a message.

    @abstractmethod
    def begin(self, case: CaseT) -> EpisodeState[CaseT, StateT]:
        """The state before the first action."""

    def chance(self, case: CaseT) -> np.random.Generator | None:
        """The generator that replies draw from in an episode, None for the environment's own."""
        return None

    def queries_allowed(self, state: EpisodeState[CaseT, StateT]) -> bool:
        """Whether queries are allowed now."""
        return self.terms.interaction and state.stage == "rounds"

    def tags(self, state: EpisodeState[CaseT, StateT]) -> tuple[str, ...]:
        """The tags that are allowed now."""
        return self.task.tags_at(state.task_state) if self.queries_allowed(state) else (self.task.answer_tag,)

    def legal_actions(self, state: EpisodeState[CaseT, StateT]) -> list[str] | None:
        """Every legal text action, None where there is no finite list."""
        if state.outcome is not None:
            return []
        if not isinstance(self.task, Menu):
            return None
        answers = self.task.answers(state.task_state)
        queries = self.task.queries(state.task_state) if self.queries_allowed(state) else []
        return None if answers is None or queries is None else [*queries, *answers]

    def few_actions(self, state: EpisodeState[CaseT, StateT], most: int) -> list[str] | None:
        """Every legal text action where there are at most so many; else the list is not even made."""
        count = self.count_actions(state)
        legal = self.legal_actions(state) if count is not None and count <= most else None
        return legal if legal is not None and len(legal) <= most else None

    def count_actions(self, state: EpisodeState[CaseT, StateT]) -> int | None:
        """How many actions the list may have at most, found without making it; None where there is none."""
        if not isinstance(self.task, Menu):
            return None
        return self.task.n_actions(state.task_state) if self.queries_allowed(state) else 0

    def view(self, state: EpisodeState[CaseT, StateT]) -> DialogueView:
        """All that the player may know."""
        return made(
            DialogueView,
            shown=self.task.show(state.task_state),
            exchanges=state.exchanges,
            budget=self.terms.budget,
            rounds_left=state.rounds_left,
            retries_left=state.retries_left,
            stage=state.stage,
            queries_allowed=self.queries_allowed(state),
        )

    def view_text(self, state: EpisodeState[CaseT, StateT]) -> str:
        """The View as one text, for players that keep no history."""
        lines = [state.opening or self.task.rules(state.case, self.terms)]
        if state.exchanges:
            lines.append("So far:")
            lines += [f"{number}. {e.text}\n   {e.reply}" for number, e in enumerate(state.exchanges, 1)]
            lines.append(self.budget_line(state))
        return "\n".join(lines)

    def resume(self, view: DialogueView, rng: np.random.Generator) -> EpisodeState[CaseT, StateT]:
        """A state drawn among those that have this View.

        Raises:
            ConfigError: the episode of the View is over, or the task cannot list what would look the same.
        """
        if view.stage == "over":
            raise ConfigError("the episode of this view is over; there is nothing to continue")
        drawn = self.task.resample(view, rng) if isinstance(self.task, Inferable) else None
        if drawn is None:
            raise ConfigError(f"{type(self.task).__name__} cannot resample a view; search needs a task that can")
        finals = [exchange for exchange in view.exchanges if exchange.kind == "final"]
        return EpisodeState(
            self.task.case_of(drawn),
            drawn,
            view.rounds_left,
            view.retries_left,
            view.stage,
            view.exchanges,
            first_final=False if finals else None,
        )

    # Where the questions end.

    ends_asking: ClassVar[str | None] = None
    """The action that ends the questions where no answer is read before; None where one is read at any time."""

    def is_asking(self, state: EpisodeState[CaseT, StateT]) -> bool:
        """Whether a question would be read, and an answer does not have to follow at once."""
        return state.outcome is None and state.stage == "rounds" and self.queries_allowed(state)

    def questions_left(self, state: EpisodeState[CaseT, StateT]) -> int:
        """How many questions can still be asked before something must be concluded; 0 where none may be asked."""
        return state.rounds_left if self.is_asking(state) else 0

    def dialogues(self, state: EpisodeState[CaseT, StateT]) -> int:
        """How many times the questions of an episode begin anew, the first time included."""
        return 1

    def close(self, state: EpisodeState[CaseT, StateT]) -> EpisodeState[CaseT, StateT]:
        """The state in which only a final answer is read, one message, outside the budget.

        Where an action ``ends_asking`` it is the state itself, for that action leads on.
        """
        return state

    def request_final(self) -> str:
        """The sentence that asks for a final answer now; "" where the message before does so."""
        return ""

    def parsed(self, action: Submission) -> str:
        """An action as it was read, without what was said around it; "" where nothing could be read."""
        return "" if action.kind == "invalid" else action.text

    def without_talk(self, state: EpisodeState[CaseT, StateT]) -> EpisodeState[CaseT, StateT]:
        """The state as another player may see it: nothing stands there of messages that could not be read."""
        heard = tuple(changed(one, text=UNREAD) if one.kind == "invalid" else one for one in state.exchanges)
        return changed(state, exchanges=heard)

    # A message.

    def read(self, state: EpisodeState[CaseT, StateT], text: str) -> Submission:
        """Read an action."""
        if len(text) > self.max_action:
            reason = f"The message is longer than {self.max_action} characters."
            return self.refuse(state, text[: self.max_action], Unreadable(reason))
        task, inner = self.task, state.task_state
        bare = task.read_bare(inner, text)
        if bare is not None:
            kind, key = bare
        else:
            tags = task.tags_at(inner)
            action = read_action(text, tags, short_forms=self._short_forms(tags), may_be_empty=task.empty_tags)
            if isinstance(action, Unreadable):
                now = self.tags(state)
                allowed = read_action(text, now, short_forms=task.short_forms, may_be_empty=task.empty_tags)
                why = allowed if isinstance(allowed, Unreadable) else action
                return self.refuse(state, text, why)
            kind = "final" if task.is_final(inner, action.tag) else "query"
            if kind == "final":
                key = task.read_answer(inner, action.body)
            else:
                key = task.read_query(inner, action.body, action.tag)
            text = f"<{action.tag}>{action.body}</{action.tag}>"
        if kind == "query" and not self.queries_allowed(state) and not isinstance(key, Unreadable):
            tag = task.answer_tag
            key = Illegal(f"Only a final answer is allowed now: <{tag}>…</{tag}>.")
        if isinstance(key, Unreadable):
            return self.refuse(state, text, key)
        ask_judge = task.judge_query if kind == "query" else task.judge_answer
        return Submission(kind, text, key, ask_judge(inner, key))

    def _short_forms(self, tags: tuple[str, ...]) -> Mapping[str, Sequence[str]]:
        forms = self.task.short_forms
        return forms if tags == tuple(forms) else {tag: words for tag, words in forms.items() if tag in tags}

    def refuse(self, state: EpisodeState[CaseT, StateT], text: str, why: Unreadable) -> Submission:
        """An action that cannot be read, or is not legal."""
        return Submission("invalid", text, why.reason, illegal=isinstance(why, Illegal))

    def check_verdict(self, request: JudgeRequest, verdict: Verdict | None) -> None:
        """Refuse a verdict that does not decide a request.

        Raises:
            JudgeError: it is missing, or its label is none of the request's.
        """
        if verdict is None or verdict.label not in request.labels:
            got = None if verdict is None else verdict.label
            raise JudgeError(f"a verdict must be one of {', '.join(request.labels)}; got {got!r}")

    def apply(
        self,
        state: EpisodeState[CaseT, StateT],
        action: Submission,
        rng: np.random.Generator,
        verdict: Verdict | None,
    ) -> tuple[EpisodeState[CaseT, StateT], str]:
        """The state after an action, and the message that goes back: the reply, and what is left of the budget."""
        state = changed(state, remember=None)
        if verdict is not None and verdict.approximate:
            state = changed(state, estimated=True)
        if action.kind == "query":
            state, reply = self.after_query(state, action, rng, verdict)
        elif action.kind == "final":
            state, reply = self.after_answer(state, action, verdict)
        else:
            state, reply = self.after_invalid(state, action, verdict)
        message = reply if state.outcome is Outcome.SUCCESS else f"{reply}\n{self.budget_line(state)}"
        if state.outcome is not None and state.estimated and not self.terms.approximate:
            state = changed(state, outcome=Outcome.UNSCORED, won_by=None, first_final=None)
            message = f"{message}\n{UNSCORED}"
        return (changed(state, opening=message) if state.remember == 0 else state), message

    @abstractmethod
    def after_query(
        self,
        state: EpisodeState[CaseT, StateT],
        action: Submission,
        rng: np.random.Generator,
        verdict: Verdict | None,
    ) -> tuple[EpisodeState[CaseT, StateT], str]:
        """The state after a query, and its reply."""

    @abstractmethod
    def after_answer(
        self, state: EpisodeState[CaseT, StateT], action: Submission, verdict: Verdict | None
    ) -> tuple[EpisodeState[CaseT, StateT], str]:
        """The state after a final answer, and its reply."""

    @abstractmethod
    def after_invalid(
        self, state: EpisodeState[CaseT, StateT], action: Submission, verdict: Verdict | None
    ) -> tuple[EpisodeState[CaseT, StateT], str]:
        """The state after an unreadable action, and its reply."""

    @abstractmethod
    def budget_line(self, state: EpisodeState[CaseT, StateT]) -> str:
        """What is left, or that it is over, in one sentence."""

    def append(
        self, state: EpisodeState[CaseT, StateT], action: Submission, reply: str, fact: Any = None
    ) -> EpisodeState[CaseT, StateT]:
        """The state with one more exchange."""
        key = None if action.kind == "invalid" else action.key
        exchange = made(Exchange, kind=action.kind, text=action.text, key=key, reply=reply, fact=fact)
        return changed(state, exchanges=(*state.exchanges, exchange))

    def rewind(self, state: EpisodeState[CaseT, StateT], exchanges: int) -> EpisodeState[CaseT, StateT]:
        """The state in which the player remembers no more than its first exchanges when it reads the next message.

        Args:
            state: the state.
            exchanges: how many of ``state.exchanges`` are kept; 0 begins the dialogue anew.
        """
        return changed(
            state,
            exchanges=state.exchanges[:exchanges],
            forgotten=(*state.forgotten, *state.exchanges[exchanges:]),
            remember=exchanges,
        )

    # After a message.

    @abstractmethod
    def reward(self, state: EpisodeState[CaseT, StateT]) -> float:
        """What the end of an episode pays."""

    def info(self, state: EpisodeState[CaseT, StateT]) -> dict[str, Any]:
        """What the info says besides the View and the message; what decides the case only at the end."""
        info: dict[str, Any] = {"rounds_left": state.rounds_left, "action_tags": self.tags(state)}
        if state.remember is not None:
            info["remember"] = state.remember
        if state.outcome is not None:
            info |= {
                "outcome": state.outcome.value,
                "turns": self.terms.budget - state.rounds_left,
                "won_by": state.won_by,
                "first_final": state.first_final,
                "case": self.task.case_id(state.case),
                "solution": self.task.solution(state.case),
            }
        return info

    def pictures(self, state: EpisodeState[CaseT, StateT]) -> Sequence[Mapping[str, Any]]:
        """Image parts that go with the last message, for players that can see."""
        return ()

    # What checks expect.

    @property
    @abstractmethod
    def max_steps(self) -> int | None:
        """Actions after which every episode is over, None where nobody can say beforehand."""

    @property
    @abstractmethod
    def ends_of_silence(self) -> tuple[Outcome, ...]:
        """How an episode may end for a player that never sends anything readable."""

    @property
    @abstractmethod
    def ends_of_asking(self) -> tuple[Outcome, ...]:
        """How an episode may end for a player that asks as long as it may and is silent afterwards."""

    @abstractmethod
    def spent_on_queries(self, state: EpisodeState[CaseT, StateT]) -> tuple[int, int]:
        """What queries cost at the end of an episode of a player that only asks, and what they should have cost."""


class Rounds(Protocol[CaseT, StateT]):
    """A budget of rounds: every query, every final answer and every unreadable message costs one.

    A right answer ends the episode (``success``), a wrong one where only one is allowed (``failure``), and so does the
    end of the budget (``timeout``). Where the task has a payoff, the outcome of the last answer is ``scored``. With
    ``forced_final`` one more answer is asked for after the last round.
    """

    unclear: ClassVar[str] = "Not understood. Please rephrase."
    """The reply to what a judge does not understand."""

    def begin(self, case: CaseT) -> EpisodeState[CaseT, StateT]:
        """All rounds are left."""
        terms = self.terms
        return EpisodeState(case, self.task.start(case), terms.budget, terms.retries, unclear_left=terms.budget)

    def questions_left(self, state: EpisodeState[CaseT, StateT]) -> int:
        """The rounds left; the last one is for the answer, unless that has one of its own."""
        left = super().questions_left(state)
        return left if self.terms.forced_final else max(0, left - 1)

    def close(self, state: EpisodeState[CaseT, StateT]) -> EpisodeState[CaseT, StateT]:
        """A forced final without free tries."""
        return changed(state, stage="forced_final", retries_left=0, unclear_left=0)

    def request_final(self) -> str:
        """The answer's form."""
        tag = self.task.answer_tag
        return f"Give your final answer now: <{tag}>…</{tag}>. Nothing else is read."

    def after_query(
        self,
        state: EpisodeState[CaseT, StateT],
        action: Submission,
        rng: np.random.Generator,
        verdict: Verdict | None,
    ) -> tuple[EpisodeState[CaseT, StateT], str]:
        """A round is spent; the task replies."""
        if verdict is not None and verdict.abstained:
            return self.after_unclear(state, action)
        fact, task_state = self.task.reply(state.task_state, action.key, rng, verdict)
        reply = self.task.message(task_state, fact)
        state = changed(state, task_state=task_state)
        state = self.spend_round(self.append(state, action, reply, fact))
        return (self.rewind(state, 0) if self.task.begins_anew(task_state) else state), reply

    def after_unclear(
        self, state: EpisodeState[CaseT, StateT], action: Submission
    ) -> tuple[EpisodeState[CaseT, StateT], str]:
        """The state after a message that the judge did not understand."""
        return self.leave_open(state, action, self.unclear)

    def leave_open(
        self, state: EpisodeState[CaseT, StateT], action: Submission, reply: str
    ) -> tuple[EpisodeState[CaseT, StateT], str]:
        """The state after a message that gets no answer: free as often as there are rounds in all."""
        if state.unclear_left:
            used = f"{self.terms.budget - state.unclear_left + 1} of {self.terms.budget}"
            reply += f" This cost no round ({used} free attempts used)."
            state = self.append(state, action, reply)
            return changed(state, unclear_left=state.unclear_left - 1), reply
        if state.stage == "forced_final":
            state = self.append(state, action, reply)
            return changed(state, stage="over", outcome=Outcome.TIMEOUT), reply
        reply += " This cost a round, because no free attempts are left."
        return self.spend_round(self.append(state, action, reply)), reply

    def after_answer(
        self, state: EpisodeState[CaseT, StateT], action: Submission, verdict: Verdict | None
    ) -> tuple[EpisodeState[CaseT, StateT], str]:
        """A round is spent, if it is no forced final; a right answer ends the episode."""
        if verdict is not None and verdict.abstained:
            return self.after_unclear(state, action)
        right = self.task.check(state.task_state, action.key, verdict)
        reply = "Correct." if right else "Incorrect."
        forced = state.stage == "forced_final"
        left = None if self.terms.finals is None else self.terms.finals - state.finals - 1
        over = forced or left == 0 or self.task.single_final or not self.terms.interaction
        if left is not None and not (right or over):
            reply += f" Answers left: {left}."
        first = right if state.first_final is None else state.first_final
        task_state = self.task.after_answer(state.task_state, action.key)
        state = changed(
            self.append(state, action, reply), task_state=task_state, first_final=first, finals=state.finals + 1
        )
        if not forced:
            state = changed(state, rounds_left=state.rounds_left - 1)
        if (right or over) and self.task.payoff(task_state) is not None:
            return changed(state, stage="over", outcome=Outcome.SCORED), reply
        if right:
            won_by: Literal["round", "forced"] = "forced" if forced else "round"
            return changed(state, stage="over", outcome=Outcome.SUCCESS, won_by=won_by), reply
        if over:
            return changed(state, stage="over", outcome=Outcome.FAILURE), reply
        return self.next_round(state), reply

    def after_invalid(
        self, state: EpisodeState[CaseT, StateT], action: Submission, verdict: Verdict | None
    ) -> tuple[EpisodeState[CaseT, StateT], str]:
        """A retry is spent, else a round; where neither is allowed the episode is over."""
        reply = action.refusal
        if self.terms.strict or (state.stage == "forced_final" and not state.retries_left):
            state = self.append(state, action, reply)
            return changed(state, stage="over", outcome=Outcome.FORMAT_ERROR), reply
        if state.retries_left:
            reply += " Try again; this one is free."
            state = self.append(state, action, reply)
            return changed(state, retries_left=state.retries_left - 1), reply
        reply += " It cost a round."
        return self.spend_round(self.append(state, action, reply)), reply

    def spend_round(self, state: EpisodeState[CaseT, StateT]) -> EpisodeState[CaseT, StateT]:
        """The state with one round less."""
        return self.next_round(changed(state, rounds_left=state.rounds_left - 1))

    def next_round(self, state: EpisodeState[CaseT, StateT]) -> EpisodeState[CaseT, StateT]:
        """The state at the start of the next round, of the forced final, or at the end."""
        state = changed(state, retries_left=self.terms.retries)
        if state.rounds_left:
            return state
        if self.terms.forced_final:
            return changed(state, stage="forced_final")
        return changed(state, stage="over", outcome=Outcome.TIMEOUT)

    def budget_line(self, state: EpisodeState[CaseT, StateT]) -> str:
        """How many rounds are left."""
        if state.outcome is Outcome.TIMEOUT:
            return "No rounds left. The episode is over."
        if state.outcome is not None:
            return "The episode is over."
        if state.stage == "forced_final":
            return f"No rounds left. Give one final answer now: <{self.task.answer_tag}>…</{self.task.answer_tag}>."
        return f"Rounds left: {state.rounds_left}."

    def reward(self, state: EpisodeState[CaseT, StateT]) -> float:
        """1 for a right answer, else 0; the task's payoff where it has one."""
        if state.outcome is Outcome.SCORED:
            return float(self.task.payoff(state.task_state) or 0.0)
        return 1.0 if state.outcome is Outcome.SUCCESS else 0.0

    @property
    def max_steps(self) -> int:
        """Every round with all its retries, a forced final with its own, and what a judge does not understand."""
        return (self.terms.budget + 1) * (self.terms.retries + 1) + self.task.judged * self.terms.budget

    @property
    def ends_of_silence(self) -> tuple[Outcome, ...]:
        """The budget runs out, except where an unreadable message can end the episode."""
        ended = self.terms.strict or self.terms.forced_final
        return (Outcome.FORMAT_ERROR,) if ended else (Outcome.TIMEOUT,)

    @property
    def ends_of_asking(self) -> tuple[Outcome, ...]:
        """The budget runs out; silence in a forced final, or where nothing may be asked, ends as silence does."""
        silent = self.terms.forced_final or not self.terms.interaction
        return self.ends_of_silence if silent else (Outcome.TIMEOUT,)

    def spent_on_queries(self, state: EpisodeState[CaseT, StateT]) -> tuple[int, int]:
        """The queries that cost a round, and the rounds."""
        queries = [exchange.kind for exchange in (*state.forgotten, *state.exchanges)].count("query")
        queries -= self.terms.budget - state.unclear_left
        return queries, self.terms.budget if self.terms.interaction else 0
