"""The pages: which address shows what. Games are in ``playing.py``, runs in ``library.py``."""

from __future__ import annotations

import asyncio
import functools
import itertools
import math
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from http import HTTPStatus
from importlib import resources
from typing import Any
from urllib.parse import parse_qsl, urlencode

from jinja2 import ChoiceLoader, Environment
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from interactive_envs import catalog
from interactive_envs.errors import ConfigError, IbenchError, UnknownNameError
from interactive_envs.evaluation import leaderboard
from interactive_envs.evaluation.compare import compare
from interactive_envs.evaluation.core import page as core_page
from interactive_envs.evaluation.core.suite import VERSION
from interactive_envs.evaluation.run import live
from interactive_envs.evaluation.run import report as run_report
from interactive_envs.outcome import Outcome
from interactive_envs.parsing import json_or_text
from interactive_envs.reporting.page import as_bytes, as_score, glyph, pieces, spread, templates
from interactive_envs.reporting.records import EpisodeRecord, EpisodeRow
from interactive_envs.web import looking_back
from interactive_envs.web.frames import Frames
from interactive_envs.web.library import Library, Run, chosen
from interactive_envs.web.playing import Game, Games

PAGE = 50
"""Episodes, or pairs of them, on a page of a list."""
CUT = 200_000
"""Characters of a message that are shown at most."""
BODY = 1 << 20
"""Bytes of a form at most."""
PATIENCE = 25.0
"""Seconds in which a page waits for the others at a table before it asks again."""
EVERY = 1.0
"""Seconds between two looks at a run that is under way."""
FILES: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "report.css": ("text/css", [("interactive_envs.reporting", "report.css")]),
    "app.css": ("text/css", [(__package__, "app.css")]),
    "app.js": ("text/javascript", [(__package__, "app.js")]),
    # as one file: htmx begins as soon as it is there, and would not know an extension that comes later
    "htmx.js": ("text/javascript", [(__package__, "htmx.min.js"), (__package__, "hx-sse.min.js")]),
}
"""The kind of each static file, and what it is made of."""


class Site:
    """Answers requests.

    Args:
        library: the runs.
        games: of the person.
        frames: for pages that players wrote.
    """

    def __init__(self, library: Library, games: Games, frames: Frames) -> None:
        self._library, self._games, self._frames = library, games, frames
        own, *others = map(templates, (__package__, run_report.__package__, leaderboard.__package__))
        self._templates: Environment = own.overlay()
        self._templates.loader = ChoiceLoader([one.loader for one in (own, *others) if one.loader])
        self._templates.globals = {
            **own.globals,
            "VERSION": VERSION,
            "link": link,
            "run_page": lambda name: link("/run", at=name),
            "score": as_score,
            "show": core_page.show,
            "rewarded": rewarded,
            "spread": lambda estimate: spread(as_score)(estimate.as_json()),
        }

    def routes(self) -> list[Route]:
        """All addresses."""
        get, post = ["GET"], ["POST"]
        return [
            Route("/", self._asked(self.home), methods=get),
            Route("/run", self._asked(self.run), methods=get),
            Route("/run/live", self.run_live, methods=get),
            Route("/watch", self._asked(self.watch), methods=get),
            Route("/watch/live", self.watch_live, methods=get),
            Route("/episode", self._asked(self.episode), methods=get),
            Route("/episode/again", self._asked(self.again), methods=get),
            Route("/compare", self._asked(self.compare), methods=get),
            Route("/pair", self._asked(self.pair), methods=get),
            Route("/play", self._asked(self.choose), methods=get),
            Route("/play", self._asked(self.begin), methods=post),
            Route("/play/{number}", self._asked(self.game), methods=get),
            Route("/play/{number}/table", self._asked(self.table), methods=get),
            Route("/play/{number}/{act}", self._asked(self.act), methods=post),
            Route("/static/{name}", static, methods=get),
        ]

    def _asked(self, answer: Any) -> Any:
        """Answer in a thread, for much of it reads files; what goes wrong is a page with a sentence."""

        async def asked(request: Request) -> Response:
            form: dict[str, str] = {}
            if request.method == "POST":
                body = b""
                async for part in request.stream():
                    body += part
                    if len(body) > BODY:
                        return self._problem("that is more than a form may hold", HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
                form = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
            try:
                return await run_in_threadpool(answer, request, {**request.query_params, **form})
            except UnknownNameError as error:
                return self._problem(str(error), HTTPStatus.NOT_FOUND)
            except (IbenchError, OSError) as error:
                return self._problem(str(error), HTTPStatus.BAD_REQUEST)

        return asked

    # -- reading ------------------------------------------------------------------------------------------------------

    def home(self, _: Request, __: Mapping[str, str]) -> Response:
        """All runs, and the leaderboard of those that play the suite core."""
        runs = self._library.runs()
        boards = leaderboard.boards(run.entry() for run in runs)
        progress = [(run, run.progress()) for run in runs]
        return self._page("home.html.j2", runs=progress, boards=boards, families=core_page.labels())

    def run(self, _: Request, asked: Mapping[str, str]) -> Response:
        """One run: how far it is, how its players did, and its episodes."""
        run = self._library.run(asked.get("at", ""))
        filters = {name: asked.get(name, "") for name in ("player", "env_id", "outcome", "case")}
        found = chosen(run.listing, run, **filters)
        page, last = _turned(asked, len(found))
        return self._page(
            "run.html.j2",
            **self._live(run),
            filters=filters,
            outcomes=[one.value for one in Outcome],
            found=len(found),
            rows=run.rows(found[(page - 1) * PAGE : page * PAGE]),
            page=page,
            last=last,
        )

    async def run_live(self, request: Request) -> Response:
        """What changes of a run while it is under way, as server-sent events."""
        asked = request.query_params

        def look() -> tuple[str, bool]:
            run = self._library.run(asked.get("at", ""))
            progress = run.progress()
            return self._rendered("live.html.j2", **self._live(run)), progress.played < progress.planned

        return await self._following(look)

    def watch(self, _: Request, asked: Mapping[str, str]) -> Response:
        """An episode that is being played."""
        run, key = self._library.run(asked.get("at", "")), _key(asked.get("key", ""))
        if run.has(key):
            return RedirectResponse(link("/episode", at=run.name, key=asked["key"]), HTTPStatus.SEE_OTHER)
        return self._page("watch.html.j2", **self._watched(run, key))

    async def watch_live(self, request: Request) -> Response:
        """The same, as server-sent events."""
        asked = request.query_params

        def look() -> tuple[str, bool]:
            run, key = self._library.run(asked.get("at", "")), _key(asked.get("key", ""))
            watched = self._watched(run, key)
            return self._rendered("watched.html.j2", **watched), not watched["is_over"]

        return await self._following(look)

    def _live(self, run: Run) -> dict[str, Any]:
        return {
            "run": run,
            "progress": run.progress(),
            "standings": run.standings(),
            "playing": sorted(live.under_way(run.folder, len(run.cells)).items()),
        }

    def _watched(self, run: Run, key: tuple[int, int, int]) -> dict[str, Any]:
        if key[0] >= len(run.cells):
            raise ConfigError(f"run {run.name!r} has no cell {key[0]}")
        return {
            "run": run,
            "key": key,
            "name": run.cells[key[0]],
            "episode": live.under_way(run.folder, len(run.cells)).get(key),
            "is_over": run.has(key),
        }

    async def _following(self, look: Callable[[], tuple[str, bool]]) -> Response:
        """Look again and again, and send what has changed, until nothing more can.

        Args:
            look: returns a part of the page, and whether it may change.
        """
        try:
            now, goes_on = await run_in_threadpool(look)
        except IbenchError as error:
            return self._problem(str(error), HTTPStatus.NOT_FOUND)

        async def events() -> AsyncIterator[bytes]:
            nonlocal now, goes_on
            yield _event(now)
            while goes_on:
                begun = time.monotonic()
                before, (now, goes_on) = now, await run_in_threadpool(look)
                yield _event(now) if now != before else b": nothing new\n\n"
                await asyncio.sleep(max(EVERY, 3 * (time.monotonic() - begun)))
            yield b"event: close\ndata: over\n\n"  # a stream that merely ends would be opened again

        return StreamingResponse(events(), media_type="text/event-stream")

    def episode(self, _: Request, asked: Mapping[str, str]) -> Response:
        """One transcript, with its neighbours."""
        run = self._library.run(asked.get("at", ""))
        listing, at = run.listing, run.place(_key(asked.get("key", "")))
        (row,) = run.rows([at])
        return self._page(
            "transcript.html.j2",
            **self._told(run, row),
            before=listing.key(at - 1) if at else None,
            after=listing.key(at + 1) if at + 1 < len(listing) else None,
            alike=[key for key in _alike(run, row) if run.has(key)],
        )

    def again(self, _: Request, asked: Mapping[str, str]) -> Response:
        """What an episode looked like after each message, and what could be known."""
        run = self._library.run(asked.get("at", ""))
        record = run.store.episode(run.row(_key(asked.get("key", ""))))
        found = list(looking_back.frames(record))
        return self._page("again.html.j2", frames=found, bits=bits)

    def compare(self, _: Request, asked: Mapping[str, str]) -> Response:
        """Two players case by case."""
        runs = self._library.runs()
        if not asked.get("left"):
            return self._page("compare.html.j2", runs=runs, found=None, asked=asked)
        left = self._library.run(asked["left"])
        right = self._library.run(asked.get("right") or left.name)
        players = (asked.get("a") or None, asked.get("b") or None)
        listings = left.listing, right.listing
        found = compare(left.store, right.store, players, listings)
        page, last = _turned(asked, len(found.differing))
        shown = found.differing[(page - 1) * PAGE : page * PAGE]
        return self._page(
            "compare.html.j2",
            runs=runs,
            found=found,
            asked=asked,
            left=left,
            right=right,
            pairs=[(listings[0].row(left.store, int(a)), listings[1].row(right.store, int(b))) for a, b in shown],
            page=page,
            last=last,
        )

    def pair(self, _: Request, asked: Mapping[str, str]) -> Response:
        """Two episodes side by side."""
        sides = []
        for side in ("left", "right"):
            run = self._library.run(asked.get(side, ""))
            sides.append(self._told(run, run.row(_key(asked.get(f"{side}_key", "")))))
        said = [[step["action"] for step in side["record"]["steps"]] for side in sides]
        first = next((at for at, (a, b) in enumerate(itertools.zip_longest(*said)) if a != b), None)
        return self._page("pair.html.j2", sides=sides, first=first)

    def _told(self, run: Run, row: EpisodeRow) -> dict[str, Any]:
        record = run.store.record(row)
        EpisodeRecord.from_json(record)  # a stranger's file may hold anything
        return {
            "run": run,
            "row": row,
            "record": record,
            "name": run.cells[row.cell],
            "glyph": glyph(row),
            "layout": run_report.layout_of(run.config.cells[row.cell].env_id),
            "limit": CUT,
            "drafts": self._drafts(str(step["action"]) for step in record["steps"]),
        }

    def _drafts(self, messages: Iterable[str]) -> list[tuple[int, str]]:
        """The pages in a player's messages: the number of the message, from 1, and the address of the page's frame."""
        return [
            (number, self._frames.add(piece))
            for number, message in enumerate(messages, 1)
            for piece, is_page in pieces(message)
            if is_page
        ]

    # -- playing ------------------------------------------------------------------------------------------------------

    def choose(self, _: Request, asked: Mapping[str, str]) -> Response:
        """What can be played."""
        groups = _groups()
        starters = {label: min(units, key=_from_special) for label, units in groups}
        under_way = self._games.under_way()
        return self._page("choose.html.j2", groups=groups, starters=starters, asked=asked, under_way=under_way)

    def begin(self, _: Request, asked: Mapping[str, str]) -> Response:
        """Start a game."""
        env_id = asked.get("env_id", "").strip()
        env_id = env_id if "/" in env_id or ":" in env_id else f"ibench/{env_id}"
        entry = catalog.entry(env_id)
        arguments: dict[str, Any] = {}
        for line in asked.get("arguments", "").splitlines():
            name, equals, value = line.partition("=")
            if line.strip():
                if not equals:
                    raise ConfigError(f"{line!r} is no argument; write name=value, one a line")
                arguments[name.strip()] = json_or_text(value.strip())
        for name in ("difficulty", "opponents"):
            if asked.get(name) and name in entry["defaults"]:
                arguments.setdefault(name, json_or_text(asked[name]))
        seed = _whole(asked["seed"], "seed") if asked.get("seed") else None
        game = self._games.begin(env_id, arguments, judge=asked.get("judge", ""), seed=seed)
        return RedirectResponse(f"/play/{game.number}", HTTPStatus.SEE_OTHER)

    def game(self, request: Request, _: Mapping[str, str]) -> Response:
        """The page of a game."""
        return self._page("game.html.j2", **self._shown(self._games.find(request.path_params["number"])))

    def table(self, request: Request, _: Mapping[str, str]) -> Response:
        """What changes of it, once others have acted."""
        game = self._games.find(request.path_params["number"])
        game.wait(PATIENCE)
        return self._page("table.html.j2", **self._shown(game))

    def act(self, request: Request, asked: Mapping[str, str]) -> Response:
        """Take a message, give a hint, or break off."""
        game, act = self._games.find(request.path_params["number"]), request.path_params["act"]
        problem = ""
        try:
            if act == "say":
                game.say(asked.get("text", ""), asked.get("tag", ""))
            elif act == "hint":
                game.hint()
            elif act == "leave":
                game.leave()
            else:
                raise UnknownNameError("act", act, ("say", "hint", "leave"))
        except ConfigError as error:
            problem = str(error)
        game.wait(PATIENCE)
        if "hx-request" not in request.headers:
            return RedirectResponse(f"/play/{game.number}", HTTPStatus.SEE_OTHER)
        return self._page("table.html.j2", **{**self._shown(game), "refused": problem})

    def _shown(self, game: Game) -> dict[str, Any]:
        entry, lines = catalog.entry(game.cell.env_id), [*game.lines]
        view = game.turn.info.get("view") if game.turn else None
        return {
            "game": game,
            "lines": lines,
            "entry": entry,
            "drawing": looking_back.drawing(game.cell.env_id, view),
            "drafts": self._drafts(line.text for line in lines if line.who == "you")[-2:],
            "layout": run_report.layout_of(game.cell.env_id),
            "arguments": {name: value for name, value in game.cell.arguments.items() if name != "case"},
            "run": self._run_of(game),
            # a game says all that counts each time: its last message, and what the person said before
            "since": max(0, max((at for at, line in enumerate(lines) if line.who == "environment"), default=0) - 1),
            "refused": "",
        }

    def _run_of(self, game: Game) -> Run | None:
        if game.result is None:
            return None
        return next((run for run in self._library.runs() if run.folder == game.folder), None)

    # -- answers ------------------------------------------------------------------------------------------------------

    def _page(self, template: str, **content: Any) -> Response:
        return HTMLResponse(as_bytes(self._rendered(template, **content)))

    def _problem(self, text: str, status: HTTPStatus) -> Response:
        return HTMLResponse(as_bytes(self._rendered("problem.html.j2", text=text)), status)

    def _rendered(self, template: str, **content: Any) -> str:
        return self._templates.get_template(template).render(**content)


def make_app(library: Library, games: Games, frames: Frames) -> Starlette:
    """The application, without its guard."""
    return Starlette(routes=Site(library, games, frames).routes())


@functools.cache
def _file(name: str) -> bytes:
    return b"\n".join((resources.files(package) / "data" / part).read_bytes() for package, part in FILES[name][1])


async def static(request: Request) -> Response:
    """A style sheet or a script of the package."""
    name = request.path_params["name"]
    if name not in FILES:
        return Response(status_code=HTTPStatus.NOT_FOUND)
    return Response(_file(name), media_type=FILES[name][0])


def link(path: str, **query: Any) -> str:
    """An address with a query."""
    return f"{path}?{urlencode({name: value for name, value in query.items() if value not in ('', None)})}"


def rewarded(row: EpisodeRow) -> str:
    """What an episode earned, "" where it was not scored."""
    return "" if row.outcome == Outcome.UNSCORED else as_score(row.reward)


def bits(count: int | None) -> str:
    """How much is still to be found out, as the number of yes-or-no questions that could tell it at best."""
    return "" if count is None or count < 1 else f"{math.log2(count):.1f}"


def _event(text: str) -> bytes:
    return as_bytes("".join(f"data: {line}\n" for line in text.splitlines()) + "\n")


def _whole(text: str, name: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 12:
        raise ConfigError(f"{name} must be a whole number, got {text[:40]!r}")
    return int(text)


def _turned(asked: Mapping[str, str], found: int) -> tuple[int, int]:
    """Which page of a list is asked for, and how many there are."""
    return max(1, _whole(asked.get("page", "1"), "page")), max(1, math.ceil(found / PAGE))


def _key(text: str) -> tuple[int, int, int]:
    parts = text.split("-")
    if len(parts) != 3:
        raise ConfigError(f"{text[:40]!r} names no episode; follow a link of a run's page")
    cell, case, epoch = (_whole(part, "an episode's number") for part in parts)
    return cell, case, epoch


def _alike(run: Run, row: EpisodeRow) -> list[tuple[int, int, int]]:
    """The episodes in which other players meet the same case."""
    setting = run.cells[row.cell].setting
    others = [cell for cell, name in enumerate(run.cells) if name.setting == setting and cell != row.cell]
    return [(cell, row.case_index, row.epoch) for cell in others]


def _from_special(unit: tuple[str, str]) -> tuple[bool, int]:
    """Puts the most general environment first: one that needs no folder, with a short name."""
    return "path" in catalog.entry(unit[0])["defaults"], len(unit[0])


@functools.cache
def _groups() -> list[tuple[str, list[tuple[str, str]]]]:
    """The environments by family, id and summary."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for env_id, unit in catalog.load()["units"].items():
        card = catalog.family(unit["family"])
        summary = unit["summary"].replace("``", "")
        groups.setdefault(card.label or card.name, []).append((env_id, summary))
    return list(groups.items())
