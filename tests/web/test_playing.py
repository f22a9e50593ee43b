from __future__ import annotations

from pathlib import Path

import pytest

from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.run.replay import mismatch
from interactive_envs.reporting.store import RunStore
from interactive_envs.web.playing import MOST, Game, Games, menu_of, worded

PATIENCE = 60.0
TRUST = {"delta": 0.0, "matches": 2}


@pytest.fixture
def games(tmp_path: Path) -> Games:
    return Games(tmp_path)


def test_a_game_is_an_episode_with_a_record_that_replays(games: Games) -> None:
    game = games.begin("ibench/TrustGame-v1", TRUST, seed=3)
    for text in ("cooperate", "DEFECT"):
        game.say(text, "move")
        game.wait(PATIENCE)
    assert game.result == ("scored", 5.0)
    (record,) = RunStore.read_only(game.folder).episodes()
    assert [step.action for step in record.steps] == ["<move>cooperate</move>", "<move>DEFECT</move>"]
    assert record.agent == {"spec": "human", "name": "human", "interface": "browser", "hints": 0}
    assert mismatch(record) is None


def test_the_same_seed_gives_the_same_game(games: Games) -> None:
    first, second = (games.begin("ibench/SituationPuzzle-v1", {}, seed=5) for _ in range(2))
    assert first.lines == second.lines
    games.close()


def test_help_costs_nothing_and_reaches_nobody(games: Games) -> None:
    game = games.begin("ibench/SituationPuzzle-v1", {}, seed=1)
    turn = game.turn
    game.say("help", "ask")
    game.say(" ? ")
    assert game.turn is turn
    assert [line.who for line in game.lines] == ["environment", "note", "note"]
    assert "<ask>…</ask>, <answer>…</answer>" in game.lines[-1].text
    game.leave()


def test_a_hint_is_what_the_reference_would_say_and_is_marked(games: Games) -> None:
    game = games.begin("ibench/SituationPuzzle-v1", {}, seed=1)
    while not game.is_over:
        game.say(game.hint())
        game.wait(PATIENCE)
    assert game.result == ("success", 1.0)
    (record,) = RunStore.read_only(game.folder).episodes()
    assert record.agent["hints"] == len(record.steps) > 1


def test_what_was_left_leaves_no_run(games: Games) -> None:
    game = games.begin("ibench/TrustGame-v1", TRUST, seed=3)
    game.say("quit")
    game.wait(PATIENCE)
    assert game.problem == "You left the game; it is not recorded."
    assert not game.folder.exists()
    with pytest.raises(ConfigError, match="the game is over"):
        game.say("cooperate")
    with pytest.raises(ConfigError, match="a hint is given when it is your turn"):
        game.hint()


def test_why_a_message_could_not_be_read_stands_beside_it(games: Games) -> None:
    game = games.begin("ibench/SituationPuzzle-v1", {}, seed=1)
    game.say("999", "ask")
    game.wait(PATIENCE)
    assert game.lines[1].text == "<ask>999</ask>"
    assert game.lines[1].reason is not None
    game.leave()


def test_no_more_games_than_some_are_under_way(games: Games) -> None:
    found = [games.begin("ibench/TrustGame-v1", TRUST) for _ in range(MOST)]
    with pytest.raises(ConfigError, match=f"{MOST} games are under way"):
        games.begin("ibench/TrustGame-v1", TRUST)
    found[0].leave()
    found[0].wait(PATIENCE)
    games.begin("ibench/TrustGame-v1", TRUST)
    assert len(games.under_way()) == MOST
    games.close()


def test_an_endless_message_is_refused_and_nothing_is_lost(games: Games) -> None:
    game: Game = games.begin("ibench/TrustGame-v1", TRUST)
    with pytest.raises(ConfigError, match="at most 200,000 characters"):
        game.say("x" * 200_001)
    assert game.turn is not None
    game.leave()


@pytest.mark.parametrize(
    ("text", "tag", "sent"),
    [
        ("7", "ask", "<ask>7</ask>"),
        ("<ask>7</ask>", "answer", "<ask>7</ask>"),
        ("<b>7</b>", "ask", "<ask><b>7</b></ask>"),
        ("", "ready", "<ready></ready>"),
        ("fold", "", "fold"),
        ("7", "script", "7"),
    ],
)
def test_a_button_puts_its_tag_around_a_message(text: str, tag: str, sent: str) -> None:
    assert worded(text, tag, ("ask", "answer", "ready")) == sent


def test_legal_actions_become_buttons_by_tag() -> None:
    assert menu_of(["<ask>1</ask>", "<ask>2</ask>", "<ready></ready>", "fold"]) == {
        "ask": [("1", "<ask>1</ask>"), ("2", "<ask>2</ask>")],
        "ready": [("ready", "<ready></ready>")],
        "": [("fold", "fold")],
    }
