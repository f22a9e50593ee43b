"""The examples in a game's rules, which are played move by move to see that text and code agree."""

from __future__ import annotations

import re
from dataclasses import dataclass

from interactive_envs.novel_games.host.adapter import WON, Program, Table

_FENCE = re.compile(r"^```trace\n(.*?)^```", re.MULTILINE | re.DOTALL)


class TraceError(Exception):
    """An example and the code do not agree; the message says where."""


@dataclass(frozen=True)
class Trace:
    """One example.

    Attributes:
        line: of ``rules.md``, where it begins.
        text: its lines.
    """

    line: int
    text: str


def traces(rules: str) -> list[Trace]:
    """The examples of a rules text."""
    return [Trace(rules.count("\n", 0, found.start()) + 2, found[1]) for found in _FENCE.finditer(rules)]


def check(program: Program, trace: Trace) -> None:
    """Play an example.

    Its lines: ``seed N`` first; ``first: MOVE`` and ``second: MOVE`` by name; ``illegal: first: MOVE``, which must not
    be possible; ``board: LINE``, which must be a line of the board of the seat to move, as often as it is said after a
    move; ``winner: first | second | draw`` last.

    Raises:
        TraceError: it goes another way than the text says.
    """
    lines = trace.text.splitlines()
    match = re.fullmatch(r"seed (\d+)", lines[0].strip()) if lines else None
    if match is None:
        raise TraceError(f"line {trace.line}: a trace begins with 'seed N'")
    table = program.new(int(match[1]))
    left: list[str] | None = None
    for number, line in enumerate(lines[1:], trace.line + 1):
        kind, _, rest = (part.strip() for part in line.partition(":"))
        if not kind:
            continue
        where = f"line {number}: "
        if kind == "board":
            shown = [line.strip() for line in table.view(table.seat)["board"].splitlines()]
            left = [*shown] if left is None else left
            if rest not in left:
                raise TraceError(f"{where}the board has no line {rest!r} there; it is:\n" + "\n".join(shown))
            left.remove(rest)
            continue
        left = None
        if kind == "winner":
            outcome = table.result
            if rest != outcome:
                raise TraceError(f"{where}the text says {rest!r}, the game {outcome!r}")
        elif kind == "illegal":
            seat, _, name = (part.strip() for part in rest.partition(":"))
            if table.result is not None or seat != WON[table.seat]:
                raise TraceError(f"{where}{seat} is not to move")
            if name in _names(table):
                raise TraceError(f"{where}{name!r} is legal")
        elif kind in WON:
            if kind != WON[table.seat] or table.result is not None:
                raise TraceError(f"{where}{kind} is not to move")
            names = _names(table)
            if rest not in names:
                raise TraceError(f"{where}{rest!r} is not legal; legal are {', '.join(names)}")
            table.play(names[rest])
        else:
            raise TraceError(f"{where}{kind!r} is no word of a trace")


def _names(table: Table) -> dict[str, int]:
    return {table.name(action): action for action in table.legal()}
