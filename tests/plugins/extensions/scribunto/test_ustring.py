"""``mw.ustring`` gives the same results whether it calls Lua's own functions or the host."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from wikiapi_plugins.extensions.scribunto.worker.chunks import ChunkCache
from wikiapi_plugins.extensions.scribunto.worker.runtime import PageRuntime
from wikiapi_plugins.extensions.scribunto.worker.unicodelib import UnicodeLibrary

pytest.importorskip("lupa")

TEXTS = (
    "",
    "a",
    "7 April 2012",
    "2008-07-01",
    "a-b_c(d)[e]%",
    "x\x7fy~z",
    "\u00e9t\u00e9 7\u20138",
)
PATTERNS = (
    "\u2013",
    "[%-\u2013]",
    "[^\u2013]+",
    "^[^%d\u2013]-() ?%d",
    "[a-\u00e9]+",
    "[\u00e9-\u00ff]*",
    "[\u00ff-\u00e9]",
    "[\u00e9-a]",
    "a\u00e9?",
    "(\u200d*)%d",
    "%\u2013*a",
    "%b(\u00e9",
    "%f[\u00e9%w]%w",
    "%f[^\u00e9]",
    "[%w\u00e9]+$",
    "(%a)[\u00b7_-]%1?",
    "%p",
    "[%p\u00e9]",
    "[\0-\x08]",
)


@pytest.fixture(scope="module")
def runtime() -> PageRuntime:
    return PageRuntime(ChunkCache(), lambda *_: None, [], [])


@pytest.fixture(scope="module")
def ustring(runtime: PageRuntime) -> Any:
    return runtime._lib[b"mw"][b"ustring"]


@pytest.fixture(scope="module")
def host(runtime: PageRuntime) -> UnicodeLibrary:
    return UnicodeLibrary(runtime.make_table)


def texts_and_patterns() -> list[tuple[bytes, bytes]]:
    return [(text.encode(), pattern.encode()) for text, pattern in product(TEXTS, PATTERNS)]


def items(table: Any) -> list[Any]:
    return [each for _, each in sorted(table.items())]


def test_find_and_match(ustring: Any, host: UnicodeLibrary) -> None:
    for text, pattern in texts_and_patterns() * 2:
        for start in (1, 3, -2):
            bounds = ustring[b"find"](text, pattern, start)
            assert bounds == host.find(text, pattern, start, False), (text, pattern, start)
            matched = ustring[b"match"](text, pattern, start)
            matched = matched if isinstance(matched, tuple) or matched is None else (matched,)
            assert matched == host.match(text, pattern, start), (text, pattern, start)


def test_gsub(ustring: Any, host: UnicodeLibrary) -> None:
    for text, pattern in texts_and_patterns() * 2:
        size, count, pieces = host.gsub(text, pattern, -1)
        expected = b"<>".join(items(pieces)[:: size + 2])
        assert ustring[b"gsub"](text, pattern, b"<>") == (expected, count), (text, pattern)


def test_gmatch(ustring: Any, host: UnicodeLibrary) -> None:
    for text, pattern in texts_and_patterns():
        _, matches = host.gmatch(text, pattern)
        matched: list[Any] = []
        iterate = ustring[b"gmatch"](text, pattern)
        iterate = iterate[0] if isinstance(iterate, tuple) else iterate
        for each in iter(iterate, None):
            matched += each if isinstance(each, tuple) else [each]
        assert matched == items(matches), (text, pattern)


def test_invalid_utf8_is_refused_by_every_call(ustring: Any) -> None:
    for text, pattern in [(b"a", b"\xff"), (b"\xff", b"a"), (b"\xff", b"\xc3\xa9")] * 2:
        for function in (b"find", b"match", b"gsub"):
            with pytest.raises(Exception, match="not UTF-8"):
                ustring[function](text, pattern, *([b""] if function == b"gsub" else []))


def test_a_replacement_is_checked_even_if_nothing_matches(ustring: Any) -> None:
    for _ in range(2):
        with pytest.raises(Exception, match="string/function/table expected"):
            ustring[b"gsub"]("\u00e9".encode(), b"x", None)


@pytest.mark.parametrize(
    ("text", "trimmed"),
    [(b"", b""), (b" \t\r\n\f ", b""), (b" a b\n", b"a b"), (b"\x0b a\0 ", b"\x0b a\0")],
)
def test_trim(runtime: PageRuntime, text: bytes, trimmed: bytes) -> None:
    assert runtime._lib[b"mw"][b"text"][b"trim"](text) == trimmed
