"""A text of Python whose functions are called by name, in the sandbox unless its author is trusted."""

from __future__ import annotations

import functools
import json
import types
from collections.abc import Sequence
from typing import Any

from interactive_envs.sandbox.run import Limits, Reason, Sandbox, SandboxError

LIMITS = Limits()


class Module:
    """Functions of a text, which take and return JSON values.

    Args:
        source: the text. It may import the standard library.
        trusted: whether it runs in this process; anything else has a process of its own for each call.
        limits: of a call in the sandbox.
    """

    def __init__(self, source: str, *, trusted: bool = False, limits: Limits = LIMITS) -> None:
        self.source, self.trusted, self.limits = source, trusted, limits

    def call(self, function: str, arguments: Sequence[Any] = ()) -> Any:
        """What a function returns.

        Raises:
            SandboxError: it fails, breaks a limit, or returns what is no JSON.
            FaultError: the sandbox cannot work.
        """
        if not self.trusted:
            return _sandbox(self.limits).call(self.source, function, arguments)
        try:
            return json.loads(json.dumps(self._namespace[function](*arguments), allow_nan=False))
        except (TypeError, ValueError) as error:
            raise SandboxError(Reason.NOT_JSON, str(error)) from error

    @functools.cached_property
    def _namespace(self) -> dict[str, Any]:
        module = types.ModuleType("foreign")
        exec(compile(self.source, "foreign.py", "exec"), module.__dict__)  # noqa: S102  trusted, see above
        return module.__dict__


@functools.cache
def _sandbox(limits: Limits) -> Sandbox:
    """One for the process; it starts at the first call."""
    return Sandbox(limits=limits)
