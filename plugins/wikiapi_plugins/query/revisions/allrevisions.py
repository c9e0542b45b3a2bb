"""``list=allrevisions``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.api.params.declaration import boolean, continuation, namespace, user
from wikiapi.api.query.module import ListModule
from wikiapi.api.query.output import stored_titles
from wikiapi.store import bounds, revisions
from wikiapi.store.models import Page, Revision
from wikiapi.store.visibility import USER
from wikiapi_plugins.query.revisions.pagegroups import PageGroups, Pages
from wikiapi_plugins.query.revisions.revisionitems import revision_items
from wikiapi_plugins.query.revisions.revisionoptions import (
    generator_limit,
    read_options,
    revision_params,
)
from wikiapi_plugins.query.timeline import Timeline, timeline_params
from wikiapi_plugins.query.userfilter import KINDS, by_user

if TYPE_CHECKING:
    from wikiapi.api.query.pageset import GeneratedPages
    from wikiapi.store.revisions import RevisionRow
    from wikiapi.store.statements import Row
    from wikiapi_plugins.query.revisions.revisionoptions import RevisionOptions

_TIMELINE = Timeline(Revision.rev_timestamp, Revision.rev_id)
_TITLE = (Page.page_namespace, Page.page_title)
_SELECT_HASHED = revisions.SELECT_REVISIONS_WITH_PAGE.select_extend(*_TITLE)
_SELECT_UNHASHED = revisions.SELECT_UNHASHED_REVISIONS_WITH_PAGE.select_extend(*_TITLE)


class AllRevisions(ListModule):
    """List all revisions."""

    name = "allrevisions"
    prefix = "arv"
    element = "page"
    params = (
        *revision_params(),
        user("user", "Only revisions by this user.", kinds=KINDS),
        namespace(help="Only revisions of pages in these namespaces.", multi=True),
        *timeline_params(),
        user("excludeuser", "No revisions by this user.", kinds=KINDS),
        continuation(),
        boolean("generatetitles", "As a generator, yield pages rather than revisions."),
    )
    examples = (
        ("action=query&list=allrevisions&arvuser=Example&arvlimit=50", "The last edits of a user"),
        ("action=query&list=allrevisions&arvdir=newer&arvlimit=50", "The first edits of all"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Allrevisions",)

    def execute(self) -> None:
        """List the revisions by page."""
        groups = PageGroups(self)
        if self.p["namespace"] == ():
            return
        conditions = by_user(self, Revision.rev_deleted, USER)
        options = read_options(self)
        if rows := self._rows(conditions, options.limit):
            self._list(groups, options, rows)

    def _list(self, groups: PageGroups, options: RevisionOptions, rows: list[Row]) -> None:
        site, found = self.site, revisions.read_columns(rows[: options.limit])
        spaces, names = found.more
        titles = stored_titles(site, spaces, names)
        groups.list_rows(
            len(rows),
            options.limit,
            Pages(found.page_id, spaces, titles, found.page_id),
            lambda number: _position(revisions.read(rows[number])),
            revision_items(self, options, found, lambda n: site.titles.make(spaces[n], names[n])),
        )

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the revisions, or their pages."""
        if self.p["namespace"] == ():
            return
        conditions = by_user(self, Revision.rev_deleted, USER)
        limit = generator_limit(self)
        rows = self._rows(conditions, limit)

        def add(row: RevisionRow) -> bool:
            if self.p["generatetitles"]:
                pages.page_ids.append(row.page_id or 0)
            else:
                pages.revision_ids.append(row.rev_id)
            return True

        self.page_through(map(revisions.read, rows), limit, _position, add)

    def _rows(self, conditions: list[object], limit: int) -> list[Row]:
        query = _SELECT_HASHED if "sha1" in self.p["prop"] else _SELECT_UNHASHED
        conditions = [*conditions, *_TIMELINE.conditions(self)]
        if self._is_part_of_namespaces():
            conditions.append(bounds.unindexed(Page.page_namespace).in_(self.p["namespace"]))
        query = query.where(*conditions) if conditions else query
        return self.rows(_TIMELINE.ordered(query, self).limit(limit + 1))

    def _is_part_of_namespaces(self) -> bool:
        asked = self.p["namespace"]
        return asked is not None and len(set(asked)) < len(list(self.site.namespaces.ids()))


def _position(row: RevisionRow) -> str:
    return f"{row.timestamp}|{row.rev_id}"
