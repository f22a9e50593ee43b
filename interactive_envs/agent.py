"""The agent interface, and the spec strings that name agents on the command line and in records."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from interactive_envs import catalog
from interactive_envs.errors import ConfigError
from interactive_envs.llm.calls import ModelCall
from interactive_envs.specs import resolve


class Agent:
    """A player: one instance per seat and episode; model clients are shared per process.

    Subclasses set ``name`` and override ``act``; the rest has defaults.
    """

    name: ClassVar[str] = ""
    family: ClassVar[str | None] = None
    """The family of environments it plays, None for any; its table name is then ``family/name``."""

    interactive: bool = False
    """Whether a person plays, one episode at a time."""

    from_view: ClassVar[bool] = False
    """Whether it goes by the info of the moment alone, so that it can take over where another player stopped."""

    reads_text: ClassVar[bool] = True
    """Whether it looks at observations. One that does not is handed empty ones at a table of several players, whose
    texts then need not be built; a subclass with ``act`` or ``finish`` of its own reads them unless it says so too."""

    reads_view: ClassVar[bool] = True
    """Whether it looks at more of the infos of ``act`` and ``finish`` than ``action_tags`` and ``legal_actions``. One
    that does not is told no more at a table of several players; subclasses as above."""

    wants_handover: ClassVar[bool] = False
    """Whether the runner should put a :class:`interactive_envs.dialogue.handover.Handover` into
    ``info["handover"]``."""

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if {"act", "finish"} & vars(cls).keys():
            cls.reads_text, cls.reads_view = (vars(cls).get(name, True) for name in ("reads_text", "reads_view"))

    @property
    def repeats(self) -> bool:
        """Whether equal seeds and observations give equal replies: no model, person or clock decides."""
        return not self.interactive

    @property
    def priced(self) -> bool:
        """Whether the cost of its model calls is known; a cost limit refuses agents where it is not."""
        return True

    @property
    def wants_view_text(self) -> bool:
        """Whether the runner should put the View's full text into ``info["view_text"]``."""
        return False

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Start an episode.

        Args:
            seed: the episode's seed, the environment's too: mix something of your own into it before drawing.
            info: the environment's info of ``reset``.
        """

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Say the next action.

        Args:
            observation: the messages since this agent's last action.
            info: the environment's info; rule players read ``info["view"]`` and ``info["legal_actions"]``,
                language models only ``info["preface"]`` and ``info["parts"]``.

        Raises:
            ProviderError: where a model endpoint fails; anything it says is play.
        """
        raise ConfigError(f"agent class {type(self).__name__} has no act method; define act(observation, info)")

    def conclude(self, observation: str, info: Mapping[str, Any]) -> str:
        """Say the final answer now, because nothing else will be read: by default what :meth:`act` says.

        Args:
            observation: the last message, which ends with the request for a final answer.
            info: the environment's info, in which nothing but a final answer is allowed.
        """
        return self.act(observation, info)

    def witness(self, observation: str, info: Mapping[str, Any], action: str) -> None:
        """See what another player saw and did, as if one had done it oneself: who concludes for another needs it.

        Args:
            observation: what the other saw.
            info: the environment's info then.
            action: what it did; "" for what could not be read.

        Raises:
            ConfigError: this player cannot go on from what another one did.
        """
        if not self.from_view:
            raise ConfigError(
                f"agent {self.name or type(self).__name__!r} cannot conclude from another's questions; define "
                "witness(observation, info, action), or set from_view = True where it goes by info['view'] alone"
            )

    def fork(self) -> Agent:
        """A twin in the same state, of which nothing comes back to this player: it is asked for an answer in between.

        By default a deep copy. A player that holds connections or files defines its own.

        Raises:
            ConfigError: this player cannot be copied.
        """
        try:
            return copy.deepcopy(self)
        except Exception as error:
            raise ConfigError(
                f"agent {self.name or type(self).__name__!r} cannot be asked in between, because it cannot be copied "
                f"({error!r}); define fork()"
            ) from error

    def settle(self, family: str | None) -> None:
        """Hear which family of environments it was chosen for, None for any: of use to who chooses players itself."""

    def finish(self, observation: str, reward: float, info: Mapping[str, Any]) -> None:
        """Hear how the episode ended."""

    def discard_last(self) -> None:
        """Forget the last action: it came after the time limit, and the environment never got it."""

    def drain_calls(self) -> list[ModelCall]:
        """The model calls made since the last drain."""
        return []

    def describe(self) -> dict[str, Any]:
        """What a record says of this agent beyond its spec: model, prompt hash, parameters."""
        return {"name": self.name}

    def close(self) -> None:
        """Give back what the agent holds."""


def resolve_agent(spec: str, env_id: str | None = None, *, family: str | None = None) -> Callable[[], Agent]:
    """A constructor for the agent that ``spec`` names.

    Args:
        spec: e.g. ``random``, ``rule``, ``llm:openai/gpt-5-mini?temperature=0``, ``relay:reference,rule``,
            ``module.path:ClassName``.
        env_id: the environment it will play, which makes short names of its family's agents known.
        family: the same by the family's name, for an environment that may have no id.

    Raises:
        ConfigError: the spec cannot be used; the message names the nearest match.
    """
    family = family or (catalog.entry(env_id)["family"] if env_id else None)
    families = (family,) if family else ()
    construct = resolve("agent", spec, catalog.table("agents"), Agent, families=families)

    def settled() -> Agent:
        agent = construct()
        agent.settle(family)
        return agent

    return settled
