"""``wires``: wires between masts cross, and where they cross the next mast ends."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, pick
from interactive_envs.mathematics.generators.exact import meet
from interactive_envs.mathematics.generators.wording import table

MASTS = table("""
    mast | wire
    pole | rope
    tower | cable
""")


class Wires(Generator):
    """Wires between masts cross, and where they cross the next mast ends."""

    name = "wires"
    field = "geometry"

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: one crossing; 2: a wire to a hook; 3: the next crossing; 4: where a later one is; 5: how many."""
        a, b, gap = between(rng, 4, 30), between(rng, 4, 30), between(rng, 10, 60)
        if difficulty == 5:
            gap *= between(rng, 1, 9)
        if a == b:
            return None
        ask = [self._one, self._hook, self._chain, self._chain, self._chain][difficulty - 1]
        return ask(rng, difficulty, a, b, gap)

    def confirm(self, problem: Problem) -> Any:
        """Lines in coordinates, intersected one after another."""
        given = problem.parameters
        a, b, gap = Fraction(given["a"]), Fraction(given["b"]), Fraction(given["gap"])
        if problem.difficulty == 2:
            return meet((0, a), (gap, given["hook"]), (0, given["low"]), (gap, b))[1]
        x, height = meet((0, a), (gap, 0), (0, 0), (gap, b))
        match problem.difficulty:
            case 1:
                return height
            case 5:
                number = 1
                while (gap - x) * height / 2 >= given["bound"]:
                    x, height = meet((x, height), (gap, 0), (x, 0), (gap, b))
                    number += 1
                return number
            case _:
                for _ in range(given["number"] - 1):
                    x, height = meet((x, height), (gap, 0), (x, 0), (gap, b))
                return height if problem.difficulty == 3 else gap - x

    def _one(self, rng: Rng, difficulty: int, a: int, b: int, gap: int) -> Problem | None:
        answer = Fraction(a * b, a + b)
        if answer.denominator == 1:
            return None
        draft = Draft(self, difficulty, a=a, b=b, gap=gap)
        left = Fraction(gap * a, a + b)
        self._masts(draft, a, b, gap)
        draft.note(f"""
            find place = {left}: distance of the crossing from the first mast; horizontal distance of the crossing;
                distance from the first mast; place of the crossing; horizontal position of the crossing; distance of
                the crossing from the first pole; distance of the crossing from the first tower
            find share = {left / gap}: share of the distance; place divided by the distance; fraction of the distance;
                relative position of the crossing; share of the way
            find answer = {answer}: answer; height; height of the crossing; crossing height; height of the crossing
                point; height of the intersection; height above the ground; height where they cross
            step At the share s of the distance the falling wire hangs at a(1 - s). :: Eq(answer, a*(1 - share))
            step The rising wire hangs at b s. :: Eq(answer, b*share)
            step They meet where a(1 - s) = b s, so s = {left / gap}. :: Eq(share, a/(a + b))
            step That is {left} m from the first mast. :: Eq(place, gap*share)
            step The height is {answer}. :: Eq(answer, a*b/(a + b))
        """)
        scene = self._scene(a, b, gap, pick(rng, MASTS))
        return draft.problem(f"{scene} How high above the ground, in metres, do they cross?", form="a fraction")

    def _hook(self, rng: Rng, difficulty: int, a: int, b: int, gap: int) -> Problem | None:
        hook, low = between(rng, 1, b - 2), between(rng, 1, a - 2)
        share = Fraction(a - low, a - low + b - hook)
        answer = a + (hook - a) * share
        if answer.denominator == 1 or hook == low:
            return None
        draft = Draft(self, difficulty, a=a, b=b, gap=gap, hook=hook, low=low)
        self._masts(draft, a, b, gap)
        draft.note(f"""
            give hook = {hook}: height of the second mast's hook; hook of the second mast; second hook; height of the
                second hook; height of the second pole's hook; height of the second tower's hook; higher end at the
                second hook
            give low = {low}: height of the first mast's hook; hook of the first mast; first hook; height of the first
                hook; height of the first pole's hook; height of the first tower's hook
            find left = {a - low}: vertical distance of the wires at the first mast; gap at the first mast; difference
                of the heights at the first mast; top minus hook at the first mast
            find right = {b - hook}: vertical distance of the wires at the second mast; gap at the second mast;
                difference of the heights at the second mast; top minus hook at the second mast
            find share = {share}: share of the distance; place divided by the distance; fraction of the distance;
                relative position of the crossing; share of the way
            find answer = {answer}: answer; height; height of the crossing; crossing height; height of the crossing
                point; height of the intersection; height above the ground; height where they cross
            step At the first mast the wires are {a - low} m apart. :: Eq(left, a - low)
            step At the second they are {b - hook} m apart, the other way round. :: Eq(right, b - hook)
            step By similar triangles the crossing divides the distance in this ratio.
                :: Eq(share*right, (1 - share)*left)
            step So it is at the share {share} of the distance. :: Eq(share, left/(left + right))
            step There the first wire has the height {answer}. :: Eq(answer, a + (hook - a)*share)
            aside The second wire has the same height there. :: Eq(answer, low + (b - low)*share)
        """)
        one, line = pick(rng, MASTS)
        text = f"""Two vertical {one}s, the first {a} m and the second {b} m high, stand {gap} m apart on level ground.
            The first has a hook {low} m above the ground, the second one {hook} m above the ground. A straight {line}
            runs from the top of the first {one} to the hook of the second, another from the hook of the first to the
            top of the second. How high above the ground, in metres, do they cross?"""
        return draft.problem(text, form="a fraction")

    def _chain(self, rng: Rng, difficulty: int, a: int, b: int, gap: int) -> Problem | None:
        number = [2, between(rng, 4, 9), 0][difficulty - 3]
        bound = between(rng, 1, 9)
        if difficulty == 5:
            number = next(k for k in range(1, 999) if self._area(a, b, gap, k) < bound)
            if not 8 <= number <= 90:
                return None
        inverse = Fraction(1, a) + Fraction(number, b)
        height, rest = 1 / inverse, Fraction(gap, a) / inverse
        if (difficulty == 3 and height.denominator == 1) or (difficulty == 4 and rest.denominator == 1):
            return None
        one, line = words = pick(rng, MASTS)
        draft = Draft(self, difficulty, a=a, b=b, gap=gap, number=number, bound=bound)
        self._masts(draft, a, b, gap)
        first = Fraction(1, a) + Fraction(1, b)
        draft.note(f"""
            find first = {1 / first}: height of the first new mast; height of the first crossing; first crossing's
                height; height of the first crossing point; height of mast number 1; height of pole number 1; height of
                tower number 1
            find inverse = {inverse}: reciprocal of the last height; reciprocal of the height of the last crossing;
                inverse of the last height; one over the last height; reciprocal of the height
            step The first crossing has the height ab/(a + b) = {1 / first}. :: Eq(first, a*b/(a + b))
            step Its reciprocal is the sum of the reciprocals of both masts. :: Eq(1/first, 1/a + 1/b)
        """)
        if difficulty == 3:
            draft.note(f"""
                find second_start = {1 / first}: height of the third mast; height of the mast at the crossing; third
                    height; height of the third pole; height of the third tower; third mast's height
                find answer = {height}: answer; height of the second crossing; second height; height of the second
                    crossing point; second crossing's height; height where these two cross; height of the new crossing
                step The third mast is as high as the first crossing. :: Eq(second_start, first)
                step The same holds for the third mast and the second mast. :: Eq(inverse, 1/second_start + 1/b)
                step The sum is {inverse}. :: Eq(inverse, 1/a + 2/b)
                step So the second crossing has the height {height}. :: Eq(answer, 1/inverse)
            """)
            ask = f"""Where they cross, a third vertical {one} is put up that just reaches the crossing. Now a straight
                {line} runs from the top of the third {one} to the foot of the second, and another from the foot of the
                third to the top of the second. How high above the ground, in metres, do these two cross?"""
        else:
            rule = f"""Where they cross, {one} number 1 is put up, vertical and just reaching the crossing. Then the top
                of {one} number 1 is joined with the foot of the second {one} and its foot with the top of the second
                {one}; where these lines cross, {one} number 2 is put up, just reaching that crossing, and so on: each
                new {one} is joined in the same way with the second of the two original ones."""
            index = number if difficulty == 4 else "answer"
            draft.note(f"""
                step Each new mast adds 1/b to the reciprocal of the height. :: Eq(inverse, 1/a + {index}/b)
                find ratio = {rest / height}: distance from the second mast divided by the height; ratio of distance and
                    height; distance over height; quotient of distance and height
                step All tops lie on one line through the second mast's foot, so distance/height stays gap/a.
                    :: Eq(ratio, gap/a)
                find height = {height}: height of the last mast; last height; height of the last pole; height of the
                    last tower; final height; height of the last new mast
                step Mast number {number} has the height {height}. :: Eq(height, 1/inverse)
            """)
            if difficulty == 4:
                draft.find(
                    "answer",
                    rest,
                    "answer",
                    "distance from the second mast",
                    "distance",
                    "distance from the second pole",
                    "distance from the second tower",
                    "distance to the second mast",
                    "distance of the last mast from the second mast",
                    "horizontal distance",
                )
                draft.step(f"It stands {rest} m from the second mast.", "Eq(answer, ratio*height)")
                ask = f"{rule} How far from the second of the original {one}s, in metres, stands {one} number {number}?"
            else:
                draft.note(f"""
                    give bound = {bound}: bound; area to fall below; area to stay below; threshold; limit of the area;
                        area bound
                    find area = {self._area(a, b, gap, number)}: area of the last triangle; last area; area of the
                        triangle; triangle's area; area of its triangle; area of the asked triangle
                    find before = {self._area(a, b, gap, number - 1)}: area of the last triangle but one; area before;
                        previous area; area of the triangle before; area of the previous triangle
                    find answer = {number}: answer; number of the mast; number of new masts; smallest number of a mast;
                        number of the pole; number of the tower; index of the mast; smallest number; mast number
                    step The triangle's area is ratio*height^2/2. :: Eq(area, ratio*height**2/2)
                    step For number {number} it is below {bound}. :: Lt(area, bound)
                    step For the one before it is not.
                        :: And(Eq(before, ratio/(2*(inverse - 1/b)**2)), Ge(before, bound))
                """)
                ask = f"""{rule} For each numbered {one} consider the right-angled triangle with the corners at its top,
                    at its foot, and at the foot of the second original {one}. What is the smallest number of a {one}
                    whose triangle has an area strictly less than {bound} square metres?"""
        form = "a whole number" if difficulty == 5 else "a fraction"
        return draft.problem(f"{self._scene(a, b, gap, words)} {ask}", form=form)

    @staticmethod
    def _area(a: int, b: int, gap: int, k: int) -> Fraction:
        inverse = Fraction(1, a) + Fraction(k, b)
        return Fraction(gap, a) / inverse**2 / 2

    @staticmethod
    def _masts(draft: Draft, a: int, b: int, gap: int) -> None:
        draft.give(
            "a",
            a,
            "height of the first mast",
            "first height",
            "first mast's height",
            "height of the first pole",
            "height of the first tower",
            "first pole's height",
            "first tower's height",
        )
        draft.give(
            "b",
            b,
            "height of the second mast",
            "original second height",
            "second mast's height",
            "height of the second pole",
            "height of the second tower",
            "second pole's height",
            "second tower's height",
        )
        draft.give(
            "gap",
            gap,
            "distance of the masts",
            "distance between the masts",
            "distance of the poles",
            "distance between the poles",
            "distance of the towers",
            "distance between the towers",
            "distance apart",
        )

    @staticmethod
    def _scene(a: int, b: int, gap: int, words: tuple[str, ...]) -> str:
        one, line = words
        return f"""Two vertical {one}s, the first {a} m and the second {b} m high, stand {gap} m apart on level ground.
            A straight {line} runs from the top of each {one} to the foot of the other."""
