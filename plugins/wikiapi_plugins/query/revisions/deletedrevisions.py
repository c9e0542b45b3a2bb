"""``prop=deletedrevisions``."""

from __future__ import annotations

from typing import Any

from wikiapi.api import GeneratedPages, PropModule, continuation, string, user
from wikiapi.store import RevisionRow, bounds, keys_in
from wikiapi.store.models import Archive
from wikiapi.store.queries import revisions, tags, visibility
from wikiapi_plugins.query.authorship import readable_revision_bits
from wikiapi_plugins.query.revisions.revisionitems import revision_items
from wikiapi_plugins.query.revisions.revisionoptions import (
    RevisionsModule,
    check_access,
    revision_params,
)
from wikiapi_plugins.query.timeline import is_descending, moment_part, timeline_params
from wikiapi_plugins.query.userfilter import KINDS, by_user

_BY_TITLE = (Archive.ar_namespace, Archive.ar_title, Archive.ar_timestamp, Archive.ar_id)
_BY_ID = (Archive.ar_rev_id, Archive.ar_id)


class DeletedRevisions(RevisionsModule, PropModule):
    """Get information about deleted revisions, given by ids or by the titles of their pages."""

    name = "deletedrevisions"
    prefix = "drv"
    element = "rev"
    params = (
        *revision_params(),
        *timeline_params(),
        string("tag", "Only revisions with this tag."),
        user("user", "Only revisions by this user.", kinds=KINDS),
        user("excludeuser", "No revisions by this user.", kinds=KINDS),
        continuation(),
    )
    examples = (
        (("action=query&prop=deletedrevisions&titles=Main%20Page|Talk:Main%20Page"
          "&drvprop=ids|timestamp|user"), "The deleted revisions of two pages"),
        ("action=query&prop=deletedrevisions&revids=123456&drvprop=ids|timestamp|user",
         "One deleted revision"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Deletedrevisions",)

    def execute(self) -> None:
        """List the revisions of each page."""
        if not self._is_needed():
            return
        conditions = by_user(self, Archive.ar_deleted, visibility.USER)
        check_access(self, self.options)
        rows = self._rows(conditions)
        listed = rows[: self.limit]
        titles = [self.site.titles.make(row.namespace, row.title) for row in listed]
        if self._by_id:
            page_ids = [self.page_set.deleted_revisions[row.rev_id] for row in listed]
        else:
            ids = self.page_set.ids_by_key()
            page_ids = [ids[title.key] for title in titles]
        items = revision_items(self, self.options, listed, titles)
        self.emit(zip(page_ids, items, strict=True), rows, self._continue_value)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the revisions."""
        if not self._is_needed():
            return
        conditions = by_user(self, Archive.ar_deleted, visibility.USER)
        rows = self.within_limit(self._rows(conditions), self._continue_value)
        pages.revision_ids += [row.rev_id for row in rows]

    def _is_needed(self) -> bool:
        """Return whether there may be any; of revisions given by id, only deleted ones count."""
        page_set = self.page_set
        if page_set.wanted_revisions:
            return bool(page_set.deleted_revisions)
        return any(True for _ in page_set.good_and_missing())

    @property
    def _by_id(self) -> bool:
        return bool(self.page_set.deleted_revisions)

    def _rows(self, conditions: list[Any]) -> list[RevisionRow]:
        descending, order = is_descending(self), _BY_ID if self._by_id else _BY_TITLE
        if self.p.is_given("tag"):
            tagged = Archive.ar_rev_id.in_(tags.tagged_revisions(self.p.text("tag")))
            conditions = [*conditions, tagged]
        if self._by_id:
            conditions = [*conditions, Archive.ar_rev_id.in_(list(self.page_set.deleted_revisions))]
        else:
            keys = [title.key for _, title in self.page_set.good_and_missing()]
            ends = (self.p.text_or_none("start"), self.p.text_or_none("end"))
            conditions = [
                keys_in(Archive.ar_namespace, Archive.ar_title, keys),
                *conditions,
                *bounds.between(Archive.ar_timestamp, *ends, descending=descending),
            ]
        if parts := self.continue_parts(len(order)):
            if self._by_id:
                start: list[Any] = [self.continue_int(part) for part in parts]
            else:
                ns, dbkey, moment, number = parts
                start = [self.continue_int(ns), dbkey, moment_part(moment)]
                start.append(self.continue_int(number))
            conditions.append(bounds.starting_at(order, start, descending=descending))
        query = revisions.SELECT_ARCHIVED_REVISIONS.select_extend(
            Archive.ar_namespace, Archive.ar_title, Archive.ar_id
        )
        query = bounds.ordered(query.where(*conditions), *order, descending=descending)
        rows = self.rows(query.limit(self.limit + 1))
        readable = readable_revision_bits(self.context.user)
        return [revisions.read(row, readable) for row in rows]

    def _continue_value(self, row: RevisionRow) -> str:
        if self._by_id:
            return f"{row.rev_id}|{row.archive_id}"
        return f"{row.namespace}|{row.title}|{row.timestamp}|{row.archive_id}"
