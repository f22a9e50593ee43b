"""Suites: fixed choices, the same whatever the catalog's order, found by the cards of families."""

from __future__ import annotations

import sys
import types
from collections import Counter
from typing import Any

import pytest

from interactive_envs import catalog
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.evaluation.run import cells, plan
from interactive_envs.family import Family
from interactive_envs.query_games.suites import query_suite
from interactive_envs.registration import checked
from interactive_envs.reporting.suites import Suite, read_difficulties
from interactive_envs.seeds import canonical_json

UNITS = {
    f"ibench/Query-{structure}-{mode}-{letter}-v1": {
        "family": "query-games",
        "tags": {"structure": structure, "mode": mode},
    }
    for structure in ("set", "tree")
    for mode in ("deductive", "abductive")
    for letter in "abcdefg"
} | {"ibench/Other-v0": {"family": "other", "tags": {}}}


@pytest.fixture
def small_catalog(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "load", lambda: {"units": UNITS})


def chosen(*arguments: object, **named: object) -> list[str]:
    return list(dict.fromkeys(env_id for env_id, _ in query_suite(*arguments, **named)))  # type: ignore[arg-type]


@pytest.mark.usefixtures("small_catalog")
def test_each_structure_and_mode_has_as_many_games_at_each_difficulty() -> None:
    suite = query_suite(3, (2, 5))
    assert len(suite) == 4 * 3 * 2
    assert Counter(arguments["difficulty"] for _, arguments in suite) == {2: 12, 5: 12}
    cells = Counter(env_id.rpartition("-v")[0].rpartition("-")[0] for env_id, _ in suite)
    assert set(cells.values()) == {6}


@pytest.mark.usefixtures("small_catalog")
def test_the_choice_is_fixed_by_the_names_and_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    first = query_suite(2)
    assert [env_id[13:-3] for env_id in chosen(2, (1,))] == GOLDEN
    monkeypatch.setattr(catalog, "load", lambda: {"units": dict(reversed(UNITS.items()))})
    assert query_suite(2) == first
    assert query_suite(2, seed=1) != first


@pytest.mark.usefixtures("small_catalog")
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


@pytest.mark.usefixtures("small_catalog")
@pytest.mark.parametrize("arguments", [(0,), (1, ()), (1, (6,))])
def test_numbers_out_of_range_are_told(arguments: tuple[object, ...]) -> None:
    with pytest.raises(ConfigError):
        chosen(*arguments)


# By the cards.

TOYS = Suite(lambda per_cell=2, seed=0: [("toy/A-v0", {"n": per_cell})], fixed="toys have one size", episodes=3)


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """A family of another package, whose card names a suite."""
    card = Family("toys", suites={"toys": "toy_family:TOYS"})
    module = types.ModuleType("toy_family")
    module.TOYS = TOYS  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "toy_family", module)
    monkeypatch.setattr(catalog, "families", lambda: {"toys": card})


@pytest.mark.parametrize("name", plan.suite_names())
def test_every_suite_chooses_ids(name: str) -> None:
    chosen = plan.choose_suite(name)
    assert chosen
    for env_id, arguments in chosen:
        assert set(arguments) <= set(catalog.entry(env_id)["defaults"])
    assert len({canonical_json(one) for one in chosen}) == len(chosen)


def test_the_choice_of_a_suite_goes_to_its_function() -> None:
    assert plan.choose_suite("query", per_cell=1, difficulties=(2,)) == query_suite(1, (2,))
    assert plan.choose_suite("black-box", settings=("20@2",))[0][1] == {"setting": "20@2"}
    assert {a["difficulty"] for _, a in plan.choose_suite("black-box", difficulties=(4,))} == {4}


@pytest.mark.usefixtures("toys")
def test_a_suite_of_another_family_is_found_by_its_card() -> None:
    assert plan.suite_names() == ["toys"]
    assert plan.choose_suite("toys", per_cell=7) == [("toy/A-v0", {"n": 7})]
    assert cells.choose_environments([], suite="toys") == [("toy/A-v0", {"n": 2})]
    assert cells.suite_episodes("toys") == 3
    with pytest.raises(ConfigError, match=r"^toys have one size; leave out difficulties, settings$"):
        plan.choose_suite("toys", difficulties=(1,), settings=("1@1",))
    with pytest.raises(UnknownNameError, match="did you mean 'toys'"):
        plan.choose_suite("toy")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"suite": "qualification", "per_cell": 2}, "always the same three boxes; leave out per_cell"),
        ({"suite": "games", "difficulty": "3"}, "the games of the suite games have no levels; leave out difficulties"),
        ({"suite": "query", "settings": ("20@2",)}, "setting is for the suite black-box"),
        ({"settings": ("20@2",)}, "setting is for the suite black-box"),
    ],
)
def test_a_choice_that_a_suite_leaves_not_is_told(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        cells.choose_environments([], **options)


GOLDEN = [
    *("set-abductive-c", "set-abductive-e", "set-deductive-a", "set-deductive-b"),
    *("tree-abductive-a", "tree-abductive-b", "tree-deductive-c", "tree-deductive-e"),
]


@pytest.mark.parametrize("name", [name for name in plan.suite_names() if name != "core"])
def test_a_suite_plays_the_published_protocol_by_one_switch(name: str) -> None:
    for env_id, own in plan.choose_suite(name):
        wanted = {**catalog.entry(env_id)["presets"]["paper"], **own}
        played = checked(env_id, {**own, "preset": "paper"})
        assert {key: played.get(key) for key in wanted} == wanted, env_id


def test_every_id_of_a_paper_has_the_published_protocol() -> None:
    entries = {env_id: catalog.entry(env_id) for env_id in catalog.ids()}
    new = ["none yet"]  # the source that the template of a new environment names
    lacking = [name for name, entry in entries.items() if entry["sources"] != new and not entry["presets"].get("paper")]
    assert lacking == []
