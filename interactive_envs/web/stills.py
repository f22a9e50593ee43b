"""Pictures of an episode as files of their own: a still of one moment, or all moments one after another.

Both are SVG without scripts, which browsers, READMEs and slides show as an image.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from html import escape
from importlib import resources

from interactive_envs.errors import ConfigError
from interactive_envs.web.looking_back import Frame

WIDTH = 640
"""Pixels of a picture."""
MARGIN = 0.03
"""Of the width, around it."""
_HEAD = re.compile(r'<svg\b[^>]*\bviewBox="(?P<box>[^"]+)"[^>]*>')
_LABEL = re.compile(r'\baria-label="([^"]*)"')


def still(frames: Sequence[Frame], message: int | None = None) -> str:
    """One moment of an episode.

    Args:
        frames: of the episode, see :func:`interactive_envs.web.looking_back.frames`.
        message: before which one, from 1; None for the end.

    Raises:
        ConfigError: there is no such message, or nothing is drawn.
    """
    if message is not None and not 1 <= message < len(frames):
        raise ConfigError(f"the episode has messages 1 to {len(frames) - 1}, got {message}")
    return _file([str(frames[-1 if message is None else message - 1].drawing)], 0)


def film(frames: Sequence[Frame], seconds: float = 1.5) -> str:
    """All moments of an episode, one after another, again and again; those that look alike are one.

    Who asks for less motion sees the end.

    Args:
        frames: of the episode.
        seconds: that each moment lasts.

    Raises:
        ConfigError: nothing is drawn.
    """
    return _file([drawing for drawing, _ in itertools.groupby(str(frame.drawing) for frame in frames)], seconds)


def _file(drawings: Sequence[str], seconds: float) -> str:
    heads = [head for drawing in drawings if (head := _HEAD.match(drawing))]
    if not heads:
        raise ConfigError("this family draws nothing; its episodes are read, see ibench serve or ibench report")
    boxes = [tuple(map(float, head["box"].split()))[2:] for head in heads]
    margin = WIDTH * MARGIN
    inside = WIDTH - 2 * margin
    heights = [inside * height / width for width, height in boxes]
    whole = max(heights) + 2 * margin
    parts = []
    for number, (head, height) in enumerate(zip(heads, heights, strict=True)):
        text = head.string[head.end() : head.string.rindex("</svg>")]
        place = f'x="{margin:g}" y="{margin:g}" width="{inside:g}" height="{height:.1f}"'
        delay = f' style="animation-delay:{number * seconds:g}s"' if len(heads) > 1 else ""
        parts.append(f'<g class="moment"{delay}><svg {place} viewBox="{head["box"]}">{text}</svg></g>')
    label = _LABEL.search(heads[-1][0])
    name = f'aria-label="{label[1] if label else escape("a table")}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{whole:.0f}" '
        f'viewBox="0 0 {WIDTH} {whole:.1f}" role="img" {name}>\n<style>{_style(len(heads), seconds)}</style>\n'
        f'<rect width="100%" height="100%" class="paper"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _style(moments: int, seconds: float) -> str:
    """The pages' styles of drawings in light colours, since a picture brings its own paper; when a moment is shown."""
    light = (resources.files("interactive_envs.reporting") / "data" / "report.css").read_text("utf-8").partition("}")[0]
    variables = ";".join(f"{name}:{colour}" for name, colour in re.findall(r"(--[\w-]+): (#\w+)", light))
    lines = (resources.files(__package__) / "data" / "app.css").read_text("utf-8").splitlines()
    styles = [f"svg{{{variables}}}", *(line for line in lines if line.startswith("svg "))]
    if moments > 1:
        share = 100 / moments
        styles += [
            f"@keyframes moment{{0%,{share:.4f}%{{opacity:1}}{share + 0.0001:.4f}%,100%{{opacity:0}}}}",
            f".moment{{opacity:0;animation:moment {moments * seconds:g}s step-end infinite}}",
            "@media (prefers-reduced-motion:reduce){.moment{animation:none}.moment:last-child{opacity:1}}",
        ]
    return "\n".join(styles)
