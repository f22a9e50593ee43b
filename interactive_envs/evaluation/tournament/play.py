"""Plays tournaments in any game for several seats, crash-safe at the hand.

No result depends on the number of workers, on faults, or on what was resumed.

config.json      what was asked for; a resume must ask for the same
matches.jsonl    one JSON line a match (for hold'em a hand), appended and flushed as it ends; see system/parts.py
damaged.jsonl    lines that are no records any more, byte for byte; a resume sets them aside and plays them again
faults.jsonl     attempts that infrastructure broke: no play, not scored, retried
summary.json     a function of the sorted matches, without times and cost
timing.json      times and cost
spent.json       US dollars paid so far, where anything was
"""

from __future__ import annotations

import concurrent.futures
import dataclasses
import datetime
import functools
import json
import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from interactive_envs import catalog
from interactive_envs.agent import Agent, resolve_agent
from interactive_envs.errors import ConfigError, FaultError
from interactive_envs.evaluation.run import episode, pool, stepping
from interactive_envs.evaluation.run.episode import Job, Spending
from interactive_envs.evaluation.tournament import summary as tournament_summary
from interactive_envs.evaluation.tournament.log import TournamentLog
from interactive_envs.evaluation.tournament.plan import (
    Planned,
    Player,
    Tournament,
    check_seats,
    load,
    plan,
    seed_of,
    shipped,
)
from interactive_envs.llm.calls import ModelCall
from interactive_envs.multiplayer.game import Game
from interactive_envs.multiplayer.match import Match, Played
from interactive_envs.multiplayer.play import play_out, reset_info
from interactive_envs.reporting.compact.keys import KeySet
from interactive_envs.reporting.estimates import dump
from interactive_envs.reporting.loggers.base import Loggers
from interactive_envs.reporting.matches import SCHEMA, MatchRecord, TextRecord
from interactive_envs.reporting.records import CallRecord, Cell, RunConfig
from interactive_envs.reporting.store import RunStore, differences_of, read_config
from interactive_envs.system.disk import write_atomically
from interactive_envs.system.files import make_private_folder

__all__ = [
    "Planned",
    "Player",
    "Tournament",
    "TournamentStore",
    "check",
    "finish",
    "load",
    "plan",
    "play_match",
    "run",
    "shipped",
]


def check(tournament: Tournament, *, limit_cost: float | None = None) -> Tournament:
    """Refuse a tournament that cannot be played, before anything is: every player is made once.

    Args:
        tournament: what is to be played.
        limit_cost: where given, every price must be known.

    Returns:
        The tournament with ``content``.

    Raises:
        ConfigError: an id, argument or player cannot be used.
        CostLimitError: a price is unknown and there is a limit.
    """
    entry = catalog.entry(tournament.id)
    if "aec" not in entry["views"]:
        raise ConfigError(f"{tournament.id} has one seat; a tournament needs a game for several (views with aec)")
    for arguments in tournament.settings:
        tournament.report.check(arguments)
    for game in tournament.games:
        check_seats(tournament, game)
    content = pool.check(_cells(tournament), limit_cost=limit_cost).content
    return dataclasses.replace(tournament, content=content)


def _cells(tournament: Tournament) -> RunConfig:
    """Every player in every setting, as cells of a run."""
    cells = [
        Cell(tournament.id, arguments, player.spec)
        for arguments in tournament.settings
        for player in tournament.players
    ]
    return RunConfig(tuple(cells), 1, time_limit=tournament.time_limit, content=tournament.content)


def play_match(
    tournament: Tournament,
    planned: Planned,
    *,
    stacks: Sequence[int] | None = None,
    tables: pool.Tables | None = None,
    spending: Spending | None = None,
) -> MatchRecord:
    """Play one match and return its record.

    The same ``seed`` and ``options`` deal the same luck to PettingZoo's view of the game, which plays the same match
    from the same texts.

    Args:
        tournament: what is played.
        planned: which match of it.
        stacks: chips a seat where they are carried, None to begin with the game's own.
        tables: environments to play in.
        spending: the cost so far, checked before each action.

    Raises:
        FaultError: infrastructure failed; nothing of the match counts.
        StoppedError: the tournament is being stopped.
        CostLimitError: the limit is reached in the middle; nothing of the match counts.
    """
    spending, started = spending or Spending(None), time.perf_counter()
    arguments = tournament.settings[planned.setting]
    env = (tables or pool.Tables()).env(Cell(tournament.id, arguments, "")).unwrapped
    game: Game[Any] = env.game
    match = Match(game, retries=env.retries, on_invalid=env.on_invalid)
    seed, options = seed_of(tournament, planned), options_of(planned, game, stacks)
    stepping.guarded(lambda: match.begin(seed, options))
    bill = _Bill(spending)
    seats: dict[int, _Seat] = {}
    texts: list[tuple[Played, float, list[CallRecord]]] = []
    try:
        for number, place in enumerate(planned.order):
            seats[number] = _Seat(tournament, planned, tournament.players[place].spec, bill)
            seats[number].reset(match.seeds.players[number], reset_info(match, number))
        stepping.guarded(lambda: play_out(match, seats, lambda played: texts.append(seats[played.seat].note(played))))
        result = result_of(match)
        agents = tuple({"spec": seat.spec, **seat.agent.describe()} for seat in seats.values())
        seconds = round(time.perf_counter() - started, 4)
    finally:
        for seat in seats.values():
            seat.agent.close()
    return MatchRecord(
        SCHEMA,
        planned.match,
        planned.deal,
        planned.cluster,
        planned.setting,
        planned.table,
        tuple(tournament.players[place].name for place in planned.order),
        result.scores,
        result.outcomes,
        seed,
        options,
        tuple(
            TextRecord(one.seat, one.text, one.kind, one.reason, took, tuple(calls), one.illegal)
            for one, took, calls in texts
        ),
        result.game,
        agents,
        bill.paid,
        seconds,
        episode.installed_versions(),
        tournament.report.luck(result.game, seed),
        datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
    )


def options_of(planned: Planned, game: Game[Any], stacks: Sequence[int] | None) -> dict[str, Any]:
    """Return the reset options of a match; ``stacks`` are chips a seat where they are carried."""
    button = {"button": planned.button} if "button" in game.reset_options else {}
    return button if stacks is None else {**button, "stacks": list(stacks)}


@dataclass(frozen=True)
class Result:
    """What a finished match leaves; see :class:`~interactive_envs.reporting.matches.MatchRecord`."""

    scores: tuple[float, ...]
    outcomes: tuple[str, ...]
    game: dict[str, Any]


def result_of(match: Match[Any]) -> Result:
    """Return what a finished match leaves."""
    game, state = match.game, match.state
    scores = tuple(float(value) for value in game.returns(state))
    return Result(scores, tuple(outcome.value for outcome in game.outcomes(state)), game.record(state))


class _Bill:
    """What one match cost, added up in the order of play.

    Args:
        spending: of the whole tournament, which counts it, too.
    """

    def __init__(self, spending: Spending) -> None:
        self.spending = spending
        self.paid = 0.0

    def add(self, calls: Sequence[ModelCall]) -> None:
        self.paid += self.spending.add(calls)


class _Seat:
    """A player at a table, for one match: limits its time, counts its cost, and keeps what the record says of it."""

    def __init__(self, tournament: Tournament, planned: Planned, spec: str, bill: _Bill) -> None:
        self.spec = spec
        self.agent = _constructor(spec, tournament.id)()
        cell = Cell(tournament.id, tournament.settings[planned.setting], spec)
        self._thinking = episode.Thinking(self.agent, Job(0, cell, planned.match, 0, 0, 0, tournament.time_limit))
        self._match = planned.match
        self._bill = bill
        self._seconds = 0.0
        self._calls: list[ModelCall] = []
        self._last: list[CallRecord] = []
        self._sent: tuple[Any, ...] = ()

    def reset(self, seed: int, info: Mapping[str, Any]) -> None:
        episode.of_agent(self.spec, self._match, lambda: self.agent.reset(seed=seed, info=info))

    @property
    def wants_view_text(self) -> bool:
        return self.agent.wants_view_text

    @property
    def reads_text(self) -> bool:
        return self.agent.reads_text

    @property
    def reads_view(self) -> bool:
        return self.agent.reads_view

    def act(self, observation: str, info: dict[str, Any]) -> str:
        self._bill.spending.check()
        begun = time.perf_counter()
        try:
            text = self._thinking.act(observation, info)
        except FaultError as error:
            self._bill.add([*self.agent.drain_calls(), *error.calls])  # what came before it broke was paid for
            raise
        self._seconds = round(time.perf_counter() - begun, 4)
        self._calls = self.agent.drain_calls()
        self._bill.add(self._calls)
        return text

    def note(self, played: Played) -> tuple[Played, float, list[CallRecord]]:
        """Return what the record says of the text that :meth:`act` gave last; late calls may follow in the list."""
        self._last = []
        self._keep(self._calls)
        return played, self._seconds, self._last

    def finish(self, observation: str, reward: float, info: dict[str, Any]) -> None:
        if self._thinking.wait():
            late = self.agent.drain_calls()  # what a player was still saying when the match ended was paid for, too
            self._bill.add(late)
            self._keep(late)
        episode.of_agent(self.spec, self._match, lambda: self.agent.finish(observation, reward, info))

    def _keep(self, calls: Sequence[ModelCall]) -> None:
        """Put calls with the seat's last text."""
        for call in calls:
            self._last.append(CallRecord.of(call, self._sent))
            self._sent = call.messages


@functools.cache
def _constructor(spec: str, env_id: str) -> Callable[[], Agent]:
    return resolve_agent(spec, env_id)


class TournamentStore(RunStore):
    """The files of one tournament; at most one process writes them at a time."""

    indexes: ClassVar[bool] = False

    def __init__(self, folder: Path, tournament: Tournament) -> None:
        super().__init__(folder, RunConfig((), 0))  # a tournament has a configuration of its own
        self.tournament = tournament

    @classmethod
    def begin(cls, folder: Path, tournament: Tournament, *, resume: bool) -> TournamentStore:
        """Start a tournament, or go on with the one in the folder.

        Raises:
            ConfigError: there is one already and it is not to be resumed, or it is another.
        """
        path = folder / "config.json"
        store = cls(folder, tournament)
        if path.exists() or store.lines.files():
            if not resume:
                raise ConfigError(
                    f"{folder} holds a tournament already; set resume to continue it, or choose another out folder"
                )
            stored = cls.read_only(folder).tournament.as_json()
            differences = list(
                differences_of(json.loads(json.dumps(stored)), json.loads(json.dumps(tournament.as_json())))
            )
            if differences:
                shown = "; ".join(differences[:5])
                raise ConfigError(f"cannot resume {folder}: the configuration changed: {shown}")
        make_private_folder(folder)
        store._acquire()
        try:
            if not path.exists():
                write_atomically(path, json.dumps(tournament.as_json(), indent=1, ensure_ascii=False) + "\n")
            store._open_lines()
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def read_only(cls, folder: Path) -> TournamentStore:
        """Look at a tournament without changing it.

        Raises:
            ConfigError: there is none in the folder, or its configuration cannot be read.
        """
        path = folder / "config.json"
        try:
            return cls(folder, Tournament.from_json(read_config(path)))
        except (FileNotFoundError, NotADirectoryError):
            raise ConfigError(f"{folder} holds no tournament: config.json is missing") from None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ConfigError(
                f"{path} cannot be read as a tournament's configuration: {error}; put back what it was, "
                "or choose another out folder"
            ) from None

    @property
    def path(self) -> Path:
        """Where the matches are."""
        return self.folder / "matches.jsonl"

    def add(self, record: MatchRecord) -> None:
        """Write a finished match."""
        self._write(record.to_json())

    def matches(self) -> Iterator[MatchRecord]:
        """The records in the order in which the matches ended, one at a time; a cut last line is none."""
        return (MatchRecord.from_json(record) for _, _, record in self.records())

    @functools.cached_property
    def plan(self) -> dict[str, Planned]:
        """The planned matches by id."""
        return {planned.match: planned for planned in plan(self.tournament)}

    def __enter__(self) -> TournamentStore:
        return self

    def _flaw(self, record: Mapping[str, Any]) -> str:
        if record["schema"] != SCHEMA:
            return f"it has schema {record['schema']!r}, this version reads {SCHEMA}"
        planned = self.plan.get(record["match"])
        if planned is None:
            return "its match is not planned"
        known = {name: getattr(planned, name) for name in ("deal", "cluster", "setting", "table")}
        known |= {"players": [self.tournament.players[number].name for number in planned.order]}
        for name, value in (known | {"seed": seed_of(self.tournament, planned)}).items():
            if record[name] != value:
                return f"its {name} is not that of match {planned.match}"
        tournament_summary.read_row(self.tournament, MatchRecord.from_json(record))
        return ""

    def _key(self, record: Mapping[str, Any]) -> Hashable:
        return str(record["match"])

    def no_keys(self) -> KeySet:
        """An empty set of ids."""
        return set()


@dataclass
class _Chain:
    """Matches that wait for one another; without carried chips a chain has one."""

    left: list[Planned]
    played: Mapping[str, list[int] | None]
    """What an earlier call played, and the chips after it."""
    stacks: list[int] | None = None

    def advance(self, stacks: list[int] | None) -> None:
        """Go on after a match, and over those that were played already: one between them may have been lost."""
        del self.left[0]
        self.stacks = stacks
        self.skip()

    def skip(self) -> None:
        """Go on to the next match that is to be played."""
        while self.left and self.left[0].match in self.played:
            self.stacks = self.played[self.left.pop(0).match]


def run(
    tournament: Tournament,
    folder: Path,
    *,
    workers: int = 1,
    resume: bool = False,
    limit_cost: float | None = None,
    backend: str = "thread",
    address: str | None = None,
    progress: Callable[[Planned, MatchRecord | None], object] | None = None,
    begin: Callable[[int, int], None] | None = None,
    on_fault: Callable[[str], None] | None = None,
    log: Sequence[str] = (),
    on_note: Callable[[str], None] | None = None,
) -> TournamentStore:
    """Play what is missing of a tournament, then write ``summary.json`` and ``timing.json``.

    Args:
        tournament: what to play.
        folder: where its files are.
        workers: matches at once; results do not depend on it.
        resume: go on with the tournament in the folder.
        limit_cost: stop when this many US dollars are spent.
        backend: ``thread`` (language models), ``process`` (players that compute) or ``ray`` (many machines).
        address: of a running Ray cluster, None to start one on this machine.
        progress: called after each match with its record, or None where infrastructure broke it for good.
        begin: called once before playing, with the matches there are already and those of the whole plan.
        on_fault: called with the message of every attempt that infrastructure broke.
        log: specs of loggers, see :class:`interactive_envs.reporting.loggers.base.Loggers`.
        on_note: called with a line for each logger that failed; by default it is a warning.

    Returns:
        The store, closed for writing.

    Raises:
        ConfigError: the tournament cannot be played, or differs from the stored one.
        CostLimitError: the limit is reached, or cannot be kept because a price is unknown.
    """
    pool.check_backend(workers, backend, address)
    loggers = Loggers(log, folder, on_note)
    tournament = check(tournament, limit_cost=limit_cost)
    if any(_interactive(player.spec, tournament.id) for player in tournament.players):
        workers = pool.for_a_person(backend)
    with TournamentStore.begin(folder, tournament, resume=resume) as store:
        matches = plan(tournament)
        chains = _chains(store, matches)
        left = sum(len(chain.left) for chain in chains)
        if begin:
            begin(len(matches) - left, len(matches))
        logged = TournamentLog(loggers, tournament, len(matches))
        logged.begin(store.matches())
        spending = Spending(limit_cost, store.spent())
        try:
            ended, broke = pool.both(logged.advance, progress), pool.both(logged.fault, on_fault)
            _play_all(chains, store, spending, workers, backend, ended, broke, address)
        finally:
            store.end_writing()
            logged.finish(finish(store))
    return store


def _interactive(spec: str, env_id: str) -> bool:
    agent = _constructor(spec, env_id)()
    agent.close()
    return agent.interactive


def finish(store: TournamentStore) -> dict[str, Any]:
    """Write ``summary.json`` and ``timing.json`` of what is there; return the content of the first."""
    rows = tournament_summary.rows_of(store.tournament, store.matches())
    planned = len(store.plan)
    summary = tournament_summary.summarise(store.tournament, rows, planned)
    write_atomically(store.folder / "summary.json", dump(summary))
    write_atomically(store.folder / "timing.json", dump(tournament_summary.timing(store.tournament, rows)))
    return summary


def _chains(store: TournamentStore, matches: Sequence[Planned]) -> list[_Chain]:
    """What is left to play; of carried chips the hand before tells how many there are."""
    played = {record.match: chips_after(store.tournament, record) for record in store.matches()}
    chains: dict[tuple[int, str], _Chain] = {}
    for planned in matches:
        key = (planned.setting, planned.table if store.tournament.carry else planned.match)
        chains.setdefault(key, _Chain([], played)).left.append(planned)
    for chain in chains.values():
        chain.skip()
    return [chain for chain in chains.values() if chain.left]


def chips_after(tournament: Tournament, record: MatchRecord) -> list[int] | None:
    """Return the chips a seat with which the next match of the table begins, None where none are carried."""
    if not tournament.carry:
        return None
    return tournament.report.stacks_after(record.game, tournament.games[record.setting])


def _play_all(
    chains: Sequence[_Chain],
    store: TournamentStore,
    spending: Spending,
    workers: int,
    backend: str,
    progress: Callable[[Planned, MatchRecord | None], object] | None,
    on_fault: Callable[[str], None] | None,
    address: str | None,
) -> None:
    tournament, tables = store.tournament, pool.Tables()
    cluster = pool.cluster_for(_cells(tournament), spending, workers, address) if backend == "ray" else None

    def submit(executor: concurrent.futures.Executor, chain: _Chain) -> pool.Pending[MatchRecord]:
        if cluster:
            planned, count = chain.left[0], len(tournament.players)
            play_it = functools.partial(play_match, tournament, planned, stacks=chain.stacks)
            return cluster.submit(play_it, [planned.setting * count + place for place in sorted(set(planned.order))])
        play: Callable[..., MatchRecord] = _play_in_process
        if backend == "thread":
            play = functools.partial(play_match, tables=tables, spending=spending)
        return executor.submit(play, tournament, chain.left[0], stacks=chain.stacks)

    def keep(chain: _Chain, record: MatchRecord) -> _Chain | None:
        planned = chain.left[0]
        store.add(record)
        chain.advance(chips_after(tournament, record))
        if progress:
            progress(planned, record)
        return chain if chain.left else None

    def give_up(chain: _Chain) -> None:
        if progress:
            progress(chain.left[0], None)

    try:
        pool.play_all(
            iter(chains),
            store,
            spending,
            workers,
            backend,
            submit=submit,
            keep=keep,
            give_up=give_up,
            close=tables.close,
            fault_of=lambda chain: {"match": chain.left[0].match},
            on_fault=on_fault,
            paid=lambda record: record.paid,
            pool=cluster.pool if cluster else None,
        )
    finally:
        if cluster:
            cluster.close()


_process_tables: pool.Tables | None = None


def _play_in_process(tournament: Tournament, planned: Planned, *, stacks: Sequence[int] | None) -> MatchRecord:
    global _process_tables
    if _process_tables is None:
        _process_tables = pool.Tables()
    return play_match(tournament, planned, stacks=stacks, tables=_process_tables)
