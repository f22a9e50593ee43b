"""Prices: the user's file wins, litellm's table is read without importing litellm, the rest is unknown."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from interactive_envs.errors import ConfigError
from interactive_envs.llm import pricing
from interactive_envs.llm.calls import Usage
from interactive_envs.llm.pricing import Price, cost, own_price, price

TABLE = {
    "gpt-x": {"litellm_provider": "openai", "input_cost_per_token": 2e-6, "output_cost_per_token": 8e-6},
    "together_ai/meta/llama": {
        "litellm_provider": "together_ai",
        "input_cost_per_token": 1e-6,
        "output_cost_per_token": 1e-6,
        "cache_read_input_token_cost": 1e-7,
        "output_cost_per_reasoning_token": 3e-6,
    },
    "free": {"litellm_provider": "openai", "input_cost_per_token": 0.0, "output_cost_per_token": 0},
    "image": {"litellm_provider": "openai", "input_cost_per_token": 1e-6},
}


@pytest.fixture
def _table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pricing, "bundled_prices", lambda: TABLE)


@pytest.mark.usefixtures("_table")
@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("openai/gpt-x", Price(2e-6, 8e-6, 2e-6, 8e-6)),
        ("together/meta/llama", Price(1e-6, 1e-6, 1e-7, 3e-6)),
        ("together_ai/meta/llama", Price(1e-6, 1e-6, 1e-7, 3e-6)),
        ("mistral/gpt-x", None),
        ("openai/gpt-y", None),
        ("openai/free", None),
        ("openai/image", None),
        ("local/smollm2-135m", pricing.FREE),
    ],
)
def test_a_price_is_found_under_the_models_own_provider_or_unknown(model: str, expected: Price | None) -> None:
    assert price(model) == expected


@pytest.mark.usefixtures("_table")
def test_cached_tokens_are_cheaper_and_reasoning_is_part_of_the_completion() -> None:
    usage = Usage(prompt=100, completion=50, reasoning=20, cached=60)
    assert cost(usage, "together/meta/llama") == pytest.approx(40e-6 + 60e-7 + 30e-6 + 60e-6)
    assert cost(usage, "openai/gpt-x") == pytest.approx(200e-6 + 400e-6)
    assert cost(usage, "openai/nothing") is None
    assert cost(Usage(), "openai/gpt-x") is None
    assert cost(Usage(), "local/smollm2-135m") == 0.0


@pytest.mark.usefixtures("_table")
def test_the_users_file_wins_and_may_say_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "prices.json"
    file.write_text(json.dumps({"openai/gpt-x": {"input_cost_per_token": 0, "output_cost_per_token": 0}}))
    assert own_price("openai/gpt-x") is None
    monkeypatch.setenv("IBENCH_PRICES", str(file))
    assert cost(Usage(1, 1), "openai/gpt-x") == 0.0
    assert own_price("openai/other") is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (None, "cannot be read"),
        ("{", "cannot be read"),
        ("[]", "must hold a JSON object"),
        ('{"m": 3}', "field 'm': needs input_cost_per_token"),
        ('{"m": {"input_cost_per_token": -1, "output_cost_per_token": 1}}', "field 'm': needs"),
    ],
)
def test_a_bad_price_file_is_named(
    text: str | None, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "prices.json"
    if text is not None:
        file.write_text(text)
    monkeypatch.setenv("IBENCH_PRICES", str(file))
    with pytest.raises(ConfigError) as caught:
        price("openai/gpt-x")
    assert "prices.json" in str(caught.value)
    assert problem in str(caught.value)


def test_a_price_file_that_is_no_plain_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    for name, problem in (("pipe.json", "is no regular file"), ("deep.json", "nested too deeply")):
        monkeypatch.setenv("IBENCH_PRICES", str(tmp_path / name))
        with pytest.raises(ConfigError, match=problem):
            price("openai/gpt-x")


def test_the_bundled_table_is_read_without_importing_litellm() -> None:
    script = (
        "import sys; from interactive_envs.llm.pricing import price; found = price('openai/gpt-4o'); "
        "assert 'litellm' not in sys.modules; print(found is not None and 0 < found.input < found.output < 1)"
    )
    if importlib.util.find_spec("litellm") is None:
        pytest.skip("its bundled prices are what is tested: pip install 'interactive-envs[llm]'")
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout == "True\n"


def test_without_litellm_prices_are_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    pricing.bundled_prices.cache_clear()
    try:
        assert price("openai/gpt-4o") is None
    finally:
        pricing.bundled_prices.cache_clear()
