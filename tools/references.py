"""How well the reference players do at black boxes: ``docs/black-boxes/reference.md``, made by ``make references``.

Fixed boxes are played at ORACLE's two settings, generated ones, a box per case, at the setting of their level. Figures
are means of the score; intervals come from the standard error over cases.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from interactive_envs import catalog
from interactive_envs.agent import resolve_agent
from interactive_envs.black_box import families as boxes
from interactive_envs.black_box.base import FAMILIES, LEVELS
from interactive_envs.black_box.report import tables
from interactive_envs.black_box.suites import setting_of
from interactive_envs.making import make
from interactive_envs.system.workers import Processes

SETTINGS = ("10@1", "20@2")
OWN = "default"
"""The setting that a level has by itself."""
FIXED_CASES = 10
"""Cases of each fixed box."""
RANDOM_CASES = 40
"""Boxes of each level of a generator."""
BARS = {"easy": 0.95, "hard": 0.6}
"""What a reference player should reach on every fixed box."""
DATA = Path(tables.__file__).parent / "data" / "box_reference.json"
PAGE = Path(__file__).parents[1] / "docs" / "black-boxes" / "reference.md"


@dataclass(frozen=True)
class Played:
    """What one player reached at one box.

    Attributes:
        env_id: the box.
        level: of a generated one, 0 of a fixed one.
        setting: as for a box that answers; of games the one that stands for it.
        mean: of the score.
        error: standard error of the mean.
        n: cases.
        turns: turns an exploration, the mean.
        seconds: CPU seconds an episode, the mean.
    """

    env_id: str
    level: int
    setting: str
    mean: float
    error: float
    n: int
    turns: float
    seconds: float


def plan(families: Sequence[str]) -> list[tuple[str, int, str, int]]:
    """Every id, level, setting and number of cases to play."""
    found = []
    for env_id, entry in catalog.load()["units"].items():
        if "/BlackBox-" not in env_id or entry["tags"]["family"] not in families:
            continue
        if entry["tags"]["grade"].startswith("made"):  # the reference player was part of their check
            continue
        generated = entry["tags"]["grade"] == "generated"
        for level, setting in itertools.product(LEVELS, (OWN,)) if generated else itertools.product((0,), SETTINGS):
            found.append((env_id, level, setting, RANDOM_CASES if generated else FIXED_CASES))
    return found


def play(env_id: str, level: int, setting: str, cases: int, player: str = "reference") -> Played:
    """Let a family's player play so many cases."""
    arguments: dict[str, Any] = {"difficulty": level} if level else {}
    family = catalog.entry(env_id)["tags"]["family"]
    if setting != OWN:
        arguments["setting"] = setting_of(family, setting)
    env = make(env_id, **arguments)
    create = resolve_agent(player, env_id)
    scores, turns, begun = [], [], time.process_time()
    for case in range(cases):
        agent = create()
        observation, info = env.reset(seed=case)
        agent.reset(seed=case, info=info)
        over, reward = False, 0.0
        while not over:
            observation, reward, over, _, info = env.step(agent.act(observation, info))  # type: ignore[assignment]
        agent.close()
        scores.append(float(reward))
        turns.append(info["turns"] / info["view"].shown.trials)
    env.close()
    error = float(np.std(scores, ddof=1) / np.sqrt(cases)) if cases > 1 else 0.0
    seconds = (time.process_time() - begun) / cases
    return Played(env_id, level, setting, float(np.mean(scores)), error, cases, float(np.mean(turns)), seconds)


def render(found: Iterable[Played]) -> str:
    """The page."""
    played = list(found)
    at = {(one.env_id, one.level, one.setting): one for one in played}
    blocks = [_HEAD]
    for family in FAMILIES:
        rows = [
            (box, catalog.entry(env_id)["tags"]["grade"], [at.get((env_id, 0, setting)) for setting in SETTINGS])
            for box in boxes.family(family).boxes
            if (env_id := f"ibench/BlackBox-{family}-{box}-v1") and (env_id, 0, SETTINGS[0]) in at
        ]
        if rows:
            blocks.append(_table(family, rows))
    return "\n\n".join([*blocks, _levels(at)]) + "\n"


def _levels(at: Mapping[Any, Played]) -> str:
    """The table of generated boxes."""
    lines = [
        _LEVELS,
        "",
        f"| family | {' | '.join(f'level {level}' for level in LEVELS)} |",
        "|---|---|---|---|---|---|",
    ]
    for family in FAMILIES:
        env_id = f"ibench/BlackBox-{family}-{boxes.RANDOM}-v1"
        played = [(level, at.get((env_id, level, OWN))) for level in LEVELS]
        cells = [
            f"{_cell(one)} ({boxes.setting_of(boxes.family(family), boxes.RANDOM, level)}, n {one.n})" if one else ""
            for level, one in played
        ]
        lines.append(f"| {family} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _table(family: str, rows: Sequence[tuple[str, str, Sequence[Played | None]]]) -> str:
    names = [setting_of(family, setting) for setting in SETTINGS]
    lines = [f"## {family}", "", f"| box | grade | {' | '.join(names)} | cases |", "|---|---|---|---|---|"]
    for grade in dict.fromkeys(grade for _, grade, _ in rows):
        mine = [cells for _, other, cells in rows if other == grade]
        if grade != "generated" and len(mine) > 1:
            means = [np.mean([cell.mean for cell in column if cell]) for column in zip(*mine, strict=True)]
            lines.append(f"| **all {grade}** | {grade} | {' | '.join(f'**{mean:.3f}**' for mean in means)} | |")
    for box, grade, cells in rows:
        low = [cell is not None and cell.mean < BARS.get(grade, 0) for cell in cells]
        texts = [_cell(cell) + (" ↓" if under else "") for cell, under in zip(cells, low, strict=True)]
        lines.append(f"| {box} | {grade} | {' | '.join(texts)} | {cells[0].n if cells[0] else 0} |")
    return "\n".join(lines)


def _cell(played: Played | None) -> str:
    if played is None:
        return ""
    return f"{played.mean:.3f}" + (f" ± {1.96 * played.error:.3f}" if played.error else "")


def load() -> list[Played]:
    """What was measured last."""
    return [Played(**one) for one in json.loads(DATA.read_text(encoding="utf-8"))] if DATA.exists() else []


def _merged(old: Iterable[Played], new: Iterable[Played]) -> list[Played]:
    found: Mapping[Any, Played] = {(one.env_id, one.level, one.setting): one for one in (*old, *new)}
    known = {(env_id, level, setting) for env_id, level, setting, _ in plan(FAMILIES)}
    return [one for key, one in sorted(found.items()) if key in known]


_HEAD = f"""# What the reference players reach

Mean score with its 95 % interval (none where all cases scored alike), of the player `reference` of each family, over
at least {FIXED_CASES} cases of a fixed box. Written by `make references`; the families' pages say what each player
knows and why it fails where it does. ↓ marks an easy box below {BARS["easy"]} or a hard one below {BARS["hard"]}."""
_LEVELS = """## Generated boxes at their own settings

Mean score with its 95 % interval, the setting of the level, and how many boxes were played. Settings and sizes are
chosen so that the reference player scores at least 0.6 at every level and less at higher ones. Where it reaches 1.000,
its class of hypotheses holds every box and a few replies decide it: such a level asks a player to find that class."""


def main() -> None:
    """Play, and write the data and the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*", help="families to play again; all by default")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    todo = plan(options.families or FAMILIES)
    found: list[Played] = []
    with Processes(options.workers) as pool:
        for done in tqdm(pool.map(play, *zip(*todo, strict=True)), total=len(todo), disable=None):
            found.append(done)
    kept = _merged(load(), found)
    DATA.write_text("[\n" + ",\n".join(json.dumps(_rounded(one)) for one in kept) + "\n]\n", encoding="utf-8")
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(render(load()), encoding="utf-8")


def _rounded(played: Played) -> dict[str, Any]:
    return {k: round(v, 4) if isinstance(v, float) else v for k, v in asdict(played).items()}


if __name__ == "__main__":
    main()
