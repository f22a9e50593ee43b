"""The small world behind generated puzzles: what is seen, what may be hidden, and exact answers to questions.

A :class:`Scene` is what everybody saw: an odd act, somebody's interference, the reaction. A :class:`World` is one
hidden story that explains it. Every attribute of a world is a tuple of values: none where the story leaves it open, two
where it holds of two parts of the story, such as a beneficiary who knows and another who does not. A
:class:`Predicate` asks whether values of one attribute are of a certain kind, and so has an exact answer in each world.
"""

from __future__ import annotations

import functools
import json
import operator
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from importlib.resources import files
from typing import Any, TypeAlias, TypeVar

import numpy as np

T = TypeVar("T")
Values: TypeAlias = tuple[str, ...]

YES, NO, BOTH, IRRELEVANT = range(4)
ROOM = 55
"""Words that an explanation should have at most on average, so that a draw of long wordings is rare."""
REACTIONS = {"bought": "firm", "released": "glad"}
"""What the protagonist shows when interfered with in this way; ``upset`` in every other."""

# A cause of the story brings these elements into it.
_ELEMENTS = {"death": ("death",), "inheritance": ("death",)}


@dataclass(frozen=True)
class Core:
    """How a mechanism works in one family of acts.

    Attributes:
        mechanism: why the act is done, a key of ``mechanisms.json``.
        property: what about the act or its object counts.
        sense: how those it is meant for perceive it.
        deceives: who is misled by it, where that is not the mechanism's own.
        elements: what else occurs in it.
        text: the sentence that tells it; ``{b}`` is the other person or creature.
        fact: the same, short.
    """

    mechanism: str
    property: Values
    sense: Values
    deceives: str
    elements: Values
    text: str
    fact: str


@dataclass(frozen=True)
class Family:
    """A family of odd acts with its trades, objects, interferences and cores; ``words`` are texts and lists of them."""

    name: str
    words: Mapping[str, Any]
    cores: tuple[Core, ...]


@dataclass(frozen=True)
class Scene:
    """What everybody saw: who did the odd act with what and where, and who interfered how."""

    family: Family
    kind: str
    thing: Mapping[str, str]
    woman: bool
    name: str
    surname: str
    trade: str
    place: str
    region: str
    period: str
    often: str
    act: str
    interferer: tuple[str, str]

    @property
    def reaction(self) -> str:
        """``upset``, ``glad`` or ``firm``."""
        return REACTIONS.get(self.kind, "upset")


@dataclass(frozen=True)
class World:
    """A hidden story: the five choices it is told from, then the attributes that questions are about.

    Attributes:
        core: how the act works.
        other: the kind of the one other figure, empty without.
        past: what happened before, empty where it is not told.
        aside: a circumstance, empty where none is told.
        mechanism: why the act is done.
        party: for whom it is done.
        figures: everybody who matters besides the protagonist.
        deceived: who is misled.
        knows: whether those it is done for know the reason.
        insiders: how many outsiders know it.
        sense: how it is perceived.
        property: what about it counts.
        money: earned or spent by it.
        cause: what led to it.
        motive: of the protagonist.
        stake: what would be lost without it.
        feeling: behind the reaction.
        span: how long it is meant to go on.
        works: whether it does what it is meant to do.
        elements: what else plays a part.
    """

    core: Core
    other: str
    past: str
    aside: str
    mechanism: Values
    party: Values
    figures: Values
    deceived: Values
    knows: Values
    insiders: Values
    sense: Values
    property: Values
    money: Values
    cause: Values
    motive: Values
    stake: Values
    feeling: Values
    span: Values
    works: Values
    elements: Values

    @functools.cached_property
    def attributes(self) -> tuple[Values, ...]:
        """The values of :data:`ATTRIBUTES`."""
        return tuple(getattr(self, name) for name in ATTRIBUTES)

    def alike(self, other: World) -> int:
        """In how many attributes two worlds agree."""
        return sum(map(operator.eq, self.attributes, other.attributes))


ATTRIBUTES = tuple(field.name for field in fields(World))[4:]


@dataclass(frozen=True)
class Predicate:
    """A question about one attribute.

    Attributes:
        facet: the attribute; ``open`` is one that every story leaves open.
        values: those it asks for.
        each: whether it is asked of each value, so that it may be true of one part and false of another, and irrelevant
            where there is none; otherwise it asks whether any of them occurs, and no is the answer where none does.
        ask: its wordings.
        fact: the claim that a yes amounts to.
        denial: the claim that a no amounts to, empty where it is too slight to be told.
    """

    facet: str
    values: frozenset[str]
    each: bool
    ask: tuple[str, ...]
    fact: str
    denial: str

    def label(self, world: World) -> int:
        """The exact answer, as an index of :data:`interactive_envs.dialogue.free_text.LABELS`."""
        values: Values = getattr(world, self.facet, ())
        held = [value in self.values for value in values]
        if not self.each:
            return YES if any(held) else NO
        if not held:
            return IRRELEVANT
        return YES if all(held) else BOTH if any(held) else NO


@functools.cache
def data(name: str) -> Any:
    """A data file of the generator by its name without ``.json``."""
    folder = files("interactive_envs.situation_puzzle") / "data" / "generator"
    return json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))


@functools.cache
def families() -> tuple[Family, ...]:
    """Every family of acts, by name."""
    folder = files("interactive_envs.situation_puzzle") / "data" / "generator" / "families"
    return tuple(_family(name) for name in sorted(entry.name.removesuffix(".json") for entry in folder.iterdir()))


@functools.cache
def predicates() -> tuple[Predicate, ...]:
    """The question grammar."""
    return tuple(
        Predicate(
            entry["facet"],
            frozenset(entry.get("all", entry.get("any"))),
            "all" in entry,
            tuple(entry["ask"]),
            entry["fact"],
            entry.get("deny", ""),
        )
        for entry in data("questions")
    )


def pick(rng: np.random.Generator, items: Sequence[T]) -> T:
    """One of the items, each as likely."""
    return items[int(rng.random() * len(items))]  # several times faster than rng.choice


def draw_scene(rng: np.random.Generator) -> Scene:
    """What everybody saw."""
    words = data("words")
    family = pick(rng, families())
    thing = pick(rng, family.words["objects"])
    woman = rng.random() < 0.5
    trades = family.words.get("women", family.words["trades"]) if woman else family.words["trades"]
    kind = pick(rng, list(family.words["kinds"]))
    sort = {"released": "authorities", "bought": "buyers"}.get(kind, "helpers")
    full, short = pick(rng, words[sort]).split("|")
    return Scene(
        family=family,
        kind=kind,
        thing=thing,
        woman=woman,
        name=pick(rng, words["women" if woman else "men"].split()),
        surname=pick(rng, words["surnames"].split()),
        trade=thing.get("trade") or pick(rng, trades),
        place=pick(rng, words["places"]),
        region=pick(rng, words["regions"]),
        period=pick(rng, words["periods"]),
        often=pick(rng, family.words["often"]),
        act=pick(rng, family.words["acts"]),
        interferer=(full, short),
    )


def draw_world(rng: np.random.Generator, scene: Scene, core: Core, chain: int) -> World:
    """A hidden story of this core, told in at most ``chain`` parts: core, reaction, the past and a circumstance."""
    mechanism = data("mechanisms")[core.mechanism]
    other = pick(rng, mechanism["parties"]) if mechanism["parties"] else ""
    past = pick(rng, list(mechanism["causes"]))
    aside = pick(rng, [name for name in mechanism["asides"] if _fits(name, scene, core)])
    either = ((past, ""), ("", aside)) if rng.random() < 0.5 else (("", aside), (past, ""))
    for told in ((past, aside), *either):
        if sum(map(bool, told)) <= chain - 2 and _room(scene, core, *told):
            return world_of(scene, core, other, *told)
    return world_of(scene, core, other, "", "")


def world_of(scene: Scene, core: Core, other: str, past: str, aside: str) -> World:
    """The world that follows from the choices: mechanism, core, past, circumstance and reaction each add attributes."""
    mechanism = data("mechanisms")[core.mechanism]
    twist = mechanism["twists"][scene.kind]
    extra: Mapping[str, Any] = data("words")["asides"][aside] if aside else {}
    party = _FOR.get(core.mechanism, (other,) if other else ("self",))
    deceives = core.deceives or mechanism.get("deceives", "")
    return World(
        core=core,
        other=other,
        past=past,
        aside=aside,
        mechanism=(core.mechanism,),
        party=_joined(party, extra.get("party")),
        figures=_joined((other,) if other else (), extra.get("party") if extra.get("party") != "self" else None),
        deceived=_joined((other if deceives == "party" else deceives,) if deceives else (), extra.get("deceives")),
        knows=_joined(_split(mechanism.get("knows")), extra.get("knows")),
        insiders=_split(extra.get("insiders")),
        sense=core.sense,
        property=core.property,
        money=_joined(_split(mechanism.get("money")), extra.get("money")),
        cause=(past,) if past else (),
        motive=_joined(_split(mechanism["motive"]), extra.get("motive")),
        stake=(mechanism["stake"],),
        feeling=_split(twist["feeling"]),
        span=_split(extra.get("span")),
        works=_split(extra.get("works")),
        elements=tuple(
            dict.fromkeys(
                (
                    *mechanism.get("elements", ()),
                    *core.elements,
                    *_ELEMENTS.get(past, ()),
                    *twist.get("elements", ()),
                )
            )
        ),
    )


# Whom it is done for, where that is not the other figure, or the protagonist without one.
_FOR: dict[str, Values] = {
    "court": ("self",),
    "test": ("self",),
    "warning": ("everyone",),
    **dict.fromkeys(("decoy", "hiding", "memory", "right", "shield"), ()),  # left open
}


def _room(scene: Scene, core: Core, past: str, aside: str) -> bool:
    """Whether so much can be told in the words of an explanation."""
    mechanism = data("mechanisms")[core.mechanism]
    texts = [mechanism["twists"][scene.kind]["texts"]]
    texts += [mechanism["causes"][past]] if past else []
    texts += [data("words")["asides"][aside]["texts"]] if aside else []
    return _words(core.text) + sum(sum(map(_words, some)) / len(some) for some in texts) <= ROOM


@functools.cache
def _words(text: str) -> float:
    """How many words a text has on average, whichever of its alternatives is told."""
    pieces = re.split(r"\(([^()]*)\)", text)
    choices = [[len(choice.split()) for choice in piece.split("|")] for piece in pieces[1::2]]
    slots = text.count("{b}") + text.count("{t}")  # two or more words each
    return sum(len(piece.split()) for piece in pieces[::2]) + sum(sum(c) / len(c) for c in choices) + slots


def _fits(aside: str, scene: Scene, core: Core) -> bool:
    """Whether a circumstance agrees with what was seen."""
    if scene.kind == "told":
        return aside != "many"  # what many know cannot be given away
    if aside == "second":
        return "public" in scene.family.words  # children can only count on what they notice
    if aside == "cost":
        return "costly" in scene.family.words or core.mechanism == "gift"
    return not (scene.kind == "released" and aside in ("ever", "pleasure"))  # who is glad to stop


def _split(text: str | None) -> Values:
    return tuple(text.split(",")) if text else ()


def _joined(values: Values, more: str | None) -> Values:
    return tuple(dict.fromkeys((*values, *_split(more))))


def _family(name: str) -> Family:
    words = data(f"families/{name}")
    cores = tuple(
        Core(
            mechanism=core["mechanism"],
            property=_split(core["property"]),
            sense=_split(core["sense"]),
            deceives=core.get("deceives", ""),
            elements=tuple(core.get("elements", ())),
            text=core["text"],
            fact=core["fact"],
        )
        for core in words["cores"]
    )
    return Family(name, words, cores)
