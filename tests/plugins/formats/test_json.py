from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.http.sites import app_of
from wikiapi.api.result import Arr, IdMap, Indexed, KeyValues, Loose, Obj, to_version2
from wikiapi.testing.client import ApiClient
from wikiapi_plugins.formats.dataformat import to_bytes
from wikiapi_plugins.formats.json import compact, compact_ascii, compact_version2

pytestmark = pytest.mark.slow

TEXT = 'Ü𝄞\u2028\u2029<a href="x">&\'/\x7f\t'


@pytest.fixture(scope="module")
def client() -> ApiClient:
    return ApiClient(app_of(), defaults={"action": "query", "format": "json"})


def echo(client: ApiClient, **params: str) -> str:
    return client.reply("GET", requestid=TEXT, **params).text


ASCII = r'"\u00dc\ud834\udd1e\u2028\u2029<a href=\"x\">&' + "'/"
UTF8 = r'"Ü𝄞\u2028\u2029<a href=\"x\">&' + "'/"


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({}, ASCII),
        ({"utf8": "1"}, UTF8),
        ({"formatversion": "1", "ascii": "1", "utf8": "1"}, UTF8),
        ({"formatversion": "2"}, UTF8),
        ({"formatversion": "latest"}, UTF8),
        ({"formatversion": "2", "ascii": "1"}, ASCII),
        ({"formatversion": "2", "ascii": ""}, ASCII),
    ],
)
def test_escapes(client: ApiClient, params: dict[str, str], expected: str) -> None:
    text = echo(client, **params)
    assert expected in text
    assert json.loads(text)["requestid"] == TEXT


@pytest.mark.parametrize("version", ["1", "2"])
def test_of_the_marks_beside_line_ends_nothing_is_escaped(client: ApiClient, version: str) -> None:
    marks = "\u2027\u2028\u202a\u2029 \u2013\u00e2\u0080"
    reply = client.reply("GET", requestid=marks, formatversion=version, utf8="1")
    assert marks.replace("\u2028", r"\u2028").replace("\u2029", r"\u2029") in reply.text


def test_no_white_space(client: ApiClient) -> None:
    assert client.reply("GET").text == '{"batchcomplete":""}'


def test_shapes(client: ApiClient) -> None:
    first = client.get(titles="A|B")["query"]["pages"]
    second = client.get(titles="A|B", formatversion="2")["query"]["pages"]
    assert first == {
        "-1": {"ns": 0, "title": "A", "missing": ""},
        "-2": {"ns": 0, "title": "B", "missing": ""},
    }
    assert sorted(second, key=lambda page: str(page["title"])) == [
        {"ns": 0, "title": "A", "missing": True},
        {"ns": 0, "title": "B", "missing": True},
    ]


@pytest.mark.parametrize(
    ("callback", "call"),
    [
        ("f", "f"),
        ("a.b[0]['c']", "a.b[0]['c']"),
        ("alert(1)//", "alert1"),
        ("\u2028f\n(", "f"),
        ("", ""),
    ],
)
def test_callback(client: ApiClient, callback: str, call: str) -> None:
    reply = client.reply("GET", callback=callback)
    assert reply.text.startswith(f'/**/{call}({{"batchcomplete":""')
    assert reply.text.endswith(")")
    assert reply.headers["content-type"] == "text/javascript; charset=utf-8"


def test_unknown_version_is_an_error_in_the_format_itself(client: ApiClient) -> None:
    reply = client.reply("GET", formatversion="3")
    assert reply.headers["content-type"] == "application/json; charset=utf-8"
    assert reply.headers["mediawiki-api-error"] == "badvalue"
    answer = json.loads(reply.body)
    assert answer["error"]["code"] == "badvalue"
    assert answer["warnings"].keys() == {"json", "main"}


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec=None)),
    lambda children: st.lists(children) | st.dictionaries(st.text() | st.integers(), children),
)


@given(ANYTHING)
def test_both_encodings_say_the_same(value: Any) -> None:
    """Half characters, long numbers and numbers as names are beyond the fast encoder."""
    decoded = json.loads(compact(value))
    assert decoded == json.loads(json.dumps(value))
    assert compact_ascii(value).isascii()
    assert json.loads(compact_ascii(value)) == decoded


class Word(str):
    """A text of a kind of its own."""


def by_id(items: dict[int, Any]) -> IdMap:
    made = IdMap()
    made.update(items)
    return made


TREES = st.recursive(
    ANYTHING | st.text().map(Word),
    lambda children: (
        st.lists(children).map(Arr)
        | st.lists(children).map(tuple)
        | st.dictionaries(st.text(), children).flatmap(
            lambda data: st.sampled_from([Obj(data), Loose(data), Indexed(data), KeyValues(data)])
        )
        | st.dictionaries(st.integers(), children).map(by_id)
    ),
)


@given(TREES)
def test_a_tree_is_written_as_its_plain_form(tree: Any) -> None:
    assert compact_version2(tree) == to_bytes(compact(to_version2(tree)))


def test_deep_trees() -> None:
    tree: list[Any] = []
    for _ in range(500):
        tree = [tree]
    assert compact(tree) == "[" * 501 + "]" * 501
    for depth in (100, 400):
        nested = Arr()
        for _ in range(depth):
            nested = Arr([nested])
        assert compact_version2(nested) == b"[" * (depth + 1) + b"]" * (depth + 1)
