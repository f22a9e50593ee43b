"""Formulas of numbers, symbols, signs and functions, read into expressions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from interactive_envs.mathematics.judge.naming import Names
from interactive_envs.mathematics.judge.notation import FUNCTIONS, Token


class Arithmetic:
    """Reads numbers, symbols, signs and functions; None for anything else."""

    def __init__(self, tokens: Sequence[Token], names: Names | None) -> None:
        self._tokens = tokens
        self._names = names
        self._at = 0
        self._turning = 0

    def read(self) -> str | None:
        """Return the whole as an expression."""
        if not self._tokens:
            return None
        result = self._sum()
        return result if self._at == len(self._tokens) else None

    def _peek(self, ahead: int = 0) -> Token:
        at = self._at + ahead
        return self._tokens[at] if at < len(self._tokens) else Token("end", "")

    def _take(self, *texts: str) -> bool:
        if self._peek().kind in ("sign", "word") and self._peek().text in texts:
            self._at += 1
            return True
        return False

    def _sum(self) -> str | None:
        result = self._product()
        while result is not None:
            if self._take("+", "plus"):
                sign = "+"
            elif self._take("-", "minus"):
                sign = "-"
            else:
                break
            right = self._product()
            result = None if right is None else f"{result} {sign} {right}"
        return result

    def _product(self) -> str | None:
        result = self._signed()
        while result is not None:
            crossed = False
            if self._take("*", "\u00d7", "times"):
                crossed = self._tokens[self._at - 1].text == "\u00d7"
                sign = "*"
            elif self._take("/", "over"):
                sign = "/"
            elif self._peek().text in ("mod", "modulo", "choose") and self._peek().kind == "word":
                function = "binomial" if self._peek().text == "choose" else "Mod"
                self._at += 1
                right = self._signed()
                result = None if right is None else f"{function}({result}, {right})"
                continue
            elif self._implied():
                sign = "*"
            else:
                break
            right = self._signed()
            if right is not None and crossed and self._names and all(map(self._names.is_vector, (result, right))):
                result = f"cross({result}, {right})"
            else:
                result = None if right is None else f"{result}{sign}({right})"
        return result

    def _implied(self) -> bool:
        """``10x``, ``2 f(3)``, ``(a)(b)``: a product without a sign."""
        token, before = self._peek(), self._tokens[self._at - 1]
        if token.text == "(" and token.kind == "sign":
            return token.glued and (before.text == ")" or before.kind == "number")
        if token.kind != "word" or (token.text not in (*FUNCTIONS, "pi") and not self._symbol()):
            return False
        return before.kind == "number" or (before.text == ")" and (token.glued or token.text in FUNCTIONS))

    def _signed(self) -> str | None:
        if self._take("-", "minus"):
            inner = self._signed()
            return None if inner is None else f"(-{inner})"
        if self._take("+", "plus"):
            return self._signed()
        return self._power()

    def _power(self) -> str | None:
        result = self._postfix()
        if result is not None and self._take("^", "**"):
            exponent = self._signed()
            return None if exponent is None else f"({result})**({exponent})"
        return result

    def _postfix(self) -> str | None:
        result = self._atom()
        while result is not None:
            if self._take("!"):
                result = f"factorial({result})"
            elif self._take("squared"):
                result = f"({result})**2"
            elif self._take("cubed"):
                result = f"({result})**3"
            elif self._take("%", "percent"):
                result = f"({result})/100"
            elif self._turning and self._take("degrees", "degree"):
                result = f"({result})*pi/180"
            else:
                break
        return result

    def _symbol(self) -> str | None:
        """Return the quantity that a word stands for, alone or as ``f(3)``; the symbol's end is not taken."""
        token = self._peek()
        if token.kind != "word":
            return None
        return self._names.symbol(token.text) if self._names else None

    def _atom(self) -> str | None:
        token = self._peek()
        if token.kind == "number":
            self._at += 1
            return self._mixed_number(token.text) or number_text(token.text)
        if self._take("("):
            items = self._items(")")
            if items is None:
                return None
            return f"({items[0]})" if len(items) == 1 else f"({', '.join(items)})"
        if self._take("{"):
            items = self._items("}")
            return None if items is None else f"{{{', '.join(items)}}}"
        if self._take("|"):
            inner = self._sum()
            return f"Abs({inner})" if inner is not None and self._take("|") else None
        if token.kind != "word":
            return None
        if self._names and self._peek(1).text == "(":
            size = next((k for k in range(1, 8) if self._peek(k).text == ")"), 0)
            called = "".join(self._peek(k).text for k in range(size + 1))
            if size and (name := self._names.symbol(called) or self._names.symbol(re.sub(r"\W", "", called))):
                self._at += size + 1
                return name
        if token.text in FUNCTIONS and self._peek(1).text == "(":
            self._at += 2
            turning = token.text in ("sin", "cos", "tan")
            self._turning += turning
            items = self._items(")")
            self._turning -= turning
            return None if items is None else f"{FUNCTIONS[token.text]}({', '.join(items)})"
        if token.text in ("sqrt", "cbrt", "log", "sin", "cos", "tan") and self._peek(1).kind == "number":
            self._at += 1
            inner = self._atom()
            return f"{FUNCTIONS[token.text]}({inner})"
        if token.text == "pi" or (token.text == "e" and self._names is None):
            self._at += 1
            return "pi" if token.text == "pi" else "E"
        if name := self._symbol():
            self._at += 1
            return name
        return None

    def _mixed_number(self, whole: str) -> str | None:
        """Read the fraction of ``4 1/2`` behind its whole number."""
        top, sign, bottom = (self._peek(ahead) for ahead in range(3))
        if (top.kind, sign.text, bottom.kind) != ("number", "/", "number") or top.glued:
            return None
        if not (whole.isdecimal() and top.text.isdecimal() and bottom.text.isdecimal()):
            return None
        self._at += 3
        return f"({whole} + Rational({int(top.text)}, {int(bottom.text) or 1}))"

    def _items(self, close: str) -> list[str] | None:
        found = []
        while True:
            item = self._sum()
            if item is None:
                return None
            found.append(item)
            if self._take(close):
                return found
            if not self._take(","):
                return None


def number_text(text: str) -> str:
    """Return a number in digits as an exact expression."""
    if "." not in text:
        return str(int(text))
    exact = Fraction(text)
    return f"Rational({exact.numerator}, {exact.denominator})"


def expression(found: Sequence[Token]) -> str | None:
    """Arithmetic of numbers alone; None where there are names in it or it is none."""
    if len(found) > 1 and found[-1].text in ("%", "percent"):
        inner = expression(found[:-1])
        return f"({inner})/100" if inner else None
    return Arithmetic(found, None).read()
