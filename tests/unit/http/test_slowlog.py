from __future__ import annotations

import logging

import pytest

from tests.unit.http.sites import empty_site
from wikiapi.http.app import WikiApp
from wikiapi.testing import ApiClient

PAGE = {"action": "query", "titles": "A", "token": "secret"}


def logged(caplog: pytest.LogCaptureFixture, milliseconds: float) -> list[str]:
    client = ApiClient(WikiApp(empty_site(http={"slow_query_log": milliseconds})))
    with caplog.at_level(logging.WARNING, "wikiapi.slow"):
        client.get(PAGE)
    return caplog.messages


def test_statement_module_and_request_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    message = logged(caplog, 0.0001)[-1]
    assert " ms in action=query (wikiapi." in message
    assert "for 'action=query&format=json'" in message
    assert "SELECT" in message
    assert "secret" not in message
    assert "\n" not in message


def test_fast_statements_are_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert logged(caplog, 3_600_000.0) == []


def test_there_is_no_log_unless_requested(caplog: pytest.LogCaptureFixture) -> None:
    assert logged(caplog, 0.0) == []
