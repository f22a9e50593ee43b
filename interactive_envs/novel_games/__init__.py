"""Two-player games as folders of rules and code: format, host, search and environments."""

from __future__ import annotations

from interactive_envs.family import Family

FAMILY = Family(
    "generated",
    label="Games",
    hidden={"generated": "rules nobody has seen before, and how the opponent plays"},
    layout="interactive_envs.novel_games.report.transcripts:split_observation",
    drawing="interactive_envs.novel_games.drawing:draw",
    suites={
        "games": "interactive_envs.novel_games.suites:GAMES",
        "games-v0": "interactive_envs.novel_games.suites:GAMES_V0",
        "games-v1": "interactive_envs.novel_games.suites:GAMES_V1",
        "luck": "interactive_envs.novel_games.suites:LUCKY",
    },
    tables="interactive_envs.novel_games.report.page:GameTables",
    scores="interactive_envs.novel_games.scores:YARDSTICKS",
    needs="interactive_envs.sandbox:level_in_use",
)
