"""Progress of runs and tournaments: bars at a terminal, else one line per finished cell."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from tqdm import tqdm

from interactive_envs.cli.results import cell_labels
from interactive_envs.reporting.page import as_dollars, as_duration
from interactive_envs.reporting.records import EpisodeRecord
from interactive_envs.reporting.words import words_of
from interactive_envs.system.terminal import echo, printable

EVERY = 10.0
"""Seconds between two lines about a run where there is no terminal."""
MAX_BARS = 12
"""Cells that have a progress bar each; more share one."""
BAR = "{desc} |{bar:20}| {n_fmt}/{total_fmt} [{elapsed}<{remaining}]"


def warn(message: str) -> None:
    """Print a warning above the bars."""
    tqdm.write(printable(f"warning: {message}"), file=sys.stderr)


class Faults:
    """Prints each kind of infrastructure failure once, while there is time to do something about it."""

    def __init__(self) -> None:
        self._shown: set[str] = set()

    def show(self, message: str) -> None:
        """Print a message that is new."""
        if message not in self._shown:
            self._shown.add(message)
            tqdm.write(printable(f"fault, not scored: {message}"), file=sys.stderr)


class Lines:
    """A line every :data:`EVERY` seconds where there is no terminal: how far a job is, and how long it still takes.

    The clock is a thread's, so that a line also comes while one long episode is played; it ends with :meth:`close`.

    Args:
        what: is counted.
        total: of them.
        before: those of an earlier process, which say nothing about this one's speed.
    """

    def __init__(self, what: str, total: int, before: int = 0) -> None:
        self._what, self._total, self._before = what, total, before
        self._done, self._more, self._begun = before, "", time.monotonic()
        self._closed = threading.Event()
        if not sys.stderr.isatty():
            threading.Thread(target=self._repeat, daemon=True).start()

    def tell(self, done: int, more: str = "") -> None:
        """What the next line says: how many are done, and what comes after that."""
        self._done, self._more = done, more

    def close(self) -> None:
        """From now on there are no lines."""
        self._closed.set()

    def line(self) -> str:
        """How far it is now."""
        new = self._done - self._before
        left = (time.monotonic() - self._begun) / max(1, new) * (self._total - self._done)
        estimate = f", about {as_duration(max(1.0, left))} left" if new else ""
        return f"{self._done:,} of {self._total:,} {self._what}{estimate}{self._more}"

    def _repeat(self) -> None:
        while not self._closed.wait(EVERY):
            if self._done < self._total:
                echo(self.line(), err=True)


@contextlib.contextmanager
def counting(unit: str, total: int, title: str | None = None) -> Iterator[Callable[..., object]]:
    """Count things that are done: a bar at a terminal, elsewhere a line every :data:`EVERY` seconds.

    Args:
        unit: what is counted, in the singular.
        total: of them.
        title: stands before the bar.

    Yields:
        To be called with the number that is done since the call before; 1 by default.
    """
    done = 0

    def advance(count: int = 1) -> None:
        nonlocal done
        done += count
        bar.update(count)
        lines.tell(done)

    with (
        tqdm(total=total, desc=title, unit=unit, disable=None) as bar,
        contextlib.closing(Lines(f"{unit}s", total)) as lines,
    ):
        yield advance


class RunBars:
    """At a terminal, one progress bar per cell, opened when its first episode ends.

    Elsewhere a line per cell when it is through, and one on the whole run every :data:`EVERY` seconds.

    More than ``MAX_BARS`` cells are counted together, as if they were one.
    """

    def __init__(self, config: Any) -> None:
        count = len(config.cells)
        self._together = count > MAX_BARS
        self._labels = [f"{count} cells"] if self._together else list(map(printable, cell_labels(config)))
        self._totals = [config.total] if self._together else list(map(config.planned, range(count)))
        self.bars: dict[int, Any] = {}
        """Those that are shown, by place."""
        self._done: Counter[int] = Counter()
        self._solved: Counter[int] = Counter()
        self._words = words_of(config)
        self._scored: Counter[int] = Counter()
        self._broken: Counter[int] = Counter()
        self._sandboxes: set[str] = set()
        self._spent = 0.0
        self._lines: Lines | None = None
        self.fault = Faults().show

    def begin(self, store: Any) -> None:
        """Count the episodes of an earlier run, and print what was repaired in its files."""
        for note in store.notes:
            tqdm.write(printable(f"note: {note}"), file=sys.stderr)
        for row in store.iterate():
            index = self._place(row.cell)
            self._done[index] += 1
            self._solved[index] += row.outcome == "success"
            self._scored[index] += row.outcome == "scored"
        self._lines = Lines("episodes", sum(self._totals), before=self._done.total())

    def advance(self, job: Any, record: EpisodeRecord | None) -> None:
        """Count an episode that ended; without a record, infrastructure failed."""
        sandbox = record and record.versions.get("sandbox")
        self._sandboxes |= {sandbox} if sandbox else set()
        index = self._place(job.cell_index)
        total = self._totals[index]
        self._done[index] += 1
        self._broken[index] += record is None
        self._solved[index] += record is not None and record.outcome == "success"
        self._scored[index] += record is not None and record.outcome == "scored"
        self._spent += (record and record.cost) or 0.0
        if not sys.stderr.isatty():
            spent = f", {as_dollars(self._spent)} spent" if self._spent else ""
            if self._lines is not None:
                self._lines.tell(self._done.total(), spent)
            if self._done[index] == total:
                broken = f", {self._broken[index]} broken by infrastructure" if self._broken[index] else ""
                echo(f"{self._labels[index]} {total} episodes{self._so_far(index, ', ')}{broken}", err=True)
            return
        if index not in self.bars:
            self.bars[index] = tqdm(
                total=total,
                initial=self._done[index] - 1,
                desc=self._labels[index],
                position=len(self.bars),
                bar_format=BAR + "{postfix}",
            )
        spent = f", {as_dollars(self._spent)}" if self._spent else ""
        self.bars[index].set_postfix_str(f"{self._so_far(index)}{spent}", refresh=False)
        self.bars[index].update()
        if self._done[index] == total:
            self.bars[index].refresh()

    def _place(self, cell: int) -> int:
        return 0 if self._together else cell

    def _so_far(self, index: int, lead: str = "") -> str:
        return "" if self._scored[index] else f"{lead}{self._solved[index]} {self._words.done}"

    def echo_sandboxes(self) -> None:
        """Print the level of the sandbox in which foreign code ran, if any did."""
        for level in sorted(self._sandboxes):
            echo(f"Foreign code ran in the sandbox at {level}.")

    def close(self) -> None:
        """Leave the bars as they are."""
        if self._lines is not None:
            self._lines.close()
        for bar in self.bars.values():
            bar.close()
        self.bars.clear()


class MatchBar:
    """One bar for the matches of a tournament at a terminal; elsewhere a line every :data:`EVERY` seconds."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._lines: Lines | None = None
        self.fault = Faults().show

    def begin(self, done: int, total: int) -> None:
        """Start at the number of matches that were played before."""
        self._done, self._lines = done, Lines("matches", total, before=done)
        if sys.stderr.isatty():
            self._bar = tqdm(desc="matches", unit="", bar_format=BAR, total=total, initial=done)

    def advance(self, *_: Any) -> None:
        """Count a match."""
        self._done += 1
        if self._lines is not None:
            self._lines.tell(self._done)
        if self._bar is not None:
            self._bar.update()

    def close(self) -> None:
        """Leave the bar as it is."""
        if self._lines is not None:
            self._lines.close()
        if self._bar is not None:
            self._bar.close()
