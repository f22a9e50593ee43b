"""OpenAI-compatible chat completions over a thin httpx transport."""

from __future__ import annotations

import collections
import contextlib
import email.utils
import json
import os
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx

from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.llm.base import Constraint, Message
from interactive_envs.llm.pricing import Price
from interactive_envs.llm.process import PerProcess
from interactive_envs.llm.retry import ContextOverflowError, Reply, RetryingClient, TransientError, read_reply

__all__ = ["PROVIDERS", "ContextOverflowError", "HttpClient", "Provider"]

LARGEST_BODY = 32 * 2**20


@dataclass(frozen=True)
class Provider:
    """Where a provider's OpenAI-compatible endpoint is, and which environment variable holds the key."""

    base_url: str
    key: str


PROVIDERS: Mapping[str, Provider] = {
    "openai": Provider("https://api.openai.com/v1", "OPENAI_API_KEY"),
    "xai": Provider("https://api.x.ai/v1", "XAI_API_KEY"),
    "deepseek": Provider("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
    "groq": Provider("https://api.groq.com/openai/v1", "GROQ_API_KEY"),
    "openrouter": Provider("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    "mistral": Provider("https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
    "together_ai": Provider("https://api.together.xyz/v1", "TOGETHERAI_API_KEY"),
    "together": Provider("https://api.together.xyz/v1", "TOGETHER_API_KEY"),
    "fireworks_ai": Provider("https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY"),
    "fireworks": Provider("https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY"),
    "cerebras": Provider("https://api.cerebras.ai/v1", "CEREBRAS_API_KEY"),
    "moonshot": Provider("https://api.moonshot.ai/v1", "MOONSHOT_API_KEY"),
    "nvidia_nim": Provider("https://integrate.api.nvidia.com/v1", "NVIDIA_NIM_API_KEY"),
}


class HttpClient(RetryingClient):
    """A model behind an OpenAI-compatible endpoint.

    Thread-safe. Every concurrent call has a connection of its own, kept for the next one: httpx's shared
    pool searches all its connections at each call.

    Args:
        model: ``provider/name``.
        base_url: an endpoint of your own, up to ``/v1``; the provider's key is then not sent.
        api_key_env: the environment variable that holds the key.
        grammar: whether the endpoint takes llama.cpp grammars.
        price: what the model costs, None where unknown.
        timeout: seconds one try may take; slow reasoning models need more than the default.
        max_wait: seconds all tries of one call may take together.
        backoff: seconds of the first pause between tries.

    Raises:
        UnknownNameError: an unknown provider and no ``base_url``.
        ConfigError: no key, or a ``base_url`` that cannot work.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key_env: str | None = None,
        grammar: bool = False,
        price: Price | None = None,
        timeout: float = 60.0,
        max_wait: float = 120.0,
        backoff: float = 0.5,
    ) -> None:
        super().__init__(model, price=price, timeout=timeout, max_wait=max_wait, backoff=backoff)
        prefix, _, self._name = model.partition("/")
        if not self._name:
            raise ConfigError(f"model {model!r} has no provider; write provider/name, e.g. openai/gpt-5-mini")
        if base_url is None and prefix not in PROVIDERS:
            raise UnknownNameError("provider", prefix, PROVIDERS)
        self._key_name = api_key_env or (PROVIDERS[prefix].key if base_url is None else None)
        self.secret = os.environ.get(self._key_name, "").strip() if self._key_name else None
        if self._key_name and not self.secret:
            raise ConfigError(f"{model} needs a key; {self.key_remedy()}")
        self.base = _checked_url(base_url or PROVIDERS[prefix].base_url)
        self._grammar = grammar
        headers = {
            "Content-Type": "application/json",
            "Accept-Encoding": "gzip",
            "User-Agent": "interactive-envs",
        }
        if self.secret:
            if not (self.secret.isascii() and self.secret.isprintable()):
                raise ConfigError(f"the key in {self._key_name} holds characters no key has; {self.key_remedy()}")
            headers["Authorization"] = f"Bearer {self.secret}"
        self.connections = PerProcess(lambda: Connections(self.base, headers), Connections.close)

    def close(self) -> None:
        """Close connections; calls under way end with ProviderError at once, and so do later ones."""
        super().close()
        self.connections.close()

    def constrain(self, constraint: Constraint | None) -> dict[str, Any]:
        """A grammar where the endpoint takes one, a JSON schema elsewhere; bare choices are then not enforced."""
        if self._grammar and constraint and constraint.grammar:
            return {"grammar": constraint.grammar}
        if self._grammar and constraint and constraint.choices:
            return {"grammar": choice_grammar(constraint.choices)}
        return super().constrain(constraint)

    def key_remedy(self) -> str:
        """Which environment variable to set."""
        if self._key_name:
            return f"set {self._key_name} to a valid key: export {self._key_name}=…"
        return "name the environment variable that holds its key: api_key_env=NAME"

    def _url(self) -> str:
        return f"{self.base}/chat/completions"

    def _ask(self, messages: Sequence[Message], parameters: Mapping[str, Any], timeout: float) -> Reply:
        body = {"model": self._name, "messages": list(messages), **parameters}
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        url, connections, call = self._url(), self.connections.get(), _Call()
        try:
            status, headers, answer = self._within(
                timeout, lambda: connections.post(url, content, timeout, call), call.cut
            )
        except httpx.TimeoutException:
            raise TransientError(f"no reply within {round(timeout, 1):g} s") from None
        except httpx.DecodingError as error:
            raise TransientError(f"the body cannot be read: {error}") from None
        except httpx.HTTPError as error:
            raise TransientError(f"the connection failed ({type(error).__name__})") from None
        try:
            data = json.loads(answer)
        except (ValueError, RecursionError):
            data = None
        if status == 200:
            if isinstance(data, dict) and not data.get("choices") and data.get("error"):
                message, _, code = _error(data)
                raise self._failure(_status(code), message, parameters, code=code)
            return read_reply(data)
        message, parameter, code = _error(data)
        if isinstance(data, dict) and isinstance(data.get("error"), dict) and "n_ctx" in data["error"]:
            tokens, limit = (data["error"].get(name) for name in ("n_prompt_tokens", "n_ctx"))
            raise ContextOverflowError(f"{self.model}: {tokens} tokens where {limit} fit", tokens, limit)
        raise self._failure(status, message, parameters, parameter=parameter, code=code, pause=_retry_after(headers))


def choice_grammar(choices: Sequence[str]) -> str:
    """A GBNF grammar that allows exactly these texts."""
    return "root ::= " + " | ".join(json.dumps(choice) for choice in choices)


class _Call:
    """A request under way, for the thread that does it and for the one that may leave it."""

    def __init__(self) -> None:
        self.socket: socket.socket | None = None
        self._lock = threading.Lock()
        self._over = self._cut = False

    def cut(self) -> None:
        """Break the connection if the request is still under way: its thread fails at once, or once it connects."""
        with self._lock:
            if self._over:
                return
            self._cut = True
            if self.socket is not None:
                with contextlib.suppress(OSError):  # the other side was first, or TLS is being set up
                    # Of the plain socket: that of TLS would take its state away from the thread that reads.
                    socket.socket.shutdown(self.socket, socket.SHUT_RDWR)

    def end(self) -> bool:
        """Whether the request is over before anybody cut it."""
        with self._lock:
            self._over = True
            return not self._cut

    def trace(self, event: str, details: Mapping[str, Any]) -> None:
        """Learn of the connection from httpx, which calls this with all it does."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            stream = details["return_value"]
            self.socket = stream.get_extra_info("socket")
            if self._cut:
                stream.close()  # httpx has not taken it over yet, and never will
            self.check()

    def check(self) -> None:
        """Go no further once it is cut."""
        if self._cut:
            raise httpx.ConnectError("nobody waits any more")


class Connections:
    """Idle httpx clients of one endpoint, the last used first; each holds one connection, of the socket beside it."""

    def __init__(self, base: str, headers: Mapping[str, str]) -> None:
        secure = base.startswith("https:")
        self._verify: ssl.SSLContext | bool = httpx.create_ssl_context() if secure else False
        # A proxy from the environment must not catch what stays on this machine.
        self._trust_env = urlsplit(base).hostname not in ("127.0.0.1", "localhost", "::1")
        self._headers = headers
        self._idle: collections.deque[tuple[httpx.Client, socket.socket | None]] = collections.deque()
        self._closed = False

    def post(self, url: str, content: bytes, timeout: float, call: _Call) -> tuple[int, httpx.Headers, bytes]:
        """Send a request and read the whole answer; no step alone takes more than ``timeout`` seconds."""
        try:
            client, call.socket = self._idle.pop()
        except IndexError:
            client = self._fresh()
        try:
            call.check()
            extensions = {"trace": call.trace}
            request = client.build_request("POST", url, content=content, timeout=timeout, extensions=extensions)
            response = client.send(request, stream=True)
            try:
                body = _body(response)
            finally:
                response.close()
        finally:
            if call.end():
                self._idle.append((client, call.socket))
                if self._closed:
                    self.close()
            else:
                client.close()
        return response.status_code, response.headers, body

    def close(self) -> None:
        """Close all idle connections; a busy one follows when its call ends."""
        self._closed = True
        while self._idle:
            try:
                self._idle.pop()[0].close()
            except IndexError:  # another thread closed it first
                return

    def _fresh(self) -> httpx.Client:
        return httpx.Client(
            headers=self._headers,
            verify=self._verify,
            trust_env=self._trust_env,
            limits=httpx.Limits(max_connections=1, keepalive_expiry=30.0),
        )


def _body(response: httpx.Response) -> bytes:
    """The whole body, unpacked by ourselves: httpx would unpack however much a chunk holds, and several times over."""
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", "gzip"):
        raise httpx.DecodingError(f"the reply comes as {encoding[:20]!r}, which was not asked for")
    gzip = zlib.decompressobj(zlib.MAX_WBITS | 16) if encoding == "gzip" else None
    body = bytearray()
    for chunk in response.iter_raw():
        try:
            body += gzip.decompress(chunk, LARGEST_BODY + 1 - len(body)) if gzip else chunk
        except zlib.error:
            raise httpx.DecodingError("the reply is no gzip") from None
        if len(body) > LARGEST_BODY:
            raise httpx.DecodingError("the reply is too large")
    return bytes(body)


def _checked_url(url: str) -> str:
    parts = urlsplit(url) if isinstance(url, str) else None
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError(f"base_url must start with http:// or https://, got {url!r}")
    if parts.username or parts.password or parts.query:
        raise ConfigError("base_url must hold no key or query; name the key's environment variable: api_key_env=NAME")
    return url.rstrip("/")


def _error(data: Any) -> tuple[str, str, str]:
    """Message, parameter and code of a provider's error body, '' each where it has none."""
    if not isinstance(data, dict):
        return "", "", ""
    error = data.get("error") or data
    if isinstance(error, str):
        return error, "", str(data.get("code") or "")
    if not isinstance(error, dict):
        return str(error), "", ""
    message = error.get("message") or error.get("detail") or ""
    code = f"{error.get('code') or ''} {error.get('type') or ''}".strip()
    text = message if isinstance(message, str) else json.dumps(message)
    return text, str(error.get("param") or ""), code


def _status(code: str) -> int:
    """The HTTP status inside an error that came with 200, 502 where it has none."""
    first = code.split(" ")[0]
    return int(first) if first.isdecimal() and 400 <= int(first[:3]) == int(first) <= 599 else 502


def _retry_after(headers: httpx.Headers) -> float:
    value = headers.get("retry-after", "")
    try:
        return max(0.0, float(value)) if value != "nan" else 0.0
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, OverflowError):
        return 0.0
