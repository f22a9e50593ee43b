"""Continuous integration has everything the tests need, so there a skipped test is a failure; no test has a clock."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """With ``IBENCH_NO_SKIPS=1``, fail the session if any test was skipped."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if skipped and os.environ.get("IBENCH_NO_SKIPS") == "1":
        reporter.write_line(f"IBENCH_NO_SKIPS=1: {len(skipped)} tests were skipped", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
