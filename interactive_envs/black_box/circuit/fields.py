"""Circuits in numbers: a bit is a place."""

from __future__ import annotations

from typing import Any

from interactive_envs.black_box.numeric.fields import Fields, Numbers
from interactive_envs.black_box.numeric.forms import Choice, Several


def fields(public: Any, partial: bool, generated: bool) -> Fields:
    """Inputs and the gates that are shown."""
    inputs, gates, outputs = public
    bit = Choice((0, 1))
    asked, shown = Several((bit,) * inputs), Several((bit,) * (outputs if partial else gates))
    return Fields(
        queries={"query": asked},
        fact=shown,
        answer=shown,
        item=asked,
        write=lambda tag, bits: " ".join(map(str, bits)),
        write_answer=lambda item, bits: " ".join(map(str, bits)),
    )


NUMBERS = Numbers(fields)
