"""Games of gg-bench's release as game folders: descriptions, environments and lists of actions, paired by number.

Nothing of the release is run here, and its agents are pickles, which run code when they are read: they stay where they
are. ``ibench games check`` looks at the folders next, in the sandbox.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from interactive_envs.errors import ConfigError
from interactive_envs.novel_games.folder import CATEGORIES, read_text

ORIGIN = "gg-bench"
PICKLES = frozenset((".zip", ".pkl", ".pickle", ".pt", ".pth", ".joblib"))
PARTS = {"rules.md": "description", "game.py": "environment", "actions.md": "list of actions"}
_KINDS = ((re.compile(r"action", re.I), "actions.md"), (re.compile(r"desc|rule|game|text", re.I), "rules.md"))
_WORDS = {
    "combat": "attack damage health battle fight hp weapon",
    "card": "card cards deck hand suit",
    "chance": "dice die roll random randomly luck coin",
    "board": "board grid row column cell square tile token piece",
    "number": "number numbers digit sum multiply divisor prime integer",
}
"""For a first guess of the category; every word that occurs counts once."""


@dataclass(frozen=True)
class Imported:
    """What became of a release.

    Attributes:
        folders: written, in the order of their numbers.
        incomplete: for each number that lacks a part, what it lacks.
        pickles: files that were left alone, relative to the release.
        unread: texts that are no UTF-8, too long, links, unreadable, without a number, or the second for one number.
    """

    folders: tuple[Path, ...]
    incomplete: dict[int, tuple[str, ...]]
    pickles: tuple[str, ...]
    unread: tuple[str, ...]

    def describe(self) -> str:
        """The report as text."""
        lines = [f"imported {len(self.folders)} games"]
        lines += [f"  {folder.name}" for folder in self.folders]
        lines += [
            f"not imported: {number} lacks its {' and '.join(parts)}" for number, parts in self.incomplete.items()
        ]
        lines += [f"not read: {name}" for name in self.unread]
        if self.pickles:
            lines.append(f"{len(self.pickles)} pickles left alone, agents are trained anew:")
            lines += [f"  {name}" for name in self.pickles]
        return "\n".join(lines)


def import_release(
    release: str | Path, into: str | Path, *, licence: str = "unknown", only: Collection[int] = ()
) -> Imported:
    """Write a game folder for each complete game of a release.

    Args:
        release: folder with ``envs``, ``descriptions`` and ``actions``, or with all files side by side.
        into: where the folders go; it is made.
        licence: of the release, for ``game.toml``.
        only: numbers of the games wanted; all by default.

    Raises:
        ConfigError: there is no release, or a folder exists already.
    """
    root, target = Path(release), Path(into)
    if not root.is_dir():
        raise ConfigError(f"there is no release at {str(release)!r}: give the folder with envs and descriptions")
    games: dict[int, dict[str, str]] = {}
    pickles, unread = [], []
    for path in _files(root):
        name = path.relative_to(root).as_posix()
        if path.suffix in PICKLES:
            pickles.append(name)
            continue
        kind = _kind(path.relative_to(root))
        if kind is None:
            continue
        number, text = _number(path), _text(path)
        if number is None or text is None or kind in games.get(number, {}):
            unread.append(name)
        elif not only or number in only:
            games.setdefault(number, {})[kind] = text
    if not games:
        wanted = f"games {', '.join(map(str, sorted(only)))}" if only else "descriptions, environments and actions"
        raise ConfigError(f"{root} holds no files of {wanted}; give the folder with envs, descriptions and actions")
    lacking = {number: tuple(label for part, label in PARTS.items() if part not in games[number]) for number in games}
    folders = {target / _slug(number, games[number]): number for number in sorted(games) if not lacking[number]}
    if there := next((folder for folder in folders if folder.exists()), None):
        raise ConfigError(f"{there} exists already; import into another folder")
    for folder, number in folders.items():
        _write(folder, number, games[number], licence)
    incomplete = {number: parts for number, parts in sorted(lacking.items()) if parts}
    return Imported(tuple(folders), incomplete, tuple(pickles), tuple(unread))


def _files(root: Path) -> Iterator[Path]:
    yield from (path for path in sorted(root.rglob("*")) if path.is_file() or path.is_symlink())


def _kind(path: Path) -> str | None:
    """Which file of a game folder this becomes; None where it is none."""
    if path.suffix == ".py":
        return "game.py" if path.stem.isdecimal() or re.match(r"(env|game)", path.stem) else None
    if path.suffix not in (".txt", ".md") or _number(path) is None:
        return None
    # the file's own name speaks before its folder's
    for part in reversed(path.parts):
        for pattern, kind in _KINDS:
            if pattern.search(part):
                return kind
    return "rules.md"


def _number(path: Path) -> int | None:
    numbers = re.findall(r"\d+", path.stem)
    return int(numbers[-1]) if numbers else None


def _text(path: Path) -> str | None:
    try:
        return "".join(char for char in read_text(path) if char in "\n\t" or unicodedata.category(char) != "Cc")
    except (OSError, ValueError):
        return None


def _slug(number: int, texts: dict[str, str]) -> str:
    slug = re.sub(r"[^a-z0-9]+", "-", _title(texts["rules.md"]).lower()).strip("-")[:40].strip("-")
    return f"{slug or 'game'}-{number}"


def _write(folder: Path, number: int, texts: dict[str, str], licence: str) -> None:
    title = _title(texts["rules.md"]) or f"Game {number}"
    folder.mkdir(parents=True)
    drawn = bool(re.search(r"np_random|random\.\w", texts["game.py"]))
    manifest = {
        "title": title,
        "category": _category(texts["rules.md"]),
        "origin": f"{ORIGIN} {number}",
        "licence": licence,
        "hidden": False,
        "chance": drawn,
    }
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in manifest.items()]
    (folder / "game.toml").write_text("".join(lines), encoding="utf-8")
    for name, text in texts.items():
        (folder / name).write_text(text.rstrip() + "\n", encoding="utf-8")


def _title(description: str) -> str:
    """From the first line with words in it."""
    for line in description.splitlines():
        text = re.sub(r"^(game )?(title|name)\s*[:-]\s*", "", line.strip("#*_ \t\"'"), flags=re.I).strip("#*_ \t\"'")
        if re.search(r"[A-Za-z0-9]", text) and text.lower() not in ("title", "game title", "name", "rules"):
            return "".join(char for char in text if char.isprintable())[:80]
    return ""


def _category(description: str) -> str:
    words = set(re.findall(r"[a-z]+", description.lower()))
    counts = {name: len(words & set(known.split())) for name, known in _WORDS.items()}
    best = max(CATEGORIES, key=lambda name: counts[name])
    return best if counts[best] else "board"
