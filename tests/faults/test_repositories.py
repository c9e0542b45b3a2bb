"""A foreign repository hangs, refuses, answers nonsense or sends elsewhere: its files are missing
for a while, and nothing else is.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from tests.faults.served import client_of
from tests.plugins.filerepos.rawserver import http, raw_server
from wikiapi.cache.memory import MemoryCache
from wikiapi.site import Site
from wikiapi.testing import ApiClient, make_site

IMAGEINFO = {"action": "query", "prop": "imageinfo", "titles": "File:Far.png|File:Own.png"}
MAY_END = threading.Event()


def hangs(_request: bytes, _send: Callable[[bytes], None]) -> None:
    MAY_END.wait(20)


def garbage(_request: bytes, send: Callable[[bytes], None]) -> None:
    send(http(b"\x00<html>not JSON"))


def wrong_shape(_request: bytes, send: Callable[[bytes], None]) -> None:
    send(http(b'{"query": {"pages": [1, {"imageinfo": 7}]}}'))


def elsewhere(_request: bytes, send: Callable[[bytes], None]) -> None:
    send(http(b"", "302 Found", b"Location: http://169.254.169.254/latest/\r\n"))


def breaks_off(_request: bytes, send: Callable[[bytes], None]) -> None:
    send(http(b'{"query"', headers=b"Content-Length: 500\r\n"))


@contextmanager
def refusing() -> Iterator[str]:
    """Yield an address that refuses connections."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    yield f"http://127.0.0.1:{port}/w/api.php"


FAULTS: dict[str, Any] = {
    "refusing": refusing,
    **{
        answer.__name__: lambda answer=answer: raw_server(answer)
        for answer in (hangs, garbage, wrong_shape, elsewhere, breaks_off)
    },
}


@pytest.fixture(params=FAULTS)
def site(request: pytest.FixtureRequest) -> Iterator[Site]:
    MAY_END.clear()
    with ExitStack() as stack:
        api = stack.enter_context(FAULTS[request.param]())
        repository = {"name": "far", "api": api, "allow_private": True, "timeout": 0.1}
        site = make_site(
            {"Page": "before [[File:Far.png]] after"},
            files=["Own.png"],
            config={"repositories": [repository]},
        )
        yield site
        site.db.close()
        MAY_END.set()


def test_its_files_are_missing_and_local_ones_are_found(client: ApiClient) -> None:
    pages = {page["title"]: page for page in client.get(IMAGEINFO)["query"]["pages"]}
    assert pages["File:Far.png"]["missing"] is True
    assert "imageinfo" in pages["File:Own.png"]


def test_pages_are_rendered_without_them(client: ApiClient) -> None:
    text = client.get(action="parse", page="Page")["parse"]["text"]
    assert "before" in text
    assert "after" in text


def test_a_page_without_them_is_cached_for_a_moment_only() -> None:
    now = [0.0]
    with refusing() as api:
        repository = {"name": "far", "api": api, "allow_private": True}
        site = make_site(
            {"Page": "[[File:Far.png]]", "Plain": "x"}, config={"repositories": [repository]}
        )
        site.cache = cache = MemoryCache(10_000_000, clock=lambda: now[0])
        client = client_of(site)
        for page in ("Page", "Plain"):
            client.get(action="parse", page=page)
        assert len(cache) == 2
        now[0] = 11.0
        cache._entries.expire()
        assert len(cache) == 1
        site.db.close()
