"""Small expressions that explain numbers, texts and lists: what the player of hidden programs fits to its looks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Row = dict[str, Any]
"""What is known at a visit, by name: inputs, what is computed from them, variables before and now."""
_CONSTANTS = (*range(11), 50, 64, 97, 101)
_COST = 0.45
"""Of an operation, in rows explained."""
_ROWS = 12
"""Rows that are fitted at most."""
_RIGHT: tuple[tuple[str, Callable[[Any, Any], Any]], ...] = (
    ("+", lambda left, right: left + right),
    ("-", lambda left, right: left - right),
    ("-'", lambda left, right: right - left),
    ("*", lambda left, right: left * right),
    ("min", np.minimum),
    ("max", np.maximum),
)
_DIVIDING: tuple[tuple[str, Callable[[Any, Any], Any]], ...] = (
    ("//", np.floor_divide),
    ("%", np.mod),
)
_DO = dict((*_RIGHT, *_DIVIDING))


@dataclass(frozen=True)
class Rule:
    """A variable as an expression of what is known: a name, a number, or ``(operation, left, right)``.

    Attributes:
        expression: the expression.
        scale: what the variable was multiplied by before it was fitted.
        worth: rows explained less the operations used.
    """

    expression: Any
    scale: int
    worth: float

    def __call__(self, row: Row) -> Any:
        """The value, None where the row lacks what it takes."""
        value = _value(self.expression, row)
        if isinstance(value, (str, tuple)) or value is None:
            return value
        value = float(value) / self.scale
        return int(value) if value.is_integer() and abs(value) < 2**53 else value


def fitted(rows: Sequence[tuple[Row, Any]]) -> Rule | None:
    """The expression that explains most rows for its length; one row outweighs two operations."""
    rows = rows[:_ROWS]
    if not rows:
        return None
    targets = [target for _, target in rows]
    shared = [name for name in rows[0][0] if all(row.get(name) is not None for row, _ in rows)]
    best = Rule(None, 1, 0.0)
    for name in shared:
        worth = sum(row[name] == target for row, target in rows) - 0.1
        if worth > best.worth:
            best = Rule(name, 1, worth)
    common, times = Counter(targets).most_common(1)[0]
    if times - 0.2 > best.worth:
        best = Rule(("constant", common), 1, times - 0.2)
    if best.worth > len(rows) - 0.5 or not all(isinstance(one, (int, float)) for one in targets):
        return best if best.worth > 0 else None
    scale = 1 if all(float(one).is_integer() for one in targets) else 2
    wanted = np.array(targets, dtype=np.float64) * scale
    numbers = [
        name for name in shared if name[0] not in "-|" and all(isinstance(row[name], (int, float)) for row, _ in rows)
    ]
    known = np.array([[row[name] for row, _ in rows] for name in numbers], dtype=np.float64)
    constants = np.repeat(np.array(_CONSTANTS, dtype=np.float64)[:, None], len(rows), axis=1)
    operands: list[Any] = [*numbers, *(("constant", one) for one in _CONSTANTS)]
    values = np.concatenate([known, constants])
    layer, texts = known, list(numbers)
    for depth in range(1, 1 + min(2, len(rows))):
        layer, texts, found = _layer(layer, texts, values, operands, wanted, keep=depth == 1)
        if found is not None and found[0] - _COST * depth > best.worth:
            best = Rule(found[1], scale, found[0] - _COST * depth)
        if found is not None and found[0] == len(rows):
            break
    return best if best.worth > 0 else None


def _layer(
    left: NDArray[np.float64],
    texts: Sequence[Any],
    right: NDArray[np.float64],
    operands: Sequence[Any],
    wanted: NDArray[np.float64],
    *,
    keep: bool,
) -> tuple[NDArray[np.float64], list[Any], tuple[int, Any] | None]:
    """One operation more: all values where they are kept, their expressions, and the one that is right most often."""
    best: tuple[int, Any] | None = None
    kept: list[NDArray[np.float64]] = []
    expressions: list[Any] = []
    first_constant = len(operands) - len(_CONSTANTS)
    for operation, do in (*_RIGHT, *_DIVIDING):
        begin = first_constant + 2 if operation in ("//", "%") else 0
        made = do(left[:, None, :], right[None, begin:, :])
        right_ones = (made == wanted).sum(axis=2)
        where = np.unravel_index(int(right_ones.argmax()), right_ones.shape)
        times = int(right_ones[where])
        if best is None or times > best[0]:
            best = times, (operation, texts[int(where[0])], operands[begin + int(where[1])])
        if keep:
            kept.append(made.reshape(-1, len(wanted)))
            expressions += [(operation, one, other) for one in texts for other in operands[begin:]]
    return (np.concatenate(kept) if keep else left), expressions, best


def _value(expression: Any, row: Row) -> Any:
    if isinstance(expression, str):
        return row.get(expression)
    operation, *parts = expression
    if operation == "constant":
        return parts[0]
    left, right = (_value(part, row) for part in parts)
    if not all(isinstance(part, (int, float)) for part in (left, right)):
        return None
    return float(_DO[operation](float(left), float(right)))


def figures(name: str, value: Any, visit: int) -> Row:
    """An input, and what is easily read off it."""
    if isinstance(value, (int, float)):
        return {name: value, f"-{name}": -value, f"|{name}|": abs(value), f"digits {name}": str(value)}
    row: Row = {
        name: value,
        f"len {name}": len(value),
        f"first {name}": value[0] if value else None,
        f"last {name}": value[-1] if value else None,
        f"next {name}": value[visit - 1] if visit <= len(value) else None,
        f"sorted {name}": tuple(sorted(value)),
        f"up to {name}": value[:visit],
        f"half {name}": value[: len(value) // 2],
        f"other half {name}": value[len(value) // 2 :],
        f"distinct {name}": len(set(value)),
    }
    if isinstance(value, tuple) and value:
        row.update({f"sum {name}": sum(value), f"least {name}": min(value), f"most {name}": max(value)})
    return row
