"""No-limit Texas hold'em on PokerKit."""

from __future__ import annotations

from interactive_envs.family import Family

FAMILY = Family(
    "holdem",
    label="Hold'em",
    hidden={"holdem": "the other players' cards"},
    drawing="interactive_envs.holdem.drawing:draw",
    suites={"holdem": "interactive_envs.holdem.suites:HOLDEM"},
    page="interactive_envs.holdem.tables:HoldemPage",
    tables="interactive_envs.holdem.tables:HoldemTables",
    matches="interactive_envs.holdem.report:Matches",
    scores="interactive_envs.holdem.scores:YARDSTICKS",
)
