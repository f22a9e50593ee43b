"""What a known game is: a position, its moves, and the sizes in which the game is looked for."""

from __future__ import annotations

import itertools
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, TypeVar

SEATS = ("first", "second")
"""Results beside ``draw``: who has won."""
Moves = list[Any]
"""Values that can be put in order; moves are counted, and never named."""


class Position(ABC):
    """One game under way.

    A subclass keeps its state in numbers, texts, tuples, and lists, sets and dictionaries of these: :meth:`branch`
    copies no deeper.

    Attributes:
        seat: who is to move, 0 or 1.
        result: ``first`` or ``second`` for the winner, ``draw``, None while the game goes on.
    """

    chance: ClassVar[bool] = False
    """Whether anything is drawn or hidden, so that the tree of moves says nothing; such a game takes an ``rng``."""
    at_once: ClassVar[bool] = False
    """Whether both choose at once, so that who comes second does not see what the other has chosen."""

    def __init__(self) -> None:
        self.seat = 0
        self.result: str | None = None

    @abstractmethod
    def legal(self) -> Moves:
        """The moves of the player to move; never empty before the end."""

    @abstractmethod
    def play(self, move: Any) -> None:
        """Make a legal move."""

    def branch(self, move: Any) -> Self:
        """A copy in which a move is made."""
        other = object.__new__(type(self))
        copied = {
            name: value.copy() if isinstance(value, list | set | dict) else value for name, value in vars(self).items()
        }
        vars(other).update(copied)
        other.play(move)
        return other

    def key(self) -> Any:
        """The state, hashable: equal keys mean equal futures."""
        return tuple(map(_hashable, vars(self).values()))

    def win(self, seat: int) -> None:
        """End the game."""
        self.result = SEATS[seat]

    def turn(self) -> None:
        """The other player is to move."""
        self.seat = 1 - self.seat

    def count(self, first: float, second: float) -> None:
        """End the game: more wins."""
        self.result = "draw" if first == second else SEATS[first < second]


def _hashable(value: Any) -> Any:
    if isinstance(value, dict):
        return frozenset(value.items())
    if isinstance(value, set):
        return frozenset(value)
    return tuple(map(_hashable, value)) if isinstance(value, list | tuple) else value


class LastMover(Position):
    """Turns alternate, and who cannot move loses; wins where ``misere``."""

    misere = False

    @abstractmethod
    def make(self, move: Any) -> None:
        """Change the position; whose turn it is stays."""

    def play(self, move: Any) -> None:
        """Make a move, and end the game where the other player has none."""
        self.make(move)
        self.turn()
        if not self.legal():
            self.win(self.seat if self.misere else 1 - self.seat)


@dataclass(frozen=True, eq=False)
class Known:
    """A known game of one size.

    Attributes:
        name: as everybody calls it.
        rules: makes a position from the size.
        size: arguments of ``rules``.
    """

    name: str
    rules: Callable[..., Position] = field(repr=False)
    size: Mapping[str, Any]

    @property
    def chance(self) -> bool:
        """Whether anything is drawn or hidden."""
        return bool(getattr(self.rules, "chance", False))

    @property
    def at_once(self) -> bool:
        """Whether who comes second does not see what the other has chosen."""
        return bool(getattr(self.rules, "at_once", False))

    def new(self, seed: int) -> Position:
        """A game from its start."""
        drawn = {"rng": random.Random(seed)} if self.chance else {}  # noqa: S311  play, not secrets
        return self.rules(**self.size, **drawn)

    def __str__(self) -> str:
        said = ", ".join(
            name if value is True else f"{name} {value}" for name, value in self.size.items() if value is not False
        )
        return f"{self.name} ({said})" if said else self.name


_Rules = TypeVar("_Rules", bound=type[Position])
LIBRARY: dict[str, tuple[type[Position], Callable[[], Iterator[dict[str, Any]]]]] = {}
"""By name the rules, and what makes all sizes that are looked for; see ``library.py`` for who fills it."""


def known(
    name: str, where: Callable[..., bool] = lambda **size: True, **sizes: Iterable[Any]
) -> Callable[[_Rules], _Rules]:
    """Add a game to the library.

    Args:
        name: as everybody calls it.
        where: which combinations of sizes there are.
        sizes: the values of each argument of the rules.
    """
    values = {argument: tuple(choice) for argument, choice in sizes.items()}

    def combinations() -> Iterator[dict[str, Any]]:
        for chosen in itertools.product(*values.values()):
            size = dict(zip(values, chosen, strict=True))
            if where(**size):
                yield size

    def add(rules: _Rules) -> _Rules:
        LIBRARY[name] = rules, combinations
        return rules

    return add
