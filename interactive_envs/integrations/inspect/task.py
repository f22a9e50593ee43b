"""The task ``interactive_envs/ibench`` of inspect_ai: its model plays one of our environments.

``inspect eval interactive_envs/ibench -T env_id=ibench/SituationPuzzle-v1 -T episodes=5 --model openai/gpt-5-mini``
"""

from __future__ import annotations

import functools
from typing import Any

import anyio
import anyio.from_thread
import anyio.lowlevel
import anyio.to_thread
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import HeadlineMetric
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    Model,
    ModelOutput,
    get_model,
)
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import store

from interactive_envs.errors import FaultError
from interactive_envs.evaluation.run.episode import Spending
from interactive_envs.evaluation.run.pool import Tables
from interactive_envs.integrations.inspect.bridge import CarriedError, HarnessAgent, Table, play
from interactive_envs.integrations.inspect.log import task_name
from interactive_envs.integrations.inspect.samples import chat, dialogue_of, metadata_of, scores_of_record
from interactive_envs.llm.base import CompletionRequest
from interactive_envs.llm.calls import ModelCall, Usage
from interactive_envs.llm.http import ContextOverflowError

SCORES = "ibench_scores"
"""Where in a sample's store its scores are; nothing is there where it was not played to its end."""
EPISODES_AT_ONCE = 10_000
"""Threads that episodes may wait in: as many as inspect_ai plays samples at once."""
FINISH_REASONS = {"max_tokens": "length"}
"""What we call a reason to stop where inspect_ai has another word."""
_MESSAGES = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}


@task
def ibench(
    env_id: str,
    episodes: int | None = None,
    seed: int = 0,
    judge: str | None = None,
    history: str | None = None,
    prompt: str | None = None,
    **arguments: Any,
) -> Task:
    """One of our environments, with the cases and seeds of ``ibench run``.

    Args:
        env_id: of the environment; ``ibench list`` has them.
        episodes: cases to play, from the first; all, or 20 where they have no end. Epochs play them with other seeds.
        seed: of the run: the same as that of ``ibench run`` gives the same episodes.
        judge: spec of the judge, where one is asked.
        history: how much of the dialogue is sent: ``full``, ``last:N`` or ``none``; the environment's own by default.
        prompt: a file with another system prompt.
        arguments: of the environment, such as ``mode=menu``.
    """
    table = Table.lay(env_id, arguments, judge=judge, episodes=episodes, seed=seed)
    name = task_name(table.cell)
    samples = [
        Sample(
            id=index + 1,
            input=f"{name}, case {index + 1}",  # what a model is sent is the environment's, at the sample's own seed
            metadata={"case_index": index, "case": case, "env_id": env_id},
        )
        for index, case in enumerate(table.cases)
    ]
    return Task(
        dataset=MemoryDataset(samples, name=env_id),
        solver=play_environment(env_id, seed=seed, judge=judge, history=history, prompt=prompt, arguments=arguments),
        scorer=[success(), reward(), turns(), invalid()],
        headline_metric=HeadlineMetric(scorer="reward", metric="mean"),
        name=name,
        metadata={"env_key": table.key},
    )


@solver
def play_environment(
    env_id: str,
    seed: int = 0,
    judge: str | None = None,
    history: str | None = None,
    prompt: str | None = None,
    arguments: dict[str, Any] | None = None,
) -> Solver:
    """Play a sample's episode: our runner in a thread, whose model calls come back to inspect_ai.

    A fault of the provider or the judge is raised, so that the sample has an error, may be tried again
    (``--retry-on-error``), and is never scored.
    """
    table = Table.lay(env_id, arguments or {}, judge=judge, episodes=None, seed=seed)
    judges = Tables()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate  # a solver's own shorthand for one model call after the other
        index = state.metadata["case_index"]
        job = table.job(index, state.epoch - 1)
        model = get_model()
        agent = HarnessAgent(str(model), functools.partial(_complete, model), env_id, history=history, prompt=prompt)
        spending = Spending(None)
        shared = None if judge is None else judges.judge(judge)
        try:
            record = await anyio.to_thread.run_sync(
                functools.partial(play, job, agent, shared, spending), abandon_on_cancel=True, limiter=_threads()
            )
        except CarriedError as carried:
            raise (carried.__cause__ or carried) from None
        finally:
            spending.stop()  # whoever was abandoned in a thread ends before its next action
        state.messages = [_message(**message) for message in dialogue_of(record, f"{index}-{state.epoch}")]
        said = [message for message in state.messages if message.role == "assistant"]
        state.output = ModelOutput.from_content(str(model), said[-1].text if said else "")
        state.metadata |= metadata_of(record) | {"solution": record.solution}
        store().set(SCORES, scores_of_record(record))
        return state

    return solve


def _score(name: str) -> Scorer:
    async def score(state: TaskState, target: Target) -> Score | None:
        del target
        found = state.store.get(SCORES, {}).get(name)
        return None if found is None else Score(**found)

    return score


@scorer(metrics=[mean(), stderr()])
def success() -> Scorer:
    """Whether the episode was solved within its rounds; none where it is paid rather than solved."""
    return _score("success")


@scorer(metrics=[mean(), stderr()])
def reward() -> Scorer:
    """The episode's return."""
    return _score("reward")


@scorer(metrics=[mean(), stderr()])
def turns() -> Scorer:
    """Rounds spent."""
    return _score("turns")


@scorer(metrics=[mean(), stderr()])
def invalid() -> Scorer:
    """Messages that could not be read."""
    return _score("invalid")


def _complete(model: Model, request: CompletionRequest) -> ModelCall:
    """Complete a dialogue: called in the episode's thread, done in inspect_ai's loop.

    Raises:
        ContextOverflowError: the dialogue does not fit; our player then leaves out the oldest exchange.
        FaultError: the provider filtered the reply: that is no play.
    """
    messages = [_message(**chat(message)) for message in request.messages]
    output = anyio.from_thread.run(model.generate, messages)
    reason = output.stop_reason if output.choices else "unknown"
    if reason == "model_length":
        raise ContextOverflowError(f"{model}: the dialogue does not fit")
    if not output.choices or reason == "content_filter":
        raise FaultError(f"{model} gave no reply: {output.error or reason}")
    usage = output.usage
    cached = (usage.input_tokens_cache_read or 0) if usage else 0
    return ModelCall(
        str(model),
        tuple(request.messages),
        output.completion,
        FINISH_REASONS.get(reason, reason),
        Usage(usage.input_tokens + cached, usage.output_tokens, usage.reasoning_tokens or 0, cached)
        if usage
        else Usage(),
        usage.total_cost if usage else None,
        output.time or 0.0,
        output.model or None,
    )


def _message(role: str, **fields: Any) -> ChatMessage:
    return _MESSAGES[role](**fields)


@functools.cache
def _threads_of(_: int) -> anyio.CapacityLimiter:
    return anyio.CapacityLimiter(EPISODES_AT_ONCE)


def _threads() -> anyio.CapacityLimiter:
    """Threads of this loop that are not inspect_ai's own: those would wait for episodes that wait for them."""
    return _threads_of(id(anyio.lowlevel.current_token()))
