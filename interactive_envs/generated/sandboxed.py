"""A game whose code nobody vetted: it runs in the sandbox, and so does the search over it.

The game shares its process with the code that hosts it there, so it can lie about itself; it cannot reach anything
else. What it answers is checked before it is used.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from interactive_envs.errors import ConfigError, FaultError
from interactive_envs.generated.host import DRAW, TOO_LONG, WON, Scale
from interactive_envs.generated.network import Network
from interactive_envs.generated.search import CERTAIN, Settings, fit
from interactive_envs.sandbox import Limits, Sandbox, SandboxError, Worker

MODULES = ("host", "network", "search", "solve", "traces", "probing", "served")
"""The files that enter the sandbox, each after those it imports."""
LIMITS = Limits(cpu_s=30.0, wall_s=120.0, memory=512 << 20, output=4 << 20, input=16 << 20)
"""Of a request; a search of many simulations is one request."""
REQUESTS = f"from {__package__}.probing import *; from {__package__}.served import *"
"""The code that is asked; the game's own comes with a request."""
_RESULTS = {None, DRAW, TOO_LONG, *WON}


def hosted(
    source: str, options: Mapping[str, Any] | None = None, limits: Limits = LIMITS
) -> tuple[Worker, dict[str, Any]]:
    """A process that has loaded a game, and the game's facts; it answers the functions of ``served.py``.

    Args:
        source: text of ``game.py``.
        options: further arguments of :class:`interactive_envs.generated.host.Program`.
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
    folder, package = Path(__file__).parent, __package__
    modules = {f"{package}.{name}": folder / f"{name}.py" for name in MODULES}
    return Sandbox(limits=limits, libraries=("numpy", "gymnasium"), modules=modules)


class RemoteProgram:
    """Like :class:`interactive_envs.generated.host.Program`, in the sandbox; each game started has its own process.

    Raises:
        SandboxError: the game cannot be loaded within the limits.
    """

    def __init__(self, source: str, **options: Any) -> None:
        self._source, self._options = source, options
        worker, facts = self._started()
        worker.close()
        self.actions, self.size, self.views = int(facts["actions"]), int(facts["size"]), bool(facts["views"])
        self.max_turns = int(options.get("max_turns", 100))
        bounds = [facts[name] or [np.inf] * self.size for name in ("low", "high")]
        self.scale = Scale(*bounds)

    def new(self, seed: int) -> RemoteTable:
        """A game from its start."""
        return RemoteTable(_Process(self._started()[0]), "new", seed)

    def resample(self, view: Mapping[str, Any], rng: Any) -> RemoteTable:
        """A game drawn among those whose view is this one."""
        return RemoteTable(_Process(self._started()[0]), "resample", dict(view), int(rng.integers(2**31)))

    def search(self, settings: Settings | None, network: Network | None, nodes: int = 0) -> RemoteSearch:
        """A search in a process of its own; minimax without settings.

        Raises:
            ValueError: as :class:`interactive_envs.generated.search.Search` and ``Minimax`` say.
        """
        if settings is None and self.views:
            raise ValueError(CERTAIN)
        if network is not None:
            fit(self, network)
        return RemoteSearch(_Process(self._started()[0]), settings, network, nodes)

    def _started(self) -> tuple[Worker, dict[str, Any]]:
        return hosted(self._source, self._options)


class _Process:
    """A worker that ends with the last table that uses it."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self.unused: list[int] = []
        weakref.finalize(self, worker.close)

    def ask(self, function: str, *arguments: Any) -> Any:
        """The answer of one of ``served.py``'s functions.

        Raises:
            FaultError: the game broke its contract or its limits, which is never scored as play.
        """
        try:
            if self.unused:
                unused = [*self.unused]
                self.unused.clear()  # the same list: finalizers of tables hold it
                self._worker.request("drop", [unused])
            return self._worker.request(function, arguments)
        except SandboxError as error:
            raise FaultError(f"the game's code failed: {error}") from error


class RemoteTable:
    """Like :class:`interactive_envs.generated.host.Table`, in the sandbox."""

    def __init__(self, process: _Process, function: str, *arguments: Any) -> None:
        self._process = process
        self._read(process.ask(function, *arguments))
        weakref.finalize(self, process.unused.append, self._number)

    def say(self, action: int) -> None:
        """Play a legal move and note it in words."""
        self._read(self._process.ask("say", self._number, action))

    def clone(self) -> RemoteTable:
        """An independent copy."""
        return RemoteTable(self._process, "clone", self._number)

    def __deepcopy__(self, memo: Any) -> RemoteTable:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        raise ConfigError("a game that runs in the sandbox cannot be pickled; make the environment where it is used")

    def view(self, seat: int) -> dict[str, Any]:
        """All that a seat may know."""
        return checked(self._process.ask("view", self._number, seat), seat)

    def score(self, seat: int) -> float:
        """1 for a win of the seat, -1 for a loss, else 0."""
        return 0.0 if self.result not in WON else 1.0 if WON[seat] == self.result else -1.0

    def _read(self, told: Any) -> None:
        try:
            self._number, self.turns = int(told["number"]), int(told["turns"])
            self.seat, self.result = int(told["seat"]), told["result"]
        except (KeyError, TypeError, ValueError) as error:
            raise FaultError(f"the game's process answered with {told!r:.100}") from error
        if self.seat not in (0, 1) or self.result not in _RESULTS:
            raise FaultError(f"the game's process answered with {told!r:.100}")


class RemoteSearch:
    """Like :class:`interactive_envs.generated.search.Search`, in the sandbox."""

    def __init__(self, process: _Process, settings: Settings | None, network: Network | None, nodes: int) -> None:
        self._process = process
        if settings is None:
            process.ask("minimax", nodes)
        else:
            process.ask("search", vars(settings), None if network is None else network.as_json())

    def choose(self, view: Mapping[str, Any], seed: int) -> dict[str, Any]:
        """A move for the seat whose view this is."""
        chosen = self._process.ask("choose", dict(view), seed)
        if not isinstance(chosen, dict) or chosen.get("action") not in view["legal"]:
            raise FaultError(f"the game's process answered with {chosen!r:.100}")
        return chosen


def checked(view: Any, seat: int) -> dict[str, Any]:
    """A view out of the sandbox, if it has the form of one.

    Raises:
        FaultError: it has not.
    """
    lists = ("legal", "names", "log", "moves", "observation")
    if not (
        isinstance(view, dict)
        and view.get("seat") == seat
        and view.get("to_move") in (0, 1)
        and view.get("result") in _RESULTS
        and isinstance(view.get("board"), str)
        and isinstance(view.get("known"), dict)
        and isinstance(view.get("turns"), int)
        and all(isinstance(view.get(name), list) for name in lists)
        and all(type(action) is int for name in ("legal", "moves") for action in view[name])
        and all(isinstance(text, str) for name in ("names", "log") for text in view[name])
        and all(isinstance(value, int | float) for value in view["observation"])
        and len(view["legal"]) == len(view["names"])
    ):
        raise FaultError(f"the game's process answered with a view of another form: {view!r:.200}")
    return view
