"""No-limit Texas hold'em on PokerKit."""

from __future__ import annotations

from interactive_envs.family import Family

FAMILY = Family("holdem", matches="interactive_envs.holdem.report:Matches")
