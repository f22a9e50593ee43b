"""Arenas: rows are the games' own encodings, whatever stands beside them."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from interactive_envs.errors import ConfigError, FaultError, UnknownNameError
from interactive_envs.novel_games.folder import own_names
from interactive_envs.novel_games.host.adapter import Program
from interactive_envs.novel_games.host.sandboxed import RemoteBatch, RemoteProgram
from interactive_envs.novel_games.search.batch import OVER, Batch
from interactive_envs.training.arena import Arena, open_arena
from tests.training.tiny_games import DICE, TAKE, dice, take


def played_out(arena: Arena, rng: np.random.Generator) -> None:
    while len(rows := np.flatnonzero(arena.seat != OVER)):
        actions = [rng.choice(np.flatnonzero(arena.masks[row])) for row in rows]
        arena.play(rows, np.array(actions))


@pytest.mark.parametrize(("make", "source"), [(take, TAKE), (dice, DICE)])
def test_a_row_is_what_the_table_of_the_same_seed_and_moves_encodes(make: Callable[[int], Arena], source: str) -> None:
    arena, rng, seeds = make(3), np.random.default_rng(1), np.array([5, 6, 7])
    tables = [Program(source).new(int(seed)) for seed in seeds]
    for _ in range(2):  # the second time in environments that have been played in
        arena.start(np.arange(3), seeds)
        tables = [Program(source).new(int(seed)) for seed in seeds]
        while len(rows := np.flatnonzero(arena.seat != OVER)):
            for row in rows:
                assert np.array_equal(arena.observations[row], tables[row].encoded())
                assert np.flatnonzero(arena.masks[row]).tolist() == tables[row].legal()
                assert arena.seat[row] == tables[row].seat
            actions = [rng.choice(tables[row].legal()) for row in rows]
            for row, action in zip(rows, actions, strict=True):
                tables[row].play(int(action))
            arena.play(rows, np.array(actions))
        assert arena.scores.tolist() == [[table.score(0), table.score(1)] for table in tables]


@pytest.mark.parametrize("env_id", ["ibench/TrustGame-v1", "ibench/Holdem-v1", "ibench/BlackBox-puzzle-number-v1"])
def test_environments_with_a_numeric_twin_are_played_to_their_end(env_id: str) -> None:
    ends = []
    for _ in range(2):
        arena = open_arena(env_id, 2)
        arena.start(np.arange(2), np.array([3, 4]))
        assert arena.masks.any(axis=1).all()
        assert arena.observations.any(axis=1).all()
        played_out(arena, np.random.default_rng(0))
        assert np.abs(arena.scores).max() <= 1
        ends.append(arena.scores)
        arena.close()
    assert np.array_equal(*ends), "equal seeds and actions give equal games"


def test_a_folder_from_elsewhere_is_played_in_the_sandbox(tmp_path: Path) -> None:
    folder = tmp_path / "take"
    folder.mkdir()
    (folder / "game.py").write_text(TAKE)
    (folder / "rules.md").write_text("Take one to three.")
    (folder / "actions.md").write_text("How many are taken.")
    about = ("title", "category", "origin", "licence")
    (folder / "game.toml").write_text("".join(f'{name} = "number"\n' for name in about))
    there, here = open_arena(folder, 8), take(8)
    rng = np.random.default_rng(0)
    assert isinstance(there, RemoteBatch)
    for arena in (there, here):
        arena.start(np.arange(8), np.arange(8))
    for _ in range(40):
        rows = np.flatnonzero(here.seat != OVER)[:5]
        for name in ("observations", "masks", "seat", "scores"):
            assert np.array_equal(getattr(there, name), getattr(here, name)), name
        if len(rows):
            actions = np.array([rng.choice(np.flatnonzero(here.masks[row])) for row in rows])
            there.play(rows, actions)
            here.play(rows, actions)
        elif rng.random() < 0.5:
            there.start(np.array([3, 1]), np.array([7, 9]))
            here.start(np.array([3, 1]), np.array([7, 9]))
    there.close()
    with pytest.raises(ConfigError, match="closed"):
        there.start(np.arange(8), np.arange(8))


def answered(columns: int = 1, legal: int = 1, padding: int = 0, **changes: Any) -> list[str]:
    """What the sandbox says of one game that has begun."""
    parts = {
        "bits": np.packbits([[columns] * 13 + [0] * 4 + [padding] * 7, [0] * 13 + [legal] * 4 + [padding] * 7], axis=1),
        "numbers": np.zeros(13, np.float32),
        "standing": np.zeros(3, np.int8),
    }
    return [base64.b64encode(np.asarray(array).tobytes()).decode() for array in (parts | changes).values()]


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [],
        ["a", "b", "c"],
        3 * ["AAAA"],
        answered()[:2],
        answered(legal=0),
        answered(legal=0, padding=1),
        answered(bits=np.ones(4, np.uint8)),
        answered(numbers=np.full(13, np.nan, np.float32)),
        answered(numbers=np.full(13, 2, np.float32)),
        answered(numbers=np.full(13, -1, np.float32)),
        answered(numbers=np.zeros(12, np.float32)),
        answered(standing=np.array([5, 0, 0], np.int8)),
        answered(standing=np.array([0, 2, 0], np.int8)),
        answered(standing=np.array([0, 0, -128], np.int8)),
        answered(standing=np.zeros(3, np.float32)),
        answered(columns=0),
    ],
)
def test_arrays_out_of_the_sandbox_are_checked(answer: Any) -> None:
    replies: list[Any] = [None, answered(), answer]
    process: Any = SimpleNamespace(ask=lambda *_: replies.pop(0))
    arena = RemoteBatch(RemoteProgram(TAKE), process, 1)
    arena.start(np.arange(1), np.arange(1))
    with pytest.raises(FaultError, match="the game's process answered with"):
        arena.start(np.arange(1), np.arange(1))


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(UnknownNameError):
        open_arena("no-such-game", 1)
    with pytest.raises(UnknownNameError):
        open_arena("ibench/NoSuchGame-v0", 1)


@pytest.mark.parametrize("name", own_names()[:1])
def test_a_game_of_the_package_is_the_same_by_name_and_by_id(name: str) -> None:
    for source in (name, f"ibench/Game-{name}-v1"):
        assert isinstance(open_arena(source, 1), Batch)
