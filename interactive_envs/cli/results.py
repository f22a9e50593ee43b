"""What a run's folder says, printed; and its report pages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from interactive_envs.system.terminal import echo


def echo_results(store: Any) -> None:
    """Print the tables of a suite, else one line per cell."""
    suites = [part for part in run_tables() if part.is_suite(store.config)] if store.rows() else []
    for part in suites:
        made, _ = part.write(store)
        echo(part.render(made))
        echo(f"Tables: {store.folder / part.PAGE}")
    if not suites:
        echo_scores(store)


def run_tables() -> list[Any]:
    """The families' tables of runs."""
    from interactive_envs.black_box.report import tables as box_tables
    from interactive_envs.novel_games.report import tables as game_tables
    from interactive_envs.query_games.report import tables as query_tables

    return [query_tables, box_tables, game_tables]


def echo_scores(store: Any) -> None:
    """Print one line per cell: player, environment, and success rate or mean reward."""
    from interactive_envs.reporting.words import words_of

    summary = json.loads((store.folder / "summary.json").read_text(encoding="utf-8"))
    labels = cell_labels(store.config)
    scored = [figures["scored"] for figures in summary["cells"]]
    done = words_of(store.config).done
    title = "reward" if all(scored) else f"{done} or reward" if any(scored) else done
    lines = [("", title, "95 % interval", "n", "rounds")]
    for label, figures in zip(labels, summary["cells"], strict=True):
        estimate, turns = figures["reward" if figures["scored"] else "accuracy"], figures["turns_solved"]["value"]
        form = "{:.2f}" if figures["scored"] else "{:.1%}"
        value, interval = (
            "-" if estimate["value"] is None else form.format(estimate["value"]),
            "-" if estimate["low"] is None else f"{form} to {form}".format(estimate["low"], estimate["high"]),
        )
        rounds = "-" if turns is None else f"{turns:.1f}"
        lines.append((label, value, interval, str(estimate["n"]), rounds))
    columns = [column for column in zip(*lines, strict=True) if set(column[1:]) != {"-"}]
    widths = [max(map(len, column)) for column in columns]
    sides = [str.ljust] + [str.rjust] * (len(columns) - 1)
    for line in zip(*columns, strict=True):
        cells = (side(text, width) for side, text, width in zip(sides, line, widths, strict=True))
        echo("  ".join(cells))
    for note in summary["notes"]:
        echo(note)


def cell_labels(config: Any) -> list[str]:
    """Name every cell, in columns: the player, then what it plays."""
    from interactive_envs.reporting import estimates

    names = estimates.names(config)
    players = max(len(name.player) for name in names)
    settings = max(len(name.setting) for name in names)
    return [f"{name.player:<{players}}  {name.setting:<{settings}}" for name in names]


def write_report(store: Any) -> Path:
    """Write the report page; before it the page of web pages, which it links to, where the run has any."""
    from interactive_envs.evaluation.run import report as report_page
    from interactive_envs.ui2html import report as ui_page

    if ui_page.holds(store.config):
        ui_page.write(store)
    return report_page.write(store)


def percent(estimate: Mapping[str, Any]) -> str:
    """Write an estimate as a percentage with its interval."""
    if estimate["value"] is None:
        return "unknown"
    if estimate["low"] is None:
        return f"{estimate['value']:.1%}"
    return f"{estimate['value']:.1%} [{estimate['low']:.1%}, {estimate['high']:.1%}]"
