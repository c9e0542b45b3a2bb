from __future__ import annotations

import pytest

from wikiapi.errors import DumpError
from wikiapi.fetching import RateLimit
from wikiapi.importing.files.download import FileFailed, Hosts
from wikiapi.importing.live.client import LiveApi
from wikiapi.importing.live.discovery import find_api

HOSTS = Hosts(["upload.example", "*.wiki.example"], ["localhost"])


@pytest.mark.parametrize(
    ("url", "public_only"),
    [
        ("https://upload.example/a.png", True),
        ("http://UPLOAD.example:8080/a.png", True),
        ("https://a.wiki.example/", True),
        ("http://localhost/a.png", False),
    ],
)
def test_hosts_that_were_named(url: str, public_only: bool) -> None:
    assert HOSTS.check(url) is public_only


@pytest.mark.parametrize(
    "url",
    [
        "https://wiki.example/", "https://upload.example.evil.example/", "https://evil.example/",
        "ftp://upload.example/", "file:///etc/passwd", "https://a@upload.example/", "https://[/",
        "https://upload.example:x/", "https://upload.example:0/", "//upload.example/", "",
        "https://127.0.0.1/", "https://upload.example@evil.example/",
    ],
)  # fmt: skip
def test_hosts_that_were_not_named(url: str) -> None:
    with pytest.raises(FileFailed):
        HOSTS.check(url)


def test_requests_are_kept_apart() -> None:
    waits: list[float] = []
    limit = RateLimit(0.001, waits.append)
    for _ in range(3):
        limit()
    assert len(waits) == 2
    assert 999 < waits[0] <= 1000
    assert 1999 < waits[1] <= 2000


class Known(LiveApi):
    """A wiki whose API is at one address."""

    def ask(self, params: object) -> dict[str, object]:
        if self.url != "https://wiki.example/x/api.php":
            raise DumpError("it is not here")
        return {}


@pytest.mark.parametrize(
    "address",
    [
        "https://wiki.example/x/api.php", "https://wiki.example/x/Main_Page",
        "http://wiki.example/x/index.php/Main_Page",
    ],
)  # fmt: skip
def test_the_api_of_a_page(address: str) -> None:
    assert find_api(address, Known).url == "https://wiki.example/x/api.php"


def test_a_page_without_api() -> None:
    with pytest.raises(DumpError, match="found no API of https://other"):
        find_api("https://other.example/wiki/A", Known)


@pytest.mark.parametrize("address", ["https://[/wiki/A", "wiki.example", ""])
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(DumpError):
        find_api(address, Known)
