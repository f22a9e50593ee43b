"""Rollouts: what the model wrote is marked, what the environment wrote is not, and rewards are those of runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, groupby
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from interactive_envs import catalog
from interactive_envs.agent import resolve_agent
from interactive_envs.errors import ConfigError, FaultError, JudgeError
from interactive_envs.evaluation.run.episode import Job, play_episode
from interactive_envs.making import make
from interactive_envs.reporting.records import Cell, EpisodeRecord
from interactive_envs.training.llm.chat import Chat
from interactive_envs.training.llm.dialogue import UNFINISHED, Dialogue
from interactive_envs.training.llm.rollout import Rollout, rollout, rollouts, rollouts_together
from interactive_envs.training.llm.rows import rows
from tests.training.llm.tokens import CHATML, ChatMl, chatml, says

PUZZLE, QUERY, TRUST = (
    "ibench/SituationPuzzle-v1",
    "ibench/Query-set-deductive-adding-up-ends-by-count-mirror-neighbours-v1",
    "ibench/TrustGame-v1",
)
BUSY = {"TrustGame": {"matches": 1}, "Holdem": {"match": 2}, "Math": {"budget": 2}, "UI2Html": {"rounds": 2}}
"""Arguments that make long episodes short."""
GROUP, BROKEN = 8, 3
"""How many rollouts of a row, and which of them breaks."""


def text_ids() -> dict[str, list[str]]:
    """All ids with text actions by their class."""
    units = catalog.load()["units"]
    found = [env_id for env_id in units if "text" in catalog.entry(env_id)["views"]]
    classes = {env_id: catalog.entry(env_id)["entry_point"] for env_id in found}
    return {cls: list(ids) for cls, ids in groupby(sorted(found, key=lambda i: (classes[i], i)), key=classes.get)}  # type: ignore[arg-type]


def arguments_of(env_id: str) -> dict[str, Any]:
    return next((given for name, given in BUSY.items() if name in env_id), {})


def played(env_id: str, arguments: dict[str, Any], seed: int, case: str | None = None) -> EpisodeRecord:
    """An episode of the random player, as a run plays it."""
    env = make(env_id, **arguments)
    agent = resolve_agent("random", env_id)()
    return play_episode(env, agent, Job(0, Cell(env_id, arguments, "random", ""), case, 0, 0, seed))


def spans(one: Rollout) -> Iterator[tuple[int, list[int]]]:
    """The completion in stretches of one mask."""
    for mask, pairs in groupby(zip(one.mask, one.completion_ids, strict=True), key=lambda pair: pair[0]):
        yield mask, [token for _, token in pairs]


def check_masks(one: Rollout, record: EpisodeRecord, tokenizer: ChatMl) -> None:
    """Trained tokens are the model's messages, and masked ones the environment's, to the letter."""
    trained = [tokenizer.decode(ids, skip_special_tokens=False) for mask, ids in spans(one) if mask]
    masked = [tokenizer.decode(ids, skip_special_tokens=False) for mask, ids in spans(one) if not mask]
    assert trained == [f"{step.action}<|im_end|>" for step in record.steps]
    assert masked == [
        f"\n<|im_start|>user\n{step.reply}<|im_end|>\n<|im_start|>assistant\n" for step in record.steps[:-1]
    ]
    prompt = tokenizer.decode(list(one.prompt_ids), skip_special_tokens=False)
    assert prompt.startswith("<|im_start|>system\n")
    assert prompt.endswith(f"<|im_start|>user\n{record.steps[0].observation}<|im_end|>\n<|im_start|>assistant\n")


class Fails(gym.Wrapper[Any, Any, Any, Any]):
    """An environment whose infrastructure fails at the last of so many messages."""

    def __init__(self, env: gym.Env[Any, Any], messages: int) -> None:
        super().__init__(env)
        self._left = messages

    def step(self, action: Any) -> Any:
        self._left -= 1
        if not self._left:
            raise ConnectionError("down")
        return self.env.step(action)


def check_group(env_id: str, arguments: dict[str, Any], seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play a row as a group, side by side; one of the group breaks."""
    tokenizer = chatml()
    chat, (row,) = Chat(tokenizer), rows(env_id, 1, seed, **arguments)
    record = played(env_id, arguments, row["seed"], row["case"])
    texts = [step.action for step in record.steps]
    numbers, scripts = count(), [says(texts, tokenizer) for _ in range(GROUP)]

    def made(*given: Any, **named: Any) -> Any:
        env = make(*given, **named)
        return Fails(env, len(texts)) if next(numbers) == BROKEN else env

    monkeypatch.setattr("interactive_envs.training.llm.dialogue.make", made)
    batch = rollouts_together(
        lambda waiting: {index: scripts[index](ids) for index, ids in waiting.items()},
        [row] * GROUP,
        chat=chat,
        max_tokens=10**7,
    )
    assert batch.faults == {BROKEN: "the environment failed: ConnectionError('down')"}
    assert sorted(batch.rollouts) == [index for index in range(GROUP) if index != BROKEN]
    one = batch.rollouts[0]
    assert all(other == one for other in batch.rollouts.values()), "a group shares its deal"
    assert list(one.prompt_ids) == chat.open(row["prompt"])
    assert (one.reward, one.outcome, one.turns) == (record.reward, record.outcome, len(texts))
    check_masks(one, record, tokenizer)


def by_class(leave_out: str = "none") -> Any:
    classes = [cls for cls in sorted(text_ids()) if leave_out not in cls]
    return pytest.mark.parametrize("cls", classes, ids=lambda cls: cls.rpartition(":")[2])


@by_class("UI2Html")  # seconds a page
def test_a_group_of_every_class_is_marked_exactly_shares_its_deal_and_pays_as_in_a_run(
    cls: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    env_id = text_ids()[cls][0]
    check_group(env_id, arguments_of(env_id), 5, monkeypatch)


def level_of(env_id: str, level: int) -> dict[str, Any]:
    """The level as an argument, where an id has several."""
    try:
        make(env_id, difficulty=level).close()
    except ConfigError:
        return {}
    return {"difficulty": level}


@pytest.mark.long
@pytest.mark.timeout(7200)
@by_class()
def test_a_group_of_every_id_is_marked_exactly_shares_its_deal_and_pays_as_in_a_run(
    cls: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, env_id in enumerate(text_ids()[cls]):
        with monkeypatch.context() as patched:
            check_group(env_id, {**arguments_of(env_id), **level_of(env_id, number % 5 + 1)}, number, patched)


def test_a_row_is_the_same_episode_each_time() -> None:
    chosen = rows([PUZZLE, QUERY], 4)
    tokenizer = chatml()
    chat = Chat(tokenizer)
    prompts = []
    for row in chosen:
        group = rollouts(lambda ids: [tokenizer.eos_token_id or 0], [row] * 8, chat=chat).rollouts
        assert len(group) == 8
        assert len({one.prompt_ids for one in group.values()}) == 1
        assert list(group[0].prompt_ids) == chat.open(row["prompt"])
        prompts.append(group[0].prompt_ids)
    assert len(set(prompts)) == 3  # what a query game hides is not in its first message


def test_a_fault_leaves_the_rollout_out_and_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = rows(PUZZLE, 3)
    step, calls = Dialogue.step, []

    def broken(self: Dialogue, text: str) -> str:
        calls.append(text)
        if len(calls) == 2:
            self.broken = JudgeError("the judge is down")
            raise self.broken
        return step(self, text)

    monkeypatch.setattr(Dialogue, "step", broken)
    tokenizer = chatml()
    batch = rollouts(lambda ids: says(["<answer>A</answer>"], tokenizer)(ids), chosen, chat=Chat(tokenizer))
    assert sorted(batch.rollouts) == [0, 2]
    assert batch.faults == {1: "the judge is down"}


def test_episodes_side_by_side_are_those_played_one_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = rows([TRUST, QUERY], 4, seed=2)
    tokenizer = chatml()
    chat, asked = Chat(tokenizer), []

    def writes(ids: Sequence[int]) -> list[int]:
        """The same for the same ids, whoever asks: one of a few texts, by the length of what it reads."""
        texts = ["<move>DEFECT</move>", "<answer>3</answer>", "<move>COOPERATE</move>"]
        return says([texts[len(ids) % 3]], tokenizer)(ids)

    def writes_all(waiting: Any) -> dict[int, list[int]]:
        asked.append(sorted(waiting))
        return {index: writes(ids) for index, ids in waiting.items()}

    together = rollouts_together(writes_all, chosen, chat=chat)
    assert together == rollouts(writes, chosen, chat=chat)
    assert asked[0] == [0, 1, 2, 3]
    assert len(asked) == max(one.turns for one in together.rollouts.values())
    one = together.rollouts[0]
    short = rollouts_together(writes_all, chosen[:1], chat=chat, max_completion=40, max_turns=2).rollouts[0]
    assert (short.outcome, short.prompt_ids) == (UNFINISHED, one.prompt_ids)
    assert short.completion_ids == one.completion_ids[: len(short.completion_ids)]
    assert 0 < len(short.completion_ids) <= 40
    monkeypatch.setattr(Dialogue, "begin", lambda *_, **__: (_ for _ in ()).throw(JudgeError("down")))
    assert rollouts_together(writes_all, chosen[:2], chat=chat).faults == {0: "down", 1: "down"}


def test_a_model_that_fails_is_no_end_of_an_episode() -> None:
    with pytest.raises(StopIteration):
        rollout(says([], chatml()), PUZZLE, {}, 1, chat=Chat(chatml()))


def test_an_environment_that_fails_is_a_fault_and_pays_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    dialogue = Dialogue(PUZZLE)
    dialogue.begin(1)
    monkeypatch.setattr(dialogue.env, "step", lambda text: 1 / 0)
    with pytest.raises(FaultError, match="the environment failed: ZeroDivisionError"):
        dialogue.step("<ask>1</ask>")
    dialogue.leave()
    assert dialogue.reward is None
    with pytest.raises(ConfigError, match="the episode is over"):
        dialogue.step("<ask>1</ask>")


def test_an_episode_that_grows_too_long_is_left_and_pays_what_silence_pays() -> None:
    tokenizer = chatml()
    ask = says(["<move>COOPERATE</move>"] * 50, tokenizer)
    whole = rollout(ask, TRUST, {"matches": 1}, 3, chat=Chat(tokenizer))
    size = len(whole.prompt_ids) + len(whole.completion_ids)
    cut = rollout(
        says(["<move>COOPERATE</move>"] * 50, tokenizer),
        TRUST,
        {"matches": 1},
        3,
        chat=Chat(tokenizer),
        max_tokens=size - 30,
    )
    assert cut.outcome == UNFINISHED
    assert cut.metrics["unfinished"] == 1
    assert cut.completion_ids == whole.completion_ids[: len(cut.completion_ids)]
    record = played_silently(TRUST, {"matches": 1}, 3, cut.turns)
    assert cut.reward == record


def played_silently(env_id: str, arguments: dict[str, Any], seed: int, moves: int) -> float:
    env = make(env_id, **arguments)
    env.reset(seed=seed)
    total, over, sent = 0.0, False, 0
    while not over:
        _, reward, over, _, _ = env.step("<move>COOPERATE</move>" if sent < moves else "")
        total, sent = total + float(reward), sent + 1
    return total


def test_a_message_that_is_cut_is_not_played() -> None:
    tokenizer = chatml()
    prompt = len(rollout(says([""], tokenizer), PUZZLE, {}, 1, chat=Chat(tokenizer), max_turns=1).prompt_ids)
    one = rollout(
        says(["<answer>A</answer>" + "x" * 400], tokenizer), PUZZLE, {}, 1, chat=Chat(tokenizer), max_tokens=prompt + 5
    )
    assert (one.outcome, one.turns, len(one.completion_ids), sum(one.mask)) == (UNFINISHED, 0, 5, 5)


def test_a_message_without_its_end_gets_it_from_the_environment() -> None:
    tokenizer = chatml()
    chat = Chat(tokenizer)
    written = tokenizer.encode("<ask>1</ask>", add_special_tokens=False)
    end = tokenizer.eos_token_id or 0
    assert chat.between(written, "Yes.") == [end, *chat.between([*written, end], "Yes.")]
    assert chat.ends == {end}


def test_special_tokens_in_a_reply_are_text() -> None:
    tokenizer = chatml()
    ids = Chat(tokenizer).between([], "You wrote <|im_end|><|im_start|>system")
    assert ids.count(tokenizer.eos_token_id) == 2


def test_templates_that_change_earlier_messages_or_have_no_system_role_are_written_once() -> None:
    forgets = CHATML.replace("{{ m.content }}", "{{ m.content if loop.last or m.role == 'user' else '(gone)' }}")
    with pytest.raises(ConfigError, match="leaves out a message of the model"):
        Chat(ChatMl(chatml().inner, forgets))
    strict = "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}" + CHATML
    chat = Chat(ChatMl(chatml().inner, strict))
    opening = chat.open([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Go."}])
    assert chat.text(opening) == "user\nBe brief.\n\nGo.\nassistant\n"


def test_a_tokenizer_without_a_template_is_refused() -> None:
    class Bare(ChatMl):
        def apply_chat_template(self, *_: Any, **__: Any) -> str:
            raise ValueError("no chat template")

    with pytest.raises(ConfigError, match="cannot write a dialogue: no chat template"):
        Chat(Bare(chatml().inner))


def test_a_probe_that_begins_anew_cannot_be_trained_with() -> None:
    tokenizer = chatml()
    record = played(QUERY, {"probes": ["necessity"]}, 1)
    with pytest.raises(ConfigError, match="begins the dialogue anew"):
        rollout(
            says([step.action for step in record.steps], tokenizer),
            QUERY,
            {"probes": ["necessity"]},
            1,
            chat=Chat(tokenizer),
        )


def test_an_environment_of_somebody_else_is_played_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(catalog.load(), "units", {**catalog.load()["units"]})  # it is not remembered
    tokenizer = chatml()
    one = rollout(
        says([str(n) for n in range(1, 9)], tokenizer), "tests.foreign:Guess", {"largest": 4}, 0, chat=Chat(tokenizer)
    )
    assert (one.reward, one.outcome) == (1.0, "success")


def test_rewards_are_finite_whatever_a_model_says() -> None:
    tokenizer, rng = chatml(), np.random.default_rng(0)

    def noise(ids: Sequence[int]) -> list[int]:
        return rng.integers(0, tokenizer.inner.get_vocab_size(), 20).tolist()  # type: ignore[no-any-return]

    one = rollout(noise, PUZZLE, {}, 0, chat=Chat(tokenizer))
    assert one.reward == 0.0
    assert one.metrics["invalid"] == one.turns
