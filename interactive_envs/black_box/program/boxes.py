"""Programs with checkpoints: set the inputs, look at the variables, then say them for inputs you have not set.

Source: ORACLE, section 3 (code intent inference) and appendix H.1. The programs are in ``fixed`` and ``random``, how
they leave traces in ``code``.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from interactive_envs.black_box.base import DRAWS, AnswerBox, Entry, Family, Function, Trial
from interactive_envs.black_box.program import random as program_random
from interactive_envs.black_box.program.code import (
    Code,
    Values,
    frozen,
    kind_of,
    read_inputs,
    read_values,
    same,
    show,
)
from interactive_envs.black_box.program.fixed import PROGRAMS, Program
from interactive_envs.parsing import Illegal, Unreadable

ASSIGN, LOOK = "assign", "look"
STATED = 100.0
"""What it costs a question to ask for what it states: an input, an element of one, or the visit's number."""
ASKED_VISITS = 40
"""Items ask for no later visit."""
"""So many arguments are calls of a function; see :meth:`ProgramBox.arguments`."""
_LARGEST = 999
_OPTIONS = 5
_IDLE = 200
_LOOK = re.compile(
    r"[\s(\[]*(?:checkpoint\s*)?([0-9]{1,30})(?:\s*[,;]\s*|\s+)(?:visit\s*)?([0-9]{1,30})[\s)\].]*",
    re.IGNORECASE | re.ASCII,
)

Question = tuple[int, int, Any]
"""A checkpoint, a visit, and a variable: by its name, or where names are hidden by its place from 1."""


@dataclass(frozen=True, kw_only=True)
class ProgramBox(AnswerBox):
    """A program whose variables can be looked at where it has checkpoints.

    A query is ``("assign", inputs in order)`` or ``("look", checkpoint, visit)``. The fact of the first is None; that
    of the second is ``("values", (name, type, value), ...)``, ``("values", value, ...)`` where names are hidden, or
    ``("visits", how many there are)`` with None for hidden. The memory is the inputs set last.

    Attributes:
        code: the program.
        questions: of an item.
    """

    code: Code
    questions: int = 6

    tags = (ASSIGN, LOOK)
    partial_marks = True

    @property
    def examples(self) -> tuple[str, ...]:
        """Inputs and answers that are legal in any case."""
        # Drawn without the program's own draw, which would show what it is about.
        draws = np.random.default_rng(0)
        inputs = self._assignment([one.draw(draws) for one in self.code.inputs])
        answer = ", ".join(map(str, range(1, self.questions + 1)))
        return (f"<{ASSIGN}>{inputs}</{ASSIGN}>", f"<answer>[{answer}]</answer>")

    @property
    def public(self) -> Any:
        """The inputs (name, type, bounds of numbers, of lengths, letters, whether 0 is legal); how many checkpoints."""
        return tuple(one.public for one in self.code.inputs), self.code.checkpoints

    def introduction(self) -> str:
        """Inputs, checkpoints, the two queries."""
        inputs = "; ".join(f"{one.name}, {one.legal}" for one in self.code.inputs)
        example = '6, "ab", [1, 2]' if self.partial else 'u = 6 (int), v = "ab" (str), w = [1, 2] (list)'
        shown = "their values only, always in the same order" if self.partial else "their names, values and types"
        return (
            f"A program is hidden. Its inputs: {inputs}. It has checkpoints 1 to {self.code.checkpoints}; a run may "
            f"pass a checkpoint once, several times or never.\n{self.examples[0]} sets all inputs; they stay set until "
            f"the next <{ASSIGN}>.\n<{LOOK}>2, 1</{LOOK}> runs the program with these inputs and shows its variables "
            f"when it passes checkpoint 2 for the 1st time, which is visit 1. <{LOOK}>2, 2</{LOOK}> shows them at "
            f"visit 2, and so on. You see {shown}, such as {example}. Set the inputs before you look."
        )

    def examination(self) -> str:
        """The form of the answers."""
        what = "the value at one place of what a look shows, counted from 1," if self.partial else "one variable"
        return (
            f"Each question gives inputs that you have not set, and asks for up to {self.questions} values, each of "
            f"{what} at one checkpoint and visit. "
            'Answer with a JSON list of the values in this order, such as <answer>[3, "ab", [1, 2], 0.5]</answer> for '
            'four values. Put texts in quotes and give numbers exactly (2 and 2.0 are equal, 2 and "2" are not). The '
            "mark is the share of values that are right."
        )

    # Exploration.

    def seen(self, trial: Trial, memory: Any) -> Any:
        """The inputs set last, None before."""
        return memory

    def read_query(self, tag: str, body: str, seen: Any) -> Any | Unreadable:
        """Inputs, or a checkpoint and a visit."""
        given = f"{body[:40]!r}"
        if tag == ASSIGN:
            read = read_inputs(body, self.code.inputs)
            if isinstance(read, tuple):
                return ASSIGN, read
            legal = "; ".join(f"{one.name} is {one.legal}" for one in self.code.inputs)
            more = "" if read in legal else f" ({legal})"
            return Unreadable(f"{given} cannot be set: {read}{more}. Write, for example, {self.examples[0]}.")
        match = _LOOK.fullmatch(body) if len(body) < 100 else None
        if match is None or not all(1 <= int(number) <= _LARGEST for number in match.groups()):
            return Unreadable(
                f"{given} is not a place to look; write a checkpoint and a visit from 1 to {_LARGEST}, e.g. "
                f"<{LOOK}>2, 1</{LOOK}>."
            )
        if seen is None:
            return Illegal(f"{given} cannot be looked at before inputs are set; write {self.examples[0]} first.")
        if int(match[1]) > self.code.checkpoints:
            return Illegal(f"There is no checkpoint {match[1]}; the checkpoints are 1 to {self.code.checkpoints}.")
        return LOOK, int(match[1]), int(match[2])

    def reply(self, trial: Trial, memory: Any, query: Any, rng: np.random.Generator) -> tuple[Any, Any]:
        """Nothing but the new memory, or what is seen there."""
        if query[0] == ASSIGN:
            return None, query[1]
        _, checkpoint, visit = query
        visits = self.code.visits(memory)[checkpoint]
        if visit > len(visits):
            return ("visits", None if self.partial else len(visits)), memory
        values = visits[visit - 1]
        if self.partial:
            return ("values", *(value for _, value in values)), memory
        return ("values", *((name, kind_of(value), value) for name, value in values)), memory

    def tell(self, query: Any, fact: Any) -> str:
        """One line."""
        if query[0] == ASSIGN:
            return f"The inputs are set: {self._assignment(query[1])}."
        _, checkpoint, visit = query
        kind, *reached = fact
        if kind == "visits":
            only = "fewer visits than that" if reached[0] is None else _visits(reached[0])
            return f"With these inputs, checkpoint {checkpoint} has {only}."
        if self.partial:
            shown = ", ".join(show(frozen(value)) for value in reached)
        else:
            shown = ", ".join(f"{name} = {show(frozen(value))} ({kind})" for name, kind, value in reached)
        return f"At checkpoint {checkpoint}, visit {visit}: {shown}."

    def any_query(self, rng: np.random.Generator) -> str:
        """Legal inputs, or a look at one of the first visits of a checkpoint."""
        if rng.random() < 0.4:
            return f"<{ASSIGN}>{self._assignment(self.code.sample(rng))}</{ASSIGN}>"
        return f"<{LOOK}>{rng.integers(1, self.code.checkpoints + 1)}, {rng.integers(1, 6)}</{LOOK}>"

    def wrong_fact(self, trial: Trial, memory: Any, query: Any, fact: Any, rng: np.random.Generator) -> Any | None:
        """What is seen in the same place with other inputs."""
        for _ in range(DRAWS if query[0] == LOOK else 0):
            wrong, _ = self.reply(trial, self.code.sample(rng), query, rng)
            if wrong != fact and wrong[0] == fact[0]:
                return wrong
        return None

    def show_query(self, query: Any) -> str:
        """A query with its tag as a word."""
        if query[0] == ASSIGN:
            return f"{ASSIGN} {self._assignment(query[1])}"
        return f"{LOOK} {query[1]}, {query[2]}"

    def reveal(self, trial: Trial) -> str:
        """The source of a random program."""
        run = self.code.run
        return f"The program:\n{run.source}" if isinstance(run, program_random.Program) else ""

    # Test.

    def arguments(self, trial: Trial, asked: Sequence[Any], rng: np.random.Generator, count: int) -> tuple[Any, ...]:
        """Inputs that were not set, each with questions: ``(inputs, ((checkpoint, visit, variable), ...))``.

        For 1,000 and more, calls of a function instead: ``(inputs, checkpoint, visit)``; one in ten or so asks for
        the visit after the last. Programs with a single small number have fewer inputs and calls than that; where all
        have been set there are none.
        """
        assigned = {query[1] for query in asked if query[0] == ASSIGN}
        replies = self._replies(asked)
        chosen: dict[Any, Any] = {}
        for _ in range(count):
            options: dict[Any, tuple[tuple[Question, ...], float]] = {}
            for _ in range(40 * _OPTIONS):
                inputs = self.code.sample(rng)
                if inputs not in assigned and inputs not in chosen and inputs not in options:
                    options[inputs] = self._ask(inputs, replies, rng)
                if len(options) == _OPTIONS:
                    break
            if not options:
                break
            rated = [
                ((rating > -STATED / 2, len(questions), rating), inputs, questions)
                for inputs, (questions, rating) in options.items()
            ]
            _, best, asks = max(rated, key=lambda option: option[0])
            chosen[best] = asks
        return tuple(chosen.items())

    def value(self, trial: Trial, argument: Any) -> Any:
        """The values in order; of a call the variables, None where the checkpoint is not passed that often."""
        if len(argument) == 3:
            inputs, checkpoint, visit = argument
            visits = self.code.visits(inputs)[checkpoint]
            if visit > len(visits):
                return None
            return tuple(value for _, value in visits[visit - 1]) if self.partial else visits[visit - 1]
        inputs, questions = argument
        visits_of = self.code.visits(inputs)
        return tuple(_variable(visits_of[number][visit - 1], variable) for number, visit, variable in questions)

    def question(self, trial: Trial, argument: Any) -> str:
        """The inputs and the numbered questions."""
        inputs, questions = argument
        parts = [
            f"({place}) {f'the value at place {variable}' if self.partial else variable} at checkpoint {number}, "
            f"visit {visit}"
            for place, (number, visit, variable) in enumerate(questions, 1)
        ]
        many = f"What are these {len(parts)} values" if len(parts) > 1 else "What is this value"
        return f"The inputs are {self._assignment(inputs)}. {many}? {'; '.join(parts)}."

    def read_answer(self, argument: Any, body: str) -> Any | Unreadable:
        """The values in order, with or without brackets around them."""
        count = len(argument[1])
        values = read_values(body)
        if not values:
            return Unreadable(
                f"{body[:40]!r} is not a list of values; write numbers, texts in quotes and lists, e.g. "
                '[3, "ab", [1, 2]].'
            )
        if len(values) == 1 and isinstance(values[0], tuple) and len(values[0]) == count:
            return values[0]
        if len(values) == count:
            return tuple(values)
        found = len(values[0]) if len(values) == 1 and isinstance(values[0], tuple) else len(values)
        values_word = "value" if count == 1 else "values"
        return Unreadable(f"An answer has {count} {values_word}. Yours has {found}: {body[:40]!r}.")

    def mark(self, truth: Any, answer: Any) -> float:
        """The share that is right."""
        right = sum(same(one, other) for one, other in zip(truth, answer, strict=True))
        return right / len(truth)

    def show_answer(self, truth: Any) -> str:
        """A JSON list."""
        return show(truth)

    @property
    def function(self) -> Function:
        """The variables at a visit of a checkpoint."""
        result = "a list of the values in the order of a look" if self.partial else "a dict of the variables by name"
        return Function(
            f"solution(call: dict) -> {'list' if self.partial else 'dict'} | None",
            'call is {"inputs": {...}, "checkpoint": 2, "visit": 1}, the inputs by name. It must return '
            f"{result}, all of them right, or None if the checkpoint has fewer visits.",
        )

    def as_json(self, argument: Any) -> Any:
        """A call as a dict."""
        inputs, checkpoint, visit = argument
        by_name = {
            one.name: list(v) if isinstance(v, tuple) else v for one, v in zip(self.code.inputs, inputs, strict=True)
        }
        return {"inputs": by_name, "checkpoint": checkpoint, "visit": visit}

    def mark_value(self, truth: Any, value: Any) -> float:
        """1 where all variables are right."""
        if truth is None or value is None:
            return float(truth is value)
        if self.partial:
            return float(same(truth, value))
        if not isinstance(value, Mapping) or set(value) != {name for name, _ in truth}:
            return 0.0
        return float(all(same(one, value[name]) for name, one in truth))

    # How items are chosen.

    def _assignment(self, inputs: Sequence[Any]) -> str:
        return "; ".join(f"{one.name} = {show(value)}" for one, value in zip(self.code.inputs, inputs, strict=True))

    def _replies(self, asked: Sequence[Any]) -> Mapping[Question, set[Any]]:
        """What looks have shown, by checkpoint, visit and place from 0."""
        replies: dict[Question, set[Any]] = defaultdict(set)
        inputs = None
        for query in asked:
            if query[0] == ASSIGN:
                inputs = query[1]
                continue
            _, checkpoint, visit = query
            if inputs is None or checkpoint > self.code.checkpoints:
                continue
            for values in self.code.visits(inputs)[checkpoint][visit - 1 : visit]:
                for place, (_, value) in enumerate(values):
                    replies[checkpoint, visit, place].add(value)
        return replies

    def _ask(
        self, inputs: tuple[Any, ...], replies: Mapping[Question, set[Any]], rng: np.random.Generator
    ) -> tuple[tuple[Question, ...], float]:
        """Questions about a run, and how well they tell rivals apart.

        Checkpoints are asked about about equally often, late visits as probably as early ones. A value is good that is
        no input, no other answer, not the usual one there, none that was in a reply, and not what it was at the first
        visit. What the question states (an input, the visit's element of one, the visit's number) is asked for only
        where there is nothing else. A variable with the same value is asked for once, if there is another.
        """
        plain = {*inputs, 0, 1, ()}
        # Elements of inputs by the visit's number: what a loop over them shows is stated in the question.
        lists = [one for one in inputs if isinstance(one, tuple | str)]
        given = {visit: {one[visit - 1] for one in lists if len(one) >= visit} for visit in range(1, ASKED_VISITS + 1)}
        pools: list[list[tuple[float, Question, Any]]] = []
        for checkpoint, visits in self.code.visits(inputs).items():
            pool = []
            for visit, values in enumerate(visits[:ASKED_VISITS], 1):
                for place, (name, value) in enumerate(values):
                    where = checkpoint, visit, place
                    good = 2.0 * (value not in plain) + 2.5 * (value != self.code.usual.get(where))
                    good += 2.0 * (value not in replies.get(where, ())) + 1.0 * (value not in (visit, visit - 1))
                    good += 1.0 * (visit > 1 and value != visits[0][place][1])
                    good -= STATED * (value in inputs or value in given.get(visit, ()) or value in (visit, visit - 1))
                    pool.append((good, (checkpoint, visit, place + 1 if self.partial else name), value))
            luck = (3.0 * rng.random(len(pool))).tolist()
            rated = [(good + chance, *rest) for (good, *rest), chance in zip(pool, luck, strict=True)]
            pools.append(sorted(rated, key=lambda one: -one[0])[: 2 * self.questions])
        open_ = [one for pool in pools for one in pool]
        # What the question states itself is asked for only where there is nothing else.
        open_ = [one for one in open_ if one[0] > -STATED / 2] or open_
        used: Counter[int] = Counter()
        known: set[Any] = set()
        pairs: set[tuple[Any, Any]] = set()
        questions: list[Question] = []
        total = 0.0
        while len(questions) < self.questions:
            fresh = [one for one in open_ if (one[1][2], one[2]) not in pairs] or open_ * (len(questions) < 2)
            if not fresh:
                break
            rates = [good + 3.0 * (value not in known) - 3.0 * used[where[0]] for good, where, value in fresh]
            best = max(range(len(fresh)), key=rates.__getitem__)
            _, question, value = fresh[best]
            total += rates[best]
            known.add(value)
            pairs.add((question[2], value))
            open_ = [one for one in open_ if one[1] != question]
            questions.append(question)
            used[question[0]] += 1
        return tuple(sorted(questions, key=lambda question: question[:2])), total

    def calls(self, trial: Trial, asked: Sequence[Any], rng: np.random.Generator, count: int) -> tuple[Any, ...]:
        """Calls of a function: ``(inputs, checkpoint, visit)``; one in eight or so is of the visit after the last."""
        assigned = {query[1] for query in asked if query[0] == ASSIGN}
        calls: dict[Any, None] = {}
        idle = 0
        while idle < _IDLE:
            inputs, before = self.code.sample(rng), len(calls)
            idle += 1
            if inputs in assigned:
                continue
            visits = self.code.visits(inputs)
            for _ in range(4):
                number = int(rng.integers(1, self.code.checkpoints + 1))
                last = min(len(visits[number]), _LARGEST - 1)
                beyond = last == 0 or rng.random() < 0.1
                calls[inputs, number, last + 1 if beyond else int(rng.integers(1, last + 1))] = None
                if len(calls) == count:
                    return tuple(calls)
            idle *= len(calls) == before
        return tuple(calls)


def _variable(values: Values, variable: Any) -> Any:
    return values[variable - 1][1] if isinstance(variable, int) else dict(values)[variable]


def _visits(times: int) -> str:
    return "no visits" if times == 0 else "only 1 visit" if times == 1 else f"only {times} visits"


def generate(rng: np.random.Generator, level: int) -> ProgramBox:
    """A random program."""
    return ProgramBox(code=program_random.generate(rng, level))


def _entry(program: Program) -> Entry:
    if program.grade == "baseline":
        return Entry(program.grade, lambda: ProgramBox(code=program.code, questions=2), program.summary, items=4)
    return Entry(program.grade, lambda: ProgramBox(code=program.code), program.summary)


BOXES: dict[str, Entry] = {name: _entry(program) for name, program in PROGRAMS.items()}

FAMILY = Family(
    name="program",
    boxes=BOXES,
    generate=generate,
    hides="names and types of variables, and how often a checkpoint is passed",
    section="Code intent inference: section 3, appendix H.1",
    items=5,
    levels=("10@1", "10@1", "15@1", "20@1", "20@1"),
    with_code=("random",),
)
