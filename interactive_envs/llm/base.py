"""What every model client offers: messages in, one :class:`ModelCall` out, faults as ``ProviderError``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from interactive_envs.llm.calls import ModelCall

Exchange = TypeVar("Exchange")
Message = Mapping[str, Any]
"""``{"role": "system" | "user" | "assistant", "content": str | [parts]}``; parts as in the OpenAI API."""

LONGEST_REPLY = 1 << 20
"""Characters that are kept of a reply, before a note of how many there were; nobody sends such a reply again."""


def cut_reply(text: str) -> str:
    """A reply as it is kept: one that is longer than ``LONGEST_REPLY`` ends with how long it was, and stays longer."""
    if len(text) <= LONGEST_REPLY:
        return text
    return f"{text[:LONGEST_REPLY]}\n[cut: {len(text):,} characters]"


def kept(exchanges: Sequence[Exchange], history: str) -> list[Exchange]:
    """The earlier exchanges of a dialogue that a model is sent again.

    Args:
        exchanges: all earlier ones; the rules stand in the first.
        history: the setting of models and of ``info``: ``full``, ``last:N`` exchanges besides the rules, or ``none``.

    >>> kept("abcd", "full"), kept("abcd", "last:1"), kept("a", "last:3"), kept("abcd", "none")
    (['a', 'b', 'c', 'd'], ['a', 'd'], ['a'], [])
    """
    if history == "none":
        return []
    if history.startswith("last:"):
        count = int(history.removeprefix("last:"))
        return [*exchanges[:1], *exchanges[max(1, len(exchanges) - count) :]]
    return list(exchanges)


@dataclass(frozen=True)
class Constraint:
    """A closed form the reply should have, where the provider can enforce one.

    Attributes:
        choices: the reply is exactly one of these.
        grammar: a GBNF grammar (llama.cpp only); wins over ``choices`` there.
        json_schema: the reply is JSON of this schema.
    """

    choices: tuple[str, ...] = ()
    grammar: str | None = None
    json_schema: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class CompletionRequest:
    """One request.

    Attributes:
        messages: the dialogue so far.
        parameters: sampling and provider parameters, passed through (temperature, max_tokens,
            reasoning_effort, seed, stop, …).
        constraint: a closed form, or None.
        salt: (seed, epoch, …): distinguishes repeated samples of one dialogue in the cache.
    """

    messages: Sequence[Message]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    constraint: Constraint | None = None
    salt: tuple[Any, ...] = ()


class ModelClient(Protocol):
    """A model behind an endpoint. Thread-safe; one per (model, base, options) and process."""

    model: str

    @property
    def priced(self) -> bool:
        """Whether the cost of a call is known."""

    def complete(self, request: CompletionRequest) -> ModelCall:
        """Complete one dialogue.

        Raises:
            ProviderError: no valid chat completion within the retry budget.
            ConfigError: the request can never work (no key, unknown model, bad parameter).
        """

    def close(self) -> None:
        """Close connections."""
