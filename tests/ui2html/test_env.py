"""Whole episodes in a real browser, word for word, with a judge that answers at once."""

from __future__ import annotations

import base64
import json
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from gymnasium.utils.env_checker import check_env

from interactive_envs.agent import Agent
from interactive_envs.errors import ConfigError, JudgeError, MissingExtraError, UnknownNameError
from interactive_envs.evaluation.run import episode, replay
from interactive_envs.judges.base import Judge, JudgeRequest, Verdict
from interactive_envs.reporting.records import Cell, EpisodeRecord
from interactive_envs.ui2html.env import UI2HtmlEnv
from interactive_envs.ui2html.rendering import browser, drawing
from interactive_envs.ui2html.rules import DIMENSIONS
from interactive_envs.wrappers.noise import IntraGameNoise

pytestmark = pytest.mark.usefixtures("chromium")
PAGE = "<!DOCTYPE html><html><body><h1>One</h1></body></html>"
OTHER = "<!DOCTYPE html><html><body><h1>Two</h1></body></html>"
TOO_MANY = f"<html><body>{'<b></b>' * 6000}</body></html>"
SCORES = dict(zip(DIMENSIONS, (10, 9, 8, 7, 6), strict=True))


class Told(Judge):
    """Says yes to questions that hold a y, scores by a fixed table, and keeps what it was asked."""

    name = "told"

    def __init__(self) -> None:
        self.asked: list[JudgeRequest] = []

    def judge(self, request: JudgeRequest) -> Verdict:
        self.asked.append(request)
        if request.kind == "score":
            return Verdict("scored", scores=SCORES, source=self.name)
        return Verdict("yes" if "y" in request.text else "no", source=self.name)


class Says(Agent):
    """Says one text after another."""

    def __init__(self, *texts: str) -> None:
        self._texts = iter(texts)

    def act(self, observation: str, info: Any) -> str:
        return next(self._texts)


Build = Callable[..., UI2HtmlEnv]


@pytest.fixture
def build() -> Iterator[Build]:
    made: list[UI2HtmlEnv] = []

    def make(**arguments: Any) -> UI2HtmlEnv:
        made.append(UI2HtmlEnv(**({"judge": Told(), "case": "page-01"} | arguments)))
        return made[-1]

    yield make
    for env in made:
        env.close()


def play(env: UI2HtmlEnv, *actions: str) -> tuple[list[str], float, dict[str, Any]]:
    """What was said back, the return, and the last info."""
    _, info = env.reset(seed=3)
    heard, total = [], 0.0
    for action in actions:
        observation, reward, terminated, truncated, info = env.step(action)
        assert not truncated
        assert terminated == ("outcome" in info)
        heard.append(str(observation))
        total += reward
    return heard, total, info


def test_an_episode_word_for_word(build: Build) -> None:
    env = build(rounds=3)
    heard, total, info = play(
        env, f"{PAGE}<ask>Is it yellow?</ask>", f"{OTHER}", "<ask>Is it red?</ask>", f"```html\n{PAGE}\n```"
    )
    assert heard == [
        "Yes.\nRounds left: 2.",
        "Your page was received without a question. To ask one, write <ask>…</ask>.\nRounds left: 1.",
        "No.\nNo rounds left. Send the final page now, from <!DOCTYPE html> to </html>, without a question.",
        "Finished. Score: 40 of 100 (layout 10, component 9, style 8, text 7, polish 6).\nThe episode is over.",
    ]
    assert total == 0.4
    ends = {name: info[name] for name in ("outcome", "turns", "scores", "score", "case", "won_by")}
    assert ends == {
        "outcome": "scored", "turns": 3, "scores": SCORES, "score": 40, "case": "page-01", "won_by": None
    }  # fmt: skip
    assert [request.context["page"] for request in env.judge.asked] == [PAGE, OTHER, PAGE]  # type: ignore[attr-defined]


def test_an_answer_ends_the_episode_early(build: Build) -> None:
    env = build()
    heard, total, info = play(env, f"{PAGE}<ask>Is it red?</ask>", "<answer></answer>")
    assert heard[-1].startswith("Finished.")
    assert (total, info["turns"], env.record()) == (
        0.4, 1, {"request": env.view().shown.request, "pages": 1, "scores": SCORES}
    )  # fmt: skip


def test_no_rounds_asks_for_the_final_page_only(build: Build) -> None:
    for arguments in ({"rounds": 0}, {"no_interaction": True}):
        env = build(**arguments)
        observation, info = env.reset(seed=3)
        assert "You cannot ask questions." in observation
        assert (info["action_tags"], info["rounds_left"]) == (("answer",), 0)
        heard, total, info = play(env, PAGE)
        assert (heard[-1][:9], total, info["turns"]) == ("Finished.", 0.4, 0)


def test_one_round_is_the_single_round_baseline(build: Build) -> None:
    _, total, info = play(build(rounds=1), f"{PAGE}<ask>Is it red?</ask>", OTHER)
    assert (total, info["turns"]) == (0.4, 1)


def test_a_page_that_breaks_a_limit_is_an_unreadable_message(build: Build) -> None:
    heard, _, info = play(build(rounds=2, retries=1), f"{TOO_MANY}<ask>Is it red?</ask>", TOO_MANY)
    why = "Not read: The page cannot be drawn: it has too many elements."
    assert heard == [
        f"{why} Try again; this one is free.\nRounds left: 2.", f"{why} It cost a round.\nRounds left: 1."
    ]  # fmt: skip
    assert (info["valid"], info["kind"]) == (False, "invalid")


def test_the_last_page_stands_in_for_a_final_one_that_cannot_be_read(build: Build) -> None:
    env = build(rounds=1, retries=1)
    heard, total, info = play(env, f"{PAGE}<ask>Is it red?</ask>", "No page.", "<html>cut off")
    assert heard[1].startswith("Not read: I found no HTML document")
    assert "Try again" in heard[1]
    assert heard[2].startswith(
        "Not read: The HTML document has no end: it must close with </html>. Your last page is scored."
    )
    assert (total, info["outcome"], info["valid"]) == (0.4, "scored", False)
    assert env.judge.asked[-1].context["page"] == PAGE  # type: ignore[attr-defined]


def test_without_any_page_the_end_is_a_format_error(build: Build) -> None:
    _, total, info = play(build(rounds=1, retries=0), "Hm.", "Hm.")
    assert (total, info["outcome"], info["score"]) == (0.0, "format_error", 0)
    assert "scores" not in info  # absent, not None


def test_strict_ends_with_the_first_unreadable_message(build: Build) -> None:
    _, total, info = play(build(strict=True), f"{PAGE}<ask>Is it red?</ask>", "Hm.")
    assert (total, info["outcome"]) == (0.0, "format_error")


def test_a_failing_browser_is_a_fault_and_no_play(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    env = build()
    env.reset(seed=3)
    before = env.view()

    def fail(html: str) -> Any:
        raise browser.FaultError("the browser failed: gone")

    monkeypatch.setattr(drawing, "drawn", fail)
    with pytest.raises(browser.FaultError):
        env.step(f"{PAGE}<ask>Is it red?</ask>")
    assert env.view() == before


def test_a_verdict_without_scores_leaves_the_action_pending(build: Build) -> None:
    env = build()
    env.reset(seed=3)
    request = env.submit(f"<answer>{PAGE}</answer>")
    assert request is not None
    with pytest.raises(JudgeError):
        env.resolve(Verdict("scored"))
    assert env.resolve(Verdict("scored", scores=SCORES))[1] == 0.4


def test_the_drawn_page_is_shown_to_players_that_can_see(build: Build) -> None:
    env = build(show_render=True)
    _, info = env.reset(seed=3)
    assert "parts" not in info
    observation, _, _, _, info = env.step(f"{PAGE}<ask>Is it red?</ask>")
    text, image = info["parts"]
    assert text == {"type": "text", "text": str(observation)}
    head, _, data = image["image_url"]["url"].partition(",")
    assert (head, base64.b64decode(data)) == ("data:image/png;base64", drawing.drawn(PAGE).png)
    assert "parts" not in env.step("<ask>Is it red?</ask>")[-1]
    assert "parts" not in play(build(), f"{PAGE}<ask>Is it red?</ask>")[-1]


def test_a_record_replays_with_its_verdicts(build: Build) -> None:
    env = build(rounds=2)
    cell = Cell("ibench/UI2Html-v1", {"rounds": 2, "case": "page-01"}, "random")
    agent = Says(f"{PAGE}<ask>Is it yellow?</ask>", f"{OTHER}", "Hm.", "Hm.")
    played = episode.play_episode(env, agent, episode.Job(0, cell, "page-01", 0, 0, 7))
    record = json.loads(json.dumps(played.to_json()))
    assert (record["outcome"], record["reward"], record["game"]["scores"]) == ("scored", 0.4, SCORES)
    assert replay.mismatch(EpisodeRecord.from_json(record)) is None
    record["steps"][0]["verdict"]["label"] = "no"
    assert "reply" in (replay.mismatch(EpisodeRecord.from_json(record)) or "")


def test_official_checker_and_pickling(build: Build) -> None:
    env = build(rounds=1)
    check_env(gym.make("interactive_envs:ibench/UI2Html-v1", rounds=1, judge=Told()).unwrapped, skip_render_check=True)
    env.reset(seed=3)
    env.step(f"{PAGE}<ask>Is it red?</ask>")
    copied = pickle.loads(pickle.dumps(env))
    assert copied.view() == env.view()
    assert copied.step(OTHER)[:3] == env.step(OTHER)[:3]


def test_a_users_pages_and_pictures(build: Build, tmp_path: Path) -> None:
    (tmp_path / "shot.png").write_bytes(drawing.drawn(PAGE).png)
    (tmp_path / "tea.html").write_text("<html><body><h1>Tea house</h1><p>Open daily from ten</p></body></html>")
    (tmp_path / "tea.txt").write_text("Build me a page for tea.")
    env = build(targets=str(tmp_path), case=None)
    assert env.cases == ("shot.png", "tea.html")
    observation, _ = env.reset(seed=1, options={"case": "tea.html"})
    assert "Build me a page for tea." in observation
    assert env.secrets() == ["Open daily from ten"]
    _, total, _info = play(env, f"<answer>{PAGE}</answer>")
    assert total == 0.4
    observation, _ = env.reset(seed=1, options={"case": "shot.png"})
    env.step(f"<answer>{PAGE}</answer>")
    assert list(env.judge.asked[-1].context["target"]) == ["png"]  # type: ignore[attr-defined]


def test_a_target_that_cannot_be_drawn_is_named(build: Build, tmp_path: Path) -> None:
    (tmp_path / "many.html").write_text(TOO_MANY)
    env = build(targets=str(tmp_path), case=None)
    with pytest.raises(ConfigError, match=r"many\.html.*too many elements"):
        env.reset(seed=1)


def test_a_target_may_be_larger_than_a_players_page(build: Build, tmp_path: Path) -> None:
    style = "".join(f".c{number} {{ color: red; margin: 0 }}" for number in range(9_000))
    page = f"<html><head><style>{style}</style></head><body><h1>Tea house</h1></body></html>"
    assert 200_000 < len(page) < 300_000
    (tmp_path / "tea.html").write_text(page)
    env = build(targets=str(tmp_path), case=None, retries=0)
    heard, _, info = play(env, page[:240_000] + "</style></html>", f"<answer>{PAGE}</answer>")
    assert heard[0].startswith("Not read: The page cannot be drawn: it is too large.")
    assert info["outcome"] == "scored"
    assert env.judge.asked[-1].context["target"] == {"html": page}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"rounds": -1}, "rounds must be"),
        ({"rounds": True}, "rounds must be"),
        ({"omission": 4}, "omission must be"),
        ({"show_render": 1}, "show_render must be"),
        ({"split": "owned"}, "did you mean 'own'"),
        ({"difficulty": 6}, "difficulty must be"),
        ({"targets": "/nowhere", "case": None}, "do not exist"),
        ({"targets": ".", "split": "generated", "case": None}, "leave both out"),
        ({"summarizer": "online"}, "summarizer"),
        ({"case": "page-51"}, "unknown case"),
    ],
)
def test_arguments_that_cannot_work_are_named(build: Build, arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        build(**arguments)


def test_a_generated_case_can_be_named(build: Build) -> None:
    env = build(split="generated", case="generated-3-77")
    env.reset(seed=1)
    assert env.case_id == "generated-3-77"
    with pytest.raises(UnknownNameError):
        build(split="generated", case="generated-7").reset(seed=1)


def test_probes_are_refused(build: Build) -> None:
    with pytest.raises(ConfigError, match="noise"):
        build(probes=[IntraGameNoise()])


def test_without_a_browser_making_says_how_to_install_one(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IBENCH_CHROMIUM", "no-such-program")
    with pytest.raises(ConfigError, match="IBENCH_CHROMIUM"):
        build()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"interactive-envs\[ui\]"):
        build()


WITHOUT_PILLOW = """
import sys
sys.modules["PIL"] = None
import gymnasium, interactive_envs
from interactive_envs import errors
from interactive_envs.cli.main import main
try:
    gymnasium.make("ibench/UI2Html-v1")
except errors.MissingExtraError as error:
    print(error)
for words in (["info", "ibench/UI2Html-v1"], ["run", "ibench/UI2Html-v1", "--agent", "ui2html/blank"]):
    sys.argv = ["ibench", *words]
    try:
        main()
    except SystemExit as end:
        print(end.code)
"""


def test_without_pillow_there_is_one_line_with_the_remedy(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_PILLOW], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    remedy = "UI2Html needs an extra that is not installed: pip install 'interactive-envs[ui]'"
    said, *codes = done.stdout.splitlines()
    assert said == remedy
    assert codes == ["2", "2"]
    assert [line.startswith(f"ibench: {remedy}") for line in done.stderr.splitlines()] == [True, True], done.stderr
    assert list(tmp_path.iterdir()) == []
