"""The fixed programs. Names of inputs and variables say nothing of what they are for.

Each function is one program; ``trace(2, x=x)`` is its checkpoint 2. ``docs/black-boxes/program.md`` says the same in
words. Source: ORACLE, appendix H.1, as facts: which algorithm, how many checkpoints; the rest is ours.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from interactive_envs.black_box.base import Grade
from interactive_envs.black_box.program.code import Code, Input

Note = Callable[..., None]


def _swap(trace: Note, a: int, b: int) -> None:
    c = a
    a = b
    trace(1, a=a, b=b, c=c)
    b = c
    trace(2, a=a, b=b)


def _sums(trace: Note, a: int, b: int, c: int) -> None:
    d = a + b + c
    trace(1, d=d)
    e = a * b - c
    trace(2, d=d, e=e)
    f = (e + d - 10) / 2
    trace(3, d=d, e=e, f=f)


def _branches(trace: Note, a: int, b: int, c: int, d: int) -> None:
    e = a * b + c * d
    trace(1, e=e)
    if e > 50:
        e -= 10
        trace(2, e=e)
    else:
        e += 10
        trace(3, e=e)
    f = e * e - a - b - c - d
    trace(4, e=e, f=f)
    f //= 2
    g = f - a
    trace(5, e=e, f=f, g=g)


def _bubbles(trace: Note, x: list[int]) -> None:
    n = len(x)
    for i in range(n):
        trace(1, i=i, x=x)
        for j in range(n - 1 - i):
            if x[j] > x[j + 1]:
                x[j], x[j + 1] = x[j + 1], x[j]
            trace(2, i=i, j=j, x=x)
    trace(3, x=x)


def _fowls(trace: Note, m: int, n: int) -> None:
    s: list[int] = []
    for i in range(m // 5 + 1):
        r = m - 5 * i
        trace(1, i=i, r=r)
        for j in range(r // 3 + 1):
            k = n - i - j
            t = 5 * i + 3 * j + k
            trace(2, i=i, j=j, k=k, t=t)
            if k >= 0 and t == m:
                s = [i, j, k]
                break
        if s:
            break
    trace(3, s=s)


def _euclid(trace: Note, a: int, b: int) -> None:
    r, s, t = [a, b], [1, 0], [0, 1]
    while r[1]:
        q = r[0] // r[1]
        trace(1, q=q)
        for pair in (r, s, t):
            pair[0], pair[1] = pair[1], pair[0] - q * pair[1]
        trace(2, r=r, s=s, t=t)
    trace(3, g=r[0], x=s[0], y=t[0])


def _product(trace: Note, n: int) -> int:
    trace(1, n=n)
    if n <= 1:
        r = 1
        trace(2, n=n, r=r)
        return r
    r = n * _product(trace, n - 1)
    trace(3, n=n, r=r)
    return r


def _pairs(trace: Note, n: int) -> int:
    trace(1, n=n)
    if n <= 1:
        trace(2, n=n, r=n)
        return n
    p = _pairs(trace, n - 1)
    q = _pairs(trace, n - 2)
    r = p + q
    trace(3, n=n, p=p, q=q, r=r)
    return r


def _long_sum(trace: Note, a: int, b: int) -> None:
    width = max(len(str(a)), len(str(b)))
    s, t = str(a).zfill(width), str(b).zfill(width)
    trace(1, s=s, t=t)
    c, u = 0, ""
    for i in range(width - 1, -1, -1):
        v = int(s[i]) + int(t[i]) + c
        c, u = v // 10, str(v % 10) + u
        trace(2, i=i, v=v, c=c, u=u)
    if c:
        u = str(c) + u
    trace(3, u=u)


def _long_quotient(trace: Note, a: int, b: int) -> None:
    s = -1 if (a < 0) != (b < 0) and a else 1
    a, b = abs(a), abs(b)
    q, r = divmod(a, b)
    trace(1, s=s, q=q, r=r)
    u = ""
    for k in range(1, 6):
        v, r = divmod(10 * r, b)
        u += str(v)
        trace(2, k=k, v=v, r=r, u=u)
    rounded = int(str(q) + u[:4]) + (u[4] >= "5")
    sign = "-" if s < 0 and rounded else ""
    w = f"{sign}{rounded // 10_000}.{rounded % 10_000:04d}"
    trace(3, w=w)


def _prefixes(trace: Note, t: str, p: str) -> None:
    f = [0] * len(p)
    k = 0
    for i in range(1, len(p)):
        while k and p[i] != p[k]:
            k = f[k - 1]
            trace(1, i=i, k=k)
        if p[i] == p[k]:
            k += 1
        f[i] = k
        trace(2, i=i, k=k, f=f)
    k, s = 0, list[int]()
    for i in range(len(t)):
        while k and t[i] != p[k]:
            k = f[k - 1]
            trace(3, i=i, k=k)
        if t[i] == p[k]:
            k += 1
        trace(4, i=i, k=k)
        if k == len(p):
            s.append(i + 1 - k)
            k = f[k - 1]
    trace(5, s=s)


def _counts(trace: Note, s: str) -> None:
    x, y = list[str](), list[int]()
    for i in range(len(s)):
        c = s[i]
        trace(1, i=i, c=c)
        if c in x:
            y[x.index(c)] += 1
        else:
            x.append(c)
            y.append(1)
        trace(2, c=c, x=x, y=y)
    k = y.index(max(y))
    trace(3, c=x[k], k=y[k])


def _pivots(trace: Note, x: list[int]) -> list[int]:
    trace(1, x=x)
    if len(x) <= 1:
        return x
    p = x[-1]
    left = [value for value in x[:-1] if value <= p]
    right = [value for value in x[:-1] if value > p]
    trace(2, p=p, l=left, r=right)
    s = [*_pivots(trace, left), p, *_pivots(trace, right)]
    trace(3, s=s)
    return s


def _slices(trace: Note, x: list[int]) -> None:
    t = 0
    f: list[dict[int, int]] = []
    for i in range(len(x)):
        trace(1, i=i, t=t)
        f.append({})
        for j in range(i):
            d = x[i] - x[j]
            trace(2, i=i, j=j, d=d)
            c = f[j].get(d, 0)
            t += c
            f[i][d] = f[i].get(d, 0) + c + 1
            trace(3, d=d, c=c, t=t)
        trace(4, i=i, g=list(f[i].items()))
    trace(5, t=t)


def _heap(trace: Note, x: list[int]) -> None:
    def sift(i: int, n: int) -> None:
        while 2 * i + 1 < n:
            j = 2 * i + 1
            if j + 1 < n and x[j + 1] > x[j]:
                j += 1
            trace(1, i=i, j=j, n=n)
            if x[j] <= x[i]:
                return
            x[i], x[j] = x[j], x[i]
            trace(2, i=i, j=j, x=x)
            i = j

    for i in range(len(x) // 2 - 1, -1, -1):
        sift(i, len(x))
        trace(3, i=i, x=x)
    trace(4, x=x)
    for n in range(len(x) - 1, 0, -1):
        x[0], x[n] = x[n], x[0]
        trace(5, n=n, x=x)
        sift(0, n)
    trace(6, x=x)


def _mirrors(trace: Note, s: str) -> None:
    t = "#" + "#".join(s) + "#"
    trace(1, t=t)
    p = [0] * len(t)
    c = r = 0
    for i in range(len(t)):
        k = min(r - i, p[2 * c - i]) if i < r else 0
        trace(2, i=i, c=c, r=r, k=k)
        while i - k > 0 and i + k + 1 < len(t) and t[i - k - 1] == t[i + k + 1]:
            k += 1
        p[i] = k
        if i + k > r:
            c, r = i, i + k
        trace(3, i=i, k=k, c=c, r=r)
    m = max(p)
    i = (p.index(m) - m) // 2
    trace(4, p=p, u=s[i : i + m])


def _merges(trace: Note, x: list[int]) -> list[int]:
    trace(1, x=x)
    if len(x) <= 1:
        trace(2, x=x)
        return x
    h = len(x) // 2
    trace(3, l=x[:h], r=x[h:])
    left, right = _merges(trace, x[:h]), _merges(trace, x[h:])
    i = j = 0
    s: list[int] = []
    while i < len(left) and j < len(right):
        if left[i] < right[j]:
            s.append(left[i])
            i += 1
            trace(4, i=i, j=j, s=s)
        else:
            s.append(right[j])
            j += 1
            trace(5, i=i, j=j, s=s)
    if i < len(left):
        s += left[i:]
        trace(6, i=i, s=s)
    else:
        s += right[j:]
        trace(7, j=j, s=s)
    trace(8, s=s)
    return s


def _crossings(trace: Note, n: int) -> None:
    x = [True] * (n + 1)
    x[0] = x[1] = False
    p = 2
    while p * p <= n:
        trace(1, p=p, k=int(x[p]))
        if x[p]:
            for m in range(p * p, n + 1, p):
                x[m] = False
                trace(2, p=p, m=m, c=sum(x))
        p += 1
    trace(3, s=[i for i in range(n + 1) if x[i]])


# Inputs that show what a program does.


def _few(rng: np.random.Generator, shortest: int, longest: int, least: int, most: int) -> tuple[int, ...]:
    """A list of few different numbers."""
    return tuple(map(int, rng.integers(least, most + 1, int(rng.integers(shortest, longest + 1)))))


def _draw_pattern(rng: np.random.Generator) -> tuple[Any, ...]:
    """A text that holds the pattern and parts of it."""
    letters = "ab" if rng.random() < 0.6 else "abc"
    pattern = "".join(letters[k] for k in rng.integers(len(letters), size=int(rng.integers(3, 7))))
    text = ""
    while len(text) < 12:
        text += pattern[: int(rng.integers(1, len(pattern) + 1))] if rng.random() < 0.7 else str(rng.choice([*letters]))
    return text[:12], pattern


def _draw_letters(rng: np.random.Generator) -> tuple[Any, ...]:
    letters = [chr(97 + int(k)) for k in rng.choice(26, int(rng.integers(2, 5)), replace=False)]
    return ("".join(letters[k] for k in rng.integers(len(letters), size=int(rng.integers(6, 13)))),)


def _draw_mirror(rng: np.random.Generator) -> tuple[Any, ...]:
    """Often a palindrome with something before or after it."""
    half = "".join("abc"[k] for k in rng.integers(2 if rng.random() < 0.5 else 3, size=int(rng.integers(2, 5))))
    whole = half + half[::-1][int(rng.integers(2)) :]
    more = "".join("abc"[k] for k in rng.integers(3, size=int(rng.integers(0, 4))))
    return ((whole + more if rng.random() < 0.5 else more + whole)[:10],)


def _draw_progression(rng: np.random.Generator) -> tuple[Any, ...]:
    """Two progressions shuffled into one another."""
    first, second = (int(k) for k in rng.integers(-5, 6, 2))
    step, other = (int(k) for k in rng.integers(1, 4, 2))
    values = [first + step * k for k in range(4)] + [second - other * k for k in range(3)]
    keys = rng.random(7)
    keys[:4].sort()
    keys[4:].sort()
    return (tuple(values[k] for k in np.argsort(keys))[: int(rng.integers(5, 8))],)


def _draw_branches(rng: np.random.Generator) -> tuple[Any, ...]:
    """Sums of products near 50, on both sides of it."""
    while True:
        drawn = tuple(map(int, rng.integers(-12, 13, 4)))
        if -20 <= drawn[0] * drawn[1] + drawn[2] * drawn[3] <= 120:
            return drawn


def _draw_fowls(rng: np.random.Generator) -> tuple[Any, ...]:
    """Three times of four there is a solution."""
    i, j, k = (int(n) for n in rng.integers((0, 0, 0), (4, 5, 9)))
    m, n = 5 * i + 3 * j + k, i + j + k + (rng.random() < 0.25)
    return min(30, m), int(n)


def _draw_fraction(rng: np.random.Generator) -> tuple[Any, ...]:
    b = int(rng.integers(2, 100 if rng.random() < 0.5 else 1000))
    a = int(rng.integers(-9999, 10_000))
    return a, -b if rng.random() < 0.4 else b


def _numbers(longest: int, most: int) -> Input:
    return Input("x", "list", 0, most, 1, longest)


_A, _B, _C, _D = (Input(name, "int", -50, 50) for name in "abcd")


class Program(NamedTuple):
    """A fixed program.

    Attributes:
        grade: as ORACLE has it.
        summary: one line for lists; players do not see it.
        code: what runs.
    """

    grade: Grade
    summary: str
    code: Code


PROGRAMS: dict[str, Program] = {
    "swap": Program("baseline", "Exchanges two whole numbers by way of a third variable.", Code((_A, _B), 2, _swap)),
    "algebraic-operations": Program(
        "easy", "d = a + b + c; e = a b - c; f = (e + d - 10) / 2.", Code((_A, _B, _C), 3, _sums)
    ),
    "bubble-sort": Program(
        "easy",
        "Bubble sort, as many passes as elements; looked at after every comparison.",
        Code((_numbers(7, 99),), 3, _bubbles),
    ),
    "coins-for-fowls": Program(
        "easy",
        "Birds of 5, 3 and 1 coins: the first way to get n of them for m coins.",
        Code((Input("m", "int", 0, 30), Input("n", "int", 0, 30)), 3, _fowls, _draw_fowls),
    ),
    "exgcd": Program(
        "easy",
        "Euclid's algorithm, iterative, with the coefficients.",
        Code((Input("a", "int", 1, 500), Input("b", "int", 1, 500)), 3, _euclid),
    ),
    "factorial-recursion": Program(
        "easy", "The factorial by recursion.", Code((Input("n", "int", 0, 18),), 3, _product)
    ),
    "fib-recursion": Program(
        "easy", "Fibonacci numbers by double recursion.", Code((Input("n", "int", 0, 11),), 3, _pairs)
    ),
    "highprecision-add": Program(
        "easy",
        "Addition digit by digit with a carry.",
        Code((Input("a", "int", 0, 999_999), Input("b", "int", 0, 999_999)), 3, _long_sum),
    ),
    "highprecision-divide": Program(
        "easy",
        "Long division to five decimals, rounded half up to four, with the sign.",
        Code(
            (Input("a", "int", -9999, 9999), Input("b", "int", -999, 999, zero=False)),
            3,
            _long_quotient,
            _draw_fraction,
        ),
    ),
    "kmp": Program(
        "easy",
        "Knuth, Morris and Pratt: all places of p in t.",
        Code(
            (
                Input("t", "str", shortest=1, longest=12, letters="abc"),
                Input("p", "str", shortest=1, longest=6, letters="abc"),
            ),
            5,
            _prefixes,
            _draw_pattern,
        ),
    ),
    "most-frequent-char": Program(
        "easy",
        "Letters and their counts in lists; the first of the most frequent ones.",
        Code(
            (Input("s", "str", shortest=1, longest=12, letters="abcdefghijklmnopqrstuvwxyz"),),
            3,
            _counts,
            _draw_letters,
        ),
    ),
    "quicksort-recursion": Program(
        "easy",
        "Quicksort: last element as pivot, those up to it, those above it.",
        Code((_numbers(8, 99),), 3, _pivots, lambda rng: (_few(rng, 5, 8, 0, 30 if rng.random() < 0.3 else 99),)),
    ),
    "arithmetic-slices": Program(
        "hard",
        "How many subsequences of three or more elements are arithmetic.",
        Code((Input("x", "list", -20, 20, 1, 7),), 5, _slices, _draw_progression),
    ),
    "complex-algebraic-operations": Program(
        "hard",
        "e = ab + cd, 10 less above 50, else 10 more; then f, halved, and g.",
        Code((_A, _B, _C, _D), 5, _branches, _draw_branches),
    ),
    "heap-sort": Program("hard", "Heapsort in place with a max-heap.", Code((_numbers(8, 99),), 6, _heap)),
    "manacher": Program(
        "hard",
        "Manacher's radii of palindromes, the text interleaved with #; the first longest one.",
        Code((Input("s", "str", shortest=1, longest=10, letters="abc"),), 4, _mirrors, _draw_mirror),
    ),
    "mergesort-recursion": Program(
        "hard",
        "Mergesort from the top down; of equals the right one first.",
        Code((_numbers(8, 20),), 8, _merges, lambda rng: (_few(rng, 5, 8, 0, 12),)),
    ),
    "sieve-of-eratosthenes": Program(
        "hard",
        "The sieve of Eratosthenes, crossing from the square on.",
        Code((Input("n", "int", 2, 60),), 3, _crossings),
    ),
}
"""The fixed programs by the names of their boxes."""
CODES: dict[str, Code] = {name: program.code for name, program in PROGRAMS.items()}
