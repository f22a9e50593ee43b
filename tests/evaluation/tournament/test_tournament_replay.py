"""Matches are played again from their records, and whatever was changed in one is found."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from interactive_envs.cli.main import main
from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.replay import replayer
from interactive_envs.evaluation.tournament import play as tournament
from interactive_envs.evaluation.tournament.play import Player, Tournament
from interactive_envs.reporting.matches import MatchRecord

TRUST, HOLDEM, GAME = "ibench/TrustGame-v1", "ibench/Holdem-v1", "ibench/Game-sum-shy-v1"


def setup(env_id: str, *specs: str, **changes: Any) -> Tournament:
    players = tuple(Player(f"{number} {spec}", spec) for number, spec in enumerate(specs))
    given: dict[str, Any] = {"format": "round-robin", "repeats": 2, "seed": 3} | changes
    return Tournament(env_id, players, **given)


def poker(**changes: Any) -> Tournament:
    changes = {"format": "tables", "hands": 4, "repeats": 1, "arguments": {"players": 3, "stack": 600}} | changes
    return setup(HOLDEM, "all-in", "call-station", "random", **changes)


def problems(folder: Path) -> list[str]:
    return [replay.problem for replay in replayer(folder).replays if replay.problem]


def change(folder: Path, number: int, how: Callable[[dict[str, Any]], object]) -> None:
    """Change a record as a stranger would."""
    path = folder / "matches.jsonl"
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    how(records[number])
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


@pytest.mark.parametrize(
    ("setting", "count"),
    [
        (setup(TRUST, "coin?p=0.5", "random", "tft", sweep={"delta": (0.5, 0.8)}, self_play=True), 36),
        (setup(TRUST, "tests.evaluation.tournament.test_tournament:Mumbling", "tft"), 4),
        (poker(duplicate=True), 12),
        (poker(carry=True, hands=8), 8),
        (setup(GAME, "random", "random", arguments={"preset": "paper"}), 4),
    ],
    ids=["trust", "unreadable", "duplicate", "carried", "generated"],
)
def test_matches_replay_exactly(setting: Tournament, count: int, tmp_path: Path) -> None:
    tournament.run(setting, tmp_path)
    again = replayer(tmp_path)
    assert again.nouns == "matches"
    found = list(again.replays)
    assert len(found) == count
    assert [(replay.name, replay.problem) for replay in found if replay.problem] == []


def say(text: str) -> Callable[[dict[str, Any]], None]:
    def changed(record: dict[str, Any]) -> None:
        record["texts"][0]["text"] = text

    return changed


@pytest.mark.parametrize(
    ("how", "problem"),
    [
        (say("DEFECT"), r"text \d+: the|at the end: "),
        (say("I will not."), "text 1: the kind was 'move', now 'retry'"),
        (lambda record: record["texts"][0].update(text=["COOPERATE"]), "text 1: it is no text but"),
        (lambda record: record["texts"][0].update(seat=1), "text 1: the seat was 1, now 0"),
        (lambda record: record["texts"][0].update(reason="Hm."), "text 1: the reason was 'Hm.', now None"),
        (lambda record: record["texts"].pop(), "the match was over, now seat 1 is to move"),
        (lambda record: record["texts"].append(record["texts"][-1]), "the match was over before it"),
        (lambda record: record["scores"].__setitem__(0, 99.0), r"at the end: scores\[0\] was 99.0, now"),
        (lambda record: record["outcomes"].__setitem__(1, "forfeit"), r"at the end: outcomes\[1\] was \"forfeit\""),
        (lambda record: record["game"].update(horizon=99), "at the end: game.horizon was 99, now"),
        (lambda record: record["options"].update(rounds=3), "the options were {'rounds': 3}, now {}"),
        (lambda record: record["agents"][0].update(spec="grim"), "the players were"),
        (lambda record: record.update(luck={"adjusted": [1, 2]}), "at the end: luck was"),
    ],
)
def test_what_was_changed_in_a_match_is_found(
    how: Callable[[dict[str, Any]], object], problem: str, tmp_path: Path
) -> None:
    tournament.run(setup(TRUST, "tft", "all-c"), tmp_path)
    change(tmp_path, 1, how)
    (found,) = problems(tmp_path)
    assert re.search(problem, found), found


def test_changed_cards_chips_and_luck_are_found(tmp_path: Path) -> None:
    tournament.run(poker(carry=True, hands=6), tmp_path)
    changes: list[Callable[[dict[str, Any]], object]] = [
        lambda record: record["options"]["stacks"].__setitem__(0, 1),
        lambda record: record["options"].update(button=(record["options"]["button"] + 1) % 3),
        lambda record: record["game"]["hands"][0]["deck"].reverse(),
        lambda record: record["luck"]["adjusted"].__setitem__(0, 1e6),
    ]
    for number, how in enumerate(changes, 1):
        change(tmp_path, number, how)
    for problem, part in zip(problems(tmp_path), ("stacks", "button", "deck", "luck.adjusted"), strict=True):
        assert part in problem


def test_a_tournament_with_other_data_is_refused(tmp_path: Path) -> None:
    tournament.run(setup(GAME, "random", "random", repeats=1), tmp_path)
    path = tmp_path / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    for content in config["content"]:
        content["data_sha256"] = "0" * 64
    path.write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(ConfigError, match="played with other data"):
        problems(tmp_path)


def test_the_same_command_replays_episodes_and_matches(tmp_path: Path) -> None:
    tournament.run(setup(TRUST, "tft", "all-c"), tmp_path)
    runner = CliRunner()
    result = runner.invoke(main, ["replay", str(tmp_path)])
    assert (result.exit_code, result.stdout) == (0, "4 of 4 matches replay exactly.\n")
    assert runner.invoke(main, ["replay", str(tmp_path), "--case", "r0-p0x1"]).stdout.startswith("1 of 1 matches")
    change(tmp_path, 0, say("DEFECT"))
    result = runner.invoke(main, ["replay", str(tmp_path)])
    assert result.exit_code == 1
    assert "3 of 4 matches replay exactly." in result.stdout


def test_a_record_read_and_written_again_is_the_same_to_the_byte() -> None:
    """Lines of the first release: one of a trust match, one of a hand with its luck; and the same with a call."""
    for line in RECORDS.read_text(encoding="utf-8").splitlines():
        content = json.loads(line)
        assert written(MatchRecord.from_json(content).to_json()) == line
        content["texts"][0]["calls"] = [CALL]
        assert written(MatchRecord.from_json(content).to_json()) == written(content)


def written(content: dict[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


RECORDS = Path(__file__).parent / "data" / "matches.jsonl"
CALL = {
    "model": "made-up",
    "messages": [{"role": "user", "content": "?"}],
    "messages_before": 0,
    "text": "fold",
    "finish_reason": "stop",
    "usage": {"prompt": 5, "completion": 2, "reasoning": 0, "cached": 0},
    "cost": None,
    "latency": 0.5,
    "model_version": None,
    "refused_parameters": [],
    "attempts": 1,
    "from_cache": False,
}
