"""A MediaWiki whose foreign file repository is wikiapi shows its files and their descriptions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from examples.demo_store import FILES
from tests.clients.mediawiki import MediaWiki, mediawiki

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def repository(demo_wiki: str) -> str:
    return demo_wiki


@pytest.fixture(scope="module")
def wiki(repository: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MediaWiki]:
    with mediawiki(tmp_path_factory.mktemp("wiki"), f"{repository}/w/api.php") as served:
        yield served


def file_info(wiki: MediaWiki, title: str) -> Any:
    (page,) = wiki.query(
        prop="imageinfo",
        titles=title,
        iiprop="timestamp|user|comment|canonicaltitle|url|size|sha1|mime|mediatype|extmetadata",
        iiurlwidth="200",
    )["pages"]
    return page


def test_repository(wiki: MediaWiki, repository: str) -> None:
    other, _ = wiki.query(meta="filerepoinfo")["repos"]
    assert other["apiurl"] == f"{repository}/w/api.php"
    assert (other["server"], other["articlepath"]) == (repository, "/wiki/$1")
    assert other["favicon"].startswith(repository)


def test_file(wiki: MediaWiki, repository: str) -> None:
    page = file_info(wiki, "File:Landscape.jpg")
    assert page["known"]
    assert page["imagerepository"] == "other"
    (info,) = page["imageinfo"]
    assert info["url"] == f"{repository}/images/e/ec/Landscape.jpg"
    assert info["descriptionurl"] == f"{repository}/wiki/File:Landscape.jpg"
    assert (info["width"], info["height"]) == (640, 400)
    assert info["size"] == (FILES / "Landscape.jpg").stat().st_size
    assert (info["mime"], info["mediatype"]) == ("image/jpeg", "BITMAP")
    assert info["user"] == "other>Maintenance script"
    assert info["extmetadata"]["ObjectName"]["value"] == "Landscape"
    thumbs = f"{repository}/images/thumb/e/ec/Landscape.jpg"
    assert info["thumburl"] == f"{thumbs}/200px-Landscape.jpg"
    assert info["responsiveUrls"]["2"] == f"{thumbs}/400px-Landscape.jpg"


@pytest.mark.parametrize(
    ("title", "repository_name"),
    [("File:Logo.png", "other"), ("File:Request flow.svg", "other"), ("File:Nothing.png", "")],
)
def test_redirects_drawings_and_missing_files(
    wiki: MediaWiki, title: str, repository_name: str
) -> None:
    assert file_info(wiki, title)["imagerepository"] == repository_name


def test_embedded_pictures(wiki: MediaWiki, repository: str) -> None:
    html = wiki.parse("[[File:Landscape.jpg|thumb|A]] [[File:Request flow.svg|100px]]")
    assert f'src="{repository}/images/thumb/e/ec/Landscape.jpg/300px-Landscape.jpg"' in html
    assert f'src="{repository}/images/7/71/Request_flow.svg"' in html
    assert 'width="100" height="19"' in html


def test_page_of_a_file(wiki: MediaWiki, repository: str) -> None:
    html = wiki.page("File:Request flow.svg")
    assert '<div class="sharedUploadNotice">' in html
    assert f'href="{repository}/wiki/File:Request_flow.svg"' in html
    assert "wikiapi" in html  # the title in the metadata of the drawing


def test_description_is_shown_without_the_page_around_it(wiki: MediaWiki, repository: str) -> None:
    html = wiki.page("File:Request flow.svg")
    _, _, description = html.partition('<div id="shared-image-desc">')
    assert description.startswith("<div ")
    assert f'<a href="{repository}/wiki/Architecture" title="Architecture">' in description


def test_kept_thumbnails(repository: str, tmp_path: Path) -> None:
    with mediawiki(tmp_path, f"{repository}/w/api.php", thumbnail_seconds=86_400) as wiki:
        html = wiki.parse("[[File:Landscape.jpg|thumb|A]]")
    thumb = "thumb/e/ec/Landscape.jpg/300px-Landscape.jpg"
    assert f'src="/w/images/{thumb}"' in html
    assert (tmp_path / "images" / thumb).read_bytes().startswith(b"\xff\xd8")
