"""The Gymnasium face of a dialogue: a pure task and a pure protocol in, an environment with a judge out."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

import gymnasium as gym
import numpy as np

from interactive_envs.catalog.unit import Unit
from interactive_envs.dialogue.handover import MAX_LISTED_ACTIONS, Handover
from interactive_envs.dialogue.probe import Probe
from interactive_envs.dialogue.protocol import EpisodeState, Protocol, Rounds, Submission
from interactive_envs.dialogue.task import DialogueTask, Retold, Terms
from interactive_envs.dialogue.view import DialogueView, Kind
from interactive_envs.errors import ConfigError, JudgeError, UnknownNameError
from interactive_envs.judges.base import Judge, JudgeRequest, Verdict, ask, resolve_judge
from interactive_envs.llm.calls import ModelCall
from interactive_envs.outcome import Outcome
from interactive_envs.spaces import TextObservation, TextSpace

MAX_OBSERVATION = 200_000

CaseT = TypeVar("CaseT")
StateT = TypeVar("StateT")
AnyProtocol: TypeAlias = Protocol[Any, Any]


class DialogueEnv(gym.Env[str, str], Generic[CaseT, StateT]):
    """Ask and answer under a budget: the task says what is asked and what is right, the protocol what it costs.

    Observation: at reset the rules and the case; afterwards the reply to the last action and what is left
        of the budget. ``TextSpace``.
    Action: one tagged action, ``<ask>…</ask>`` or ``<answer>…</answer>``, or a short form that the task documents.
    Reward: 1.0 when a final answer is right, else 0.0.
    Ends: terminated by a right final (``success``), a wrong one where only one is allowed (``failure``), or
        the end of the budget (``timeout``); never truncated.
    Info: ``valid``, ``reason``, ``illegal`` (it could be read, and is not legal now), ``kind``, ``view``,
        ``rounds_left``, ``message_range``, ``action_tags``, ``legal_actions`` where there are at most 256; at reset
        also ``history``, ``action_examples`` and, where there is one, ``grammar`` for small models and a probe's
        ``preface``. ``remember`` where the player is to forget what came before: of its pairs of observation and
        action so far it keeps the first so many, and reads this observation after them. At the end ``outcome``,
        ``turns`` (rounds spent), ``won_by``, ``first_final``, ``case`` and ``solution``.

    Every query, final and unreadable message costs a round, if the protocol is the usual one; a message that the judge
    does not understand costs none, as often as there are rounds. ``step`` is ``submit``
    followed by ``resolve``: a runner that wants to time, batch or replay the judge calls the two halves itself.

    Args:
        task: the pure rules.
        protocol: makes the protocol of the task, the terms and the probes.
        probes: decorate the task, the innermost first.
        budget: see :class:`interactive_envs.dialogue.task.Terms`, as the next four.
        forced_final: one more answer after the last round.
        no_interaction: no queries, one final answer. ``forced_final`` then has no meaning.
        retries: unreadable messages per round that cost nothing.
        strict: the first unreadable message ends the episode.
        finals: how many wrong final answers end the episode, None for no other limit than the rounds.
        approximate: score episodes that a judge decided whose verdicts are estimates; else their outcome is
            ``unscored``.
        judge: a judge's spec or instance, used by tasks whose truth needs one.
        case: play this case always.
        render_mode: None or ``ansi``.

    Raises:
        ConfigError: an argument has a value that cannot work.
    """

    metadata = {"render_modes": ["ansi"], "history": "full", "render_fps": 1}  # noqa: RUF012 - declared so by Gymnasium
    unit: Unit
    opponents: tuple[str, ...] = ()
    """Specs of the other players: there are none."""
    scored: bool = False
    """Whether an episode ends with a score rather than with right or wrong."""

    def __init__(
        self,
        task: DialogueTask[CaseT, StateT],
        *,
        protocol: Callable[[DialogueTask[CaseT, StateT], Terms, Sequence[Probe]], AnyProtocol] = Rounds,
        probes: Sequence[Probe] = (),
        budget: int = Terms.budget,
        forced_final: bool = Terms.forced_final,
        no_interaction: bool = not Terms.interaction,
        retries: int = Terms.retries,
        strict: bool = Terms.strict,
        finals: int | None = Terms.finals,
        approximate: bool = Terms.approximate,
        judge: str | Judge = "offline",
        case: str | None = None,
        render_mode: str | None = None,
    ) -> None:
        terms = Terms.read(budget, forced_final, no_interaction, retries, strict, finals, approximate)
        if not isinstance(judge, str | Judge):
            raise ConfigError(f"judge must be a spec or a Judge, got {judge!r}")
        if render_mode not in (None, "ansi"):
            raise ConfigError(f"render_mode must be None or 'ansi', got {render_mode!r}")
        known = task.case_ids()
        if case is not None and known is not None and case not in known:
            raise UnknownNameError("case", case, known)
        self.protocol: Protocol[CaseT, StateT] = protocol(task, terms, probes)
        self.probes = tuple(probe.spec for probe in probes)
        self.render_mode = render_mode
        self._judge_spec = judge
        self._judge: Judge | None = judge if isinstance(judge, Judge) else None
        if isinstance(judge, str):
            resolve_judge(judge)  # an unknown name fails here, not at the first question
        self._case = case
        self._state: EpisodeState[CaseT, StateT] | None = None
        self._chance: np.random.Generator | None = None
        self._pending: Submission | None = None
        self._message = ""
        self._messages = 0
        self.observation_space = TextSpace(MAX_OBSERVATION)
        self.action_space = TextSpace(self.protocol.max_action, examples=self.task.action_examples)

    @property
    def task(self) -> DialogueTask[CaseT, StateT]:
        """The pure rules, with the probes around them."""
        return self.protocol.task

    @property
    def terms(self) -> Terms:
        """The terms that hold."""
        return self.protocol.terms

    @property
    def state(self) -> EpisodeState[CaseT, StateT]:
        """The running episode.

        Raises:
            ResetNeeded: none has begun.
        """
        if self._state is None:
            raise gym.error.ResetNeeded("no episode has begun; call reset() first")
        return self._state

    @property
    def cases(self) -> tuple[str, ...] | None:
        """The case ids in order, None where cases are generated without end."""
        if self._case is not None:
            return (self._case,)
        known = self.task.case_ids()
        return None if known is None else tuple(known)

    @property
    def case_id(self) -> str:
        """The id of the case being played; no player sees it before the end."""
        return self.task.case_id(self.state.case)

    @property
    def case_title(self) -> str:
        """The case's title, where it has one; no player sees it."""
        return str(getattr(self.state.case, "title", ""))

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
        self._state = self.protocol.begin(case)
        self._chance = self.protocol.chance(case)
        self._pending = None
        self._messages = 0
        observation = self._say(self.task.rules(case, self.terms))
        preface = self.task.preface(case) if isinstance(self.task, Retold) else ()
        return observation, self._info("query", None) | {
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
            verdict = None if request is None else ask(self.judge, request)
        except JudgeError:
            self._pending = None
            raise
        return self.resolve(verdict)

    def submit(self, action: str) -> JudgeRequest | None:
        """Read an action; return what the judge must decide, None where the rules decide."""
        if not isinstance(action, str):
            raise TypeError(f"an action is a str, got {type(action).__name__}: {action!r}")
        if self.state.outcome is not None:
            raise gym.error.ResetNeeded("the episode is over; call reset() first")
        if self._pending is not None:
            raise gym.error.ResetNeeded("the last action waits for its verdict; call resolve(verdict) first")
        # Half a surrogate pair, which JSON can carry, would break whoever writes or sends the text later.
        self._pending = self.protocol.read(self.state, action.encode("utf-8", "replace").decode())
        return self._pending.request

    def resolve(self, verdict: Verdict | None = None) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Apply the submitted action.

        Args:
            verdict: the judge's, where ``submit`` returned a request.

        Raises:
            JudgeError: the verdict is missing or its label is none of the request's; the action stays pending.
        """
        state, action = self.state, self._pending
        if action is None:
            raise gym.error.ResetNeeded("there is no submitted action; call submit(action) first")
        if action.request is not None:
            self.protocol.check_verdict(action.request, verdict)
        self._pending = None
        state, message = self.protocol.apply(state, action, self._chance or self.np_random, verdict)
        self._state, over = state, state.outcome is not None
        reward = self.protocol.reward(state) if over and state.outcome is not Outcome.UNSCORED else 0.0
        reason = action.key if action.kind == "invalid" else None
        return self._say(message), reward, over, False, self._info(action.kind, reason, action.illegal)

    def observe(self, seat: int = 0) -> TextObservation:
        """The messages since the seat's last action; calling it changes nothing."""
        return TextObservation(self._message)

    def view(self, seat: int = 0) -> DialogueView:
        """All that the player may know."""
        return self.protocol.view(self.state)

    def view_text(self, seat: int = 0) -> str:
        """The View as one text, for players that keep no history."""
        return self.protocol.view_text(self.state)

    def introduce(self) -> dict[str, Any]:
        """The info that a player is reset with, of some episode, asking nobody."""
        return self.reset(seed=0)[1]

    def drain_calls(self) -> list[ModelCall]:
        """Model calls of other players: there are none."""
        return []

    def record(self) -> dict[str, Any] | None:
        """What a record says of the episode beyond its steps: what the task adds, mostly nothing."""
        return self.task.record(self.state.task_state)

    def secrets(self) -> Sequence[str]:
        """Texts that must not reach the player before the end; for checks, not for players."""
        return self.task.secrets(self.state.task_state)

    def legal_actions(self) -> list[str] | None:
        """Every legal text action, None where there is no finite list."""
        return self.protocol.legal_actions(self.state)

    def resample(self, view: DialogueView, rng: np.random.Generator) -> None:
        """Continue from a state drawn among those that look the same: what search may do, and no more.

        Raises:
            ConfigError: the episode of the view is over, or the task cannot list what would look the same.
        """
        self._state = self.protocol.resume(view, rng)
        self._pending = None

    def handover(self) -> Handover:
        """The dialogue as a player needs it that asks for another one, see :class:`Handover`."""
        return Handover(self.protocol, self.state)

    def fork(self) -> DialogueEnv[CaseT, StateT]:
        """A twin in the same state, of which nothing comes back to this one; a judge is asked through this one."""
        twin: DialogueEnv[CaseT, StateT] = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._chance, twin._np_random = copy.deepcopy((self._chance, self._np_random))
        return twin

    def close_questions(self) -> None:
        """Let nothing but one final answer be read from here on, outside the budget."""
        self._state = self.protocol.close(self.state)

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

    def _say(self, message: str) -> TextObservation:
        self._message = message
        self._messages += 1
        return self.observe()

    def _info(self, kind: Kind, reason: str | None, illegal: bool = False) -> dict[str, Any]:
        info: dict[str, Any] = {
            "valid": reason is None,
            "reason": reason,
            "kind": kind,
            "illegal": illegal,
            "view": self.view(),
            "message_range": (self._messages - 1, self._messages),
        } | self.protocol.info(self.state)
        count = self.protocol.count_actions(self.state)
        if count is not None and count <= MAX_LISTED_ACTIONS:  # else the list is not even made
            legal = self.legal_actions()
            if legal is not None and len(legal) <= MAX_LISTED_ACTIONS:
                info["legal_actions"] = legal
        pictures = self.protocol.pictures(self.state)
        if pictures:
            info["parts"] = [{"type": "text", "text": self._message}, *pictures]
        return info
