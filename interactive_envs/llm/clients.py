"""Model names to clients: the one place that knows which transport a name means."""

from __future__ import annotations

import atexit
import inspect
import re
import threading
from collections.abc import Mapping
from typing import Any

from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.llm import local, pricing
from interactive_envs.llm.base import ModelClient
from interactive_envs.llm.cache import CachedClient, usual
from interactive_envs.llm.http import PROVIDERS, HttpClient
from interactive_envs.llm.litellm_client import LitellmClient
from interactive_envs.llm.process import PerProcess
from interactive_envs.llm.retry import SECRET_TEXT, RetryingClient, plain, plain_values
from interactive_envs.parsing import read_options
from interactive_envs.seeds import canonical_json


def _names(cls: type) -> frozenset[str]:
    return frozenset(inspect.signature(cls).parameters) - {"model", "price"}


_KINDS: Mapping[str, type[RetryingClient]] = {"local": local.LocalClient, "http": HttpClient, "litellm": LitellmClient}
OPTIONS = frozenset({"cache"}).union(*map(_names, _KINDS.values()))
"""Every option of :func:`client`; whatever else an agent or judge is given is a parameter of its requests."""

_SECRET_NAME = re.compile(r"key|secret|password|credential|authorization|(?<!max_)token$", re.IGNORECASE)


def client(model: str, **options: Any) -> ModelClient:
    """The client of a model, shared by all who ask for the same in this process: do not close it.

    Args:
        model: ``local``, ``local/smollm2-135m``, ``provider/name`` or ``provider/name?option=value&…``.
        **options: ``cache`` (false to ask again each time), ``timeout``, ``max_wait``, ``backoff``; for endpoints
            ``base_url``, ``api_key_env``, ``grammar``; for the local model ``threads``, ``context_length``.

    Raises:
        ConfigError: the name or an option cannot work, or there is no key.
        MissingExtraError: what the model needs is not installed.
    """
    name, found = _split(model)
    options = found | options
    _refuse_secrets(options)
    if name == "local":
        name = local.NAME
    key = canonical_json([name, options])
    lock, clients = _registry.get()
    with lock:
        if key not in clients:
            clients[key] = _build(name, options)
        return clients[key]


def split_options(model: str, options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split what a spec gives a model into options of :func:`client` and parameters of its requests.

    Texts become such as a record can hold: a command line or JSON may give them lone surrogates.

    Raises:
        ConfigError: one holds a key, which would be recorded, or is none that the local model has.
    """
    _refuse_secrets(options)
    options = plain_values(options)
    own = {name: value for name, value in options.items() if name in OPTIONS}
    parameters = {name: value for name, value in options.items() if name not in OPTIONS}
    name = _split(model)[0]
    if _kind(name, own) == "local":
        for parameter in parameters:
            if parameter not in local.PARAMETERS:
                known = local.PARAMETERS | _names(local.LocalClient) | {"cache"}
                raise UnknownNameError(f"option of {name}:", parameter, known)
    return own, parameters


def close_all() -> None:
    """Close every shared client of this process; at exit this happens by itself.

    Calls under way end with ProviderError at once, however their endpoints hang: for another thread than theirs to
    call, but not for a signal handler, which may interrupt whoever holds a lock.
    """
    _registry.close()


def _split(model: str) -> tuple[str, dict[str, Any]]:
    name, _, query = model.partition("?")
    return plain(name.strip()), plain_values(read_options(query, name))


def _kind(name: str, options: Mapping[str, Any]) -> str:
    provider = name.partition("/")[0]
    if provider == "local":
        return "local"
    return "http" if provider in PROVIDERS or "base_url" in options else "litellm"


def _refuse_secrets(options: Any) -> None:
    """Refuse what looks like a key by its name or its value, however deep: specs and parameters are recorded."""
    for name, value in options.items() if isinstance(options, Mapping) else enumerate(options):
        secret = isinstance(value, str) and SECRET_TEXT.search(value)
        if secret or (isinstance(name, str) and name != "api_key_env" and _SECRET_NAME.search(name)):
            raise ConfigError(f"{name!r} looks like a key: keys never go into a spec; set the provider's variable")
        if isinstance(value, Mapping | list | tuple):
            _refuse_secrets(value)


def _build(name: str, options: Mapping[str, Any]) -> ModelClient:
    options = dict(options)
    cached = options.pop("cache", True)
    if not isinstance(cached, bool):
        raise ConfigError(f"cache must be true or false, got {cached!r}")
    kind = _kind(name, options)
    known = _names(_KINDS[kind])
    for option in options:
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
    return CachedClient(built, usual()) if cached else built


_Clients = tuple[threading.Lock, dict[str, ModelClient]]


def _fresh() -> _Clients:
    return threading.Lock(), {}


def _close(held: _Clients) -> None:
    for opened in list(held[1].values()):  # another thread may add one
        opened.close()


_registry = PerProcess(_fresh, _close)
atexit.register(close_all)
