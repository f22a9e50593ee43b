"""Several judges vote on every request."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar
from urllib.parse import unquote

from interactive_envs.core import JudgeRequest, Verdict
from interactive_envs.errors import ConfigError, JudgeError
from interactive_envs.judges.base import Judge, resolve_judge
from interactive_envs.judges.llm import VerdictError

CONSERVATIVE = ("irrelevant", "incorrect")
"""The labels that give nothing away and reward nothing: the verdict of a panel without a majority."""


class PanelJudge(Judge):
    """A majority vote; the target is the members' specs, separated by commas.

    ``panel:offline,llm:openai/gpt-5-mini,llm:xai/grok-4.1-fast``. Each member is percent-decoded before it is
    read as a spec: write ``%3F`` for ``?``, ``%26`` for ``&``, ``%2C`` for a comma and ``%25`` for a percent
    sign within a member, as in ``panel:offline,llm:openai/gpt-5-mini%3Ftemperature=0.5``. A member that is named
    twice has two votes, and asks its model twice: worth it only at a temperature above 0.

    The label with more than half of the votes wins. An abstaining member has no vote. Without a majority the
    verdict is the conservative label (``irrelevant``, ``incorrect``) and counts as abstained. Members that fail
    are recorded; when half of them or more fail, the panel fails.

    Args:
        target: the members.
    """

    name: ClassVar[str] = "panel"

    def __init__(self, target: str) -> None:
        self._specs = tuple(unquote(member).strip() for member in target.split(","))
        if len(self._specs) < 2 or not all(self._specs):
            raise ConfigError(f"a panel needs at least 2 members, got {target!r}; write panel:offline,llm:MODEL")
        builders = [resolve_judge(spec) for spec in self._specs]
        self._members: list[Judge] = []
        try:
            for build in builders:
                self._members.append(build())
                self._members[-1].seat = len(self._members) - 1
        except BaseException:
            self.close()
            raise
        # Estimates among the votes make the majority an estimate.
        self.approximate = any(member.approximate for member in self._members)  # type: ignore[misc]

    @property
    def priced(self) -> bool:
        """Whether the cost of every member's model calls is known."""
        return all(member.priced for member in self._members)

    def judge(self, request: JudgeRequest) -> Verdict:
        """Ask all members at once and count.

        Raises:
            JudgeError: half of the members or more gave no verdict; its ``calls`` are those of all members.
        """
        with ThreadPoolExecutor(len(self._members)) as pool:
            ballots = list(pool.map(lambda member: _ask(member, request), self._members))
        verdicts = [ballot for ballot in ballots if isinstance(ballot, Verdict)]
        calls = tuple(call for ballot in ballots for call in ballot.calls)
        split = "; ".join(f"{spec}: {_shown(ballot)}" for spec, ballot in zip(self._specs, ballots, strict=True))
        if len(verdicts) * 2 <= len(ballots):
            failed = next(ballot for ballot in ballots if isinstance(ballot, JudgeError))
            message = f"judge {self.name}: only {len(verdicts)} of {len(ballots)} members gave a verdict; {split}"
            raise VerdictError(message, calls) from failed
        votes = Counter(verdict.label for verdict in verdicts if not verdict.abstained)
        label = next((label for label, count in votes.items() if count * 2 > votes.total()), None)
        chosen = label or next((word for word in CONSERVATIVE if word in request.labels), request.labels[-1])
        tally = ", ".join(f"{word} {votes[word]}" for word in request.labels if votes[word]) or "no votes"
        return Verdict(
            chosen,
            detail=f"{tally}{'' if label else ', no majority'} | {split}",
            confidence=votes[chosen] / votes.total() if votes else 0.0,
            source=self.name,
            abstained=label is None,
            calls=calls,
        )

    def describe(self) -> dict[str, Any]:
        """What each member says of itself, in voting order."""
        members = [{"spec": spec, **member.describe()} for spec, member in zip(self._specs, self._members, strict=True)]
        return {"name": self.name, "members": members}

    def close(self) -> None:
        """Close every member."""
        for member in self._members:
            member.close()


def _ask(member: Judge, request: JudgeRequest) -> Verdict | JudgeError:
    try:
        return member.judge(request)
    except JudgeError as error:
        return error


def _shown(ballot: Verdict | JudgeError) -> str:
    if isinstance(ballot, JudgeError):
        return f"failed ({ballot})"
    return ballot.label + (" (abstained)" if ballot.abstained else "")
