"""The tolerant reader: what it accepts, what it refuses and why, and that no text makes it fail or crawl."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interactive_envs.errors import ConfigError
from interactive_envs.parsing import (
    TIMEOUT_ACTION,
    Action,
    Unreadable,
    read_action,
    read_options,
    strip_thinking,
)
from tests.timing import growth

TAGS = ("ask", "answer")
SHORT = {"ask": ("ask", "question", "q"), "answer": ("answer", "final")}
NO_ACTION = "I found no action; write <ask>…</ask> or <answer>…</answer>."


def read(text: str) -> Action | Unreadable:
    return read_action(text, TAGS, short_forms=SHORT)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("<ask>Was it dark?</ask>", Action("ask", "Was it dark?")),
        ("  <ASK>\n Was it\n dark? </Ask>\n", Action("ask", "Was it dark?")),
        ("Let me see. <answer>C</answer> That is it.", Action("answer", "C", "Let me see. That is it.")),
        ("<ask>1</ask> again: <ask> 1 </ask>", Action("ask", "1", "again:")),
        ("I would rather <ask>Was it dark?", Action("ask", "Was it dark?", "I would rather")),
        ("<ask>3</answer>", Action("ask", "3")),
        ("Of <ask> and <answer> I choose <ask>3</ask>", Action("ask", "3", "Of <ask> and <answer> I choose")),
        ("<think>Or <answer>B</answer>?</think><ask>2</ask>", Action("ask", "2")),
        ("Or <answer>B</answer>?\n</think>\n\n<ask>2</ask>", Action("ask", "2")),
        ("<Reasoning>x</reasoning> q: Was it dark?", Action("ask", "Was it dark?")),
        ("```xml\n<ask>2</ask>\n```", Action("ask", "2")),
        ("```\r\nask 2\r\n```", Action("ask", "2")),
        ("ask 7", Action("ask", "7")),
        ("Q: Was it dark?", Action("ask", "Was it dark?")),
        ("I am sure.\n**FINAL:** the cat", Action("answer", "the cat", "I am sure.")),
        ("> - Answer : C", Action("answer", "C")),
        ("final the cat did it", Action("answer", "the cat did it")),
    ],
)
def test_readable_messages(text: str, action: Action) -> None:
    assert read(text) == action


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "The message is empty."),
        (" \n\t", "The message is empty."),
        ("<think>hm</think>", "The message is empty."),
        ("<think>Perhaps <ask>1</ask>, but", "The message is empty."),
        ("```\n```", "The message is empty."),
        ("Was it dark?", NO_ACTION),
        ("<move>e4</move>", NO_ACTION),
        ("<a\u017fk>1</a\u017fk>", NO_ACTION),
        ("first\nask 7", NO_ACTION),
        ("<ask></ask>", "The ask action is empty."),
        ("<answer>  ", "The answer action is empty."),
        ("<ask>1</ask><ask>2</ask>", "I found 2 different actions; give exactly one."),
        ("<ask>1</ask><answer>1</answer>", "I found 2 different actions; give exactly one."),
        ("Q: one?\nQ: two?\nFINAL: C", "I found 3 different actions; give exactly one."),
        (f" {TIMEOUT_ACTION}\n", "The time limit for this action was exceeded."),
    ],
)
def test_unreadable_messages_say_why(text: str, reason: str) -> None:
    assert read(text) == Unreadable(reason)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("no thinking", "no thinking"),
        ("<think>a</think>b", "b"),
        ("b<THINKING>a</thinking>c<reasoning>\n</reasoning>d", "b c d"),
        ("a</think>b", "b"),
        ("a</think>b</reasoning>c", "c"),
        ("<think>a</think>b</think>c", "c"),
        ("a<think>b", "a"),
        ("a<think>b<think>c</think>d", "a d"),
        ("<think>a</thinking>b", "b"),
        ("<thin\u212a>a</thin\u212a>b", "<thin\u212a>a</thin\u212a>b"),
        ("<think>", ""),
        ("", ""),
    ],
)
def test_thinking_is_put_aside(text: str, rest: str) -> None:
    assert strip_thinking(text) == rest


@pytest.mark.parametrize("piece", ["<think>", "</think>", "<think></think>", "<think><", "</", "<reasoning>x</think>"])
def test_thinking_is_put_aside_in_linear_time(piece: str) -> None:
    texts = {size: "a" + piece * (size // len(piece)) + "a" for size in (15_000, 240_000)}
    assert growth(lambda size: strip_thinking(texts[size]), *texts) < 64  # 16 times the text; quadratic: 256 times


def test_options_are_read_as_json_or_as_text() -> None:
    assert read_options("", "x") == {}
    assert read_options("a=1&b=%26&&c=[1,true]&d=x%3D", "x") == {"a": 1, "b": "&", "c": [1, True], "d": "x="}
    assert read_options("a=" + "[" * 100_000, "x") == {"a": "[" * 100_000}
    for query in ("a", "=1", "a=1&b"):
        with pytest.raises(ConfigError, match=r"of 'x' is not key=value$"):
            read_options(query, "x")


def test_tags_win_over_short_forms() -> None:
    assert read("Q: one?\n<ask>two?</ask>") == Action("ask", "two?", "Q: one?")


def test_without_short_forms_only_tags_count() -> None:
    assert read_action("ask 7", TAGS) == Unreadable(NO_ACTION)


FRAGMENTS = [
    *("<ask>", "</ask>", "<answer>", "</answer>", "<think>", "</think>", "```", "\n", "ask ", "Q:", "FINAL:", "**"),
    *(TIMEOUT_ACTION, "7", "C", "\r", "\u2028", "\udc80", "\u212a", "İ"),
]


@given(st.one_of(st.text(), st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join)))
def test_any_text_gives_an_action_or_a_reason_and_never_an_exception(text: str) -> None:
    for found in (read(text), read_action(text, ["move"])):
        if isinstance(found, Action):
            assert found.tag in (*TAGS, "move")
            assert found.body
            assert found.body == " ".join(found.body.split())
        else:
            assert isinstance(found, Unreadable)
            assert found.reason.endswith(".")


@given(st.sampled_from(TAGS), st.text(st.characters(blacklist_characters="<>`"), min_size=1).filter(str.strip))
def test_a_tagged_text_comes_back_as_it_was_but_for_spaces(tag: str, body: str) -> None:
    assert read(f"<{tag}>{body}</{tag}>") == Action(tag, " ".join(body.split()))


@pytest.mark.parametrize(
    "piece", ["<ask>", "<ask><answer>", "<ask>x", "\n", " \n", "*", "ask ", "```\n", "</ask>", "Q: 1\n"]
)
def test_hostile_repetition_is_read_in_linear_time(piece: str) -> None:
    texts = {size: "a" + piece * (size // len(piece)) + "a" for size in (10_000, 160_000)}
    assert growth(lambda size: read(texts[size]), *texts) < 64  # 16 times the text; quadratic: 256 times
