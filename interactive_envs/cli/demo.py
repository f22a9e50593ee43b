"""What ``ibench demo`` plays: a tour of all families, then the suite ``core`` in its smallest size.

The players need no key: rules, references, search with trained networks, and a small language model where it ends in
time. Free text is not among it: the offline judge understands nearly none of its questions, see docs/judges.md.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.core import suite
from interactive_envs.reporting.page import file_name
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.reporting.store import RunStore
from interactive_envs.ui2html.rendering import browser

EPISODES = 6
SHORT = 3
"""Episodes of what takes longer: web pages, and whatever the language model plays."""
MATCHES = 4
"""Of 50 hands of hold'em; both players get the same cards."""
TOUR, CORE = "tour", "core"
"""The folders of the two runs."""
MODEL = "local?max_tokens=24"
READ_FIRST = "ibench/SituationPuzzle-v1"
"""Where the first transcript to read was played, by the language model."""


def tour() -> tuple[RunConfig, list[str]]:
    """A few episodes of every family, and what is left out of it and why."""
    cells = [*_puzzles(), *_mathematics(), *_queries(), *_boxes(), *_games(), *_trust(), *_holdem()]
    lacking = _lacking()
    notes = [f"web pages are left out: {lacking}"] if lacking else []
    if not lacking:
        cells += _pages()
    return RunConfig(tuple(cells), EPISODES), notes


def benchmark() -> tuple[RunConfig, list[str]]:
    """The suite, for the leaderboard, and what is left out of it and why."""
    notes: list[str] = []
    return suite.plan("small", ["rule", "random"], on_note=notes.append), notes


def read_first(store: RunStore) -> Path | None:
    """The transcript to read first: the longest that the language model left."""
    cells = store.config.cells
    mine = [row for row in store.rows() if (cells[row.cell].env_id, cells[row.cell].agent) == (READ_FIRST, MODEL)]
    longest = max(mine, key=lambda row: row.turns, default=None)
    return None if longest is None else store.folder / "transcripts" / file_name(longest)


def _puzzles() -> Iterator[Cell]:
    for agent in ("reference", "rule", "random"):
        yield Cell(READ_FIRST, {}, agent)
    yield Cell(READ_FIRST, {}, MODEL, episodes=SHORT)


def _mathematics() -> Iterator[Cell]:
    for agent in ("reference", "random"):
        yield Cell("ibench/Math-v1", {}, agent, "offline")
    yield Cell("ibench/Math-v1", {"budget": 2}, MODEL, "offline", episodes=SHORT)


def _queries() -> Iterator[Cell]:
    for agent in ("reference", "random"):
        yield Cell("ibench/Query-set-deductive-adding-up-ends-by-count-mirror-neighbours-v1", {}, agent)


def _boxes() -> Iterator[Cell]:
    for agent in ("reference", "random"):
        yield Cell("ibench/BlackBox-circuit-random-v1", {}, agent)


def _games() -> Iterator[Cell]:
    """A generated game, against the opponent that its self-play left."""
    for agent in ("mcts", "rung", "random"):
        yield Cell("ibench/Game-timberfall-v1", {}, agent)


def _trust() -> Iterator[Cell]:
    for agent in ("learner", "tft", "all-c", "random"):
        yield Cell("ibench/TrustGame-v1", {"opponents": "coin?p=0.5"}, agent)


def _holdem() -> Iterator[Cell]:
    for agent in ("tag", "random"):
        yield Cell("ibench/Holdem-v1", {"players": 2, "opponents": "call-station"}, agent, episodes=MATCHES)


def _pages() -> Iterator[Cell]:
    for agent, arguments, count in (
        ("reference", {}, 1),
        ("template", {}, SHORT),
        # the language model takes minutes to write one page
        ("local?max_tokens=400", {"rounds": 2}, 1),
    ):
        yield Cell("ibench/UI2Html-v1", arguments, agent, "offline", episodes=count)


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
