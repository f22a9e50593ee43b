"""The catalog is what the classes say, and reading it imports none of them."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interactive_envs import catalog
from interactive_envs.catalog import build, read
from interactive_envs.catalog.unit import Unit
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.making import make, make_aec, make_parallel
from interactive_envs.registration import environment_class
from interactive_envs.seeds import canonical_json, env_key, episode_seed
from interactive_envs.spaces import TextSpace

PUZZLE = "ibench/SituationPuzzle-v1"


def test_every_entry_point_exists_and_has_a_summary() -> None:
    content = catalog.load()
    for kind in ("units", "agents", "judges", "probes"):
        assert content[kind]
        for entry in content[kind].values():
            module, _, name = entry["entry_point"].partition(":")
            assert getattr(__import__(module, fromlist=[name]), name)
            assert entry["summary"].endswith((".", "agent."))


def test_an_id_is_found_with_all_that_is_known_of_it() -> None:
    entry = catalog.entry(PUZZLE)
    assert entry["family"] == "situation-puzzle"
    assert entry["defaults"]["judge"] == "offline"
    assert len(entry["references"]) == len(entry["variants"])
    assert set(entry["numeric_variants"]) <= set(range(len(entry["variants"])))
    with pytest.raises(UnknownNameError, match=r"did you mean 'ibench/SituationPuzzle-v1'\?"):
        catalog.entry("ibench/SituationPuzle-v1")


def one_of_each_kind() -> list[str]:
    """An id of each class, family and set of views."""
    kinds: dict[tuple[Any, ...], str] = {}
    for env_id in catalog.ids():
        entry = catalog.entry(env_id)
        kinds.setdefault((entry["entry_point"], entry["family"], *entry["views"]), env_id)
    return list(kinds.values())


@pytest.mark.parametrize("ids", [one_of_each_kind, pytest.param(catalog.ids, marks=pytest.mark.long)])
def test_every_view_that_an_id_lists_can_be_made_and_no_other_twin(ids: Callable[[], list[str]]) -> None:
    makers: dict[str, Callable[[str], Any]] = {
        "text": make,
        "numeric": lambda env_id: make(env_id, view="numeric"),
        "aec": make_aec,
        "parallel": make_parallel,
    }
    for env_id in ids():
        listed = catalog.entry(env_id)["views"]
        for view, maker in makers.items():
            if view in listed:
                maker(env_id).close()
            elif view == "numeric":
                with pytest.raises(ConfigError, match="has no numeric view"):
                    maker(env_id)


@pytest.mark.parametrize("ids", [one_of_each_kind, pytest.param(catalog.ids, marks=pytest.mark.long)])
def test_every_variant_that_lists_a_numeric_twin_has_one(ids: Callable[[], list[str]]) -> None:
    for env_id in ids():
        entry = catalog.entry(env_id)
        for number in entry["numeric_variants"]:
            with contextlib.closing(make(env_id, view="numeric", **entry["variants"][number])) as twin:
                assert not isinstance(twin.observation_space, TextSpace)


def test_changing_a_unit_does_not_change_the_catalog() -> None:
    catalog.entry(PUZZLE)["family"] = "other"
    assert catalog.entry(PUZZLE)["family"] == "situation-puzzle"


def test_tables_map_names_to_classes() -> None:
    assert catalog.table("agents")["random"] == "interactive_envs.agents.random:RandomAgent"
    assert catalog.table("judges")["offline"] == "interactive_envs.judges.offline:OfflineJudge"


def test_the_unit_of_an_id_is_that_of_its_class() -> None:
    classes = {environment_class(env_id) for env_id in catalog.ids()}
    units: list[Unit] = [unit for cls in classes for unit in (cls.units() if hasattr(cls, "units") else [cls.unit])]
    assert sorted(unit.id for unit in units) == catalog.ids()
    for unit in units:
        assert catalog.entry(unit.id)["variants"] == json.loads(json.dumps(unit.variants))


def test_main_writes_the_file_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    current = read.PATH.read_text(encoding="utf-8")
    for name, before in (("missing.json", None), ("stale.json", "{}")):
        path = tmp_path / name
        if before is not None:
            path.write_text(before, encoding="utf-8")
        monkeypatch.setattr(build, "PATH", path)
        build.main()
        assert path.read_text(encoding="utf-8") == current


def test_templates_and_differences_are_what_the_classes_say() -> None:
    """The file holds the commonest values once, and reading it gives every id whole, its keys in order."""
    built = build.build()
    assert json.dumps(built, ensure_ascii=False) == json.dumps(catalog.load(), ensure_ascii=False)
    written = json.loads(build.dump(built))
    assert "variants" not in written["units"][next(i for i in catalog.ids() if i.startswith("ibench/Query-"))]


def test_a_template_says_what_most_ids_of_a_class_have() -> None:
    units = {f"x/{n}": {"family": "f", "views": ("text",) if n < 2 else (), "entry_point": "m:A"} for n in range(3)}
    units["x/3"] = {"family": "g", "views": (), "entry_point": "m:B"}
    written = json.loads(build.dump({"units": units}))
    assert written["templates"]["m:A"] == {"family": "f", "views": ["text"], "entry_point": "m:A"}
    assert written["units"] == {
        "x/0": {"entry_point": "m:A"},
        "x/1": {"entry_point": "m:A"},
        "x/2": {"entry_point": "m:A", "views": []},
        "x/3": {"entry_point": "m:B"},
    }


def test_every_unit_has_a_card_and_every_card_a_unit() -> None:
    used = {catalog.entry(env_id)["family"] for env_id in catalog.ids()}
    assert {unit for card in catalog.families().values() for unit in card.units} == used
    assert {catalog.family(name).name for name in used} == set(catalog.families())
    assert catalog.family("cipher") is catalog.family("black-box")
    with pytest.raises(UnknownNameError, match="did you mean 'query-games'"):
        catalog.family("query-game")


def test_what_the_cards_name_can_be_imported() -> None:
    for card in catalog.families().values():
        named = [card.judge, card.tables, card.matches, *card.labelled.values(), *card.suites.values()]
        for entry_point in filter(None, named):
            assert catalog.attribute(entry_point) is not None
        if card.prompts:
            assert catalog.attribute(card.prompts + ":__file__")


def test_a_unit_without_a_card_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("interactive_envs.trust_game.FAMILY")
    with pytest.raises(ConfigError, match="TrustGame-v1 is of family 'trust', of which no package has a card"):
        build.build()


def test_probes_are_listed_from_the_inside_out() -> None:
    names = list(catalog.table("probes"))
    places = [catalog.attribute(entry_point).place for entry_point in catalog.table("probes").values()]
    assert places == sorted(places)
    assert names.index("necessity") < names.index("isomorphic") < names.index("noise") < names.index("boundary")


@pytest.mark.parametrize(
    ("arguments", "key"),
    [
        ({}, PUZZLE + "{}"),
        ({"mode": "menu", "budget": 4}, PUZZLE + '{"budget":4,"mode":"menu"}'),
        ({"budget": 4, "mode": "menu", "judge": "offline", "view": "numeric", "seat": 1}, None),
        ({"case": "ö"}, PUZZLE + '{"case":"ö"}'),
    ],
)
def test_the_env_key_names_the_game_and_nothing_else(arguments: dict[str, Any], key: str | None) -> None:
    assert env_key(PUZZLE, arguments) == (key or PUZZLE + '{"budget":4,"mode":"menu"}')


def test_episode_seeds_differ_by_everything_and_never_change() -> None:
    seeds = {
        episode_seed(run, key, case, epoch)
        for run in (0, 1)
        for key in ("a", "b")
        for case in range(50)
        for epoch in range(50)
    }
    assert len(seeds) > 9_995
    assert episode_seed(0, PUZZLE + "{}", 0, 0) == episode_seed(0, PUZZLE + "{}", 0, 0)
    assert [episode_seed(7, "a", case, 0) for case in range(3)] == [1060464539, 4027561148, 3276689639]


def test_canonical_json_sorts_and_is_compact() -> None:
    assert canonical_json({"b": [1, None], "a": "é"}) == '{"a":"é","b":[1,null]}'
