"""Training data loads in Hugging Face's datasets, in an environment of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.environments import environment, run_tests


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_with_datasets() -> None:
    run_tests(environment("trl"), Path(__file__).with_name("with_datasets.py"))
