"""What query games are made of: a family of hidden states, a kit of queries, a target. A game is one of each.

A *world* holds every hidden state of a family at one level as arrays, one row a state. Kinds of queries and targets are
functions of whole worlds: the line of code that answers a player, on a world of one row, is the line that fills the
table by which a game is proved, on the world of all.

Texts are templates. ``{set}``, ``{node}`` and the like are words of the structure, which a vocabulary may replace;
``{n}`` and the like are the level's parameters; ``{0}``, ``{1}`` a query's arguments.

Source: the paper on executable games, sections 3.1 and 3.2, appendices A and B.
"""

from __future__ import annotations

import dataclasses
import functools
import re
import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from types import ModuleType
from typing import Any, ClassVar, Literal, Self, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from interactive_envs.dialogue.task import PLAIN, Vocabulary
from interactive_envs.errors import UnknownNameError

Codes: TypeAlias = NDArray[np.int64]
Values: TypeAlias = NDArray[Any]
"""What a query or a target computes: booleans or whole numbers, one row a state."""
Row: TypeAlias = tuple[int, ...]
Mode: TypeAlias = Literal["deductive", "inductive", "abductive"]

LEVELS = (1, 2, 3, 4, 5)
NODES = string.ascii_uppercase
"""Names of nodes, in order."""
EDGE = 32
"""An edge from node u to node v is the number ``u * EDGE + v``."""
NOTHING = -1
"""Fills the rows of answers that are shorter than others, and stands for 'none' in replies."""


@dataclass(frozen=True)
class World:
    """All hidden states of a family at one level; the fields named in ``per_state`` have one row a state.

    Attributes:
        facts: the level's parameters, for texts and for legal arguments.
    """

    facts: Mapping[str, int]
    per_state: ClassVar[tuple[str, ...]] = ()

    def __len__(self) -> int:
        return len(getattr(self, self.per_state[0]))

    def take(self, rows: Any) -> Self:
        """The world of some of the states."""
        # dataclasses.replace, quicker: what is derived from the states must not be copied.
        given, taken, kind = self.__dict__, object.__new__(type(self)), cast("Any", type(self))
        taken.__dict__.update({name: given[name] for name in _fields(kind)})
        taken.__dict__.update({name: given[name][rows] for name in self.per_state})
        return taken


@functools.cache
def _fields(kind: type[World]) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind))


@dataclass(frozen=True)
class Reply:
    """What a kind of query answers with.

    Attributes:
        hint: what to expect, for the rules: ``yes or no``.
        words: the word of each code from 0 on; empty for numbers as they are.
        nodes: codes are nodes; ``NOTHING`` is none.
    """

    hint: str
    words: tuple[str, ...] = ()
    nodes: bool = False

    def say(self, code: int, words: Vocabulary) -> str:
        """A code in words, without a full stop."""
        if code == NOTHING:
            return "None"
        if self.nodes:
            return node(code, words)
        return self.words[code].format_map(words) if self.words else str(code)


YES_NO = Reply("yes or no", ("No", "Yes"))
NUMBER = Reply("a number")
NUMBER_OR_NONE = Reply("a number or none")
NODE = Reply("a {node}", nodes=True)
NODE_OR_NONE = Reply("a {node} or none", nodes=True)
ORDER = Reply("less, equal or greater", ("Less", "Equal", "Greater"))


def compare(first: Any, second: Any) -> Codes:
    """Codes of ``ORDER``: whether the first is less than, equal to or greater than the second."""
    return np.asarray(np.sign(np.asarray(first, dtype=np.int64) - second) + 1, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Arguments:
    """What a kind of query takes.

    Attributes:
        legal: which arguments are legal, in words: ``any {node}``; empty for a kind without arguments.
        rows: the legal arguments of a world in order.
        nodes: arguments are nodes; otherwise numbers.
        unordered: the order of the arguments does not matter; each row is sorted.
    """

    legal: str
    rows: Callable[[Any], Iterable[Row]]
    nodes: bool = False
    unordered: bool = False


NO_ARGUMENT = Arguments("", lambda world: [()])


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of query.

    Attributes:
        name: the tag is ``query_<name>``.
        asks: what it returns, with its arguments as ``{0}``, ``{1}``: ``whether {number} {0} is in the {set}``.
        legal: which arguments are legal, in words; empty for a kind without arguments.
        arguments: the legal arguments in order; of an ``unordered`` kind each is sorted.
        column: the replies of all states to an argument, as codes.
        reply: what it answers with.
        nodes: arguments are nodes; otherwise numbers.
        unordered: the order of the arguments does not matter.
    """

    name: str
    asks: str
    legal: str
    arguments: Callable[[Any], Iterable[Row]]
    column: Callable[..., NDArray[Any]]
    reply: Reply = YES_NO
    nodes: bool = False
    unordered: bool = False

    @property
    def tag(self) -> str:
        """The tag that asks it."""
        return f"query_{self.name}"

    def codes(self, world: World, argument: Row) -> Codes:
        """The replies of all states to one query."""
        return np.asarray(self.column(world, *argument)).astype(np.int64)

    def write(self, argument: Row, words: Vocabulary) -> str:
        """An argument as a player writes it."""
        return " ".join(node(atom, words) if self.nodes else str(atom) for atom in argument)

    def read(self, body: str) -> Row | None:
        """An argument as a player wrote it, None where the words are of the wrong sort."""
        found = _atoms(body, "node" if self.nodes else "number")
        return tuple(sorted(found)) if found is not None and self.unordered else found


def query(asks: str, takes: Arguments, reply: Reply = YES_NO) -> Callable[[Callable[..., Values]], Kind]:
    """Make a kind of query of the function that computes the replies of all states to an argument.

    Its name is the function's, with hyphens: ``next_neighbour`` and ``next_`` make ``next-neighbour`` and ``next``.

    Args:
        asks: what it returns, with its arguments as ``{0}``, ``{1}``: ``whether {number} {0} is in the {set}``.
        takes: its arguments.
        reply: what it answers with.
    """

    def make(column: Callable[..., Values]) -> Kind:
        return Kind(component_name(column), asks, takes.legal, takes.rows, column, reply, takes.nodes, takes.unordered)

    return make


@dataclass(frozen=True)
class Form:
    """How an answer is written.

    Attributes:
        hint: for the rules: ``{numbers} in any order``; they add ``or none`` where an answer can be empty.
        atom: ``number``, ``node``, ``edge`` (``A-B``), ``arrow`` (``A-B``, from A to B) or ``word`` (``yes``, ``no``).
        ordered: whether the order matters.
    """

    hint: str
    atom: Literal["number", "node", "edge", "arrow", "word"] = "number"
    ordered: bool = True

    def write(self, answer: Row, words: Vocabulary) -> str:
        """An answer as a player writes it."""
        return " ".join(self._say(atom, words) for atom in answer) or "none"

    def read(self, body: str) -> Row | None:
        """An answer as a player wrote it, None where the words are of the wrong sort."""
        if body.strip(" .").lower() == "none":
            return ()
        found = _atoms(body, self.atom)
        return tuple(sorted(found)) if found is not None and not self.ordered else found

    def nodes(self, answer: Row) -> list[int]:
        """The nodes that an answer names."""
        if self.atom == "node":
            return list(answer)
        return [end for atom in answer for end in divmod(atom, EDGE)] if self.atom in ("edge", "arrow") else []

    def _say(self, atom: int, words: Vocabulary) -> str:
        if self.atom == "number":
            return str(atom)
        if self.atom == "word":
            return "yes" if atom else "no"
        if self.atom == "node":
            return node(atom, words)
        return f"{node(atom // EDGE, words)}-{node(atom % EDGE, words)}"


ONE_NUMBER = Form("one number")
SOME_NUMBERS = Form("{numbers} in any order", ordered=False)
NUMBERS_IN_ORDER = Form("numbers in this order")
ONE_NODE = Form("one {node}", "node")
SOME_NODES = Form("{nodes} in any order", "node", ordered=False)
NODES_IN_ORDER = Form("{nodes} in this order", "node")
SOME_EDGES = Form("{edges} in any order, either end first", "edge", ordered=False)
SOME_ARROWS = Form("{edges} in any order", "arrow", ordered=False)
WORDS_IN_ORDER = Form("yes or no for each, in this order", "word")


@dataclass(frozen=True, eq=False)
class Target:
    """What is to be found out.

    Attributes:
        name: part of the game's name.
        asks: ``the sum of the {set}'s {numbers}``.
        value: the answers of all states, an integer array of shape (states,) or (states, atoms); a row that is
            shorter than others ends in ``NOTHING``. Of an unordered form each row is sorted but for that.
        form: how it is written.
    """

    name: str
    asks: str
    value: Callable[[Any], NDArray[Any]]
    form: Form

    def rows(self, world: World) -> Codes:
        """The answers of all states, shape (states, atoms)."""
        rows = np.asarray(self.value(world)).astype(np.int64)
        return rows[:, None] if rows.ndim == 1 else rows


def target(asks: str, form: Form) -> Callable[[Callable[[Any], Values]], Target]:
    """Make a target, named like the function, of the function that computes the answers of all states.

    Args:
        asks: ``the sum of the {set}'s {numbers}``.
        form: how an answer is written.
    """
    return lambda value: Target(component_name(value), asks, value, form)


@dataclass(frozen=True)
class Opening:
    """The fact given before the first query.

    Attributes:
        codes: one code a state: equal where the fact is the same.
        tell: the text about the one state of a world, given the structure's words.
    """

    codes: Callable[[Any], NDArray[Any]]
    tell: Callable[[Any, Vocabulary], str]


@dataclass(frozen=True)
class Prior:
    """How probable the states are.

    Attributes:
        states: ``Its probability is proportional to the sum of its {numbers}.``
        weights: positive whole numbers, one a state.
    """

    states: str
    weights: Callable[[Any], NDArray[Any]]


EQUAL = Prior("Each is equally likely.", lambda world: np.ones(len(world), dtype=np.int64))


@dataclass(frozen=True, eq=False)
class Family:
    """A family of hidden states at five levels.

    Attributes:
        name: part of the game's name.
        mode: the inference that its games ask for.
        hides: what is hidden: ``a {set} of {k} different {numbers} from 1 to {n}``.
        levels: the parameters of levels 1 to 5.
        build: makes the world of a level from its parameters.
        prior: how probable the states are.
        opening: the fact given before the first query; None in deductive families.
    """

    name: str
    mode: Mode
    hides: str
    levels: tuple[Mapping[str, int], ...]
    build: Callable[..., World]
    prior: Prior = EQUAL
    opening: Opening | None = None

    def world(self, level: int) -> World:
        """All hidden states of a level."""
        return cached_world(self, level)


def levels(**parameters: int | Sequence[int]) -> tuple[dict[str, int], ...]:
    """The parameters of levels 1 to 5, each given as five numbers or as the one that all levels share.

    >>> levels(n=(5, 6, 7, 8, 9), shown=2)[1]
    {'n': 6, 'shown': 2}
    """
    count = len(LEVELS)
    columns = {name: [given] * count if isinstance(given, int) else given for name, given in parameters.items()}
    return tuple(dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))


def deductive(hides: str, levels: tuple[Mapping[str, int], ...]) -> Callable[[Callable[..., World]], Family]:
    """Make a deductive family, named like the function, of the function that builds the world of a level.

    Args:
        hides: what is hidden: ``a {set} of {k} different {numbers} from 1 to {n}``.
        levels: the parameters of levels 1 to 5, as ``levels`` makes them.
    """
    return lambda build: Family(component_name(build), "deductive", hides, levels, build)


def abductive(family: Family, name: str, outcome: Kind, prior: Prior, *argument: int) -> Family:
    """The same hidden states as causes: unequally probable, and an outcome is given first.

    Args:
        family: whose states are the causes.
        name: of the new family.
        outcome: the fact given about the cause.
        prior: how probable the causes are.
        argument: of the outcome.
    """
    opening = known_first(outcome, argument)
    return dataclasses.replace(family, name=name, mode="abductive", prior=prior, opening=opening)


def known_first(outcome: Kind, argument: Row) -> Opening:
    """The opening fact that is the reply to a query.

    Args:
        outcome: the kind of the query.
        argument: its argument.
    """

    def tell(world: World, words: Vocabulary) -> str:
        question = outcome.asks.format(*_shown(outcome, argument, words), **{**words, **world.facts})
        reply = outcome.reply.say(int(outcome.codes(world, argument)[0]), words)
        return f'Known from the start: the reply to "{question}" is {reply if outcome.reply.nodes else reply.lower()}.'

    return Opening(lambda world: outcome.codes(world, argument), tell)


@dataclass(frozen=True, eq=False)
class Structure:
    """One of the four structures with its components and games.

    Attributes:
        name: ``set``, ``sequence``, ``tree`` or ``graph``.
        words: the words that its texts use and a vocabulary may replace.
        families: all families.
        kinds: all kinds of queries.
        targets: all targets.
        table: the games, a line each: ``family | kinds | target``; lines that begin with ``#`` are comments.
    """

    name: str
    words: Vocabulary
    families: tuple[Family, ...]
    kinds: tuple[Kind, ...]
    targets: tuple[Target, ...]
    table: str

    @functools.cached_property
    def games(self) -> dict[str, Game]:
        """The games by name."""
        lines = [line for line in self.table.splitlines() if line.strip() and not line.startswith("#")]
        rows = [[part.strip() for part in line.split("|")] for line in lines]
        games = [self.game(family, kinds.split(), target) for family, kinds, target in rows]
        return {game.name: game for game in games}

    def game(self, family: str, kinds: Sequence[str], target: str) -> Game:
        """A game from the names of its components.

        Raises:
            UnknownNameError: there is no such family, kind of query or target.
        """
        return Game(
            self.name,
            _named("family", family, self.families),
            tuple(_named("query", name, self.kinds) for name in kinds),
            _named("target", target, self.targets),
        )


@dataclass(frozen=True, eq=False)
class Game:
    """A family, a kit of queries and a target."""

    structure: str
    family: Family
    kinds: tuple[Kind, ...]
    target: Target

    @property
    def mode(self) -> Mode:
        """The inference it asks for."""
        return self.family.mode

    @property
    def name(self) -> str:
        """Names all three parts; unique in its structure."""
        return f"{self.family.name}-{self.target.name}-by-{'-'.join(kind.name for kind in self.kinds)}"

    def level(self, difficulty: int) -> Level:
        """The game at a level, its tables computed when asked for."""
        return cached_level(self, difficulty)


@dataclass(frozen=True)
class Query:
    """One legal query: a kind by its index in the kit, and an argument."""

    kind: int
    argument: Row


class Level:
    """A game at one level; everything is computed when first asked for.

    Args:
        game: the game.
        difficulty: 1 to 5.
    """

    def __init__(self, game: Game, difficulty: int) -> None:
        self.game = game
        self.difficulty = difficulty
        self.world = game.family.world(difficulty)
        self._unlikely: dict[int, int] = {}

    @functools.cached_property
    def queries(self) -> list[Query]:
        """Every legal query, in order."""
        return [
            Query(index, argument)
            for index, kind in enumerate(self.game.kinds)
            for argument in kind.arguments(self.world)
        ]

    @functools.cached_property
    def query_index(self) -> dict[Query, int]:
        """Where a legal query stands in ``queries``."""
        return {query: index for index, query in enumerate(self.queries)}

    @functools.cached_property
    def table(self) -> Codes:
        """Every reply, shape (states, queries)."""
        return np.stack([self._codes(self.world, query) for query in self.queries], axis=1)

    @functools.cached_property
    def scale(self) -> int:
        """Greatest code of a reply, plus 2: what brings a code plus 2 into (0, 1]."""
        return int(self.table.max()) + 2

    @functools.cached_property
    def weights(self) -> Codes:
        """How probable the states are, as whole numbers, shape (states,)."""
        return np.asarray(self.game.family.prior.weights(self.world), dtype=np.int64)

    @functools.cached_property
    def opening(self) -> Codes:
        """The opening fact, one code per state; all 0 where there is none."""
        opening = self.game.family.opening
        if opening is None:
            return np.zeros(len(self.world), dtype=np.int64)
        return np.asarray(opening.codes(self.world), dtype=np.int64)

    @functools.cached_property
    def classes(self) -> Codes:
        """The class of each state: equal for two that no opening and no legal query tells apart."""
        seen = np.column_stack([self.opening, self.table])
        return np.unique(seen, axis=0, return_inverse=True)[1].reshape(-1)

    @functools.cached_property
    def modes(self) -> Codes:
        """The most probable state that looks like each state to every query, the first of equals."""
        order = np.lexsort((np.arange(len(self.world)), -self.weights, self.classes))
        first = np.unique(self.classes[order], return_index=True)[1]
        best: Codes = order[first][self.classes]
        return best

    @functools.cached_property
    def _values(self) -> tuple[Codes, Codes]:
        """The different answers as rows, sorted, and the index of each state's own among them."""
        rows = self.game.target.rows(self.world)
        # As strings of bytes, the most significant first, they sort as the rows do, and much sooner.
        written = np.ascontiguousarray(rows - NOTHING, dtype=">u4").view(f"V{4 * rows.shape[1]}").reshape(-1)
        _, first, codes = np.unique(written, return_index=True, return_inverse=True)
        return rows[first], codes

    @functools.cached_property
    def answers(self) -> list[Row]:
        """Every possible answer, sorted."""
        return [trimmed(row) for row in self._values[0].tolist()]

    @property
    def n_answers(self) -> int:
        """How many possible answers there are, without a list of them."""
        return len(self._values[0])

    def answer(self, index: int) -> Row:
        """One of the possible answers, without a list of them."""
        return trimmed(self._values[0][index].tolist())

    @functools.cached_property
    def query_texts(self) -> list[str]:
        """Every legal query as a player writes it."""
        kinds = self.game.kinds
        return [
            f"<{kinds[query.kind].tag}>{kinds[query.kind].write(query.argument, PLAIN)}</{kinds[query.kind].tag}>"
            for query in self.queries
        ]

    @functools.cached_property
    def answer_texts(self) -> list[str]:
        """Every possible answer as a player writes it."""
        return [f"<answer>{self.game.target.form.write(answer, PLAIN)}</answer>" for answer in self.answers]

    @functools.cached_property
    def answer_lengths(self) -> frozenset[int]:
        """How many atoms an answer may have."""
        return frozenset(np.unique((self.game.target.rows(self.world) != NOTHING).sum(axis=1)).tolist())

    @property
    def values(self) -> Codes:
        """The index in ``answers`` of each state's own value."""
        return self._values[1]

    @functools.cached_property
    def right(self) -> Codes:
        """The index in ``answers`` of the right answer for each state: the value of the most probable that fits."""
        return self.values[self.modes] if self.game.mode == "abductive" else self.values

    def unlikely_answer(self, opening: int) -> int:
        """The answer that is least often right where an opening fact holds: it shows the form and is a poor guess.

        Returns:
            The index in ``answers`` of one that some state with this opening has.
        """
        if opening not in self._unlikely:
            alike = self.opening == opening
            mass = np.bincount(self.right[alike], self.weights[alike], self.n_answers)
            fitting, counts = np.unique(self.values[alike], return_counts=True)
            self._unlikely[opening] = int(fitting[np.lexsort((counts, mass[fitting]))[0]])
        return self._unlikely[opening]

    def draw(self, rng: np.random.Generator) -> int:
        """A state, as probable as the prior says."""
        if self.game.family.prior is EQUAL:
            return int(rng.integers(len(self.world)))
        ends = np.cumsum(self.weights)
        return int(np.searchsorted(ends, rng.integers(ends[-1]), side="right"))

    def answer_of(self, state: int) -> Row:
        """The right answer for a state, without the whole table."""
        mode = self._mode_of(state) if self.game.mode == "abductive" else state
        return trimmed(self.game.target.rows(self.world.take([mode]))[0].tolist())

    def reply(self, state: int, query: Query) -> int:
        """The code of the reply to a query."""
        return int(self._codes(self.world.take([state]), query)[0])

    def _mode_of(self, state: int) -> int:
        """The most probable of the states that every query takes for this one, without the whole table."""
        rows = np.flatnonzero(self.opening == self.opening[state])
        world, inside = self.world, rows
        for query in self.queries:
            codes = self._codes(world, query)[inside]
            alike = codes == codes[np.searchsorted(rows, state)]
            rows, inside = rows[alike], inside[alike]
            if len(rows) == 1:
                break
            if 4 * len(rows) < len(world):  # what is derived from the states is shared until they are few
                world, inside = self.world.take(rows), np.arange(len(rows))
        return int(rows[np.argmax(self.weights[rows])])

    def _codes(self, world: World, query: Query) -> Codes:
        return self.game.kinds[query.kind].codes(world, query.argument)


def node(index: int, words: Vocabulary = PLAIN) -> str:
    """The name of a node: its letter, or what a vocabulary calls it.

    >>> node(2)
    'C'
    """
    return words.get(f"node {NODES[index]}", NODES[index])


def trimmed(row: Sequence[int]) -> Row:
    """An answer's row without the ``NOTHING`` it ends in."""
    return tuple(atom for atom in row if atom != NOTHING)


def padded(rows: Sequence[Sequence[int]]) -> Codes:
    """Rows of unequal length as one array, filled with ``NOTHING``."""
    width = max(1, max(map(len, rows)))
    return np.array([[*row, *[NOTHING] * (width - len(row))] for row in rows], dtype=np.int64)


def chosen(mask: NDArray[Any], names: Sequence[int] | Codes) -> Codes:
    """Per state the names of what a mask chooses, in order.

    Args:
        mask: booleans of shape (states, things).
        names: of the things, rising.

    >>> chosen(np.array([[True, False, True], [False, False, True]]), [4, 5, 6]).tolist()
    [[4, 6], [6, -1]]
    """
    named = np.where(mask, np.asarray(names, dtype=np.int64), np.iinfo(np.int64).max)
    named.sort(axis=1)
    width = max(1, int(mask.sum(axis=1).max(initial=0)))
    return np.where(named[:, :width] == np.iinfo(np.int64).max, NOTHING, named[:, :width])


Component = TypeVar("Component", Family, Kind, Target)


def components(module: ModuleType, sort: type[Component]) -> tuple[Component, ...]:
    """The components of a sort that a module defines, in their order."""
    return tuple(value for value in vars(module).values() if isinstance(value, sort))


def games_table(structure: str) -> str:
    """The games of a structure as they stand in ``data/games``, a line each."""
    return (files(__package__) / "data" / "games" / f"{structure}.txt").read_text("utf-8")


def component_name(function: Callable[..., Any]) -> str:
    """The name of the component that a function makes.

    >>> def next_neighbour_(): ...
    >>> component_name(next_neighbour_)
    'next-neighbour'
    """
    return function.__name__.rstrip("_").replace("_", "-")


def _named(sort: str, name: str, choices: Sequence[Component]) -> Component:
    found = {choice.name: choice for choice in choices}
    if name not in found:
        raise UnknownNameError(sort, name, found)
    return found[name]


def _shown(kind: Kind, argument: Row, words: Vocabulary) -> list[str]:
    return [node(atom, words) if kind.nodes else str(atom) for atom in argument]


_PATTERNS = {
    "number": r"\d{1,9}",
    "node": r"[A-Za-z]",
    "edge": r"[A-Za-z]\s*-\s*[A-Za-z]",
    "arrow": r"[A-Za-z]\s*->?\s*[A-Za-z]",
    "word": r"(?i:yes|no)",
}


_WHOLE = {
    atom: re.compile(rf"(?:{pattern})(?:[\s,;]+(?:{pattern}))*|").fullmatch for atom, pattern in _PATTERNS.items()
}


def _atoms(body: str, atom: str) -> Row | None:
    """What a player wrote, as integers; None where some of it is of another sort."""
    if not _WHOLE[atom](body.strip(" \t.()[]{}")):
        return None
    found = re.findall(_PATTERNS[atom], body)
    if atom == "number":
        return tuple(map(int, found))
    if atom == "word":
        return tuple(int(word.lower() == "yes") for word in found)
    letters = [[NODES.index(letter) for letter in re.findall("[A-Z]", text.upper())] for text in found]
    if atom == "node":
        return tuple(pair[0] for pair in letters)
    pairs = (sorted(pair) if atom == "edge" else pair for pair in letters)
    return tuple(first * EDGE + last for first, last in pairs)


@functools.lru_cache(maxsize=64)
def cached_world(family: Family, level: int) -> World:
    """The world of a level; a few are kept."""
    return family.build(**family.levels[level - 1])


@functools.lru_cache(maxsize=16)
def cached_level(game: Game, difficulty: int) -> Level:
    """A game at a level with its tables; a few are kept."""
    return Level(game, difficulty)
