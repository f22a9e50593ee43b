"""The tables of the judge of pages, which lie in ``data``."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any


def load(name: str) -> dict[str, Any]:
    """A table of the folder ``data``, as TOML has it."""
    return tomllib.loads(read_text(name))


def read_text(name: str) -> str:
    """A file of the folder ``data``."""
    return (resources.files("interactive_envs.ui2html.judge") / "data" / name).read_text(encoding="utf-8")
