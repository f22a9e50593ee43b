"""Strategies: opponents with a hidden rule, met in games of rock, paper, scissors, of bullets and of cards.

Source: ORACLE, game strategy inference. Scores are not the points of one lucky game: each move is charged with what it
gave away, by exact dynamic programming against the opponent's rule.
"""

from __future__ import annotations

import functools
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from interactive_envs.black_box.base import Entry, Family, GameBox, Grade, Observations, Trial
from interactive_envs.black_box.strategy.games import (
    LONGEST,
    REVERSED_3,
    ROCK_3,
    ROCK_7,
    Cards,
    Duel,
    Game,
    Left,
    Move,
)
from interactive_envs.black_box.strategy.opponents import (
    Cycle,
    Echo,
    Emptier,
    Machine,
    MedianFirst,
    Piles,
    Uniform,
    cycle,
)
from interactive_envs.black_box.strategy.plan import Opponent, plan
from interactive_envs.parsing import Unreadable


@dataclass(frozen=True)
class Position:
    """A game so far.

    Attributes:
        state: the opponent's.
        left: what the player has left.
        history: pairs of the player's move and the opponent's.
    """

    state: Any
    left: Left
    history: tuple[tuple[Move, Move], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Match(GameBox):
    """An opponent in a game. A turn is a game; there is one trial for each of the game's lengths.

    A query is a move. Its fact is (points, the opponent's move, what the player has left, the move's number in its
    game); points and the opponent's move are None where they are hidden. The memory is the game so far.
    """

    game: Game
    opponent: Opponent

    tags = ("move",)

    @property
    def examples(self) -> tuple[str, ...]:
        """Moves that are legal now or later."""
        some = self.game.menu[: 1 if isinstance(self.game, Duel) else min(self.game.lengths)]
        return tuple(f"<move>{move}</move>" for move in some)

    @property
    def public(self) -> Any:
        """The game, as its ``of`` reads it, and the lengths."""
        return (self.game.public, self.game.lengths)

    @property
    def moves(self) -> int:
        """The longest game's."""
        return max(self.game.lengths)

    def introduction(self) -> str:
        """Describe the game, and the reply to a move."""
        news = "your points" if self.partial else "the opponent's move and your points"
        return (
            "You play games of several moves against an opponent who follows a hidden rule, the same in all games. "
            "What it plays may depend on the number of the move, on the earlier moves of the same game, and on "
            f"chance. {self.game.rules()} After each move of a practice game you are shown {news}."
        )

    def examination(self) -> str:
        """How a test game is scored."""
        return (
            "It has as many moves as a practice game, and the opponent begins its rule anew. Luck does not count: each "
            "of your moves counts the points that it wins on average over what the opponent may draw. Your score is "
            "the sum of these, divided by the best possible sum. Perfect play scores 1."
        )

    def reveal(self, trial: Trial) -> str:
        """The rule, with the first trial."""
        return self.opponent.describe() if trial.public == self.game.lengths[0] else ""

    def trials(self, rng: np.random.Generator, count: int) -> tuple[Trial, ...]:
        """One per game length, starting again after the last."""
        lengths = self.game.lengths
        return tuple(Trial(public=lengths[number % len(lengths)]) for number in range(count))

    def brief(self, trial: Trial) -> str:
        """The length."""
        return self.game.brief(trial.public)

    def begin(self, trial: Trial) -> Any:
        """Nothing played."""
        return Position(self.opponent.begin(trial.public), self.game.start(trial.public))

    def seen(self, trial: Trial, memory: Any) -> Any:
        """The game's length, the moves made, and what the player has left."""
        return (trial.public, len(memory.history), memory.left)

    def read_query(self, tag: str, body: str, seen: Any) -> Any | Unreadable:
        """Read a move that is legal with what is left."""
        return self.game.read(body, seen[2])

    def reply(self, trial: Trial, memory: Any, query: Any, rng: np.random.Generator) -> tuple[Any, Any]:
        """Both move at once."""
        odds = self.opponent.odds(memory.state)
        theirs = odds[0][0]
        if len(odds) > 1:
            tickets = [move for move, weight in odds for _ in range(weight)]
            theirs = tickets[int(rng.integers(len(tickets)))]
        state = self.opponent.after(memory.state, self.opponent.notices(memory.state, query), theirs)
        left = self.game.after(memory.left, query, theirs)
        later = Position(state, left, (*memory.history, (query, theirs)))
        points = self.game.points(query, theirs)
        return (points, None if self.partial else theirs, left, len(later.history)), later

    def tell(self, query: Any, fact: Any) -> str:
        """Both moves and what came of them, as far as they are shown."""
        points, theirs, left, number = fact
        other = "" if theirs is None else f", the opponent {theirs}"
        won = "" if points is None else f": {points} point{'' if points == 1 else 's'}"
        return f"Move {number}: you played {query}{other}{won}. {self.game.say_left(left)}".strip()

    def veil(self, fact: Any) -> Any:
        """What the player has left, and the move's number."""
        _, _, left, number = fact
        return (None, None, left, number)

    def over(self, trial: Trial, memory: Any) -> bool:
        """Whether all moves are made."""
        return len(memory.history) >= int(trial.public)

    def progress(self, trial: Trial, memory: Any) -> tuple[int, int]:
        """The next move and the length."""
        return len(memory.history) + 1, int(trial.public)

    def score(self, trial: Trial, memory: Any) -> float:
        """The optimum without what each move, and giving up, gave away, as a part of the optimum."""
        length = int(trial.public)
        exact = plan(self.game, self.opponent)
        state, left = self.opponent.begin(length), self.game.start(length)
        best = exact.value(length, state, left)
        lost = 0.0
        for number, (mine, theirs) in enumerate(memory.history):
            lost += exact.value(length - number, state, left) - exact.worth(length - number, state, left, mine)
            state = self.opponent.after(state, self.opponent.notices(state, mine), theirs)
            left = self.game.after(left, mine, theirs)
        lost += exact.value(length - len(memory.history), state, left)
        return min(1.0, max(0.0, round((best - lost) / best, 12)))

    @functools.cached_property
    def queries(self) -> Sequence[str]:
        """Every move of the game."""
        return tuple(f"<move>{move}</move>" for move in self.game.menu)

    def legal(self, seen: Any) -> Sequence[str] | None:
        """The moves that what is left allows."""
        return tuple(f"<move>{move}</move>" for move in self.game.legal(seen[2]))

    @property
    def turn_size(self) -> int:
        """Two moves, whether points are told, the points, the move's number, what is left."""
        return 2 * self.game.move_size + 3 + self.game.left_size

    def encode_turn(self, query: Any, fact: Any) -> Sequence[float]:
        """A hidden move is all zeros."""
        points, theirs, left, number = fact
        return (
            *self.game.encode_move(query),
            *self.game.encode_move(theirs),
            float(points is not None),
            float(points or 0),
            number / LONGEST,
            *self.game.encode_left(left),
        )

    @property
    def state_size(self) -> int:
        """The length, the moves made, whether it counts, what is left."""
        return 3 + self.game.left_size

    def encode_state(self, public: Any, seen: Any, item: Any) -> Sequence[float]:
        """Lengths as parts of 15."""
        length, made, left = seen if seen is not None else (public, 0, self.game.start(public))
        return (length / LONGEST, made / LONGEST, float(item is not None), *self.game.encode_left(left))

    def left(self, trial: Trial, observations: Observations) -> int | None:
        """Rules that fit, of those that go by the move's place in a short cycle or by one earlier move of the player.

        Or by nothing: see :func:`fitting`.
        """
        return fitting(self.game, self.opponent, observations)


def _beating(move: Move) -> Move:
    """The throw just before it on the circle of seven, which beats it."""
    circle = ROCK_7.circle
    return circle[circle.index(str(move)) - 1]


_REPLIES: tuple[tuple[Move, Move], ...] = (
    ("rock", "fire"),
    ("paper", "water"),
    ("scissors", "air"),
    ("fire", "sponge"),
    ("water", "rock"),
    ("air", "paper"),
    ("sponge", "scissors"),
)


def _entry(grade: Grade, game: Game, opponent: Opponent, summary: str) -> Entry:
    return Entry(grade, functools.partial(Match, game=game, opponent=opponent), summary)


BOXES: dict[str, Entry] = {
    "anti-rps-random": _entry(
        "easy", REVERSED_3, Uniform(("rock", "scissors")), "rock or scissors by a coin; winners and losers exchanged"
    ),
    "rps7-cycle": _entry(
        "easy",
        ROCK_7,
        cycle("rock", "paper", "scissors", "fire", "water", "air", "sponge"),
        "all seven throws in turn",
    ),
    "rps7-beat-last": _entry(
        "easy",
        ROCK_7,
        Echo(("rock",), tuple((throw, _beating(throw)) for throw in ROCK_7.circle)),
        "rock, then the throw just before your last on the circle, which beats it",
    ),
    "rps7-imitate-last": _entry(
        "easy",
        ROCK_7,
        Echo(("fire", "air"), tuple((throw, throw) for throw in ROCK_7.circle)),
        "fire, air, then your throw of two turns ago",
    ),
    "rps7-random-3": _entry("easy", ROCK_7, Uniform(("rock", "paper", "air")), "rock, paper or air, equally likely"),
    "load-shoot-defend-defender": _entry(
        "easy", Duel(), cycle("load", "load", "defend 2", "load", "defend 1"), "load, load, defend 2, load, defend 1"
    ),
    "load-shoot-defend-attacker": _entry(
        "hard", Duel(), cycle("load", "load", "shoot 2", "load", "shoot 1"), "load, load, shoot 2, load, shoot 1"
    ),
    "load-shoot-defend-balance": _entry(
        "hard", Duel(), cycle("load", "load", "shoot 1", "defend 1"), "load, load, shoot 1, defend 1"
    ),
    "load-shoot-defend-smart": _entry(
        "hard", Duel(), Emptier(), "loads 3 or 6 times and until you shoot or it has 8, then shoots 2 until empty"
    ),
    "rps7-mapping": _entry(
        "hard", ROCK_7, Echo(("rock",), _REPLIES), "rock, then an answer to your last throw by a table"
    ),
    "comparing-cards-slice": _entry(
        "hard", Cards(), Piles((1, 3, 0, 2)), "four piles of sorted cards, shuffled; the second, fourth, first, third"
    ),
    "comparing-cards-smart": _entry(
        "hard", Cards(), MedianFirst(), "the median, then away from your first card and back, in order"
    ),
}
"""The fixed boxes."""


# How many rules of a plain kind fit.


def fitting(game: Game, opponent: Opponent, observations: Observations) -> int | None:
    """How many plain rules agree with the observations.

    Plain are: a cycle of at most 8 moves; first moves, and a table of answers to the player's throw of one or of two
    turns ago; equal chances among at least two moves. None for cards, and where the opponent's rule is not plain.
    """
    plain = (
        isinstance(opponent, Uniform)
        or (isinstance(opponent, Cycle) and all(len(moves) == 1 for moves in opponent.places))
        or (isinstance(opponent, Echo) and len(opponent.first) <= 2)
    )
    if not plain or isinstance(game, Cards):
        return None
    replies = _possible(game, observations)
    cycles = {size: _tables(game, size, [(place % size, could) for place, _, could in replies]) for size in range(1, 9)}
    for size in cycles:  # only those that are no repetition of a shorter one
        cycles[size] -= sum(cycles[part] for part in range(1, size) if size % part == 0)
    echoes = 0
    if isinstance(opponent, Echo) or game.menu == game.theirs:
        for lag in (1, 2):
            contexts = [(place if place < lag else moves[-lag], could) for place, moves, could in replies]
            echoes += _tables(game, lag + len(game.menu), contexts)
    sets = 0
    for bits in range(1 << len(game.theirs)):
        some = {move for place, move in enumerate(game.theirs) if bits >> place & 1}
        sets += len(some) > 1 and all(some & could for _, _, could in replies)
    return sum(cycles.values()) + echoes + sets


def _possible(game: Game, observations: Observations) -> list[tuple[int, tuple[Move, ...], set[Move]]]:
    """Per move its place in its game, the player's moves before it, and what the opponent may have played."""
    replies = []
    moves: tuple[Move, ...] = ()
    left: Left = None
    for mine, (points, theirs, after, number) in observations:
        if number == 1:
            moves, left = (), game.start(LONGEST)
        could = {
            other
            for other in game.theirs
            if theirs in (None, other)
            and points in (None, game.points(mine, other))
            and game.after(left, mine, other) == after
        }
        replies.append((number - 1, moves, could))
        moves, left = (*moves, mine), after
    return replies


def _tables(game: Game, size: int, replies: Sequence[tuple[Hashable, set[Move]]]) -> int:
    """How many tables with so many places, each a move, agree with what a place may hold."""
    could: dict[Hashable, set[Move]] = {}
    for place, moves in replies:
        could[place] = could.get(place, moves) & moves
    count: int = len(game.theirs) ** (size - len(could))
    for moves in could.values():
        count *= len(moves)
    return count


# Random opponents.

_TRIES = 400
_WORTH = 0.8
"""A random opponent is rejected if one move, always made, earns more than this part of the optimum."""


def generate(rng: np.random.Generator, level: int) -> Match:
    """A random opponent.

    Level 1: a cycle of 3 or 4 places, up to three of which draw between two moves. 2: one of 5 to 7 places, up to four
    of which draw, or answers to the last throw of three. 3: answers to the throw
    of two turns ago, to the last throw of seven, or an automaton of 3 states that tells two classes of moves apart.
    4: an automaton of 4 states, one of which draws its move. 5: one of 5 or 6 states with three classes, two of which
    draw.
    """
    for _ in range(_TRIES):
        game, opponent = _drawn(rng, level)
        if _worthwhile(game, opponent):
            return Match(game=game, opponent=opponent)
    return Match(game=ROCK_3, opponent=cycle(*("rock", "paper", "scissors", "rock", "scissors", "paper")[: level + 1]))


def _drawn(rng: np.random.Generator, level: int) -> tuple[Game, Opponent]:
    games: tuple[Game, ...] = (ROCK_3, ROCK_7, Duel())
    game = games[int(rng.integers(3))]
    if level == 1 or (level == 2 and (rng.random() < 0.5 or game != ROCK_3)):
        size = int(rng.integers(3, 5) if level == 1 else rng.integers(5, 8))
        return game, Cycle(_outputs(rng, game, size, level + 2))
    if level == 2 or (level == 3 and not isinstance(game, Duel) and rng.random() < 0.6):
        lag = 2 if level == 3 and (game == ROCK_3 or rng.random() < 0.5) else 1
        # A throw made always is never to win.
        safe = [[other for other in game.menu if not game.points(mine, other)] for mine in game.menu]
        answers = [others[int(rng.integers(len(others)))] for others in safe]
        return game, Echo(_some(rng, game, lag), tuple(zip(game.menu, answers, strict=True)))
    states = {3: 3, 4: 4, 5: int(rng.integers(5, 7))}[level]
    kinds = 3 if level == 5 else 2
    outputs = _outputs(rng, game, states, level - 3)
    if isinstance(game, Duel):
        groups = [0, *rng.permutation(3)[:2]] if kinds == 2 else [0, 1, 2]
        groups = [groups[0], 1, groups[2] % 2] if kinds == 2 else groups
        of = {"load": groups[0], "shoot": groups[1], "defend": groups[2]}
        classes = tuple((move, int(of[str(move).split()[0]])) for move in game.menu)
    else:
        order = rng.permutation(len(game.menu))
        classes = tuple((move, int(order[place]) % kinds) for place, move in enumerate(game.menu))
    steps = tuple(tuple(int(step) for step in rng.integers(states, size=kinds)) for _ in range(states))
    return game, Machine(outputs, classes, steps)


def _outputs(rng: np.random.Generator, game: Game, count: int, draws: int) -> tuple[tuple[Move, ...], ...]:
    """Moves of an opponent by place or state, so many of which draw between two."""
    outputs: list[tuple[Move, ...]] = [(move,) for move in _some(rng, game, count)]
    for place in rng.permutation(count)[:draws]:
        # A draw between a shot and another move would make the bullets, and with them the score, a matter of luck.
        other = _some(rng, game, 1)[0]
        if not isinstance(game, Duel) or "shoot" not in f"{other}{outputs[place][0]}":
            outputs[place] = tuple(sorted({*outputs[place], other}, key=str))
    return tuple(outputs)


def _some(rng: np.random.Generator, game: Game, count: int) -> tuple[Move, ...]:
    """Moves of an opponent, drawn one by one; half of those in a duel are loads, and numbers go to 2."""
    menu = ("load",) * 4 + ("shoot 1", "shoot 2", "defend 1", "defend 2") if isinstance(game, Duel) else game.menu
    return tuple(menu[int(place)] for place in rng.integers(len(menu), size=count))


def _worthwhile(game: Game, opponent: Opponent) -> bool:
    """Whether an opponent is no simpler than it looks, can be beaten, and not by a monotonous player."""
    if isinstance(opponent, Cycle):
        places = opponent.places
        repeats = any(places == places[:size] * (len(places) // size) for size in range(1, len(places)))
        if repeats or all(len(moves) == 1 for moves in places):  # whose game that counts is the practice game again
            return False
    if isinstance(opponent, Echo) and len({answer for _, answer in opponent.answers}) < min(3, len(game.menu)):
        return False
    if isinstance(opponent, Machine) and not _is_minimal(opponent):
        return False
    longest = max(game.lengths)
    patterns: list[tuple[Move, ...]] = [(move,) for move in game.menu]
    if isinstance(game, Duel):
        patterns = [("load", "shoot 1"), ("load", "load", "shoot 1", "shoot 1"), ("load", "defend 1")]
    best = plan(game, opponent).value(longest, opponent.begin(longest), game.start(longest))
    if best < (longest / 4 if isinstance(game, Duel) else longest / 2):
        return False
    return max(earned(game, opponent, longest, pattern) for pattern in patterns) <= _WORTH * best


def _is_minimal(machine: Machine) -> bool:
    """Whether all states are reached, no two behave alike, and some state goes by what the player does."""
    reached, todo = {0}, [0]
    while todo:
        for step in machine.steps[todo.pop()]:
            if step not in reached:
                reached.add(step)
                todo.append(step)
    block: list[Any] = list(machine.outputs)
    for _ in block:
        block = [(block[state], *(block[step] for step in steps)) for state, steps in enumerate(machine.steps)]
        names: dict[Any, int] = {}
        block = [names.setdefault(what, len(names)) for what in block]
    size = len(machine.outputs)
    return len(reached) == size == len(set(block)) and any(len(set(steps)) > 1 for steps in machine.steps)


def earned(game: Game, opponent: Opponent, length: int, pattern: Sequence[Move]) -> float:
    """The expected points of a player who repeats a pattern; where a move is not legal, the first legal one."""
    spread: dict[Any, float] = {(opponent.begin(length), game.start(length)): 1.0}
    points = 0.0
    for number in range(length):
        later: dict[Any, float] = {}
        for (state, left), chance in spread.items():
            legal, odds = game.legal(left), opponent.odds(state)
            mine = pattern[number % len(pattern)]
            mine = mine if mine in legal else legal[0]
            for theirs, weight in odds:
                part = chance * weight / sum(weight for _, weight in odds)
                points += part * game.points(mine, theirs)
                key = (opponent.after(state, opponent.notices(state, mine), theirs), game.after(left, mine, theirs))
                later[key] = later.get(key, 0.0) + part
        spread = later
    return points


FAMILY = Family(
    name="strategy",
    boxes=BOXES,
    generate=generate,
    hides="the opponent's moves: only the points of each move are told, and what the player has left",
    section="game strategy inference: section 3.1",
    setting="1@1",
    items=4,
    no_delay="a game cannot be played unseen: its later moves go by the earlier ones",
    no_code="a test is a game, and what counts in it are moves, not answers",
    played=True,
)
