"""Modules of the user's own (``module:Class``), found in one folder after everything that is installed."""

from __future__ import annotations

import importlib.util
import sys
from importlib.machinery import PathFinder
from pathlib import Path

_folders: list[str] = []
"""The folder, once it is chosen; it is on the path only when a spec has named a module in it."""


def search(folder: Path) -> None:
    """Look for modules in this folder, too, when a spec names one.

    The folder is not put on the path at once: libraries try imports of things that are not installed, and would run
    whatever file a stranger's folder has under such a name.
    """
    _folders[:] = [str(folder)]


def find(module: str) -> bool:
    """Whether there is a module of this name: loaded, installed, or in the folder, which is then on the path."""
    top = module.partition(".")[0]
    if not top.isidentifier():
        return False
    if top in sys.modules or importlib.util.find_spec(top) is not None:
        return True
    if PathFinder.find_spec(top, _folders) is None:
        return False
    sys.path += [folder for folder in _folders if folder not in sys.path]
    return True
