"""A foreign repository over real HTTP: one wiki of ours uses the files of another."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest

from tests.filewiki import make_file_wiki
from tests.plugins.filerepos.rawserver import http, raw_server
from wikiapi.budget import Allowance
from wikiapi.errors import PluginError
from wikiapi.filerepo.file import ThumbRequest, enlarged
from wikiapi.filerepo.scaling import ThumbParams
from wikiapi.http.app import WikiApp
from wikiapi.pages.links.check import check_links
from wikiapi.pages.links.deriver import LinkDeriver
from wikiapi.pages.links.update import LinksUpdate, mark_all
from wikiapi.site import Site
from wikiapi.testing import ask, live_server
from wikiapi.testing.client import ApiClient
from wikiapi_plugins.filerepos.apirepo import ApiRepository
from wikiapi_plugins.filerepos.remoteapi import ExpiringCache

IMAGEINFO = {"action": "query", "prop": "imageinfo"}


class Counted:
    """The other wiki, counting the requests it gets."""

    def __init__(self) -> None:
        self.site = make_file_wiki({"site": {"server": "https://commons.example"}})
        self.app = WikiApp(self.site)
        self.requests: list[str] = []

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Any:
        self.requests.append(str(environ.get("QUERY_STRING", "")))
        return self.app(environ, start_response)


@pytest.fixture
def commons() -> Iterator[Counted]:
    counted = Counted()
    yield counted
    counted.site.db.close()


def using(
    make: Callable[..., Site], api: str, http: dict[str, str] | None = None, **options: Any
) -> Site:
    repository = {"name": "commons", "api": api, "allow_private": True} | options
    config = {"repositories": [repository], "http": http or {}}
    return make({"Home": "x"}, config=config, files=["Own.png"])


@pytest.fixture
def site(make_site: Any, commons: Counted) -> Iterator[Site]:
    with live_server(commons) as base:
        yield using(make_site, f"{base}/w/api.php")


def repository(site: Site) -> ApiRepository:
    return site.files.foreign[0]


def pages(site: Site, titles: str, **params: str) -> dict[str, Any]:
    answer = ask(site, IMAGEINFO | {"titles": titles} | params)
    assert answer.codes == ""
    return {page["title"]: page for page in answer.data["query"]["pages"]}


def test_a_file_of_the_other_wiki(site: Site) -> None:
    page = pages(site, "File:Photo.jpg", iiprop="timestamp|user|userid|comment|size|mime|sha1|url")
    assert page["File:Photo.jpg"] == {
        "ns": 6,
        "title": "File:Photo.jpg",
        "missing": True,
        "known": True,
        "imagerepository": "commons",
        "imageinfo": [
            {
                "timestamp": "2024-06-01T00:00:00Z",
                "user": "commons>Ada",
                "anon": True,
                "userid": 0,
                "comment": "see [[Home]]",
                "size": 1234,
                "width": 1600,
                "height": 1200,
                "mime": "image/jpeg",
                "sha1": commons_sha1(),
                "url": page["File:Photo.jpg"]["imageinfo"][0]["url"],
                "descriptionurl": "https://commons.example/wiki/File:Photo.jpg",
                "descriptionshorturl": "https://commons.example/w/index.php?curid=2",
            }
        ],
    }
    url = page["File:Photo.jpg"]["imageinfo"][0]["url"]
    assert url.startswith("https://commons.example/images/")


def commons_sha1() -> str:
    from tests.filewiki import PHOTO
    from wikiapi.filerepo.sha1 import to_hex

    return to_hex(PHOTO.sha1)


def test_summaries_are_formatted_here(site: Site) -> None:
    page = pages(site, "File:Photo.jpg", iiprop="parsedcomment")["File:Photo.jpg"]
    assert page["imageinfo"] == [
        {"parsedcomment": 'see <a href="/wiki/Home" title="Home">Home</a>'}
    ]


def test_its_redirects_are_followed(site: Site) -> None:
    page = pages(site, "File:Way.jpg", iiprop="canonicaltitle")["File:Way.jpg"]
    assert page["imageinfo"] == [{"canonicaltitle": "File:Photo.jpg"}]
    assert page["known"] is True


def test_own_files_need_no_request(site: Site, commons: Counted) -> None:
    page = pages(site, "File:Own.png")["File:Own.png"]
    assert page["imagerepository"] == "local"
    assert commons.requests == []


def test_many_titles_take_one_request_and_are_remembered(site: Site, commons: Counted) -> None:
    titles = "File:Photo.jpg|File:Way.jpg|File:Drawing.svg|File:Nope.png|File:Nor this.png"
    first = pages(site, titles)
    assert "known" not in first["File:Nope.png"]
    assert len(commons.requests) == 1
    assert pages(site, titles) == first
    assert len(commons.requests) == 1


def test_batches_of_fifty(site: Site, commons: Counted) -> None:
    names = [f"File_{n}.png" for n in range(120)]
    assert repository(site).find([*names, "Photo.jpg"]).keys() == {"Photo.jpg"}
    assert len(commons.requests) == 3


def test_thumbnails(site: Site, commons: Counted) -> None:
    by_title = pages(site, "File:Photo.jpg", iiprop="url|thumbmime", iiurlwidth="320")
    [info] = by_title["File:Photo.jpg"]["imageinfo"]
    assert info["thumburl"].endswith("/320px-Photo.jpg")
    assert (info["thumbwidth"], info["thumbheight"]) == (320, 240)
    assert info["thumbmime"] == "image/jpeg"
    assert info["responsiveUrls"]["1.5"].endswith("/480px-Photo.jpg")
    asked = len(commons.requests)
    assert asked == 2
    pages(site, "File:Photo.jpg", iiprop="url", iiurlwidth="320")
    assert len(commons.requests) == asked


def test_huge_thumbnails_are_the_file_itself(site: Site, commons: Counted) -> None:
    by_title = pages(site, "File:Photo.jpg", iiprop="url", iiurlwidth=str(2**62))
    [info] = by_title["File:Photo.jpg"]["imageinfo"]
    assert info["thumburl"] == info["url"]
    assert (info["thumbwidth"], info["thumbheight"]) == (1600, 1200)
    assert len(commons.requests) == 1


def test_thumbnails_of_several_files_take_one_request(site: Site, commons: Counted) -> None:
    files = repository(site).find(["Photo.jpg", "Film.gif"]).values()
    before = len(commons.requests)
    requests = [ThumbRequest(file, file.current, ThumbParams(100)) for file in files]
    thumbnails = repository(site).thumbnails(requests)
    assert [thumb and thumb.url.rpartition("/")[2] for thumb in thumbnails] == [
        f"100px-{file.name}" for file in files
    ]
    assert len(commons.requests) == before + 1


def names_of(thumbnails: Any) -> list[str]:
    return [thumb.url.rpartition("/")[2] if thumb else "" for thumb in thumbnails]


def test_a_gallery_takes_one_request(site: Site, commons: Counted) -> None:
    """Its files share a box; their widths differ."""
    files = repository(site).find(["Photo.jpg", "Film.gif", "Drawing.svg"])
    params = ThumbParams(90, 60)
    sizes = [params, enlarged(params, 150), enlarged(params, 200)]
    before = len(commons.requests)
    thumbnails = repository(site).thumbnails(
        [ThumbRequest(file, file.current, size) for file in files.values() for size in sizes]
    )
    assert names_of(thumbnails) == [
        *("80px-Photo.jpg", "120px-Photo.jpg", "160px-Photo.jpg"),
        *("80px-Film.gif", "120px-Film.gif", "160px-Film.gif"),
        *["Drawing.svg"] * 3,
    ]
    assert len(commons.requests) <= before + 2


def test_a_height_alone_takes_one_request(site: Site, commons: Counted) -> None:
    files = repository(site).find(["Photo.jpg", "Film.gif"]).values()
    before = len(commons.requests)
    thumbnails = repository(site).thumbnails(
        [
            ThumbRequest(file, file.current, ThumbParams(file.current.dimensions.width, 60))
            for file in files
        ]
    )
    assert names_of(thumbnails) == ["80px-Photo.jpg", "80px-Film.gif"]
    assert len(commons.requests) == before + 1
    assert "iiurlheight=60" in commons.requests[-1]
    assert "iiurlwidth" not in commons.requests[-1]


def test_after_many_widths_the_next_of_a_few(site: Site, commons: Counted) -> None:
    [file] = repository(site).find(["Photo.jpg"]).values()
    before = len(commons.requests)
    widths = range(100, 1700)
    thumbnails = repository(site).thumbnails(
        [ThumbRequest(file, file.current, ThumbParams(width)) for width in widths]
    )
    assert len(commons.requests) - before <= 60
    for width, thumb in zip(widths, thumbnails, strict=True):
        assert thumb is not None
        assert thumb.size.width == width
        made = re.search(r"/([0-9]+)px-Photo.jpg\Z", thumb.url)
        # Beyond 1024 the next power of two is more than the file has.
        assert int(made[1]) >= width if made else thumb.url == file.current.url
    assert names_of(thumbnails[:3]) == ["100px-Photo.jpg", "101px-Photo.jpg", "102px-Photo.jpg"]


def test_what_arrives_before_a_failure_is_used(site: Site, commons: Counted) -> None:
    [file] = repository(site).find(["Photo.jpg"]).values()
    requests = [ThumbRequest(file, file.current, ThumbParams(width)) for width in (100, 33, 34)]
    site.files.thumbnails(requests[2:])
    before = site.files.outages
    with site.budgets.begin(Allowance(fetches=1)):
        thumbnails = site.files.thumbnails(requests)
        assert names_of(thumbnails) == ["100px-Photo.jpg", "", "34px-Photo.jpg"]
        assert site.files.find([site.titles.parse("File:Film.gif"), file.title]).keys() == {
            file.title
        }
    assert site.files.outages == before + 2
    # Nothing of it was taken for an answer.
    assert names_of(site.files.thumbnails(requests))[1] == "33px-Photo.jpg"
    assert site.files.find([site.titles.parse("File:Film.gif")])


def test_that_there_is_no_thumbnail_is_remembered(make_site: Any) -> None:
    requests = []

    def answer(request: bytes, send: Callable[[bytes], None]) -> None:
        requests.append(request)
        page = {"title": "File:A.png", "imageinfo": [INFO]}
        send(http(json.dumps({"query": {"pages": [page]}}).encode()))

    with raw_server(answer) as url:
        site = using(make_site, url)
        for _ in range(2):
            page = pages(site, "File:A.png", iiprop="url", iiurlwidth="5")["File:A.png"]
            assert "thumburl" not in page["imageinfo"][0]
    assert len(requests) == 3


def test_local_only(site: Site, commons: Counted) -> None:
    page = pages(site, "File:Photo.jpg", iilocalonly="1")["File:Photo.jpg"]
    assert page["imagerepository"] == ""
    assert "imageinfo" not in page


def test_when_it_is_down_the_local_answer_comes(
    make_site: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with live_server(Counted()) as base:
        api = f"{base}/w/api.php"
    site = using(make_site, api)
    with caplog.at_level(logging.WARNING, "wikiapi.filerepo"):
        by_title = pages(site, "File:Photo.jpg|File:Own.png")
    assert by_title["File:Own.png"]["imageinfo"]
    assert by_title["File:Photo.jpg"]["imagerepository"] == ""
    assert "known" not in by_title["File:Photo.jpg"]
    assert any("commons cannot be reached" in message for message in caplog.messages)


def test_a_private_address_needs_leave(make_site: Any, commons: Counted) -> None:
    with live_server(commons) as base:
        site = using(make_site, f"{base}/w/api.php", allow_private=False)
        assert "known" not in pages(site, "File:Photo.jpg")["File:Photo.jpg"]
    assert commons.requests == []


INFO = {
    "timestamp": "2024-01-01T00:00:00Z",
    "user": "U",
    "comment": "c",
    "size": 1,
    "width": 10,
    "height": 5,
    "url": "https://files.example/A.png",
    "descriptionurl": "https://files.example/File:A.png",
    "mime": "image/png",
    "mediatype": "BITMAP",
}


def remote_page(make: Callable[..., Site], info: Any, title: str = "File:A.png") -> dict[str, Any]:
    page = {"ns": 6, "title": title, "imageinfo": [info]}
    body = json.dumps({"query": {"pages": [page]}}).encode()
    with raw_server(lambda _, send: send(http(body))) as url:
        site = using(make, url)
        props = "timestamp|user|comment|size|url|mime|mediatype|sha1|metadata|extmetadata"
        return pages(site, "File:A.png", iiprop=props)["File:A.png"]


def test_an_honest_answer(make_site: Any) -> None:
    [info] = remote_page(make_site, INFO)["imageinfo"]
    assert info["url"] == INFO["url"]


@pytest.mark.parametrize(
    ("change", "name", "expected"),
    [
        ({"timestamp": "soon"}, "timestamp", "1970-01-01T00:00:00Z"),
        ({"timestamp": 7}, "timestamp", "1970-01-01T00:00:00Z"),
        ({"timestamp": "2024-02-29T23:59:59Z"}, "timestamp", "2024-02-29T23:59:59Z"),
        ({"user": "a\u0000b"}, "user", "commons>a\ufffdb"),
        ({"user": {}}, "user", ""),
        ({"size": -1}, "size", 0),
        ({"size": 10**30}, "size", 0),
        ({"size": True}, "size", 0),
        ({"width": "10"}, "width", 0),
        ({"mime": "<script>"}, "mime", "unknown/unknown"),
        ({"mediatype": "x y"}, "mediatype", "UNKNOWN"),
        ({"sha1": "zz"}, "sha1", ""),
        ({"descriptionurl": "javascript:alert(1)"}, "descriptionurl", ""),
        ({"metadata": "text"}, "metadata", None),
        ({"metadata": [{"name": {}, "value": 1}, 7]}, "metadata", None),
        ({"extmetadata": {"A": "text"}}, "extmetadata", []),
        ({"extmetadata": {"A": {"value": 10**30}}}, "extmetadata", {"A": {"value": None}}),
        (
            {"metadata": [{"name": "a", "value": 10**400}]},
            "metadata",
            [{"name": "a", "value": None}],
        ),
        ({"metadata": [{"name": 10**400, "value": 1}]}, "metadata", None),
        ({"url": "//files.example/A.png"}, "url", "http://files.example/A.png"),
    ],
)
def test_answers_are_not_believed(
    make_site: Any, change: dict[str, Any], name: str, expected: Any
) -> None:
    [info] = remote_page(make_site, INFO | change)["imageinfo"]
    assert info[name] == expected


@pytest.mark.parametrize(
    "info",
    [
        INFO | {"url": "javascript:alert(1)"},
        INFO | {"url": "data:text/html,x"},
        INFO | {"url": "http://[bad"},
        INFO | {"filemissing": True},
        {},
        7,
        None,
    ],
)
def test_answers_without_a_file(make_site: Any, info: Any) -> None:
    assert remote_page(make_site, info)["imagerepository"] == ""


@pytest.mark.parametrize("title", ["File:Other.png", "Help:A.png", "", "File:<b>"])
def test_another_title_is_another_file(make_site: Any, title: str) -> None:
    assert remote_page(make_site, INFO, title)["imagerepository"] == ""


def test_deep_metadata_is_cut(make_site: Any) -> None:
    value: Any = 1
    for _ in range(200):
        value = [{"name": "x", "value": value}]
    [info] = remote_page(make_site, INFO | {"metadata": value})["imageinfo"]
    assert json.dumps(info["metadata"]).count('"x"') < 30


def test_a_wiki_sends_no_requests_to_itself(make_site: Any) -> None:
    with pytest.raises(PluginError, match="itself"):
        using(make_site, "http://127.0.0.1:8080/w/api.php")


def test_debuginfo_shows_the_warning(make_site: Any) -> None:
    with live_server(Counted()) as base:
        api = f"{base}/w/api.php"
    client = ApiClient(WikiApp(using(make_site, api, http={"debug_info": "on"})))
    answer = client.get(action="query", prop="imageinfo", titles="File:Photo.jpg")
    [line] = answer["debuginfo"]["log"][:1]
    assert line["type"] == "warning"
    assert line["caller"] == "wikiapi.filerepo"
    assert line["msg"].startswith("file repository commons cannot be reached: ConnectionRefused")


def test_duplicates_in_the_other_wiki(site: Site, commons: Counted) -> None:
    params = {"action": "query", "prop": "duplicatefiles", "titles": "File:Photo.jpg"}
    for _ in range(2):
        [page] = ask(site, params).data["query"]["pages"]
        assert [(d["name"], d["shared"], d["user"]) for d in page["duplicatefiles"]] == [
            ("Copy_of_photo.jpg", True, "commons>192.0.2.9"),
            ("Photo.jpg", True, "commons>Ada"),
        ]
    assert len([query for query in commons.requests if "list=allimages" in query]) == 1


def test_links_of_many_pages_take_few_requests(make_site: Any, commons: Counted) -> None:
    with live_server(commons) as base:
        other = {"name": "commons", "api": f"{base}/w/api.php", "allow_private": True}
        pages = {f"P{n}": f"[[File:Photo.jpg]] [[File:None {n}.png]]" for n in range(120)}
        site = make_site({**pages, "Q": "[[File:Photo.jpg]]"}, config={"repositories": [other]})
        commons.requests.clear()
        mark_all(site.db)
        LinksUpdate(site).run()
        assert len(commons.requests) <= 3
        tracked = [title for (title,) in site.db.execute_sql(_TRACKED)]
        assert sorted(tracked) == sorted(pages)
        derive = partial(map, LinkDeriver(site).derive)
        assert list(check_links(site.db, derive, None, lambda _: None)) == []
    # The other wiki is gone, and what is known of the files no longer is.
    repository(site)._cache = ExpiringCache(0, 0)
    before = len(tracked)
    mark_all(site.db)
    LinksUpdate(site).run()
    assert len(site.db.execute_sql(_TRACKED)) == before


_TRACKED = """
    SELECT page_title FROM categorylinks JOIN page ON page_id = cl_from
    JOIN linktarget ON lt_id = cl_target_id WHERE lt_title = 'Pages_with_broken_file_links'
"""
