"""The games that come with the package: text and code agree, and every promise of the format is kept."""

from __future__ import annotations

import json
import random
from collections import Counter

import numpy as np
import pytest

from interactive_envs.novel_games import admission
from interactive_envs.novel_games.folder import CATEGORIES, SETS, own, own_names
from interactive_envs.novel_games.host.adapter import TOO_LONG, Program, Table, folded
from interactive_envs.novel_games.host.traces import check, traces

NAMES, BY_HAND = own_names(), own_names("games-v0")
OPEN = [name for name in NAMES if not own(name).hidden]
"""Games without secrets: what a seat may draw differs from what is so in others."""
MOST_BYTES = 400_000
"""Of a game's folder, checkpoints included."""


def program(name: str) -> Program:
    folder = own(name)
    return Program(folder.source, **folder.options)


def random_games(name: str, count: int) -> list[Table]:
    """Games under way at random places, and some that are over."""
    made, found = program(name), []
    for seed in range(count):
        moves, table = random.Random(seed), made.new(seed)
        while table.result is None:
            table.say(moves.choice(table.legal()))
        moves, place, table = random.Random(seed), random.Random(count - seed).randint(0, table.turns), made.new(seed)
        for _ in range(place):
            table.say(moves.choice(table.legal()))
        found.append(table)
    return found


def test_there_are_games_in_all_categories() -> None:
    folders = [own(name) for name in NAMES]
    assert len(folders) >= 24
    assert {folder.category for folder in folders} == set(CATEGORIES)
    assert sum(folder.hidden for folder in folders) >= 3
    by_hand = [folder for folder in folders if folder.path.parent == SETS["games-v0"]]
    assert len({folder.title for folder in by_hand}) == len(by_hand)
    made = [folder for folder in folders if folder.path.parent == SETS["games-v1"]]
    assert len(made) >= 126
    assert min(Counter(folder.category for folder in made).values()) >= 15
    assert sum(folder.hidden for folder in made) >= 12


def test_every_folder_is_whole_and_small() -> None:
    for path in (path for folder in SETS.values() if folder.exists() for path in folder.iterdir()):
        assert path.name in NAMES
        assert sum(file.stat().st_size for file in path.rglob("*") if file.is_file()) <= MOST_BYTES
        assert not [file for file in path.rglob("*") if file.suffix in (".pkl", ".zip", ".pt", ".pyc")]


@pytest.mark.every(20)
@pytest.mark.parametrize("name", NAMES)
def test_the_examples_of_the_rules_can_be_played(name: str) -> None:
    made, found = program(name), traces(own(name).rules)
    assert len(found) >= 2
    for trace in found:
        check(made, trace)
    assert any("winner:" in trace.text for trace in found)


@pytest.mark.every(20)
@pytest.mark.parametrize("name", NAMES)
def test_random_games_keep_the_contract(name: str) -> None:
    made = program(name)
    assert made.player == "current_player"
    assert made.names
    for seed in range(10):
        rng, table = random.Random(seed), made.new(seed)
        space = table.env.observation_space
        while table.result is None:
            legal = table.legal()
            assert len(set(legal)) == len(legal)
            assert name not in BY_HAND or legal == sorted(legal)
            assert table.env.action_space.contains(legal[-1])
            assert space.contains(table.observation)
            names = [table.name(action) for action in legal]
            assert len({folded(text) for text in names}) == len(names)
            assert all(text == text.strip() and text for text in names)
            assert table.env.render() == table.view(table.seat)["board"]
            np.testing.assert_allclose(table.view(table.seat)["observation"], table.observation, rtol=1e-6)
            table.say(rng.choice(legal))
        assert table.env.valid_moves() == []
        assert table.result != TOO_LONG


@pytest.mark.every(20)
@pytest.mark.parametrize("name", NAMES)
def test_equal_seeds_and_moves_give_equal_games(name: str) -> None:
    for seed in (0, 1):
        first, second = program(name).new(seed), program(name).new(seed)
        rng = random.Random(seed)
        random.seed(1)
        while first.result is None:
            move = rng.choice(first.legal())
            first.say(move)
            random.seed(2)
            np.random.default_rng()
            second.say(move)
            assert first.view(0) == second.view(0)
            assert first.view(1) == second.view(1)


@pytest.mark.every(20)
@pytest.mark.parametrize("name", own_names("games-v0"))
def test_an_illegal_move_changes_nothing(name: str) -> None:
    """Nobody steps games with illegal moves, and those of models may count one as a loss."""
    for table in random_games(name, 6):
        wrong = [action for action in range(table.program.actions) if action not in table.env.valid_moves()]
        if table.result is not None or not wrong:
            continue
        before = table.env.key()
        _, reward, terminated, _, info = table.env.step(wrong[0])
        assert (reward, terminated, info["illegal"]) == (-10, True, True)
        assert table.env.key() == before


@pytest.mark.every(20)
@pytest.mark.parametrize("name", NAMES)
def test_a_clone_lives_its_own_life(name: str) -> None:
    for table in random_games(name, 12):
        if table.result is not None:
            continue
        before, other = table.view(0), table.clone()
        assert other.view(0) == before
        rng = random.Random(0)
        while other.result is None:
            other.say(rng.choice(other.legal()))
        assert table.view(0) == before


@pytest.mark.every(20)
@pytest.mark.parametrize("name", NAMES)
def test_a_drawn_state_never_contradicts_what_the_seat_has_seen(name: str) -> None:
    made = program(name)
    for place, table in enumerate(random_games(name, 40)):
        for seat in (0, 1):
            view = json.loads(json.dumps(table.view(seat)))
            drawn = made.resample(view, np.random.default_rng(place))
            assert drawn.view(seat) == view
            if view["legal"]:
                again = made.resample(view, np.random.default_rng(place))
                move = view["legal"][place % len(view["legal"])]
                drawn.say(move)
                again.say(move)
                assert drawn.view(seat) == again.view(seat)
                if not made.views:
                    other = table.clone()
                    other.say(move)
                    assert drawn.view(seat) == other.view(seat)


@pytest.mark.every(5)
@pytest.mark.parametrize("name", [name for name in NAMES if own(name).hidden])
def test_what_is_hidden_stays_hidden_from_texts_and_arrays(name: str) -> None:
    """Two states that look the same to a seat must look the same to it in every way, whatever differs in them."""
    made, differed = program(name), 0
    for place, table in enumerate(random_games(name, 40)):
        for seat in (0, 1):
            view = table.view(seat)
            drawn = made.resample(view, np.random.default_rng(1000 + place))
            differed += drawn.key() != table.key()
            assert drawn.view(seat) == view
            if table.result is None and table.seat == seat:
                assert drawn.env.render() == table.env.render()
                np.testing.assert_array_equal(drawn.encoded(), table.encoded())
    assert differed > 3


@pytest.mark.every(5)
@pytest.mark.parametrize("name", [name for name in OPEN if "def chance(" in own(name).source])
def test_listed_outcomes_are_those_that_happen(name: str) -> None:
    made = program(name)
    for place, table in enumerate(random_games(name, 12)):
        if table.result is not None:
            continue
        move = table.legal()[place % len(table.legal())]
        listed = table.env.chance(move)
        assert sum(chance for chance, _ in listed) == pytest.approx(1)
        keys = {env.key() for _, env in listed}
        for seed in range(20):
            drawn = made.resample(table.view(table.seat), np.random.default_rng(seed))
            drawn.play(move)
            assert drawn.env.key() in keys


@pytest.mark.every(40)
@pytest.mark.parametrize("name", NAMES)
def test_the_kept_traces_are_those_of_play(name: str) -> None:
    """Where this fails, remove data/traces.json.xz and run make catalog: how games are compared has changed."""
    kept = admission.kept_traces()[own(name).code_sha256]
    assert kept == json.loads(json.dumps(admission.play_traces(name)))


def test_traces_are_kept_of_every_game_and_of_no_other() -> None:
    assert set(admission.kept_traces()) == {own(name).code_sha256 for name in NAMES}, "run: make catalog"
