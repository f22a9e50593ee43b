"""Two runs, or two players of one, compared case by case: the same case, the same seed, another player or version."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from interactive_envs import catalog
from interactive_envs.errors import ConfigError
from interactive_envs.outcome import Outcome
from interactive_envs.reporting.estimates import NOTHING, Estimate, mean
from interactive_envs.reporting.records import EpisodeRow
from interactive_envs.reporting.store import RunStore
from interactive_envs.seeds import canonical_json

Key = tuple[str, str, int, int]
"""An environment, its arguments, a case and how often it was met."""


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
        pairs: the episodes of the cases that both met, the first player's and the second's.
    """

    left: str
    right: str
    players: tuple[str, str]
    whole: Difference
    parts: tuple[Difference, ...]
    alone: int
    mixed: bool
    pairs: tuple[tuple[EpisodeRow, EpisodeRow], ...] = field(repr=False)

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


def compare(left: RunStore, right: RunStore, players: tuple[str | None, str | None] = (None, None)) -> Comparison:
    """Compare a player of one run with a player of another, or of the same.

    Args:
        left: a run.
        right: another, or the same.
        players: whom; None for the only player of a run, or the one that both runs have.

    Raises:
        ConfigError: it is not clear whom to compare, or no case was met by both.
    """
    known = [list(dict.fromkeys(cell.player for cell in store.config.cells)) for store in (left, right)]
    chosen = _choose(known, players)
    one, other = _scored(left, chosen[0]), _scored(right, chosen[1])
    both = [key for key in one if key in other]
    if not both:
        raise ConfigError("no case was met by both: they played other environments, arguments or seeds")
    same = left.folder == right.folder
    names = [name if same else f"{name}, {store.folder}" for name, store in zip(chosen, (left, right), strict=True)]
    groups: dict[str, list[Key]] = defaultdict(list)
    for key in both:
        groups[_family(key[0])].append(key)
    mixed = len(groups) > 1
    if not mixed:
        groups = defaultdict(list)
        for key in both:
            groups[key[0].removeprefix("ibench/")].append(key)
    parts = [_difference(name, keys, one, other) for name, keys in sorted(groups.items())]
    alone = len(one) + len(other) - 2 * len(both)
    whole = _difference("all", both, one, other)
    pairs = tuple((one[key], other[key]) for key in both)
    return Comparison(names[0], names[1], chosen, whole, tuple(parts) if len(parts) > 1 else (), alone, mixed, pairs)


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


def _scored(store: RunStore, player: str) -> Mapping[Key, EpisodeRow]:
    cells, found = store.config.cells, {}
    for row in store.rows():
        cell = cells[row.cell]
        if cell.player == player and row.outcome != Outcome.UNSCORED:
            arguments = canonical_json(cell.arguments) + (cell.judge or "") + str(store.config.seed)
            found[cell.env_id, arguments, row.case_index, row.epoch] = row
    return found


def _difference(
    name: str, keys: list[Key], one: Mapping[Key, EpisodeRow], other: Mapping[Key, EpisodeRow]
) -> Difference:
    gaps = [float(other[key].reward) - float(one[key].reward) for key in keys]
    numbers = {case: number for number, case in enumerate(dict.fromkeys(key[:3] for key in keys))}
    gap = mean(gaps, [numbers[key[:3]] for key in keys]) if keys else NOTHING
    left, right = (sum(float(rows[key].reward) for key in keys) / len(keys) for rows in (one, other))
    better, worse = sum(value > 1e-9 for value in gaps), sum(value < -1e-9 for value in gaps)
    return Difference(name, left, right, gap, better, worse)


def _family(env_id: str) -> str:
    return str(catalog.entry(env_id)["family"])
