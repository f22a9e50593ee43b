"""A person at the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from interactive_envs.agent import Agent


def printable(text: str) -> str:
    """A text without the control sequences that would let a puzzle or a model redraw the terminal."""
    return "".join(mark if mark.isprintable() or mark in "\n\t" else "\N{REPLACEMENT CHARACTER}" for mark in text)


class HumanAgent(Agent):
    """Shows the observation and reads one line; what it cannot read the environment explains."""

    name = "human"
    interactive = True

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Ask for a line.

        Raises:
            KeyboardInterrupt: the person left, by Ctrl-C or the end of the input.
        """
        click.echo(f"\n{printable(observation)}")
        try:
            return str(click.prompt(">", prompt_suffix=" ", default="", show_default=False))
        except click.Abort as left:
            raise KeyboardInterrupt from left

    def finish(self, observation: str, reward: float, info: Mapping[str, Any]) -> None:
        """Show the end and the solution."""
        click.echo(f"\n{printable(observation)}")
        if info.get("solution"):
            click.echo(f"\nThe explanation: {printable(info['solution'])}")
