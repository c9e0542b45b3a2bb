"""The time until a long page of the reader is painted, in a headless Chromium over loopback.

The first view, for which the page is rendered, and later ones, for which the rendering is cached,
are measured. Without Chromium, the benchmark is skipped.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

from bench.report import Figure, publish
from wikiapi.http.app import make_app
from wikiapi.testing import live_server, make_site

_FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
          "--disable-background-networking", "--disable-component-update")  # fmt: skip
VIEWS = 7
MAX_MS = 1000.0
"""Milliseconds within which something must be painted."""
MIN_SIZE = 300 * 1024
"""Minimum size of the page in bytes of HTML."""
_SECTION = """== Section {n} ==
Words with ''slanted'' and '''strong''' letters, [[Page {n}]], [[Long|itself]] and
[https://example.org/{n} an address].<ref>Note {n}</ref> {words}
* one
** two {{{{Box|{n}}}}}
{{| class="wikitable"
! Name !! Number
|-
| a || {n}
|}}
"""
_PAINTED = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
_SIZE = "return performance.getEntriesByType('navigation')[0].decodedBodySize"


def run() -> bool:
    """Measure; return whether the targets are met."""
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if browser is None or driver is None:
        print("\nreader: skipped, Chromium or chromedriver is not installed")
        return True
    sections = (_SECTION.format(n=n, words="Plain words go on and on. " * 8) for n in range(260))
    pages = {
        "Long": "\n".join(sections) + "<references />",
        "Short": "x",
        "Template:Box": "<b style='border:1px solid'>{{{1}}} {{#ifexpr:{{{1}}} > 9|many}}</b>",
    }
    site = make_site(pages)
    with (
        closing(site.db),
        live_server(make_app(site)) as server,
        _window(browser, driver) as window,
    ):
        window.get(f"{server}/wiki/Short")
        first = _paint(window, f"{server}/wiki/Long")
        size = int(window.execute_script(_SIZE) or 0)
        later = [_paint(window, f"{server}/wiki/Long") for _ in range(VIEWS)]
    if size < MIN_SIZE:
        raise RuntimeError(f"the page has {size} bytes only")
    return publish(
        "reader",
        [
            Figure("HTML of the page", size / 1024, "KiB"),
            Figure("first view painted", first, "ms", None, MAX_MS, target_of="value"),
            Figure("later views painted, median", statistics.median(later), "ms", None, MAX_MS,
                   target_of="value"),
        ],
    )  # fmt: skip


@contextmanager
def _window(browser: str, driver: str) -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    with tempfile.TemporaryDirectory() as profile:
        for flag in (*_FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        window = webdriver.Chrome(options=options, service=Service(driver))
        try:
            yield window
        finally:
            window.quit()


def _paint(window: webdriver.Chrome, url: str) -> float:
    """Return the milliseconds from the request to the first text on the screen."""
    window.get("about:blank")
    window.get(url)
    return float(WebDriverWait(window, 30).until(lambda _: window.execute_script(_PAINTED)))
