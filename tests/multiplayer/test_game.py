"""A match: turns, messages, retries and what an unreadable text costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from interactive_envs.agent import Agent
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.multiplayer.match import MAX_ACTION, Match, Played
from interactive_envs.multiplayer.play import play_out
from interactive_envs.outcome import Outcome
from interactive_envs.parsing import TIMEOUT_ACTION
from interactive_envs.seeds import GameSeeds
from tests.multiplayer.countdown import Countdown

RULES = (
    "Take 1 or 2; the last wins.\nIf a message of yours cannot be read, or is not legal, you may try again, once per "
    "turn. If that fails too, you lose the game."
)


def match(heap: int = 3, **arguments: object) -> Match[object]:
    made: Match[object] = Match(Countdown(), **arguments)  # type: ignore[arg-type]
    made.begin(GameSeeds(0), {"heap": heap})
    return made


def test_seats_act_in_turn_and_the_first_message_of_each_begins_with_the_rules() -> None:
    played = match()
    told = []
    while (seat := played.to_move) is not None:
        told.append((seat, played.observe(seat)))
        assert played.act("1") == Played(seat, "1", "move")
    assert told == [
        (0, f"{RULES}\n\nLeft: 3."),
        (1, f"{RULES}\n\nLeft: 2."),
        (0, "Left: 1."),
    ]
    assert played.game.returns(played.state) == (1.0, -1.0)
    assert played.observe(0) == "Left: 0."


def test_an_unreadable_text_is_asked_for_again_with_the_reason_then_punished() -> None:
    played = match()
    assert played.act("three") == Played(0, "three", "retry", "Say 1 or 2.")
    assert played.to_move == 0
    assert played.observe(0) == "Not read: Say 1 or 2. Try again; if that fails too, you lose the game.\n\nLeft: 3."
    assert played.observe(1) == f"{RULES}\n\nLeft: 3."
    assert played.act("") == Played(0, "", "punished", "Say 1 or 2.")
    assert played.to_move is None
    assert played.game.outcomes(played.state) == (Outcome.FORFEIT, Outcome.SCORED)


def test_a_seat_is_shown_at_its_next_turn_what_became_of_a_text_that_was_not_read() -> None:
    played = match(heap=5, on_invalid="one", retries=2)
    assert played.act("three").kind == "retry"
    assert played.observe(0).startswith("Not read: Say 1 or 2. Try again; tries left: 2.")
    assert played.act("three").kind == "retry"
    assert played.observe(0).startswith("Not read: Say 1 or 2. Try again; if that fails too, you take one.")
    assert played.act("three").kind == "punished"
    assert played.observe(1).endswith("\n\nLeft: 4.")
    played.act("1")
    assert played.observe(0) == "Your last message was not read: Say 1 or 2. In such a case you take one.\n\nLeft: 3."
    played.act("1")
    played.act("1")
    assert played.observe(0) == "Left: 1."


def test_a_readable_text_gives_the_retry_back() -> None:
    played = match(heap=7, on_invalid="one")
    kinds = [played.act(text).kind for text in ("x", "1", "x", "x", "x", "1")]
    assert kinds == ["retry", "move", "retry", "punished", "retry", "move"]


def test_the_time_limit_is_not_asked_for_again() -> None:
    played = match(on_invalid="one")
    assert played.act(f" {TIMEOUT_ACTION}\n").kind == "punished"
    assert played.to_move == 1


def test_without_retries_the_first_unreadable_text_counts() -> None:
    assert match(retries=0).act("x").kind == "punished"


@pytest.mark.parametrize("text", ["1" * (MAX_ACTION + 1), "\ud800", "\x00"])
def test_hostile_texts_are_unreadable(text: str) -> None:
    assert match().act(text).valid is False


def test_what_cannot_be_played_is_refused_with_the_remedy() -> None:
    with pytest.raises(ConfigError, match="retries must be a whole number of at least 0, got -1"):
        match(retries=-1)
    with pytest.raises(UnknownNameError, match="unknown on_invalid 'fold'; known: forfeit, one"):
        match(on_invalid="fold")
    with pytest.raises(UnknownNameError, match="unknown reset option 'stack'; known: heap"):
        match().begin(GameSeeds(0), {"stack": 3})
    with pytest.raises(ConfigError, match=r"no episode has begun; call reset\(\) first"):
        Match(Countdown()).observe(0)
    over = match(heap=1)
    over.act("1")
    with pytest.raises(ConfigError, match="the episode is over"):
        over.act("1")
    with pytest.raises(TypeError, match="an action is a str, got int: 1"):
        match().act(1)  # type: ignore[arg-type]


def test_messages_are_numbered_for_each_seat() -> None:
    played = match(heap=7)
    for text in ("1", "x", "1", "1"):
        played.act(text)
    assert (played.messages(0), played.messages(1)) == ((2, 3), (2, 3))


class Reader(Agent):
    """Keeps what it reads."""

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        self.read: list[str] = []
        self.infos: list[Mapping[str, Any]] = []

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        self.finish(observation, 0, info)
        return "1"

    def finish(self, observation: str, reward: float, info: Mapping[str, Any]) -> None:
        self.read.append(observation)
        self.infos.append(info)


class Blind(Reader):
    reads_text = reads_view = False


class Sighted(Blind):
    """Has an ``act`` of its own, which may read."""

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        return super().act(observation, info)


def test_texts_and_views_are_built_only_for_players_that_read_them() -> None:
    players = {0: Blind(), 1: Sighted()}
    for player in players.values():
        player.reset()
    played = match(4)
    play_out(played, players)
    assert [text.text for text in played.texts] == ["1"] * 4
    assert players[0].read == ["", "", ""]
    assert players[1].read == [f"{RULES}\n\nLeft: 3.", "Left: 1.", "Left: 0."]
    assert players[0].infos == [{"action_tags": ("move",)}] * 3
    assert all("view" in info for info in players[1].infos)
