"""The examples in the docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import interactive_envs

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


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(name))
    assert failed == 0
    assert tried > 0 or name not in WITH_EXAMPLES


def test_every_folder_is_walked() -> None:
    assert {"interactive_envs.agents.random", "interactive_envs.wrappers.numeric", *WITH_EXAMPLES} <= set(MODULES)
    assert {"interactive_envs.training", "interactive_envs.game_generation"} <= set(MODULES)
