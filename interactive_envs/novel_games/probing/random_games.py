"""Random games: legality, spaces, rewards, lengths and results."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from interactive_envs.novel_games.host.adapter import (
    LABELS,
    PUNISHMENT,
    TOO_LONG,
    WON,
    GameError,
    Program,
    Table,
    folded,
    name_fault,
)
from interactive_envs.novel_games.probing.common import (
    DEFAULTS,
    Facts,
    Settings,
    any_move,
    load_program,
    mean,
    observation_fault,
    space_sizes,
    visible,
)
from interactive_envs.novel_games.probing.watching import Watch

FUZZ_SECONDS, LEAST_FUZZED = 20.0, 30
"""CPU seconds after which no further random game begins, once there are so many."""
_SAYS_WINNER = re.compile(r"(player|first|second|attacker|defender)\W*\w*\W+(has )?(wins|won|loses|lost)\b", re.I)


def fuzz(source: str, settings: Settings) -> Facts:
    """Random games: legality, spaces, rewards, lengths and results; fewer where they take too long."""
    asked = {**DEFAULTS, **settings}
    program = load_program(source, settings)
    rng = np.random.default_rng(0)
    faults: dict[str, list[Any]] = {}
    results: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    lengths, choices = [], []
    seats: dict[Any, int] = {}
    winners: Counter[tuple[Any, str]] = Counter()
    moves_of: dict[Any, list[int]] = {}
    watch = Watch()
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
            if fault := _key_fault(table, legal, moves_of):
                _note(faults, fault, game, table)
            if program.player:
                seats[getattr(table.env, program.player)] = table.seat
            mover, action = table.seat, legal[int(rng.integers(len(legal)))]
            ended: Facts = {}
            try:
                _play(table, action, ended)
            except GameError as error:
                _note(faults, ("result", f"{error} (action {action})"), game, table)
                break
            except Exception as error:
                _note(faults, ("raises", f"action {action}: {type(error).__name__}: {error}"), game, table)
                break
            if ended["reward"] <= PUNISHMENT and not program.minus_ten:
                _note(faults, (_punished(program, table, game), f"action {action}"), game, table)
            steps += 1
            again += table.result is None and table.seat == mover
            watch.step(table.env, mover, action, table.result is None)
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
        "lengths": {"mean": mean(lengths), "least": min(lengths, default=0), "most": max(lengths, default=0)},
        "choices": mean(choices),
        "forced": mean([count == 1 for count in choices]),
        "again": again,
        "step_us": 1e6 * (time.process_time() - begun) / max(1, steps),
        **watch.facts(program),
    }


def _key_fault(table: Table, legal: list[int], moves_of: dict[Any, list[int]]) -> tuple[str, str] | None:
    """Whether the game's own key() is that of a position met before with another number of legal moves.

    Of other moves it may be: keys may be equal for positions that mirror each other.
    """
    if not table.program.keys:
        return None
    try:
        known = moves_of.setdefault((table.seat, table.key()), legal)
    except Exception as error:
        return "key", f"{type(error).__name__}: {error}"
    return None if len(known) == len(legal) else ("key", f"legal moves {legal[:20]}, before {known[:20]}")


def _position_fault(program: Program, table: Table) -> tuple[str, str] | None:
    """What is wrong with a position before a move is played."""
    env = table.env
    if space_sizes(env) != (program.actions, program.size):
        return "spaces", f"sizes {space_sizes(env)}, at first {(program.actions, program.size)}"
    if fault := observation_fault(env, table.observation):
        return "observation", fault
    try:
        if not isinstance(env.render(), str):
            return "render", "render() gives no text"
        if program.views:
            env.view(table.seat)
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
    action = any_move(others, rng)
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


def _punished(program: Program, table: Table, game: int) -> str:
    """What came of a listed move with reward -10: the game ended, went on, or nothing happened at all."""
    if table.result is not None and table.result != TOO_LONG:
        return "lost by -10"
    before = program.new(game)
    try:
        for action in table.moves[:-1]:
            before.play(action)
        return "punished" if visible(before) == visible(table) else "goes on after -10"
    except Exception:
        return "goes on after -10"


def _note(faults: dict[str, list[Any]], fault: tuple[str, str], game: int, table: Table) -> None:
    kind, what = fault
    faults.setdefault(kind, [0, f"{what} (seed {game}, turn {table.turns + 1})"])[0] += 1


def _play(table: Table, action: int, ended: Facts) -> None:
    """Play a move and note what the game itself returned for it."""
    env, step = table.env, table.env.step

    def noted(action: int) -> Any:
        answer = step(action)
        reward = float(answer[1])
        if reward <= PUNISHMENT and table.program.minus_ten == "move":
            reward = 0.0
        ended.update(reward=reward, told="winner" in answer[4])
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
    """The ways in which a game reported its result.

    Args:
        table: the game, ended.
        ended: what its last step returned.
        seats: the seat that each value of the acting player's attribute stands for.
        opening: the board at the start; words that stand there, too, tell no result.
    """
    signs = ["told" if ended["told"] else "plus" if ended["reward"] > 0 else "minus" if ended["reward"] < 0 else "zero"]
    winner = getattr(table.env, "winner", None)
    named = isinstance(winner, int | str | np.integer) and not isinstance(winner, bool) and winner in seats
    if named and table.result in WON and WON[seats[winner]] != table.result:
        signs.append("contradicted")
    # where seats are 0 and 1, a winner 0 could mean nobody; then both draws and losses would be 0
    spoken = _SAYS_WINNER.search(_shown_board(table)) and not _SAYS_WINNER.search(opening)
    if signs == ["zero"] and (named or spoken):
        signs.append("zero but won")
    return signs
