from __future__ import annotations

from typing import Any

import pytest

from wikiapi.store.phpvalues import BadPhpValue, dumps, loads


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("N;", None),
        ("b:1;", True),
        ("i:-7;", -7),
        ("d:0.5;", 0.5),
        ('s:2:"ä";', "ä"),
        ('s:3:"a"b";', 'a"b'),
        ("a:0:{}", []),
        ('a:2:{i:0;s:1:"x";i:1;N;}', ["x", None]),
        ('a:2:{s:1:"k";i:1;i:5;a:1:{i:0;b:0;}}', {"k": 1, 5: [False]}),
    ],
)
def test_plain_values(text: str, value: Any) -> None:
    assert loads(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "i:1",
        "i:1_0;",
        "i:٣;",
        's:9:"x";',
        "a:1:{}",
        "a:999999999:{i:0;i:0;",
        "d:--;",
        'O:3:"Foo":0:{}',
        'C:3:"Foo":0:{}',
        'a:1:{i:0;O:3:"Foo":0:{}}',
        "r:1;",
        "a:1:{b:1;i:0;}",
        "a:1:{a:0:{}i:0;}",
        "i:1;i:2;",
        "a:1:{i:0;" * 5000,
    ],
)
def test_refused(text: str) -> None:
    with pytest.raises(BadPhpValue):
        loads(text)


@pytest.mark.parametrize(
    "value",
    [None, True, 0, -7, 1.5, "", 'ü"; s:1:', [1, ["x"]], {"4::target": "Ä", "n": {"a": False}}],
)
def test_what_is_written_is_read(value: Any) -> None:
    assert loads(dumps(value)) == value
