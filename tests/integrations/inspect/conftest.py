"""An environment with inspect_ai, which brings some 70 packages and is in no lock file: made once, kept in build/."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from interactive_envs.integrations.inspect import TESTED

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="session")
def inspect_bin() -> Path:
    """The folder of its commands. What this package needs besides is lent by the environment of the tests."""
    place = ROOT / "build" / f"inspect-ai-{TESTED}-{sys.version_info.major}.{sys.version_info.minor}"
    ready = place / "ready"
    if not ready.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", place], check=True)
        python = place / "bin" / "python"
        installing = [python, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", f"inspect_ai=={TESTED}"]
        done = subprocess.run(installing, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"inspect_ai {TESTED} cannot be installed here: {done.stderr[-300:]}")
        own = subprocess.run(
            [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        # Its own packages come first; then those of the tests, with this package's entry points, then this package.
        (Path(own) / "lent.pth").write_text(f"{sysconfig.get_path('purelib')}\n{ROOT}\n")
        ready.touch()
    return place / "bin"
