"""Told in another domain a game stays the same game."""

from __future__ import annotations

from typing import Any

import pytest

from interactive_envs.dialogue.task import Menu, Retold
from interactive_envs.dialogue.view import DialogueView
from interactive_envs.query_games.vocabularies import DOMAINS, vocabulary
from interactive_envs.wrappers.context import IsomorphicTask
from tests.wrappers.small import Mistaken, cases, names, play, query_game, small


class Meeting(Mistaken, Menu[int], Retold[int]):
    """Queries name two of three nodes; the reply says who is first."""

    def vocabulary(self, domain: str) -> dict[str, str]:
        names = {"A": "Ann", "B": "Anna", "C": "Bea-B"}
        return {"person": "guest", "intro": f"A {domain} party.", **{f"node {k}": v for k, v in names.items()}}

    def rules(self, case: Any, terms: Any, vocabulary: Any = {}) -> str:  # noqa: B006
        return f"Ask about a {vocabulary.get('person', 'person')}."

    def read_query(self, state: int, body: str, tag: str = "ask") -> Any:
        return body

    def queries(self, state: int) -> list[str]:
        return ["<ask>A</ask>", "<ask>A-C</ask>"]

    def answers(self, state: int) -> list[str]:
        return ["<answer>B</answer>"]

    def solution(self, case: int) -> str:
        return "A-B C none"


def test_names_are_read_whole_the_longest_first_whatever_their_case() -> None:
    task: Any = small("isomorphic?domain=garden", task=Meeting()).unwrapped.task
    assert isinstance(task, IsomorphicTask)
    assert [task.inward(text) for text in ("anna, ANN", "Ann-Bea-B", "Annabel Annas", "A c", "")] == [
        "B, A",
        "A-C",
        "Annabel Annas",
        "A c",
        "",
    ]
    assert task.outward("say <ask>A B-C</ask> to A") == "say <ask>Ann Anna-Bea-B</ask> to A"


def test_everything_is_told_with_names() -> None:
    env = small("isomorphic?domain=garden", task=Meeting())
    observation, _ = env.reset(seed=0)
    assert observation == "A garden party.\n\nAsk about a guest."
    assert env.unwrapped.legal_actions() == ["<ask>Ann</ask>", "<ask>Ann-Bea-B</ask>", "<answer>Anna</answer>"]
    assert env.unwrapped.task.solution(5) == "Ann-Anna Bea-B none"


@pytest.mark.every(5)
@pytest.mark.parametrize(("name", "level"), cases())
@pytest.mark.parametrize("domain", DOMAINS)
def test_mapped_actions_give_the_mapped_transcript_and_the_same_end(domain: str, name: str, level: int) -> None:
    plain, told = query_game(name, level), query_game(name, level, f"isomorphic?domain={domain}")
    words = vocabulary(name.partition("/")[0], domain)
    task = told.unwrapped.task
    messages, actions, info = play(plain, seed=4)
    own = plain.unwrapped
    rules = own.task.rules(own.state.case, own.terms, words)
    observation, told_info = told.reset(seed=4)
    assert observation == f"{words['intro']}\n\n{rules}"
    for action, message in zip(actions, messages[1:], strict=True):
        mapped = task.outward(action)
        if "legal_actions" in told_info:
            assert mapped in told_info["legal_actions"]
        observation, reward, over, _, told_info = told.step(mapped)
        exchange = told_info["view"].exchanges[-1]
        assert exchange.text == mapped
        reply = own.task.render(exchange.fact, words) if exchange.kind == "query" else exchange.reply
        assert observation == message.replace(message.split("\n")[0], reply, 1)
    assert [(e.kind, e.key, e.fact) for e in _view(told).exchanges] == [
        (e.kind, e.key, e.fact) for e in _view(plain).exchanges
    ]
    assert (told_info["outcome"], reward, over) == (info["outcome"], 1.0, True)
    assert told_info["solution"] == task.outward(f"<x>{info['solution']}</x>")[3:-4]


@pytest.mark.parametrize(("name", "level"), cases())
def test_the_reference_may_go_on_calling_nodes_by_their_letters(name: str, level: int) -> None:
    *_, info = play(query_game(name, level, "isomorphic?domain=transportation"), seed=2)
    assert info["outcome"] == "success"


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("probes", [("isomorphic?domain=healthcare",), ("necessity", "isomorphic?domain=healthcare")])
def test_reasons_are_told_in_the_domain_too(probes: tuple[str, ...], name: str) -> None:
    env = query_game(name, 1, *probes)
    task, words = query_game(name, 1).unwrapped.task, vocabulary(name.partition("/")[0], "healthcare")
    env.reset(seed=1)
    assert env.step("<answer>?!</answer>")[4]["reason"] == task.why_unreadable("answer", "?!", words)
    if len(probes) == 1:
        asked = task.query_tags[-1]
        assert env.step(f"<{asked}>Nobody 99</{asked}>")[4]["reason"] == task.why_unreadable(asked, "Nobody 99", words)


def _view(env: Any) -> DialogueView:
    view: DialogueView = env.unwrapped.view()
    return view
