"""Programs with checkpoints: their truths by a second route, their texts, their items, and random ones."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import json
import math
from typing import Any

import numpy as np
import pytest

from interactive_envs.agents.black_box import ReferenceProgram as Reference
from interactive_envs.black_box.base import Trial
from interactive_envs.black_box.env import BlackBoxEnv
from interactive_envs.black_box.program import boxes as program
from interactive_envs.black_box.program import random as program_random
from interactive_envs.black_box.program.boxes import BOXES, FAMILY, ProgramBox
from interactive_envs.black_box.program.code import Code, Input, read_inputs, read_values, same, trace_of
from interactive_envs.black_box.program.fixed import CODES
from interactive_envs.black_box.program.random import (
    GREATEST,
    VISITS,
    Program,
    ProgramRun,
    is_worthwhile,
    simple_program,
)
from interactive_envs.black_box.program.solver import as_function
from interactive_envs.errors import ConfigError
from interactive_envs.parsing import Unreadable
from tests.black_box import second_program

TRIAL = Trial()
DRAWS = pytest.mark.parametrize("count", [40, pytest.param(80, marks=pytest.mark.long)])


@functools.cache
def drawn(seed: int, level: int) -> Code:
    return program.generate(np.random.default_rng([seed, level]), level).code


def rng(*seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def box_of(name: str, *, partial: bool = False) -> ProgramBox:
    box = BOXES[name].make()
    assert isinstance(box, ProgramBox)
    return dataclasses.replace(box, partial=partial)


def samples(name: str, count: int) -> list[tuple]:
    """Half as items draw them, half at random; the shortest too."""
    code = CODES[name]
    drawn = [
        code.sample(rng(7, k)) if k % 2 else tuple(one.draw(rng(8, k)) for one in code.inputs) for k in range(count)
    ]
    short = [
        {"int": one.least or 1, "list": (one.most,) * one.shortest, "str": "a" * one.shortest}[one.kind]
        for one in code.inputs
    ]
    return [*drawn, tuple(short)]


def final(name: str, inputs: tuple) -> tuple:
    """The variables at the last checkpoint's last visit."""
    code = CODES[name]
    return tuple(value for _, value in code.visits(inputs)[code.checkpoints][-1])


def transcript(box: ProgramBox, *texts: str) -> list[str]:
    """What is said to messages of the form ``look 2, 1``."""
    memory, said = None, []
    for text in texts:
        tag, _, body = text.partition(" ")
        query = box.read_query(tag, body, box.seen(TRIAL, memory))
        if isinstance(query, Unreadable):
            said.append(query.reason)
            continue
        fact, memory = box.reply(TRIAL, memory, query, rng(0))
        said.append(box.tell(query, json.loads(json.dumps(fact))))
    return said


# Truths.


@pytest.mark.parametrize("name", CODES)
def test_a_second_program_leaves_the_same_trace(name: str) -> None:
    function = getattr(second_program, name.replace("-", "_"))
    for inputs in samples(name, 24):
        visits, _ = second_program.watch(function, *(list(v) if isinstance(v, tuple) else v for v in inputs))
        assert [(number, list(values)) for number, values in trace_of(CODES[name], inputs)] == visits, inputs


def test_results_are_those_of_the_library() -> None:
    for name in ("bubble-sort", "quicksort-recursion", "heap-sort", "mergesort-recursion"):
        for (x,) in samples(name, 40):
            if not name.endswith("recursion") or len(x) > 1:
                assert final(name, (x,))[-1] == tuple(sorted(x))
    for a, b in samples("exgcd", 60):
        g, x, y = final("exgcd", (a, b))
        assert g == math.gcd(a, b) == a * x + b * y
    for n in range(19):
        assert (final("factorial-recursion", (n,))[-1] if n > 1 else 1) == math.factorial(n)
    for n in range(2, 61):
        assert final("sieve-of-eratosthenes", (n,)) == (
            tuple(p for p in range(2, n + 1) if all(p % q for q in range(2, p))),
        )
    for a, b in samples("highprecision-add", 60):
        assert final("highprecision-add", (a, b)) == (str(a + b),)
    for t, p in samples("kmp", 60):
        assert final("kmp", (t, p)) == (tuple(i for i in range(len(t)) if t.startswith(p, i)),)
    for (x,) in samples("arithmetic-slices", 40):
        parts = (part for size in range(3, len(x) + 1) for part in itertools.combinations(x, size))
        assert final("arithmetic-slices", (x,)) == (sum(len(set(np.diff(part).tolist())) == 1 for part in parts),)


def test_fowls_have_every_solution_the_equations_have() -> None:
    for m in range(31):
        for n in range(31):
            ways = [(i, j, n - i - j) for i in range(7) for j in range(11) if i + j <= n and 4 * i + 2 * j + n == m]
            assert final("coins-for-fowls", (m, n)) == (min(ways, default=()),)


def test_quotients_are_rounded_half_away_from_zero() -> None:
    for a, b, text in (
        (1, 3, "0.3333"), (2, -3, "-0.6667"), (-1, -2, "0.5000"), (1, 32, "0.0313"), (-1, 32, "-0.0313"),
        (9999, 1, "9999.0000"), (0, -7, "0.0000"), (7, 160, "0.0438"), (-9999, -999, "10.0090"), (999, -1, "-999.0000"),
        (1, 999, "0.0010"), (991, 992, "0.9990"), (-998, 999, "-0.9990"),
    ):  # fmt: skip
        assert final("highprecision-divide", (a, b)) == (text,)


def test_all_of_oracles_programs_are_here() -> None:
    checkpoints = {
        2: "swap",
        3: "algebraic-operations bubble-sort coins-for-fowls exgcd factorial-recursion fib-recursion highprecision-add "
        "highprecision-divide most-frequent-char quicksort-recursion sieve-of-eratosthenes",
        4: "manacher",
        5: "kmp arithmetic-slices complex-algebraic-operations",
        6: "heap-sort",
        8: "mergesort-recursion",
    }
    assert all(CODES[name].checkpoints == count for count, names in checkpoints.items() for name in names.split())


# Defects of the original that must not be here.


def test_answers_are_values_and_not_texts() -> None:
    assert same(2, 2.0)
    assert same((1, (2, 3)), [1, [2.0, 3]])
    for truth, other in ((1, True), (1, "1"), ("1", 1), ((1,), 1), ((1, 2), [1]), (0, None), (0, False), (0.5, "0.5")):
        assert not same(truth, other)
    box = box_of("algebraic-operations")
    argument = ((1, 2, 3), ((1, 1, "d"), (3, 1, "f")))
    assert box.value(TRIAL, argument) == (6, -2.5)
    assert box.mark((6, -2.5), box.read_answer(argument, "[6.0,-2.50]")) == 1
    assert box.mark((6, -2.5), box.read_answer(argument, '["6", -2.5]')) == 0.5


@pytest.mark.every(5)
@pytest.mark.parametrize("name", BOXES)
def test_inputs_of_items_were_not_set_and_questions_are_new(name: str) -> None:
    box, count = box_of(name), BOXES[name].items or FAMILY.items
    for seed in range(2):
        draws = rng(seed)
        asked = [query for _ in range(5) for query in (("assign", box.code.sample(draws)), ("look", 1, 1))]
        items = box.arguments(TRIAL, asked, rng(seed, 1), count)
        inputs = [argument[0] for argument in items]
        assert len(set(inputs)) == len(items) == count
        assert not {query[1] for query in asked if query[0] == "assign"} & set(inputs)
        for argument in items:
            assert 2 <= len(argument[1]) == len(set(argument[1])) <= box.questions
            assert len(box.value(TRIAL, argument)) == len(argument[1])
        assert box.arguments(TRIAL, asked, rng(seed, 1), count) == items


@pytest.mark.every(3)
@pytest.mark.parametrize("name", BOXES)
def test_answers_that_know_nothing_are_worth_little(name: str) -> None:
    box = box_of(name)
    constant, place, usual = [], [], []
    for seed in range(6):
        for argument in box.arguments(TRIAL, (), rng(seed), 5):
            truth = box.value(TRIAL, argument)
            plain = [value if isinstance(value, int) else len(value) for value in argument[0]]
            constant.append(max(box.mark(truth, (guess,) * len(truth)) for guess in (0, 1)))
            place.append(max(box.mark(truth, (guess,) * len(truth)) for guess in (*argument[0], *plain)))
            usual.append(box.mark(truth, tuple(visit - 1 for _, visit, _ in argument[1])))
    assert np.mean(constant) <= 0.2
    assert np.mean(place) <= (0.5 if name == "swap" else 0.25)
    assert np.mean(usual) <= 0.25


@pytest.mark.every(5)
@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize("name", BOXES)
def test_nothing_a_player_reads_names_the_program(name: str, partial: bool) -> None:
    box = box_of(name, partial=partial)
    texts = [box.introduction(), box.examination(), json.dumps(box.public), *box.examples]
    texts += [box.question(TRIAL, argument) for argument in box.arguments(TRIAL, (), rng(1), 5)]
    for tag in ("assign", "look"):
        found = box.read_query(tag, "= nonsense", None)
        assert isinstance(found, Unreadable)
        texts.append(found.reason)
    texts += transcript(box, box.examples[0].replace("<assign>", "assign ").replace("</assign>", ""), "look 1, 1")
    assert box.function is not None
    texts += [box.function.signature, box.function.about]
    words = {
        "swap", "algebra", "bubble", "sort", "coin", "fowl", "gcd", "factorial", "recurs", "fib", "precision", "kmp",
        "frequent", "quick", "slice", "arithmetic", "complex", "heap", "manacher", "palindrom", "merge", "sieve",
    }  # fmt: skip
    said = " ".join(texts).lower()
    assert {word for word in words if word in said} == set()
    assert len(box.introduction()) + len(box.examination()) <= 1500


# Texts.


def test_a_transcript() -> None:
    assert transcript(
        box_of("exgcd"),
        "look 1, 1",
        "assign a = 12; b = 18",
        "look 1, 1",
        "look 2, 2",
        "look 2, 4",
        "look 4, 1",
        "look 3, 1",
    ) == [
        "'1, 1' cannot be looked at before inputs are set; write <assign>a = 426; b = 319</assign> first.",
        "The inputs are set: a = 12; b = 18.",
        "At checkpoint 1, visit 1: q = 0 (int).",
        "At checkpoint 2, visit 2: r = [12, 6] (list), s = [1, -1] (list), t = [0, 1] (list).",
        "With these inputs, checkpoint 2 has only 3 visits.",
        "There is no checkpoint 4; the checkpoints are 1 to 3.",
        "At checkpoint 3, visit 1: g = 6 (int), x = -1 (int), y = 1 (int).",
    ]
    assert transcript(box_of("kmp"), "assign aab, ab", "look 1, 1", "look 2, 2", "look 3, 1", "look 5 1") == [
        'The inputs are set: t = "aab"; p = "ab".',
        "With these inputs, checkpoint 1 has no visits.",
        "With these inputs, checkpoint 2 has only 1 visit.",
        "At checkpoint 3, visit 1: i = 1 (int), k = 0 (int).",
        "At checkpoint 5, visit 1: s = [1] (list).",
    ]


def test_partial_observability_hides_names_types_and_how_often() -> None:
    box = box_of("kmp", partial=True)
    assert transcript(box, "assign t=aab p=ab", "look 1, 1", "look 3, 1", "look 3, 2", "look 5, 1") == [
        'The inputs are set: t = "aab"; p = "ab".',
        "With these inputs, checkpoint 1 has fewer visits than that.",
        "At checkpoint 3, visit 1: 1, 0.",
        "With these inputs, checkpoint 3 has fewer visits than that.",
        "At checkpoint 5, visit 1: [1].",
    ]
    argument = (("aab", "ab"), ((3, 1, 1), (5, 1, 1)))
    assert box.value(TRIAL, argument) == (1, (1,))
    assert "(1) the value at place 1 at checkpoint 3, visit 1" in box.question(TRIAL, argument)
    for argument in box.arguments(TRIAL, (), rng(3), 5):
        assert all(isinstance(place, int) for _, _, place in argument[1])


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("a = 3; x = [1, 2]", (3, (1, 2))),
        ("x=[1 2],a=3", (3, (1, 2))),
        ("A: 3\n X: (1, 2,)", (3, (1, 2))),
        ("3, [1, 2]", (3, (1, 2))),
        ("a = 3.0; x = 1, 2", (3, (1, 2))),
        ("a = +3; x = 7", (3, (7,))),
        ("a = \N{MINUS SIGN}3; x = [1]", (-3, (1,))),
        ("a=3;x=[1,2];", (3, (1, 2))),
    ],
)
def test_inputs_are_read_as_they_are_meant(text: str, read: tuple) -> None:
    assert read_inputs(text, (Input("a", "int", -9, 9), Input("x", "list", 0, 9, 1, 3))) == read


ODD = [
    "", " ", ";", "=", "a", "a =", "= 3", "a = = 3", "a = 3", "a = 3; a = 4", "a = 3; x = []",
    "a = 3; x = [1, 2, 3, 4]",
    "a = 99; x = [1]", "a = 3; x = [[1]]", "a = 3; x = [1", "a = 3; x = 1]", "a = 3; x = [1)", "a = 3; x = [1.5]",
    "a = true; x = [1]", 'a = "3"; x = [1]', "a = nan; x = [1]", "a = inf; x = [1]", "a = 1e999; x = [1]", "b = 3",
    "a = 3; x = [1]; b = 2", "a = \u0663; x = [1]", "a = 3; x = [\u00b2]", "a = " + "9" * 5000, "[" * 20_000,
    "9" * 20_000, "a = 3; " * 3000, '"' * 20_001, "a = 3; x = {1: 2}", "\x00", "a\u2028= 3", "\U0001d7db, 1", "<look>",
    "1, 1; 2", "1000, 1", "1, " + "1" * 29, "one, two", "(1 2) 3", "\uff11, \uff11",
]  # fmt: skip


@pytest.mark.parametrize("text", ODD)
def test_odd_texts_are_unreadable_and_say_why(text: str) -> None:
    box = ProgramBox(
        code=dataclasses.replace(CODES["swap"], inputs=(Input("a", "int", -9, 9), Input("x", "list", 0, 9, 1, 3)))
    )
    for tag in ("assign", "look"):
        found = box.read_query(tag, text, (1, (2,)))
        assert isinstance(found, Unreadable)
        assert repr(text[:40]) in found.reason
        assert len(found.reason) < 600
    answer = box.read_answer(((1, (2,)), ((1, 1, "a"),) * 9), text)
    assert isinstance(answer, Unreadable)
    assert repr(text[:40]) in answer.reason


@pytest.mark.parametrize(
    "text",
    ["2, 1", "(2, 1)", "[2,1]", "2 1", "2;1", " 2 , 1 .", "checkpoint 2, visit 1", "Checkpoint 2 visit 1", "02, 01"],
)
def test_places_to_look_at(text: str) -> None:
    assert box_of("swap").read_query("look", text, (1, 2)) == ("look", 2, 1)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('[3, "ab", [1, 2], -0.5]', (3, "ab", (1, 2), -0.5)),
        ("3, 'ab', [1, 2], -.5", (3, "ab", (1, 2), -0.5)),
        ('3 "ab" [1 2] -5e-1', (3, "ab", (1, 2), -0.5)),
        ("(3, ab, (1, 2), -0.5)", (3, "ab", (1, 2), -0.5)),
        ('[3.0, "", [], [[1, 2], [3, 4]]]', (3.0, "", (), ((1, 2), (3, 4)))),
    ],
)
def test_answers_are_read_as_they_are_meant(text: str, values: tuple) -> None:
    argument = ((1, 2), ((1, 1, "a"),) * 4)
    assert box_of("swap").read_answer(argument, text) == values


@pytest.mark.parametrize(
    "text", ["[1, 2, 3]", "[1, 2, 3, 4, 5]", "1", "[[1, 2, 3, 4]]", "", "{1, 2, 3, 4}", "[1, 2, 3, 4", "nul!"]
)
def test_answers_of_another_length_are_unreadable(text: str) -> None:
    assert isinstance(box_of("swap").read_answer(((1, 2), ((1, 1, "a"),) * 4), text), Unreadable)


def test_texts_in_quotes_keep_their_signs() -> None:
    assert read_values("""["#a#b#", '-0.5000', "007"]""") == [("#a#b#", "-0.5000", "007")]


def test_examples_are_legal() -> None:
    boxes = [box_of(name) for name in BOXES] + [program.generate(rng(1), level) for level in range(1, 6)]
    for box in boxes:
        assign, answer = box.examples
        assert not isinstance(box.read_query("assign", assign[8:-9], None), Unreadable)
        argument = ((), ((1, 1, "a"),) * box.questions)
        assert not isinstance(box.read_answer(argument, answer[8:-9]), Unreadable)


@pytest.mark.parametrize("name", BOXES)
def test_shown_answers_are_right(name: str) -> None:
    box = box_of(name)
    for argument in box.arguments(TRIAL, (), rng(5), 5):
        truth = box.value(TRIAL, argument)
        assert box.mark(truth, box.read_answer(argument, box.show_answer(truth))) == 1


def test_queries_and_facts_are_hashable_and_survive_json() -> None:
    box = box_of("arithmetic-slices")
    query = box.read_query("assign", "x = [1, 3, 5]", None)
    _, memory = box.reply(TRIAL, None, query, rng(0))
    fact, _ = box.reply(TRIAL, memory, ("look", 4, 3), rng(0))
    assert hash((query, fact, memory, box.public, box))
    assert fact == ("values", ("i", "int", 2), ("g", "list", ((4, 1), (2, 2))))
    assert box.tell(("look", 4, 3), json.loads(json.dumps(fact))).endswith("g = [[4, 1], [2, 2]] (list).")


# Code.


@pytest.mark.every(5)
@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize("name", BOXES)
def test_calls_are_new_and_judged_as_values(name: str, partial: bool) -> None:
    box = box_of(name, partial=partial)
    asked = [("assign", box.code.sample(rng(k))) for k in range(4)]
    calls = box.calls(TRIAL, asked, rng(9), 1000)
    assert len(set(calls)) == len(calls) >= (200 if len(box.code.inputs) == 1 else 1000)
    assert not {query[1] for query in asked} & {inputs for inputs, _, _ in calls}
    nothing = 0
    for call in calls[:100]:
        truth = box.value(TRIAL, call)
        given = json.loads(json.dumps(box.as_json(call)))
        assert set(given) == {"inputs", "checkpoint", "visit"}
        nothing += truth is None
        right = None if truth is None else list(truth) if partial else dict(truth)
        right = json.loads(json.dumps(right))
        assert box.mark_value(truth, right) == 1
        for wrong in ([], {}, 0, "x", {"a": None}, [None], True, 1e9):
            assert box.mark_value(truth, wrong) == 0
        assert box.mark_value(truth, None) == (truth is None)
    assert 2 <= nothing <= 60


# Random programs.


@DRAWS
@pytest.mark.parametrize("level", range(1, 6))
def test_random_programs_do_what_their_source_does(level: int, count: int) -> None:
    for seed in range(count):
        code = drawn(seed, level)
        assert isinstance(code.run, Program)
        scope: dict = {}
        exec(code.run.source, scope)
        for number in range(8):
            inputs = code.sample(rng(seed, level, number))
            visits: list = []
            scope["program"](lambda n, visits=visits, **values: visits.append((n, tuple(values.items()))), *inputs)
            assert list(trace_of(code, inputs)) == visits
            assert len(visits) <= 3 * VISITS
            assert all(abs(value) <= 20 * GREATEST for _, values in visits for _, value in values)


@DRAWS
@pytest.mark.parametrize("level", range(1, 6))
def test_random_programs_are_worth_finding_out(level: int, count: int) -> None:
    sources = set()
    for seed in range(count):
        code = drawn(seed, level)
        assert isinstance(code.run, Program)
        sources.add(code.run.source)
        reached = [code.visits(code.sample(rng(seed, number))) for number in range(12)]
        for number in range(1, code.checkpoints + 1):
            firsts = {visits[number][0] for visits in reached if visits[number]}
            assert len(firsts) >= 3, code.run.source
    assert len(sources) > 7 / 8 * count


def test_levels_grow() -> None:
    """In what a run does, and from the third level on in the source's lines."""
    steps, lines = [], []
    for level in range(1, 6):
        codes = [drawn(seed, level) for seed in range(30)]
        done = []
        for code in codes:
            assert isinstance(code.run, Program)
            inputs = dict(zip(code.run.inputs, code.sample(rng(3)), strict=True))
            run = ProgramRun(lambda number, **values: None, inputs)
            run.block(code.run.body)
            done.append(run.steps)
        steps.append(np.mean(done))
        lines.append(np.mean([str(code.run.source).count("\n") for code in codes]))  # type: ignore[attr-defined]
    assert all(easier < harder for easier, harder in itertools.pairwise(steps)), steps
    assert all(easier < harder for easier, harder in itertools.pairwise(lines[2:])), lines


@pytest.mark.parametrize("level", range(1, 6))
def test_the_spare_program_is_good(level: int) -> None:
    assert any(is_worthwhile(simple_program(rng(seed), level), rng(seed, 1)) for seed in range(10))


def test_a_level_without_a_good_program_has_the_spare_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_random, "is_worthwhile", lambda code, rng: False)
    assert program_random.generate(rng(0), 5).checkpoints == 3


@pytest.mark.parametrize("level", range(1, 6))
def test_random_programs_are_the_same_for_the_same_draws(level: int) -> None:
    first, second = (program.generate(rng(4, level), level) for _ in range(2))
    assert first == second
    assert hash(first) == hash(second)
    assert first.arguments(TRIAL, (), rng(1), 5) == second.arguments(TRIAL, (), rng(1), 5)
    assert first.reveal(TRIAL).startswith("The program:\ndef program(trace, a")


# Players.


def play(player: Reference, seed: int, **arguments: Any) -> float:
    env = BlackBoxEnv(family="program", **arguments)
    observation, info = env.reset(seed=seed)
    player.reset(seed=seed, info=info)
    over, score = False, 0.0
    while not over:
        observation, score, terminated, truncated, info = env.step(player.act(observation, info))
        assert info["valid"], observation
        over = terminated or truncated
    return float(score)


@pytest.mark.every(5)
@pytest.mark.parametrize("observability", ["full", "partial"])
@pytest.mark.parametrize("name", BOXES)
def test_the_reference_player_knows_the_textbook(name: str, observability: str) -> None:
    assert play(Reference(), 3, box=name, observability=observability) >= 0.95


@pytest.mark.parametrize("arguments", [{"feedback": "delayed"}, {"setting": "20@2"}, {"turns": "dynamic"}])
def test_the_reference_player_plays_under_other_terms(arguments: dict[str, Any]) -> None:
    assert play(Reference(), 1, box="bubble-sort", **arguments) >= 0.85
    assert play(Reference(textbook=False), 1, box="random", **arguments) >= 0.5
    assert play(Reference(), 1, box="kmp", no_interaction=True) <= 0.2


@pytest.mark.parametrize(
    ("level", "least"),
    [(1, 0.85), (2, 0.8), *(pytest.param(*pair, marks=pytest.mark.long) for pair in ((3, 0.6), (4, 0.5), (5, 0.5)))],
)
def test_the_reference_player_finds_expressions(level: int, least: float) -> None:
    scores = [play(Reference(textbook=False), seed, box="random", difficulty=level) for seed in range(6)]
    assert np.mean(scores) >= least


@pytest.mark.every(5)
@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize("name", BOXES)
def test_what_the_reference_player_writes_as_code_is_right(name: str, partial: bool) -> None:
    box = box_of(name, partial=partial)
    scope: dict[str, Any] = {}
    exec(as_function(box.code, partial), scope)
    for call in box.calls(TRIAL, (), rng(2), 1000)[:60]:
        value = scope["solution"](json.loads(json.dumps(box.as_json(call))))
        assert box.mark_value(box.value(TRIAL, call), json.loads(json.dumps(value))) == 1


def test_a_player_without_a_program_writes_a_function_all_the_same() -> None:
    scope: dict[str, Any] = {}
    exec(as_function(None, False), scope)
    assert scope["solution"]({}) is None
    with pytest.raises(ConfigError, match="textbook must be true or false, got 1"):
        Reference(textbook=1)  # type: ignore[arg-type]


@pytest.mark.parametrize("level", range(1, 6))
def test_no_item_of_a_random_program_asks_for_what_it_states(level: int) -> None:
    """Inputs, the elements of a list by the visit's number, and that number."""

    def is_stated(inputs: tuple[Any, ...], visit: int, value: Any) -> bool:
        elements = [one[visit - 1] for one in inputs if isinstance(one, tuple) and visit <= len(one)]
        return value in (*inputs, *elements, visit, visit - 1)

    asked = 0
    for seed in range(12):
        box = program.generate(rng(seed, level), level)
        for inputs, questions in box.arguments(TRIAL, (), rng(seed), 5):
            run = box.code.visits(inputs).values()
            shown = [(visit, value) for visits in run for visit, one in enumerate(visits, 1) for _, value in one]
            if all(is_stated(inputs, visit, value) for visit, value in shown):
                continue  # there is nothing else to ask for
            asked += 1
            for (_, visit, _), value in zip(questions, box.value(TRIAL, (inputs, questions)), strict=True):
                assert not is_stated(inputs, visit, value)
    assert asked > 50
