"""The page of a run's generated games: the tables, and scores by category, length and game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from interactive_envs.novel_games.report import tables
from interactive_envs.novel_games.report.tables import Play
from interactive_envs.reporting import charts
from interactive_envs.reporting.charts import Chart, Row
from interactive_envs.reporting.records import Cell
from interactive_envs.reporting.run_tables import ArgumentTables
from interactive_envs.reporting.store import RunStore
from interactive_envs.reporting.tables import Table
from interactive_envs.seeds import canonical_json


class GameTables(ArgumentTables[Play]):
    """The tables of generated games, ``games.json`` and ``games.html``."""

    family = "generated"
    name, subject = "games", "generated games"
    title, one = "Generated games", "a generated game"
    clusters = "game, of one game by seat and moves"
    unnamed = ("path", "seat", "opponents", "judge", "render_mode", "view")

    def setting(self, cell: Cell) -> str:
        """Return what a cell plays: its game, which one id takes from a folder."""
        return canonical_json([cell.env_id, cell.arguments.get("path")])

    def episodes(self, store: RunStore, names: Sequence[str]) -> Iterator[Play]:
        """Read the plays of a run."""
        return tables.read(store, names, self.holds)

    def tables(self, episodes: Sequence[Play], others: Sequence[Play] = ()) -> list[Table]:
        """Make every table; ``others`` are plays with whose scores those of the same players are compared."""
        return tables.tables(episodes, others)

    def draw(self, tables: Sequence[Table], curves: Sequence[Mapping[str, Any]]) -> list[Chart]:
        """Draw scores over all games, by category, by length and by game."""
        return draw(tables)


def draw(tables: Sequence[Table]) -> list[Chart]:
    """Scores over all games, by category and by length; scores by game.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    rows = {table.name: table.rows for table in tables}
    parts = [
        *(("All games", row) for row in rows.get("overall", ())),
        *((row["category"].capitalize(), row) for row in rows.get("categories", ())),
        *((f"{row['length'].capitalize()} games", row) for row in rows.get("lengths", ())),
    ]
    with charts.style():
        return [
            *_intervals("game_scores", "Score by category and length", "clustered by game", parts),
            *_intervals(
                "score_by_game",
                "Score by game",
                "clustered by seat and moves",
                [(row["game"], row) for row in rows.get("games", ())],
            ),
        ]


def _intervals(
    name: str, title: str, clustered: str, parts: Sequence[tuple[str, Mapping[str, Any]]]
) -> Iterator[Chart]:
    """Under each heading a row a player and condition."""
    several = len({row["condition"] for _, row in parts}) > 1
    groups: dict[str, list[Row]] = {}
    for heading, row in parts:
        if row["score"]["n"]:
            label = f"{row['player']}, {row['condition']}" if several else str(row["player"])
            groups.setdefault(heading, []).append(Row(label, label, row["score"]))
    table = [
        (heading, row.label, *(row.numbers[part] for part in charts.NUMBERS))
        for heading, shown in groups.items()
        for row in shown
    ]
    yield from charts.intervals(
        charts.looks([row.player for shown in groups.values() for row in shown]),
        name,
        title,
        f"Win 1, draw or too long 1/2, loss 0, without plays that the player forfeited; 95 % intervals, {clustered}.",
        groups,
        (("games", "player", *charts.NUMBERS), *table),
        (0, 1),
        charts.percent,
    )
