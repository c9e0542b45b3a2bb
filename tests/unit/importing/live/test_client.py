"""The client against a server that is busy, slow, broken or something else altogether."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs

import pytest

from wikiapi.errors import DumpError
from wikiapi.importing.live.client import LiveApi
from wikiapi.testing import live_server

Reply = tuple[str, dict[str, str], bytes]

GOOD: Reply = ("200 OK", {}, b'{"query": {"x": 1}}')
LAGGED: Reply = (
    "200 OK",
    {"Retry-After": "7"},
    b'{"error": {"code": "maxlag", "info": "Waiting for a host: 9 seconds lagged."}}',
)
BUSY: Reply = ("503 Service Unavailable", {"Retry-After": "11"}, b"")
FAILING: Reply = ("500 Internal Server Error", {}, b"<html>")
FOREVER: Reply = ("429 Too Many Requests", {"Retry-After": "99999"}, b"")


class Server:
    """Gives the replies one after the other, and keeps the requests."""

    def __init__(self, *replies: Reply) -> None:
        self._replies = list(replies)
        self.seen: list[dict[str, list[str]]] = []
        self.agents: list[str] = []

    def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
        self.seen.append(parse_qs(body.decode()))
        self.agents.append(environ["HTTP_USER_AGENT"])
        status, headers, data = self._replies.pop(0)
        start_response(status, [*headers.items(), ("Content-Length", str(len(data)))])
        return [data]


class Asked:
    """A client of such a server; ``waits`` are the seconds that it waited, which it does not."""

    def __init__(self, url: str, server: Server) -> None:
        self.waits: list[float] = []
        self.server = server
        self.api = LiveApi(f"{url}/api.php", timeout=5, tries=3, wait=self.waits.append)


@pytest.fixture
def asked(request: pytest.FixtureRequest) -> Iterator[Asked]:
    server = Server(*request.param)
    with live_server(server) as url:
        yield Asked(url, server)


@pytest.mark.parametrize(
    ("asked", "waits"),
    [
        ((GOOD,), []),
        ((LAGGED, BUSY, GOOD), [7, 11]),
        ((FAILING, FAILING, GOOD), [2, 4]),
        ((FOREVER, GOOD), [300]),
    ],
    indirect=["asked"],
)
def test_waits_as_long_as_the_server_says(asked: Asked, waits: list[int]) -> None:
    assert asked.api.ask({"action": "query"}) == {"query": {"x": 1}}
    assert asked.waits == waits
    assert asked.server.seen[-1]["maxlag"] == ["5"]
    assert asked.server.agents[-1].startswith("wikiapi/")


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ((LAGGED, LAGGED, LAGGED), "did not answer after 3 tries: Waiting for a host"),
        ((("404 Not Found", {}, b""),), "answers HTTP 404"),
        ((("200 OK", {}, b"<!DOCTYPE html>"),), "does not answer with JSON: is it an api.php?"),
        ((("200 OK", {}, b"[]"),), "does not answer with a JSON object"),
        (
            (("200 OK", {"Content-Encoding": "gzip"}, b"\x1f\x8bnot"),),
            "sends an answer that cannot be decompressed",
        ),
        (
            (("200 OK", {}, b'{"error": {"code": "readapidenied", "info": "No."}}'),),
            "answers readapidenied: No.",
        ),
    ],
    indirect=["asked"],
)
def test_failure_is_reported(asked: Asked, problem: str) -> None:
    with pytest.raises(DumpError, match=problem.replace("?", r"\?")):
        asked.api.ask({"action": "query"})


@pytest.mark.parametrize(
    "asked",
    [
        (
            (
                "200 OK",
                {"Content-Encoding": "gzip"},
                gzip.compress(b'{"query": {"n": 1}, "continue": {"a": "2", "continue": "-||"}}'),
            ),
            ("200 OK", {}, json.dumps({"query": {"n": 2}}).encode()),
        )
    ],
    indirect=True,
)
def test_continuation_and_packed_answers(asked: Asked) -> None:
    assert [part["n"] for part in asked.api.query({"list": "x"})] == [1, 2]
    assert asked.server.seen[1]["a"] == ["2"]
    assert asked.server.seen[1]["list"] == ["x"]


def test_the_server_does_not_answer() -> None:
    waits: list[float] = []
    said: list[tuple[str, float]] = []

    def on_retry(reason: str, seconds: float) -> None:
        said.append((reason, seconds))

    with pytest.raises(DumpError, match="did not answer after 2 tries"):
        LiveApi("http://127.0.0.1:1/api.php", tries=2, wait=waits.append, on_retry=on_retry).ask({})
    assert waits == [2]
    [(reason, seconds)] = said
    assert "refused" in reason
    assert seconds == 2
