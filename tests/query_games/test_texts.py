"""What players read: plain sentences, and a format example that is worth nothing as a guess."""

from __future__ import annotations

import re

import numpy as np
import pytest

from interactive_envs.dialogue.task import Terms
from interactive_envs.query_games import games
from interactive_envs.query_games.rules import QueryCase, QueryTask
from tests.wrappers.small import sample

SAMPLE = sorted(games.every())[::13]
DIALECT = re.compile(
    r"\btells?\b|\bwhat is so of\b|\bboth included\b|\bin place of\b|\bin turn\b|\banew\b|\ba round\b|\bthe latter\b"
    r"|\bhow many \w+ it takes\b|\bthat are left\b|\bto one another\b|\bof which only\b|\bas far as\b|\bat once\b",
    re.IGNORECASE,
)


def rules(name: str, difficulty: int = 1, state: int = 0) -> str:
    task = QueryTask(name, difficulty)
    return task.rules(QueryCase(state, ()), Terms(9))


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.every(5)) for name in SAMPLE])
@pytest.mark.parametrize("difficulty", [1, 3])
def test_copying_the_format_example_wins_no_more_often_than_chance(name: str, difficulty: int) -> None:
    """The share of hidden states, as probable as they are, for which the example is right: at most 1 in the answers."""
    task = QueryTask(name, difficulty)
    level, share, chance = task.level, 0.0, 0.0
    for opening in np.unique(level.opening):
        states = np.flatnonzero(level.opening == opening)
        shown = re.search(r"<answer>(.*?)</answer>", rules(name, difficulty, int(states[0])))
        assert shown is not None
        answer = level.game.target.form.read(shown[1])
        weights = level.weights[states]
        right = np.array([level.answers[index] == answer for index in level.right[states]])
        share += (weights * right).sum() / level.weights.sum()
        chance += weights.sum() / level.weights.sum() / len(np.unique(level.right[states]))
    assert share <= chance + 1e-9


@pytest.mark.parametrize("name", SAMPLE)
def test_rules_are_written_in_plain_english(name: str) -> None:
    text = rules(name)
    assert not DIALECT.search(text), DIALECT.search(text)
    assert "Send one query per round:" in text
    assert text.count("Replies: ") == 1
    assert "Every query uses one, and so does the answer. A message that cannot be parsed, or" in text


@pytest.mark.parametrize("name", sorted({name for name, _ in sample()}))
def test_the_sorts_of_replies_are_said_once(name: str) -> None:
    text = rules(name)
    queries = text.partition("per round:\n")[2].partition("\nReplies: ")[0]
    assert not re.search(r"\((a number|yes or no|less, equal or greater|a \w+ or none|a \w+)\)", queries)
    hints = text.partition("\nReplies: ")[2].partition(".\n")[0].split(" / ")
    assert len(set(hints)) == len(hints)
    assert hints.count("none") <= 1


def test_an_exact_set_of_rules() -> None:
    assert rules("graph/abductive/likely-ring-everything-by-degree-crossing-compare") == (
        "Hidden: a graph of 6 nodes. 4 of the nodes, in any order, form one ring: each is joined to the "
        "next, and the last to the first. There are no other edges. The nodes are A, B, C, D, E, F. The "
        "probability of a graph is proportional to 1 plus the sum, over its edges, of the product of the "
        "places of both ends in the alphabet (A's place is 1, B's is 2 and so on).\n"
        "\n"
        'Known from the start: the reply to "whether A and B are joined directly" is yes.\n'
        "\n"
        "Send one query per round:\n"
        "<query_degree>D</query_degree> returns how many neighbours D has. Replace D with any node.\n"
        "<query_crossing>C</query_crossing> returns how many edges join one of the nodes from A to C in the "
        "alphabet (inclusive) with a node after C. Replace C with any node but the last in the alphabet.\n"
        "<query_compare>B E</query_compare> returns whether the number of neighbours of B is less than, "
        "equal to or greater than the number of neighbours of E. Replace B E with any two different nodes, "
        "in alphabetical order.\n"
        "Replies: a number / less, equal or greater.\n"
        "\n"
        "Find out all edges of the graph. Several graphs may agree with what is known from the start and with "
        "the replies to all possible queries. Then the right answer is the one for the most probable of them, even if "
        "another was drawn; there is never a tie between answers. Write edges in any order, either end first, for "
        "example: <answer>A-B A-D B-C C-D</answer>\n"
        "\n"
        "You have 9 rounds. Every query uses one, and so does the answer. A message that cannot be parsed, or that "
        "breaks these rules, also uses one. Your first answer ends the game. If it is right you score 1, otherwise 0."
    )
