"""Rendering stored pages for an export, in batches."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wikiapi.site import Site
from wikiapi.store import RevisionRow
from wikiapi.store.queries import PageText, RedirectRow, redirects, revisions, texts
from wikiapi.title import Title
from wikiapi.wikitext import ParserOptions, ParserOutput, Revision
from wikiapi.workers import working_on

logger = logging.getLogger("wikiapi.export")

Key = tuple[int, str]


class ExportedPage(NamedTuple):
    """A page to export.

    A page with a ``redirect`` target is not rendered. ``is_failed`` tells that the page could not
    be rendered; its ``output`` is then an error message.
    """

    title: Title
    page_id: int
    revision_id: int
    timestamp: str
    output: ParserOutput
    redirect: RedirectRow | None = None
    is_failed: bool = False


class PageRenderer:
    """Renders pages as visitors see them."""

    def __init__(self, site: Site, *, parsoid: bool = False) -> None:
        """Render pages of this site, with Parsoid's HTML if ``parsoid`` is set."""
        self._site = site
        self._parsoid = parsoid

    def render(self, keys: Sequence[Key]) -> Iterator[ExportedPage]:
        """Yield the existing pages with these titles, in the same order. Three queries.

        Pages whose text is suppressed are omitted.
        """
        pages = texts.current(self._site.db, keys)
        rows = revisions.by_ids(self._site.db, [page.revision_id for page in pages.values()])
        targets = redirects.targets(self._site.db, [page.page_id for page in pages.values()])
        for key in keys:
            page = pages.get(key)
            if page is not None and page.text is not None:
                yield self._page(page, rows.get(page.revision_id), targets.get(page.page_id))

    def _page(
        self, page: PageText, row: RevisionRow | None, target: RedirectRow | None
    ) -> ExportedPage:
        title = self._site.titles.make(page.namespace, page.title)
        working_on(title.prefixed_text)
        facts = (title, page.page_id, page.revision_id, page.timestamp)
        if target is not None:
            return ExportedPage(*facts, ParserOutput(), target)
        try:
            output = self._output(page, title, row)
            if output.interrupted:
                output = self._output(page, title, row)
        except Exception:
            # One bad page must not end an export of a million: it is logged and counted.
            logger.exception("%s cannot be rendered", title.prefixed_text)
            html = '<p class="error">This page could not be rendered.</p>'
            return ExportedPage(*facts, ParserOutput(html=html), is_failed=True)
        return ExportedPage(*facts, output)

    def _output(self, page: PageText, title: Title, row: RevisionRow | None) -> ParserOutput:
        model = self._site.content_models.get(page.model)
        if model is None:
            return ParserOutput()
        options = ParserOptions(
            edit_sections=False,
            limit_report=False,
            toc_in_page=False,
            revision=Revision.of(row),
            parsoid=self._parsoid,
        )
        return model.render(self._site.parser, page.text or "", title, options)
