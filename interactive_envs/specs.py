"""Spec strings, which name agents, judges and probes on the command line and in records."""

from __future__ import annotations

import functools
import importlib
import inspect
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar
from urllib.parse import quote

from interactive_envs.errors import ConfigError, IbenchError, UnknownNameError
from interactive_envs.parsing import read_options
from interactive_envs.system import own_modules

T = TypeVar("T")
RELAY = "relay"
"""The player that is made of two others; its target is their specs, each with options of its own."""
Given: TypeAlias = "str | type[Any] | functools.partial[Any]"
"""What names a player, judge, probe or wrapper in Python: a spec, a class, or a class with options."""


@dataclass(frozen=True)
class Spec:
    """A parsed spec string ``name[:target][?key=value&key=value]``."""

    name: str
    target: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


def parse_spec(text: str) -> Spec:
    """Parse a spec: the name to the first colon, the options from the last ``?``; a relay's are those of its players.

    Option values are percent-decoded, then read as JSON where they are JSON, else as text.

    Raises:
        ConfigError: the text has no name, or an option no value.

    >>> parse_spec("llm:openai/gpt-5-mini?temperature=0")
    Spec(name='llm', target='openai/gpt-5-mini', options={'temperature': 0})
    """
    if text.partition(":")[0].strip() == RELAY:  # options are those of the players inside
        return Spec(RELAY, text.partition(":")[2] if ":" in text else None)
    head, _, query = text.rpartition("?") if "?" in text else (text, "", "")
    name, colon, target = head.partition(":")
    if not name.strip():
        raise ConfigError(f"spec {text!r} has no name; write name[:target][?key=value]")
    return Spec(name.strip(), target if colon else None, read_options(query, head))


def relay_parts(spec: str) -> tuple[str, str] | None:
    """The specs of who asks and who concludes in a relay, None where the spec names no relay.

    They are parted by the one comma that stands in no JSON list, object or text of an option; any other comma is
    written ``%2C``.

    Raises:
        ConfigError: it is a relay, but not of two players.

    >>> relay_parts("relay:reference,llm:openai/gpt-5-mini?temperature=0&stop=[1,2]")
    ('reference', 'llm:openai/gpt-5-mini?temperature=0&stop=[1,2]')
    """
    parsed = parse_spec(spec)
    if parsed.name != RELAY:
        return None
    parts = [part.strip() for part in _split(parsed.target or "")]
    if any(part.partition(":")[0] == RELAY for part in parts):
        raise ConfigError(f"a relay cannot hold another one, as {spec!r} does; name the players themselves")
    if len(parts) != 2 or not all(parts):
        raise ConfigError(
            f"a relay is of two players, who asks and who concludes, got {parsed.target!r}; "
            "write relay:ASKER,CONCLUDER, and %2C for a comma inside one of them"
        )
    asker, concluder = (_with_commas(part) for part in parts)
    return asker, concluder


def _split(text: str) -> list[str]:
    """The parts between commas that stand in no brackets, braces or quotes."""
    parts, depth, quoted = [""], 0, False
    for place, char in enumerate(text):
        if char == '"' and text[place - 1 : place] != "\\":
            quoted = not quoted
        depth += 0 if quoted else (char in "[{") - (char in "]}")
        if char == "," and not (depth or quoted):
            parts.append("")
        else:
            parts[-1] += char
    return parts


def _with_commas(part: str) -> str:
    """A part with the commas of its target; those of its options are decoded where these are read."""
    head, mark, query = part.rpartition("?") if "?" in part else (part, "", "")
    return head.replace("%2C", ",").replace("%2c", ",") + mark + query


def spec_of(kind: str, given: Given) -> str:
    """The spec of what is given in Python, by which a record names it.

    Args:
        kind: ``player``, ``judge``, ``probe`` or ``wrapper``, for messages.
        given: a spec, a class, or ``functools.partial`` of a class with options that are JSON values.

    Raises:
        ConfigError: it has no name that a record could keep.

    >>> spec_of("player", "rule"), spec_of("player", functools.partial(Spec, target="x"))
    ('rule', 'interactive_envs.specs:Spec?target=%22x%22')
    """
    if isinstance(given, str):
        return given
    cls, options = (given.func, given.keywords) if isinstance(given, functools.partial) else (given, {})
    wanted = "give a spec, a class, or functools.partial(Class, option=value)"
    if not isinstance(cls, type) or (isinstance(given, functools.partial) and given.args):
        raise ConfigError(f"{kind} {given!r} has no name that a record could keep; {wanted}")
    return add_options(own_modules.name_of(cls), options)


def split_name(agent: str) -> tuple[str, str]:
    """The name and the spec of a player that may be given as ``NAME=SPEC``; the name is "" where there is none.

    >>> split_name("mine=llm:openai/gpt-5-mini?temperature=0"), split_name("llm:x?temperature=0")
    (('mine', 'llm:openai/gpt-5-mini?temperature=0'), ('', 'llm:x?temperature=0'))
    """
    name, equals, spec = agent.partition("=")
    named = bool(equals and name.strip() and spec) and not set(name) & set("?:")
    return (name.strip(), spec) if named else ("", agent)


def add_options(spec: str, options: Mapping[str, Any]) -> str:
    """Add options to a spec.

    Raises:
        ConfigError: a value is no JSON value.

    >>> add_options("rule?seed=1", {"questions": 3})
    'rule?seed=1&questions=3'
    """
    if not options:
        return spec
    try:
        pairs = "&".join(f"{quote(name)}={quote(json.dumps(value))}" for name, value in options.items())
    except (TypeError, ValueError) as error:
        raise ConfigError(f"an option of {spec} is no JSON value: {error}") from None
    return f"{spec}{'&' if '?' in spec else '?'}{pairs}"


def resolve(
    kind: str,
    spec: str,
    table: Mapping[str, str],
    base: type[T],
    *,
    families: tuple[str, ...] = (),
    leading: int = 0,
) -> Callable[..., T]:
    """Turn a spec into a constructor that is known to accept its target and options.

    Args:
        kind: ``agent`` or ``judge``, for messages.
        spec: the spec string.
        table: name to ``module:Class``.
        base: the class that everything of this kind derives from.
        families: prefixes tried for a short name, the environment's own.
        leading: positional arguments that the constructor is called with before the options: a wrapper's environment.

    Raises:
        UnknownNameError: the name or an option is unknown; the message names the nearest.
        ConfigError: a target is missing or not wanted, or the class cannot be imported.
    """
    parsed = parse_spec(spec)
    cls, takes_spec_target = _find(kind, parsed, table, families)
    target = parsed.target if takes_spec_target else None
    if not (isinstance(cls, type) and issubclass(cls, base)):  # checked before it is called: a spec can name os:system
        raise ConfigError(f"{kind} {spec!r} is no class derived from {base.__module__}.{base.__name__}")
    try:
        signature = inspect.signature(cls)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{kind} {spec!r} cannot be constructed: {error}") from error
    named = list(signature.parameters.values())[leading:]
    wants_target = "target" in signature.parameters
    if target is not None and not wants_target:
        raise ConfigError(f"{kind} {parsed.name!r} takes no target, got {target!r}; write {parsed.name!r}")
    if wants_target and target is None and signature.parameters["target"].default is inspect.Parameter.empty:
        raise ConfigError(f"{kind} {parsed.name!r} needs a target: {parsed.name}:…")
    if not any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in named):
        known = [p.name for p in named if p.name not in {"target", "self"}]
        for option in parsed.options:
            if option not in known:
                raise UnknownNameError(f"option of {kind} {parsed.name!r}:", option, known)
    arguments = dict(parsed.options) | ({"target": target} if target is not None else {})

    def construct(*first: Any) -> T:
        try:
            made = cls(*first, **arguments)
        except IbenchError:
            raise
        except (TypeError, ValueError) as error:
            raise ConfigError(f"{kind} {spec!r}: {error}") from error
        if not isinstance(made, base):
            raise ConfigError(f"{kind} {spec!r} is a {type(made).__name__}, not of {base.__module__}.{base.__name__}")
        return made

    return construct


def own_object(kind: str, spec: str, base: type[T]) -> T:
    """The object that ``module:NAME`` names in a module of the user's own.

    Args:
        kind: ``query game`` or the like, for messages.
        spec: ``module:NAME``.
        base: the object's class.

    Raises:
        ConfigError: there is no such module, or it has no such object.
    """
    module, _, name = spec.partition(":")
    found = own_modules.load(kind, module, name)
    if found is None:
        raise own_modules.missing(kind, module, name)
    if not isinstance(found, base):
        raise ConfigError(f"{kind} {spec} is of {type(found).__name__}, not of {base.__module__}.{base.__name__}")
    return found


def _find(kind: str, spec: Spec, table: Mapping[str, str], families: tuple[str, ...]) -> tuple[Any, bool]:
    candidates = [*(f"{family}/{spec.name}" for family in families), spec.name]
    entry = next((table[name] for name in candidates if name in table), None)
    if entry is None:
        unique = [name for name in table if name.endswith(f"/{spec.name}")]
        if len(unique) == 1:
            entry = table[unique[0]]
            candidates = unique
    owner = next((name.rpartition("/")[0] for name in candidates if name in table), "")
    if families and owner and owner not in families:
        players = sorted(name for name in table if name.rpartition("/")[0] in families)
        other = f"; of its own it has {', '.join(players)}" if players else ""
        raise ConfigError(f"{kind} {owner}/{spec.name.rpartition('/')[2]} does not play {', '.join(families)}{other}")
    if entry is not None:
        module, _, attribute = entry.partition(":")
        return getattr(importlib.import_module(module), attribute), True
    if spec.target and (own := own_modules.load(kind, spec.name, spec.target)) is not None:
        return own, False
    if spec.target and re.fullmatch(r"[A-Z]\w*", spec.target):
        raise own_modules.missing(kind, spec.name, spec.target)
    short = [name.rpartition("/")[2] for name in table]
    raise UnknownNameError(kind, spec.name, {*table, *(name for name in short if short.count(name) == 1)})
