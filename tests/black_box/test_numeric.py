"""The numeric twins of black boxes are the same games: every action is a legal text, every text has an action."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from gymnasium.spaces import Discrete
from hypothesis import given, settings
from hypothesis import strategies as st

from interactive_envs import catalog
from interactive_envs.agent import resolve_agent
from interactive_envs.black_box import families
from interactive_envs.black_box.numeric.forms import (
    NOTHING,
    As,
    Choice,
    Decimal,
    Form,
    Listed,
    OneOf,
    Order,
    Several,
    Whole,
    text,
    word,
)
from interactive_envs.black_box.solving import Solver
from interactive_envs.errors import ConfigError
from interactive_envs.making import make
from interactive_envs.wrappers.numeric import drawn

BOXES = [env_id for env_id in catalog.ids() if env_id.startswith("ibench/BlackBox-")]
SOME = [
    ("cipher-bacon", {}),
    ("cipher-random", {"difficulty": 1}),
    ("circuit-compare", {"test_feedback": True, "setting": "3@2"}),
    ("circuit-random", {"difficulty": 2}),
    ("mechanics-uniform-motion", {"observability": "partial", "setting": "4@2"}),
    ("mechanics-random", {"difficulty": 1}),
    ("program-kmp", {"feedback": "delayed"}),
    ("program-random", {"difficulty": 4, "test_feedback": True, "setting": "9@2"}),
    ("puzzle-heavy-light", {"setting": "2@1"}),
    ("puzzle-random", {"difficulty": 3}),
    ("puzzle-made-mirror-glove", {}),
    ("strategy-random", {"difficulty": 1, "items": 2}),
]
some = pytest.mark.parametrize(("name", "arguments"), SOME, ids=[name for name, _ in SOME])


def every_variant() -> Iterator[tuple[str, dict[str, Any]]]:
    for env_id in BOXES:
        entry = catalog.entry(env_id)
        for number in entry["numeric_variants"]:
            yield env_id, entry["variants"][number]


def pair(env_id: str, arguments: dict[str, Any]) -> Any:
    return contextlib.closing(make(env_id, view="numeric", **arguments)), contextlib.closing(make(env_id, **arguments))


def nothing(twin: Any) -> Any:
    """An action that is none."""
    return -1 if isinstance(twin.action_space, Discrete) else [-1] * len(twin.action_space.nvec)


def check_it_tells(task: Any, view: Any, array: Any, facts: list[Any]) -> None:
    """Another reply to the last query, one that some query had, would give another array."""
    shown = view.shown
    if not shown.observations or shown.observations[-1][1] is None:
        return
    *before, (query, fact) = shown.observations
    other = next((one for one in facts if one != fact), None)
    if other is not None:
        changed = dataclasses.replace(shown, observations=(*before, (query, other)))
        assert not np.array_equal(task.encode(dataclasses.replace(view, shown=changed)), array)
    if fact not in facts:
        facts.append(fact)


def check_random_play(env_id: str, arguments: dict[str, Any], seeds: int = 1) -> None:
    """Whatever the mask allows is legal, and the same as its text; equal arrays tell the same."""
    told: dict[bytes, Any] = {}
    one, other = pair(env_id, arguments)
    with one as twin, other as env:
        for seed in range(seeds):
            rng, facts = np.random.default_rng(seed), list[Any]()
            (array, info), (words, text_info) = twin.reset(seed=seed), env.reset(seed=seed)
            over = False
            while not over:
                assert array in twin.observation_space
                shown = info["view"].shown
                # The number of an item that was left out of nothing is in the share of items done; names are no news.
                known = (
                    shown.public,
                    shown.trial,
                    shown.observations,
                    shown.waiting,
                    shown.seen,
                    shown.item,
                    shown.given,
                )
                check_it_tells(twin.unwrapped.task, info["view"], array, facts)
                assert told.setdefault(array.tobytes(), known) == known
                assert (info["text"], info["view"]) == (words, text_info["view"])
                action = drawn(twin.action_space, info["action_mask"], rng)
                message = twin.decode(action)
                read = env.unwrapped.protocol.read(env.unwrapped.state, message)
                found = twin.unwrapped.task.action_of(info["view"], read.kind, read.key)
                again = env.unwrapped.protocol.read(env.unwrapped.state, twin.decode(found))
                assert (again.kind, again.key) == (read.kind, read.key)  # several rows may mean the same
                array, *end, info = twin.step(action)
                words, *text_end, text_info = env.step(message)
                over = end[1]
                assert end == text_end
                assert info["valid"], (env_id, arguments, message, info["reason"])
            assert info["outcome"] == text_info["outcome"]
            assert not info["action_mask"].any()


def check_reference_play(env_id: str, arguments: dict[str, Any], seeds: int = 1) -> None:
    """All that the reference player sends has an action, and the score is the same."""
    one, other = pair(env_id, arguments)
    with one as twin, other as env:
        for seed in range(seeds):
            agent = resolve_agent(f"{catalog.entry(env_id)['family']}/reference", env_id)()
            _, told = twin.reset(seed=seed)
            words, info = env.reset(seed=seed)
            agent.reset(seed=seed, info=info)
            over = False
            while not over:
                message = agent.act(words, info)
                read = env.unwrapped.protocol.read(env.unwrapped.state, message)
                action = twin.unwrapped.task.action_of(told["view"], read.kind, read.key)
                if read.kind == "invalid":  # an answer twice: what the mask excludes costs the same
                    action = nothing(twin)
                else:
                    assert action in twin.action_space, (env_id, arguments, message)
                _, *end, told = twin.step(action)
                words, *text_end, info = env.step(message)
                over = text_end[1]
                assert end == text_end


@some
def test_what_the_mask_allows_is_legal_and_equals_its_text(name: str, arguments: dict[str, Any]) -> None:
    check_random_play(f"ibench/BlackBox-{name}-v1", arguments)


@some
def test_the_reference_player_can_be_played_in_numbers(name: str, arguments: dict[str, Any]) -> None:
    check_reference_play(f"ibench/BlackBox-{name}-v1", arguments)


@pytest.mark.long
@pytest.mark.parametrize("env_id", BOXES)
def test_every_box_is_the_same_in_numbers(env_id: str) -> None:
    entry = catalog.entry(env_id)
    for number in entry["numeric_variants"]:
        check_random_play(env_id, entry["variants"][number], seeds=3)
        check_reference_play(env_id, entry["variants"][number], seeds=2)


@pytest.mark.long
@pytest.mark.parametrize("family", ["cipher", "circuit", "mechanics", "program", "puzzle", "strategy"])
@pytest.mark.parametrize("level", range(1, 6))
def test_every_case_of_a_generated_box_fits_into_the_same_spaces(family: str, level: int) -> None:
    check_random_play(f"ibench/BlackBox-{family}-random-v1", {"difficulty": level}, seeds=40)
    check_random_play(
        f"ibench/BlackBox-{family}-random-v1", {"difficulty": level, "observability": "partial"}, seeds=20
    )


def test_every_box_has_a_twin_and_programs_as_answers_have_none() -> None:
    assert all("numeric" in catalog.entry(env_id)["views"] for env_id in BOXES)
    for env_id, arguments in list(every_variant())[::97]:
        make(env_id, view="numeric", **arguments).close()
    with pytest.raises(ConfigError, match="has no numeric view"):
        make("ibench/BlackBox-cipher-caesar-v1", view="numeric", answer_as="code")
    without = {env_id for env_id in catalog.ids() if "numeric" not in catalog.entry(env_id)["views"]}
    assert without == {env_id for env_id in catalog.ids() if catalog.entry(env_id)["text_only"]}
    assert {env_id.partition("-")[0] for env_id in without} == {"ibench/Math", "ibench/UI2Html"}


def test_a_row_that_the_mask_excludes_is_no_action() -> None:
    env: Any = make("ibench/BlackBox-program-swap-v1", view="numeric", retries=0)
    _, info = env.reset(seed=0)
    row = np.zeros(len(env.action_space.nvec), int)
    assert info["action_mask"][:4].tolist() == [1, 0, 1, 0]  # nothing to look at before the inputs are set
    row[0] = 1
    assert env.decode(row) == ""
    row[0] = 2
    assert env.decode(row) == "<ready></ready>"
    assert env.decode(row[:-1]) == ""
    row[0] = 9
    assert env.decode(row) == ""
    _, _, _, _, info = env.step(row)
    assert not info["valid"]


def test_an_answer_that_is_known_to_be_wrong_stands_for_the_next_one() -> None:
    arguments = {"setting": "0@3", "test_feedback": True, "case": "1"}
    env: Any = make("ibench/BlackBox-circuit-consecutive-v1", view="numeric", **arguments)
    env.reset(seed=0)
    row = np.zeros(len(env.action_space.nvec), int)
    row[0] = 2
    sent = []
    for _ in range(3):
        sent.append(env.decode(row))
        assert env.step(row)[-1]["valid"]
    zeros = ["0"] * 13
    last = [f"<answer>{' '.join([*zeros[: 13 - len(end)], *end])}</answer>" for end in ("0", "1", "10")]
    assert sent[: env.unwrapped.task.mode.shots] == last or "Right." in env.unwrapped.view().exchanges[-1].reply


def test_signs_that_are_no_equation_stand_for_one() -> None:
    env: Any = make("ibench/BlackBox-puzzle-nerdle-v1", view="numeric")
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    texts = {env.decode(np.array([0, *rng.integers(15, size=15), *([0] * 15)])) for _ in range(20)}
    assert len(texts) == 20
    assert all("=" in one for one in texts)


@pytest.mark.parametrize("family", sorted({catalog.entry(env_id)["family"] for env_id in BOXES}))
def test_the_widest_generated_boxes_are_what_a_level_may_draw(family: str) -> None:
    widest = families.numbers(family).widest
    if widest is None:
        drawn_ones = [families.family(family).generate(np.random.default_rng(seed), 3).public for seed in range(20)]
        assert len(set(drawn_ones)) == 1
    else:
        assert all(widest(level) for level in range(1, 6))


# Forms.

FORMS: list[Form] = [
    Choice(("a", 2, None)),
    Whole(-7, 3),
    Whole(-2000, 1500),
    Whole(0, 12345),
    Decimal(0, 8.5, 2),
    Decimal(-99, 99, 3),
    Several((Whole(0, 3), word("ab", 2))),
    Listed(Several((Whole(0, 3), Choice((0, 1)))), 1, 3),
    Order((1, 2, 3, 4)),
    OneOf((Whole(-500, 500), text("ab", 0, 3), Listed(Whole(0, 9), 0, 4))),
    As(Whole(0, 9), lambda one: f"n{one}", lambda one: int(one[1:])),
    NOTHING,
]


@settings(max_examples=60)
@given(st.sampled_from(FORMS), st.data())
def test_every_row_means_a_value_and_every_value_has_a_row(form: Form, data: Any) -> None:
    row = tuple(data.draw(st.integers(0, size - 1)) for size in form.sizes)
    value = form.value(row)
    again = form.row(value)
    assert len(again) == len(form.sizes)
    assert all(0 <= place < size for place, size in zip(again, form.sizes, strict=True))
    assert form.value(again) == value
    assert all(0 <= number <= 1 for number in form.features(value))


@pytest.mark.parametrize(
    ("form", "outside"),
    [
        (Choice((1, 2)), 3),
        (Whole(0, 5), 6),
        (Whole(0, 5), True),
        (Whole(-(10**6), 10**6), 0.5),
        (Decimal(0, 8.5, 2), 8.51),
        (Several((Whole(0, 1),)), (0, 0)),
        (Listed(Whole(0, 1), 1, 2), ()),
        (Order((1, 2)), (1, 1)),
        (text("ab", 0, 3), "abc"),
        (text("ab", 0, 3), 7),
        (OneOf((Whole(0, 1), text("ab", 0, 3))), "abba"),
    ],
)
def test_what_is_outside_has_no_row(form: Form, outside: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        form.row(outside)


def test_a_menu_stays_a_number() -> None:
    with contextlib.closing(make("ibench/BlackBox-puzzle-bandit-v1", view="numeric")) as twin:
        assert isinstance(twin.action_space, Discrete)


def test_a_textbook_program_may_call_variables_otherwise() -> None:
    env: Any = make("ibench/BlackBox-program-fib-recursion-v1", setting="2@2")
    words, info = env.reset(seed=0)
    agent = resolve_agent("program/reference", env.spec.id if env.spec else "")()
    agent.reset(seed=0, info=info)
    assert isinstance(agent.solver, Solver)
    over = False
    while not over:
        words, _, over, _, info = env.step(agent.act(words, info))
        assert info["valid"]
