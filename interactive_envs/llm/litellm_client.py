"""Every provider without an OpenAI-compatible endpoint, through litellm."""

from __future__ import annotations

import functools
import importlib.util
import logging
import os
import threading
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any

import httpx

from interactive_envs.errors import ConfigError, MissingExtraError, ProviderError, UnknownNameError
from interactive_envs.llm.base import Message
from interactive_envs.llm.pricing import Price
from interactive_envs.llm.retry import (
    SECRET_NAME,
    ContextOverflowError,
    RefusedParameterError,
    Reply,
    RetryingClient,
    TransientError,
    read_reply,
)

LEAST_KEY = 16
"""Characters of the shortest key: an environment has words, too, under names like a key's."""

_lock = threading.Lock()
_keyed: ContextVar[bool] = ContextVar("ibench_keyed", default=False)
"""Whether this thread sends a key, which no redirect may carry to another host."""


def load_litellm() -> Any:
    """Import litellm, quiet and without its look at the network; it takes seconds the first time.

    Raises:
        MissingExtraError: it is not installed.
    """
    if importlib.util.find_spec("litellm") is None:
        raise MissingExtraError("a provider reached through litellm", "llm")
    with _lock:
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        os.environ.setdefault("LITELLM_MODE", "PRODUCTION")  # else it reads a .env file of the current folder
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import litellm
        litellm.suppress_debug_info = True
        litellm.telemetry = False
        for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        for client in (httpx.Client, httpx.AsyncClient):
            if not hasattr(client.send, "__wrapped__"):
                client.send = _stay(client.send)  # type: ignore[method-assign]
    return litellm


def _stay(send: Callable[..., Any]) -> Callable[..., Any]:
    """Let httpx follow no redirect for a thread that sends a key; all others are left as they are.

    litellm asks httpx to follow redirects in a dozen places, has clients from earlier uses in a cache, and lets
    provider libraries make their own; what all of these call is this method.
    """

    @functools.wraps(send)
    def stay(client: Any, request: httpx.Request, **options: Any) -> Any:
        return send(client, request, **(options | {"follow_redirects": False} if _keyed.get() else options))

    return stay


class LitellmClient(RetryingClient):
    """A model behind litellm, with the retry and fault rules of :class:`HttpClient`.

    Args:
        model: ``provider/name`` as litellm spells it.
        base_url: another endpoint of that provider, litellm's ``api_base``.
        price: what the model costs, None where unknown.
        timeout: seconds one try may take.
        max_wait: seconds all tries of one call may take together.
        backoff: seconds of the first pause between tries.

    Raises:
        UnknownNameError: litellm knows no such provider.
        MissingExtraError: litellm is not installed.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        price: Price | None = None,
        timeout: float = 60.0,
        max_wait: float = 120.0,
        backoff: float = 0.5,
    ) -> None:
        super().__init__(model, price=price, timeout=timeout, max_wait=max_wait, backoff=backoff)
        self.litellm = load_litellm()
        known = [str(getattr(provider, "value", provider)) for provider in self.litellm.provider_list]
        provider, _, name = model.partition("/")
        if not name:
            raise ConfigError(f"model {model!r} has no provider; write provider/name, e.g. openai/gpt-5-mini")
        if provider not in known:
            raise UnknownNameError("provider", provider, known)
        self.base = f"litellm {base_url or ''}".rstrip()
        self._endpoint = {"api_base": base_url} if base_url else {}

    def key_remedy(self) -> str:
        """Which environment variables litellm looks for."""
        names = self.litellm.validate_environment(self.model)["missing_keys"]
        return f"set {' and '.join(names)}" if names else super().key_remedy()

    def secrets(self) -> Iterable[str]:
        """What the environment holds under a key's name: which of these litellm sends is known to it alone."""
        return [value for name, value in os.environ.items() if SECRET_NAME.search(name) and len(value) >= LEAST_KEY]

    def _ask(self, messages: Sequence[Message], parameters: Mapping[str, Any], timeout: float) -> Reply:
        def work() -> Any:
            _keyed.set(True)  # in a thread of its own, whose context is its own
            return self.litellm.completion(
                model=self.model,
                messages=[dict(message) for message in messages],
                timeout=timeout,
                num_retries=0,
                max_retries=0,
                **self._endpoint,
                **parameters,
            )

        try:
            response = self._within(timeout, work)
        except (TransientError, ProviderError):
            raise
        except Exception as error:  # litellm lets provider libraries' own errors through
            failure = self._translate(error, parameters)
        else:
            return read_reply(response.model_dump())
        raise failure

    def _translate(self, error: Exception, parameters: Mapping[str, Any]) -> Exception:
        types = self.litellm.exceptions
        message = str(getattr(error, "message", "") or error).partition("Traceback (most recent")[0]
        redirect = _redirect(error)
        if redirect is not None:
            return self._failure(redirect, message, parameters)
        if isinstance(error, types.ContextWindowExceededError):
            return ContextOverflowError(f"{self.model}: the dialogue is longer than the model's context")
        if isinstance(error, types.UnsupportedParamsError):
            name = next((name for name in parameters if f"'{name}'" in message), None)
            return RefusedParameterError(name) if name else self._failure(400, message, parameters)
        status = getattr(error, "status_code", None)
        code = "content_filter" if isinstance(error, types.ContentPolicyViolationError) else ""
        return self._failure(status if isinstance(status, int) else 500, message, parameters, code=code)


def _redirect(error: BaseException | None) -> int | None:
    """The status of a redirect that was not followed, which litellm often calls a 500."""
    while error is not None:
        status = getattr(error, "status_code", None) or getattr(getattr(error, "response", None), "status_code", None)
        if isinstance(status, int) and 300 <= status < 400:
            return status
        error = error.__cause__ or error.__context__
    return None
