"""What the scores of a family guarantee: levels in reach and apart, players in order, and asking that pays.

Each is measured by playing: the players of a :class:`~interactive_envs.family.Yardstick` meet the same
cases, and are compared case by case.
"""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from interactive_envs import catalog
from interactive_envs.catalog.read import attribute
from interactive_envs.evaluation.run import pool
from interactive_envs.family import ROLES, Role, Yardstick
from interactive_envs.reporting.estimates import NOTHING, Estimate, mean, paired
from interactive_envs.reporting.records import Cell, RunConfig

LOWEST, HIGHEST = 0.6, 0.98
"""Where the reference's score lies: below, a task is out of reach; above, it measures nothing."""
NEAR = 0.1
"""How far above chance a player may score that may not ask, where asking is the point."""

Level: TypeAlias = int | None
Backend: TypeAlias = Literal["thread", "process"]


class Case(NamedTuple):
    """What all players of a yardstick meet alike; the last tells environments with one id apart, such as two seats."""

    env_id: str
    level: Level
    number: int
    epoch: int
    environment: int = 0


class Result(NamedTuple):
    """What a player made of a case: its reward, or what the yardstick counts, and the turns it took."""

    reward: float
    turns: float


@dataclass(frozen=True)
class Measured:
    """The results of a yardstick's players.

    Attributes:
        yardstick: what was played.
        results: by role and case.
    """

    yardstick: Yardstick
    results: Mapping[Role, Mapping[Case, Result]] = field(repr=False)

    def score(self, role: Role, level: Level = None) -> Estimate:
        """A role's mean reward at a level, None for all; nothing where nobody plays the role."""
        return self._mean(role, level, lambda result: result.reward)

    def turns(self, role: Role, level: Level = None) -> Estimate:
        """The turns of a role in the mean."""
        return self._mean(role, level, lambda result: result.turns)

    def gap(self, stronger: Role, weaker: Role) -> Estimate:
        """How much more one role earns than another on the same cases."""
        left, right = self.results[stronger], self.results[weaker]
        both = [case for case in left if case in right]
        gaps = [left[case].reward - right[case].reward for case in both]
        return (paired if self.yardstick.bounded else mean)(gaps, _clusters(both))

    def _mean(self, role: Role, level: Level, value: Callable[[Result], float]) -> Estimate:
        found = {case: one for case, one in self.results.get(role, {}).items() if level in (None, case.level)}
        return mean([value(one) for one in found.values()], _clusters(list(found))) if found else NOTHING


def yardsticks(family: str) -> Sequence[Yardstick]:
    """The yardsticks on a family's card."""
    card = catalog.family(family)
    found: Sequence[Yardstick] = () if card.scores is None else attribute(card.scores)
    return found


def measure(
    yardstick: Yardstick, *, episodes: int | None = None, workers: int = 1, backend: Backend = "thread", seed: int = 0
) -> Measured:
    """Let a yardstick's players play.

    Args:
        yardstick: who plays what.
        episodes: in place of its own number.
        workers: episodes at once.
        backend: ``thread`` or ``process``.
        seed: decides the cases.
    """
    cells, roles = [], list[tuple[Role, Level, int]]()
    environments = enumerate(yardstick.environments)
    for (place, (env_id, own)), level in itertools.product(environments, yardstick.levels or (None,)):
        for role, spec in yardstick.players.items():
            given = {**own, **({} if level is None else {"difficulty": level})}
            cells.append(Cell(env_id, {**given, "no_interaction": True} if role == "no interaction" else given, spec))
            roles.append((role, level, place))
    results: dict[Role, dict[Case, Result]] = {role: {} for role in yardstick.players}
    with tempfile.TemporaryDirectory(prefix="ibench-scores-") as folder:
        config = RunConfig(tuple(cells), episodes or yardstick.episodes, seed, None)
        store = pool.run(config, Path(folder) / "run", workers=workers, backend=backend)
        for row in store.rows():
            role, level, place = roles[row.cell]
            case = Case(cells[row.cell].env_id, level, row.case_index, row.epoch, place)
            worth = yardstick.worth
            value = float(row.reward) if worth is None else worth(store.episode(row).game or {})
            results[role][case] = Result(value, float(row.turns))
    return Measured(yardstick, results)


def calibrated(measured: Measured) -> Iterator[str]:
    """The reference's score is within reach at every level and falls with it; where it is perfect, its turns rise."""
    yardstick, levels = measured.yardstick, measured.yardstick.levels or (None,)
    if not yardstick.bounded:
        return
    if yardstick.perfect:
        yield from _rising([(level, measured.turns("reference", level)) for level in levels])
        return
    scores = [(level, measured.score("reference", level)) for level in levels]
    for level, score in scores:
        low, high = _ends(score)
        where = "at the default setting" if level is None else f"at level {level}"
        if high < LOWEST:
            yield f"the reference scores {text(score)} {where}, below {LOWEST}"
        if low > HIGHEST:
            yield f"the reference scores {text(score)} {where}, above {HIGHEST}"
    for (easier, left), (harder, right) in itertools.pairwise(scores):
        if _ends(right)[0] > _ends(left)[1]:
            yield f"the reference scores {text(right)} at level {harder}, but {text(left)} at {easier}"
    if len(scores) > 1 and (scores[-1][1].value or 0.0) >= (scores[0][1].value or 0.0):
        yield f"the reference scores {text(scores[-1][1])} at the last level, {text(scores[0][1])} at the first"


def ordered(measured: Measured) -> Iterator[str]:
    """The rule player earns more than chance and than who may not ask, the reference more, and none more than exact."""
    present = [role for role in ROLES if role in measured.results]
    base = [role for role in present if role in ("chance", "no interaction")]
    ladder = [role for role in present if role not in base]
    for weaker, stronger in [*((role, ladder[0]) for role in base if ladder), *itertools.pairwise(ladder)]:
        gap = measured.gap(stronger, weaker)
        if _ends(gap)[0] <= 0:
            yield f"{stronger} earns {text(gap)} more than {weaker}"


def asking_pays(measured: Measured) -> Iterator[str]:
    """Where asking is the point, a player that may not ask is near chance."""
    if measured.yardstick.asks and "no interaction" in measured.results:
        gap = measured.gap("no interaction", "chance")
        if _ends(gap)[0] > NEAR:
            yield f"without asking the reference earns {text(gap)} more than chance"


PROPERTIES: tuple[Callable[[Measured], Iterator[str]], ...] = (calibrated, ordered, asking_pays)


def text(score: Estimate) -> str:
    """A score with its interval."""
    if score.value is None:
        return "nothing"
    return f"{score.value:.2f}" + ("" if score.low is None else f" [{score.low:.2f}, {score.high:.2f}]")


def _rising(turns: Sequence[tuple[Level, Estimate]]) -> Iterator[str]:
    for (easier, left), (harder, right) in itertools.pairwise(turns):
        if (right.value or 0.0) <= (left.value or 0.0):
            yield f"the reference takes {text(right)} turns at level {harder}, {text(left)} at {easier}"


def _ends(score: Estimate) -> tuple[float, float]:
    value = score.value or 0.0
    return (value if score.low is None else score.low), (value if score.high is None else score.high)


def _clusters(cases: Sequence[Case]) -> list[int]:
    """Epochs of a case and its seats are no independent observations; cases are."""
    numbers: dict[tuple[str, Level, int], int] = {}
    return [numbers.setdefault(case[:3], len(numbers)) for case in cases]
