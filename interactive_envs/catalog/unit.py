"""A unit of the catalogue: one id with all that registry-wide checks and reports need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from interactive_envs.seeds import NOT_KEY


@dataclass(frozen=True)
class Unit:
    """What the catalog holds of an id; a class carries one as ``unit``, or yields those of many ids from ``units``.

    Attributes:
        id: the Gymnasium id, e.g. ``ibench/SituationPuzzle-v1``.
        family: prefix of its rule agents, e.g. ``situation-puzzle``.
        arguments: keyword arguments the id fixes.
        variants: argument sets that validate, docs and tests walk; the first is the default.
        views: ``text``, and ``numeric`` where the default variant has a numeric twin.
        numeric_variants: indices of the variants that have the numeric twin.
        text_only: why no variant has one, in a sentence; empty where one has.
        references: per variant the spec of a player that should succeed, or None.
        presets: arguments by the name of a preset; ``paper`` is the published protocol.
        reward_range: lowest and highest return of an episode.
        not_key: arguments that do not change the game, left out of the env key; ``no_interaction`` and ``probes``
            are two, so that clean and changed runs compare the same drawn cases.
        sources: papers and sections.
        tags: what lists and suites choose by, e.g. ``structure``.
        summary: one line; empty for that of the class.
    """

    id: str
    family: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    variants: tuple[Mapping[str, Any], ...] = ({},)
    views: tuple[str, ...] = ("text",)
    numeric_variants: tuple[int, ...] = ()
    text_only: str = ""
    references: tuple[str | None, ...] = (None,)
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    reward_range: tuple[float, float] = (0.0, 1.0)
    not_key: tuple[str, ...] = NOT_KEY
    sources: tuple[str, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)
    summary: str = ""
