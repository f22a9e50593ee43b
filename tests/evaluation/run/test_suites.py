"""The query suite: a fixed choice, the same whatever the catalog's order."""

from __future__ import annotations

from collections import Counter

import pytest

from interactive_envs import catalog
from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.run.plan import query_suite, read_difficulties

UNITS = {
    f"ibench/Query-{structure}-{mode}-{letter}-v0": {
        "family": "query-games",
        "tags": {"structure": structure, "mode": mode},
    }
    for structure in ("set", "tree")
    for mode in ("deductive", "abductive")
    for letter in "abcdefg"
} | {"ibench/Other-v0": {"family": "other", "tags": {}}}


@pytest.fixture(autouse=True)
def small_catalog(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "read", lambda: {"units": UNITS})


def chosen(*arguments: object, **named: object) -> list[str]:
    return list(dict.fromkeys(env_id for env_id, _ in query_suite(*arguments, **named)))  # type: ignore[arg-type]


def test_each_structure_and_mode_has_as_many_games_at_each_difficulty() -> None:
    suite = query_suite(3, (2, 5))
    assert len(suite) == 4 * 3 * 2
    assert Counter(arguments["difficulty"] for _, arguments in suite) == {2: 12, 5: 12}
    cells = Counter(env_id.rpartition("-v0")[0].rpartition("-")[0] for env_id, _ in suite)
    assert set(cells.values()) == {6}


def test_the_choice_is_fixed_by_the_names_and_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    first = query_suite(2)
    assert [env_id[13:-3] for env_id in chosen(2, (1,))] == GOLDEN
    monkeypatch.setattr(catalog, "read", lambda: {"units": dict(reversed(UNITS.items()))})
    assert query_suite(2) == first
    assert query_suite(2, seed=1) != first


def test_a_smaller_suite_is_part_of_a_larger_one() -> None:
    assert set(chosen(1)) < set(chosen(3)) < set(chosen(7)) == set(chosen(100))


@pytest.mark.parametrize(
    ("text", "levels"),
    [("3", (3,)), ("1-5", (1, 2, 3, 4, 5)), ("1,3,5", (1, 3, 5)), ("5,1-2,2", (1, 2, 5)), ("2-2", (2,))],
)
def test_difficulties_are_read(text: str, levels: tuple[int, ...]) -> None:
    assert read_difficulties(text) == levels


@pytest.mark.parametrize("text", ["", "0", "6", "1-", "4-2", "1 3", "a", "1,,2", "1-2-3"])
def test_other_difficulties_are_told(text: str) -> None:
    with pytest.raises(ConfigError, match="is not written like 3, 1-5 or 1,3,5"):
        read_difficulties(text)


@pytest.mark.parametrize("arguments", [(0,), (1, ()), (1, (6,))])
def test_numbers_out_of_range_are_told(arguments: tuple[object, ...]) -> None:
    with pytest.raises(ConfigError):
        chosen(*arguments)


GOLDEN = [
    *("set-abductive-e", "set-abductive-f", "set-deductive-d", "set-deductive-g"),
    *("tree-abductive-d", "tree-abductive-g", "tree-deductive-e", "tree-deductive-f"),
]
