"""Black boxes that somebody wrote as a folder: settings in ``box.toml``, the mechanism as functions in ``box.py``.

``description.md`` has the mechanism in words, enough to write it again; ``second.py``, where there is one, is that.
Each family has a :class:`Maker` in its own ``made.py``. Code of the package runs in this process, any other in the
sandbox. What a folder holds is in ``game_generation/data/boxes``, which is also what a model is told.
"""

from __future__ import annotations

import functools
import importlib
import math
import re
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from interactive_envs.black_box.base import FAMILIES, Box, Entry
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.sandbox import Limits, SandboxError
from interactive_envs.sandbox.module import Module
from interactive_envs.system import files

FOLDER = Path(__file__).parent / "data" / "made"
"""The boxes that came out of the generation and are part of the package, a folder each."""
MADE = "made-"
"""What their names as boxes of a family begin with."""
FILES = ("box.toml", "box.py", "description.md")
SECOND = "second.py"
GRADES = ("easy", "hard")
MOST_BYTES = 1 << 18
LIMITS = Limits(cpu_s=30.0, wall_s=120.0, output=16 << 20, input=8 << 20)
"""Of a call into a box's code."""


@dataclass(frozen=True, eq=False)
class MadeFolder:
    """A box as its author wrote it.

    Attributes:
        name: of the folder.
        place: its name in the package, or the absolute path of the folder.
        family: one of ``FAMILIES``.
        grade: ``easy`` or ``hard``, as its author has it.
        title: for lists; players do not see it.
        summary: one line of what the mechanism is; players see it after the end only.
        settings: all of ``box.toml``.
        source: text of ``box.py``.
        description: text of ``description.md``.
        trusted: whether the code may run in this process.
    """

    name: str
    place: str
    family: str
    grade: Literal["easy", "hard"]
    title: str
    summary: str
    settings: Mapping[str, Any]
    source: str
    description: str
    trusted: bool = False

    def setting(self, name: str, kind: type, least: float = -math.inf, most: float = math.inf) -> Any:
        """A setting of ``box.toml``.

        Args:
            name: of it.
            kind: int, float (a whole number is one, too), str or list.
            least: the smallest that is allowed, of a list its length.
            most: the greatest.

        Raises:
            ConfigError: it is missing, of another kind or out of bounds.
        """
        found = self.settings.get(name)
        fits = isinstance(found, (int, float) if kind is float else kind) and not isinstance(found, bool)
        size = len(found) if fits and isinstance(found, str | list) else found
        if not fits or not least <= size <= most:  # type: ignore[operator]
            bounds = f" from {least:g} to {most:g}" if math.isfinite(least) else ""
            what = {
                "int": "a whole number",
                "float": "a number",
                "str": "a text of a length",
                "list": "a list of a length",
            }
            raise self.wrong(f"{name} must be {what[kind.__name__]}{bounds}, got {found!r}")
        return found

    def wrong(self, what: str) -> ConfigError:
        """An error about this folder."""
        return ConfigError(f"{self.name}: {what}")

    def results(self, inputs: Sequence[Any], source: str | None = None, limits: Limits = LIMITS) -> list[Any]:
        """What the mechanism gives for inputs of its :class:`Maker`, one each.

        Args:
            inputs: JSON values.
            source: another version of ``box.py``, which runs in the sandbox.
            limits: of that version.

        Raises:
            ConfigError: the code fails, or gives no list of as many.
        """
        module = self.module if source is None else self._module_of(source, limits=limits)
        try:
            found = module.call("_ibench_results", [list(inputs)])
        except SandboxError as error:
            lacking = re.search(r"NameError: name '(\w+)' is not defined", str(error))
            if lacking and lacking[1] in maker(self.family).harness:
                raise self.wrong(f"the code has no function {lacking[1]}()") from error
            raise self.wrong(f"the code failed: {error}") from error
        if not isinstance(found, list) or len(found) != len(inputs):
            raise self.wrong("the code gave no result for each input")
        return found

    @functools.cached_property
    def module(self) -> Module:
        """The code, with the functions that the family's :class:`Maker` adds."""
        return self._module_of(self.source, trusted=self.trusted)

    def _module_of(self, source: str, *, trusted: bool = False, limits: Limits = LIMITS) -> Module:
        return Module(f"{source}\n{maker(self.family).harness}", trusted=trusted, limits=limits)


class Maker(ABC):
    """How a family makes a box of a folder, and how two versions of one mechanism are compared."""

    harness: ClassVar[str]
    """Code that is put behind ``box.py``; it has ``_ibench_results(inputs)``."""

    @abstractmethod
    def box(self, folder: MadeFolder) -> Box:
        """The box.

        Raises:
            ConfigError: a setting cannot work, or the code fails.
        """

    @abstractmethod
    def inputs(self, folder: MadeFolder, rng: np.random.Generator, count: int) -> list[Any]:
        """About so many inputs from the whole domain, or all of them, for :meth:`MadeFolder.results`."""

    def differ(self, folder: MadeFolder, first: Any, second: Any) -> bool:
        """Whether two results for one input differ."""
        return bool(first != second)

    def texts(self, folder: MadeFolder) -> Sequence[str]:
        """What of the folder players read while they play."""
        return ()

    def known(self, folder: MadeFolder) -> str:
        """The fixed box of the family that does the same, empty where none is known to."""
        return ""


def maker(family: str) -> Maker:
    """What a family makes boxes with; only its own module is imported.

    Raises:
        UnknownNameError: there is no such family.
    """
    if family not in FAMILIES:
        raise UnknownNameError("family", family, FAMILIES)
    found: Maker = importlib.import_module(f"interactive_envs.black_box.{family}.made").MAKER
    return found


@functools.cache
def names(family: str | None = None) -> tuple[str, ...]:
    """The boxes of the package that were made, of one family or of all, in the order of their names."""
    found = sorted(path.parent.name for path in FOLDER.glob("*/box.toml"))
    return tuple(name for name in found if family is None or find(name).family == family)


@functools.cache
def find(name: str) -> MadeFolder:
    """A made box of the package.

    Raises:
        UnknownNameError: there is none of this name.
    """
    if not (FOLDER / name / FILES[0]).exists():
        raise UnknownNameError("made box", name, names())
    return read(FOLDER / name, trusted=True)


def entry(family: str, box: str) -> Entry:
    """A made box as one of a family's.

    Args:
        family: its family.
        box: ``made-NAME`` for one of the package, or the absolute path of a folder.

    Raises:
        ConfigError: the folder cannot be used, or the box is of another family.
        UnknownNameError: the package has no such box.
    """
    folder = find(box.removeprefix(MADE)) if box.startswith(MADE) else read(Path(box))
    if folder.family != family:
        raise ConfigError(f"{box} is a {folder.family} box; play it with ibench/BlackBox-{folder.family}-v1")
    return Entry(folder.grade, functools.partial(_made, folder), folder.summary)


def is_made(box: str) -> bool:
    """Whether the name of a box is that of a made one: ``made-NAME`` or an absolute path."""
    return box.startswith((MADE, "/"))


@functools.lru_cache(maxsize=64)
def _made(folder: MadeFolder) -> Box:
    return maker(folder.family).box(folder)


def read(folder: Path, *, trusted: bool = False) -> MadeFolder:
    """Read a folder; nothing of it runs yet.

    Raises:
        ConfigError: a file is missing, or ``box.toml`` has a value that cannot work.
    """
    texts = []
    for name in FILES:
        try:
            texts.append(files.read_text(folder / name, largest=MOST_BYTES))
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else error
            raise ConfigError(f"{folder} is no black box: {name} cannot be read ({why})") from error
    return _from_texts(folder.name, folder.name if trusted else str(folder.absolute()), *texts, trusted)


@functools.lru_cache(maxsize=256)
def _from_texts(name: str, place: str, manifest: str, source: str, description: str, trusted: bool) -> MadeFolder:
    """The same texts at the same place give the same object."""
    try:
        settings = tomllib.loads(manifest)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{name}: box.toml is no TOML: {error}") from error
    for key, choices in (("family", FAMILIES), ("grade", GRADES)):
        if settings.get(key) not in choices:
            raise ConfigError(f"{name}: {key} must be one of {', '.join(choices)}, got {settings.get(key)!r}")
    for key in ("title", "summary"):
        text = settings.get(key)
        if not isinstance(text, str) or not text.strip() or not text.isprintable() or len(text) > 300:
            raise ConfigError(f"{name}: {key} must be a line of text, got {text!r}")
    return MadeFolder(
        name=name,
        place=place,
        family=settings["family"],
        grade=settings["grade"],
        title=settings["title"].strip(),
        summary=settings["summary"].strip(),
        settings=settings,
        source=source,
        description=description,
        trusted=trusted,
    )
