"""How strong play ends: the solution where the states are few, and formulas that give it away."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from interactive_envs.novel_games.host.adapter import Program, Table
from interactive_envs.novel_games.probing.common import (
    DEFAULTS,
    Facts,
    Settings,
    any_move,
    load_program,
    mean,
    seed_matters,
    shuffle_generators,
)
from interactive_envs.novel_games.probing.known import known_endings, known_games
from interactive_envs.novel_games.probing.opening import quick_win
from interactive_envs.novel_games.search.exact import Solution, solve

FORMULA_STATES = 2_000
MODULI = range(2, 17)
"""Periods of solved take-away games: one more than the most that may be taken, so small."""
AGREEMENT = 0.97
"""Share of positions that a formula must get right; below 1 because misère play differs near the end."""
Player = Callable[[Table, Any], int]


def exact(source: str, settings: Settings) -> Facts:
    """The solution where the states are few, what a random player gets against it, and formulas that give it away."""
    asked = {**DEFAULTS, **settings}
    program = load_program(source, settings)
    # a search of all states would know what a seat does not
    drawn = program.chances or seed_matters(program)
    unknown = asked["hidden"] or (drawn and not program.chances)
    solution = None if unknown else solve(program, asked["states"])
    opening = {"opening": quick_win(program, certain=not (asked["hidden"] or drawn))}
    if solution is None:
        known = [] if asked["hidden"] or drawn else known_endings(program)
        return {"solved": False, "endings": known, **opening, **_against(program, _rollouts, asked["seconds"])}
    best = _against(program, lambda table, rng: any_move(solution.best(table), rng), asked["seconds"])
    return {
        "solved": True,
        "states": solution.states,
        "value": solution.value,
        "plies": solution.plies,
        "endless": solution.endless,
        "best": [int(action) for action in solution.best(program.new(0))],
        "known": known_games(solution),
        "formulas": _formulas(program, solution),
        **opening,
        **best,
    }


def _against(program: Program, player: Player, seconds: float) -> Facts:
    """Games of a random player against another, seats in turn, until the time is up."""
    rng = np.random.default_rng(11)
    begun = time.process_time()
    wins = draws = games = 0
    while games < 200 and (games < 4 or time.process_time() - begun < seconds):
        table = program.new(games)
        seat = games % 2
        while table.result is None:
            table.play(any_move(table.legal(), rng) if table.seat == seat else player(table, rng))
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
                shuffle_generators(branch.env, int(rng.integers(2**31)))  # a copied generator would tell what comes
            while branch.result is None:
                branch.play(any_move(branch.legal(), rng))
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
            table.play(any_move(table.legal(), rng))
        if len(rows) >= FORMULA_STATES:
            break
    wins = [win for _, win in rows.values()]
    # one answer that fits nearly everywhere says nothing about a formula
    if len(rows) < 12 or not 0.05 <= mean(wins) <= 0.95:
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
