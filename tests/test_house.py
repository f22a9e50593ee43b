"""The house rules that no linter knows: where modules may be named, how long a file and how full a folder may be.

Every list of exceptions may only shrink: an entry that is no longer needed fails its test.
"""

from __future__ import annotations

import ast
import functools
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "interactive_envs"
NAME = re.compile(r"interactive_envs((?:\.\w+)+)(?::\w+)?\.?\Z")
MOST_LINES, MOST_MODULES = 800, 15
TOO_LONG: dict[str, int] = {}
TOO_FULL: dict[str, int] = {}
UPWARD = {("registration", "making")}
"""Ids are registered with the name of the function that makes them: Gymnasium imports it when it is called."""
FOREIGN = PACKAGE / "novel_games" / "games"
"""Code as foreign authors write it; nobody reads it as part of the package."""


def layers() -> dict[str, int]:
    """Return each top-level module's height: what is imported must not stand higher."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = next(c for c in settings["tool"]["importlinter"]["contracts"] if c["type"] == "layers")
    listed = list(reversed(contract["layers"]))
    return {name: height for height, layer in enumerate(listed) for name in re.split(r"\s*[|:]\s*", layer)}


def modules(*places: Path) -> Iterator[Path]:
    """Yield the files of Python in these folders, each once, though links lead to some of them twice."""
    seen = set()
    for place in places:
        for path in sorted(place.rglob("*.py")):
            real = path.resolve()
            if real not in seen and not real.is_relative_to(FOREIGN):
                seen.add(real)
                yield path


def own() -> list[Path]:
    """Return every module of the package, under its name in the package."""
    linked = [path for path in PACKAGE.iterdir() if path.is_symlink()]
    return [*modules(PACKAGE, *linked)]


@functools.cache
def named_in_strings(path: Path) -> list[tuple[int, str]]:
    """Return line and module of each string in the code that names one of the package; docstrings are no code."""
    text = path.read_text(encoding="utf-8")
    if f"{PACKAGE.name}." not in text:
        return []
    nodes = list(ast.walk(ast.parse(text)))
    prose = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    return [
        (node.lineno, found[1].removeprefix("."))
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose
        if (found := NAME.match(node.value))
    ]


def test_strings_name_modules_of_the_same_layers_only() -> None:
    height = layers()
    upward = []
    for path in own():
        here = path.relative_to(PACKAGE).with_suffix("").parts[0]
        for line, module in named_in_strings(path):
            there = module.split(".")[0]
            known = here in ("__init__", "catalog") or (here, there) in UPWARD
            if not known and height[there] > height[here]:
                upward.append(f"{path.relative_to(ROOT)}:{line}: {module}")
    assert not upward, "imports upward by string; let the catalogue name them"


def test_no_family_is_named_in_strings_outside_its_folder() -> None:
    families = {path.parent.name for path in PACKAGE.glob("*/env.py")} - {"dialogue"}
    assert {"holdem", "black_box"} <= families
    strays = []
    for path in own():
        here = path.relative_to(PACKAGE).with_suffix("").parts[0]
        if here in ("catalog", "agents"):
            continue
        for line, module in named_in_strings(path):
            there = module.split(".")[0]
            if there in families and there != here:
                strays.append(f"{path.relative_to(ROOT)}:{line}: {module}")
    assert not strays, "a family is reached through the catalogue alone"


def test_no_module_is_longer_than_a_reader_bears() -> None:
    everywhere = [PACKAGE, *(ROOT / name for name in ("agents", "wrappers", "training", "game_generation"))]
    lengths = {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8").count("\n")
        for path in modules(*everywhere, *(ROOT / name for name in ("tools", "tests", "benchmarks", "examples")))
    }
    assert {name: n for name, n in lengths.items() if n > TOO_LONG.get(name, MOST_LINES)} == {}
    assert [name for name in TOO_LONG if lengths.get(name, 0) <= MOST_LINES] == [], "off the list with these"


def test_no_folder_holds_more_modules_than_a_reader_keeps_in_mind() -> None:
    counted = Counter(
        str(path.parent.relative_to(ROOT)) for path in modules(*(ROOT / name for name in ("tools", "benchmarks")))
    )
    counted.update(str(path.parent.relative_to(ROOT)) for path in own() if path.name != "__init__.py")
    assert {name: n for name, n in counted.items() if n > TOO_FULL.get(name, MOST_MODULES)} == {}
    assert [name for name in TOO_FULL if counted[name] <= MOST_MODULES] == [], "off the list with these"


@pytest.mark.parametrize("text", ["interactive_envs.cli.main:main", "interactive_envs.cli."])
def test_the_search_finds_a_module_in_a_string(tmp_path: Path, text: str) -> None:
    file = tmp_path / "module.py"
    file.write_text(f'"""interactive_envs.agent in prose."""\nNAME = {text!r}\n')
    assert [module.split(".")[0] for _, module in named_in_strings(file)] == ["cli"]
