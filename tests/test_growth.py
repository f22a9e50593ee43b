"""Adding one unit of each kind costs the edits that CONTRIBUTING promises: done by hand in a copy, then all is checked.

``EDITS`` are the whole of what a person writes; ``MADE`` the commands that write the rest.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OWN = "interactive_envs"
GAMES = f"{OWN}/query_games/data/games/set.txt"
CIPHERS, SECOND = f"{OWN}/black_box/cipher/boxes.py", "tests/black_box/second_cipher.py"

EDITS: dict[str, list[tuple[str, str, str]]] = {
    "a query game": [(GAMES, "few | one upto size | ends\n", "few | next parity heavier | size-and-total\n")],
    "a black box": [
        (
            CIPHERS,
            "BOXES = {\n",
            '    "doubled": Entry(\n        "easy",\n        _cipher(_codes([letter * 2 for letter in LOWER]), '
            'case="lower", blanks="drop", joint=","),\n        "each letter twice",\n    ),\n',
        ),
        (
            SECOND,
            "# Fixed boxes.\n",
            '\n\ndef doubled(text):\n    return ",".join(sign + sign for sign in text.lower() if sign != " ")\n',
        ),
        (SECOND, "FIXED = {\n", '    "doubled": doubled,\n'),
    ],
    "a strategy of the trust game": [
        (
            f"{OWN}/trust_game/strategies.py",
            "def _check_probability",
            '@strategy("alternate")\ndef alternate(own: str, other: str, draws: Draws) -> Move:\n'
            '    """Cooperates and defects in turn."""\n    return "D" if len(own) % 2 else "C"\n\n\n',
        )
    ],
    "a wrapper": [
        (
            "wrappers/shouting.py",
            "",
            '"""Messages in capitals."""\n\nfrom __future__ import annotations\n\nfrom typing import Any\n\n'
            "import gymnasium as gym\n\n\nclass Shouting(gym.ObservationWrapper[str, str, str]):\n"
            '    """Every observation in capitals."""\n\n    def __init__(self, env: gym.Env[str, str]) -> None:\n'
            "        super().__init__(env)\n\n    def observation(self, observation: Any) -> str:\n"
            '        """Return it in capitals."""\n        return str(observation).upper()\n',
        )
    ],
    "a judge": [
        (
            f"{OWN}/judges/denying.py",
            "",
            '"""A judge that always says the last label."""\n\nfrom __future__ import annotations\n\n'
            "from interactive_envs.judges.base import Judge, JudgeRequest, Verdict\n\n\nclass DenyingJudge(Judge):\n"
            '    """Says the last label of every request."""\n\n    name = "denying"\n    approximate = True\n\n'
            "    def judge(self, request: JudgeRequest) -> Verdict:\n"
            '        """Give the last label."""\n        return Verdict(request.labels[-1])\n',
        )
    ],
    "a metric of runs": [
        (
            f"{OWN}/reporting/metrics.py",
            "METRICS = (",
            'def _turns(rows: CellRows) -> Estimates:\n    return mean(rows.column("turns"), rows.case)\n\n\n',
        ),
        (
            f"{OWN}/reporting/metrics.py",
            '    Metric("accuracy", ',
            '    Metric("turns", "Turns", "mean an episode", as_number, _turns),\n',
        ),
    ],
    "a family": [
        ("pyproject.toml", '"situation_puzzle | mathematics', '"hidden_number | situation_puzzle | mathematics'),
        (
            "pyproject.toml",
            '"interactive_envs.reporting", "interactive_envs.wrappers"]\nforbidden_modules = [',
            '"interactive_envs.hidden_number", ',
        ),
    ],
}
"""By kind: file, the line it is written before or after (empty: a new file), and what is written."""
NEW_GAME = "sum-shy-again"
NEW_IDS = (
    "ibench/Query-set-deductive-few-size-and-total-by-next-parity-heavier-v1",
    "ibench/BlackBox-cipher-doubled-v1",
    f"ibench/Game-{NEW_GAME}-v1",
    "ibench/HiddenNumber-v0",
)
AFTER = {GAMES, CIPHERS + "BOXES = {\n", SECOND + "# Fixed boxes.\n", SECOND + "FIXED = {\n"}
REGISTRY_WIDE = (
    *("tests/catalog", "tests/core", "tests/test_house.py", "tests/trust_game/test_strategies.py"),
    *("tests/black_box/test_registry.py", "tests/black_box/test_cipher.py", "tests/query_games/test_games.py"),
    *("tests/reporting/test_metrics.py", "tests/novel_games/test_games.py", "tests/evaluation/run/test_suites.py"),
)


def copied(folder: Path) -> Path:
    """Return a copy of what is tracked and new, links and all."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        source, target = ROOT / name, folder / name
        if source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)
    return folder


def edit(folder: Path, file: str, place: str, text: str) -> None:
    """Write into a file, before the first line that begins with `place` or after it."""
    path = folder / file
    if not place:
        assert not path.exists()
        path.write_text(text, encoding="utf-8")
        return
    before = path.read_text(encoding="utf-8")
    assert place in before, f"{file} has no {place!r}"
    head, tail = before.split(place, 1)
    if file == "pyproject.toml":
        new = head + (text if text.startswith('"hidden_number |') else place + text) + tail
    elif file in AFTER or file + place in AFTER:
        new = head + place + text + tail
    else:
        new = head + text + place + tail
    path.write_text(new, encoding="utf-8")


def run(folder: Path, *command: str) -> str:
    """Run Python in the copy and return what it prints; what it imports is the copy's."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("COV", "PYTEST"))}
    environment |= {"PYTHONPATH": str(folder), "COLUMNS": "120"}
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-6000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def add_family(folder: Path) -> None:
    """Make a family of the template that ``ibench new task`` fills in: three files in a folder of its own."""
    cli = "from interactive_envs.cli.main import main; main()"
    run(folder, "-c", cli, "new", "task", "hidden-number", "--out", str(folder / "made"))
    source = next((folder / "made").rglob("env.py")).read_text(encoding="utf-8")
    family = folder / OWN / "hidden_number"
    family.mkdir()
    shutil.rmtree(folder / "made")
    (family / "env.py").write_text(source.replace('id="hidden-number/', 'id="ibench/'), encoding="utf-8")
    card = '"""A hidden number."""\n\nfrom interactive_envs.family import Family\n\nFAMILY = Family("hidden-number")\n'
    (family / "__init__.py").write_text(card, encoding="utf-8")


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_one_of_each_is_added_by_the_promised_edits_alone(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    for edits in EDITS.values():
        for file, place, text in edits:
            edit(folder, file, place, text)
    games = folder / OWN / "novel_games" / "games"
    shutil.copytree(games / "sum-shy", games / NEW_GAME)
    settings = games / NEW_GAME / "game.toml"
    settings.write_text(settings.read_text(encoding="utf-8").replace("Sum Shy", "Sum Shy Again"), encoding="utf-8")
    add_family(folder)
    run(folder, "-m", "tools.proofs", "--structure", "set")
    run(folder, "-m", "tools.catalog")
    cli = "from interactive_envs.cli.main import main; main()"
    listed = run(folder, "-c", cli, "list", "--all")
    assert [env_id for env_id in NEW_IDS if env_id not in listed] == []
    assert "denying" in run(folder, "-c", cli, "list", "--judges")
    assert "trust/alternate" in run(folder, "-c", cli, "list", "--agents")
    run(folder, "-c", cli, "validate", *NEW_IDS)
    run(folder, "-c", cli, "run", NEW_IDS[-1], "--agent", "random", "--episodes", "4", "--out", "runs/one")
    assert '"turns"' in (folder / "runs" / "one" / "summary.json").read_text(encoding="utf-8")
    run(folder, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()", "--no-cache")
    run(folder, "-m", "pytest", "-q", "-m", "not long", "-p", "no:cacheprovider", *REGISTRY_WIDE)
