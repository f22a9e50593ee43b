"""What a model call costs: the user's price file first, then litellm's bundled table, else unknown."""

from __future__ import annotations

import functools
import importlib.util
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interactive_envs.errors import ConfigError, DatasetError
from interactive_envs.llm.calls import Usage
from interactive_envs.system.files import read_json

TABLE = "model_prices_and_context_window_backup.json"
_ALIASES = {"together": "together_ai", "fireworks": "fireworks_ai"}


@dataclass(frozen=True)
class Price:
    """US dollars per token.

    Attributes:
        input: a prompt token.
        output: a completion token.
        cached: a prompt token the provider read from its cache.
        reasoning: a hidden reasoning token.
    """

    input: float
    output: float
    cached: float
    reasoning: float

    def cost(self, usage: Usage) -> float | None:
        """What a call cost, None where the provider counted no tokens."""
        if self == FREE:
            return 0.0
        if not (usage.prompt or usage.completion):
            return None
        return (
            (usage.prompt - usage.cached) * self.input
            + usage.cached * self.cached
            + (usage.completion - usage.reasoning) * self.output
            + usage.reasoning * self.reasoning
        )


FREE = Price(0.0, 0.0, 0.0, 0.0)


def price(model: str) -> Price | None:
    """The price of a model, None where unknown.

    ``$IBENCH_PRICES`` may name a JSON file ``{"provider/model": {"input_cost_per_token": …,
    "output_cost_per_token": …, "cache_read_input_token_cost": …}}``; its entries win.

    Raises:
        ConfigError: the user's file cannot be read.
    """
    if model.partition("/")[0] == "local":
        return FREE
    own = own_price(model)
    if own is not None:
        return own
    entry = _bundled_entry(model)
    known = _read(entry) if entry is not None else None
    # Zeros in the table stand for unknown prices and free trials: no ground to keep a cost limit on.
    return known if known and (known.input or known.output) else None


def cost(usage: Usage, model: str) -> float | None:
    """What a call of a model cost, None where that is unknown."""
    known = price(model)
    return known.cost(usage) if known else None


def own_price(model: str) -> Price | None:
    """The price in the user's file only: all that is known of an endpoint of the user's own."""
    file = os.environ.get("IBENCH_PRICES")
    return _own_prices(Path(file)).get(model) if file else None


def _bundled_entry(model: str) -> Mapping[str, Any] | None:
    provider, _, name = model.partition("/")
    provider = _ALIASES.get(provider, provider)
    table = bundled_prices()
    entry = table.get(f"{provider}/{name}")
    if entry is None and table.get(name, {}).get("litellm_provider") == provider:
        entry = table[name]
    return entry


@functools.cache
def bundled_prices() -> Mapping[str, Mapping[str, Any]]:
    """The price table that litellm brings along."""
    spec = importlib.util.find_spec("litellm")  # finds the folder without the seconds an import takes
    folders = list(spec.submodule_search_locations or ()) if spec else []
    for folder in folders:
        path = Path(folder) / TABLE
        if path.is_file():
            table = json.loads(path.read_bytes())
            return {
                name: {key: value for key, value in entry.items() if "token" in key or key == "litellm_provider"}
                for name, entry in table.items()
            }
    return {}


@functools.cache
def _own_prices(path: Path) -> Mapping[str, Price]:
    try:
        table = read_json(path)
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}, named by IBENCH_PRICES, cannot be read: {error}") from error
    if not isinstance(table, dict):
        raise ConfigError(f"{path}, named by IBENCH_PRICES, must hold a JSON object of models")
    prices = {}
    for model, entry in table.items():
        known = _read(entry) if isinstance(entry, dict) else None
        if known is None:
            raise DatasetError(path, None, model, "needs input_cost_per_token and output_cost_per_token, numbers ≥ 0")
        prices[model] = known
    return prices


def _read(entry: Mapping[str, Any]) -> Price | None:
    fresh, output = _number(entry, "input_cost_per_token"), _number(entry, "output_cost_per_token")
    if fresh is None or output is None:
        return None
    cached, reasoning = _number(entry, "cache_read_input_token_cost"), _number(entry, "output_cost_per_reasoning_token")
    return Price(fresh, output, fresh if cached is None else cached, output if reasoning is None else reasoning)


def _number(entry: Mapping[str, Any], name: str) -> float | None:
    value = entry.get(name)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 else None
