"""The results in a folder: printed, and written as report pages."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from interactive_envs.system.terminal import echo


def report_folder(folder: Path, judge_errors: Sequence[Path] = ()) -> None:
    """Write a folder's summary and report page again, and print the results.

    Args:
        folder: of a run, a tournament or a comparison.
        judge_errors: files of judges' errors, for a run.

    Raises:
        ConfigError: the folder holds nothing that can be read, or no run where there are judges' errors.
    """
    from interactive_envs.cli import game_results
    from interactive_envs.errors import ConfigError
    from interactive_envs.evaluation.folders import Kind, kind_of
    from interactive_envs.reporting.correction.runs import keep

    if judge_errors and kind_of(folder) is not Kind.RUN:
        raise ConfigError(f"{folder} holds no run; --judge-errors corrects the accuracy of runs")
    for file in judge_errors:
        keep(folder, file)
    if game_results.report(folder):
        return
    {Kind.RUN: _report_run, Kind.TOURNAMENT: _report_tournament, Kind.COMPARISON: _report_comparison}[kind_of(folder)](
        folder
    )


def _report_run(folder: Path) -> None:
    from interactive_envs.evaluation.run import pool, report
    from interactive_envs.reporting.store import RunStore

    store = RunStore.read_only(folder)
    pool.finish(store)
    echo_results(store)
    echo(f"Report: {report.write_with_pages(store)}")


def _report_tournament(folder: Path) -> None:
    from interactive_envs.evaluation.tournament import play

    store = play.TournamentStore.read_only(folder)
    play.finish(store)
    echo_tournament(folder)


def _report_comparison(folder: Path) -> None:
    from interactive_envs.evaluation.passk import compare
    from interactive_envs.reporting.store import RunStore

    stores = [RunStore.read_only(folder / name) for name in (compare.INTERACTIVE, compare.SINGLE)]
    echo_comparison(compare.Comparison.read(folder), folder, *stores)


def echo_tournament(folder: Path) -> dict[str, Any]:
    """Print a tournament's table, write its report page and print its path; return the summary."""
    from interactive_envs.evaluation.tournament import report, summary

    content: dict[str, Any] = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    echo(summary.table(content))
    echo(f"Report: {report.write(folder)}")
    return content


def echo_comparison(comparison: Any, folder: Path, interactive: Any, single: Any) -> dict[str, Any]:
    """Print a comparison's tables, write its pages and print the path; return the numbers."""
    from interactive_envs.evaluation.passk import compare, page
    from interactive_envs.evaluation.run import report
    from interactive_envs.reporting import tables

    content = compare.write(comparison, folder, interactive, single)
    echo(tables.render(page.tables(content)))
    for note, players in page.notes(content):
        echo(f"{', '.join(players)}: {note}")
    for store in (interactive, single):
        report.write(store)
    echo(f"Page: {page.write(folder, content)}")
    return content


def echo_results(store: Any) -> None:
    """Print the tables of a suite, else one line per cell."""
    from interactive_envs.evaluation.core import page, results
    from interactive_envs.evaluation.core.suite import size_of
    from interactive_envs.reporting.run_tables import all_tables

    size = size_of(store.config)
    if size and (why := results.unscored(size)):
        echo(f"No leaderboard: {why}.")
    elif size:
        for number, line in enumerate(page.lines(*page.write(store))):
            echo(line, bold=number == 0 or line.startswith("*"))
        echo(f"Leaderboard: {store.folder / 'core.html'}")
        return
    suites = [part for part in all_tables() if part.is_suite(store.config)] if store.rows() else []
    for part in suites:
        made, _ = part.write(store)
        echo(part.render(made))
        echo(f"Tables: {store.folder / part.file}")
    if not suites:
        echo_scores(store)
    echo_asking(store)


def echo_asking(store: Any) -> None:
    """Print the tables of answers between the turns and of relays, where there were some."""
    from interactive_envs.evaluation.run.report import asking_tables
    from interactive_envs.reporting import tables
    from interactive_envs.reporting.asking import anytime

    rows = store.rows()
    made = asking_tables(store, rows, anytime.read(store, rows))
    if made:
        echo(f"\n{tables.render(made)}")


def echo_scores(store: Any) -> None:
    """Print one line per cell: player, environment, and success rate or mean reward."""
    from interactive_envs import catalog
    from interactive_envs.outcome import Outcome
    from interactive_envs.reporting.metrics import NOT_SCORED
    from interactive_envs.reporting.words import words_of

    summary = json.loads((store.folder / "summary.json").read_text(encoding="utf-8"))
    labels = cell_labels(store.config)
    scored = [figures["scored"] for figures in summary["cells"]]
    done = words_of(store.config).done
    title = "reward" if all(scored) else f"{done} or reward" if any(scored) else done
    lines = [("", title, "95 % interval", "n", "rounds", "corrected for the judge")]
    for label, figures in zip(labels, summary["cells"], strict=True):
        estimate, turns = figures["reward" if figures["scored"] else "accuracy"], figures["turns_solved"]["value"]
        form = "{:.2f}" if figures["scored"] else "{:.1%}"
        unscored = figures["outcomes"].get(Outcome.UNSCORED)
        value, interval = (
            (NOT_SCORED if unscored else "-") if estimate["value"] is None else form.format(estimate["value"]),
            "-" if estimate["low"] is None else f"{form} to {form}".format(estimate["low"], estimate["high"]),
        )
        rounds = "-" if turns is None else f"{turns:.1f}"
        corrected = percent(figures["accuracy_corrected"]) if figures.get("accuracy_corrected") else "-"
        lines.append((label, value, interval, str(estimate["n"]), rounds, corrected))
    columns = [column for column in zip(*lines, strict=True) if set(column[1:]) != {"-"}]
    widths = [max(map(len, column)) for column in columns]
    sides = [str.ljust] + [str.rjust] * (len(columns) - 1)
    for number, line in enumerate(zip(*columns, strict=True)):
        cells = (side(text, width) for side, text, width in zip(sides, line, widths, strict=True))
        echo("  ".join(cells), bold=number == 0)
    for note in summary["notes"]:
        echo(note)
    families = {catalog.family(catalog.entry(cell.env_id)["family"]).name for cell in store.config.cells}
    for part in summary.get("tools", ()) if len(families) == 1 else ():  # rewards of several have no common unit
        tag, mean = part["tools"] or "without tools", part["reward"]
        value = "nothing played" if mean["value"] is None else f"mean reward {mean['value']:.2f}, n = {mean['n']}"
        echo(f"{part['agent']}, environments to play {tag}: {value}")


def cell_labels(config: Any) -> list[str]:
    """Name every cell, in columns: the player, then what it plays."""
    from interactive_envs.reporting import summary

    names = summary.names(config)
    players = max(len(name.player) for name in names)
    settings = max(len(name.setting) for name in names)
    return [f"{name.player:<{players}}  {name.setting:<{settings}}" for name in names]


def percent(estimate: Mapping[str, Any]) -> str:
    """Write an estimate as a percentage with its interval."""
    if estimate["value"] is None:
        return "unknown"
    if estimate["low"] is None:
        return f"{estimate['value']:.1%}"
    return f"{estimate['value']:.1%} [{estimate['low']:.1%}, {estimate['high']:.1%}]"
