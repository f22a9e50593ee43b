"""Errors say what to do, and survive the way between processes."""

from __future__ import annotations

import concurrent.futures
import copy
import multiprocessing
import pickle

import pytest

from interactive_envs.errors import (
    ConfigError,
    CostLimitError,
    DatasetError,
    FaultError,
    IbenchError,
    JudgeError,
    MissingExtraError,
    ProviderError,
    UnknownNameError,
)
from interactive_envs.outcome import Fault

ONE_OF_EACH = (
    ConfigError("a"),
    UnknownNameError("agent", "randon", ["random"]),
    MissingExtraError("the report", "report"),
    DatasetError("p.jsonl", 3, "facts[0].text", "is missing"),
    FaultError("b"),
    ProviderError("c"),
    JudgeError("d"),
    CostLimitError("e"),
)


@pytest.mark.parametrize(
    ("name", "known", "message"),
    [
        ("randon", ["random", "human"], "unknown agent 'randon'; did you mean 'random'?"),
        ("zzz", ["random", "human"], "unknown agent 'zzz'; known: human, random"),
        ("zzz", [], "unknown agent 'zzz'; known: none"),
        (
            "zzz",
            [f"{n:02}" for n in range(22)],
            f"unknown agent 'zzz'; known: {', '.join(f'{n:02}' for n in range(20))} and 2 more",
        ),
        (3, ["random"], "unknown agent '3'; known: random"),
    ],
)
def test_an_unknown_name_gets_the_nearest_match(name: object, known: list[str], message: str) -> None:
    error = UnknownNameError("agent", name, known)
    assert str(error) == message
    assert error.name == str(name)


LONG = [
    "x/Query-set-sums-of-many-odd-numbers-v0",
    "x/Query-set-sums-v0",
    "x/Query-tree-depths-of-many-nodes-v0",
    "x/Game-ember-isles-v0",
    "x/Game-v0",
    "x/Math-v0",
]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("x/Query-sets", "'x/Query-set-sums-v0' or another of the 2 that begin with 'x/Query-set'?"),
        ("x/Query-set-v0", "'x/Query-set-sums-v0' or another of the 2 that begin with 'x/Query-set'?"),
        ("x/Query", "'x/Query-set-sums-v0' or another of the 3 that begin with 'x/Query'?"),
        ("x/Query-tres", "'x/Query-tree-depths-of-many-nodes-v0'?"),
        ("x/Game-ember-isle-v0", "'x/Game-ember-isles-v0'?"),
        ("x/Game", "'x/Game-v0' or another of the 2 that begin with 'x/Game'?"),
        ("x/Math-v1", "'x/Math-v0'?"),
        ("Math", "'x/Math-v0'?"),
        ("Game-ember", "'x/Game-ember-isles-v0'?"),
    ],
)
def test_a_name_that_begins_like_a_long_one_gets_that_one(name: str, hint: str) -> None:
    assert str(UnknownNameError("environment", name, LONG)) == f"unknown environment {name!r}; did you mean {hint}"


def test_a_missing_extra_gives_the_install_line() -> None:
    error = MissingExtraError("the report's charts", "report")
    expected = "the report's charts needs an extra that is not installed: pip install 'interactive-envs[report]'"
    assert str(error) == expected
    assert isinstance(error, ImportError)


@pytest.mark.parametrize(
    ("line", "field", "message"),
    [
        (3, "title", "p.jsonl, line 3, field 'title': is missing"),
        (3, None, "p.jsonl, line 3: is missing"),
        (None, "title", "p.jsonl, field 'title': is missing"),
        (None, None, "p.jsonl: is missing"),
    ],
)
def test_a_dataset_error_says_where(line: int | None, field: str | None, message: str) -> None:
    assert str(DatasetError("p.jsonl", line, field, "is missing")) == message


def test_faults_are_told_apart() -> None:
    faults = [error.fault for error in ONE_OF_EACH if isinstance(error, FaultError)]
    assert faults == [Fault.ENV_ERROR, Fault.PROVIDER_ERROR, Fault.JUDGE_ERROR]
    assert all(isinstance(error, IbenchError) for error in ONE_OF_EACH)


@pytest.mark.parametrize("error", ONE_OF_EACH, ids=lambda error: type(error).__name__)
def test_every_error_can_be_pickled_and_copied(error: IbenchError) -> None:
    for again in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert vars(again) == vars(error)


def _refuse() -> None:
    raise UnknownNameError("agent", "randon", ["random"])


def test_an_error_raised_in_a_worker_process_arrives_as_itself() -> None:
    with (
        concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("forkserver")) as pool,
        pytest.raises(UnknownNameError, match="did you mean 'random'"),
    ):
        pool.submit(_refuse).result(timeout=60)
