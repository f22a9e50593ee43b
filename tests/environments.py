"""Environments of their own for packages that clash with others or that only a few long tests need."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "environments"
VERSIONS = {
    "trl": ("torch==2.13.0", "trl==1.16.0", "transformers==5.23.0", "datasets==5.2.0", "accelerate==1.15.0"),
}
"""What each environment is made of, besides this package and pytest."""


def environment(name: str, requirements: Sequence[str] = ()) -> Path:
    """Make an environment where there is none with these requirements, which takes minutes, and return its Python.

    This checkout is in it, editable. An environment stays in build/environments until its requirements change. Where
    no package index answers, the test is skipped.

    Args:
        name: of the environment, a key of :data:`VERSIONS` unless requirements are given.
        requirements: lines as pip reads them; torch with its exact version.
    """
    wanted = [*(requirements or VERSIONS[name]), "pytest>=8.2"]
    key = hashlib.sha256("\n".join([*wanted, sys.version]).encode()).hexdigest()[:12]
    folder = FOLDER / f"{name}-{key}"
    python, done = folder / "bin" / "python", folder / "made"
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / f"{name}.lock").open("w") as lock:  # two workers may want the same
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            for old in FOLDER.glob(f"{name}-*"):
                shutil.rmtree(old)
            _run(sys.executable, "-m", "venv", folder)
            torch = [line for line in wanted if line.startswith("torch==")]
            if torch:  # pip finds the build without CUDA where uv takes the one with it
                _run(python, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", *torch)
            _run(sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", python, *wanted, "-e", ROOT)
            done.touch()
    return python


def run_tests(python: Path, file: Path, *more: str) -> None:
    """Run the tests of a file in an environment; they fail here with what they printed there."""
    command = [
        python,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--noconftest",
        "-c",
        os.devnull,
        f"--rootdir={ROOT}",
        *more,
    ]
    done = subprocess.run(
        [*command, file],
        cwd=ROOT,
        env=clean_variables() | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.fail(f"{file.name} failed:\n{done.stdout}\n{done.stderr[-4000:]}", pytrace=False)


def clean_variables() -> dict[str, str]:
    """The variables of this process without those of its Python and its coverage; one thread, no network."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV", "VIRTUAL"))}
    return kept | {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}


def _run(*command: str | Path) -> None:
    done = subprocess.run(command, cwd=ROOT, env=clean_variables(), capture_output=True, text=True, check=False)
    if done.returncode:
        if "connect" in done.stderr.lower():
            pytest.skip(f"no package index answers: {done.stderr[-200:]}")
        pytest.fail(f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}", pytrace=False)
