"""``word-ranks``: the place of a word in the alphabetical list of all words of its sort."""

from __future__ import annotations

import itertools
import math

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import NAMES, Draft, Rng, between, pick, pick_some
from interactive_envs.mathematics.generators.wording import table


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
            shown = len(word) - 1 if single else 3
            skips, left = [], list(word)
            for i, letter in enumerate(word):
                smaller = sorted({c for c in left if c < letter})
                counts = [_orders_of("".join(_without(left, c))) for c in smaller]
                left = _without(left, letter)
                skips.append(sum(counts))
                claim = " + ".join(map(str, counts)) or "0"
                at, what = f"at letter {i + 1}", ", ".join(smaller) or "none"
                if i >= shown:
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
            terms = [f"skip_{'' if single else key}{i + 1}" for i in range(shown)]
            if not single:
                terms.append(str(sum(skips[shown:])))
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


def _orders_of(word: str) -> int:
    """In how many orders its letters can stand."""
    return math.factorial(len(word)) // math.prod(math.factorial(word.count(c)) for c in set(word))


def _distinct_orders(pool: str) -> list[str]:
    """Return all different orders of a pool of letters, in alphabetical order."""
    if not pool:
        return [""]
    return [c + rest for c in sorted(set(pool)) for rest in _distinct_orders(pool.replace(c, "", 1))]


def _without(letters: list[str], letter: str) -> list[str]:
    """Return the letters but for one."""
    at = letters.index(letter)
    return letters[:at] + letters[at + 1 :]
