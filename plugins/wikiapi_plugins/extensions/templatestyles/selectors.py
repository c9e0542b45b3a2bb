"""Selectors, limited to a part of the page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import tinycss2

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


_COMBINATORS = frozenset(">+~")
_FUNCTIONS = frozenset(
    "not is where lang dir nth-child nth-last-child nth-of-type nth-last-of-type".split()  # noqa: SIM905
)
_LITERALS = frozenset(".:*>+~,-")
_IN_BRACKETS = frozenset(("=", "~=", "|=", "^=", "$=", "*="))
_ROOTS = ("html", "body")
_MAX_WRAPPER = 64


def scoped(prelude: Iterable[Node], scope: str) -> str:
    """Return a rule's selectors with ``scope`` in front, but after a leading ``html`` or ``body``.

    Raises:
        UnsafeCss: a selector is invalid, or starts or ends with a combinator.
    """
    return ",".join(_bound(nodes, scope) for nodes in _split(_solid(prelude)))


def is_wrapper(text: str) -> bool:
    """Return whether a text is a selector of one element, without combinators."""
    if len(text) > _MAX_WRAPPER:
        return False
    nodes = tinycss2.parse_component_value_list(text)
    if any(n.type == "whitespace" or (n.type == "literal" and n.value in ">+~,") for n in nodes):
        return False
    try:
        return bool(nodes) and _written(nodes) == text
    except UnsafeCss:
        return False


def _solid(nodes: Iterable[Node]) -> list[Node]:
    return [node for node in nodes if node.type != "comment"]


def _split(nodes: list[Node]) -> list[list[Node]]:
    parts: list[list[Node]] = [[]]
    for node in nodes:
        if node.type == "literal" and node.value == ",":
            parts.append([])
        else:
            parts[-1].append(node)
    return [trimmed(part) for part in parts]


def _bound(nodes: list[Node], scope: str) -> str:
    roots = []
    for root in _ROOTS:
        end = _root_end(nodes, root)
        if end:
            roots.append(_written(nodes[:end]))
            nodes = trimmed(nodes[end:])
    if not nodes or _is_combinator(nodes[0]) or _is_combinator(nodes[-1]):
        raise UnsafeCss("selector")
    return " ".join([*roots, scope, _written(nodes)])


def _root_end(nodes: list[Node], root: str) -> int:
    """Return the end of the part for a root element if its descendants are selected, else 0."""
    if not nodes or nodes[0].type != "ident" or nodes[0].lower_value != root:
        return 0
    for at, node in enumerate(nodes):
        if node.type == "whitespace":
            return 0 if _is_combinator(nodes[at + 1]) else at
        if _is_combinator(node):
            return 0
    return 0


def _is_combinator(node: Node) -> bool:
    return node.type == "literal" and node.value in _COMBINATORS


def _written(nodes: Iterable[Node], depth: int = 0) -> str:
    if depth > MAX_DEPTH:
        raise UnsafeCss("depth")
    return "".join(_token(node, depth) for node in _solid(nodes))


def _token(node: Node, depth: int) -> str:
    match node.type:
        case "whitespace":
            return " "
        case "ident":
            return identifier(node.value)
        case "hash" if node.is_identifier:
            return f"#{identifier(node.value)}"
        case "number" | "dimension" if depth:
            if node.type == "number":
                return number(node)
            if not node.is_integer:
                raise UnsafeCss("nth")
            # In ``2n-1``, the number is part of the unit.
            return f"{node.int_value}{name(node.unit)}"
        case "string" if depth:
            return string(node.value)
        case "literal" if node.value in _LITERALS:
            return str(node.value)
        case "function" if node.lower_name in _FUNCTIONS:
            return f"{node.lower_name}({_written(node.arguments, depth + 1)})"
        case "[] block":
            return f"[{''.join(_in_brackets(n) for n in _solid(node.content))}]"
    raise UnsafeCss(node.type)


def _in_brackets(node: Node) -> str:
    match node.type:
        case "whitespace":
            return " "
        case "ident":
            return identifier(node.value)
        case "string":
            return string(node.value)
        case "literal" if node.value in _IN_BRACKETS:
            return str(node.value)
    raise UnsafeCss(node.type)
