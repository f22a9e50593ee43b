"""Relations at their edges: less or equal holds where both are equal, less does not."""

from __future__ import annotations

import pytest
import sympy

from interactive_envs.mathematics.judge.deciding import decide

HOLDS = {"Eq": (0,), "Ne": (-1, 1), "Lt": (-1,), "Le": (-1, 0), "Gt": (1,), "Ge": (0, 1)}
"""By relation, the differences of left and right at which it holds."""


@pytest.mark.parametrize("difference", [-1, 0, 1])
@pytest.mark.parametrize("relation", HOLDS)
def test_a_relation_holds_on_its_side_and_at_its_edge(relation: str, difference: int) -> None:
    values = {"answer": sympy.Integer(7 + difference)}
    assert decide(f"{relation}(answer, 7)", values) is (difference in HOLDS[relation])
