"""Problems on codes: how much fits, how short it gets, how errors show, where a word stands in a list."""

from __future__ import annotations

import heapq
import itertools
import math

import numpy as np

from interactive_envs.mathematics.base import Generator, Problem
from interactive_envs.mathematics.draft import NAMES, Draft, between, pick, pick_some


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
    _codes = (
        (
            "{name} threads beads on a cord",
            "bead",
            "beads",
            "cord",
            "red, blue, green, white, black, yellow, brown, violet",
        ),
        (
            "{name} ties knots into a rope",
            "knot",
            "knots",
            "rope",
            "overhand, reef, bowline, slip, hitch, noose, crown, wall",
        ),
        (
            "{name} lays coloured tiles in a line",
            "tile",
            "tiles",
            "line",
            "red, blue, green, white, black, yellow, ochre, grey",
        ),
        (
            "{name} hoists flags on a very tall mast",
            "flag",
            "flags",
            "mast",
            "star, cross, stripe, moon, crown, fish, oak, key",
        ),
    )

    def draw(self, rng: np.random.Generator, difficulty: int) -> Problem | None:
        """1: longest message; 2: shortest code; 3: neighbours differ; 4: a safeguard; 5: cut into lines."""
        alphabet, s = pick(rng, self._alphabets)
        opening, one, many, place, kinds = pick(rng, self._codes)
        c = between(rng, 3, 8)
        if c >= s - 2:
            return None
        names = kinds.split(", ")[:c]
        listed = f"{', '.join(names[:-1])} and {names[-1]}"
        lines = between(rng, 20, 60) if difficulty == 5 else 1
        length = between(rng, 60, 150) if difficulty == 5 else between(rng, 300, 4000)
        apart, even = difficulty in (3, 5), difficulty == 4
        text = (
            f"{opening.format(name=pick(rng, NAMES))} to write messages. The kinds of {many} are {listed}; there "
            f"are enough "
            f"of each. The symbols of the messages are {alphabet}. "
        )
        apart_rule = f"Two neighbouring {many} must never be of the same kind. " if apart else ""
        if difficulty == 2:
            target = between(rng, 200, 2000)
            text += (
                f"Every message has exactly {target} symbols, and any sequence of symbols is a message. All "
                f"codes are to "
            )
            text += f"have the same number of {many}, and different messages must have different codes. What is the "
            text += f"smallest number of {many} for which this is possible?"
            return self._shortest(difficulty, text, s, c, target, many)
        if difficulty == 5:
            text += (
                f"{apart_rule}There is room for {lines} {place}s of exactly {length} {many} each; the rule holds "
                f"within each "
                f"{place} on its own. In method A the {place}s are independent: each holds a part of the message "
                f"with a fixed "
                f"number of symbols, the same for all {place}s, and that part must be readable from its {place} "
                f"alone. In "
                f"method B all {place}s together are one code for the whole message, which has a fixed number of "
                f"symbols. "
                "Any sequence of symbols may be wanted, and different messages (in method A: different parts) need "
                "different codes. By how many symbols is the longest possible message in method B longer than in "
                "method A?"
            )
            return self._lines(text, s, c, length, lines, many, place)
        text += f"The {place} has room for exactly {length} {many}, and all places are used. {apart_rule}"
        if even:
            text += f"As a safeguard the number of {many} of the kind {names[0]} must be even (0 is even). "
            text += (
                "Messages may have any number of symbols from 0 to L (the empty message is a message too), any "
                "sequence "
            )
            text += "of symbols is a message, and different messages must have different codes. What is the largest "
            text += "possible L?"
        else:
            text += (
                "All messages have the same number L of symbols, any sequence of L symbols may be wanted, and "
                "different "
            )
            text += "messages must have different codes. What is the largest possible L?"
        draft = self._begin(difficulty, text, s, c, length, many, apart=apart, even=even)
        size = c * (c - 1) ** (length - 1) if apart else (c**length + (c - 2) ** length) // 2 if even else c**length
        best = _longest(size, s, shorter=even)
        codes = "symbols_code*(symbols_code - 1)**(length - 1)" if apart else "symbols_code**length"
        if even:
            codes = "(symbols_code**length + (symbols_code - 2)**length)/2"
        if apart:
            draft.step(
                f"The first {one} is free, each further one must differ from the one before: {c} times "
                f"{c - 1}^{length - 1} "
                "codes.",
                f"Eq({codes}, {c}*{c - 1}**(length - 1))",
            )
        elif even:
            draft.step(
                f"Counting a {one} of the kind {names[0]} as -1 and any other as 1, the even codes outnumber the "
                f"odd ones by "
                f"{c - 2}^{length}.",
                f"Eq(2*{codes} - symbols_code**length, {c - 2}**length)",
            )
            draft.step(
                f"So there are ({c}^{length} + {c - 2}^{length})/2 codes.",
                f"Eq({codes}, ({c}**length + {c - 2}**length)/2)",
            )
        else:
            draft.step(f"There are {c}^{length} codes.", f"Eq({codes}, {c}**length)")
        count = "(symbols**({0} + 1) - 1)/(symbols - 1)" if even else "symbols**({0})"
        if even:
            draft.step(
                f"The numbers of messages of all lengths from 0 to L add up to ({s}^(L + 1) - 1)/{s - 1}.",
                "Eq(1 + symbols + symbols**2, (symbols**3 - 1)/(symbols - 1))",
            )
        else:
            draft.step(f"There are {s}^L messages of L symbols.", f"Ge(symbols**answer, {s})")
        draft.find("answer", best, "answer", "l", "length of longest message", "number of message symbols")
        draft.step(f"With L = {best} there are enough codes.", f"Le({count.format('answer')}, {codes})")
        draft.step("With one symbol more there are not.", f"Gt({count.format('answer + 1')}, {codes})")
        bits = "floor(length*log(symbols_code)/log(symbols))"
        if apart:
            bits = f"floor((log({c}) + (length - 1)*log({c - 1}))/log(symbols))"
        if not even:
            draft.step("In logarithms.", f"Eq(answer, {bits})")
        else:
            draft.aside("Without the safeguard, messages of one length could not be shorter.", f"Le(answer, {bits})")
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

    def _begin(self, difficulty: int, text: str, s: int, c: int, length: int, many: str, **more: bool | int) -> Draft:
        draft = Draft(self, difficulty, s=s, c=c, length=length, **more)
        draft.find("symbols", s, "number of symbols", "message symbols", "size of message alphabet")
        draft.find("symbols_code", c, f"number of kinds of {many}", f"kinds of {many}", "size of code alphabet")
        name = "length of messages" if difficulty == 2 else f"number of {many}"
        draft.give("length", length, name, "message length" if difficulty == 2 else "code length")
        draft.step(f"A message is written with {s} symbols.", f"Eq(symbols, {s})")
        draft.step(f"A code is written with {c} kinds of {many}.", f"Eq(symbols_code, {c})")
        return draft

    def _shortest(self, difficulty: int, text: str, s: int, c: int, target: int, many: str) -> Problem:
        draft = self._begin(difficulty, text, s, c, target, many, apart=False, even=False)
        best = next(n for n in itertools.count(math.floor(target * math.log(s, c)) - 2) if c**n >= s**target)
        draft.find("answer", best, "answer", f"smallest number of {many}", "code length", "n")
        draft.step(f"There are {s}^{target} messages.", f"Eq(symbols**length, {s}**length)")
        draft.step(f"There are {c}^N codes of N {many}.", f"Eq(symbols_code**answer, {c}**answer)")
        draft.step(f"{best} {many} are enough.", "Ge(symbols_code**answer, symbols**length)")
        draft.step("One fewer are not.", "Lt(symbols_code**(answer - 1), symbols**length)")
        draft.step("In logarithms.", "Eq(answer, ceiling(length*log(symbols)/log(symbols_code)))")
        return draft.problem(text)

    def _lines(self, text: str, s: int, c: int, length: int, lines: int, many: str, place: str) -> Problem | None:
        draft = self._begin(5, text, s, c, length, many, apart=True, even=False, lines=lines)
        draft.give("lines", lines, f"number of {place}s", f"{place}s")
        size = c * (c - 1) ** (length - 1)
        each, whole = _longest(size, s), _longest(size**lines, s)
        draft.find("each", each, f"symbols in one {place}", f"message symbols per {place}", "l in method a")
        draft.find("apart", lines * each, "message length in method a", "symbols in method a")
        draft.find("whole", whole, "message length in method b", "symbols in method b")
        draft.find("answer", whole - lines * each, "answer", "difference", "difference of methods")
        codes = "symbols_code*(symbols_code - 1)**(length - 1)"
        draft.step(f"One {place} has {c} times {c - 1}^{length - 1} codes.", f"Eq({codes}, {c}*{c - 1}**(length - 1))")
        draft.step(f"A part of {each} symbols fits on one {place}.", f"Le(symbols**each, {codes})")
        draft.step(f"A part of {each + 1} does not.", f"Gt(symbols**(each + 1), {codes})")
        draft.step(f"So method A carries {lines * each} symbols.", "Eq(apart, lines*each)")
        draft.step(f"Together the {place}s can carry {whole}.", f"Le(symbols**whole, ({codes})**lines)")
        draft.step("They cannot carry one more.", f"Gt(symbols**(whole + 1), ({codes})**lines)")
        draft.step("The difference is asked for.", "Eq(answer, whole - apart)")
        return draft.problem(text) if whole - lines * each >= 8 else None


class Prefixes(Generator):
    """The shortest text in code words of which none begins another."""

    name = "prefix-codes"
    field = "encodings"

    _settings = (
        ("{name} sends a text by lamp", "flash", "flashes", ("short", "long", "green")),
        ("{name} sends a text on a drum", "beat", "beats", ("high", "low", "muffled")),
        ("{name} sends a text by whistle", "note", "notes", ("low", "high", "trilled")),
        ("{name} punches a text into a tape", "hole", "holes", ("round", "square", "oval")),
    )

    def draw(self, rng: np.random.Generator, difficulty: int) -> Problem | None:
        """1: five letters; 2: six; 3: three kinds of signals; 4: a number of letters that leaves a gap; 5: a limit."""
        arity = 3 if difficulty in (3, 4) else 2
        letters = {1: 5, 2: 6, 3: 9, 4: 8, 5: 7}[difficulty]
        limit = 4 if difficulty == 5 else 0
        if difficulty == 5:
            # each about as common as the two before it together, so that the best code without a limit is lopsided
            counts = sorted(int(rng.integers(1, 9)) for _ in range(2))
            while len(counts) < letters:
                counts.append(int((counts[-1] + counts[-2]) * (0.8 + 0.5 * rng.random())) + 1)
            counts.sort()
        else:
            counts = sorted(between(rng, 2, 60) for _ in range(letters))
        if len(set(counts)) < letters:
            return None
        opening, one, many, kinds = pick(rng, self._settings)
        shuffled = [counts[int(i)] for i in rng.permutation(letters)]
        listed = ", ".join(f"{letter} {count}" for letter, count in zip("ABCDEFGHI", shuffled, strict=False))
        kind = f"{', '.join(kinds[: arity - 1])} or {kinds[arity - 1]}"
        text = (
            f"{opening.format(name=pick(rng, NAMES))}. It consists of {letters} different letters, which occur this "
            f"often: "
            f"{listed}. Each letter gets a code word, a sequence of one or more {many}, each of which is {kind}. "
            f"The {many} "
            "of all letters follow each other without any pause or mark, so no code word may be the beginning of "
            "another one. "
        )
        if limit:
            text += f"No code word may be longer than {limit} {many}. "
        text += f"What is the smallest possible number of {many} for the whole text?"
        draft = Draft(self, difficulty, counts=counts, arity=arity, limit=limit)
        draft.find("kinds", arity, f"number of kinds of {many}", "size of code alphabet")
        draft.give("letters", letters, "number of letters", "different letters")
        draft.find("total", sum(counts), "length of text", "number of letters in text")
        if limit:
            return self._limited(draft, text, counts, limit, many)
        draft.step(f"A code word is made of {arity} kinds of {many}.", f"Eq(kinds, {arity})")
        fill_up = -(letters - 1) % (arity - 1)
        if fill_up:
            draft.step(
                "To join three at a time down to one, an odd number is needed: the first time only two are joined.",
                "Eq(Mod(letters - 1, kinds - 1), 1)",
            )
        else:
            draft.step(
                f"Each joining of the {arity} rarest leaves {arity - 1} fewer, and one is left at the end.",
                "Eq(Mod(letters - 1, kinds - 1), 0)",
            )
        heap = list(counts)
        heapq.heapify(heap)
        names: list[str] = []
        total = 0
        take = arity - fill_up
        while len(heap) > 1:
            joined = [heapq.heappop(heap) for _ in range(take)]
            take = arity
            total += sum(joined)
            heapq.heappush(heap, sum(joined))
            index = len(names) + 1
            names.append(f"join_{index}")
            ordinal = ("first", "second", "third", "fourth", "fifth", "sixth")[index - 1]
            draft.find(f"join_{index}", sum(joined), f"{ordinal} joined count", f"sum of {ordinal} joining")
            draft.step(
                f"Join {', '.join(map(str, joined[:-1]))} and {joined[-1]} to {sum(joined)}.",
                f"Eq(join_{index}, {' + '.join(map(str, joined))})",
            )
        draft.find("answer", total, "answer", f"total number of {many}", "length of coded text")
        draft.step(f"Each joining costs each of its letters one {one}: add up.", f"Eq(answer, {' + '.join(names)})")
        if len(names) < 4:
            draft.step("The last joining takes in the whole text.", f"Eq({names[-1]}, total)")
        return draft.problem(text)

    def confirm(self, problem: Problem) -> int:
        """Try all lists of lengths that a code can have."""
        known = problem.parameters
        counts, arity = sorted(known["counts"], reverse=True), known["arity"]
        most = known["limit"] or len(counts) - 1
        best = math.inf

        def extend(lengths: list[int], room: int, cost: int) -> None:
            nonlocal best
            done = len(lengths)
            if done == len(counts):
                best = min(best, cost)
                return
            for length in range(lengths[-1] if lengths else 1, most + 1):
                share = arity ** (most - length)
                price = cost + counts[done] * length
                # what remains needs a place each, and cannot get shorter words
                if share <= room and price + length * sum(counts[done + 1 :]) < best:
                    extend([*lengths, length], room - share, price)

        extend([], arity**most, 0)
        return int(best)

    def _limited(self, draft: Draft, text: str, counts: list[int], limit: int, many: str) -> Problem | None:
        free = _huffman_lengths(counts)
        lengths = _limited_lengths(counts, limit)
        free_total = sum(a * b for a, b in zip(counts, free, strict=True))
        total = sum(a * b for a, b in zip(counts, lengths, strict=True))
        if max(free) <= limit:
            return None
        draft.give("limit", limit, "largest length of code word", "longest allowed code word")
        draft.find("free_longest", max(free), "longest code word without limit", "largest length without limit")
        draft.find("free_total", free_total, "total without limit", f"number of {many} without limit")
        draft.step(f"There are two kinds of {many}.", "Eq(kinds, 2)")
        joined = " + ".join(f"{a}*{b}" for a, b in zip(counts, free, strict=True))
        draft.step(
            f"Without a limit, joining the two rarest again and again gives {free_total} {many}.",
            f"Eq(free_total, {joined})",
        )
        draft.step(f"But then a code word has length {max(free)}, which is too long.", "Gt(free_longest, limit)")
        draft.step(f"There are {2**limit} sequences of length {limit} to share out.", f"Eq(kinds**limit, {2**limit})")
        room = " + ".join(f"2**(limit - {length})" for length in lengths)
        for length in sorted(set(lengths)):
            number = lengths.count(length)
            draft.find(f"words_{length}", number, f"code words of length {length}", f"letters with length {length}")
        names = " + ".join(f"words_{length}" for length in sorted(set(lengths)))
        draft.step("Every letter gets a code word.", f"Eq(letters, {names})")
        draft.step(f"Lengths {', '.join(map(str, sorted(lengths)))} use them up exactly.", f"Eq({room}, kinds**limit)")
        draft.find("answer", total, "answer", f"total number of {many}", "length of coded text")
        cost = " + ".join(f"{a}*{b}" for a, b in zip(counts, lengths, strict=True))
        draft.step(
            "The commonest letters get the short words; no other lengths that fit cost less.", f"Eq(answer, {cost})"
        )
        draft.step("The limit costs something.", "Gt(answer, free_total)")
        return draft.problem(text)


class CheckDigits(Generator):
    """Numbers that carry their own check: what was smeared, misread or is to be added."""

    name = "check-digits"
    field = "encodings"

    _things = (
        ("library", "card number"),
        ("railway", "ticket number"),
        ("museum", "inventory number"),
        ("hospital", "sample number"),
        ("mint", "serial number"),
    )

    def draw(self, rng: np.random.Generator, difficulty: int) -> Problem | None:
        """1: to be added; 2: two smeared digits; 3: one wrong digit; 4: two checks, two smeared digits; 5: three."""
        where, thing = pick(rng, self._things)
        if difficulty == 1:
            return self._append(rng, where, thing)
        if difficulty == 2:
            return self._smeared(rng, where, thing)
        if difficulty == 3:
            return self._misread(rng, where, thing)
        return self._two_checks(rng, difficulty, where, thing)

    def confirm(self, problem: Problem) -> int | None:
        """Try all digits."""
        known = problem.parameters
        modulus, digits, checks = known["modulus"], known["digits"], known["checks"]

        def valid(code: list[int]) -> bool:
            return all(sum(w * d for w, d in zip(weights, code, strict=True)) % modulus == 0 for weights in checks)

        if problem.difficulty == 3:
            changed = [[*digits[:i], x, *digits[i + 1 :]] for i, d in enumerate(digits) for x in range(10) if x != d]
            return max(int("".join(map(str, code))) for code in changed if valid(code))
        if problem.difficulty == 1:
            number = int("".join(map(str, digits)))
            return next(x for x in range(100) if (100 * number + x) % modulus == 0)
        places, found = known["places"], []
        for guess in itertools.product(range(10), repeat=len(places)):
            code = list(digits)
            for place, digit in zip(places, guess, strict=True):
                code[place] = digit
            if valid(code):
                found.append(int("".join(map(str, guess))))
        if problem.difficulty <= 4 and len(found) != 1:
            return None
        return max(found)

    def _append(self, rng: np.random.Generator, where: str, thing: str) -> Problem | None:
        modulus = pick(rng, (71, 73, 79, 83, 89, 97))
        digits = [between(rng, 1, 9)] + [between(rng, 0, 9) for _ in range(5)]
        number = int("".join(map(str, digits)))
        rest = 100 * number % modulus
        if rest in (0,) or modulus - rest < 10 or modulus - rest + modulus <= 99:
            return None
        text = (
            f"A {where} makes each {thing} from six digits by writing two check digits behind them, so that the number "
            f"with all eight digits is a multiple of {modulus}. The six digits are {number}. Which two-digit number "
            f"do the "
            "check digits form?"
        )
        draft = Draft(self, 1, modulus=modulus, digits=digits, checks=[])
        draft.give("number", number, "six digits", "number without check digits")
        draft.give("modulus", modulus, "modulus", "divisor")
        draft.find("shifted", 100 * number, "number with two zeros behind", "hundredfold number")
        draft.find("rest", rest, "remainder of hundredfold number", "remainder")
        draft.find("quotient", 100 * number // modulus, "quotient", "quotient of hundredfold number")
        draft.find("answer", modulus - rest, "answer", "check digits", "number of check digits formed")
        draft.step("Two more digits make a hundred times as much.", "Eq(shifted, 100*number)")
        draft.step(f"Divide by {modulus}.", "Eq(shifted, quotient*modulus + rest)")
        draft.step(f"The remainder is {rest}.", "Eq(Mod(shifted, modulus), rest)")
        draft.step("The check digits make up what is missing to the next multiple.", "Eq(answer, modulus - rest)")
        draft.step("Only one such number has two digits.", "And(Lt(answer, 100), Ge(answer + modulus, 100))")
        draft.step("The number is then a multiple.", "Eq(Mod(shifted + answer, modulus), 0)")
        return draft.problem(text)

    def _smeared(self, rng: np.random.Generator, where: str, thing: str) -> Problem | None:
        modulus, length = pick(rng, (101, 103, 107, 109)), 7
        weights = [between(rng, 2, 40) for _ in range(length)]
        digits = self._valid(rng, modulus, [weights])
        places = sorted(pick_some(rng, range(length), 2))
        if digits is None or digits[places[0]] == 0 or len(set(weights)) < length:
            return None
        known = sum(w * d for i, (w, d) in enumerate(zip(weights, digits, strict=True)) if i not in places)
        u, v = weights[places[0]], weights[places[1]]
        need = -known % modulus
        if sum((u * x + v * y) % modulus == need for x in range(10) for y in range(10)) != 1:
            return None
        text = (
            f"{_article(thing)} of a {where} has {length} digits. It is valid if the following sum is a multiple of "
            f"{modulus}: "
            f"{_weighted(weights)}. On one label two digits are smeared; it reads {_written(digits, places)}, where "
            f"each ? is "
            "a smeared digit. The number is valid. Which two-digit number do the smeared digits form, in the order in "
            "which they stand?"
        )
        draft = Draft(self, 2, modulus=modulus, digits=_blank(digits, places), places=places, checks=[weights])
        x, y = digits[places[0]], digits[places[1]]
        draft.give("modulus", modulus, "modulus", "divisor")
        draft.give("u", u, "weight of first smeared digit", "first weight")
        draft.give("v", v, "weight of second smeared digit", "second weight")
        draft.find("known", known, "sum of readable digits", "known part of sum")
        draft.find("need", need, "remainder needed", "remainder that smeared digits must give")
        draft.find("x", x, "first smeared digit", "first missing digit")
        draft.find("y", y, "second smeared digit", "second missing digit")
        draft.find("answer", 10 * x + y, "answer", "number formed by smeared digits")
        terms = [f"{w}*{d}" for i, (w, d) in enumerate(zip(weights, digits, strict=True)) if i not in places]
        draft.step(f"The readable digits give {known}.", f"Eq(known, {' + '.join(terms)})")
        draft.step(f"So the others must leave {need} by {modulus}.", "Eq(Mod(known + need, modulus), 0)")
        draft.step(f"{u} x + {v} y leaves {need}.", "Eq(Mod(u*x + v*y, modulus), need)")
        draft.step(f"Among the digits only {x} and {y} do.", "And(Le(x, 9), Le(y, 9), Ge(x, 0), Ge(y, 0))")
        draft.step("Written one behind the other.", "Eq(answer, 10*x + y)")
        return draft.problem(text)

    def _misread(self, rng: np.random.Generator, where: str, thing: str) -> Problem | None:
        modulus, length = pick(rng, (11, 13)), 6
        weights = pick_some(rng, range(1, modulus), length)
        read = [between(rng, 1, 9) for _ in range(length)]
        total = sum(w * d for w, d in zip(weights, read, strict=True))
        rest = total % modulus
        if rest == 0:
            return None
        number = int("".join(map(str, read)))
        fitting = []
        for i, (w, d) in enumerate(zip(weights, read, strict=True)):
            fitting += [(i, x) for x in range(10) if (total + w * (x - d)) % modulus == 0]
        candidates = {i: number + (x - read[i]) * 10 ** (length - 1 - i) for i, x in fitting}
        if len(candidates) < 3 or max(candidates.values()) < number:
            return None
        text = (
            f"{_article(thing)} of a {where} has {length} digits (the first may be 0, too). It is valid if the "
            f"following "
            f"sum is a "
            f"multiple of {modulus}: {_weighted(weights)}. A clerk who got exactly one digit of a valid number "
            f"wrong has "
            f"written {number}. What is the largest number that the valid one can be?"
        )
        draft = Draft(self, 3, modulus=modulus, digits=read, checks=[weights])
        draft.give("modulus", modulus, "modulus", "divisor")
        draft.give("number", number, "number written", "wrong number")
        draft.find("total", total, "weighted sum", "sum of number written")
        draft.find("rest", rest, "remainder of weighted sum", "remainder")
        terms = " + ".join(f"{w}*{d}" for w, d in zip(weights, read, strict=True))
        draft.step(f"The number as written has the sum {total}.", f"Eq(total, {terms})")
        draft.step(
            f"It leaves {rest} by {modulus}, so the change must take that away.", "Eq(Mod(total, modulus), rest)"
        )
        for i, x in fitting:
            ordinal = ("first", "second", "third", "fourth", "fifth", "sixth")[i]
            draft.find(
                f"try_{i + 1}", candidates[i], f"number if {ordinal} digit is wrong", f"candidate for {ordinal} digit"
            )
            draft.step(
                f"If the {ordinal} digit is wrong, it must be {x}: {candidates[i]}.",
                f"And(Eq(Mod(rest + {weights[i]}*({x} - {read[i]}), modulus), 0), "
                f"Eq(try_{i + 1}, number + ({x} - {read[i]})*{10 ** (length - 1 - i)}))",
            )
        draft.find("answer", max(candidates.values()), "answer", "largest valid number", "true number")
        draft.step("The largest of these.", f"Eq(answer, Max({', '.join(f'try_{i + 1}' for i in candidates)}))")
        draft.step("It is larger than what was written.", "Gt(answer, number)")
        return draft.problem(text)

    def _two_checks(self, rng: np.random.Generator, difficulty: int, where: str, thing: str) -> Problem | None:
        modulus, length = pick(rng, (11, 13)), 8
        count = difficulty - 2
        ones, rising = [1] * length, list(range(1, length + 1))
        digits = self._valid(rng, modulus, [ones, rising])
        places = sorted(pick_some(rng, range(length), count))
        if digits is None or digits[places[0]] == 0:
            return None
        solutions = []
        for guess in itertools.product(range(10), repeat=count):
            code = list(digits)
            for place, digit in zip(places, guess, strict=True):
                code[place] = digit
            if all(sum(w * d for w, d in zip(c, code, strict=True)) % modulus == 0 for c in (ones, rising)):
                solutions.append(guess)
        if count == 3 and not 3 <= len(solutions) <= 12:
            return None
        best = max(solutions)
        readable = [(i, d) for i, d in enumerate(digits) if i not in places]
        plain, graded = sum(d for _, d in readable), sum((i + 1) * d for i, d in readable)
        asked = (
            "Which two-digit number do the smeared digits form, in the order in which they stand?"
            if count == 2
            else "Which is the largest three-digit number that the smeared digits can form, in the order in which "
            "they stand?"
        )
        text = (
            f"{_article(thing)} of a {where} has {length} digits. It is valid if two sums are both multiples of "
            f"{modulus}: "
            f"the sum of "
            f"its digits, and the sum of the first digit, twice the second, three times the third and so on up to "
            f"{length} "
            f"times the last. On one label {'two' if count == 2 else 'three'} digits are smeared; it reads "
            f"{_written(digits, places)}, where each ? is a smeared digit. The number is valid. {asked}"
        )
        draft = Draft(
            self, difficulty, modulus=modulus, digits=_blank(digits, places), places=places, checks=[ones, rising]
        )
        draft.give("modulus", modulus, "modulus", "divisor")
        draft.find("plain", plain, "sum of readable digits", "plain sum of readable digits")
        draft.find("graded", graded, "weighted sum of readable digits", "second sum of readable digits")
        draft.find("a", -plain % modulus, "remainder needed in first sum", "what first sum lacks")
        draft.find("b", -graded % modulus, "remainder needed in second sum", "what second sum lacks")
        draft.step(f"The readable digits add up to {plain}.", f"Eq(plain, {' + '.join(str(d) for _, d in readable)})")
        draft.step(
            f"Weighted by their places they give {graded}.",
            f"Eq(graded, {' + '.join(f'{i + 1}*{d}' for i, d in readable)})",
        )
        draft.step(
            f"The smeared digits must leave {-plain % modulus} in the first sum.", "Eq(Mod(plain + a, modulus), 0)"
        )
        draft.step(f"And {-graded % modulus} in the second.", "Eq(Mod(graded + b, modulus), 0)")
        names = "xyz"[:count]
        for name, digit, ordinal in zip(names, best, ("first", "second", "third"), strict=False):
            draft.find(name, digit, f"{ordinal} smeared digit", f"{ordinal} missing digit")
        i = places[0] + 1
        gaps = [place + 1 - i for place in places[1:]]
        combined = " + ".join(f"{gap}*{name}" for gap, name in zip(gaps, names[1:], strict=True))
        draft.step(
            f"Take {i} times the first condition from the second: the first smeared digit drops out.",
            f"Eq(Mod({combined}, modulus), Mod(b - {i}*a, modulus))",
        )
        if count == 2:
            draft.step(
                f"{modulus} is prime, so this fixes the second smeared digit.", f"Eq(gcd({gaps[0]}, modulus), 1)"
            )
            draft.step("The first condition then fixes the other.", "Eq(Mod(x + y, modulus), a)")
            draft.find("answer", 10 * best[0] + best[1], "answer", "number formed by smeared digits")
            draft.step("Written one behind the other.", "Eq(answer, 10*x + y)")
            return draft.problem(text)
        draft.find("solutions", len(solutions), "number of solutions", "number of ways to fill gaps")
        draft.step(
            f"Each choice of the last smeared digit fixes the other two; {len(solutions)} of the choices give digits.",
            "And(Le(solutions, 10), Ge(solutions, 1))",
        )
        draft.step("All three fit the first condition.", "Eq(Mod(x + y + z, modulus), a)")
        draft.find(
            "answer", 100 * best[0] + 10 * best[1] + best[2], "answer", "largest number", "largest possible number"
        )
        draft.step("The largest of them.", "Eq(answer, 100*x + 10*y + z)")
        for digit in range(best[0] + 1, 10):
            draft.aside(f"The first smeared digit is not {digit}.", f"Ne(x, {digit})")
        return draft.problem(text)

    @staticmethod
    def _valid(rng: np.random.Generator, modulus: int, checks: list[list[int]]) -> list[int] | None:
        for _ in range(2000):
            digits = [int(d) for d in rng.integers(0, 10, len(checks[0]))]
            if all(sum(w * d for w, d in zip(c, digits, strict=True)) % modulus == 0 for c in checks):
                return digits
        return None


class WordRanks(Generator):
    """The place of a word in the alphabetical list of all words of its sort."""

    name = "word-ranks"
    field = "encodings"

    _settings = (
        ("{name} prints a dictionary of", "word", "words", "on line 1"),
        ("A lock tries, one after the other, all the", "password", "passwords", "as number 1"),
        ("{name}, a registrar, hands out, in this order, all the", "plate", "plates", "as number 1"),
        ("A very patient parrot learns, one a day, all the", "call", "calls", "on day 1"),
    )

    def draw(self, rng: np.random.Generator, difficulty: int) -> Problem | None:
        """1: any letters; 2: each letter once; 3: some twice; 4: no letter twice in a row; 5: between two words."""
        alphabet = "".join(sorted(pick_some(rng, "ABCDEGHIKLMNOPRSTU", 9)))
        opening, one, many, first = pick(rng, self._settings)
        opening = opening.format(name=pick(rng, NAMES))
        kind = ("all", "orders", "orders", "apart", "orders")[difficulty - 1]
        if kind == "orders":
            size = {2: 7, 3: 8, 5: 8}[difficulty]
            repeats = {2: [], 3: [2, 2], 5: [2, 3]}[difficulty]
            letters = "".join(sorted(alphabet[: size - sum(repeats) + len(repeats)]))
            doubled = pick_some(rng, letters, len(repeats))
            pool = sorted(letters + "".join(c * (r - 1) for c, r in zip(doubled, repeats, strict=True)))
            words = ["".join(pool[int(i)] for i in rng.permutation(len(pool))) for _ in range(2)]
            words.sort()
            spelled = ", ".join(f"{c} {pool.count(c)} times" if pool.count(c) > 1 else f"{c} once" for c in letters)
            rule = f"{many} that use each of the letters {', '.join(letters)} exactly once"
            if repeats:
                rule = f"{many} of {size} letters in which the letters occur exactly this often: {spelled}"
            rule = f"{rule} (any order of the letters is a {one})"
        else:
            count, size = between(rng, 4, 6), between(rng, 5, 6) if difficulty == 1 else between(rng, 6, 7)
            letters = alphabet[:count]
            while True:
                words = ["".join(pick(rng, letters) for _ in range(size))]
                if kind == "all" or all(a != b for a, b in itertools.pairwise(words[0])):
                    break
            rule = f"{many} of exactly {size} letters that are formed from the letters {', '.join(letters)}"
            rule += ", each of which may be used any number of times or not at all"
            if kind == "apart":
                rule += f", but never twice in a row (so a {one} has no two equal neighbouring letters)"
        text = f"{opening} {rule}. They come in alphabetical order, the first of them {first}. "
        if difficulty == 5:
            text += f"How many {many} stand strictly between {words[0]} and {words[1]}?"
        else:
            word = words[-1]
            text += {
                "on line 1": f"On which line stands {word}? (There is one {one} a line.)",
                "as number 1": f"What is the number of {word}?",
                "on day 1": f"On which day is it {word}'s turn?",
            }[first]
            words = [word]
        draft = Draft(self, difficulty, kind=kind, letters=letters, words=words)
        draft.give("length", len(words[0]), f"length of {one}", f"letters of a {one}")
        if kind == "orders":
            return self._orders(draft, text, words, one, many)
        word = words[0]
        count = len(letters)
        draft.give("count", count, "number of letters", "different letters")
        base = count if kind == "all" else count - 1
        if kind == "apart":
            draft.find("next", base, "choices for each further letter", "letters allowed after a letter")
            draft.step("Each letter after the first differs from the one before it.", "Eq(next, count - 1)")
        digits = [letters.index(c) for c in word]
        terms = []
        for i, digit in enumerate(digits):
            smaller = digit - (kind == "apart" and i > 0 and digits[i - 1] < digit)
            weight = base ** (len(word) - 1 - i)
            name = "count" if kind == "all" else "next"
            draft.find(
                f"skip_{i + 1}", smaller * weight, f"{many} skipped at letter {i + 1}", f"skipped at letter {i + 1}"
            )
            terms.append(f"skip_{i + 1}")
            draft.step(
                f"At letter {i + 1}, {smaller} smaller letters are possible, each with {weight} continuations.",
                f"Eq(skip_{i + 1}, {smaller}*{name}**{len(word) - 1 - i})",
            )
        skipped = sum(
            (digit - (kind == "apart" and i > 0 and digits[i - 1] < digit)) * base ** (len(word) - 1 - i)
            for i, digit in enumerate(digits)
        )
        draft.find("before", skipped, f"{many} before it", f"number of {many} before")
        draft.find("answer", skipped + 1, "answer", "place in list", "number in list")
        draft.step(f"So {skipped} {many} come before.", f"Eq(before, {' + '.join(terms)})")
        draft.step("The place is one more.", "Eq(answer, before + 1)")
        return draft.problem(text) if skipped > 30 else None

    def confirm(self, problem: Problem) -> int:
        """Write the list."""
        known = problem.parameters
        words, letters = known["words"], known["letters"]
        if known["kind"] == "orders":
            # permutations of a sorted word come in alphabetical order; equal ones are listed once
            listed = _distinct_orders("".join(sorted(words[0])))
        else:
            listed = ["".join(word) for word in itertools.product(letters, repeat=len(words[0]))]
            if known["kind"] == "apart":
                listed = [word for word in listed if all(a != b for a, b in itertools.pairwise(word))]
        places = [listed.index(word) for word in words]
        return places[1] - places[0] - 1 if len(places) == 2 else places[0] + 1

    def _orders(self, draft: Draft, text: str, words: list[str], one: str, many: str) -> Problem | None:
        everything = _orders_of(words[0])
        draft.find("all", everything, f"number of all {many}", "length of list")
        repeats = [words[0].count(c) for c in sorted(set(words[0]))]
        below = " / ".join([f"factorial({len(words[0])})"] + [f"factorial({r})" for r in repeats if r > 1])
        draft.step(f"In all there are {everything} {many}.", f"Eq(all, {below})")
        ranks = []
        for index, word in enumerate(words):
            label = "" if len(words) == 1 else ("first ", "second ")[index]
            key = "ab"[index]
            pieces, left, grouped = [], list(word), []
            for i, letter in enumerate(word):
                smaller = sorted({c for c in left if c < letter})
                counts = [_orders_of("".join(_without(left, c))) for c in smaller]
                left = _without(left, letter)
                pieces.append(sum(counts))
                grouped.append((i, letter, smaller, counts))
            ranks.append(sum(pieces))
            if len(words) == 1:
                for i, letter, smaller, counts in grouped[:-1]:
                    draft.find(
                        f"skip_{i + 1}", sum(counts), f"{many} skipped at letter {i + 1}", f"skipped at letter {i + 1}"
                    )
                    draft.step(
                        f"Smaller than {letter} at letter {i + 1}: {', '.join(smaller) or 'none'}; that skips "
                        f"{sum(counts)}.",
                        f"Eq(skip_{i + 1}, {' + '.join(map(str, counts)) or '0'})",
                    )
                total = " + ".join(f"skip_{i + 1}" for i in range(len(word) - 1))
            else:
                for i, letter, smaller, counts in grouped[:3]:
                    where = f"letter {i + 1} of {label}{one}"
                    draft.find(f"skip_{key}{i + 1}", sum(counts), f"skipped at {where}", f"{many} skipped at {where}")
                    draft.step(
                        f"For {word}, smaller than {letter} at letter {i + 1}: {', '.join(smaller) or 'none'}; that "
                        f"skips "
                        f"{sum(counts)}.",
                        f"Eq(skip_{key}{i + 1}, {' + '.join(map(str, counts)) or '0'})",
                    )
                total = " + ".join([f"skip_{key}{i + 1}" for i in range(3)] + [str(sum(pieces[3:]))])
            draft.find(
                f"before_{key}", sum(pieces), f"{many} before {label}{one}", f"number of {many} before {label}one"
            )
            draft.step(f"So {sum(pieces)} {many} come before {word}.", f"Eq(before_{key}, {total})")
        if len(words) == 1:
            draft.find("answer", ranks[0] + 1, "answer", "place in list", "number in list")
            draft.step("The place is one more.", "Eq(answer, before_a + 1)")
            return draft.problem(text) if ranks[0] > 30 else None
        draft.find("answer", ranks[1] - ranks[0] - 1, "answer", f"number of {many} between")
        draft.step("Neither of the two counts.", "Eq(answer, before_b - before_a - 1)")
        return draft.problem(text) if ranks[1] - ranks[0] > 60 else None


class Counters(Generator):
    """Page numbers and counters, some of which shun a digit or a pair of digits."""

    name = "counters"
    field = "encodings"

    _pages = (
        (
            "{name} numbers the pages of a chronicle 1, 2, 3 and so on, in decimal and without leading zeros",
            "pages",
            "page",
        ),
        (
            "{name} paints the house numbers 1, 2, 3 and so on along a very long street, without leading zeros",
            *("houses", "house"),
        ),
        ("{name} stamps the tickets of a fair 1, 2, 3 and so on, without leading zeros", "tickets", "ticket"),
    )
    _shy = (
        ("The odometer of {name}'s car counts whole kilometres", "kilometres", "odometer"),
        ("The turnstile of {name}'s museum counts visitors", "visitors", "turnstile"),
        ("The counter on {name}'s loom counts rows", "rows", "counter"),
    )

    def draw(self, rng: np.random.Generator, difficulty: int) -> Problem | None:
        """1: digits of pages; 2: pages of digits; 3: a missing digit; 4: digits without one; 5: a missing pair."""
        name = pick(rng, NAMES)
        if difficulty <= 2:
            return self._digits(rng, difficulty, name)
        digit = between(rng, 1, 8)
        opening, unit, device = pick(rng, self._shy)
        if difficulty == 4:
            return self._labels(rng, digit, name)
        shown = [between(rng, 1, 9)] + [between(rng, 0, 9) for _ in range(4)]
        number = int("".join(map(str, shown)))
        if difficulty == 3:
            if digit in shown:
                return None
            text = (
                f"{opening.format(name=name)}, but it avoids the digit {digit}: in every place it jumps from "
                f"{digit - 1} "
                f"straight to {digit + 1}. It started at 0, is right apart from that, and now shows {number}. How "
                f"many {unit} "
                "were there really?"
            )
            draft = Draft(self, 3, digit=str(digit), shown=number, start=0)
            values = [d - (d > digit) for d in shown]
            draft.give("shown", number, "reading", f"number on {device}")
            draft.find("base", 9, "number of digits used", "base")
            draft.step(f"The {device} uses nine different digits, so it counts in base nine.", "Eq(base, 10 - 1)")
            for i, (d, v) in enumerate(zip(shown, values, strict=True)):
                place = ("first", "second", "third", "fourth", "fifth")[i]
                draft.find(f"d_{i + 1}", v, f"value of {place} digit", f"{place} digit in base nine")
                draft.step(f"The {place} digit {d} stands for {v}.", f"Eq(d_{i + 1}, {d}{' - 1' if d > digit else ''})")
            total = sum(v * 9 ** (4 - i) for i, v in enumerate(values))
            draft.find("answer", total, "answer", "true count", f"number of {unit}")
            draft.step("Read in base nine.", f"Eq(answer, {' + '.join(f'd_{i + 1}*base**{4 - i}' for i in range(5))})")
            return draft.problem(text)
        return self._pairs(rng, opening.format(name=name), unit, device, number)

    def confirm(self, problem: Problem) -> int:
        """Count one by one."""
        known = problem.parameters
        if problem.difficulty <= 2:
            used = 0
            for n in itertools.count(1):
                used += len(str(n))
                if n == known.get("last"):
                    return used
                if used >= known.get("used", math.inf):
                    return n
        if problem.difficulty == 4:
            labels = (str(n) for n in itertools.count(1) if known["digit"] not in str(n))
            return sum(len(label) for label in itertools.islice(labels, known["count"]))
        return sum(known["digit"] not in str(n) for n in range(known["start"] + 1, known["shown"] + 1))

    def _digits(self, rng: np.random.Generator, difficulty: int, name: str) -> Problem:
        opening, many, one = pick(rng, self._pages)
        last = between(rng, 1100, 9800)
        used = 9 + 180 + 2700 + 4 * (last - 999)
        text = f"{opening.format(name=name)}"
        draft = Draft(self, difficulty, **({"last": last} if difficulty == 1 else {"used": used}))
        draft.find("ones", 9, f"{many} with one digit", "digits used for one-digit numbers")
        draft.find("twos", 180, "digits used for two-digit numbers", "digits for numbers from 10 to 99")
        draft.find("threes", 2700, "digits used for three-digit numbers", "digits for numbers from 100 to 999")
        draft.find("sub", 2889, "digits used up to 999", "digits for numbers below 1000")
        draft.find("fours", last - 999, "count of four-digit numbers", f"{many} with four digits")
        draft.step("The numbers from 1 to 9 take 9 digits.", "Eq(ones, 9)")
        draft.step("Those from 10 to 99 take 180.", "Eq(twos, 2*90)")
        draft.step("Those from 100 to 999 take 2700.", "Eq(threes, 3*900)")
        draft.step("Up to 999 that makes 2889.", "Eq(sub, ones + twos + threes)")
        if difficulty == 1:
            text += f". There are {last} {many}. How many digits are written in all?"
            draft.give("last", last, f"number of {many}", f"last {one}")
            draft.find("answer", used, "answer", "number of digits", "digits in all")
            draft.step(f"{last - 999} numbers have four digits.", "Eq(fours, last - 999)")
            draft.step("Add their digits.", "Eq(answer, sub + 4*fours)")
        else:
            text += f". In all, {used} digits are written. How many {many} are there?"
            draft.give("used", used, "number of digits", "digits in all")
            draft.find("answer", last, "answer", f"number of {many}", f"last {one}")
            draft.step("The other digits belong to four-digit numbers.", "Eq(fours, (used - sub)/4)")
            draft.step("Count on from 999.", "Eq(answer, 999 + fours)")
        return draft.problem(text)

    def _labels(self, rng: np.random.Generator, digit: int, name: str) -> Problem:
        hotel = pick(rng, ("rooms of a hotel", "boats of a harbour", "lockers of a station", "pews of a cathedral"))
        thing = hotel.split()[0]
        count = between(rng, 800, 5000)
        text = (
            f"{name} numbers the {count} {hotel} with whole numbers in rising order from 1 on, but leaves out every "
            f"number in "
            f"which the digit {digit} occurs. Each of the {count} {thing} gets one number, without leading zeros. "
            f"How many "
            "digits are painted in all?"
        )
        draft = Draft(self, 4, digit=str(digit), count=count)
        draft.give("count", count, f"number of {thing}", thing)
        sizes, used, left, k = [], 0, count, 0
        while left:
            k += 1
            size = min(left, 8 * 9 ** (k - 1))
            sizes.append(size)
            used, left = used + k * size, left - size
        words = ("one", "two", "three", "four", "five")
        draft.find("first", 8, "choices for first digit", "digits allowed in first place")
        draft.find("next", 9, "choices for other digits", "digits allowed in other places")
        draft.step(f"A first digit is neither 0 nor {digit}: 8 choices.", "Eq(first, 10 - 2)")
        draft.step(f"Any other digit is not {digit}: 9 choices.", "Eq(next, 10 - 1)")
        for k, size in enumerate(sizes, start=1):
            draft.find(f"n_{k}", size, f"numbers with {words[k - 1]} digits", f"{words[k - 1]}-digit numbers used")
            if k < len(sizes):
                draft.step(f"{size} numbers have {words[k - 1]} digits.", f"Eq(n_{k}, first*next**{k - 1})")
            else:
                before = " - ".join(f"n_{j}" for j in range(1, k))
                draft.step(f"The other {size} have {words[k - 1]} digits.", f"Eq(n_{k}, count - {before})")
        draft.step("There are more than enough of these.", f"Le(n_{len(sizes)}, first*next**{len(sizes) - 1})")
        draft.find("answer", used, "answer", "number of digits", "digits in all")
        draft.step("Add up the digits.", f"Eq(answer, {' + '.join(f'{k}*n_{k}' for k in range(1, len(sizes) + 1))})")
        return draft.problem(text)

    def _pairs(self, rng: np.random.Generator, opening: str, unit: str, device: str, number: int) -> Problem | None:
        first = between(rng, 1, 8)
        second = between(rng, 0, 9)
        pair = f"{first}{second}"
        if first == second or pair in str(number) or number < 20_000:
            return None
        around = [d for d in "3614" if d not in pair]
        text = (
            f"{opening}, but it jumps over every number in whose decimal writing (without leading zeros) the digits "
            f"{first} "
            f"and {second} stand directly one behind the other in this order, as {pair} in "
            f"{around[0]}{pair}{around[1]}. It started at "
            f"0, shows "
            f"the next number that is left at every count, and now shows {number}. How many {unit} were there really?"
        )
        draft = Draft(self, 5, digit=pair, shown=number, start=0)
        draft.give("shown", number, "reading", f"number on {device}")
        free = [1, 10]
        while len(free) < 6:
            free.append(10 * free[-1] - free[-2])
        for k in (2, 3, 4):
            draft.find(f"g_{k}", free[k], f"sequences of {k} digits without pair", f"blocks of {k} digits allowed")
        draft.step(
            f"Of the blocks of two digits (leading zeros allowed) one is forbidden: {free[2]} are left.",
            "Eq(g_2, 10**2 - 1)",
        )
        draft.step(
            "A digit in front of an allowed block spoils it only if it is the first of the pair and the block "
            "begins with "
            f"the second; so g(3) = {free[3]}.",
            "Eq(g_3, 10*g_2 - 10)",
        )
        draft.step(f"In the same way g(4) = {free[4]}.", "Eq(g_4, 10*g_3 - g_2)")
        # numbers below the reading that share its first digits and then have a smaller one
        shown = str(number)
        terms, total = [], 0
        for i, text_digit in enumerate(shown):
            part = 0
            for d in range(int(text_digit)):
                if i and shown[i - 1] + str(d) == pair:
                    continue
                rest = len(shown) - i - 1
                part += free[rest] - (free[rest - 1] if d == first and rest else 0)
            place = ("first", "second", "third", "fourth", "fifth")[i]
            draft.find(f"part_{i + 1}", part, f"numbers with smaller {place} digit", f"share of {place} digit")
            total += part
            terms.append(f"part_{i + 1}")
            rest = len(shown) - i - 1
            smaller = int(text_digit) - (i > 0 and int(shown[i - 1]) == first and second < int(text_digit))
            spoilt = first < int(text_digit) and rest > 0
            sizes = ["1", "10", "g_2", "g_3", "g_4"]
            claim = f"{smaller}*{sizes[rest]}" + (f" - {sizes[rest - 1]}" if spoilt else "")
            draft.step(
                f"With the digits before as in the reading and a smaller {place} digit there are {part} allowed "
                f"numbers.",
                f"Eq(part_{i + 1}, {claim})",
            )
        draft.find("answer", total, "answer", "true count", f"number of {unit}")
        draft.step(
            "These include 0, at which it started, but not the reading itself; so their number is the count.",
            f"Eq(answer, {' + '.join(terms)})",
        )
        return draft.problem(text)


def _longest(codes: int, symbols: int, *, shorter: bool = False) -> int:
    """The largest L for which messages of L symbols (or of up to L) are no more than the codes."""
    guess = int(codes.bit_length() / math.log2(symbols)) + 2
    while ((symbols ** (guess + 1) - 1) // (symbols - 1) if shorter else symbols**guess) > codes:
        guess -= 1
    return guess


def _huffman_lengths(counts: list[int]) -> list[int]:
    """Code word lengths of a best binary code, in the order of the counts."""
    lengths = [0] * len(counts)
    heap: list[tuple[int, tuple[int, ...]]] = [(count, (i,)) for i, count in enumerate(counts)]
    while len(heap) > 1:
        heap.sort()
        (a, left), (b, right) = heap[:2]
        for i in left + right:
            lengths[i] += 1
        heap[:2] = [(a + b, left + right)]
    return lengths


def _limited_lengths(counts: list[int], limit: int) -> list[int]:
    """The same with no word longer than a limit, by packing pairs (counts rise)."""
    single: list[tuple[int, tuple[int, ...]]] = [(count, (i,)) for i, count in enumerate(counts)]
    packed: list[tuple[int, tuple[int, ...]]] = []
    for _ in range(limit):
        merged = sorted(single + packed)
        packed = [(a + b, i + j) for (a, i), (b, j) in zip(merged[::2], merged[1::2], strict=False)]
    lengths = [0] * len(counts)
    for _, members in packed[: len(counts) - 1]:
        for i in members:
            lengths[i] += 1
    return lengths


def _orders_of(word: str) -> int:
    """In how many orders its letters can stand."""
    return math.factorial(len(word)) // math.prod(math.factorial(word.count(c)) for c in set(word))


def _distinct_orders(pool: str) -> list[str]:
    """All different orders of a pool of letters, in alphabetical order."""
    if not pool:
        return [""]
    return [c + rest for c in sorted(set(pool)) for rest in _distinct_orders(pool.replace(c, "", 1))]


def _without(letters: list[str], letter: str) -> list[str]:
    """The letters but for one."""
    at = letters.index(letter)
    return letters[:at] + letters[at + 1 :]


def _weighted(weights: list[int]) -> str:
    """A weighted sum in words."""
    names = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
    return " + ".join(f"{w} times the {n} digit" for w, n in zip(weights, names, strict=False))


def _article(thing: str) -> str:
    """The thing with a capital indefinite article."""
    return f"An {thing}" if thing[0] in "aeiou" else f"A {thing}"


def _written(digits: list[int], places: list[int]) -> str:
    """A number with some digits unreadable."""
    return "".join("?" if i in places else str(d) for i, d in enumerate(digits))


def _blank(digits: list[int], places: list[int]) -> list[int]:
    """The digits with zeros at the unreadable places."""
    return [0 if i in places else d for i, d in enumerate(digits)]


GENERATORS: tuple[Generator, ...] = (Capacity(), Prefixes(), CheckDigits(), WordRanks(), Counters())
