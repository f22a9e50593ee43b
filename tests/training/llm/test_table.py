"""A table: every seat of a game played from outside, with the deals and rewards of PettingZoo's view."""

from __future__ import annotations

import re

import pettingzoo
import pytest

import interactive_envs  # noqa: F401  # registers the ids
from interactive_envs.errors import ConfigError, FaultError
from interactive_envs.training.llm.dialogue import UNFINISHED
from interactive_envs.training.llm.table import Table

TRUST, GAME = "ibench/TrustGame-v1", "ibench/Game-amber-exchange-v1"


def move(observation: str) -> str:
    """Something that the observation names as a move, or nothing."""
    found = re.findall(r"<move>[^<…]+</move>", observation)
    return found[-1] if found else ""


@pytest.mark.parametrize(("env_id", "arguments"), [(TRUST, {"matches": 1}), (GAME, {})])
def test_a_table_is_pettingzoos_game(env_id: str, arguments: dict[str, int]) -> None:
    table, game = Table(env_id, arguments), pettingzoo.make("aec", env_id, **arguments)
    table.begin(7)
    game.reset(seed=7)
    paid = dict.fromkeys(game.possible_agents, 0.0)
    while (seat := table.to_move) is not None:
        agent = game.agent_selection
        assert agent == f"player_{seat}"
        assert str(game.observe(agent)) == table.observe(seat)
        table.step(text := move(table.observe(seat)))
        game.step(text)
        paid = {name: paid[name] + game.rewards[name] for name in paid}
    assert [table.reward(seat) for seat in range(2)] == pytest.approx(list(paid.values()))
    assert [table.outcome(seat) for seat in range(2)] == [game.infos[name]["outcome"] for name in paid]


def test_a_seat_that_is_left_is_unfinished_and_its_silence_is_not_counted() -> None:
    table = Table(TRUST, {"matches": 1})
    table.begin(1)
    with pytest.raises(ConfigError, match="not over"):
        table.outcome(0)
    table.leave(1)
    while (seat := table.to_move) is not None:
        table.step("<move>COOPERATE</move>" if seat == 0 else "")
    assert table.outcome(1) == UNFINISHED != table.outcome(0)
    assert table.metrics(1) == {"turns": 0, "move": 0, "invalid": 0, "unfinished": 1.0}
    assert table.metrics(0)["turns"] == table.metrics(0)["move"] > 0


def test_what_is_no_game_between_seats_is_refused() -> None:
    with pytest.raises(ConfigError, match="no game between seats"):
        Table("ibench/SituationPuzzle-v1")
    with pytest.raises(ConfigError, match="opponents belongs to the view of one seat"):
        Table(TRUST, {"opponents": "tft"})


def test_a_game_that_fails_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(TRUST, {"matches": 1})
    table.begin(1)
    monkeypatch.setattr(type(table._match.game), "play", lambda *_: 1 / 0)  # noqa: SLF001
    with pytest.raises(FaultError, match="the environment failed: ZeroDivisionError"):
        table.step("<move>COOPERATE</move>")
