"""A user's own data: JSON, an item a line or a file, read with errors that name the file, the line and the field."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn, Protocol, TypeVar

from interactive_envs.errors import ConfigError, DatasetError
from interactive_envs.system.files import read_bytes

MAX_TEXT = 20_000
"""Characters of a text."""
MOST_BYTES = 256 << 20
"""Of a file."""


class Named(Protocol):
    """What a data set is made of."""

    @property
    def id(self) -> str:
        """Unique in the data set."""


T = TypeVar("T", bound=Named)


class Entry:
    """The JSON object of one item and where it stands.

    Args:
        content: the object.
        path: of the file, for messages.
        line: of the file; None where the file is the item.
        what: an item, for messages: ``a puzzle``.

    Raises:
        DatasetError: it is no object.
    """

    def __init__(self, content: Any, path: object, line: int | None, what: str) -> None:
        self.path, self.line = path, line
        if not isinstance(content, dict):
            self.refuse(None, f"{what} is a JSON object, got {type(content).__name__}")
        self.content: Mapping[str, Any] = content

    def refuse(self, field: str | None, problem: str) -> NoReturn:
        """Complain of a field."""
        raise DatasetError(self.path, self.line, field, problem)

    def text(self, name: str, *, within: Mapping[str, Any] | None = None, place: str = "", most: int = MAX_TEXT) -> str:
        """A text that is not empty, without white space around it.

        Args:
            name: of the field.
            within: the object that has the field; the item itself by default.
            place: what to call the field.
            most: characters.
        """
        holder, place = self.content if within is None else within, place or name
        value = holder.get(name)
        if not isinstance(value, str) or not value.strip():
            self.refuse(place, f"needs a text, got {value!r}" if name in holder else "is missing")
        if len(value) > most:
            self.refuse(place, f"is longer than {most} characters")
        if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
            self.refuse(place, "holds half a surrogate pair, which is no character")
        return value.strip()

    def items(self, name: str, most: int) -> list[Any]:
        """A list, empty where the field is missing."""
        value = self.content.get(name, [])
        if not isinstance(value, list):
            self.refuse(name, f"needs a list, got {type(value).__name__}")
        if len(value) > most:
            self.refuse(name, f"has {len(value)} items, at most {most} are allowed")
        return value

    def difficulty(self) -> int | None:
        """The field ``difficulty``: 1 to 5, or missing."""
        value = self.content.get("difficulty")
        if value is not None and (type(value) is not int or not 1 <= value <= 5):
            self.refuse("difficulty", f"must be a whole number from 1 to 5, got {value!r}")
        return value


def load(dataset: str, build: Callable[[Entry], T], what: str) -> tuple[T, ...]:
    """The items of a data set, in its order.

    Args:
        dataset: a ``.jsonl`` file (an item a line) or a folder of ``.json`` files (an item each).
        build: makes an item of an entry.
        what: one item, for messages: ``a puzzle``.

    Raises:
        DatasetError: a line cannot be used, or an id occurs twice; the message names file, line and field.
        ConfigError: there is no such file or folder, it is empty, or a file is a link, no regular one or too large.
    """
    found: list[T] = []
    for item in read_each(dataset, build, what):
        if isinstance(item, DatasetError):
            raise item
        found.append(item)
    return tuple(found)


def read_each(dataset: str, build: Callable[[Entry], T], what: str) -> Iterator[T | DatasetError]:
    """The items as :func:`load` has them, and in place of one that cannot be used, what is wrong with it.

    Raises:
        ConfigError: there is no such file or folder, it is empty, or a file is a link, no regular one or too large.
    """
    path = Path(dataset).expanduser()
    if not path.exists():
        raise ConfigError(f"dataset {dataset!r} is neither a .jsonl file nor a folder of .json files")
    places: dict[str, str] = {}
    empty = True
    for file, line, read in _folder(path) if path.is_dir() else _lines(path):
        empty = False
        try:
            item = build(Entry(_parsed(read(), file, line or 1), file, line, what))
            if item.id in places:
                raise DatasetError(file, line, "id", f"{item.id!r} is taken already by {places[item.id]}")
        except DatasetError as error:
            yield error
        else:
            places[item.id] = f"line {line}" if line is not None else str(file)
            yield item
    if empty:
        raise ConfigError(f"dataset {dataset!r} holds no {what.partition(' ')[2]}")


def read_file(path: Path) -> bytes:
    """A user's file.

    Raises:
        DatasetError: it cannot be read.
        ConfigError: it is a link, no regular file, or too large.
    """
    try:
        return read_bytes(path, largest=MOST_BYTES)
    except OSError as error:
        raise DatasetError(path, None, None, f"cannot be read: {error.strerror}") from error


def _folder(path: Path) -> Iterator[tuple[Path, None, Callable[[], bytes]]]:
    for file in sorted(path.glob("*.json")):
        yield file, None, functools.partial(read_file, file)


def _lines(path: Path) -> Iterator[tuple[Path, int, Callable[[], bytes]]]:
    for number, raw in enumerate(read_file(path).splitlines(), 1):
        if raw.strip():
            yield path, number, functools.partial(bytes, raw)


def _parsed(raw: bytes, path: Path, first: int) -> Any:
    """The JSON value of some lines of a file, of which ``first`` is the first."""
    try:
        return json.loads(raw.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        line = first + error.lineno - 1
        raise DatasetError(path, line, None, f"not JSON: {error.msg} at column {error.colno}") from error
    except UnicodeDecodeError as error:
        line = first + raw[: error.start].count(b"\n")
        raise DatasetError(path, line, None, f"not UTF-8: {error.reason}") from error
    except (ValueError, RecursionError) as error:
        raise DatasetError(path, first, None, f"not JSON that can be read: {error}") from error
