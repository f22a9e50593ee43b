"""A clean process for every test: an own cache file, no prices of the user's, no shared client left over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from interactive_envs.llm import clients


@pytest.fixture(autouse=True)
def _own_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("IBENCH_CACHE", str(tmp_path / "calls.sqlite"))
    monkeypatch.delenv("IBENCH_PRICES", raising=False)
    yield
    clients.close_all()
