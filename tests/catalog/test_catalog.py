"""The catalog is what the classes say, and reading it imports none of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interactive_envs import catalog
from interactive_envs.catalog.unit import Unit
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.making import make, make_aec, make_parallel
from interactive_envs.registration import environment_class
from interactive_envs.seeds import canonical_json, env_key, episode_seed

PUZZLE = "ibench/SituationPuzzle-v0"


def test_every_entry_point_exists_and_has_a_summary() -> None:
    content = catalog.load()
    for kind in ("units", "agents", "judges"):
        assert content[kind]
        for entry in content[kind].values():
            module, _, name = entry["entry_point"].partition(":")
            assert getattr(__import__(module, fromlist=[name]), name)
            assert entry["summary"].endswith((".", "agent."))


def test_ids_and_units() -> None:
    many = ("ibench/Query-", "ibench/BlackBox-", "ibench/Game-")
    single = [env_id for env_id in catalog.ids() if not env_id.startswith(many)]
    assert single == ["ibench/Holdem-v0", "ibench/Math-v0", PUZZLE, "ibench/TrustGame-v0", "ibench/UI2Html-v0"]
    assert [sum(env_id.startswith(kind) for env_id in catalog.ids()) for kind in many] == [480, 105, 25]
    entry = catalog.entry(PUZZLE)
    assert entry["family"] == "situation-puzzle"
    assert entry["defaults"]["judge"] == "offline"
    assert len(entry["references"]) == len(entry["variants"])
    assert set(entry["numeric_variants"]) <= set(range(len(entry["variants"])))
    with pytest.raises(UnknownNameError, match=r"did you mean 'ibench/SituationPuzzle-v0'\?"):
        catalog.entry("ibench/SituationPuzle-v0")


def test_every_view_that_an_id_lists_can_be_made_and_no_other_twin() -> None:
    makers: dict[str, Callable[[str], Any]] = {
        "text": make,
        "numeric": lambda env_id: make(env_id, view="numeric"),
        "aec": make_aec,
        "parallel": make_parallel,
    }
    for env_id in catalog.ids():
        listed = catalog.entry(env_id)["views"]
        for view, maker in makers.items():
            if view in listed:
                maker(env_id).close()
            elif view == "numeric":
                with pytest.raises(ConfigError, match="has no numeric view"):
                    maker(env_id)


def test_every_variant_that_lists_a_numeric_twin_has_one() -> None:
    for env_id in catalog.ids():
        entry = catalog.entry(env_id)
        for number in entry["numeric_variants"]:
            make(env_id, view="numeric", **entry["variants"][number]).close()


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
    current = catalog.PATH.read_text(encoding="utf-8")
    for name, before in (("missing.json", None), ("stale.json", "{}")):
        path = tmp_path / name
        if before is not None:
            path.write_text(before, encoding="utf-8")
        monkeypatch.setattr(catalog, "PATH", path)
        catalog.main()
        assert path.read_text(encoding="utf-8") == current


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
