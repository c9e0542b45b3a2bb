from __future__ import annotations

from tests.unit.http.sites import client_of


def test_nothing_but_headers() -> None:
    client = client_of()
    reply = client.reply("GET", action="query", format="none")
    assert (reply.status, reply.body) == (200, b"")
    assert reply.headers["content-type"] == "text/plain; charset=utf-8"
    failed = client.reply("GET", action="nope", format="none")
    assert failed.headers["mediawiki-api-error"] == "badvalue"
