"""Boundary control: the transcript of an earlier game stands before the game, in the same dialogue."""

from __future__ import annotations

import copy
import zlib
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
from interactive_envs.query_games.base import LEVELS
from interactive_envs.query_games.env import unit_of
from interactive_envs.query_games.rules import QueryTask
from interactive_envs.registration import checked, environment_class

ANNOUNCEMENT = "The previous game is over. A new game begins, and nothing from the previous game applies to it."
SKILLS = ("query-games/reference", "query-games/greedy-random", "query-games/random")
"""Players of an earlier query game: one that plays well, one without a plan, one that does anything."""


@dataclass(frozen=True)
class BoundaryCase:
    """A case and the transcript before it.

    Attributes:
        inner: the task's case.
        preface: the transcript, chat messages.
    """

    inner: Any
    preface: tuple[Mapping[str, str], ...]

    @property
    def title(self) -> str:
        """The title of the case, where it has one."""
        return str(getattr(self.inner, "title", ""))


class BoundaryTask(ProbeTask):
    """The task after an earlier game, whose transcript the probe remembers.

    Args:
        inner: the task inside.
        previous: the id of the earlier game, None for any other query game.
        announced: whether the first message says that a new game begins.
    """

    recalls = True

    def __init__(self, inner: DialogueTask[Any, Any], previous: str | None, announced: bool) -> None:
        super().__init__(inner)
        self._previous, self._announced = previous, announced

    def case(self, rng: np.random.Generator, case_id: str | None = None) -> BoundaryCase:
        """The task's case, and the earlier game, drawn without touching the episode's own draws."""
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
        """The rules; before them a sentence on the boundary, where it is announced."""
        rules = self.inner.rules(case.inner, terms, vocabulary)
        return f"{ANNOUNCEMENT}\n\n{rules}" if self._announced else rules

    def solution(self, case: BoundaryCase) -> str:
        """The task's."""
        return self.inner.solution(case.inner)

    def preface(self, case: BoundaryCase) -> Sequence[Mapping[str, str]]:
        """The transcript of the earlier game, from its rules to its player's last message."""
        return case.preface

    def recall(self, view: DialogueView) -> tuple[()]:
        """Where search continues from, nobody reads the transcript again."""
        return ()

    def _transcript(self, seed: int) -> list[Mapping[str, str]]:
        """A whole game but for the reply to its last message, as its player saw it.

        Without that reply roles alternate, the rules of the new game follow directly, and neither the verdict nor a
        sentence such as "The episode is over." marks the boundary. The paper's history ends there, too (Algorithm 1).
        """
        env, player = self.earlier_game(seed)
        observation, info = env.reset(seed=seed)
        player.reset(seed=seed, info=info)
        messages: list[Mapping[str, str]] = []
        over = False
        while not over:
            action = player.act(str(observation), info)
            messages += [{"role": "user", "content": str(observation)}, {"role": "assistant", "content": action}]
            observation, _, terminated, truncated, info = env.step(action)
            over = terminated or truncated
        env.close()
        return messages

    def earlier_game(self, seed: int) -> tuple[Any, Agent]:
        """The environment of the earlier game, and its player.

        Raises:
            ConfigError: there is no query game but the one that is played.
        """
        rng = np.random.default_rng([zlib.crc32(b"boundary"), seed])
        env_id, arguments = self._previous, dict[str, Any]()
        if env_id is None:
            core = core_of(self.inner)
            own = core.level.game if isinstance(core, QueryTask) else None
            others = [name for name, game in games.every().items() if game is not own]
            if not others:
                raise ConfigError("there is no other query game; name the earlier game: boundary?previous=…")
            env_id = unit_of(others[int(rng.integers(len(others)))]).id
        entry, player = catalog.entry(env_id), _reference(env_id)
        if entry["family"] == "query-games":
            arguments["difficulty"] = int(rng.choice(LEVELS))
            player = SKILLS[int(rng.integers(len(SKILLS)))]
        env = environment_class(env_id)(**checked(env_id, arguments))
        return env, resolve_agent(player, env_id)()


@dataclass(frozen=True)
class BoundaryControl(Probe):
    """Begin where another game has just ended: players get its transcript as ``info["preface"]``, chat messages.

    Nothing marks the boundary: the transcript ends with the earlier player's last message, and the first observation is
    the rules of the new game, as they are without the probe. The earlier game is any other query game, of the same or
    another structure, at any level, and its player is the reference, one without a plan or a random one; all of that is
    drawn from the episode's seed. A named game of another family is played by its reference player.

    Source: the paper on executable games, section 3.3, inter-game boundary control; section 3.5, "another randomly
    sampled game".

    Args:
        previous: the id of the earlier game; None for any other query game.
        announced: whether the first message says that the previous game is over and a new one begins.
    """

    name: ClassVar[str] = "boundary"
    place: ClassVar[int] = 7

    previous: str | None = None
    announced: bool = False

    def __post_init__(self) -> None:
        if self.previous is not None:
            _reference(str(self.previous))
        if not isinstance(self.announced, bool):
            raise ConfigError(f"announced must be true or false, got {self.announced!r}")

    def decorate(self, inner: DialogueTask[Any, Any], terms: Terms) -> BoundaryTask:
        """The task after another game."""
        return BoundaryTask(inner, self.previous, self.announced)


def _reference(env_id: str) -> str:
    """The spec of an id's reference player.

    Raises:
        ConfigError: it has none.
    """
    spec = catalog.entry(env_id)["references"][0]
    if spec is None:
        raise ConfigError(f"{env_id} has no reference player, so it cannot be the earlier game")
    return str(spec)
