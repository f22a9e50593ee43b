"""Black boxes as folders: what is played, what is refused, and that the sandbox changes nothing."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from interactive_envs import catalog
from interactive_envs.agent import resolve_agent
from interactive_envs.black_box import made
from interactive_envs.black_box.base import FAMILIES
from interactive_envs.black_box.env import MadeBoxEnv
from interactive_envs.black_box.suites import black_box_suite
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.game_generation.boxes import episode

FIXTURES = Path(__file__).parent / "fixtures"
FOLDERS = {made.read(path).family: path for path in sorted(FIXTURES.iterdir()) if path.is_dir()}


def changed(tmp_path: Path, family: str, name: str, before: str, after: str) -> Path:
    """A copy of a family's fixture in which one text of a file is another."""
    folder = tmp_path / "changed"
    shutil.copytree(FOLDERS[family], folder)
    text = (folder / name).read_text("utf-8")
    assert before in text
    (folder / name).write_text(text.replace(before, after), encoding="utf-8")
    return folder


def env_of(path: Path, **arguments: Any) -> MadeBoxEnv:
    return MadeBoxEnv(family=made.read(path.absolute()).family, path=str(path), **arguments)


def test_every_family_has_a_fixture() -> None:
    assert set(FOLDERS) == set(FAMILIES)


def test_a_cipher_of_a_folder_is_played_as_any_other() -> None:
    env = env_of(FOLDERS["cipher"], items=1)
    env.reset(seed=0)
    assert env.step("<query>Xyz abc</query>")[0].splitlines()[0] == "Cipher text: Abc def"
    question = env.step("<ready></ready>")[0]
    (plain,) = re.findall(r"The plain text is: (.*)", question)
    right = "".join(chr(ord(c) + 3 - 26 * (c.lower() > "w")) if c != " " else " " for c in plain)
    _, reward, over, _, info = env.step(f"<answer>{right}</answer>")
    assert (reward, over, info["outcome"]) == (1.0, True, "scored")


def test_a_puzzle_of_a_folder_has_its_own_texts() -> None:
    env = env_of(FOLDERS["puzzle"], items=1)
    rules, _ = env.reset(options={"case": "5"})
    assert rules.startswith("A marble lies under one of 12 cups, which stand in a circle")
    said, _, _, _, info = env.step("<query>1</query>")
    assert said.splitlines()[0].startswith("Reply: ")
    assert not env.step("<query>13</query>")[4]["valid"]
    assert info["valid"]


@pytest.mark.parametrize(
    ("family", "least"),
    [("circuit", 1.0), ("cipher", 1.0), ("mechanics", 1.0), ("puzzle", 1.0), ("strategy", 1.0), ("program", 0.1)],
)
def test_the_familys_reference_player_plays_it(family: str, least: float) -> None:
    env = env_of(FOLDERS[family])
    reference, luck = (
        sum(episode(env, resolve_agent(f"{family}/{name}")(), seed) for seed in range(2)) / 2
        for name in ("reference", "random")
    )
    assert reference >= least
    assert luck < reference


@pytest.mark.parametrize("family", FAMILIES)
def test_code_gives_the_same_results_in_the_sandbox_and_outside(family: str) -> None:
    inside, outside = made.read(FOLDERS[family]), made.read(FOLDERS[family], trusted=True)
    inputs = made.maker(family).inputs(inside, np.random.default_rng(0), 20)
    assert inside.results(inputs) == outside.results(inputs)


@pytest.mark.parametrize("family", ["cipher", "mechanics", "program"])
def test_answers_can_be_code(family: str) -> None:
    env = env_of(FOLDERS[family], answer_as="code", setting="1@1")
    observation, _ = env.reset(seed=1)
    assert "solution(" in observation


def test_two_systems_of_one_length_are_not_taken_for_each_other(tmp_path: Path) -> None:
    other = changed(tmp_path, "mechanics", "box.py", "2 * math", "3 * math")
    said = []
    for path in (FOLDERS["mechanics"], other):
        env = env_of(path)
        env.reset(seed=0)
        said.append(env.step("<query>1</query>")[0].splitlines()[0])
    assert said == ["At t = 1 s: A: (1.99, 0.50, 0.00)", "At t = 1 s: A: (2.99, 0.50, 0.00)"]


@pytest.mark.parametrize(
    ("family", "name", "before", "after", "why"),
    [
        ("cipher", "box.toml", 'family = "cipher"', 'family = "song"', "family must be one of circuit, program"),
        ("cipher", "box.toml", '"easy"', '"mild"', "grade must be one of easy, hard"),
        ("cipher", "box.toml", 'title = "Stepped Shift"', "title = 3", "title must be a line of text, got 3"),
        ("cipher", "box.toml", "title", "= title", "box.toml is no TOML"),
        ("cipher", "box.py", "return result", "return 7", "must be letters, digits, commas and blanks, got 7"),
        ("cipher", "box.py", "return result", 'return "same"', "different plain texts have one cipher text"),
        ("cipher", "box.py", "return result", "return text * 20", "may have 200 characters"),
        ("cipher", "box.py", "return result", "return 1 / 0", "ZeroDivisionError"),
        ("circuit", "box.toml", '["not", "x3"]', '["not", "g3"]', "gate g2 must be"),
        ("circuit", "box.toml", '["not", "x3"]', '["xor", "x3", "x1"]', "gate g2 must be"),
        ("circuit", "box.toml", 'outputs = ["g4"]', 'outputs = ["g9"]', "outputs must name gates"),
        ("circuit", "box.toml", "inputs = 4", "inputs = 44", "inputs must be a whole number from 2 to 10, got 44"),
        ("circuit", "box.py", "g1 | g2", "g1 & g2", "the gates give"),
        ("program", "box.toml", "checkpoints = 2", "checkpoints = 3", "never passed checkpoint 3"),
        ("program", "box.toml", "most = 9}, {", "most = 0}, {", "with least below most"),
        ("program", "box.toml", 'kind = "list"', 'kind = "set"', "must be an int, list or str"),
        ("program", "box.toml", "longest = 5", "longest = 99", "needs shortest and longest from 1 to 30"),
        ("program", "box.toml", 'name = "a"', 'name = "a b"', "an input has a name"),
        ("program", "box.py", "trace(2, r=s * a)", "trace(2, r=s * 0.5)", "variables must be whole numbers, texts"),
        ("program", "box.py", "trace(1, s=s)", "trace(1, **{'st'[e % 2]: s})", "different variables"),
        ("mechanics", "box.toml", "until = 10", "until = 0", "until must be a number from 1 to 120, got 0"),
        ("mechanics", "box.py", "0.5 * t, 0.0]]", "0.5 * t]]", "must give 1 points of three finite numbers"),
        ("mechanics", "box.py", "2 * math.sin(1.5 * t), 0.5 * t", "1, 1", "nothing moves"),
        ("puzzle", "box.toml", "question", "quest", "question must be a text of a length from 20 to 3000, got None"),
        ("puzzle", "box.py", "min(apart, 12 - apart)", "0", "no query tells the secrets 1 and 2 apart"),
        ("puzzle", "box.py", "range(1, 13))\n\n\ndef queries", "range(1, 3))\n\n\ndef queries", "it has 2 secrets"),
        ("puzzle", "box.py", "[str(cup) for cup", "['1' for cup", "two queries are the same"),
        ("puzzle", "box.py", "return str(secret)", "return '<b>'", "are lines of 1 to 200 characters, got '<b>'"),
        ("strategy", "box.toml", "rock-3", "rock-5", "game must be one of rock-3, reversed-3, rock-7"),
        ("strategy", "box.py", "[[state, 1]]", "[['stone', 1]]", "must list throws of the game"),
        ("strategy", "box.py", "return BEATER[mine]", "return state", "there is too little to find out"),
        ("strategy", "box.py", "return BEATER[mine]", "return state + mine", "has more than 4000 states"),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(
    tmp_path: Path, family: str, name: str, before: str, after: str, why: str
) -> None:
    folder = changed(tmp_path, family, name, before, after)
    with pytest.raises(ConfigError, match=why):
        MadeBoxEnv(family=family, path=str(folder)).reset(seed=0)


@pytest.mark.parametrize(
    ("call", "error", "why"),
    [
        (lambda: made.find("none-of-these"), UnknownNameError, "none-of-these"),
        (lambda: made.maker("song"), UnknownNameError, "song"),
        (lambda: MadeBoxEnv(family="cipher", path="no/such"), ConfigError, "is no black box: box.toml cannot be read"),
        (
            lambda: MadeBoxEnv(family="cipher", path=3),
            ConfigError,
            "path must be the name of a made box or of a folder",
        ),  # type: ignore[arg-type]
        (
            lambda: MadeBoxEnv(family="circuit", path=str(FOLDERS["cipher"])),
            ConfigError,
            "is a cipher box; play it with ibench/BlackBox-cipher-v1",
        ),
    ],
)
def test_a_box_that_is_not_there_is_named(call: Callable[[], object], error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        call()


def test_made_boxes_are_in_no_suite_of_the_paper() -> None:
    assert all("-made-" not in env_id for env_id, _ in black_box_suite())


def test_the_package_has_30_made_boxes_or_more_and_4_of_every_family_counted_apart() -> None:
    counts = {family: len(made.names(family)) for family in FAMILIES}
    assert min(counts.values()) >= 4
    assert sum(counts.values()) >= 30
    units = catalog.load()["units"].items()
    boxes = [entry["tags"]["grade"] for env_id, entry in units if re.match("ibench/BlackBox-.*-made-", env_id)]
    assert len(boxes) == sum(counts.values())
    assert all(grade.startswith("made") for grade in boxes)
