"""What is said above a page: which redirect led here, that a revision is not the newest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikiapi.store import pages, redirects
from wikiapi_plugins.diffs import neighbours
from wikiapi_plugins.web.reader.views.redirection import FROM

if TYPE_CHECKING:
    from wikiapi.title.title import Title
    from wikiapi_plugins.web.reader.stored import StoredPage
    from wikiapi_plugins.web.reader.visit import Visit


@dataclass(frozen=True, slots=True)
class OldRevision:
    """The revisions around one that is not the newest; ``before`` is ``None`` for the first."""

    stored: StoredPage
    before: int | None
    after: int | None


def old_revision(visit: Visit, stored: StoredPage) -> OldRevision:
    """What is around an earlier revision. Two queries."""
    return OldRevision(
        stored,
        neighbours.before(visit.db, stored.revision),
        neighbours.after(visit.db, stored.revision),
    )


def redirected_from(visit: Visit, title: Title) -> Title | None:
    """The redirect that led here. Nothing is believed: it must be one, and lead here.

    Two queries where one is named.
    """
    source = visit.site.titles.try_parse(visit.param(FROM)) if visit.param(FROM) else None
    if source is None or source.interwiki:
        return None
    row = pages.by_titles(visit.db, [source.key]).get(source.key)
    target = redirects.targets(visit.db, [row.page_id]).get(row.page_id) if row else None
    return source if target and target.key == title.key else None
