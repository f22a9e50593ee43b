"""How much of generated puzzles is the templates' wording, with the hand-written puzzles beside them.

Over the story and the explanations of each puzzle: distinct-n (different n-grams among all), the share of a puzzle's
4-grams and 8-grams that occur in another puzzle too and in more than 5 % of all, the mean Jaccard overlap of the
4-grams of two puzzles, and the milliseconds that a puzzle takes. Then three samples.

    python benchmarks/generated_text.py [--puzzles 300] [--samples 3]
"""

from __future__ import annotations

import argparse
import re
import statistics
import textwrap
import time
from collections import Counter
from collections.abc import Sequence

import numpy as np

from interactive_envs.situation_puzzle import puzzles
from interactive_envs.situation_puzzle.generator import LEVELS, generate
from interactive_envs.situation_puzzle.puzzles import LABELS, Puzzle

PAIRS = 2_000
SHARE = 0.05


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--puzzles", type=int, default=300, help="of each difficulty")
    parser.add_argument("--samples", type=int, default=3)
    options = parser.parse_args()
    print(f"{'':<14}{'ms':>6}  distinct-1  -2    -3    -4   4-grams shared  >5 %  8-grams shared  >5 %  overlap")
    for difficulty in LEVELS:
        begun = time.perf_counter()
        drawn = [generate(seed, difficulty) for seed in range(options.puzzles)]
        row(f"difficulty {difficulty}", drawn, 1000 * (time.perf_counter() - begun) / len(drawn))
    row("hand-written", puzzles.load(), None)
    for number in range(options.samples):
        show(generate(number, 1 + 2 * number % 5))


def row(name: str, some: Sequence[Puzzle], milliseconds: float | None) -> None:
    """Print the figures of one set of puzzles."""
    texts = [[puzzle.setup, *puzzle.explanations] for puzzle in some]
    distinct = [distinct_share(texts, n) for n in (1, 2, 3, 4)]
    four, eight = shared(texts, 4), shared(texts, 8)
    took = f"{milliseconds:6.2f}" if milliseconds is not None else " " * 6
    columns = [
        f"{name:<14}{took}     ",
        *(f"{share:.2f}" for share in distinct),
        f"          {four[0]:4.0%}  {four[1]:4.0%}          {eight[0]:4.0%}  {eight[1]:4.0%}  ",
        f"{overlap(texts):.3f}",
    ]
    print("  ".join(columns))


def grams(texts: Sequence[str], n: int) -> list[tuple[str, ...]]:
    """The n-grams of some texts, none across two of them."""
    found = []
    for text in texts:
        words = re.findall(r"[\w']+", text.lower())
        found += list(zip(*(words[i:] for i in range(n)), strict=False))
    return found


def distinct_share(texts: Sequence[Sequence[str]], n: int) -> float:
    """Different n-grams as a share of all."""
    every = [gram for some in texts for gram in grams(some, n)]
    return len(set(every)) / len(every)


def shared(texts: Sequence[Sequence[str]], n: int) -> tuple[float, float]:
    """The mean share of a puzzle's n-grams that occur in another puzzle, and in more than 5 % of the puzzles."""
    each = [grams(some, n) for some in texts]
    puzzles_with = Counter(gram for some in each for gram in set(some))
    often = max(1.0, SHARE * len(texts))
    again = [statistics.mean(puzzles_with[gram] > 1 for gram in some) for some in each]
    frequent = [statistics.mean(puzzles_with[gram] > often for gram in some) for some in each]
    return statistics.mean(again), statistics.mean(frequent)


def overlap(texts: Sequence[Sequence[str]]) -> float:
    """The mean Jaccard overlap of two puzzles' 4-grams, over random pairs."""
    rng = np.random.default_rng(0)
    each = [set(grams(some, 4)) for some in texts]
    pairs = [rng.choice(len(each), 2, replace=False) for _ in range(PAIRS)]
    return statistics.mean(len(each[a] & each[b]) / len(each[a] | each[b]) for a, b in pairs)


def show(puzzle: Puzzle) -> None:
    """Print a puzzle as a reader would want it."""
    print(f"\n{puzzle.title} ({puzzle.id})\n{textwrap.fill(puzzle.setup, 110)}")
    for number, explanation in enumerate(puzzle.explanations):
        print(textwrap.fill(f"{'*' if number == 0 else '-'} {explanation}", 110, subsequent_indent="  "))
    for question in puzzle.questions[:6]:
        print(f"  {''.join(LABELS[label][0] for label in question.labels)}  {question.text}")


if __name__ == "__main__":
    main()
