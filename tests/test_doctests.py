"""The examples in the docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import pkgutil
from pathlib import Path

import pytest

import interactive_envs
from interactive_envs.errors import MissingExtraError

MODULES = ["interactive_envs"] + [
    found.name for found in pkgutil.walk_packages(interactive_envs.__path__, "interactive_envs.")
]
WITH_EXAMPLES = {
    "interactive_envs.api",
    "interactive_envs.seeds",
    "interactive_envs.specs",
    "interactive_envs.errors",
    "interactive_envs.parsing",
    "interactive_envs.situation_puzzle.env",
    "interactive_envs.situation_puzzle.rules",
}


def has_examples(name: str) -> bool:
    spec = importlib.util.find_spec(name)
    return bool(spec and spec.origin and ">>>" in Path(spec.origin).read_text("utf-8"))


@pytest.mark.parametrize("name", [name for name in MODULES if name in WITH_EXAMPLES or has_examples(name)])
def test_examples(name: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(name))
    assert failed == 0
    assert tried > 0 or name not in WITH_EXAMPLES


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in MODULES if not has_examples(name)])
def test_a_module_without_examples_can_be_imported(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except (MissingExtraError, ModuleNotFoundError) as missing:  # an adapter to a framework that is not installed here
        if (getattr(missing, "name", None) or "").startswith("interactive_envs"):
            raise
        pytest.skip(str(missing))
    assert doctest.testmod(module) == (0, 0)


def test_every_folder_is_walked() -> None:
    assert {"interactive_envs.agents.random", "interactive_envs.wrappers.numeric", *WITH_EXAMPLES} <= set(MODULES)
    assert {"interactive_envs.training", "interactive_envs.game_generation"} <= set(MODULES)
