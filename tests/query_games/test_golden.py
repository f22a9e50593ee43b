"""Games that testers played from the text alone, without having seen any code: four of every cell.

Each file is the whole transcript, the player's lines begin with ``> ``. A change of a text shows here:
``python -m tests.query_games.test_golden`` writes the files anew with the same actions.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from interactive_envs.query_games.env import QueryGameEnv

FILES = sorted((Path(__file__).parent / "golden").glob("*.txt"))


def replay(text: str) -> str:
    """The transcript that the environment gives today to the same actions."""
    header, _, rest = text.partition("\n\n")
    facts = dict(line.split(": ", 1) for line in header.splitlines())
    env = QueryGameEnv(game=facts["game"], difficulty=int(facts["difficulty"]))
    lines = [header, "", str(env.reset(seed=int(facts["seed"]))[0])]
    for line in rest.splitlines():
        if line.startswith("> "):
            observation, _, _, _, info = env.step(line.removeprefix("> "))
            lines += ["", line, str(observation)]
    return "\n".join([*lines, "", f"outcome: {info['outcome']}, right answer: {info['solution']}", ""])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_game_is_told_as_it_was(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert replay(text) == text


def test_four_games_of_every_cell_were_played() -> None:
    cells = Counter("/".join(path.read_text(encoding="utf-8").split()[1].split("/")[:2]) for path in FILES)
    assert len(cells) == 12
    assert set(cells.values()) == {4}


if __name__ == "__main__":
    for file in FILES:
        file.write_text(replay(file.read_text(encoding="utf-8")), encoding="utf-8")
