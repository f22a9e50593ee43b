"""Puzzles that somebody wrote as a folder: what may be hidden, what may be asked, and the reply, all listed."""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from interactive_envs.black_box import made
from interactive_envs.black_box.made import MadeFolder, Maker
from interactive_envs.black_box.puzzle.base import Listed, unreadable
from interactive_envs.parsing import Unreadable

MOST_SECRETS, MOST_QUERIES = 4_000, 400
LONGEST = 200


@dataclass(frozen=True, eq=False)
class PuzzleTable:
    """All of a puzzle.

    Attributes:
        queries: as a player writes them.
        answers: one a secret, as a player writes them.
        replies: the different ones.
        codes: the number of the reply, shape (secrets, queries).
    """

    queries: tuple[str, ...]
    answers: tuple[str, ...]
    replies: tuple[str, ...]
    codes: NDArray[np.int64]

    @functools.cached_property
    def places(self) -> Mapping[str, int]:
        """Where a query stands."""
        return {query: place for place, query in enumerate(self.queries)}


@dataclass(frozen=True, kw_only=True)
class MadePuzzle(Listed):
    """A puzzle of a folder.

    Attributes:
        name: of a made box of the package, or the absolute path of a folder.
    """

    kind: ClassVar[str] = "made"
    name: str

    @property
    def folder(self) -> MadeFolder:
        """The folder, as it was when it was first read."""
        return _folder(self.name)

    @property
    def table(self) -> PuzzleTable:
        """All replies."""
        return table_of(self.folder)

    @property
    def every(self) -> int:
        """Every third reply is kept back."""
        return 3 if self.partial else 0

    @property
    def examples(self) -> tuple[str, ...]:
        """A query and an answer."""
        table = self.table
        return (
            f"<query>{table.queries[len(table.queries) // 2]}</query>",
            f"<answer>{table.answers[len(table.answers) // 2]}</answer>",
        )

    def introduction(self) -> str:
        """The folder's rules."""
        return f"{self.folder.settings['rules'].strip()} For example, send {self.examples[0]}.{self.withholding}"

    def examination(self) -> str:
        """The folder's question."""
        return f"{self.folder.settings['question'].strip()} Answer, for example, {self.examples[1]}."

    def answer_of(self, hidden: Any) -> Any:
        """The secret's."""
        return self.table.answers[hidden]

    def question(self, trial: Any, argument: Any) -> str:
        """The folder's question."""
        return str(self.folder.settings["question"]).strip()

    def read_query(self, tag: str, body: str, seen: Any) -> Any | Unreadable:
        """One of the queries, blanks and capitals aside."""
        return _one_of(body, self.table.queries, "queries", self.examples[0])

    def read_answer(self, argument: Any, body: str) -> Any | Unreadable:
        """One of the answers, blanks and capitals aside."""
        return _one_of(body, self.table.answers, "answers", self.examples[1])

    def fact(self, hidden: Any, asked: int, query: Any, rng: np.random.Generator) -> Any:
        """The reply."""
        table = self.table
        return table.replies[int(table.codes[hidden, table.places[query]])]

    def say(self, fact: Any) -> str:
        """The reply as it is."""
        return f"Reply: {fact}"

    @property
    def queries(self) -> Sequence[str] | None:
        """All of them."""
        return tuple(f"<query>{query}</query>" for query in self.table.queries)

    @property
    def answers(self) -> Sequence[str] | None:
        """All different ones."""
        return tuple(f"<answer>{answer}</answer>" for answer in dict.fromkeys(self.table.answers))

    @property
    def turn_size(self) -> int:
        """A place for each query, and one for each reply."""
        return len(self.table.queries) + len(self.table.replies)

    def encode_turn(self, query: Any, fact: Any) -> Sequence[float]:
        """1 for the query and for its reply."""
        turn, table = [0.0] * self.turn_size, self.table
        turn[table.places[query]] = 1.0
        if fact is not None:
            turn[len(table.queries) + table.replies.index(fact)] = 1.0
        return turn

    def hypotheses(self) -> NDArray[Any]:
        """The numbers of the secrets."""
        return np.arange(len(self.table.answers))

    def answer_at(self, row: Any) -> Any:
        """The secret's answer."""
        return self.table.answers[int(row)]

    def draw(self, rng: np.random.Generator) -> Any:
        """Any secret."""
        return int(rng.integers(len(self.table.answers)))

    def codes(self, rows: NDArray[Any], query: Any) -> NDArray[Any]:
        """From the table."""
        return np.asarray(self.table.codes[rows, self.table.places[query]])

    def code(self, fact: Any) -> int:
        """The reply's number."""
        return self.table.replies.index(fact)


@functools.lru_cache(maxsize=256)
def _folder(place: str) -> MadeFolder:
    return made.read(Path(place)) if os.path.isabs(place) else made.find(place)


@functools.lru_cache(maxsize=64)
def table_of(folder: MadeFolder) -> PuzzleTable:
    """All replies of a folder's puzzle.

    Raises:
        ConfigError: the code fails, or there are too many.
    """
    (found,) = folder.results([None])
    try:
        queries, answers = [_plain(text) for text in found["queries"]], [_plain(text) for text in found["answers"]]
        rows = [[str(reply) for reply in row] for row in found["replies"]]
        secrets = found["secrets"]
    except (TypeError, KeyError, AttributeError) as error:
        raise folder.wrong(f"the code gave no table: {error}") from error
    if not 4 <= len(answers) <= MOST_SECRETS or not 2 <= len(queries) <= MOST_QUERIES:
        raise folder.wrong(
            f"it has {len(answers)} secrets and {len(queries)} queries; 4 to {MOST_SECRETS} and 2 to {MOST_QUERIES} "
            "are allowed"
        )
    for what, texts in (("queries", queries), ("secrets", [str(secret) for secret in secrets])):
        if len(set(texts)) < len(texts):
            raise folder.wrong(f"two {what} are the same")
    long = [text for text in (*queries, *answers, *(reply for row in rows for reply in row)) if not _fits(text)]
    if long:
        raise folder.wrong(f"queries, answers and replies are lines of 1 to {LONGEST} characters, got {long[0]!r}")
    replies = sorted({reply for row in rows for reply in row})
    places = {reply: place for place, reply in enumerate(replies)}
    codes = np.array([[places[reply] for reply in row] for row in rows], dtype=np.int64)
    _, classes = np.unique(codes, axis=0, return_inverse=True)
    seen: dict[int, int] = {}
    for secret, place in enumerate(classes.reshape(-1).tolist()):
        other = seen.setdefault(place, secret)
        if answers[other] != answers[secret]:
            raise folder.wrong(
                f"no query tells the secrets {secrets[other]} and {secrets[secret]} apart, and their answers differ"
            )
    return PuzzleTable(tuple(queries), tuple(answers), tuple(replies), codes)


def _one_of(body: str, texts: Sequence[str], what: str, example: str) -> str | Unreadable:
    text, known = _plain(body), set(texts)
    legal = f"it is not one of the {len(known)} {what} that the rules allow, such as {example}."
    return text if text in known else unreadable(body, legal)


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _fits(text: str) -> bool:
    return 0 < len(text) <= LONGEST and text.isprintable() and not set(text) & set("<>")


class PuzzleMaker(Maker):
    """``rules`` and ``question`` in ``box.toml``; ``secrets``, ``queries``, ``reply`` and ``answer`` in the code."""

    harness = """
def _ibench_results(inputs):
    hidden, asked = list(secrets()), list(queries())
    table = {
        "secrets": hidden,
        "queries": asked,
        "replies": [[str(reply(secret, query)) for query in asked] for secret in hidden],
        "answers": [str(answer(secret)) for secret in hidden],
    }
    return [table if place is None else _ibench_one(table, place) for place in inputs]

def _ibench_one(table, place):
    rows = sorted(zip(map(str, table["secrets"]), table["answers"], table["replies"]))
    secret, right, replies = rows[place % len(rows)]
    order = sorted(range(len(table["queries"])), key=lambda number: table["queries"][number])
    return [len(rows), secret, right, [[table["queries"][number], replies[number]] for number in order]]
"""

    def box(self, folder: MadeFolder) -> MadePuzzle:
        """The puzzle, its table computed."""
        for name in ("rules", "question"):
            folder.setting(name, str, 20, 3000)
        table_of(folder)
        return MadePuzzle(name=folder.place)

    def inputs(self, folder: MadeFolder, rng: np.random.Generator, count: int) -> list[Any]:
        """The places of secrets, each with all its replies."""
        secrets = len(table_of(folder).answers)
        return [int(place) for place in (range(secrets) if secrets <= count else rng.permutation(secrets)[:count])]

    def texts(self, folder: MadeFolder) -> Sequence[str]:
        """Rules, question, and some replies."""
        return [folder.settings["rules"], folder.settings["question"], *table_of(folder).replies[:50]]


MAKER = PuzzleMaker()
