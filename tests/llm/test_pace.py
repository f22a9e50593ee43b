from __future__ import annotations

import threading

import pytest
from click.testing import CliRunner

from interactive_envs.cli.main import main
from interactive_envs.errors import ConfigError
from interactive_envs.llm import pace
from interactive_envs.llm.local import LocalClient
from interactive_envs.llm.retry import RetryingClient


class Clock:
    """Time that passes only by waiting."""

    def __init__(self) -> None:
        self.now = 100.0
        self.is_closed = False

    def monotonic(self) -> float:
        return self.now

    def wait(self, seconds: float) -> bool:
        self.now += 0 if self.is_closed else seconds
        return self.is_closed


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(pace.time, "monotonic", found.monotonic)
    monkeypatch.setenv(pace.VARIABLE, "30")
    return found


def test_requests_get_their_turns_evenly(clock: Clock) -> None:
    paced = pace.Pace()
    assert [paced.wait(clock) for _ in range(4)] == [0, 2, 2, 2]  # type: ignore[arg-type]  it waits like an event
    clock.now += 60
    assert paced.wait(clock) == 0  # type: ignore[arg-type]  and no turn is saved up
    assert paced.wait(clock) == 2  # type: ignore[arg-type]


def test_a_client_that_is_closed_waits_no_longer(clock: Clock) -> None:
    paced = pace.Pace()
    paced.wait(clock)  # type: ignore[arg-type]
    clock.is_closed = True
    assert paced.wait(clock) == 0  # type: ignore[arg-type]


def test_without_a_limit_nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(pace.VARIABLE, raising=False)
    paced = pace.Pace()
    assert [paced.wait(threading.Event()) for _ in range(1000)] == [0.0] * 1000


@pytest.mark.parametrize("text", ["0", "-3", "x", "nan"])
def test_a_limit_that_is_none_is_named(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv(pace.VARIABLE, text)
    with pytest.raises(ConfigError, match=f"IBENCH_RPM must be a positive number of requests a minute, got '{text}'"):
        pace.requests_per_minute()


def test_the_local_model_has_no_limit() -> None:
    assert RetryingClient.paced
    assert not LocalClient.paced


def test_the_option_holds_for_all_that_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(pace.VARIABLE, "")
    ran = CliRunner().invoke(
        main, ["run", "ibench/TrustGame-v1", "--agent", "tft", "--episodes", "1", "--rpm", "90", "--dry-run"]
    )
    assert ran.exit_code == 0, ran.output
    assert pace.requests_per_minute() == 90
    assert "--rpm" in CliRunner().invoke(main, ["run", "--rpm", "0"]).output
