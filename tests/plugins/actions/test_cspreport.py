"""Reports of browsers about their content security policy."""

from __future__ import annotations

import json
import logging

import pytest

from tests.unit.http.sites import app_of
from wikiapi.testing.client import ApiClient

REPORT = b'{"csp-report": {"document-uri": "https://x.example/", "blocked-uri": "a\\n\xc3\xa9"}}'


@pytest.fixture(scope="module")
def client() -> ApiClient:
    return ApiClient(app_of(), defaults={"format": "json", "formatversion": 2})


QUERY = "action=cspreport&format=json&formatversion=2&reportonly=1&source=a%0Ab"


@pytest.mark.parametrize("content_type", ["application/csp-report", "application/json; charset=x"])
def test_a_report_is_logged_in_one_line(
    client: ApiClient, caplog: pytest.LogCaptureFixture, content_type: str
) -> None:
    with caplog.at_level(logging.WARNING):
        reply = client.raw("POST", QUERY, body=REPORT, content_type=content_type)
    assert json.loads(reply.body) == {"cspreport": "success"}
    [record] = [r for r in caplog.records if r.name.endswith("cspreport")]
    message = record.getMessage()
    assert "report-only policy" in message
    assert '"blocked-uri": "a\\n\\u00e9"' in message
    assert message.isprintable()


@pytest.mark.parametrize(
    ("body", "content_type", "code"),
    [
        (b"a=1", "application/x-www-form-urlencoded", "wrongformat"),
        (REPORT, "text/plain", "wrongformat"),
        (REPORT, "", "wrongformat"),
        (b'{"csp-report": "' + b"x" * 9000 + b'"}', "application/json", "toobig"),
        (b"{", "application/json", "json-error-syntax"),
        (b"", "application/json", "json-error-syntax"),
        (b'{"csp-report": "\xff"}', "application/json", "json-error-utf8"),
        (b'{"csp-report": ' + b"[" * 8000, "application/json", "json-error-depth"),
        (b'{"csp-report": ' + b"[" * 512 + b"]" * 512 + b"}", "application/json",
         "json-error-depth"),
        (b"[]", "application/json", "missingkey"),
        (b'{"csp-report": null}', "application/json", "missingkey"),
    ],
)  # fmt: skip
def test_what_is_no_report_is_refused(
    client: ApiClient, body: bytes, content_type: str, code: str
) -> None:
    reply = client.raw("POST", QUERY, body=body, content_type=content_type)
    assert reply.status == 400
    assert reply.headers["mediawiki-api-error"] == f"cspreport-{code}"


def test_it_must_be_posted(client: ApiClient) -> None:
    assert client.get(action="cspreport")["error"]["code"] == "mustbeposted"


@pytest.mark.parametrize("nested", [b"[" * 511 + b"]" * 511, b'"' + b"[" * 600 + b'"', b'"\\"[[["'])
def test_reports_may_be_as_deep_as_in_php(client: ApiClient, nested: bytes) -> None:
    body = b'{"csp-report": ' + nested + b"}"
    reply = client.raw("POST", QUERY, body=body, content_type="application/json")
    assert reply.status == 200
