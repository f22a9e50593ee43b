"""Replies that are corrected, false or late, word for word, and how the reference player fares."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from interactive_envs.agents.query_games import Reference
from interactive_envs.dialogue.view import DelayedReply, facts_of
from interactive_envs.making import make
from interactive_envs.query_games import games, solver
from tests.wrappers.small import Mistaken, cases, daily, play, query_game, said, sample, small, usual

RULES = "A divisor is hidden.\n\nAsk: <ask>6</ask>.\n\nRounds: "


def test_one_reply_is_false_and_the_next_one_corrects_it() -> None:
    env = small("revision")
    assert said(env, "<ask>7</ask>", "<ask>8</ask>", "<ask>9</ask>", "<ask>8</ask>", "<answer>5</answer>") == [
        f"{RULES}7.",
        "2.\nRounds left: 6.",
        "4.\nRounds left: 5.",
        "4.\nCorrection: the reply to your query 2 was wrong. The right reply is: 3.\nRounds left: 4.",
        "3.\nRounds left: 3.",
        "Correct.",
    ]
    assert facts_of(env.unwrapped.view()) == [(7, 2), (8, 3), (9, 4), (8, 3)]
    assert env.unwrapped.record() == {"false_reply": 2, "corrected": True}


def test_a_reply_is_corrected_some_queries_later_and_the_query_is_not_repeated() -> None:
    env = small("revision?turn=1&after=3")
    asked = ["<ask>7</ask>", "<ask>8</ask>", "<ask>9</ask>", "<ask>6</ask>", "<ask>6</ask>", "<answer>5</answer>"]
    assert said(env, *asked) == [
        f"{RULES}9.",
        "3.\nRounds left: 8.",
        "3.\nRounds left: 7.",
        "4.\nRounds left: 6.",
        "1.\nCorrection: the reply to your query 1 was wrong. The right reply is: 2.\nRounds left: 5.",
        "1.\nRounds left: 4.",
        "Correct.",
    ]
    assert facts_of(env.unwrapped.view()) == [(7, 2), (8, 3), (9, 4), (6, 1), (6, 1)]
    assert env.unwrapped.record() == {"false_reply": 1, "corrected": True}


@pytest.mark.parametrize(("name", "level"), cases())
def test_nobody_who_reasons_well_answers_before_the_correction_comes(name: str, level: int) -> None:
    """Taken for true, the replies before the correction always leave several answers."""
    env = query_game(name, level, "revision?turn=1&after=4", budget=usual(name, level))
    table = games.find(name).level(level)
    for seed in range(3):
        _, _, info = play(env, seed)
        assert info["outcome"] == "success"
        record, view = env.unwrapped.record(), info["view"]
        if not record["false_reply"]:
            continue
        assert record["corrected"]
        told = []
        for exchange in view.exchanges:
            if isinstance(exchange.fact, DelayedReply):
                break
            told.append((exchange.key, exchange.fact.code))
        for count in range(1, len(told) + 1):
            left = solver.remaining(table, view.shown.opening, told[:count])
            assert len(set(table.right[left])) > 1


def test_an_answer_before_the_correction_is_an_answer() -> None:
    env = small("revision")
    assert said(env, "<ask>7</ask>", "<ask>8</ask>", "<answer>4</answer>")[-1] == "Incorrect.\nThe episode is over."
    assert env.unwrapped.record() == {"false_reply": 2, "corrected": False}


def test_where_no_reply_is_wrong_and_open_the_next_query_is_taken() -> None:
    class Picky(Mistaken):
        def wrong_fact(self, state: int, query: int, rng: Any) -> int | None:
            return None if query == 7 else query % state + 1

        def mishear(self, state: Any, fact: int) -> Any:
            return fact

        def undecided(self, state: int) -> bool:
            return state != 4

    env = small("revision?turn=1", task=Picky())
    said(env, "<ask>7</ask>", "<ask>8</ask>")
    assert env.unwrapped.record() == {"false_reply": None, "corrected": False}
    env.step("<ask>6</ask>")
    assert env.unwrapped.record() == {"false_reply": 3, "corrected": False}


def test_a_lie_is_never_corrected() -> None:
    env = small("lies", budget=2)
    assert said(env, "<ask>7</ask>", "<ask>7</ask>", "<ask>8</ask>") == [
        f"{RULES}4.\n\nUp to 1 reply may be false.",
        "3.\nRounds left: 3.",
        "2.\nRounds left: 2.",
        "3.\nRounds left: 1.",
    ]
    assert facts_of(env.unwrapped.view()) == [(7, 3), (7, 2), (8, 3)]
    assert env.unwrapped.record() == {"false_replies": [1]}


def test_several_lies_are_told_in_the_first_half() -> None:
    env = small("lies?k=2", budget=8)
    rules = said(env, *["<ask>7</ask>"] * 10)[0]
    assert rules == f"{RULES}12.\n\nUp to 2 replies may be false."
    false = env.unwrapped.record()["false_replies"]
    assert len(false) == 2
    assert max(false) <= 4
    assert [fact for _, fact in facts_of(env.unwrapped.view())] == [3 if n in false else 2 for n in range(1, 11)]


def test_replies_come_late_and_none_is_lost() -> None:
    env = small("delay", budget=3)
    assert said(env, "<ask>7</ask>", "<ask>8</ask>", "<ask>x</ask>", "<ask>9</ask>") == [
        f"{RULES}5.\n\nThe reply to each query comes only after your next query.",
        "The reply comes later.\nRounds left: 4.",
        "The reply to your query 1, <ask>7</ask>: 2.\nRounds left: 3.",
        "Not read: That is no number. It cost a round.\nRounds left: 2.",
        "The reply to your query 2, <ask>8</ask>: 3.\nRounds left: 1.",
    ]
    assert facts_of(env.unwrapped.view()) == [(7, 2), (8, 3)]
    assert env.step("<answer>5</answer>")[4]["outcome"] == "success"


def test_replies_can_be_two_queries_late() -> None:
    env = small("delay?k=2", budget=3)
    assert said(env, "<ask>7</ask>", "<ask>8</ask>", "<ask>9</ask>") == [
        f"{RULES}7.\n\nThe reply to each query comes only after 2 further queries.",
        "The reply comes later.\nRounds left: 6.",
        "The reply comes later.\nRounds left: 5.",
        "The reply to your query 1, <ask>7</ask>: 2.\nRounds left: 4.",
    ]


@pytest.mark.every(5)
@pytest.mark.parametrize(("name", "level"), cases())
@pytest.mark.parametrize("probe", ["revision", "revision?after=3", "delay", "delay?k=2"])
def test_the_reference_succeeds_with_the_usual_budget(probe: str, name: str, level: int) -> None:
    env = query_game(name, level, probe, budget=usual(name, level))
    assert [play(env, seed)[2]["outcome"] for seed in range(2)] == ["success"] * 2


SAMPLES = pytest.mark.parametrize("sampled", [daily(), pytest.param(sample(), marks=pytest.mark.long)], ids=len)


@SAMPLES
def test_most_episodes_are_revised_and_then_corrected(sampled: list[tuple[str, int]]) -> None:
    records = []
    for game in sampled:
        env = query_game(*game, "revision", budget=usual(*game))
        for seed in range(2):
            play(env, seed)
            records.append(env.unwrapped.record())
    false = [record["corrected"] for record in records if record["false_reply"]]
    assert len(false) > len(records) / 2
    assert all(false)


@pytest.mark.parametrize(("name", "level"), cases())
def test_a_false_reply_fits_what_was_told_and_leaves_the_answer_open(name: str, level: int) -> None:
    env = query_game(name, level, "revision?turn=1")
    clean = query_game(name, level)
    _, actions, _ = play(clean, 5)
    env.reset(seed=5)
    task, truth = env.unwrapped.task.inner, clean.unwrapped.view().exchanges
    for action, exchange in zip(actions[:-1], truth, strict=False):
        fact = env.step(action)[4]["view"].exchanges[-1].fact
        if env.unwrapped.record()["false_reply"]:
            assert fact != exchange.fact
            told = [(key, told.code) for key, told in facts_of(env.unwrapped.view())]
            fits = [(task.level.table[:, key] == code) for key, code in told]
            fits.append(task.level.opening == env.unwrapped.view().shown.opening)
            assert len(set(task.level.right[sum(fits) == len(fits)])) > 1
            break
        assert fact == exchange.fact


@pytest.mark.parametrize(("name", "level"), cases())
def test_a_lie_can_be_found_out_within_the_budget(name: str, level: int) -> None:
    env = query_game(name, level, "lies", budget=usual(name, level))
    assert [play(env, seed, Reference(lies=1))[2]["outcome"] for seed in range(3)] == ["success"] * 3


@SAMPLES
def test_most_of_these_games_have_a_lie_and_without_one_the_reference_succeeds(sampled: list[tuple[str, int]]) -> None:
    """The reference trusts every reply until they contradict each other: where it was lied to it mostly fails."""
    outcomes: Counter[tuple[bool, str]] = Counter()
    for game in sampled:
        env = query_game(*game, "lies", budget=usual(*game))
        for seed in range(2):
            outcome = play(env, seed)[2]["outcome"]
            outcomes[bool(env.unwrapped.record()["false_replies"]), outcome] += 1
    told, none = outcomes[True, "success"] + outcomes[True, "failure"], outcomes[False, "success"]
    assert told > (told + none) / 2
    assert none
    assert sum(outcomes.values()) == told + none
    assert not outcomes[False, "failure"]


@pytest.mark.parametrize("probe", ["revision?turn=2&after=2", "lies?k=1"])
def test_a_false_reply_of_a_menu_puzzle_fits_the_earlier_ones(probe: str) -> None:
    """Some explanation agrees with all replies up to the false one; several do where it is to be revised."""
    env: Any = make("ibench/SituationPuzzle-v1", probes=probe, mode="menu")
    false = 0
    for seed in range(40):
        env.reset(seed=seed)
        for number in (1, 2, 3, 4, 5):
            env.step(f"<ask>{number}</ask>")
        record = env.unwrapped.record()
        at = record["false_reply"] if "false_reply" in record else next(iter(record["false_replies"]), None)
        if at is None:
            continue
        false += 1
        matrix = np.array(env.unwrapped.view().shown.matrix)
        told = [exchange.fact for exchange in env.unwrapped.view().exchanges][:at]
        agree = (matrix[:at] == np.array(told)[:, None]).all(axis=0)
        assert agree.sum() > ("revision" in probe)
    assert false >= (20 if "revision" in probe else 5)


@pytest.mark.parametrize(
    ("probe", "said"),
    [
        ("revision?turn=1", "Correction: the reply to your query 1 was wrong. The right reply is:"),
        ("lies", ""),
        ("delay", "The reply to your query 2, <ask>2</ask>:"),
    ],
)
def test_puzzles_with_a_menu_can_be_probed(probe: str, said: str) -> None:
    env: Any = make("ibench/SituationPuzzle-v1", probes=probe, mode="menu")
    env.reset(seed=1)
    replies = [str(env.step(f"<ask>{number}</ask>")[0]) for number in (1, 2, 3)]
    assert any(said in reply for reply in replies)
