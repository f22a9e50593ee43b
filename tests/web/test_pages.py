"""The pages as an application answers them, without a server, its guard or a browser."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("starlette")
from interactive_envs.web.app import make_app
from interactive_envs.web.frames import Frames
from interactive_envs.web.library import Library
from interactive_envs.web.playing import Games


class Client:
    """Asks the application one request after another."""

    def __init__(self, app: Any) -> None:
        self._app = app

    def __call__(self, path: str, **form: str) -> httpx.Response:
        async def asked() -> httpx.Response:
            transport = httpx.ASGITransport(self._app)
            async with httpx.AsyncClient(transport=transport, base_url="http://pages") as http:
                return await (http.post(path, data=form) if form else http.get(path))

        return asyncio.run(asked())


@pytest.fixture
def ask(runs: Path, tmp_path: Path) -> Iterator[Client]:
    games = Games(tmp_path)
    yield Client(make_app(Library([runs]), games, Frames("http://frames", "http://pages")))
    games.close()


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/", ["query", "trust"]),
        ("/run?at=query", ["reference", "random"]),
        ("/run?at=query&player=random&page=1", ["random"]),
        ("/episode?at=query&key=0-0-0", ["reference"]),
        ("/episode/again?at=query&key=0-0-0", ["<svg"]),
        ("/compare", ["query", "trust"]),
        ("/compare?left=query&a=reference&b=random", ["reference", "random"]),
        ("/pair?left=query&left_key=0-0-0&right=query&right_key=1-0-0", ["reference", "random"]),
        ("/play", ["TrustGame-v1"]),
    ],
)
def test_a_page_names_what_it_shows(ask: Client, path: str, words: list[str]) -> None:
    answer = ask(path)
    assert answer.status_code == 200
    for word in words:
        assert word in answer.text


def test_what_is_over_is_not_watched_but_read(ask: Client) -> None:
    answer = ask("/watch?at=query&key=0-1-0")
    assert (answer.status_code, answer.headers["location"]) == (303, "/episode?at=query&key=0-1-0")


@pytest.mark.parametrize("path", ["/run/live?at=query", "/watch/live?at=query&key=0-0-0"])
def test_the_stream_of_what_is_over_tells_it_once_and_closes(ask: Client, path: str) -> None:
    answer = ask(path)
    assert answer.headers["content-type"].startswith("text/event-stream")
    told, over, rest = answer.text.split("\n\n")
    assert {line[:6] for line in told.splitlines()} == {"data: "}
    assert (over, rest) == ("event: close\ndata: over", "")


def test_a_game_is_played_by_forms(ask: Client) -> None:
    begun = ask("/play", env_id="TrustGame-v1", arguments="delta=0.0\nmatches=2", seed="3")
    assert begun.status_code == 303
    game = begun.headers["location"]
    assert "cooperate" in ask(f"{game}/table").text.lower()
    assert ask(game).status_code == 200
    for text in ("cooperate", "defect"):
        assert ask(f"{game}/say", text=text, tag="move").headers["location"] == game
    assert "5" in ask(f"{game}/table").text
    assert ask("/play").status_code == 200


def test_a_game_gives_hints_until_it_is_left(ask: Client) -> None:
    game = ask("/play", env_id="SituationPuzzle-v1", seed="1").headers["location"]
    assert ask(f"{game}/hint", text="").headers["location"] == game
    assert "hint" in ask(game).text.lower()
    assert ask(f"{game}/leave", text="").headers["location"] == game
    assert "You left the game" in ask(game).text


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/run?at=nothing", 404, "unknown run"),
        ("/run/live?at=nothing", 404, "unknown run"),
        ("/episode?at=query&key=x", 400, "names no episode"),
        ("/run?at=query&page=-1", 400, "page must be a whole number"),
        ("/watch?at=query&key=9-0-0", 400, "has no cell 9"),
    ],
)
def test_a_wrong_address_is_answered_with_a_sentence(ask: Client, path: str, status: int, words: str) -> None:
    answer = ask(path)
    assert answer.status_code == status
    assert words in answer.text


def test_files_of_the_pages_are_those_of_the_package(ask: Client) -> None:
    assert ask("/static/app.js").headers["content-type"].startswith(("text/javascript", "application/javascript"))
    assert ask("/static/nothing").status_code == 404
