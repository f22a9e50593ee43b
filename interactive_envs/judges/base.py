"""The judge interface, and the specs that name judges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from interactive_envs import catalog
from interactive_envs.agent import resolve
from interactive_envs.core import JudgeRequest, Verdict
from interactive_envs.errors import ConfigError


class Judge:
    """Answers questions and grades finals against a hidden truth.

    Thread-safe: one instance serves every episode of a process. The same request gives the same verdict
    except where a model is asked without a cache.
    """

    name: ClassVar[str] = ""
    approximate: ClassVar[bool] = False
    """Whether its verdicts are estimates; reports say so wherever a score depends on it."""
    tuned_on: frozenset[str] = frozenset()
    """Ids of puzzles of this package that it was tuned on: what is measured on them says nothing."""
    seat: int = 0
    """Its place in a panel: part of what replies are cached under, so that equal members give a sample each."""

    @property
    def priced(self) -> bool:
        """Whether the cost of its model calls is known."""
        return True

    def judge(self, request: JudgeRequest) -> Verdict:
        """Give a verdict whose label is one of ``request.labels``.

        Raises:
            JudgeError: no readable verdict after its retries.
        """
        raise ConfigError(f"judge class {type(self).__name__} has no judge method; define judge(request)")

    def describe(self) -> dict[str, Any]:
        """What a record says of this judge: model, prompt hash, what it falls back to."""
        return {"name": self.name}

    def close(self) -> None:
        """Give back what the judge holds."""


def resolve_judge(spec: str) -> Callable[[], Judge]:
    """A constructor for the judge that ``spec`` names, e.g. ``offline``, ``llm:xai/grok-4.1-fast``.

    Raises:
        ConfigError: the spec cannot be used; the message names the nearest match.
    """
    return resolve("judge", spec, catalog.table("judges"), Judge)
