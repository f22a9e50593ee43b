"""What came of a run or a tournament, for Python: records, figures, tables, comparisons, pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, overload

from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.evaluation import rows as flat
from interactive_envs.evaluation.audit import Audit, audit
from interactive_envs.evaluation.export import write_csv
from interactive_envs.evaluation.run import replay, report, rescore
from interactive_envs.evaluation.tournament import play as tournaments
from interactive_envs.evaluation.tournament import report as tournament_report
from interactive_envs.evaluation.tournament import summary as tournament_summary
from interactive_envs.judges.base import resolve_judge
from interactive_envs.outcome import Outcome
from interactive_envs.reporting.estimates import Estimate, mean, paired
from interactive_envs.reporting.matches import MatchRecord
from interactive_envs.reporting.records import EpisodeRecord, EpisodeRow, RunConfig
from interactive_envs.reporting.store import RunStore
from interactive_envs.seeds import canonical_json
from interactive_envs.specs import Given, spec_of
from interactive_envs.system.files import read_json

Metric = Literal["success", "reward"]


class Episodes(Sequence[EpisodeRecord]):
    """The records of a run, sorted by cell, case and epoch; each is read when it is asked for."""

    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._rows = store.rows()

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> EpisodeRecord: ...
    @overload
    def __getitem__(self, index: slice) -> list[EpisodeRecord]: ...
    def __getitem__(self, index: int | slice) -> EpisodeRecord | list[EpisodeRecord]:
        if isinstance(index, slice):
            return [self._store.episode(row) for row in self._rows[index]]
        return self._store.episode(self._rows[index])

    def __iter__(self) -> Iterator[EpisodeRecord]:
        return map(self._store.episode, self._rows)


@dataclass(frozen=True)
class Difference:
    """How much better one player did than another on the same cases.

    Attributes:
        first: its spec.
        second: the other's.
        metric: ``success``, a share within the rounds, or ``reward``.
        estimate: mean of first minus second, with its 95 % interval and the number of pairs (of cases for ``success``).
        ahead: cases on which the first did better.
        behind: cases on which it did worse.
        by_environment: the same for each environment that both played.
    """

    first: str
    second: str
    metric: Metric
    estimate: Estimate
    ahead: int
    behind: int
    by_environment: Mapping[str, Estimate] = field(default_factory=dict)

    def __str__(self) -> str:
        value, low, high = self.estimate.value, self.estimate.low, self.estimate.high
        interval = "" if low is None or high is None else f" [{low:+.3f}, {high:+.3f}]"
        return f"{self.first} minus {self.second}: {value:+.3f}{interval} {self.metric}, n = {self.estimate.n}"


class Run:
    """A run's folder; opening it changes nothing.

    Args:
        folder: where :func:`interactive_envs.evaluate` or ``ibench run`` wrote it.

    Raises:
        ConfigError: there is no run in it.
    """

    def __init__(self, folder: str | Path) -> None:
        self._store = RunStore.read_only(Path(folder))

    def __repr__(self) -> str:
        return f"Run({str(self.folder)!r}): {len(self._store.rows())} of {self.config.total} episodes"

    @property
    def folder(self) -> Path:
        """Where its files lie."""
        return self._store.folder

    @property
    def config(self) -> RunConfig:
        """What it plays, cell by cell."""
        return self._store.config

    @property
    def episodes(self) -> Episodes:
        """The whole records, each read when it is asked for."""
        return Episodes(self._store)

    @property
    def missing(self) -> int:
        """Episodes that infrastructure broke, or that were not played yet; playing with ``resume=True`` adds them."""
        return self.config.total - len(self._store.rows())

    @property
    def summary(self) -> dict[str, Any]:
        """``summary.json``: per cell every figure with n and a 95 % interval, gains, paired differences, notes."""
        return read_json(self.folder / "summary.json")  # type: ignore[no-any-return]

    def to_rows(self) -> list[dict[str, Any]]:
        """A row per episode, sorted; :func:`interactive_envs.evaluation.rows.of_run` says what its columns are."""
        return list(flat.of_run(self._store, self._store.rows()))

    def to_csv(self, path: str | Path) -> Path:
        """Write :meth:`to_rows` with :func:`interactive_envs.evaluation.export.write_csv` and return its path."""
        return write_csv(Path(path), self.to_rows(), flat.EPISODE_COLUMNS)

    def to_pandas(self) -> Any:
        """:meth:`to_rows` as a ``pandas.DataFrame``.

        Raises:
            ConfigError: pandas is not installed.
        """
        return _frame(self.to_rows())

    def audit(self, *, examples: int = 3) -> Audit:
        """Group the messages that were no actions by pattern; see :func:`interactive_envs.evaluation.audit.audit`."""
        return audit(self.folder, examples=examples)

    def report(self) -> Path:
        """Write the report page, and the pages of families that it links to; return its path."""
        return report.write_with_pages(self._store)

    def compare(self, first: Given, second: Given, *, metric: Metric | None = None) -> Difference:
        """Compare two players on the cases that both played with the same arguments and judge.

        Args:
            first: its spec or class, as the run was given it.
            second: the other's.
            metric: what is compared; None for ``success`` where every episode is solved or not, else ``reward``.

        Raises:
            UnknownNameError: the run has no such player.
            ConfigError: they have no case in common.
        """
        names = [spec_of("player", first), spec_of("player", second)]
        known = list(dict.fromkeys(cell.player for cell in self.config.cells))
        for name in names:
            if name not in known:
                raise UnknownNameError("player of the run:", name, known)
        rows = self._store.rows()
        if metric is None:
            metric = "reward" if any(row.outcome == Outcome.SCORED for row in rows) else "success"
        sides = [self._values(name, rows, metric) for name in names]
        gaps = {key: sides[0][key] - sides[1][key] for key in sides[0] if key in sides[1]}
        if not gaps:
            raise ConfigError(f"{names[0]} and {names[1]} have no case in common in {self.folder}")
        by_environment: dict[str, dict[tuple[str, ...], float]] = {}
        for key, gap in gaps.items():
            by_environment.setdefault(key[0], {})[key] = gap
        by_case: dict[tuple[str, ...], float] = {}
        for key, gap in gaps.items():
            by_case[key[:-1]] = by_case.get(key[:-1], 0.0) + gap
        return Difference(
            names[0],
            names[1],
            metric,
            estimate=_estimate(gaps, metric),
            ahead=sum(gap > 0 for gap in by_case.values()),
            behind=sum(gap < 0 for gap in by_case.values()),
            by_environment={env_id: _estimate(part, metric) for env_id, part in by_environment.items()},
        )

    def replay(self) -> list[str]:
        """Step every episode again from its record; say of each that came out otherwise where and how.

        Raises:
            ConfigError: a record's data, or a wrapper, is not what it was.
        """
        found = []
        for row in self._store.rows():
            problem = replay.mismatch(self._store.episode(row))
            if problem:
                found.append(f"cell {row.cell}, {row.case}, epoch {row.epoch}: {problem}")
        return found

    def rescore(self, judge: Given, *, workers: int = 4) -> dict[str, Any]:
        """What the scores would be under another judge, see :func:`interactive_envs.evaluation.run.rescore.rescore`."""
        other = resolve_judge(spec_of("judge", judge))()
        try:
            return rescore.rescore(self._store, other, workers=workers)
        finally:
            other.close()

    def _values(self, agent: str, rows: Sequence[EpisodeRow], metric: Metric) -> dict[tuple[str, ...], float]:
        """A player's values by environment, setting, case and epoch."""
        cells = self.config.cells
        return {
            (
                cells[row.cell].env_id,
                canonical_json([cells[row.cell].arguments, cells[row.cell].judge]),
                f"{row.case_index} {row.case}",
                str(row.epoch),
            ): row.reward if metric == "reward" else float(flat.is_success(row))
            for row in rows
            if cells[row.cell].player == agent
        }


class TournamentRun:
    """A tournament's folder; opening it changes nothing.

    Args:
        folder: where :func:`interactive_envs.tournament` or ``ibench tournament`` wrote it.

    Raises:
        ConfigError: there is no tournament in it.
    """

    def __init__(self, folder: str | Path) -> None:
        self._store = tournaments.TournamentStore.read_only(Path(folder))

    def __repr__(self) -> str:
        return f"TournamentRun({str(self.folder)!r})"

    @property
    def folder(self) -> Path:
        """Where its files lie."""
        return self._store.folder

    @property
    def config(self) -> tournaments.Tournament:
        """What it plays."""
        return self._store.tournament

    @property
    def matches(self) -> list[MatchRecord]:
        """The whole records, in the order in which the matches ended."""
        return list(self._store.matches())

    @property
    def missing(self) -> int:
        """Matches that infrastructure broke, or that were not played yet."""
        return int(self.summary["n_planned"] - self.summary["n_valid"])

    @property
    def summary(self) -> dict[str, Any]:
        """``summary.json``: the table of players, with intervals, and what the game's family adds."""
        return read_json(self.folder / "summary.json")  # type: ignore[no-any-return]

    def table(self) -> str:
        """The players, the best first, as text."""
        return tournament_summary.table(self.summary)

    def to_rows(self) -> list[dict[str, Any]]:
        """List a row for every match and seat, sorted by match, then seat.

        Returns:
            Rows with these columns:

            - ``run``: the folder's name;
            - ``match``, ``deal``, ``cluster``, ``table``: ids; matches of one cluster share luck, so intervals and
                comparisons should count clusters, not matches;
            - ``env``, ``setting``, ``arguments``: the environment's id, the position of its arguments in
                ``summary.json``, and these as JSON;
            - ``seat``, ``player``, ``agent``, ``opponents``: the seat from 0, its player's name and spec, and the names
                in the other seats in their order, as JSON;
            - ``score``, ``outcome``: what the seat was paid in all, in the game's units (chips, points), and a value of
                :class:`interactive_envs.outcome.Outcome`;
            - ``moves``, ``invalid``, ``time_outs``: how many of its messages were played, could not be read, and came
                too late;
            - ``prompt_tokens``, ``completion_tokens``, ``reasoning_tokens``, ``cost``: of its model calls, in tokens
                and US dollars, None where a price is unknown;
            - ``seconds``, ``match_seconds``: wall-clock time its player took, and that of the whole match.
        """
        name = self.folder.resolve().name
        rows = tournament_summary.rows_of(self.config, self._store.matches())
        return [seat for row in rows for seat in flat.of_match(name, self.config, row)]

    def to_csv(self, path: str | Path) -> Path:
        """Write :meth:`to_rows` with :func:`interactive_envs.evaluation.export.write_csv` and return its path."""
        return write_csv(Path(path), self.to_rows(), flat.SEAT_COLUMNS)

    def to_pandas(self) -> Any:
        """:meth:`to_rows` as a ``pandas.DataFrame``.

        Raises:
            ConfigError: pandas is not installed.
        """
        return _frame(self.to_rows())

    def report(self) -> Path:
        """Write the report page and return its path."""
        return tournament_report.write(self.folder)


def _estimate(gaps: Mapping[tuple[str, ...], float], metric: Metric) -> Estimate:
    """The mean gap; all epochs of a case are one cluster."""
    numbers: dict[tuple[str, ...], int] = {}
    cases = [numbers.setdefault(key[:-1], len(numbers)) for key in gaps]
    return paired(list(gaps.values()), cases) if metric == "success" else mean(list(gaps.values()), cases)


def _frame(rows: Sequence[Mapping[str, Any]]) -> Any:
    try:
        import pandas  # type: ignore[import-untyped]
    except ImportError:
        raise ConfigError("to_pandas() needs pandas: pip install pandas; to_csv() and to_rows() need nothing") from None
    return pandas.DataFrame(rows)
