"""Pages that players wrote, served where they can do no harm: another origin, no scripts, nothing from the network."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

KEPT = 256
"""Pages at most; the oldest go first."""


class Frames:
    """Pages by names that nobody guesses.

    Args:
        origin: under which they are served.
        parent: the only origin that may show them.
    """

    def __init__(self, origin: str, parent: str) -> None:
        self.origin = origin
        self._headers = {
            "Content-Security-Policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
            f"font-src data:; form-action 'none'; base-uri 'none'; frame-ancestors {parent}",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-store",
        }
        self._pages: OrderedDict[str, str] = OrderedDict()
        self._names: dict[str, str] = {}
        self._lock = threading.Lock()

    def add(self, page: str) -> str:
        """Keep a page; the address of its frame."""
        with self._lock:
            name = self._names.get(page)
            if name is None:
                name = self._names[page] = secrets.token_urlsafe(16)
            self._pages[name] = page
            self._pages.move_to_end(name)
            while len(self._pages) > KEPT:
                del self._names[self._pages.popitem(last=False)[1]]
        return f"{self.origin}/{name}"

    async def answer(self, request: Request) -> Response:
        """A page, under the policy."""
        page = self._pages.get(request.path_params["name"])
        if page is None:
            return PlainTextResponse("There is no such page.\n", HTTPStatus.NOT_FOUND, headers=self._headers)
        return HTMLResponse(page.encode("utf-8", "replace"), headers=self._headers)
