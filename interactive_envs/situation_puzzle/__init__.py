"""Situation puzzles: find the hidden explanation of an odd story by yes/no questions."""

from __future__ import annotations

from interactive_envs.family import Family

FAMILY = Family(
    "situation-puzzle",
    label="Puzzles",
    hidden={"situation-puzzle": "the explanation of an odd story"},
    judge="interactive_envs.situation_puzzle.judge.story:StoryJudge",
    judge_errors="interactive_envs.situation_puzzle.judge:data/errors.json",
    prompts="interactive_envs.situation_puzzle.judge",
    labelled={
        "paraphrases": "interactive_envs.situation_puzzle.labelled:paraphrases",
        "explanations": "interactive_envs.situation_puzzle.labelled:explanations",
        "fresh": "interactive_envs.situation_puzzle.labelled:fresh",
        "narrowing": "interactive_envs.situation_puzzle.labelled:narrowing",
        "misled": "interactive_envs.situation_puzzle.labelled:misled",
        "neutral": "interactive_envs.situation_puzzle.labelled:neutral",
        "adversarial": "interactive_envs.situation_puzzle.labelled:adversarial",
        "calibration": "interactive_envs.situation_puzzle.labelled:calibration",
        "tuning": "interactive_envs.situation_puzzle.labelled:tuning",
    },
    labels="interactive_envs.situation_puzzle.labelled:read_items",
    scores="interactive_envs.situation_puzzle.scores:YARDSTICKS",
)
