"""``list=alldeletedrevisions``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
from wikiapi.store.queries import revisions, tags, visibility
from wikiapi_plugins.query.authorship import readable_revision_bits
from wikiapi_plugins.query.revisions.allrevisions import emit_by_page
from wikiapi_plugins.query.revisions.revisionitems import revision_items
from wikiapi_plugins.query.revisions.revisionoptions import (
    RevisionsModule,
    check_access,
    revision_params,
)
from wikiapi_plugins.query.timeline import Timeline, is_descending, moment_part
from wikiapi_plugins.query.titlepart import title_conditions, title_parts
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
        self._refuse_mixes()
        check_access(self, self.options)
        rows = self._rows()
        listed = rows[: self.limit]
        titles = [self.site.titles.make(row.namespace, row.title) for row in listed]
        items = revision_items(self, self.options, listed, titles)
        # A page that has the title now is another one.
        emit_by_page(self, items, rows, self._continue_value, [0] * len(listed))

    def generate(self, pages: Generated) -> None:
        """Yield the revisions, or the titles of their pages."""
        if self.p["namespace"] == ():
            return
        self._refuse_mixes()
        make = self.site.titles.make
        with_titles = self.p.flag("generatetitles")
        if with_titles and not self.p.is_given("user"):
            if not is_descending(self):
                pages.titles += [make(*key) for key in self._distinct_titles()]
                return
            self.warn(
                "apiwarn-alldeletedrevisions-performance", self.actual_prefix, code="performance"
            )
        rows = self.within_limit(self._rows(), self._continue_value)
        if with_titles:
            pages.titles += [make(row.namespace, row.title) for row in rows]
        else:
            pages.revision_ids += [row.rev_id for row in rows]

    def _refuse_mixes(self) -> None:
        of_user = self.p.is_given("user")
        for name in _NOT_WITH_USER if of_user else _ONLY_WITH_USER:
            if self.p.is_given(name):
                how = "cannotusewith" if of_user else "mustusewith"
                params = (self.full(name), self.full("user"))
                key = f"apierror-invalidparammix-{how}"
                raise ApiError("invalidparammix", key, *params)

    def _distinct_titles(self) -> Sequence[tuple[int, str]]:
        """Return the keys of the pages in the order of their titles, each once."""
        columns = _BY_TITLE[:2]
        conditions = self._filters()
        if parts := self.continue_parts(2):
            start = [self.continue_int(parts[0]), parts[1]]
            conditions.append(bounds.starting_at(columns, start))
        query = revisions.SELECT_ARCHIVED_REVISIONS.select(*columns).distinct().where(*conditions)
        keys: list[tuple[int, str]] = self.rows(query.order_by(*columns).limit(self.limit + 1))
        return self.within_limit(keys, lambda key: "|".join(map(str, key)))

    def _rows(self) -> list[RevisionRow]:
        query = revisions.SELECT_ARCHIVED_REVISIONS.select_extend(*_BY_TITLE[:2], Archive.ar_id)
        conditions = self._filters()
        if self.p.is_given("user"):
            conditions += _TIMELINE.conditions(self)
            query = _TIMELINE.ordered(query, self)
        else:
            descending = is_descending(self)
            if parts := self.continue_parts(len(_BY_TITLE)):
                ns, number = self.continue_int(parts[0]), self.continue_int(parts[3])
                start = [ns, parts[1], moment_part(parts[2]), number]
                conditions.append(bounds.starting_at(_BY_TITLE, start, descending=descending))
            query = bounds.ordered(query, *_BY_TITLE, descending=descending)
        rows = self.rows(query.where(*conditions).limit(self.limit + 1))
        readable = readable_revision_bits(self.context.user)
        return [revisions.read(row, readable) for row in rows]

    def _filters(self) -> list[Any]:
        """Return the conditions of the parameters that choose users, tags and titles."""
        conditions = by_user(self, Archive.ar_deleted, visibility.USER)
        if self.p.is_given("tag"):
            conditions.append(Archive.ar_rev_id.in_(tags.tagged_revisions(self.p.text("tag"))))
        if not self.p.is_given("user"):
            conditions.append(self._title_condition())
        elif self.p.is_given("namespace"):
            conditions.append(Archive.ar_namespace.in_(self.p.numbers("namespace")))
        return conditions

    def _title_condition(self) -> Any:
        """Return the condition on titles; a text may be normalised differently by namespace."""
        namespaces: Iterable[int] = self.site.namespaces.ids()
        if self.p.is_given("namespace"):
            namespaces = sorted(set(self.p.numbers("namespace")))
        if not any(self.p.is_given(name) for name in ("from", "to", "prefix")):
            return Archive.ar_namespace.in_(namespaces)
        alike: dict[tuple[str | None, ...], list[int]] = {}
        for ns in namespaces:
            alike.setdefault(title_parts(self, ns), []).append(ns)
        descending = is_descending(self)
        return reduce(
            or_,
            (
                reduce(
                    and_,
                    title_conditions(self, Archive.ar_title, group[0], descending=descending),
                    Archive.ar_namespace.in_(group),
                )
                for group in alike.values()
            ),
        )

    def _continue_value(self, row: RevisionRow) -> str:
        moment = f"{row.timestamp}|{row.archive_id}"
        return moment if self.p.is_given("user") else f"{row.namespace}|{row.title}|{moment}"
