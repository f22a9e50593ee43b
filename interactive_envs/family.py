"""The card of a family of environments: what the rest of the package knows of it, and players of known strength."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias


@dataclass(frozen=True)
class Family:
    """What the rest of the package knows of a family.

    A family's package has one as ``FAMILY``; ``make catalog`` copies it into the catalogue, and
    :func:`interactive_envs.catalog.family` finds it there. Values written ``module:name`` are imported when they are
    first used, so a card costs nothing.

    Attributes:
        name: what lists and messages call it.
        label: the same in a word, as the head of a column; the name where there is none.
        prefixes: ``family`` of its units and prefixes of its players' names, where these are not its name alone.
        hidden: what is hidden in it, in a few words, by ``family`` of its units.
        judge: the class of :class:`~interactive_envs.judges.base.Judge` behind ``offline``.
        prompts: the package whose folder ``data`` holds the prompts of its judges.
        judge_errors: how often that judge errs on final answers, as ``ibench judge-check --out`` wrote it: a file as
            ``package:path``.
        labelled: suites of ``ibench judge-check``: name to a function without arguments that yields items.
        labels: reads a user's file of labelled requests: a function of a path that returns items.
        suites: suites of ``ibench run --suite``: name to a :class:`~interactive_envs.reporting.suites.Suite`.
        scores: a sequence of :class:`Yardstick`, for docs/scores.md and
            ``ibench validate --long``.
        layout: a function that splits an observation into ``rules``, ``notice``, ``moves``, ``board`` and ``rest``,
            as transcripts show those of a game.
        drawing: a function of a seat's view that returns the table as an SVG element, "" where there is none; all text
            in it is escaped, and it has neither ``style`` nor scripts.
        page: a :class:`~interactive_envs.reporting.run_tables.RunPage` that is written before a run's report.
        tables: a :class:`~interactive_envs.reporting.run_tables.RunTables`.
        matches: a :class:`~interactive_envs.reporting.matches.MatchReport`, for games with several seats.
        needs: a function without arguments that looks for what a machine must have to play, such as a browser: it
            returns a number, the more the better, or raises ConfigError. On a cluster the family is played where it
            returns as much as where the run was started.
    """

    name: str
    label: str = ""
    prefixes: tuple[str, ...] = ()
    hidden: Mapping[str, str] = field(default_factory=dict)
    judge: str | None = None
    judge_errors: str | None = None
    prompts: str | None = None
    labelled: Mapping[str, str] = field(default_factory=dict)
    labels: str | None = None
    suites: Mapping[str, str] = field(default_factory=dict)
    scores: str | None = None
    layout: str | None = None
    drawing: str | None = None
    page: str | None = None
    tables: str | None = None
    matches: str | None = None
    needs: str | None = None

    @property
    def units(self) -> tuple[str, ...]:
        """What its units say as ``family``."""
        return self.prefixes or (self.name,)


Role: TypeAlias = Literal["chance", "no interaction", "rule", "reference", "exact"]
"""``no interaction`` plays as the reference does, and may not ask."""
ROLES: tuple[Role, ...] = ("chance", "no interaction", "rule", "reference", "exact")
"""From the weakest to the strongest; only the first two may be equal."""


Ability: TypeAlias = Literal["asking", "inferring", "revising", "planning", "computing", "building"]
ABILITIES: tuple[Ability, ...] = ("asking", "inferring", "revising", "planning", "computing", "building")
"""Choosing what to ask; drawing the conclusion; giving up what was believed; playing against others; arithmetic and
algebra; making something that is then looked at."""


@dataclass(frozen=True)
class Yardstick:
    """Players of one setting, weakest first; a family names its own on its card.

    Attributes:
        title: of the setting, as docs/scores.md has it.
        environments: pairs of an id and its arguments, a sample where there are many.
        players: specs by role; a role that nothing fills is left out.
        levels: values of ``difficulty`` over which the reference's score falls; empty where there are no levels.
        asks: whether asking is the point, so that a player that may not ask is near chance.
        bounded: whether rewards lie between 0 and 1, so that the reference's can be said to be neither too low nor too
            high.
        perfect: whether the budget follows from what the reference needs, so that it wins nearly always; the turns it
            takes then rise with the level.
        worth: returns what an episode counts, given what its game recorded; None for the reward.
        episodes: per environment, level and player.
        abilities: what it takes, of :data:`ABILITIES`; the suite ``core`` reports means over them.
    """

    title: str
    environments: tuple[tuple[str, Mapping[str, Any]], ...]
    players: Mapping[Role, str]
    levels: tuple[int, ...] = ()
    asks: bool = True
    bounded: bool = True
    perfect: bool = False
    worth: Callable[[Mapping[str, Any]], float] | None = None
    episodes: int = 40
    abilities: tuple[Ability, ...] = ()
