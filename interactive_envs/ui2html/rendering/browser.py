"""Pages as pictures and trees: a browser that runs no script, reads no file and reaches no network."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import math
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, Self

from interactive_envs.errors import ConfigError, FaultError, IbenchError, MissingExtraError
from interactive_envs.llm.process import PerProcess
from interactive_envs.ui2html.rendering import render_worker
from interactive_envs.ui2html.rendering.tree import Node, read_tree

WIDTH, HEIGHT, MAX_HEIGHT = 1024, 768, 4096
"""The window, and how far down a picture of a longer page goes, in px."""
CHROMIUMS = ("chromium", "chromium-browser", "chromium-headless-shell", "google-chrome", "google-chrome-stable")
FONT = "LiberationSans-Regular.ttf"
START_S = 60.0
"""Seconds a browser may take to start; it needs one or two."""
REPLY = 64 << 20
"""Bytes of a reply."""
_POLL_S = 0.1
_UNCOUNTED_S = 0.5
"""No page is looked at before it has taken so long, which hardly one does."""


class Reason(StrEnum):
    """Why a page has no picture."""

    TOO_LARGE = "too large"
    TOO_MANY = "too many elements"
    TOO_SLOW = "too slow"
    MEMORY = "too much memory"
    CRASH = "crashed"
    """The process that draws the page failed, twice, while the browser around it lived and nobody ended either."""


class HtmlError(IbenchError):
    """A page breaks a limit: a result about the page, never about the machine.

    Attributes:
        reason: which limit.
        detail: one line more; may be empty.
    """

    def __init__(self, reason: Reason, detail: str = "") -> None:
        self.reason = reason
        self.detail = detail
        super().__init__(f"{reason}: {detail}" if detail else str(reason))


class Render(NamedTuple):
    """What a page looks like.

    Attributes:
        png: the picture, from the top of the page, ``width`` by ``height``.
        tree: the elements that take part in the layout, in the order of the document.
        width: of the picture in px; always :data:`WIDTH`.
        height: of the picture in px: the page's, at least :data:`HEIGHT`, at most :data:`MAX_HEIGHT`.
        problems: what was refused or cut off, one line each.
    """

    png: bytes
    tree: tuple[Node, ...]
    width: int
    height: int
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What a page may use.

    Attributes:
        html: bytes of the page as UTF-8.
        elements: in the document.
        cpu_s: CPU seconds of the whole browser for the page.
        wall_s: seconds on the clock; a page that has used less than its CPU time by then is asked for once more, with
            three times as long, and then the machine is at fault.
        memory: bytes of the largest of the browser's processes.
    """

    html: int = 200_000
    elements: int = 5_000
    cpu_s: float = 5.0
    wall_s: float = 10.0
    memory: int = 1536 << 20

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if not 0 < value < math.inf:
                raise ConfigError(f"limit {name} must be above 0 and finite, got {value!r}")


def has_browser() -> int:
    """What a machine must have that plays: 1 where there is a Chromium.

    Raises:
        ConfigError: there is none; the message says how to get one.
    """
    find_chromium()
    return 1


class Browser:
    """Renders pages one after the other in a process of its own.

    Args:
        chromium: the program; by default what :func:`find_chromium` finds.
        limits: what a page may use.

    A page is drawn as if scripts did not exist, in a sandbox that may use nothing but its own text and images in
    ``data:`` URIs; no fonts, frames, plugins, media or refreshes. What moves stands still. The fonts are Liberation
    Sans, Serif and Mono (``data/fonts.conf``), with DejaVu Sans for characters that they lack.

    Each page has a document of its own, which ends before the next begins: no page changes how another is drawn. A page
    that breaks a limit raises :class:`HtmlError`; a browser that fails is restarted and asked once more, then
    :class:`FaultError` is raised. Several threads may render: they wait for each other. A forked process starts
    a browser of its own. Equal pages have equal pictures, byte for byte.

    >>> with Browser() as browser:  # doctest: +SKIP
    ...     browser.render("<h1>Hello</h1>").height
    768
    """

    def __init__(self, *, chromium: str | None = None, limits: Limits = Limits()) -> None:
        self.limits = limits
        self._chromium = chromium
        self._lock = threading.Lock()
        self.worker: RenderProcess | None = None
        """What draws now; the next page starts one where there is none."""
        _browsers.add(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._chromium, self.limits)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def render(self, html: str, *, largest: int | None = None) -> Render:
        """The picture and the tree of a page.

        Args:
            html: the page.
            largest: bytes that this page may have, None for what the limits say; the other limits hold as always.
        """
        size, most = len(html.encode("utf-8", "replace")), self.limits.html if largest is None else largest
        if size > most:
            raise HtmlError(Reason.TOO_LARGE, f"{size} bytes, at most {most}")
        # Half a surrogate pair is no character, and neither side of the pipe could write it.
        request = {"html": html.encode("utf-8", "replace").decode()}
        with self._lock:
            try:
                return self._ask(request, self.limits.wall_s)
            except _PageFailed as failed:
                if failed.sure:
                    raise HtmlError(failed.reason, failed.detail) from None
            except _StartError:
                raise
            except FaultError:
                pass
            try:
                return self._ask(request, 3 * self.limits.wall_s)
            except _PageFailed as failed:
                raise HtmlError(failed.reason, failed.detail) from None

    def version(self) -> str:
        """Chromium's version; starts it."""
        with self._lock:
            return self._living().version

    def close(self) -> None:
        """End the browser; the next page starts another."""
        with self._lock:
            self._drop()

    def _ask(self, request: dict[str, Any], wall_s: float) -> Render:
        worker = self._living()
        try:
            worker.send(request)
            reply = worker.receive(wall_s, self.limits)
            worker.fresh = False
        except BaseException:  # also an interrupt: the reply that is still to come would answer the next page
            self._drop()
            raise
        if "reason" in reply:
            raise HtmlError(Reason(reply["reason"]), reply["detail"])
        if "fault" in reply or "crash" in reply:
            self._drop()
            if "crash" in reply:
                raise _PageFailed(Reason.CRASH, "")
            raise FaultError(f"the browser failed: {_line(reply['fault'])}")
        width, height = reply["width"], reply["height"]
        tree = read_tree(reply["document"], reply["strings"], reply["styles"], width, height)
        return Render(reply["picture"], tree, width, height, tuple(reply["problems"]))

    def _living(self) -> RenderProcess:
        if self.worker is not None and not self.worker.usable():
            self._drop()
        if self.worker is None:
            self.worker = RenderProcess(self._chromium or find_chromium(), self.limits)
        return self.worker

    def _drop(self) -> None:
        worker, self.worker = self.worker, None
        if worker is not None:
            worker.close()

    def abandon(self) -> None:
        """In a forked child: leave the parent's browser alone and keep no hand on its pipes."""
        self._lock = threading.Lock()
        self._drop()


def _again(chromium: str | None, limits: Limits) -> Browser:
    return Browser(chromium=chromium, limits=limits)


def shared() -> Browser:
    """The browser of this process, for all who need no other."""
    return _shared.get()


def find_chromium() -> str:
    """The program: ``IBENCH_CHROMIUM``, one on the path, or Playwright's own."""
    named = os.environ.get("IBENCH_CHROMIUM")
    if named:
        found = shutil.which(named)
        if found is None:
            raise ConfigError(f"IBENCH_CHROMIUM names no program: {named!r}")
        return found
    for name in CHROMIUMS:
        found = shutil.which(name)
        if found:
            return found
    for pattern in ("chromium_headless_shell-*/*/*headless*shell", "chromium-*/*/chrome"):
        own = sorted(path for path in _own_browsers().glob(pattern) if os.access(path, os.X_OK))
        if own:
            return str(own[-1])
    raise ConfigError(
        "no Chromium is found: apt install chromium fonts-liberation, or playwright install --with-deps chromium"
    )


def _own_browsers() -> Path:
    return Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright")


def find_fonts() -> str:
    """Where the fonts lie that every page is set in."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    for place in ("/usr/share/fonts", "/usr/local/share/fonts", os.path.join(data, "fonts")):
        for folder, _, files in os.walk(place):
            if FONT in files:
                return folder
    raise ConfigError("the Liberation fonts, in which pages are set, are not found: apt install fonts-liberation")


class _StartError(FaultError):
    """Asking again is of no use."""


class _PageFailed(Exception):  # noqa: N818, never leaves this file
    """A page broke a limit; ``sure`` where a second attempt could not end otherwise."""

    def __init__(self, reason: Reason, detail: str, *, sure: bool = False) -> None:
        super().__init__(reason, detail)
        self.reason, self.detail, self.sure = reason, detail, sure


class RenderProcess:
    """This process's end of the process that owns the browser."""

    def __init__(self, chromium: str, limits: Limits) -> None:
        if importlib.util.find_spec("playwright") is None:
            raise MissingExtraError("rendering a page", "ui")
        if not os.access(chromium, os.X_OK):
            raise ConfigError(f"{chromium!r} is no program")
        if sys.platform == "linux":
            find_fonts()
        settings = {
            "chromium": chromium,
            "width": WIDTH,
            "height": HEIGHT,
            "max_height": MAX_HEIGHT,
            "elements": limits.elements,
        }
        self.fresh = True
        """Whether it has drawn no page: another page's pictures may still take memory."""
        self._owner = os.getpid()
        self._broken = False
        self.folder = tempfile.mkdtemp(prefix="ibench-browser-")
        """Its working folder, removed when it ends."""
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115, lives as long as the process
        try:
            process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-P", "-B", "-X", "utf8", render_worker.__file__, json.dumps(settings)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                cwd=self.folder,
                env=_environment(self.folder),
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            self._stderr.close()
            shutil.rmtree(self.folder, ignore_errors=True)
            raise _StartError(f"the render worker cannot start: {error}") from error
        self.process = process
        self._finalizer = weakref.finalize(self, _finish, self._owner, process, self._stderr, self.folder)
        try:
            reply = self.receive(START_S, None)
        except FaultError as error:
            self._cannot_start(str(error))
        if "fault" in reply:
            self._cannot_start(reply["fault"])
        self.version = str(reply["version"])

    def usable(self) -> bool:
        """Whether it runs and is this process's own."""
        return not self._broken and self._owner == os.getpid() and self.process.poll() is None

    def close(self) -> None:
        """End it and all that it has started."""
        self._broken = True
        self._finalizer()

    def send(self, message: dict[str, Any]) -> None:
        """Ask; the worker reads at any time, so this does not wait for a page."""
        frame = json.dumps(message).encode()
        data = memoryview(len(frame).to_bytes(4, "big") + frame)
        try:
            while data:
                data = data[os.write(self._in, data) :]
        except OSError as error:
            raise FaultError(f"the render worker broke: {error}") from error

    def receive(self, wall_s: float, limits: Limits | None) -> dict[str, Any]:
        """The next reply, with its picture as ``picture``."""
        watch = _Watch(self.process.pid, wall_s, limits, self.fresh)
        size = int.from_bytes(self._read(4, watch), "big")
        if size > REPLY:
            raise FaultError(f"the render worker's reply has {size} bytes")
        reply: dict[str, Any] = json.loads(self._read(size, watch))
        reply["picture"] = self._read(int(reply["png"]), watch)
        return reply

    @property
    def _in(self) -> int:
        return self.process.stdin.fileno() if self.process.stdin else -1

    @property
    def _out(self) -> int:
        return self.process.stdout.fileno() if self.process.stdout else -1

    def _read(self, size: int, watch: _Watch) -> bytes:
        data = bytearray()
        while len(data) < size:
            if not select.select([self._out], [], [], watch.pause())[0]:
                watch.check()
                continue
            part = os.read(self._out, min(size - len(data), 1 << 20))
            if not part:
                raise FaultError("the render worker died")
            data += part
        return bytes(data)

    def _cannot_start(self, why: str) -> NoReturn:
        with contextlib.suppress(OSError):
            self._stderr.seek(0)
            stderr_lines = self._stderr.read(1 << 16).decode(errors="replace").strip().splitlines()
            why += f" ({stderr_lines[-1]})" if stderr_lines else ""
        self.close()
        raise _StartError(f"the browser cannot start: {_line(why)}")


class _Watch:
    """Looks, now and then, at what the browser uses for a page."""

    def __init__(self, process: int, wall_s: float, limits: Limits | None, fresh: bool) -> None:
        self._process, self._wall_s, self._limits, self._fresh = process, wall_s, limits, fresh
        self._begun = time.monotonic()
        self._base: float | None = None

    def pause(self) -> float:
        """Seconds until the next look."""
        elapsed = time.monotonic() - self._begun
        return max(0.0, min(_UNCOUNTED_S - elapsed if elapsed < _UNCOUNTED_S else _POLL_S, self._wall_s - elapsed))

    def check(self) -> None:
        """Raise :class:`_PageFailed` if the page has used more than it may, :class:`FaultError` if it only waited."""
        elapsed = time.monotonic() - self._begun
        late, used = elapsed >= self._wall_s, ""
        if self._limits is not None and (late or elapsed >= _UNCOUNTED_S):
            cpu_s, memory = process_usage(self._process)
            self._base = cpu_s if self._base is None else min(self._base, cpu_s)
            if memory > self._limits.memory:
                raise _PageFailed(Reason.MEMORY, f"more than {self._limits.memory >> 20} MiB", sure=self._fresh)
            if cpu_s - self._base > self._limits.cpu_s:
                raise _PageFailed(Reason.TOO_SLOW, f"{self._limits.cpu_s:g} s of CPU time", sure=True)
            if late and not memory:  # no /proc: nobody knows whose fault it is
                raise _PageFailed(Reason.TOO_SLOW, f"{self._wall_s:g} s on the clock")
            used = f", of which it has used {cpu_s - self._base:.1f} s of CPU time: is the machine too busy?"
        if late:
            raise FaultError(f"the browser has not answered in {self._wall_s:g} s{used}")


def process_usage(root: int) -> tuple[float, int]:
    """CPU seconds of a process and all below it, and bytes of the largest; zero where there is no /proc."""
    ticks, pages, cpu, memory = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE"), 0, 0
    for process in [root, *render_worker.descendants(root)]:
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = Path(f"/proc/{process}/stat").read_text(errors="replace").rpartition(")")[2].split()
            cpu += sum(map(int, fields[11:15]))  # its own, and that of children who have ended
            memory = max(memory, int(fields[21]) * pages)
    return cpu / ticks, memory


def _environment(folder: str) -> dict[str, str]:
    """Little of this process's: a browser reads many variables, and some change pixels."""
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT") if name in os.environ}
    data = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return {
        **kept,
        "HOME": folder,
        "TMPDIR": folder,
        "XDG_CONFIG_HOME": folder,
        "XDG_DATA_HOME": data,
        "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache"),
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "FONTCONFIG_FILE": str(Path(__file__).parents[1] / "data" / "fonts.conf"),
        "DBUS_SESSION_BUS_ADDRESS": "disabled:",
    }


def _finish(owner: int, process: subprocess.Popen[bytes], stderr: Any, folder: str) -> None:
    pipes: tuple[Any, ...] = (process.stdin, process.stdout, stderr)
    for pipe in pipes:
        with contextlib.suppress(OSError):
            pipe.close()
    if owner != os.getpid():  # the worker is the parent's; only its descriptors are ours to close
        process.returncode = 0
        return
    try:
        process.wait(6.0)  # it kills what it has started as soon as its input ends
    except subprocess.TimeoutExpired:
        for one in [process.pid, *render_worker.descendants(process.pid)]:
            with contextlib.suppress(OSError):
                os.kill(one, signal.SIGKILL)
        process.wait()
    for _ in range(20):  # what was just being started when it was killed may still write a file
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.exists(folder):
            return
        time.sleep(0.05)


def _line(text: str, length: int = 300) -> str:
    lines: Sequence[str] = text.strip().splitlines() or [""]
    return "".join(character if character.isprintable() else "?" for character in lines[0])[:length]


_browsers: weakref.WeakSet[Browser] = weakref.WeakSet()
_shared: PerProcess[Browser] = PerProcess(Browser, Browser.close)


def _abandon_all() -> None:
    for browser in list(_browsers):
        browser.abandon()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_abandon_all)
