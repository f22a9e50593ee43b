"""A tiny game for the tests: seats take 1 or 2 from a heap in turn; who takes the last wins 1, the others lose 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from interactive_envs.multiplayer.game import Game
from interactive_envs.outcome import Outcome
from interactive_envs.parsing import Unreadable
from interactive_envs.view import View


@dataclass(frozen=True)
class HeapView(View):
    seat: int
    left: int


@dataclass
class Heap:
    left: int
    mover: int = 0
    winner: int | None = None
    lost: int | None = None


class Countdown(Game[Heap]):
    invalid_policies = {"forfeit": "you lose the game", "one": "you take one"}  # noqa: RUF012
    reset_options = ("heap",)
    action_examples = ("<move>1</move>",)

    def __init__(self, seats: int = 2) -> None:
        self.seats = seats

    def start(self, rng: np.random.Generator, options: Mapping[str, Any]) -> Heap:
        return Heap(int(options.get("heap", rng.integers(3, 8))))

    def clone(self, state: Heap) -> Heap:
        return Heap(**vars(state))

    def to_move(self, state: Heap) -> int | None:
        return None if state.winner is not None or state.lost is not None else state.mover

    def read(self, state: Heap, seat: int, text: str) -> int | Unreadable:
        if text not in ("1", "2"):
            return Unreadable("Say 1 or 2.")
        return int(text) if int(text) <= state.left else Unreadable(f"Only {state.left} is left.")

    def play(self, state: Heap, seat: int, move: int) -> None:
        state.left -= move
        state.winner = None if state.left else seat
        state.mover = (seat + 1) % self.seats

    def punish(self, state: Heap, seat: int, policy: str) -> None:
        if policy == "one":
            self.play(state, seat, 1)
        else:
            state.lost = seat

    def returns(self, state: Heap) -> tuple[float, ...]:
        if state.winner is None:
            return (0.0,) * self.seats
        return tuple(1.0 if seat == state.winner else -1.0 for seat in range(self.seats))

    def outcomes(self, state: Heap) -> tuple[Outcome, ...]:
        return tuple(Outcome.FORFEIT if seat == state.lost else Outcome.SCORED for seat in range(self.seats))

    def view(self, state: Heap, seat: int) -> HeapView:
        return HeapView(seat, state.left)

    def rules(self, view: HeapView) -> str:
        return "Take 1 or 2; the last wins."

    def situation(self, view: HeapView) -> str:
        return f"Left: {view.left}."
