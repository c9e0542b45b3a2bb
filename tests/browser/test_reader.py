"""The reader in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.browser.chromium import Browser
from tests.browser.contrast import faint_texts
from tests.browser.readerwiki import served

PHONE = {"width": 320, "height": 640}
VIEWS = {
    "page": "/wiki/Tea",
    "missing": "/wiki/Nothing_like_this",
    "refused": "/wiki/a[b",
    "category": "/wiki/Category:Drinks",
    "file": "/wiki/File:Wide.png",
    "history": "/w/index.php?title=Tea&action=history",
    "difference": "/w/index.php?title=Tea&diff=cur",
    "revision": "/w/index.php?title=Tea&oldid=2",
    "source": "/w/index.php?title=Tea&action=edit",
    "search": "/w/index.php?title=Special:Search&search=leaves&fulltext=1&ns=all",
    "all pages": "/wiki/Special:AllPages",
    "recent changes": "/wiki/Special:RecentChanges",
    "what links here": "/wiki/Special:WhatLinksHere/Main_Page",
    "special pages": "/wiki/Special:SpecialPages",
    "files": "/wiki/Special:ListFiles",
    "users": "/wiki/Special:ListUsers",
    "statistics": "/wiki/Special:Statistics",
    "types of files": "/wiki/Special:MediaStatistics",
    "most linked": "/wiki/Special:MostLinkedPages",
    "contributions": "/wiki/Special:Contributions/Ada",
    "information": "/w/index.php?title=Tea&action=info",
    "version": "/wiki/Special:Version",
    "help": "/w/api.php?action=help&modules=query%2Binfo",
}
REFUSED = frozenset({"missing", "refused"})
"""The console tells of a status of 404 or 400."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("images")) as address:
        yield address


@pytest.fixture(scope="module")
def hebrew(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("images"), "he") as address:
        yield address


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_views_are_sound(browser: Browser, server: str, view: str, dark: bool) -> None:
    browser.look(dark=dark)
    browser.open(server + VIEWS[view])
    errors = [
        message
        for message in browser.errors()
        if view not in REFUSED or "status of 40" not in message
    ]
    assert errors == []
    assert browser.hosts() == {urlsplit(server).netloc}
    assert faint_texts(browser) == []
    assert browser.overflow() == 0


@pytest.mark.parametrize("view", VIEWS)
def test_views_fit_a_phone(browser: Browser, server: str, view: str) -> None:
    browser.look(**PHONE)
    browser.open(server + VIEWS[view])
    assert browser.overflow() == 0


def test_pictures_fit_a_phone(browser: Browser, server: str) -> None:
    browser.look(**PHONE)
    browser.open(f"{server}/wiki/Tea")
    edges = browser.script(
        "return [...document.querySelectorAll('figure')].map(f => f.getBoundingClientRect().right)"
    )
    assert len(edges) > 2
    assert max(edges) <= PHONE["width"]


def test_right_to_left_fits_a_phone_too(browser: Browser, hebrew: str) -> None:
    browser.look(**PHONE)
    browser.open(f"{hebrew}/wiki/Tea")
    assert browser.overflow() == 0
    assert browser.script("return getComputedStyle(document.body).direction") == "rtl"


_BOXES = """
const boxes = selector => [...document.querySelectorAll(selector)]
  .map(e => e.getBoundingClientRect()).filter(box => box.width)
  .map(box => [Math.round(box.left), Math.round(innerWidth - box.right)]);
const [frame, root] = [arguments[0], document.documentElement];
root.dir = "ltr";
const one = boxes(frame);
root.dir = "rtl";
return [one, boxes(frame).map(([left, right]) => [right, left])];
"""
_FRAME = (
    ".site, .find, .find input, .find button, .ways li, .tabs li, .head, .toc, .toc a, .reading, "
    ".notice, .find-here *, .choose, .choose input, .facts, .sides > div, .columns, .bottom p"
)


@pytest.mark.parametrize("width", [1200, 390])
@pytest.mark.parametrize("view", ["page", "history", "difference", "search", "all pages", "source"])
def test_the_frame_from_right_to_left_is_a_mirror_image(
    browser: Browser, server: str, view: str, width: int
) -> None:
    browser.look(width=width, height=900)
    browser.open(server + VIEWS[view])
    one, other = browser.script(_BOXES, _FRAME)
    assert len(one) > 10
    assert all(
        abs(a - b) <= 1 for pair in zip(one, other, strict=True) for a, b in zip(*pair, strict=True)
    )


def test_suggestions_are_chosen_with_the_keyboard(browser: Browser, server: str) -> None:
    browser.look()
    browser.open(f"{server}/wiki/Main_Page")
    box = browser.one("#find")
    box.send_keys("tea")
    offered = browser.wait(lambda: [item.text for item in browser.all(".suggestions li")])
    assert offered == ["Tea", "Tea ceremony"]
    assert box.get_attribute("aria-expanded") == "true"
    box.send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    chosen = box.get_attribute("aria-activedescendant")
    assert browser.one(f"#{chosen}").text == "Tea ceremony"
    box.send_keys(Keys.ENTER)
    browser.wait(lambda: browser.driver.current_url.endswith("/wiki/Tea_ceremony"))
    assert browser.errors() == []


def test_suggestions_can_be_sent_away(browser: Browser, server: str) -> None:
    browser.open(f"{server}/wiki/Main_Page")
    box = browser.one("#find")
    box.send_keys("tea")
    browser.wait(lambda: browser.all(".suggestions li"))
    box.send_keys(Keys.ESCAPE)
    assert not browser.one(".suggestions").is_displayed()


def test_the_first_tab_leads_past_the_navigation(browser: Browser, server: str) -> None:
    browser.look()
    browser.open(f"{server}/wiki/Tea")
    ActionChains(browser.driver).send_keys(Keys.TAB).perform()
    focused = browser.driver.switch_to.active_element
    assert focused.get_attribute("class") == "skip"
    assert focused.rect["y"] >= 0
    focused.send_keys(Keys.ENTER)
    assert browser.script("return document.activeElement.id") == "content"


def test_the_contents_come_closed_on_a_phone(browser: Browser, server: str) -> None:
    for width, is_open in ((1200, True), (320, False)):
        browser.look(width=width)
        browser.open(f"{server}/wiki/Tea")
        assert browser.script("return document.querySelector('.toc details').open") is is_open


def test_tables_are_sorted(browser: Browser, server: str) -> None:
    browser.look()
    browser.open(f"{server}/wiki/Tea")
    cells = "[...document.querySelectorAll('.sortable td:nth-child({})')]"
    column = f"return {cells}.map(e => e.innerText.trim())"
    name, number, _ = browser.all("table.sortable .sort")
    name.click()
    assert browser.script(column.format(1)) == ["Alpha", "Beta", "Gamma"]
    number.click()
    assert browser.script(column.format(2)) == ["9", "10", "200"]
    number.click()
    assert browser.script(column.format(2)) == ["200", "10", "9"]


def test_parts_are_folded_and_unfolded(browser: Browser, server: str) -> None:
    browser.open(f"{server}/wiki/Tea")
    folded = "table.mw-collapsible td"
    assert not browser.one(folded).is_displayed()
    browser.script("document.querySelector('table.mw-collapsible button').click()")
    assert browser.one(folded).is_displayed()
    assert browser.one("div.mw-collapsible-content").is_displayed()
    browser.script("document.querySelector('div.mw-collapsible button').click()")
    assert not browser.one("div.mw-collapsible-content").is_displayed()


def test_everything_is_there_without_scripts(browser: Browser, server: str) -> None:
    browser.look(**PHONE)
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.open(f"{server}/wiki/Tea")
        assert browser.one("table.mw-collapsible td").is_displayed()
        box = browser.one("#find")
        box.send_keys("tea ceremony")
        browser.one(".find button").click()
        browser.wait(lambda: browser.driver.current_url.endswith("/wiki/Tea_ceremony"))
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def whole_pictures(browser: Browser) -> bool:
    """Return whether every picture of the page has been loaded, those out of sight too."""
    browser.script("for (const e of document.images) e.loading = 'eager'")
    return bool(
        browser.script("return [...document.images].every(e => e.complete && e.naturalWidth)")
    )


@pytest.mark.parametrize("view", ["page", "file", "category"])
def test_pictures_are_shown(browser: Browser, server: str, view: str) -> None:
    browser.look()
    browser.open(server + VIEWS[view])
    assert browser.all("main img")
    browser.wait(lambda: whole_pictures(browser), "whole pictures")


def test_grounds_of_templates_keep_their_letters_in_the_dark(browser: Browser, server: str) -> None:
    browser.look(dark=True)
    browser.open(f"{server}/wiki/Styled")
    assert browser.script("return getComputedStyle(document.querySelector('.pale')).color") == (
        "rgb(31, 35, 38)"
    )
    assert faint_texts(browser) == []


def test_the_header_of_a_phone_has_one_line(browser: Browser, server: str) -> None:
    browser.look(width=390, height=800)
    browser.open(f"{server}/wiki/Tea")
    assert browser.script("return document.querySelector('.top').offsetHeight") < 70
    middles = (
        "[...document.querySelectorAll('.site, #find, .menu')].map(e => e.getBoundingClientRect())"
    )
    tops = browser.script(f"return {middles}.map(box => Math.round((box.top + box.bottom) / 2))")
    assert max(tops) - min(tops) <= 3
    assert browser.script("return document.querySelector('.tabs').offsetHeight") < 60


def test_differences_have_one_column_on_a_phone(browser: Browser, server: str) -> None:
    browser.look(width=390, height=800)
    browser.open(f"{server}/w/index.php?title=Tea&diff=cur")
    left = "Math.round(document.querySelector('{}').getBoundingClientRect().left)"
    removed, added = (
        browser.script(f"return {left.format(cell)}")
        for cell in (".diff-deletedline", ".diff-addedline")
    )
    assert removed == added
    box = "document.querySelector('.diff').parentElement"
    assert browser.script(f"return {box}.scrollWidth <= {box}.clientWidth")
    browser.look()
    removed, added = (
        browser.script(f"return {left.format(cell)}")
        for cell in (".diff-deletedline", ".diff-addedline")
    )
    assert added > removed + 100


def test_a_wide_table_scrolls_by_itself_with_shadows(browser: Browser, server: str) -> None:
    browser.look(width=390, height=800)
    browser.open(f"{server}/wiki/File:Wide.png")
    frame = browser.one(".scroll-frame:has(.plain)")
    browser.wait(lambda: "more-right" in str(frame.get_attribute("class")), "shadow")
    assert "more-left" not in str(frame.get_attribute("class"))
    box = browser.one(".scroll-frame > .wide")
    assert box.get_attribute("tabindex") == "0"
    browser.script("arguments[0].scrollLeft = 10000", box)
    browser.wait(lambda: "more-right" not in str(frame.get_attribute("class")), "no shadow")
    assert "more-left" in str(frame.get_attribute("class"))


_SIZES = """
const style = getComputedStyle(document.documentElement);
const [body, main] = ["body", "main"]
  .map(name => document.querySelector(name).getBoundingClientRect())
  .map(box => [box.left, box.width].map(Math.round));
return [style.fontSize, style.overflow, body, main];
"""


@pytest.mark.parametrize("width", [1200, 390])
def test_style_sheets_of_the_wiki_do_not_size_the_frame(
    browser: Browser, server: str, width: int
) -> None:
    browser.look(width=width, height=900)
    browser.open(f"{server}/wiki/Tea")
    assert browser.script(_SIZES) == ["16px", "visible", [0, width], [0, width]]


def background(browser: Browser) -> str:
    return str(browser.script("return getComputedStyle(document.body).backgroundColor"))


def test_themes_and_the_width_of_texts_are_kept(browser: Browser, server: str) -> None:
    browser.look(width=1600)
    browser.open(f"{server}/wiki/Styled")
    light = background(browser)
    browser.script(
        "const theme = document.querySelector('.look select');"
        "theme.value = 'dark'; theme.dispatchEvent(new Event('change'));"
        "document.querySelector('.look input').click()"
    )
    dark = background(browser)
    try:
        browser.open(f"{server}/wiki/Styled")
        main = "return document.querySelector('main').offsetWidth"
        assert (background(browser), browser.script(main)) == (dark, 1600)
        assert dark != light
        assert faint_texts(browser) == []
        browser.look(dark=True)
        browser.script("localStorage.setItem('wikiapi-theme', 'light')")
        browser.open(f"{server}/wiki/Styled")
        assert background(browser) == light
        assert faint_texts(browser) == []
    finally:
        browser.script("localStorage.clear()")
        browser.look()


_PREVIEW = "#link-preview:not([hidden])"


def test_links_have_previews_for_pointers(browser: Browser, server: str) -> None:
    browser.look()
    browser.open(f"{server}/wiki/Links")
    link, missing = browser.all(".reading a")
    ActionChains(browser.driver).move_to_element(link).perform()
    assert browser.one(_PREVIEW).text.split() == ["Tea", "ceremony", "Slow."]
    ActionChains(browser.driver).move_to_element(browser.one("h1")).perform()
    browser.wait(lambda: not browser.all(_PREVIEW), "end of the preview")
    ActionChains(browser.driver).move_to_element(missing).pause(0.6).perform()
    assert not browser.all(_PREVIEW)
    assert link.get_attribute("title") == "Ceremony"


def test_links_have_previews_for_keyboards(browser: Browser, server: str) -> None:
    browser.look()
    browser.open(f"{server}/wiki/Links")
    keys = ActionChains(browser.driver)
    browser.script("document.querySelector('main').focus()")
    for _ in range(10):
        keys.send_keys(Keys.TAB).perform()
        if browser.script("return document.activeElement.matches('.reading a')"):
            break
    assert "Slow." in browser.one(_PREVIEW).text
    link = browser.driver.switch_to.active_element
    assert link.get_attribute("aria-describedby") == "link-preview"
    keys.send_keys(Keys.ESCAPE).perform()
    assert not browser.all(_PREVIEW)


@pytest.mark.parametrize("width", [1200, 390])
def test_icons_keep_their_size_in_narrow_cells(browser: Browser, server: str, width: int) -> None:
    browser.look(width=width, height=900)
    browser.open(f"{server}/wiki/Icons")
    sizes = browser.script(
        "return [...document.querySelectorAll('td img, td .no-picture')]"
        ".map(e => [e.offsetWidth, e.offsetHeight])"
    )
    (icon, missing) = sizes
    assert icon == [48, 48]
    assert max(missing) < 40


def test_boxes_are_beside_the_text_on_paper(browser: Browser, server: str) -> None:
    browser.look(width=658, height=900)
    browser.open(f"{server}/wiki/Icons")
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        box, main = browser.script(
            "return ['.infobox', 'main'].map("
            "name => document.querySelector(name).getBoundingClientRect().width)"
        )
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert main == 658
    assert box < main / 2


def test_notices_leave_no_margins_on_a_phone(browser: Browser, server: str) -> None:
    browser.look(**PHONE)
    browser.open(f"{server}/wiki/Notices")
    notice = browser.one(".mw-parser-output > div")
    assert notice.size["width"] > 280
    browser.look()
    assert browser.script("return getComputedStyle(arguments[0]).marginLeft", notice) == "112px"


def test_what_is_not_printed_stays_within_its_line(browser: Browser, server: str) -> None:
    browser.look()
    browser.open(f"{server}/wiki/Notices")
    display = "return getComputedStyle(arguments[0]).display"
    assert browser.script(display, browser.one("sup.noprint")) == "inline"


@pytest.mark.parametrize("size", [{}, PHONE], ids=["desktop", "phone"])
def test_frames_of_missing_pictures_keep_their_proportions(
    browser: Browser, server: str, size: dict[str, int]
) -> None:
    browser.look(**size)
    browser.open(f"{server}/wiki/Lost")
    frame = browser.one(".no-picture").size
    assert frame["width"] <= (900 if not size else PHONE["width"])
    assert frame["height"] / frame["width"] == pytest.approx(2 / 3, abs=0.02)
