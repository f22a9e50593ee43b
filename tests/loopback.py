"""A fake OpenAI-compatible endpoint on 127.0.0.1, with latency and faults, for tests and benchmarks."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import email.utils
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

FAULTS = ("429", "429-retry-after", "500", "503", "hang", "cut", "invalid-json", "no-choices", "content-filter")


@dataclass(frozen=True)
class Answer:
    """One HTTP answer.

    Attributes:
        status: the HTTP status.
        body: a JSON value, or bytes sent as they are.
        headers: extra headers.
        hang: seconds to wait before answering.
        cut: whether the connection closes in the middle of the body.
    """

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    hang: float = 0.0
    cut: bool = False


def completion(text: str | None, *, finish: str | None = "stop", prompt: int = 10, **usage: Any) -> dict[str, Any]:
    """The body of a chat completion."""
    count = len((text or "").split())
    return {
        "id": "chatcmpl-0",
        "object": "chat.completion",
        "created": 0,
        "model": "fake-1",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}],
        "usage": {"prompt_tokens": prompt, "completion_tokens": count, "total_tokens": prompt + count, **usage},
    }


def streamed(body: dict[str, Any]) -> bytes:
    """A chat completion as server-sent events, as it comes with ``stream``: two pieces of text, the end, the usage."""
    head = {"id": body["id"], "object": "chat.completion.chunk", "created": body["created"], "model": body["model"]}
    chunks: list[dict[str, Any]] = []
    for choice in body["choices"]:
        text = choice["message"]["content"] or ""
        pieces = (text[: len(text) // 2], text[len(text) // 2 :])
        deltas: list[tuple[dict[str, Any], str | None]] = [({"role": "assistant", "content": pieces[0]}, None)]
        deltas += [({"content": pieces[1]}, None), ({}, choice["finish_reason"])]
        chunks += [
            {**head, "choices": [{"index": choice["index"], "delta": delta, "finish_reason": finish}]}
            for delta, finish in deltas
        ]
    chunks.append({**head, "choices": [], "usage": body["usage"]})
    return b"".join(b"data: %s\n\n" % json.dumps(chunk).encode() for chunk in chunks) + b"data: [DONE]\n\n"


def last_words(messages: Sequence[Any]) -> str:
    """The default reply: the end of the last message."""
    return f"heard: {str(messages[-1]['content'])[-40:]}"


class Loopback:
    """The endpoint, served by a thread of its own while the ``with`` block lasts.

    Args:
        reply: the reply to a dialogue; it must be a function of the messages, so that a run under faults can be
            compared with a clean one.
        latency: seconds each answer takes.
        fault_rate: how often an answer is a fault.
        faults: which faults are drawn.
        seed: seed of the faults.
        hang: seconds a hanging answer takes; set the client's timeout below.
        script: answers given first, in order, to whoever asks.
    """

    def __init__(
        self,
        reply: Callable[[Sequence[Any]], str] = last_words,
        *,
        latency: float = 0.0,
        fault_rate: float = 0.0,
        faults: Sequence[str] = FAULTS,
        seed: int = 0,
        hang: float = 5.0,
        script: Sequence[Answer] = (),
    ) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.connections = 0
        self.served: Counter[str] = Counter()
        self._reply, self._latency, self._hang = reply, latency, hang
        self.fault_rate, self._faults, self._random = fault_rate, tuple(faults), random.Random(seed)
        self._script = list(script)
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._run, name="loopback", daemon=True)
        self.port = 0

    @property
    def url(self) -> str:
        """The base URL."""
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> Loopback:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def _run(self) -> None:
        with contextlib.closing(self._loop):
            self._loop.run_until_complete(self._serve())

    async def _serve(self) -> None:
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0, backlog=512, limit=2**24)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        told = set[asyncio.Task[None]]()
        # Only when nothing is under way: of a connection that is just being accepted, a closed server loses the socket.
        while waiting := asyncio.all_tasks() - {asyncio.current_task()}:
            for task in self._tasks - told:
                task.cancel()
            told |= self._tasks
            await asyncio.wait(waiting, timeout=0.01)
        server.close()
        await asyncio.sleep(0)  # the loop closes the sockets of what was aborted

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self.connections += 1
        try:
            with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
                while await self._exchange(reader, writer):
                    pass
                writer.close()
                await writer.wait_closed()
        finally:
            writer.transport.abort()  # a transport that outlives its loop is a warning in whatever test comes next

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:]) if name
        }
        body = json.loads(await reader.readexactly(int(headers.get("content-length", "0"))))
        self.bodies.append(body)
        self.headers.append(headers)
        answer = self._answer(body, lines[0])
        await asyncio.sleep(self._latency + answer.hang)
        if body.get("stream") and isinstance(answer.body, dict) and "choices" in answer.body:
            answer = dataclasses.replace(
                answer, body=streamed(answer.body), headers={"Content-Type": "text/event-stream", **answer.headers}
            )
        content = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
        head = {"Content-Type": "application/json", "Content-Length": str(len(content)), **answer.headers}
        text = "".join(f"{name}: {value}\r\n" for name, value in head.items())
        writer.write(
            f"HTTP/1.1 {answer.status} X\r\n{text}\r\n".encode()
            + (content[: len(content) // 2] if answer.cut else content)
        )
        await writer.drain()
        return not answer.cut

    def _answer(self, body: dict[str, Any], line: str) -> Answer:
        if not line.startswith("POST /v1/chat/completions "):
            return Answer(404, {"error": {"message": "no such path"}})
        if self._script:
            self.served["script"] += 1
            return self._script.pop(0)
        good = completion(self._reply(body["messages"]), prompt=sum(len(str(m["content"])) for m in body["messages"]))
        fault = self._random.choice(self._faults) if self._random.random() < self.fault_rate else "good"
        self.served[fault] += 1
        match fault:
            case "429":
                return Answer(429, {"error": {"message": "Rate limit reached"}})
            case "429-retry-after":
                return Answer(429, {"error": {"message": "Rate limit reached"}}, {"Retry-After": "0.01"})
            case "500":
                return Answer(500, b"<html>Internal Server Error</html>", {"Content-Type": "text/html"})
            case "503":
                return Answer(503, {"error": {"message": "overloaded"}}, {"Retry-After": _soon()})
            case "hang":
                return Answer(200, good, hang=self._hang)
            case "cut":
                return Answer(200, good, cut=True)
            case "invalid-json":
                return Answer(200, json.dumps(good).encode()[:-9])
            case "no-choices":
                return Answer(200, {**good, "choices": []})
            case "content-filter":
                return Answer(200, completion(None, finish="content_filter"))
        return Answer(200, good)


class Dripping(Loopback):
    """An endpoint that answers with one piece after another for as long as anybody listens, and is never done.

    Args:
        start: the bytes it begins with.
        piece: the bytes that follow, again and again.
        pause: seconds between two pieces; 0 sends as many as the other side takes.
    """

    def __init__(self, start: bytes, piece: bytes, pause: float = 0.05) -> None:
        super().__init__()
        self._start, self._piece, self._pause = start, piece, pause

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        await reader.readuntil(b"\r\n\r\n")
        try:
            writer.write(self._start)
            while True:
                writer.write(self._piece)
                await writer.drain()
                await asyncio.sleep(self._pause)
        finally:
            writer.transport.abort()  # closing would wait for somebody to take what is left


class Redirecting(Loopback):
    """An endpoint that sends everybody to another one."""

    def __init__(self, status: int, elsewhere: str, body: Any = None) -> None:
        super().__init__()
        self._redirect = Answer(status, body, {"Location": elsewhere})

    def _answer(self, body: dict[str, Any], line: str) -> Answer:
        return self._redirect


def ends(work: Callable[[], Any], seconds: float = 30.0) -> BaseException:
    """The error that a piece of work ends with within these seconds: one that hangs fails the test, not the suite."""
    caught: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            caught.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive() or not caught:
        raise AssertionError("it still hangs" if thread.is_alive() else "it ended without an error")
    return caught[0]


def _soon() -> str:
    return email.utils.formatdate(time.time(), usegmt=True)


def main() -> None:
    """Serve until standard input ends: ``python -m tests.loopback '{"latency": 0.2}'`` prints the base URL."""
    import sys

    with Loopback(**json.loads(sys.argv[1] if len(sys.argv) > 1 else "{}")) as server:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main()
