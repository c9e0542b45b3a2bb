"""Conversion of a page to a language variant: applies the rules in the page to its text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from enum import Enum

from wikiapi.budget import Budget
from wikiapi.languages.variants import ConversionTable, LanguageConverter
from wikiapi.title.references import decode_references
from wikiapi.wikitext.html.entities import escape_attribute
from wikiapi.wikitext.variants.rule import read_rule

_MAX_DEPTH = 10
_CHARACTERS_IN_STEP = 1000
_RULE_BYTES = 200
"""The approximate size in memory of a rule, in each of the tables that it changes."""

_TOP = re.compile(r"<(?P<raw>script|style)\b[^<>]*+>|<[^<>]*+>|(?P<rule>-\{)", re.IGNORECASE)
_MARK = re.compile(r"-\{|\}-")
_MARKUP = re.compile(
    "<(?P<raw>code(?=>)|(?:script|style|pre)\\b)[^<>]*+>"
    "|<[^<>]*+>"
    "|&[A-Za-z#][A-Za-z0-9]*+;"
    "|\x7f[^\x7f]*+\x7f",
    re.IGNORECASE,
)
_END_TAGS = {
    name: re.compile(rf"</{name}\s*+>", re.IGNORECASE)
    for name in ("code", "pre", "script", "style")
}
_SHOWN_ATTRIBUTE = re.compile(r"(\s(?:title|alt)=)\"([^\"<>]*)\"", re.IGNORECASE)


class PageConverter:
    """Converts the pieces of one rendering. A rule affects all text that is converted after it."""

    def __init__(
        self,
        converter: LanguageConverter,
        variant: str,
        budget: Budget,
        error: Callable[..., str],
    ) -> None:
        """Create a converter to a variant.

        Args:
            converter: the converter of the page's language.
            variant: one of its variants.
            budget: limits the time and memory of the request.
            error: returns the HTML of an error message.
        """
        self.language = converter
        self.variant = variant
        self.title: str | None = None
        """The title that the last rule about titles gives the page, as HTML."""
        self._budget = budget
        self._error = error
        self._tables: dict[str, ConversionTable] = {}
        self._changes: dict[str, dict[str, str | None]] = {}
        """By variant: pending changes to its table; ``None`` removes an entry."""

    def convert(self, html: str) -> str:
        """Return HTML in the variant. If it is already, only its rules are applied."""
        if not self.language.is_written_in(html, self.variant):
            return self._apply_rules(html, self._automatic)
        return self._apply_rules(html, lambda text, _: text)

    def _apply_rules(self, html: str, convert: Callable[[str, str], str]) -> str:
        """Return HTML with its rules replaced by their text, and other text converted."""
        ends = _Ends(html)
        out: list[str] = []
        copied = position = 0
        while match := _TOP.search(html, position):
            position = match.end()
            if match["raw"]:
                position = ends.after(match["raw"], position) or position
            elif match["rule"]:
                out.append(convert(html[copied : match.start()], self.variant))
                text, position = self._rule(html, match.start(), 1)
                out.append(text)
                copied = position
        return "".join([*out, convert(html[copied:], self.variant)])

    def translate(self, text: str) -> str:
        """Return plain text in the variant, using the rules that were read so far."""
        return self.language.translate(text, self.variant, self._table(self.variant))

    # Rules

    def _rule(self, html: str, start: int, depth: int) -> tuple[str, int]:
        """Return the text that the rule at a position shows, and the position where it ends."""
        self._budget.step()
        position = start + 2
        inner: list[str] = []
        is_warned = False
        while mark := _MARK.search(html, position):
            inner.append(html[position : mark.start()])
            position = mark.end()
            if mark[0] == "}-":
                return self._applied("".join(inner)), position
            if depth < _MAX_DEPTH:
                text, position = self._rule(html, mark.start(), depth + 1)
                inner.append(text)
            else:
                inner.append("-{")
                if not is_warned:
                    inner.append(self._error("language-converter-depth-warning", _MAX_DEPTH))
                    is_warned = True
        inner.append(html[position:])
        return "-{" + self._automatic("".join(inner), self.variant), len(html)

    def _applied(self, inner: str) -> str:
        """Return the text that a rule shows, and apply its changes."""
        rule = read_rule(inner, self.variant, self.language, self._automatic)
        if rule.title is not None:
            self.title = rule.title
        for code, pairs in rule.added.items():
            self._change(code, pairs)
        for code, removed in rule.removed.items():
            self._change(code, dict.fromkeys(removed))
        if rule.text is None:
            return self._error("converter-manual-rule-error")
        return rule.text

    def _change(self, code: str, pairs: Mapping[str, str | None]) -> None:
        """Record changes of a variant's table, which is updated when it is used next."""
        self._budget.keep(len(pairs) * _RULE_BYTES)
        self._changes.setdefault(code, {}).update(pairs)

    def _table(self, variant: str) -> ConversionTable:
        """Return the table of a variant with all changes so far."""
        table = self._tables.get(variant) or self.language.table(variant)
        changes = self._changes.pop(variant, None)
        if changes is None:
            return table
        if variant not in self._tables:
            table = self._tables[variant] = table.copy()
        for source, target in changes.items():
            if target is None:
                table.remove(source)
            else:
                table.add(source, target)
        return table

    # Text without rules

    def _automatic(self, html: str, variant: str) -> str:
        """Return HTML without rules in a variant, with its text and tooltips converted."""
        if not html or self.language.is_written_in(html, variant):
            return html
        self._budget.step(1 + len(html) // _CHARACTERS_IN_STEP)
        pieces = list(_pieces(html))
        # Tooltips come first, since rules in them apply to all of the text.
        tags = [
            _SHOWN_ATTRIBUTE.sub(self._attribute, piece) if kind is _Kind.TAG else piece
            for piece, kind in pieces
        ]
        table = self._table(variant)
        return "".join(
            [
                self.language.translate(piece, variant, table) if kind is _Kind.TEXT else tag
                for tag, (piece, kind) in zip(tags, pieces, strict=True)
            ]
        )

    def _attribute(self, match: re.Match[str]) -> str:
        """Return a visible attribute, converted unless it contains a URL."""
        value = decode_references(match[2])
        if "://" in value:
            return match[0]
        converted = self.convert(value)
        return match[0] if converted == value else f'{match[1]}"{escape_attribute(converted)}"'


class _Ends:
    """Finds the closing tags of elements that are not converted.

    Each closing tag is searched for only once, so that the text is read in linear time.
    """

    def __init__(self, html: str) -> None:
        self._html = html
        self._next: dict[str, re.Match[str] | None] = {}

    def after(self, name: str, position: int) -> int | None:
        """Return where the next closing tag of a name ends; ``None`` if there is none."""
        name = name.lower()
        tag = self._next.get(name)
        if name not in self._next or (tag and tag.start() < position):
            tag = self._next[name] = _END_TAGS[name].search(self._html, position)
        return tag.end() if tag else None


class _Kind(Enum):
    TEXT = "text"
    TAG = "tag"
    KEPT = "kept"
    """Not converted: a strip marker, a character reference, or an element such as ``code``."""


def _pieces(html: str) -> Iterator[tuple[str, _Kind]]:
    """Yield the pieces of HTML in order, with the kind of each."""
    ends = _Ends(html)
    copied = position = 0
    while match := _MARKUP.search(html, position):
        start, position = match.span()
        kind = _Kind.TAG if match[0].startswith("<") else _Kind.KEPT
        if match["raw"] and (end := ends.after(match["raw"], position)):
            position, kind = end, _Kind.KEPT
        if start > copied:
            yield html[copied:start], _Kind.TEXT
        yield html[start:position], kind
        copied = position
    if copied < len(html):
        yield html[copied:], _Kind.TEXT
