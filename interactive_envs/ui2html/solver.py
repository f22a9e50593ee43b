"""Rebuilds a target of this package's own kind by asking formal questions: the reference.

It knows how such targets are drawn, not which was. The request names the kind of page; questions about the page's
colour find palette and style; then each question halves a set of pages that the request and all answers so far allow,
so that the pages left are as alike as can be. What it sends is the page most like all that are left.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from interactive_envs.ui2html.formulas import Formula, Term
from interactive_envs.ui2html.judge.formal import Measured, Sheet, compare
from interactive_envs.ui2html.rendering.colour import Colour
from interactive_envs.ui2html.rendering.drawing import drawn
from interactive_envs.ui2html.rendering.matching import lab
from interactive_envs.ui2html.targets.archetypes import ARCHETYPES
from interactive_envs.ui2html.targets.designs import DIFFICULTIES, OMISSIONS, compose, draw_quirks, wish
from interactive_envs.ui2html.targets.page import Page
from interactive_envs.ui2html.targets.styles import STYLES, Look, Palette, draw_look, rgb
from interactive_envs.ui2html.targets.words import TABLE, TOPICS, Draw, Topic

FIRST, MORE, MOST = 30, 8, 70
"""Pages that are drawn at once: at first, and when few are left; and in all."""
FEW = 5
"""Pages below which more are drawn."""
TRIES = 40
"""Pages composed for each one that the request allows."""
_SHADES = ("lightness", "red", "green", "blue")
_KINDS = ("heading", "text", "card", "band", "button", "field", "image", "badge", "shape")
_MEASURED = ("left", "top", "width", "height")
_PHRASES = re.compile(r"^(?:I need|Please build|Make me|We want) | (?:It needs|It should have|Give it) ")
Array = NDArray[np.float64]


def _terms() -> Iterator[Term]:
    yield Term("height", "page")
    for kind in (*_KINDS, "line", "choice"):
        yield Term("count", kind)
    for kind, number in itertools.product(_KINDS, range(1, 5)):
        yield from (Term(name, kind, number) for name in _MEASURED)
        if kind in ("heading", "text", "button"):
            yield from (Term(name, kind, number) for name in ("words", "lines"))
    yield from (Term("gap", kind) for kind in ("card", "field", "image"))


TERMS = tuple(_terms())
"""What may be asked of a page's parts."""
_SCALE = np.array([{"count": 1.0, "words": 4.0, "lines": 1.0}.get(term.property, 80.0) for term in TERMS])
_WEIGHT = np.array([4.0 if term.property == "count" or term.kind == "page" else 1.0 for term in TERMS])
"""By how much pages must differ in a term to be quite different, and how much the term counts."""


@dataclass(frozen=True)
class Guess:
    """A page that the target may be.

    Attributes:
        html: the page.
        look: of it.
        level: its difficulty.
        values: of ``TERMS``; nan where the page has no such part.
        faults: answers that are false of it.
    """

    html: str
    look: Look
    level: int
    values: Array
    faults: int = 0


class Designer:
    """Asks about a target of this package, and draws what the answers allow.

    Args:
        request: as in the first message.
        rng: which pages it thinks of.
    """

    def __init__(self, request: str, rng: np.random.Generator) -> None:
        self._draw = Draw(rng)
        self._wanted = _plain(request)
        self._topic = _topic(request)
        self._kind = next((name for name in ARCHETYPES if self._purpose(name) in request), None)
        dark = re.search(r"\bdark\b", request) is not None
        told = "overall look is" in request
        self._looks = [
            (name, palette)
            for name, style in STYLES.items()
            for palette in style.palettes
            if not told or style.dark == dark
        ]
        self._answers: list[tuple[Formula, bool]] = []
        self._guesses: list[Guess] = []
        self._asked: Formula | None = None

    @property
    def knows(self) -> bool:
        """Whether the request is for a page of a kind that it knows."""
        return self._kind is not None

    def question(self) -> str | None:
        """What to ask next; None where nothing is left to be asked."""
        self._asked = self._about_colour() or self._about_parts()
        return None if self._asked is None else str(self._asked)

    def learn(self, yes: bool) -> None:
        """Take the answer to the last question."""
        if self._asked is None:
            return
        formula, self._asked = self._asked, None
        self._answers.append((formula, yes))
        if formula.left.kind == "page" and formula.left.property in _SHADES:
            self._looks = [look for look in self._looks if _holds(formula, look[1]) == yes] or self._looks
        else:
            self._guesses = [_judged(guess, [(formula, yes)]) for guess in self._guesses]

    def page(self) -> str:
        """The page most like all that the answers allow."""
        left = self._left() if self._guesses else self._more()
        return left[_medoid(_apart(left))[0]].html

    def _about_colour(self) -> Formula | None:
        """The question about the page's colour that halves the palettes, None where one is left."""
        best: tuple[float, Formula] | None = None
        for name in _SHADES:
            term = Term(name, "page")
            values = sorted({_shade(palette, name) for _, palette in self._looks})
            for low, high in itertools.pairwise(values):
                formula = Formula(term, ">", float(int((low + high) / 2)))
                share = sum(_holds(formula, palette) for _, palette in self._looks) / len(self._looks)
                if best is None or abs(share - 0.5) < best[0]:
                    best = abs(share - 0.5), formula
        return best[1] if best else None

    def _about_parts(self) -> Formula | None:
        """The question after which the pages left are most alike, None where no question tells them apart."""
        left = self._more()
        apart, values = _apart(left), np.array([guess.values for guess in left])
        best: tuple[float, Formula | None] = np.inf, None
        for place, term in enumerate(TERMS):
            column = values[:, place]
            known = np.unique(column[~np.isnan(column)])
            cuts = (known[:-1] + known[1:]) / 2 if len(known) > 1 else known[:1] - 1
            for cut in np.unique(np.floor(cuts)):
                yes, formula = column > cut, Formula(term, ">", float(cut))
                if yes.all() or not yes.any() or self._implied(formula):
                    continue
                cost = sum(_medoid(apart[np.ix_(side, side)])[1] * side.sum() for side in (yes, ~yes))
                if cost < best[0]:
                    best = float(cost), formula
        return best[1]

    def _implied(self, formula: Formula) -> bool:
        """Whether an earlier answer decides it: more than 5 means more than 4, and what is not more than 5, not 6."""
        return any(
            formula.right <= asked.right if yes else formula.right >= asked.right  # type: ignore[operator]
            for asked, yes in self._answers
            if asked.left == formula.left
        )

    def _more(self) -> list[Guess]:
        """The pages left, after more were drawn where there are few."""
        self._guesses = [guess for guess in self._guesses if (guess.look.name, guess.look.colours) in self._looks]
        if not self._guesses:
            self._think(FIRST if len(self._looks) == 1 else FEW)
        elif sum(not guess.faults for guess in self._guesses) < FEW and len(self._guesses) < MOST:
            self._think(MORE)
        return self._left()

    def _left(self) -> list[Guess]:
        """The pages that fewest answers speak against."""
        ranked = sorted(self._guesses, key=lambda guess: guess.faults)
        most = ranked[min(FEW, len(ranked)) - 1].faults
        return [guess for guess in ranked if guess.faults <= most]

    def _think(self, count: int) -> None:
        """Draw so many more pages, like those left where there are some."""
        like = sorted(self._guesses, key=lambda guess: guess.faults)[:FEW]
        for _ in range(count):
            seed = like[len(self._guesses) % len(like)] if like else None
            page = self._compose(seed)
            html = page.html()
            values = _values(Sheet(drawn(html)))
            guess = Guess(html, page.look, page.level, values)
            self._guesses.append(_judged(guess, self._answers))

    def _compose(self, like: Guess | None) -> Page:
        """A page of the request, of the look and level of another where one is given."""
        draw = self._draw
        for _ in range(TRIES):
            level = like.level if like else draw.pick(DIFFICULTIES)
            name, palette = draw.pick(self._looks)
            drawn_look = draw_look(name, draw)
            look = like.look if like else Look(name, drawn_look.style, palette, drawn_look.width, drawn_look.unit)
            kind = self._kind or next(iter(ARCHETYPES))
            page = compose(kind, look, self._topic, level, draw_quirks(kind, level, draw), draw)
            if self._allowed(page):
                break
        return page

    def _allowed(self, page: Page) -> bool:
        return any(_plain(wish(page, omission, "I need", "It needs")) == self._wanted for omission in OMISSIONS)

    def _purpose(self, kind: str) -> str:
        look = draw_look("plain", self._draw)
        return compose(kind, look, TABLE if kind == "menu" else self._topic, 1, frozenset(), self._draw).purpose


def _plain(request: str) -> str:
    return _PHRASES.sub("; ", " ".join(request.split()))


def _topic(request: str) -> Topic:
    return next((topic for topic in TOPICS if f" {topic.kind}" in request), TOPICS[0])


def _shade(palette: Palette, name: str) -> float:
    colour = Colour(*rgb(palette.page))
    return float(int(lab(colour)[0] + 0.5)) if name == "lightness" else float(getattr(colour, name))


def _holds(formula: Formula, palette: Palette) -> bool:
    return isinstance(formula.right, float) and _shade(palette, formula.left.property) > formula.right


def _values(sheet: Sheet) -> Array:
    found: list[Measured | None] = [sheet.measure(term) for term in TERMS]
    return np.array([value if isinstance(value, float) else np.nan for value in found])


def _judged(guess: Guess, answers: Sequence[tuple[Formula, bool]]) -> Guess:
    """The guess with the answers that are false of it counted."""
    faults = guess.faults
    for formula, yes in answers:
        if formula.left in TERMS and isinstance(formula.right, float):
            value = float(guess.values[TERMS.index(formula.left)])
            faults += (not np.isnan(value) and compare(value, formula.relation, formula.right)) != yes
    return Guess(guess.html, guess.look, guess.level, guess.values, faults)


def _apart(guesses: Sequence[Guess]) -> Array:
    """How unlike each two are, 0 to 1; shape (n, n)."""
    values = np.array([guess.values for guess in guesses])
    missing = np.isnan(values)
    difference = np.abs(values[:, None] - values[None]) / _SCALE
    one, other = missing[:, None], missing[None]
    unlike = np.where(one & other, 0.0, np.where(one | other, 1.0, np.minimum(1.0, np.nan_to_num(difference))))
    return np.asarray((unlike * _WEIGHT).sum(axis=2) / _WEIGHT.sum())


def _medoid(apart: Array) -> tuple[int, float]:
    """The one least unlike all others, and by how much."""
    means = apart.mean(axis=1)
    best = int(means.argmin())
    return best, float(means[best])
