"""A page with its text and revision, as it is stored."""

from __future__ import annotations

from dataclasses import dataclass

from wikiapi.api import moment_of
from wikiapi.site import Site
from wikiapi.store import PageRow, RevisionRow, pages, revisions, texts
from wikiapi.title import Title
from wikiapi.wikitext.options import Revision


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A page as one of its revisions has it. ``text`` is ``None`` where it is suppressed."""

    title: Title
    row: PageRow
    revision: RevisionRow
    model: str
    text: str | None

    @property
    def is_current(self) -> bool:
        """Whether this is the newest revision."""
        return self.revision.rev_id == self.row.latest

    @property
    def parser_revision(self) -> Revision:
        """The revision as the parser wants it."""
        row = self.revision
        return Revision(row.rev_id, moment_of(row.timestamp), row.user_name or "", row.length)


def load_page(site: Site, title: Title) -> StoredPage | None:
    """The newest revision of a page; ``None`` where there is no such page. Three queries."""
    if title.namespace.is_virtual or title.interwiki:
        return None
    row = pages.by_titles(site.db, [title.key]).get(title.key)
    return _load(site, row, row.latest) if row else None


def load_revision(site: Site, revision_id: int) -> StoredPage | None:
    """A revision; ``None`` where there is none of this id. Three queries."""
    row = pages.by_revision_ids(site.db, [revision_id]).get(revision_id)
    return _load(site, row, revision_id) if row else None


def load_by_id(site: Site, page_id: int) -> Title | None:
    """The title of the page of an id. One query."""
    row = pages.by_ids(site.db, [page_id]).get(page_id)
    return site.titles.make(*row.key) if row else None


def _load(site: Site, row: PageRow, revision_id: int) -> StoredPage | None:
    revision = revisions.by_ids(site.db, [revision_id]).get(revision_id)
    text = texts.of_revisions(site.db, [revision_id]).get(revision_id)
    if revision is None or text is None:
        return None
    title = site.titles.make(*row.key)
    return StoredPage(title, row, revision, text.model, text.text)
