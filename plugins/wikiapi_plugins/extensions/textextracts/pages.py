"""The complete extracts of pages, cached in memory while a revision is current."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from functools import partial
from sys import getsizeof
from typing import NamedTuple

from wikiapi.api import moment_of
from wikiapi.cache import BoundedCache
from wikiapi.site import Site
from wikiapi.store import PageRow, RevisionRow
from wikiapi.store.queries import revisions, texts
from wikiapi.store.queries.texts import PageText
from wikiapi.wikitext import ParserOptions, ParserOutput
from wikiapi.wikitext.options import Revision
from wikiapi_plugins.extensions.textextracts.filtering import (
    MEDIA,
    REMOVED,
    Filter,
    introduction,
    limited_html,
    plain_text,
)
from wikiapi_plugins.markdown.document import to_markdown
from wikiapi_plugins.markdown.urls import absolute_url


class Form(Enum):
    """How an extract is written."""

    HTML = "html"
    PLAIN = "plain"
    MARKDOWN = "markdown"


class Key(NamedTuple):
    """What an extract depends on: revision, time of the page's last change, form and variant."""

    latest: int
    touched: str
    form: Form
    intro: bool
    variant: str


CACHED_BYTES = 16_777_216
_KEY_BYTES = 256
NAME = "textextracts"


class PageExtracts:
    """The extracts of one site's pages."""

    def __init__(self, site: Site) -> None:
        """Read from the configuration which elements to leave out."""
        self._site = site
        selectors = site.config.extensions.get(NAME, {}).get("remove", REMOVED)
        self._filter = Filter.of((*selectors, *MEDIA))
        self._cache: BoundedCache[Key, str] = BoundedCache(CACHED_BYTES)

    @classmethod
    def of(cls, site: Site) -> PageExtracts:
        """Return the extracts of a site, which are created on first use."""
        return site.derived(cls)

    def find(
        self, rows: Sequence[PageRow], *, form: Form, intro: bool, variant: str
    ) -> dict[int, str]:
        """Return the extracts by page id. A page whose text is hidden has an empty one.

        As in MediaWiki, an introduction is taken from the whole extract if that is cached, and
        otherwise from the rendered page, where it also ends at headings that extracts leave out.

        ``variant`` is a variant of the content language, if that has any. Takes two database
        queries for all pages that are not cached.
        """
        language = self._site.parser.content_converter
        variant = (language and language.find(variant)) or ""
        keys = {row.page_id: Key(row.latest, row.touched, form, intro, variant) for row in rows}
        found = {page_id: self._cached(key) for page_id, key in keys.items()}
        missing = [row for row in rows if found[row.page_id] is None]
        for page_id, text, is_cacheable in self._make_extracts(
            missing, form=form, intro=intro, variant=variant
        ):
            if is_cacheable:
                self._cache.put(keys[page_id], text, getsizeof(text) + _KEY_BYTES)
            found[page_id] = text
        return {page_id: text or "" for page_id, text in found.items()}

    def _cached(self, key: Key) -> str | None:
        found = self._cache.get(key)
        if found is None and key.intro and key.form is not Form.MARKDOWN:
            whole = self._cache.get(key._replace(intro=False))
            return None if whole is None else introduction(whole, plain=key.form is Form.PLAIN)
        return found

    def _make_extracts(
        self, rows: Sequence[PageRow], *, form: Form, intro: bool, variant: str
    ) -> Iterable[tuple[int, str, bool]]:
        """Yield page ids and extracts, and whether they may be cached."""
        if not rows:
            return
        stored = texts.current(self._site.db, [row.key for row in rows])
        written = revisions.by_ids(self._site.db, [row.latest for row in rows])
        for row in rows:
            page = stored.get(row.key)
            if page is not None:
                output = self._rendered(page, written.get(row.latest), variant)
                html = introduction(output.html, plain=False) if intro else output.html
                yield row.page_id, self._made(html, form), not output.interrupted

    def _made(self, html: str, form: Form) -> str:
        if form is Form.MARKDOWN:
            return to_markdown(html, partial(absolute_url, self._site))
        return (plain_text if form is Form.PLAIN else limited_html)(html, self._filter)

    def _rendered(self, page: PageText, revision: RevisionRow | None, variant: str) -> ParserOutput:
        model = self._site.parser.registries.content_models.get(page.model)
        if model is None or page.text is None:
            return ParserOutput()
        options = ParserOptions(
            variant=variant,
            edit_sections=False,
            limit_report=False,
            toc=False,
            redirect_note=False,
            wrapper_class="",
            revision=_facts(revision) if revision else Revision(),
        )
        title = self._site.titles.make(page.namespace, page.title)
        return model.render(self._site.parser, page.text, title, options)


def _facts(revision: RevisionRow) -> Revision:
    moment = moment_of(revision.timestamp)
    return Revision(revision.rev_id, moment, revision.user_name or "", revision.length)
