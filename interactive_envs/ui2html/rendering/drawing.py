"""Pictures of pages, each drawn once: judge, environment and report ask for the same ones."""

from __future__ import annotations

import base64
import binascii
import functools
import io
from collections.abc import Mapping

from interactive_envs.errors import ConfigError, JudgeError, MissingExtraError
from interactive_envs.ui2html.rendering import browser
from interactive_envs.ui2html.rendering.browser import HtmlError, Render
from interactive_envs.ui2html.targets.sources import LARGEST_PAGE

KEPT = 64
"""Pages whose pictures are kept: some 100 kB each."""
LARGEST = 4096
"""Pixels of a side of a screenshot."""


@functools.lru_cache(KEPT)
def drawn(html: str) -> Render:
    """The picture and the tree of a player's page.

    Raises:
        HtmlError: the page breaks a limit.
        FaultError: the browser failed.
        ConfigError: there is no browser.
    """
    return browser.shared().render(html)


def drawn_target(target: Mapping[str, str]) -> Render:
    """A target as judges know it, ``{"html": …}`` or ``{"png": base64}``; of a screenshot the tree is empty.

    Raises:
        HtmlError: the page breaks a limit; it may be larger than a player's, up to ``LARGEST_PAGE`` bytes.
        FaultError: the browser failed.
        ConfigError: there is no browser, or the screenshot cannot be read.
    """
    if "html" not in target:
        return screenshot(target["png"])
    html = target["html"]
    return _large(html) if len(html.encode("utf-8", "replace")) > browser.shared().limits.html else drawn(html)


def target_png(target: Mapping[str, str]) -> bytes:
    """The picture of a target for a judge that sees; raises JudgeError where there is none."""
    try:
        return drawn_target(target).png
    except HtmlError as error:
        raise JudgeError(f"a page has no picture: {error}") from error


def page_png(html: str) -> bytes:
    """The picture of a player's page for a judge that sees; raises JudgeError where there is none."""
    try:
        return drawn(html).png
    except HtmlError as error:
        raise JudgeError(f"a page has no picture: {error}") from error


@functools.lru_cache(KEPT)
def _large(html: str) -> Render:
    return browser.shared().render(html, largest=LARGEST_PAGE)


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
