"""Generated situation puzzles: endless, seeded, and with exact answers.

A scene is drawn, then several hidden worlds that all explain it, then one of them as the right one: nothing but the
draw itself tells it from the others. Questions are chosen so that any two worlds differ by yes against no on at least
two of them, and so that no question sets more than two worlds apart from the rest: where hardly one sets two apart,
more of them are needed.

======================================================  =====  =====  =====  =====  =====
difficulty                                                  1      2      3      4      5
======================================================  =====  =====  =====  =====  =====
explanations                                                4      6      9     11     12
questions                                                  14     20     24     28     30
of them without use: the same answer in every world         1      2      3      5      7
of them that set two worlds apart, at most                 14     20      1      1      0
of them with both or irrelevant in some world, at most      3      5      6      6      6
sentences of an explanation                                 3      3      4      4      4
draws for a world that resembles the others                -4      1      2      3      8
questions that the reference asks, median                   2      3      4      5    6.5
======================================================  =====  =====  =====  =====  =====

Of several draws for a world the one most like the worlds before it is kept, at difficulty 1 the one least like them.

>>> puzzle = generate(seed=7, difficulty=1)
>>> puzzle.id, len(puzzle.explanations), len(puzzle.questions)
('generated-1-7', 4, 14)
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from interactive_envs.errors import ConfigError
from interactive_envs.situation_puzzle.generator.text import Teller
from interactive_envs.situation_puzzle.generator.world import (
    NO,
    YES,
    Scene,
    World,
    draw_scene,
    draw_world,
    pick,
    predicates,
)
from interactive_envs.situation_puzzle.puzzles import Fact, Puzzle, Question

LARGEST_SEED = 2**32 - 1
MOST_FACTS = 11
RESTATEMENTS = 2
SEPARATING = 2
"""Questions that any two worlds answer with yes against no, at least."""
APART = 2
"""Worlds whose answer to a question is not that of the rest, at most; where they are two, the question is *broad*."""


@dataclass(frozen=True)
class Level:
    """A difficulty, see the table above."""

    explanations: int
    questions: int
    useless: int
    broad: int
    vague: int
    sentences: int
    draws: int


LEVELS = {
    1: Level(4, 14, 1, 14, 3, 3, -4),
    2: Level(6, 20, 2, 20, 5, 3, 1),
    3: Level(9, 24, 3, 1, 6, 4, 2),
    4: Level(11, 28, 5, 1, 6, 4, 3),
    5: Level(12, 30, 7, 0, 6, 4, 8),
}


class Generated:
    """A source of puzzles without end, see :class:`interactive_envs.situation_puzzle.puzzles.Source`.

    Args:
        difficulties: those drawn, each as likely.
    """

    def __init__(self, difficulties: Sequence[int] = (1, 2, 3, 4, 5)) -> None:
        self._difficulties = tuple(difficulties)

    def ids(self) -> Sequence[str] | None:
        """None: there are as many as there are seeds."""
        return None

    def without_menu(self) -> Sequence[str]:
        """Every puzzle has a menu."""
        return ()

    def draw(self, rng: np.random.Generator, puzzle_id: str | None = None) -> Puzzle:
        """The puzzle named, like ``generated-3-77``, else that of a difficulty and a seed drawn.

        Raises:
            ConfigError: no puzzle has this id.
        """
        difficulty, seed = pick(rng, self._difficulties), int(rng.integers(LARGEST_SEED, endpoint=True))
        if puzzle_id is not None:
            named = re.fullmatch(r"generated-([1-5])-(0|[1-9]\d{0,9})", puzzle_id)
            if named is None or int(named[2]) > LARGEST_SEED:
                raise ConfigError(f"no generated puzzle is called {puzzle_id!r}; one is called 'generated-3-77'")
            difficulty, seed = int(named[1]), int(named[2])
        return generate(seed, difficulty)

    def sha256(self) -> str:
        """Hash of the data and the code that decide the puzzles."""
        return _sha256(self._difficulties)


@functools.cache
def _sha256(difficulties: tuple[int, ...]) -> str:
    package = files("interactive_envs.situation_puzzle")
    folders = (package / "generator", package / "data" / "generator", package / "data" / "generator" / "families")
    content = {entry.name: entry.read_bytes() for folder in folders for entry in folder.iterdir() if entry.is_file()}
    whole = repr((difficulties, sorted(content.items())))
    return hashlib.sha256(whole.encode()).hexdigest()


@dataclass(frozen=True)
class Plot:
    """A puzzle before it is put into words.

    Attributes:
        scene: what everybody saw.
        worlds: the hidden stories, the right one first.
        asked: the questions, as indices of the grammar.
        labels: the answer to each question of the grammar in each world.
    """

    scene: Scene
    worlds: tuple[World, ...]
    asked: tuple[int, ...]
    labels: NDArray[np.int_]


def generate(seed: int, difficulty: int) -> Puzzle:
    """The puzzle of a seed; the first explanation is the right one.

    Args:
        seed: 0 to 4294967295.
        difficulty: 1 to 5.

    Raises:
        ConfigError: there is no such seed or difficulty.
    """
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= LARGEST_SEED:
        raise ConfigError(f"seed must be a whole number from 0 to {LARGEST_SEED}, got {seed!r}")
    if isinstance(difficulty, bool) or difficulty not in LEVELS:
        raise ConfigError(f"difficulty must be 1, 2, 3, 4 or 5, got {difficulty!r}")
    rng = np.random.default_rng([seed, difficulty])
    plot = draw_plot(rng, LEVELS[difficulty])
    return _told(plot, rng, difficulty, f"generated-{difficulty}-{seed}")


def draw_plot(rng: np.random.Generator, level: Level) -> Plot:
    """A scene, its worlds and the questions; drawn again until the questions tell all worlds apart."""
    grammar = predicates()
    while True:
        scene = draw_scene(rng)
        worlds = _worlds(rng, scene, level)
        labels = np.array([[predicate.label(world) for world in worlds] for predicate in grammar])
        asked = _asked(rng, labels, level)
        if asked is not None:
            # Drawn last, when all worlds stand as equals: what one is made of cannot tell whether it is right.
            right = int(rng.integers(len(worlds)))
            order = [right, *(i for i in range(len(worlds)) if i != right)]
            return Plot(scene, tuple(worlds[i] for i in order), tuple(asked), labels[:, order])


def _worlds(rng: np.random.Generator, scene: Scene, level: Level) -> list[World]:
    """Worlds of different cores, more alike at higher difficulty."""
    cores = list(scene.family.cores)
    worlds: list[World] = []
    while len(worlds) < level.explanations:
        options = [draw_world(rng, scene, pick(rng, cores), level.sentences) for _ in range(abs(level.draws))]
        likeness = [sum(option.alike(world) for world in worlds) for option in options]
        best = max(likeness) if level.draws > 0 else min(likeness)
        worlds.append(options[likeness.index(best)])
        cores.remove(worlds[-1].core)
    return worlds


def _asked(rng: np.random.Generator, labels: NDArray[np.int_], level: Level) -> list[int] | None:
    """Questions that tell every world from every other, filled up with others; None where that cannot be done."""
    apart_from_rest = labels.shape[1] - np.array([np.bincount(row).max() for row in labels])
    constant, broad = apart_from_rest == 0, apart_from_rest == APART
    vague: NDArray[np.bool_] = np.any(labels > NO, axis=1)
    yes: NDArray[np.bool_] = labels == YES
    no: NDArray[np.bool_] = labels == NO
    apart = yes[:, :, None] & no[:, None, :]
    apart |= apart.transpose(0, 2, 1)
    lacking = np.full(apart.shape[1:], SEPARATING) * ~np.eye(labels.shape[1], dtype=bool)
    order = rng.permutation(len(labels))
    useful = [int(row) for row in order if 0 < apart_from_rest[row] <= APART]
    useless = [int(row) for row in order if constant[row]][: level.useless]
    room, vague_left, broad_left = level.questions - len(useless), level.vague, level.broad
    asked: list[int] = []
    for needed_only in (True, False):
        for row in useful if needed_only else sorted(useful, key=lambda row: not vague[row]):
            if len(asked) == room:
                break
            helps = bool((apart[row] & (lacking > 0)).any())
            barred = (vague[row] and not vague_left) or (broad[row] and not broad_left)
            if row in asked or barred or (needed_only and not helps):
                continue
            asked.append(row)
            vague_left, broad_left = vague_left - int(vague[row]), broad_left - int(broad[row])
            lacking = lacking - apart[row]
        if lacking.max() > 0:
            return None
    return [*asked, *useless] if len(asked) == room and len(useless) == level.useless else None


def _told(plot: Plot, rng: np.random.Generator, difficulty: int, name: str) -> Puzzle:
    """The plot in words."""
    teller, grammar = Teller(plot.scene, rng), predicates()
    setup, title = teller.setup(), teller.title()
    # Told in an order of their own: the first to choose its words would otherwise always be the right one.
    told = {int(i): teller.explanation(plot.worlds[i]) for i in rng.permutation(len(plot.worlds))}
    right = plot.worlds[0]
    claims = [predicate.fact for predicate, row in zip(grammar, plot.labels, strict=True) if row[0] == YES]
    denials = [p.denial for p, row in zip(grammar, plot.labels, strict=True) if row[0] == NO and p.denial]
    claims = [some[i] for some in (claims, denials) for i in rng.permutation(len(some))]
    required, others = teller.facts(right, claims[:MOST_FACTS])
    room = MOST_FACTS - len(required)
    retold = [teller.explanation(right) for _ in range(RESTATEMENTS)]
    return Puzzle(
        id=name,
        title=title,
        setup=setup,
        solution=teller.solution(right),
        facts=(*(Fact(text, True) for text in required), *(Fact(text, False) for text in others[:room])),
        questions=tuple(
            Question(text, tuple(int(label) for label in plot.labels[row]), paraphrases=(other,))
            for row in plot.asked
            for text, other in [teller.wordings(grammar[row].ask)]
        ),
        explanations=tuple(told[i] for i in range(len(plot.worlds))),
        restatements=tuple(again for again in dict.fromkeys(retold) if again != told[0]),
        difficulty=difficulty,
    )
