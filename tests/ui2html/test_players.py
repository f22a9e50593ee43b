"""The rule players: what they read out of a request, and what they do with an answer."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from interactive_envs.agent import Agent, resolve_agent
from interactive_envs.agents.ui2html import Blank, Reference, Rule, Template, questions, request_in
from interactive_envs.dialogue.task import Terms
from interactive_envs.judges.base import Judge, JudgeRequest, Verdict
from interactive_envs.ui2html.env import UI2HtmlEnv
from interactive_envs.ui2html.formulas import Formula, read_formula
from interactive_envs.ui2html.reference_page import PARTS, Draft, draft_of
from interactive_envs.ui2html.rules import DIMENSIONS, Case, Read, UI2HtmlTask, read_message
from interactive_envs.ui2html.targets import designs as targets
from interactive_envs.ui2html.targets.sources import Own, Target

REQUEST = "Please build a landing page for a tea house. It needs a header, a hero and a feature grid. It is light."
ENV_ID = "ibench/UI2Html-v1"


class Saying(Judge):
    """Says yes to questions that hold one of the words; every page scores the same."""

    name = "saying"

    def __init__(self, *words: str) -> None:
        self._words = words
        self.asked: list[str] = []

    def judge(self, request: JudgeRequest) -> Verdict:
        if request.kind == "score":
            return Verdict("scored", scores=dict.fromkeys(DIMENSIONS, 10))
        self.asked.append(request.text)
        return Verdict("yes" if any(word in request.text for word in self._words) else "no")


def play(agent: Agent, env: Any, seed: int = 0) -> tuple[list[str], float, Mapping[str, Any]]:
    """What an agent says in an episode, what it earns, and the last info."""
    observation, info = env.reset(seed=seed)
    agent.reset(seed=seed, info=info)
    said, total = [], 0.0
    while "outcome" not in info:
        said.append(agent.act(str(observation), info))
        observation, reward, _, _, info = env.step(said[-1])
        total += reward
    return said, total, info


def page_of(said: str) -> str:
    read = read_message(said, closing="<answer>" in said)
    assert isinstance(read, Read)
    assert read.message.html is not None
    return read.message.html


def asked_in(said: str) -> str:
    read = read_message(said)
    assert isinstance(read, Read)
    return read.message.question or ""


def answered(draft: Draft, *yes: str) -> Draft:
    """The draft after all questions, those with one of the words answered with yes."""
    asking = questions(draft)
    question = next(asking, None)
    while question is not None:
        try:
            question = asking.send(any(word in question for word in yes))
        except StopIteration:
            break
    return draft


def test_the_request_is_found_in_the_rules() -> None:
    task, case = UI2HtmlTask(Own(), lambda _: REQUEST), Case(Target("tea", html="<p>Tea"), REQUEST)
    for terms in (Terms(20, 1, True, True, False), Terms(0, 0, True, False, True)):
        assert request_in(task.rules(case, terms)) == REQUEST
    assert request_in("Something else.") == "Something else."


@pytest.mark.parametrize(
    ("request_", "parts", "topic"),
    [
        (REQUEST, ["hero", "features"], "tea house"),
        ("Make me a sign-in page for members of a map archive. Give it a form.", ["form"], "map archive"),
        (
            "I need a dashboard for the people who run a bakery. It needs a bar chart, a table and a side menu.",
            ["numbers", "chart", "side", "table"],
            "bakery",
        ),
        ("Something nice, please", ["hero", "features"], ""),
    ],
)
def test_a_draft_has_the_parts_that_the_request_names(request_: str, parts: list[str], topic: str) -> None:
    draft = draft_of(request_)
    assert (draft.parts, draft.topic) == (parts, topic)


def test_a_draft_takes_look_typeface_and_counts_from_the_request() -> None:
    draft = draft_of(
        "I need a pricing page. It has plans. It is black with a serif typeface. There are four plan cards."
    )
    assert (draft.dark, draft.family, draft.count) == (True, "serif", {"plans": 4})
    assert draft.html().count('<li class="card') == 4


HEADED = "I need a web page headed \u201cOld Town & Bakery for two\u201d. It should have a navigation bar, {parts}."


@pytest.mark.parametrize(
    ("request_", "parts", "dark"),
    [
        (HEADED.format(parts="a sidebar and a list"), ["side", "list"], False),
        (HEADED.format(parts="a picture and a table") + " The overall look is dark.", ["table", "picture"], True),
        (
            HEADED.format(parts="a quotation and a form") + " The page is dark grey with a serif typeface. There are "
            "two input fields and three headings.",
            ["quotes", "form"],
            True,
        ),
    ],
)
def test_a_summarisers_request_is_used_at_every_level(request_: str, parts: list[str], dark: bool) -> None:
    draft = draft_of(request_)
    assert (draft.title, draft.topic, draft.parts, draft.dark) == ("Old Town & Bakery for two", "", parts, dark)
    html = draft.html()
    assert html.count("<h1>") == html.count("<h1>Old Town &amp; Bakery for two</h1>") == 1
    assert "Welcome" not in html
    if "headings" in request_:
        assert (draft.family, draft.count) == ("serif", {"form": 2, "headings": 3})
        assert (html.count('<input class="field"'), html.count("<h2")) == (2, 3)


def test_quoted_texts_are_put_where_the_request_has_them() -> None:
    draft = draft_of(
        'A page for "Fern & Co" with the headline "Green, indoors". It has links "Shop", "Care" and "Visit", '
        'a button that says "Buy a fern" and the words "Open until six". There are two buttons.'
    )
    assert (draft.name, draft.title, draft.menu, draft.labels, draft.texts) == (
        "Fern & Co",
        "Green, indoors",
        ["Shop", "Care", "Visit"],
        ["Buy a fern"],
        ["Open until six"],
    )
    html = draft.html()
    for shown in ("<span>Fern &amp; Co</span>", "<h1>Green, indoors</h1>", "<li><a>Shop</a></li>", ">Buy a fern</a>"):
        assert html.count(shown) == 1
    assert "<p>Open until six</p>" in html
    assert html.count('<a class="button') == 2


@pytest.mark.parametrize(
    ("look", "ground"),
    [
        ("The overall look is light.", (0.6, 0.965, 0.2)),
        ("The overall look is blue.", (0.61, 0.5, 0.85)),
        ("The page is white with a serif typeface.", (0.6, 0.985, 0.2)),
        ("The page is light yellow with a serif typeface.", (0.14, 0.93, 0.95)),
        ("The page is dark blue with a serif typeface.", (0.61, 0.15, 0.4)),
        ("The page has a dark theme with blue links.", (0.61, 0.085, 0.2)),
    ],
)
def test_the_ground_is_the_one_that_the_request_names(look: str, ground: tuple[float, float, float]) -> None:
    assert draft_of(f"I need a page for a night market. It needs a form. {look}").ground == ground


def test_every_part_makes_a_page_that_can_be_read() -> None:
    for part, _ in PARTS:
        html = Draft("tea & <b>house</b>", "page", [part]).html()
        read = read_message(html)
        assert isinstance(read, Read)
        assert read.message.html == html.strip()
        assert "<b>house" not in html


def test_every_request_of_the_package_gives_a_draft() -> None:
    for design in targets.fixed():
        for omission in targets.OMISSIONS:
            draft = draft_of(targets.request(design, omission))
            assert draft.parts, design.id
            assert draft.topic, design.id


def test_a_yes_changes_the_draft_and_a_no_leaves_it() -> None:
    plain = answered(draft_of(REQUEST))
    assert (plain.titles, plain.search, plain.links) == ("sans-serif", False, 3)
    changed = answered(draft_of(REQUEST), "serif", "search field", "notice strip", "five navigation")
    assert (changed.titles, changed.family, changed.search, changed.links) == ("serif", "serif", True, 5)
    assert changed.parts[0] == "notice"


def test_a_count_is_found_by_asking_for_at_least() -> None:
    for count in (1, 2, 3, 4, 6):
        words = [f"at least {word} feature" for word in "one two three four five six".split()[:count]]
        assert answered(draft_of(REQUEST), *words).count["features"] == count


@pytest.mark.usefixtures("chromium")
def test_blank_and_template_ask_nothing() -> None:
    for name, player in (("blank", Blank), ("template", Template)):
        env = UI2HtmlEnv(judge=Saying(), case="page-01")
        said, total, info = play(player(), env)
        assert (len(said), total, info["turns"]) == (1, 0.5, 0)
        assert isinstance(resolve_agent(name, ENV_ID)(), player)
        env.close()


@pytest.mark.usefixtures("chromium")
def test_the_rule_player_asks_one_question_a_round_and_keeps_what_it_heard() -> None:
    judge = Saying("search field")
    env = UI2HtmlEnv(judge=judge, case="page-01")
    said, _, info = play(Rule(), env)
    assert (info["outcome"], info["turns"], len(judge.asked), len(said)) == ("scored", 20, 20, 21)
    assert 'type="search"' not in page_of(said[0])
    assert 'type="search"' in page_of(said[-1])
    assert said[-1].startswith("<answer>")
    env.close()


@pytest.mark.usefixtures("chromium")
def test_without_rounds_the_rule_player_sends_the_templates_page() -> None:
    env = UI2HtmlEnv(rounds=0, judge=Saying(), case="page-01")
    assert page_of(play(Rule(), env)[0][0]) == page_of(play(Template(), env)[0][0])
    env.close()


@pytest.mark.usefixtures("chromium")
def test_the_reference_leaves_pages_of_another_kind_to_the_rule_player(tmp_path: Path) -> None:
    (tmp_path / "own.html").write_text("<!DOCTYPE html><html><body><h1>Own</h1></body></html>")
    (tmp_path / "own.txt").write_text("I want a poem about bridges.")
    said = []
    for player in (Reference(), Rule()):
        env = UI2HtmlEnv(rounds=3, judge=Saying(), targets=str(tmp_path))
        said.append(play(player, env)[0])
        env.close()
    assert said[0] == said[1]


@pytest.mark.usefixtures("chromium")
@pytest.mark.long
def test_the_reference_asks_formulas_and_gains_at_least_30_points_by_asking() -> None:
    scores = {}
    for rounds in (0, 20):
        env = UI2HtmlEnv(rounds=rounds, case="page-22")
        said, total, _ = play(Reference(), env)
        scores[rounds] = total
        assert all(isinstance(read_formula(asked_in(text)), Formula) for text in said[:-1])
        env.close()
    assert scores[20] >= scores[0] + 0.3


class Heard(Reference):
    """Keeps what it was told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        self.told.append(observation)
        return super().act(observation, info)


@pytest.mark.usefixtures("chromium")
@pytest.mark.long
def test_the_reference_asks_nothing_that_earlier_answers_decide() -> None:
    env, player = UI2HtmlEnv(case="page-31"), Heard()
    asked = [read_formula(asked_in(text)) for text in play(player, env)[0][:-1]]
    env.close()
    bounds: dict[str, list[float]] = {}
    for one, reply in zip(asked, player.told[1:], strict=True):
        assert isinstance(one, Formula)
        assert isinstance(one.right, float)
        least, most = bounds.setdefault(str(one.left), [-1e9, 1e9])
        assert least < one.right < most, (one, least, most)
        bounds[str(one.left)][0 if reply.startswith("Yes.") else 1] = one.right


@pytest.mark.long
@pytest.mark.usefixtures("chromium")
def test_chance_no_interaction_rule_and_reference_are_in_order_and_asking_pays_30_points() -> None:
    players = {"blank": (Blank, 20), "template": (Template, 20), "rule": (Rule, 20), "reference": (Reference, 20)}
    players["silent"] = (Reference, 0)
    found: dict[str, list[float]] = {name: [] for name in players}
    for design in targets.fixed()[::4]:
        for name, (player, rounds) in players.items():
            env = UI2HtmlEnv(case=design.id, rounds=rounds)
            found[name].append(play(player(), env)[1])
            env.close()
    mean = {name: statistics.mean(scores) for name, scores in found.items()}
    assert mean["blank"] == 0
    assert 0 < mean["template"] <= 0.05
    assert mean["template"] < mean["rule"] < mean["reference"]
    gains = [100 * (one - other) for one, other in zip(found["reference"], found["silent"], strict=True)]
    assert statistics.mean(gains) - 1.96 * statistics.stdev(gains) / len(gains) ** 0.5 >= 30 - 5
    assert statistics.mean(gains) >= 30
