"""Query games: what a model is asked for, and the stages of their check.

Source: executable games, section 3: rules, templates, repair, and filters by what models solve. Ours proves of every
hidden state that the queries decide its answer, and lets a second model compute replies from the texts alone.
"""

from __future__ import annotations

import functools
import itertools
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from interactive_envs.dialogue.task import PLAIN
from interactive_envs.errors import ConfigError
from interactive_envs.game_generation.answers import read_json, setting_of
from interactive_envs.game_generation.engine import Kind
from interactive_envs.game_generation.pool import Candidate, Ruling, in_folder
from interactive_envs.query_games import games, made
from interactive_envs.query_games.base import LEVELS, Game, Level
from interactive_envs.query_games.env import MadeQueryGameEnv
from interactive_envs.query_games.proving import Proof, decided, invariant, prove

LEAST_ANSWERS, MOST_GUESSED, MOST_RANDOM = 12, 0.4, 0.1
"""Of level 1: different answers, and the share that the best guess has right; of all levels: a random one's share."""
READ, ANSWERED = 20, 4
"""Replies and answers that a reader computes."""
READ_LEVEL = 2
MOST_REASONS = 6
INSTRUCTIONS = """\
You are given the rules of a game in which something is hidden, and some questions. In each question you are told what
is hidden. Work out by hand, from the rules alone, what the reply to a query is, or what the right answer is.

Reply with one JSON object in a fenced block. It has the number of each question as a key. The value of a query is its
reply: "yes", "no", a number, "none", "less", "equal", "greater" or a letter. The value of an answer is a text, as the
rules want it but without <answer> and </answer>, such as "1 3"."""
AGAIN = "This cannot be read. It needs one JSON object with an answer to each question. Send it again, complete."
PART_CHOICES: Mapping[str, Sequence[str]] = {
    "hidden": (
        *("a way to pair or group things", "an order of things", "a rule that moves something", "a colouring"),
        *("a walk on a small board", "a schedule", "a mixture with amounts", "a tower of layers", "a lock with a code"),
        *(
            "a family with relations",
            "a tournament",
            "a network with one special place",
            "a row with two kinds of marks",
        ),
        *("a partition of a whole into parts", "a function on a few inputs", "a shelf with gaps"),
    ),
    "queries": (
        *("a measurement that mixes two things", "a comparison of two groups", "what happens after a change"),
        *("a count that wraps around", "the first place where something holds", "a reply that is a remainder"),
        *("a question about a longest run", "who comes between two others", "a balance", "a distance of a new kind"),
        *("a question about pairs", "a test of a guess with partial marks"),
    ),
}


class QueryGames(Kind):
    """Query games in folders of ``game.toml`` and ``game.py``, see :mod:`interactive_envs.query_games.made`."""

    name = "query-game"
    files: ClassVar[tuple[str, ...]] = made.FILES
    stages: tuple[str, ...] = ("tables", "proof", "reading", "novelty")
    version = 2
    ordered: ClassVar[frozenset[str]] = frozenset({"novelty"})
    categories: ClassVar[tuple[str, ...]] = games.STRUCTURES

    def first(self, wish: Mapping[str, Any]) -> tuple[str, str]:
        """The instructions, and what this game is to be."""
        system = resources.files(__package__).joinpath("data", "query_game.md").read_text("utf-8")
        wished = []
        if category := wish.get("category"):
            wished.append(f"Its structure is {category}.")
        if mode := wish.get("mode"):
            wished.append(f"Its mode is {mode}.")
        if parts := wish.get("parts"):
            listed = "\n".join(f"- {part}" for part in parts)
            wished.append(f"Make it of these parts, or leave one out where it does not fit:\n{listed}")
        if idea := wish.get("idea"):
            return system, "\n".join([f"Write this query game: {idea}", *wished])
        return system, " ".join(["Write a new query game.", *wished])

    @classmethod
    def varied(cls, number: int, wish: Mapping[str, Any]) -> dict[str, Any]:
        """A wish with parts, and a structure and a mode where none is given, drawn for the candidate of a number."""
        rng = random.Random(f"query game {number}")  # noqa: S311  variety, not secrets
        drawn: dict[str, Any] = {"category": games.STRUCTURES[(number - 1) % len(games.STRUCTURES)]}
        drawn["mode"] = "abductive" if number % 3 == 0 else "deductive"
        drawn["parts"] = [rng.choice(choices) for choices in PART_CHOICES.values()]
        return {**drawn, **wish}

    def plays(self, files: Mapping[str, str]) -> str:
        """The id of all made query games."""
        return "ibench/Query-v1"

    def title(self, files: Mapping[str, str]) -> str:
        """As ``game.toml`` has it."""
        return setting_of(files, "game.toml", "title")

    def question(self, stage: str, candidate: Candidate, files: Mapping[str, str]) -> tuple[str, str] | None:
        """The reader is asked for replies to queries about hidden objects that it is shown."""
        if stage != "reading":
            return None
        facts = candidate.facts("tables")
        asked = [
            f"{number}. Hidden: {one['hidden']}. {one['asks']}" for number, one in enumerate(facts["questions"], 1)
        ]
        return INSTRUCTIONS, "\n\n".join([str(facts["rules"]), "## Questions", "\n".join(asked)])

    def unread(self, stage: str, candidate: Candidate) -> str:
        """The reader is asked again for an answer to each question."""
        return AGAIN if _differs(candidate) is None else ""

    def check(self, stage: str, candidate: Candidate, files: Mapping[str, str], earlier: Sequence[Candidate]) -> Ruling:
        """The tables, their proof, the reader, the likeness to known games and the pool's."""
        with in_folder(candidate, files) as folder:
            if stage == "tables":
                return _tabulate(candidate, folder)
            if stage == "proof":
                return _prove(candidate, folder)
        return _agree(candidate) if stage == "reading" else _compare(candidate, files, earlier)


def _tabulate(candidate: Candidate, folder: Path) -> Ruling:
    """Whether the folder is a game: every state, query, reply and answer of all levels, and texts that can be shown."""
    stage, rounds = "tables", candidate.rounds
    try:
        game = made.read(folder)
        if other := [*_not_as_asked(candidate.wish, game)]:
            return Ruling(stage, rounds, "fail", tuple(other))
        levels = [game.level(number) for number in LEVELS]
        for level in levels:
            level.table  # noqa: B018  computed here, so that what is wrong with it is said here
        reasons = [("word", text) for text in _bare_words(game)]
        env = MadeQueryGameEnv(path=str(folder), difficulty=READ_LEVEL, budget=10)
        rules, info = env.reset(seed=0)
    except KeyError as error:
        return Ruling(
            stage, rounds, "fail", (("template", f"a text has {{{error.args[0]}}}, which stands for nothing"),)
        )
    except ConfigError as error:
        return Ruling(stage, rounds, "fail", (("no tables", str(error).replace(str(folder), folder.name)),))
    except (IndexError, ValueError) as error:  # a number in braces where there is no such argument
        return Ruling(stage, rounds, "fail", (("template", f"a text has braces that stand for nothing: {error}"),))
    if reasons:
        return Ruling(stage, rounds, "fail", tuple(reasons[:MOST_REASONS]))
    asked = _questions(levels[READ_LEVEL - 1], info["view"].shown.opening)
    facts = {"rules": _without_budget(str(rules)), "questions": asked, "invariant": invariant(levels[0])}
    return Ruling(stage, rounds, "pass", (), facts)


def _not_as_asked(wish: Mapping[str, Any], game: Game) -> Iterator[tuple[str, str]]:
    for name, wished, is_ in (("structure", "category", game.structure), ("mode", "mode", game.mode)):
        if wished in wish and is_ != wish[wished]:
            yield "not as asked", f"its {name} is {is_!r}, and {wish[wished]!r} was asked for"


def _bare_words(game: Game) -> list[str]:
    """Words of the structure that texts use without braces, so that another vocabulary would miss them."""
    words = games.words(game.structure)
    texts = [game.family.hides, game.target.asks, *(kind.asks for kind in game.kinds), *(k.legal for k in game.kinds)]
    if game.mode == "abductive":
        texts.append(game.family.prior.states)
    found = []
    for text in texts:
        outside = re.sub(r"\{\w*\}|\bwhole numbers?\b", "", text)
        for word in words:
            if word not in ("at", "part", "parts", "way") and re.search(rf"\b{word}\b(?! \d)", outside, re.IGNORECASE):
                place = re.search(rf"\b{word}\b(?! \d)", outside, re.IGNORECASE)
                around = outside[max(0, place.start() - 30) : place.end() + 30].strip() if place else ""
                found.append(f"write {{{word}}} in braces in {text!r}: … {around} …")
    return found


def _without_budget(rules: str) -> str:
    """The rules without their last block, which is about rounds."""
    return rules.rpartition("\n\n")[0]


def _questions(level: Level, opening: int) -> list[dict[str, Any]]:
    """What a reader computes: hidden objects in words, what is asked, and ``truth`` as the code has it.

    The objects agree with the fact that the rules give first.
    """
    rng = np.random.default_rng(0)
    states = np.flatnonzero(level.opening == opening)
    tables = level.world.tables  # type: ignore[attr-defined]
    asked: list[dict[str, Any]] = []
    for number in range(READ):
        state = int(rng.choice(states))
        kind_number = number % len(level.game.kinds)
        of_kind = [place for place, query in enumerate(level.queries) if query.kind == kind_number]
        place = int(rng.choice(of_kind))
        kind = level.game.kinds[kind_number]
        truth = kind.reply.say(int(level.table[state, place]), games.words(level.game.structure))
        asks = f"What is the reply to {level.query_texts[place]}?"
        asked.append({"hidden": tables.shown[state].rstrip("."), "asks": asks, "truth": truth.lower()})
    for _ in range(ANSWERED):
        state = int(rng.choice(states))
        truth = level.game.target.form.write(level.answers[int(level.values[state])], PLAIN)
        form, words = level.game.target.form, {**games.words(level.game.structure), **level.world.facts}
        written = f"{form.hint.format_map(words)}{', or none' if () in level.answers else ''}"
        asks = f"Answer the question of the rules: {level.game.target.asks.format_map(words)}. Write {written}."
        shown = tables.shown[state].rstrip(".")
        asked.append({"hidden": shown, "asks": asks, "truth": truth, "answer": True, "ordered": form.ordered})
    return asked


def _prove(candidate: Candidate, folder: Path) -> Ruling:
    """Whether it can be won by reasoning alone, at every level harder than at the one before."""
    game = made.read(folder)
    levels = [game.level(number) for number in LEVELS]
    proofs = [prove(level) for level in levels]
    reasons = [*_ill_posed(levels), *_faults(proofs), *_useless(levels[2])]
    facts = {"levels": [{"states": one.states, "turns": one.turns, "guess": one.guess} for one in proofs]}
    return Ruling(
        "proof",
        candidate.rounds,
        "fail" if reasons else "pass",
        tuple(reasons[:MOST_REASONS]),
        {} if reasons else facts,
    )


def _ill_posed(levels: Sequence[Level]) -> Iterator[tuple[str, str]]:
    for level in levels:
        bad = np.flatnonzero(~decided(level))
        if not len(bad):
            continue
        first = int(bad[0])
        likely = level.weights == level.weights[level.modes]
        first = int(np.flatnonzero(likely & (level.classes == level.classes[first]))[0])
        alike = np.flatnonzero(likely & (level.classes == level.classes[first]) & (level.values != level.values[first]))
        shown, form = level.world.tables.shown, level.game.target.form  # type: ignore[attr-defined]
        pair = [
            f"{shown[state]} (answer {form.write(level.answers[int(level.values[state])], PLAIN)})"
            for state in (first, *alike[:1])
        ]
        tied = " and both are equally probable" if level.game.mode == "abductive" else ""
        yield "ill-posed", f"level {level.difficulty}: no query tells these apart{tied}: {'; '.join(pair)}"


def _faults(proofs: Sequence[Proof]) -> Iterator[tuple[str, str]]:
    first = proofs[0]
    if first.answers < LEAST_ANSWERS:
        yield "guessing", f"level 1 has {first.answers} different answers, at least {LEAST_ANSWERS} are needed"
    for level, proof in enumerate(proofs, 1):
        if proof.guess > MOST_GUESSED:
            yield (
                "guessing",
                f"level {level}: the best guess is right in {proof.guess:.0%} of the cases, without a query",
            )
        if proof.random > MOST_RANDOM:
            yield "guessing", f"level {level} has {proof.answers} different answers: a random one is right too often"
        if proof.decided == 1 and proof.reference < 0.998:
            yield "unsolved", f"level {level}: the reference player answers {proof.reference:.1%} right"
        if proof.turns_95 <= 2:
            yield "too easy", f"level {level}: one query decides the answer"
    for level, (easier, harder) in enumerate(itertools.pairwise(proofs), 2):
        if harder.states <= easier.states:
            yield "levels", f"level {level} has {harder.states} hidden objects, level {level - 1} has {easier.states}"
        if harder.turns <= easier.turns:
            yield (
                "levels",
                f"level {level} takes {harder.turns} rounds on average, and level {level - 1} {easier.turns}: "
                "each must take more than the one before",
            )
    if proofs[-1].turns < proofs[0].turns + 1:
        yield "levels", f"level 5 takes {proofs[-1].turns} rounds on average, hardly more than level 1, {first.turns}"


def _useless(level: Level) -> Iterator[tuple[str, str]]:
    for number, kind in enumerate(level.game.kinds):
        columns = [place for place, query in enumerate(level.queries) if query.kind == number]
        if all((level.table[:, place] == level.table[0, place]).all() for place in columns):
            yield "useless", f"{kind.name} has the same reply whatever is hidden, at level {level.difficulty}"


def _agree(candidate: Candidate) -> Ruling:
    """Whether the reader computed what the code computes."""
    found = _differs(candidate)
    if found is None:
        return Ruling(
            "reading", candidate.rounds, "flag", (("not read", "the second model gave no answer to the questions"),)
        )
    remedy = "If the code is right, say it more clearly in the texts: a second model read them. Else mend the code"
    reasons = tuple(("texts and code", f"{text}. {remedy}") for text in found[:MOST_REASONS])
    return Ruling("reading", candidate.rounds, "fail" if reasons else "pass", reasons)


def _differs(candidate: Candidate) -> list[str] | None:
    return differences(candidate.facts("tables")["questions"], candidate.replies("reading")[-1].reply.text)


def differences(asked: Sequence[Mapping[str, Any]], reply: str) -> list[str] | None:
    """Where a reader differs from the code, a sentence each; None where the reply is no answer.

    >>> asked = [{"hidden": "2, 5", "asks": "What is the reply to <query_size></query_size>?", "truth": "2"}]
    >>> differences(asked, '{"1": 3}')
    ['hidden 2, 5: What is the reply to <query_size></query_size>? By the texts 3, by the code 2']
    """
    said = read_json(reply)
    if said is None or not all(str(number) in said for number in range(1, len(asked) + 1)):
        return None
    return [
        f"hidden {one['hidden']}: {one['asks']} By the texts {_plain(said[str(number)])}, by the code {one['truth']}"
        for number, one in enumerate(asked, 1)
        if not _same(one, _plain(said[str(number)]))
    ]


def _same(one: Mapping[str, Any], said: str) -> bool:
    truth = str(one["truth"])
    if one.get("answer"):
        edges = re.search(r"[A-Z]-[A-Z]", truth) is not None
        atoms = [_atoms(re.sub(r"</?answer>", " ", text.lower()), edges=edges) for text in (truth, said)]
        return atoms[0] == atoms[1] if one["ordered"] else sorted(atoms[0]) == sorted(atoms[1])
    return said == truth.lower()


def _atoms(text: str, *, edges: bool) -> list[str]:
    """The numbers and words of an answer, or its edges, whose two ends have no order."""
    if not edges:
        return re.findall(r"[a-z]+|\d+", text)
    ends = re.findall(r"\b[a-z]\b", text)
    return ["-".join(sorted(ends[place : place + 2])) for place in range(0, len(ends), 2)]


def _plain(value: Any) -> str:
    """A value of the reader's JSON as a player would write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(map(_plain, value)) or "none"
    return "none" if value is None else str(value).strip().strip(".").lower()


def _compare(candidate: Candidate, files: Mapping[str, str], earlier: Sequence[Candidate]) -> Ruling:
    """Whether it is another game in other words: equal tables but for the order and names of states and queries."""
    own = candidate.facts("tables")["invariant"]
    itself = [f"{games.MADE}/{name}" for name in made.names() if made.texts(name) == dict(files)]
    known = {key: name for key, name in _known().items() if name not in itself}
    others = {
        facts["invariant"]: f"candidate {one.number}"
        for one in reversed(earlier)
        if "invariant" in (facts := one.facts("tables"))
    }
    name = known.get(own) or others.get(own)
    reasons = (("duplicate", f"its tables are those of {name}, in other words"),) if name else ()
    return Ruling("novelty", candidate.rounds, "fail" if reasons else "pass", reasons)


@functools.cache
def _known() -> Mapping[str, str]:
    """The games of the package by what is equal for games in disguise."""
    every: Mapping[str, Game] = {
        **games.every(),
        **{f"{games.MADE}/{name}": made.find(name) for name in made.names()},
    }
    return {invariant(Level(game, 1)): name for name, game in every.items()}
