"""How an episode ends for a seat, and what is no ending at all."""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """The result of an episode for one seat."""

    SUCCESS = "success"
    FAILURE = "failure"
    DRAW = "draw"
    SCORED = "scored"
    """The value is in the reward."""
    FORMAT_ERROR = "format_error"
    """Ended because an action could not be read, where the task ends on that."""
    TIMEOUT = "timeout"
    """The budget ran out."""
    FORFEIT = "forfeit"
    UNSCORED = "unscored"
    """A judge whose verdicts are estimates took part, and the episode was not meant to be scored by estimates."""


class Fault(StrEnum):
    """Infrastructure failures: counted apart, retried, never scored as play."""

    PROVIDER_ERROR = "provider_error"
    JUDGE_ERROR = "judge_error"
    ENV_ERROR = "env_error"
