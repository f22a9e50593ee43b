"""The one budgeted ask/answer environment; a pure :class:`~interactive_envs.dialogue.task.DialogueTask` plugs into it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

import gymnasium as gym
import numpy as np

from interactive_envs.catalog.unit import Unit
from interactive_envs.dialogue.task import DialogueTask, Terms
from interactive_envs.dialogue.view import DialogueView, Exchange, Kind, Stage
from interactive_envs.errors import ConfigError, JudgeError, UnknownNameError
from interactive_envs.judges.base import Judge, JudgeRequest, Verdict, resolve_judge
from interactive_envs.llm.calls import ModelCall
from interactive_envs.outcome import Outcome
from interactive_envs.parsing import Unreadable, read_action
from interactive_envs.spaces import TextObservation, TextSpace

MAX_ACTION = 20_000
MAX_OBSERVATION = 200_000
MAX_LISTED_ACTIONS = 256

CaseT = TypeVar("CaseT")
StateT = TypeVar("StateT")


@dataclass(frozen=True)
class Playing(Generic[CaseT, StateT]):
    """Everything that changes during an episode; replaced, never mutated."""

    case: CaseT
    task_state: StateT
    rounds_left: int
    retries_left: int
    stage: Stage = "rounds"
    exchanges: tuple[Exchange, ...] = ()
    outcome: Outcome | None = None
    won_by: Literal["round", "forced"] | None = None
    first_final: bool | None = None


@dataclass(frozen=True)
class Pending:
    """An action that was read and waits for its verdict, if it needs one."""

    kind: Kind
    text: str
    key: Any
    request: JudgeRequest | None = None


class DialogueEnv(gym.Env[str, str], Generic[CaseT, StateT]):
    """Ask and answer under a budget; what is asked, and what is right, the task says.

    Observation: at reset the rules and the case; afterwards the reply to the last action and what is left
        of the budget. ``TextSpace``.
    Action: one tagged action, ``<ask>…</ask>`` or ``<answer>…</answer>``, or a short form that the task documents.
    Reward: 1.0 when a final answer is right, else 0.0.
    Ends: terminated by a right final (``success``), a wrong one where only one is allowed (``failure``), or
        the end of the budget (``timeout``); never truncated.
    Info: ``valid``, ``reason``, ``kind``, ``view``, ``rounds_left``, ``message_range``, ``action_tags``,
        ``legal_actions`` where there are at most 256; at reset also ``history``, ``action_examples`` and, where there
        is one, ``grammar`` for small models and a probe's ``preface``; at the end ``outcome``, ``turns`` (rounds
        spent), ``won_by``, ``first_final``, ``case`` and ``solution``.

    Every query, final and unreadable message costs a round. ``step`` is ``submit`` followed by ``resolve``: a
    runner that wants to time, batch or replay the judge calls the two halves itself.

    Args:
        task: the pure rules.
        budget: rounds in all.
        forced_final: after the last round ask for one more final answer, outside the budget (Interactive
            Benchmarks v1; v2 counts only the rounds). A wrong one is ``failure``.
        no_interaction: no queries, one final answer. ``forced_final`` then has no meaning.
        retries: unreadable messages a round that cost nothing.
        strict: the first unreadable message ends the episode with ``format_error``.
        judge: a judge's spec or instance, used by tasks whose truth needs one.
        case: play this case always.
        render_mode: None or ``ansi``.
    """

    metadata = {"render_modes": ["ansi"], "history": "full", "render_fps": 1}  # noqa: RUF012 - declared so by Gymnasium
    unit: Unit
    opponents: tuple[str, ...] = ()
    """Specs of the other players: there are none."""
    scored: bool = False
    """Whether an episode ends with a score rather than with right or wrong."""
    max_action: int = MAX_ACTION
    """Characters of an action; a longer one is unreadable."""

    def __init__(
        self,
        task: DialogueTask[CaseT, StateT],
        *,
        budget: int = 20,
        forced_final: bool = False,
        no_interaction: bool = False,
        retries: int = 0,
        strict: bool = False,
        judge: str | Judge = "offline",
        case: str | None = None,
        render_mode: str | None = None,
    ) -> None:
        for name, value, least in (("budget", budget, 1), ("retries", retries, 0)):
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise ConfigError(f"{name} must be a whole number of at least {least}, got {value!r}")
        for name, switch in (("forced_final", forced_final), ("no_interaction", no_interaction), ("strict", strict)):
            if not isinstance(switch, bool):
                raise ConfigError(f"{name} must be true or false, got {switch!r}")
        if not isinstance(judge, str | Judge):
            raise ConfigError(f"judge must be a spec or a Judge, got {judge!r}")
        if render_mode not in (None, "ansi"):
            raise ConfigError(f"render_mode must be None or 'ansi', got {render_mode!r}")
        known = task.case_ids()
        if case is not None and known is not None and case not in known:
            raise UnknownNameError("case", case, known)
        self.task = task
        self.terms = Terms(
            budget=1 if no_interaction else budget,
            retries=retries,
            forced_final=forced_final and not no_interaction,
            interaction=not no_interaction,
            strict=strict,
        )
        self.render_mode = render_mode
        self._judge_spec = judge
        self._judge: Judge | None = judge if isinstance(judge, Judge) else None
        if isinstance(judge, str):
            resolve_judge(judge)  # an unknown name fails here, not at the first question
        self.probes: tuple[str, ...] = ()
        self._case = case
        self._state: Playing[CaseT, StateT] | None = None
        self._pending: Pending | None = None
        self._message = ""
        self._messages = 0
        self.observation_space = TextSpace(MAX_OBSERVATION)
        self.action_space = TextSpace(self.max_action, examples=task.action_examples)

    def install(self, task: DialogueTask[Any, Any], probe: str, *, extra_rounds: int = 0) -> None:
        """Put a probe's task in place of the task; an episode that runs is over with it.

        Args:
            task: the probe's, with the present task inside.
            probe: its spec, appended to ``probes``.
            extra_rounds: added to the budget, where there is interaction.
        """
        self.task = task
        if self.terms.interaction:
            self.terms = dataclasses.replace(self.terms, budget=self.terms.budget + extra_rounds)
        self.probes = (*self.probes, probe)
        self._state = self._pending = None
        self.action_space = TextSpace(self.max_action, examples=task.action_examples)

    @property
    def cases(self) -> tuple[str, ...] | None:
        """The case ids in order, None where cases are generated without end."""
        if self._case is not None:
            return (self._case,)
        known = self.task.case_ids()
        return None if known is None else tuple(known)

    @property
    def case_id(self) -> str:
        """The id of the case being played; never told to a player before the end."""
        return self.task.case_id(self._playing.case)

    @property
    def case_title(self) -> str:
        """The case's title, where it has one; never told to a player."""
        return str(getattr(self._playing.case, "title", ""))

    @property
    def asks_judge(self) -> bool:
        """Whether a judge decides anything here."""
        return self.task.judged

    @property
    def judge(self) -> Judge:
        """The judge, made at its first use."""
        if self._judge is None:
            self._judge = resolve_judge(str(self._judge_spec))()
        return self._judge

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Start an episode.

        Args:
            seed: decides everything that is not a model's choice.
            options: ``{"case": id}`` plays that case.
        """
        super().reset(seed=seed)
        unknown = sorted({*(options or {})} - {"case"})
        if unknown:
            raise UnknownNameError("reset option", unknown[0], ["case"])
        case_id = (options or {}).get("case", self._case)
        known = self.task.case_ids()
        if case_id is not None and known is not None and case_id not in known:
            raise UnknownNameError("case", str(case_id), known)
        case = self.task.case(self.np_random, case_id)
        self._state = self._begin(case)
        self._pending = None
        self._messages = 0
        observation = self._say(self.task.rules(case, self.terms))
        preface = self.task.preface(case)
        return observation, self._info("query", True, None) | {
            "history": self.metadata["history"],
            "action_examples": self.task.examples(case),
            **({"grammar": dict(self.task.grammar)} if self.task.grammar else {}),
            **({"preface": [dict(message) for message in preface]} if preface else {}),
        }

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Submit an action and let the judge, where one is needed, resolve it.

        Raises:
            JudgeError: the judge failed; nothing has changed, and the same step may be tried again.
        """
        request = self.submit(action)
        try:
            verdict = None if request is None else self.judge.judge(request)
        except JudgeError:
            self._pending = None
            raise
        return self.resolve(verdict)

    def submit(self, action: str) -> JudgeRequest | None:
        """Read an action; return what the judge must decide, None where the rules decide."""
        if not isinstance(action, str):
            raise TypeError(f"an action is a str, got {type(action).__name__}: {action!r}")
        if self._playing.outcome is not None:
            raise gym.error.ResetNeeded("the episode is over; call reset() first")
        if self._pending is not None:
            raise gym.error.ResetNeeded("the last action waits for its verdict; call resolve(verdict) first")
        # Half a surrogate pair, which JSON can carry, would break whoever writes or sends the text later.
        self._pending = self._read(action.encode("utf-8", "replace").decode())
        return self._pending.request

    def resolve(self, verdict: Verdict | None = None) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Apply the submitted action.

        Args:
            verdict: the judge's, where ``submit`` returned a request.

        Raises:
            JudgeError: the verdict is missing or its label is none of the request's; the action stays pending.
        """
        pending, state = self._pending, self._playing
        if pending is None:
            raise gym.error.ResetNeeded("there is no submitted action; call submit(action) first")
        if pending.request is not None and (verdict is None or verdict.label not in pending.request.labels):
            got = None if verdict is None else verdict.label
            raise JudgeError(f"a verdict must be one of {', '.join(pending.request.labels)}; got {got!r}")
        self._pending = None
        if pending.kind == "invalid":
            self._state, words = self._after_invalid(state, pending)
        elif pending.kind == "query":
            self._state, words = self._after_query(state, pending, verdict)
        else:
            self._state, words = self._after_final(state, pending, verdict)
        observation = self._say(self._with_budget(words))
        now = self._playing
        over = now.outcome is not None
        reward = self._reward() if over else 0.0
        reason = pending.key if pending.kind == "invalid" else None
        return observation, reward, over, False, self._info(pending.kind, pending.kind != "invalid", reason)

    def observe(self, seat: int = 0) -> TextObservation:
        """The messages since the seat's last action; calling it changes nothing."""
        return TextObservation(self._message)

    def view(self, seat: int = 0) -> DialogueView:
        """All that the player may know."""
        state = self._playing
        return DialogueView(
            shown=self.task.show(state.task_state),
            exchanges=state.exchanges,
            budget=self.terms.budget,
            rounds_left=state.rounds_left,
            retries_left=state.retries_left,
            stage=state.stage,
            queries_allowed=self._queries_allowed,
        )

    def view_text(self, seat: int = 0) -> str:
        """The View as one text, for players that keep no history."""
        state = self._playing
        lines = [self.task.rules(state.case, self.terms)]
        if state.exchanges:
            lines.append("So far:")
            lines += [f"{number}. {e.text}\n   {e.reply}" for number, e in enumerate(state.exchanges, 1)]
            lines.append(self._budget_line())
        return "\n".join(lines)

    def introduce(self) -> dict[str, Any]:
        """The info that a player is reset with, of some episode, asking nobody."""
        return self.reset(seed=0)[1]

    def drain_calls(self) -> list[ModelCall]:
        """Model calls of other players: there are none."""
        return []

    def record(self) -> dict[str, Any] | None:
        """What a record says of the episode beyond its steps: what the task adds, mostly nothing."""
        return self.task.record(self._playing.task_state)

    def secrets(self) -> Sequence[str]:
        """Texts that must not reach the player before the end; for checks, not for players."""
        return self.task.secrets(self._playing.task_state)

    def legal_actions(self) -> list[str] | None:
        """Every legal text action, None where there is no finite list."""
        state = self._playing
        if state.outcome is not None:
            return []
        answers = self.task.answers(state.task_state)
        queries = self.task.queries(state.task_state) if self._queries_allowed else []
        return None if answers is None or queries is None else [*queries, *answers]

    def render(self) -> str | None:
        """The View as text, with ``render_mode="ansi"``."""
        return self.view_text() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Close the judge if this environment made it."""
        if self._judge is not None and self._judge is not self._judge_spec:
            self._judge.close()
            self._judge = None

    def __getstate__(self) -> dict[str, Any]:
        # A judge made from a spec holds connections and models; the copy makes its own.
        return self.__dict__ | {"_judge": self._judge_spec if isinstance(self._judge_spec, Judge) else None}

    @property
    def _playing(self) -> Playing[CaseT, StateT]:
        if self._state is None:
            raise gym.error.ResetNeeded("no episode has begun; call reset() first")
        return self._state

    @property
    def _queries_allowed(self) -> bool:
        return self.terms.interaction and self._playing.stage == "rounds"

    @property
    def _tags(self) -> tuple[str, ...]:
        """The tags that are allowed now."""
        return (*self.task.query_tags, self.task.answer_tag) if self._queries_allowed else (self.task.answer_tag,)

    def _begin(self, case: CaseT) -> Playing[CaseT, StateT]:
        return Playing(case, self.task.start(case), self.terms.budget, self.terms.retries)

    def _read(self, text: str) -> Pending:
        if len(text) > self.max_action:
            too_long = f"The message is longer than {self.max_action} characters."
            return Pending("invalid", text[: self.max_action], too_long)
        state, task = self._playing.task_state, self.task
        bare = task.read_bare(state, text)
        if bare is not None:
            kind, key = bare
        else:
            tags = (*task.query_tags, task.answer_tag)
            action = read_action(text, tags, short_forms=task.short_forms, may_be_empty=task.empty_tags)
            if isinstance(action, Unreadable):
                allowed = read_action(text, self._tags, short_forms=task.short_forms, may_be_empty=task.empty_tags)
                why = allowed if isinstance(allowed, Unreadable) else action
                return Pending("invalid", text, why.reason)
            kind = "final" if action.tag == task.answer_tag else "query"
            key = (
                task.read_answer(state, action.body)
                if kind == "final"
                else task.read_query(state, action.body, action.tag)
            )
            text = f"<{action.tag}>{action.body}</{action.tag}>"
        if isinstance(key, Unreadable):
            return Pending("invalid", text, key.reason)
        if kind == "query" and not self._queries_allowed:
            return Pending(
                "invalid", text, f"Only a final answer is allowed now: <{task.answer_tag}>…</{task.answer_tag}>."
            )
        ask_judge = task.judge_query if kind == "query" else task.judge_answer
        return Pending(kind, text, key, ask_judge(state, key))

    def _reward(self) -> float:
        """What the end of the episode pays."""
        return 1.0 if self._playing.outcome is Outcome.SUCCESS else 0.0

    def _after_query(
        self, state: Playing[CaseT, StateT], pending: Pending, verdict: Verdict | None
    ) -> tuple[Playing[CaseT, StateT], str]:
        fact, task_state = self.task.reply(state.task_state, pending.key, self.np_random, verdict)
        words = self.task.told(task_state, fact)
        state = dataclasses.replace(state, task_state=task_state)
        return self._spend_round(self._heard(state, pending, words, fact)), words

    def _after_invalid(self, state: Playing[CaseT, StateT], pending: Pending) -> tuple[Playing[CaseT, StateT], str]:
        words = f"Not read: {pending.key}"
        if self.terms.strict or (state.stage == "forced_final" and not state.retries_left):
            return dataclasses.replace(
                self._heard(state, pending, words), stage="over", outcome=Outcome.FORMAT_ERROR
            ), words
        if state.retries_left:
            words += " Try again; this one is free."
            heard = self._heard(state, pending, words)
            return dataclasses.replace(heard, retries_left=state.retries_left - 1), words
        words += " It cost a round."
        return self._spend_round(self._heard(state, pending, words)), words

    def _after_final(
        self, state: Playing[CaseT, StateT], pending: Pending, verdict: Verdict | None
    ) -> tuple[Playing[CaseT, StateT], str]:
        right = self.task.check(state.task_state, pending.key, verdict)
        words = "Correct." if right else "Incorrect."
        forced = state.stage == "forced_final"
        first = right if state.first_final is None else state.first_final
        task_state = self.task.answered(state.task_state, pending.key)
        state = dataclasses.replace(self._heard(state, pending, words), task_state=task_state, first_final=first)
        if not forced:
            state = dataclasses.replace(state, rounds_left=state.rounds_left - 1)
        if right:
            won_by: Literal["round", "forced"] = "forced" if forced else "round"
            return dataclasses.replace(state, stage="over", outcome=Outcome.SUCCESS, won_by=won_by), words
        if forced or self.task.single_final or not self.terms.interaction:
            return dataclasses.replace(state, stage="over", outcome=Outcome.FAILURE), words
        return self._next_round(state), words

    def _heard(
        self, state: Playing[CaseT, StateT], pending: Pending, words: str, fact: Any = None
    ) -> Playing[CaseT, StateT]:
        key = None if pending.kind == "invalid" else pending.key
        exchange = Exchange(pending.kind, pending.text, key, words, fact)
        return dataclasses.replace(state, exchanges=(*state.exchanges, exchange))

    def _spend_round(self, state: Playing[CaseT, StateT]) -> Playing[CaseT, StateT]:
        return self._next_round(dataclasses.replace(state, rounds_left=state.rounds_left - 1))

    def _next_round(self, state: Playing[CaseT, StateT]) -> Playing[CaseT, StateT]:
        state = dataclasses.replace(state, retries_left=self.terms.retries)
        if state.rounds_left:
            return state
        if self.terms.forced_final:
            return dataclasses.replace(state, stage="forced_final")
        return dataclasses.replace(state, stage="over", outcome=Outcome.TIMEOUT)

    def _with_budget(self, words: str) -> str:
        state = self._playing
        if state.outcome is Outcome.SUCCESS:
            return words
        return f"{words}\n{self._budget_line()}"

    def _budget_line(self) -> str:
        state = self._playing
        if state.outcome is Outcome.TIMEOUT:
            return "No rounds left. The episode is over."
        if state.outcome is not None:
            return "The episode is over."
        if state.stage == "forced_final":
            return f"No rounds left. Give one final answer now: <{self.task.answer_tag}>…</{self.task.answer_tag}>."
        return f"Rounds left: {state.rounds_left}."

    def _say(self, words: str) -> TextObservation:
        self._message = words
        self._messages += 1
        return self.observe()

    def _info(self, kind: Kind, valid: bool, reason: str | None) -> dict[str, Any]:
        state, task = self._playing, self.task
        info: dict[str, Any] = {
            "valid": valid,
            "reason": reason,
            "kind": kind,
            "view": self.view(),
            "rounds_left": state.rounds_left,
            "message_range": (self._messages - 1, self._messages),
            "action_tags": self._tags,
        }
        count = task.n_actions(state.task_state) if self._queries_allowed else 0
        if count is not None and count <= MAX_LISTED_ACTIONS:  # else the list is not even made
            legal = self.legal_actions()
            if legal is not None and len(legal) <= MAX_LISTED_ACTIONS:
                info["legal_actions"] = legal
        if state.outcome is not None:
            info |= {
                "outcome": state.outcome.value,
                "turns": self.terms.budget - state.rounds_left,
                "won_by": state.won_by,
                "first_final": state.first_final,
                "case": self.case_id,
                "solution": task.solution(state.case),
            }
        return info

    def resample(self, view: DialogueView, rng: np.random.Generator) -> None:
        """Continue from a state drawn among those that look the same: what search may do, and no more.

        Raises:
            ConfigError: the episode of the view is over, or the task cannot list what would look the same.
        """
        if view.stage == "over":
            raise ConfigError("the episode of this view is over; there is nothing to continue")
        drawn = self.task.resample(view, rng)
        if drawn is None:
            raise ConfigError(f"{type(self.task).__name__} cannot resample a view; search needs a task that can")
        finals = [e for e in view.exchanges if e.kind == "final"]
        case = self.task.case_of(drawn)
        self._state = Playing(
            case,
            drawn,
            view.rounds_left,
            view.retries_left,
            view.stage,
            view.exchanges,
            first_final=False if finals else None,
        )
        self._pending = None
