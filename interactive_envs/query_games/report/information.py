"""The information of each turn of a query game, in bits about the right answer.

Let L be the hidden states that agree with the fact given at the start and with the true reply to every query so far,
each with its prior weight w, and let a be the right answer of a state. The answers are as probable as the states that
have them, p(a) = (sum of w over the states of L with answer a) / (sum of w over L), and

    bits before a turn    H(L) = -sum over a of p(a) log2 p(a)
    bits gained           H(L) - H(L & r), where r is the true reply; negative where it makes the answer less sure
    bits expected         sum over replies r of P(r) (H(L) - H(L & r)), where P(r) is the weight of L & r in L
    best                  the greatest expected bits of a legal query
    regret                best - expected

A query is *redundant* if all states of L reply alike, *decided* if all had one right answer before it was asked, so
that a perfect player would have answered. An answer is *premature* if the states of L have several right answers.
A turn that asks nothing, being an answer or unreadable, tells 0 bits and has no regret.

The account is by what was true. Where a probe tells something false or tells it late, a query counts with its true
reply at the moment it was asked: regret and waste are then those of a player that was not deceived.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np

from interactive_envs import catalog
from interactive_envs.dialogue.view import Kind
from interactive_envs.query_games import games, solver
from interactive_envs.query_games.base import Codes, Level
from interactive_envs.reporting.records import EpisodeRecord

Memo: TypeAlias = dict[tuple[int, frozenset[tuple[int, int]]], solver.Floats]
"""Expected bits of every query by what is known; episodes of one level may share it."""


@dataclass(frozen=True)
class Step:
    """One message of a player.

    Attributes:
        kind: ``query``, ``final`` or ``invalid``.
        query: the index of the query asked.
        code: its true reply.
    """

    kind: Kind
    query: int = -1
    code: int = 0


@dataclass(frozen=True)
class Turn:
    """The information of one message; the words are explained at the head of this module.

    Attributes:
        kind: ``query``, ``final`` or ``invalid``.
        before: bits about the right answer that were missing before it.
        gained: bits that the true reply gave.
        expected: bits that the query was expected to tell.
        best: bits that the best legal query was expected to tell.
        redundant: the query could have one reply only.
        premature: an answer was given while several were possible.
        decided: a query was asked while only one answer was possible.
    """

    kind: Kind
    before: float
    gained: float = 0.0
    expected: float = 0.0
    best: float = 0.0
    redundant: bool = False
    premature: bool = False
    decided: bool = False

    @property
    def after(self) -> float:
        """Bits still missing after it."""
        return self.before - self.gained

    @property
    def regret(self) -> float:
        """Bits that the best query was expected to tell beyond this one."""
        return self.best - self.expected


def account(level: Level, opening: int, steps: Sequence[Step], memo: Memo | None = None) -> tuple[Turn, ...]:
    """Return the information of every message of an episode.

    Args:
        level: the game at its level.
        opening: the code of the opening fact.
        steps: the player's messages in order.
        memo: what episodes of the same level computed before.
    """
    left = np.flatnonzero(level.opening == opening)
    observations: frozenset[tuple[int, int]] = frozenset()
    turns = []
    for step in steps:
        before, several = _bits(level, left), len(np.unique(level.right[left])) > 1
        if step.kind != "query":
            turns.append(Turn(step.kind, before, premature=several and step.kind == "final"))
            continue
        expected = _expected(level, left, (opening, observations), {} if memo is None else memo)
        replies = level.table[left, step.query]
        turn = Turn(
            step.kind,
            before,
            gained=before - _bits(level, left[replies == step.code]),
            expected=float(expected[step.query]),
            best=float(expected.max()),
            redundant=bool((replies == replies[0]).all()),
            decided=not several,
        )
        turns.append(turn)
        left, observations = left[replies == step.code], observations | {(step.query, step.code)}
    return tuple(turns)


def of_record(record: EpisodeRecord, memo: Memo | None = None) -> tuple[Turn, ...]:
    """Return the information of every message of a recorded episode; none of a necessity probe, which asks nothing.

    Args:
        record: of a query game.
        memo: as for :func:`account`.
    """
    game = record.game or {}
    asked = [query for query, _ in game.get("heard", ())]
    kinds = [cast(Kind, step.kind) for step in record.steps]
    if "heard" not in game or "after_pruning" in game or len(asked) != kinds.count("query"):
        return ()
    level, state = level_of(record.env.id, record.env.arguments), game["state"]
    queries = iter(asked)
    steps = [Step(kind) if kind != "query" else _asked(level, state, next(queries)) for kind in kinds]
    return account(level, int(level.opening[state]), steps, memo)


def level_of(env_id: str, arguments: Mapping[str, Any]) -> Level:
    """The level that an id and its arguments play."""
    entry = catalog.entry(env_id)
    everything = {**entry["defaults"], **entry["arguments"], **arguments}
    return games.find(games.name_in(everything)).level(everything["difficulty"])


def _asked(level: Level, state: int, query: int) -> Step:
    return Step("query", query, int(level.table[state, query]))


def _bits(level: Level, left: Codes) -> float:
    return solver.entropy(np.bincount(level.right[left], level.weights[left]))


def _expected(level: Level, left: Codes, known: tuple[int, frozenset[tuple[int, int]]], memo: Memo) -> solver.Floats:
    if known not in memo:
        memo[known] = solver.information(level.table[left], level.right[left], level.weights[left])
    return memo[known]
