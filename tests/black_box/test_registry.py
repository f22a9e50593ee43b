"""What holds for every black box, fixed and generated."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from interactive_envs import catalog
from interactive_envs.agent import resolve_agent
from interactive_envs.black_box import families as boxes
from interactive_envs.black_box.base import FAMILIES, LEVELS, AnswerBox, Box, GameBox, Trial
from interactive_envs.black_box.env import BlackBoxEnv
from interactive_envs.black_box.suites import black_box_suite, qualification_suite
from interactive_envs.dialogue.probe import read_probes
from interactive_envs.errors import ConfigError
from interactive_envs.making import make
from interactive_envs.parsing import Unreadable

EVERY = [(family.name, box) for family, box in boxes.every()]
DAILY = {next(pair for pair in EVERY if pair[0] == name) for name in FAMILIES} | {(name, "random") for name in FAMILIES}
"""A fixed box of every family and its generated ones."""
SAMPLED = pytest.mark.parametrize(
    ("family", "box"), [pytest.param(*pair, marks=() if pair in DAILY else pytest.mark.long) for pair in EVERY]
)
ODD = ("", " ", "0", "-1", "1e999", "nan", "٣", "9" * 5000, "x" * 20_000, "(", "[[[]]]", "{'a': 1}", "\x00", "é", "1,1")
NONSENSE = (None, "x", [], {}, 1e308, [[1]], {"A": 3}, True, -(10**400))


def made(family: str, box: str, seed: int = 0, **arguments: Any) -> tuple[BlackBoxEnv, Any]:
    """An environment at the beginning of an episode, and its case."""
    env = BlackBoxEnv(family=family, box=box, **arguments)
    env.reset(seed=seed)
    return env, env.state.case


def random_actions(env: BlackBoxEnv, rng: np.random.Generator, turns: int) -> list[str]:
    """What a player that draws among the legal actions says until the exploration ends."""
    said: list[str] = []
    while env.view().stage == "rounds" and sum(env.state.task_state.turns) < turns:
        legal = [text for text in env.legal_actions() or env.task.action_examples if "<answer" not in text]
        text = str(rng.choice([text for text in legal if "<ready" not in text]))
        env.step(text)
        said.append(text)
    return said


def test_oracles_boxes_are_all_there() -> None:
    grades = Counter((name, entry.grade) for name in FAMILIES for entry in boxes.family(name).boxes.values())
    assert grades >= Counter(ORACLES)
    fixed = sum(grades.values())
    tags = [unit["tags"] for env_id, unit in catalog.load()["units"].items() if "/BlackBox-" in env_id]
    assert sum(not found["grade"].startswith("made") for found in tags) == fixed + len(FAMILIES)


ORACLES = {
    ("circuit", "easy"): 5,
    ("circuit", "hard"): 10,
    ("program", "easy"): 11,
    ("program", "hard"): 6,
    ("cipher", "easy"): 11,
    ("cipher", "hard"): 9,
    ("mechanics", "easy"): 13,
    ("mechanics", "hard"): 8,
    ("puzzle", "easy"): 5,
    ("puzzle", "hard"): 6,
    ("strategy", "easy"): 6,
    ("strategy", "hard"): 6,
    ("program", "baseline"): 1,
    ("cipher", "baseline"): 1,
    ("mechanics", "baseline"): 1,
}
"""How many boxes of each grade ORACLE has."""


@SAMPLED
def test_its_name_is_never_told(family: str, box: str) -> None:
    for partial in ("full", "partial"):
        env, _ = made(family, box, observability=partial)
        texts = [env.observe(), env.view_text(), repr(env.view())]
        for text in random_actions(env, np.random.default_rng(1), 2)[:6]:
            texts.append(text)
        texts += [env.observe(), repr(env.view())]
        words = {box, box.replace("-", " "), box.replace("-", "_"), box.replace("-", "")} - {"random", "number", "line"}
        for word in words:
            assert not any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE) for text in texts), word


@SAMPLED
def test_its_rules_are_short_and_whole(family: str, box: str) -> None:
    for partial in ("full", "partial"):
        _, case = made(family, box, observability=partial)
        said: Box = case.box
        text = f"{said.introduction()} {said.examination()}"
        assert len(text) <= 2200
        assert "{" not in text.replace('{"', "") or family == "mechanics"
        assert hash(said.public) == hash(said.public)


@SAMPLED
def test_items_were_not_asked_and_are_rightly_marked(family: str, box: str) -> None:
    for seed in range(3):
        env, case = made(family, box, seed)
        said: Box = case.box
        random_actions(env, np.random.default_rng(seed), 5)
        if env.view().stage == "rounds":
            env.step("<ready></ready>")
        if isinstance(said, GameBox):
            continue
        assert isinstance(said, AnswerBox)
        session = env.state.task_state
        asked = {query for query, _ in session.asked}
        for item in session.items or ():
            assert item.key is None or item.key not in asked
            assert said.mark(item.truth, item.truth) == 1.0
            written = said.read_answer(item.key, said.show_answer(item.truth))
            assert not isinstance(written, Unreadable), (item, said.show_answer(item.truth))
            assert said.mark(item.truth, written) == 1.0


@SAMPLED
def test_odd_texts_are_read_or_refused_in_a_sentence(family: str, box: str) -> None:
    env, case = made(family, box)
    said: Box = case.box
    seen = said.seen(case.trials[0], said.begin(case.trials[0]))
    for text in ODD:
        for tag in said.tags:
            found = said.read_query(tag, text, seen)
            assert not isinstance(found, Unreadable) or 10 < len(found.reason) < 400
            hash(found)
    env.step("<ready></ready>")
    item = env.state.task_state.question
    if isinstance(said, AnswerBox) and item is not None:
        for text in ODD:
            answer = said.read_answer(item.key, text)
            assert isinstance(answer, Unreadable) or 0.0 <= said.mark(item.truth, answer) <= 1.0


@SAMPLED
def test_the_same_seed_is_the_same_episode(family: str, box: str) -> None:
    stories = []
    for _ in range(2):
        env, _ = made(family, box, 7)
        said = random_actions(env, np.random.default_rng(3), 4)
        stories.append((said, env.view_text(), env.record()))
    assert stories[0] == stories[1]


@pytest.mark.parametrize("family", FAMILIES)
def test_what_a_family_cannot_do_is_said(family: str) -> None:
    box = next(iter(boxes.family(family).boxes))
    declared = boxes.family(family)
    for argument, value, obstacle in (
        ("feedback", "delayed", declared.no_delay),
        ("answer_as", "code", declared.no_code),
    ):
        if obstacle:
            with pytest.raises(ConfigError, match=re.escape(obstacle)):
                BlackBoxEnv(family=family, box=box, **{argument: value})
        else:
            BlackBoxEnv(family=family, box=box, **{argument: value}).reset(seed=0)


@pytest.mark.every(6)
@pytest.mark.parametrize(("family", "box"), [pair for pair in EVERY if not boxes.family(pair[0]).no_code])
def test_values_of_functions_are_marked_whatever_they_are(family: str, box: str) -> None:
    _, case = made(family, box)
    said = case.box
    assert isinstance(said, AnswerBox)
    assert said.function is not None
    assert said.function.signature.startswith("solution(")
    arguments = said.calls(Trial(), (), np.random.default_rng(0), 200)
    assert len(arguments) == len(set(arguments)) > 5
    for argument in arguments[:40]:
        truth = said.value(Trial(), argument)
        if family in ("circuit", "cipher"):  # where the function returns what the answer is
            right = list(truth) if isinstance(truth, tuple) else truth
            assert said.mark_value(truth, right) == 1.0, (argument, truth)
        for nonsense in NONSENSE if truth is not None else ():
            assert said.mark_value(truth, nonsense) in (0.0, float(isinstance(nonsense, bool | float)))


@pytest.mark.parametrize("family", FAMILIES)
def test_its_reference_player_plays_the_protocol(family: str) -> None:
    names = [next(iter(boxes.family(family).boxes)), "random"]
    for box in names:
        env, _ = made(family, box)
        player = resolve_agent("reference", f"ibench/BlackBox-{family}-{box}-v1")()
        observation, info = env.reset(seed=1)
        player.reset(seed=1, info=info)
        over = False
        while not over:
            observation, reward, over, _, info = env.step(player.act(observation, info))
            assert info["valid"], info["reason"]
        assert -1.0 <= reward <= 1.0


@pytest.mark.parametrize("family", sorted({*FAMILIES} - {"strategy"}))
def test_its_reference_player_revises_what_it_concluded_from_a_false_reply(family: str) -> None:
    env, _ = made(family, "random", probes=read_probes("revision?turn=3&after=2"))
    player, scores = resolve_agent("reference", f"ibench/BlackBox-{family}-random-v1")(), []
    for seed in range(4):
        observation, info = env.reset(seed=seed)
        player.reset(seed=seed, info=info)
        over = False
        while not over:
            observation, reward, over, _, info = env.step(player.act(observation, info))
            assert info["valid"], info["reason"]
        scores.append(reward)
        assert any(env.record()["false_replies"])
    assert sum(scores) > 2


@pytest.mark.parametrize("family", FAMILIES)
def test_its_reference_player_refuses_other_games(family: str) -> None:
    player = resolve_agent(f"{family}/reference")()
    with pytest.raises(ConfigError, match=f"plays {family} black boxes only"):
        player.reset(seed=0, info={"view": None})


def test_the_docs_say_what_partial_observability_hides() -> None:
    page = (Path(__file__).parents[2] / "docs" / "black-boxes.md").read_text(encoding="utf-8")
    assert all(f"| `{name}` | {boxes.family(name).hides} |" in page for name in FAMILIES)


def test_suites_hold_what_they_say() -> None:
    graded = [entry for name in FAMILIES for entry in boxes.family(name).boxes.values() if entry.grade != "baseline"]
    assert len(black_box_suite()) == len(graded)
    both = black_box_suite(2, ("10@1", "20@2"))
    assert len(both) == 2 * 2 * 12
    assert {arguments["setting"] for env_id, arguments in both if "strategy" in env_id} == {"1@1", "2@1"}
    assert len(black_box_suite(difficulties=(1, 5))) == 12
    assert [arguments for _, arguments in qualification_suite()] == [{"setting": "12@1"}] * 3
    with pytest.raises(ConfigError, match="at least 1 box a cell, got 0"):
        black_box_suite(0)


def test_the_list_of_environments_tells_no_mechanism() -> None:
    named = {env_id: entry["summary"] for env_id, entry in catalog.load()["units"].items() if "BlackBox-" in env_id}
    for family, box in EVERY:
        about = named[f"ibench/BlackBox-{family}-{box}-v1"]
        grade = "generated" if box == "random" else boxes.entry(family, box).grade
        assert {*re.findall(r"\w+", about.lower())} <= {"a", "fixed", "box", "boxes", "five", "levels", family, grade}


def answered(env: BlackBoxEnv, text: str) -> tuple[Any, ...]:
    """What the player has after a whole item, or a whole game that counts, of nothing but one text."""
    number = env.state.task_state.item, env.state.task_state.number
    while True:
        observation, _, over, _, info = env.step(text)
        if over or (env.state.task_state.item, env.state.task_state.number) != number:
            # Numbers of messages, and what an action was, both sides know.
            known = ("message_range", "valid", "illegal", "reason", "kind")
            return str(observation), repr({name: info[name] for name in info if name not in known}), over


@SAMPLED
def test_nothing_of_an_item_is_left_at_the_next(family: str, box: str) -> None:
    """Whether the answer was right, wrong or no answer: text, View, retries and all are the same afterwards."""
    left = []
    for kind in ("right", "wrong", "unreadable"):
        env, case = made(family, box, 11, setting="2@2")
        random_actions(env, np.random.default_rng(2), 2)
        item = env.state.task_state.question
        assert item is not None
        text = "?"
        if isinstance(case.box, GameBox):
            text = {"right": (env.legal_actions() or [""])[0], "wrong": (env.legal_actions() or [""])[-1]}.get(
                kind, "?"
            )
        elif kind == "right":
            text = f"<answer>{case.box.show_answer(item.truth)}</answer>"
        elif kind == "wrong":
            text = next((one for one in case.box.examples if one.startswith("<answer")), "?")
        observation, info, over = answered(env, text)
        if not over:
            left.append((observation, info))
    assert len(set(left)) <= 1


@pytest.mark.parametrize("family", FAMILIES)
def test_its_reference_player_gains_nothing_from_earlier_parts_and_items(family: str) -> None:
    """Its answers to later items do not depend on what came before them in the test."""
    said = []
    for first in ("reference", "?"):
        env, _ = made(family, "random", 5, setting="3@1")
        player = resolve_agent("reference", f"ibench/BlackBox-{family}-random-v1")()
        observation, info = env.reset(seed=5)
        player.reset(seed=5, info=info)
        over, later = False, []
        while not over:
            session = env.state.task_state
            text = player.act(observation, info)
            fresh = session.number == session.item == 0 and session.items is not None
            if fresh and first == "?":
                text = "?"
            elif session.item or session.number:
                later.append((session.number, session.item, text))
            observation, _, over, _, info = env.step(text)
        answers = [one for one in later if "<answer>" in one[2] or family == "strategy"]
        said.append([text for number, item, text in answers] if family in ("circuit", "mechanics", "program") else [])
    assert said[0] == said[1]


@SAMPLED
def test_copying_the_form_of_an_answer_wins_no_more_than_chance(family: str, box: str) -> None:
    """Each item is answered with what the rules show as an example, each move is the one that they show."""
    copied, drawn = [], []
    for seed in range(6):
        env, _ = made(family, box, seed)
        shown = re.findall(r"<answer>[^<…]+</answer>|<move>[^<…]+</move>", str(env.observe()))
        scores = {}
        for name in ("copied", "drawn"):
            rng = np.random.default_rng(seed)
            observation, info = env.reset(seed=seed)
            player = resolve_agent("random", f"ibench/BlackBox-{family}-{box}-v1")()
            player.reset(seed=seed, info=info)
            over = False
            while not over:
                text = player.act(observation, info)
                if name == "copied" and env.view().stage == "test":
                    legal = info.get("legal_actions") or shown
                    options = [one for one in shown if one in legal] or [str(rng.choice(list(legal)))]
                    text = options[-1]
                observation, score, over, _, info = env.step(text)
            scores[name] = float(score)
        copied.append(scores["copied"])
        drawn.append(scores["drawn"])
    spread = 0.12 if family != "strategy" else 0.25
    assert np.mean(copied) <= np.mean(drawn) + spread, (copied, drawn)


@SAMPLED
def test_the_preset_paper_is_oracles_protocol(family: str, box: str) -> None:
    """10@1 (12@1, 1@1), told to the player; c^k told; format retries of two; all or nothing."""
    env = make(f"ibench/BlackBox-{family}-{box}-v1", preset="paper")
    assert isinstance(env, BlackBoxEnv)
    rules, _ = env.reset(seed=0)
    mode = env.task.mode  # type: ignore[attr-defined]
    grade = "random" if box == "random" else boxes.entry(family, box).grade
    assert (mode.turns, mode.shots) == (1 if family == "strategy" else 12 if grade == "baseline" else 10, 1)
    assert (mode.test_feedback, mode.exact, mode.delayed, mode.turn_cost, env.terms.retries) == (
        True,
        True,
        False,
        0,
        2,
    )
    assert mode.code == (box in ("ball-air-resistance", "double-pendulum", "harmonic-friction"))
    assert ("you may play one practice game." if family == "strategy" else f"You have {mode.turns} turns") in rules
    assert "You have 2 retries per" in rules
    assert family == "strategy" or "After each answer you are told whether it was right." in rules
    longer = make(f"ibench/BlackBox-{family}-{box}-v1", preset="paper", setting="20@2")
    assert longer.task.mode.shots == 2  # type: ignore[attr-defined]


def test_boxes_that_take_a_computer_are_tagged() -> None:
    tags = {env_id: unit["tags"] for env_id, unit in catalog.load()["units"].items() if "/BlackBox-" in env_id}
    tagged = {env_id for env_id, found in tags.items() if found.get("tools") == "with code"}
    assert all(("circuit-" in env_id) <= (env_id in tagged) for env_id in tags)
    assert {"ibench/BlackBox-puzzle-battleship-v1", "ibench/BlackBox-cipher-random-v1"} <= tagged
    assert not {"ibench/BlackBox-cipher-caesar-v1", "ibench/BlackBox-puzzle-number-v1"} & tagged
    assert not any("strategy-" in env_id for env_id in tagged)


def mean_score(family: str, player: str, seeds: range, **arguments: Any) -> float:
    """Of a player over generated boxes."""
    scores = []
    for seed in seeds:
        env, _ = made(family, "random", seed, **arguments)
        one = resolve_agent(f"{family}/{player}", f"ibench/BlackBox-{family}-random-v1")()
        observation, info = env.reset(seed=seed)
        one.reset(seed=seed, info=info)
        over, score = False, 0.0
        while not over:
            observation, score, over, _, info = env.step(one.act(observation, info))
        scores.append(float(score))
    return float(np.mean(scores))


def test_who_never_practised_against_a_strategy_is_near_chance() -> None:
    """Who sees the replies of the game that counts learns in it, and never practises."""
    chance = mean_score("strategy", "random", range(8), difficulty=2)
    blind = mean_score("strategy", "reference", range(8), difficulty=2, no_interaction=True)
    seeing = mean_score("strategy", "reference", range(8), difficulty=2, no_interaction=True, test_feedback=True)
    assert blind < chance + 0.1 < seeing
    assert mean_score("strategy", "reference", range(8), difficulty=2) > 0.9


@pytest.mark.long
@pytest.mark.parametrize("family", FAMILIES)
def test_levels_are_calibrated_on_the_reference(family: str) -> None:
    """At the settings of the levels it scores at least 0.6 everywhere, and less at the fifth than at the first."""
    means = [mean_score(family, "reference", range(30), difficulty=level) for level in LEVELS]
    assert min(means) >= 0.55, means
    assert means[-1] <= means[0] - 0.1, means
    assert all(later <= earlier + 0.06 for earlier, later in itertools.pairwise(means)), means
