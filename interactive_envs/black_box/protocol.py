"""Explore a box for some turns, then be tested on it: the protocol of black boxes.

Source: ORACLE, sections 2.2 and 3.1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from interactive_envs.black_box.base import GameBox
from interactive_envs.black_box.rules import BlackBoxTask, BoxCase, Session
from interactive_envs.black_box.wording import READY_TEXT
from interactive_envs.dialogue.protocol import EpisodeState, Protocol, Submission
from interactive_envs.judges.base import Verdict
from interactive_envs.outcome import Outcome
from interactive_envs.system.frozen import changed

BoxState = EpisodeState[BoxCase, Session]


class ExploreThenTest(Protocol[BoxCase, Session]):
    """Turns of exploration, then attempts at test items; the score is the mean of their marks, less the turns' cost.

    A turn, or an attempt at an item, is lost when its retries are spent on messages that cannot be read. A new trial
    begins the dialogue anew. A new item is asked after the exploration's last reply again, as if the items before had
    not been, unless their marks are shown (ORACLE, appendix C.2.1).
    """

    task: BlackBoxTask
    refuses_probes = "black boxes"
    ends_asking = READY_TEXT

    def begin(self, case: BoxCase) -> BoxState:
        """The first trial, or its test where there are no turns."""
        session = self.task.start(case)
        return self._settled(EpisodeState(case, session, self.terms.budget, self.terms.retries), session)

    def chance(self, case: BoxCase) -> np.random.Generator:
        """Lies and opponents' coins come from the case's number, too."""
        return np.random.default_rng([case.number, 4])

    def queries_allowed(self, state: BoxState) -> bool:
        """While exploring, and in a game's test, which is played with the same moves."""
        return state.stage == "rounds" or (state.stage == "test" and isinstance(state.task_state.case.box, GameBox))

    def dialogues(self, state: BoxState) -> int:
        """Each trial is one."""
        return len(state.case.trials)

    def tags(self, state: BoxState) -> tuple[str, ...]:
        """Those of queries while they are allowed, the one that ends the exploration only then; else the answer's."""
        tags = self.task.query_tags if self.queries_allowed(state) else (self.task.answer_tag,)
        return tuple(tag for tag in tags if state.stage == "rounds" or tag != "ready")

    def legal_actions(self, state: BoxState) -> list[str] | None:
        """Every legal query or, in a test that is no game, every possible answer; None where there is no list."""
        if state.outcome is not None:
            return []
        find = self.task.queries if self.queries_allowed(state) else self.task.answers
        found = find(state.task_state)
        return None if found is None else list(found)

    def after_query(
        self, state: BoxState, action: Submission, rng: np.random.Generator, verdict: Verdict | None
    ) -> tuple[BoxState, str]:
        """What the box replies; the last turn is followed by the test."""
        fact, session, reply = self.task.play(state.task_state, action.key, rng)
        return self._advance(state, action, session, reply, fact)

    def after_answer(self, state: BoxState, action: Submission, verdict: Verdict | None) -> tuple[BoxState, str]:
        """The item's mark where it is shown, and the next item."""
        session, reply = self.task.answer(state.task_state, action.key, action.text)
        return self._advance(state, action, session, reply)

    def after_invalid(self, state: BoxState, action: Submission, verdict: Verdict | None) -> tuple[BoxState, str]:
        """A retry is spent, else the turn, the try or the game."""
        reply = f"Not accepted: {action.key}"
        if state.retries_left:
            reply += f" Try again; retries left: {state.retries_left}."
            state = self.append(state, action, reply)
            return changed(state, retries_left=state.retries_left - 1), reply
        played = isinstance(state.task_state.case.box, GameBox)
        cost = "The game ends." if played else f"You lose this {'turn' if state.stage == 'rounds' else 'attempt'}."
        reply += f" {cost}"
        session, more = self.task.lose(state.task_state)
        return self._advance(state, action, session, f"{reply}\n{more}" if more else reply)

    def budget_line(self, state: BoxState) -> str:
        """The turns left, the item in question, or the move of the game."""
        if state.outcome is not None:
            return "The test is over."
        if state.stage == "test":
            return self.task.question(state.task_state)
        return self.task.turn(state.task_state)

    def reward(self, state: BoxState) -> float:
        """The score."""
        return self.task.score(state.task_state)

    def info(self, state: BoxState) -> dict[str, Any]:
        """At the end also the turns of the exploration and the items' marks."""
        info = super().info(state)
        if state.outcome is not None:
            info |= {"turns": sum(state.task_state.turns), "marks": list(state.task_state.marks)}
        return info

    @property
    def max_steps(self) -> None:
        """Nobody can say: a turn may be a whole game."""
        return

    @property
    def ends_of_silence(self) -> tuple[Outcome, ...]:
        """There is always a score."""
        return (Outcome.SCORED,)

    @property
    def ends_of_asking(self) -> tuple[Outcome, ...]:
        """There is always a score."""
        return (Outcome.SCORED,)

    def spent_on_queries(self, state: BoxState) -> tuple[int, int]:
        """The turns of all explorations, and how many there are."""
        explorations = len(state.case.trials) * self.terms.interaction
        return sum(state.task_state.turns), explorations * self.terms.budget

    def _advance(
        self, state: BoxState, action: Submission, session: Session, reply: str, fact: Any = None
    ) -> tuple[BoxState, str]:
        """The state after a message that counts, and the reply; what is to be forgotten is."""
        before = state.task_state
        state = self.append(state, action, reply, fact)
        if not session.over and session.number != before.number:
            state = self.rewind(state, 0)
            reply = self.task.opening(session, self.terms)
        elif before.items is None and session.items is not None:
            session = changed(session, kept=len(state.exchanges))
        elif not session.over and _begins(before, session) and not self.task.mode.test_feedback:
            state = self.rewind(state, session.kept)
            reply = state.exchanges[-1].reply if state.exchanges else self.task.opening(session, self.terms)
        return self._settled(state, session), reply

    def _settled(self, state: BoxState, session: Session) -> BoxState:
        return changed(
            state,
            task_state=session,
            rounds_left=self.task.turns_left(session),
            retries_left=self.terms.retries,
            stage="over" if session.over else "rounds" if session.items is None else "test",
            outcome=Outcome.SCORED if session.over else None,
        )


def _begins(before: Session, session: Session) -> bool:
    """Whether an item, or another game that counts, begins after a message in the test."""
    played = isinstance(session.case.box, GameBox)
    return session.item != before.item or (played and len(session.tried) != len(before.tried))
