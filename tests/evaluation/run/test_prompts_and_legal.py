"""Prompts of a language model as an axis, and games with and without a list of the legal moves, on the same deals."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from click.testing import CliRunner

import interactive_envs  # noqa: F401 - registers the ids
from interactive_envs import Agent, evaluate
from interactive_envs.agents.human import help_text
from interactive_envs.agents.llm import PROMPTS, LLMAgent
from interactive_envs.cli.main import main
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.making import make, make_aec
from tests.loopback import Loopback

GAME = "ibench/Game-lane-levy-v1"
HOLDEM = "ibench/Holdem-v1"


def reply(messages: Sequence[Any]) -> str:
    """Plays well only with the terse prompt: then the first legal move, else prose."""
    if "nothing else" not in messages[0]["content"]:
        return "I would think about it."
    legal = re.findall(r"Legal moves: ([^,\n]+)", messages[-1]["content"])
    return f"<move>{legal[-1]}</move>"


def test_prompts_are_an_axis_whose_variants_are_compared_case_by_case(tmp_path: Path) -> None:
    own = tmp_path / "mine.txt"
    own.write_text("Play as you like.\n")
    with Loopback(reply) as server:
        player = f"me=llm:openai/fake?base_url={server.url}&cache=false"
        run = evaluate(GAME, player, axes={"prompt": ["default", "terse", str(own)]}, episodes=3, out=tmp_path / "run")
    assert [cell.axes for cell in run.config.cells] == [
        {"agent.prompt": "default"},
        {"agent.prompt": "terse"},
        {"agent.prompt": str(own)},
    ]
    assert [cell.player for cell in run.config.cells] == [
        "me (prompt=default)",
        "me (prompt=terse)",
        f"me (prompt={own})",
    ]
    prompts = [run.episodes[place].agent for place in (0, 3, 6)]
    assert [prompt.get("prompt") for prompt in prompts] == [None, "terse-v1", None]
    assert prompts[2]["prompt_sha256"] == hashlib.sha256(b"Play as you like.").hexdigest()
    assert len({prompt["prompt_sha256"] for prompt in prompts}) == 3
    outcomes = [{episode.outcome for episode in run.episodes[at : at + 3]} for at in (0, 3, 6)]
    assert outcomes[0] == outcomes[2] == {"forfeit"}
    assert "forfeit" not in outcomes[1]
    found = {(one["left"], one["right"]): one for one in run.summary["differences"]}
    assert set(found) == {(0, 1), (0, 2), (1, 2)}
    wins = [run.summary["cells"][place]["accuracy"]["value"] for place in range(3)]
    assert found[0, 1]["value"] == pytest.approx(wins[0] - wins[1])
    assert found[0, 2]["value"] == 0
    page = run.report().read_text()
    assert "prompt" in page
    assert "terse" in page
    assert "legal=&#34;listed&#34; (the default)" in page


def test_every_variant_is_a_text_of_its_own_and_an_unknown_one_is_named_with_the_known() -> None:
    options: dict[str, Any] = {"base_url": "http://127.0.0.1:9"}
    texts = {name: LLMAgent("openai/x", prompt=name, **options).system_prompt for name in ("default", *PROMPTS)}
    assert texts["default"] == LLMAgent("openai/x", **options).system_prompt
    assert len(set(texts.values())) == len(texts) >= 3
    with pytest.raises(ConfigError, match=r"prompt 'ters' cannot be read: .*variant \(default, terse, stepwise\)"):
        LLMAgent("openai/x", prompt="ters", **options)


def test_one_axis_has_one_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="the axes prompt and agent"):
        evaluate(GAME, "local", axes={"prompt": ["terse"], "agent.prompt": ["default"]}, out=tmp_path / "run")


def test_the_command_line_takes_words_without_quotes(tmp_path: Path) -> None:
    arguments = ["sweep", GAME, "--agent", "random", "-x", "legal=[listed,hidden]", "--episodes", "1"]
    result = CliRunner().invoke(main, [*arguments, "--out", str(tmp_path / "run")])
    assert result.exit_code == 0, result.output
    result = CliRunner().invoke(main, ["sweep", GAME, "--agent", "random", "-x", "legal=[]"])
    assert "is not NAME=JSON_LIST" in result.output


class First(Agent):
    """Plays the first legal action, which programs may know."""

    def act(self, observation: str, info: Any) -> str:
        return str(info["legal_actions"][0])


def test_hidden_moves_are_played_on_the_same_deals_and_only_the_text_differs(tmp_path: Path) -> None:
    run = evaluate(GAME, First, axes={"legal": ["listed", "hidden"]}, episodes=2, out=tmp_path / "run")
    listed, hidden = run.episodes[:2], run.episodes[2:]
    for one, other in zip(listed, hidden, strict=True):
        assert one.seed == other.seed
        assert [step.action for step in one.steps] == [step.action for step in other.steps]
        assert (one.env.arguments["legal"], other.env.arguments["legal"]) == ("listed", "hidden")
        assert all("Legal moves: " in step.observation for step in one.steps)
        assert not any("Legal moves: " in step.observation for step in other.steps)


def test_a_hidden_game_names_the_actions_and_the_form_and_programs_keep_the_list() -> None:
    env = gym.make(GAME, legal="hidden")
    text, info = env.reset(seed=0)
    assert "# Actions of Lane Levy" in text
    assert "Answer <move>…</move> with the name of a legal move. The legal moves are not listed" in text
    assert "Legal moves: " not in text + env.unwrapped.view_text()
    assert info["legal"] == "hidden"
    assert "<move>put 3 on d</move>" in info["legal_actions"]
    assert "put 3 on d" not in help_text(info)
    text, *_, info = env.step("<move>put 9 on d</move>")
    assert text.startswith(
        "Not legal: 'put 9 on d' is not a legal move now; the rules say which are. Try again; if that fails too, "
    )
    assert (info["illegal"], info["valid"], info["kind"]) == (True, False, "retry")
    env.reset(seed=0)
    text, *_, info = env.step("put 9 on d")  # in the form of a move, without its tag
    assert info["illegal"]
    env.reset(seed=0)
    text, *_, info = env.step("What a game!")
    assert text.startswith("Not read: I found no action; write <move>…</move>. Try again; ")
    assert not info["illegal"]
    numbers = gym.make(GAME, legal="hidden", answers="number").reset(seed=0)[0]
    assert "Answer <move>N</move> with the number of a legal move." in numbers
    numeric = make(GAME, legal="hidden", view="numeric")
    assert numeric.reset(seed=0)[1]["action_mask"].sum() == len(info["legal_actions"])
    aec = make_aec(GAME, legal="hidden")
    aec.reset(seed=0)
    assert "Legal moves: " not in aec.observe(aec.agent_selection)


def test_a_small_model_is_not_held_to_a_list_that_is_hidden() -> None:
    agent = LLMAgent("openai/x", constrain=True, base_url="http://127.0.0.1:9")
    info = {"legal_actions": ["<move>a</move>"], "action_tags": ("move",)}
    shown, hidden = agent._constraint(info), agent._constraint(info | {"legal": "hidden"})  # noqa: SLF001
    assert shown is not None
    assert shown.choices == ("<move>a</move>",)
    assert hidden is not None
    assert not hidden.choices
    assert "a</move>" not in str(hidden.grammar).replace('.</move>"', "")


def test_hidden_holdem_says_neither_what_may_be_done_nor_how_much_may_be_bet() -> None:
    env = gym.make(HOLDEM, players=2, match=1, legal="hidden")
    text, _ = env.reset(seed=0, options={"button": 0})
    assert "No turn says what you may do: a bet is at least the big blind" in text
    assert text.endswith("You are to act. To call: 50 (pot odds 0.250).")
    text, *_, info = env.step("raise to 101")
    assert "Not legal: That amount is not allowed: a bet is at least the big blind" in text
    assert "200" not in text
    assert info["illegal"]
    env.reset(seed=0, options={"button": 0})
    text, *_, info = env.step("raise")
    assert "Not read: A raise needs an amount: your total for this street. Try again" in text
    assert not info["illegal"]


def test_listed_holdem_tells_an_illegal_amount_from_a_missing_one() -> None:
    env = gym.make(HOLDEM, players=2, match=1)
    env.reset(seed=0, options={"button": 0})
    text, *_ = env.step("raise to 101")
    assert "Not legal: That amount is not allowed: your total for this street, from 200 to 10000." in text


@pytest.mark.parametrize("env_id", [GAME, HOLDEM])
def test_another_word_than_listed_or_hidden_is_refused(env_id: str) -> None:
    with pytest.raises(UnknownNameError, match="legal"):
        gym.make(env_id, legal="hiden")


def test_a_dialogue_tells_a_question_that_may_not_be_asked_from_one_that_cannot_be_read() -> None:
    env = gym.make("ibench/SituationPuzzle-v1")
    env.reset(seed=0)
    text, *_, info = env.step("<ask>99</ask>")
    assert text.startswith("Not legal: There is no question 99; they are 1 to ")
    assert (info["illegal"], info["kind"]) == (True, "invalid")
    text, *_, info = env.step("What?")
    assert text.startswith("Not read: I found no action")
    assert not info["illegal"]
