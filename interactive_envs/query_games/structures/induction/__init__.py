"""Inductive games: a hidden rule gives every instance an output; ask for outputs, then predict unseen instances."""

from __future__ import annotations

from interactive_envs.query_games.base import Kind, Target, components
from interactive_envs.query_games.structures.induction import queries, targets

KINDS = components(queries, Kind)
TARGETS = components(targets, Target)
