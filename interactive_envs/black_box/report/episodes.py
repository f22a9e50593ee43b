"""The episodes of black boxes in runs: what was played, what came of it, and what each query left open."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from tqdm import tqdm

from interactive_envs import catalog
from interactive_envs.black_box import families as boxes
from interactive_envs.black_box.base import Observations, Trial
from interactive_envs.black_box.env import read_setting
from interactive_envs.black_box.rules import BlackBoxTask, BoxCase
from interactive_envs.black_box.suites import GAME_SETTINGS
from interactive_envs.registration import checked, environment_class
from interactive_envs.reporting.records import Cell, EpisodeRow
from interactive_envs.reporting.store import RunStore
from interactive_envs.reporting.tables import Group, differing_arguments, fill_arguments, plain
from interactive_envs.seeds import canonical_json

GAMES = {short: long for long, short in GAME_SETTINGS.items()}
"""The settings of games, and in whose rows they stand."""


DEFAULT = "default"
"""What the own settings of several boxes are called together."""


@dataclass(frozen=True)
class Episode:
    """What the tables need of an episode.

    Attributes:
        player: the player's spec, without its family.
        conditions: the arguments that tell the run's cells apart, by name, as a condition has them.
        terms: all arguments but those that decide the case, by name, as JSON.
        setting: turn@shot, ``default`` where the boxes' own were played.
        allowed: turns and attempts.
        delayed: whether replies came after the last turn.
        code: whether the answer was a function.
        env_id: the environment's id.
        family: of the box.
        box: its name.
        grade: ``baseline``, ``easy``, ``hard``, or of a generated box ``level 3``.
        case: what decides the box and all that is drawn.
        run: the number of the case, the same for all boxes, and the epoch.
        marks: of its items.
        reward: the score less what the turns cost.
        turns: spent on each exploration.
        messages: of the player.
        invalid: those that could not be read.
        asked: the queries of each exploration; none of a game.
        menu: how many different queries there are, None where there is no end of them.
        left: bits left in each exploration before the first query and after each; empty where nothing counts them.
    """

    player: str
    conditions: Mapping[str, str]
    terms: Mapping[str, str]
    setting: str
    allowed: tuple[int, int]
    delayed: bool
    code: bool
    env_id: str
    family: str
    box: str
    grade: str
    case: str
    run: tuple[int, int]
    marks: tuple[float, ...]
    reward: float
    turns: tuple[int, ...]
    messages: int
    invalid: int
    asked: tuple[tuple[Any, ...], ...]
    menu: int | None
    left: tuple[tuple[float, ...], ...]

    @property
    def score(self) -> float:
        """The mean of the marks."""
        return sum(self.marks) / max(1, len(self.marks))

    @property
    def spent(self) -> float:
        """Turns spent, the mean over explorations."""
        return sum(self.turns) / max(1, len(self.turns))

    @property
    def box_key(self) -> str:
        """What intervals are clustered by."""
        return self.env_id if self.box != boxes.RANDOM else f"{self.env_id} {self.case}"

    @property
    def gained(self) -> float | None:
        """Bits gained, the mean over explorations; None where nothing counts them."""
        return None if not self.left else float(np.mean([left[0] - left[-1] for left in self.left]))

    def condition(self, without: str = "") -> str:
        """Under which condition it was played, one argument left out."""
        return ", ".join(text for name, text in self.conditions.items() if name != without)

    def twin(self, without: str = "") -> str:
        """What it has in common with those that differ from it in one argument, or in the player."""
        return canonical_json([self.case, {name: value for name, value in self.terms.items() if name != without}])

    @property
    def group(self) -> Group:
        """The row in which it counts."""
        return self.player, self.condition()


def read(stores: Sequence[RunStore], holds: Callable[[Cell], bool]) -> list[list[Episode]]:
    """Read the episodes of black boxes, run by run; conditions have the same names in all.

    Args:
        stores: the runs.
        holds: whether a cell plays a black box.
    """
    named = ConditionNames([cell for store in stores for cell in store.config.cells if holds(cell)])
    return [list(_episodes(store, named, holds)) for store in stores]


def frozen(value: Any) -> Any:
    """JSON as it was before it was written: lists were tuples."""
    return tuple(map(frozen, value)) if isinstance(value, list) else value


_CASE = ("family", "box", "difficulty", "items", "case")
"""Arguments that are part of the case."""
_SILENT = ("judge", "render_mode", "view", "probes", "no_interaction")
"""Arguments that change nothing, or are named as another."""
_NAMED = ("family", "box", "difficulty", "case", "setting", "feedback", *_SILENT)
"""Arguments that are named otherwise."""


class ConditionNames:
    """How conditions are called, over all cells of all runs."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        # Boxes may have settings of their own: then no one name is right for all that are played at theirs.
        self._mixed = any(_is_own(cell) and _setting(cell) != _usual_setting(cell) for cell in cells)
        settings = [(_is_played(cell), self._named(cell)) for cell in cells]
        others = {setting for played, setting in settings if not played}
        self._joined = {
            name: f"{twin}&{name}"
            for name, twin in GAMES.items()
            if (True, name) in settings and name not in others and twin in others
        }
        self._joined |= {GAMES[name]: label for name, label in self._joined.items()}
        filled = [{**fill_arguments(cell), "setting": self.setting(cell)} for cell in cells]
        # Whether replies are delayed is worth a word even where it is the same everywhere.
        self._feedback = any(arguments["feedback"] == "delayed" for arguments in filled)
        self._telling = [name for name in differing_arguments(filled) if name not in _NAMED]

    def setting(self, cell: Cell) -> str:
        """Name a cell's setting, joined with the twin that games have."""
        setting = self._named(cell)
        return self._joined.get(setting, setting)

    def _named(self, cell: Cell) -> str:
        return DEFAULT if self._mixed and _is_own(cell) else _setting(cell)

    def conditions(self, cell: Cell) -> dict[str, str]:
        """Name a cell's setting, its feedback where that matters, and every argument that differs."""
        arguments = fill_arguments(cell)
        conditions = {"setting": self.setting(cell)}
        conditions |= {"feedback": arguments["feedback"]} if self._feedback else {}
        return conditions | {name: f"{name}={plain(arguments.get(name))}" for name in self._telling}


def _is_played(cell: Cell) -> bool:
    return boxes.family(catalog.entry(cell.env_id)["family"]).played


def _arguments(cell: Cell) -> dict[str, Any]:
    """All arguments in force: those that the id fixes and those of a preset, too."""
    return fill_arguments(cell) | checked(cell.env_id, cell.arguments)


def _setting(cell: Cell) -> str:
    """The setting in force."""
    arguments = _arguments(cell)
    own = boxes.setting_of(boxes.family(arguments["family"]), arguments["box"], arguments["difficulty"])
    turns, shots = read_setting(arguments["setting"] or own)
    return f"0@{shots}" if arguments["no_interaction"] else f"{turns}@{shots}"


def _is_own(cell: Cell) -> bool:
    """Whether a box is played at its own setting, because none is given."""
    arguments = _arguments(cell)
    return not arguments["setting"] and not arguments["no_interaction"]


def _usual_setting(cell: Cell) -> str:
    """The setting of most boxes of the family."""
    return "{}@{}".format(*read_setting(boxes.family(_arguments(cell)["family"]).setting))


def _episodes(store: RunStore, named: ConditionNames, holds: Callable[[Cell], bool]) -> Iterator[Episode]:
    counts = HypothesisCounts()
    rows = [one for one in store.rows() if holds(store.config.cells[one.cell])]
    # Hypotheses may take seconds an episode to count.
    for one in tqdm(rows, "counting what is left", unit="episode", delay=2, leave=False, disable=None):
        yield _episode(store.config.cells[one.cell], one, store.episode(one).game or {}, named, counts)


def _episode(
    cell: Cell, one: EpisodeRow, game: Mapping[str, Any], named: ConditionNames, counts: HypothesisCounts
) -> Episode:
    entry, arguments = catalog.entry(cell.env_id), fill_arguments(cell)
    family, grade = entry["family"], entry["tags"]["grade"]
    # Of a played box the moves of test games stand behind those of the exploration.
    observations: tuple[Observations, ...] = tuple(
        part[:count] for part, count in zip(frozen(game["heard"]), game["explored"], strict=False)
    )
    menu, left = counts.of(cell, game["number"], observations)
    setting = _setting(cell)
    terms = {name: value for name, value in arguments.items() if name not in (*_CASE, *_SILENT)} | {"setting": setting}
    drawn = [cell.env_id, arguments["difficulty"], arguments["items"], game["number"], one.case_index, one.epoch]
    return Episode(
        player=cell.player.removeprefix(f"{family}/"),
        conditions=named.conditions(cell),
        terms={name: canonical_json(value) for name, value in terms.items()},
        setting=named.setting(cell),
        allowed=read_setting(setting),
        delayed=arguments["feedback"] == "delayed",
        code=arguments["answer_as"] == "code",
        env_id=cell.env_id,
        family=family,
        box=game["box"],
        grade=f"level {arguments['difficulty']}" if grade == "generated" else grade,
        case=canonical_json(drawn),
        run=(one.case_index, one.epoch),
        marks=tuple(game["marks"]),
        reward=one.reward,
        turns=tuple(game["turns"]),
        messages=one.queries + one.finals + one.invalid,
        invalid=one.invalid,
        asked=() if _is_played(cell) else tuple(tuple(query for query, _ in part) for part in observations),
        menu=menu,
        left=left,
    )


class HypothesisCounts:
    """Hypotheses left, each count made once."""

    def __init__(self) -> None:
        self._tasks: dict[str, BlackBoxTask] = {}
        self._cases: dict[tuple[str, int], BoxCase] = {}
        self._left: dict[tuple[Any, ...], int | None] = {}

    def of(
        self, cell: Cell, number: int, observations: Sequence[Observations]
    ) -> tuple[int | None, tuple[tuple[float, ...], ...]]:
        """How many queries a box has, and the bits left in each exploration, empty where nothing counts them."""
        arguments = fill_arguments(cell)
        drawn = {name: arguments[name] for name in (*_CASE, "observability") if name in arguments}
        key = canonical_json([cell.env_id, drawn])
        if key not in self._tasks:
            env = environment_class(cell.env_id)(**checked(cell.env_id, cell.arguments))
            self._tasks[key] = env.task
            env.close()
        if (key, number) not in self._cases:
            self._cases[key, number] = self._tasks[key].case(np.random.default_rng(0), str(number))
        case = self._cases[key, number]
        # A fixed box is the same in every case, its trials need not be.
        same = (key, number) if not case.title else (key,)
        counted = [self.bits(same, case, trial, part) for trial, part in zip(case.trials, observations, strict=False)]
        menu = None if boxes.family(catalog.entry(cell.env_id)["family"]).played else case.box.n_queries
        return menu, () if None in counted else tuple(filter(None, counted))

    def bits(
        self, same: tuple[Any, ...], case: BoxCase, trial: Trial, observations: Observations
    ) -> tuple[float, ...] | None:
        """Count the bits left before each reply and after the last; None where no class holds the box."""
        found: list[float] = []
        for length in range(len(observations) + 1):
            if found and not found[-1]:
                found.append(0.0)  # what is decided stays so
                continue
            key = (*same, trial, observations[:length])
            if key not in self._left:
                self._left[key] = case.box.left(trial, observations[:length])
            left = self._left[key]
            if not left:  # no class, or one that does not hold this box
                return None
            found.append(math.log2(left))
        return tuple(found)
