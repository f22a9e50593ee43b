"""The suites of labelled requests that the families' cards name."""

from __future__ import annotations

from pathlib import Path

import pytest

from interactive_envs import catalog
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.evaluation.judging.suites import items, read_items, suites
from interactive_envs.family import Family
from interactive_envs.judges.labelled import UNREAD


@pytest.mark.every(5)
@pytest.mark.parametrize("suite", suites())
def test_every_suite_has_items_and_leaves_its_cases_out(suite: str) -> None:
    everything = items(suite)
    assert [item for item in everything if item.label not in (*item.request.labels, UNREAD)] == []
    if all(item.case is None for item in everything):
        assert len({item.story for item in everything}) > 1
        return
    cases = sorted({str(item.case) for item in everything})
    some = set(cases[: len(cases) // 2])
    left = items(suite, without=some)
    assert 0 < len(left) < len(everything)
    assert {item.case for item in left} == set(cases) - some


def test_an_unknown_suite_is_named() -> None:
    with pytest.raises(UnknownNameError, match="suite 'parphrases'"):
        items("parphrases")


def test_a_file_is_read_by_the_family_whose_card_says_how(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "items.jsonl"
    file.write_text(
        '{"kind": "question", "text": "Was it?", "label": "no", "setup": "It is wet.", "solution": "Rain."}'
    )
    (item,) = read_items(file)
    assert (item.request.task, item.label) == ("situation-puzzle", "no")
    monkeypatch.setattr(catalog, "families", lambda: {"trust": Family("trust")})
    with pytest.raises(ConfigError, match="no family reads files of labelled requests"):
        read_items(file)
