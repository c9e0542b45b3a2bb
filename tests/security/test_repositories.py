"""Rows 54 and 56 of the hostile inputs: a foreign repository that drips, hangs, answers nonsense or
impossible times, and pages that make many questions of it.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from itertools import islice
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen
from xml.etree import ElementTree

import pytest

from tests.plugins.filerepos.rawserver import http, raw_server
from tests.plugins.filerepos.test_apirepo import INFO, Counted
from wikiapi.budget import Allowance
from wikiapi.http.app import make_app
from wikiapi.http.wsgiclient import InProcess
from wikiapi.site import Site
from wikiapi.testing import ApiClient, live_server
from wikiapi_plugins.filerepos import remoteapi

LONG = 60
"""Seconds after which a test has failed, on a busy machine too."""


PAGES = {"Page": "before [[File:Far.png]] after", "Plain": "plain"}


def using(
    make: Callable[..., Site],
    api: str,
    timeout: float = LONG,
    pages: Mapping[str, str] = PAGES,
    **tables: Any,
) -> Site:
    """Return a wiki that uses the files of a repository; making it asks for those of its pages."""
    repository = {"name": "far", "api": api, "allow_private": True, "timeout": timeout}
    return make(pages, config={"repositories": [repository], **tables})


def parse(site: Site, text: str) -> dict[str, Any]:
    client = ApiClient(make_app(site))
    return client.post(action="parse", text=text, contentmodel="wikitext", prop="text")


# Row 54: time

BEGINNINGS = {
    "says nothing": b"",
    "status line": b"HTTP/1.1 200 ",
    "headers": b"HTTP/1.1 200 OK\r\nA: ",
    "body": http(b""),
    "length": http(b"", headers=b"Content-Length: 1000000\r\n"),
    "chunks": http(b"", headers=b"Transfer-Encoding: chunked\r\n"),
    "TLS handshake": b"\x16\x03\x03\x3f\xff",
}


@pytest.fixture(params=BEGINNINGS)
def dripping(request: pytest.FixtureRequest) -> Iterator[str]:
    """Yield a repository that sends an endless answer, one byte at a time."""
    over = threading.Event()

    def drip(_request: bytes, send: Callable[[bytes], None]) -> None:
        send(BEGINNINGS[request.param])
        while not over.wait(0.05):
            send(b"0" if BEGINNINGS[request.param] else b"")

    with raw_server(drip) as url:
        yield url.replace("http:", "https:") if "TLS" in request.param else url
        over.set()


def test_the_deadline_of_the_request_holds(make_site: Callable[..., Site], dripping: str) -> None:
    site = using(make_site, dripping, pages={}, http={"request_deadline": 0.5})
    start = time.monotonic()
    answer = parse(site, PAGES["Page"])
    assert answer["error"]["code"].endswith("RequestTimeoutException")
    assert time.monotonic() - start < LONG / 2


def test_a_repository_that_drips_is_out_of_reach(
    make_site: Callable[..., Site], dripping: str
) -> None:
    site = using(make_site, dripping, timeout=0.3)
    start = time.monotonic()
    text = ApiClient(make_app(site)).get(action="parse", page="Page")["parse"]["text"]
    assert "before" in text
    assert "after" in text
    assert time.monotonic() - start < LONG / 2


def test_threads_are_left_for_others_while_a_repository_hangs(
    make_site: Callable[..., Site],
) -> None:
    """Twice as many readers as the server has threads ask for pages with files."""
    asked, may_end = threading.Semaphore(0), threading.Event()

    def hang(_request: bytes, _send: Callable[[bytes], None]) -> None:
        asked.release()
        may_end.wait(LONG)

    def read(base: str, text: str) -> str:
        query = urlencode({"action": "parse", "text": text, "format": "json"})
        with urlopen(f"{base}/w/api.php?{query}", timeout=LONG) as response:
            return json.load(response)["parse"]["text"]["*"]

    with raw_server(hang) as api:
        site = using(make_site, api)
        with live_server(make_app(site), threads=site.config.http.threads) as base:
            readers = [
                threading.Thread(target=read, args=(base, f"[[File:{number}.png]]"), daemon=True)
                for number in range(2 * site.config.http.threads)
            ]
            for reader in readers:
                reader.start()
            assert asked.acquire(timeout=LONG)
            start = time.monotonic()
            assert "plain" in read(base, "plain")
            assert time.monotonic() - start < LONG / 2
            may_end.set()
            for reader in readers:
                reader.join(LONG)


# Row 54: number


@pytest.fixture
def commons() -> Iterator[Counted]:
    counted = Counted()
    yield counted
    counted.site.db.close()


def test_thousands_of_widths_of_one_picture(
    make_site: Callable[..., Site], commons: Counted
) -> None:
    widths = range(10, 2510)
    with live_server(commons) as base:
        site = using(make_site, f"{base}/w/api.php")
        text = parse(site, "".join(f"[[File:Photo.jpg|{width}px]]" for width in widths))
    html = text["parse"]["text"]
    assert [int(width) for width in re.findall(r' width="([0-9]+)"', html)] == list(widths)
    assert "mw-broken-media" not in html
    assert len(commons.requests) <= 65


MANY = {
    "names": "".join(f"{{{{filepath:Nope {n}.jpg}}}}" for n in range(500)),
    "widths one by one": "".join(f"{{{{filepath:Photo.jpg|{n}}}}}" for n in range(100, 600)),
    "boxes": "".join(f"[[File:Photo.jpg|{n}x{n % 97 + 3}px]]" for n in range(100, 600)),
    "languages": "".join(
        f"[[File:Drawing.svg|{n}px|lang=q{chr(97 + n // 26)}{chr(97 + n % 26)}]]"
        for n in range(10, 510)
    ),
    "pictures that are missing": "".join(f"[[File:Nope {n}.jpg|{n}px]]" for n in range(10, 6010)),
}


@pytest.mark.parametrize("what", MANY)
def test_a_page_asks_a_repository_so_often(
    make_site: Callable[..., Site], commons: Counted, what: str
) -> None:
    with live_server(commons) as base:
        limits = {"request_fetches": 30}
        address = f"{base}/w/api.php"
        site = using(make_site, address, pages={}, limits=limits, http={"threads": 1})
        answer = parse(site, MANY[what] + " the end")
        assert "the end" in answer["parse"]["text"]
        assert len(commons.requests) <= 30
        # What was refused was not taken for an answer.
        assert site.files.find([site.titles.parse("File:Film.gif")])


# Row 54: nonsense


class Token(str):
    """JSON that Python does not write."""


ODD = (
    None, True, 0, -1, 10**12, 10**30, 1.5, Token("1e999"), Token("9" * 400), Token("9" * 5000),
    "", "x", "\ud800", "\0\x1b\u2028\ufffe", "a|b", "2026-02-30T00:00:00Z", "y" * 70_000,
    "http://[", "http://a:99999999/", [], {}, [[]], [{}], {"": ""}, {"1.5": 7},
    [{"name": [], "value": 1}],
)  # fmt: skip
TYPES = (None, True, -1, 10**30, Token("9" * 400), "", "x", [], {}, [[]], [{}])
NESTED = [{"name": 0, "value": [{"name": 0, "value": "x"}, {"name": 1, "value": "y"}]}]
METADATA = [
    {"name": "duration", "value": 1.5},
    {"name": "MEDIAWIKI_EXIF_VERSION", "value": 2},
    {"name": "Software", "value": NESTED},
    {"name": "metadata", "value": [{"name": "Software", "value": NESTED}]},
    {"name": "media-metadata", "value": [{"name": "a", "value": 1}]},
]
GOOD_INFO = INFO | {
    "width": 1000,
    "height": 500,
    "sha1": "a" * 40,
    "comment": "see [[x]]",
    "descriptionshorturl": "https://files.example/?curid=1",
    "thumburl": "https://files.example/100px-A.png",
    "thumbwidth": 100,
    "responsiveUrls": {"1.5": "https://files.example/150px-A.png"},
    "extmetadata": {"DateTime": {"value": "2024-01-01", "source": "x", "hidden": ""}},
}
SHORT_INFO = {"timestamp": "2024-01-01T00:00:00Z", "url": "https://files.example/A.png"}
GOOD = {
    "query": {
        "normalized": [{"from": "File:A0.png", "to": "File:B.png"}],
        "redirects": [{"from": "File:B.png", "to": "File:C.png"}],
        "pages": [{"ns": 6, "title": "File:C.png", "imageinfo": [SHORT_INFO]}],
        "allimages": [{"name": "A1.png", **SHORT_INFO}],
        "general": {"articlepath": "/wiki/$1", "server": "http://x", "favicon": "http://x/f"},
    },
    "continue": {"iicontinue": "a|b", "aicontinue": "c", "continue": "||"},
}
MISSING = object()
IN_TURN = 50
PROPS = (
    "timestamp|user|userid|comment|parsedcomment|canonicaltitle|url|size|sha1|mime|thumbmime|"
    "mediatype|metadata|commonmetadata|extmetadata|archivename|bitdepth|badfile"
)


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the positions of values inside a value, the whole first."""
    yield at
    if isinstance(value, dict | list):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        for name, item in inner:
            yield from places(item, (*at, name))


def mutations(good: Any, values: Iterable[Any] = ODD) -> Iterator[tuple[str, Any]]:
    """Yield the value with each of its parts replaced by each of others, or removed."""
    for at in places(good):
        for odd in values:
            yield f"{at} {str(odd)[:20]!r}", replaced(good, at, odd)
        if at and isinstance(at[-1], str):
            yield f"{at} missing", replaced(good, at, MISSING)


def replaced(good: Any, at: tuple[Any, ...], value: Any) -> Any:
    if not at:
        return value
    made = deepcopy(good)
    inner = made
    for name in at[:-1]:
        inner = inner[name]
    if value is MISSING:
        del inner[at[-1]]
    else:
        inner[at[-1]] = value
    return made


def written(value: Any) -> bytes:
    marked = json.dumps(marking(value))
    return re.sub(r'"@@(.*?)@@"', r"\1", marked).encode()


def marking(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: marking(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [marking(inner) for inner in value]
    return f"@@{value}@@" if isinstance(value, Token) else value


class Repository:
    """Answers everything with what a test has put there; nothing is remembered of it."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.answer = b""
        self.client = InProcess(make_app(site), "192.0.2.1")

    def problems(self, titles: list[str], *, pages: bool) -> list[str]:
        """Return the errors of looking up files and showing them, also on their own pages."""
        api = {"action": "query", "titles": "|".join(titles), "iiprop": PROPS, "iiurlwidth": "100"}
        wikitext = " ".join(f"[[{title}|thumb]] [[{title}|50x60px]]" for title in titles)
        problems = [
            self._problem("/w/api.php", api | {"prop": "imageinfo", "format": "json"}),
            self._problem(
                "/w/api.php",
                api
                | {"prop": "imageinfo|duplicatefiles", "format": "xml", "iimetadataversion": "1"},
            ),
        ]
        if pages:
            form = {"action": "parse", "text": wikitext, "format": "json"}
            problems.append(self._problem("/w/api.php", form))
            problems += [self._problem(f"/wiki/{title}") for title in titles]
        return [problem for problem in problems if problem]

    def _problem(self, path: str, form: dict[str, str] | None = None) -> str:
        received = self.client.send("POST" if form else "GET", path, form=form)
        if received.status not in (200, 404) or "mediawiki-api-error" in received.headers:
            return f"{path} {received.status} {received.headers.get('mediawiki-api-error')}"
        if form and form["format"] == "json":
            json.loads(received.body, parse_constant=lambda name: pytest.fail(name))
        elif form:
            ElementTree.fromstring(received.body)
        return ""


@pytest.fixture
def repository(
    make_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Repository]:
    # A test would show nothing while the repository rests.
    monkeypatch.setattr(remoteapi, "RETRY_AFTER", 0)
    with raw_server(lambda _, send: send(http(made.answer))) as url:
        made = Repository(using(make_site, url, files={"repository_cache_seconds": 0}))
        yield made


@pytest.mark.parametrize(
    ("mime", "part", "values"),
    [
        ("image/png", "", ODD),
        ("image/svg+xml", "width", ODD),
        ("image/png", "metadata", TYPES),
        ("image/jpeg", "metadata", TYPES),
        ("image/webp", "metadata", TYPES),
        ("image/svg+xml", "metadata", TYPES),
    ],
    ids=["png", "svg width", "png metadata", "jpeg metadata", "webp metadata", "svg metadata"],
)
def test_every_mutation_of_a_good_file_is_a_file_or_none(
    repository: Repository, mime: str, part: str, values: tuple[Any, ...]
) -> None:
    good = GOOD_INFO | {"mime": mime, "metadata": METADATA if part == "metadata" else []}
    mutated = (
        (name, replaced(good, (part,), value) if part else value)
        for name, value in mutations(good[part] if part else good, values)
    )
    wrong: list[str] = []
    while some := list(islice(mutated, IN_TURN)):
        # JSON with such a number is refused as a whole, so it is not put beside others.
        some = [(name, info) for name, info in some if "9" * 1000 not in str(info)]
        titles = [f"File:A{number}.png" for number in range(len(some))]
        pages = [
            {"title": title, "imageinfo": [info]}
            for title, (_, info) in zip(titles, some, strict=True)
        ]
        images = [
            {"name": f"B{n}.png", **info}
            for n, (_, info) in enumerate(some)
            if isinstance(info, dict)
        ]
        repository.answer = written({"query": {"pages": pages, "allimages": images}})
        shows = any(place in name for name, _ in some for place in ("timestamp", "width", "url"))
        problems = repository.problems(titles, pages=shows or part == "width")
        wrong += [f"{problem}: one of {some[0][0]} to {some[-1][0]}" for problem in problems]
    assert wrong == []
    repository.answer = written(
        {"query": {"pages": [{"title": "File:A.png", "imageinfo": [good]}]}}
    )
    assert repository.site.files.find([repository.site.titles.parse("File:A.png")])


def test_every_mutation_of_a_good_answer_is_an_answer_or_none(
    repository: Repository,
) -> None:
    site = repository.site
    wrong: list[str] = []
    for name, answer in mutations(GOOD):
        repository.answer = written(answer)
        with site.budgets.begin(Allowance(fetches=5)):
            site.files.find([site.titles.parse("File:A0.png")])
            site.files.by_sha1(["a" * 31])
            info = site.files.foreign[0].info()
        if not all(isinstance(value, str | int) for value in info.values()):
            wrong.append(name)
    assert wrong == []
    repository.answer = written(GOOD | {"continue": {}})
    assert site.files.find([site.titles.parse("File:A0.png")])


# Row 56

IMPOSSIBLE = (
    "2026-02-30T00:00:00Z", "2025-02-29T00:00:00Z", "0000-00-00T00:00:00Z", "0000-01-01T00:00:00Z",
    "2026-13-01T00:00:00Z", "2026-99-99T99:99:99Z", "2026-01-01T24:00:00Z", "2026-06-30T23:59:60Z",
    "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z",
)  # fmt: skip


@pytest.mark.parametrize("moment", IMPOSSIBLE)
def test_impossible_times_are_not_remembered(make_site: Callable[..., Site], moment: str) -> None:
    page = {"title": "File:Far.png", "imageinfo": [INFO | {"timestamp": moment}]}
    body = json.dumps({"query": {"pages": [page]}}).encode()
    with raw_server(lambda _, send: send(http(body))) as url:
        site = using(make_site, url)
        client = InProcess(make_app(site), "192.0.2.1")
        for _ in range(2):
            for path, query in (
                ("/wiki/File:Far.png", ""),
                ("/w/api.php", "action=query&prop=imageinfo&titles=File:Far.png&format=json"),
                ("/w/api.php", "action=parse&text=[[File:Far.png]]&format=json"),
            ):
                received = client.send("GET", path, query)
                assert received.status in (200, 404)
                assert "mediawiki-api-error" not in received.headers
    [file] = site.files.find([site.titles.parse("File:Far.png")]).values()
    assert file.current.timestamp == "19700101000000"
