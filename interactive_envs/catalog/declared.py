"""What a class declares of itself, as the catalogue keeps it: of this package's units, and of others'."""

from __future__ import annotations

import dataclasses
import inspect
import re
import typing
from typing import Any

from interactive_envs.catalog.unit import Unit
from interactive_envs.system import own_modules


def entry_of(cls: Any, unit: Unit) -> dict[str, Any]:
    """What the catalog holds of a unit of a class.

    Raises:
        TypeError, ValueError: the class has no signature.
    """
    entry = dataclasses.asdict(unit)
    entry.pop("id")
    defaults = {name: value for name, value in defaults_of(cls).items() if name not in unit.arguments}
    return entry | {
        "entry_point": entry_point_of(cls),
        "defaults": defaults,
        "summary": unit.summary or summary_of(cls),
    }


def entry_point_of(cls: Any) -> str:
    """``module:Class``."""
    return own_modules.name_of(cls) if isinstance(cls, type) else f"{cls.__module__}:{cls.__qualname__}"


def summary_of(cls: Any) -> str:
    """The first line of the docstring."""
    return (inspect.getdoc(cls) or "").partition("\n")[0]


def defaults_of(cls: Any) -> dict[str, Any]:
    """What the arguments of a class, or of a function, default to, in the order of its docstring.

    Those that it takes as ``**arguments: Unpack[SomeTypedDict]`` and passes on have the defaults of the class it
    extends. ``probes`` is no class's own: every id of a dialogue takes it.

    Raises:
        TypeError, ValueError: the class has no signature.
    """
    found: dict[str, Any] = {}
    owner = next((base for base in getattr(cls, "__mro__", ()) if "__init__" in vars(base)), cls)
    parameters = inspect.signature(owner).parameters
    for rest in (p.name for p in parameters.values() if p.kind is inspect.Parameter.VAR_KEYWORD):
        for unpacked in typing.get_args(typing.get_type_hints(vars(owner).get("__init__", owner)).get(rest)):
            inherited = defaults_of(owner.__mro__[1])
            found = {name: inherited[name] for name in typing.get_type_hints(unpacked) if name != "probes"}
    found |= {p.name: p.default for p in parameters.values() if p.default is not inspect.Parameter.empty}
    listed = re.findall(r"^    (\w+): ", (inspect.getdoc(cls) or "").partition("\nArgs:\n")[2], re.MULTILINE)
    return {name: found[name] for name in dict.fromkeys([*listed, *found]) if name in found}
