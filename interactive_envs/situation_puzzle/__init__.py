"""Situation puzzles: find the hidden explanation of an odd story by yes/no questions."""

from __future__ import annotations

from interactive_envs.family import Family

FAMILY = Family(
    "situation-puzzle",
    judge="interactive_envs.situation_puzzle.judge.story:StoryJudge",
    prompts="interactive_envs.situation_puzzle.judge",
)
