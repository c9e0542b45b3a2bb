"""Sanitizes a whole style sheet: valid rules are rewritten, others are reported and left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import tinycss2

from wikiapi_plugins.extensions.templatestyles.selectors import scoped
from wikiapi_plugins.extensions.templatestyles.tokens import Node, UnsafeCss, name, trimmed
from wikiapi_plugins.extensions.templatestyles.values import (
    condition,
    declaration,
    is_property,
    written,
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
        body = self._declarations(node.content)
        return f"{head}{{{body}}}" if body else ""

    def _declarations(self, content: Iterable[Node]) -> str:
        nodes = tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True)
        written = (self._safe(lambda node, _: declaration(node), node, 0) for node in nodes)
        return ";".join(filter(None, written))

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
