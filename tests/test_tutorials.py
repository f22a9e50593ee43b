"""The tutorials do what they say: every block runs in order in an empty folder, and prints what the page shows.

A page's ``sh`` blocks run in one shell and its ``python`` blocks in one Python; a Python block that begins with
``# name.py`` is a file that the reader saves. ``sh fails`` is expected to fail. A ``text`` block shows what the block
before it printed; an ellipsis stands for anything. ``console`` blocks are not run: they install, or need a key.
A page whose packages clash with others runs in an environment of its own.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from interactive_envs.cli.main import main
from tests.environments import environment

FOLDER = Path(__file__).parents[1] / "docs" / "tutorials"
PAGES = sorted(path.name for path in FOLDER.glob("*-a*.md"))
FENCE = re.compile(r"^(```+)(\w+)( fails)?\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
OWN = {"train-a-language-model.md": "trl"}
"""Pages that need an environment of their own, see tests/environments.py."""
SAVED = re.compile(r"# ([\w-]+\.py)\n")
SHELL = r"""
set -eo pipefail
while IFS= read -r -d '' block; do eval "$block" < /dev/null; printf '\0'; done
"""
PYTHON = r"""
import json, sys
names = {"__name__": "__main__"}
for line in sys.stdin:
    exec(json.loads(line), names)
    print(end="\0", flush=True)
"""


class Block(NamedTuple):
    """A fenced block and the line on which it begins."""

    line: int
    language: str
    fails: bool
    text: str


def blocks(page: str) -> Iterator[Block]:
    text = (FOLDER / page).read_text(encoding="utf-8")
    for found in FENCE.finditer(text):
        yield Block(text.count("\n", 0, found.start()) + 1, found[2], bool(found[3]), found[4])


def sent(block: Block) -> str:
    """A block as its session reads it; where it is to fail, what it says about that is shown, too."""
    if block.language == "python":
        return json.dumps(block.text) + "\n"
    return (f"if {{\n{block.text}}} 2>&1; then exit 1; fi" if block.fails else block.text) + "\0"


class Session:
    """A program that runs block after block; what it has printed is known after each."""

    def __init__(self, command: list[str], folder: Path, python: Path) -> None:
        bin_folder = str(python.parent)
        self._errors_path = folder.with_name(f"{folder.name}-{Path(command[0]).name}-errors")
        self._errors = self._errors_path.open("wb")
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env=os.environ | {"PATH": f"{bin_folder}:{os.environ['PATH']}", "OMP_NUM_THREADS": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
        )

    def run(self, text: str) -> str:
        """What a block prints.

        Raises:
            ChildProcessError: it failed.
        """
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(text.encode())
        stdin.flush()
        printed = bytearray()
        while (byte := stdout.read(1)) != b"\0":
            if not byte:
                errors = self._errors_path.read_text(encoding="utf-8", errors="replace")
                raise ChildProcessError(f"{printed.decode(errors='replace')}\n{errors}")
            printed += byte
        return printed.decode()

    def close(self) -> None:
        self._process.communicate(timeout=60)
        self._errors.close()


def pattern(shown: str) -> str:
    """What matches the shown text: an ellipsis alone any lines, another anything within its line."""
    lines = [
        "(?:.*\n)*?" if line.strip() == "…" else ".*?".join(map(re.escape, line.rstrip().split("…"))) + " *\n"
        for line in shown.strip("\n").splitlines()
    ]
    return "".join(lines)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("page", PAGES)
def test_every_block_of_a_tutorial_runs_and_prints_what_it_shows(page: str, tmp_path: Path) -> None:
    folder = tmp_path / "reader"
    folder.mkdir()
    python = environment(OWN[page]) if page in OWN else Path(sys.executable)
    commands = {"sh": ["bash", "-c", SHELL], "python": [str(python), "-c", PYTHON]}
    sessions: dict[str, Session] = {}
    printed = ""
    try:
        for block in blocks(page):
            if block.language in commands:
                saved = SAVED.match(block.text) if block.language == "python" else None
                if saved:
                    (folder / saved[1]).write_text(block.text, encoding="utf-8")
                    continue
                if block.language not in sessions:
                    sessions[block.language] = Session(commands[block.language], folder, python)
                try:
                    printed = sessions[block.language].run(sent(block))
                except ChildProcessError as error:
                    pytest.fail(f"{page}, line {block.line}: the block failed\n{error}")
            elif block.language == "text" and not re.fullmatch(pattern(block.text), printed.strip("\n") + "\n"):
                pytest.fail(f"{page}, line {block.line}: what is shown is not what was printed:\n{printed}")
    finally:
        for session in sessions.values():
            session.close()


def calls(text: str) -> Iterator[list[str]]:
    """The arguments of every ``ibench`` in a block."""
    for line in text.replace("\\\n", " ").splitlines():
        words = shlex.split(line.removeprefix("$ "), comments=True)
        if words[:1] == ["ibench"]:
            yield words[1 : words.index("|") if "|" in words else None]


@pytest.mark.parametrize("page", PAGES)
def test_a_tutorial_names_commands_and_options_that_exist(page: str) -> None:
    found = 0
    for block in blocks(page):
        if block.language == "python":
            compile(block.text, f"{page}, line {block.line}", "exec")
        for arguments in calls(block.text) if block.language in ("sh", "console") else ():
            command: click.Command = main
            context = click.Context(main)
            while isinstance(command, click.Group):
                left = command.make_parser(context).parse_args(list(arguments))[1]
                below = command.get_command(context, left[0])
                assert below is not None, f"{page}, line {block.line}: no command {left[0]}"
                command, arguments = below, left[1:]
                context = click.Context(command, info_name=left[0])
            try:
                command.make_parser(context).parse_args(list(arguments))
            except click.UsageError as error:
                pytest.fail(f"{page}, line {block.line}: {error.message}")
            found += 1
    assert found or page in OWN
