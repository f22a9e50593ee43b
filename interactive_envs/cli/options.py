"""Options that several commands share."""

from __future__ import annotations

import datetime
import functools
import json
import math
import os
import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.llm import pace
from interactive_envs.parsing import json_or_text
from interactive_envs.system.files import read_text

Command = Callable[..., Any]


class FiniteNumber(click.FloatRange):
    """A finite number within bounds; click alone accepts NaN and infinity."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Convert a text; NaN and infinity are errors."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number; give one, or leave the option out", param, ctx)
        return number


def complete(kind: str) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """What a shell offers after a few letters: the ``ids``, ``agents`` or ``judges`` that begin so."""

    def names(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
        from interactive_envs import catalog

        known: Iterable[str] = catalog.ids() if kind == "ids" else catalog.table(kind)
        return sorted(name for name in known if name.startswith(begun))

    return names


def read_arguments(_: click.Context, __: click.Parameter, pairs: Sequence[str]) -> dict[str, Any]:
    """Read ``key=JSON`` pairs; a value that is not JSON is a text."""
    arguments: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not (key and equals):
            raise ConfigError(f"argument {pair!r} is not key=value")
        arguments[key] = json_or_text(value)
    return arguments


env_arguments = click.option(
    "-k",
    "arguments",
    multiple=True,
    metavar="KEY=JSON",
    callback=read_arguments,
    help="An environment argument; ibench info ENV_ID lists them.",
)
time_limit = click.option("--time-limit", type=FiniteNumber(0, min_open=True), help="Seconds allowed per action.")


def read_config(ctx: click.Context, __: click.Parameter, path: Path | None) -> None:
    """Take the values of options that are not given from a file."""
    if path is None:
        return
    try:
        content = tomllib.loads(read_text(path))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error
    known: dict[str, str] = {"arguments": "arguments", "environments": "env_ids"}
    for param in ctx.command.params:
        known |= {name.lstrip("-"): str(param.name) for name in param.opts if name.startswith("--")}
    values: dict[str, Any] = {}
    for name, value in content.items():
        if known.get(name) is None or name == "config":
            raise UnknownNameError(f"option in {path}:", name, [one for one in known if one != "config"])
        if name == "arguments":
            if not isinstance(value, dict):
                raise ConfigError(f"{path}: arguments must be a table, such as [arguments] with budget = 5")
            value = [f"{key}={json.dumps(one)}" for key, one in value.items()]
        values[known[name]] = value
    ctx.default_map = {**(ctx.default_map or {}), **values}


config_file = click.option(
    "--config",
    type=click.Path(dir_okay=False, path_type=Path),
    is_eager=True,
    expose_value=False,
    callback=read_config,
    help="A TOML file with values of these options, environments = [...] and a table [arguments].",
)


def _limit_requests(_: click.Context, __: click.Parameter, rate: float | None) -> None:
    """Hold for this process and those it starts."""
    if rate is not None:
        os.environ[pace.VARIABLE] = f"{rate:g}"


def combine(*options: Command) -> Command:
    """Join options into one decorator; ``--help`` lists them in this order."""
    return lambda command: functools.reduce(lambda wrapped, option: option(wrapped), reversed(options), command)


def play_options(unit: str, what: str, *, clusters: bool = False) -> Command:
    """Options of every command that plays: how many at once, where the results go, when to stop.

    Args:
        unit: what is played, in the plural.
        what: what is written into the folder.
        clusters: whether it can be played on a Ray cluster.
    """
    address = click.option(
        "--address", metavar="HOST:PORT", help="Of a running Ray cluster, or auto. Default: one is started here."
    )
    return combine(
        click.option(
            "--workers",
            type=click.IntRange(1),
            default=4,
            show_default=True,
            help=f"{unit.capitalize()} played at the same time.",
        ),
        click.option(
            "--backend",
            type=click.Choice(["thread", "process", *(["ray"] if clusters else [])]),
            default="thread",
            show_default=True,
            help="Threads suit language models, processes suit players that compute"
            + (", ray is for many machines." if clusters else "."),
        ),
        *([address] if clusters else []),
        click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder. Default: runs/TIME."),
        click.option("--resume", is_flag=True, help=f"Continue the {what} in --out."),
        click.option(
            "--rpm",
            type=FiniteNumber(0, min_open=True),
            expose_value=False,
            callback=_limit_requests,
            help="Requests a minute to each model, at most.",
        ),
        click.option("--limit-cost", type=FiniteNumber(0), metavar="USD", help="Stop when this much has been spent."),
    )


def log_option(default: Sequence[str] = ()) -> Command:
    """The option that names loggers."""
    return click.option(
        "--log",
        "log",
        multiple=True,
        metavar="NAME[:TARGET]",
        default=default,
        show_default=bool(default),
        help="Send numbers to wandb[:PROJECT], mlflow[:EXPERIMENT or URI] or tensorboard[:FOLDER] on the way. May be "
        "given several times.",
    )


def run_folder(out: Path | None, resume: bool, what: str) -> Path:
    """The folder to write to: ``out``, or a new one named after the time.

    Raises:
        ConfigError: ``resume`` without a folder.
    """
    if resume and out is None:
        raise ConfigError(f"--resume needs the {what}'s folder: --out FOLDER")
    return out or Path("runs") / datetime.datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
