"""Every fixed box has a truth computed a second time; the families' tests compare, this is that none is left out."""

from __future__ import annotations

import numpy as np
import pytest

from interactive_envs.black_box import families as boxes
from interactive_envs.black_box.base import FAMILIES, AnswerBox, Trial
from tests.black_box import (
    second_cipher,
    second_circuit,
    second_mechanics,
    second_program,
    second_puzzle,
    second_strategy,
)


@pytest.mark.parametrize("family", FAMILIES)
def test_no_fixed_box_is_without_a_second_method(family: str) -> None:
    names = set(boxes.family(family).boxes)
    known = {
        "circuit": second_circuit.OUTPUTS,
        "cipher": second_cipher.FIXED,
        "mechanics": second_mechanics.FIXED,
        "program": [name for name in names if callable(getattr(second_program, name.replace("-", "_"), None))],
        "puzzle": names,  # one second method for all, by what the puzzle says of itself
        "strategy": second_strategy.FOLLOWS,
    }[family]
    assert names <= set(known)


@pytest.mark.parametrize("name", list(boxes.family("circuit").boxes))
def test_circuits_twice(name: str) -> None:
    box = boxes.family("circuit").boxes[name].make()
    for bits in box.arguments(Trial(), (), np.random.default_rng(5), 10):  # type: ignore[attr-defined]
        told = box.value(Trial(), bits)  # type: ignore[attr-defined]
        assert list(second_circuit.evaluate(box.gates, box.n, bits)) == list(told)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", list(boxes.family("cipher").boxes))
def test_ciphers_twice(name: str) -> None:
    box = boxes.family("cipher").boxes[name].make()
    assert isinstance(box, AnswerBox)
    for text in box.arguments(Trial(), (), np.random.default_rng(5), 8):
        assert box.value(Trial(), text) == second_cipher.FIXED[name](text)


@pytest.mark.every(7)
@pytest.mark.parametrize("name", list(boxes.family("mechanics").boxes))
def test_motions_twice(name: str) -> None:
    box = boxes.family("mechanics").boxes[name].make()
    assert isinstance(box, AnswerBox)
    for time in box.arguments(Trial(), (), np.random.default_rng(5), 6):
        other = second_mechanics.FIXED[name]([time])[0]
        assert np.abs(np.array(box.value(Trial(), time)) - other).max() < 1e-6


@pytest.mark.parametrize("name", list(boxes.family("puzzle").boxes))
def test_replies_of_puzzles_twice(name: str) -> None:
    box = boxes.family("puzzle").boxes[name].make()
    rng = np.random.default_rng(5)
    trial = box.trials(rng, 1)[0]
    memory = box.begin(trial)
    for number in range(5):
        text = str(box.any_query(rng))
        query = box.read_query("query", text.removeprefix("<query>").removesuffix("</query>"), None)
        fact, memory = box.reply(trial, memory, query, rng)
        other = second_puzzle.said(box.public, False, trial.hidden, number, query)
        assert other is None or box.tell(query, fact).rstrip(".") == other.rstrip(".")
