"""Language models as players: what is sent, what is kept, and what happens when the context is full."""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar

from interactive_envs.agent import Agent
from interactive_envs.errors import ConfigError
from interactive_envs.llm.base import LONGEST_REPLY, CompletionRequest, Constraint, Message, ModelClient, kept
from interactive_envs.llm.calls import ModelCall
from interactive_envs.llm.clients import client, split_options
from interactive_envs.llm.http import ContextOverflowError
from interactive_envs.parsing import strip_thinking
from interactive_envs.system.files import read_text

NO_ANSWER = "(no answer)"
"""What history says of a reply that was thinking only, too long or too late: providers refuse empty messages."""
DEFAULT_PROMPT = "default"
PROMPTS = {"terse": "terse-v1.txt", "stepwise": "stepwise-v1.txt"}
"""Variants of the system prompt besides the default one: a changed text is another version, in another file."""
HALVINGS = 4
"""How often a text that does not fit by itself is cut in half."""


@dataclass
class Turn:
    """A message, its place in the dialogue, and the reply to it without the thinking; '' where nothing counts."""

    asked: Message
    place: int = 0
    reply: str = ""
    discarded: bool = False

    def messages(self) -> tuple[Message, Message]:
        """A user's message, then an assistant's: never empty."""
        reply = "" if self.discarded else self.reply
        return self.asked, {"role": "assistant", "content": reply or NO_ANSWER}


class LLMAgent(Agent):
    """A language model behind any provider, e.g. ``llm:openai/gpt-5-mini?temperature=0``.

    When the context is full the oldest exchanges are left out for good, never the rules; ``trimmed`` in the record
    counts them. If the rules and the newest message alone do not fit, the beginning of the longer one is kept.

    Args:
        target: provider and model, ``provider/model``.
        history: ``full``, ``last:N`` exchanges besides the rules, or ``none`` (the View's text alone, every time). None
            takes the environment's default.
        prompt: the system prompt: ``default``, ``terse`` (the action and nothing else), ``stepwise`` (short steps
            before it), or a file with another one. The record has its hash.
        constrain: offer the closed set of actions as a grammar where the endpoint can enforce one.
        options: client options (``base_url``, ``timeout``, …); everything else is passed to the provider, e.g.
            ``temperature`` (default 0), ``max_tokens``, ``reasoning_effort``.
    """

    name = "llm"
    default_prompt: ClassVar[str] = "player-v1.txt"

    def __init__(
        self,
        target: str,
        *,
        history: str | None = None,
        prompt: str | None = None,
        constrain: bool = False,
        **options: Any,
    ) -> None:
        if history is not None and not re.fullmatch(r"full|none|last:\d+", history):
            raise ConfigError(f"history must be full, none or last:N, got {history!r}")
        self._history = history
        self.system_prompt = _prompt(prompt, self.default_prompt)
        """What every dialogue begins with."""
        self._variant = PROMPTS.get(prompt or "", "").removesuffix(".txt")
        self._constrain = constrain
        self._client, self._parameters = self.connect(target, options)
        self._calls: list[ModelCall] = []
        self.reset()

    def connect(self, target: str, options: Mapping[str, Any]) -> tuple[ModelClient, dict[str, Any]]:
        """The client of the model, and the parameters of its requests; for players that reach a model another way."""
        for_client, parameters = split_options(target, options)
        return client(target, **for_client), {"temperature": 0} | parameters

    @property
    def repeats(self) -> bool:
        """No: a model may say something else the next time."""
        return False

    @property
    def priced(self) -> bool:
        """Whether the cost of its calls is known."""
        return self._client.priced

    @property
    def wants_view_text(self) -> bool:
        """Whether the runner should put the View's text into the info."""
        return self._history == "none"

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Begin a dialogue: the system prompt, then the environment's preface."""
        self._seed = seed
        self._keep = self._history or str((info or {}).get("history", "full"))
        self._head: list[Message] = [
            {"role": "system", "content": self.system_prompt},
            *(info or {}).get("preface", ()),
        ]
        self._turns: list[Turn] = []
        self._forgotten = 0
        self._acts = 0
        self._trimmed = 0
        self._grammar: Mapping[str, str] = (info or {}).get("grammar", {})

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Send what the history setting keeps, and return the raw reply."""
        exchange = self._hear(observation, info)
        turns = self._turns
        halvings = 0
        while True:
            past = (message for turn in turns[:-1] for message in turn.messages())
            messages = [*self._head, *past, exchange.asked]
            try:
                call = self._client.complete(
                    CompletionRequest(messages, self._request_parameters(), self._constraint(info), (self._seed,))
                )
            except ContextOverflowError:
                if len(turns) > 2:
                    del turns[1]
                    self._trimmed += 1
                elif halvings < HALVINGS:
                    halvings += 1
                    longest = max(turns, key=lambda turn: _length(turn.asked))
                    longest.asked = _halved(longest.asked)
                else:
                    raise
            else:
                break
        self._acts += 1
        self._calls.append(call)
        exchange.reply = strip_thinking(call.text) if len(call.text) <= LONGEST_REPLY else ""
        return call.text

    def _hear(self, observation: str, info: Mapping[str, Any]) -> Turn:
        """Add a message to what is kept of the dialogue."""
        place = int(info.get("message_range", (self._acts,))[0]) - self._forgotten
        if "remember" in info:  # messages that were never sent, because time ran out, have their places too
            self._forgotten += place - info["remember"]
            place = info["remember"]
            self._turns = [turn for turn in self._turns if turn.place < place]
        text = str(info["view_text"]) if self._keep == "none" and "view_text" in info else str(observation)
        exchange = Turn({"role": "user", "content": info.get("parts") or text}, place)
        self._turns = [*kept(self._turns, self._keep), exchange]
        return exchange

    def witness(self, observation: str, info: Mapping[str, Any], action: str) -> None:
        """Take another's turn into the dialogue, as if the model had written it; no model is asked."""
        self._hear(observation, info).reply = action

    def fork(self) -> LLMAgent:
        """A twin with a copy of the dialogue, which shares the connection; its calls are its own."""
        twin = copy.copy(self)
        vars(twin).update(_turns=[dataclasses.replace(turn) for turn in self._turns], _calls=[])
        return twin

    def discard_last(self) -> None:
        """Take back the reply that :meth:`act` gave last, or is about to give: the message stays, unanswered."""
        if self._turns:
            self._turns[-1].discarded = True

    def drain_calls(self) -> list[ModelCall]:
        """The calls since the last drain."""
        calls, self._calls = self._calls, []
        return calls

    def describe(self) -> dict[str, Any]:
        """Model, prompt hash, parameters, history, how many exchanges did not fit, and which variant a prompt is."""
        return {
            "name": self.name,
            "model": self._client.model,
            "prompt_sha256": hashlib.sha256(self.system_prompt.encode()).hexdigest(),
            "parameters": self._parameters,
            "history": self._keep,
            "trimmed": self._trimmed,
            **({"prompt": self._variant} if self._variant else {}),
        }

    def _request_parameters(self) -> dict[str, Any]:
        return dict(self._parameters)

    def _constraint(self, info: Mapping[str, Any]) -> Constraint | None:
        if not self._constrain:
            return None
        legal = info.get("legal_actions")
        if legal and info.get("legal") != "hidden":
            return Constraint(choices=tuple(legal))
        tags = info.get("action_tags", ())
        if not tags:
            return None
        return Constraint(grammar=own_grammar(tags, self._grammar) if self._grammar else tag_grammar(tags))


class LocalAgent(LLMAgent):
    """The embedded local model: small, real, and kept to the actions' form by a grammar.

    Args:
        target: the local model's name, by default the only one there is.
        history: see :class:`LLMAgent`.
        prompt: see :class:`LLMAgent`.
        temperature: of the sampling, which the episode's seed decides.
        max_tokens: longest reply.
        presence_penalty: against saying the same again, over the last ``repeat_last_n`` tokens.
        repeat_last_n: see ``presence_penalty``.
        cache: read earlier replies from the cache; it costs nothing to ask again, so no by default.
        options: further options of the client or the model.
    """

    name = "local"
    default_prompt = "local-v1.txt"

    def __init__(
        self,
        target: str = "smollm2-135m",
        *,
        history: str | None = None,
        prompt: str | None = None,
        temperature: float = 0.6,
        max_tokens: int = 120,
        presence_penalty: float = 1.0,
        repeat_last_n: int = 120,
        cache: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(
            f"local/{target}",
            history=history,
            prompt=prompt,
            constrain=True,
            cache=cache,
            temperature=temperature,
            max_tokens=max_tokens,
            presence_penalty=presence_penalty,
            repeat_last_n=repeat_last_n,
            **options,
        )

    def _request_parameters(self) -> dict[str, Any]:
        return {**self._parameters, "seed": ((self._seed or 0) + self._acts) % 2**31}


def tag_grammar(tags: Sequence[str]) -> str:
    r"""A GBNF grammar for one tagged action that holds one short sentence in plain words.

    Small models otherwise copy the rules, or list numbers until the token limit.

    >>> print(tag_grammar(["ask"]))
    root ::= ask
    ask ::= "<ask>" ("Was" | "Were" | "Did" | "Had" | "Is" | "Could") " " words "?</ask>"
    words ::= word (" " word){3,9}
    word ::= [a-z']{1,11}
    """
    openers = {"ask": ("Was", "Were", "Did", "Had", "Is", "Could")}
    rules = [f"root ::= {' | '.join(tags)}"]
    for tag in tags:
        first = " | ".join(f'"{word}"' for word in openers.get(tag, ("The", "A", "He", "She", "They", "It")))
        end = "?" if tag == "ask" else "."
        rules.append(f'{tag} ::= "<{tag}>" ({first}) " " words "{end}</{tag}>"')
    return "\n".join([*rules, 'words ::= word (" " word){3,9}', "word ::= [a-z']{1,11}"])


def own_grammar(tags: Sequence[str], rules: Mapping[str, str]) -> str:
    """The grammar of a message out of the rules that an environment gives.

    Args:
        tags: those that are allowed now.
        rules: by tag; under '' what they share.
    """
    return "\n".join([f"root ::= {' | '.join(tags)}", *(f"{tag} ::= {rules[tag]}" for tag in tags), rules.get("", "")])


def _prompt(given: str | None, default: str) -> str:
    """The text of a variant, of the agent's own prompt, or of a file."""
    if given in (None, DEFAULT_PROMPT) or given in PROMPTS:
        name = PROMPTS.get(given or "", default)
        return (files("interactive_envs.agents") / "data" / name).read_text(encoding="utf-8").strip()
    try:
        return read_text(Path(str(given)).expanduser()).strip()
    except (OSError, ValueError) as error:
        known = ", ".join((DEFAULT_PROMPT, *PROMPTS))
        raise ConfigError(
            f"prompt {given!r} cannot be read: {error}; it is a variant ({known}) or the path of a text file"
        ) from error


def _length(message: Message) -> int:
    """How long a message's text is; parts cannot be cut."""
    return len(message["content"]) if isinstance(message["content"], str) else 0


def _halved(message: Message) -> Message:
    """The first half of a message that is too long for the model."""
    content = message["content"]
    return {**message, "content": content[: len(content) // 2]} if isinstance(content, str) else message
