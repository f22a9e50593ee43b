"""What is drawn of a query game: what single replies settle, the same for all states that reply the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from interactive_envs.dialogue.view import DialogueView, Exchange
from interactive_envs.query_games import drawing, games, made
from interactive_envs.query_games.base import LEVELS, Query
from interactive_envs.query_games.rules import Fact, QueryTask

FEW = "set/deductive/few-two-largest-by-contains-some-mirror"
SWAPPED = "sequence/deductive/swapped-neighbours-by-look-parity-evens"
BUSHY = "tree/deductive/bushy-leaf-pairs-by-parent-heavier-bare"
LINE = "graph/deductive/line-edges-of-two-by-adjacent"
SHARED = "set/inductive/shared-all-eight-by-test-any-both"
ONES = [
    next(name for name in games.every() if name.startswith(f"{structure}/{mode}/"))
    for structure in games.STRUCTURES
    for mode in games.MODES
]
"""One game of each structure and mode."""


def view_of(task: QueryTask, state: int, queries: Sequence[int]) -> DialogueView:
    """What a player knows who has sent some queries, by their indices."""
    rng, exchanges = np.random.default_rng(0), []
    now = task.start(task.case(rng, str(state)))
    for query in queries:
        fact, now = task.reply(now, query, rng)
        exchanges.append(Exchange("query", task.level.query_texts[query], query, task.render(fact), fact))
    return DialogueView(task.show(now), tuple(exchanges), 30, 30 - len(queries), 1, "rounds", True)


def drawn(game: str, state: Sequence[int], *asked: tuple[str, tuple[int, ...]]) -> str:
    """The drawing at level 1 of a hidden state, given as its row, after queries by kind and argument."""
    task = QueryTask(game, 1)
    world = task.level.world
    rows = getattr(world, world.per_state[0]).reshape(len(world), -1).astype(int).tolist()
    names = [kind.name for kind in task.level.game.kinds]
    queries = [task.level.query_index[Query(names.index(name), argument)] for name, argument in asked]
    return drawing.draw(view_of(task, rows.index(list(state)), queries))


def test_a_set_is_a_grid_of_cells() -> None:
    svg = drawn(FEW, [0, 0, 1, 0, 1, 0], ("contains", (3,)), ("contains", (1,)), ("some", (4, 6)))
    assert svg.startswith(
        '<svg class="narrow" viewBox="0 0 360 153" role="img" xmlns="http://www.w3.org/2000/svg"><title>'
    )
    assert "<desc>In the set: 3. Not in it: 1. The others are open.</desc>" in svg
    assert '<rect x="94" y="8" width="39" height="39" rx="4" class="line good"/>' in svg
    assert '<path d="M14 41L41 14" class="faint"/>' in svg
    assert 'class="ink">2. contains 1</text>' in svg
    assert 'text-anchor="end" class="ink">No.</text>' in svg


def test_a_sequence_is_a_row_of_places() -> None:
    svg = drawn(SWAPPED, [1, 2, 3, 5, 4], ("look", (4,)))
    # 5 stands in place 4: the two were swapped, so 4 stands in place 5
    assert "Values by place. 1: 1 to 3; 2: 1 to 3; 3: 1 to 3; 4: 5; 5: 4." in svg
    assert svg.count('class="good"') == 2


def test_a_tree_hangs_together_as_far_as_it_is_known() -> None:
    task = QueryTask(BUSHY, 1)
    state = task.level.world.parents.tolist()[7]
    svg = drawn(BUSHY, state, ("parent", (3,)))
    above = "ABCDEF"[state[3]]
    assert f"Root: A. Known: B below A, D below {above}. The others are open." in svg
    assert svg.count('class="tie"') == 2
    assert svg.count("<circle") == 6


def test_a_graph_has_solid_dotted_and_no_lines() -> None:
    task = QueryTask(LINE, 1)
    edges = task.level.world.edges[4]
    svg = drawn(LINE, edges.reshape(-1).astype(int).tolist(), ("adjacent", (0, 1)), ("adjacent", (1, 2)))
    pairs = {"A-B": edges[0, 1], "B-C": edges[1, 2]}
    joined, apart = ([name for name, is_edge in pairs.items() if is_edge is np.bool_(want)] for want in (True, False))
    assert f"Joined: {', '.join(joined) or 'none'}. Not joined: {', '.join(apart) or 'none'}." in svg
    assert svg.count('class="faint"') == 5 * 4 // 2 - 2


def test_a_rule_is_drawn_as_its_instances_with_the_outputs_known() -> None:
    task = QueryTask(SHARED, 1)
    outputs = task.level.world.outputs[3].tolist()
    svg = drawn(SHARED, outputs, ("test", (5,)))
    assert f"Outputs: instance 1 gives {outputs[0]}, instance 5 gives {outputs[4]}. The others are open." in svg


@pytest.mark.parametrize("game", ONES)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.every(4)
def test_states_with_equal_replies_have_equal_drawings_which_are_true(game: str, level: int) -> None:
    task = QueryTask(game, level)
    rng = np.random.default_rng(level)
    world, table = task.level.world, task.level.table
    queries = rng.choice(table.shape[1], min(3, table.shape[1]), replace=False).tolist()
    seen = np.column_stack([task.level.opening, table[:, queries]])
    state = task.level.draw(rng)
    alike = np.flatnonzero((seen == seen[state]).all(axis=1))
    views = [view_of(task, int(one), queries) for one in (state, alike[0], alike[-1])]
    assert len({drawing.draw(view) for view in views}) == 1
    low, high = drawing.known(task.level, views[0])
    rows = getattr(world, world.per_state[0])[alike].astype(int)
    assert (low <= rows).all()
    assert (rows <= high).all()


def test_what_came_back_is_text_whatever_it_says() -> None:
    view = view_of(QueryTask(LINE, 2), 3, [0, 1, 2, 3, 4, 5, 6])
    hostile = replace(view.exchanges[-1], reply='</text><script>x()</script>" onload="')
    svg = drawing.draw(replace(view, exchanges=(*view.exchanges[:-1], hostile)))
    for element in ElementTree.fromstring(svg).iter():
        assert element.tag.partition("}")[2] in {"svg", "title", "desc", "line", "circle", "rect", "path", "text"}
        assert not {name for name in element.attrib if name == "style" or name.startswith("on")}
    assert "&lt;/text&gt;&lt;script&gt;x()&lt;/scrip…" in svg
    assert "1 earlier ones are not shown" in svg


@pytest.mark.parametrize("game", [FEW, SWAPPED, LINE, SHARED])
def test_replies_that_contradict_each_other_are_marked(game: str) -> None:
    task = QueryTask(game, 1)
    name = {"contains": "contains", "look": "look", "adjacent": "adjacent", "test": "test"}
    index = next(
        i for i, one in enumerate(task.level.queries) if task.level.game.kinds[one.kind].name in name and i > 2
    )
    codes = np.unique(task.level.table[:, index])[:2].tolist()
    view = view_of(task, 0, [index, index])
    told = [replace(one, fact=Fact(one.fact.kind, code)) for one, code in zip(view.exchanges, codes, strict=True)]
    assert "bad" in drawing.draw(replace(view, exchanges=tuple(told)))


def test_a_reply_that_no_state_gives_settles_nothing() -> None:
    view = view_of(QueryTask(FEW, 1), 0, [0])
    false = replace(view.exchanges[0], fact=Fact(0, 77))
    assert "In the set: none. Not in it: none." in drawing.draw(replace(view, exchanges=(false,)))


def test_parents_that_contradict_each_other_make_no_ring() -> None:
    task = QueryTask(BUSHY, 1)
    n = task.level.world.n
    low = np.full(n, -1)
    low[1:] = [2, 1, *[0] * (n - 3)]
    parts, _, _, words = drawing.PAINTERS[type(task.level.world)](task.level.world, low, low)
    assert sum("<circle" in part for part in parts) == n
    assert "B below C" in words
    assert "C below B" not in words


def test_a_made_game_is_not_drawn() -> None:
    task = QueryTask(f"{games.MADE}/{made.names()[0]}", 1)
    assert drawing.draw(view_of(task, 0, [0])) == ""
    assert drawing.draw(replace(view_of(task, 0, []), shown=None)) == ""
