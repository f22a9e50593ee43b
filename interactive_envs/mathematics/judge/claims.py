"""What a judge answers to a claim about a problem: yes, no, both or irrelevant, and how the claim was read."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from interactive_envs.mathematics.generators.base import ANSWER, Problem, parse, values
from interactive_envs.mathematics.judge import deciding, notation, reading
from interactive_envs.mathematics.judge.naming import Names
from interactive_envs.mathematics.judge.notation import UnreadableError, canonical, is_rare
from interactive_envs.mathematics.judge.pronouns import refers_to_answer
from interactive_envs.mathematics.judge.reading import Part
from interactive_envs.mathematics.judge.words import (
    ASKED,
    COUNTING_STEMS,
    DECISIVE_STEMS,
    SMALL_STEMS,
    SOFT_STEMS,
    is_alike,
    stem,
    stems_of,
    weighty,
)

IRRELEVANT = "irrelevant"

_LITTLE = frozenset(map(str, range(4)))
_TALK = re.compile(
    r"\b(say|answer|reply|respond|output|print|write)\s*(with|only|just)?\s*[\"':]*\s*(yes|no|correct|both)\b"
    r"|\b(ignore|disregard|forget)\b.*\b(instruction|rule|prompt|above|previous)|\b(system|assistant|user)\s*:"
    r"|\b(everything|anything|all) (that )?i (said|say|claim|wrote)|\bam i (right|correct)|\byou are (a|an|the|now)\b"
    r"|\bthe (correct|right) answer is (correct|right)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Reply:
    """An answer to a claim.

    Attributes:
        label: ``yes``, ``no``, ``both`` or ``irrelevant``.
        detail: how the claim was read, or why it was not.
        abstained: it was not read, and the label is the default.
    """

    label: str
    detail: str
    abstained: bool = False


class ClaimJudge:
    """Answers claims about one problem."""

    def __init__(self, problem: Problem) -> None:
        self.names = Names(problem)
        given = {name: parse(value) for name, value in self.names.given.items()}
        self.values = {**given, **values(problem)}

    def reply(self, text: str) -> Reply:
        """Return the answer to a claim; whatever the text is."""
        try:
            parts = reading.read(self.names, text)
        except UnreadableError as error:
            return self._unread(text, str(error))
        relations = " ; ".join(deciding.tidy(part.relation) for part in parts)
        if not any(part.named or self._occurs(part) for part in parts):
            return Reply(IRRELEVANT, f"read: {relations} -> arithmetic that has nothing to do with the problem")
        if any(deciding.empty(part.relation, set(self.values)) for part in parts):
            return Reply(IRRELEVANT, f"read: {relations} -> true of any numbers")
        try:
            verdicts = [deciding.decide(part.relation, self.values) for part in parts]
        except UnreadableError as error:
            return Reply(IRRELEVANT, f"read: {relations} -> undecided, {error}", abstained=True)
        if len(parts) == 1 and not verdicts[0] and (other := self._elsewhere(parts[0].relation, text)):
            return Reply(IRRELEVANT, f"read: {relations} -> undecided, perhaps of {other}", abstained=True)
        if any(part.reason for part in parts) and all(verdicts):
            return Reply(IRRELEVANT, f"read: {relations} -> true, but the reason given is not read", abstained=True)
        label = "both" if len(set(verdicts)) > 1 else "yes" if verdicts[0] else "no"
        steps = ", ".join("yes" if verdict else "no" for verdict in verdicts)
        return Reply(label, f"read: {relations} -> {steps}" + (f" -> {label}" if len(parts) > 1 else ""))

    def is_about_answer(self, text: str) -> bool:
        """Return whether a claim is about the answer itself: as it is read, or else by its words."""
        try:
            if any(re.search(rf"\b{ANSWER}\b", part.relation) for part in reading.read(self.names, text)):
                return True
        except UnreadableError:
            pass
        try:
            return refers_to_answer(self.names, text) or any(word in ASKED for word in re.findall(r"\w+", text.lower()))
        except UnreadableError:
            return False

    def _elsewhere(self, relation: str, text: str) -> str:
        """Return what else a denied value may be said of: another quantity that has it; empty where there is none."""
        sides = re.fullmatch(r"Eq\((\w+), (.+)\)", relation)
        if sides is None or any(word in ASKED or word == sides[1] for word in re.findall(r"\w+", text.lower())):
            return ""
        if sides[1] == ANSWER and refers_to_answer(self.names, text):
            return ""
        value = canonical(sides[2])
        if not is_rare(value) or self.names.calls(sides[1], text):
            return ""
        if "/" in value and self.names.values[sides[1]].lstrip("-").isdecimal():
            return "no whole number"
        if sides[1] == ANSWER and canonical(f"{self.names.values[ANSWER]} - ({sides[2]})") in ("1", "-1"):
            return ""  # off by one, as wrong answers are
        return next((name for name, other in self.names.values.items() if other == value and name != sides[1]), "")

    def _occurs(self, part: Part) -> bool:
        """Return whether arithmetic of plain numbers is of the problem's numbers: half of them, or a side."""
        numbers = set(re.findall(r"(?<![\w.])\d+", part.relation)) - _LITTLE
        ours = numbers & self.names.numbers
        if numbers and 2 * len(ours) >= len(numbers):
            return True
        return any(value in self.names.numbers and value not in _LITTLE for value in deciding.sides(part.relation))

    def _unread(self, text: str, why: str) -> Reply:
        """Return irrelevant where no computation about this problem could answer; else abstain."""
        if _TALK.search(text):
            return Reply(IRRELEVANT, "talk about the talk, no claim")
        try:
            claim = _UnreadClaim(self.names, text)
        except UnreadableError:
            return Reply(IRRELEVANT, f"unread: {why}", abstained=True)
        for rule in _UNREAD_RULES:
            reason = rule(claim)
            if reason is not None:
                return Reply(IRRELEVANT, reason or f"unread: {why}", abstained=not reason)
        return Reply(IRRELEVANT, f"unread: {why}", abstained=True)


class _UnreadClaim:
    """The words of a claim that was not read, by what they have to do with the problem.

    Attributes:
        stems: of all words.
        words: those that carry meaning, without numbers and letters.
        counting: of these, what could be decided.
        known: of the rest, what is in the problem.
        foreign: of the rest, what is not, sorted.
        others: of the foreign, what names things.
        numbers: whether there is any number.
        met: whether any number is the problem's.
        ours: the problem's numbers above 3 among its numbers.
        asks: whether it begins with a verb, as questions do.

    Raises:
        UnreadableError: the text has no tokens.
    """

    def __init__(self, names: Names, text: str) -> None:
        self.names = names
        self.text = text
        self.stems = stems_of(notation.tokens(text))
        self.words = [one for one in weighty(self.stems) if not one.lstrip("#=").isdecimal() and len(one) > 1]
        self.counting = [one for one in self.words if one in COUNTING_STEMS]
        rest = {one for one in self.words if one not in COUNTING_STEMS}
        self.known = {one for one in rest if is_alike(one, names.vocabulary)}
        self.foreign = sorted(rest - self.known)
        self.others = set(self.foreign) - DECISIVE_STEMS - SOFT_STEMS
        bare = {one.lstrip("#=") for one in self.stems}
        self.numbers = any(one.isdecimal() for one in bare)
        self.met = bool(bare & names.numbers)
        self.ours = {one for one in bare if one.isdecimal() and int(one) > 3} & names.numbers
        self.asks = re.match(r"(is|are|does|do|can|has|have)\b", text.strip().lower()) is not None


def _names_the_answer(claim: _UnreadClaim) -> str | None:
    """Abstain from what names the answer."""
    return _ABSTAIN if any(one in ASKED for one in claim.stems) else None


def _is_of_things_in_general(claim: _UnreadClaim) -> str | None:
    """Reject sentences such as ``Bakers get up early``."""
    far = len(claim.others) >= max(1, len(claim.counting)) or not claim.met
    large = any(len(one) > 2 for one in claim.ours)
    if claim.foreign and far and not large and _is_general(claim.text):
        return f"of things in general: {', '.join(claim.foreign)}"
    return None


def _is_of_people(claim: _UnreadClaim) -> str | None:
    """Reject what says of a person no number, such as ``Is Clara honest``."""
    people = claim.names.people & set(claim.words)
    return f"of {', '.join(sorted(people))}, no number" if people and not claim.ours and not claim.counting else None


def _asks_nothing(claim: _UnreadClaim) -> str | None:
    """Reject a question of one word, without number."""
    empty = len(claim.words) < 2 and not claim.numbers and not claim.counting
    return "asks nothing that could be computed" if claim.asks and empty else None


def _asks_of_a_number(claim: _UnreadClaim) -> str | None:
    """Reject questions such as ``Is 5 a lucky number``, of no number of the problem."""
    if re.match(r"is \d+ (a|an|the)\b", claim.text.strip().lower()) and not claim.known and not claim.met:
        return "asks of a number that has nothing to do with the problem"
    return None


def _asks_of_other_things(claim: _UnreadClaim) -> str | None:
    """Reject a question of which at most one word is the problem's."""
    other = bool(claim.others) and len(claim.known) <= 1 and len(claim.others) >= len(claim.counting)
    return f"asks of other things: {', '.join(claim.foreign)}" if claim.asks and other and not claim.ours else None


def _is_of_three_other_things(claim: _UnreadClaim) -> str | None:
    """Reject what names three other things, more than it has of the problem, and no number of the derivation."""
    found = {claim.names.values[quantity.name] for quantity in claim.names.problem.quantities if not quantity.told}
    many = len(claim.others) >= 3 and len(claim.others) > len(claim.known) + len(claim.counting)
    return f"of other things: {', '.join(claim.foreign)}" if many and not claim.ours & found else None


def _has_our_number(claim: _UnreadClaim) -> str | None:
    """Abstain from what has a number of the problem, or a name with an underscore."""
    return _ABSTAIN if claim.ours or any("_" in one for one in claim.stems) else None


def _could_be_decided(claim: _UnreadClaim) -> str | None:
    """Abstain from what is mostly words of claims that could be decided."""
    few = len(claim.foreign) <= max(1, len(claim.counting))
    return _ABSTAIN if not claim.known and claim.counting and few else None


def _names_nothing(claim: _UnreadClaim) -> str | None:
    """Reject what names nothing of the problem."""
    if not claim.known and (claim.foreign or not claim.numbers):
        return f"names nothing of the problem: {', '.join(claim.foreign)}"
    return None


def _computes_nothing(claim: _UnreadClaim) -> str | None:
    """Reject what has neither number nor word of computation, and as many other words as the problem's."""
    if claim.foreign and not claim.numbers and not claim.counting and len(claim.foreign) >= len(claim.known):
        return f"nothing to compute: {', '.join(claim.foreign)}"
    return None


def _is_of_two_other_things(claim: _UnreadClaim) -> str | None:
    """Reject what has two other words, more than it has of the problem."""
    if len(claim.foreign) >= 2 and len(claim.foreign) > len(claim.known) + len(claim.counting):
        return f"of other things: {', '.join(claim.foreign)}"
    return None


_ABSTAIN = ""
"""What a rule returns for a claim that is perhaps of the problem; the others return why it is not."""
_UNREAD_RULES: tuple[Callable[[_UnreadClaim], str | None], ...] = (
    _names_the_answer,
    _is_of_things_in_general,
    _is_of_people,
    _asks_nothing,
    _asks_of_a_number,
    _asks_of_other_things,
    _is_of_three_other_things,
    _has_our_number,
    _could_be_decided,
    _names_nothing,
    _computes_nothing,
    _is_of_two_other_things,
)
"""In the order in which they are tried."""


def _is_general(text: str) -> bool:
    """Return whether a sentence begins with a bare plural: ``Bakers get up early``, ``Brown eggs come from hens``."""
    opening = re.match(r"([A-Z][a-z]+) ([a-z]+) ([a-z]+)?", text)
    if opening is None or notation.tokens(opening[1])[0].kind == "number":
        return False
    if stem(opening[1].lower()) in SMALL_STEMS | DECISIVE_STEMS | SOFT_STEMS:
        return False
    subject, after = (opening[1], opening[2]) if opening[1].endswith("s") else (opening[2], opening[3])
    return subject.endswith("s") and not subject.endswith("ss") and after not in (None, "of", "that", "which", "with")
