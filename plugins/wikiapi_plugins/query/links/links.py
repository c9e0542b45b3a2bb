"""``prop=links``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from wikiapi.api.params.declaration import (
    continuation,
    limit,
    namespace,
    sort_direction,
    string,
)
from wikiapi.api.params.types.enumeration import VIRTUAL
from wikiapi.api.query.module import PropModule
from wikiapi.api.query.output import stored_title
from wikiapi.i18n.message import Plain
from wikiapi.store import bounds, links
from wikiapi.store.links import PAGES

if TYPE_CHECKING:
    from wikiapi.api.params.declaration import Param
    from wikiapi.api.query.pageset import GeneratedPages
    from wikiapi.store.links import LinkTable
    from wikiapi.store.statements import Row
    from wikiapi.title.title import Title


SOURCE, NAMESPACE, TITLE = range(3)
MORE = 3


def outgoing_params(titles: str, *more: Param, namespaces: bool = False) -> tuple[Param, ...]:
    """The parameters of a module of the family.

    Args:
        titles: the name of the parameter that picks out targets.
        more: parameters of the module's own.
        namespaces: whether the targets can be in several namespaces.
    """
    spaces = namespace(help="Only targets in these namespaces.", multi=True, extra=VIRTUAL)
    return (
        *((spaces,) if namespaces else ()),
        *more,
        limit(),
        continuation(),
        string(titles, "Only these targets: tells which of the pages link to them.", multi=True),
        sort_direction(),
    )


class OutgoingLinks(PropModule):
    """Base of the family.

    Attributes:
        table: the links.
        titles_param: the name of the parameter that picks out targets.
        unfit: key of the warning about titles that can be no target.
    """

    table: ClassVar[LinkTable]
    titles_param: ClassVar[str] = "titles"
    unfit: ClassVar[str] = "apiwarn-invalidtitle"

    def execute(self) -> None:
        """List the targets of each page."""
        rows = self._rows()
        self.emit(((row[SOURCE], self.item(row)) for row in rows), rows, self._position)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the targets, pages or not."""
        pages.titles += map(self.target, self.within_limit(self._rows(), self._position))

    def target(self, row: Row) -> Title:
        """The title that a row links to."""
        return self.site.titles.make(row[NAMESPACE], row[TITLE])

    def item(self, row: Row) -> dict[str, Any]:
        """What the answer says of a link."""
        return stored_title(self.site, row[NAMESPACE], row[TITLE])

    def columns(self) -> tuple[Any, ...]:
        """Columns to select after source, namespace and title."""
        return ()

    def refine(self, query: Any) -> Any:
        """Add conditions of the module's own."""
        return query

    def _rows(self) -> list[Row]:
        conditions = self._going_on()
        wanted = self._wanted()
        if wanted == [] or not self.page_set.good:
            return []
        if wanted:
            conditions.append(links.target_in(self.table, [title.key for title in wanted]))
        if spaces := self.p.get("namespace"):
            conditions.append(self.table.namespace.in_(spaces))
        query = links.outgoing(self.table, list(self.page_set.good), *self.columns())
        query = self.refine(query.where(*conditions) if conditions else query)
        return self.rows(query.order_by(*self._order()).limit(self.p["limit"] + 1))

    def _wanted(self) -> list[Title] | None:
        """The targets picked out, without those that cannot be one."""
        texts = self.p[self.titles_param]
        if not texts:
            return None
        found = {text: self.site.titles.try_parse(text) for text in texts}
        for text, title in found.items():
            if not self._fits(title):
                self.warn(self.unfit, Plain(text))
        return [title for title in found.values() if title is not None and self._fits(title)]

    def _fits(self, title: Title | None) -> bool:
        fixed = self.table.fixed_namespace
        return title is not None and not title.interwiki and fixed in (None, title.ns)

    def _sort_columns(self) -> list[Any]:
        table = self.table
        if table.fixed_namespace is not None:
            return [table.source, table.title]
        return [table.source, table.namespace, table.title]

    def _order(self) -> list[Any]:
        columns = self._sort_columns()
        return [column.desc() for column in columns] if self._descending else columns

    @property
    def _descending(self) -> bool:
        return bool(self.p["dir"] == "descending")

    def _going_on(self) -> list[Any]:
        columns = self._sort_columns()
        parts = self.continue_parts(len(columns))
        if parts is None:
            return []
        values = [*map(self.continue_int, parts[:-1]), parts[-1]]
        return [bounds.starting_at(columns, values, descending=self._descending)]

    def _position(self, row: Row) -> str:
        if self.table.fixed_namespace is not None:
            return f"{row[SOURCE]}|{row[TITLE]}"
        return f"{row[SOURCE]}|{row[NAMESPACE]}|{row[TITLE]}"


class Links(OutgoingLinks):
    """Return all links from the given pages."""

    name = "links"
    prefix = "pl"
    element = "pl"
    table = PAGES
    params = outgoing_params("titles", namespaces=True)
    examples = (
        ("action=query&prop=links&titles=Main%20Page", "The links on the main page"),
        ("action=query&generator=links&titles=Main%20Page&prop=info", "Facts about their targets"),
        ("action=query&prop=links&titles=Main%20Page&plnamespace=2|10",
         "Links to users' pages and templates"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Links",)
