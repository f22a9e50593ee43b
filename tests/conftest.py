"""What holds for all tests: properties have no deadline; in continuous integration a skipped test is a failure."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from interactive_envs.system import own_modules

pytest_plugins = ["tests.browsing", "tests.scripted"]

CI = os.environ.get("IBENCH_NO_SKIPS") == "1"

# Developers' runs try new examples of every property; in continuous integration a commit always has the same verdict.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=CI)
settings.load_profile("untimed")


TRACED = 3
"""Cases of a parametrized test that are traced for coverage: the others run the same lines, and tracing is slow."""


@pytest.hookimpl(tryfirst=True)  # before pytest leaves out what -m does not select
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Trace the first cases of a test only; leave most cases of ``every(n)`` to ``make test-all``."""
    seen: Counter[str] = Counter()
    for item in items:
        test = item.nodeid.partition("[")[0]
        sampled = item.get_closest_marker("every")
        if sampled and seen[test] % sampled.args[0]:
            item.add_marker(pytest.mark.long)
        seen[test] += 1
        if seen[test] > TRACED:
            item.add_marker(pytest.mark.no_cover)


@pytest.fixture(autouse=True)
def _specs_may_name_modules() -> None:
    """Whatever command the test before called: those that read a stranger's folder forbid it for their process."""
    own_modules.search(Path.cwd())


def pytest_sessionfinish(session: pytest.Session) -> None:
    """With ``IBENCH_NO_SKIPS=1``, fail the session if any test was skipped."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if skipped and CI:
        reporter.write_line(f"IBENCH_NO_SKIPS=1: {len(skipped)} tests were skipped", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
