"""``bags``: what was drawn tells which bag it came from."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, pick
from interactive_envs.mathematics.generators.wording import ORDINALS, listed, table


class Bags(Generator):
    """What was drawn tells which bag it came from."""

    name = "bags"
    field = "probability"

    _settings = table("""
        red | blue | ball | bag
        white | black | sock | drawer
        ripe | unripe | plum | basket
    """)

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: which bag; 2: after two draws; 3: the next draw; 4: unequal chances; 5: an unseen move."""
        if difficulty == 5:
            return self._moved(rng, difficulty)
        many = 2 if difficulty <= 2 else 3
        draws = [1, 2, 2, 3][difficulty - 1]
        bags = [[between(rng, 2, 7), between(rng, 2, 7)] for _ in range(many)]
        weights = [1] * many
        if difficulty == 4:
            weights = pick(rng, [[1, 2, 3], [3, 2, 1], [1, 1, 4], [2, 1, 3], [3, 1, 2]])
        if len({Fraction(r, r + b) for r, b in bags}) < many or any(sum(bag) <= draws for bag in bags):
            return None
        # on level 4 two red and one blue, in any order
        red_draws = 2 if difficulty == 4 else draws
        total = sum(weights)

        def chance(bag: list[int], red: int, all_: int) -> Fraction:
            return Fraction(math.comb(bag[0], red) * math.comb(bag[1], all_ - red), math.comb(sum(bag), all_))

        likelihoods = [chance(bag, red_draws, draws) for bag in bags]
        joint = [Fraction(w, total) * like for w, like in zip(weights, likelihoods, strict=True)]
        seen = sum(joint, Fraction(0))
        draft = Draft(self, difficulty, bags=bags, weights=weights, draws=draws, red=red_draws)
        colour, other, thing, holder = pick(rng, self._settings)
        for i, (red, blue) in enumerate(bags):
            which = f"{ORDINALS[i]} {holder}"
            draft.note(f"""
                find like{i + 1} = {likelihoods[i]}: chance of the drawn {thing}s from the {which}; likelihood of the
                    {which}; probability of the draws from the {which}; chance of the draws from the {which};
                    probability of the draws given the {which}; conditional probability for the {which}; probability of
                    the drawn {thing}s from the {which}
                step From the {which} the draws have the probability {likelihoods[i]}.
                    :: Eq(like{i + 1}, binomial({red}, {red_draws})*binomial({blue},
                        {draws - red_draws})/binomial({red + blue}, {draws}))
            """)
        for i in range(many):
            what = f"joint probability of the {ORDINALS[i]} {holder}"
            draft.find(
                f"joint{i + 1}",
                joint[i],
                f"{what} and the draws",
                what,
                f"probability of the {ORDINALS[i]} {holder} and the draws",
                f"probability of both the {ORDINALS[i]} {holder} and the draws",
                f"product for the {ORDINALS[i]} {holder}",
            )
            if many == 2:
                reason = f"Together with the choice of the {ORDINALS[i]} {holder} that is {joint[i]}."
                draft.step(reason, f"Eq(joint{i + 1}, like{i + 1}/2)")
        if many == 3:
            claims = ", ".join(f"Eq(joint{i + 1}, like{i + 1}*{weights[i]}/{total})" for i in range(many))
            draft.step("Each is multiplied by the chance of its choice.", f"And({claims})")
        draft.note(f"""
            find seen = {seen}: probability of what was drawn; total probability of the drawn {thing}s; total
                probability; probability of the draws; chance of the draws; overall probability of the draws;
                probability of the evidence; denominator
            step In all the draws have the probability {seen}.
                :: Eq(seen, {" + ".join(f"joint{i + 1}" for i in range(many))})
        """)
        if difficulty <= 2:
            answer = joint[0] / seen
            ask = f"What is the probability that the chosen {holder} is the first one?"
            draft.note(f"""
                find answer = {answer}: answer; probability of the first {holder} given the draws; asked probability;
                    posterior probability; posterior of the first {holder}; probability that the chosen {holder} is the
                    first; probability that it is the first {holder}; chance of the first {holder} given the draws;
                    conditional probability of the first {holder}; chance that it is the first {holder}
                step The share of the first {holder} is {answer}. :: Eq(answer, joint1/seen)
            """)
        else:
            nexts = [Fraction(max(bag[0] - red_draws, 0), sum(bag) - draws) for bag in bags]
            both = sum((j * n for j, n in zip(joint, nexts, strict=True)), Fraction(0))
            answer = both / seen
            products = " + ".join(f"joint{i + 1}*{nexts[i]}" for i in range(many))
            draft.note(f"""
                find both = {both}: probability of the draws and a {colour} {thing} next; joint probability with the
                    next; probability of the draws and then {colour}; joint probability of the draws and the next;
                    numerator
                find answer = {answer}: answer; probability that the next is {colour}; asked probability; probability of
                    {colour} next; probability that the next {thing} is {colour}; chance that the next is {colour};
                    probability that the further {thing} is {colour}; probability of another {colour} {thing};
                    conditional probability
                step Then another {colour} one: with the shares {", ".join(map(str, nexts))} this is {both}.
                    :: Eq(both, {products})
                step The quotient is {answer}. :: Eq(answer, both/seen)
            """)
            ask = f"""From the same {holder}, one further {thing} is drawn. What is the probability that it is
                {colour}?"""
        if answer.denominator < 12:
            return None
        contents = listed(
            [f"the {ORDINALS[i]} holds {r} {colour} and {b} {other} {thing}s" for i, (r, b) in enumerate(bags)]
        )
        choice = "each with the same probability"
        if difficulty == 4:
            choice = listed([f"the {ORDINALS[i]} with probability {Fraction(w, total)}" for i, w in enumerate(weights)])
        if draws == 1:
            drawn = f"one {thing} is drawn from it at random. It is {colour}."
        elif difficulty == 4:
            drawn = f"""three {thing}s are drawn from it at random, one after another and without putting any back. Two
                of them are {colour} and one is {other}; in which order they came was not noted."""
        else:
            drawn = f"""two {thing}s are drawn from it at random, one after another and without putting any back. Both
                are {colour}."""
        text = f"""Of {["two", "three"][many - 2]} {holder}s {contents}. One of them is chosen at random, {choice}, and
            {drawn} {ask}"""
        return draft.problem(text, form="a fraction")

    def confirm(self, problem: Problem) -> Any:
        """Every single ball is distinguished and every way to draw counted."""
        given = problem.parameters
        hit = seen = Fraction(0)
        if problem.difficulty == 5:
            first, second = ([1] * r + [0] * b for r, b in (given["first"], given["second"]))
            for moved in itertools.combinations(range(len(first)), 2):
                full = second + [first[i] for i in moved]
                both = sum(full[i] and full[j] for i, j in itertools.combinations(range(len(full)), 2))
                seen += both
                hit += both * all(first[i] for i in moved)
            return hit / seen
        draws, red = given["draws"], given["red"]
        further = problem.difficulty >= 3
        for number, (bag, weight) in enumerate(zip(given["bags"], given["weights"], strict=True)):
            balls = [1] * bag[0] + [0] * bag[1]
            ways = Fraction(weight, math.perm(len(balls), draws + further))
            for drawn in itertools.permutations(balls, draws + further):
                if sum(drawn[:draws]) == red:
                    seen += ways
                    hit += ways * (drawn[-1] if further else number == 0)
        return hit / seen

    def _moved(self, rng: Rng, difficulty: int) -> Problem | None:
        first, second = [between(rng, 3, 7), between(rng, 2, 6)], [between(rng, 1, 5), between(rng, 2, 6)]
        all1, all2 = sum(first), sum(second) + 2
        moved = [Fraction(math.comb(first[0], i) * math.comb(first[1], 2 - i), math.comb(all1, 2)) for i in range(3)]
        drawn = [Fraction(math.comb(second[0] + i, 2), math.comb(all2, 2)) for i in range(3)]
        seen = sum((m * d for m, d in zip(moved, drawn, strict=True)), Fraction(0))
        answer = moved[2] * drawn[2] / seen
        if answer.denominator < 12:
            return None
        colour, other, thing, holder = pick(rng, self._settings)
        draft = Draft(self, difficulty, first=first, second=second)
        words = ["none", "one", "two"]
        for i, word in enumerate(words):
            draft.note(f"""
                find moved{i} = {moved[i]}: probability that {word} of the moved are {colour}; prior of {word}; chance
                    that {word} of the moved are {colour}; probability of {word} {colour} moved; prior probability of
                    {word}; probability that {word} of the moved {thing}s is {colour}
                step With probability {moved[i]} {word} of the moved {thing}s is {colour}.
                    :: Eq(moved{i}, binomial({first[0]}, {i})*binomial({first[1]}, {2 - i})/binomial({all1}, 2))
            """)
        for i, word in enumerate(words):
            draft.find(
                f"drawn{i}",
                drawn[i],
                f"chance of two {colour} after {word} moved",
                f"likelihood of {word}",
                f"probability of two {colour} after {word} moved",
                f"chance of drawing two {colour} after {word} moved",
                f"probability of drawing two {colour} after {word} moved",
                f"likelihood after {word} moved",
            )
        claims = ", ".join(f"Eq(drawn{i}, binomial({second[0] + i}, 2)/binomial({all2}, 2))" for i in range(3))
        draft.note(f"""
            find seen = {seen}: probability of drawing two {colour}; total probability; total probability of two
                {colour}; probability that both drawn are {colour}; probability that both drawn {thing}s are {colour};
                probability of the draws; denominator
            find joint = {moved[2] * drawn[2]}: probability of two {colour} moved and two drawn; joint probability;
                probability that both moved and both drawn are {colour}; joint probability of the move and the draws;
                numerator
            find answer = {answer}: answer; asked probability; probability that both moved were {colour}; posterior
                probability; conditional probability; probability that both moved {thing}s are {colour}; probability
                that both {thing}s that were moved are {colour}; chance that both moved were {colour}
            step Then the chances of drawing two {colour} ones are {listed([str(d) for d in drawn])}. :: And({claims})
            step In all that happens with probability {seen}. :: Eq(seen, moved0*drawn0 + moved1*drawn1 + moved2*drawn2)
            step With two {colour} ones moved it is {moved[2] * drawn[2]}. :: Eq(joint, moved2*drawn2)
            step The share is {answer}. :: Eq(answer, joint/seen)
        """)
        text = f"""A first {holder} holds {first[0]} {colour} and {first[1]} {other} {thing}s, a second {holder}
            {second[0]} {colour} and {second[1]} {other} ones. Two {thing}s are taken from the first {holder} at random
            and put into the second without being looked at. Then two {thing}s are drawn from the second {holder} at
            random, without putting one back; both are {colour}. What is the probability that both {thing}s that were
            moved are {colour}?"""
        return draft.problem(text, form="a fraction")
