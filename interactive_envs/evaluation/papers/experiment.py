"""One table or figure of a paper as a file: who plays what under which protocol, and what the paper reports.

The files lie in ``data``, one per experiment; ``examples/papers`` shows the same folder.
"""

from __future__ import annotations

import dataclasses
import functools
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from interactive_envs.errors import ConfigError, UnknownNameError

_FOLDER = files("interactive_envs.evaluation.papers") / "data"
_LINEUPS = "lineups.toml"
KINDS = ("run", "passk", "tournament", "catalog")


@dataclass(frozen=True)
class Player:
    """A player of the paper's line-up: its name there, and its spec here."""

    name: str
    spec: str


@dataclass(frozen=True)
class Published:
    """A number that the paper reports.

    Attributes:
        metric: one of the experiment's.
        value: shares as numbers from 0 to 1.
        player: its name in the paper, '' where no player is involved.
        group: values of the experiment's ``by``, in its order.
    """

    metric: str
    value: float
    player: str = ""
    group: tuple[str, ...] = ()


@dataclass(frozen=True)
class Experiment:
    """A table or figure of a paper.

    Attributes:
        name: of its file.
        paper: short name of the paper, see :data:`PAPERS`.
        items: the tables and figures it gives, such as ``table 2``.
        title: what it measures.
        section: where the paper reports it.
        kind: ``run``, ``passk``, ``tournament``, or ``catalog``, which plays nothing and counts environments.
        metrics: keys of :data:`interactive_envs.evaluation.papers.metrics.METRICS`, in the order of the columns.
        by: what numbers are grouped by: ``condition``, ``judge``, a tag or an argument of the environment.
        setting: what the kind needs, see :mod:`interactive_envs.evaluation.papers.play`.
        quick: what replaces values of ``setting`` when the experiment is only to be tried.
        players: the paper's line-up, in the file the name of one in ``lineups.toml``.
        judges: the paper's judges.
        published: the numbers that its text gives; those of figures alone are left out.
        differs: how our material differs from the paper's.
    """

    name: str
    paper: str
    items: tuple[str, ...]
    title: str
    section: str
    kind: str
    metrics: tuple[str, ...]
    by: tuple[str, ...] = ()
    setting: Mapping[str, Any] = field(default_factory=dict)
    quick: Mapping[str, Any] = field(default_factory=dict)
    players: tuple[Player, ...] = ()
    judges: tuple[str, ...] = ()
    published: tuple[Published, ...] = ()
    differs: str = ""

    @classmethod
    def read(cls, name: str, text: str) -> Experiment:
        """Read a file's text.

        Raises:
            ConfigError: a key is missing or unknown.
        """
        content: dict[str, Any] = tomllib.loads(text)
        known = [one.name for one in dataclasses.fields(cls) if one.name != "name"]
        for key in content:
            if key not in known:
                raise UnknownNameError(f"key of the experiment {name}:", key, known)
        missing = [key for key in ("paper", "items", "title", "section", "kind", "metrics") if key not in content]
        if missing:
            raise ConfigError(f"the experiment {name} has no {missing[0]}")
        if content["kind"] not in KINDS:
            raise UnknownNameError("kind of experiment", content["kind"], KINDS)
        named = lineups()[content["players"]] if "players" in content else {}
        read: dict[str, Any] = {
            "players": tuple(Player(player, spec) for player, spec in named.items()),
            "published": tuple(_published(one) for one in content.get("published", ())),
        }
        lists: dict[str, Any] = {
            key: tuple(content[key]) for key in ("items", "metrics", "by", "judges") if key in content
        }
        given: dict[str, Any] = {**content, **lists, **read}
        return cls(name, **given)


def _published(row: Mapping[str, Any]) -> Published:
    return Published(**{**row, "group": tuple(map(str, row.get("group", ())))})


@functools.cache
def lineups() -> Mapping[str, Mapping[str, str]]:
    """The line-ups that experiments name: per line-up the players' names in the paper and their specs."""
    return tomllib.loads((_FOLDER / _LINEUPS).read_text(encoding="utf-8"))


@functools.cache
def experiments() -> tuple[Experiment, ...]:
    """Every experiment, by paper and in the order of its file names."""
    found = [
        Experiment.read(path.name.removesuffix(".toml"), path.read_text(encoding="utf-8"))
        for path in _FOLDER.iterdir()
        if path.name.endswith(".toml") and path.name != _LINEUPS
    ]
    return tuple(sorted(found, key=lambda one: one.name))


def choose(paper: str, items: Sequence[str] = ()) -> list[Experiment]:
    """The experiments of a paper that give any of these tables and figures; without any, all of them.

    Raises:
        UnknownNameError: there is no such paper, table or figure.
    """
    of_paper = [one for one in experiments() if one.paper == paper]
    if not of_paper:
        raise UnknownNameError("paper", paper, {one.paper for one in experiments()})
    known = [item for one in of_paper for item in one.items]
    for item in items:
        if item not in known:
            raise UnknownNameError(f"table or figure of {paper}:", item, known)
    return [one for one in of_paper if not items or set(items) & set(one.items)]
