"""Replies of a scripted model, made from folders that pass, with a change or without."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from interactive_envs.game_generation.making import Made
from interactive_envs.game_generation.pool import Ruling

Change = Callable[[str, str], str]


def reply(folder: Path, names: Sequence[str], change: Change = lambda name, text: text) -> str:
    """A reply that holds the files of a folder, each through a change of (name, text)."""
    texts = {name: change(name, (folder / name).read_text("utf-8")) for name in names}
    return "Here it is.\n\n" + "\n\n".join(f"````{name}\n{text}````" for name, text in texts.items())


def in_file(name: str, before: str, after: str) -> Change:
    """A change of one text in one file."""

    def change(file: str, text: str) -> str:
        assert file != name or before in text
        return text.replace(before, after) if file == name else text

    return change


def replies(path: Path, **texts: str) -> Path:
    """A file of replies, by their ids with _ for -."""
    lines = [json.dumps({"custom_id": name.replace("_", "-"), "text": text}) for name, text in texts.items()]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def last(made: Made, number: int = 1) -> tuple[str, str, list[str], str]:
    """The last ruling on a candidate: stage, verdict, kinds of reasons, and the first reason."""
    entry = made.pool.candidate(number).entries[-1]
    assert isinstance(entry, Ruling), entry
    return entry.stage, entry.verdict, [kind for kind, _ in entry.reasons], entry.reasons[0][1] if entry.reasons else ""
