"""Programs that somebody wrote as a folder: their inputs as settings, and one function with checkpoints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from interactive_envs.black_box.made import MadeFolder, Maker
from interactive_envs.black_box.program.boxes import ProgramBox
from interactive_envs.black_box.program.code import Code, Input, thawed
from interactive_envs.errors import ConfigError

LARGEST = 10**6


class MadeRun:
    """The code's program as :class:`interactive_envs.black_box.program.code.Code` runs one."""

    def __init__(self, folder: MadeFolder) -> None:
        self._folder = folder

    def __call__(self, trace: Any, **inputs: Any) -> None:
        """Run it in its own process, and pass on what it traced."""
        (visits,) = self._folder.results([inputs])
        for checkpoint, values in visits:
            trace(checkpoint, **dict(values))


class ProgramMaker(Maker):
    """``checkpoints`` and a table ``inputs`` in ``box.toml``; ``run(trace, **inputs)`` in the code."""

    harness = """
def _ibench_results(inputs):
    import json
    found = []
    for given in inputs:
        visits = []
        def trace(checkpoint, **variables):
            if len(visits) >= 1000:
                raise RuntimeError("a run passes more than 1,000 checkpoints")
            visits.append([checkpoint, [[name, json.loads(json.dumps(value))] for name, value in variables.items()]])
        run(trace, **json.loads(json.dumps(given)))
        found.append(visits)
    return found
"""

    def box(self, folder: MadeFolder) -> ProgramBox:
        """The program, tried on a few inputs."""
        code = self._code(folder)
        rng = np.random.default_rng(0)
        reached = set[int]()
        for _ in range(20):
            inputs = code.sample(rng)
            try:
                visits = code.visits(inputs)
            except (TypeError, ValueError, KeyError, RuntimeError) as error:
                raise folder.wrong(f"no trace of {inputs}: {type(error).__name__}: {error}") from error
            reached |= {number for number, values in visits.items() if values}
            self._check(folder, visits)
        if reached != set(range(1, code.checkpoints + 1)):
            never = sorted(set(range(1, code.checkpoints + 1)) - reached)
            raise folder.wrong(f"20 runs never passed checkpoint {', '.join(map(str, never))}")
        return ProgramBox(code=code)

    def inputs(self, folder: MadeFolder, rng: np.random.Generator, count: int) -> list[Any]:
        """Random ones, and those of the least and greatest values."""
        code = self._code(folder)
        drawn = [code.sample(rng) for _ in range(count)]
        drawn += [tuple(_edge(one, greatest) for one in code.inputs) for greatest in (False, True)]
        names = [one.name for one in code.inputs]
        return [dict(zip(names, map(thawed, inputs), strict=True)) for inputs in drawn]

    def differ(self, folder: MadeFolder, first: Any, second: Any) -> bool:
        """The order of a checkpoint's variables does not count."""
        return bool(_sorted(first) != _sorted(second))

    def texts(self, folder: MadeFolder) -> Sequence[str]:
        """The names of inputs and variables."""
        code = self._code(folder)
        inputs = self.inputs(folder, np.random.default_rng(0), 10)
        seen = {name for visits in folder.results(inputs) for _, values in visits for name, _ in values}
        return [*(one.name for one in code.inputs), *sorted(seen)]

    def _code(self, folder: MadeFolder) -> Code:
        inputs = tuple(self._input(folder, one) for one in folder.setting("inputs", list, 1, 4))
        return Code(inputs, folder.setting("checkpoints", int, 1, 6), MadeRun(folder))

    def _input(self, folder: MadeFolder, given: Any) -> Input:
        known = {"name", "kind", "least", "most", "shortest", "longest", "letters"}
        if not isinstance(given, dict) or not set(given) <= known or not str(given.get("name", "")).isidentifier():
            raise folder.wrong(f"an input has a name and some of {', '.join(sorted(known))}; got {given!r}")
        one = Input(**{"kind": "int", **given})
        sizes = (one.least, one.most, one.shortest, one.longest)
        if not all(type(size) is int and abs(size) <= LARGEST for size in sizes):
            raise folder.wrong(f"the bounds of input {one.name} must be whole numbers up to {LARGEST}, got {given!r}")
        lists = one.kind in ("list", "str")
        if one.kind not in ("int", "list", "str") or (one.kind != "str" and one.least >= one.most):
            raise folder.wrong(f"input {one.name} must be an int, list or str with least below most, got {given!r}")
        if lists and not 1 <= one.shortest <= one.longest <= 30:
            raise folder.wrong(f"input {one.name} needs shortest and longest from 1 to 30, got {given!r}")
        letters = one.letters if isinstance(one.letters, str) else ""
        if one.kind == "str" and not (letters.isascii() and letters.islower() and len(letters) > 1):
            raise folder.wrong(f"input {one.name} needs letters such as 'abc', got {given!r}")
        return one

    def _check(self, folder: MadeFolder, visits: Any) -> None:
        for checkpoint, values in visits.items():
            names = {tuple(name for name, _ in variables) for variables in values}
            if len(names) > 1:
                raise folder.wrong(f"checkpoint {checkpoint} shows different variables at different visits: {names}")
            if any(not _plain(value) for variables in values for _, value in variables):
                raise ConfigError(f"{folder.name}: variables must be whole numbers, texts, or lists of such")


def _plain(value: Any) -> bool:
    if isinstance(value, tuple):
        return len(value) <= 100 and all(map(_plain, value))
    return isinstance(value, str | int) and not isinstance(value, bool)


def _edge(one: Input, greatest: bool) -> Any:
    if one.kind == "int":
        return one.most if greatest else one.least
    length = one.longest if greatest else one.shortest
    if one.kind == "str":
        return (one.letters[-1] if greatest else one.letters[0]) * length
    return (one.most if greatest else one.least,) * length


def _sorted(visits: Any) -> Any:
    return [[checkpoint, sorted(values, key=lambda pair: str(pair[0]))] for checkpoint, values in visits]


MAKER = ProgramMaker()
