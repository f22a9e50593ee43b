"""A language model as judge: a closed verdict, read tolerantly, retried, never guessed."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any, ClassVar

from interactive_envs.core import JudgeRequest, ModelCall, Verdict, canonical_json
from interactive_envs.errors import ConfigError, JudgeError, ProviderError
from interactive_envs.judges.base import Judge
from interactive_envs.llm import clients
from interactive_envs.llm.base import CompletionRequest, Constraint, Message
from interactive_envs.parsing import Unreadable, strip_thinking

KINDS = ("question", "final")
_AGAIN = (
    'Your reply could not be read: {problem} Reply with {{"verdict": "LABEL"}} only, where LABEL is one of {labels}, '
    "and with nothing before or after it."
)
_OBJECT = re.compile(r"\{[^{}]*\}")
_QUOTES = r"\s\"'`*_"
_LEAD = rf"[{_QUOTES}#>(\[]*"
_INTRODUCTION = rf"(?:(?:my |the )?(?:final )?(?:verdict|answer|label)(?:\s+is)?[{_QUOTES}:]*)?"
# What sets a label off from the rest. "No idea" and "Both of them left" go on without a break: no verdicts.
_BREAK = rf"(?=[{_QUOTES})\]]*(?:[.,;:!]|\s[-\u2013\u2014]|\Z)|\s+(?:because|since)\b)"


class VerdictError(JudgeError):
    """No readable verdict; ``calls`` are the model calls made for nothing, which still cost."""

    def __init__(self, message: str, calls: Sequence[ModelCall] = ()) -> None:
        super().__init__(message)
        self.calls = tuple(calls)


class LLMJudge(Judge):
    """A language model that sees story and explanation; the target names the model, as for the ``llm`` agent.

    Args:
        target: the model, e.g. ``xai/grok-4.1-fast``.
        retries: further tries after a reply that cannot be read.
        prompt: folder with ``question.txt`` and ``final.txt`` that replace the prompts of this package: a line
            ``[system]`` and a line ``[user]`` open the two messages, ``$setup $solution $facts $labels $mark
            $text`` are filled in.
        temperature: sampling temperature, None for the provider's own.
        **options: options of :func:`interactive_envs.llm.clients.client`; all others are sent with each request.
    """

    name: ClassVar[str] = "llm"

    def __init__(
        self,
        target: str,
        *,
        retries: int = 2,
        prompt: str | None = None,
        temperature: float | None = 0,
        **options: Any,
    ) -> None:
        if retries < 0:
            raise ConfigError(f"retries must be at least 0, got {retries}")
        self._prompts = {kind: _read_prompt(kind, prompt) for kind in KINDS}
        own, parameters = clients.split_options(target, options)
        self._parameters = ({} if temperature is None else {"temperature": temperature}) | parameters
        self._client = clients.client(target, **own)
        self._source = f"{self.name}:{target}"
        self._target = target
        self._retries = retries

    @property
    def priced(self) -> bool:
        """Whether the cost of its model calls is known."""
        return self._client.priced

    def judge(self, request: JudgeRequest) -> Verdict:
        """Ask the model until a verdict can be read.

        Raises:
            JudgeError: no readable verdict, or the model's endpoint failed; its ``calls`` are those made.
        """
        schema = {
            "type": "object",
            "properties": {"verdict": {"type": "string", "enum": list(request.labels)}},
            "required": ["verdict"],
            "additionalProperties": False,
        }
        forms = tuple(json.dumps({"verdict": label}) for label in request.labels)
        constraint = Constraint(choices=forms, json_schema=schema)
        messages = self._messages(request)
        salt = (self.seat,) if self.seat else ()
        calls: list[ModelCall] = []
        problem = ""
        for _ in range(self._retries + 1):
            try:
                call = self._client.complete(CompletionRequest(tuple(messages), self._parameters, constraint, salt))
            except ProviderError as error:
                raise VerdictError(f"judge {self._source}: {error}", [*calls, *error.calls]) from error
            calls.append(call)
            label = read_verdict(call.text, request.labels)
            if not isinstance(label, Unreadable):
                return Verdict(label, detail=call.text, source=self._source, calls=tuple(calls))
            problem = label.reason
            messages += [
                {"role": "assistant", "content": call.text or "(empty)"},
                {"role": "user", "content": _AGAIN.format(problem=problem, labels=", ".join(request.labels))},
            ]
        raise VerdictError(f"judge {self._source}: no readable verdict in {len(calls)} replies: {problem}", calls)

    def describe(self) -> dict[str, Any]:
        """The model, the prompts' hashes and the sampling parameters."""
        hashes = {kind: hashlib.sha256(text.encode()).hexdigest() for kind, text in self._prompts.items()}
        return {
            "name": self.name,
            "model": self._target,
            "prompt_sha256": hashes,
            "temperature": self._parameters.get("temperature"),
            "parameters": dict(self._parameters),
            "retries": self._retries,
        }

    def _messages(self, request: JudgeRequest) -> list[Message]:
        system, user = _split_prompt(self._prompts[request.kind])
        context = request.context
        values = {
            "setup": str(context.get("setup", "")),
            "solution": str(context.get("solution", "")),
            "facts": _facts(context),
            "labels": ", ".join(request.labels),
            "mark": _mark(request),
            "text": request.text,
        }
        # One pass: what stands in a value is never filled in again.
        return [
            {"role": "system", "content": Template(system).substitute(values)},
            {"role": "user", "content": Template(user).substitute(values)},
        ]


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
        except ValueError:
            continue
        for key, value in pairs:
            if key.casefold() in {"verdict", "label", "answer"}:
                yield str(value).strip(" .!").casefold()


def _mark(request: JudgeRequest) -> str:
    """A line that the player's text cannot hold: it depends on the hidden explanation, and is checked."""
    content = canonical_json([request.kind, request.text, dict(request.context)])
    digest = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
    while digest[:16] in request.text:
        digest = hashlib.sha256(digest.encode()).hexdigest()
    return f"=====PLAYER-{digest[:16]}====="


def _facts(context: Mapping[str, Any]) -> str:
    facts = context.get("facts") or ()
    if not facts:
        return ""
    lines = [f"- {fact['text']}" + (" (essential)" if fact.get("required") else "") for fact in facts]
    return "\nFACTS of the explanation:\n" + "\n".join(lines) + "\n"


def _read_prompt(kind: str, folder: str | None) -> str:
    if folder is None:
        return (resources.files("interactive_envs.judges") / "data" / f"{kind}-v1.txt").read_text(encoding="utf-8")
    path = Path(folder) / f"{kind}.txt"
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"prompt file {path} cannot be read: {error}") from error
    fields = dict.fromkeys(("setup", "solution", "facts", "labels", "mark", "text"), "")
    try:
        for part in _split_prompt(text):
            Template(part).substitute(fields)
    except KeyError as error:
        raise ConfigError(f"prompt file {path}: unknown field ${error.args[0]}; known: ${', $'.join(fields)}") from None
    except ValueError as error:
        raise ConfigError(f"prompt file {path}: {error}") from error
    return text


def _split_prompt(text: str) -> tuple[str, str]:
    head, mark, user = text.partition("\n[user]\n")
    if not (mark and head.startswith("[system]\n")):
        raise ConfigError("a prompt needs a first line [system] and a line [user]")
    return head.removeprefix("[system]\n").strip(), user.strip()
