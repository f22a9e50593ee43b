"""A player made of two: one asks, the other concludes."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Mapping
from typing import Any

from interactive_envs.agent import Agent, resolve_agent
from interactive_envs.dialogue.handover import Handover
from interactive_envs.dialogue.view import DialogueView
from interactive_envs.errors import ConfigError
from interactive_envs.llm.calls import ModelCall
from interactive_envs.specs import RELAY, relay_parts

NOT_SENT = "(a question, where only a final answer is read)"
"""What the environment gets in place of a question of who concludes: it is no action."""


class RelayAgent(Agent):
    """Lets one player ask and another conclude, e.g. ``relay:reference,llm:openai/gpt-5-mini?temperature=0``.

    The asker plays until it would answer, or until no question is left: where the answer costs a round, that round is
    kept for it. Then the concluder takes over for good. It is a fresh player that sees the rules, the questions and the
    replies as if it had asked itself; of the asker's messages it sees the action alone, of unreadable ones nothing. It
    may only answer: a question of its own is an unreadable message. Where a wrong answer is not the end it may answer
    again; ``finals=1`` ends that. Where a new dialogue begins, the asker asks again.

    Args:
        target: the specs of both, parted by a comma, each with its own options; a comma inside one is ``%2C``.

    Raises:
        ConfigError: these are not two players, or one of them does not play this.
    """

    name = RELAY
    wants_handover = True

    def __init__(self, target: str) -> None:
        self.specs = dict(zip(PARTS, relay_parts(f"{RELAY}:{target}") or (), strict=True))
        """The players' by part."""
        self._players: dict[str, Agent] = {}
        self._family: str | None = None

    def settle(self, family: str | None) -> None:
        """Make both players."""
        self._family = family
        try:
            for part, spec in self.specs.items():
                self._players[part] = resolve_agent(spec, family=family)()
        except BaseException:
            self.close()
            raise
        self.interactive = any(player.interactive for player in self._both)

    @property
    def asker(self) -> Agent:
        """Who asks."""
        return self._player("asker")

    @property
    def concluder(self) -> Agent:
        """Who concludes."""
        return self._player("concluder")

    def _player(self, part: str) -> Agent:
        if not self._players:
            self.settle(None)
        return self._players[part]

    @property
    def _both(self) -> tuple[Agent, Agent]:
        return self.asker, self.concluder

    @property
    def repeats(self) -> bool:
        """Whether both do."""
        return all(player.repeats for player in self._both)

    @property
    def priced(self) -> bool:
        """Whether the cost of both players' calls is known."""
        return all(player.priced for player in self._both)

    @property
    def wants_view_text(self) -> bool:
        """Whether one of them does."""
        return any(player.wants_view_text for player in self._both)

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Reset both.

        Raises:
            ConfigError: there is nothing to conclude here, or the concluder cannot go on from another's questions.
        """
        if info is not None and not isinstance(info.get("view"), DialogueView):
            raise ConfigError(
                f"agent {RELAY!r} needs questions and an answer that follows from them, and here there is nothing to "
                "conclude; name its players themselves"
            )
        taker = self.concluder
        if not taker.from_view and type(taker).witness is Agent.witness:
            raise ConfigError(
                f"agent {self.specs['concluder']!r} cannot conclude, because it goes by what it asked itself; let it "
                "ask, or name another concluder"
            )
        for player in self._both:
            player.reset(seed=seed, info=info)
        self._concluding = False
        self._last = "asker"
        self._unseen: list[tuple[str, dict[str, Any], str]] = []
        """Of the asker's turns those that the concluder has not seen: what it was told, the info, what it did."""

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Let the asker ask, or the concluder conclude."""
        handover: Handover = info["handover"]
        if info.get("remember") == 0 and handover.asking:
            self._concluding = False
        if not self._concluding and handover.questions:
            self._last = "asker"
            text = self.asker.act(observation, {name: info[name] for name in info if name != "handover"})
            kind, alone = handover.read(text)
            if kind != "final":
                self._unseen.append((str(observation), handover.seen_by_another(info), alone))
                return alone or text
        self._concluding, self._last = True, "concluder"
        for turn in self._unseen:
            self.concluder.witness(*turn)
        self._unseen = []
        closing = handover.closing(observation, info, view_text=self.concluder.wants_view_text)
        if not handover.at_any_time:  # a test, of several items or played with moves
            return self.concluder.act(*closing)
        text = self.concluder.conclude(*closing)
        return NOT_SENT if handover.asking and handover.read(text)[0] == "query" else text

    def discard_last(self) -> None:
        """Tell whose action came too late."""
        self._player(self._last).discard_last()
        if self._last == "asker" and self._unseen:
            self._unseen[-1] = (*self._unseen[-1][:2], "")

    def fork(self) -> Agent:
        """A twin of both."""
        twin = copy.copy(self)
        players = {part: self._player(part).fork() for part in PARTS}
        vars(twin).update(_players=players, _unseen=list(self._unseen))
        return twin

    def conclude(self, observation: str, info: Mapping[str, Any]) -> str:
        """Let the concluder answer now; the asker is not asked."""
        self._concluding = True
        return self.act(observation, info)

    def witness(self, observation: str, info: Mapping[str, Any], action: str) -> None:
        """Keep a turn for the concluder; the asker is not told."""
        handover: Handover = info["handover"]
        self._unseen.append((str(observation), handover.seen_by_another(info), action))

    def finish(self, observation: str, reward: float, info: Mapping[str, Any]) -> None:
        """Tell both."""
        for player in self._both:
            player.finish(observation, reward, info)

    def drain_calls(self) -> list[ModelCall]:
        """The calls of both since the last drain, the asker's first; ``part`` says whose they are."""
        return [dataclasses.replace(call, part=part) for part in PARTS for call in self._player(part).drain_calls()]

    def describe(self) -> dict[str, Any]:
        """What both say of themselves, with their specs."""
        parts = {part: {"spec": self.specs[part], **self._player(part).describe()} for part in PARTS}
        return {"name": self.name, **parts}

    def close(self) -> None:
        """Close both."""
        for player in self._players.values():
            player.close()


PARTS = ("asker", "concluder")
