"""Where one player's questions end and another one's answer begins: what a relay must know of a dialogue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from interactive_envs.dialogue.protocol import EpisodeState, Protocol
from interactive_envs.dialogue.view import Kind
from interactive_envs.errors import ConfigError

MAX_LISTED_ACTIONS = 256
"""Most legal actions that an info lists."""


@dataclass(frozen=True)
class Handover:
    """A moment of a dialogue for a player that asks on behalf of another one. It reads texts and decides nothing.

    Attributes:
        protocol: of the dialogue.
        state: at that moment.
    """

    protocol: Protocol[Any, Any]
    state: EpisodeState[Any, Any]

    @property
    def questions(self) -> int:
        """How many questions can still be asked before something must be concluded."""
        return self.protocol.questions_left(self.state)

    @property
    def asking(self) -> bool:
        """Whether a question would be read here."""
        return self.protocol.is_asking(self.state)

    @property
    def at_any_time(self) -> bool:
        """Whether a final answer is read at any time, so that one message concludes."""
        return self.protocol.ends_asking is None

    def read(self, text: str) -> tuple[Kind, str]:
        """Read a text as the environment would: its kind, and the action alone, "" where there is none.

        What stands around the action is left out, if the action alone is read as the same one.
        """
        read = self.protocol.read(self.state, text.encode("utf-8", "replace").decode())
        alone = self.protocol.parsed(read)
        if alone and alone != read.text:
            again = self.protocol.read(self.state, alone)
            alone = alone if (again.kind, again.key) == (read.kind, read.key) else read.text
        return read.kind, alone

    def seen_by_another(self, info: Mapping[str, Any]) -> dict[str, Any]:
        """The environment's info as another player may see it: without what was said around actions."""
        view = self.protocol.view(self.protocol.without_talk(self.state))
        return {name: value for name, value in info.items() if name not in PRIVATE} | {"view": view}

    def closing(
        self, observation: str, info: Mapping[str, Any], *, view_text: bool, own: bool = False
    ) -> tuple[str, dict[str, Any]]:
        """What who concludes is told: the message with the request for a final answer, and the info that goes with it.

        Args:
            observation: the message.
            info: the environment's.
            view_text: whether the info is to have the View as a text.
            own: whether who concludes asked the questions, too, and may see what was said around them.
        """
        protocol = self.protocol
        state = self.state if own else protocol.without_talk(self.state)
        text = protocol.view_text(state) if view_text else ""
        told = dict(info) if own else self.seen_by_another(info)
        request = protocol.request_final() if self.asking else ""
        if self.asking:
            state = protocol.close(state)
            told |= {"view": protocol.view(state), "action_tags": protocol.tags(state)}
            legal = protocol.few_actions(state, MAX_LISTED_ACTIONS)
            told = {name: value for name, value in told.items() if name != "legal_actions"}
            told |= {} if legal is None else {"legal_actions": legal}
        if view_text:
            told["view_text"] = _joined(text, request)
        if request and "parts" in told:
            told["parts"] = [*told["parts"], {"type": "text", "text": request}]
        return _joined(observation, request), told


PRIVATE = ("handover", "view_text")
"""Of an info what another player gets anew, or not at all."""


def handover_of(env: Any, who: str) -> Handover:
    """The handover of a running environment.

    Args:
        env: not wrapped.
        who: needs it, for the message.

    Raises:
        ConfigError: its players ask no questions from which an answer follows.
    """
    check_concludes(env, who)
    found: Handover = env.handover()
    return found


def check_concludes(env: Any, who: str) -> None:
    """Refuse an environment in which there is nothing to conclude.

    Raises:
        ConfigError: its players ask no questions from which an answer follows.
    """
    if not (hasattr(env, "handover") and env.task.concludes):
        raise ConfigError(
            f"{who} needs questions and an answer that follows from them, and here there is nothing to conclude; "
            "choose an environment with questions, such as ibench/SituationPuzzle-v1"
        )


def _joined(text: str, request: str) -> str:
    return f"{text}\n{request}" if request else text
