"""Matches: their records, what summaries need of them, and what a family says of its own.

A tournament's tables, ratings and pages are the same for every game. What only a family knows (hands and big blinds,
rounds and betrayals) it says in a :class:`MatchReport`, which its card names.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from interactive_envs import catalog
from interactive_envs.errors import ConfigError
from interactive_envs.multiplayer.game import Game
from interactive_envs.reporting.charts import Chart
from interactive_envs.reporting.match_charts import League, decimals, draw_cumulative, draw_scores, draw_sweep
from interactive_envs.reporting.page import visible
from interactive_envs.reporting.ratings import Result
from interactive_envs.reporting.records import CallRecord

SCHEMA = 1
CUT = 6_000
"""Characters of one text that a page shows."""


# ---------------------------------------------------------------------------------------------------------- records


@dataclass(frozen=True)
class TextRecord:
    """One text of a match.

    Attributes:
        seat: who gave it.
        text: the text.
        kind: as :class:`interactive_envs.multiplayer.match.Played` says.
        reason: why it is no legal move, None for one.
        seconds: that the player took.
        calls: the model calls behind it, those of a late reply among them.
        illegal: whether it could be read, and was not legal.
    """

    seat: int
    text: str
    kind: str
    reason: str | None
    seconds: float
    calls: tuple[CallRecord, ...] = ()
    illegal: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the entry of the match's record; without calls it has none, and ``illegal`` only where it is true."""
        content = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        content = content if self.illegal else _without(content, "illegal")
        calls = [call.to_json() for call in self.calls]
        return content | {"calls": calls} if calls else _without(content, "calls")

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> TextRecord:
        """Read an entry back."""
        values = {name: content[name] for name in ("seat", "text", "kind", "reason", "seconds")}
        calls = tuple(map(CallRecord.from_json, content.get("calls", ())))
        return cls(**values, calls=calls, illegal=content.get("illegal", False))


@dataclass(frozen=True)
class MatchRecord:
    """One line of ``matches.jsonl``: a match with all that it takes to play it again.

    Attributes:
        schema: of the record.
        match: id in the plan.
        deal: what luck it was dealt; matches of one deal have the same seed.
        cluster: what it shares luck with, in whatever way.
        setting: position of its arguments.
        table: the session it belongs to.
        players: names, a seat each.
        scores: what each seat was paid in all.
        outcomes: values of :class:`interactive_envs.outcome.Outcome`, a seat each.
        seed: of the luck and of all that players draw.
        options: of the game's reset.
        texts: in order.
        game: the game's own record.
        agents: what each seat's player says of itself, with its spec.
        paid: US dollars.
        seconds: wall-clock time.
        versions: of the software.
        luck: what of the result was luck, None where the family does not tell.
        ended: time in UTC.
    """

    schema: int
    match: str
    deal: str
    cluster: str
    setting: int
    table: str
    players: tuple[str, ...]
    scores: tuple[float, ...]
    outcomes: tuple[str, ...]
    seed: int
    options: Mapping[str, Any]
    texts: tuple[TextRecord, ...]
    game: Mapping[str, Any]
    agents: tuple[Mapping[str, Any], ...]
    paid: float
    seconds: float
    versions: Mapping[str, str]
    luck: Mapping[str, Any] | None
    ended: str

    def to_json(self) -> dict[str, Any]:
        """Return the record's line as JSON values."""
        content = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        content |= {name: list(content[name]) for name in ("players", "scores", "outcomes", "agents")}
        content["texts"] = [text.to_json() for text in self.texts]
        return content if self.luck else _without(content, "luck")

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> MatchRecord:
        """Read a record back.

        Raises:
            KeyError: it lacks something.
            TypeError: a value cannot be.
        """
        values = {field.name: content[field.name] for field in dataclasses.fields(cls) if field.name != "luck"}
        values |= {name: tuple(values[name]) for name in ("players", "scores", "outcomes", "agents")}
        texts = tuple(map(TextRecord.from_json, content["texts"]))
        return cls(**values | {"texts": texts, "luck": content.get("luck")})


def _without(content: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in content.items() if key != name}


# ------------------------------------------------------------------------------------------------------------- rows


@dataclass(frozen=True, slots=True)
class TextRow:
    """What summaries need of a text: the call's tokens are (prompt, completion, reasoning)."""

    seat: int
    kind: str
    reason: str | None
    seconds: float
    tokens: tuple[int, int, int]
    cost: float | None
    illegal: bool = False


@dataclass(frozen=True, slots=True)
class MatchRow:
    """What summaries need of a match; the fields that a :class:`MatchRecord` has, too, are its.

    Attributes:
        counts: what :meth:`MatchReport.row` made of the record.
    """

    match: str
    deal: str
    cluster: str
    setting: int
    table: str
    players: tuple[str, ...]
    scores: tuple[float, ...]
    outcomes: tuple[str, ...]
    texts: tuple[TextRow, ...]
    counts: Any
    seconds: float

    @property
    def rated(self) -> bool:
        """Whether it says who is better: nobody met himself."""
        return len(set(self.players)) == len(self.players)


def row_of(record: MatchRecord, report: MatchReport, game: Game[Any]) -> MatchRow:
    """Return the row of a match; ``game`` has the rules it was played by."""
    return MatchRow(
        record.match,
        record.deal,
        record.cluster,
        record.setting,
        record.table,
        record.players,
        record.scores,
        record.outcomes,
        tuple(map(_text_row, record.texts)),
        report.row(record, game),
        record.seconds,
    )


def _text_row(text: TextRecord) -> TextRow:
    prompt, completion, reasoning = (
        sum(getattr(call.usage, kind) for call in text.calls) for kind in ("prompt", "completion", "reasoning")
    )
    costs = [call.cost for call in text.calls]
    known = [cost for cost in costs if cost is not None]
    cost = sum(known) if len(known) == len(costs) else None
    return TextRow(text.seat, text.kind, text.reason, text.seconds, (prompt, completion, reasoning), cost, text.illegal)


def seats_of(name: str, rows: Sequence[MatchRow]) -> list[tuple[MatchRow, int]]:
    """Return the matches of a player with its seat, both seats where it met itself."""
    return [(row, seat) for row in rows for seat, player in enumerate(row.players) if player == name]


def clusters_of(seats: Sequence[tuple[MatchRow, int]]) -> list[int]:
    """Return the number of each match's cluster, for intervals."""
    known: dict[str, int] = {}
    return [known.setdefault(row.cluster, len(known)) for row, _ in seats]


# ---------------------------------------------------------------------------------------------------------- reports

Columns = tuple[tuple[str, str, str], ...]
"""Of a table: title with ``|`` for a line break, name among :meth:`MatchReport.numbers`, style."""


class MatchReport:
    """What a family says of its matches; this one fits any game, and a family overrides what it knows better.

    Settings and players are those of ``summary.json``.
    """

    noun, nouns = "match", "matches"
    score = "Score a match"
    """What a cross-table holds."""
    unit = "Score"
    """What scores count."""
    ranking: Columns = (("Score|a match", "score", "score"),)
    ranking_note = ""
    """Goes on with the sentence below the ranking."""
    columns: Columns = ()
    """Of how they played."""
    columns_note = ""
    terminal: ClassVar[Mapping[str, str]] = {}
    """Statistics that the terminal shows, and their titles."""
    common_luck = True
    """Whether all pairs of a repeat meet the same luck, where a tournament does not say."""
    differences = True
    """Whether the page has a table of the differences between players."""
    package: str | None = None
    """Whose folder ``data`` has the templates that follow; None for the tournament's own."""
    page = "tournament_talk.html.j2"
    """Template of a page of matches."""
    extra_tables: str | None = None
    """Template of what follows the tables of how they played."""

    arguments: ClassVar[Mapping[str, Any]] = {}
    """What a tournament makes the environment with unless it says otherwise."""

    def check(self, arguments: Mapping[str, Any]) -> None:
        """Refuse arguments of the environment with which a match would not be one.

        Raises:
            ConfigError: it says what to change.
        """

    def luck(self, record: Mapping[str, Any], seed: int) -> dict[str, Any] | None:
        """Return what of a result was luck, for the match's record, or None.

        Args:
            record: the game's own.
            seed: of the match.
        """
        return None

    def stacks_after(self, record: Mapping[str, Any], game: Game[Any]) -> list[int]:
        """Return the chips a seat with which the next match of a table begins, for games with chips.

        Raises:
            ConfigError: the report does not say, so chips cannot be carried.
        """
        raise ConfigError(f"{type(self).__name__} does not say what chips are left; leave out carry = true")

    def row(self, record: MatchRecord, game: Game[Any]) -> Any:
        """Return what :meth:`statistics` and :meth:`setting` need of a match."""
        return None

    def results(self, rows: Sequence[MatchRow]) -> list[Result]:
        """Return what ratings count, of matches in which nobody met himself."""
        return [Result(row.cluster, row.players, row.scores) for row in rows]

    def statistics(self, names: Sequence[str], rows: Sequence[MatchRow]) -> dict[str, dict[str, Any]]:
        """Return how each player played."""
        return {}

    def setting(self, names: Sequence[str], rows: Sequence[MatchRow], game: Game[Any]) -> dict[str, Any]:
        """Return what else the summary says of a setting."""
        return {}

    def main_score(self, player: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the estimate by which players are ordered at the terminal."""
        return dict(player["score"])

    def terminal_lines(self, setting: Mapping[str, Any]) -> Iterator[str]:
        """Yield what the terminal says below a setting's players."""
        return iter(())

    def numbers(self, player: Mapping[str, Any], setting: Mapping[str, Any]) -> dict[str, Any]:
        """Return a player's numbers by the names that columns and charts use."""
        return {**player["statistics"], "score": player["score"], "unreadable": player["unreadable"]}

    def sections(self, settings: Sequence[Mapping[str, Any]]) -> list[tuple[str, str, str]]:
        """Return the page's extra sections: anchor, title in the menu, template."""
        return []

    def figures(self, league: League) -> Iterator[Chart]:
        """Yield the charts that are not those of every game."""
        yield from draw_scores(league)
        yield from draw_cumulative(league, self.unit, self.nouns)

    def sweep(self, league: League, argument: str) -> Iterator[Chart]:
        """Yield what is drawn against an argument with several values."""
        yield from draw_sweep(league, argument, {"Score a match": ("score", decimals)})

    def page_content(self, players: Sequence[str], matches: Sequence[MatchRecord]) -> dict[str, Any]:
        """Return what the template of a page of matches needs.

        Args:
            players: names of all who occur.
            matches: of one table or pair.
        """
        return {"matches": matches}


@functools.cache
def report_of(env_id: str) -> MatchReport:
    """Return what the family of an environment says of its matches.

    Raises:
        UnknownNameError: the id is not registered.
    """
    entry_point = catalog.family(catalog.entry(env_id)["family"]).matches
    report: MatchReport = catalog.attribute(entry_point)() if entry_point else MatchReport()
    return report


def texts_until_move(texts: Iterator[TextRecord]) -> list[dict[str, Any]]:
    """Take the texts up to one that was played, for a page: those that could not be read before it, and itself."""
    taken = []
    for text in texts:
        shown = visible(text.text)
        shown = shown if len(shown) <= CUT else f"{shown[:CUT]} … (cut here)"
        said = {"text": shown, "kind": text.kind, "reason": text.reason, "seconds": text.seconds}
        taken.append(said | ({"illegal": True} if text.illegal else {}))
        if text.kind != "retry":
            break
    return taken
