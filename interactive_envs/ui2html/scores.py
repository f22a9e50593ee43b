"""Players by which scores of web pages can be read."""

from __future__ import annotations

from interactive_envs.family import Yardstick

YARDSTICKS = (
    Yardstick(
        "Web pages",
        (("ibench/UI2Html-v1", {"split": "generated"}),),
        {
            "chance": "ui2html/blank",
            "no interaction": "ui2html/template",
            "rule": "ui2html/asker",
            "reference": "ui2html/reference",
        },
        levels=(1, 3, 5),
        episodes=4,
        abilities=("asking", "building"),
    ),
)
