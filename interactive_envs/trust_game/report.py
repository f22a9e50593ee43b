"""What tournaments say of the trust game: the paper's metrics, their figures, and a page of rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from interactive_envs.multiplayer.game import Game
from interactive_envs.reporting.charts import Chart, percent
from interactive_envs.reporting.estimates import rounded
from interactive_envs.reporting.match_charts import Axis, League, Row, decimals, draw_estimates, draw_sweep
from interactive_envs.reporting.matches import (
    MatchRecord,
    MatchReport,
    MatchRow,
    seats_of,
    texts_until_move,
)
from interactive_envs.trust_game.metrics import NOTES, Tally, estimate, tally

BASELINES = ("tft", "grim")
"""Specs of the rule players at which Interactive Benchmarks v2, figure 6, draws lines."""


@dataclass(frozen=True, slots=True)
class TrustCounts:
    """What summaries need of an episode: a tally for each seat, and the rounds drawn for each match."""

    tallies: tuple[Tally, ...]
    horizons: tuple[int, ...]


class Matches(MatchReport):
    """Episodes of the trust game, compared by the payoff per round; where they have one match, that is an episode."""

    score = "Payoff per episode"
    ranking = (("Payoff|per round", "payoff", "score"), ("Payoff|per episode", "score", "score"))
    common_luck = False
    ranking_note = "; a player that cooperates can have the highest payoff and never win"
    columns = (
        ("Cooperation", "cooperation_rate", "percent"),
        ("Betrayal", "betrayal_rate", "percent"),
        ("Reciprocity", "reciprocity", "ratio"),
        ("Forgiveness", "forgiveness", "percent"),
        ("Regret", "mean_regret", "ratio"),
    )
    columns_note = NOTES
    terminal: ClassVar[Mapping[str, str]] = {
        "cooperation_rate": "cooperates",
        "betrayal_rate": "betrays",
        "mean_regret": "regret",
    }
    package = __package__
    page = "rounds.html.j2"

    def row(self, record: MatchRecord, game: Game[Any]) -> TrustCounts:
        """Return a tally for each seat, and the rounds drawn."""
        specs = [agent["spec"] for agent in record.agents]
        tallies = tuple(tally(record.game, seat, specs[1 - seat]) for seat in range(2))
        return TrustCounts(tallies, tuple(match["horizon"] for match in record.game["matches"]))

    def statistics(self, names: Sequence[str], rows: Sequence[MatchRow]) -> dict[str, dict[str, Any]]:
        """Return the paper's metrics."""
        return _metrics(names, rows)

    def setting(self, names: Sequence[str], rows: Sequence[MatchRow], game: Game[Any]) -> dict[str, Any]:
        """Return how long matches can be expected to last, and how long they lasted; a forfeited one was cut short."""
        delta, longest = (getattr(game, name) for name in ("delta", "max_rounds"))
        horizons = {row.deal: list(row.counts.horizons) for row in rows}
        return {
            "delta": delta,
            "expected_rounds": rounded(1 / (1 - delta)),
            "expected_rounds_cut": rounded((1 - delta**longest) / (1 - delta)),
            "horizons": dict(sorted(horizons.items())),
        }

    def main_score(self, player: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the payoff per round: matches differ in length."""
        return dict(player["statistics"]["score"])

    def numbers(self, player: Mapping[str, Any], setting: Mapping[str, Any]) -> dict[str, Any]:
        """Return a player's numbers; ``payoff`` is that of a round."""
        return super().numbers(player, setting) | {"payoff": player["statistics"]["score"]}

    def figures(self, league: League) -> Iterator[Chart]:
        """Yield payoffs, cooperation and betrayal (v2, figure 12), and how a player answers."""
        if not league.swept:
            yield from _draw_payoffs(league)
        if len(league.settings) == 1:
            yield from _draw_manners(league)

    def sweep(self, league: League, argument: str) -> Iterator[Chart]:
        """Yield payoffs and cooperation; for delta along the expected rounds (v2, figure 11)."""
        measures = {"Payoff per round": ("payoff", decimals), "Cooperation": ("cooperation_rate", percent)}
        if argument == "delta":
            label, words = "expected rounds, 1 / (1 - delta)", "the expected number of rounds"
            yield from draw_sweep(
                league, argument, measures, lambda setting: float(setting["expected_rounds"]), label, words
            )
        else:
            yield from draw_sweep(league, argument, measures)

    def page_content(self, players: Sequence[str], matches: Sequence[MatchRecord]) -> dict[str, Any]:
        """Return the matches with their rounds."""
        return {"matches": [{**vars(match), "parts": _parts(match)} for match in matches]}


def _metrics(names: Sequence[str], rows: Sequence[MatchRow]) -> dict[str, dict[str, Any]]:
    """Return the paper's metrics over all matches; intervals of a bootstrap over clusters."""
    found: dict[str, dict[str, Any]] = {}
    for name in names:
        counted = [(row.cluster, row.counts.tallies[seat]) for row, seat in seats_of(name, rows)]
        metrics = {metric: one.as_json() for metric, one in estimate(counted).items()}
        found[name] = {"rounds": sum(one.rounds for _, one in counted), **metrics}
    return found


def _draw_payoffs(league: League) -> Iterator[Chart]:
    lines = {}
    if len(league.settings) == 1:
        lines = {
            league.players[player["player"]]: player["numbers"]["payoff"]["value"]
            for player in league.settings[0]["players"]
            if league.players[player["player"]] in BASELINES and player["numbers"]["payoff"]["value"] is not None
        }
    caption = "Payoff per round over all matches. n counts rounds." + (
        f" Dashed: {' and '.join(sorted(lines))}." if lines else ""
    )
    groups = league.groups("Payoff per round", "payoff")
    yield from draw_estimates(league, "payoff", "Payoff", caption, groups, Axis(decimals, lines=lines))


def _draw_manners(league: League) -> Iterator[Chart]:
    rates = _measure(league, {"Cooperation": "cooperation_rate", "Betrayal": "betrayal_rate"})
    caption = "Shares of rounds with cooperation, and of defections right after the other cooperated. n counts rounds."
    yield from draw_estimates(
        league, "cooperation", "Cooperation", caption, rates, Axis(percent, (0.0, 1.0), bars=True)
    )
    answers = _measure(league, {"Reciprocity": "reciprocity", "Forgiveness": "forgiveness"})
    caption = (
        "How much likelier a player cooperates after the other's cooperation than after a defection, and the share of "
        "cooperations right after the other came back to it. n counts rounds."
    )
    lows = [row.numbers[end] or 0.0 for rows in answers.values() for row in rows for end in ("value", "low")]
    axis = Axis(decimals, (min((-0.02, *lows)), 1.02), bars=True)
    yield from draw_estimates(league, "reciprocity", "Reciprocity", caption, answers, axis)


def _measure(league: League, numbers: Mapping[str, str]) -> dict[str, Any]:
    """Return the rows of several numbers, under their titles alone: there is but one setting."""
    (setting,) = league.settings
    return {
        title: [Row(player["player"], player["numbers"][number]) for player in setting["players"]]
        for title, number in numbers.items()
    }


def _parts(match: MatchRecord) -> list[list[list[dict[str, Any]]]]:
    """Return the rounds of every match, a cell for each seat; a last one that a forfeit broke off is not paid."""
    texts = [iter([text for text in match.texts if text.seat == seat]) for seat in range(2)]
    parts = []
    for one in match.game["matches"]:
        totals, lines = [0.0, 0.0], []
        for own, other, paid in zip(*one["histories"], one["payments"], strict=True):
            totals = [before + now for before, now in zip(totals, paid, strict=True)]
            cells = zip((own, other), paid, totals, texts, strict=True)
            lines.append(
                [{"move": m, "paid": p, "total": total, "texts": texts_until_move(left)} for m, p, total, left in cells]
            )
        parts.append(lines)
    rest: list[dict[str, Any]] = [{"move": None, "texts": texts_until_move(left)} for left in texts]
    if any(cell["texts"] for cell in rest):
        parts[-1].append(rest)
    return parts
