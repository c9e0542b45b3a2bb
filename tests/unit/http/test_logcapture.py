from __future__ import annotations

import logging
import threading
from typing import Any

import pytest

from wikiapi.api.context import LogEntry
from wikiapi.api.request import ApiRequest
from wikiapi.http.debuginfo import captured
from wikiapi.testing import make_context

LOGGER = logging.getLogger("wikiapi.filerepo")


def test_warnings_are_captured_and_still_logged(
    make_site: Any, caplog: pytest.LogCaptureFixture
) -> None:
    context = make_context(make_site(), ApiRequest(params={}))
    with captured(context):
        LOGGER.warning("repository %s is down", "commons")
    LOGGER.warning("later")
    assert context.log == [LogEntry("repository commons is down", "warning", "wikiapi.filerepo")]
    assert "repository commons is down" in caplog.messages


def test_other_threads_are_let_be(make_site: Any) -> None:
    context = make_context(make_site(), ApiRequest(params={}))
    with captured(context):
        thread = threading.Thread(target=LOGGER.warning, args=("elsewhere",))
        thread.start()
        thread.join()
    assert context.log == []
