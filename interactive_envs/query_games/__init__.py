"""Query games: a hidden set, sequence, tree, graph or rule, a few kinds of queries, and one thing to find out."""

from __future__ import annotations

from interactive_envs.family import Family

FAMILY = Family(
    "query-games",
    label="Queries",
    hidden={"query-games": "a set, sequence, tree, graph or rule"},
    suites={"query": "interactive_envs.query_games.suites:QUERY"},
    drawing="interactive_envs.query_games.drawing:draw",
    tables="interactive_envs.query_games.report.page:QueryTables",
    scores="interactive_envs.query_games.scores:YARDSTICKS",
    needs="interactive_envs.sandbox:level_in_use",
)
