"""Plant one defect a room in a copy, and see that the daily tests of that room fail: ``python -m tools.planted``.

A defect is a small change of one line that a person could make. Whoever moves a line moves it here, too: a line that
is not found is an error.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

ROOT = Path(__file__).parents[1]
OWN = "interactive_envs/"


class Defect(NamedTuple):
    """A defect: the file and the text in it, what stands there instead, and the daily tests that should notice."""

    file: str
    text: str
    instead: str
    tests: str


DEFECTS: dict[str, Defect] = {
    "parsing": Defect(
        OWN + "parsing.py", "if len(distinct) > 1:", "if len(distinct) > 2:", "tests/core/test_parsing.py"
    ),
    "spaces": Defect(
        OWN + "spaces.py", "len(x) <= self.max_length", "len(x) < self.max_length", "tests/core/test_spaces.py"
    ),
    "seeds": Defect(OWN + "seeds.py", "case_index, epoch]", "case_index, 0]", "tests/evaluation/run"),
    "specs": Defect(OWN + "specs.py", "target if colon else None", "target or None", "tests/core/test_agent_specs.py"),
    "system": Defect(OWN + "system/files.py", "os.O_NOFOLLOW | os.O_NONBLOCK", "os.O_NONBLOCK", "tests/system"),
    "sandbox": Defect(
        OWN + "sandbox/zygote.py",
        'hard[resource.RLIMIT_AS] = self._own + SPARE + limits["memory"]',
        'hard[resource.RLIMIT_AS] = self._own + SPARE + 8 * limits["memory"]',
        "tests/sandbox/test_sandbox.py",
    ),
    "llm": Defect(
        OWN + "llm/pricing.py",
        "(usage.prompt - usage.cached) * self.input",
        "usage.prompt * self.input",
        "tests/llm/test_pricing.py",
    ),
    "judges": Defect(
        OWN + "judges/panel.py", "count * 2 > votes.total()", "count * 2 >= votes.total()", "tests/judges/test_panel.py"
    ),
    "dialogue": Defect(
        OWN + "dialogue/protocol.py",
        "retries_left=state.retries_left - 1",
        "retries_left=state.retries_left",
        "tests/dialogue",
    ),
    "multiplayer": Defect(
        OWN + "multiplayer/match.py", "self._tries < self.retries", "self._tries <= self.retries", "tests/multiplayer"
    ),
    "reporting: statistics": Defect(
        OWN + "reporting/estimates.py",
        "z2 / (4 * n * n)",
        "z2 / (4 * n)",
        "tests/reporting/test_metrics.py",
    ),
    "reporting: records": Defect(
        OWN + "reporting/store.py",
        "if zlib.crc32(line) != row.crc:",
        "if not line:",
        "tests/reporting/test_damage.py",
    ),
    "situation_puzzle": Defect(
        OWN + "situation_puzzle/rules.py",
        "np.flatnonzero(agreement == agreement.max())",
        "np.flatnonzero(agreement >= agreement.max() - 1)",
        "tests/situation_puzzle",
    ),
    "mathematics": Defect(
        OWN + "mathematics/judge/deciding.py",
        '"Le": order <= 0',
        '"Le": order < 0',
        "tests/mathematics/test_deciding.py",
    ),
    "ui2html": Defect(
        OWN + "ui2html/judge/scoring.py",
        "return raw * np.sqrt(self.coverage), parts",
        "return raw, parts",
        "tests/ui2html/test_scoring.py",
    ),
    "query_games": Defect(
        OWN + "query_games/solver.py",
        "np.bincount(level.right[left], level.weights[left])",
        "np.bincount(level.right[left])",
        "tests/query_games/test_solver.py tests/query_games/test_games.py",
    ),
    "black_box": Defect(
        OWN + "black_box/rules.py",
        "self.mode.turn_cost * sum(session.turns) / len(session.case.trials)",
        "self.mode.turn_cost * sum(session.turns)",
        "tests/black_box/test_protocol.py",
    ),
    "holdem": Defect(
        OWN + "holdem/rules.py",
        "seat = (showing.player_index + 1 + button) % self.seats",
        "seat = (showing.player_index + button) % self.seats",
        "tests/holdem/test_rules.py",
    ),
    "trust_game": Defect(
        OWN + "trust_game/rules.py",
        'return self.reward if other == "C" else self.sucker',
        'return self.reward if other == "C" else self.punishment',
        "tests/trust_game",
    ),
    "novel_games": Defect(
        OWN + "novel_games/search/trees.py",
        "self._back_up(path, value if node.seat == 0 else -value)",
        "self._back_up(path, value)",
        "tests/novel_games/test_search.py",
    ),
    "query_games: probes": Defect(
        OWN + "query_games/probes/necessity.py",
        "if number not in query)",
        "if number in query)",
        "tests/query_games/probes/test_necessity.py",
    ),
    "training": Defect(
        "training/selfplay.py",
        "done[row], rewards[row] = True, score - paid[row]",
        "done[row], rewards[row] = True, score",
        "tests/training/test_selfplay.py",
    ),
}


def caught(name: str, folder: Path) -> str:
    """Return the first test that fails with the defect in the copy, or nothing."""
    defect = DEFECTS[name]
    path = folder / defect.file
    right = path.read_text(encoding="utf-8")
    if defect.text not in right:
        raise click.ClickException(f"{name}: {defect.file} has no {defect.text!r}; name the line that it became")
    path.write_text(right.replace(defect.text, defect.instead, 1), encoding="utf-8")
    try:
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "not long", "--tb=no", "-p", "no:cacheprovider"]
        environment = {**os.environ, "PYTHONPATH": str(folder)}
        done = subprocess.run(  # noqa: S603 - our own tests
            [*command, *defect.tests.split()], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
    finally:
        path.write_text(right, encoding="utf-8")
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0].split(" - ")[0].removeprefix("FAILED ") if failed else ""


@click.command()
@click.argument("names", nargs=-1)
def main(names: Sequence[str]) -> None:
    """Plant the defects with these names, or all, and print what caught each."""
    missed = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "copy"
        listed = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard", "-z"],  # noqa: S607
            cwd=ROOT, capture_output=True, text=True, check=True,
        )  # fmt: skip
        for name in filter(None, listed.stdout.split("\0")):
            if (ROOT / name).exists():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)
        for name in names or DEFECTS:
            test = caught(name, folder)
            missed += [] if test else [name]
            click.echo(f"{name:24} {test or 'NOT CAUGHT'}")
    if missed:
        raise click.ClickException(f"nothing noticed: {', '.join(missed)}")


if __name__ == "__main__":
    main()
