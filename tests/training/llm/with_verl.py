"""verl's own classes with our agent loop, and a stub of its model server. Runs where verl is, see test_verl.py.

Nothing is trained here: verl's workers need GPUs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset
from omegaconf import OmegaConf
from tokens import CHATML, SPECIAL, chatml  # beside this file: verl's environment has a package "tests" of its own
from transformers import PreTrainedTokenizerFast
from verl.experimental.agent_loop import agent_loop as theirs
from verl.utils.dataset.rl_dataset import RLHFDataset
from verl.workers.rollout.replica import TokenOutput

from interactive_envs.training.llm.chat import Chat
from interactive_envs.training.llm.rollout import rollout
from interactive_envs.training.llm.rows import rows
from interactive_envs.training.llm.verl import EpisodeLoop

PUZZLE, TRUST = "ibench/SituationPuzzle-v1", "ibench/TrustGame-v1"
TEXTS = {
    PUZZLE: ["<ask>1</ask>", "Well, let me think. <ask>2</ask>", "no action", "<answer>A</answer>"] * 3,
    TRUST: ["<move>COOPERATE</move>", "<move>DEFECT</move>"] * 40,
}
ARGUMENTS: dict[str, dict[str, Any]] = {PUZZLE: {}, TRUST: {"matches": 1}}
LENGTHS = {"prompt_length": 4000, "response_length": 9000}


class Server:
    """What verl's client of model servers offers a loop; it says texts in order, each with its end."""

    def __init__(self, tokenizer: Any, texts: Sequence[str]) -> None:
        self.tokenizer, self.texts, self.requests = tokenizer, list(texts), set[str]()

    async def generate(self, request_id: str, *, prompt_ids: list[int], sampling_params: dict[str, Any]) -> TokenOutput:
        self.requests.add(request_id)
        said = [*self.tokenizer.encode(self.texts.pop(0), add_special_tokens=False), self.tokenizer.eos_token_id]
        return TokenOutput(token_ids=said, log_probs=[-0.5] * len(said), stop_reason="completed")


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    made = PreTrainedTokenizerFast(
        tokenizer_object=chatml().inner,
        eos_token=SPECIAL[1],
        pad_token=SPECIAL[1],
        additional_special_tokens=SPECIAL[:1],
        clean_up_tokenization_spaces=False,
    )
    made.chat_template = CHATML
    return made


@pytest.mark.parametrize("env_id", [PUZZLE, TRUST])
def test_verls_loop_gets_the_rollouts_tokens_and_mask(env_id: str, tokenizer: Any, tmp_path: Path) -> None:
    row = rows(env_id, 1, **ARGUMENTS[env_id])[0]
    Dataset.from_list([{**row, "agent_name": "ibench"}]).to_parquet(tmp_path / "train.parquet")
    read = Dataset.from_parquet(str(tmp_path / "train.parquet"), cache_dir=str(tmp_path))[0]
    columns = {**read, "raw_prompt": read["prompt"], "index": 0}
    assert theirs._agent_loop_registry["ibench"]["_target_"] == f"{EpisodeLoop.__module__}.EpisodeLoop"  # noqa: SLF001
    config = OmegaConf.create(
        {"actor_rollout_ref": {"rollout": {**LENGTHS, "multi_turn": {"max_assistant_turns": None}}}}
    )
    server = Server(tokenizer, TEXTS[env_id])

    async def play() -> Any:
        loop = EpisodeLoop(
            trainer_config=theirs.DictConfigWrap(config),
            server_manager=server,
            tokenizer=tokenizer,
            processor=None,
            dataset_cls=RLHFDataset,
            data_config=theirs.DictConfigWrap(OmegaConf.create({})),
            tools=theirs.ToolListWrap([]),
        )
        return await loop.run({"temperature": 1.0}, **columns)

    got = asyncio.run(play())
    assert isinstance(got, theirs.AgentLoopOutput)
    left = iter(TEXTS[env_id])

    def says(ids: Sequence[int]) -> list[int]:
        return [*tokenizer.encode(next(left), add_special_tokens=False), tokenizer.eos_token_id]

    wanted = rollout(
        says, env_id, ARGUMENTS[env_id], row["seed"], chat=Chat(tokenizer), case=row["case"], max_tokens=13_000
    )
    assert (got.prompt_ids, got.response_ids) == (list(wanted.prompt_ids), list(wanted.completion_ids))
    assert (got.response_mask, got.reward_score) == (list(wanted.mask), wanted.reward)
    assert got.response_logprobs == [-0.5 * mine for mine in got.response_mask]
    assert len(server.requests) == 1
    tensors = got.as_dict()
    assert tensors["rm_scores"].tolist() == [0.0] * (len(got.response_ids) - 1) + [pytest.approx(wanted.reward)]
    assert tensors["response_mask"].sum() == sum(wanted.mask) > 0
    assert tensors["extra_fields"]["outcome"] == wanted.outcome != "unfinished"
