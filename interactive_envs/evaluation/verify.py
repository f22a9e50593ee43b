"""Checks that a run is what it says: played whole, on this version's data, with its prompts, and scored as rules say.

What is checked is all that follows from the files and from this version of the package. A model's replies do not: who
invents them, calls and all, is not found here.
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
import hashlib
import itertools
import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from interactive_envs import catalog
from interactive_envs.agent import Agent, resolve_agent
from interactive_envs.errors import ConfigError, IbenchError
from interactive_envs.evaluation.core import suite
from interactive_envs.evaluation.run import pool, replay
from interactive_envs.evaluation.run.episode import cell_key, installed_versions
from interactive_envs.judges.base import Judge, ask, resolve_judge
from interactive_envs.making import make
from interactive_envs.outcome import Outcome
from interactive_envs.parsing import TIMEOUT_ACTION
from interactive_envs.registration import all_arguments
from interactive_envs.reporting import estimates, summary
from interactive_envs.reporting.records import Cell, EpisodeRecord, EpisodeRow, RunConfig, row_of
from interactive_envs.reporting.store import RunStore
from interactive_envs.seeds import episode_seed
from interactive_envs.system import parts
from interactive_envs.system.disk import write_atomically
from interactive_envs.system.files import open_regular, read_json
from interactive_envs.system.workers import Processes

FILE = "verified.json"
"""The stamp: what was verified, by which version, when."""
VARIES = frozenset({"trimmed", "hints", "left"})
"""What a player says of itself that changes while it plays."""
SAID = 300
"""Characters of a difference that are told."""
BATCH = 16
"""Episodes that a worker checks between two reports of progress."""


@dataclass(frozen=True)
class Finding:
    """Something that is not as it should be.

    Attributes:
        check: its name: one of those in docs/records.md.
        where: a file, a cell or an episode.
        problem: what is wrong.
    """

    check: str
    where: str
    problem: str


@dataclass(frozen=True)
class Verified:
    """The result of :func:`verify`.

    Attributes:
        episodes: that were checked.
        findings: what is wrong; none for a run that is what it says.
        notes: what could not be checked here.
    """

    episodes: int
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]


def verify(
    folder: Path, *, sample: int | None = None, workers: int = 1, progress: Callable[[int], object] | None = None
) -> Verified:
    """Check a run, and stamp it if nothing is wrong.

    Args:
        folder: the run's.
        sample: how many episodes to replay, drawn anew each time; all by default. A sample gives no stamp.
        workers: processes that replay episodes; 1 is this one.
        progress: called with the number of episodes that were checked since it was called before.

    Raises:
        ConfigError: there is no run, or its records cannot be read; the message names the line.
    """
    store = RunStore.read_only(folder)
    rows, notes = store.rows(), dict[str, None]()
    findings = [*_of_plan(store, rows), *_of_suite(store.config, notes), *_of_content(store.config, notes)]
    drawn: Sequence[EpisodeRow] = rows
    if sample is not None and sample < len(rows):
        # who made the run must not know which episodes are looked at: no seed
        drawn = sorted(random.SystemRandom().sample(rows, sample), key=lambda row: row.key)
    for count, found, noted in _of_episodes(store, drawn, workers):
        findings += found
        notes.update(noted)
        if progress:
            progress(count)
    findings += _of_summary(store, rows)
    verified = Verified(len(drawn), tuple(findings), tuple(notes))
    if findings:
        (folder / FILE).unlink(missing_ok=True)  # an earlier version may have seen nothing wrong
    elif len(drawn) == len(rows):
        write_atomically(folder / FILE, json.dumps(_stamp(store, verified), indent=1) + "\n")
    return verified


def is_verified(folder: Path) -> bool:
    """Whether a run has a stamp and has not changed since; no signature: who can write the run can write the stamp."""
    try:
        stamp = read_json(folder / FILE)
        return bool(stamp["sha256"] == _digest(folder))
    except (OSError, ConfigError, LookupError, TypeError):
        return False


# -- the run ---------------------------------------------------------------------------------------------------------


def _of_plan(store: RunStore, rows: Sequence[EpisodeRow]) -> Iterator[Finding]:
    """Whether everything was played that was planned, and nothing else."""
    config, played = store.config, defaultdict[int, list[EpisodeRow]](list)
    for row in rows:
        played[row.cell].append(row)
    for index, cell in enumerate(config.cells):
        planned, cases = config.planned(index), pool.case_ids(cell)
        if len(played[index]) != planned:
            yield Finding("missing", f"cell {index}", f"{planned} episodes are planned, {len(played[index])} are there")
        for row in played[index]:
            if cases and row.case != dict(enumerate(cases)).get(row.case_index):
                yield Finding("case", _name(row), f"it is not the environment's case {row.case_index}")
    indexed = {row.key: row for row in rows}
    try:
        for offset, line, record in store.records():
            row = row_of(record, offset, line)
            if indexed.get(row.key) != row:
                yield Finding("index", _name(row), "index.jsonl says something else")
    except ConfigError as error:
        yield Finding("damaged", store.path.name, str(error))


def _of_suite(config: RunConfig, notes: dict[str, None]) -> Iterator[Finding]:
    """Whether a run that calls itself one of a suite plays that suite."""
    if not config.suite:
        return
    size, left_out = suite.size_of(config), list[str]()
    if size is None:
        yield Finding("suite", "config.json", f"this version has no suite {config.suite!r}")
        return
    try:
        wanted = suite.plan(size, _players_of(config), seed=config.seed, on_note=left_out.append)
    except ConfigError as error:
        yield Finding("suite", "config.json", str(error))
        return
    if left_out:  # what this machine cannot play, it cannot compare
        notes.update(dict.fromkeys(f"whether it plays {config.suite} was not checked: {text}" for text in left_out))
    elif _plays(config) != _plays(wanted):
        yield Finding("suite", "config.json", f"it does not play what {config.suite} plays")


def _players_of(config: RunConfig) -> list[str]:
    """The players as they were given: a role, behind which are several specs, by its name alone."""
    specs: dict[str, set[str]] = defaultdict(set)
    for cell in config.cells:
        specs[cell.player].add(cell.agent)
    return [name if len(found) > 1 or name in found else f"{name}={next(iter(found))}" for name, found in specs.items()]


def _plays(config: RunConfig) -> Counter[str]:
    return Counter(
        json.dumps([cell.env_id, cell.arguments, cell.player, cell.judge, config.planned(index)], sort_keys=True)
        for index, cell in enumerate(config.cells)
    )


def _of_content(config: RunConfig, notes: dict[str, None]) -> Iterator[Finding]:
    """Whether data, prompts and judges are this version's."""
    if len(config.content) != len(config.cells):
        yield Finding("content", "config.json", "it does not say what the data and the players were")
        return
    named = {"data_sha256": "data", "agent": "player", "judge": "judge", "opponents": "opponents"}
    for index, (cell, then) in enumerate(zip(config.cells, config.content, strict=True)):
        try:
            now = pool.check(dataclasses.replace(config, cells=(cell,), content=())).content[0]
        except IbenchError as error:
            notes[f"data and players of cell {index} were not compared: {error}"] = None
            continue
        for name, check in named.items():
            if then.get(name) != now.get(name):
                yield Finding(
                    check, f"cell {index}", f"{name} was {_short(then.get(name))}, is {_short(now.get(name))}"
                )


def _of_summary(store: RunStore, rows: Sequence[EpisodeRow]) -> Iterator[Finding]:
    """Whether ``summary.json`` is what the episodes give."""
    try:
        then = read_json(store.folder / "summary.json")
    except (OSError, ConfigError) as error:
        yield Finding("summary", "summary.json", str(error))
        return
    if then != json.loads(estimates.dump(summary.of_store(store, rows))):
        yield Finding("summary", "summary.json", "the episodes give other numbers; write it again with: ibench report")


# -- an episode ------------------------------------------------------------------------------------------------------

Checked = tuple[int, list[Finding], dict[str, None]]
"""Of a batch: how many episodes, what is wrong, what could not be checked."""


def _of_episodes(store: RunStore, rows: Sequence[EpisodeRow], workers: int) -> Iterator[Checked]:
    """The batches of a run, in order."""
    if workers == 1:
        with _Players() as players:
            for row in rows:
                yield _of_batch(store, (row,), players)
        return
    with Processes(workers) as pool:
        yield from pool.map(functools.partial(_elsewhere, store.folder), _batches(rows))


def _batches(rows: Sequence[EpisodeRow]) -> Iterator[tuple[EpisodeRow, ...]]:
    """Episodes of one cell each, which share what its environment loads."""
    for _, group in itertools.groupby(rows, lambda row: row.cell):
        while batch := tuple(itertools.islice(group, BATCH)):
            yield batch


def _elsewhere(folder: Path, rows: Sequence[EpisodeRow]) -> Checked:
    """Check a batch in a worker process."""
    with _Players() as players:
        return _of_batch(_opened(folder), rows, players)


_opened = functools.lru_cache(1)(RunStore.read_only)
"""A worker's run, whose index is read once."""


def _of_batch(store: RunStore, rows: Iterable[EpisodeRow], players: _Players) -> Checked:
    notes: dict[str, None] = {}
    found = [list(_of_episode(store, row, players, notes)) for row in rows]
    return len(found), [finding for findings in found for finding in findings], notes


def _of_episode(store: RunStore, row: EpisodeRow, players: _Players, notes: dict[str, None]) -> Iterator[Finding]:
    record, config = store.episode(row), store.config
    cell, where = config.cells[row.cell], _name(row)
    told = config.content[row.cell] if len(config.content) == len(config.cells) else {}
    yield from (Finding(check, where, problem) for check, problem in _of_claims(record, cell, config, told))
    yield from (Finding("calls", where, problem) for problem in _of_calls(record, told))
    if record.versions.get("interactive_envs") != installed_versions()["interactive_envs"]:
        notes[f"played with interactive-envs {record.versions.get('interactive_envs')}"] = None
    try:
        problem = replay.mismatch(record)
    except IbenchError as error:
        problem = str(error)
    if problem:
        yield Finding("replay", where, problem[:SAID])
        return
    yield from (Finding(check, where, problem) for check, problem in players.again(record, cell, config, notes))


def _of_claims(
    record: EpisodeRecord, cell: Cell, config: RunConfig, told: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """What a record says of itself against what its cell and its steps say."""
    key = cell_key(cell)
    seed = episode_seed(config.seed, key, record.case_index, record.epoch)
    if record.seed != seed:
        yield "seed", f"it is {record.seed}, and follows as {seed}"
    arguments = {
        name: value
        for name, value in json.loads(json.dumps(all_arguments(cell.env_id, cell.arguments))).items()
        if name in record.env.arguments
    }
    if (record.env.id, record.env.key, record.env.arguments) != (cell.env_id, key, arguments):
        yield "arguments", "it was played with other arguments than its cell's"
    agent = {name: value for name, value in record.agent.items() if name not in VARIES}
    wanted = {
        name: value for name, value in {"spec": cell.agent, **(told.get("agent") or {})}.items() if name not in VARIES
    }
    if agent != wanted and cell.agent != "human":
        yield "player", f"the player says {_short(agent)}, config.json {_short(wanted)}"
    kinds = Counter(step.kind for step in record.steps)
    counts = {
        "queries": kinds["query"] + kinds["move"],
        "finals": kinds["final"],
        "invalid": sum(not step.valid for step in record.steps),
        "abstained": sum(bool(step.verdict and step.verdict.abstained) for step in record.steps),
    }
    for name, count in counts.items():
        if getattr(record, name) != count:
            yield "counts", f"{name} is {getattr(record, name)}, the steps have {count}"
    if record.outcome == Outcome.UNSCORED and record.reward:
        yield "counts", "an episode without a score has a reward"


def _of_calls(record: EpisodeRecord, told: Mapping[str, Any]) -> Iterator[str]:
    """What a model was asked and said against what the player did."""
    for number, step in enumerate(record.steps, 1):
        if step.calls and step.action not in [*(call.text for call in step.calls), TIMEOUT_ACTION]:
            yield f"message {number} is none that the model said"
    calls = [call for step in record.steps for call in step.calls]
    for name in ("prompt", "completion", "reasoning"):
        if sum(getattr(call.usage, name) for call in calls) != getattr(record.tokens, name):
            yield f"the {name} tokens are not the sum of the calls'"
    wanted = (told.get("agent") or {}).get("prompt_sha256")
    if calls and wanted and calls[0].messages:
        sent = calls[0].messages[0].get("content")
        if not isinstance(sent, str) or hashlib.sha256(sent.encode()).hexdigest() != wanted:
            yield "the system prompt that was sent is another than the one that config.json names"


class _Players:
    """Asks players and judges again that always say the same: those without a model and without a person."""

    def __init__(self) -> None:
        self._judges: dict[str, Judge] = {}

    def __enter__(self) -> _Players:
        return self

    def __exit__(self, *_: object) -> None:
        for judge in self._judges.values():
            judge.close()

    def again(
        self, record: EpisodeRecord, cell: Cell, config: RunConfig, notes: dict[str, None]
    ) -> Iterator[tuple[str, str]]:
        """Where the player or the judge says something else than the record."""
        try:
            agent = resolve_agent(cell.agent, cell.env_id)()
        except IbenchError as error:
            notes[f"{cell.agent} was not asked again: {error}"] = None
            return
        asks = agent.repeats and config.time_limit is None and not any(step.calls for step in record.steps)
        if not asks:
            notes[f"{cell.agent} was not asked again: its replies follow from no seed"] = None
        judged = self._judge(cell, record, notes)
        alone = _alone(cell, notes)
        begun = False
        try:
            replayed = replay.steps(record, agent=agent, follow=not alone)
            for number, (then, now) in enumerate(zip(record.steps, replayed, strict=True), 1):
                if asks:
                    if not begun:
                        agent.reset(seed=record.seed, info=now.before)
                        begun = True
                    said = _said(agent, now)
                    if agent.drain_calls():
                        asks = False
                        notes[f"{cell.agent} was not asked again: it asks a model"] = None
                    elif said != then.action:
                        yield "player", f"message {number} was {_short(then.action)}, the player says {_short(said)}"
                        return
                if now.reply != then.reply:
                    yield (
                        "opponents",
                        f"after message {number} the others do something else than the record has of them",
                    )
                    return
                if judged and now.request is not None and then.verdict is not None:
                    label = ask(judged, now.request).label
                    if label != then.verdict.label:
                        yield "verdict", f"at message {number} it was {then.verdict.label!r}, the judge says {label!r}"
                        return
        except IbenchError as error:
            yield "player", f"it failed: {error}"[:SAID]
        finally:
            agent.close()

    def _judge(self, cell: Cell, record: EpisodeRecord, notes: dict[str, None]) -> Judge | None:
        if not any(step.verdict for step in record.steps):
            return None
        spec = cell.judge or catalog.entry(cell.env_id)["defaults"].get("judge", "")
        if spec != "offline":
            notes[f"verdicts of {spec} were not asked for again"] = None
            return None
        if spec not in self._judges:
            self._judges[spec] = resolve_judge(spec)()
        return self._judges[spec]


def _alone(cell: Cell, notes: dict[str, None]) -> bool:
    """Whether the opponents of a cell play the same again by themselves."""
    env: Any = make(cell.env_id, **cell.arguments)
    others = [(spec, resolve_agent(spec, cell.env_id)()) for spec in env.unwrapped.opponents]
    env.close()
    differs = sorted({spec for spec, agent in others if not agent.repeats})
    for _, agent in others:
        agent.close()
    if differs:
        notes[f"opponents {', '.join(differs)} were not asked again: their replies follow from no seed"] = None
    return not differs


def _said(agent: Agent, now: replay.Replayed) -> str:
    return agent.act(now.observation, {**now.before, **now.told})


def _name(row: EpisodeRow) -> str:
    return f"episode {row.cell}-{row.case_index}-{row.epoch} ({row.case})"[:SAID]


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)
    return text if len(text) <= 120 else f"{text[:119]}…"


def _stamp(store: RunStore, verified: Verified) -> dict[str, Any]:
    return {
        "version": version("interactive-envs"),
        "at": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "episodes": verified.episodes,
        "notes": list(verified.notes),
        "sha256": _digest(store.folder),
    }


def _digest(folder: Path) -> str:
    """Of what a stamp vouches for."""
    digest = hashlib.sha256()
    episodes = parts.Lines(folder / "episodes.jsonl")  # compressed or not, its lines are the same
    ends = (functools.partial(open_regular, folder / name) for name in ("config.json", "summary.json"))
    for open_one in (next(ends), episodes.open, next(ends)):
        with open_one() as file:
            for block in iter(functools.partial(file.read, 1 << 20), b""):
                digest.update(block)
    return digest.hexdigest()
