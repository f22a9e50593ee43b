from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest

from interactive_envs.web.serving import Server


@pytest.fixture
def client(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.origin) as http:
        yield http


@pytest.fixture
def known(client: httpx.Client, server: Server) -> httpx.Client:
    client.get(server.address)
    return client


@pytest.mark.parametrize("path", ["/", "/run?at=query", "/play", "/static/app.js", "/run/live?at=query", "/nothing"])
def test_who_has_no_key_gets_nothing(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 403
    assert "open the address that ibench serve printed" in answer.text
    assert client.get("/?token=wrong").status_code == 403


def test_the_key_goes_from_the_address_into_a_cookie(client: httpx.Client, server: Server) -> None:
    answer = client.get(server.address)
    assert (answer.status_code, answer.headers["location"]) == (303, f"{server.origin}/")
    assert all(word in answer.headers["set-cookie"] for word in ("HttpOnly", "SameSite=strict"))
    assert client.get("/").status_code == 200


def test_a_name_that_another_site_points_here_is_refused(known: httpx.Client) -> None:
    assert known.get("/", headers={"host": "evil.example:80"}).status_code == 421


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {},
    ],
)
def test_another_site_s_page_can_post_nothing(known: httpx.Client, headers: dict[str, str]) -> None:
    assert known.post("/play", headers=headers, data={"env_id": "ibench/TrustGame-v1"}).status_code == 403


def test_every_answer_has_the_policy(known: httpx.Client, server: Server) -> None:
    for path in ("/", "/play", "/static/app.js", "/nothing", "/run?at=unknown"):
        policy = known.get(path).headers["content-security-policy"]
        assert "default-src 'none'; script-src 'self'" in policy
        assert f"frame-src {server.frames};" in policy
        assert "unsafe" not in policy


def test_pages_of_players_have_another_origin_and_nothing_else_lies_there(server: Server) -> None:
    assert urlsplit(server.frames).port != urlsplit(server.origin).port
    with httpx.Client(base_url=server.frames) as http:
        answer = http.get("/play")
        assert answer.status_code == 404
        assert answer.headers["content-security-policy"].startswith("sandbox; default-src 'none'")


def test_a_form_that_is_too_large_is_refused(known: httpx.Client, server: Server) -> None:
    answer = known.post("/play", headers={"origin": server.origin}, content=b"text=" + b"x" * (2 << 20))
    assert answer.status_code == 413


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/run?at=..%2F..%2Fetc", 404, "unknown run"),
        ("/episode?at=query&key=0-99-0", 400, "has no episode 0-99-0"),
        ("/episode?at=query&key=x", 400, "names no episode"),
        ("/episode?at=query&key=0-1-", 400, "must be a whole number"),
        ("/run?at=query&page=-1", 400, "page must be a whole number"),
        ("/compare?left=query&a=nobody", 400, "player &#39;nobody&#39; is not in the run"),
        ("/play/none", 400, "there is no such game"),
        ("/watch?at=query&key=9-0-0", 400, "has no cell 9"),
        ("/run/live?at=nothing", 404, "unknown run"),
    ],
)
def test_a_wrong_address_is_answered_with_a_sentence(known: httpx.Client, path: str, status: int, words: str) -> None:
    answer = known.get(path)
    assert answer.status_code == status
    assert words in answer.text


def test_what_cannot_be_played_is_said(known: httpx.Client, server: Server) -> None:
    def start(**form: str) -> str:
        return known.post("/play", headers={"origin": server.origin}, data=form).text

    assert "unknown environment" in start(env_id="ibench/Nothing-v1")
    assert "write name=value" in start(env_id="TrustGame-v1", arguments="delta")
    assert "unknown argument" in start(env_id="TrustGame-v1", arguments="speed=3")
    assert "seed must be a whole number" in start(env_id="TrustGame-v1", seed="x")
