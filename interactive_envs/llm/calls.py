"""A call of a model, with its tokens and cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Usage:
    """Tokens of one or more model calls, as the provider counted them.

    Attributes:
        prompt: tokens sent, cached ones included.
        completion: tokens generated, reasoning included.
        reasoning: the part of ``completion`` spent on hidden reasoning.
        cached: the part of ``prompt`` the provider read from its own cache.
    """

    prompt: int = 0
    completion: int = 0
    reasoning: int = 0
    cached: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.prompt + other.prompt,
            self.completion + other.completion,
            self.reasoning + other.reasoning,
            self.cached + other.cached,
        )


@dataclass(frozen=True)
class ModelCall:
    """One completed model call, for the record.

    Attributes:
        model: the model as it was asked for, e.g. ``openai/gpt-5-mini``.
        messages: the messages sent, ``{"role", "content"}`` each.
        text: the raw reply.
        finish_reason: the provider's word, e.g. ``stop`` or ``length``.
        usage: tokens.
        cost: US dollars, None where the price is unknown.
        latency: seconds from the first try to the reply; 0.0 from the cache.
        model_version: the model name the provider answered with.
        refused_parameters: parameters the provider refused and the client then dropped.
        attempts: tries it took, faults included.
        from_cache: whether the reply was read from the cache.
        part: which part of a player made of several made it, ``asker`` or ``concluder`` of a relay; else "".
    """

    model: str
    messages: tuple[Mapping[str, Any], ...]
    text: str
    finish_reason: str | None = None
    usage: Usage = Usage()
    cost: float | None = None
    latency: float = 0.0
    model_version: str | None = None
    refused_parameters: tuple[str, ...] = ()
    attempts: int = 1
    from_cache: bool = False
    part: str = ""
