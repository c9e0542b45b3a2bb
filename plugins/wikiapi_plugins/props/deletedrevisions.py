"""``prop=deletedrevisions``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.api.params.declaration import (
    continuation,
    direction,
    string,
    timestamp,
    user,
)
from wikiapi.api.query.module import PropModule
from wikiapi.store import bounds, revisions, tags
from wikiapi.store.batches import keys_in
from wikiapi.store.models import Archive
from wikiapi_plugins.families.deletedaccess import check_access
from wikiapi_plugins.families.moments import moment_part
from wikiapi_plugins.families.revisionitems import RevisionItems
from wikiapi_plugins.families.revisionlists import author_conditions, walked
from wikiapi_plugins.families.revisionoptions import read_options
from wikiapi_plugins.families.revisionparams import revision_params

if TYPE_CHECKING:
    from wikiapi.api.query.generator import GeneratedPages
    from wikiapi.store.batches import Key
    from wikiapi.store.revisions import RevisionRow
    from wikiapi.title.title import Title

_KINDS = ("name", "ip", "temp", "id", "interwiki")
_ORDER = (Archive.ar_namespace, Archive.ar_title, Archive.ar_timestamp, Archive.ar_id)

Found = tuple["RevisionRow", "Title", str]


class DeletedRevisions(PropModule):
    """Get deleted revision information."""

    name = "deletedrevisions"
    prefix = "drv"
    element = "rev"
    params = (
        *revision_params(),
        timestamp("start", "The moment to begin with; not for revisions by id."),
        timestamp("end", "The moment to end with; not for revisions by id."),
        direction(),
        string("tag", "Only revisions with this tag."),
        user("user", "Only revisions by this user.", kinds=_KINDS),
        user("excludeuser", "No revisions by this user.", kinds=_KINDS),
        continuation(),
    )
    examples = (
        ("action=query&prop=deletedrevisions&titles=Main%20Page|Talk:Main%20Page&drvprop=ids",
         "The deleted revisions of two pages"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Deletedrevisions",)

    def execute(self) -> None:
        """Tell the deleted revisions of each page, deleted itself or not."""
        ids = self.page_set.ids_by_key()
        if self.page_set.wanted_revisions or not ids:
            return
        options = read_options(self)
        check_access(self.context, options)
        found = self._found(ids, options.limit)
        told = [(row, title) for row, title, _ in found[: options.limit]]
        items = RevisionItems(self, options, told)
        self.page_through(
            found,
            options.limit,
            lambda entry: entry[2],
            lambda entry: self.add_page_item(ids[entry[1].key], items.of(*entry[:2])),
        )

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the deleted revisions."""
        ids = self.page_set.ids_by_key()
        if self.page_set.wanted_revisions or not ids:
            return
        limit = read_options(self).limit

        def add(entry: Found) -> bool:
            pages.revision_ids.append(entry[0].rev_id)
            return True

        self.page_through(self._found(ids, limit), limit, lambda entry: entry[2], add)

    @property
    def _descending(self) -> bool:
        return bool(self.p["dir"] != "newer")

    def _found(self, ids: dict[Key, int], limit: int) -> list[Found]:
        query = revisions.select_archived(Archive.ar_namespace, Archive.ar_title, Archive.ar_id)
        query = query.where(*self._conditions(ids))
        found = []
        for values in self.rows(walked(query, _ORDER, limit, descending=self._descending)):
            row, more = revisions.read(values), values[revisions.WIDTH :]
            position = f"{more[0]}|{more[1]}|{row.timestamp}|{more[2]}"
            found.append((row, self.site.titles.make(more[0], more[1]), position))
        return found

    def _conditions(self, ids: dict[Key, int]) -> list[Any]:
        ends = (self.p["start"], self.p["end"])
        conditions = [keys_in(Archive.ar_namespace, Archive.ar_title, ids)]
        conditions += bounds.between(Archive.ar_timestamp, *ends, descending=self._descending)
        conditions += author_conditions(self, Archive.ar_deleted)
        if self.p["tag"] is not None:
            conditions.append(Archive.ar_rev_id.in_(tags.tagged_revisions(self.p["tag"])))
        if parts := self.continue_parts(4):
            values = [
                self.continue_int(parts[0]),
                parts[1],
                moment_part(parts[2]),
                self.continue_int(parts[3]),
            ]
            conditions.append(bounds.starting_at(_ORDER, values, descending=self._descending))
        return conditions
