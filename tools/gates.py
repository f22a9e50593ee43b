"""The quality gates of the package's puzzles, measured: ``make gates`` writes docs/puzzle-gates.md.

Labels were given twice and readers tried each story without asking; both stand in data/quality. Everything else is
computed here: players that look for shortcuts, the reference, and how near the puzzles are to one another.
"""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from interactive_envs import catalog
from interactive_envs.agent import Agent
from interactive_envs.dialogue import free_text
from interactive_envs.llm import embeddings
from interactive_envs.making import make
from interactive_envs.reporting import estimates
from interactive_envs.situation_puzzle import puzzles
from interactive_envs.situation_puzzle.puzzles import Puzzle
from interactive_envs.specs import resolve

SHORTCUTS = (
    "longest",
    "longest?invert=true",
    "nearest",
    "nearest?invert=true",
    "frequent-words",
    "frequent-words?invert=true",
    "rule",
)
"""Players that answer without a question; ``rule`` too, when no question is allowed."""
MARGIN = 0.10
"""How far above chance a shortcut may come."""
REFERENCE = 0.9
"""What the reference must reach."""
RANDOM_EPISODES = 20
_ENV = "ibench/SituationPuzzle-v1"


@dataclass(frozen=True)
class Labelling:
    """Two independent labellings of one puzzle.

    Attributes:
        right: labels of the right explanation's column given twice, and how many differed.
        rest: the same for the drawn part of the other columns.
        kappa: Cohen's kappa over both.
    """

    right: tuple[int, int]
    rest: tuple[int, int]
    kappa: float


@dataclass(frozen=True)
class Gate:
    """One puzzle's numbers.

    Attributes:
        puzzle: the puzzle.
        labelling: its second labels.
        solved_by_readers: readers who found the explanation from the story alone, who came close, and how many tried.
        relative: ``none``, ``distant``, ``near`` or ``same``: the closest published puzzle or anecdote found.
        nearest: the id of the puzzle whose story is most alike, and the cosine of the two.
        won: by player, the share of episodes it wins.
    """

    puzzle: Puzzle
    labelling: Labelling
    solved_by_readers: tuple[int, int, int]
    relative: str
    nearest: tuple[str, float]
    won: Mapping[str, float]


def measure(own: Sequence[Puzzle]) -> list[Gate]:
    """Every gate for every puzzle."""
    second, readers, relatives = (quality_data(name) for name in ("second-labels", "readers", "relatives"))
    vectors = embeddings.embed([puzzle.setup for puzzle in own])
    alike = vectors @ vectors.T - 2 * np.eye(len(own))
    gates = []
    for number, puzzle in enumerate(own):
        nearest = int(alike[number].argmax())
        guesses = readers[puzzle.id]
        won = {spec: _share(puzzle, spec, no_interaction=True) for spec in SHORTCUTS}
        won["random"] = _share(puzzle, "random", no_interaction=True, episodes=RANDOM_EPISODES)
        won["reference"] = _share(puzzle, "reference")
        gates.append(
            Gate(
                puzzle,
                labelling(puzzle, second[puzzle.id]),
                (sum(g["solved"] for g in guesses), sum(g["close"] for g in guesses), len(guesses)),
                relatives[puzzle.id]["closeness"],
                (own[nearest].id, float(alike[number, nearest])),
                won,
            )
        )
    return gates


def labelling(puzzle: Puzzle, second: Mapping[str, Any]) -> Labelling:
    """Compare the two labellings of a puzzle.

    Args:
        puzzle: the puzzle.
        second: ``pairs``, a list of ``[question, explanation index, first letter, second letter]``.
    """
    counts = {True: [0, 0], False: [0, 0]}
    for _, column, first, other in second["pairs"]:
        counts[column == 0][0] += 1
        counts[column == 0][1] += first != other
    given = [(first, other) for _, _, first, other in second["pairs"]]
    return Labelling((counts[True][0], counts[True][1]), (counts[False][0], counts[False][1]), kappa(given))


def kappa(pairs: Sequence[tuple[str, str]]) -> float:
    """Cohen's kappa of two labellings.

    >>> kappa([("y", "y"), ("n", "n"), ("y", "n"), ("n", "n")])
    0.5
    """
    left, right = Counter(first for first, _ in pairs), Counter(second for _, second in pairs)
    observed = sum(first == second for first, second in pairs) / len(pairs)
    expected = sum(left[label] * right[label] for label in left) / len(pairs) ** 2
    return 1.0 if expected == 1 else (observed - expected) / (1 - expected)


def failures(gates: Sequence[Gate]) -> list[str]:
    """What does not pass, in words."""
    chance = _chance(gates)
    found = [
        f"{spec} wins {_mean(gates, spec):.1%}, more than chance {chance:.1%} + {MARGIN:.0%}"
        for spec in (*SHORTCUTS, "random")
        if _mean(gates, spec) > chance + MARGIN
    ]
    if _mean(gates, "reference") < REFERENCE:
        found.append(f"the reference wins {_mean(gates, 'reference'):.1%}, less than {REFERENCE:.0%}")
    found += [f"{gate.puzzle.id} is known already" for gate in gates if gate.relative == "same"]
    found += [f"{gate.puzzle.id} is solved without asking" for gate in gates if gate.solved_by_readers[0]]
    return found


def render(gates: Sequence[Gate]) -> str:
    """The page for the docs."""
    pages = Path(__file__).with_name("puzzle-gates.md")
    chance = _chance(gates)
    rows = [
        f"| {spec} | {_estimate(gates, spec)} | {'≥' if spec == 'reference' else '≤'} "
        f"{REFERENCE if spec == 'reference' else chance + MARGIN:.1%} |"
        for spec in (*SHORTCUTS, "random", "reference")
    ]
    lines = [
        f"| {g.puzzle.id} | {len(g.puzzle.setup.split())} | {_labels(g.puzzle)} | {g.labelling.right[1]} of "
        f"{g.labelling.right[0]} | {g.labelling.rest[1]} of {g.labelling.rest[0]} | {g.labelling.kappa:.2f} | "
        f"{_read(g)} | {g.nearest[1]:.2f} {g.nearest[0]} | "
        f"{', '.join(spec for spec in SHORTCUTS if g.won[spec]) or '—'} |"
        for g in gates
    ]
    right, rest = ([getattr(g.labelling, name) for g in gates] for name in ("right", "rest"))
    return pages.read_text(encoding="utf-8").format(
        count=len(gates),
        chance=f"{chance:.1%}",
        players="\n".join(rows),
        puzzles="\n".join(lines),
        right=f"{sum(d for _, d in right)} of {sum(n for n, _ in right)}",
        rest=f"{sum(d for _, d in rest)} of {sum(n for n, _ in rest)}",
        kappa=f"{np.mean([g.labelling.kappa for g in gates]):.2f}",
        readers=f"{sum(g.solved_by_readers[0] for g in gates)} of {sum(g.solved_by_readers[2] for g in gates)}",
        close=sum(g.solved_by_readers[1] for g in gates),
        near=sum(g.relative == "near" for g in gates),
        alike=f"{np.mean([g.nearest[1] for g in gates]):.2f}",
        most=f"{max(g.nearest[1] for g in gates):.2f}",
    )


def quality_data(name: str) -> dict[str, Any]:
    """Read what people found on the puzzles, by puzzle: ``second-labels``, ``readers`` or ``relatives``."""
    file = files("interactive_envs.situation_puzzle") / "data" / "quality" / f"{name}.json"
    return json.loads(file.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def _share(puzzle: Puzzle, spec: str, *, no_interaction: bool = False, episodes: int = 1) -> float:
    env = make(_ENV, case=puzzle.id, no_interaction=no_interaction)
    player = resolve("agent", spec, catalog.table("agents"), Agent, families=("situation-puzzle",))
    total = 0.0
    for seed in range(episodes):
        with contextlib.closing(player()) as agent:
            observation, info = env.reset(seed=seed)
            agent.reset(seed=seed, info=info)
            over = False
            while not over:
                observation, reward, over, _, info = env.step(agent.act(observation, info))
                total += float(reward)
    env.close()
    return total / episodes


def _mean(gates: Sequence[Gate], spec: str) -> float:
    return float(np.mean([gate.won[spec] for gate in gates]))


def _chance(gates: Sequence[Gate]) -> float:
    return float(np.mean([1 / len(gate.puzzle.explanations) for gate in gates]))


def _estimate(gates: Sequence[Gate], spec: str) -> str:
    found = estimates.proportion([gate.won[spec] for gate in gates], list(range(len(gates))))
    return f"{found.value:.1%} [{found.low:.1%}, {found.high:.1%}]"


def _read(gate: Gate) -> str:
    solved, close, tried = gate.solved_by_readers
    return f"{solved} of {tried}" + (f" ({close})" if close else "")


def _labels(puzzle: Puzzle) -> str:
    counts = Counter(free_text.LABELS[question.labels[0]] for question in puzzle.questions)
    return " ".join(str(counts[label]) for label in free_text.LABELS)


def main() -> None:
    """Write docs/puzzle-gates.md; end with an error where a gate fails."""
    gates = measure(puzzles.load())
    Path("docs/puzzle-gates.md").write_text(render(gates), encoding="utf-8")
    failed = failures(gates)
    if failed:
        raise SystemExit("gates failed:\n" + "\n".join(failed))


if __name__ == "__main__":
    main()
