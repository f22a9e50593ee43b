"""Several judges vote on every request."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar
from urllib.parse import unquote

from interactive_envs.errors import ConfigError, JudgeError
from interactive_envs.judges.asking import VerdictError
from interactive_envs.judges.base import Judge, JudgeRequest, Verdict, resolve_judge
from interactive_envs.llm.calls import ModelCall
from interactive_envs.llm.retry import plain
from interactive_envs.system.workers import Threads

CONSERVATIVE = ("irrelevant", "incorrect", "no")
"""The labels that give nothing away and reward nothing: of these the first that a request has is the verdict of a panel
without a majority."""


class PanelJudge(Judge):
    """A majority vote; the target is the members' specs, separated by commas.

    ``panel:offline,llm:openai/gpt-5-mini,llm:xai/grok-4.1-fast``. Each member is percent-decoded before it is
    read as a spec: write ``%3F`` for ``?``, ``%26`` for ``&``, ``%2C`` for a comma and ``%25`` for a percent
    sign within a member, as in ``panel:offline,llm:openai/gpt-5-mini%3Ftemperature=0.5``. A member that is named
    twice has two votes, and asks its model twice: worth it only at a temperature above 0.

    The label with more than half of the votes wins. An abstaining member has no vote. Without a majority the
    verdict is the conservative label (``irrelevant``, ``incorrect``, or ``no`` where there is only yes and no) and
    counts as abstained. Members that fail are recorded; when half of them or more fail, the panel fails.

    Of scores the panel gives the mean over the members that answered, each score by itself and halves rounded up: 12
    and 13 make 13. A member that abstains from scoring counts as failed.

    Args:
        target: the members.
    """

    name: ClassVar[str] = "panel"

    def __init__(self, target: str) -> None:
        self._specs = tuple(plain(unquote(member).strip()) for member in target.split(","))
        if len(self._specs) < 2 or not all(self._specs):
            raise ConfigError(f"a panel needs at least 2 members, got {target!r}; write panel:offline,llm:MODEL")
        builders = [resolve_judge(spec) for spec in self._specs]
        self.members: list[Judge] = []
        """In voting order."""
        try:
            for build in builders:
                self.members.append(build())
                self.members[-1].seat = len(self.members) - 1
        except BaseException:
            self.close()
            raise

    @property
    def priced(self) -> bool:
        """Whether the cost of every member's model calls is known."""
        return all(member.priced for member in self.members)

    def estimates(self, request: JudgeRequest) -> bool:
        """Whether one of the votes is an estimate, which makes the majority one."""
        return any(member.estimates(request) for member in self.members)

    def judge(self, request: JudgeRequest) -> Verdict:
        """Ask all members at once and count.

        Raises:
            JudgeError: half of the members or more gave no verdict; its ``calls`` are those of all members.
        """
        with Threads(len(self.members), "panel") as pool:
            ballots = list(pool.map(lambda member: _ask(member, request), self.members))
        verdicts = [ballot for ballot in ballots if isinstance(ballot, Verdict)]
        calls = tuple(call for ballot in ballots for call in ballot.calls)
        split = "; ".join(f"{spec}: {_shown(ballot)}" for spec, ballot in zip(self._specs, ballots, strict=True))
        if len(verdicts) * 2 <= len(ballots):
            failed = next(ballot for ballot in ballots if isinstance(ballot, JudgeError))
            message = f"judge {self.name}: only {len(verdicts)} of {len(ballots)} members gave a verdict; {split}"
            raise VerdictError(message, calls) from failed
        if request.kind == "score":
            return self._averaged(request, verdicts, calls, split)
        voted = self._voted(request, verdicts, calls, split)
        return dataclasses.replace(voted, votes=tuple(map(_vote, ballots)))

    def _voted(
        self, request: JudgeRequest, verdicts: Sequence[Verdict], calls: tuple[ModelCall, ...], split: str
    ) -> Verdict:
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

    def _averaged(
        self, request: JudgeRequest, verdicts: Sequence[Verdict], calls: tuple[ModelCall, ...], split: str
    ) -> Verdict:
        given = [verdict.scores or {} for verdict in verdicts]
        if any(scores.keys() != given[0].keys() for scores in given):
            raise VerdictError(f"judge {self.name}: its members score different things; {split}", calls)
        means = {name: _rounded_mean([scores[name] for scores in given]) for name in given[0]}
        detail = f"{_listed(means)} | {split}"
        return Verdict(request.labels[0], detail=detail, source=self.name, calls=calls, scores=means)

    def describe(self) -> dict[str, Any]:
        """What each member says of itself, in voting order."""
        members = [{"spec": spec, **member.describe()} for spec, member in zip(self._specs, self.members, strict=True)]
        return {"name": self.name, "members": members}

    def close(self) -> None:
        """Close every member."""
        for member in self.members:
            member.close()


def _ask(member: Judge, request: JudgeRequest) -> Verdict | JudgeError:
    try:
        verdict = member.judge(request)
    except JudgeError as error:
        return error
    if request.kind == "score" and (verdict.abstained or not verdict.scores):
        return VerdictError("it gave no scores", verdict.calls)
    return verdict


def _vote(ballot: Verdict | JudgeError) -> str | None:
    return None if isinstance(ballot, JudgeError) or ballot.abstained else ballot.label


def _rounded_mean(numbers: Sequence[int]) -> int:
    """The mean as a whole number, halves rounded up."""
    return (2 * sum(numbers) + len(numbers)) // (2 * len(numbers))


def _listed(scores: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {score}" for name, score in scores.items())


def _shown(ballot: Verdict | JudgeError) -> str:
    if isinstance(ballot, JudgeError):
        return f"failed ({ballot})"
    if ballot.scores is not None:
        return _listed(ballot.scores)
    return ballot.label + (" (abstained)" if ballot.abstained else "")
