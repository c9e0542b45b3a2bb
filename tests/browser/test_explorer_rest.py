"""The explorer's page for the REST API in a real browser."""

from __future__ import annotations

import json
import subprocess
from urllib.parse import urlencode

from selenium.webdriver.support.ui import Select

from tests.browser.contrast import faint_texts
from tests.browser.explorerpage import ExplorerPage


def open_operation(page: ExplorerPage, operation: str, **values: str) -> None:
    values = {"operation": operation, **values}
    page.browser.open(f"{page.server}/explore/rest#{urlencode(values)}")
    page.ready()


def test_a_page_is_asked_for(page: ExplorerPage) -> None:
    open_operation(page, "get_v1_page_title_bare", title="Alpha")
    answer = page.run()
    assert (answer["title"], page.status()[0]) == ("Alpha", "HTTP 200")
    Select(page.browser.one("#p-operation")).select_by_value("get_v1_search_title")
    page.fill("q", "Alp")
    page.fill("limit", "1")
    assert [each["title"] for each in page.run()["pages"]] == ["Alpha"]
    assert "operation=get_v1_search_title" in page.browser.script("return location.hash")


def test_a_refusal_is_shown(page: ExplorerPage) -> None:
    open_operation(page, "get_v1_page_title", title="Nowhere/else")
    assert page.run()["errorKey"] == "rest-nonexistent-title"
    assert page.status()[0] == "HTTP 404"
    (message,) = page.browser.errors()
    assert "404" in message


def test_a_body_is_sent_as_json(page: ExplorerPage) -> None:
    values = {"from": "wikitext", "format": "html"}
    open_operation(page, "post_v1_transform_from_to_format", wikitext="''tea''", **values)
    page.browser.one("button[type=submit]").click()
    page.browser.wait(lambda: "<i" in page.browser.one("#result").text, "the HTML")
    assert page.browser.one("#method").text == "POST"


def test_the_code_for_curl_works(page: ExplorerPage) -> None:
    open_operation(page, "get_v1_page_title_bare", title="Alpha")
    Select(page.browser.one("#language")).select_by_visible_text("curl")
    command = page.browser.one("#snippet").text
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["title"] == "Alpha"


def test_it_is_readable(page: ExplorerPage) -> None:
    open_operation(page, "put_v1_page_title", title="Alpha")
    for width in (360, 1280):
        page.browser.look(width=width)
        assert page.wider_than_the_window() == []
        assert faint_texts(page.browser) == []
