"""Two-player games as folders of rules and code: format, host, search and environments."""

from __future__ import annotations

from interactive_envs.family import Family

FAMILY = Family("generated")
