"""All the evidence at once, and which of it the answer needs: the protocol, the pool, the smallest supporting set."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interactive_envs.query_games import games, solver
from interactive_envs.query_games.probes.necessity import Supporting, decides, evidence_pool, excluding, supporting
from tests.wrappers.small import cases, names, play, query_game

GAME = next(name for name in games.every() if name.startswith("set/deductive"))


def answer_of(env: object, seed: int) -> str:
    clean = query_game(GAME, 1)
    return str(play(clean, seed)[2]["solution"])


def test_three_messages_in_this_order() -> None:
    env = query_game(GAME, 1, "necessity?evidence=6")
    right = answer_of(env, 3)
    rules, info = env.reset(seed=3)
    assert "Nothing can be asked. Three things are wanted of you, a message each, and 6 messages are all you" in rules
    assert not any(f"<{kind.tag}>" in rules for kind in games.find(GAME).kinds)
    assert info["action_tags"] == ("first", "redundant", "answer")
    observed = rules.partition("This was observed:\n")[2].partition("\n\n")[0].split("\n")
    assert [line.partition(".")[0] for line in observed] == ["1", "2", "3", "4", "5", "6"]
    early = "Not read: What is asked for now is <first>…</first>. It cost a round.\nRounds left: 5."
    assert env.step(f"<answer>{right}</answer>")[0] == early
    assert env.step(f"<first>{right}</first>")[0] == (
        "That is noted. Which observations does the answer not need? Give their numbers: <redundant>2 5</redundant>."
        "\nRounds left: 4."
    )
    again = "Not read: What is asked for now is <redundant>…</redundant>. It cost a round.\nRounds left: 3."
    assert env.step(f"<first>{right}</first>")[0] == again
    kept = "\n".join(observed[index] for index in (0, 2, 4, 5))
    assert env.step("<redundant>2, 4</redundant>")[0] == (
        f"What you kept:\n{kept}\n\nGive the answer from these observations alone: <answer>…</answer>.\nRounds left: 2."
    )
    observation, reward, *_, info = env.step(f"<answer>{right}</answer>")
    assert (observation, reward, info["outcome"]) == ("Correct.", 1.0, "success")
    record = env.unwrapped.record()
    assert (record["evidence"], record["complete"], record["removed"], record["after_pruning"]) == (
        6,
        True,
        [2, 4],
        True,
    )


def test_the_last_answer_alone_counts() -> None:
    env = query_game(GAME, 1, "necessity")
    right, wrong = answer_of(env, 3), query_game(GAME, 1).unwrapped.task.level
    false = next(text[8:-9] for text in wrong.answer_texts if text != f"<answer>{right}</answer>")
    for first, last, outcome in ((right, false, "failure"), (false, right, "success")):
        env.reset(seed=3)
        env.step(f"<first>{first}</first>")
        env.step("<redundant></redundant>")
        assert env.step(f"<answer>{last}</answer>")[4]["outcome"] == outcome
        record = env.unwrapped.record()
        assert (record["complete"], record["after_pruning"]) == (first == right, last == right)
        assert (record["removed"], record["pruned_sufficient"], record["recall"]) == ([], True, 1.0)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("two", "Give numbers of observations, 1 to 6, or nothing; that was 'two'."),
        ("0 7", "The observations are numbered 1 to 6; that was '0 7'."),
    ],
)
def test_redundant_takes_numbers_of_observations(body: str, reason: str) -> None:
    env = query_game(GAME, 1, "necessity?evidence=6")
    env.reset(seed=3)
    env.step(f"<first>{answer_of(env, 3)}</first>")
    assert env.step(f"<redundant>{body}</redundant>")[4]["reason"] == reason


def test_everything_may_be_removed() -> None:
    env = query_game(GAME, 1, "necessity?evidence=6")
    env.reset(seed=3)
    env.step(f"<first>{answer_of(env, 3)}</first>")
    assert "What you kept:\n(nothing)\n" in env.step("<redundant>1 2 3 4 5 6</redundant>")[0]
    record = env.unwrapped.record()
    assert (record["pruned_sufficient"], record["precision"], record["recall"]) == (False, 1.0, 0.0)
    assert record["after_pruning"] is None


def test_an_episode_that_never_began_has_nothing_to_tell() -> None:
    env = query_game(GAME, 1, "necessity?evidence=6")
    env.reset(seed=3)
    for _ in range(6):
        *_, info = env.step("hm")
    assert info["outcome"] == "timeout"
    record = env.unwrapped.record()
    assert [record[key] for key in ("complete", "removed", "pruned_sufficient", "precision", "after_pruning")] == [
        None
    ] * 5


@pytest.mark.parametrize(("name", "level"), cases())
@pytest.mark.parametrize("size", [5, 24])
def test_the_evidence_always_decides_and_so_does_its_smallest_part(size: int, name: str, level: int) -> None:
    env = query_game(name, level, f"necessity?evidence={size}")
    for seed in range(2):
        rules, info = env.reset(seed=seed)
        evidence, table = info["view"].shown.evidence, games.find(name).level(level)
        count = len(evidence)
        assert count == min(len(table.queries), size) or count > size
        assert f"\n{count}. " in rules
        assert f"\n{count + 1}. " not in rules.partition("This was observed:")[2]
        state = env.unwrapped.record()["state"]
        assert all(table.table[state, query] == code for query, code in evidence)
        left = solver.remaining(table, info["view"].shown.game.opening, evidence)
        assert set(table.right[left]) == {table.right[state]}
        patterns = excluding(table, state, evidence)
        found = supporting(patterns, count)
        assert found is not None
        told = [evidence[number - 1] for number in found.numbers]
        left = solver.remaining(table, info["view"].shown.game.opening, told)
        assert set(table.right[left]) == {table.right[state]}
        for number in found.numbers:
            assert not decides(patterns, [other for other in found.numbers if other != number])


def test_the_pool_is_every_query_where_there_are_few_and_else_has_the_reference_s() -> None:
    level = games.find(GAME).level(1)
    rng = np.random.default_rng(0)
    assert evidence_pool(level, 0, len(level.queries), rng) == list(range(len(level.queries)))
    pool = evidence_pool(level, 0, 1, rng)
    assert pool == sorted(pool)
    left = np.flatnonzero(level.opening == level.opening[0])
    while (query := solver.choose(level, left)) is not None:
        assert query in pool
        left = left[level.table[left, query] == level.table[0, query]]


def brute(patterns: Sequence[int], count: int, near: Sequence[int]) -> tuple[int, int] | None:
    """Size of the smallest sets that meet all patterns, and the most that one of them shares with another set."""
    for size in range(count + 1):
        found = [set(c) for c in itertools.combinations(range(1, count + 1), size) if decides(patterns, c)]
        if found:
            return size, max(len(one & set(near)) for one in found)
    return None


@settings(max_examples=200)
@given(data=st.data(), count=st.integers(1, 8))
def test_the_smallest_set_is_that_of_brute_force(data: st.DataObject, count: int) -> None:
    patterns = data.draw(st.lists(st.integers(0, 2**count - 1), max_size=8))
    near = data.draw(st.lists(st.integers(1, count), unique=True))
    found, expected = supporting(patterns, count, near), brute(patterns, count, near)
    if expected is None:
        assert found is None
        return
    assert found is not None
    assert found.smallest
    assert decides(patterns, found.numbers)
    assert (len(found.numbers), len(set(found.numbers) & set(near))) == expected


def test_a_search_cut_short_leaves_a_set_without_a_useless_part_and_says_so() -> None:
    patterns = [0b0011, 0b0110, 0b1100, 0b1001]
    assert supporting(patterns, 4) == Supporting((1, 3), True)
    found = supporting(patterns, 4, near=[2, 3, 4], nodes=2)
    assert found == Supporting((2, 4), False)


@pytest.mark.parametrize("name", names())
def test_patterns_say_what_the_table_says(name: str) -> None:
    level = games.find(name).level(1)
    rng = np.random.default_rng(3)
    for state in range(0, len(level.world), max(1, len(level.world) // 4)):
        pool = evidence_pool(level, state, 7, rng)
        evidence = [(query, int(level.table[state, query])) for query in pool]
        patterns = excluding(level, state, evidence)
        alike = level.opening == level.opening[state]
        for chosen in itertools.combinations(range(1, len(pool) + 1), 2):
            fits = alike.copy()
            for number in chosen:
                fits &= level.table[:, evidence[number - 1][0]] == evidence[number - 1][1]
            assert decides(patterns, chosen) == (len(set(level.right[fits])) == 1)


@pytest.mark.parametrize(("name", "level"), cases())
def test_the_reference_keeps_no_more_than_the_answer_needs(name: str, level: int) -> None:
    env = query_game(name, level, "necessity")
    _, _, info = play(env, 3)
    told = env.unwrapped.record()
    assert (info["outcome"], info["turns"]) == ("success", 3)
    assert told["complete"] is told["pruned_sufficient"] is told["after_pruning"] is True
    assert told["evidence"] - len(told["removed"]) == len(told["needed_smallest"])
    assert told["precision"] == told["recall"] == 1
