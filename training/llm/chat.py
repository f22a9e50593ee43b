"""Messages as tokens: a dialogue that only grows, in which nothing that was written is written again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from interactive_envs.errors import ConfigError
from interactive_envs.llm.base import Message

_MARK = "ibench-7f3a91"
"""Stands for a message of the model where a template is looked at."""


class Tokenizer(Protocol):
    """What is needed of a tokenizer; those of Hugging Face transformers have it."""

    eos_token_id: int | None

    def encode(self, text: str, *, add_special_tokens: bool) -> list[int]:
        """A text as token ids."""

    def decode(self, token_ids: list[int], *, skip_special_tokens: bool) -> str:
        """Token ids as a text."""

    def apply_chat_template(
        self, conversation: list[Message], *, tokenize: bool, add_generation_prompt: bool, **more: Any
    ) -> Any:
        """A dialogue as the model reads it: a text, with ``tokenize=False``."""


class Chat:
    """Writes dialogues with a tokenizer and its chat template.

    The ids of a dialogue are those of the opening, of the model's first message as it was sampled, of what the template
    puts between two messages of the model, and so on. Templates that change earlier messages, such as those that drop
    thinking, change nothing here: no message is rendered twice.

    Args:
        tokenizer: of the model, with a chat template.
        template: arguments of the template, e.g. ``enable_thinking=False``.

    Attributes:
        end: the token that ends a message of the model, None where the template has none.
        ends: all tokens on which a model should stop.

    Raises:
        ConfigError: the tokenizer has no chat template, or one that cannot be read.
    """

    def __init__(self, tokenizer: Tokenizer, **template: Any) -> None:
        self._tokenizer = tokenizer
        self._template = template
        self._special = tuple(getattr(tokenizer, "all_special_tokens", ()))
        tail = self._encode(self._after("?"))
        known = [] if tokenizer.eos_token_id is None else [tokenizer.eos_token_id]
        special = bool(tail) and not self.text(tail[:1])
        self.end: int | None = tail[0] if special else None
        self.ends: frozenset[int] = frozenset([*known, *(tail[:1] if special else [])])

    def open(self, messages: Sequence[Message]) -> list[int]:
        """The ids of the messages that open a dialogue, up to where the model writes.

        A template without a system role gets the system's text before the first message of the user.
        """
        try:
            text = self._render(messages)
        except Exception:
            system, *rest = messages
            if system["role"] != "system":
                raise
            first = {**rest[0], "content": f"{system['content']}\n\n{rest[0]['content']}"}
            text = self._render([first, *rest[1:]])
        return self._encode(text)

    def between(self, written: Sequence[int], observation: str) -> list[int]:
        """The ids from a message of the model to where it writes the next one.

        Args:
            written: the model's ids, with or without the token that ends its message.
            observation: the message to the model.
        """
        ids = self._encode(self._after(observation))
        return ids[1:] if written and ids and written[-1] == ids[0] == self.end else ids

    def text(self, written: Sequence[int]) -> str:
        """A message of the model as text, without special tokens."""
        return self._tokenizer.decode(list(written), skip_special_tokens=True)

    def _after(self, observation: str) -> str:
        """What the template puts behind a message of the model, with the next message to it."""
        dialogue: list[Message] = [
            {"role": "user", "content": "?"},
            {"role": "assistant", "content": _MARK},
            {"role": "user", "content": self._harmless(observation)},
        ]
        _, mark, after = self._render(dialogue).partition(_MARK)
        if not mark:
            raise ConfigError("the chat template leaves out a message of the model; give the tokenizer another one")
        return after

    def _harmless(self, text: str) -> str:
        """A text in which no special token stands: a reply may quote what the model wrote."""
        for token in self._special:
            text = text.replace(token, f"{token[:1]}\u200b{token[1:]}")
        return text

    def _render(self, messages: Sequence[Message]) -> str:
        try:
            text = self._tokenizer.apply_chat_template(
                list(messages), tokenize=False, add_generation_prompt=True, **self._template
            )
        except ValueError as error:  # transformers says so where there is no template
            raise ConfigError(f"the tokenizer cannot write a dialogue: {error}") from error
        return str(text)

    def _encode(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False))
