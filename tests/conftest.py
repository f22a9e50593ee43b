"""What holds for all tests: properties have no deadline; in continuous integration a skipped test is a failure."""

from __future__ import annotations

import gc
import math
import os
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import coverage
import pytest
from hypothesis import HealthCheck, settings

from interactive_envs.system import own_modules

# Half of the time in which tests are found would go into looking for garbage among what stays.
gc.disable()

pytest_plugins = ["tests.browsing", "tests.scripted"]

CI = os.environ.get("IBENCH_NO_SKIPS") == "1"

# Developers' runs try new examples of every property; in continuous integration a commit always has the same verdict.
settings.register_profile(
    "untimed",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=CI,
    max_examples=30 if CI else 100,
)
settings.load_profile("untimed")


def _slowness() -> float:
    """How much slower this machine is than one that takes 7 ms of CPU time for a loop; at least 1."""
    times = []
    for _ in range(5):
        begun, total = time.process_time(), 0
        for number in range(200_000):
            total += number * number % 7
        times.append(time.process_time() - begun)
    return max(1.0, min(times) / 0.007)


TRACED_SECONDS = 0.1 * _slowness()
"""CPU time for which a test, with all its cases, is traced for coverage: tracing doubles its time, and what it runs
later are mostly lines that it ran before. A slow machine runs as many lines in it as a fast one."""


@pytest.hookimpl(wrapper=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> Iterator[None]:
    """Leave most cases of ``every(n)`` to ``make test-all``.

    A daily run does not make the cases that it leaves out: they are half of all, and each worker would make them.
    """
    yield
    calls, of_all = metafunc._calls, metafunc.definition.get_closest_marker("every")  # noqa: SLF001
    for place, call in enumerate(calls):
        sampled = next((mark for mark in call.marks if mark.name == "every"), of_all)
        if sampled and place % sampled.args[0]:
            call.marks.append(pytest.mark.long.mark)
    if _daily(metafunc.config):
        all_long = metafunc.definition.get_closest_marker("long")
        kept = [call for call in calls if not all_long and all(mark.name != "long" for mark in call.marks)]
        calls[:] = kept or calls[:1]  # without any, pytest would call the test without arguments


def pytest_collection_finish(session: pytest.Session) -> None:
    """Look for garbage again, among what tests make alone; seldom, for most tests end before they leave much."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)
    gc.enable()


def _daily(config: pytest.Config) -> bool:
    """Whether only the daily tests run, of whole files: who names a case is told what became of it."""
    return config.option.markexpr == "not long" and not any("::" in name for name in config.args)


def _test(item: pytest.Item) -> str:
    """The name of a test without its case."""
    return item.nodeid.partition("[")[0]


class _Traced:
    """Stops tracing a test for coverage after a while.

    A thread looks at the clock: while a timer of the kernel runs on CPU time, the process's CPU clock is coarse.
    """

    def __init__(self, controller: Any) -> None:
        self._controller = controller
        self._spent: Counter[str] = Counter()
        self._tracer: Any = None
        self._end = math.inf
        # A worker is begun as a run without workers first, whose tracing would go on whenever the worker's pauses.
        controller.pause()
        outer = coverage.Coverage.current()
        if outer is not None:
            outer.stop()
        controller.resume()
        signal.signal(signal.SIGVTALRM, self._pause)
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        main = threading.main_thread().ident
        while main is not None:
            time.sleep(TRACED_SECONDS / 10)
            if time.process_time() > self._end:
                self._end = math.inf
                signal.pthread_kill(main, signal.SIGVTALRM)

    def _pause(self, *_: Any) -> None:
        if sys.gettrace() is self._tracer:
            self._controller.pause()
        else:  # a test traces something itself: it would lose its tracer
            self._end = 0.0

    # While tests are collected, what modules import and compute is traced, not how pytest makes thousands of cases.
    @pytest.hookimpl(tryfirst=True)
    def pytest_make_collect_report(self) -> None:
        self._trace(True)

    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makeitem(self) -> None:
        self._trace(False)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self) -> None:
        self._trace(True)

    def _trace(self, wanted: bool) -> None:
        if wanted and not self._controller.started:
            self._controller.resume()
        elif not wanted and self._controller.started:
            self._controller.pause()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        test, begun = _test(item), time.process_time()
        if self._spent[test] >= TRACED_SECONDS:
            self._controller.pause()
        else:
            self._tracer = sys.gettrace()
            self._end = begun + TRACED_SECONDS - self._spent[test]
        try:
            return (yield)
        finally:
            self._end = math.inf
            self._spent[test] += time.process_time() - begun
            self._trace(True)


@pytest.hookimpl(trylast=True)  # a worker's tracing is begun by the same hook
def pytest_sessionstart(session: pytest.Session) -> None:
    """Watch over the tracing, where there is any."""
    plugins = session.config.pluginmanager
    controller = getattr(plugins.getplugin("_cov"), "cov_controller", None)
    if controller is not None and plugins.has_plugin("dsession"):
        controller.pause()  # this process only hears of the tests, which its workers run
    elif controller is not None:
        plugins.register(_Traced(controller))


@pytest.fixture(autouse=True)
def _as_before_any_command() -> None:
    """Whatever command the test before called: those that read a stranger's folder forbid it for their process.

    And every command keeps the processes that it starts from importing out of the current folder.
    """
    own_modules.search(Path.cwd())
    os.environ.pop("PYTHONSAFEPATH", None)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """With ``IBENCH_NO_SKIPS=1``, fail the session if any test was skipped."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if skipped and CI:
        reporter.write_line(f"IBENCH_NO_SKIPS=1: {len(skipped)} tests were skipped", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
