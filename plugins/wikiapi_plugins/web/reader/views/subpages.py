"""The pages that a sub-page lies under."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.store import pages

if TYPE_CHECKING:
    from wikiapi.title.title import Title
    from wikiapi_plugins.web.reader.visit import Visit


def above(visit: Visit, title: Title) -> list[Title]:
    """The pages above a sub-page that exist, the topmost first. One query for sub-pages."""
    if not title.namespace.subpages or "/" not in title.dbkey:
        return []
    parts = title.prefixed_text.split("/")
    names = ("/".join(parts[:length]) for length in range(1, len(parts)))
    found = [page for name in names if (page := visit.site.titles.try_parse(name))]
    stored = pages.existing(visit.db, {page.key for page in found})
    return [page for page in found if page.key in stored]
