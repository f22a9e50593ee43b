from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interactive_envs.api import evaluate

pytest.importorskip("uvicorn")
from interactive_envs.web.serving import Server, serving

QUERY = "ibench/Query-graph-abductive-likely-bridge-edges-of-two-by-smallest-triangles-edges-v1"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two small runs of two players each."""
    folder = tmp_path_factory.mktemp("runs")
    evaluate([QUERY], ["reference", "random"], episodes=3, out=folder / "query")
    evaluate(["ibench/TrustGame-v1"], ["tft", "all-d"], episodes=2, out=folder / "trust")
    return folder


@pytest.fixture(scope="module")
def server(runs: Path) -> Iterator[Server]:
    with serving([runs], port=0) as ready:
        thread = threading.Thread(target=ready.serve)
        thread.start()
        yield ready
        ready.stop()
        thread.join()


class Visitor:
    """A browser's page, with everything that it complained of or asked others for."""

    def __init__(self, browser: Any, server: Server, width: int = 1000, scheme: str = "light") -> None:
        self.server = server
        self.context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda said: self.complaints.append(said.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.complaints.append(dialog.message), dialog.dismiss()))
        self.context.on("requestfinished", self._note)
        self.context.on("requestfailed", self._note)
        self.page.goto(server.address)

    def _note(self, request: Any) -> None:
        """Note what left the browser for anybody else; what the policy forbids fails before. Routes hold streams."""
        url = request.url
        known = (self.server.origin + "/", self.server.frames + "/", "data:")
        if not url.startswith(known) and request.failure != "csp":
            self.asked.append(url)

    def go(self, path: str) -> Any:
        self.page.goto(self.server.origin + path)
        return self.page


@pytest.fixture
def visitor(browser: Any, server: Server) -> Iterator[Visitor]:
    found = Visitor(browser, server)
    yield found
    found.context.close()
    assert found.complaints == []
    assert found.asked == []
