"""Problems on codes: how much fits, how short it gets, how errors show, where a word stands in a list."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Sequence

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import NAMES, Draft, Rng, between, pick, pick_some
from interactive_envs.mathematics.generators.wording import ORDINALS, listed, table


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


class Prefixes(Generator):
    """The shortest text in code words of which none begins another."""

    name = "prefix-codes"
    field = "encodings"

    _settings = table("""
        {name} sends a text by lamp | flash | flashes | short, long, green
        {name} sends a text on a drum | beat | beats | high, low, muffled
        {name} sends a text by whistle | note | notes | low, high, trilled
        {name} punches a text into a tape | hole | holes | round, square, oval
    """)

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
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
        often = ", ".join(f"{letter} {count}" for letter, count in zip("ABCDEFGHI", shuffled, strict=False))
        *first, last = kinds.split(", ")[:arity]
        text = f"""{opening.format(name=pick(rng, NAMES))}. It consists of {letters} different letters, which occur this
            often: {often}. Each letter gets a code word, a sequence of one or more {many}, each of which is
            {", ".join(first)} or {last}. The {many} of all letters follow each other without any pause or mark, so no
            code word may be the beginning of another one. """
        if limit:
            text += f"No code word may be longer than {limit} {many}. "
        text += f"What is the smallest possible number of {many} for the whole text?"
        draft = Draft(self, difficulty, counts=counts, arity=arity, limit=limit)
        draft.find(
            "kinds",
            arity,
            f"number of kinds of {many}",
            "size of code alphabet",
            f"kinds of {many}",
            f"number of different {many}",
            "number of kinds",
            "arity",
        )
        draft.give(
            "letters",
            letters,
            "number of letters",
            "different letters",
            "number of different letters",
            "kinds of letters",
            "number of kinds of letters",
            "size of the alphabet",
        )
        draft.find(
            "total",
            sum(counts),
            "length of text",
            "number of letters in text",
            "text length",
            "letters in text",
            "total number of letters",
            "sum of the counts",
            "number of letters of the text",
        )
        if limit:
            return self._limited(draft, text, counts, limit, many)
        draft.step(f"A code word is made of {arity} kinds of {many}.", f"Eq(kinds, {arity})")
        fill_up = -(letters - 1) % (arity - 1)
        said = f"Each joining of the {arity} rarest leaves {arity - 1} fewer, and one is left at the end."
        if fill_up:
            said = "To join three at a time down to one, an odd number is needed: the first time only two are joined."
        draft.step(said, f"Eq(Mod(letters - 1, kinds - 1), {fill_up})")
        heap, total = sorted(counts), 0
        names: list[str] = []
        take = arity - fill_up
        while len(heap) > 1:
            joined = [str(heapq.heappop(heap)) for _ in range(take)]
            take = arity
            value = sum(map(int, joined))
            heapq.heappush(heap, value)
            total += value
            ordinal = ORDINALS[len(names)]
            names.append(f"join_{len(names) + 1}")
            draft.find(
                names[-1],
                value,
                f"{ordinal} joined count",
                f"sum of {ordinal} joining",
                f"{ordinal} merged count",
                f"{ordinal} sum",
                f"{ordinal} joining",
                f"{ordinal} combined count",
            )
            draft.step(f"Join {listed(joined)} to {value}.", f"Eq({names[-1]}, {' + '.join(joined)})")
        draft.find(
            "answer",
            total,
            "answer",
            f"total number of {many}",
            "length of coded text",
            f"smallest number of {many}",
            f"number of {many}",
            f"smallest possible number of {many}",
            f"{many} in all",
            "total length",
            f"least number of {many}",
            f"number of {many} for the whole text",
        )
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
        free_total, total = _dot(counts, free), _dot(counts, lengths)
        if max(free) <= limit:
            return None
        draft.note(f"""
            give limit = {limit}: largest length of code word; longest allowed code word; length limit; limit; longest
                length allowed; maximal length of a code word; largest number of {many} in a code word
            find free_longest = {max(free)}: longest code word without limit; largest length without limit; greatest
                length without limit; longest word without limit; length of the longest code word without limit
            find free_total = {free_total}: total without limit; number of {many} without limit; smallest number of
                {many} without limit; total number of {many} without limit; length without limit
            step There are two kinds of {many}. :: Eq(kinds, 2)
            step Without a limit, joining the two rarest again and again gives {free_total} {many}.
                :: Eq(free_total, {_weighted_sum(counts, free)})
            step But then a code word has length {max(free)}, which is too long. :: Gt(free_longest, limit)
            step There are {2**limit} sequences of length {limit} to share out. :: Eq(kinds**limit, {2**limit})
        """)
        sizes = sorted(set(lengths))
        for length in sizes:
            number = lengths.count(length)
            draft.find(
                f"words_{length}",
                number,
                f"code words of length {length}",
                f"letters with length {length}",
                f"number of code words of length {length}",
                f"number of letters with length {length}",
                f"words of length {length}",
            )
        room = " + ".join(f"2**(limit - {length})" for length in lengths)
        draft.note(f"""
            step Every letter gets a code word. :: Eq(letters, {" + ".join(f"words_{length}" for length in sizes)})
            step Lengths {", ".join(map(str, sorted(lengths)))} use them up exactly. :: Eq({room}, kinds**limit)
            find answer = {total}: answer; total number of {many}; length of coded text; smallest number of {many};
                number of {many}; smallest possible number of {many}; {many} in all; total length; least number of
                {many}; number of {many} for the whole text
            step The commonest letters get the short words; no other lengths that fit cost less.
                :: Eq(answer, {_weighted_sum(counts, lengths)})
            step The limit costs something. :: Gt(answer, free_total)
        """)
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

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
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
            return all(_dot(weights, code) % modulus == 0 for weights in checks)

        if problem.difficulty == 3:
            changed = [[*digits[:i], x, *digits[i + 1 :]] for i, d in enumerate(digits) for x in range(10) if x != d]
            return max(_number(code) for code in changed if valid(code))
        if problem.difficulty == 1:
            number = _number(digits)
            return next(x for x in range(100) if (100 * number + x) % modulus == 0)
        places = known["places"]
        guesses = itertools.product(range(10), repeat=len(places))
        found = [_number(guess) for guess in guesses if valid(_filled(digits, places, guess))]
        return max(found) if problem.difficulty == 5 or len(found) == 1 else None

    def _append(self, rng: Rng, where: str, thing: str) -> Problem | None:
        modulus = pick(rng, (71, 73, 79, 83, 89, 97))
        digits = [between(rng, 1, 9)] + [between(rng, 0, 9) for _ in range(5)]
        number = _number(digits)
        rest = 100 * number % modulus
        if rest == 0 or modulus - rest < 10 or modulus - rest + modulus <= 99:
            return None
        text = f"""A {where} makes each {thing} from six digits by writing two check digits behind them, so that the
            number with all eight digits is a multiple of {modulus}. The six digits are {number}. Which two-digit number
            do the check digits form?"""
        draft = Draft(self, 1, modulus=modulus, digits=digits, checks=[])
        draft.note(f"""
            give number = {number}: six digits; number without check digits; number before the check digits; six-digit
                number; number formed by the six digits; given digits
            give modulus = {modulus}: modulus; divisor; number it must be a multiple of; required divisor
            find shifted = {100 * number}: number with two zeros behind; hundredfold number; hundred times the number;
                number times 100; number followed by two zeros
            find rest = {rest}: remainder of hundredfold number; remainder; remainder of the hundredfold; remainder of
                the number with two zeros; remainder modulo {modulus}
            find quotient = {100 * number // modulus}: quotient; quotient of hundredfold number; whole quotient; integer
                quotient; quotient of the number with two zeros
            find answer = {modulus - rest}: answer; check digits; number of check digits formed; two-digit number;
                number formed by the check digits; two check digits; number of the check digits; asked digits
            step Two more digits make a hundred times as much. :: Eq(shifted, 100*number)
            step Divide by {modulus}. :: Eq(shifted, quotient*modulus + rest)
            step The remainder is {rest}. :: Eq(Mod(shifted, modulus), rest)
            step The check digits make up what is missing to the next multiple. :: Eq(answer, modulus - rest)
            step Only one such number has two digits. :: And(Lt(answer, 100), Ge(answer + modulus, 100))
            step The number is then a multiple. :: Eq(Mod(shifted + answer, modulus), 0)
        """)
        return draft.problem(text)

    def _smeared(self, rng: Rng, where: str, thing: str) -> Problem | None:
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
        text = f"""{_article(thing)} of a {where} has {length} digits. It is valid if the following sum is a multiple of
            {modulus}: {_weighted(weights)}. On one label two digits are smeared; it reads {_written(digits, places)},
            where each ? is a smeared digit. The number is valid. Which two-digit number do the smeared digits form, in
            the order in which they stand?"""
        draft = Draft(self, 2, modulus=modulus, digits=_filled(digits, places, (0, 0)), places=places, checks=[weights])
        x, y = digits[places[0]], digits[places[1]]
        terms = [f"{w}*{d}" for i, (w, d) in enumerate(zip(weights, digits, strict=True)) if i not in places]
        draft.note(f"""
            give modulus = {modulus}: modulus; divisor; number it must be a multiple of; required divisor
            give u = {u}: weight of first smeared digit; first weight; weight of the first smeared digit; weight of
                first missing digit; factor of first smeared digit
            give v = {v}: weight of second smeared digit; second weight; weight of the second smeared digit; weight of
                second missing digit; factor of second smeared digit
            find known = {known}: sum of readable digits; known part of sum; known sum; weighted sum of readable digits;
                sum of known digits; sum of the known part
            find need = {need}: remainder needed; remainder that smeared digits must give; needed remainder; missing
                remainder; remainder of the smeared part
            find x = {x}: first smeared digit; first missing digit; first unknown digit; first unreadable digit; first
                digit of the answer
            find y = {y}: second smeared digit; second missing digit; second unknown digit; second unreadable digit;
                second digit of the answer
            find answer = {10 * x + y}: answer; number formed by smeared digits; two-digit number; smeared digits; two
                smeared digits; missing digits; number formed by missing digits; number of the smeared digits
            step The readable digits give {known}. :: Eq(known, {" + ".join(terms)})
            step So the others must leave {need} by {modulus}. :: Eq(Mod(known + need, modulus), 0)
            step {u} x + {v} y leaves {need}. :: Eq(Mod(u*x + v*y, modulus), need)
            step Among the digits only {x} and {y} do. :: And(Le(x, 9), Le(y, 9), Ge(x, 0), Ge(y, 0))
            step Written one behind the other. :: Eq(answer, 10*x + y)
        """)
        return draft.problem(text)

    def _misread(self, rng: Rng, where: str, thing: str) -> Problem | None:
        modulus, length = pick(rng, (11, 13)), 6
        weights = pick_some(rng, range(1, modulus), length)
        read = [between(rng, 1, 9) for _ in range(length)]
        total = _dot(weights, read)
        rest = total % modulus
        if rest == 0:
            return None
        number = _number(read)
        fitting = []
        for i, (w, d) in enumerate(zip(weights, read, strict=True)):
            fitting += [(i, x) for x in range(10) if (total + w * (x - d)) % modulus == 0]
        candidates = {i: number + (x - read[i]) * 10 ** (length - 1 - i) for i, x in fitting}
        if len(candidates) < 3 or max(candidates.values()) < number:
            return None
        text = f"""{_article(thing)} of a {where} has {length} digits (the first may be 0, too). It is valid if the
            following sum is a multiple of {modulus}: {_weighted(weights)}. A clerk who got exactly one digit of a valid
            number wrong has written {number}. What is the largest number that the valid one can be?"""
        draft = Draft(self, 3, modulus=modulus, digits=read, checks=[weights])
        draft.note(f"""
            give modulus = {modulus}: modulus; divisor; number it must be a multiple of; required divisor
            give number = {number}: number written; wrong number; written number; clerk's number; number that was
                written; false number; invalid number
            find total = {total}: weighted sum; sum of number written; checksum; check sum; weighted digit sum; sum of
                the written number
            find rest = {rest}: remainder of weighted sum; remainder; remainder of the checksum; remainder of the sum;
                remainder of sum of number written
            step The number as written has the sum {total}. :: Eq(total, {_weighted_sum(weights, read)})
            step It leaves {rest} by {modulus}, so the change must take that away. :: Eq(Mod(total, modulus), rest)
        """)
        for i, x in fitting:
            ordinal = ORDINALS[i]
            draft.note(f"""
                find try_{i + 1} = {candidates[i]}: number if {ordinal} digit is wrong; candidate for {ordinal} digit;
                    number with another {ordinal} digit; largest number if {ordinal} digit is wrong; valid number with
                    another {ordinal} digit
                step If the {ordinal} digit is wrong, it must be {x}: {candidates[i]}.
                    :: And(Eq(Mod(rest + {weights[i]}*({x} - {read[i]}), modulus), 0), Eq(try_{i + 1}, number + ({x} -
                        {read[i]})*{10 ** (length - 1 - i)}))
            """)
        draft.find(
            "answer",
            max(candidates.values()),
            "answer",
            "largest valid number",
            "true number",
            "largest number",
            "largest possible number",
            "valid number",
            "correct number",
            "right number",
            "largest number that the valid one can be",
        )
        draft.step("The largest of these.", f"Eq(answer, Max({', '.join(f'try_{i + 1}' for i in candidates)}))")
        draft.step("It is larger than what was written.", "Gt(answer, number)")
        return draft.problem(text)

    def _two_checks(self, rng: Rng, difficulty: int, where: str, thing: str) -> Problem | None:
        modulus, length = pick(rng, (11, 13)), 8
        count = difficulty - 2
        ones, rising = [1] * length, list(range(1, length + 1))
        digits = self._valid(rng, modulus, [ones, rising])
        places = sorted(pick_some(rng, range(length), count))
        if digits is None or digits[places[0]] == 0:
            return None
        solutions = []
        for guess in itertools.product(range(10), repeat=count):
            code = _filled(digits, places, guess)
            if all(_dot(check, code) % modulus == 0 for check in (ones, rising)):
                solutions.append(guess)
        if count == 3 and not 3 <= len(solutions) <= 12:
            return None
        best = max(solutions)
        readable = [(i, d) for i, d in enumerate(digits) if i not in places]
        plain, graded = sum(d for _, d in readable), sum((i + 1) * d for i, d in readable)
        which = "Which two-digit number do the smeared digits form"
        if count == 3:
            which = "Which is the largest three-digit number that the smeared digits can form"
        text = f"""{_article(thing)} of a {where} has {length} digits. It is valid if two sums are both multiples of
            {modulus}: the sum of its digits, and the sum of the first digit, twice the second, three times the third
            and so on up to {length} times the last. On one label {"two" if count == 2 else "three"} digits are smeared;
            it reads {_written(digits, places)}, where each ? is a smeared digit. The number is valid. {which}, in the
            order in which they stand?"""
        shown = _filled(digits, places, [0] * count)
        draft = Draft(self, difficulty, modulus=modulus, digits=shown, places=places, checks=[ones, rising])
        draft.note(f"""
            give modulus = {modulus}: modulus; divisor; number it must be a multiple of; required divisor
            find plain = {plain}: sum of readable digits; plain sum of readable digits; known sum of digits; first known
                sum; sum of known digits
            find graded = {graded}: weighted sum of readable digits; second sum of readable digits; known weighted sum;
                second known sum; weighted sum of known digits
            find a = {-plain % modulus}: remainder needed in first sum; what first sum lacks; missing part of first sum;
                needed remainder of first sum; remainder of smeared digits
            find b = {-graded % modulus}: remainder needed in second sum; what second sum lacks; missing part of second
                sum; needed remainder of second sum; weighted remainder of smeared digits
            step The readable digits add up to {plain}. :: Eq(plain, {" + ".join(str(d) for _, d in readable)})
            step Weighted by their places they give {graded}.
                :: Eq(graded, {" + ".join(f"{i + 1}*{d}" for i, d in readable)})
            step The smeared digits must leave {-plain % modulus} in the first sum. :: Eq(Mod(plain + a, modulus), 0)
            step And {-graded % modulus} in the second. :: Eq(Mod(graded + b, modulus), 0)
        """)
        names = "xyz"[:count]
        for name, digit, ordinal in zip(names, best, ORDINALS, strict=False):
            draft.find(
                name,
                digit,
                f"{ordinal} smeared digit",
                f"{ordinal} missing digit",
                f"{ordinal} unknown digit",
                f"{ordinal} unreadable digit",
                f"{ordinal} digit of the answer",
            )
        i = places[0] + 1
        gaps = [place + 1 - i for place in places[1:]]
        combined = " + ".join(f"{gap}*{name}" for gap, name in zip(gaps, names[1:], strict=True))
        draft.note(f"""
            step Take {i} times the first condition from the second: the first smeared digit drops out.
                :: Eq(Mod({combined}, modulus), Mod(b - {i}*a, modulus))
        """)
        if count == 2:
            draft.note(f"""
                step {modulus} is prime, so this fixes the second smeared digit. :: Eq(gcd({gaps[0]}, modulus), 1)
                step The first condition then fixes the other. :: Eq(Mod(x + y, modulus), a)
                find answer = {10 * best[0] + best[1]}: answer; number formed by smeared digits; two-digit number;
                    smeared digits; two smeared digits; missing digits; number formed by missing digits; number of the
                    smeared digits
                step Written one behind the other. :: Eq(answer, 10*x + y)
            """)
            return draft.problem(text)
        draft.note(f"""
            find solutions = {len(solutions)}: number of solutions; number of ways to fill gaps; solutions; number of
                possible fillings; number of ways to fill the gaps; number of possible digits
            step Each choice of the last smeared digit fixes the other two; {len(solutions)} of the choices give digits.
                :: And(Le(solutions, 10), Ge(solutions, 1))
            step All three fit the first condition. :: Eq(Mod(x + y + z, modulus), a)
            find answer = {100 * best[0] + 10 * best[1] + best[2]}: answer; largest number; largest possible number;
                largest three-digit number; three-digit number; largest number formed by smeared digits; largest number
                that the smeared digits can form; smeared digits; greatest number
            step The largest of them. :: Eq(answer, 100*x + 10*y + z)
        """)
        for digit in range(best[0] + 1, 10):
            draft.aside(f"The first smeared digit is not {digit}.", f"Ne(x, {digit})")
        return draft.problem(text)

    @staticmethod
    def _valid(rng: Rng, modulus: int, checks: list[list[int]]) -> list[int] | None:
        for _ in range(2000):
            digits = [int(d) for d in rng.integers(0, 10, len(checks[0]))]
            if all(_dot(check, digits) % modulus == 0 for check in checks):
                return digits
        return None


class WordRanks(Generator):
    """The place of a word in the alphabetical list of all words of its sort."""

    name = "word-ranks"
    field = "encodings"

    _settings = table("""
        {name} prints a dictionary of | word | words | on line 1
        A lock tries, one after the other, all the | password | passwords | as number 1
        {name}, a registrar, hands out, in this order, all the | plate | plates | as number 1
        A very patient parrot learns, one a day, all the | call | calls | on day 1
    """)

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
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
            rule = f"""{many} of exactly {size} letters that are formed from the letters {", ".join(letters)}, each of
                which may be used any number of times or not at all"""
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
        draft.give(
            "length",
            len(words[0]),
            f"length of {one}",
            f"letters of a {one}",
            "length",
            f"{one} length",
            f"number of letters of a {one}",
            f"letters in a {one}",
        )
        if kind == "orders":
            return self._orders(draft, text, words, one, many)
        word = words[0]
        count = len(letters)
        draft.give(
            "count",
            count,
            "number of letters",
            "different letters",
            "number of different letters",
            "size of the alphabet",
            "letters in the alphabet",
            "letters to choose from",
        )
        base = count if kind == "all" else count - 1
        if kind == "apart":
            draft.find(
                "next",
                base,
                "choices for each further letter",
                "letters allowed after a letter",
                "number of choices for each further letter",
                "choices after a letter",
                "choices for further letters",
            )
            draft.step("Each letter after the first differs from the one before it.", "Eq(next, count - 1)")
        digits = [letters.index(c) for c in word]
        name = "count" if kind == "all" else "next"
        terms, skipped = [], 0
        for i, digit in enumerate(digits):
            smaller = digit - (kind == "apart" and i > 0 and digits[i - 1] < digit)
            left = len(word) - 1 - i
            skipped += smaller * base**left
            terms.append(f"skip_{i + 1}")
            draft.note(f"""
                find skip_{i + 1} = {smaller * base**left}: {many} skipped at letter {i + 1}; skipped at letter {i + 1};
                    number of {many} skipped at letter {i + 1}; {many} passed over at letter {i + 1}; skipped at
                    position {i + 1}
                step At letter {i + 1}, {smaller} smaller letters are possible, each with {base**left} continuations.
                    :: Eq(skip_{i + 1}, {smaller}*{name}**{left})
            """)
        draft.note(f"""
            find before = {skipped}: {many} before it; number of {many} before; number of {many} before it; number
                skipped; {many} skipped in all; earlier {many}
            find answer = {skipped + 1}: answer; place in list; number in list; day; number of the day; position;
                position in list; rank; rank in list; line; place; number of the {one}
            step So {skipped} {many} come before. :: Eq(before, {" + ".join(terms)})
            step The place is one more. :: Eq(answer, before + 1)
        """)
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
        draft.find(
            "all",
            everything,
            f"number of all {many}",
            "length of list",
            f"total number of {many}",
            f"all {many}",
            f"{many} in all",
            "number of orders",
        )
        repeats = [words[0].count(c) for c in sorted(set(words[0]))]
        below = " / ".join([f"factorial({len(words[0])})"] + [f"factorial({r})" for r in repeats if r > 1])
        draft.step(f"In all there are {everything} {many}.", f"Eq(all, {below})")
        ranks = []
        for index, word in enumerate(words):
            single = len(words) == 1
            label = "" if single else ("first ", "second ")[index]
            key = "ab"[index]
            # of a word that stands alone every letter but the last gets a step, of one of two the first three
            told = len(word) - 1 if single else 3
            skips, left = [], list(word)
            for i, letter in enumerate(word):
                smaller = sorted({c for c in left if c < letter})
                counts = [_orders_of("".join(_without(left, c))) for c in smaller]
                left = _without(left, letter)
                skips.append(sum(counts))
                claim = " + ".join(map(str, counts)) or "0"
                at, what = f"at letter {i + 1}", ", ".join(smaller) or "none"
                if i >= told:
                    continue
                if single:
                    draft.note(f"""
                        find skip_{i + 1} = {skips[i]}: {many} skipped {at}; skipped {at}; number of {many} skipped
                            {at}; {many} passed over {at}; number skipped {at}
                        step Smaller than {letter} {at}: {what}; that skips {skips[i]}. :: Eq(skip_{i + 1}, {claim})
                    """)
                else:
                    draft.note(f"""
                        find skip_{key}{i + 1} = {skips[i]}: skipped {at} of {label}{one}; {many} skipped {at} of
                            {label}{one}; number of {many} skipped {at} of {label}{one}; {many} passed over {at} of
                            {label}{one}
                        step For {word}, smaller than {letter} {at}: {what}; that skips {skips[i]}.
                            :: Eq(skip_{key}{i + 1}, {claim})
                    """)
            ranks.append(sum(skips))
            terms = [f"skip_{'' if single else key}{i + 1}" for i in range(told)]
            if not single:
                terms.append(str(sum(skips[told:])))
            draft.note(f"""
                find before_{key} = {ranks[-1]}: {many} before {label}{one}; number of {many} before {label}one; earlier
                    {many} than {label}{one}; number of {many} that come before {label}{one}
                step So {ranks[-1]} {many} come before {word}. :: Eq(before_{key}, {" + ".join(terms)})
            """)
        if len(words) == 1:
            draft.find(
                "answer",
                ranks[0] + 1,
                "answer",
                "place in list",
                "number in list",
                "day",
                "number of the day",
                "position",
                "position in list",
                "rank",
                "rank in list",
                "line",
                "place",
                f"number of the {one}",
            )
            draft.step("The place is one more.", "Eq(answer, before_a + 1)")
            return draft.problem(text) if ranks[0] > 30 else None
        draft.find(
            "answer",
            ranks[1] - ranks[0] - 1,
            "answer",
            f"number of {many} between",
            f"number of {many} strictly between",
            f"{many} between",
            f"{many} strictly between",
            "number between",
            f"how many {many} stand between",
        )
        draft.step("Neither of the two counts.", "Eq(answer, before_b - before_a - 1)")
        return draft.problem(text) if ranks[1] - ranks[0] > 60 else None


class Counters(Generator):
    """Page numbers and counters, some of which shun a digit or a pair of digits."""

    name = "counters"
    field = "encodings"

    _pages = table("""
        {name} numbers the pages of a chronicle 1, 2, 3 and so on, in decimal and without leading zeros | pages | page
        {name} paints the house numbers 1, 2, 3 and so on along a very long street, without leading zeros | houses |
            house
        {name} stamps the tickets of a fair 1, 2, 3 and so on, without leading zeros | tickets | ticket
    """)
    _shy = table("""
        The odometer of {name}'s car counts whole kilometres | kilometres | odometer
        The turnstile of {name}'s museum counts visitors | visitors | turnstile
        The counter on {name}'s loom counts rows | rows | counter
    """)

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: digits of pages; 2: pages of digits; 3: a missing digit; 4: digits without one; 5: a missing pair."""
        name = pick(rng, NAMES)
        if difficulty <= 2:
            return self._digits(rng, difficulty, name)
        digit = between(rng, 1, 8)
        opening, unit, device = pick(rng, self._shy)
        if difficulty == 4:
            return self._labels(rng, digit, name)
        shown = [between(rng, 1, 9)] + [between(rng, 0, 9) for _ in range(4)]
        number = _number(shown)
        if difficulty == 3:
            if digit in shown:
                return None
            text = f"""{opening.format(name=name)}, but it avoids the digit {digit}: in every place it jumps from
                {digit - 1} straight to {digit + 1}. It started at 0, is right apart from that, and now shows {number}.
                How many {unit} were there really?"""
            draft = Draft(self, 3, digit=str(digit), shown=number, start=0)
            values = [d - (d > digit) for d in shown]
            draft.give(
                "shown",
                number,
                "reading",
                f"number on {device}",
                "number shown",
                "shown number",
                "displayed number",
                f"reading of the {device}",
                "number that is shown",
            )
            draft.find(
                "base",
                9,
                "number of digits used",
                "base",
                "base of the counter",
                "number base",
                "number of different digits",
                "digits used",
            )
            draft.step(f"The {device} uses nine different digits, so it counts in base nine.", "Eq(base, 10 - 1)")
            for i, (d, v) in enumerate(zip(shown, values, strict=True)):
                place = ORDINALS[i]
                draft.find(
                    f"d_{i + 1}",
                    v,
                    f"value of {place} digit",
                    f"{place} digit in base nine",
                    f"{place} digit's value",
                    f"digit value at {place} place",
                    f"{place} digit after mending",
                )
                draft.step(f"The {place} digit {d} stands for {v}.", f"Eq(d_{i + 1}, {d}{' - 1' if d > digit else ''})")
            total = sum(v * 9 ** (4 - i) for i, v in enumerate(values))
            draft.find(
                "answer",
                total,
                "answer",
                "true count",
                f"number of {unit}",
                "true number",
                f"real number of {unit}",
                f"true number of {unit}",
                "real count",
                f"actual number of {unit}",
                "real number",
                "correct count",
            )
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

    def _digits(self, rng: Rng, difficulty: int, name: str) -> Problem:
        opening, many, one = pick(rng, self._pages)
        last = between(rng, 1100, 9800)
        used = 9 + 180 + 2700 + 4 * (last - 999)
        text = opening.format(name=name)
        draft = Draft(self, difficulty, **({"last": last} if difficulty == 1 else {"used": used}))
        draft.note(f"""
            find ones = 9: {many} with one digit; digits used for one-digit numbers; number of one-digit numbers;
                one-digit numbers; digits for numbers from 1 to 9; digits of one-digit numbers
            find twos = 180: digits used for two-digit numbers; digits for numbers from 10 to 99; digits of two-digit
                numbers; digits for two-digit numbers; digits in two-digit numbers
            find threes = 2700: digits used for three-digit numbers; digits for numbers from 100 to 999; digits of
                three-digit numbers; digits for three-digit numbers; digits in three-digit numbers
            find sub = 2889: digits used up to 999; digits for numbers below 1000; digits up to 999; digits used below
                1000; digits of all numbers up to 999
            find fours = {last - 999}: count of four-digit numbers; {many} with four digits; four-digit numbers; number
                of four-digit numbers; numbers with four digits; number of {many} with four digits
            step The numbers from 1 to 9 take 9 digits. :: Eq(ones, 9)
            step Those from 10 to 99 take 180. :: Eq(twos, 2*90)
            step Those from 100 to 999 take 2700. :: Eq(threes, 3*900)
            step Up to 999 that makes 2889. :: Eq(sub, ones + twos + threes)
        """)
        if difficulty == 1:
            text += f". There are {last} {many}. How many digits are written in all?"
            draft.note(f"""
                give last = {last}: number of {many}; last {one}; total number of {many}; {many} in all; last number;
                    largest number
                find answer = {used}: answer; number of digits; digits in all; total number of digits; digits written;
                    number of digits written; digits in total; all digits; digits
                step {last - 999} numbers have four digits. :: Eq(fours, last - 999)
                step Add their digits. :: Eq(answer, sub + 4*fours)
            """)
        else:
            text += f". In all, {used} digits are written. How many {many} are there?"
            draft.note(f"""
                give used = {used}: number of digits; digits in all; total number of digits; digits written; number of
                    digits written; digits in total; all digits
                find answer = {last}: answer; number of {many}; last {one}; total number of {many}; {many} in all; last
                    number; largest number; number on the last {one}
                step The other digits belong to four-digit numbers. :: Eq(fours, (used - sub)/4)
                step Count on from 999. :: Eq(answer, 999 + fours)
            """)
        return draft.problem(text)

    def _labels(self, rng: Rng, digit: int, name: str) -> Problem:
        hotel = pick(rng, ("rooms of a hotel", "boats of a harbour", "lockers of a station", "pews of a cathedral"))
        thing = hotel.split()[0]
        count = between(rng, 800, 5000)
        text = f"""{name} numbers the {count} {hotel} with whole numbers in rising order from 1 on, but leaves out every
            number in which the digit {digit} occurs. Each of the {count} {thing} gets one number, without leading
            zeros. How many digits are painted in all?"""
        draft = Draft(self, 4, digit=str(digit), count=count)
        draft.give(
            "count",
            count,
            f"number of {thing}",
            thing,
            f"total number of {thing}",
            f"{thing} in all",
            f"how many {thing}",
        )
        sizes: list[int] = []
        left = count
        while left:
            sizes.append(min(left, 8 * 9 ** len(sizes)))
            left -= sizes[-1]
        used = sum(k * size for k, size in enumerate(sizes, start=1))
        words = ("one", "two", "three", "four", "five")
        draft.note(f"""
            find first = 8: choices for first digit; digits allowed in first place; choices for the first digit; number
                of first digits allowed; allowed first digits
            find next = 9: choices for other digits; digits allowed in other places; choices for the other digits;
                number of other digits allowed; allowed other digits
            step A first digit is neither 0 nor {digit}: 8 choices. :: Eq(first, 10 - 2)
            step Any other digit is not {digit}: 9 choices. :: Eq(next, 10 - 1)
        """)
        for k, size in enumerate(sizes, start=1):
            draft.find(
                f"n_{k}",
                size,
                f"numbers with {words[k - 1]} digits",
                f"{words[k - 1]}-digit numbers used",
                f"number of numbers with {words[k - 1]} digits",
                f"number of {words[k - 1]}-digit numbers",
                f"{words[k - 1]}-digit numbers",
            )
            if k < len(sizes):
                draft.step(f"{size} numbers have {words[k - 1]} digits.", f"Eq(n_{k}, first*next**{k - 1})")
            else:
                before = " - ".join(f"n_{j}" for j in range(1, k))
                draft.step(f"The other {size} have {words[k - 1]} digits.", f"Eq(n_{k}, count - {before})")
        draft.step("There are more than enough of these.", f"Le(n_{len(sizes)}, first*next**{len(sizes) - 1})")
        draft.find(
            "answer",
            used,
            "answer",
            "number of digits",
            "digits in all",
            "total number of digits",
            "digits painted",
            "number of digits painted",
            "digits in total",
            "painted digits",
            "all digits",
            "digits",
        )
        draft.step("Add up the digits.", f"Eq(answer, {' + '.join(f'{k}*n_{k}' for k in range(1, len(sizes) + 1))})")
        return draft.problem(text)

    def _pairs(self, rng: Rng, opening: str, unit: str, device: str, number: int) -> Problem | None:
        first = between(rng, 1, 8)
        second = between(rng, 0, 9)
        pair = f"{first}{second}"
        if first == second or pair in str(number) or number < 20_000:
            return None
        around = [d for d in "3614" if d not in pair]
        text = f"""{opening}, but it jumps over every number in whose decimal writing (without leading zeros) the digits
            {first} and {second} stand directly one behind the other in this order, as {pair} in
            {around[0]}{pair}{around[1]}. It started at 0, shows the next number that is left at every count, and now
            shows {number}. How many {unit} were there really?"""
        draft = Draft(self, 5, digit=pair, shown=number, start=0)
        draft.give(
            "shown",
            number,
            "reading",
            f"number on {device}",
            "number shown",
            "shown number",
            "displayed number",
            f"reading of the {device}",
            "number that is shown",
        )
        free = [1, 10]
        while len(free) < 6:
            free.append(10 * free[-1] - free[-2])
        for k in (2, 3, 4):
            draft.find(
                f"g_{k}",
                free[k],
                f"sequences of {k} digits without pair",
                f"blocks of {k} digits allowed",
                f"allowed blocks of {k} digits",
                f"blocks of {k} digits without pair",
                f"number of sequences of {k} digits without pair",
            )
        draft.note(f"""
            step Of the blocks of two digits (leading zeros allowed) one is forbidden: {free[2]} are left.
                :: Eq(g_2, 10**2 - 1)
            step A digit in front of an allowed block spoils it only if it is the first of the pair and the block begins
                with the second; so g(3) = {free[3]}. :: Eq(g_3, 10*g_2 - 10)
            step In the same way g(4) = {free[4]}. :: Eq(g_4, 10*g_3 - g_2)
        """)
        # numbers below the reading that share its first digits and then have a smaller one
        shown = str(number)
        terms, total = [], 0
        sizes = ["1", "10", "g_2", "g_3", "g_4"]
        for i, digit in enumerate(map(int, shown)):
            place, rest = ORDINALS[i], len(shown) - i - 1
            # the pair's first digit directly before bars its second one; in this place it spoils what follows
            barred = i > 0 and int(shown[i - 1]) == first and second < digit
            spoilt = first < digit and rest > 0
            part = (digit - barred) * free[rest] - (free[rest - 1] if spoilt else 0)
            claim = f"{digit - barred}*{sizes[rest]}" + (f" - {sizes[rest - 1]}" if spoilt else "")
            total += part
            terms.append(f"part_{i + 1}")
            draft.note(f"""
                find part_{i + 1} = {part}: numbers with smaller {place} digit; share of {place} digit; contribution of
                    {place} digit; number of numbers with smaller {place} digit; count for {place} digit
                step With the digits before as in the reading and a smaller {place} digit there are {part} allowed
                    numbers. :: Eq(part_{i + 1}, {claim})
            """)
        draft.note(f"""
            find answer = {total}: answer; true count; number of {unit}; true number; real number of {unit}; true number
                of {unit}; real count; actual number of {unit}; real number; correct count
            step These include 0, at which it started, but not the reading itself; so their number is the count.
                :: Eq(answer, {" + ".join(terms)})
        """)
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


def _weighted_sum(weights: Sequence[int], numbers: Sequence[int]) -> str:
    """A sum of products as a claim's text."""
    return " + ".join(f"{w}*{n}" for w, n in zip(weights, numbers, strict=True))


def _dot(weights: Sequence[int], numbers: Sequence[int]) -> int:
    """The sum of products."""
    return sum(w * n for w, n in zip(weights, numbers, strict=True))


def _number(digits: Sequence[int]) -> int:
    """The number that digits form."""
    return int("".join(map(str, digits)))


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
    return " + ".join(f"{w} times the {n} digit" for w, n in zip(weights, ORDINALS, strict=False))


def _article(thing: str) -> str:
    """The thing with a capital indefinite article."""
    return f"An {thing}" if thing[0] in "aeiou" else f"A {thing}"


def _written(digits: list[int], places: list[int]) -> str:
    """A number with some digits unreadable."""
    return "".join("?" if i in places else str(d) for i, d in enumerate(digits))


def _filled(digits: list[int], places: list[int], guess: Sequence[int]) -> list[int]:
    """The digits with others at some places."""
    others = dict(zip(places, guess, strict=True))
    return [others.get(i, d) for i, d in enumerate(digits)]


GENERATORS: tuple[Generator, ...] = (Capacity(), Prefixes(), CheckDigits(), WordRanks(), Counters())
