"""One game in three views: from one seat, turn by turn, and all at once."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pettingzoo
import pytest

import interactive_envs  # noqa: F401 - registers the ids
from interactive_envs.errors import ConfigError, CostLimitError, UnknownNameError
from interactive_envs.evaluation.run import pool
from interactive_envs.multiplayer.pettingzoo import ParallelGame
from interactive_envs.multiplayer.single_seat import SeatGame
from interactive_envs.reporting.records import Cell, RunConfig
from tests.multiplayer.opponents import Paid

TRUST, HOLDEM = "ibench/TrustGame-v1", "ibench/Holdem-v1"
C, D = "<move>COOPERATE</move>", "<move>DEFECT</move>"


def seat(env_id: str = TRUST, **arguments: Any) -> SeatGame:
    made = gym.make(env_id, **arguments).unwrapped
    assert isinstance(made, SeatGame)
    return made


def test_from_one_seat_the_other_plays_by_itself() -> None:
    env = seat(opponents="tft", matches=1)
    env.reset(seed=0, options={"rounds": 4})
    rewards = []
    for move in (C, D, D, C):
        _, reward, terminated, truncated, info = env.step(move)
        rewards.append((reward, terminated, truncated, info.get("outcome"), info.get("turns")))
    assert rewards == [
        (2, False, False, None, None),
        (3, False, False, None, None),
        (0, False, False, None, None),
        (-1, True, False, "scored", 4),
    ]
    assert env.record()["game"]["matches"][0]["histories"] == ["CDDC", "CCDD"]


def test_opponents_are_one_for_all_or_one_for_each() -> None:
    assert seat(HOLDEM, players=3, opponents="fold").opponents == ("fold", "fold")
    assert seat(HOLDEM, players=3, opponents=["fold", "tag"]).opponents == ("fold", "tag")
    with pytest.raises(ConfigError, match="opponents must name 2 players, one for each other seat, got 1"):
        seat(HOLDEM, players=3, opponents=["fold"])
    with pytest.raises(ConfigError, match="opponents must be a spec or a list of specs, got 3"):
        seat(HOLDEM, opponents=3)
    with pytest.raises(UnknownNameError, match=r"unknown agent 'tgg'.*tag"):
        seat(HOLDEM, opponents="tgg")
    with pytest.raises(ConfigError, match="seat must be a whole number from 0 to 1, got 2"):
        seat(seat=2)
    with pytest.raises(ConfigError, match="render_mode must be None or 'ansi', got 'human'"):
        seat(render_mode="human")


def test_opponents_keep_their_places_around_the_table_whichever_seat_is_played() -> None:
    for place in range(3):
        env = seat(HOLDEM, players=3, match=4, seat=place, opponents=["all-in", "fold"])
        env.reset(seed=3)
        while not env.step("call")[2]:
            pass
        said = {(one["seat"] - place) % 3: one["text"] for one in env.record()["texts"]}
        assert (said[1], said[2]) in (("all-in", "fold"), ("call", "fold"))


def test_without_memory_every_hand_of_holdem_begins_a_fresh_dialogue() -> None:
    fresh = {}
    for memory in (True, False):
        env = seat(HOLDEM, players=3, match=4, memory=memory, opponents="call-station")
        observation, info = env.reset(seed=3)
        assert info["history"] == "full"  # language models keep the dialogue of a match
        over, found = False, [(info["view"].hand, "remember" in info, observation.startswith("No-limit"))]
        while not over:
            observation, _, over, _, info = env.step("call")
            found.append((info["view"].hand, info.get("remember") == 0, observation.startswith("No-limit")))
        fresh[memory] = {hand for hand, forgotten, rules in found[1:] if forgotten and rules}
        assert all(forgotten == rules for _, forgotten, rules in found[1:])
    assert fresh == {True: set(), False: {1, 2, 3}}


def test_an_episode_with_nothing_to_decide_is_drawn_anew() -> None:
    env = seat(HOLDEM, players=2, match=1, opponents="fold")
    # Heads-up the button is the small blind and acts first: where it folds, the big blind never acts.
    for seed in range(10):
        _, info = env.reset(seed=seed)
        assert info["view"].button == 0
        assert "outcome" not in info
    assert {env.reset(seed=seed) and env.deals for seed in range(10)} > {1}
    with pytest.raises(ConfigError, match="seat 0 had nothing to decide in 1000 episodes"):
        env.reset(seed=0, options={"button": 1})


def test_an_action_before_reset_or_after_the_end_asks_for_reset() -> None:
    env = seat(matches=1)
    with pytest.raises(gym.error.ResetNeeded):
        env.step(C)
    env.reset(seed=0, options={"rounds": 1})
    env.step(C)
    with pytest.raises(gym.error.ResetNeeded):
        env.step(C)
    with pytest.raises(gym.error.ResetNeeded, match="no submitted action"):
        env.resolve()
    env.reset(seed=0)
    with pytest.raises(TypeError, match="an action is a str, got int: 1"):
        env.step(1)  # type: ignore[arg-type]


def test_a_record_is_followed_by_whoever_sits_there() -> None:
    env = seat(opponents="coin?p=0.5", matches=1)
    env.reset(seed=3, options={"rounds": 5})
    while env.step(C)[2] is False:
        pass
    told = env.record()
    other = seat(opponents="coin?p=0", matches=1)
    other.follow(told)
    other.reset(seed=3, options={"rounds": 5})
    while other.step(C)[2] is False:
        pass
    assert other.record()["texts"] == told["texts"]
    assert other.record()["game"]["matches"] == told["game"]["matches"]
    other.reset(seed=3, options={"rounds": 6})
    for _ in range(5):
        other.step(C)
    with pytest.raises(ConfigError, match="the record is over before the game"):
        other.step(C)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_with_opponents_of_its_own(copied: Any) -> None:
    env = seat(opponents="coin?p=0.5")
    env.reset(seed=1, options={"rounds": 8})
    env.step(C)
    twin = copied(env)
    assert [env.step(C)[0] for _ in range(7)] == [twin.step(C)[0] for _ in range(7)]
    env.close()


def test_it_is_shown_as_text_where_asked() -> None:
    env = seat(render_mode="ansi")
    env.reset(seed=0)
    assert env.render() == env.view_text()
    assert seat().render() is None
    table = pettingzoo.make("aec", TRUST, render_mode="ansi")
    table.reset(seed=0)
    assert table.render().startswith("player_0\n")
    assert pettingzoo.make("aec", TRUST).render() is None


def test_turn_by_turn_a_choice_stays_hidden_until_all_have_chosen() -> None:
    env = pettingzoo.make("aec", TRUST, matches=1)
    env.reset(seed=0, options={"rounds": 2})
    told = {}
    for move in (C, D):
        env.reset(seed=0, options={"rounds": 2})
        env.step(move)
        assert env.agent_selection == "player_1"
        told[move] = env.last()
    assert told[C][:4] == told[D][:4]
    assert told[C][4]["view"] == told[D][4]["view"]
    env.step(C)
    assert env.rewards == {"player_0": 3, "player_1": -1}
    env.step(C)
    env.step(C)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert {name: info["outcome"] for name, info in env.infos.items()} == {"player_0": "scored", "player_1": "scored"}
    env.step(None)
    env.step(None)
    assert env.agents == []


def test_all_at_once_the_later_seats_wait_for_a_retry() -> None:
    env = pettingzoo.make("parallel", TRUST)
    _, infos = env.reset(seed=0, options={"rounds": 2})
    assert [info["waiting"] for info in infos.values()] == [False, False]
    observations, rewards, over, _, infos = env.step({"player_0": "hm", "player_1": D})
    assert (rewards, infos["player_1"]["waiting"]) == ({"player_0": 0, "player_1": 0}, True)
    assert (infos["player_0"]["valid"], infos["player_0"]["kind"]) == (False, "retry")
    assert observations["player_0"].startswith("Not read: ")
    _, rewards, over, _, infos = env.step({"player_0": C, "player_1": D})
    assert (rewards, over["player_0"]) == ({"player_0": -1, "player_1": 3}, False)
    _, rewards, over, truncated, infos = env.step({"player_0": "hm", "player_1": C})
    _, rewards, over, truncated, infos = env.step({"player_0": "hm", "player_1": C})
    assert (over, truncated) == (dict.fromkeys(rewards, True), dict.fromkeys(rewards, False))
    assert (infos["player_0"]["outcome"], infos["player_1"]["outcome"]) == ("forfeit", "scored")
    assert env.agents == []


def test_games_of_turns_have_no_parallel_view() -> None:
    with pytest.raises(ConfigError, match="ibench/Holdem-v1: the seats take turns; make it with the AEC API"):
        ParallelGame(seat(HOLDEM))


def test_a_hand_that_the_blinds_decide_is_paid_before_anybody_acts() -> None:
    env = pettingzoo.make("aec", HOLDEM, players=2, match=1)
    env.reset(seed=0, options={"stacks": 50, "button": 0})
    assert sorted(env.rewards.values()) == [-0.5, 0.5]
    assert env.terminations == {"player_0": True, "player_1": True}
    paid = []
    for _ in env.agent_iter():
        paid.append(env.last()[1])
        env.step(None)
    assert sorted(paid) == [-0.5, 0.5]


def test_arguments_of_the_single_seat_are_refused_where_every_seat_is_played() -> None:
    with pytest.raises(ConfigError, match=r"opponents belongs to the single-seat view, gym\.make"):
        pettingzoo.make("aec", TRUST, opponents="tft")
    with pytest.raises(UnknownNameError, match="unknown view 'numbers'; did you mean 'numeric'"):
        pettingzoo.make("aec", TRUST, view="numbers")


def test_the_numeric_view_of_every_seat_plays_the_text_it_decodes_to() -> None:
    numeric, text = pettingzoo.make("aec", TRUST, view="numeric"), pettingzoo.make("aec", TRUST)
    for env in (numeric, text):
        env.reset(seed=4, options={"rounds": 3})
    for index in (0, 1, 1, 0, 0, 0):
        agent = numeric.agent_selection
        array, _, _, _, info = numeric.last()
        assert array in numeric.observation_space(agent)
        assert info["action_mask"].tolist() == [1, 1]
        text.step(numeric.game.decode(numeric.view(agent), index))
        numeric.step(np.int64(index))
        assert numeric.rewards == text.rewards
    assert numeric.record() == text.record()
    assert numeric.view_text("player_0") == text.view_text("player_0")


def test_an_opponents_own_exception_is_told_as_its_bug() -> None:
    env = seat(opponents="tests.multiplayer.opponents:Failing")
    env.reset(seed=0)
    with pytest.raises(ConfigError, match=r"opponent 'failing' failed: ZeroDivisionError\('a bug'\)"):
        env.step(C)


def test_what_opponents_cost_is_counted_and_limited(tmp_path: Path) -> None:
    config = RunConfig(
        (Cell(TRUST, {"opponents": "tests.multiplayer.opponents:Paid", "delta": 0, "matches": 1}, "tft"),), 3
    )
    with pytest.raises(CostLimitError, match=r"the price of opponent 'tests\.multiplayer\.opponents:Paid' is unknown"):
        pool.run(config, tmp_path / "limited", limit_cost=1.0)
    assert Paid.asked == 0
    store = pool.run(config, tmp_path / "run")
    assert (Paid.asked, store.spent()) == (3, 0.75)
    assert [store.record(row)["paid"] for row in store.rows()] == [0.25] * 3
    assert store.config.content[0]["opponents"] == [{"name": "paid"}]
