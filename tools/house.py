"""Draw which room imports which: ``make house`` writes docs/house.svg, and fails if an arrow points up.

A room is a module or package directly in ``interactive_envs``. Rows are the layers that import-linter holds
(pyproject.toml). Imports are counted by module, with the folders behind the links ``agents``, ``wrappers``,
``training`` and ``game_generation``. An arrow that other arrows imply is left out, or nobody could see the rest.
"""

from __future__ import annotations

import functools
import graphlib
import re
import sys
import tomllib
from collections import Counter
from pathlib import Path

import grimp
import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "house.svg"
PACKAGE = "interactive_envs"
WIDE, HIGH = 1.5, 1.0
"""Inches of a room's place."""


def rows() -> list[list[str]]:
    """Return the layers' rooms, the uppermost first."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = next(c for c in settings["tool"]["importlinter"]["contracts"] if c["type"] == "layers")
    return [re.split(r"\s*[|:]\s*", layer) for layer in contract["layers"]]


def imports() -> tuple[Counter[tuple[str, str]], Counter[str]]:
    """Return how many imports lead from one room to another, and how many modules each room has."""
    graph = grimp.build_graph(PACKAGE, exclude_type_checking_imports=True, cache_dir=None)
    sizes = Counter(module.split(".")[1] for module in graph.modules if "." in module)
    found: Counter[tuple[str, str]] = Counter()
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            here, there = (f"{name}.".split(".")[1] for name in (module, imported))
            if here and there and here != there:
                found[here, there] += 1
    return found, sizes


def circle() -> list[str]:
    """Return the modules of a circle of imports, or nothing; what is imported for type checkers alone never runs."""
    graph = grimp.build_graph(PACKAGE, exclude_type_checking_imports=True, cache_dir=None)
    order = graphlib.TopologicalSorter(
        {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    )
    try:
        order.prepare()
    except graphlib.CycleError as error:
        return list(error.args[1])
    return []


def needed(arrows: Counter[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the arrows that no chain of others implies."""
    below: dict[str, set[str]] = {}
    for here, there in arrows:
        below.setdefault(here, set()).add(there)

    @functools.cache
    def reach(room: str) -> set[str]:
        return set().union(*({there} | reach(there) for there in below.get(room, ())))

    return [
        (here, there)
        for here, there in sorted(arrows)
        if not any(there in reach(other) for other in below[here] - {there})
    ]


def draw(layers: list[list[str]], arrows: Counter[tuple[str, str]], sizes: Counter[str]) -> Figure:
    """Return the picture: a row a layer, a box a room, an arrow to what it imports."""
    most = max(map(len, layers))
    figure = Figure(figsize=(most * WIDE + 0.4, len(layers) * HIGH + 0.2))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(-0.2, most * WIDE + 0.2), ylim=(-0.1, len(layers) * HIGH + 0.1))
    axes.axis("off")
    places = {}
    for row, layer in enumerate(layers):
        left = (most - len(layer)) * WIDE / 2
        for column, room in enumerate(layer):
            places[room] = (left + (column + 0.5) * WIDE, (len(layers) - row - 0.5) * HIGH)
    for here, there in needed(arrows):
        axes.add_patch(
            FancyArrowPatch(
                (places[here][0], places[here][1] - 0.22), (places[there][0], places[there][1] + 0.22),
                arrowstyle="-|>", mutation_scale=9, color="#9aa5b1", linewidth=0.9, shrinkA=0, shrinkB=0,
            )
        )  # fmt: skip
    for room, (x, y) in places.items():
        box = FancyBboxPatch(
            (x - 0.66, y - 0.2), 1.32, 0.4, boxstyle="round,pad=0,rounding_size=0.06", facecolor="#eef3f8",
            edgecolor="#3d5a80", linewidth=1.0, zorder=2,
        )  # fmt: skip
        axes.add_patch(box)
        axes.text(x, y + 0.03, room, ha="center", va="center", fontsize=8.5, zorder=3)
        axes.text(x, y - 0.11, f"{sizes[room]} modules" if sizes[room] > 1 else "", ha="center", va="center",
                  fontsize=6, color="#52606d", zorder=3)  # fmt: skip
    return figure


def main() -> None:
    """Write the picture; exit with what is wrong where modules import in a circle, or an arrow does not point down."""
    if found := circle():
        sys.exit("these modules import in a circle: " + " -> ".join(found))
    layers = rows()
    height = {room: -number for number, layer in enumerate(layers) for room in layer}
    arrows, sizes = imports()
    wrong = sorted(f"{here} -> {there}" for here, there in arrows if height[here] <= height[there])
    if wrong:
        sys.exit("these arrows do not point down: " + ", ".join(wrong))
    with mpl.rc_context({"svg.hashsalt": "house", "font.family": "DejaVu Sans", "svg.fonttype": "path"}):
        draw(layers, arrows, sizes).savefig(PICTURE, metadata={"Date": None})


if __name__ == "__main__":
    main()
