"""What a tournament plays: its configuration, and who meets whom in which seats.

A match's luck (a deck, a horizon) and all that its players draw hang on one seed, and the seed on the *deal* alone:
both seat orders of a pair, with common luck every pair of a repeat, and all rotations of a table meet the same luck.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import itertools
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.making import make_aec
from interactive_envs.multiplayer.game import Game
from interactive_envs.reporting.matches import MatchReport, report_of
from interactive_envs.specs import split_name
from interactive_envs.system.files import read_text

SCHEMA = 1
FORMATS = ("round-robin", "tables")
MOST_BYTES = 1 << 20
"""Of a configuration."""
GIVEN = "?"
"""Stands in a configuration's players for those that are named when it is loaded."""
_OF_FORMAT = {
    "repeats": "round-robin",
    "self_play": "round-robin",
    "common_luck": "round-robin",
    **dict.fromkeys(("tables", "hands", "duplicate", "carry"), "tables"),
}


@dataclass(frozen=True)
class Player:
    """Who plays: a spec, and the name it goes by in records and reports."""

    name: str
    spec: str


@dataclass(frozen=True)
class Tournament:
    """What a tournament plays.

    Attributes:
        id: a registered id with an AEC view.
        players: who takes part.
        format: ``round-robin``: every pair of a game for two meets in both seat orders, ``repeats`` times;
            ``tables``: ``tables`` of as many players as the game has seats, in an order drawn for each table. Where
            there are more players, those sit down who have played least.
        arguments: the environment's, ``retries`` and ``on_invalid`` among them.
        sweep: arguments with several values each; everything is played for every combination.
        repeats: of a pair; each repeat has its own luck, shared by both seat orders.
        self_play: whether every player also meets itself.
        common_luck: whether all pairs of a repeat share its luck, too; None leaves it to the game's family.
        tables: how many there are.
        hands: matches per table, each with a new deal; a hold'em hand is a match.
        duplicate: play every hand once in each rotation of the players, so that everybody sits in every seat.
        carry: chips go on from hand to hand, with a rebuy for those who have none, instead of starting again; the
            hands of a table are then one cluster.
        seed: decides every luck and all that players draw.
        time_limit: seconds an action may take, None for no limit.
        content: per setting and player what it says of itself, filled in by :func:`check`.

    Raises:
        ConfigError: a value that cannot work; its message says which.
    """

    id: str
    players: tuple[Player, ...]
    format: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    sweep: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    repeats: int = 1
    self_play: bool = False
    common_luck: bool | None = None
    tables: int = 1
    hands: int = 1
    duplicate: bool = False
    carry: bool = False
    seed: int = 0
    time_limit: float | None = None
    content: tuple[Mapping[str, Any], ...] = ()

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise UnknownNameError("tournament format", self.format, FORMATS)
        for name, least in (("repeats", 1), ("tables", 1), ("hands", 1), ("seed", 0)):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise ConfigError(f"{name} must be a whole number of at least {least}, got {value!r}")
        for name in ("self_play", "duplicate", "carry", "common_luck"):
            if not isinstance(getattr(self, name), bool) and (name, self.common_luck) != ("common_luck", None):
                raise ConfigError(f"{name} must be true or false, got {getattr(self, name)!r}")
        limit = self.time_limit
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int | float) or limit <= 0):
            raise ConfigError(f"time_limit must be seconds above 0, got {limit!r}")
        names = [player.name for player in self.players]
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise ConfigError(f"two players are called {twice[0]!r}; give one another name")
        if self.carry and self.duplicate:
            raise ConfigError("carry and duplicate exclude each other: chips won in one seat change the next hand's")
        for name, values in self.sweep.items():
            if not isinstance(values, list | tuple) or not values:
                raise ConfigError(f"sweep.{name} must be a list of values, got {values!r}")
            if name in self.arguments:
                raise ConfigError(f"{name} is swept and an argument; leave one out")

    @functools.cached_property
    def settings(self) -> tuple[dict[str, Any], ...]:
        """The environment's arguments for every combination of swept values."""
        points = itertools.product(*self.sweep.values())
        fixed = {**self.report.arguments, **self.arguments}
        return tuple({**fixed, **dict(zip(self.sweep, point, strict=True))} for point in points)

    @functools.cached_property
    def games(self) -> tuple[Game[Any], ...]:
        """The rules of every setting."""
        return tuple(make_aec(self.id, **arguments).game for arguments in self.settings)

    @property
    def report(self) -> MatchReport:
        """What the game's family says of its matches."""
        return report_of(self.id)

    def as_json(self) -> dict[str, Any]:
        """The content of ``config.json``."""
        return {"schema": SCHEMA, **dataclasses.asdict(self)}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Tournament:
        """Read ``config.json`` back.

        Raises:
            ConfigError: it has another schema.
        """
        if content.get("schema") != SCHEMA:
            raise ConfigError(f"config.json has schema {content.get('schema')!r}, this version reads {SCHEMA}")
        kept = {name: value for name, value in content.items() if name != "schema"}
        players = tuple(Player(**player) for player in content["players"])
        sweep = {name: tuple(values) for name, values in content["sweep"].items()}
        return cls(**kept | {"players": players, "sweep": sweep, "content": tuple(content["content"])})


@dataclass(frozen=True)
class Planned:
    """One match of the plan.

    Attributes:
        match: its id; those of a table sort in the order of play.
        deal: what luck it is dealt; matches of one deal have the same seed.
        cluster: what it shares luck with, in whatever way: its deal, or with carried chips its table.
        setting: position of its arguments.
        table: the session it belongs to: a repeat of a pair, or a table.
        order: positions of the players, a seat each.
        button: the button's seat where the game has one.
    """

    match: str
    deal: str
    cluster: str
    setting: int
    table: str
    order: tuple[int, ...]
    button: int


def shipped() -> list[str]:
    """Names of the package's own configurations."""
    folder = files("interactive_envs.evaluation.tournament") / "data" / "tournaments"
    return sorted(path.name.removesuffix(".toml") for path in folder.iterdir() if path.name.endswith(".toml"))


def load(source: str | Path, players: Sequence[str] = ()) -> Tournament:
    """Read a configuration.

    Args:
        source: a TOML file, or the name of one of :func:`shipped`.
        players: ``spec`` or ``name=spec`` each; they stand in for ``"?"`` among the configuration's players, and for
            all of them where it has none.

    Raises:
        ConfigError: it cannot be read, or has a value that cannot work.
        UnknownNameError: there is no such configuration, or a key is unknown.
    """
    path = Path(source)
    if path.suffix != ".toml" and not path.is_file():
        if str(source) not in shipped():
            raise UnknownNameError("tournament", str(source), shipped())
        path = Path(str(files("interactive_envs.evaluation.tournament") / "data" / "tournaments" / f"{source}.toml"))
    try:
        content = tomllib.loads(read_text(path, largest=MOST_BYTES))
    except (OSError, ValueError, RecursionError) as error:  # RecursionError: it is nested too deeply
        raise ConfigError(f"{path} cannot be read as a tournament: {error}") from error
    known = [field.name for field in dataclasses.fields(Tournament) if field.name != "content"]
    for key in content:
        if key not in known:
            raise UnknownNameError("key of a tournament:", key, known)
    for key in ("id", "format", "players"):
        if key not in content:
            raise ConfigError(f"{path} has no {key}; a tournament needs id, format and players")
    for key, format_ in _OF_FORMAT.items():
        if key in content and content["format"] in FORMATS and content["format"] != format_:
            raise ConfigError(f"{key} belongs to the format {format_!r}, not to {content['format']!r}; leave it out")
    for key in ("arguments", "sweep"):
        if not isinstance(content.get(key, {}), dict):
            raise ConfigError(f"{key} must be a table of arguments, got {content[key]!r}")
    return Tournament(**content | {"players": _players(content["players"], players)})


def _players(listed: object, given: Sequence[str]) -> tuple[Player, ...]:
    if not isinstance(listed, list):
        raise ConfigError(f"players must be a list of specs, or of tables with name and spec, got {listed!r}")
    if GIVEN in listed and not given:
        raise ConfigError('this tournament has a place for players of your choice ("?"); name at least one player')
    if given and GIVEN not in listed:
        listed = [GIVEN]
    found: list[Player] = []
    for entry in listed:
        for one in given if entry == GIVEN else [entry]:
            player = _player(one)
            same = sum(player.name in (other.name, other.name.rpartition(" #")[0]) for other in found)
            found.append(dataclasses.replace(player, name=f"{player.name} #{same + 1}") if same else player)
    return tuple(found)


def _player(entry: object) -> Player:
    if isinstance(entry, dict) and entry.keys() == {"name", "spec"}:
        name, spec = entry["name"], entry["spec"]
    elif isinstance(entry, str):
        name, spec = split_name(entry)
        name = name or spec
    else:
        name = spec = None
    if not (isinstance(name, str) and isinstance(spec, str) and name.strip() and spec.strip()):
        raise ConfigError(f"a player must be a spec, or a table with name and spec, got {entry!r}")
    return Player(name.strip(), spec.strip())


def plan(tournament: Tournament) -> list[Planned]:
    """Every match, in the order of play."""
    make_plan = _round_robin if tournament.format == "round-robin" else _tables_plan
    return [match for setting in range(len(tournament.settings)) for match in make_plan(tournament, setting)]


def _round_robin(tournament: Tournament, setting: int) -> Iterator[Planned]:
    players = range(len(tournament.players))
    common = tournament.report.common_luck if tournament.common_luck is None else tournament.common_luck
    pairs = list(itertools.combinations(players, 2)) + [(one, one) for one in players if tournament.self_play]
    for repeat, (left, right) in itertools.product(range(tournament.repeats), sorted(pairs)):
        round_ = f"r{_padded(repeat, tournament.repeats)}"
        deal = round_ if common else f"{round_}-p{left}x{right}"
        for order in sorted({(left, right), (right, left)}):
            seated = "x".join(_padded(seat, len(players)) for seat in order)
            match = f"{_setting_id(tournament, setting)}{round_}-p{seated}"
            yield Planned(match, deal, deal, setting, f"p{left}x{right}", order, repeat % 2)


def _tables_plan(tournament: Tournament, setting: int) -> Iterator[Planned]:
    seats = tournament.games[setting].seats
    played = np.zeros(len(tournament.players), int)
    for table in range(tournament.tables):
        # The same for every setting: only the swept argument differs.
        rng = np.random.default_rng([tournament.seed, table])
        drawn = rng.permutation(len(played))
        sitting = drawn[np.argsort(played[drawn], kind="stable")[:seats]]
        played[sitting] += 1
        sitting = rng.permutation(sitting)
        for hand in range(tournament.hands):
            name = f"t{_padded(table, tournament.tables)}"
            deal = f"{name}-h{_padded(hand, tournament.hands)}"
            for turn in range(seats if tournament.duplicate else 1):
                order = tuple(int(player) for player in np.roll(sitting, turn))
                replay = f"-o{_padded(turn, seats)}" if tournament.duplicate else ""
                match = f"{_setting_id(tournament, setting)}{deal}{replay}"
                yield Planned(match, deal, name if tournament.carry else deal, setting, name, order, hand % seats)


def _setting_id(tournament: Tournament, setting: int) -> str:
    return f"s{_padded(setting, len(tournament.settings))}-" if len(tournament.settings) > 1 else ""


def _padded(number: int, count: int) -> str:
    return str(number).zfill(len(str(count - 1)))


def check_seats(tournament: Tournament, game: Game[Any]) -> None:
    """Refuse a number of players that the format cannot seat.

    Raises:
        ConfigError: it says how many there must be.
    """
    players, seats = len(tournament.players), game.seats
    if tournament.format == "round-robin":
        if seats != 2:
            raise ConfigError(f"a round robin needs a game for two, this one has {seats} seats; use format = 'tables'")
        if players + tournament.self_play < 2:
            raise ConfigError(f"a round robin needs two players or more, got {players}")
    elif players < seats:
        raise ConfigError(f"a table has {seats} seats and there are {players} players; name {seats} or more")
    if tournament.carry and "stacks" not in game.reset_options:
        raise ConfigError(f"carry needs a game with chips; {tournament.id} has no reset option 'stacks'")


def seed_of(tournament: Tournament, planned: Planned) -> int:
    """The seed of a match: of its deal, and of all that its players draw."""
    digest = hashlib.sha256(f"{tournament.seed} {planned.deal}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1
