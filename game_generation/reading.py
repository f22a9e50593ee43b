"""Whether a game's text and code agree: a second model reads the text alone, and never sees the code.

It is asked twice. Of positions that the code came to in random games it says what holds in them: who is to move, which
of some moves are legal, who has won. And it writes plays of its own, which the code must follow: so a move that the
rules allow and the code never does is found too. Where reader and code differ, one of both is wrong, or the text cannot
be understood; each is a reason to mend the game.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from interactive_envs.game_generation.answers import read_json
from interactive_envs.novel_games import admission
from interactive_envs.novel_games.host.adapter import TOO_LONG
from interactive_envs.novel_games.host.traces import traces
from interactive_envs.novel_games.rules import GeneratedGame

GAMES = 4
"""Random games; a position within each and its end are asked about."""
LEGAL, OTHER = 4, 4
"""Moves of a position at most that are legal, and that are not."""
SEATS = ("first", "second")
INSTRUCTIONS = """\
You are given the rules of a game for two players, called first and second, and some positions. Work out from the rules
alone what holds in each position. Do not guess what the game is; apply the text as it stands.

Reply with one JSON object in a fenced block. It has the number of each position as a key, and as its value

    {"over": false, "to_move": "first", "legal": ["take 5"]}    while the game goes on: who is to move, and which of
                                                                the listed moves are legal
    {"over": true, "winner": "second"}                          when it has ended; "draw" where nobody has won"""

ENDS_WITHIN, LEAST_ILLEGAL = 40, 4
"""Moves after which the play to an end may stop, and forbidden moves that the plays name at least."""
TRACES = f"""\
You are given the rules of a game for two players, called first and second, and a table of its moves. Write two plays of
it from the rules alone, in the form of their examples. Apply the text as it stands. Do not copy an example.

- The first play goes to the end of a game, on a way that is as short as you can find, and its last line says who has
  won. Where no end comes within {ENDS_WITHIN} moves, stop there.
- The second play has 8 to 16 moves and tries what is special: every kind of move, limits, whatever the rules treat
  apart. It has at least four `illegal:` lines: moves that the rules forbid there, and that a careless reader would
  make.

Reply with the two plays, each in a fenced block:

    ```trace
    seed 1
    first: take 5
    illegal: second: take 5
    second: take 9
    winner: first
    ```

A line is a move: who makes it, and its name as the rules spell it. `illegal:` stands before a move that is not made, of
the player whose turn it is.
`winner: first`, `second` or `draw` stands at the end of a game, and nowhere else. Leave out the lines of the board."""


AGAIN = """\
This cannot be read. It needs one JSON object with an answer to each position, in one of the two forms above. Send it \
again, complete."""
TRACES_AGAIN = f"""\
This cannot be read. It needs two plays in fenced blocks, one of them to the end of a game, with at least \
{LEAST_ILLEGAL} lines that begin with `illegal:`. Every line has the form above. Send both again, complete."""


def positions(folder: Path) -> list[dict[str, Any]]:
    """Positions of random games, with what the code says of them.

    Args:
        folder: of a game that passed its check; its code runs in the sandbox.

    Returns:
        Of each the lines of the log, the board as the player to move sees it, the moves to ask about and ``truth``, in
        the form of the reply. JSON values.
    """
    game = GeneratedGame(str(folder))
    rng = np.random.default_rng(0)
    played = [_played(game, rng) for _ in range(GAMES)]
    names = sorted({name for views in played for view in views for name in view.names})
    found = []
    for views in played:
        middle = int(rng.integers(len(views) - 1)) if len(views) > 1 else 0
        places = [middle]
        # The limit of turns is no rule of the game's own: a game that it ended has no end to ask about.
        if views[-1].result != TOO_LONG and len(views) > 1:
            places.append(len(views) - 1)
        for place in places:
            # The last board may print the winner, so the one before the last move is shown, in every position: no
            # board tells which ones are ends. With secrets only the last one belongs to the log's seat, and with
            # chance it may have decided the last move.
            certain = place and not (game.folder.hidden or game.folder.chance)
            found.append(_position(views[place], names, rng, views[place - 1].board if certain else ""))
    return found


def question(rules: str, asked: Sequence[Mapping[str, Any]]) -> str:
    """The rules and the positions, without what the code says of them."""
    parts = [rules.strip()]
    for number, one in enumerate(asked, 1):
        log = "\n".join(f"{place}. {line}" for place, line in enumerate(one["log"], 1)) or "(none)"
        moves = ", ".join(one["moves"]) or "(none)"
        board = "Board before the last move" if one.get("before") else "Board"
        parts.append(f"## Position {number}\n\nMoves so far:\n{log}\n\n{board}:\n{one['board']}\n\nMoves: {moves}")
    return "\n\n".join(parts)


def differences(asked: Sequence[Mapping[str, Any]], reply: str) -> list[str] | None:
    """Where a reader differs from the code, a sentence each; None where the reply is no answer.

    >>> asked = [{"log": [], "moves": ["take 1"], "truth": {"over": False, "to_move": "first", "legal": ["take 1"]}}]
    >>> differences(asked, '{"1": {"over": false, "to_move": "first", "legal": []}}')
    ['position 1, at the start: by the rules take 1 is not legal, in the code it is']
    >>> asked[0] |= {"log": ["First: take 2", "Second: take 1"]}
    >>> differences(asked, '{"1": {"over": true, "winner": "first"}}')
    ['position 1, after First: take 2 / Second: take 1: by the rules the game is over, in the code it goes on']
    """
    said = read_json(reply)
    answers: list[Any] = [(said or {}).get(str(number)) for number in range(1, len(asked) + 1)]
    if not all(map(_is_answer, answers)):
        return None
    found = []
    for number, (one, answer) in enumerate(zip(asked, answers, strict=True), 1):
        log = one["log"]
        where = f"after {' / '.join(log)}" if log else "at the start"  # who mends it never saw the positions
        found += [
            f"position {number}, {where}: {what}" if not place else f"position {number}: {what}"
            for place, what in enumerate(_differs(one, answer))
        ]
    return found


def _is_answer(said: Any) -> bool:
    """Whether a reader's answer to a position has the form that was asked for; else it says nothing about the game."""
    if not isinstance(said, dict) or not isinstance(said.get("over"), bool):
        return False
    if said["over"]:
        return "winner" in said and _winner(said) in (*SEATS, "draw")
    return str(said.get("to_move")).lower() in SEATS and isinstance(said.get("legal"), list)


def _winner(said: Mapping[str, Any]) -> str:
    winner = str(said["winner"]).lower()
    return "draw" if winner in ("none", "tie", "nobody") else winner


def asked_for_traces(rules: str, actions: str) -> str:
    """The rules and the table of moves."""
    return f"{rules.strip()}\n\n## Moves\n\n{actions.strip()}"


def disagreements(folder: Path, reply: str) -> list[str] | None:
    """Where the code does not follow a reader's plays, a sentence each; None where the reply holds no such plays.

    Args:
        folder: of a game that passed its check; its code runs in the sandbox.
        reply: of the reader.
    """
    plays = plays_of(reply)
    if plays is None:
        return None
    return [_went(play, fault) for play in plays for fault in admission.follow(folder, play)]


def plays_of(reply: str) -> list[str] | None:
    """The plays in a reader's reply, as ``rules.md`` would have them; None where they are not what was asked for."""
    plays = [_tidy(play.text) for play in traces(reply)]
    lines = [line for play in plays for line in play.splitlines()]
    if not all(map(_LINE.fullmatch, lines)):
        return None
    ends = any(line.startswith("winner:") for line in lines)
    long = any(len(re.findall(r"^(?:first|second):", play, re.MULTILINE)) >= ENDS_WITHIN for play in plays)
    if len(plays) < 2 or not (ends or long) or sum(line.startswith("illegal:") for line in lines) < LEAST_ILLEGAL:
        return None
    return plays


_LINE = re.compile(r"seed \d+|(?:illegal: )?(?:first|second): .+|winner: (?:first|second|draw)")
"""A line of a reader's play; without the name of a move it is no word about the game."""


def _tidy(play: str) -> str:
    """A play as rules.md would have it: what a reader may write in other ways means the same."""
    lines = [" ".join(re.sub(r"^\s*(#|//).*|\s(#|//)\s.*", "", line).split()) for line in play.splitlines()]
    found = [_FORM.sub(lambda words: re.sub(r" ?: ?", ": ", words[0].lower()), line) for line in lines if line]
    found = [line.lower().rstrip(".") if line.startswith("winner:") else line for line in found]
    found = [line for line in found if not line.startswith("board:")]
    return "\n".join(found if found[:1] and found[0].startswith("seed") else ["seed 1", *found])


_FORM = re.compile(r"^(?:illegal ?: ?)?(?:first|second|winner|board) ?: ?|^seed ", re.IGNORECASE)


def _went(play: str, fault: str) -> str:
    """A fault of the form ``line 5: …`` with the lines before it."""
    number = int(fault.partition(":")[0].removeprefix("line "))
    return f"in the play that a reader wrote from the rules, {' / '.join(play.splitlines()[:number])}: {fault}"


def _differs(one: Mapping[str, Any], said: Mapping[str, Any]) -> list[str]:
    truth = one["truth"]
    if said["over"] != truth["over"]:
        return [
            f"by the rules the game {'is over' if said.get('over') else 'goes on'}, in the code it "
            f"{'is over' if truth['over'] else 'goes on'}"
        ]
    if truth["over"]:
        winner = _winner(said)
        return [] if winner == truth["winner"] else [f"by the rules {winner} wins, in the code {truth['winner']}"]
    found = []
    mover = str(said.get("to_move")).lower()
    if mover != truth["to_move"]:
        found.append(f"by the rules {mover} is to move, in the code {truth['to_move']}")
    named = {str(name).strip().lower() for name in said["legal"]}
    for name in one["moves"]:
        by_code, by_rules = name in truth["legal"], name.lower() in named
        if by_code != by_rules:
            sides = ("is legal", "it is not") if by_rules else ("is not legal", "it is")
            found.append(f"by the rules {name} {sides[0]}, in the code {sides[1]}")
    return found


def _played(game: GeneratedGame, rng: np.random.Generator) -> list[Any]:
    """The views of the player to move in a random game, and one of its end."""
    state = game.start(rng, {})
    views = []
    while (seat := game.to_move(state)) is not None:
        view = game.view(state, seat)
        views.append(view)
        game.play(state, seat, view.legal[int(rng.integers(len(view.legal)))])
    return [*views, game.view(state, 0)]


def _position(view: Any, names: Sequence[str], rng: np.random.Generator, before: str = "") -> dict[str, Any]:
    """A position as it is asked about, with the board before the last move where there is one."""
    others = [name for name in names if name not in view.names]
    moves = [*_some(view.names, LEGAL, rng), *_some(others, OTHER, rng)]
    if view.over:
        moves = _some(others, LEGAL + OTHER, np.random.default_rng(len(view.log)))
    asked = {"log": list(view.log), "board": view.board, "moves": sorted(moves)}
    if before:
        asked |= {"board": before, "before": True}
    if view.over:
        winner = view.result if view.result in SEATS else "draw"
        return asked | {"truth": {"over": True, "winner": winner}}
    legal = [name for name in asked["moves"] if name in view.names]
    return asked | {"truth": {"over": False, "to_move": SEATS[view.to_move], "legal": legal}}


def _some(names: Sequence[str], most: int, rng: np.random.Generator) -> list[str]:
    return [names[int(place)] for place in rng.permutation(len(names))[:most]]
