"""What the probes' tests share: a game small enough to play by hand, a sample of query games, and ways to play."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from interactive_envs.agent import Agent
from interactive_envs.agents.query_games import Reference
from interactive_envs.dialogue.env import DialogueEnv
from interactive_envs.dialogue.probe import read_probes
from interactive_envs.dialogue.task import PLAIN, DialogueTask, Falsifiable, Terms, Vocabulary
from interactive_envs.judges.base import Verdict
from interactive_envs.parsing import Unreadable
from interactive_envs.query_games import games, solver
from interactive_envs.query_games.env import QueryGameEnv

BUDGET = 20


class Remainders(DialogueTask[int, int]):
    """A divisor from 2 to 9 is hidden; ask for remainders. A wrong reply is the right one plus 1."""

    single_final = True
    action_examples = ("<ask>6</ask>", "<answer>3</answer>")

    def case_ids(self) -> Sequence[str]:
        return ("3", "5", "7")

    def case(self, rng: np.random.Generator, case_id: str | None = None) -> int:
        return int(case_id) if case_id else int(rng.integers(2, 10))

    def case_id(self, case: int) -> str:
        return str(case)

    def rules(self, case: int, terms: Terms, vocabulary: Vocabulary = PLAIN) -> str:
        return f"A divisor is hidden.\n\nAsk: <ask>6</ask>.\n\nRounds: {terms.budget}."

    def start(self, case: int) -> int:
        return case

    def case_of(self, state: int) -> int:
        return state

    def read_query(self, state: int, body: str, tag: str = "ask") -> int | Unreadable:
        return int(body) if body.isdecimal() else Unreadable("That is no number.")

    def read_answer(self, state: int, body: str) -> int | Unreadable:
        return self.read_query(state, body)

    def reply(self, state: int, query: int, rng: Any, verdict: Verdict | None = None) -> tuple[int, int]:
        return query % state, state

    def render(self, fact: int, vocabulary: Vocabulary = PLAIN) -> str:
        return f"{fact}."

    def check(self, state: int, answer: int, verdict: Verdict | None = None) -> bool:
        return answer == state

    def show(self, state: int) -> None:
        return None

    def solution(self, case: int) -> str:
        return str(case)


class Mistaken(Remainders, Falsifiable[int]):
    """The same with the hook that wrong replies come from."""

    def wrong_fact(self, state: int, query: int, rng: np.random.Generator) -> int:
        return query % state + int(rng.integers(2))


def small(*probes: Any, budget: int = 6, task: Any = None, **arguments: Any) -> Any:
    return DialogueEnv(task or Mistaken(), budget=budget, case="5", probes=read_probes(probes), **arguments)


def said(env: Any, *actions: str) -> list[str]:
    """The rules and every reply."""
    return [str(env.reset(seed=0)[0]), *(str(env.step(action)[0]) for action in actions)]


def sample() -> list[tuple[str, int]]:
    """Three games of every cell at two levels: the first, the middle one and the last."""
    cells = defaultdict(list)
    for name, game in games.every().items():
        cells[game.structure, game.mode].append(name)
    chosen = [names[index] for names in cells.values() for index in sorted({0, len(names) // 2, len(names) - 1})]
    return [(name, level) for name in chosen for level in (1, 3)]


def daily() -> list[tuple[str, int]]:
    """One game of every cell, at one level."""
    return [case for place, case in enumerate(sample()) if place % 6 == place // 6 % 6]


def cases() -> list[Any]:
    """The sample as parameters, of which each day has one of every cell."""
    chosen = daily()
    return [pytest.param(*case, marks=() if case in chosen else pytest.mark.long) for case in sample()]


def names() -> list[Any]:
    """The games of the sample as parameters, of which each day has one of every cell."""
    chosen = {name for name, _ in daily()}
    return [pytest.param(name, marks=() if name in chosen else pytest.mark.long) for name in dict(sample())]


def query_game(name: str, level: int, *probes: Any, budget: int = BUDGET, **arguments: Any) -> Any:
    found = read_probes(probes[0] if len(probes) == 1 else probes)
    return QueryGameEnv(game=name, difficulty=level, budget=budget, probes=found, **arguments)


def usual(name: str, level: int) -> int:
    """A game's usual budget, give or take: 1.5 times the most turns that the reference player needs."""
    return math.ceil(1.5 * int(solver.solve(games.find(name).level(level)).turns.max()))


def play(env: Any, seed: int, player: Agent | None = None) -> tuple[list[str], list[str], dict[str, Any]]:
    """An episode of the reference player, or of another: messages, actions and the last info."""
    player = player or Reference()
    observation, info = env.reset(seed=seed)
    player.reset(seed=seed, info=info)
    messages, actions, over = [str(observation)], [], False
    while not over:
        actions.append(player.act(str(observation), info))
        observation, _, over, _, info = env.step(actions[-1])
        messages.append(str(observation))
    return messages, actions, info
