"""The programs once more, from the sentences in docs/black-boxes/program.md: plain functions, watched line by line.

A line ``pass  # 2: a=b, c`` is checkpoint 2: ``sys.settrace`` stops there and reads the frame's variables, ``a`` as the
expression ``b`` of them.
"""

# Variables that only marks use, and names as in the page.
# ruff: noqa: B007, E741, F841, RUF005

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from typing import Any

_MARK = re.compile(r"pass  # (\d+): (.*)$")


def watch(function: Callable[..., Any], *inputs: Any) -> tuple[list[tuple[int, list[tuple[str, Any]]]], Any]:
    """The visits of a run in order, and what it returned."""
    lines, start = inspect.getsourcelines(function)
    marks = {}
    for number, line in enumerate(lines, start):
        match = _MARK.search(line)
        if match:
            pairs = [part.split("=", 1) if "=" in part else (part, part) for part in match[2].split("; ")]
            marks[number] = int(match[1]), [(name, compile(text, "mark", "eval")) for name, text in pairs]
    code, visits = function.__code__, []

    def local(frame: Any, event: str, argument: Any) -> Any:
        if event == "line" and frame.f_lineno in marks:
            checkpoint, pairs = marks[frame.f_lineno]
            scope = {**frame.f_globals, **frame.f_locals}
            visits.append((checkpoint, [(name, plain(eval(text, scope))) for name, text in pairs]))
        return local

    def every(frame: Any, event: str, argument: Any) -> Any:
        return local if frame.f_code.co_filename == code.co_filename else None

    before = sys.gettrace()
    here = inspect.currentframe()
    assert here is not None
    here.f_trace = None  # coverage's, if it was stopped since this frame began, would take our tracer off
    sys.settrace(every)
    try:
        result = function(*inputs)
    finally:
        sys.settrace(before)
    return visits, result


def plain(value: Any) -> Any:
    """A snapshot with tuples for lists."""
    return tuple(map(plain, value)) if isinstance(value, (list, tuple)) else value


def swap(a, b):
    first, second = a, b
    pass  # 1: a=second; b=second; c=first
    pass  # 2: a=second; b=first
    return second, first


def algebraic_operations(a, b, c):
    d = sum((a, b, c))
    pass  # 1: d
    e = -c + b * a
    pass  # 2: d; e
    f = 0.5 * (e + d) - 5
    pass  # 3: d; e; f
    return f


def complex_algebraic_operations(a, b, c, d):
    e = sum(left * right for left, right in ((a, b), (c, d)))
    pass  # 1: e
    if not e <= 50:
        e = e - 10
        pass  # 2: e
    else:
        e = e + 10
        pass  # 3: e
    f = e**2 - sum((a, b, c, d))
    pass  # 4: e; f
    f = (f - f % 2) // 2
    pass  # 5: e; f; g=f-a
    return f - a


def bubble_sort(x):
    x = list(x)
    done = 0
    while done < len(x):
        pass  # 1: i=done; x
        j = 0
        while j + 1 < len(x) - done:
            x[j : j + 2] = sorted(x[j : j + 2])
            pass  # 2: i=done; j; x
            j += 1
        done += 1
    pass  # 3: x
    return x


def coins_for_fowls(m, n):
    found = []
    tried = [(i, j) for i in range(31) for j in range(31) if 5 * i + 3 * j <= m]
    last = -1
    for i, j in tried:
        if i != last:
            last = i
            pass  # 1: i; r=m-5*i
        pass  # 2: i; j; k=n-i-j; t=4*i+2*j+n
        if 4 * i + 2 * j + n == m and i + j <= n:
            found = [i, j, n - i - j]
            break
    pass  # 3: s=found
    return found


def exgcd(a, b):
    rows = [(a, 1, 0), (b, 0, 1)]
    while rows[-1][0] != 0:
        quotient = rows[-2][0] // rows[-1][0]
        pass  # 1: q=quotient
        rows.append(tuple(u - quotient * v for u, v in zip(rows[-2], rows[-1], strict=True)))
        pass  # 2: r=[row[0] for row in rows[-2:]]; s=[row[1] for row in rows[-2:]]; t=[row[2] for row in rows[-2:]]
    pass  # 3: g=rows[-2][0]; x=rows[-2][1]; y=rows[-2][2]
    return rows[-2]


def factorial_recursion(n):
    pass  # 1: n
    if n in (0, 1):
        pass  # 2: n; r=1
        return 1
    below = factorial_recursion(n - 1)
    pass  # 3: n; r=n*below
    return n * below


def fib_recursion(n):
    pass  # 1: n
    if n < 2:
        pass  # 2: n; r=n
        return n
    p = fib_recursion(n - 1)
    q = fib_recursion(n - 2)
    pass  # 3: n; p; q; r=p+q
    return p + q


def highprecision_add(a, b):
    width = len(str(max(a, b)))
    s, t = f"{a:0{width}}", f"{b:0{width}}"
    pass  # 1: s; t
    for done in range(1, width + 1):
        part, carried = 10**done, 10 ** (done - 1)
        before = (a % carried + b % carried) // carried
        total = a % part + b % part
        v = total // carried
        assert v == int(s[-done]) + int(t[-done]) + before
        pass  # 2: i=width-done; v; c=total//part; u=f"{total%part:0{done}}"
    pass  # 3: u=str(a+b)
    return a + b


def highprecision_divide(a, b):
    from decimal import ROUND_HALF_UP, Decimal, localcontext

    negative = a * b < 0
    above, below = abs(a), abs(b)
    pass  # 1: s=-1 if negative else 1; q=above//below; r=above-above//below*below
    for k in range(1, 6):
        digits = above * 10**k // below - above // below * 10**k
        pass  # 2: k; v=digits%10; r=above*10**k%below; u=f"{digits:0{k}}"
    with localcontext() as context:
        context.prec = 60
        exact = (Decimal(a) / Decimal(b)).quantize(Decimal("0.0001"), ROUND_HALF_UP)
        text = str(exact) if exact else "0.0000"
    pass  # 3: w=text
    return text


def kmp(t, p):
    def border(text):
        """Length of the longest proper border of a text."""
        return max(k for k in range(len(text)) if text[:k] == text[len(text) - k :])

    f = [0] * len(p)
    k = 0
    for i in range(1, len(p)):
        while True:
            if p[i] == p[k] or k == 0:
                break
            k = border(p[:k])
            pass  # 1: i; k
        k = border(p[: i + 1])
        f[i] = k
        pass  # 2: i; k; f
    k = 0
    found = []
    for i in range(len(t)):
        if k == len(p):
            k = border(p)
        while k > 0 and not p.startswith(t[i - k : i + 1]):
            k = border(p[:k])
            pass  # 3: i; k
        k = max(size for size in range(len(p) + 1) if t[: i + 1].endswith(p[:size]))
        pass  # 4: i; k
        if k == len(p):
            found.append(i - len(p) + 1)
    pass  # 5: s=found
    return found


def most_frequent_char(s):
    for i, c in enumerate(s):
        pass  # 1: i; c
        x = list(dict.fromkeys(s[: i + 1]))
        y = [s[: i + 1].count(one) for one in x]
        pass  # 2: c; x; y
    best = max(dict.fromkeys(s), key=s.count)
    pass  # 3: c=best; k=s.count(best)
    return best


def quicksort_recursion(x):
    pass  # 1: x
    if len(x) < 2:
        return list(x)
    *rest, p = x
    low = list(filter(lambda value: not value > p, rest))
    high = list(filter(lambda value: value > p, rest))
    pass  # 2: p; l=low; r=high
    low = quicksort_recursion(low)
    high = quicksort_recursion(high)
    pass  # 3: s=sorted(x)
    return low + [p] + high


def arithmetic_slices(x):
    def ending(j, d):
        """How many arithmetic subsequences of two or more elements with difference d end at j."""
        return sum(1 + ending(h, d) for h in range(j) if x[j] - x[h] == d)

    t = 0
    for i in range(len(x)):
        pass  # 1: i; t
        g = {}
        for j in range(i):
            d = x[i] - x[j]
            pass  # 2: i; j; d
            c = ending(j, d)
            t += c
            g[d] = g.get(d, 0) + 1 + c
            pass  # 3: d; c; t
        assert all(ending(i, d) == count for d, count in g.items())
        pass  # 4: i; g=[[d,g[d]] for d in g]
    pass  # 5: t
    return t


def heap_sort(x):
    x = list(x)
    n = len(x)

    def down(i, n):
        children = [child for child in (2 * i + 1, 2 * i + 2) if child < n]
        if not children:
            return
        j = max(children, key=lambda child: (x[child], -child))
        pass  # 1: i; j; n
        if x[i] < x[j]:
            x[i], x[j] = x[j], x[i]
            pass  # 2: i; j; x
            down(j, n)

    for i in reversed(range(n // 2)):
        down(i, n)
        pass  # 3: i; x
    assert all(x[(i - 1) // 2] >= x[i] for i in range(1, n))
    pass  # 4: x
    while n > 1:
        n -= 1
        x[0], x[n] = x[n], x[0]
        pass  # 5: n; x
        down(0, n)
    pass  # 6: x
    return x


def manacher(s):
    t = "".join("#" + letter for letter in s) + "#"
    pass  # 1: t

    def radius(i):
        k = 0
        while i - k - 1 >= 0 and i + k + 1 < len(t) and t[i - k - 1 : i + k + 2] == t[i - k - 1 : i + k + 2][::-1]:
            k += 1
        return k

    p = [radius(i) for i in range(len(t))]
    c = r = 0
    for i in range(len(t)):
        known = 0 if i >= r else min(p[c - (i - c)], r - i)
        pass  # 2: i; c; r; k=known
        c = max(range(i + 1), key=lambda centre: (centre + p[centre], -centre))
        r = c + p[c]
        pass  # 3: i; k=p[i]; c; r
    parts = [s[i:j] for i in range(len(s)) for j in range(i + 1, len(s) + 1) if s[i:j] == s[i:j][::-1]]
    longest = max(parts, key=len)
    pass  # 4: p; u=longest
    return longest


def mergesort_recursion(x):
    pass  # 1: x
    if len(x) < 2:
        pass  # 2: x
        return x
    l, r = x[: len(x) // 2], x[len(x) // 2 :]
    pass  # 3: l; r
    l = mergesort_recursion(l)
    r = mergesort_recursion(r)
    i = j = 0
    while i != len(l) and j != len(r):
        if r[j] <= l[i]:
            j += 1
            pass  # 5: i; j; s=sorted(l[:i]+r[:j])
        else:
            i += 1
            pass  # 4: i; j; s=sorted(l[:i]+r[:j])
    if j == len(r):
        pass  # 6: i; s=sorted(l+r)
    else:
        pass  # 7: j; s=sorted(l+r)
    pass  # 8: s=sorted(l+r)
    return sorted(l + r)


def sieve_of_eratosthenes(n):
    crossed = set()
    for p in (p for p in range(2, n + 1) if p**2 <= n):
        prime = all(p % q for q in range(2, p))
        pass  # 1: p; k=1 if prime else 0
        if not prime:
            continue
        m = p * p
        while m <= n:
            crossed.add(m)
            pass  # 2: p; m; c=n-1-len(crossed)
            m += p
    pass  # 3: s=[q for q in range(2,n+1) if q not in crossed]
    return sorted(set(range(2, n + 1)) - crossed)
