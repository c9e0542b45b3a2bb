"""Titles in the variants of a language, under any of which a page may be stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set

from wikiapi.languages.variants import LanguageConverter
from wikiapi.title.codec import TitleCodec
from wikiapi.title.title import Title

Key = tuple[int, str]


def in_variants(title: Title, language: LanguageConverter, titles: TitleCodec) -> list[Title]:
    """Return the distinct titles of a title in all variants, without the title itself."""
    others: dict[Key, Title] = {}
    for text in language.convert_to_all(title.text).values():
        candidate = titles.try_parse(title.namespace.prefix + text)
        if candidate and candidate.ns == title.ns and candidate.key != title.key:
            others.setdefault(candidate.key, candidate)
    return list(others.values())


def stored_variants(
    missing: Iterable[Title],
    language: LanguageConverter | None,
    titles: TitleCodec,
    existing: Callable[[Iterable[Key]], Set[Key]],
) -> dict[Key, Title]:
    """Return, by key of the missing page, the first variant of its title that is stored.

    Args:
        missing: titles of pages that are not stored.
        language: the language of the titles; ``None`` if it has no variants.
        titles: the wiki's title codec.
        existing: returns the given keys that are stored; called at most once.
    """
    if language is None:
        return {}
    candidates = {
        title.key: in_variants(title, language, titles)
        for title in missing
        if not title.namespace.is_virtual and not title.interwiki and title.dbkey
    }
    keys = {candidate.key for variants in candidates.values() for candidate in variants}
    stored = existing(keys) if keys else frozenset()
    return {
        key: next(candidate for candidate in variants if candidate.key in stored)
        for key, variants in candidates.items()
        if any(candidate.key in stored for candidate in variants)
    }
