"""From worlds to words: a small grammar of alternatives and slots.

In a text of the data files ``(a|b)`` stands for either and ``{x}`` for the words of slot x. Somebody named for the
first time in a text is introduced, afterwards goes by a short name; the protagonist's pronouns become the name where
it has not been said yet.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence

import numpy as np

from interactive_envs.situation_puzzle.generator.world import Scene, World, data, pick

SHORTEST, LONGEST = 30, 60
"""Words of an explanation."""
LONGEST_SETUP = 80
TRIES = 40

_PRONOUNS = {
    "woman": {"he": "she", "him": "her", "his": "her", "himself": "herself"},
    "man": {"he": "he", "him": "him", "his": "his", "himself": "himself"},
    "neighbours": {"he": "they", "him": "them", "his": "their", "himself": "themselves"},
    "animal": {"he": "it", "him": "it", "his": "its", "himself": "itself"},
}
_GENDERED = {
    "boy": "girl",
    "man": "woman",
    "brother": "sister",
    "father": "mother",
    "clerk": "milliner",
}


class Teller:
    """Tells one puzzle: the same people throughout, and no wording twice while there are others.

    Args:
        scene: what everybody saw.
        rng: decides between wordings.
    """

    def __init__(self, scene: Scene, rng: np.random.Generator) -> None:
        self._scene, self._rng = scene, rng
        self._spent: set[str] = set()
        words = scene.family.words
        self._slots = {
            "t": words["t"],
            "deed": words["deed"],
            "place": scene.place,
            "region": scene.region,
            "period": scene.period,
            "often": scene.often,
            "act": scene.act,
            "intro": f"{scene.name} {scene.surname}, {_article(scene.trade)},",
            "intro_a": f"{_article(scene.trade)} called {scene.name} {scene.surname}",
            "intro_c": f"the {scene.trade} {scene.name} {scene.surname}",
            **scene.thing,
        }
        self._pronouns = _PRONOUNS["woman" if scene.woman else "man"]
        names = data("words")["men" if scene.woman else "women"].split()
        self._names = iter([names[i] for i in rng.permutation(len(names))])
        self._others: dict[str, Mapping[str, str]] = {}
        self._other: Mapping[str, str] = {}
        self._named: set[str] = set()
        self._twists: dict[str, str] = {}

    def title(self) -> str:
        """A title that gives nothing away."""
        return self._begin().say(self._wording(self._scene.family.words["titles"]))

    def setup(self) -> str:
        """What everybody saw."""
        words = self._scene.family.words
        parts = (
            data("words")["openings"],
            words["details"],
            words["kinds"][self._scene.kind],
            data("words")["reactions"][self._scene.reaction],
        )
        text = ""
        for _ in range(TRIES):
            drawn = self._begin("p", interferer=False).sentences([self._wording(texts) for texts in parts])
            if not text or len(drawn.split()) < len(text.split()):
                text = drawn
            if len(text.split()) <= LONGEST_SETUP:
                break
        return text

    def explanation(self, world: World) -> str:
        """The hidden story in 30 to 60 words, in one of several orders."""
        for _ in range(TRIES):  # an unlucky draw of long wordings is drawn again
            spent = set(self._spent)
            order = pick(self._rng, data("words")["orders"])
            parts = self._parts(world)
            text = self._begin(world=world).sentences([parts[part] for part in order if part in parts])
            if SHORTEST <= len(text.split()) <= LONGEST:
                break
            self._spent = spent
        self._twists.setdefault(world.core.mechanism, parts["twist"])
        return text

    def solution(self, world: World) -> str:
        """The hidden story at greater length."""
        frame, parts = data("words")["solutions"], self._parts(world)
        told = [parts[part] for part in ("cause", "core", "aside", "twist") if part in parts]
        begin, end = self._wording(frame["start"]), self._wording(frame[self._scene.reaction])
        return self._begin("p", world=world).sentences([begin, *told, end])

    def facts(self, world: World, claims: Sequence[str]) -> tuple[list[str], list[str]]:
        """Sentences that a right answer must contain, as its first explanation does, and others that are true of it."""
        parts = self._parts(world)
        required = [world.core.fact, self._twists.get(world.core.mechanism, parts["twist"])]
        others = [parts[part] for part in ("cause", "aside") if part in parts] + list(claims)
        return [self.line(text, world) for text in required], [self.line(text, world) for text in others]

    def line(self, text: str, world: World | None = None) -> str:
        """One sentence that stands alone."""
        return self._begin(world=world).sentences([text])

    def wordings(self, texts: Sequence[str]) -> list[str]:
        """Sentences that stand alone, any of them first."""
        first = int(self._rng.random() * len(texts))
        return [self.line(text) for text in (*texts[first:], *texts[:first])]

    def sentences(self, texts: Sequence[str]) -> str:
        """The sentences joined, each with a capital."""
        text = " ".join(" ".join(self.say(text) for text in texts).split())
        text = re.sub(r",([,.;:])", r"\1", text)
        return re.sub(r"(^|[.!?] )([a-z])", lambda match: match[1] + match[2].upper(), text)

    def say(self, text: str) -> str:
        """The text with its alternatives decided and its slots filled."""
        return _SLOT.sub(self._fill, self._decided(text))

    def _begin(self, *named: str, world: World | None = None, interferer: bool = True) -> Teller:
        """Start a new text in which nobody but those ``named`` has been introduced."""
        self._named = {*named, "i"} if interferer else set(named)
        if world is not None and world.other:
            known = self._others.get(world.core.mechanism)
            self._other = self._others[world.core.mechanism] = known or self._person(world.other)
        return self

    def _parts(self, world: World) -> dict[str, str]:
        """A wording for each sentence of the story."""
        mechanism = data("mechanisms")[world.core.mechanism]
        parts = {
            "core": world.core.text,
            "twist": self._wording(mechanism["twists"][self._scene.kind]["texts"]),
        }
        if world.past:
            parts["cause"] = self._wording(mechanism["causes"][world.past])
        if world.aside:
            parts["aside"] = self._wording(data("words")["asides"][world.aside]["texts"])
        return parts

    def _wording(self, texts: Sequence[str]) -> str:
        fresh = [text for text in texts if text not in self._spent]
        chosen = pick(self._rng, fresh or texts)
        self._spent.add(chosen)
        return chosen

    def _person(self, kind: str) -> Mapping[str, str]:
        """How the other figure is introduced, owns something, is named again, and is referred to."""
        first, owner, later = pick(self._rng, data("words")["parties"][kind])
        # Of the other gender than the protagonist, so that "he" and "she" are never in doubt.
        sort = kind if kind in _PRONOUNS else "man" if self._scene.woman else "woman"
        female = {} if self._scene.woman else _GENDERED
        gender = {word: female.get(word, word) for word in _GENDERED}
        if kind not in _PRONOUNS:
            gender["name"] = next(self._names)
        first, owner, later = (
            _SLOT.sub(lambda match: gender.get(match[1], match[0]), self._decided(text))
            for text in (first, owner, later)
        )
        pronouns = {f"b{key}": word for key, word in _PRONOUNS[sort].items()}
        return {"first": first, "owner": owner, "later": later, "s": "'" if kind == "neighbours" else "'s", **pronouns}

    def _decided(self, text: str) -> str:
        return "".join(part if isinstance(part, str) else pick(self._rng, part) for part in _compiled(text))

    def _fill(self, match: re.Match[str]) -> str:
        slot = match[1]
        if slot == "p":
            self._named.add("p")
            return self._scene.name
        if slot in self._pronouns:
            if "p" in self._named or slot == "himself":
                return self._pronouns[slot]
            self._named.add("p")
            return f"{self._scene.name}'s" if slot == "his" else self._scene.name
        if slot in ("b", "b's"):
            return self._mention_other(slot)
        if slot in ("i", "i's"):
            words = self._scene.interferer["i" in self._named]
            self._named.add("i")
            return f"{words}'s" if slot == "i's" else words
        if slot in self._other:
            return self._other[slot]
        if slot not in self._slots:
            return self.say(self._slots[slot.lower()]).title()
        return self.say(self._slots[slot])

    def _mention_other(self, slot: str) -> str:
        person, known = self._other, "b" in self._named
        self._named.add("b")
        if slot == "b":
            return self.say(person["later" if known else "first"])
        return self.say(person["later" if known else "owner"]) + person["s"]


_SLOT = re.compile(r"\{([^}]+)\}")


@functools.cache
def _compiled(text: str) -> tuple[str | tuple[str, ...], ...]:
    """Literal pieces, and tuples of alternatives."""
    pieces = re.split(r"\(([^()]*)\)", text)
    return tuple(tuple(piece.split("|")) if odd % 2 else piece for odd, piece in enumerate(pieces))


def _article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
