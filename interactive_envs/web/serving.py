"""Starts the server: one process, two ports of the loopback address, one for the pages and one for players' pages."""

from __future__ import annotations

import contextlib
import secrets
import socket
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from interactive_envs.errors import ConfigError
from interactive_envs.reporting import estimates
from interactive_envs.system.loopback import HOST, bound
from interactive_envs.web.app import make_app
from interactive_envs.web.frames import Frames
from interactive_envs.web.guard import PARAMETER, Guard
from interactive_envs.web.library import Library
from interactive_envs.web.playing import Games

PORT = 8765


class _ByPort:
    """Two applications that share one server, told apart by the port that was called."""

    def __init__(self, pages: ASGIApp, frames: ASGIApp, frames_port: int) -> None:
        self._pages, self._frames, self._port = pages, frames, frames_port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        called = (scope.get("server") or (HOST, 0))[1]
        await (self._frames if called == self._port else self._pages)(scope, receive, send)


class Server:
    """The pages of some runs, ready to be served.

    Attributes:
        address: to be opened in a browser; it holds the key.
        origin: of the pages.
        frames: origin of the pages that players wrote.
    """

    def __init__(self, app: ASGIApp, sockets: list[socket.socket], token: str) -> None:
        self.origin, self.frames = (f"http://{HOST}:{one.getsockname()[1]}" for one in sockets)
        self.address = f"{self.origin}/?{PARAMETER}={token}"
        self._sockets = sockets
        # a stream of events never ends by itself
        config = uvicorn.Config(app, log_level="warning", lifespan="off", timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)

    def serve(self) -> None:
        """Serve until it is stopped, or Ctrl-C or SIGTERM ends it."""
        with contextlib.suppress(KeyboardInterrupt):
            self._server.run(sockets=self._sockets)

    def stop(self) -> None:
        """End in order; may be called from any thread."""
        self._server.should_exit = True


@contextlib.contextmanager
def serving(runs: Sequence[Path], *, port: int = PORT, home: Path | None = None) -> Iterator[Server]:
    """Open the ports.

    Args:
        runs: run folders, or folders that hold some.
        port: of the pages; 0 for any that is free.
        home: where games of people are kept; by default a folder ``people`` in the first of ``runs``, or beside that
            where it is a run itself.

    Raises:
        ConfigError: the port is in use, or a folder does not exist.
    """
    missing = [str(folder) for folder in runs if not folder.is_dir()]
    if missing:
        raise ConfigError(f"{missing[0]} is no folder; give a folder with runs, such as runs")
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(bound(one, "--port")) for one in (port, 0)]
        here, there = (f"{HOST}:{one.getsockname()[1]}" for one in sockets)
        token = secrets.token_urlsafe(24)
        first = runs[0].parent if (runs[0] / "config.json").exists() else runs[0]
        home = home or first / "people"
        games = Games(home)
        held.callback(games.close)
        frames = Frames(f"http://{there}", f"http://{here}")
        # SciPy, which intervals need, takes a second to load: not while somebody waits for the first page
        threading.Thread(target=estimates.student, args=(1,), daemon=True).start()
        library = Library(runs if home.is_relative_to(runs[0]) else [*runs, home])
        pages = Guard(make_app(library, games, frames), token, [here], frames.origin)
        foreign = Starlette(routes=[Route("/{name}", frames.answer, methods=["GET"])])
        yield Server(_ByPort(pages, foreign, sockets[1].getsockname()[1]), sockets, token)
