"""The protocol of mathematics: rounds, and claims about the answer that are refused."""

from __future__ import annotations

import numpy as np

from interactive_envs.dialogue.protocol import EpisodeState, Rounds, Submission
from interactive_envs.judges.base import Verdict
from interactive_envs.mathematics.generators.base import Problem
from interactive_envs.mathematics.judge.requests import REFUSED

State = EpisodeState[Problem, Problem]
_REFUSED = "Refused: this claim is about the answer itself."
ABOUT_ANSWER = f"{_REFUSED} Ask about a hidden number, or about a step that comes before the answer."
ABOUT_ANSWER_TOLD = f"{_REFUSED} Ask about a step that comes before the answer."


class MathRounds(Rounds[Problem, Problem]):
    """Rounds in which a claim about the answer is refused; that costs as much as one that is not understood."""

    def after_query(
        self, state: State, action: Submission, rng: np.random.Generator, verdict: Verdict | None
    ) -> tuple[State, str]:
        """As in rounds, but for a refused claim."""
        if verdict is not None and verdict.label == REFUSED:
            return self.leave_open(state, action, ABOUT_ANSWER if state.case.hidden else ABOUT_ANSWER_TOLD)
        return super().after_query(state, action, rng, verdict)
