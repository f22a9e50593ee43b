"""Hidden parts: the answer is out of reach without asking, and follows from what is asked."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest

from interactive_envs.errors import ConfigError
from interactive_envs.mathematics.frozen import pairs, read
from interactive_envs.mathematics.generators import hidden, load_generators
from interactive_envs.mathematics.generators.base import LEVELS, Problem, holds, identifier, parse, same

FIXED = [problem for _, path in pairs() for problem in read(path) if problem.hidden]
DRAWS = 60

every_part = pytest.mark.parametrize("name", sorted(hidden.load_hidden()))


def check(problem: Problem) -> None:
    """All that a good problem with hidden numbers needs."""
    phrases = Counter(phrase for item in problem.quantities for phrase in item.phrases)
    assert [phrase for phrase, count in phrases.items() if count > 1] == []
    assert len({item.name for item in problem.quantities}) == len(problem.quantities) <= 17
    assert [fact.claim for fact in problem.facts if not holds(problem, fact.claim)] == []
    assert 3 <= sum(fact.step for fact in problem.facts) <= 9
    assert all(fact.text[-1] in ".!?" for fact in problem.facts)
    named = {item.name: item.value for item in problem.quantities}
    for each in problem.hidden:
        assert each.low <= each.value <= each.high
        assert each.name.split("(")[0] in problem.text
        assert named[identifier(each.name)] == str(each.value)
    values = {each.name: each.value for each in problem.hidden}
    assert hidden.fill(problem.setting, values) == problem.parameters
    assert json.loads(json.dumps(problem.as_json())) == json.loads(
        json.dumps(Problem.from_json(problem.as_json()).as_json())
    )
    assert "{" not in problem.text
    assert "  " not in problem.text
    assert problem.answer_form


def test_at_least_half_of_the_generators_have_a_hidden_part() -> None:
    assert set(hidden.load_hidden()) <= set(load_generators())
    assert 2 * len(hidden.load_hidden()) >= len(load_generators())


@pytest.mark.every(4)
@every_part
@pytest.mark.parametrize("level", LEVELS)
def test_a_problem_with_hidden_numbers_holds_and_a_second_route_finds_its_answer(name: str, level: int) -> None:
    for seed in range(2):
        problem = hidden.make(name, np.random.default_rng([seed, level]), level)
        check(problem)
        assert (problem.generator, problem.difficulty) == (name, level)
        assert same(parse(problem.answer), hidden.load_hidden()[name].second(problem.parameters)), problem.text


@every_part
def test_the_answer_is_out_of_reach_without_asking(name: str) -> None:
    """Behind one and the same text the best guess is right about one time in eight at most, mostly never."""
    for level in (1, 5):
        made = [hidden.conceal(name, 11, secret, level) for secret in range(DRAWS)]
        assert len({(problem.text, problem.answer_form, str(problem.setting)) for problem in made}) == 1
        assert len({tuple((each.name, each.low, each.high, each.askable) for each in one.hidden) for one in made}) == 1
        answers = Counter(problem.answer for problem in made)
        assert answers.most_common(1)[0][1] <= DRAWS / 8, answers.most_common(3)


@every_part
def test_each_hidden_number_matters(name: str) -> None:
    """None could be left out: in one of a few problems another value of it, all else equal, changes the answer."""
    second = hidden.load_hidden()[name].second
    made = [hidden.conceal(name, 4, secret, 3) for secret in range(9)]
    for i, each in enumerate(made[0].hidden):
        tried = [int(value) for value in np.linspace(each.low, each.high, min(8, each.high - each.low + 1))]
        assert any(
            not same(parse(problem.answer), second(hidden.fill(problem.setting, values | {each.name: value})))
            for problem in made
            for values in [{one.name: one.value for one in problem.hidden}]
            for value in tried
            if value != problem.hidden[i].value
        ), each.name


def test_the_need_of_rounds_grows_with_the_level() -> None:
    names, mean = list(hidden.load_hidden()), []
    for level in LEVELS:
        made = [hidden.make(name, np.random.default_rng(seed), level) for name in names for seed in range(4)]
        mean.append(sum(hidden.need(problem.hidden) for problem in made) / len(made))
    assert mean == sorted(mean)
    assert 10 < mean[0] < mean[-1] - 4 < 19


@pytest.mark.every(2)
@pytest.mark.parametrize("problem", FIXED, ids=lambda problem: problem.id)
def test_a_fixed_problem_with_hidden_numbers_holds(problem: Problem) -> None:
    check(problem)
    assert same(parse(problem.answer), hidden.load_hidden()[problem.generator].second(problem.parameters))


def test_fixed_problems_with_hidden_numbers_are_many_and_of_all_levels() -> None:
    assert len({problem.id for problem in FIXED}) == len(FIXED) >= 100
    assert {problem.generator for problem in FIXED} == set(hidden.load_hidden())
    assert min(Counter(problem.difficulty for problem in FIXED)[level] for level in LEVELS) >= 20


def test_a_seed_gives_the_same_hidden_numbers_again() -> None:
    first, again = (hidden.make("walks", np.random.default_rng(7), 3) for _ in range(2))
    assert first == again
    assert Problem.from_json(json.loads(json.dumps(first.as_json()))) == first


def test_a_difficulty_beyond_five_is_refused() -> None:
    with pytest.raises(ConfigError, match="difficulty must be 1 to 5, got 6"):
        hidden.make("walks", np.random.default_rng(0), 6)
