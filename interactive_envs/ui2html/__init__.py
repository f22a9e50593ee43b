"""UI2Html: rebuild a page that is not seen, from a short request and yes/no questions."""

from __future__ import annotations

from interactive_envs.family import Family

FAMILY = Family(
    "ui2html",
    label="Pages",
    hidden={"ui2html": "a web page behind a short request"},
    judge="interactive_envs.ui2html.judge.offline:PageJudge",
    prompts="interactive_envs.ui2html.judge",
    labelled={
        "page-questions": "interactive_envs.ui2html.labelled:questions",
        "played-questions": "interactive_envs.ui2html.labelled:played",
        "page-adversarial": "interactive_envs.ui2html.labelled:adversarial",
    },
    page="interactive_envs.ui2html.report:UiPage",
    scores="interactive_envs.ui2html.scores:YARDSTICKS",
    needs="interactive_envs.ui2html.rendering.browser:has_browser",
)
