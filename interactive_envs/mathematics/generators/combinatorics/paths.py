"""``paths``: shortest ways through a grid of streets, past open, closed and forbidden corners."""

from __future__ import annotations

import math
from typing import Any

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, pick
from interactive_envs.mathematics.generators.wording import ORDINALS, table


class Paths(Generator):
    """Shortest ways through a grid of streets, past open, closed and forbidden corners."""

    name = "paths"
    field = "combinatorics"

    _settings = table("""
        A taxi drives from the crossing A of a city with square blocks | crossing | drives | the taxi
        A robot runs along the aisles of a warehouse that form a square grid, from the corner A | corner | runs | the
            robot
        An ant walks along the threads of a square net, from the knot A | knot | walks | the ant
    """)

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: the first steps are given; 2: through a place; 3: around one; 4: around two; 5: below the diagonal."""
        a, b = between(rng, 5, 9), between(rng, 4, 8)
        if difficulty == 5 and b > a:
            a, b = b, a
        opening, place, moves, who = pick(rng, self._settings)
        text = f"""{opening} to the {place} B, which lies {a} steps further east and {b} steps further north. With each
            step it {moves} to the next {place}, either one east or one north. """
        everything = math.comb(a + b, a)
        question = f"How many different ways can {who} take?"
        if difficulty == 1:
            first = between(rng, 2, 3)
            text += f"The first {first} steps are all to the east. "
            draft = self._begin(1, a, b, through=[[first, 0]])
            rest = a - first
            draft.note(f"""
                give first = {first}: number of first steps; steps given at start; first steps; given steps; number of
                    given steps; steps told
                find east = {rest}: remaining steps east; eastward steps left; steps east left; remaining eastward
                    steps; east steps left
                find length = {rest + b}: remaining steps; steps left; number of remaining steps; number of steps left;
                    total remaining steps
                find answer = {math.comb(rest + b, b)}: answer; number of ways; number of different ways; number of
                    paths; number of routes; number of possible ways; paths; routes
                step Nothing is to be chosen at first. :: Eq(binomial(first, first), 1)
                step {rest} steps east are left. :: Eq(east, a - first)
                step So {rest + b} steps are left. :: Eq(length, east + b)
                step Choose which of them go north. :: Eq(answer, binomial(length, b))
                step Choosing those to the east gives the same. :: Eq(answer, binomial(length, east))
            """)
            return draft.problem(text + question)
        if difficulty == 5:
            return self._below(rng, text, place, question, a, b)
        count = 1 if difficulty <= 3 else 2
        spots = sorted((between(rng, 1, a - 1), between(rng, 1, b - 1)) for _ in range(count))
        if len(set(spots)) < count or (count == 2 and spots[0][1] > spots[1][1]):
            return None
        placed = [f"the {place} {p} east and {q} north of A" for p, q in spots]
        corners = [list(spot) for spot in spots]
        draft = self._begin(difficulty, a, b, **{"through" if difficulty == 2 else "closed": corners})
        draft.note(f"""
            find all = {everything}: number of ways without condition; all ways; total number of ways; number of all
                ways; unrestricted ways; all paths; number of ways in all
            step Every way has {a + b} steps, of which {a} go east. :: Eq(all, binomial(a + b, a))
        """)
        through = []
        for label, (p, q) in zip(ORDINALS, spots, strict=False):
            name = label if count == 2 else "special"
            before, after = math.comb(p + q, p), math.comb(a + b - p - q, a - p)
            through.append(before * after)
            key = label[0]
            draft.note(f"""
                find to_{key} = {before}: ways to {name} {place}; ways from a to {name} {place}; number of ways to
                    {name} {place}; paths to {name} {place}; routes to {name} {place}
                find from_{key} = {after}: ways from {name} {place}; ways from {name} {place} to b; number of ways from
                    {name} {place}; paths from {name} {place}; routes from {name} {place}
                find via_{key} = {before * after}: ways through {name} {place}; ways via {name} {place}; number of ways
                    through {name} {place}; paths through {name} {place}; routes through {name} {place}
                step {before} ways lead from A to the {name} {place}. :: Eq(to_{key}, binomial({p + q}, {p}))
                step {after} ways lead from there to B. :: Eq(from_{key}, binomial(a + b - {p + q}, a - {p}))
                step So {before * after} ways pass it. :: Eq(via_{key}, to_{key}*from_{key})
            """)
        if difficulty == 2:
            text += f"On the way it must pass {placed[0]}. "
            draft.find(
                "answer",
                through[0],
                "answer",
                "number of ways",
                "number of different ways",
                "number of paths",
                "number of routes",
                "number of possible ways",
                "paths",
                "routes",
            )
            draft.step("These are the ways asked for.", "Eq(answer, via_f)")
        elif difficulty == 3:
            text += f"T{placed[0][1:]} is closed, so no way may pass it. "
            draft.find(
                "answer",
                everything - through[0],
                "answer",
                "number of ways",
                "number of different ways",
                "number of paths",
                "number of routes",
                "number of possible ways",
                "paths",
                "routes",
            )
            draft.step("They are taken away from all ways.", "Eq(answer, all - via_f)")
        else:
            (p, q), (r, s) = spots
            middle = math.comb(r - p + s - q, r - p)
            both = math.comb(p + q, p) * middle * math.comb(a + b - r - s, a - r)
            text += f"Two places are closed, so no way may pass them: {placed[0]}, and {placed[1]}. "
            draft.note(f"""
                find both = {both}: ways through both; ways via both closed places; number of ways through both; paths
                    through both; ways through both places; ways through both closed places
                step {both} ways pass both, {middle} ways leading from one to the other.
                    :: Eq(both, to_f*binomial({r - p + s - q}, {r - p})*from_s)
                find answer = {everything - sum(through) + both}: answer; number of ways; number of different ways;
                    number of paths; number of routes; number of possible ways; paths; routes
                step Ways through both were taken away twice. :: Eq(answer, all - via_f - via_s + both)
            """)
        return draft.problem(text + question)

    def confirm(self, problem: Problem) -> int:
        """Add up ways corner by corner."""
        known = problem.parameters
        closed = {tuple(spot) for spot in known["closed"]}
        through = [tuple(spot) for spot in known["through"]]

        def blocked(x: int, y: int) -> bool:
            missed = any((x > p and y < q) or (x < p and y > q) for p, q in through)
            return (x, y) in closed or (known["below"] and y > x) or missed

        ways = {(0, 0): 1}
        for x in range(known["a"] + 1):
            for y in range(known["b"] + 1):
                if (x, y) != (0, 0):
                    ways[x, y] = 0 if blocked(x, y) else ways.get((x - 1, y), 0) + ways.get((x, y - 1), 0)
        return int(ways[known["a"], known["b"]])

    def _begin(self, difficulty: int, a: int, b: int, **conditions: Any) -> Draft:
        draft = Draft(self, difficulty, **{"a": a, "b": b, "through": [], "closed": [], "below": False, **conditions})
        draft.give(
            "a",
            a,
            "steps east",
            "eastward steps",
            "number of steps east",
            "number of eastward steps",
            "steps to the east",
            "east steps",
        )
        draft.give(
            "b",
            b,
            "steps north",
            "northward steps",
            "number of steps north",
            "number of northward steps",
            "steps to the north",
            "north steps",
        )
        return draft

    def _below(self, rng: Rng, text: str, place: str, question: str, a: int, b: int) -> Problem | None:
        p = between(rng, 2, a - 1)
        q = between(rng, 1, min(p, b - 1))
        if a < b or q >= b:
            return None
        text += f"""At no moment may it have made more steps north than east. Besides, the {place} {p} east and {q}
            north of A is closed, so no way may pass it. """
        draft = self._begin(5, a, b, closed=[[p, q]], below=True)
        everything, crossing = math.comb(a + b, b), math.comb(a + b, b - 1)
        before = math.comb(p + q, q) - math.comb(p + q, q - 1)
        # a reflected start lies one step north-west of the diagonal's mirror image of the closed place
        u, v = a - p, b - q
        shift = p - q + 1
        after = math.comb(u + v, v) - (math.comb(u + v, v - shift) if v >= shift else 0)
        reflected = f" - binomial({u + v}, {v - shift})" if v >= shift else ""
        draft.note(f"""
            find all = {everything}: number of ways without condition; all ways; total number of ways; number of all
                ways; unrestricted ways; all paths; number of ways in all
            find crossing = {crossing}: ways that break rule; ways that get above diagonal; number of ways that break
                rule; bad ways; forbidden ways; ways that cross diagonal
            find good = {everything - crossing}: ways that keep rule; ways that stay below diagonal; number of ways that
                keep rule; good ways; allowed ways; number of good ways
            find to_spot = {before}: good ways to closed {place}; ways from a to closed {place}; number of good ways to
                closed {place}; ways to closed {place}; paths to closed {place}
            find from_spot = {after}: good ways from closed {place}; ways from closed {place} to b; number of good ways
                from closed {place}; ways from closed {place}; paths from closed {place}
            find via = {before * after}: good ways through closed {place}; ways via closed {place}; number of good ways
                through closed {place}; ways through closed {place}; paths through closed {place}
            find answer = {everything - crossing - before * after}: answer; number of ways; number of different ways;
                number of paths; number of routes; number of possible ways; paths; routes
            step Without any rule there are {everything} ways. :: Eq(all, binomial(a + b, b))
            step Reflect the ways that break the rule at the line y = x + 1: {crossing}.
                :: Eq(crossing, binomial(a + b, b - 1))
            step The others keep it. :: Eq(good, all - crossing)
            step By the same argument {before} ways keep it up to the closed {place}.
                :: Eq(to_spot, binomial({p + q}, {q}) - binomial({p + q}, {q - 1}))
            step And {after} from there to B. :: Eq(from_spot, binomial({u + v}, {v}){reflected})
            step So {before * after} of the good ways pass it. :: Eq(via, to_spot*from_spot)
            step They are taken away. :: Eq(answer, good - via)
        """)
        return draft.problem(text + question)
