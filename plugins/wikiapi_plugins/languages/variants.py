"""MediaWiki's variants of a language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from wikiapi.languages import Rules, Variant
from wikiapi_plugins.shared.facts import facts


def variants_of(
    language: str,
    codes: Iterable[str],
    names: Mapping[str, str] = MappingProxyType({}),
    rules: Mapping[str, Rules] = MappingProxyType({}),
) -> tuple[Variant, ...]:
    """Return the variants of a language with their names and fallbacks.

    Args:
        language: code of the language.
        codes: codes of the variants, in order.
        names: names of variants that differ from the names of languages.
        rules: which conversion rules in pages apply to a variant; the default is all.
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
