"""Sentence embeddings, for real: the published model's numbers, rankings, and exact repeats."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from interactive_envs.errors import MissingExtraError
from interactive_envs.llm import embeddings
from interactive_envs.llm.embeddings import available, embed

if not available():
    pytest.skip("the embedding weights are not installed: ibench models get", allow_module_level=True)


def test_vectors_are_unit_float32() -> None:
    vectors = embed(
        ["one", "", "a much longer sentence, with commas, and 123 numbers", "half a \ud800 pair", "word " * 900]
    )
    assert vectors.shape == (5, 384)
    assert vectors.dtype == np.float32
    assert np.abs(np.linalg.norm(vectors, axis=1) - 1).max() < 1e-6
    assert embed([]).shape == (0, 384)


def test_the_numbers_are_the_models_own() -> None:
    """Similarities that the model's card gives: 0.694 and 0.943 for the first two."""
    sentences = ["That is a happy person", "That is a happy dog", "That is a very happy person", "Today is a sunny day"]
    vectors = embed(sentences)
    assert vectors[0] @ vectors[1:].T == pytest.approx([0.6946, 0.9429, 0.2569], abs=1e-3)
    assert vectors[0, :5] == pytest.approx([-0.03388, 0.09194, 0.04870, -0.03488, -0.06483], abs=1e-4)


def test_what_is_about_the_story_ranks_above_what_is_not() -> None:
    story, near, far = embed(["A man leaps from a window.", "Did he jump out?", "What does bread cost?"])
    assert story @ near > story @ far + 0.3


def test_a_vector_never_depends_on_its_company_or_the_thread() -> None:
    texts = [f"question number {i} " * (1 + i % 7) for i in range(24)]
    embeddings.embed_text.cache_clear()
    together = embed(texts)
    embeddings.embed_text.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        apart = np.concatenate(list(pool.map(lambda text: embed([text]), reversed(texts))))[::-1]
    assert together.tobytes() == apart.tobytes()


def test_what_is_returned_may_be_changed_without_harm() -> None:
    embed(["mine"])[0] = 0.0
    assert embed(["mine"]).any()


def test_a_forked_child_computes_the_same() -> None:
    vector = embed(["forked"])
    child = os.fork()
    if child == 0:
        embeddings.embed_text.cache_clear()
        os._exit(0 if (embed(["forked"]) == vector).all() else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_without_weights_the_command_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert not available()
    with pytest.raises(MissingExtraError, match="run: ibench models get"):
        embeddings.Encoder()


def test_without_the_tokenizer_the_install_line_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "tokenizers", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'interactive-envs\[local\]'"):
        embeddings.Encoder()
