"""Several values in a row: ``A, B and C``, ``the smeared digits``, ``both``."""

from __future__ import annotations

import itertools

from interactive_envs.mathematics.judge.reading.reader import MOST_PARTS, Reader


def list_members(reader: Reader, start: int, end: int) -> list[str] | None:
    """Read ``A and B``, ``A, B and C``, ``the smeared digits``, or ``both`` of those before; two at least."""
    both = (("both",), ("they",), ("both", "numbers"), ("these", "numbers"))
    if reader.texts[start:end] in both and reader.listed:
        return reader.listed
    found = _group(reader, start, end) or _enumeration(reader, start, end)
    if found:
        reader.listed = found
    return found


def _group(reader: Reader, start: int, end: int) -> list[str] | None:
    """Read ``the smeared digits``, the plural of quantities that differ by a number."""
    tokens = reader.tokens[start:end]
    return reader.names.group(tokens) if tokens and all(token.kind != "sign" for token in tokens) else None


def _enumeration(reader: Reader, start: int, end: int) -> list[str] | None:
    """Read ``A and B``, ``both A and B``, ``A, B and C``."""
    start += start < end and reader.texts[start] == "both"
    for last in reader.cuts(start, end, "and"):
        if not start < last < end - 1:
            continue
        right = reader.noun(last + 1, end)
        if not right:
            continue
        left = reader.noun(start, last)
        if left:
            return [left, right]
        commas = [at for at in range(start + 1, last) if reader.texts[at] == ","]
        edges = [start, *(at + 1 for at in commas), last + 1]
        found = [reader.noun(a, b - 1) for a, b in itertools.pairwise(edges) if a < b - 1]
        if commas and all(found):
            return [*map(str, found), right]
    return None


def read_set(reader: Reader, start: int, end: int) -> list[str] | None:
    """Read the members of ``{702, 703}`` or ``702, 703 and 704``: two at least, not many."""
    if reader.texts[start] in ("{", "(") and reader.texts[end - 1] in ("}", ")"):
        start, end = start + 1, end - 1
    edges = [start, *(at + 1 for at in reader.cuts(start, end, ",", "and", "or")), end + 1]
    found = [reader.value(a, b - 1) for a, b in itertools.pairwise(edges) if a < b - 1]
    return [str(value) for value in found] if all(found) and 1 < len(found) <= MOST_PARTS else None
