"""Hidden parts of probability: contents of urns, sectors of a wheel, a walk between two ends."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from interactive_envs.mathematics.generators.draft import Draft, Rng, one_of, pick
from interactive_envs.mathematics.generators.probability.bags import Bags
from interactive_envs.mathematics.generators.probability.pattern import Pattern
from interactive_envs.mathematics.generators.probability.ruin import Ruin
from interactive_envs.mathematics.generators.setting import HiddenPart, Setting, Values, by
from interactive_envs.mathematics.generators.wording import ORDINALS, listed, table

_COLOURS = table("""
    red | blue | ball | bag
    white | black | sock | drawer
    ripe | green | plum | basket
""")


def _bags(rng: Rng, difficulty: int) -> Setting:
    """Which urn was it, of several with hidden contents."""
    many = 2 if difficulty <= 2 else 3
    most = 66 if many == 2 else 18
    colour, other, thing, holder = pick(rng, _COLOURS)
    names = [(f"{colour}({k})", f"{other}({k})") for k in range(1, many + 1)]
    text = f"""There are {many} {holder}s. The {holder} number k holds {colour}(k) {colour} and {other}(k) {other}
        {thing}s; these numbers are hidden. One {holder} is chosen at random, each with the same probability, and two
        {thing}s are drawn from it at random, one after another and without putting any back. Both are {colour}. What is
        the probability that the chosen {holder} is number 1?"""

    def derive(draft: Draft, found: Values) -> None:
        likes = []
        for k, (mine, theirs) in enumerate(names, 1):
            inside = found[mine] + found[theirs]
            likes.append(Fraction(math.comb(found[mine], 2), math.comb(inside, 2)))
            draft.note(f"""
                find like_{k} = {likes[-1]}: p({colour} {colour} | {holder} {k}); probability of the draws from the
                    {ORDINALS[k - 1]} {holder}; likelihood of the {ORDINALS[k - 1]} {holder}
                step From {holder} {k} both are {colour} with the probability {likes[-1]}.
                    :: Eq(like_{k}, binomial({colour}_{k}, 2)/binomial({colour}_{k} + {other}_{k}, 2))
            """)
        claim = " + ".join(f"like_{k}" for k in range(1, many + 1))
        draft.note(f"""
            find seen = {sum(likes) / many}: p({colour} {colour}); total probability of the draws; total probability
            find answer = {likes[0] / sum(likes)}: answer; probability of the first {holder} given the draws; posterior
            step In all that has the probability {sum(likes) / many}. :: Eq(seen, ({claim})/{many})
            step The share of {holder} 1 is the answer. :: Eq(answer, like_1/{many}/seen)
        """)

    parameters = {"bags": [list(pair) for pair in names], "weights": [1] * many, "draws": 2, "red": 2}
    ranges = {name: (3, most) for pair in names for name in pair}
    phrases = {
        name: (
            f"number of {name[:-3]} {thing}s in {holder} {name[-2]}",
            f"{name[:-3]} {thing}s in the {which} {holder}",
        )
        for pair, which in zip(names, ORDINALS, strict=False)
        for name in pair
    }
    return Setting(text, parameters, ranges, derive, "a fraction", phrases=phrases)


def _pattern(rng: Rng, difficulty: int) -> Setting:
    """How long a pattern takes on a wheel with sectors of hidden sizes."""
    letters = "ABCD" if difficulty <= 2 else "ABCDEF"
    words = "AB ABA AAB ABB BAB" if difficulty <= 2 else "ABA ABAB ABCA ABAC BCBC"
    word = one_of(rng, "\n".join(words.split()))
    names = [f"w({letter})" for letter in letters]
    text = f"""A wheel has sectors with the letters {listed(list(letters))}. It stops at each letter with a probability
        proportional to the weight of its sector, independently of all spins before: {listed(names)} are the weights,
        and they are hidden. The letters are written down one after another. What is the expected number of letters
        written until {word} has just appeared for the first time as a block of consecutive letters, its own letters
        counted?"""

    def derive(draft: Draft, found: Values) -> None:
        total = sum(found.values())
        borders = [size for size in range(1, len(word) + 1) if word[:size] == word[-size:]]
        parts = [math.prod(Fraction(total, found[f"w({letter})"]) for letter in word[:size]) for size in borders]
        draft.find("total", total, "sum of the weights", "total weight")
        draft.step(f"The weights add up to {total}.", f"Eq(total, {' + '.join(f'w_{letter}' for letter in letters)})")
        for size, part in zip(borders, parts, strict=True):
            claim = "*".join(f"total/w_{letter}" for letter in word[:size])
            draft.note(f"""
                find part_{size} = {part}: share of the beginning of length {size}; summand of length {size}
                step The beginning of length {size} is also an end, which counts {part}. :: Eq(part_{size}, {claim})
            """)
        draft.note(f"""
            find answer = {sum(parts)}: answer; expected number of letters; expected number
            step The expected number is the sum over these beginnings.
                :: Eq(answer, {" + ".join(f"part_{size}" for size in borders)})
            aside Each probability is a weight by the total. :: Eq(total, {total})
        """)

    parameters = {"words": [word], "weights": dict(zip(letters, names, strict=True))}
    ranges = dict.fromkeys(names, (1, 48 if difficulty <= 2 else 16))
    phrases = {f"w({x})": (f"weight of {x.lower()}", f"weight of the sector {x.lower()}") for x in letters}
    return Setting(text, parameters, ranges, derive, "a fraction or whole number", phrases=phrases)


def _wait(given: Mapping[str, Any]) -> Any:
    """Return the chain of how much of the pattern has just been seen."""
    total = sum(given["weights"].values())
    chances = {letter: str(Fraction(weight, total)) for letter, weight in given["weights"].items()}
    return by(Pattern(), 1)({"words": given["words"], "chances": chances})


def _ruin(rng: Rng, difficulty: int) -> Setting:
    """How long a walk takes whose chances, start and end are hidden."""
    weights = (1, 16 * (1 + (difficulty > 2)) * (1 + (difficulty > 4)))
    text = """A flea is on tile s of a row of tiles that are numbered from 0 to n. Every second it jumps to the next
        higher tile with probability u/(u + d) and to the next lower tile with probability d/(u + d), independently of
        all before. It stops as soon as it is on tile 0 or on tile n. The numbers u, d, s and n are hidden. What is the
        expected number of jumps until it stops?"""

    def derive(draft: Draft, found: Values) -> None:
        u, d, s, n = (found[name] for name in "udsn")
        ratio = Fraction(d, u)
        chance = Fraction(s, n) if u == d else (1 - ratio**s) / (1 - ratio**n)
        answer = Fraction(s * (n - s)) if u == d else (n * chance - s) * Fraction(u + d, u - d)
        steps = (
            "step Both directions are equally likely, so the expected number is s(n - s). :: Eq(answer, s*(n - s))"
            if u == d
            else "step Each jump moves it by (u - d)/(u + d) on average, and it ends at n*top on average. "
            ":: Eq(answer*(u - d), (n*top - s)*(u + d))"
        )
        end = "Eq(top*n, s)" if u == d else "Eq(top*(1 - ratio**n), 1 - ratio**s)"
        draft.note(f"""
            find up = {Fraction(u, u + d)}: probability of a jump to the next higher tile; probability of jumping up;
                probability of a jump up
            find down = {Fraction(d, u + d)}: probability of a jump to the next lower tile; probability of jumping down;
                probability of a jump down
            find ratio = {ratio}: ratio of the two probabilities; quotient of the probabilities; ratio d/u
            find top = {chance}: probability to end on tile n; chance of tile n
            find answer = {answer}: answer; expected number of jumps; expected number
            step The ratio of the probabilities is {ratio}. :: Eq(ratio, d/u)
            step It ends on tile n with the probability {chance}. :: {end}
            {steps}
        """)

    ranges = {"u": weights, "d": weights, "s": (1, 16), "n": (17, 40)}
    phrases = {"s": ("starting tile", "number of the starting tile"), "n": ("last tile", "number of the last tile")}
    parameters = {name: name for name in "udsn"}
    return Setting(text, parameters, ranges, derive, "a fraction or whole number", phrases=phrases)


def _jumps(given: Mapping[str, Any]) -> Any:
    """Linear equations, one for each tile."""
    u, d = given["u"], given["d"]
    chances = {"up": str(Fraction(u, u + d)), "down": str(Fraction(d, u + d))}
    return by(Ruin(), 3)({**chances, "size": given["n"], "start": given["s"]})


HIDDEN: Mapping[str, HiddenPart] = {
    "bags": HiddenPart(_bags, by(Bags(), 2)),
    "pattern": HiddenPart(_pattern, _wait),
    "ruin": HiddenPart(_ruin, _jumps),
}
"""Seeds of generated problems depend on this order: append a new one at the end."""
