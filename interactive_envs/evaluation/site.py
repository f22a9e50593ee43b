"""A folder of pages that any web host serves: leaderboards, and the reports of runs with all their transcripts."""

from __future__ import annotations

import contextlib
import datetime
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from interactive_envs.errors import ConfigError
from interactive_envs.evaluation import leaderboard
from interactive_envs.evaluation.core import page as core_page
from interactive_envs.evaluation.core.suite import VERSION
from interactive_envs.evaluation.run import pool, report
from interactive_envs.evaluation.verify import is_verified
from interactive_envs.reporting.correction import runs as judge_errors
from interactive_envs.reporting.page import as_bytes, templates
from interactive_envs.reporting.store import RunStore
from interactive_envs.system.disk import write_atomically
from interactive_envs.system.files import open_regular

PAGES = frozenset({".html", ".svg", ".png", ".csv"})
"""What is copied of what was written."""
RECORDS = ("config.json", "index.jsonl", "faults.jsonl")
"""What pages are made of, beside the episodes. Nothing else is taken: pages and pictures may be anybody's."""


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

    Pages are written anew from the records: whatever else lies in a folder stays there, and the folder as it is.

    Args:
        folders: of runs.
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
        checked = is_verified(folder)
        with tempfile.TemporaryDirectory() as scratch:
            store = _pages(folder, Path(scratch), out / "runs" / name)
            entries.append(leaderboard.entry(name, store, is_verified=checked))
            shown.append(_shown(name, store, checked))
    page = templates(__package__).get_template("site.html.j2")
    made = page.render(
        boards=leaderboard.boards(entries),
        families=core_page.labels(),
        runs=shown,
        version=VERSION,
        show=core_page.show,
        address=lambda name: f"runs/{quote(name)}/report.html",
    )
    path = out / "index.html"
    write_atomically(path, as_bytes(made))
    return path


def _pages(folder: Path, scratch: Path, to: Path) -> RunStore:
    """Write the pages of a run's records into the site; the run, as long as the scratch folder lasts."""
    (scratch / judge_errors.FOLDER).mkdir()
    corrections = (f"{judge_errors.FOLDER}/{path.name}" for path in (folder / judge_errors.FOLDER).glob("*.json"))
    episodes = (path.name for path in RunStore.read_only(folder).lines.files())
    for name in (*RECORDS, *episodes, *corrections):
        with (
            contextlib.suppress(FileNotFoundError),
            open_regular(folder / name) as source,
            (scratch / name).open("wb") as copy,
        ):
            shutil.copyfileobj(source, copy)
    store = RunStore.read_only(scratch)
    pool.finish(store)
    report.write_with_pages(store)
    for page in scratch.rglob("*"):
        if page.is_file() and page.suffix in PAGES:
            target = to / page.relative_to(scratch)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(page, target)
    return store


def _shown(name: str, store: RunStore, checked: bool) -> Shown:
    rows, config = store.rows(), store.config
    costs = [row.cost for row in rows]
    cost = None if None in costs else sum(value for value in costs if value is not None)
    ended = max((record.ended for record in map(store.episode, rows[-1:])), default="")
    day = datetime.datetime.fromisoformat(ended).date().isoformat() if ended else ""
    environments = tuple(dict.fromkeys(cell.env_id for cell in config.cells))
    players = tuple(dict.fromkeys(cell.player for cell in config.cells))
    return Shown(name, environments, players, len(rows), config.total, cost, day, checked)
