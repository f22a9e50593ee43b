"""Generated games as Gymnasium environments; PettingZoo's views are made from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from interactive_envs.catalog.unit import Unit
from interactive_envs.errors import ConfigError
from interactive_envs.multiplayer.single_seat import SeatGame
from interactive_envs.novel_games.folder import LUCK, own, own_names
from interactive_envs.novel_games.ladder import decided_by_luck
from interactive_envs.novel_games.rules import GeneratedGame
from interactive_envs.novel_games.verdicts import require_admitted
from interactive_envs.seeds import NOT_KEY

_COMMON: dict[str, Any] = {
    "family": "generated",
    "variants": ({}, {"seat": 1, "preset": "paper", "opponents": "rung"}),
    "views": ("text", "numeric", "aec"),
    "numeric_variants": (0, 1),
    "references": (None, None),
    # gg-bench's protocol, section 3: numbered moves, no history, at most five tries, forced moves played; the opponent
    # searches with the checkpoint that lost.
    "presets": {"paper": {"answers": "number", "log": False, "lone": True, "retries": 4, "opponents": "rung:rollout"}},
    "not_key": (*NOT_KEY, "legal"),
    "reward_range": (-1.0, 1.0),
    "sources": ("gg-bench, sections 3 and 4",),
}


class GeneratedGameEnv(SeatGame):
    """A two-player game nobody has seen before, from any folder of rules and code (gg-bench).

    Observation: the rules first, then the moves so far, the board and, unless hidden, the legal moves by name.
        ``TextSpace``.
    Action: ``<move>NAME</move>``, or the name alone.
    Reward: 1 for a win, -1 for a loss, 0 for a draw, at the end.
    Ends: terminated when the game is over (``success``, ``failure``, ``draw``), when it is too long (``timeout``), or
        when a seat's text could not be read or was no legal move twice (``forfeit``).
    Info: as :class:`interactive_envs.multiplayer.single_seat.SeatGame` says.
    Version history: v1, plainer English in all rules and messages, and a message that is no legal move is told whether
        it was not read or not legal; the games are those of v0.

    Args:
        path: name of a game of the package, or path of a game folder, whose code then runs in the sandbox; fixed by
            the ids of the package's games, elsewhere the first of them by default.
        unchecked: play a folder that the check refuses (``ibench games check``); the record says so.
        answers: ``name`` or ``number``: how moves are given.
        log: whether the moves so far are shown.
        lone: whether a move that is the only legal one is played without asking.
        legal: ``listed``: every message names the legal moves; ``hidden``: the rules and the table of actions say what
            they are, on the same deals. ``info["legal_actions"]`` and the mask, for programs, stay.
        retries: unreadable or illegal texts a move that are asked for again.
        opponents: a spec for the other seat: ``random``, ``rung`` for the one that comes with the game, ``mcts`` …
        seat: 0, which begins in most games, or 1.
        on_invalid: ``forfeit``.
        render_mode: None or ``ansi``.
    """

    def __init__(
        self,
        *,
        path: str | None = None,
        unchecked: bool = False,
        answers: str = "name",
        log: bool = True,
        lone: bool = False,
        legal: str = "listed",
        retries: int = 1,
        opponents: str | Sequence[str] = "random",
        seat: int = 0,
        on_invalid: str = "forfeit",
        render_mode: str | None = None,
    ) -> None:
        if not isinstance(unchecked, bool):
            raise ConfigError(f"unchecked must be true or false, got {unchecked!r}")
        arguments: dict[str, Any] = {"answers": answers, "log": log, "lone": lone, "legal": legal}
        game = GeneratedGame(path if path is not None else own_names()[0], **arguments)
        if not unchecked:
            require_admitted(game.folder)
        self.unit = _of(path) if path in own_names() else _ANY  # type: ignore[misc]
        super().__init__(
            game, opponents=opponents, seat=seat, retries=retries, on_invalid=on_invalid, render_mode=render_mode
        )

    @classmethod
    def units(cls) -> Iterator[Unit]:
        """One id for any folder, and one a game of the package."""
        yield _ANY
        yield from map(_of, own_names())


_ANY = Unit(id="ibench/Game-v1", **_COMMON)


def _of(name: str) -> Unit:
    folder = own(name)
    return Unit(
        id=f"ibench/Game-{name}-v1",
        arguments={"path": name},
        tags={"category": folder.category, "set": LUCK if decided_by_luck(folder.path) else folder.of},
        summary=f"{folder.title}, a {folder.category} game.",
        **_COMMON,
    )
