"""What ``ibench demo`` plays: a few minutes of four tasks that can be scored offline, by players that need no key.

Free text is not among them: the offline judge understands nearly none of its questions, see docs/judges.md.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

from interactive_envs.errors import ConfigError
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.ui2html.rendering import browser

EPISODES = 6
SHORT = 3
"""Episodes of what takes longer: web pages, and whatever the language model plays."""


def config() -> tuple[RunConfig, list[str]]:
    """The demo's run, and what is left out of it and why."""
    cells = [*_puzzles(), *_mathematics(), *_trust()]
    lacking = _lacking()
    notes = [f"UI2Html is left out: {lacking}"] if lacking else []
    if not lacking:
        cells += _pages()
    return RunConfig(tuple(cells), EPISODES), notes


def _puzzles() -> Iterator[Cell]:
    for alone in (False, True):
        arguments = {"no_interaction": True} if alone else {}
        for agent in ("reference", "rule", "random"):
            yield Cell("ibench/SituationPuzzle-v1", arguments, agent)
        yield Cell("ibench/SituationPuzzle-v1", arguments, "local", episodes=SHORT)


def _mathematics() -> Iterator[Cell]:
    for agent in ("math/reference", "random"):
        yield Cell("ibench/Math-v1", {}, agent)
    yield Cell("ibench/Math-v1", {"budget": 2}, "local", episodes=SHORT)


def _trust() -> Iterator[Cell]:
    for agent in ("learner", "tft", "all-c", "random"):
        yield Cell("ibench/TrustGame-v1", {"opponents": "coin?p=0.5"}, agent)


def _pages() -> Iterator[Cell]:
    for agent, arguments in (
        ("reference", {}),
        ("template", {}),
        ("blank", {}),
        ("local?max_tokens=400", {"rounds": 2}),
    ):
        # The language model takes minutes to write one page.
        yield Cell("ibench/UI2Html-v1", arguments, agent, episodes=1 if agent.startswith("local") else SHORT)


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
