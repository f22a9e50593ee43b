"""How much the candidates of a pool differ: by their code, and by how they play.

Source: gg-bench, section 3.2 and appendix C, which compares code with Dolos. Fingerprints are by winnowing (Schleimer,
Wilkerson and Aiken 2003), as Dolos's are, with its defaults of 23 tokens and a window of 17.
"""

from __future__ import annotations

import io
import keyword
import math
import tokenize
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from scipy.stats import spearmanr

TOKENS, WINDOW = 23, 17
_IGNORED = frozenset((tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENCODING, tokenize.ENDMARKER))

T = TypeVar("T")


@dataclass(frozen=True)
class Neighbour:
    """The most similar other one.

    Attributes:
        place: its place in the list.
        similarity: from 0 to 1.
    """

    place: int
    similarity: float


def correlation(pairs: Sequence[tuple[float, float]]) -> dict[str, float]:
    """Spearman's rank correlation ``rho`` of at least four pairs, with a 95 % interval ``low`` to ``high``.

    The interval is Fisher's, with the variance of Bonett and Wright (2000) for ranks.
    """
    first, second = zip(*pairs, strict=True)
    if len(set(first)) == 1 or len(set(second)) == 1:  # nothing varies
        return {"rho": 0.0, "low": -1.0, "high": 1.0}
    rho = float(spearmanr(first, second).statistic)
    bound = min(max(rho, -1 + 1e-9), 1 - 1e-9)
    width = 1.959964 * math.sqrt((1 + bound**2 / 2) / (len(pairs) - 3))
    low, high = (math.tanh(math.atanh(bound) + side * width) for side in (-1, 1))
    return {"rho": rho, "low": low, "high": high}


def tokens(source: str) -> list[str]:
    """The tokens of a text of Python: names, numbers and texts by their kind alone, all others as they are.

    >>> tokens("total = count + 1  # so far")
    ['N', '=', 'N', '+', '0']
    """
    found = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type in _IGNORED:
                continue
            if token.type == tokenize.NAME:
                found.append(token.string if keyword.iskeyword(token.string) else "N")
            elif token.type == tokenize.NUMBER:
                found.append("0")
            elif token.type == tokenize.STRING:
                found.append("S")
            elif token.type in (tokenize.INDENT, tokenize.DEDENT):  # whose text is as wide as the indentation
                found.append(str(token.type))
            else:
                found.append(token.string or str(token.type))
    except (tokenize.TokenError, SyntaxError):
        pass  # what comes before the mistake is compared
    return found


def fingerprints(source: str, length: int = TOKENS, window: int = WINDOW) -> frozenset[int]:
    """Hashes of some runs of tokens: of each window of runs the least.

    Two texts that share a run of ``length + window - 1`` tokens share a fingerprint.

    Args:
        source: a text of Python.
        length: tokens in a run.
        window: runs in a window.
    """
    given = tokens(source)
    hashes = [zlib.crc32(" ".join(given[at : at + length]).encode()) for at in range(len(given) - length + 1)]
    if len(hashes) <= window:
        return frozenset(hashes[:1] if not hashes else [min(hashes)])
    return frozenset(min(hashes[at : at + window]) for at in range(len(hashes) - window + 1))


def similarity(one: frozenset[int], other: frozenset[int]) -> float:
    """The share of both texts' fingerprints that they have in common, from 0 to 1."""
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0


def nearest(items: Sequence[T], alike: Callable[[T, T], float]) -> list[Neighbour | None]:
    """The most similar other one of each, the first of equals; None where there is no other.

    Args:
        items: to compare.
        alike: how similar two are, from 0 to 1, the same both ways.
    """
    best: list[Neighbour | None] = [None] * len(items)
    for place, one in enumerate(items):
        for other in range(place):
            value = alike(one, items[other])
            for at, its in ((place, other), (other, place)):
                now = best[at]
                if now is None or value > now.similarity:
                    best[at] = Neighbour(its, value)
    return best
