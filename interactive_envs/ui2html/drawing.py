"""Pictures of pages, each drawn once: judge, environment and report ask for the same ones."""

from __future__ import annotations

import base64
import binascii
import functools
import io
from collections.abc import Mapping

from interactive_envs.errors import ConfigError, MissingExtraError
from interactive_envs.ui2html import browser
from interactive_envs.ui2html.browser import Render

KEPT = 64
"""Pages whose pictures are kept: some 100 kB each."""
LARGEST = 4096
"""Pixels of a side of a screenshot."""


@functools.lru_cache(KEPT)
def drawn(html: str) -> Render:
    """The picture and the tree of a page.

    Raises:
        HtmlError: the page breaks a limit.
        FaultError: the browser failed.
        ConfigError: there is no browser.
    """
    return browser.shared().render(html)


def drawn_target(target: Mapping[str, str]) -> Render:
    """A target as judges know it, ``{"html": …}`` or ``{"png": base64}``; of a screenshot the tree is empty."""
    return drawn(target["html"]) if "html" in target else screenshot(target["png"])


@functools.lru_cache(KEPT)
def screenshot(encoded: str) -> Render:
    """A picture without a tree.

    Args:
        encoded: a PNG as base64.

    Raises:
        ConfigError: it is no picture, or one too large.
    """
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError as error:
        raise MissingExtraError("reading a screenshot", "ui") from error
    try:
        data = base64.b64decode(encoded, validate=True)
        with Image.open(io.BytesIO(data), formats=["PNG"]) as image:
            width, height = image.size
            if max(width, height) > LARGEST:
                raise ConfigError(f"a screenshot may be {LARGEST} px wide and tall, got {width} by {height}")
            image.load()
    except (binascii.Error, UnidentifiedImageError, OSError, SyntaxError) as error:
        raise ConfigError(f"a screenshot is not a PNG that can be read: {error}") from error
    return Render(data, (), width, height)
