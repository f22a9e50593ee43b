"""The embedded language model: SmolLM2-135M-Instruct in llama.cpp, with a server process of its own."""

from __future__ import annotations

import dataclasses
import importlib.util
import os
import subprocess
import sys
import threading
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from interactive_envs.errors import ConfigError, MissingExtraError, ProviderError
from interactive_envs.llm.base import CompletionRequest, Message
from interactive_envs.llm.calls import ModelCall
from interactive_envs.llm.http import HttpClient
from interactive_envs.llm.pricing import FREE
from interactive_envs.llm.process import PerProcess
from interactive_envs.llm.retry import Reply, TransientError
from interactive_envs.llm.weights import MINILM, SMOLLM2, install, status
from interactive_envs.seeds import canonical_json

__all__ = ["MINILM", "SMOLLM2", "LocalClient", "install", "status"]

NAME = "local/smollm2-135m"
LONGEST_CONTEXT = 8192
"""Tokens; the model was trained for no more."""
DEFAULTS = {"temperature": 0, "max_tokens": 256}
PARAMETERS = frozenset(
    "temperature max_tokens seed stop top_p top_k min_p typical_p presence_penalty frequency_penalty repeat_penalty "
    "repeat_last_n".split()
)
"""What a spec may set; the server itself ignores what it does not know."""
BATCH = 32
"""Tokens computed at once: from 64 on llama.cpp sums in another order, and then a reply would depend on how much
of its prompt an earlier call left in the cache. Below, a call gives the same reply whatever came before it."""
PROMPT_CACHE_MIB = 512


class LocalClient(HttpClient):
    """The embedded model: one server per process that uses it, started at the first call.

    A call whose server dies ends with ProviderError, and the next one starts another.

    The server is a process of its own because llama.cpp's threads do not survive a fork: a forked child that
    holds them crashes when it ends. It ends with the process that started it, however that dies.

    Calls take turns: the server computes one at a time, so that seeded calls repeat exactly. Where a request
    does not say, ``temperature`` is 0, ``max_tokens`` 256, and ``seed`` a number made from the request's salt.

    Args:
        threads: threads to compute with; another number sums in another order, and may reply otherwise.
        context_length: tokens of prompt and reply together, at most 8192.
        timeout: seconds one call may take once it is its turn.

    Raises:
        MissingExtraError: the engine or the weights are not installed.
    """

    paced = False

    def __init__(self, *, threads: int = 1, context_length: int = LONGEST_CONTEXT, timeout: float = 600.0) -> None:
        _check("threads", threads, 1, os.cpu_count() or 1)
        _check("context_length", context_length, 256, LONGEST_CONTEXT)
        if importlib.util.find_spec("xllamacpp") is None:
            raise MissingExtraError("the local model", "local")
        weights = SMOLLM2.path(next(iter(SMOLLM2.files)))
        super().__init__(NAME, base_url="http://127.0.0.1", grammar=True, price=FREE, timeout=timeout, max_wait=timeout)
        self.base = f"{NAME} {SMOLLM2.files[weights.name][:12]} {context_length} {threads}"
        self.context_length = context_length
        self.server = PerProcess(lambda: _Server(weights, threads, context_length), _Server.close)
        self._turn = PerProcess(threading.Lock)

    def complete(self, request: CompletionRequest) -> ModelCall:
        """Complete one dialogue when it is its turn."""
        seed = zlib.crc32(canonical_json(request.salt).encode())
        parameters = {**DEFAULTS, "seed": seed, **request.parameters}
        with self._turn.get():
            return super().complete(dataclasses.replace(request, parameters=parameters))

    def close(self) -> None:
        """Stop the server; a call that is under way ends with ProviderError."""
        super().close()
        self.server.close()

    def _url(self) -> str:
        if self._closed.is_set():
            raise ProviderError(f"{self.model}: the client is closed")
        self._serving = self.server.get()
        if self._serving.ended():
            self.server.close()
            self._serving = self.server.get()
        return f"{self._serving.address}/v1/chat/completions"

    def _ask(self, messages: Sequence[Message], parameters: Mapping[str, Any], timeout: float) -> Reply:
        try:
            return super()._ask(messages, parameters, timeout)
        except TransientError as error:
            if self._closed.is_set() or not self._serving.ended(patience=0.2):
                raise
            raise ProviderError(f"{self.model}: its server died; the next call starts another") from error


class _Server:
    """The process that serves the model."""

    def __init__(self, weights: Path, threads: int, context_length: int) -> None:
        script = Path(__file__).with_name("local_server.py")
        numbers = map(str, (threads, context_length, BATCH, PROMPT_CACHE_MIB))
        # Threads that spin while they wait take the cores from those that compute: ten times slower.
        environment = {**os.environ, "OMP_WAIT_POLICY": "PASSIVE"}
        self.process = subprocess.Popen(  # noqa: S603 - our own script
            # -P: else our http.py beside the script would hide Python's own http package.
            [sys.executable, "-P", str(script), str(weights), *numbers],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,  # Ctrl-C is for whoever runs the episodes, and they may want to end theirs
        )
        self.address = self.process.stdout.readline().strip() if self.process.stdout else ""
        if not self.address.startswith("http://127.0.0.1:"):
            self.close()
            raise ProviderError(
                f"{NAME}: its server did not start (exit status {self.process.returncode}); see: ibench doctor"
            )

    def ended(self, patience: float = 0.0) -> bool:
        """Whether the process is over; its connections break a little earlier, hence the patience in seconds."""
        try:
            self.process.wait(patience)
        except subprocess.TimeoutExpired:
            return False
        return True

    def close(self) -> None:
        self.process.kill()
        with self.process:  # closes the pipes and waits
            pass


def _check(name: str, value: Any, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ConfigError(f"{name} of the local model must be {least} to {most}, got {value!r}")
