"""The commands that play: episodes, comparisons, tournaments."""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interactive_envs import catalog
from interactive_envs.cli.options import (
    FiniteNumber,
    combine,
    complete,
    config_file,
    env_arguments,
    log_option,
    play_options,
    run_folder,
    time_limit,
)
from interactive_envs.cli.results import echo_comparison, echo_results, echo_tournament
from interactive_envs.errors import ConfigError
from interactive_envs.parsing import json_or_text
from interactive_envs.system.terminal import echo, printable

if TYPE_CHECKING:
    from interactive_envs.cli.progress import RunBars
    from interactive_envs.evaluation.core.results import Effort
    from interactive_envs.reporting.records import RunConfig


@click.command()
@click.argument("env_id", shell_complete=complete("ids"))
@click.option("--agent", shell_complete=complete("agents"), default="human", show_default=True, help="The player.")
@click.option("--seed", type=click.IntRange(0), default=None, help="The same seed gives the same episode.")
@click.option("--case", default=None, help="Play this case.")
@click.option("--judge", shell_complete=complete("judges"), default=None, help="The judge, where one is needed.")
@env_arguments
def play(
    env_id: str, agent: str, seed: int | None, case: str | None, judge: str | None, arguments: dict[str, Any]
) -> None:
    """Play one episode at the terminal, or watch a player."""
    from interactive_envs.agent import resolve_agent
    from interactive_envs.dialogue.handover import handover_of
    from interactive_envs.judges.offline import caution
    from interactive_envs.making import make

    if "view" in arguments:
        raise ConfigError("the command line plays the text view; leave -k view out")
    env = make(env_id, **arguments | ({"judge": judge} if judge else {}))
    entry = catalog.entry(env_id)
    asked = "judge" in entry["defaults"] and env.get_wrapper_attr("asks_judge")
    known = caution(entry["family"], judge or arguments.get("judge", entry["defaults"]["judge"])) if asked else ""
    if known:
        _echo_note(known)
    player = resolve_agent(agent, env_id)()
    observation, step_info = env.reset(seed=seed, options={"case": case} if case else None)
    player.reset(seed=seed, info=step_info)
    over, total = False, 0.0
    while not over:
        if player.wants_view_text:
            step_info["view_text"] = env.get_wrapper_attr("view_text")()
        if player.wants_handover:
            step_info["handover"] = handover_of(env.unwrapped, f"agent {player.name!r}")
        action = player.act(observation, step_info)
        if not player.interactive:
            echo(f"{observation}\n\n> {action}\n")
        observation, reward, terminated, truncated, step_info = env.step(action)
        over, total = terminated or truncated, total + float(reward)
    player.finish(observation, total, step_info)
    if not player.interactive:
        solution = step_info.get("solution")
        echo(observation if solution is None else f"{observation}\n\nThe solution: {solution}")
    echo(f"Outcome: {step_info['outcome']}. Reward: {total:g}.")
    player.close()
    env.close()


_run_options = combine(
    click.option(
        "--agent",
        "agents",
        multiple=True,
        shell_complete=complete("agents"),
        help="A player, or NAME=SPEC. May be given several times.",
    ),
    click.option(
        "--judge", "judges", multiple=True, shell_complete=complete("judges"), help="A judge. Several are compared."
    ),
    click.option("--episodes", type=click.IntRange(1), help="Episodes per cell. Default: every case once."),
    click.option("--seed", type=click.IntRange(0), help="The run's seed. Default: 0."),
    time_limit,
    click.option(
        "--gain", is_flag=True, help="Also play every cell without interaction, to measure what interaction gains."
    ),
    click.option(
        "--anytime",
        is_flag=True,
        help="After every turn also ask for the answer, without a trace in the episode, for accuracy by questions.",
    ),
    click.option(
        "--probe",
        "probes",
        multiple=True,
        metavar="SPEC",
        help="A probe around the environment, for example noise?seed=3. The first one given is innermost.",
    ),
    env_arguments,
    config_file,
    click.option("--dry-run", is_flag=True, help="Print what would be played, and stop."),
    play_options("episodes", "run", clusters=True),
    log_option(),
)


@click.command()
@click.argument("env_ids", shell_complete=complete("ids"), nargs=-1, metavar="ENV_ID...")
@click.option(
    "--suite",
    type=click.Choice(["core", *(suite for card in catalog.families().values() for suite in card.suites)]),
    help="Play a fixed choice of environments instead. core is the benchmark: every family, one score.",
)
@click.option(
    "--size", type=click.Choice(["small", "standard", "full"]), help="Suite core: about 100, 1,000 or 10,000 episodes."
)
@click.option(
    "--per-cell",
    type=click.IntRange(1),
    help="Suite: environments of each kind: query games per structure and mode (default: 5), boxes per family and "
    "grade, generated games per category (default: all).",
)
@click.option(
    "--difficulty",
    metavar="LEVELS",
    help="Suite: levels such as 3, 1-5 or 1,3,5. Default: 1-5. Black boxes with levels are generated ones.",
)
@click.option(
    "--setting",
    "settings",
    multiple=True,
    metavar="TURNS@TRIES",
    help="Suite of black boxes: such as 10@1 or 20@2. Default: each box's own. May be given several times.",
)
@_run_options
def run(env_ids: tuple[str, ...], **options: Any) -> None:
    """Evaluate players on environments and write a report.

    \b
    ibench run --suite core --size small --agent llm:openai/gpt-5-mini
    ibench run ibench/SituationPuzzle-v1 --agent llm:openai/gpt-5-mini --agent rule --gain
    ibench run ibench/SituationPuzzle-v1 -k mode=free --agent llm:openai/gpt-5-mini --judge llm:xai/grok-4.1-fast
    ibench run --suite query --per-cell 2 --difficulty 1-3 --agent llm:openai/gpt-5-mini --episodes 4
    ibench run --suite games --agent llm:openai/gpt-5-mini -k preset=paper
    ibench run --out runs/mine --resume
    """  # noqa: D301 - click reads the backspace
    _run(env_ids, {}, options)


@click.command()
@click.argument("env_ids", shell_complete=complete("ids"), nargs=-1, metavar="ENV_ID...")
@click.option(
    "-x",
    "--axis",
    "axes",
    multiple=True,
    metavar="NAME=JSON_LIST",
    help="An environment argument (ibench info ENV_ID lists them), agent.OPTION, prompt or judge, with its values.",
)
@_run_options
def sweep(env_ids: tuple[str, ...], axes: tuple[str, ...], **options: Any) -> None:
    """Evaluate a grid of players, judges and arguments.

    \b
    ibench sweep ibench/SituationPuzzle-v1 --agent rule --agent local -x budget=[5,10,20]
    ibench sweep ibench/SituationPuzzle-v1 --agent llm:openai/gpt-5-mini -x agent.temperature=[0,0.7]
    ibench sweep ibench/Game-sum-shy-v1 --agent llm:openai/gpt-5-mini -x prompt=[default,terse,./mine.txt]
    ibench sweep ibench/SituationPuzzle-v1 -k mode=free --agent rule --judge offline --judge llm:xai/grok-4.1-fast
    ibench sweep ibench/UI2Html-v1 --agent ui2html/asker -x 'summarizer=["offline","vlm:openai/gpt-5-mini"]' \\
        -x 'judge=["offline","vlm:openai/gpt-5-mini"]'
    """  # noqa: D301 - click reads the backspace
    grid = {}
    for axis in axes:
        name, equals, values = axis.partition("=")
        if name in grid:
            raise ConfigError(f"axis {name!r} is given twice; write all its values in one list")
        grid[name] = _values(values)
        if not equals or not isinstance(grid[name], list) or not grid[name]:
            raise ConfigError(f"axis {axis!r} is not NAME=JSON_LIST; write for instance budget=[5,10,20]")
    _run(env_ids, grid, options)


def _values(text: str) -> Any:
    """The values of an axis: a JSON list, or one of words without quotes, such as ``[default,terse]``."""
    found = json_or_text(text)
    if isinstance(found, str) and text.startswith("[") and text.endswith("]"):
        return [json_or_text(part.strip()) for part in text[1:-1].split(",") if part.strip()]
    return found


@click.command()
@click.option(
    "--workers", type=click.IntRange(1), default=2, show_default=True, help="Episodes played at the same time."
)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=Path("runs/demo"), show_default=True)
@click.option("--resume", is_flag=True, help="Continue the demo in --out.")
def demo(out: Path, workers: int, resume: bool) -> None:
    """Tour all families in a few minutes, then make a leaderboard.

    The players are rules, references, search with trained networks, and a small local language model, so no key is
    needed. First: ibench models get. Puzzles in free text are not played: they need a judge with a language model, for
    example ibench run ibench/SituationPuzzle-v1 -k mode=free --agent rule --judge llm:xai/grok-4.1-fast
    """
    from interactive_envs.cli import demo as shown
    from interactive_envs.reporting.store import RunStore

    parts = ((shown.TOUR, "A tour of all families", shown.tour), (shown.CORE, "The benchmark, small", shown.benchmark))
    for name, title, plan in parts:
        config, notes = plan()
        echo(f"\n{title}: {config.total} episodes.", err=True)
        for note in notes:
            _echo_note(note)
        _play_all(config, out / name, workers=workers, resume=resume)
    first = shown.read_first(RunStore.read_only(out / shown.TOUR))
    if first is not None:
        echo(f"\nRead first, what the language model said: {first}")
    echo(
        f"Next:\n  ibench serve {out}   # look at all of it in the browser, and play yourself\n"
        "  ibench run --suite core --size small --agent llm:openai/gpt-5-mini   # a model of yours on the leaderboard\n"
        "  ibench new agent careful-reader   # a player of your own"
    )


@click.command()
@click.argument("env_id", shell_complete=complete("ids"), required=False)
@click.option(
    "--agent", "agents", multiple=True, shell_complete=complete("agents"), help="A player. May be given several times."
)
@click.option("--judge", shell_complete=complete("judges"), help="The judge, where one is needed.")
@click.option("--problems", type=click.IntRange(1), help="Default: all, or 20 if they are generated.")
@click.option("--samples", type=click.IntRange(1), help="Attempts per problem. Default: 4, or as many as k* requires.")
@click.option("--max-samples", "most", type=click.IntRange(1), help="Most attempts per problem. Default: 32.")
@click.option("--temperature", type=FiniteNumber(0), help="Temperature of the attempts. Default: 0.8.")
@click.option(
    "--tokens",
    type=click.Choice(["written", "all"]),
    help="Tokens that count towards a budget: those written (the default), or those read and written.",
)
@click.option("--seed", type=click.IntRange(0), help="The runs' seed. Default: 0.")
@time_limit
@play_options("episodes", "comparison", clusters=True)
@env_arguments
def passk(env_id: str | None, out: Path | None, **options: Any) -> None:
    """Compare interaction with k attempts without it, at equal tokens.

    \b
    ibench passk ibench/Math-v1 --agent llm:openai/gpt-5-mini --judge llm:xai/grok-4.1-fast
    ibench passk ibench/SituationPuzzle-v1 --agent local --problems 2 --samples 3
    ibench passk --out runs/mine --resume
    """  # noqa: D301 - click reads the backspace
    from interactive_envs.evaluation.passk import compare as comparing

    folder = run_folder(out, options["resume"], "comparison")
    names = ("agents", "judge", "problems", "samples", "most", "temperature", "tokens", "seed", "time_limit")
    given = {name: options[name] for name in (*names, "arguments") if options[name] not in (None, (), {})}
    if env_id is not None:
        comparison = comparing.plan(env_id, given.pop("agents", ()), **given)
    elif not options["resume"]:
        raise ConfigError("name an environment; see ibench list")
    elif given:
        raise ConfigError(f"--resume without an environment plays what {comparing.SETTINGS} says; leave the rest out")
    else:
        comparison = comparing.Comparison.read(folder)
    how = {name: options[name] for name in ("workers", "backend", "address", "resume", "limit_cost")}
    try:
        stores = comparing.play(comparison, folder, watching=_watching, **how)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"go on with: ibench passk --out {folder} --resume") from None
    content = echo_comparison(comparison, folder, *stores)
    if content["missing"]:
        echo(
            f"{content['missing']} episodes are missing: infrastructure failed; "
            f"play them with: ibench passk --out {folder} --resume",
            err=True,
        )
        sys.exit(1)


@click.command()
@click.argument("config", required=False)
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="SPEC",
    help='A player, or NAME=SPEC, that replaces "?" in the configuration. May be given several times.',
)
@play_options("matches", "tournament", clusters=True)
@log_option()
def tournament(config: str | None, players: tuple[str, ...], out: Path | None, **options: Any) -> None:
    """Play a tournament. CONFIG is a TOML file, or the name of one that the package includes.

    \b
    ibench tournament                                     # list the names
    ibench tournament trust-rules
    ibench tournament my-league.toml --player tft --player llm:openai/gpt-5-mini
    ibench tournament --out runs/league --resume
    """  # noqa: D301 - click reads the backspace
    from interactive_envs.cli.progress import MatchBar, warn
    from interactive_envs.evaluation.tournament import play as tournaments

    if config is None and not options["resume"]:
        echo("\n".join(tournaments.shipped()))
        return
    folder = run_folder(out, options["resume"], "tournament")
    chosen = tournaments.load(config, players) if config else tournaments.TournamentStore.read_only(folder).tournament
    bar = MatchBar()
    try:
        watching: dict[str, Any] = {"begin": bar.begin, "progress": bar.advance, "on_fault": bar.fault, "on_note": warn}
        store = tournaments.run(chosen, folder, **watching, **options)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"go on with: ibench tournament --out {folder} --resume") from None
    finally:
        bar.close()
    for note in store.notes:
        _echo_note(note)
    summary = echo_tournament(folder)
    missing = summary["n_planned"] - summary["n_valid"]
    if missing:
        echo(
            f"{missing} matches are missing: infrastructure failed ({store.faults()} attempts, see faults.jsonl); "
            f"play them with: ibench tournament --out {folder} --resume",
            err=True,
        )
        sys.exit(1)


@contextlib.contextmanager
def _watching(name: str, config: Any) -> Iterator[RunBars]:
    """Show bars for one of a comparison's two runs."""
    from interactive_envs.cli.progress import RunBars

    echo(f"{name}:", err=True)
    bars = RunBars(config)
    try:
        yield bars
    finally:
        bars.close()
    bars.echo_sandboxes()


def _run(env_ids: tuple[str, ...], axes: Mapping[str, list[Any]], options: dict[str, Any]) -> None:
    folder = run_folder(options.pop("out"), options["resume"], "run")
    how = {name: options.pop(name) for name in ("workers", "resume", "limit_cost", "backend", "address", "log")}
    if options.pop("dry_run"):
        _echo_plan(_plan(env_ids, axes, folder, how["resume"], options))
        return
    _play_all(_plan(env_ids, axes, folder, how["resume"], options), folder, **how)


def _echo_plan(config: RunConfig) -> None:
    """What a run would play: episodes by family and player."""
    counts: Counter[tuple[str, str]] = Counter()
    for index, cell in enumerate(config.cells):
        counts[str(catalog.entry(cell.env_id)["family"]), cell.player] += config.planned(index)
    widths = [max(len(key[part]) for key in counts) for part in range(2)]
    for (family, player), count in sorted(counts.items()):
        echo(printable(f"{family:<{widths[0]}}  {player:<{widths[1]}}  {count:>6,} episodes"))
    echo(
        f"{config.total:,} episodes in {len(config.cells):,} cell{'s' * (len(config.cells) != 1)}. Nothing was played."
    )


def _plan(
    env_ids: tuple[str, ...], axes: Mapping[str, list[Any]], folder: Path, resume: bool, options: dict[str, Any]
) -> RunConfig:
    """What the options name, or what the folder's configuration says where they name nothing."""
    from interactive_envs.evaluation.run import cells
    from interactive_envs.reporting.store import RunStore

    suites, size = "suite" in options, options.pop("size", None)
    if options.get("suite") == "core":
        if env_ids:
            raise ConfigError("name environments or a suite, not both")
        return _plan_core(size, options)
    if size:
        raise ConfigError("--size is for the suite core; leave it out")
    choice = {name: options.pop(name, None) for name in ("suite", "per_cell", "difficulty")}
    chosen = cells.choose_environments(env_ids, **choice, settings=options.pop("settings", ()))
    if chosen:
        if resume and not (folder / "config.json").exists():
            _echo_note(f"there is no run in {folder} yet, a new one begins")
        options["seed"] = options["seed"] or 0
        usual = cells.suite_episodes(choice["suite"])
        config = cells.plan_run(chosen, **options, axes=axes, default_episodes=usual, on_note=_echo_note)
        _echo_likely(config)
        return config
    if not resume:
        or_suite = ", or give --suite query" if suites else ""
        raise ConfigError(f"name at least one environment; see ibench list{or_suite}")
    if axes or any(value not in (None, (), {}) and value is not False for value in options.values()):
        raise ConfigError("--resume without an environment plays what the run's config.json says; leave the rest out")
    return RunStore.read_only(folder).config


_OPTIONS = {"arguments": "-k", "per_cell": "--per-cell", "judges": "--judge", "probes": "--probe"}
"""What options are called where that is not their name."""


def _plan_core(size: str | None, options: Mapping[str, Any]) -> RunConfig:
    """The benchmark is played as it is, or it would be another one."""
    from interactive_envs.evaluation.core import results, suite

    known = ("suite", "agents", "seed", "time_limit")
    other = [name for name, value in options.items() if name not in known and value not in (None, (), {}, False)]
    if other:
        names = ", ".join(_OPTIONS.get(name, f"--{name}") for name in other)
        raise ConfigError(f"the suite core has fixed settings; leave out {names}")
    size = size or "small"
    seed, limit = options["seed"] or 0, options["time_limit"]
    config = suite.plan(size, options["agents"], seed=seed, time_limit=limit, on_note=_echo_note)
    players = len(suite.players(options["agents"]))
    many = f"{players} players" if players > 1 else "1 player"
    echo(f"{config.suite}: {config.total // players:,} episodes for each of {many}.", err=True)
    effort = results.expected_effort(size)
    for spec in suite.players(options["agents"]).values():
        if spec.startswith("llm:"):
            echo(_likely(spec, effort), err=True)
    if why := results.unscored(size):
        _echo_note(why)
    return config


def _echo_likely(config: RunConfig) -> None:
    """Episodes, calls and the likely price of each language model, as far as the suite core tells what one does."""
    from interactive_envs.evaluation.core import results

    models = {cell.player: cell.agent for cell in config.cells if cell.agent.startswith("llm:")}
    for player, spec in models.items():
        count = sum(config.planned(index) for index, cell in enumerate(config.cells) if cell.player == player)
        effort = results.likely_effort(config, player)
        rest = _likely(spec, effort) if effort else f"{spec}: how many calls is not known."
        echo(f"{count:,} episode{'s' * (count != 1)} of {rest}", err=True)
    if models and any("lm:" in (cell.judge or "") for cell in config.cells):
        echo("The judge's calls come on top.", err=True)


def _likely(spec: str, effort: Effort) -> str:
    """What a language model costs, as far as that can be known before."""
    from interactive_envs.llm import pricing
    from interactive_envs.llm.calls import Usage

    model = spec.removeprefix("llm:").partition("?")[0]
    price = pricing.price(model)
    usage = Usage(prompt=round(effort.read), completion=round(effort.written))
    cost = price and price.cost(usage)
    read = f"{effort.read / 1e6:,.1f} million" if effort.read >= 5e4 else f"{effort.read:,.0f}"
    return (
        f"{model}: about {effort.calls:,.0f} calls that read {read} tokens and write {effort.written:,.0f}, "
        f"if it plays as the reference does and writes its actions alone"
        + (f": ${cost:,.2f} without a cache. Thinking costs more." if cost is not None else "; its price is unknown.")
    )


def _echo_note(text: str) -> None:
    echo(f"note: {text}", err=True, colour="yellow")


def _play_all(config: RunConfig, folder: Path, **how: Any) -> None:
    """Play a run with bars, echo what came out and write the report; ``how`` goes to the runner."""
    from interactive_envs.cli.progress import RunBars, warn
    from interactive_envs.evaluation.run import pool, report

    bars = RunBars(config)
    try:
        store = pool.run(
            config,
            folder,
            **how,
            progress=bars.advance,
            begin=bars.begin,
            on_fault=bars.fault,
            on_note=warn,
        )
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"go on with: ibench run --out {folder} --resume") from None
    finally:
        bars.close()
    rows = store.rows()
    missing = config.total - len(rows)
    echo_results(store)
    bars.echo_sandboxes()
    if missing:
        echo(
            f"{missing} episodes are missing: infrastructure failed ({store.faults()} attempts, see faults.jsonl); "
            f"play them with: ibench run --out {folder} --resume",
            err=True,
        )
    echo(f"Report: {report.write_with_pages(store)}")
    if missing:
        sys.exit(1)
