"""``rest.php`` answers from a MediaWiki's own database as that MediaWiki does.

MediaWiki 1.39 differs from 1.45 in some answers; these are not compared.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode, urlsplit
from urllib.request import urlopen

import pytest

from tests.clients.mediawiki import MediaWiki, mediawiki
from wikiapi.config import parse_config
from wikiapi.factory import open_site
from wikiapi.http import InProcess, make_app

TEXTS = (
    ("Tea", "A ''tea''\n\n== Kinds ==\ngreen"),
    ("Tea", "A ''tea''\n\n== Kinds ==\nblack"),
    ("Tea/Green tea", "[[Tea]] [[File:Cup.png]]"),
    ("Leaf", "#REDIRECT [[Tea]]"),
    ("Nowhere", "#REDIRECT [[Nothing here]]"),
)
COUNTS = ("anonymous", "bot", "editors", "edits", "minor", "reverted", "anonedits", "nothing", "")
REQUESTS = (
    *(f"/page/{title}{form}"
      for title in ("Tea", "Tea%2FGreen_tea", "Nothing", "Special:Version", "a%5Bb", "%FF")
      for form in ("", "/bare", "/history", "/links/language", "/links/media")),
    *(f"/page/Tea/history/counts/{kind}" for kind in COUNTS),
    *(f"/page/Tea/history/counts/edits?{bounds}"
      for bounds in ("from=2&to=3", "from=3&to=2", "from=0&to=2", "from=0&to=0", "from=2", "to=x")),
    *(f"/page/Tea/history?{bounds}"
      for bounds in ("older_than=3", "newer_than=2", "older_than=0", "older_than=999", "filter=x",
                     "filter=anonymous", "older_than=2&newer_than=2",
                     "older_than=9223372036854775807",
                     "older_than=9223372036854775808")),
    *(f"/revision/{number}{form}"
      for number in ("2", "3", "0", "-1", "999", "x", "+2") for form in ("", "/bare", "/nothing")),
    *(f"/search/title?q={words}"
      for words in ("te", "Tea&limit=1", "leaf", "nowh", "Special:WantedCat", "x&limit=x", "")),
    "/file/File:Nothing.png", "/file/Tea", "/file/", "/", "", "/nothing",
)  # fmt: skip
HEADERS = ("content-type", "cache-control", "last-modified", "deprecation")
NEWER = {"errorKey", "anchor", "redirect_target", "failureData"}
"""What 1.39 does not tell, at least not in all answers."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MediaWiki]:
    with mediawiki(tmp_path_factory.mktemp("wiki"), "http://127.0.0.1:1/api.php") as served:
        for title, text in TEXTS:
            form = {
                "action": "edit",
                "title": title,
                "text": text,
                "token": "+\\",
                "format": "json",
            }
            with urlopen(f"{served.address}/w/api.php", urlencode(form).encode()) as reply:
                assert "edit" in json.loads(reply.read())
        yield served


@pytest.fixture(scope="module")
def own(wiki: MediaWiki) -> Iterator[InProcess]:
    (database,) = Path(wiki.folder, "data").glob("client.sqlite")
    settings = {
        "site": {"name": "Client", "server": wiki.address, "script_path": "/w"},
        "database": {"url": f"sqlite:///{database}", "read_only": True},
    }
    site = open_site(parse_config(settings))
    with closing(site.db):
        yield InProcess(make_app(site), "192.0.2.1")


def plain(data: object) -> object:
    """Return data without what differs between versions of MediaWiki, or is wording."""
    if isinstance(data, list):
        return [plain(each) for each in data]
    if not isinstance(data, dict):
        return data
    return {
        name: sorted(value) if name == "messageTranslations" else plain(value)
        for name, value in data.items()
        if name not in NEWER
    }


@pytest.mark.parametrize("path", REQUESTS)
def test_answers(wiki: MediaWiki, own: InProcess, path: str) -> None:
    server = urlsplit(wiki.address)
    connection = http.client.HTTPConnection(server.hostname or "", server.port, timeout=60)
    with closing(connection):
        connection.request("GET", f"/w/rest.php/v1{path}")
        reply = connection.getresponse()
        data = json.loads(reply.read())
    address, _, query = path.partition("?")
    answer = own.send("GET", f"/w/rest.php/v1{address}", query)
    assert answer.status == reply.status
    for name in HEADERS:
        assert answer.headers.get(name) == reply.getheader(name), name
    assert ("etag" in answer.headers) == (reply.getheader("etag") is not None)
    assert plain(json.loads(answer.body)) == plain(data)
