"""An audit of a run: every invalid message has one pattern, and two other readers say what they would have played."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from interactive_envs import Agent, evaluate
from interactive_envs.cli.main import main
from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.audit import PATTERNS, Message, audit, loose, pattern_of, strict, taken
from interactive_envs.evaluation.results import Run

GAME = "ibench/Game-lane-levy-v1"
LEGAL = ("<move>put 1 on a</move>", "<move>put 2 on a</move>", "<move>put 1 on b</move>")


def message(text: str, *, valid: bool = False, illegal: bool = False, **changes: Any) -> Message:
    base: dict[str, Any] = {"player": "p", "env_id": GAME, "case": "deal 1", "epoch": 0, "number": 1}
    base |= {"reason": None, "finish_reason": None, "tags": ("move",), "legal": LEGAL}
    return Message(text=text, valid=valid, illegal=illegal, **(base | changes))


@pytest.mark.parametrize(
    ("text", "changes", "pattern"),
    [
        ("<timeout/>", {}, "too late"),
        (" \n", {}, "empty"),
        ("<think>put 1 on a</think>", {}, "thinking only"),
        ("<move>put 1", {"finish_reason": "length"}, "cut off"),
        ("<move>put 9 on a</move>", {"illegal": True}, "illegal action"),
        ("I'm sorry, I can't help with games.", {}, "refusal"),
        ("<move>put 1 on a</move> or <move>put 2 on a</move>", {}, "several actions"),
        ("<move>what now", {}, "unclosed tag"),
        ("<move>I say put 1 on a now</move>", {}, "extra text in the tag"),
        ("<move>left</move>", {}, "unread content"),
        ("<answer>put 1 on a</answer>", {}, "another tag"),
        ("```\nput 1 on a\n```", {}, "code fence"),
        ('Here: {"move": "put 1 on a"}', {}, "JSON"),
        ("I think put 1 on a is good.", {}, "prose that names an action"),
        ("What a game!", {}, "prose"),
    ],
)
def test_each_pattern_has_its_message(text: str, changes: dict[str, Any], pattern: str) -> None:
    assert pattern_of(message(text, **changes)).name == pattern


def test_every_pattern_is_among_the_examples_above() -> None:
    marks = test_each_pattern_has_its_message.pytestmark  # type: ignore[attr-defined]
    assert [case[2] for case in marks[0].args[1]] == [pattern.name for pattern in PATTERNS]


def test_the_strict_reader_wants_one_tag_and_nothing_else() -> None:
    assert strict(message("<think>Hm.</think><move>put 1 on a</move>", valid=True)) == "<move>put 1 on a</move>"
    assert strict(message("I play <move>put 1 on a</move>", valid=True)) is None
    assert strict(message("put 1 on a", valid=True)) is None
    assert strict(message("<ask>1</ask>", valid=True)) is None


def test_the_loose_reader_plays_the_last_action_that_is_named() -> None:
    assert loose(message("Not put 1 on a. PUT 2 ON A? <think>put 1 on b")) == LEGAL[2]
    assert loose(message("input 1 on anything")) is None
    assert loose(message("<timeout/>")) is None
    letters = ("<answer>A</answer>", "<answer>B</answer>")
    assert loose(message("Is it a or B? a!", legal=letters, tags=("answer",))) == letters[1]
    assert loose(message("<ask>is it so?", legal=(), tags=("ask",))) == "<ask>is it so?</ask>"
    assert loose(message("raise", legal=(), tags=("move",))) is None
    assert loose(message("raise", legal=(), tags=())) is None


def test_what_was_read_is_the_tag_or_the_whole_message() -> None:
    assert taken(message("Well. <MOVE>put  1 on a</MOVE>", valid=True)) == "<move>put 1 on a</move>"
    assert taken(message("put 1 on a", valid=True)) == "put 1 on a"
    assert taken(message("put 1 on a")) is None


class Ghost(Agent):
    """Gives a bad message before every move: an illegal one with another in prose, or prose alone; then a real one."""

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        self._acts = 0

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        self._acts += 1
        first = info["legal_actions"][0]
        body = first.removeprefix("<move>").removesuffix("</move>")
        if self._acts == 1:
            return f"<move>put 9 on q</move>\x1b[31m I could also {body}."
        if self._acts == 3:
            return f"Let me think. I could {body}."
        if self._acts == 2:
            return f"Instead of nothing\n{first}"
        return str(first)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return evaluate(GAME, Ghost, episodes=2, out=tmp_path_factory.mktemp("audit") / "run")


def test_a_run_is_grouped_counted_and_read_again(run: Run) -> None:
    found = audit(run.folder, examples=1)
    assert (found.episodes, found.unreadable, found.illegal, found.notes) == (2, 2, 2, ())
    assert found.messages == sum(len(record.steps) for record in run.episodes)
    assert {group.name: group.count for group in found.groups} == {"illegal action": 2, "prose that names an action": 2}
    for group in found.groups:
        assert (list(group.players.values()), group.environments) == ([2], {GAME: 2})
        assert len(group.examples) == 1
    by_name = {reader.name: reader for reader in found.readers}
    assert (by_name["strict"].refused, by_name["strict"].added, by_name["strict"].changed) == (2, 0, 0)
    assert (by_name["loose"].refused, by_name["loose"].added, by_name["loose"].changed) == (0, 4, 0)
    assert by_name["loose"].examples["added"][0]["read"] is None


def test_illegal_and_unreadable_are_told_apart_in_text_record_row_and_summary(run: Run) -> None:
    steps = run.episodes[0].steps
    assert [(step.kind, step.illegal) for step in steps[:4]] == [
        ("retry", True),
        ("move", False),
        ("retry", False),
        ("move", False),
    ]
    assert "Not legal: 'put 9 on q' is not one of the legal moves. Try again" in steps[0].reply
    assert "Not read: I found no action; write <move>…</move>. Try again" in steps[2].reply
    assert [(row["invalid"], row["illegal"]) for row in run.to_rows()] == [(2, 1), (2, 1)]
    (cell,) = run.summary["cells"]
    assert 0 < cell["illegal_share"]["value"] < cell["invalid_share"]["value"]
    lines = [json.loads(line) for line in (run.folder / "episodes.jsonl").read_text().splitlines()]
    assert [step["illegal"] for step in lines[0]["steps"] if "illegal" in step] == [True]


def test_the_command_prints_tables_with_examples_that_cannot_move_the_cursor(run: Run) -> None:
    result = CliRunner().invoke(main, ["audit", str(run.folder), "--examples", "1"])
    assert result.exit_code == 0, result.output
    assert "4 were no actions" in result.output
    assert "2 unreadable and 2 illegal" in result.output
    assert "\x1b" not in result.output
    assert "A loose reader (the last legal action named anywhere) would have refused 0" in result.output
    result = CliRunner().invoke(main, ["audit", str(run.folder), "--json", "--examples", "0"])
    content = json.loads(result.stdout)
    assert content["groups"][0]["examples"] == []
    assert content == run.audit(examples=0).to_json() | {"groups": content["groups"], "readers": content["readers"]}


def test_what_cannot_be_audited_is_said_in_a_sentence(run: Run, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="examples must be a whole number from 0 to 100, got -1"):
        audit(run.folder, examples=-1)
    result = CliRunner().invoke(main, ["audit", str(tmp_path)])
    assert result.exit_code != 0
