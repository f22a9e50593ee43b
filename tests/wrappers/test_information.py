"""The dense reward: its sum is the entropy of the prior times the outcome, and the best policies stay the best."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from interactive_envs import catalog
from interactive_envs.agent import resolve_agent
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.making import make
from interactive_envs.query_games.rules import QueryTask

PUZZLE, CIPHER = "ibench/SituationPuzzle-v1", "ibench/BlackBox-cipher-01248-counts-v1"
IDS = [env_id for env_id in catalog.load()["units"] if env_id.startswith("ibench/Query-")]
BOXES = [env_id for env_id in catalog.load()["units"] if env_id.startswith("ibench/BlackBox-puzzle-")]


def rewards(
    env_id: str, agent: str, seed: int, reward: str = "information", **arguments: Any
) -> tuple[list[float], Any]:
    env = make(env_id, reward=reward, **arguments)
    player = resolve_agent(agent, env_id)()
    observation, info = env.reset(seed=seed)
    first = info.get("bits")
    player.reset(seed=seed, info=info)
    paid, over = [], False
    while not over:
        observation, got, terminated, truncated, info = env.step(player.act(observation, info))
        paid.append(float(got))
        over = terminated or truncated
    return paid, (first, info)


@pytest.mark.parametrize("agent", ["reference", "random"])
@pytest.mark.parametrize("env_id", [PUZZLE, *IDS[::60]])
def test_an_episode_pays_the_entropy_of_the_prior_times_its_outcome(env_id: str, agent: str) -> None:
    for seed in range(3):
        paid, (prior, info) = rewards(env_id, agent, seed)
        assert math.isclose(sum(paid), prior * info["own_reward"], abs_tol=1e-9)
        assert info["own_reward"] == sum(rewards(env_id, agent, seed, "outcome")[0])


@pytest.mark.parametrize("agent", ["reference", "random"])
@pytest.mark.parametrize("difficulty", [1, 4])
def test_a_generated_puzzle_pays_the_entropy_of_its_menu_times_its_outcome(difficulty: int, agent: str) -> None:
    arguments: dict[str, Any] = {"split": "generated", "difficulty": difficulty}
    for seed in range(3):
        paid, (prior, info) = rewards(PUZZLE, agent, seed, **arguments)
        assert prior == math.log2(len(info["view"].shown.candidates))
        assert math.isclose(sum(paid), prior * info["own_reward"], abs_tol=1e-9)


def test_an_id_of_every_class_takes_it_or_says_why_not() -> None:
    units = catalog.load()["units"]
    first = {catalog.entry(env_id)["entry_point"].rpartition(":")[2]: env_id for env_id in reversed(units)}
    exact = {"QueryGameEnv", "MadeQueryGameEnv", "SituationPuzzleEnv"}
    games = {"GeneratedGameEnv", "HoldemEnv", "TrustGameEnv"}
    assert exact | games < set(first)
    for name, env_id in first.items():
        if name in exact:
            make(env_id, reward="information").close()
            continue
        with pytest.raises(ConfigError) as refused:
            make(env_id, reward="information")
        said = "games pay their own rewards" if name in games else "use reward='outcome'"
        assert str(refused.value).startswith("reward='information' needs ")
        assert str(refused.value).endswith(said)


def listable(env_id: str) -> bool:
    try:
        make(env_id, reward="information").close()
    except ConfigError:
        return False
    return True


@pytest.mark.every(8)
@pytest.mark.parametrize("env_id", BOXES)
def test_a_box_pays_the_entropy_of_all_that_it_hides_times_its_score(env_id: str) -> None:
    if not listable(env_id):
        with pytest.raises(ConfigError, match="needs answers that can be listed"):
            make(env_id, reward="information")
        return
    paid, (prior, info) = rewards(env_id, "reference", 1, items=2)
    assert math.isclose(sum(paid), 2 * prior * info["own_reward"], abs_tol=1e-9)


def test_boxes_that_can_be_listed_exist() -> None:
    assert any(map(listable, BOXES))


def test_bits_of_a_puzzle_are_those_of_the_candidates_left() -> None:
    env = make(PUZZLE, reward="information")
    _, info = env.reset(seed=2)
    matrix = np.array(info["view"].shown.matrix)
    assert info["bits"] == math.log2(matrix.shape[1])
    _, reward, _, _, after = env.step("<ask>1</ask>")
    label = after["view"].exchanges[0].fact
    left = int((matrix[0] == label).sum())
    assert after["bits"] == math.log2(left)
    assert math.isclose(reward, math.log2(matrix.shape[1] / left))


def test_costs_are_apart() -> None:
    free, dear = make(PUZZLE, reward="information"), make(PUZZLE, reward="information?round_cost=0.25&format_cost=0.5")
    for env in (free, dear):
        env.reset(seed=2)
    for text, cost in (("<ask>1</ask>", 0.25), ("what?", 0.75), ("<ask>2</ask>", 0.25)):
        assert math.isclose(free.step(text)[1] - dear.step(text)[1], cost)


def test_the_numeric_twin_pays_the_same() -> None:
    twin, text = make(PUZZLE, view="numeric", reward="information"), make(PUZZLE, reward="information")
    twin.reset(seed=4)
    text.reset(seed=4)
    action = int(np.flatnonzero(twin.get_wrapper_attr("action_masks")())[0])
    said = twin.get_wrapper_attr("decode")(action)
    assert twin.step(action)[1] == text.step(said)[1]
    assert gym.make(PUZZLE, view="numeric", reward="information").reset(seed=1)


@pytest.mark.parametrize(
    ("env_id", "arguments", "said"),
    [
        (CIPHER, {}, "needs answers that can be listed"),
        ("ibench/TrustGame-v1", {}, "games pay their own rewards"),
        (PUZZLE, {"mode": "free"}, "needs answers that can be listed"),
        (PUZZLE, {"probes": ["noise"]}, "goes with no probe, and noise is one"),
    ],
)
def test_where_nothing_is_exact_it_is_refused(env_id: str, arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        make(env_id, reward="information", **arguments)


def test_bad_options_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="unknown reward 'bits'"):
        make(PUZZLE, reward="bits")
    for options, said in (
        ("round_cost=-1", "round_cost must"),
        ("discount=0", "discount must"),
        ("discount=2", "discount"),
    ):
        with pytest.raises(ConfigError, match=said):
            make(PUZZLE, reward=f"information?{options}")


# The theorem, by exhaustion: over all policies of small games.


def small_games(count: int) -> list[str]:
    """Query games with the fewest hidden states and queries at level 1, in which asking helps."""
    sizes = {}
    for env_id in IDS:
        task = make(env_id, difficulty=1).unwrapped.task  # type: ignore[attr-defined]
        assert isinstance(task, QueryTask)
        states, queries = task.level.table.shape
        answers = len(task.level.answers)
        sizes[env_id] = states * (queries + answers) ** 2
    return sorted(sizes, key=lambda env_id: (sizes[env_id], env_id))[:count]


class Histories:
    """Plays every sequence of actions against every hidden state."""

    def __init__(self, env_id: str, reward: str) -> None:
        self._env = make(env_id, reward=reward, difficulty=1, budget=2)
        self._env.reset(seed=0)
        base: Any = self._env.unwrapped
        level = base.task.level
        self.weights = {str(state): float(weight) for state, weight in enumerate(level.weights) if weight > 0}

    def actions(self, state: str, history: tuple[str, ...]) -> list[str]:
        self.play(state, history)
        base: Any = self._env.unwrapped
        return list(base.legal_actions())

    def play(self, state: str, history: tuple[str, ...]) -> tuple[tuple[str, ...], float, bool]:
        observation, _ = self._env.reset(seed=0, options={"case": state})
        seen, paid, over = [observation], 0.0, False
        for action in history:
            observation, reward, terminated, _, _ = self._env.step(action)
            seen.append(observation)
            paid, over = paid + float(reward), terminated
        return tuple(seen), paid, over

    def best(self, states: list[str], history: tuple[str, ...]) -> tuple[float, dict[Any, frozenset[str]]]:
        """The best expected return, weighted, and by what was seen which actions reach it."""
        values: dict[str, float] = {}
        below: dict[Any, frozenset[str]] = {}
        for action in self.actions(states[0], history):
            groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
            value = 0.0
            for state in states:
                seen, paid, over = self.play(state, (*history, action))
                if over:
                    value += self.weights[state] * paid
                else:
                    groups[seen].append(state)
            for group in groups.values():
                found, policies = self.best(group, (*history, action))
                value += found
                below |= policies
            values[action] = value
        top = max(values.values())
        best = frozenset(action for action, value in values.items() if math.isclose(value, top, abs_tol=1e-9))
        seen, _, _ = self.play(states[0], history)
        return top, below | {(seen, history): best}


@pytest.mark.long
@pytest.mark.parametrize("number", range(3))
def test_the_best_policies_of_small_games_are_the_same(number: int) -> None:
    env_id = small_games(3)[number]
    own, dense = Histories(env_id, "outcome"), Histories(env_id, "information")
    begun: dict[Any, list[str]] = defaultdict(list)
    for state in own.weights:
        begun[own.play(state, ())[0]].append(state)
    for states in begun.values():
        value, policy = own.best(states, ())
        dense_value, dense_policy = dense.best(states, ())
        assert policy == dense_policy
        assert any(len(best) < len(own.actions(states[0], ())) for best in policy.values())
        assert dense_value >= value - 1e-9 or math.isclose(value, 0.0)


def test_ties_do_not_hide_the_theorem() -> None:
    """The comparison can fail: with a cost a round the best policies of a puzzle differ."""
    free = make(PUZZLE, reward="information")
    dear = make(PUZZLE, reward="information?round_cost=9")
    totals = []
    for env, queries in itertools.product((free, dear), (0, 3)):
        env.reset(seed=3)
        base: Any = env.unwrapped
        paid = sum(float(env.step(f"<ask>{n + 1}</ask>")[1]) for n in range(queries))
        letter = "ABCDEFGHIJKL"[base.state.task_state.right]
        totals.append(paid + float(env.step(f"<answer>{letter}</answer>")[1]))
    assert math.isclose(totals[0], totals[1])
    assert totals[2] > totals[3]
