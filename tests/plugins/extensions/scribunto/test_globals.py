"""The Lua files use no globals except those of Lua: any other name is a mistake."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from wikiapi_plugins.extensions import scribunto

FILES = sorted((Path(scribunto.__file__).parent / "lua").glob("*.lua"))
KEYWORDS = """
and break do else elseif end false for function if in local nil not or repeat return then true until
while
"""
PROVIDED = """
assert error getfenv setfenv getmetatable setmetatable ipairs next pairs pcall rawequal rawget
rawset select self tonumber tostring type unpack xpcall string table math os debug
"""
TOKEN = re.compile(
    r"""--[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|[A-Za-z_]\w*|\d[\w.]*|\.\.\.?|[=~<>]=|\S"""
)


def _unknown_names(source: str) -> Iterator[str]:
    """Yield the names that are used and not declared in the file."""
    tokens = [token for token in TOKEN.findall(source) if not token.startswith("--")]
    names = {*KEYWORDS.split(), *PROVIDED.split(), *_declared(tokens)}
    for before, token, after in zip(["", *tokens], tokens, [*tokens[1:], ""], strict=False):
        is_field = before in (".", ":") or (before in ("{", ",") and after == "=")
        if re.match(r"[A-Za-z_]", token) and not is_field and token not in names:
            yield token


def _declared(tokens: list[str]) -> Iterator[str]:
    """Yield the names of local variables, local functions and parameters."""
    for index, token in enumerate(tokens):
        if token in ("local", "for"):
            yield from _list_from(tokens, index + (2 if tokens[index + 1] == "function" else 1))
        elif token == "function":
            yield from _list_from(tokens, tokens.index("(", index) + 1)


def _list_from(tokens: list[str], start: int) -> Iterator[str]:
    """Yield the names in a comma-separated list."""
    yield tokens[start]
    while tokens[start + 1] == ",":
        start += 2
        yield tokens[start]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_files_use_no_undeclared_names(file: Path) -> None:
    assert set(_unknown_names(file.read_text(encoding="utf-8"))) == set()


def test_undeclared_names_are_found() -> None:
    source = "local seen, known = {}, 1\nreturn function(s) return s == seen.x and answered end"
    assert set(_unknown_names(source)) == {"answered"}
