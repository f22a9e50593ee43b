"""Two boxes small enough to see through: a sum, and a guessing game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from interactive_envs.black_box.base import AnswerBox, Entry, Family, Function, GameBox, Trial
from interactive_envs.parsing import Unreadable


@dataclass(frozen=True, kw_only=True)
class Sum(AnswerBox):
    """Adds a number to numbers from 0 to 9."""

    @property
    def examples(self) -> tuple[str, ...]:
        return ("<query>3</query>", "<answer>8</answer>")

    partial_marks = True
    added: int = 5

    @property
    def public(self) -> Any:
        return (10,)

    def introduction(self) -> str:
        return "A function of the digits 0 to 9 is hidden."

    def examination(self) -> str:
        return "An item asks a value: <answer>12</answer>."

    def read_query(self, tag: str, body: str, seen: Any) -> Any | Unreadable:
        return int(body) if body in set("0123456789") else Unreadable(f"A query is a digit; that was {body[:40]!r}.")

    def reply(self, trial: Trial, memory: Any, query: Any, rng: np.random.Generator) -> tuple[Any, Any]:
        return query + self.added, memory

    def similar_query(self, query: Any, rng: np.random.Generator) -> int:
        return int(rng.integers(10))

    def tell(self, query: Any, fact: Any) -> str:
        return f"f({query}) = {fact}."

    def arguments(self, trial: Trial, asked: Sequence[Any], rng: np.random.Generator, count: int) -> tuple[Any, ...]:
        return tuple(number for number in range(10) if number not in asked)[:count]

    def value(self, trial: Trial, argument: Any) -> Any:
        return argument + self.added

    def question(self, trial: Trial, argument: Any) -> str:
        return f"What is f({argument})?"

    def read_answer(self, argument: Any, body: str) -> Any | Unreadable:
        return int(body) if body.isascii() and body.isdecimal() else Unreadable("An answer is a whole number.")

    def mark(self, truth: Any, answer: Any) -> float:
        return 1.0 if truth == answer else 0.5 if abs(truth - answer) == 1 else 0.0

    @property
    def function(self) -> Function | None:
        return Function("solution(x: int) -> int", "It gives f(x).")

    def mark_value(self, truth: Any, value: Any) -> float:
        return float(value == truth)


@dataclass(frozen=True, kw_only=True)
class Hidden(Sum):
    """Each item is a trial with an offset of its own."""

    trial_per_item = True

    def trials(self, rng: np.random.Generator, count: int) -> tuple[Trial, ...]:
        return tuple(Trial(hidden=int(number), public=10) for number in rng.integers(10, size=count))

    def brief(self, trial: Trial) -> str:
        return "A new number is added."

    def reply(self, trial: Trial, memory: Any, query: Any, rng: np.random.Generator) -> tuple[Any, Any]:
        return query + trial.hidden, memory

    def arguments(self, trial: Trial, asked: Sequence[Any], rng: np.random.Generator, count: int) -> tuple[Any, ...]:
        return (None,)

    def value(self, trial: Trial, argument: Any) -> Any:
        return trial.hidden

    def question(self, trial: Trial, argument: Any) -> str:
        return "Which number is added?"


@dataclass(frozen=True, kw_only=True)
class Coin(GameBox):
    """Call the coin, which always shows heads, as often as the trial says."""

    tags = ("move",)

    @property
    def examples(self) -> tuple[str, ...]:
        return ("<move>heads</move>",)

    @property
    def public(self) -> Any:
        return ("heads", "tails")

    @property
    def moves(self) -> int:
        return 3

    def introduction(self) -> str:
        return "Call a coin: <move>heads</move> or <move>tails</move>."

    def examination(self) -> str:
        return "The score is the share of right calls."

    def trials(self, rng: np.random.Generator, count: int) -> tuple[Trial, ...]:
        return tuple(Trial(public=length) for length in (2, 3)[:count])

    def brief(self, trial: Trial) -> str:
        return f"A game has {trial.public} calls."

    def begin(self, trial: Trial) -> Any:
        return (0, 0)

    def seen(self, trial: Trial, memory: Any) -> Any:
        return memory[0]

    def read_query(self, tag: str, body: str, seen: Any) -> Any | Unreadable:
        return body if body in ("heads", "tails") else Unreadable("Call heads or tails.")

    def reply(self, trial: Trial, memory: Any, query: Any, rng: np.random.Generator) -> tuple[Any, Any]:
        return int(query == "heads"), (memory[0] + 1, memory[1] + (query == "heads"))

    def tell(self, query: Any, fact: Any) -> str:
        return {None: "Called.", 0: "A miss.", 1: "A hit."}[fact]

    def veil(self, fact: Any) -> Any:
        return None

    def over(self, trial: Trial, memory: Any) -> bool:
        return bool(memory[0] == trial.public)

    def progress(self, trial: Trial, memory: Any) -> tuple[int, int]:
        return memory[0] + 1, trial.public

    def score(self, trial: Trial, memory: Any) -> float:
        return float(memory[1] / trial.public)

    @property
    def queries(self) -> Sequence[str] | None:
        return ("<move>heads</move>", "<move>tails</move>")

    @property
    def turn_size(self) -> int:
        return 1

    def encode_turn(self, query: Any, fact: Any) -> Sequence[float]:
        return (float(fact or 0),)


FAMILY = Family(
    name="circuit",
    boxes={
        "sum": Entry("easy", Sum, "Adds five.", items=3),
        "hidden": Entry("easy", Hidden, "Adds a hidden number.", items=2),
        "coin": Entry("hard", Coin, "Always heads.", items=2),
    },
    generate=lambda rng, level: Sum(added=int(rng.integers(10 * level))),
    hides="nothing",
    section="nowhere",
    setting="2@1",
)
