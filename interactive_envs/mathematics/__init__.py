"""Math: find a number by asking about the steps of its derivation."""

from __future__ import annotations

from interactive_envs.family import Family

FAMILY = Family(
    "math",
    label="Maths",
    hidden={"math": "numbers in a mathematical problem"},
    judge="interactive_envs.mathematics.judge.offline:MathJudge",
    prompts="interactive_envs.mathematics.judge",
    labelled={
        "claims": "interactive_envs.mathematics.labelled:claims",
        "played-claims": "interactive_envs.mathematics.labelled:played",
        "answers": "interactive_envs.mathematics.labelled:answers",
        "math-adversarial": "interactive_envs.mathematics.labelled:adversarial",
    },
    scores="interactive_envs.mathematics.scores:YARDSTICKS",
)
