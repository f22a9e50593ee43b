"""Labels of claims and answers, written before any judge: that they are whole and name what exists."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import interactive_envs.mathematics

DATA = Path(interactive_envs.mathematics.__file__).parent / "data"
PROBLEMS = {problem["id"] for path in DATA.glob("problems_*.json") for problem in json.loads(path.read_text("utf-8"))}


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
