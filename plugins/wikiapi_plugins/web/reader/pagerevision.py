"""Loading a page at one of its revisions."""

from __future__ import annotations

from dataclasses import dataclass

from wikiapi.site import Site
from wikiapi.store import PageRow, RevisionRow
from wikiapi.store.queries import pages, revisions, texts
from wikiapi.title import Title
from wikiapi_plugins.shared.diffs import neighbours
from wikiapi_plugins.web.reader.errors import ViewError


@dataclass(frozen=True, slots=True)
class PageRevision:
    """A page at one of its revisions. ``text`` is ``None`` if it is suppressed."""

    title: Title
    row: PageRow
    revision: RevisionRow
    model: str
    text: str | None

    @property
    def is_current(self) -> bool:
        """Whether this is the latest revision."""
        return self.revision.rev_id == self.row.latest

    @property
    def visible_text(self) -> str:
        """The text of the revision.

        Raises:
            ViewError: the text is suppressed.
        """
        if self.text is None:
            raise ViewError(403, "reader-text-hidden")
        return self.text


def load_page(site: Site, title: Title) -> PageRevision | None:
    """Return the latest revision of a page; ``None`` if there is no such page. Three queries."""
    if title.namespace.is_virtual or title.interwiki:
        return None
    row = pages.by_titles(site.db, [title.key]).get(title.key)
    return _load(site, row, row.latest) if row else None


def load_revision(site: Site, revision_id: int) -> PageRevision | None:
    """Return the revision with an id; ``None`` if there is none. Three queries."""
    row = pages.by_revision_ids(site.db, [revision_id]).get(revision_id)
    return _load(site, row, revision_id) if row else None


def require_revision(site: Site, revision_id: int) -> PageRevision:
    """Return the revision with an id. Three queries.

    Raises:
        ViewError: there is no revision with this id.
    """
    stored = load_revision(site, revision_id)
    if stored is None:
        raise ViewError(404, "reader-no-revision", revision_id)
    return stored


def neighbour_of(site: Site, revision_id: int, direction: str) -> int | None:
    """Return the id of the revision after (``next``) or before (``prev``) another one of a page.

    ``None`` if one of the two revisions does not exist. Two queries.
    """
    revision = revisions.by_ids(site.db, [revision_id]).get(revision_id)
    if revision is None:
        return None
    beside = neighbours.after if direction == "next" else neighbours.before
    return beside(site.db, revision)


def title_of_page_id(site: Site, page_id: int) -> Title | None:
    """Return the title of the page with an id; ``None`` if there is none. One query."""
    row = pages.by_ids(site.db, [page_id]).get(page_id)
    return site.titles.make(*row.key) if row else None


def _load(site: Site, row: PageRow, revision_id: int) -> PageRevision | None:
    revision = revisions.by_ids(site.db, [revision_id]).get(revision_id)
    text = texts.of_revisions(site.db, [revision_id]).get(revision_id)
    if revision is None or text is None:
        return None
    title = site.titles.make(*row.key)
    return PageRevision(title, row, revision, text.model, text.text)
