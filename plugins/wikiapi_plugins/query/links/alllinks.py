"""``list=alllinks``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

from wikiapi.api import (
    VIRTUAL,
    GeneratedPages,
    ListModule,
    Param,
    boolean,
    continuation,
    enum,
    limit,
    namespace,
    sort_direction,
    string,
)
from wikiapi.errors import ApiError
from wikiapi.languages import Message
from wikiapi.store import Row, bounds
from wikiapi.store.models import LinkTarget
from wikiapi.store.queries import LinkTable, links
from wikiapi.title import MAIN
from wikiapi_plugins.query.titlepart import title_part

# Links whose table refers to ``linktarget`` are listed in the order of target ids, which is that of
# the targets' first use; other links are listed by title. Clients see two oddities of MediaWiki
# 1.45, which are reproduced here: ``descending`` reverses the order of the linking pages but not
# that of the target ids, and ``unique`` continues by title although it lists by id.


def all_links_params(
    *props: str, default_namespace: int, fixed_namespace: bool = False
) -> tuple[Param, ...]:
    """Return the parameters of a module that lists links.

    ``props`` are values of ``prop`` besides ``ids`` and ``title``.
    """
    spaces = namespace(
        help="The namespace of the link targets.", default=str(default_namespace), extra=VIRTUAL
    )
    return (
        continuation(),
        string("from", "The title to begin the list with."),
        string("to", "The title to end the list with."),
        string("prefix", "List targets whose title begins with this text."),
        boolean("unique", "List each target once. A generator then yields the targets."),
        enum(
            "prop",
            "ids",
            "title",
            *props,
            multi=True,
            default="title",
            help="Properties to include.",
        ),
        *(() if fixed_namespace else (spaces,)),
        limit(),
        sort_direction(),
    )


class AllTargets(ListModule):
    """Links of the whole wiki to a namespace, in the order of their targets.

    Attributes:
        table: the links.
        columns: columns of the link table, by the values of ``prop`` that show them.
        usual_namespace: the namespace of most targets.
    """

    table: ClassVar[LinkTable]
    usual_namespace: ClassVar[int] = MAIN
    columns: ClassVar[Mapping[str, Any]] = {}

    def execute(self) -> None:
        """List the links."""
        self._refuse_mix()
        rows = self._rows()
        self.emit(self._items(rows), rows, self._continue_value)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the pages with the links, or with ``unique`` the targets."""
        self._refuse_mix()
        rows = self.within_limit(self._rows(), self._continue_value)
        if self.p.flag("unique"):
            make, namespace = self.site.titles.make, self._namespace
            pages.titles += [make(namespace, title) for _, title in rows]
        else:
            pages.page_ids += [source for _, _, source, *_ in rows]

    @cached_property
    def _links(self) -> LinkTable:
        return links.in_schema(self.db, self.table)

    @property
    def _namespace(self) -> int:
        fixed = self._links.fixed_namespace
        return self.p.number("namespace") if fixed is None else fixed

    def _refuse_mix(self) -> None:
        """Raise an error if ``unique`` is combined with properties of single links."""
        props = [prop for prop in ("ids", *self.columns) if prop in self.p.texts("prop")]
        if self.p.flag("unique") and props:
            params = (f"{self.full('prop')}={'|'.join(props)}", self.full("unique"))
            message = Message("apierror-invalidparammix-cannotusewith", params)
            raise ApiError("invalidparammix", message)

    def _rows(self) -> list[Row]:
        """Return (target id or title, title, source id, *columns), with ``unique`` only two."""
        if self._links.target_id is not None and self._is_narrow():
            target_ids = self._targets()
            if not target_ids:
                return []
            if self.p.flag("unique"):
                return self.rows(links.targets(target_ids).order_by(LinkTarget.lt_id))
            query = links.listing_of(self._links, target_ids, *self._columns())
            conditions = self._continue_conditions()
            query = query.where(*conditions) if conditions else query
            return self.rows(query.order_by(*self._order()).limit(self.p.number("limit") + 1))
        conditions = self._conditions()
        by_title = self.p.is_given("prefix")
        query = links.listing(self._links, self._namespace, *self._columns(), by_title=by_title)
        query = query.where(*conditions) if conditions else query
        if self.p.flag("unique"):
            target, title, *_ = query.selected_columns
            query = query.select(target, title).distinct()
        return self.rows(query.order_by(*self._order()).limit(self.p.number("limit") + 1))

    def _columns(self) -> list[Any]:
        return [self.columns[prop] for prop in self.columns if prop in self.p.texts("prop")]

    def _is_narrow(self) -> bool:
        """Return whether many other links may lie between the requested ones."""
        if self.p.is_given("prefix"):
            return False
        if self.p.text("dir") == "descending" and not self.p.flag("unique"):
            return False
        ends = self.p.is_given("from") or self.p.is_given("to")
        return bool(ends or self.p.flag("unique") or self._namespace != self.usual_namespace)

    def _targets(self) -> list[int]:
        """Return the ids of the next targets, as many as are needed if each has only one link."""
        start, end, first = (
            self._part(self.p.text_or_none("from")),
            self._part(self.p.text_or_none("to")),
            0,
        )
        if self.p.flag("unique"):
            parts = self.continue_parts(1)
            start = parts[0] if parts else start
        elif parts := self.continue_parts(2):
            start, first = None, self.continue_int(parts[0])
        ends, count = (start, end), self.p.number("limit") + 1
        return links.next_targets(self.db, self._links, self._namespace, ends, count, first=first)

    def _order(self) -> list[Any]:
        descending = self.p.text("dir") == "descending"
        target, source = self._links.target_column, self._links.source
        if descending and self._links.target_id is None:
            target = target.desc()
        if self.p.flag("unique"):
            return [target]
        return [target, source.desc() if descending else source]

    def _conditions(self) -> list[Any]:
        conditions = self._continue_conditions()
        start = None if conditions else self.p.text_or_none("from")
        title = self._links.title
        conditions += bounds.between(
            title, self._part(start), self._part(self.p.text_or_none("to"))
        )
        if self.p.is_given("prefix"):
            conditions += bounds.with_prefix(title, self._part(self.p.text("prefix")) or "")
        return conditions

    def _part(self, text: str | None) -> str | None:
        return None if text is None else title_part(self.site, text, self._namespace)

    def _continue_conditions(self) -> list[Any]:
        parts = self.continue_parts(1 if self.p.flag("unique") else 2)
        if parts is None:
            return []
        descending = self.p.text("dir") == "descending"
        if self.p.flag("unique"):
            return [bounds.starting_at([self._links.title], parts, descending=descending)]
        named = self._links.target_id is None
        target = parts[0] if named else self.continue_int(parts[0])
        columns = [self._links.target_column, self._links.source]
        values = [target, self.continue_int(parts[1])]
        return [bounds.starting_at(columns, values, descending=descending)]

    def _continue_value(self, row: Row) -> str:
        target, title, *more = row
        return str(title) if self.p.flag("unique") else f"{target}|{more[0]}"

    def _items(self, rows: list[Row]) -> list[dict[str, Any]]:
        if not rows:
            return []
        props = self.p.texts("prop")
        _, titles, *more = zip(*rows, strict=True)
        items: list[dict[str, Any]] = [{} for _ in rows]
        if "title" in props:
            prefixed, namespace = self.site.titles.prefixed, self._namespace
            items = [{"ns": namespace, "title": prefixed(namespace, title)} for title in titles]
        if "ids" in props:
            pairs = zip(more[0], items, strict=True)
            items = [{"fromid": source, **item} for source, item in pairs]
        column_props = [prop for prop in self.columns if prop in props]
        for prop, values in zip(column_props, more[1:], strict=True):
            for item, value in zip(items, values, strict=True):
                if value:
                    item[prop] = value
        return items


class AllLinks(AllTargets):
    """List the links to pages of a namespace, in the order of their targets."""

    name = "alllinks"
    prefix = "al"
    element = "l"
    table = links.PAGES
    params = all_links_params(default_namespace=MAIN)
    examples = (
        ("action=query&list=alllinks&alfrom=B&alprop=ids|title",
         "Linked titles from B on, with the pages that link to them"),
        ("action=query&list=alllinks&alunique=&alfrom=B", "Each linked title once"),
        ("action=query&generator=alllinks&galfrom=B", "The pages with the links"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Alllinks",)
