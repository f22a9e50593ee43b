"""What runs of generated games say: wins as in the paper, scores without faults, and how plays ended.

A *play* is one episode; a *game* is what is played, with its rules. Of a game

    win rate    plays won / plays, the paper's number: a forfeit is a loss, and so is a draw
    score       1 for a win, 1/2 for a draw or a play that was too long, 0 for a loss: the mean over the plays that the
                player did not forfeit itself
    turns       moves of both seats

and of several games each the mean over games, so that every game weighs the same. The unit of sampling is then the
game, by which intervals are clustered. Of one game they are clustered by seat and moves: where neither player draws
anything, thirty plays may be one and the same, which is one observation. Where plays are the same by mere chance, that
is too cautious.

A game is short, middle or long by the mean turns of its plays in the run, all players together, so that all are
compared over the same games; plays that the player forfeited count only where there are no others.

Source: gg-bench, section 4.
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactive_envs.novel_games.folder import CATEGORIES
from interactive_envs.novel_games.host.adapter import WON
from interactive_envs.outcome import Outcome
from interactive_envs.reporting.estimates import Estimate, mean, proportion, score
from interactive_envs.reporting.records import Cell, EpisodeRow
from interactive_envs.reporting.store import RunStore
from interactive_envs.reporting.tables import (
    LABELS,
    Column,
    Group,
    Table,
    decimal,
    fill_arguments,
    group_by,
    percent,
    plain,
    points,
    row,
    share,
    tenths,
)
from interactive_envs.seeds import canonical_json

LENGTHS = {"short": 12.0, "middle": 24.0, "long": math.inf}
"""The classes of length, and up to how many turns, the mean over plays."""
REASONS = {
    "illegal move": "not one of the legal moves",
    "no move": "found no action",
    "several moves": "different actions",
    "empty": "empty",
    "too slow": "time limit",
}
"""Why a text was not read, by what the reason given to the player says."""
UNREADABLE = "unreadable"
"""Any other reason."""
POINTS = {Outcome.SUCCESS: 1.0, Outcome.DRAW: 0.5, Outcome.TIMEOUT: 0.5}
"""What a play counts; others nothing."""


@dataclass(frozen=True)
class Play:
    """What the tables need of an episode.

    Attributes:
        player: the player's spec.
        condition: the other seat's player, and the arguments that tell the run's cells apart.
        game: hash of the game's rules and code.
        title: of the game.
        name: of the game's folder.
        category: of the game.
        seat: 0 or 1.
        outcome: for the player.
        moves: names of all moves.
        reason: why the player forfeited, a key of ``REASONS`` or ``UNREADABLE``; None where it did not.
        messages: of the player.
        invalid: those that could not be read, or were no legal move.
    """

    player: str
    condition: str
    game: str
    title: str
    name: str
    category: str
    seat: int
    outcome: str
    moves: tuple[str, ...]
    reason: str | None
    messages: int
    invalid: int

    @property
    def won(self) -> bool:
        """Whether the player won."""
        return self.outcome == Outcome.SUCCESS

    @property
    def forfeited(self) -> bool:
        """Whether the player forfeited."""
        return self.outcome == Outcome.FORFEIT

    @property
    def points(self) -> float:
        """1, 1/2 or 0."""
        return POINTS.get(Outcome(self.outcome), 0.0)

    @property
    def turns(self) -> int:
        """Moves of both seats."""
        return len(self.moves)

    @property
    def group(self) -> Group:
        """The row in which it counts."""
        return self.player, self.condition


def tables(plays: Sequence[Play], others: Sequence[Play] = ()) -> list[Table]:
    """Every table for which there are plays.

    Args:
        plays: of the run.
        others: of another run, with whose scores those of the same players are compared.
    """
    made = [
        _overall(plays),
        _categories(plays),
        _lengths(plays),
        _seats(plays),
        _ends(plays),
        _faults(plays),
        _comparison(plays, others),
        _games(plays),
    ]
    return [table for table in made if table.rows]


def length_of(plays: Sequence[Play]) -> str:
    """The class of length of a game, by all its plays."""
    whole = [play for play in plays if not play.forfeited] or plays
    turns = float(np.mean([play.turns for play in whole]))
    return next(name for name, most in LENGTHS.items() if turns <= most)


_RATES = (Column("win", "Win rate|%", percent), Column("score", "Score|%", percent))
_ENDS = (
    Column("draws", "Draws|%", percent),
    Column("too_long", "Too long|%", percent),
    Column("forfeits", "Forfeits|%", percent),
)
_NOTE = (
    "Win rate: plays won of all plays, as in the paper. Score: win 1, draw or too long 1/2, loss 0, over plays that "
    "the player did not forfeit. Means over games, n counts plays."
)

_WHERE = " Draws, plays that were too long and forfeits have a column where there were any."


def _overall(plays: Sequence[Play]) -> Table:
    rows = [
        row(group, games=_count(part), **_rates(part), turns=_turns(part))
        for group, part in group_by(plays, _group).items()
    ]
    columns = (*(dataclasses.replace(column, show=tenths) for column in _RATES), *_ENDS)
    return Table(
        "overall",
        "Overall",
        _NOTE + " Forfeits: ended by the player's own faults. Turns: moves of both seats.",
        (*LABELS, "games"),
        (*columns, Column("turns", "Turns", decimal)),
        tuple(rows),
    )


def _categories(plays: Sequence[Play]) -> Table:
    order = [*CATEGORIES, *sorted({play.category for play in plays} - set(CATEGORIES))]
    return _parts("categories", "By category", "category", order, plays, lambda play: play.category)


def _lengths(plays: Sequence[Play]) -> Table:
    classes = _classes(plays)
    made = _parts("lengths", "By length", "length", list(LENGTHS), plays, lambda play: classes[play.game])
    short, middle, _ = LENGTHS.values()
    classed = f" Short: at most {short:.0f} turns, middle: at most {middle:.0f}; the mean of all players' plays."
    return dataclasses.replace(made, note=made.note + classed)


def _seats(plays: Sequence[Play]) -> Table:
    return _parts("seats", "By seat", "seat", list(WON), plays, lambda play: WON[play.seat])


def _parts(
    name: str, title: str, label: str, order: Sequence[str], plays: Sequence[Play], key: Callable[[Play], str]
) -> Table:
    """A row a player, condition and part of the plays."""
    rows = []
    for group, mine in group_by(plays, _group).items():
        found = group_by(mine, key)
        rows += [
            row(group, **{label: part}, games=_count(found[part]), **_rates(found[part]))
            for part in order
            if part in found
        ]
    return Table(name, title, _NOTE + _WHERE, (*LABELS, label, "games"), (*_RATES, *_met(rows)), tuple(rows))


def _games(plays: Sequence[Play]) -> Table:
    classes, rows, names = _classes(plays), [], _names(plays)
    for group, mine in group_by(plays, _group).items():
        for game, part in sorted(group_by(mine, lambda play: play.game).items(), key=lambda one: names[one[0]]):
            # A count, not a sample: no interval.
            different = Estimate(len(set(_clusters(part).tolist())) / len(part), None, None, len(part))
            reasons = ", ".join(f"{count} {reason}" for reason, count in _reasons(part).items())
            texts = {"game": names[game], "category": part[0].category, "length": classes[game], "reasons": reasons}
            rows.append(row(group, **texts, **_rates(part), turns=_turns(part), different=different))
    return Table(
        "games",
        "By game",
        "Win rate and score as above; intervals are clustered by seat and moves. Different: plays that differ in seat "
        "or moves, % of all." + _WHERE,
        (*LABELS, "game"),
        (*_RATES, *_met(rows), Column("turns", "Turns", decimal), Column("different", "Different|%", percent)),
        tuple(rows),
    )


def _names(plays: Sequence[Play]) -> dict[str, str]:
    """What each game is called, by its hash: its title, with the name of its folder where others have that title."""
    titles = {play.game: play.title for play in plays}
    folders = {play.game: play.name for play in plays}
    shared = Counter(titles.values())
    return {game: f"{title} ({folders[game]})" if shared[title] > 1 else title for game, title in titles.items()}


def _ends(plays: Sequence[Play]) -> Table:
    columns = {
        "won": ("Won", Outcome.SUCCESS),
        "draws": ("Draw", Outcome.DRAW),
        "too_long": ("Too long", Outcome.TIMEOUT),
        "lost": ("Lost", Outcome.FAILURE),
        "forfeits": ("Forfeit", Outcome.FORFEIT),
    }
    rows = []
    for group, part in group_by(plays, _group).items():
        places = _numbers([play.game for play in part]) if _several(part) else _clusters(part)
        ends = {key: _share(part, [play.outcome == end for play in part]) for key, (_, end) in columns.items()}
        invalid = share([(play.invalid, play.messages, c) for play, c in zip(part, places.tolist(), strict=True)])
        rows.append(row(group, **ends, invalid=invalid))
    shown = [Column(key, f"{title}|%", percent) for key, (title, _) in columns.items()]
    return Table(
        "ends",
        "How plays ended",
        "% of plays, means over games. Unread: messages of the player that could not be read or were no legal move, "
        "% of its messages; they are asked for again before they cost the play.",
        LABELS,
        (*shown, Column("invalid", "Unread|%", tenths)),
        tuple(rows),
    )


def _faults(plays: Sequence[Play]) -> Table:
    rows = [
        row(
            group,
            reason=reason,
            plays=str(count),
            games=_count([play for play in part if play.reason == reason]),
            share=_share(part, [play.reason == reason for play in part]),
        )
        for group, part in group_by(plays, _group).items()
        for reason, count in _reasons(part).items()
    ]
    return Table(
        "faults",
        "Why plays were forfeited",
        "What was wrong with the text that ended the play: how many plays of how many games, and % of all plays, the "
        "mean over games.",
        (*LABELS, "reason", "plays", "games"),
        (Column("share", "Of all|%", tenths),),
        tuple(rows),
    )


def _comparison(plays: Sequence[Play], others: Sequence[Play]) -> Table:
    rows = []
    for (player, condition), part in group_by(plays, _group).items():
        for (twin, their_condition), theirs in group_by(others, _group).items():
            if twin != player:
                continue
            here, there = (
                {game: _points(mine) for game, mine in group_by(side, lambda play: play.game).items()}
                for side in (part, theirs)
            )
            pairs = [(here[game], there[game]) for game in here if _known(here, game) and _known(there, game)]
            if pairs:
                left, right = (np.array(side) for side in zip(*pairs, strict=True))
                places = np.arange(len(pairs))
                rows.append(
                    row(
                        (player, condition),
                        other=their_condition,
                        here=score(left, places),
                        there=score(right, places),
                        difference=mean(left - right, places, -1.0, 1.0),
                    )
                )
    return Table(
        "comparison",
        "Against the other run",
        "Score of the same player over the games that both runs played, %; here less there in percentage points is "
        "paired by game; n counts games.",
        (*LABELS, "other"),
        (
            Column("here", "Here|%", percent),
            Column("there", "There|%", percent),
            Column("difference", "Difference|points", points),
        ),
        tuple(rows),
    )


# What the tables share.


def _rates(plays: Sequence[Play]) -> dict[str, Estimate]:
    whole = [play for play in plays if not play.forfeited]
    return {
        "win": _share(plays, [play.won for play in plays]),
        "score": _share(whole, [play.points for play in whole]),
        "draws": _share(plays, [play.outcome == Outcome.DRAW for play in plays]),
        "too_long": _share(plays, [play.outcome == Outcome.TIMEOUT for play in plays]),
        "forfeits": _share(plays, [play.forfeited for play in plays]),
    }


def _share(plays: Sequence[Play], values: Sequence[float]) -> Estimate:
    """The mean over games of numbers from 0 to 1, n counts plays; of one game Wilson's, if they are 0 and 1."""
    means, places = _by_game(plays, values)
    estimate = proportion(means, places) if not _several(plays) and set(values) <= {0, 1} else score(means, places)
    return dataclasses.replace(estimate, n=len(plays))


def _turns(plays: Sequence[Play]) -> Estimate:
    return dataclasses.replace(mean(*_by_game(plays, [play.turns for play in plays]), 0.0), n=len(plays))


def _by_game(plays: Sequence[Play], values: Sequence[float]) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Means of games and their numbers; of one game its values and their clusters."""
    if not _several(plays):
        return np.array(values, float), _clusters(plays)
    parts = group_by(zip(plays, values, strict=True), lambda one: one[0].game).values()
    return np.array([np.mean([value for _, value in part]) for part in parts]), np.arange(len(parts))


def _met(rows: Sequence[Mapping[str, Any]]) -> tuple[Column, ...]:
    """The columns of ends that there were."""
    return tuple(column for column in _ENDS if any(one[column.key]["value"] for one in rows))


def _classes(plays: Sequence[Play]) -> dict[str, str]:
    return {game: length_of(part) for game, part in group_by(plays, lambda play: play.game).items()}


def _reasons(plays: Sequence[Play]) -> dict[str, int]:
    """How often each reason ended a play, the most frequent first."""
    found = group_by([play.reason for play in plays if play.reason is not None], lambda reason: reason)
    return dict(sorted(((reason, len(part)) for reason, part in found.items()), key=lambda one: (-one[1], one[0])))


def _clusters(plays: Sequence[Play]) -> NDArray[np.intp]:
    return _numbers([canonical_json([play.game, play.seat, play.moves, play.reason]) for play in plays])


def _numbers(keys: Sequence[str]) -> NDArray[np.intp]:
    return np.unique(np.array(keys, dtype=str), return_inverse=True)[1].astype(np.intp)


def _points(plays: Sequence[Play]) -> float | None:
    values = [play.points for play in plays if not play.forfeited]
    return float(np.mean(values)) if values else None


def _known(scores: Mapping[str, float | None], game: str) -> bool:
    return scores.get(game) is not None


def _several(plays: Sequence[Play]) -> bool:
    return len({play.game for play in plays}) > 1


def _count(plays: Sequence[Play]) -> str:
    return str(len({play.game for play in plays}))


def _group(play: Play) -> Group:
    return play.group


# How episodes are read.


def read(store: RunStore, names: Sequence[str], holds: Callable[[Cell], bool]) -> Iterator[Play]:
    """Read the plays of generated games of a run.

    Args:
        store: the run.
        names: arguments that conditions name.
        holds: whether a cell plays a generated game.
    """
    for one in store.rows():
        cell = store.config.cells[one.cell]
        if holds(cell):
            yield _play(cell, one, store.episode(one).game or {}, names)


def _play(cell: Cell, one: EpisodeRow, record: Mapping[str, Any], names: Sequence[str]) -> Play:
    arguments, game = fill_arguments(cell), record["game"]
    opponents = arguments["opponents"]
    against = opponents if isinstance(opponents, str) else ", ".join(opponents)
    return Play(
        player=cell.player,
        condition=", ".join([f"against {against}", *(f"{name}={plain(arguments.get(name))}" for name in names)]),
        game=game["sha256"],
        title=game["title"],
        name=game["name"],
        category=game["category"],
        seat=record["seat"],
        outcome=one.outcome,
        moves=tuple(move["name"] for move in game["moves"]),
        reason=reason_of(record["texts"], record["seat"]) if one.outcome == Outcome.FORFEIT else None,
        messages=one.queries + one.finals + one.invalid,
        invalid=one.invalid,
    )


def reason_of(texts: Sequence[Mapping[str, Any]], seat: int) -> str:
    """Why a seat forfeited: what was wrong with its last text."""
    last = next((text["reason"] or "" for text in reversed(texts) if text["seat"] == seat), "")
    return next((name for name, part in REASONS.items() if part in last), UNREADABLE)
