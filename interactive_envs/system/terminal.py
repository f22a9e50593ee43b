"""What is printed at the terminal: names, paths and texts of others cannot redraw it."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import traceback
import warnings
from types import TracebackType
from typing import TextIO

import click

LONGEST_ERROR = 2_000
"""Characters of an error's line; a longer one repeats an argument that fills the screen."""


def printable(text: str) -> str:
    r"""A text whose control characters, halves of surrogate pairs and changes of direction are replaced.

    >>> printable("red: \x1b[31m, a bell: \x07")
    'red: �[31m, a bell: �'
    """
    return "".join(mark if mark.isprintable() or mark in "\n\t" else "\N{REPLACEMENT CHARACTER}" for mark in text)


def echo(text: object = "", *, err: bool = False, bold: bool = False, colour: str | None = None) -> None:
    """Print a text that can only be read, with a newline; bold or in a colour where a terminal has them.

    The colours are those of :func:`click.style`. ``NO_COLOR`` (no-color.org) and ``TERM=dumb`` leave them out.
    """
    shown = printable(str(text))
    if (bold or colour) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb":
        shown = click.style(shown, bold=bold or None, fg=colour)
    click.echo(shown, err=err)


def urgent(text: str) -> None:
    """Print a line from a signal's handler, where the streams may be in the middle of a write."""
    with contextlib.suppress(OSError):
        os.write(2, f"{chr(10) * os.isatty(2)}{text}\n".encode())


def error_line(message: object) -> str:
    """An error as the one line that the command line prints of it."""
    line = " ".join(printable(str(message)).splitlines())
    return line if len(line) <= LONGEST_ERROR else line[: LONGEST_ERROR - 1] + "…"


def guard() -> None:
    """From now on, tracebacks and warnings of this process are printed as :func:`echo` prints."""
    sys.excepthook = _show_traceback
    threading.excepthook = _show_thread
    warnings.showwarning = _show_warning


def _show_traceback(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    echo("".join(traceback.format_exception(kind, error, trace)).rstrip(), err=True)


def _show_thread(failed: threading.ExceptHookArgs) -> None:
    if failed.exc_type is not SystemExit:  # which ends a thread in silence
        _show_traceback(failed.exc_type, failed.exc_value, failed.exc_traceback)


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    echo(warnings.formatwarning(str(message), category, filename, lineno, line).rstrip(), err=True)
