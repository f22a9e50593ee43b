"""Self-play: whose turn it is, who plays the others, and that equal seeds give equal games."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sb3_contrib import MaskablePPO

from interactive_envs.novel_games.search.network import Network
from interactive_envs.training.arena import Arena, open_arena
from interactive_envs.training.selfplay import SelfPlay, duel
from tests.training.tiny_games import dice, take


def network(arena: Arena, seed: int) -> Network:
    rng = np.random.default_rng(seed)
    inputs, actions = arena.observations.shape[1], arena.masks.shape[1]
    layers = [(rng.normal(size=(inputs, n)).astype(np.float32), np.zeros(n, np.float32)) for n in (actions, 1)]
    return Network([], layers[:1], layers[1:])


def perfect() -> Network:
    """Takes what leaves a multiple of four, more or less: the rest is chance enough for a test."""
    policy = np.zeros((13, 4), np.float32)
    for left in range(1, 10):
        policy[left, 3 if left in (3, 7) else 2 if left in (2, 6) else 1] = 20.0
    return Network([], [(policy, np.zeros(4, np.float32))], [(np.zeros((13, 1), np.float32), np.zeros(1, np.float32))])


def steps(env: SelfPlay, count: int, seed: int) -> list[Any]:
    rng, told = np.random.default_rng(seed), []
    for _ in range(count):
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in env.action_masks()])
        observations, rewards, done, infos = env.step(actions)
        told.append((observations.tolist(), rewards.tolist(), done.tolist(), [info.get("episode") for info in infos]))
    return told


def test_the_learner_is_to_act_in_every_game_and_is_paid_its_score() -> None:
    env = SelfPlay(dice(16), seed=1)
    env.reset()
    paid, games = np.zeros(16), 0
    for _ in range(50):
        seats = env.arena.seat.copy()
        actions = np.array([np.flatnonzero(mask)[0] for mask in env.action_masks()])
        observations, rewards, done, infos = env.step(actions)
        assert np.array_equal(observations, env.arena.observations)
        assert (env.arena.seat >= 0).all()
        assert {int(seat) for seat in seats} == {0, 1}
        paid += rewards
        for row in np.flatnonzero(done):
            assert infos[row]["episode"]["r"] == pytest.approx(paid[row])
            assert infos[row]["episode"]["l"] == 6
            paid[row], games = 0, games + 1
    assert games > 200


def test_what_a_game_pays_on_the_way_is_paid_once() -> None:
    env = SelfPlay(open_arena("ibench/TrustGame-v1", 8), seed=1)
    env.reset()
    paid, on_the_way, games = np.zeros(8), 0, 0
    for _ in range(80):
        _, rewards, done, infos = env.step(np.array([np.flatnonzero(mask)[0] for mask in env.action_masks()]))
        paid += rewards
        on_the_way += np.count_nonzero(rewards[~done])
        for row in np.flatnonzero(done):
            assert infos[row]["episode"]["r"] == pytest.approx(paid[row], abs=1e-5)
            paid[row], games = 0, games + 1
    env.close()
    assert games > 20
    assert on_the_way


def test_equal_seeds_give_equal_games_and_others_do_not() -> None:
    told = []
    for seed in (1, 1, 2):
        env = SelfPlay(dice(8), seed=seed)
        env.pool = [network(env.arena, 1), network(env.arena, 2)]
        env.reset()
        told.append(steps(env, 20, 3))
    assert told[0] == told[1] != told[2]


@pytest.mark.parametrize("prioritised", [False, True])
def test_a_restored_state_goes_on_as_if_nothing_had_been(prioritised: bool) -> None:
    first, second = (SelfPlay(dice(8), seed=seed, prioritised=prioritised) for seed in (1, 9))
    first.pool = second.pool = [network(first.arena, 1), network(first.arena, 2)]
    first.epsilon = second.epsilon = 0.3
    first.reset()
    steps(first, 30, 5)
    state = first.state()
    assert np.array_equal(second.restore(state), first.arena.observations)
    assert steps(second, 30, 7) == steps(first, 30, 7)


def test_opponents_come_from_the_pool_and_lose_their_strength_with_epsilon() -> None:
    scores = {}
    for name, pool, epsilon in (("random", [], 0.0), ("pool", [perfect()], 0.0), ("epsilon", [perfect()], 1.0)):
        env = SelfPlay(take(64), seed=1)
        env.pool, env.epsilon = pool, epsilon
        env.reset()
        scores[name] = np.mean([e["r"] for *_, games in steps(env, 60, 1) for e in games if e])
    assert scores["pool"] < scores["random"] - 0.1
    assert scores["epsilon"] == pytest.approx(scores["random"], abs=0.1)


def test_prioritised_draws_prefer_who_beats_the_learner() -> None:
    env = SelfPlay(take(64), seed=1, prioritised=True)
    env.pool = [network(env.arena, 1), perfect()]
    env.reset()
    steps(env, 300, 1)
    drawn = np.bincount(np.concatenate([env.draw_opponents(64) for _ in range(20)]))
    assert drawn[1] > 1.1 * drawn[0]


def test_a_duel_seats_both_alike_and_tells_the_stronger() -> None:
    arena = take(64)
    assert duel(arena, perfect(), None, 512, 1) > 0.55
    assert duel(arena, perfect(), None, 512, 1) == pytest.approx(1 - duel(arena, None, perfect(), 512, 1), abs=0.1)
    assert duel(arena, perfect(), perfect(), 64, 1) == 0.5, "who begins decides, and each begins half of the games"


def test_maskable_ppo_works_on_it_unchanged() -> None:
    env = SelfPlay(take(4), seed=1)
    model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=16, n_epochs=1, device="cpu", seed=0)
    before = model.policy.action_net.weight.detach().clone()
    model.learn(64)
    assert model.num_timesteps == 64
    assert not before.equal(model.policy.action_net.weight), "the policy learnt from its games"
