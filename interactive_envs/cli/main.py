"""The command line: ``ibench``. Each command reads its arguments, calls the library and prints."""

from __future__ import annotations

import contextlib
import datetime
import difflib
import fnmatch
import functools
import inspect
import itertools
import json
import math
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click
from tqdm import tqdm

import interactive_envs
from interactive_envs import catalog
from interactive_envs.cli import games as cli_games
from interactive_envs.errors import ConfigError, IbenchError, UnknownNameError
from interactive_envs.parsing import json_or_text
from interactive_envs.system import own_modules
from interactive_envs.system.terminal import echo, error_line, guard, printable
from interactive_envs.system.workers import TerminatedError

DEFAULT_EPISODES = 20
"""Episodes of an environment whose cases have no end."""
READERS = frozenset({"replay", "report", "rescore", "tables"})
"""Commands that read a folder which may be a stranger's: without --path, no module that it names is imported."""
LONGEST_PATTERN = 500
"""Characters of a pattern of ids; matching takes time that grows with their square."""
BARS = 12
"""Cells that have a progress bar each; more share one."""


class _Number(click.FloatRange):
    """A number within bounds; click lets through what is no number, or endless."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number; give one, or leave the option out", param, ctx)
        return number


class _Group(click.Group):
    """Suggests the nearest command, and prints an error as one readable line."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run; a wrong option is one line too, where click prints its usage as well."""
        guard()
        try:
            sys.exit(super().main(*args, **{**extra, "prog_name": "ibench", "standalone_mode": False}))
        except click.exceptions.NoArgsIsHelpError as help_page:
            echo(help_page.format_message())
        except click.ClickException as error:
            context = getattr(error, "ctx", None)
            where = f" (see {context.command_path} --help)" if context else ""
            echo(f"ibench: {error_line(error.format_message())}{where}", err=True)
            sys.exit(2)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and self.get_command(ctx, args[0]) is None:
            near = difflib.get_close_matches(args[0], self.list_commands(ctx), n=1)
            hint = f"did you mean {near[0]!r}?" if near else "see ibench --help"
            raise click.UsageError(f"unknown command {args[0]!r}; {hint}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # whoever read the output, such as head, has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)
        except (IbenchError, OSError) as error:
            if ctx.params.get("debug"):
                raise
            hint = " (ibench --debug … shows where)" if error.__cause__ is not None else ""
            echo(f"ibench: {error_line(error)}{hint}", err=True)
            ctx.exit(2)
        except UnicodeEncodeError as error:  # JSON can write half a surrogate pair, no file name can hold one
            if ctx.params.get("debug"):
                raise
            echo(f"ibench: {error_line(error.object)}: holds half a surrogate pair, which is no character", err=True)
            ctx.exit(2)
        except KeyboardInterrupt as stopped:  # what it says is how to go on
            line_ended = "\n" * sys.stderr.isatty()  # after the ^C
            echo(f"{line_ended}ibench: " + "; ".join(["interrupted", *map(str, stopped.args)]), err=True)
            # The commands raise it again, with how to go on; what they caught is its context.
            terminated = any(isinstance(one, TerminatedError) for one in (stopped, stopped.__context__))
            ctx.exit(143 if terminated else 130)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.option(
    "--path",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Where your own players and judges lie (module:Class). Default: the current folder.",
)
@click.version_option(interactive_envs.__version__, prog_name="ibench")
@click.pass_context
def main(ctx: click.Context, debug: bool, path: Path | None) -> None:
    """Interactive reasoning: environments where a player asks, acts and revises under a budget."""
    os.environ["PYTHONSAFEPATH"] = "1"  # no process that this one starts imports from the current folder
    if path is None and ctx.invoked_subcommand in READERS:
        own_modules.forbid()
    else:
        own_modules.search((path or Path.cwd()).resolve())


def _arguments(_: click.Context, __: click.Parameter, pairs: Sequence[str]) -> dict[str, Any]:
    """``key=JSON`` pairs; a value that is no JSON is a text."""
    arguments: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not (key and equals):
            raise ConfigError(f"argument {pair!r} is not key=value")
        arguments[key] = json_or_text(value)
    return arguments


_env_arguments = click.option(
    "-k", "arguments", multiple=True, metavar="KEY=JSON", callback=_arguments, help="An argument of the environment."
)


@main.command("list")
@click.option("--agents", "kind", flag_value="agents", help="List players instead.")
@click.option("--judges", "kind", flag_value="judges", help="List judges instead.")
@click.option("--structure", help="Only query games about a set, sequence, tree or graph.")
@click.option("--mode", help="Only deductive, inductive or abductive query games.")
@click.option("--json", "as_json", is_flag=True, help="Print the catalog as JSON.")
def list_(kind: str | None, structure: str | None, mode: str | None, as_json: bool) -> None:
    """List environments, players or judges."""
    entries = catalog.load()[kind or "units"]
    for tag, value in (("structure", structure), ("mode", mode)):
        if value is not None:
            known = {entry["tags"][tag] for entry in catalog.load()["units"].values() if tag in entry["tags"]}
            if value not in known:
                raise UnknownNameError(tag, value, known)
            entries = {name: entry for name, entry in entries.items() if entry.get("tags", {}).get(tag) == value}
    if as_json:
        from interactive_envs.catalog import build

        echo(build.dump(entries).rstrip())
        return
    width = max(map(len, entries), default=0)
    for name, entry in entries.items():
        echo(f"{name:<{width}}  {entry['summary'].replace('``', '')}")


@main.command()
@click.argument("env_id")
def info(env_id: str) -> None:
    """Show an environment's rules, arguments, variants and players."""
    from interactive_envs.making import VIEWS
    from interactive_envs.registration import environment_class

    entry = catalog.entry(env_id)
    doc = re.sub(r":\w+:`~?([^`]*)`", r"\1", inspect.getdoc(environment_class(env_id)) or "").replace("``", "")
    echo(f"{env_id}\n\n{doc.partition('>>>')[0].rstrip()}\n")
    fixed = "".join(f" {name}={value!r}" for name, value in entry["arguments"].items())
    echo(f"Arguments and defaults{', fixed:' + fixed if fixed else ''}")
    for name, value in entry["defaults"].items():
        echo(f"  -k {name}={json.dumps(value)}")
    echo("Variants that are checked:")
    for variant in entry["variants"]:
        echo(f"  {json.dumps(variant)}")
    echo("Views (gym.make(…, view=…)): " + ", ".join(view for view in entry["views"] if view in VIEWS))
    apis = [view for view in entry["views"] if view not in VIEWS]
    if apis:
        echo("PettingZoo (pettingzoo.make(…, id)): " + ", ".join(apis))
    own = [name for name in catalog.table("agents") if "/" not in name or name.startswith(entry["family"] + "/")]
    echo("Players: " + ", ".join(own))
    if "judge" in entry["defaults"]:
        echo("Judges: " + ", ".join(catalog.table("judges")))
    echo("Sources: " + "; ".join(entry["sources"]))


@main.command()
@click.argument("env_id")
@click.option("--agent", default="human", show_default=True, help="Who plays.")
@click.option("--seed", type=click.IntRange(0), default=None, help="Same seed, same episode.")
@click.option("--case", default=None, help="Play this case.")
@click.option("--judge", default=None, help="Who answers and grades, where a judge is needed.")
@_env_arguments
def play(
    env_id: str, agent: str, seed: int | None, case: str | None, judge: str | None, arguments: dict[str, Any]
) -> None:
    """Play one episode at the terminal, or watch a player."""
    from interactive_envs.agent import resolve_agent
    from interactive_envs.making import make

    if "view" in arguments:
        raise ConfigError("the command line plays the text view; leave -k view out")
    env = make(env_id, **arguments | ({"judge": judge} if judge else {}))
    player = resolve_agent(agent, env_id)()
    observation, step_info = env.reset(seed=seed, options={"case": case} if case else None)
    player.reset(seed=seed, info=step_info)
    over, total = False, 0.0
    while not over:
        if player.wants_view_text:
            step_info["view_text"] = env.get_wrapper_attr("view_text")()
        action = player.act(observation, step_info)
        if agent != "human":
            echo(f"{observation}\n\n> {action}\n")
        observation, reward, terminated, truncated, step_info = env.step(action)
        over, total = terminated or truncated, total + float(reward)
    player.finish(observation, total, step_info)
    if agent != "human":
        solution = step_info.get("solution")
        echo(observation if solution is None else f"{observation}\n\nThe solution: {solution}")
    echo(f"Outcome: {step_info['outcome']}. Reward: {total:g}.")
    player.close()
    env.close()


def _run_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that ``run`` and ``sweep`` share."""
    options = (
        click.option("--agent", "agents", multiple=True, help="A player; may be given several times."),
        click.option("--judge", "judges", multiple=True, help="A judge; several are compared."),
        click.option("--episodes", type=click.IntRange(1), help="Episodes a cell. Default: every case once."),
        click.option("--seed", type=click.IntRange(0), help="The run's seed. Default: 0."),
        click.option("--workers", type=click.IntRange(1), default=4, show_default=True, help="Episodes at once."),
        click.option("--backend", type=click.Choice(["thread", "process"]), default="thread", show_default=True,
                     help="Threads for language models, processes for players that compute."),
        click.option("--time-limit", type=_Number(0, min_open=True), help="Seconds an action may take."),
        click.option("--gain", is_flag=True, help="Also play each cell without interaction, for the paired gain."),
        click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder. Default: runs/TIME."),
        click.option("--resume", is_flag=True, help="Go on with the run in --out."),
        click.option("--limit-cost", type=_Number(0), metavar="USD", help="Stop when this much is spent."),
        click.option("--probe", "probes", multiple=True, metavar="SPEC",
                     help="A probe around the environment, e.g. noise?seed=3; several are put on from the inside out."),
        _env_arguments,
    )  # fmt: skip
    return functools.reduce(lambda wrapped, option: option(wrapped), reversed(options), command)


@main.command()
@click.argument("env_ids", nargs=-1, metavar="ENV_ID...")
@click.option(
    "--suite",
    type=click.Choice(["query", "black-box", "qualification", "games"]),
    help="Play a suite instead: query games of every kind, black boxes, the three that qualify for them, or generated "
    "games from both seats.",
)
@click.option(
    "--per-cell",
    type=click.IntRange(1),
    help="Suite: games a structure and mode (default: 5), boxes a family and grade, generated games a category "
    "(default: all).",
)
@click.option(
    "--difficulty",
    metavar="LEVELS",
    help="Suite: 3, 1-5 or 1,3,5; of black boxes those are generated. Default: 1-5, fixed boxes.",
)
@click.option(
    "--setting",
    "settings",
    multiple=True,
    metavar="TURNS@TRIES",
    help="Suite of black boxes: 10@1 (the default) or 20@2; may be given twice.",
)
@_run_options
def run(env_ids: tuple[str, ...], **options: Any) -> None:
    """Evaluate players on environments and write a report.

    \b
    ibench run ibench/SituationPuzzle-v0 --agent llm:openai/gpt-5-mini --agent rule --gain
    ibench run ibench/SituationPuzzle-v0 -k mode=free --agent llm:openai/gpt-5-mini --judge llm:xai/grok-4.1-fast
    ibench run --suite query --per-cell 2 --difficulty 1-3 --agent llm:openai/gpt-5-mini --episodes 4
    ibench run --suite games --agent llm:openai/gpt-5-mini -k preset=paper
    ibench run --out runs/mine --resume
    """  # noqa: D301 - click reads the backspace
    _run(env_ids, {}, options)


@main.command()
@click.argument("env_ids", nargs=-1, metavar="ENV_ID...")
@click.option("-x", "--axis", "axes", multiple=True, metavar="NAME=JSON_LIST",
              help="An environment argument, or agent.OPTION, with the values to try.")  # fmt: skip
@_run_options
def sweep(env_ids: tuple[str, ...], axes: tuple[str, ...], **options: Any) -> None:
    """Evaluate a grid: players x judges x any arguments, with lines and heatmaps.

    \b
    ibench sweep ibench/SituationPuzzle-v0 --agent rule --agent local -x budget=[5,10,20]
    ibench sweep ibench/SituationPuzzle-v0 --agent llm:openai/gpt-5-mini -x agent.temperature=[0,0.7]
    ibench sweep ibench/SituationPuzzle-v0 -k mode=free --agent rule --judge offline --judge llm:xai/grok-4.1-fast
    """  # noqa: D301 - click reads the backspace
    grid = {}
    for axis in axes:
        name, equals, values = axis.partition("=")
        if name in grid:
            raise ConfigError(f"axis {name!r} is given twice; write all its values in one list")
        grid[name] = json_or_text(values)
        if not equals or not isinstance(grid[name], list) or not grid[name]:
            raise ConfigError(f"axis {axis!r} is not NAME=JSON_LIST; write for instance budget=[5,10,20]")
    _run(env_ids, grid, options)


@main.command()
@click.option("--workers", type=click.IntRange(1), default=2, show_default=True, help="Episodes at once.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=Path("runs/demo"), show_default=True)
@click.option("--resume", is_flag=True, help="Go on with the demo in --out.")
def demo(out: Path, workers: int, resume: bool) -> None:
    """Play a few minutes of puzzles, mathematics and web pages with players that need no key.

    The language model is the small local one: ibench models get.
    """
    from interactive_envs.cli import demo as shown

    config, notes = shown.config()
    for note in notes:
        echo(note, err=True)
    _play_all(config, out, workers=workers, resume=resume)


@main.command()
@click.argument("config", required=False)
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="SPEC",
    help='A player, or NAME=SPEC; takes the place of "?" in the configuration. Repeat for several.',
)
@click.option("--workers", type=click.IntRange(1), default=4, show_default=True, help="Matches at once.")
@click.option(
    "--backend",
    type=click.Choice(["thread", "process"]),
    default="thread",
    show_default=True,
    help="Threads for language models, processes for players that compute.",
)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder. Default: runs/TIME.")
@click.option("--resume", is_flag=True, help="Go on with the tournament in --out.")
@click.option("--limit-cost", type=_Number(0), metavar="USD", help="Stop when this much is spent.")
def tournament(config: str | None, players: tuple[str, ...], out: Path | None, **options: Any) -> None:
    """Let players meet one another: CONFIG is a TOML file or the name of one that comes along.

    \b
    ibench tournament                                     # the names
    ibench tournament trust-rules
    ibench tournament my-league.toml --player tft --player llm:openai/gpt-5-mini
    ibench tournament --out runs/league --resume
    """  # noqa: D301 - click reads the backspace
    from interactive_envs.evaluation.tournament import play as tournaments
    from interactive_envs.evaluation.tournament import report as tournament_report
    from interactive_envs.evaluation.tournament import summary as tournament_summary

    if config is None and not options["resume"]:
        echo("\n".join(tournaments.shipped()))
        return
    if options["resume"] and out is None:
        raise ConfigError("--resume needs the tournament's folder: --out FOLDER")
    folder = out or Path("runs") / datetime.datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    chosen = tournaments.load(config, players) if config else tournaments.TournamentStore.read_only(folder).tournament
    bar = tqdm(
        desc="matches",
        unit="",
        disable=not sys.stderr.isatty(),
        bar_format="{desc} |{bar:20}| {n_fmt}/{total_fmt} [{elapsed}<{remaining}]",
    )
    told: set[str] = set()

    def begin(done: int, total: int) -> None:
        bar.reset(total)
        bar.update(done)

    def fault(message: str) -> None:
        if message not in told:
            told.add(message)
            tqdm.write(printable(f"fault, not scored: {message}"), file=sys.stderr)

    try:
        store = tournaments.run(
            chosen, folder, begin=begin, progress=lambda *_: bar.update(), on_fault=fault, **options
        )
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"go on with: ibench tournament --out {folder} --resume") from None
    finally:
        bar.close()
    for note in store.notes:
        echo(f"note: {note}", err=True)
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    echo(tournament_summary.table(summary))
    missing = summary["n_planned"] - summary["n_valid"]
    if missing:
        echo(
            f"{missing} matches are missing: infrastructure failed ({store.faults()} attempts, see faults.jsonl); "
            f"play them with: ibench tournament --out {folder} --resume",
            err=True,
        )
    echo(f"Report: {tournament_report.write(folder)}")
    if missing:
        sys.exit(1)


@main.command()
@click.argument("env_id", required=False)
@click.option("--agent", "agents", multiple=True, help="A player; may be given several times.")
@click.option("--judge", help="Who answers and grades, where a judge is needed.")
@click.option("--problems", type=click.IntRange(1), help="How many. Default: all, or 20 where they have no end.")
@click.option("--samples", type=click.IntRange(1), help="Attempts a problem. Default: 4, or what k* needs.")
@click.option("--max-samples", "most", type=click.IntRange(1), help="Attempts a problem at most. Default: 32.")
@click.option("--temperature", type=_Number(0), help="Of the attempts. Default: 0.8.")
@click.option(
    "--tokens",
    type=click.Choice(["all", "written"]),
    help="What a budget counts: tokens read and written (the default), or those written alone.",
)
@click.option("--seed", type=click.IntRange(0), help="The runs' seed. Default: 0.")
@click.option("--time-limit", type=_Number(0, min_open=True), help="Seconds an action may take.")
@click.option("--workers", type=click.IntRange(1), default=4, show_default=True, help="Episodes at once.")
@click.option(
    "--backend",
    type=click.Choice(["thread", "process"]),
    default="thread",
    show_default=True,
    help="Threads for language models, processes for players that compute.",
)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder. Default: runs/TIME.")
@click.option("--resume", is_flag=True, help="Go on with the comparison in --out.")
@click.option("--limit-cost", type=_Number(0), metavar="USD", help="Stop when this much is spent.")
@_env_arguments
def passk(env_id: str | None, out: Path | None, **options: Any) -> None:
    """Compare playing with answering k times without asking, at equal tokens: pass@k.

    \b
    ibench passk ibench/Math-v0 --agent llm:openai/gpt-5-mini --judge llm:xai/grok-4.1-fast
    ibench passk ibench/SituationPuzzle-v0 --agent local --problems 2 --samples 3
    ibench passk --out runs/mine --resume
    """  # noqa: D301 - click reads the backspace
    from interactive_envs.evaluation.passk import compare as comparing
    from interactive_envs.evaluation.passk import page as passk_page
    from interactive_envs.evaluation.run import report as report_page
    from interactive_envs.reporting import tables

    if options["resume"] and out is None:
        raise ConfigError("--resume needs the comparison's folder: --out FOLDER")
    names = ("agents", "judge", "problems", "samples", "most", "temperature", "tokens", "seed", "time_limit")
    given = {name: options[name] for name in (*names, "arguments") if options[name] not in (None, (), {})}
    folder = out or Path("runs") / datetime.datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    if env_id is not None:
        comparison = comparing.plan(env_id, given.pop("agents", ()), **given)
    elif not options["resume"]:
        raise ConfigError("name an environment; see ibench list")
    elif given:
        raise ConfigError(f"--resume without an environment plays what {comparing.SETTINGS} says; leave the rest out")
    else:
        comparison = comparing.Comparison.read(folder)
    playing = {name: options[name] for name in ("workers", "backend", "resume", "limit_cost")}
    try:
        stores = comparing.play(comparison, folder, watching=_watching, **playing)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"go on with: ibench passk --out {folder} --resume") from None
    content = comparing.write(comparison, folder, *stores)
    echo(tables.render(passk_page.tables(content)))
    for note, players in passk_page.notes(content):
        echo(f"{', '.join(players)}: {note}")
    for store in stores:
        report_page.write(store)
    echo(f"Page: {passk_page.write(folder, content)}")
    if content["missing"]:
        echo(
            f"{content['missing']} episodes are missing: infrastructure failed; "
            f"play them with: ibench passk --out {folder} --resume",
            err=True,
        )
        sys.exit(1)


@contextlib.contextmanager
def _watching(name: str, config: Any) -> Iterator[_Bars]:
    """Bars for one of a comparison's two runs."""
    echo(f"{name}:", err=True)
    bars = _Bars(config)
    try:
        yield bars
    finally:
        bars.close()
    bars.echo_sandboxes()


main.add_command(cli_games.games)
main.add_command(cli_games.train)


@main.group()
def phh() -> None:
    """Poker hand histories."""


@phh.command("check")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
def phh_check(files: tuple[Path, ...]) -> None:
    """Replay .phh and .phhs FILES through the hold'em environment and compare the stacks to the chip."""
    from interactive_envs.holdem import phh as histories

    checks = []
    for check in histories.check_files(files):
        checks.append(check)
        if check.status != "ok" or check.reason:
            echo(str(check))
    echo(histories.summary(checks))
    sys.exit(histories.exit_status(checks))


def _run(env_ids: tuple[str, ...], axes: Mapping[str, list[Any]], options: Mapping[str, Any]) -> None:
    from interactive_envs.evaluation.run import plan as suites
    from interactive_envs.evaluation.run import runner
    from interactive_envs.reporting.records import RunConfig, RunStore

    folder: Path = options["out"] or Path("runs") / datetime.datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    if options["resume"] and options["out"] is None:
        raise ConfigError("--resume needs the run's folder: --out FOLDER")
    chosen = _chosen(env_ids, options)
    if options["resume"] and chosen and not (folder / "config.json").exists():
        echo(f"note: there is no run in {folder} yet, a new one begins", err=True)
    if not chosen and options["resume"]:
        names = ("agents", "judges", "episodes", "time_limit", "gain", "arguments", "probes")
        given = [name for name in names if options[name]]
        if given or axes or options["seed"] is not None:
            raise ConfigError(
                "--resume without an environment plays what the run's config.json says; leave the rest out"
            )
        config = RunStore.read_only(folder).config
    elif not chosen:
        or_suite = ", or give --suite query" if "suite" in options else ""
        raise ConfigError(f"name at least one environment; see ibench list{or_suite}")
    else:
        cells = _cells(chosen, axes, options)
        usual = suites.PLAYS if options.get("suite") == "games" else DEFAULT_EPISODES
        episodes = options["episodes"] or max(len(runner.case_ids(cell) or range(usual)) for cell in cells)
        config = RunConfig(tuple(cells), episodes, options["seed"] or 0, options["time_limit"])
    how = {name: options[name] for name in ("workers", "resume", "limit_cost", "backend")}
    _play_all(config, folder, **how)


def _play_all(config: Any, folder: Path, **how: Any) -> None:
    """Play a run with bars, echo what came out and write the report; ``how`` goes to the runner."""
    from interactive_envs.evaluation.run import runner

    bars = _Bars(config)
    try:
        store = runner.run(
            config,
            folder,
            **how,
            progress=bars.advance,
            begin=bars.begin,
            on_fault=bars.fault,
        )
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"go on with: ibench run --out {folder} --resume") from None
    finally:
        bars.close()
    rows = store.rows()
    missing = config.total - len(rows)
    _echo_results(store)
    bars.echo_sandboxes()
    if missing:
        echo(
            f"{missing} episodes are missing: infrastructure failed ({store.faults()} attempts, see faults.jsonl); "
            f"play them with: ibench run --out {folder} --resume",
            err=True,
        )
    echo(f"Report: {_write_report(store)}")
    if missing:
        sys.exit(1)


def _chosen(env_ids: Sequence[str], options: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """What is to be played: the environments named, or a suite's with their arguments."""
    from interactive_envs.evaluation.run import plan as suites

    suite, per_cell, difficulty = (options.get(name) for name in ("suite", "per_cell", "difficulty"))
    settings = options.get("settings") or ()
    if settings and suite != "black-box":
        raise ConfigError("--setting is for --suite black-box; elsewhere use -k setting=20@2")
    if suite is None:
        if per_cell or difficulty:
            raise ConfigError(
                "--per-cell and --difficulty choose from a suite: add --suite query, or use -k difficulty=3"
            )
        return [(env_id, {}) for env_id in env_ids]
    if env_ids:
        raise ConfigError("name environments or give --suite, not both")
    if "difficulty" in options["arguments"]:
        raise ConfigError("a suite takes its levels with --difficulty, not with -k difficulty")
    if suite == "qualification":
        if per_cell or difficulty:
            raise ConfigError(
                "--suite qualification is always the same three boxes; leave out --per-cell, --difficulty"
            )
        return suites.qualification_suite()
    if suite == "games":
        if difficulty:
            raise ConfigError("the games of --suite games have no levels; leave out --difficulty")
        return suites.games_suite(per_cell)
    if suite == "black-box":
        levels = suites.read_difficulties(difficulty) if difficulty else ()
        return suites.black_box_suite(per_cell, settings or ("10@1",), levels)
    return suites.query_suite(per_cell or suites.PER_CELL, suites.read_difficulties(difficulty or "1-5"))


def _cells(
    chosen: Sequence[tuple[str, Mapping[str, Any]]], axes: Mapping[str, list[Any]], options: Mapping[str, Any]
) -> list[Any]:
    """Every combination of environment, axis values, judge and player, and its twin without interaction."""
    from interactive_envs.judges.base import resolve_judge
    from interactive_envs.reporting.records import Cell

    cells = []
    for judge in options["judges"]:
        resolve_judge(judge)  # a wrong name is told even where no judge is asked
    if not options["agents"]:
        raise ConfigError("name at least one player with --agent; see ibench list --agents")
    for env_id, own in chosen:
        defaults = catalog.entry(env_id)["defaults"]
        for values in itertools.product(*axes.values()):
            point = dict(zip(axes, values, strict=True))
            if "judge" in options["arguments"] or "judge" in point:
                raise ConfigError("a judge is given with --judge; several are compared")
            arguments = {**own, **options["arguments"]} | {n: v for n, v in point.items() if not n.startswith("agent.")}
            if options["probes"]:
                if "probes" in arguments:
                    raise ConfigError("give probes with --probe, or as an argument or axis, not both")
                arguments["probes"] = list(options["probes"])
            extra = {n.removeprefix("agent."): v for n, v in point.items() if n.startswith("agent.")}
            asked = _asks_a_judge(env_id, arguments)
            if options["judges"] and not asked:
                echo(f"note: {env_id} asks no judge with these arguments, --judge is left out", err=True)
            judges = (options["judges"] or (defaults["judge"],)) if asked else (None,)
            for judge, agent in itertools.product(judges, options["agents"]):
                spec = _with_options(agent, extra)
                axis_values = point | ({"judge": judge} if len(judges) > 1 else {})
                cells.append(Cell(env_id, arguments, spec, judge, axis_values))
                if options["gain"] and "no_interaction" in defaults and not arguments.get("no_interaction"):
                    cells.append(Cell(env_id, {**arguments, "no_interaction": True}, spec, judge, axis_values))
    return list({json.dumps(cell.__dict__, sort_keys=True, default=dict): cell for cell in cells}.values())


def _asks_a_judge(env_id: str, arguments: Mapping[str, Any]) -> bool:
    from interactive_envs.making import make

    if "view" in arguments:
        raise ConfigError("the command line plays the text view; leave -k view out")
    env = make(env_id, **arguments)
    try:
        return bool(env.get_wrapper_attr("asks_judge"))
    finally:
        env.close()


def _with_options(spec: str, extra: Mapping[str, Any]) -> str:
    if not extra:
        return spec
    pairs = "&".join(f"{quote(name)}={quote(json.dumps(value))}" for name, value in extra.items())
    return f"{spec}{'&' if '?' in spec else '?'}{pairs}"


class _Bars:
    """At a terminal a progress bar a cell, opened when its first episode ends; elsewhere a line a finished cell.

    More than ``BARS`` cells are counted together, as if they were one.
    """

    def __init__(self, config: Any) -> None:
        from interactive_envs.reporting.words import words_of

        count = len(config.cells)
        self._together = count > BARS
        self._labels = [f"{count} cells"] if self._together else list(map(printable, _labels(config)))
        self._totals = [config.total] if self._together else list(map(config.planned, range(count)))
        self._bars: dict[int, Any] = {}
        self._done: Counter[int] = Counter()
        self._solved: Counter[int] = Counter()
        self._words = words_of(config)
        self._scored: Counter[int] = Counter()
        self._broken: Counter[int] = Counter()
        self._told: set[str] = set()
        self._sandboxes: set[str] = set()

    def begin(self, store: Any) -> None:
        """Count what an earlier run played, and tell what was mended of it."""
        for note in store.notes:
            tqdm.write(printable(f"note: {note}"), file=sys.stderr)
        for row in store.iterate():
            index = self._place(row.cell)
            self._done[index] += 1
            self._solved[index] += row.outcome == "success"
            self._scored[index] += row.outcome == "scored"

    def advance(self, job: Any, record: Mapping[str, Any] | None) -> None:
        """Count an episode that ended."""
        sandbox = (record or {}).get("versions", {}).get("sandbox")
        self._sandboxes |= {sandbox} if sandbox else set()
        index = self._place(job.cell_index)
        total = self._totals[index]
        self._done[index] += 1
        self._broken[index] += record is None
        self._solved[index] += record is not None and record["outcome"] == "success"
        self._scored[index] += record is not None and record["outcome"] == "scored"
        if not sys.stderr.isatty():
            if self._done[index] == total:
                broken = f", {self._broken[index]} broken by infrastructure" if self._broken[index] else ""
                echo(f"{self._labels[index]} {total} episodes{self._so_far(index, ', ')}{broken}", err=True)
            return
        if index not in self._bars:
            self._bars[index] = tqdm(
                total=total,
                initial=self._done[index] - 1,
                desc=self._labels[index],
                position=len(self._bars),
                bar_format="{desc} |{bar:20}| {n_fmt}/{total_fmt} [{elapsed}<{remaining}]{postfix}",
            )
        self._bars[index].set_postfix_str(self._so_far(index), refresh=False)
        self._bars[index].update()
        if self._done[index] == total:
            self._bars[index].refresh()

    def _place(self, cell: int) -> int:
        return 0 if self._together else cell

    def _so_far(self, index: int, lead: str = "") -> str:
        return "" if self._scored[index] else f"{lead}{self._solved[index]} {self._words.done}"

    def fault(self, message: str) -> None:
        """Tell each kind of fault once, while there is time to do something about it."""
        if message not in self._told:
            self._told.add(message)
            tqdm.write(printable(f"fault, not scored: {message}"), file=sys.stderr)

    def echo_sandboxes(self) -> None:
        """Say at which level of the sandbox foreign code ran, if any did."""
        for level in sorted(self._sandboxes):
            echo(f"Foreign code ran in the sandbox at {level}.")

    def close(self) -> None:
        """Leave the bars as they are."""
        for bar in self._bars.values():
            bar.close()
        self._bars.clear()


def _echo_results(store: Any) -> None:
    """The tables of a suite, else a line a cell."""
    suites = [part for part in _tables() if part.is_suite(store.config)] if store.rows() else []
    for part in suites:
        made, _ = part.write(store)
        echo(part.render(made))
        echo(f"Tables: {store.folder / part.PAGE}")
    if not suites:
        _echo_scores(store)


def _tables() -> list[Any]:
    """What makes tables of runs."""
    from interactive_envs.black_box.report import tables as box_tables
    from interactive_envs.novel_games.report import tables as game_tables
    from interactive_envs.query_games.report import tables as query_tables

    return [query_tables, box_tables, game_tables]


def _echo_scores(store: Any) -> None:
    """One line a cell: who, where, how often solved, or what was paid."""
    from interactive_envs.reporting.words import words_of

    summary = json.loads((store.folder / "summary.json").read_text(encoding="utf-8"))
    labels = _labels(store.config)
    scored = [figures["scored"] for figures in summary["cells"]]
    done = words_of(store.config).done
    title = "reward" if all(scored) else f"{done} or reward" if any(scored) else done
    lines = [("", title, "95 % interval", "n", "rounds")]
    for label, figures in zip(labels, summary["cells"], strict=True):
        estimate, turns = figures["reward" if figures["scored"] else "accuracy"], figures["turns_solved"]["value"]
        form = "{:.2f}" if figures["scored"] else "{:.1%}"
        told, interval = (
            "-" if estimate["value"] is None else form.format(estimate["value"]),
            "-" if estimate["low"] is None else f"{form} to {form}".format(estimate["low"], estimate["high"]),
        )
        rounds = "-" if turns is None else f"{turns:.1f}"
        lines.append((label, told, interval, str(estimate["n"]), rounds))
    columns = [column for column in zip(*lines, strict=True) if set(column[1:]) != {"-"}]
    widths = [max(map(len, column)) for column in columns]
    sides = [str.ljust] + [str.rjust] * (len(columns) - 1)
    for line in zip(*columns, strict=True):
        cells = (side(text, width) for side, text, width in zip(sides, line, widths, strict=True))
        echo("  ".join(cells))
    for note in summary["notes"]:
        echo(note)


def _labels(config: Any) -> list[str]:
    """A name for every cell, in columns: the player, then what it plays."""
    from interactive_envs.reporting import estimates as metrics

    names = metrics.names(config)
    players = max(len(name.player) for name in names)
    settings = max(len(name.setting) for name in names)
    return [f"{name.player:<{players}}  {name.setting:<{settings}}" for name in names]


@main.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def report(folder: Path) -> None:
    """Write a run's summary and report page anew."""
    from interactive_envs.evaluation.run import runner
    from interactive_envs.reporting.records import RunStore

    store = RunStore.read_only(folder)
    runner.finish(store)
    _echo_results(store)
    echo(f"Report: {_write_report(store)}")


def _write_report(store: Any) -> Path:
    """The report page; before it the page of web pages, which it links to, where the run has any."""
    from interactive_envs.evaluation.run import report as report_page
    from interactive_envs.ui2html import report as ui_page

    if ui_page.holds(store.config):
        ui_page.write(store)
    return report_page.write(store)


@main.command("tables")
@click.argument("folder", metavar="RUN", type=click.Path(file_okay=False, path_type=Path))
@click.option("--against", metavar="RUN", type=click.Path(file_okay=False, path_type=Path),
              help="A run with twins of its episodes: clean or probed, another setting or feedback.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the file of numbers instead.")
def tables_(folder: Path, against: Path | None, as_json: bool) -> None:
    """Show what a run of query games, black boxes or generated games says.

    Writes query.json and query.html, boxes.json and boxes.html, games.json and games.html into its folder.
    """
    from interactive_envs.reporting.records import RunStore
    from interactive_envs.reporting.tables import dump

    store, other = RunStore.read_only(folder), RunStore.read_only(against) if against else None
    parts = [part for part in _tables() if part.holds(store.config)]
    if not parts:
        raise ConfigError(f"{folder} holds no episode of a query game, a black box or a generated game")
    compared = [part for part in parts if other and part.holds(other.config)]
    if other and not compared:
        raise ConfigError(f"{against} holds nothing to compare {folder} with")
    written = {part.PAGE: part.write(store, other if part in compared else None) for part in parts}
    if as_json:
        contents = {page.removesuffix(".html"): content for page, (_, content) in written.items()}
        # Of several, which is rare, the files under their names.
        echo(dump(contents if len(contents) > 1 else next(iter(contents.values()))).rstrip())
        return
    for part in parts:
        echo(part.render(written[part.PAGE][0]))
        echo(f"Tables: {folder / part.PAGE}")


@main.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--case", default=None, help="Only this case.")
def replay(folder: Path, case: str | None) -> None:
    """Step a run's episodes again and check that everything comes out the same."""
    from interactive_envs.evaluation.run import replay as replaying
    from interactive_envs.reporting.records import RunStore

    store = RunStore.read_only(folder)
    rows = [row for row in store.rows() if case in (None, row.case)]
    if not rows:
        raise ConfigError(f"{folder} has no episode" + (f" of case {case!r}" if case else ""))
    wrong = 0
    for row in rows:
        problem = replaying.mismatch(store.record(row))
        if problem:
            wrong += 1
            echo(f"cell {row.cell}, {row.case}, epoch {row.epoch}: {problem}")
    echo(f"{len(rows) - wrong} of {len(rows)} episodes replay exactly.")
    if wrong:
        sys.exit(1)


@main.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--judge", "spec", required=True, help="The other judge.")
@click.option("--workers", type=click.IntRange(1), default=4, show_default=True, help="Episodes at once.")
def rescore(folder: Path, spec: str, workers: int) -> None:
    """Judge a stored run again with another judge; no player is asked."""
    from interactive_envs.evaluation.run import rescore as rescoring
    from interactive_envs.judges.base import resolve_judge
    from interactive_envs.reporting.records import RunStore, write_atomically

    store = RunStore.read_only(folder)
    judge = resolve_judge(spec)()
    with tqdm(total=len(store.rows()), desc=printable(spec), unit="episode", disable=None) as bar:
        result = rescoring.rescore(store, judge, workers=workers, progress=lambda: bar.update())
    judge.close()
    path = folder / f"rescore-{quote(spec, safe='')}.json"
    write_atomically(path, json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    labels = _labels(store.config)
    for cell in result["cells"]:
        before, now = (_percent(cell[name]) for name in ("before", "now"))
        agreement = cell["same_verdicts"] / max(1, cell["verdicts"])
        figure = "score" if cell["scored"] else "accuracy"
        echo(
            f"{labels[cell['cell']]}: {figure} {before} with {cell['old_judge']}, {now} with {spec} (n={cell['n']}); "
            f"{agreement:.0%} of {cell['verdicts']} verdicts agree"
        )
    echo(f"Written: {path}")


def _percent(estimate: Mapping[str, Any]) -> str:
    if estimate["value"] is None:
        return "unknown"
    if estimate["low"] is None:
        return f"{estimate['value']:.1%}"
    return f"{estimate['value']:.1%} [{estimate['low']:.1%}, {estimate['high']:.1%}]"


@main.command()
@click.argument("env_ids", nargs=-1, metavar="[ENV_ID...]")
@click.option("--long", "thorough", is_flag=True, help="Every property on every variant, with more seeds.")
@click.option("-v", "--verbose", is_flag=True, help="A line for every property.")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Environments at once.")
def validate(env_ids: tuple[str, ...], thorough: bool, verbose: bool, workers: int) -> None:
    """Check every property that each environment must have; all of them without an id.

    An ID may be a pattern, such as 'ibench/Query-tree-*'.
    """
    from interactive_envs.evaluation.validate import check as validation

    chosen: dict[str, None] = {}
    for pattern in env_ids or ("*",):
        found = fnmatch.filter(catalog.ids(), pattern) if len(pattern) <= LONGEST_PATTERN else []
        chosen |= dict.fromkeys(found or [pattern])  # what matches nothing is named as unknown
    failed = 0
    for env_id, findings in validation.validate_all(list(chosen), thorough=thorough, workers=workers):
        for variant, group in itertools.groupby(findings, key=lambda finding: finding.variant):
            held = skipped = 0
            for finding in group:
                held += finding.ok and not finding.skipped
                skipped += finding.skipped
                failed += not finding.ok
                if verbose or not finding.ok:
                    why = f": {finding.problem}" if finding.problem else ""
                    mark = "skip" if finding.skipped else "ok  " if finding.ok else "FAIL"
                    echo(f"{mark} {env_id} {variant} {finding.check}{why}")
            echo(f"{env_id} {variant}: {held} properties hold, {skipped} do not apply")
    echo("All properties hold." if not failed else f"{failed} properties fail.")
    if failed:
        sys.exit(1)


@main.command("judge-check")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), required=False)
@click.option("--paraphrases", "suites", flag_value="paraphrases", multiple=True, help="Own questions in other words.")
@click.option(
    "--explanations", "suites", flag_value="explanations", multiple=True, help="Own explanations, each unseen."
)
@click.option("--fresh", "suites", flag_value="fresh", multiple=True, help="Questions unlike any labelled one.")
@click.option("--adversarial", "suites", flag_value="adversarial", multiple=True, help="Texts that try to fool it.")
@click.option("--claims", "suites", flag_value="claims", multiple=True, help="Claims about the mathematics problems.")
@click.option("--answers", "suites", flag_value="answers", multiple=True, help="Answers to them.")
@click.option(
    "--math-adversarial", "suites", flag_value="math-adversarial", multiple=True, help="The same that try to fool it."
)
@click.option("--page-questions", "suites", flag_value="page-questions", multiple=True, help="Questions about pages.")
@click.option(
    "--page-adversarial", "suites", flag_value="page-adversarial", multiple=True, help="The same that try to fool it."
)
@click.option("--judge", "spec", default="offline", show_default=True, help="The judge to measure.")
@click.option("--workers", type=click.IntRange(1), default=4, show_default=True, help="Requests at once.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def judge_check(file: Path | None, suites: tuple[str, ...], spec: str, workers: int, as_json: bool) -> None:
    """Measure a judge on labelled questions and final answers: a file's (one JSON object a line), or the package's."""
    from interactive_envs.evaluation.judging import check as checking
    from interactive_envs.evaluation.judging import suites as judge_suites
    from interactive_envs.judges.base import resolve_judge

    if file is None and not suites:
        raise click.UsageError("give a FILE, or one of --paraphrases, --claims, --page-questions and so on; see --help")
    judge = resolve_judge(spec)()
    parts = {str(file): checking.read_items(file, judge_suites.case_context)} if file else {}
    parts |= {suite: judge_suites.items(suite, without=judge.tuned_on) for suite in suites}
    left = {item.case for suite in suites for item in judge_suites.items(suite)} & judge.tuned_on
    if left:
        echo(f"Left out: the {len(left)} cases this judge was tuned on.", err=True)
    reports = {}
    for name, items in parts.items():
        with tqdm(total=len(items), desc=printable(name), unit="text", disable=None, leave=False) as bar:
            reports[name] = checking.check(judge, items, workers=workers, on_verdict=bar.update)
    judge.close()
    if as_json:
        echo(json.dumps({name: report.as_json() for name, report in reports.items()}, indent=1))
        return
    for name, report in reports.items():
        echo(f"{name}\n{'-' * len(name)}\n{checking.render(report)}\n")


@main.group(invoke_without_command=True)
@click.pass_context
def models(ctx: click.Context) -> None:
    """Show or install the local models."""
    if ctx.invoked_subcommand is None:
        _echo_parts()


@models.command("get")
def models_get() -> None:
    """Install the local language model and the sentence embeddings, and check their hashes."""
    from interactive_envs.llm import weights

    weights.install(click.echo)


@main.command()
def doctor() -> None:
    """Show what is installed, what is missing for which purpose, and the sandbox's level."""
    from interactive_envs.cli import doctor as table

    echo(table.render(table.findings()))


def _echo_parts() -> None:
    from interactive_envs.llm import weights

    for part in weights.status():
        echo(f"  {part.name:<26} {part.version or 'not installed':<16} {part.purpose}")
        if part.problem:
            echo(f"  {'':<26} {'':<16} -> {part.problem}")


if __name__ == "__main__":
    main()
