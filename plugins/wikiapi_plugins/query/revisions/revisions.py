"""``prop=revisions``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from wikiapi.api import (
    Condition,
    GeneratedPages,
    PropModule,
    continuation,
    direction,
    integer,
    string,
    timestamp,
    user,
)
from wikiapi.errors import ApiError
from wikiapi.languages import Plain
from wikiapi.store import RevisionRow, bounds
from wikiapi.store.models import Page, Revision
from wikiapi.store.queries import pages as stored_pages
from wikiapi.store.queries import revisions, tags, visibility
from wikiapi.title import Title
from wikiapi_plugins.query.authorship import readable_revision_bits
from wikiapi_plugins.query.revisions.revisionitems import revision_items
from wikiapi_plugins.query.revisions.revisionoptions import (
    RevisionOptions,
    RevisionsModule,
    read_options,
    revision_params,
)
from wikiapi_plugins.query.timeline import Timeline, is_descending
from wikiapi_plugins.query.userfilter import KINDS, by_user

_OF_ONE_PAGE = (Condition("singlepageonly", "Only for the history of one page."),)
_OF_HISTORIES = ("user", "excludeuser", "limit", "startid", "endid", "start", "end")
_ORDER = (Revision.rev_timestamp, Revision.rev_id)
_TIMELINE = Timeline(*_ORDER)
_BOUNDS = (("start", "startid"), ("end", "endid"), ("user", "excludeuser"))


class Revisions(RevisionsModule, PropModule):
    """Get information about revisions.

    There are three modes: the current revision of each of several pages, the history of one page
    (with start, end, limit or a similar parameter), and revisions given by id.
    """

    name = "revisions"
    prefix = "rv"
    element = "rev"
    params = (
        *revision_params(limit_info=_OF_ONE_PAGE),
        integer("startid", "Begin at the time of the revision with this id.", info=_OF_ONE_PAGE),
        integer("endid", "End at the time of the revision with this id.", info=_OF_ONE_PAGE),
        timestamp("start", "The time to begin with.", info=_OF_ONE_PAGE),
        timestamp("end", "The time to end with.", info=_OF_ONE_PAGE),
        direction(info=_OF_ONE_PAGE),
        user("user", "Only revisions by this user.", kinds=KINDS, info=_OF_ONE_PAGE),
        user("excludeuser", "No revisions by this user.", kinds=KINDS, info=_OF_ONE_PAGE),
        string("tag", "Only revisions with this tag."),
        continuation(),
    )
    examples = (
        ("action=query&prop=revisions&titles=Main%20Page&rvslots=*&rvprop=timestamp|content",
         "The content of the main page"),
        ("action=query&prop=revisions&titles=Main%20Page&rvlimit=5&rvprop=timestamp|user|comment",
         "Its last five revisions"),
        ("action=query&prop=revisions&titles=Main%20Page&rvlimit=5&rvdir=newer",
         "Its first five revisions"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Revisions",)

    def execute(self) -> None:
        """List the revisions of each page."""
        if not self._is_needed():
            return
        rows, continue_value = self._rows()
        listed = rows[: self.limit]
        page_ids = [row.page_id or 0 for row in listed]
        titles = self._titles(page_ids)
        items = revision_items(self, self.options, listed, titles)
        self.emit(zip(page_ids, items, strict=True), rows, continue_value)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the revisions."""
        if not self._is_needed():
            return
        pages.revision_ids += [row.rev_id for row in self.within_limit(*self._rows())]

    def _titles(self, page_ids: Sequence[int]) -> Iterator[Title]:
        """Yield the titles of pages; those of followed redirects are not in the page set."""
        titles = self.page_set.titles
        others = stored_pages.by_ids(self.db, [n for n in page_ids if n not in titles])
        for page_id in page_ids:
            row = others.get(page_id)
            yield self.site.titles.make(row.namespace, row.title) if row else titles[page_id]

    @cached_property
    def options(self) -> RevisionOptions:
        """The requested options; the limit applies only to histories."""
        return read_options(self, with_limit=self._is_history())

    @cached_property
    def limit(self) -> int:
        """How many revisions an answer may have, or a generator may yield."""
        return self.options.limit

    def _is_needed(self) -> bool:
        """Return whether there may be any; of revisions requested by id, one must exist."""
        page_set = self.page_set
        return bool(page_set.revisions if page_set.wanted_revisions else page_set.good)

    def _is_history(self) -> bool:
        has_bounds = any(self.p.is_given(name) for name in _OF_HISTORIES)
        return has_bounds or self.p.text("dir") == "newer"

    def _rows(self) -> tuple[list[RevisionRow], Callable[[RevisionRow], str]]:
        """Return the revisions, and the function that continues their list."""
        if self._is_history():
            if self.page_set.revisions:
                prefix = Plain(self.actual_prefix)
                raise ApiError("invalidparammix", "apierror-revisions-norevids", prefix)
            if len(self.page_set.good) > 1:
                prefix = Plain(self.actual_prefix)
                raise ApiError("invalidparammix", "apierror-revisions-singlepage", prefix)
            for pair in _BOUNDS:
                if all(self.p.is_given(name) for name in pair):
                    names = Plain(", ".join(map(self.full, pair)))
                    raise ApiError("invalidparammix", "apierror-invalidparammix", names)
        limit = self.limit
        continue_value: Callable[[RevisionRow], str]
        if self._is_history():
            ids = {n: self.p.number(n) for n in ("startid", "endid") if self.p.is_given(n)}
            moments = revisions.timestamps(self.db, ids.values()) if ids else {}
            conditions = [Revision.rev_page == next(iter(self.page_set.good))]
            for name, revision_id in ids.items():
                if revision_id not in moments:
                    full = self.full(name)
                    raise ApiError(f"badid_{full}", "apierror-revisions-badid", Plain(full))
                place = [moments[revision_id], revision_id]
                descends = is_descending(self) if name == "startid" else not is_descending(self)
                conditions.append(bounds.starting_at(_ORDER, place, descending=descends))
            conditions += by_user(self, Revision.rev_deleted, visibility.USER)
            conditions += _TIMELINE.conditions(self)
            query = revisions.SELECT_REVISIONS.where(*conditions)
            query = _TIMELINE.ordered(query, self)
            continue_value = "{0.timestamp}|{0.rev_id}".format
        elif self.page_set.revisions:
            query = revisions.SELECT_REVISIONS.where(
                Revision.rev_id.in_(list(self.page_set.revisions))
            )
            if parts := self.continue_parts(1):
                query = query.where(Revision.rev_id >= self.continue_int(parts[0]))
            query = query.order_by(Revision.rev_id)
            continue_value = "{0.rev_id}".format
        else:
            is_latest = (Page.page_latest == Revision.rev_id) & (Page.page_id == Revision.rev_page)
            query = revisions.SELECT_REVISIONS.join_from(Revision, Page, on=is_latest)
            query = query.where(Page.page_id.in_(list(self.page_set.good)))
            if parts := self.continue_parts(2):
                values = [*map(self.continue_int, parts)]
                query = query.where(bounds.starting_at([Page.page_id, Revision.rev_id], values))
            query = query.order_by(Page.page_id)
            continue_value = "{0.page_id}|{0.rev_id}".format
        if self.p.is_given("tag"):
            query = query.where(Revision.rev_id.in_(tags.tagged_revisions(self.p.text("tag"))))
        readable = readable_revision_bits(self.context.user)
        rows = self.rows(query.limit(limit + 1))
        return [revisions.read(row, readable) for row in rows], continue_value
