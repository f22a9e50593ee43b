"""A small game whose rules have numbers in them, and a reader that works out what they say, as they stand."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.game_generation.test_making import own

NUMBERED = "board: number: {numbers}\nboard: owner:  S . . S F . . F{rest}\nboard: first to move\n"
EXAMPLES = f"""\
```trace
seed 1
first: take 5
second: take 1
illegal: first: take 1
first: take 8
second: take 4
{NUMBERED}```

```trace
seed 2
first: take 5
second: take 1
first: take 8
second: take 4
first: take 2
winner: first
```
"""
"""Of all these games: the numbers are 3 apart, and no three of one player but the last are equally spaced."""


@dataclass(frozen=True)
class Rules:
    """What differs between these games.

    Attributes:
        numbers: how many there are to take.
        gap: how far a number should be from the player's own.
        bane: a number with which three lose; 0 for none.
        total: what three numbers add to; 0 for three that are equally spaced.
    """

    numbers: int = 9
    gap: int = 1
    bane: int = 0
    total: int = 0

    def in_text(self, name: str, text: str) -> str:
        """The template's ``rules.md`` and ``actions.md`` with these rules."""
        if name == "actions.md":
            return text.replace("1 to 9", f"1 to {self.numbers}")
        if name != "rules.md":
            return text
        three = f"three numbers that {f'add to {self.total}' if self.total else 'are equally spaced'}"
        bane = f" But three with the number {self.bane} lose: the opponent wins at once." if self.bane else ""
        numbers = {"numbers": " ".join(map(str, range(1, self.numbers + 1))), "rest": " ." * (self.numbers - 8)}
        return f"""\
{text.splitlines()[0]}

**Aim.** Hold {three}.

**Set-up.** The numbers 1 to {self.numbers} are free. The first player begins.

**Turn.** Take one free number (`take 5`) and keep it. It must be {self.gap} or more away from each number that you
hold; where no free number is, take any.

**End.** Whoever first holds {three} wins at once.{bane} If all are taken before, it is a draw.

**Board.** The numbers, and below each its owner: F for first, S for second, a dot for a free number.

## Examples

{EXAMPLES.replace(NUMBERED, NUMBERED.format(**numbers))}"""

    def in_code(self, name: str, text: str) -> str:
        """The template's ``game.py`` with these rules."""
        if name != "game.py":
            return text
        lines = next(line for line in text.splitlines() if line.startswith("LINES"))
        sums = f"LINES = [set(three) for three in combinations(range(1, N + 1), 3) if sum(three) == {self.total}]"
        changes = {
            "N = 9": f"N = {self.numbers}",
            "import gymnasium\n": "from itertools import combinations\n\nimport gymnasium\n",
            lines: sums if self.total else lines,
            "return [n - 1 for n in range(1, N + 1) if n not in self.held[0] | self.held[1]]": f"""\
free = [n - 1 for n in range(1, N + 1) if n not in self.held[0] | self.held[1]]
        mine = self.held[self.current_player]
        return [n for n in free if all(abs(n + 1 - m) >= {self.gap} for m in mine)] or free""",
            'return self._observe(), 1, True, False, {"winner": mover}': f"""\
won = any(line <= mine and {self.bane} not in line for line in LINES)
            return self._observe(), int(won), True, False, {{"winner": mover if won else 1 - mover}}
        if len(self.held[0] | self.held[1]) == N:
            return self._observe(), 0, True, False, {{"winner": None}}""",
        }
        for before, after in changes.items():
            assert before in text
            text = text.replace(before, after)
        return text


def spaced(text: Rules, code: Rules | None = None, title: str = "Even Steps") -> str:
    """A reply with a game whose text and code have these rules."""

    def change(name: str, content: str) -> str:
        return (code or text).in_code(name, text.in_text(name, content)).replace("Even Steps", title)

    return own(change)


def read(question: str) -> str:
    """What a reader replies that does what the text says, and knows nothing else."""
    if "## Position" not in question:
        return "\n\n".join(f"```trace\n{_play(question, rank)}```" for rank in (min, max))
    rules, *asked = re.split(r"^## Position \d+$", question, flags=re.MULTILINE)
    return json.dumps({number: _holds(rules, position) for number, position in enumerate(asked, 1)})


def _play(rules: str, rank: Callable[[Sequence[str]], str]) -> str:
    """A game in which both players take the first legal move of an order, with some moves that the text forbids."""
    names = [f"take {number}" for number in range(1, 1 + max(map(int, re.findall(r"numbers 1 to (\d+) are", rules))))]
    lines, log = ["seed 1"], ""
    while not (holds := _holds(rules, f"{log}Moves: {', '.join(names)}"))["over"]:
        seat, legal = holds["to_move"], holds["legal"]
        lines += [f"illegal: {seat}: {name}" for name in names if name not in legal][:3]
        lines.append(f"{seat}: {rank(legal)}")
        log += f"1. {seat}: {rank(legal)}\n"
    return "\n".join([*lines, f"winner: {holds['winner']}"]) + "\n"


def _holds(rules: str, position: str) -> dict[str, Any]:
    (most,), (gap,) = re.findall(r"numbers 1 to (\d+) are", rules), re.findall(r"must be (\d+) or more away", rules)
    bane, total = re.findall(r"three with the number (\d+) lose", rules), re.findall(r"\*\*Aim.*add to (\d+)", rules)
    log, _, moves = position.partition("Moves: ")
    held: tuple[list[int], list[int]] = ([], [])
    seats = ("first", "second")
    for turn, number in enumerate(map(int, re.findall(r"^\d+\. .*take (\d+)", log, re.MULTILINE))):
        held[turn % 2].append(number)
        for three in map(sorted, itertools.combinations(held[turn % 2], 3)):
            if sum(three) == int(total[0]) if total else three[0] + three[2] == 2 * three[1]:
                return {"over": True, "winner": seats[(turn + (bool(bane) and int(bane[0]) in three)) % 2]}
    free = set(range(1, int(most) + 1)) - {*held[0], *held[1]}
    if not free:
        return {"over": True, "winner": "draw"}
    mover = len(held[0]) - len(held[1])
    far = {number for number in free if all(abs(number - one) >= int(gap) for one in held[mover])} or free
    return {
        "over": False,
        "to_move": seats[mover],
        "legal": [name for name in re.findall(r"take \d+", moves) if int(name[5:]) in far],
    }
