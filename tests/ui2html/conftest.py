"""The browser of these tests, or the line that says why they are skipped."""

from __future__ import annotations

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


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[browsers.Browser]:
    with browsers.Browser(chromium=chromium) as browser:
        yield browser
