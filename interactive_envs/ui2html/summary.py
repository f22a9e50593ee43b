"""The request that starts an episode: short, and incomplete on purpose."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.judges import prompts
from interactive_envs.judges.asking import Asker, Form
from interactive_envs.llm.calls import ModelCall
from interactive_envs.parsing import Unreadable, strip_thinking
from interactive_envs.specs import own_object, parse_spec
from interactive_envs.ui2html.rendering.drawing import drawn_target
from interactive_envs.ui2html.targets import description
from interactive_envs.ui2html.targets import designs as targets
from interactive_envs.ui2html.targets.sources import Target

LONGEST = 600
"""Characters of a request."""
MOST_SENTENCES = 4
OFFLINE = "offline"
_PROMPT = "ui2html-summary"

_MARKUP = re.compile(r"</?[a-z!]|```|[{}]", re.IGNORECASE)
_END = re.compile(r"[.!?]+[\"')\]]*(?=\s|$)")


@dataclass(frozen=True)
class Summary:
    """A request, and what it took to write it.

    Attributes:
        text: the request.
        calls: the model calls that were made.
    """

    text: str
    calls: tuple[ModelCall, ...] = ()


Summarizer = Callable[[Target, int], Summary]
"""Writes the request for a target at an omission level, 1 to 3.

Raises:
    ConfigError: there is no such level, or the target cannot be drawn.
    JudgeError: the model gave no readable request, or its endpoint failed; its ``calls`` are those made.
"""


class OwnSummarizer:
    """A summarizer of a user's own: an instance that a spec names as ``module:NAME``."""

    def __call__(self, target: Target, omission: int) -> Summary:
        """The request for a target, as :data:`Summarizer` says."""
        raise ConfigError(f"summarizer class {type(self).__name__} has no __call__(target, omission); define it")


def summarise(target: Target, omission: int, summarizer: str = OFFLINE) -> str:
    """The request for a target: the user's own where there is one, else the summarizer's.

    Args:
        target: what is to be built.
        omission: how much the request leaves out, 1 little to 3 most.
        summarizer: ``offline``, ``vlm:MODEL?options`` for a model that sees the target, or ``module:NAME`` for an
            :class:`OwnSummarizer`.

    Raises:
        ConfigError: there is no such level or summarizer, or the target cannot be drawn.
        JudgeError: the model gave no readable request, or its endpoint failed; its ``calls`` are those made.
    """
    return resolve_summarizer(summarizer)(target, omission).text


def resolve_summarizer(spec: str) -> Summarizer:
    """The summarizer that a spec names, checked and ready: see :func:`summarise`.

    Raises:
        ConfigError: the spec cannot be used.
    """
    parsed = parse_spec(spec)
    if parsed.name == OFFLINE:
        if parsed.target is not None or parsed.options:
            raise ConfigError(f"summarizer {OFFLINE!r} takes no target and no options, got {spec!r}")
        return offline
    if parsed.name != VisionSummarizer.name and (parsed.target or "").isidentifier():
        return own_object("summarizer", spec, OwnSummarizer)
    if parsed.name != VisionSummarizer.name:
        raise UnknownNameError("summarizer", parsed.name, [OFFLINE, VisionSummarizer.name])
    if not parsed.target:
        raise ConfigError(f"summarizer {spec!r} needs a model: {VisionSummarizer.name}:provider/name")
    return VisionSummarizer(parsed.target, **parsed.options)


class VisionSummarizer:
    """A language model that sees the target. Its replies are cached, so that equal resets cost nothing.

    Args:
        target: the model, as for the ``vlm`` judge.
        retries: further tries after a reply that cannot be used.
        prompt: folder with ``ui2html-summary.txt``, which replaces the prompt of this package.
        temperature: sampling temperature, None for the provider's own.
        **options: options of :func:`interactive_envs.llm.clients.client`; all others are sent with each request.
    """

    name: ClassVar[str] = "vlm"

    def __init__(
        self,
        target: str,
        *,
        retries: int = 2,
        prompt: str | None = None,
        temperature: float | None = 0,
        **options: Any,
    ) -> None:
        self._prompt = prompts.read_prompts([_PROMPT], prompt)[_PROMPT]
        source = f"summarizer {self.name}:{target}"
        self._asker = Asker(source, target, retries=retries, temperature=temperature, options=options)

    def __call__(self, target: Target, omission: int) -> Summary:
        """The request: one to four sentences."""
        _check(omission)
        if target.request is not None:
            return Summary(target.request)
        picture = {"target": drawn_target(target.for_judge()).png}
        text, calls = self._asker.ask(self._prompt.messages({"omission": str(omission)}, picture), REQUEST)
        return Summary(text, calls)

    @property
    def priced(self) -> bool:
        """Whether the cost of its model calls is known."""
        return self._asker.priced

    def describe(self) -> dict[str, Any]:
        """The model, the prompt's hash and the sampling parameters."""
        return {"name": self.name, "prompt_sha256": {_PROMPT: self._prompt.sha256}, **self._asker.describe()}


def offline(target: Target, omission: int) -> Summary:
    """The request without a model: our own pages know theirs; of others it tells what tree and picture show."""
    _check(omission)
    if target.request is not None:
        return Summary(target.request)
    if target.design is not None:
        return Summary(targets.request(target.design, omission))
    picture = drawn_target(target.for_judge())
    if target.html is None or not picture.tree:
        return Summary(description.of_picture(picture, omission))
    return Summary(description.of_page(target.html, picture, omission))


def read_request(text: str) -> str | Unreadable:
    """Read a request of one to four sentences, in one line.

    >>> read_request('"I need a page for a bakery.  It is light."')
    'I need a page for a bakery. It is light.'
    >>> read_request("<h1>Bakery</h1>")
    Unreadable(reason='It holds HTML or code.')
    """
    plain = " ".join(strip_thinking(text).split())
    if len(plain) > 1 and plain[0] == plain[-1] == '"' and plain.count('"') == 2:
        plain = plain[1:-1].strip()
    if not any(character.isalnum() for character in plain):
        return Unreadable("It is empty.")
    if _MARKUP.search(plain):
        return Unreadable("It holds HTML or code.")
    if len(plain) > LONGEST:
        return Unreadable(f"It has {len(plain)} characters, more than {LONGEST}.")
    ends = list(_END.finditer(plain))
    sentences = len(ends) + (not ends or ends[-1].end() < len(plain))
    if sentences > MOST_SENTENCES:
        return Unreadable(f"It has {sentences} sentences, more than {MOST_SENTENCES}.")
    return plain


REQUEST: Form[str] = Form(
    "request",
    read_request,
    "Your reply could not be used: $problem Reply with the request only: one to four sentences of plain prose, at most "
    f"{LONGEST} characters, no HTML and no code.",
)
"""A reply that is a request."""


def _check(omission: int) -> None:
    if isinstance(omission, bool) or omission not in targets.OMISSIONS:
        raise ConfigError(f"omission must be 1, 2 or 3, got {omission!r}")
