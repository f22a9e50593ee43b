"""What a message says as a hold'em action, whether or not it is legal."""

from __future__ import annotations

import json
import re
from typing import Any, Literal, NamedTuple, TypeAlias

from interactive_envs.parsing import Unreadable, is_not_meant, read_action, strip_thinking

Word: TypeAlias = Literal["fold", "check", "call", "bet", "raise", "all-in"]

FORMS = '{"action": "raise", "amount": 300} or a short form such as raise to 300'
_MAX_OBJECTS = 32
"""Openings of JSON objects that are tried in one message."""
_AMOUNT = r"\$?([0-9]{1,3}(?:,[0-9]{3}){1,5}|[0-9]{1,18})(?:\.0{1,9})?"
_SHORT = re.compile(
    rf"(?:(fold|check|call|bet|raise)|(?:(?:bet|raise|go) +)?(all[ _-]?in))(?: *(?:to|:|=)? *{_AMOUNT}(?: chips)?)?",
    re.IGNORECASE | re.ASCII,
)
_NUMBER = re.compile(rf"{_AMOUNT}(?: chips)?", re.IGNORECASE | re.ASCII)
_AROUND = " \t\r\n*_`\"'.!"


class TextAction(NamedTuple):
    """An action as its text has it; ``amount`` is the seat's total for this street, None where none was given."""

    act: Word
    amount: int | None = None


def read_text(text: str) -> TextAction | Unreadable:
    r"""Find the one action of a message: in ``<move>…</move>``, else as JSON, else as a short form.

    Args:
        text: any string.

    >>> read_text('I raise. ```json\n{"action": "RAISE", "amount": 300, "reasoning": "value"}\n```')
    TextAction(act='raise', amount=300)
    >>> read_text("<move>All in</move>")
    TextAction(act='all-in', amount=None)
    """
    plain = strip_thinking(text)
    if "<move>" in plain.lower():
        tagged, other = _in_tag(plain), _json(plain)
        return tagged if other in (None, tagged) else _several(2)
    return _json(plain) or _short(plain.replace("```", " ")) or _labelled(plain)


def _in_tag(text: str) -> TextAction | Unreadable:
    action = read_action(text, ("move",))
    if isinstance(action, Unreadable):
        return action
    return _json(action.body) or _short(action.body) or Unreadable(f"I found no action in <move>; write {FORMS}.")


def _labelled(text: str) -> TextAction | Unreadable:
    action = read_action(text, ("move",), short_forms={"move": ("action", "move")})
    found = None if isinstance(action, Unreadable) else _short(action.body)
    return found or Unreadable(f"I found no single action; write {FORMS}.")


def _short(text: str) -> TextAction | None:
    match = _SHORT.fullmatch(text.strip(_AROUND))
    if not match:
        return None
    act = (match[1] or "all-in").lower()
    return _text_action(act, None if match[3] is None else int(match[3].replace(",", "")))


def _text_action(act: str, amount: int | None) -> TextAction:
    return TextAction(act, amount if act in ("bet", "raise") else None)  # type: ignore[arg-type]


def _json(text: str) -> TextAction | Unreadable | None:
    """The action of the objects that have one, None where no object has."""
    found: dict[TextAction | Unreadable, None] = {}
    meant = False
    decoder, begin = json.JSONDecoder(strict=False, object_pairs_hook=_object), -1
    for _ in range(_MAX_OBJECTS):
        begin = text.find("{", begin + 1)
        if begin < 0:
            break
        try:
            value, end = decoder.raw_decode(text, begin)
        except (ValueError, RecursionError):
            continue
        if "action" in value:
            found[_from_object(value)] = None
            meant = meant or not is_not_meant(text[:begin])
        begin = end - 1
    if len(found) > 1:
        return _several(len(found))
    if found and not meant:
        return Unreadable("I cannot tell whether you mean the action; give its JSON object on a line of its own.")
    return next(iter(found), None)


def _several(count: int) -> Unreadable:
    return Unreadable(f"I found {count} different actions; give exactly one.")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object with lower-case names; one that says two things under a name says nothing."""
    value: dict[str, Any] = {}
    for name, item in pairs:
        name = name.strip().lower()
        if name in value and value[name] != item:
            raise ValueError(f"two values for {name}")
        value[name] = item
    return value


def _from_object(value: dict[str, Any]) -> TextAction | Unreadable:
    action, amount = value["action"], value.get("amount")
    found = _short(action) if isinstance(action, str) else None
    if found is None:
        return Unreadable('"action" must be one of fold, check, call, bet, raise, all_in.')
    if found.act not in ("bet", "raise"):
        return found
    if isinstance(amount, str):
        match = _NUMBER.fullmatch(amount.strip())
        amount = int(match[1].replace(",", "")) if match else amount
    if isinstance(amount, float) and amount.is_integer():
        amount = int(amount)
    if amount is None:
        return found
    if isinstance(amount, bool) or not isinstance(amount, int):
        return Unreadable('"amount" must be a whole number of chips: your total for this street.')
    if found.amount not in (None, amount):
        return Unreadable("The action and its amount name different numbers.")
    return TextAction(found.act, amount)
