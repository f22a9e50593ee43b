"""The suites that families name on their cards, and what is chosen from them."""

from __future__ import annotations

from collections.abc import Sequence

from interactive_envs import catalog
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.reporting.suites import Choice, Suite


def suite_names() -> list[str]:
    """List the suites by name."""
    return [name for card in catalog.families().values() for name in card.suites]


def find_suite(name: str) -> Suite:
    """Find a suite.

    Raises:
        UnknownNameError: there is none of this name.
    """
    named = {suite: where for card in catalog.families().values() for suite, where in card.suites.items()}
    if name not in named:
        raise UnknownNameError("suite", name, named)
    found: Suite = catalog.attribute(named[name])
    return found


def choose_suite(
    name: str,
    *,
    per_cell: int | None = None,
    difficulties: Sequence[int] | None = None,
    settings: Sequence[str] = (),
) -> Choice:
    """Choose the environments of a suite.

    Args:
        name: the suite's.
        per_cell: environments of each kind; None for as many as the suite has by itself.
        difficulties: levels; None for the suite's own.
        settings: of black boxes; none for the suite's own.

    Returns:
        Ids with their arguments.

    Raises:
        UnknownNameError: there is no such suite.
        ConfigError: the suite leaves no such choice, or a value is out of range.
    """
    suite = find_suite(name)
    asked = {"per_cell": per_cell, "difficulties": difficulties, "settings": settings or None}
    given = {option: value for option, value in asked.items() if value is not None}
    refused = [option for option in given if option not in suite.options]
    if refused:
        reason = suite.fixed or f"the suite {name} leaves no such choice"
        raise ConfigError(f"{reason}; leave out {', '.join(refused)}")
    return suite.choose(**given)
