"""What holds for every problem: the facts, the form, and an answer that a second route confirms."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

from interactive_envs.mathematics.frozen import freeze, pairs, read, written
from interactive_envs.mathematics.generators import load_generators
from interactive_envs.mathematics.generators.base import ANSWER, LEVELS, Problem, gives_away, holds, parse, same, values

few_and_many = pytest.mark.parametrize("seeds", [range(2), pytest.param(range(6), marks=pytest.mark.long)], ids=len)
FIXED = [problem for _, path in pairs() for problem in read(path) if not problem.hidden]


def check(problem: Problem) -> None:
    """All that a good problem needs, but for its answer."""
    known = values(problem)
    names = [quantity.name for quantity in problem.quantities]
    phrases = [re.sub(r"^(the|a|an) ", "", phrase) for item in problem.quantities for phrase in item.phrases]
    assert len(known) == len(names), "a name is used twice"
    assert all(name.isidentifier() for name in names)
    assert 4 <= len(names) <= 13
    assert problem.answer == next(item.value for item in problem.quantities if item.name == ANSWER)
    assert [phrase for phrase, count in Counter(phrases).items() if count > 1] == []
    assert all(len(item.phrases) >= 2 for item in problem.quantities)
    assert all(phrase == phrase.lower().strip() != "" for phrase in phrases)
    assert [fact for fact in problem.facts if not holds(problem, fact.claim)] == []
    assert 5 <= sum(fact.step for fact in problem.facts) <= 12
    assert all(fact.text[-1] in ".!?" for fact in problem.facts)
    assert not gives_away(problem.text, problem.answer)
    numbers = {int(number) for number in re.findall(r"\d+", problem.text)}
    told = [item for item in problem.quantities if item.told and item.value.isdecimal() and int(item.value) > 12]
    assert [item for item in told if int(item.value) not in numbers] == [], "not told, or in words"
    assert problem.difficulty in LEVELS
    assert problem.answer_form
    assert "{" not in problem.text
    assert "  " not in problem.text
    assert json.loads(json.dumps(problem.parameters)) == problem.parameters


@pytest.mark.every(3)
@few_and_many
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", sorted(load_generators()))
def test_a_generator_makes_problems_that_hold(name: str, level: int, seeds: range) -> None:
    generator = load_generators()[name]
    made = [generator.make(np.random.default_rng(seed), level) for seed in seeds]
    assert len({problem.text for problem in made}) == len(made), "two seeds give one problem"
    for problem in made:
        check(problem)
        assert (problem.generator, problem.field, problem.difficulty) == (name, generator.field, level)
        assert same(parse(problem.answer), generator.confirm(problem)), problem.text


@pytest.mark.parametrize("name", sorted(load_generators()))
def test_a_seed_gives_the_same_problem_again(name: str) -> None:
    first, again = (load_generators()[name].make(np.random.default_rng(7), 3) for _ in range(2))
    assert first == again
    assert Problem.from_json(json.loads(json.dumps(first.as_json()))) == first


@pytest.mark.every(4)
@pytest.mark.parametrize("problem", FIXED, ids=lambda problem: problem.id)
def test_a_fixed_problem_holds(problem: Problem) -> None:
    check(problem)
    assert same(parse(problem.answer), load_generators()[problem.generator].confirm(problem))


def test_freezing_again_gives_the_same() -> None:
    for choices, problems in pairs():
        chosen = json.loads(choices.read_text(encoding="utf-8"))
        found = problems.read_text(encoding="utf-8")
        assert written(freeze(chosen)) == found, "run: python -m tools.freeze_problems"


def test_fixed_problems_are_many_and_of_all_levels() -> None:
    assert len({problem.id for problem in FIXED}) == len(FIXED) >= 60
    assert min(Counter(problem.difficulty for problem in FIXED)[level] for level in LEVELS) >= 8
    assert {problem.generator for problem in FIXED} == set(load_generators())
    assert len(load_generators()) >= 20


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Le(27**L, 7**10000)", True),
        ("Le(27**(L + 1), 7**10000)", False),
        ("Eq(sqrt(5 + 2*sqrt(6)), sqrt(2) + sqrt(3))", True),
        ("Gt(sqrt(2)**2, 2)", False),
        ("Lt(log(3**50 - 1), 50*log(3))", True),
        ("Eq({1, sqrt(4)}, {2, 1})", True),
        ("Eq((1, 2), (2, 1))", False),
        ("And(Eq(Mod(L, 7), 3), Or(Ne(1, 1), isprime(5903)))", True),
        ("Not(Contains(2, {1, 3}))", True),
        ("Eq(Rational(1, 3) + 1/6, 1/2)", True),
        ("Eq(exp(I*pi), -1)", True),
    ],
)
def test_claims_are_decided_exactly(claim: str, truth: bool) -> None:
    assert parse("floor(10000*log(7)/log(27))") == 5904
    assert bool(parse(claim, {"L": parse("5904")})) is truth


@pytest.mark.parametrize(
    "text",
    [
        *(
            "__import__('os')",
            "L",
            "(1).real",
            "open('x')",
            "lambda: 1",
            "[x for x in (1, 2)]",
            "Eq(1, 1, evaluate=False)",
        ),
        *("1.5", "'a'", "1 +", "Symbol('x')", "f(1)(2)", "2 if 1 else 3", "x := 2"),
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"not allowed|unreadable"):
        parse(text)


def test_a_claim_is_a_relation() -> None:
    problem = load_generators()["coins"].make(np.random.default_rng(0), 1)
    with pytest.raises(ValueError, match="not a claim"):
        holds(problem, "a + b")


def test_a_difficulty_beyond_five_is_refused() -> None:
    with pytest.raises(ValueError, match="difficulty must be 1 to 5, got 6"):
        load_generators()["coins"].make(np.random.default_rng(0), 6)


@pytest.mark.parametrize(
    ("text", "answer", "found"),
    [
        ("Of 15 or 1.5?", "15", True),
        ("Of 150.", "15", False),
        ("It is 3/7.", "Rational(3, 7)", True),
        ("v15", "15", False),
    ],
)
def test_texts_that_give_the_answer_away(text: str, answer: str, found: bool) -> None:
    assert gives_away(text, answer) is found


def test_importing_the_base_leaves_sympy_alone() -> None:
    code = "import sys, interactive_envs.mathematics.generators.base; sys.exit('sympy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
