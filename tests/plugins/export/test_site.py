from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from wikiapi.cli import main
from wikiapi.testing import make_site
from wikiapi_plugins.export import zim
from wikiapi_plugins.export.names import digest
from wikiapi_plugins.export.site.search import terms_of, weights

EVIL = "<script>alert(1)<&\"'"
PAGES = {
    "Main Page": "[[Tea]] [[tea#Hot|hot]] [[T]] [[Nothing]] [[Template:Box]] [[:Category:Start]] "
    '[https://example.org/?a=b&c out] [[Category:Start]] [[A & "B"/C\'s]]\n== S ==\n[[#S]]',
    "Tea": "A drink\n== Hot ==\nwater",
    "T": "#REDIRECT [[Tea#Hot]]",
    "Lost": "#REDIRECT [[Nowhere]]",
    'A & "B"/C\'s': '{{DISPLAYTITLE:<i>A</i> & "B"/C\'s}}[[Main Page]] <b onclick=x>b</b>',
    "Kettle": "[[File:Kettle.png|thumb|It ''whistles''.]]",
    "Template:Box": "box",
    "Category:Start": "All",
}


@pytest.fixture
def wikiapi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)
    make_site(PAGES, path=tmp_path / "wikiapi.sqlite").db.close()
    return lambda *arguments: CliRunner().invoke(main, ["export", *arguments])


@pytest.fixture
def site(wikiapi: Callable[..., Result], tmp_path: Path) -> Path:
    result = wikiapi("--html", "site", "--url", "https://example.org/w&w/")
    assert result.exit_code == 0, result.output
    return tmp_path / "site"


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def content(path: Path) -> str:
    """Return the part of a document that the page's text gave."""
    return text(path).partition('<div class="reading">')[2].partition("</main>")[0]


def test_links(site: Path) -> None:
    html = content(site / "wiki" / "Main_Page.html")
    hrefs = re.findall(r'href="([^"]*)"', html)
    assert hrefs[:3] == ["../wiki/Tea.html", "../wiki/Tea.html#Hot", "../wiki/T.html"]
    assert hrefs[3] == "../category/Start.html"
    assert "https://example.org/?a=b&amp;c" in hrefs
    assert "#S" in hrefs
    assert not [href for href in hrefs if "Nothing" in href or "Box" in href]
    assert all((site / "wiki" / unquoted(h)).is_file() for h in hrefs if h.startswith("../"))


def unquoted(href: str) -> str:
    from html import unescape
    from urllib.parse import unquote

    return unquote(unescape(href).partition("#")[0])


def test_every_local_address_of_the_site_exists(site: Path) -> None:
    count = 0
    for path in site.rglob("*.html"):
        for url in re.findall(r'(?:href|src|action)="([^"]*)"', text(path)):
            if url.startswith(("https://", "#")):
                continue
            count += 1
            assert (path.parent / unquoted(url)).resolve().is_file(), (path, url)
    assert count > 50


def test_parsoid_html_of_a_site(wikiapi: Callable[..., Result], tmp_path: Path) -> None:
    assert wikiapi("--html", "site", "--parser", "parsoid").exit_code == 0
    html = content(tmp_path / "site" / "wiki" / "Main_Page.html")
    assert '<section data-mw-section-id="1"' in html
    (category,) = re.findall(r'<link rel="mw:PageProp/Category"[^>]*>', html)
    assert 'href="../category/Start.html"' in category
    assert 'href="../wiki/Tea.html#Hot"' in html
    test_every_local_address_of_the_site_exists(tmp_path / "site")


def test_missing_pictures_are_frames(site: Path) -> None:
    html = content(site / "wiki" / "Kettle.html")
    assert 'class="no-picture"' in html
    assert "<i>whistles</i>" in html
    assert "File:Kettle.png" not in html


def test_hostile_title(site: Path) -> None:
    (path,) = (site / "wiki").glob("A_*")
    html = text(path)
    assert "<i>A</i>" in html
    assert "onclick" not in html


def test_redirects(site: Path) -> None:
    assert 'content="0; url=../wiki/Tea.html#Hot"' in text(site / "wiki" / "T.html")
    assert "Nowhere" in text(site / "wiki" / "Lost.html")
    assert 'url=wiki/Main_Page.html"' in text(site / "index.html")


def test_category(site: Path) -> None:
    assert '<a href="../wiki/Main_Page.html"><bdi>Main Page</bdi></a>' in text(
        site / "category" / "Start.html"
    )
    link = '<a href="../category/Start.html"><bdi>Start</bdi></a>'
    assert link in text(site / "wiki" / "Main_Page.html")


def test_sitemap_and_lists(site: Path) -> None:
    assert "<loc>https://example.org/w&amp;w/sitemap-0.xml</loc>" in text(site / "sitemap.xml")
    urls = text(site / "sitemap-0.xml")
    assert "<loc>https://example.org/w&amp;w/wiki/Tea.html</loc>" in urls
    assert "T.html<" not in urls.replace("/Tea.html<", "").replace("/Start.html<", "")
    assert '<a href="../wiki/Tea.html"><bdi>Tea</bdi></a>' in text(site / "all" / "1.html")
    assert 'rel="canonical" href="https://example.org/w&amp;w/wiki/Tea.html"' in text(
        site / "wiki" / "Tea.html"
    )


def parts(site: Path, kind: str) -> list[Any]:
    scripts = [text(path) for path in sorted((site / "search").glob(f"{kind}*.js"))]
    return [json.loads(s.partition(",")[2].rstrip().removesuffix(");")) for s in scripts]


def test_search_index(site: Path) -> None:
    index = json.loads(text(site / "search" / "index.js").removeprefix("window.wikiIndex=")[:-2])
    assert index["count"] == 5
    assert index["terms"] == [part[0][0] for part in parts(site, "t")]
    terms = {term: postings for part in parts(site, "t") for term, postings in part}
    pages = {row[0]: row[1:] for part in parts(site, "p") for row in part}
    assert pages[terms["water"][0]] == ["Tea", "wiki/Tea.html", "A drink"]
    assert terms["tea"][1] > 30 > terms["tea"][3]


def test_terms() -> None:
    assert list(terms_of("Straße Ⅳ x_y, l'été 東京都 a東")) == [
        "straße", "iv", "x", "y", "l", "été", "東京", "京都", "a", "東",
    ]  # fmt: skip
    by_term = weights("Hot tea", "tea tea " + "x" * 100)
    assert by_term["tea"] > by_term["hot"] > 30
    assert max(map(len, by_term)) == 40


@pytest.fixture
def wiki_with_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    """Return a runner in the folder of a wiki with a picture of 2,000 pixels, in 400 on a page."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in" / "main").mkdir(parents=True)
    (tmp_path / "up").mkdir()
    Image.effect_noise((2000, 1500), 80).save(tmp_path / "up" / "Grey one.png")
    page = tmp_path / "in" / "main" / "Main Page.wikitext"
    page.write_text("[[File:Grey one.png|thumb|x]]", "utf-8")
    (tmp_path / "wikiapi.toml").write_text('[files]\nfolder = "up"\nhash_levels = 0\n', "utf-8")
    runner = CliRunner()
    assert runner.invoke(main, ["import", "in"]).exit_code == 0
    (tmp_path / "up" / "Grey one.png").rename(tmp_path / "up" / "Grey_one.png")
    assert runner.invoke(main, ["import-files", "up"]).exit_code == 0
    return runner


def test_pictures_are_copied(wiki_with_picture: CliRunner, tmp_path: Path) -> None:
    assert wiki_with_picture.invoke(main, ["export", "--html", "out"]).exit_code == 0
    html = text(next((tmp_path / "out" / "wiki").glob("Main_Page*")))
    src = re.search(r'<img[^>]* src="\.\./([^"]*)"', html)
    assert src
    with Image.open(tmp_path / "out" / src[1]) as picture:
        assert picture.width < 400
    assert "srcset" not in html
    widths = {_width(path) for path in (tmp_path / "out" / "files").rglob("*.png")}
    assert 2000 in widths


def _width(path: Path) -> int:
    with Image.open(path) as picture:
        return picture.width


@pytest.mark.slow
def test_a_zim_file_has_previews_of_pictures(wiki_with_picture: CliRunner, tmp_path: Path) -> None:
    pytest.importorskip("libzim")
    from libzim.reader import Archive

    result = wiki_with_picture.invoke(main, ["export", "--zim", "w.zim"])
    assert result.exit_code == 0, result.output
    archive = Archive(tmp_path / "w.zim")
    paths = [archive._get_entry_by_id(n).path for n in range(archive.entry_count)]
    (page,) = [path for path in paths if "Grey" in path and path.endswith(".html")]
    document = bytes(archive.get_entry_by_path(page).get_item().content).decode()
    src = re.search(r'<img[^>]* src="\.\./([^"]*)"', document)
    assert src
    preview = archive.get_entry_by_path(src[1]).get_item()
    with Image.open(io.BytesIO(bytes(preview.content))) as picture:
        assert picture.width == 800
    assert archive.filesize < (tmp_path / "up" / "Grey_one.png").stat().st_size / 2


@pytest.mark.slow
def test_zim(wikiapi: Callable[..., Result], tmp_path: Path) -> None:
    pytest.importorskip("libzim")
    from libzim.reader import Archive

    result = wikiapi("--zim", "w.zim")
    assert result.exit_code == 0, result.output
    archive = Archive(tmp_path / "w.zim")
    main_page = bytes(archive.main_entry.get_item().content).decode()
    assert "../wiki/Tea.html" in main_page
    assert "search.html" not in main_page
    assert archive.get_entry_by_path("wiki/T.html").get_redirect_entry().title == "Tea"
    assert archive.get_metadata("Title") == b"Wiki"
    assert [path.name for path in tmp_path.glob("w.*")] == ["w.zim"]
    if program := shutil.which("zimcheck"):
        done = subprocess.run([program, "w.zim"], cwd=tmp_path, capture_output=True, text=True)
        assert "Overall Test Status: Pass" in done.stdout + done.stderr


@pytest.mark.slow
def test_a_zim_file_is_searched_by_words_and_by_titles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("libzim")
    from libzim.reader import Archive
    from libzim.search import Query, Searcher
    from libzim.suggestion import SuggestionSearcher

    monkeypatch.chdir(tmp_path)
    pages = {"Tea": "It is steeped.", "Kettle": "It whistles.", "Teapot": "It pours."}
    make_site(pages, path=tmp_path / "wikiapi.sqlite").db.close()
    source = "https://tea.example/wiki/Main_Page"
    (tmp_path / "wikiapi.toml").write_text(f'[site]\nsource = "{source}"\n')
    result = CliRunner().invoke(main, ["export", "--zim", "w.zim"])
    assert result.exit_code == 0, result.output
    archive = Archive(tmp_path / "w.zim")
    assert archive.get_metadata("Source").decode() == source
    words = Searcher(archive).search(Query().set_query("whistles"))
    assert list(words.getResults(0, 10)) == ["wiki/Kettle.html"]
    titles = SuggestionSearcher(archive).suggest("tea")
    assert set(titles.getResults(0, 10)) == {"wiki/Tea.html", "wiki/Teapot.html"}


@pytest.mark.slow
def test_a_zim_file_of_names_that_are_easily_confused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("libzim")
    from libzim.reader import Archive

    monkeypatch.chdir(tmp_path)
    second = f"FOO-{digest('FOO')}"
    pages = {"Foo": "one", "FOO": "two", second: "three", "FoO": f"#REDIRECT [[{second}]]"}
    make_site(pages, path=tmp_path / "wikiapi.sqlite").db.close()
    result = CliRunner().invoke(main, ["export", "--zim", "w.zim"])
    assert result.exit_code == 0, result.output
    archive = Archive(tmp_path / "w.zim")
    entries = [archive._get_entry_by_id(number) for number in range(archive.all_entry_count)]
    by_title = {entry.title: entry for entry in entries if entry.path.startswith("wiki/")}
    assert by_title.keys() == pages.keys()
    assert by_title["FoO"].get_redirect_entry().title == second
    for title in ("Foo", "FOO", second):
        assert pages[title] in bytes(by_title[title].get_item().content).decode()


@pytest.mark.slow
def test_what_libzim_refuses_is_a_clear_error(
    wikiapi: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("libzim")
    real = zim._items

    def twice(*arguments: Any) -> Any:
        return [*real(*arguments), *real(*arguments)]

    monkeypatch.setattr(zim, "_items", twice)
    result = wikiapi("--zim", "w.zim")
    assert result.exit_code == 1
    assert "w.zim cannot be written: " in result.stderr
    assert "Traceback" not in result.output
    assert not (tmp_path / "w.zim").exists()
    # When the cause is gone, the export goes on.
    monkeypatch.setattr(zim, "_items", real)
    assert wikiapi("--zim", "w.zim").exit_code == 0
    assert [path.name for path in tmp_path.glob("w.*")] == ["w.zim"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "pages",
    [
        {},
        {"A": "no main page"},
        {"Main Page": "#REDIRECT [[Nowhere]]"},
        {"Main Page": "#REDIRECT [[Main Page]]"},
        {"Main Page": "#REDIRECT [[B]]", "B": "#REDIRECT [[Main Page]]"},
        {"Template:X": "nothing to export"},
    ],
    ids=["nothing", "no main page", "lost", "itself", "circle", "no reader's page"],
)
def test_unusual_wikis_become_zim_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pages: dict[str, str]
) -> None:
    pytest.importorskip("libzim")
    monkeypatch.chdir(tmp_path)
    make_site(pages, path=tmp_path / "wikiapi.sqlite").db.close()
    result = CliRunner().invoke(main, ["export", "--zim", "w.zim"])
    assert result.exit_code == 0, result.output
    assert (tmp_path / "w.zim").stat().st_size


def test_pages_in_the_old_form(wikiapi: Callable[..., Result], tmp_path: Path) -> None:
    (tmp_path / "wikiapi.toml").write_text(
        "[wikitext]\nlegacy_headings = true\nlegacy_media = true\n"
    )
    assert wikiapi("--html", "site").exit_code == 0
    html = content(tmp_path / "site" / "wiki" / "Tea.html")
    assert '<h2><span class="mw-headline" id="Hot">Hot</span></h2>' in html
    assert "mw-editsection" not in html
    main_page = content(tmp_path / "site" / "wiki" / "Main_Page.html")
    assert '<a href="#S">' in main_page
    assert 'id="S"' in main_page
