"""Everything that the command line does, as functions: run, compare, play tournaments, train, check games.

>>> import tempfile
>>> from interactive_envs import Agent, evaluate
>>> class First(Agent):
...     def act(self, observation, info):
...         return info.get("legal_actions", ["<answer>0</answer>"])[0]
>>> families = ["ibench/SituationPuzzle-v1", "ibench/TrustGame-v1", "ibench/Game-sum-shy-v1"]
>>> run = evaluate(families, [First, "random"], episodes=4, out=tempfile.mkdtemp() + "/run")
>>> difference = run.compare(First, "random", metric="reward")
>>> difference.estimate.n, list(difference.by_environment) == families
(12, True)
>>> run.report().name, run.to_csv(run.folder / "episodes.csv").name
('report.html', 'episodes.csv')
"""

from __future__ import annotations

import datetime
import functools
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.results import Difference, Run, TournamentRun
from interactive_envs.evaluation.run import cells, pool
from interactive_envs.evaluation.run.episode import Job
from interactive_envs.evaluation.tournament import play as tournaments
from interactive_envs.reporting.records import EpisodeRecord, RunConfig
from interactive_envs.reporting.store import RunStore
from interactive_envs.specs import Given, spec_of
from interactive_envs.system import own_modules

if TYPE_CHECKING:
    from interactive_envs.novel_games.admission import Admission
    from interactive_envs.training.jobs import Trained

__all__ = [
    "Difference",
    "Run",
    "TournamentRun",
    "check_game",
    "evaluate",
    "passk",
    "suite",
    "tournament",
    "train",
]

Environment: TypeAlias = "str | type[Any] | tuple[str | type[Any], Mapping[str, Any]]"
"""An id, ``module:Class``, a class, or one of these with its arguments."""
Backend: TypeAlias = Literal["thread", "process", "ray"]


def evaluate(
    envs: Environment | Sequence[Environment] | RunConfig = (),
    agents: Given | Sequence[Given] = (),
    *,
    judges: Given | Sequence[Given] = (),
    probes: str | Sequence[str] = (),
    wrappers: Given | Sequence[Given] = (),
    arguments: Mapping[str, Any] | None = None,
    axes: Mapping[str, Sequence[Any]] | None = None,
    gain: bool = False,
    episodes: int | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    anytime: bool = False,
    out: str | Path | None = None,
    resume: bool = False,
    workers: int = 1,
    backend: Backend = "thread",
    address: str | None = None,
    limit_cost: float | None = None,
    log: Sequence[str] = (),
    on_begin: Callable[[RunStore], None] | None = None,
    on_episode: Callable[[Job, EpisodeRecord | None], None] | None = None,
    on_fault: Callable[[str], None] | None = None,
    on_note: Callable[[str], None] | None = None,
) -> Run:
    """Let players play environments, keep every episode on disk, and say how often they succeed.

    Every player meets the same cases with the same seeds, so differences are compared case by case. The same call with
    deterministic players gives the same summary, whatever the number of workers.

    Args:
        envs: ids such as ``"ibench/Math-v1"`` or those of :func:`suite`; an id of another package, registered with
            Gymnasium; ``"module:Class"`` or the class itself; any of them in a pair with its own arguments. Or the
            whole configuration of a run. Nothing, with ``resume``, plays on what the folder says.
        agents: players: specs such as ``"llm:openai/gpt-5-mini"``, classes, or ``functools.partial(Class, option=1)``.
        judges: the same of judges; several are compared. None for the environment's own.
        probes: specs of probes, the innermost first.
        wrappers: Gymnasium wrappers of your own, the innermost first: ``"module:Class?option=1"``, classes, or
            ``functools.partial(Class, option=1)``. The player sees and earns what they let through.
        arguments: arguments of every environment.
        axes: an argument, or ``agent.OPTION`` such as ``agent.prompt`` (``prompt`` for short), to the values to try:
            every combination is played.
        gain: also play each environment without interaction, for the paired gain.
        episodes: episodes a player and environment; None for every case once, or 20 where cases have no end.
        seed: decides every case that is drawn and all that players draw.
        time_limit: seconds an action may take; a later one counts as no answer.
        anytime: after every turn also ask for the answer, in a dialogue of which nothing comes back: one episode then
            gives the accuracy at every number of questions. It costs a call more a turn.
        out: folder for the files; None for ``runs/`` and the time.
        resume: go on with the run in ``out``.
        workers: episodes at once.
        backend: ``thread`` for language models, ``process`` for players that compute, ``ray`` for many machines.
        address: of a running Ray cluster, ``"HOST:PORT"`` or ``"auto"``; None to start one on this machine.
        limit_cost: stop when this many US dollars are spent.
        log: loggers to send numbers to while it is played: ``"wandb"``, ``"mlflow"``, ``"tensorboard"``, each also with
            ``:TARGET``.
        on_begin: called once before playing, with what is there already.
        on_episode: called after each episode with its record, None where infrastructure broke it for good.
        on_fault: called with the message of every attempt that infrastructure broke; it is tried again.
        on_note: called with remarks on what is ignored and on loggers that fail; by default they are warnings.

    Returns:
        The run, with its records, figures, tables, comparisons and report page.

    Raises:
        ConfigError: something cannot be played; the message says what, and what would do.
        CostLimitError: the limit is reached, or cannot be kept because a price is unknown.
    """
    folder = _folder(out, resume)
    on_note = on_note or functools.partial(warnings.warn, stacklevel=3)
    if isinstance(envs, RunConfig):
        config = envs
    elif chosen := _choice(envs):
        specs = [spec_of("wrapper", wrapper) for wrapper in _several(wrappers)]
        config = cells.plan_run(
            chosen,
            [spec_of("player", agent) for agent in _several(agents)],
            judges=[spec_of("judge", judge) for judge in _several(judges)],
            arguments={**(arguments or {}), **({"wrappers": specs} if specs else {})},
            probes=_several(probes),
            axes=axes,
            gain=gain,
            episodes=episodes,
            seed=seed,
            time_limit=time_limit,
            anytime=anytime,
            on_note=on_note,
        )
    elif resume:
        config = RunStore.read_only(folder).config
    else:
        raise ConfigError("name at least one environment; interactive_envs.suite(…) and ibench list have some")
    how: dict[str, Any] = {"workers": workers, "resume": resume, "limit_cost": limit_cost, "backend": backend}
    how |= {"log": log, "on_note": on_note, "address": address}
    pool.run(config, folder, **how, progress=on_episode, begin=on_begin, on_fault=on_fault)
    return Run(folder)


def suite(
    name: str, *, per_cell: int | None = None, difficulty: str | None = None, settings: Sequence[str] = ()
) -> list[tuple[str, dict[str, Any]]]:
    """The environments of a suite with their arguments, for :func:`evaluate`.

    Args:
        name: ``query``, ``black-box``, ``qualification``, ``games``, or that of another package.
        per_cell: environments of each kind.
        difficulty: levels, such as ``3``, ``1-5`` or ``1,3,5``.
        settings: of black boxes, such as ``10@1``.

    Raises:
        ConfigError: there is no such suite, or it has no such option.

    >>> len(suite("qualification"))
    3
    """
    return cells.choose_environments((), suite=name, per_cell=per_cell, difficulty=difficulty, settings=settings)


def tournament(
    game: str | Path | tournaments.Tournament,
    players: Sequence[Given] | Mapping[str, Given] = (),
    *,
    format: str = "round-robin",
    out: str | Path | None = None,
    resume: bool = False,
    workers: int = 1,
    backend: Backend = "thread",
    address: str | None = None,
    limit_cost: float | None = None,
    log: Sequence[str] = (),
    on_begin: Callable[[int, int], None] | None = None,
    on_match: Callable[..., object] | None = None,
    on_fault: Callable[[str], None] | None = None,
    **settings: Any,
) -> TournamentRun:
    """Let players meet one another in a game for several seats.

    Args:
        game: an id such as ``"ibench/TrustGame-v1"``, a TOML file, the name of one that comes along, or a whole
            :class:`~interactive_envs.evaluation.tournament.plan.Tournament`.
        players: specs or classes, or names with them.
        format: ``round-robin`` or ``tables``, of a game that is given by id.
        out: folder for the files; None for ``runs/`` and the time.
        resume: go on with the tournament in ``out``.
        workers: matches at once.
        backend: ``thread`` for language models, ``process`` for players that compute, ``ray`` for many machines.
        address: of a running Ray cluster; None starts one on this machine.
        limit_cost: stop when this many US dollars are spent.
        log: loggers, as of :func:`evaluate`.
        on_begin: called once with the matches there are already and those of the whole plan.
        on_match: called after each match with what was planned and its record.
        on_fault: called with the message of every attempt that infrastructure broke.
        settings: the other attributes of a tournament: ``arguments``, ``sweep``, ``repeats``, ``seed`` …

    Raises:
        ConfigError: something cannot be played; the message says what.
        CostLimitError: the limit is reached, or cannot be kept because a price is unknown.

    >>> import tempfile
    >>> league = tournament("ibench/TrustGame-v1", ["trust/tft", "trust/grim"], out=tempfile.mkdtemp() + "/league")
    >>> len(league.matches), league.missing
    (2, 0)
    >>> {(row["match"], row["seat"], row["player"]) for row in league.to_rows()} == {
    ...     (match.match, seat, name) for match in league.matches for seat, name in enumerate(match.players)}
    True
    >>> league.to_csv(league.folder / "matches.csv").name
    'matches.csv'
    """
    named = players.items() if isinstance(players, Mapping) else [(None, player) for player in players]
    specs = [(name, spec_of("player", player)) for name, player in named]
    if isinstance(game, tournaments.Tournament):
        chosen = game
    elif "/" in str(game) and not Path(game).is_file():
        chosen = tournaments.Tournament(
            str(game), tuple(tournaments.Player(name or spec, spec) for name, spec in specs), format, **settings
        )
    else:
        chosen = tournaments.load(game, [f"{name}={spec}" if name else spec for name, spec in specs])
    folder = _folder(out, resume)
    how: dict[str, Any] = {"workers": workers, "resume": resume, "limit_cost": limit_cost, "backend": backend}
    how |= {"address": address}
    tournaments.run(chosen, folder, **how, log=log, begin=on_begin, progress=on_match, on_fault=on_fault)
    return TournamentRun(folder)


def passk(
    env: str,
    agents: Given | Sequence[Given],
    *,
    judge: Given | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    workers: int = 1,
    backend: Backend = "thread",
    address: str | None = None,
    limit_cost: float | None = None,
    **settings: Any,
) -> dict[str, Any]:
    """Compare playing with answering k times without asking, at equal tokens, and write the page.

    Args:
        env: an id.
        agents: specs or classes.
        judge: a spec or class; None for the environment's own.
        out: folder for the files; None for ``runs/`` and the time.
        resume: go on with the comparison in ``out``.
        workers: episodes at once.
        backend: ``thread``, ``process`` or ``ray``.
        address: of a running Ray cluster; None starts one on this machine.
        limit_cost: stop when this many US dollars are spent on both runs together.
        settings: ``arguments``, ``problems``, ``samples``, ``most``, ``temperature``, ``tokens``, ``seed``,
            ``time_limit``, see :func:`interactive_envs.evaluation.passk.compare.plan`.

    Returns:
        The content of ``passk.json``.

    Raises:
        ConfigError: the environment cannot be compared so.
        CostLimitError: the limit is reached.
    """
    from interactive_envs.evaluation.passk import compare, page

    specs = [spec_of("player", agent) for agent in _several(agents)]
    asked = None if judge is None else spec_of("judge", judge)
    comparison = compare.plan(env, specs, judge=asked, **settings)
    folder = _folder(out, resume)
    how: dict[str, Any] = {"workers": workers, "resume": resume, "limit_cost": limit_cost, "backend": backend}
    how |= {"address": address}
    content = compare.write(comparison, folder, *compare.play(comparison, folder, **how))
    for part in (compare.INTERACTIVE, compare.SINGLE):
        Run(folder / part).report()
    page.write(folder, content)
    return content


def train(
    games: str | Path | Sequence[str | Path],
    *,
    out: str | Path = Path("runs") / "train",
    preset: str = "default",
    workers: int = 1,
    backend: Literal["local", "ray"] = "local",
    address: str | None = None,
    log: Sequence[str] = ("tensorboard",),
    report: Callable[..., None] | None = None,
    **settings: Any,
) -> list[Trained]:
    """Train players by self-play, a folder a game; the same call goes on where it was interrupted.

    Args:
        games: games by name, path or id.
        out: the folder of those folders.
        preset: ``default``, or ``paper`` for gg-bench's settings.
        workers: games trained at a time.
        backend: ``local``, or ``ray`` for many machines.
        address: of a running Ray cluster; without it one is started here.
        log: loggers, as of :func:`evaluate`.
        report: called about once a second for each game, and when it is through.
        settings: other attributes of :class:`interactive_envs.training.trainer.TrainConfig`: ``steps``, ``seed`` …

    Returns:
        What became of each game; one that failed stops no other, and has an ``error``.

    Raises:
        MissingExtraError: torch or Stable-Baselines3 is not installed.
        ConfigError: a setting cannot work.
    """
    from interactive_envs.training import jobs as training
    from interactive_envs.training.trainer import TrainConfig

    config = TrainConfig.preset(preset, **settings)
    jobs = [
        training.Job(str(game), Path(out) / training.run_name(str(game)), config, tuple(log))
        for game in _several(games)
    ]
    return training.train_many(jobs, workers=workers, backend=backend, address=address, report=report)


def check_game(path: str | Path, *, full: bool = False) -> Admission:
    """Check a generated game before anybody plays it: does it run, end, pay, keep its secrets, and differ from others?

    Its code runs in the sandbox.

    Args:
        path: a game's folder, a file of code, or the name of a game that comes along.
        full: solve games up to a million states, and play more; takes minutes.

    Returns:
        ``verdict`` (``admit``, ``flag`` or ``refuse``), the ``reasons`` for it, and the ``facts`` behind them.
    """
    from interactive_envs.novel_games.admission import check_paths
    from interactive_envs.novel_games.folder import own, own_names

    known = own(str(path)).path if str(path) in own_names() else path
    return next(iter(check_paths([known], full=full)))


def _several(given: Any) -> list[Any]:
    """What is given once or several times, as a list."""
    return list(given) if isinstance(given, Sequence) and not isinstance(given, str) else [given]


def _choice(envs: Environment | Sequence[Environment]) -> list[tuple[str, dict[str, Any]]]:
    """Ids with their arguments."""
    single = isinstance(envs, str | type) or (
        isinstance(envs, tuple) and len(envs) == 2 and isinstance(envs[1], Mapping)
    )
    pairs = []
    for given in [envs] if single else envs:
        named, own = given if isinstance(given, tuple) else (given, {})
        if not isinstance(named, str | type):
            raise ConfigError(f"an environment is an id or a class, got {named!r}; an object has no name for a record")
        pairs.append((named if isinstance(named, str) else own_modules.name_of(named), dict(own)))
    return pairs


def _folder(out: str | Path | None, resume: bool) -> Path:
    if out is None and resume:
        raise ConfigError("resume=True needs the folder to go on with: out=FOLDER")
    return Path(out) if out else Path("runs") / datetime.datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
