"""What answers requests inside the sandbox: one game, its tables, and the searches beside it."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from interactive_envs.novel_games.host.adapter import Program, Table
from interactive_envs.novel_games.search.batch import Batch
from interactive_envs.novel_games.search.chances import lists, search_of
from interactive_envs.novel_games.search.contest import Contest
from interactive_envs.novel_games.search.network import Network
from interactive_envs.novel_games.search.trees import Minimax, Settings

_held: dict[str, Any] = {}


def load(source: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Build the game; its facts."""
    program = _held["program"] = Program(source, **options)
    _held["tables"], _held["next"] = {}, 0
    low, high = (
        None if not np.isfinite(bound).all() else bound.tolist() for bound in (program.scale.low, program.scale.high)
    )
    return {
        "actions": program.actions,
        "size": program.size,
        "views": program.views,
        "lists": lists(program),
        "player": program.player,
        "low": low,
        "high": high,
        "names": program.names,
    }


def new(seed: int) -> dict[str, Any]:
    """A table from its start."""
    return _seated(_held["program"].new(seed))


def resample(view: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """A table drawn among those with this view."""
    return _seated(_held["program"].resample(view, np.random.default_rng(seed)))


def clone(number: int) -> dict[str, Any]:
    """A copy of a table."""
    return _seated(_held["tables"][number].clone())


def say(number: int, action: int) -> dict[str, Any]:
    """Play a legal move."""
    table = _held["tables"][number]
    table.say(action)
    return _state_of(number, table)


def view(number: int, seat: int) -> dict[str, Any]:
    """What a seat may know."""
    return _held["tables"][number].view(seat)  # type: ignore[no-any-return]


def drop(numbers: Sequence[int]) -> None:
    """Forget tables."""
    for number in numbers:
        del _held["tables"][number]


def search(settings: Mapping[str, Any], network: Mapping[str, Any] | None) -> None:
    """Make the search that :func:`choose` asks."""
    known = None if network is None else Network.from_json(network)
    _held["search"] = search_of(_held["program"], Settings(**settings), known)


def minimax(nodes: int | None, seconds: float | None) -> None:
    """Make the search that :func:`choose` asks, for a game without chance and secrets."""
    _held["search"] = Minimax(_held["program"], nodes, seconds)


def contest(players: Sequence[Mapping[str, Any]]) -> None:
    """Seat the players that :func:`contest_play` lets meet."""
    _held["contest"] = Contest(_held["program"], players)


def contest_play(luck: int, seeds: Sequence[int], seats: Sequence[int]) -> str:
    """A whole game; its result."""
    return _held["contest"].play(luck, seeds, seats)  # type: ignore[no-any-return]


def batch(games: int) -> None:
    """Make the games that :func:`batch_start` and :func:`batch_play` step together."""
    _held["batch"] = Batch(_held["program"], games, reuse=False)


def batch_start(asked: str) -> list[str]:
    """Begin these games, whose rows and seeds are given; see :func:`batch_play`."""
    rows, seeds = _asked(asked)
    _held["batch"].start(rows, seeds)
    return _rows(rows)


def batch_play(asked: str) -> list[str]:
    """Play in these games.

    Args:
        asked: rows and actions, each int64, as base64.

    Returns:
        Three arrays as base64. Bits, each row from a byte of its own: which columns of the observations hold other
        numbers than 0 and 1; then for each game which of its columns are more than 0, and which actions are legal.
        Those other numbers (float32). Seats and scores (int8, three a game).
    """
    rows, actions = _asked(asked)
    _held["batch"].play(rows, actions)
    return _rows(rows)


def _asked(asked: str) -> Any:
    return np.frombuffer(base64.b64decode(asked), np.int64).reshape(2, -1)


def _rows(rows: Any) -> list[str]:
    held = _held["batch"]
    seen, masks = held.observations[rows], held.masks[rows]
    others = ((seen != 0) & (seen != 1)).any(axis=0)  # few: bits are fewer bytes to write, to read and to check
    bits = np.zeros((len(rows) + 1, seen.shape[1] + masks.shape[1]), np.bool_)
    bits[0, : seen.shape[1]], bits[1:, : seen.shape[1]], bits[1:, seen.shape[1] :] = others, seen > 0, masks
    standing = np.empty((len(rows), 3), np.int8)
    standing[:, 0], standing[:, 1:] = held.seat[rows], held.scores[rows]
    parts = np.packbits(bits, axis=1), seen[:, others], standing
    return [base64.b64encode(part.tobytes()).decode("ascii") for part in parts]


def choose(view: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """A move for the seat whose view this is."""
    return _held["search"].choose(view, seed)  # type: ignore[no-any-return]


def _seated(table: Table) -> dict[str, Any]:
    number = _held["next"]
    _held["tables"][number], _held["next"] = table, number + 1
    return _state_of(number, table)


def _state_of(number: int, table: Table) -> dict[str, Any]:
    table.legal()  # a game that offers no move is broken here, not at the next request
    return {"number": number, "seat": table.seat, "turns": table.turns, "result": table.result}
