"""``necklaces``: colourings of a ring up to rotation and reflection, counted by what leaves them as they are."""

from __future__ import annotations

import math

import numpy as np

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import NAMES, Draft, Rng, between, pick


class Necklaces(Generator):
    """Colourings of a ring up to rotation and reflection, counted by what leaves them as they are."""

    name = "necklaces"
    field = "combinatorics"

    _turning = (
        ("{name} builds a carousel with {n} cabins at equal distances on a circle, each painted", "cabins", "carousel"),
        ("{name} cuts a round cake into {n} equal slices, each iced", "slices", "cake"),
        ("{name} makes a wheel of fortune with {n} equal sectors, each painted", "sectors", "wheel"),
    )
    _flipping = (
        ("{name} makes a bracelet of {n} equally spaced beads on a closed thread, each bead dyed", "beads", "bracelet"),
        ("{name} makes a ring of {n} equal glass pieces, each piece stained", "pieces", "ring"),
        ("{name} closes a chain of {n} equal links to a ring, each link enamelled", "links", "chain"),
    )

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: rotations, prime; 2: rotations; 3: also reflections; 4: neighbours differ; 5: both."""
        flips, proper = difficulty in (3, 5), difficulty >= 4
        n = pick(rng, {1: (5, 7), 2: (6, 8, 9), 3: (5, 6, 7, 8), 4: (6, 8, 9, 10), 5: (5, 6, 7, 8)}[difficulty])
        c = between(rng, 3, 9) if proper else between(rng, 2, 8)
        if c**n > 120_000:
            return None
        opening, things, whole = pick(rng, self._flipping if flips else self._turning)
        text = f"{opening.format(n=n, name=pick(rng, NAMES))} in one of {c} colours; not all colours need occur. "
        if proper:
            text += f"Neighbouring {things} must have different colours. "
        if flips:
            text += f"""The {whole} can be rotated and also turned over, so colourings that become equal in this way
                count as one. """
        else:
            text += f"""The {whole} can be rotated, but not turned over: colourings that become equal by a rotation
                count as one, mirror images as different unless a rotation makes them equal. """
        text += "How many different colourings are there?"
        draft = Draft(self, difficulty, n=n, c=c, flips=flips, proper=proper)
        moves = n * (2 if flips else 1)
        draft.note(f"""
            give n = {n}: number of {things}; {things}; number of places; total number of {things}; {things} in all;
                places; length of the ring
            give c = {c}: number of colours; colours; number of different colours; number of available colours;
                available colours; how many colours
            find moves = {moves}: number of symmetries; size of group; symmetries; group size; order of group; number of
                motions; size of symmetry group
            step There are {moves} motions, {n} of them rotations (with the one that moves nothing).
                :: Eq(moves, {"2*n" if flips else "n"})
        """)
        total, names = 0, []
        for cycles in sorted((d for d in range(1, n + 1) if n % d == 0), reverse=True):
            rotations = sum(math.gcd(k, n) == cycles for k in range(n))
            names.append(f"{rotations}*fix_{cycles}")
            if proper:
                count = (c - 1) ** cycles + (-1) ** cycles * (c - 1)
                claim = f"(c - 1)**{cycles} + (-1)**{cycles}*(c - 1)"
                why = f"a ring of {cycles} with neighbours different" if cycles > 1 else "neighbours would be equal"
            else:
                count, claim, why = c**cycles, f"c**{cycles}", f"{cycles} free choices"
            total += rotations * count
            draft.note(f"""
                find fix_{cycles} = {count}: colourings fixed by rotations with {cycles} cycles; colourings of {cycles}
                    cycles; fixed colourings with {cycles} cycles; number of colourings with {cycles} cycles; colourings
                    with {cycles} cycles
                step {rotations} of the rotations {"has" if rotations == 1 else "have"} {cycles} cycles and leave
                    {count} colourings as they are: {why}. :: Eq(fix_{cycles}, {claim})
            """)
        draft.note(f"""
            find turns = {total}: sum over rotations; total fixed by rotations; sum of colourings fixed by rotations;
                rotation sum; sum of fixed colourings over rotations
            step Sum over the rotations. :: Eq(turns, {" + ".join(names)})
            aside The rotations are all counted. :: Eq(n, {" + ".join(name.split("*")[0] for name in names)})
        """)
        if flips:
            if n % 2 and proper:
                axes, claim = 0, "Eq(flips, 0)"
                reason = f"Each axis passes between two neighbouring {things}, which would have to be equal"
            elif n % 2:
                axes = n * c ** ((n + 1) // 2)
                claim, reason = "Eq(flips, n*c**((n + 1)/2))", f"Each of the {n} axes goes through one of the {things}"
            elif proper:
                axes = n // 2 * c * (c - 1) ** (n // 2)
                claim = "Eq(flips, n/2*c*(c - 1)**(n/2))"
                reason = (
                    f"Only the {n // 2} axes through two {things} leave any colouring; others make neighbours equal"
                )
            else:
                axes = n // 2 * (c ** (n // 2) + c ** (n // 2 + 1))
                claim = "Eq(flips, n/2*c**(n/2) + n/2*c**(n/2 + 1))"
                reason = f"Half of the axes go through two {things}, half through none"
            total += axes
            draft.find(
                "flips",
                axes,
                "sum over reflections",
                "total fixed by reflections",
                "sum of colourings fixed by reflections",
                "reflection sum",
                "sum of fixed colourings over reflections",
            )
            draft.step(f"{reason}: {axes} in all.", claim)
        fixed = "(turns + flips)" if flips else "turns"
        draft.step("The number of colourings is the average.", f"Eq(answer, {fixed}/moves)")
        if len(names) < 3 and not flips:
            draft.step("It is a whole number.", "Eq(Mod(turns, moves), 0)")
        draft.find(
            "answer",
            total // moves,
            "answer",
            "number of colourings",
            "number of different colourings",
            "number of orbits",
            "different colourings",
            "orbits",
            "number of ways",
            "number of possible colourings",
        )
        return draft.problem(text) if total // moves >= 20 else None

    def confirm(self, problem: Problem) -> int:
        """Number all colourings and count those that are the smallest of their kind."""
        known = problem.parameters
        n, c = known["n"], known["c"]
        codes = np.arange(c**n)
        places = np.stack([codes // c**i % c for i in range(n)])
        if known["proper"]:
            places = places[:, (places != np.roll(places, 1, axis=0)).all(axis=0)]
        weights = c ** np.arange(n)
        forms = [places, places[::-1]] if known["flips"] else [places]
        images = [weights @ np.roll(form, k, axis=0) for form in forms for k in range(n)]
        return len(np.unique(np.min(images, axis=0)))
