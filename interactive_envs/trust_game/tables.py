"""What runs of the trust game say: payoffs, how players behave, and whether they learn who sits opposite.

Counts are pooled over rounds, as in the paper (:mod:`interactive_envs.trust_game.metrics`); the unit of sampling is the
episode.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interactive_envs.reporting import charts
from interactive_envs.reporting.charts import Chart, Row
from interactive_envs.reporting.estimates import NOTHING, Estimate
from interactive_envs.reporting.match_charts import decimals
from interactive_envs.reporting.run_tables import ArgumentTables
from interactive_envs.reporting.store import RunStore
from interactive_envs.reporting.tables import (
    LABELS,
    Column,
    Group,
    Table,
    bits,
    fill_arguments,
    group_by,
    percent,
    plain,
    row,
)
from interactive_envs.trust_game.metrics import NOTES, Tally, estimate, tallies


@dataclass(frozen=True, slots=True)
class Episode:
    """What the tables need of an episode.

    Attributes:
        group: the player, and against whom and with which arguments it played.
        case: the episode's deal.
        tallies: the player's counts, match by match.
    """

    group: Group
    case: str
    tallies: tuple[Tally, ...]


class TrustTables(ArgumentTables[Episode]):
    """The tables of the trust game, ``trust.json`` and ``trust.html``."""

    family = "trust"
    name, subject = "trust", "trust games"
    title, one = "Trust games", "a trust game"
    clusters = "episode"
    prefix = "trust/"
    unnamed = ("opponents", "render_mode", "view")

    def tables(self, episodes: Sequence[Episode], others: Sequence[Episode] = ()) -> list[Table]:
        """Make the tables: over all matches, by match, and of the other run."""
        made = [
            Table("overall", "Payoffs and manners", NOTES, LABELS, _COLUMNS, tuple(_rows(episodes))),
            Table("matches", "Match by match", _BY_MATCH, (*LABELS, "match"), _FEW, tuple(_by_match(episodes))),
            Table("others", "The other run", NOTES, LABELS, _COLUMNS, tuple(_rows(others))),
        ]
        return [table for table in made if table.rows]

    def draw(self, tables: Sequence[Table], curves: Sequence[Mapping[str, Any]]) -> list[Chart]:
        """Draw payoffs, and the regret match by match where it is known.

        Raises:
            MissingExtraError: matplotlib is not installed.
        """
        rows = {table.name: table.rows for table in tables}
        payoffs = [("Payoff per round", one) for one in rows.get("overall", ())]
        regrets = [(f"Match {one['match']}", one) for one in rows.get("matches", ())]
        with charts.style():
            return [
                *_intervals("trust_payoff", "Payoff per round", "score", payoffs),
                *_intervals("trust_regret", "Regret per round, match by match", "mean_regret", regrets),
            ]

    def episodes(self, store: RunStore, names: Sequence[str]) -> Iterator[Episode]:
        """Read the episodes of a run."""
        rows = store.rows()
        for number, cell in enumerate(store.config.cells):
            if not self.holds(cell):
                continue
            arguments = fill_arguments(cell)
            (against,) = [opponents] if isinstance(opponents := arguments["opponents"], str) else opponents
            condition = [f"against {against}", *(f"{name}={plain(arguments.get(name))}" for name in names)]
            group = (cell.player, ", ".join(condition))
            for one in rows.part(number):
                record = store.episode(one).game or {}
                counted = tallies(record["game"], record["seat"], against)
                yield Episode(group, f"{one.case} {one.epoch}", tuple(counted))


class TrustPage(TrustTables):
    """The same tables, beside the report of every run that has episodes of the trust game."""

    def write(self, store: RunStore, other: RunStore | None = None) -> tuple[list[Table], dict[str, Any]]:
        """Write the tables, if there is anything to write."""
        rows = store.rows()
        played = (cell for number, cell in enumerate(store.config.cells) if len(rows.part(number)))
        return super().write(store, other) if any(map(self.holds, played)) else ([], {})


_COLUMNS = (
    Column("score", "Payoff|per round", bits),
    Column("cooperation_rate", "Cooperation|%", percent),
    Column("betrayal_rate", "Betrayal|%", percent),
    Column("reciprocity", "Reciprocity", bits),
    Column("forgiveness", "Forgiveness|%", percent),
    Column("mean_regret", "Regret|per round", bits),
)
_FEW = tuple(column for column in _COLUMNS if column.key in ("score", "cooperation_rate", "mean_regret"))
_BY_MATCH = (
    "A player that learns who sits opposite loses less to the best reply in later matches. n counts rounds; regret is "
    "known against rule players only."
)


def _rows(episodes: Sequence[Episode]) -> Iterator[dict[str, Any]]:
    for group, part in group_by(episodes, lambda one: one.group).items():
        yield row(group, **_known((one.case, sum(one.tallies, Tally())) for one in part))


def _by_match(episodes: Sequence[Episode]) -> Iterator[dict[str, Any]]:
    """A row for each player, condition and match, where episodes have several."""
    for group, part in group_by(episodes, lambda one: one.group).items():
        most = max(len(one.tallies) for one in part)
        for number in range(most if most > 1 else 0):
            counted = [(one.case, one.tallies[number]) for one in part if number < len(one.tallies)]
            yield row(group, match=str(number + 1), **_known(counted))


def _known(counted: Iterable[tuple[str, Tally]]) -> dict[str, Estimate]:
    """Estimate every metric; one that has nothing to count has no n, either."""
    return {name: NOTHING if one.value is None else one for name, one in estimate(counted).items()}


def _intervals(name: str, title: str, metric: str, parts: Sequence[tuple[str, Mapping[str, Any]]]) -> Iterator[Chart]:
    """Under each heading a row for each player and condition."""
    several = len({row["condition"] for _, row in parts}) > 1
    groups: dict[str, list[Row]] = {}
    for heading, one in parts:
        if one[metric]["value"] is not None:
            label = f"{one['player']}, {one['condition']}" if several else str(one["player"])
            groups.setdefault(heading, []).append(Row(label, label, one[metric]))
    shown = [shown for rows in groups.values() for shown in rows]
    ends = [shown.numbers[end] for shown in shown for end in ("value", "low", "high")]
    known = [end for end in ends if end is not None]
    table = [
        (heading, one.label, *(one.numbers[part] for part in charts.NUMBERS))
        for heading, rows in groups.items()
        for one in rows
    ]
    yield from charts.intervals(
        charts.looks([one.player for one in shown]),
        name,
        title,
        f"{title}; 95 % intervals, clustered by episode.",
        groups,
        (("part", "player", *charts.NUMBERS), *table),
        (min([0.0, *(end - 0.05 for end in known if end < 0)]), max([0.0, *known]) + 0.05),
        decimals,
    )
