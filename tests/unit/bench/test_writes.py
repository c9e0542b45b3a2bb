"""The writes of the benchmark beside MediaWiki, sent to a wiki of ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit
from wsgiref.types import WSGIApplication

import pytest

from bench.peer.servers import Server
from bench.peer.writes import CREATE, KINDS, Editor, edits_of
from bench.writing import WRITER
from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.testing import ApiClient, DeclaredUser, live_server


@pytest.fixture
def app(tmp_path: Path, make_site: Callable[..., Site]) -> WSGIApplication:
    site = make_site(
        {"Tea": "hot", "Coffee": "{{Box}}", "Template:Box": "black"},
        users=[DeclaredUser(WRITER, groups=("sysop", "bot"))],
        config={"site": {"writable": True}, "files": {"folder": str(tmp_path)}},
    )
    return make_app(site)


@pytest.fixture
def editor(app: WSGIApplication) -> Iterator[Editor]:
    with live_server(app) as url, closing(Editor(Server(urlsplit(url).port or 0))) as editor:
        yield editor


def test_each_write_differs_from_the_one_before(app: WSGIApplication, editor: Editor) -> None:
    kinds = [edits_of("edit", ["Tea", "Coffee"]), *KINDS]
    for kind in kinds:
        for _ in range(3):
            assert editor.measure(kind) > 0
    assert editor.counts == {kind.name: 3 for kind in kinds}
    client = ApiClient(app)
    query = {"action": "query", "list": "recentchanges", "rclimit": "max", "rcuser": WRITER}
    changes = client.get(query, rctype="edit|new|log", rcprop="title")["query"]["recentchanges"]
    assert sorted(f"{each['type']} {each['title']}" for each in changes) == sorted(
        [
            *("edit Tea", "edit Coffee", "edit Tea"),
            *(f"new Written {number}" for number in range(3)),
            *(f"log Written {number}" for number in range(3)),
            *(f"log File:Picture {number}.png" for number in range(3)),
        ]
    )
    files = client.get(action="query", list="allimages", aiprop="sha1")["query"]["allimages"]
    assert len({each["sha1"] for each in files}) == 3


def test_a_page_uses_a_template_fifty_times(app: WSGIApplication, editor: Editor) -> None:
    editor.prepare()
    answer = ApiClient(app).get(action="parse", page="Written with templates", prop="text")
    assert str(answer["parse"]["text"]).count('<span class="note"') == 50


def test_a_write_that_is_refused_ends_the_benchmark(editor: Editor) -> None:
    editor.measure(CREATE)
    editor.counts.clear()
    with pytest.raises(RuntimeError, match="articleexists"):
        editor.measure(CREATE)
