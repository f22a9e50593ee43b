"""Boundary control: another game's whole transcript stands before the game, in the same dialogue."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from interactive_envs import catalog
from interactive_envs.agent import Agent, resolve_agent
from interactive_envs.dialogue.probe import Probe, Probed, ProbeTask, core_of
from interactive_envs.dialogue.task import PLAIN, DialogueTask, Terms, Vocabulary
from interactive_envs.dialogue.view import DialogueView
from interactive_envs.errors import ConfigError
from interactive_envs.query_games import games
from interactive_envs.query_games.env import unit_of
from interactive_envs.query_games.rules import QueryTask
from interactive_envs.registration import checked, environment_class

NEW_GAME = "A new game begins here, and nothing of the game before belongs to it."
ROUNDS = 20
"""Budget of a game that the probe chooses itself."""


@dataclass(frozen=True)
class BoundaryCase:
    """A case and the transcript before it.

    Attributes:
        inner: the task's case.
        preface: chat messages.
    """

    inner: Any
    preface: tuple[Mapping[str, str], ...]

    @property
    def title(self) -> str:
        """The title of the case, where it has one."""
        return str(getattr(self.inner, "title", ""))


class BoundaryTask(ProbeTask):
    """The task after another game; the probe remembers that game's transcript.

    Args:
        inner: the task inside.
        previous: the id of the game before, None for a query game of another structure.
    """

    recalls = True

    def __init__(self, inner: DialogueTask[Any, Any], previous: str | None) -> None:
        super().__init__(inner)
        self._previous = previous

    def case(self, rng: np.random.Generator, case_id: str | None = None) -> BoundaryCase:
        """The task's case, and the game before it, drawn without touching the episode's own draws."""
        inner = self.inner.case(rng, case_id)
        seed = int(copy.deepcopy(rng).integers(2**31))
        return BoundaryCase(inner, tuple(self._transcript(seed)))

    def case_id(self, case: BoundaryCase) -> str:
        """The task's."""
        return self.inner.case_id(case.inner)

    def start(self, case: BoundaryCase) -> Probed:
        """The task's state, and the transcript."""
        return Probed(self.inner.start(case.inner), case.preface)

    def case_of(self, state: Probed) -> BoundaryCase:
        """The task's case with the transcript."""
        return BoundaryCase(self.inner.case_of(state.inner), state.memory)

    def rules(self, case: BoundaryCase, terms: Terms, vocabulary: Vocabulary = PLAIN) -> str:
        """How the game before ended, one sentence on the boundary, then the rules."""
        last = case.preface[-1]["content"]
        return f"{last}\n\n{NEW_GAME}\n\n{self.inner.rules(case.inner, terms, vocabulary)}"

    def solution(self, case: BoundaryCase) -> str:
        """The task's."""
        return self.inner.solution(case.inner)

    def preface(self, case: BoundaryCase) -> Sequence[Mapping[str, str]]:
        """The transcript of the game before; its last reply begins the rules, so that roles alternate."""
        return case.preface[:-1]

    def recall(self, view: DialogueView) -> tuple[()]:
        """Where search continues from, nobody reads the transcript again."""
        return ()

    def _transcript(self, seed: int) -> list[Mapping[str, str]]:
        """A whole game of the reference player, seen by it."""
        env, player = self.game_before(seed)
        observation, info = env.reset(seed=seed)
        player.reset(seed=seed, info=info)
        messages: list[Mapping[str, str]] = [{"role": "user", "content": str(observation)}]
        over = False
        while not over:
            action = player.act(str(observation), info)
            observation, _, terminated, truncated, info = env.step(action)
            over = terminated or truncated
            messages += [{"role": "assistant", "content": action}, {"role": "user", "content": str(observation)}]
        env.close()
        return messages

    def game_before(self, seed: int) -> tuple[Any, Agent]:
        """The environment of the game before, and its reference player."""
        env_id, arguments = self._previous, dict[str, Any]()
        if env_id is None:
            core = core_of(self.inner)
            own = core.level.game.structure if isinstance(core, QueryTask) else None
            others = [name for name, game in games.every().items() if game.structure != own]
            if not others:
                problem = "there is no query game of another structure; name the game before: boundary?previous=…"
                raise ConfigError(problem)
            env_id, arguments = unit_of(others[seed % len(others)]).id, {"budget": ROUNDS}
        env = environment_class(env_id)(**checked(env_id, arguments))
        return env, resolve_agent(_reference(env_id), env_id)()


@dataclass(frozen=True)
class BoundaryControl(Probe):
    """Begin where another game has just ended: players get its transcript as ``info["preface"]``, chat messages.

    The game before is played by its reference player, with a seed that the episode's decides.

    Source: the paper on executable games, section 3.3, inter-game boundary control.

    Args:
        previous: the id of the game before; None for a query game of another structure, level 1, chosen by the seed.
    """

    name: ClassVar[str] = "boundary"
    place: ClassVar[int] = 7

    previous: str | None = None

    def __post_init__(self) -> None:
        if self.previous is not None:
            _reference(str(self.previous))

    def decorate(self, inner: DialogueTask[Any, Any], terms: Terms) -> BoundaryTask:
        """The task after another game."""
        return BoundaryTask(inner, self.previous)


def _reference(env_id: str) -> str:
    """The spec of an id's reference player.

    Raises:
        ConfigError: it has none.
    """
    spec = catalog.entry(env_id)["references"][0]
    if spec is None:
        raise ConfigError(f"{env_id} has no reference player, so it cannot be the game before")
    return str(spec)
