"""The protocol of black boxes, pure: explore a box for some turns, then be tested on it.

Source: ORACLE, sections 2.2 and 3.1. Its turn@shot is kept. Each test item is asked in the state after the
exploration, so that no item helps with the next, unless ``test_feedback`` asks for it; each part is a dialogue of its
own. Items were not asked before, and nothing is drawn but from the case's number.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from interactive_envs.black_box import code, revising, wording
from interactive_envs.black_box import families as boxes
from interactive_envs.black_box.base import (
    LEVELS,
    AnswerBox,
    Box,
    Family,
    GameBox,
    Item,
    Observations,
    Trial,
    answer_box,
    is_game,
)
from interactive_envs.black_box.numeric.twins import Extent, Twin, twin_of
from interactive_envs.black_box.wording import READY_TEXT
from interactive_envs.dialogue.task import PLAIN, DialogueTask, Informed, Menu, Revisable, Terms, Vocabulary
from interactive_envs.dialogue.view import DialogueView
from interactive_envs.errors import ConfigError
from interactive_envs.judges.base import Verdict
from interactive_envs.parsing import Illegal, Unreadable
from interactive_envs.sandbox import level_in_use

READY = ("ready",)
"""The query that ends an exploration."""
CODE_ITEMS = 1_000
DRAWN = 12
"""Queries drawn as examples for players without a thought."""


@dataclass(frozen=True)
class Mode:
    """How a box is played; the environment's arguments, read.

    Attributes:
        turns: turns of each exploration.
        shots: tries at each test item.
        items: test items.
        delayed: replies come together, after the last turn.
        test_feedback: each item's mark is shown, and items see those before them.
        exact: an item that is not wholly right is wrong.
        code: the answer is one function, run on 1,000 arguments.
        turn_cost: what each turn takes off the score.
        false_query: the number of the query of each exploration whose reply is false, from 1; 0 for none.
        corrected_after: how many queries later that is told, at the latest.
    """

    turns: int
    shots: int
    items: int
    delayed: bool = False
    test_feedback: bool = False
    exact: bool = False
    code: bool = False
    turn_cost: float = 0.0
    false_query: int = 0
    corrected_after: int = 1


@dataclass(frozen=True)
class BoxShown:
    """What a player may know of a black box, besides the messages.

    Attributes:
        family: one of :data:`interactive_envs.black_box.base.FAMILIES`.
        public: what the box tells of itself.
        partial: whether observability is partial.
        trial: the text of the present trial.
        trial_number: from 0.
        trials: how many there are.
        observations: queries of this trial with their facts; of a played box every move, those of the test game that is
            being played too.
        seen: what is known of the box's memory.
        item: the key of the item in question; None while exploring, and where it has none.
        item_number: from 0, over all trials.
        items: items of all trials.
        shots_left: tries left at this item.
        given: earlier answers to this item.
        marks: the marks so far where they are shown, else empty.
        exploring: whether this is an exploration.
        code: whether the answer is a function.
        waiting: queries whose replies are put off to the end of the exploration.
    """

    family: str
    public: Any
    partial: bool
    trial: Any
    trial_number: int
    trials: int
    observations: Observations
    seen: Any
    item: Any
    item_number: int
    items: int
    shots_left: int
    given: tuple[str, ...]
    marks: tuple[float, ...]
    exploring: bool
    code: bool
    waiting: tuple[Any, ...] = ()


@dataclass(frozen=True, eq=False)
class BoxCase:
    """A box and all that is drawn for an episode with it.

    Attributes:
        number: decides all of it.
        title: a fixed box's name, which never reaches the player.
        box: the box.
        trials: what is to be explored.
        task: what made it.
    """

    number: int
    title: str
    box: Box
    trials: tuple[Trial, ...]
    task: BlackBoxTask = field(repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        # Boxes hold functions, which cannot be pickled, and tables, which need not be.
        return _case, (self.task, self.number)


@dataclass(frozen=True)
class Session:
    """An episode between two messages.

    Attributes:
        case: the box and its draws.
        number: of the present trial.
        memory: the box's.
        asked: queries of this trial with their facts, as far as the player remembers them: of a played box every move,
            those of the test game that is being played too.
        heard: the same without forgetting any.
        past: the same of the trials before.
        turns: turns spent on each trial so far, the present one included.
        items: the present trial's test items, None while it is explored.
        item: the number of the present one in the trial.
        tried: marks of the tries at the present item.
        given: answers already given to it.
        marks: of all items that are done.
        explored: how many queries or moves each exploration had, of those that are over.
        kept: how many messages of the player it remembers at each item: those of the exploration.
        false_at: the index of the present trial's query whose reply was false, None for none so far.
        truth: the right reply to it until that is told, then None.
        lied: the same index of each trial before.
    """

    case: BoxCase
    number: int = 0
    memory: Any = None
    asked: Observations = ()
    heard: Observations = ()
    past: tuple[Observations, ...] = ()
    turns: tuple[int, ...] = (0,)
    items: tuple[Item, ...] | None = None
    item: int = 0
    tried: tuple[float, ...] = ()
    given: tuple[str, ...] = ()
    marks: tuple[float, ...] = ()
    explored: tuple[int, ...] = ()
    kept: int = 0
    false_at: int | None = None
    truth: Any = None
    lied: tuple[int | None, ...] = ()

    @property
    def trial(self) -> Trial:
        """The present trial."""
        return self.case.trials[min(self.number, len(self.case.trials) - 1)]

    @property
    def over(self) -> bool:
        """Whether all trials are done."""
        return self.number == len(self.case.trials)

    @property
    def question(self) -> Item | None:
        """The item in question."""
        return None if self.items is None or self.over else self.items[self.item]


class BlackBoxTask(DialogueTask[BoxCase, Session], Menu[Session], Informed[Session], Revisable):
    """Query a box, then answer for it.

    Args:
        family: the family's name.
        box: the name of a fixed box, or ``random``.
        mode: how it is played.
        partial: whether observability is partial.
        difficulty: 1 to 5, for ``random``.

    Raises:
        UnknownNameError: there is no such family or box.
        ConfigError: the family cannot be played so, or there is no such level.
    """

    def __init__(self, family: str, box: str, mode: Mode, *, partial: bool = False, difficulty: int = 1) -> None:
        self.family: Family = boxes.family(family)
        self.mode = mode
        self._family, self._name, self._partial, self._difficulty = family, box, partial, difficulty
        if box != boxes.RANDOM:
            self._entry = boxes.entry(family, box)
        if type(difficulty) is not int or difficulty not in LEVELS:
            raise ConfigError(f"difficulty must be a whole number from 1 to 5, got {difficulty!r}")
        for wanted, obstacle in (
            ("feedback='delayed'", self.family.no_delay if mode.delayed else ""),
            ("answer_as='code'", self.family.no_code if mode.code else ""),
        ):
            if obstacle:
                raise ConfigError(f"{wanted} is not for {family} boxes: {obstacle}")
        self.sandboxed = mode.code
        if mode.code:
            level_in_use()  # a machine that must not run foreign code says so now, not after the exploration
        example = self._box(np.random.default_rng(0))
        self.query_tags = (*example.tags, "ready")
        self.empty_tags = (*example.empty_tags, "ready")
        self.short_forms = {tag: (tag,) for tag in (*example.tags, "answer") if tag not in example.empty_tags}
        self.action_examples = (*example.examples, READY_TEXT)
        self._shape = example
        """Any box of this task."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Boxes hold functions, which cannot be pickled.
        return _task, (self._family, self._name, self.mode, self._partial, self._difficulty)

    # Cases.

    def case_ids(self) -> Sequence[str] | None:
        """Cases are drawn; each can be played again by its number."""
        return None

    def case(self, rng: np.random.Generator, case_id: str | None = None) -> BoxCase:
        """Draw a case, or take the one of a number.

        Raises:
            ConfigError: the number is none.
        """
        number = int(rng.integers(2**32)) if case_id is None else read_case(case_id)
        draw = np.random.default_rng([number, 0])
        box = self._box(draw)
        title = "" if self._name == boxes.RANDOM else self._name
        return BoxCase(number, title, box, box.trials(draw, self.mode.items), self)

    def case_id(self, case: BoxCase) -> str:
        """The case's number."""
        return str(case.number)

    def case_of(self, state: Session) -> BoxCase:
        """The case a session belongs to."""
        return state.case

    def examples(self, case: BoxCase) -> tuple[str, ...]:
        """Legal queries of this very box, some of them drawn."""
        draw = np.random.default_rng([case.number, 3])
        drawn = [case.box.any_query(draw) for _ in range(DRAWN)]
        return (*dict.fromkeys([*case.box.examples, *filter(None, drawn)]), READY_TEXT)

    def solution(self, case: BoxCase) -> str:
        """What the box is, and what was hidden."""
        if self._name != boxes.RANDOM and all(trial.hidden is None for trial in case.trials):
            return self._entry.summary
        summary = "" if self._name == boxes.RANDOM else self._entry.summary
        return " ".join(filter(None, [summary, *map(case.box.reveal, case.trials)]))

    def bits(self, state: Session, view: DialogueView) -> float | None:
        """About what this trial hides, of boxes that hide one of several equally probable answers."""
        if self.mode.false_query or not state.case.box.equally_probable:
            return None
        told = () if self.mode.delayed and state.items is None else state.asked
        left = state.case.box.left(state.trial, told)
        return None if left is None else math.log2(left)

    def revised(self, turn: int, after: int) -> BlackBoxTask:
        """The task in which the reply to a query of each exploration is false until it is corrected.

        Raises:
            ConfigError: the box is played, or its replies come together.
        """
        obstacle = "their boxes are played" if self.family.played else "replies come later" * self.mode.delayed
        if obstacle:
            raise ConfigError(f"no reply of {self._family} boxes can be false for a while: {obstacle}")
        mode = dataclasses.replace(self.mode, false_query=turn, corrected_after=after, turns=self.mode.turns + after)
        return BlackBoxTask(self._family, self._name, mode, partial=self._partial, difficulty=self._difficulty)

    # The protocol.

    def start(self, case: BoxCase) -> Session:
        """The first trial."""
        session = Session(case, memory=case.box.begin(case.trials[0]))
        return session if self.mode.turns else self._examine(session)

    def play(self, session: Session, query: Any, rng: np.random.Generator) -> tuple[Any, Session, str]:
        """Ask a query or make a move.

        Returns:
            What came back (None where it is put off), the session after it, and the words that go back.
        """
        if query == READY:
            after = self._spend(session) if self._in_game(session) else session  # a game that was begun is a turn
            after = self._examine(after) if after.items is None else after
            after, correction = revising.corrected(self.mode.corrected_after, after)
            return None, after, _lines(correction, self._announcement(after))
        box, trial = session.case.box, session.trial
        fact, memory = box.reply(trial, session.memory, query, rng)
        if revising.due(self.mode.false_query, session) and isinstance(box, AnswerBox):
            wrong = box.wrong_fact(trial, session.memory, query, fact, rng)
            if wrong is not None:
                session = dataclasses.replace(session, false_at=len(session.asked), truth=fact)
                fact = wrong
        heard = (*session.heard, (query, fact))
        if isinstance(box, GameBox) and session.items is not None and not self.mode.test_feedback:
            fact = box.veil(fact)
        now = dataclasses.replace(session, memory=memory, asked=(*session.asked, (query, fact)), heard=heard)
        delayed = self.mode.delayed and session.items is None
        words = "Noted. The reply comes later." if delayed else box.tell(query, fact)
        if isinstance(box, GameBox):
            if not box.over(trial, memory):
                return fact, now, words
            words += " The game is over."
            if session.items is not None:
                now, verdict = self._marked(now, box.score(trial, memory), "")
                return fact, now, _lines(words, verdict)
        now, correction = revising.corrected(self.mode.corrected_after, self._spend(now))
        more = self._announcement(now)
        return None if delayed else fact, now, _lines(words, correction, more)

    def answer(self, session: Session, answer: Any, text: str) -> tuple[Session, str]:
        """Mark an answer to the item in question; the session after it, and the words that go back."""
        box, item = answer_box(session.case.box), session.question
        if item is None:  # nothing else is read as an answer
            raise ValueError("there is no item to answer")
        if not self.mode.code:
            mark = box.mark(item.truth, answer)
            return self._marked(session, float(mark == 1) if self.mode.exact else mark, text)
        draw = np.random.default_rng([session.case.number, 2, session.number])
        queries = [query for query, _ in session.asked]
        arguments = box.calls(session.trial, queries, draw, CODE_ITEMS)
        arguments = arguments or box.calls(session.trial, (), draw, CODE_ITEMS)
        mark, problem = code.mark(box, session.trial, arguments, answer)
        after, words = self._marked(session, mark, text)
        return after, _lines(problem, words)

    def lose(self, session: Session) -> tuple[Session, str]:
        """What an unreadable message costs when its retries are spent: the turn, or the try at the item."""
        if session.items is None:
            after, correction = revising.corrected(self.mode.corrected_after, self._spend(session))
            return after, _lines(correction, self._announcement(after))
        box, mark = session.case.box, 0.0
        if isinstance(box, GameBox) and self._in_game(session):
            mark = box.score(session.trial, session.memory)
        return self._marked(session, mark, "")

    def turns_left(self, session: Session) -> int:
        """Turns left of the present exploration."""
        return 0 if session.items is not None or session.over else self.mode.turns - session.turns[-1]

    def score(self, session: Session) -> float:
        """The mean of the marks, less what the turns cost."""
        done = sum(session.marks) / max(1, len(session.marks))
        return done - self.mode.turn_cost * sum(session.turns) / len(session.case.trials)

    def question(self, session: Session) -> str:
        """The current item, as the player reads it."""
        item, shots = session.question, self.mode.shots
        if item is None:
            return ""
        attempt = f"{len(session.tried) + 1} of {shots}" if shots > 1 else ""
        if isinstance(session.case.box, GameBox):
            return f"Game{f' {attempt}' if attempt else ''} that counts, {self._place(session)}."
        number, of = len(session.marks) + 1, self._items_in_all(session)
        # A part has one question, and its heading says which part it is.
        which = f"Question {number} of {of}" if of > 1 and len(session.case.trials) == 1 else "The question"
        return f"{which}{f', attempt {attempt}' if attempt else ''}: {item.asks}"

    def turn(self, session: Session) -> str:
        """Where an exploration is: the turns left, or the move of a practice game."""
        if isinstance(session.case.box, GameBox):
            return f"Practice game {session.turns[-1] + 1} of {self.mode.turns}, {self._place(session)}."
        return f"Turns left: {self.turns_left(session)}."

    def _place(self, session: Session) -> str:
        box = session.case.box
        if not isinstance(box, GameBox):
            raise TypeError(f"{type(box).__name__} is no game")
        return "move {} of {}".format(*box.progress(session.trial, session.memory))

    def _spend(self, session: Session) -> Session:
        box = session.case.box
        memory = box.begin(session.trial) if isinstance(box, GameBox) else session.memory
        now = dataclasses.replace(session, memory=memory, turns=(*session.turns[:-1], session.turns[-1] + 1))
        return now if self.turns_left(now) else self._examine(now)

    def _examine(self, session: Session) -> Session:
        """The exploration is over: the items are chosen."""
        case, box, trial = session.case, session.case.box, session.trial
        if isinstance(box, GameBox):
            items: tuple[Item, ...] = (Item("Play a game that counts.", "game"),)
        elif self.mode.code:
            items = (Item(f"Write {code.signature(answer_box(box))} in <answer>…</answer>.", None),)
        else:
            box = answer_box(box)
            draw = np.random.default_rng([case.number, 1, session.number])
            asked = [query for query, _ in session.asked]
            count = 1 if box.trial_per_item else self.mode.items
            # Who has asked everything there is to ask is tested on some of it.
            chosen = box.arguments(trial, asked, draw, count) or box.arguments(trial, (), draw, count)
            items = tuple(Item(box.question(trial, one), one, box.value(trial, one)) for one in chosen)
        memory = box.begin(trial) if is_game(box) else session.memory
        explored = (*session.explored[: session.number], len(session.asked))
        return dataclasses.replace(session, items=items, memory=memory, explored=explored)

    def _announcement(self, session: Session) -> str:
        if session.items is None:
            return ""
        box, lines = session.case.box, []
        if self.mode.delayed and session.asked:
            lines = ["The replies:"]
            lines += [f"{n}. {box.tell(q, f)}" for n, (q, f) in enumerate(session.asked, 1)]
        return _lines(*lines, "The practice is over." if is_game(box) else "The exploration is over.")

    def _marked(self, session: Session, mark: float, text: str) -> tuple[Session, str]:
        """The session after an attempt at the item in question, and the text about it.

        Without ``test_feedback`` neither depends on whether it was right.
        """
        box, played, told = session.case.box, is_game(session.case.box), self.mode.test_feedback
        tried = (*session.tried, mark)
        asked = session.asked if told else session.asked[: session.explored[session.number]]
        memory = box.begin(session.trial) if played else session.memory
        now = dataclasses.replace(session, tried=tried, asked=asked, memory=memory)
        if len(tried) < self.mode.shots and (played or not told or mark < 1):
            given = (*session.given, text) if text else session.given
            words = _verdict(mark) if told else "" if played else "Noted."
            return dataclasses.replace(now, given=given), words
        # The best attempt counts, but luck must not: of games the mean does.
        kept = sum(tried) / len(tried) if played else max(tried)
        now = dataclasses.replace(now, tried=(), given=(), marks=(*session.marks, kept), item=session.item + 1)
        words = _verdict(mark) if told else "" if played else "Noted."
        return (now if now.item < len(now.items or ()) else self._next_trial(now)), words

    def _next_trial(self, session: Session) -> Session:
        case, number = session.case, session.number + 1
        past = (*session.past, session.heard)
        if number == len(case.trials):
            lied = (*session.lied, session.false_at)
            return dataclasses.replace(
                session, number=number, past=past, asked=(), heard=(), items=None, item=0, lied=lied
            )
        now = dataclasses.replace(
            session,
            number=number,
            memory=case.box.begin(case.trials[number]),
            asked=(),
            heard=(),
            past=past,
            turns=(*session.turns, 0),
            items=None,
            item=0,
            kept=0,
            false_at=None,
            lied=(*session.lied, session.false_at),
        )
        return now if self.mode.turns else self._examine(now)

    def _in_game(self, session: Session) -> bool:
        box = session.case.box
        return isinstance(box, GameBox) and session.memory != box.begin(session.trial)

    def _items_in_all(self, session: Session) -> int:
        trials = len(session.case.trials)
        if self.mode.code:
            return 1
        if session.over:
            return len(session.marks)
        if trials > 1:
            return trials
        # Before the test it is not known whether there are as many as there should be.
        return self.mode.items if session.items is None else len(session.items)

    # Words and reading.

    def rules(self, case: BoxCase, terms: Terms, vocabulary: Vocabulary = PLAIN) -> str:
        """What the box takes and tells, how long it may be explored, what the test asks."""
        session = self.start(case)
        return _lines(self.opening(session, terms), self.question(session))

    def opening(self, session: Session, terms: Terms) -> str:
        """The text that begins a trial; each is a dialogue of its own."""
        case = session.case
        blocks = [case.box.introduction()]
        if self.mode.turns:
            blocks.append(wording.about_turns(self.mode, case))
        blocks += [wording.about_test(self.mode, case), wording.about_retries(self.mode, case, terms)]
        trials, number = len(case.trials), session.number + 1
        part = f"This is part {number} of {trials}." if trials > 1 else ""
        return "\n\n".join(filter(None, [*blocks, " ".join(filter(None, [part, case.box.brief(session.trial)]))]))

    def read_bare(self, state: Session, text: str) -> tuple[Literal["query", "final"], Any] | None:
        """A function, whose line breaks count, where one is asked for."""
        return ("final", code.read(text)) if self.mode.code and state.items is not None else None

    def read_query(self, state: Session, body: str, tag: str = "") -> Any | Unreadable:
        """A legal query, or READY."""
        box = state.case.box
        if tag == "ready":
            return READY if state.items is None else Illegal("The exploration is over.")
        return box.read_query(tag, body, box.seen(state.trial, state.memory))

    def read_answer(self, state: Session, body: str) -> Any | Unreadable:
        """An answer to the item in question."""
        box, item = state.case.box, state.question
        if isinstance(box, GameBox):
            return Illegal(f"There is no question to answer; write <{box.tags[0]}>…</{box.tags[0]}>.")
        if item is None:
            return Illegal(f"The test has not begun; explore, or write {READY_TEXT} to be tested now.")
        if self.mode.test_feedback and f"<answer>{body}</answer>" in state.given:
            return Illegal("You have given this answer already, and it is not right.")
        return answer_box(box).read_answer(item.key, body)

    def reply(
        self, state: Session, query: Any, rng: np.random.Generator, verdict: Verdict | None = None
    ) -> tuple[Any, Session]:
        """What came back, and the session after it; :meth:`play` has the words, too."""
        fact, after, _ = self.play(state, query, rng)
        return fact, after

    def render(self, fact: Any, vocabulary: Vocabulary = PLAIN) -> str:
        """A fact by itself; the reply names its query too, see :meth:`play`."""
        return str(fact)

    def check(self, state: Session, answer: Any, verdict: Verdict | None = None) -> bool:
        """Whether an answer to the item in question is wholly right."""
        return self.answer(state, answer, "")[0].marks[len(state.marks) :] == (1.0,)

    # What players and records get.

    def show(self, state: Session) -> BoxShown:
        """All that the player may know."""
        box, item = state.case.box, state.question
        hidden = self.mode.delayed and state.items is None
        return BoxShown(
            family=self.family.name,
            public=box.public,
            partial=box.partial,
            trial=state.trial.public,
            trial_number=min(state.number, len(state.case.trials) - 1),
            trials=len(state.case.trials),
            observations=() if hidden else state.asked,
            waiting=tuple(query for query, _ in state.asked) if hidden else (),
            seen=box.seen(state.trial, state.memory),
            item=None if item is None else item.key,
            item_number=len(state.marks),
            items=self._items_in_all(state),
            shots_left=self.mode.shots - len(state.tried),
            given=state.given,
            marks=state.marks if self.mode.test_feedback else (),
            exploring=state.items is None,
            code=self.mode.code,
        )

    def record(self, state: Session) -> dict[str, Any]:
        """Queries and replies of each trial, the test games too, and the marks: enough to account for it all."""
        observations = state.past if state.over else (*state.past, state.heard)
        return {
            "family": self.family.name,
            "box": self._name,
            "number": state.case.number,
            "marks": [round(mark, 6) for mark in state.marks],
            "turns": list(state.turns),
            "explored": list(state.explored),
            "heard": [[[query, fact] for query, fact in one] for one in observations],
            **revising.record(self.mode.false_query, state),
        }

    def queries(self, state: Session) -> list[str] | None:
        """Every legal query, and that which ends the exploration."""
        box = state.case.box
        legal = box.legal(box.seen(state.trial, state.memory))
        if legal is None:
            return None
        return [*legal, *((READY_TEXT,) if state.items is None else ())]

    def answers(self, state: Session) -> list[str] | None:
        """Every possible answer to the item in question; none while there is none."""
        box = state.case.box
        if state.items is None or isinstance(box, GameBox):
            return []
        found = box.answers if isinstance(box, AnswerBox) and not self.mode.code else None
        return None if found is None else [text for text in found if text not in self._refused(state.given)]

    def _refused(self, given: tuple[str, ...]) -> tuple[str, ...]:
        """Answers to an item that are known to be wrong."""
        return given if self.mode.test_feedback else ()

    # The numeric twin.

    @functools.cached_property
    def twin(self) -> Twin | None:
        """The numeric twin, None where the answer is a program: of programs there is no end."""
        if self.mode.code:
            return None
        mode, level = self.mode, self._difficulty if self._name == boxes.RANDOM else None
        extent = Extent(mode.turns, mode.shots, mode.test_feedback)
        return twin_of(self._shape, extent, boxes.numbers(self._family), level)

    @property
    def numeric_actions(self) -> int | tuple[int, ...] | None:
        """Queries, the end of the exploration, answers; of boxes without menus the sizes of an action's places."""
        return None if self.twin is None else self.twin.actions

    @property
    def numeric_shape(self) -> tuple[int, ...] | None:
        """See :class:`interactive_envs.black_box.numeric.twins.Twin`."""
        return None if self.twin is None else self.twin.shape

    def encode(self, view: DialogueView) -> NDArray[np.float32]:
        """The View as numbers from 0 to 1."""
        return super().encode(view) if self.twin is None else self.twin.encode(view)

    def decode(self, view: DialogueView, index: int | Sequence[int]) -> str:
        """The text action of a numeric one; '' for one that is not legal now."""
        return super().decode(view, index) if self.twin is None else self.twin.decode(view, index)

    def mask(self, view: DialogueView) -> NDArray[np.int8]:
        """1 where a number may be chosen."""
        return super().mask(view) if self.twin is None else self.twin.mask(view)

    def action_of(self, view: DialogueView, kind: str, key: Any) -> int | tuple[int, ...] | None:
        """The numeric action that says the same as a query or an answer that was read, None where there is none."""
        return None if self.twin is None else self.twin.action_of(view, kind, key)

    def _box(self, rng: np.random.Generator) -> Box:
        box = self.family.generate(rng, self._difficulty) if self._name == boxes.RANDOM else self._entry.make()
        return dataclasses.replace(box, partial=True) if self._partial else box


def read_case(case: Any) -> int:
    """The number of a case.

    Raises:
        ConfigError: it is none.
    """
    if re.fullmatch(r"[0-9]{1,10}", str(case)) and int(case) < 2**32:
        return int(case)
    raise ConfigError(f"the cases of black boxes are the numbers 0 to {2**32 - 1}, got {case!r}")


def _task(family: str, box: str, mode: Mode, partial: bool, difficulty: int) -> BlackBoxTask:
    return BlackBoxTask(family, box, mode, partial=partial, difficulty=difficulty)


def _case(task: BlackBoxTask, number: int) -> BoxCase:
    return task.case(np.random.default_rng(), str(number))


def _verdict(mark: float) -> str:
    if mark == 1:
        return "Right."
    return "Wrong." if mark == 0 else f"Partly right: {mark:.2f} of 1."


def _lines(*parts: str) -> str:
    return "\n".join(filter(None, parts))
