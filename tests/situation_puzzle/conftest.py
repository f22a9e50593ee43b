"""A puzzle small enough to play by hand, and a judge that says what it is told."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from interactive_envs.dialogue.task import Terms
from interactive_envs.judges.base import Judge, JudgeRequest, Verdict
from interactive_envs.situation_puzzle.env import SituationPuzzleEnv
from interactive_envs.situation_puzzle.puzzles import Fact, Listed, Puzzle, Question
from interactive_envs.situation_puzzle.rules import FreeTask, MenuCase, MenuShown, MenuTask

SMALL = Puzzle(
    id="wet-floor",
    title="A Wet Floor",
    setup="Every night the floor of the empty museum gets wet. Why?",
    solution="The guard waters the ferns. Nobody asked him to do that.",
    facts=(Fact("The guard waters the ferns at night.", True), Fact("It is dark.", False)),
    questions=(
        Question("Was an animal involved?", (1, 0, 1)),
        Question("Was a person involved at night?", (0, 1, 2)),
        Question("Was the roof broken by the storm?", (1, 1, 3)),
        Question("Did it rain?", (3, 3, 3)),
    ),
    explanations=("The guard waters the ferns.", "A seal visits the pool.", "The roof leaks on people."),
)


class SaidJudge(Judge):
    """Says each label in turn, then the first of the request's."""

    name = "said"

    def __init__(self, *labels: str) -> None:
        self.labels = list(labels)
        self.asked: list[JudgeRequest] = []

    def judge(self, request: JudgeRequest) -> Verdict:
        self.asked.append(request)
        label = self.labels.pop(0) if self.labels else request.labels[0]
        return Verdict(label, detail="The guard waters the ferns at night.", source="said")


@pytest.fixture
def small() -> Puzzle:
    return SMALL


@pytest.fixture
def menu() -> MenuTask:
    return MenuTask(Listed([SMALL]))


@pytest.fixture
def case() -> MenuCase:
    """The small puzzle in its own order, with candidate B right."""
    questions = tuple(question.text for question in SMALL.questions)
    matrix = tuple(question.labels for question in SMALL.questions)
    return MenuCase(SMALL.id, MenuShown(SMALL.setup, questions, SMALL.explanations, matrix), 1)


@pytest.fixture
def terms() -> Terms:
    return Terms(budget=20, retries=0, forced_final=False, interaction=True, strict=False)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.fixture
def small_env(monkeypatch: pytest.MonkeyPatch) -> Callable[..., SituationPuzzleEnv]:
    """The real environment on the small puzzle alone; ``labels=[...]`` gives the judge its words."""

    def build(*, labels: tuple[str, ...] = (), **arguments: object) -> SituationPuzzleEnv:
        monkeypatch.setattr("interactive_envs.situation_puzzle.puzzles.load", lambda dataset: (SMALL,))
        env = SituationPuzzleEnv(judge=SaidJudge(*labels), **arguments)  # type: ignore[arg-type]
        assert isinstance(env.task, MenuTask | FreeTask)
        return env

    return build
