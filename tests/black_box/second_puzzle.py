"""The puzzles worked out a second time, from the sentences of docs/black-boxes/puzzle.md: plain loops, no arrays."""

from __future__ import annotations

import ast
import itertools
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any


def marks(hidden: str, guess: str) -> str:
    """A, M, X: count what is hidden apart from the letters in their places, use it up from left to right."""
    spare = Counter(h for h, g in zip(hidden, guess, strict=True) if h != g)
    told = ""
    for h, g in zip(hidden, guess, strict=True):
        if h == g:
            told += "A"
        elif spare[g]:
            spare[g] -= 1
            told += "M"
        else:
            told += "X"
    return told


def words_of_counts(hidden: str, guess: str) -> str:
    told = marks(hidden, guess)
    return f"{told.count('A')} A, {told.count('M')} M"


def said(public: Any, partial: bool, hidden: Any, asked: int, query: Any) -> str | None:
    """What a query is answered with after ``asked`` earlier ones; None where it is left to chance."""
    kind, *sizes = public
    number = asked + 1
    one_bit = kind in ("integer", "grid", "ships") or (kind == "coins" and not sizes[2])
    if partial and ((one_bit and number % 3 == 0) or (kind == "machines" and number % 2 == 0)):
        return "This reply is withheld."
    if kind == "integer":
        away = abs(hidden - query)
        if sizes[1]:
            return "Close." if away <= sizes[1] else "Far."
        return "Equal." if not away else "Higher." if query + away == hidden else "Lower."
    if kind == "code":
        told = marks(hidden, query)
        bulls, cows = told.count("A"), told.count("M")
        return f"{bulls + cows} in all" if partial else f"bulls {bulls}, cows {cows}"
    if kind == "words":
        several = [words_of_counts(word, query) if partial else marks(word, query) for word in hidden]
        return several[0] if len(several) == 1 else "; ".join(f"{i + 1}: {one}" for i, one in enumerate(several))
    if kind == "equation":
        return words_of_counts(hidden, query) if partial else marks(hidden, query)
    if kind == "grid":
        if sizes[2] is None:
            hit = query[1 if hidden[0] == "row" else 0] == hidden[1]
        else:
            x1, y1, x2, y2 = hidden
            hit = query in itertools.product(range(x1, x2 + 1), range(y1, y2 + 1))
        return "Hit." if hit else "Miss."
    if kind == "ships":
        return "Hit." if hidden[query[1] - 1][query[0] - 1] == "1" else "Miss."
    if kind == "nuts":
        told = []
        for nut, bolt in query:
            fits = hidden[nut - 1]
            told.append(
                "fits" if fits == bolt else "does not fit" if partial else ("too small", "too large")[fits > bolt]
            )
        return ", ".join(told) + "."
    if kind == "coins":
        return _weighed(sizes, partial, hidden, asked, query)
    return None


def _weighed(sizes: Any, partial: bool, hidden: Any, asked: int, query: Any) -> str:
    count, sought, sides, lies = sizes
    weight = dict.fromkeys(range(1, count + 1), 10)
    answer = hidden[0] if lies else hidden
    if sought == "heavy":
        weight[answer] = 11
    elif sought == "odd":
        weight[answer[0]] = 11 if answer[1] == "heavy" else 9
    else:
        weight[answer[0]], weight[answer[1]] = 11, 9
    left, right = (sum(weight[coin] for coin in side) for side in query)
    if sides and not partial:
        return "Equal." if left == right else "Left." if left > right else "Right."
    false = lies and hidden[1][asked // 10] == asked % 10
    return "Balance." if (left == right) != false else "Imbalance."


def is_equation(text: str, length: int) -> bool:
    """By Python's own grammar, and fractions."""
    left, equals, right = text.partition("=")
    if len(text) != length or not equals or not right.isdigit() or (right[0] == "0" and len(right) > 1):
        return False
    if not text.isascii() or set(left) - set("0123456789+-*/") or "//" in left or "**" in left:
        return False
    try:
        tree = ast.parse(left, mode="eval").body
    except SyntaxError:
        return False
    if any(word[0] == "0" for word in left.translate(str.maketrans("+-*/", "    ")).split()):
        return False
    value = value_of(tree)
    return isinstance(tree, ast.BinOp) and value is not None and value == int(right)


def value_of(node: ast.expr) -> Fraction | None:
    """The exact value of a tree of + - * and /; None for any other."""
    if isinstance(node, ast.Constant):
        return Fraction(node.value)
    if not isinstance(node, ast.BinOp):
        return None  # a sign before a number
    left, right = value_of(node.left), value_of(node.right)
    if left is None or right is None:
        return None
    match node.op:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Div() if right:
            return left / right
    return None


def everything(public: Any) -> Iterator[Any]:
    """All that may be hidden, as answers."""
    kind, *sizes = public
    if kind == "integer":
        yield from range(sizes[0] + 1)
    elif kind == "code":
        for code in range(10 ** sizes[0]):
            text = str(code).zfill(sizes[0])
            if not sizes[1] or len(set(text)) == sizes[0]:
                yield text
    elif kind == "grid" and sizes[2] is None:
        yield from (("row", y + 1) for y in range(sizes[1]))
        yield from (("column", x + 1) for x in range(sizes[0]))
    elif kind == "grid":
        least, most = sizes[2]
        for x1, y1, x2, y2 in itertools.product(*[range(1, size + 1) for size in (sizes[0], sizes[1]) * 2]):
            if least <= x2 - x1 + 1 <= most and least <= y2 - y1 + 1 <= most:
                yield x1, y1, x2, y2
    elif kind == "nuts":
        yield from itertools.permutations(range(1, sizes[0] + 1))
    elif kind == "coins":
        coins = range(1, sizes[0] + 1)
        if sizes[1] == "heavy":
            yield from coins
        elif sizes[1] == "odd":
            yield from itertools.product(coins, ("heavy", "light"))
        else:
            yield from ((a, b) for a in coins for b in coins if a != b)
    elif kind == "ships":
        yield from {_rows(sizes[0], sizes[1], cells) for cells in fleets(sizes[0], sizes[1], sizes[2])}


def fleets(width: int, height: int, lengths: tuple[int, ...]) -> Iterator[frozenset[tuple[int, int]]]:
    """Ships one after the other, none near another; equal ships in every order."""
    if not lengths:
        yield frozenset()
        return
    for rest in fleets(width, height, lengths[1:]):
        for x, y, (dx, dy) in itertools.product(range(width), range(height), ((1, 0), (0, 1))):
            ship = [(x + i * dx, y + i * dy) for i in range(lengths[0])]
            if (lengths[0] == 1 and dy) or ship[-1][0] >= width or ship[-1][1] >= height:
                continue
            if all(max(abs(a - c), abs(b - d)) > 1 for a, b in ship for c, d in rest):
                yield rest | frozenset(ship)


def _rows(width: int, height: int, cells: frozenset[tuple[int, int]]) -> tuple[str, ...]:
    return tuple("".join(str(int((x, y) in cells)) for x in range(width)) for y in range(height))


def is_fleet(grid: tuple[str, ...], lengths: tuple[int, ...]) -> bool:
    """Whether the ships of a grid, found by flooding corners too, are straight and of these lengths."""
    cells = {(x, y) for y, row in enumerate(grid) for x, sign in enumerate(row) if sign == "1"}
    found = []
    while cells:
        ship, edge = set(), [cells.pop()]
        while edge:
            x, y = edge.pop()
            ship.add((x, y))
            near = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} & cells
            cells -= near
            edge += near
        columns, rows = {x for x, _ in ship}, {y for _, y in ship}
        if len(ship) != len(columns) * len(rows) or min(len(columns), len(rows)) > 1:
            return False
        found.append(len(ship))
    return sorted(found) == sorted(lengths)


@cache
def _bandit(chances: tuple[float, ...], counts: tuple[tuple[int, int], ...], turns: int) -> float:
    """The best probability of naming the best machine, from the posterior of every assignment."""
    posterior = []
    for order in itertools.permutations(chances):
        weight = 1.0
        for chance, (won, lost) in zip(order, counts, strict=True):
            weight *= chance**won * (1 - chance) ** lost
        posterior.append((order, weight))
    total = sum(weight for _, weight in posterior)
    if not turns:
        best = max(chances)
        return max(
            sum(weight for order, weight in posterior if order[arm] == best) / total for arm in range(len(chances))
        )
    values = []
    for arm in range(len(chances)):
        win = sum(weight * order[arm] for order, weight in posterior) / total
        won, lost = counts[arm]
        after = [(*counts[:arm], new, *counts[arm + 1 :]) for new in ((won + 1, lost), (won, lost + 1))]
        values.append(win * _bandit(chances, after[0], turns - 1) + (1 - win) * _bandit(chances, after[1], turns - 1))
    return max(values)


def best_bandit(chances: tuple[float, ...], turns: int) -> float:
    """The best probability of being right after so many plays."""
    return _bandit(chances, ((0, 0),) * len(chances), turns)


@cache
def best_line(rows: int, columns: int, told: int) -> int:
    """Of so many rows and columns that are left, how many can be found out with so many replies.

    A hit in a row and a column that are both left leaves these two, which one more reply tells apart.
    """
    if not told or rows + columns <= 1:
        return min(1, rows + columns)
    after_hit = 2 if told > 1 else 1
    found = []
    if rows and columns:
        found.append(after_hit + best_line(rows - 1, columns - 1, told - 1))
    if rows:
        found.append(1 + best_line(rows - 1, columns, told - 1))
    if columns:
        found.append(1 + best_line(rows, columns - 1, told - 1))
    return max(found)
