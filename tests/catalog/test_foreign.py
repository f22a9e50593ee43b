"""A distribution of somebody else's, installed: its environments, players, judges, probes and cards work by name."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

PROJECT = """[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "strange"
version = "0.1"

[project.entry-points.interactive_envs]
strange = "strange"
broken = "strange_nowhere"

[tool.setuptools]
packages = ["strange"]
"""
FACE = """from interactive_envs.family import Family

ENVIRONMENTS = {"strange/Divisor-v0": "strange.env:DivisorEnv", "strange/Plain-v0": "strange.env:Plain"}
AGENTS = {"strange/all": "strange.env:AskAll"}
JUDGES = {"strict": "strange.env:Strict"}
PROBES = {"shouting": "strange.env:Shouting"}
FAMILIES = [Family("strange")]
"""
CODE = '''
import gymnasium as gym
from interactive_envs.agent import Agent
from interactive_envs.catalog.unit import Unit
from interactive_envs.judges.base import Judge, Verdict
from tests.foreign import Guess
from tests.wrappers.small import Remainders
from interactive_envs.dialogue.env import DialogueEnv
from interactive_envs.wrappers.revision import Delay



class DivisorEnv(DialogueEnv):
    """Find a divisor by remainders.

    Args:
        budget: rounds in all.
    """

    unit = Unit("strange/Divisor-v0", "strange", references=("strange/all",))

    def __init__(self, *, budget=6, probes=(), render_mode=None):
        super().__init__(Remainders(), budget=budget, probes=probes, render_mode=render_mode)


class Plain(Guess):
    """Somebody's game."""


class AskAll(Agent):
    """Tries every answer."""

    name = "all"
    family = "strange"

    def act(self, observation, info):
        return "<ask>60</ask>"


class Shouting(Delay):
    """The same probe by another name."""

    name = "shouting"


class Strict(Judge):
    name = "strict"

    def judge(self, request):
        return Verdict(request.labels[-1], source="strict")
'''


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The distribution, built and installed into a folder of its own."""
    source = tmp_path_factory.mktemp("strange")
    (source / "strange").mkdir()
    (source / "pyproject.toml").write_text(PROJECT)
    (source / "strange" / "__init__.py").write_text(FACE)
    (source / "strange" / "env.py").write_text(CODE)
    target = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--target", str(target), str(source)], check=True, capture_output=True, timeout=120)
    return target


def python(installed: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the distribution and the tests on its path, and without the charts, which take longest."""
    path = os.pathsep.join([str(installed), str(Path(__file__).parents[2])])
    environment = os.environ | {"PYTHONPATH": path}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=environment, timeout=120)


COMMANDS = """
import json, sys
sys.modules["matplotlib"] = None
from click.testing import CliRunner
from interactive_envs.cli.main import main
done = [CliRunner().invoke(main, command) for command in json.loads(sys.argv[1])]
print(json.dumps([[one.exit_code, one.stdout, one.stderr] for one in done]))
"""


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it said."""

    returncode: int
    stdout: str
    stderr: str


def ibench(installed: Path, *commands: list[str]) -> list[Done]:
    """Commands, one after the other in a process, which starting takes longer than they do."""
    process = python(installed, "-c", COMMANDS, json.dumps(commands))
    assert process.returncode == 0, process.stderr
    return [Done(code, out, process.stderr + err) for code, out, err in json.loads(process.stdout)]


def test_names_of_entry_points_work_at_the_command_line(installed: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    command = ["strange/Divisor-v0", "strange/Plain-v0", "--agent", "random", "--episodes", "3", "--out", str(out)]
    probed = ["strange/Divisor-v0", "--agent", "all", "--probe", "shouting", "--episodes", "1"]
    played, replayed, own = ibench(
        installed, ["run", *command], ["replay", str(out)], ["run", *probed, "--out", str(tmp_path / "own")]
    )
    assert played.returncode == 0, played.stderr
    assert "entry point broken (strange_nowhere) is left out" in played.stderr
    ids = {json.loads(line)["env"]["id"] for line in (out / "episodes.jsonl").read_text().splitlines()}
    assert ids == {"strange/Divisor-v0", "strange/Plain-v0"}
    assert (out / "report.html").is_file()
    assert "6 of 6 episodes replay exactly." in replayed.stdout, replayed.stderr
    assert own.returncode == 0, own.stderr
    record = json.loads((tmp_path / "own" / "episodes.jsonl").read_text())
    assert (record["agent"]["spec"], record["wrappers"]) == ("all", ["shouting"])


def test_catalogue_lists_them_and_a_look_at_names_imports_no_environment(installed: Path) -> None:
    code = """
import sys
import interactive_envs
assert "strange" not in sys.modules  # importing this package looks at no entry point
from interactive_envs import catalog
assert {"strange/Divisor-v0", "strange/Plain-v0"} <= set(catalog.ids())
assert catalog.table("agents")["strange/all"] == "strange.env:AskAll"
assert catalog.table("judges")["strict"] == "strange.env:Strict"
assert catalog.family("strange").name == "strange"
assert "strange.env" not in sys.modules
assert catalog.entry("strange/Divisor-v0")["defaults"]["budget"] == 6
assert interactive_envs.make("strange/Divisor-v0", budget=3).unwrapped.terms.budget == 3
"""
    looked = python(installed, "-W", "ignore", "-c", code)
    assert looked.returncode == 0, looked.stderr


def test_without_the_distribution_its_names_are_unknown(tmp_path: Path) -> None:
    (done,) = ibench(tmp_path, ["run", "strange/Divisor-v0", "--agent", "random", "--out", str(tmp_path / "run")])
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "unknown environment 'strange/Divisor-v0'" in done.stderr


def test_a_replay_imports_no_module_that_only_a_stranger_s_folder_names(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("from tests.foreign import Guess as Mine, Hint\n")
    out = tmp_path / "run"
    run = ["--path", str(tmp_path), "run", "mine:Mine", "--agent", "random", "--episodes", "2", "--out", str(out)]
    replay = ["replay", str(out)]
    played, replayed = ibench(tmp_path, [*run, "-k", 'wrappers=["mine:Hint"]'], ["--path", str(tmp_path), *replay])
    assert (played.returncode, "2 of 2" in replayed.stdout) == (0, True), replayed
    # The folder of the test is on the path of the test alone.
    (tmp_path / "elsewhere").mkdir()
    (refused,) = ibench(tmp_path / "elsewhere", replay)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "mine:Mine cannot be imported: there is no module 'mine' here" in refused.stderr
