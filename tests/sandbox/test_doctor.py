from __future__ import annotations

import pytest

from interactive_envs import sandbox
from interactive_envs.evaluation import doctor
from interactive_envs.sandbox import levels


def test_the_level_and_every_part_are_shown() -> None:
    shown = doctor.render(doctor.findings())
    assert f"{int(sandbox.best_level())} of 3" in shown
    for name in ("Landlock", "seccomp", "bubblewrap", "chromium", "litellm", "matplotlib", "model cache", "keys set"):
        assert name in shown


def test_what_is_missing_comes_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor.shutil, "which", lambda _: None)
    monkeypatch.setattr(doctor.importlib.util, "find_spec", lambda _: None)
    levels.parts.cache_clear()
    try:
        found = doctor.findings()
    finally:
        levels.parts.cache_clear()
    missing = {row.name: row.remedy for row in found if not row.found}
    assert missing["bubblewrap"].startswith("apt install bubblewrap")
    assert missing["torch"] == "pip install 'interactive-envs[train]'"
    assert missing["chromium"] == "apt install chromium"


def test_without_linux_the_table_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels.sys, "platform", "darwin")
    levels.parts.cache_clear()
    try:
        assert "the sandbox needs Linux, this is darwin" in doctor.render(doctor.findings())
    finally:
        monkeypatch.undo()
        levels.parts.cache_clear()
