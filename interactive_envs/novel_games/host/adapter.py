"""A game written as ``CustomEnv``, behind one face: who is to move, the legal moves, what each seat sees, the result.

What foreign files leave out (the acting player, names of moves, a clone, views) is derived here. This file and the
others of :data:`interactive_envs.novel_games.host.sandboxed.MODULES` know NumPy and Gymnasium only, for they run inside
the sandbox, too, where nothing else of the package is.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import io
import math
import pickle
import sys
import types
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete, MultiBinary, MultiDiscrete

DRAW, TOO_LONG = "draw", "too long"
WON = ("first", "second")
"""Results of a game: the winner's seat as a word, ``draw`` or ``too long``; None while it goes on."""
EXTRAS = 3
"""Entries that :meth:`Table.encoded` adds to the game's own: to move, seat, share of the turns used."""
PUNISHMENT = -10
"""Gg-bench's reward for an illegal move; its prompt asked for it after valid moves, so games pay it for those, too."""
MINUS_TEN = ("loss", "move")
"""What such a reward may mean after a move that is listed: the mover has lost, or nothing (an ordinary move)."""
PLAYER_NAMES = ("current_player", "current_turn", "player", "turn", "active_player", "player_turn", "to_move")
"""Attributes under which foreign games keep the acting player."""
ZERO_REWARDS = ("draw", "loss")
ELSEWHERE = "the same moves lead elsewhere, and the game has no view(player) and resample(view, rng)"
MOST_ACTIONS = 4096
"""A policy has one output for each, and a model must find its move among the legal ones."""
MOST_OBSERVED = 4096
"""Numbers of an observation: more than any board of a console game needs."""
PROBED, PROBED_MOVES = 24, 160
"""Most random games, and most moves in all of them, played to see whether an attribute tells the acting player."""
LABELS = ((0, 1), (1, 2), (1, -1))
"""Numbers that games call their players by: those of First and Second, whoever begins."""
WIDEST = 1e6
"""Span of an observation's bounds above which they say nothing about its values."""


class GameError(Exception):
    """The game's code broke its contract; a result about the game, never about a player."""


class Scale:
    """Brings a game's own observations into [0, 1].

    Args:
        low: least values, shape ``(size,)``; where one is infinite or far from its high, all are squashed.
        high: greatest values.
    """

    def __init__(self, low: Any, high: Any) -> None:
        self.low, self.high = np.asarray(low, np.float32), np.asarray(high, np.float32)
        with np.errstate(over="ignore", invalid="ignore"):
            self._bounded = bool((self.high - self.low <= WIDEST).all())  # False where one is infinite
        self._unit = self._bounded and bool((self.low == 0).all() and (self.high == 1).all())
        self._span = np.where(self.high > self.low, self.high - self.low, 1) if self._bounded else None

    def __call__(self, observation: Any) -> Any:
        """The observation as float32 of shape ``(size,)``."""
        return self.rows(np.asarray(observation, np.float32).ravel())

    def rows(self, values: Any) -> Any:
        """Observations, float32 of shape ``(…, size)``, scaled."""
        if self._unit:
            return values
        if self._span is not None:
            return np.clip((values - self.low) / self._span, 0, 1)
        return 0.5 + values / (2 + 2 * np.abs(values))


def bounds_of(space: Any) -> tuple[Any, Any]:
    """Least and greatest numbers of an observation, each of the space's shape.

    Raises:
        GameError: an observation of this space is no single array of numbers.
    """
    low: Any
    high: Any
    match space:
        case Box():
            low, high = space.low, space.high
        case MultiBinary():
            low, high = np.zeros(space.shape), np.ones(space.shape)
        case MultiDiscrete():
            low, high = space.start, space.start.astype(np.int64) + space.nvec - 1
        case Discrete():
            low, high = space.start, space.start + space.n - 1
        case _:
            known = "Box, MultiBinary, MultiDiscrete or Discrete"
            raise GameError(f"observation_space must be a {known}, got {type(space).__name__}")
    return low, high


class Program:
    """The code of one game, loaded; it makes tables.

    Args:
        source: text of ``game.py``.
        max_turns: moves of both seats after which a game is too long.
        zero_reward: what the end of a game with reward 0 means where nobody is named winner: ``draw``, or ``loss`` of
            the mover.
        player: attribute that holds the acting player; None looks for one, ``""`` means strict alternation.
        hidden: whether a seat does not see everything.
        minus_ten: what a reward of -10 means after a legal move: ``loss`` of the mover, ``move`` for nothing; ``""``
            for a loss where the game ends with it, and nothing where it goes on.

    Raises:
        GameError: the source does not run, has no ``CustomEnv``, or one that cannot be built.
    """

    def __init__(
        self,
        source: str,
        *,
        max_turns: int = 100,
        zero_reward: str = "draw",
        player: str | None = None,
        hidden: bool = True,
        minus_ten: str = "",
    ) -> None:
        self.max_turns, self.zero_reward, self.hidden, self.minus_ten = max_turns, zero_reward, hidden, minus_ten
        self._arguments = source, max_turns, zero_reward, player, hidden, minus_ten
        module = types.ModuleType("game")
        sys.modules.setdefault("game", module)
        try:
            exec(compile(source, "game.py", "exec"), module.__dict__)  # noqa: S102  vetted, or inside the sandbox
            self.make = module.__dict__["CustomEnv"]
            env = self.make()
            self._copies = _Copies.of(env, module)
            env.reset(seed=0)
            self.actions = int(env.action_space.n)
            low, high = (np.asarray(bound, np.float32) for bound in bounds_of(env.observation_space))
            self.size = int(low.size)
        except GameError as error:
            raise GameError(f"the game cannot be built: {error}") from error
        except Exception as error:
            raise GameError(f"the game cannot be built: {type(error).__name__}: {error}") from error
        self.scale = Scale(low.ravel(), high.ravel())
        self.views = offers(env, "view") and offers(env, "resample")
        """Whether the game says itself what a seat knows; else a view is the list of moves, which is replayed."""
        if player and not hasattr(env, player):
            raise GameError(f"the game has no attribute {player!r} for the acting player")
        self.player, self.labels = self._acting(player)
        """The attribute that tells the acting player, ``""`` for none, and what it calls First and Second."""
        self.names, self.keys, self.clones, self.chances = (
            offers(env, name) for name in ("move_name", "key", "clone", "chance")
        )
        self._template = env

    def __reduce__(self) -> tuple[Any, ...]:
        return _program, self._arguments

    def __deepcopy__(self, memo: Any) -> Program:
        return self  # nothing in it changes

    def built(self) -> Any:
        """An environment as the game's constructor leaves it."""
        return self.make() if self._copies is None else self._copies.copy()

    def new(self, seed: int) -> Table:
        """A game from its start."""
        env = self.built()
        observation, _ = env.reset(seed=seed)
        return Table(self, env, observation)

    def resample(self, view: Mapping[str, Any], rng: np.random.Generator) -> Table:
        """A game drawn among those whose view is this one (see :meth:`Table.view`).

        Raises:
            GameError: the replayed game went another way: it has chance but no ``resample`` of its own.
        """
        if not self.views:
            table = self.new(int(rng.integers(2**31)))
            for action in view["moves"]:
                if action not in table.legal():
                    raise GameError(ELSEWHERE)
                table.say(action)
            if (table.seat, table.result, _numbers(table.observation)) != (
                view["to_move"],
                view["result"],
                view["observation"],
            ) or (table.seat == view["seat"] and table.legal() != view["legal"]):
                raise GameError(ELSEWHERE)
            return table
        env = self._scratch(rng)
        known = dict(view["known"])
        env.resample(known, rng)
        table = Table(self, env, np.asarray(known["observation"], np.float32))
        table.turns, table.transcript, table.result = view["turns"], [*view["log"]], view["result"]
        # after the end no seat is to move, and a game may keep anything in place of one
        table.seat = view["to_move"] if table.result is not None else self.seat_of(env, view["to_move"])
        return table

    def _scratch(self, rng: np.random.Generator) -> Any:
        """An environment in whatever state, with random numbers of its own."""
        seed = int(rng.integers(2**63))
        if not self.clones:
            env = self.built()
            env.reset(seed=seed)
            return env
        env = self._template.clone()  # a search does this for every simulation; to build and seed one takes much longer
        env.np_random = np.random.Generator(np.random.PCG64(seed))
        return env

    def clone(self, env: Any) -> Any:
        """An independent copy of an environment; spaces are shared."""
        if self.clones:
            return env.clone()
        shared = {id(space): space for space in (env.action_space, env.observation_space)}
        return copy.deepcopy(env, shared)

    def seat_of(self, env: Any, alternating: int) -> int:
        """The seat that acts next, ``alternating`` where the game does not tell."""
        if not self.player:
            return alternating
        return 0 if getattr(env, self.player) == self.labels[0] else 1

    def winner(self, label: Any, reward: float) -> str:
        """The result where ``info["winner"]`` is given: a player as the game calls it, or None for a draw.

        Raises:
            GameError: no player is called so.
        """
        if label is None:
            return DRAW
        if type(label) in _PLAIN and label in self.labels:
            return WON[self.labels.index(label)]
        if type(label) in _PLAIN and label == 0 and reward == 0:
            return DRAW
        known = " or ".join(repr(name) for name in self.labels if name is not None)
        raise GameError(f"info['winner'] must be {known}, or None for a draw, got {label!r}")

    def _acting(self, player: str | None) -> tuple[str, tuple[Any, Any]]:
        """The attribute of the acting player: of those with a usual name the first that has two values in play."""
        for name in PLAYER_NAMES if player is None else (player,) if player else ():
            starts, seen = self._values(name)
            if player is None and (len(seen) != 2 or not all(type(value) in {*_PLAIN, bool} for value in seen)):
                continue
            if not seen:
                raise GameError(f"the attribute {name!r} cannot tell the acting player")
            for labels in LABELS:
                if seen <= {*labels}:
                    return name, labels
            if len({*starts}) == 1 or player is not None:  # else nobody knows who is First
                others = seen - {starts[0]}
                return name, (starts[0], others.pop() if len(others) == 1 else None)
        return "", LABELS[0]

    def _values(self, name: str) -> tuple[list[Any], set[Any]]:
        """An attribute's value at the start of random games, and all that it has before their ends."""
        starts, seen, left = [], set(), PROBED_MOVES
        for seed in range(PROBED):
            env, rng, over = self.make(), np.random.default_rng(seed), False
            env.reset(seed=seed)
            with contextlib.suppress(Exception):  # a game that breaks on a legal move does so again where that counts
                starts.append(getattr(env, name))
                while left and not over:
                    seen.add(getattr(env, name))
                    moves = env.valid_moves()
                    over = env.step(int(moves[int(rng.integers(len(moves)))]))[2]
                    left -= 1
        return starts, seen


class _Copies:
    """Environments as one was built, of a game that keeps plain data: to build another takes longer than short games.

    Args:
        env: just built.
        known: what copies share: the spaces, and all that the game's module names.

    Raises:
        Exception: it holds what cannot be copied so.
    """

    def __init__(self, env: Any, known: Sequence[Any]) -> None:
        self._type, self._known = type(env), known
        content = io.BytesIO()
        _Pickler(content, known).dump(vars(env))
        self._content = content.getvalue()

    @classmethod
    def of(cls, env: Any, module: types.ModuleType) -> _Copies | None:
        """None where it has to be built again each time."""
        try:
            return cls(env, (env.action_space, env.observation_space, *vars(module).values()))
        except Exception:  # whatever Python says of what it cannot copy
            return None

    def copy(self) -> Any:
        """A new one."""
        env = object.__new__(self._type)
        vars(env).update(_Unpickler(self._content, self._known).load())
        return env


class _Pickler(pickle.Pickler):
    """Copies plain data; the rest, which may be compared by identity, must be known."""

    def __init__(self, content: io.BytesIO, known: Sequence[Any]) -> None:
        super().__init__(content, pickle.HIGHEST_PROTOCOL)
        self._places = {id(value): place for place, value in enumerate(known)}

    def persistent_id(self, value: Any) -> int | None:
        """The place of what is known."""
        place = self._places.get(id(value))
        if place is None and type(value) not in _COPIED and not getattr(value, "__module__", "").startswith("numpy"):
            raise pickle.PicklingError(f"a {type(value).__name__} may be compared by identity")
        return place


class _Unpickler(pickle.Unpickler):
    """Reads what was written in this process."""

    def __init__(self, content: bytes, known: Sequence[Any]) -> None:
        super().__init__(io.BytesIO(content))
        self._known = known

    def persistent_load(self, place: int) -> Any:
        """What is at a place."""
        return self._known[place]


def offers(env: Any, name: str) -> bool:
    """Whether an environment has one of our extensions; an attribute of that name may be anything."""
    return callable(getattr(env, name, None))


class Table:
    """One game under way."""

    __slots__ = (
        "_board",
        "_choices",
        "_key",
        "_legal",
        "env",
        "moves",
        "news",
        "observation",
        "program",
        "result",
        "seat",
        "transcript",
        "turns",
    )

    def __init__(self, program: Program, env: Any, observation: Any) -> None:
        self.program, self.env, self.observation = program, env, observation
        self.seat = program.seat_of(env, 0)
        self.turns = 0
        self.result: str | None = None
        self.moves: list[int] = []
        self.transcript: list[str] = []
        self.news = ""
        self._legal: list[int] | None = None
        self._choices: tuple[tuple[int, ...], tuple[str, ...]] | None = None
        self._board: str | None = None
        self._key: Any = None

    def __reduce__(self) -> tuple[Any, ...]:
        # the environment's class has no importable name, so its attributes travel without it
        state = self.seat, self.turns, self.result, self.moves, self.transcript
        return _table, (self.program, vars(self.env), self.observation, state)

    def __deepcopy__(self, memo: Any) -> Table:
        return self.clone()

    def legal(self) -> list[int]:
        """The legal moves as action indices; [] once the game is over.

        Raises:
            GameError: there is none before the end.
        """
        if self.result is not None:
            return []
        if self._legal is None:
            legal = self.env.valid_moves()
            if type(legal) is not list or (legal and type(legal[0]) is not int):  # NumPy's numbers, a tuple
                legal = [int(action) for action in legal]
            if not legal:
                raise GameError("no legal move before the end of the game")
            self._legal = legal
        return self._legal

    def name(self, action: int) -> str:
        """The name of a legal move."""
        return str(self.env.move_name(action)) if self.program.names else str(action)

    def choices(self) -> tuple[tuple[int, ...], tuple[str, ...]]:
        """The legal moves and their names, made once for a position."""
        if self._choices is None:
            legal = tuple(map(int, self.legal()))
            name = self.env.move_name if self.program.names else str
            self._choices = legal, tuple([str(name(action)) for action in legal])
        return self._choices

    def play(self, action: int) -> None:
        """Play a legal move.

        Raises:
            GameError: the game calls it illegal.
        """
        mover = self.seat
        self.observation, reward, terminated, truncated, info = self.env.step(action)
        self.turns += 1
        self.moves.append(action)
        self._legal = self._choices = self._board = self._key = None
        self.news = info.get("news", "")
        if reward <= PUNISHMENT and self.program.minus_ten:
            reward, terminated = (reward, True) if self.program.minus_ten == "loss" else (0, terminated)
        if terminated or truncated:
            self.result = self._result(mover, float(reward), bool(terminated), info)
        elif self.turns >= self.program.max_turns:
            self.result = TOO_LONG
        else:
            self.seat = self.program.seat_of(self.env, 1 - mover)

    def _result(self, mover: int, reward: float, terminated: bool, info: Mapping[str, Any]) -> str:
        if not math.isfinite(reward):
            raise GameError(f"a reward must be a number, got {reward}")
        if not terminated:
            return TOO_LONG
        if "winner" in info:
            result = self.program.winner(info["winner"], reward)
            if reward > 0 and result != WON[mover]:
                raise GameError(f"info['winner'] is {info['winner']!r}, but the other player has the reward {reward:g}")
            return result
        if reward > 0:
            return WON[mover]
        if reward < 0 or self.program.zero_reward == "loss":
            return WON[1 - mover]
        return DRAW

    def clone(self) -> Table:
        """An independent copy."""
        other = object.__new__(Table)
        other.program, other.env, other.observation = self.program, self.program.clone(self.env), self.observation
        other.seat, other.turns, other.result = self.seat, self.turns, self.result
        other.moves, other.transcript = [*self.moves], [*self.transcript]
        other._legal, other._choices, other._board, other._key = self._legal, self._choices, self._board, None
        return other

    def branch(self, action: int) -> Table:
        """A copy in which a move has been played; for search, it has no history."""
        other = object.__new__(Table)
        other.program, other.env, other.observation = self.program, self.program.clone(self.env), self.observation
        other.seat, other.turns, other.result = self.seat, self.turns, None
        other.moves, other.transcript = [], []
        other.play(action)
        return other

    def at(self, turns: int) -> Table:
        """The same position after so many moves, to look at and to branch from: the environment is shared."""
        if self.turns == turns:
            return self
        other = object.__new__(Table)
        other.program, other.env, other.observation = self.program, self.env, self.observation
        other.seat, other.turns, other.result = self.seat, turns, self.result
        other.moves, other.transcript = [], []
        other._legal, other._choices, other._board, other._key = self._legal, self._choices, self._board, self._key
        if self.result is None and turns >= self.program.max_turns:
            other.result = TOO_LONG
        return other

    def score(self, seat: int) -> float:
        """1 for a win of the seat, -1 for a loss, else 0."""
        if self.result is None or self.result not in WON:
            return 0.0
        return 1.0 if WON[seat] == self.result else -1.0

    def encoded(self) -> Any:
        """What the seat to move knows as float32 of shape ``(size + EXTRAS,)``, in [0, 1]."""
        program = self.program
        values = np.empty(program.size + EXTRAS, np.float32)
        values[: program.size] = program.scale(self.observation)
        values[program.size :] = (1.0, self.seat, self.turns / program.max_turns)
        return values

    def key(self) -> Any:
        """The state for tables of a search: equal keys mean equal futures."""
        if self.program.keys:
            return self.env.key()
        state = {name: value for name, value in vars(self.env).items() if name not in _NO_STATE}
        try:
            return repr(_identity(state))
        except RecursionError as error:
            raise GameError("the game's state holds itself; give it key()") from error

    def kept_key(self) -> Any:
        """The same, made once for a position: for a search that changes tables by their moves alone."""
        if self._key is None:
            self._key = self.key()
        return self._key

    def seen(self, seat: int) -> Any:
        """What tells states apart for a seat, hashable."""
        if not (self.program.views and self.program.hidden):
            return self.key()
        return repr({name: value for name, value in self.env.view(seat).items() if name != "log"})

    def view(self, seat: int) -> dict[str, Any]:
        """All that a seat may know, JSON values: what :meth:`Program.resample` and the texts are made from."""
        legal, names = self.choices() if self.seat == seat else ((), ())
        known: dict[str, Any] = {}
        moves: list[int] = []
        if self.program.views:
            known = _plain(self.env.view(seat))
            board, observation = known["board"], known["observation"]
            # the log names the moves, which the other seat may not have seen
            log = known.get("log", [] if self.program.hidden else self.transcript)
        else:
            if self._board is None:  # both seats see the same one
                self._board = str(self.env.render())
            board, observation, log = self._board, _numbers(self.observation), [*self.transcript]
            moves = [int(action) for action in self.moves]
        return {
            "seat": seat,
            "to_move": self.seat,
            "turns": self.turns,
            "legal": [*legal],
            "names": [*names],
            "result": self.result,
            "board": board,
            "observation": observation,
            "known": known,
            "moves": moves,
            "log": log,
        }

    def say(self, action: int) -> None:
        """Play a legal move and note it in words."""
        line = f"{WON[self.seat].capitalize()}: {self.name(action)}"
        self.play(action)
        self.transcript.append(f"{line} ({self.news})" if self.news else line)


def encoded(tables: Sequence[Table]) -> Any:
    """:meth:`Table.encoded` of several games of one program, a row each."""
    program = tables[0].program
    values = np.empty((len(tables), program.size + EXTRAS), np.float32)
    seen = np.array([table.observation for table in tables], np.float32).reshape(len(tables), program.size)
    values[:, : program.size] = program.scale.rows(seen)
    values[:, program.size :] = [(1.0, table.seat, table.turns / program.max_turns) for table in tables]
    return values


def folded(name: str) -> str:
    """A move's name without what a reader may get wrong: capitals and spaces."""
    return " ".join(name.lower().split())


def name_fault(names: Sequence[str]) -> str:
    """Why the names of the legal moves cannot be distinguished or read back, "" where they can."""
    return _name_fault(tuple(names))  # many positions have the same names


@functools.lru_cache(4096)
def _name_fault(names: tuple[str, ...]) -> str:
    for name in names:
        if not name.strip() or not name.isprintable() or "<" in name:
            return f"the name of a move is empty, more than a line, or has a '<': {name!r:.80}"
    if len({" ".join(name.split()) for name in names}) < len(names):
        return "two legal moves have one name, or differ in spaces alone"
    return ""


def _program(
    source: str, max_turns: int, zero_reward: str, player: str | None, hidden: bool, minus_ten: str
) -> Program:
    return Program(
        source, max_turns=max_turns, zero_reward=zero_reward, player=player, hidden=hidden, minus_ten=minus_ten
    )


def _table(program: Program, attributes: Mapping[str, Any], observation: Any, state: tuple[Any, ...]) -> Table:
    env = object.__new__(program.make)
    vars(env).update(attributes)
    table = Table(program, env, observation)
    table.seat, table.turns, table.result, table.moves, table.transcript = state
    return table


_NO_STATE = {"_np_random", "_np_random_seed", "action_space", "metadata", "np_random", "observation_space", "spec"}


_JSON = {bool, float, int, str, type(None)}
_COPIED = {*_JSON, bytes, dict, frozenset, list, set, tuple, np.ndarray, np.dtype}
_PLAIN = {int, str, np.int8, np.int16, np.int32, np.int64}
"""What a player may be called."""


def _numbers(observation: Any) -> list[float]:
    return np.asarray(observation, np.float32).ravel().tolist()


def _plain(value: Any) -> Any:
    """JSON values for NumPy's."""
    if type(value) in _JSON:
        return value
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {str(key): item if type(item) in _JSON else _plain(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(_plain(item) for item in value)
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [item if type(item) in _JSON else _plain(item) for item in value]
    return value


def _identity(value: Any) -> Any:
    """What has the same ``repr`` for equal states only; never an address in memory, which tells nothing.

    Raises:
        GameError: it holds what cannot be distinguished.
    """
    if type(value) in _JSON or isinstance(value, np.generic | np.ndarray):
        return _plain(value)
    if isinstance(value, Mapping):
        return sorted((repr(_identity(key)), _identity(item)) for key, item in value.items())
    if isinstance(value, set | frozenset):
        return sorted(repr(_identity(item)) for item in value)
    if isinstance(value, Sequence):
        return [str(value)] if isinstance(value, str | bytes) else [_identity(item) for item in value]
    if isinstance(value, np.random.Generator):
        return _identity(value.bit_generator.state)
    if isinstance(value, type) or hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}"
    if isinstance(value, functools.partial):
        return [_identity(part) for part in (value.func, value.args, value.keywords)]
    if hasattr(value, "getstate"):  # of the standard library's random numbers
        return _identity(value.getstate())
    names = [*vars(value)] if hasattr(value, "__dict__") else [*getattr(value, "__slots__", ())]
    if names:
        return [type(value).__qualname__, sorted((name, _identity(getattr(value, name, None))) for name in names)]
    if f"{id(value):x}" in repr(value).lower():
        raise GameError(f"states with a {type(value).__name__} in them cannot be told apart; give the game key()")
    return repr(value)
