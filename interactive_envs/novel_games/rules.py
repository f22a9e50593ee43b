"""Generated games under the contract of :mod:`interactive_envs.game`: any game folder, its code vetted or sandboxed."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactive_envs.errors import ConfigError, ForeignCodeError, UnknownNameError
from interactive_envs.multiplayer.game import Game, read_legal
from interactive_envs.novel_games.folder import GameFolder, own, own_names, read_folder
from interactive_envs.novel_games.host.adapter import (
    DRAW,
    EXTRAS,
    TOO_LONG,
    WON,
    GameError,
    Program,
    Table,
    folded,
    name_fault,
)
from interactive_envs.novel_games.host.sandboxed import RemoteProgram, RemoteTable
from interactive_envs.novel_games.search.contest import Contest
from interactive_envs.outcome import Outcome
from interactive_envs.parsing import Illegal, Unreadable, read_action
from interactive_envs.sandbox import SandboxError
from interactive_envs.view import View

ANSWERS = ("name", "number")
SHOWN_EXAMPLES = 12
LONGEST_BARE = 80
"""Characters of a text without a tag that may be a move."""
_PARTS = ("player", "board", "observation")
"""What a view holds beside ``known``, which would hold it again; so does the log, which leaves an empty list."""
_sorted_json = json.JSONEncoder(sort_keys=True).encode


@dataclass(frozen=True)
class GeneratedView(View):
    """All that one seat may know.

    Attributes:
        game: name of a game of the package, or path of a game folder.
        answers: ``name`` or ``number``: how moves are given.
        seat: whose view it is.
        to_move: the seat that acts next.
        turns: moves played.
        max_turns: moves after which the game is too long.
        board: as this seat sees it.
        observation: the game's own, before it is scaled.
        legal: action indices, () where the seat waits.
        names: of the legal moves.
        log: the moves, or what this seat learnt of them, a line each.
        moves: action indices from the start, where nothing is hidden or drawn.
        known: JSON text of what else the game tells this seat, ``null`` where it leaves that to the moves.
        result: ``first`` or ``second`` for the winner, ``draw``, ``too long``, None while the game goes on.
        forfeited: the seat that forfeited, None where nobody did.
    """

    game: str
    answers: str
    seat: int
    to_move: int
    turns: int
    max_turns: int
    board: str
    observation: tuple[float, ...]
    legal: tuple[int, ...]
    names: tuple[str, ...]
    log: tuple[str, ...]
    moves: tuple[int, ...]
    known: str
    result: str | None
    forfeited: int | None

    @property
    def over(self) -> bool:
        """Whether no move is to come."""
        return self.result is not None or self.forfeited is not None

    @property
    def choices(self) -> tuple[str, ...]:
        """The legal moves as they are given."""
        return self.names if self.answers == "name" else tuple(map(str, self.legal))

    def text(self, action: int) -> str:
        """The text that plays a legal move."""
        return f"<move>{self.choices[self.legal.index(action)]}</move>"

    def as_table(self) -> dict[str, Any]:
        """The view in the form of :meth:`interactive_envs.novel_games.host.adapter.Table.view`, for searches."""
        content = {name: list(getattr(self, name)) for name in ("legal", "names", "log", "moves", "observation")}
        content |= {name: getattr(self, name) for name in ("seat", "to_move", "turns", "board", "result")}
        known = json.loads(self.known)
        if known is not None:
            known |= {"player": self.seat, "board": self.board, "observation": content["observation"]}
            if "log" in known:
                known["log"] = content["log"]
        return content | {"known": known or {}}


@dataclass
class GeneratedState:
    """One game under way.

    Attributes:
        table: the game.
        forfeited: the seat that forfeited, None where nobody did.
        history: every move: seat, action and name.
    """

    table: Table | RemoteTable
    forfeited: int | None = None
    history: list[tuple[int, int, str]] = field(default_factory=list)


class GeneratedGame(Game[GeneratedState]):
    """A game folder as a game for two seats, which are called First and Second.

    Args:
        path: name of a game of the package, or path of a game folder, whose code then runs in the sandbox.
        answers: ``name``, moves are given by their names; ``number``, by their action indices, as in gg-bench.
        log: whether the text repeats the moves so far.
        lone: whether a move that is the only legal one is played without asking.
        legal: ``listed``, the text names the legal moves, or ``hidden``, it leaves them to the rules.

    Raises:
        ConfigError: an argument has a value that cannot work, or the folder cannot be used.
    """

    numeric_actions: int

    def __init__(
        self, path: str, *, answers: str = "name", log: bool = True, lone: bool = False, legal: str = "listed"
    ) -> None:
        if answers not in ANSWERS:
            raise UnknownNameError("answers", str(answers), ANSWERS)
        self.folder = find_folder(path)
        self.path, self.answers, self.log, self.lone = path, answers, log, lone
        self.legal = read_legal(legal)
        self.program, self._faults = _loaded(self.folder), _Faults(self.folder)
        self.sandboxed = not self.folder.vetted
        self.seats = 2
        self.history = "last:1" if log else "none"
        self.numeric_actions = self.program.actions
        self.numeric_shape = (self.program.size + EXTRAS,)

    def __reduce__(self) -> tuple[Any, ...]:
        arguments = {name: getattr(self, name) for name in ("answers", "log", "lone", "legal")}
        return functools.partial(GeneratedGame, **arguments), (self.path,)

    @functools.cached_property
    def action_examples(self) -> tuple[str, ...]:  # type: ignore[override]
        """Moves of the first turn."""
        view = self.view(self.start(np.random.default_rng(0), {}), 0)
        return tuple((self.legal_actions(view) or ["<move>pass</move>"])[:SHOWN_EXAMPLES])

    def start(self, rng: np.random.Generator, options: Mapping[str, Any]) -> GeneratedState:
        """Set the game up; its own generator is seeded with a number that ``rng`` draws."""
        with self._faults:
            state = GeneratedState(self.program.new(int(rng.integers(2**31))))
        self._play_lone(state)
        return state

    def clone(self, state: GeneratedState) -> GeneratedState:
        """An independent copy."""
        return GeneratedState(state.table.clone(), state.forfeited, [*state.history])

    def to_move(self, state: GeneratedState) -> int | None:
        """The seat that acts now."""
        over = state.table.result is not None or state.forfeited is not None
        return None if over else state.table.seat

    def read(self, state: GeneratedState, seat: int, text: str) -> int | Unreadable:
        """Read ``<move>NAME</move>`` or the name alone; with ``answers="number"`` the action index."""
        legal, choices = self._choices(state, seat)
        body = text.removeprefix("<move>").removesuffix("</move>")
        if body in choices and text == f"<move>{body}</move>":  # nearly all texts
            return legal[choices.index(body)]
        # No move has a < in its name, so that a tagged text is none by itself.
        found = None if "<" in text else _found(choices, text)
        if found is None and not self._is_like_a_move(choices, text):
            action = read_action(text, self.action_tags)
            if isinstance(action, Unreadable):
                return action
            text = action.body
            found = _found(choices, text)
        if found is not None:
            return legal[found]
        what = "a legal move now; the rules say which are" if self.legal == "hidden" else "one of the legal moves"
        return Illegal(f"{folded(text)[:80]!r} is not {what}.")

    def _is_like_a_move(self, choices: Sequence[str], text: str) -> bool:
        """Whether a text without a tag has the form of a legal move, or is in the table of actions."""
        text = folded(text)
        if len(text) > LONGEST_BARE or not text:
            return False
        if self.answers == "name" and text in self._cells:
            return True
        return "<" not in text and _form(text) in map(_form, map(folded, choices))

    @functools.cached_property
    def _cells(self) -> frozenset[str]:
        """What stands in the table of actions."""
        return frozenset(folded(cell) for cell in self.folder.actions.split("|"))

    def play(self, state: GeneratedState, seat: int, move: int) -> None:
        """Play a legal move, and those that then are the only ones, if they are not asked for."""
        self._say(state, move)
        self._play_lone(state)

    def _play_lone(self, state: GeneratedState) -> None:
        while self.lone and (seat := self.to_move(state)) is not None:
            legal, _ = self._choices(state, seat)
            if len(legal) > 1:
                return
            self._say(state, legal[0])

    def _say(self, state: GeneratedState, move: int) -> None:
        table = state.table
        with self._faults:
            legal, names = table.choices()
            said = table.seat, move, names[legal.index(move)]
            table.say(move)
        state.history.append(said)

    def punish(self, state: GeneratedState, seat: int, policy: str) -> None:
        """``forfeit`` ends the game: the seat has lost by a fault."""
        if policy not in self.invalid_policies:
            raise UnknownNameError("on_invalid", policy, self.invalid_policies)
        state.forfeited = seat

    def returns(self, state: GeneratedState) -> tuple[float, ...]:
        """1 for a win, -1 for a loss, 0 for a draw, a game that is too long, or one under way."""
        if state.forfeited is not None:
            return (-1.0, 1.0) if state.forfeited == 0 else (1.0, -1.0)
        return state.table.score(0), state.table.score(1)

    def outcomes(self, state: GeneratedState) -> tuple[Outcome, ...]:
        """Win, draw, loss, a forfeit and its other side, a game that was too long."""
        if state.forfeited is not None:
            return tuple(Outcome.FORFEIT if seat == state.forfeited else Outcome.SUCCESS for seat in range(2))
        if state.table.result in WON:
            return tuple(Outcome.SUCCESS if WON[seat] == state.table.result else Outcome.FAILURE for seat in range(2))
        return (Outcome.DRAW if state.table.result == DRAW else Outcome.TIMEOUT,) * 2

    def view(self, state: GeneratedState, seat: int) -> GeneratedView:
        """All that the seat may know."""
        with self._faults:
            content = state.table.view(seat)
        self._check(content["names"])
        over, known = state.forfeited is not None, "null"
        if self.program.views:
            own = {name: value for name, value in content["known"].items() if name not in _PARTS}
            if "log" in own:
                own["log"] = []
            known = _sorted_json(own)
        return GeneratedView.of(
            game=self.path,
            answers=self.answers,
            seat=seat,
            to_move=content["to_move"],
            turns=content["turns"],
            max_turns=self.folder.max_turns,
            board=content["board"],
            observation=tuple(content["observation"]),
            legal=() if over else tuple(content["legal"]),
            names=() if over else tuple(content["names"]),
            log=tuple(content["log"]),
            moves=tuple(content["moves"]),
            known=known,
            result=content["result"],
            forfeited=state.forfeited,
        )

    def _choices(self, state: GeneratedState, seat: int) -> tuple[tuple[int, ...], tuple[str, ...]]:
        """The legal moves of a seat and how they are given, none where it waits."""
        if self.to_move(state) != seat:
            return (), ()
        with self._faults:
            legal, names = state.table.choices()
        self._check(names)
        return legal, names if self.answers == "name" else tuple(map(str, legal))

    def _check(self, names: Sequence[str]) -> None:
        if fault := name_fault(names):
            raise ForeignCodeError(f"game {self.folder.name}: {fault}")

    def rules(self, view: GeneratedView) -> str:
        """The folder's rules, which seat this is, and how to answer."""
        parts = [self.folder.rules.strip()]
        hidden = self.legal == "hidden"
        if hidden or self.answers == "number" or not self.program.names:  # else the list says what a move is called
            parts.append(self.folder.actions.strip())
        if hidden:
            form = "<move>N</move> with the number" if self.answers == "number" else "<move>…</move> with the name"
            parts.append(f"Answer {form} of a legal move. The legal moves are not listed: they follow from the rules.")
        elif self.answers == "number":
            parts.append("Answer <move>N</move> with the number of a legal move.")
        else:
            parts.append("Answer <move>…</move> with one of the legal moves, exactly as written.")
        seat = f"You are {WON[view.seat].capitalize()}. A win scores 1, a draw 0, a loss -1."
        # games of the package end by their own rules before they are too long
        too_long = f" A game that has not ended after {view.max_turns} moves has no winner."
        parts.append(seat if self.folder.vetted else seat + too_long)
        return "\n\n".join(parts)

    def situation(self, view: GeneratedView) -> str:
        """The moves so far, the board, and the legal moves by name unless they are hidden."""
        lines = []
        if self.log and view.log:
            lines += ["Moves so far:", *(f"{number}. {line}" for number, line in enumerate(view.log, 1)), ""]
        lines.append(view.board)
        if view.over:
            lines.append(_ending(view))
        elif view.legal:
            listed = "" if self.legal == "hidden" else f" Legal moves: {', '.join(view.choices)}"
            lines += ["", f"You are {WON[view.seat].capitalize()}. It is your move.{listed}"]
        else:
            lines += ["", f"{WON[view.to_move].capitalize()} is to move."]
        return "\n".join(lines)

    def legal_actions(self, view: GeneratedView) -> list[str]:
        """Every legal move as the text that plays it."""
        return [f"<move>{choice}</move>" for choice in view.choices]

    def legal_now(self, state: GeneratedState, seat: int) -> list[str]:
        """The same, without the board and the rest of a view."""
        return [f"<move>{choice}</move>" for choice in self._choices(state, seat)[1]]

    def resample(self, view: GeneratedView, rng: np.random.Generator) -> GeneratedState:
        """A game drawn among those that look like this to the seat."""
        with self._faults:
            return GeneratedState(self.program.resample(view.as_table(), rng), view.forfeited)

    def contest(self, players: Sequence[Mapping[str, Any]]) -> Callable[[int, Sequence[int], Sequence[int]], str]:
        """Let programs meet without views and texts.

        Args:
            players: two, see :class:`interactive_envs.novel_games.search.contest.Contest`.

        Returns:
            Plays a game for the seed that :meth:`start` is given, the seeds of the seats and the player on each seat,
            and returns its result.

        Raises:
            ConfigError: a network was trained on another game.
        """
        try:
            program = self.program
            contest = Contest(program, players) if isinstance(program, Program) else program.contest(players)
        except ValueError as error:
            raise ConfigError(str(error)) from error

        def play(seed: int, seeds: Sequence[int], seats: Sequence[int]) -> str:
            with self._faults:
                return contest.play(int(np.random.default_rng(seed).integers(2**31)), seeds, seats)

        return play

    def record(self, state: GeneratedState) -> dict[str, Any]:
        """The whole game: ``game``, ``title``, ``category``, ``sha256``, ``moves``, ``result``, ``forfeited``."""
        moves = [{"seat": seat, "action": action, "name": name} for seat, action, name in state.history]
        content = {name: getattr(self.folder, name) for name in ("name", "title", "category", "sha256")}
        return content | {"moves": moves, "result": state.table.result, "forfeited": state.forfeited}

    def data_sha256(self) -> str:
        """Hash of the game's rules and code."""
        return self.folder.sha256

    def encode(self, view: GeneratedView) -> NDArray[np.float32]:
        """The game's own observation scaled into [0, 1], then: to move, seat, share of the turns used."""
        extras = (float(bool(view.legal)), view.seat, view.turns / view.max_turns)
        return np.concatenate([self.program.scale(view.observation), np.array(extras, np.float32)]).astype(np.float32)

    def decode(self, view: GeneratedView, index: int) -> str:
        """The text that plays an action index, '' for one that is not legal."""
        return view.text(index) if index in view.legal else ""


def find_folder(path: str) -> GameFolder:
    """A game of the package by its name or id, or any game folder by its path.

    Raises:
        ConfigError: there is neither.
    """
    if not isinstance(path, str):
        raise ConfigError(f"path must be the name of a game or of a folder, got {path!r}")
    by_id = re.fullmatch(r"ibench/Game-(.+)-v\d+", path)
    if (name := by_id[1] if by_id else path) in own_names():
        return own(name)
    if re.fullmatch(r"[\w-]+", path) and not Path(path).is_dir():
        raise UnknownNameError("game", path, own_names())
    return read_folder(path)


def program_of(path: str) -> Program | RemoteProgram:
    """The loaded code of a game: in this process if it is the package's own, else in the sandbox.

    Raises:
        ConfigError: it cannot be loaded.
    """
    return _loaded(find_folder(path))


@functools.lru_cache(maxsize=64)
def _loaded(folder: GameFolder) -> Program | RemoteProgram:
    try:
        make = Program if folder.vetted else RemoteProgram
        return make(folder.source, **folder.options)
    except (GameError, SandboxError) as error:
        raise ConfigError(f"game {folder.name} cannot be loaded: {error}") from error


class _Faults:
    """A game that breaks its contract is a fault of the environment, never play."""

    __slots__ = ("_folder",)

    def __init__(self, folder: GameFolder) -> None:
        self._folder = folder

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if isinstance(error, GameError | SandboxError):
            raise ForeignCodeError(f"game {self._folder.name}: {error}") from error


def _ending(view: GeneratedView) -> str:
    if view.forfeited is not None:
        who = "you" if view.forfeited == view.seat else "the other player"
        return f"The game is over: {who} forfeited it."
    if view.result == TOO_LONG:
        return f"The game has reached the limit of {view.turns} moves and has no winner."
    if view.result == DRAW:
        return "The game is over: a draw."
    return "The game is over: " + ("you have won." if WON[view.seat] == view.result else "you have lost.")


def _form(name: str) -> str:
    """How a move is written: its words, with one digit for any number and one letter for any other single letter."""
    return re.sub(r"(?<![a-z])[a-z](?![a-z])", "a", re.sub(r"\d+", "0", name))


def _found(choices: Sequence[str], text: str) -> int | None:
    """Which choice a text names: word for word, or but for capitals and spaces where that names one only."""
    text = text.strip()
    if text in choices:
        return choices.index(text)
    alike = [place for place, choice in enumerate(choices) if folded(choice) == folded(text)]
    return alike[0] if len(alike) == 1 else None
