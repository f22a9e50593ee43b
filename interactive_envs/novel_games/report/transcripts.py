"""How transcripts show what players of generated games observe."""

from __future__ import annotations

import re

_SITUATION = re.compile(
    r"""(?P<rules>.*?\nYou\ are\ (?:First|Second)\.[^\n]*\n(?:[^\n]+\n)*\n)?
    (?P<notice>Not\ read:\ .*?\n\n)?
    (?P<moves>Moves\ so\ far:\n(?:[^\n]+\n)*\n)?
    (?P<board>.*?)
    (?P<rest>\n\nYou\ are\ (?:First|Second)(?:\ and\ to\ move|\.\ It\ is\ your\ move)\.[^\n]*)?\Z""",
    re.DOTALL | re.VERBOSE,
)
"""What a player observes of a generated game, now and in records of v0."""


def split_observation(text: str) -> dict[str, str]:
    """Split an observation: ``rules``, ``notice``, ``moves`` so far, ``board`` and ``rest``; '' for what is missing."""
    parts = _SITUATION.match(text)
    return {name: part.strip("\n") for name, part in parts.groupdict("").items()} if parts else {"board": text}
