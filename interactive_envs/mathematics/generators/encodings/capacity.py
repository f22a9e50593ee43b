"""``capacity``: how long a message can be so that every message has a code of its own."""

from __future__ import annotations

import itertools
import math

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import NAMES, Draft, Rng, between, pick
from interactive_envs.mathematics.generators.wording import listed, table


class Capacity(Generator):
    """How long a message can be so that every message has a code of its own."""

    name = "capacity"
    field = "encodings"

    _alphabets = (
        ("the 26 capital letters of the English alphabet and the space", 27),
        ("the 10 digits, the comma and the minus sign", 12),
        ("the 24 capital letters of the Greek alphabet, the space and the full stop", 26),
        ("the 26 capital and the 26 small letters of the English alphabet, the 10 digits and the space", 63),
        ("the 12 notes of an octave and a rest", 13),
        ("the 7 days of the week, the 12 months and the 31 numbers of days", 50),
    )
    _codes = table("""
        {name} threads beads on a cord | bead | beads | cord | red, blue, green, white, black, yellow, brown, violet
        {name} ties knots into a rope | knot | knots | rope | overhand, reef, bowline, slip, hitch, noose, crown, wall
        {name} lays coloured tiles in a line | tile | tiles | line | red, blue, green, white, black, yellow, ochre,
            grey
        {name} hoists flags on a very tall mast | flag | flags | mast | star, cross, stripe, moon, crown, fish, oak,
            key
    """)

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: longest message; 2: shortest code; 3: neighbours differ; 4: a safeguard; 5: cut into lines."""
        alphabet, s = pick(rng, self._alphabets)
        opening, one, many, place, kinds = pick(rng, self._codes)
        c = between(rng, 3, 8)
        if c >= s - 2:
            return None
        names = kinds.split(", ")[:c]
        lines = between(rng, 20, 60) if difficulty == 5 else 1
        length = between(rng, 60, 150) if difficulty == 5 else between(rng, 300, 4000)
        apart, even = difficulty in (3, 5), difficulty == 4
        text = f"""{opening.format(name=pick(rng, NAMES))} to write messages. The kinds of {many} are {listed(names)};
            there are enough of each. The symbols of the messages are {alphabet}. """
        apart_rule = f"Two neighbouring {many} must never be of the same kind. " if apart else ""
        if difficulty == 2:
            target = between(rng, 200, 2000)
            text += f"""Every message has exactly {target} symbols, and any sequence of symbols is a message. All codes
                are to have the same number of {many}, and different messages must have different codes. What is the
                smallest number of {many} for which this is possible?"""
            return self._shortest(difficulty, text, s, c, target, many)
        if difficulty == 5:
            text += f"""{apart_rule}There is room for {lines} {place}s of exactly {length} {many} each; the rule holds
                within each {place} on its own. In method A the {place}s are independent: each holds a part of the
                message with a fixed number of symbols, the same for all {place}s, and that part must be readable from
                its {place} alone. In method B all {place}s together are one code for the whole message, which has a
                fixed number of symbols. Any sequence of symbols may be wanted, and different messages (in method A:
                different parts) need different codes. By how many symbols is the longest possible message in method B
                longer than in method A?"""
            return self._lines(text, s, c, length, lines, many, place)
        text += f"The {place} has room for exactly {length} {many}, and all places are used. {apart_rule}"
        if even:
            text += f"""As a safeguard the number of {many} of the kind {names[0]} must be even (0 is even). Messages
                may have any number of symbols from 0 to L (the empty message is a message too), any sequence of symbols
                is a message, and different messages must have different codes. What is the largest possible L?"""
        else:
            text += """All messages have the same number L of symbols, any sequence of L symbols may be wanted, and
                different messages must have different codes. What is the largest possible L?"""
        draft = self._begin(difficulty, s, c, length, many, apart=apart, even=even)
        size, codes = c**length, "symbols_code**length"
        count, bits = "symbols**({0})", "floor(length*log(symbols_code)/log(symbols))"
        if apart:
            size, codes = c * (c - 1) ** (length - 1), "symbols_code*(symbols_code - 1)**(length - 1)"
            bits = f"floor((log({c}) + (length - 1)*log({c - 1}))/log(symbols))"
            draft.note(f"""
                step The first {one} is free, each further one must differ from the one before: {c} times
                    {c - 1}^{length - 1} codes. :: Eq({codes}, {c}*{c - 1}**(length - 1))
            """)
        elif even:
            size = (c**length + (c - 2) ** length) // 2
            codes = "(symbols_code**length + (symbols_code - 2)**length)/2"
            count = "(symbols**({0} + 1) - 1)/(symbols - 1)"
            draft.note(f"""
                step Counting a {one} of the kind {names[0]} as -1 and any other as 1, the even codes outnumber the odd
                    ones by {c - 2}^{length}. :: Eq(2*{codes} - symbols_code**length, {c - 2}**length)
                step So there are ({c}^{length} + {c - 2}^{length})/2 codes.
                    :: Eq({codes}, ({c}**length + {c - 2}**length)/2)
                step The numbers of messages of all lengths from 0 to L add up to ({s}^(L + 1) - 1)/{s - 1}.
                    :: Eq(1 + symbols + symbols**2, (symbols**3 - 1)/(symbols - 1))
            """)
        else:
            draft.step(f"There are {c}^{length} codes.", f"Eq({codes}, {c}**length)")
        if not even:
            draft.step(f"There are {s}^L messages of L symbols.", f"Ge(symbols**answer, {s})")
        best = _longest(size, s, shorter=even)
        draft.note(f"""
            find answer = {best}: answer; l; length of longest message; number of message symbols; largest l; largest
                possible l; length of the longest message; longest message; largest number of symbols; largest message
                length; greatest l
            step With L = {best} there are enough codes. :: Le({count.format("answer")}, {codes})
            step With one symbol more there are not. :: Gt({count.format("answer + 1")}, {codes})
        """)
        if even:
            draft.aside("Without the safeguard, messages of one length could not be shorter.", f"Le(answer, {bits})")
        else:
            draft.step("In logarithms.", f"Eq(answer, {bits})")
        return draft.problem(text)

    def confirm(self, problem: Problem) -> int:
        """Multiply up in whole numbers."""
        known = problem.parameters
        s, c, length = known["s"], known["c"], known["length"]
        if problem.difficulty == 2:
            messages, codes, used = s**length, 1, 0
            while codes < messages:
                codes, used = codes * c, used + 1
            return used
        codes = c
        for _ in range(length - 1):
            codes *= c - 1 if known["apart"] else c
        if known["even"]:
            codes, odd = 1, 0
            for _ in range(length):
                codes, odd = (c - 1) * codes + odd, (c - 1) * odd + codes

        def fits(limit: int) -> int:
            messages, total, count = 1, 1, 0
            while (total := total + messages * s if known["even"] else messages * s) <= limit:
                messages, count = messages * s, count + 1
            return count

        lines = known.get("lines", 1)
        return fits(codes**lines) - lines * fits(codes) if lines > 1 else fits(codes)

    def _begin(self, difficulty: int, s: int, c: int, length: int, many: str, **more: bool | int) -> Draft:
        draft = Draft(self, difficulty, s=s, c=c, length=length, **more)
        name = "length of messages" if difficulty == 2 else f"number of {many}"
        draft.note(f"""
            find symbols = {s}: number of symbols; message symbols; size of message alphabet; size of the message
                alphabet; alphabet size; number of different symbols; different symbols
            find symbols_code = {c}: number of kinds of {many}; kinds of {many}; size of code alphabet; number of
                different {many}; size of the code alphabet; number of kinds; different {many}
            give length = {length}: {name}; {"message length" if difficulty == 2 else "code length"};
                {"length of a message" if difficulty == 2 else "length of the code"};
                {"number of symbols of a message" if difficulty == 2 else "length of a code"};
                {"length of the message" if difficulty == 2 else "length of each code"}
            step A message is written with {s} symbols. :: Eq(symbols, {s})
            step A code is written with {c} kinds of {many}. :: Eq(symbols_code, {c})
        """)
        return draft

    def _shortest(self, difficulty: int, text: str, s: int, c: int, target: int, many: str) -> Problem:
        draft = self._begin(difficulty, s, c, target, many, apart=False, even=False)
        best = next(n for n in itertools.count(math.floor(target * math.log(s, c)) - 2) if c**n >= s**target)
        draft.note(f"""
            find answer = {best}: answer; smallest number of {many}; code length; n; number of {many}; smallest code
                length; smallest possible number of {many}; length of the code; shortest code length; least number of
                {many}
            step There are {s}^{target} messages. :: Eq(symbols**length, {s}**length)
            step There are {c}^N codes of N {many}. :: Eq(symbols_code**answer, {c}**answer)
            step {best} {many} are enough. :: Ge(symbols_code**answer, symbols**length)
            step One fewer are not. :: Lt(symbols_code**(answer - 1), symbols**length)
            step In logarithms. :: Eq(answer, ceiling(length*log(symbols)/log(symbols_code)))
        """)
        return draft.problem(text)

    def _lines(self, text: str, s: int, c: int, length: int, lines: int, many: str, place: str) -> Problem | None:
        draft = self._begin(5, s, c, length, many, apart=True, even=False, lines=lines)
        size = c * (c - 1) ** (length - 1)
        each, whole = _longest(size, s), _longest(size**lines, s)
        codes = "symbols_code*(symbols_code - 1)**(length - 1)"
        draft.note(f"""
            give lines = {lines}: number of {place}s; {place}s; total number of {place}s; {place}s in all; how many
                {place}s
            find each = {each}: symbols in one {place}; message symbols per {place}; l in method a; symbols per {place};
                number of symbols in one {place}; symbols of one {place}; message length of one {place}
            find apart = {lines * each}: message length in method a; symbols in method a; longest message in method a;
                total length in method a; number of symbols in method a; length in method a; symbols of all {place}s
            find whole = {whole}: message length in method b; symbols in method b; longest message in method b; total
                length in method b; number of symbols in method b; length in method b; l in method b
            find answer = {whole - lines * each}: answer; difference; difference of methods; number of symbols more;
                method b minus method a; gain of method b; advantage of method b; difference of both methods; difference
                in symbols
            step One {place} has {c} times {c - 1}^{length - 1} codes. :: Eq({codes}, {c}*{c - 1}**(length - 1))
            step A part of {each} symbols fits on one {place}. :: Le(symbols**each, {codes})
            step A part of {each + 1} does not. :: Gt(symbols**(each + 1), {codes})
            step So method A carries {lines * each} symbols. :: Eq(apart, lines*each)
            step Together the {place}s can carry {whole}. :: Le(symbols**whole, ({codes})**lines)
            step They cannot carry one more. :: Gt(symbols**(whole + 1), ({codes})**lines)
            step The difference is asked for. :: Eq(answer, whole - apart)
        """)
        return draft.problem(text) if whole - lines * each >= 8 else None


def _longest(codes: int, symbols: int, *, shorter: bool = False) -> int:
    """Return the largest L for which messages of L symbols (or of up to L) are no more than the codes."""
    guess = int(codes.bit_length() / math.log2(symbols)) + 2
    while ((symbols ** (guess + 1) - 1) // (symbols - 1) if shorter else symbols**guess) > codes:
        guess -= 1
    return guess
