"""What becomes of answers, and of a wiki that gives none."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from tests.plugins.filerepos.rawserver import http, raw_server
from wikiapi.budget import Allowance, Budgets
from wikiapi.errors import ConfigError, DeadlineExceeded
from wikiapi.fetching import HttpClient
from wikiapi.filerepo.file import RepositoryUnavailable
from wikiapi_plugins.filerepos import check_address, remoteapi
from wikiapi_plugins.filerepos.remoteapi import RETRY_AFTER, Bounds, RemoteApi, fetch

GOOD = b'{"query": {}}'


class Clock:
    """Seconds, as a test sets them."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Scripted:
    """Answers what a test has prepared, each answer after some seconds."""

    def __init__(self, *bodies: bytes | None, clock: Clock | None = None, takes: float = 0) -> None:
        self.bodies = list(bodies)
        self.asked: list[Mapping[str, str]] = []
        self.seconds: list[float] = []
        self.clock = clock or Clock()
        self.takes = takes

    def fetch(self, params: Mapping[str, str], seconds: float) -> bytes:
        self.asked.append(params)
        self.seconds.append(seconds)
        body = self.bodies.pop(0)
        self.clock.now += min(self.takes, seconds + 0.001)
        if body is None or self.takes > seconds:
            raise RepositoryUnavailable("down")
        return body


def api_of(source: Any, at_once: int = 2, size: int = 1000) -> tuple[RemoteApi, Budgets]:
    clock = getattr(source, "clock", Clock())
    budgets = Budgets(clock)
    return RemoteApi(source.fetch, Bounds(10, size, at_once), budgets, clock), budgets


def answers(*bodies: bytes | None) -> list[Any]:
    return list(api_of(Scripted(*bodies))[0].query(titles="X"))


def test_continuation_is_followed() -> None:
    first = {"query": {"a": 1}, "continue": {"iicontinue": "B|2024", "continue": "||"}}
    source = Scripted(json.dumps(first).encode(), b'{"query": {"b": 2}}')
    parts = api_of(source)[0].query(follow="iicontinue", titles="X")
    assert list(parts) == [{"a": 1}, {"b": 2}]
    assert source.asked[1]["iicontinue"] == "B|2024"
    assert source.asked[1]["titles"] == "X"


@pytest.mark.parametrize(("size", "most"), [(100_000, 20), (100, 2)])
def test_endless_continuation_ends(size: int, most: int) -> None:
    source = Scripted(*[b'{"query": {}, "continue": {"x": "1"}}'] * 100)
    with pytest.raises(RepositoryUnavailable, match="does not end"):
        list(api_of(source, size=size)[0].query(follow="x"))
    assert len(source.asked) in (most, most + 1)


def test_other_continuation_is_let_be() -> None:
    assert answers(b'{"query": {}, "continue": {"iistart": "1"}}') == [{}]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"[]",
        b'"text"',
        b"{",
        b"[" * 200_000,
        b'{"a": NaN}',
        b"\xff\xfe",
        b'{"query": {"n": ' + b"9" * 5000 + b"}}",
        b'{"error": {"code": "readapidenied"}}',
        b'{"error": "x"}',
    ],
)
def test_nonsense(body: bytes) -> None:
    with pytest.raises(RepositoryUnavailable):
        answers(body)


@pytest.mark.parametrize("query", [b"null", b"7", b"[]"])
def test_a_query_that_is_no_object_is_empty(query: bytes) -> None:
    assert answers(b'{"query": ' + query + b"}") == [{}]


def test_lone_surrogates_do_not_get_through() -> None:
    [query] = answers(b'{"query": {"t": "a\\ud800b", "pair": "\\ud83d\\ude00"}}')
    assert query == {"t": "a?b", "pair": "😀"}


def test_no_line_of_the_log_is_forged() -> None:
    with pytest.raises(RepositoryUnavailable) as caught:
        answers(b'{"error": {"code": "x\\nERROR forged"}}')
    assert "\n" not in str(caught.value)


def test_after_a_failure_there_is_a_pause() -> None:
    clock = Clock()
    source = Scripted(None, GOOD, clock=clock)
    api, _ = api_of(source)
    for moment in (0.0, RETRY_AFTER - 1):
        clock.now = moment
        with pytest.raises(RepositoryUnavailable):
            list(api.query())
    assert len(source.asked) == 1
    clock.now = RETRY_AFTER
    assert len(list(api.query())) == 1


@pytest.mark.parametrize(("code", "rests"), [("urlparam", False), ("readapidenied", True)])
def test_a_wiki_that_refuses_one_question_does_not_rest(code: str, rests: bool) -> None:
    """Otherwise one odd picture on a page would hide the files of all others."""
    source = Scripted(json.dumps({"error": {"code": code}}).encode(), GOOD)
    api, _ = api_of(source)
    with pytest.raises(RepositoryUnavailable, match=code):
        list(api.query())
    if rests:
        with pytest.raises(RepositoryUnavailable, match="next attempt"):
            list(api.query())
    else:
        assert list(api.query()) == [{}]


def test_requests_are_limited_without_a_pause_of_the_wiki() -> None:
    source = Scripted(*[GOOD] * 9)
    api, budgets = api_of(source)
    with budgets.begin(Allowance(fetches=2)):
        for _ in range(2):
            list(api.query())
        for _ in range(5):
            with pytest.raises(RepositoryUnavailable, match="number of fetches"):
                list(api.query())
    assert len(source.asked) == 2
    assert list(api.query()) == [{}]


def test_an_answer_gets_no_more_time_than_the_request_has() -> None:
    source = Scripted(GOOD, GOOD, takes=4)
    api, budgets = api_of(source)
    with budgets.begin(Allowance(seconds=7)):
        list(api.query())
        with pytest.raises(DeadlineExceeded):
            list(api.query())
    assert source.seconds == [7, 3]


def test_a_request_waits_for_all_answers_little_longer_than_for_one() -> None:
    source = Scripted(*[GOOD] * 9, takes=9)
    api, budgets = api_of(source)
    with budgets.begin(Allowance(seconds=60)):
        list(api.query())
        for _ in range(3):
            with pytest.raises(RepositoryUnavailable):
                list(api.query())
    assert source.seconds == [10, 6]
    source.clock.now += RETRY_AFTER
    with budgets.begin(Allowance(seconds=60)):
        list(api.query())
    assert source.seconds[2] == 10


def test_an_import_waits_as_often_as_it_must() -> None:
    source = Scripted(*[GOOD] * 9, takes=9)
    api, _ = api_of(source)
    for _ in range(9):
        list(api.query())
    assert source.seconds == [10] * 9


def test_a_wiki_without_time_to_answer_gets_no_pause() -> None:
    source = Scripted(GOOD, GOOD, takes=2)
    api, budgets = api_of(source)
    with budgets.begin(Allowance(seconds=0.5)), pytest.raises(DeadlineExceeded):
        list(api.query())
    assert list(api.query()) == [{}]


class Hanging:
    """Lets everybody wait until a test has seen enough."""

    def __init__(self) -> None:
        self.entered = threading.Semaphore(0)
        self.may_end = threading.Event()
        self.fails = False

    def fetch(self, params: Mapping[str, str], seconds: float) -> bytes:
        self.entered.release()
        self.may_end.wait(60)
        if self.fails:
            raise RepositoryUnavailable("down")
        return GOOD


@pytest.fixture
def hanging() -> Iterator[Hanging]:
    source = Hanging()
    yield source
    source.may_end.set()


def start(api: RemoteApi, source: Hanging) -> threading.Thread:
    """Start a thread that sends requests."""

    def ask() -> None:
        try:
            list(api.query())
        except RepositoryUnavailable:
            return

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    assert source.entered.acquire(timeout=60)
    return thread


def test_not_all_threads_wait_for_a_wiki_that_hangs(
    hanging: Hanging, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remoteapi, "LONGEST_WAIT", 0.01)
    api, _ = api_of(hanging)
    threads = [start(api, hanging) for _ in range(2)]
    for _ in range(3):
        with pytest.raises(RepositoryUnavailable, match="are waiting"):
            list(api.query())
    hanging.may_end.set()
    for thread in threads:
        thread.join(60)
    assert list(api.query()) == [{}]


def test_others_take_turns(hanging: Hanging, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remoteapi, "LONGEST_WAIT", 60)
    api, _ = api_of(hanging, at_once=1)
    start(api, hanging)
    replies: list[Any] = []
    other = threading.Thread(target=lambda: replies.extend(api.query()), daemon=True)
    other.start()
    hanging.may_end.set()
    other.join(60)
    assert replies == [{}]


def test_after_the_pause_one_thread_finds_out_whether_the_wiki_is_well(hanging: Hanging) -> None:
    clock = Clock()
    api = RemoteApi(hanging.fetch, Bounds(10, 1000, 2), Budgets(clock), clock)
    hanging.fails = True
    hanging.may_end.set()
    start(api, hanging).join(60)
    hanging.may_end.clear()
    clock.now = RETRY_AFTER
    probing = start(api, hanging)
    for _ in range(3):
        with pytest.raises(RepositoryUnavailable, match="being tried"):
            list(api.query())
    hanging.fails = False
    hanging.may_end.set()
    probing.join(60)
    assert list(api.query()) == [{}]


def test_long_requests_are_posted() -> None:
    requests: list[bytes] = []

    def answer(request: bytes, send: Callable[[bytes], None]) -> None:
        requests.append(request)
        send(http(b"{}"))

    client = HttpClient(public_only=False)
    with raw_server(answer) as url:
        assert fetch(client, url, {"titles": "File:ä b", "x": "1"}, 20) == b"{}"
        assert fetch(client, url, {"titles": "x" * 3000}, 20) == b"{}"
    head = requests[0].decode()
    assert head.startswith("GET /w/api.php?titles=File%3A%C3%A4+b&x=1 HTTP/1.1\r\n")
    assert requests[1].startswith(b"POST /w/api.php HTTP/1.1\r\n")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (http(b"", "302 Found", b"Location: http://127.0.0.1/\r\n"), "which is not followed"),
        (http(b"", "500 Oops"), "HTTP 500"),
    ],
)
def test_a_repository_that_does_not_answer(answer: bytes, reason: str) -> None:
    with (
        raw_server(lambda _, send: send(answer)) as url,
        pytest.raises(RepositoryUnavailable, match=reason),
    ):
        fetch(HttpClient(public_only=False), url, {}, 20)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://a.example/api.php",
        "file:///etc/passwd",
        "//a.example/api.php",
        "http:///api.php",
        "http://user:secret@a.example/api.php",
        "http://a.example:99999/api.php",
        "http://a.example/api.php?x=1",
        "http://a.example/api.php#x",
        "http://a.example/a b",
        "http://a.example/\r\nHost: b",
        "http://[::1/api.php",
        "",
    ],
)
def test_addresses_that_cannot_be_configured(url: str) -> None:
    with pytest.raises(ConfigError):
        check_address(url)
