"""``list=querypage``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wikiapi.api import (
    GeneratedPages,
    ListModule,
    Report,
    cached_moment,
    enum,
    integer,
    iso,
    limit,
    query_pages,
    report_of,
    stored_title,
)
from wikiapi.api import QueryPage as SpecialPage
from wikiapi.errors import ApiError


class QueryPage(ListModule):
    """Get a maintenance report, as a special page shows it."""

    name = "querypage"
    prefix = "qp"
    element = "page"
    params = (
        enum(
            "page",
            choices=lambda site: tuple(sorted(query_pages(site))),
            required=True,
            help="The special page.",
        ),
        integer("offset", "The position of the first result, from 0.", default=0),
        limit(),
    )
    examples = (("action=query&list=querypage&qppage=Ancientpages", "The oldest pages"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Querypage",)

    def execute(self) -> None:
        """List the rows of the report."""
        page = self._page()
        report = self._report(page)
        path = ("query", self.name)
        self.result.set(path, "name", page.name)
        if report.is_cached:
            self.result.set(path, "cached", True)
            if report.updated is not None:
                self.result.set(path, "cachedtimestamp", iso(report.updated))
            self.result.set(path, "maxresults", self.site.config.limits.query_cache_rows)
        items = self._cached_items(page, report) if report.is_cached else self._items(page, report)
        self.emit(items, range(len(report.rows)), self._continue_value)

    @property
    def list_path(self) -> tuple[str, ...]:
        """The path of the list in the answer, beside the name of the special page."""
        return (*super().list_path, "results")

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the listed pages."""
        rows = self._report(self._page()).rows
        self.within_limit(range(len(rows)), self._continue_value)
        make = self.site.titles.make
        pages.titles += [make(space, title) for space, title, *_ in rows[: self.limit]]

    def set_continue(self, value: Any, param: str = "offset") -> None:
        """Continue at an offset, which is counted from the first result."""
        super().set_continue(value, param)

    def _continue_value(self, position: int) -> int:
        return self.p.number("offset") + position

    def _page(self) -> SpecialPage:
        page = query_pages(self.site)[self.p.text("page")]
        if page.right and not self.context.user.can(page.right):
            raise ApiError("specialpage-cantexecute", "apierror-specialpage-cantexecute")
        return page

    def _report(self, page: SpecialPage) -> Report:
        limit, offset = self.p.number("limit") + 1, max(0, self.p.number("offset"))
        return report_of(self.site, page, limit, offset, self.rows)

    def _items(self, page: SpecialPage, report: Report) -> Iterator[dict[str, Any]]:
        """Yield the item of each row."""
        for namespace, title, *values in report.rows:
            item: dict[str, Any] = {}
            if page.has_value:
                item["value"] = str(values[0])
            if page.is_timestamp:
                item["timestamp"] = iso(item["value"])
            item |= stored_title(self.site, namespace, title)
            if page.more:
                texts = [None if value is None else str(value) for value in values]
                item["databaseResult"] = dict(zip(page.more, texts, strict=True))
            yield item

    def _cached_items(self, page: SpecialPage, report: Report) -> Iterator[dict[str, Any]]:
        """Yield the item of each row of the query cache, which has only a value."""
        for namespace, title, value in report.rows:
            item: dict[str, Any] = {"value": str(value)}
            if page.is_timestamp:
                item["timestamp"] = iso(cached_moment(value))
            yield item | stored_title(self.site, namespace, title)
