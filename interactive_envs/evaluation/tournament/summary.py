"""What a tournament's matches say: scores, ratings, who beats whom, and what separates every two players.

The *cluster* of matches that share luck (a deck, a horizon) is the unit of sampling of every interval.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from interactive_envs import catalog
from interactive_envs.holdem.statistics import PlayStatistics, hand_statistics, read_hand
from interactive_envs.multiplayer.match import TIME_LIMIT
from interactive_envs.reporting import ratings, variance
from interactive_envs.reporting.estimates import Estimate, mean, proportion, rounded
from interactive_envs.reporting.ratings import Rating, Result
from interactive_envs.trust_game.metrics import Tally, tally

if TYPE_CHECKING:
    from interactive_envs.evaluation.tournament.play import Tournament

SCHEMA = 1
RATED = 1000
"""Matches that are rated at most: of more, those of a table that follow one another count as one."""
BOOTSTRAP = 1000
RATIO_SAMPLES = 300
"""Bootstrap samples of a variance ratio; there is one a pair and estimator."""
POWER, ALPHA = 0.8, 0.05
"""Of the test for which the hands needed are told."""
_TRUST = ("score", "cooperation_rate", "betrayal_rate", "reciprocity", "forgiveness")


@dataclass(frozen=True, slots=True)
class Text:
    """What summaries need of a text: the call's tokens are (prompt, completion, reasoning)."""

    seat: int
    kind: str
    reason: str | None
    seconds: float
    tokens: tuple[int, int, int]
    cost: float | None


@dataclass(frozen=True, slots=True)
class Row:
    """What summaries need of a match; see :func:`interactive_envs.evaluation.tournament.play.play_match`.

    Attributes:
        game: of a hold'em hand its counts a seat, of a trust match its tally a seat, else nothing.
        luck: as the record has it.
        horizon: of a trust match, None elsewhere.
    """

    match: str
    deal: str
    cluster: str
    setting: int
    table: str
    players: tuple[str, ...]
    scores: tuple[float, ...]
    outcomes: tuple[str, ...]
    button: int | None
    texts: tuple[Text, ...]
    game: tuple[Any, ...]
    luck: Mapping[str, Any] | None
    horizon: int | None
    seconds: float

    @property
    def rated(self) -> bool:
        """Whether it says who is better: nobody met himself."""
        return len(set(self.players)) == len(self.players)


def rows(tournament: Tournament, records: Iterable[Mapping[str, Any]]) -> list[Row]:
    """The matches sorted by id, each once."""
    found: dict[str, Row] = {}
    for record in records:
        if record["match"] not in found:
            found[record["match"]] = read(tournament, record)
    return [found[match] for match in sorted(found)]


def read(tournament: Tournament, record: Mapping[str, Any]) -> Row:
    """The row of a match."""
    family, game = catalog.entry(tournament.id)["family"], tuple[Any, ...]()
    if family == "holdem":
        hand, _ = read_hand(record["game"]["hands"][0])
        game = hand_statistics(hand, _big_blind(tournament, record["setting"]))
    elif family == "trust":
        game = tuple(tally(record["game"], seat) for seat in range(2))
    return Row(
        record["match"],
        record["deal"],
        record["cluster"],
        record["setting"],
        record["table"],
        tuple(record["players"]),
        tuple(record["scores"]),
        tuple(record["outcomes"]),
        record["options"].get("button"),
        tuple(map(_text, record["texts"])),
        game,
        record.get("luck"),
        record["game"].get("horizon"),
        record["seconds"],
    )


def _text(said: Mapping[str, Any]) -> Text:
    calls = said.get("calls", ())
    tokens = tuple(sum(call["usage"][kind] for call in calls) for kind in ("prompt", "completion", "reasoning"))
    costs = [call["cost"] for call in calls]
    return Text(
        said["seat"],
        said["kind"],
        said["reason"],
        said["seconds"],
        (tokens[0], tokens[1], tokens[2]),
        None if None in costs else sum(costs),
    )


def _big_blind(tournament: Tournament, setting: int) -> int:
    return int(tournament.games[setting].big_blind)  # type: ignore[attr-defined]


def summarise(tournament: Tournament, played: Sequence[Row], planned: int) -> dict[str, Any]:
    """The content of ``summary.json``: nothing that depends on the clock, on money or on the order of play.

    Args:
        tournament: what was played.
        played: its rows, sorted.
        planned: matches in the whole plan.
    """
    settings = range(len(tournament.settings))
    return {
        "schema": SCHEMA,
        "id": tournament.id,
        "format": tournament.format,
        "n_planned": planned,
        "n_valid": len(played),
        "n_missing": planned - len(played),
        "settings": [
            _setting(tournament, index, [row for row in played if row.setting == index]) for index in settings
        ],
    }


def _setting(tournament: Tournament, index: int, played: Sequence[Row]) -> dict[str, Any]:
    family = catalog.entry(tournament.id)["family"]
    rated = [row for row in played if row.rated]
    # A hand of poker alone says little of who is better, and most end with equal scores.
    matches = _deals(rated) if family == "holdem" else [Result(row.cluster, row.players, row.scores) for row in rated]
    results = [Result(row.cluster, row.players, row.scores) for row in rated]
    names = [player.name for player in tournament.players if any(player.name in row.players for row in played)]
    known: dict[str, dict[str, Any]] = {}
    if family == "holdem":
        known = _poker_statistics(names, played)
    if family == "trust":
        known = _trust_statistics(names, played)
    found: dict[str, Any] = {
        "setting": index,
        "point": {name: tournament.settings[index][name] for name in tournament.sweep},
        "n_valid": len(played),
        "clusters": len({row.cluster for row in played}),
        "rated_matches": len(matches),
        "players": [{**_player(name, played), "statistics": known.get(name, {})} for name in names],
        "ratings": {
            name: [rating.as_json() for rating in rate(matches)] if matches else [] for name, rate in _RATINGS.items()
        },
        "cross_table": [
            {"left": left, "right": right, **estimate.as_json()}
            for (left, right), estimate in (ratings.cross_table(results).items() if results else ())
        ],
        "differences": [difference.as_json() for difference in (ratings.differences(results) if results else ())],
    }
    if family == "holdem":
        found |= _winnings(names, played, _big_blind(tournament, index))
    if family == "trust":
        found |= _horizons(tournament, index, played)
    return found


_RATINGS: Mapping[str, Callable[[Sequence[Result]], list[Rating]]] = {
    "bradley_terry": ratings.bradley_terry,
    "elo": ratings.elo,
    "openskill": ratings.open_skill,
}


def _deals(played: Sequence[Row]) -> list[Result]:
    """Replays of a deal as one match, as a board in bridge; very many deals of a table are added up in blocks."""
    deals: dict[tuple[str, frozenset[str]], dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in played:
        deals[row.table, frozenset(row.players)][row.deal].append(row)
    size = math.ceil(sum(map(len, deals.values())) / RATED)
    found = []
    for (_, names), by_deal in deals.items():
        order, players = sorted(by_deal), tuple(sorted(names))
        for block in (order[start : start + size] for start in range(0, len(order), size)):
            rows_of = [row for deal in block for row in by_deal[deal]]
            won = [math.fsum(row.scores[row.players.index(name)] for row in rows_of) for name in players]
            found.append(Result(rows_of[0].cluster, players, tuple(won)))
    return found


def _player(name: str, played: Sequence[Row]) -> dict[str, Any]:
    """What is told of a player in any game."""
    seated = _seated(name, played)
    texts = [[text for text in row.texts if text.seat == seat] for row, seat in seated]
    flat = [text for said in texts for text in said]
    late = sum(text.reason == TIME_LIMIT.reason for text in flat)
    unread = [sum(text.kind != "move" and text.reason != TIME_LIMIT.reason for text in said) for said in texts]
    return {
        "player": name,
        "matches": len(seated),
        "score": mean([row.scores[seat] for row, seat in seated], _clusters(seated)).as_json(),
        "outcomes": dict(sorted(Counter(row.outcomes[seat] for row, seat in seated).items())),
        "texts": len(flat),
        "unreadable": proportion(unread, _clusters(seated), of=[len(said) for said in texts]).as_json(),
        "format_errors": sum(unread),
        "time_outs": late,
        "punished": sum(text.kind == "punished" for text in flat),
        "tokens": {
            kind: sum(text.tokens[place] for text in flat)
            for place, kind in enumerate(("prompt", "completion", "reasoning"))
        },
    }


def _seated(name: str, played: Sequence[Row]) -> list[tuple[Row, int]]:
    """The matches of a player with its seat, both seats where it met itself."""
    return [(row, seat) for row in played for seat, player in enumerate(row.players) if player == name]


def _clusters(seated: Sequence[tuple[Row, int]]) -> list[int]:
    known: dict[str, int] = {}
    return [known.setdefault(row.cluster, len(known)) for row, _ in seated]


# Hold'em


def _poker_statistics(names: Sequence[str], played: Sequence[Row]) -> dict[str, dict[str, Any]]:
    """Rates with intervals, and means and standard deviations over tables as in the papers (v1, section 3.2.3)."""
    counted = {name: [row.game[seat] for row, seat in _seated(name, played)] for name in names}
    total = {name: _added(hands) for name, hands in counted.items()}
    gains = {name: max(0.0, one.chips) for name, one in total.items()}
    found = {}
    for name, hands in counted.items():
        clusters, others = _clusters(_seated(name, played)), sum(gains.values()) - gains[name]
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
            "tables": _by_table(name, played),
        }
    return found


_RATES = {
    "vpip": ("entered", "hands"),
    "fold_rate": ("folded", "hands"),
    "pfr": ("raised", "hands"),
    "showdown_rate": ("showdowns", "flops"),
}
"""Counts of :class:`PlayStatistics`, and of what they are a share."""


def _by_table(name: str, played: Sequence[Row]) -> dict[str, Any]:
    hands: dict[str, list[PlayStatistics]] = defaultdict(list)
    for row, seat in _seated(name, played):
        hands[row.table].append(row.game[seat])
    counted = [_added(one) for one in hands.values()]
    told: dict[str, Any] = {"n": len(counted)}
    for rate in ("winnings", "vpip", "fold_rate"):
        values = [getattr(one, rate) for one in counted]
        deviation = float(np.std(values, ddof=1)) if len(values) > 1 else None
        told[rate] = {"mean": rounded(float(np.mean(values))), "sd": rounded(deviation)}
    return told


def _added(hands: Sequence[PlayStatistics]) -> PlayStatistics:
    """The sum of many, without the hundred thousand sums before it."""
    return PlayStatistics(*(sum(getattr(hand, count.name) for hand in hands) for count in fields(PlayStatistics)))


def _winnings(names: Sequence[str], played: Sequence[Row], big_blind: int) -> dict[str, Any]:
    """Every estimator's winnings side by side, of players and of pairs."""
    hands = [_hand(row, big_blind) for row in played if row.rated]
    pairs = variance.of_pairs(hands, samples=RATIO_SAMPLES)
    told = [_pair(left, right, reductions) for (left, right), reductions in pairs.reductions.items()]
    corrected = iter(ratings.holm([pair["p"] for pair in told if pair["p"] is not None]))
    ratios: dict[str, list[float]] = defaultdict(list)
    for pair in told:
        pair["p_holm"] = None if pair["p"] is None else float(f"{next(corrected):.4g}")
        pair["p"] = None if pair["p"] is None else float(f"{pair['p']:.4g}")
        for one in pair["reductions"]:
            if one["ratio"] is not None:
                ratios[one["method"]].append(one["ratio"]["value"])
    return {
        "methods": list(dict.fromkeys(one["method"] for pair in told for one in pair["reductions"])),
        "winnings": [
            {
                "player": name,
                "reductions": [one.as_json() for one in variance.of_player(hands, name, samples=RATIO_SAMPLES)],
            }
            for name in names
            if any(name in hand.players for hand in hands)
        ],
        "pairs": told,
        "without_variance": [
            {"left": left, "right": right, "methods": list(methods)}
            for (left, right), methods in pairs.without_variance.items()
        ],
        "variance_ratios": [
            {"method": method, "pairs": len(found), "median": rounded(float(np.median(found))), "lowest": min(found)}
            for method, found in ratios.items()
        ],
    }


def _hand(row: Row, big_blind: int) -> variance.Hand:
    """The hand with its seats counted from the button's: a place is then worth the same in every hand."""
    count, first = len(row.players), 1 + (row.button or 0)
    order, luck = [(first + place) % count for place in range(count)], row.luck
    return variance.Hand(
        row.cluster,
        tuple(row.players[seat] for seat in order),
        tuple(row.scores[seat] for seat in order),
        None if luck is None else tuple(luck["adjusted"][seat] / big_blind for seat in order),
        None if luck is None else tuple(tuple(luck["controls"][seat]) for seat in order),
    )


def _pair(left: str, right: str, reductions: Sequence[variance.Reduction]) -> dict[str, Any]:
    """The estimators of a difference, and the hands each needs to find it if the last of them is right."""
    best = reductions[-1]
    difference, told = best.estimate.value, []
    for one in reductions:
        needed = None
        if one.variance and difference:
            needed = variance.hands_needed(difference, one.variance, power=POWER, alpha=ALPHA)
        told.append(one.as_json() | {"hands_needed": needed})
    return {"left": left, "right": right, "p": best.p, "reductions": told}


# Trust


def _horizons(tournament: Tournament, index: int, played: Sequence[Row]) -> dict[str, Any]:
    """How long matches can be expected to last, and how long they lasted; a forfeited one was cut short."""
    delta, longest = (getattr(tournament.games[index], name) for name in ("delta", "max_rounds"))
    horizons = {row.deal: row.horizon for row in played}
    return {
        "delta": delta,
        "expected_rounds": rounded(1 / (1 - delta)),
        "expected_rounds_cut": rounded((1 - delta**longest) / (1 - delta)),
        "horizons": dict(sorted(horizons.items())),
    }


def _trust_statistics(names: Sequence[str], played: Sequence[Row]) -> dict[str, dict[str, Any]]:
    """The paper's metrics over all matches; intervals of a bootstrap over clusters."""
    found: dict[str, dict[str, Any]] = {}
    for name in names:
        tallies: dict[str, Tally] = defaultdict(Tally)
        for row, seat in _seated(name, played):
            tallies[row.cluster] += row.game[seat]
        total = sum(tallies.values(), Tally())
        counts = np.array([astuple(tallies[cluster]) for cluster in sorted(tallies)], float)
        drawn = [
            Tally(*sample)
            for weights in ratings.cluster_weights(len(counts), BOOTSTRAP, 0)
            for sample in (weights @ counts).tolist()
        ]
        found[name] = {"rounds": total.rounds}
        for metric in _TRUST:
            values = [value for one in drawn if (value := getattr(one, metric)) is not None]
            low, high = map(float, ratings.percentiles(values)) if values else (None, None)
            found[name][metric] = Estimate(getattr(total, metric), low, high, total.rounds).as_json()
    return found


# Times, and the terminal


def timing(tournament: Tournament, played: Sequence[Row]) -> dict[str, Any]:
    """The content of ``timing.json``: seconds and US dollars; one unknown price makes a total unknown."""
    costs = [text.cost for row in played for text in row.texts]
    settings = []
    for index in range(len(tournament.settings)):
        mine = [row for row in played if row.setting == index]
        players = [_times(player.name, mine) for player in tournament.players if _seated(player.name, mine)]
        settings.append({"setting": index, "players": players})
    return {
        "schema": SCHEMA,
        "total_seconds": rounded(sum(row.seconds for row in played)),
        "cost": _total(costs),
        "settings": settings,
    }


def _times(name: str, played: Sequence[Row]) -> dict[str, Any]:
    tables: dict[str, list[float]] = defaultdict(list)
    costs, seconds, clusters = [], [], []
    seated = _seated(name, played)
    for (row, seat), cluster in zip(seated, _clusters(seated), strict=True):
        for text in row.texts:
            if text.seat == seat:
                tables[row.table].append(text.seconds)
                seconds.append(text.seconds)
                clusters.append(cluster)
                costs.append(text.cost)
    means = [float(np.mean(values)) for values in tables.values()]
    return {
        "player": name,
        "seconds": mean(seconds, clusters, 0.0).as_json(),
        "median_seconds": rounded(float(np.median(seconds))) if seconds else None,
        "longest_seconds": rounded(max(seconds, default=None)),
        "tables": {
            "n": len(means),
            "mean": rounded(float(np.mean(means))) if means else None,
            "sd": rounded(float(np.std(means, ddof=1))) if len(means) > 1 else None,
        },
        "cost": _total(costs),
    }


def _total(costs: Sequence[float | None]) -> float | None:
    known = [cost for cost in costs if cost is not None]
    return rounded(math.fsum(known)) if len(known) == len(costs) else None


def table(summary: Mapping[str, Any]) -> str:
    """A few lines for the terminal: a player each, best first, for every setting."""
    lines = []
    for setting in summary["settings"]:
        players = sorted(setting["players"], key=_place)
        width = max([6, *(len(player["player"]) for player in players)])
        columns = [name for name in _SHOWN if any(name in player["statistics"] for player in players)]
        if setting["point"]:
            lines.append(", ".join(f"{name} = {value}" for name, value in setting["point"].items()))
        head = "".join(f"  {_SHOWN[name]:>10}" for name in columns)
        lines.append(f"{'player':<{width}}  {'score':>9}  {'95 % interval':<20}  {'n':>6}{head}")
        for player in players:
            score, name = _score(player), player["player"]
            between = "-" if score["low"] is None else f"{score['low']:.3f} to {score['high']:.3f}"
            told = "".join(f"  {_written(player['statistics'].get(column)):>10}" for column in columns)
            numbers = f"{_written(score):>9}  {between:<20}  {score['n']:>6}"
            lines.append(f"{name:<{width}}  {numbers}{told}")
        lines += [
            f"{ratio['method']}: plain play needs {ratio['median']:.1f} times as many hands, in the median of "
            f"{ratio['pairs']} pairs"
            for ratio in setting.get("variance_ratios", ())
        ]
        lines.append("")
    return "\n".join(lines).rstrip()


_SHOWN = {
    "bb_per_100": "bb/100",
    "vpip": "VPIP",
    "fold_rate": "folds",
    "cooperation_rate": "cooperates",
    "betrayal_rate": "betrays",
}
"""Statistics that the terminal shows."""


def _score(player: Mapping[str, Any]) -> dict[str, Any]:
    """What players are compared by: the payoff a round where matches differ in length, else the score a match."""
    return dict(player["statistics"].get("score", player["score"]))


def _place(player: Mapping[str, Any]) -> tuple[bool, float, str]:
    """Best first; who has no score, as all matches were broken off, comes last."""
    value = _score(player)["value"]
    return value is None, -(value or 0.0), player["player"]


def _written(value: Any) -> str:
    number = value["value"] if isinstance(value, Mapping) else value
    return "-" if number is None else f"{number:.3f}"
