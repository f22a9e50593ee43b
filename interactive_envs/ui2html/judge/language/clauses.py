"""What a question says, sorted: phrases and clauses."""

from __future__ import annotations

from dataclasses import dataclass, field


class Unread(Exception):  # noqa: N818, never leaves this file
    """Why a question is not answered."""


@dataclass
class Phrase:
    """A noun phrase: what a clause speaks of."""

    role: str
    plural: bool = False
    words: list[str] = field(default_factory=list)
    quote: str = ""
    ordinal: int | None = None
    side: str = ""
    number: float | None = None
    values: list[tuple[str, str]] = field(default_factory=list)
    within: Phrase | None = None
    article: str = ""

    def __str__(self) -> str:
        named = [*self.words, *([repr(self.quote)] if self.quote else []), *([self.side] if self.side else [])]
        place = f" in {self.within}" if self.within else ""
        which = (
            "" if self.ordinal is None else {-1: "last ", 1000: "middle "}.get(self.ordinal, f"#{self.ordinal + 1} ")
        )
        return f"{which}{' '.join([*named, self.role])}{place}"


@dataclass
class Clause:
    """The units of one claim, sorted by what they do in it."""

    verb: str = ""
    verb_text: str = ""
    main: Phrase | None = None
    reference: Phrase | None = None
    aspect: str = ""
    directions: list[tuple[str, int]] = field(default_factory=list)
    values: list[tuple[str, str]] = field(default_factory=list)
    places: list[tuple[str, str]] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)
    lengths: list[float] = field(default_factory=list)
    quotes: list[str] = field(default_factory=list)
    negations: int = 0
    flags: set[str] = field(default_factory=set)
    nth: int = 0
    """Of "a third card": 3."""

    @property
    def subject(self) -> Phrase:
        """What it speaks of, the page where it names nothing."""
        if self.main is None:
            self.main = Phrase("page")
        return self.main

    def says(self) -> bool:
        """Whether it says anything of its subject."""
        return bool(
            self.aspect
            or self.directions
            or self.values
            or self.places
            or self.numbers
            or self.lengths
            or self.quotes
            or self.flags & {"same", "unchanged"}
            or (self.main and self.main.values)
        )
