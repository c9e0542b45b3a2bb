"""Parser of language conversion rules, ``-{flags|text}-``.

The text is one of three things: text that is not converted, a text for each variant
(``zh-cn:one;zh-tw:two``), or one-way conversions (``from=>zh-cn:to``). The flags say how it is
used::

    -{text}-              shows the text unchanged
    -{zh-cn:a;zh-tw:b}-   shows the text for the reader's variant
    -{zh-cn;zh-sg|text}-  shows the text in the one of these variants nearest to the reader's
    -{A|zh-cn:a;...}-     shows the text, and applies the rule to the rest of the page
    -{H|zh-cn:a;...}-     applies the rule to the rest of the page
    -{-|zh-cn:a;...}-     removes such a rule
    -{T|zh-cn:a;...}-     sets the title of the page
    -{D|zh-cn:a;...}-     shows a list of all variants
    -{N|zh-cn}-           shows the name of a variant
    -{R|text}-            shows the text unchanged, even if it looks like rules
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from wikiapi.languages.variants import LanguageConverter, Rules
from wikiapi.texts import trim

_FLAGS = frozenset("ATRD-HNS")
_ADD = "+"
_REFERENCE = re.compile(r"&[#A-Za-z0-9]++;")
_PROTECTED = "\x01"
"""Replaces the semicolon of a character reference, which does not end a text."""

T = TypeVar("T")

Pairs = dict[str, dict[str, str]]
"""By variant: texts and their replacements."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What a rule shows in one variant, and what it changes.

    ``text`` is ``None`` if the rule has no text for the variant. ``title`` is ``None`` unless the
    rule sets the title of the page. ``added`` and ``removed`` are changes to the tables.
    """

    text: str | None = ""
    title: str | None = None
    added: Pairs = field(default_factory=dict)
    removed: Pairs = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Texts:
    """The content of a rule: a text for each variant, and one-way conversions by variant."""

    both_ways: dict[str, str] = field(default_factory=dict)
    one_way: Pairs = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.both_ways or self.one_way)

    def first_of(self, variants: Iterable[str]) -> str | None:
        """Return the text for the first of these variants that has one, or ``None``."""
        for code in variants:
            if code in self.both_ways:
                return self.both_ways[code]
        return None


def read_rule(
    inner: str, variant: str, converter: LanguageConverter, convert: Callable[[str, str], str]
) -> Rule:
    """Return the rule for a text between ``-{`` and ``}-``.

    Args:
        inner: the text, with nested rules replaced by what they show.
        variant: the variant in which the page is shown.
        converter: the converter of the page's language.
        convert: converts HTML to a variant, using the rules read so far.
    """
    flags, body = _split_flags(inner, converter)
    variants = flags & converter.by_code.keys()
    if variants and not flags & set("RN-H"):
        for code in (variant, *converter.by_code[variant].fallbacks):
            if code in variants:
                return Rule(convert(body, code))
        return Rule(body)
    if "R" in flags:
        return Rule(body)
    if "N" in flags:
        named = converter.by_code.get(body.strip())
        return Rule(named.name if named else "")
    return _RuleReader(converter, variant, body, _effective_flags(flags)).rule()


def _split_flags(inner: str, converter: LanguageConverter) -> tuple[set[str], str]:
    before, bar, after = inner.partition("|")
    if not bar:
        return set(), inner
    stripped = [flag.strip() for flag in before.split(";")]
    return {flag for flag in stripped if flag in _FLAGS or flag in converter.by_code}, after


def _effective_flags(flags: set[str]) -> set[str]:
    """Return the flags that remain after resolving defaults and combinations."""
    flags = flags & _FLAGS
    if not flags:
        return {"S"}
    if "-" in flags:
        return {"-"}
    if flags == {"T"}:
        return {"T", "H"}
    if "H" in flags:
        return {_ADD, "H"} | flags & {"T", "D"}
    if "A" in flags:
        flags |= {_ADD, "S"}
    return flags - {"S"} if "D" in flags else flags


class _RuleReader:
    """Reads one rule whose text may contain texts for variants."""

    def __init__(
        self, converter: LanguageConverter, variant: str, body: str, flags: set[str]
    ) -> None:
        # The sanitiser has escaped the arrow.
        self._body = body.replace("=&gt;", "=>")
        self._converter = converter
        self._variant = variant
        self._flags = flags
        self._texts = read_texts(self._body, converter)

    def rule(self) -> Rule:
        """Return the rule."""
        flags = self._flags
        if not self._texts:
            if not flags & {_ADD, "-", "T"}:
                return Rule(self._body)
            if flags & {_ADD, "-"} and self._body:
                # A text without variants applies to all of them.
                self._texts.both_ways.update(dict.fromkeys(self._converter.by_code, self._body))
        pairs = changes(self._texts, self._converter) if flags & {_ADD, "-"} else {}
        text: str | None = ""
        if "D" in flags and not flags >= {_ADD, "A"}:
            text = "".join(self._description())
        elif "S" in flags and not flags & {"H", "-"}:
            text = self._text()
        return Rule(
            text,
            self._title() if "T" in flags else None,
            {} if "-" in flags else pairs,
            pairs if "-" in flags else {},
        )

    def _text(self) -> str | None:
        """Return the text for the reader's variant, or for the nearest one that has a text."""
        texts = self._texts
        if not texts:
            return self._body
        variant = self._converter.by_code[self._variant]
        text = texts.first_of((variant.code, *variant.fallbacks))
        if text is None and variant.code in texts.one_way:
            text = _first(texts.one_way[variant.code])
        if text is None and variant.rules is Rules.NONE:
            text = _first(texts.both_ways) or _first(_first(texts.one_way) or {})
        return text

    def _title(self) -> str | None:
        """Return the title. The main variant, which is not converted, uses no fallbacks."""
        texts, code = self._texts, self._variant
        if code != self._converter.main:
            return self._text()
        return texts.both_ways.get(code) or _first(texts.one_way.get(code, {}))

    def _description(self) -> Iterator[str]:
        converter = self._converter
        between, after = converter.code_separator, converter.rule_separator
        for code, text in self._texts.both_ways.items():
            yield f"{converter.by_code[code].name}{between}{text}{after}"
        for code, pairs in self._texts.one_way.items():
            for source, target in pairs.items():
                yield f"{source}⇒{converter.by_code[code].name}{between}{target}{after}"


def read_texts(body: str, converter: LanguageConverter) -> _Texts:
    """Return the content of a rule; it is empty if any part of it is not valid."""
    texts = _Texts()
    for choice in _choices(body, converter):
        before, colon, to = choice.partition(":")
        if not colon:
            continue
        source, arrow, code = before.partition("=>")
        source, to = trim(source), trim(to)
        variant = converter.find((code if arrow else before).strip())
        if variant is None:
            return _Texts()
        if not arrow and to:
            texts.both_ways[variant] = to
        elif arrow and source:
            texts.one_way.setdefault(variant, {})[source] = to
    return texts


def _choices(body: str, converter: LanguageConverter) -> Iterator[str]:
    """Yield the parts of a rule.

    A semicolon separates parts only if a part begins after it, or nothing follows.
    """
    protected = _REFERENCE.sub(lambda match: match[0][:-1] + _PROTECTED, body)
    current, *rest = protected.split(";")
    pieces = [current]
    for number, piece in enumerate(rest, 1):
        is_end = number == len(rest) and not piece.strip()
        if is_end or _begins_rule(piece, converter):
            yield ";".join(pieces).replace(_PROTECTED, ";")
            pieces = []
        pieces.append(piece)
    yield ";".join(pieces).replace(_PROTECTED, ";")


def _begins_rule(piece: str, converter: LanguageConverter) -> bool:
    starts = (part.partition(":") for part in piece.split("=>"))
    return any(colon and converter.find(code.strip()) for code, colon, _ in starts)


def changes(texts: _Texts, converter: LanguageConverter) -> Pairs:
    """Return the conversions for each variant.

    In each variant, the texts for all other variants are replaced by the text for this one.
    """
    both_ways = dict(texts.both_ways)
    pairs: Pairs = {}
    marked: list[str] = []
    for code, variant in converter.by_code.items():
        if code not in both_ways and (text := texts.first_of(variant.fallbacks)):
            both_ways[code] = text
        if code in both_ways:
            for other in marked:
                if variant.rules is Rules.ALL:
                    pairs.setdefault(code, {})[both_ways[other]] = both_ways[code]
                if converter.by_code[other].rules is Rules.ALL:
                    pairs.setdefault(other, {})[both_ways[code]] = both_ways[other]
            marked.append(code)
        if variant.rules is not Rules.NONE and code in texts.one_way:
            pairs[code] = {**pairs.get(code, {}), **texts.one_way[code]}
    return pairs


def _first(texts: Mapping[str, T]) -> T | None:
    return next(iter(texts.values()), None)
