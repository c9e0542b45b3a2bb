"""``prop=deletedrevisions``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.api.params.declaration import continuation, string, user
from wikiapi.api.query.module import PropModule
from wikiapi.store import bounds, revisions, tags
from wikiapi.store.batches import keys_in
from wikiapi.store.models import Archive
from wikiapi.store.visibility import USER
from wikiapi_plugins.families.deletedaccess import check_access
from wikiapi_plugins.families.moments import moment_part
from wikiapi_plugins.families.revisionitems import RevisionItems
from wikiapi_plugins.families.revisionoptions import generator_limit, read_options
from wikiapi_plugins.families.revisionparams import revision_params
from wikiapi_plugins.families.timeline import is_descending, timeline_params
from wikiapi_plugins.families.userfilter import KINDS, by_user

if TYPE_CHECKING:
    from wikiapi.api.query.generator import GeneratedPages
    from wikiapi.store.statements import Row

_BY_TITLE = (Archive.ar_namespace, Archive.ar_title, Archive.ar_timestamp, Archive.ar_id)
_BY_ID = (Archive.ar_rev_id, Archive.ar_id)
_KEY = slice(revisions.WIDTH, revisions.WIDTH + 2)


class DeletedRevisions(PropModule):
    """Get information about the deleted revisions of a set of pages, named by their titles."""

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
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Deletedrevisions",)

    def execute(self) -> None:
        """Tell about the revisions."""
        if not self._is_needed():
            return
        conditions = by_user(self, Archive.ar_deleted, USER)
        options = read_options(self)
        check_access(self, options)
        rows = self._rows(conditions, options.limit)
        titles = [self.site.titles.make(*row[_KEY]) for row in rows]
        pairs = list(zip(map(revisions.read, rows), titles, strict=True))
        items = RevisionItems(self, options, pairs[: options.limit])
        ids = self.page_set.ids_by_key()
        self.page_through(
            range(len(rows)),
            options.limit,
            lambda number: _position(rows[number]),
            lambda number: self.add_page_item(ids[titles[number].key], items.of(*pairs[number])),
        )

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the revisions."""
        if not self._is_needed():
            return
        conditions = by_user(self, Archive.ar_deleted, USER)
        limit = generator_limit(self)

        def add(row: Row) -> bool:
            pages.revision_ids.append(row[0])
            return True

        self.page_through(self._rows(conditions, limit), limit, _position, add)

    def _is_needed(self) -> bool:
        """Whether there may be any: revisions that were asked for by id are all live ones."""
        page_set = self.page_set
        return not page_set.wanted_revisions and any(True for _ in page_set.good_and_missing())

    def _rows(self, conditions: list[Any], limit: int) -> list[Row]:
        keys = [title.key for _, title in self.page_set.good_and_missing()]
        descending = is_descending(self)
        ends = (self.p["start"], self.p["end"])
        conditions = [
            keys_in(Archive.ar_namespace, Archive.ar_title, keys),
            *conditions,
            *bounds.between(Archive.ar_timestamp, *ends, descending=descending),
        ]
        if self.p["tag"] is not None:
            conditions.append(Archive.ar_rev_id.in_(tags.tagged_revisions(self.p["tag"])))
        if parts := self.continue_parts(4):
            space, number = self.continue_int(parts[0]), self.continue_int(parts[3])
            start = [space, parts[1], moment_part(parts[2]), number]
            conditions.append(bounds.starting_at(_BY_TITLE, start, descending=descending))
        query = revisions.select_archived(Archive.ar_namespace, Archive.ar_title, Archive.ar_id)
        query = bounds.ordered(query.where(*conditions), *_BY_TITLE, descending=descending)
        return self.rows(query.limit(limit + 1))


def _position(row: Row) -> str:
    space, title, number = row[revisions.WIDTH :]
    return f"{space}|{title}|{revisions.read(row).timestamp}|{number}"
