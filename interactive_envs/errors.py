"""Every error this package raises on purpose, each with the remedy in its text."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from typing import Any

from interactive_envs.outcome import Fault

LISTED = 20
"""Known names that a message lists at most."""


class IbenchError(Exception):
    """Root of the package's errors; the command line prints one as a single line."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Errors cross process borders (pools, vector environments), also those whose constructors take parts.
        return _revived, (type(self), str(self), self.__dict__)


def _revived(cls: type[IbenchError], message: str, attributes: dict[str, Any]) -> IbenchError:
    error = cls.__new__(cls, message)
    error.__dict__.update(attributes)
    return error


class ConfigError(IbenchError, ValueError):
    """An argument, option or configuration has a value that cannot work."""


class UnknownNameError(ConfigError):
    """A name is not in its table; the message gives the nearest known one, or what several near ones begin with.

    >>> raise UnknownNameError("agent", "randon", ["random", "human"])
    Traceback (most recent call last):
    ...
    interactive_envs.errors.UnknownNameError: unknown agent 'randon'; did you mean 'random'?
    >>> print(UnknownNameError("game", "Sets", ["Set-odd-v0", "Set-even-v0", "Tests-v0"]))
    unknown game 'Sets'; did you mean 'Set-odd-v0' or another of the 2 that begin with 'Set'?
    """

    def __init__(self, kind: str, name: object, known: Iterable[str]) -> None:
        name, options = str(name), sorted(known, key=_naturally)
        more = f" and {len(options) - LISTED} more" if len(options) > LISTED else ""
        listed = f"known: {', '.join(options[:LISTED]) or 'none'}{more}"
        if more and kind == "environment":  # a few of hundreds tell nothing
            listed = "ibench list shows them"
        super().__init__(f"unknown {kind} {name!r}; {_suggestion(name, options) or listed}")
        self.name = name


def _naturally(name: str) -> list[tuple[int, str]]:
    """Sort key that puts ``figure 3`` before ``figure 10``."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", name)]


def _suggestion(name: str, options: Sequence[str]) -> str:
    """Ask whether the nearest known name is meant, or one of those whose first parts are nearer; '' if none is near.

    Long names share too few characters with a short beginning of theirs, so beginnings are compared with as many parts
    as the name has, without its version, and without a namespace if it has none.
    """
    begun = re.sub(r"-v\d+$", "", name)
    parts = 2 * len(re.split("[-/:]", begun)) - 1
    groups: dict[str, list[str]] = {}
    for option in options:
        own = option if "/" in name else option.rpartition("/")[2]
        groups.setdefault("".join(re.split("([-/:])", own)[:parts]), []).append(option)
    whole = _nearest(name, options, cutoff=0.5)
    group = _nearest(begun, groups, cutoff=0.8)
    if group[0] > whole[0]:
        found = groups[group[1]]
        more = f" or another of the {len(found)} that begin with {group[1]!r}" if len(found) > 1 else ""
        return f"did you mean {min(found, key=len)!r}{more}?"
    return f"did you mean {whole[1]!r}?" if whole[1] else ""


def _nearest(name: str, options: Iterable[str], cutoff: float) -> tuple[float, str]:
    """Return the most similar option with its similarity, 0 and '' if none is at least as similar as the cutoff."""
    near = difflib.get_close_matches(name, options, n=1, cutoff=cutoff)
    return (difflib.SequenceMatcher(None, near[0], name).ratio(), near[0]) if near else (0.0, "")


class MissingExtraError(IbenchError, ImportError):
    """An optional dependency is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an extra that is not installed: pip install 'interactive-envs[{extra}]'")
        self.extra = extra


class DatasetError(ConfigError):
    """A line of a data file cannot be used."""

    def __init__(self, path: object, line: int | None, field: str | None, problem: str) -> None:
        place = f"{path}" + (f", line {line}" if line is not None else "") + (f", field {field!r}" if field else "")
        super().__init__(f"{place}: {problem}")
        self.line = line
        self.field = field


class FaultError(IbenchError):
    """Infrastructure failed; the episode is no play and is never scored."""

    fault: Fault = Fault.ENV_ERROR
    calls: tuple[Any, ...] = ()
    """The calls (:class:`interactive_envs.llm.calls.ModelCall`) made for nothing, where known: they still cost."""


class ForeignCodeError(FaultError):
    """Code that nobody vetted failed, broke a limit or lied: no play, and yet no failure of the machine."""


class ProviderError(FaultError):
    """A model endpoint failed, timed out, refused or sent something that is no chat completion."""

    fault = Fault.PROVIDER_ERROR


class JudgeError(FaultError):
    """A judge gave no readable verdict, or its model failed."""

    fault = Fault.JUDGE_ERROR


class CostLimitError(IbenchError):
    """The run's cost limit is reached, or cannot be kept because a price is unknown."""
