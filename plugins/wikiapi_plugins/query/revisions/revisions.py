"""``prop=revisions``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from wikiapi.api import (
    Condition,
    GeneratedPages,
    PropModule,
    bad_continue,
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
from wikiapi_plugins.query.userfilter import KINDS, by_user

_OF_ONE_PAGE = (Condition("singlepageonly", "Only for the history of one page."),)
_OF_HISTORIES = ("user", "excludeuser", "limit", "startid", "endid", "start", "end")
_BOUNDS = (("start", "startid"), ("end", "endid"), ("user", "excludeuser"))


@dataclass(frozen=True, slots=True)
class _Walk:
    """The query of one of the module's three modes, and the function that continues its list."""

    query: Any
    continue_value: Callable[[RevisionRow], str]


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
        walk, rows = self._found()
        shown = rows[: self.limit]
        page_ids = [row.page_id or 0 for row in shown]
        titles = self._titles(page_ids)
        items = revision_items(self, self.options, shown, titles)
        self.emit(zip(page_ids, items, strict=True), rows, walk.continue_value)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the revisions."""
        if not self._is_needed():
            return
        walk, rows = self._found()
        shown = self.within_limit(rows, walk.continue_value)
        pages.revision_ids += [row.rev_id for row in shown]

    def _titles(self, page_ids: Sequence[int]) -> Iterator[Title]:
        """Yield the titles of pages; those of followed redirects are not in the page set."""
        known = self.page_set.titles
        others = stored_pages.by_ids(
            self.db, [number for number in page_ids if number not in known]
        )
        for page_id in page_ids:
            row = others.get(page_id)
            yield self.site.titles.make(row.namespace, row.title) if row else known[page_id]

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

    def _found(self) -> tuple[_Walk, list[RevisionRow]]:
        history = self._is_history()
        self._check(history=history)
        limit = self.limit
        walk = self._walk(history=history)
        query = walk.query
        if self.p.is_given("tag"):
            query = query.where(Revision.rev_id.in_(tags.tagged_revisions(self.p.text("tag"))))
        seen = readable_revision_bits(self.context.user)
        return walk, [revisions.read(row, seen) for row in self.rows(query.limit(limit + 1))]

    def _is_history(self) -> bool:
        given = any(self.p[name] is not None for name in _OF_HISTORIES)
        return given or self.p.text("dir") == "newer"

    def _check(self, *, history: bool) -> None:
        if not history:
            return
        if self.page_set.revisions:
            raise self._mix("apierror-revisions-norevids", self.actual_prefix)
        if len(self.page_set.good) > 1:
            raise self._mix("apierror-revisions-singlepage", self.actual_prefix)
        for pair in _BOUNDS:
            if all(self.p[name] is not None for name in pair):
                raise self._mix("apierror-invalidparammix", ", ".join(map(self.full, pair)))

    def _mix(self, key: str, text: str) -> ApiError:
        return ApiError("invalidparammix", key, Plain(text))

    def _walk(self, *, history: bool) -> _Walk:
        if history:
            return self._history()
        return self._by_ids() if self.page_set.revisions else self._latest()

    def _latest(self) -> _Walk:
        """Return the query for the current revision of each page, by page id."""
        query = revisions.SELECT_REVISIONS.join_from(
            Revision,
            Page,
            on=((Page.page_latest == Revision.rev_id) & (Page.page_id == Revision.rev_page)),
        )
        query = query.where(Page.page_id.in_(list(self.page_set.good)))
        if parts := self.continue_parts(2):
            values = [*map(self.continue_int, parts)]
            query = query.where(bounds.starting_at([Page.page_id, Revision.rev_id], values))
        ordered = query.order_by(Page.page_id)
        return _Walk(ordered, lambda row: f"{row.page_id}|{row.rev_id}")

    def _by_ids(self) -> _Walk:
        """Return the query for the requested revisions, by id."""
        query = revisions.SELECT_REVISIONS.where(Revision.rev_id.in_(list(self.page_set.revisions)))
        if parts := self.continue_parts(1):
            query = query.where(Revision.rev_id >= self.continue_int(parts[0]))
        return _Walk(query.order_by(Revision.rev_id), lambda row: str(row.rev_id))

    def _history(self) -> _Walk:
        """Return the query for the history of one page, by time."""
        descending = self.p.text("dir") != "newer"
        columns = [Revision.rev_timestamp, Revision.rev_id]
        conditions = [
            *self._between(columns, descending=descending),
            *by_user(self, Revision.rev_deleted, visibility.USER),
        ]
        if parts := self.continue_parts(2):
            values = [self._moment(parts[0]), self.continue_int(parts[1])]
            conditions.append(bounds.starting_at(columns, values, descending=descending))
        query = revisions.SELECT_REVISIONS.where(
            Revision.rev_page == next(iter(self.page_set.good)), *conditions
        )
        order = [column.desc() for column in columns] if descending else columns
        return _Walk(query.order_by(*order), lambda row: f"{row.timestamp}|{row.rev_id}")

    def _moment(self, part: str) -> str:
        if len(part) != 14 or not (part.isascii() and part.isdigit()):
            raise bad_continue()
        return part

    def _between(self, columns: list[Any], *, descending: bool) -> list[Any]:
        conditions = bounds.between(
            Revision.rev_timestamp,
            self.p.text_or_none("start"),
            self.p.text_or_none("end"),
            descending=descending,
        )
        moments = self._moments_of_ids()
        if "startid" in moments:
            conditions.append(
                bounds.starting_at(columns, moments["startid"], descending=descending)
            )
        if "endid" in moments:
            conditions.append(
                bounds.starting_at(columns, moments["endid"], descending=not descending)
            )
        return conditions

    def _moments_of_ids(self) -> dict[str, list[Any]]:
        bounds = {name: self.p[name] for name in ("startid", "endid") if self.p[name] is not None}
        found = revisions.timestamps(self.db, bounds.values()) if bounds else {}
        for name, revision_id in bounds.items():
            if revision_id not in found:
                full = self.full(name)
                raise ApiError(f"badid_{full}", "apierror-revisions-badid", Plain(full))
        return {name: [found[number], number] for name, number in bounds.items()}
