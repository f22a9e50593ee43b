"""The arguments that environments of a dialogue share; what they default to, the signature of ``DialogueEnv`` says.

An environment takes them as ``**arguments: Unpack[TermsArguments]`` and passes them on, so that each is declared and
documented once. One that plays on other terms takes fewer of them, and states a default of its own as its argument.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from interactive_envs.dialogue.probe import Probe
from interactive_envs.judges.base import Judge


class CaseArguments(TypedDict, total=False):
    """What every dialogue takes.

    Attributes:
        case: play this case always.
        render_mode: None or ``ansi``.
        probes: decorate the task, the innermost first.
    """

    case: str | None
    render_mode: str | None
    probes: Sequence[Probe]


class RoundsArguments(CaseArguments, total=False):
    """What a dialogue in rounds takes.

    Attributes:
        no_interaction: no queries, one final answer.
        retries: unreadable messages per round that cost nothing.
        strict: the first unreadable message ends the episode.
    """

    no_interaction: bool
    retries: int
    strict: bool


class JudgedArguments(RoundsArguments, total=False):
    """What a dialogue takes whose judge the user chooses.

    Attributes:
        forced_final: one more answer after the last round.
        approximate: score episodes that a judge decided whose verdicts are estimates.
        judge: a judge's spec or instance.
    """

    forced_final: bool
    approximate: bool
    judge: str | Judge


class TermsArguments(JudgedArguments, total=False):
    """What a dialogue takes whose budget and judge the user chooses.

    Attributes:
        budget: rounds in all.
    """

    budget: int
