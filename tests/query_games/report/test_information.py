"""Bits by turn: a game small enough for pencil and paper, and a second computation without arrays."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from interactive_envs.agent import Agent
from interactive_envs.evaluation.run.episode import Job, play_episode
from interactive_envs.making import make
from interactive_envs.query_games import games
from interactive_envs.query_games.base import (
    EQUAL,
    NO_ARGUMENT,
    ONE_NUMBER,
    Family,
    Game,
    Kind,
    Level,
    Prior,
    Target,
    World,
)
from interactive_envs.query_games.env import unit_of
from interactive_envs.query_games.report import information
from interactive_envs.query_games.report.information import Step, Turn, account
from interactive_envs.reporting.records import Cell


@dataclass(frozen=True)
class Numbers(World):
    """One number."""

    value: NDArray[np.int64]
    per_state: ClassVar[tuple[str, ...]] = ("value",)


def tiny(prior: Prior = EQUAL) -> Level:
    """A number from 0 to 3: queries 0 odd?, 1 at least 2?, 2 nothing at all, 3 to 6 is it 0, 1, 2, 3?"""
    family = Family(
        "tiny", "deductive", "a number", ({"n": 4},) * 5, lambda n: Numbers({"n": n}, np.arange(n)), prior=prior
    )
    kinds = (
        Kind("odd", "whether it is odd", "", NO_ARGUMENT.rows, lambda world: world.value % 2),
        Kind("big", "whether it is at least 2", "", NO_ARGUMENT.rows, lambda world: world.value >= 2),
        Kind("hot", "nothing", "", NO_ARGUMENT.rows, lambda world: 0 * world.value),
        Kind("is", "whether it is {0}", "a number", lambda world: [(i,) for i in range(4)], lambda w, i: w.value == i),
    )
    return Game("set", family, kinds, Target("number", "the number", lambda world: world.value, ONE_NUMBER)).level(1)


def asked(level: Level, state: int, *queries: int) -> list[Step]:
    return [Step("query", query, int(level.table[state, query])) for query in queries]


def test_halving_twice_then_answering_tells_two_bits() -> None:
    level = tiny()
    turns = account(level, 0, [*asked(level, 1, 0, 1), Step("final")])
    assert turns == (
        Turn("query", before=2.0, gained=1.0, expected=1.0, best=1.0),
        Turn("query", before=1.0, gained=1.0, expected=1.0, best=1.0),
        Turn("final", before=0.0),
    )


def test_asking_for_one_of_four_regrets_what_halving_would_tell() -> None:
    level = tiny()
    (turn,) = account(level, 0, asked(level, 1, 6))
    # No leaves three alike: 2 - log2 3 gained; expected is the entropy of 1/4 and 3/4.
    assert turn.gained == pytest.approx(2 - math.log2(3))
    assert turn.expected == pytest.approx(0.811278, abs=1e-6)
    assert turn.best == 1.0
    assert turn.regret == pytest.approx(0.188722, abs=1e-6)
    assert turn.after == pytest.approx(math.log2(3))


def test_a_query_with_one_reply_is_redundant_and_one_after_the_decision_is_wasted() -> None:
    level = tiny()
    turns = account(level, 0, asked(level, 1, 2, 0, 0, 1, 5))
    assert [turn.redundant for turn in turns] == [True, False, True, False, True]
    assert [turn.decided for turn in turns] == [False, False, False, False, True]
    assert [turn.gained for turn in turns] == [0.0, 1.0, 0.0, 1.0, 0.0]
    assert turns[2].regret == 1.0  # the second half was to be had


def test_an_answer_is_premature_while_several_are_possible() -> None:
    level = tiny()
    steps = [Step("final"), *asked(level, 1, 0), Step("final"), *asked(level, 1, 1), Step("final")]
    assert [turn.premature for turn in account(level, 0, steps) if turn.kind == "final"] == [True, True, False]


def test_what_cannot_be_read_tells_nothing() -> None:
    level = tiny()
    turns = account(level, 0, [Step("invalid"), *asked(level, 3, 1), Step("invalid")])
    assert turns[0] == Turn("invalid", before=2.0)
    assert turns[2] == Turn("invalid", before=1.0)


def test_a_reply_can_take_bits_away() -> None:
    level = tiny(Prior("0 is likely.", lambda world: np.array([13, 1, 1, 1])))
    (turn,) = account(level, 0, asked(level, 1, 3))
    before = 13 / 16 * math.log2(16 / 13) + 3 / 16 * 4
    assert turn.before == pytest.approx(before)
    assert turn.gained == pytest.approx(before - math.log2(3))
    assert turn.gained < 0
    assert turn.expected == pytest.approx(before - 3 / 16 * math.log2(3))


def test_bits_are_about_the_answer_not_about_the_state() -> None:
    game = tiny().game
    parity = Target("parity", "whether it is odd", lambda world: world.value % 2, ONE_NUMBER)
    level = Game(game.structure, game.family, game.kinds, parity).level(1)
    big, odd = account(level, 0, asked(level, 1, 1, 0))
    assert (big.before, big.gained, big.expected, big.redundant) == (1.0, 0.0, 0.0, False)
    assert (odd.gained, odd.regret) == (1.0, 0.0)


def one_a_cell() -> list[str]:
    first: dict[str, str] = {}
    for name in sorted(games.every()):
        first.setdefault(name.rpartition("/")[0], name)
    return list(first.values())


@pytest.mark.parametrize("name", one_a_cell())
def test_a_second_computation_agrees(name: str) -> None:
    level = games.find(name).level(1)
    rng = np.random.default_rng(5)
    for _ in range(3):
        state = level.draw(rng)
        steps = asked(level, state, *rng.integers(len(level.queries), size=5).tolist())
        steps = [*steps[:2], Step("invalid"), *steps[2:], Step("final")]
        turns = account(level, int(level.opening[state]), steps, {})
        for turn, naive in zip(turns, slowly(level, state, steps), strict=True):
            told = (turn.before, turn.gained, turn.expected, turn.best)
            assert told == pytest.approx(naive[:4], abs=1e-8)
            assert (turn.redundant, turn.premature, turn.decided) == naive[4:]


def slowly(level: Level, hidden: int, steps: Sequence[Step]) -> list[tuple[Any, ...]]:
    """The same figures state by state, by the words of the definitions."""
    table, weights = level.table.tolist(), level.weights.tolist()
    answers = [level.answer_of(state) for state in range(len(level.world))]
    left = [state for state in range(len(answers)) if level.opening[state] == level.opening[hidden]]

    def missing(states: Sequence[int]) -> float:
        mass: Counter[Any] = Counter()
        for state in states:
            mass[answers[state]] += weights[state]
        return -sum(m / mass.total() * math.log2(m / mass.total()) for m in mass.values())

    def expected(states: Sequence[int], query: int) -> float:
        parts = defaultdict(list)
        for state in states:
            parts[table[state][query]].append(state)
        whole = sum(weights[state] for state in states)
        after = sum(sum(weights[state] for state in part) / whole * missing(part) for part in parts.values())
        return missing(states) - after

    told: list[tuple[Any, ...]] = []
    for step in steps:
        open_still = len({answers[state] for state in left}) > 1
        if step.kind != "query":
            told.append((missing(left), 0, 0, 0, False, step.kind == "final" and open_still, False))
            continue
        best = max(expected(left, query) for query in range(len(table[0])))
        after = [state for state in left if table[state][step.query] == table[hidden][step.query]]
        redundant = len({table[state][step.query] for state in left}) == 1
        gained = missing(left) - missing(after)
        told.append((missing(left), gained, expected(left, step.query), best, redundant, False, not open_still))
        left = after
    return told


class Says(Agent):
    """Says these texts, one after the other."""

    def __init__(self, *texts: str) -> None:
        self.texts = iter(texts)

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        return next(self.texts)


def test_a_record_is_accounted_by_what_was_true() -> None:
    name = next(iter(games.every()))
    cell = Cell(unit_of(name).id, {"difficulty": 1, "budget": 12}, "random")
    env = make(cell.env_id, **cell.arguments)
    level = env.unwrapped.task.level
    agent = Says(level.query_texts[0], "what?", level.answer_texts[0])
    record = play_episode(env, agent, Job(0, cell, None, 0, 0, 3))
    game = dict(record.game or {})
    true = int(level.table[game["state"], 0])
    assert game["heard"] == [[0, true]]
    turns = information.of_record(record)
    steps = [Step("query", 0, true), Step("invalid"), Step("final")]
    assert turns == account(level, int(level.opening[game["state"]]), steps)
    lied = dataclasses.replace(record, game=game | {"heard": [[0, true + 1]]})
    assert information.of_record(lied) == turns
    assert information.of_record(dataclasses.replace(record, game=None)) == ()
    assert information.of_record(dataclasses.replace(record, game=game | {"after_pruning": True})) == ()
