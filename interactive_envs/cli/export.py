"""The commands that write results for other programs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from interactive_envs.cli.options import combine
from interactive_envs.system.terminal import echo


@click.group()
def export() -> None:
    """Write results in formats of other programs."""


def _table_options(kind: str) -> Callable[..., Any]:
    return combine(
        click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN..."),
        click.option(
            "--out",
            type=click.Path(dir_okay=False, path_type=Path),
            metavar="FILE",
            help=f"Default: episodes.{kind} in the RUN; of a tournament matches.{kind}.",
        ),
    )


@export.command("csv")
@_table_options("csv")
def export_csv(runs: tuple[Path, ...], out: Path | None) -> None:
    """Write a row per episode, or per match and seat of tournaments, as CSV.

    Texts that a spreadsheet would compute get an apostrophe in front.
    """
    _export(runs, out, "csv")


@export.command("parquet")
@_table_options("parquet")
def export_parquet(runs: tuple[Path, ...], out: Path | None) -> None:
    """Write a row per episode, or per match and seat of tournaments, as Parquet."""
    _export(runs, out, "parquet")


def _export(runs: tuple[Path, ...], out: Path | None, kind: Any) -> None:
    from interactive_envs.evaluation import export as exports

    path, count = exports.export(runs, out, kind)
    echo(f"{count:,} {'row' if count == 1 else 'rows'}: {path}")
