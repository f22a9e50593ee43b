"""Labels of claims and answers: that they are whole and name what exists."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import interactive_envs.mathematics
from interactive_envs.judges.labelled import UNREAD
from interactive_envs.mathematics import problems

DATA = Path(interactive_envs.mathematics.__file__).parent / "data"
PROBLEMS = {problem.id for problem in problems.fixed()}


@pytest.mark.parametrize(
    ("kind", "labels", "least"),
    [("claims", {"yes", "no", "both", "irrelevant"}, 5), ("answers", {"correct", "incorrect"}, 4)],
)
def test_every_problem_has_labels(kind: str, labels: set[str], least: int) -> None:
    files = [path.read_text("utf-8") for path in sorted(DATA.parent.glob(f"judge/data/labels/{kind}_*.jsonl"))]
    lines = [json.loads(line) for text in files for line in text.splitlines()]
    counts = Counter(line["problem"] for line in lines)
    assert counts.keys() == PROBLEMS
    assert min(counts.values()) >= least
    assert {line["label"] for line in lines} == labels
    texts = [(line["problem"], line[kind.removesuffix("s")]) for line in lines]
    assert len(set(texts)) == len(texts)


def test_played_claims_are_many_new_and_spread_over_problems_and_labels() -> None:
    texts = {
        name: [
            json.loads(line)
            for path in sorted(DATA.parent.glob(f"judge/data/labels/{name}*.jsonl"))
            for line in path.read_text("utf-8").splitlines()
        ]
        for name in ("claims_", "played_claims")
    }
    lines = texts["played_claims"]
    counts = Counter(line["problem"] for line in lines)
    assert counts.keys() <= PROBLEMS
    assert len(counts) >= 45
    assert min(counts.values()) >= 4
    assert len(lines) >= 400
    labels = Counter(line["label"] for line in lines)
    assert labels.keys() == {"yes", "no", "both", "irrelevant", UNREAD}
    assert min(labels.values()) >= 20
    said = {name: {(line["problem"], line["claim"].lower()) for line in found} for name, found in texts.items()}
    assert len(said["played_claims"]) == len(lines)
    assert not said["played_claims"] & said["claims_"]
