"""Stand-ins for frameworks that are not installed here: of each the little that its adapter touches.

The adapters are also run with the real ones, each in an environment of its own: with_verifiers.py and so on.
"""

from __future__ import annotations

import asyncio
import importlib
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from types import ModuleType, SimpleNamespace
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

T = TypeVar("T")
U = TypeVar("U")


@contextmanager
def adapter(name: str, **modules: dict[str, Any] | None) -> Iterator[Any]:
    """The adapter of this name, imported while these modules stand in; dots are written as two underscores."""
    ours = f"interactive_envs.training.llm.{name}"
    named = {key.replace("__", "."): about for key, about in modules.items()}
    kept = {key: sys.modules.pop(key) for key in (*named, ours) if key in sys.modules}
    for key, about in named.items():
        sys.modules[key] = module(key, about)  # type: ignore[assignment]
    try:
        yield importlib.import_module(ours)
    finally:
        for key in (*named, ours):
            sys.modules.pop(key, None)
        sys.modules.update(kept)


def module(name: str, about: dict[str, Any] | None) -> ModuleType | None:
    """A module with these attributes; None for one that cannot be imported."""
    if about is None:
        return None
    made = ModuleType(name)
    made.__dict__.update(about)
    return made


class TaskData(BaseModel):
    idx: int | None = None
    name: str | None = None
    system_prompt: str | None = None
    prompt: Any = None


class Task(Generic[T]):
    def __init__(self, data: T, config: Any = None) -> None:
        self.data, self.config = data, config


class TasksetConfig(BaseModel):
    task: Any = None


class Taskset(Generic[T, U]):
    def __init__(self, config: Any) -> None:
        self.config = config


class AgentConfig(BaseModel):
    runtime: Any = None


class EnvConfig(BaseModel):
    pass


class Env(Generic[T]):
    def __init__(self, config: Any) -> None:
        self.config = config


class Harness(Generic[T]):
    def resolve_prompt(self, data: Any) -> tuple[Any, Any]:
        return data.system_prompt, data.prompt


class ProgramResult(SimpleNamespace):
    def __init__(self, exit_code: int, stdout: str, stderr: str) -> None:
        super().__init__(exit_code=exit_code, stdout=stdout, stderr=stderr)


def verifiers() -> dict[str, dict[str, Any]]:
    names = (TaskData, Task, TasksetConfig, Taskset, AgentConfig, EnvConfig, Env, Harness)
    v1 = {cls.__name__: cls for cls in names} | {"HarnessConfig": BaseModel}
    return {
        "verifiers": {"v1": module("verifiers.v1", v1)},
        "verifiers__v1": v1,
        "verifiers__v1__dialects__chat": {"message_to_wire": dict},
        "verifiers__v1__runtimes": {"ProgramResult": ProgramResult},
    }


class Trace(SimpleNamespace):
    def __init__(self) -> None:
        super().__init__(errors=[], is_timeout=False, ok=False, stop_condition=None, info={}, rewards={}, metrics={})

    def record_error(self, error: Exception) -> None:
        self.errors.append(error)
        self.ok = False

    def record_reward(self, name: str, value: float) -> None:
        self.rewards[name] = value

    def record_metric(self, name: str, value: float) -> None:
        self.metrics[name] = value


class Talker:
    """An agent that says these texts; ``end`` is how its last turn goes: it fails, or reaches a limit, or runs late."""

    trainable = True

    def __init__(self, texts: Sequence[str], end: str | None = None) -> None:
        self.texts, self.end = list(texts), end
        self.trace = Trace()
        self.heard: list[str] = []

    async def turn(self, messages: list[Any]) -> Any:
        await asyncio.sleep(0)
        self.heard += [message["content"] for message in messages]
        if self.texts:
            said = SimpleNamespace(role="assistant", content=self.texts.pop(0))
            return SimpleNamespace(terminated=False, messages=[said])
        if self.end == "fault":
            self.trace.record_error(RuntimeError("502"))
        self.trace.is_timeout = self.end == "late"
        self.trace.stop_condition = self.end
        return SimpleNamespace(terminated=True, messages=[])

    @asynccontextmanager
    async def interaction(self, task: Any) -> AsyncIterator[Talker]:
        try:
            yield self
        except Exception as error:
            self.trace.record_error(error)
            raise
        finally:
            self.trace.ok = not self.trace.errors


class BaseTextEnv:
    turns = 0


def skyrl() -> dict[str, dict[str, Any]]:
    registry: dict[str, Any] = {}

    def register(id: str, entry_point: str) -> None:
        if id in registry:
            raise RuntimeError(f"{id} is registered")
        registry[id] = entry_point

    envs = SimpleNamespace(registration=SimpleNamespace(registry=registry))
    return {
        "skyrl_gym": {"envs": envs, "register": register},
        "skyrl_gym__envs": {},
        "skyrl_gym__envs__base_text_env": {"BaseTextEnv": BaseTextEnv, "BaseTextEnvStepOutput": dict},
    }


class AgentLoopBase:
    """What a loop finds around itself.

    Args:
        tokenizer: of the model.
        server: the ids of a message for the ids of all so far.
        length: of prompt and response, in tokens.
    """

    def __init__(self, tokenizer: Any, server: Callable[[list[int]], Any], length: tuple[int, int]) -> None:
        self.tokenizer, self.apply_chat_template_kwargs = tokenizer, {}
        turns = SimpleNamespace(max_assistant_turns=None)
        self.rollout_config = SimpleNamespace(prompt_length=length[0], response_length=length[1], multi_turn=turns)
        self.server_manager, self._server = self, server

    async def generate(self, *, request_id: str, prompt_ids: list[int], sampling_params: dict[str, Any]) -> Any:
        return self._server(prompt_ids)


def verl() -> dict[str, dict[str, Any]]:
    loop = {
        "AgentLoopBase": AgentLoopBase,
        "AgentLoopOutput": SimpleNamespace,
        "register": lambda name: lambda cls: cls,
    }
    return {
        "verl": {},
        "verl__experimental": {},
        "verl__experimental__agent_loop": {},
        "verl__experimental__agent_loop__agent_loop": loop,
    }
