"""``list=allrevisions``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from wikiapi.api import (
    Arr,
    GeneratedPages,
    ListModule,
    boolean,
    continuation,
    namespace,
    stored_title,
    user,
)
from wikiapi.store import RevisionRow, bounds
from wikiapi.store.models import Actor, Page, Revision
from wikiapi.store.queries import rarity, revisions, visibility
from wikiapi_plugins.query.authorship import readable_revision_bits
from wikiapi_plugins.query.revisions.revisionitems import revision_items
from wikiapi_plugins.query.revisions.revisionoptions import (
    RevisionsModule,
    revision_params,
)
from wikiapi_plugins.query.timeline import Timeline, is_descending, timeline_params
from wikiapi_plugins.query.userfilter import KINDS, by_user, is_user

_TIMELINE = Timeline(Revision.rev_timestamp, Revision.rev_id)
_TITLE = (Page.page_namespace, Page.page_title)
_SELECT_HASHED = revisions.SELECT_REVISIONS_WITH_PAGE.select_extend(*_TITLE)
_SELECT_UNHASHED = revisions.SELECT_UNHASHED_REVISIONS_WITH_PAGE.select_extend(*_TITLE)


class AllRevisions(RevisionsModule, ListModule):
    """List the revisions of all pages by time."""

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
        self.result.list(self.list_path, self.element)
        if self.p["namespace"] == ():
            return
        conditions = by_user(self, Revision.rev_deleted, visibility.USER)
        options = self.options
        rows = self._rows(conditions)
        listed = rows[: self.limit]
        titles = (self.site.titles.make(row.namespace, row.title) for row in listed)
        items = revision_items(self, options, listed, titles)
        page_ids = [row.page_id for row in listed]
        emit_by_page(self, items, rows, _continue_value, page_ids)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the revisions, or their pages."""
        if self.p["namespace"] == ():
            return
        conditions = by_user(self, Revision.rev_deleted, visibility.USER)
        rows = self._rows(conditions)
        if rows:
            # New revisions may precede these while a client continues with the same batch.
            self.hold_batch(_continue_value(rows[0]))
        listed = self.within_limit(rows, _continue_value)
        if self.p.flag("generatetitles"):
            pages.page_ids += [row.page_id or 0 for row in listed]
        else:
            pages.revision_ids += [row.rev_id for row in listed]

    def _rows(self, conditions: list[object]) -> list[RevisionRow]:
        query: Any = _SELECT_HASHED if "sha1" in self.p.texts("prop") else _SELECT_UNHASHED
        period, rare = _TIMELINE.conditions(self), list[Any]()
        namespaces = set(self.p.numbers("namespace"))
        if namespaces and len(namespaces) < len(list(self.site.namespaces.ids())):
            revision, page = Revision.alias(), Page.alias()
            matching = (
                revision.select(revision.rev_id)
                .join_from(revision, page, on=(page.page_id == revision.rev_page))
                .where(page.page_namespace.in_(self.p.numbers("namespace")))
            )
            rare = [Revision.rev_id.in_(matching)] if rarity.is_rare(self.db, matching) else []
            in_namespaces = bounds.unindexed(Page.page_namespace).in_(self.p.numbers("namespace"))
            conditions = [*conditions, in_namespaces]
        if all_conditions := [*rare, *conditions, *period]:
            query = query.where(*all_conditions)
        if conditions and (not rare or self.p.is_given("user")):
            columns = [Revision.rev_timestamp, Revision.rev_id]
            walk: Any = Revision.select(*columns)
            if self.p.is_given("user"):
                walk = walk.join(Actor, on=(Actor.actor_id == Revision.rev_actor))
                period = [*period, is_user(self.p.text("user"))]
            walk = walk.where(*period) if period else walk
            query = self.bounded(query, walk, columns, descending=is_descending(self))
        rows = self.rows(_TIMELINE.ordered(query, self).limit(self.limit + 1))
        readable = readable_revision_bits(self.context.user)
        return [revisions.read(row, readable) for row in rows]


def _continue_value(row: RevisionRow) -> str:
    return f"{row.timestamp}|{row.rev_id}"


def emit_by_page(
    module: ListModule,
    items: Iterable[dict[str, Any]],
    rows: Sequence[RevisionRow],
    continue_value: Callable[[RevisionRow], str],
    page_ids: Sequence[int | None] | None = None,
) -> None:
    """Add revisions grouped by page, and continue with what did not fit.

    A page has the position of the first of its revisions, and contains the others as well.

    Args:
        module: the module that lists the pages.
        items: an item for each row up to the limit.
        rows: the rows, one more than the limit if there are that many.
        continue_value: returns the continuation value of an answer that begins with a row.
        page_ids: the page id of each item, if answers show it.
    """
    items = list(items)

    def page(number: int, revisions: Arr) -> dict[str, Any]:
        row = rows[number]
        data: dict[str, Any] = {} if page_ids is None else {"pageid": page_ids[number]}
        data["revisions"] = revisions
        return data | stored_title(module.site, row.namespace, row.title)

    keys = [(row.namespace, row.title) for row in rows]
    of_page: dict[tuple[int, str], Arr] = {}
    pages = Arr(element=module.element)
    for number, (key, item) in enumerate(zip(keys, items, strict=False)):
        revisions = of_page.get(key)
        if revisions is None:
            of_page[key] = revisions = Arr((item,), "rev")
            pages.append(page(number, revisions))
        else:
            revisions.append(item)
    result = module.result
    if result.add(module.list_path[:-1], module.list_path[-1], pages):
        if len(rows) > len(items):
            module.set_continue(continue_value(rows[len(items)]))
        else:
            module.continue_window()
        return

    # Not everything fits, so the revisions are added one by one until one does not fit.
    of_page.clear()
    for number, (key, item) in enumerate(zip(keys, items, strict=False)):
        if key in of_page:
            fits = result.extend(of_page[key], item)
        else:
            of_page[key] = Arr((item,), "rev")
            fits = result.append(module.list_path, page(number, of_page[key]), module.element)
        if not fits:
            module.set_continue(continue_value(rows[number]))
            return
