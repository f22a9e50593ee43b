"""Query games that somebody wrote as a folder: texts in ``game.toml``, plain functions of one state in ``game.py``.

The functions are called once a level, for every hidden state and every query; the tables that come out are the game.
Code of the package runs in this process, any other in the sandbox. What a folder holds is in
``game_generation/data/query_game.md``, which is also what a model is told.
"""

from __future__ import annotations

import functools
import re
import string
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.query_games import base
from interactive_envs.query_games.base import (
    EDGE,
    EQUAL,
    LEVELS,
    NODES,
    NOTHING,
    Codes,
    Family,
    Form,
    Game,
    Kind,
    Mode,
    Opening,
    Prior,
    Reply,
    Row,
    Target,
    World,
    known_first,
)
from interactive_envs.sandbox import Limits, Reason, SandboxError
from interactive_envs.sandbox.module import Module
from interactive_envs.system import files

FOLDER = Path(__file__).parent / "data" / "made"
"""The games that came out of the generation and are part of the package, a folder each."""
FILES = ("game.toml", "game.py")
MOST_STATES, MOST_QUERIES, MOST_CELLS = 6_000, 400, 1_000_000
"""Of a level: hidden states, legal queries, and replies in all."""
MOST_BYTES = 1 << 18
LIMITS = Limits(cpu_s=20.0, wall_s=200.0, output=32 << 20)
"""Of the table of a level."""
MODES = ("deductive", "abductive")
TAKES = {"none": 0, "number": 1, "two numbers": 2, "three numbers": 3, "node": 1, "two nodes": 2}
"""What a query takes, and how many numbers or nodes that is."""
REPLIES: Mapping[str, Reply] = {
    "yes or no": base.YES_NO,
    "number": base.NUMBER,
    "number or none": base.NUMBER_OR_NONE,
    "less, equal or greater": base.ORDER,
    "node": base.NODE,
    "node or none": base.NODE_OR_NONE,
}
FORMS: Mapping[str, Form] = {
    "one number": base.ONE_NUMBER,
    "two numbers in order": Form("two numbers in this order"),
    "three numbers in order": Form("three numbers in this order"),
    "numbers in order": base.NUMBERS_IN_ORDER,
    "numbers in any order": Form("the numbers in any order", ordered=False),
    "yes or no for each": base.WORDS_IN_ORDER,
    "one node": base.ONE_NODE,
    "two nodes in order": Form("two {nodes} in this order", "node"),
    "nodes in order": base.NODES_IN_ORDER,
    "nodes in any order": base.SOME_NODES,
    "edges in any order": base.SOME_EDGES,
}
_EDGE = re.compile(r"[A-Z]-[A-Z]")
_NAME = re.compile(r"[a-z]+(-[a-z]+)*")
_TABLES = """

def _ibench_tables(level):
    import json
    found = sorted(states(dict(level)), key=lambda state: json.dumps(state, sort_keys=True))
    before = [json.dumps(state, sort_keys=True) for state in found]
    queries = {}
    for name in QUERIES:
        rows = [list(argument) for argument in arguments(name, dict(level))]
        queries[name] = [[row, [reply(name, list(row), state, dict(level)) for state in found]] for row in rows]
    weigh = globals().get("weight")
    return {
        "states": before,
        "replied": {name: [reply(name, list(rows[-1][0]), state, dict(level)) for state in found]
                    for name, rows in queries.items() if rows},
        "changed": before != [json.dumps(state, sort_keys=True) for state in found],
        "shown": [str(show(state, dict(level))) for state in found],
        "answers": [answer(state, dict(level)) for state in found],
        "again": [answer(state, dict(level)) for state in found],
        "weights": [weigh(state, dict(level)) if weigh else 1 for state in found],
        "queries": queries,
    }
"""


@dataclass(frozen=True, eq=False)
class Tables:
    """All of a level: what each state replies to each query, and its answer.

    Attributes:
        replies: by the kind's name and the argument, one code a state.
        answers: shape (states, atoms), rows that are shorter end in ``NOTHING``.
        weights: how probable the states are, positive whole numbers.
        shown: each state in words, for people and for a reader that checks the replies.
    """

    replies: Mapping[str, Mapping[Row, Codes]]
    answers: Codes
    weights: Codes
    shown: tuple[str, ...]


@dataclass(frozen=True)
class MadeWorld(World):
    """Some hidden states of a level, by their rows in its tables."""

    tables: Tables
    rows: Codes
    per_state: ClassVar[tuple[str, ...]] = ("rows",)


def names() -> tuple[str, ...]:
    """The games of the package, in the order of their names."""
    return tuple(sorted(path.parent.name for path in FOLDER.glob("*/game.toml")))


def texts(name: str) -> dict[str, str]:
    """The files of a game of the package by their names."""
    return {file: files.read_text(FOLDER / name / file, largest=MOST_BYTES) for file in FILES}


def find(name: str) -> Game:
    """A game of the package by its name, or of any folder by its absolute path.

    Raises:
        ConfigError: there is none, or its files cannot be used.
        UnknownNameError: the package has no game of this name.
    """
    path = Path(name)
    if not path.is_absolute():
        if name not in names():
            raise UnknownNameError("made query game", name, names())
        path = FOLDER / name
    return read(path, trusted=path.parent == FOLDER)


def read(folder: Path, *, trusted: bool = False) -> Game:
    """A game from its folder; its code runs when the first level is asked for.

    Args:
        folder: with ``game.toml`` and ``game.py``.
        trusted: whether the code may run in this process.

    Raises:
        ConfigError: a file is missing, or ``game.toml`` has a value that cannot work.
    """
    found = []
    for name in FILES:
        try:
            found.append(files.read_text(folder / name, largest=MOST_BYTES))
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else error
            raise ConfigError(f"{folder} is no query game: {name} cannot be read ({why})") from error
    return from_texts(folder.name, *found, trusted=trusted)


@functools.lru_cache(maxsize=256)
def from_texts(name: str, manifest: str, source: str, *, trusted: bool = False) -> Game:
    """A game from the texts of its files; the same texts give the same game.

    Raises:
        ConfigError: ``game.toml`` has a value that cannot work.
    """
    try:
        content = tomllib.loads(manifest)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{name}: game.toml is no TOML: {error}") from error
    return _Reader(name, content, source, trusted).game()


class _Reader:
    """Makes a game of what ``game.toml`` says."""

    def __init__(self, name: str, content: Mapping[str, Any], source: str, trusted: bool) -> None:
        self._name, self._content = name, content
        self._takes: dict[str, int] = {}
        queries = [str(entry.get("name", "")) for entry in self._list("query", 1, 4)]
        code = f"QUERIES = {queries!r}\n{_TABLES}"
        self._module = Module(f"{source}\n{code}", trusted=trusted, limits=LIMITS)

    def game(self) -> Game:
        structure = self._choice(self._content, "structure", ("set", "sequence", "tree", "graph"))
        mode: Mode = "abductive" if self._choice(self._content, "mode", MODES) == "abductive" else "deductive"
        self._text(self._content, "title")
        kinds = tuple(self._kind(entry) for entry in self._list("query", 1, 4))
        if len({kind.name for kind in kinds}) < len(kinds):
            raise self._wrong("two queries have the same name")
        wanted = self._part("target")
        form = FORMS[self._choice(wanted, "form", tuple(FORMS))]
        target = Target(self._short(wanted), self._text(wanted, "asks"), lambda world: _answers(world), form)
        levels = tuple(self._level(entry, structure) for entry in self._list("levels", len(LEVELS), len(LEVELS)))
        hides = self._text(self._content, "hides").rstrip(".")
        prior: Prior = EQUAL
        opening: Opening | None = None
        if mode == "abductive":
            prior = Prior(self._text(self._part("prior"), "states"), lambda world: world.tables.weights[world.rows])
            opening = self._opening(kinds)

        def build(**level: int) -> MadeWorld:
            return self._world(kinds, target, level, weighed=mode == "abductive")

        family = Family(self._name, mode, hides, levels, build, prior, opening)
        return Game(structure, family, kinds, target)

    def _opening(self, kinds: Sequence[Kind]) -> Opening:
        given = self._part("opening")
        kind = next((kind for kind in kinds if kind.name == given.get("query")), None)
        argument = given.get("argument", [])
        if kind is None or not isinstance(argument, list):
            raise self._wrong("opening must have the name of a query and a list argument")
        row = tuple(self._number(value, kind.nodes, "an argument of opening") for value in argument)
        return known_first(kind, row)

    def _kind(self, entry: Mapping[str, Any]) -> Kind:
        name = self._short(entry)
        takes = self._choice(entry, "takes", tuple(TAKES))
        self._takes[name] = TAKES[takes]
        legal = self._text(entry, "legal") if takes != "none" else ""
        unordered = entry.get("unordered", False)
        if type(unordered) is not bool:
            raise self._wrong(f"query {name}: unordered must be true or false, got {unordered!r}")

        def arguments(world: MadeWorld) -> Sequence[Row]:
            return list(world.tables.replies[name])

        def column(world: MadeWorld, *argument: int) -> Codes:
            replies: Codes = world.tables.replies[name][argument][world.rows]
            return replies

        reply = REPLIES[self._choice(entry, "reply", tuple(REPLIES))]
        return Kind(name, self._text(entry, "asks"), legal, arguments, column, reply, "node" in takes, unordered)

    def _world(self, kinds: Sequence[Kind], target: Target, level: Mapping[str, int], *, weighed: bool) -> MadeWorld:
        try:
            found = self._module.call("_ibench_tables", [dict(level)])
        except SandboxError as error:
            most = f"; {MOST_STATES:,} hidden states at most are allowed" if error.reason is Reason.OUTPUT else ""
            raise self._wrong(f"game.py failed at level {dict(level)}: {error}{most}") from error
        try:
            tables = self._checked(kinds, target, level, found)
        except (TypeError, KeyError, ValueError, IndexError, AttributeError) as error:
            raise self._wrong(f"game.py gave no tables at level {dict(level)}: {error}") from error
        if not weighed and len(np.unique(tables.weights)) > 1:
            raise self._wrong('weight() gives states different weights, which mode = "abductive" is for')
        return MadeWorld(dict(level), tables, np.arange(len(tables.shown)))

    def _checked(self, kinds: Sequence[Kind], target: Target, level: Mapping[str, int], found: Any) -> Tables:
        """The tables of what the code returned, which may be anything."""
        where = f"level {dict(level)}"
        states = found["states"]
        if not 2 <= len(states) <= MOST_STATES:
            raise self._wrong(f"{where} has {len(states)} states; 2 to {MOST_STATES} are allowed")
        if len(set(states)) < len(states):
            raise self._wrong(f"{where}: states() gives {len(states) - len(set(states))} states twice")
        if found["changed"]:
            raise self._wrong(f"{where}: reply() or answer() changes the state that it is given")
        last = {name: rows[-1][1] for name, rows in found["queries"].items() if rows}
        if found["again"] != found["answers"] or found["replied"] != last:
            raise self._wrong(f"{where}: answer() or reply() does not return the same each time")
        replies = {kind.name: self._column(kind, found["queries"][kind.name], where) for kind in kinds}
        count = sum(map(len, replies.values()))
        if count > MOST_QUERIES or count * len(states) > MOST_CELLS:
            raise self._wrong(
                f"{where} has {count} queries and {len(states)} states; {MOST_QUERIES} queries and "
                f"{MOST_CELLS:,} replies are allowed"
            )
        answers = [self._answer(value, target.form, f"{where}: an answer") for value in found["answers"]]
        weights = found["weights"]
        if not all(type(value) is int and 0 < value < 10**9 for value in weights):
            raise self._wrong(f"{where}: weight() must give whole numbers above 0")
        return Tables(replies, base.padded(answers), np.array(weights, dtype=np.int64), tuple(found["shown"]))

    def _column(self, kind: Kind, found: Any, where: str) -> dict[Row, Codes]:
        """The replies of all states to a kind's arguments."""
        rows: dict[Row, Codes] = {}
        for argument, values in found:
            row = tuple(self._number(value, kind.nodes, f"{where}: an argument of {kind.name}") for value in argument)
            if len(row) != self._takes[kind.name]:
                raise self._wrong(f"{where}: {kind.name} takes {self._takes[kind.name]}, an argument is {argument}")
            row = tuple(sorted(row)) if kind.unordered else row
            if row in rows:
                raise self._wrong(f"{where}: arguments() of {kind.name} gives {argument} twice")
            codes = [self._code(value, kind, f"{where}: the reply to {kind.name} {argument}") for value in values]
            rows[row] = np.array(codes, dtype=np.int64)
        if not rows:
            raise self._wrong(f"{where}: {kind.name} has no legal argument")
        # The rules show the middle one: two numbers that are equal would not show which is which.
        return dict(sorted(rows.items(), key=lambda item: len(set(item[0])) == len(item[0])))

    def _answer(self, value: Any, form: Form, what: str) -> Row:
        values = value if isinstance(value, list) else [value]
        atoms = []
        for one in values:
            if form.atom in ("edge", "arrow"):
                ends = [NODES.index(end) for end in one.split("-")] if _EDGE.fullmatch(str(one)) else []
                if len(ends) != 2:
                    raise self._wrong(f"{what} has {one!r}, which is no edge such as 'A-B'")
                first, last = sorted(ends) if form.atom == "edge" else ends
                atoms.append(first * EDGE + last)
            else:
                atoms.append(self._number(one, form.atom == "node", what))
        if any(atom < 0 for atom in atoms):
            raise self._wrong(f"{what} has a number below 0, which a player cannot write: {value!r}")
        if form.atom == "word" and not set(atoms) <= {0, 1}:
            raise self._wrong(f"{what} must have true or false for each, got {value!r}")
        return tuple(atoms) if form.ordered else tuple(sorted(set(atoms)))

    def _code(self, value: Any, kind: Kind, what: str) -> int:
        if value is None and kind.reply.hint.endswith("or none"):
            return NOTHING
        code = self._number(value, kind.reply.nodes, what)
        if code < 0 or (kind.reply.words and code >= len(kind.reply.words)):
            raise self._wrong(f"{what} is {value!r}, and it must be {kind.reply.hint} (numbers are not below 0)")
        return code

    def _number(self, value: Any, node: bool, what: str) -> int:
        found = _atom(value)
        if not isinstance(found, int) or (node and not isinstance(value, str)) or abs(found) >= 10**9:
            wanted = "the letter of a node" if node else "a whole number"
            raise self._wrong(f"{what} must be {wanted}, got {value!r}")
        return found

    def _level(self, entry: Mapping[str, Any], structure: str) -> dict[str, int]:
        if not all(type(value) is int for value in entry.values()) or not all(map(str.isidentifier, entry)):
            raise self._wrong(f"levels must be tables of whole numbers, got {dict(entry)!r}")
        if structure in ("tree", "graph") and not 2 <= entry.get("n", 0) <= len(NODES[:16]):
            raise self._wrong(f"a level of a {structure} game needs n, its nodes, from 2 to 16, got {dict(entry)!r}")
        return dict(entry)

    def _part(self, name: str) -> Mapping[str, Any]:
        found = self._content.get(name)
        if not isinstance(found, dict):
            raise self._wrong(f"[{name}] is missing")
        return found

    def _list(self, name: str, least: int, most: int) -> Sequence[Mapping[str, Any]]:
        found = self._content.get(name)
        if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
            raise self._wrong(f"{name} must be a list of tables")
        if not least <= len(found) <= most:
            raise self._wrong(f"{name} must have {least} to {most} tables, got {len(found)}")
        return found

    def _choice(self, part: Mapping[str, Any], name: str, choices: Sequence[str]) -> str:
        if part.get(name) not in choices:
            raise self._wrong(f"{name} must be one of {', '.join(choices)}, got {part.get(name)!r}")
        return str(part[name])

    def _text(self, part: Mapping[str, Any], name: str) -> str:
        found = part.get(name)
        if not isinstance(found, str) or not found.strip() or not found.isprintable():
            raise self._wrong(f"{name} must be a line of text, got {found!r}")
        try:
            parts = [
                (field, spec or way) for _, field, spec, way in string.Formatter().parse(found) if field is not None
            ]
        except ValueError as error:
            raise self._wrong(f"{name} has braces that do not match: {error}") from error
        # A width such as {n:9999999999} would take all memory.
        if not all(re.fullmatch(r"[a-z_]+|\d", field) and not how for field, how in parts):
            raise self._wrong(f"{name} may have words and numbers in braces only, such as {{number}} or {{0}}")
        return found.strip()

    def _short(self, part: Mapping[str, Any]) -> str:
        found = part.get("name")
        if not isinstance(found, str) or not _NAME.fullmatch(found) or len(found) > 30:
            raise self._wrong(f"a name is lower-case words joined by '-', got {found!r}")
        return found

    def _wrong(self, what: str) -> ConfigError:
        return ConfigError(f"{self._name}: {what}")


def _answers(world: MadeWorld) -> Codes:
    answers: Codes = world.tables.answers[world.rows]
    return answers


def _atom(value: Any) -> int | None:
    """A whole number, a truth value as one, or the letter of a node as its place; None for anything else."""
    if isinstance(value, bool | int):
        return int(value)
    return NODES.index(value) if isinstance(value, str) and len(value) == 1 and value in NODES else None
