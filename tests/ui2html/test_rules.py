"""What a message holds, what is judged, and what players are told; no browser."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interactive_envs.dialogue.task import Terms
from interactive_envs.errors import JudgeError
from interactive_envs.judges.base import Verdict
from interactive_envs.parsing import TIMEOUT_ACTION, Unreadable
from interactive_envs.ui2html.rules import (
    DIMENSIONS,
    EXAMPLES,
    Building,
    Case,
    Message,
    Read,
    UI2HtmlTask,
    read_message,
    read_scores,
)
from interactive_envs.ui2html.targets import designs as targets
from interactive_envs.ui2html.targets.sources import Own, Target

PAGE = "<!DOCTYPE html>\n<html><body><p>Hello</p></body></html>"
OTHER = "<html lang='en'><body><h1>Other</h1></body></html>"
QUESTION = "Compared with the target, should I centre the text?"
SCORES = dict(zip(DIMENSIONS, (1, 2, 3, 4, 5), strict=True))


def said(text: str, *, closing: bool = False) -> Message:
    read = read_message(text, closing=closing)
    assert isinstance(read, Read), read
    return read.message


def task(request: str = "A page.") -> UI2HtmlTask:
    return UI2HtmlTask(Own(), lambda _: request)


@pytest.mark.parametrize(
    "text",
    [
        f"```html\n{PAGE}\n```\n<ask>{QUESTION}</ask>",
        f"<ask>{QUESTION}</ask>\n{PAGE}",
        f"Here it is.\n{PAGE}\nQ: {QUESTION}",
        f"{PAGE}\n\n**Question:** {QUESTION}",
        f"```\n{PAGE}\n```\n{QUESTION}",
        f"~~~html\n{PAGE}\n~~~\n- {QUESTION}",
        f"<think>first {OTHER} <ask>Is it dark?</ask></think>{PAGE}<ask>{QUESTION}</ask>",
        f"{PAGE}<!-- <ask>Is it dark?</ask> -->\n<ask>{QUESTION}</ask>",
        f"<!-- Q: none -->{PAGE}<!-->Q: {QUESTION}",
        json.dumps({"html": PAGE, "question": QUESTION}),
        f"```json\n{json.dumps({'html': PAGE, 'question': QUESTION}, indent=1)}\n```",
        f"Here it is: {json.dumps({'html': PAGE, 'question': QUESTION})}",
        json.dumps({"html": PAGE, "question": QUESTION}).replace("\\n", "\n"),
        f"{PAGE}<question>{QUESTION}</question>",
        f"```html\n<ask>{QUESTION}</ask>\n{PAGE}\n```",
        f"```css\nb {{ }}\n```\n```html\n{PAGE}\n```\n<ask>{QUESTION}",
    ],
)
def test_a_page_and_a_question_are_read_in_every_form_that_the_rules_name(text: str) -> None:
    read = read_message(text)
    assert isinstance(read, Read)
    assert (read.kind, read.message) == ("query", Message(PAGE, QUESTION))


def test_of_several_pages_the_last_counts() -> None:
    assert said(f"```html\n{PAGE}\n```\nBetter:\n{OTHER}\n<ask>{QUESTION}</ask>").html == OTHER


def test_html_in_a_fence_needs_no_frame() -> None:
    assert said("```html\n<h1>Hi</h1>\n<p>there</p>\n```").html == "<h1>Hi</h1>\n<p>there</p>"


def test_a_document_may_lack_its_outer_tags() -> None:
    body = "<body class='x'><p>Hello</p></body>"
    assert said(f"{body}<ask>{QUESTION}</ask>") == Message(body, QUESTION)
    assert said(f"<!DOCTYPE html><html>{body}\n<ask>{QUESTION}</ask>") == Message(
        f"<!DOCTYPE html><html>{body}", QUESTION
    )
    assert said(f"<html>{body}</html>") == Message(f"<html>{body}</html>", None)
    assert said(f"The <body> is darker now.\n{PAGE}\nSee </body>.") == Message(PAGE, None)


def test_a_question_beside_a_fragment_is_not_taken_to_be_about_the_last_page() -> None:
    read = read_message(f"<h1>Hello</h1><p>there</p><ask>{QUESTION}</ask>")
    assert read == Unreadable("The HTML is not a complete document; send all of it, from <!DOCTYPE html> to </html>.")
    assert said("The <header> is next. <ask>Should I make the <h1> larger?</ask>").html is None


def test_tags_inside_a_page_are_part_of_the_page() -> None:
    page = "<html><body><p>&lt;ask&gt;</p><ask>Is it dark?</ask><answer></answer></body></html>"
    assert said(page) == Message(page, None)


def test_a_page_may_come_without_a_question_and_a_question_without_a_page() -> None:
    assert said(PAGE) == Message(PAGE, None)
    assert said(f"<ask>{QUESTION}</ask>") == Message(None, QUESTION)
    assert said("Should my header be darker?") == Message(None, "Should my header be darker?")


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (f"<answer>{PAGE}</answer>", PAGE),
        (f"<answer>\n```html\n{PAGE}\n```\n</answer>", PAGE),
        (f"{PAGE}\n<answer></answer>", PAGE),
        ("<answer></answer>", None),
        ("<answer/>", None),
        ("<answer>last</answer>", None),
        (f"<answer>{PAGE}", PAGE),
        (f"<answer>{PAGE}<!-- saved --> <!-- twice -->\n</answer>", PAGE),
        (f"<answer><?xml version='1.0'?><!-- saved -->{PAGE}</answer>", PAGE),
        (f"<answer>This is it:\n{PAGE}\nI hope it fits.</answer>", PAGE),
    ],
)
def test_an_answer_ends_the_episode_with_its_page_or_the_last(text: str, html: str | None) -> None:
    for closing in (False, True):
        assert read_message(text, closing=closing) == Read("final", Message(html))


def test_at_the_end_a_page_is_enough_and_a_question_is_not() -> None:
    assert read_message(PAGE, closing=True) == Read("final", Message(PAGE))
    assert read_message(f"{PAGE}<ask>{QUESTION}</ask>", closing=True) == Read("final", Message(PAGE))
    assert isinstance(read_message(f"<ask>{QUESTION}</ask>", closing=True), Unreadable)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        (TIMEOUT_ACTION, "time limit"),
        ("I am not sure.", "no HTML document and no question"),
        ("<!DOCTYPE html><html><body><p>cut", "no end"),
        (f"{PAGE}<ask>Is it dark?</ask><ask>Is it light?</ask>", "several questions or answers"),
        (f"{PAGE}\nQ: Is it dark?\nQ: Is it light?", "several questions or answers"),
        (f"{PAGE}\nShould I centre it?\nShould I enlarge it?", "2 questions"),
        (f"{PAGE}<ask></ask>", "empty"),
        (f"{PAGE}<ask>…?</ask>", "not a question"),
        (f"{PAGE}<ask>{'a ' * 501}?</ask>", "at most 1000 characters"),
        ("<answer>I am done here</answer>", "complete HTML document"),
        (f"<ask>{QUESTION}</ask><answer></answer>", "several questions or answers"),
        ('{"html": 3, "question": "Is it dark?"}', "no HTML document"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, words: str) -> None:
    read = read_message(text)
    assert isinstance(read, Unreadable)
    assert words in read.reason


@given(
    st.lists(
        st.sampled_from(
            ["<html>", "</html>", "```", "```html", "\n", "<ask>", "</ask>", "<answer>", "Q: x", "<p>", "{"]
        )
        | st.text(max_size=8),
        max_size=14,
    )
)
def test_no_text_makes_the_reader_fail(parts: list[str]) -> None:
    for closing in (False, True):
        assert isinstance(read_message("".join(parts), closing=closing), Read | Unreadable)


def test_a_question_without_a_page_needs_one_before() -> None:
    rules, empty = task(), Building(Case(Target("t", html=PAGE), "A page."))
    assert isinstance(rules.read(empty, f"<ask>{QUESTION}</ask>", closing=False), Unreadable)
    assert isinstance(rules.read(empty, "<answer></answer>", closing=True), Unreadable)
    assert isinstance(rules.read(empty.with_page(PAGE), f"<ask>{QUESTION}</ask>", closing=False), Read)


def test_the_judge_sees_target_page_and_request() -> None:
    rules, state = task(), Building(Case(Target("t", png=b"\x89PNG"), "A page."), page=OTHER)
    asked = rules.judge_query(state, Message(PAGE, QUESTION))
    assert asked is not None
    assert (asked.kind, asked.text, asked.labels, asked.task) == ("question", QUESTION, ("yes", "no"), "ui2html")
    assert asked.context == {"target": {"png": "iVBORw=="}, "page": PAGE, "request": "A page."}
    assert rules.judge_query(state, Message(PAGE)) is None
    scored = rules.judge_answer(state, Message(None))
    assert (scored.kind, scored.labels, scored.context["page"]) == ("score", ("scored",), OTHER)


def test_only_the_judges_word_goes_back() -> None:
    rules, state = task(), Building(Case(Target("t", html=PAGE), "A page."))
    fact, after = rules.reply(
        state, Message(OTHER, QUESTION), np.random.default_rng(0), Verdict("yes", detail="secret")
    )
    assert (rules.render(fact), after.page, after.pages) == ("Yes.", OTHER, 1)
    fact, after = rules.reply(after, Message(PAGE), np.random.default_rng(0))
    assert (rules.render(fact), after.page, after.pages) == (
        "Your page was received without a question. To ask one, write <ask>…</ask>.",
        PAGE,
        2,
    )


@pytest.mark.parametrize("scores", [None, {}, SCORES | {"text": 21}, SCORES | {"text": 4.0}, SCORES | {"text": True}])
def test_a_score_without_five_whole_numbers_is_the_judges_fault(scores: dict[str, int] | None) -> None:
    with pytest.raises(JudgeError):
        read_scores(Verdict("scored", scores=scores))


def test_the_final_page_gets_its_scores() -> None:
    rules, state = task(), Building(Case(Target("t", html=PAGE), "A page."), page=OTHER, pages=1)
    done = rules.finished(state, Message(None), Verdict("scored", scores=SCORES))
    assert (done.page, done.scores, done.total) == (OTHER, (1, 2, 3, 4, 5), 15)
    assert rules.record(done) == {"request": "A page.", "pages": 1, "scores": SCORES}


def test_the_rules_tell_the_request_and_the_protocol_but_not_the_target() -> None:
    design = targets.fixed()[0]
    rules = UI2HtmlTask(Own(), lambda target: targets.request(target.design or design))
    case = rules.case(np.random.default_rng(0), design.id)
    told = rules.rules(case, Terms(20, 1, True, True, False))
    assert case.request in told
    assert "You have 20 rounds. Each is one message" in told
    assert "You have 1 round. It is one message" in rules.rules(case, Terms(1, 0, True, True, False))
    secrets = rules.secrets(rules.start(case))
    assert len(secrets) > 3
    assert not [text for text in (design.id, *secrets) if text in told]
    alone = rules.rules(case, Terms(0, 0, True, False, False))
    assert "You cannot ask questions. Send only the final page" in alone


def test_the_examples_can_be_read_at_any_time() -> None:
    assert [said(text).html is None for text in EXAMPLES] == [False] * len(EXAMPLES)
    assert all(text.startswith(("<ask>", "<answer>")) for text in EXAMPLES)


@pytest.mark.parametrize(
    ("terms", "told"),
    [
        (
            Terms(20, 1, True, True, False),
            "If a message cannot be read, or its page breaks a limit, you are told why and may try again: once in each "
            "round, and once for the final page. Every further such message uses up the round. If no final page can be "
            "read, your last page is scored.",
        ),
        (
            Terms(20, 0, True, True, False),
            "If a message cannot be read, or its page breaks a limit, it uses up the round. If no final page can be "
            "read, your last page is scored.",
        ),
        (
            Terms(0, 2, True, False, False),
            "If a message cannot be read, or its page breaks a limit, you are told why and may try again, twice; after "
            "that the episode ends.",
        ),
        (Terms(20, 1, True, True, True), "If a message cannot be read, or its page breaks a limit, the episode ends."),
    ],
)
def test_the_rules_end_with_what_an_unreadable_message_costs(terms: Terms, told: str) -> None:
    rules = task()
    assert rules.rules(rules.case(np.random.default_rng(0)), terms).rpartition("\n\n")[2] == told


def test_one_reply_may_be_false_and_is_corrected_some_messages_later() -> None:
    revised = task().revised(2, 2)
    state, told = Building(Case(Target("t", html=PAGE), "A page.")), []
    rng = np.random.default_rng(0)
    for question, label in (("One?", "yes"), (None, ""), ("Two?", "yes"), ("Three?", "no"), ("Four?", "no")):
        verdict = Verdict(label) if question else None
        fact, state = revised.reply(state, Message(PAGE, question), rng, verdict)
        told.append(revised.message(state, fact))
    assert told == [
        "Yes.",
        "Your page was received without a question. To ask one, write <ask>…</ask>.",
        "No.",
        "No.",
        "No.\nCorrection: of the replies that said yes or no, number 2 was wrong. The right reply is: Yes.",
    ]
    assert {name: revised.record(state)[name] for name in ("false_reply", "corrected")} == {
        "false_reply": 2,
        "corrected": True,
    }
    assert "false_reply" not in task().record(state)
