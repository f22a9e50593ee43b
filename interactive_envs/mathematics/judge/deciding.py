"""Relations over a problem's quantities, decided exactly, and refused where the numbers are too large to compute."""

from __future__ import annotations

import ast
import contextlib
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from interactive_envs.mathematics.generators import base
from interactive_envs.mathematics.judge.notation import TooLargeError, UnreadableError

MOST_BITS = 200_000
"""Of an exact number."""
MOST_FACTORIAL = 20_000
MOST_BITS_PRIME = 2_000
MOST_BITS_WRITTEN = 14_000
"""Of a number whose digits are looked at; Python writes no longer ones."""
MOST_BITS_FACTORED = 200
TRIALS = 12
"""Random values for the names, to find what is true of any."""
RELATIONS = ("Eq", "Ne", "Lt", "Le", "Gt", "Ge")

_FACTORING = ("totient", "divisor_count", "divisor_sigma", "n_order", "issquarefree", "primes")


def decide(claim: str, values: Mapping[str, Any]) -> bool:
    """Return whether a claim is true of these values.

    Args:
        claim: relations, joined by And, Or and Not, in the language of :func:`base.parse` and the predicates here.
        values: sympy objects by name.

    Raises:
        TooLargeError: it cannot be computed in reasonable time.
        UnreadableError: it is none, or it is undecided.
    """
    return _truth(_tree(claim), values)


def evaluate(text: str, values: Mapping[str, Any]) -> Any:
    """Return the sympy object that an expression stands for.

    SymPy's own parser computes what it reads, however large; this one refuses before.

    Raises:
        TooLargeError: it cannot be computed in reasonable time.
        UnreadableError: it is none.
    """
    return _value(_tree(text), values)


def tidy(text: str) -> str:
    """Return the same text without needless parentheses."""
    return ast.unparse(_tree(text))


def sides(claim: str) -> set[str]:
    """Return the values of the sides of an equation of whole numbers."""
    tree = _tree(claim)
    if not (isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id in RELATIONS):
        return set()
    found = set()
    for arg in tree.args:
        with contextlib.suppress(UnreadableError):
            value = _value(arg, {})
            if not getattr(value, "is_Rational", False) or _bits(value) <= MOST_BITS_WRITTEN:
                found.add(str(value))
    return found


def empty(claim: str, names: set[str]) -> bool:
    """Return whether a claim would be true of any values of its names; one that names nothing is not."""
    used = {node.id for node in ast.walk(_tree(claim)) if isinstance(node, ast.Name)} & names
    if not used:
        return False
    rng = random.Random(claim)  # noqa: S311
    try:
        return all(decide(claim, drawn) for drawn in _any_values(claim, sorted(used), rng))
    except (UnreadableError, ArithmeticError, TypeError, AttributeError, ValueError):
        return False


def _any_values(claim: str, names: Sequence[str], rng: random.Random) -> Iterator[dict[str, Any]]:
    """Values for names: large ones of either sign, small ones, and those that the claim itself speaks of."""
    import sympy

    numbers = [int(number) for number in re.findall(r"\d{1,12}", claim)][:6]
    for trial in range(TRIALS):
        span = 10**12 if trial < 6 else rng.choice((9, 10**3, 10**6))
        sign = 1 if trial < 2 else -1 if trial < 4 else rng.choice((1, -1))
        yield {name: sympy.Rational(sign * rng.randint(0, span), rng.choice((1, 1, 2, 7))) for name in names}
    for number in numbers:
        for near in (number - 1, number, number + 1):
            yield dict.fromkeys(names, sympy.Integer(near))


def _tree(text: str) -> ast.expr:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, RecursionError, MemoryError, ValueError) as error:
        raise UnreadableError(f"unreadable: {text[:80]}") from error


def _truth(node: ast.expr, values: Mapping[str, Any]) -> bool:
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
        raise UnreadableError(f"no relation: {ast.unparse(node)[:80]}")
    name, args = node.func.id, node.args
    if name in RELATIONS and len(args) == 2:
        return _relates(name, args[0], args[1], values)
    match name, args:
        case "And", [_, *_]:
            verdicts = [_truth(arg, values) for arg in args]  # all, so that none stays undecided
            return all(verdicts)
        case "Or", [_, *_]:
            verdicts = [_truth(arg, values) for arg in args]
            return any(verdicts)
        case "Not", [inner]:
            return not _truth(inner, values)
        case "Contains", [item, members]:
            return _contains(_value(item, values), _value(members, values))
        case _ if name in _PREDICATES and args:
            return bool(_PREDICATES[name](*(_value(arg, values) for arg in args)))
    raise UnreadableError(f"no relation: {ast.unparse(node)[:80]}")


def _relates(name: str, left: ast.expr, right: ast.expr, values: Mapping[str, Any]) -> bool:
    try:
        first, second = _value(left, values), _value(right, values)
    except TooLargeError:
        order = _order_of_logarithms(left, right, values)
    else:
        if name in ("Eq", "Ne"):
            try:
                return base.same(first, second) == (name == "Eq")
            except ValueError as error:
                raise UnreadableError(str(error)) from error
        order = _order(first, second)
    return {"Eq": order == 0, "Ne": order != 0, "Lt": order < 0, "Le": order <= 0, "Gt": order > 0, "Ge": order >= 0}[
        name
    ]


def _order(first: Any, second: Any) -> int:
    import sympy

    if not (isinstance(first, sympy.Expr) and isinstance(second, sympy.Expr)):
        raise UnreadableError("what is compared has no order")
    if first.is_real is False or second.is_real is False:
        raise UnreadableError("complex numbers have no order")
    try:
        return base.compare(first, second)
    except ValueError as error:
        raise UnreadableError(str(error)) from error


def _order_of_logarithms(left: ast.expr, right: ast.expr, values: Mapping[str, Any]) -> int:
    """Return how two positive numbers compare that are too large to write."""
    import mpmath

    with mpmath.workdps(80):
        first, second = _logarithm(left, values), _logarithm(right, values)
        if abs(first - second) <= max(1, abs(first)) * mpmath.mpf(10) ** -60:
            raise TooLargeError("too large to tell apart")
        return 1 if first > second else -1


def _logarithm(node: ast.expr, values: Mapping[str, Any]) -> Any:
    import mpmath
    import sympy

    match node:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _logarithm(left, values) + _logarithm(right, values)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return _logarithm(left, values) - _logarithm(right, values)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _logarithm(left, values) * mpmath.mpf(sympy.N(_value(right, values), 90))
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            high, low = sorted((_logarithm(left, values), _logarithm(right, values)), reverse=True)
            return high + mpmath.log1p(mpmath.exp(low - high))
        case ast.Call(func=ast.Name(id="factorial"), args=[arg]):
            return mpmath.loggamma(mpmath.mpf(sympy.N(_value(arg, values), 90)) + 1)
    found = _value(node, values)
    if not (isinstance(found, sympy.Expr) and found.is_positive):
        raise TooLargeError("too large to compute")
    return mpmath.log(mpmath.mpf(sympy.N(found, 90)))


def _value(node: ast.expr, values: Mapping[str, Any]) -> Any:
    import sympy

    match node:
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            return sympy.Integer(value)
        case ast.Name(id=name) if name in values:
            return values[name]
        case ast.Name(id=name) if name in ("pi", "E", "I", "oo"):
            return getattr(sympy, name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, values)
        case ast.BinOp(left=left, op=op, right=right):
            return _binary(op, left, right, values)
        case ast.Set(elts=items):
            return sympy.FiniteSet(*(_value(item, values) for item in items))
        case ast.Tuple(elts=items):
            return sympy.Tuple(*(_value(item, values) for item in items))
        case ast.Call(func=ast.Name(id="Mod"), args=[number, modulus]):
            return _remainder(number, _value(modulus, values), values)
        case ast.Call(func=ast.Name(id=name), args=args) if args and (name in _SAFE or name in _OWN):
            return _call(name, [_value(arg, values) for arg in args])
    raise UnreadableError(f"not allowed: {ast.unparse(node)[:80]}")


def _binary(op: ast.operator, left: ast.expr, right: ast.expr, values: Mapping[str, Any]) -> Any:
    import sympy

    first, second = _value(left, values), _value(right, values)
    if isinstance(op, ast.Mult | ast.Div) and isinstance(first, sympy.Tuple) != isinstance(second, sympy.Tuple):
        return _scaled(op, first, second)
    tuples = [isinstance(side, sympy.Tuple | sympy.Set) for side in (first, second)]
    if any(tuples):
        if all(tuples) and isinstance(op, ast.Add | ast.Sub) and isinstance(first, sympy.Tuple):
            sign = 1 if isinstance(op, ast.Add) else -1
            if len(first) != len(second):
                raise UnreadableError("vectors of different length")
            return sympy.Tuple(*(a + sign * b for a, b in zip(first, second, strict=True)))
        if all(tuples) and isinstance(op, ast.Mult):
            return _dot(first, second)
        raise UnreadableError("arithmetic with a set or tuple")
    match op:
        case ast.Add():
            return first + second
        case ast.Sub():
            return first - second
        case ast.Mult():
            return first * second
        case ast.Div():
            if second == 0:
                raise UnreadableError("division by zero")
            return first / second
        case ast.Pow():
            return _power(first, second)
    raise UnreadableError(f"not allowed: {type(op).__name__}")


def _scaled(op: ast.operator, first: Any, second: Any) -> Any:
    import sympy

    if isinstance(first, sympy.Tuple):
        if isinstance(op, ast.Div) and second == 0:
            raise UnreadableError("division by zero")
        return sympy.Tuple(*(item / second if isinstance(op, ast.Div) else item * second for item in first))
    if isinstance(op, ast.Div) or not isinstance(first, sympy.Expr):
        raise UnreadableError("division by a vector")
    return sympy.Tuple(*(first * item for item in second))


def _power(first: Any, second: Any) -> Any:
    import sympy

    if isinstance(first, sympy.Tuple) and second == 2:
        return _dot(first, first)
    if not (isinstance(first, sympy.Expr) and isinstance(second, sympy.Expr)):
        raise UnreadableError("a power of what is no number")
    if first == 0 and not second.is_nonnegative:
        raise UnreadableError("division by zero")
    if first in (0, 1, -1) and second.is_Integer:
        return first**second
    if not second.is_Rational:
        if second.is_Integer is False and first.is_Rational and abs(second.evalf(15)) < 10_000:
            return first**second
        raise TooLargeError("a power with such an exponent is not computed")
    if abs(second) > MOST_BITS or abs(second) * _bits(first) > MOST_BITS:
        raise TooLargeError("a power too large to compute")
    return first**second


def _bits(number: Any) -> int:
    """Bits of the parts of a rational; a few for other numbers."""
    if number.is_Rational:
        return int(max(abs(number.p).bit_length(), number.q.bit_length()))
    return 64


def _remainder(node: ast.expr, modulus: Any, values: Mapping[str, Any]) -> Any:
    """Return a remainder, of a power without computing the power."""
    import sympy

    if modulus == 0:
        raise UnreadableError("a remainder by zero")
    if modulus.is_Integer and modulus > 0:
        found = _modular(node, int(modulus), values)
        if found is not None:
            return sympy.Integer(found)
    return sympy.Mod(_value(node, values), modulus)


def _modular(node: ast.expr, modulus: int, values: Mapping[str, Any]) -> int | None:
    """Return the remainder of what is built of whole numbers; None where it is not."""
    match node:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() as op, right=right):
            first, second = _modular(left, modulus, values), _modular(right, modulus, values)
            if first is None or second is None:
                return None
            return {ast.Add: first + second, ast.Sub: first - second, ast.Mult: first * second}[type(op)] % modulus
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            exponent, found = _value(right, values), _modular(left, modulus, values)
            if found is None or not exponent.is_Integer:
                return None
            return (
                _inverse(pow(found, -int(exponent), modulus), modulus)
                if exponent < 0
                else pow(found, int(exponent), modulus)
            )
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            first, second = _modular(left, modulus, values), _modular(right, modulus, values)
            whole = _value(node, values)
            if first is None or second is None or whole.is_Integer:
                return int(whole) % modulus if whole.is_Integer else None
            return first * _inverse(second, modulus) % modulus
        case ast.Call(func=ast.Name(id="factorial"), args=[arg]):
            number = _value(arg, values)
            if number.is_Integer and number >= modulus:
                return 0
    value = _value(node, values)
    return int(value) % modulus if getattr(value, "is_Integer", False) else None


def _inverse(number: int, modulus: int) -> int:
    try:
        return pow(number, -1, modulus)
    except ValueError as error:
        raise UnreadableError(f"{number} has no inverse modulo {modulus}") from error


def _call(name: str, args: list[Any]) -> Any:
    import sympy

    if name == "Abs" and isinstance(args[0], sympy.Tuple):
        return sympy.sqrt(_dot(args[0], args[0]))
    if name in _OWN:
        return _OWN[name](*args)
    if name == "factorial" and not (args[0].is_Integer and 0 <= args[0] <= MOST_FACTORIAL):
        raise TooLargeError("a factorial of that is not computed")
    if name == "binomial" and not all(arg.is_Integer and abs(arg) <= MOST_FACTORIAL for arg in args):
        raise TooLargeError("a binomial of that is not computed")
    if name == "fibonacci" and not (args[0].is_Integer and abs(args[0]) <= MOST_FACTORIAL):
        raise TooLargeError("a Fibonacci number of that is not computed")
    if name in _FACTORING and not all(arg.is_Integer and 0 < arg < 2**MOST_BITS_FACTORED for arg in args):
        raise TooLargeError("that number is not factored")
    if name in ("gcd", "lcm") and not all(arg.is_Rational for arg in args):
        raise UnreadableError("a common divisor of what are no numbers")
    if name == "log" and args[0] == 0:
        raise UnreadableError("the logarithm of zero")
    try:
        if name in ("gcd", "lcm") and len(args) > 2:
            return getattr(sympy, name)(args)
        return sympy.sympify(getattr(sympy, name)(*args))
    except (TypeError, ValueError, AttributeError) as error:
        raise UnreadableError(f"{name}: {error}"[:80]) from error


_SAFE = frozenset(
    "Rational sqrt cbrt root exp log floor ceiling Abs sign Min Max sin cos tan asin acos atan gcd lcm factorial "
    "binomial fibonacci totient divisor_count divisor_sigma multiplicity n_order".split()
)


def _whole(number: Any) -> int:
    if not getattr(number, "is_Integer", False):
        raise UnreadableError("digits of what is no whole number")
    if abs(number).p.bit_length() > MOST_BITS_WRITTEN:
        raise TooLargeError("a number of too many digits")
    return abs(int(number))


def _digits(number: Any) -> Any:
    import sympy

    return sympy.Integer(len(str(_whole(number))))


def _digit(number: Any, place: Any) -> Any:
    """Return the digit at a place: 1 for the ones, 2 for the tens; -1 for the first of all."""
    import sympy

    written = str(_whole(number))[::-1]
    at = len(written) if place == -1 else int(place)
    if not 1 <= at <= len(written):
        raise UnreadableError("a number without such a place")
    return sympy.Integer(int(written[at - 1]))


def _digit_sum(number: Any) -> Any:
    import sympy

    return sympy.Integer(sum(map(int, str(_whole(number)))))


def _reversed(number: Any) -> Any:
    import sympy

    return sympy.Integer(int(str(_whole(number))[::-1]))


def _primes(number: Any) -> Any:
    import sympy

    return sympy.FiniteSet(*sympy.primefactors(number))


def _size(members: Any) -> Any:
    import sympy

    if not isinstance(members, sympy.FiniteSet | sympy.Tuple):
        raise UnreadableError("the size of what is no set")
    return sympy.Integer(len(members))


def _dot(first: Any, second: Any) -> Any:
    import sympy

    if not (isinstance(first, sympy.Tuple) and isinstance(second, sympy.Tuple) and len(first) == len(second)):
        raise UnreadableError("a scalar product of what are no vectors")
    return sympy.Add(*(a * b for a, b in zip(first, second, strict=True)))


def _cross(first: Any, second: Any) -> Any:
    import sympy

    if not (isinstance(first, sympy.Tuple) and isinstance(second, sympy.Tuple) and len(first) == len(second) == 3):
        raise UnreadableError("a cross product of what are no vectors of space")
    (a, b, c), (x, y, z) = first, second
    return sympy.Tuple(b * z - c * y, c * x - a * z, a * y - b * x)


def _component(vector: Any, place: Any) -> Any:
    import sympy

    if not isinstance(vector, sympy.Tuple) or not 1 <= place <= len(vector):
        raise UnreadableError("a component of what is no vector")
    return vector[int(place) - 1]


def _numerator(number: Any) -> Any:
    import sympy

    return sympy.fraction(sympy.together(number))[0]


def _denominator(number: Any) -> Any:
    import sympy

    return sympy.fraction(sympy.together(number))[1]


_OWN: dict[str, Callable[..., Any]] = {
    "digits": _digits,
    "digit_sum": _digit_sum,
    "reversed_digits": _reversed,
    "primes": _primes,
    "size": _size,
    "digit": _digit,
    "numerator": _numerator,
    "denominator": _denominator,
    "dot": _dot,
    "cross": _cross,
    "component": _component,
}


def _is_integer(number: Any) -> bool:
    import sympy

    return bool(number.is_Integer or (isinstance(number, sympy.Expr) and base.same(number, sympy.floor(number))))


def _is_prime(number: Any) -> bool:
    import sympy

    if not _is_integer(number):
        return False
    if int(number).bit_length() > MOST_BITS_PRIME:
        raise TooLargeError("too large to tell whether it is prime")
    return bool(sympy.isprime(int(number)))


def _is_composite(number: Any) -> bool:
    return _is_integer(number) and number > 3 and not _is_prime(number)


def _is_power(number: Any, exponent: Any) -> bool:
    if not _is_integer(number) or number < 0:
        return False
    import sympy

    _whole(number)
    return bool(sympy.integer_nthroot(int(number), int(exponent))[1])


def _is_power_of(number: Any, root: Any) -> bool:
    """Return whether a whole number is 1, root, root squared and so on."""
    if not (_is_integer(number) and _is_integer(root) and root > 1 and number > 0):
        return False
    left, by = int(number), int(root)
    while left % by == 0:
        left //= by
    return left == 1


def _made_of(number: Any, *primes: Any) -> bool:
    """Return whether a whole number has no prime factors but these."""
    if not (_is_integer(number) and number > 0 and all(_is_integer(prime) and prime > 1 for prime in primes)):
        return False
    left = int(number)
    for prime in map(int, primes):
        while left % prime == 0:
            left //= prime
    return left == 1


def _divides(divisor: Any, number: Any) -> bool:
    if not (_is_integer(divisor) and _is_integer(number)) or divisor == 0:
        return False
    return int(number) % int(divisor) == 0


def _coprime(*numbers: Any) -> bool:
    import math

    if not all(map(_is_integer, numbers)):
        return False
    return math.gcd(*map(int, numbers)) == 1


def _is_rational(number: Any) -> bool:
    import sympy

    simple = sympy.nsimplify(sympy.simplify(number)) if not number.is_Rational else number
    if simple.is_rational is None:
        raise UnreadableError("undecided whether it is rational")
    return bool(simple.is_rational)


def _contains(item: Any, members: Any) -> bool:
    import sympy

    if not isinstance(members, sympy.FiniteSet | sympy.Tuple):
        raise UnreadableError("membership in what is no set")
    return any(base.same(item, member) for member in members)


_PREDICATES: dict[str, Any] = {
    "isprime": _is_prime,
    "iscomposite": _is_composite,
    "issquare": lambda number: _is_power(number, 2),
    "iscube": lambda number: _is_power(number, 3),
    "ispowerof": _is_power_of,
    "madeof": _made_of,
    "isinteger": _is_integer,
    "isrational": _is_rational,
    "isreal": lambda number: bool(number.is_real),
    "ispalindrome": lambda number: str(_whole(number)) == str(_whole(number))[::-1],
    "Divides": _divides,
    "coprime": _coprime,
}
