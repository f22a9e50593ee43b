"""Circuits that somebody wrote as a folder: the gates as data, and a function that must compute the same."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from interactive_envs.black_box.base import Box
from interactive_envs.black_box.circuit.boxes import BOXES, Circuit, Gate
from interactive_envs.black_box.made import MadeFolder, Maker

MOST_GATES = 40


class CircuitMaker(Maker):
    """``inputs``, ``gates`` and ``outputs`` in ``box.toml``; ``evaluate(bits)`` in the code."""

    harness = """
def _ibench_results(inputs):
    return [[int(bit) for bit in evaluate(list(bits))] for bits in inputs]
"""

    def box(self, folder: MadeFolder) -> Circuit:
        """The circuit of the settings, with which the code must agree for all inputs."""
        circuit = self._circuit(folder)
        for bits, found in zip(self._all(circuit.n), folder.results(self._all(circuit.n)), strict=True):
            if found != list(circuit.run(bits)):
                raise folder.wrong(f"for the inputs {bits} the gates give {list(circuit.run(bits))}, the code {found}")
        return circuit

    def inputs(self, folder: MadeFolder, rng: np.random.Generator, count: int) -> list[Any]:
        """All of them."""
        return self._all(folder.setting("inputs", int, 2, 10))

    def known(self, folder: MadeFolder) -> str:
        """The fixed circuit whose gates give the same, whatever their order."""
        own = _columns(self._circuit(folder))
        return next((name for name, entry in BOXES.items() if _columns(entry.make()) == own), "")

    def _all(self, n: int) -> list[list[int]]:
        return [list(bits) for bits in itertools.product((0, 1), repeat=n)]

    def _circuit(self, folder: MadeFolder) -> Circuit:
        n = folder.setting("inputs", int, 2, 10)
        listed = folder.setting("gates", list, 2, MOST_GATES)
        gates = tuple(self._gate(folder, number, gate, n) for number, gate in enumerate(listed, 1))
        outputs = folder.setting("outputs", list, 1, len(gates))
        try:
            return Circuit(n=n, gates=gates, outputs=tuple(sorted(int(str(name).lstrip("g")) - 1 for name in outputs)))
        except ValueError as error:
            raise folder.wrong(f"outputs must name gates such as 'g3', got {outputs!r}: {error}") from error

    def _gate(self, folder: MadeFolder, number: int, gate: Any, n: int) -> Gate:
        signals = [f"x{place}" for place in range(1, n + 1)] + [f"g{place}" for place in range(1, number)]
        kind = str(gate[0]).lower() if isinstance(gate, list) and gate else ""
        given = [str(name) for name in gate[1:]] if kind else []
        if len(given) != {"and": 2, "or": 2, "not": 1}.get(kind) or not set(given) <= set(signals):
            raise folder.wrong(
                f'gate g{number} must be ["and", "x1", "g1"], ["or", …] or ["not", "x1"] with inputs or earlier gates, '
                f"got {gate!r}"
            )
        places = [signals.index(name) for name in given]
        return Gate(kind, places[0], places[-1])  # type: ignore[arg-type]


def _columns(circuit: Box) -> list[tuple[int, ...]]:
    """What each gate gives for all inputs, sorted; empty for another kind of box."""
    if not isinstance(circuit, Circuit):
        return []
    rows = [circuit.run(bits) for bits in itertools.product((0, 1), repeat=circuit.n)]
    return sorted(zip(*rows, strict=True))


MAKER = CircuitMaker()
