"""Targets of UI2Html: pages of our own with what is true of them and the short request that starts an episode.

A :class:`Design` names a page; its archetype, style, seed and difficulty decide every byte of it.

=================================  =====  =====  =====  =====  =====
difficulty                             1      2      3      4      5
=================================  =====  =====  =====  =====  =====
irregularities                         0      1      2      3      4
parts of a part, columns, items     fewest  ...    ...    ...   most
kinds of page, if it is generated   plain   ...    ...    ...   rich
=================================  =====  =====  =====  =====  =====

>>> design = generate(7, 3)
>>> design.id, html(design) == html(design), len(facts(design)) >= 25
('generated-3-7', True, True)
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files

import numpy as np

from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.ui2html.targets.archetypes import ARCHETYPES
from interactive_envs.ui2html.targets.page import Page, TargetFact
from interactive_envs.ui2html.targets.pieces import QUIRKS, base
from interactive_envs.ui2html.targets.styles import STYLES, Look, colour_name, draw_look
from interactive_envs.ui2html.targets.words import TOPICS, Copy, Draw, Topic

LARGEST_SEED = 2**32 - 1
DIFFICULTIES = (1, 2, 3, 4, 5)
OMISSIONS = (1, 2, 3)
"""How much a request leaves out: 1 little, 3 most."""


@dataclass(frozen=True)
class Design:
    """A page, by name.

    Attributes:
        id: of the target; players never see it, for it tells the archetype.
        archetype: a key of :data:`interactive_envs.ui2html.targets.archetypes.ARCHETYPES`.
        style: a key of :data:`interactive_envs.ui2html.targets.styles.STYLES`.
        seed: 0 to 4294967295.
        difficulty: 1 to 5.
    """

    id: str
    archetype: str
    style: str
    seed: int
    difficulty: int

    def __post_init__(self) -> None:
        for name, value, known in (
            ("archetype", self.archetype, ARCHETYPES),
            ("style", self.style, STYLES),
        ):
            if value not in known:
                raise UnknownNameError(name, value, known)
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or not 0 <= self.seed <= LARGEST_SEED:
            raise ConfigError(f"seed must be a whole number from 0 to {LARGEST_SEED}, got {self.seed!r}")
        if isinstance(self.difficulty, bool) or self.difficulty not in DIFFICULTIES:
            raise ConfigError(f"difficulty must be 1, 2, 3, 4 or 5, got {self.difficulty!r}")

    def to_json(self) -> dict[str, str | int]:
        """As in ``targets.json``."""
        return asdict(self)


def generate(seed: int, difficulty: int) -> Design:
    """The generated design of a seed, of any style and an archetype of this difficulty.

    Args:
        seed: 0 to 4294967295.
        difficulty: 1 to 5.

    Raises:
        ConfigError: there is no such seed or difficulty.
    """
    name = f"generated-{difficulty}-{seed}"
    Design(name, next(iter(ARCHETYPES)), next(iter(STYLES)), seed, difficulty)
    draw = Draw(np.random.default_rng([seed, difficulty]))
    return Design(name, draw.pick(kinds_at(difficulty)), draw.pick(tuple(STYLES)), seed, difficulty)


def kinds_at(difficulty: int) -> tuple[str, ...]:
    """The archetypes that generated targets of a difficulty are of."""
    return tuple(name for name, kind in ARCHETYPES.items() if kind.levels[0] <= difficulty <= kind.levels[1])


@functools.cache
def fixed() -> tuple[Design, ...]:
    """The fifty targets of the benchmark: ten archetypes in five styles each."""
    text = (files("interactive_envs.ui2html") / "data" / "targets.json").read_text(encoding="utf-8")
    return tuple(Design(**row) for row in json.loads(text)["targets"])


def find(target_id: str) -> Design:
    """The design of this id, fixed or like ``generated-3-77``.

    Raises:
        UnknownNameError: there is none.
    """
    named = re.fullmatch(r"generated-([1-5])-(0|[1-9]\d{0,9})", target_id)
    if named is not None and int(named[2]) <= LARGEST_SEED:
        return generate(int(named[2]), int(named[1]))
    for design in fixed():
        if design.id == target_id:
            return design
    raise UnknownNameError("target", target_id, [design.id for design in fixed()])


@functools.lru_cache(maxsize=128)
def _built(design: Design) -> Page:
    name = hashlib.sha256(f"{design.archetype}/{design.style}".encode()).digest()
    draw = Draw(np.random.default_rng([design.seed, design.difficulty, int.from_bytes(name[:4])]))
    quirks = draw_quirks(design.archetype, design.difficulty, draw)
    look = draw_look(design.style, draw)
    return compose(design.archetype, look, draw.pick(TOPICS), design.difficulty, quirks, draw)


def draw_quirks(archetype: str, difficulty: int, draw: Draw) -> frozenset[str]:
    """The irregularities of a page: one fewer than its difficulty."""
    own = draw.some(ARCHETYPES[archetype].quirks, len(ARCHETYPES[archetype].quirks))
    common = draw.some(QUIRKS, len(QUIRKS))
    # The archetype's own come first: they change what the page is about.
    return frozenset((own[:1] + common[:1] + own[1:] + common[1:])[: difficulty - 1])


def compose(archetype: str, look: Look, topic: Topic, difficulty: int, quirks: frozenset[str], draw: Draw) -> Page:
    """A page of this kind and look; what is left open is drawn."""
    page = Page(look, draw, Copy(draw, topic), difficulty, quirks)
    base(page)
    ARCHETYPES[archetype].build(page)
    page.title = page.copy.brand
    page.finish()
    return page


def html(design: Design) -> str:
    """One static self-contained file."""
    return _built(design).html()


def facts(design: Design) -> tuple[TargetFact, ...]:
    """What is true of the page, each checkable in a browser at its path."""
    return tuple(_built(design).facts)


def stated(design: Design, omission: int) -> tuple[TargetFact, ...]:
    """The facts that the request of this level gives away; all others are left out."""
    return _stated(_built(design), omission)


def _stated(page: Page, omission: int) -> tuple[TargetFact, ...]:
    known = page.facts
    parts = [f for f in known if f.kind == "section" and f.value is True and f.importance == 3]
    if omission == 3:
        # The frame of every page goes without saying.
        named = [f for f in parts if f.subject != "the header"]
        return tuple(named[:2])
    if omission == 2:
        return tuple(parts[:5])
    counts = [f for f in known if f.kind == "count" and f.importance == 3][:2]
    looks = [f for f in known if f.subject == "the page" and f.kind in ("background", "font")]
    return (*parts[:7], *counts, *looks)


def request(design: Design, omission: int = 2) -> str:
    """The short, deliberately incomplete wish that starts an episode.

    Args:
        design: the target.
        omission: 1 names the main parts, some counts and the overall look; 2 only the main parts and whether it is dark
            or light; 3 what the page is for and two of its parts.

    Raises:
        ConfigError: there is no such level.
    """
    if isinstance(omission, bool) or omission not in OMISSIONS:
        raise ConfigError(f"omission must be 1, 2 or 3, got {omission!r}")
    start = ("I need", "Please build", "Make me", "We want")[design.seed % 4]
    verb = ("It needs", "It should have", "Give it")[design.seed % 3]
    return wish(_built(design), omission, start, verb)


def wish(page: Page, omission: int, start: str, verb: str) -> str:
    """The request for a page, in these words."""
    given = _stated(page, omission)
    parts = [_article(f.subject) for f in given if f.kind == "section"]
    sentences = [f"{start} {page.purpose}."]
    sentences.append(f"{verb} {_listed(parts)}.")
    shade = "dark" if page.look.style.dark else "light"
    if omission == 2:
        sentences.append(f"The overall look is {shade}.")
    if omission == 1:
        for fact in given:
            if fact.kind == "background":
                family = {"monospace": "monospaced"}.get(page.look.style.body, page.look.style.body)
                sentences.append(f"The page is {colour_name(str(fact.value))} with a {family} typeface.")
        counts = [
            f"{_number(fact.value)} {re.sub('^the ', '', fact.subject)}" for fact in given if fact.kind == "count"
        ]
        if counts:
            sentences.append(f"There are {_listed(counts)}.")
    return " ".join(sentences)


def _number(value: object) -> str:
    words = "no one two three four five six seven eight nine ten eleven twelve".split()
    return words[value] if isinstance(value, int) and value < len(words) else str(value)


def _article(subject: str) -> str:
    bare = re.sub("^the ", "", subject)
    if bare.partition(" of ")[0].endswith("s"):
        return bare
    return f"{'an' if bare[0] in 'aeiou' else 'a'} {bare}"


def _listed(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


@functools.cache
def sha256() -> str:
    """Hash of the fifty fixed pages, so that a record tells which it was played on."""
    whole = "\0".join(f"{design.id}\0{html(design)}" for design in fixed())
    return hashlib.sha256(whole.encode()).hexdigest()
