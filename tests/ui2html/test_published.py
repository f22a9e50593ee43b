"""The published protocol as a preset, and the ablation over who writes the request and who judges."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from interactive_envs.cli.main import main
from interactive_envs.judges.base import Judge, JudgeRequest, Verdict
from interactive_envs.making import make
from interactive_envs.reporting.store import RunStore
from interactive_envs.ui2html.rules import DIMENSIONS
from interactive_envs.ui2html.summary import OwnSummarizer, Summary
from interactive_envs.ui2html.targets.sources import Target

pytestmark = pytest.mark.usefixtures("chromium")
PAGE = "<!DOCTYPE html><html><body><h1>One</h1></body></html>"
ASK = "<ask>Compared with the target, should I make the header darker?</ask>"
HERE = "tests.ui2html.test_published"


class Kind(Judge):
    """Says yes to every question, and gives 10 points in each dimension."""

    name = "kind"

    def judge(self, request: JudgeRequest) -> Verdict:
        if request.kind == "score":
            return Verdict("scored", scores=dict.fromkeys(DIMENSIONS, 10), source=self.name)
        return Verdict("yes", source=self.name)


class Terse(OwnSummarizer):
    """Names the target and nothing else."""

    def __call__(self, target: Target, omission: int) -> Summary:
        return Summary(f"A page like {target.id}.")


TERSE = Terse()


def test_the_preset_paper_takes_a_whole_page_and_a_question_of_the_published_form_in_each_of_20_rounds() -> None:
    env = make("ibench/UI2Html-v1", preset="paper", judge=Kind(), case="page-01", retries=0)
    first, info = env.reset(seed=1)
    assert 'Every question has the form "Compared with the target, should I …?"' in str(first)
    assert "formula" not in str(first)
    assert info["action_tags"] == ("ask",)
    assert all("<ask>Compared with the target" in example for example in info["action_examples"])
    assert "| formula" not in info["grammar"][""]
    assert info["rounds_left"] == 20
    heard = []
    said = (
        f"{PAGE}{ASK}",
        ASK,
        PAGE,
        f"{PAGE}<ask>Does the target have a table?</ask>",
        f"{PAGE}<ask>width(card 1) > mine</ask>",
        f"<answer>{PAGE}</answer>",
    )
    for text in said:
        observation, _, _, _, info = env.step(text)
        heard.append(str(observation))
    every = "Not read: Every round needs a complete HTML document and one question. It cost a round.\nRounds left: {}."
    form = 'Not read: Ask in the form "Compared with the target, should I …?". It cost a round.\nRounds left: {}.'
    last = "Not legal: The final page comes after the last round; send a page and a question. It cost a round."
    assert heard == [
        "Yes.\nRounds left: 19.",
        every.format(18),
        every.format(17),
        form.format(16),
        form.format(15),
        f"{last}\nRounds left: 14.",
    ]
    for _ in range(14):
        observation, *_ = env.step(f"{PAGE}{ASK}")
    assert str(observation).endswith("Send the final page now, from <!DOCTYPE html> to </html>, without a question.")
    _, reward, terminated, _, info = env.step(PAGE)
    env.close()
    assert (reward, terminated, info["turns"], info["score"]) == (0.5, True, 20, 50)
    assert info["scores"] == dict.fromkeys(DIMENSIONS, 10)
    assert sum(info["scores"].values()) == info["score"]


def test_arguments_beside_the_preset_win() -> None:
    env = make("ibench/UI2Html-v1", preset="paper", rounds=1, judge=Kind(), case="page-01")
    assert env.reset(seed=1)[1]["rounds_left"] == 1
    env.close()


def test_a_sweep_varies_the_author_of_the_request_and_the_judge_together(tmp_path: Path) -> None:
    authors, judges = ["offline", f"{HERE}:TERSE"], ["offline", f"{HERE}:Kind"]
    arguments = ["sweep", "ibench/UI2Html-v1", "--agent", "ui2html/template", "--out", str(tmp_path / "run")]
    arguments += ["-x", f"summarizer={json.dumps(authors)}", "-x", f"judge={json.dumps(judges)}", "--episodes", "1"]
    result = CliRunner().invoke(main, [*arguments, "--workers", "1"])
    assert result.exit_code == 0, result.output
    store = RunStore.read_only(tmp_path / "run")
    cells = [(cell.arguments["summarizer"], cell.judge) for cell in store.config.cells]
    assert cells == list(itertools.product(authors, judges))
    found = {cells[row.cell]: store.episode(row) for row in store.rows()}
    assert len(found) == 4
    for (author, judge), record in found.items():
        assert (record.game or {})["request"].startswith("A page like page-") == (author != "offline")
        assert (record.reward == 0.5) == (judge != "offline")
