"""The trust game: iterated prisoner's dilemmas whose end nobody knows."""

from __future__ import annotations

from interactive_envs.family import Family

FAMILY = Family(
    "trust",
    label="Trust",
    hidden={"trust": "how the other player moves, and which round is the last"},
    drawing="interactive_envs.trust_game.drawing:draw",
    page="interactive_envs.trust_game.tables:TrustPage",
    tables="interactive_envs.trust_game.tables:TrustTables",
    matches="interactive_envs.trust_game.report:Matches",
    scores="interactive_envs.trust_game.scores:YARDSTICKS",
)
