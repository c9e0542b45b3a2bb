"""Loads the texts of templates, many with one query."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from wikiapi.budget import Budgets
from wikiapi.title.codec import TitleCodec
from wikiapi.title.namespaces import TEMPLATE
from wikiapi.title.title import Title
from wikiapi.wikitext.preprocess.preprocessor import Preprocessor
from wikiapi.wikitext.source import redirect_target

Key = tuple[int, str]

_MAX_LEVELS = 40
_BYTES_AT_ONCE = 4 * 1024 * 1024
_USUAL_BYTES = 64 * 1024
"""The assumed size of texts in the first query: large, so that it fetches few of them."""
_LEAST_BYTES = 1024
_TEXT_BYTES = 300
"""The approximate size in memory of a text's title and other data."""


@dataclass(frozen=True, slots=True)
class TemplateText:
    """The current text of a page that is transcluded. ``redirect`` is set for a redirect."""

    title: Title
    page_id: int
    revision_id: int
    text: str
    redirect: Title | None


class PageTexts(Protocol):
    """Where current texts come from: the store, a dump being read, a test."""

    def current(self, keys: Iterable[Key]) -> Mapping[Key, tuple[int, int, str]]:
        """Return page id, revision id and text of the pages that exist, by title.

        The texts have been passed through :func:`~wikiapi.wikitext.expand.strip.disarm`.
        """


class TemplateLoader:
    """The templates of one rendering, or of several that share it. Each is fetched once."""

    def __init__(
        self,
        source: PageTexts,
        titles: TitleCodec,
        preprocessor: Preprocessor,
        is_magic_word: Callable[[str], bool],
        budgets: Budgets,
    ) -> None:
        """Read from ``source``, and charge the texts to the request's budget.

        ``is_magic_word`` returns whether a name is that of a variable or parser function, rather
        than of a page.
        """
        self._source = source
        self._budgets = budgets
        self._titles = titles
        self._preprocessor = preprocessor
        self._is_magic_word = is_magic_word
        self._texts: dict[Key, TemplateText | None] = {}

    def get(self, title: Title) -> TemplateText | None:
        """Return the text of a page, or ``None`` if there is no such page."""
        if title.key not in self._texts:
            self._load({title.key: title})
        return self._texts[title.key]

    def fetch(self, titles: Iterable[Title]) -> None:
        """Load the texts of pages that will be used, with few queries."""
        missing = {title.key: title for title in titles if title.key not in self._texts}
        if missing:
            self._load(missing)

    def prefetch(self, text: str, *, inclusion: bool = False) -> None:
        """Load the templates that a text names literally, and those that these name, and so on.

        Each level of templates usually takes one query.
        """
        missing = self._named(self._preprocessor.template_names(text, inclusion=inclusion))
        for _ in range(_MAX_LEVELS):
            missing = {key: title for key, title in missing.items() if key not in self._texts}
            if not missing:
                return
            self._load(missing)
            missing = self._next_level(missing)

    def _next_level(self, loaded: Mapping[Key, Title]) -> dict[Key, Title]:
        found: dict[Key, Title] = {}
        for key in loaded:
            text = self._texts[key]
            if text and text.redirect:
                found[text.redirect.key] = text.redirect
            elif text:
                names = self._preprocessor.template_names(text.text, inclusion=True)
                found |= self._named(names)
        return found

    def _named(self, names: Iterable[str]) -> dict[Key, Title]:
        found = {}
        for name in names:
            if self._is_magic_word(name):
                continue
            title = self._titles.try_parse(name, TEMPLATE)
            if title and title.ns >= 0 and not title.interwiki:
                found[title.key] = title
        return found

    def _load(self, missing: Mapping[Key, Title]) -> None:
        """Read texts, as many at a time as are likely to add up to a few megabytes."""
        budget = self._budgets.current
        titles = iter(missing.items())
        bytes_of_each = _USUAL_BYTES
        while part := dict(islice(titles, max(_BYTES_AT_ONCE // bytes_of_each, 1))):
            rows = self._source.current(part)
            size = sum(sys.getsizeof(text) for _, _, text in rows.values())
            budget.keep(size + len(part) * _TEXT_BYTES)
            for key, title in part.items():
                row = rows.get(key)
                self._texts[key] = self._read(title.without_fragment(), *row) if row else None
            bytes_of_each = max(size // len(part), _LEAST_BYTES)

    def _read(self, title: Title, page_id: int, revision_id: int, text: str) -> TemplateText:
        redirect = redirect_target(text, self._titles)
        return TemplateText(title, page_id, revision_id, text, redirect)
