"""What runs of hold'em say: winnings without luck, players on the same deals, and whether they learn their opponents.

An episode is a match of several hands. The same seed deals the same cards whoever plays, in whichever seat, with memory
or without: seats are pooled (duplicate play), and players are compared deal by deal. The deals of a match are the unit
of sampling of every interval.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from interactive_envs.holdem import replayer, statistics
from interactive_envs.holdem.statistics import PlayStatistics
from interactive_envs.holdem.view import STREETS, HandResult
from interactive_envs.reporting import charts
from interactive_envs.reporting.charts import Chart, Row
from interactive_envs.reporting.estimates import NOTHING, Estimate, Floats, mean, proportion
from interactive_envs.reporting.match_charts import signed
from interactive_envs.reporting.page import file_name
from interactive_envs.reporting.records import EpisodeRow, RunConfig
from interactive_envs.reporting.run_tables import ArgumentTables
from interactive_envs.reporting.store import RunStore
from interactive_envs.reporting.tables import (
    LABELS,
    Column,
    Group,
    Table,
    decimal,
    fill_arguments,
    group_by,
    percent,
    plain,
    row,
)

FOLDS = 10
"""Parts of the deals; the coefficients of the controls for each come from the others."""
EXPECTED, SPREAD = np.array([0.0, *[1.0] * 3, *[0.0] * 3]), np.array([100.0, *[0.5] * 3, *[5.0] * 3])
"""What the coefficients of a hand's controls are before any hand is seen, and how far they may lie from that: a prior,
which keeps a player who rarely sees a flop from wild coefficients."""
ENOUGH = 10
"""Deals from which the widths of two intervals are worth comparing."""
PARTS = 5
"""Parts of a match that are shown one by one."""


@dataclass(frozen=True)
class Hand:
    """What the tables need of a hand, money in big blinds.

    Attributes:
        number: which hand of its match, from 0.
        won: chips won.
        adjusted: the same with all-in boards at their expectation.
        controls: luck with expectation zero: the share of the pot that the hole cards gave; what flop, turn and river
            gave of the pot as it was; and the same three times the room that the pot had to grow, 0 to 1.
        counts: how the player played.
    """

    number: int
    won: float
    adjusted: float
    controls: tuple[float, ...]
    counts: PlayStatistics


@dataclass(frozen=True)
class Episode:
    """What the tables need of an episode.

    Attributes:
        group: the player, and under which condition it played.
        memory: whether it remembered earlier hands.
        deal: the match's cards; episodes with the same were dealt the same.
        seat: which seat it had.
        hands: in order.
    """

    group: Group
    memory: bool
    deal: int
    seat: int
    hands: tuple[Hand, ...]


class HoldemTables(ArgumentTables[Episode]):
    """The tables of hold'em, ``holdem.json`` and ``holdem.html``."""

    family = "holdem"
    name, subject = "holdem", "hands of hold'em"
    title, one = "Hold'em", "hold'em"
    clusters = "the deals of a match"
    prefix = "holdem/"
    # Seats are pooled, memory is compared.
    unnamed = ("seat", "memory", "render_mode", "view")

    def is_suite(self, config: RunConfig) -> bool:
        """Whether a run plays hold'em only: winnings without luck say more than a line per cell."""
        return all(map(self.holds, config.cells))

    def tables(self, episodes: Sequence[Episode], others: Sequence[Episode] = ()) -> list[Table]:
        """Make the tables: winnings, manner of play, player against player, and what was learnt within a match."""
        reduced = _reduce(episodes)
        seats, pairs = (*LABELS, "seats"), (*LABELS, "against")
        made = [
            Table("winnings", "Winnings", _WINNINGS, seats, _MONEY, tuple(_winnings(episodes, reduced))),
            Table("pairs", "On the same deals", _PAIRS, pairs, _GAP, tuple(_pairs(episodes, reduced))),
            Table("learning", "Within a match", _LEARNING, (*LABELS, "hands"), _PART, tuple(_parts(episodes, reduced))),
            Table("play", "How they played", _PLAY, LABELS, _RATES, tuple(_rates(episodes))),
            Table(
                "others",
                "The other run",
                _WINNINGS,
                (*LABELS, "seats"),
                _MONEY,
                tuple(_winnings(others, _reduce(others))),
            ),
        ]
        return [table for table in made if table.rows]

    def draw(self, tables: Sequence[Table], curves: Sequence[Mapping[str, Any]]) -> list[Chart]:
        """Draw winnings, and those of the parts of a match.

        Raises:
            MissingExtraError: matplotlib is not installed.
        """
        rows = {table.name: table.rows for table in tables}
        with charts.style():
            return [
                *_chart("holdem_winnings", "Big blinds per hand, luck reduced", rows.get("winnings", ())),
                *_chart("holdem_learning", "Big blinds per hand, by part of the match", rows.get("learning", ())),
            ]

    def episodes(self, store: RunStore, names: Sequence[str]) -> Iterator[Episode]:
        """Read the episodes of a run."""
        for one in store.rows():
            cell = store.config.cells[one.cell]
            if self.holds(cell):
                arguments, record = fill_arguments(cell), store.episode(one).game or {}
                condition = ", ".join(f"{name}={plain(arguments.get(name))}" for name in names)
                hands = tuple(_hands(record, int(arguments["big_blind"])))
                memory, deal = bool(arguments["memory"]), one.case_index + 1_000_000 * one.epoch
                yield Episode((cell.player, condition), memory, deal, record["seat"], hands)


class HoldemPage(HoldemTables):
    """The same tables, beside the report of every run that has episodes of hold'em, and pages that replay its hands."""

    def write(self, store: RunStore, other: RunStore | None = None) -> tuple[list[Table], dict[str, Any]]:
        """Write the tables and the pages, if there is anything to write."""
        rows = [row for row in store.rows() if self.holds(store.config.cells[row.cell])]
        replayer.write_pages(store, rows)
        return super().write(store, other) if rows else ([], {})

    def episode_page(self, row: EpisodeRow) -> tuple[str, str]:
        """Return what links call the page of an episode's hands, and its file."""
        return "Replay the hands", f"{replayer.FOLDER}/{file_name(row)}"


_WINNINGS = (
    "Big blinds per hand; n counts hands. Plain: what was won. All-in adjusted: cards that came after all chips were "
    "in count with their expectation. Luck reduced: less what the cards of each street gave, whose expectation is zero "
    "whoever plays. Plain play needs: how many times as many hands plain winnings need for the same interval. Seats "
    "that were dealt the same cards are pooled."
)
_PAIRS = (
    "How many big blinds per hand the player wins more than the other, who was dealt the same cards in the same seats "
    "against the same opponents. Without memory: the same player when every hand stood alone."
)
_LEARNING = (
    "Big blinds per hand, luck reduced. A player that learns how its opponents play wins more in later hands than "
    "without memory; each part has cards of its own, so compare players within a part."
)
_PLAY = (
    "VPIP: hands entered before the flop by choice; fold rate: hands folded; PFR: hands raised before the flop; all as "
    "shares of the hands dealt. Showdowns: as a share of the flops seen."
)
_MONEY = (
    Column("plain", "Plain", signed),
    Column("adjusted", "All-in|adjusted", signed),
    Column("reduced", "Luck|reduced", signed),
    Column("ratio", "Plain play|needs", decimal),
)
_GAP = (Column("plain", "Plain", signed), Column("reduced", "Luck|reduced", signed))
_PART = (Column("reduced", "Big blinds|per hand", signed),)
_COUNTS = {
    "vpip": ("entered", "hands"),
    "fold_rate": ("folded", "hands"),
    "pfr": ("raised", "hands"),
    "showdown_rate": ("showdowns", "flops"),
}
_RATES = (
    Column("vpip", "VPIP|%", percent),
    Column("fold_rate", "Fold rate|%", percent),
    Column("pfr", "PFR|%", percent),
    Column("showdown_rate", "Showdowns|%", percent),
)

Reduced = Mapping[int, Floats]
"""Winnings without luck of the hands of an episode, by its ``id``."""


def _hands(record: Mapping[str, Any], big_blind: int) -> Iterator[Hand]:
    seat = record["seat"]
    for played, luck in zip(record["game"]["hands"], record["luck"], strict=True):
        share, *streets = luck["controls"][seat]
        result, _ = statistics.read_hand(played)
        given = [chips / big_blind for chips in streets]
        room = [chips * part for chips, part in zip(given, _room(played["stacks"], result), strict=True)]
        yield Hand(
            played["number"],
            played["net"][seat] / big_blind,
            luck["adjusted"][seat] / big_blind,
            (share, *given, *room),
            statistics.hand_statistics(result, big_blind)[seat],
        )


def _room(stacks: Sequence[int], hand: HandResult) -> Iterator[float]:
    """How far the pot was from twice the second largest stack when flop, turn and river came, as a share of that.

    It is settled before the cards fall, so their luck times it has expectation zero, too.
    """
    most = 2 * sorted(stacks)[-2]
    for street in range(1, len(STREETS)):
        before = tuple(action for action in hand.actions if STREETS.index(action.street) < street)
        pot = sum(statistics.contributions(dataclasses.replace(hand, actions=before)))
        yield max(0.0, 1 - pot / most)


def _by_player(episodes: Sequence[Episode]) -> dict[tuple[Group, bool], list[Episode]]:
    return group_by(episodes, lambda one: (one.group, one.memory))


def _named(group: Group, memory: bool) -> Group:
    """The group, with what sets those without memory apart."""
    return group if memory else (group[0], ", ".join(filter(None, (group[1], "without memory"))))


def _clusters(episodes: Sequence[Episode]) -> list[int]:
    """The deals of every hand."""
    order = {deal: place for place, deal in enumerate(sorted({one.deal for one in episodes}))}
    return [order[one.deal] for one in episodes for _ in one.hands]


def _reduce(episodes: Sequence[Episode]) -> Reduced:
    """Winnings less what the controls explain, with coefficients from other deals of the same player.

    So the coefficient does not depend on the luck that it multiplies, and the mean stays unbiased. The coefficients
    are a ridge regression's: with variance v of the winnings, (X'X + v/SPREAD²) b = X'y + v/SPREAD² EXPECTED.
    """
    found: dict[int, Floats] = {}
    for part in _by_player(episodes).values():
        hands = [hand for one in part for hand in one.hands]
        values, controls = np.array([hand.adjusted for hand in hands]), np.array([hand.controls for hand in hands])
        deal, reduced = np.array(_clusters(part)), np.array([hand.adjusted for hand in hands])
        for fold in range(min(FOLDS, int(deal.max()) + 1)):
            here = deal % FOLDS == fold
            reduced[here] -= controls[here] @ _coefficients(values[~here], controls[~here])
        ends = np.cumsum([len(one.hands) for one in part])[:-1]
        found |= {id(one): mine for one, mine in zip(part, np.split(reduced, ends), strict=True)}
    return found


def _coefficients(values: Floats, controls: Floats) -> Floats:
    if not values.any():
        return EXPECTED
    weights = values.var() / SPREAD**2
    centred = values - values.mean()
    return np.asarray(
        np.linalg.solve(controls.T @ controls + np.diag(weights), controls.T @ centred + weights * EXPECTED), float
    )


def _winnings(episodes: Sequence[Episode], reduced: Reduced) -> Iterator[dict[str, Any]]:
    for (group, memory), part in _by_player(episodes).items():
        clusters, hands = _clusters(part), [hand for one in part for hand in one.hands]
        plainly = mean([hand.won for hand in hands], clusters)
        without = mean(np.concatenate([reduced[id(one)] for one in part]), clusters)
        yield row(
            _named(group, memory),
            seats=str(len({one.seat for one in part})),
            plain=plainly,
            adjusted=mean([hand.adjusted for hand in hands], clusters),
            reduced=without,
            ratio=_ratio(plainly, without) if len(set(clusters)) >= ENOUGH else NOTHING,
        )


def _ratio(plainly: Estimate, without: Estimate) -> Estimate:
    """The squared ratio of the widths of two intervals."""
    if plainly.low is None or plainly.high is None or without.low is None or without.high is None:
        return NOTHING
    return Estimate(((plainly.high - plainly.low) / (without.high - without.low)) ** 2, None, None, plainly.n)


def _pairs(episodes: Sequence[Episode], reduced: Reduced) -> Iterator[dict[str, Any]]:
    """Every two players under the same condition, and every player with memory and without."""
    played = _by_player(episodes)
    for (group, memory), part in played.items():
        for (other, remembers), opposite in played.items():
            same = group[1] == other[1] and memory == remembers and group[0] < other[0]
            if same or (group == other and memory and not remembers):
                gaps = _gaps(part, opposite, reduced)
                against = other[0] if same else f"{other[0]} without memory"
                if gaps["plain"].n:
                    yield row(_named(group, memory), against=against, **gaps)


def _gaps(mine: Sequence[Episode], others: Sequence[Episode], reduced: Reduced) -> dict[str, Estimate]:
    """Differences hand by hand over the deals and seats that both played."""
    theirs = {(one.deal, one.seat): one for one in others}
    both = [(one, theirs[one.deal, one.seat]) for one in mine if (one.deal, one.seat) in theirs]
    clusters = _clusters([one for one, _ in both])
    won = [left.won - right.won for one, other in both for left, right in zip(one.hands, other.hands, strict=True)]
    without = [gap for one, other in both for gap in reduced[id(one)] - reduced[id(other)]]
    return {"plain": mean(won, clusters), "reduced": mean(without, clusters)}


def _parts(episodes: Sequence[Episode], reduced: Reduced) -> Iterator[dict[str, Any]]:
    """Winnings by part of a match, where it has several."""
    for (group, memory), part in _by_player(episodes).items():
        count = min(len(one.hands) for one in part)
        for first in range(0, count - count % PARTS, count // PARTS) if count >= 2 * PARTS else ():
            last = first + count // PARTS
            values = np.concatenate([reduced[id(one)][first:last] for one in part])
            clusters = _clusters([_cut(one, first, last) for one in part])
            yield row(_named(group, memory), hands=f"{first + 1} to {last}", reduced=mean(values, clusters))


def _cut(one: Episode, first: int, last: int) -> Episode:
    return Episode(one.group, one.memory, one.deal, one.seat, one.hands[first:last])


def _rates(episodes: Sequence[Episode]) -> Iterator[dict[str, Any]]:
    for (group, memory), part in _by_player(episodes).items():
        counts, clusters = [hand.counts for one in part for hand in one.hands], _clusters(part)
        rates = {
            rate: proportion([getattr(one, hits) for one in counts], clusters, [getattr(one, of) for one in counts])
            for rate, (hits, of) in _COUNTS.items()
        }
        yield row(_named(group, memory), **rates)


def _chart(name: str, title: str, rows: Sequence[Mapping[str, Any]]) -> Iterator[Chart]:
    """Under each part of a match and condition a row for each player."""
    parts = list(dict.fromkeys(one.get("hands", "") for one in rows))
    groups: dict[str, list[Row]] = {}
    for one in sorted(rows, key=lambda one: parts.index(one.get("hands", ""))):
        heading = ", ".join(filter(None, (f"hands {one['hands']}" if "hands" in one else "", one["condition"])))
        groups.setdefault(heading, []).append(Row(str(one["player"]), str(one["player"]), one["reduced"]))
    shown = [one for group in groups.values() for one in group]
    ends = [one.numbers[end] for one in shown for end in ("value", "low", "high") if one.numbers[end] is not None]
    table = [
        (heading, one.label, *(one.numbers[part] for part in charts.NUMBERS))
        for heading, group in groups.items()
        for one in group
    ]
    margin = 0.05 * (max([0.0, *ends]) - min([0.0, *ends])) or 1.0
    yield from charts.intervals(
        charts.looks([one.player for one in shown]),
        name,
        title,
        f"{title}; 95 % intervals over the deals of matches.",
        groups,
        (("condition", "player", *charts.NUMBERS), *table),
        (min([0.0, *ends]) - margin, max([0.0, *ends]) + margin),
        signed,
    )
