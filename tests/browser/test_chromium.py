"""What the tests of pages rely on: the browser tells of errors and of requests."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.chromium import REQUIRED, Browser, chromium
from wikiapi.testing import live_server

PAGE = (
    b"<!DOCTYPE html><title>t</title><link rel=icon href=data:,>"
    b"<body style='margin:0'><p style='width:700px'>wide</p>"
    b"<script>fetch('/asked?a').then(() => { document.title = 'done'; missing(); })</script>"
)


def page_app(_environ: Any, start_response: Any) -> Iterable[bytes]:
    start_response("200 OK", [("Content-Type", "text/html"), ("Content-Length", str(len(PAGE)))])
    return (PAGE,)


def test_errors_and_requests_are_seen(browser: Browser) -> None:
    with live_server(page_app) as server:
        browser.look(width=320)
        browser.open(f"{server}/page")
        browser.wait(lambda: browser.driver.title == "done")
        errors = browser.wait(browser.errors)
        assert "missing is not defined" in errors[0]
        assert browser.requested() == [f"{server}/page", f"{server}/asked?a"]
        assert browser.overflow() == 700 - 320


def test_without_a_browser_tests_are_skipped_or_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.browser.chromium.program", lambda _: None)
    monkeypatch.delenv(REQUIRED, raising=False)
    with pytest.raises(pytest.skip.Exception), chromium(tmp_path):
        pass
    monkeypatch.setenv(REQUIRED, "1")
    with pytest.raises(pytest.fail.Exception), chromium(tmp_path):
        pass
