"""``mw.ustring`` matches ASCII texts like Lua's own functions, and rejects the same patterns."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lupa.lua51 import LuaError, LuaRuntime

from wikiapi_plugins.extensions.scribunto.worker import luapattern, matching
from wikiapi_plugins.extensions.scribunto.worker.luapattern import PatternError

LUA = LuaRuntime(encoding="latin-1")
FIND = LUA.eval("function(s, p, i) return {string.find(s, p, i)} end")
GSUB = LUA.eval("function(s, p) return (string.gsub(s, p, '<%0>')) end")
TEXTS = st.text("ab(1-. \n]", max_size=8)
PATTERNS = st.lists(
    st.sampled_from(
        [*"ab1.()*+-?^$]", "[", "%a", "%d", "%s", "%W", "%b()", "%f[%a]", "%1", "[ab]", "[^a]"]
    ),
    max_size=6,
).map("".join)


def in_lua(text: str, pattern: str, init: int) -> list[object] | None:
    try:
        table = FIND(text, pattern, init)
    except LuaError:
        return None
    return [table[index] for index in range(1, 6) if table[index] is not None]


def in_python(text: str, pattern: str, init: int) -> list[object] | None:
    try:
        match = matching.find(text, pattern, init, plain=False)
    except PatternError:
        return None
    return [] if match is None else [match[0], match[1], *match[2]][:5]


@given(TEXTS, PATTERNS, st.integers(-4, 9))
def test_find_returns_the_same_as_in_lua(text: str, pattern: str, init: int) -> None:
    expected = in_lua(text, pattern, init)
    # Lua detects some errors only when it reaches them.
    if expected is not None and in_python(text, pattern, init) is not None:
        assert in_python(text, pattern, init) == expected


@given(TEXTS, PATTERNS)
def test_gsub_returns_the_same_as_in_lua(text: str, pattern: str) -> None:
    if in_lua(text, pattern, 1) is None or in_python(text, pattern, 1) is None:
        return
    size, count, pieces = matching.gsub(text, pattern, -1)
    step = size + 2
    parts = [f"{pieces[n * step]}<{pieces[n * step + 1]}>" for n in range(count)]
    assert "".join([*parts, str(pieces[-1])]) == GSUB(text, pattern)


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("(", "unfinished capture"),
        (")", "invalid pattern capture"),
        ("[a", "malformed pattern (missing ']')"),
        ("%", "malformed pattern (ends with '%')"),
        ("%1", "invalid capture index"),
        ("%fx", "missing '[' after '%f' in pattern"),
        ("%b(", "unbalanced pattern"),
        ("()" * 33, "too many captures"),
    ],
)
def test_malformed_patterns(pattern: str, problem: str) -> None:
    with pytest.raises(PatternError, match=f"^{re.escape(problem)}$"):
        matching.match("x", pattern, 1)


@pytest.mark.parametrize(
    ("pattern", "member", "other"),
    [
        ("%a", "äßЖ中", "1_ «"),
        ("%l", "äж", "ÄЖ"),
        ("%u", "ÄЖ", "äж中"),
        ("%d", "1٣", "½a"),
        ("%p", "«!—", "+$a"),
        ("%s", " \u00a0\u2003\t", "a\u200b"),
        ("%x", "aF9Ａ", "gx"),
        ("%w", "ä1", "_-"),
        ("%c", "\x01\x85", "a"),
        ("%A", "1 ", "ä"),
        ("[%a-]", "ä-", "1"),
        ("[^%s]", "ä", "\u00a0"),
        ("[а-я]", "ж", "z"),
    ],
)
def test_classes(pattern: str, member: str, other: str) -> None:
    assert [matching.match(each, pattern, 1) for each in member] == [[each] for each in member]
    assert [matching.match(each, pattern, 1) for each in other] == [None] * len(other)


@pytest.mark.parametrize("letter", [*"acdlpsuwxz", *"ACDLPSUWXZ"])
@pytest.mark.parametrize("form", ["^%{}", "^[%{}_]", "^[^%{}]", "^%f[%{}]"])
def test_ascii_characters_match_the_same_classes_in_any_text(letter: str, form: str) -> None:
    pattern = form.format(letter)
    for character in map(chr, range(128)):
        alone = matching.find(character, pattern, 1, plain=False)
        followed = matching.find(f"{character}é", pattern, 1, plain=False)
        assert alone == followed, character


def test_the_size_of_the_pattern_cache_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    cache = luapattern._PatternCache()
    monkeypatch.setattr(luapattern, "_cache", cache)
    monkeypatch.setattr(luapattern, "MAX_BYTES", 100_000)
    first = luapattern.compile_pattern("a%a*")
    assert luapattern.compile_pattern("a%a*") is first
    for number in range(100):
        luapattern.compile_pattern(f"{number}%a")
    assert 0 < cache._size <= 100_000
    assert luapattern.compile_pattern("a%a*") is not first
