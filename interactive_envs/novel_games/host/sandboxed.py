"""A game whose code nobody vetted: it runs in the sandbox, and so does the search over it.

The game shares its process with the code that hosts it there, so it can lie about itself; it cannot reach anything
else. What it answers is checked before it is used.
"""

from __future__ import annotations

import base64
import functools
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactive_envs.errors import ConfigError, ForeignCodeError
from interactive_envs.novel_games.host.adapter import (
    DRAW,
    EXTRAS,
    MOST_ACTIONS,
    MOST_OBSERVED,
    TOO_LONG,
    WON,
    GameError,
    Scale,
)
from interactive_envs.novel_games.search.batch import OVER
from interactive_envs.novel_games.search.chances import UNLISTED
from interactive_envs.novel_games.search.network import Network
from interactive_envs.novel_games.search.trees import CERTAIN, Settings, fit
from interactive_envs.sandbox import Limits, Sandbox, SandboxError, Worker

PACKAGE = __package__.rpartition(".")[0]
MODULES = (
    *("host.adapter", "search.batch", "search.network", "search.trees", "search.exact"),
    *("search.chances", "search.contest"),
    *("host.traces", "host.served"),
    *(f"probing.{name}" for name in ("common", "source", "repeating", "watching", "random_games")),
    *(f"probing.{name}" for name in ("hiding", "known", "opening", "solving", "shape", "stages")),
)
"""The files that enter the sandbox, each after those it imports."""
LIMITS = Limits(cpu_s=30.0, wall_s=120.0, memory=512 << 20, output=4 << 20, input=16 << 20)
"""Of a request; a search of many simulations is one request."""
WHOLE_GAME = replace(LIMITS, cpu_s=600.0, wall_s=1800.0)
"""Of a request to play a game out."""
REQUESTS = f"from {PACKAGE}.probing.stages import *; from {__package__}.served import *"
"""The code that is asked; the game's own comes with a request."""
_RESULTS = {DRAW, TOO_LONG, *WON}
_GREATEST = float(np.finfo(np.float32).max)


def hosted(
    source: str, options: Mapping[str, Any] | None = None, limits: Limits = LIMITS
) -> tuple[Worker, dict[str, Any]]:
    """A process that has loaded a game, and the game's facts; it answers the functions of ``served.py``.

    Args:
        source: text of ``game.py``.
        options: further arguments of :class:`interactive_envs.novel_games.host.adapter.Program`.
        limits: what each request may use.

    Raises:
        SandboxError: the game cannot be loaded within the limits.
        FaultError: the sandbox cannot work.
    """
    worker = sandbox(limits).worker(REQUESTS)
    try:
        return worker, worker.request("load", [source, dict(options or {})])
    except BaseException:
        worker.close()
        raise


@functools.cache
def sandbox(limits: Limits = LIMITS) -> Sandbox:
    """One for the process, with :data:`MODULES` in it; it starts with the first game."""
    folder = Path(__file__).parents[1]
    modules = {f"{PACKAGE}.{name}": folder.joinpath(*name.split(".")).with_suffix(".py") for name in MODULES}
    return Sandbox(limits=limits, libraries=("numpy", "gymnasium"), modules=modules)


class RemoteProgram:
    """Like :class:`interactive_envs.novel_games.host.adapter.Program`, in the sandbox; each table has its own process.

    Raises:
        SandboxError: the game cannot be loaded within the limits.
        GameError: its spaces are too large.
    """

    def __init__(self, source: str, **options: Any) -> None:
        self._source, self._options = source, options
        worker, facts = self._started()
        worker.close()
        self.actions, self.size, self.views = int(facts["actions"]), int(facts["size"]), bool(facts["views"])
        if not (0 < self.actions <= MOST_ACTIONS and 0 < self.size <= MOST_OBSERVED):
            raise GameError(
                f"{self.actions} actions and {self.size} observed numbers; at most {MOST_ACTIONS} and {MOST_OBSERVED}"
            )
        self.names, self.lists = bool(facts["names"]), bool(facts["lists"])
        self.max_turns = int(options.get("max_turns", 100))
        bounds = [facts[name] or [np.inf] * self.size for name in ("low", "high")]
        self.scale = Scale(*bounds)

    def new(self, seed: int) -> RemoteTable:
        """A game from its start."""
        return RemoteTable(self, _Process(self._started()[0]), "new", seed)

    def resample(self, view: Mapping[str, Any], rng: Any) -> RemoteTable:
        """A game drawn among those whose view is this one."""
        return RemoteTable(self, _Process(self._started()[0]), "resample", dict(view), int(rng.integers(2**31)))

    def search(
        self,
        settings: Settings | None,
        network: Network | None,
        nodes: int | None = None,
        seconds: float | None = None,
    ) -> RemoteSearch:
        """A search in a process of its own; minimax without settings.

        Raises:
            ValueError: as :class:`interactive_envs.novel_games.search.trees.Search` and ``Minimax`` say.
        """
        if settings is None and self.views:
            raise ValueError(CERTAIN)
        if settings is not None and settings.chance == "listed" and (network is None or not self.lists):
            raise ValueError(UNLISTED)
        if network is not None:
            fit(self, network)
        return RemoteSearch(_Process(self._started()[0]), settings, network, nodes, seconds)

    def contest(self, players: Sequence[Mapping[str, Any]]) -> RemoteContest:
        """Two players that meet in a process of their own; see ``search/contest.py`` for how they are told.

        Raises:
            ValueError: a network was trained on another game.
        """
        for player in players:
            if player.get("network") is not None:
                fit(self, player["network"])
        return RemoteContest(_Process(hosted(self._source, self._options, WHOLE_GAME)[0]), players)

    def batch(self, games: int) -> RemoteBatch:
        """Games stepped together, all in one process."""
        return RemoteBatch(self, _Process(self._started()[0]), games)

    def _started(self) -> tuple[Worker, dict[str, Any]]:
        return hosted(self._source, self._options)


class _Process:
    """A worker that ends with the last table that uses it."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self.unused: list[int] = []
        weakref.finalize(self, worker.close)

    def close(self) -> None:
        """End it now."""
        self._worker.close()

    def ask(self, function: str, *arguments: Any) -> Any:
        """The answer of one of ``served.py``'s functions.

        Raises:
            ForeignCodeError: the game broke its contract or its limits, which is never scored as play.
            FaultError: the sandbox cannot work.
        """
        try:
            if self.unused:
                unused = [*self.unused]
                self.unused.clear()  # the same list: finalizers of tables hold it
                self._worker.request("drop", [unused])
            return self._worker.request(function, arguments)
        except SandboxError as error:
            raise ForeignCodeError(f"the game's code failed: {error}") from error


class RemoteTable:
    """Like :class:`interactive_envs.novel_games.host.adapter.Table`, in the sandbox."""

    def __init__(self, program: RemoteProgram, process: _Process, function: str, *arguments: Any) -> None:
        self._program, self._process = program, process
        self._read(process.ask(function, *arguments))
        weakref.finalize(self, process.unused.append, self._number)

    def say(self, action: int) -> None:
        """Play a legal move and note it in words."""
        self._read(self._process.ask("say", self._number, action))

    def clone(self) -> RemoteTable:
        """An independent copy."""
        return RemoteTable(self._program, self._process, "clone", self._number)

    def __deepcopy__(self, memo: Any) -> RemoteTable:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        raise ConfigError("a game that runs in the sandbox cannot be pickled; make the environment where it is used")

    def view(self, seat: int) -> dict[str, Any]:
        """All that a seat may know."""
        if seat not in self._views:
            self._views[seat] = checked(self._process.ask("view", self._number, seat), seat, self._program)
        return self._views[seat]

    def choices(self) -> tuple[tuple[int, ...], tuple[str, ...]]:
        """The legal moves and their names."""
        view = self.view(self.seat)
        return tuple(view["legal"]), tuple(view["names"])

    def score(self, seat: int) -> float:
        """1 for a win of the seat, -1 for a loss, else 0."""
        return 0.0 if self.result not in WON else 1.0 if WON[seat] == self.result else -1.0

    def _read(self, reply: Any) -> None:
        self._views: dict[int, dict[str, Any]] = {}
        try:
            self._number, self.turns = int(reply["number"]), int(reply["turns"])
            self.seat, self.result = int(reply["seat"]), reply["result"]
        except (KeyError, TypeError, ValueError) as error:
            raise ForeignCodeError(f"the game's process answered with {reply!r:.100}") from error
        if self.seat not in (0, 1) or not _is_result(self.result) or not 0 <= self.turns <= self._program.max_turns:
            raise ForeignCodeError(f"the game's process answered with {reply!r:.100}")


class RemoteBatch:
    """Like :class:`interactive_envs.novel_games.search.batch.Batch`, in the sandbox."""

    def __init__(self, program: RemoteProgram, process: _Process, games: int) -> None:
        self.seats = 2
        self.observations = np.zeros((games, program.size + EXTRAS), np.float32)
        self.masks = np.zeros((games, program.actions), np.bool_)
        self.seat = np.full(games, OVER)
        self.scores = np.zeros((games, 2), np.float32)
        self._process = process
        process.ask("batch", games)

    def start(self, rows: NDArray[np.int64], seeds: NDArray[np.int64]) -> None:
        """Restart these games."""
        self._ask("batch_start", rows, seeds)

    def play(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Play a legal action in each of these games."""
        self._ask("batch_play", rows, actions)

    def close(self) -> None:
        """End the process."""
        self._process.close()

    def _ask(self, function: str, rows: NDArray[np.int64], values: NDArray[np.int64]) -> None:
        asked = np.array((rows, values), np.int64).tobytes()
        reply = self._process.ask(function, base64.b64encode(asked).decode("ascii"))
        games, size, actions = len(rows), self.observations.shape[1], self.masks.shape[1]
        try:
            packed, *parts = [base64.b64decode(part, validate=True) for part in reply]
            rows_of_bits = np.frombuffer(packed, np.uint8).reshape(games + 1, (size + actions + 7) // 8)
            bits = np.unpackbits(rows_of_bits, axis=1, count=size + actions).view(np.bool_)
            others, masks = bits[0, :size], bits[1:, size:]
            observations = bits[1:, :size].astype(np.float32)
            numbers = np.frombuffer(parts[0], np.float32).reshape(games, np.count_nonzero(others))
            observations[:, others] = numbers
            standing = np.frombuffer(parts[1], np.int8).reshape(games, 3)
        except (IndexError, TypeError, ValueError) as error:
            raise ForeignCodeError(f"the game's process answered with {reply!r:.100}") from error
        seats = standing[:, 0]
        if not (
            ((numbers >= 0) & (numbers <= 1)).all()
            and (masks.any(axis=1) | (seats == OVER)).all()
            and ((standing >= OVER) & (standing <= 1)).all()
        ):
            raise ForeignCodeError("the game's process answered with numbers out of their range")
        self.observations[rows], self.masks[rows] = observations, masks
        self.seat[rows], self.scores[rows] = seats, standing[:, 1:]


class RemoteSearch:
    """Like :class:`interactive_envs.novel_games.search.trees.Search`, in the sandbox."""

    def __init__(
        self,
        process: _Process,
        settings: Settings | None,
        network: Network | None,
        nodes: int | None,
        seconds: float | None,
    ) -> None:
        self._process = process
        if settings is None:
            process.ask("minimax", nodes, seconds)
        else:
            process.ask("search", vars(settings), None if network is None else network.as_json())

    def choose(self, view: Mapping[str, Any], seed: int) -> dict[str, Any]:
        """A move for the seat whose view this is."""
        chosen = self._process.ask("choose", dict(view), seed)
        if not isinstance(chosen, dict) or chosen.get("action") not in view["legal"]:
            raise ForeignCodeError(f"the game's process answered with {chosen!r:.100}")
        return chosen


class RemoteContest:
    """Like :class:`interactive_envs.novel_games.search.contest.Contest`, in the sandbox."""

    def __init__(self, process: _Process, players: Sequence[Mapping[str, Any]]) -> None:
        self._process = process
        process.ask("contest", [{**player, **_plain(player.get("network"))} for player in players])

    def play(self, luck: int, seeds: Sequence[int], seats: Sequence[int]) -> str:
        """Play a game to its end; the table's result."""
        result = self._process.ask("contest_play", luck, list(seeds), list(seats))
        if result is None or not _is_result(result):
            raise ForeignCodeError(f"the game's process answered with {result!r:.100}")
        return str(result)


def _plain(network: Network | None) -> dict[str, Any]:
    return {} if network is None else {"network": network.as_json()}


def _is_result(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value in _RESULTS)


def checked(view: Any, seat: int, program: RemoteProgram) -> dict[str, Any]:
    """A view out of the sandbox, if it has the form of one.

    Raises:
        ForeignCodeError: it has not.
    """
    lists = ("legal", "names", "log", "moves", "observation")
    if not (
        isinstance(view, dict)
        and view.get("seat") == seat
        and type(view.get("to_move")) is int
        and view["to_move"] in (0, 1)
        and _is_result(view.get("result"))
        and isinstance(view.get("board"), str)
        and isinstance(view.get("known"), dict)
        and type(view.get("turns")) is int
        and 0 <= view["turns"] <= program.max_turns
        and all(isinstance(view.get(name), list) for name in lists)
        and all(type(a) is int and 0 <= a < program.actions for name in ("legal", "moves") for a in view[name])
        and len(set(view["legal"])) == len(view["legal"])
        and len(view["observation"]) == program.size
        and all(isinstance(text, str) for name in ("names", "log") for text in view[name])
        and all(isinstance(value, int | float) and abs(value) <= _GREATEST for value in view["observation"])
        and len(view["legal"]) == len(view["names"])
        and bool(view["legal"]) == (view["result"] is None and view["to_move"] == seat)
    ):
        raise ForeignCodeError(f"the game's process answered with a view of another form: {view!r:.200}")
    return view
