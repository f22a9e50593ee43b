"""Generated puzzles: the labels by a second computation, fair worlds, readable text, and no shortcut to the answer."""

from __future__ import annotations

import dataclasses
import json
import math
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import combinations, pairwise, product
from statistics import mean
from typing import Any

import numpy as np
import pytest

from interactive_envs.agents.situation_puzzle import Reference
from interactive_envs.dialogue.datasets import Entry
from interactive_envs.dialogue.free_text import LABELS
from interactive_envs.errors import ConfigError
from interactive_envs.situation_puzzle import budgets, puzzles
from interactive_envs.situation_puzzle.env import SituationPuzzleEnv
from interactive_envs.situation_puzzle.generator import APART, LEVELS, Generated, Plot, draw_plot, generate
from interactive_envs.situation_puzzle.generator.text import Teller
from interactive_envs.situation_puzzle.generator.world import (
    ATTRIBUTES,
    World,
    data,
    draw_scene,
    families,
    predicates,
    world_of,
)
from interactive_envs.situation_puzzle.puzzles import Puzzle
from interactive_envs.situation_puzzle.rules import MenuTask

FEW, MANY = 20, 200
every_level = pytest.mark.parametrize("difficulty", LEVELS)
few_and_many = pytest.mark.parametrize("seeds", [FEW, pytest.param(MANY, marks=pytest.mark.long)])


@cache
def puzzle_of(seed: int, difficulty: int) -> Puzzle:
    return generate(seed, difficulty)


def drawn(difficulty: int, seeds: int = FEW) -> tuple[Puzzle, ...]:
    return tuple(puzzle_of(seed, difficulty) for seed in range(seeds))


@cache
def plots(difficulty: int, seeds: int) -> tuple[Plot, ...]:
    return tuple(draw_plot(np.random.default_rng(seed), LEVELS[difficulty]) for seed in range(seeds))


def words(text: str) -> list[str]:
    return re.findall(r"[\w'-]+", text.lower())


# The second computation: every question of the grammar by its first wording, from the plain record of a world.

Record = dict[str, Any]
Rule = Callable[[Record], str]

PEOPLE = {"child", "old", "sibling", "parent", "friend", "sweetheart"}


def some(name: str, *wanted: str) -> Rule:
    return lambda record: "n" if set(record[name]).isdisjoint(wanted) else "y"


def each(name: str, *wanted: str) -> Rule:
    def rule(record: Record) -> str:
        inside, outside = set(record[name]) & set(wanted), set(record[name]) - set(wanted)
        return {(False, False): "i", (True, False): "y", (False, True): "n", (True, True): "b"}[
            bool(inside), bool(outside)
        ]

    return rule


RULES: dict[str, Rule] = {
    "Was it a sign that had been agreed on?": some("mechanism", "signal"),
    "Was an animal being looked after?": some("mechanism", "animal"),
    "Was {p} paid for doing it?": some("mechanism", "wage"),
    "Would {p} have lost a right or a possession by leaving it off?": some("mechanism", "right"),
    "Was somebody's honesty being tested?": some("mechanism", "test"),
    "Was it meant to relieve somebody's loneliness?": some("mechanism", "company"),
    "Was something being hidden from the authorities?": some("mechanism", "hiding"),
    "Was somebody to be spared the truth about poor work or failing skill?": some("mechanism", "pride"),
    "Was {p} bound by a word given to somebody?": some("mechanism", "promise"),
    "Did others tell the time by it?": some("mechanism", "timing"),
    "Was it meant to mislead thieves?": some("mechanism", "decoy"),
    "Did it keep some object from physical damage?": some("mechanism", "shield"),
    "Was {p} secretly learning something?": some("mechanism", "learning"),
    "Was it done in memory of somebody?": some("mechanism", "memory"),
    "Did it help somebody to find the way?": some("mechanism", "guide"),
    "Would it have revealed an approaching disaster?": some("mechanism", "warning"),
    "Was somebody in want being helped without being told?": some("mechanism", "gift"),
    "Was {p} in love?": some("mechanism", "court"),
    "Did somebody learn something true by means of it?": some("mechanism", "signal", "timing", "guide", "warning"),
    "Was {p} under an obligation or agreement to do it?": some("mechanism", "right", "wage", "promise"),
    "Was it meant to keep something or somebody safe?": some(
        "mechanism", "shield", "decoy", "hiding", "warning", "animal"
    ),
    "Did {p} do it for {his} own benefit?": each("party", "self"),
    "Was it done for a relative of {p}'s?": each("party", "sibling", "parent"),
    "Was it done for a friend or somebody {p} loved, outside the family?": each("party", "friend", "sweetheart"),
    "Was it done for a child?": each("party", "child"),
    "Was it done for certain other people, neither a group of workers nor an animal?": each("party", *PEOPLE),
    "Was it done for the good of others?": each("party", *PEOPLE, "animal", "neighbours", "everyone"),
    "Does a child matter in this?": some("figures", "child"),
    "Did a parent or a brother or sister of {p}'s play a part?": some("figures", "parent", "sibling"),
    "Was a brother or sister of {p}'s involved?": some("figures", "sibling"),
    "Was {p}'s father or mother involved?": some("figures", "parent"),
    "Did an old friend of {p}'s play a part?": some("figures", "friend"),
    "Was a very old person outside {p}'s family important?": some("figures", "old"),
    "Was there one particular other person at the heart of the matter?": some("figures", *PEOPLE, "apprentice"),
    "Did a whole group of working people rely on it?": some("figures", "neighbours"),
    "Was anybody being deceived?": lambda record: "y" if record["deceived"] else "n",
    "Was anyone deceived mainly for that person's own good?": each("deceived", *PEOPLE),
    "Were those who were deceived members of {p}'s family?": each("deceived", "sibling", "parent", "family"),
    "Were officials the ones who were deceived?": each("deceived", "officials"),
    "Did those who were deceived want to take something away?": each("deceived", "thieves", "officials"),
    "Did those it was done for know the reason?": each("knows", "yes"),
    "Was the reason kept from every outsider?": some("insiders", "none"),
    "Was exactly one outsider in on the secret?": some("insiders", "one"),
    "Did a number of people know the reason and keep quiet?": some("insiders", "many"),
    "Was it important that somebody could see something?": some("sense", "sight"),
    "Was it important that somebody could hear something?": some("sense", "hearing"),
    "Was it something smelt or felt that counted?": some("sense", "smell", "touch"),
    "Did anyone have to perceive it for it to work?": lambda record: "y" if record["sense"] else "n",
    "Was the plain fact of its being done what counted?": each("property", "deed"),
    "Was outward appearance what counted?": each("property", "look", "size"),
    "Was a sound what counted?": each("property", "sound"),
    "Was it what was inside or carried along that counted?": each("property", "contents"),
    "Was the exact place what counted?": each("property", "place"),
    "Was the exact time what counted?": each("property", "time"),
    "Did the past or the origin of something make it matter?": each("property", "past"),
    "Was weight what counted?": each("property", "weight"),
    "Was a physical quality such as weight, warmth, smell or size what counted?": each(
        "property", "weight", "warmth", "smell", "size"
    ),
    "Did {p} earn anything by it?": some("money", "earned"),
    "Was it a real sacrifice of money for {p}?": some("money", "spent"),
    "Had there been a flood?": some("cause", "flood"),
    "Had something or somebody suffered in a fire?": some("cause", "fire"),
    "Had there been a storm?": some("cause", "storm"),
    "Did an earlier quarrel lead to it?": some("cause", "quarrel"),
    "Had somebody been ill?": some("cause", "illness"),
    "Had there been an accident?": some("cause", "accident"),
    "Did debts or lack of money in the past lead to it?": some("cause", "debt"),
    "Had something been stolen before it began?": some("cause", "theft"),
    "Had somebody gone away, come from elsewhere or come back?": some("cause", "departure"),
    "Had there been a bet?": some("cause", "wager"),
    "Had a new law or decree changed things?": some("cause", "decree"),
    "Did a question of inheritance lead to it?": some("cause", "inheritance", "succession"),
    "Did it begin with a misfortune that was nobody's intention?": each(
        "cause", "flood", "fire", "storm", "illness", "accident", "death"
    ),
    "Did somebody's death play a part?": some("elements", "death"),
    "Was somebody blind or nearly blind?": some("elements", "blind"),
    "Were thieves or robbers expected?": some("elements", "crime"),
    "Did a law, an authority or a legal claim play a part in {p}'s reasons?": some("elements", "official"),
    "Did an animal play a part?": some("elements", "animal"),
    "Might many people have come to harm?": some("elements", "danger"),
    "Was affection or kindness the motive?": each("motive", "kindness", "love"),
    "Was material advantage the motive?": each("motive", "gain"),
    "Was fear or distrust the motive?": each("motive", "fear", "distrust"),
    "Was a sense of duty the motive?": each("motive", "duty"),
    "Did {p} also come to take pleasure in it?": some("motive", "pleasure"),
    "Could somebody or some creature have died or been hurt without it?": some("stake", "life"),
    "Were possessions, money or a claim at stake?": some("stake", "property"),
    "Were mainly somebody's feelings at stake?": some("stake", "feelings", "love"),
    "Was it about somebody's good name, word, career or work?": some("stake", "honour", "trust", "future", "work"),
    "Would somebody have gone short of daily needs without it?": some("stake", "want"),
    "Did {p} react out of worry about what would follow?": some("feeling", "fear"),
    "Was {p} dismayed because somebody else suffered by it?": some("feeling", "guilt"),
    "Had something valuable been lost through what {i} did?": some("feeling", "loss"),
    "Was {p} ashamed or hurt?": some("feeling", "shame", "hurt"),
    "Was it meant to go on for good?": each("span", "ever"),
    "Did it always do what it was meant to do?": each("works", "yes"),
}


def record(world: World) -> Record:
    return {name: list(getattr(world, name)) for name in ATTRIBUTES}


def label(wordings: Sequence[str], of: Record) -> str:
    return RULES[wordings[0]](of) if wordings[0] in RULES else "i"


def test_the_grammar_has_at_least_sixty_questions_of_two_wordings_each() -> None:
    asked = [predicate for predicate in predicates() if predicate.facet != "open"]
    assert {predicate.ask[0] for predicate in asked} == set(RULES)
    assert len(asked) >= 60
    wordings = [wording for predicate in predicates() for wording in predicate.ask]
    assert len(set(wordings)) == len(wordings) == 2 * len(predicates())


@every_level
@few_and_many
def test_every_label_agrees_with_the_second_computation(difficulty: int, seeds: int) -> None:
    seen = set()
    for plot in plots(difficulty, seeds):
        for predicate, row in zip(predicates(), plot.labels, strict=True):
            again = [label(predicate.ask, record(world)) for world in plot.worlds]
            assert [LABELS[letter][0] for letter in row] == again, predicate.ask[0]
            seen.update(again)
    assert seen == set("ynbi")


def test_the_puzzle_tells_the_labels_of_its_plot() -> None:
    for seed in range(FEW):
        plot = draw_plot(np.random.default_rng([seed, 3]), LEVELS[3])
        told = puzzle_of(seed, 3)
        assert [question.labels for question in told.questions] == [tuple(plot.labels[row]) for row in plot.asked]


@few_and_many
def test_attributes_follow_from_the_choices(seeds: int) -> None:
    for plot in plots(5, seeds):
        for world in plot.worlds:
            mechanism = data("mechanisms")[world.core.mechanism]
            assert world == world_of(plot.scene, world.core, world.other, world.past, world.aside)
            assert world.mechanism == (world.core.mechanism,)
            assert world.cause == ((world.past,) if world.past else ())
            assert bool(world.other) == bool(mechanism["parties"])
            assert set(world.figures) - {"child"} <= {world.other}
            assert ("death" in world.elements) == (
                world.core.mechanism == "memory" or world.past in ("death", "inheritance")
            )
            if world.other:  # who is spoken of is told of, and nobody else is
                assert "{b" in world.core.text
            else:
                assert "{b" not in world.core.text


@few_and_many
def test_only_compatible_things_come_together(seeds: int) -> None:
    mechanisms = data("mechanisms")
    for difficulty in LEVELS:
        for plot in plots(difficulty, seeds):
            assert plot.scene.kind in plot.scene.family.words["kinds"]
            for world in plot.worlds:
                mechanism = mechanisms[world.core.mechanism]
                assert world.core in plot.scene.family.cores
                assert world.other in (mechanism["parties"] or [""])
                assert world.past in (*mechanism["causes"], "")
                assert world.aside in (*mechanism["asides"], "")
                if plot.scene.kind == "told":
                    assert world.aside != "many"
                if plot.scene.kind == "released":
                    assert world.aside not in ("ever", "pleasure")


# What the world is made of.


def test_fourteen_families_admit_at_least_a_dozen_mechanisms_each() -> None:
    assert len(families()) >= 14
    assert len(data("mechanisms")) >= 16
    for family in families():
        mechanisms = [core.mechanism for core in family.cores]
        assert len(set(mechanisms)) == len(mechanisms) >= 12
        assert set(mechanisms) <= set(data("mechanisms"))
        assert len(family.words["kinds"]) >= 4
        assert all(len(texts) >= 2 for texts in family.words["kinds"].values())


def test_every_mechanism_explains_every_reaction_in_every_family() -> None:
    kinds = {kind for family in families() for kind in family.words["kinds"]}
    for name, mechanism in data("mechanisms").items():
        assert set(mechanism["twists"]) == kinds, name
        assert set(mechanism["asides"]) <= set(data("words")["asides"]), name
        assert len(mechanism["causes"]) >= 3, name


def each_once(kinds: Sequence[str], causes: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs in which every kind and every cause occurs."""
    longest = max(len(kinds), len(causes))
    return [(kinds[place % len(kinds)], causes[place % len(causes)]) for place in range(longest)]


@pytest.mark.parametrize("pairs", [each_once, pytest.param(product, marks=pytest.mark.long)])
def test_every_text_of_the_data_can_be_told(pairs: Callable[..., Iterable[tuple[str, str]]]) -> None:
    for family in families():
        for core in family.cores:
            rng = np.random.default_rng(0)
            scene = dataclasses.replace(draw_scene(rng), family=family, thing=family.words["objects"][0])
            mechanism = data("mechanisms")[core.mechanism]
            for kind, past in pairs([*family.words["kinds"]], [*mechanism["causes"]]):
                seen = dataclasses.replace(scene, kind=kind)
                world = world_of(seen, core, (mechanism["parties"] or [""])[0], past, mechanism["asides"][0])
                texts = [core.text, core.fact, *mechanism["causes"][past], *mechanism["twists"][kind]["texts"]]
                for text in [*texts, *family.words["kinds"][kind]]:
                    assert not re.search(r"[{}()|]|  ", Teller(seen, rng).line(text, world)), text


# What comes out.


@every_level
@few_and_many
def test_the_loader_takes_every_puzzle(difficulty: int, seeds: int) -> None:
    for puzzle in drawn(difficulty, seeds):
        content = json.loads(json.dumps(dataclasses.asdict(puzzle)))
        for question in content["questions"]:
            question["labels"] = "".join(LABELS[index][0] for index in question["labels"])
        assert puzzles.read_puzzle(Entry(content, puzzle.id, None, "a puzzle")) == puzzle


@every_level
@few_and_many
def test_sizes_are_those_of_the_table(difficulty: int, seeds: int) -> None:
    level = LEVELS[difficulty]
    for puzzle in drawn(difficulty, seeds):
        assert puzzle.id.startswith(f"generated-{difficulty}-")
        assert len(puzzle.explanations) == level.explanations
        assert len(puzzle.questions) == level.questions
        assert sum(len(set(question.labels)) == 1 for question in puzzle.questions) == level.useless
        assert sum(max(q.labels) > 1 and len(set(q.labels)) > 1 for q in puzzle.questions) <= level.vague
        apart = [len(q.labels) - max(np.bincount(q.labels)) for q in puzzle.questions]
        assert max(apart) <= APART
        assert apart.count(APART) <= level.broad
        assert 8 <= len(puzzle.facts) <= 12
        assert 2 <= sum(fact.required for fact in puzzle.facts) <= 4


@every_level
@few_and_many
def test_texts_have_the_length_of_a_story(difficulty: int, seeds: int) -> None:
    for puzzle in drawn(difficulty, seeds):
        assert 25 <= len(puzzle.setup.split()) <= 80
        assert 55 <= len(puzzle.solution.split()) <= 130
        assert all(30 <= len(text.split()) <= 60 for text in puzzle.explanations)


@every_level
@few_and_many
def test_texts_are_clean(difficulty: int, seeds: int) -> None:
    for puzzle in drawn(difficulty, seeds):
        facts = [fact.text for fact in puzzle.facts]
        questions = [question.text for question in puzzle.questions]
        for text in (puzzle.title, puzzle.setup, puzzle.solution, *puzzle.explanations, *facts, *questions):
            assert not re.search(r"[{}()|]|  |,[,.;]|\.\.|\b(\w+) \1\b", text), text
            assert not re.search(r"\ba (?!one\b)[aeio]|\ban [^aeiouh“]", text.lower()), text
            assert text[0].isupper()
            assert not re.search(r"[.!?] [a-z]", text), text
        assert all(text.endswith("?") for text in questions)
        assert all(text[-1] in ".”" for text in (puzzle.setup, puzzle.solution, *puzzle.explanations, *facts))
        assert len(set(questions)) == len(questions)
        assert len({text.lower() for text in facts}) == len(facts)


@every_level
@few_and_many
def test_the_protagonist_is_named_and_nobody_else_has_that_name(difficulty: int, seeds: int) -> None:
    for plot, puzzle in zip(
        (draw_plot(np.random.default_rng([seed, difficulty]), LEVELS[difficulty]) for seed in range(seeds)),
        drawn(difficulty, seeds),
        strict=False,
    ):
        name = plot.scene.name
        assert name in puzzle.setup
        other = "women" if not plot.scene.woman else "men"
        assert name not in data("words")[other].split()
        wrong = r"\b(he|him|his|himself)\b" if plot.scene.woman else r"\b(she|her|herself)\b"
        for text, world in zip(puzzle.explanations, plot.worlds, strict=True):
            if not world.other or world.other in ("neighbours", "animal"):
                assert not re.search(wrong, text.lower()), text


@every_level
@few_and_many
def test_any_two_worlds_differ_by_yes_against_no_twice(difficulty: int, seeds: int) -> None:
    for puzzle in drawn(difficulty, seeds):
        columns = list(zip(*(question.labels for question in puzzle.questions), strict=True))
        for left, right in combinations(columns, 2):
            assert sum({a, b} == {0, 1} for a, b in zip(left, right, strict=True)) >= 2


@every_level
@few_and_many
def test_the_whole_list_of_answers_leaves_one_world(difficulty: int, seeds: int) -> None:
    for puzzle in drawn(difficulty, seeds):
        columns = list(zip(*(question.labels for question in puzzle.questions), strict=True))
        assert columns.count(columns[0]) == 1


@few_and_many
def test_required_facts_stand_in_the_right_explanation(seeds: int) -> None:
    """By their telling words; and in no wrong one as well as in the right one."""
    better = 0
    for puzzle in drawn(3, seeds):
        telling = {word for fact in puzzle.facts if fact.required for word in words(fact.text) if len(word) > 4}
        shares = [len(telling & set(words(text))) / len(telling) for text in puzzle.explanations]
        better += shares[0] == max(shares)
    assert better >= 0.97 * seeds


# Difficulty.


def exchanges(puzzle: Puzzle, right: int) -> int:
    """Questions that the reference asks before it knows which explanation is right."""
    alive = list(range(len(puzzle.explanations)))
    labels = np.array([question.labels for question in puzzle.questions])
    count = 0
    while len(alive) > 1:
        splits = [-sum(share * math.log(share) for share in shares(row[alive])) for row in labels]
        best = int(np.argmax(splits))
        alive = [world for world in alive if labels[best][world] == labels[best][right]]
        count += 1
    return count


def shares(row: Any) -> list[float]:
    return [float(count) / len(row) for count in np.unique(row, return_counts=True)[1]]


@pytest.mark.parametrize("seeds", [10, pytest.param(MANY, marks=pytest.mark.long)])
def test_each_level_needs_more_questions_than_the_one_below_and_its_worlds_are_more_alike(seeds: int) -> None:
    rounds = [
        [exchanges(puzzle, right) for puzzle in drawn(difficulty, seeds) for right in range(level.explanations)]
        for difficulty, level in LEVELS.items()
    ]
    asked = [mean(counts) for counts in rounds]
    medians = [float(np.median(counts)) for counts in rounds]
    assert all(lower < higher for lower, higher in pairwise(asked))
    assert all(lower < higher for lower, higher in pairwise(medians))
    assert medians[-1] >= 3 * medians[0]
    alike = [
        mean(a.alike(b) for plot in plots(difficulty, seeds) for a, b in combinations(plot.worlds, 2))
        for difficulty in LEVELS
    ]
    assert alike == sorted(alike)
    assert alike[-1] > alike[0]
    for smaller, larger in zip(list(LEVELS.values()), list(LEVELS.values())[1:], strict=False):
        assert smaller.explanations < larger.explanations
        assert smaller.questions < larger.questions
    assert LEVELS[5].explanations <= puzzles.MAX_EXPLANATIONS
    assert LEVELS[5].questions <= puzzles.MAX_QUESTIONS


# Players.


@every_level
@few_and_many
def test_the_reference_always_finds_the_right_one(difficulty: int, seeds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interactive_envs.situation_puzzle.puzzles.load", lambda dataset: drawn(difficulty, seeds))
    for puzzle in drawn(difficulty, seeds):
        env = SituationPuzzleEnv(case=puzzle.id, budget=budgets.standard("generated", difficulty))
        observation, info = env.reset(seed=1)
        agent, over, reward = Reference(), False, 0.0
        agent.reset(seed=1, info=info)
        while not over:
            observation, reward, over, _, info = env.step(agent.act(observation, info))
            assert info["valid"]
        assert reward == 1.0


@every_level
def test_one_world_stays_consistent_when_everything_has_been_asked(difficulty: int) -> None:
    for puzzle in drawn(difficulty)[:10]:
        task = MenuTask(puzzles.Listed([puzzle]))
        case = task.case(np.random.default_rng(3))
        heard = [(row, case.shown.matrix[row][case.right]) for row in range(len(case.shown.questions))]
        alive = [
            world
            for world in range(len(case.shown.candidates))
            if all(case.shown.matrix[row][world] == said for row, said in heard)
        ]
        assert alive == [case.right]


def chance(hits: int, difficulty: int, seeds: int) -> bool:
    """Whether so many hits are within 3.3 standard errors of guessing (p > 0.999 for a fair puzzle)."""
    p = 1 / LEVELS[difficulty].explanations
    return abs(hits - seeds * p) <= 3.3 * math.sqrt(seeds * p * (1 - p))


def content(text: str) -> set[str]:
    return {word for word in words(text) if len(word) > 3}


PLAYERS: dict[str, Callable[[Puzzle, int], float]] = {
    "longest": lambda puzzle, i: len(puzzle.explanations[i]),
    "shortest": lambda puzzle, i: -len(puzzle.explanations[i]),
    "most words of the story": lambda puzzle, i: len(content(puzzle.setup) & content(puzzle.explanations[i])),
    "fewest words of the story": lambda puzzle, i: -len(content(puzzle.setup) & content(puzzle.explanations[i])),
    "most words of the questions": lambda puzzle, i: sum(
        len(content(question.text) & content(puzzle.explanations[i])) for question in puzzle.questions
    ),
    "most words of the others": lambda puzzle, i: sum(
        len(content(text) & content(puzzle.explanations[i])) for text in puzzle.explanations
    ),
    "most yes labels": lambda puzzle, i: sum(question.labels[i] == 0 for question in puzzle.questions),
    "fewest yes labels": lambda puzzle, i: -sum(question.labels[i] == 0 for question in puzzle.questions),
    "most vague labels": lambda puzzle, i: sum(question.labels[i] > 1 for question in puzzle.questions),
}


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize(
    ("difficulty", "seeds"),
    [(3, 60), *(pytest.param(difficulty, 500, marks=pytest.mark.long) for difficulty in (1, 3, 5))],
)
def test_players_who_only_look_are_at_chance(player: str, difficulty: int, seeds: int) -> None:
    hits, rng = 0, np.random.default_rng(0)
    for puzzle in drawn(difficulty, seeds):
        scores = np.array([PLAYERS[player](puzzle, i) for i in range(len(puzzle.explanations))])
        hits += int(rng.choice(np.flatnonzero(scores == scores.max()))) == 0
    assert chance(hits, difficulty, seeds), hits


@pytest.mark.parametrize("seeds", [100, pytest.param(500, marks=pytest.mark.long)])
def test_the_right_world_is_any_of_those_drawn(seeds: int) -> None:
    """The order of drawing, which at higher difficulty shapes the worlds, tells nothing."""
    first = 0
    for seed in range(seeds):
        rng = np.random.default_rng([9, seed])
        plot = draw_plot(rng, LEVELS[4])
        likeness = [sum(world.alike(other) for other in plot.worlds) for world in plot.worlds]
        first += likeness.index(max(likeness)) == 0
    spread = 3.3 * math.sqrt(seeds / 500)
    assert seeds * 0.1 - 6.8 * spread <= first <= seeds * 0.1 + 9 * spread  # ties go to the right one, listed first


# Pure, and safe to call anywhere.


def test_a_seed_gives_the_same_puzzle_in_another_process() -> None:
    code = """
import hashlib
from interactive_envs.situation_puzzle.generator import generate
told = [generate(seed, difficulty) for seed in (0, 7, 4294967295) for difficulty in range(1, 6)]
print(hashlib.sha256(repr(told).encode()).hexdigest())
"""
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            check=True,
        ).stdout.strip()
        for seed in ("0", "1")
    }
    assert [len(hash_) for hash_ in said] == [64]


@few_and_many
def test_seeds_and_difficulties_give_different_puzzles(seeds: int) -> None:
    setups = [puzzle.setup for difficulty in LEVELS for puzzle in drawn(difficulty, seeds)]
    assert len(set(setups)) == len(setups)
    assert len({puzzle.explanations for difficulty in LEVELS for puzzle in drawn(difficulty, seeds)}) == len(setups)


def test_the_last_seed_works_and_the_global_random_state_is_left_alone() -> None:
    before = np.random.get_state()[1].tolist()  # type: ignore[index]
    assert generate(2**32 - 1, 5).id == "generated-5-4294967295"
    assert np.random.get_state()[1].tolist() == before  # type: ignore[index]


@pytest.mark.parametrize("seed", [-1, 2**32, 1.5, "1", True])
def test_a_wrong_seed_is_refused(seed: object) -> None:
    with pytest.raises(ConfigError, match="seed must be a whole number from 0 to 4294967295, got "):
        generate(seed, 1)  # type: ignore[arg-type]


@pytest.mark.parametrize("difficulty", [0, 6, "1", None, True])
def test_a_wrong_difficulty_is_refused(difficulty: object) -> None:
    with pytest.raises(ConfigError, match="difficulty must be 1, 2, 3, 4 or 5, got "):
        generate(1, difficulty)  # type: ignore[arg-type]


def test_a_source_draws_difficulties_and_seeds_and_finds_a_puzzle_by_its_id() -> None:
    source = Generated((2, 4))
    assert source.ids() is None
    assert list(source.without_menu()) == []
    rng, other = np.random.default_rng(0), np.random.default_rng(0)
    some = [source.draw(rng) for _ in range(20)]
    named = [source.draw(other, puzzle.id) for puzzle in some]
    assert named == some
    assert rng.random() == other.random()
    assert {puzzle.difficulty for puzzle in some} == {2, 4}
    assert source.draw(rng, "generated-5-4294967295") == generate(2**32 - 1, 5)


@pytest.mark.parametrize("name", ["the-beet-manual", "generated-6-1", "generated-3-4294967296", "generated-3-01", ""])
def test_a_source_refuses_an_id_that_no_puzzle_has(name: str) -> None:
    with pytest.raises(ConfigError, match=r"no generated puzzle is called '.*'; one is called 'generated-3-77'"):
        Generated().draw(np.random.default_rng(0), name)


def test_the_hash_of_a_source_depends_on_its_difficulties() -> None:
    assert Generated((1,)).sha256() == Generated((1,)).sha256() != Generated().sha256()


def test_questions_come_with_a_paraphrase_and_the_right_explanation_with_restatements() -> None:
    for puzzle in drawn(3):
        assert puzzle.difficulty == 3
        assert all(len(question.paraphrases) == 1 for question in puzzle.questions)
        assert all(question.text not in question.paraphrases for question in puzzle.questions)
        assert 1 <= len(puzzle.restatements) <= 2
        assert puzzle.explanations[0] not in puzzle.restatements
        assert puzzle.wrong == puzzle.explanations[1:]
