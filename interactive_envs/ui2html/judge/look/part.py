"""Parts of a page, whose look is measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from statistics import median
from typing import NamedTuple, TypeVar

from interactive_envs.ui2html.judge.page.view import View
from interactive_envs.ui2html.rendering.colour import Colour


class Part(NamedTuple):
    """Elements of one page that a question speaks of."""

    view: View
    role: str
    found: tuple[int, ...]


Value = float | str | Colour


Measure = Callable[[Part], Value | None]
MEASURES: dict[str, Measure] = {}
"""What is measured of parts, by property; the modules beside this one fill it."""


MeasureT = TypeVar("MeasureT", bound=Measure)


def measures(name: str) -> Callable[[MeasureT], MeasureT]:
    """Register what measures a property."""

    def register(measure: MeasureT) -> MeasureT:
        MEASURES[name] = measure
        return measure

    return register


def styles(part: Part, name: str) -> list[str]:
    """The computed values of a style property."""
    return [part.view.nodes[i].style.get(name, "") for i in part.found]


def median_of(values: Sequence[float]) -> float | None:
    """The median; None of nothing."""
    return median(values) if values else None


def most_frequent(values: Sequence[str]) -> str | None:
    """The most frequent text; None of nothing."""
    return Counter(values).most_common(1)[0][0] if values else None


def words_in(part: Part) -> list[int]:
    """The elements that hold the part's text; of a page, a section or a list those of the running text."""
    found = [i for index in part.found for i in part.view.texts(index)]
    if part.role in ("page", "main", "section", "text", "article"):
        sizes = Counter[float]()
        found = [i for i in found if part.view.nodes[i].tag not in ("input", "button", "textarea", "select")] or found
        for i in found:
            sizes[part.view.nodes[i].size] += len(part.view.nodes[i].text)
        usual = [i for i in found if sizes and part.view.nodes[i].size == sizes.most_common(1)[0][0]]
        return usual or found
    return list(dict.fromkeys(found))
