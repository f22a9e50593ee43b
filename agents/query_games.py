"""Players of query games that know all hidden states: the reference, one without a plan, one without a thought."""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from interactive_envs.agent import Agent
from interactive_envs.dialogue.task import PLAIN
from interactive_envs.dialogue.view import DialogueView, facts_of
from interactive_envs.errors import ConfigError
from interactive_envs.query_games import games, solver
from interactive_envs.query_games.base import Level
from interactive_envs.query_games.probes.necessity import NecessityShown, excluding, supporting
from interactive_envs.query_games.rules import QueryShown, states_left


class _QueryPlayer(Agent, ABC):
    """Knows the game and its level from the View, never the hidden state."""

    family = "query-games"
    plays: ClassVar[tuple[type, ...]] = (QueryShown,)
    """What its View may show."""

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Seed the draws.

        Raises:
            ConfigError: it is no query game.
        """
        shown = getattr((info or {}).get("view"), "shown", None)
        if not isinstance(shown, self.plays):
            raise ConfigError(f"agent {self.name!r} of the query games cannot play this; try 'rule' or 'random'")
        # Another stream than the environment's, which draws the hidden state from the same seed.
        self._random = np.random.default_rng(None if seed is None else [seed, zlib.crc32(b"query player")])

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Ask while it pays and there are turns, then answer."""
        view: DialogueView = info["view"]
        level = games.find(view.shown.game).level(view.shown.difficulty)
        if view.queries_allowed and view.rounds_left > 1:
            query = self.choose(level, view)
            if query is not None:
                return level.query_texts[query]
        return f"<answer>{level.game.target.form.write(level.answer(self.answer(level, view)), PLAIN)}</answer>"

    @abstractmethod
    def choose(self, level: Level, view: DialogueView) -> int | None:
        """The query to ask, None to answer."""

    def answer(self, level: Level, view: DialogueView) -> int:
        """The answer to give: the most probable one."""
        return solver.best_answer(level, states_left(level, view))


class Reference(_QueryPlayer):
    """Asks what is expected to tell most about the answer, and answers when it is decided.

    Its turns set the budgets. Where replies contradict each other it goes by the states that agree with most of them.

    With the probe ``necessity`` it keeps a smallest set of observations that decides the answer.

    Args:
        lies: how many false replies to count on; it asks until even they could not change the answer.
    """

    name = "reference"
    plays = (QueryShown, NecessityShown)

    def __init__(self, *, lies: int = 0) -> None:
        if type(lies) is not int or lies < 0:
            raise ConfigError(f"lies must be a whole number of at least 0, got {lies!r}")
        self._lies = lies

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Ask while it pays, or judge the evidence, then answer."""
        shown = info["view"].shown
        return _judged(shown) if isinstance(shown, NecessityShown) else super().act(observation, info)

    def choose(self, level: Level, view: DialogueView) -> int | None:
        """The query worth the most bits."""
        observations = [(query, fact.code) for query, fact in facts_of(view)]
        left, false = solver.disagreements(level, view.shown.opening, observations)
        return solver.choose(level, left[false <= max(self._lies, false.min())])


def _judged(shown: NecessityShown) -> str:
    """The answer from the observations, or the observations that it does not need."""
    level = games.find(shown.game.game).level(shown.game.difficulty)
    if shown.phase == "redundant":
        left = solver.remaining(level, shown.game.opening, shown.evidence)
        count = len(shown.evidence)
        needed = supporting(excluding(level, int(left[0]), shown.evidence), count)
        spare = [number for number in range(1, count + 1) if needed is not None and number not in needed.numbers]
        return f"<redundant>{' '.join(map(str, spare))}</redundant>"
    left = solver.remaining(level, shown.game.opening, shown.evidence)
    return f"<answer>{level.game.target.form.write(level.answer(solver.best_answer(level, left)), PLAIN)}</answer>"


class GreedyRandom(_QueryPlayer):
    """Asks any query that tells something about what is hidden, and answers when the answer is decided."""

    name = "greedy-random"

    def choose(self, level: Level, view: DialogueView) -> int | None:
        """A query that tells something, uniformly."""
        states = states_left(level, view)
        right = level.right[states]
        if (right == right[0]).all():
            return None
        replies = level.table[states]
        telling = np.flatnonzero((replies != replies[0]).any(axis=0))
        return int(self._random.choice(telling)) if len(telling) else None


class RandomQueries(_QueryPlayer):
    """Asks any legal query until the last turn, then gives any answer that some hidden state has."""

    name = "random"

    def choose(self, level: Level, view: DialogueView) -> int | None:
        """A legal query, uniformly."""
        return int(self._random.integers(len(level.queries)))

    def answer(self, level: Level, view: DialogueView) -> int:
        """A possible answer, uniformly."""
        return int(self._random.integers(level.n_answers))
