"""The adapter for TRL: rows found in prompts, masks that are watched, one message where TRL is missing.

What needs TRL itself runs in an environment of its own: with_trl.py.
"""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from interactive_envs.errors import ConfigError, JudgeError, MissingExtraError
from interactive_envs.training.llm import trl
from interactive_envs.training.llm.dialogue import UNFINISHED, Dialogue
from interactive_envs.training.llm.rollout import Rollout
from interactive_envs.training.llm.rows import rows
from tests.environments import environment, run_tests
from tests.training.llm.tokens import chatml

PUZZLE = "ibench/SituationPuzzle-v1"
QUERY = "ibench/Query-set-deductive-few-total-by-count-v1"


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Any:
    """TRL as far as its version goes."""
    version = importlib.metadata.version
    found = {"trl": trl.TESTED}
    monkeypatch.setattr(importlib.metadata, "version", lambda name: found.get(name) or version(name))
    return found


class Trainer:
    """Of a GRPOTrainer what the adapter touches: it writes from a script, and its loss is the mask's sum."""

    def __init__(self, script: Sequence[str], *, room: int = 2000, window: int | None = None) -> None:
        self.processing_class = chatml()
        self.model = SimpleNamespace(config=SimpleNamespace(max_position_embeddings=window), training=True)
        self.eos_token_ids = [self.processing_class.eos_token_id]
        self.max_completion_length = room
        self.asked: list[list[list[int]]] = []
        self.logprobs = False
        self._script = list(script)
        self._metrics: dict[str, list[float]] = {"train": []}

    def _generate_single_turn(self, ids: list[list[int]], images: None, fields: Any, num_generations: int) -> Any:
        assert num_generations == 1
        turn = self._script[len(self.asked)]
        self.asked.append(ids)
        end = self.processing_class.eos_token_id or 0
        written = [[*self.processing_class.encode(turn, add_special_tokens=False), end] for _ in ids]
        return written, [[-0.5] * len(one) for one in written] if self.logprobs else None

    @property
    def losses(self) -> dict[str, list[float]]:
        return self._metrics

    def compute_loss(self, model: Any, inputs: Any) -> float:
        loss = float((inputs["tool_mask"] * inputs["completion_mask"]).sum() * inputs["advantages"].sum())
        self._metrics["train"].append(loss)
        return loss


def prompts(env_id: str, n: int, **arguments: Any) -> list[Any]:
    return [trl.with_row(row)["prompt"] for row in rows(env_id, n, **arguments)]


def test_a_prompt_says_which_episode_it_opens_even_where_prompts_are_equal() -> None:
    chosen = rows(QUERY, 3, difficulty=1)
    assert chosen[0]["prompt"] == chosen[1]["prompt"]
    found = [trl.row_of(trl.with_row(row)["prompt"]) for row in chosen]
    assert [row["seed"] for row in found] == [row["seed"] for row in chosen]
    assert {**found[0], "prompt": chosen[0]["prompt"]} == chosen[0]
    assert trl.with_row(chosen[0])["environment"] == QUERY
    assert "episode" not in trl.with_row(chosen[0], "tools")["prompt"][-1]
    assert "episode" not in chosen[0]["prompt"][-1], "the row itself stays as it is"


@pytest.mark.parametrize("prompt", ["Guess.", [], [{"role": "user", "content": "Guess."}], [{"episode": None}]])
def test_a_prompt_of_another_data_set_is_refused(prompt: Any) -> None:
    with pytest.raises(ConfigError, match="a prompt does not say which episode it opens"):
        trl.row_of(prompt)


def test_a_batch_is_played_side_by_side_and_a_turn_is_one_call(installed: Any) -> None:
    trainer = Trainer(["<query_count>1 3</query_count>", "<answer>1</answer>"])
    made = trl.PlainText()(prompts(QUERY, 3, difficulty=1) * 2, trainer)
    assert [len(ids) for ids in trainer.asked] == [6, 6]
    assert made["prompt_ids"] == trainer.asked[0]
    assert set(made["outcome"]) <= {"success", "wrong", "failure"}
    assert made["paid"] == [float(outcome == "success") for outcome in made["outcome"]]
    assert made["logprobs"] is None
    decode = trainer.processing_class.decode
    for ids, mask in zip(made["completion_ids"], made["env_mask"], strict=True):
        trained = [token for token, kind in zip(ids, mask, strict=True) if kind]
        assert decode(trained, skip_special_tokens=False) == (
            "<query_count>1 3</query_count><|im_end|><answer>1</answer><|im_end|>"
        )
    assert [one["turns"] for one in made["metrics"]] == [2] * 6


def test_log_probabilities_stand_at_the_models_tokens(installed: Any) -> None:
    trainer = Trainer(["<query_count>1 3</query_count>", "<answer>1</answer>"])
    trainer.logprobs = True
    made = trl.PlainText()(prompts(QUERY, 1, difficulty=1), trainer)
    assert made["logprobs"] == [[-0.5 if kind else 0.0 for kind in made["env_mask"][0]]]


def test_a_dialogue_that_fills_the_completion_is_left(installed: Any) -> None:
    trainer = Trainer(["<query_count>1 3</query_count>"] * 9, room=100)
    made = trl.PlainText()(prompts(QUERY, 1, difficulty=1), trainer)
    assert made["outcome"] == [UNFINISHED]
    assert len(made["completion_ids"][0]) <= 100
    assert trl.PlainText(max_turns=1)(prompts(QUERY, 1), Trainer(["x"]))["metrics"][0]["turns"] == 1


def test_a_broken_episode_has_no_reward_and_nothing_to_learn(installed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    step, calls = Dialogue.step, []

    def broken(self: Dialogue, text: str) -> str:
        calls.append(text)
        if len(calls) == 2:
            raise JudgeError("the judge is down")
        return step(self, text)

    monkeypatch.setattr(Dialogue, "step", broken)
    trainer = Trainer(["<answer>1</answer>"])
    made = trl.PlainText()(prompts(QUERY, 3, difficulty=1), trainer)
    assert made["paid"][1] is None
    assert made["fault"] == [None, "the judge is down", None]
    assert (made["completion_ids"][1], made["env_mask"][1]) == ([trainer.processing_class.eos_token_id], [0])
    assert made["prompt_ids"][1] == trainer.asked[0][1]
    logged: list[tuple[str, float]] = []
    paid = trl.episode_reward(**made, log_metric=lambda name, value: logged.append((name, value)), prompts=[])
    assert paid == made["paid"]
    assert [value for name, value in logged if name == "episode/faults"] == [0.0, 1.0, 0.0]
    assert len([name for name, _ in logged if name == "episode/turns"]) == 2
    assert trl.episode_reward(**made) == paid


def test_what_cannot_be_generated_is_said(installed: Any) -> None:
    trainer = Trainer(["x"], window=20)
    with pytest.raises(ConfigError, match="leaves the model no room to write"):
        trl.PlainText()(prompts(QUERY, 1), trainer)
    trainer.eos_token_ids = [0]
    with pytest.raises(ConfigError, match=r"a message ends with token \d+, on which the model does not stop"):
        trl.PlainText()(prompts(QUERY, 1), trainer)


def watched(given: Rollout | None = None) -> tuple[Any, dict[str, Any]]:
    """A trainer whose loss is watched, and the inputs of a loss: a padded rollout."""
    torch = pytest.importorskip("torch")
    trainer: Any = Trainer([])
    watch = trl.MaskWatch(trainer)
    watch.expect([given or Rollout((1, 2), (3, 4, 5), (1, 0, 1), 1.0, "success", 2)], training=True)
    inputs = {
        "prompt_ids": torch.tensor([[0, 1, 2]]),
        "prompt_mask": torch.tensor([[0, 1, 1]]),
        "completion_ids": torch.tensor([[3, 4, 5, 0]]),
        "completion_mask": torch.tensor([[1, 1, 1, 0]]),
        "tool_mask": torch.tensor([[1, 0, 1, 1]]),
        "advantages": torch.tensor([2.0]),
    }
    return trainer, inputs


def test_a_mask_that_arrives_changes_nothing() -> None:
    trainer, inputs = watched()
    assert trainer.compute_loss(None, inputs) == 4.0
    assert trainer.losses == {"train": [4.0]}, "the check leaves no numbers behind"
    inputs["completion_mask"] = inputs["completion_mask"] * 0  # cut, and left out by the trainer
    trainer.compute_loss(None, {**inputs, "tool_mask": inputs["tool_mask"] * 0})


def test_a_mask_that_was_dropped_or_changed_stops_training() -> None:
    trainer, inputs = watched()
    with pytest.raises(ConfigError, match="the trainer dropped env_mask: it would train on the environment's words"):
        trainer.compute_loss(None, {name: one for name, one in inputs.items() if name != "tool_mask"})
    with pytest.raises(ConfigError, match="mask is not the one that it was given"):
        trainer.compute_loss(None, {**inputs, "tool_mask": 1 - inputs["tool_mask"]})


def test_a_loss_that_does_not_heed_the_mask_stops_training(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Trainer, "compute_loss", lambda self, model, inputs: inputs["advantages"].sum())
    trainer, inputs = watched()
    with pytest.raises(ConfigError, match="loss does not heed env_mask"):
        trainer.compute_loss(None, inputs)


def test_environments_are_classes_by_their_id(installed: Any) -> None:
    found = trl.environments([PUZZLE, QUERY], budget=9)
    assert list(found) == [PUZZLE, QUERY]
    tools: Any = found[PUZZLE]()
    assert "9 rounds" in tools.reset(seed=1)
    assert list(trl.environments(PUZZLE)) == [PUZZLE]


def test_a_data_set_without_trl_and_an_old_trl_are_refused(installed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    installed["trl"] = "1.9.0"
    with pytest.raises(ConfigError, match=r"TRL 1\.9\.0 is too old"):
        trl.PlainText()
    monkeypatch.undo()
    with pytest.raises(MissingExtraError, match=r"training with TRL needs .* pip install 'interactive-envs\[trl\]'"):
        trl.dataset(PUZZLE, 3)


def test_a_data_set_holds_the_rows(installed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", SimpleNamespace(Dataset=SimpleNamespace(from_list=list)))
    assert trl.dataset(QUERY, 2, difficulty=1) == [trl.with_row(row) for row in rows(QUERY, 2, difficulty=1)]


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_the_real_trainer_learns_from_the_models_messages_alone() -> None:
    run_tests(environment("trl"), Path(__file__).with_name("with_trl.py"))
