"""``lamps``: switches that change several lamps at once, and the patterns that they can reach."""

from __future__ import annotations

import dataclasses
import itertools
import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, pick
from interactive_envs.mathematics.generators.wording import counted, table


class Lamps(Generator):
    """Switches that change several lamps at once, and the patterns that they can reach."""

    name = "lamps"
    field = "linear algebra"

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: neighbours; 2: every other lamp; 3: rows and columns; 4: threes on a ring; 5: with a fixed corner."""
        ask = [self._pairs, self._apart, self._grid, self._ring, self._grid][difficulty - 1]
        return ask(rng, difficulty)

    def confirm(self, problem: Problem) -> Any:
        """Return all patterns that sums of switches make."""
        given = problem.parameters
        reached = np.zeros(1, dtype=np.int64)
        for switch in given["switches"]:
            mask = sum(1 << lamp for lamp in switch)
            if mask not in reached:
                reached = np.concatenate([reached, reached ^ mask])
        lit = sum((reached >> lamp) & 1 for lamp in range(given["lamps"]))
        good = lit == given["lit"]
        if given.get("corner"):
            good &= (reached & 1) == 1
        return int(good.sum())

    def _pairs(self, rng: Rng, difficulty: int) -> Problem | None:
        lamps = between(rng, 8, 20)
        lit = 2 * between(rng, 1, lamps // 2 - 1)
        answer = math.comb(lamps, lit)
        draft = Draft(self, difficulty, lamps=lamps, lit=lit, switches=[[i, i + 1] for i in range(lamps - 1)])
        draft.note(f"""
            give lamps = {lamps}: number of lamps; lamps; total number of lamps; lamps in all; lamps in the row
            give lit = {lit}: number of lamps that are to be lit; lit lamps; number of lit lamps; lamps that are lit;
                lamps lit; exact number of lit lamps
            find switches = {lamps - 1}: number of switches; switches; switches in all; total number of switches; number
                of pairs of neighbours
            find reachable = {2 ** (lamps - 1)}: number of reachable patterns; reachable patterns; number of patterns
                that can be reached; patterns that can be reached; all reachable patterns
            find even = {2 ** (lamps - 1)}: number of patterns with an even number lit; even patterns; number of even
                patterns; patterns with an even number of lit lamps; patterns with an even number lit
            find answer = {answer}: answer; number of such patterns; number of patterns; number of different patterns;
                number of patterns with {lit} lit lamps; patterns with exactly {lit} lit lamps; number of reachable
                patterns with exactly {lit} lit lamps; asked number
            step There are {lamps - 1} switches. :: Eq(switches, lamps - 1)
            step Each changes two lamps, so the number of lit lamps stays even. :: Eq(Mod(lit, 2), 0)
            step The switches are independent: different choices give different patterns. :: Eq(reachable, 2**switches)
            step As many patterns have an even number of lit lamps, so these are exactly the reachable ones.
                :: And(Eq(even, 2**lamps/2), Eq(reachable, even))
            step Hence every choice of {lit} lamps counts: {answer}. :: Eq(answer, binomial(lamps, lit))
        """)
        rule = f"""{lamps} lamps hang in a row. For any two lamps that hang next to each other there is a switch that
            changes just these two"""
        return self._finish(draft, rng, rule, lit)

    def _apart(self, rng: Rng, difficulty: int) -> Problem | None:
        lamps = between(rng, 9, 20)
        lit = 2 * between(rng, 2, lamps // 2 - 1)
        odd, even = (lamps + 1) // 2, lamps // 2
        parts = [(i, math.comb(odd, i) * math.comb(even, lit - i)) for i in range(0, lit + 1, 2)]
        parts = [(i, value) for i, value in parts if value]
        answer = sum(value for _, value in parts)
        if not 2 <= len(parts) <= 6:
            return None
        draft = Draft(self, difficulty, lamps=lamps, lit=lit, switches=[[i, i + 2] for i in range(lamps - 2)])
        draft.note(f"""
            give lamps = {lamps}: number of lamps; lamps; total number of lamps; lamps in all; lamps in the row
            give lit = {lit}: number of lamps that are to be lit; lit lamps; number of lit lamps; lamps that are lit;
                lamps lit; exact number of lit lamps
            find odd = {odd}: lamps in odd places; number of odd places; odd places; number of lamps in odd places; odd
                lamps
            find even = {even}: lamps in even places; number of even places; even places; number of lamps in even
                places; even lamps
        """)
        draft.note(f"""
            step {odd} lamps are in odd places. :: Eq(odd, ceiling(lamps/2))
            step {even} are in even places. :: Eq(even, lamps - odd)
            step Both kinds form a row of their own, and in each the number of lit lamps stays even.
                :: Eq((odd - 1) + (even - 1), lamps - 2)
        """)
        for i, value in parts:
            draft.note(f"""
                find part{i} = {value}: patterns with {i} lit in odd places; contribution of {i} lit odd ones; number of
                    patterns with {i} lit in odd places; patterns with {i} lit odd lamps; ways with {i} lit in odd
                    places
                step With {i} lit in odd places there are {value} patterns.
                    :: Eq(part{i}, binomial(odd, {i})*binomial(even, lit - {i}))
            """)
        draft.find(
            "answer",
            answer,
            "answer",
            "number of such patterns",
            "number of patterns",
            "number of different patterns",
            f"number of patterns with {lit} lit lamps",
            f"patterns with exactly {lit} lit lamps",
            f"number of reachable patterns with exactly {lit} lit lamps",
            "asked number",
        )
        draft.step(f"Together {answer}.", f"Eq(answer, {' + '.join(f'part{i}' for i, _ in parts)})")
        rule = f"""{lamps} lamps hang in a row. For any two lamps with exactly one lamp between them there is a switch
            that changes just these two (not the one between)"""
        return self._finish(draft, rng, rule, lit)

    def _grid(self, rng: Rng, difficulty: int) -> Problem | None:
        rows, columns = between(rng, 3, 10), between(rng, 3, 10)
        corner = difficulty == 5
        # the patterns with i rows and j columns changed; each pattern comes from two choices
        lit_by = {(i, j): i * (columns - j) + j * (rows - i) for i in range(rows + 1) for j in range(columns + 1)}
        lit = pick(rng, sorted(set(lit_by.values()) - {0, rows * columns}))
        pairs = [pair for pair, value in lit_by.items() if value == lit]
        if rows == columns or rows * columns > 60 or not 4 <= len(pairs) <= 8:
            return None

        def ways(i: int, j: int) -> int:
            if not corner:
                return math.comb(rows, i) * math.comb(columns, j)
            # the corner is lit if just one of its row and its column is changed
            only_row = math.comb(rows - 1, i - 1) * math.comb(columns - 1, j) if i else 0
            only_column = math.comb(rows - 1, i) * math.comb(columns - 1, j - 1) if j else 0
            return only_row + only_column

        found = {pair: ways(*pair) for pair in pairs}
        total = sum(found.values())
        answer = total // 2
        if answer < 10:
            return None
        switches = [[r * columns + c for c in range(columns)] for r in range(rows)]
        switches += [[r * columns + c for r in range(rows)] for c in range(columns)]
        draft = Draft(self, difficulty, lamps=rows * columns, lit=lit, switches=switches, corner=corner)
        i, j = pairs[0]
        draft.note(f"""
            give rows = {rows}: number of rows; rows; row count; number of rows of lamps; lamps in a column
            give columns = {columns}: number of columns; columns; column count; number of columns of lamps; lamps in a
                row
            give lit = {lit}: number of lamps that are to be lit; lit lamps; number of lit lamps; lamps that are lit;
                lamps lit; exact number of lit lamps
            find choices = {2 ** (rows + columns)}: number of choices of switches; sets of switches; number of sets of
                switches; all choices of switches; ways to choose switches
            find patterns = {2 ** (rows + columns - 1)}: number of reachable patterns; reachable patterns; number of
                patterns that can be reached; patterns that can be reached; all reachable patterns
            find pairs = {len(pairs)}: number of pairs (i, j); solutions of the equation; number of pairs; number of
                solutions; solutions; number of solutions of the equation
            find total = {total}: number of sets of switches that work; choices that work; sets of switches that work;
                number of choices that work; number of good choices; favourable choices
            find answer = {answer}: answer; number of such patterns; number of patterns; number of different patterns;
                number of patterns with {lit} lit lamps; patterns with exactly {lit} lit lamps; number of reachable
                patterns with exactly {lit} lit lamps; asked number
            step Only whether a switch is used an odd number of times matters. :: Eq(choices, 2**(rows + columns))
            step A choice and its complement give the same pattern, and no others do. :: Eq(patterns, choices/2)
            step With i rows and j columns, i({columns} - j) + j({rows} - i) lamps are lit, for instance i = {i}, j =
                {j}. :: Eq({i}*(columns - {j}) + {j}*(rows - {i}), lit)
            step That equals {lit} for {len(pairs)} pairs: {", ".join(map(str, pairs))}. :: Eq(pairs, {len(pairs)})
        """)
        reason = f"The pair (i, j) stands for binomial({rows}, i) binomial({columns}, j) choices."
        claim = f"binomial(rows, {i})*binomial(columns, {j})"
        if corner:
            reason = (
                "The corner is lit if just one of its row and its column is used; its row and column are taken apart."
            )
            claim = self._corner_claim(i, j)
        draft.note(f"""
            step {reason} :: Eq({found[pairs[0]]}, {claim})
            step Together these are {total} choices. :: Eq(total, {" + ".join(map(str, found.values()))})
            step Each pattern is counted twice: {answer}. :: Eq(answer, total/2)
        """)
        rule = f"""Lamps are arranged in {rows} rows and {columns} columns, one in every place. Each row has a switch
            that changes all lamps of this row, and each column has a switch that changes all lamps of this column"""
        return self._finish(draft, rng, rule, lit, ", among them the one in the upper left corner," if corner else "")

    @staticmethod
    def _corner_claim(i: int, j: int) -> str:
        row = f"binomial(rows - 1, {i - 1})*binomial(columns - 1, {j})" if i else "0"
        column = f"binomial(rows - 1, {i})*binomial(columns - 1, {j - 1})" if j else "0"
        return f"{row} + {column}"

    def _ring(self, rng: Rng, difficulty: int) -> Problem | None:
        third = between(rng, 4, 7)
        lamps = 3 * third
        lit = between(rng, 3, lamps - 3)
        triples = [
            t for t in itertools.product(range(third + 1), repeat=3) if sum(t) == lit and len({x % 2 for x in t}) == 1
        ]
        answer = sum(math.prod(math.comb(third, x) for x in t) for t in triples)
        kinds = sorted({tuple(sorted(t)) for t in triples})
        if not 2 <= len(kinds) <= 6:
            return None
        switches = [[i, (i + 1) % lamps, (i + 2) % lamps] for i in range(lamps)]
        draft = Draft(self, difficulty, lamps=lamps, lit=lit, switches=switches)
        draft.note(f"""
            give lamps = {lamps}: number of lamps; lamps; total number of lamps; lamps in all; lamps in the circle
            give lit = {lit}: number of lamps that are to be lit; lit lamps; number of lit lamps; lamps that are lit;
                lamps lit; exact number of lit lamps
            find third = {third}: lamps of one class; size of a class; lamps with the same remainder modulo 3; class
                size; lamps in one class; lamps per class; size of one class
            find rank = {lamps - 2}: rank; number of independent switches; rank of the switches; rank of the system;
                dimension of the reachable patterns
            find reachable = {2 ** (lamps - 2)}: number of reachable patterns; reachable patterns; number of patterns
                that can be reached; patterns that can be reached; all reachable patterns
            step Colour the lamps around the ring with 3 colours in turn; each colour has {third} lamps.
                :: Eq(3*third, lamps)
            step Every switch changes one lamp of each colour, so the three numbers of lit lamps stay equal modulo 2.
                :: Le(rank, lamps - 2)
            step These two conditions are all: the rank is {lamps - 2}. :: Eq(rank, lamps - 2)
            step So a pattern is reachable if the three numbers are all even or all odd. :: Eq(reachable, 2**rank)
        """)
        for x, y, z in kinds:
            orders = len(set(itertools.permutations((x, y, z))))
            value = orders * math.prod(math.comb(third, v) for v in (x, y, z))
            draft.note(f"""
                find part{x}{y}{z} = {value}: patterns with {x}, {y} and {z} lit in the classes in some order;
                    contribution of {x}, {y}, {z}; patterns with {x}, {y} and {z} lit; patterns of the kind {x}, {y},
                    {z}
                step {x}, {y} and {z} lit, in {counted(orders, "order")}.
                    :: Eq(part{x}{y}{z}, {orders}*binomial(third, {x})*binomial(third, {y})*binomial(third, {z}))
            """)
        draft.find(
            "answer",
            answer,
            "answer",
            "number of such patterns",
            "number of patterns",
            "number of different patterns",
            f"number of patterns with {lit} lit lamps",
            f"patterns with exactly {lit} lit lamps",
            f"number of reachable patterns with exactly {lit} lit lamps",
            "asked number",
        )
        draft.step(f"Together {answer}.", f"Eq(answer, {' + '.join(f'part{x}{y}{z}' for x, y, z in kinds)})")
        rule = f"""{lamps} lamps stand in a circle. For any three lamps in a row on the circle there is a switch that
            changes just these three"""
        return self._finish(draft, rng, rule, lit)

    @staticmethod
    def _finish(draft: Draft, rng: Rng, rule: str, lit: int, among: str = "") -> Problem:
        """Return the problem in terms of lamps, or of other things with two states."""
        text = f"""{rule}: what was off is lit afterwards, and the other way round. At first all are off, and the
            switches may be used in any order and as often as one likes. Two patterns are the same if the same lamps are
            lit. How many different patterns with exactly {lit} lit lamps{among} can be reached?"""
        words = pick(rng, WORDS)
        problem = draft.problem(_swapped(text, words))
        return dataclasses.replace(
            problem,
            quantities=tuple(
                dataclasses.replace(item, phrases=tuple(_swapped(phrase, words) for phrase in item.phrases))
                for item in problem.quantities
            ),
            facts=tuple(dataclasses.replace(fact, text=_swapped(fact.text, words)) for fact in problem.facts),
        )


LAMP_WORDS = ("lamps", "lamp", "lit", "off", "switches", "switch", "hang", "stand")


WORDS = [
    dict(zip(LAMP_WORDS, row, strict=True))
    for row in table("""
        lamps | lamp | lit | off | switches | switch | hang | stand
        signs | sign | red | green | levers | lever | hang | stand
        tiles | tile | black | white | buttons | button | lie | lie
    """)
]
"""What lamps and their switches are called instead."""


def _swapped(text: str, words: Mapping[str, str]) -> str:
    """Return a text with other words, capitals kept."""

    def swap(match: re.Match[str]) -> str:
        found = match.group()
        new = words.get(found.lower(), found)
        return new.capitalize() if found[0].isupper() and new != found else new

    return re.sub(r"[A-Za-z]+", swap, text)
