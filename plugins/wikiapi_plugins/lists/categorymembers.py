"""``list=categorymembers``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from wikiapi.api.params.declaration import (
    continuation,
    enum,
    limit,
    namespace,
    string,
    timestamp,
)
from wikiapi.api.params.types.timestamp import iso
from wikiapi.api.query.continuation import bad_continue
from wikiapi.api.query.module import ListModule
from wikiapi.api.query.output import stored_title
from wikiapi.errors import ApiError
from wikiapi.i18n.message import Message, Plain
from wikiapi.store import bounds, categories
from wikiapi.store.categories import MEMBER_COLUMNS, sort_key_value
from wikiapi.store.models import CategoryLinks, Page
from wikiapi.store.pages import PageRow
from wikiapi.title.namespaces import CATEGORY
from wikiapi_plugins.families.collation import sort_key_of
from wikiapi_plugins.families.moments import moment_part
from wikiapi_plugins.families.titleorid import title_or_id, title_or_id_params

if TYPE_CHECKING:
    from wikiapi.api.query.generator import GeneratedPages

_TYPES = ("page", "subcat", "file")
_UP = ("asc", "ascending", "newer")


class _Member(NamedTuple):
    """A page in the category; the sort key is bytes."""

    type: str
    sort_key: bytes
    prefix: str
    timestamp: str
    page: PageRow


class CategoryMembers(ListModule):
    """List all pages in a given category."""

    name = "categorymembers"
    prefix = "cm"
    element = "cm"
    params = (
        *title_or_id_params("The category, with its prefix; not with pageid.",
                            "The category by the id of its page; not with title."),
        enum("prop", "ids", "title", "sortkey", "sortkeyprefix", "type", "timestamp", multi=True,
             default="ids|title", help="What to tell.",
             value_help=(("ids", "The page's id."), ("title", "Its namespace and title."),
                         ("sortkey", "Its sort key within the category, in hexadecimal digits."),
                         ("sortkeyprefix", "The readable part of that which the page gives."),
                         ("type", "page, subcat or file."),
                         ("timestamp", "When it was put into the category."))),
        namespace(multi=True),
        enum("type", *_TYPES, multi=True, default="page|subcat|file",
             help="The kinds of members, in this order; not with sort=timestamp."),
        continuation(),
        limit(),
        enum("sort", "sortkey", "timestamp", default="sortkey", help="What to sort by."),
        enum("dir", "asc", "desc", "ascending", "descending", "newer", "older",
             default="ascending", help="In which direction to list."),
        timestamp("start", "The moment to begin with; only with sort=timestamp."),
        timestamp("end", "The moment to end with; only with sort=timestamp."),
        string("starthexsortkey", "The sort key to begin with, in hexadecimal digits."),
        string("endhexsortkey", "The sort key to end with, in hexadecimal digits."),
        string("startsortkeyprefix", "The readable prefix to begin with."),
        string("endsortkeyprefix", "The readable prefix to end before, not with."),
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
        members = self._found()
        self.result.list(("query", self.name), self.element)
        self.list_rows(members, self.p["limit"], self._position, self._item)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the members."""

        def add(row: _Member) -> bool:
            pages.rows.append(row.page)
            return True

        self.page_through(self._found(), self.p["limit"], self._position, add)

    @property
    def _by_time(self) -> bool:
        return bool(self.p["sort"] == "timestamp")

    @property
    def _descending(self) -> bool:
        return self.p["dir"] not in _UP

    def _position(self, row: _Member) -> str:
        if self._by_time:
            return f"{row.timestamp}|{row.page.page_id}"
        return f"{row.type}|{row.sort_key.hex()}|{row.page.page_id}"

    def _found(self) -> list[_Member]:
        title = title_or_id(self)
        if title.ns != CATEGORY:
            raise ApiError(Message("apierror-invalidcategory"), "invalidcategory")
        query = categories.members(title.dbkey)
        if self.p["namespace"]:
            query = query.where(Page.page_namespace.in_(self.p["namespace"]))
        return self._members_by_time(query) if self._by_time else self._members_by_key(query)

    def _members_by_time(self, query: Any) -> list[_Member]:
        columns = [CategoryLinks.cl_timestamp, CategoryLinks.cl_from]
        ends = (self.p["start"], self.p["end"])
        conditions = bounds.between(columns[0], *ends, descending=self._descending)
        if parts := self.continue_parts(2):
            values = [moment_part(parts[0]), self.continue_int(parts[1])]
            conditions.append(bounds.starting_at(columns, values, descending=self._descending))
        return self._read(query.where(*conditions) if conditions else query, columns)

    def _members_by_key(self, query: Any) -> list[_Member]:
        """One query for each kind of members, as few as fill the answer."""
        columns = [CategoryLinks.cl_sortkey, CategoryLinks.cl_from]
        parts = self.continue_parts(3) if self.p["continue"] else None
        types, found = list(self.p["type"]), list[_Member]()
        start = None
        if parts:
            types = types[types.index(parts[0]) :] if parts[0] in types else types
            values = [sort_key_value(_bytes(parts[1])), self.continue_int(parts[2])]
            start = bounds.starting_at(columns, values, descending=self._descending)
        else:
            ends = (self._end("start"), self._end("end"))
            between = bounds.between(columns[0], *ends, descending=self._descending)
            query = query.where(*between) if between else query
        for kind in types:
            of_kind = query.where(CategoryLinks.cl_type == kind)
            found += self._read(of_kind.where(start) if start else of_kind, columns)
            start = None
            if len(found) > self.p["limit"]:
                break
        return found

    def _read(self, query: Any, columns: list[Any]) -> list[_Member]:
        query = bounds.ordered(query, *columns, descending=self._descending)
        rows = self.rows(query.limit(self.p["limit"] + 1))
        after = len(MEMBER_COLUMNS)
        return [_Member(r[1], bytes(r[2]), r[3], r[4], PageRow(*r[after:])) for r in rows]

    def _end(self, which: str) -> Any:
        """One end of the range of sort keys; None if it is open."""
        prefix, digits = self.p[f"{which}sortkeyprefix"], self.p[f"{which}hexsortkey"]
        if prefix is not None:
            return sort_key_value(sort_key_of(prefix))
        if digits is None:
            return self.p[f"{which}sortkey"]
        try:
            return sort_key_value(_bytes(digits))
        except ApiError:
            name = self.full(f"{which}hexsortkey")
            message = Message("apierror-badparameter", (Plain(name),))
            raise ApiError(message, f"badvalue_{name}") from None

    def _item(self, row: _Member) -> dict[str, Any]:
        prop, item = self.p["prop"], dict[str, Any]()
        if "ids" in prop:
            item["pageid"] = row.page.page_id
        if "title" in prop:
            item |= stored_title(self.site, row.page.namespace, row.page.title)
        if "sortkey" in prop:
            item["sortkey"] = row.sort_key.hex()
        if "sortkeyprefix" in prop:
            item["sortkeyprefix"] = row.prefix
        if "type" in prop:
            item["type"] = row.type
        if "timestamp" in prop:
            item["timestamp"] = iso(row.timestamp)
        return item


def _bytes(digits: str) -> bytes:
    if not digits.isascii() or not digits.isalnum():
        raise bad_continue()
    try:
        return bytes.fromhex(digits)
    except ValueError as error:
        raise bad_continue() from error
