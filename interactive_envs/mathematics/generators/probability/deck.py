"""``deck``: how far down a shuffled pile certain cards lie."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, pick
from interactive_envs.mathematics.generators.wording import counted, listed, ordinal, table


class Deck(Generator):
    """How far down a shuffled pile certain cards lie."""

    name = "deck"
    field = "probability"

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: the first; 2: the k-th; 3: both kinds seen; 4: all three kinds seen; 5: two of three kinds seen."""
        kinds = [1, 1, 2, 3, 3][difficulty - 1]
        special = [between(rng, 2, 6) for _ in range(kinds)]
        if kinds > 1 and len(set(special)) < kinds:
            return None
        total = sum(special) + between(rng, 5, 18)
        rank = between(rng, 2, special[0]) if difficulty == 2 else 1
        settings = table("""
            red | green | blue | card | pile of cards
            copper | silver | gold | coin | roll of coins
            mint | lemon | cherry | sweet | tube of sweets
        """)
        *names, thing, pile = pick(rng, settings)
        draft = Draft(self, difficulty, special=special, total=total, rank=rank)
        draft.give(
            "total",
            total,
            f"number of {thing}s",
            f"{thing}s in all",
            f"total number of {thing}s",
            f"{thing}s in total",
            f"all {thing}s",
            f"size of the {pile.split()[0]}",
        )
        for name, count in zip(names, special, strict=False):
            draft.give(
                name,
                count,
                f"number of {name} {thing}s",
                f"{name} {thing}s",
                f"number of {name} ones",
                f"{name} ones",
                f"total number of {name} {thing}s",
            )
        contents = listed([f"{special[i]} are {names[i]}" for i in range(kinds)])
        scene = f"""A well-mixed {pile} consists of {total} {thing}s, of which {contents}; the others are of no
            interest. One {thing} after another is taken from the top."""
        if difficulty <= 2:
            name, others, gaps = names[0], total - special[0], special[0] + 1
            answer = Fraction(total + 1, gaps) * rank
            if answer.denominator == 1:
                return None
            which = "first" if rank == 1 else ordinal(rank)
            draft.note(f"""
                find gaps = {gaps}: number of gaps; gaps between the {name} ones and the ends; gaps; gaps between the
                    {name} ones; number of gaps between the {name} ones
                find others = {others}: {thing}s that are not {name}; number of other {thing}s; other {thing}s;
                    remaining {thing}s; number of {thing}s that are not {name}; {thing}s of no interest
                find length = {Fraction(others, gaps)}: expected length of a gap; others in one gap on average; average
                    length of a gap; mean gap; average gap; expected gap; mean length of a gap
            """)
            if difficulty == 2:
                draft.give(
                    "rank",
                    rank,
                    f"which of the {name} ones",
                    "rank",
                    f"number of the {name} one",
                    f"rank of the {name} one",
                    f"wanted number of {name} ones",
                )
            draft.note(f"""
                find answer = {answer}: answer; expected number of {thing}s taken; expected position; expected number of
                    {thing}s; average number of {thing}s taken; mean number of {thing}s taken; expected number of draws;
                    average position; expected position of the {which} {name} {thing}; expected place; expected number
                    taken
                step {others} are not {name}. :: Eq(others, total - {name})
                step The {name} ones leave {gaps} gaps: before, between and after them. :: Eq(gaps, {name} + 1)
                step By symmetry each gap is equally long on average. :: Eq(length*gaps, others)
                step So on average a gap holds {Fraction(others, gaps)}. :: Eq(length, others/gaps)
                step The {which} {name} one is preceded by {counted(rank, "gap")}: {answer}.
                    :: Eq(answer, {rank}*(length + 1))
            """)
            ask = f"""What is the expected number of {thing}s taken until the {which} {name} one appears, that one
                included?"""
            return draft.problem(f"{scene} {ask}", form="a fraction")
        groups = [g for size in range(1, kinds + 1) for g in itertools.combinations(range(kinds), size)]
        meets = {g: Fraction(total + 1, sum(special[i] for i in g) + 1) for g in groups}
        keys = {g: "_".join(names[i] for i in g) + "_first" for g in groups}
        for g in groups:
            label, both = (word.join(names[i] for i in g) for word in (" or ", " + "))
            remark = f"The first {label} one is on average at {meets[g]}."
            if g == groups[0]:
                remark = f"Among {total} the first of s marked ones is on average at ({total} + 1)/(s + 1)."
            draft.note(f"""
                find {keys[g]} = {meets[g]}: expected position of the first {label}; expected number taken until the
                    first {label}; average position of the first {label}; expected place of the first {label}; expected
                    position of the first {label} {thing}; mean position of the first {label}
                step {remark} :: Eq({keys[g]}, (total + 1)/({both} + 1))
            """)
        factors = {3: {1: 1, 2: -1}, 4: {1: 1, 2: -1, 3: 1}, 5: {2: 1, 3: -2}}[difficulty]
        answer = sum((factors.get(len(g), 0) * value for g, value in meets.items()), Fraction(0))
        parts = [f"{factors[len(g)]}*{keys[g]}" for g in groups if len(g) in factors]
        reason = {
            3: "The later of two is the sum of both less the earlier.",
            4: "The latest of three is the sum of the three less the earlier ones of pairs plus the earliest.",
            5: "The middle of three is the sum of the earlier ones of pairs less twice the earliest.",
        }[difficulty]
        if answer.denominator == 1:
            return None
        draft.find(
            "answer",
            answer,
            "answer",
            f"expected number of {thing}s taken",
            "expected position",
            f"expected number of {thing}s",
            f"average number of {thing}s taken",
            f"mean number of {thing}s taken",
            "expected number of draws",
            "average position",
            "expected place",
            "expected number taken",
        )
        draft.step(reason, f"Eq(answer, {' + '.join(parts)})")
        draft.step(f"That gives {answer}.", f"Eq(answer, {answer})")
        shown = listed(names[:kinds])
        until = {
            3: f"at least one {names[0]} and at least one {names[1]} one have appeared",
            4: f"at least one of each of the kinds {shown} has appeared",
            5: f"at least two of the three kinds {shown} have appeared",
        }[difficulty]
        ask = f"What is the expected number of {thing}s taken until {until}, the last one taken included?"
        return draft.problem(f"{scene} {ask}", form="a fraction")

    def confirm(self, problem: Problem) -> Any:
        """Return the sum over all n of the chance that n cards are not yet enough."""
        given = problem.parameters
        special, total = given["special"], given["total"]
        blank = total - sum(special)
        enough: Callable[[tuple[int, ...]], bool] = {
            1: lambda seen: seen[0] >= 1,
            2: lambda seen: seen[0] >= given["rank"],
            3: all,
            4: all,
            5: lambda seen: sum(map(bool, seen)) >= 2,
        }[problem.difficulty]
        expected = Fraction(0)
        for seen in itertools.product(*(range(count + 1) for count in special)):
            if enough(seen):
                continue
            ways = math.prod(math.comb(count, x) for count, x in zip(special, seen, strict=True))
            for n in range(sum(seen), min(sum(seen) + blank, total) + 1):
                expected += Fraction(ways * math.comb(blank, n - sum(seen)), math.comb(total, n))
        return expected
