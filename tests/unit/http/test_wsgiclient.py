"""The client of an application in the same process."""

from __future__ import annotations

import json

import pytest

from tests.unit.http.sites import client_of
from wikiapi.testing.client import MULTIPART


def test_the_boundary_of_a_form_is_never_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Werkzeug makes one of a number, which may have more digits than a boundary has room for."""
    monkeypatch.setattr("werkzeug.test.random", lambda: 1.2345678901234567e-05)
    form = {"action": "query", "requestid": "7", "format": "json"}
    reply = client_of().reply("POST", form, content_type=MULTIPART)
    assert json.loads(reply.body)["requestid"] == "7"
