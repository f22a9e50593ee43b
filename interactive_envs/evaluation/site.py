"""A folder of pages that any web host serves: leaderboards, and the reports of runs with all their transcripts."""

from __future__ import annotations

import datetime
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from interactive_envs.errors import ConfigError
from interactive_envs.evaluation import leaderboard
from interactive_envs.evaluation.core import page as core_page
from interactive_envs.evaluation.core.suite import VERSION
from interactive_envs.evaluation.run import pool, report
from interactive_envs.evaluation.verify import is_verified
from interactive_envs.reporting.page import as_bytes, templates
from interactive_envs.reporting.store import RunStore
from interactive_envs.system.disk import write_atomically

PAGES, FOLDERS = "*.html", ("charts", "transcripts")
"""What a run's folder has for people."""


@dataclass(frozen=True)
class Shown:
    """What the front page says of a run."""

    name: str
    environments: tuple[str, ...]
    players: tuple[str, ...]
    played: int
    planned: int
    cost: float | None
    ended: str
    is_verified: bool


def write(folders: Sequence[Path], out: Path, *, progress: Callable[[str], object] | None = None) -> Path:
    """Write the site; returns its front page.

    Args:
        folders: of runs; their reports are written again.
        out: the site's folder; what lies there is overwritten, nothing is removed.
        progress: called with the name of each run.

    Raises:
        ConfigError: a folder holds no run, or two have one name.
    """
    names = [folder.resolve().name for folder in folders]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ConfigError(f"two runs are called {twice[0]!r}; rename one of the folders")
    entries, shown = [], []
    for name, folder in zip(names, folders, strict=True):
        if progress:
            progress(name)
        store = RunStore.read_only(folder)
        checked = is_verified(folder)
        if not checked:  # its summary is part of what a stamp vouches for
            pool.finish(store)
        report.write_with_pages(store)
        _copy(folder, out / "runs" / name)
        entries.append(leaderboard.Entry(name, store, checked))
        shown.append(_shown(name, store, checked))
    page = templates(__package__).get_template("site.html.j2")
    made = page.render(
        boards=leaderboard.boards(entries),
        families=core_page.labels(),
        runs=shown,
        version=VERSION,
        show=core_page.show,
    )
    path = out / "index.html"
    write_atomically(path, as_bytes(made))
    return path


def _copy(folder: Path, to: Path) -> None:
    """The pages alone: a site holds no configuration, and records only as transcripts."""
    to.mkdir(parents=True, exist_ok=True)
    for page in folder.glob(PAGES):
        shutil.copyfile(page, to / page.name)
    for name in FOLDERS:
        if (folder / name).is_dir():
            shutil.copytree(folder / name, to / name, dirs_exist_ok=True, copy_function=shutil.copyfile)


def _shown(name: str, store: RunStore, checked: bool) -> Shown:
    rows, config = store.rows(), store.config
    costs = [row.cost for row in rows]
    cost = None if None in costs else sum(value for value in costs if value is not None)
    ended = max((record.ended for record in map(store.episode, rows[-1:])), default="")
    day = datetime.datetime.fromisoformat(ended).date().isoformat() if ended else ""
    environments = tuple(dict.fromkeys(cell.env_id for cell in config.cells))
    players = tuple(dict.fromkeys(cell.player for cell in config.cells))
    return Shown(name, environments, players, len(rows), config.total, cost, day, checked)
