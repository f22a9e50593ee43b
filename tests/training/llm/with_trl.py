"""TRL's GRPOTrainer on our environments, for real: a tiny model, both ways. Runs where TRL is, see test_trl.py."""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
import torch
from trl import GRPOConfig, GRPOTrainer

from interactive_envs.errors import ConfigError, JudgeError
from interactive_envs.making import make
from interactive_envs.training.llm import trl as ours
from interactive_envs.training.llm.chat import Chat
from interactive_envs.training.llm.dialogue import Dialogue
from interactive_envs.training.llm.rollout import rollout
from interactive_envs.training.llm.rows import read_row, rows
from tests.training.llm import tiny

GAME, ARGUMENTS = "ibench/TrustGame-v1", {"matches": 1, "max_rounds": 3, "delta": 0.9, "opponents": "tft"}
QUERY = "ibench/Query-set-deductive-few-total-by-count-v1"
MOVES = ("<move>COOPERATE</move>", "<move>DEFECT</move>")
GROUP, RATE = 4, 0.5


class Recorded(GRPOTrainer):
    """The trainer as it is; it keeps what it learns from."""

    script: Iterator[str] | None = None

    def __init__(self, *given: Any, **named: Any) -> None:
        self.seen: list[dict[str, Any]] = []
        self.rows: list[dict[str, Any]] = []
        super().__init__(*given, **named)

    def _generate_and_score_completions(self, inputs: Any) -> Any:
        self.rows = list(inputs)  # the trainer adds to them what was played
        return super()._generate_and_score_completions(inputs)

    def _generate_single_turn(self, prompt_ids: Any, *given: Any, **named: Any) -> Any:
        if self.script is None:
            return super()._generate_single_turn(prompt_ids, *given, **named)
        encode, end = self.processing_class.encode, self.processing_class.eos_token_id
        return [[*encode(next(self.script), add_special_tokens=False), end] for _ in prompt_ids], None

    def _compute_loss(self, model: Any, inputs: Any) -> Any:
        self.seen.append({**inputs})
        return super()._compute_loss(model, inputs)

    def loss(self, inputs: dict[str, Any]) -> Any:
        """TRL's own loss, which nobody watches."""
        return super()._compute_loss(self.model, inputs)

    def learnt(self) -> dict[str, Any]:
        """What the last loss was computed from."""
        return self.seen[-1]


def config(folder: Any, **more: Any) -> GRPOConfig:
    return GRPOConfig(
        **{
            "output_dir": str(folder),
            "per_device_train_batch_size": 2 * GROUP,
            "gradient_accumulation_steps": 1,
            "num_generations": GROUP,
            "max_completion_length": 600,
            "max_steps": 1,
            "learning_rate": RATE,
            "lr_scheduler_type": "constant",
            "optim": "sgd",
            "max_grad_norm": 1e9,
            "weight_decay": 0.0,
            "shuffle_dataset": False,
            "use_cpu": True,
            "bf16": False,
            "report_to": "none",
            "save_strategy": "no",
            "logging_steps": 1,
            "disable_tqdm": True,
            "seed": 3,
            **more,
        }
    )


@pytest.fixture(scope="module")
def vocabulary() -> Any:
    prompts = [row["prompt"] for env_id in (GAME, QUERY) for row in rows(env_id, 1)]
    return tiny.tokenizer([message["content"] for prompt in prompts for message in prompt] * 3)


@pytest.fixture(scope="module")
def warm(vocabulary: Any) -> Any:
    """A model that has learnt the format from random legal play."""
    chat, learner = Chat(vocabulary), tiny.model(vocabulary)
    play = tiny.chooses(chat, vocabulary, MOVES, 0)
    examples = [tiny.example(rollout(play, GAME, ARGUMENTS, seed, chat=chat)) for seed in range(32)]
    assert tiny.imitate(learner, examples, 80) < 0.3
    return learner


def plain(warm: Any, vocabulary: Any, folder: Any, kind: type[Recorded] = Recorded, **more: Any) -> Recorded:
    return kind(
        copy.deepcopy(warm),
        reward_funcs=ours.episode_reward,
        args=config(folder, **more),
        train_dataset=ours.dataset(GAME, 16, **ARGUMENTS),
        processing_class=vocabulary,
        rollout_func=ours.PlainText(),
    )


def learnt_rows(inputs: dict[str, Any]) -> Iterator[tuple[list[int], list[int], list[int], float]]:
    """Prompt, completion, mask and advantage of each row, without padding."""
    names = ("prompt_ids", "prompt_mask", "completion_ids", "completion_mask", "tool_mask")
    for number, columns in enumerate(zip(*(inputs[name].tolist() for name in names), strict=True)):
        prompt, there, completion, kept, mask = columns
        yield (
            list(itertools.compress(prompt, there)),
            list(itertools.compress(completion, kept)),
            list(itertools.compress(mask, kept)),
            float(inputs["advantages"][number]),
        )


def replayed(row: dict[str, Any], texts: Sequence[str]) -> tuple[list[str], float, bool]:
    """What the environment replies to these messages, what it pays, and whether it is over."""
    env_id, arguments, seed, case = read_row(row)
    env = make(env_id, **arguments)
    env.reset(seed=seed, options=None if case is None else {"case": case})
    replies, total, over = [], 0.0, False
    for text in texts:
        reply, reward, over, _, _ = env.step(text)
        replies.append(str(reply))
        total += float(reward)
    return replies, total, over


def advantages(rewards: Sequence[float | None]) -> list[float]:
    """Of groups of rewards, by hand: how far above the mean of those that count, in standard deviations."""
    found = []
    for start in range(0, len(rewards), GROUP):
        group = rewards[start : start + GROUP]
        known = [one for one in group if one is not None]
        mean = sum(known) / len(known) if known else 0.0
        spread = math.sqrt(sum((one - mean) ** 2 for one in known) / (len(known) - 1)) if len(known) > 1 else 0.0
        found += [0.0 if one is None or len(known) < 2 else (one - mean) / (spread + 1e-4) for one in group]
    return found


def by_hand(before: Any, inputs: dict[str, Any]) -> list[torch.Tensor]:
    """The gradient of the policy loss, row by row: minus advantage times log-probability, per token that is learnt."""
    learner = copy.deepcopy(before)
    count = sum(sum(mask) for _, _, mask, _ in learnt_rows(inputs))
    loss = torch.zeros(())
    for prompt, completion, mask, advantage in learnt_rows(inputs):
        loss = loss - advantage * tiny.log_probabilities(learner, prompt, completion, mask).sum() / count
    loss.backward()
    return [parameter.grad for parameter in learner.parameters()]


def assert_one_step_of(before: Any, trainer: Recorded) -> None:
    gradient = by_hand(before, trainer.learnt())
    scale = max(float(one.abs().max()) for one in gradient)
    assert scale > 0
    for old, new, one in zip(before.parameters(), trainer.model.parameters(), gradient, strict=True):
        assert float(((old - new) / RATE - one).abs().max()) <= 1e-4 * scale


def rewards_of(trainer: Recorded) -> list[float | None]:
    return [row["paid"] for row in trainer.rows]


def in_order(trainer: Recorded) -> Iterator[tuple[dict[str, Any], list[int], list[int], float]]:
    """The rows as they were played, with what is learnt of each; the trainer shuffles the latter."""
    left = list(learnt_rows(trainer.learnt()))
    for row, expected in zip(trainer.rows, advantages(rewards_of(trainer)), strict=True):
        found = [one for one in left if one[3] == pytest.approx(expected, abs=1e-4) and one[1] == row["completion"]]
        assert found, "no row is learnt with this advantage"
        left.remove(found[0])
        yield row, *found[0][1:]
    assert not left


class Kept(ours.PlainText):
    """Gives the reward functions, and so the test, what was written."""

    def __call__(self, prompts: Any, trainer: Any) -> dict[str, Any]:
        made = super().__call__(prompts, trainer)
        return {**made, "completion": made["completion_ids"]}


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ours, "PlainText", Kept)


def test_plain_text_trains_the_models_messages_and_nothing_else(
    warm: Any, vocabulary: Any, tmp_path: Any, kept: None
) -> None:
    trainer = plain(warm, vocabulary, tmp_path)
    trainer.train()
    assert len(trainer.rows) == 2 * GROUP
    for row, completion, mask, _ in in_order(trainer):
        parts = tiny.spans(vocabulary, completion, mask)
        texts = [text.removesuffix("<|im_end|>") for kind, text in parts if kind]
        replies, paid, over = replayed(row, texts)
        assert over
        assert row["paid"] == pytest.approx(paid)
        between = [
            f"\n<|im_start|>user\n{one[-tiny.SHOWN :]}<|im_end|>\n<|im_start|>assistant\n" for one in replies[:-1]
        ]
        assert [text for kind, text in parts if kind] == [f"{text}<|im_end|>" for text in texts]
        assert [text for kind, text in parts if not kind] == between
    log = trainer.state.log_history[0]
    assert log["episode/faults"] == 0
    assert log["episode/turns"] >= 1
    assert log["reward"] == pytest.approx(sum(rewards_of(trainer)) / len(trainer.rows), abs=1e-5)  # type: ignore[arg-type]


def test_a_group_shares_its_deal(warm: Any, vocabulary: Any, tmp_path: Any) -> None:
    trainer = plain(warm, vocabulary, tmp_path)
    trainer.train()
    seeds = [ours.row_of(row["prompt"])["seed"] for row in trainer.rows]
    assert seeds == [row["seed"] for row in trainer.rows]
    assert len({*seeds[:GROUP]}) == len({*seeds[GROUP:]}) == 1
    assert len({*seeds}) == 2


def test_one_step_is_the_gradient_by_hand(warm: Any, vocabulary: Any, tmp_path: Any, kept: None) -> None:
    trainer = plain(warm, vocabulary, tmp_path)
    trainer.train()
    assert len({*rewards_of(trainer)}) > 1
    assert len(list(in_order(trainer))) == 2 * GROUP  # the advantages are those by hand
    assert_one_step_of(warm, trainer)


def test_labels_and_weights_of_masked_tokens_change_no_bit_of_the_gradient(
    warm: Any, vocabulary: Any, tmp_path: Any
) -> None:
    trainer = plain(warm, vocabulary, tmp_path)
    trainer.train()
    inputs = trainer.learnt()
    hidden = (inputs["tool_mask"] == 0) & (inputs["completion_mask"] == 1)
    assert hidden.any()

    def gradient(swap: bool, weight: float) -> list[torch.Tensor]:
        def other_labels(module: Any, given: Any, named: dict[str, Any]) -> Any:
            if swap and named.get("labels") is not None:
                labels = named["labels"].clone()
                labels[:, -hidden.shape[1] :][hidden] = 5
                named["labels"] = labels
            return given, named

        hook = trainer.model.register_forward_pre_hook(other_labels, with_kwargs=True)
        each = inputs["advantages"][:, None].repeat(1, hidden.shape[1])
        each[hidden] = weight
        trainer.model.zero_grad()
        trainer.loss({**inputs, "advantages": each}).backward()
        hook.remove()
        return [parameter.grad.clone() for parameter in trainer.model.parameters()]

    plainly = gradient(False, 0.0)
    for swap, weight in ((True, 0.0), (False, 1e6), (True, -3.0)):
        assert all(torch.equal(one, two) for one, two in zip(plainly, gradient(swap, weight), strict=True))
    inputs["tool_mask"] = torch.ones_like(inputs["tool_mask"])
    assert not all(torch.equal(one, two) for one, two in zip(plainly, gradient(True, 1.0), strict=True))


def faulty(monkeypatch: pytest.MonkeyPatch, broken: Sequence[int]) -> None:
    """Break the dialogues of these numbers, counted by their beginnings, at their first message."""
    begin, step, numbers = Dialogue.begin, Dialogue.step, itertools.count()

    def counted(self: Any, *given: Any, **named: Any) -> Any:
        self.number = next(numbers)
        return begin(self, *given, **named)

    def fails(self: Any, text: str) -> str:
        if self.number in broken:
            self.broken = JudgeError("the judge is down")
            raise self.broken
        return step(self, text)

    monkeypatch.setattr(Dialogue, "begin", counted)
    monkeypatch.setattr(Dialogue, "step", fails)


def test_a_broken_episode_is_no_part_of_its_group(
    warm: Any, vocabulary: Any, tmp_path: Any, kept: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainer = plain(warm, vocabulary, tmp_path)
    faulty(monkeypatch, [1])
    trainer.train()
    assert [row["fault"] for row in trainer.rows] == [None, "the judge is down", *[None] * (2 * GROUP - 2)]
    _, completion, mask, advantage = list(in_order(trainer))[1]
    assert (completion, mask, advantage) == ([vocabulary.eos_token_id], [0], 0.0)
    assert trainer.state.log_history[0]["episode/faults"] == pytest.approx(1 / (2 * GROUP))
    assert_one_step_of(warm, trainer)


def test_nothing_is_learnt_where_every_episode_was_broken(
    warm: Any, vocabulary: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainer = plain(warm, vocabulary, tmp_path)
    faulty(monkeypatch, range(2 * GROUP))
    trainer.train()
    assert all(torch.equal(*both) for both in zip(warm.parameters(), trainer.model.parameters(), strict=True))


class Dropping(Recorded):
    """Leaves the mask out, as a patched trainer did (unsloth, issue 5673)."""

    def _generate(self, prompts: Any) -> Any:
        made = list(super()._generate(prompts))
        made[2] = None
        return tuple(made)


class Shifting(Recorded):
    """Gets the mask wrong by a token."""

    def _generate(self, prompts: Any) -> Any:
        made = list(super()._generate(prompts))
        made[2] = [[0, *mask[:-1]] for mask in made[2]]
        return tuple(made)


class Ignoring(Recorded):
    """Has the mask and computes the loss without it."""

    def _compute_loss(self, model: Any, inputs: Any) -> Any:
        return super()._compute_loss(model, {name: one for name, one in inputs.items() if name != "tool_mask"})


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (Dropping, "the trainer dropped env_mask"),
        (Shifting, "the trainer's mask is not the one that it was given"),
        (Ignoring, "the trainer's loss does not heed env_mask"),
    ],
)
def test_a_trainer_without_the_mask_is_stopped_before_it_learns(
    kind: type[Recorded], said: str, warm: Any, vocabulary: Any, tmp_path: Any
) -> None:
    trainer = plain(warm, vocabulary, tmp_path, kind)
    with pytest.raises(ConfigError, match=said):
        trainer.train()
    assert all(torch.equal(*both) for both in zip(warm.parameters(), trainer.model.parameters(), strict=True))


@pytest.mark.parametrize("loss", ["grpo", "cispo", "luspo"])
def test_the_mask_is_heeded_by_every_loss_over_several_steps(
    loss: str, warm: Any, vocabulary: Any, tmp_path: Any
) -> None:
    more = {"gradient_accumulation_steps": 2, "per_device_train_batch_size": GROUP, "num_iterations": 2}
    trainer = plain(warm, vocabulary, tmp_path, loss_type=loss, learning_rate=1e-3, max_steps=2, **more)
    trainer.train()
    assert trainer.state.global_step == 2
    assert not all(torch.equal(*both) for both in zip(warm.parameters(), trainer.model.parameters(), strict=True))


def test_a_model_that_would_not_stop_and_a_prompt_without_room_are_refused(
    warm: Any, vocabulary: Any, tmp_path: Any
) -> None:
    trainer = plain(warm, vocabulary, tmp_path)
    trainer.eos_token_ids = [vocabulary.pad_token_id]
    with pytest.raises(ConfigError, match="on which the model does not stop"):
        trainer.train()
    trainer = plain(warm, vocabulary, tmp_path)
    trainer.model.config.max_position_embeddings = 20
    with pytest.raises(ConfigError, match="leaves the model no room"):
        trainer.train()


# --- tools


@pytest.fixture(scope="module")
def talk() -> Any:
    """A tokenizer with Qwen's template for tools."""
    prompts = [row["prompt"] for env_id in (GAME, QUERY) for row in rows(env_id, 1, actions="tools")]
    return tiny.tokenizer([message["content"] for prompt in prompts for message in prompt] * 3, tools=True)


def call(tool: str, /, **given: str) -> str:
    pairs = ", ".join(f'"{key}": "{value}"' for key, value in given.items())
    return f'<tool_call>\n{{"name": "{tool}", "arguments": {{{pairs}}}}}\n</tool_call>'


def with_tools(
    learner: Any, talk: Any, folder: Any, env_ids: Sequence[str] = (GAME,), arguments: Any = None, **more: Any
) -> Recorded:
    arguments = ARGUMENTS if arguments is None else arguments
    return Recorded(
        copy.deepcopy(learner),
        args=config(folder, **more),
        train_dataset=ours.dataset(list(env_ids), 16, actions="tools", **arguments),
        processing_class=talk,
        environment_factory=ours.environments(list(env_ids), **arguments),
    )


def scripted(trainer: Recorded, texts: Sequence[str]) -> Recorded:
    """Has every rollout write these messages, one after another; rollouts that are over write nothing."""
    lines = itertools.chain.from_iterable([text] * (2 * GROUP) for text in texts)
    trainer.script = itertools.chain(lines, itertools.repeat("done"))
    return trainer


def test_tools_are_those_of_the_actions_and_train_their_calls_only(talk: Any, tmp_path: Any) -> None:
    trainer = scripted(
        with_tools(tiny.model(talk), talk, tmp_path, [QUERY], {"difficulty": 1}),
        [call("query_count", range="1 3"), call("answer", text="1"), call("answer", text="2"), "done"],
    )
    names = {tool.__name__ for tool in trainer.tools}
    trainer.train()
    assert names == {"query_count", "answer"}
    wrong = 0
    for prompt, completion, mask, _ in learnt_rows(trainer.learnt()):
        assert "query_count" in talk.decode(prompt)
        parts = tiny.spans(talk, completion, mask)
        trained = [text for kind, text in parts if kind]
        masked = [text for kind, text in parts if not kind]
        assert all(text.endswith("<|im_end|>") for text in trained)
        assert all("<tool_response>" in text and "<tool_call>" not in text for text in masked)
        wrong += sum("the episode is over" in text for text in masked)
    assert wrong == 2 * GROUP  # the second answer comes after the end, and the tool says so
    rewards = [instance.get_reward() for instance in trainer.environments]
    assert rewards == [float(instance.dialogue.outcome == "success") for instance in trainer.environments]
    seeds = [row["seed"] for row in trainer.rows]
    assert len({*seeds[:GROUP]}) == len({*seeds[GROUP:]}) == 1
    assert len({*seeds}) == 2


def test_a_step_with_tools_is_the_gradient_by_hand_and_leaves_broken_episodes_out(
    talk: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tiny.model(talk)
    trainer = with_tools(before, talk, tmp_path)
    moves = itertools.cycle([call("move", name=name) for name in ("COOPERATE", "DEFECT", "DEFECT")])
    trainer.script = moves
    trainer.max_tool_calling_iterations = 4
    faulty(monkeypatch, [2])
    trainer.train()
    paid = [instance.get_reward() for instance in trainer.environments]
    assert paid[2] is None
    assert len({*paid}) > 2
    expected = sorted(advantages(paid))
    assert sorted(one[3] for one in learnt_rows(trainer.learnt())) == pytest.approx(expected, abs=1e-4)
    assert_one_step_of(before, trainer)


def test_a_model_that_has_learnt_to_call_tools_is_trained_further(talk: Any, tmp_path: Any) -> None:
    trainer = with_tools(tiny.model(talk), talk, tmp_path)
    calls = [call("move", name=name) for name in ("COOPERATE", "DEFECT")]
    trainer.script = itertools.cycle([*calls, calls[0], "done"])
    trainer.train()
    examples = [(prompt, completion, mask) for prompt, completion, mask, _ in learnt_rows(trainer.learnt())]
    learner = tiny.model(talk)
    assert tiny.imitate(learner, examples, 150) < 0.4
    trainer = with_tools(learner, talk, tmp_path, learning_rate=1e-3, max_steps=3, max_tool_calling_iterations=4)
    trainer.train()
    log = trainer.state.log_history
    assert max(step.get("tools/call_frequency", 0) for step in log) > 0.5
    moved = [not torch.equal(*both) for both in zip(learner.parameters(), trainer.model.parameters(), strict=True)]
    assert any(moved)


def test_one_trainer_takes_several_environments(talk: Any, tmp_path: Any) -> None:
    trainer = scripted(
        with_tools(tiny.model(talk), talk, tmp_path, [GAME, QUERY], {}),
        [call("move", name="DEFECT"), "done"],
    )
    trainer.train()
    assert {type(instance).__name__ for instance in trainer.environments} == {
        name.removeprefix("ibench/").replace("-", "_") for name in (GAME, QUERY)
    }
