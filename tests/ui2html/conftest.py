"""The browser of these tests, or the line that says why they are skipped."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Iterator

import pytest

from interactive_envs.errors import ConfigError
from interactive_envs.ui2html.rendering import browser as browsers


def missing() -> str | None:
    """Why no page can be rendered here."""
    if importlib.util.find_spec("playwright") is None:
        return "the extra 'ui' is not installed"
    try:
        browsers.find_chromium()
        browsers.find_fonts()
    except ConfigError as error:
        return str(error)
    return None


@pytest.fixture(scope="session")
def chromium() -> str:
    why = missing()
    if why is not None:
        pytest.skip(why)
    return browsers.find_chromium()


class Remembering(browsers.Browser):
    """The shared browser, which draws each page once: for tests of what is on pages, not of how they are drawn."""

    def render(self, html: str, *, largest: int | None = None) -> browsers.Render:
        return _drawn(html, largest)


@functools.lru_cache(256)
def _drawn(html: str, largest: int | None) -> browsers.Render:
    return browsers.shared().render(html, largest=largest)


@pytest.fixture(scope="session")
def _shared(chromium: str) -> Iterator[browsers.Browser]:
    yield browsers.shared()
    browsers.shared().close()


@pytest.fixture(scope="session")
def browser(_shared: browsers.Browser) -> browsers.Browser:
    return _shared


@pytest.fixture(scope="session")
def remembering(_shared: browsers.Browser) -> browsers.Browser:
    return Remembering()
