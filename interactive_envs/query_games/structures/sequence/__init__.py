"""Sequences of whole numbers: hidden ones, such as causes, and rules about them.

Each family, query and target is one function. The games are the lines of ``data/games/sequence.txt``.
"""

from __future__ import annotations

from interactive_envs.query_games.base import Family, Kind, Structure, Target, components, games_table
from interactive_envs.query_games.structures import induction
from interactive_envs.query_games.structures.sequence import abductive, deductive, inductive, queries, targets
from interactive_envs.query_games.structures.sequence.worlds import WORDS

STRUCTURE = Structure(
    "sequence",
    WORDS,
    families=(*components(deductive, Family), *abductive.CAUSES, *components(inductive, Family)),
    kinds=components(queries, Kind) + induction.KINDS,
    targets=components(targets, Target) + induction.TARGETS,
    table=games_table("sequence"),
)
