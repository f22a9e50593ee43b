"""An episode played again, to be looked at: what the table looked like at each message, and what could be known."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from interactive_envs import catalog
from interactive_envs.dialogue.task import Inferable
from interactive_envs.dialogue.view import DialogueView
from interactive_envs.evaluation.run import replay
from interactive_envs.making import make
from interactive_envs.reporting.records import EpisodeRecord

PATIENCE = 8.0
"""Seconds in which the answers that were still possible are listed; some take minutes at a high level."""


@dataclass(frozen=True)
class Frame:
    """What was to be seen before a message, or at the end.

    Attributes:
        said: the message; None at the end.
        drawing: of the table, as SVG; "" where there is none.
        open: answers that were still possible given all replies, None where nobody can list them.
    """

    said: str | None
    drawing: Markup
    open: int | None


def frames(record: EpisodeRecord) -> Iterator[Frame]:
    """Play a record again, message by message.

    Raises:
        ConfigError: it cannot be played again by this version.
    """
    known = _Known(record)
    view: Any = None
    for said, step in zip(record.steps, replay.steps(record), strict=True):
        before = step.before.get("view")
        yield Frame(said.action, drawing(record.env.id, before), known.open(before))
        view = step.info.get("view")
    yield Frame(None, drawing(record.env.id, view), None)


def drawing(env_id: str, view: Any) -> Markup:
    """The table as its family draws it, "" where it draws none."""
    unit = catalog.load()["units"].get(env_id)
    draw = unit and catalog.family(unit["family"]).drawing
    return Markup(catalog.attribute(draw)(view)) if draw and view is not None else Markup("")  # noqa: S704  our own


class _Known:
    """Lists what was still possible, as long as that is quick."""

    def __init__(self, record: EpisodeRecord) -> None:
        env = make(record.env.id, **record.env.arguments)
        task = getattr(env.unwrapped, "task", None)
        env.close()
        self._task: Inferable[Any] | None = task if isinstance(task, Inferable) else None
        self._until = time.monotonic() + PATIENCE

    def open(self, view: Any) -> int | None:
        """How many answers are possible."""
        if self._task is None or not isinstance(view, DialogueView) or time.monotonic() > self._until:
            return None
        found = self._task.hypotheses(view)
        return None if found is None else len(found)
