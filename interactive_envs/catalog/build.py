"""Walks the packages and writes ``catalog.json``: run by ``make catalog``."""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import inspect
import json
import pkgutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

from interactive_envs.catalog.declared import entry_of, entry_point_of, summary_of
from interactive_envs.catalog.read import PATH
from interactive_envs.errors import ConfigError
from interactive_envs.family import Family


def build() -> dict[str, Any]:
    """Walk the packages and collect what their classes declare."""
    # By name, not by import statement: the catalog lies below what it describes.
    agent_class = importlib.import_module("interactive_envs.agent").Agent
    judge_class = importlib.import_module("interactive_envs.judges.base").Judge
    found: dict[str, Any] = {"units": {}, "families": _families(), "agents": {}, "judges": {}}
    for cls in _classes("interactive_envs", only="env"):
        for unit in [cls.unit] if "unit" in vars(cls) else cls.units() if "units" in vars(cls) else ():
            _unique(found["units"], unit.id, cls)
            found["units"][unit.id] = entry_of(cls, unit)
    for kind, base in (("agents", agent_class), ("judges", judge_class)):
        for cls in _classes(f"interactive_envs.{kind}"):
            if issubclass(cls, base) and cls.__dict__.get("name"):
                family = getattr(cls, "family", None)
                name = f"{family}/{cls.name}" if family else cls.name
                _unique(found[kind], name, cls)
                found[kind][name] = {"entry_point": entry_point_of(cls), "summary": summary_of(cls)}
    known = {unit for card in found["families"].values() for unit in card.get("prefixes") or [card["name"]]}
    for env_id, entry in found["units"].items():
        if entry["family"] not in known:
            raise ConfigError(f"{env_id} is of family {entry['family']!r}, of which no package has a card, FAMILY")
    return {kind: dict(sorted(entries.items())) for kind, entries in found.items()} | {"probes": _probes()}


def _families() -> dict[str, Any]:
    """The cards of the packages that have one, without what they leave empty."""
    package, found = importlib.import_module("interactive_envs"), dict[str, Any]()
    for info in pkgutil.iter_modules(package.__path__):
        if info.ispkg:
            card = getattr(importlib.import_module(f"interactive_envs.{info.name}"), "FAMILY", None)
            if isinstance(card, Family):
                if card.name in found:
                    raise ConfigError(f"two packages have a card of the name {card.name!r}; rename one")
                found[card.name] = {name: value for name, value in dataclasses.asdict(card).items() if value}
    return found


def _probes() -> dict[str, Any]:
    """The probes of the wrappers and of the families' packages ``probes``, the innermost first."""
    base = importlib.import_module("interactive_envs.dialogue.probe").Probe
    packages = ["interactive_envs.wrappers", *_packages("probes")]
    classes = [
        cls for package in packages for cls in _classes(package) if issubclass(cls, base) and "name" in vars(cls)
    ]
    found: dict[str, Any] = {}
    for cls in sorted(classes, key=lambda cls: (cls.place, cls.name)):
        _unique(found, cls.name, cls)
        found[cls.name] = {"entry_point": entry_point_of(cls), "summary": summary_of(cls)}
    return found


def _packages(name: str) -> Iterator[str]:
    """The packages of a name that lie in a family's."""
    for family in pkgutil.iter_modules(importlib.import_module("interactive_envs").__path__, "interactive_envs."):
        if family.ispkg and importlib.util.find_spec(f"{family.name}.{name}"):
            yield f"{family.name}.{name}"


def dump(content: Mapping[str, Any]) -> str:
    """The file's text for a catalog: a line an entry, so that a change shows where it is."""
    content = json.loads(_line(content))
    templates = _templates(content["units"])
    units = {env_id: _difference(entry, templates[entry["entry_point"]]) for env_id, entry in content["units"].items()}
    kinds = []
    for kind, entries in {"templates": templates, **content, "units": units}.items():
        lines = [f"  {_line(name)}: {_line(entry)}" for name, entry in entries.items()]
        kinds.append(f" {_line(kind)}: {{\n" + ",\n".join(lines) + "\n }")
    return "{\n" + ",\n".join(kinds) + "\n}\n"


def _templates(units: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """By class, in the order of an entry's keys, the commonest value of each."""
    by_class: dict[str, list[Mapping[str, Any]]] = {}
    for entry in units.values():
        by_class.setdefault(entry["entry_point"], []).append(entry)
    return {
        name: {key: _commonest([entry[key] for entry in entries]) for key in entries[0]}
        for name, entries in sorted(by_class.items())
    }


def _commonest(values: Sequence[Any]) -> Any:
    """The value that comes most often, the first of several."""
    return json.loads(Counter(map(_line, values)).most_common(1)[0][0])


def _difference(entry: Mapping[str, Any], template: Mapping[str, Any]) -> dict[str, Any]:
    """What an entry says that its template does not, and the name of the template."""
    different = {name: value for name, value in entry.items() if value != template[name]}
    return {"entry_point": entry["entry_point"], **different}


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _unique(entries: Mapping[str, Any], name: str, cls: type) -> None:
    if name in entries:
        raise ConfigError(
            f"{name!r} is the name of {entries[name]['entry_point']} and of {entry_point_of(cls)}; rename one"
        )


def _classes(package: str, only: str | None = None) -> Iterator[Any]:
    for module in _modules(importlib.import_module(package), only):
        for _, cls in inspect.getmembers(module, inspect.isclass):
            if cls.__module__ == module.__name__:
                yield cls


def _modules(package: ModuleType, only: str | None) -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if only and found.name.rpartition(".")[2] != only:
            continue
        yield importlib.import_module(found.name)


def main() -> None:
    """Write ``catalog.json`` again."""
    if not PATH.exists():  # what is built may read it
        PATH.write_text(dump({"units": {}, "families": {}, "agents": {}, "judges": {}, "probes": {}}), encoding="utf-8")
    PATH.write_text(dump(build()), encoding="utf-8")
