"""Our environments for verl: an agent loop.

Written for verl 0.9.1 (extra ``verl``): run with its real classes and a stub of its model server, not in a training,
which needs GPUs. verl reads a Parquet file with the columns ``prompt`` and ``agent_name``::

    Dataset.from_list([{**row, "agent_name": "ibench"} for row in rows(…)]).to_parquet("train.parquet")

and finds the loop in a YAML file that ``actor_rollout_ref.rollout.agent.agent_loop_config_path`` names::

    - name: ibench
      _target_: interactive_envs.training.llm.verl.EpisodeLoop
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from interactive_envs.errors import ConfigError, FaultError, MissingExtraError
from interactive_envs.training.llm.chat import Chat
from interactive_envs.training.llm.rollout import Rollout, rollout
from interactive_envs.training.llm.rows import read_row
from interactive_envs.training.llm.threads import own_thread

try:
    from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopOutput, register
except ImportError as error:
    raise MissingExtraError("the adapter for verl", "verl") from error

ATTEMPTS = 3
"""How often an episode is played before a fault of infrastructure stops the training."""
METRICS = ("turns", "query", "final", "move", "invalid", "unfinished")
"""The numbers that go with each reward; verl wants the same of every rollout."""
_log = logging.getLogger(__name__)


@register("ibench")
class EpisodeLoop(AgentLoopBase):  # type: ignore[misc]  # verl is not installed where types are checked
    """Plays the episode of a row with :func:`~interactive_envs.training.llm.rollout.rollout`: its tokens and its mask.

    An episode that does not fit into ``rollout.response_length`` is left: it pays what silence to the end pays. verl
    cannot leave a rollout out, so an episode in which infrastructure failed is played again, :data:`ATTEMPTS` times in
    all, and then the fault stops the training.
    """

    async def run(self, sampling_params: dict[str, Any], **columns: Any) -> AgentLoopOutput:
        """Play an episode.

        Args:
            sampling_params: of the model server.
            columns: of the row, also those in a column ``extra_info``, and verl's own.

        Raises:
            ConfigError: a column is missing, the environment cannot be made, or the prompt is too long.
            FaultError: infrastructure failed, again and again.
        """
        row = {**(columns.get("extra_info") or {}), **columns}
        chat = Chat(self.tokenizer, **self.apply_chat_template_kwargs)
        prompt = len(chat.open([dict(message) for message in columns["raw_prompt"]]))
        if prompt > self.rollout_config.prompt_length:
            raise ConfigError(
                f"a prompt of {row['env_id']} has {prompt} tokens; set data.max_prompt_length to at least that many"
            )
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return await self._play(row, chat, prompt + self.rollout_config.response_length, sampling_params)
            except FaultError as fault:
                if attempt == ATTEMPTS:
                    raise
                _log.warning("episode %s of %s is played again: %s", row.get("seed"), row.get("env_id"), fault)
        raise AssertionError("unreachable")

    async def _play(
        self, row: dict[str, Any], chat: Chat, max_tokens: int, sampling_params: dict[str, Any]
    ) -> AgentLoopOutput:
        env_id, arguments, seed, case = read_row(row)
        loop, request = asyncio.get_running_loop(), uuid4().hex
        told: list[float] = []
        silent = False

        def generate(ids: Sequence[int]) -> list[int]:
            nonlocal silent
            asked = self.server_manager.generate(
                request_id=request, prompt_ids=list(ids), sampling_params=dict(sampling_params)
            )
            try:
                said = asyncio.run_coroutine_threadsafe(asked, loop).result()
            except Exception as error:
                raise FaultError(f"the model server failed: {error!r}") from error
            if said.stop_reason in ("abort", "aborted"):  # weights are changed in the middle of a message
                raise FaultError("the model server broke off a message")
            silent = silent or said.log_probs is None
            told.extend(said.log_probs or [0.0] * len(said.token_ids))
            return list(said.token_ids)

        async with own_thread() as work:
            one: Rollout = await work(
                lambda: rollout(
                    generate,
                    env_id,
                    arguments,
                    seed,
                    chat=chat,
                    case=case,
                    max_tokens=max_tokens,
                    max_turns=self.rollout_config.multi_turn.max_assistant_turns or None,
                )
            )
        probabilities = iter(told)
        return AgentLoopOutput(
            prompt_ids=list(one.prompt_ids),
            response_ids=list(one.completion_ids),
            response_mask=list(one.mask),
            response_logprobs=None if silent else [next(probabilities) if mine else 0.0 for mine in one.mask],
            reward_score=one.reward,
            num_turns=2 * one.turns + 1,
            metrics={},
            extra_fields={
                "turn_scores": [],
                "tool_rewards": [],
                "outcome": one.outcome,
                "reward_extra_info": {name: float(one.metrics.get(name, 0.0)) for name in METRICS},
            },
        )
