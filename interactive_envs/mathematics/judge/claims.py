"""What a judge answers to a claim about a problem: yes, no, both or irrelevant, and how the claim was read."""

from __future__ import annotations

import re
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
        told = {name: parse(value) for name, value in self.names.given.items()}
        self.values = {**told, **values(problem)}

    def reply(self, text: str) -> Reply:
        """The answer to a claim; whatever the text is."""
        try:
            parts = reading.read(self.names, text)
        except UnreadableError as error:
            return self._unread(text, str(error))
        told = " ; ".join(deciding.tidy(part.relation) for part in parts)
        if not any(part.named or self._occurs(part) for part in parts):
            return Reply(IRRELEVANT, f"read: {told} -> arithmetic that has nothing to do with the problem")
        if any(deciding.empty(part.relation, set(self.values)) for part in parts):
            return Reply(IRRELEVANT, f"read: {told} -> true of any numbers")
        try:
            verdicts = [deciding.decide(part.relation, self.values) for part in parts]
        except UnreadableError as error:
            return Reply(IRRELEVANT, f"read: {told} -> undecided, {error}", abstained=True)
        if len(parts) == 1 and not verdicts[0] and (other := self._elsewhere(parts[0].relation, text)):
            return Reply(IRRELEVANT, f"read: {told} -> undecided, perhaps of {other}", abstained=True)
        if any(part.reason for part in parts) and all(verdicts):
            return Reply(IRRELEVANT, f"read: {told} -> true, but the reason given is not read", abstained=True)
        label = "both" if len(set(verdicts)) > 1 else "yes" if verdicts[0] else "no"
        steps = ", ".join("yes" if verdict else "no" for verdict in verdicts)
        return Reply(label, f"read: {told} -> {steps}" + (f" -> {label}" if len(parts) > 1 else ""))

    def _elsewhere(self, relation: str, text: str) -> str:
        """What the words may be of instead, where a value is denied of a quantity: another that has it; or empty."""
        said = re.fullmatch(r"Eq\((\w+), (.+)\)", relation)
        if said is None or any(word in ASKED or word == said[1] for word in re.findall(r"\w+", text.lower())):
            return ""
        if said[1] == ANSWER and refers_to_answer(self.names, text):
            return ""
        value = canonical(said[2])
        if not is_rare(value) or self.names.calls(said[1], text):
            return ""
        if "/" in value and self.names.values[said[1]].lstrip("-").isdecimal():
            return "no whole number"
        if said[1] == ANSWER and canonical(f"{self.names.values[ANSWER]} - ({said[2]})") in ("1", "-1"):
            return ""  # off by one, as wrong answers are
        return next((name for name, other in self.names.values.items() if other == value and name != said[1]), "")

    def _occurs(self, part: Part) -> bool:
        """Whether arithmetic of plain numbers is of the problem's numbers: half of them, or a side."""
        told = set(re.findall(r"(?<![\w.])\d+", part.relation)) - _LITTLE
        ours = told & self.names.numbers
        if told and 2 * len(ours) >= len(told):
            return True
        return any(value in self.names.numbers and value not in _LITTLE for value in deciding.sides(part.relation))

    def _unread(self, text: str, why: str) -> Reply:
        """Irrelevant where no computation about this problem could answer; else abstained."""
        if _TALK.search(text):
            return Reply(IRRELEVANT, "talk about the talk, no claim")
        try:
            stems = stems_of(notation.tokens(text))
        except UnreadableError:
            return Reply(IRRELEVANT, f"unread: {why}", abstained=True)
        said = [one for one in weighty(stems) if not one.lstrip("#=").isdecimal() and len(one) > 1]
        counting = [one for one in said if one in COUNTING_STEMS]
        rest = [one for one in said if one not in counting]
        known = [one for one in rest if is_alike(one, self.names.vocabulary)]
        foreign = sorted(set(rest) - set(known))
        numbers = any(one.lstrip("#=").isdecimal() for one in stems)
        if any(one in ASKED for one in stems):
            return Reply(IRRELEVANT, f"unread: {why}", abstained=True)
        told = {one.lstrip("#=") for one in stems}
        ours = {one for one in told if one.isdecimal() and int(one) > 3} & self.names.numbers
        others = set(foreign) - DECISIVE_STEMS - SOFT_STEMS
        large = {one for one in ours if len(one) > 2}
        far = len(others) >= max(1, len(counting)) or not told & self.names.numbers
        if foreign and far and not large and _is_general(text):
            return Reply(IRRELEVANT, f"of things in general: {', '.join(foreign)}")
        if not ours and not counting and self.names.people & set(said):
            return Reply(IRRELEVANT, f"of {', '.join(sorted(self.names.people & set(said)))}, no number")
        asks = re.match(r"(is|are|does|do|can|has|have)\b", text.strip().lower()) is not None
        if asks and len(said) < 2 and not numbers and not counting:
            return Reply(IRRELEVANT, "asks nothing that could be computed")
        if re.match(r"is \d+ (a|an|the)\b", text.strip().lower()) and not known and not told & self.names.numbers:
            return Reply(IRRELEVANT, "asks of a number that has nothing to do with the problem")
        if asks and others and len(known) <= 1 and not ours and len(others) >= len(counting):
            return Reply(IRRELEVANT, f"asks of other things: {', '.join(foreign)}")
        derived = {self.names.values[quantity.name] for quantity in self.names.problem.quantities if not quantity.told}
        if len(others) >= 3 and len(others) > len(known) + len(counting) and not ours & derived:
            return Reply(IRRELEVANT, f"of other things: {', '.join(foreign)}")
        if ours or any("_" in one for one in stems):
            return Reply(IRRELEVANT, f"unread: {why}", abstained=True)
        if not known and counting and len(foreign) <= max(1, len(counting)):
            return Reply(IRRELEVANT, f"unread: {why}", abstained=True)
        if not known and (foreign or not numbers):
            return Reply(IRRELEVANT, f"names nothing of the problem: {', '.join(foreign)}")
        if foreign and not numbers and not counting and len(foreign) >= len(known):
            return Reply(IRRELEVANT, f"nothing to compute: {', '.join(foreign)}")
        if len(foreign) >= 2 and len(foreign) > len(known) + len(counting):
            return Reply(IRRELEVANT, f"of other things: {', '.join(foreign)}")
        return Reply(IRRELEVANT, f"unread: {why}", abstained=True)


def _is_general(text: str) -> bool:
    """Whether a sentence begins with a bare plural: ``Bakers get up early``, ``Brown eggs come from brown hens``."""
    said = re.match(r"([A-Z][a-z]+) ([a-z]+) ([a-z]+)?", text)
    if said is None or notation.tokens(said[1])[0].kind == "number":
        return False
    if stem(said[1].lower()) in SMALL_STEMS | DECISIVE_STEMS | SOFT_STEMS:
        return False
    subject, after = (said[1], said[2]) if said[1].endswith("s") else (said[2], said[3])
    return subject.endswith("s") and not subject.endswith("ss") and after not in (None, "of", "that", "which", "with")
