"""Where workers on other machines ask the one process that keeps the books: leave to pay, and calls paid before.

The desk is a small HTTP server in that process. A worker holds a lease for one paying action at a time: it asks for the
first, and its report of what it paid brings the next. So the cost limit is passed by no more than one action a worker,
and what an episode paid before its machine was lost is counted. Everything that is asked may be asked twice.
"""

from __future__ import annotations

import collections
import functools
import hmac
import http.client
import json
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from interactive_envs.errors import ConfigError, CostLimitError, FaultError, IbenchError
from interactive_envs.evaluation.run.episode import Spending, StoppedError
from interactive_envs.llm import cache as calls
from interactive_envs.llm.calls import ModelCall

LARGEST = 64 << 20
"""Bytes of a request at most."""
PAUSES = (0.1, 0.5, 2.0)
"""Seconds before each further try of a request that did not get through."""
PATIENCE = 60.0
"""Seconds that the desk has to answer."""


@dataclass(frozen=True)
class Address:
    """Where a desk is, and the word that it wants to hear."""

    host: str
    port: int
    token: str = field(repr=False)


class Desk:
    """Answers workers, in threads, until it is closed.

    Args:
        host: the address of this machine, as the workers know it.
        spending: what the run has cost, and whether it goes on.
        cache: calls paid before; None for the usual file.

    Raises:
        ConfigError: this machine hasn't that address.
    """

    def __init__(self, host: str, spending: Spending, cache: calls.Cache | None = None) -> None:
        self._spending = spending
        self._cache = cache or calls.CallCache()
        self._paid: dict[int, float] = {}
        self._lost: set[int] = set()
        self._lock = threading.Lock()
        token = secrets.token_urlsafe(32)
        answers: dict[str, Callable[..., Any]] = {
            "lease": self._lease,
            "pay": self._pay,
            "get": self._get,
            "put": self._put,
        }
        try:
            self._server = _Server((host, 0), functools.partial(_Handler, token, answers))
        except OSError as error:
            why = error.strerror or error
            raise ConfigError(
                f"workers would ask this machine at {host}, which isn't its address ({why}): Ray took it for another "
                "one; start the run on the head of the cluster"
            ) from None
        self.address = Address(host, self._server.server_address[1], token)
        threading.Thread(target=self._server.serve_forever, daemon=True, name="desk").start()

    def forget(self, attempt: int) -> None:
        """An attempt has ended, and reported all that it paid."""
        with self._lock:
            self._paid.pop(attempt, None)

    def give_up(self, attempt: int) -> None:
        """An attempt is given up: if it is played still, behind a cable that was cut, it pays no more."""
        self._lost.add(attempt)

    def close(self) -> None:
        """Answer nobody any more."""
        self._server.shutdown()
        self._server.server_close()
        self._cache.close()

    def _lease(self, attempt: int) -> None:
        if attempt in self._lost:
            raise StoppedError("this attempt was given up, and is made again elsewhere")
        self._spending.check()

    def _pay(self, attempt: int, total: float) -> None:
        with self._lock:
            more = total - self._paid.get(attempt, 0.0)
            if more > 0:
                self._paid[attempt] = total
                self._spending.count(more)
        self._lease(attempt)

    def _get(self, key: str) -> dict[str, Any] | None:
        call = self._cache.get(key)
        return None if call is None else calls.stored(call)

    def _put(self, key: str, call: Mapping[str, Any]) -> None:
        self._cache.put(key, calls.restored(call))


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 512

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A worker that is lost in the middle of a sentence is no news here."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # a connection is kept
    wbufsize = -1
    disable_nagle_algorithm = True

    def __init__(self, token: str, answers: Mapping[str, Callable[..., Any]], *args: Any) -> None:
        self._token, self._answers = token, answers
        super().__init__(*args)

    def do_POST(self) -> None:
        answer = self._answers.get(self.path.removeprefix("/"))
        length = int(self.headers.get("Content-Length", "0"))
        if not hmac.compare_digest(self.headers.get("Authorization", "").encode(), self._token.encode()):
            self._say(403, {})
        elif answer is None or not 0 <= length <= LARGEST:
            self._say(400, {})
        else:
            content = json.loads(self.rfile.read(length))
            try:
                self._say(200, {"value": answer(**content)})
            except IbenchError as error:
                self._say(200, refusal(error))

    def _say(self, status: int, content: Mapping[str, Any]) -> None:
        body = json.dumps(content).encode()
        self.send_response_only(status)
        self.send_header("Content-Length", str(len(body)))
        if status != 200:
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


_KINDS: Mapping[str, type[IbenchError]] = {
    "stopped": StoppedError,
    "cost": CostLimitError,
    "config": ConfigError,
}


def refusal(error: IbenchError) -> dict[str, str]:
    """An error as JSON."""
    if isinstance(error, FaultError):
        return {"refused": "fault", "why": str(error), "fault": error.fault.value}
    kind = next((kind for kind, cls in _KINDS.items() if isinstance(error, cls)), "config")
    return {"refused": kind, "why": str(error)}


def refused(content: Mapping[str, str]) -> IbenchError:
    """The error that :func:`refusal` made JSON of."""
    if content["refused"] != "fault":
        return _KINDS[content["refused"]](content["why"])
    error = FaultError(content["why"])
    error.fault = type(error.fault)(content["fault"])
    return error


class Asking:
    """Asks a desk; thread-safe. Connections are kept, and each is used by one thread at a time.

    Args:
        address: of the desk.
    """

    def __init__(self, address: Address) -> None:
        self._address = address
        self._idle: collections.deque[http.client.HTTPConnection] = collections.deque()

    def close(self) -> None:
        """Close the connections."""
        while self._idle:
            self._idle.pop().close()

    def __call__(self, what: str, **content: Any) -> Any:
        """Ask, and say what the desk answers.

        Raises:
            FaultError: the desk does not answer.
            IbenchError: what it refuses.
        """
        body = json.dumps(content).encode()
        for pause in (*PAUSES, None):
            try:
                answer = self._once(what, body)
                break
            except (OSError, http.client.HTTPException) as error:
                self.close()  # the others are as old
                if pause is None:
                    where = f"{self._address.host}:{self._address.port}"
                    why = f"the run that gave out the work does not answer at {where}: {error!r}"
                    raise FaultError(why) from error
                time.sleep(pause)
        if "refused" in answer:
            raise refused(answer)
        return answer["value"]

    def _once(self, what: str, body: bytes) -> Any:
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = http.client.HTTPConnection(self._address.host, self._address.port, timeout=PATIENCE)
        try:
            connection.request("POST", f"/{what}", body, {"Authorization": self._address.token})
            with connection.getresponse() as response:
                content = response.read()
            if response.status != 200:
                raise ConfigError(f"another run than the one that gave out the work answers (HTTP {response.status})")
        except BaseException:
            connection.close()
            raise
        self._idle.append(connection)
        return json.loads(content)


class DeskCache:
    """The calls that the desk keeps, as a cache for the clients of a worker."""

    def __init__(self, ask: Asking) -> None:
        self._ask = ask

    def get(self, key: str) -> ModelCall | None:
        """See :meth:`interactive_envs.llm.cache.CallCache.get`."""
        content = self._ask("get", key=key)
        return None if content is None else calls.restored(content)

    def put(self, key: str, call: ModelCall) -> None:
        """See :meth:`interactive_envs.llm.cache.CallCache.put`."""
        self._ask("put", key=key, call=calls.stored(call))

    def close(self) -> None:
        """The connections are those of the worker."""


class Leased(Spending):
    """What an episode may pay on a worker: an action at a time, with leave from the desk.

    Args:
        ask: the desk.
        attempt: the number of this attempt at the episode, under which its payments are counted once.
    """

    def __init__(self, ask: Asking, attempt: int) -> None:
        super().__init__(None)
        self._ask, self._attempt = ask, attempt
        self._leased = False
        self._refused: IbenchError | None = None

    def add(self, calls: Sequence[ModelCall]) -> float:
        """Report what was paid; a refusal is raised when the episode asks whether to go on."""
        paid = super().add(calls)
        if paid:
            try:
                self._ask("pay", attempt=self._attempt, total=self.spent)
            except (StoppedError, CostLimitError) as error:
                self._refused = error
        return paid

    def check(self) -> None:
        """Go on only with leave.

        Raises:
            StoppedError: the run is stopped.
            CostLimitError: its limit is reached.
        """
        if self._refused is not None:
            raise self._refused
        if not self._leased:
            self._ask("lease", attempt=self._attempt)
            self._leased = True
