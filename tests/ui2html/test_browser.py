"""The render worker: the same pixels ever, nothing read or reached, nothing left behind."""

from __future__ import annotations

import contextlib
import io
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interactive_envs.errors import ConfigError, FaultError, MissingExtraError
from interactive_envs.ui2html.rendering import browser as browsers
from interactive_envs.ui2html.rendering import render_worker
from interactive_envs.ui2html.rendering.browser import Browser, HtmlError, Limits, Reason, Render
from interactive_envs.ui2html.rendering.colour import CLEAR, Colour, read_colour
from interactive_envs.ui2html.targets import designs as targets
from tests.ui2html import servers

Image = pytest.importorskip("PIL.Image")

HOSTILE = sorted(path.stem for path in (Path(__file__).parent / "hostile").glob("*.html"))
BREAKS = {"giant_boxes", "iframe_nest", "svg_use_bomb", "png_bomb", "too_many", "css_bombs", "formatting_bomb"}
"""Pages that may be refused for what they cost; how much depends on the machine."""
HEALTHY = "<!doctype html><p>Healthy"
PAGES = {
    "cards": """<!doctype html><style>body{font-family:sans-serif}.c{display:inline-block;width:200px;height:120px;
    border-radius:12px;background:linear-gradient(45deg,#36c,#9cf);box-shadow:0 4px 12px #0006;transform:rotate(3deg)}
    </style><h1>Cards</h1><div class=c>a</div><div class=c>b</div>""",
    "form": """<!doctype html><form><input placeholder=Name><select><option>A</select><input type=checkbox checked>
    <input type=date><input type=range><progress></progress><button>Send</button><textarea>t</textarea></form>""",
    "moving": """<!doctype html><style>@keyframes a{from{left:0}to{left:300px}}i{position:relative;
    animation:a .3s infinite alternate}</style><i>runs</i><marquee>round</marquee><h2>\u2713 \u4e2d \U0001f600</h2>""",
    "long": "<!doctype html><body style='background:linear-gradient(#fff,#246)'>" + "<p>Line</p>" * 100,
}


DAILY = {
    "css_exfiltration",
    "deep_nesting",
    "endless_animations",
    "file_images",
    "forms",
    "http_images",
    "iframes",
    "meta_refresh_http",
    "objects",
    "popups",
    "script_network",
    "svg_foreign",
}
"""Hostile pages of each kind; too many elements are tried below."""
SLOW = {"png_bomb", "svg_use_bomb", "iframe_nest", "giant_boxes", "giant_table"}
"""Hostile pages that use all the time there is."""


@pytest.fixture(scope="module")
def lures(tmp_path_factory: pytest.TempPathFactory) -> Iterator[servers.Lures]:
    with servers.Lures(tmp_path_factory.mktemp("canary")) as lures:
        yield lures


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """One that these tests may kill."""
    with Browser(chromium=chromium) as browser:
        yield browser


@pytest.fixture(scope="module")
def strict(chromium: str) -> Iterator[Browser]:
    """A browser with less time, so that the worst pages take less of the tests'."""
    with Browser(chromium=chromium, limits=Limits(cpu_s=3.0, elements=5000)) as browser:
        yield browser


@pytest.fixture(scope="module")
def healthy(strict: Browser) -> bytes:
    return strict.render(HEALTHY).png


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name not in DAILY)) for name in HOSTILE]
)
def test_a_hostile_page_reaches_nothing_and_ends(
    name: str, strict: Browser, healthy: bytes, lures: servers.Lures
) -> None:
    page = lures.bait((Path(__file__).parent / "hostile" / f"{name}.html").read_text(encoding="utf-8"))
    begun = time.monotonic()
    seen = rendered(strict, page)
    if isinstance(seen, HtmlError):
        assert name in BREAKS, seen
        assert seen.reason in (Reason.TOO_MANY, Reason.TOO_SLOW, Reason.MEMORY, Reason.CRASH)
    else:
        assert not any(servers.WORD in node.text for node in seen.tree)
        colours = Image.open(io.BytesIO(seen.png)).convert("RGB").getcolors(1 << 24)
        assert servers.CANARY not in {colour for _, colour in colours}
        if name not in BREAKS:
            assert strict.render(page).png == seen.png
    assert time.monotonic() - begun < 120
    assert strict.render(HEALTHY).png == healthy
    assert lures.reached == []


def rendered(browser: Browser, page: str) -> Render | HtmlError:
    try:
        return browser.render(page)
    except HtmlError as error:
        return error


def test_late_requests_do_not_arrive_either(lures: servers.Lures, strict: Browser) -> None:
    page = (Path(__file__).parent / "hostile" / "link_hints.html").read_text(encoding="utf-8")
    strict.render(lures.bait(page))
    time.sleep(1.0)
    assert lures.reached == []


def test_there_are_enough_hostile_pages() -> None:
    assert len(set(HOSTILE) - SLOW) >= 40
    assert set(HOSTILE) > SLOW | DAILY
    assert not SLOW & DAILY


def test_pixels_are_equal_again_and_in_another_browser(browser: Browser, strict: Browser) -> None:
    pages = [PAGES["cards"], PAGES["moving"]]
    seen = [browser.render(page) for page in pages]
    assert [browser.render(page) for page in pages] == seen
    assert [strict.render(page) for page in pages] == seen


@pytest.mark.long
def test_pixels_are_equal_over_three_restarts(chromium: str) -> None:
    seen = []
    for _ in range(3):
        with Browser(chromium=chromium) as browser:
            seen.append({name: browser.render(page) for name, page in PAGES.items()})
            assert {name: browser.render(page) for name, page in PAGES.items()} == seen[-1]
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.long
def test_pixels_of_all_targets_are_equal_over_three_restarts(chromium: str) -> None:
    pages = [targets.html(design) for design in targets.fixed()]
    seen = []
    for _ in range(3):
        with Browser(chromium=chromium) as browser:
            seen.append([browser.render(page) for page in pages])
    assert seen[0] == seen[1] == seen[2]


def test_the_tree_says_what_is_where(browser: Browser) -> None:
    seen = browser.render(
        "<!doctype html><style>body{margin:0;font:16px Arial}.b{position:absolute;left:10px;top:20px;width:100px;"
        "height:50px;background:#123456;color:rgba(255,255,255,.5);border:2px solid red;border-radius:8px 0 50% 4px;"
        "font:bold 20px Arial;overflow:hidden}.c{margin-left:90px;width:80px}.b::before{content:'>'}</style>"
        "<div class=b id=x>Hello <b>you</b> there<div class=c>cut</div></div><input placeholder=Name><i hidden>no</i>"
        "<select><option>A<option selected>B</select><p style='visibility:hidden'>unseen<p style='opacity:0'>clear"
    )
    tree = {(node.tag, node.text): node for node in seen.tree}
    box = tree["div", "Hello there"]
    assert box.box == (10, 20, 104, 54)
    assert (box.colour, box.background) == (Colour(255, 255, 255, 0.5), Colour(0x12, 0x34, 0x56))
    assert (box.size, box.weight, box.font) == (20, 700, "Arial")
    assert box.borders == ((2, "solid", Colour(255, 0, 0)),) * 4
    assert box.radius == (8, 0, 52, 4)
    assert box.attributes == (("class", "b"), ("id", "x"))
    assert seen.tree[box.parent].tag == "body"
    cut = tree["div", "cut"]
    assert (cut.box.width, cut.visible.width) == (80, 104 - 92)
    assert {("::before", ">"), ("b", "you"), ("input", "Name"), ("select", "B")} <= tree.keys()
    assert not any(node.tag == "i" or node.text in ("unseen", "clear") for node in seen.tree)
    assert all(node.parent < place for place, node in enumerate(seen.tree))
    assert tree["b", "you"].depth == box.depth + 1
    assert pickle.loads(pickle.dumps(seen)) == seen


def test_generic_families_are_the_liberation_fonts(browser: Browser) -> None:
    pairs = {
        "sans-serif": "Liberation Sans",
        "serif": "Liberation Serif",
        "monospace": "Liberation Mono",
        "system-ui": "Liberation Sans",
        "Arial": "Liberation Sans",
        "Courier New": "Liberation Mono",
        "NoSuchFont": "Liberation Serif",
    }
    fonts = [font for pair in pairs.items() for font in pair]
    page = "".join(f"<p style='font:16px {font};margin:0'>Widths tell" for font in fonts)
    boxes = [node.text_box for node in browser.render(f"<!doctype html>{page}").tree if node.text]
    sizes = [(box.width, box.height) for box in boxes]
    assert len(sizes) == len(fonts)
    assert dict(zip(pairs, sizes[::2], strict=True)) == dict(zip(pairs, sizes[1::2], strict=True))


def test_a_picture_is_as_tall_as_the_page_within_bounds(browser: Browser) -> None:
    for height, drawn in ((100, 768), (2000, 2000), (9000, 4096)):
        seen = browser.render(f"<!doctype html><body style='margin:0'><div style='height:{height}px'>")
        assert Image.open(io.BytesIO(seen.png)).size == (seen.width, seen.height) == (1024, drawn)
        assert seen.problems == (("cut at 4096 px of 9000",) if height == 9000 else ())


def test_refusals_are_told(browser: Browser) -> None:
    seen = browser.render(
        "<script>1</script><img src=http://x.invalid/a.png><img src='data:image/gif;base64,R0lGODlhAQABAAAAACw='>"
    )
    assert seen.problems == ("refused: image http://x.invalid/a.png", "refused: script")


def test_limits_have_names(strict: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(HtmlError, match="too many elements: 5103, at most 5000"):
        strict.render("<b>" * 5100)
    monkeypatch.setattr(strict, "limits", Limits(html=100))
    with pytest.raises(HtmlError, match="too large: 101 bytes, at most 100") as large:
        strict.render("x" * 101)
    assert strict.render("fine").height == 768
    assert strict.render("x" * 101, largest=101).height == 768
    with pytest.raises(HtmlError, match="too large: 102 bytes, at most 101"):
        strict.render("x" * 102, largest=101)
    copy = pickle.loads(pickle.dumps(large.value))
    assert (copy.reason, str(copy)) == (Reason.TOO_LARGE, str(large.value))
    with pytest.raises(ConfigError, match="limit cpu_s must be above 0"):
        Limits(cpu_s=0)


NESTED = "".join(f"<g id=a{n}>" + f"<use href='#a{n - 1}'/>" * 10 + "</g>" for n in range(1, 9))
BOMB = f"<svg><g id=a0><circle r=3 /></g>{NESTED}<use href='#a8'/></svg>"
"""A page that takes all the CPU time there is."""


def workers(monkeypatch: pytest.MonkeyPatch) -> list[browsers.RenderProcess]:
    """The workers that are started from now on."""
    started: list[browsers.RenderProcess] = []
    real = browsers.RenderProcess.__init__

    def init(worker: browsers.RenderProcess, *arguments: Any) -> None:
        real(worker, *arguments)
        started.append(worker)

    monkeypatch.setattr(browsers.RenderProcess, "__init__", init)
    return started


def test_a_page_that_uses_up_its_cpu_time_is_tried_once(chromium: str, monkeypatch: pytest.MonkeyPatch) -> None:
    started = workers(monkeypatch)
    with (
        Browser(chromium=chromium, limits=Limits(cpu_s=0.5, wall_s=600)) as browser,
        pytest.raises(HtmlError, match=r"too slow: 0\.5 s of CPU time"),
    ):
        browser.render(BOMB)
    assert len(started) == 1


ACTOR = """
import json, os, sys, time

def say(**reply):
    frame = json.dumps({**reply, "png": 0}).encode()
    sys.stdout.buffer.write(len(frame).to_bytes(4, "big") + frame)
    sys.stdout.buffer.flush()

say(version=str(os.getpid()))
while len(head := sys.stdin.buffer.read(4)) == 4:
    match json.loads(sys.stdin.buffer.read(int.from_bytes(head, "big")))["html"]:
        case "refused":
            say(reason="too many elements", detail="")
        case "fails":
            say(fault="TargetClosedError: gone")
        case "crashes":
            say(crash="Page crashed")
        case "dies":
            os._exit(1)
        case "fills":
            memory = b"x" * (300 << 20)
"""
"""A worker without a browser, which does what the page says, and waits after any other."""


@pytest.fixture
def actor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The program to give to a browser whose worker is :data:`ACTOR`; the code that watches it is the real one."""
    script = tmp_path / "actor.py"
    script.write_text(ACTOR, encoding="utf-8")
    monkeypatch.setattr(render_worker, "__file__", str(script))
    return sys.executable


@pytest.mark.skipif(sys.platform != "linux", reason="what processes use is found in /proc")
def test_a_page_that_uses_up_its_memory_is_tried_once_by_a_fresh_browser(
    actor: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = workers(monkeypatch)
    with Browser(chromium=actor, limits=Limits(memory=200 << 20, wall_s=600)) as browser:
        with pytest.raises(HtmlError, match="too much memory: more than 200 MiB"):
            browser.render("fills")
        assert len(started) == 1
        with pytest.raises(HtmlError, match="too many elements"):
            browser.render("refused")
        assert len(started) == 2
        with pytest.raises(HtmlError, match="too much memory"):
            browser.render("fills")  # what others left may have been too much: asked of one that has drawn nothing
        assert len(started) == 3


def test_a_page_that_only_waits_is_nobodys_fault_and_tried_twice(actor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    started = workers(monkeypatch)
    monkeypatch.setattr(browsers, "process_usage", lambda _: (0.0, 1 << 20))  # less than a tick of the clock
    with (
        Browser(chromium=actor, limits=Limits(wall_s=0.2)) as browser,
        pytest.raises(FaultError, match=r"has not answered in 0\.6 s.* used 0\.0 s .* is the machine too busy\?"),
    ):
        browser.render("waits")
    assert len(started) == 2
    monkeypatch.setattr(browsers, "process_usage", lambda _: (0.0, 0))  # as where there is no /proc
    with (
        Browser(chromium=actor, limits=Limits(wall_s=0.2)) as browser,
        pytest.raises(HtmlError, match=r"too slow: 0\.6 s on the clock"),
    ):
        browser.render("waits")
    assert len(started) == 4


@pytest.mark.parametrize(
    ("end", "error", "says"),
    [
        ("dies", FaultError, "the render worker died"),
        ("fails", FaultError, "the browser failed: TargetClosedError"),
        ("crashes", HtmlError, "crashed"),
    ],
)
def test_a_page_at_which_the_worker_fails_is_tried_twice(
    end: str, error: type[Exception], says: str, actor: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = workers(monkeypatch)
    with Browser(chromium=actor) as browser, pytest.raises(error, match=says):
        browser.render(end)
    assert len(started) == 2


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
@pytest.mark.parametrize(
    ("by", "told"), [(signal.SIGKILL, {"fault"}), pytest.param(signal.SIGSEGV, {"crash"}, marks=pytest.mark.long)]
)
def test_what_somebody_kills_is_a_fault_what_fails_by_itself_a_crash_and_the_page_is_drawn_anew(
    by: signal.Signals, told: set[str], browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = browser.render(HEALTHY)
    assert browser.worker is not None
    drawing = victims(browser.worker.process.pid, "renderer")
    send, receive = browsers.RenderProcess.send, browsers.RenderProcess.receive
    replies = []

    def sent(worker: browsers.RenderProcess, message: dict[str, Any]) -> None:
        while drawing:
            with contextlib.suppress(ProcessLookupError):
                os.kill(drawing.pop(), by)
        send(worker, message)

    def received(worker: browsers.RenderProcess, wall_s: float, limits: Limits | None) -> dict[str, Any]:
        reply = receive(worker, wall_s, limits)
        replies.append(reply.keys() & {"fault", "crash", "version", "document"})
        return reply

    monkeypatch.setattr(browsers.RenderProcess, "send", sent)
    monkeypatch.setattr(browsers.RenderProcess, "receive", received)
    assert browser.render(HEALTHY) == seen
    assert replies == [told, {"version"}, {"document"}]


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
@pytest.mark.parametrize(
    ("victim", "by", "error", "says"),
    [
        ("worker", signal.SIGKILL, FaultError, "the render worker (died|broke)"),
        ("browser", signal.SIGKILL, FaultError, "the browser failed: TargetClosedError"),
        ("renderer", signal.SIGKILL, FaultError, "the browser failed: TargetClosedError"),
        ("renderer", signal.SIGTERM, FaultError, "the browser failed: TargetClosedError"),
        ("renderer", signal.SIGSEGV, HtmlError, "crashed"),
    ],
)
def test_what_somebody_kills_twice_is_a_fault_and_what_fails_by_itself_twice_is_the_players(
    victim: str, by: signal.Signals, error: type[Exception], says: str, chromium: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = workers(monkeypatch)
    hit: list[browsers.RenderProcess] = []
    over = threading.Event()

    def kill() -> None:
        while not over.wait(0.1):
            for worker in [one for one in started if one not in hit]:
                over.wait(0.3)  # the page is being drawn then
                hit.append(worker)
                for process in victims(worker.process.pid, victim):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(process, by)

    killer = threading.Thread(target=kill)
    with Browser(chromium=chromium, limits=Limits(cpu_s=60, wall_s=600)) as browser:
        killer.start()
        try:
            with pytest.raises(error, match=says):
                browser.render(BOMB)
        finally:
            over.set()
            killer.join()
        assert len(started) == len(hit) == 2
        assert browser.render(HEALTHY).height == 768


def victims(worker: int, kind: str) -> list[int]:
    """Processes of a kind."""
    if kind == "worker":
        return [worker]
    found = []
    for process in render_worker.descendants(worker):
        with contextlib.suppress(OSError):
            command = Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8")
            if "--type=renderer" in command if kind == "renderer" else "--remote-debugging-pipe" in command:
                found.append(process)
    return found


def test_a_dead_browser_is_replaced(browser: Browser) -> None:
    seen = browser.render(HEALTHY)
    worker = browser.worker
    assert worker is not None
    for victim in (worker.process.pid, *render_worker.descendants(worker.process.pid)[-3:]):
        with contextlib.suppress(ProcessLookupError):  # it ends by itself when its parent does
            os.kill(victim, signal.SIGKILL)
    assert browser.render(HEALTHY) == seen
    assert browser.worker is not worker


def test_killing_chromium_alone_is_survived(browser: Browser) -> None:
    seen = browser.render(HEALTHY)
    assert browser.worker is not None
    for process in render_worker.descendants(browser.worker.process.pid):
        if "chrom" in Path(f"/proc/{process}/comm").read_text(encoding="utf-8"):
            os.kill(process, signal.SIGKILL)
            break
    assert browser.render(HEALTHY) == seen


def test_what_dies_twice_is_a_fault(actor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def receive(worker: browsers.RenderProcess, wall_s: float, limits: Limits | None) -> dict[str, str]:
        asked.append(wall_s)
        return {"version": "1"} if limits is None else {"fault": "TargetClosedError: gone"}

    monkeypatch.setattr(browsers.RenderProcess, "receive", receive)
    with Browser(chromium=actor) as browser, pytest.raises(FaultError, match="the browser failed: TargetClosed"):
        browser.render(HEALTHY)
    assert asked == [browsers.START_S, 10, browsers.START_S, 30]


def test_a_program_that_is_no_browser_is_a_fault(chromium: str, tmp_path: Path) -> None:
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    program.chmod(0o755)
    with Browser(chromium=str(program)) as browser, pytest.raises(FaultError, match="the browser cannot start"):
        browser.render(HEALTHY)
    with Browser(chromium=str(tmp_path / "none")) as browser, pytest.raises(ConfigError, match="is no program"):
        browser.render(HEALTHY)


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(browsers.importlib.util, "find_spec", lambda _: None)
    with Browser(chromium=sys.executable) as browser, pytest.raises(MissingExtraError, match=r"interactive-envs\[ui\]"):
        browser.render(HEALTHY)
    monkeypatch.setattr(browsers.shutil, "which", lambda _: None)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.delenv("IBENCH_CHROMIUM", raising=False)
    with pytest.raises(ConfigError, match="apt install chromium"):
        browsers.find_chromium()
    own = tmp_path / "chromium-1200" / "chrome-linux" / "chrome"
    own.parent.mkdir(parents=True)
    own.touch(0o755)
    assert browsers.find_chromium() == str(own)
    monkeypatch.setenv("IBENCH_CHROMIUM", "no-such-program")
    with pytest.raises(ConfigError, match="IBENCH_CHROMIUM names no program"):
        browsers.find_chromium()
    monkeypatch.setattr(browsers.os, "walk", lambda _: iter(()))
    with pytest.raises(ConfigError, match="apt install fonts-liberation"):
        browsers.find_fonts()


def test_threads_take_turns(browser: Browser) -> None:
    alone = {number: browser.render(f"<h1>{number}") for number in range(3)}
    seen: dict[int, browsers.Render] = {}

    def render(number: int) -> None:
        seen[number] = browser.render(f"<h1>{number}")

    threads = [threading.Thread(target=render, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == alone


def test_a_copy_is_a_browser_of_its_own(chromium: str) -> None:
    with Browser(chromium=chromium, limits=Limits(html=10)) as browser, pickle.loads(pickle.dumps(browser)) as copy:
        assert copy is not browser
        with pytest.raises(HtmlError, match="at most 10"):
            copy.render("x" * 11)


def alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def all_gone(processes: list[int]) -> bool:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if not any(map(alive, processes)):
            return True
        time.sleep(0.05)
    return False


def test_closing_leaves_nothing(browser: Browser) -> None:
    browser.render(HEALTHY)
    assert browser.worker is not None
    root, folder = browser.worker.process.pid, Path(browser.worker.folder)
    processes = [root, *render_worker.descendants(root)]
    assert len(processes) > 3
    assert folder.is_dir()
    browser.close()
    assert all_gone(processes)
    assert not folder.exists()
    assert browser.version()


START = """
import os, signal, sys, time
from interactive_envs.ui2html.rendering import browser, render_worker
ours = browser.shared()
png = ours.render("<p>Healthy").png
root = ours.worker.process.pid
print(*[root, *render_worker.descendants(root)], flush=True)
print(ours.worker.folder, flush=True)
"""
ENDS = {
    "exit": "",
    "raise": "raise SystemExit(3)",
    "killed": "os.kill(os.getpid(), signal.SIGKILL)",
    "killed with a child that lives on": """
ready, done = os.pipe()
if os.fork() == 0:
    os.close(1)
    os.close(2)
    time.sleep(20)
    os._exit(0)
os.kill(os.getpid(), signal.SIGKILL)""",
    "killed in the middle of a page": f"""
import threading
threading.Thread(target=ours.render, args=({BOMB!r},), daemon=True).start()
time.sleep(1.5)
os.kill(os.getpid(), signal.SIGKILL)""",
}


@pytest.mark.parametrize(
    "end", [pytest.param(end, marks=[pytest.mark.long] * (end in ("raise", "killed"))) for end in ENDS]
)
def test_no_end_of_the_process_leaves_a_browser(end: str, chromium: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", START + ENDS[end]],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "IBENCH_CHROMIUM": chromium},
    )
    first, folder = done.stdout.splitlines()
    assert all_gone([int(word) for word in first.split()])
    assert not Path(folder).exists()


FORK = """
import os
from interactive_envs.ui2html.rendering import browser
ours = browser.Browser()
png = ours.render("<p>Healthy").png
child = os.fork()
if child == 0:
    with ours:
        same = ours.render("<p>Healthy").png == png
    os._exit(0 if same else 4)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert ours.render("<p>Healthy").png == png
ours.close()
print("both")
"""


FORK_OF_ACTOR = """
import os
import sys
from interactive_envs.ui2html.rendering import browser, render_worker
render_worker.__file__ = sys.argv[1]
ours = browser.Browser(chromium=sys.executable)
version = ours.version()
child = os.fork()
if child == 0:
    with ours:
        other = ours.worker is None and ours.version() != version
    os._exit(0 if other else 4)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert ours.version() == version
ours.close()
print("both")
"""


def test_a_forked_process_starts_a_worker_of_its_own(actor: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORK_OF_ACTOR, render_worker.__file__],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "both\n", done.stderr


@pytest.mark.long
def test_a_forked_process_has_a_browser_of_its_own(chromium: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORK],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "IBENCH_CHROMIUM": chromium},
    )
    assert done.stdout == "both\n", done.stderr


NETWORK = """
import socket
from interactive_envs.ui2html.rendering import render_worker
render_worker.no_network()
socket.socketpair()
for family in (socket.AF_INET, socket.AF_INET6):
    try:
        socket.socket(family)
    except PermissionError:
        continue
    raise SystemExit("a socket")
print("none")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="seccomp is Linux's")
def test_the_kernel_gives_the_worker_no_network_socket() -> None:
    done = subprocess.run([sys.executable, "-c", NETWORK], capture_output=True, text=True, check=False)
    assert done.stdout == "none\n", done.stderr


@pytest.mark.parametrize(
    ("page", "left"),
    [
        ('<i a="data:image/svg+xml,%3Canimate/%3E">', '<i a="data:image/x-moving,%3Canimate/%3E">'),
        ("<img src='data:image/svg+xml;base64,PHNldCAvPg=='>", "<img src='data:image/x-moving;base64,PHNldCAvPg=='>"),
        ("<style>@keyframes a{}p{background:url(data:image/svg+xml,<svg/>)}", None),
        ("<template shadowRootMode=open>", "<template data-shadow=open>"),
        ("<p>data:image/svg+xml", None),
    ],
)
def test_what_cannot_be_stopped_is_taken_out(page: str, left: str | None) -> None:
    assert render_worker.still(page)[0] == (left or page)


@pytest.mark.parametrize(
    ("text", "colour"),
    [
        ("rgb(1, 2, 3)", (1, 2, 3, 1)),
        ("rgba(1, 2, 3, 0.25)", (1, 2, 3, 0.25)),
        ("color(srgb 1 0 0.5 / 0.5)", (255, 0, 128, 0.5)),
        ("color(srgb-linear 1 0.2140 0)", (255, 128, 0, 1)),
        ("lab(54.29 80.81 69.89)", (255, 0, 0, 1)),
        ("lch(29.57 131.2 301.37)", (0, 0, 255, 1)),
        ("oklab(1 0 0)", (255, 255, 255, 1)),
        ("oklch(0.5 none none / none)", (99, 99, 99, 0)),
        ("currentcolor", CLEAR),
        ("rgb(1, x, 3)", CLEAR),
        ("rgb(1, 2)", CLEAR),
    ],
)
def test_colours_of_every_form(text: str, colour: tuple[float, ...]) -> None:
    assert read_colour(text) == pytest.approx(colour, abs=1)
