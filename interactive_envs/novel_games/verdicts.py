"""What the check says of a foreign game before anybody plays it, kept by the game's content."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import threading
from pathlib import Path

from interactive_envs.errors import ConfigError
from interactive_envs.novel_games import admission
from interactive_envs.novel_games.folder import GameFolder
from interactive_envs.novel_games.host.sandboxed import MODULES
from interactive_envs.system import files
from interactive_envs.system.disk import write_atomically

PASSING = frozenset(("hangs", "memory", "not examined"))
"""Reasons that a busy machine may give: they are not kept, so the game is checked again."""
_lock = threading.Lock()


def require_admitted(folder: GameFolder) -> None:
    """Refuse a game that the check refuses. A verdict is kept by the content of the folder, so a game is checked once.

    Games of the package have passed. Likeness to other games is left to ``ibench games check``: it is no fault of play.

    Raises:
        ConfigError: the game is refused; the message says why.
    """
    if folder.vetted:
        return
    with _lock:  # threads that make the same environment check it once
        refused = _refused(folder)
    if refused:
        raise ConfigError(
            f"the check refuses the game {folder.name}: {refused}; ibench games check shows the details, and "
            "unchecked=true plays it anyway (the record says so)"
        )


@functools.cache
def _refused(folder: GameFolder) -> str:
    """Why a game is refused, ``""`` where it is not."""
    kept = _cache() / f"{_key(folder)}.json"
    with contextlib.suppress(ConfigError, OSError, ValueError, KeyError, TypeError):
        return str(json.loads(files.read_text(kept))["refused"])
    found = admission.check(folder.path)
    reasons = [reason for reason in found.reasons if reason.verdict == "refuse"]
    refused = "; ".join(f"{reason.kind}: {admission.printable(reason.text)}" for reason in reasons)
    if not any(reason.kind in PASSING for reason in found.reasons):
        with contextlib.suppress(OSError, ConfigError):  # a cache that cannot be written costs time, nothing else
            kept.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(kept, json.dumps({"refused": refused}) + "\n")
    return refused


def _cache() -> Path:
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "ibench" / "admission"


def _key(folder: GameFolder) -> str:
    """A hash of all that the verdict depends on: the folder's files, and the code of the check."""
    known = sorted((name, repr(value)) for name, value in vars(folder).items() if name != "path")
    return hashlib.sha256(f"{folder.name}\0{known}\0{_check_sha256()}".encode()).hexdigest()


@functools.cache
def _check_sha256() -> str:
    here = Path(__file__).parent
    parts = [Path(admission.__file__), *(here.joinpath(*name.split(".")).with_suffix(".py") for name in MODULES)]
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in parts)).hexdigest()
