"""What a player knows of a hidden set, sequence, tree, graph or rule, drawn as SVG.

Drawn is what a single reply settles, together with what is known from the start; to combine replies is the game. Every
hidden state of these games is one row of whole numbers (members, values, parents, edges, outputs). A reply leaves some
of the states, and what these have in common lies between a least and a greatest number.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import numpy as np

from interactive_envs.dialogue.view import DialogueView, Exchange, facts_of
from interactive_envs.query_games import games
from interactive_envs.query_games.base import NODES, Codes, Kind, Level, World
from interactive_envs.query_games.rules import Fact, QueryShown
from interactive_envs.query_games.structures.graph.worlds import GraphWorld
from interactive_envs.query_games.structures.induction.worlds import RuleWorld
from interactive_envs.query_games.structures.sequence.worlds import SequenceWorld
from interactive_envs.query_games.structures.set.worlds import SetWorld
from interactive_envs.query_games.structures.tree.worlds import TreeWorld

WIDTH, MARGIN = 360, 8
ROW = 20
"""Height of a line of words."""
MOST = 6
"""Queries that are listed; of more the last."""
LONGEST = 26
"""Letters of a query and of a reply that are shown."""

Picture = tuple[list[str], float, str, str]
"""Elements, their height, what the signs mean, and all of it in words."""


def draw(view: DialogueView) -> str:
    """The structure as far as single replies settle it, and below it the queries with their replies."""
    if not isinstance(view.shown, QueryShown):
        return ""
    level = games.find(view.shown.game).level(view.shown.difficulty)
    paint = PAINTERS.get(type(level.world))
    if paint is None:
        return ""
    parts, height, key, words = paint(level.world, *known(level, view))
    parts.append(_text(MARGIN, height + ROW, key, "muted", 13, "start"))
    lines, below = _listed(level.game.kinds, level, view.exchanges, height + ROW + 2 * MARGIN)
    return (
        f'<svg class="narrow" viewBox="0 0 {WIDTH} {below:.0f}" role="img" xmlns="http://www.w3.org/2000/svg">'
        f"<title>What single replies settle</title><desc>{escape(words)}</desc>{''.join(parts)}{''.join(lines)}</svg>"
    )


def known(level: Level, view: DialogueView) -> tuple[Codes, Codes]:
    """The least and the greatest that each number of the hidden state can be; least > greatest where replies differ."""
    start = (view.shown.game, view.shown.difficulty, view.shown.opening)
    told = [_bounds(*start, query, fact.code) for query, fact in facts_of(view) if isinstance(fact, Fact)]
    low, high = zip(_bounds(*start, None, 0), *filter(None, told), strict=True)  # type: ignore[arg-type]
    return np.max(low, axis=0), np.min(high, axis=0)


@functools.lru_cache(maxsize=512)
def _bounds(game: str, difficulty: int, opening: int, query: int | None, code: int) -> tuple[Codes, Codes] | None:
    """What the states have in common that agree with a reply and with the opening, None where there is none."""
    level = games.find(game).level(difficulty)
    agree = level.opening == opening
    if query is not None:
        asked = level.queries[query]
        agree = agree & (level.game.kinds[asked.kind].codes(level.world, asked.argument) == code)
    if not agree.any():  # a reply that is false
        return None
    states = np.asarray(getattr(level.world, level.world.per_state[0]))[agree].astype(np.int64)
    return states.min(axis=0), states.max(axis=0)


def _set(world: SetWorld, low: Codes, high: Codes) -> Picture:
    """A cell for each number: filled where it is in the set, struck where it is not."""
    size, across = 43, 8
    parts = []
    for place, (least, most) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
        x, y = MARGIN + place % across * size, MARGIN + place // across * size
        shade = "bad" if least > most else "good" if least else "paper" if most else "soft"
        parts.append(f'<rect x="{x}" y="{y}" width="{size - 4}" height="{size - 4}" rx="4" class="line {shade}"/>')
        ink = "paper" if shade in ("good", "bad") else "ink" if most else "muted"
        parts.append(_text(x + 19.5, y + 25, str(place + 1), ink, 16))
        if shade == "soft":
            parts.append(f'<path d="M{x + 6} {y + 33}L{x + 33} {y + 6}" class="faint"/>')
    numbers = world.numbers
    words = f"In the set: {_names(numbers[low > 0])}. Not in it: {_names(numbers[high < 1])}. The others are open."
    key = "Filled: in the set. Struck: not in it. By single replies."
    return parts, MARGIN + size * math.ceil(world.n / across), key, words


def _sequence(world: SequenceWorld, low: Codes, high: Codes) -> Picture:
    """A column for each place: what its value can be is marked."""
    wide, unit = min(40.0, (WIDTH - 3 * MARGIN - 14) / world.n), min(22.0, 200 / world.high)
    parts, words, bottom = [], [], MARGIN + unit * world.high
    for label in {1, world.high}:
        parts.append(_text(MARGIN + 8, bottom - unit * (label - 0.5) + 4, str(label), "muted", 12))
    for place, (least, most) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
        x, middle = 2 * MARGIN + 14 + place * wide, 2 * MARGIN + 14 + (place + 0.5) * wide - 1
        box = f'x="{x:.1f}" width="{wide - 2:.1f}"'
        parts.append(f'<rect {box} y="{MARGIN}" height="{unit * world.high:.1f}" class="line soft"/>')
        if least <= most:
            shade = "good" if least == most else "mark"
            top, tall = bottom - unit * most, unit * (most - least + 1)
            parts.append(f'<rect {box} y="{top:.1f}" height="{tall:.1f}" class="{shade}"/>')
        if least == most:
            parts.append(_text(middle, bottom - unit * (least - 0.5) + 4, str(least), "paper", 12))
        elif least > most:
            parts.append(_text(middle, bottom - 8, "?", "bad", 14))
        parts.append(_text(middle, bottom + 15, str(place + 1), "muted", 12))
        words.append(f"{place + 1}: {least if least == most else f'{least} to {most}' if least < most else 'unclear'}")
    key = "Marked: what a value can be, by single replies."
    return parts, bottom + ROW, key, f"Values by place. {'; '.join(words)}."


def _tree(world: TreeWorld, low: Codes, high: Codes) -> Picture:
    """Nodes hang below the parents that are known; those whose parent is open stand in the top row."""
    parents: dict[int, int] = {}
    for node in range(world.n):
        above = int(low[node])
        if above == high[node] >= 0 and node not in _up(parents, above):  # no rings, which false replies could make
            parents[node] = above
    places: dict[int, tuple[float, int]] = {}
    leaves = 0

    def hang(node: int, depth: int) -> float:
        nonlocal leaves
        below = [hang(child, depth + 1) for child in sorted(parents) if parents[child] == node]
        leaves += not below
        places[node] = ((below[0] + below[-1]) / 2 if below else leaves - 0.5), depth
        return places[node][0]

    for node in range(world.n):
        if node not in parents:
            hang(node, 0)
    step = (WIDTH - 2 * MARGIN) / max(leaves, 6)
    at = {node: (MARGIN + x * step, MARGIN + 14 + 44 * depth) for node, (x, depth) in places.items()}
    parts = [_line(at[child], at[parent], "tie") for child, parent in parents.items()]
    root = [node for node in range(world.n) if low[node] == high[node] < 0]
    for node, (x, y) in sorted(at.items()):
        shade = "good" if node in root else "paper" if node in parents else "soft"
        parts.append(f'<circle cx="{x:.1f}" cy="{y}" r="12" class="line {shade}"/>')
        parts.append(_text(x, y + 5, NODES[node], "paper" if shade == "good" else "ink", 14))
    edges = _names([f"{NODES[child]} below {NODES[parent]}" for child, parent in parents.items()])
    words = f"Root: {_names([NODES[node] for node in root])}. Known: {edges}. The others are open."
    key = "Green: the root. Lines: parents that a single reply settles."
    return parts, max(y for _, y in at.values()) + 14, key, words


def _graph(world: GraphWorld, low: Codes, high: Codes) -> Picture:
    """Nodes in a ring: solid lines where they are joined, dotted ones where that is open, none where they are not."""
    middle, far = WIDTH / 2, 130
    at = [
        (middle + far * math.sin(turn), MARGIN + 14 + far - far * math.cos(turn))
        for turn in (2 * math.pi * node / world.n for node in range(world.n))
    ]
    dotted, solid, joined, apart = [], [], [], []
    for one in range(world.n):
        for other in range(one + 1, world.n):
            least, most = low[one, other], high[one, other]
            name = f"{NODES[one]}-{NODES[other]}"
            if least > most:
                x, y = ((a + b) / 2 for a, b in zip(at[one], at[other], strict=True))
                solid.append(_text(x, y + 5, "?", "bad", 14))
            elif least:
                solid.append(_line(at[one], at[other], "tie"))
                joined.append(name)
            elif most:
                dotted.append(_line(at[one], at[other], "faint"))
            else:
                apart.append(name)
    parts = dotted + solid
    for node, (x, y) in enumerate(at):
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="12" class="line paper"/>')
        parts.append(_text(x, y + 5, NODES[node], "ink", 14))
    words = f"Joined: {_names(joined)}. Not joined: {_names(apart)}. The others are open."
    return parts, 2 * far + 28 + MARGIN, "Solid: joined. Dotted: open. By single replies.", words


def _rule(world: RuleWorld, low: Codes, high: Codes) -> Picture:
    """A cell for each instance of the pool, by its number, with the rule's output where it is known."""
    size, across = 43, 8
    parts, outputs = [], []
    for place, (least, most) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
        x, y = MARGIN + place % across * size, MARGIN + place // across * size
        shade = "bad" if least > most else "good" if least == most else "paper"
        parts.append(f'<rect x="{x}" y="{y}" width="{size - 4}" height="{size - 4}" rx="4" class="line {shade}"/>')
        ink = "muted" if shade == "paper" else "paper"
        parts.append(_text(x + 3, y + 12, str(place + 1), ink, 11, "start"))
        if shade != "paper":
            parts.append(_text(x + 21, y + 30, "?" if least > most else str(least), "paper", 17))
        if least == most:
            outputs.append(f"instance {place + 1} gives {least}")
    words = f"Outputs: {_names(outputs)}. The others are open."
    return parts, MARGIN + size * math.ceil(len(low) / across), "Filled: outputs that a single reply settles.", words


PAINTERS: dict[type[World], Callable[[Any, Codes, Codes], Picture]] = {
    SetWorld: _set,
    SequenceWorld: _sequence,
    TreeWorld: _tree,
    GraphWorld: _graph,
    RuleWorld: _rule,
}
"""Worlds of made games have no structure that is known here."""


def _listed(kinds: Sequence[Kind], level: Level, exchanges: Sequence[Exchange], top: float) -> tuple[list[str], float]:
    """The last queries, each in a line with the words that came back, and where they end."""
    asked = list(enumerate((one for one in exchanges if one.kind == "query"), 1))
    y, parts = top + 6, []
    if len(asked) > MOST:
        parts.append(_text(MARGIN, y + 8, f"{len(asked) - MOST} earlier ones are not shown", "muted", 13, "start"))
        y += ROW
    for number, exchange in asked[-MOST:]:
        query = level.queries[exchange.key]
        kind = kinds[query.kind]
        said = f"{number}. {kind.name} {kind.write(query.argument, {})}"
        parts.append(_text(MARGIN, y + 8, _short(said), "ink", 14, "start"))
        parts.append(_text(WIDTH - MARGIN, y + 8, _short(exchange.reply), "ink", 14, "end"))
        y += ROW
    return parts, y


def _up(parents: dict[int, int], node: int) -> list[int]:
    """A node and those above it."""
    found = [node]
    while found[-1] in parents:
        found.append(parents[found[-1]])
    return found


def _names(things: Sequence[Any] | Codes) -> str:
    return ", ".join(map(str, things)) or "none"


def _short(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def _line(begin: tuple[float, float], end: tuple[float, float], shade: str) -> str:
    (x1, y1), (x2, y2) = begin, end
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{shade}"/>'


def _text(x: float, y: float, words: str, shade: str, size: int, anchor: str = "middle") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}"'
    return f'<text {place} class="{shade}">{escape(words)}</text>'
