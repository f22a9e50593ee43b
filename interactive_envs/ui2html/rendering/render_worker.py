"""The process that owns one Chromium: it reads pages from its standard input and writes what they look like.

Run by :mod:`interactive_envs.ui2html.rendering.browser` as a file, so it knows nothing of the package. A frame is four
bytes of length and JSON; a reply with a picture is followed by the picture's bytes.
"""

from __future__ import annotations

import base64
import contextlib
import ctypes
import html as html_text
import importlib.util
import json
import os
import platform
import queue
import re
import shutil
import signal
import struct
import sys
import threading
import time
import urllib.parse
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn

SHELL: Final = "http://page.invalid/"
"""The only address that is answered: with an empty document under :data:`POLICY`, into which one page is written."""
POLICY: Final = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'"
"""An empty sandbox: no scripts, forms, popups, downloads, refreshes or autofocus; a policy outlives document.open."""
FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-sync",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--mute-audio",
    # Pixels: one colour space, grey anti-aliasing, whole drawings, images decoded before they are drawn and still.
    "--force-color-profile=srgb",
    "--force-device-scale-factor=1",
    "--font-render-hinting=none",
    "--disable-lcd-text",
    "--disable-font-subpixel-positioning",
    "--disable-checker-imaging",
    "--disable-partial-raster",
    "--disable-skia-runtime-opts",
    "--disable-threaded-animation",
    "--blink-settings=imageAnimationPolicy=2",
    "--disable-blink-features=CSSRandomFunction",
    # A document for each page, without a process for each: a sandboxed one would start two. Of such a list the last one
    # counts, so that what Playwright switches off comes again.
    "--disable-features=IsolateSandboxedIframes,RenderDocument,AcceptCHFrame,AvoidUnnecessaryBeforeUnloadCheckSync,"
    "DestroyProfileOnBrowserClose,HttpsFirstBalancedModeAutoEnable,HttpsUpgrades,LensOverlay,MediaRouter,"
    "OptimizationHints,PaintHolding,ThirdPartyStoragePartitioning,Translate",
    # No name is found, and the only way out is a proxy that has a name.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=socks5://proxy.invalid:9",
    "--proxy-bypass-list=<-loopback>",
)
CONTEXT = {
    "device_scale_factor": 1,
    "java_script_enabled": False,
    "offline": True,
    "service_workers": "block",
    "accept_downloads": False,
    "locale": "en-US",
    "timezone_id": "UTC",
    "color_scheme": "light",
    "reduced_motion": "reduce",
}
PREPARE: Final = """([limit, skips]) => {
  // A page can shadow what document has by naming elements, never what the prototypes have.
  const D = Document.prototype;
  const find = (what) => [...D.querySelectorAll.call(document, what)];
  const count = D.getElementsByTagName.call(document, '*').length;
  if (count > limit) return count;
  try {
    const copy = (old, name, without) => {
      const fresh = D.createElement.call(document, name);
      for (const {name, value} of [...old.attributes]) if (!without.includes(name)) fresh.setAttribute(name, value);
      old.replaceWith(fresh);
      return fresh;
    };
    for (const old of find('marquee')) copy(old, 'div', []).append(...old.childNodes);
    for (const old of find('video, audio')) copy(old, old.localName, ['src', 'autoplay', 'preload']);
    const sheet = new CSSStyleSheet();
    // Taking the picture of a tall page makes the window tiny for a moment, and what changes then glides back: in a
    // layer, important beats what the page calls important.
    sheet.replaceSync('video::-webkit-media-controls, audio::-webkit-media-controls { display: none !important }' +
      '@layer { *, ::before, ::after, ::marker, ::backdrop { transition: none !important } }');
    Object.getOwnPropertyDescriptor(D, 'adoptedStyleSheets').set.call(document, [sheet]);
    for (const one of find('[style*=transition i]')) one.style.removeProperty('transition');
    for (const bar of find('progress:indeterminate')) bar.style.setProperty('appearance', 'none', 'important');
    for (const frame of find('iframe, frame, object, embed, fencedframe'))
      frame.style.setProperty('visibility', 'hidden', 'important');
    if (skips)  // what is far from the window is skipped or not, as time allows
      for (const one of find('*'))
        if (getComputedStyle(one).contentVisibility === 'auto')
          one.setAttribute('style', `${one.getAttribute('style') || ''};content-visibility:visible!important`);
    const [root] = find(':root');
    if (D.getAnimations.call(document).length && root instanceof HTMLElement) {
      // What has moved already left traces in how the rest is drawn: lay everything out anew.
      const display = root.style.display;
      root.style.display = 'none';
      getComputedStyle(root).width;
      root.style.display = display;
    }
    for (let round = 0; round < 3; round++)
      for (const animation of D.getAnimations.call(document))
        try { animation.finish(); } catch { animation.cancel(); }
    // For the same reason, what the page asks about the window keeps its answer.
    const pin = (media) => {
      if (media.length) media.mediaText = matchMedia(media.mediaText).matches ? 'all' : 'not all';
    };
    const pinAll = (rules) => {
      for (const rule of rules) {
        if (rule instanceof CSSMediaRule) pin(rule.media);
        if (rule.cssRules) pinAll(rule.cssRules);
      }
    };
    for (const {sheet: own} of find('style'))
      if (own) {
        pin(own.media);
        pinAll(own.cssRules);
      }
  } catch {}  // a page that defeats this only moves
  return count;
}"""
"""What moves by itself stands still: at its end, or as if it had never begun where there is none."""
STYLES: Final = (
    "color",
    "background-color",
    "background-image",
    "font-family",
    "font-size",
    "font-weight",
    "font-style",
    "line-height",
    "letter-spacing",
    "text-align",
    "text-decoration-line",
    "text-transform",
    "border-top-width",
    "border-right-width",
    "border-bottom-width",
    "border-left-width",
    "border-top-style",
    "border-right-style",
    "border-bottom-style",
    "border-left-style",
    "border-top-color",
    "border-right-color",
    "border-bottom-color",
    "border-left-color",
    "border-top-left-radius",
    "border-top-right-radius",
    "border-bottom-right-radius",
    "border-bottom-left-radius",
    "box-shadow",
    "opacity",
    "visibility",
    "display",
    "position",
    "z-index",
    "overflow-x",
    "overflow-y",
    "padding-top",
    "padding-right",
    "padding-bottom",
    "padding-left",
    "list-style-type",
    "transform",
)
REFUSALS: Final = (
    (re.compile(r"Loading the (\w+) '([^']*)' violates"), r"\1 \2"),
    (re.compile(r"Loading (plugin) data from '([^']*)' violates"), r"\1 \2"),
    (re.compile(r"Not allowed to load local resource: (.*)"), r"file \1"),
    (re.compile(r"Framing '([^']*)' violates"), r"frame \1"),
    (re.compile(r"Blocked script execution"), "script"),
    (re.compile(r"Refused to execute the redirect"), "refresh"),
    (re.compile(r"Blocked autofocusing"), "autofocus"),
    (re.compile(r"Refused to apply|Refused to (?:load|frame|connect|send)|violates the following Content"), "request"),
)
"""The browser's message of a refusal, and the reason that is given."""
PROBLEMS, PROBLEM = 20, 120
SVG: Final = re.compile(r"data:\s*image/svg\+xml", re.IGNORECASE)
MOVES: Final = re.compile(r"<\s*(?:animate|set)\b|<\s*animate|@keyframes|animation", re.IGNORECASE)
SHADOW: Final = re.compile("shadowrootmode", re.IGNORECASE)


def still(html: str) -> tuple[str, list[str]]:
    """The page without what :data:`PREPARE` cannot reach, and what was taken: animated SVG images, shadow trees."""
    taken = []
    for match in reversed(list(SVG.finditer(html))):
        begin, end = match.span()
        before = html[:begin]
        close = next((quote for quote in ("&quot;", "&#39;", "&apos;", '"', "'", "(") if before.endswith(quote)), None)
        stop = html.find(")" if close == "(" else close or ">", end)
        image = urllib.parse.unquote(html_text.unescape(html[end : stop if stop >= 0 else None]))
        kind, _, data = image.partition(",")
        if kind.rstrip().lower().endswith("base64"):
            with contextlib.suppress(ValueError):
                data = base64.b64decode("".join(data.split()) + "==").decode(errors="replace")
        if MOVES.search(data):
            html = before + "data:image/x-moving" + html[end:]
            taken.append("moving image")
    html, shadows = SHADOW.subn("data-shadow", html)
    return html, taken + ["shadow tree"] * bool(shadows)


class Worker:
    """One browser with one page, which shows an empty document whenever no request is being answered."""

    def __init__(self, settings: dict[str, Any]) -> None:
        from playwright.sync_api import sync_playwright

        self._settings = settings
        self._driver = sync_playwright().start()
        self._browser = self._launch()
        self._ends: dict[str, str] = {}
        self._session = self._browser.new_browser_cdp_session()
        self._session.on("Target.targetCrashed", lambda event: self._ends.update({event["targetId"]: event["status"]}))
        self._session.send("Target.setDiscoverTargets", {"discover": True})
        self._page = Page(self._browser, settings)
        self.version: str = self._browser.version

    def render(self, html: str) -> tuple[dict[str, Any], bytes]:
        """The reply to a request; after a fault or a crash this worker is of no more use.

        The document is gone before the reply is sent: what it still costs to leave it is its own page's time.
        """
        try:
            answer = self._page.render(html)
        except Exception as error:
            if self._page.crashed and not self._killed():
                return {"crash": str(error)}, b""
            raise
        with contextlib.suppress(Exception):  # what cannot be left is thrown away with its context
            if not self._page.dirty:
                self._page.clear()
                return answer
        self._page.close()
        self._page = Page(self._browser, self._settings)
        return answer

    def _killed(self) -> bool:
        """Whether somebody ended the process that draws (SIGKILL, SIGTERM), and no failure of its own."""
        self._session.send("Target.getTargets")  # its earlier messages have arrived then
        return self._ends.get(self._page.target) == "killed"

    def _launch(self) -> Any:
        # Chromium refuses its own sandbox to root, and cannot have it where user namespaces are switched off.
        for sandbox in (True, False) if os.getuid() else (False,):
            try:
                return self._driver.chromium.launch(
                    executable_path=self._settings["chromium"],
                    headless=True,
                    args=list(FLAGS),
                    chromium_sandbox=sandbox,
                    handle_sigint=False,
                    handle_sigterm=False,
                    handle_sighup=False,
                )
            except Exception:
                if not sandbox:
                    raise
        raise AssertionError


class Page:
    """One context with one window."""

    def __init__(self, browser: Any, settings: dict[str, Any]) -> None:
        self.dirty = False
        self.crashed = False
        self._limits = settings
        self._refused: list[str] = []
        width, height = settings["width"], settings["height"]
        self._context = browser.new_context(viewport={"width": width, "height": height}, **CONTEXT)
        self._context.route("**/*", self._answer)
        self._page = self._context.new_page()
        self.clear()
        self._context.on("page", self._odd)
        self._page.on("crash", self._crash)
        self._page.on("console", self._on_console)
        self._page.on("framenavigated", self._navigated)
        self._session = self._context.new_cdp_session(self._page)
        self.target: str = self._session.send("Target.getTargetInfo")["targetInfo"]["targetId"]

    def render(self, html: str) -> tuple[dict[str, Any], bytes]:
        """The tree and the picture of a page."""
        self._refused = []
        html, taken = still(html)
        for what in taken:
            self._refuse(what)
        limits = self._limits
        self._page.set_content(html, wait_until="load", timeout=0)
        elements = self._page.evaluate(PREPARE, [limits["elements"], "content-visibility" in html.lower()])
        if elements > limits["elements"]:
            self.dirty = True
            return {"reason": "too many elements", "detail": f"{elements}, at most {limits['elements']}"}, b""
        snapshot = self._session.send(
            "DOMSnapshot.captureSnapshot",
            {"computedStyles": list(STYLES), "includePaintOrder": True, "includeDOMRects": False},
        )
        document = snapshot["documents"][0]
        tall, wide = document.get("contentHeight", 0), document.get("contentWidth", 0)
        height = int(min(max(tall, limits["height"]), limits["max_height"]))
        clip = {"x": 0, "y": 0, "width": limits["width"], "height": height, "scale": 1}
        beyond = {"captureBeyondViewport": True, "clip": clip} if height > limits["height"] else {}
        shot = self._session.send("Page.captureScreenshot", {"format": "png", **beyond})
        problems = sorted(set(self._refused))[:PROBLEMS]
        if tall > limits["max_height"]:
            problems.append(f"cut at {limits['max_height']} px of {tall:g}")
        if wide > limits["width"]:
            problems.append(f"cut at {limits['width']} px of {wide:g} in width")
        reply = {
            "document": document,
            "strings": snapshot["strings"],
            "styles": STYLES,
            "problems": problems,
            "width": limits["width"],
            "height": height,
        }
        return reply, base64.b64decode(shot["data"])

    def clear(self) -> None:
        """Load an empty document; the settings of the old one end with it."""
        self._open = True
        self._page.goto(SHELL, timeout=0)
        self._open = False

    def close(self) -> None:
        """Throw the context away, also one whose page has crashed."""
        with contextlib.suppress(Exception):
            self._context.close()

    def _answer(self, route: Any) -> None:
        request = route.request
        if self._open and request.url == SHELL:
            route.fulfill(
                body="<!doctype html>",
                headers={"content-type": "text/html; charset=utf-8", "content-security-policy": POLICY},
            )
            return
        self._refuse(f"{request.resource_type} {request.url}")
        self.dirty = True
        route.abort()

    def _refuse(self, what: str) -> None:
        what = "".join(character if character.isprintable() else "?" for character in what)
        self._refused.append(f"refused: {what.strip()}"[:PROBLEM])

    def _on_console(self, message: Any) -> None:
        for pattern, reason in REFUSALS:
            match = pattern.search(message.text)
            if match:
                self._refuse(match.expand(reason))
                return

    def _navigated(self, frame: Any) -> None:
        if self._open and frame.url == SHELL:
            return
        self.dirty = True
        if frame.parent_frame is None:
            self._refuse(f"navigation {frame.url}")

    def _crash(self, _: Any) -> None:
        self.crashed = self.dirty = True

    def _odd(self, _: Any) -> None:
        self.dirty = True


def no_network() -> None:
    """Take this process and its children the system call that makes a network socket, whatever they become."""
    place = Path(__file__).parents[2] / "sandbox" / "kernel.py"
    spec = importlib.util.spec_from_file_location("kernel", place)
    if sys.platform != "linux" or spec is None or spec.loader is None:
        return
    kernel = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(kernel)
    machine = platform.machine()
    if not kernel.seccomp_works():
        return
    sockets = {"x86_64": 41, "aarch64": 198}[machine]
    load, equal, at_least, answer = 0x20, 0x15, 0x35, 0x06
    allow, refuse, kill = 0x7FFF0000, 0x00050000 | 13, 0x80000000  # 13 is "permission denied"

    def step(code: int, k: int, true: int = 0, false: int = 0) -> bytes:
        return struct.pack("=HBBI", code, true, false, k)

    program = step(load, 4) + step(equal, kernel.AUDIT_ARCH[machine], 1) + step(answer, kill)
    program += step(load, 0) + step(at_least, 0x40000000, 0, 1) + step(answer, kill)  # the x32 table
    program += step(equal, 425, 0, 1) + step(answer, refuse)  # io_uring makes sockets too
    program += step(equal, sockets, 0, 4) + step(load, 16)
    # Sockets within the machine and the list of interfaces stay: families 1 and 16.
    program += step(equal, 1, 2) + step(equal, 16, 1) + step(answer, refuse) + step(answer, allow)
    # No new privileges: what a filter costs.
    ctypes.CDLL(None).prctl(38, ctypes.c_ulong(1), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0))
    kernel.seccomp_install(program)


def descendants(root: int) -> list[int]:
    """The processes below one."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if entry.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                stat = Path("/proc", entry, "stat").read_text(errors="replace")
                children.setdefault(int(stat.rpartition(")")[2].split()[1]), []).append(int(entry))
    found, todo = [], [root]
    while todo:
        below = children.get(todo.pop(), [])
        found += below
        todo += below
    return found


_ending = threading.Lock()


def end() -> NoReturn:
    """Kill and reap everything below, remove the files and leave; from any thread, whatever the others do."""
    _ending.acquire()  # never released: who comes second waits for the end
    until, folder = time.monotonic() + 5, os.environ["TMPDIR"]
    while time.monotonic() < until:
        below = descendants(os.getpid())
        for process in below:
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)
        with contextlib.suppress(OSError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not below and not os.path.exists(folder):
            break
        shutil.rmtree(folder, ignore_errors=True)
        time.sleep(0.005)
    os._exit(0)


def listen(source: BinaryIO, requests: queue.Queue[dict[str, Any]]) -> None:
    """Pass requests on; the end of them is the end of the parent's interest, or of the parent."""
    try:
        while len(head := source.read(4)) == 4:
            requests.put(json.loads(source.read(int.from_bytes(head, "big"))))
    finally:
        end()


def main() -> None:
    """Serve until the input ends."""
    with contextlib.suppress(AttributeError):
        ctypes.CDLL(None).prctl(
            36, ctypes.c_ulong(1)
        )  # a child subreaper: what loses its parent stays below this process
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides
    settings = json.loads(sys.argv[1])
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing else may write between the frames
    no_network()

    requests: queue.Queue[dict[str, Any]] = queue.Queue()
    threading.Thread(target=listen, args=(sys.stdin.buffer, requests), daemon=True).start()
    try:
        serve(settings, requests, replies)
    finally:
        end()


def serve(settings: dict[str, Any], requests: queue.Queue[dict[str, Any]], replies: BinaryIO) -> None:
    """Start the browser and answer, one request after the other."""

    def send(reply: dict[str, Any], picture: bytes = b"") -> None:
        frame = json.dumps({**reply, "png": len(picture)}).encode()
        replies.write(len(frame).to_bytes(4, "big") + frame + picture)
        replies.flush()

    try:
        worker = Worker(settings)
        worker.render("<!doctype html><p>Ready")
    except Exception as error:
        send({"fault": f"{type(error).__name__}: {error}"})
        return
    send({"version": worker.version})
    while True:
        request = requests.get()
        try:
            reply = worker.render(request["html"])
        except Exception as error:
            reply = {"fault": f"{type(error).__name__}: {error}"}, b""
        send(*reply)


if __name__ == "__main__":
    main()
