"""CSS tokens in canonical form, which means the same to every browser."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

Node = Any
"""tinycss2 has no type annotations."""

MAX_DEPTH = 16
_BLANK = frozenset(("whitespace", "comment"))
_PLAIN_NAME = re.compile(r"-{0,2}[A-Za-z_][A-Za-z0-9_-]*\Z")
_NUMBER = re.compile(r"[+-]?(?:[0-9]++(?:\.[0-9]++)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?\Z")
_UNIT = re.compile(r"[A-Za-z]{1,8}\Z")
_TO_ESCAPE = re.compile(r"[\x00-,./:-@\[-^`{-\x9f\ud800-\udfff\ufffd-\uffff]")
_IN_STRING = re.compile(r"[\x00-\x1f\x7f\"'\\<>&\ufffd\ud800-\udfff]")


class UnsafeCss(Exception):
    """A part of a style sheet is not allowed, and is left out."""


def name(value: str) -> str:
    """Return a keyword, which needs no escapes as it has only letters, digits, ``-`` and ``_``."""
    if not _PLAIN_NAME.match(value):
        raise UnsafeCss(value)
    return value


def identifier(value: str) -> str:
    """Return a name chosen by the author, such as a class, with special characters escaped."""
    escaped = _TO_ESCAPE.sub(lambda match: f"\\{ord(match[0]):x} ", value)
    if escaped[:1].isdigit() or (escaped[:1] == "-" and not _PLAIN_NAME.match(value)):
        raise UnsafeCss(value)
    return escaped


def string(value: str) -> str:
    """Return a text in quotes, with characters escaped that could end it or the element."""
    return '"' + _IN_STRING.sub(lambda match: f"\\{ord(match[0]):x} ", value) + '"'


def number(node: Node) -> str:
    """Return a number, percentage or dimension."""
    unit = {"number": "", "percentage": "%"}.get(node.type)
    if unit is None:
        unit = node.unit
        if not _UNIT.match(unit):
            raise UnsafeCss(unit)
    if not _NUMBER.match(node.representation):
        raise UnsafeCss(node.representation)
    return str(node.representation) + unit


def trimmed(nodes: Iterable[Node]) -> list[Node]:
    """Return the tokens without the blanks and comments around them."""
    tokens = list(nodes)
    first, last = 0, len(tokens)
    while first < last and tokens[first].type in _BLANK:
        first += 1
    while last > first and tokens[last - 1].type in _BLANK:
        last -= 1
    return tokens[first:last]
