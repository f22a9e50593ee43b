"""One reply of an exploration that is false until it is corrected, as the probe of revision asks for."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interactive_envs.black_box.rules import Session


def due(turn: int, session: Session) -> bool:
    """Whether the next reply is to be false: that to the query of this number (0 for none), or else the next one."""
    return bool(turn) and session.items is None and session.false_at is None and len(session.asked) + 1 >= turn


def corrected(after: int, session: Session) -> tuple[Session, str]:
    """The session with its false reply put right where that is due, or the test begins, and the words that tell it.

    Args:
        after: how many queries later it is due.
        session: after a turn.
    """
    place = session.false_at
    waits = place is not None and len(session.asked) - 1 - place < after
    if place is None or session.truth is None or (waits and session.items is None):
        return session, ""
    query, truth = session.asked[place][0], session.truth
    asked = (*session.asked[:place], (query, truth), *session.asked[place + 1 :])
    words = (
        f"Correction: the reply to your query {place + 1} was wrong. The right reply is: "
        f"{session.case.box.tell(query, truth)}"
    )
    return dataclasses.replace(session, asked=asked, truth=None), words


def record(turn: int, session: Session) -> dict[str, Any]:
    """The number of the query of each exploration whose reply was false, None for none; empty where none is to be."""
    places = session.lied if session.over else (*session.lied, session.false_at)
    return {"false_replies": [None if at is None else at + 1 for at in places]} if turn else {}
