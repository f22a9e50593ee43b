"""The documentation as a site: it builds without a dead link, and every id has its place in it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from interactive_envs import catalog
from tools.site import environments

ROOT = Path(__file__).parents[1]


@pytest.mark.long
def test_the_site_builds_without_a_dead_link_and_every_id_has_a_place(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    pages: dict[str, str] = {}
    for env_id in catalog.load()["units"]:
        page, anchor = environments.page_of(env_id)
        if page not in pages:
            pages[page] = (tmp_path / page).with_suffix(".html").read_text(encoding="utf-8")
        assert f'id="{anchor}"' in pages[page], env_id
    everything = "".join(path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.html"))
    loaded = re.findall(r'<(?:script|img|iframe|link)\b[^>]*?(?:src|href)="(https?://[^"]+)', everything)
    assert loaded == [], "nothing comes from elsewhere"


def test_every_family_says_what_is_hidden_and_has_a_guide() -> None:
    families = {catalog.entry(env_id)["family"] for env_id in catalog.load()["units"]}
    assert families == environments.HIDDEN.keys() == environments.GUIDES.keys()
    assert all((environments.DOCS / guide).exists() for guides in environments.GUIDES.values() for guide in guides)
