"""axe-core on pages of each kind: nothing serious is found.

axe-core is installed from the npm registry when it is first needed; without it the tests are
skipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser import wikis
from tests.browser.chromium import Browser
from tests.browser.readerwiki import served
from tests.clients.environments import node_with

PAGES = {
    "page": "/wiki/Tea",
    "missing": "/wiki/Nothing_like_this",
    "category": "/wiki/Category:Drinks",
    "file": "/wiki/File:Wide.png",
    "history": "/w/index.php?title=Tea&action=history",
    "difference": "/w/index.php?title=Tea&diff=cur",
    "revision": "/w/index.php?title=Tea&oldid=2",
    "source": "/w/index.php?title=Tea&action=edit",
    "information": "/w/index.php?title=Tea&action=info",
    "search": "/w/index.php?title=Special:Search&search=leaves&fulltext=1&ns=all",
    "all pages": "/wiki/Special:AllPages",
    "recent changes": "/wiki/Special:RecentChanges",
    "contributions": "/wiki/Special:Contributions/Ada",
    "files": "/wiki/Special:ListFiles",
    "log": "/wiki/Special:Log",
    "users": "/wiki/Special:ListUsers",
    "statistics": "/wiki/Special:Statistics",
    "types of files": "/wiki/Special:MediaStatistics",
    "special pages": "/wiki/Special:SpecialPages",
    "version": "/wiki/Special:Version",
    "help": "/w/api.php?action=help&modules=query",
    "answer": "/w/api.php?action=query&meta=siteinfo",
}
SERIOUS = ("serious", "critical")
_RUN = """
const done = arguments[arguments.length - 1];
// Indented lines of wikitext are definitions without a term, in MediaWiki's HTML as well.
const context = { include: [["body"]], exclude: [[".mw-parser-output dl"]] };
axe.run(context, { resultTypes: ["violations"] }).then((told) => done(
  told.violations.map((found) => [found.impact, found.id, found.nodes.map((node) => node.html)]),
));
"""


@pytest.fixture(scope="session")
def axe() -> str:
    """Return the script of axe-core."""
    path = node_with("axe-core") / "node_modules" / "axe-core" / "axe.min.js"
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("images")) as address:
        yield address


def findings(browser: Browser, axe: str) -> list[Any]:
    """Return what axe-core finds that is serious on the page that is open."""
    browser.script(axe)
    results = browser.driver.execute_async_script(_RUN)
    return [finding for finding in results if finding[0] in SERIOUS]


def test_what_is_serious_is_found(browser: Browser, server: str, axe: str) -> None:
    browser.open(f"{server}/wiki/Tea")
    browser.script("document.querySelector('#find').labels[0].remove()")
    browser.script("document.querySelector('#find').removeAttribute('placeholder')")
    assert [finding[1] for finding in findings(browser, axe)] != []


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("page", PAGES)
def test_nothing_serious_is_found(
    browser: Browser, server: str, axe: str, page: str, width: int
) -> None:
    browser.look(width=width, dark=width == 390)
    browser.open(server + PAGES[page])
    assert findings(browser, axe) == []


@pytest.mark.parametrize("page", PAGES)
def test_nothing_serious_is_found_from_right_to_left(
    browser: Browser, server: str, axe: str, page: str
) -> None:
    browser.look(width=1280)
    mark = "&" if "?" in PAGES[page] else "?"
    browser.open(f"{server}{PAGES[page]}{mark}uselang=ar")
    assert findings(browser, axe) == []


def test_nothing_serious_is_found_in_the_menu_of_a_phone(
    browser: Browser, server: str, axe: str
) -> None:
    browser.look(width=390)
    browser.open(f"{server}/wiki/Tea")
    assert not browser.one(".ways").is_displayed()
    browser.one(".menu").click()
    assert browser.one(".ways").is_displayed()
    assert findings(browser, axe) == []


def test_nothing_serious_is_found_in_suggestions(browser: Browser, server: str, axe: str) -> None:
    browser.look()
    browser.open(f"{server}/wiki/Main_Page")
    browser.one("#find").send_keys("tea")
    browser.wait(lambda: browser.all(".suggestions li"))
    assert findings(browser, axe) == []


def test_nothing_serious_is_found_in_the_explorer(browser: Browser, axe: str) -> None:
    with wikis.served() as server:
        browser.look()
        browser.open(f"{server}/explore")
        browser.wait(lambda: browser.all("#form .module"))
        assert findings(browser, axe) == []
