"""What a tournament's matches say: scores, ratings, who beats whom, and what separates every two players.

The *cluster* of matches that share luck (a deck, a horizon) is the unit of sampling of every interval.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from interactive_envs.evaluation.tournament.plan import Tournament
from interactive_envs.multiplayer.match import TIME_LIMIT
from interactive_envs.reporting import ratings
from interactive_envs.reporting.estimates import mean, proportion, rounded
from interactive_envs.reporting.matches import MatchRecord, MatchRow, clusters_of, report_of, row_of, seats_of
from interactive_envs.reporting.ratings import Rating, Result

SCHEMA = 1


def rows_of(tournament: Tournament, records: Iterable[MatchRecord]) -> list[MatchRow]:
    """Return the matches sorted by id, each once."""
    found: dict[str, MatchRow] = {}
    for record in records:
        if record.match not in found:
            found[record.match] = read_row(tournament, record)
    return [found[match] for match in sorted(found)]


def read_row(tournament: Tournament, record: MatchRecord) -> MatchRow:
    """Return the row of a match."""
    return row_of(record, tournament.report, tournament.games[record.setting])


def summarise(tournament: Tournament, played: Sequence[MatchRow], planned: int) -> dict[str, Any]:
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


def _setting(tournament: Tournament, index: int, played: Sequence[MatchRow]) -> dict[str, Any]:
    report, game = tournament.report, tournament.games[index]
    rated = [row for row in played if row.rated]
    matches = report.results(rated)
    results = [Result(row.cluster, row.players, row.scores) for row in rated]
    names = [player.name for player in tournament.players if any(player.name in row.players for row in played)]
    statistics = report.statistics(names, played)
    return {
        "setting": index,
        "point": {name: tournament.settings[index][name] for name in tournament.sweep},
        "n_valid": len(played),
        "clusters": len({row.cluster for row in played}),
        "rated_matches": len(matches),
        "players": [{**_player(name, played), "statistics": statistics.get(name, {})} for name in names],
        "ratings": {
            name: [rating.as_json() for rating in rate(matches)] if matches else [] for name, rate in _RATINGS.items()
        },
        "cross_table": [
            {"left": left, "right": right, **estimate.as_json()}
            for (left, right), estimate in (ratings.cross_table(results).items() if results else ())
        ],
        "differences": [difference.as_json() for difference in (ratings.differences(results) if results else ())],
        **report.setting(names, played, game),
    }


_RATINGS: Mapping[str, Callable[[Sequence[Result]], list[Rating]]] = {
    "bradley_terry": ratings.bradley_terry,
    "elo": ratings.elo,
    "openskill": ratings.open_skill,
}


def _player(name: str, played: Sequence[MatchRow]) -> dict[str, Any]:
    """Return what the summary says of a player in any game."""
    seated = seats_of(name, played)
    texts = [[text for text in row.texts if text.seat == seat] for row, seat in seated]
    flat = [text for own in texts for text in own]
    late = sum(text.reason == TIME_LIMIT.reason for text in flat)
    unread = [sum(text.kind != "move" and text.reason != TIME_LIMIT.reason for text in own) for own in texts]
    return {
        "player": name,
        "matches": len(seated),
        "score": mean([row.scores[seat] for row, seat in seated], clusters_of(seated)).as_json(),
        "outcomes": dict(sorted(Counter(row.outcomes[seat] for row, seat in seated).items())),
        "texts": len(flat),
        "unreadable": proportion(unread, clusters_of(seated), of=[len(own) for own in texts]).as_json(),
        "format_errors": sum(unread),
        "illegal": sum(text.illegal for text in flat),
        "time_outs": late,
        "punished": sum(text.kind == "punished" for text in flat),
        "tokens": {
            kind: sum(text.tokens[place] for text in flat)
            for place, kind in enumerate(("prompt", "completion", "reasoning"))
        },
    }


# Times, and the terminal


def timing(tournament: Tournament, played: Sequence[MatchRow]) -> dict[str, Any]:
    """The content of ``timing.json``: seconds and US dollars; one unknown price makes a total unknown."""
    costs = [text.cost for row in played for text in row.texts]
    settings = []
    for index in range(len(tournament.settings)):
        mine = [row for row in played if row.setting == index]
        players = [_times(player.name, mine) for player in tournament.players if seats_of(player.name, mine)]
        settings.append({"setting": index, "players": players})
    return {
        "schema": SCHEMA,
        "total_seconds": rounded(sum(row.seconds for row in played)),
        "cost": _total(costs),
        "settings": settings,
    }


def _times(name: str, played: Sequence[MatchRow]) -> dict[str, Any]:
    tables: dict[str, list[float]] = defaultdict(list)
    costs, seconds, clusters = [], [], []
    seated = seats_of(name, played)
    for (row, seat), cluster in zip(seated, clusters_of(seated), strict=True):
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
    """Return a few lines for the terminal: a player each, best first, for every setting."""
    report, lines = report_of(summary["id"]), []
    for setting in summary["settings"]:
        scores = {player["player"]: report.main_score(player) for player in setting["players"]}
        players = sorted(setting["players"], key=lambda player: _place(player["player"], scores))
        width = max([6, *(len(player["player"]) for player in players)])
        columns = [name for name in report.terminal if any(name in player["statistics"] for player in players)]
        if setting["point"]:
            lines.append(", ".join(f"{name} = {value}" for name, value in setting["point"].items()))
        head = "".join(f"  {report.terminal[name]:>10}" for name in columns)
        lines.append(f"{'player':<{width}}  {'score':>9}  {'95 % interval':<20}  {'n':>6}{head}")
        for player in players:
            score, name = scores[player["player"]], player["player"]
            between = "-" if score["low"] is None else f"{score['low']:.3f} to {score['high']:.3f}"
            shown = "".join(f"  {_written(player['statistics'].get(column)):>10}" for column in columns)
            numbers = f"{_written(score):>9}  {between:<20}  {score['n']:>6}"
            lines.append(f"{name:<{width}}  {numbers}{shown}")
        lines += report.terminal_lines(setting)
        lines.append("")
    return "\n".join(lines).rstrip()


def _place(name: str, scores: Mapping[str, Mapping[str, Any]]) -> tuple[bool, float, str]:
    """Best first; who has no score, as all matches were broken off, comes last."""
    value = scores[name]["value"]
    return value is None, -(value or 0.0), name


def _written(value: Any) -> str:
    number = value["value"] if isinstance(value, Mapping) else value
    return "-" if number is None else f"{number:.3f}"
