"""Mechanical systems in numbers: times and coordinates digit by digit."""

from __future__ import annotations

import math
from typing import Any

from interactive_envs.black_box.mechanics.boxes import AXES, LABELS, TOLERANCE_UNITS
from interactive_envs.black_box.numeric.fields import Fields, Numbers
from interactive_envs.black_box.numeric.forms import Choice, Decimal, Several

FARTHEST = 99_999
"""Of a coordinate in a reply or an answer, without its sign; no system of the package gets so far."""
FINE = 4
"""Decimals of an answer: a hundredth of the tolerance."""
LONGEST = 400
"""Until when a system of the package moves, in its own unit of time."""


def fields(public: Any, partial: bool, generated: bool) -> Fields:
    """A time, with an axis where one is asked for; x, y and z of each object."""
    about = dict(public)
    objects, until, decimals = about["objects"], about["horizon"], about["decimals"]
    time, axis = Decimal(0, until, 2), Choice(tuple(AXES))
    place = Decimal(-FARTHEST, FARTHEST, decimals)
    fine = Decimal(-FARTHEST, FARTHEST, FINE)
    return Fields(
        queries={"query": Several((time, axis)) if partial else time},
        fact=Several(((place if partial else Several((place,) * 3)),) * objects),
        answer=Several((Several((fine,) * 3),) * objects),
        item=time,
        write=lambda tag, query: "{:.2f} {}".format(*query) if partial else f"{query:.2f}",
        write_answer=lambda item, points: "; ".join(
            f"{label}: " + ", ".join(f"{x:.{FINE}f}" for x in point)
            for label, point in zip(LABELS, points, strict=False)
        ),
        about=(
            objects / len(LABELS),
            min(1.0, until / LONGEST),
            min(1.0, -math.log10(about["tolerance"]) / 4),
            decimals / FINE,
            [*TOLERANCE_UNITS].index(about["length"]) / 1,
            float(about["time"] == "d"),
        ),
    )


def widest(level: int) -> tuple[Any, ...]:
    """What a generated system of three objects tells of itself; no other has more of anything."""
    about = {"objects": len(LABELS), "horizon": 99.99, "decimals": 2, "tolerance": 0.01, "length": "m", "time": "s"}
    return (tuple(about.items()),)


NUMBERS = Numbers(fields, widest)
