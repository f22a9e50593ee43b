"""The commands for other programs: results in their formats, and environments as their servers."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from interactive_envs.cli.options import combine, complete, env_arguments, run_folder
from interactive_envs.errors import ConfigError, MissingExtraError
from interactive_envs.system.terminal import echo


@click.group()
def export() -> None:
    """Write results in formats of other programs."""


_runs = click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN...")


def _table_options(kind: str) -> Callable[..., Any]:
    return combine(
        _runs,
        click.option(
            "--out",
            type=click.Path(dir_okay=False, path_type=Path),
            metavar="FILE",
            help=f"Default: episodes.{kind} in the RUN; of a tournament matches.{kind}.",
        ),
        click.option(
            "--anytime",
            is_flag=True,
            help=f"Write a row per answer between the turns instead, of runs with --anytime: anytime.{kind}.",
        ),
    )


@export.command("csv")
@_table_options("csv")
def export_csv(runs: tuple[Path, ...], out: Path | None, anytime: bool) -> None:
    """Write a row per episode, or per match and seat of tournaments, as CSV.

    Texts that a spreadsheet would compute get an apostrophe in front.
    """
    _export(runs, out, "csv", anytime)


@export.command("parquet")
@_table_options("parquet")
def export_parquet(runs: tuple[Path, ...], out: Path | None, anytime: bool) -> None:
    """Write a row per episode, or per match and seat of tournaments, as Parquet."""
    _export(runs, out, "parquet", anytime)


def _data_options(name: str, reward: str) -> Callable[..., Any]:
    return combine(
        _runs,
        click.option(
            "--out",
            type=click.Path(dir_okay=False, path_type=Path),
            metavar="FILE",
            help=f"Default: {name}.jsonl in the RUN.",
        ),
        click.option("--min-reward", type=float, metavar="NUMBER", help=reward),
        click.option(
            "--max-invalid",
            type=click.IntRange(min=0),
            default=0,
            show_default=True,
            help="Messages that could not be read, at most.",
        ),
        click.option("--max-turns", type=click.IntRange(min=1), help="Messages of the player, at most."),
        click.option(
            "--split-by",
            type=click.Choice(["episode", "id"]),
            default="episode",
            show_default=True,
            help="What is held out for evaluation and never written: an eighth of the episodes, or of the ids.",
        ),
    )


@export.command("sft")
@_data_options("sft", "Default: episodes that were won; where there is a score, 1.")
def export_sft(runs: tuple[Path, ...], out: Path | None, **given: Any) -> None:
    """Write won episodes as chat messages, a line of JSON each, to fine-tune a language model with."""
    from interactive_envs.evaluation import dialogues

    path = _data_path(runs, out, "sft")
    _report(dialogues.write_dialogues(runs, path, _filter(given)), "dialogue", path)


@export.command("preferences")
@_data_options("preferences", "Of the better episode. Default: any.")
@click.option("--min-gap", type=click.FloatRange(min=0), default=0.0, help="Difference of the rewards, at least.")
@click.option("--first", is_flag=True, help="Only the first messages that differ, not all that followed.")
def export_preferences(runs: tuple[Path, ...], out: Path | None, min_gap: float, first: bool, **given: Any) -> None:
    """Write pairs of a better and a worse episode with the same case and seed, a line of JSON each.

    The prompt ends where the two differ first.
    """
    from interactive_envs.evaluation import dialogues

    path = _data_path(runs, out, "preferences")
    counts = dialogues.write_preferences(runs, path, _filter(given), min_gap=min_gap, first=first)
    _report(counts, "pair", path)


def _data_path(runs: tuple[Path, ...], out: Path | None, name: str) -> Path:
    if out is None and len(runs) > 1:
        raise ConfigError("several runs make one file; say where to write it: --out FILE")
    return out or runs[0] / f"{name}.jsonl"


def _filter(given: dict[str, Any]) -> Any:
    from interactive_envs.evaluation.dialogues import Filter

    return Filter(given["min_reward"], given["max_invalid"], given["max_turns"], given["split_by"])


def _report(counts: Any, kind: str, path: Path) -> None:
    echo(f"{counts.written:,} {kind}{'' if counts.written == 1 else 's'}: {path}")
    echo(f"Left out: {counts.held_out:,} of the held-out split, {counts.filtered:,} by the filter.")


@export.command("inspect")
@_runs
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder of the logs. Default: inspect in the RUN.",
)
def export_inspect(runs: tuple[Path, ...], out: Path | None) -> None:
    """Write logs of inspect_ai: a log per environment and player, a sample per episode.

    Episodes that infrastructure broke are samples with an error, and have no score. It needs the extra inspect.
    """
    from interactive_envs.integrations.inspect import log

    folder, logs, samples = log.export(runs, out)
    echo(f"{logs:,} {'log' if logs == 1 else 'logs'}, {samples:,} {'sample' if samples == 1 else 'samples'}: {folder}")
    echo(f"Look at them with: inspect view start --log-dir {shlex.quote(str(folder))}")


@export.command("svg")
@click.argument("run", type=click.Path(file_okay=False, path_type=Path), metavar="RUN")
@click.option(
    "--episode", metavar="C-K-E", help="Cell, case and epoch, as addresses of pages have them. Default: first."
)
@click.option("--message", type=int, metavar="N", help="The table before this message. Default: at the end.")
@click.option("--film", is_flag=True, help="All moments one after another, as an animated picture.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Default: episode.svg.")
def export_svg(run: Path, episode: str | None, message: int | None, film: bool, out: Path | None) -> None:
    """Draw an episode as a picture: hold'em, the trust game, query games, circuits and generated games.

    The episode is replayed for it.
    """
    from interactive_envs.reporting.store import RunStore
    from interactive_envs.system.disk import write_atomically
    from interactive_envs.web import looking_back, stills

    if film and message is not None:
        raise ConfigError("--film shows all messages; leave out --message")
    store = RunStore.read_only(run)
    rows = {"-".join(map(str, row.key)): row for row in store.rows()}
    key = episode or next(iter(rows), "")
    if key not in rows:
        raise ConfigError(f"{run} has no episode {key!r}" if key else f"{run} has no episode yet")
    frames = list(looking_back.frames(store.episode(rows[key])))
    picture = stills.film(frames) if film else stills.still(frames, message)
    path = out or Path("episode.svg")
    write_atomically(path, picture)
    echo(f"Picture of episode {key}, {len(frames) - 1} messages: {path}")


def _export(runs: tuple[Path, ...], out: Path | None, kind: Any, anytime: bool) -> None:
    from interactive_envs.evaluation import export as exports

    path, count = exports.export(runs, out, kind, anytime=anytime)
    echo(f"{count:,} {'row' if count == 1 else 'rows'}: {path}")


@click.command()
@click.argument("env_id", shell_complete=complete("ids"))
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="The run's seed.")
@click.option("--case", default=None, help="Play this case.")
@click.option("--judge", shell_complete=complete("judges"), default=None, help="The judge, where one is needed.")
@click.option("--episodes", type=click.IntRange(1), default=1, show_default=True, help="Episodes of the run.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder. Default: runs/TIME.")
@click.option("--player", default="", metavar="NAME", help="Name in reports. Default: what the client calls itself.")
@click.option(
    "--http",
    "port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Serve clients at this port of loopback instead.",
)
@env_arguments
def mcp(
    env_id: str,
    seed: int,
    case: str | None,
    judge: str | None,
    episodes: int,
    out: Path | None,
    player: str,
    port: int | None,
    arguments: dict[str, Any],
) -> None:
    """Let a client of the Model Context Protocol play: its tools are the environment's actions.

    The server speaks over standard input and output, as most agent products start it. Each session plays the next
    episode of the run in --out, with the tool new_episode more. Started again with the same --out, it goes on with
    that run. It needs the extra mcp.
    """
    from interactive_envs.integrations.mcp import server
    from interactive_envs.integrations.mcp.sessions import Run

    run = Run(
        env_id,
        arguments | ({} if case is None else {"case": case}),
        judge=judge,
        seed=seed,
        episodes=episodes,
        folder=run_folder(out, False, "run"),
        player=player,
    )
    if port is None:
        server.serve_stdio(run)
        return

    def on_ready(address: str, token: str) -> None:
        echo(f"Serving {env_id} at {address}\nHeader: Authorization: Bearer {token}\nCtrl-C ends it.")

    server.serve_http(run, port, on_ready)


@click.group()
def openenv() -> None:
    """Environments as servers of OpenEnv, from which trainers of language models take them."""


_served = combine(
    env_arguments,
    click.option("--tasks", type=click.IntRange(1), default=256, show_default=True, help="Tasks of each split."),
)


@openenv.command("serve")
@click.argument("env_ids", shell_complete=complete("ids"), nargs=-1, required=True, metavar="ENV_ID...")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="Of loopback.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the tasks.")
@_served
def openenv_serve(env_ids: tuple[str, ...], port: int, seed: int, arguments: dict[str, Any], tasks: int) -> None:
    """Serve environments to clients on this machine, a session each.

    An episode is of the first environment, unless reset names another. It needs the extra openenv.
    """
    from interactive_envs.training.llm.openenv.app import make_app

    try:
        import uvicorn
    except ModuleNotFoundError as error:
        raise MissingExtraError("ibench openenv serve", "openenv") from error

    app = make_app(env_ids, arguments, seed=seed, tasks=tasks)
    echo(f"Serving {', '.join(env_ids)} at http://127.0.0.1:{port}\nCtrl-C ends it.")
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")


@openenv.command("export")
@click.argument("env_ids", shell_complete=complete("ids"), nargs=-1, required=True, metavar="ENV_ID...")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="A new folder.")
@_served
def openenv_export(env_ids: tuple[str, ...], out: Path, arguments: dict[str, Any], tasks: int) -> None:
    """Write the folder that openenv validate, openenv build and openenv push take."""
    from interactive_envs.training.llm.openenv import folder

    folder.write(env_ids, out, arguments, tasks=tasks)
    echo(f"Written: {out}\nCheck it with: openenv validate {shlex.quote(str(out))} --skip-build")
