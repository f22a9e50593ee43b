"""A language model as judge: a closed verdict, read tolerantly, retried, never guessed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from interactive_envs.errors import ConfigError, JudgeError
from interactive_envs.judges import prompts
from interactive_envs.judges.asking import Asker, Form
from interactive_envs.judges.base import Judge, JudgeRequest, Verdict
from interactive_envs.judges.scores import score_form
from interactive_envs.llm.base import Constraint
from interactive_envs.llm.retry import plain
from interactive_envs.parsing import Unreadable, strip_thinking

_AGAIN = (
    'Your reply could not be read: $problem Reply with {"verdict": "LABEL"} only, where LABEL is one of %s, '
    "and with nothing before or after it."
)
_OBJECT = re.compile(r"\{[^{}]*\}")
_QUOTES = r"\s\"'`*_"
_LEAD = rf"[{_QUOTES}#>(\[]*"
_INTRODUCTION = rf"(?:(?:my |the )?(?:final )?(?:verdict|answer|label)(?:\s+is)?[{_QUOTES}:]*)?"
# What sets a label off from the rest. "No idea" and "Both of them left" go on without a break: no verdicts.
_BREAK = rf"(?=[{_QUOTES})\]]*(?:[.,;:!]|\s[-\u2013\u2014]|\Z)|\s+(?:because|since)\b)"


class LLMJudge(Judge):
    """A language model that knows the hidden truth; the target names the model, as for the ``llm`` agent.

    It judges every family whose card names prompts without pictures. Where the family's rules can decide, as symbols
    decide most answers to mathematical problems, the model is not asked; the detail says who decided.

    Args:
        target: the model, e.g. ``xai/grok-4.1-fast``.
        retries: further tries after a reply that cannot be read.
        prompt: folder with files that replace prompts of this package, named as those but for the version:
            ``situation-puzzle-question.txt``, ``math-final.txt`` and so on; see
            :mod:`interactive_envs.judges.prompts` for their form and fields.
        temperature: sampling temperature, None for the provider's own.
        **options: options of :func:`interactive_envs.llm.clients.client`; all others are sent with each request.
    """

    name: ClassVar[str] = "llm"
    sees: ClassVar[bool] = False
    """Whether it judges by prompts that place pictures."""

    def __init__(
        self,
        target: str,
        *,
        retries: int = 2,
        prompt: str | None = None,
        temperature: float | None = 0,
        **options: Any,
    ) -> None:
        self._source = plain(f"{self.name}:{target}")
        self._prompts = prompts.read_prompts(prompts.of_judges(pictures=self.sees), prompt)
        self._asker = Asker(f"judge {self._source}", target, retries=retries, temperature=temperature, options=options)

    @property
    def priced(self) -> bool:
        """Whether the cost of its model calls is known."""
        return self._asker.priced

    def judge(self, request: JudgeRequest) -> Verdict:
        """Ask the model until a verdict can be read.

        Raises:
            JudgeError: no readable verdict, or the model's endpoint failed; its ``calls`` are those made.
            ConfigError: it does not judge such requests.
        """
        prompt = self._prompts.get(f"{request.task}-{request.kind}")
        if prompt is None:
            raise ConfigError(self._refusal(request))
        ruled = None if request.decide is None else request.decide()
        if ruled is not None and not ruled.abstained:
            return replace(ruled, source=self._source)
        verdict = self._ask(request, prompt)
        if ruled is None:
            return verdict
        return replace(verdict, detail=f"by the model, for {ruled.detail}: {verdict.detail}")

    def describe(self) -> dict[str, Any]:
        """The model, the prompts' hashes and the sampling parameters."""
        hashes = {name: prompt.sha256 for name, prompt in self._prompts.items()}
        return {"name": self.name, "prompt_sha256": hashes, **self._asker.describe()}

    def _refusal(self, request: JudgeRequest) -> str:
        known = prompts.shipped().get(f"{request.task}-{request.kind}")
        if known is not None and known.images:
            return f"judge {self._source} sees no pictures; a judge of {request.task} is vlm:{self._asker.target}"
        return f"judge {self._source} judges no {request.kind} of {request.task}"

    def _ask(self, request: JudgeRequest, prompt: prompts.Prompt) -> Verdict:
        messages = prompt.messages(prompts.values(request), self._draw(request))
        salt = (self.seat,) if self.seat else ()
        if request.kind == "score":
            scores, calls = self._asker.ask(messages, score_form(request.scores, request.highest), salt)
            return Verdict(request.labels[0], detail=calls[-1].text, source=self._source, calls=calls, scores=scores)
        label, calls = self._asker.ask(messages, verdict_form(request.labels), salt)
        return Verdict(label, detail=calls[-1].text, source=self._source, calls=calls)

    def _draw(self, request: JudgeRequest) -> dict[str, bytes]:
        """The request's pictures by name; they are drawn here, after everything that needs none."""
        try:
            return {name: draw() for name, draw in request.images.items()}
        except JudgeError as error:
            raise JudgeError(f"judge {self._source}: {error}") from error


def verdict_form(labels: Sequence[str]) -> Form[str]:
    """A reply that is one of these labels, as JSON."""
    schema = {
        "type": "object",
        "properties": {"verdict": {"type": "string", "enum": list(labels)}},
        "required": ["verdict"],
        "additionalProperties": False,
    }
    choices = tuple(json.dumps({"verdict": label}) for label in labels)
    constraint = Constraint(choices=choices, json_schema=schema)
    return Form("verdict", lambda text: read_verdict(text, labels), _AGAIN % ", ".join(labels), constraint)


def read_verdict(text: str, labels: Sequence[str]) -> str | Unreadable:
    """Read the one label a reply gives.

    Accepted are JSON with a ``verdict``, fenced or with text around it, and a label that opens the reply and
    is set off from the rest. Two different labels anywhere are unreadable.

    >>> read_verdict("YES.", ["yes", "no"])
    'yes'
    >>> read_verdict("Not at all.", ["yes", "no"])
    Unreadable(reason='I found no label at its beginning.')
    """
    plain = strip_thinking(text)
    if not plain:
        return Unreadable("It is empty.")
    by_word = {label.casefold(): label for label in labels}
    word = r"(?<![\w-])(" + "|".join(map(re.escape, by_word)) + r")(?![\w-])"
    outside = _OBJECT.sub("\n", plain)
    opening = re.compile(_LEAD + _INTRODUCTION + word + _BREAK, re.IGNORECASE)
    openings = [match[1].casefold() for line in outside.splitlines() if (match := opening.match(line))]
    stated = list(_json_verdicts(plain))
    for verdict in stated:
        if verdict not in by_word:
            return Unreadable(f"{verdict[:40]!r} is none of the labels.")
    # Beside JSON, prose may use a word like "no"; without JSON every label word counts.
    quoted = re.findall(rf'"{word}"', outside, re.IGNORECASE)  # another object that was cut off, or an echoed prompt
    openings += [label.casefold() for label in quoted]
    named = {*stated, *openings} if stated else {match.casefold() for match in re.findall(word, plain, re.IGNORECASE)}
    if len(named) > 1:
        return Unreadable(f"It names {len(named)} different labels.")
    if not stated and not opening.match(outside.splitlines()[0]):
        return Unreadable("I found no label at its beginning.")
    return by_word[named.pop()]


def _json_verdicts(text: str) -> Iterator[str]:
    """Every verdict that the JSON objects in a text give, repeated keys included."""
    for match in _OBJECT.finditer(text):
        try:
            pairs = json.loads(match[0], object_pairs_hook=list)
        except (ValueError, RecursionError):
            continue
        for key, value in pairs:
            if key.casefold() in {"verdict", "label", "answer"}:
                yield str(value).strip(" .!").casefold()
