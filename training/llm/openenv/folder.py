"""The folder of an environment as OpenEnv's own commands take it: to validate, to build an image, to push it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from interactive_envs import catalog
from interactive_envs.errors import ConfigError
from interactive_envs.training.llm.openenv.play import TASKS, Served

VERSION = "0.10.0"
"""Of OpenEnv, with which the folder was tested."""


def write(ids: Sequence[str], folder: Path, arguments: Mapping[str, Any] | None = None, *, tasks: int = TASKS) -> None:
    """Write the folder.

    Args:
        ids: registered ids that it serves.
        folder: where; it must be new or empty.
        arguments: of every environment.
        tasks: of each split.

    Raises:
        ConfigError: the folder is in use, or an environment cannot be made.
    """
    if folder.exists() and any(folder.iterdir()):
        raise ConfigError(f"{folder} is not empty; choose another folder")
    served = Served(tuple(ids), dict(arguments or {}), 0, tasks)
    low, high = _reward_range(served)
    filled = {
        "__IDS__": json.dumps(list(served.ids)),
        "__ARGUMENTS__": repr(json.loads(json.dumps(dict(served.arguments)))),
        "__TASKS__": str(tasks),
        "__LISTED__": "\n".join(f"- `{env_id}`" for env_id in served.ids),
        "__FIRST__": served.ids[0],
        "__LOW__": f"{low:.1f}",
        "__HIGH__": f"{high:.1f}",
        "__OPENENV__": VERSION,
        "__VERSION__": version("interactive-envs"),
    }
    _copy(files("interactive_envs.training.llm.openenv") / "data" / "folder", folder, filled)


def _copy(source: Traversable, target: Path, filled: Mapping[str, str]) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for entry in source.iterdir():
        if entry.is_dir():
            _copy(entry, target / entry.name, filled)
        else:
            text = entry.read_text(encoding="utf-8")
            for mark, value in filled.items():
                text = text.replace(mark, value)
            (target / entry.name.removesuffix(".txt")).write_text(text, encoding="utf-8")


def _reward_range(served: Served) -> tuple[float, float]:
    """The lowest and the highest reward of an episode; where there is no bound, -1,000,000 and 1,000,000."""
    if served.arguments.get("reward", "outcome") != "outcome":
        return -1e6, 1e6
    ranges = [catalog.entry(env_id).get("reward_range") or (0.0, 1.0) for env_id in served.ids]
    low, high = min(low for low, _ in ranges), max(high for _, high in ranges)
    return max(-1e6, low), min(1e6, high)
