"""Rule players for situation puzzles: a floor that reads the text, and a reference that reads the View."""

from __future__ import annotations

import math
import re
import zlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from interactive_envs.agent import Agent
from interactive_envs.dialogue.free_text import LABELS
from interactive_envs.dialogue.view import DialogueView, facts_of
from interactive_envs.errors import ConfigError
from interactive_envs.situation_puzzle.budgets import best_question
from interactive_envs.situation_puzzle.rules import MenuTask


class Reference(Agent):
    """Menu mode: asks the question that is worth the most bits, answers when one candidate is left.

    Reads the View, label matrix included; ties go to the question listed first.
    """

    name = "reference"
    family = "situation-puzzle"
    from_view = True

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Check that there is a menu.

        Raises:
            ConfigError: free text shows no label matrix.
        """
        if not hasattr(getattr((info or {}).get("view"), "shown", None), "matrix"):
            raise ConfigError("agent 'reference' needs mode='menu'; in free text use 'rule'")

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Ask while some question can tell the remaining candidates apart."""
        view: DialogueView = info["view"]
        alive = MenuTask.consistent(view)
        best = best_question(np.array(view.shown.matrix), alive)
        if best is not None and _may_ask(view):
            return f"<ask>{best + 1}</ask>"
        return f"<answer>{chr(ord('A') + alive[0])}</answer>"


class Reader(Agent):
    """Menu mode: a reader who misjudges seven labels in a hundred, and knows it.

    Of every label it reads, a share is another one, drawn for each episode. It weighs the explanations by how many
    replies they agree with, asks the question whose reply it can least foresee, and answers when it is sure enough or
    the rounds are spent. Levels are calibrated on it: the reference, which misreads nothing, always finds out.

    Args:
        misread: share of the labels that it misreads.
        sure: probability of the likeliest explanation at which it answers.
    """

    name = "reader"
    family = "situation-puzzle"
    from_view = True

    def __init__(self, *, misread: float = 0.07, sure: float = 0.97) -> None:
        for name, value in (("misread", misread), ("sure", sure)):
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
                raise ConfigError(f"{name} must be a share from 0 to 1, got {value!r}")
        self._misread, self._sure = misread, sure

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Read the menu.

        Raises:
            ConfigError: free text shows no label matrix.
        """
        Reference().reset(info=info)
        rng = np.random.default_rng(None if seed is None else [seed, zlib.crc32(b"reader")])
        labels = np.array((info or {})["view"].shown.matrix)
        others = (labels + rng.integers(1, len(LABELS), labels.shape)) % len(LABELS)
        self._labels = np.where(rng.random(labels.shape) < self._misread, others, labels)

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Ask what it cannot foresee, or answer with what is likeliest."""
        view: DialogueView = info["view"]
        weights = np.ones(self._labels.shape[1])
        asked = [question for question, _ in facts_of(view)]
        for question, label in facts_of(view):
            weights *= np.where(self._labels[question] == label, 1 - self._misread, self._misread / 3) + 1e-9
        weights /= weights.sum()
        shares = np.stack([((self._labels == label) * weights).sum(axis=1) for label in range(len(LABELS))])
        bits = -(shares * np.log2(np.maximum(shares, 1e-12))).sum(axis=0).round(9)
        bits[asked] = -1
        best = int(np.argmax(bits))
        if _may_ask(view) and weights.max() < self._sure and bits[best] > 0:
            return f"<ask>{best + 1}</ask>"
        return f"<answer>{chr(ord('A') + int(np.argmax(weights)))}</answer>"


def _may_ask(view: DialogueView) -> bool:
    """Whether a question leaves a round for the answer."""
    return view.queries_allowed and not (view.rounds_left <= 1 and view.stage == "rounds")


class RuleAgent(Agent):
    """Reads the text only: asks in a fixed way, weighs each candidate by shared words, answers.

    Menu mode: it asks the listed questions whose words divide the candidates best; words that few candidates use count
    more. A yes speaks for the candidates that use the question's words, a no against them, and so, by half, does
    "irrelevant". Free text: it asks generic questions and answers with the story and whatever was affirmed.

    Args:
        questions: how many questions to ask before answering, fewer when rounds run out.
    """

    name = "rule"
    family = "situation-puzzle"

    generic: ClassVar[tuple[str, ...]] = (
        "Was it done on purpose?",
        "Was anybody deceived?",
        "Did somebody make a mistake?",
        "Was money the reason?",
        "Was somebody trying to help another person?",
        "Was an object mistaken for another?",
        "Did the time of day matter?",
        "Was an animal involved?",
        "Was a machine or a device involved?",
        "Did a sound or a smell matter?",
        "Was it part of a job or a duty?",
        "Did the weather matter?",
    )

    def __init__(self, *, questions: int = 10) -> None:
        if not isinstance(questions, int) or isinstance(questions, bool) or questions < 0:
            raise ConfigError(f"questions must be a whole number of at least 0, got {questions!r}")
        self._limit = questions

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Forget the last menu."""
        self._menu: tuple[list[str], list[str]] | None = None
        self._asked: list[int] = []
        self._last = ""
        self._affirmed: list[str] = []
        self._score: np.ndarray[Any, Any] = np.zeros(0)

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Weigh the last reply, then ask or answer."""
        candidates, questions = self._hear(observation)
        allowed = "ask" in info.get("action_tags", ("ask",)) and info.get("rounds_left", 2) > 1
        if not candidates:
            return self._free_text(allowed)
        uses = _uses(questions, candidates)
        left = [i for i in range(len(questions)) if i not in self._asked]
        if left and allowed and len(self._asked) < self._limit:
            best = max(left, key=lambda index: (round(float(np.var(uses[index])), 9), -index))
            self._asked.append(best)
            self._last = str(best + 1)
            return f"<ask>{self._last}</ask>"
        return f"<answer>{chr(ord('A') + int(np.argmax(self._score)))}</answer>"

    def witness(self, observation: str, info: Mapping[str, Any], action: str) -> None:
        """Weigh the last reply, and keep the question that another asked."""
        questions = self._hear(observation)[1]
        asked = re.fullmatch(r"\s*(?:<ask>)?(.*?)(?:</ask>)?\s*", action, re.DOTALL)
        self._last = asked[1].strip() if asked else ""
        if questions and self._last.isdecimal() and 1 <= int(self._last) <= len(questions):
            self._asked.append(int(self._last) - 1)

    def _hear(self, observation: str) -> tuple[list[str], list[str]]:
        """Read the menu, or take in the reply to the last question; return candidates and questions."""
        if self._menu is None:
            self._menu = _read_menu(observation)
            self._score = np.zeros(len(self._menu[0]))
        candidates, questions = self._menu
        if self._last:
            if not candidates and observation.startswith("Yes."):
                self._affirmed.append(self._last)
            elif candidates and self._last.isdecimal() and 1 <= int(self._last) <= len(questions):
                verdict = observation.partition(".")[0].lower()
                self._score += _uses(questions, candidates)[int(self._last) - 1] * _SPEAKS.get(verdict, 0.0)
        self._last = ""
        return self._menu

    def _free_text(self, allowed: bool) -> str:
        """The next generic question, or an answer put together from what was affirmed."""
        if allowed and len(self._asked) < min(self._limit, len(self.generic)):
            self._asked.append(len(self._asked))
            self._last = self.generic[self._asked[-1]]
            return f"<ask>{self._last}</ask>"
        claims = " ".join(_as_claim(question) for question in self._affirmed)
        return f"<answer>{claims or 'Somebody made a mistake and another person misunderstood it.'}</answer>"


class Shortcut(Agent, ABC):
    """Menu mode, without a question: answers with the candidate that some surface feature ranks first.

    A set of puzzles on which one of these does better than chance can be solved without asking.

    Args:
        invert: take the candidate that is ranked last.
    """

    family = "situation-puzzle"

    def __init__(self, *, invert: bool = False) -> None:
        if not isinstance(invert, bool):
            raise ConfigError(f"invert must be true or false, got {invert!r}")
        self._sign = -1 if invert else 1

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Nothing is remembered."""

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Answer at once."""
        candidates, questions = _read_menu(observation)
        if not candidates:
            raise ConfigError(f"agent {self.name!r} needs mode='menu'; in free text use 'rule'")
        story = re.findall(r"^Story: (.+)$", observation, re.MULTILINE)[0]
        scores = self._sign * np.asarray(self.scores(story, candidates, questions))
        return f"<answer>{chr(ord('A') + int(np.argmax(scores)))}</answer>"

    @abstractmethod
    def scores(self, story: str, candidates: list[str], questions: list[str]) -> Sequence[float]:
        """The feature, one number a candidate."""


class Longest(Shortcut):
    """Shortcut: the longest candidate."""

    name = "longest"

    def scores(self, story: str, candidates: list[str], questions: list[str]) -> Sequence[float]:
        """Characters."""
        return [float(len(candidate)) for candidate in candidates]


class Nearest(Shortcut):
    """Shortcut: the candidate whose sentence embedding is nearest to the story's."""

    name = "nearest"

    def scores(self, story: str, candidates: list[str], questions: list[str]) -> Sequence[float]:
        """Cosines."""
        from interactive_envs.llm import embeddings

        return list(embeddings.embed(candidates) @ embeddings.embed([story])[0])


class FrequentWords(Shortcut):
    """Shortcut: the candidate whose words are the most frequent in story, questions and candidates."""

    name = "frequent-words"

    def scores(self, story: str, candidates: list[str], questions: list[str]) -> Sequence[float]:
        """Mean number of texts that use a word of the candidate."""
        texts = [_words(text) for text in (story, *candidates, *questions)]
        frequent = Counter(word for words in texts for word in words)
        return [float(np.mean([frequent[word] for word in _words(text)] or [0])) for text in candidates]


def _read_menu(text: str) -> tuple[list[str], list[str]]:
    """Candidates and questions as the rules text lists them."""
    return re.findall(r"^[A-L]\. (.+)$", text, re.MULTILINE), re.findall(r"^\d+\. (.+)$", text, re.MULTILINE)


def _words(text: str) -> set[str]:
    return {_stem(word) for word in re.findall(r"[a-z]+", text.lower()) if len(word) > 3 and word not in _COMMON}


def _stem(word: str) -> str:
    return re.sub(r"(?:ing|ed|es|s)$", "", word) if len(word) > 4 else word


def _uses(questions: list[str], candidates: list[str]) -> np.ndarray[Any, Any]:
    """``uses[q, c]``: share of question q's telling words that candidate c uses, by weight.

    Words are the same when their first five letters are. One that fewer candidates use weighs more; one in all of them
    weighs nothing.
    """
    texts = [{word[:_LETTERS] for word in _words(candidate)} for candidate in candidates]
    frequent = Counter(word for words in texts for word in words)
    rows = []
    for question in questions:
        words = sorted({word[:_LETTERS] for word in _words(question)})
        weights = {word: math.log((len(texts) + 1) / (frequent[word] + 0.5)) for word in words}
        weights = {word: weight for word, weight in weights.items() if frequent[word] < len(texts)}
        total = sum(weights.values()) or 1.0
        rows.append([sum(weight for word, weight in weights.items() if word in text) / total for text in texts])
    return np.array(rows).reshape(len(questions), len(candidates))


def _as_claim(question: str) -> str:
    """A question turned into a claim, roughly: "Was money the reason?" becomes "Yes: money the reason."."""
    claim = re.sub(r"^(?:was|were|is|are|did|does|do|has|have|had)\s+", "", question.rstrip("?"), flags=re.IGNORECASE)
    return f"{claim.capitalize()}."


_SPEAKS = {"yes": 1.0, "both": 0.5, "irrelevant": -0.5, "no": -1.0}
"""How much a reply speaks for a candidate that uses the question's words."""
_LETTERS = 5
_COMMON = frozenset(
    """
    that this with from have were they them their there then than when what which would could should been being
    before after about into over only other some such very each both because while anybody anyone somebody someone
    something anything involved person people happen matter
    """.split()
)
