"""What a model's reply holds: files in fenced blocks, or the reason why there are none."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LONGEST_FILE = 200_000
"""Characters of one file; longer ones are no files that a person would read."""
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[ \t]*([^\n`]*)$", re.MULTILINE)
_REFUSAL = re.compile(
    r"\b(?:i (?:can(?:no|')t|am (?:not able|unable)|won't|will not|must decline)|i'm (?:sorry|unable|not able)"
    r"|as an ai)\b",
    re.IGNORECASE,
)
_TITLE = re.compile(r"(?:#+|//|<!--|;)?\s*`?([\w.-]+)`?\s*:?\s*(?:-->)?")
"""A line that only names a file, as a comment or not."""
_LANGUAGES = {"python": ".py", "py": ".py", "toml": ".toml", "markdown": ".md", "md": ".md", "json": ".json"}


@dataclass(frozen=True)
class Answer:
    """What was found in a reply.

    Attributes:
        files: name and text of each file that was asked for, in the order asked.
        problem: why the reply cannot be used, as a sentence that the model can act on; empty where it can.
        kind: one word for the problem, for counts: ``empty``, ``truncated``, ``refusal``, ``no code``, ``file missing``
            or ``too long``; empty where there is none.
    """

    files: tuple[tuple[str, str], ...] = ()
    problem: str = ""
    kind: str = ""


def read_files(text: str, names: Sequence[str], *, cut: bool = False) -> Answer:
    r"""Read the files that a reply was asked for.

    A file is a fenced block whose name stands in the fence's own line, alone in the first line inside, or in the last
    line before it. Prose around the blocks is skipped. A block without a name is the only file of its language that was
    asked for. Of two blocks with one name the last counts: a model that corrects itself means the later one. Where one
    file is asked for, a block of its language under another name is taken for it.

    Args:
        text: the reply.
        names: of the files, such as ``game.py``.
        cut: whether the provider says that the reply ended at its length limit.

    >>> read_files("Sure!\n```python game.py\nx = 1\n```", ["game.py"]).files
    (('game.py', 'x = 1\n'),)
    """
    if not text.strip():
        return Answer(problem="The reply was empty. Send the files.", kind="empty")
    found, open_end = _blocks(text, names)
    missing = [name for name in names if name not in found]
    if missing and (cut or open_end):
        return Answer(
            problem=f"The reply was cut off before {_listed(missing)} ended. Send all files again, shorter.",
            kind="truncated",
        )
    if not found:
        if _REFUSAL.search(text[:2000]):
            return Answer(problem="The reply refused. Nothing here can do harm. Send the files.", kind="refusal")
        lacks = f"The reply has no fenced block with {_listed(names)}. Send each file in one."
        return Answer(problem=lacks, kind="no code")
    if missing:
        return Answer(problem=f"The reply lacks {_listed(missing)}. Send all files again.", kind="file missing")
    long = [name for name in names if len(found[name]) > LONGEST_FILE]
    if long:
        return Answer(problem=f"{_listed(long)} has more than {LONGEST_FILE:,} characters. Send less.", kind="too long")
    return Answer(tuple((name, found[name]) for name in names))


def setting_of(files: Mapping[str, str], file: str, name: str) -> str:
    """A setting in a file of TOML, such as its ``title``; empty where there is none."""
    try:
        return str(tomllib.loads(files[file]).get(name, ""))
    except (ValueError, RecursionError):
        return ""


def read_json(text: str) -> dict[str, Any] | None:
    """The last JSON object of a text."""
    decoder = json.JSONDecoder()
    found = None
    place = text.find("{")
    while place >= 0:
        try:
            value, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            place = text.find("{", place + 1)
            continue
        found = value if isinstance(value, dict) else found
        place = text.find("{", end)
    return found


def _blocks(text: str, names: Sequence[str]) -> tuple[dict[str, str], bool]:
    """The named blocks, and whether the last block has no end."""
    found: dict[str, str] = {}
    misnamed: dict[str, str] = {}
    place = 0
    while opened := _FENCE.search(text, place):
        closed = _close(text, opened)
        if closed is None:
            return misnamed | found, True
        info = opened[2].strip()
        before = text[place : opened.start()].rstrip().rpartition("\n")[2]
        content = text[opened.end() + 1 : closed.start()]
        name = _named(info, before, names)
        first, _, rest = content.partition("\n")
        inside = _TITLE.fullmatch(first.strip())
        if inside and inside[1] in names:
            name, content = inside[1], rest
        if name:
            found[name] = content
        elif len(names) == 1 and info.endswith(Path(names[0]).suffix):
            misnamed[names[0]] = content
        place = closed.end()
    return misnamed | found, False


def _close(text: str, opened: re.Match[str]) -> re.Match[str] | None:
    """The fence that ends a block; one of Markdown may hold others, which a fence with a word opens."""
    mark, least, depth = opened[1][0], len(opened[1]), 1
    nested = bool(re.search(r"\b(markdown|md)\b", opened[2]))
    for fence in _FENCE.finditer(text, opened.end()):
        if fence[1][0] != mark or len(fence[1]) < least:
            continue
        if fence[2].strip():
            depth += nested
        else:
            depth -= 1
        if not depth:
            return fence
    return None


def _named(info: str, before: str, names: Sequence[str]) -> str:
    """Which file a block is, empty for none."""
    for line in (info, before):
        here = [name for name in names if re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", line)]
        if len(here) == 1:
            return here[0]
    suffix = _LANGUAGES.get(info.split()[0].lower() if info else "")
    of_language = [name for name in names if suffix and name.endswith(suffix)]
    return of_language[0] if len(of_language) == 1 else ""


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + names[-1]
