"""``list=alldeletedrevisions``."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import and_, or_
from typing import Any

from wikiapi.api import (
    Condition,
    ListModule,
    boolean,
    continuation,
    direction,
    namespace,
    string,
    timestamp,
    user,
)
from wikiapi.api import GeneratedPages as Generated
from wikiapi.errors import ApiError
from wikiapi.store import RevisionRow, bounds
from wikiapi.store.models import Archive
from wikiapi.store.queries import pages, revisions, tags, visibility
from wikiapi_plugins.query.authorship import readable_revision_bits
from wikiapi_plugins.query.revisions.allrevisions import emit_by_page
from wikiapi_plugins.query.revisions.revisionitems import revision_items
from wikiapi_plugins.query.revisions.revisionoptions import (
    RevisionsModule,
    check_access,
    revision_params,
)
from wikiapi_plugins.query.timeline import Timeline, is_descending, moment_part
from wikiapi_plugins.query.titlepart import title_part
from wikiapi_plugins.query.userfilter import KINDS, by_user

_TIMELINE = Timeline(Archive.ar_timestamp, Archive.ar_id)
_BY_TITLE = (Archive.ar_namespace, Archive.ar_title, Archive.ar_timestamp, Archive.ar_id)
_NOT_WITH_USER = ("from", "to", "prefix", "excludeuser")
_ONLY_WITH_USER = ("start", "end")
_OF_A_USER = (Condition("useronly", "Only with ``adruser``."),)
_OF_ALL_USERS = (Condition("nonuseronly", "Not with ``adruser``."),)


class AllDeletedRevisions(RevisionsModule, ListModule):
    """List the deleted revisions of a user or of a namespace."""

    name = "alldeletedrevisions"
    prefix = "adr"
    element = "page"
    params = (
        *revision_params(),
        user("user", "Only revisions by this user.", kinds=KINDS),
        namespace(help="Only revisions of pages in these namespaces.", multi=True),
        timestamp("start", "The time to begin with.", info=_OF_A_USER),
        timestamp("end", "The time to end with.", info=_OF_A_USER),
        direction(),
        string("from", "The title to begin with.", info=_OF_ALL_USERS),
        string("to", "The title to end with.", info=_OF_ALL_USERS),
        string("prefix", "Only titles that begin with this text.", info=_OF_ALL_USERS),
        user("excludeuser", "No revisions by this user.", kinds=KINDS, info=_OF_ALL_USERS),
        string("tag", "Only revisions with this tag."),
        continuation(),
        boolean("generatetitles", "As a generator, yield titles rather than revisions."),
    )
    examples = (
        ("action=query&list=alldeletedrevisions&adruser=Example&adrlimit=50&adrprop=ids|timestamp",
         "The last deleted edits of a user"),
        ("action=query&list=alldeletedrevisions&adrdir=newer&adrlimit=50&adrprop=ids|user",
         "The first deleted edits, by title"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Alldeletedrevisions",)

    def execute(self) -> None:
        """List the revisions by page."""
        self.result.list(self.list_path, self.element)
        if self.p["namespace"] == ():
            return
        self._check()
        check_access(self, self.options)
        rows = self._rows()
        shown = rows[: self.limit]
        titles = [self.site.titles.make(row.namespace, row.title) for row in shown]
        existing = pages.by_titles(self.db, (title.key for title in titles))
        page_ids = [existing[t.key].page_id if t.key in existing else 0 for t in titles]
        items = revision_items(self, self.options, shown, titles)
        emit_by_page(self, items, rows, self._continue_value, page_ids)

    def generate(self, pages: Generated) -> None:
        """Yield the revisions, or the titles of their pages."""
        if self.p["namespace"] == ():
            return
        self._check()
        if self._is_by_title():
            self._generate_distinct(pages)
            return
        rows = self.within_limit(self._rows(), self._continue_value)
        if self.p.flag("generatetitles"):
            pages.titles += [self.site.titles.make(row.namespace, row.title) for row in rows]
        else:
            pages.revision_ids += [row.rev_id for row in rows]

    def _check(self) -> None:
        of_user = self.p.is_given("user")
        for name in _NOT_WITH_USER if of_user else _ONLY_WITH_USER:
            if self.p[name] is not None:
                how = "cannotusewith" if of_user else "mustusewith"
                params = (self.full(name), self.full("user"))
                key = f"apierror-invalidparammix-{how}"
                raise ApiError("invalidparammix", key, *params)

    def _is_by_title(self) -> bool:
        """Return whether to generate each title once; add a warning if the order prevents it."""
        if self.p.is_given("user") or not self.p.flag("generatetitles"):
            return False
        if is_descending(self):
            self.warn(
                "apiwarn-alldeletedrevisions-performance", self.actual_prefix, code="performance"
            )
            return False
        return True

    def _generate_distinct(self, pages: Generated) -> None:
        columns = _BY_TITLE[:2]
        conditions = self._filters()
        if parts := self.continue_parts(2):
            start = [self.continue_int(parts[0]), parts[1]]
            conditions.append(bounds.starting_at(columns, start))
        query = revisions.SELECT_ARCHIVED_REVISIONS.select(*columns).distinct().where(*conditions)
        keys: list[tuple[int, str]] = self.rows(query.order_by(*columns).limit(self.limit + 1))
        shown = self.within_limit(keys, lambda key: "|".join(map(str, key)))
        pages.titles += [self.site.titles.make(namespace, title) for namespace, title in shown]

    def _rows(self) -> list[RevisionRow]:
        query = revisions.SELECT_ARCHIVED_REVISIONS.select_extend(*_BY_TITLE[:2], Archive.ar_id)
        query = query.where(*self._filters(), *self._range())
        rows = self.rows(self._ordered(query).limit(self.limit + 1))
        seen = readable_revision_bits(self.context.user)
        return [revisions.read(row, seen) for row in rows]

    def _ordered(self, query: Any) -> Any:
        if self.p.is_given("user"):
            return _TIMELINE.ordered(query, self)
        return bounds.ordered(query, *_BY_TITLE, descending=is_descending(self))

    def _range(self) -> list[Any]:
        if self.p.is_given("user"):
            return _TIMELINE.conditions(self)
        parts = self.continue_parts(len(_BY_TITLE))
        if not parts:
            return []
        namespace_id, number = self.continue_int(parts[0]), self.continue_int(parts[3])
        start = [namespace_id, parts[1], moment_part(parts[2]), number]
        return [bounds.starting_at(_BY_TITLE, start, descending=is_descending(self))]

    def _filters(self) -> list[Any]:
        conditions = by_user(self, Archive.ar_deleted, visibility.USER)
        if self.p.is_given("tag"):
            conditions.append(Archive.ar_rev_id.in_(tags.tagged_revisions(self.p.text("tag"))))
        if self.p.is_given("user"):
            if self.p.is_given("namespace"):
                conditions.append(Archive.ar_namespace.in_(self.p.numbers("namespace")))
            return conditions
        return [*conditions, self._titles()]

    def _titles(self) -> Any:
        """Return the condition on titles; a text may be normalised differently by namespace."""
        names = ("from", "to", "prefix")
        spaces: Iterable[int] = self.site.namespaces.ids()
        if self.p.is_given("namespace"):
            spaces = sorted(set(self.p.numbers("namespace")))
        if all(self.p[name] is None for name in names):
            return Archive.ar_namespace.in_(spaces)
        by_key: dict[tuple[str | None, ...], list[int]] = {}
        for space in spaces:
            by_key.setdefault(tuple(self._part(name, space) for name in names), []).append(space)
        return reduce(or_, (self._named(own, *parts) for parts, own in by_key.items()))

    def _named(self, spaces: list[int], *parts: str | None) -> Any:
        start, end, prefix = parts
        conditions = bounds.between(
            Archive.ar_title, start, end, descending=is_descending(self)
        ) + bounds.with_prefix(Archive.ar_title, prefix or "")
        return reduce(and_, conditions, Archive.ar_namespace.in_(spaces))

    def _part(self, name: str, space: int) -> str | None:
        text = self.p[name]
        return None if text is None else title_part(self.site, text, space)

    def _continue_value(self, row: RevisionRow) -> str:
        moment = f"{row.timestamp}|{row.archive_id}"
        return moment if self.p.is_given("user") else f"{row.namespace}|{row.title}|{moment}"
