"""The command that plays tournaments."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from interactive_envs.cli.options import play_options, run_folder
from interactive_envs.cli.results import echo_tournament
from interactive_envs.system.terminal import echo


@click.command()
@click.argument("config", required=False)
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="SPEC",
    help='A player, or NAME=SPEC, that replaces "?" in the configuration. May be given several times.',
)
@play_options("matches", "tournament")
def tournament(config: str | None, players: tuple[str, ...], out: Path | None, **options: Any) -> None:
    """Play a tournament. CONFIG is a TOML file, or the name of one that the package includes.

    \b
    ibench tournament                                     # list the names
    ibench tournament trust-rules
    ibench tournament my-league.toml --player tft --player llm:openai/gpt-5-mini
    ibench tournament --out runs/league --resume
    """  # noqa: D301 - click reads the backspace
    from interactive_envs.cli.progress import MatchBar
    from interactive_envs.evaluation.tournament import play as tournaments

    if config is None and not options["resume"]:
        echo("\n".join(tournaments.shipped()))
        return
    folder = run_folder(out, options["resume"], "tournament")
    chosen = tournaments.load(config, players) if config else tournaments.TournamentStore.read_only(folder).tournament
    bar = MatchBar()
    try:
        store = tournaments.run(chosen, folder, begin=bar.begin, progress=bar.advance, on_fault=bar.fault, **options)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"go on with: ibench tournament --out {folder} --resume") from None
    finally:
        bar.close()
    for note in store.notes:
        echo(f"note: {note}", err=True)
    summary = echo_tournament(folder)
    missing = summary["n_planned"] - summary["n_valid"]
    if missing:
        echo(
            f"{missing} matches are missing: infrastructure failed ({store.faults()} attempts, see faults.jsonl); "
            f"play them with: ibench tournament --out {folder} --resume",
            err=True,
        )
    if missing:
        sys.exit(1)
