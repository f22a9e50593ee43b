"""The strategies a second time, from the sentences of docs/black-boxes/strategy.md: plain functions and plain search.

An opponent here is a function of the whole history, a list of (player's move, opponent's move), and of the length; it
returns the moves it may make next, all equally likely. Nothing is an automaton, nothing is kept between calls.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

History = list[tuple[Any, Any]]
Follows = Callable[[History, int], list[Any]]

BEATS_7 = {
    "rock": "fire scissors sponge",
    "fire": "scissors sponge paper",
    "scissors": "sponge paper air",
    "sponge": "paper air water",
    "paper": "air water rock",
    "air": "water rock fire",
    "water": "rock fire scissors",
}
BEATS_3 = {"rock": "scissors", "scissors": "paper", "paper": "rock"}
REVERSED = {"rock": "paper", "paper": "scissors", "scissors": "rock"}
NEXT_BEFORE = {throw: list(BEATS_7)[(list(BEATS_7).index(throw) - 1) % 7] for throw in BEATS_7}
TABLE = {
    "rock": "fire",
    "paper": "water",
    "scissors": "air",
    "fire": "sponge",
    "water": "rock",
    "air": "paper",
    "sponge": "scissors",
}


def repeats(*moves: Any) -> Follows:
    return lambda history, length: [moves[len(history) % len(moves)]]


def beat_last(history: History, length: int) -> list[Any]:
    return [NEXT_BEFORE[history[-1][0]] if history else "rock"]


def two_ago(history: History, length: int) -> list[Any]:
    return [("fire", "air")[len(history)] if len(history) < 2 else history[-2][0]]


def by_table(history: History, length: int) -> list[Any]:
    return [TABLE[history[-1][0]] if history else "rock"]


def empties(history: History, length: int) -> list[Any]:
    """Walk through the whole game anew."""
    least, bullets, loads, loading, shot = 3 if length < 10 else 6, 0, 0, True, False
    for mine, _ in history:
        if loading:
            bullets += 1
            loads += 1
            shot |= mine.split()[0] == "shoot"
            if loads >= least and (shot or bullets >= 8):
                loading = False
        else:
            bullets = max(bullets - 2, 0)
            if bullets == 0:
                loading, loads, shot = True, 0, False
    return ["load" if loading else "shoot 2" if bullets >= 2 else "shoot 1"]


def four_piles(history: History, length: int) -> list[Any]:
    base, more = divmod(length, 4)
    cards = iter(range(1, length + 1))
    a, b, c, d = ([next(cards) for _ in range(base + (pile < more))] for pile in range(4))
    played = {theirs for _, theirs in history}
    return next(rest for pile in (b, d, a, c) if (rest := [card for card in pile if card not in played]))


def median_first(history: History, length: int) -> list[Any]:
    median = sorted(range(1, length + 1))[(length - 1) // 2]
    if not history:
        return [median]
    below, above = list(range(median - 1, 0, -1)), list(range(median + 1, length + 1))
    return [(below + above if history[0][0] <= median else above + below)[len(history) - 1]]


FOLLOWS: dict[str, Follows] = {
    "anti-rps-random": lambda history, length: ["rock", "scissors"],
    "rps7-cycle": repeats("rock", "paper", "scissors", "fire", "water", "air", "sponge"),
    "rps7-beat-last": beat_last,
    "rps7-imitate-last": two_ago,
    "rps7-random-3": lambda history, length: ["rock", "paper", "air"],
    "load-shoot-defend-defender": repeats("load", "load", "defend 2", "load", "defend 1"),
    "load-shoot-defend-attacker": repeats("load", "load", "shoot 2", "load", "shoot 1"),
    "load-shoot-defend-balance": repeats("load", "load", "shoot 1", "defend 1"),
    "load-shoot-defend-smart": empties,
    "rps7-mapping": by_table,
    "comparing-cards-slice": four_piles,
    "comparing-cards-smart": median_first,
}


def kind_of(name: str) -> str:
    return {"anti": "reversed", "rps7": "seven", "load": "duel", "comp": "cards"}[name[:4]]


def options(kind: str, history: History, length: int) -> list[Any]:
    """All legal moves."""
    if kind == "cards":
        return [card for card in range(1, length + 1) if card not in {mine for mine, _ in history}]
    if kind != "duel":
        return list({"seven": BEATS_7, "three": BEATS_3, "reversed": REVERSED}[kind])
    bullets = bullets_of(history)
    return ["load", *(f"{verb} {k}" for verb in ("shoot", "defend") for k in range(1, bullets + 1))]


def bullets_of(history: History) -> int:
    bullets = 0
    for mine, theirs in history:
        if mine == "load":
            bullets += not theirs.startswith("shoot")
        else:
            bullets -= int(mine.split()[1])
    return bullets


def gains(kind: str, mine: Any, theirs: Any) -> int:
    """Points of a move."""
    if kind == "cards":
        return 1 if mine > theirs else 0
    if kind != "duel":
        return int(theirs in {"seven": BEATS_7, "three": BEATS_3, "reversed": REVERSED}[kind][mine].split())
    if mine.startswith("shoot"):
        return 1 if theirs == "load" or int(theirs[-1]) < int(mine.split()[1]) else 0
    return int(mine.startswith("defend") and theirs.startswith("shoot") and int(theirs[-1]) <= int(mine.split()[1]))


def search(kind: str, follows: Follows, length: int, moves: int, history: History | None = None) -> Fraction:
    """The best that any play gets in the first so many moves: every sequence is tried, nothing remembered."""
    history = history or []
    if len(history) == moves:
        return Fraction(0)
    replies = follows(history, length)
    return max(
        sum(
            gains(kind, mine, theirs) + search(kind, follows, length, moves, [*history, (mine, theirs)])
            for theirs in replies
        )
        / Fraction(len(replies))
        for mine in options(kind, history, length)
    )


def duel_forward(follows: Follows, length: int) -> int:
    """Best points against an opponent without chance, forwards: the histories kept are the best per situation.

    A situation is the bullets and all of the opponent's moves so far with the turns at which the player shot.
    """
    best: dict[Any, tuple[int, History]] = {(): (0, [])}
    for _ in range(length):
        later: dict[Any, tuple[int, History]] = {}
        for points, history in best.values():
            (theirs,) = follows(history, length)
            bullets = bullets_of(history)
            for mine in [
                "load",
                *(f"{verb} {k}" for verb in ("shoot", "defend") for k in range(1, min(bullets, 3) + 1)),
            ]:
                then = [*history, (mine, theirs)]
                total = points + gains("duel", mine, theirs)
                # What an opponent can go by is whether the player shot since it last began to load.
                shot = any(m.startswith("shoot") for m, _ in _since_shots(then))
                key = (bullets_of(then), tuple(reply for _, reply in then), shot)
                if key not in later or total > later[key][0]:
                    later[key] = (total, then)
        best = later
    return max(points for points, _ in best.values())


def _since_shots(history: History) -> History:
    """The moves since the opponent's last shot."""
    return list(itertools.takewhile(lambda pair: not pair[1].startswith("shoot"), reversed(history)))


def most_wins(order: Sequence[int]) -> int:
    """How many of these n cards can be beaten by the cards 1 to n, each used once: a largest matching."""
    holder: dict[int, int] = {}

    def place(target: int, tried: set[int]) -> bool:
        for card in range(target + 1, len(order) + 1):
            if card not in tried:
                tried.add(card)
                if card not in holder or place(holder[card], tried):
                    holder[card] = target
                    return True
        return False

    return sum(place(target, set()) for target in order)


def piles_by_sets(length: int) -> Fraction:
    """The best against the four shuffled piles in a whole game, over sets of cards left instead of histories."""
    known: dict[Any, Fraction] = {}

    def best(hand: frozenset[int], played: frozenset[int]) -> Fraction:
        if not hand:
            return Fraction(0)
        if (hand, played) not in known:
            coming = four_piles([(None, card) for card in played], length)
            totals = []
            for mine in hand:
                totals.append(sum((mine > card) + best(hand - {mine}, played | {card}) for card in coming))
            known[hand, played] = max(totals) / Fraction(len(coming))
        return known[hand, played]

    return best(frozenset(range(1, length + 1)), frozenset())
