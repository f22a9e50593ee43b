"""The rules of situation puzzles, pure: a menu with exact truth, and free text with a judge.

Interactive Benchmarks v2, section 2.1. In menu mode every candidate explanation has its own column of answers to the
puzzle's questions, so the wrong ones are alternative worlds, and the truth needs no judge.
"""

from __future__ import annotations

import difflib
import functools
import math
import re
import string
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from interactive_envs.dialogue.arrays import Arrays, Batched, Flags, Ints
from interactive_envs.dialogue.free_text import LABELS, FreeTextTask
from interactive_envs.dialogue.task import (
    PLAIN,
    DialogueTask,
    Falsifiable,
    Inferable,
    Informed,
    Menu,
    Terms,
    Vocabulary,
)
from interactive_envs.dialogue.view import DialogueView, facts_of, progress_features
from interactive_envs.errors import ConfigError
from interactive_envs.judges.base import JudgeRequest, Verdict
from interactive_envs.parsing import Illegal, Unreadable
from interactive_envs.situation_puzzle.judge.requests import judge_request
from interactive_envs.situation_puzzle.puzzles import MAX_EXPLANATIONS, MAX_QUESTIONS, Puzzle, Source
from interactive_envs.system.frozen import changed

_ROW = MAX_EXPLANATIONS * len(LABELS) + 1 + len(LABELS)
_EXTRA = 6


@dataclass(frozen=True)
class MenuShown:
    """What the menu shows.

    Attributes:
        setup: the story.
        questions: the texts, in the order drawn.
        candidates: the explanations, in the order drawn.
        matrix: ``matrix[q][c]`` indexes LABELS: the answer to question q if candidate c were right.
    """

    setup: str
    questions: tuple[str, ...]
    candidates: tuple[str, ...]
    matrix: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class MenuCase:
    """A puzzle with its drawn orders; ``right`` is the hidden candidate's position.

    As the state of a dialogue it holds the ``replies`` so far, pairs of a question's index and a label's.
    """

    id: str
    shown: MenuShown
    right: int
    title: str = ""
    replies: tuple[tuple[int, int], ...] = ()


class MenuTask(
    DialogueTask[MenuCase, MenuCase],
    Menu[MenuCase],
    Inferable[MenuCase],
    Informed[MenuCase],
    Falsifiable[MenuCase],
    Batched,
):
    """Ask by number or text from the puzzle's questions, then name one of its explanations.

    Args:
        source: the puzzles; each needs explanations with labels.
    """

    short_forms = {"ask": ("ask", "question", "q"), "answer": ("answer", "final", "explanation")}  # noqa: RUF012
    single_final = True
    action_examples = ("<ask>1</ask>", "<ask>7</ask>", "<ask>12</ask>", "<answer>A</answer>", "<answer>C</answer>")
    numeric_actions = MAX_QUESTIONS + MAX_EXPLANATIONS
    numeric_shape = (MAX_QUESTIONS * _ROW + _EXTRA,)

    def __init__(self, source: Source) -> None:
        for lacking in source.without_menu():
            raise ConfigError(f"puzzle {lacking!r} has no labelled explanations for the menu; play it with mode='free'")
        self._source = source

    def case_ids(self) -> Sequence[str] | None:
        """The puzzles' ids in the data's order, None where they have no end."""
        return self._source.ids()

    def data_sha256(self) -> str:
        """Hash of the puzzles' content."""
        return self._source.sha256()

    def case(self, rng: np.random.Generator, case_id: str | None = None) -> MenuCase:
        """Draw a puzzle if none is named, then the orders of its questions and explanations."""
        puzzle, rows, columns = self.draw(rng, case_id)
        shown = MenuShown(
            setup=puzzle.setup,
            questions=tuple(puzzle.questions[row].text for row in rows),
            candidates=tuple(puzzle.explanations[column] for column in columns),
            matrix=tuple(tuple(puzzle.questions[row].labels[column] for column in columns) for row in rows),
        )
        return MenuCase(puzzle.id, shown, int(np.flatnonzero(columns == 0)[0]), puzzle.title)

    def draw(
        self, rng: np.random.Generator, case_id: str | None = None
    ) -> tuple[Puzzle, NDArray[np.int64], NDArray[np.int64]]:
        """A puzzle with the orders of its questions and of its explanations; the first explanation is right."""
        puzzle = self._source.draw(rng, case_id)
        # With the puzzle's id in the stream, one seed gives two puzzles unrelated orders: a player's luck over a list
        # of seeds would otherwise repeat in every puzzle of the same size.
        words = rng.integers(2**32), zlib.crc32(puzzle.id.encode("utf-8", "replace"))
        own = np.random.default_rng(np.array(words, np.uint32))  # faster than from a list, and the same
        return puzzle, own.permutation(len(puzzle.questions)), own.permutation(len(puzzle.explanations))

    def case_id(self, case: MenuCase) -> str:
        """The puzzle's id."""
        return case.id

    def rules(self, case: MenuCase, terms: Terms, vocabulary: Vocabulary = PLAIN) -> str:
        """The story, the explanations by letter, the questions by number, and the protocol."""
        shown = case.shown
        candidates = [
            f"{letter}. {text}" for letter, text in zip(string.ascii_uppercase, shown.candidates, strict=False)
        ]
        blocks = [
            _STORY.format(setup=shown.setup),
            "Possible explanations, exactly one is right:\n" + "\n".join(candidates),
        ]
        if terms.interaction:
            numbered = [f"{number}. {text}" for number, text in enumerate(shown.questions, 1)]
            blocks.append("Questions you may ask:\n" + "\n".join(numbered))
            blocks.append(_MENU_ASK.format(rounds=terms.opening()))
        listed = "question or letter" if terms.interaction else "letter"
        return "\n\n".join(
            [*blocks, _MENU_ANSWER, terms.closing(f"no action, several actions, or a {listed} that is not listed")]
        )

    def start(self, case: MenuCase) -> MenuCase:
        """There are no replies yet."""
        return case

    def case_of(self, state: MenuCase) -> MenuCase:
        """The state without the replies."""
        return changed(state, replies=())

    def read_query(self, state: MenuCase, body: str, tag: str = "ask") -> int | Unreadable:
        """A question by number or by text: its index."""
        count = len(state.shown.questions)
        number = _NUMBER.match(body)
        if number:
            index = int(number[1]) - 1
            return index if 0 <= index < count else Illegal(f"There is no question {number[1]}; they are 1 to {count}.")
        found = closest(body, state.shown.questions)
        return Illegal(f"That question is not in the list; ask one of 1 to {count}.") if found is None else found

    def read_answer(self, state: MenuCase, body: str) -> int | Unreadable:
        """An explanation by letter or by text: its index."""
        count = len(state.shown.candidates)
        last = string.ascii_uppercase[count - 1]
        found = closest(body, state.shown.candidates)
        if found is not None:
            return found
        letter = _letter(body)
        if letter is not None:
            index = string.ascii_uppercase.index(letter)
            return index if index < count else Illegal(f"There is no explanation {letter}; they are A to {last}.")
        return Illegal(f"That is no explanation of the list; answer with a letter from A to {last}.")

    def read_bare(self, state: MenuCase, text: str) -> tuple[Literal["query", "final"], Any] | None:
        """A lone number asks, a lone letter answers."""
        bare = text.strip().rstrip(".")
        if len(bare) > 6:
            return None
        if re.fullmatch(r"\d{1,6}", bare):
            return "query", self.read_query(state, bare)
        if re.fullmatch(r"[A-Za-z]", bare):
            return "final", self.read_answer(state, bare)
        return None

    def reply(
        self, state: MenuCase, query: int, rng: np.random.Generator, verdict: Verdict | None = None
    ) -> tuple[int, MenuCase]:
        """The right candidate's label for the question."""
        label = state.shown.matrix[query][state.right]
        return label, changed(state, replies=(*state.replies, (query, label)))

    def render(self, fact: int, vocabulary: Vocabulary = PLAIN) -> str:
        """The label's word."""
        return f"{LABELS[fact].capitalize()}."

    def check(self, state: MenuCase, answer: int, verdict: Verdict | None = None) -> bool:
        """Whether the candidate is the right one."""
        return answer == state.right

    def show(self, state: MenuCase) -> MenuShown:
        """The menu without the right candidate."""
        return state.shown

    def solution(self, case: MenuCase) -> str:
        """The right candidate with its letter."""
        return f"{string.ascii_uppercase[case.right]}. {case.shown.candidates[case.right]}"

    def queries(self, state: MenuCase) -> list[str]:
        """Every question by number."""
        return _QUESTIONS[: len(state.shown.questions)]

    def answers(self, state: MenuCase) -> list[str]:
        """Every explanation by letter."""
        return _EXPLANATIONS[: len(state.shown.candidates)]

    def n_actions(self, state: MenuCase) -> int:
        """Questions and explanations."""
        return len(state.shown.questions) + len(state.shown.candidates)

    def wrong_fact(self, state: MenuCase, query: int, rng: np.random.Generator) -> int | None:
        """The label of another candidate that fits the replies so far, None where all of these say the same."""
        row = state.shown.matrix[query]
        others = sorted({row[candidate] for candidate in _fitting(state)} - {row[state.right]})
        return int(rng.choice(others)) if others else None

    def mishear(self, state: MenuCase, fact: int) -> MenuCase:
        """The state in which the last reply was another."""
        *before, (query, _) = state.replies
        return changed(state, replies=(*before, (query, fact)))

    def undecided(self, state: MenuCase) -> bool:
        """Whether several candidates agree with the most replies."""
        return len(_fitting(state)) > 1

    def hypotheses(self, view: DialogueView) -> list[int]:
        """The candidates that agree with every answer so far."""
        return self.consistent(view)

    def bits(self, state: MenuCase, view: DialogueView) -> float:
        """Each candidate that agrees is as probable as the others."""
        return math.log2(len(self.hypotheses(view)))

    @staticmethod
    def consistent(view: DialogueView) -> list[int]:
        """The candidates that agree with the most answers: with all of them, unless an answer was false."""
        shown: MenuShown = view.shown
        agreement = np.array([_agreement(view, candidate) for candidate in range(len(shown.candidates))])
        return [int(candidate) for candidate in np.flatnonzero(agreement == agreement.max())]

    def resample(self, view: DialogueView, rng: np.random.Generator) -> MenuCase:
        """The same menu with any candidate right that agrees with the answers so far."""
        return MenuCase("", view.shown, int(rng.choice(self.hypotheses(view))))

    def encode(self, view: DialogueView) -> NDArray[np.float32]:
        """The matrix padded to 64 x 12, one-hot over labels, then per question whether it was asked and the answer.

        The last six numbers: :func:`interactive_envs.dialogue.view.progress_features`.
        """
        shown: MenuShown = view.shown
        rows = np.zeros((MAX_QUESTIONS, _ROW), dtype=np.float32)
        matrix = np.array(shown.matrix)
        questions, candidates = matrix.shape
        rows[:questions, : candidates * len(LABELS)] = _ONE_HOT[matrix].reshape(questions, -1)
        for question, label in facts_of(view):
            rows[question, -1 - len(LABELS)] = 1.0
            rows[question, -len(LABELS) + label] = 1.0
        return np.concatenate([rows.ravel(), np.array(progress_features(view), dtype=np.float32)])

    def decode(self, view: DialogueView, index: int) -> str:
        """0 to 63 ask, 64 to 75 answer; '' where the menu is shorter or questions are not allowed."""
        shown: MenuShown = view.shown
        if view.stage == "over" or index < 0:
            return ""
        if index < MAX_QUESTIONS:
            return _ask(index) if view.queries_allowed and index < len(shown.questions) else ""
        return _answer(index - MAX_QUESTIONS) if index - MAX_QUESTIONS < len(shown.candidates) else ""

    def arrays(self, count: int) -> MenuArrays:
        """Puzzles side by side, each with an order of its own."""
        return MenuArrays(self, count)


class MenuArrays(Arrays):
    """Several puzzles, see :meth:`MenuTask.encode`."""

    def __init__(self, task: MenuTask, count: int) -> None:
        self._task = task
        self.queries = np.zeros((count, MAX_QUESTIONS), np.bool_)
        self.answers = np.zeros((count, MAX_EXPLANATIONS), np.bool_)
        self.features = np.zeros((count, MAX_QUESTIONS * _ROW), np.float32)
        self._by_question = self.features.reshape(count, MAX_QUESTIONS, _ROW)
        self._replies = np.zeros((count, MAX_QUESTIONS), np.int64)
        self._right = np.zeros(count, np.int64)
        self._labels: dict[str, NDArray[np.int64]] | None = None if task.case_ids() is None else {}

    def draw(self, row: int, rng: np.random.Generator) -> None:
        """Draw a puzzle and its order."""
        puzzle, rows, columns = self._task.draw(rng)
        labels = self._labels_of(puzzle)
        questions, candidates = labels.shape
        self.queries[row, :questions], self.queries[row, questions:] = True, False
        self.answers[row, :candidates], self.answers[row, candidates:] = True, False
        shown = self._by_question[row]
        shown.fill(0.0)
        marks = _ONE_HOT.take(labels.take(rows, 0).take(columns, 1), 0)  # take is faster than []
        shown[:questions, : candidates * len(LABELS)] = marks.reshape(questions, -1)
        self._right[row] = columns.argmin()
        self._replies[row, :questions] = labels[rows, 0]

    def _labels_of(self, puzzle: Puzzle) -> NDArray[np.int64]:
        """The labels, question by explanation; those of puzzles that come again are kept."""
        found = None if self._labels is None else self._labels.get(puzzle.id)
        if found is None:
            found = np.array([question.labels for question in puzzle.questions])
            if self._labels is not None:
                self._labels[puzzle.id] = found
        return found

    def ask(self, rows: Ints, queries: Ints) -> None:
        """The right candidate's label."""
        self._by_question[rows, queries, -1 - len(LABELS)] = 1.0
        self._by_question[rows, queries, self._replies[rows, queries] - len(LABELS)] = 1.0

    def right(self, rows: Ints, answers: Ints) -> Flags:
        """Whether it is the right candidate."""
        return np.asarray(self._right[rows] == answers)


_ONE_HOT = np.eye(len(LABELS), dtype=np.float32)


@dataclass(frozen=True)
class FreeShown:
    """What free text shows: the story alone."""

    setup: str


class FreeTask(FreeTextTask[Puzzle]):
    """Ask any closed question, explain in any words; a judge decides.

    Args:
        source: the puzzles; a title, a setup and a solution are enough.
    """

    short_forms = {"ask": ("ask", "question", "q"), "answer": ("answer", "final")}  # noqa: RUF012
    answer = "explanation"
    unparsed = 'no action, several actions, or an open question such as "Why?"'
    action_examples = (
        "<ask>Was anybody deceived?</ask>",
        "<ask>Did it happen at night?</ask>",
        "<ask>Was money involved?</ask>",
        "<ask>Was it an accident?</ask>",
        "<ask>Did they know each other?</ask>",
        "<answer>It was all a misunderstanding between two people.</answer>",
    )

    def intro(self, case: Puzzle) -> str:
        """The story."""
        return _STORY.format(setup=case.setup)

    def how_to(self, terms: Terms) -> tuple[str, str]:
        """How to ask, and how to explain."""
        ask = _FREE_ASK.format(rounds=terms.opening())
        estimates = "" if terms.approximate else " If the judge only estimates its verdicts, the game is not scored."
        return ask, f"Give the whole explanation in one message: <answer>…</answer>.{estimates}"

    def judge_request(self, kind: Literal["question", "final"], text: str, case: Puzzle) -> JudgeRequest:
        """What a judge that knows all of the puzzle is asked."""
        return judge_request(kind, text, case.judge_context())

    def show(self, state: Puzzle) -> FreeShown:
        """The story."""
        return FreeShown(state.setup)

    def solution(self, case: Puzzle) -> str:
        """The hidden story."""
        return case.solution

    def secrets(self, state: Puzzle) -> list[str]:
        """The solution's sentences and the required facts."""
        sentences = re.split(r"(?<=[.!?])\s+", state.solution)
        return [s for s in (*sentences, *(f.text for f in state.facts if f.required)) if len(s.split()) > 3]


_STORY = """This is a situation puzzle. The story is odd, but a hidden explanation makes sense of all of it. Find it.

Story: {setup}"""

_MENU_ASK = """Ask one question per message, by its number: <ask>7</ask>. \
The reply is yes, no, both (yes in one respect, no in another) or irrelevant (it has nothing to do with the \
explanation). {rounds}"""

_MENU_ANSWER = """Answer with the letter of an explanation: <answer>C</answer>. \
You may answer only once: your first answer ends the game. If it is right you score 1, otherwise 0."""

_FREE_ASK = """Ask one yes/no question per message: <ask>…?</ask>. \
The reply is yes, no, both (yes in one respect, no in another) or irrelevant (it has nothing to do with the \
explanation). {rounds}"""


@functools.cache
def _ask(index: int) -> str:
    return f"<ask>{index + 1}</ask>"


@functools.cache
def _answer(index: int) -> str:
    return f"<answer>{string.ascii_uppercase[index]}</answer>"


_QUESTIONS = [_ask(index) for index in range(MAX_QUESTIONS)]
_EXPLANATIONS = [_answer(index) for index in range(MAX_EXPLANATIONS)]


def _fitting(state: MenuCase) -> list[int]:
    """The candidates that agree with the most replies of a state."""
    matrix = state.shown.matrix
    counts = [sum(matrix[q][c] == label for q, label in state.replies) for c in range(len(state.shown.candidates))]
    return [candidate for candidate, count in enumerate(counts) if count == max(counts)]


def _agreement(view: DialogueView, candidate: int) -> int:
    return sum(view.shown.matrix[question][candidate] == label for question, label in facts_of(view))


_NUMBER = re.compile(r"\W*(?:q(?:uestion)?\s*)?#?(\d{1,6})(?:\W*\Z|[.):](?!\s*\d)|\s+[-\u2013\u2014(])", re.I)
_LETTER = re.compile(
    r"\W*(?:(?i:explanation|option|answer|candidate)\W+)?(?:([A-Za-z])\W*|([A-Z])[\s*]*[.):(\u2013\u2014-]\s*(.+))"
)
_ANOTHER = re.compile(r"\b([A-Z])(?=\W*\Z|[.):,/&]|\s+(?:or|and)\b)")


def _letter(body: str) -> str | None:
    """The one letter that an answer names.

    >>> _letter("(c)"), _letter("C. Because of the cat"), _letter("A or C"), _letter("A man did it")
    ('C', 'C', None, None)
    """
    found = _LETTER.fullmatch(body)
    if found is None:
        return None
    letter = (found[1] or found[2]).upper()
    return None if set(_ANOTHER.findall(found[3] or "")) - {letter} else letter


_WORDS = re.compile(r"\w+")


def _plain(text: str) -> str:
    return " ".join(_WORDS.findall(text.casefold()))


def closest(body: str, texts: Sequence[str]) -> int | None:
    """The one text that ``body`` repeats, small slips allowed."""
    words = _WORDS.findall(body.casefold())
    for place, text in enumerate(texts):
        if _has_words(text, words):
            return place
    plain = " ".join(words)
    if len(plain) < 12:
        return None
    options = [_plain(text) for text in texts]
    near = difflib.get_close_matches(plain, options, n=2, cutoff=0.9)
    return options.index(near[0]) if len(near) == 1 else None


def _has_words(text: str, words: Sequence[str]) -> bool:
    """Whether these are a text's words; most texts differ in the first ones."""
    found = _WORDS.finditer(text.casefold())
    for word in words:
        there = next(found, None)
        if there is None or there[0] != word:
            return False
    return next(found, None) is None
