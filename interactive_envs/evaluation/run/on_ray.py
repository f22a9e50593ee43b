"""Plays runs and tournaments on a Ray cluster. Workers return records; this process alone writes and keeps the books.

A worker plays nothing before it has shown that its code, data, prompts and files are those of the process that gives
out the work. A worker or machine that is lost is a fault of the attempts that it had: they are played again here, never
by Ray, which would pay twice unseen.
"""

from __future__ import annotations

import concurrent.futures
import functools
import hashlib
import itertools
import os
import re
import sys
import time
import urllib.parse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from interactive_envs import catalog
from interactive_envs.agent import resolve_agent
from interactive_envs.errors import ConfigError, FaultError, IbenchError
from interactive_envs.evaluation.run import desk, pool
from interactive_envs.evaluation.run.episode import Spending, installed_versions
from interactive_envs.judges.base import resolve_judge
from interactive_envs.llm import cache as calls
from interactive_envs.llm import clients, pace
from interactive_envs.making import make
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.reporting.store import differences_of
from interactive_envs.seeds import canonical_json
from interactive_envs.system import own_modules
from interactive_envs.system.ray_workers import LostError, Ray

PRICES = "IBENCH_PRICES"
_PIECES = re.compile(r"[?&=,|:]")


@dataclass(frozen=True)
class Setting:
    """What every worker of a run is told.

    Attributes:
        software: versions and code, which must be the worker's.
        folder: where relative paths begin, if it is there.
        path: where modules are looked for that the worker has not itself.
        modules: the folder of the user's own modules.
        desk: where to ask.
        rate: requests a minute to each model, of one worker.
        prices: the user's price file.
        limited: whether the run has a cost limit, for which prices must be known.
    """

    software: Mapping[str, str]
    folder: str
    path: tuple[str, ...]
    modules: str | None
    desk: desk.Address
    rate: str
    prices: str
    limited: bool


@dataclass(frozen=True)
class Part:
    """What a worker must have to play: a cell, and what :func:`needs` says of it.

    Attributes:
        number: of the cell among all that are played.
        cell: an environment and a player.
        anytime: whether the player is also asked between its turns.
        needs: what it is here.
        least: what a machine must have at least, as the card of the cell's family says it.
    """

    number: int
    cell: Cell
    anytime: bool
    needs: Mapping[str, Any]
    least: int


@dataclass(frozen=True)
class Order:
    """An episode or a match to play, and what the worker must have for it.

    Attributes:
        play: plays it, given ``tables`` and ``spending``.
        parts: a player each.
        attempt: its number among all attempts.
    """

    play: Callable[..., Any]
    parts: tuple[Part, ...]
    attempt: int


@dataclass(frozen=True)
class Told:
    """What became of an order: a record, or why there is none."""

    attempt: int
    record: Any = None
    refused: Mapping[str, str] | None = None


class Cluster:
    """Gives out the episodes of a run, or the matches of a tournament.

    Args:
        config: what is played, with its content.
        spending: the cost so far.
        workers: how many at once.
        address: of a running cluster, None to start one on this machine.
    """

    def __init__(self, config: RunConfig, spending: Spending, workers: int, address: str | None) -> None:
        self.pool = Ray(workers, address, self._opened)
        self._config, self._spending, self._workers = config, spending, workers
        self._attempts = itertools.count()
        self._parts: dict[int, Part] = {}
        self._places = Places(self.pool)
        self._desk: desk.Desk | None = None
        self._setting: Setting | None = None

    def submit(self, play_it: Callable[..., Any], cells: Sequence[int]) -> pool.Pending[Any]:
        """Play something on a worker.

        Args:
            play_it: plays it there, given ``tables`` and ``spending``, and returns its record.
            cells: numbers of the cells that take part.
        """
        setting = self.setting()
        parts = tuple(map(self._part, cells))
        order = Order(play_it, parts, next(self._attempts))
        pending = self.pool.submit_to(self._places.of(parts[0].cell.env_id), play, setting, order)
        pending.add_done_callback(functools.partial(self._ended, order.attempt))
        return pending

    def _ended(self, attempt: int, future: concurrent.futures.Future[Any]) -> None:
        if self._desk and not future.cancelled() and isinstance(future.exception(), LostError):
            self._desk.give_up(attempt)

    def _part(self, number: int) -> Part:
        if number not in self._parts:
            cell, content = self._config.cells[number], self._config.content[number]
            least = self._places.least(cell.env_id)
            self._parts[number] = Part(number, cell, self._config.anytime, needs(cell, content), least)
        return self._parts[number]

    def close(self) -> None:
        """Answer no worker any more."""
        if self._desk:
            self._desk.close()

    def setting(self) -> Setting:
        """What workers are told; the desk is opened for it."""
        if self._setting is not None:
            return self._setting
        self._desk = desk.Desk(self.pool.host, self._spending)
        here = os.getcwd()
        self._setting = Setting(
            software=software(),
            folder=here,
            path=tuple(folder or here for folder in sys.path),
            modules=own_modules.searched(),
            desk=self._desk.address,
            rate=share_of(pace.requests_per_minute(), self._workers),
            prices=os.environ.get(PRICES, ""),
            limited=self._spending.limit is not None,
        )
        return self._setting

    def _opened(self, told: Told) -> Any:
        if self._desk:
            self._desk.forget(told.attempt)
        if told.refused is not None:
            raise desk.refused(told.refused)
        return told.record


class Places:
    """Which machines of a cluster have what a family needs.

    Args:
        cluster: whose machines are asked, each once for every need; new ones as they come.
    """

    REFRESH = 10.0
    """Seconds between two looks for new machines."""

    def __init__(self, cluster: Ray) -> None:
        self._cluster = cluster
        self._least: dict[str, int] = {}
        self._found: dict[str, dict[str, int]] = {}
        self._looked: dict[str, float] = {}

    def least(self, env_id: str) -> int:
        """What a machine must have to play an environment: what this one has, 0 where no machine has as much."""
        need = need_of(env_id)
        if need is None:
            return 0
        if need not in self._least:
            self._least[need] = what_is_here(need)
        best = max(self._look(need).values(), default=0)
        return self._least[need] if best >= self._least[need] else 0

    def of(self, env_id: str) -> tuple[str, ...]:
        """The machines to play an environment on; none named where all can, or none has what it needs."""
        need = need_of(env_id)
        if need is None:
            return ()
        found, least = self._look(need), max(1, self.least(env_id))
        able = tuple(node for node, has in found.items() if has >= least)
        return able if len(able) < len(found) else ()

    def _look(self, need: str) -> dict[str, int]:
        found = self._found.setdefault(need, {})
        if time.monotonic() - self._looked.get(need, -self.REFRESH) >= self.REFRESH:
            there = self._cluster.nodes()
            fresh = self._cluster.ask_nodes(set(there) - found.keys(), what_is_here, need)
            self._found[need] = found = {node: has for node, has in (found | fresh).items() if node in there}
            self._looked[need] = time.monotonic()
        return found


def need_of(env_id: str) -> str | None:
    """What the card of an environment's family says that a machine must have."""
    unit = catalog.load()["units"].get(env_id)
    return catalog.family(unit["family"]).needs if unit else None


def what_is_here(need: str) -> int:
    """How much this machine has of what a card says, 0 for nothing."""
    try:
        return int(catalog.attribute(need)())
    except ConfigError:
        return 0


def share_of(rate: float, workers: int) -> str:
    """A worker's share of a rate, as its variable says it; "" for no limit.

    >>> share_of(90.0, 4), share_of(float("inf"), 4)
    ('22.5', '')
    """
    return "" if rate == float("inf") else repr(rate / workers)


@cache
def software() -> dict[str, str]:
    """Versions, and a hash of this package's code: a version that is still worked on says little."""
    root = Path(__file__).parents[2]
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        digest.update(f"{path.relative_to(root).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    versions = {name: text for name, text in installed_versions().items() if name != "platform"}
    return versions | {"code": digest.hexdigest()[:16]}


def needs(cell: Cell, content: Mapping[str, Any]) -> dict[str, Any]:
    """What a worker must have to play a cell as it is played here: what it says of itself, and its files by hash."""
    return {"content": content, "files": dict(_files(cell)), "modules": dict(_modules(cell))}


def _files(cell: Cell) -> Iterator[tuple[str, str]]:
    """Files here that a player, judge or argument names, such as a checkpoint or a prompt, with their hashes."""
    prices = os.environ.get(PRICES, "")
    for text in sorted({*_texts([cell.agent, cell.judge, dict(cell.arguments)]), *([prices] if prices else [])}):
        # A word without a dot or a slash is a name, even where a file happens to be called so.
        if ("/" in text or "." in text) and len(text) < 4096 and os.path.isfile(text):
            yield text, hash_of(text)


def _texts(value: Any) -> Iterator[str]:
    """All texts in a specification, whole and in their parts."""
    if isinstance(value, str):
        yield value
        yield from map(urllib.parse.unquote, _PIECES.split(value))
    elif isinstance(value, Mapping | list | tuple):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(inner)


def hash_of(path: str) -> str:
    """The hash of a file; "absent" where there is none that can be read."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return "absent"


def _modules(cell: Cell) -> Iterator[tuple[str, str]]:
    """Hashes of the modules outside this package that define a cell's player, judge, opponents and environment."""
    env: Any = make(cell.env_id, **cell.arguments)
    held = [env.unwrapped, *(resolve_agent(spec, cell.env_id)() for spec in (cell.agent, *env.unwrapped.opponents))]
    if cell.judge is not None:
        held.append(resolve_judge(cell.judge)())
    for one in held:
        name = type(one).__module__
        file = getattr(sys.modules.get(name), "__file__", None)
        if name.partition(".")[0] != "interactive_envs" and file:
            yield name, hash_of(file)
        one.close()


def play(setting: Setting, order: Order) -> Told:
    """Play it, on the worker."""
    try:
        worker = _worker_of(setting)
        for part in order.parts:
            worker.check(part)
        return Told(order.attempt, worker.play(order))
    except IbenchError as error:
        return Told(order.attempt, refused=desk.refusal(error))


class Worker:
    """A process that plays episodes of one run.

    Args:
        setting: what the run says.

    Raises:
        ConfigError: the software here is another one.
    """

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self._checked: set[int] = set()
        self._tables = pool.Tables()
        self._ask = desk.Asking(setting.desk)
        _compare("software", setting.software, software())
        if os.path.isdir(setting.folder):
            os.chdir(setting.folder)
        sys.path += [entry for entry in setting.path if entry not in sys.path]
        if setting.modules is not None:
            own_modules.search(Path(setting.modules))
        for name, value in ((pace.VARIABLE, setting.rate), (PRICES, setting.prices)):
            if value:
                os.environ[name] = value
            else:
                os.environ.pop(name, None)
        calls.share(desk.DeskCache(self._ask))

    def check(self, part: Part) -> None:
        """Refuse what would be played here otherwise than where it comes from; once for each cell.

        Raises:
            FaultError: this machine lacks what another one has.
            ConfigError: something is missing, or another one.
            CostLimitError: a price is unknown here, and there is a limit.
        """
        if part.number in self._checked:
            return
        need = need_of(part.cell.env_id)
        if part.least and need is not None and what_is_here(need) < part.least:
            raise FaultError(f"a worker ({os.uname().nodename}) lacks what {part.cell.env_id} needs: {need}")
        _compare("files", part.needs["files"], {path: hash_of(path) for path in part.needs["files"]})
        config = RunConfig((part.cell,), 1, anytime=part.anytime)
        content = pool.check(config, limit_cost=0.0 if self.setting.limited else None).content[0]
        _compare("environment and players", part.needs["content"], content)
        _compare("modules", part.needs["modules"], dict(_modules(part.cell)))
        self._checked.add(part.number)

    def play(self, order: Order) -> Any:
        """Play it."""
        return order.play(tables=self._tables, spending=desk.Leased(self._ask, order.attempt))

    def close(self) -> None:
        """Close what it holds, for another run's."""
        self._tables.close()
        calls.share(None)
        clients.close_all()  # those made later have another cache
        self._ask.close()


def _compare(what: str, theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> None:
    if canonical_json(theirs) != canonical_json(ours):
        found = list(differences_of(theirs, ours)) or [f"{what} was another one"]
        raise ConfigError(
            f"a worker ({os.uname().nodename}) has not the same {what} as the run: {'; '.join(found[:3])}; "
            "install the same version and give it the same files"
        )


_worker: Worker | None = None


def _worker_of(setting: Setting) -> Worker:
    """This process's worker, a new one for another run."""
    global _worker
    if _worker is None or _worker.setting != setting:
        if _worker is not None:
            _worker.close()
            _worker = None
        _worker = Worker(setting)
    return _worker
