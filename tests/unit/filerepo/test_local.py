"""The wiki's own files."""

from __future__ import annotations

import pytest

from tests.filewiki import PHOTO, make_file_wiki
from wikiapi.filerepo.file import File, Hidden, Thumbnail, ThumbRequest, Uploader
from wikiapi.filerepo.scaling import ThumbParams
from wikiapi.site import Site
from wikiapi.store.queries.files import Span


def find(wiki: Site, name: str) -> File:
    return wiki.files.local.find([name])[name]


def thumb(wiki: Site, name: str, **params: int) -> Thumbnail | None:
    file = find(wiki, name)
    return wiki.files.local.thumbnail(ThumbRequest(file, file.current, ThumbParams(**params)))


def test_current_version(wiki: Site) -> None:
    version = find(wiki, "Photo.jpg").current
    assert version.dimensions == (1600, 1200)
    assert version.uploader == Uploader("Ada", 1)
    assert version.mime == "image/jpeg"
    assert version.sha1 == PHOTO.sha1
    assert version.metadata == {"Make": "Cam", "MEDIAWIKI_EXIF_VERSION": 2}
    assert version.url.endswith("/Photo.jpg")
    assert version.archive_name is None


def test_redirects_are_followed_one_step(wiki: Site) -> None:
    files = wiki.files.local.find(["Way.jpg", "Lost_way.jpg", "Nope.jpg", "Photo.jpg"])
    assert {name: file.name for name, file in files.items()} == {
        "Way.jpg": "Photo.jpg",
        "Photo.jpg": "Photo.jpg",
    }
    assert files["Way.jpg"].requested == "Way.jpg"


def test_existing(wiki: Site) -> None:
    names = ["Way.jpg", "Lost_way.jpg", "Nope.jpg", "Photo.jpg"]
    assert wiki.files.local.existing(names) == {"Way.jpg", "Photo.jpg"}


@pytest.mark.parametrize(
    ("names", "queries"),
    [(["Photo.jpg"] * 3, 1), (["Photo.jpg", "Nope.jpg"], 2), (["Way.jpg", "Nope.jpg"], 3)],
)
def test_number_of_queries(wiki: Site, names: list[str], queries: int) -> None:
    with wiki.db.recording() as log:
        wiki.files.local.find(names)
    assert len(log) == queries


def test_history_is_newest_first_and_marks_what_is_hidden(wiki: Site) -> None:
    history = wiki.files.local.history([find(wiki, "Photo.jpg")], Span(10))["Photo.jpg"]
    assert [version.timestamp[4:6] for version in history] == ["04", "03", "02", "01"]
    lost, person_hidden, content_hidden, visible = history
    assert not lost.exists
    assert person_hidden.hidden == Hidden(comment=True, user=True)
    assert (person_hidden.uploader, person_hidden.comment) == (None, "")
    assert content_hidden.hidden == Hidden(content=True, suppressed=True)
    assert (content_hidden.sha1, dict(content_hidden.metadata)) == ("", {})
    assert visible.url.endswith("/20240201000000%21Photo.jpg")
    assert "/archive/" in visible.url


@pytest.mark.parametrize(
    ("span", "months"),
    [
        (Span(2), ["04", "03"]),
        (Span(2, from_oldest=True), ["02", "01"]),
        (Span(9, newest="20240301000000"), ["03", "02", "01"]),
        (Span(9, oldest="20240301000000"), ["04", "03"]),
        (Span(1, "20240301000000", "20240201000000", from_oldest=True), ["02"]),
    ],
)
def test_span_of_history(wiki: Site, span: Span, months: list[str]) -> None:
    files = [find(wiki, "Photo.jpg"), find(wiki, "Drawing.svg")]
    with wiki.db.recording() as log:
        histories = wiki.files.local.history(files, span)
    assert {name: [v.timestamp[4:6] for v in versions] for name, versions in histories.items()} == {
        "Photo.jpg": months
    }
    assert len(log) == 1


def test_thumbnail(wiki: Site) -> None:
    thumbnail = thumb(wiki, "Photo.jpg", width=320)
    assert thumbnail
    assert thumbnail.url == f"{find(wiki, 'Photo.jpg').current.thumb_folder}/320px-Photo.jpg"
    assert thumbnail.size == (320, 240)
    assert thumbnail.mime == "image/jpeg"


@pytest.mark.parametrize("width", [1600, 5000, 2**62])
def test_nothing_is_enlarged(wiki: Site, width: int) -> None:
    thumbnail = thumb(wiki, "Photo.jpg", width=width)
    assert thumbnail
    assert thumbnail.is_original
    assert thumbnail.url == find(wiki, "Photo.jpg").current.url


def test_no_thumbnail_without_size(wiki: Site) -> None:
    assert thumb(wiki, "Photo.jpg", width=0) is None


def test_browsers_scale_drawings_themselves(wiki: Site) -> None:
    thumbnail = thumb(wiki, "Drawing.svg", width=40)
    assert thumbnail
    assert (thumbnail.is_original, thumbnail.size) == (True, (40, 20))


def test_pictures_of_drawings_where_configured() -> None:
    site = make_file_wiki({"files": {"svg_thumbnails": True, "url": "https://files.example/x"}})
    thumbnail = thumb(site, "Drawing.svg", width=40)
    assert thumbnail
    assert thumbnail.url.startswith("https://files.example/x/thumb/")
    assert thumbnail.url.endswith("/40px-Drawing.svg.png")
    site.db.close()


def test_what_cannot_be_shown_gets_an_icon(wiki: Site) -> None:
    thumbnail = thumb(wiki, "Sound.ogg", width=40)
    assert thumbnail
    assert thumbnail.url == "/w/resources/assets/file-type-icons/fileicon-ogg.png"


def test_descriptions(wiki: Site) -> None:
    files = [find(wiki, "Photo.jpg"), find(wiki, "Drawing.svg")]
    with wiki.db.recording() as log:
        photo, drawing = wiki.files.local.descriptions(files)
    assert photo.url == "https://wiki.example/wiki/File:Photo.jpg"
    assert photo.short_url == "https://wiki.example/w/index.php?curid=2"
    assert drawing.short_url is None
    assert len(log) == 1


def test_by_sha1(wiki: Site) -> None:
    files = wiki.files.local.by_sha1([PHOTO.sha1])
    assert [file.name for file in files[PHOTO.sha1]] == ["Copy_of_photo.jpg", "Photo.jpg"]


def test_names_that_would_climb_out_are_names(wiki: Site) -> None:
    assert wiki.files.local.find(["../../etc/passwd"]) == {}
    assert wiki.titles.try_parse("File:../../etc/passwd") is None
