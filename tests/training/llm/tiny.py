"""A chat model made on the spot, small enough to train in seconds, with a real tokenizer and a real architecture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import torch
from tokenizers import AddedToken
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from trl.chat_template_utils import qwen3_chat_template

from interactive_envs.training.llm.chat import Chat
from interactive_envs.training.llm.rollout import Rollout
from tests.training.llm.tokens import CHATML, trained

WORDS = ["<think>", "</think>", "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>"]

BATCH = 4
SHOWN = 160
SHORT = CHATML.replace("m.content", f"(m.content if m.role == 'assistant' else m.content[-{SHOWN}:])")
"""ChatML that shows the end of long messages only: what a model reads is the template's business, and costs time."""


def tokenizer(texts: Iterable[str], *, tools: bool = False) -> Any:
    """A tokenizer trained on the texts, with the template of ChatML or, for tools, of Qwen 3."""
    inner = trained(texts, 1200)
    inner.add_special_tokens(["<|endoftext|>"])
    inner.add_tokens([AddedToken(word, normalized=False) for word in WORDS])
    made = PreTrainedTokenizerFast(tokenizer_object=inner, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    made.chat_template = qwen3_chat_template if tools else SHORT
    return made


def model(vocabulary: Any, seed: int = 0) -> Any:
    """A Llama of three layers and 128 dimensions."""
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=len(vocabulary),
        hidden_size=128,
        intermediate_size=256,
        num_hidden_layers=3,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=4096,
        bos_token_id=None,
        eos_token_id=vocabulary.eos_token_id,
        pad_token_id=vocabulary.pad_token_id,
        tie_word_embeddings=True,
    )
    return LlamaForCausalLM(config)


def imitate(learner: Any, examples: Sequence[tuple[Sequence[int], Sequence[int], Sequence[int]]], steps: int) -> float:
    """Teach a model the masked-in tokens of (prompt, completion, mask); the last loss, in nats a token."""
    optimizer = torch.optim.AdamW(learner.parameters(), lr=3e-3)
    loss = torch.zeros(())
    for step in range(steps):
        chosen = [examples[(step * BATCH + k) % len(examples)] for k in range(BATCH)]
        rows = [torch.tensor([*prompt, *completion]) for prompt, completion, _ in chosen]
        learnt = [torch.tensor([*[0] * len(prompt), *mask]) for prompt, _, mask in chosen]
        ids, wanted = (torch.nn.utils.rnn.pad_sequence(one, batch_first=True) for one in (rows, learnt))
        logits = learner(input_ids=ids).logits[:, :-1]
        loss = torch.nn.functional.cross_entropy(logits[wanted[:, 1:] == 1], ids[:, 1:][wanted[:, 1:] == 1])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return float(loss.detach())


def log_probabilities(learner: Any, prompt: Sequence[int], completion: Sequence[int], mask: Sequence[int]) -> Any:
    """Of the tokens whose mask is 1, each given all before it: a plain forward pass without padding."""
    ids = torch.tensor([[*prompt, *completion]])
    logits = learner(input_ids=ids).logits[0, len(prompt) - 1 : -1]
    every = torch.log_softmax(logits, -1).gather(1, ids[0, len(prompt) :, None])[:, 0]
    return every[torch.tensor(mask, dtype=torch.bool)]


def chooses(chat: Chat, vocabulary: Any, actions: Sequence[str], seed: int) -> Callable[[Sequence[int]], list[int]]:
    """A model that says one of the actions at random."""
    rng = np.random.default_rng(seed)

    def generate(ids: Sequence[int]) -> list[int]:
        text = actions[rng.integers(len(actions))]
        return [*vocabulary.encode(text, add_special_tokens=False), vocabulary.eos_token_id]

    return generate


def spans(vocabulary: Any, completion: Sequence[int], mask: Sequence[int]) -> list[tuple[int, str]]:
    """The completion in stretches of one mask, as text with special tokens."""
    found: list[tuple[int, list[int]]] = []
    for token, kind in zip(completion, mask, strict=True):
        if not found or found[-1][0] != kind:
            found.append((kind, []))
        found[-1][1].append(token)
    return [(kind, vocabulary.decode(ids, skip_special_tokens=False)) for kind, ids in found]


def example(one: Rollout) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
    return one.prompt_ids, one.completion_ids, one.mask
