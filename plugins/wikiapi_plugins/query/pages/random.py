"""``list=random``."""

from __future__ import annotations

import re
import secrets
from typing import Any, NamedTuple

from wikiapi.api import (
    CacheMode,
    GeneratedPages,
    ListModule,
    Obj,
    bad_continue,
    boolean,
    continuation,
    enum,
    integer,
    limit,
    namespace,
    stored_title,
)
from wikiapi.store import PageRow, bounds
from wikiapi.store.models import Page
from wikiapi.store.queries import PAGE_COLUMNS
from wikiapi.title import WIKITEXT
from wikiapi_plugins.query.pages.pagefilter import PageFilter
from wikiapi_plugins.wikitext.contentmodels.names import content_models

_FRACTION = re.compile(r"0\.[0-9]{1,20}\Z", re.ASCII)
_DIGITS = 12
_FIRST, _ROUND = "0", "1"


class _Place(NamedTuple):
    """A position in the list of pages by their random numbers, and where the list began.

    ``wrapped`` tells that the list has passed the largest number; it then ends where it began.
    """

    begun: str
    start: str
    page_id: int
    wrapped: bool

    def __str__(self) -> str:
        flag = _ROUND if self.wrapped else _FIRST
        return f"{self.begun}|{self.start}|{self.page_id}|{flag}"


class _ListedPage(NamedTuple):
    """A page, its random number, and the position from which it was listed."""

    start: _Place
    number: float
    page: PageRow


class Random(ListModule):
    """Return pages chosen at random.

    Each page has a fixed random number, and only the number at which a list begins is chosen each
    time. The same page is therefore always followed by the same others.
    """

    name = "random"
    walks_exactly = False
    prefix = "rn"
    element = "page"
    params = (
        namespace(help="Only pages in these namespaces.", multi=True),
        enum("filterredir", "all", "nonredirects", "redirects", default="nonredirects",
             help="Whether to list all pages, only redirects, or only other pages."),
        integer("minsize", "Only pages with at least this many bytes."),
        integer("maxsize", "Only pages with at most this many bytes."),
        enum("contentmodel", choices=content_models, help="Only pages with this content model."),
        boolean("redirect", "Use filterredir=redirects instead.", deprecated=True),
        limit(default=1),
        continuation(),
    )  # fmt: skip
    examples = (
        ("action=query&list=random&rnnamespace=0&rnlimit=2", "Two pages of the main namespace"),
        ("action=query&generator=random&grnnamespace=0&grnlimit=2&prop=info", "Facts about two"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Random",)

    def execute(self) -> None:
        """List the pages."""
        rows = self._rows(self._place())
        items = (
            Obj({"id": page.page_id} | stored_title(self.site, page.namespace, page.title))
            for _, _, page in rows
        )
        self.emit(items, rows, _continue_value)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the pages; continued requests about them begin at the same position."""
        place = self._place()
        self.hold_batch(str(place))
        pages.rows += [row.page for row in self.within_limit(self._rows(place), _continue_value)]

    def cache_mode(self) -> CacheMode:
        """Return ``PRIVATE`` for a generator, because each answer is different."""
        return CacheMode.PRIVATE if self.is_generator else CacheMode.PUBLIC

    def _place(self) -> _Place:
        """Return the position at which the request continues, or a new one."""
        parts = self.continue_parts(4)
        if parts is None:
            begun = f"0.{secrets.randbelow(10**_DIGITS):0{_DIGITS}d}"
            return _Place(begun, begun, 0, wrapped=False)
        if not (_FRACTION.match(parts[0]) and _FRACTION.match(parts[1])):
            raise bad_continue()
        if parts[3] not in (_FIRST, _ROUND):
            raise bad_continue()
        return _Place(parts[0], parts[1], self.continue_int(parts[2]), parts[3] == _ROUND)

    def _rows(self, place: _Place) -> list[_ListedPage]:
        """Return one page more than the limit, if there are that many."""
        count = self.p.number("limit") + 1
        rows = self._rows_from(place, count)
        if not place.wrapped and len(rows) < count and not self.is_interrupted:
            beginning = _Place(place.begun, "0.0", 0, wrapped=True)
            rows += self._rows_from(beginning, count - len(rows))
        return rows

    def _rows_from(self, place: _Place, count: int) -> list[_ListedPage]:
        """Return the pages from a position to the largest number, or to where the list began."""
        order = [Page.page_random, Page.page_id]
        walk = [bounds.starting_at(order, [float(place.start), place.page_id])]
        if place.wrapped:
            walk.append(Page.page_random < float(place.begun))
        kind = "redirects" if self.p.flag("redirect") else self.p.text("filterredir")
        pages = PageFilter.of(self, self.p.numbers("namespace"), kind)
        conditions = pages.conditions()
        if self.p.is_given("contentmodel"):
            model = self.p.text("contentmodel")
            has_model = Page.page_content_model == model
            # NULL stands for wikitext.
            is_default = Page.page_content_model.is_null()
            conditions.append(has_model | is_default if model == WIKITEXT else has_model)
        rare = pages.rare_condition(self.db) if self.site.is_miser else None
        query: Any = Page.select(Page.page_random, *PAGE_COLUMNS)
        if rare is not None:
            walk = [rare, *walk]
        query = query.where(*walk, *conditions)
        if rare is None and conditions:
            query = self.bounded(
                query,
                Page.select(*order).where(*walk),
                order,
                continue_value=lambda end: str(
                    _Place(place.begun, _decimal(end[0]), end[1], place.wrapped)
                ),
            )
        rows = self.rows(query.order_by(*order).limit(count))
        return [_ListedPage(place, number, PageRow(*page)) for number, *page in rows]


def _continue_value(row: _ListedPage) -> str:
    """Return the position of the page itself."""
    begun, wrapped = row.start.begun, row.start.wrapped
    return str(_Place(begun, _decimal(row.number), row.page.page_id, wrapped))


def _decimal(number: float) -> str:
    """Return a number between 0 and 1 in the form that is read again, without an exponent."""
    return f"{number:.{_DIGITS}f}"
