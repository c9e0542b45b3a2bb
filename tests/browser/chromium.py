"""A real browser for tests: headless Chromium, driven over WebDriver.

Where there is no Chromium the tests that need it are skipped; with ``WIKIAPI_REQUIRE_BROWSER=1``
they fail instead.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

if TYPE_CHECKING:
    from selenium.webdriver.remote.webelement import WebElement

REQUIRED = "WIKIAPI_REQUIRE_BROWSER"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--window-size=1200,900",
)
PATIENCE = 15.0
"""Seconds to wait for what a page does by itself."""
_NETWORK = ("http", "ws")


class Browser:
    """One window of Chromium."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        """Take the driver."""
        self.driver = driver

    def open(self, url: str) -> None:
        """Load a page from scratch, though only the fragment may differ; forget what was logged."""
        self.driver.get("about:blank")
        self.driver.get_log("browser")
        self.driver.get_log("performance")
        self.driver.get(url)

    def all(self, selector: str) -> list[WebElement]:
        """Return the elements that a CSS selector finds."""
        return list(self.driver.find_elements(By.CSS_SELECTOR, selector))

    def one(self, selector: str) -> WebElement:
        """Return the first element that a CSS selector finds, waited for."""
        return self.wait(lambda: next(iter(self.all(selector)), None), selector)

    def wait(self, condition: Callable[[], Any], what: str = "") -> Any:
        """Return the result of a function as soon as it is true.

        A page may replace elements while the function reads them: it is then called again.

        Raises:
            TimeoutException: it does not become so.
        """
        message = f"no {what} at {self.driver.current_url}"
        stale = [StaleElementReferenceException]
        wait = WebDriverWait(self.driver, PATIENCE, ignored_exceptions=stale)
        return wait.until(lambda _: condition(), message)

    def script(self, text: str, *arguments: Any) -> Any:
        """Return the result of JavaScript."""
        return self.driver.execute_script(text, *arguments)

    def look(self, *, dark: bool = False, width: int = 1200, height: int = 900) -> None:
        """Set the colours and the size of the window in CSS pixels."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def overflow(self) -> int:
        """Return how many CSS pixels the page is wider than the window."""
        root = "document.documentElement"
        return int(self.script(f"return {root}.scrollWidth - {root}.clientWidth"))

    def errors(self) -> list[str]:
        """Return the console's messages since the last call, or since a page was opened."""
        entries = self.driver.get_log("browser")
        return [entry["message"] for entry in entries if entry["level"] in ("SEVERE", "WARNING")]

    def requested(self) -> list[str]:
        """Return the requested addresses since the last call, or since a page was opened."""
        events = (json.loads(entry["message"]) for entry in self.driver.get_log("performance"))
        sent = (
            event["message"]["params"]["request"]["url"]
            for event in events
            if event["message"]["method"] == "Network.requestWillBeSent"
        )
        return [url for url in sent if url.startswith(_NETWORK)]

    def hosts(self) -> set[str]:
        """Return the hosts and ports of :meth:`requested`."""
        return {urlsplit(url).netloc for url in self.requested()}

    def picture(self, path: Path) -> None:
        """Save what the window shows."""
        self.driver.save_screenshot(str(path))


def program(names: tuple[str, ...]) -> str | None:
    """Return the path of the first program that is installed."""
    return next((path for path in map(shutil.which, names) if path), None)


@contextmanager
def chromium(profile: Path) -> Iterator[Browser]:
    """Yield a browser with a new profile in an empty folder, closed at the end.

    Raises:
        pytest.skip.Exception: there is none on this machine.
    """
    binary, driver = program(BROWSERS), program(("chromedriver",))
    if binary is None or driver is None:
        text = "no Chromium with chromedriver on this machine"
        pytest.fail(text) if os.environ.get(REQUIRED) == "1" else pytest.skip(text)
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    started = webdriver.Chrome(options=options, service=Service(driver))
    try:
        yield Browser(started)
    finally:
        started.quit()


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Yield a browser for all tests; open pages with ``browser.open(url)``."""
    with chromium(tmp_path_factory.mktemp("chromium")) as started:
        yield started
