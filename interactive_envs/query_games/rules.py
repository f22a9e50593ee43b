"""The rules of query games, pure: one game at one level as a dialogue task.

Source: the paper on executable games, sections 3.1 and 3.2, appendix B.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactive_envs.dialogue.arrays import Arrays, Batched, Flags, Ints
from interactive_envs.dialogue.task import (
    PLAIN,
    DialogueTask,
    Falsifiable,
    Inferable,
    Informed,
    Menu,
    Retold,
    Terms,
    Vocabulary,
)
from interactive_envs.dialogue.view import DialogueView, facts_of, progress_features
from interactive_envs.errors import ConfigError
from interactive_envs.judges.base import Verdict
from interactive_envs.parsing import Illegal, Unreadable
from interactive_envs.query_games import games, solver, vocabularies
from interactive_envs.query_games.base import EQUAL, LEVELS, NODES, Codes, Kind, Level, Query, Row, node


@dataclass(frozen=True)
class QueryShown:
    """What a player may know of the game.

    Attributes:
        game: ``structure/mode/name``; language models never see it.
        difficulty: 1 to 5.
        opening: the code of what the rules say of the hidden state.
    """

    game: str
    difficulty: int
    opening: int


@dataclass(frozen=True)
class QueryCase:
    """A hidden state.

    Attributes:
        state: its index in the level's world.
        right: the right answer.
    """

    state: int
    right: Row


@dataclass(frozen=True)
class QueryState:
    """A hidden state and the observations of it.

    Attributes:
        case: the hidden state.
        observations: pairs of a query's index and the code of its reply.
    """

    case: QueryCase
    observations: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Fact:
    """A reply: the kind of the query by its index in the kit, and the code."""

    kind: int
    code: int


class QueryTask(
    DialogueTask[QueryCase, QueryState],
    Menu[QueryState],
    Inferable[QueryState],
    Informed[QueryState],
    Falsifiable[QueryState],
    Retold[QueryCase],
    Batched,
):
    """Ask the game's queries, then answer once.

    Args:
        game: ``structure/mode/name``.
        difficulty: 1 to 5.

    Raises:
        UnknownNameError: there is no such game.
        ConfigError: there is no such level.
    """

    single_final = True

    def __init__(self, game: str, difficulty: int) -> None:
        if type(difficulty) is not int or difficulty not in LEVELS:
            raise ConfigError(f"difficulty must be a whole number from 1 to 5, got {difficulty!r}")
        self.level: Level = games.find(game).level(difficulty)
        self._name = game
        kinds = self.level.game.kinds
        self.query_tags = tuple(kind.tag for kind in kinds)
        self.empty_tags = tuple(kind.tag for kind in kinds if not kind.legal)
        self.short_forms = {kind.tag: (kind.tag, kind.name) for kind in kinds if kind.legal} | {"answer": ("answer",)}
        self.action_examples = tuple(
            f"<{kind.tag}>{kind.write(argument, PLAIN)}</{kind.tag}>" for kind, argument in map(self._example, kinds)
        )

    def __reduce__(self) -> tuple[Any, ...]:
        # Levels hold functions, which cannot be pickled, and tables, which need not be.
        return type(self), (self._name, self.level.difficulty)

    def case_ids(self) -> Sequence[str] | None:
        """Cases are drawn; each hidden state's number can be asked for."""
        return None

    def case(self, rng: np.random.Generator, case_id: str | None = None) -> QueryCase:
        """Draw a hidden state, or take the one of a number from 0 on.

        Raises:
            ConfigError: there is no such number.
        """
        states = len(self.level.world)
        if case_id is None:
            state = self.level.draw(rng)
        elif str(case_id).isdecimal() and int(case_id) < states:
            state = int(case_id)
        else:
            raise ConfigError(f"the cases of this game and level are the numbers 0 to {states - 1}, got {case_id!r}")
        return QueryCase(state, self.level.answer_of(state))

    def case_id(self, case: QueryCase) -> str:
        """The hidden state's number."""
        return str(case.state)

    def rules(self, case: QueryCase, terms: Terms, vocabulary: Vocabulary = PLAIN) -> str:
        """What may be hidden, what is known of it, what may be asked, what is to be found out, and the budget."""
        words = self._words(vocabulary)
        blocks = self._given(case, words)
        if terms.interaction:
            asked = [self._about(kind, words) for kind in self.level.game.kinds]
            blocks.append("\n".join(["Send one query per round:", *asked, self._replies(words)]))
        blocks.append(self._wanted(case, words, _ALL_REPLIES))
        if terms.interaction:
            rounds = f"You have {terms.budget} rounds. Every query uses one, and so does the answer."
            blocks.append(f"{rounds} {_unreadable(terms)} Your first answer ends the game. {_SCORE}")
        return "\n\n".join(blocks)

    def rules_with(self, case: QueryCase, evidence: Sequence[tuple[int, int]], vocabulary: Vocabulary = PLAIN) -> str:
        """The rules of a game in which nothing can be asked, with replies that are shown instead, numbered from 1.

        Args:
            case: the hidden state.
            evidence: pairs of a query's index and the code of its reply.
            vocabulary: of another domain.
        """
        words = self._words(vocabulary)
        lines = [f"{number}. {self.observation(*one, vocabulary)}" for number, one in enumerate(evidence, 1)]
        shown = "\n".join(["Observations:", *(lines or ["(none)"])])
        return "\n\n".join(
            [*self._given(case, words), shown, self._wanted(case, words, _ALL_OBSERVATIONS), _NO_QUERIES]
        )

    def start(self, case: QueryCase) -> QueryState:
        """There are no observations yet."""
        return QueryState(case)

    def case_of(self, state: QueryState) -> QueryCase:
        """The case a state belongs to."""
        return state.case

    def read_query(self, state: QueryState, body: str, tag: str = "") -> int | Unreadable:
        """The index of a legal query."""
        index = self.query_tags.index(tag)
        kind = self.level.game.kinds[index]
        argument = kind.read(body)
        found = None if argument is None else self.level.query_index.get(Query(index, argument))
        if found is not None:
            return found
        return (Unreadable if argument is None else Illegal)(self.why_unreadable(tag, body))

    def read_answer(self, state: QueryState, body: str) -> Row | Unreadable:
        """An answer of the right form."""
        answer = self.level.game.target.form.read(body)
        if answer is None or self._of_wrong_length(answer) or self._unknown_nodes(answer):
            return (Unreadable if answer is None else Illegal)(self.why_unreadable(self.answer_tag, body))
        return answer

    def why_unreadable(self, tag: str, body: str, vocabulary: Vocabulary = PLAIN) -> str:
        """What the tag takes, and what it was given."""
        words = self._words(vocabulary)
        if tag == self.answer_tag:
            answer = self.level.game.target.form.read(body)
            hint, given = self._form().format_map(words), f"that was {body[:40]!r}."
            if answer and self._unknown_nodes(answer):
                return f"There is no {{node}} {NODES[self._unknown_nodes(answer)[0]]}; {given}".format_map(words)
            length = max(self.level.answer_lengths)
            if answer is not None and length > 1:
                return f"An answer is {hint}, {length} in all; that had {len(answer)}: {body[:40]!r}."
            return f"An answer is {hint}; {given}"
        legal = self.level.game.kinds[self.query_tags.index(tag)].legal.format_map(words)
        return f"{tag} takes {legal}; that was {body[:40]!r}." if legal else f"{tag} takes nothing: <{tag}></{tag}>."

    def reply(
        self, state: QueryState, query: int, rng: np.random.Generator, verdict: Verdict | None = None
    ) -> tuple[Fact, QueryState]:
        """What the hidden state replies."""
        asked = self.level.queries[query]
        code = self.level.reply(state.case.state, asked)
        return Fact(asked.kind, code), QueryState(state.case, (*state.observations, (query, code)))

    def render(self, fact: Fact, vocabulary: Vocabulary = PLAIN) -> str:
        """A reply as a sentence."""
        return f"{self.level.game.kinds[fact.kind].reply.say(fact.code, self._words(vocabulary))}."

    def observation(self, query: int, code: int, vocabulary: Vocabulary = PLAIN) -> str:
        """A query and its reply as one statement."""
        words = self._words(vocabulary)
        asked = self.level.queries[query]
        kind = self.level.game.kinds[asked.kind]
        about = kind.asks.format(*kind.write(asked.argument, words).split(), **words)
        return f"{about[:1].upper()}{about[1:]}: {self.render(Fact(asked.kind, code), vocabulary)}"

    def check(self, state: QueryState, answer: Row, verdict: Verdict | None = None) -> bool:
        """Whether the answer is right; there is one right answer to every case."""
        return answer == state.case.right

    def show(self, state: QueryState) -> QueryShown:
        """The game, its level and what is known from the start."""
        return QueryShown(self._name, self.level.difficulty, int(self.level.opening[state.case.state]))

    def solution(self, case: QueryCase) -> str:
        """The right answer as a player would write it."""
        return self.level.game.target.form.write(case.right, self._words(PLAIN))

    def n_actions(self, state: QueryState) -> int:
        """Queries and possible answers."""
        return len(self.level.queries) + self.level.n_answers

    def queries(self, state: QueryState) -> list[str]:
        """Every legal query."""
        return self.level.query_texts

    def answers(self, state: QueryState) -> list[str]:
        """Every answer that some hidden state has."""
        return self.level.answer_texts

    def wrong_fact(self, state: QueryState, query: int, rng: np.random.Generator) -> Fact | None:
        """Another reply that fits all observations, or some other of the same kind, None where there is none."""
        level, case = self.level, state.case
        column = level.table[:, query]
        left = solver.remaining(level, int(level.opening[case.state]), state.observations)
        for states in (left, np.flatnonzero(level.opening == level.opening[case.state]), slice(None)):
            others = np.unique(column[states])
            others = others[others != column[case.state]]
            if len(others):
                return Fact(level.queries[query].kind, int(rng.choice(others)))
        return None

    def mishear(self, state: QueryState, fact: Fact) -> QueryState:
        """The state in which the last reply was another."""
        *before, (query, _) = state.observations
        return QueryState(state.case, (*before, (query, fact.code)))

    def undecided(self, state: QueryState) -> bool:
        """Whether the states that are left have more than one right answer."""
        left = solver.remaining(self.level, int(self.level.opening[state.case.state]), state.observations)
        return len(np.unique(self.level.right[left])) > 1

    def vocabulary(self, domain: str) -> Vocabulary:
        """The structure's words in a domain."""
        return vocabularies.vocabulary(self.level.game.structure, domain)

    def distractors(self, case: QueryCase, vocabulary: Vocabulary = PLAIN) -> list[str]:
        """Sentences about another set, sequence, tree or graph, which name two of the nodes."""
        words = self._words(vocabulary)
        named = {"first": node(1, words), "second": node(2, words)}
        return [text.format_map({**words, **named}) for text in vocabularies.distractors(self.level.game.structure)]

    def hypotheses(self, view: DialogueView) -> list[Row]:
        """The answers that are right for some state that is left."""
        return [self.level.answers[index] for index in np.unique(self.level.right[states_left(self.level, view)])]

    def resample(self, view: DialogueView, rng: np.random.Generator) -> QueryState:
        """A hidden state, as probable as it is, among those that are left."""
        left = states_left(self.level, view)
        weights = self.level.weights[left]
        state = int(rng.choice(left, p=weights / weights.sum()))
        observations = tuple((query, int(self.level.table[state, query])) for query, _ in facts_of(view))
        return QueryState(QueryCase(state, self.level.answer_of(state)), observations)

    def bits(self, state: QueryState, view: DialogueView) -> float:
        """An answer is as probable as the hidden states that are left and have it."""
        left = states_left(self.level, view)
        return solver.entropy(np.bincount(self.level.right[left], self.level.weights[left]))

    def record(self, state: QueryState) -> dict[str, Any]:
        """The hidden state's index, and the queries with the codes of their replies, in order."""
        return {"state": state.case.state, "heard": [[query, code] for query, code in state.observations]}

    @property
    def numeric_actions(self) -> int:
        """The legal queries in order, then the possible answers."""
        return len(self.level.queries) + self.level.n_answers

    @property
    def numeric_shape(self) -> tuple[int]:
        """Two numbers a query and seven of the episode."""
        return (2 * len(self.level.queries) + 7,)

    def encode(self, view: DialogueView) -> NDArray[np.float32]:
        """Per query whether it was asked, then per query its reply: code + 2 over the greatest in the level + 2.

        The last seven numbers: what is known from the start, in the same way, and
        :func:`interactive_envs.dialogue.view.progress_features`.
        """
        asked, replies = np.zeros((2, len(self.level.queries)), dtype=np.float32)
        for query, fact in facts_of(view):
            asked[query] = 1.0
            replies[query] = (fact.code + 2) / self.level.scale
        opening = (view.shown.opening + 2) / (int(self.level.opening.max()) + 2)
        return np.concatenate([asked, replies, np.array([opening, *progress_features(view)], dtype=np.float32)])

    def decode(self, view: DialogueView, index: int) -> str:
        """The query or answer of an index; '' where it is not allowed."""
        queries = self.level.query_texts
        if view.stage == "over" or not 0 <= index < self.numeric_actions:
            return ""
        if index < len(queries):
            return queries[index] if view.queries_allowed else ""
        return self.level.answer_texts[index - len(queries)]

    def arrays(self, count: int) -> QueryArrays:
        """Episodes side by side, played from the level's table."""
        return QueryArrays(self.level, count)

    def _words(self, vocabulary: Vocabulary) -> Mapping[str, Any]:
        return self._own_words if vocabulary is PLAIN else self._said(vocabulary)

    @functools.cached_property
    def _own_words(self) -> Mapping[str, Any]:
        return self._said(PLAIN)

    def _said(self, vocabulary: Vocabulary) -> Mapping[str, Any]:
        name = self.level.game.structure
        words = {**games.words(name), **vocabulary}
        return words | {"hidden": words[name], "hiddens": words[f"{name}s"]} | dict(self.level.world.facts)

    def _given(self, case: QueryCase, words: Vocabulary) -> list[str]:
        """What may be hidden, and what is known of it."""
        opening = self.level.game.family.opening
        told = [] if opening is None else [opening.tell(self.level.world.take([case.state]), words)]
        return [self._hidden(words), *told]

    def _hidden(self, words: Vocabulary) -> str:
        family = self.level.game.family
        lines = [f"Hidden: {family.hides.format_map(words)}."]
        if "node" in words and family.mode != "inductive":
            names = [node(index, words) for index in range(self.level.world.facts["n"])]
            lines.append(f"The {{nodes}} are {', '.join(names)}.")
        if family.mode == "inductive":
            lines.append("Each possible pattern of outputs on the instances below is equally likely.")
        elif family.prior is EQUAL:
            lines.append("All such {hiddens} are equally likely.")
        else:
            lines.append(family.prior.states)
        if "node" not in words:
            lines.append("All numbers are whole numbers.")
        return " ".join(lines).format_map(words)

    def _about(self, kind: Kind, words: Vocabulary) -> str:
        """One kind of query: how it is written, what it returns, with which arguments."""
        _, argument = self._example(kind)
        written = kind.write(argument, words)
        shown = written.split()
        asks = kind.asks.format(*shown, **words)
        legal = f" Replace {written} with {kind.legal.format_map(words)}." if kind.legal else ""
        return f"<{kind.tag}>{written}</{kind.tag}> returns {asks}.{legal}"

    def _replies(self, words: Vocabulary) -> str:
        """What the replies to all kinds of queries look like."""
        hints = [kind.reply.hint.format_map(words) for kind in self.level.game.kinds]
        sorts = list(dict.fromkeys(hint.removesuffix(" or none") for hint in hints))
        none = ["none"] if any(hint.endswith(" or none") for hint in hints) else []
        return f"Replies: {' / '.join([*sorts, *none])}."

    def _wanted(self, case: QueryCase, words: Vocabulary, known: str) -> str:
        """What is to be found out, given what is known in the end, and how it is written."""
        level, target = self.level, self.level.game.target
        example = level.answer(level.unlikely_answer(int(level.opening[case.state])))
        blocks = [f"Find out {target.asks}."]
        if level.game.mode == "abductive":
            blocks.append(_MOST_PROBABLE.replace("{known}", known))
        form = f"Write {self._form()}, for example: <answer>{target.form.write(example, words)}</answer>"
        return " ".join([*blocks, form]).format_map(words)

    def _form(self) -> str:
        """How an answer is written, a template."""
        return self.level.game.target.form.hint + (", or none" if 0 in self.level.answer_lengths else "")

    def _of_wrong_length(self, answer: Row) -> bool:
        lengths = self.level.answer_lengths
        return len(lengths) == 1 and len(answer) not in lengths

    def _unknown_nodes(self, answer: Row) -> list[int]:
        return [index for index in self.level.game.target.form.nodes(answer) if index >= self.level.world.facts["n"]]

    def _example(self, kind: Kind) -> tuple[Kind, Row]:
        arguments = list(kind.arguments(self.level.world))
        return kind, arguments[len(arguments) // 2]


class QueryArrays(Arrays):
    """Several episodes of a game at a level, see :meth:`QueryTask.encode`."""

    def __init__(self, level: Level, count: int) -> None:
        self._level, self._n_queries = level, len(level.queries)
        self.queries = np.ones((count, self._n_queries), np.bool_)
        self.answers = np.ones((count, level.n_answers), np.bool_)
        self.features = np.zeros((count, 2 * self._n_queries + 1), np.float32)
        self._state = np.zeros(count, np.int64)
        self._most = int(level.opening.max()) + 2

    def draw(self, row: int, rng: np.random.Generator) -> None:
        """Draw a hidden state."""
        state = self._level.draw(rng)
        self._state[row] = state
        self.features[row] = 0.0
        self.features[row, -1] = (self._level.opening[state] + 2) / self._most

    def ask(self, rows: Ints, queries: Ints) -> None:
        """The codes of the replies, from the table."""
        codes = self._level.table[self._state[rows], queries]
        self.features[rows, queries] = 1.0
        self.features[rows, self._n_queries + queries] = (codes + 2) / self._level.scale

    def right(self, rows: Ints, answers: Ints) -> Flags:
        """Whether it is the right answer."""
        return np.asarray(self._level.right[self._state[rows]] == answers)


def states_left(level: Level, view: DialogueView) -> Codes:
    """The hidden states that agree with a View: with all observations, or where some are false, with the most."""
    observations = [(query, fact.code) for query, fact in facts_of(view)]
    return solver.remaining(level, view.shown.opening, observations)


def _unreadable(terms: Terms) -> str:
    if terms.strict:
        return "A message that cannot be parsed, or that breaks these rules, ends the game."
    if terms.retries:
        return (
            "If a message cannot be parsed, or breaks these rules, you may try again up to "
            f"{terms.retries} times per round."
        )
    return "A message that cannot be parsed, or that breaks these rules, also uses one."


_MOST_PROBABLE = (
    "Several {hiddens} may agree with what is known from the start and with {known}. Then the right answer is the one "
    "for the most probable of them, even if another was drawn; there is never a tie between answers."
)
_SCORE = "If it is right you score 1, otherwise 0."
_NO_QUERIES = (
    "You cannot send queries. Answer from the observations. If a message cannot be parsed, you may send another, a few "
    "times."
)
_ALL_REPLIES = "the replies to all possible queries"
_ALL_OBSERVATIONS = "the observations"
