"""The games that strategies are met in: what is legal, who scores, how a move is written.

Both sides move at once. A move scores one point or none, never less, so what a game brings lies between 0 and the best
that its opponent allows. *Left* is what a player has left: nothing, bullets, cards.
"""

from __future__ import annotations

import functools
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from interactive_envs.parsing import Illegal, Unreadable

Move: TypeAlias = str | int
"""A throw, ``load``, ``shoot 2`` or ``defend 1``, or a card's number."""
Left: TypeAlias = int | tuple[int, ...] | None
"""Nothing, bullets, or cards in ascending order."""

LONGEST = 15
"""Moves in the longest game of all."""
_FORCE = 3
"""The greatest number that an opponent shoots or defends with."""
_NOISE = re.compile(r"[\s\[\](){},.:;'\"=*`]+")
_NUMBERED = re.compile(r"(load|shoot|defend) ?([0-9]{1,9})?")
_CARD = re.compile(r"(?:card )?([0-9]{1,9})")


@dataclass(frozen=True)
class Game(ABC):
    """Rules that both sides know."""

    @property
    @abstractmethod
    def public(self) -> Any:
        """What :func:`of` makes the same game from, a hashable JSON value."""

    @property
    @abstractmethod
    def lengths(self) -> tuple[int, ...]:
        """The lengths of the games in an episode."""

    @property
    @abstractmethod
    def menu(self) -> tuple[Move, ...]:
        """Every move that is ever legal."""

    @property
    def theirs(self) -> tuple[Move, ...]:
        """The moves that an opponent may make; a player that guesses its rule need think of no others."""
        return self.menu

    def start(self, length: int) -> Left:
        """What a player has when a game of so many moves begins."""
        return None

    def legal(self, left: Left) -> tuple[Move, ...]:
        """The legal moves of a player who has so much left, at least one."""
        return self.menu

    def sensible(self, left: Left) -> tuple[Move, ...]:
        """The legal moves without some that are never better than others."""
        return self.legal(left)

    @abstractmethod
    def points(self, mine: Move, theirs: Move) -> int:
        """What a move scores: 1 or 0."""

    def after(self, left: Left, mine: Move, theirs: Move) -> Left:
        """What is left after a move."""
        return left

    def price(self, mine: Move) -> int:
        """Of two moves that score the same, the one of the lower price leaves no less."""
        return 0

    @abstractmethod
    def read(self, body: str, left: Left) -> Move | Unreadable:
        """Read a move."""

    @abstractmethod
    def rules(self) -> str:
        """The rules for a player, with how a move is written."""

    def brief(self, length: int) -> str:
        """Return the text that begins the games of one length."""
        return f"Each game has {length} moves."

    def say_left(self, left: Left) -> str:
        """What is left, in a sentence; empty where it is nothing."""
        return ""

    @property
    @abstractmethod
    def move_size(self) -> int:
        """Numbers that :meth:`encode_move` gives."""

    @abstractmethod
    def encode_move(self, move: Move | None) -> Sequence[float]:
        """A move as numbers from 0 to 1; None is a move that is not known."""

    @property
    def left_size(self) -> int:
        """Numbers that :meth:`encode_left` gives."""
        return 0

    def encode_left(self, left: Left) -> Sequence[float]:
        """What is left as numbers from 0 to 1."""
        return ()


@dataclass(frozen=True)
class Throws(Game):
    """Rock, paper, scissors and their kin: each throw beats the next ones around a circle.

    Attributes:
        circle: the throws in order, an odd number.
        few: the lengths of the short kind of episode: 8, 9, 11, 12.
    """

    circle: tuple[str, ...]
    few: bool = False

    @property
    def public(self) -> Any:
        """The circle."""
        return ("throws", self.circle, self.few)

    @property
    def lengths(self) -> tuple[int, ...]:
        """As ORACLE has them."""
        return (8, 9, 11, 12) if self.few else (10, 11, 13, 15)

    @property
    def menu(self) -> tuple[Move, ...]:
        """The throws."""
        return self.circle

    def points(self, mine: Move, theirs: Move) -> int:
        """1 for a throw that beats the other."""
        return int(theirs in self.beaten[mine])

    @functools.cached_property
    def beaten(self) -> dict[Move, tuple[Move, ...]]:
        """What each throw beats."""
        size = len(self.circle)
        return {
            throw: tuple(self.circle[(place + step) % size] for step in range(1, size // 2 + 1))
            for place, throw in enumerate(self.circle)
        }

    def read(self, body: str, left: Left) -> Move | Unreadable:
        """Read a throw's name."""
        words = _words(body)
        return words if words in self.circle else _not_legal(body, ", ".join(self.circle))

    def rules(self) -> str:
        """Who beats whom."""
        beats = "; ".join(f"{throw} beats {', '.join(map(str, self.beaten[throw]))}" for throw in self.circle)
        return (
            f"Both sides throw at the same time: {beats}. A throw that beats the opponent's scores 1 point, anything "
            "else scores 0. Write a move as <move>…</move> with the name of a throw."
        )

    @property
    def move_size(self) -> int:
        """One number a throw."""
        return len(self.circle)

    def encode_move(self, move: Move | None) -> Sequence[float]:
        """One for the throw, else zero."""
        return [float(throw == move) for throw in self.circle]


@dataclass(frozen=True)
class Duel(Game):
    """Load, shoot and defend; left are the player's bullets.

    A player begins without bullets. ``load`` wins one unless the other side shoots. ``shoot k`` and ``defend k`` cost k
    bullets, at least one and no more than there are. A shot scores against a load and against a smaller number,
    a defence scores against a shot of at most its number.
    """

    @property
    def public(self) -> Any:
        """The kind."""
        return ("duel",)

    @property
    def lengths(self) -> tuple[int, ...]:
        """As ORACLE has them."""
        return (8, 10, 12, 15)

    @property
    def menu(self) -> tuple[Move, ...]:
        """All that bullets can be had for: the last of 15 moves can be made with 14."""
        return _duel_menu(LONGEST - 1)

    @property
    def theirs(self) -> tuple[Move, ...]:
        """Those with numbers up to 3."""
        return _duel_menu(_FORCE)

    def start(self, length: int) -> Left:
        """No bullets."""
        return 0

    def legal(self, left: Left) -> tuple[Move, ...]:
        """What the bullets are enough for."""
        return _duel_menu(left if isinstance(left, int) else 0)

    def sensible(self, left: Left) -> tuple[Move, ...]:
        """Numbers up to 4: more costs more and scores against nothing else."""
        return _duel_menu(min(_FORCE + 1, left if isinstance(left, int) else 0))

    def points(self, mine: Move, theirs: Move) -> int:
        """1 for a shot that hits or a shot that is warded off."""
        (act, force), (other, against) = _act(mine), _act(theirs)
        if act == "shoot":
            return int(other == "load" or force > against)
        return int(act == "defend" and other == "shoot" and force >= against)

    def after(self, left: Left, mine: Move, theirs: Move) -> Left:
        """The bullets, one more or k fewer."""
        bullets = left if isinstance(left, int) else 0
        act, force = _act(mine)
        return bullets + (_act(theirs)[0] != "shoot") if act == "load" else bullets - force

    def price(self, mine: Move) -> int:
        """The bullets; more of them are never worse."""
        act, force = _act(mine)
        return -1 if act == "load" else force

    def read(self, body: str, left: Left) -> Move | Unreadable:
        """Read a verb and its number."""
        bullets = left if isinstance(left, int) else 0
        legal = "load" if bullets < 1 else f"load, or shoot or defend with a number from 1 to {bullets}"
        found = _NUMBERED.fullmatch(_words(body))
        if not found or (found[1] == "load") != (found[2] is None):
            return _not_legal(body, legal)
        if found[1] == "load":
            return "load"
        force = int(found[2])
        if not 1 <= force <= bullets:
            return Illegal(f"{body[:40]!r} needs more than {_bullets(bullets)}; legal now: {legal}.")
        return f"{found[1]} {force}"

    def rules(self) -> str:
        """Costs and points."""
        return (
            "Both sides move at the same time; you begin each game without bullets. load: you gain a bullet, unless "
            "the opponent shoots in that move. shoot k: costs k bullets, from 1 to as many as you have; scores 1 point "
            "if the opponent loads, or if the number of its shot or defence is smaller than k. defend k: also costs k "
            "bullets; scores 1 point if the opponent shoots with k or less. Nothing else scores, the opponent's shots "
            "cost you no points, and the opponent needs no bullets. Write a move as <move>load</move>, "
            "<move>shoot 2</move> or <move>defend 1</move>."
        )

    def say_left(self, left: Left) -> str:
        """The bullets."""
        return f"You have {_bullets(left if isinstance(left, int) else 0)}."

    @property
    def move_size(self) -> int:
        """Three verbs and a number."""
        return 4

    def encode_move(self, move: Move | None) -> Sequence[float]:
        """One for the verb, and its number as a part of 15."""
        if move is None:
            return [0.0] * 4
        act, force = _act(move)
        return [float(act == verb) for verb in ("load", "shoot", "defend")] + [force / LONGEST]

    @property
    def left_size(self) -> int:
        """One."""
        return 1

    def encode_left(self, left: Left) -> Sequence[float]:
        """The bullets as a part of 15."""
        return [(left if isinstance(left, int) else 0) / LONGEST]


@dataclass(frozen=True)
class Cards(Game):
    """Each side holds the cards 1 to n and plays one a move; the higher one scores. Left are the player's cards."""

    @property
    def public(self) -> Any:
        """The kind."""
        return ("cards",)

    @property
    def lengths(self) -> tuple[int, ...]:
        """As ORACLE has them: as many moves as cards."""
        return (8, 9, 10, 12)

    @property
    def menu(self) -> tuple[Move, ...]:
        """All cards."""
        return tuple(range(1, max(self.lengths) + 1))

    def start(self, length: int) -> Left:
        """All cards of a game of this length."""
        return tuple(range(1, length + 1))

    def legal(self, left: Left) -> tuple[Move, ...]:
        """The cards in hand."""
        return left if isinstance(left, tuple) else ()

    def points(self, mine: Move, theirs: Move) -> int:
        """1 for the higher card."""
        return int(int(mine) > int(theirs))

    def after(self, left: Left, mine: Move, theirs: Move) -> Left:
        """The hand without the card."""
        return tuple(card for card in self.legal(left) if card != mine)  # type: ignore[misc]  # cards are numbers

    def price(self, mine: Move) -> int:
        """The card; a higher one in its place is never worse."""
        return int(mine)

    def read(self, body: str, left: Left) -> Move | Unreadable:
        """Read a card's number."""
        hand = self.legal(left)
        found = _CARD.fullmatch(_words(body))
        card = int(found[1]) if found else 0
        if card in hand:
            return card
        refused = _not_legal(body, f"your cards left, {' '.join(map(str, hand))}")
        return Illegal(refused.reason) if found else refused

    def rules(self) -> str:
        """The deal and the points."""
        return (
            "In a game of n moves both sides hold the cards 1 to n. In each move both play one card at the same time; "
            "a card that was played is gone. Your move scores 1 point if your card is higher, and 0 for a tie or a "
            "lower card. Write a move as <move>…</move> with the number of a card."
        )

    def brief(self, length: int) -> str:
        """The deal."""
        return f"Each game has {length} moves and the cards 1 to {length}."

    def say_left(self, left: Left) -> str:
        """The hand."""
        hand = self.legal(left)
        return f"Your cards left: {' '.join(map(str, hand))}." if hand else ""

    @property
    def move_size(self) -> int:
        """One number a card."""
        return len(self.menu)

    def encode_move(self, move: Move | None) -> Sequence[float]:
        """One for the card, else zero."""
        return [float(card == move) for card in self.menu]

    @property
    def left_size(self) -> int:
        """One number a card."""
        return len(self.menu)

    def encode_left(self, left: Left) -> Sequence[float]:
        """One for each card in hand."""
        hand = self.legal(left)
        return [float(card in hand) for card in self.menu]


ROCK_3 = Throws(("rock", "scissors", "paper"))
"""The common game."""
REVERSED_3 = Throws(("rock", "paper", "scissors"), few=True)
"""The common game with winners and losers exchanged."""
ROCK_7 = Throws(("rock", "fire", "scissors", "sponge", "paper", "air", "water"))
"""The usual game of seven throws: each beats the next three."""


def of(public: Any) -> Game:
    """The game that a box tells of."""
    if public[0] == "throws":
        return Throws(tuple(public[1]), bool(public[2]))
    return Duel() if public[0] == "duel" else Cards()


@functools.cache
def _act(move: Move) -> tuple[str, int]:
    """``("shoot", 2)`` of ``shoot 2``; a load has the number 0."""
    verb, _, force = str(move).partition(" ")
    return verb, int(force or 0)


@functools.cache
def _duel_menu(most: int) -> tuple[Move, ...]:
    return ("load", *(f"{verb} {force}" for verb in ("shoot", "defend") for force in range(1, most + 1)))


def _words(body: str) -> str:
    """A text in lower case without brackets and signs; empty for a long one or one that is not ASCII."""
    return _NOISE.sub(" ", body).strip().lower() if len(body) <= 200 and body.isascii() else ""


def _not_legal(body: str, legal: str) -> Unreadable:
    return Unreadable(f"{body[:40]!r} is not a legal move; legal now: {legal}.")


def _bullets(count: int) -> str:
    return "1 bullet" if count == 1 else f"{count or 'no'} bullets"
