"""What a black box is, and what a family of them declares. One file a family holds its boxes and its generator.

Source: ORACLE, sections 2 and 3 and appendix H. Its boxes are described in new words here, with right answers.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from interactive_envs.parsing import Unreadable

FAMILIES = ("circuit", "program", "cipher", "mechanics", "puzzle", "strategy")
LEVELS = (1, 2, 3, 4, 5)
DRAWS = 20
"""Of a query whose reply is not that of another one."""
Grade = Literal["baseline", "easy", "hard"]
Observations = tuple[tuple[Any, Any], ...]
"""Pairs of a query and its fact, in order."""


@dataclass(frozen=True)
class Trial:
    """One thing to find out: an exploration, then its test items.

    Attributes:
        hidden: what is drawn for it and never shown, e.g. a word; hashable.
        public: what the player may know of it, e.g. a game's length; a hashable JSON value.
    """

    hidden: Any = None
    public: Any = None


@dataclass(frozen=True)
class Item:
    """One test item.

    Attributes:
        asks: the question, as the player reads it.
        key: the same for players that are no language models: a hashable JSON value.
        truth: the right answer, never shown before the end.
    """

    asks: str
    key: Any
    truth: Any = None


@dataclass(frozen=True)
class Function:
    """What ``answer_as="code"`` asks for.

    Attributes:
        signature: such as ``solution(bits: list[int]) -> list[int]``.
        about: what goes in and what must come out, in a sentence or two.
        parameters: how many it has; several are a list as JSON.
    """

    signature: str
    about: str
    parameters: int = 1


@dataclass(frozen=True, kw_only=True)
class Box(ABC):
    """A mechanism that answers queries and is never shown. Immutable and pure: what changes is its *memory*.

    Queries, facts, memories, arguments and answers are hashable values of the family's own, queries and facts JSON
    values besides (tuples for lists). All randomness comes through ``rng``.

    Attributes:
        partial: whether observability is partial; what is hidden then, the family says.
    """

    partial: bool = False

    tags: ClassVar[tuple[str, ...]] = ("query",)
    """The tags of a turn's actions; a test item is answered with ``<answer>``, a played one with these."""
    empty_tags: ClassVar[tuple[str, ...]] = ()
    """Those among the tags that mean something with nothing inside."""
    equally_probable: ClassVar[bool] = False
    """Whether a trial hides one of several answers, each as probable as the others, and :meth:`left` counts them."""

    @property
    def examples(self) -> tuple[str, ...]:
        """Legal queries and answers of the right form, as text actions."""
        return ()

    @property
    @abstractmethod
    def public(self) -> Any:
        """What the player may know of the box from the start, as a hashable JSON value, e.g. the number of inputs."""

    @abstractmethod
    def introduction(self) -> str:
        """What kind of thing is hidden, how a query is written, what the reply holds: never the box's name."""

    @abstractmethod
    def examination(self) -> str:
        """What the test items will ask, how an answer is written, when it is right; for a played box, the score."""

    # What is drawn.

    @abstractmethod
    def trials(self, rng: np.random.Generator, count: int) -> tuple[Trial, ...]:
        """What an episode of ``count`` test items consists of."""

    def brief(self, trial: Trial) -> str:
        """Return the text that begins a trial."""
        return ""

    # Exploration.

    def begin(self, trial: Trial) -> Any:
        """The memory at the beginning of a trial, or of each game."""
        return None

    def seen(self, trial: Trial, memory: Any) -> Any:
        """What the player knows of the memory, e.g. its bullets: a hashable JSON value."""
        return None

    @abstractmethod
    def read_query(self, tag: str, body: str, seen: Any) -> Any | Unreadable:
        """Read the inside of a query's tag: a legal query, or why it is none, in a sentence for the player."""

    @abstractmethod
    def reply(self, trial: Trial, memory: Any, query: Any, rng: np.random.Generator) -> tuple[Any, Any]:
        """The fact that answers a query, and the memory after it."""

    @abstractmethod
    def tell(self, query: Any, fact: Any) -> str:
        """A fact as the words that go back."""

    def any_query(self, rng: np.random.Generator) -> str | None:
        """A legal query, drawn without a thought, as a text action; None where there is no menu to draw from."""
        menu = self.queries
        return None if menu is None else str(menu[int(rng.integers(len(menu)))])

    def show_query(self, query: Any) -> str:
        """Return a query as a player would write it, for replies that come later."""
        return " ".join(map(str, query)) if isinstance(query, tuple) else str(query)

    def reveal(self, trial: Trial) -> str:
        """Return what was hidden, shown after the end."""
        return "" if trial.hidden is None else f"Hidden: {trial.hidden}."

    # Finite menus, for numeric twins and lists of legal actions; None where there are none.

    @property
    def queries(self) -> Sequence[str] | None:
        """Every query that is ever legal as a text action."""
        return None

    def legal(self, seen: Any) -> Sequence[str] | None:
        """Those that are legal now."""
        return self.queries

    @property
    def turn_size(self) -> int:
        """Numbers that :meth:`encode_turn` gives."""
        return 0

    def encode_turn(self, query: Any, fact: Any) -> Sequence[float]:
        """A query and its fact as numbers from 0 to 1; None for a fact that is still to come."""
        return ()

    @property
    def state_size(self) -> int:
        """Numbers that :meth:`encode_state` gives."""
        return 0

    def encode_state(self, public: Any, seen: Any, item: Any) -> Sequence[float]:
        """A trial's public part, what is seen of the memory, and the item in question (None for none), as numbers."""
        return ()

    # Exploration in numbers.

    @property
    def n_queries(self) -> int | None:
        """How many different queries there are, None where there is no end of them."""
        return None if self.queries is None else len(self.queries)

    def left(self, trial: Trial, observations: Observations) -> int | None:
        """How many hypotheses of the family's declared class agree with the observations, None where there is no class.

        The trial's hidden part is there to bind the class to this box, never to decide what agrees.
        """
        return None


@dataclass(frozen=True, kw_only=True)
class AnswerBox(Box, ABC):
    """A box whose test items are questions, answered with ``<answer>``."""

    trial_per_item: ClassVar[bool] = False
    """Whether each item is a trial of its own, with its own exploration."""
    partial_marks: ClassVar[bool] = False
    """Whether :meth:`mark` gives anything between 0 and 1."""

    def similar_query(self, query: Any, rng: np.random.Generator) -> Any | None:
        """Another query whose reply could be that of this one; None where none was drawn."""
        found = re.fullmatch(r"<(\w+)>(.*)</\w+>", self.any_query(rng) or "")
        other = found and self.read_query(found[1], found[2], None)
        return None if isinstance(other, Unreadable) else other

    def wrong_fact(self, trial: Trial, memory: Any, query: Any, fact: Any, rng: np.random.Generator) -> Any | None:
        """A well-formed fact that is not the true reply to a query: that to another one; None where none was found."""
        for _ in range(DRAWS):
            other = self.similar_query(query, rng)
            if fact is None or other is None:
                continue
            wrong, _ = self.reply(trial, memory, other, rng)
            if wrong is not None and wrong != fact and _size(wrong) == _size(fact):
                return wrong
        return None

    def trials(self, rng: np.random.Generator, count: int) -> tuple[Trial, ...]:
        """One trial, or one an item; a family that hides something in them draws it here."""
        return (Trial(),) * (count if self.trial_per_item else 1)

    def arguments(self, trial: Trial, asked: Sequence[Any], rng: np.random.Generator, count: int) -> tuple[Any, ...]:
        """What to test: arguments that were not asked, chosen to tell rivals apart; fewer where there are fewer.

        Args:
            trial: what was explored.
            asked: its queries in order.
            rng: draws that depend on the case alone.
            count: at most so many.
        """
        return (None,)

    def calls(self, trial: Trial, asked: Sequence[Any], rng: np.random.Generator, count: int) -> tuple[Any, ...]:
        """Arguments for a function, where ``answer_as="code"``; those of items where a family has no others."""
        return self.arguments(trial, asked, rng, count)

    @abstractmethod
    def value(self, trial: Trial, argument: Any) -> Any:
        """The right answer for an argument."""

    @abstractmethod
    def question(self, trial: Trial, argument: Any) -> str:
        """An item's question."""

    @abstractmethod
    def read_answer(self, argument: Any, body: str) -> Any | Unreadable:
        """Read the inside of an answer tag."""

    def mark(self, truth: Any, answer: Any) -> float:
        """The score of an answer, 0 to 1."""
        return float(truth == answer)

    def show_answer(self, truth: Any) -> str:
        """A right answer as a player would write it."""
        return str(truth)

    @property
    def answers(self) -> Sequence[str] | None:
        """Every possible answer to any item as a text action, None where there is no end of them."""
        return None

    @property
    def function(self) -> Function | None:
        """What to write where ``answer_as="code"``, None where the family has no such answers."""
        return None

    def as_json(self, argument: Any) -> Any:
        """An argument as the function gets it, a JSON value."""
        return argument

    def mark_value(self, truth: Any, value: Any) -> float:
        """The score of a value that the function returned: any JSON value, nonsense too."""
        return 0.0


@dataclass(frozen=True, kw_only=True)
class GameBox(Box, ABC):
    """A box that is played: a turn is a game of several moves, a test item another game, scored by its moves."""

    @property
    @abstractmethod
    def moves(self) -> int:
        """Messages in a game at most, over all trials."""

    @abstractmethod
    def over(self, trial: Trial, memory: Any) -> bool:
        """Whether the game is over."""

    @abstractmethod
    def progress(self, trial: Trial, memory: Any) -> tuple[int, int]:
        """The number of the next move from 1, and how many moves a game has."""

    @abstractmethod
    def veil(self, fact: Any) -> Any:
        """What a player sees of a fact in a game that counts: what it may do next, not what the opponent did."""

    @abstractmethod
    def score(self, trial: Trial, memory: Any) -> float:
        """The score of a test game, 0 to 1; one that was given up counts what it has."""


@dataclass(frozen=True)
class Entry:
    """A fixed box.

    Attributes:
        grade: as ORACLE has it.
        make: the box.
        summary: one line for lists; players do not see it.
        items: test items, None for the family's number.
        setting: turn@shot, None for the family's.
    """

    grade: Grade
    make: Callable[[], Box]
    summary: str
    items: int | None = None
    setting: str | None = None


@dataclass(frozen=True)
class Family:
    """A family of black boxes, each family's own file has one as ``FAMILY``.

    Attributes:
        name: as in ``FAMILIES``.
        boxes: the fixed ones, by name (lower case and hyphens); none is called ``random``.
        generate: a random box at a level from 1 to 5.
        hides: what partial observability hides, as docs/black-boxes.md has it.
        section: where ORACLE describes the family.
        setting: turn@shot, the default of the family.
        levels: turn@shot of generated boxes by level, such that the reference player scores from 0.6 to 0.98 and less
            at each level; empty for ``setting`` at all.
        items: test items.
        no_delay: why replies cannot be put off to the end of the exploration, empty where they can.
        no_code: why answers cannot be code, empty where they can.
        listed: arguments with which answers are few enough to be listed, so that the numeric twin has a menu, by the
            name of a box that has none otherwise.
        played: whether its boxes are games; a turn of theirs is a whole game.
        with_code: the boxes that nobody explores well without listing thousands of hypotheses, or long calculations:
            they measure a player with a computer.
        paper: arguments of the published protocol, besides those that all families share, by the box's name.
    """

    name: str
    boxes: Mapping[str, Entry]
    generate: Callable[[np.random.Generator, int], Box]
    hides: str
    section: str
    setting: str = "10@1"
    items: int = 6
    no_delay: str = ""
    no_code: str = ""
    listed: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    played: bool = False
    levels: Sequence[str] = ()
    with_code: Collection[str] = ()
    paper: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def _size(fact: Any) -> int:
    """How many parts a fact has, 0 for one that has none."""
    return len(fact) if isinstance(fact, str | tuple) else 0


def is_game(box: Box) -> bool:
    """Whether a turn of it is a game."""
    return isinstance(box, GameBox)


def answer_box(box: Box) -> AnswerBox:
    """A box that is answered for, as every box is that is no game.

    Raises:
        TypeError: it is a game.
    """
    if not isinstance(box, AnswerBox):
        raise TypeError(f"{type(box).__name__} asks for no answers")
    return box
