"""Plays an experiment and measures it.

What a ``setting`` holds:

- ``run``: ``environments``, pairs of an id and its arguments, or ``suite`` with ``per_cell``, ``difficulty`` and
  ``settings``; ``arguments``, ``axes``, ``probes``, ``episodes``, ``seed``, ``time_limit``; ``judge_as``, an argument
  that is the spec of the cell's judge; ``conditions``, by name what replaces any of these.
- ``passk``: ``environment``, and what :func:`interactive_envs.evaluation.passk.compare.plan` takes.
- ``tournament``: ``config``, the name of one that comes along, and the attributes of a
  :class:`~interactive_envs.evaluation.tournament.plan.Tournament` that replace its own.
- ``catalog``: ``families``, those of the units to be counted.
"""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from interactive_envs import catalog
from interactive_envs.evaluation.papers import metrics
from interactive_envs.evaluation.papers.experiment import Experiment
from interactive_envs.evaluation.papers.metrics import Played
from interactive_envs.evaluation.passk import compare
from interactive_envs.evaluation.run import cells, pool, report
from interactive_envs.evaluation.tournament import play as tournaments
from interactive_envs.registration import all_arguments
from interactive_envs.reporting.estimates import NOTHING, Estimate
from interactive_envs.reporting.records import Cell, RunConfig

Watching: TypeAlias = Callable[[str, Any], AbstractContextManager[Any]]
"""Makes the progress of a run or a tournament of a name: ``begin``, ``advance`` and ``fault``."""


@dataclass(frozen=True)
class Number:
    """A number that was measured.

    Attributes:
        player: the paper's name of a player, or the spec of one of the user's.
        group: values of the experiment's ``by``.
        metric: its key.
        estimate: the value with its 95 % interval and the number of observations.
    """

    player: str
    group: tuple[str, ...]
    metric: str
    estimate: Estimate


@dataclass(frozen=True)
class How:
    """How an experiment is played.

    Attributes:
        agents: specs that replace the paper's line-up; none for the paper's.
        judges: specs that replace the paper's judges; none for the paper's.
        quick: in the small size that only shows that it runs.
        episodes: a cell, or the problems of a comparison; None for the experiment's number. Tournaments have none.
        arguments: of the environments, beside or in place of the experiment's.
        options: ``workers``, ``resume``, ``limit_cost`` and ``backend``.
        watching: makes the progress; None for none.
    """

    agents: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    quick: bool = False
    episodes: int | None = None
    arguments: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    watching: Watching | None = None

    def setting(self, experiment: Experiment) -> dict[str, Any]:
        """The experiment's setting with what replaces its values."""
        setting = {**experiment.setting, **(experiment.quick if self.quick else {})}
        count = {"run": "episodes", "passk": "problems"}.get(experiment.kind)
        if self.episodes is not None and count is not None:
            setting[count] = self.episodes
        if self.arguments:
            setting["arguments"] = {**setting.get("arguments", {}), **self.arguments}
        return setting

    def players(self, experiment: Experiment) -> dict[str, str]:
        """Specs of the players by name."""
        if self.agents:
            return {spec: spec for spec in self.agents}
        return {player.name: player.spec for player in experiment.players}


def reproduce(experiment: Experiment, folder: Path, how: How) -> list[Number]:
    """Play an experiment, or what is missing of it, and measure it.

    Args:
        experiment: what to play.
        folder: for its files.
        how: with whom, and how much.

    Returns:
        Its numbers, in the order of the players and groups.

    Raises:
        ConfigError: something cannot be played.
        CostLimitError: the limit is reached.
    """
    return list(_KINDS[experiment.kind](experiment, folder, how))


def _run(experiment: Experiment, folder: Path, how: How) -> Iterator[Number]:
    setting = how.setting(experiment)
    conditions = setting.pop("conditions", {"": {}})
    players, played = how.players(experiment), defaultdict[tuple[str, ...], list[Played]](list)
    names = {spec: name for name, spec in players.items()}
    for condition, changes in conditions.items():
        here = {**setting, **changes}
        if "arguments" in changes:
            here["arguments"] = {**changes["arguments"], **how.arguments}
        config = plan(here, list(players.values()), how.judges or experiment.judges)
        where = folder / condition if condition else folder
        with _progress(how, condition or experiment.items[0], config) as progress:
            store = pool.run(
                config,
                where,
                **how.options,
                begin=progress.begin,
                progress=progress.advance,
                on_fault=progress.fault,
            )
        report.write_with_pages(store)
        for row in store.rows():
            cell = config.cells[row.cell]
            group = tuple(_value(name, cell, condition) for name in experiment.by)
            played[names.get(cell.agent, cell.agent), *group].append(Played(row, cell, store))
    for (player, *values), episodes in _in_order(played, players):
        for metric in experiment.metrics:
            yield Number(player, tuple(values), metric, metrics.of_episodes(metric, episodes))


def plan(setting: Mapping[str, Any], agents: Sequence[str], judges: Sequence[str]) -> RunConfig:
    """What a setting of the kind ``run`` plays with these players and judges."""
    choice = {name: setting[name] for name in ("suite", "per_cell", "difficulty", "settings") if name in setting}
    if "suite" in choice:
        chosen = cells.choose_environments((), **choice)
    else:
        chosen = [(env_id, dict(arguments)) for env_id, arguments in setting["environments"]]
    given = {name: setting[name] for name in ("arguments", "axes", "episodes", "seed", "time_limit") if name in setting}
    usual = cells.suite_episodes(setting.get("suite"))
    config = cells.plan_run(
        chosen, agents, judges=judges, probes=setting.get("probes", ()), default_episodes=usual, **given
    )
    if "judge_as" not in setting:
        return config
    judged = [
        dataclasses.replace(cell, arguments={setting["judge_as"]: cell.judge, **cell.arguments})
        for cell in config.cells
        if cell.judge is not None
    ]
    return dataclasses.replace(config, cells=tuple(judged))


def _value(name: str, cell: Cell, condition: str) -> str:
    """What a cell is grouped by: the name of its condition, its judge, a tag of its unit, or an argument."""
    if name == "condition":
        return condition
    if name == "judge":
        return cell.judge or ""
    everything = {**all_arguments(cell.env_id, cell.arguments), **catalog.entry(cell.env_id)["tags"]}
    value = everything.get(name, "")
    return value if isinstance(value, str) else json.dumps(value)


def _in_order(
    found: Mapping[tuple[str, ...], list[Played]], players: Iterable[str]
) -> list[tuple[tuple[str, ...], list[Played]]]:
    place = {player: number for number, player in enumerate(players)}
    return sorted(found.items(), key=lambda one: place.get(one[0][0], len(place)))


def _passk(experiment: Experiment, folder: Path, how: How) -> Iterator[Number]:
    from interactive_envs.evaluation.passk import page

    setting = how.setting(experiment)
    players, judges = how.players(experiment), how.judges or experiment.judges
    names = {spec: name for name, spec in players.items()}
    judge = judges[0] if judges else None
    comparison = compare.plan(setting.pop("environment"), list(players.values()), judge=judge, **setting)
    stores = compare.play(comparison, folder, watching=how.watching, **how.options)
    content = compare.write(comparison, folder, *stores)
    page.write(folder, content)
    for player in content["players"]:
        for metric in experiment.metrics:
            yield Number(names.get(player["agent"], player["agent"]), (), metric, metrics.in_summary(metric, player))


def _tournament(experiment: Experiment, folder: Path, how: How) -> Iterator[Number]:
    setting = how.setting(experiment)
    # A spec that is its own name may hold a "=" of its own.
    specs = [spec if name == spec else f"{name}={spec}" for name, spec in how.players(experiment).items()]
    least = setting.pop("least_players", 1)
    specs = list(itertools.islice(itertools.cycle(specs), max(least, len(specs))))
    chosen = tournaments.load(setting.pop("config"), specs)
    arguments = {**chosen.arguments, **setting.pop("arguments", {})}
    chosen = dataclasses.replace(chosen, arguments=arguments, **setting)
    with _progress(how, experiment.items[0], chosen) as progress:
        tournaments.run(
            chosen, folder, **how.options, begin=progress.begin, progress=progress.advance, on_fault=progress.fault
        )
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    for part in summary["settings"]:
        group = tuple(json.dumps(part["point"].get(name)) for name in experiment.by)
        for player in part["players"]:
            for metric in experiment.metrics:
                yield Number(player["player"], group, metric, metrics.in_summary(metric, player))


def _catalog(experiment: Experiment, folder: Path, how: How) -> Iterator[Number]:
    counts: dict[tuple[str, ...], int] = defaultdict(int)
    for unit in catalog.load()["units"].values():
        if unit["family"] in experiment.setting["families"] and all(name in unit["tags"] for name in experiment.by):
            counts[tuple(unit["tags"][name] for name in experiment.by)] += 1
    for group, count in sorted(counts.items()):
        yield Number("", group, "environments", dataclasses.replace(NOTHING, value=float(count), n=count))


class _Silent:
    """No progress."""

    begin = advance = fault = staticmethod(lambda *_: None)


@contextlib.contextmanager
def _progress(how: How, name: str, config: Any) -> Iterator[Any]:
    if how.watching is None:
        yield _Silent
    else:
        with how.watching(name, config) as progress:
            yield progress


_KINDS: Mapping[str, Callable[[Experiment, Path, How], Iterator[Number]]] = {
    "run": _run,
    "passk": _passk,
    "tournament": _tournament,
    "catalog": _catalog,
}
