"""The best reply beside a second computation: all play of short matches, with the strategies themselves."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from interactive_envs.agent import Agent, resolve_agent
from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.run.episode import cell_key
from interactive_envs.multiplayer.single_seat import SeatGame
from interactive_envs.reporting.records import Cell
from interactive_envs.trust_game.best_reply import BestReply, best_of, best_reply, regrets_of
from interactive_envs.trust_game.metrics import tally
from interactive_envs.trust_game.rules import Payoffs, TrustGame
from interactive_envs.trust_game.strategies import STRATEGIES, SUMMARIES, opponent_of

TRUST = "ibench/TrustGame-v1"
DRAWING = ("coin", "generous-tft")
OTHER = Payoffs(4, -3, 5.5, 0.25)


class Silent(Agent):
    """Says nothing."""

    def act(self, observation: str, info: Any) -> str:
        return ""


class Fixed:
    """Random numbers that are all the same."""

    def __init__(self, number: float) -> None:
        self.number = number

    def random(self) -> float:
        return self.number


def chance(name: str, own: str, other: str) -> float:
    """How often a strategy cooperates, over a grid of all random numbers that it may draw."""
    grid = np.arange(0.5 / 12, 1, 1 / 12) if name in DRAWING else [0.5]  # 1/2 and 2/3 fall between its points
    moves = [STRATEGIES[name](own, other, Fixed(float(number))) for number in grid]  # type: ignore[arg-type]
    return moves.count("C") / len(moves)


def search(name: str, delta: float, left: int, payoffs: Payoffs, own: str = "", other: str = "") -> float:
    """The value of a match by expectimax over whole histories; ``left`` rounds at most."""
    if not left:
        return 0.0
    cooperates = chance(name, other, own)
    return max(
        sum(
            weight
            * (payoffs.of(move, reply) + delta * search(name, delta, left - 1, payoffs, own + move, other + reply))
            for reply, weight in (("C", cooperates), ("D", 1 - cooperates))
            if weight
        )
        for move in "CD"
    )


@pytest.mark.parametrize("name", sorted(SUMMARIES))
@pytest.mark.parametrize(("delta", "payoffs"), [(0.8, Payoffs()), (0.45, OTHER)], ids=["paper", "other"])
def test_the_best_reply_is_worth_what_a_search_over_all_play_finds(name: str, delta: float, payoffs: Payoffs) -> None:
    opponent = opponent_of(name)
    assert opponent
    for rounds in range(1, 6 if name in DRAWING else 10):
        assert BestReply(opponent, delta, rounds, payoffs).value == pytest.approx(search(name, delta, rounds, payoffs))


@pytest.mark.parametrize("name", sorted(set(SUMMARIES) - set(DRAWING)))
def test_against_a_strategy_that_draws_nothing_it_is_the_best_of_all_sequences_of_moves(name: str) -> None:
    """Each sequence is paid round by round with the chance that the match comes so far."""

    def paid(moves: Sequence[str]) -> float:
        own = other = ""
        total = 0.0
        for number, move in enumerate(moves):
            reply = STRATEGIES[name](other, own, None)  # type: ignore[arg-type]
            total += 0.8**number * Payoffs().of(move, reply)
            own, other = own + move, other + reply
        return total

    reply = best_reply(name, 0.8, 8, Payoffs())
    assert reply
    assert reply.value == pytest.approx(max(map(paid, itertools.product("CD", repeat=8))))


@pytest.mark.parametrize("name", sorted(SUMMARIES))
def test_a_summary_keeps_all_that_a_strategy_remembers(name: str) -> None:
    opponent = opponent_of(name)
    assert opponent
    for moves in itertools.product("CD", repeat=11):
        own, other, state = "", "", opponent.summary("", "")
        for number, move in enumerate(moves):
            assert opponent.chance(*state) == pytest.approx(chance(name, own, other)), (own, other, state)
            reply = (
                "CD"[sum(map(ord, moves[: number + 1])) % 2] if name in DRAWING else STRATEGIES[name](own, other, None)
            )  # type: ignore[arg-type]
            own, other = own + reply, other + move
            state = opponent.summary(state[0] + reply, state[1] + move)


@pytest.mark.parametrize("policy", ["tft", "all-d", "pavlov", "gradual"])
@pytest.mark.parametrize("name", sorted(SUMMARIES))
def test_the_mean_regret_is_what_a_policy_falls_short_of_the_best_reply(name: str, policy: str) -> None:
    """Over every course of a match of at most five rounds and every length, each with its probability."""
    delta, rounds, payoffs = 0.7, 5, OTHER
    reply = best_reply(name, delta, rounds, payoffs)
    assert reply

    def expected(own: str, other: str, weight: float) -> tuple[float, float]:
        """The policy's payoff and its regret from here on."""
        if len(own) == rounds:
            return 0.0, 0.0
        move, cooperates = STRATEGIES[policy](own, other, None), chance(name, other, own)  # type: ignore[arg-type]
        gained, lost = 0.0, 0.0
        for answer, share in (("C", cooperates), ("D", 1 - cooperates)):
            if share:
                later, later_lost = expected(own + move, other + answer, weight * share * delta)
                gained += weight * share * payoffs.of(move, answer) + later
                lost += weight * share * reply.regrets(own + move, other + answer)[-1] + later_lost
        return gained, lost

    gained, lost = expected("", "", 1.0)
    assert lost == pytest.approx(reply.value - gained)
    assert lost >= -1e-9


def test_regrets_by_hand() -> None:
    """Who defects on tit for tat gains 1 now and loses 3, with probability 0.8, by being paid 0 instead of 3 - 1 + ...:
    to cooperate again costs -1 instead of 2, so a defection costs 0.8 * 3 - 1 = 1.4, and each one after it as much."""
    reply = best_reply("tft", 0.8, 100, Payoffs())
    assert reply
    assert reply.value == pytest.approx(10)  # 2 / (1 - 0.8)
    assert reply.regrets("DDC", "CDD") == pytest.approx([1.4, 1.4, 0])
    unconditional = best_reply("coin?p=0.25", 0.8, 100, Payoffs())
    assert unconditional
    assert unconditional.value == pytest.approx(0.75 / 0.2)
    assert unconditional.regrets("CDC", "CCD") == pytest.approx([1, 0, 1])


@pytest.mark.parametrize(
    "spec", ["llm:openai/gpt-5-mini", "axelrod:Tit For Tat", "tests.foreign:Player", "coin?p=2", ""]
)
def test_of_other_players_the_best_reply_is_not_known(spec: str) -> None:
    assert best_reply(spec, 0.8, 35, Payoffs()) is None


def test_too_many_states_are_not_known_either() -> None:
    assert best_reply("gradual", 0.8, 35, Payoffs()) is not None
    assert best_reply("gradual", 0.8, 200, Payoffs()) is None
    assert best_reply("tft", 0.8, 200, Payoffs()) is not None


def episode(opponents: str, player: str, seed: int = 0, **arguments: Any) -> dict[str, Any]:
    """The game's part of an episode's record."""
    env = gym.make(TRUST, opponents=opponents, disable_env_checker=True, **arguments).unwrapped
    assert isinstance(env, SeatGame)
    agent = resolve_agent(player, TRUST)()
    observation, info = env.reset(seed=seed)
    agent.reset(seed=seed, info=info)
    over = False
    while not over:
        observation, _, over, _, info = env.step(agent.act(observation, info))
    record: dict[str, Any] = json.loads(json.dumps(env.record()))["game"]
    return record


def test_a_record_has_the_regret_of_every_match() -> None:
    record = episode("tft", "all-d", seat=1)
    rounds = [len(match["histories"][1]) for match in record["matches"]]
    assert len(rounds) == 5
    whole = best_reply("tft", 0.8, 35, Payoffs())
    assert whole
    assert record["regrets"] == pytest.approx([sum(whole.regrets("D" * n, "C" + "D" * (n - 1))) for n in rounds])
    assert record["regrets"] == pytest.approx([1.4 * n for n in rounds], rel=1e-2)  # but for the cut after 35 rounds
    assert record["best"] == pytest.approx(whole.value)


def test_where_the_opponent_is_not_known_a_record_says_so() -> None:
    record = episode("tests.trust_game.test_best_reply:Silent", "tft", on_invalid="cooperate")
    assert (record["regrets"], record["best"]) == (None, None)
    assert tally(record, 0, "tests.trust_game.test_best_reply:Silent").mean_regret is None


def test_moves_that_the_strategy_never_makes_leave_the_regret_unknown() -> None:
    """A late reply is punished: what is then played for the strategy is not its own move."""
    record = episode("all-d", "tft")
    record["matches"][0]["histories"][1] = record["matches"][0]["histories"][1].replace("D", "C", 1)
    assert regrets_of(record, 0, "all-d") is None
    assert best_of(record, "all-d") == pytest.approx(0)


@pytest.mark.parametrize("name", sorted(SUMMARIES))
def test_who_knows_the_opponent_regrets_nothing(name: str) -> None:
    record = episode(name, f"best-reply:{name}", seed=3)
    assert record["regrets"] == pytest.approx([0] * 5)


@pytest.mark.parametrize("name", ["coin", "all-d", "suspicious-tft"])
def test_who_learns_the_opponent_regrets_less_from_match_to_match(name: str) -> None:
    """Means of ten episodes; without memory the last match is as the first."""

    def regrets(**arguments: Any) -> tuple[float, float]:
        tallies = [tally_of(episode(name, "learner", seed, **arguments), name) for seed in range(10)]
        first, last = zip(*tallies, strict=True)
        return float(np.mean(first)), float(np.mean(last))

    def tally_of(record: dict[str, Any], spec: str) -> tuple[float, float]:
        found = regrets_of(record, 0, spec)
        assert found
        return found[0] / len(record["matches"][0]["histories"][0]), found[4] / len(
            record["matches"][4]["histories"][0]
        )

    first, last = regrets()
    assert last < 0.1 < first
    assert regrets(memory=False)[1] > 0.2


def test_a_best_reply_to_nobody_known_is_refused() -> None:
    game = TrustGame()
    view = game.view(game.start(np.random.default_rng(0), {}), 0)
    agent = resolve_agent("best-reply:all-e", TRUST)()
    agent.reset(seed=0)
    with pytest.raises(ConfigError, match="the best reply to 'all-e' is not known; name one of all-c, all-d,"):
        agent.act("", {"view": view})
    agent = resolve_agent("best-reply:tft?max_rounds=0", TRUST)()
    agent.reset(seed=0)
    with pytest.raises(ConfigError, match="more than 0 rounds; give the environment's max_rounds"):
        agent.act("", {"view": view})


def test_lengths_are_drawn_for_each_opponent_and_shared_by_seats_and_players() -> None:
    def key(agent: str = "tft", **arguments: Any) -> str:
        return cell_key(Cell(TRUST, arguments, agent))

    assert key(opponents="grim") != key(opponents="coin")
    assert key(opponents="grim") == key("random", opponents="grim", seat=1)
