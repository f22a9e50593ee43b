"""Where targets come from: the package's fifty, generated ones, or a user's screenshots and pages."""

from __future__ import annotations

import base64
import functools
import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from interactive_envs.errors import ConfigError, DatasetError, MissingExtraError
from interactive_envs.system import files
from interactive_envs.ui2html.targets import designs as targets
from interactive_envs.ui2html.targets.designs import DIFFICULTIES, LARGEST_SEED, Design

PAGES, PICTURES, REQUEST = (".html", ".htm"), (".png",), ".txt"
"""Endings of a user's files."""
LARGEST_PAGE, LARGEST_PICTURE, LONGEST_REQUEST = 500_000, 20_000_000, 2_000
"""Bytes of a page and of a picture, characters of a request. A saved page with its framework's styles is larger than
what players write."""
LARGEST_SIDE = 4096
"""Pixels of a side of a picture."""


@dataclass(frozen=True)
class Target:
    """A page to rebuild.

    Attributes:
        id: of the case; players never see it.
        html: the page, where there is one.
        png: a screenshot, where there is no page.
        design: of a page of our own.
        request: the request that a user gave with it; None lets the summariser write one.
    """

    id: str
    html: str | None = None
    png: bytes | None = None
    design: Design | None = None
    request: str | None = None

    def for_judge(self) -> dict[str, str]:
        """As judges know it."""
        if self.html is not None:
            return {"html": self.html}
        return {"png": base64.b64encode(self.png or b"").decode()}


class Source(Protocol):
    """Where targets come from."""

    def ids(self) -> Sequence[str] | None:
        """The targets' ids in order, None where they have no end."""

    def draw(self, rng: np.random.Generator, target_id: str | None = None) -> Target:
        """The target named, else one drawn; ``rng`` moves on alike in both cases."""

    def sha256(self) -> str:
        """Hash of what decides the targets."""


class Own:
    """The package's fifty.

    Args:
        difficulty: only those of this difficulty; None for all.
    """

    def __init__(self, difficulty: int | None = None) -> None:
        fixed = targets.fixed()
        self._designs = {one.id: one for one in fixed if difficulty is None or one.difficulty == difficulty}

    def ids(self) -> Sequence[str]:
        """Their ids in order."""
        return list(self._designs)

    def draw(self, rng: np.random.Generator, target_id: str | None = None) -> Target:
        """The target named, else one of them."""
        drawn = int(rng.integers(len(self._designs)))
        return of_design(self._designs[target_id or list(self._designs)[drawn]])

    def sha256(self) -> str:
        """Hash of all fifty pages."""
        return targets.sha256()


class Generated:
    """Targets without end.

    Args:
        difficulties: those drawn, each as likely.
    """

    def __init__(self, difficulties: Sequence[int] = DIFFICULTIES) -> None:
        self._difficulties = tuple(difficulties)

    def ids(self) -> None:
        """None: there are as many as there are seeds."""
        return

    def draw(self, rng: np.random.Generator, target_id: str | None = None) -> Target:
        """The target named, like ``generated-3-77``, else that of a difficulty and a seed drawn.

        Raises:
            UnknownNameError: no target has this id.
        """
        difficulty = self._difficulties[int(rng.integers(len(self._difficulties)))]
        seed = int(rng.integers(LARGEST_SEED, endpoint=True))
        return of_design(targets.generate(seed, difficulty) if target_id is None else targets.find(target_id))

    def sha256(self) -> str:
        """Hash of some pages of each difficulty, which change with the generator."""
        return _sample()


class Given:
    """A user's targets: pages (``*.html``, ``*.htm``) and screenshots (``*.png``), in the order of their names.

    A text beside one, ``NAME.txt``, is the request that goes with it.

    Args:
        path: a file, or a folder whose files are taken; folders inside it are not looked into.

    Raises:
        ConfigError: there is nothing to take, or a file cannot be a target; the message names it.
    """

    def __init__(self, path: str) -> None:
        place = Path(path).expanduser()
        if not place.exists():
            raise ConfigError(f"targets {path!r} do not exist; name a folder or a file (*.html, *.htm, *.png)")
        listed = sorted(place.iterdir()) if place.is_dir() else [place]
        chosen = [file for file in listed if file.suffix.lower() in (*PAGES, *PICTURES) and _is_meant(file)]
        if not chosen:
            raise ConfigError(f"targets {path!r} hold no page and no picture: *.html, *.htm or *.png")
        self._targets = {target.id: target for target in map(read_target, chosen)}

    def ids(self) -> Sequence[str]:
        """The files' names."""
        return list(self._targets)

    def draw(self, rng: np.random.Generator, target_id: str | None = None) -> Target:
        """The target named, else one of them."""
        drawn = int(rng.integers(len(self._targets)))
        return self._targets[target_id or list(self._targets)[drawn]]

    def sha256(self) -> str:
        """Hash of names, contents and requests."""
        whole = hashlib.sha256()
        for target in self._targets.values():
            for part in (target.id, target.html or "", target.request or ""):
                whole.update(part.encode("utf-8", "replace") + b"\0")
            whole.update(target.png or b"")
        return whole.hexdigest()


def of_design(design: Design) -> Target:
    """A page of our own as a target."""
    return Target(design.id, html=targets.html(design), design=design)


def read_target(file: Path) -> Target:
    """A user's page or screenshot, with its request if there is one.

    Raises:
        DatasetError: it is none.
        ConfigError: it, or its request, is a link, no regular file, or too large.
        MissingExtraError: it is a picture, and Pillow is not installed.
    """
    beside = file.with_suffix(REQUEST)
    try:
        content = files.read_bytes(file, largest=LARGEST_PICTURE)
        request = _request(beside) if _is_meant(beside) else None
    except OSError as error:
        raise DatasetError(file, None, None, f"cannot be read: {error}") from error
    if request is not None and not 0 < len(request) <= LONGEST_REQUEST:
        problem = f"a request has 1 to {LONGEST_REQUEST} characters, this one has {len(request)}"
        raise DatasetError(beside, None, None, problem)
    if file.suffix.lower() in PICTURES:
        _check_picture(file, content)
        return Target(file.name, png=content, request=request)
    return Target(file.name, html=_page(file, content), request=request)


def _is_meant(file: Path) -> bool:
    """Whether a file is to be read; links and pipes are, to be refused by name."""
    return file.is_symlink() or (file.exists() and not file.is_dir())


def _request(file: Path) -> str:
    text = files.read_text(file, largest=16 * LONGEST_REQUEST).removeprefix("\ufeff")
    return text.strip()


def _page(file: Path, content: bytes) -> str:
    if len(content) > LARGEST_PAGE:
        raise DatasetError(file, None, None, f"a page has at most {LARGEST_PAGE} bytes, this one has {len(content)}")
    try:
        html = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DatasetError(file, None, None, f"is not UTF-8: {error}") from error
    if "<" not in html:
        raise DatasetError(file, None, None, "holds no HTML")
    return html


def _check_picture(file: Path, content: bytes) -> None:
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError as error:
        raise MissingExtraError("reading a screenshot", "ui") from error
    try:
        with Image.open(io.BytesIO(content), formats=["PNG"]) as image:
            width, height = image.size
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        raise DatasetError(file, None, None, "is not a PNG that can be read") from error
    if max(width, height) > LARGEST_SIDE:
        problem = f"a picture may be {LARGEST_SIDE} px wide and tall, this one is {width} by {height}"
        raise DatasetError(file, None, None, problem)


@functools.cache
def _sample() -> str:
    pages = (targets.html(targets.generate(seed, level)) for level in DIFFICULTIES for seed in range(4))
    return hashlib.sha256("\0".join(pages).encode()).hexdigest()
