"""Query games as folders: what is read, what is refused, and that the code decides nothing once it is tabled."""

from __future__ import annotations

import itertools
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from interactive_envs.agent import resolve_agent
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.query_games import games, made, proofs
from interactive_envs.query_games.base import LEVELS, Level
from interactive_envs.query_games.env import MadeQueryGameEnv
from interactive_envs.query_games.proving import fingerprint, invariant
from interactive_envs.query_games.suites import query_suite
from tests.query_games.fixtures import TIDE_MARKS


def changed(tmp_path: Path, name: str, before: str, after: str) -> Path:
    """A copy of the fixture in which one text of a file is another."""
    folder = tmp_path / "changed"
    shutil.copytree(TIDE_MARKS, folder)
    text = (folder / name).read_text("utf-8")
    assert before in text
    (folder / name).write_text(text.replace(before, after), encoding="utf-8")
    return folder


def test_a_folder_is_played_as_its_texts_say() -> None:
    env = MadeQueryGameEnv(path=str(TIDE_MARKS), difficulty=2)
    rules, _ = env.reset(options={"case": "4"})  # the set 1, 6
    assert rules.splitlines()[:5] == [
        "Hidden: a set of 2 different numbers from 1 to 8. All such sets are equally likely. All numbers are whole "
        "numbers.",
        "",
        "Send one query per round:",
        "<query_distance>5</query_distance> returns how far 5 is from the nearest number of the set (0 if 5 is in it). "
        "Replace 5 with any whole number from 1 to 8.",
        "<query_between>2 8</query_between> returns whether the set has a number greater than 2 and smaller than 8. "
        "Replace 2 8 with any two whole numbers from 1 to 8, the smaller first, which differ by 2 or more.",
    ]
    said = [env.step(text)[0].splitlines()[0] for text in ("distance 4", "between 1 6", "between 6 1")]
    assert said[:2] == ["2.", "No."]
    assert "query_between takes any two whole numbers from 1 to 8, the smaller first" in said[2]
    _, reward, terminated, _, info = env.step("answer: 37")
    assert (reward, terminated, info["outcome"]) == (1.0, True, "success")


def test_the_budget_comes_from_a_proof_that_is_made_when_it_is_needed() -> None:
    name = str(TIDE_MARKS)
    proved = [proofs.of_game(name, level) for level in (1, 5)]
    assert [proof.decided for proof in proved] == [1.0, 1.0]
    assert MadeQueryGameEnv(path=name, difficulty=5).reset(seed=0)[1]["view"].rounds_left == proved[1].budget


def test_code_gives_the_same_tables_in_the_sandbox_and_outside() -> None:
    outside = made.read(TIDE_MARKS, trusted=True)
    inside = made.read(TIDE_MARKS)
    for level in (1, 3):
        assert fingerprint(outside.level(level)) == fingerprint(inside.level(level))


@pytest.mark.parametrize("difficulty", [1, 5])
def test_the_reference_player_wins(difficulty: int) -> None:
    env = MadeQueryGameEnv(path=str(TIDE_MARKS), difficulty=difficulty)
    for seed in range(5):
        observation, info = env.reset(seed=seed)
        player = resolve_agent("query-games/reference")()
        player.reset(seed=seed, info=info)
        reward, over = 0.0, False
        while not over:
            observation, reward, over, _, info = env.step(player.act(observation, info))
        assert reward == 1.0


@pytest.mark.parametrize(
    ("name", "before", "after", "why"),
    [
        ("game.toml", 'structure = "set"', 'structure = "heap"', "structure must be one of set, sequence, tree, graph"),
        ("game.toml", 'takes = "number"', 'takes = "word"', "takes must be one of none, number, two numbers"),
        ("game.toml", 'form = "one number"', 'form = "a word"', "form must be one of one number"),
        ("game.toml", 'name = "between"', 'name = "distance"', "two queries have the same name"),
        ("game.toml", 'name = "between"', 'name = "Between!"', "a name is lower-case words joined by '-'"),
        ("game.toml", "{n = 6, k = 2}, ", "", "levels must have 5 to 5 tables, got 4"),
        ("game.toml", "{n = 6, k = 2}", '{n = "6"}', "levels must be tables of whole numbers"),
        ("game.toml", "[target]", "[aim]", r"\[target\] is missing"),
        ("game.toml", "a {set} of", "a {set of", "hides has braces that do not match"),
        ("game.toml", "a {set} of", "a {set.x} of", "hides may have words and numbers in braces only"),
        ("game.toml", "from 1 to {n}", "to {n:9999999999}", "may have words and numbers in braces only"),
        ("game.toml", "from 1 to {n}", "to {n!a}", "may have words and numbers in braces only"),
        ("game.toml", "title", "title title", "game.toml is no TOML"),
        ("game.toml", 'mode = "deductive"', 'mode = "abductive"', r"\[prior\] is missing"),
        ("game.py", "def answer", "def other", "NameError"),
        ("game.py", "return sum(x * x for x in state)", "return 1 / 0", "ZeroDivisionError"),
        ("game.py", "return sum(x * x for x in state)", "return -1", "a number below 0"),
        ("game.py", "return sum(x * x for x in state)", "return 'ten'", "an answer must be a whole number, got 'ten'"),
        ("game.py", "return min(abs(argument[0] - x) for x in state)", "return None", "got None"),
        (
            "game.py",
            "return min(abs(argument[0] - x) for x in state)",
            "return state.sort(reverse=True) or 0",
            "changes the state",
        ),
        (
            "game.py",
            "return [[x] for x in numbers]",
            "return [[x, x] for x in numbers]",
            "distance takes 1",
        ),
        ("game.py", "return [[x] for x in numbers]", "return [[1], [1]]", r"gives \[1\] twice"),
        ("game.py", "return [[x] for x in numbers]", "return []", "distance has no legal argument"),
        ("game.py", "return [list(chosen) for", "return [[1, 2] for", "states twice"),
        ("game.py", 'range(1, level["n"] + 1), level["k"])]', "[1], 1)]", "has 1 states; 2 to 6000 are allowed"),
        (
            "game.py",
            "def show",
            "weight = lambda state, level: state[0]\n\n\ndef show",
            "gives states different",
        ),
        ("game.py", "from itertools", "import socket; socket.socket()\nfrom itertools", "game.py failed at level"),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(
    tmp_path: Path, name: str, before: str, after: str, why: str
) -> None:
    folder = changed(tmp_path, name, before, after)
    with pytest.raises(ConfigError, match=why):
        MadeQueryGameEnv(path=str(folder), budget=9).reset(seed=0)


def test_a_tree_needs_its_number_of_nodes(tmp_path: Path) -> None:
    folder = changed(tmp_path, "game.toml", 'structure = "set"', 'structure = "tree"')
    (folder / "game.toml").write_text((folder / "game.toml").read_text("utf-8").replace("{n = 6,", "{m = 6,"), "utf-8")
    with pytest.raises(ConfigError, match="a level of a tree game needs n, its nodes, from 2 to 16"):
        made.read(folder)


def abductive(tmp_path: Path) -> Path:
    more = '\n[prior]\nstates = "The probability of a {set} is proportional to the sum of its {numbers}."\n'
    more += '[opening]\nquery = "distance"\nargument = [3]\n'
    folder = changed(tmp_path, "game.toml", 'mode = "deductive"', 'mode = "abductive"')
    with (folder / "game.toml").open("a", encoding="utf-8") as file:
        file.write(more)
    with (folder / "game.py").open("a", encoding="utf-8") as file:
        file.write("\n\ndef weight(state, level):\n    return sum(state)\n")
    return folder


def test_an_abductive_game_gives_a_reply_first_and_weighs_its_states(tmp_path: Path) -> None:
    folder = abductive(tmp_path)
    rules, _ = MadeQueryGameEnv(path=str(folder), difficulty=1).reset(options={"case": "0"})  # 1, 2
    assert "The probability of a set is proportional to the sum of its numbers." in rules
    assert (
        'Known from the start: the reply to "how far 3 is from the nearest number of the set (0 if 3 is in it)"'
        in rules
    )
    level = games.find(str(folder)).level(1)
    assert level.weights.tolist()[:3] == [3, 4, 5]
    assert np.unique(level.opening).tolist() == [0, 1, 2]


def test_an_opening_names_a_query_and_its_argument(tmp_path: Path) -> None:
    folder = abductive(tmp_path)
    text = (folder / "game.toml").read_text("utf-8")
    (folder / "game.toml").write_text(text.replace('query = "distance"', 'query = "gap"'), encoding="utf-8")
    with pytest.raises(ConfigError, match="opening must have the name of a query and a list argument"):
        made.read(folder)


@pytest.mark.parametrize(
    ("call", "error", "why"),
    [
        (lambda: made.find("none-of-these"), UnknownNameError, "none-of-these"),
        (lambda: games.find("made/none-of-these"), UnknownNameError, "none-of-these"),
        (lambda: MadeQueryGameEnv(path="no/such/folder"), ConfigError, "is no query game: game.toml cannot be read"),
        (lambda: MadeQueryGameEnv(path=3), ConfigError, "path must be the name of a made game or of a folder, got 3"),  # type: ignore[arg-type]
    ],
)
def test_a_game_that_is_not_there_is_named(call: Callable[[], object], error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        call()


def test_made_games_are_in_no_suite_of_the_papers() -> None:
    assert all("-made-" not in env_id and env_id != "ibench/Query-v1" for env_id, _ in query_suite(40))


OWN = made.names()


def test_the_package_has_24_made_games_or_more_of_every_structure() -> None:
    found = [made.find(name).structure for name in OWN]
    assert len(found) >= 24
    assert set(found) == set(games.STRUCTURES)
    assert {made.find(name).mode for name in OWN} == {"deductive", "abductive"}


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.every(7)) for name in OWN])
def test_a_made_game_is_proved_by_the_table_that_is_played(name: str) -> None:
    game = made.find(name)
    proved = [proofs.of_game(f"made/{name}", level) for level in LEVELS]
    assert proved[0].sha256 == fingerprint(game.level(1))
    assert all(proof.decided == 1 and proof.reference >= 0.998 for proof in proved)
    assert proved[0].answers >= 12
    assert all(easier.states < harder.states for easier, harder in itertools.pairwise(proved))
    assert all(easier.turns <= harder.turns for easier, harder in itertools.pairwise(proved))


@pytest.mark.long
def test_no_made_game_is_another_in_other_words() -> None:
    every = {**games.every(), **{name: made.find(name) for name in OWN}}
    found = Counter(invariant(Level(game, 1)) for game in every.values())
    assert set(found.values()) == {1}
