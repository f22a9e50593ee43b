"""What is said of several values at once: ``A and B are coprime``, ``A, B and C add up to D``."""

from __future__ import annotations

import itertools

from interactive_envs.mathematics.judge import lexicon
from interactive_envs.mathematics.judge.reading.lists import list_members
from interactive_envs.mathematics.judge.reading.reader import Reader, join_all

_COPRIME = (("coprime",), ("relatively", "prime"), ("mutually", "prime"), ("co-prime",))
_SAME = (("equal",), ("the", "same"), ("identical",), ("equal", "to", "each", "other"))
_DIFFERENT = (("different",), ("distinct",), ("unequal",), ("pairwise", "different"), ("pairwise", "distinct"))
_COMMON = (("a", "common", "factor"), ("a", "factor"), ("a", "common", "prime", "factor"))


def several(reader: Reader, start: int, end: int, *, asked: bool = False, denied: bool = False) -> str | None:
    """Read ``A and B are coprime``, ``do A and B add up to C``, ``A, B and C share the factor 5``.

    Args:
        reader: the text.
        start: where the values begin.
        end: where the claim ends.
        asked: whether ``is`` or ``are`` stands before them.
        denied: whether it is denied there.
    """
    for at in range(start + 1, end):
        members = list_members(reader, start, at)
        if not members:
            continue
        first = reader.texts[at]
        if asked or first in ("are", "is", "be", "were") or first in lexicon.CONTRACTED:
            found = all_are(reader, members, at, end, asked=asked)
        elif first in ("have", "has", "share", "shares"):
            found = share(reader, members, at + 1, end)
        else:
            found = make_together(reader, members, at, end)
        if found:
            return f"Not({found})" if denied else found
    return None


def all_are(reader: Reader, members: list[str], start: int, end: int, *, asked: bool = False) -> str | None:
    """Read ``are coprime``, ``are equal``, ``are both even`` behind some values; only ``coprime`` in a question."""
    denied = reader.texts[start] in lexicon.CONTRACTED
    start += not asked
    if reader.starts(start, end, ("not",)):
        start, denied = start + 1, True
    start += reader.starts(start, end, ("both",)) or reader.starts(start, end, ("all",))
    texts = reader.texts[start:end]
    if texts in _COPRIME:
        found: str | None = f"coprime({', '.join(members)})"
    elif texts in _SAME:
        found = join_all([f"Eq({members[0]}, {other})" for other in members[1:]])
    elif texts in _DIFFERENT:
        found = join_all([f"Ne({one}, {other})" for one, other in itertools.combinations(members, 2)])
    elif texts == ("twin", "primes"):
        found = f"And(isprime({members[0]}), isprime({members[-1]}), Eq(Abs({members[0]} - {members[-1]}), 2))"
    else:
        each = [reader.predicate(member, start, end) for member in members]
        found = join_all([str(one) for one in each]) if all(each) else None
    return f"Not({found})" if found and denied else found


def share(reader: Reader, members: list[str], start: int, end: int) -> str | None:
    """Read ``no common factor``, ``the factor 5``, ``the sum 12`` behind ``have`` or ``share``."""
    texts, together = reader.texts[start:end], ", ".join(members)
    if texts in lexicon.NOTHING_COMMON:
        return f"coprime({together})"
    if texts in _COMMON or (texts[-1:] == ("1",) and texts[:-1] in lexicon.COMMON_ABOVE):
        return f"Not(coprime({together}))"
    for lead, what in lexicon.SHARED:
        if texts[: len(lead)] == lead and (value := reader.value(start + len(lead), end)):
            if what == "factor":
                return join_all([f"Divides({value}, {member})" for member in members])
            return f"Eq({_total(members, what)}, {value})" if what in "+*" else f"Eq({what}({together}), {value})"
    return None


def make_together(reader: Reader, members: list[str], start: int, end: int) -> str | None:
    """Read ``add up to A``, ``multiply to A`` behind some values."""
    for lead, sign in lexicon.TOGETHER:
        if reader.starts(start, end, lead):
            return reader.predicate(_total(members, sign), start + len(lead), end)
    return None


def differ(reader: Reader, start: int, end: int) -> str | None:
    """Read ``A differs from B by C``, ``A and B differ by C``."""
    for at in range(start + 1, end - 3):
        if reader.texts[at] not in ("differs", "differ"):
            continue
        for by in range(at + 1, end - 1):
            if reader.texts[by] != "by" or not (gap := reader.value(by + 1, end)):
                continue
            if reader.texts[at + 1] == "from":
                first, second = reader.value(start, at), reader.value(at + 2, by)
                if first and second:
                    return f"Eq(Abs({first} - ({second})), {gap})"
            elif by == at + 1 and (both := list_members(reader, start, at)) and len(both) == 2:
                return f"Eq(Abs({both[0]} - ({both[1]})), {gap})"
    return None


def _total(members: list[str], sign: str) -> str:
    return f" {sign} ".join(f"({member})" for member in members)
