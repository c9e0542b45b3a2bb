"""Logging in and editing in a real browser: colours, widths, and the way through the forms."""

from __future__ import annotations

import pytest

from tests.browser.chromium import Browser
from tests.browser.contrast import faint_texts
from wikiapi.testing import DeclaredUser, Wiki

PHONE = {"width": 320, "height": 640}
TEXT = "It is hot.\n\n== Green ==\nLeaves.\n"

pytestmark = pytest.mark.wiki(
    pages={"Main Page": "[[Tea]]", "Tea": TEXT}, users=[DeclaredUser("Ada", groups=("sysop",))]
)


def is_sound(browser: Browser) -> bool:
    return (browser.errors(), faint_texts(browser), browser.overflow()) == ([], [], 0)


def press(browser: Browser, name: str) -> None:
    """Press a button without waiting for the page to scroll to it."""
    browser.script("arguments[0].click()", browser.one(f"[name={name}]"))


def type_text(browser: Browser, text: str) -> None:
    browser.script("arguments[0].value = arguments[1]", browser.one("#text"), text)


@pytest.mark.parametrize(
    ("dark", "width"), [(False, 1200), (True, 1200), (False, 320)], ids=["light", "dark", "phone"]
)
def test_an_account_edits(browser: Browser, wiki: Wiki, dark: bool, width: int) -> None:
    browser.look(dark=dark, width=width)
    browser.open(f"{wiki.url}/w/index.php?title=Special:UserLogin&returnto=Tea")
    assert is_sound(browser)
    browser.one("#name").send_keys("Ada")
    browser.one("#password").send_keys("Ada-password")
    press(browser, "wpLoginAttempt")
    browser.wait(lambda: browser.driver.current_url.endswith("/wiki/Tea"), "page")
    heading, link = browser.one(".mw-heading h2").rect, browser.one(".mw-editsection a").rect
    assert heading["y"] < link["y"] < heading["y"] + heading["height"]
    assert is_sound(browser)

    browser.open(f"{wiki.url}/w/index.php?title=Tea&action=edit")
    assert is_sound(browser)
    type_text(browser, f"{TEXT}\nNo '''sugar'''.")
    press(browser, "wpDiff")
    assert browser.one(".diff-addedline").is_displayed()
    assert is_sound(browser)
    press(browser, "wpPreview")
    assert browser.one(".preview b").text == "sugar"
    assert is_sound(browser)

    wiki.edit("Tea", "Somebody else.")
    press(browser, "wpSave")
    assert "Somebody else has changed" in browser.one(".wrong").text
    assert is_sound(browser)
    type_text(browser, "Both.")
    press(browser, "wpSave")
    browser.wait(lambda: wiki.text("Tea") == "Both.", "edit")


def test_a_wrong_password(browser: Browser, wiki: Wiki) -> None:
    browser.look(**PHONE)
    browser.open(f"{wiki.url}/wiki/Special:UserLogin")
    browser.one("#name").send_keys("Ada")
    browser.one("#password").send_keys("guess")
    press(browser, "wpLoginAttempt")
    assert browser.one(".wrong").is_displayed()
    assert is_sound(browser)
