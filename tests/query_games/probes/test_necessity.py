"""All the evidence at once, and which of it the answer needs: the protocol, the pool, the smallest supporting set."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interactive_envs import evaluate
from interactive_envs.agents.llm import LLMAgent
from interactive_envs.agents.query_games import GreedyRandom, RandomQueries, Reference
from interactive_envs.llm.base import CompletionRequest
from interactive_envs.query_games import games, solver
from interactive_envs.query_games.probes.necessity import Supporting, decides, evidence_pool, excluding, supporting
from tests.wrappers.small import cases, names, play, query_game

GAME = next(name for name in games.every() if name.startswith("set/deductive"))


def answer_of(env: object, seed: int) -> str:
    clean = query_game(GAME, 1)
    return str(play(clean, seed)[2]["solution"])


def wrong_answer(env: object, seed: int) -> str:
    right = f"<answer>{answer_of(env, seed)}</answer>"
    return next(text[8:-9] for text in query_game(GAME, 1).unwrapped.task.level.answer_texts if text != right)


def observed(rules: str) -> list[str]:
    """The observations that a text shows, without their numbers."""
    lines = rules.partition("Observations:\n")[2].partition("\n\n")[0].split("\n")
    return [line.partition(". ")[2] for line in lines if line != "(none)"]


def judge(env: Any, seed: int, first: str, redundant: str, last: str) -> tuple[float, dict[str, Any]]:
    """An episode's reward and record."""
    env.reset(seed=seed)
    env.step(f"<answer>{first}</answer>")
    env.step(f"<redundant>{redundant}</redundant>")
    _, reward, over, _, info = env.step(f"<answer>{last}</answer>")
    assert (over, info["outcome"]) == (True, "scored")
    return reward, env.unwrapped.record()


def test_three_messages_in_this_order() -> None:
    env = query_game(GAME, 1, "necessity?evidence=6")
    right = answer_of(env, 3)
    rules, info = env.reset(seed=3)
    assert len(observed(rules)) == 6
    assert not any(f"<{kind.tag}>" in rules for kind in games.find(GAME).kinds)
    assert info["action_tags"] == ("answer",)
    again = "Not read: I found no action; write <answer>…</answer>. It cost a round.\nRounds left: 5."
    assert env.step("<redundant>2</redundant>")[0] == again
    request, *_, info = env.step(f"<answer>{right}</answer>")
    assert request.startswith(
        "Noted. Which observations can be left out, all at once, so that the others still decide the answer?"
    )
    assert request.endswith("<redundant>2 5</redundant>, or <redundant></redundant> for none.\nRounds left: 4.")
    assert (info["action_tags"], "remember" in info) == (("redundant",), False)
    again = "Not read: I found no action; write <redundant></redundant>. It cost a round.\nRounds left: 3."
    assert env.step(f"<answer>{right}</answer>")[0] == again
    *_, info = env.step("<redundant>2, 4</redundant>")
    assert info["action_tags"] == ("answer",)
    observation, reward, *_, info = env.step(f"<answer>{right}</answer>")
    assert (observation, info["outcome"]) == ("Correct.\nThe episode is over.", "scored")
    record = env.unwrapped.record()
    judged = (record["evidence"], record["complete"], record["removed"], record["after_pruning"])
    assert judged == (6, True, [2, 4], True)
    assert record["score"] == reward


@pytest.mark.parametrize("name", names())
def test_the_first_message_announces_nothing(name: str) -> None:
    rules, info = query_game(name, 1, "necessity").reset(seed=3)
    assert not re.search("redundant|remove|again|dialogue|messages|score", rules)
    assert "Observations:\n1. " in rules
    assert info["action_tags"] == ("answer",)


@pytest.mark.parametrize("probes", [["necessity"], ["necessity", "isomorphic?domain=law"]])
@pytest.mark.parametrize("name", names())
def test_the_second_question_comes_in_a_fresh_dialogue_with_the_kept_evidence_alone(
    probes: list[str], name: str
) -> None:
    env = query_game(name, 1, *probes)
    rules, info = env.reset(seed=3)
    first = info["view"]
    answer = Reference().act("", info)
    for action in ("nonsense", answer):
        *_, info = env.step(action)
    assert len(info["view"].exchanges) == 2
    text, *_, info = env.step(f"<redundant>{' '.join(map(str, range(3, len(observed(rules)) + 1)))}</redundant>")
    kept, before = observed(text), observed(rules)
    assert kept == before[:2]
    without = "\n".join(f"{number}. {line}" for number, line in enumerate(before, 1))
    with_two = "\n".join(f"{number}. {line}" for number, line in enumerate(kept, 1))
    assert text == f"{rules.replace(without, with_two)}\nRounds left: 3."
    assert info["remember"] == 0
    assert info["view"].exchanges == ()
    shown = info["view"].shown
    assert (shown.phase, shown.evidence) == (first.shown.phase, first.shown.evidence[:2])
    assert env.unwrapped.protocol.view_text(env.unwrapped.state) == text
    assert answer not in text.partition("for example: ")[0]


def test_removing_nothing_no_longer_wins() -> None:
    env = query_game(GAME, 1, "necessity")
    right = answer_of(env, 3)
    reward, record = judge(env, 3, right, "", right)
    assert (reward, record["score"]) == (0, 0)
    assert (record["after_pruning"], record["pruned_sufficient"], record["removed"]) == (True, True, [])


def test_a_memory_of_the_first_answer_does_not_help_without_the_evidence() -> None:
    env = query_game(GAME, 1, "necessity?evidence=6")
    right = answer_of(env, 3)
    reward, record = judge(env, 3, right, "1 2 3 4 5 6", right)
    assert (reward, record["after_pruning"], record["pruned_sufficient"]) == (0, True, False)


@pytest.mark.parametrize(("name", "level"), cases())
def test_the_reward_is_the_share_of_the_removable_observations_that_were_removed(name: str, level: int) -> None:
    """Found again by trying sets of observations on the answer table, without the probe's own search."""
    env = query_game(name, level, "necessity?evidence=7")
    _, info = env.reset(seed=4)
    evidence, table = info["view"].shown.evidence, games.find(name).level(level)
    opening = info["view"].shown.game.opening

    def decided(chosen: Sequence[int]) -> bool:
        left = solver.remaining(table, opening, [evidence[number - 1] for number in chosen])
        return len(set(table.right[left])) == 1

    numbers, right = range(1, len(evidence) + 1), str(play(query_game(name, level), 4)[2]["solution"])
    sets = [one for size in range(len(evidence) + 1) for one in itertools.combinations(numbers, size)]
    smallest = next(len(one) for one in sets if decided(one))
    spare = len(evidence) - smallest
    for kept in sets[:: max(1, len(sets) // 12)]:
        redundant = " ".join(str(number) for number in numbers if number not in kept)
        expected = ((len(evidence) - len(kept)) / spare if spare else 1.0) if decided(kept) else 0.0
        reward, record = judge(env, 4, right, redundant, right)
        assert (reward, record["score"]) == (pytest.approx(expected), pytest.approx(expected))


def test_the_last_answer_alone_counts() -> None:
    env = query_game(GAME, 1, "necessity")
    right, false = answer_of(env, 3), wrong_answer(env, 3)
    env.reset(seed=3)
    env.step(f"<answer>{right}</answer>")
    record = env.unwrapped.record()
    redundant = " ".join(str(n) for n in range(1, record["evidence"] + 1) if n not in record["needed_smallest"])
    for first, last, pays in ((right, false, 0.0), (false, right, 1.0)):
        reward, record = judge(env, 3, first, redundant, last)
        assert reward == pays
        assert (record["complete"], record["after_pruning"]) == (first == right, last == right)
        assert (record["pruned_sufficient"], record["recall"]) == (True, 1.0)


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
    env.step(f"<answer>{answer_of(env, 3)}</answer>")
    assert env.step(f"<redundant>{body}</redundant>")[4]["reason"] == reason


def test_everything_may_be_removed_and_then_precision_has_no_value() -> None:
    env = query_game(GAME, 1, "necessity?evidence=6")
    env.reset(seed=3)
    env.step(f"<answer>{answer_of(env, 3)}</answer>")
    assert "Observations:\n(none)\n" in env.step("<redundant>1 2 3 4 5 6</redundant>")[0]
    record = env.unwrapped.record()
    assert (record["pruned_sufficient"], record["precision"], record["recall"]) == (False, None, 0.0)
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
    assert record["score"] == 0


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
        assert f"\n{count + 1}. " not in rules.partition("Observations:")[2]
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
    assert (info["outcome"], info["turns"], told["score"]) == ("scored", 3, 1.0)
    assert told["complete"] is told["pruned_sufficient"] is told["after_pruning"] is True
    assert told["evidence"] - len(told["removed"]) == len(told["needed_smallest"])
    assert told["precision"] == told["recall"] == 1


def test_players_of_known_strength_judge_the_evidence_in_their_order() -> None:
    scores = {}
    for player in (Reference, GreedyRandom, RandomQueries):
        scores[player] = [_judged_by(player, seed) for seed in range(8)]
    means = [float(np.mean(found)) for found in scores.values()]
    assert means[0] > 0.95
    assert means[0] > means[1] > 0.5 > means[2]


def _judged_by(player: type[Reference | GreedyRandom | RandomQueries], seed: int) -> float:
    env = query_game(GAME, 1, "necessity")
    one = player()
    observation, info = env.reset(seed=seed)
    one.reset(seed=seed, info=info)
    reward, over = 0.0, False
    while not over:
        observation, reward, over, _, info = env.step(one.act(str(observation), info))
    return float(reward)


def test_a_language_model_is_sent_the_rules_and_the_kept_evidence_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent: list[CompletionRequest] = []
    env = query_game(GAME, 1, "necessity?evidence=6")
    right = answer_of(env, 3)
    texts = iter([f"<answer>{right}</answer>", "<redundant>3 4 5 6</redundant>", f"<answer>{right}</answer>"])

    class Client:
        model, priced = "p/m", True

        def complete(self, request: CompletionRequest) -> Any:
            sent.append(request)
            return type("Call", (), {"text": next(texts)})()

    monkeypatch.setattr("interactive_envs.agents.llm.client", lambda target, **options: Client())
    agent = LLMAgent("p/m")
    observation, info = env.reset(seed=3)
    agent.reset(seed=3, info=info)
    observations, over = [str(observation)], False
    while not over:
        observation, _, over, _, info = env.step(agent.act(observation, info))
        observations.append(str(observation))
    assert [len(request.messages) for request in sent] == [2, 4, 2]
    assert sent[2].messages[0] == sent[0].messages[0]
    assert sent[2].messages[1] == {"role": "user", "content": observations[2]}


def test_the_page_of_an_episode_marks_the_new_dialogue_once(tmp_path: Path) -> None:
    env_id = f"ibench/Query-{GAME.replace('/', '-')}-v1"
    evaluate(env_id, "query-games/reference", probes="necessity", episodes=1, seed=3, out=tmp_path).report()
    (page,) = (tmp_path / "transcripts").iterdir()
    before, mark, after = page.read_text("utf-8").partition("From here on the player remembers nothing")
    assert "Which observations can be left out, all at once, so that the others still decide the answer?" in before
    assert mark
    assert "Which observations can be left out, all at once, so that the others still decide the answer?" not in after
    assert "remembers" not in after
