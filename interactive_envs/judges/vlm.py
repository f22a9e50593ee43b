"""A model that sees pictures as judge."""

from __future__ import annotations

from typing import ClassVar

from interactive_envs.judges.llm import LLMJudge


class VisionJudge(LLMJudge):
    """A language model that sees the target and the player's page; elsewhere it judges as ``llm`` does.

    Both pages are drawn and sent as PNGs, in data URIs; the record leaves them out. Takes what
    :class:`interactive_envs.judges.llm.LLMJudge` takes; the prompts of pages are ``ui2html-question.txt`` and
    ``ui2html-score.txt``.
    """

    name: ClassVar[str] = "vlm"
    sees: ClassVar[bool] = True
