"""Modules of the user's own (``module:Class``): which of them a spec may name, and where they are looked for."""

from __future__ import annotations

import importlib.util
import sys
from importlib.machinery import PathFinder
from pathlib import Path

_folder: str | None = None
_forbidden = False


def search(folder: Path) -> None:
    """Look for modules in this folder, too, after everything that is installed.

    The folder is put on the path only when a spec names a module in it. Libraries try imports of things that are not
    installed, and would run whatever file a stranger's folder has under such a name.
    """
    global _folder, _forbidden
    _folder, _forbidden = str(folder), False


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
