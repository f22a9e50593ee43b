"""Every hostile program, at every level of this machine, as root and as an ordinary user."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import interactive_envs
from interactive_envs.sandbox import best_level

HERE = Path(__file__).parent
USER = 12345
PYTHONS = (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3")


@pytest.fixture(scope="module")
def copies() -> Iterator[Path]:
    """What the attacks need, where an ordinary user may read it; the sandbox needs little of the package."""
    with tempfile.TemporaryDirectory() as name:  # pytest's folders are its user's alone
        folder = Path(name)
        folder.chmod(0o755)
        copy_into(folder)
        yield folder


def copy_into(folder: Path) -> None:
    package, own = folder / "interactive_envs", Path(interactive_envs.__file__).parent
    package.mkdir()
    (package / "__init__.py").touch()
    for name in ("errors.py", "outcome.py"):
        shutil.copy(own / name, package)
    shutil.copytree(own / "sandbox", package / "sandbox", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(HERE / "hostile", folder / "hostile", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HERE / "attacks.py", folder)


def python_for_everybody() -> str | None:
    """An interpreter that an ordinary user can start."""
    for path in PYTHONS:
        real = Path(path).resolve()
        library = Path(sysconfig.get_paths()["stdlib"]) if path == sys.executable else real
        folders = [*real.parents, *library.parents, *Path(path).parents]
        if real.is_file() and all(folder.stat().st_mode & 0o001 for folder in folders):
            version = subprocess.run(
                [path, "-c", "import sys; print(sys.version_info >= (3, 11))"], capture_output=True
            )
            if version.stdout == b"True\n":
                return path
    return None


def attack(copies: Path, level: int, user: int | None, *words: str) -> list[tuple[str, str, list[str]]]:
    """Each program's name, how it ended and what was wrong, seen from a process of that user."""
    command: list[str] = [sys.executable]
    if user is not None:
        if os.geteuid() != 0:
            pytest.skip("we are an ordinary user already")
        python = python_for_everybody()
        if python is None:
            pytest.skip("no interpreter that another user can start")
        command = [python]
    command += [str(copies / "attacks.py"), str(level), *(["--user", str(user)] if user else []), *words]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=250,
        cwd="/",
        env={"PYTHONPATH": str(copies), "PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 0, done.stderr
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


BEST = int(best_level())
CASES = [
    # Of a user less is claimed at level 1 than of root, and the filter is tried as a user below.
    *(
        pytest.param(
            level, user, False, id=f"{level}-{name}", marks=() if level == BEST and not user else pytest.mark.long
        )
        for level in range(1, BEST + 1)
        for user, name in ((None, "as-we-are"), (USER, "as-a-user"))
    ),
    *(pytest.param(level, None, True, id=f"{level}-one-a-kind") for level in range(1, BEST)),
]


@pytest.mark.parametrize(("level", "user", "one_a_kind"), CASES)
def test_no_hostile_program_has_an_effect(level: int, user: int | None, one_a_kind: bool, copies: Path) -> None:
    results = attack(copies, level, user, *(["--one-a-kind"] if one_a_kind else []))
    assert [(name, ended, wrong) for name, ended, wrong in results if wrong] == []
    assert len(results) >= (20 if one_a_kind else 80)
    # That every kind of end is reached at all.
    assert len({ended for _, ended, _ in results}) >= (7 if one_a_kind else 9)


@pytest.mark.skipif(best_level() < 2, reason="there is no seccomp here")
def test_the_filter_alone_holds_every_program_where_landlock_is_missing(copies: Path) -> None:
    """The canary is the user's own file: the filter refuses to open, remove, rename, empty and chmod it."""
    reaching_out = [path.stem for path in (HERE / "hostile").glob("*.py") if "forbidden" in path.read_text()]
    results = attack(copies, 2, USER if os.geteuid() == 0 else None, "--without-landlock", *reaching_out)
    assert len(results) == len(reaching_out) >= 50
    assert [(name, ended, wrong) for name, ended, wrong in results if wrong] == []
    assert {f"{verb}_canary" for verb in ("append", "chmod", "remove", "rename", "truncate")} <= {
        name for name, ended, _ in results if ended == "forbidden"
    }


def test_the_checks_see_what_level_1_leaves_open(copies: Path) -> None:
    """The stated gaps, as a control: an effect there is, the checks find."""
    results = attack(copies, 1, USER, "make_directory", "make_symlink", "truncate_canary", "remove_canary")
    assert len(results) == 4
    assert all(any("changed files" in problem for problem in wrong) for _, _, wrong in results)
