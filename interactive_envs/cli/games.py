"""The commands about generated games and the opponents that are trained for them."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from interactive_envs.cli.options import FiniteNumber, log_option
from interactive_envs.errors import ConfigError
from interactive_envs.parsing import json_or_text
from interactive_envs.system.terminal import echo, printable

SETTINGS = (
    *("steps", "every", "growth", "games", "rollout", "batch", "epochs", "rate", "gamma", "trace", "clip", "entropy"),
    *("epsilon", "trunk", "heads", "activation", "prioritised", "polish", "seed"),
)
"""The fields of TrainConfig, which needs torch."""
RUNS = Path("runs") / "train"
"""The default folder of training runs."""


@click.group(invoke_without_command=True)
@click.pass_context
def games(ctx: click.Context) -> None:
    """List, check and import generated games; rate opponents."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_)


@games.command("list")
def list_() -> None:
    """List the games of the package.

    The game NAME is the environment ibench/Game-NAME-v1.
    """
    from interactive_envs.novel_games.folder import own, own_names
    from interactive_envs.novel_games.ladder import LADDER, read_ladder

    line = "{:<20} {:<8} {:<13} {:>11}  {:>5}  {}".format
    echo(line("NAME", "CATEGORY", "INFORMATION", "STATES", "RUNGS", "TITLE"))
    for name in own_names():
        folder = own(name)
        marks = [mark for mark, there in (("hidden", folder.hidden), ("chance", folder.chance)) if there]
        rungs = len(read_ladder(folder.path)["rungs"]) if (folder.path / LADDER).exists() else 0
        states = re.sub(r"\d+", lambda number: f"{int(number[0]):,}", folder.states)
        echo(line(name, folder.category, " ".join(marks) or "open", states, rungs, folder.title))


@games.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path())
@click.option("--full", is_flag=True, help="Play more, and solve games of up to a million states. Takes minutes.")
@click.option("--json", "as_json", is_flag=True, help="Print all findings as JSON.")
def check(paths: tuple[str, ...], full: bool, as_json: bool) -> None:
    """Check games before they are played: admit, flag or refuse.

    A PATH is a game folder, a file of code, or the name of a game of the package. The exit status is 1 if any game is
    refused.
    """
    from interactive_envs.novel_games.admission import check_paths, describe
    from interactive_envs.novel_games.folder import own, own_names

    known = [str(own(path).path) if path in own_names() else path for path in paths]
    admissions = []
    with tqdm(total=len(known), unit="game", disable=None) as bar:
        for admission in check_paths(known, full=full):
            admissions.append(admission)
            bar.update()
            if not as_json:
                bar.clear()
                echo(describe(admission))
    if as_json:
        echo(json.dumps([admission.as_json() for admission in admissions], indent=1))
    sys.exit(any(admission.verdict == "refuse" for admission in admissions))


@games.command("import")
@click.argument("release", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Where to write the game folders.")
@click.option("--licence", default="unknown", show_default=True, help="Licence of the release.")
@click.option("--only", multiple=True, type=int, help="Number of a game. May be given several times. Default: all.")
def import_(release: Path, out: Path, licence: str, only: tuple[int, ...]) -> None:
    """Import games from a gg-bench release.

    Descriptions, environments and action texts are imported. Its agents are pickles, which are never loaded; train new
    ones with ibench train.
    """
    from interactive_envs.game_generation.importing import import_release

    echo(import_release(release, out, licence=licence, only=only).describe())


@games.command()
@click.argument("names", nargs=-1, required=True)
@click.option(
    "--runs", type=click.Path(path_type=Path), default=RUNS, show_default=True, help="What ibench train wrote."
)
@click.option("--games", "count", type=click.IntRange(2), default=200, show_default=True, help="Games per pair.")
@click.option("--seed", type=int, default=0, show_default=True)
def ladder(names: tuple[str, ...], runs: Path, count: int, seed: int) -> None:
    """Choose and rate a game's opponents from its training run.

    They are written into the game's folder.
    """
    from interactive_envs.novel_games.rules import find_folder
    from interactive_envs.novel_games.search.network import checkpoints_in
    from interactive_envs.training.ladders import make_ladder

    for name in _games(names):
        folder = find_folder(name).path
        found = checkpoints_in(runs / folder.name)
        if not found:
            raise ConfigError(f"there are no checkpoints in {runs / folder.name}; first: ibench train {name}")
        try:
            made = make_ladder(folder, found, games=count, seed=seed, progress=lambda line: echo(line, err=True))
        except KeyboardInterrupt:
            raise KeyboardInterrupt("the same command goes on") from None
        opponent = made["opponent"]
        met = (
            "no rung is shown to be beatable, try more --games or longer training"
            if opponent["level"] is None
            else f"models meet rung {opponent['level']}"
        )
        echo(f"{folder.name}: {len(made['rungs'])} rungs, {met}")


@click.command()
@click.argument("names", nargs=-1, required=True)
@click.option("--out", type=click.Path(path_type=Path), default=RUNS, show_default=True, help="One folder per game.")
@click.option("--preset", default="default", show_default=True, help="default, or paper for gg-bench's settings.")
@click.option("--steps", type=click.IntRange(1), help="Decisions of the learner. Default: the preset's.")
@click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="NAME=VALUE",
    help="Change a setting, for example --set rate=[1e-3,1e-4]. Settings: " + ", ".join(SETTINGS) + ".",
)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--backend", default="local", show_default=True, help="local, or ray for several machines.")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Games trained at the same time.")
@click.option("--address", help="Address of a running Ray cluster. Default: start one here.")
@log_option(["tensorboard"])
def train(
    names: tuple[str, ...], out: Path, preset: str, changes: tuple[str, ...], log: tuple[str, ...], **options: Any
) -> None:
    """Train players by self-play.

    NAMES are games by name, path or id, or 'all'. After an interruption, the same command continues where it stopped.
    If one game fails, the others go on.
    """
    from interactive_envs.training.jobs import Job, Trained, line, train_many
    from interactive_envs.training.trainer import TrainConfig

    given = {name: value for name in ("steps", "seed") if (value := options.pop(name)) is not None}
    config = TrainConfig.preset(preset, **given, **_settings(changes))
    jobs = [Job(name, out / _run_name(name), config, log) for name in _games(names)]
    with tqdm(total=len(jobs), unit="game", disable=None) as bar:

        def report(job: Job, news: Any) -> None:
            if isinstance(news, Trained):
                bar.update()
                bar.write(printable(line(job, news)))
            elif bar.disable:
                echo(line(job, news), err=True)
            else:
                bar.set_postfix_str(printable(line(job, news)))

        try:
            done = train_many(jobs, report=report, **options)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"what is done lies in {out}, the same command goes on") from None
    failed = [trained for trained in done if trained.error is not None]
    if failed:
        echo(f"{len(failed)} of {len(done)} games failed", err=True)
        sys.exit(1)


def _games(names: tuple[str, ...]) -> list[str]:
    from interactive_envs.novel_games.folder import own_names

    return [one for name in names for one in (own_names() if name == "all" else [name])]


def _run_name(name: str) -> str:
    """The folder of a game's run, whether it is given by name, path or id."""
    from interactive_envs.novel_games.rules import find_folder

    try:
        return find_folder(name).name
    except ConfigError:  # of another environment, or it cannot be used, which its job will tell
        return Path(name).name


def _settings(changes: tuple[str, ...]) -> dict[str, Any]:
    from interactive_envs.errors import UnknownNameError
    from interactive_envs.training.trainer import TrainConfig

    settings: dict[str, Any] = {}
    for change in changes:
        name, found, text = change.partition("=")
        if not found:
            raise ConfigError(f"--set needs NAME=VALUE, got {change!r}")
        if name not in TrainConfig.__dataclass_fields__:
            raise UnknownNameError("setting", name, TrainConfig.__dataclass_fields__)
        value = json_or_text(text)
        settings[name] = tuple(value) if isinstance(value, list) else value
    return settings


@click.group()
def phh() -> None:
    """Check poker hand histories."""


@phh.command("check")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--rake", is_flag=True, help="Accept that the house kept a rake of up to a quarter of the pots.")
def phh_check(files: tuple[Path, ...], rake: bool) -> None:
    """Replay .phh and .phhs FILES and compare the stacks.

    The hands are played through the hold'em environment; stacks must agree to the chip.
    """
    from interactive_envs.holdem import phh as histories

    checks = []
    for check in histories.check_files(files, rake=rake):
        checks.append(check)
        if check.status != "ok" or check.reason:
            echo(str(check))
    echo(histories.summary(checks))
    sys.exit(histories.exit_status(checks))


# Games that a model makes.


@click.group()
def generate() -> None:
    """Have a model make games, black boxes or query games, check them, and have it mend what the check refuses."""


def _making(**help_: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The options of all kinds of things that are made."""
    path = click.Path(path_type=Path)
    options = (
        click.option("--out", type=path, required=True, metavar="POOL", help="Folder of the candidates."),
        click.option("--model", help="Who writes, such as llm:openai/gpt-5-mini; with --requests, whom they name."),
        click.option("--reader", help="Who reads the texts and is compared with the code. Default: who writes."),
        click.option("--count", type=click.IntRange(1), help="How many candidates. Default: one an idea, or 1."),
        click.option("--idea", "ideas", multiple=True, help="What a candidate is to be. May be given several times."),
        click.option("--category", help=help_["category"]),
        click.option("--vary", is_flag=True, help="Draw parts for each candidate, so that they differ."),
        click.option("--repairs", type=click.IntRange(0), help="How often one may be mended. Default: 3."),
        click.option("--requests", type=path, help="Write what would be asked into this file, and stop."),
        click.option("--replies", multiple=True, type=path, help="Go on with the answers in this file."),
        click.option("--workers", type=click.IntRange(1), default=4, show_default=True, help="At the same time."),
        click.option("--limit-cost", type=FiniteNumber(0), metavar="USD", help="Stop when this much has been spent."),
    )

    def add(command: Callable[..., None]) -> Callable[..., None]:
        for option in reversed(options):
            command = option(command)
        return command

    return add


@generate.command("games")
@_making(category="number, board, card, chance or combat.")
@click.option("--turns", type=click.IntRange(6, 100), help="About how many moves a game is to last.")
@click.option("--calls", type=click.Choice(["one", "three"]), help="Three: rules, code, names in turn. Default: one.")
@click.option("--opponents", type=click.IntRange(1), metavar="STEPS", help="Train opponents for what passes: minutes.")
@click.option("--against", metavar="SET", help="Games of the package that none may be like. Default: all.")
def generate_games(out: Path, **options: Any) -> None:
    """Make two-player games.

    \b
    ibench generate games --model llm:openai/gpt-5-mini --count 20 --out pool/
    ibench generate games --out pool/ --requests requests.jsonl    # for a batch, or a model without an interface
    ibench generate games --out pool/ --replies replies.jsonl      # goes on with its answers

    The same command goes on where it was stopped.
    """  # noqa: D301 - click reads the backspace
    _make("games", out, options)


@generate.command("boxes")
@_making(category="The family: circuit, program, cipher, mechanics, puzzle or strategy.")
def generate_boxes(out: Path, **options: Any) -> None:
    """Make black boxes. The same command goes on where it was stopped.

    The reader writes each mechanism again from its description; both versions must agree.
    """
    _make("boxes", out, options)


@generate.command("query-games")
@_making(category="The structure: set, sequence, tree or graph.")
def generate_query_games(out: Path, **options: Any) -> None:
    """Make query games. The same command goes on where it was stopped."""
    _make("query-games", out, options)


def _make(kind: str, out: Path, options: Mapping[str, Any]) -> None:
    from interactive_envs.game_generation import making

    with tqdm(unit="step", disable=None) as bar:

        def news(line: str) -> None:
            bar.update()
            if bar.disable:
                echo(printable(line))
            else:
                bar.set_postfix_str(printable(line)[:60])

        try:
            made = making.generate(kind, out, report=news, **options)
        except KeyboardInterrupt:
            raise KeyboardInterrupt("the same command goes on") from None
    echo(made.funnel())
    if made.waiting and made.unused:
        many = "1 reply answers" if len(made.unused) == 1 else f"{len(made.unused)} replies answer"
        echo(printable(f"{many} nothing that was asked: {_some(made.unused)}"))
    if made.kept:
        many = "1 reply differs" if len(made.kept) == 1 else f"{len(made.kept)} replies differ"
        echo(printable(f"{many} from what the pool was told before, which stays: {_some(made.kept)}"))
    if made.waiting:
        where = f"written to {options['requests']}" if options["requests"] else "write them with --requests FILE"
        many = "1 request waits" if len(made.waiting) == 1 else f"{len(made.waiting)} requests wait"
        echo(printable(f"{many} for a reply, {made.waiting[0].custom_id} first; {where}."))
    else:
        following = ""
        if made.released(flagged=True):
            flagged = "" if made.released() else " --flagged"
            following = f" Next: ibench generate release {shlex.quote(str(out))}{flagged} --out FOLDER"
        echo(printable(f"No request waits.{following}"))
    if made.faults:
        for fault, count in Counter(made.faults).most_common(3):
            echo(printable(f"{count} call{'s' * (count > 1)} failed: {fault}"), err=True)
        again = "the same command goes on"
        if options["requests"]:
            again = f"their requests are in {options['requests']} again"
        elif options["replies"]:
            again = "write their requests again with --requests FILE"
        raise ConfigError(f"some calls failed; {again}")


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + " …" * (len(names) > 3)


@generate.command("report")
@click.argument("pool", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The page; FILE.md for Markdown, FILE.json for the verdicts alone. Default: report.html in the POOL.",
)
@click.option(
    "--run", type=click.Path(path_type=Path), help="A run of its games: how scores go with novelty and length."
)
def report(pool: Path, out: Path | None, run: Path | None) -> None:
    """Print how far the candidates of a POOL came and why they failed, and write that as a page."""
    from interactive_envs.game_generation.making import look
    from interactive_envs.game_generation.page import write

    made = look(pool)
    echo(made.funnel())
    path = out or pool / "report.html"
    write(made, path, run)
    echo(printable(f"Page: {path}"))


@generate.command("release")
@click.argument("pool", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Where the folders are written.")
@click.option("--flagged", is_flag=True, help="Also those that a person should look at.")
def release(pool: Path, out: Path, flagged: bool) -> None:
    """Write what a POOL admitted as folders that ibench run plays."""
    from interactive_envs.game_generation.making import look

    made = look(pool)
    left = ", ".join(f"{count} {what}" for what, count in made.left(flagged=flagged).items())
    if not made.released(flagged=flagged):
        raise ConfigError(f"nothing to release in {pool}: {left}")
    written = made.release(out, flagged=flagged)
    for folder in written:
        echo(printable(str(folder)))
    echo(f"{len(written)} released{f'; left out: {left}' if left else ''}.")
    plays = made.kind.plays(dict(made.kind.answer_of(made.released(flagged=flagged)[0]).files))
    echo(f"Play the first with: ibench run {plays} -k {shlex.quote(f'path={written[0]}')} --agent random")
