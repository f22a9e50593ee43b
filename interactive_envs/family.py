"""The card of a family of environments: what the rest of the package knows of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Family:
    """What the rest of the package knows of a family.

    A family's package has one as ``FAMILY``; ``make catalog`` copies it into the catalogue, and
    :func:`interactive_envs.catalog.family` finds it there. Values written ``module:name`` are imported when they are
    first used, so a card costs nothing.

    Attributes:
        name: what lists and messages call it.
        prefixes: ``family`` of its units and prefixes of its players' names, where these are not its name alone.
        judge: the class of :class:`~interactive_envs.judges.base.Judge` behind ``offline``.
        prompts: the package whose folder ``data`` holds the prompts of its judges.
        labelled: suites of ``ibench judge-check``: name to a function without arguments that yields items.
        labels: reads a user's file of labelled requests: a function of a path that returns items.
        suites: suites of ``ibench run --suite``: name to a :class:`~interactive_envs.reporting.suites.Suite`.
        scores: a sequence of :class:`~interactive_envs.reporting.yardsticks.Yardstick`, for docs/scores.md and
            ``ibench validate --long``.
        layout: a function that splits an observation into ``rules``, ``notice``, ``moves``, ``board`` and ``rest``, as
            transcripts show those of a game.
        page: a :class:`~interactive_envs.reporting.run_tables.RunPage` that is written before a run's report.
        tables: a :class:`~interactive_envs.reporting.run_tables.RunTables`.
        matches: a :class:`~interactive_envs.reporting.matches.MatchReport`, for games with several seats.
    """

    name: str
    prefixes: tuple[str, ...] = ()
    judge: str | None = None
    prompts: str | None = None
    labelled: Mapping[str, str] = field(default_factory=dict)
    labels: str | None = None
    suites: Mapping[str, str] = field(default_factory=dict)
    scores: str | None = None
    layout: str | None = None
    page: str | None = None
    tables: str | None = None
    matches: str | None = None

    @property
    def units(self) -> tuple[str, ...]:
        """What its units say as ``family``."""
        return self.prefixes or (self.name,)
