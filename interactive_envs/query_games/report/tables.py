"""What runs of query games say: the tables of the paper on executable games, information, and probes against clean.

The unit of sampling is the game: every interval is clustered by it, over its levels and cases.

Source of the first tables: the paper on executable games, section 4, tables 2 to 9.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactive_envs import catalog
from interactive_envs.errors import ConfigError
from interactive_envs.outcome import Outcome
from interactive_envs.query_games import games, proofs
from interactive_envs.query_games.base import LEVELS
from interactive_envs.query_games.games import MODES, STRUCTURES
from interactive_envs.query_games.report import information
from interactive_envs.query_games.report.information import Turn
from interactive_envs.reporting.estimates import NOTHING, Estimate, mean, paired, proportion
from interactive_envs.reporting.records import Cell, EpisodeRecord, EpisodeRow
from interactive_envs.reporting.store import RunStore
from interactive_envs.reporting.tables import (
    LABELS,
    Column,
    Group,
    Table,
    bits,
    decimal,
    differing_arguments,
    fill_arguments,
    group_by,
    percent,
    plain,
    points,
    row,
    share,
    tenths,
    whole,
)
from interactive_envs.seeds import canonical_json

ENDS = (Outcome.SUCCESS, Outcome.FAILURE, Outcome.FORMAT_ERROR, Outcome.TIMEOUT)


@dataclass(frozen=True)
class Episode:
    """What the tables need of an episode.

    Attributes:
        player: the player's spec.
        condition: the probes, and the arguments that tell the run's cells apart.
        probed: whether there is a probe.
        interactive: whether queries are allowed.
        game: the environment's id.
        cluster: a number for the game.
        structure: of the game.
        mode: of the game.
        level: 1 to 5.
        outcome: how it ended; of a necessity probe, which is scored, whether the last answer was right.
        rounds: rounds spent.
        messages: messages of the player, unreadable ones too.
        pair: what an episode with probes and its clean twin have in common.
        score: 0 for a random player's success, 100 for the reference player's; None where neither was proved.
        turns: the account of its information, empty where it has none.
        necessity: what a necessity probe recorded.
    """

    player: str
    condition: str
    probed: bool
    interactive: bool
    game: str
    cluster: int
    structure: str
    mode: str
    level: int
    outcome: str
    rounds: int
    messages: int
    pair: str
    score: float | None
    turns: tuple[Turn, ...]
    necessity: Mapping[str, Any] | None

    @property
    def solved(self) -> bool:
        """Whether the answer was right."""
        return self.outcome == Outcome.SUCCESS

    @property
    def group(self) -> Group:
        """The row in which it counts."""
        return self.player, self.condition


def read(stores: Sequence[RunStore], holds: Callable[[Cell], bool]) -> list[list[Episode]]:
    """Read the episodes of query games, run by run; games and conditions have the same names in all.

    Args:
        stores: the runs.
        holds: whether a cell plays a query game.
    """
    named = _Names([cell for store in stores for cell in store.config.cells if holds(cell)])
    return [list(_episodes(store, named, holds)) for store in stores]


def tables(episodes: Sequence[Episode], others: Sequence[Episode] = ()) -> list[Table]:
    """Every table for which there are episodes.

    Args:
        episodes: of the run.
        others: of another run, which may hold the clean or the probed twins.
    """
    made = [
        _overall(episodes),
        _levels(episodes),
        _structures(episodes),
        _ends(episodes),
        _information(episodes),
        _probes(episodes, others),
        _necessity(episodes),
    ]
    return [table for table in made if table.rows]


def curves(episodes: Sequence[Episode]) -> list[dict[str, Any]]:
    """By turn, of every player with interaction: the mean bits left, and the share of episodes solved.

    An episode that is over keeps what it had. Turn 0 is before the first message.
    """
    found = []
    for (player, condition), group in group_by(episodes, lambda episode: episode.group).items():
        counted = [episode for episode in group if episode.interactive and episode.turns]
        if not counted:
            continue
        games = _clusters(counted)
        last = max(episode.messages for episode in counted)
        left = np.array([_bits_left(episode.turns, last) for episode in counted])
        solved = np.array([[episode.solved and episode.messages <= t for t in range(last + 1)] for episode in counted])
        found.append(
            {
                "player": player,
                "condition": condition,
                "bits_left": [{"turn": t, **mean(left[:, t], games, 0.0).as_json()} for t in range(last + 1)],
                "solved": [{"turn": t, **proportion(solved[:, t], games).as_json()} for t in range(1, last + 1)],
            }
        )
    return found


class _Names:
    """How games are numbered and conditions are called, over all cells of all runs."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self.clusters = {env_id: number for number, env_id in enumerate(sorted({cell.env_id for cell in cells}))}
        filled = [fill_arguments(cell) for cell in cells]
        self._telling = [name for name in differing_arguments(filled) if name not in _NAMED]

    def condition(self, cell: Cell) -> str:
        arguments = fill_arguments(cell)
        parts = [*_probes_of(cell), *(["no interaction"] if arguments["no_interaction"] else [])]
        parts = parts or ["clean"]
        parts += [f"{name}={plain(arguments.get(name))}" for name in self._telling]
        return ", ".join(parts)


_NAMED = ("game", "difficulty", "probes", "no_interaction", "judge", "render_mode", "view")
"""Arguments that are named otherwise, or change nothing."""


def _probes_of(cell: Cell) -> list[str]:
    given = cell.arguments.get("probes") or []
    return [given] if isinstance(given, str) else list(given)


def _episodes(store: RunStore, named: _Names, holds: Callable[[Cell], bool]) -> Iterator[Episode]:
    """Level by level, so that what one level's tables cost is spent once."""
    cells = store.config.cells
    rows = [row for row in store.rows() if holds(cells[row.cell])]

    def level(row: EpisodeRow) -> tuple[str, int]:
        return cells[row.cell].env_id, fill_arguments(cells[row.cell])["difficulty"]

    for _, part in itertools.groupby(sorted(rows, key=level), key=level):
        memo: information.Memo = {}
        for one in part:
            yield _episode(cells[one.cell], one, store.episode(one), named, memo)


def _episode(cell: Cell, row: EpisodeRow, record: EpisodeRecord, named: _Names, memo: information.Memo) -> Episode:
    entry, arguments = catalog.entry(cell.env_id), fill_arguments(cell)
    twin = {name: value for name, value in arguments.items() if name not in ("probes", "judge", "render_mode", "view")}
    name, level = games.name_in({**entry["arguments"], **arguments}), arguments["difficulty"]
    game = games.find(name)
    necessity = record.game if "after_pruning" in (record.game or {}) else None
    outcome = row.outcome
    if outcome == Outcome.SCORED and necessity is not None:
        outcome = Outcome.SUCCESS if necessity["after_pruning"] else Outcome.FAILURE
    return Episode(
        player=cell.player,
        condition=named.condition(cell),
        probed=bool(_probes_of(cell)),
        interactive=not arguments["no_interaction"],
        game=cell.env_id,
        cluster=named.clusters[cell.env_id],
        structure=game.structure,
        mode=game.mode,
        level=level,
        outcome=outcome,
        rounds=row.turns,
        messages=len(record.steps),
        pair=canonical_json([cell.env_id, twin, cell.player, row.case, row.case_index, row.epoch]),
        score=_score(outcome == Outcome.SUCCESS, name, level),
        turns=information.of_record(record, memo),
        necessity=necessity,
    )


def _score(solved: bool, game: str, level: int) -> float | None:
    try:
        proof = proofs.of_game(game, level)
    except ConfigError:
        return None
    reach = proof.reference - proof.random
    return 100 * (solved - proof.random) / reach if reach > 0 else None


def _clusters(episodes: Sequence[Episode]) -> NDArray[np.int64]:
    return np.array([episode.cluster for episode in episodes], dtype=np.int64)


def _success(episodes: Sequence[Episode]) -> Estimate:
    return proportion([episode.solved for episode in episodes], _clusters(episodes))


def _turns(episodes: Sequence[Episode]) -> Estimate:
    solved = [episode for episode in episodes if episode.solved]
    return mean([episode.rounds for episode in solved], _clusters(solved), 1.0)


def efficiency(solved: Sequence[bool], rounds: Sequence[int], games: Sequence[int]) -> Estimate:
    """Success rate in percent over the mean rounds of successes, with an interval clustered by game.

    With N episodes, S successes and T rounds in the successes it is E = 100 S^2 / (N T). To first order an episode
    moves it by E (2 s/S - 1/N - t/T), where s is 1 and t its rounds if it is solved, else both are 0: the interval is
    that of a mean of values E + N times this.

    Args:
        solved: whether each episode was.
        rounds: rounds each spent.
        games: which game each played.
    """
    won = np.asarray(solved, float)
    spent = np.asarray(rounds, float) * won
    n, successes, total = len(won), won.sum(), spent.sum()
    if not n:
        return NOTHING
    if not successes:
        return Estimate(0.0, None, None, n)
    value = 100 * successes**2 / (n * total)
    return mean(value * (1 + n * (2 * won / successes - 1 / n - spent / total)), games, 0.0)


def _overall(episodes: Sequence[Episode]) -> Table:
    rows = []
    for group, part in group_by(episodes, lambda episode: episode.group).items():
        scored = [episode for episode in part if episode.score is not None]
        rows.append(
            row(
                group,
                success=_success(part),
                turns=_turns(part),
                efficiency=efficiency([e.solved for e in part], [e.rounds for e in part], [e.cluster for e in part]),
                score=mean([episode.score or 0.0 for episode in scored], _clusters(scored)),
            )
        )
    return Table(
        "overall",
        "Overall",
        "Success: episodes solved, %. Turns: mean of the solved. Efficiency: success / turns. Score: 0 is a player "
        "that draws its answer, 100 the reference player, by what was proved of each game and level.",
        LABELS,
        (
            Column("success", "Success|%", tenths),
            Column("turns", "Turns", decimal),
            Column("efficiency", "Efficiency", decimal),
            Column("score", "Score", whole),
        ),
        tuple(rows),
    )


def _levels(episodes: Sequence[Episode]) -> Table:
    present = [level for level in LEVELS if any(episode.level == level for episode in episodes)]
    rows = [
        row(group, **{f"level_{level}": _success([e for e in part if e.level == level]) for level in present})
        for group, part in group_by(episodes, lambda episode: episode.group).items()
    ]
    columns = tuple(Column(f"level_{level}", f"Level {level}|%", percent) for level in present)
    return Table("levels", "Success by level", "Episodes solved, %.", LABELS, columns, tuple(rows))


def _structures(episodes: Sequence[Episode]) -> Table:
    modes = [mode for mode in MODES if any(episode.mode == mode for episode in episodes)]
    rows = []
    for group, part in group_by(episodes, lambda episode: episode.group).items():
        structures = group_by(part, lambda episode: episode.structure)
        present = [name for name in STRUCTURES if name in structures]
        for structure in [*present, *(["all"] if len(present) > 1 else [])]:
            mine = structures.get(structure, part)
            cells = {mode: _success([episode for episode in mine if episode.mode == mode]) for mode in modes}
            rows.append(row(group, structure=structure, **cells, every=_success(mine)))
    columns = (*(Column(mode, f"{mode.capitalize()}|%", percent) for mode in modes), Column("every", "All|%", percent))
    return Table(
        "structures",
        "Success by structure and mode",
        "Episodes solved, %.",
        (*LABELS, "structure"),
        columns,
        tuple(rows),
    )


def _ends(episodes: Sequence[Episode]) -> Table:
    rows = [
        row(group, **{end.value: proportion([e.outcome == end for e in part], _clusters(part)) for end in ENDS})
        for group, part in group_by(episodes, lambda episode: episode.group).items()
    ]
    columns = tuple(Column(end.value, f"{end.value.replace('_', ' ').capitalize()}|%", percent) for end in ENDS)
    note = (
        "How episodes ended, % of all. Failure: a wrong answer; format error: a message that could not be read ended "
        "the game; timeout: no rounds left."
    )
    return Table("ends", "Failure attribution", note, LABELS, columns, tuple(rows))


def _information(episodes: Sequence[Episode]) -> Table:
    rows = []
    for group, part in group_by(episodes, lambda episode: episode.group).items():
        turns = [(turn, episode.cluster) for episode in part for turn in episode.turns]
        if turns:
            rows.append(row(group, **_informed(turns)))
    return Table(
        "information",
        "Information",
        "About the right answer, by what was true. Bits: gained a message that is no answer. Regret: bits that the "
        "best query was expected to tell beyond the one asked. Redundant: queries that could have one reply only. "
        "Wasted: queries asked though the answer was decided. Premature: answers given though several were possible.",
        LABELS,
        (
            Column("bits", "Bits|a turn", bits),
            Column("regret", "Regret|bits", bits),
            Column("redundant", "Redundant|%", percent),
            Column("wasted", "Wasted|%", percent),
            Column("premature", "Premature|%", percent),
        ),
        tuple(rows),
    )


def _informed(turns: Sequence[tuple[Turn, int]]) -> dict[str, Estimate]:
    asked, answers = ([(t, g) for t, g in turns if t.kind == kind] for kind in ("query", "final"))
    spent = [(turn, game) for turn, game in turns if turn.kind != "final"]
    in_asked, in_answers = ([game for _, game in part] for part in (asked, answers))
    return {
        "bits": mean([turn.gained for turn, _ in spent], [game for _, game in spent]),
        "regret": mean([turn.regret for turn, _ in asked], in_asked, 0.0),
        "redundant": proportion([turn.redundant for turn, _ in asked], in_asked),
        "wasted": proportion([turn.decided for turn, _ in asked], in_asked),
        "premature": proportion([turn.premature for turn, _ in answers], in_answers),
    }


def _probes(episodes: Sequence[Episode], others: Sequence[Episode]) -> Table:
    everything = [*episodes, *others]
    clean = {episode.pair: episode for episode in everything if not episode.probed}
    probed = {(e.group, e.pair): e for e in everything if e.probed and e.pair in clean}
    rows = []
    for group, part in group_by(probed.values(), lambda episode: episode.group).items():
        twins = [clean[episode.pair] for episode in part]
        gaps = [float(e.solved) - float(twin.solved) for e, twin in zip(part, twins, strict=True)]
        rows.append(
            row(
                group,
                clean=_success(twins),
                probed=_success(part),
                difference=paired(gaps, _clusters(part)),
            )
        )
    return Table(
        "probes",
        "Probes against clean",
        "Success, %, over the same games, levels and cases; the difference in percentage points is paired, its n "
        "counts games.",
        LABELS,
        (
            Column("clean", "Clean|%", percent),
            Column("probed", "Probed|%", percent),
            Column("difference", "Difference|points", points),
        ),
        tuple(rows),
    )


def _necessity(episodes: Sequence[Episode]) -> Table:
    judged = [episode for episode in episodes if episode.necessity is not None]
    rows = [row(group, **_pruned(part)) for group, part in group_by(judged, lambda episode: episode.group).items()]
    return Table(
        "necessity",
        "Necessity judgment",
        "Complete: right from all observations. Removed: observations judged redundant; removable: as many as the "
        "smallest set that decides the answer leaves over. Sufficient: of those who judged, what was kept still "
        "decides. Pruned: right from what was kept. Score: the share of what could be removed that was, 0 where the "
        "last answer is wrong or what was kept does not decide it.",
        LABELS,
        (
            Column("complete", "Complete|%", percent),
            Column("removed", "Removed|%", percent),
            Column("removable", "Removable|%", percent),
            Column("pruned_sufficient", "Sufficient|%", percent),
            Column("after_pruning", "Pruned|%", percent),
            Column("score", "Score|%", percent),
        ),
        tuple(rows),
    )


def _pruned(episodes: Sequence[Episode]) -> dict[str, Estimate]:
    records = [(episode.necessity or {}, episode.cluster) for episode in episodes]
    kept_some = [(record, game) for record, game in records if record["removed"] is not None]
    bounded = [(record, game) for record, game in records if record["needed_smallest"] is not None]
    return {
        "complete": share([(record["complete"] is True, 1, game) for record, game in records]),
        "removed": share([(len(record["removed"]), record["evidence"], game) for record, game in kept_some]),
        "removable": share(
            [
                (record["evidence"] - len(record["needed_smallest"]), record["evidence"], game)
                for record, game in bounded
            ]
        ),
        "pruned_sufficient": share([(record["pruned_sufficient"] is True, 1, game) for record, game in kept_some]),
        "after_pruning": share([(record["after_pruning"] is True, 1, game) for record, game in records]),
        "score": share([(record["score"], 1, game) for record, game in records]),
    }


def _bits_left(turns: Sequence[Turn], last: int) -> list[float]:
    left = [turns[0].before, *(turn.after for turn in turns)]
    return left + [left[-1]] * (last + 1 - len(left))
