"""A static site in a real browser: opened from disk, and from the simplest of web servers."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.browser.chromium import Browser
from tests.browser.contrast import faint_texts
from wikiapi.cli import main
from wikiapi.testing import make_site

EVIL = "Evil \"&' tea"
PAGES = {
    "Main Page": "[[Tea]]\n== A ==\n== B ==\n== C ==\n== D ==\ntext [[Category:Drinks]]",
    "Tea": "A hot drink of leaves.",
    "Teapot": "For tea, &lt;img src=x onerror=alert(1)&gt;.",
    "東京都": "首都",
    "Category:Drinks": "All drinks",
    EVIL: "tea",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("static")
    make_site(PAGES, path=top / "wiki.sqlite").db.close()
    store = f"sqlite:///{top / 'wiki.sqlite'}"
    result = CliRunner().invoke(main, ["export", "--database", store, "--html", str(top / "site")])
    assert result.exit_code == 0, result.output
    return top / "site"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        return


@pytest.fixture(scope="module", params=["disk", "server"])
def address(request: pytest.FixtureRequest, folder: Path) -> Iterator[str]:
    if request.param == "disk":
        yield folder.as_uri()
        return
    handler = partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def results(browser: Browser) -> list[str]:
    return [link.text for link in browser.all("#results a")]


def test_reading_and_searching(browser: Browser, address: str) -> None:
    browser.open(f"{address}/index.html")
    browser.wait(lambda: browser.one("h1").text == "Main Page", "main page")
    assert len(browser.all(".toc-list a")) == 4
    box = browser.one("#find")
    box.send_keys("tea")
    box.submit()
    browser.wait(lambda: results(browser), "results")
    assert results(browser)[0] == "Tea"
    assert set(results(browser)) == {"Tea", "Teapot", "Main Page", EVIL}
    assert browser.all("#results img") == []
    # The last word may go on, and every word must be there.
    browser.one("#find").send_keys("p")
    browser.wait(lambda: results(browser) == ["Teapot"], "fewer results")
    box = browser.one("#find")
    box.clear()
    box.send_keys("東京")
    browser.wait(lambda: results(browser) == ["東京都"], "results without spaces")
    browser.one("#results a").click()
    browser.wait(lambda: browser.one("h1").text == "東京都", "page")
    assert browser.errors() == []


@pytest.mark.parametrize("page", ["wiki/Main_Page", "category/Drinks", "search", "all/1"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_documents_are_sound(browser: Browser, folder: Path, page: str, dark: bool) -> None:
    for width in (1200, 390):
        browser.look(dark=dark, width=width)
        browser.open(f"{folder.as_uri()}/{page}.html")
        assert faint_texts(browser) == []
        assert browser.overflow() == 0
        assert [link.text for link in browser.all(".ways a")] == ["Main page", "All pages"]
    assert browser.errors() == []
