"""What a server of OpenEnv does, without OpenEnv: episodes, tasks, faults, and the folder that is written."""

from __future__ import annotations

import ast
import importlib.util
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from interactive_envs import evaluate
from interactive_envs.cli.main import main
from interactive_envs.errors import ConfigError, JudgeError, UnknownNameError
from interactive_envs.training.llm.openenv import folder
from interactive_envs.training.llm.openenv.play import Play, Served
from interactive_envs.training.llm.rows import rows

PUZZLE, TRUST = "ibench/SituationPuzzle-v1", "ibench/TrustGame-v1"
SHORT = {"delta": 0.0, "matches": 2}


def test_the_same_seed_is_the_same_episode_and_rewards_are_those_of_a_run(tmp_path: Path) -> None:
    (record,) = evaluate((TRUST, SHORT), "trust/all-d", episodes=1, seed=5, out=tmp_path).episodes
    play = Play(Served((TRUST,), SHORT))
    begun = play.reset(record.seed)
    assert begun["messages"][-1] == {"role": "user", "content": record.steps[0].observation}
    assert begun["text"] == record.steps[0].observation
    assert begun == Play(Served((TRUST,), SHORT)).reset(record.seed)
    said = [play.step(step.action) for step in record.steps]
    assert [one["text"] for one in said] == [step.reply for step in record.steps]
    assert [one["reward"] for one in said] == [step.reward for step in record.steps]
    assert [one["done"] for one in said] == [False, True]
    assert said[-1]["outcome"] == record.outcome
    assert said[-1]["metrics"]["turns"] == play.turns == 2
    with pytest.raises(ConfigError, match="the episode is over"):
        play.step("<move>DEFECT</move>")
    play.close()


def test_tasks_are_rows_and_a_reset_by_task_is_its_episode() -> None:
    served = Served((PUZZLE, TRUST), tasks=4)
    listed = served.all_tasks("held-out")
    assert [task["id"] for task in listed] == [f"held-out-{index}" for index in range(4)]
    expected = rows((PUZZLE, TRUST), 4, 0, "held-out")
    play = Play(served)
    for index, (task, row) in enumerate(zip(listed, expected, strict=True)):
        assert (task["env_id"], task["seed"], task["case"]) == (row["env_id"], row["seed"], row["case"])
        begun = play.reset(split="held-out", index=index)
        assert (begun["env_id"], begun["seed"], begun["messages"]) == (row["env_id"], row["seed"], row["prompt"])
    assert not {task["seed"] for task in listed} & {task["seed"] for task in served.all_tasks("train")}
    play.close()


def test_what_cannot_be_reset_is_refused_with_the_remedy() -> None:
    play = Play(Served((TRUST,), tasks=2))
    with pytest.raises(ConfigError, match="no episode has begun; call reset first"):
        play.step("")
    assert (play.begun, play.turns) == (False, 0)
    with pytest.raises(UnknownNameError, match="unknown environment of this server"):
        play.reset(1, env_id=PUZZLE)
    with pytest.raises(ConfigError, match="give both"):
        play.reset(split="train")
    with pytest.raises(ConfigError, match="leave them out"):
        play.reset(1, split="train", index=0)
    with pytest.raises(UnknownNameError, match="unknown split 'test'"):
        play.reset(split="test", index=0)
    with pytest.raises(IndexError, match="train has the tasks 0 to 1, got 2"):
        play.reset(split="train", index=2)
    assert play.reset()["seed"] != play.reset()["seed"]
    with pytest.raises(ConfigError, match="name at least one environment"):
        Served(())
    with pytest.raises(ConfigError, match="did you mean"):
        Served(("ibench/TrustGam-v1",))


def test_a_fault_is_an_error_and_the_episode_has_no_reward(monkeypatch: pytest.MonkeyPatch) -> None:
    play = Play(Served((TRUST,), SHORT))
    play.reset(1)

    def fails(text: str) -> None:
        raise JudgeError("the judge is down")

    monkeypatch.setattr(play.dialogue.env, "step", fails)
    with pytest.raises(JudgeError):
        play.step("<move>DEFECT</move>")
    assert play.dialogue.reward is None


def test_the_folder_says_what_is_served(tmp_path: Path) -> None:
    out = tmp_path / "env"
    arguments = ["-k", "difficulty=2", "-k", "split=generated", "--tasks", "3"]
    result = CliRunner().invoke(main, ["openenv", "export", PUZZLE, *arguments, "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert "openenv validate" in result.output
    files = {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}
    assert files >= {"openenv.yaml", "pyproject.toml", "README.md", "client.py", "models.py", "server/app.py"}
    texts = {name: (out / name).read_text() for name in files}
    assert not [name for name, text in texts.items() if "__IDS__" in text or "__TASKS__" in text]
    for name in files:
        if name.endswith(".py"):
            ast.parse(texts[name])
    assert tomllib.loads(texts["pyproject.toml"])["project"]["scripts"]["server"] == "ibench.server.app:main"
    assert "range: [0.0, 1.0]" in texts["openenv.yaml"]
    assert "declared_task_count: {train: 3, held-out: 3}" in texts["openenv.yaml"]
    assert f'IDS = ["{PUZZLE}"]' in texts["server/app.py"]
    assert "ARGUMENTS = {'difficulty': 2, 'split': 'generated'}" in texts["server/app.py"]
    with pytest.raises(ConfigError, match="is not empty; choose another folder"):
        folder.write([PUZZLE], out)


def test_a_dense_reward_has_no_known_range(tmp_path: Path) -> None:
    folder.write([PUZZLE], tmp_path / "env", {"reward": "information"}, tasks=1)
    assert "range: [-1000000.0, 1000000.0]" in (tmp_path / "env" / "openenv.yaml").read_text()


def test_the_command_says_how_to_get_the_extra_where_it_is_missing() -> None:
    if importlib.util.find_spec("openenv"):
        pytest.skip("the extra openenv is installed")
    result = CliRunner().invoke(main, ["openenv", "serve", PUZZLE])
    assert result.exit_code == 2
    assert "pip install 'interactive-envs[openenv]'" in result.output
