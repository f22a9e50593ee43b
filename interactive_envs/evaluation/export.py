"""Runs and tournaments as one table in a file: CSV for spreadsheets, Parquet for data frames."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from interactive_envs.errors import ConfigError, MissingExtraError
from interactive_envs.evaluation import rows
from interactive_envs.evaluation.folders import Kind, kind_of
from interactive_envs.evaluation.tournament.play import TournamentStore
from interactive_envs.evaluation.tournament.summary import read_row
from interactive_envs.llm.retry import plain
from interactive_envs.reporting.store import RunStore
from interactive_envs.system.disk import fresh_file
from interactive_envs.system.files import open_private

GROUP = 10_000
"""Rows of Parquet that are held in memory together."""
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a text begins that a spreadsheet would compute."""

Row = Mapping[str, Any]


def export(
    folders: Sequence[Path], path: Path | None, kind: Literal["csv", "parquet"], *, anytime: bool = False
) -> tuple[Path, int]:
    """Write the rows of runs, or of tournaments, one folder after the other, each in the order in which they ended.

    Args:
        folders: all of one kind.
        path: of the file; None for ``episodes`` or ``matches`` in the only folder.
        kind: what to write.
        anytime: write the answers between the turns instead, of runs that asked for them.

    Returns:
        The file, and how many rows it has.

    Raises:
        ConfigError: the folders are of different kinds, hold nothing of the kind, or are damaged.
        MissingExtraError: Parquet is asked for, and pyarrow is not installed.
    """
    kinds = set(map(kind_of, folders))
    if len(kinds) > 1:
        raise ConfigError("runs and tournaments have different columns; export them one kind at a time")
    if len(folders) > 1 and path is None:
        raise ConfigError("several folders make one table; say where to write it: --out FILE")
    of_tournaments = kinds == {Kind.TOURNAMENT}
    if anytime:
        return _export_answers(folders, path, kind)
    columns = rows.SEAT_COLUMNS if of_tournaments else rows.EPISODE_COLUMNS
    if of_tournaments:
        found = itertools.chain.from_iterable(map(_seats, list(map(TournamentStore.read_only, folders))))
    else:
        found = itertools.chain.from_iterable(map(_episodes, list(map(RunStore.read_only, folders))))
    path = path or folders[0] / f"{'matches' if of_tournaments else 'episodes'}.{kind}"
    return path, _write(path, kind, found, columns)


def _export_answers(folders: Sequence[Path], path: Path | None, kind: Literal["csv", "parquet"]) -> tuple[Path, int]:
    """Write the answers between the turns of runs."""
    for folder in folders:
        if kind_of(folder) is not Kind.RUN or not RunStore.read_only(folder).config.anytime:
            raise ConfigError(f"{folder} holds no answers between the turns; play it with --anytime")
    stores = list(map(RunStore.read_only, folders))
    found = itertools.chain.from_iterable(rows.of_answers(store, store.iterate()) for store in stores)
    path = path or folders[0] / f"anytime.{kind}"
    return path, _write(path, kind, found, rows.ANYTIME_COLUMNS)


def _write(path: Path, kind: Literal["csv", "parquet"], found: Iterable[Row], columns: Mapping[str, type]) -> int:
    """Write rows and return how many there were."""
    count = itertools.count()
    counted = (row for row, _ in zip(found, count, strict=False))
    (write_csv if kind == "csv" else write_parquet)(path, counted, columns)
    return next(count)


def write_csv(path: Path, found: Iterable[Row], columns: Iterable[str]) -> Path:
    """Write rows as CSV in UTF-8, None as nothing.

    A text that a spreadsheet would compute, because it begins with one of :data:`FORMULA`, gets an apostrophe before.
    """
    with fresh_file(path) as new, open_private(new, "w") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([_cell(value) for value in row.values()] for row in found)
    return path


def write_parquet(path: Path, found: Iterable[Row], columns: Mapping[str, type]) -> Path:
    """Write rows as Parquet; texts are as they are.

    Raises:
        MissingExtraError: pyarrow is not installed.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtraError("Parquet", "parquet") from error
    types = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_()}
    schema = pyarrow.schema([(name, types[kind]) for name, kind in columns.items()])
    left = iter(found)
    with (
        fresh_file(path) as new,
        open_private(new, "wb") as file,
        pyarrow.parquet.ParquetWriter(file, schema) as writer,
    ):
        while group := list(itertools.islice(left, GROUP)):
            values = [{name: _text(value) for name, value in row.items()} for row in group]
            writer.write_table(pyarrow.Table.from_pylist(values, schema))
    return path


def _episodes(store: RunStore) -> Iterator[Row]:
    return rows.of_run(store, store.iterate())


def _seats(store: TournamentStore) -> Iterator[Row]:
    seen = set()
    for record in store.matches():
        if record.match not in seen:
            seen.add(record.match)
            yield from rows.of_match(store.folder.resolve().name, store.tournament, read_row(store.tournament, record))


def _cell(value: Any) -> Any:
    text = _text(value)
    return f"'{text}" if isinstance(text, str) and text.startswith(FORMULA) else text


def _text(value: Any) -> Any:
    return plain(value) if isinstance(value, str) else value
