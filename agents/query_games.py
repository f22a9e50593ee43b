"""Players of query games that know all hidden states: the reference, one without a plan, one without a thought."""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np

from interactive_envs.agent import Agent
from interactive_envs.dialogue.task import PLAIN
from interactive_envs.dialogue.view import DialogueView, facts_of
from interactive_envs.errors import ConfigError
from interactive_envs.query_games import games, solver
from interactive_envs.query_games.base import Codes, Level
from interactive_envs.query_games.probes.necessity import NecessityShown, excluding, supporting
from interactive_envs.query_games.rules import QueryShown, states_left


class _QueryPlayer(Agent, ABC):
    """Knows the game and its level from the View, never the hidden state."""

    family = "query-games"
    from_view = True

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Seed the draws.

        Raises:
            ConfigError: it is no query game.
        """
        shown = getattr((info or {}).get("view"), "shown", None)
        if not isinstance(shown, QueryShown | NecessityShown):
            raise ConfigError(f"agent {self.name!r} of the query games cannot play this; try 'rule' or 'random'")
        # Another stream than the environment's, which draws the hidden state from the same seed.
        self._random = np.random.default_rng(None if seed is None else [seed, zlib.crc32(b"query player")])

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Ask while it pays and there are turns, then answer; of the probe ``necessity`` judge the evidence."""
        view: DialogueView = info["view"]
        if isinstance(view.shown, NecessityShown):
            return self._judged(view.shown)
        level = games.find(view.shown.game).level(view.shown.difficulty)
        if view.queries_allowed and view.rounds_left > 1:
            query = self.choose(level, view)
            if query is not None:
                return level.query_texts[query]
        return self._answered(level, states_left(level, view))

    def _judged(self, shown: NecessityShown) -> str:
        level = games.find(shown.game.game).level(shown.game.difficulty)
        if shown.phase == "redundant":
            return f"<redundant>{' '.join(map(str, self.spare(level, shown)))}</redundant>"
        return self._answered(level, solver.remaining(level, shown.game.opening, shown.evidence))

    def _answered(self, level: Level, left: Codes) -> str:
        return f"<answer>{level.game.target.form.write(level.answer(self.answer(level, left)), PLAIN)}</answer>"

    @abstractmethod
    def choose(self, level: Level, view: DialogueView) -> int | None:
        """The query to ask, None to answer."""

    @abstractmethod
    def spare(self, level: Level, shown: NecessityShown) -> list[int]:
        """Observations that the answer does not need, by number from 1."""

    def answer(self, level: Level, left: Codes) -> int:
        """The answer to give: the most probable one of the states that are left."""
        return solver.best_answer(level, left)


class Reference(_QueryPlayer):
    """Asks what is expected to tell most about the answer, and answers when it is decided.

    Its turns set the budgets. Where replies contradict each other it goes by the states that agree with most of them.

    With the probe ``necessity`` it keeps a smallest set of observations that decides the answer.

    Args:
        lies: how many false replies to count on; it asks until even they could not change the answer.
    """

    name = "reference"

    def __init__(self, *, lies: int = 0) -> None:
        if type(lies) is not int or lies < 0:
            raise ConfigError(f"lies must be a whole number of at least 0, got {lies!r}")
        self._lies = lies

    def choose(self, level: Level, view: DialogueView) -> int | None:
        """The query worth the most bits."""
        observations = [(query, fact.code) for query, fact in facts_of(view)]
        left, false = solver.disagreements(level, view.shown.opening, observations)
        return solver.choose(level, left[false <= max(self._lies, false.min())])

    def spare(self, level: Level, shown: NecessityShown) -> list[int]:
        """All but a smallest set that decides the answer."""
        left = solver.remaining(level, shown.game.opening, shown.evidence)
        count = len(shown.evidence)
        needed = supporting(excluding(level, int(left[0]), shown.evidence), count)
        return [number for number in range(1, count + 1) if needed is not None and number not in needed.numbers]


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

    def spare(self, level: Level, shown: NecessityShown) -> list[int]:
        """In a random order, each without which the answer stays decided."""
        kept = list(range(len(shown.evidence)))
        for number in self._random.permutation(len(shown.evidence)).tolist():
            fewer = [one for one in kept if one != number]
            left = solver.remaining(level, shown.game.opening, [shown.evidence[one] for one in fewer])
            if len(np.unique(level.right[left])) == 1:
                kept = fewer
        return [number + 1 for number in range(len(shown.evidence)) if number not in kept]


class RandomQueries(_QueryPlayer):
    """Asks any legal query until the last turn, then gives any answer that some hidden state has."""

    name = "random"

    def choose(self, level: Level, view: DialogueView) -> int | None:
        """A legal query, uniformly."""
        return int(self._random.integers(len(level.queries)))

    def spare(self, level: Level, shown: NecessityShown) -> list[int]:
        """Each with even chances."""
        return [number for number in range(1, len(shown.evidence) + 1) if self._random.random() < 0.5]

    def answer(self, level: Level, left: Codes) -> int:
        """A possible answer, uniformly."""
        return int(self._random.integers(level.n_answers))
