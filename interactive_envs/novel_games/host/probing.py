"""What one game does when it is tried: facts as JSON values, on which ``game_generation/admission.py`` decides.

Each stage is ``stage(source, settings) -> facts`` and stands alone, so that each can be asked with limits of its own.
This file runs inside the sandbox: see :mod:`interactive_envs.novel_games.host.adapter` for what it may import.
"""

from __future__ import annotations

import ast
import copy
import hashlib
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from itertools import pairwise, zip_longest
from typing import Any

import numpy as np

from interactive_envs.novel_games.host.adapter import (
    LABELS,
    PLAYER_NAMES,
    TOO_LONG,
    WON,
    GameError,
    Program,
    PunishedError,
    Table,
    folded,
    name_fault,
    offers,
)
from interactive_envs.novel_games.host.traces import Trace, TraceError, check
from interactive_envs.novel_games.search.exact import Solution, solve

Facts = dict[str, Any]
Settings = Mapping[str, Any]
DEFAULTS: dict[str, Any] = {
    "max_turns": 100,
    "zero_reward": "draw",
    "player": None,
    "games": 200,
    "states": 20_000,
    "seconds": 5.0,
    "hidden": False,
    "traces": [],
}
"""What a stage is asked with: the first three as in :class:`Program`; games played; states searched; seconds for play
that may stop early; whether the game says that it has secrets; the examples of the rules."""
WATCHED = 20
"""Games in which every attribute is followed, and seeds that are compared: enough for a coin to fall both ways."""
SHARED = ("random", "numpy.random")
FUZZ_SECONDS, LEAST_FUZZED = 20.0, 30
"""CPU seconds after which no further random game begins, once there are so many."""
ANSWERED = 0.8
"""Share of the moves that change a board which put marks of two kinds on it: one may be the other player's."""
TREE_NODES = 2_000
FORMULA_STATES = 2_000
MODULI = range(2, 17)
"""Periods of solved take-away games: one more than the most that may be taken, so small."""
AGREEMENT = 0.97
"""Share of positions that a formula must get right; below 1 because misère play differs near the end."""
REACHES = frozenset(
    "asyncio builtins ctypes fcntl gc glob http importlib inspect io marshal mmap multiprocessing os pathlib pickle "
    "platform requests resource runpy select selectors shelve shutil signal site socket socketserver sqlite3 ssl "
    "subprocess sys tempfile threading urllib urllib3 webbrowser".split()
)
"""Modules by which code leaves the game; rules of a game need none."""
HARMLESS = {"io": {"BytesIO", "StringIO"}, "sys": {"float_info", "maxsize", "stderr", "stdout", "version_info"}}
"""What is used of such modules without leaving the game."""
CALLS = frozenset("__import__ breakpoint compile eval exec input open".split())
CHOICES = frozenset("choice choices integers randint random randrange sample shuffle".split())
_OPPONENT = re.compile(
    r"_*(opponent|computer|bot|cpu|ai|enemy)s?_(action|act|move|play|step|turn|respond|response|reply)"
    r"|_*(do|execute|make|perform|play|run|simulate|take)_(opponent|computer|bot|cpu|ai|enemy)s?(_(action|move|turn))?"
)
"""Names of methods that play for somebody."""
_SAYS_WINNER = re.compile(r"(player|first|second|attacker|defender)\W*\w*\W+(has )?(wins|won|loses|lost)\b", re.I)


def read(source: str, settings: Settings) -> Facts:
    """What the text alone tells; nothing is run."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return {"error": f"{type(error).__name__}: {error}"}
    reaches = []
    used = _used(tree)
    for node in ast.walk(tree):
        taken: list[tuple[str, set[str]]] = []
        if isinstance(node, ast.Import):
            taken = [(alias.name, used.get(alias.asname or alias.name, set())) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            taken = [(node.module or "", {alias.name for alias in node.names})]
        reaches += [
            f"import {name} (line {_line(node)})"
            for name, parts in taken
            if name.split(".")[0] in REACHES and not (name in HARMLESS and parts <= HARMLESS[name])
        ]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
            reaches.append(f"{node.func.id}() (line {_line(node)})")
        if isinstance(node, ast.Attribute) and node.attr in ("__subclasses__", "__globals__", "__builtins__"):
            reaches.append(f"{node.attr} (line {_line(node)})")
    return {"reaches": reaches, "opponent": _opponent(tree)}


def build(source: str, settings: Settings) -> Facts:
    """Whether there is a game, and the sizes of its spaces."""
    begun = time.process_time()
    try:
        program = _program(source, settings)
        seconds = time.process_time() - begun
        env = program.make()
        sizes = {_sizes(env)}
        for seed in range(3):
            observation, _ = env.reset(seed=seed)
            sizes.add(_sizes(env))
        board, moves = env.render(), env.valid_moves()
    except Exception as error:
        cause = error.__cause__ or error
        why = next((kind.__name__ for kind in (OSError, MemoryError) if isinstance(cause, kind)), "")
        told = str(error) if isinstance(error, GameError) else f"{type(error).__name__}: {error}"
        return {"error": told, "why": why}
    return {
        "actions": program.actions,
        "observed": program.size,
        "seconds": seconds,
        "sizes": sorted(map(list, sizes)),
        "board": isinstance(board, str),
        "moves": len(moves),
        "observation": _observation_fault(env, observation),
        "player": program.player,
        "extensions": [
            name for name in ("move_name", "clone", "key", "view", "resample", "chance") if offers(env, name)
        ],
    }


def repeat(source: str, settings: Settings) -> Facts:
    """Whether the seed alone decides, and whether the generators that all code shares are left alone."""
    with _generators_kept():
        random.seed(1)
        np.random.seed(1)
        before = random.getstate(), repr(np.random.get_state())
        program = _anew(source, settings)
        first = [_trace(program.new(seed), seed) for seed in range(WATCHED)]
        after = random.getstate(), repr(np.random.get_state())
        random.seed(2)
        np.random.seed(2)
        again = [_trace(table, seed) for seed, table in enumerate(map(_anew(source, settings).new, range(WATCHED)))]
        env = program.make()
        reused = []
        for seed in range(WATCHED):
            observation, _ = env.reset(seed=seed)
            reused.append(_trace(Table(program, env, observation), seed))
        return {
            "shared": [name for name, *pair in zip(SHARED, before, after, strict=True) if pair[0] != pair[1]],
            "again": sum(one != two for one, two in zip(first, again, strict=True)),
            "reused": sum(one != two for one, two in zip(first, reused, strict=True)),
            "beside": sum(one != two for one, two in zip(first, _beside(program), strict=True)),
            "games": WATCHED,
            "seed_matters": _drawn(program),
        }


def fuzz(source: str, settings: Settings) -> Facts:
    """Random games: legality, spaces, rewards, lengths and results; fewer where they take too long."""
    asked = {**DEFAULTS, **settings}
    program = _program(source, settings)
    rng = np.random.default_rng(0)
    faults: dict[str, list[Any]] = {}
    results: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    lengths, choices = [], []
    seats: dict[Any, int] = {}
    winners: Counter[tuple[Any, str]] = Counter()
    watch = _Watch()
    again = steps = played = 0
    begun = time.process_time()
    for game in range(asked["games"]):
        if played >= LEAST_FUZZED and time.process_time() - begun > FUZZ_SECONDS:
            break
        played += 1
        table = program.new(game)
        watch.begin(table.env, game)
        opening = _shown_board(table)
        while table.result is None:
            fault = (
                _position_fault(program, table)
                or _illegal_fault(program, table, rng, game)
                or _replay_fault(program, table, rng, game)
            )
            if fault:
                _note(faults, fault, game, table)
            try:
                legal = sorted(int(action) for action in table.legal())
            except GameError as error:
                _note(faults, ("no moves", str(error)), game, table)
                break
            except Exception as error:
                _note(faults, ("moves", f"{type(error).__name__}: {error}"), game, table)
                break
            choices.append(len(legal))
            if program.player:
                seats[getattr(table.env, program.player)] = table.seat
            mover, action = table.seat, legal[int(rng.integers(len(legal)))]
            ended: Facts = {}
            try:
                _play(table, action, ended)
            except GameError as error:
                kind = "punished" if isinstance(error, PunishedError) else "result"
                _note(faults, (kind, f"{error} (action {action})"), game, table)
                break
            except Exception as error:
                _note(faults, ("raises", f"action {action}: {type(error).__name__}: {error}"), game, table)
                break
            steps += 1
            again += table.result is None and table.seat == mover
            watch.step(table.env, table.result is None)
        if table.result is not None:
            results[table.result] += 1
            lengths.append(table.turns)
            if table.result != TOO_LONG:
                ends.update(_end(table, ended, seats, opening))
            if table.result in WON and _is_label(winner := getattr(table.env, "winner", None)):
                winners[winner, str(table.result)] += 1
    if not seats:
        ends.update(contradicted=_contradicted(winners))
    return {
        "games": played,
        "faults": {kind: {"count": count, "example": example} for kind, (count, example) in faults.items()},
        "results": dict(results),
        "ends": dict(ends),
        "lengths": {"mean": _mean(lengths), "least": min(lengths, default=0), "most": max(lengths, default=0)},
        "choices": _mean(choices),
        "forced": _mean([count == 1 for count in choices]),
        "again": again,
        "step_us": 1e6 * (time.process_time() - begun) / max(1, steps),
        **watch.facts(program),
    }


def secrets(source: str, settings: Settings) -> Facts:
    """Whether the state holds what the board does not show, and whether views keep it apart."""
    with _generators_kept():
        return _secrets(_program(source, settings))


def exact(source: str, settings: Settings) -> Facts:
    """The solution where the states are few, what a random player gets against it, and formulas that give it away."""
    asked = {**DEFAULTS, **settings}
    program = _program(source, settings)
    # a search of all states would know what a seat does not
    unknown = asked["hidden"] or (not program.chances and _drawn(program))
    solution = None if unknown else solve(program, asked["states"])
    if solution is None:
        return {"solved": False, **_against(program, _rollouts, asked["seconds"])}
    best = _against(program, lambda table, rng: _any(solution.best(table), rng), asked["seconds"])
    return {
        "solved": True,
        "states": solution.states,
        "value": solution.value,
        "best": [int(action) for action in solution.best(program.new(0))],
        "formulas": _formulas(program, solution),
        **best,
    }


def canonical(source: str, settings: Settings) -> Facts:
    """Traces of play that do not depend on how moves are numbered, to compare games by."""
    asked = {**DEFAULTS, **settings}
    program = _program(source, settings)
    rng = np.random.default_rng(7)
    results: Counter[str] = Counter()
    lengths: Counter[int] = Counter()
    turns: dict[int, Counter[int]] = {}
    for game in range(3 * asked["games"]):
        table = program.new(game)
        while table.result is None:
            legal = sorted(table.legal())
            turns.setdefault(table.turns, Counter())[len(legal) if table.seat == 0 else -len(legal)] += 1
            table.play(legal[int(rng.integers(len(legal)))])
        results[str(table.result)] += 1
        lengths[table.turns] += 1
    return {
        "results": dict(results),
        "lengths": sorted(map(list, lengths.items())),
        "turns": [sorted(map(list, turns[turn].items())) for turn in sorted(turns)],
        "trees": _trees(program),
    }


def follow(source: str, settings: Settings) -> Facts:
    """Play the examples of the rules; a fault for each that goes another way."""
    program, asked = _program(source, settings), {**DEFAULTS, **settings}
    faults = []
    for line, text in asked["traces"]:
        try:
            check(program, Trace(line, text))
        except TraceError as error:
            faults.append(str(error).splitlines()[0])
    return {"traces": len(asked["traces"]), "faults": faults}


STAGES: dict[str, Callable[[str, Settings], Facts]] = {
    stage.__name__: stage for stage in (read, build, repeat, fuzz, secrets, follow, exact, canonical)
}


def probe(source: str, settings: Settings) -> Facts:
    """All stages in this process, for games that are trusted; stops at the first that finds no game."""
    facts: Facts = {}
    for name, stage in STAGES.items():
        facts[name] = stage(source, settings)
        if "error" in facts[name]:
            break
    return facts


def _secrets(program: Program) -> Facts:
    facts: Facts = {"views": program.views, "hidden": [], "late": False, "choice": _choice(program)}
    for depth in (0, 2, 4):
        tables = [table for seed in range(WATCHED) if (table := _after(program, seed, depth)) is not None]
        facts["hidden"] = sorted({*facts["hidden"], *_hidden(program, tables)})
        facts["late"] = facts["late"] or any(_late(program, table, seed) for seed, table in enumerate(tables[:8]))
    if program.views:
        facts |= _views(program)
    return facts


@lru_cache(maxsize=1)
def _loaded(source: str, max_turns: int, zero_reward: str, player: str | None) -> Program:
    return Program(source, max_turns=max_turns, zero_reward=zero_reward, player=player)


def _program(source: str, settings: Settings) -> Program:
    return _loaded(source, *_options(settings))


def _anew(source: str, settings: Settings) -> Program:
    """The code run once more, for what it draws when it is loaded."""
    return _loaded.__wrapped__(source, *_options(settings))


def _options(settings: Settings) -> tuple[Any, ...]:
    asked = {**DEFAULTS, **settings}
    return asked["max_turns"], asked["zero_reward"], asked["player"]


@contextmanager
def _generators_kept() -> Iterator[None]:
    """Put the generators that all code shares back, for the sake of who asked."""
    states = random.getstate(), np.random.get_state()
    try:
        yield
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])


def _line(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)


def _used(tree: ast.AST) -> dict[str, set[str]]:
    """What is asked of each name; ``""`` where it is used in any other way."""
    used: dict[str, set[str]] = {}
    asked = set()
    for node in ast.walk(tree):  # outer nodes come first
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            used.setdefault(node.value.id, set()).add(node.attr)
            asked.add(node.value)
        elif isinstance(node, ast.Name) and node not in asked:
            used.setdefault(node.id, set()).add("")
    return used


def _opponent(tree: ast.AST) -> list[str]:
    """Signs that ``step`` plays for the other seat, too."""
    methods = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    todo, reached, signs = ["step"], set(), []
    while todo:
        name = todo.pop()
        if name in reached or name not in methods:
            continue
        reached.add(name)
        if _OPPONENT.fullmatch(name):
            signs.append(f"step() calls {name}()")
        listed = {"valid_moves"}
        for node in ast.walk(methods[name]):
            if isinstance(node, ast.Assign) and _mentions(node.value, {"valid_moves"}):
                listed |= {target.id for target in node.targets if isinstance(target, ast.Name)}
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if isinstance(node.func.value, ast.Name) and node.func.value.id == "self":
                    todo.append(node.func.attr)
                if node.func.attr in CHOICES and any(_mentions(part, listed) for part in node.args):
                    signs.append(f"{name}() draws a move at random (line {node.lineno})")
    return sorted(set(signs))


def _mentions(tree: ast.AST, names: set[str]) -> bool:
    return any(getattr(node, "attr", getattr(node, "id", None)) in names for node in ast.walk(tree))


def _sizes(env: Any) -> tuple[int, int]:
    return int(env.action_space.n), int(np.prod(env.observation_space.shape))


def _observation_fault(env: Any, observation: Any) -> str:
    """Why an observation is not in its space; ``""`` where it is."""
    try:
        values = np.asarray(observation, np.float64)
    except (TypeError, ValueError):
        return f"no array of numbers: {type(observation).__name__}"
    space = env.observation_space
    if values.shape != space.shape:
        return f"shape {values.shape}, space {space.shape}"
    if not np.isfinite(values).all():
        return "not finite"
    # a float32 bound and the same number in float64 differ in the last places
    outside = (values < space.low - 1e-6) | (values > space.high + 1e-6)
    return (
        f"entry {int(np.argmax(outside.ravel()))} is {values.ravel()[np.argmax(outside.ravel())]:g}"
        if outside.any()
        else ""
    )


def _position_fault(program: Program, table: Table) -> tuple[str, str] | None:
    """What is wrong with a position before a move is played."""
    env = table.env
    if _sizes(env) != (program.actions, program.size):
        return "spaces", f"sizes {_sizes(env)}, at first {(program.actions, program.size)}"
    if fault := _observation_fault(env, table.observation):
        return "observation", fault
    try:
        if not isinstance(env.render(), str):
            return "render", "render() gives no text"
        moves, twice = list(env.valid_moves()), list(env.valid_moves())
    except Exception as error:
        return "render", f"{type(error).__name__}: {error}"
    if any(isinstance(move, bool) or not isinstance(move, int | np.integer) for move in moves):
        return "moves", f"no list of integers: {moves[:5]}"
    if any(not 0 <= move < program.actions for move in moves) or len(set(moves)) != len(moves):
        return "moves", f"twice or outside the action space: {moves[:20]}"
    if sorted(moves) != sorted(twice):
        return "moves", "two calls in one position differ"
    if program.names:
        names = [table.name(int(move)) for move in moves]
        if fault := name_fault(names):
            return "names", fault
        if len({*map(folded, names)}) < len(names):
            return "names", "two legal moves differ in capitals alone"
    return None


def _illegal_fault(program: Program, table: Table, rng: Any, game: int) -> tuple[str, str] | None:
    """What happens to a move that is not listed, in one position of each game."""
    if table.turns != game % 8:
        return None
    others = sorted(set(range(min(program.actions, 10_000))) - set(table.env.valid_moves()))
    if not others:
        return None
    action = _any(others, rng)
    try:
        env = program.clone(table.env)
    except Exception as error:
        return "copy", f"{type(error).__name__}: {error}"
    try:
        _, reward, terminated, _, _ = env.step(action)
    except Exception as error:
        return "illegal raises", f"action {action}: {type(error).__name__}: {error}"
    if reward >= 0:
        return "illegal accepted", f"action {action} is not in valid_moves() and gets reward {reward:g}"
    return None if reward <= -10 and terminated else ("illegal mild", f"action {action} gets reward {reward:g}")


def _replay_fault(program: Program, table: Table, rng: Any, game: int) -> tuple[str, str] | None:
    """Whether a search can get at a position that is given by its moves alone."""
    if program.views or table.turns != game % 8:
        return None
    try:
        program.resample(table.view(table.seat), rng)
    except Exception as error:
        return "replay", str(error) if isinstance(error, GameError) else f"{type(error).__name__}: {error}"
    return None


def _note(faults: dict[str, list[Any]], fault: tuple[str, str], game: int, table: Table) -> None:
    kind, what = fault
    faults.setdefault(kind, [0, f"{what} (seed {game}, turn {table.turns + 1})"])[0] += 1


def _play(table: Table, action: int, ended: Facts) -> None:
    """Play a move and note what the game itself returned for it."""
    env, step = table.env, table.env.step

    def noted(action: int) -> Any:
        answer = step(action)
        ended.update(reward=float(answer[1]), told="winner" in answer[4])
        return answer

    env.step = noted
    try:
        table.play(action)
    finally:
        del env.step


def _shown_board(table: Table) -> str:
    try:
        return str(table.env.render())
    except Exception:
        return ""


def _is_label(winner: Any) -> bool:
    return isinstance(winner, int | np.integer) and not isinstance(winner, bool)


def _contradicted(winners: Mapping[tuple[Any, str], int]) -> int:
    """Games whose own winner is another than ours, where seats alternate and nothing else tells who acts."""
    found = {int(winner) for winner, _ in winners}
    for labels in LABELS:
        if found == {*labels}:
            return sum(count for (winner, result), count in winners.items() if WON[labels.index(winner)] != result)
    return 0


def _end(table: Table, ended: Facts, seats: Mapping[Any, int], opening: str) -> list[str]:
    """What can be said of how a game told its result.

    Args:
        table: the game, ended.
        ended: what its last step returned.
        seats: the seat that each value of the acting player's attribute stands for.
        opening: the board at the start; words that stand there, too, tell no result.
    """
    said = ["told" if ended["told"] else "plus" if ended["reward"] > 0 else "minus" if ended["reward"] < 0 else "zero"]
    winner = getattr(table.env, "winner", None)
    named = isinstance(winner, int | str | np.integer) and not isinstance(winner, bool) and winner in seats
    if named and table.result in WON and WON[seats[winner]] != table.result:
        said.append("contradicted")
    # where seats are 0 and 1, a winner 0 could mean nobody; then both draws and losses would be 0
    spoken = _SAYS_WINNER.search(_shown_board(table)) and not _SAYS_WINNER.search(opening)
    if said == ["zero"] and (named or spoken):
        said.append("zero but won")
    return said


class _Watch:
    """Follows the attributes of the first games: who keeps the acting player, and whether a move is two moves."""

    def __init__(self) -> None:
        self._runs: list[list[Facts]] = []
        self._rows: dict[str, list[Any]] = {}
        self._steps: Counter[str] = Counter()
        self._answered: Counter[str] = Counter()
        self._on = False

    def begin(self, env: Any, game: int) -> None:
        self._on = game < WATCHED
        if self._on:
            self._runs.append([_scalars(env)])
            self._rows = _rows(env)

    def step(self, env: Any, goes_on: bool) -> None:
        if not (self._on and goes_on):
            return
        self._runs[-1].append(_scalars(env))
        before, self._rows = self._rows, _rows(env)
        for name, row in self._rows.items():
            pairs = zip(before.get(name, []), row, strict=False)
            if changes := [(old, new) for old, new in pairs if repr(old) != repr(new)]:
                filled = all(old in _EMPTY and new not in _EMPTY for old, new in changes)
                self._steps[name] += 1
                self._answered[name] += filled and len({repr(new) for _, new in changes}) > 1

    def facts(self, program: Program) -> Facts:
        runs = [run for run in self._runs if len(run) > 2]
        names = set.intersection(*(set(run[0]) for run in runs)) if runs else set()
        constant, often, rarely, alternating = [], [], [], []
        for name in sorted(names):
            columns = [[state.get(name) for state in run] for run in runs]
            values = {repr(value) for column in columns for value in column}
            if len(values) == 1 and name in PLAYER_NAMES:
                constant.append(name)
            if len(values) != 2 or len({repr(column[0]) for column in columns}) > 1:
                continue
            changes = [one != two for column in columns for one, two in pairwise(column)]
            if all(changes):
                alternating.append(name)
            elif _mean(changes) >= 0.5:
                often.append(name)
            elif _mean(changes) >= 0.2:
                rarely.append(name)
        unclear = not program.player and often and not alternating
        return {
            "constant_player": constant,
            "unclear_player": often if unclear else [],
            "maybe_player": [] if unclear or program.player else [*often, *rarely],
            "answered": [name for name, steps in self._steps.items() if self._answered[name] >= ANSWERED * steps],
        }


def _scalars(env: Any) -> Facts:
    """Attributes that are a number or a text, and those in dictionaries."""
    told: Facts = {}
    for name, value in vars(env).items():
        items = value.items() if isinstance(value, dict) else ()
        told |= {name: value} | {f"{name}[{key!r}]": item for key, item in items}
    return {name: value for name, value in told.items() if isinstance(value, int | str | np.integer)}


def _rows(env: Any) -> dict[str, list[Any]]:
    """Attributes that may be boards: arrays, lists, lists of lists."""
    rows = {}
    for name, value in vars(env).items():
        if isinstance(value, np.ndarray):
            rows[name] = value.ravel().tolist()
        elif isinstance(value, list):
            rows[name] = [item for part in value for item in (part if isinstance(part, list) else [part])]
    return rows


_EMPTY = (0, None, "", " ", ".", "-", "_")


def _trace(table: Table, seed: int) -> list[Any]:
    """A random game, as everything that a player can see of it."""
    return [*_seen(table, seed)]


def _seen(table: Table, seed: int) -> Iterator[Any]:
    """What can be seen before each move of a random game, and its result at last."""
    rng = np.random.default_rng(seed)
    try:
        while table.result is None:
            legal = sorted(table.legal())
            yield _visible(table), table.seat
            table.play(legal[int(rng.integers(len(legal)))])
    except Exception as error:
        yield type(error).__name__
    yield table.result or ""


def _beside(program: Program) -> list[list[Any]]:
    """The games of :func:`repeat` two at a time, a move each by turns: none may know of the other."""
    traces = []
    for seed in range(0, WATCHED, 2):
        steps = [*zip_longest(*(_seen(program.new(number), number) for number in (seed, seed + 1)))]
        traces += [[step for step in trace if step is not None] for trace in zip(*steps, strict=True)]
    return traces


def _drawn(program: Program) -> bool:
    """Whether games of other seeds go another way by the same moves."""
    return len({repr(_trace(program.new(seed), 0)) for seed in range(WATCHED)}) > 1


def _visible(table: Table) -> str:
    seen = np.asarray(table.observation, np.float64).ravel().tolist()
    return repr((seen, str(table.env.render()), sorted(table.env.valid_moves())))


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


_LOOKS = ("_get_obs", "_get_observation", "get_observation", "_obs", "_observation", "_get_state")
_GENERATORS = (np.random.Generator, np.random.RandomState, random.Random)


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
                if _trace(same, 3) != _trace(other, 3):
                    found.append(name)
            except Exception:  # noqa: S112  an exchange that breaks the game tells nothing
                continue
    return found


def _late(program: Program, table: Table, seed: int) -> bool:
    """Whether a copy with other generators goes another way: chance is drawn when it is needed."""
    same, other = table.clone(), table.clone()
    _shuffle(other.env, seed + 1000)
    random.seed(3)
    np.random.seed(3)
    one = _trace(same, seed)
    random.seed(4)
    np.random.seed(4)
    return one != _trace(other, seed)


def _shuffle(env: Any, seed: int) -> None:
    for name, value in list(vars(env).items()):
        if isinstance(value, np.random.Generator):
            setattr(env, name, np.random.default_rng(seed))
        elif isinstance(value, np.random.RandomState):
            setattr(env, name, np.random.RandomState(seed))
        elif isinstance(value, random.Random):
            setattr(env, name, random.Random(seed))  # noqa: S311  play, not secrets


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
            table.play(_any(table.legal(), rng))
    return {"view_faults": sorted(faults.values()), "variety": variety}


Player = Callable[[Table, Any], int]


def _any(moves: list[int], rng: Any) -> int:
    return int(moves[int(rng.integers(len(moves)))])


def _against(program: Program, player: Player, seconds: float) -> Facts:
    """Games of a random player against another, seats in turn, until the time is up."""
    rng = np.random.default_rng(11)
    begun = time.process_time()
    wins = draws = games = 0
    while games < 200 and (games < 4 or time.process_time() - begun < seconds):
        table = program.new(games)
        seat = games % 2
        while table.result is None:
            table.play(_any(table.legal(), rng) if table.seat == seat else player(table, rng))
            if time.process_time() - begun > 2 * seconds:
                return {"played": games, "random_wins": wins, "random_draws": draws}
        wins += table.score(seat) > 0
        draws += table.score(seat) == 0
        games += 1
    return {"played": games, "random_wins": wins, "random_draws": draws}


def _rollouts(table: Table, rng: Any) -> int:
    """The move after which random play ends best: a stand-in where the best move is unknown."""
    legal = table.legal()
    if len(legal) == 1:
        return int(legal[0])
    program, seat = table.program, table.seat
    view = table.view(seat) if program.views else None
    scores = []
    for action in legal:
        score = 0.0
        for _ in range(max(2, 48 // len(legal))):
            branch = (program.resample(view, rng) if view else table).branch(action)
            branch.turns = table.turns
            if view is None:
                _shuffle(branch.env, int(rng.integers(2**31)))  # a copied generator would tell what comes
            while branch.result is None:
                branch.play(_any(branch.legal(), rng))
            score += branch.score(seat)
        scores.append(score)
    return int(legal[int(np.argmax(scores))])


def _formulas(program: Program, solution: Solution) -> list[str]:
    """Formulas over numbers of the state that tell won positions from lost ones."""
    if program.chances:
        return []
    rng = np.random.default_rng(13)
    rows: dict[Any, tuple[Facts, bool]] = {}
    for _ in range(400):
        table = program.new(0)
        while table.result is None and len(rows) < FORMULA_STATES:
            value = solution.value_of(table) * (1 if table.seat == 0 else -1)
            if value != 0:
                rows[table.seat, table.key()] = _numbers(table.env), value > 0
            table.play(_any(table.legal(), rng))
        if len(rows) >= FORMULA_STATES:
            break
    wins = [win for _, win in rows.values()]
    # one answer that fits nearly everywhere says nothing about a formula
    if len(rows) < 12 or not 0.05 <= _mean(wins) <= 0.95:
        return []
    found = []
    for name in sorted(set.intersection(*(set(numbers) for numbers, _ in rows.values()))):
        column = [numbers[name] for numbers, _ in rows.values()]
        for what, test in _tests(column):
            if _explains(test, wins):
                found.append(f"{what.format(name)} tells who wins")
                break
    return found


def _numbers(env: Any) -> Facts:
    """Whole numbers and short rows of them in the state."""
    numbers: Facts = {}
    for name, value in vars(env).items():
        if name.startswith("_np_random") or isinstance(value, bool):
            continue
        if isinstance(value, int | np.integer):
            numbers[name] = int(value)
            continue
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, list | tuple | np.ndarray) and 2 <= len(value) <= 8:
            row = value.tolist() if isinstance(value, np.ndarray) else list(value)
            if all(isinstance(item, int | np.integer) and item >= 0 for item in row):
                numbers[name] = [int(item) for item in row]
    return numbers


def _tests(column: list[Any]) -> Iterator[tuple[str, list[int]]]:
    """Ways to turn the values of one attribute into small classes, simplest first."""
    if all(isinstance(value, int) for value in column):
        different = len(set(column))
        for modulus in MODULI:
            if different >= 2 * modulus:
                yield f"{{}} modulo {modulus}", [value % modulus for value in column]
    elif all(isinstance(value, list) for value in column):
        if max(max(value) for value in column) < 2:
            yield "the parity of {}", [sum(value) % 2 for value in column]
            return
        yield "the Nim sum of {}", [_xor(value) for value in column]
        for modulus in MODULI:
            yield f"the Nim sum of {{}} modulo {modulus}", [_xor(item % modulus for item in value) for value in column]
            if len({sum(value) for value in column}) >= 2 * modulus:
                yield f"the sum of {{}} modulo {modulus}", [sum(value) % modulus for value in column]


def _xor(values: Any) -> int:
    total = 0
    for value in values:
        total ^= value
    return total


def _explains(classes: list[int], wins: list[bool]) -> bool:
    """Whether being in a class tells win from loss, better than by naming each position."""
    votes: dict[int, list[int]] = {}
    for kind, win in zip(classes, wins, strict=True):
        votes.setdefault(kind, [0, 0])[win] += 1
    if len(votes) > len(wins) / 3:
        return False
    return sum(max(vote) for vote in votes.values()) >= AGREEMENT * len(wins)


def _trees(program: Program) -> list[list[Any]]:
    """For each depth the number of nodes and a digest of the game's tree as a shape; [] where the seed matters."""
    if program.views or _drawn(program):
        return []
    level = [program.new(0)]
    paths: list[tuple[int, ...]] = [()]
    nodes: dict[tuple[int, ...], Any] = {(): level[0].seat}
    trees: list[list[Any]] = []
    for _ in range(12):
        following: list[Table] = []
        ways: list[tuple[int, ...]] = []
        for table, path in zip(level, paths, strict=True):
            for rank, action in enumerate(sorted(table.legal())):
                if len(following) > TREE_NODES:
                    return trees
                branch = table.branch(action)
                way = (*path, rank)
                nodes[way] = branch.result or branch.seat
                following.append(branch)
                ways.append(way)
        if not following:
            break
        trees.append([len(nodes), _digest(nodes)])
        level = [table for table in following if table.result is None]
        paths = [way for table, way in zip(following, ways, strict=True) if table.result is None]
    return trees


def _digest(nodes: dict[tuple[int, ...], Any]) -> str:
    """A hash of a tree in which the order of branches does not count."""
    below: dict[tuple[int, ...], list[str]] = {}
    for path in sorted(nodes, key=len, reverse=True):
        text = f"{nodes[path]}({','.join(sorted(below.pop(path, [])))})"
        digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        if not path:
            return digest
        below.setdefault(path[:-1], []).append(digest)
    return ""


def _mean(values: Any) -> float:
    return float(np.mean(values)) if len(values) else 0.0
