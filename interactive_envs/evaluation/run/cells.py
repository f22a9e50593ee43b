"""What a run plays: environments or a suite, crossed with players, judges and the values of axes, as cells."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from interactive_envs import catalog
from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.run import plan, pool
from interactive_envs.judges.base import resolve_judge
from interactive_envs.judges.offline import caution
from interactive_envs.making import make
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.reporting.suites import Choice, read_difficulties
from interactive_envs.specs import add_options, relay_parts, split_name

DEFAULT_EPISODES = 20
"""Episodes per cell where an environment has no fixed list of cases."""


def plan_run(
    environments: Choice,
    agents: Sequence[str],
    *,
    judges: Sequence[str] = (),
    arguments: Mapping[str, Any] | None = None,
    probes: Sequence[str] = (),
    axes: Mapping[str, Sequence[Any]] | None = None,
    gain: bool = False,
    episodes: int | None = None,
    default_episodes: int = DEFAULT_EPISODES,
    seed: int = 0,
    time_limit: float | None = None,
    anytime: bool = False,
    on_note: Callable[[str], None] = lambda _: None,
) -> RunConfig:
    """Build the configuration of a run: one cell per environment, axis value, judge and player.

    Args:
        environments: ids with arguments of their own, as :func:`choose_environments` returns them.
        agents: specs of the players.
        judges: specs of the judges; the environment's default if empty. They are ignored, with a note, where no judge
            is asked.
        arguments: arguments of every environment.
        probes: specs of probes, the innermost first.
        axes: an environment's argument, ``agent.OPTION`` (also ``prompt`` for ``agent.prompt``) or ``judge``, to the
            values to try.
        gain: add a twin without interaction to every cell, where the environment allows it.
        episodes: episodes per cell; by default every case once.
        default_episodes: the same where an environment has no fixed list of cases.
        seed: the run's seed.
        time_limit: seconds per action.
        anytime: ask every player for its answer between its turns, too.
        on_note: called with each remark about what is ignored.

    Raises:
        ConfigError: a name is unknown, or the arguments contradict each other.
    """
    cells = make_cells(
        environments,
        agents,
        judges=judges,
        arguments=arguments or {},
        probes=probes,
        axes=axes or {},
        gain=gain,
        on_note=on_note,
    )
    count = episodes or max(len(pool.case_ids(cell) or range(default_episodes)) for cell in cells)
    return RunConfig(tuple(cells), count, seed, time_limit, anytime=anytime)


def choose_environments(
    env_ids: Sequence[str],
    *,
    suite: str | None = None,
    per_cell: int | None = None,
    difficulty: str | None = None,
    settings: Sequence[str] = (),
) -> Choice:
    """List the environments that are named, or those of a suite with their arguments.

    Raises:
        ConfigError: both or options of another suite are given.
    """
    if settings and (suite is None or "settings" not in plan.find_suite(suite).options):
        raise ConfigError("a suite's setting is for the suite black-box; elsewhere use the argument setting=20@2")
    if suite is None:
        if per_cell or difficulty:
            raise ConfigError(
                "per_cell and difficulty choose from a suite: name one such as query, or use the argument difficulty=3"
            )
        return [(env_id, {}) for env_id in env_ids]
    if env_ids:
        raise ConfigError("name environments or a suite, not both")
    levels = read_difficulties(difficulty) if difficulty else None
    return plan.choose_suite(suite, per_cell=per_cell, difficulties=levels, settings=settings)


def suite_episodes(suite: str | None) -> int:
    """Episodes per cell where a suite's environments have no fixed list of cases."""
    return (suite and plan.find_suite(suite).episodes) or DEFAULT_EPISODES


def make_cells(
    environments: Choice,
    agents: Sequence[str],
    *,
    judges: Sequence[str],
    arguments: Mapping[str, Any],
    probes: Sequence[str],
    axes: Mapping[str, Sequence[Any]],
    gain: bool,
    on_note: Callable[[str], None],
) -> list[Cell]:
    """Combine environments, axis values, judges and players, each with its twin without interaction if ``gain``."""
    if judges and "judge" in axes:
        raise ConfigError("give judges to the run, or as the axis judge, not both")
    if "prompt" in axes and "agent.prompt" in axes:
        raise ConfigError("the axes prompt and agent.prompt are the same; give one of them")
    axes = {"agent.prompt" if name == "prompt" else name: values for name, values in axes.items()}
    judges, axes = (*judges, *axes.get("judge", ())), {name: axes[name] for name in axes if name != "judge"}
    for judge in judges:
        resolve_judge(judge)  # an unknown name is an error even where no judge is asked
    if not agents:
        raise ConfigError("name at least one player (agent); ibench list --agents shows them")
    if "judge" in arguments:
        raise ConfigError("judge is no argument: name one or several judges of the run, which are compared")
    if probes and ("probes" in arguments or "probes" in axes):
        raise ConfigError("give probes to the run, or as an argument or axis, not both")
    cells = []
    cautions: set[str] = set()
    for env_id, own in environments:
        if "difficulty" in own and "difficulty" in arguments:
            raise ConfigError("difficulty is no argument of a suite's environments: give it to the suite")
        defaults = catalog.entry(env_id)["defaults"]
        for values in itertools.product(*axes.values()):
            point = dict(zip(axes, values, strict=True))
            of_agent = {name.removeprefix("agent."): v for name, v in point.items() if name.startswith("agent.")}
            of_env = {name: value for name, value in point.items() if not name.startswith("agent.")}
            given = {**own, **arguments, **of_env} | ({"probes": list(probes)} if probes else {})
            asked = asks_judge(env_id, given)
            if judges and not asked:
                on_note(f"{env_id} asks no judge with these arguments, the judge is left out")
            used = (tuple(judges) or (defaults["judge"],)) if asked else (None,)
            cautions |= {caution(catalog.entry(env_id)["family"], judge) for judge in used if judge is not None}
            for judge, agent in itertools.product(used, agents):
                name, spec = split_name(agent)
                if of_agent and relay_parts(spec):
                    raise ConfigError(
                        f"{spec} has no options of its own; name one relay for each of its players' values"
                    )
                spec = add_options(spec, of_agent)
                variant = [f"{option}={value}" for option, value in of_agent.items() if isinstance(value, str)]
                name = f"{name} ({', '.join(variant)})" if name and variant else name
                axis_values = point | ({"judge": judge} if len(used) > 1 else {})
                cells.append(Cell(env_id, given, spec, judge, axis_values, name=name))
                if gain and "no_interaction" in defaults and not given.get("no_interaction"):
                    cells.append(Cell(env_id, {**given, "no_interaction": True}, spec, judge, axis_values, name=name))
    for text in sorted(cautions - {""}):
        on_note(text)
    return list({json.dumps(cell.__dict__, sort_keys=True, default=dict): cell for cell in cells}.values())


def asks_judge(env_id: str, arguments: Mapping[str, Any]) -> bool:
    """Whether an environment asks a judge with these arguments.

    Raises:
        ConfigError: the environment refuses the arguments, or they choose a view that no text player can play.
    """
    if "view" in arguments:
        raise ConfigError("players play the text view; leave the argument view out")
    env = make(env_id, **arguments)
    try:
        return bool(env.get_wrapper_attr("asks_judge"))
    finally:
        env.close()
