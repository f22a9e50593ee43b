from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from interactive_envs import sandbox
from interactive_envs.cli import doctor
from interactive_envs.sandbox import kernel, levels


def test_the_level_and_every_part_are_shown() -> None:
    shown = doctor.render(doctor.findings())
    assert f"{int(sandbox.best_level())} of 3" in shown
    for name in ("Landlock", "seccomp", "bubblewrap", "chromium", "litellm", "matplotlib", "model cache", "keys set"):
        assert name in shown


def test_a_level_below_2_comes_with_a_warning_of_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def shown() -> list[str]:
        lines = doctor.render(doctor.findings()).splitlines()
        start = next(number for number, line in enumerate(lines) if line.startswith("  level "))
        return lines[start : start + 2]

    monkeypatch.setenv("IBENCH_SANDBOX_LEVEL", "1")
    level, warning = shown()
    assert level.split()[:4] == ["level", "1", "of", "3"]
    assert warning.strip() == "-> foreign code may delete your files at this level"
    monkeypatch.delenv("IBENCH_SANDBOX_LEVEL")
    monkeypatch.setattr(kernel, "seccomp_works", lambda: False)
    levels.parts.cache_clear()
    try:
        level, warning = shown()
    finally:
        levels.parts.cache_clear()
    assert level.split() == ["level", "missing"]
    assert "CONFIG_SECCOMP_FILTER; or set IBENCH_SANDBOX_LEVEL=1" in warning


def test_what_is_missing_comes_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", "/nowhere")
    monkeypatch.delenv("IBENCH_CHROMIUM", raising=False)
    monkeypatch.setattr(doctor.importlib.util, "find_spec", lambda _: None)
    levels.parts.cache_clear()
    try:
        found = doctor.findings()
    finally:
        levels.parts.cache_clear()
    missing = {row.name: row.remedy for row in found if not row.found}
    assert missing["bubblewrap"].startswith("apt install bubblewrap")
    assert missing["torch"] == "pip install 'interactive-envs[train]'"
    assert "apt install chromium" in missing["chromium"]


def test_a_browser_is_shown_with_its_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "browser"
    program.write_text("#!/bin/sh\necho Chromium 120.0.1 built somewhere\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("IBENCH_CHROMIUM", str(program))
    shown = {row.name: row.found for row in doctor.findings()}
    assert shown["chromium"] == f"120.0.1, {program}"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    shown = {row.name: row.found for row in doctor.findings()}
    assert shown["chromium"] == f"{program}, which tells no version"


def test_without_linux_the_table_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels.sys, "platform", "darwin")
    levels.parts.cache_clear()
    try:
        assert "the sandbox needs Linux, this is darwin" in doctor.render(doctor.findings())
    finally:
        monkeypatch.undo()
        levels.parts.cache_clear()
