"""A whole style sheet: rules that pass are written anew, the others are counted and left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import tinycss2

from wikiapi_plugins.extensions.templatestyles.selectors import scoped
from wikiapi_plugins.extensions.templatestyles.tokens import Node, UnsafeCss, name, trimmed
from wikiapi_plugins.extensions.templatestyles.values import condition, declaration, written

_FONT_PREFIX = 'font-family:"TemplateStyles'
_MAX_NESTING = 8
_LEFT_OUT = "/* what is not allowed has been left out */"


def sanitized(css: str, scope: str) -> str:
    """The sheet with its selectors below ``scope``, fit for a ``<style>`` element."""
    sheet = _Sheet(scope)
    # Comments stay among the tokens: what they part must not grow together.
    tokens = tinycss2.parse_component_value_list(css)
    text = sheet.rules(tinycss2.parse_stylesheet(tokens, skip_comments=True, skip_whitespace=True))
    # No token is written with it; were one to slip through, it must not end the element.
    return (_LEFT_OUT if sheet.errors else "") + text.replace("<", "")


class _Sheet:
    def __init__(self, scope: str) -> None:
        self.errors = 0
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
        return "".join(self._kept(self._rule, node, depth) for node in nodes)

    def _kept(self, write: Callable[[Node, int], str], node: Node, depth: int) -> str:
        try:
            return write(node, depth)
        except UnsafeCss:
            self.errors += 1
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
        written = (self._kept(lambda node, _: declaration(node), node, 0) for node in nodes)
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
        """A font under a name that cannot be one of the skin's own."""
        text = self._block("@font-face", node)
        if trimmed(node.prelude) or _FONT_PREFIX not in text:
            raise UnsafeCss("font-face")
        return text

    def _keyframes(self, node: Node, depth: int) -> str:
        prelude = trimmed(node.prelude)
        if len(prelude) != 1 or prelude[0].type != "ident":
            raise UnsafeCss("keyframes")
        frames = tinycss2.parse_rule_list(node.content, skip_comments=True, skip_whitespace=True)
        body = "".join(self._kept(self._frame, frame, depth) for frame in frames)
        return f"@{node.lower_at_keyword} {name(prelude[0].value)}{{{body}}}"

    def _frame(self, node: Node, depth: int) -> str:
        if node.type != "qualified-rule":
            raise UnsafeCss(node.type)
        return self._block(written(trimmed(node.prelude)), node)
