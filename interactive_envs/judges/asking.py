"""A model that is asked until its reply can be read: retried, never guessed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from string import Template
from typing import Any, Generic, TypeVar

from interactive_envs.errors import ConfigError, JudgeError, ProviderError
from interactive_envs.llm import clients
from interactive_envs.llm.base import LONGEST_REPLY, CompletionRequest, Constraint, Message
from interactive_envs.llm.calls import ModelCall
from interactive_envs.llm.retry import plain
from interactive_envs.parsing import Unreadable

T = TypeVar("T")


class VerdictError(JudgeError):
    """No readable reply; ``calls`` are the model calls made for nothing, which still cost."""

    def __init__(self, message: str, calls: Sequence[ModelCall] = ()) -> None:
        super().__init__(message)
        self.calls = tuple(calls)


@dataclass(frozen=True)
class Form(Generic[T]):
    """What a reply must look like.

    Attributes:
        what: it is called in messages, such as ``verdict``.
        read: reads a reply, or says why it cannot.
        again: the message after a reply that cannot be read; ``$problem`` says why.
        constraint: the form as the endpoint may enforce it.
    """

    what: str
    read: Callable[[str], T | Unreadable]
    again: str
    constraint: Constraint | None = None


class Asker:
    """One model and how it is asked.

    Args:
        source: whose name stands before errors, such as ``judge llm:xai/grok-4.1-fast``.
        target: the model.
        retries: further tries after a reply that cannot be read.
        temperature: sampling temperature, None for the provider's own.
        options: of :func:`interactive_envs.llm.clients.client`; all others are sent with each request.
    """

    def __init__(
        self, source: str, target: str, *, retries: int, temperature: float | None, options: Mapping[str, Any]
    ) -> None:
        if isinstance(retries, bool) or not isinstance(retries, int) or retries < 0:
            raise ConfigError(f"retries must be at least 0, got {retries!r}")
        own, parameters = clients.split_options(target, options)
        self.source, self.target, self.retries = plain(source), plain(target), retries
        self.parameters = ({} if temperature is None else {"temperature": temperature}) | parameters
        self._client = clients.client(target, **own)

    @property
    def priced(self) -> bool:
        """Whether the cost of its calls is known."""
        return self._client.priced

    def ask(
        self, messages: Sequence[Message], form: Form[T], salt: tuple[Any, ...] = ()
    ) -> tuple[T, tuple[ModelCall, ...]]:
        """What the model says, and the calls that took; pictures are left out of the calls' messages.

        Raises:
            JudgeError: no reply could be read, or the model's endpoint failed; its ``calls`` are those made.
        """
        dialogue = list(messages)
        calls: list[ModelCall] = []
        problem = ""
        for _ in range(self.retries + 1):
            try:
                call = self._client.complete(CompletionRequest(tuple(dialogue), self.parameters, form.constraint, salt))
            except ProviderError as error:
                made = [*calls, *map(_without_pictures, error.calls)]
                raise VerdictError(f"{self.source}: {error}", made) from error
            calls.append(_without_pictures(call))
            found = form.read(call.text)
            if not isinstance(found, Unreadable):
                return found, tuple(calls)
            problem = found.reason
            dialogue += [
                {"role": "assistant", "content": _sent_again(call.text)},
                {"role": "user", "content": Template(form.again).substitute(problem=problem)},
            ]
        raise VerdictError(f"{self.source}: no readable {form.what} in {len(calls)} replies: {problem}", calls)

    def describe(self) -> dict[str, Any]:
        """The model and how it is sampled."""
        return {
            "model": self.target,
            "temperature": self.parameters.get("temperature"),
            "parameters": dict(self.parameters),
            "retries": self.retries,
        }


def _sent_again(text: str) -> str:
    """A reply as part of the dialogue: providers refuse empty messages."""
    return (text or "(empty)") if len(text) <= LONGEST_REPLY else "(too long)"


def _without_pictures(call: ModelCall) -> ModelCall:
    """A call for the record: its pictures are drawn from pages that the record has."""
    return replace(call, messages=tuple(_text_only(message) for message in call.messages))


def _text_only(message: Message) -> Message:
    if isinstance(message["content"], str):
        return message
    parts = [part if part["type"] == "text" else {"type": "text", "text": "(a picture)"} for part in message["content"]]
    return {**message, "content": parts}
