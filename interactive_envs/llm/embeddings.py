"""Sentence embeddings: all-MiniLM-L6-v2 in numpy."""

from __future__ import annotations

import functools
import importlib.util
import json
import math
import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactive_envs.errors import ConfigError, MissingExtraError
from interactive_envs.llm.process import PerProcess
from interactive_envs.llm.weights import MINILM, MissingWeightsError

WIDTH = 384
LAYERS = 6
HEADS = 12
LONGEST = 256
"""Tokens of a text that count; the model was trained for no more."""
REMEMBERED = 20_000
"""Texts whose vectors are kept."""
REMEMBERED_WORDS = 2_000
"""Texts whose words' vectors are kept: 100 kB for a long sentence."""
SMALL = 2**18
"""Multiplications in one product: OpenBLAS computes up to so many without its threads, which spin while they wait
and slow a text down from 20 to 900 ms when the cores are busy, as they are beside the local model."""

Array = NDArray[np.float32]


def available() -> bool:
    """Whether :func:`embed` can work: the tokenizer and the right weights are installed."""
    try:
        MINILM.check()
    except (MissingWeightsError, ConfigError):
        return False
    return importlib.util.find_spec("tokenizers") is not None


def embed(texts: Sequence[str]) -> Array:
    """Embed texts as unit vectors, so that a dot product is their cosine.

    Texts are computed one at a time: a vector never depends on what else was asked.

    Returns:
        An array of shape ``(len(texts), 384)``.

    Raises:
        MissingExtraError: the tokenizer or the weights are not installed.
    """
    if not texts:
        return np.zeros((0, WIDTH), np.float32)
    return np.stack([embed_text(text) for text in texts])


def embed_words(text: str, context: str = "") -> tuple[tuple[str, ...], Array]:
    """The words of a text, each with its vector as the text reads before ``context``.

    Returns:
        The words in small letters, and unit vectors of shape ``(len(words), 384)``.

    Raises:
        MissingExtraError: the tokenizer or the weights are not installed.
    """
    return _words(text, context)


@functools.lru_cache(REMEMBERED)
def embed_text(text: str) -> Array:
    """The vector of one text; kept, for the same few texts are compared again and again."""
    vector = _encoder.get().text(text)
    vector.setflags(write=False)
    return vector


@functools.lru_cache(REMEMBERED_WORDS)
def _words(text: str, context: str) -> tuple[tuple[str, ...], Array]:
    words, vectors = _encoder.get().words(text, context)
    vectors.setflags(write=False)
    return words, vectors


class Encoder:
    """The model's forward pass: embeddings, six transformer layers; the mean over the tokens is a text's vector."""

    def __init__(self) -> None:
        try:
            from tokenizers import Tokenizer
        except ImportError:
            raise MissingExtraError("sentence embeddings", "local") from None
        self._tokenizer = Tokenizer.from_file(str(MINILM.path("model/tokenizer.json")))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(LONGEST)
        self._weights = _read_safetensors(str(MINILM.path("model/model.safetensors")))

    def text(self, text: str) -> Array:
        """The vector of a text, of length 1: the mean of its pieces."""
        mean: Array = self._forward(self._encode(text).ids).mean(axis=0)
        return mean / np.linalg.norm(mean)

    def words(self, text: str, context: str) -> tuple[tuple[str, ...], Array]:
        """The words of a text, and their vectors where it stands before a context."""
        plain = text.encode("utf-8", "replace").decode()
        encoding = self._encode(f"{plain} {context}" if context else plain)
        hidden = self._forward(encoding.ids)
        pieces: dict[int, list[int]] = {}
        for position, (word, span) in enumerate(zip(encoding.word_ids, encoding.offsets, strict=True)):
            if word is not None and span[1] <= len(plain):  # the marks at both ends belong to no word
                pieces.setdefault(word, []).append(position)
        spans = [encoding.word_to_chars(word) for word in pieces]
        vectors = np.stack([hidden[of].mean(axis=0) for of in pieces.values()] or [np.zeros(WIDTH, np.float32)])
        lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.float32(1e-9))
        return tuple(plain[start:end].lower() for start, end in spans), (vectors / lengths)[: len(pieces)]

    def _encode(self, text: str) -> Any:
        return self._tokenizer.encode(text.encode("utf-8", "replace").decode())

    def _forward(self, tokens: Sequence[int]) -> Array:
        table = self._weights
        hidden = table["embeddings.word_embeddings.weight"][tokens]
        hidden = hidden + table["embeddings.position_embeddings.weight"][: len(tokens)]
        hidden = self._normal(hidden + table["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        for layer in range(LAYERS):
            name = f"encoder.layer.{layer}"
            mixed = self._linear(self._attention(hidden, f"{name}.attention.self"), f"{name}.attention.output.dense")
            hidden = self._normal(hidden + mixed, f"{name}.attention.output.LayerNorm")
            inner = _gelu(self._linear(hidden, f"{name}.intermediate.dense"))
            hidden = self._normal(hidden + self._linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")
        return hidden

    def _attention(self, hidden: Array, name: str) -> Array:
        query, key, value = (
            self._linear(hidden, f"{name}.{part}").reshape(len(hidden), HEADS, -1).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = _product(query, key.transpose(0, 2, 1)) / np.float32(math.sqrt(WIDTH // HEADS))
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        mixed: Array = _product(scores, value).transpose(1, 0, 2).reshape(len(hidden), WIDTH)
        return mixed

    def _linear(self, hidden: Array, name: str) -> Array:
        weight = self._weights[f"{name}.weight"]
        product = np.empty((len(hidden), len(weight)), np.float32)
        step = max(1, SMALL // hidden.size)
        for start in range(0, len(weight), step):
            np.matmul(hidden, weight[start : start + step].T, out=product[:, start : start + step])
        return product + self._weights[f"{name}.bias"]

    def _normal(self, hidden: Array, name: str) -> Array:
        centred = hidden - hidden.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + np.float32(1e-12))
        scaled: Array = centred / spread * self._weights[f"{name}.weight"]
        return scaled + self._weights[f"{name}.bias"]


def _product(left: Array, right: Array) -> Array:
    """The product of each head's two matrices, in parts of like sizes: one row alone is summed in another order."""
    product = np.empty((*left.shape[:-1], right.shape[-1]), np.float32)
    rows = left.shape[-2]
    step = math.ceil(rows / math.ceil(rows * right.shape[-2] * right.shape[-1] / SMALL))
    for start in range(0, rows, step):
        np.matmul(left[:, start : start + step], right, out=product[:, start : start + step])
    return product


def _gelu(values: Array) -> Array:
    from scipy.special import erf

    result: Array = np.float32(0.5) * values * (1 + erf(values / np.float32(math.sqrt(2))))
    return result


def _read_safetensors(path: str) -> Mapping[str, Array]:
    """The float32 tensors of a file, mapped rather than read: processes share the pages."""
    raw = np.memmap(path, np.uint8, mode="r")
    (length,) = struct.unpack("<Q", raw[:8].tobytes())
    head: dict[str, dict[str, Any]] = json.loads(raw[8 : 8 + length].tobytes())
    tensors = {}
    for name, entry in head.items():
        if entry.get("dtype") == "F32":
            start, end = (8 + length + offset for offset in entry["data_offsets"])
            tensors[name] = np.asarray(raw[start:end]).view(np.float32).reshape(entry["shape"])
    return tensors


_encoder = PerProcess(Encoder)
