"""What a tournament tells its loggers."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from interactive_envs import catalog
from interactive_envs.evaluation.rows import of_seat
from interactive_envs.evaluation.run.episode import installed_versions
from interactive_envs.evaluation.tournament.plan import Planned, Tournament
from interactive_envs.evaluation.tournament.summary import read_row
from interactive_envs.reporting.loggers.base import Loggers
from interactive_envs.reporting.loggers.tallies import PlayLog
from interactive_envs.reporting.matches import MatchRecord


class TournamentLog:
    """Logs a tournament; with no loggers it does nothing.

    Args:
        loggers: where to.
        tournament: what is played.
        total: matches of the whole plan.
    """

    def __init__(self, loggers: Loggers, tournament: Tournament, total: int) -> None:
        self._on = bool(loggers)
        self._tournament = tournament
        self._log = PlayLog(loggers, total)
        self._family = str(catalog.entry(tournament.id)["family"])

    def begin(self, played: Iterable[MatchRecord]) -> None:
        """Count what was played before and start."""
        if self._on:
            for record in played:
                self._add(record)
                self._log.done(quiet=True)
            known = dataclasses.asdict(self._tournament)
            self._log.begin(known | {"versions": installed_versions()})

    def advance(self, planned: Planned, record: MatchRecord | None) -> None:
        """Log a match that ended; without a record, infrastructure broke it for good."""
        if not self._on:
            return
        if record is None:
            for place in planned.order:
                self._log.broken(self._tournament.players[place].name, self._family)
        else:
            self._add(record)
            self._log.done()

    def fault(self, _: str) -> None:
        """Count an attempt that infrastructure broke."""
        self._log.fault()

    def finish(self, summary: Mapping[str, Any]) -> None:
        """Log the content of ``summary.json``, and end."""
        if not self._on:
            return
        numbers = {}
        for setting in summary["settings"]:
            found = {"score": [player["score"] | {"player": player["player"]} for player in setting["players"]]}
            for name, estimates in (found | setting["ratings"]).items():
                for one in estimates:
                    if one["value"] is not None:
                        numbers[f"summary_{name}/{self._log.name(one['player'])}/{setting['setting']}"] = one["value"]
        self._log.finish(numbers)

    def _add(self, record: MatchRecord) -> None:
        row = read_row(self._tournament, record)
        for seat in range(len(row.players)):
            flat = of_seat(self._tournament, row, seat)
            self._log.add(
                flat["player"],
                self._family,
                flat["outcome"],
                reward=flat["score"],
                turns=flat["moves"],
                invalid=flat["invalid"] + flat["time_outs"],
                tokens_in=flat["prompt_tokens"],
                tokens_out=flat["completion_tokens"],
                cost=flat["cost"],
                seconds=flat["seconds"],
            )
