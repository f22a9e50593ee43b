"""Two runs, or two players of one, compared case by case: the same case, the same seed, another player or version."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactive_envs import catalog
from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.run import listing
from interactive_envs.evaluation.run.listing import OUTCOMES, Listing
from interactive_envs.outcome import Outcome
from interactive_envs.reporting.estimates import Estimate, mean
from interactive_envs.reporting.records import Cell
from interactive_envs.reporting.store import RunStore
from interactive_envs.seeds import canonical_json

Places = NDArray[np.intp]


@dataclass(frozen=True)
class Difference:
    """How two players differ.

    Attributes:
        name: what was played.
        left: the mean reward of the first.
        right: of the second, on the same cases.
        gap: of the second less the first, by case.
        better: cases in which the second earned more.
        worse: cases in which it earned less.
    """

    name: str
    left: float
    right: float
    gap: Estimate
    better: int
    worse: int


@dataclass(frozen=True)
class Comparison:
    """The result of :func:`compare`.

    Attributes:
        left: the first player, and its run where there are two.
        right: the second.
        players: their names alone.
        whole: over all cases that both met.
        parts: by family, or by environment where there is one family.
        mixed: whether there are several families, whose rewards have no common unit: over all, cases are counted alone.
        alone: episodes that one of them alone played.
        pairs: the episodes that both played: places in the first listing and in the second, shape ``(n, 2)``.
        differing: those of them with another reward, shape ``(m, 2)``.
    """

    left: str
    right: str
    players: tuple[str, str]
    whole: Difference
    parts: tuple[Difference, ...]
    alone: int
    mixed: bool
    pairs: Places = field(repr=False, compare=False)
    differing: Places = field(repr=False, compare=False)

    def lines(self) -> Iterator[str]:
        """The comparison as text."""
        yield f"A  {self.left}"
        yield f"B  {self.right}"
        rows = [self.whole, *self.parts]
        width = max(len("mean reward"), *(len(row.name) for row in rows))
        head = f"{'A':>8}  {'B':>8}  {'B - A':>8}  {'95 %':>18}  {'better':>6}  {'worse':>5}  {'cases':>5}"
        yield f"{'mean reward':<{width}}  {head}"
        for row in rows:
            if self.mixed and row is self.whole:
                yield f"{row.name:<{width}}  {'':>48}  {row.better:>6}  {row.worse:>5}  {row.gap.n:>5}"
                continue
            low, high = row.gap.low, row.gap.high
            spread = "" if low is None or high is None else f"{low:+.3f} to {high:+.3f}"
            yield (
                f"{row.name:<{width}}  {row.left:>8.3f}  {row.right:>8.3f}  {row.gap.value or 0:>+8.3f}  {spread:>18}  "
                f"{row.better:>6}  {row.worse:>5}  {row.gap.n:>5}"
            )
        if self.alone:
            yield f"{self.alone:,} episodes were played by one of them alone and are left out."


def compare(
    left: RunStore,
    right: RunStore,
    players: tuple[str | None, str | None] = (None, None),
    listings: tuple[Listing, Listing] | None = None,
) -> Comparison:
    """Compare a player of one run with a player of another, or of the same.

    Args:
        left: a run.
        right: another, or the same.
        players: whom; None for the only player of a run, or the one that both runs have.
        listings: of the runs, where they are at hand.

    Raises:
        ConfigError: it is not clear whom to compare, or no case was met by both.
    """
    stores = left, right
    chosen = _choose([list(dict.fromkeys(cell.player for cell in store.config.cells)) for store in stores], players)
    one, other = (found.table for found in listings or tuple(map(listing.read, stores)))
    settings: dict[tuple[str, str], int] = {}
    scored = [_scored(*side, settings) for side in zip(stores, chosen, (one, other), strict=True)]
    keys = np.concatenate([key for key, _ in scored])
    codes = np.split(_codes(keys), [len(scored[0][0])])
    # Of two episodes of one key the last counts: a run may list a cell twice.
    firsts = [np.unique(code[::-1], return_index=True) for code in codes]
    at, there = (places[::-1][first] for (_, first), (_, places) in zip(firsts, scored, strict=True))
    _, mine, yours = np.intersect1d(firsts[0][0], firsts[1][0], assume_unique=True, return_indices=True)
    pairs = np.column_stack([at[mine], there[yours]])
    if not len(pairs):
        raise ConfigError("no case was met by both: they played other environments, arguments or seeds")
    same = left.folder == right.folder
    names = [name if same else f"{name}, {store.folder}" for name, store in zip(chosen, stores, strict=True)]
    env_ids = [left.config.cells[cell].env_id for cell in one["cell"][pairs[:, 0]].tolist()]
    groups = _groups([_family(env_id) for env_id in env_ids])
    mixed = len(groups) > 1
    if not mixed:
        groups = _groups([env_id.removeprefix("ibench/") for env_id in env_ids])
    earned = np.column_stack([one["reward"][pairs[:, 0]], other["reward"][pairs[:, 1]]])
    met = one[pairs[:, 0]]
    cases = _codes(np.column_stack([met["cell"], met["case_index"]]))
    parts = [_difference(name, earned[places], cases[places]) for name, places in sorted(groups.items())]
    alone = len(at) + len(there) - 2 * len(pairs)
    whole = _difference("all", earned, cases)
    differing = pairs[earned[:, 0] != earned[:, 1]]
    parts = parts if len(parts) > 1 else []
    return Comparison(names[0], names[1], chosen, whole, tuple(parts), alone, mixed, pairs, differing)


def _choose(known: list[list[str]], players: tuple[str | None, str | None]) -> tuple[str, str]:
    for name, there in zip(players, known, strict=True):
        if name is not None and name not in there:
            raise ConfigError(f"player {name!r} is not in the run; it has {', '.join(there)}")
    common = [name for name in known[0] if name in known[1]]
    found = []
    for name, there in zip(players, known, strict=True):
        if name is None:
            name = there[0] if len(there) == 1 else common[0] if len(common) == 1 else None
        if name is None:
            raise ConfigError(f"name the players to compare: --agent A --agent B, out of {', '.join(there)}")
        found.append(name)
    return found[0], found[1]


def _scored(
    store: RunStore, player: str, table: NDArray[Any], settings: dict[tuple[str, str], int]
) -> tuple[NDArray[Any], Places]:
    """What identifies a player's scored episodes, (setting, case, epoch), shape ``(n, 3)``, and their places."""

    def number(cell: Cell) -> int:
        played = canonical_json(cell.arguments) + (cell.judge or "") + str(store.config.seed)
        return settings.setdefault((cell.env_id, played), len(settings)) if cell.player == player else -1

    setting = np.array(list(map(number, store.config.cells)), int)[table["cell"]]
    places = np.flatnonzero((setting >= 0) & (table["outcome"] != OUTCOMES.index(Outcome.UNSCORED)))
    return np.column_stack([setting, table["case_index"], table["epoch"]])[places], places


def _codes(keys: NDArray[Any]) -> NDArray[np.intp]:
    """A number for each row of a matrix, the same for equal rows, in the order of the rows."""
    codes = np.zeros(len(keys), np.intp)
    for column in keys.T:
        values, codes_of_column = np.unique(column, return_inverse=True)
        codes = codes * max(1, len(values)) + codes_of_column
    return np.unique(codes, return_inverse=True)[1].astype(np.intp)


def _groups(names: list[str]) -> dict[str, Places]:
    """The places of each name."""
    groups: dict[str, list[int]] = defaultdict(list)
    for place, name in enumerate(names):
        groups[name].append(place)
    return {name: np.array(places, np.intp) for name, places in groups.items()}


def _difference(name: str, earned: NDArray[np.float64], cases: NDArray[np.intp]) -> Difference:
    """How two columns of rewards differ, each row of a case."""
    gaps = earned[:, 1] - earned[:, 0]
    gap = mean(gaps, np.unique(cases, return_inverse=True)[1])
    left, right = earned.mean(0).tolist()
    return Difference(name, left, right, gap, int((gaps > 1e-9).sum()), int((gaps < -1e-9).sum()))


@functools.cache
def _family(env_id: str) -> str:
    return str(catalog.entry(env_id)["family"])
