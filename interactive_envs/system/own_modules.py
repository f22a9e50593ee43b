"""Modules of the user's own (``module:Class``): which of them a spec may name, and where they are looked for."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

from interactive_envs.errors import ConfigError, MissingExtraError

_folder: str | None = None
_forbidden = False
_given: dict[str, type] = {}
"""Classes that no import finds, such as those of a function or a doctest, by ``module:Class``."""


def search(folder: Path) -> None:
    """Look for modules in this folder, too, after everything that is installed.

    The folder is put on the path only when a spec names a module in it. Libraries try imports of things that are not
    installed, and would run whatever file a stranger's folder has under such a name.
    """
    global _folder, _forbidden
    _folder, _forbidden = str(folder), False


def searched() -> str | None:
    """The folder that :func:`search` named, None where it was not called."""
    return _folder


def forbid() -> None:
    """Find no module at all: the specs come from a folder that may be a stranger's, and could name any function."""
    global _forbidden
    _forbidden = True


def find(module: str) -> bool:
    """Whether a spec may name this module: loaded, installed, or in the folder, which is then on the path."""
    top = module.partition(".")[0]
    if _forbidden or not top.isidentifier():
        return False
    if top in sys.modules or importlib.util.find_spec(top) is not None:
        return True
    if _folder is None or PathFinder.find_spec(top, [_folder]) is None:
        return False
    if _folder not in sys.path:
        sys.path.append(_folder)
    return True


def load(kind: str, module: str, name: str) -> Any:
    """What ``module:name`` names, None where no module is found.

    Raises:
        ConfigError: the module cannot be imported, or has nothing of that name.
        MissingExtraError: it says itself what it needs.
    """
    if f"{module}:{name}" in _given:
        return _given[f"{module}:{name}"]
    if not (name.isidentifier() and find(module)):
        return None
    try:
        return getattr(importlib.import_module(module), name)
    except MissingExtraError:
        raise
    except Exception as error:  # whatever a module of the user's raises when it is imported
        why = f"{type(error).__name__}: {error}"
        raise ConfigError(f"{kind} {module}:{name} cannot be imported: {why}") from error


def name_of(cls: type) -> str:
    """``module:Class``, by which :func:`load` finds the class again in this process."""
    name = f"{cls.__module__}:{cls.__name__}"
    if getattr(sys.modules.get(cls.__module__), cls.__name__, None) is not cls:
        _given[name] = cls
    return name


def missing(kind: str, module: str, name: str) -> ConfigError:
    """Return the error that the module of a spec is not found."""
    why = f"there is no module {module!r} here; install it, or add its folder to the path (ibench --path FOLDER …)"
    return ConfigError(f"{kind} {module}:{name} cannot be imported: {why}")
