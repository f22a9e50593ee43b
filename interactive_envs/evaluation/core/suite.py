"""What the suite ``core`` plays: the settings of docs/scores.md, every family alike, in three sizes.

A smaller size is part of a larger one: environments and levels of a setting stand in an order that their names decide,
levels in turn, and a size takes the first of them, with as many episodes each as there is room for.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interactive_envs import catalog
from interactive_envs.errors import ConfigError, MissingExtraError, UnknownNameError
from interactive_envs.evaluation.run.cells import asks_judge
from interactive_envs.evaluation.validate.scores import yardsticks
from interactive_envs.family import ROLES, Role, Yardstick
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.seeds import canonical_json
from interactive_envs.specs import split_name

NAME, VERSION = "core", "core-v1"
SIZES = {"small": 12, "standard": 125, "full": 1250}
"""Episodes of a family."""


@dataclass(frozen=True)
class Setting:
    """A setting of the suite.

    Attributes:
        family: the name of its card.
        yardstick: players of known strength, and what it takes.
        plays: environments with their arguments and episodes, in order.
    """

    family: str
    yardstick: Yardstick
    plays: tuple[tuple[str, Mapping[str, Any], int], ...]

    @property
    def title(self) -> str:
        """Its name."""
        return self.yardstick.title

    @property
    def episodes(self) -> int:
        """In all."""
        return sum(count for _, _, count in self.plays)


def families() -> tuple[str, ...]:
    """The package's own: a family of another package that is installed does not change the suite."""
    return tuple(catalog.load()["families"])


def settings(size: str) -> tuple[Setting, ...]:
    """The settings of a size.

    Raises:
        UnknownNameError: there is no such size.
    """
    if size not in SIZES:
        raise UnknownNameError("size", size, SIZES)
    found = []
    for family in families():
        known = yardsticks(family)
        for place, yardstick in enumerate(known):
            share = SIZES[size] * (place + 1) // len(known) - SIZES[size] * place // len(known)
            found.append(Setting(family, yardstick, tuple(_plays(yardstick, share))))
    return tuple(found)


def _plays(yardstick: Yardstick, episodes: int) -> Iterator[tuple[str, Mapping[str, Any], int]]:
    order = _in_turn(yardstick)
    each, more = divmod(episodes, len(order))
    for place, (env_id, arguments) in enumerate(order):
        if count := each + (place < more):
            yield env_id, arguments, count


def _in_turn(yardstick: Yardstick) -> list[tuple[str, Mapping[str, Any]]]:
    """Its environments and levels: one of each level, then a second of each, in an order that names decide."""
    environments = sorted(
        yardstick.environments, key=lambda one: zlib.crc32(f"{one[0]} {canonical_json(one[1])}".encode())
    )
    levels: Sequence[Mapping[str, Any]] = [{"difficulty": level} for level in _spread(yardstick.levels)] or [{}]
    count = len(environments)
    found: list[tuple[str, Mapping[str, Any]]] = []
    for turn, (place, level) in itertools.product(range(count), enumerate(levels)):
        env_id, own = environments[(turn + place * max(1, count // len(levels))) % count]
        found.append((env_id, {**own, **level}))
    return found


def _spread(levels: Sequence[int]) -> list[int]:
    """The middle level, the first, the last, then the others: a few of them tell most."""
    return list(dict.fromkeys([*levels[len(levels) // 2 :][:1], *levels[:1], *levels[-1:], *levels]))


def players(agents: Sequence[str]) -> dict[str, str]:
    """The players by the names that they go by: ``NAME=SPEC``, or a spec, or a role such as ``rule``.

    Raises:
        ConfigError: there is none, or two have one name.
    """
    if not agents:
        raise ConfigError("name at least one player (agent): a spec, or one of random, rule, reference and exact")
    found: dict[str, str] = {}
    for agent in agents:
        name, spec = split_name(agent)
        name = name or spec
        if name in found:
            raise ConfigError(f"two players go by the name {name!r}; name them: NAME=SPEC")
        found[name] = spec
    return found


def plan(
    size: str,
    agents: Sequence[str],
    *,
    seed: int = 0,
    time_limit: float | None = None,
    on_note: Callable[[str], None] = lambda _: None,
) -> RunConfig:
    """The configuration of a run.

    Args:
        size: ``small``, ``standard`` or ``full``.
        agents: players, see :func:`players`.
        seed: 0; only then are the cases those that the players of known strength met.
        time_limit: seconds an action.
        on_note: called with each setting that cannot be played on this machine, which is left out.

    Raises:
        ConfigError: a player is none, or the seed is another.
    """
    if seed:
        raise ConfigError(f"the suite core is played with seed 0, as all its results were; got {seed}")
    named, cells = players(agents), []
    for setting in settings(size):
        try:
            asked = {env_id: asks_judge(env_id, arguments) for env_id, arguments, _ in setting.plays}
        except (ConfigError, MissingExtraError) as error:  # such as Chromium, which web pages need
            on_note(f"{setting.title} is left out, so that there is no score of the suite: {error}")
            continue
        for env_id, arguments, count in setting.plays:
            judge = catalog.entry(env_id)["defaults"]["judge"] if asked[env_id] else None
            for name, spec in named.items():
                who, given = _who(setting.yardstick, spec), dict(arguments)
                if spec == "no interaction":
                    given["no_interaction"] = True
                if who:
                    cells.append(Cell(env_id, given, who, judge, {}, count, name))
    most = max(cell.episodes or 0 for cell in cells)
    return RunConfig(tuple(cells), most, seed, time_limit, suite=f"{VERSION} {size}")


def size_of(config: RunConfig) -> str | None:
    """The size of the suite that a run plays; None for another run."""
    version, _, size = config.suite.partition(" ")
    return size if version == VERSION and size in SIZES else None


def _who(yardstick: Yardstick, spec: str) -> str | None:
    """The player behind a spec; a role that nobody plays is played by the next weaker one, but for the first two."""
    role: Any = "chance" if spec == "random" else spec
    if role not in ROLES:
        return spec
    if role == "no interaction":
        return yardstick.players.get(role)
    below: list[Role] = [one for one in ROLES[: ROLES.index(role) + 1] if one != "no interaction"]
    return next((yardstick.players[one] for one in reversed(below) if one in yardstick.players), None)
