"""The trust game: an iterated prisoner's dilemma whose end nobody knows."""

from __future__ import annotations

from interactive_envs.family import Family

FAMILY = Family("trust", matches="interactive_envs.trust_game.report:Matches")
