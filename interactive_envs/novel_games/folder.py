"""Game folders: what is in one, and which come with the package."""

from __future__ import annotations

import functools
import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.novel_games.host.adapter import MINUS_TEN, ZERO_REWARDS
from interactive_envs.system import files

HERE = Path(__file__).parent
SETS = {"games-v0": HERE / "games", "games-v1": HERE / "data" / "made"}
"""The games that come with the package, a folder each: those that people wrote, and those that a model made."""
LUCK = "luck"
"""The set of the games in which no player beats a trained one clearly."""
CATEGORIES = ("number", "board", "card", "chance", "combat")
LONGEST = 100
"""Most turns a game may be given."""
BATCHED = "batch.py"
MOST_BYTES = 1 << 20
"""Of a file of text; generated ones have some thousand."""
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True)
class GameFolder:
    """One game as its author wrote it.

    Attributes:
        path: of the folder.
        title: for people.
        category: one of :data:`CATEGORIES`.
        origin: where it comes from.
        licence: of all files.
        hidden: whether a seat does not see everything.
        chance: whether anything is drawn.
        max_turns: moves of both seats after which a game is too long.
        zero_reward: what an end with reward 0 means where nobody is named winner, ``draw`` or ``loss``.
        minus_ten: what a reward of -10 means after a legal move, ``loss`` or ``move``; "" where the game does not say.
        player: attribute of the environment that holds the acting player; None to look for it, "" for alternation.
        states: how many states can be reached, in words.
        solved: how a formula solves it; "" where none does.
        rules: text of ``rules.md``.
        actions: text of ``actions.md``.
        source: text of ``game.py``.
        batched: text of ``batch.py``, the same game as arrays (see :mod:`interactive_envs.novel_games.search.batch`);
            "" where there is none. That of a stranger is not read, for nobody has held it against ``game.py``.
    """

    path: Path
    title: str
    category: str
    origin: str
    licence: str
    rules: str
    actions: str
    source: str
    hidden: bool = False
    chance: bool = False
    max_turns: int = LONGEST
    zero_reward: str = "draw"
    minus_ten: str = ""
    player: str | None = None
    states: str = ""
    solved: str = ""
    batched: str = ""
    more: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def name(self) -> str:
        """Of the folder."""
        return self.path.name

    @property
    def vetted(self) -> bool:
        """Whether it comes with the package, so that its code may run outside the sandbox."""
        return bool(self.of)

    @functools.cached_property
    def of(self) -> str:
        """Which of :data:`SETS` it belongs to, "" for a stranger's."""
        return next((name for name, folder in SETS.items() if folder.resolve() == self.path.parent), "")

    @property
    def options(self) -> dict[str, Any]:
        """Arguments of :class:`interactive_envs.novel_games.host.adapter.Program` beside the source."""
        return {**self._played, "hidden": self.hidden}

    @property
    def _played(self) -> dict[str, Any]:
        played = {"max_turns": self.max_turns, "zero_reward": self.zero_reward, "player": self.player}
        # only where it is said, so that the hash of a game that says nothing stays what networks remember
        return played | ({"minus_ten": self.minus_ten} if self.minus_ten else {})

    @property
    def sha256(self) -> str:
        """Hash of rules and code: a game that changed is another."""
        return hashlib.sha256(f"{self.rules}\0{self.code_sha256}".encode()).hexdigest()

    @property
    def code_sha256(self) -> str:
        """Hash of what is played, whatever its rules are worded like: networks belong to it."""
        return hashlib.sha256(f"{self.source}\0{sorted(self._played.items())}".encode()).hexdigest()


def read_folder(path: str | Path) -> GameFolder:
    """Read a game folder.

    Raises:
        ConfigError: there is none, a file is missing, or ``game.toml`` has a value that cannot work.
    """
    folder = Path(path).resolve()
    if not folder.is_dir():
        raise ConfigError(f"there is no game folder {str(path)!r}; ibench games lists those of the package")
    texts = {}
    for name in ("game.toml", "rules.md", "actions.md", "game.py"):
        try:
            texts[name] = read_text(folder / name)
        except (OSError, ValueError) as error:
            raise ConfigError(f"game folder {folder.name} has no readable {name}: {error}") from error
    try:
        manifest = tomllib.loads(texts["game.toml"])
    except (ValueError, RecursionError) as error:  # RecursionError: it is nested too deeply
        raise ConfigError(f"{folder.name}/game.toml: {error}") from error
    return _checked(folder, manifest, texts)


def read_text(file: Path) -> str:
    """A file of a game, which may come from anybody; every line ends with a line feed.

    Raises:
        OSError: it cannot be read.
        ConfigError: it is no regular file, no text, or a long one.
    """
    return files.read_text(file, largest=MOST_BYTES)


@functools.cache
def own(name: str) -> GameFolder:
    """A game of the package.

    Raises:
        UnknownNameError: it has no such game.
    """
    for of, folder in SETS.items():
        if name in own_names(of):
            return read_folder(folder / name)
    raise UnknownNameError("game", name, own_names())


@functools.cache
def own_names(of: str | None = None) -> tuple[str, ...]:
    """The games of the package, in the order of their names.

    Args:
        of: one of :data:`SETS`; None for all.

    Raises:
        UnknownNameError: there is no such set.
    """
    if of is not None and of not in SETS:
        raise UnknownNameError("set of games", of, SETS)
    folders = SETS.values() if of is None else (SETS[of],)
    return tuple(sorted(path.parent.name for folder in folders for path in folder.glob("*/game.toml")))


def _checked(folder: Path, manifest: Mapping[str, Any], texts: Mapping[str, str]) -> GameFolder:
    kinds = {
        "title": str,
        "category": str,
        "origin": str,
        "licence": str,
        "hidden": bool,
        "chance": bool,
        "max_turns": int,
        "zero_reward": str,
        "minus_ten": str,
        "player": str,
        "states": str,
        "solved": str,
    }
    for name in ("title", "category", "origin", "licence"):
        if name not in manifest:
            raise ConfigError(f"{folder.name}/game.toml lacks {name!r}")
    for name, kind in kinds.items():
        if name in manifest and type(manifest[name]) is not kind:
            raise ConfigError(f"{folder.name}/game.toml: {name} must be a {kind.__name__}, got {manifest[name]!r}")
        if isinstance(manifest.get(name), str) and not manifest[name].isprintable():
            raise ConfigError(f"{folder.name}/game.toml: {name} must be a line of text, got {manifest[name]!r}")
    if not _NAME.fullmatch(folder.name):
        raise ConfigError(f"a game folder's name is lower-case words joined by '-', got {folder.name!r}")
    if manifest["category"] not in CATEGORIES:
        raise UnknownNameError(f"category in {folder.name}/game.toml:", manifest["category"], CATEGORIES)
    if not 1 <= manifest.get("max_turns", LONGEST) <= LONGEST:
        raise ConfigError(f"{folder.name}/game.toml: max_turns must be 1 to {LONGEST}, got {manifest['max_turns']}")
    if manifest.get("zero_reward", "draw") not in ZERO_REWARDS:
        raise UnknownNameError(f"zero_reward in {folder.name}/game.toml:", manifest["zero_reward"], ZERO_REWARDS)
    if "minus_ten" in manifest and manifest["minus_ten"] not in MINUS_TEN:
        raise UnknownNameError(f"minus_ten in {folder.name}/game.toml:", manifest["minus_ten"], MINUS_TEN)
    known = {name: manifest[name] for name in kinds if name in manifest}
    more = {name: value for name, value in manifest.items() if name not in kinds}
    known |= {"rules": texts["rules.md"], "actions": texts["actions.md"], "source": texts["game.py"]}
    made = GameFolder(path=folder, more=more, **known)
    if made.vetted and (folder / BATCHED).exists():
        return replace(made, batched=read_text(folder / BATCHED))
    return made
