"""What tournaments say of hold'em: winnings without luck, statistics of play, and a page that replays hands."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from interactive_envs.errors import ConfigError
from interactive_envs.holdem.luck import luck_of
from interactive_envs.holdem.replayer import replayed, replayer_content
from interactive_envs.holdem.statistics import PlayStatistics, hand_statistics, read_hand
from interactive_envs.multiplayer.game import Game
from interactive_envs.reporting import ratings, variance
from interactive_envs.reporting.charts import Chart, percent
from interactive_envs.reporting.estimates import NOTHING, mean, proportion, rounded
from interactive_envs.reporting.match_charts import (
    Axis,
    League,
    Row,
    draw_cumulative,
    draw_estimates,
    draw_sweep,
    heading,
    signed,
    tick,
)
from interactive_envs.reporting.matches import (
    MatchRecord,
    MatchReport,
    MatchRow,
    clusters_of,
    seats_of,
)
from interactive_envs.reporting.ratings import Result

RATED = 1000
"""Matches that are rated at most: of more, those of a table that follow one another count as one."""
RATIO_SAMPLES = 300
"""Bootstrap samples of a variance ratio; there is one a pair and estimator."""
POWER, ALPHA = 0.8, 0.05
"""Of the test for which the page tells the hands needed."""


@dataclass(frozen=True, slots=True)
class HandCounts:
    """What summaries need of a hand.

    Attributes:
        seats: its counts, a seat each.
        button: the button's seat.
        luck: as the record has it.
    """

    seats: tuple[PlayStatistics, ...]
    button: int | None
    luck: Mapping[str, Any] | None


class Matches(MatchReport):
    """Hands of hold'em: a match is one hand."""

    noun, nouns = "hand", "hands"
    score = "Big blinds a hand"
    unit = "Big blinds"
    ranking = (("Big blinds a hand,|luck reduced", "reduced", "gap"), ("Plain", "plain", "gap"))
    columns = (
        ("Chips|a hand", "chips_per_hand", "score"),
        ("Big blinds|in 100 hands", "bb_per_100", "score"),
        ("VPIP", "vpip", "percent"),
        ("Fold rate", "fold_rate", "percent"),
        ("PFR", "pfr", "percent"),
        ("Aggression", "aggression", "ratio"),
        ("Showdowns", "showdown_rate", "percent"),
        ("Paid of the|others' gains", "share_of_gains", "percent"),
    )
    columns_note = (
        "VPIP: hands entered before the flop by choice; fold rate: hands folded; PFR: hands raised before the "
        "flop; all of the hands dealt. Aggression: bets and raises a call. Showdowns: of the flops seen. "
        "Paid of the others' gains: a loser's loss as a share of all that others won."
    )
    terminal: ClassVar[Mapping[str, str]] = {"bb_per_100": "bb/100", "vpip": "VPIP", "fold_rate": "folds"}
    arguments: ClassVar[Mapping[str, Any]] = {"match": 1}
    differences = False  # they stand beside the estimates without luck
    package = __package__
    page = "hands.html.j2"
    extra_tables = "over_tables.html.j2"

    def check(self, arguments: Mapping[str, Any]) -> None:
        """Refuse several hands in a match: a tournament deals each hand anew to players who remember no other."""
        if arguments.get("match", 1) != 1:
            raise ConfigError("a tournament's match is one hand: say hands = N, and leave arguments.match out")

    def luck(self, record: Mapping[str, Any], seed: int) -> dict[str, Any]:
        """Return what of the hand was luck."""
        return luck_of(record, seed)

    def stacks_after(self, record: Mapping[str, Any], game: Game[Any]) -> list[int]:
        """Return the chips a seat after the hand; who has none buys in again."""
        bought, hand = game.stacks, record["hands"][-1]  # type: ignore[attr-defined]
        chips = [had + won for had, won in zip(hand["stacks"], hand["net"], strict=True)]
        return [left or again for left, again in zip(chips, bought, strict=True)]

    def row(self, record: MatchRecord, game: Game[Any]) -> HandCounts:
        """Return a hand's counts."""
        hand, _ = read_hand(record.game["hands"][0])
        return HandCounts(hand_statistics(hand, _big_blind(game)), record.options.get("button"), record.luck)

    def results(self, rows: Sequence[MatchRow]) -> list[Result]:
        """Return deals: a hand of poker alone says little of who is better, and most end with equal scores."""
        return rate_deals(rows)

    def statistics(self, names: Sequence[str], rows: Sequence[MatchRow]) -> dict[str, dict[str, Any]]:
        """Return how each player played."""
        return _play_statistics(names, rows)

    def setting(self, names: Sequence[str], rows: Sequence[MatchRow], game: Game[Any]) -> dict[str, Any]:
        """Return winnings by every estimator."""
        return _winnings(names, rows, _big_blind(game))

    def terminal_lines(self, setting: Mapping[str, Any]) -> Iterator[str]:
        """Yield how many hands plain play needs, and what the unit of intervals is where hands share luck."""
        if "carried_tables" in setting:
            yield f"Chips are carried: the units of intervals are tables ({setting['carried_tables']}), not hands"
        for ratio in setting["variance_ratios"]:
            yield (
                f"{ratio['method']}: plain play needs {ratio['median']:.1f} times as many hands, in the median of "
                f"{ratio['pairs']} pairs"
            )

    def numbers(self, player: Mapping[str, Any], setting: Mapping[str, Any]) -> dict[str, Any]:
        """Return a player's numbers, with its winnings plain and without luck."""
        numbers = super().numbers(player, setting)
        winnings = {one["player"]: one["reductions"] for one in setting["winnings"]}
        # Who only met itself has none.
        estimates = winnings.get(player["player"], [NOTHING.as_json()])
        share = numbers["share_of_gains"] or None
        return numbers | {"share_of_gains": share, "plain": estimates[0], "reduced": estimates[-1]}

    def sections(self, settings: Sequence[Mapping[str, Any]]) -> list[tuple[str, str, str]]:
        """Return the section on luck, where two players met."""
        return [("luck", "Luck", "winnings.html.j2")] if any(setting["pairs"] for setting in settings) else []

    def figures(self, league: League) -> Iterator[Chart]:
        """Yield winnings, winnings over time, and styles of play."""
        groups = league.groups("Big blinds a hand", "reduced", "plain")
        caption = (
            "Winnings with the luck of the cards reduced; hollow: plain winnings of the same hands. n counts hands."
        )
        axis = Axis(signed, lines={"": 0.0}, tick=tick)
        yield from draw_estimates(league, "winnings", "Winnings", caption, groups, axis)
        yield from draw_cumulative(league, self.unit, self.nouns)
        yield from _draw_style(league)

    def sweep(self, league: League, argument: str) -> Iterator[Chart]:
        """Yield winnings against an argument."""
        yield from draw_sweep(league, argument, {"Big blinds a hand": ("reduced", signed)})

    def page_content(self, players: Sequence[str], matches: Sequence[MatchRecord]) -> dict[str, Any]:
        """Return the hands as the replayer wants them."""
        place = {name: index for index, name in enumerate(players)}
        hands = [
            hand
            for match in matches
            for hand in replayed(match.match, [place[name] for name in match.players], match.game["hands"], match.texts)
        ]
        return replayer_content(players, hands)


def _big_blind(game: Game[Any]) -> int:
    return int(game.big_blind)  # type: ignore[attr-defined]


def rate_deals(rows: Sequence[MatchRow]) -> list[Result]:
    """Count replays of a deal as one match, as a board in bridge; very many deals of a table are added up in blocks."""
    deals: dict[tuple[str, frozenset[str]], dict[str, list[MatchRow]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        deals[row.table, frozenset(row.players)][row.deal].append(row)
    size = math.ceil(sum(map(len, deals.values())) / RATED)
    found = []
    for (_, names), by_deal in deals.items():
        order, players = sorted(by_deal), tuple(sorted(names))
        for block in (order[start : start + size] for start in range(0, len(order), size)):
            block_rows = [row for deal in block for row in by_deal[deal]]
            won = [math.fsum(row.scores[row.players.index(name)] for row in block_rows) for name in players]
            found.append(Result(block_rows[0].cluster, players, tuple(won)))
    return found


def _play_statistics(names: Sequence[str], rows: Sequence[MatchRow]) -> dict[str, dict[str, Any]]:
    """Return rates with intervals, and means and deviations over tables as in the papers (v1, section 3.2.3)."""
    counted = {name: [row.counts.seats[seat] for row, seat in seats_of(name, rows)] for name in names}
    total = {name: _add(hands) for name, hands in counted.items()}
    gains = {name: max(0.0, one.chips) for name, one in total.items()}
    found = {}
    for name, hands in counted.items():
        clusters, others = clusters_of(seats_of(name, rows)), sum(gains.values()) - gains[name]
        rates = {
            rate: proportion(
                [getattr(hand, count) for hand in hands], clusters, of=[getattr(hand, of) for hand in hands]
            )
            for rate, (count, of) in _RATES.items()
        }
        share = max(0.0, -total[name].chips) / others if others else None
        found[name] = {
            "hands": len(hands),
            "bb_per_100": mean([100 * hand.big_blinds for hand in hands], clusters).as_json(),
            **{rate: estimate.as_json() for rate, estimate in rates.items()},
            "aggression": rounded(total[name].aggression),
            "chips_per_hand": rounded(total[name].winnings),
            "share_of_gains": rounded(share),
            "tables": _by_table(name, rows),
        }
    return found


_RATES = {
    "vpip": ("entered", "hands"),
    "fold_rate": ("folded", "hands"),
    "pfr": ("raised", "hands"),
    "showdown_rate": ("showdowns", "flops"),
}
"""Counts of :class:`PlayStatistics`, and of what they are a share."""


def _by_table(name: str, rows: Sequence[MatchRow]) -> dict[str, Any]:
    hands: dict[str, list[PlayStatistics]] = defaultdict(list)
    for row, seat in seats_of(name, rows):
        hands[row.table].append(row.counts.seats[seat])
    counted = [_add(one) for one in hands.values()]
    means: dict[str, Any] = {"n": len(counted)}
    for rate in ("winnings", "vpip", "fold_rate"):
        values = [getattr(one, rate) for one in counted]
        deviation = float(np.std(values, ddof=1)) if len(values) > 1 else None
        means[rate] = {"mean": rounded(float(np.mean(values))), "sd": rounded(deviation)}
    return means


def _add(hands: Sequence[PlayStatistics]) -> PlayStatistics:
    """Add up many, without the hundred thousand sums before it."""
    return PlayStatistics(*(sum(getattr(hand, count.name) for hand in hands) for count in fields(PlayStatistics)))


def _winnings(names: Sequence[str], rows: Sequence[MatchRow], big_blind: int) -> dict[str, Any]:
    """Return every estimator's winnings side by side, of players and of pairs."""
    hands = [_hand(row, big_blind) for row in rows if row.rated]
    pairs = variance.of_pairs(hands, samples=RATIO_SAMPLES)
    estimates = [_pair(left, right, reductions) for (left, right), reductions in pairs.reductions.items()]
    corrected = iter(ratings.holm([pair["p"] for pair in estimates if pair["p"] is not None]))
    ratios: dict[str, list[float]] = defaultdict(list)
    for pair in estimates:
        pair["p_holm"] = None if pair["p"] is None else float(f"{next(corrected):.4g}")
        pair["p"] = None if pair["p"] is None else float(f"{pair['p']:.4g}")
        for one in pair["reductions"]:
            if one["ratio"] is not None:
                ratios[one["method"]].append(one["ratio"]["value"])
    shared = {row.table for row in rows if row.rated and row.cluster != row.deal}
    return {
        "methods": list(dict.fromkeys(one["method"] for pair in estimates for one in pair["reductions"])),
        "winnings": [
            {
                "player": name,
                "reductions": [one.as_json() for one in variance.of_player(hands, name, samples=RATIO_SAMPLES)],
            }
            for name in names
            if any(name in hand.players for hand in hands)
        ],
        "pairs": estimates,
        **({"carried_tables": len(shared)} if shared else {}),
        "without_variance": [
            {"left": left, "right": right, "methods": list(methods)}
            for (left, right), methods in pairs.without_variance.items()
        ],
        "variance_ratios": [
            {"method": method, "pairs": len(found), "median": rounded(float(np.median(found))), "lowest": min(found)}
            for method, found in ratios.items()
        ],
    }


def _hand(row: MatchRow, big_blind: int) -> variance.Hand:
    """Return the hand with its seats counted from the button's: a place is then worth the same in every hand."""
    count, first = len(row.players), 1 + (row.counts.button or 0)
    order, luck = [(first + place) % count for place in range(count)], row.counts.luck
    return variance.Hand(
        row.deal,
        tuple(row.players[seat] for seat in order),
        tuple(row.scores[seat] for seat in order),
        None if luck is None else tuple(luck["adjusted"][seat] / big_blind for seat in order),
        None if luck is None else tuple(tuple(luck["controls"][seat]) for seat in order),
        None if row.cluster == row.deal else row.cluster,
    )


def _pair(left: str, right: str, reductions: Sequence[variance.Reduction]) -> dict[str, Any]:
    """Return the estimators of a difference, and the hands each needs to find it if the last of them is right."""
    best = reductions[-1]
    difference, reduced = best.estimate.value, []
    for one in reductions:
        needed = None
        if one.variance and difference:
            needed = variance.hands_needed(difference, one.variance, power=POWER, alpha=ALPHA)
        reduced.append(one.as_json() | {"hands_needed": needed})
    return {"left": left, "right": right, "p": best.p, "reductions": reduced}


def _draw_style(league: League) -> Iterator[Chart]:
    titles = {"vpip": "VPIP", "fold_rate": "Fold rate"}
    groups = {
        heading(setting, title): [Row(player["player"], player["numbers"][rate]) for player in setting["players"]]
        for setting in league.settings
        for rate, title in titles.items()
    }
    caption = "Shares of the hands dealt: entered before the flop by choice (VPIP), and folded. n counts hands."
    axis = Axis(percent, (0.0, 1.0), bars=True)
    yield from draw_estimates(league, "style", "Style of play", caption, groups, axis)
