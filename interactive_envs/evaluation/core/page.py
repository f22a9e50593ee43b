"""The leaderboard of a run of the suite ``core``: as a page, as numbers, and for a terminal."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from interactive_envs import catalog
from interactive_envs.evaluation.core.results import baselines, played, table
from interactive_envs.evaluation.core.scoring import Score
from interactive_envs.evaluation.core.suite import NAME, VERSION, families, settings, size_of
from interactive_envs.family import ABILITIES
from interactive_envs.reporting.estimates import Estimate, dump
from interactive_envs.reporting.page import as_bytes, templates
from interactive_envs.reporting.store import RunStore
from interactive_envs.system.disk import write_atomically

LOWEST, HIGHEST = -20.0, 120.0
"""Ends of the axis of the page's figure; what lies beyond is drawn at its end."""


def labels() -> dict[str, str]:
    """What columns call the families."""
    return {name: catalog.family(name).label or name for name in families()}


def write(store: RunStore) -> tuple[list[Score], list[Score]]:
    """Write ``core.json`` and ``core.html`` into a run's folder; returns the scores of its players and of the known.

    Raises:
        ConfigError: the run does not play the suite.
    """
    found = played(store)
    size = size_of(store.config) or ""
    ours, known = table(size, found)
    content = {
        "suite": store.config.suite,
        "players": [one.as_json() for one in ours],
        "known": [one.as_json() for one in known],
    }
    write_atomically(store.folder / f"{NAME}.json", dump(content))
    page = (
        templates(__package__)
        .get_template("core.html.j2")
        .render(
            version=VERSION,
            size=size,
            episodes=sum(setting.episodes for setting in settings(size)),
            rows=_rows(ours, known),
            families=labels(),
            abilities=ABILITIES,
            settings=settings(size),
            known_size=baselines().size,
            faults=store.faults(),
            show=show,
            place=place,
        )
    )
    write_atomically(store.folder / f"{NAME}.html", as_bytes(page))
    return ours, known


def lines(ours: Sequence[Score], known: Sequence[Score]) -> Iterator[str]:
    """The leaderboard as lines of text; those who were played now have a star."""
    rows = _rows(ours, known)
    width = max(len(one.player) for one, _ in rows)
    head = "  ".join(f"{name:>7}" for name in labels().values())
    yield f"  {'player':<{width}}  {'score':>5}  {'95 %':>10}  {head}"
    for one, mine in rows:
        spread = "" if one.score.low is None else f"{one.score.low:.0f} to {one.score.high:.0f}"
        parts = "  ".join(f"{show(one.families.get(name)):>7}" for name in labels())
        yield f"{'*' if mine else ' '} {one.player:<{width}}  {show(one.score):>5}  {spread:>10}  {parts}"
    for one in ours:
        if one.missing:
            yield f"{one.player}: no score of the suite, for nothing was played of: {', '.join(one.missing)}"
        yield f"{one.player}: {told(one.notes)}"


def told(notes: Mapping[str, Any]) -> str:
    """What is shown beside a score, in a line."""
    parts = [f"{notes['episodes']:,} of {notes['planned']:,} episodes"]
    if notes["turns"]:
        share = notes["unreadable"] / (notes["turns"] + notes["unreadable"])
        parts.append(f"{100 * share:.1f}% of messages unreadable")
    read, written = notes["tokens"]
    if read or written:
        parts.append(f"{read:,} tokens read and {written:,} written")
        parts.append("cost unknown" if notes["cost"] is None else f"${notes['cost']:.2f}")
    return ", ".join(parts)


def show(estimate: Estimate | None) -> str:
    """A score as people read it."""
    return "" if estimate is None or estimate.value is None else f"{estimate.value:.0f}".replace("-0", "0")


def place(value: float) -> float:
    """Where a score stands on the figure's axis, in percent of its width."""
    return round(100 * (min(max(value, LOWEST), HIGHEST) - LOWEST) / (HIGHEST - LOWEST), 2)


def _rows(ours: Sequence[Score], known: Sequence[Score]) -> list[tuple[Score, bool]]:
    """All players, the best first, and whether they are of the run."""
    rows = [*((one, True) for one in ours), *((one, False) for one in known)]
    return sorted(rows, key=lambda row: -math.inf if row[0].score.value is None else row[0].score.value, reverse=True)
