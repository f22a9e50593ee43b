"""Noise says nothing, and without it every message is the clean one."""

from __future__ import annotations

import re
from typing import Any

import pytest

from interactive_envs.dialogue.free_text import LABELS
from interactive_envs.query_games import games
from interactive_envs.query_games.base import NODES
from interactive_envs.wrappers.noise import texts
from tests.wrappers.small import cases, play, query_game, said, small

NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve first second third half twice once both pair "
    "dozen single double"
).split()
REPLIES = {word.lower() for word in LABELS} | set("yes no none nothing correct incorrect less equal greater".split())


def test_an_exact_transcript() -> None:
    env = small("noise?rules=2&seed=1")
    assert said(env, "<ask>7</ask>", "<ask>x</ask>", "<ask>8</ask>", "<answer>5</answer>") == [
        "A divisor is hidden.\n\nThe cat from next door sleeps on the warm bricks.\n\nAsk: <ask>6</ask>.\n\n"
        "It is said that tea tastes better from thin cups.\n\nRounds: 6.",
        "2. .:.:.\nRounds left: 5.",
        "Not read: That is no number. It cost a round.\nRounds left: 4.",
        "To put it that way, 3.\nRounds left: 3.",
        "Correct.",
    ]


def test_there_is_enough_of_it() -> None:
    assert len(set(texts("sentences"))) >= 40
    assert len(set(texts("fragments"))) >= 30


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


@pytest.mark.parametrize(("name", "level"), cases())
def test_without_the_noise_every_message_is_clean_and_the_reference_succeeds(name: str, level: int) -> None:
    clean, noisy = play(query_game(name, level), 6), play(query_game(name, level, "noise?replies=2"), 6)
    assert clean[1] == noisy[1]
    assert (clean[2]["outcome"], noisy[2]["outcome"]) == ("success", "success")
    blocks = noisy[0][0].split("\n\n")
    assert sum(block in texts("sentences") for block in blocks) == 3
    assert "\n\n".join(block for block in blocks if block not in texts("sentences")) == clean[0][0]
    for message, with_noise, exchange in zip(clean[0][1:], noisy[0][1:], noisy[2]["view"].exchanges, strict=True):
        times = 2 if exchange.kind == "query" else 0
        assert message in peeled({with_noise}, times)


def peeled(messages: set[str], times: int) -> set[str]:
    """What is left of a message when so many fragments are taken away."""
    for _ in range(times):
        messages = {rest for message in messages for fragment in texts("fragments") for rest in less(message, fragment)}
    return messages


def less(message: str, fragment: str) -> list[str]:
    reply, line, budget = message.rpartition("\n")
    around = [reply.removeprefix(f"{fragment} "), reply.removesuffix(f" {fragment}")]
    return [f"{rest}{line}{budget}" for rest in around if rest != reply]


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
