"""``prop=imageinfo`` on the wiki's own files; those of others are in tests/plugins/filerepos."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.filewiki import make_file_wiki
from wikiapi.site import Site
from wikiapi.testing import Answer, DeclaredFile, ask


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    made = make_file_wiki({"site": {"server": "https://wiki.example"}})
    yield made
    made.db.close()


def query(site: Site, titles: str, **params: str) -> Answer:
    return ask(site, {"action": "query", "prop": "imageinfo", "titles": titles} | params)


def infos(site: Site, title: str, **params: str) -> list[dict[str, Any]]:
    answer = query(site, title, **params)
    assert answer.codes == ""
    [page] = answer.data["query"]["pages"]
    return page.get("imageinfo", [])


def test_by_default_when_and_by_whom(site: Site) -> None:
    assert infos(site, "File:Photo.jpg") == [{"timestamp": "2024-06-01T00:00:00Z", "user": "Ada"}]


@pytest.mark.parametrize(
    ("props", "info"),
    [
        ("userid", {"userid": 1}),
        ("comment", {"comment": "see [[Home]]"}),
        ("parsedcomment", {"parsedcomment": 'see <a href="/wiki/Home" title="Home">Home</a>'}),
        ("canonicaltitle", {"canonicaltitle": "File:Photo.jpg"}),
        ("size", {"size": 1234, "width": 1600, "height": 1200}),
        ("dimensions", {"size": 1234, "width": 1600, "height": 1200}),
        ("mime|mediatype", {"mime": "image/jpeg", "mediatype": "BITMAP"}),
        ("bitdepth|archivename|thumbmime", {"bitdepth": 8}),
        ("commonmetadata", {"commonmetadata": [{"name": "Make", "value": "Cam"}]}),
    ],
)
def test_props(site: Site, props: str, info: dict[str, Any]) -> None:
    assert infos(site, "File:Photo.jpg", iiprop=props) == [info]


def test_a_visitor_without_account_is_anon(site: Site) -> None:
    [info] = infos(site, "File:Copy of photo.jpg", iiprop="user")
    assert info == {"user": "192.0.2.9", "anon": True}


def test_duration(site: Site) -> None:
    [info] = infos(site, "File:Film.gif", iiprop="size")
    assert info["duration"] == 0.4


@pytest.mark.parametrize(("version", "number"), [("1", 1), ("latest", 2), ("2", 2)])
def test_metadata_version(site: Site, version: str, number: int) -> None:
    [info] = infos(site, "File:Photo.jpg", iiprop="metadata", iimetadataversion=version)
    assert info["metadata"][-1] == {"name": "MEDIAWIKI_EXIF_VERSION", "value": number}


def test_no_metadata(site: Site) -> None:
    [info] = infos(site, "File:Drawing.svg", iiprop="metadata|commonmetadata")
    assert info == {"metadata": None, "commonmetadata": []}


def test_truth_in_metadata_stays_truth_in_formatversion_1() -> None:
    file = DeclaredFile("A.gif", mime="image/gif", metadata='{"data":{"looped":true,"x":false}}')
    site = make_file_wiki(files=[*_photo(), file])
    answer = query(site, "File:A.gif", iiprop="metadata")
    [page] = answer.version1["query"]["pages"].values()
    assert page["imageinfo"][0]["metadata"] == [
        {"name": "looped", "value": True},
        {"name": "x", "value": False},
    ]
    site.db.close()


def _photo() -> tuple[DeclaredFile, ...]:
    from tests.filewiki import PHOTO

    return (PHOTO,)


def test_metadata_that_is_stored_elsewhere() -> None:
    stored = '{"data":{"a":1},"blobs":{"text":"tt:1"}}'
    site = make_file_wiki(files=[*_photo(), DeclaredFile("A.png", metadata=stored)])
    with site.db.recording() as log:
        [info] = infos(site, "File:A.png", iiprop="metadata")
    assert info["metadata"] == [{"name": "a", "value": 1}, {"name": "text", "value": "x"}]
    assert len([q for q in log if "old_text" in q.sql]) == 1
    site.db.close()


@pytest.mark.parametrize(
    ("chosen", "names"), [("", ["DateTime", "ObjectName"]), ("ObjectName|X", ["ObjectName"])]
)
def test_extended_metadata(site: Site, chosen: str, names: list[str]) -> None:
    params = {"iiextmetadatafilter": chosen} if chosen else {}
    [info] = infos(site, "File:Photo.jpg", iiprop="extmetadata", **params)
    assert list(info["extmetadata"]) == names
    assert info["extmetadata"]["ObjectName"]["value"] == "Photo"


def test_urls(site: Site) -> None:
    [info] = infos(site, "File:Photo.jpg", iiprop="url")
    assert info["url"].startswith("https://wiki.example/images/")
    assert info["descriptionurl"] == "https://wiki.example/wiki/File:Photo.jpg"
    assert info["descriptionshorturl"] == "https://wiki.example/w/index.php?curid=2"


def test_no_short_url_without_a_page(site: Site) -> None:
    [info] = infos(site, "File:Film.gif", iiprop="url")
    assert "descriptionshorturl" not in info


@pytest.mark.parametrize(
    ("params", "size"),
    [
        ({"iiurlwidth": "320"}, (320, 240)),
        ({"iiurlheight": "120"}, (160, 120)),
        ({"iiurlwidth": "320", "iiurlheight": "30"}, (40, 30)),
        ({"iiurlparam": "320px"}, (320, 240)),
        ({"iiurlwidth": "99999"}, (1600, 1200)),
        ({"iiurlheight": "99999"}, (1600, 1200)),
    ],
)
def test_thumbnails(site: Site, params: dict[str, str], size: tuple[int, int]) -> None:
    [info] = infos(site, "File:Photo.jpg", iiprop="url|thumbmime", **params)
    assert (info["thumbwidth"], info["thumbheight"]) == size
    assert info["thumbmime"] == "image/jpeg"
    assert info["thumburl"].startswith("https://wiki.example/images/")


def test_pictures_for_denser_screens(site: Site) -> None:
    [info] = infos(site, "File:Photo.jpg", iiprop="url", iiurlwidth="900")
    assert info["responsiveUrls"]["1.5"].endswith("/1350px-Photo.jpg")
    assert info["responsiveUrls"]["2"] == info["url"]


def test_what_cannot_be_shown_has_an_icon(site: Site) -> None:
    [info] = infos(site, "File:Sound.ogg", iiprop="url", iiurlwidth="10")
    assert info["thumburl"].endswith("/fileicon-ogg.png")
    assert "responsiveUrls" not in info


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"iiurlwidth": "0"}, "urlparamnormal"),
        ({"iiurlwidth": "-5"}, "urlparamnormal"),
        ({"iiurlparam": "x"}, "urlparamnormal"),
        ({"iiurlparam": "0px"}, "invalidurlparam"),
        ({"iiurlwidth": "1e3"}, "badinteger"),
        ({"iiurlwidth": "9" * 20}, "badinteger"),
        ({"iicontinue": "bogus"}, "badcontinue"),
        ({"iicontinue": "a|b|c"}, "badcontinue"),
        ({"iibadfilecontexttitle": "<"}, "invalid-title"),
        ({"iistart": "soon"}, "badtimestamp"),
    ],
)
def test_errors(site: Site, params: dict[str, str], code: str) -> None:
    assert query(site, "File:Photo.jpg", **params).codes == code


@pytest.mark.parametrize(
    ("title", "params", "key"),
    [
        ("File:Photo.jpg", {"iiurlparam": "x", "iiurlwidth": "9"}, "apiwarn-badurlparam"),
        ("File:Photo.jpg", {"iiurlparam": "8px", "iiurlwidth": "9"}, "apiwarn-urlparamwidth"),
        ("File:Sound.ogg", {"iiurlparam": "8px"}, "apiwarn-nothumb-noimagehandler"),
    ],
)
def test_warnings(site: Site, title: str, params: dict[str, str], key: str) -> None:
    answer = query(site, title, **params)
    assert (answer.codes, answer.warned) == ("", [key])


def test_redirects_lead_to_the_file(site: Site) -> None:
    [info] = infos(site, "File:Way.jpg", iiprop="canonicaltitle|url")
    assert info["canonicaltitle"] == "File:Photo.jpg"
    assert info["descriptionurl"].endswith("/File:Photo.jpg")


def test_files_that_are_not_there(site: Site) -> None:
    [page] = query(site, "File:Nope.png").data["query"]["pages"]
    assert page == {"ns": 6, "title": "File:Nope.png", "missing": True, "imagerepository": ""}


def test_other_pages_are_let_be(site: Site) -> None:
    [page] = query(site, "Home").data["query"]["pages"]
    assert page == {"pageid": 1, "ns": 0, "title": "Home"}


@pytest.mark.parametrize(
    ("params", "bad"),
    [
        ({}, True),
        ({"iibadfilecontexttitle": "Home"}, False),
        ({"iibadfilecontexttitle": "X"}, True),
    ],
)
def test_bad_files(site: Site, params: dict[str, str], bad: bool) -> None:
    [page] = query(site, "File:Photo.jpg", iiprop="badfile", **params).data["query"]["pages"]
    assert page["badfile"] is bad


def test_a_missing_file_may_be_bad(site: Site) -> None:
    [page] = query(site, "File:Nope.png", iiprop="badfile").data["query"]["pages"]
    assert page["badfile"] is False
    assert page["imageinfo"] == [{"filemissing": True}]


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("File:Photo.jpg", "File:Photo.jpg"),
        ("File:120px-Photo.jpg", "File:Photo.jpg"),
        ("File:120px-Nope.jpg", "looks like"),
        ("File:DSC 17.jpg", "DSC_"),
        ("File:Lost way.jpg", "description page"),
        ("File:Nope.png", ""),
    ],
)
def test_upload_warnings(site: Site, title: str, words: str) -> None:
    [info] = infos(site, title, iiprop="uploadwarning")
    assert words in info["html"]
    assert bool(info["html"]) is bool(words)


# History

MONTHS = ["06", "04", "03", "02", "01"]


def months(answer: Answer) -> list[str]:
    [page] = answer.data["query"]["pages"]
    return [info["timestamp"][5:7] for info in page.get("imageinfo", []) if "timestamp" in info]


def test_history_is_walked_one_by_one(site: Site) -> None:
    params = {"iiprop": "timestamp|archivename|sha1", "iilimit": "1"}
    walked: list[Any] = []
    position: dict[str, str] = {}
    for _ in range(9):
        answer = query(site, "File:Photo.jpg", **params | position)
        walked += answer.data["query"]["pages"][0].get("imageinfo", [])
        position = answer.data.get("continue")
        if not position:
            break
        assert set(position) == {"iistart", "continue"}
    assert walked == infos(site, "File:Photo.jpg", iiprop=params["iiprop"], iilimit="max")
    assert len(walked) == 5


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"iistart": "20240315000000"}, ["03", "02", "01"]),
        ({"iiend": "20240315000000"}, ["06"]),
        ({"iistart": "20240301000000", "iiend": "20240201000000"}, ["03", "02"]),
        ({"iiend": "20240201000000", "iilimit": "2"}, ["06", "03"]),
        ({"iistart": "20230101000000"}, []),
    ],
)
def test_bounds_of_history(site: Site, params: dict[str, str], expected: list[str]) -> None:
    answer = query(site, "File:Photo.jpg", iiprop="timestamp", **{"iilimit": "max"} | params)
    assert months(answer) == expected


def test_what_is_hidden_is_not_shown(site: Site) -> None:
    props = "timestamp|user|userid|comment|parsedcomment|url|sha1|size|metadata|archivename|mime"
    lost, person, content, intact = infos(site, "File:Photo.jpg", iiprop=props, iilimit="max")[1:]
    assert lost["filemissing"] is True
    assert {"url", "sha1", "timestamp"}.isdisjoint(lost)
    assert person["userhidden"] is True
    assert person["commenthidden"] is True
    assert {"user", "userid", "comment", "parsedcomment", "anon"}.isdisjoint(person)
    assert person["sha1"] == intact["sha1"]
    assert content["filehidden"] is True
    assert content["suppressed"] is True
    assert {"url", "sha1", "metadata", "archivename", "mime"}.isdisjoint(content)
    assert content["user"] == "Ada"
    assert "suppressed" not in person
    assert intact["archivename"] == "20240201000000!Photo.jpg"


def test_hidden_words_are_nowhere_in_the_answer(site: Site) -> None:
    answer = query(site, "File:Photo.jpg", iiprop="user|comment", iistart="20240301000000")
    assert "Ada" not in str(answer.data)
    assert "see" not in str(answer.data)


def test_several_files_do_not_continue_into_history(site: Site) -> None:
    answer = query(site, "File:Photo.jpg|File:Film.gif", iilimit="2")
    assert "continue" not in answer.data
    assert [len(page["imageinfo"]) for page in answer.data["query"]["pages"]] == [1, 2]


def test_at_most_fifty_thumbnails() -> None:
    names = [f"F{n:02}.png" for n in range(60)]
    site = make_file_wiki(files=[*_photo(), *map(DeclaredFile, names)])
    first = ask(site, _many(names[:50]))
    assert "continue" not in first.data
    history = _many([*names[:49], "Photo.jpg"]) | {"iilimit": "max"}
    answer = ask(site, history)
    assert answer.data["continue"]["iicontinue"] == "Photo.jpg|20240401000000"
    pages = [p for p in answer.data["query"]["pages"] if "imageinfo" in p]
    assert sum(len(page["imageinfo"]) for page in pages) == 50
    rest = ask(site, history | answer.data["continue"])
    [page] = [p for p in rest.data["query"]["pages"] if "imageinfo" in p]
    assert len(page["imageinfo"]) == 4
    site.db.close()


def _many(names: list[str]) -> dict[str, str]:
    titles = "|".join(f"File:{name}" for name in names)
    query = {"action": "query", "prop": "imageinfo", "titles": titles}
    return query | {"iiprop": "url|timestamp", "iiurlwidth": "10"}


def test_a_full_answer_is_continued(make_site: Any) -> None:
    long = "x" * 400
    names = [f"F{n}.png" for n in range(5)]
    site = make_site(
        config={"http": {"result_size_limit": 1000}},
        files=[DeclaredFile(name, comment=long) for name in names],
    )
    params = {"action": "query", "prop": "imageinfo", "iiprop": "comment"}
    params["titles"] = "|".join(f"File:{name}" for name in names)
    titles: list[str] = []
    position: dict[str, str] = {}
    for _ in range(9):
        answer = ask(site, params | position)
        titles += [p["title"] for p in answer.data["query"]["pages"] if "imageinfo" in p]
        position = answer.data.get("continue")
        if not position:
            break
    assert sorted(titles) == [f"File:{name}" for name in names]


@pytest.mark.parametrize(
    ("params", "queries"),
    [
        ({}, 0),
        ({"iiprop": "timestamp|user|size|mime|sha1|metadata|extmetadata|comment"}, 0),
        ({"iiprop": "url", "iiurlwidth": "100"}, 2),
        ({"iiprop": "parsedcomment"}, 1),
        ({"iiprop": "badfile"}, 1),
        ({"iilimit": "max"}, 1),
    ],
)
def test_number_of_queries(site: Site, params: dict[str, str], queries: int) -> None:
    """Beyond the page set's own: one for the files, and one for each kind of thing looked up.

    Where there is no thumbnail, another one asks whether pages change the text that says so.
    """
    titles = "File:Photo.jpg|File:Film.gif|File:Drawing.svg"
    with site.db.recording() as without:
        ask(site, {"action": "query", "titles": titles})
    with site.db.recording() as log:
        query(site, titles, **params)
    assert len(log) - len(without) == 1 + queries
