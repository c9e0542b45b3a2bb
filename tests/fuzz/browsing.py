"""The target that takes browsers' requests: reader, explorer, description of the API."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote, urlencode

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.fuzz.requests import VALUES
from tests.fuzz.target import Opened, Target
from tests.fuzz.wikis import listed_wiki
from tests.fuzz.words import words
from tests.security.harmless import faults
from wikiapi.http.app import make_app
from wikiapi.http.wsgiclient import InProcess

PATHS = (
    *(
        "/",
        "/wiki/",
        "/wiki",
        "/w/index.php",
        "/w/index.php/",
        "/index.php",
        "/wiki/Special:",
        "/w/",
        "/w/api.php",
    ),
    *(
        "/explorer",
        "/explorer/",
        "/openapi.json",
        "/openapi/",
        "/openapi/query.json",
        "/w/reader/",
        "/images/",
        "/w/images/",
    ),
    *(
        "/w/images/thumb/",
        "/w/thumb.php",
        "/metrics",
        "/health",
        "/w/rest.php/v1/page/",
        "/robots.txt",
        "/favicon.ico",
        "//",
    ),
    *(
        "/wiki/Special:Search/",
        "/wiki/Special:AllPages/",
        "/wiki/Special:RecentChanges",
        "/wiki/Special:PrefixIndex/",
    ),
)
NAMES = words(
    """
    title search action oldid diff diff-type limit offset from to namespace curid ns
    prefix printable redirect section ctype raw dir hideredirects days page fulltext go target
    invert tagfilter
    subcatfrom pagefrom filefrom subcatuntil pageuntil type user uselang useskin width f height
    """
)
ACTIONS = (
    "view",
    "raw",
    "history",
    "info",
    "edit",
    "render",
    "preview",
    "delete",
    "markpatrolled",
    "purge",
    "x",
)
HEADERS = words(
    """
    If-None-Match Accept-Encoding Accept-Language Range If-Range Cookie Host X-Forwarded-Host
    X-Forwarded-For Referer Origin If-Modified-Since Accept
    """
)
METHODS = ("GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PROPFIND")
LATIN = VALUES.map(
    lambda text: (
        "".join(c for c in text if c >= " " and c != "\x7f")
        .encode("utf-8", "replace")
        .decode("latin-1")
    )
)
REQUIRED = {"x-content-type-options": "nosniff"}


def browsing() -> SearchStrategy[dict[str, Any]]:
    """Return requests as browsers and other clients send them."""
    names = st.sampled_from(NAMES) | st.text(max_size=3)
    queries = st.dictionaries(names, VALUES | st.sampled_from(ACTIONS), max_size=5)
    return st.fixed_dictionaries(
        {
            "method": st.sampled_from(METHODS),
            "path": st.builds("".join, st.tuples(st.sampled_from(PATHS), st.just("") | VALUES)),
            "query": queries,
            "headers": st.dictionaries(st.sampled_from(HEADERS), LATIN, max_size=2),
        }
    )


def assert_answers(wsgi: InProcess, asked: dict[str, Any]) -> None:
    """Check that the reply is no failure, cannot be sniffed, and has a safe page and policy."""
    path = quote(asked["path"].encode("utf-8", "surrogatepass"))
    query = urlencode({n: v.encode("utf-8", "surrogatepass") for n, v in asked["query"].items()})
    reply = wsgi.send(asked["method"], path, query, headers=asked["headers"])
    assert reply.status < 500, reply.text
    if reply.status == 304:
        return
    for name, value in REQUIRED.items():
        assert reply.headers.get(name) == value, reply.headers
    if reply.headers.get("content-type", "").startswith("text/html"):
        assert "content-security-policy" in reply.headers, reply.headers
        assert "'unsafe-inline'" not in _scripts(reply.headers["content-security-policy"])
    if not reply.headers.get("content-encoding") and reply.status == 200:
        assert faults(reply.text) == [] or "text/html" not in reply.headers["content-type"]


def _scripts(policy: str) -> str:
    directives = dict(part.strip().partition(" ")[::2] for part in policy.split(";"))
    return directives.get("script-src", directives.get("default-src", "'unsafe-inline'"))


@contextmanager
def _reader() -> Iterator[Opened]:
    with listed_wiki() as site:
        wsgi = InProcess(make_app(site), "192.0.2.1")

        def check(asked: dict[str, Any]) -> None:
            """Check that every request of a browser gets a safe page."""
            assert_answers(wsgi, asked)

        yield Opened(browsing(), check)


READER = Target("reader", _reader, 200)
