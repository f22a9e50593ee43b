"""What asking is worth in UI2Html, measured: ``python -m tools.pages`` prints the tables of docs/ui2html.md.

Every player rebuilds the same targets. ``silent`` is the reference without a question: it knows how such pages are
drawn, and the difference between the two is what its questions bring. Takes minutes for each target.
"""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator, Sequence

import numpy as np

from interactive_envs.agent import Agent
from interactive_envs.agents.ui2html import Blank, Reference, Rule, Template
from interactive_envs.reporting import estimates
from interactive_envs.ui2html.env import UI2HtmlEnv
from interactive_envs.ui2html.rules import BEST, DIMENSIONS
from interactive_envs.ui2html.targets import designs

PLAYERS: dict[str, tuple[type[Agent], int]] = {
    "blank": (Blank, 20),
    "template": (Template, 20),
    "rule": (Rule, 20),
    "silent": (Reference, 0),
    "reference": (Reference, 20),
}
"""Players and their rounds."""
SEED = 11


def play(name: str, target: str, *, generated: bool = False) -> Sequence[int]:
    """The five scores of a player's page."""
    cls, rounds = PLAYERS[name]
    split = "generated" if generated else "own"
    env, agent = UI2HtmlEnv(case=target, rounds=rounds, split=split), cls()
    with contextlib.closing(env):
        observation, info = env.reset(seed=SEED)
        agent.reset(seed=SEED, info=info)
        while "outcome" not in info:
            observation, _, _, _, info = env.step(agent.act(str(observation), info))
    return [info["scores"][dimension] for dimension in DIMENSIONS]


def report(title: str, scores: Sequence[Sequence[float]]) -> str:
    """A row of a table: the mean of the totals with its interval, and of each dimension."""
    table = np.array(scores, float)
    total = estimates.mean(table.sum(axis=1), np.arange(len(table)), lowest=-100.0, highest=5.0 * BEST)
    found = f"{total.value:.0f} [{total.low:.0f}, {total.high:.0f}]" if total.low is not None else f"{total.value:.0f}"
    return f"| {title} | {len(table)} | {found} | {' | '.join(f'{mean:.1f}' for mean in table.mean(axis=0))} |"


def by_player(every: int) -> Iterator[str]:
    """The players on every so many of the fifty targets, and what asking brings."""
    found: dict[str, list[Sequence[int]]] = {name: [] for name in PLAYERS}
    for design in designs.fixed()[::every]:
        for name, mine in found.items():
            mine.append(play(name, design.id))
        yield f"{design.id}: " + ", ".join(f"{name} {sum(mine[-1])}" for name, mine in found.items())
    for name, mine in found.items():
        yield report(name, mine)
    yield report("reference - silent", (np.array(found["reference"]) - np.array(found["silent"])).tolist())


def by_level(seeds: int) -> Iterator[str]:
    """The reference on generated targets of each difficulty, and the same without a question."""
    for difficulty in designs.DIFFICULTIES:
        targets = [f"generated-{difficulty}-{900 + seed}" for seed in range(seeds)]
        for name in ("silent", "reference"):
            yield report(f"difficulty {difficulty}, {name}", [play(name, one, generated=True) for one in targets])


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="play every so many of the fifty targets")
    parser.add_argument("--levels", type=int, metavar="SEEDS", help="instead: so many generated targets per difficulty")
    given = parser.parse_args(arguments)
    for line in by_level(given.levels) if given.levels else by_player(given.every):
        print(line, flush=True)


if __name__ == "__main__":
    main()
