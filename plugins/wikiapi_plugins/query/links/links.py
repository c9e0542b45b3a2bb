"""``prop=links``."""

from __future__ import annotations

from typing import Any, ClassVar

from wikiapi.api import (
    VIRTUAL,
    GeneratedPages,
    Param,
    PropModule,
    continuation,
    limit,
    namespace,
    sort_direction,
    stored_titles,
    string,
)
from wikiapi.languages import Plain
from wikiapi.store import Row, bounds
from wikiapi.store.queries import LinkTable, links
from wikiapi.title import Title


def outgoing_params(titles: str, *more: Param, namespaces: bool = False) -> tuple[Param, ...]:
    """Return the parameters of a module about outgoing links.

    Args:
        titles: the name of the parameter that selects targets.
        more: further parameters of the module.
        namespaces: whether the targets can be in several namespaces.
    """
    spaces = namespace(help="Only targets in these namespaces.", multi=True, extra=VIRTUAL)
    return (
        *((spaces,) if namespaces else ()),
        *more,
        limit(),
        continuation(),
        string(titles, "Only list links to these targets.", multi=True),
        sort_direction(),
    )


class OutgoingLinks(PropModule):
    """Links from the pages of the page set, in rows of (source id, namespace, title, *columns).

    Attributes:
        table: the links.
        titles_param: the name of the parameter that selects targets.
        unfit: the message key of the warning about titles that cannot be targets.
    """

    table: ClassVar[LinkTable]
    titles_param: ClassVar[str] = "titles"
    unfit: ClassVar[str] = "apiwarn-invalidtitle"

    def execute(self) -> None:
        """List the targets of each page."""
        rows = self._rows()
        titles = stored_titles(self.site, [row[1] for row in rows], [row[2] for row in rows])
        items = (
            (source, {"ns": namespace, "title": title, **self.details(*more)})
            for title, (source, namespace, _, *more) in zip(titles, rows, strict=True)
        )
        self.emit(items, rows, self._continue_value)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the targets, whether they exist or not."""
        make = self.site.titles.make
        rows = self.within_limit(self._rows(), self._continue_value)
        pages.titles += [make(namespace, title) for _, namespace, title, *_ in rows]

    def details(self, *values: Any) -> dict[str, Any]:
        """Return what an item has besides its title, from the values of :meth:`columns`."""
        return {}

    def columns(self) -> tuple[Any, ...]:
        """Return the columns to select after source, namespace and title."""
        return ()

    def refine(self, query: Any) -> Any:
        """Return the query with further conditions; by default it has none."""
        return query

    def _rows(self) -> list[Row]:
        if not self.page_set.good:
            return []
        requested = self._requested_titles()
        if requested == []:
            return []
        table, descending = self.table, self.p.text("dir") == "descending"
        columns = [table.source, table.title]
        if table.fixed_namespace is None:
            columns.insert(1, table.namespace)
        conditions = []
        if parts := self.continue_parts(len(columns)):
            values = [*map(self.continue_int, parts[:-1]), parts[-1]]
            conditions.append(bounds.starting_at(columns, values, descending=descending))
        if requested:
            conditions.append(links.target_in(table, [title.key for title in requested]))
        if spaces := self.p.get("namespace"):
            conditions.append(table.namespace.in_(spaces))
        query = links.outgoing(table, list(self.page_set.good), *self.columns())
        query = self.refine(query.where(*conditions) if conditions else query)
        query = bounds.ordered(query, *columns, descending=descending)
        return self.rows(query.limit(self.p.number("limit") + 1))

    def _requested_titles(self) -> list[Title] | None:
        """Return the requested targets, without invalid ones; None if none are."""
        texts = self.p[self.titles_param]
        if not texts:
            return None
        titles = {text: self.site.titles.try_parse(text) for text in texts}
        for text, title in titles.items():
            if not self._fits(title):
                self.warn(self.unfit, Plain(text))
        return [title for title in titles.values() if title is not None and self._fits(title)]

    def _fits(self, title: Title | None) -> bool:
        fixed = self.table.fixed_namespace
        return title is not None and not title.interwiki and fixed in (None, title.ns)

    def _continue_value(self, row: Row) -> str:
        source, namespace, title, *_ = row
        if self.table.fixed_namespace is not None:
            return f"{source}|{title}"
        return f"{source}|{namespace}|{title}"


class Links(OutgoingLinks):
    """List the internal links on the pages."""

    name = "links"
    prefix = "pl"
    element = "pl"
    table = links.PAGES
    params = outgoing_params("titles", namespaces=True)
    examples = (
        ("action=query&prop=links&titles=Main%20Page", "The links on the main page"),
        ("action=query&generator=links&titles=Main%20Page&prop=info", "Facts about their targets"),
        ("action=query&prop=links&titles=Main%20Page&plnamespace=2|10",
         "Links to user pages and templates"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Links",)
