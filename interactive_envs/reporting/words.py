"""The words of reports for success: tasks are solved, games are won."""

from __future__ import annotations

from dataclasses import dataclass

from interactive_envs import catalog
from interactive_envs.reporting.records import RunConfig


@dataclass(frozen=True)
class Words:
    """The words of a report.

    Attributes:
        share: of episodes that ended in success.
        done: what became of them.
        do: its infinitive.
        failed: what became of others.
        late: what became of those that took too long.
        within: how far success counts.
    """

    share: str
    done: str
    do: str
    failed: str
    late: str
    within: str


TASKS = Words("Accuracy", "solved", "solve", "failed", "rounds ran out", " within the rounds")
GAMES = Words("Win rate", "won", "win", "lost", "too long", "")


def words_of(config: RunConfig) -> Words:
    """Return the words for games where a run plays nothing but games of several seats."""
    units = catalog.load()["units"]
    played = {cell.env_id for cell in config.cells}
    return GAMES if all("aec" in units.get(env_id, {"views": ()})["views"] for env_id in played) else TASKS
