"""verl: the tokens and the mask of a rollout; with verl's real classes and a stub of its server in a long test."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from interactive_envs.errors import ConfigError, FaultError, MissingExtraError
from interactive_envs.training.llm.chat import Chat
from interactive_envs.training.llm.rollout import rollout
from interactive_envs.training.llm.rows import rows
from tests.environments import environment, run_tests
from tests.training.llm import stand_ins
from tests.training.llm.test_rollout import played
from tests.training.llm.tokens import chatml, says

PUZZLE = "ibench/SituationPuzzle-v1"


@pytest.fixture
def ours() -> Iterator[Any]:
    with stand_ins.adapter("verl", **stand_ins.verl()) as module:
        yield module


def server(model: Callable[[Sequence[int]], list[int]], told: bool = True) -> Callable[[list[int]], Any]:
    """A model server; it tells of each token -0.5, -0.25 and so on, for lack of anything truer."""

    def generate(ids: list[int]) -> Any:
        written = model(ids)
        numbers = [-(2.0 ** -(place % 20 + 1)) for place in range(len(written))] if told else None
        return SimpleNamespace(token_ids=written, log_probs=numbers, stop_reason="completed")

    return generate


def run(ours: Any, generate: Callable[[list[int]], Any], row: dict[str, Any], length: tuple[int, int]) -> Any:
    loop = ours.EpisodeLoop(chatml(), generate, length)
    return asyncio.run(loop.run({"temperature": 1.0}, raw_prompt=row["prompt"], index=0, **row))


@pytest.mark.parametrize("told", [True, False])
def test_a_rollout_is_handed_over_token_by_token(ours: Any, told: bool) -> None:
    row, tokenizer = rows(PUZZLE, 1)[0], chatml()
    texts = [step.action for step in played(PUZZLE, {}, row["seed"], row["case"]).steps]
    wanted = rollout(says(texts, tokenizer), PUZZLE, {}, row["seed"], chat=Chat(tokenizer), case=row["case"])
    got = run(ours, server(says(texts, tokenizer), told), row, (10_000, 10_000))
    assert (got.prompt_ids, got.response_ids) == (list(wanted.prompt_ids), list(wanted.completion_ids))
    assert (got.response_mask, got.reward_score) == (list(wanted.mask), wanted.reward)
    assert got.num_turns == 2 * len(texts) + 1
    assert got.extra_fields["outcome"] == wanted.outcome
    assert got.extra_fields["reward_extra_info"]["turns"] == len(texts)
    if not told:
        assert got.response_logprobs is None
        return
    assert [number != 0 for number in got.response_logprobs] == [bool(mine) for mine in got.response_mask]
    starts = [
        place for place, mine in enumerate(got.response_mask) if mine and not (place and got.response_mask[place - 1])
    ]
    assert [got.response_logprobs[place] for place in starts] == [-0.5] * len(texts)


def test_what_does_not_fit_is_left_and_what_is_too_long_from_the_start_is_refused(ours: Any) -> None:
    row, tokenizer = rows(PUZZLE, 1)[0], chatml()
    texts = ["<ask>1</ask>"] * 50
    got = run(ours, server(says(texts, tokenizer)), row, (10_000, 60))
    assert got.extra_fields["outcome"] == "unfinished"
    assert len(got.response_ids) == len(got.response_mask) == len(got.response_logprobs) <= 60
    with pytest.raises(ConfigError, match=r"a prompt of ibench/SituationPuzzle-v1 has \d+ tokens; set data.max_prompt"):
        run(ours, server(says(texts, tokenizer)), row, (10, 60))


def test_an_episode_that_broke_is_played_again_and_then_given_up(ours: Any) -> None:
    row, tokenizer = rows(PUZZLE, 1)[0], chatml()
    answers = server(says(["<answer>A</answer>"], tokenizer))
    tries: list[int] = []

    def failing(times: int) -> Callable[[list[int]], Any]:
        def generate(ids: list[int]) -> Any:
            tries.append(len(ids))
            if len(tries) < times:
                raise ConnectionError("gone")
            if len(tries) == times:
                return SimpleNamespace(token_ids=[1], log_probs=None, stop_reason="aborted")
            return answers(ids)

        return generate

    assert run(ours, failing(2), row, (10_000, 200)).extra_fields["outcome"] in ("success", "failure", "timeout")
    assert len(tries) >= ours.ATTEMPTS
    tries.clear()
    with pytest.raises(FaultError, match="the model server failed: ConnectionError"):
        run(ours, failing(9), row, (10_000, 200))
    assert len(tries) == ours.ATTEMPTS


def test_without_verl_the_remedy_is_named() -> None:
    with (
        pytest.raises(MissingExtraError, match=r"pip install 'interactive-envs\[verl\]'"),
        stand_ins.adapter("verl", verl=None),
    ):
        pass


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_with_verl() -> None:
    python = environment("verl", ["torch==2.13.0", "verl==0.9.1", "cachetools>=5", "fastapi>=0.115", "uvicorn>=0.40"])
    run_tests(python, Path(__file__).with_name("with_verl.py"))
