"""The kinds of opponents: cycles, draws, answers by a table, automata, two with cards, one with bullets."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from interactive_envs.black_box.strategy.games import Move
from interactive_envs.black_box.strategy.plan import Opponent


@dataclass(frozen=True)
class Cycle(Opponent):
    """Makes the same moves over and over.

    Attributes:
        places: per place of the cycle the moves it draws from, all equally likely.
    """

    places: tuple[tuple[Move, ...], ...]

    def describe(self) -> str:
        """The rule."""
        return f"It repeats {', '.join(' or '.join(map(str, moves)) for moves in self.places)}."

    def begin(self, length: int) -> Any:
        """The first."""
        return 0

    def odds(self, state: Any) -> tuple[tuple[Move, int], ...]:
        """The moves of its place."""
        return tuple((move, 1) for move in self.places[state])

    def after(self, state: Any, noticed: Hashable, theirs: Move) -> Any:
        """The next."""
        return (state + 1) % len(self.places)


@dataclass(frozen=True)
class Uniform(Opponent):
    """Draws each move from the same few, all equally likely."""

    moves: tuple[Move, ...]

    def describe(self) -> str:
        """The rule."""
        return f"It draws one of {listed(self.moves)}, equally likely."

    def begin(self, length: int) -> Any:
        """The only state."""
        return 0

    def odds(self, state: Any) -> tuple[tuple[Move, int], ...]:
        """One each."""
        return tuple((move, 1) for move in self.moves)

    def after(self, state: Any, noticed: Hashable, theirs: Move) -> Any:
        """The only state."""
        return 0


@dataclass(frozen=True)
class Echo(Opponent):
    """Makes its first moves, then answers the player's move of as many turns ago.

    Attributes:
        first: the moves before there is one to answer.
        answers: pairs of a player's move and the answer.
    """

    first: tuple[Move, ...]
    answers: tuple[tuple[Move, Move], ...]

    @functools.cached_property
    def _table(self) -> dict[Move, Move]:
        return dict(self.answers)

    def describe(self) -> str:
        """The rule."""
        table = ", ".join(f"{answer} to {mine}" for mine, answer in self.answers)
        return f"It begins with {listed(self.first)}, then answers the throw of {len(self.first)} moves ago: {table}."

    def begin(self, length: int) -> Any:
        """What it will play next, in order."""
        return self.first

    def odds(self, state: Any) -> tuple[tuple[Move, int], ...]:
        """One move."""
        return ((state[0], 1),)

    def notices(self, state: Any, mine: Move) -> Hashable:
        """The move as its answer."""
        return self._table[mine]

    def after(self, state: Any, noticed: Hashable, theirs: Move) -> Any:
        """One answer more is due."""
        return (*state[1:], noticed)


@dataclass(frozen=True)
class Emptier(Opponent):
    """Loads for a while, empties its gun, starts again.

    It loads at least 3 times, 6 in games of 10 moves or more, and on until the player has shot since it began or it
    holds 8 bullets. Then it shoots 2 a move until it has none.
    """

    def describe(self) -> str:
        """The rule."""
        return (
            "It loads 3 times or more (6 in long games) until you shoot or it has 8, then shoots 2 until it has none."
        )

    def begin(self, length: int) -> Any:
        """Loads that it must make, loads made, whether the player has shot, bullets; emptying is -1 loads made."""
        return (3 if length < 10 else 6, 0, False, 0)

    def odds(self, state: Any) -> tuple[tuple[Move, int], ...]:
        """One move."""
        _, loads, _, bullets = state
        return ((("load" if loads >= 0 else f"shoot {min(2, bullets)}"), 1),)

    def notices(self, state: Any, mine: Move) -> Hashable:
        """Whether it is a shot, while loading."""
        return state[1] >= 0 and str(mine).startswith("shoot")

    def after(self, state: Any, noticed: Hashable, theirs: Move) -> Any:
        """Count."""
        least, loads, shot, bullets = state
        if loads < 0:
            bullets -= min(2, bullets)
            return (least, -1 if bullets else 0, False, bullets)
        loads, shot, bullets = loads + 1, shot or bool(noticed), bullets + 1
        full = loads >= least and (shot or bullets >= 8)
        return (least, -1, False, bullets) if full else (least, loads, shot, bullets)


@dataclass(frozen=True)
class Piles(Opponent):
    """Cuts its sorted cards into four piles, the lower ones the larger where they differ, and plays them shuffled.

    Attributes:
        order: the piles' places from the lowest, 0, in the order in which they are played.
    """

    order: tuple[int, ...]

    def describe(self) -> str:
        """The rule."""
        return "It cuts its sorted cards into four piles and plays these in a fixed order, each shuffled."

    def begin(self, length: int) -> Any:
        """The piles to come."""
        size, larger = divmod(length, len(self.order))
        ends = [0]
        for pile in range(len(self.order)):
            ends.append(ends[-1] + size + (pile < larger))
        return tuple(tuple(range(ends[pile] + 1, ends[pile + 1] + 1)) for pile in self.order)

    def odds(self, state: Any) -> tuple[tuple[Move, int], ...]:
        """Any card of the first pile."""
        return tuple((card, 1) for card in state[0])

    def after(self, state: Any, noticed: Hashable, theirs: Move) -> Any:
        """The card is gone."""
        rest = tuple(card for card in state[0] if card != theirs)
        return (rest, *state[1:]) if rest else state[1:]


@dataclass(frozen=True)
class MedianFirst(Opponent):
    """Plays the median, of two the lower, and then away from the player's first card.

    If that was no higher than the median, it goes down to 1, then up to n; else up first, then down.
    """

    def describe(self) -> str:
        """The rule."""
        return "It plays the median, then away from your first card, then the other way."

    def begin(self, length: int) -> Any:
        """The number of cards; later the cards to come."""
        return length

    def odds(self, state: Any) -> tuple[tuple[Move, int], ...]:
        """One card."""
        return (((state + 1) // 2 if isinstance(state, int) else state[0], 1),)

    def notices(self, state: Any, mine: Move) -> Hashable:
        """Whether the first card is no higher than the median."""
        return isinstance(state, int) and int(mine) <= (state + 1) // 2

    def after(self, state: Any, noticed: Hashable, theirs: Move) -> Any:
        """The cards to come."""
        if not isinstance(state, int):
            return state[1:]
        down, up = tuple(range(int(theirs) - 1, 0, -1)), tuple(range(int(theirs) + 1, state + 1))
        return down + up if noticed else up + down


@dataclass(frozen=True)
class Machine(Opponent):
    """A finite automaton that reacts to classes of the player's moves.

    Attributes:
        outputs: per state the moves it draws from.
        classes: pairs of a player's move and its class.
        steps: per state the next state for each class.
    """

    outputs: tuple[tuple[Move, ...], ...]
    classes: tuple[tuple[Move, int], ...]
    steps: tuple[tuple[int, ...], ...]

    @functools.cached_property
    def _class(self) -> dict[Move, int]:
        return dict(self.classes)

    def describe(self) -> str:
        """The rule."""
        classes = {str(mine).split()[0]: group for mine, group in self.classes}
        groups = ", ".join(f"{mine}: {group}" for mine, group in classes.items())
        states = "; ".join(
            f"state {state}: {' or '.join(map(str, moves))}, next {listed(steps)}"
            for state, (moves, steps) in enumerate(zip(self.outputs, self.steps, strict=True))
        )
        return f"An automaton that tells your moves apart in classes ({groups}). {states}."

    def begin(self, length: int) -> Any:
        """The first state."""
        return 0

    def odds(self, state: Any) -> tuple[tuple[Move, int], ...]:
        """Its state's moves, equally likely."""
        return tuple((move, 1) for move in self.outputs[state])

    def notices(self, state: Any, mine: Move) -> Hashable:
        """The next state."""
        row: tuple[int, ...] = self.steps[state]
        return row[self._class[mine]]

    def after(self, state: Any, noticed: Hashable, theirs: Move) -> Any:
        """As noticed."""
        return noticed


def cycle(*moves: Move) -> Cycle:
    """A cycle that draws nothing."""
    return Cycle(tuple((move,) for move in moves))


def listed(moves: Sequence[Move]) -> str:
    """Moves or numbers in a row."""
    return ", ".join(map(str, moves))
