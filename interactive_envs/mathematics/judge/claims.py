"""What a judge answers to a claim about a problem: yes, no, both or irrelevant, and how the claim was read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from interactive_envs.mathematics.generators.base import ANSWER, Problem, parse, values
from interactive_envs.mathematics.judge import deciding, notation, reading
from interactive_envs.mathematics.judge.describing import text_stems, tokens_of
from interactive_envs.mathematics.judge.naming import ARTICLES, Names
from interactive_envs.mathematics.judge.notation import UnreadableError
from interactive_envs.mathematics.judge.pronouns import refers_to_answer, stands_for_answer
from interactive_envs.mathematics.judge.reading import Part
from interactive_envs.mathematics.judge.words import ASKED, COUNTING_STEMS, is_alike, stems_of, weighty

IRRELEVANT = "irrelevant"
_STATING = frozenset({"is", "are", "equals", "=", "<", ">", "<=", ">=", "!=", "exceeds", "ends", "has"})
"""What stands between the answer and what is said of it."""
_FOUND = frozenset("found obtained computed determined counted".split())
"""Words behind ``is`` that tell how the answer is found, and not what it is."""

_LITTLE = frozenset(map(str, range(4)))
_BOUND = re.compile(r"(Not\()?[LG][et]\(")
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
        if _TALK.search(text):
            return Reply(IRRELEVANT, "talk about the talk, no claim")
        try:
            parts = reading.read(self.names, text)
        except UnreadableError as error:
            return _unclear(f"unread: {error}")
        relations = " ; ".join(deciding.tidy(part.relation) for part in parts)
        if not any(part.named or self._occurs(part) for part in parts):
            return _unclear(f"read: {relations} -> arithmetic that has nothing to do with the problem")
        if any(deciding.empty(part.relation, set(self.values)) for part in parts):
            return _unclear(f"read: {relations} -> true of any numbers")
        if any(part.reason for part in parts):
            return _unclear(f"read: {relations} -> undecided, as the reason given is not read")
        # before it is decided: what is not understood is free, and must not tell whether it is true
        uncalled = self._uncalled(text, parts)
        if uncalled:
            return _unclear(f"read: {relations} -> undecided, as nothing calls it {uncalled}")
        if self._is_of_another_case(text, parts):
            return _unclear(f"read: {relations} -> undecided, as its numbers are not those of the question")
        try:
            verdicts = [deciding.decide(part.relation, self.values) for part in parts]
        except UnreadableError as error:
            return _unclear(f"read: {relations} -> undecided, {error}")
        label = "both" if len(set(verdicts)) > 1 else "yes" if verdicts[0] else "no"
        steps = ", ".join("yes" if verdict else "no" for verdict in verdicts)
        return Reply(label, f"read: {relations} -> {steps}" + (f" -> {label}" if len(parts) > 1 else ""))

    def is_about_answer(self, text: str) -> bool:
        """Return whether a claim is about the answer itself: as it is read, or by its words where it is not.

        What only its number makes a claim about the answer is none: a refusal would tell that the number is right.
        """
        try:
            called = self._called(text)
        except UnreadableError:
            return False
        named = called is None or ANSWER in called or self.names.calls(ANSWER, text)
        try:
            parts = reading.read(self.names, text)
        except UnreadableError:
            return called is not None and self._speaks_of_answer(text)
        if self._is_of_another_case(text, parts):
            return False
        about = [part.relation for part in parts if re.search(rf"\b{ANSWER}\b", part.relation)]
        return any(named or _BOUND.match(relation) for relation in about)

    def _speaks_of_answer(self, text: str) -> bool:
        """Return whether a text that is not read says ``the answer`` or ``it``, or states something of it.

        ``The number of ways satisfies a recurrence`` does not.
        """
        tokens = [token.text for token in notation.tokens(text)]
        if ASKED.intersection(tokens) or stands_for_answer(text):
            return True
        begin = int(tokens[0] in ARTICLES)
        for phrase in next(item.phrases for item in self.names.problem.quantities if item.name == ANSWER):
            words = [token.text for token in tokens_of(phrase)]
            verb, after = begin + len(words), begin + len(words) + 1
            if tokens[begin:verb] == words and set(tokens[verb:after]) & _STATING:
                return not set(tokens[after : after + 1]) & _FOUND
        return False

    def _is_of_another_case(self, text: str, parts: Sequence[Part]) -> bool:
        """Return whether a claim read as about the answer has a number that is no part of the question: a smaller case.

        Only where numbers are hidden: elsewhere the text's own numbers tell what the answer is of.
        """
        if not self.names.problem.hidden:
            return False
        about = [part.relation for part in parts if re.search(rf"\b{ANSWER}\b", part.relation)]
        if not about or self._called(text) is None:
            return False
        said = {one.lstrip("=") for one in text_stems(text) if re.fullmatch(r"[#=]?\d+", one)}
        related = {number for part in parts for number in re.findall(r"\d+", part.relation)}
        said = {one for one in said if one.lstrip("#") not in related}
        phrases = next(item.phrases for item in self.names.problem.quantities if item.name == ANSWER)
        known = {one.lstrip("=") for one in (*self.names.question, *text_stems(" ; ".join(phrases)))}
        return bool(said - known)

    def _called(self, text: str) -> set[str] | None:
        """Return the quantities that the words of a text name one by one; None for a formula, which has no words.

        Raises:
            UnreadableError: the text has no tokens.
        """
        tokens = notation.tokens(text)
        if all(token.kind != "word" or len(token.text) == 1 for token in tokens):
            return None
        words = {token.text for token in tokens}
        called = {name for word in words if (name := self.names.symbol(word))}
        return called | {ANSWER} if words & ASKED or refers_to_answer(self.names, text) else called

    def _uncalled(self, text: str, parts: Sequence[Part]) -> str:
        """Return the quantity of a claim that it calls neither by its name nor by a phrase; empty where there is none.

        The claim may be of something else. A bound is taken as read where all words are the problem's.
        """
        called = self._called(text)
        if called is None:
            return ""
        for part in parts:
            if _BOUND.match(part.relation) and not self._strange(stems_of(notation.tokens(text))):
                continue
            for name in sorted(set(re.findall(r"[A-Za-z_]\w*", part.relation)) & self.names.values.keys() - called):
                if not self.names.calls(name, text):
                    return str(name)
        return ""

    def _strange(self, stems: Sequence[str]) -> list[str]:
        """Return the words with weight that are neither the problem's nor of claims in general."""
        words = [one for one in weighty(stems) if not one.lstrip("#=").isdecimal() and len(one) > 1]
        return sorted(one for one in words if one not in COUNTING_STEMS and not is_alike(one, self.names.vocabulary))

    def _occurs(self, part: Part) -> bool:
        """Return whether arithmetic of plain numbers is of the problem's numbers: half of them, or a side."""
        numbers = set(re.findall(r"(?<![\w.])\d+", part.relation)) - _LITTLE
        ours = numbers & self.names.numbers
        if numbers and 2 * len(ours) >= len(numbers):
            return True
        return any(value in self.names.numbers and value not in _LITTLE for value in deciding.sides(part.relation))


def _unclear(detail: str) -> Reply:
    """Return the reply to what was not understood."""
    return Reply(IRRELEVANT, detail, abstained=True)
