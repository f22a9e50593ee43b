"""A person at the terminal."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from interactive_envs.agent import Agent
from interactive_envs.errors import ConfigError
from interactive_envs.system.files import read_text
from interactive_envs.system.terminal import echo

HELP, QUIT = ("help", "?"), ("quit", "exit")
"""Messages that cost nothing: no environment hears of them."""
LISTED = 60
"""Legal actions that help lists at most."""
_DOCUMENT = re.compile(r"<!doctype html|<html\b", re.IGNORECASE)
_NUMBER = re.compile(r"(<\w+>)?\s*-?\d+\s*(</\w+>)?")
"""An action that is a number, with or without a tag."""
_END = re.compile(r"</html\s*>", re.IGNORECASE)


class HumanAgent(Agent):
    """Shows the observation and reads a line; what it cannot read the environment explains.

    ``help`` and ``?`` say what may be said, and ``quit`` leaves; none of them costs anything. A number alone is an
    action of help's list, where no action is a number itself. A line ``@page.html``
    sends that file's text. A line that begins an HTML document is read on until ``</html>``, and so is the next one,
    for a question.
    """

    name = "human"
    interactive = True

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Show the dialogue that precedes the episode, where there is one, as if it had been played here."""
        for message in (info or {}).get("preface", ()):
            echo(f"\n{message['content']}" if message["role"] == "user" else f"> {message['content']}")

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Ask for a line, or for a file or document.

        Raises:
            KeyboardInterrupt: the person left, by Ctrl-C or the end of the input.
        """
        if "remember" in info:
            echo("\n----- From here on, only this counts" + (", and how it began." if info["remember"] else "."))
        echo(f"\n{observation}")
        try:
            text = _line(">")
            while text.startswith("@") or text.strip().lower() in HELP:
                if text.startswith("@"):
                    try:
                        return read_text(Path(text[1:].strip()).expanduser())
                    except (OSError, ValueError) as error:
                        echo(f"{text[1:].strip()} cannot be read: {error}")
                else:
                    echo(help_text(info))
                text = _line(">")
            if text.strip().lower() in QUIT:
                raise KeyboardInterrupt
            if chosen := by_number(text.strip(), info):
                echo(f"> {chosen}")
                return chosen
            if _DOCUMENT.search(text):
                while not _END.search(text):
                    text += f"\n{_line('…')}"
                if "ask" in info.get("action_tags", ()) and "<ask>" not in text:
                    text += f"\n{_line('question>')}"
        except click.Abort as left:
            raise KeyboardInterrupt from left
        return text

    def witness(self, observation: str, info: Mapping[str, Any], action: str) -> None:
        """Show what another player saw and did."""
        echo(f"\n{observation}\n> {action or '(a message that could not be read)'}")

    def fork(self) -> Agent:
        """Refuse: a person remembers what was asked in between.

        Raises:
            ConfigError: always.
        """
        raise ConfigError("a person cannot be asked in between without a trace; leave out anytime, or the player human")

    def finish(self, observation: str, reward: float, info: Mapping[str, Any]) -> None:
        """Show the end and the solution."""
        echo(f"\n{observation}")
        if info.get("solution"):
            echo(f"\nThe solution: {info['solution']}")


def help_text(info: Mapping[str, Any]) -> str:
    """What may be said now."""
    legal = _shown(info)
    numbers = _numbered(legal)
    shown = [f"{number} {action}" if numbers else action for number, action in enumerate(legal[:LISTED], 1)]
    ways = ", ".join(shown) + (" …" if len(legal) > LISTED else "")
    names = info.get("action_tags", ())
    tags = ", ".join(f"<{tag}>…</{tag}>" for tag in names)
    parts = [
        f"You may say one of: {ways}." if ways else "",
        "A number alone picks that action." if numbers else "",
        f"Actions: {tags}. The brackets may be left out: {names[0]} …" if tags else "",
    ]
    parts.append("The rules stand in the first message. help and quit cost nothing.")
    return " ".join(part for part in parts if part)


def _shown(info: Mapping[str, Any]) -> Sequence[str]:
    """The legal actions, where a player is shown them."""
    return () if info.get("legal") == "hidden" else info.get("legal_actions") or ()


def _numbered(legal: Sequence[str]) -> bool:
    """Whether the numbers of a list of actions may stand for them: where none is a number itself."""
    return bool(legal) and not any(_NUMBER.fullmatch(action) for action in legal)


def by_number(text: str, info: Mapping[str, Any]) -> str:
    """The action of help's list that a number picks, "" where the text is for the environment."""
    legal = _shown(info)
    if not (_numbered(legal) and text.isascii() and text.isdigit() and len(text) < 5):
        return ""
    return str(legal[int(text) - 1]) if 1 <= int(text) <= len(legal) else ""


def _line(prompt: str) -> str:
    return str(click.prompt(prompt, prompt_suffix=" ", default="", show_default=False))
