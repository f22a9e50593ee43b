"""The best five of five to seven cards, by table lookup: PokerKit's own hand type tries all 21 combinations."""

from __future__ import annotations

from functools import total_ordering
from typing import Any

from phevaluator import evaluate_cards
from pokerkit import Card, CardsLike, Deck
from pokerkit.hands import Hand

DECK = tuple(repr(card) for card in Deck.STANDARD)
"""The 52 cards ``2c 2d 2h 2s 3c … As``: a card's place here is its number, for phevaluator too."""
NUMBER = {card: number for number, card in enumerate(DECK)}
_WORST = 7462


class TableCard(Card):
    """A card of which there is one object each, so that comparing and hashing need not look inside."""

    number: int
    name: str

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        return True


def _make(number: int, card: Card) -> TableCard:
    made = TableCard(card.rank, card.suit)
    # PokerKit's cards are frozen.
    object.__setattr__(made, "number", number)
    object.__setattr__(made, "name", DECK[number])
    return made


CARDS = tuple(_make(number, card) for number, card in enumerate(Deck.STANDARD))
"""One card a number, for PokerKit states of this package only: they equal no other Card."""


def strength(numbers: list[int]) -> int:
    """How strong the best five of 5 to 7 cards are, 1 (the worst) to 7462 (a royal flush); equal hands are equal.

    Args:
        numbers: places in :data:`DECK`.

    Raises:
        ValueError: fewer than 5 cards or more than 7.
    """
    return int(_WORST + 1 - evaluate_cards(*numbers))


@total_ordering
class BestHand(Hand):
    """PokerKit hand type: the strongest hand of 5 to 7 cards, known by its :func:`strength` alone."""

    low = False

    def __init__(self, value: int) -> None:
        self.strength = value

    @classmethod
    def from_game(cls, hole_cards: CardsLike, board_cards: CardsLike = ()) -> BestHand:
        """The best hand of hole and board cards.

        Raises:
            ValueError: they are fewer than 5 or more than 7.
        """
        cards = (*Card.clean(hole_cards), *Card.clean(board_cards))
        return cls(strength([card.number if type(card) is TableCard else NUMBER[repr(card)] for card in cards]))

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, BestHand) and self.strength == other.strength

    def __lt__(self, other: Hand) -> bool:
        return isinstance(other, BestHand) and self.strength < other.strength

    def __hash__(self) -> int:
        return hash(self.strength)

    def __repr__(self) -> str:
        return f"BestHand({self.strength})"

    __str__ = __repr__
