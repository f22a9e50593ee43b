"""Plays a match with agents, and builds the infos that go with observations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from interactive_envs.multiplayer.game import Game
from interactive_envs.multiplayer.match import Match, Played

MAX_LISTED_ACTIONS = 256
"""Most legal actions that an info lists."""


class Player(Protocol):
    """What a match asks of whoever sits on a seat; every :class:`~interactive_envs.agent.Agent` is one."""

    @property
    def wants_view_text(self) -> bool:
        """Whether the info should hold the View as one text."""

    @property
    def reads_text(self) -> bool:
        """Whether it looks at observations; they are empty where it does not."""

    @property
    def reads_view(self) -> bool:
        """Whether it looks at more of an info than ``action_tags`` and ``legal_actions``, which is all otherwise."""

    def act(self, observation: str, info: dict[str, Any]) -> str:
        """Return the next text."""

    def finish(self, observation: str, reward: float, info: dict[str, Any]) -> None:
        """Take note of how the game ended; ``reward`` is what the seat was paid in all."""


def play_out(
    match: Match[Any], players: Mapping[int, Player], on_text: Callable[[Played], object] | None = None
) -> None:
    """Let players act until a seat without one is to move or the game is over; then they hear how it ended.

    Args:
        match: begun.
        players: by seat.
        on_text: called with what became of each text.
    """
    while (seat := match.to_move) is not None:
        if seat not in players:
            return
        player = players[seat]
        info = _info(match, seat, player)
        if player.wants_view_text:
            info["view_text"] = match.view_text(seat)
        played = match.act(player.act(_observation(match, seat, player), info))
        if on_text:
            on_text(played)
    returns = match.game.returns(match.state)
    for seat, player in players.items():
        player.finish(_observation(match, seat, player), returns[seat], _info(match, seat, player))


def _observation(match: Match[Any], seat: int, player: Player) -> str:
    return match.observe(seat) if player.reads_text else ""


def _info(match: Match[Any], seat: int, player: Player) -> dict[str, Any]:
    if player.reads_view:
        return seat_info(match, seat, match.last[seat])
    legal = match.game.legal_now(match.state, seat)
    listed = legal is not None and len(legal) <= MAX_LISTED_ACTIONS
    return {"action_tags": match.game.action_tags} | ({"legal_actions": legal} if listed else {})


def seat_info(match: Match[Any], seat: int, played: Played | None) -> dict[str, Any]:
    """Return what goes with a seat's observation; ``played`` is what became of its last text."""
    game, view = match.game, match.view(seat)
    info: dict[str, Any] = {
        "valid": played is None or played.valid,
        "reason": played.reason if played else None,
        "kind": played.kind if played else "move",
        "illegal": played is not None and played.illegal,
        "view": view,
        "message_range": match.messages(seat),
        "action_tags": game.action_tags,
    }
    if match.begins_anew(seat):
        info["remember"] = 0
    if game.legal == "hidden":
        info["legal"] = game.legal
    legal = game.legal_actions(view)
    if legal is not None and len(legal) <= MAX_LISTED_ACTIONS:
        info["legal_actions"] = legal
    if match.to_move is None:
        info["outcome"] = game.outcomes(match.state)[seat].value
    return info


def reset_info(match: Match[Any], seat: int) -> dict[str, Any]:
    """Return what an agent is reset with, before anybody has acted."""
    beginning = {"history": match.game.history, "action_examples": match.game.action_examples}
    return seat_info(match, seat, None) | beginning


def action_mask(game: Game[Any], view: Any) -> NDArray[np.int8]:
    """Return 1 where a numeric action may be played, int8 of the action space's size."""
    count = game.numeric_actions or 0
    return np.fromiter((game.decode(view, index) != "" for index in range(count)), dtype=np.int8, count=count)
