"""``list=categorymembers``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from wikiapi.api import (
    GeneratedPages,
    ListModule,
    bad_continue,
    continuation,
    enum,
    limit,
    namespace,
    stored_titles,
    string,
    timestamp,
    title_or_id,
    title_or_id_params,
)
from wikiapi.errors import ApiError, CollationUnavailable
from wikiapi.languages import Message, Plain
from wikiapi.store import PageRow, Row, bounds
from wikiapi.store.models import CategoryLinks, Page
from wikiapi.store.queries import PAGE_COLUMNS, categories
from wikiapi.timestamps import iso_all
from wikiapi.title import CATEGORY
from wikiapi_plugins.query.timeline import moment_part

_TYPES = ("page", "subcat", "file")
_UP = ("asc", "ascending", "newer")

_RARE = (CategoryLinks.cl_sortkey_prefix, CategoryLinks.cl_timestamp)
"""Columns that few requests need."""


class Member(NamedTuple):
    """A page in a category; prefix and timestamp are only selected if they are needed."""

    page_id: int
    type: str
    sort_key: bytes
    namespace: int
    title: str
    sort_key_prefix: str = ""
    timestamp: str = ""


class CategoryMembers(ListModule):
    """List the members of a category: pages, subcategories and files."""

    name = "categorymembers"
    prefix = "cm"
    element = "cm"
    params = (
        *title_or_id_params("The category, with its prefix; not with pageid.",
                            "The category by the id of its page; not with title."),
        enum("prop", "ids", "title", "sortkey", "sortkeyprefix", "type", "timestamp", multi=True,
             default="ids|title", help="Properties to include.",
             value_help=(("ids", "The page's id."), ("title", "Its namespace and title."),
                         ("sortkey", "Its sort key within the category, in hexadecimal digits."),
                         ("sortkeyprefix", "The readable part of the key, which the page sets."),
                         ("type", "page, subcat or file."),
                         ("timestamp", "When it was added to the category."))),
        namespace(multi=True),
        enum("type", *_TYPES, multi=True, default="page|subcat|file",
             help="The kinds of members to list; ignored with sort=timestamp."),
        continuation(),
        limit(),
        enum("sort", "sortkey", "timestamp", default="sortkey", help="What to sort by."),
        enum("dir", "asc", "desc", "ascending", "descending", "newer", "older",
             default="ascending", help="The direction in which to list."),
        timestamp("start", "The time to begin with; only with sort=timestamp."),
        timestamp("end", "The time to end with; only with sort=timestamp."),
        string("starthexsortkey", "The sort key to begin with, in hexadecimal digits."),
        string("endhexsortkey", "The sort key to end with, in hexadecimal digits."),
        string("startsortkeyprefix", "The readable prefix to begin with."),
        string("endsortkeyprefix", "The readable prefix before which to end."),
        string("startsortkey", "Use starthexsortkey instead.", deprecated=True),
        string("endsortkey", "Use endhexsortkey instead.", deprecated=True),
    )  # fmt: skip
    examples = (
        ("action=query&list=categorymembers&cmtitle=Category:Physics", "The first members"),
        ("action=query&generator=categorymembers&gcmtitle=Category:Physics&prop=info",
         "Facts about them"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Categorymembers",)

    def execute(self) -> None:
        """List the members."""
        needs_rare = self._by_time or not {"sortkeyprefix", "timestamp"}.isdisjoint(
            self.p.texts("prop")
        )
        members = [Member(*row) for row in self._rows(*(_RARE if needs_rare else ()))]
        self.emit(self._items(members), members, self._continue_value)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the members."""
        rows = self._rows(*(_RARE if self._by_time else ()), *PAGE_COLUMNS)
        width = len(PAGE_COLUMNS)
        pairs = [(Member(*row[:-width]), PageRow(*row[-width:])) for row in rows]
        pages.rows += [
            page for _, page in self.within_limit(pairs, lambda pair: self._continue_value(pair[0]))
        ]

    @property
    def _by_time(self) -> bool:
        return self.p.text("sort") == "timestamp"

    @property
    def _descending(self) -> bool:
        return self.p.text("dir") not in _UP

    def _continue_value(self, member: Member) -> str:
        if self._by_time:
            return f"{member.timestamp}|{member.page_id}"
        return f"{member.type}|{member.sort_key.hex()}|{member.page_id}"

    def _rows(self, *more: Any) -> list[Row]:
        title = title_or_id(self)
        if title.ns != CATEGORY:
            raise ApiError("invalidcategory", "apierror-invalidcategory")
        query = categories.named_members(title.dbkey, *more)
        if namespaces := self.p.numbers("namespace"):
            query = query.where(bounds.unindexed(Page.page_namespace).in_(namespaces))
        by_time = self._by_time
        column = CategoryLinks.cl_timestamp if by_time else CategoryLinks.cl_sortkey
        columns = [column, CategoryLinks.cl_from]
        query = bounds.ordered(query, *columns, descending=self._descending)
        query = query.limit(self.p.number("limit") + 1)
        read = self._members_by_time if by_time else self._members_by_key
        return read(query, title.dbkey, columns)

    def _members_by_time(self, query: Any, category: str, columns: list[Any]) -> list[Row]:
        ends = (self.p.text_or_none("start"), self.p.text_or_none("end"))
        conditions = bounds.between(columns[0], *ends, descending=self._descending)
        if parts := self.continue_parts(2):
            values = [moment_part(parts[0]), self.continue_int(parts[1])]
            conditions.append(bounds.starting_at(columns, values, descending=self._descending))
        query = query.where(*conditions) if conditions else query
        if self.p.numbers("namespace"):
            query = self._bounded(query, category, columns, conditions)
        return self.rows(query)

    def _members_by_key(self, query: Any, category: str, columns: list[Any]) -> list[Row]:
        """Run one query for each kind of members, until the answer is full."""
        parts = self.continue_parts(3) if self.p.text_or_none("continue") else None
        types, start, between = list(self.p.texts("type")), list[Any](), list[Any]()
        rows: list[Row] = []
        if parts:
            types = types[types.index(parts[0]) :] if parts[0] in types else types
            values = [self._key(_bytes(parts[1])), self.continue_int(parts[2])]
            start = [bounds.starting_at(columns, values, descending=self._descending)]
        else:
            ends = (self._end("start"), self._end("end"))
            between = bounds.between(columns[0], *ends, descending=self._descending)
        limit, has_filter = self.p.number("limit"), bool(self.p.numbers("namespace"))
        for kind in types:
            walk = [CategoryLinks.cl_type == kind, *between, *start]
            of_kind = query.where(*walk)
            if has_filter:
                of_kind = self._bounded(of_kind, category, columns, walk, kind)
            rows += self.rows(of_kind)
            start = []
            if len(rows) > limit or self.is_interrupted:
                break
        return rows

    def _bounded(
        self, query: Any, category: str, columns: list[Any], walk: list[Any], kind: str = ""
    ) -> Any:
        """Return a query that filters by namespace, limited by :meth:`bounded`."""

        def continue_value(end: Sequence[Any]) -> str:
            if self._by_time:
                return f"{end[0]}|{end[1]}"
            return f"{kind}|{end[0].hex()}|{end[1]}"

        places = categories.places(category, by_time=self._by_time)
        return self.bounded(
            query,
            places.where(*walk) if walk else places,
            columns,
            descending=self._descending,
            continue_value=continue_value,
            compared=tuple if self._by_time else lambda end: (self._key(end[0]), end[1]),
        )

    def _end(self, which: str) -> Any:
        """Return one end of the range of sort keys; None if it is open."""
        prefix, digits = self.p[f"{which}sortkeyprefix"], self.p[f"{which}hexsortkey"]
        if prefix is not None:
            try:
                return self._key(self.site.collation.key(prefix))
            except CollationUnavailable as error:
                message = Message("apierror-wikiapi-collation", (Plain(error.collation),))
                raise ApiError("collationunavailable", message) from None
        if digits is None:
            key = self.p.text_or_none(f"{which}sortkey")
            return None if key is None else self._key(key.encode("utf-8", "surrogatepass"))
        try:
            return self._key(_bytes(digits))
        except ApiError:
            name = self.full(f"{which}hexsortkey")
            message = Message("apierror-badparameter", (Plain(name),))
            raise ApiError(f"badvalue_{name}", message) from None

    def _key(self, key: bytes) -> Any:
        return categories.sort_key_value(self.db, key)

    def _items(self, members: list[Member]) -> Iterator[dict[str, Any]]:
        """Yield the item of each member."""
        props = frozenset(self.p.texts("prop"))
        titles = stored_titles(
            self.site, [m.namespace for m in members], [m.title for m in members]
        )
        moments = iso_all([member.timestamp for member in members]) if "timestamp" in props else ()
        for number, member in enumerate(members):
            item: dict[str, Any] = {}
            if "ids" in props:
                item["pageid"] = member.page_id
            if "title" in props:
                item["ns"] = member.namespace
                item["title"] = titles[number]
            if "sortkey" in props:
                item["sortkey"] = member.sort_key.hex()
            if "sortkeyprefix" in props:
                item["sortkeyprefix"] = member.sort_key_prefix
            if "type" in props:
                item["type"] = member.type
            if "timestamp" in props:
                item["timestamp"] = moments[number]
            yield item


def _bytes(digits: str) -> bytes:
    if not digits.isascii() or not digits.isalnum():
        raise bad_continue()
    try:
        return bytes.fromhex(digits)
    except ValueError as error:
        raise bad_continue() from error
