"""Declarations and conditions: what may stand in them is listed, the rest is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.html.css import check_css
from wikiapi_plugins.extensions.templatestyles.properties import PROPERTIES
from wikiapi_plugins.extensions.templatestyles.tokens import (
    MAX_DEPTH,
    Node,
    UnsafeCss,
    name,
    number,
    string,
    trimmed,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

_FUNCTIONS = frozenset(
    """
    attr blur brightness calc circle clamp color-mix conic-gradient contrast counter counters
    cubic-bezier drop-shadow ellipse fit-content grayscale hsl hsla hue-rotate hwb inset invert lab
    lch light-dark linear-gradient local matrix matrix3d max min minmax oklab oklch opacity
    perspective polygon radial-gradient repeat repeating-conic-gradient repeating-linear-gradient
    repeating-radial-gradient rgb rgba rotate rotate3d rotatex rotatey rotatez saturate scale
    scale3d scalex scaley scalez sepia skew skewx skewy steps translate translate3d translatex
    translatey translatez var
    """.split()  # noqa: SIM905
)
_PREFIXES = ("-webkit-", "-moz-", "-ms-", "-o-")
_LITERALS = frozenset(",/+-*")


def declaration(node: Node) -> str:
    """``property:value``, with no semicolon. Raises UnsafeCss."""
    if node.type != "declaration":
        raise UnsafeCss(node.type)
    prop = node.lower_name
    if _unprefixed(prop) not in PROPERTIES:
        raise UnsafeCss(prop)
    value = written(trimmed(node.value))
    # The gate of inline styles reads on where tokens end: what it knows to be unsafe stays out.
    if not value or check_css(value).startswith("/*"):
        raise UnsafeCss(prop)
    return f"{prop}:{value}{'!important' if node.important else ''}"


def condition(prelude: Iterable[Node]) -> str:
    """What ``@media`` or ``@supports`` asks for. Raises UnsafeCss."""
    return written(trimmed(prelude), colon=True)


def written(nodes: Iterable[Node], depth: int = 0, *, colon: bool = False) -> str:
    """Values as CSS; ``colon`` where they may be in parentheses, ``name:value``."""
    if depth > MAX_DEPTH:
        raise UnsafeCss("depth")
    css = "".join(_token(node, depth, colon) for node in nodes)
    if "/*" in css:
        raise UnsafeCss("comment")
    return css


def _unprefixed(prop: str) -> str:
    for prefix in _PREFIXES:
        if prop.startswith(prefix):
            return str(prop[len(prefix) :])
    return str(prop)


def _token(node: Node, depth: int, colon: bool) -> str:
    match node.type:
        case "whitespace" | "comment":
            # A comment parts its neighbours: without it, they might open another one.
            return " "
        case "ident":
            return name(node.value)
        case "number" | "percentage" | "dimension":
            return number(node)
        case "string":
            return string(node.value)
        case "hash" if node.value.isascii() and node.value.isalnum():
            return f"#{node.value}"
        case "literal" if node.value in _LITERALS or (colon and depth and node.value == ":"):
            return str(node.value)
        case "function" if node.lower_name in _FUNCTIONS:
            return f"{node.lower_name}({written(node.arguments, depth + 1)})"
        case "() block" | "[] block":
            opening, closing = node.type[:2]
            return f"{opening}{written(node.content, depth + 1, colon=colon)}{closing}"
    raise UnsafeCss(node.type)
