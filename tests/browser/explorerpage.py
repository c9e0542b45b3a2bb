"""The explorer as its tests handle it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from selenium.webdriver.support.ui import Select

from tests.browser.chromium import Browser
from tests.browser.wikis import served

_DEFAULTS = {"format": "json", "formatversion": "2"}
_WIDE = """
const width = document.documentElement.clientWidth;
return [...document.querySelectorAll("main *")]
  .filter(e => e.checkVisibility() && !e.closest("pre"))
  .filter(e => e.getBoundingClientRect().right > width + 1)
  .map(e => e.outerHTML.slice(0, 100));
"""


class ExplorerPage:
    """The page in a browser."""

    def __init__(self, browser: Browser, server: str) -> None:
        """Take where the wiki is mounted; nothing is opened yet."""
        self.browser = browser
        self.server = server

    def open(self, request: Mapping[str, str]) -> None:
        """Open it with a request in its form."""
        self.browser.open(f"{self.server}/explore#{urlencode({**_DEFAULTS, **request})}")
        self.ready()

    def ready(self) -> None:
        """Wait until the form is there, and the code with it."""
        self.browser.wait(lambda: self.browser.one("#snippet").text, "snippet")

    def sections(self) -> list[str]:
        """Return the headings of the form."""
        return [heading.text for heading in self.browser.all("#form h3")]

    def has(self, name: str) -> bool:
        """Return whether there is a row for a parameter."""
        return bool(self.browser.all(f'[data-name="{name}"]'))

    def choose(self, name: str, value: str) -> None:
        """Choose from a list."""
        Select(self._control(name)).select_by_value(value)

    def tick(self, name: str, value: str) -> None:
        """Click one of several boxes."""
        box = self.browser.one(f'[data-param="{name}"][value="{value}"]')
        self.browser.script("arguments[0].scrollIntoView({block: 'center'})", box)
        box.click()

    def fill(self, name: str, text: str) -> None:
        """Replace the text of a control."""
        control = self._control(name)
        control.clear()
        control.send_keys(text)

    def value(self, name: str) -> str:
        """Return the value of a control."""
        return str(self._control(name).get_property("value"))

    def _control(self, name: str) -> Any:
        return self.browser.one(f'[id="p-{name}"]')

    def press_run(self) -> None:
        """Send the request and wait for the answer."""
        self.browser.script("document.getElementById('status').replaceChildren()")
        self.browser.one("button.primary").click()
        self.answered()

    def answered(self) -> None:
        """Wait for an answer."""
        self.browser.wait(lambda: self.browser.one("#status").text.startswith("HTTP"), "answer")

    def run(self) -> dict[str, Any]:
        """Send the request; gives the answer that is shown."""
        self.press_run()
        return self.answer()

    def answer(self) -> dict[str, Any]:
        """Return the JSON that is shown."""
        text = self.browser.one("#result").get_property("textContent")
        return dict(json.loads(str(text)))

    def status(self) -> list[str]:
        """Return the facts about the answer."""
        return [fact.text for fact in self.browser.all("#status span")]

    def snippet(self, language: str) -> str:
        """Return the request as code."""
        Select(self.browser.one("#language")).select_by_visible_text(language)
        return str(self.browser.one("#snippet").get_property("textContent"))

    def described(self, modules: str) -> list[dict[str, Any]]:
        """Return the descriptions of modules from the API."""
        query = urlencode({"action": "paraminfo", "modules": modules, **_DEFAULTS})
        fetched = f"return fetch('{self.server}/w/api.php?{query}').then(reply => reply.json())"
        return list(self.browser.script(fetched)["paraminfo"]["modules"])

    def parameters_for(self, request: Mapping[str, str]) -> set[str]:
        """Return the parameters in the form for a request in the address."""
        fragment = urlencode({**_DEFAULTS, **request})
        self.browser.script("document.getElementById('snippet').textContent = ''")
        self.browser.script("location.hash = arguments[0]", fragment)
        self.ready()
        rows = "return [...document.querySelectorAll('[data-name]')].map(row => row.dataset.name)"
        return set(self.browser.script(rows))

    def wider_than_the_window(self) -> list[str]:
        """Return elements that extend beyond the right edge."""
        return list(self.browser.script(_WIDE))


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Yield the address of a wiki."""
    with served() as address:
        yield address


@pytest.fixture
def page(browser: Browser, server: str) -> Iterator[ExplorerPage]:
    """Yield the explorer; at the end, check that it reported nothing and used no other server."""
    browser.look()
    yield ExplorerPage(browser, server)
    assert browser.errors() == []
    assert browser.hosts() <= {urlsplit(server).netloc}
