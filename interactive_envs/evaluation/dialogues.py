"""Runs as data to train language models with: won episodes as dialogues, and pairs of a better and a worse one.

A dialogue is a list of chat messages as :func:`interactive_envs.training.llm.rollout.rollout` would show it: the
system's, a probe's preface, the rules, then the player's messages and the replies in turn. Nothing of the held-out
split of :mod:`interactive_envs.training.llm.rows` is written.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.run import pool
from interactive_envs.outcome import Outcome
from interactive_envs.reporting.records import EpisodeRecord, EpisodeRow
from interactive_envs.reporting.store import RunStore
from interactive_envs.seeds import canonical_json
from interactive_envs.system.disk import fresh_file
from interactive_envs.system.files import open_private
from interactive_envs.training.llm.dialogue import Dialogue, system_prompt
from interactive_envs.training.llm.rows import id_split, split_of

Message: TypeAlias = dict[str, str]
By: TypeAlias = Literal["episode", "id"]


@dataclass(frozen=True)
class Filter:
    """Which episodes are good enough to learn from.

    Attributes:
        min_reward: the least reward; None for episodes that were won, and of those with a score the full one, 1.
        max_invalid: how many messages that could not be read an episode may have.
        max_turns: messages of the player, None for any number.
        by: see :func:`interactive_envs.training.llm.rows.rows`.
    """

    min_reward: float | None = None
    max_invalid: int = 0
    max_turns: int | None = None
    by: By = "episode"

    def good(self, row: EpisodeRow) -> bool:
        """Whether an episode is one, as far as its index says."""
        if row.outcome == Outcome.UNSCORED or row.invalid > self.max_invalid:
            return False
        if self.min_reward is not None:
            return row.reward >= self.min_reward
        return row.outcome == Outcome.SUCCESS or (row.outcome == Outcome.SCORED and row.reward >= 1)

    def short(self, record: EpisodeRecord) -> bool:
        """Whether it has few enough messages."""
        return self.max_turns is None or len(record.steps) <= self.max_turns


@dataclass
class Counts:
    """What became of the episodes of some runs.

    Attributes:
        written: lines in the file.
        held_out: episodes that are left for evaluation.
        filtered: episodes that the filter left out, or that found no partner.
    """

    written: int = 0
    held_out: int = 0
    filtered: int = 0


def write_dialogues(folders: Sequence[Path], path: Path, chosen: Filter) -> Counts:
    """Write a line of JSON for each good episode: ``messages``, and what they were played with.

    Args:
        folders: of runs.
        path: of the file.
        chosen: what is good.

    Raises:
        ConfigError: a folder is no run, or is damaged.
    """
    counts = Counts()

    def lines() -> Iterator[dict[str, Any]]:
        for store in map(RunStore.read_only, folders):
            listed = _Listed(store)
            for row in store.iterate():
                if not chosen.good(row):
                    counts.filtered += 1
                    continue
                record = store.episode(row)
                if listed.held_out(record, chosen.by):
                    counts.held_out += 1
                elif not chosen.short(record):
                    counts.filtered += 1
                else:
                    opening = _opening(record, listed.cases(record.cell))
                    yield {"messages": [*opening, *_rest(record)], **_about(store, record)}

    counts.written = _write(path, lines())
    return counts


def write_preferences(
    folders: Sequence[Path], path: Path, chosen: Filter, *, min_gap: float = 0.0, first: bool = False
) -> Counts:
    """Write a line of JSON for each pair: of the episodes with one environment, case and seed, the best and the worst.

    Two dialogues of one episode are equal up to the first message in which the players differ, so ``prompt`` ends
    there; ``chosen`` and ``rejected`` are what followed.

    Args:
        folders: of runs, with several players or epochs between them.
        path: of the file.
        chosen: what the better episode must be, but for ``min_reward``: without one any reward will do.
        min_gap: by how much the rewards must differ at least; equal ones make no pair.
        first: ``chosen`` and ``rejected`` are only the first messages that differ.

    Raises:
        ConfigError: a folder is no run, or is damaged.
    """
    counts = Counts()
    groups: dict[tuple[str, int], list[_Played]] = defaultdict(list)
    for store in map(RunStore.read_only, folders):
        listed = _Listed(store)
        for row in store.iterate():
            if row.outcome == Outcome.UNSCORED:
                counts.filtered += 1
                continue
            record = store.episode(row)
            if listed.held_out(record, chosen.by):
                counts.held_out += 1
                continue
            played = canonical_json([record.env.id, record.env.arguments, record.wrappers, record.steps[0].observation])
            groups[played, record.seed].append(_Played(store, row, listed.cases(row.cell)))

    def lines() -> Iterator[dict[str, Any]]:
        for group in groups.values():
            pair = _pair(group, chosen, min_gap, first)
            counts.filtered += len(group) - 2 * bool(pair)
            if pair:
                yield pair

    counts.written = _write(path, lines())
    return counts


class _Played(NamedTuple):
    """An episode of a run, and whether its environment has a list of cases."""

    store: RunStore
    row: EpisodeRow
    listed: bool


class _Listed:
    """Says of a run's episodes which are held out."""

    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._cells: dict[int, bool] = {}

    def held_out(self, record: EpisodeRecord, by: By) -> bool:
        if by == "id":
            return id_split(record.env.id) == "held-out"
        return split_of(record.seed, record.case, self.cases(record.cell)) == "held-out"

    def cases(self, cell: int) -> bool:
        """Whether the environment of a cell has a list of cases."""
        if cell not in self._cells:
            self._cells[cell] = pool.case_ids(self._store.config.cells[cell]) is not None
        return self._cells[cell]


def _pair(group: Sequence[_Played], chosen: Filter, min_gap: float, first: bool) -> dict[str, Any] | None:
    """The best episode of a group that is good enough, against the worst."""
    least = -math.inf if chosen.min_reward is None else chosen.min_reward
    ordered = sorted(group, key=lambda one: one.row.reward, reverse=True)
    worst = ordered[-1]
    for best in ordered:
        gap = best.row.reward - worst.row.reward
        if gap <= 0 or gap < min_gap or best.row.reward < least:
            return None
        better = best.store.episode(best.row)
        if best.row.invalid <= chosen.max_invalid and chosen.short(better):
            break
    else:
        return None
    worse = worst.store.episode(worst.row)
    ours, theirs = _rest(better), _rest(worse)
    parted = next((place for place, (one, other) in enumerate(zip(ours, theirs, strict=False)) if one != other), None)
    if parted is None or ours[parted]["role"] != "assistant":
        return None  # chance made the difference, no message
    end = parted + 1 if first else None
    return {
        "prompt": [*_opening(better, best.listed), *ours[:parted]],
        "chosen": ours[parted:end],
        "rejected": theirs[parted:end],
        **_about(best.store, better),
        "rejected_reward": worse.reward,
        "rejected_player": worst.store.config.cells[worst.row.cell].player,
    }


def _opening(record: EpisodeRecord, listed: bool) -> list[Message]:
    """The messages before the player's first; those of a probe are made again."""
    rules = {"role": "user", "content": record.steps[0].observation}
    if not record.wrappers:
        return [{"role": "system", "content": system_prompt()}, rules]
    dialogue = Dialogue(record.env.id, record.env.arguments)
    try:
        opening = dialogue.begin(record.seed, record.case if listed else None)
    finally:
        dialogue.close()
    return [*({"role": str(message["role"]), "content": str(message["content"])} for message in opening[:-1]), rules]


def _rest(record: EpisodeRecord) -> list[Message]:
    """The player's messages, with the replies between them."""
    messages: list[Message] = []
    for index, step in enumerate(record.steps):
        if index:
            messages.append({"role": "user", "content": step.observation})
        messages.append({"role": "assistant", "content": step.action})
    return messages


def _about(store: RunStore, record: EpisodeRecord) -> dict[str, Any]:
    cell = store.config.cells[record.cell]
    return {
        "env_id": record.env.id,
        "arguments": canonical_json(dict(cell.arguments)),
        "seed": record.seed,
        "case": record.case,
        "reward": record.reward,
        "outcome": record.outcome,
        "player": cell.player,
    }


def _write(path: Path, lines: Iterator[dict[str, Any]]) -> int:
    count = 0
    with fresh_file(path) as new, open_private(new, "w") as file:
        for line in lines:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
            count += 1
        if not count:
            raise ConfigError("there is nothing to write: no episode passed the filter; loosen it, or name more runs")
    return count
