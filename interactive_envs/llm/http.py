"""OpenAI-compatible chat completions over a thin httpx transport."""

from __future__ import annotations

import collections
import email.utils
import json
import os
import ssl
import time
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
        headers = {"Content-Type": "application/json", "User-Agent": "interactive-envs"}
        if self.secret:
            if not (self.secret.isascii() and self.secret.isprintable()):
                raise ConfigError(f"the key in {self._key_name} holds characters no key has; {self.key_remedy()}")
            headers["Authorization"] = f"Bearer {self.secret}"
        self._connections = PerProcess(lambda: _Connections(self.base, headers), _Connections.close)

    def close(self) -> None:
        """Close connections; calls that wait for another try end with ProviderError."""
        super().close()
        self._connections.close()

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
        try:
            status, headers, answer = self._connections.get().post(self._url(), content, timeout)
        except httpx.TimeoutException:
            raise TransientError(f"no reply within {timeout:.3g} s") from None
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


class _Connections:
    """Idle httpx clients of one endpoint, the last used first; each holds one connection."""

    def __init__(self, base: str, headers: Mapping[str, str]) -> None:
        secure = base.startswith("https:")
        self._verify: ssl.SSLContext | bool = httpx.create_ssl_context() if secure else False
        # A proxy from the environment must not catch what stays on this machine.
        self._trust_env = urlsplit(base).hostname not in ("127.0.0.1", "localhost", "::1")
        self._headers = headers
        self._idle: collections.deque[httpx.Client] = collections.deque()
        self._closed = False

    def post(self, url: str, content: bytes, timeout: float) -> tuple[int, httpx.Headers, bytes]:
        """Send a request and read the whole answer within about ``timeout`` seconds."""
        try:
            client = self._idle.pop()
        except IndexError:
            client = self._fresh()
        try:
            end = time.monotonic() + timeout
            request = client.build_request("POST", url, content=content, timeout=timeout)
            response = client.send(request, stream=True)
            try:
                body = bytearray()
                # Some providers send blank lines while a request waits, which resets the read timeout.
                for chunk in response.iter_bytes():
                    body += chunk
                    if time.monotonic() > end:
                        raise httpx.ReadTimeout("the reply trickles")
                    if len(body) > LARGEST_BODY:
                        raise httpx.DecodingError("the reply is too large")
            finally:
                response.close()
        finally:
            self._idle.append(client)
            if self._closed:
                self.close()
        return response.status_code, response.headers, bytes(body)

    def close(self) -> None:
        """Close all idle connections; a busy one follows when its call ends."""
        self._closed = True
        while self._idle:
            try:
                self._idle.pop().close()
            except IndexError:  # another thread closed it first
                return

    def _fresh(self) -> httpx.Client:
        return httpx.Client(
            headers=self._headers,
            verify=self._verify,
            trust_env=self._trust_env,
            limits=httpx.Limits(max_connections=1, keepalive_expiry=30.0),
        )


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
