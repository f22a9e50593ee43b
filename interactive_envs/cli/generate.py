"""The commands that have a model make games."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from interactive_envs.cli.options import FiniteNumber
from interactive_envs.errors import ConfigError
from interactive_envs.system.terminal import echo, printable

KINDS = ("games",)


@click.group()
def generate() -> None:
    """Have a model make games, check them, and have it mend what the check refuses."""


@generate.command("games")
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="POOL", help="Folder of the candidates.")
@click.option("--model", help="Who writes, such as llm:openai/gpt-5-mini. Not needed with --requests or --replies.")
@click.option("--reader", help="Who reads the rules and is compared with the code. Default: the model that writes.")
@click.option("--count", type=click.IntRange(1), help="How many candidates. Default: one an idea, or 1.")
@click.option("--idea", "ideas", multiple=True, help="What a candidate is to be. May be given several times.")
@click.option("--category", help="number, board, card, chance or combat.")
@click.option("--turns", type=click.IntRange(6, 100), help="About how many moves a game is to last.")
@click.option("--repairs", type=click.IntRange(0), help="How often one may be mended. Default: 3.")
@click.option("--requests", type=click.Path(path_type=Path), help="Write what would be asked into this file, and stop.")
@click.option("--replies", multiple=True, type=click.Path(path_type=Path), help="Go on with the answers in this file.")
@click.option("--workers", type=click.IntRange(1), default=4, show_default=True, help="Candidates at the same time.")
@click.option("--limit-cost", type=FiniteNumber(0), metavar="USD", help="Stop when this much has been spent.")
def games(out: Path, **options: Any) -> None:
    """Make two-player games.

    \b
    ibench generate games --model llm:openai/gpt-5-mini --count 20 --out pool/
    ibench generate games --out pool/ --requests requests.jsonl    # for a batch, or a model without an interface
    ibench generate games --out pool/ --replies replies.jsonl      # goes on with its answers

    The same command goes on where it was stopped.
    """  # noqa: D301 - click reads the backspace
    from interactive_envs.game_generation.making import make

    with tqdm(unit="step", disable=None) as bar:

        def news(line: str) -> None:
            bar.update()
            if bar.disable:
                echo(printable(line))
            else:
                bar.set_postfix_str(printable(line)[:60])

        made = make("games", out, report=news, **options)
    echo(made.funnel())
    if made.waiting:
        where = f"written to {options['requests']}" if options["requests"] else "write them with --requests FILE"
        many = "1 request waits" if len(made.waiting) == 1 else f"{len(made.waiting)} requests wait"
        echo(f"{many} for a reply; {where}.")
    if made.faults:
        for fault, count in Counter(made.faults).most_common(3):
            echo(printable(f"{count} calls failed: {fault}"), err=True)
        raise ConfigError("some calls failed; the same command makes them again")


@generate.command("report")
@click.argument("pool", type=click.Path(path_type=Path))
def report(pool: Path) -> None:
    """Print how far the candidates of a POOL came, and why they failed."""
    from interactive_envs.game_generation.making import look

    echo(look(pool).funnel())


@generate.command("release")
@click.argument("pool", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Where the admitted games are written.")
@click.option("--flagged", is_flag=True, help="Also those that a person should look at.")
def release(pool: Path, out: Path, flagged: bool) -> None:
    """Write the admitted games of a POOL as folders that ibench run plays."""
    from interactive_envs.game_generation.making import look

    written = look(pool).release(out, flagged=flagged)
    for folder in written:
        echo(printable(str(folder)))
    echo(f"{len(written)} games. Play one with: ibench run ibench/Game-v1 -k path=FOLDER --agent random")
