"""What a folder of results holds: a run, a tournament, or a comparison by pass@k."""

from __future__ import annotations

import enum
from pathlib import Path

from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.passk import compare
from interactive_envs.reporting.store import read_config


class Kind(enum.Enum):
    """What wrote a folder."""

    RUN = "run"
    TOURNAMENT = "tournament"
    COMPARISON = "comparison"


def kind_of(folder: Path) -> Kind:
    """Tell what a folder holds, by its configuration alone.

    A folder without a readable configuration counts as a run, whose reader says what is wrong with it.
    """
    if (folder / compare.SETTINGS).exists():
        return Kind.COMPARISON
    try:
        content = read_config(folder / "config.json")
    except (OSError, ValueError, ConfigError):
        return Kind.RUN
    return Kind.TOURNAMENT if "players" in content and "cells" not in content else Kind.RUN
