"""ORACLE's black boxes and their endless variants."""

from __future__ import annotations

from interactive_envs.family import Family

FAMILY = Family(
    "black-box",
    label="Boxes",
    prefixes=("cipher", "circuit", "mechanics", "program", "puzzle", "strategy"),
    hidden={
        "cipher": "a cipher",
        "circuit": "a circuit of AND, OR and NOT gates",
        "mechanics": "a mechanical system",
        "program": "a small program",
        "puzzle": "a puzzle's solution",
        "strategy": "an opponent's strategy",
    },
    suites={
        "black-box": "interactive_envs.black_box.suites:BLACK_BOX",
        "qualification": "interactive_envs.black_box.suites:QUALIFICATION",
    },
    drawing="interactive_envs.black_box.circuit.drawing:draw",
    tables="interactive_envs.black_box.report.page:BoxTables",
    scores="interactive_envs.black_box.scores:YARDSTICKS",
    needs="interactive_envs.sandbox:level_in_use",
)
