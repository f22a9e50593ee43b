"""The provider ``ibench`` of inspect_ai: our players as its models, so that a task runs with no key.

``inspect eval interactive_envs/ibench -T env_id=ibench/SituationPuzzle-v1 --model ibench/rule``

What stands behind ``ibench/`` is the spec of a player: ``rule``, ``reference``, ``random``, ``trust/tft``,
``rule?questions=3``, ``local``. It is asked at its :class:`~interactive_envs.integrations.inspect.bridge.Seat`.
"""

from __future__ import annotations

from typing import Any

import anyio.to_thread
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from interactive_envs.integrations.inspect.bridge import Reply, taken_seat
from interactive_envs.integrations.inspect.samples import usage_json
from interactive_envs.llm.calls import Usage


@modelapi(name="ibench")
class Players(ModelAPI):  # type: ignore[misc]  # inspect_ai is in no lock file that mypy sees
    """A player of ours as a model: what it is asked is the turn that the task has under way, not the messages."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig(), **model_args)

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        """Ask the player at the seat of the turn under way."""
        seat = taken_seat(self.model_name)
        reply = await anyio.to_thread.run_sync(seat.play, self.model_name)
        return _output(f"ibench/{self.model_name}", reply)


def _output(model: str, reply: Reply) -> ModelOutput:
    usage = sum((call.usage for call in reply.calls), Usage())
    costs = [call.cost for call in reply.calls]
    known = [cost for cost in costs if cost is not None]
    message = ChatMessageAssistant(content=reply.text, source="generate", model=model)
    return ModelOutput(
        model=model,
        choices=[ChatCompletionChoice(message=message, stop_reason="stop")],
        usage=ModelUsage(**usage_json(usage, sum(known) if len(known) == len(costs) else None)),
    )
