"""Opponents that somebody wrote as a folder: an automaton as three functions, tabled before anybody plays."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from interactive_envs.black_box.made import MadeFolder, Maker
from interactive_envs.black_box.strategy.boxes import Match
from interactive_envs.black_box.strategy.games import REVERSED_3, ROCK_3, ROCK_7, Game, Move
from interactive_envs.black_box.strategy.plan import Opponent, optimum

GAMES: Mapping[str, Game] = {"rock-3": ROCK_3, "reversed-3": REVERSED_3, "rock-7": ROCK_7}
"""What an opponent may be met in: the common game, with winners and losers exchanged, and the one of seven throws."""
MOST_STATES = 4_000
"""Of the automaton in a game of one length."""
LEAST_GAIN = Fraction(1, 4)
"""How much more of the points the best play must make than any throw repeated, or there is nothing to find out."""


@dataclass(frozen=True, eq=False)
class Machine:
    """An automaton in a game of one length; state 0 is the first.

    Attributes:
        odds: per state the moves with their weights.
        after: per state the next one, by the player's move and the opponent's.
    """

    odds: tuple[tuple[tuple[Move, int], ...], ...]
    after: tuple[Mapping[tuple[Move, Move], int], ...]


@dataclass(frozen=True, eq=False)
class MadeOpponent(Opponent):
    """The code's opponent. A state is a length and a place in that length's automaton."""

    folder: MadeFolder
    game: Game

    def describe(self) -> str:
        """The rule."""
        return self.folder.summary

    def begin(self, length: int) -> Any:
        """The first state."""
        return (length, 0)

    def odds(self, state: Any) -> tuple[tuple[Move, int], ...]:
        """As tabled."""
        return self.machine(state[0]).odds[state[1]]

    def notices(self, state: Any, mine: Move) -> Hashable:
        """The whole move."""
        return mine

    def after(self, state: Any, noticed: Hashable, theirs: Move) -> Any:
        """As tabled."""
        return (state[0], self.machine(state[0]).after[state[1]].get((noticed, theirs), state[1]))

    @functools.cache  # noqa: B019  a few boxes, which live as long as the process
    def machine(self, length: int) -> Machine:
        """The automaton for games of a length.

        Raises:
            ConfigError: the code fails, or has too many states.
        """
        (found,) = self.folder.results([["machine", length, list(self.game.menu), MOST_STATES]])
        return _machine(self.folder, found, self.game)


def _machine(folder: MadeFolder, found: Any, game: Game) -> Machine:
    try:
        odds = tuple(tuple((move, weight) for move, weight in row) for row in found["odds"])
        after = tuple({(mine, theirs): int(place) for mine, theirs, place in row} for row in found["after"])
    except (TypeError, KeyError, ValueError) as error:
        raise folder.wrong(f"the code gave no automaton: {error}") from error
    for row in odds:
        if not row or len({move for move, _ in row}) < len(row):
            raise folder.wrong(f"odds() must list different throws, got {row!r}")
        for move, weight in row:
            if move not in game.menu or type(weight) is not int or not 0 < weight <= 1000:
                raise folder.wrong(f"odds() must list throws of the game with weights from 1 to 1000, got {row!r}")
    return Machine(odds, after)


class StrategyMaker(Maker):
    """``game`` in ``box.toml``; ``begin(length)``, ``odds(state)`` and ``after(state, mine, theirs)`` in the code."""

    harness = """
def _ibench_results(inputs):
    import json
    def fresh(state):
        return json.loads(json.dumps(state))
    def weighed(state):
        return sorted([str(move), weight] for move, weight in odds(fresh(state)))
    def machine(length, menu, most):
        first = fresh(begin(length))
        states, places = [(first, 0)], {(json.dumps(first, sort_keys=True), 0): 0}
        rows, steps, at = [], [], 0
        while at < len(states):
            state, depth = states[at]
            row, step = weighed(state), []
            rows.append(row)
            for mine in menu if depth + 1 < length else ():
                for theirs, _ in row:
                    later = fresh(after(fresh(state), mine, theirs))
                    key = (json.dumps(later, sort_keys=True), depth + 1)
                    if key not in places:
                        if len(states) >= most:
                            raise RuntimeError(f"a game of {length} moves has more than {most} states")
                        places[key] = len(states)
                        states.append((later, depth + 1))
                    step.append([mine, theirs, places[key]])
            steps.append(step)
            at += 1
        return {"odds": rows, "after": steps}
    def played(length, moves):
        state, seen = fresh(begin(length)), []
        for mine, ticket in moves:
            row = weighed(state)
            total = sum(weight for _, weight in row)
            seen.append([[move, weight / total] for move, weight in row])
            place = ticket % total
            for theirs, weight in row:
                place -= weight
                if place < 0:
                    break
            state = fresh(after(fresh(state), mine, theirs))
        return seen
    return [machine(*one[1:]) if one[0] == "machine" else played(*one[1:]) for one in inputs]
"""

    def box(self, folder: MadeFolder) -> Match:
        """The match, its automata tabled; good play must be worth finding."""
        game = GAMES.get(folder.setting("game", str, 1, 20))
        if game is None:
            raise folder.wrong(f"game must be one of {', '.join(GAMES)}, got {folder.settings['game']!r}")
        opponent = MadeOpponent(folder, game)
        for length in game.lengths:
            best = optimum(game, opponent, length)
            repeated = max(_repeated(game, opponent, length, throw) for throw in game.menu)
            if best - repeated < LEAST_GAIN * length:
                raise folder.wrong(
                    f"in {length} moves the best play makes {float(best):.1f} points on average, and one throw "
                    f"repeated makes {float(repeated):.1f}: there is too little to find out"
                )
        return Match(game=game, opponent=opponent)

    def inputs(self, folder: MadeFolder, rng: np.random.Generator, count: int) -> list[Any]:
        """Games of all lengths with random moves."""
        game = GAMES[folder.setting("game", str, 1, 20)]
        menu = list(game.menu)
        found = []
        for number in range(count):
            length = game.lengths[number % len(game.lengths)]
            moves = [[str(menu[int(rng.integers(len(menu)))]), int(rng.integers(1 << 20))] for _ in range(length)]
            found.append(["played", length, moves])
        return found


def _repeated(game: Game, opponent: Opponent, length: int, throw: Move) -> Fraction:
    """The expected points of one throw repeated."""
    shares: dict[Any, Fraction] = {opponent.begin(length): Fraction(1)}
    total = Fraction(0)
    for _ in range(length):
        later: dict[Any, Fraction] = {}
        for state, share in shares.items():
            odds = opponent.odds(state)
            whole = sum(weight for _, weight in odds)
            for theirs, weight in odds:
                part = share * weight / whole
                total += part * game.points(throw, theirs)
                after = opponent.after(state, opponent.notices(state, throw), theirs)
                later[after] = later.get(after, Fraction(0)) + part
        shares = later
    return total


MAKER = StrategyMaker()
