"""Model names to clients: the one place that knows which transport a name means."""

from __future__ import annotations

import atexit
import inspect
import json
import threading
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from interactive_envs.core import canonical_json
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.llm import local, pricing
from interactive_envs.llm.base import ModelClient
from interactive_envs.llm.cache import CachedClient, CallCache
from interactive_envs.llm.http import PROVIDERS, HttpClient
from interactive_envs.llm.litellm_client import LitellmClient
from interactive_envs.llm.process import PerProcess
from interactive_envs.llm.retry import RetryingClient


def _names(cls: type) -> frozenset[str]:
    return frozenset(inspect.signature(cls).parameters) - {"model", "price"}


_KINDS: Mapping[str, type[RetryingClient]] = {"local": local.LocalClient, "http": HttpClient, "litellm": LitellmClient}
OPTIONS = frozenset({"cache"}).union(*map(_names, _KINDS.values()))
"""Every option of :func:`client`; whatever else an agent or judge is given is a parameter of its requests."""


def client(model: str, **options: Any) -> ModelClient:
    """The client of a model, shared by all who ask for the same in this process: do not close it.

    Args:
        model: ``local``, ``local/smollm2-135m``, ``provider/name`` or ``provider/name?option=value&…``.
        **options: ``cache`` (false to ask anew each time), ``timeout``, ``max_wait``, ``backoff``; for endpoints
            ``base_url``, ``api_key_env``, ``grammar``; for the local model ``threads``, ``context_length``.

    Raises:
        ConfigError: the name or an option cannot work, or there is no key.
        MissingExtraError: what the model needs is not installed.
    """
    name, found = _split(model)
    options = found | options
    if name == "local":
        name = local.NAME
    key = canonical_json([name, options])
    lock, clients = _registry.get()
    with lock:
        if key not in clients:
            clients[key] = _build(name, options)
        return clients[key]


def split_options(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split what a spec gives a model into options of :func:`client` and parameters of its requests."""
    own = {name: value for name, value in options.items() if name in OPTIONS}
    return own, {name: value for name, value in options.items() if name not in OPTIONS}


def close_all() -> None:
    """Close every shared client of this process; at exit this happens by itself."""
    _registry.close()


def _split(model: str) -> tuple[str, dict[str, Any]]:
    name, _, query = model.partition("?")
    options: dict[str, Any] = {}
    for pair in filter(None, query.split("&")):
        option, equals, value = pair.partition("=")
        if not (option and equals):
            raise ConfigError(f"option {pair!r} of {name!r} is not name=value")
        try:
            options[unquote(option)] = json.loads(unquote(value))
        except json.JSONDecodeError:
            options[unquote(option)] = unquote(value)
    return name.strip(), options


def _build(name: str, options: Mapping[str, Any]) -> ModelClient:
    options = dict(options)
    cached = options.pop("cache", True)
    if not isinstance(cached, bool):
        raise ConfigError(f"cache must be true or false, got {cached!r}")
    provider = name.partition("/")[0]
    kind = "local" if provider == "local" else "http" if provider in PROVIDERS or "base_url" in options else "litellm"
    known = _names(_KINDS[kind])
    for option in options:
        if "key" in option.lower() and option not in known:
            raise ConfigError(f"{option!r} is no option: keys never go into a spec; set the provider's variable")
        if option not in known:
            raise UnknownNameError(f"option of {name}:", option, known | {"cache"})
    built: RetryingClient
    if kind == "local":
        if name != local.NAME:
            raise UnknownNameError("local model", name, [local.NAME, "local"])
        built = local.LocalClient(**options)
    elif kind == "http":
        # An endpoint of the user's own may charge anything, or nothing, for a name.
        price = pricing.own_price(name) if "base_url" in options else pricing.price(name)
        built = HttpClient(name, price=price, **options)
    else:
        built = LitellmClient(name, price=pricing.price(name), **options)
    return CachedClient(built, CallCache()) if cached else built


_Clients = tuple[threading.Lock, dict[str, ModelClient]]


def _fresh() -> _Clients:
    return threading.Lock(), {}


def _close(held: _Clients) -> None:
    for opened in held[1].values():
        opened.close()


_registry = PerProcess(_fresh, _close)
atexit.register(close_all)
