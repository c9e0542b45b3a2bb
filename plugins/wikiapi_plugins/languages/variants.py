"""The variants that MediaWiki has for a language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from wikiapi.i18n import Rules, Variant
from wikiapi_plugins.facts import facts


def variants_of(
    language: str,
    codes: Iterable[str],
    names: Mapping[str, str] = MappingProxyType({}),
    rules: Mapping[str, Rules] = MappingProxyType({}),
) -> tuple[Variant, ...]:
    """Return variants of a language, with what each falls back on.

    Args:
        language: code of the language.
        codes: the variants in their order.
        names: names that differ from those of languages.
        rules: which rules of pages count, where not all do.
    """
    ways: Mapping[str, Mapping[str, list[str]]] = facts("languagevariants")[language]
    languages: Mapping[str, str] = facts("languages")
    return tuple(
        Variant(
            code,
            names.get(code) or languages.get(code, code),
            tuple(fallback for fallback in ways[code]["fallbacks"] if fallback != code),
            rules.get(code, Rules.ALL),
        )
        for code in codes
    )
