"""Reads a move of the trust game out of a text, and refuses texts that leave a doubt."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from interactive_envs.parsing import Unreadable, is_not_meant, read_action, strip_thinking

Move: TypeAlias = Literal["C", "D"]
MOVES: tuple[Move, Move] = ("C", "D")
WORDS: Mapping[Move, str] = {"C": "COOPERATE", "D": "DEFECT"}
ACTIONS: Mapping[Move, str] = {move: f"<move>{word}</move>" for move, word in WORDS.items()}
_PLAIN: Mapping[str, Move] = {text: move for move, text in ACTIONS.items()}
"""What needs no reading: the answers as the rules ask for them."""
TAGS = ("move",)
ASK = "Reply with <move>COOPERATE</move> or <move>DEFECT</move>."

# ASCII, for otherwise a long s (U+017F) is an s.
_TAG = re.compile(r"<move>", re.IGNORECASE | re.ASCII)
# No dot after a single letter: "i.e. defect" is one sentence.
_SENTENCE_END = re.compile(r"(?<!\b[a-z])\.|[!?;<>\n]|,(?=\s?i\b)", re.IGNORECASE | re.ASCII)
_WORD = re.compile(r"[^\W_]+")
_ASKED = re.compile(r"(?:cooperat|defect)[a-z]{0,5}[^\w<>]{0,5}\?", re.IGNORECASE | re.ASCII)
_BEFORE = frozenset(
    """
    a action am answer and but choice choose d decide decided decision final go going hence here i is it let ll m me
    move my now ok okay output play response round s shall so still the therefore this thus to us we will yes
    """.split()
)
_AFTER = frozenset(
    """
    again and as at because by for from given here hoping in it now on once since so still then this thus to too until
    with
    """.split()
)
_DOUBT = frozenset(
    """
    against avoid avoiding but cannot cant could dont either except hardly if instead may maybe might neither never no
    nor not or otherwise perhaps rather refrain refuse refusing should stop t though unless unlikely wont would
    """.split()
)


def read_move(text: str) -> Move | Unreadable:
    """Read ``<move>COOPERATE</move>``, a lone COOPERATE, or a sentence that plainly says it.

    A word is lone where it is all there is in a line; the letters C and D stand for the words where they are all
    there is in the message. A text that names both moves is unreadable unless a tag says which, and so is a
    sentence that denies, doubts or reports another's move: asking again costs little, a misread move the round.
    """
    if (move := _PLAIN.get(text)) is not None:
        return move
    plain = strip_thinking(text)
    if _TAG.search(plain):
        action = read_action(text, TAGS)
        if isinstance(action, Unreadable):
            return action
        plain = action.body
    return _declared(plain)


def _declared(text: str) -> Move | Unreadable:
    """The one move that a text without tags declares."""
    words = _WORD.findall(text.lower())
    if words in (["c"], ["d"]):
        return MOVES[words == ["d"]]
    named: list[Move] = [move for move, stem in zip(MOVES, ("cooperat", "defect"), strict=True) if _any(stem, words)]
    if not named:
        return Unreadable(f"I found no move. {ASK}")
    if len(named) > 1:
        return Unreadable(f"The text names both moves. {ASK}")
    word = WORDS[named[0]].lower()
    lines = text.splitlines()
    lone = [place for place, line in enumerate(lines) if _WORD.findall(line.lower()) == [word] and "?" not in line]
    reported = [place for place in lone if is_not_meant(" ".join(lines[:place]).rstrip())]
    if lone and not reported:
        return named[0]
    doubtful = _DOUBT.intersection(words) or _ASKED.search(text)
    if reported or doubtful or not any(_says(_WORD.findall(part.lower()), word) for part in _SENTENCE_END.split(text)):
        return Unreadable(f"I cannot tell whether {WORDS[named[0]]} is your move. {ASK}")
    return named[0]


def _any(stem: str, words: Sequence[str]) -> bool:
    return any(stem in word for word in words)


def _says(words: Sequence[str], word: str) -> bool:
    """Whether a sentence has the word with only neutral words before it and nothing that could turn it after it."""
    if word not in words:
        return False
    at = words.index(word)
    after = words[at + 1 : at + 2]
    neutral = all(before in _BEFORE or before.isdecimal() for before in words[:at])
    return neutral and (not after or after[0] in _AFTER or after[0] == word)
