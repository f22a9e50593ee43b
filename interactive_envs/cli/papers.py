"""The command that runs the experiments of the papers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from interactive_envs.cli.options import env_arguments, play_options, run_folder
from interactive_envs.system.terminal import echo


@click.command()
@click.argument("paper", required=False)
@click.option("--table", "tables", multiple=True, metavar="N", help="Only this table. May be given several times.")
@click.option("--figure", "figures", multiple=True, metavar="N", help="Only this figure. May be given several times.")
@click.option(
    "--appendix", "appendices", multiple=True, metavar="N", help="Only what this appendix reports in its text."
)
@click.option("--agent", "agents", multiple=True, help="A player in place of the paper's. May be given several times.")
@click.option("--judge", "judges", multiple=True, help="A judge in place of the paper's. May be given several times.")
@click.option("--episodes", type=click.IntRange(1), help="Episodes per cell, or problems. Default: the paper's number.")
@click.option("--quick", is_flag=True, help="Play the smallest size, only to see that it runs.")
@env_arguments
@play_options("episodes", "experiments")
def reproduce(paper: str | None, out: Path | None, **options: Any) -> None:
    """Run the experiments of a paper and print our numbers beside the published ones.

    Without --agent the paper's own line-up of language models plays, through litellm, which costs money.

    \b
    ibench reproduce                                   # list the papers with their tables and figures
    ibench reproduce interactive-v2 --figure 2 --agent llm:openai/gpt-5-mini
    ibench reproduce executable --table 2 --agent reference --agent random --quick
    ibench reproduce interactive-v2 --figure 4 --agent llm:openai/gpt-5-mini -k dataset=my-hle.jsonl
    ibench reproduce interactive-v2 --out runs/paper --resume
    """  # noqa: D301 - click reads the backspace
    from interactive_envs.evaluation.papers import experiment as experiments
    from interactive_envs.evaluation.papers import play, table

    if paper is None:
        _list()
        return
    items = [
        f"{kind} {number}"
        for kind, numbers in (("table", "tables"), ("figure", "figures"), ("appendix", "appendices"))
        for number in options[numbers]
    ]
    chosen = experiments.choose(paper, items)
    folder = run_folder(out, options["resume"], "experiments")
    how = play.How(
        agents=options["agents"],
        judges=options["judges"],
        quick=options["quick"],
        episodes=options["episodes"],
        arguments=options["arguments"],
        options={name: options[name] for name in ("workers", "resume", "limit_cost", "backend")},
        watching=_watching,
    )
    for one in chosen:
        try:
            numbers = play.reproduce(one, folder / one.name, how)
        except KeyboardInterrupt:
            raise KeyboardInterrupt("go on with the same command, --out and --resume") from None
        table.write(folder / one.name, one, numbers)
        echo("\n".join(["", *table.lines(one, numbers)]))
    echo(f"\nFiles: {folder}")


def _list() -> None:
    from interactive_envs.evaluation.papers.experiment import experiments

    paper = ""
    for one in experiments():
        if one.paper != paper:
            paper = one.paper
            echo(f"{paper}:")
        echo(f"  {', '.join(one.items):<22} {one.title}")


@contextlib.contextmanager
def _watching(name: str, config: Any) -> Iterator[Any]:
    """Show bars for a run, or one for a tournament."""
    from interactive_envs.cli.progress import MatchBar, RunBars
    from interactive_envs.reporting.records import RunConfig

    echo(f"{name}:", err=True)
    bars: Any = RunBars(config) if isinstance(config, RunConfig) else MatchBar()
    try:
        yield bars
    finally:
        bars.close()
