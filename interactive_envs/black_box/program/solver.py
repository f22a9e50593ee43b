"""A player of hidden programs that knows a few textbook programs and fits small expressions to what it saw."""

from __future__ import annotations

import inspect
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from interactive_envs.black_box.program.code import Code, frozen, thawed
from interactive_envs.black_box.program.fit import Row, Rule, figures, fitted
from interactive_envs.black_box.program.fixed import CODES
from interactive_envs.black_box.rules import BoxShown
from interactive_envs.black_box.solving import QuerySolver
from interactive_envs.errors import ConfigError

_LOOPS = 3
"""Visits of a loop that are looked at under one input."""


@dataclass(frozen=True)
class _Look:
    inputs: tuple[Any, ...]
    checkpoint: int
    visit: int
    values: Mapping[str, Any] | None
    """None where the checkpoint is not passed that often."""


class Solver(QuerySolver):
    """Explains the values at all checkpoints by a textbook program or by small expressions.

    It has two kinds of hypotheses. The hidden program may be one of a textbook, the fixed ones: any with inputs of the
    same types and as many checkpoints, whose values agree with all looks. Else each variable at a checkpoint is an
    expression of at most two operations (``+ - * // % min max``, halved or not) of the inputs, simple figures of them
    (length, sum, products of two, the element of the visit's number and the like), the visit's number, small numbers,
    the variables listed before it, and the variables one visit earlier; or a part or a rearrangement of an input. It
    takes the shortest that explains most looks; where it has none it says what it saw there most often.

    Args:
        textbook: whether it knows the textbook.
    """

    def __init__(self, *, textbook: bool = True) -> None:
        if type(textbook) is not bool:
            raise ConfigError(f"textbook must be true or false, got {textbook!r}")
        self._textbook = textbook
        self._places: set[tuple[Any, ...]] = set()

    def start(self, random: np.random.Generator) -> None:
        """Forget where it looked."""
        super().start(random)
        self._places = set()

    def ask(self, shown: BoxShown, turns_left: int) -> str | None:
        """Inputs, or a place to look at."""
        _, checkpoints = shown.public
        looks = _looks(shown)
        if shown.seen is None:
            return self._assign(shown)
        current = tuple(map(frozen, shown.seen))
        # Its own notes, for replies may all come at the end.
        done = {(number, visit) for inputs, number, visit in self._places if inputs == current}
        refused = {one.checkpoint for one in looks if one.values is None and one.visit > 1}
        first = not looks or looks[0].inputs == current
        inside = set(_inside(looks))
        plan = [(number, 1) for number in range(1, checkpoints + 1) if first or number not in inside]
        loops = [number for number in range(1, checkpoints + 1) if number not in refused and _loops(looks, number)]
        plan += [(number, visit) for visit in range(2, _LOOPS + 1) for number in loops]
        left = [place for place in plan if place not in done and place[0] not in _never(looks, current)]
        if not left and turns_left < 2:
            left = [(number, 2) for number in range(checkpoints, 0, -1) if (number, 2) not in done]
        if left:
            self._places.add((current, *left[0]))
            return "<look>{}, {}</look>".format(*left[0])
        return self._assign(shown)

    def answer(self, shown: BoxShown) -> str:
        """The values that the program known, or the rules, give."""
        known = self._code(shown)
        if shown.code:
            return as_function(known, shown.partial)
        inputs, questions = shown.item
        inputs = tuple(map(frozen, inputs))
        if getattr(self, "_observations", None) != shown.observations:
            self._observations, self._model = shown.observations, _Model(shown)
        if known is None:
            run = _Prediction(self._model, inputs)
            return json.dumps([run.value(*question) for question in questions])
        values = []
        for number, visit, variable in questions:
            there = known.visits(inputs)[number][visit - 1 : visit]
            names = self._model.variables(number) or [name for values in there for name, _ in values]
            # A textbook's program may agree with all looks and yet call what was not looked at otherwise.
            known_name = isinstance(variable, int) or variable in names
            place = variable - 1 if isinstance(variable, int) else names.index(variable) if known_name else 0
            values.append(thawed(there[0][place][1]) if there and known_name else 0)
        return json.dumps(values)

    def _code(self, shown: BoxShown) -> Code | None:
        """The first of the textbook's programs that agrees with all looks."""
        looks = _looks(shown)
        fitting = (code for code in CODES.values() if self._textbook and looks and _agrees(code, shown, looks))
        return next(fitting, None)

    def _assign(self, shown: BoxShown) -> str:
        values, used = [], set[int]()
        for name, kind, least, most, shortest, longest, letters, _ in shown.public[0]:
            if kind == "int":
                # Numbers that are not small tell more expressions apart.
                drawn = [int(one) for one in self.random.integers(least, most + 1, 8)]
                drawn = [one for one in drawn if abs(one) > most // 5 and one not in used] or [
                    one for one in drawn if one
                ]
                value: Any = (drawn or [most])[0]
                used.add(value)
            else:
                length = int(self.random.integers(max(shortest, longest // 2), longest + 1))
                value = self.random.integers(least, most + 1, length).tolist()
                if kind == "str":
                    value = "".join(letters[k] for k in self.random.integers(min(3, len(letters)), size=length))
            values.append(f"{name} = {json.dumps(value)}")
        return f"<assign>{'; '.join(values)}</assign>"


class _Model:
    """The rules that explain what was looked at."""

    def __init__(self, shown: BoxShown) -> None:
        self.names = [one[0] for one in shown.public[0]]
        self.looks = [one for one in _looks(shown) if one.values is not None]
        self.inside = _inside(self.looks)
        self.seen = {(one.inputs, one.checkpoint, one.visit): one.values or {} for one in self.looks}
        self.rules: dict[tuple[int, str], Rule | None] = {}

    def variables(self, checkpoint: int) -> list[str]:
        """The variables at a checkpoint, as it was seen."""
        return next((list(one.values or ()) for one in self.looks if one.checkpoint == checkpoint), [])

    def rule(self, checkpoint: int, name: str) -> Rule | None:
        """The rule of a variable, None where nothing was seen of it."""
        key = checkpoint, name
        if key not in self.rules:
            self.rules[key] = self._fit(checkpoint, name)
        return self.rules[key]

    def row(
        self,
        inputs: tuple[Any, ...],
        visit: int,
        before: Mapping[str, Any] | None,
        now: Mapping[str, Any],
    ) -> Row:
        """All that a rule may use."""
        row: Row = dict(zip(self.names, inputs, strict=True))
        row.update({f"now {name}": value for name, value in now.items()})
        if before is not None:
            row.update({f"before {name}": value for name, value in before.items()})
        row["visit"] = visit
        for name, value in zip(self.names, inputs, strict=True):
            row.update(figures(name, value, visit))
        numbers = [(name, value) for name, value in zip(self.names, inputs, strict=True) if isinstance(value, int)]
        for place, (name, value) in enumerate(numbers):
            row.update({f"{name}*{other}": value * more for other, more in numbers[place:]})
        return row

    def before(self, inputs: tuple[Any, ...], checkpoint: int, visit: int) -> Mapping[str, Any] | None:
        """The variables one visit earlier, before the first those of the checkpoint before; None where not seen."""
        where = self.place_before(checkpoint, visit)
        return None if where is None else self.seen.get((inputs, *where))

    def place_before(self, checkpoint: int, visit: int) -> tuple[int, int] | None:
        """One visit earlier; before the first visit, the checkpoint before, if it tells more than this one."""
        if visit > 1:
            return checkpoint, visit - 1
        return None if checkpoint == 1 or checkpoint - 1 in self.inside else (checkpoint - 1, 1)

    def usual(self, checkpoint: int, visit: int, name: str) -> Any:
        """What was seen most often there, or as near as possible."""
        near = [
            (abs(one.visit - visit), one.values[name])
            for one in self.looks
            if one.checkpoint == checkpoint and one.values is not None and name in one.values
        ]
        if not near:
            return 0
        least = min(distance for distance, _ in near)
        return Counter(value for distance, value in near if distance == least).most_common(1)[0][0]

    def _fit(self, checkpoint: int, name: str) -> Rule | None:
        plain: list[tuple[Row, Any]] = []
        steps: list[tuple[Row, Any]] = []
        for one in self.looks:
            if one.checkpoint != checkpoint or one.values is None or name not in one.values:
                continue
            names = list(one.values)
            now = {other: one.values[other] for other in names[: names.index(name)]}
            plain.append((self.row(one.inputs, one.visit, None, now), one.values[name]))
            before = self.before(one.inputs, checkpoint, one.visit)
            if before is not None:
                steps.append((self.row(one.inputs, one.visit, before, now), one.values[name]))
        rules = [rule for rule in map(fitted, (plain, steps)) if rule is not None]
        return max(rules, key=lambda rule: rule.worth, default=None)


class _Prediction:
    """The visits of a run with new inputs."""

    def __init__(self, model: _Model, inputs: tuple[Any, ...]) -> None:
        self.model = model
        self.inputs = inputs
        self._visits: dict[tuple[int, int], dict[str, Any]] = {}

    def value(self, checkpoint: int, visit: int, variable: Any) -> Any:
        """A variable at a visit, by its name or its place from 1."""
        names = self.model.variables(checkpoint)
        name = names[variable - 1] if isinstance(variable, int) and variable <= len(names) else str(variable)
        return thawed(self.at(checkpoint, visit).get(name, self.model.usual(checkpoint, visit, name)))

    def at(self, checkpoint: int, visit: int) -> dict[str, Any]:
        """All variables at a visit."""
        key = checkpoint, visit
        if key in self._visits:
            return self._visits[key]
        wider = self.model.inside.get(checkpoint)
        if wider is not None and visit == 1:
            whole = self.at(wider, 1)
            self._visits[key] = {name: whole[name] for name in self.model.variables(checkpoint)}
            return self._visits[key]
        where = self.model.place_before(checkpoint, visit)
        before = {} if where is None else self.at(*where)
        now: dict[str, Any] = {}
        for name in self.model.variables(checkpoint):
            rule = self.model.rule(checkpoint, name)
            value = rule(self.model.row(self.inputs, visit, before, now)) if rule else None
            now[name] = self.model.usual(checkpoint, visit, name) if value is None else value
        self._visits[key] = now
        return now


def _looks(shown: BoxShown) -> list[_Look]:
    """What was looked at, with the variables by name, or by place where names are hidden."""
    looks: list[_Look] = []
    inputs: tuple[Any, ...] = ()
    for query, fact in shown.observations:
        if query[0] == "assign":
            inputs = tuple(map(frozen, query[1]))
            continue
        kind, *reached = fact
        values = None
        if kind == "values":
            pairs = enumerate(reached, 1) if shown.partial else ((name, value) for name, _, value in reached)
            values = {str(name): frozen(value) for name, value in pairs}
        looks.append(_Look(inputs, query[1], query[2], values))
    return looks


def _agrees(code: Code, shown: BoxShown, looks: Sequence[_Look]) -> bool:
    """Whether a program could be the hidden one; names count for nothing."""
    kinds = [one[1] for one in shown.public[0]]
    if [one.kind for one in code.inputs] != kinds or code.checkpoints != shown.public[1]:
        return False
    for look in looks:
        if look.checkpoint > code.checkpoints:
            continue
        if any(one.read(value) is None for one, value in zip(code.inputs, look.inputs, strict=True)):
            return False
        there = code.visits(look.inputs)[look.checkpoint][look.visit - 1 : look.visit]
        expected = [value for values in there for _, value in values]
        if expected != ([] if look.values is None else list(look.values.values())):
            return False
    return True


def as_function(code: Code | None, partial: bool) -> str:
    """A function that answers calls as a known program does."""
    if code is None:
        return "def solution(call):\n    return None"
    given = "list(there[-1].values())" if partial else "there[-1]"
    return f"""from __future__ import annotations
import copy

{inspect.getsource(code.run)}

def solution(call):
    there = []
    def note(number, **values):
        if number == call["checkpoint"] and len(there) < call["visit"]:
            there.append(copy.deepcopy(values))
    {code.run.__name__}(note, *call["inputs"].values())
    return {given} if len(there) == call["visit"] else None
"""


def _loops(looks: Sequence[_Look], checkpoint: int) -> bool:
    """Whether a checkpoint seems to be passed often: it was, or a variable there is called i, j or k."""
    mine = [one for one in looks if one.checkpoint == checkpoint and one.values is not None]
    return any(one.visit > 1 or set(one.values or ()) & set("ijk") for one in mine)


def _never(looks: Sequence[_Look], inputs: tuple[Any, ...]) -> set[int]:
    """Checkpoints that are not passed with these inputs, or not as often as was asked for."""
    return {one.checkpoint for one in looks if one.inputs == inputs and one.values is None}


def _inside(looks: Sequence[_Look]) -> dict[int, int]:
    """Checkpoints whose variables are all found, with the same values, at a later one that is no loop."""
    firsts: dict[int, dict[tuple[Any, ...], Mapping[str, Any]]] = {}
    for one in looks:
        if one.visit == 1 and one.values is not None:
            firsts.setdefault(one.checkpoint, {})[one.inputs] = one.values
    found: dict[int, int] = {}
    for small, mine in firsts.items():
        for large, theirs in firsts.items():
            both = [inputs for inputs in mine if inputs in theirs]
            if large <= small or not both or _loops(looks, large) or _loops(looks, small):
                continue
            if all(mine[inputs].items() <= theirs[inputs].items() for inputs in both):
                found[small] = large
    return found
