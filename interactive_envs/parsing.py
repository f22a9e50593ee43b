"""The one tolerant reader of what agents write, and the reader of options in specs.

What it cannot read never becomes an action: it returns an :class:`Unreadable` with the reason.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import unquote

from interactive_envs.errors import ConfigError

TIMEOUT_ACTION = "<timeout/>"
"""What a runner hands the environment for an agent that exceeded its thinking time."""

DEEPEST_VALUE = 32
"""Lists and objects within each other that the value of an argument or option may have."""

_THINKING = re.compile(r"<(/?)(?:think|thinking|reasoning)>", re.IGNORECASE | re.ASCII)
_NOT_MEANT = re.compile(
    r"""(?: (?<!\bwhy\ )(?<!\bor\ )
            (?: \bnot | \bnever | n['\u2019]t | \bcannot | \bavoid | \binstead\ of | \brather\ than )
            (?:\ (?:play|ask|answer|choose|pick|move|send|say|give|query|write|use|take|go)(?:ing)?(?:\ (?:with|for))?)?
          | \b(?:for\ example|for\ instance|e\.g\.|such\ as) [:,]?
          | \b(?:opponent|player|seat\ \d+|first|second|they|he|she)(?:\ (?:has|have|had|just|then|last))*
            \ (?:played|plays|chose|chooses|asked|answered|moved|picked|sent|took|said|wrote) [:,]?
          | (?:'s|s'|\btheir|\bhis|\bher)\ (?:\w+\ )?(?:move|action|choice|answer|question)\ (?:is|was) [:,]? )
        [ \t]* ["'\u201c\u2018`*(]* \Z""",
    re.IGNORECASE | re.VERBOSE,
)
_BEFORE_ACTION = 80
"""Characters before an action that may say it is not meant."""
_FENCE_LINE = re.compile(r"^[^\S\n]*```[\w-]*[^\S\n]*$", re.MULTILINE)


@dataclass(frozen=True)
class Action:
    """A readable action: its tag, what stands inside it, and the text around it."""

    tag: str
    body: str
    reasoning: str = ""
    before: str = field(default="", compare=False, repr=False)
    """The text right before it."""


@dataclass(frozen=True)
class Unreadable:
    """Why a text is no action; ``reason`` is a sentence for the player."""

    reason: str


@dataclass(frozen=True)
class Illegal(Unreadable):
    """Why an action that could be read is not allowed now: its player knows the form, and must choose another one."""


def is_not_meant(before: str) -> bool:
    """Whether the words right before an action, on its line, say that it is not what its writer does.

    They deny it, give an example or report somebody else's.

    >>> is_not_meant("I will not play "), is_not_meant("The opponent played: "), is_not_meant("Then I play ")
    (True, True, False)
    """
    return _NOT_MEANT.search(before[-_BEFORE_ACTION:]) is not None


def read_action(
    text: str,
    tags: Sequence[str],
    *,
    short_forms: Mapping[str, Sequence[str]] | None = None,
    may_be_empty: Collection[str] = (),
) -> Action | Unreadable:
    """Read exactly one action out of a message.

    Accepted are ``<tag>body</tag>`` anywhere, a last tag left open, and per tag its short forms:
    ``word: body`` at the start of a line, or ``word body`` when that is the whole message. Code fences and
    thinking blocks are put aside; saying the same action twice is one action, two different ones are
    unreadable, and so is one that the words before it deny, quote as an example or report of somebody else.

    Args:
        text: the agent's message, any string.
        tags: the tags the environment knows.
        short_forms: words that stand for a tag, e.g. ``{"ask": ["ask", "q"]}``.
        may_be_empty: tags that mean something with nothing inside: ``<size></size>``, ``<size/>``.

    >>> read_action("Let me see. <ask>Was it dark?</ask>", ["ask", "answer"])
    Action(tag='ask', body='Was it dark?', reasoning='Let me see.')
    >>> read_action("ask 3", ["ask"], short_forms={"ask": ["ask"]}).body
    '3'
    >>> read_action("<ask>1</ask> <ask>2</ask>", ["ask"])
    Unreadable(reason='I found 2 different actions; give exactly one.')
    """
    if (alone := _alone(text, tags)) and (alone.body or alone.tag in may_be_empty):
        return alone
    if text.strip() == TIMEOUT_ACTION:
        return Unreadable("The time limit for this action was exceeded.")
    plain = _FENCE_LINE.sub("", strip_thinking(text)).strip()
    if not plain:
        return Unreadable("The message is empty.")
    for tag in may_be_empty:
        plain = re.sub(rf"<{re.escape(tag)}\s*/>", f"<{tag}></{tag}>", plain, flags=re.IGNORECASE | re.ASCII)
    found = _tagged(plain, tags) or _short(plain, short_forms or {})
    distinct = {(action.tag, action.body): action for action in found}
    if len(distinct) > 1:
        return Unreadable(f"I found {len(distinct)} different actions; give exactly one.")
    if not distinct:
        forms = " or ".join(f"<{tag}></{tag}>" if tag in may_be_empty else f"<{tag}>…</{tag}>" for tag in tags)
        return Unreadable(f"I found no action; write {forms}.")
    action = next(iter(distinct.values()))
    if all(is_not_meant(one.before) for one in found):
        return Unreadable(f"I cannot tell whether you mean the {action.tag} action; give it on a line of its own.")
    if action.body or action.tag in may_be_empty:
        return action
    return Unreadable(f"The {action.tag} action is empty.")


def _alone(text: str, tags: Sequence[str]) -> Action | None:
    """The action of a message that is nothing else, as programs write it; None for all others, which take longer."""
    opening, _, rest = text.partition(">")
    tag, body = opening[1:], rest[: -len(opening) - 2]
    if opening[:1] != "<" or tag not in tags or not rest.endswith(f"</{tag}>"):
        return None
    if "<" in body or "```" in body or _THINKING.match(f"{opening}>"):
        return None
    return Action(tag.lower(), _squeeze(body))


def action_forms(tags: Sequence[str], empty: Sequence[str] = ()) -> dict[str, str]:
    """By tag a message that uses it, with what stands inside as a field in braces.

    Args:
        tags: of the actions.
        empty: those with nothing inside.

    >>> action_forms(["ask", "ready"], ["ready"])
    {'ask': '<ask>{question}</ask>', 'ready': '<ready></ready>'}
    """
    fields = {"ask": "question", "move": "name"}
    inside = {tag: "" if tag in empty else f"{{{fields.get(tag, 'text')}}}" for tag in tags}
    return {tag: f"<{tag}>{inside[tag]}</{tag}>" for tag in tags}


def strip_thinking(text: str) -> str:
    """A reply without its thinking, in linear time.

    A closing tag without an opening one ends thinking whose opening tag the chat template wrote; an opening tag
    without a closing one begins thinking that was cut off.

    >>> strip_thinking("<think>Hm.</think>yes")
    'yes'
    >>> strip_thinking("Hm.</think>yes<reasoning>But")
    'yes'
    """
    kept, begin, inside = [], 0, False
    for tag in _THINKING.finditer(text):
        if not inside:
            kept.append(text[begin : tag.start()])
            if tag[1]:
                kept.clear()
        inside = not tag[1]
        begin = tag.end()
    if not inside:
        kept.append(text[begin:])
    return " ".join(kept).strip()


def read_options(query: str, owner: str) -> dict[str, Any]:
    """Read ``key=value&key=value``: percent-decoded, then as JSON where it is JSON, else as text.

    Args:
        query: the options.
        owner: whose they are, for messages.

    Raises:
        ConfigError: an option has no name or no value.

    >>> read_options("temperature=0&note=a%26b", "llm")
    {'temperature': 0, 'note': 'a&b'}
    """
    options: dict[str, Any] = {}
    for pair in filter(None, query.split("&")):
        key, equals, value = pair.partition("=")
        if not (key and equals):
            raise ConfigError(f"option {pair!r} of {owner!r} is not key=value")
        options[unquote(key)] = json_or_text(unquote(value))
    return options


def json_or_text(text: str) -> Any:
    """A value that somebody wrote: what it says as JSON, else the text itself.

    JSON that no argument needs, nested deeply or with a number of thousands of digits, is a text too.

    >>> json_or_text("[1, 2]"), json_or_text("free")
    ([1, 2], 'free')
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if _depth(value) <= DEEPEST_VALUE else text


def _depth(value: Any) -> int:
    """How many lists and objects lie within each other."""
    depth, layer = 0, [value]
    while layer := [one for one in layer if isinstance(one, dict | list)]:
        depth += 1
        layer = [inner for one in layer for inner in (one.values() if isinstance(one, dict) else one)]
    return depth


class _Patterns(NamedTuple):
    """What finds actions of some tags: closed ones, a last one left open, and closing tags."""

    closed: re.Pattern[str]
    opened: re.Pattern[str]
    closing: re.Pattern[str]


@functools.lru_cache(1024)
def _patterns(tags: tuple[str, ...]) -> _Patterns:
    names = "|".join(re.escape(tag) for tag in tags)
    # The inside holds no opening tag: of "<ask> is how I ask: <ask>1</ask>" the last is meant, and a thousand openings
    # take no quadratic time. ASCII, for otherwise a long s (U+017F) is an s.
    flags = re.DOTALL | re.IGNORECASE | re.ASCII
    inside = rf"<({names})>((?:(?!<(?:{names})>).)*"
    forms = (rf"{inside}?)</\1>", rf"{inside})\Z", rf"</(?:{names})>")
    return _Patterns(*(re.compile(form, flags) for form in forms))


def _tagged(text: str, tags: Sequence[str]) -> list[Action]:
    closed, opened_last, closing = _patterns(tuple(tags))
    around = _squeeze(closed.sub(" ", text))
    found = [
        Action(
            match[1].lower(), _squeeze(match[2]), around, text[max(0, match.start() - _BEFORE_ACTION) : match.start()]
        )
        for match in closed.finditer(text)
    ]
    if found:
        return found
    # A model stopped by a stop sequence or a token limit leaves its last tag open.
    opened = opened_last.search(text)
    if not opened:
        return []
    body = closing.sub(" ", opened[2])  # closed by the wrong tag
    before = text[: opened.start()]
    return [Action(opened[1].lower(), _squeeze(body), _squeeze(before), before)]


def _short(text: str, short_forms: Mapping[str, Sequence[str]]) -> list[Action]:
    found = []
    for tag, words in short_forms.items():
        names = "|".join(re.escape(word) for word in words)
        label = re.compile(rf"^[ \t>*_#-]*(?:{names})[ \t*_]*:[ \t*_]*(.+)$", re.MULTILINE | re.IGNORECASE)
        around = _squeeze(label.sub("", text))
        found += [Action(tag, _squeeze(match[1]), around) for match in label.finditer(text)]
        if "\n" not in text:
            whole = re.fullmatch(rf"(?:{names})[ \t]+([^:\s].*)", text, re.IGNORECASE)
            found += [Action(tag, _squeeze(whole[1]))] if whole else []
    return found


def _squeeze(text: str) -> str:
    return " ".join(text.split())


_OPEN = re.compile(
    r"(?:(?:and|but|so|ok|okay|then|well|now|please|in|at|on|by|for|from|of|to|with)\W+)*"
    r"(?:what|who|whom|whose|why|how|when|where|which)\b",
    re.I,
)
_TELL = re.compile(
    r"\b(?:tell|explain|describe|give|reveal|show)\s+(?:me|us)\b|^\W*(?:explain|describe|reveal)\b", re.I
)
_CLOSED_AFTER_COMMA = re.compile(
    r",\s*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|might)\b", re.I
)


def is_open(body: str) -> bool:
    """Whether a question asks for more than yes or no.

    >>> is_open("Why did she leave?"), is_open("When he left, was he alone?"), is_open("Did he know who came?")
    (True, False, False)
    """
    text = body.strip(" \"'*“”")
    return bool(_TELL.search(text) or (_OPEN.match(text) and not _CLOSED_AFTER_COMMA.search(text)))
