"""What is drawn of a black box: of circuits the queries and the gates that they light."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest

from interactive_envs.black_box.circuit.drawing import MOST, draw
from interactive_envs.dialogue.view import DialogueView
from interactive_envs.making import make


def view_of(env_id: str, *messages: str, seed: int = 3, **arguments: Any) -> DialogueView:
    env = make(f"ibench/BlackBox-{env_id}-v1", **arguments)
    info = env.reset(seed=seed)[1]
    for message in messages:
        info = env.step(message)[4]
    env.close()
    view: DialogueView = info["view"]
    return view


def test_a_query_is_a_row_of_inputs_and_lamps() -> None:
    view = view_of("circuit-random-small", "<query>0 1 0 1</query>")
    ((bits, lit),) = view.shown.observations
    svg = draw(view)
    assert f"<desc>{' '.join(map(str, bits))} gives {' '.join(map(str, lit))}.</desc>" in svg
    assert svg.count("<circle") == len(lit) == view.shown.public[1]
    assert svg.count('class="lit"') == sum(lit)
    assert '<text x="22" y="20" font-size="12" text-anchor="middle" class="muted">x1</text>' in svg
    assert ">g1</text>" in svg


def test_a_question_has_no_lamps_before_it_is_answered() -> None:
    view = view_of("circuit-random-small", "<query>0 1 0 1</query>", "<ready></ready>")
    svg = draw(view)
    assert f"; {' '.join(map(str, view.shown.item))} gives ?.</desc>" in svg
    assert svg.count(">?</text>") == view.shown.public[1]


def test_gates_that_a_box_does_not_show_are_not_drawn() -> None:
    inputs, gates, outputs = view_of("circuit-add").shown.public
    query = f"<query>{' '.join('01' * inputs)[: 2 * inputs]}</query>"
    svg = draw(view_of("circuit-add", query, observability="partial"))
    assert svg.count("<circle") == outputs < gates
    assert ">g1<" not in svg


@pytest.mark.parametrize("level", range(1, 6))
def test_boxes_with_equal_replies_have_equal_drawings(level: int) -> None:
    views = [view_of("circuit-random", seed=seed, difficulty=level) for seed in (1, 2)]
    public = views[0].shown.public
    views[1] = replace(views[1], shown=replace(views[1].shown, public=public))
    bits, lit = (1,) * public[0], (0,) * public[1]
    told = [replace(view, shown=replace(view.shown, observations=((bits, lit),))) for view in views]
    assert draw(told[0]) == draw(told[1])
    assert "Nothing was asked yet" in draw(views[0])


def test_many_gates_and_queries_stay_readable() -> None:
    view = view_of("circuit-random-small")
    shown = replace(view.shown, public=(10, 50, 5), observations=(((1,) * 10, (1, 0) * 25),) * (MOST + 3))
    svg = draw(replace(view, shown=shown))
    assert "3 earlier ones are not shown" in svg
    assert svg.count("<circle") == 50 * MOST
    assert ">g5<" in svg
    assert ">g4<" not in svg
    assert all("style" not in one.attrib for one in ElementTree.fromstring(svg).iter())


def test_replies_that_are_put_off_are_drawn_as_waiting() -> None:
    view = view_of("circuit-random-small", "<query>0 1 0 1</query>", feedback="delayed")
    assert "<desc>0 1 0 1 gives ?.</desc>" in draw(view)


def test_other_boxes_are_as_good_as_text() -> None:
    assert draw(view_of("puzzle-bandit")) == ""
