"""The numbers that the papers report, computed from our files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from interactive_envs.outcome import Outcome
from interactive_envs.reporting.estimates import NOTHING, Estimate, mean, proportion
from interactive_envs.reporting.records import Cell, EpisodeRow
from interactive_envs.reporting.store import RunStore


@dataclass(frozen=True)
class Played:
    """An episode of a run: its row, its cell, and the run that holds its record."""

    row: EpisodeRow
    cell: Cell
    store: RunStore

    @property
    def case(self) -> tuple[str, str, int]:
        """What names its case: episodes of one case are no independent observations."""
        return self.cell.env_id, self.row.case, self.row.case_index

    def game(self) -> Mapping[str, Any]:
        """What the record says of the episode beyond its steps."""
        return self.store.episode(self.row).game or {}


@dataclass(frozen=True)
class Metric:
    """A number of a table or figure.

    Attributes:
        title: of its column.
        form: how it is written.
        of_episodes: computes it from the scored episodes of a run, None where it belongs to another kind.
        path: where the summary of a tournament or comparison has it, for a player.
    """

    title: str
    form: str
    of_episodes: Callable[[Sequence[Played]], Estimate] | None = None
    path: tuple[str, ...] = ()

    def show(self, value: float | None) -> str:
        """Write a value; '' for none."""
        return "" if value is None else self.form.format(value)


def of_episodes(metric: str, episodes: Sequence[Played]) -> Estimate:
    """A metric of some episodes; those that are not scored do not count."""
    compute = METRICS[metric].of_episodes
    scored = [one for one in episodes if one.row.outcome != Outcome.UNSCORED]
    return NOTHING if compute is None or not scored else compute(scored)


def in_summary(metric: str, player: Mapping[str, Any]) -> Estimate:
    """A metric of a player in the summary of a tournament or a comparison, nothing where it has none."""
    found: Any = player
    for key in METRICS[metric].path:
        found = found.get(key) if isinstance(found, Mapping) else None
    if isinstance(found, Mapping):
        return Estimate(found.get("value"), found.get("low"), found.get("high"), int(found.get("n") or 0))
    return NOTHING if found is None else Estimate(float(found), None, None, 1)


def _clusters(episodes: Sequence[Played]) -> list[int]:
    number: dict[tuple[str, str, int], int] = {}
    return [number.setdefault(one.case, len(number)) for one in episodes]


def _solved(episodes: Sequence[Played]) -> list[bool]:
    """Which were solved within the rounds: an answer that is forced after the last one does not count."""
    return [one.row.outcome == Outcome.SUCCESS and one.row.won_by != "forced" for one in episodes]


def _success(episodes: Sequence[Played]) -> Estimate:
    return proportion(_solved(episodes), _clusters(episodes))


def _turns(episodes: Sequence[Played]) -> Estimate:
    solved = [one for one, won in zip(episodes, _solved(episodes), strict=True) if won]
    return mean([float(one.row.turns) for one in solved], _clusters(solved), 1.0) if solved else NOTHING


def _efficiency(episodes: Sequence[Played]) -> Estimate:
    """Success rate in percent over the mean turns of the solved; the paper gives no interval."""
    success, turns = _success(episodes), _turns(episodes)
    if success.value is None or turns.value is None:
        return NOTHING
    return Estimate(100 * success.value / turns.value, None, None, success.n)


def _score(episodes: Sequence[Played]) -> Estimate:
    return mean([float(one.row.reward) for one in episodes], _clusters(episodes))


def _share(*outcomes: Outcome) -> Callable[[Sequence[Played]], Estimate]:
    def share(episodes: Sequence[Played]) -> Estimate:
        return proportion([one.row.outcome in outcomes for one in episodes], _clusters(episodes))

    return share


def _judged(key: str) -> Callable[[Sequence[Played]], Estimate]:
    """A yes or no that the record of a probe says; an episode that did not come so far is a no."""

    def share(episodes: Sequence[Played]) -> Estimate:
        return proportion([one.game().get(key) is True for one in episodes], _clusters(episodes))

    return share


def _pruning_ratio(episodes: Sequence[Played]) -> Estimate:
    games = [one.game() for one in episodes]
    ratios = [len(game["removed"]) / game["evidence"] if game.get("removed") is not None else np.nan for game in games]
    kept = [index for index, ratio in enumerate(ratios) if not np.isnan(ratio)]
    clusters = _clusters(episodes)
    return mean([ratios[one] for one in kept], [clusters[one] for one in kept], 0.0, 1.0) if kept else NOTHING


_PERCENT = "{:.1%}"
_NUMBER = "{:.2f}"
METRICS: Mapping[str, Metric] = {
    "success": Metric("success", _PERCENT, _success),
    "turns": Metric("turns", _NUMBER, _turns),
    "efficiency": Metric("efficiency", _NUMBER, _efficiency),
    "score": Metric("score", _PERCENT, _score),
    "win_rate": Metric("wins", _PERCENT, _share(Outcome.SUCCESS)),
    "loss_rate": Metric("losses", _PERCENT, _share(Outcome.FAILURE)),
    "draw_rate": Metric("draws", _PERCENT, _share(Outcome.DRAW)),
    "forfeit_rate": Metric("forfeits", _PERCENT, _share(Outcome.FORFEIT, Outcome.FORMAT_ERROR)),
    "wrong": Metric("wrong", _PERCENT, _share(Outcome.FAILURE)),
    "timeout": Metric("time-outs", _PERCENT, _share(Outcome.TIMEOUT)),
    "format_error": Metric("format errors", _PERCENT, _share(Outcome.FORMAT_ERROR)),
    "complete": Metric("complete evidence", _PERCENT, _judged("complete")),
    "after_pruning": Metric("after pruning", _PERCENT, _judged("after_pruning")),
    "pruning_ratio": Metric("pruning ratio", _NUMBER, _pruning_ratio),
    "interactive": Metric("interactive", _PERCENT, path=("accuracy",)),
    "pass_at_k": Metric("pass@k*", _PERCENT, path=("pass_at_k",)),
    "k": Metric("k*", "{:.0f}", path=("k",)),
    "interactive_tokens": Metric("tokens", "{:,.0f}", path=("budget", "written", "interactive")),
    "attempt_tokens": Metric("tokens an attempt", "{:,.0f}", path=("budget", "written", "pass1")),
    "payoff": Metric("payoff per round", "{:.3f}", path=("statistics", "score")),
    "cooperation": Metric("cooperation", _PERCENT, path=("statistics", "cooperation_rate")),
    "betrayal": Metric("betrayal", _PERCENT, path=("statistics", "betrayal_rate")),
    "winnings": Metric("chips per hand", "{:.1f}", path=("statistics", "tables", "winnings", "mean")),
    "winnings_sd": Metric("sd over tables", "{:.1f}", path=("statistics", "tables", "winnings", "sd")),
    "vpip": Metric("VPIP", _PERCENT, path=("statistics", "vpip")),
    "fold_rate": Metric("folds", _PERCENT, path=("statistics", "fold_rate")),
    "environments": Metric("environments", "{:.0f}"),
}
