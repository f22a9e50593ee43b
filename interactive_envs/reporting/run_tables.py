"""What families say of runs that play them: pages beside the run's report, and tables as numbers, pages and text.

A family implements :class:`RunTables`, or :class:`RunPage` for a page that holds no tables, and names it on its card;
nothing else knows of it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from interactive_envs import catalog
from interactive_envs.errors import ConfigError, MissingExtraError
from interactive_envs.reporting.charts import Chart
from interactive_envs.reporting.page import as_bytes, spread, templates
from interactive_envs.reporting.records import Cell, EpisodeRow, RunConfig
from interactive_envs.reporting.store import RunStore
from interactive_envs.reporting.tables import Column, Table, as_json, differing_arguments, dump, fill_arguments, render
from interactive_envs.seeds import canonical_json
from interactive_envs.system.disk import write_atomically

E = TypeVar("E")


class RunPage(ABC):
    """A page about what a run played of one family."""

    family: ClassVar[str]
    """The name of its card."""
    name: ClassVar[str]
    """The page's file, without ending."""
    subject: ClassVar[str]
    """What it is about, in the plural."""

    @property
    def file(self) -> str:
        """The page's file in the run's folder."""
        return f"{self.name}.html"

    def holds(self, cell: Cell) -> bool:
        """Whether a cell plays the family."""
        unit = catalog.load()["units"].get(cell.env_id)
        return unit is not None and unit["family"] in catalog.family(self.family).units

    def is_played(self, config: RunConfig) -> bool:
        """Whether a run plays the family."""
        return any(map(self.holds, config.cells))

    @abstractmethod
    def write(self, store: RunStore, other: RunStore | None = None) -> Any:
        """Write the page into a run's folder.

        Args:
            store: the run.
            other: another run to compare it with.
        """

    def episode_page(self, row: EpisodeRow) -> tuple[str, str] | None:
        """Return what links call the page of one episode, and its file in the run's folder.

        :meth:`write` may leave out the pages of some episodes. None where there are none.
        """
        return None


class RunTables(RunPage, Generic[E]):
    """The tables of a family: what it reads of episodes, and what it makes of that."""

    title: ClassVar[str]
    """The page's."""
    one: ClassVar[str]
    """One of what it is about, with its article."""
    clusters: ClassVar[str]
    """What intervals are clustered by."""
    charts: ClassVar[str] = "Charts"
    """The heading of the charts."""
    prefix: ClassVar[str] = ""
    """What players' names may begin with and printed tables leave out."""

    @abstractmethod
    def read(self, stores: Sequence[RunStore]) -> list[list[E]]:
        """Read the family's episodes, run by run; conditions have the same names in all."""

    @abstractmethod
    def tables(self, episodes: Sequence[E], others: Sequence[E] = ()) -> list[Table]:
        """Make every table for which there are episodes.

        Args:
            episodes: of the run.
            others: of another run, to compare with.
        """

    def curves(self, episodes: Sequence[E]) -> list[dict[str, Any]]:
        """Return series of estimates by turn, one a player and condition."""
        return []

    @abstractmethod
    def draw(self, tables: Sequence[Table], curves: Sequence[Mapping[str, Any]]) -> list[Chart]:
        """Draw the charts of tables and curves.

        Raises:
            MissingExtraError: matplotlib is not installed.
        """

    def setting(self, cell: Cell) -> str:
        """Return what a cell plays: a run of several is a suite."""
        return cell.env_id

    def is_suite(self, config: RunConfig) -> bool:
        """Whether a run plays the family only, and several settings: tables then say more than a line a cell."""
        return all(map(self.holds, config.cells)) and len(set(map(self.setting, config.cells))) > 1

    def read_all(self, stores: Sequence[RunStore]) -> list[list[E]]:
        """Read the family's episodes, run by run.

        Raises:
            ConfigError: a run has none.
        """
        found = self.read(stores)
        for store, episodes in zip(stores, found, strict=True):
            if not episodes:
                raise ConfigError(f"{store.folder} holds no episode of {self.one}")
        return found

    def write(self, store: RunStore, other: RunStore | None = None) -> tuple[list[Table], dict[str, Any]]:
        """Write the tables into a run's folder, as numbers and as a page.

        Args:
            store: the run.
            other: another run to compare it with.

        Returns:
            The tables, and the content of the file of numbers.

        Raises:
            ConfigError: a run has no episode of the family.
        """
        episodes, *others = self.read_all([store, other] if other else [store])
        made, lines = self.tables(episodes, others[0] if others else ()), self.curves(episodes)
        content = as_json(made, lines)
        write_atomically(store.folder / f"{self.name}.json", dump(content))
        self.write_page(store, made, lines)
        return made, content

    def write_page(self, store: RunStore, made: Sequence[Table], curves: Sequence[Mapping[str, Any]]) -> Path:
        """Write the page, with its charts in ``charts/``; without matplotlib it says so.

        Args:
            store: the run.
            made: what :meth:`tables` made of it.
            curves: what :meth:`curves` made of it.

        Returns:
            The page's path.
        """
        try:
            figures, no_charts = self.draw(made, curves), ""
        except MissingExtraError as error:
            figures, no_charts = [], str(error)
        for figure in figures:
            figure.save(store.folder / "charts")
        content = {
            "store": store,
            "page": self,
            "tables": made,
            "players": len({row["player"] for row in made[0].rows}) if made else 0,
            "environments": len({cell.env_id for cell in store.config.cells}),
            "figures": figures,
            "no_charts": no_charts,
            "cell": write_cell,
        }
        path = store.folder / self.file
        write_atomically(path, as_bytes(templates(__package__).get_template("tables.html.j2").render(**content)))
        return path

    def render(self, made: Iterable[Table]) -> str:
        """Return the tables as text for a terminal."""
        return render(made, hide=self.prefix)


class ArgumentTables(RunTables[E]):
    """Tables of a family whose settings are arguments: conditions name those that differ between the cells read."""

    unnamed: ClassVar[Collection[str]]
    """Arguments that are named otherwise, or change nothing."""

    def setting(self, cell: Cell) -> str:
        """Return what a cell plays."""
        return canonical_json(fill_arguments(cell))

    def read(self, stores: Sequence[RunStore]) -> list[list[E]]:
        """Read the family's episodes, run by run."""
        filled = [fill_arguments(cell) for store in stores for cell in store.config.cells if self.holds(cell)]
        names = [name for name in differing_arguments(filled) if name not in self.unnamed]
        return [list(self.episodes(store, names)) for store in stores]

    @abstractmethod
    def episodes(self, store: RunStore, names: Sequence[str]) -> Iterator[E]:
        """Read the family's episodes of a run, with a condition made of these arguments."""


def all_tables() -> list[RunTables[Any]]:
    """Return the tables of every family whose card names some, in the order of the cards."""
    return [catalog.attribute(card.tables)() for card in catalog.families().values() if card.tables]


def report_pages() -> list[RunPage]:
    """Return the pages that families write before a run's report, which links to them."""
    return [catalog.attribute(card.page)() for card in catalog.families().values() if card.page]


def write_cell(row: Mapping[str, Any], column: Column) -> dict[str, Any]:
    """Return an estimate as a page writes it."""
    numbers = row[column.key]
    value = "" if numbers["value"] is None else _signed(column.show(numbers["value"]))
    return {"n": numbers["n"], "value": value, "interval": _signed(spread(column.show)(numbers))}


def _signed(text: str) -> str:
    return text.replace("-", "\N{MINUS SIGN}")
