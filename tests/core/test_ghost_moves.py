"""Messages from which a careless harness takes an action that their writer did not give: none is one here.

The patterns are those that turned up in other people's audits of recorded games: a legal action that is only named
somewhere in the message is never played, whatever went wrong with the one that was given.
"""

from __future__ import annotations

import re
from typing import Any

import gymnasium as gym
import pytest

from interactive_envs import catalog
from interactive_envs.holdem.reading import read_text
from interactive_envs.multiplayer.single_seat import SeatGame
from interactive_envs.parsing import Unreadable, is_not_meant, read_action
from interactive_envs.trust_game.reading import read_move

NONSENSE = "\N{SECTION SIGN}\N{SECTION SIGN}"
"""Inside a tag: no environment reads it."""

PATTERNS = {
    "prose after a bad tag": "<{tag}>{bad}</{tag}> That may not be possible; I could also play {body}.",
    "prose before a bad tag": "I could play {body}, but I prefer something else. <{tag}>{bad}</{tag}>",
    "prose alone": "I have thought about it for long, and {body} seems to be the best I have found so far.",
    "prose that denies it": "I will not play {body}, because it loses.",
    "a tag that is denied": "I will not play {action}, because it loses.",
    "a tag that is avoided": "It is best to avoid {action} here. Let me think again.",
    "a tag as an example": "The rules want one action per message, for example {action}, and nothing else.",
    "a tag of somebody else": "Before that, my opponent played {action} and I did not see why.",
    "a quoted tag of somebody else": 'The other player said "{action}" in the last turn.',
    "thinking only": "<think>{action} looks good. Let me play {body}.</think>",
    "thinking without an end": "<think>{action} looks good, but",
    "thinking whose beginning the template wrote": "So {action} it is.\n</think>\nI have decided.",
    "thinking, then a bad tag": "<think>{action} looks good.</think><{tag}>{bad}</{tag}>",
    "two tags": "{action} or rather {other}",
    "two tags, the last denied": "{action}\nI will not play {other}.",
    "two tags in a list": "1. {action}\n2. {other}\n",
    "two tags in code fences": "```\n{action}\n```\n```\n{other}\n```",
    "one tag in a code fence, one outside": "```\n{action}\n```\nMy move: {other}",
    "capital tags": "<{TAG}>{body}</{TAG}> <{tag}>{bad}</{tag}>",
    "a list of what there is": "Legal: {action}, {other}",
    "an echo of the rules": "> Write {action} or {other}.\nI see.",
    "JSON beside a bad tag": '<{tag}>{bad}</{tag}> {{"{tag}": "{body}"}}',
    "JSON alone": '{{"{tag}": "{body}"}}',
    "JSON in a fence": '```json\n{{"action": "{tag}", "{tag}": "{body}"}}\n```',
    "a tag of another kind": "<tool_call>{body}</tool_call>",
    "a tag with spaces": "< {tag} >{body}< / {tag} >",
    "a closing tag only": "{body}</{tag}>",
    "an attribute": '<{tag} value="{body}"/>',
    "square brackets": "[{tag}]{body}[/{tag}]",
    "a tag that was cut off": "I think I will go for <{tag}",
    "a tag left open before prose": "<{tag}>{bad} I could also play {body}",
    "numbers": "1. {body} is good\n2. {body} is better\n3. {body} is best",
    "an empty tag": "<{tag}>  </{tag}> {body}",
    "a refusal": "I am sorry, but I cannot play {body} or anything else.",
    "escaped": "&lt;{tag}&gt;{body}&lt;/{tag}&gt;",
}


WRAPPED = {"JSON alone", "JSON in a fence", "a tag of another kind", "a tag with spaces", "a closing tag only"}
"""Nothing but one action in an odd wrapping: the trust game takes a word that stands alone."""
QUESTION = {"a tag left open before prose"}
"""What is in the tag is a question of its own where a judge reads questions."""


PAGES = "ibench/UI2Html-v1"
"""What it takes is a document: it has no short action to name."""


def environments() -> list[str]:
    """One id of every class with short text actions."""
    seen: dict[str, str] = {}
    for env_id in catalog.ids():
        seen.setdefault(catalog.entry(env_id)["entry_point"], env_id)
    return [env_id for env_id in seen.values() if env_id != PAGES]


def start(env_id: str) -> tuple[Any, list[str]]:
    """The environment at its first turn, and two actions that it would accept now."""
    env = gym.make(env_id).unwrapped
    _, info = env.reset(seed=0)
    given = [text for text in info.get("legal_actions") or info["action_examples"] if "<ready>" not in text]
    readable = [text for text in given if re.fullmatch(r"<(\w+)>.+</\1>", text) and is_action(env, text)]
    return env, readable


def is_action(env: Any, text: str) -> bool:
    """Whether a message is an action, without playing it."""
    if isinstance(env, SeatGame):
        match = env._match  # noqa: SLF001 - what becomes of a text shows only when it is played
        return not isinstance(match.game.read(match.state, env.seat, text), Unreadable)
    return bool(env.protocol.read(env.state, text).kind != "invalid")


@pytest.mark.parametrize("env_id", environments())
def test_a_ghost_move_is_no_action(env_id: str) -> None:
    env, actions = start(env_id)
    assert actions
    played = []
    for action, other in zip(actions[:3], [*actions[1:3], actions[0]][:3], strict=False):
        tag, body = re.fullmatch(r"<(\w+)>(.+)</\1>", action).groups()  # type: ignore[union-attr]
        if action == other:
            continue
        names = {"tag": tag, "TAG": tag.upper(), "body": body, "action": action, "other": other, "bad": NONSENSE}
        spared = WRAPPED if "TrustGame" in env_id else QUESTION if env.asks_judge else set()
        texts = {name: text.format(**names) for name, text in PATTERNS.items() if name not in spared}
        played += [(name, text) for name, text in texts.items() if is_action(env, text)]
    env.close()
    assert played == []


@pytest.mark.parametrize("env_id", environments())
def test_the_same_actions_given_plainly_are_read(env_id: str) -> None:
    env, actions = start(env_id)
    plain = [
        "{0}",
        "I will not wait.\n{0}",
        "The opponent played well. {0}",
        "<think>{0}?</think>\n```\n{0}\n```",
        "{0} {0}",
    ]
    refused = [
        form.format(action) for action in actions[:3] for form in plain if not is_action(env, form.format(action))
    ]
    env.close()
    assert refused == []


@pytest.mark.parametrize(
    "text",
    [
        '<move>check</move> {"action": "raise", "amount": 300}',
        '<move>dance</move> {"action": "call"}',
        'I will not play {"action": "fold"}, never.',
        'For example {"action": "fold"} would be an answer.',
        '{"action": "fold" | "check" | "call", "amount": number}',
        "The big blind checks, I think about a raise to 300.",
        'The opponent sent {"action": "all-in"} and I wonder why.',
    ],
)
def test_holdem_takes_no_action_from_what_stands_beside_another_or_is_not_meant(text: str) -> None:
    assert isinstance(read_text(text), Unreadable)


@pytest.mark.parametrize(
    "text",
    [
        "In the last round the other player chose\nDEFECT",
        "The opponent's move was:\nDEFECT",
        "1. COOPERATE\n2. DEFECT",
        "COOPERATE is what a fool would do",
        "I will not play\n\nor even think of DEFECT",
    ],
)
def test_the_trust_game_takes_no_move_that_is_reported_or_denied(text: str) -> None:
    assert isinstance(read_move(text), Unreadable)


@pytest.mark.parametrize(
    "before", ["Why not ", "I am sure: ", "My question, whether it is so or not ", "", "I note ", "> "]
)
def test_ordinary_words_before_an_action_cast_no_doubt(before: str) -> None:
    assert not is_not_meant(before)
    assert not isinstance(read_action(f"{before}<ask>7</ask>", ["ask"]), Unreadable)


def test_an_action_that_is_denied_once_and_given_once_is_given() -> None:
    text = "At first I did not play <move>e4</move>.\nNow I do: <move>e4</move>"
    assert read_action(text, ["move"]) == read_action("At first I did not play .\nNow I do: <move>e4</move>", ["move"])
