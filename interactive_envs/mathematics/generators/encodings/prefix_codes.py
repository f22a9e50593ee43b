"""``prefix-codes``: the shortest text in code words of which none begins another."""

from __future__ import annotations

import heapq
import math

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import NAMES, Draft, Rng, between, pick
from interactive_envs.mathematics.generators.exact import sum_of_products
from interactive_envs.mathematics.generators.wording import ORDINALS, listed, table, weighted_sum


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
        reason = f"Each joining of the {arity} rarest leaves {arity - 1} fewer, and one is left at the end."
        if fill_up:
            reason = "To join three at a time down to one, an odd number is needed: the first time only two are joined."
        draft.step(reason, f"Eq(Mod(letters - 1, kinds - 1), {fill_up})")
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
        free_total, total = sum_of_products(counts, free), sum_of_products(counts, lengths)
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
                :: Eq(free_total, {weighted_sum(counts, free)})
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
                :: Eq(answer, {weighted_sum(counts, lengths)})
            step The limit costs something. :: Gt(answer, free_total)
        """)
        return draft.problem(text)


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
    """Return the same with no word longer than a limit, by packing pairs (counts rise)."""
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
