"""Every id can be made in every documented way, and wrong arguments are named."""

from __future__ import annotations

import gymnasium as gym
import numpy as np
import pytest

from interactive_envs import catalog, making, registration
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.situation_puzzle.env import SituationPuzzleEnv

PUZZLE = "ibench/SituationPuzzle-v1"


def test_every_id_is_registered_once() -> None:
    registration.register_all()
    registration.register_all()
    assert {env_id for env_id in gym.registry if env_id.startswith("ibench/")} == set(catalog.ids())


@pytest.mark.parametrize("env_id", [PUZZLE, f"interactive_envs:{PUZZLE}"])
def test_a_bare_make_plays(env_id: str) -> None:
    env = gym.make(env_id)
    observation, info = env.reset(seed=1)
    assert observation.startswith("This is a situation puzzle.")
    _, reward, terminated, truncated, info = env.step(info["legal_actions"][0])
    assert (reward, terminated, truncated, info["valid"]) == (0.0, False, False, True)
    env.close()


def test_the_spec_makes_the_same_environment_again() -> None:
    env = gym.make(PUZZLE, budget=4, case="bare-iron")
    assert env.spec is not None
    again = gym.make(env.spec)
    assert again.reset(seed=3)[0] == env.reset(seed=3)[0]
    assert isinstance(again.unwrapped, SituationPuzzleEnv)


def test_vectors_of_the_numeric_twin() -> None:
    envs = gym.make_vec(PUZZLE, num_envs=2, vectorization_mode="sync", view="numeric")
    observations, _ = envs.reset(seed=1)
    assert observations.shape == (2, *envs.single_observation_space.shape)  # type: ignore[misc]
    observations, rewards, *_ = envs.step(np.array([0, 1]))
    assert rewards.tolist() == [0.0, 0.0]
    envs.close()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"budgte": 4}, r"unknown argument of ibench/SituationPuzzle-v1: 'budgte'; did you mean 'budget'\?"),
        ({"view": "numerc"}, r"unknown view 'numerc'; did you mean 'numeric'\?"),
        ({"mode": "menue"}, r"unknown mode 'menue'; did you mean 'menu'\?"),
        ({"mode": 3}, "unknown mode '3'; known: free, menu"),
        ({"split": "owm"}, r"unknown split 'owm'; did you mean 'own'\?"),
        ({"case": "bare-irn"}, r"unknown case 'bare-irn'; did you mean 'bare-iron'\?"),
        ({"case": 3}, "unknown case '3'; known: a-bowl-in-samarkand, .* and 40 more"),
        ({"judge": "ofline"}, r"unknown judge 'ofline'; did you mean 'offline'\?"),
        ({"judge": None}, "judge must be a spec or a Judge, got None"),
        ({"dataset": 3}, "dataset must be a path as text, got 3"),
        ({"dataset": "/nowhere"}, "dataset '/nowhere' is neither a .jsonl file nor a folder"),
        ({"split": "mine"}, "unknown split 'mine'; known: generated, own"),
        ({"difficulty": 6}, "difficulty must be a whole number from 1 to 5, or None, got 6"),
        ({"difficulty": True}, "difficulty must be a whole number from 1 to 5, or None, got True"),
        ({"split": "generated", "dataset": "x"}, "give split='generated' or a dataset, not both"),
        ({"budget": 0}, "budget must be a whole number of at least 1, got 0"),
        ({"budget": True}, "budget must be a whole number of at least 1, got True"),
        ({"budget": 2.5}, r"budget must be a whole number of at least 1, got 2.5"),
        ({"retries": -1}, "retries must be a whole number of at least 0, got -1"),
        ({"strict": "no"}, "strict must be true or false, got 'no'"),
        ({"forced_final": 1}, "forced_final must be true or false, got 1"),
        ({"no_interaction": "false"}, "no_interaction must be true or false, got 'false'"),
        ({"render_mode": "human"}, "render_mode must be None or 'ansi', got 'human'"),
        ({"mode": "free", "view": "numeric"}, "FreeTask has no numeric view; leave out view='numeric'"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        making.make(PUZZLE, **arguments)  # type: ignore[arg-type]


def test_an_unknown_id_gets_the_nearest_match() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown environment 'ibench/SituationPuzle-v1'; did you mean"):
        making.make("ibench/SituationPuzle-v1")
    with pytest.raises(UnknownNameError, match="did you mean 'ibench/SituationPuzzle-v1'"):
        making.make("ibench/SituationPuzzle-v0")


def test_arguments_that_an_id_fixes_may_only_be_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = catalog.entry(PUZZLE) | {"arguments": {"mode": "free"}}
    monkeypatch.setattr(catalog, "entry", lambda env_id: entry)
    assert registration.checked("x", {"mode": "free", "budget": 3}) == {"mode": "free", "budget": 3}
    assert registration.checked("x", {}) == {"mode": "free"}
    with pytest.raises(ConfigError, match="x fixes mode='free'; leave it out"):
        registration.checked("x", {"mode": "menu"})
