"""What is printed at the terminal: names, paths and texts of others cannot redraw it."""

from __future__ import annotations

import click

LONGEST_ERROR = 2_000
"""Characters of an error's line; a longer one repeats an argument that fills the screen."""


def printable(text: str) -> str:
    r"""A text whose control characters, halves of surrogate pairs and changes of direction are replaced.

    >>> printable("red: \x1b[31m, a bell: \x07")
    'red: �[31m, a bell: �'
    """
    return "".join(mark if mark.isprintable() or mark in "\n\t" else "\N{REPLACEMENT CHARACTER}" for mark in text)


def echo(text: object = "", *, err: bool = False) -> None:
    """Print a text that can only be read, with a newline."""
    click.echo(printable(str(text)), err=err)


def error_line(message: object) -> str:
    """An error as the one line that the command line prints of it."""
    line = " ".join(printable(str(message)).splitlines())
    return line if len(line) <= LONGEST_ERROR else line[: LONGEST_ERROR - 1] + "…"
