"""What hostile pages try to reach: a web server, a raw socket and a folder, all of which notice or are noticed."""

from __future__ import annotations

import base64
import io
import re
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from PIL import Image

CANARY = (255, 0, 254)
"""A colour that only forbidden content has."""
WORD = "CANARY"
SVG = (
    "<svg xmlns='http://www.w3.org/2000/svg' width='80' height='80'><style>@keyframes a{to{x:60px}}"
    "rect{animation:a 1s infinite}</style><rect width='20' height='20' fill='red'/></svg>"
)


def encoded(kind: str, data: bytes) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def picture(mode: str, size: tuple[int, int], colour: Any, kind: str, **options: Any) -> bytes:
    buffer = io.BytesIO()
    Image.new(mode, size, colour).save(buffer, kind, **options)
    return buffer.getvalue()


class Lures:
    """Everything a page must not reach, until the block ends; ``reached`` counts who got through."""

    def __init__(self, folder: Path) -> None:
        self.reached: list[str] = []
        self.folder = folder
        colour = f"rgb{CANARY}".replace(" ", "")
        body = f"<html><body style='background:{colour}'>{WORD}</body></html>"
        png = picture("RGB", (40, 40), CANARY, "PNG")
        files = {
            "canary.txt": WORD.encode(),
            "canary.html": body.encode(),
            "canary.png": png,
            "canary.css": f"*{{background:{colour}!important}}".encode(),
            "canary.js": f"document.body.style.background='{colour}'".encode(),
            "canary.svg": f"<svg xmlns='http://www.w3.org/2000/svg' id='a'>"
            f"<rect width='80' height='80' fill='{colour}'/></svg>".encode(),
            "canary.ttf": b"\0\1\0\0",
        }
        for name, data in files.items():
            (folder / name).write_bytes(data)
        self._web = ThreadingHTTPServer(("127.0.0.1", 0), self._handler(png))
        self._raw = socket.create_server(("127.0.0.1", 0))
        self._threads = [threading.Thread(target=self._web.serve_forever), threading.Thread(target=self._accept)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._web.shutdown()
        self._web.server_close()
        self._raw.shutdown(socket.SHUT_RDWR)
        self._raw.close()
        for thread in self._threads:
            thread.join()

    @property
    def web(self) -> str:
        return f"http://127.0.0.1:{self._web.server_address[1]}"

    @property
    def port(self) -> int:
        return int(self._raw.getsockname()[1])

    def bait(self, template: str) -> str:
        """A hostile page with the addresses filled in and ``REPEAT(n){...}END`` written out."""
        frames = [Image.new("RGB", (50, 50), colour) for colour in ("red", "lime", "blue")]
        moving = io.BytesIO()
        frames[0].save(moving, "GIF", save_all=True, append_images=frames[1:], duration=40, loop=0)
        parts = {
            "SVG64": encoded("svg+xml", SVG.encode()),
            "GIF": encoded("gif", moving.getvalue()),
            "PNG_BOMB": encoded("png", picture("1", (20_000, 20_000), 0, "PNG", optimize=True))
            if "PNG_BOMB" in template
            else "",
            "FILES": f"file://{self.folder}",
            "DIRPATH": str(self.folder),
            "HTTP": self.web,
            "TCP": str(self.port),
        }
        page = re.sub("|".join(parts), lambda match: parts[match[0]], template)
        return re.sub(r"REPEAT\((\d+)\)\{(.*?)\}END", lambda match: match[2] * int(match[1]), page, flags=re.DOTALL)

    def _handler(self, png: bytes) -> type[BaseHTTPRequestHandler]:
        reached = self.reached

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "image/png")
                self.end_headers()
                self.wfile.write(png)

            do_POST = do_OPTIONS = do_HEAD = do_GET  # noqa: N815

            def handle(self) -> None:
                reached.append("web")  # a connection is enough, whatever is asked
                super().handle()

            def log_message(self, *_: object) -> None:
                pass

        return Handler

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._raw.accept()
            except OSError:
                return
            self.reached.append("socket")
            connection.close()
