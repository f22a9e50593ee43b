"""Speaks the Model Context Protocol with the official SDK: over standard input and output, or HTTP on loopback."""

from __future__ import annotations

import contextlib
import hmac
import os
import secrets
import signal
import threading
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any

from interactive_envs.errors import ConfigError, MissingExtraError
from interactive_envs.integrations.mcp.sessions import RULES, Reply, Run, Session
from interactive_envs.system.loopback import HOST, bound

try:
    import anyio
    import mcp_types as types
    import uvicorn
    from mcp.server import Server
    from mcp.server.stdio import stdio_server
    from mcp.shared.exceptions import MCPError
    from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
except ModuleNotFoundError as missing:
    raise MissingExtraError("ibench mcp", "mcp") from missing

PATH = "/mcp"
URI = "ibench://rules"
"""The resource that holds the rules."""
_SESSION = "mcp-session-id"


class Sessions:
    """The sessions of a server's clients; thread-safe.

    Args:
        run: what they play.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._sessions: dict[str, Session] = {}
        self._lock = threading.Lock()

    def get(self, number: str, client: str) -> Session:
        """The session of a connection.

        Args:
            number: the connection's; "" where there is only one.
            client: what the client calls itself.
        """
        with self._lock:
            if number not in self._sessions:
                self._sessions[number] = Session(self._run, client)
            return self._sessions[number]

    def end(self, number: str) -> None:
        """End a session, if there is one."""
        with self._lock:
            session = self._sessions.pop(number, None)
        if session is not None:
            session.close()

    def close(self) -> None:
        """End all sessions and the run."""
        for number in list(self._sessions):
            self.end(number)
        self._run.close()


def make_server(run: Run, sessions: Sessions, *, over_http: bool = False) -> Server[Any]:
    """The server of a run.

    Over HTTP it offers the protocol's versions with sessions alone: in later ones a request belongs to no session, and
    an episode is one. Clients agree on such a version by themselves.

    Args:
        run: what is played.
        sessions: of its clients.
        over_http: whether several clients may come.
    """

    def session_of(context: Any) -> Session:
        number = context.request.headers.get(_SESSION, "") if over_http else ""
        if over_http and not number:
            raise ConfigError("this server plays an episode in a session; use a version of the protocol that has them")
        known = context.session.client_params
        return sessions.get(number, known.client_info.name if known else "")

    async def call(context: Any, name: str, given: dict[str, Any]) -> Reply:
        try:
            session = session_of(context)
        except ConfigError as error:
            return Reply(str(error), True)
        return await anyio.to_thread.run_sync(session.call, name, given)

    async def list_tools(_: Any, __: Any) -> Any:
        tools = [types.Tool(name=one.name, description=one.about, input_schema=dict(one.schema)) for one in run.tools]
        return types.ListToolsResult(tools=tools)

    async def call_tool(context: Any, params: Any) -> Any:
        reply = await call(context, params.name, dict(params.arguments or {}))
        content = types.TextContent(type="text", text=reply.text)
        return types.CallToolResult(content=[content], is_error=reply.is_error)

    async def list_resources(_: Any, __: Any) -> Any:
        about = "The rules of the episode of this session; reading them begins it."
        return types.ListResourcesResult(
            resources=[types.Resource(uri=URI, name=RULES, description=about, mime_type="text/plain")]
        )

    async def read_resource(context: Any, params: Any) -> Any:
        if str(params.uri) != URI:
            raise MCPError(types.INVALID_PARAMS, f"there is no resource {params.uri}; there is {URI}")
        reply = await call(context, RULES, {})
        if reply.is_error:
            raise MCPError(types.INTERNAL_ERROR, reply.text)
        content = types.TextResourceContents(uri=URI, mime_type="text/plain", text=reply.text)
        return types.ReadResourceResult(contents=[content])

    server: Server[Any] = Server(
        "interactive-envs",
        version=version("interactive-envs"),
        instructions=run.instructions(opening=not over_http),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )
    if over_http:

        async def discover(_: Any, __: Any) -> Any:
            return types.DiscoverResult(
                supported_versions=list(HANDSHAKE_PROTOCOL_VERSIONS),
                capabilities=server.get_capabilities(),
                instructions=server.instructions,
            )

        server.add_request_handler("server/discover", types.RequestParams, discover)
    return server


def serve_stdio(run: Run) -> None:
    """Serve the one client at standard input and output until it leaves."""
    sessions = Sessions(run)
    server = make_server(run, sessions)

    async def serve() -> None:
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    with _ended_in_order(sessions.close):
        anyio.run(serve)


def serve_http(run: Run, port: int, on_ready: Callable[[str, str], object]) -> None:
    """Serve clients of this machine over HTTP until Ctrl-C or SIGTERM.

    Args:
        run: what is played.
        port: of loopback; 0 for any that is free.
        on_ready: called with the address, and the token that every request must bring.

    Raises:
        ConfigError: the port is in use.
    """
    sessions = Sessions(run)
    token = secrets.token_urlsafe(24)
    server = make_server(run, sessions, over_http=True)
    app = Guard(server.streamable_http_app(streamable_http_path=PATH, host=HOST), token, sessions.end)
    with _ended_in_order(sessions.close), bound(port, "--http") as listener:
        on_ready(f"http://{HOST}:{listener.getsockname()[1]}{PATH}", token)
        # a stream of events never ends by itself; uvicorn hands a signal on when it has ended
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
        uvicorn.Server(config).run(sockets=[listener])


class Guard:
    """Lets requests through that bring the token, and ends the session that a client gives back.

    The SDK looks at the names by which the server is called, and refuses pages of other sites.

    Args:
        app: what answers.
        token: the secret.
        end: called with the number of a session that its client has ended.
    """

    def __init__(self, app: Any, token: str, end: Callable[[str], None]) -> None:
        self._app, self._key, self._end = app, f"Bearer {token}".encode(), end

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        if not hmac.compare_digest(headers.get(b"authorization", b""), self._key):
            text = b"Refused: send the header Authorization: Bearer TOKEN, as ibench mcp printed it.\n"
            await send({"type": "http.response.start", "status": 401, "headers": [(b"content-type", b"text/plain")]})
            await send({"type": "http.response.body", "body": text})
            return
        await self._app(scope, receive, send)
        if scope["method"] == "DELETE":
            await anyio.to_thread.run_sync(self._end, headers.get(_SESSION.encode(), b"").decode("latin-1"))


@contextlib.contextmanager
def _ended_in_order(close: Callable[[], None]) -> Iterator[None]:
    """End in order, also at a signal: a thread that waits for standard input ends with the process alone."""

    def end(number: int, _: object) -> None:
        close()
        os._exit(128 + number)

    before = {one: signal.signal(one, end) for one in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
        close()
