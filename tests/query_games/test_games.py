"""What the games promise as a collection, and that their modes mean what they say."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections import Counter, defaultdict

import numpy as np
import pytest

from interactive_envs.errors import UnknownNameError
from interactive_envs.query_games import games, proofs
from interactive_envs.query_games.base import EQUAL, LEVELS, NO_ARGUMENT, Game, Values, World, query
from interactive_envs.query_games.proving import decided, fingerprint, invariant, partitions, prove
from interactive_envs.query_games.structures import induction
from interactive_envs.query_games.structures.induction.worlds import RuleWorld

GAMES = games.every()
CELLS = [f"{structure}/{mode}" for structure in games.STRUCTURES for mode in games.MODES]
SAMPLE = sorted(GAMES)[::23]
"""Every cell has two or three of them."""


def of_cell(cell: str) -> list[Game]:
    return [game for name, game in GAMES.items() if name.startswith(f"{cell}/")]


def components(game: Game) -> tuple[str, frozenset[str], str]:
    return game.family.name, frozenset(kind.name for kind in game.kinds), game.target.name


@pytest.mark.parametrize("cell", CELLS)
def test_a_cell_has_40_games_20_kits_and_6_targets_at_least(cell: str) -> None:
    cell_games = of_cell(cell)
    assert len(cell_games) >= 40
    assert len({components(game)[1] for game in cell_games}) >= 20
    assert len({game.target for game in cell_games}) >= 6
    assert len({game.family for game in cell_games}) >= 4


@pytest.mark.parametrize("structure", games.STRUCTURES)
def test_a_structure_has_8_families_and_8_kinds_of_queries_at_least(structure: str) -> None:
    mine = [game for cell in CELLS if cell.startswith(f"{structure}/") for game in of_cell(cell)]
    assert len({game.family for game in mine}) >= 8
    assert len({kind for game in mine for kind in game.kinds}) >= 8


def test_no_two_games_share_family_kit_and_target() -> None:
    found = Counter((name.split("/")[0], *components(game)) for name, game in GAMES.items())
    assert set(found.values()) == {1}


@pytest.mark.parametrize("structure", games.STRUCTURES)
def test_components_have_names_of_their_own(structure: str) -> None:
    parts = games.structure(structure)
    for named in (parts.families, parts.kinds, parts.targets):
        names = [part.name for part in named]
        assert len(names) == len(set(names))
        assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", name) for name in names)


def outline(name: str) -> tuple[object, ...]:
    """What is equal for games that are the same in disguise, and known without their tables."""
    proof = proofs.of_game(name, 1)
    return name.split("/")[0], proof.states, proof.answers, proof.bits, proof.guess


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.long)])
def test_no_two_games_of_a_structure_are_the_same_in_disguise(step: int) -> None:
    found = defaultdict(list)
    outlines = Counter(map(outline, GAMES))
    shared = set(sorted(one for one, count in outlines.items() if count > 1)[::step])
    for name, game in GAMES.items():
        if outline(name) in shared:
            found[outline(name), invariant(game.level(1))].append(name)
    assert found
    assert [names for names in found.values() if len(names) > 1] == []


@pytest.mark.long
@pytest.mark.parametrize("structure", games.STRUCTURES)
def test_no_two_tables_of_a_structure_are_the_same_in_disguise(structure: str) -> None:
    found = Counter(invariant(game.level(1)) for name, game in GAMES.items() if name.startswith(f"{structure}/"))
    assert set(found.values()) == {1}


@pytest.mark.every(3)
@pytest.mark.parametrize("name", SAMPLE)
def test_an_invariant_forgets_names_and_order(name: str) -> None:
    level = GAMES[name].level(1)
    before = invariant(level)
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(len(level.world)), rng.permutation(len(level.queries))
    other = type(level)(level.game, 1)
    vars(other).update(
        table=7 * level.table[rows][:, columns] + 3,
        opening=level.opening[rows],
        weights=level.weights[rows],
        right=rng.permutation(len(level.answers))[level.right[rows]],
    )
    assert invariant(other) == before
    idle = np.full((len(rows), 1), 5)
    vars(other)["table"] = np.hstack([other.table, idle, -other.table[:, :1]])
    assert invariant(other) == before, "a query that tells nothing new counted"
    vars(other)["table"] = partitions(other.table)[:, 1:]
    assert invariant(other) != before


@pytest.mark.parametrize("cell", CELLS)
def test_every_game_is_proved_at_every_level(cell: str) -> None:
    for name in (name for name in GAMES if name.startswith(f"{cell}/")):
        proved = [proofs.of_game(name, level) for level in LEVELS]
        assert all(proof.decided == 1 for proof in proved), name
        assert all(proof.reference >= 0.998 and proof.random <= 0.1 for proof in proved), name
        assert proved[0].answers >= 12, name
        assert proved[0].guess <= 0.4, name
        for easier, harder in itertools.pairwise(proved):
            assert easier.states < harder.states, name
            assert easier.turns <= harder.turns, name
            assert easier.budget <= harder.budget, name


def test_nothing_is_proved_that_is_no_game() -> None:
    proved = {f"{structure}/{name}" for structure in games.STRUCTURES for name in proofs.of_structure(structure)}
    assert proved == set(GAMES)


@pytest.mark.every(8)
@pytest.mark.parametrize("name", GAMES)
def test_a_proof_is_of_the_table_that_is_played(name: str) -> None:
    assert proofs.of_game(name, 1).sha256 == fingerprint(GAMES[name].level(1))


@pytest.mark.parametrize("name", SAMPLE)
def test_a_proof_comes_out_the_same_again(name: str) -> None:
    for level in (1, 3):
        assert prove(GAMES[name].level(level)) == proofs.of_game(name, level)


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_every_proof_comes_out_the_same_again(name: str) -> None:
    for level in LEVELS:
        again, kept = prove(GAMES[name].level(level)), proofs.of_game(name, level)
        assert again.turns == pytest.approx(
            kept.turns, abs=1.01e-4
        )  # rounded, after sums in an order of NumPy's choice
        assert dataclasses.replace(again, turns=kept.turns) == kept


@pytest.mark.every(8)
@pytest.mark.parametrize("name", [name for name in GAMES if "/deductive/" in name])
def test_in_a_deductive_game_the_queries_alone_decide(name: str) -> None:
    game = GAMES[name]
    assert game.family.opening is None
    assert game.family.prior is EQUAL
    assert decided(game.level(1)).all()


@pytest.mark.every(8)
@pytest.mark.parametrize("name", [name for name in GAMES if "/inductive/" in name])
def test_in_an_inductive_game_a_rule_is_inferred_and_checked_on_unseen_instances(name: str) -> None:
    game, world = GAMES[name], GAMES[name].level(1).world
    assert isinstance(world, RuleWorld)
    assert game.target in induction.TARGETS
    assert 0 < world.shown < len(world.pool)
    assert not {*world.new} & {*world.pool}
    assert len({*world.new, *world.pool}) == len(world.new) + len(world.pool)
    assert proofs.of_game(name, 1).bits >= 1.5, "the examples must not give the rule away"


@pytest.mark.every(8)
@pytest.mark.parametrize("name", [name for name in GAMES if "/abductive/" in name])
def test_in_an_abductive_game_the_prior_decides_between_causes_that_look_the_same(name: str) -> None:
    game, level = GAMES[name], GAMES[name].level(1)
    assert game.family.prior is not EQUAL
    assert len(np.unique(level.opening)) > 1, "an outcome that tells nothing is none"
    for state in range(len(level.world)):
        alike = np.flatnonzero(
            (level.table == level.table[state]).all(axis=1) & (level.opening == level.opening[state])
        )
        best = alike[level.weights[alike] == level.weights[alike].max()]
        assert len(best) == 1, "two causes are equally probable"
        assert level.answers[level.right[state]] == level.answer_of(int(best[0])) == level.answer_of(state)
    assert proofs.of_game(name, 1).overruled > 0


def test_an_unknown_game_is_named_with_its_nearest() -> None:
    name = sorted(GAMES)[0]
    with pytest.raises(UnknownNameError, match="did you mean"):
        games.find(name[:-1])
    with pytest.raises(UnknownNameError, match="unknown structure 'heap'"):
        games.find("heap/deductive/any")


def test_a_game_is_one_line_and_what_it_misspells_is_named() -> None:
    plain = games.structure("set")
    (game,) = dataclasses.replace(plain, table="# a comment\n\nchoice | count some | total\n").games.values()
    assert game.name == "choice-total-by-count-some"
    for line, sort in (("chioce | count | total", "family"), ("choice | cuont | total", "query")):
        with pytest.raises(UnknownNameError, match=f"unknown {sort} .*did you mean"):
            _ = dataclasses.replace(plain, table=line).games
    with pytest.raises(UnknownNameError, match=r"unknown target 'totla'.*did you mean 'total'"):
        _ = dataclasses.replace(plain, table="choice | count | totla").games


def test_a_component_is_a_function_named_with_hyphens() -> None:
    @query("whether it is so", NO_ARGUMENT)
    def any_at_all_(world: World) -> Values:
        return np.ones(len(world), dtype=bool)

    assert (any_at_all_.name, any_at_all_.tag) == ("any-at-all", "query_any-at-all")
    assert any_at_all_.codes(games.structure("set").families[0].world(1), ()).all()
