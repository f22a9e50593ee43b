"""Noise says nothing, and without it every message is the clean one."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interactive_envs.dialogue.free_text import LABELS
from interactive_envs.dialogue.task import PLAIN, Retold
from interactive_envs.query_games import games
from interactive_envs.query_games.base import NODES
from interactive_envs.query_games.rules import QueryCase, QueryTask
from interactive_envs.query_games.vocabularies import DOMAINS, distractors, vocabulary
from interactive_envs.wrappers.noise import insert, texts
from tests.wrappers.small import Mistaken, cases, names, play, query_game, said, small

NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve first second third half twice once both pair "
    "dozen single double"
).split()
REPLIES = {word.lower() for word in LABELS} | set("yes no none nothing correct incorrect less equal greater".split())


class Chatty(Mistaken, Retold[int]):
    """The small game with sentences of its own."""

    def vocabulary(self, domain: str) -> None:
        return None

    def distractors(self, case: int, vocabulary: Any = PLAIN) -> list[str]:
        return ["Yesterday's divisor was even.", "Another divisor was found at once."]


def test_an_exact_transcript() -> None:
    env = small("noise?rules=3&seed=1")
    assert said(env, "<ask>7</ask>", "<ask>x</ask>", "<ask>8</ask>", "<answer>5</answer>") == [
        "A divisor is (the hinges were oiled only yesterday) (violins are tuned before every concert) hidden.\n\n"
        "It is said that tea tastes better from thin cups.\n\nAsk: <ask>6</ask>.\n\nRounds: 6.",
        ".:.:. 2.\nRounds left: 5.",
        "Not read: That is no number. It cost a round.\nRounds left: 4.",
        "^^^ 3.\nRounds left: 3.",
        "Correct.",
    ]


def test_the_game_s_own_words_stand_within_its_sentences_and_replies() -> None:
    env = small("noise?rules=4&replies=2&seed=3", task=Chatty())
    assert said(env, "<ask>7</ask>", "<ask>8</ask>") == [
        "A divisor (yesterday's divisor was even) is (the mountains look closer after heavy rain) "
        "(the hedge needs trimming before the frost) hidden.\n\n"
        "Ask: <ask>6</ask>.\n\nAnother divisor was found at once.\n\nRounds: 6.",
        "Another divisor was found at once. 2. As the saying goes,\nRounds left: 5.",
        "Another divisor was found at once. 3. ~~ ok ~~\nRounds left: 4.",
    ]


def test_distractors_can_be_left_out() -> None:
    env = small("noise?rules=40&replies=20&distractors=false", task=Chatty())
    assert not any("divisor was" in text for text in said(env, "<ask>7</ask>", "<ask>8</ask>"))


def test_there_is_enough_of_it() -> None:
    assert len(set(texts("sentences"))) >= 40
    assert len(set(texts("fragments"))) >= 30


@pytest.mark.every(5)
@pytest.mark.parametrize("text", [*texts("sentences"), *texts("fragments")])
def test_nothing_inserted_could_be_evidence(text: str) -> None:
    words = [word.lower() for word in re.findall(r"\w+", text)]
    assert not re.search(r"\d", text)
    assert not {*NUMBERS, *REPLIES} & {*words}
    assert not {*NODES.lower()} & {*words}
    assert not re.search(r"</?\w", text)
    assert "\n" not in text


def reply_words() -> set[str]:
    """Every word that some query of some game is answered with."""
    kinds = [kind for name in games.STRUCTURES for kind in games.structure(name).kinds]
    return {word.lower() for kind in kinds for text in kind.reply.words for word in re.findall(r"\w+", text)}


def test_no_reply_of_any_game_is_inserted() -> None:
    inserted = {
        word.lower() for kind in ("sentences", "fragments") for word in re.findall(r"\w+", " ".join(texts(kind)))
    }
    assert not reply_words() & inserted


@pytest.mark.parametrize("structure", games.STRUCTURES)
def test_distractors_speak_of_another_object_or_of_players(structure: str) -> None:
    """A sentence that compares with the hidden object, or could be about it, would be evidence."""
    templates = distractors(structure)
    assert len(set(templates)) >= 12
    for text in templates:
        assert re.search(r"[Yy]esterday|[Aa]nother|[Ll]ast week|older|players|people|easier|Last year", text), text
        assert not re.search(r"hidden|secret|\bthis\b|\byour\b|smaller|larger|fewer|more than|shorter|longer", text), (
            text
        )
        assert "{" in text
        assert text[0].isupper() or text[0] == "{"
        assert text.endswith(".")
        assert text[:-1].count(".") == 0


@pytest.mark.parametrize("domain", [None, *DOMAINS])
@pytest.mark.parametrize("structure", games.STRUCTURES)
def test_distractors_are_those_of_the_structure_s_words_whatever_is_hidden(structure: str, domain: str | None) -> None:
    task = QueryTask(next(name for name in games.every() if name.startswith(structure)), 1)
    words = vocabulary(structure, domain) if domain else {}
    told = {tuple(task.distractors(QueryCase(state, ()), words)) for state in range(len(task.level.world))}
    assert len(told) == 1
    for text in told.pop():
        assert not re.search(r"[{}]|\b[Aa]n [^aeio]|\b[Aa] [aeio]", text)


@pytest.mark.parametrize(("name", "level"), cases())
@pytest.mark.parametrize("domain", ["", "law"])
def test_without_the_noise_every_message_is_clean_and_the_reference_succeeds(
    domain: str, name: str, level: int
) -> None:
    around = [f"isomorphic?domain={domain}"] if domain else []
    clean = play(query_game(name, level, *around), 6)
    env = query_game(name, level, *around, "noise?replies=2")
    noisy = play(env, 6)
    assert clean[1] == noisy[1]
    assert (clean[2]["outcome"], noisy[2]["outcome"]) == ("success", "success")
    own = tuple(env.unwrapped.task.distractors(env.unwrapped.state.case))
    assert without(noisy[0][0], (*texts("sentences"), *own)) == (clean[0][0], 6)
    for message, with_noise, exchange in zip(clean[0][1:], noisy[0][1:], noisy[2]["view"].exchanges, strict=True):
        times = 2 if exchange.kind == "query" else 0
        assert without(with_noise, (*texts("fragments"), *own)) == (message, times)


@pytest.mark.parametrize("name", names())
def test_noise_stands_within_sentences_and_half_of_it_is_the_game_s_own(name: str) -> None:
    within, own, all_ = 0, 0, 0
    for seed in range(4):
        env = query_game(name, 1, "noise")
        rules = str(env.reset(seed=seed)[0])
        mine = env.unwrapped.task.distractors(env.unwrapped.state.case)
        found = [text for text in (*texts("sentences"), *mine) if text in rules or aside(text) in rules]
        all_ += len(found)
        own += sum(text in mine for text in found)
        within += sum(f" {aside(text)}" in rules for text in found)
    assert all_ == 24
    assert own == 12
    assert 5 <= within <= 19


@given(
    st.text("ab ,.<>()AB\n", max_size=60),
    st.lists(st.sampled_from(texts("sentences")), max_size=3, unique=True),
    st.integers(0, 50),
    st.booleans(),
)
def test_what_is_inserted_can_be_taken_out_again(text: str, items: list[str], seed: int, outside: bool) -> None:
    noisy = insert(text, items, np.random.default_rng(seed), outside=outside)
    assert without(noisy, tuple(items)) == (text, len(items))


def aside(item: str) -> str:
    return item if item.startswith("(") else f"({item[:1].lower()}{item[1:].rstrip('.,')})"


def without(text: str, items: tuple[str, ...]) -> tuple[str, int]:
    """A text without those of the items that stand in it, and how many there were."""
    found = 0
    for item in sorted(items, key=len, reverse=True):
        for form in (f"\n\n{item}", f" {aside(item)}", f" {item}", f"{item} ", item):
            if form in text:
                text, found = text.replace(form, "", 1), found + 1
                break
    return text, found


def test_every_player_reads_the_same_noise_of_a_case_and_a_seed() -> None:
    assert said(small("noise"), "<ask>7</ask>") == said(small("noise"), "<ask>7</ask>")
    assert said(small("noise"), "<ask>7</ask>") != said(small("noise?seed=1"), "<ask>7</ask>")
    first, again = small("noise"), small("noise")
    first.reset(seed=1)
    again.reset(seed=2)
    first.step("<ask>7</ask>")
    again.step("<ask>9</ask>")

    def around(env: Any) -> str:
        return str(env.step("<ask>8</ask>")[0])

    assert around(first) == around(again)


def test_it_can_be_left_out() -> None:
    assert said(small("noise?rules=0&replies=0"), "<ask>7</ask>") == said(small(), "<ask>7</ask>")
