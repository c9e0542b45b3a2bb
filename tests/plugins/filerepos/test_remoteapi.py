"""What becomes of answers, and of a wiki that gives none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from wikiapi.filerepo.repository import RepositoryUnavailable
from wikiapi_plugins.filerepos.remoteapi import RETRY_AFTER, RemoteApi

if TYPE_CHECKING:
    from collections.abc import Mapping


class Scripted:
    """Answers what a test has prepared."""

    def __init__(self, *bodies: bytes | None) -> None:
        self.bodies = list(bodies)
        self.asked: list[Mapping[str, str]] = []

    def ask(self, params: Mapping[str, str]) -> bytes:
        self.asked.append(params)
        body = self.bodies.pop(0)
        if body is None:
            raise RepositoryUnavailable("down")
        return body


def answers(*bodies: bytes | None) -> list[Any]:
    return [query for query, _ in RemoteApi(Scripted(*bodies)).query(titles="X")]


def test_continuation_is_followed() -> None:
    first = {"query": {"a": 1}, "continue": {"iicontinue": "B|2024", "continue": "||"}}
    source = Scripted(json.dumps(first).encode(), b'{"query": {"b": 2}}')
    parts = RemoteApi(source).query(follow="iicontinue", titles="X")
    assert [query for query, _ in parts] == [{"a": 1}, {"b": 2}]
    assert source.asked[1]["iicontinue"] == "B|2024"
    assert source.asked[1]["titles"] == "X"


def test_endless_continuation_ends() -> None:
    body = b'{"query": {}, "continue": {"x": "1"}}'
    parts = RemoteApi(Scripted(*[body] * 100)).query(follow="x")
    assert len(list(parts)) == 20


def test_other_continuation_is_let_be() -> None:
    assert answers(b'{"query": {}, "continue": {"iistart": "1"}}') == [{}]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"[]",
        b'"text"',
        b"{",
        b"[" * 200_000,
        b'{"a": NaN}',
        b"\xff\xfe",
        b'{"query": {"n": ' + b"9" * 5000 + b"}}",
        b'{"error": {"code": "readapidenied"}}',
        b'{"error": "x"}',
    ],
)
def test_nonsense(body: bytes) -> None:
    with pytest.raises(RepositoryUnavailable):
        answers(body)


@pytest.mark.parametrize("query", [b"null", b"7", b"[]"])
def test_a_query_that_is_no_object_is_empty(query: bytes) -> None:
    assert answers(b'{"query": ' + query + b"}") == [{}]


def test_lone_surrogates_do_not_get_through() -> None:
    [query] = answers(b'{"query": {"t": "a\\ud800b", "pair": "\\ud83d\\ude00"}}')
    assert query == {"t": "a?b", "pair": "😀"}


def test_no_line_of_the_log_is_forged() -> None:
    with pytest.raises(RepositoryUnavailable) as caught:
        answers(b'{"error": {"code": "x\\nERROR forged"}}')
    assert "\n" not in str(caught.value)


def test_after_a_failure_there_is_a_pause() -> None:
    now = [0.0]
    source = Scripted(None, b'{"query": {}}')
    api = RemoteApi(source, lambda: now[0])
    for moment in (0.0, RETRY_AFTER - 1):
        now[0] = moment
        with pytest.raises(RepositoryUnavailable):
            list(api.query())
    assert len(source.asked) == 1
    now[0] = RETRY_AFTER
    assert len(list(api.query())) == 1
