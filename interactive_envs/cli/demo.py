"""What ``ibench demo`` plays: a few minutes of every task that needs a judge, by players that need no key."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

from interactive_envs.errors import ConfigError
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.ui2html.rendering import browser

EPISODES = 6
SHORT = 3
"""Episodes of what takes longer, and rounds where a language model writes pages."""


def config() -> tuple[RunConfig, list[str]]:
    """The demo's run, and what is left out of it and why."""
    cells = [*_puzzles(), *_mathematics()]
    lacking = _lacking()
    notes = [f"UI2Html is left out: {lacking}"] if lacking else []
    if not lacking:
        cells += _pages()
    return RunConfig(tuple(cells), EPISODES), notes


def _puzzles() -> Iterator[Cell]:
    for mode in ("menu", "free"):
        for alone in (False, True):
            arguments = {"budget": 10, "mode": mode} | ({"no_interaction": True} if alone else {})
            for agent in ("local", "rule", "random"):
                yield Cell("ibench/SituationPuzzle-v1", arguments, agent, axes={"mode": mode})


def _mathematics() -> Iterator[Cell]:
    for agent, arguments in (("math/reference", {}), ("random", {}), ("local", {"budget": 2})):
        yield Cell("ibench/Math-v1", arguments, agent)


def _pages() -> Iterator[Cell]:
    for agent, arguments in (
        ("reference", {}),
        ("template", {}),
        ("blank", {}),
        ("local?max_tokens=400", {"rounds": 2}),
    ):
        yield Cell("ibench/UI2Html-v1", arguments, agent, episodes=SHORT)


def _lacking() -> str:
    """Why no page can be drawn here; empty where it can."""
    if importlib.util.find_spec("playwright") is None:
        return 'the extra is missing: pip install "interactive-envs[ui]"'
    try:
        browser.find_chromium()
        browser.find_fonts()
    except ConfigError as error:
        return str(error)
    return ""
