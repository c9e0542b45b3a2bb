"""Large answers are sent while they are made, and are the same as if they were not."""

from __future__ import annotations

import gzip
import json
import logging
from collections.abc import Iterable, Iterator
from typing import Any
from wsgiref.types import WSGIApplication

import brotli
import pytest
import zstandard

from tests.faults.watch import Watch
from wikiapi.api.format import Format, Rendered
from wikiapi.api.module import Action
from wikiapi.api.result import Obj
from wikiapi.budget import Allowance, Budgets
from wikiapi.errors import DeadlineExceeded
from wikiapi.hookspecs import hookimpl
from wikiapi.http.apireply import Stream
from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.testing import ApiClient, make_site

PAGES = {f"Page {n}": f'{n} [[A]] é \u2028 "q" {"words " * 8000}' for n in range(8)}
TITLES = "|".join(PAGES)
CONTENT = {"action": "query", "titles": TITLES, "prop": "info|revisions", "rvprop": "content|flags"}
ABOVE = 100_000
DECODERS: dict[str, Any] = {
    "gzip": gzip.decompress,
    "br": brotli.decompress,
    "zstd": lambda data: zstandard.ZstdDecompressor().decompressobj().decompress(data),
}


class Counting(Format):
    """Counts to ten in pieces, and notes how far it has come."""

    name = "counting"
    made: list[int]
    fails_at = 99

    def render(self, root: Any) -> Rendered:
        return Rendered(b"all", "text/plain")

    def stream(self, root: Any) -> Rendered:
        return Rendered(b"", "text/plain", pieces=self._pieces())

    def _pieces(self) -> Iterator[bytes]:
        try:
            for number in range(10):
                if number == self.fails_at:
                    raise ValueError("the inside story")
                self.made.append(number)
                yield b"%d" % number
        finally:
            self.made.append(-1)


class WholeOnly(Format):
    """Knows nothing of pieces."""

    name = "wholeonly"

    def render(self, root: Any) -> Rendered:
        return Rendered(b"whole", "text/plain")


class Long(Action):
    """Has a long text."""

    name = "long"

    def execute(self) -> None:
        self.result.set((), "long", Obj({"text": "x" * (ABOVE + 1)}))


class Plugin:
    """Registers them."""

    def __init__(self) -> None:
        self.counting = type("Counting", (Counting,), {"made": [], "__doc__": Counting.__doc__})

    @hookimpl
    def register_formats(self) -> Iterable[type[Format]]:
        return [self.counting, WholeOnly]

    @hookimpl
    def register_actions(self) -> Iterable[type[Action]]:
        return [Long]


def site_with(stream_above: int, plugin: Plugin | None = None) -> Site:
    http = {"stream_above": stream_above}
    return make_site(PAGES, config={"http": http}, plugins=[plugin or Plugin()])


@pytest.fixture(scope="module")
def streaming() -> Iterator[ApiClient]:
    site = site_with(ABOVE)
    yield ApiClient(make_app(site))
    site.db.close()


@pytest.fixture(scope="module")
def whole() -> Iterator[ApiClient]:
    site = site_with(0)
    yield ApiClient(make_app(site))
    site.db.close()


@pytest.fixture
def plugin() -> Plugin:
    return Plugin()


@pytest.fixture
def site(plugin: Plugin) -> Iterator[Site]:
    site = site_with(ABOVE, plugin)
    yield site
    site.db.close()


def opened(app: WSGIApplication, query: str) -> tuple[dict[str, str], Any]:
    """Return the headers and the body of an answer, as a server receives them."""
    headers: dict[str, str] = {}

    def start_response(_status: str, pairs: Any, *_: Any) -> Any:
        headers.update(pairs)

    environ = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": "/w/api.php",
        "QUERY_STRING": query,
        "REMOTE_ADDR": "192.0.2.1",
    }
    return headers, app(environ, start_response)


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("coding", [None, *DECODERS])
@pytest.mark.parametrize(
    "params",
    [
        {"formatversion": 1},
        {"formatversion": 1, "utf8": 1},
        {"formatversion": 2},
        {"formatversion": 2, "ascii": 1},
        {"callback": "a.b"},
    ],
)
def test_the_same_bytes(
    params: dict[str, Any], coding: str | None, method: str, streaming: ApiClient, whole: ApiClient
) -> None:
    headers = {"Accept-Encoding": coding} if coding else {}
    asked = {**CONTENT, **params}
    sent = streaming.reply(method, asked, headers=headers)
    expected = whole.reply(method, asked)
    assert "content-length" not in sent.headers
    assert "etag" not in sent.headers
    assert sent.headers.get("content-encoding") == coding
    body = DECODERS[coding](sent.body) if coding else sent.body
    assert len(body) > ABOVE
    assert body == expected.body
    for name in ("content-type", "vary", "cache-control", "content-disposition"):
        assert sent.headers[name] == expected.headers[name]


@pytest.mark.parametrize("name", ["xml", "php"])
@pytest.mark.parametrize("params", [{}, {"formatversion": 2}, {"includexmlnamespace": 1}])
def test_the_same_bytes_in_other_formats(
    name: str, params: dict[str, Any], streaming: ApiClient, whole: ApiClient
) -> None:
    asked = {**CONTENT, **params, "format": name}
    sent = streaming.reply("GET", asked)
    assert "content-length" not in sent.headers
    assert len(sent.body) > ABOVE
    assert sent.body == whole.reply("GET", asked).body


@pytest.mark.parametrize("coding", ["identity", *DECODERS])
def test_head_gets_the_length(coding: str, streaming: ApiClient) -> None:
    headers = {"Accept-Encoding": coding}
    head = streaming.reply("HEAD", CONTENT, headers=headers)
    got = streaming.reply("GET", CONTENT, headers=headers)
    assert head.body == b""
    assert int(head.headers["content-length"]) == len(got.body)
    assert {**head.headers, "content-length": ""} == {**got.headers, "content-length": ""}


def test_small_answers_are_as_ever(streaming: ApiClient) -> None:
    reply = streaming.reply("GET", {**CONTENT, "titles": "Page 1"})
    assert int(reply.headers["content-length"]) == len(reply.body)
    again = streaming.reply(
        "GET", {**CONTENT, "titles": "Page 1"}, headers={"If-None-Match": reply.headers["etag"]}
    )
    assert again.status == 304


def test_a_condition_does_not_keep_a_large_answer_back(streaming: ApiClient) -> None:
    reply = streaming.reply("GET", CONTENT, headers={"If-None-Match": '"x"'})
    assert reply.status == 200
    assert len(reply.body) > ABOVE


def test_zero_is_for_never(whole: ApiClient) -> None:
    reply = whole.reply("GET", CONTENT)
    assert int(reply.headers["content-length"]) == len(reply.body)
    assert "etag" in reply.headers


def test_a_long_text_of_an_action_counts(streaming: ApiClient, whole: ApiClient) -> None:
    sent = streaming.reply("GET", action="long")
    assert "content-length" not in sent.headers
    assert sent.body == whole.reply("GET", action="long").body


@pytest.mark.parametrize("name", ["jsonfm", "wholeonly"])
def test_a_format_may_give_only_the_whole(name: str, streaming: ApiClient) -> None:
    reply = streaming.reply("GET", {**CONTENT, "format": name})
    assert reply.status == 200
    assert int(reply.headers["content-length"]) == len(reply.body)


def test_pieces_are_small(site: Site) -> None:
    _, body = opened(make_app(site), "action=long&format=json")
    sizes = [len(piece) for piece in body]
    assert len(sizes) > 1
    assert max(sizes) < ABOVE


def test_a_piece_is_made_when_it_is_requested(site: Site, plugin: Plugin) -> None:
    _, body = opened(make_app(site), "action=long&format=counting")
    pieces, made = iter(body), plugin.counting.made
    assert made == []
    assert [next(pieces), next(pieces)] == [b"0", b"1"]
    assert made == [0, 1]
    body.close()
    assert made == [0, 1, -1], "nothing is made for who has gone"


@pytest.mark.parametrize("coding", ["identity", "gzip"])
def test_the_access_log_has_the_bytes_that_were_sent(
    coding: str, caplog: pytest.LogCaptureFixture
) -> None:
    site = make_site(PAGES, config={"http": {"stream_above": ABOVE, "access_log": "json"}})
    client = ApiClient(make_app(site))
    with caplog.at_level(logging.INFO, "wikiapi.access"):
        reply = client.reply("GET", CONTENT, headers={"Accept-Encoding": coding})
    site.db.close()
    (line,) = caplog.messages
    assert json.loads(line)["bytes"] == len(reply.body)
    assert "content-length" not in reply.headers


def test_the_deadline_counts_to_the_last_byte(
    site: Site, plugin: Plugin, caplog: pytest.LogCaptureFixture
) -> None:
    watch = Watch()
    site.budgets = Budgets(watch)
    _, body = opened(make_app(site), "action=long&format=counting")
    pieces = iter(body)
    next(pieces)
    watch.now += site.config.http.request_deadline + 1
    with caplog.at_level(logging.ERROR), pytest.raises(DeadlineExceeded):
        next(pieces)
    body.close()
    assert plugin.counting.made == [0, -1]
    assert "DeadlineExceeded" in caplog.text


def test_queries_of_the_store_end_at_the_deadline(site: Site) -> None:
    watch = Watch()
    site.budgets = Budgets(watch)
    left: list[float] = []

    def pieces() -> Iterator[bytes]:
        for _ in range(2):
            left.append(site.budgets.current.left)
            yield b"x"

    with site.budgets.begin(Allowance(seconds=60)) as budget:
        pass
    stream = Stream(pieces(), site, budget, lambda _: None)
    next(stream)
    watch.now += 40
    next(stream)
    assert left == [60, 20]
    assert site.budgets.current.left > 60, "no budget stays behind"


def test_a_failure_is_logged_and_cuts_the_answer(
    site: Site, plugin: Plugin, caplog: pytest.LogCaptureFixture
) -> None:
    plugin.counting.fails_at = 2
    _, body = opened(make_app(site), "action=long&format=counting")
    pieces = iter(body)
    assert [next(pieces), next(pieces)] == [b"0", b"1"]
    with caplog.at_level(logging.ERROR), pytest.raises(ValueError):
        next(pieces)
    assert "the inside story" in caplog.text
    assert "action=long" in caplog.text
