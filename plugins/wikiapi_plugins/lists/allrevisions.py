"""``list=allrevisions``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.api.params.declaration import (
    boolean,
    continuation,
    direction,
    namespace,
    timestamp,
    user,
)
from wikiapi.store import bounds, revisions
from wikiapi.store.models import Page, Revision
from wikiapi_plugins.families.moments import moment_part
from wikiapi_plugins.families.revisionlists import RevisionLists, author_conditions, walked
from wikiapi_plugins.families.revisionoptions import read_options
from wikiapi_plugins.families.revisionparams import revision_params

if TYPE_CHECKING:
    from wikiapi.api.query.generator import GeneratedPages
    from wikiapi.store.revisions import RevisionRow
    from wikiapi.title.title import Title

_ORDER = (Revision.rev_timestamp, Revision.rev_id)
_KINDS = ("name", "ip", "temp", "id", "interwiki")

Found = tuple["RevisionRow", "Title", str]


class AllRevisions(RevisionLists):
    """List all revisions."""

    name = "allrevisions"
    prefix = "arv"
    params = (
        *revision_params(),
        user("user", "Only revisions by this user.", kinds=_KINDS),
        namespace(multi=True),
        timestamp("start", "The moment to begin with."),
        timestamp("end", "The moment to end with."),
        direction(),
        user("excludeuser", "No revisions by this user.", kinds=_KINDS),
        continuation(),
        boolean("generatetitles", "As a generator, yield titles rather than revisions."),
    )
    examples = (
        ("action=query&list=allrevisions&arvuser=Example&arvlimit=50", "The edits of a user"),
        ("action=query&list=allrevisions&arvdir=newer&arvlimit=50", "The first edits"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Allrevisions",)

    def execute(self) -> None:
        """List the revisions."""
        options = read_options(self)
        found = self._found(options.limit)
        self.add_revisions(found, options, lambda row, _: row.page_id or 0)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the revisions, or with ``generatetitles`` their pages."""
        limit = read_options(self).limit
        found = self._found(limit)
        if found:
            # New edits come in at the front: later answers about these begin at the same place.
            self.query.continuation.stay(self.full("continue"), found[0][2])

        def add(entry: Found) -> bool:
            row, _, _ = entry
            if self.p["generatetitles"]:
                pages.page_ids.append(row.page_id or 0)
            else:
                pages.revision_ids.append(row.rev_id)
            return True

        self.page_through(found, limit, lambda entry: entry[2], add)

    def _found(self, limit: int) -> list[Found]:
        query = revisions.select_with_page(Page.page_namespace, Page.page_title)
        conditions = self._conditions()
        query = query.where(*conditions) if conditions else query
        rows = self.rows(walked(query, _ORDER, limit, descending=self.descending))
        found = []
        for values in rows:
            row = revisions.read(values)
            title = self.site.titles.make(*values[revisions.WIDTH :])
            found.append((row, title, f"{row.timestamp}|{row.rev_id}"))
        return found

    def _conditions(self) -> list[Any]:
        ends = (self.p["start"], self.p["end"])
        conditions = bounds.between(_ORDER[0], *ends, descending=self.descending)
        conditions += author_conditions(self, Revision.rev_deleted)
        if self.p["namespace"]:
            conditions.append(Page.page_namespace.in_(self.p["namespace"]))
        if parts := self.continue_parts(2):
            values = [moment_part(parts[0]), self.continue_int(parts[1])]
            conditions.append(bounds.starting_at(_ORDER, values, descending=self.descending))
        return conditions
