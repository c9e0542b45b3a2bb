"""Sanitizes a whole style sheet: valid rules are rewritten, others are reported and left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import tinycss2

from wikiapi.wikitext import check_css
from wikiapi_plugins.extensions.templatestyles.selectors import (
    MAX_DEPTH,
    Node,
    UnsafeCss,
    name,
    number,
    scoped,
    string,
    trimmed,
)

_FONT_PREFIX = 'font-family:"TemplateStyles'
_MAX_NESTING = 8
_LEFT_OUT = "/* disallowed parts have been left out */"


_BAD_RULES: Mapping[str, str] = MappingProxyType(
    {
        "media": "invalid-media-query",
        "supports": "invalid-supports-condition",
        "page": "invalid-page-selector",
        "font-face": "invalid-font-face-at-rule",
        "keyframes": "invalid-keyframe-name",
        "-webkit-keyframes": "invalid-keyframe-name",
    }
)
"""The problem to report for a known at-rule that is invalid."""


class CssProblem(NamedTuple):
    """Something that a sheet must not contain; line and column count from 1.

    ``name`` is the property or rule, if there is one.
    """

    code: str
    line: int
    column: int
    name: str = ""


def problems(css: str) -> list[CssProblem]:
    """Return the problems of a sheet, in their order."""
    return _checked(css, "").problems


def sanitized(css: str, scope: str) -> str:
    """Return the sheet limited to ``scope``, and safe for a ``<style>`` element."""
    sheet = _checked(css, scope)
    # No token contains "<"; if one did after all, it could not end the element.
    return (_LEFT_OUT if sheet.problems else "") + sheet.text.replace("<", "")


def _checked(css: str, scope: str) -> _Sheet:
    sheet = _Sheet(scope)
    # Comments stay among the tokens, so that the tokens around them are not joined.
    tokens = tinycss2.parse_component_value_list(css)
    nodes = tinycss2.parse_stylesheet(tokens, skip_comments=True, skip_whitespace=True)
    sheet.text = sheet.rules(nodes)
    return sheet


class _Sheet:
    def __init__(self, scope: str) -> None:
        self.problems: list[CssProblem] = []
        self.text = ""
        self._scope = scope
        self._at_rules: dict[str, Callable[[Node, int], str]] = {
            "media": self._group,
            "supports": self._group,
            "page": self._page,
            "font-face": self._font_face,
            "keyframes": self._keyframes,
            "-webkit-keyframes": self._keyframes,
        }

    def rules(self, nodes: Iterable[Node], depth: int = 0) -> str:
        return "".join(self._safe(self._rule, node, depth) for node in nodes)

    def _safe(self, write: Callable[[Node, int], str], node: Node, depth: int) -> str:
        try:
            return write(node, depth)
        except UnsafeCss:
            self.problems.append(_problem(node))
            return ""

    def _rule(self, node: Node, depth: int) -> str:
        if node.type == "qualified-rule":
            return self._block(scoped(node.prelude, self._scope), node)
        if node.type != "at-rule" or node.content is None or depth > _MAX_NESTING:
            raise UnsafeCss(node.type)
        write = self._at_rules.get(node.lower_at_keyword)
        if write is None:
            raise UnsafeCss(node.lower_at_keyword)
        return write(node, depth)

    def _block(self, head: str, node: Node) -> str:
        nodes = tinycss2.parse_blocks_contents(
            node.content, skip_comments=True, skip_whitespace=True
        )
        written = (self._safe(lambda one, _: declaration(one), one, 0) for one in nodes)
        body = ";".join(filter(None, written))
        return f"{head}{{{body}}}" if body else ""

    def _group(self, node: Node, depth: int) -> str:
        head = f"@{node.lower_at_keyword} {condition(node.prelude)}"
        inner = tinycss2.parse_rule_list(node.content, skip_comments=True, skip_whitespace=True)
        return f"{head}{{{self.rules(inner, depth + 1)}}}"

    def _page(self, node: Node, depth: int) -> str:
        if trimmed(node.prelude):
            raise UnsafeCss("page")
        return self._block("@page", node)

    def _font_face(self, node: Node, depth: int) -> str:
        """Return a font face, whose name must have a prefix that tells it from the skin's fonts."""
        text = self._block("@font-face", node)
        if trimmed(node.prelude) or _FONT_PREFIX not in text:
            raise UnsafeCss("font-face")
        return text

    def _keyframes(self, node: Node, depth: int) -> str:
        prelude = trimmed(node.prelude)
        if len(prelude) != 1 or prelude[0].type != "ident":
            raise UnsafeCss("keyframes")
        frames = tinycss2.parse_rule_list(node.content, skip_comments=True, skip_whitespace=True)
        body = "".join(self._safe(self._frame, frame, depth) for frame in frames)
        return f"@{node.lower_at_keyword} {name(prelude[0].value)}{{{body}}}"

    def _frame(self, node: Node, depth: int) -> str:
        if node.type != "qualified-rule":
            raise UnsafeCss(node.type)
        return self._block(written(trimmed(node.prelude)), node)


def _problem(node: Node) -> CssProblem:
    """Return the problem of a rule or declaration that is left out."""
    place = node.source_line, node.source_column
    match node.type:
        case "declaration" if not is_property(node.lower_name):
            return CssProblem("unrecognized-property", *place)
        case "declaration":
            value = trimmed(node.value)
            if not value:
                return CssProblem("missing-value-for-property", *place, node.name)
            place = value[0].source_line, value[0].source_column
            return CssProblem("bad-value-for-property", *place, node.name)
        case "at-rule":
            code = _BAD_RULES.get(node.lower_at_keyword, "unrecognized-rule")
            return CssProblem(code, *place, node.at_keyword)
        case "qualified-rule":
            return CssProblem("invalid-selector-list", *place)
        case _:
            return CssProblem("expected-declaration", *place)


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
    """Return ``property:value``, without a semicolon. Raises UnsafeCss."""
    if node.type != "declaration":
        raise UnsafeCss(node.type)
    prop = node.lower_name
    if not is_property(prop):
        raise UnsafeCss(prop)
    value = written(trimmed(node.value))
    # The check of inline styles looks beyond single tokens; what it rejects is left out here, too.
    if not value or check_css(value).startswith("/*"):
        raise UnsafeCss(prop)
    return f"{prop}:{value}{'!important' if node.important else ''}"


def is_property(name: str) -> bool:
    """Return whether sheets may set a property, which is named in lower case."""
    prefix = next((one for one in _PREFIXES if name.startswith(one)), "")
    return name.removeprefix(prefix) in PROPERTIES


def condition(prelude: Iterable[Node]) -> str:
    """Return the condition of ``@media`` or ``@supports``. Raises UnsafeCss."""
    return written(trimmed(prelude), colon=True)


def written(nodes: Iterable[Node], depth: int = 0, *, colon: bool = False) -> str:
    """Return tokens as CSS; with ``colon``, parentheses may contain ``name:value``."""
    if depth > MAX_DEPTH:
        raise UnsafeCss("depth")
    css = "".join(_token(node, depth, colon) for node in nodes)
    if "/*" in css:
        raise UnsafeCss("comment")
    return css


def _token(node: Node, depth: int, colon: bool) -> str:
    match node.type:
        case "whitespace" | "comment":
            # A space keeps the tokens around a comment apart, which might else start another one.
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


_SIDES = (
    "",
    "-top",
    "-right",
    "-bottom",
    "-left",
    "-block",
    "-block-start",
    "-block-end",
    "-inline",
    "-inline-start",
    "-inline-end",
)
_BORDER = ("", "-color", "-style", "-width")

PROPERTIES = frozenset(
    """
    align-content align-items align-self alignment-baseline all animation animation-delay
    animation-direction animation-duration animation-fill-mode animation-iteration-count
    animation-name animation-play-state animation-timing-function appearance aspect-ratio
    backface-visibility background background-attachment background-blend-mode background-clip
    background-color background-image background-origin background-position background-repeat
    background-size block-size border-collapse border-image border-radius border-spacing
    border-top-left-radius border-top-right-radius border-bottom-left-radius
    border-bottom-right-radius bottom box-decoration-break box-shadow box-sizing break-after
    break-before break-inside caption-side caret-color clear clip clip-path color color-scheme
    column-count column-fill column-gap column-rule column-rule-color column-rule-style
    column-rule-width column-span column-width columns contain content counter-increment
    counter-reset counter-set cursor direction display empty-cells fill filter flex flex-basis
    flex-direction flex-flow flex-grow flex-shrink flex-wrap float font font-family
    font-feature-settings font-kerning font-size font-size-adjust font-stretch font-style
    font-synthesis font-variant font-variant-alternates font-variant-caps font-variant-east-asian
    font-variant-ligatures font-variant-numeric font-variant-position font-weight
    forced-color-adjust
    gap grid grid-area grid-auto-columns grid-auto-flow grid-auto-rows grid-column grid-column-end
    grid-column-gap grid-column-start grid-gap grid-row grid-row-end grid-row-gap grid-row-start
    grid-template grid-template-areas grid-template-columns grid-template-rows hanging-punctuation
    height hyphens image-rendering inline-size inset isolation justify-content justify-items
    justify-self left letter-spacing line-break line-height list-style list-style-position
    list-style-type mask-image max-block-size max-height max-inline-size max-width min-block-size
    min-height min-inline-size min-width mix-blend-mode object-fit object-position opacity order
    orphans outline outline-color outline-offset outline-style outline-width overflow overflow-wrap
    overflow-x overflow-y page-break-after page-break-before page-break-inside perspective
    perspective-origin place-content place-items place-self pointer-events position
    print-color-adjust
    quotes resize right rotate row-gap scale scroll-behavior size src stroke stroke-width tab-size
    table-layout text-align text-align-last
    text-combine-upright text-decoration
    text-decoration-color text-decoration-line text-decoration-skip-ink text-decoration-style
    text-decoration-thickness text-emphasis text-indent text-justify text-orientation text-overflow
    text-shadow text-size-adjust text-transform text-underline-offset text-underline-position
    text-wrap top touch-action transform transform-box transform-origin transform-style transition
    transition-delay transition-duration transition-property transition-timing-function translate
    unicode-bidi unicode-range user-select vertical-align visibility white-space widows width
    will-change word-break word-spacing word-wrap writing-mode z-index
    """.split()  # noqa: SIM905
    + [f"{box}{side}" for box in ("margin", "padding") for side in _SIDES]
    + [f"border{side}{what}" for side in _SIDES for what in _BORDER]
)
