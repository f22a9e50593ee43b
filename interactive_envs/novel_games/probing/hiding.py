"""Whether a game keeps something from a player, and whether its views keep it apart."""

from __future__ import annotations

import copy
import random
from itertools import pairwise

import numpy as np

from interactive_envs.novel_games.host.adapter import WON, Program, Table
from interactive_envs.novel_games.probing.common import (
    WATCHED,
    Facts,
    Settings,
    any_move,
    keep_generators,
    load_program,
    shuffle_generators,
    trace,
)

_LOOKS = ("_get_obs", "_get_observation", "get_observation", "_obs", "_observation", "_get_state")
_GENERATORS = (np.random.Generator, np.random.RandomState, random.Random)


def secrets(source: str, settings: Settings) -> Facts:
    """Whether the state holds what the board does not show, and whether views keep it apart."""
    with keep_generators():
        return _secrets(load_program(source, settings))


def _secrets(program: Program) -> Facts:
    facts: Facts = {"views": program.views, "hidden": [], "late": False, "choice": _choice(program)}
    for depth in (0, 2, 4):
        tables = [table for seed in range(WATCHED) if (table := _after(program, seed, depth)) is not None]
        facts["hidden"] = sorted({*facts["hidden"], *_hidden(program, tables)})
        facts["late"] = facts["late"] or any(_late(program, table, seed) for seed, table in enumerate(tables[:8]))
    if program.views:
        facts |= _views(program)
    return facts


def _shown(table: Table) -> str:
    """What the player to move sees of the state as it is now; the last observation may be older than the state."""
    if table.program.views:
        return repr(table.env.view(table.seat))
    look = next((getattr(table.env, name) for name in _LOOKS if hasattr(table.env, name)), None)
    try:
        seen = np.asarray(look(), np.float64).ravel().tolist() if look else []
    except Exception:
        seen = []
    return repr((seen, str(table.env.render()), sorted(table.env.valid_moves())))


def _after(program: Program, seed: int, depth: int) -> Table | None:
    """The game of a seed after some moves, the same ranks for every seed; None where it is over by then."""
    table = program.new(seed)
    try:
        for turn in range(depth):
            legal = sorted(table.legal())
            if not legal:
                return None
            table.play(legal[(turn * 7) % len(legal)])
    except Exception:
        return None
    return table if table.result is None else None


def _hidden(program: Program, tables: list[Table]) -> list[str]:
    """Attributes drawn by the seed that can be exchanged between two games unseen, and change what follows."""
    found = []
    for one, two in pairwise(tables):
        for name, value in vars(two.env).items():
            if name.startswith("_np_random") or isinstance(value, _GENERATORS):
                continue
            if repr(value) == repr(getattr(one.env, name, None)) or name in found:
                continue
            try:
                same, other = one.clone(), one.clone()
                setattr(other.env, name, copy.deepcopy(value))
                if _shown(same) != _shown(other):
                    continue
                if trace(same, 3) != trace(other, 3):
                    found.append(name)
            except Exception:  # noqa: S112  an exchange that breaks the game tells nothing
                continue
    return found


def _late(program: Program, table: Table, seed: int) -> bool:
    """Whether a copy with other generators goes another way: chance is drawn when it is needed."""
    same, other = table.clone(), table.clone()
    shuffle_generators(other.env, seed + 1000)
    random.seed(3)
    np.random.seed(3)
    one = trace(same, seed)
    random.seed(4)
    np.random.seed(4)
    return one != trace(other, seed)


def _choice(program: Program) -> Facts:
    """What the second to move sees of the first move: the same for every move when the move is secret."""
    start = program.new(0)
    boards, observations, whole = set(), set(), set()
    for action in start.legal()[:12]:
        table = start.clone()
        table.play(action)
        if table.result is not None or table.seat == start.seat:
            return {}
        if program.views:
            view = table.view(table.seat)
            boards.add(str(view["board"]))
            observations.add(repr(view["observation"]))
        else:
            boards.add(str(table.env.render()))
            observations.add(repr(np.asarray(table.observation).ravel().tolist()))
        whole.add(repr(table.key()))
    return {
        "moves": len(start.legal()[:12]),
        "boards": len(boards),
        "observations": len(observations),
        "states": len(whole),
    }


def _views(program: Program) -> Facts:
    """Whether views can be drawn from, and say what the game says elsewhere."""
    rng = np.random.default_rng(5)
    faults: dict[str, str] = {}
    variety = 0
    for game in range(WATCHED):
        table = program.new(game)
        while table.result is None:
            if rng.random() < 0.3:
                states = set()
                try:
                    for seat in (0, 1):
                        view = table.view(seat)
                        drawn = program.resample(view, rng)
                        states.add(repr(drawn.key()))
                        if drawn.env.view(seat) != table.env.view(seat):
                            faults["view"] = f"the view of {WON[seat]} changes by resample() (seed {game})"
                        if drawn.seat == seat and sorted(drawn.legal()) != sorted(table.legal()):
                            faults["legal"] = f"the moves of {WON[seat]} change by resample() (seed {game})"
                    view = table.view(table.seat)
                    states |= {repr(program.resample(view, rng).key()) for _ in range(4)}
                    variety = max(variety, len(states))
                    if str(view["board"]).strip() != str(table.env.render()).strip():
                        faults["board"] = f"render() and view()['board'] differ (seed {game})"
                    if not np.allclose(view["observation"], np.asarray(table.observation, np.float64), atol=1e-5):
                        faults["observation"] = f"step() and view() give different observations (seed {game})"
                except Exception as error:
                    faults["raises"] = f"{type(error).__name__}: {error} (seed {game})"
                    break
            table.play(any_move(table.legal(), rng))
    return {"view_faults": sorted(faults.values()), "variety": variety}
