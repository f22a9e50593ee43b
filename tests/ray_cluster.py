"""A Ray cluster on this machine, as tests break it: a head without processors, and machines with one each."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

NODE = {"num_cpus": 1, "object_store_memory": 80 << 20}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """It serves all tests of a module: it takes half a minute to start on a busy machine."""
    from ray.cluster_utils import Cluster

    kept = {name: os.environ.get(name) for name in ("RAY_USAGE_STATS_ENABLED", "PYTHONDONTWRITEBYTECODE")}
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # every process of Ray would compile all modules again
    made = Cluster(initialize_head=True, head_node_args=NODE | {"num_cpus": 0, "include_dashboard": False})
    for _ in range(2):
        made.add_node(**NODE)
    yield made
    made.shutdown()
    for name, value in kept.items():
        if value is not None:
            os.environ[name] = value
