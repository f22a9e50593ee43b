"""An environment as a class with one method for each kind of action, for models that call tools."""

from __future__ import annotations

import inspect
import re
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from interactive_envs.errors import ConfigError, FaultError
from interactive_envs.making import make
from interactive_envs.training.llm.dialogue import Dialogue
from interactive_envs.training.llm.rows import read_row

BROKEN = "The environment failed. This episode ends here and is not counted."
"""The reply of a tool to which infrastructure failed."""


class Tools:
    """The base of the classes that :func:`tools_of` makes; ``reset`` and ``get_reward`` are no tools.

    An instance plays one episode after another. Besides the tools nothing is public but these two methods and the
    property ``dialogue``.
    """

    _env_id = ""
    _arguments: Mapping[str, Any] = {}

    def __init__(self) -> None:
        self._dialogue: Dialogue | None = None
        self._made: tuple[str, dict[str, Any]] | None = None

    def reset(self, **row: Any) -> str | None:
        """Start the episode of a row.

        Args:
            row: ``seed``, and optionally ``case``, ``arguments``, ``env_id`` and ``prompt``; anything else is ignored.

        Returns:
            The rules and the case; None where the row's prompt holds them.

        Raises:
            ConfigError: the row belongs to another environment.
        """
        env_id, arguments, seed, case = read_row({"env_id": self._env_id, **row})
        if env_id != self._env_id:
            raise ConfigError(f"these are the tools of {self._env_id}, and the row is of {env_id}; use tools_of for it")
        arguments = {**self._arguments, **arguments}
        if self._dialogue is None or self._made != (env_id, arguments):
            self._dialogue = Dialogue(env_id, arguments, actions="tools")
            self._made = (env_id, arguments)
        try:
            opening = self._dialogue.begin(seed, case)
        except FaultError:
            return BROKEN
        return None if row.get("prompt") else str(opening[-1]["content"])

    def get_reward(self) -> float | None:
        """What the episode pays; None where it was broken, which must not be learnt from.

        An episode that is not over is left: its reward is that of silence to the end.
        """
        dialogue = self.dialogue
        try:
            dialogue.leave()
        except FaultError:
            return None
        return dialogue.reward

    @property
    def dialogue(self) -> Dialogue:
        """The episode: its outcome, its metrics, what broke it.

        Raises:
            ConfigError: none has begun.
        """
        if self._dialogue is None:
            raise ConfigError("no episode has begun; call reset(seed=…) first")
        return self._dialogue

    def _send(self, text: str) -> str:
        if self.dialogue.over or self.dialogue.broken:
            raise ConfigError("the episode is over: no tool does anything any more")  # a model reads this
        try:
            return self.dialogue.step(text)
        except FaultError:
            return BROKEN


@dataclass(frozen=True)
class Action:
    """A kind of action as a tool.

    Attributes:
        name: of the tool, the action's tag.
        form: the message that it sends, with fields in braces.
    """

    name: str
    form: str

    @property
    def fields(self) -> tuple[str, ...]:
        """What the tool must be given, each a text."""
        return tuple(field for _, field, _, _ in string.Formatter().parse(self.form) if field)

    @property
    def about(self) -> str:
        """What the tool does, in a sentence."""
        return f"Send the action <{self.name}> of the rules."

    @property
    def about_fields(self) -> str:
        """What belongs into a field, in a sentence."""
        return f"what the rules write inside <{self.name}>."

    def text(self, given: Mapping[str, str]) -> str:
        """The message with its fields."""
        return self.form.format(**{field: given[field] for field in self.fields})


def actions_of(env_id: str, arguments: Mapping[str, Any] | None = None) -> tuple[Action, ...]:
    """The actions of an environment as tools.

    Args:
        env_id: a registered id.
        arguments: of the environment, as ``gym.make`` takes them.

    Raises:
        ConfigError: the environment cannot be made, or takes no text with tags.
    """
    env = make(env_id, **(arguments or {}))
    forms: Mapping[str, str] = getattr(env.unwrapped.task, "action_forms", {})  # type: ignore[attr-defined]
    env.close()
    if not forms:
        raise ConfigError(f"{env_id} has no text actions with tags, so it has no tools")
    return tuple(Action(tag, form) for tag, form in forms.items())


def tools_of(env_id: str, arguments: Mapping[str, Any] | None = None) -> type[Tools]:
    """Make the class with the tools of an id: ``ask(question)``, ``answer(text)``, ``move(name)`` and the like.

    Args:
        env_id: a registered id.
        arguments: of the environment; those of a row come on top.

    Raises:
        ConfigError: the environment cannot be made, or takes no text.

    >>> tools = tools_of("ibench/SituationPuzzle-v1")()
    >>> _ = tools.reset(seed=3)
    >>> print(tools.ask("1").splitlines()[-1], tools.get_reward())
    Rounds left: 7. 0.0
    """
    name = re.sub(r"\W+", "_", env_id.removeprefix("ibench/"))
    members = {action.name: _tool(action) for action in actions_of(env_id, arguments)}
    about = {"_env_id": env_id, "_arguments": dict(arguments or {}), "__doc__": f"The tools of {env_id}."}
    return type(name, (Tools,), {**members, **about, "__module__": __name__})


def _tool(action: Action) -> Callable[..., str]:
    """A method that sends an action."""

    def tool(self: Tools, *given: str, **named: str) -> str:
        bound = signature.bind(self, *given, **named)
        return self._send(action.text({field: str(bound.arguments[field]) for field in action.fields}))

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter(field, kind, annotation=str) for field in action.fields]
    signature = inspect.Signature([inspect.Parameter("self", kind), *parameters], return_annotation=str)
    described = [f"    {field}: {action.about_fields}" for field in action.fields]
    lines = [action.about, *(["", "Args:", *described] if described else [])]
    tool.__name__ = tool.__qualname__ = action.name
    tool.__doc__ = "\n".join([*lines, "", "Returns:", "    The reply."])
    tool.__annotations__ = {**dict.fromkeys(action.fields, str), "return": str}
    tool.__signature__ = signature  # type: ignore[attr-defined]
    return tool
