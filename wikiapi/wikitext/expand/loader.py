"""Templates: the pages that calls name, and their texts, many of which one query loads."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from wikiapi.budget import Budgets
from wikiapi.languages.variants import LanguageConverter
from wikiapi.title.codec import TitleCodec
from wikiapi.title.namespaces import MAIN, MEDIAWIKI, TEMPLATE
from wikiapi.title.redirects import Redirects
from wikiapi.title.subpages import resolve_subpage
from wikiapi.title.title import Title
from wikiapi.title.variants import in_variants
from wikiapi.wikitext.expand.frame import Frame
from wikiapi.wikitext.expand.strip import clean_input
from wikiapi.wikitext.output import ParserOutput
from wikiapi.wikitext.preprocess.preprocessor import Preprocessor

Key = tuple[int, str]

_MAX_LEVELS = 40
_MAX_PAGES = 3
"""How many pages a call may lead to: a template, and the targets of two redirects."""
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

        The texts have been passed through :func:`~wikiapi.wikitext.expand.strip.clean_input`.
        """


class TemplateLoader:
    """The templates of one rendering, or of several that share it. Each is fetched once."""

    def __init__(
        self,
        source: PageTexts,
        titles: TitleCodec,
        redirects: Redirects,
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
        self._redirects = redirects
        self._preprocessor = preprocessor
        self._is_magic_word = is_magic_word
        self._texts: dict[Key, TemplateText | None] = {}
        self.message_names: frozenset[str] | None = None
        """The names of the pages with which the wiki changes interface texts, once it is known."""

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

    def prefetch(self, text: str) -> None:
        """Load the templates that a text names literally, and those that these name, and so on.

        Each level of templates usually takes one query.
        """
        missing = self._named(self._preprocessor.template_names(text, inclusion=False))
        for _ in range(_MAX_LEVELS):
            missing = {key: title for key, title in missing.items() if key not in self._texts}
            if not missing:
                return
            self._load(missing)
            level: dict[Key, Title] = {}
            for template in (self._texts[key] for key in missing):
                if template and template.redirect:
                    level[template.redirect.key] = template.redirect
                elif template:
                    names = self._preprocessor.template_names(template.text, inclusion=True)
                    level |= self._named(names)
            missing = level

    def _named(self, names: Iterable[str]) -> dict[Key, Title]:
        titles = {}
        for name in names:
            if self._is_magic_word(name):
                continue
            title = self._titles.try_parse(name, TEMPLATE)
            if title and title.ns >= 0 and not title.interwiki:
                titles[title.key] = title
        return titles

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
                self._texts[key] = None
                if row := rows.get(key):
                    redirect = self._redirects.target(row[2])
                    self._texts[key] = TemplateText(title.without_fragment(), *row, redirect)
            bytes_of_each = max(size // len(part), _LEAST_BYTES)


class Templates:
    """The pages that one rendering transcludes.

    ``resolve`` is set if plugins provide templates. It returns the text of one, or ``None``.
    """

    resolve: Callable[[Title, Frame], str | None] | None = None

    def __init__(
        self,
        page: Title,
        titles: TitleCodec,
        loader: TemplateLoader,
        output: ParserOutput,
        language: LanguageConverter | None,
        *,
        creates_page: bool = False,
    ) -> None:
        """Find the templates of a page in ``loader``, and record in ``output`` those that are used.

        ``language`` is the converter of the page's language, if that has variants: a call may name
        a page by its title in any of them. ``creates_page`` is true while the page is being saved
        for the first time.
        """
        self._page = page
        self._titles = titles
        self._loader = loader
        self._output = output
        self._language = language
        self._creates_page = creates_page

    def title(self, name: str) -> Title | None:
        """Return the page that a call of this name transcludes.

        Return ``None`` if the name is invalid or belongs to another wiki.
        """
        if name.startswith(("/", "../")):
            resolved = resolve_subpage(self._page, name)
            if resolved is not None:
                return self._titles.try_parse(resolved[0], MAIN)
        title = self._titles.try_parse(name, TEMPLATE)
        return title if title and title.dbkey and not title.interwiki else None

    def find(self, title: Title, frame: Frame) -> tuple[Title, TemplateText | None]:
        """Return the page to transclude for a title, and its text if there is one.

        Two redirects are followed, and all pages are recorded as transcluded. If a target does not
        exist, the text of the redirect is transcluded, unless the target is the page that is about
        to be created. Messages may be built in.
        """
        redirect: tuple[Title, TemplateText | None] | None = None
        for _ in range(_MAX_PAGES):
            title, text = self._in_variants(title, frame)
            ids = (text.page_id, text.revision_id) if text else ()
            self._output.add_template(title, *ids)
            if text is None:
                is_missing = title.ns == MEDIAWIKI or (
                    self._creates_page and title.key == self._page.key
                )
                return redirect if redirect and not is_missing else (title, None)
            if text.redirect is None:
                return title, text
            redirect, title = (title, text), text.redirect
        return title, text

    def _in_variants(self, title: Title, frame: Frame) -> tuple[Title, TemplateText | None]:
        """Return a title and its text; without a text, the first variant of the title with one."""
        text = self.text(title, frame)
        if text is None and self._language is not None:
            variants = in_variants(title, self._language, self._titles)
            self._loader.fetch(variants)
            for variant in variants:
                if variant_text := self._loader.get(variant):
                    return variant, variant_text
        return title, text

    def text(self, title: Title, frame: Frame) -> TemplateText | None:
        """Return the text to transclude for a title, from a plugin or else from the store."""
        if self.resolve is not None:
            text = self.resolve(title, frame)
            if text is not None:
                return TemplateText(title, 0, 0, clean_input(text), None)
        return self._loader.get(title)
