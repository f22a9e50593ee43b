"""Who may ask the server: whoever has its token, from its own pages alone.

A server on loopback can be reached by every page that the browser has open, and by every user of the machine. So a
request needs the token, which the terminal shows and a cookie then carries; the name it asks for must be the server's,
which no other site's is; and where it says from which page it comes, that page must be the server's own.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from http import HTTPStatus

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PARAMETER = "token"
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with no-referrer, the browser would hide from which page a form comes
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """Lets requests through that may be answered, and puts the policy for browsers on every answer.

    Args:
        app: what answers.
        token: the secret.
        hosts: names with ports by which the server may be called, such as ``127.0.0.1:8765``.
        frames: the origin of players' pages, the only ones that may be shown in frames.
    """

    def __init__(self, app: ASGIApp, token: str, hosts: Sequence[str], frames: str) -> None:
        self._app, self._token, self._hosts = app, token, frozenset(hosts)
        self._cookie = f"ibench-{hosts[0].rpartition(':')[2]}"
        self._headers = {
            **HEADERS,
            "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            f"connect-src 'self'; form-action 'self'; frame-src {frames}; base-uri 'none'; frame-ancestors 'none'",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            return  # neither websockets nor a life span are offered

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers[name] = value
            await send(message)

        request = Request(scope, receive)
        answer = self._refusal(request) or self._welcome(request)
        await (answer or self._app)(scope, receive, guarded)

    def _refusal(self, request: Request) -> Response | None:
        host = request.headers.get("host", "")
        if host not in self._hosts:
            return _refused(HTTPStatus.MISDIRECTED_REQUEST, "this server is not called that; use the printed address")
        origin = request.headers.get("origin")
        if origin is not None and origin != f"http://{host}":
            return _refused(HTTPStatus.FORBIDDEN, "the request comes from another site's page")
        if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return _refused(HTTPStatus.FORBIDDEN, "the request comes from another site's page")
        if request.method not in ("GET", "HEAD") and origin is None:
            return _refused(HTTPStatus.FORBIDDEN, "the request does not say from which page it comes")
        return None

    def _welcome(self, request: Request) -> Response | None:
        """Take the token out of the address into a cookie; refuse who has neither."""
        given = request.query_params.get(PARAMETER)
        if given is not None and request.method == "GET" and self._fits(given):
            answer = RedirectResponse(str(request.url.remove_query_params(PARAMETER)), HTTPStatus.SEE_OTHER)
            answer.set_cookie(self._cookie, self._token, httponly=True, samesite="strict", path="/")
            return answer
        if not self._fits(request.cookies.get(self._cookie, "")):
            return _refused(HTTPStatus.FORBIDDEN, "open the address that ibench serve printed: it holds the key")
        return None

    def _fits(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self._token.encode())


def _refused(status: HTTPStatus, why: str) -> Response:
    return PlainTextResponse(f"Refused: {why}.\n", status)
