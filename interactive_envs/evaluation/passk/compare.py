"""Interaction against repeated sampling: pass@k with as many attempts as one dialogue costs.

An agent plays every problem interactively, then answers it several times without asking. k* is the number of attempts
that cost what a dialogue costs, in the player's own tokens; pass@k* is what the attempts solve for that.

Source: Interactive Benchmarks v1, section 3.2.2, equation 3.1, table 3 and figure 3 (v2: section 3.3 and table 2).

A comparison's folder:

comparison.json  what was asked for; a resume must ask for the same
interactive/     the run with questions, see :mod:`interactive_envs.reporting.records`
pass1/           the run of single attempts; attempt i of a problem is its epoch i, with a seed of its own
passk.json       the numbers
passk.html       the page for people, with charts/
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias
from urllib.parse import quote

import numpy as np

from interactive_envs import catalog
from interactive_envs.agent import resolve_agent
from interactive_envs.errors import ConfigError, CostLimitError, UnknownNameError
from interactive_envs.evaluation.run import episode, pool
from interactive_envs.making import make
from interactive_envs.outcome import Outcome
from interactive_envs.reporting import estimates
from interactive_envs.reporting.estimates import Estimate
from interactive_envs.reporting.records import Cell, EpisodeRecord, EpisodeRow, RunConfig
from interactive_envs.reporting.store import RunStore, differences_of, read_config
from interactive_envs.seeds import episode_seed
from interactive_envs.specs import parse_spec
from interactive_envs.system.disk import write_atomically
from interactive_envs.system.files import make_private_folder

SCHEMA = 1
TEMPERATURE = 0.8
"""The paper's temperature of the attempts."""
PILOT = 4
"""Attempts a problem before k* is first worked out."""
MOST = 32
"""Attempts a problem at most, unless another limit is given."""
PROBLEMS = 20
"""Problems of an environment that has no end of them."""
SETTINGS, NUMBERS = "comparison.json", "passk.json"
INTERACTIVE, SINGLE = "interactive", "pass1"

Tokens: TypeAlias = Literal["all", "written"]
Unit: TypeAlias = Literal["all", "written", "messages"]
"""What a budget counts: tokens read and written, tokens written (as the paper's table must have counted), or messages
of players that count no tokens."""
_SPENT: dict[Unit, Callable[[EpisodeRow], int]] = {
    "all": lambda row: row.prompt_tokens + row.completion_tokens,
    "written": lambda row: row.completion_tokens,
    "messages": lambda row: row.queries + row.finals + row.invalid,
}


def pass_at_k(attempts: int, right: int, k: int) -> float:
    """The unbiased estimate of the chance that at least one of k attempts is right.

    Args:
        attempts: attempts made at a problem, at least k.
        right: how many of them were right.
        k: attempts allowed.

    Raises:
        ValueError: the numbers do not fit.

    >>> pass_at_k(attempts=4, right=1, k=2)
    0.5
    """
    if not (1 <= k <= attempts and 0 <= right <= attempts):
        raise ValueError(f"pass@k needs 1 <= k <= attempts and 0 <= right <= attempts, got {k=}, {attempts=}, {right=}")
    return float(1 - Fraction(math.comb(attempts - right, k), math.comb(attempts, k)))


def budget_matched(interactive: Fraction, single: Fraction) -> int:
    """k*: the positive whole number for which k attempts cost most nearly what a dialogue costs, the smaller of two.

    Args:
        interactive: mean cost of a dialogue.
        single: mean cost of an attempt, more than nothing.

    Raises:
        ValueError: an attempt costs nothing.

    >>> budget_matched(Fraction(25), Fraction(10)), budget_matched(Fraction(26), Fraction(10))
    (2, 3)
    """
    if single <= 0:
        raise ValueError(f"an attempt must cost something, got {single}")
    below = max(1, math.floor(interactive / single))
    return min((below, below + 1), key=lambda k: abs(k * single - interactive))


@dataclass(frozen=True)
class Comparison:
    """What is compared.

    Attributes:
        env_id: the registered id.
        arguments: its keyword arguments, for both runs.
        agents: the players' specs.
        judge: the judge's spec, None where no judge is asked.
        cases: the problems by id, None for all that the environment has.
        problems: how many those are.
        temperature: of the attempts, for players that take one.
        samples: attempts a problem, None for as many as a player's k* needs.
        most: attempts a problem at most.
        tokens: what a budget counts.
        seed: the runs' seed.
        time_limit: seconds an action may take.
    """

    env_id: str
    arguments: Mapping[str, Any]
    agents: tuple[str, ...]
    judge: str | None
    cases: tuple[str, ...] | None
    problems: int
    temperature: float = TEMPERATURE
    samples: int | None = None
    most: int = MOST
    tokens: Tokens = "written"
    seed: int = 0
    time_limit: float | None = None

    def as_json(self) -> dict[str, Any]:
        """The content of ``comparison.json``."""
        return {"schema": SCHEMA, **json.loads(json.dumps(dataclasses.asdict(self)))}

    @classmethod
    def read(cls, folder: Path) -> Comparison:
        """The comparison of a folder.

        Raises:
            ConfigError: there is none, or it cannot be read.
        """
        path = folder / SETTINGS
        try:
            content = read_config(path)
            if (schema := content.pop("schema")) != SCHEMA:
                raise ConfigError(f"it has schema {schema!r}, this version reads {SCHEMA}")
            cases = content["cases"]
            values = content | {"agents": tuple(content["agents"]), "cases": None if cases is None else tuple(cases)}
            comparison = cls(**values)
            RunConfig.from_json(comparison.config().as_json())  # what cannot be played is damaged, too
        except (FileNotFoundError, NotADirectoryError):
            raise ConfigError(f"{folder} holds no comparison: {SETTINGS} is missing") from None
        except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError) as error:
            raise ConfigError(
                f"{path} cannot be read as a comparison: {error}; put back what it was, or choose another out folder"
            ) from None
        return comparison

    @property
    def first(self) -> int:
        """Attempts a problem to begin with."""
        return self.samples or min(PILOT, self.most)

    @property
    def cells_an_agent(self) -> int:
        """Chosen problems have a cell each, so that their further epochs are attempts at them alone."""
        return 1 if self.cases is None else len(self.cases)

    def config(self, attempts: Sequence[int] | None = None) -> RunConfig:
        """The configuration of the interactive run, or of single attempts, so many of each player at every problem."""
        once = self.problems // self.cells_an_agent
        cases = [{}] if self.cases is None else [{"case": case} for case in self.cases]
        if attempts is None:
            players, arguments = [(agent, once) for agent in self.agents], dict(self.arguments)
        else:
            players = [(agent, once * made) for agent, made in zip(self.sampled_as(), attempts, strict=True)]
            arguments = {**self.arguments, "no_interaction": True}
        cells = [
            Cell(self.env_id, arguments | case, agent, self.judge, episodes=episodes)
            for agent, episodes in players
            for case in cases
        ]
        return RunConfig(tuple(cells), max(episodes for _, episodes in players), self.seed, self.time_limit)

    def attempts(self, single: RunStore) -> list[int]:
        """Attempts of each player at every problem, as the run of single attempts plans them."""
        once = self.problems // self.cells_an_agent
        return [single.config.planned(place * self.cells_an_agent) // once for place in range(len(self.agents))]

    def sampled_as(self) -> list[str]:
        """The players' specs for single attempts."""
        return [with_temperature(agent, self.temperature, self.env_id) for agent in self.agents]

    def rows(self, store: RunStore) -> list[list[EpisodeRow]]:
        """A run's episodes by player."""
        found: list[list[EpisodeRow]] = [[] for _ in self.agents]
        for row in store.rows():
            found[row.cell // self.cells_an_agent].append(row)
        return found


_SCORED = "gives a score, not right or wrong, so pass@k means nothing there"


def plan(
    env_id: str,
    agents: Sequence[str],
    *,
    arguments: Mapping[str, Any] | None = None,
    judge: str | None = None,
    problems: int | None = None,
    seed: int = 0,
    **settings: Any,
) -> Comparison:
    """Choose the problems, and refuse what cannot be compared before anything is played.

    Args:
        env_id: the registered id.
        agents: the players' specs.
        arguments: the environment's keyword arguments.
        judge: the judge's spec, None for the environment's own.
        problems: the first so many problems, or so many drawn ones where they have no end; None for all,
            or ``PROBLEMS`` drawn ones.
        seed: the runs' seed.
        settings: the other attributes of :class:`Comparison`.

    Raises:
        ConfigError: an argument cannot work.
    """
    arguments = dict(arguments or {})
    if not agents:
        raise ConfigError("name at least one player (agent); ibench list --agents shows them")
    for name in ("no_interaction", "judge", "view"):
        if name in arguments:
            raise ConfigError(
                f"leave the argument {name} out: the comparison sets it itself, and takes a judge of its own"
            )
    defaults = catalog.entry(env_id)["defaults"]
    if "no_interaction" not in defaults:
        raise ConfigError(f"{env_id} cannot be played without interaction, so pass@k means nothing there")
    for agent in agents:
        resolve_agent(agent, env_id)
    env: Any = make(env_id, **arguments).unwrapped
    try:
        if getattr(env, "scored", False):
            raise ConfigError(f"{env_id} {_SCORED}")
        asked = judge or defaults.get("judge")
        judge = asked if getattr(env, "asks_judge", False) else None
        cases, count = _problems(env, env_id, problems, seed)
    finally:
        env.close()
    comparison = Comparison(env_id, arguments, tuple(dict.fromkeys(agents)), judge, cases, count, seed=seed, **settings)
    if comparison.most < 1 or (comparison.samples is not None and comparison.samples < 1):
        raise ConfigError("a problem needs at least 1 attempt")
    return comparison


def with_temperature(spec: str, temperature: float, env_id: str) -> str:
    """A player's spec with another temperature; as it is where the player takes none.

    >>> with_temperature("llm:openai/gpt-5-mini?temperature=0&history=full", 0.8, "ibench/SituationPuzzle-v1")
    'llm:openai/gpt-5-mini?history=full&temperature=0.8'
    """
    head, _, query = spec.rpartition("?") if "?" in spec else (spec, "", "")
    kept = [pair for pair in query.split("&") if pair and pair.partition("=")[0] != "temperature"]
    hot = f"{head}?{'&'.join([*kept, f'temperature={quote(json.dumps(temperature))}'])}"
    try:
        resolve_agent(hot, env_id)
    except UnknownNameError:
        return spec
    return hot


class Progress(Protocol):
    """Hears how a run goes on."""

    def begin(self, store: RunStore) -> None:
        """What an earlier run played."""

    def advance(self, job: episode.Job, record: EpisodeRecord | None) -> None:
        """An episode ended, or was given up."""

    def fault(self, message: str) -> None:
        """Infrastructure broke an attempt."""


class _Unwatched:
    """Shows nothing."""

    def begin(self, store: RunStore) -> None: ...
    def advance(self, job: episode.Job, record: EpisodeRecord | None) -> None: ...
    def fault(self, message: str) -> None: ...


Watching: TypeAlias = Callable[[str, RunConfig], AbstractContextManager[Progress]]
"""Make the progress of a run, given ``interactive`` or ``pass1`` and what it plays."""


def play(
    comparison: Comparison,
    folder: Path,
    *,
    watching: Watching | None = None,
    resume: bool = False,
    limit_cost: float | None = None,
    workers: int = 1,
    backend: str = "thread",
    address: str | None = None,
) -> tuple[RunStore, RunStore]:
    """Play what is missing of both runs.

    Args:
        comparison: what to play.
        folder: the comparison's folder.
        watching: makes the progress of each run; None for none.
        resume: go on with the comparison in the folder.
        limit_cost: stop when this many US dollars are spent on both runs together.
        workers: episodes at once.
        backend: ``thread``, ``process`` or ``ray``.
        address: of a running Ray cluster, None to start one on this machine.

    Returns:
        The interactive run and that of single attempts.

    Raises:
        ConfigError: the folder holds another comparison, a limit is none, or the environment pays instead of deciding.
        CostLimitError: the limit is reached.
    """
    episode.check_limits(limit_cost, comparison.time_limit)
    _claim(comparison, folder, resume)
    spent = {name: _spent(folder / name) for name in (INTERACTIVE, SINGLE)}

    def run(name: str, other: str, config: RunConfig) -> RunStore:
        limit = None if limit_cost is None else limit_cost - spent[other]
        if limit is not None and limit <= 0:
            raise CostLimitError(f"the cost limit of {limit_cost:g} USD is reached; resume with a higher limit_cost")
        with watching(name, config) if watching else contextlib.nullcontext(_Unwatched()) as progress:
            store = pool.run(
                config,
                folder / name,
                workers=workers,
                backend=backend,
                address=address,
                resume=True,
                limit_cost=limit,
                begin=progress.begin,
                progress=_refusing_scores(comparison.env_id, progress),
                on_fault=progress.fault,
            )
        spent[name] = store.spent()
        return store

    interactive = run(INTERACTIVE, SINGLE, comparison.config())
    attempts = _attempts(comparison, folder)
    while True:
        config = comparison.config(attempts)
        _lengthen(folder / SINGLE, config)
        single = run(SINGLE, INTERACTIVE, config)
        wanted = _wanted(comparison, attempts, interactive, single)
        if wanted == attempts:
            return interactive, single
        attempts = wanted


def compare(comparison: Comparison, interactive: RunStore, single: RunStore) -> dict[str, Any]:
    """The content of ``passk.json``: a function of both runs' episodes, without times and cost."""
    sides = zip(comparison.rows(interactive), comparison.rows(single), comparison.attempts(single), strict=True)
    sampled_as = [cell.agent for cell in single.config.cells[:: comparison.cells_an_agent]]
    players = [
        _player(comparison, place, asked, tried, attempts, _refused(single, tried), sampled_as[place])
        for place, (asked, tried, attempts) in enumerate(sides)
    ]
    return {
        **comparison.as_json(),
        "missing": sum(player["missing"]["interactive"] + player["missing"]["pass1"] for player in players),
        "players": players,
    }


def write(comparison: Comparison, folder: Path, interactive: RunStore, single: RunStore) -> dict[str, Any]:
    """Write ``passk.json`` and return its content."""
    content = compare(comparison, interactive, single)
    write_atomically(folder / NUMBERS, json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    return content


# Planning.


def _problems(env: Any, env_id: str, wanted: int | None, seed: int) -> tuple[tuple[str, ...] | None, int]:
    """The chosen problems, None for all, and how many they are."""
    if wanted is not None and wanted < 1:
        raise ConfigError(f"a comparison needs at least 1 problem, got {wanted}")
    known = getattr(env, "cases", None)
    if known is not None:
        if wanted is not None and wanted > len(known):
            raise ConfigError(f"{env_id} has {len(known)} problems with these arguments, {wanted} are asked for")
        return (None if wanted in (None, len(known)) else tuple(known[:wanted])), wanted or len(known)
    count = wanted or PROBLEMS
    drawn = dict.fromkeys(_drawn(env, env_id, range(100 * count), seed, count))
    if len(drawn) < count:
        raise ConfigError(f"{env_id} gave only {len(drawn)} different problems; ask for no more")
    return tuple(drawn), count


def _drawn(env: Any, env_id: str, places: range, seed: int, count: int) -> Iterator[str]:
    """Ids of drawn problems until there are enough different ones, each made sure of to come back by its id."""
    seen: set[str] = set()
    for place in places:
        if len(seen) == count:
            return
        env.reset(seed=episode_seed(seed, f"problems of {env_id}", place, 0))
        case = getattr(env, "case_id", None)
        if case is not None:
            env.reset(seed=seed, options={"case": case})
        if case is None or env.case_id != case:
            raise ConfigError(f"{env_id} cannot play a drawn problem twice, so several attempts at it mean nothing")
        seen.add(case)
        yield case


# Playing.


def _claim(comparison: Comparison, folder: Path, resume: bool) -> None:
    """Write ``comparison.json``, or make sure that it asks for the same."""
    path = folder / SETTINGS
    if not path.exists():
        make_private_folder(folder)
        write_atomically(path, json.dumps(comparison.as_json(), indent=1, ensure_ascii=False) + "\n")
        return
    if not resume:
        raise ConfigError(
            f"{folder} holds a comparison already; set resume to continue it, or choose another out folder"
        )
    differences = list(differences_of(Comparison.read(folder).as_json(), comparison.as_json()))
    if differences:
        raise ConfigError(f"cannot resume {folder}: the comparison changed: {'; '.join(differences[:5])}")


def _spent(folder: Path) -> float:
    return RunStore.read_only(folder).spent() if (folder / "config.json").exists() else 0.0


def _refusing_scores(env_id: str, progress: Progress) -> pool.Progress:
    """Hand episodes on; the first that is paid rather than solved ends the comparison before it costs more."""

    def advance(job: episode.Job, record: EpisodeRecord | None) -> None:
        if record is not None and record.outcome == Outcome.SCORED:
            raise ConfigError(f"{env_id} {_SCORED}")
        progress.advance(job, record)

    return advance


def _attempts(comparison: Comparison, folder: Path) -> list[int]:
    """Attempts of each player at a problem to begin with: as many as an earlier run got to."""
    if not (folder / SINGLE / "config.json").exists():
        return [comparison.first] * len(comparison.agents)
    return comparison.attempts(RunStore.read_only(folder / SINGLE))


def _lengthen(folder: Path, wanted: RunConfig) -> None:
    """Let a run that is there play more: cases in order and then further epochs, so that what it played stays."""
    if not (folder / "config.json").exists():
        return
    with RunStore.open(folder) as store:
        config = dataclasses.replace(wanted, content=store.config.content)
        write_atomically(folder / "config.json", json.dumps(config.as_json(), indent=1, ensure_ascii=False) + "\n")


def _wanted(comparison: Comparison, attempts: Sequence[int], interactive: RunStore, single: RunStore) -> list[int]:
    """Attempts of each player at a problem that its k* needs, within the limit, and no fewer than were made."""
    if comparison.samples is not None:
        return list(attempts)
    sides = zip(attempts, comparison.rows(interactive), comparison.rows(single), strict=True)
    return [
        max(made, min(comparison.most, _budget(*_shared(asked, tried), _unit(comparison, asked, tried))["k"] or 1))
        for made, asked, tried in sides
    ]


# Numbers.


@dataclass(frozen=True)
class _Problem:
    """What a player did with one problem that it met in both runs."""

    case: str
    solved: bool
    attempts: int
    right: int


def _solved(row: EpisodeRow) -> bool:
    return row.outcome == Outcome.SUCCESS and row.won_by != "forced"


def _shared(asked: Sequence[EpisodeRow], tried: Sequence[EpisodeRow]) -> tuple[list[EpisodeRow], list[EpisodeRow]]:
    """The episodes of problems that both runs have."""
    cases = {row.case for row in asked} & {row.case for row in tried}
    return [row for row in asked if row.case in cases], [row for row in tried if row.case in cases]


def _joined(asked: Sequence[EpisodeRow], tried: Sequence[EpisodeRow]) -> list[_Problem]:
    attempts: dict[str, list[bool]] = {row.case: [] for row in asked}
    for row in tried:
        attempts[row.case].append(_solved(row))
    return [_Problem(row.case, _solved(row), len(attempts[row.case]), sum(attempts[row.case])) for row in asked]


def _unit(comparison: Comparison, asked: Sequence[EpisodeRow], tried: Sequence[EpisodeRow]) -> Unit:
    """Messages for a player of which nobody counted a token."""
    counted = any(_SPENT["all"](row) for row in (*asked, *tried))
    return comparison.tokens if counted else "messages"


def _budget(asked: Sequence[EpisodeRow], tried: Sequence[EpisodeRow], unit: Unit) -> dict[str, Any]:
    """Mean cost of a dialogue and of an attempt, and the k that matches them, None where an attempt cost nothing."""
    costs = [[_SPENT[unit](row) for row in rows] for rows in (asked, tried)]
    dialogue, attempt = (Fraction(sum(cost), len(cost)) if cost else Fraction(0) for cost in costs)
    return {
        "interactive": _mean(costs[0], asked).as_json(),
        "pass1": _mean(costs[1], tried).as_json(),
        "k": budget_matched(dialogue, attempt) if attempt else None,
    }


def _mean(values: Sequence[float], rows: Sequence[EpisodeRow]) -> Estimate:
    """A mean clustered by problem; not less than nothing."""
    _, clusters = np.unique(np.array([row.case for row in rows], str), return_inverse=True)
    return estimates.mean(values, clusters, 0.0)


def _share(values: Sequence[float]) -> Estimate:
    """The mean of one share a problem, with Wilson's interval.

    A share of several attempts varies less than one attempt, so that the interval errs on the wide side.
    """
    return estimates.proportion(values, range(len(values)))


def _player(
    comparison: Comparison,
    place: int,
    asked: Sequence[EpisodeRow],
    tried: Sequence[EpisodeRow],
    attempts: int,
    refused: bool,
    sampled_as: str,
) -> dict[str, Any]:
    unit = _unit(comparison, asked, tried)
    planned = comparison.problems
    missing = {"interactive": planned - len(asked), "pass1": planned * attempts - len(tried)}
    asked, tried = _shared(asked, tried)
    problems = _joined(asked, tried)
    kinds: tuple[Unit, ...] = ("messages",) if unit == "messages" else ("written", "all")
    budgets = {kind: _budget(asked, tried, kind) for kind in kinds}
    for budget in budgets.values():
        budget |= _matched(problems, budget["k"], attempts)
    decisive = budgets[unit]
    k = decisive["k"]
    figures = {
        "agent": comparison.agents[place],
        "sampled_as": sampled_as,
        "attempts": attempts,
        "unit": unit,
        "budget": budgets,
        "k": k,
        "k_shown": decisive["k_shown"],
        "accuracy": _share([problem.solved for problem in problems]).as_json(),
        "pass_at": [_point(problems, number) for number in range(1, attempts + 1)],
        "pass_at_k": decisive["pass_at_k"],
        "difference": decisive["difference"],
        "judge_tokens": {
            name: _mean([row.judge_tokens for row in rows], rows).as_json()
            for name, rows in ((INTERACTIVE, asked), (SINGLE, tried))
        },
        "missing": missing,
        "problems": [dataclasses.asdict(problem) for problem in problems],
    }
    uncounted = sum(not _SPENT["all"](row) for row in (*asked, *tried)) if unit != "messages" else 0
    return figures | {"notes": list(_notes(figures, planned, refused, uncounted))}


def _point(problems: Sequence[_Problem], k: int) -> dict[str, Any]:
    """pass@k over the problems with attempts enough."""
    passed = [pass_at_k(problem.attempts, problem.right, k) for problem in problems if problem.attempts >= k]
    return {"k": k, **_share(passed).as_json()}


def _matched(problems: Sequence[_Problem], k: int | None, attempts: int) -> dict[str, Any]:
    """pass@k* with one budget, or pass@n where fewer attempts were made, and the difference to it."""
    shown = None if k is None else min(k, attempts)
    compared = [problem for problem in problems if shown and problem.attempts >= shown]
    gaps = [problem.solved - pass_at_k(problem.attempts, problem.right, shown or 1) for problem in compared]
    return {
        "k_shown": shown,
        "pass_at_k": _point(problems, shown) if shown else estimates.NOTHING.as_json() | {"k": None},
        "difference": estimates.paired(gaps, range(len(gaps))).as_json(),
    }


def _notes(figures: Mapping[str, Any], planned: int, refused: bool, uncounted: int) -> Iterator[str]:
    """What a reader must know of a player's numbers, in sentences."""
    k, attempts, missing = figures["k"], figures["attempts"], figures["missing"]
    if figures["unit"] == "messages":
        yield "No tokens were counted, so budgets are numbers of messages."
    if k is None:
        yield "No attempt has a counted cost, so there is no k*."
    elif k > attempts:
        yield f"k* = {k} needs more than the {attempts} attempts made: pass@{attempts} is shown, which is no more."
    if figures["sampled_as"] == figures["agent"] and parse_spec(figures["agent"]).options.get("temperature") is None:
        yield "Takes no temperature: attempts differ by their seeds alone."
    if refused:
        yield "The provider refused the temperature: attempts were made at its own."
    if uncounted:
        yield f"{uncounted} episodes come without counted tokens and make the budgets too small."
    if missing[INTERACTIVE] or missing[SINGLE]:
        left = planned - len(figures["problems"])
        yield (
            f"Infrastructure broke {missing[INTERACTIVE]} dialogues and {missing[SINGLE]} attempts; "
            f"{left} of {planned} problems are left out."
        )


def _refused(store: RunStore, rows: Sequence[EpisodeRow]) -> bool:
    """Whether the provider left out the temperature, as the first attempt's record tells."""
    calls = [call for step in store.episode(rows[0]).steps for call in step.calls] if rows else []
    return any(name.partition(" ")[0] == "temperature" for call in calls for name in call.refused_parameters)
