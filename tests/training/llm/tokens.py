"""A real tokenizer made on the spot: byte-level BPE with the markers and the template of ChatML."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import jinja2
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

SPECIAL = ["<|im_start|>", "<|im_end|>"]
CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


class ChatMl:
    """What transformers' tokenizers do, of it what is needed here."""

    def __init__(self, tokenizer: Tokenizer, template: str = CHATML) -> None:
        self.inner = tokenizer
        self.all_special_tokens = SPECIAL
        self.eos_token_id: int | None = tokenizer.token_to_id("<|im_end|>")
        self._template = jinja2.Environment(autoescape=False).from_string(template)

    def encode(self, text: str, *, add_special_tokens: bool) -> list[int]:
        return list(self.inner.encode(text, add_special_tokens=add_special_tokens).ids)

    def decode(self, token_ids: list[int], *, skip_special_tokens: bool) -> str:
        return str(self.inner.decode(token_ids, skip_special_tokens=skip_special_tokens))

    def apply_chat_template(
        self, conversation: list[Any], *, tokenize: bool, add_generation_prompt: bool, **more: Any
    ) -> str:
        assert not tokenize
        return self._template.render(messages=conversation, add_generation_prompt=add_generation_prompt, **more)


def trained(texts: Iterable[str], size: int = 700) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=size, special_tokens=SPECIAL, initial_alphabet=alphabet)
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


@functools.cache
def chatml() -> ChatMl:
    docs = Path(__file__).parents[3] / "docs"
    return ChatMl(trained(path.read_text() for path in (docs / "puzzles.md", docs / "query-games.md")))


def says(texts: Sequence[str], tokenizer: ChatMl) -> Callable[[Sequence[int]], list[int]]:
    """A model that says these texts, each with the token that ends a message."""
    left = iter(texts)
    return lambda ids: [*tokenizer.encode(next(left), add_special_tokens=False), tokenizer.eos_token_id or 0]
