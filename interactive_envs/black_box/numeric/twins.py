"""The numeric twin of a black box: what may be sent as a number or as a row of numbers, what is known as an array.

Boxes whose queries and answers can be listed have a menu, and an action is a number. Others have fields (see
:class:`interactive_envs.black_box.numeric.fields.Fields`), and an action is a row: what is sent, and a number for each
place of it.
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactive_envs.black_box.base import AnswerBox, Box, GameBox
from interactive_envs.black_box.numeric.fields import Fields, Numbers
from interactive_envs.black_box.numeric.forms import NOTHING, Form
from interactive_envs.black_box.wording import READY_TEXT
from interactive_envs.dialogue.view import DialogueView, progress_features

PROGRESS = 11
Array = NDArray[np.float32]
Action = int | Sequence[int]


@dataclass(frozen=True)
class Extent:
    """What of a box's mode the size of arrays depends on.

    Attributes:
        turns: of each exploration.
        shots: tries at each test item.
        test_feedback: whether a wrong answer is not taken twice.
    """

    turns: int
    shots: int
    test_feedback: bool


class Twin(ABC):
    """A twin; a function of the View alone."""

    actions: int | tuple[int, ...]
    """How many actions there are, or the sizes of an action's places."""
    shape: tuple[int]
    """Of the arrays."""

    @abstractmethod
    def encode(self, view: DialogueView) -> Array:
        """The View as numbers from 0 to 1."""

    @abstractmethod
    def decode(self, view: DialogueView, action: Action) -> str:
        """The text of an action; '' for one that the mask excludes."""

    @abstractmethod
    def mask(self, view: DialogueView) -> NDArray[np.int8]:
        """1 where a number may be chosen; of rows one place after the other."""

    @abstractmethod
    def action_of(self, view: DialogueView, kind: str, key: Any) -> int | tuple[int, ...] | None:
        """The action that says the same as a text that was read; None where there is none."""


def _progress(view: DialogueView, extent: Extent) -> tuple[float, ...]:
    """How far the episode is, 11 numbers."""
    shown = view.shown
    return (
        *progress_features(view),
        float(shown.exploring),
        shown.item_number / max(1, shown.items),
        shown.shots_left / extent.shots,
        shown.trial_number / shown.trials,
        sum(shown.marks) / max(1, shown.items),
    )


def _turns(view: DialogueView, rows: int) -> list[tuple[Any, Any, float]]:
    """The last queries with their facts, and how far each was answered: 0.5 where the reply comes later."""
    shown = view.shown
    known = [*((query, fact, 1.0) for query, fact in shown.observations)]
    known += [(query, None, 0.5) for query in shown.waiting]
    return known[-rows:] if rows else []


@dataclass(frozen=True, eq=False)
class Menu:
    """A box with all its queries and answers as texts."""

    box: Box
    queries: tuple[str, ...]
    answers: tuple[str, ...]

    @classmethod
    def of(cls, box: Box) -> Menu | None:
        """The menu of a box, None where not all can be listed, or no array can tell of them."""
        answers = box.answers if isinstance(box, AnswerBox) else ()
        if box.queries is None or answers is None or not box.turn_size:
            return None
        return cls(box, tuple(box.queries), tuple(answers))

    @functools.cached_property
    def legal(self) -> Callable[[Any], frozenset[str]]:
        """The queries that are legal, given what is seen of the memory."""
        return functools.lru_cache(64)(lambda seen: frozenset(self.box.legal(seen) or ()))


class MenuTwin(Twin):
    """An action is a number: of a query, of the end of the exploration, of an answer.

    Args:
        extent: of the mode.
        menus: of every kind of box that a case may have, the largest.
        menu_of: the one that a View tells of.
    """

    def __init__(self, extent: Extent, menus: Sequence[Menu], menu_of: Callable[[DialogueView], Menu]) -> None:
        self._extent, self._menu_of = extent, menu_of
        self._most = max(len(menu.queries) for menu in menus), max(len(menu.answers) for menu in menus)
        self.actions = self._count = self._most[0] + 1 + self._most[1]
        first = menus[0].box
        played = isinstance(first, GameBox)
        self._rows = (extent.turns + extent.shots * played) * (first.moves if isinstance(first, GameBox) else 1)
        self._triable = self._most[1] if extent.shots > 1 else 0
        self._kinds = [menu.box.public for menu in menus] if len(menus) > 1 else []
        self._turn = 1 + max(menu.box.turn_size for menu in menus)
        self._state = max(menu.box.state_size for menu in menus)
        before = PROGRESS + len(self._kinds) + self._state + self._triable
        self.shape = (before + self._rows * self._turn,)

    def encode(self, view: DialogueView) -> Array:
        """How it stands (11 numbers), the kind of box, its state, the answers tried, a row a query.

        A row holds whether the query was sent (0.5: its reply comes later), the query, and its fact.
        """
        shown, menu = view.shown, self._menu_of(view)
        array = np.zeros(self.shape, np.float32)
        array[:PROGRESS] = _progress(view, self._extent)
        at = PROGRESS
        if self._kinds:
            array[at + self._kinds.index(menu.box.public)] = 1.0
            at += len(self._kinds)
        state = menu.box.encode_state(shown.trial, shown.seen, shown.item)
        array[at : at + len(state)] = state
        at += self._state
        if self._triable:
            array[at : at + len(menu.answers)] = [text in shown.given for text in menu.answers]
        rows = array[at + self._triable :].reshape(self._rows, self._turn)
        for row, (query, fact, told) in zip(rows, _turns(view, self._rows), strict=False):
            turn = menu.box.encode_turn(query, fact)
            row[0], row[1 : 1 + len(turn)] = told, turn
        return array

    def decode(self, view: DialogueView, action: Action) -> str:
        """The text of a number."""
        index, shown, menu = int(action), view.shown, self._menu_of(view)  # type: ignore[arg-type]
        if view.stage == "over" or not 0 <= index < self._count:
            return ""
        if index == self._most[0]:
            return READY_TEXT if shown.exploring else ""
        if index < self._most[0]:
            text = menu.queries[index] if index < len(menu.queries) else ""
            return text if view.queries_allowed and text in menu.legal(shown.seen) else ""
        place = index - self._most[0] - 1
        text = "" if shown.exploring or place >= len(menu.answers) else menu.answers[place]
        return "" if self._extent.test_feedback and text in shown.given else text

    def mask(self, view: DialogueView) -> NDArray[np.int8]:
        """1 where a number has a text."""
        mask = np.zeros(self._count, np.int8)
        if view.stage == "over":
            return mask
        shown, menu, first = view.shown, self._menu_of(view), self._most[0] + 1
        if view.queries_allowed:
            legal = menu.legal(shown.seen)
            mask[: len(menu.queries)] = [query in legal for query in menu.queries]
        mask[self._most[0]] = shown.exploring
        if not shown.exploring:
            mask[first : first + len(menu.answers)] = 1
            if self._extent.test_feedback:
                mask[[first + menu.answers.index(text) for text in shown.given if text in menu.answers]] = 0
        return mask

    def action_of(self, view: DialogueView, kind: str, key: Any) -> int | None:
        """The number of a query or an answer."""
        menu = self._menu_of(view)
        if kind == "query" and key == ("ready",):
            return self._most[0]
        box = menu.box
        if kind == "query":
            text = f"<{box.tags[0]}>{box.show_query(key)}</{box.tags[0]}>"
            return menu.queries.index(text) if text in menu.queries else None
        text = f"<answer>{box.show_answer(key)}</answer>" if isinstance(box, AnswerBox) else ""
        return self._most[0] + 1 + menu.answers.index(text) if text in menu.answers else None


class FieldTwin(Twin):
    """An action is a row: what is sent (a query's tag, the end of the exploration, an answer), then all places.

    Places that belong to what is not sent mean nothing.

    Args:
        extent: of the mode.
        tags: of queries.
        fields: those of every kind that a case may have, the largest.
        fields_of: those that a View tells of.
        differing: whether boxes tell different things of themselves, which then belongs into arrays.
    """

    def __init__(
        self,
        extent: Extent,
        tags: Sequence[str],
        fields: Sequence[Fields],
        fields_of: Callable[[DialogueView], Fields],
        *,
        differing: bool,
    ) -> None:
        self._extent, self._tags, self._fields_of = extent, tuple(tags), fields_of
        self._kinds = (*self._tags, "ready", "answer")
        parts = [[each.queries[tag].sizes for each in fields] for tag in self._tags]
        parts.append([(each.answer or NOTHING).sizes for each in fields])
        self._parts = [_most(sizes) for sizes in parts]
        self.actions = self._sizes = (len(self._kinds), *(size for part in self._parts for size in part))
        self._about = max(len(each.about) for each in fields) if differing else 0
        self._item = _width([each.item for each in fields])
        self._answer = _width([each.answer or NOTHING for each in fields])
        self._queries = [_width([each.queries[tag] for each in fields]) for tag in self._tags]
        self._fact = _width([each.fact for each in fields])
        self._turn = 1 + len(self._tags) + sum(self._queries) + 1 + self._fact
        tried = (extent.shots - 1) * (1 + self._answer)
        self.shape = (PROGRESS + self._about + 1 + self._item + tried + extent.turns * self._turn,)

    def encode(self, view: DialogueView) -> Array:
        """How it stands (11 numbers), what the box tells of itself, the item, the answers tried, a row a query.

        Before an item, an answer tried, a query and a fact stands 1 where there is one. A row begins with whether the
        query was sent (0.5: its reply comes later) and which tag it had.
        """
        shown, fields = view.shown, self._fields_of(view)
        array = np.zeros(self.shape, np.float32)
        array[:PROGRESS] = _progress(view, self._extent)
        at = PROGRESS
        if self._about:
            array[at : at + len(fields.about)] = fields.about
            at += self._about
        if not shown.exploring and shown.item is not None:
            array[at] = 1.0
            _put(array, at + 1, fields.item, shown.item)
        at += 1 + self._item
        for answer in self._tried(view):
            array[at] = 1.0
            _put(array, at + 1, fields.answer or NOTHING, answer)
            at += 1 + self._answer
        rows = array[len(array) - self._extent.turns * self._turn :].reshape(self._extent.turns, self._turn)
        for row, (query, fact, told) in zip(rows, _turns(view, self._extent.turns), strict=False):
            tag, rest = fields.parted(query)
            which = self._tags.index(tag)
            row[0], row[1 + which] = told, 1.0
            _put(row, 1 + len(self._tags) + sum(self._queries[:which]), fields.queries[tag], rest)
            if fact is not None:
                row[-1 - self._fact] = 1.0
                _put(row, self._turn - self._fact, fields.fact, fact)
        return array

    def _tried(self, view: DialogueView) -> list[Any]:
        """The answers to the item in question, but for the last one that may be given."""
        count = len(view.shown.given)
        keys = [one.key for one in view.exchanges if one.kind == "final"]
        return keys[len(keys) - count :][: self._extent.shots - 1] if count else []

    def decode(self, view: DialogueView, action: Action) -> str:
        """The text of a row."""
        row = tuple(map(int, action))  # type: ignore[arg-type]
        if len(row) != len(self._sizes):
            return ""
        mask, start = self.mask(view), 0
        for place, size in zip(row, self._sizes, strict=True):
            if not 0 <= place < size or not mask[start + place]:
                return ""
            start += size
        kind, fields = self._kinds[row[0]], self._fields_of(view)
        if kind == "ready":
            return READY_TEXT
        own = self._own(row, kind, fields)
        if kind != "answer":
            return f"<{kind}>{fields.write(kind, fields.queries[kind].value(own))}</{kind}>"
        form = fields.answer or NOTHING
        text = _answer(view, fields, form.value(own))
        while self._extent.test_feedback and text in view.shown.given:  # it is known to be wrong: the next one
            own = _next(own, form.sizes)
            text = _answer(view, fields, form.value(own))
        return text

    def _own(self, row: tuple[int, ...], kind: str, fields: Fields) -> tuple[int, ...]:
        """The places that say what is sent."""
        which = len(self._tags) if kind == "answer" else self._tags.index(kind)
        start = 1 + sum(map(len, self._parts[:which]))
        return row[start : start + len(self._form(which, fields).sizes)]

    def _form(self, which: int, fields: Fields) -> Form:
        return fields.queries[self._tags[which]] if which < len(self._tags) else fields.answer or NOTHING

    def mask(self, view: DialogueView) -> NDArray[np.int8]:
        """1 where a place may have a number; places that mean nothing here may have 0 alone."""
        if view.stage == "over":
            return np.zeros(sum(self._sizes), np.int8)
        shown, fields = view.shown, self._fields_of(view)
        legal = [shown.exploring and fields.legal(tag, shown.seen) for tag in self._tags]
        kinds = np.array([*legal, shown.exploring, not shown.exploring], np.int8)
        return np.concatenate([kinds, *(self._open(which, fields) for which in range(len(self._parts)))])

    def _open(self, which: int, fields: Fields) -> NDArray[np.int8]:
        return _opened(self._parts[which], self._form(which, fields).sizes)

    def action_of(self, view: DialogueView, kind: str, key: Any) -> tuple[int, ...] | None:
        """The row of a query or an answer."""
        fields = self._fields_of(view)
        row = [0] * len(self._sizes)
        if kind == "query" and key == ("ready",):
            row[0] = len(self._tags)
            return tuple(row)
        tag, rest = fields.parted(key) if kind == "query" else ("answer", key)
        which = len(self._tags) if kind != "query" else self._tags.index(tag)
        try:
            own = self._form(which, fields).row(rest)
        except ValueError:
            return None
        row[0] = self._kinds.index(tag)
        start = 1 + sum(map(len, self._parts[:which]))
        row[start : start + len(own)] = own
        return tuple(row)


def _answer(view: DialogueView, fields: Fields, value: Any) -> str:
    return f"<answer>{fields.write_answer(view.shown.item, value)}</answer>"


def _next(row: tuple[int, ...], sizes: tuple[int, ...]) -> tuple[int, ...]:
    """The row one higher, the last place counting least; after the last comes the first."""
    places = list(row)
    for place in reversed(range(len(places))):
        places[place] = (places[place] + 1) % sizes[place]
        if places[place]:
            break
    return tuple(places)


def _most(several: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The largest size of each place."""
    width = max(map(len, several))
    padded = [(*sizes, *((1,) * (width - len(sizes)))) for sizes in several]
    return tuple(map(max, zip(*padded, strict=True)))


def _width(forms: Sequence[Form]) -> int:
    return max(len(form.sizes) for form in forms)


@functools.lru_cache(maxsize=256)
def _opened(most: tuple[int, ...], sizes: tuple[int, ...]) -> NDArray[np.int8]:
    own = [*sizes, *((1,) * (len(most) - len(sizes)))]
    places = [np.arange(size) < allowed for size, allowed in zip(most, own, strict=True)]
    found = np.concatenate([np.zeros(0, bool), *places]).astype(np.int8)
    found.flags.writeable = False
    return found


def _put(array: Array, at: int, form: Form, value: Any) -> None:
    numbers = form.features(value)
    array[at : at + len(numbers)] = numbers


def twin_of(box: Box, extent: Extent, numbers: Numbers, level: int | None) -> Twin | None:
    """The twin of a task, None where there is none.

    Args:
        box: any box of the task.
        extent: of the mode.
        numbers: what the family declares.
        level: of generated boxes, None for a fixed one.
    """
    partial, kinds = box.partial, () if level is None or numbers.widest is None else numbers.widest(level)
    if kinds and numbers.box_of is not None:
        make = functools.lru_cache(64)(functools.partial(_menu_of, numbers.box_of))
        menus = [make(public, partial) for public in kinds]
        return MenuTwin(extent, menus, lambda view: make(view.shown.public, view.shown.partial))
    menu = None if kinds else Menu.of(box)
    if menu is not None:
        return MenuTwin(extent, [menu], lambda view: menu)
    if numbers.fields is None:
        return None
    generated = level is not None
    known = functools.lru_cache(64)(functools.partial(_fields_of, numbers.fields, generated))
    if not kinds:
        own = known(box.public, partial)
        return FieldTwin(extent, box.tags, [own], lambda view: own, differing=False)
    fields = [known(public, partial) for public in kinds]

    def told(view: DialogueView) -> Fields:
        return known(view.shown.public, view.shown.partial)

    return FieldTwin(extent, box.tags, fields, told, differing=True)


def _menu_of(make: Callable[[Any, bool], Box], public: Any, partial: bool) -> Menu:
    menu = Menu.of(make(public, partial))
    if menu is None:
        raise TypeError(f"a box that tells {public!r} of itself has no menu")
    return menu


def _fields_of(make: Callable[[Any, bool, bool], Fields], generated: bool, public: Any, partial: bool) -> Fields:
    return make(public, partial, generated)
