"""The command that starts a game, an environment or a player of the user's own from templates."""

from __future__ import annotations

import importlib.util
import keyword
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from string import Template
from typing import NamedTuple

import click

from interactive_envs.errors import ConfigError
from interactive_envs.system.terminal import echo

TEMPLATES = Path(__file__).parent / "data" / "new"
"""A folder per kind, whose files are filled in by :class:`string.Template`."""
PACKAGE = "package"
"""The folder of templates that becomes a Python package, which is named like the folder that is made."""
SUFFIX = ".tmpl"
LONGEST_NAME = 40
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


class Kind(NamedTuple):
    """What can be started.

    Attributes:
        module: whether it is a Python module that specs name, ``module:Class``.
        commands: what to try first, the check before all else.
    """

    module: bool
    commands: tuple[str, ...]


_ENVIRONMENT = Kind(
    True,
    (
        "ibench --path ${folder} validate ${module}.env:${cls}Env",
        "ibench --path ${folder} run ${module}.env:${cls}Env --agent random",
        "ibench --path ${folder} play ${module}.env:${cls}Env",
    ),
)
KINDS: Mapping[str, Kind] = {
    "game": Kind(False, ("ibench games check ${folder}", "ibench play ibench/Game-v1 -k path=${folder}")),
    "box": _ENVIRONMENT,
    "query-game": _ENVIRONMENT,
    "task": _ENVIRONMENT,
    "agent": Kind(
        True,
        (
            "ibench --path ${folder} run ibench/SituationPuzzle-v1 --agent ${module}.player:${cls}",
            "ibench --path ${folder} play ibench/SituationPuzzle-v1 --agent ${module}.player:${cls}",
        ),
    ),
}


@click.command()
@click.argument("kind", type=click.Choice(list(KINDS)))
@click.argument("name")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), default=Path(), help="Where the folder NAME is made."
)
def new(kind: str, name: str, out: Path) -> None:
    """Start a game, environment or player of your own.

    The folder NAME that is written works and passes its checks.

    \b
    ibench new game marble-race
    ibench new agent careful-reader --out players
    """  # noqa: D301 - click reads the backspace
    words = _words(kind, name, out)
    for path in _write(kind, out / name, words):
        echo(f"Written: {path}")
    for command in KINDS[kind].commands:
        echo(f"Try: {Template(command).substitute(words)}")


def _words(kind: str, name: str, out: Path) -> dict[str, str]:
    """What the templates' names stand for.

    Raises:
        ConfigError: the name cannot be used.
    """
    from interactive_envs.novel_games.folder import own_names

    if not _NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        raise ConfigError(
            f"{name!r} is no name: use lower-case words joined by '-', such as marble-race, "
            f"at most {LONGEST_NAME} characters"
        )
    words = name.split("-")
    module = "_".join(words)
    if KINDS[kind].module and (keyword.iskeyword(module) or importlib.util.find_spec(module) is not None):
        raise ConfigError(f"the name {name!r} is taken: Python has a {module!r} already; choose another")
    if kind == "game" and name in own_names():
        raise ConfigError(f"the name {name!r} is taken by a game of the package; choose another")
    title = " ".join(word.capitalize() for word in words)
    return {
        "name": name,
        "module": module,
        "cls": title.replace(" ", ""),
        "title": title,
        "folder": shlex.quote(str(out / name)),
    }


def _write(kind: str, folder: Path, words: Mapping[str, str]) -> list[Path]:
    """Fill in the templates of a kind.

    Raises:
        ConfigError: the folder exists.
    """
    if folder.exists() or folder.is_symlink():
        raise ConfigError(f"{folder} exists already; choose another NAME, or another folder with --out")
    folder.mkdir(parents=True)
    written = []
    for template in sorted((TEMPLATES / kind).rglob(f"*{SUFFIX}")):
        parts = template.relative_to(TEMPLATES / kind).with_suffix("").parts
        path = folder.joinpath(*(words["module"] if part == PACKAGE else part for part in parts))
        path.parent.mkdir(exist_ok=True)
        path.write_text(Template(template.read_text(encoding="utf-8")).substitute(words), encoding="utf-8")
        written.append(path)
    return written
